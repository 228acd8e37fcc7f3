"""How a bot is asked, wherever it plays."""

from __future__ import annotations

from typing import Any, Protocol

from ..core.match import Match


class Chooser(Protocol):
    """Whatever chooses for a seat."""

    def choose(self, observation: Any) -> int:
        """The number of a legal action."""


def ask(bot: Chooser, match: Match, seat: int) -> int:
    """What a bot chooses for a seat that is to act, by the seat's observation.

    One that can `hear` is first given all that the seat was told, as `Match.events` has it.
    """
    if callable(hear := getattr(bot, "hear", None)):
        hear(match.events(seat))
    return bot.choose(match.observation(seat))
