"""The server's clock: what it waits by. It is handed in, so that tests move it and never wait.

In a test:

    clock = ManualClock()
    with in_thread(folder, clock=clock) as server:  # or create_app(store, clock=clock)
        ...                                 # something begins that takes eight seconds
        until(lambda: 8.0 in clock.alarms)  # the server has begun to wait for it
        clock.advance(8)                    # they are over; wait for what comes of it as always

Time stands still until the test moves it, from any thread. A step rings what was set before it: to
see two waits that follow each other pass, take two steps, each after its alarm is set. Bots that
think wait before they answer (`threads.AnswerSlots`); those of the level `random` do not.
What opens or closes a response window waits before it is shown.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from typing import Protocol


class Alarm(Protocol):
    """A call that is to come."""

    def cancel(self) -> None: ...


class Clock(ABC):
    """Seconds, and calls after so many of them. Alarms are set in a running event loop."""

    @abstractmethod
    def now(self) -> float:
        """Seconds since some moment: only differences mean anything. It never goes back."""

    @abstractmethod
    def date(self) -> float:
        """Seconds since 1970: what logs keep."""

    @abstractmethod
    def agree(self, date: float) -> None:
        """So late it is by the clock that counts, which is that of all nodes of a database."""

    @abstractmethod
    def call_later(self, seconds: float, what: Callable[[], object]) -> Alarm:
        """Calls it in the loop after so many seconds, unless the alarm is cancelled before."""

    async def sleep(self, seconds: float) -> None:
        """Waits for so many seconds."""
        over = asyncio.Event()
        alarm = self.call_later(seconds, over.set)
        try:
            await over.wait()
        finally:
            alarm.cancel()

    @contextlib.asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """What is in it ends after so many seconds. Errors: TimeoutError, if that is too soon."""
        async with asyncio.timeout(None) as limit:
            alarm = self.call_later(seconds, lambda: limit.reschedule(0))
            try:
                yield
            finally:
                alarm.cancel()


class RealClock(Clock):
    """The machine's. Its date is that of the machine, until another is agreed on: from then on the
    machine may be set to another time of day, and this one goes on.
    """

    def __init__(self) -> None:
        self._began: float | None = None  # the date when `now` was 0

    def now(self) -> float:
        return time.monotonic()

    def date(self) -> float:
        return time.time() if self._began is None else self._began + self.now()

    def agree(self, date: float) -> None:
        self._began = date - self.now()

    def call_later(self, seconds: float, what: Callable[[], object]) -> Alarm:
        return asyncio.get_running_loop().call_later(max(0.0, seconds), what)


class ManualClock(Clock):
    """One that a test moves."""

    def __init__(self) -> None:
        self._now, self._began = 0.0, time.time()
        self._alarms: list[_ManualAlarm] = []
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._now

    def date(self) -> float:
        return self._began + self._now

    def agree(self, date: float) -> None:
        """It is the test that says how late it is."""

    def call_later(self, seconds: float, what: Callable[[], object]) -> Alarm:
        with self._lock:
            alarm = _ManualAlarm(self._now + seconds, asyncio.get_running_loop(), what)
            self._alarms.append(alarm)
            self._ring()
        return alarm

    @property
    def alarms(self) -> list[float]:
        """In how many seconds what the server waits for comes, ascending, to the millisecond."""
        with self._lock:
            left = [x.at - self._now for x in self._alarms if not x.cancelled]
        return sorted(round(x, 3) for x in left)

    def advance(self, seconds: float) -> None:
        """Lets so many seconds pass at once, and rings what they were waited for."""
        with self._lock:
            self._now += seconds
            self._ring()

    def _ring(self) -> None:
        soon = self._now + 1e-6  # sums of fractions
        due = sorted((x for x in self._alarms if x.at <= soon), key=lambda x: x.at)
        self._alarms = [x for x in self._alarms if x.at > soon and not x.cancelled]
        for x in due:
            x.ring()


class _ManualAlarm:
    def __init__(
        self, at: float, loop: asyncio.AbstractEventLoop, what: Callable[[], object]
    ) -> None:
        self.at, self.loop, self.what, self.cancelled = at, loop, what, False

    def cancel(self) -> None:
        self.cancelled = True

    def ring(self) -> None:
        """From any thread: it is called in the loop that it was set in."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(lambda: self.cancelled or self.what())


REAL = RealClock()
