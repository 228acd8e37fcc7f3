"""How matches went that are over: found out in the background, one after the other, and kept."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..bots.review import Account, Cancelled, review
from ..core.engine import Progress
from ..core.match import Match
from .limits import Limits
from .meeting import Refused

BREATH = 0.02  # seconds of rest after each decision,
BREATHS = 10  # and so many more of them at most while bots think
STEP = 600  # bytes that one is taken to have in memory

Accounts = tuple[Account, ...]


class _Job:
    """One that is found out now or soon, for those who wait for it."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.done, self.all = 0, len(match.history)
        self.waiting: list[Progress] = []
        self.unwanted = threading.Event()
        self.found: asyncio.Task[Accounts] | None = None

    def hear(self, done: int) -> None:
        """So much of it is done."""
        self.done = done
        for hear in self.waiting:
            hear(done, self.all)


class Reviews:
    """Those of a server. busy: whether bots think, who go first."""

    def __init__(self, limits: Limits, busy: Callable[[], bool]) -> None:
        self.limits, self.busy = limits, busy
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="review")
        self._jobs: dict[str, _Job] = {}
        self._kept: OrderedDict[str, Accounts] = OrderedDict()

    async def of(self, id: str, match: Match, hear: Progress) -> Accounts:
        """The accounts of all seats of a match that is over. It goes on as long as somebody waits;
        hear gets (done, of how many) decisions.

        Errors: Refused, if there are too many at once; BattleboxError, if nothing was played.
        """
        if kept := self._kept.get(id):
            self._kept.move_to_end(id)
            return kept
        job = self._jobs.get(id) or self._begin(id, match)
        assert job.found is not None
        job.waiting.append(hear)
        hear(job.done, job.all)
        try:
            return await asyncio.shield(job.found)
        finally:
            job.waiting.remove(hear)
            if not job.waiting:
                self._drop(id, job)

    def _begin(self, id: str, match: Match) -> _Job:
        if len(self._jobs) >= self.limits.reviews:
            raise Refused("busy", "Too many matches are looked back on just now: try again soon.")
        job = self._jobs[id] = _Job(match)
        job.found = asyncio.create_task(self._work(id, job))
        return job

    def _drop(self, id: str, job: _Job) -> None:
        """Nobody waits for it any more."""
        job.unwanted.set()
        if self._jobs.get(id) is job:
            del self._jobs[id]

    async def _work(self, id: str, job: _Job) -> Accounts:
        loop = asyncio.get_running_loop()
        try:
            accounts = await loop.run_in_executor(self._thread, self._find_out, job, loop)
        except Cancelled:
            return ()  # to nobody
        finally:
            self._drop(id, job)
        self._keep(id, accounts)
        return accounts

    def _find_out(self, job: _Job, loop: asyncio.AbstractEventLoop) -> Accounts:
        """In the thread. Errors: Cancelled; at once, if nobody has waited till its turn came."""
        if job.unwanted.is_set():
            raise Cancelled

        def rest(done: int, _all: int) -> None:
            loop.call_soon_threadsafe(job.hear, done)
            for _ in range(BREATHS):
                time.sleep(BREATH)
                if not self.busy():
                    return

        return review(job.match, progress=rest, cancelled=job.unwanted.is_set)

    def _keep(self, id: str, accounts: Accounts) -> None:
        """Keeps it, and forgets the oldest if that are too many."""
        self._kept[id] = accounts
        while self.size > self.limits.reviews_kept and len(self._kept) > 1:
            self._kept.popitem(last=False)

    @property
    def size(self) -> int:
        """About how many bytes those have that are kept."""
        return STEP * sum(len(a.steps) for accounts in self._kept.values() for a in accounts)

    def close(self) -> None:
        """Lets the thread end."""
        for job in self._jobs.values():
            job.unwanted.set()
        self._thread.shutdown(wait=False, cancel_futures=True)
