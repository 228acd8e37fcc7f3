"""Medieval: what learners are told besides which cards lie where.

The network would have to add up cards by their values before it knew who is ahead in a column; the
decks use the same kinds for other cards. So it is told totals, what cards are worth, and of each
choice how likely each column is won by it and what that brings (columns.py). Values are in tenths,
chances in percent.
"""

from __future__ import annotations

from ...core.rules import Record, i8, i16, move_of, n8, n16, rule
from .columns import (
    SURE,
    TENTHS,
    adds,
    aim_at,
    exchange_columns,
    look_at_columns,
    meet,
    meet_by_hand,
)
from .hidden import count_unseen
from .insight import ahead_by, brings, usual_value
from .rules import (
    CARDS,
    COLUMNS,
    HAND,
    KINDS,
    NO_TOTAL,
    SEATS,
    Phase,
    State,
    Table,
    aim,
    reinforce,
    stay,
    swap,
)

AIM, REINFORCE = move_of(aim).at, move_of(reinforce).at
SWAP, STAY = move_of(swap).at, move_of(stay).at
MOST = 30  # of a total: more is not told apart
DEAR = 40  # of what the cards of a column are worth


class Features(Record):
    """Seats begin with the viewer."""

    totals = i16(COLUMNS, each=SEATS, high=MOST)  # of the columns as they lie; no cards: none
    stakes = i16(COLUMNS, each=SEATS, high=DEAR * TENTHS)  # what the cards in them are worth
    ahead = i8(high=SURE)  # by what is not in Graveyards
    left = n8(each=SEATS, high=CARDS)  # cards that are not in the Graveyard
    usual = n16(each=SEATS, high=MOST * TENTHS)  # what a card brings that the viewer does not see
    hand_brings = n16(HAND, high=MOST * TENTHS)


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """ME-33, ME-60: totals, what is at stake in each column, and who has the better cards left."""
    usual = usual_value(t)
    look_at_columns(t, s, usual)
    for p in range(SEATS):
        for c in range(COLUMNS):
            f.totals[p, c] = s.total[p, c] if s.total[p, c] != NO_TOTAL else 0
            f.stakes[p, c] = s.at_stake[p, c]
        count_unseen(s, p)
        f.usual[p] = int(TENTHS * usual_coming(t, s, p, usual))
        for card in range(KINDS):
            f.left[p] += s.stock[p, card] - s.graveyard[p, card]
    ahead = ahead_by(t, s)
    f.ahead = int(SURE * (ahead if me == 0 else -ahead))
    for i in range(HAND):
        if s.hand[me, i] > 0:
            f.hand_brings[i] = int(TENTHS * brings(t, s.hand[me, i] - 1, usual))


@rule
def usual_coming(t: Table, s: State, p: int, usual: float) -> float:
    """ME-60: what one of the cards that may come brings, on average."""
    cards, found = 0, 0.0
    for card in range(KINDS):
        cards += s.unseen[p, card]
        found += s.unseen[p, card] * brings(t, card, usual)
    return found / max(1, cards)


# ---- what a choice comes to ----------------------------------------------------------------------
class CandidateFeatures(Record):
    """Of an order of the hand, a column for an event, or two columns that change places."""

    there = n8(high=1)
    wins = n8(COLUMNS, high=SURE)  # the chance that each column is won,
    columns = n16(high=COLUMNS * SURE)  # and the sum of these
    gains = i16(COLUMNS, high=DEAR * TENTHS)  # what each column brings: cards that the others lose,
    gain = i16(high=DEAR * TENTHS)  # less one's own; and the sum of these
    adds = n16(COLUMNS, high=MOST * TENTHS)  # what the card brings that goes to the column


@rule
def candidate_features(t: Table, s: State, a: int, k: int, c: CandidateFeatures) -> None:
    """ME-16, ME-33, H26, H27: the chance to win each column after this choice, and what it brings.

    Cards of a hand meet what may come once, when the first order is told of.
    """
    me, usual = s.to_act, usual_value(t)
    if k == 0:
        for p in range(SEATS):
            count_unseen(s, p)
    if k == 0 or s.phase != Phase.REINF:
        look_at_columns(t, s, usual)
    c.there = 1
    if s.phase == Phase.REINF and k == 0:
        meet_by_hand(t, s, me, usual)
    elif s.phase == Phase.CHOOSE_COLUMN:
        aim_at(t, s, me, a - AIM)
    elif s.phase == Phase.SWAP and a != STAY:
        exchange_columns(t, s, me, t.pair[a - SWAP, 0], t.pair[a - SWAP, 1])
    for column in range(COLUMNS):
        i = HAND  # no card of the hand
        if s.phase == Phase.REINF:
            i = placed(t, s, me, a - REINFORCE, column)
        else:
            meet(t, s, me, column, i, usual)
        if i < HAND:
            card = s.hand[me, i] - 1
            c.adds[column] = int(TENTHS * max(0.0, adds(t, s, me, card, column, usual)))
        c.wins[column], c.gains[column] = s.hopes[i, column], s.spoils[i, column]
        c.columns += c.wins[column]
        c.gain += c.gains[column]


@rule
def placed(t: Table, s: State, p: int, order: int, column: int) -> int:
    """ME-16: which card of the hand this order puts at the column; HAND: none."""
    for i in range(HAND):
        if t.column[order, i] == column and s.hand[p, i] > 0:
            return i
    return HAND
