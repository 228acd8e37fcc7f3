"""Battleball: run, tackle and hand off to the other end of the field. 2 players, 30 minutes."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .options import Team
from .state import Event

ADVANCED = "You may also pass; a pass may be intercepted or fall short."
TEAM_RULES = "Advanced, and each coach picks a special rule for each half."

GAME = game_of(
    __name__,
    deck=Team,
    length_unit=LengthUnit("turn", Event.TURN, whose=True),
    modes=(
        Mode("Basic", "Run, tackle, hand off; two touchdowns win."),
        Mode("Advanced", ADVANCED, {"advanced": True}),
        Mode("Team Rule play", TEAM_RULES, {"advanced": True, "team_rules": True}),
    ),
)
