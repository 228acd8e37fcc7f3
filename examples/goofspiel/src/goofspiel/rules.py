"""The rules of Goofspiel. Read it beside README.md, which says what each id means.

A round: a prize card is turned up, everybody bids one of their cards in secret, and the highest bid
takes the prize.
"""

from __future__ import annotations

from battlebox.core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    event,
    move,
    n8,
    n16,
    own,
    public,
    rule,
    scratch,
    secret,
    shuffle,
    tell,
)

SEATS = 4
CARDS = 13  # the most; a card is its value less 1
NOBODY = SEATS


class Phase(IntEnum):
    """What is decided. `START` and `TURN` ask nobody: the rules run on through them."""

    START = 0
    TURN = 1
    BID = 2
    OVER = 3


class Order(IntEnum):
    """The order in which prizes are turned up."""

    RANDOM = 0
    DESCENDING = 1
    ASCENDING = 2


class Event(Events):
    """What players are told. What is of nobody is told of seat 0."""

    TURNED = event("seat", "prize", "stake", reveals=True)
    BID = event("seat", "card", own=("card",))
    SHOWN = event("seat", "card", reveals=True)
    TOOK = event("seat", "stake", "points")
    LOST = event("seat", "stake")
    CARRIED = event("seat", "stake")
    WON = event("seat", "points")
    DRAWN = event("seat", "points")


class Card(Domain, n=CARDS):
    """A card to bid."""


class Table(Record):
    """The numbers of a ruleset (README.md, Options)."""

    cards = n8()
    order = n8()  # Order
    carries = n8()  # 1: what is tied for joins the next prize


class State(StateRecord):
    """The whole truth."""

    hands = public(n8(SEATS, CARDS))  # 1: not shown yet; so a card that is bid counts
    bids = own(n8(SEATS))  # 1 + the card bid in this round, 0: none
    shown = public(n8(SEATS))  # 1 + the card bid in the round before, 0: none
    deck = secret(n8(CARDS))  # prizes to come; the next one is deck[deck_size - 1]
    deck_size = public(n8())
    seen = public(n8(CARDS))  # 1: this prize has been turned up
    prize = public(n8())  # the prize that is turned up
    stake = public(n16())  # what the highest bid takes: the prize, and what was tied for before
    points = public(n16(SEATS))
    heap = scratch(n8(CARDS))


# ---- a round -------------------------------------------------------------------------------------
@rule
def run_on(t: Table, s: State) -> None:
    """GO-3, GO-4, GO-11: deals, then turns up prizes until somebody is asked or all are gone."""
    if s.phase == Phase.START:
        for p in range(s.seats):
            for card in range(t.cards):
                s.hands[p, card] = 1
        lay_deck(t, s)
        s.phase = Phase.TURN
    while s.phase == Phase.TURN:
        if s.deck_size == 0:
            end(s)
        else:
            turn_up(s)
            if s.deck_size == 0:
                bid_last_cards(t, s)


@rule
def lay_deck(t: Table, s: State) -> None:
    """GO-3: all prizes that nobody has seen, in the order of the ruleset."""
    n = 0
    for i in range(t.cards):
        card = t.cards - 1 - i if t.order == Order.ASCENDING else i
        if s.seen[card] == 0:
            s.deck[n] = card
            n += 1
    s.deck_size = n
    if t.order == Order.RANDOM:
        shuffle(s, s.deck, n)


@rule
def turn_up(s: State) -> None:
    """GO-4, GO-9: the next prize; what is left of the round before is added to it."""
    s.deck_size -= 1
    s.prize = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    s.seen[s.prize] = 1
    s.stake += 1 + s.prize
    tell(s, Event.TURNED, 0, s.prize, s.stake)
    s.phase, s.to_act = Phase.BID, 0


@move(Phase.BID)
def bid(t: Table, s: State, card: Card) -> None:
    """GO-5, GO-6: bid a card; all bids are shown when everybody has chosen."""
    put_down(s, s.to_act, card)
    if s.to_act + 1 < s.seats:
        s.to_act += 1
    else:
        award(t, s)
        run_on(t, s)


@allow(bid)
def may_bid(t: Table, s: State, card: Card) -> bool:
    """GO-5: any card that you still have."""
    return s.hands[s.to_act, card] > 0


@rule
def put_down(s: State, p: int, card: int) -> None:
    """GO-6: nobody else sees the card yet."""
    s.bids[p] = 1 + card
    tell(s, Event.BID, p, card)


@rule
def bid_last_cards(t: Table, s: State) -> None:
    """GO-10: nobody is asked about their last card."""
    for p in range(s.seats):
        for card in range(t.cards):
            if s.hands[p, card] > 0:
                put_down(s, p, card)
    award(t, s)


@rule
def award(t: Table, s: State) -> None:
    """GO-7..9: all bids are shown, and the highest takes what is at stake."""
    for p in range(s.seats):
        s.shown[p] = s.bids[p]
        s.bids[p] = 0
        s.hands[p, s.shown[p] - 1] = 0
        tell(s, Event.SHOWN, p, s.shown[p] - 1)
    winner = highest_bidder(s)
    if winner != NOBODY:
        s.points[winner] += s.stake
        tell(s, Event.TOOK, winner, s.stake, s.points[winner])
        s.stake = 0
    elif t.carries > 0 and s.deck_size > 0:
        tell(s, Event.CARRIED, 0, s.stake)
    else:
        tell(s, Event.LOST, 0, s.stake)
        s.stake = 0
    s.phase = Phase.TURN


@rule
def highest_bidder(s: State) -> int:
    """GO-7, GO-8: who has bid more than everybody else; NOBODY if the highest bids are equal."""
    best, winner = 0, NOBODY
    for p in range(s.seats):
        if s.shown[p] > best:
            best, winner = s.shown[p], p
        elif s.shown[p] == best:
            winner = NOBODY
    return winner


# ---- the end -------------------------------------------------------------------------------------
@rule
def end(s: State) -> None:
    """GO-11: the match is over."""
    s.phase = Phase.OVER
    event = Event.WON if count_winners(s) == 1 else Event.DRAWN
    for p in range(s.seats):
        if s.points[p] == most_points(s):
            tell(s, event, p, s.points[p])


@rule
def most_points(s: State) -> int:
    """GO-11: the most points that anybody has."""
    most = 0
    for p in range(s.seats):
        most = max(most, s.points[p])
    return most


@rule
def count_winners(s: State) -> int:
    """GO-11: how many have the most points."""
    n = 0
    for p in range(s.seats):
        if s.points[p] == most_points(s):
            n += 1
    return n


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """GO-12: +1 for the winner, -1 for the others; 0 for those who share the most points."""
    for p in range(s.seats):
        out[p] = -1 if s.points[p] < most_points(s) else 1 if count_winners(s) == 1 else 0


@rule
def limit(t: Table, seats: int) -> int:
    """GO-10: everybody bids in every round but the last."""
    return seats * (t.cards - 1)


@rule
def census(s: State, count: Row) -> None:
    """Prizes by value, turned up or not; for each seat its cards, and the rounds it has bid in."""
    rounds = -1 if s.phase == Phase.BID else 0
    for card in range(CARDS):
        count[card] += s.seen[card]
        rounds += s.seen[card]
    for i in range(s.deck_size):
        count[s.deck[i]] += 1
    for p in range(s.seats):
        count[CARDS + p] += rounds
        for card in range(CARDS):
            count[CARDS + p] += s.hands[p, card]
