"""Both put down a card in secret, then both are shown; a tie is broken by a chain of forced flips.

As in Iron Man and Medieval Edition: the second to choose must not learn what the first has chosen.
Both may agree to call it off.
"""

from __future__ import annotations

from pydantic import Field

from battlebox.core.game import Options as AnyOptions
from battlebox.core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    agreement,
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

KINDS, EACH, HAND = 5, 6, 3
CARDS = KINDS * EACH


class Phase(IntEnum):
    """`CHOOSE` is asked of both, one after the other."""

    START = 0
    CHOOSE = 1
    OVER = 2


class Event(Events):
    """What players are told."""

    SEALED = event("seat", "card", own=("card",))
    SHOWN = event("seat", "card", reveals=True)
    FLIPPED = event("seat", "card", reveals=True)
    POINT = event("seat", "points")
    DREW = event("seat", "card", alone=True, reveals=True)


class Card(Domain, n=KINDS):
    """A kind of card; the higher wins."""


class Table(Record):
    """The numbers."""

    rounds = n8()


class State(StateRecord):
    """The whole truth."""

    hand = own(n8(2, KINDS))
    hand_size = public(n8(2))  # a sealed card counts until both are shown
    sealed = secret(n8(2))  # 1 + the card put down, 0: none
    deck = secret(n8(CARDS))  # its top is deck[deck_size - 1]
    deck_size = public(n8())
    gone = public(n8(KINDS))
    points = public(n8(2))
    round = public(n16())
    heap = scratch(n8(CARDS))


class Options(AnyOptions):
    """How it is played."""

    players: int = Field(2, ge=2, le=2)
    rounds: int = Field(3, ge=1, le=50)


def table(o: Options) -> dict[str, object]:
    """The numbers of these options."""
    return {"rounds": o.rounds}


@rule
def advance(t: Table, s: State) -> None:
    """Shuffles and deals."""
    if s.phase == Phase.START:
        for i in range(CARDS):
            s.deck[i] = i % KINDS
        s.deck_size = CARDS
        shuffle(s, s.deck, CARDS)
        draw_up(s, 0)
        draw_up(s, 1)
        s.phase, s.to_act = Phase.CHOOSE, 0


@rule
def draw_up(s: State, p: int) -> None:
    """Draws to the hand size."""
    while s.hand_size[p] < HAND and s.deck_size > 0:
        card = flip(s)
        s.hand[p, card] += 1
        s.hand_size[p] += 1
        tell(s, Event.DREW, p, card)


@rule
def flip(s: State) -> int:
    """The top card of the deck."""
    s.deck_size -= 1
    return s.deck[s.deck_size]


@move(Phase.CHOOSE)
def choose(t: Table, s: State, card: Card) -> None:
    """Puts a card down in secret."""
    p = s.to_act
    s.hand[p, card] -= 1
    s.sealed[p] = 1 + card
    tell(s, Event.SEALED, p, card)
    if p == 0:
        s.to_act = 1
    else:
        show(t, s)


@allow(choose)
def may_choose(t: Table, s: State, card: Card) -> bool:
    """Any card of the hand."""
    return s.hand[s.to_act, card] > 0


@rule
def show(t: Table, s: State) -> None:
    """Both cards are shown; a tie flips on until it is broken or the deck ends."""
    a, b = s.sealed[0] - 1, s.sealed[1] - 1
    for p in range(2):
        tell(s, Event.SHOWN, p, s.sealed[p] - 1)
        s.gone[s.sealed[p] - 1] += 1
        s.sealed[p] = 0
        s.hand_size[p] -= 1
    while a == b and s.deck_size >= 2:
        a = flip(s)
        b = flip(s)
        s.gone[a] += 1
        s.gone[b] += 1
        tell(s, Event.FLIPPED, 0, a)
        tell(s, Event.FLIPPED, 1, b)
    if a != b:
        winner = 0 if a > b else 1
        s.points[winner] += 1
        tell(s, Event.POINT, winner, s.points[winner])
    s.round += 1
    draw_up(s, 0)
    draw_up(s, 1)
    s.to_act = 0
    if s.round >= t.rounds or s.hand_size[0] == 0 or s.hand_size[1] == 0:
        s.phase = Phase.OVER


@agreement(Phase.CHOOSE)
def call_it_off(t: Table, s: State) -> None:
    """It ends as it stands; what is put down stays so."""
    s.phase = Phase.OVER


@allow(call_it_off)
def may_call_it_off(t: Table, s: State) -> bool:
    """Not in the first round."""
    return s.round > 0


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """More points win."""
    d = s.points[0] - s.points[1]
    out[0] = 1 if d > 0 else -1 if d < 0 else 0
    out[1] = -out[0]


@rule
def max_length(t: Table, seats: int) -> int:
    """Two decisions a round."""
    return 2 * t.rounds


@rule
def census(s: State, count: Row) -> None:
    """Cards of each kind in all places."""
    for card in range(KINDS):
        count[card] += s.gone[card] + s.hand[0, card] + s.hand[1, card]
    for p in range(2):
        if s.sealed[p] > 0:
            count[s.sealed[p] - 1] += 1
    for i in range(s.deck_size):
        count[s.deck[i]] += 1


@rule
def reveal(t: Table, s: State, o: State, seat: int) -> None:
    """The player who put a card down knows it."""
    if seat >= 0:
        o.sealed[seat] = s.sealed[seat]


@rule
def determinize(t: Table, o: State) -> None:
    """Shuffles all unseen cards to the other hands, the sealed card and the deck."""
    me = o.viewer - 1
    n = 0
    for card in range(KINDS):
        left = EACH - o.gone[card]
        if me >= 0:
            left -= o.hand[me, card]
            left -= 1 if o.sealed[me] == 1 + card else 0
        for _ in range(left):
            o.heap[n] = card
            n += 1
    shuffle(o, o.heap, n)
    for p in range(2):
        if p != me:
            cards = o.hand_size[p]
            if p < o.to_act and o.phase == Phase.CHOOSE:
                n -= 1
                o.sealed[p] = 1 + o.heap[n]
                cards -= 1
            for _ in range(cards):
                n -= 1
                o.hand[p, o.heap[n]] += 1
    for i in range(o.deck_size):
        n -= 1
        o.deck[i] = o.heap[n]
