"""Battleball: run, tackle and hand off to the other end of the field. 2 players, 30 minutes."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .options import Team
from .state import Event

ADVANCED = "You may also pass; a pass may be intercepted or fall short."
ONE_PIECE = {"team_size": 1, "rows": 5, "cols": 3, "starter": 0, "allow_agreed_halt": False}
ONE_TURN = {"touchdowns": 1, "max_restarts": 1, "max_plies": 1}
TEAM_RULES = "Advanced, and each coach picks a special rule for each half."

GAME = game_of(
    __name__,
    deck=Team,
    length_unit=LengthUnit("turn", Event.TURN, whose=True),
    simulations=(20, 60, 200, 3_000, 10_000),  # with 1,000, expert won 48 % against quick
    searches_by_policy=True,
    toy={"deck": "battleball-toy", **ONE_PIECE, **ONE_TURN},
    modes=(
        Mode("Basic", "Run, tackle, hand off; two touchdowns win."),
        Mode("Advanced", ADVANCED, {"advanced": True}),
        Mode("Team Rule play", TEAM_RULES, {"advanced": True, "team_rules": True}),
    ),
)
