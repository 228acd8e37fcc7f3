"""Medieval: what a search asks. Between two battles, the cards that are left say who is ahead.

What a card is worth was found by play: logistic regressions of 5,000 matches with each of our two
decks between bots of 400 simulations, on how many cards of each kind were left (90,000 battles
each). Worth grows with the third power of what a card brings to its column; a weak card is worth
less than nothing, as it is drawn in place of a better one.
"""

from __future__ import annotations

from math import tanh
from typing import Any

from ...core.rules import Row, rule
from ...core.saying import Consequence, Consequences
from .rules import COLUMNS, KINDS, Phase, Result, State, Table

WORTH = 1.4  # of cards against the number of all
WEAK = 2.5  # what a card is worth too little, if it is to help: about 1.36 times the average, cubed
ANOTHER, SAVIOR, ASSASSIN = 1.4, 1.0, 2.1  # what these bring, in cards of average value
COMPANY = 2.0  # fighters and characters that share a column with a leader
HOPE = 0.4  # that a King is there

CONSEQUENCES = Consequences(
    "after the battle",
    (
        Consequence("{n} more column{s} won", "{n} fewer column{s} won", 1.5),
        Consequence("{n} fewer column{s} lost", "{n} more column{s} lost", 1.5),
        Consequence("{n} fewer of your strong cards dead", "{n} more of your strong cards dead", 2),
        Consequence(
            "{n} more of their strong cards dead", "{n} fewer of their strong cards dead", 2
        ),
        Consequence("{n} fewer of your other cards dead", "{n} more of your other cards dead", 0.3),
        Consequence(
            "{n} more of their other cards dead", "{n} fewer of their other cards dead", 0.3
        ),
    ),
)


@rule
def consequences(t: Table, s: State, seat: int, out: Row) -> bool:
    """Before anybody places a card, or at the end: columns and Graveyards.

    Strong is a card that it is better to have than another one from the deck.
    """
    other, usual, won, lost = 1 - seat, usual_value(t), 0, 0
    for c in range(COLUMNS):
        won += 1 if s.last_result[c] == Result.A + seat else 0
        lost += 1 if s.last_result[c] == Result.A + other else 0
    out[0], out[1] = won, -lost
    for k in range(2, 6):
        out[k] = 0
    for card in range(KINDS):
        k = 2 if t.event[card] == 0 and worth(t, card, usual) > 0 else 4
        out[k] -= s.graveyard[seat, card]
        out[k + 1] += s.graveyard[other, card]
    return between_battles(s)


@rule
def between_battles(s: State) -> bool:
    """Both have drawn their hands, and nobody has placed any."""
    return s.phase == Phase.REINF and s.sealed_size[0] == 0 and s.sealed_size[1] == 0


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
def worth(t: Table, card: int, usual: float) -> float:
    """What it is worth to have a card rather than another one from the deck."""
    return worth_of(brings(t, card, usual), usual)


@rule
def worth_of(brings: float, usual: float) -> float:
    """The same of what brings so much."""
    x = brings / usual
    return x * x * x - WEAK


@rule
def ahead_by(t: Table, s: State) -> float:
    """How far A is ahead by the cards not in Graveyards, -1 .. 1.

    Events count nothing: those that go beside a column are replaced.
    """
    usual, cards, lead = usual_value(t), 0, 0.0
    for card in range(KINDS):
        a = s.stock[0, card] - s.graveyard[0, card]
        b = s.stock[1, card] - s.graveyard[1, card]
        cards += a + b
        if a != b and t.event[card] == 0:
            lead += (a - b) * worth(t, card, usual)
    return tanh(WORTH * lead / max(1, cards))


@rule
def evaluate(t: Table, s: State, out: Any) -> bool:
    """Between two battles: by the cards not in Graveyards."""
    if not between_battles(s):
        return False
    out[0] = ahead_by(t, s)
    out[1] = -out[0]
    return True
