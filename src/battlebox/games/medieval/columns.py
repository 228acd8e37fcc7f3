"""Medieval: how a column may end, by what a seat sees of it.

One more card comes to each side before a column is compared. The other's may be any that is not
seen, so a card of one's own is set against each of them: who wins, with traps, leaders and
Assassins, and which cards die. What a card brings by calling for another is averaged over the cards
that may come; that those may call again, and that ties are broken by cards of the decks, is told as
an average. Chances are in percent, what cards are worth in tenths (insight.py).
"""

from __future__ import annotations

from typing import Any

from ...core.rules import rule
from .insight import ANOTHER, ASSASSIN, worth, worth_of
from .rules import (
    BESIDE,
    COLUMNS,
    HAND,
    KINDS,
    NO_TOTAL,
    NOTHING,
    SEATS,
    Phase,
    State,
    Table,
    first_unaimed,
    weigh,
)

SURE = 100  # percent
TENTHS = 10
NEAR = 0.25  # totals that differ by less may be tied
SAVES = 1.5  # a guess: what a Bishop is worth who dies for the column


# ---- what lies there -----------------------------------------------------------------------------
@rule
def look_at_columns(t: Table, s: State, usual: float) -> None:
    """ME-60, ME-67, H29, H30: totals, what is at stake, and what traps, Assassins, Bishops do."""
    weigh(t, s)
    for p in range(SEATS):
        for c in range(COLUMNS):
            s.prey[p, c], s.caught[p, c], s.knives[p, c], s.saving[p, c] = 0, 0, 0, 0
            s.at_stake[p, c] = int(TENTHS * stake(t, s, p, c, usual))
        for i in range(s.field_size[p]):
            card, c = s.field[p, i], s.place[p, i]
            if c < COLUMNS:
                s.knives[p, c] += t.assassin[card]
                s.saving[p, c] += t.savior[card]
                s.prey[p, c] = max(s.prey[p, c], t.value[card] * t.fighter[card])
                s.caught[p, c] = max(s.caught[p, c], t.value[card])


@rule
def stake(t: Table, s: State, p: int, c: int, usual: float) -> float:
    """ME-34: what the cards of a column are worth to their owner."""
    found = 0.0
    for i in range(s.field_size[p]):
        if s.place[p, i] == c:
            found += worth_alive(t, s.field[p, i], usual)
    return found


@rule
def worth_alive(t: Table, card: int, usual: float) -> float:
    """ME-34: what it is worth that a card lives. Events count nothing: they are replaced."""
    return 0.0 if t.event[card] > 0 else worth(t, card, usual)


@rule
def aim_at(t: Table, s: State, me: int, column: int) -> None:
    """ME-66, ME-67, H26: the columns as if the event that waits lay beside this one."""
    card, other = s.field[me, first_unaimed(s, me)], 1 - me
    s.total[me, column] += t.own_column[card]
    if t.trap[card] > 0 and s.total[other, column] != NO_TOTAL:
        s.total[other, column] -= s.caught[other, column]
        s.traps[other, column] += 1


@rule
def exchange_columns(t: Table, s: State, me: int, one: int, two: int) -> None:
    """H27: the columns as if two had changed places; what lies beside them stays."""
    change_places(s.total, me, one, two)
    change_places(s.at_stake, me, one, two)
    change_places(s.prey, me, one, two)
    change_places(s.knives, me, one, two)
    change_places(s.saving, me, one, two)
    change_places(s.lead, me, one, two)
    for i in range(s.field_size[me]):
        place, n = s.place[me, i], t.own_column[s.field[me, i]]
        if place == BESIDE + one:
            s.total[me, one] += n
            s.total[me, two] -= n
        elif place == BESIDE + two:
            s.total[me, two] += n
            s.total[me, one] -= n


@rule
def change_places(what: Any, me: int, one: int, two: int) -> None:
    """H27: in one respect."""
    what[me, one], what[me, two] = what[me, two], what[me, one]


# ---- what comes there ----------------------------------------------------------------------------
@rule
def meet_by_hand(t: Table, s: State, me: int, usual: float) -> None:
    """ME-16: each column with each card of the hand, and without one."""
    for i in range(HAND + 1):
        for c in range(COLUMNS):
            meet(t, s, me, c, i, usual)


@rule
def meet(t: Table, s: State, me: int, c: int, i: int, usual: float) -> None:
    """ME-33, ME-34, H28: hopes, spoils = how likely a column is won, and what that brings, with
    card i of the hand; HAND: with none. Before all is turned up, the other side has one more card:
    the one that lies openly, or any that may come.
    """
    other, mine = 1 - me, NOTHING
    if i < HAND and s.hand[me, i] > 0:
        mine = s.hand[me, i] - 1
    cards, won, gained = 0, 0.0, 0.0
    if s.phase != Phase.SWAP and not lies_openly(s, other, c):
        for theirs in range(KINDS):
            n = s.unseen[other, theirs]
            if n > 0:
                chance = win(t, s, me, c, mine, theirs, usual)
                cards += n
                won += n * chance
                gained += n * gain(t, s, me, c, mine, theirs, chance, usual)
    if cards == 0:
        theirs = s.sealed[other, c] - 1 if lies_openly(s, other, c) else NOTHING
        won, cards = win(t, s, me, c, mine, theirs, usual), 1
        gained = gain(t, s, me, c, mine, theirs, won, usual)
    s.hopes[i, c], s.spoils[i, c] = int(SURE * won / cards), int(TENTHS * gained / cards)


@rule
def lies_openly(s: State, p: int, c: int) -> bool:
    """H28: the viewer sees the reinforcement of this column."""
    return s.sealed[p, c] > 0


@rule
def win(t: Table, s: State, me: int, c: int, mine: int, theirs: int, usual: float) -> float:
    """ME-20, ME-33, H10: how likely a column is won when these two cards come to it."""
    other = 1 - me
    if s.total[me, c] == NO_TOTAL and mine == NOTHING and not calls(t, s, mine):
        return 0.0
    if s.total[other, c] == NO_TOTAL and theirs == NOTHING:
        return 1.0
    by = total(t, s, me, c, mine, theirs) - total(t, s, other, c, theirs, mine)
    they_call = theirs != NOTHING and calls(t, s, theirs)
    if calls(t, s, mine):
        return called(t, s, me, c, by - usual if they_call else by, 1, usual)
    return called(t, s, other, c, by, -1, usual) if they_call else better(by)


@rule
def calls(t: Table, s: State, card: int) -> bool:
    """ME-20, H26: one more card comes, which is not known. Who aims has not drawn a hand yet."""
    if card == NOTHING:
        return s.phase == Phase.CHOOSE_COLUMN
    return t.another[card] > 0


@rule
def called(t: Table, s: State, p: int, c: int, by: float, sign: int, usual: float) -> float:
    """ME-20: how likely a column is won if one more card comes to player p, who gains by it (sign
    1), or loses (-1).
    """
    cards, found = 0, 0.0
    for card in range(KINDS):
        n = s.unseen[p, card]
        if n > 0:
            cards += n
            found += n * better(by + sign * adds(t, s, p, card, c, usual))
    return found / cards if cards > 0 else better(by)


@rule
def total(t: Table, s: State, p: int, c: int, card: int, enemy: int) -> float:
    """ME-60, ME-67, H29: of a side of a column when these two cards have come to it."""
    found, prey, knives = 0.0, s.prey[p, c], s.knives[1 - p, c]
    if s.total[p, c] != NO_TOTAL:
        found += s.total[p, c]
    if card != NOTHING and t.event[card] == 0:
        found += t.value[card] + led(t, s, p, card, c)
        if s.traps[p, c] > 0:
            found -= max(0, t.value[card] - s.caught[p, c])
        prey = max(prey, t.value[card] * t.fighter[card])
    if enemy != NOTHING:
        knives += t.assassin[enemy]
    if knives > 0 and prey > 0:
        found -= prey + s.lead[p, c]
    return found


@rule
def led(t: Table, s: State, p: int, card: int, c: int) -> int:
    """ME-28, ME-61..63: what a card brings besides its value: by the leaders of the column, or as
    one.
    """
    return s.lead[p, c] + s.king[p] * t.king_bonus[card] + t.column_bonus[card] * s.ranks[p, c]


@rule
def adds(t: Table, s: State, p: int, card: int, c: int, usual: float) -> float:
    """ME-20, ME-28, H29: what a card brings to a column, one way or another."""
    if t.event[card] > 0:
        return 0.0
    more = ANOTHER * t.another[card] + ASSASSIN * t.assassin[card]
    return t.value[card] + more * usual + led(t, s, p, card, c)


@rule
def better(by: float) -> float:
    """1 for more, a half for about as much."""
    return 1.0 if by > NEAR else 0.5 if by > -NEAR else 0.0


# ---- who dies ------------------------------------------------------------------------------------
@rule
def gain(
    t: Table, s: State, me: int, c: int, mine: int, theirs: int, chance: float, usual: float
) -> float:
    """ME-34, H29: the cards that the enemy loses in a column, less one's own, by what they are
    worth. Whom an Assassin kills is lost in any case.
    """
    other, lose = 1 - me, 1 - chance
    found = chance * dies(t, s, other, c, theirs, usual) - lose * dies(t, s, me, c, mine, usual)
    found += lose * killed(t, s, me, c, mine, theirs, usual)
    return found - chance * killed(t, s, other, c, theirs, mine, usual)


@rule
def dies(t: Table, s: State, p: int, c: int, card: int, usual: float) -> float:
    """ME-34, H30: what a lost column costs its owner."""
    if s.saving[p, c] > 0 or (card != NOTHING and t.savior[card] > 0):
        return SAVES
    found = s.at_stake[p, c] / TENTHS
    return found + worth_alive(t, card, usual) if card != NOTHING else found


@rule
def killed(t: Table, s: State, p: int, c: int, card: int, enemy: int, usual: float) -> float:
    """H29: what the fighter is worth that an Assassin of player p kills in a column, if any."""
    knives, prey = s.knives[p, c], s.prey[1 - p, c]
    if card != NOTHING:
        knives += t.assassin[card]
    if enemy != NOTHING:
        prey = max(prey, t.value[enemy] * t.fighter[enemy])
    return worth_of(prey, usual) if knives > 0 and prey > 0 else 0.0
