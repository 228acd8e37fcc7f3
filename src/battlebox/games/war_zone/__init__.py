"""War Zone: attack, block, answer, and be the last one standing. 2 to 6 players, 10 minutes."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .rules import Event

TEAMS = {"teams": 2, "players": 4}

ONE_CARD = {"hand_size": 1, "start_health": 1, "starter": 0, "mulligan": 0, "cycle": 0}
TWO_TURNS = {"max_turns": 2, "lightning_hand": 1, "lightning_health": 1}

GAME = game_of(
    __name__,
    simulations=(10, 60, 200, 1_000, 10_000),  # with 20, nobody told easy from medium
    evaluations=(500, 4_000),
    length_unit=LengthUnit("turn", Event.STARTS, whose=True),
    human_defaults={"cycle": 2},  # WZ-66: Variant 1 is the suggested way
    toy={"deck": "warzone-toy", **ONE_CARD, **TWO_TURNS},
    modes=(
        Mode("Standard", "All against all; the last one standing wins."),
        Mode("Teams", "Two teams; you attack the next opponent to your left.", TEAMS),
        Mode("Speedy", "It ends with the deck: the most health wins.", {"speedy": True}),
    ),
)
