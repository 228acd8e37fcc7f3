"""Medieval: a war of columns, with a hand of sealed reinforcements in every battle. 2 players."""

from ...core.game import Game, LengthUnit, Mode
from . import hidden, insight, notation, rules, scene
from .options import Deck, Options, resolve

GAME = Game(
    name="medieval",
    title="Medieval",
    about="Three columns a battle, three sealed reinforcements. 2 players, 15 minutes.",
    version=1,
    options=Options,
    resolve=resolve,
    deck=Deck,
    rules=rules,
    hidden=hidden,
    notation=notation,
    scenes=scene,
    insight=insight,
    simulations=(12, 25, 60, 250, 10_000),  # a little does much here, and much hardly more
    length_unit=LengthUnit("battle", rules.Event.BATTLE),
    intermediate_views=scene.intermediate_views,
    modes=(
        Mode("Standard", "Win columns until the other side has no cards left."),
        Mode(
            "Court",
            "The same with the Court deck, whose cards ask for more decisions.",
            {"deck": "medieval-court"},
        ),
    ),
)
