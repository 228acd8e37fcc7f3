"""Medieval: what a search asks. Between two battles, the cards that are left say who is ahead.

What a card is worth was found by play: logistic regressions of 5,000 matches with each of our two
decks between bots of 400 simulations, on how many cards of each kind were left (90,000 battles
each). Worth grows with the third power of what a card brings to its column; a weak card is worth
less than nothing, as it is drawn in place of a better one.
"""

from __future__ import annotations

from math import tanh
from typing import Any

from ...core.rules import rule
from .rules import KINDS, Phase, State, Table

WORTH = 1.4  # of cards against the number of all
WEAK = 2.5  # what a card is worth too little, if it is to help: about 1.36 times the average, cubed
ANOTHER, SAVIOR, ASSASSIN = 1.4, 1.0, 2.1  # what these bring, in cards of average value
COMPANY = 2.0  # fighters and characters that share a column with a leader
HOPE = 0.4  # that a King is there


@rule
def usual_value(t: Table) -> float:
    """The average value of the cards of a deck that are no events; 1 of a deck without any."""
    cards, value = 0, 0
    for card in range(KINDS):
        if t.event[card] == 0:
            cards += t.copies[card]
            value += t.copies[card] * t.value[card]
    return value / cards if value > 0 else 1.0


@rule
def brings(t: Table, card: int, usual: float) -> float:
    """What a card brings to its column, one way or another."""
    more = ANOTHER * t.another[card] + SAVIOR * t.savior[card] + ASSASSIN * t.assassin[card]
    led = COMPANY * t.column_bonus[card] + HOPE * t.king_bonus[card]
    return t.value[card] + more * usual + led


@rule
def evaluate(t: Table, s: State, out: Any) -> bool:
    """When both have drawn their hands and nobody has placed any: by the cards not in Graveyards.

    Events count nothing: those that go beside a column are replaced.
    """
    if s.phase != Phase.REINF or s.sealed_size[0] > 0 or s.sealed_size[1] > 0:
        return False
    usual, cards, lead = usual_value(t), 0, 0.0
    for card in range(KINDS):
        a = s.stock[0, card] - s.graveyard[0, card]
        b = s.stock[1, card] - s.graveyard[1, card]
        cards += a + b
        if a != b and t.event[card] == 0:
            x = brings(t, card, usual) / usual
            lead += (a - b) * (x * x * x - WEAK)
    out[0] = tanh(WORTH * lead / cards)
    out[1] = -out[0]
    return True
