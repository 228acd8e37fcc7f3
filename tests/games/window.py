"""Ten seats of two hidden sides, several rounds, and a window in which SAVE may be played.

As in Battle: in the window only the seat that is asked may know who is asked, and who declined.
A round begins with a chain of forced flips: SKIP and TURN take effect, until a fight card comes.
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
    allow,
    draw,
    event,
    i8,
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

SEATS, HAND, CARDS = 10, 3, 48
NOBODY = SEATS  # to_act, for those who may not know it


class Kind(IntEnum):
    """What cards there are."""

    FIGHT = 0
    SKIP = 1
    TURN = 2
    STRIKE = 3
    EXPOSE = 4
    SAVE = 5


KINDS = len(Kind)


class Phase(IntEnum):
    """`WINDOW`: who holds a SAVE is asked, in turn."""

    START = 0
    PLAY = 1
    WINDOW = 2
    OVER = 3


class Event(Events):
    """What players are told."""

    DEALT = event("seat", "side", own=("side",), reveals=True)
    FLIPPED = event("seat", "card", reveals=True)
    DISCARDED = event("seat", "card")
    STRUCK = event("seat", "target", reveals=True)
    DECLINED = event("seat", alone=True, reveals=True)
    SAVED = event("seat", "target", reveals=True)
    OUT = event("seat", "side", reveals=True)
    EXPOSED = event("seat", "target", "side", reveals=True)
    ROUND_ENDED = event("seat", "side", reveals=True)


RESPONSE_WINDOWS, REALTIME = {Event.STRUCK: Phase.WINDOW}, True


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers."""

    copies = n8(KINDS)
    rounds = n8()


class State(StateRecord):
    """The whole truth."""

    side = secret(n8(SEATS))  # 1 or 2
    exposed = public(n8(SEATS))
    last_side = public(n8(SEATS))  # the sides of the round before, shown at its end
    living = public(n8(SEATS))
    hand = own(n8(SEATS, KINDS))
    hand_size = public(n8(SEATS))
    deck = secret(n8(CARDS))
    deck_size = public(n8())
    gone = public(n8(KINDS))
    by = public(n8())  # who strikes,
    target = public(n8())  # and whom
    declined = own(n8(SEATS))  # in this window
    way = public(i8())  # 1 or -1
    dealer = public(n8())
    round = public(n16())
    points = public(n8(SEATS))
    heap = scratch(n8(CARDS))


class Options(AnyOptions):
    """How it is played."""

    players: int = Field(10, ge=4, le=SEATS)
    rounds: int = Field(2, ge=1, le=9)
    saves: int = Field(8, ge=0, le=20)


def table(o: Options) -> dict[str, object]:
    """The numbers of these options."""
    return {"copies": [14, 4, 4, 12, 6, o.saves], "rounds": o.rounds}


@rule
def advance(t: Table, s: State) -> None:
    """Begins the match."""
    if s.phase == Phase.START:
        deal(t, s)


@rule
def deal(t: Table, s: State) -> None:
    """Sides, hands, and flips until a fight card lies open."""
    n = 0
    for kind in range(KINDS):
        s.gone[kind] = 0
        for _ in range(t.copies[kind]):
            s.deck[n] = kind
            n += 1
    s.deck_size = n
    shuffle(s, s.deck, n)
    for p in range(s.seats):
        s.heap[p] = 1 + p % 2
    shuffle(s, s.heap, s.seats)
    for p in range(s.seats):
        s.side[p], s.exposed[p], s.living[p], s.hand_size[p] = s.heap[p], 0, 1, 0
        tell(s, Event.DEALT, p, s.side[p])
        for kind in range(KINDS):
            s.hand[p, kind] = 0
        while s.hand_size[p] < HAND and s.deck_size > 0:
            s.deck_size -= 1
            s.hand[p, s.deck[s.deck_size]] += 1
            s.hand_size[p] += 1
    s.way, s.by, s.target = 1, 0, 0
    s.phase, s.to_act = Phase.PLAY, s.dealer
    first_flips(s)


@rule
def first_flips(s: State) -> None:
    """The chain of forced flips."""
    while s.deck_size > 0:
        s.deck_size -= 1
        card = s.deck[s.deck_size]
        s.gone[card] += 1
        tell(s, Event.FLIPPED, s.dealer, card)
        if card == Kind.SKIP:
            s.to_act = step(s, s.to_act)
        elif card == Kind.TURN:
            s.way = -s.way
        elif card == Kind.FIGHT:
            return


@rule
def step(s: State, p: int) -> int:
    """The next seat in the present direction."""
    return (p + s.seats + s.way) % s.seats


@rule
def lay(s: State, p: int, kind: int) -> None:
    """A card leaves a hand for good."""
    s.hand[p, kind] -= 1
    s.hand_size[p] -= 1
    s.gone[kind] += 1


@rule
def next_turn(t: Table, s: State) -> None:
    """The next living seat with cards, or the end of the round."""
    p = s.by if s.phase == Phase.WINDOW else s.to_act
    s.phase, s.target, s.by = Phase.PLAY, 0, 0
    for q in range(s.seats):
        s.declined[q] = 0
    if sides_left(s) < 3:
        end_round(t, s, sides_left(s))
        return
    for _ in range(s.seats):
        p = step(s, p)
        if s.living[p] > 0 and s.hand_size[p] > 0:
            s.to_act = p
            return
    end_round(t, s, 0)


@rule
def sides_left(s: State) -> int:
    """1, 2: only that side lives; 3: both."""
    left = 0
    for p in range(s.seats):
        if s.living[p] > 0:
            left |= s.side[p]
    return left


@rule
def end_round(t: Table, s: State, side: int) -> None:
    """The winners get a point; the next round, or the end."""
    tell(s, Event.ROUND_ENDED, s.dealer, side)
    for p in range(s.seats):
        s.exposed[p], s.last_side[p] = 1, s.side[p]
        if s.side[p] == side:
            s.points[p] += 1
    s.round += 1
    if s.round >= t.rounds:
        s.phase = Phase.OVER
    else:
        s.dealer = (s.dealer + 1) % s.seats
        deal(t, s)


# ---- a turn ----
@move(Phase.PLAY)
def discard(t: Table, s: State, kind: Kind) -> None:
    """Lays a card off without effect."""
    tell(s, Event.DISCARDED, s.to_act, kind)
    lay(s, s.to_act, kind)
    next_turn(t, s)


@allow(discard)
def may_discard(t: Table, s: State, kind: Kind) -> bool:
    """Any card."""
    return s.hand[s.to_act, kind] > 0


@move(Phase.PLAY)
def strike(t: Table, s: State, target: Seat) -> None:
    """The target is out, unless somebody saves it."""
    lay(s, s.to_act, Kind.STRIKE)
    s.by, s.target = s.to_act, target
    s.phase = Phase.WINDOW
    tell(s, Event.STRUCK, s.by, target)
    ask(t, s, target)


@allow(strike)
def may_strike(t: Table, s: State, target: Seat) -> bool:
    """Another living seat."""
    return (
        s.hand[s.to_act, Kind.STRIKE] > 0
        and target < s.seats
        and target != s.to_act
        and s.living[target] > 0
    )


@move(Phase.PLAY)
def expose(t: Table, s: State, target: Seat) -> None:
    """Everybody sees the target's side."""
    lay(s, s.to_act, Kind.EXPOSE)
    s.exposed[target] = 1
    tell(s, Event.EXPOSED, s.to_act, target, s.side[target])
    next_turn(t, s)


@allow(expose)
def may_expose(t: Table, s: State, target: Seat) -> bool:
    """Another seat that is not exposed."""
    return (
        s.hand[s.to_act, Kind.EXPOSE] > 0
        and target < s.seats
        and target != s.to_act
        and s.exposed[target] == 0
    )


# ---- the window ----
@rule
def ask(t: Table, s: State, p: int) -> None:
    """Asks the next living holder of SAVE from p on; at the striker's target again it is over."""
    for _ in range(s.seats):
        if s.living[p] > 0 and s.hand[p, Kind.SAVE] > 0 and s.declined[p] == 0:
            s.to_act = p
            return
        p = (p + 1) % s.seats
        if p == s.target:
            break
    s.living[s.target], s.exposed[s.target] = 0, 1
    tell(s, Event.OUT, s.target, s.side[s.target])
    next_turn(t, s)


@move(Phase.WINDOW, at=0, always=True)
def decline(t: Table, s: State) -> None:
    """Does not save; nobody else learns of it."""
    p = s.to_act
    s.declined[p] = 1
    tell(s, Event.DECLINED, p)
    q = (p + 1) % s.seats
    if q == s.target:
        q = p  # all have been asked: this seat has declined, so `ask` ends the window
    ask(t, s, q)


@move(Phase.WINDOW, at=1, always=True)
def save(t: Table, s: State) -> None:
    """The target stays."""
    tell(s, Event.SAVED, s.to_act, s.target)
    lay(s, s.to_act, Kind.SAVE)
    next_turn(t, s)


# ---- the house ----
@rule
def returns(t: Table, s: State, out: Row) -> None:
    """Points against the mean."""
    total = 0
    for p in range(s.seats):
        total += s.points[p]
    for p in range(s.seats):
        d = s.points[p] * s.seats - total
        out[p] = 1 if d > 0 else -1 if d < 0 else 0


@rule
def max_length(t: Table, seats: int) -> int:
    """Each card is laid once, and each strike asks every seat at most."""
    return t.rounds * CARDS * (seats + 1)


@rule
def census(s: State, count: Row) -> None:
    """Cards of each kind, and seats of each side."""
    for kind in range(KINDS):
        count[kind] += s.gone[kind]
        for p in range(s.seats):
            count[kind] += s.hand[p, kind]
    for i in range(s.deck_size):
        count[s.deck[i]] += 1
    for p in range(s.seats):
        count[KINDS + s.side[p]] += 1


@rule
def reveal(t: Table, s: State, o: State, seat: int) -> None:
    """Exposed sides and one's own; whom the window asks, to that seat only."""
    for p in range(s.seats):
        if p == seat or s.exposed[p] > 0:
            o.side[p] = s.side[p]
    if s.phase == Phase.WINDOW and s.to_act != seat:
        o.to_act = NOBODY


@rule
def order(o: State, p: int) -> int:
    """When the window comes to p: 0 for the target."""
    return (p + o.seats - o.target) % o.seats


@rule
def may_be_asked(o: State, p: int, me: int) -> bool:
    """As far as the viewer can know."""
    if p == me or o.living[p] == 0 or o.hand_size[p] == 0:
        return False
    if me < 0 or o.living[me] == 0 or o.hand[me, Kind.SAVE] == 0:
        return True
    return (order(o, p) > order(o, me)) == (o.declined[me] > 0)


@rule
def determinize_asked(o: State, me: int) -> None:
    """Whom the window asks now, any that fits."""
    n = 0
    for p in range(o.seats):
        n += 1 if may_be_asked(o, p, me) else 0
    k = draw(o, n)
    for p in range(o.seats):
        if may_be_asked(o, p, me):
            if k == 0:
                o.to_act = p
            k -= 1


@rule
def determinize_sides(o: State) -> None:
    """The hidden sides, shuffled."""
    left1, left2 = (o.seats + 1) // 2, o.seats // 2
    for p in range(o.seats):
        left1 -= 1 if o.side[p] == 1 else 0
        left2 -= 1 if o.side[p] == 2 else 0
    for i in range(left1 + left2):
        o.heap[i] = 1 if i < left1 else 2
    shuffle(o, o.heap, left1 + left2)
    n = 0
    for p in range(o.seats):
        if o.side[p] == 0:
            o.side[p] = o.heap[n]
            n += 1


@rule
def determinize(t: Table, o: State) -> None:
    """Sides, whom the window asks (they hold a SAVE), and all unseen cards."""
    me = o.viewer - 1
    determinize_sides(o)
    asked = NOBODY
    if o.phase == Phase.WINDOW and o.to_act == NOBODY:
        determinize_asked(o, me)
        asked = o.to_act
    n = 0
    for kind in range(KINDS):
        left = t.copies[kind] - o.gone[kind]
        if me >= 0:
            left -= o.hand[me, kind]
        left -= 1 if asked < NOBODY and kind == Kind.SAVE else 0
        for _ in range(left):
            o.heap[n] = kind
            n += 1
    shuffle(o, o.heap, n)
    for p in range(o.seats):
        if p != me:
            cards = o.hand_size[p]
            if p == asked:
                o.hand[p, Kind.SAVE] += 1
                cards -= 1
            for _ in range(cards):
                n -= 1
                o.hand[p, o.heap[n]] += 1
    for i in range(o.deck_size):
        n -= 1
        o.deck[i] = o.heap[n]
    if o.phase == Phase.WINDOW:
        for p in range(o.seats):
            before = order(o, p) < order(o, o.to_act)
            if p != me and before and o.living[p] > 0 and o.hand[p, Kind.SAVE] > 0:
                o.declined[p] = 1
