"""Goofspiel: bid your cards for prizes, all at once. 2 to 4 players, 5 minutes."""

from battlebox.authoring import LengthUnit, Mode, game_of

from .rules import Event

GAME = game_of(
    __name__,
    modes=(
        Mode("Thirteen", "Thirteen prizes come up in an order that nobody knows."),
        Mode("Five, in the open", "Five prizes, the highest first.", {"cards": 5, "order": "down"}),
    ),
    length_unit=LengthUnit("round", Event.TURNED),
)
