"""Battle: hidden sides, sets of cards, and who plays an identity first. 4 to 10 players."""

from ...core.game import Game, LengthUnit, Mode
from . import hidden, insight, notation, rules, scene
from .options import Deck, Options, resolve
from .state import Event, Phase

GAME = Game(
    name="battle",
    title="Battle",
    about="Superheroes and villains, and nobody knows who is who. 4 to 10 players, 30 minutes.",
    version=1,
    options=Options,
    resolve=resolve,
    deck=Deck,
    rules=rules,
    hidden=hidden,
    notation=notation,
    scenes=scene,
    length_unit=LengthUnit("round", Event.ROUND),
    intermediate_views=scene.intermediate_views,
    response_windows={Event.AIMED: Phase.SV, Event.WINDOW: Phase.WI},
    realtime=True,
    insight=insight,
    simulations=(20, 80, 300, 1_000, 5_000),  # a simulation is dear here
    human_defaults={"target_points": 3},
    modes=(
        Mode("Match", "Round after round, to a number of points: three, or more if you like."),
        Mode("One round", "A single round: one side wins.", {"rounds": 1}),
        Mode(
            "Any time",
            "Action cards may be played between turns as well, by anybody.",
            {"action_timing": "windows"},
        ),
    ),
)
