"""High card: keep your card, or swap it.

Read it beside README.md, which has the rules by id. A state is a record of marked fields; a move is
a function that changes it. Nothing else does.
"""

from __future__ import annotations

from battlebox.authoring import (
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
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
COPIES = 4  # of each card


class Phase(IntEnum):
    """What is decided. The first one is before the first decision; OVER is the end."""

    DEAL = 0
    TURN = 1
    OVER = 2


class Card(IntEnum):
    """The kinds of cards, the lowest first."""

    MOUSE = 0
    CAT = 1
    DOG = 2
    WOLF = 3
    BEAR = 4


CARDS = COPIES * len(Card)


class Event(Events):
    """What players are told, and who may know it."""

    ROUND = event("seat", "number")
    DREW = event("seat", "card", own=("card",), reveals=True)
    KEPT = event("seat")
    SWAPPED = event("seat", "card", reveals=True)
    SHOWED = event("seat", "card", reveals=True)
    WON = event("seat", "points")


class Table(Record):
    """The numbers of a match: the options of the same names."""

    rounds = n8()


class State(StateRecord):
    """The whole truth. Each field says who sees it."""

    card = own(slot(Card, each=SEATS))  # 1 + the card that a seat holds, 0: none
    deck = secret(pile(Card, CARDS))  # nobody sees it; deck[deck_size - 1] is its top
    deck_size = public(n8(high=CARDS))
    discard = public(pile(Card, CARDS))
    discard_size = public(n8(high=CARDS))
    points = public(n8(each=SEATS, high=10))
    round = public(n8(high=10))


@rule
def advance(t: Table, s: State) -> None:
    """HC-1: runs on to the next decision. Before the first one, the deck is shuffled."""
    if s.phase == Phase.DEAL:
        for i in range(CARDS):
            s.deck[i] = i % 5
        shuffle(s, s.deck, CARDS)
        s.deck_size = CARDS
        begin_round(s)


@rule
def begin_round(s: State) -> None:
    """HC-2: everybody draws a card."""
    s.round += 1
    tell(s, Event.ROUND, 0, s.round)
    for p in range(s.seats):
        draw_card(s, p)
    s.phase, s.to_act = Phase.TURN, 0


@rule
def draw_card(s: State, p: int) -> None:
    """HC-2, HC-4: the top card of the deck."""
    s.deck_size -= 1
    s.card[p] = 1 + s.deck[s.deck_size]
    tell(s, Event.DREW, p, s.deck[s.deck_size])


@rule
def put_down(s: State, p: int) -> int:
    """HC-4, HC-5: a card goes face up to the discard pile. Returns which one it was."""
    card = s.card[p] - 1
    s.discard[s.discard_size] = card
    s.discard_size += 1
    s.card[p] = 0
    return card


@move(Phase.TURN, always=True)
def keep(t: Table, s: State) -> None:
    """HC-3: you keep your card."""
    tell(s, Event.KEPT, s.to_act)
    next_turn(t, s)


@move(Phase.TURN)
def swap(t: Table, s: State) -> None:
    """HC-4: you put your card down and draw another, which you keep."""
    tell(s, Event.SWAPPED, s.to_act, put_down(s, s.to_act))
    draw_card(s, s.to_act)
    next_turn(t, s)


@allow(swap)
def may_swap(t: Table, s: State) -> bool:
    """HC-4: only while there is a card for you in the deck."""
    return s.deck_size > 0


@rule
def next_turn(t: Table, s: State) -> None:
    """HC-3: to your left; after the last one the cards are shown."""
    s.to_act += 1
    if s.to_act == s.seats:
        s.to_act = 0
        end_round(t, s)


@rule
def end_round(t: Table, s: State) -> None:
    """HC-5, HC-6: the highest card is a point, for each who has it."""
    best = 0
    for p in range(s.seats):
        best = max(best, s.card[p])
    for p in range(s.seats):
        wins = s.card[p] == best
        tell(s, Event.SHOWED, p, put_down(s, p))
        if wins:
            s.points[p] += 1
            tell(s, Event.WON, p, 1)
    if s.round == t.rounds or s.deck_size < s.seats:
        s.phase = Phase.OVER
    else:
        begin_round(s)


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """HC-7: the most points win; 1 for a win, -1 for a loss, 0 if all have the same."""
    best, winners = 0, 0
    for p in range(s.seats):
        best = max(best, s.points[p])
    for p in range(s.seats):
        winners += 1 if s.points[p] == best else 0
    for p in range(s.seats):
        out[p] = 0 if winners == s.seats else 1 if s.points[p] == best else -1
