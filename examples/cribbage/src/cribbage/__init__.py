"""Cribbage: play to 31, count your hand and the crib. 2 players, 20 minutes."""

from battlebox.authoring import LengthUnit, Mode, game_of

from .rules import Event

GAME = game_of(
    __name__,
    modes=(
        Mode("To 121", "Twice round the board."),
        Mode("To 61", "Once round the board.", {"goal": 61}),
    ),
    length_unit=LengthUnit("deal", Event.DEALT),
)
