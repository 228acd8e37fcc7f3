"""How matches went that are over: found out in the background, one after the other, and kept."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from ..bots.review import Cancelled, Findings, SeatReview, review
from ..core.match import Match
from .limits import Limits
from .session import Refused

BREATH = 0.02  # seconds of rest after each decision,
BREATHS = 10  # and so many more of them at most while bots think
STEP = 600  # bytes that one is taken to have in memory

Reviewed = tuple[SeatReview, ...]
Hear = Callable[[int, int, SeatReview | None], None]  # (done, of how much, early review of a seat)


class _Job:
    """One that is found out now or soon, for those who wait for it; first for one seat."""

    def __init__(self, match: Match, first: int, findings: Findings) -> None:
        self.match, self.first, self.findings = match, first, findings
        self.done, self.all = 0, 0
        self.early: SeatReview | None = None
        self.waiting: list[Hear] = []
        self.unwanted = threading.Event()
        self.found: asyncio.Task[Reviewed] | None = None

    def hear(self, done: int, all: int) -> None:
        """So much of it is done."""
        self.done, self.all = done, all
        for hear in self.waiting:
            hear(done, all, self.early)

    def hear_early(self, early: SeatReview) -> None:
        """What is known of the first seat."""
        self.early = early
        self.hear(self.done, self.all)


class Reviews:
    """Those of a server. busy: whether bots think, who go first."""

    def __init__(self, limits: Limits, busy: Callable[[], bool]) -> None:
        self.limits, self.busy = limits, busy
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="review")
        self._jobs: dict[str, _Job] = {}
        self._kept: OrderedDict[str, Reviewed] = OrderedDict()
        self._begun: OrderedDict[str, Findings] = OrderedDict()  # those that are not whole yet

    async def of(self, id: str, match: Match, first: int, hear: Hear) -> Reviewed:
        """The reviews of all seats of a match that is over. It goes on as long as somebody waits,
        and later where it was left; the first to ask hears early of the seat `first`.

        Errors: Refused, if there are too many at once; BattleboxError, if nothing was played.
        """
        if kept := self._kept.get(id):
            self._kept.move_to_end(id)
            return kept
        job = self._jobs.get(id) or self._begin(id, match, first)
        assert job.found is not None
        job.waiting.append(hear)
        hear(job.done, job.all, job.early)
        try:
            return await asyncio.shield(job.found)
        finally:
            job.waiting.remove(hear)
            if not job.waiting:
                self._drop(id, job)

    def _begin(self, id: str, match: Match, first: int) -> _Job:
        if len(self._jobs) >= self.limits.reviews:
            raise Refused("busy", "Too many matches are being reviewed just now: try again soon.")
        findings = self._begun.pop(id, None) or Findings()
        self._begun[id] = findings
        while len(self._begun) > self.limits.reviews:
            self._begun.popitem(last=False)
        job = self._jobs[id] = _Job(match, first, findings)
        job.found = asyncio.create_task(self._work(id, job))
        return job

    def _drop(self, id: str, job: _Job) -> None:
        """Nobody waits for it any more."""
        job.unwanted.set()
        if self._jobs.get(id) is job:
            del self._jobs[id]

    async def _work(self, id: str, job: _Job) -> Reviewed:
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._thread, self._find_out, job, loop)
        except Cancelled:
            return ()  # to nobody
        finally:
            self._drop(id, job)
        self._keep(id, found)
        return found

    def _find_out(self, job: _Job, loop: asyncio.AbstractEventLoop) -> Reviewed:
        """In the thread. Errors: Cancelled; at once, if nobody has waited till its turn came."""
        if job.unwanted.is_set():
            raise Cancelled

        def rest(done: int, all: int) -> None:
            loop.call_soon_threadsafe(job.hear, done, all)
            for _ in range(BREATHS):
                time.sleep(BREATH)
                if not self.busy():
                    return

        def hear(early: SeatReview) -> None:
            loop.call_soon_threadsafe(job.hear_early, early)

        others = (p for p in range(job.match.rules.players) if p != job.first)
        found = review(
            job.match,
            [job.first, *others],
            progress=rest,
            early=hear,
            found=job.findings,
            cancelled=job.unwanted.is_set,
        )
        return tuple(sorted(found, key=lambda a: a.seat))

    def _keep(self, id: str, found: Reviewed) -> None:
        """Keeps it, and forgets the oldest if that are too many."""
        self._begun.pop(id, None)
        self._kept[id] = found
        while self.size > self.limits.reviews_kept and len(self._kept) > 1:
            self._kept.popitem(last=False)

    @property
    def size(self) -> int:
        """About how many bytes those have that are kept."""
        return STEP * sum(len(a.steps) for found in self._kept.values() for a in found)

    def close(self) -> None:
        """Lets the thread end."""
        for job in self._jobs.values():
            job.unwanted.set()
        self._thread.shutdown(wait=False, cancel_futures=True)
