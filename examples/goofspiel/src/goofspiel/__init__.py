"""Goofspiel for battlebox: bid your cards for prizes, one after the other."""

from battlebox.core.game import Game, LengthUnit, Mode

from . import hidden, notation, rules, scene
from .options import Options, resolve

GAME = Game(
    name="goofspiel",
    title="Goofspiel",
    about="Bid your cards for prizes: everybody in secret, then all are shown. 2 to 4 players.",
    version=1,
    options=Options,
    resolve=resolve,
    rules=rules,
    hidden=hidden,
    notation=notation,
    scenes=scene,
    length_unit=LengthUnit("round", rules.Event.TURNED),
    modes=(
        Mode("Usual", "Thirteen cards; prizes come in random order; what is tied for is lost."),
        Mode("Short", "Seven cards, for five minutes.", {"cards": 7}),
        Mode("Open", "Prizes from the highest down: no luck at all.", {"order": "descending"}),
    ),
)
