"""Iron Man Game of War: three sealed cards, three battles, the race to the fifth victory card."""

from ...core.game import Game, LengthUnit, Mode
from . import hidden, insight, notation, rules, scene
from .options import Deck, Options, resolve

GAME = Game(
    name="iron_man",
    title="Iron Man Game of War",
    about="Three sealed cards, three battles a round: outbid, bluff, concede in time. 2 players.",
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
    length_unit=LengthUnit("round", rules.Event.ROUND),
    intermediate_views=scene.intermediate_views,
    modes=(
        Mode("Advanced", "Special cards; who is behind plays on or concedes."),
        Mode("Beginner", "Power cards only: the higher card wins.", {"mode": "beginner"}),
    ),
)
