"""Iron Man Game of War: three sealed cards, three battles, the race to the fifth victory card."""

from ...core.assembly import game_of
from ...core.game import LengthUnit, Mode
from .rules import Event

CARDS = {"deck": "ironman-toy", "mode": "beginner"}
TOY = {**CARDS, "round_win": "more_wins", "track_length": 2, "max_rounds": 1, "max_plays": 1}

GAME = game_of(
    __name__,
    about="Three sealed cards, three battles a round: outbid, bluff, concede in time. 2 players.",
    simulations=(12, 25, 60, 250, 10_000),  # a little does much here, and much hardly more
    evaluations=(300, 2_000),
    length_unit=LengthUnit("round", Event.ROUND),
    toy=TOY,
    modes=(
        Mode("Advanced", "Special cards; who is behind plays on or concedes."),
        Mode("Beginner", "Power cards only: the higher card wins.", {"mode": "beginner"}),
    ),
)
