"""Hints: what a bot would do in a player's place, knowing what they know."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..bots.adviser import Option, judges_rounds
from ..bots.review import hint, may_end
from ..bots.review_text import advice
from .session import Refused
from .threads import Rank

if TYPE_CHECKING:
    from .room import Room

HINTS = 3  # choices that a hint tells of
ACCOUNT = "hints"  # all have one account of thinking time, as if they were one match


class Hints:
    """Those of one room. Nothing of them is logged, and nobody else hears of them."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._last: dict[int, tuple[str, list[Option]]] = {}  # by seat: of which question
        self._asking = set[int]()  # the seats for which one is being thought about

    async def give(self, seat: int) -> tuple[list[Option], str]:
        """What a bot would do in the place of this seat, also in words. Who asks again is told the
        same again.

        Errors: Refused.
        """
        session, match = self.room.session, self.room.session.match
        session.check_hint(seat)
        if seat in self._asking:
            raise Refused("busy", "Another window has just asked for a hint: try again.")
        self._asking.add(seat)
        try:
            await self.room.prepare()
            session.check_hint(seat)
            question = session.question(seat)
            known, options = self._last.get(seat, ("", []))
            if known != question:
                found, _ = await self.room.services.threads.think(
                    partial(hint, match.rules, match.observation(seat)),
                    who=ACCOUNT,
                    rank=lambda: Rank.WATCHED,
                    limit=self.room.services.limits.decision,
                )
                options = list(found[:HINTS])
                self._last[seat] = (question, options)
        finally:
            self._asking.discard(seat)
        if session.question(seat) != question:
            raise Refused("stale", "The match has moved on: look again before you ask.")
        scene = match.scene(seat)
        labels = {x.action: x.label for x in scene.choices}
        rounds, last = judges_rounds(match.rules), may_end(scene)
        told = advice(
            *(options, labels, seat, match.names),
            by_rounds=rounds,
            may_end=last,
            consequences=match.rules.game.consequences,
        )
        return options, told
