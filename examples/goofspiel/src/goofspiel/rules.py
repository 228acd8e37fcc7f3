"""The rules of Goofspiel. Read it beside README.md, which says what each rule id means.

A round: a prize comes up, all bid a card in secret, the highest bid takes the prize.
"""

from __future__ import annotations

from battlebox.authoring import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    counts,
    event,
    move,
    n8,
    own,
    pile,
    public,
    rule,
    secret,
    shuffle,
    slot,
    tell,
)

SEATS = 4  # at most
CARDS = 13  # at most
NOBODY = SEATS  # the highest bidder of a tie


class Phase(IntEnum):
    """What is decided. `BID` is asked of all, one after the other."""

    DEAL = 0
    BID = 1
    OVER = 2


class Order(IntEnum):
    """GO-2: in which the prizes come up."""

    RANDOM = 0
    DOWN = 1
    UP = 2


class Card(Domain, n=CARDS, first=1, own_deck=True):
    """A card to bid, by its rank. Everybody has their own."""


class Prize(Domain, n=CARDS, first=1):
    """A prize, by what it is worth."""


class Event(Events):
    """What players are told."""

    TURNED = event("seat", "prize", reveals=True)
    SEALED = event("seat", "card", own=("card",))
    BID = event("seat", "card", reveals=True)
    TOOK = event("seat", "points")
    TIED = event("seat", "points")


class Table(Record):
    """The numbers of a ruleset: its options."""

    cards = n8()
    order = n8()  # Order
    ties = n8()  # 1: the prize waits for the next round


class State(StateRecord):
    """The whole truth."""

    hand = own(counts(Card, each=SEATS))
    hand_size = public(n8(each=SEATS, high=CARDS))
    bid = own(slot(Card, each=SEATS))  # 1 + the card that is put down, 0: none
    spent = public(counts(Card, each=SEATS))
    to_come = secret(pile(Prize, CARDS))  # its last one comes up next
    to_come_size = public(n8(high=CARDS))
    offer = public(pile(Prize, CARDS))  # what is bid for
    offer_size = public(n8(high=CARDS))
    taken = public(counts(Prize, each=SEATS))
    lost = public(counts(Prize))
    points = public(n8(each=SEATS, high=100))


@rule
def advance(t: Table, s: State) -> None:
    """GO-1, GO-2: deals the cards and lays out the prizes."""
    if s.phase == Phase.DEAL:
        for p in range(s.seats):
            for card in range(t.cards):
                s.hand[p, card] = 1
            s.hand_size[p] = t.cards
        for i in range(t.cards):
            s.to_come[i] = t.cards - 1 - i if t.order == Order.UP else i
        if t.order == Order.RANDOM:
            shuffle(s, s.to_come, t.cards)
        s.to_come_size = t.cards
        turn_up(s)


@rule
def turn_up(s: State) -> None:
    """GO-3: the next prize comes up, and all bid for it."""
    s.to_come_size -= 1
    prize = s.to_come[s.to_come_size]
    s.offer[s.offer_size] = prize
    s.offer_size += 1
    tell(s, Event.TURNED, 0, prize)
    s.phase, s.to_act = Phase.BID, 0


@move(Phase.BID)
def bid(t: Table, s: State, card: Card) -> None:
    """GO-3: you put down a card that nobody sees before all have."""
    p = s.to_act
    s.hand[p, card] -= 1
    s.hand_size[p] -= 1
    s.bid[p] = 1 + card
    tell(s, Event.SEALED, p, card)
    if p + 1 < s.seats:
        s.to_act = p + 1
    else:
        settle(t, s)


@allow(bid)
def may_bid(t: Table, s: State, card: Card) -> bool:
    """GO-3: one that you have not yet bid."""
    return s.hand[s.to_act, card] > 0


@rule
def settle(t: Table, s: State) -> None:
    """GO-4, GO-5, GO-6: the bids are shown; who gets the prize; the next one, or the end."""
    winner = highest(s)
    for p in range(s.seats):
        card = s.bid[p] - 1
        s.spent[p, card] += 1
        s.bid[p] = 0
        tell(s, Event.BID, p, card)
    worth = 0
    for i in range(s.offer_size):
        worth += 1 + s.offer[i]
    if winner != NOBODY:
        s.points[winner] += worth
        tell(s, Event.TOOK, winner, worth)
    else:
        tell(s, Event.TIED, 0, worth)
    if winner != NOBODY or t.ties == 0:
        clear(s, winner)
    if s.to_come_size > 0:
        turn_up(s)
    else:
        clear(s, NOBODY)
        s.phase, s.to_act = Phase.OVER, 0


@rule
def highest(s: State) -> int:
    """GO-4, GO-5: who bid the most, or NOBODY if several did."""
    best, winner = 0, NOBODY
    for p in range(s.seats):
        if s.bid[p] > best:
            best, winner = s.bid[p], p
        elif s.bid[p] == best:
            winner = NOBODY
    return winner


@rule
def clear(s: State, winner: int) -> None:
    """GO-4, GO-5: what was on offer goes to the winner, or to nobody."""
    for i in range(s.offer_size):
        if winner == NOBODY:
            s.lost[s.offer[i]] += 1
        else:
            s.taken[winner, s.offer[i]] += 1
    s.offer_size = 0


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """GO-7: the most points win; 0 for all if everybody has as many."""
    best, winners = 0, 0
    for p in range(s.seats):
        best = max(best, s.points[p])
    for p in range(s.seats):
        winners += 1 if s.points[p] == best else 0
    for p in range(s.seats):
        out[p] = 0 if winners == s.seats else 1 if s.points[p] == best else -1
