"""Work that takes a while and has to be done in the event loop, a slice at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

SLICE = 0.002  # seconds; a step that takes longer is a slice of its own
IDLE = 0.00005  # seconds of a turn of the loop in which there was nothing to do
T = TypeVar("T")


class Slices:
    """Those of a server. However many wait for such work, it has half of the loop at most, in
    turn; whatever else is to be done waits for one slice.

    Threads would not do: each that computes makes the loop wait again and again for the GIL.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def of(self, steps: Iterable[T], *, urgent: bool = False) -> AsyncIterator[T]:
        """The steps of a work. Errors: theirs.

        urgent: somebody waits to play. It waits for nothing where there is nothing else to do.
        """
        work, more = iter(steps), True
        while more:
            done = list[T]()
            async with self._turn:
                began = time.perf_counter()
                for x in work:
                    done.append(x)
                    if (spent := time.perf_counter() - began) >= SLICE:
                        await (_give_way if urgent else asyncio.sleep)(spent)
                        break
                else:
                    more = False
            for x in done:
                yield x


async def _give_way(most: float) -> None:
    """Lets all else that there is to do be done, for so many seconds at most."""
    began = now = time.perf_counter()
    while now - began < most:
        before = now
        await asyncio.sleep(0)
        now = time.perf_counter()
        if now - before < IDLE:
            return
