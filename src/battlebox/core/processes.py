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
# its own, and ends the whole group when nobody holds the other end of the pipe any more: whoever
# started it has let go of it, or was killed. The program itself need not notice anything.
_KEEPER = """
import os, subprocess, sys, threading
pipe, command = int(sys.argv[1]), sys.argv[2:]
def watch():
    os.read(pipe, 1)
    os.killpg(0, 9)
threading.Thread(target=watch, daemon=True).start()
program = subprocess.Popen(command)
for stream in (0, 1):
    os.close(stream)
code = program.wait()
os._exit(code if code >= 0 else 128 - code)
"""


class ForeignProcess:
    """A program of others, with pipes to and from it. It ends with `end`, or when this process
    does, even if it was killed; so does all that it has started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        """Errors: OSError if the program cannot be started."""
        self._lifeline: int | None = None
        if sys.platform == "win32":  # which hands no pipes on
            self.process = subprocess.Popen(command, stdin=_PIPE, stdout=_PIPE)
            return
        theirs, self._lifeline = os.pipe()
        kept = [sys.executable, "-I", "-S", "-c", _KEEPER, str(theirs), *command]
        try:
            self.process = subprocess.Popen(
                kept, stdin=_PIPE, stdout=_PIPE, pass_fds=[theirs], start_new_session=True
            )
        finally:
            os.close(theirs)

    def end(self) -> None:
        """Ends it, whatever it does."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        else:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what it was not sent yet
                if stream:
                    stream.close()
