"""War Zone: attack, block, answer, and be the last one standing. 2 to 6 players."""

from ...core.game import Game
from . import hidden, notation, rules, scene
from .options import Options, kit

GAME = Game(
    name="war_zone",
    title="War Zone",
    about="Attack, block, answer, and be the last one standing. 2 to 6 players, 10 minutes.",
    version=1,
    options=Options,
    kit=kit,
    rules=rules,
    hidden=hidden,
    notation=notation,
    scenes=scene,
    people={"cycle": 2},  # WZ-66: Variant 1 is the suggested way
)
