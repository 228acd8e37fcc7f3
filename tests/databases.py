"""PostgreSQL for tests: one server for each process of tests, a database for each test."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
from pathlib import Path

import pytest
from bench.postgres import MISSING, Postgres, free_port, postgres, programs

#: where CI says that it is needed, its absence is an error
needs_postgres = pytest.mark.skipif(
    programs() is None and os.environ.get("BATTLEBOX_BROWSER") != "needed", reason=MISSING
)


@functools.cache
def the_server() -> Postgres:
    """One for all tests of this process."""
    held = contextlib.ExitStack()
    atexit.register(held.close)
    return held.enter_context(postgres(free_port()))


@functools.cache
def database_of(folder: Path) -> str:
    """Where the tests keep the matches of a folder: nowhere else, or in a database if all tests are
    to run on PostgreSQL (BATTLEBOX_TEST_DATABASE=postgres).
    """
    return the_server().new() if os.environ.get("BATTLEBOX_TEST_DATABASE") == "postgres" else ""
