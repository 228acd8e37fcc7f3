"""Battle: superheroes and villains, and nobody knows who is who. 4 to 10 players, 30 minutes."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .state import Event, Phase

ANY_TIME = "Action cards may be played between turns as well, by anybody."

GAME = game_of(
    __name__,
    length_unit=LengthUnit("round", Event.ROUND),
    response_windows={Event.AIMED: Phase.SV, Event.WINDOW: Phase.WI},
    realtime=True,
    simulations=(20, 80, 300, 1_000, 5_000),  # a simulation is dear here
    evaluations=(500, 2_000),  # no better than one look; but what was learned beats a search
    human_defaults={"target_points": 3},
    toy={"deck": "battle-toy", "players": 4, "dealer": 0, "rounds": 1, "max_turns": 2},
    modes=(
        Mode("Match", "Round after round, to a number of points: three, or more if you like."),
        Mode("One round", "A single round: one side wins.", {"rounds": 1}),
        Mode("Any time", ANY_TIME, {"action_timing": "windows"}),
    ),
)
