"""The command at a terminal of its own, for tests."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect


def at_terminal(*words: str, env: Mapping[str, str], timeout: float = 60) -> pexpect.spawn:
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
        timeout=timeout,
    )
    p.delaybeforesend = None
    return p
