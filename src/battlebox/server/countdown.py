"""How long everybody still waits in a hush: the log says when it is over, the clock is here."""

from __future__ import annotations

from pydantic_core import to_json

from ..core.response_window import ResponseWindow
from .clock import Clock


class Countdown:
    """The same for all who look on, whether or not anybody is asked or has answered."""

    def __init__(self, hush: ResponseWindow, of: float, clock: Clock) -> None:
        self.hush, self.of, self.clock = hush, of, clock
        self._ends: float | None = None

    def begin(self) -> None:
        """The time runs from now on, if it does not yet."""
        if self._ends is None:
            self._ends = self.clock.now() + self.of

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
        return 0.0 if self._ends is None else self.clock.now() - self._ends

    @property
    def as_member(self) -> bytes:
        """What frames have of it."""
        return b',"hold":' + to_json({"of": self.of, "left": round(self.left, 1)})
