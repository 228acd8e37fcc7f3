"""The command at a terminal of its own, for tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pexpect

PATIENCE = 600.0  # seconds: only what hangs takes so long; the first bot may have to compile


def surroundings(home: Path) -> dict[str, str]:
    """The environment of somebody who has never seen it."""
    kept = ("PATH", "LANG", "LC_ALL", "PYTHONPATH")
    return {k: v for k, v in os.environ.items() if k in kept} | {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "BATTLEBOX_CACHE": str(home / "cache"),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
    }


def at_terminal(*words: str, env: Mapping[str, str]) -> pexpect.spawn:
    """`battlebox WORDS` at a terminal of 80 by 24.

    What is typed while it writes is echoed by the system, wherever the writing is at: in the middle
    of a letter of several bytes too, if the terminal was full. Such a letter is read as a mark.
    """
    p = pexpect.spawn(
        str(Path(sys.executable).parent / "battlebox"),
        list(words),
        env=dict(env),
        dimensions=(24, 80),
        encoding="utf-8",
        codec_errors="replace",
        timeout=PATIENCE,
    )
    p.delaybeforesend = None
    return p


def type_until(p: pexpect.spawn, keys: str, *shown: Any) -> int:
    """Types, once a prompt is there, until one of these is shown: which one."""
    p.send(keys)
    return int(p.expect([*shown]))
