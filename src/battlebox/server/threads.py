"""The threads in which bots think: whose turn it is, how long it may take, when an answer shows.

Whose turn: first the bots that a person at the table waits for, then those that somebody watches,
then the rest; among these, that of the match which has used the least thinking time of late. A
search cannot be interrupted, so nobody waits for more than the one that is under way.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import statistics
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from typing import TypeVar

from .clock import Clock

HALF = 60.0  # seconds in which half of the thinking time that was used is forgotten
ACCOUNTS = 2_000  # of thinking time, at most; the oldest are forgotten
SPARE = 4  # threads for what must not wait for bots, and in place of those that hang
SHORTEST = 0.05  # seconds of a slot
ROOM = 2.5  # a slot is so many times as long as a decision usually takes: hardly one takes longer
RECENT = 20  # decisions by which that is judged
T = TypeVar("T")


class Rank(IntEnum):
    """Who waits for a bot."""

    PLAYED = 0  # a person at the table
    WATCHED = 1  # who looks on, or has asked for a hint
    LEFT = 2  # nobody just now


class TooLong(Exception):
    """A decision has taken longer than it may."""


class BotThreads:
    """So many threads; what is to be thought about waits for its turn in one line."""

    def __init__(self, threads: int, clock: Clock) -> None:
        self.clock = clock
        self._pool = ThreadPoolExecutor(threads + SPARE, thread_name_prefix="bot")
        self._free, self._at_work, self._stuck = threads, 0, 0
        self._waiting: list[_Turn] = []
        self._numbers = itertools.count()
        self._used = _Used(clock)

    @property
    def busy(self) -> bool:
        """Whether anything is thought about, or waits for its turn."""
        return bool(self._at_work or self._waiting)

    async def think(
        self,
        what: Callable[[], T],
        *,
        who: Hashable,
        rank: Callable[[], Rank],
        limit: float = math.inf,
    ) -> tuple[T, float]:
        """What comes of it, and the seconds that it took, without those that it waited.

        who: on whose account it goes. rank: asked whenever a thread is free. limit: in seconds.
        Errors: TooLong; what it took then is lost, and its thread with it until it ends.
        """
        await self._turn(who, rank)
        began = self.clock.now()
        self._at_work += 1
        job = asyncio.get_running_loop().run_in_executor(self._pool, what)
        late = list[bool]()

        def done(_: object) -> None:
            self._at_work -= 1
            self._used.add(who, self.clock.now() - began)
            if late:
                self._stuck -= 1
            else:
                self._free += 1
            if not job.cancelled():
                job.exception()  # who waited may have gone
            self._next()

        job.add_done_callback(done)
        try:
            async with self.clock.timeout(limit):
                await asyncio.wait({job})
        except TimeoutError:
            if self._stuck < SPARE:
                late.append(True)
                self._stuck += 1
                self._free += 1
                self._next()
            raise TooLong from None
        return job.result(), self.clock.now() - began

    async def aside(self, what: Callable[[], T]) -> T:
        """Does what bots need before they can think, out of turn."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, what)

    async def _turn(self, who: Hashable, rank: Callable[[], Rank]) -> None:
        """Waits for one's turn: a thread is free then, and taken."""
        mine = _Turn(next(self._numbers), who, rank)
        self._waiting.append(mine)
        self._next()
        try:
            await mine.comes.wait()
        except asyncio.CancelledError:
            if mine in self._waiting:
                self._waiting.remove(mine)
            else:  # it came in the same moment
                self._free += 1
                self._next()
            raise

    def _next(self) -> None:
        while self._free and self._waiting:
            first = min(self._waiting, key=lambda x: (x.rank(), self._used.by(x.who), x.number))
            self._waiting.remove(first)
            self._free -= 1
            first.comes.set()

    def close(self) -> None:
        """What waits never comes."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class _Turn:
    """One that waits for its turn."""

    def __init__(self, number: int, who: Hashable, rank: Callable[[], Rank]) -> None:
        self.number, self.who, self.rank = number, who, rank
        self.comes = asyncio.Event()


class _Used:
    """How much thinking time everybody has used of late, in seconds."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._all: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()  # how much, when

    def by(self, who: Hashable) -> float:
        much, at = self._all.get(who, (0.0, 0.0))
        return much * math.exp2((at - self.clock.now()) / HALF)

    def add(self, who: Hashable, seconds: float) -> None:
        self._all[who] = (self.by(who) + seconds, self.clock.now())
        self._all.move_to_end(who)
        if len(self._all) > ACCOUNTS:
            self._all.popitem(last=False)


class AnswerSlots:
    """When answers of bots show, and response windows: after whole slots, which tell nothing.

    A slot is longer than nearly all decisions of a sort. It is known before a bot looks at what it
    holds, and depends on how long others of that sort took: level, game, number of seats.
    """

    def __init__(self) -> None:
        self._took: dict[Hashable, deque[float]] = {}

    def note(self, sort: Hashable, seconds: float) -> None:
        """So long did one take."""
        self._took.setdefault(sort, deque(maxlen=RECENT)).append(seconds)

    def slot(self, sort: Hashable) -> float:
        """Of how many seconds answers of this sort are multiples."""
        took = self._took.get(sort)
        return max(SHORTEST, ROOM * statistics.median_high(took)) if took else 4 * SHORTEST


def rest(since: float, slot: float) -> float:
    """So many seconds after a question: how long it is until the slot ends that runs then."""
    return max(1, math.ceil(since / slot - 1e-9)) * slot - since
