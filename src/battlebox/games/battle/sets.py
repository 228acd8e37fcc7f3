"""Battle: how a set may fare, by what a seat sees.

A set is beaten by more cards of one rank, or by as many of a rank as high. The hidden cards of a
hand may be any of the unseen ones, so how many of a rank are among them has a hypergeometric
distribution. Ranks and hands are taken as if they did not depend on each other.
"""

from __future__ import annotations

from ...core.rules import rule
from .hidden import hidden_cards, how_many, seen_in
from .state import COPIES, HELD, RANKS, State

SURE = 100  # percent
TENTHS = 10
EXACT = 1_000_000  # of chances that are multiplied


@rule
def look_at_hands(s: State, p: int) -> None:
    """BA-33, BA-34: few = how likely it is that none of the others holds more than so many cards of
    a rank. s.unseen is counted.
    """
    unseen = how_many(s.unseen, HELD)
    for rank in range(RANKS):
        for most in range(COPIES + 1):
            s.few[rank, most] = EXACT
    for q in range(s.seats):
        if q != p and s.living[q] > 0:
            hidden = hidden_cards(s, q)
            for rank in range(RANKS):
                hold_few(s, rank, seen_in(s, q, rank), hidden, unseen)


@rule
def hold_few(s: State, rank: int, seen: int, hidden: int, unseen: int) -> None:
    """few, of one more hand: so many cards of the rank are seen in it, so many others are hidden.

    unseen: how many cards the hidden ones may be.
    """
    for most in range(min(seen, COPIES + 1)):
        s.few[rank, most] = 0
    copies = min(s.unseen[rank], COPIES - seen)
    if copies > 0 and hidden > 0:
        chance = 0.0
        for n in range(copies):
            chance += chance_of(n, copies, hidden, unseen)
            s.few[rank, seen + n] = int(s.few[rank, seen + n] * min(1.0, chance))


@rule
def chance_of(n: int, copies: int, hidden: int, unseen: int) -> float:
    """That n of so many copies are among the hidden cards of a hand."""
    chance = 1.0
    for i in range(copies):
        if i < n:
            chance *= (copies - i) / (i + 1) * max(0, hidden - i) / (unseen - i)
        else:
            chance *= max(0, unseen - hidden - (i - n)) / (unseen - i)
    return chance


@rule
def stands(s: State, rank: int, number: int) -> int:
    """BA-33, BA-34, BA-39: how likely nobody can beat so many cards of a rank, in percent."""
    chance = 1.0
    for other in range(RANKS):
        chance *= s.few[other, number - 1 if other >= rank else number] / EXACT
    return int(SURE * chance)


@rule
def losers(s: State, p: int) -> int:
    """BA-39, BA-62: how often this player is likely to lose the lead until the hand is played out,
    in tenths. `look_at_hands` has looked.
    """
    found = 0
    for rank in range(RANKS):
        n = s.hands[p, rank]
        if n > 0:
            found += SURE - stands(s, rank, min(n, COPIES))
    return found * TENTHS // SURE
