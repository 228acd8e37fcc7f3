"""Medieval: what learners are told besides which cards lie where.

The network would have to add up cards by their values before it knew who is ahead in a column; the
decks use the same kinds for other cards. So it is told totals, what cards are worth, and of each
order of the hand how likely each column is won. Values are in tenths, chances in percent.
"""

from __future__ import annotations

from ...core.rules import Record, i8, i16, move_of, n8, n16, rule
from .insight import ahead_by, brings, usual_value, worth
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
    first_unaimed,
    reinforce,
    stay,
    swap,
    weigh,
)

AIM, REINFORCE = move_of(aim).at, move_of(reinforce).at
SWAP, STAY = move_of(swap).at, move_of(stay).at
SURE = 100  # percent
TENTHS = 10
MOST = 30  # of a total: more is not told apart
DEAR = 40  # of what the cards of a column are worth
NEAR = 0.25  # totals that differ by less may be tied


class Features(Record):
    """Seats begin with the viewer."""

    totals = i16(COLUMNS, each=SEATS, high=MOST)  # of the columns as they lie; no cards: none
    stakes = i16(COLUMNS, each=SEATS, high=DEAR * TENTHS)  # what the cards in them are worth
    ahead = i8(high=SURE)  # by what is not in Graveyards
    left = n8(each=SEATS, high=CARDS)  # cards that are not in the Graveyard
    usual = n16(each=SEATS, high=MOST * TENTHS)  # what a card brings that the other does not see
    hand_brings = n16(HAND, high=MOST * TENTHS)


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """ME-33, ME-60: totals, what is at stake in each column, and who has the better cards left."""
    weigh(t, s)
    usual = usual_value(t)
    for p in range(SEATS):
        for c in range(COLUMNS):
            f.totals[p, c] = s.total[p, c] if s.total[p, c] != NO_TOTAL else 0
            f.stakes[p, c] = int(TENTHS * stake(t, s, p, c, usual))
        count_unseen(s, p)
        f.usual[p] = int(TENTHS * usual_unseen(t, s, usual))
        for card in range(KINDS):
            f.left[p] += s.stock[p, card] - s.graveyard[p, card]
    ahead = ahead_by(t, s)
    f.ahead = int(SURE * (ahead if me == 0 else -ahead))
    for i in range(HAND):
        if s.hand[me, i] > 0:
            f.hand_brings[i] = int(TENTHS * brings(t, s.hand[me, i] - 1, usual))


@rule
def stake(t: Table, s: State, p: int, c: int, usual: float) -> float:
    """ME-34: what the cards of a column are worth to their owner."""
    found = 0.0
    for i in range(s.field_size[p]):
        if s.place[p, i] == c:
            found += worth(t, s.field[p, i], usual)
    return found


@rule
def count_unseen(s: State, p: int) -> None:
    """unseen = the cards of this player that do not lie open: in the deck, in the hand, sealed."""
    for card in range(KINDS):
        s.unseen[card] = s.stock[p, card] - s.graveyard[p, card]
    for i in range(s.field_size[p]):
        s.unseen[s.field[p, i]] -= 1
    for i in range(s.survivors_size[p]):
        s.unseen[s.survivors[p, i]] -= 1


@rule
def usual_unseen(t: Table, s: State, usual: float) -> float:
    """ME-60: what one of the unseen cards brings, on average."""
    cards, found = 0, 0.0
    for card in range(KINDS):
        cards += s.unseen[card]
        found += s.unseen[card] * brings(t, card, usual)
    return found / max(1, cards)


# ---- what a choice comes to ----------------------------------------------------------------------
class CandidateFeatures(Record):
    """Of an order of the hand, a column for an event, or two columns that change places."""

    there = n8(high=1)
    wins = n8(COLUMNS, high=SURE)  # the chance that each column is won,
    columns = n16(high=COLUMNS * SURE)  # and the sum of these
    gain = i16(high=DEAR * TENTHS)  # what that is worth: cards that the others lose, less one's own
    adds = n16(COLUMNS, high=MOST * TENTHS)  # what the card brings that goes to the column


@rule
def candidate_features(t: Table, s: State, a: int, k: int, c: CandidateFeatures) -> None:
    """ME-33, H26, H27: the chance to win each column after this choice."""
    me, usual = s.to_act, usual_value(t)
    if k == 0:
        count_unseen(s, 1 - me)
    weigh(t, s)
    c.there = 1
    more = 0.0  # what is not known yet of one's own side
    if s.phase == Phase.CHOOSE_COLUMN:
        card = s.field[me, first_unaimed(s, me)]
        s.total[me, a - AIM] += t.own_column[card]
        s.total[1 - me, a - AIM] -= int(usual * 2) * t.trap[card]
        more = usual
    elif s.phase == Phase.SWAP and a != STAY:
        one, two = t.pair[a - SWAP, 0], t.pair[a - SWAP, 1]
        s.total[me, one], s.total[me, two] = s.total[me, two], s.total[me, one]
    gain = 0.0
    for column in range(COLUMNS):
        mine, own = more, stake(t, s, me, column, usual)
        if s.total[me, column] != NO_TOTAL:
            mine += s.total[me, column]
        if s.phase == Phase.REINF:
            card = placed(t, s, me, a - REINFORCE, column)
            if card >= 0:
                added = adds(t, s, me, card, column, usual)
                c.adds[column] = int(TENTHS * max(0.0, added))
                mine += added
                own += worth(t, card, usual)
        chance = chance_to_win(t, s, 1 - me, column, mine, usual)
        c.wins[column] = int(SURE * chance)
        c.columns += c.wins[column]
        gain += chance * stake(t, s, 1 - me, column, usual) - (1 - chance) * own
    c.gain = int(TENTHS * gain)


@rule
def placed(t: Table, s: State, p: int, order: int, column: int) -> int:
    """ME-16: the kind of the card that this order puts at the column, or -1."""
    for i in range(HAND):
        if t.column[order, i] == column:
            return s.hand[p, i] - 1
    return -1


@rule
def adds(t: Table, s: State, p: int, card: int, column: int, usual: float) -> float:
    """ME-28, ME-61: what a card brings to this column, whose leaders lead it, too."""
    if t.event[card] > 0:
        return 0.0
    found = brings(t, card, usual) + s.lead[p, column] + s.king[p] * t.king_bonus[card]
    return found + t.column_bonus[card] * (s.ranks[p, column] - 2)


@rule
def chance_to_win(t: Table, s: State, other: int, column: int, mine: float, usual: float) -> float:
    """ME-33: against what lies there and, before it is turned up, one more card: the one that lies
    openly, or any that is unseen.
    """
    theirs = 0.0
    if s.total[other, column] != NO_TOTAL:
        theirs += s.total[other, column]
    if s.phase == Phase.SWAP:
        return better(mine - theirs)
    if s.sealed[other, column] > 0:
        return better(mine - theirs - adds(t, s, other, s.sealed[other, column] - 1, column, usual))
    cards, found = 0, 0.0
    for card in range(KINDS):
        n = s.unseen[card]
        if n > 0:
            cards += n
            found += n * better(mine - theirs - adds(t, s, other, card, column, usual))
    return found / cards if cards > 0 else better(mine - theirs)


@rule
def better(by: float) -> float:
    """1 for more, a half for about as much."""
    return 1.0 if by > NEAR else 0.5 if by > -NEAR else 0.0
