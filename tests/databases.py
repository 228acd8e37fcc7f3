"""PostgreSQL for tests: one server for each process of tests, a database for each test."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
from pathlib import Path

import pytest
from bench.postgres import MISSING, Postgres, free_port, postgres, programs

from battlebox.server.serve import open_store
from battlebox.server.store import Store

ON_POSTGRES = os.environ.get("BATTLEBOX_TEST_DATABASE") == "postgres"  # all that is served
#: where CI says that it is needed, its absence is an error
needs_postgres = pytest.mark.skipif(
    programs() is None and os.environ.get("BATTLEBOX_BROWSER") != "needed", reason=MISSING
)


def sqlite_only(reason: str) -> pytest.MarkDecorator:
    """For what is about SQLite itself: there is nothing of it if all tests run on PostgreSQL."""
    return pytest.mark.skipif(ON_POSTGRES, reason=f"SQLite only: {reason}")


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
    return the_server().new() if ON_POSTGRES else ""


def store_of(folder: Path) -> Store:
    """The matches of a folder, which no server uses now; who asks closes it."""
    return open_store(database_of(folder), folder)


def change(store: Store, *statements: str) -> None:
    """Changes what is kept, behind the back of a store. It sees it when it is opened again."""
    with store._engine.begin() as c:
        for sql in statements:
            c.exec_driver_sql(sql)
