"""What spectators see who are behind: a session of its own, which hears of everything later."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from .clock import Alarm, Clock
from .log_events import LogEvent
from .session import Session
from .store import Setup


class DelayedSession:
    """That of one match.

    due: called when it is time for events that were waiting; it lets them happen by `catch_up`.
    apply: lets one of them happen.
    """

    def __init__(
        self,
        setup: Setup,
        delay: float,
        clock: Clock,
        *,
        apply: Callable[[Session, LogEvent], None],
        due: Callable[[], None],
    ) -> None:
        self.session, self.delay, self.clock = Session(setup), delay, clock
        self._apply, self._due = apply, due
        self._waiting: deque[tuple[float, LogEvent]] = deque()  # when it happens, and what
        self._alarm: Alarm | None = None

    def add(self, at: float, event: LogEvent) -> None:
        """An event that was logged at `at` (seconds since 1970)."""
        self._waiting.append((at + self.delay, event))
        if self._alarm is None:
            self.catch_up()

    def catch_up(self) -> None:
        """Lets happen, in order, what it is time for; rings when it is time for the next."""
        self._alarm = None
        while self._waiting and self._waiting[0][0] <= self.clock.date():
            self._apply(self.session, self._waiting.popleft()[1])
        if self._waiting:
            wait = self._waiting[0][0] - self.clock.date()
            self._alarm = self.clock.call_later(wait, self._due)

    def close(self) -> None:
        """Nothing rings any more."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
