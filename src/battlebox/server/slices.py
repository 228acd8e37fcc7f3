"""Work that takes a while and has to be done in the event loop, a slice at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from typing import TypeVar

SLICE = 0.002  # seconds; a step that takes longer is a slice of its own
LONGEST = 0.02  # of a slice, where whatever else is to be done takes as long in between
T = TypeVar("T")


class Slices:
    """Those of a server. However many wait for such work, it has half of the loop at most, in
    turn; whatever else is to be done waits for one slice.

    Threads would not do: each that computes makes the loop wait again and again for the GIL.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._others = 0.0  # seconds that all else had between the last two slices

    async def of(self, steps: Iterable[T], *, urgent: bool = False) -> AsyncIterator[T]:
        """The steps of a work. Errors: theirs.

        urgent: somebody waits to play. It has half of the loop where others want as much, else all.
        """
        work, more = iter(steps), True
        while more:
            done, long = list[T](), min(LONGEST, max(SLICE, self._others)) if urgent else SLICE
            async with self._turn:
                began = time.perf_counter()
                for x in work:
                    done.append(x)
                    if time.perf_counter() - began >= long:
                        break
                else:
                    more = False
                if more or urgent:
                    ended = time.perf_counter()
                    await asyncio.sleep(0 if urgent else ended - began)
                    self._others = time.perf_counter() - ended
            for x in done:
                yield x
