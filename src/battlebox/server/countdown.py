"""How long everybody still waits in a response window: the log says when it is over, the clock is
here.
"""

from __future__ import annotations

import asyncio
import contextlib

from pydantic_core import to_json

from ..core.response_window import ResponseWindow
from .clock import Clock


class Countdown:
    """The same for all who look on, whether or not anybody is asked or has answered. Only one
    that waits for the answer of a person who is alone among bots ends early, see `answered`.
    """

    def __init__(self, window: ResponseWindow, of: float, clock: Clock) -> None:
        self.window, self.of, self.clock = window, of, clock
        self._ends: float | None = None
        self._answered = asyncio.Event()

    def begin(self) -> None:
        """The time runs from now on, if it does not yet."""
        if self._ends is None:
            self._ends = self.clock.now() + self.of

    def answered(self, least: float) -> None:
        """The only person has: what is left is what all windows last at such a table."""
        if self._ends is not None:
            self._ends = max(self.clock.now(), self._ends - self.of + least)
        self.of = least
        self._answered.set()

    async def wait(self) -> None:
        """Until it is over."""
        with contextlib.suppress(TimeoutError):
            async with self.clock.timeout(self.left):
                await self._answered.wait()
        await self.clock.sleep(self.left)

    @property
    def runs(self) -> bool:
        """Whether the time has begun to run."""
        return self._ends is not None

    @property
    def left(self) -> float:
        """In seconds."""
        return self.of if self._ends is None else max(0.0, self._ends - self.clock.now())

    @property
    def late(self) -> float:
        """How long it is over, in seconds."""
        return 0.0 if self._ends is None else max(0.0, self.clock.now() - self._ends)

    @property
    def as_member(self) -> bytes:
        """What frames have of it."""
        return b',"countdown":' + to_json({"of": self.of, "left": round(self.left, 1)})
