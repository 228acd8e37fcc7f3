"""Processes that end when the process that started them does: ours, and programs of others."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

_PIPE = subprocess.PIPE


def end_with_parent() -> None:
    """From now on this process ends when its parent does, even if the parent was killed.

    A thread waits for the parent, so it works on every system and while other threads compute.
    Without a parent that multiprocessing knows of, nothing happens.
    """
    if (parent := multiprocessing.parent_process()) is not None:

        def watch() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=watch, name="end with parent", daemon=True).start()


# What runs beside a program of others. It starts the program, which has its streams, in a group of
# its own, and ends the whole group when it is told to, by a byte, or some time after the other end
# of the pipe was let go of: by whoever started it, or because that was killed. The program need not
# notice anything; if it ends when its input does, it can put its things in order.
_KEEPER = """
import os, subprocess, sys, threading
pipe, seconds, command = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
alone, ended = threading.Event(), threading.Event()
def watch():
    told = os.read(pipe, 1)
    alone.set()
    if not told:
        ended.wait(seconds)
    os.killpg(0, 9)
watching = threading.Thread(target=watch, daemon=True)
watching.start()
try:
    program = subprocess.Popen(command)
except OSError as e:
    print(f"{command[0]}: {e.strerror}", file=sys.stderr, flush=True)
    os._exit(126)
for stream in (0, 1):
    os.close(stream)
code = program.wait()
ended.set()
if alone.is_set():
    watching.join()
os._exit(code if code >= 0 else 128 - code)
"""
GRACE = 5.0  # seconds that a program has after the end of its input


class ForeignProcess:
    """A program of others, with pipes to and from it. It ends with `end` or `finish`, or when this
    process does, even if it was killed; so does all that it has started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Errors: OSError if the program cannot be started."""
        self._lifeline: int | None = None
        if sys.platform == "win32":  # which hands no pipes on
            self._process = subprocess.Popen(command, stdin=_PIPE, stdout=_PIPE)
        else:
            theirs, self._lifeline = os.pipe()
            kept = [sys.executable, "-I", "-S", "-c", _KEEPER, str(theirs), str(GRACE), *command]
            try:
                self._process = subprocess.Popen(
                    kept, stdin=_PIPE, stdout=_PIPE, pass_fds=[theirs], start_new_session=True
                )
            finally:
                os.close(theirs)
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        #: what it reads, what it writes; whoever reads that closes it at its end
        self.stdin, self.stdout = self._process.stdin, self._process.stdout

    def exit_code(self, seconds: float) -> int | None:
        """Its exit code, if it ends within so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def finish(self) -> None:
        """Ends it; first it can do what it does at the end of its input."""
        with suppress(OSError):  # it has ended, or has not read what it was sent
            self.stdin.close()
        if self._lifeline is None:
            self.exit_code(GRACE)
        self._let_go(b"")

    def end(self) -> None:
        """Ends it at once, whatever it does."""
        self._let_go(b"!")
        with suppress(OSError):
            self.stdin.close()

    def _let_go(self, told: bytes) -> None:
        if self._lifeline is None:
            self._process.kill()
        else:
            with suppress(OSError):  # nobody is there any more
                os.write(self._lifeline, told)
            os.close(self._lifeline)
            self._lifeline = None
        self._process.wait()
