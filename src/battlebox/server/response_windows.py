"""The response windows of one match: their countdown, and when what they lead to is shown.

Whether anybody is asked, and whether they have answered, must not show in anything, nor in time.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from .countdown import Countdown
from .session import Refused, Session
from .threads import rest

if TYPE_CHECKING:
    from .room import Room

ALONE = 4  # a person among bots waits so many times less,
AT_LEISURE = 75  # and may think about an answer so many times longer
LONG = 0.4  # seconds that the rules and pictures never take: what does is a database that is away


class ResponseWindows:
    """Those of one room: of its session, and of what late spectators see."""

    def __init__(self, room: Room) -> None:
        self.room, self.services = room, room.services
        self._countdowns: dict[Session, Countdown] = {}  # of those that are in a window

    @property
    def countdown(self) -> Countdown | None:
        """The one that the players wait for."""
        return self._countdowns.get(self.room.session)

    @property
    def late(self) -> float:
        """For how many seconds the present one is over already."""
        return self.countdown.late if self.countdown else 0.0

    @property
    def is_at_leisure(self) -> bool:
        """Whether only the person at a table of bots is waited for: nobody else minds how long."""
        runs = self.countdown is not None and self.countdown.runs
        return runs and self._is_asked_alone(self.room.session)

    def update(self, session: Session) -> None:
        """Begins a countdown where there is a window that has none yet."""
        here = self._countdowns.get(session)
        if session.window is None:
            self._countdowns.pop(session, None)
        elif here is None or here.window != session.window:
            of = self._usual(session)
            if self._is_asked_alone(session) and session is self.room.session:
                of = self.services.limits.response_window * AT_LEISURE
            self._countdowns[session] = Countdown(session.window, of, self.services.clock)
            if session is not self.room.session:
                self._countdowns[session].begin()  # what follows comes when it is time for it
        elif here.of > self._usual(session) and not self._is_asked_alone(session):
            here.answered(self._usual(session))

    def _usual(self, session: Session) -> float:
        """How long all wait, in seconds, whoever is asked."""
        alone = len(session.people()) < 2
        return self.services.limits.response_window / (ALONE if alone else 1)

    @staticmethod
    def _is_asked_alone(session: Session) -> bool:
        """Whether the one person at a table of bots can answer now: nobody else learns from how
        long they take.
        """
        return any(session.is_alone(p) and p in session.match.deciding for p in session.people())

    def members(self) -> dict[Session, bytes]:
        """What frames tell of the countdowns, the same to all who see a session."""
        return {session: x.as_member for session, x in self._countdowns.items()}

    async def hold_back(self, since: float) -> None:
        """What begins or ends a window shows when a whole slot of time is over since it happened:
        how long the rules take over it, and the pictures, depends on who is asked.
        """
        session, slots = self.room.session, self.services.slots
        took = self.services.clock.now() - since
        sort = (session.match.rules.name, len(session.seats), "window")
        slot = slots.slot(sort)
        slots.note(sort, min(took, LONG))
        with self.room.outbox.held_back():
            await self.services.clock.sleep(rest(took, slot))

    async def let_pass(self) -> bool:
        """Lets the time of the present window pass, no matter who is asked and who has answered.
        Whether there was one.
        """
        if (countdown := self.countdown) is None:
            return False
        await self.room.bots.prepare_for_window()
        countdown.begin()
        self.room.wake()
        await countdown.wait()
        with contextlib.suppress(Refused):  # somebody gave up, and with it the match
            session = self.room.session
            await self.room.commit(lambda: session.close(countdown.window))
        return True
