"""Several processes that do the same: started together, kept alive, ended together."""

from __future__ import annotations

import multiprocessing as mp
import os
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait

from ..core.errors import BattleboxError
from ..core.processes import end_with_parent

MOST = 64  # processes
PATIENCE = 10.0  # seconds for a process to end
AGAIN = 1.0  # seconds until one that could not start is started again
Work = Callable[[int, Callable[[], None]], None]  # which it is, and what it calls once it works


def check(n: int, database: str) -> None:
    """Errors: BattleboxError, if there cannot be so many."""
    if not 1 <= n <= MOST:
        raise BattleboxError(f"--workers {n}: there can be 1 .. {MOST}")
    if n > 1 and sys.platform == "win32":
        raise BattleboxError(f"--workers {n}: Windows cannot share a port; leave it out")
    if n > 1 and not database:
        raise BattleboxError(
            f"--workers {n}: matches in a folder are for one process; several share a PostgreSQL "
            "database: add --database postgresql://USER:PASSWORD@HOST:PORT/NAME"
        )


def supervise(
    n: int,
    work: Work,
    *,
    ready: Callable[[], None],
    say: Callable[[str], None],
) -> None:
    """Runs `work(k, started)` in processes k = 0 .. n - 1 until KeyboardInterrupt.

    Each calls `started()` once it works; `ready` is called when all do. One that ends is started
    again. Errors: BattleboxError, if one of the first ends before it has started.
    """
    crew = {k: _Worker(k, work) for k in range(n)}
    waiting, all_began = set(crew), False
    try:
        while True:
            wait([y for k, x in crew.items() for y in x.news(k in waiting)])
            for k, worker in list(crew.items()):
                try:
                    has_started = k in waiting and worker.has_started()
                except BattleboxError as e:
                    if not all_began:
                        raise
                    say(f"Process {k + 1} of {n} cannot start. {e}")
                    worker.process.join(PATIENCE)
                    time.sleep(AGAIN)  # the others go on meanwhile
                    has_started = False
                if has_started:
                    waiting.discard(k)
                    if not waiting and not all_began:
                        all_began = True
                        ready()
                elif not worker.process.is_alive():
                    say(f"Process {k + 1} of {n} has ended; another one takes its place.")
                    crew[k] = _Worker(k, work)
                    waiting.add(k)
    finally:
        for worker in crew.values():
            worker.process.terminate()
        for worker in crew.values():
            worker.process.join(PATIENCE)
            worker.process.kill()  # if it is still there
            worker.process.join()


class _Worker:
    """A process, and the line on which it says that it has started."""

    def __init__(self, k: int, work: Work) -> None:
        spawn = mp.get_context("spawn")  # a fork would have half of the parent's threads
        self.line, line = spawn.Pipe(duplex=False)
        self.process = spawn.Process(target=_run, args=(k, line, work), daemon=True)
        self.process.start()
        line.close()

    def news(self, starting: bool) -> list[Connection | int]:
        """What to wait for."""
        return [self.process.sentinel, *([self.line] if starting else [])]

    def has_started(self) -> bool:
        """Whether it has said so. Errors: BattleboxError, why it will not."""
        if not self.line.poll():
            return False
        try:
            trouble = self.line.recv()
        except EOFError:
            raise BattleboxError("a process of the server has ended before it began") from None
        if trouble:
            raise BattleboxError(trouble)
        return True


def _run(k: int, line: Connection, work: Work) -> None:
    """The process."""
    end_with_parent()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C, of which all hear
    try:
        work(k, lambda: line.send(""))
    except BattleboxError as e:
        line.send(str(e))
    except KeyboardInterrupt:
        pass
    os._exit(0)  # threads that still think need not be waited for
