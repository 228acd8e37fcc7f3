"""Battleball: futuristic football on a field of bricks. 2 players."""

from ...core.game import Game, LengthUnit, Mode
from . import hidden, insight, notation, rules, scene
from .options import Options, Team, resolve
from .state import Event

GAME = Game(
    name="battleball",
    title="Battleball",
    about="Run, tackle and hand off to the other end of the field. 2 players, 30 minutes.",
    version=1,
    options=Options,
    resolve=resolve,
    deck=Team,
    rules=rules,
    hidden=hidden,
    notation=notation,
    scenes=scene,
    length_unit=LengthUnit("turn", Event.TURN, whose=True),
    insight=insight,
    modes=(
        Mode("Basic", "Run, tackle, hand off; two touchdowns win."),
        Mode(
            "Advanced",
            "You may also pass; a pass may be intercepted or fall short.",
            {"advanced": True},
        ),
        Mode(
            "Team Rule play",
            "Advanced, and each coach picks a special rule for each half.",
            {"advanced": True, "team_rules": True},
        ),
    ),
)
