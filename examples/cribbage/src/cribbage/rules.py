"""The rules of Cribbage. Read it beside README.md, which says what each rule id means.

A deal: six cards each, two of them to the crib, a starter is cut, the cards are played to 31, then
the hands and the crib are counted.
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
    draw,
    event,
    move,
    n8,
    own,
    pile,
    public,
    rule,
    scratch,
    secret,
    shuffle,
    slot,
    tell,
)

SEATS = 2
SUITS = 4
RANKS = 13
CARDS = RANKS * SUITS
JACK = 10  # its rank, counted from 0
NONE = 0  # in a slot


class Phase(IntEnum):
    """What is decided."""

    DEAL = 0
    LAY = 1
    PLAY = 2
    COUNT = 3
    OVER = 4


#: By rank, from the ace on, and in a rank by suit: 4 * rank + suit.
RANK_NAMES = ("A", *map(str, range(2, 11)), "J", "Q", "K")
NAMES = [rank + suit for rank in RANK_NAMES for suit in "♣♦♥♠"]
Card = IntEnum("Card", NAMES, start=0)  # type: ignore[misc]


class Event(Events):
    """What players are told, and who may know it."""

    DEALT = event("seat", "number", reveals=True)
    LAID = event("seat", "card", own=("card",))
    CUT = event("seat", "card", reveals=True)
    HEELS = event("seat", "points")
    PLAYED = event("seat", "card", "total", reveals=True)
    GO = event("seat", reveals=True)
    FIFTEEN = event("seat", "points")
    PAIR = event("seat", "points")
    RUN = event("seat", "points")
    THIRTY_ONE = event("seat", "points")
    LAST = event("seat", "points")
    SHOWED = event("seat", "crib", reveals=True)
    FIFTEENS = event("seat", "points")
    PAIRS = event("seat", "points")
    RUNS = event("seat", "points")
    FLUSH = event("seat", "points")
    NOBS = event("seat", "points")
    COUNTED = event("seat", "points", "crib")


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers of a match: the options of the same names."""

    goal = n8()


class State(StateRecord):
    """The whole truth. Each field says who sees it."""

    hand = own(counts(Card, each=SEATS))
    hand_size = public(n8(each=SEATS, high=6))
    laid = own(counts(Card, each=SEATS))  # each half of the crib is known to who gave it
    laid_size = public(n8(each=SEATS, high=2))
    deck = secret(pile(Card, CARDS))
    deck_size = public(n8(high=CARDS))
    starter = public(slot(Card))
    line = public(pile(Card, 8))  # what was played since the total was 0, in this order
    line_size = public(n8(high=8))
    line_by = public(n8(8, of=Seat))  # who played each card of it
    played = public(counts(Card, each=SEATS))  # what was played before
    crib = public(pile(Card, 4))  # when it is shown
    crib_size = public(n8(high=4))
    total = public(n8(high=31))
    gone = public(n8(each=SEATS, high=1))  # 1: has said go
    dealer_seat = public(n8(of=Seat))
    deal = public(n8(high=20))
    counted = public(n8(high=3))  # how many of the three hands
    points = public(n8(each=SEATS, high=121))
    five = scratch(n8(5))  # the cards that are counted
    ranks = scratch(n8(RANKS))  # how many of each rank there are


@rule
def worth(card: int) -> int:
    """CB-6: an ace is 1, a court card 10, any other its number."""
    return min(card // SUITS + 1, 10)


# --- the deal ------------------------------------------------------------------------------------


@rule
def advance(t: Table, s: State) -> None:
    """CB-1: lots decide who deals first."""
    if s.phase == Phase.DEAL:
        s.dealer_seat = draw(s, SEATS)
        deal_cards(s)


@rule
def deal_cards(s: State) -> None:
    """CB-2: six cards each, from a deck that is shuffled anew."""
    s.deal += 1
    for i in range(CARDS):
        s.deck[i] = i
    shuffle(s, s.deck, CARDS)
    s.deck_size = CARDS
    for p in range(SEATS):
        for _ in range(6):
            s.deck_size -= 1
            s.hand[p, s.deck[s.deck_size]] += 1
        s.hand_size[p] = 6
    tell(s, Event.DEALT, s.dealer_seat, s.deal)
    s.phase, s.to_act = Phase.LAY, 1 - s.dealer_seat


@move(Phase.COUNT)
def deal(t: Table, s: State) -> None:
    """CB-14: all cards go back, and you deal."""
    s.starter, s.crib_size, s.counted = NONE, 0, 0
    for p in range(SEATS):
        for card in range(CARDS):
            s.played[p, card] = 0
    s.dealer_seat = s.to_act
    deal_cards(s)


@allow(deal)
def may_deal(t: Table, s: State) -> bool:
    """CB-14: after the crib is counted."""
    return s.counted == 3


# --- the crib ------------------------------------------------------------------------------------


@move(Phase.LAY)
def lay(t: Table, s: State, card: Card) -> None:
    """CB-3: you lay a card away to the crib."""
    p = s.to_act
    s.hand[p, card] -= 1
    s.hand_size[p] -= 1
    s.laid[p, card] += 1
    s.laid_size[p] += 1
    tell(s, Event.LAID, p, card)
    if s.hand_size[p] > 4:
        return
    if p != s.dealer_seat:
        s.to_act = s.dealer_seat
    else:
        cut(t, s)


@allow(lay)
def may_lay(t: Table, s: State, card: Card) -> bool:
    """CB-3: one that you hold."""
    return s.hand[s.to_act, card] > 0


@rule
def cut(t: Table, s: State) -> None:
    """CB-4, CB-5: the starter is turned up. A jack is two points for the dealer."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.starter = 1 + card
    s.phase, s.to_act = Phase.PLAY, 1 - s.dealer_seat
    tell(s, Event.CUT, 1 - s.dealer_seat, card)
    if card // SUITS == JACK:
        tell(s, Event.HEELS, s.dealer_seat, 2)
        peg(t, s, s.dealer_seat, 2)


@rule
def peg(t: Table, s: State, p: int, n: int) -> None:
    """CB-15: who reaches the goal has won at once."""
    s.points[p] = min(s.points[p] + n, t.goal)
    if s.points[p] == t.goal:
        s.phase = Phase.OVER


# --- the play ------------------------------------------------------------------------------------


@move(Phase.PLAY)
def play(t: Table, s: State, card: Card) -> None:
    """CB-6: you play a card, and say the total."""
    p = s.to_act
    s.hand[p, card] -= 1
    s.hand_size[p] -= 1
    s.line[s.line_size] = card
    s.line_by[s.line_size] = p
    s.line_size += 1
    s.total += worth(card)
    tell(s, Event.PLAYED, p, card, s.total)
    score_play(t, s, p)
    if s.phase == Phase.PLAY:
        go_on(t, s, p)


@allow(play)
def may_play(t: Table, s: State, card: Card) -> bool:
    """CB-6: one that you hold and that does not take the total above 31."""
    return s.hand[s.to_act, card] > 0 and s.total + worth(card) <= 31


@move(Phase.PLAY)
def go(t: Table, s: State) -> None:
    """CB-8: you say go."""
    p = s.to_act
    s.gone[p] = 1
    tell(s, Event.GO, p)
    go_on(t, s, p)


@allow(go)
def may_go(t: Table, s: State) -> bool:
    """CB-8: only if you can play no card."""
    return not can_play(s, s.to_act)


@rule
def can_play(s: State, p: int) -> bool:
    """CB-6, CB-8: whether a card of this player still fits."""
    for card in range(CARDS):
        if s.hand[p, card] > 0 and s.total + worth(card) <= 31:
            return True
    return False


@rule
def score_play(t: Table, s: State, p: int) -> None:
    """CB-7: points for the card that was just played."""
    if s.total == 15:
        tell(s, Event.FIFTEEN, p, 2)
        peg(t, s, p, 2)
    same = 1
    while same < s.line_size and rank_back(s, same) == rank_back(s, 0):
        same += 1
    if same > 1 and s.phase == Phase.PLAY:
        tell(s, Event.PAIR, p, same * (same - 1))
        peg(t, s, p, same * (same - 1))
    run = 0
    for n in range(3, s.line_size + 1):
        if is_run(s, n):
            run = n
    if run > 0 and s.phase == Phase.PLAY:
        tell(s, Event.RUN, p, run)
        peg(t, s, p, run)
    if s.total == 31 and s.phase == Phase.PLAY:
        tell(s, Event.THIRTY_ONE, p, 2)
        peg(t, s, p, 2)


@rule
def rank_back(s: State, i: int) -> int:
    """The rank of the i-th last card of the line."""
    return s.line[s.line_size - 1 - i] // SUITS


@rule
def is_run(s: State, n: int) -> bool:
    """CB-7: whether the last n cards are n ranks in a row, in any order."""
    low, high, seen = RANKS, 0, 0
    for i in range(n):
        rank = rank_back(s, i)
        if (seen >> rank) & 1 == 1:
            return False
        seen |= 1 << rank
        low, high = min(low, rank), max(high, rank)
    return high - low == n - 1


@rule
def go_on(t: Table, s: State, p: int) -> None:
    """CB-8, CB-9, CB-10: who is next after p; or a new total; or the count."""
    q = 1 - p
    if s.total < 31 and s.hand_size[0] + s.hand_size[1] > 0:
        if s.hand_size[q] > 0 and s.gone[q] == 0:
            if s.gone[p] == 0 or can_play(s, q):
                s.to_act = q
                return
        elif can_play(s, p):
            s.to_act = p
            return
    last = s.line_by[s.line_size - 1]
    if s.total < 31:
        tell(s, Event.LAST, last, 1)
        peg(t, s, last, 1)
    if s.phase == Phase.PLAY:
        new_total(s, last)


@rule
def new_total(s: State, last: int) -> None:
    """CB-9, CB-10: the total is 0 again, and who did not play last begins; or it is counted."""
    for i in range(s.line_size):
        s.played[s.line_by[i], s.line[i]] += 1
        s.line_by[i] = 0
    s.line_size, s.total = 0, 0
    s.gone[0], s.gone[1] = 0, 0
    if s.hand_size[0] + s.hand_size[1] == 0:
        s.phase, s.to_act = Phase.COUNT, 1 - s.dealer_seat
    else:
        s.to_act = last if s.hand_size[1 - last] == 0 else 1 - last


# --- the count -----------------------------------------------------------------------------------


@move(Phase.COUNT)
def count(t: Table, s: State) -> None:
    """CB-11: first the other player's hand is counted, then the dealer's, then the crib."""
    p, crib = s.to_act, s.counted == 2
    take_five(s, p, crib)
    n = count_five(s, p, crib)
    tell(s, Event.COUNTED, p, n, 1 if crib else 0)
    peg(t, s, p, n)
    if s.phase == Phase.OVER:
        return
    s.counted += 1
    s.to_act = 1 - s.dealer_seat if s.counted == 3 else s.dealer_seat
    if s.counted == 2:
        show_crib(s)


@allow(count)
def may_count(t: Table, s: State) -> bool:
    """CB-11: each hand and the crib once."""
    return s.counted < 3


@rule
def show_crib(s: State) -> None:
    """CB-13: the crib is turned up."""
    for p in range(SEATS):
        for card in range(CARDS):
            if s.laid[p, card] > 0:
                s.crib[s.crib_size] = card
                s.crib_size += 1
                s.laid[p, card] = 0
        s.laid_size[p] = 0
    tell(s, Event.SHOWED, s.dealer_seat, 1)


@rule
def take_five(s: State, p: int, crib: bool) -> None:
    """CB-11: the four cards and the starter, which is the last of the five."""
    n = 0
    if crib:
        for i in range(4):
            s.five[i] = s.crib[i]
    else:
        for card in range(CARDS):
            if s.played[p, card] > 0:
                s.five[n] = card
                n += 1
    s.five[4] = s.starter - 1


@rule
def count_five(s: State, p: int, crib: bool) -> int:
    """CB-12: what five cards are worth."""
    fifteens = 2 * count_fifteens(s)
    pairs = 2 * count_pairs(s)
    runs = count_runs(s)
    flush = count_flush(s, crib)
    nobs = count_nobs(s)
    if fifteens > 0:
        tell(s, Event.FIFTEENS, p, fifteens)
    if pairs > 0:
        tell(s, Event.PAIRS, p, pairs)
    if runs > 0:
        tell(s, Event.RUNS, p, runs)
    if flush > 0:
        tell(s, Event.FLUSH, p, flush)
    if nobs > 0:
        tell(s, Event.NOBS, p, nobs)
    return fifteens + pairs + runs + flush + nobs


@rule
def count_fifteens(s: State) -> int:
    """CB-12: the ways to make 15."""
    found = 0
    for some in range(32):
        total = 0
        for i in range(5):
            if (some >> i) & 1 == 1:
                total += worth(s.five[i])
        found += 1 if total == 15 else 0
    return found


@rule
def count_pairs(s: State) -> int:
    """CB-12: the ways to take two of a rank."""
    found = 0
    for i in range(5):
        for k in range(i):
            found += 1 if s.five[i] // SUITS == s.five[k] // SUITS else 0
    return found


@rule
def count_runs(s: State) -> int:
    """CB-12: three or more ranks in a row, as often as they can be taken."""
    for rank in range(RANKS):
        s.ranks[rank] = 0
    for i in range(5):
        s.ranks[s.five[i] // SUITS] += 1
    found, length, ways = 0, 0, 1
    for rank in range(RANKS):
        if s.ranks[rank] > 0:
            length += 1
            ways *= s.ranks[rank]
        else:
            length, ways = 0, 1
        if length >= 3:
            found = length * ways
    return found


@rule
def count_flush(s: State, crib: bool) -> int:
    """CB-12: four of a suit in hand, or all five."""
    for i in range(3):
        if s.five[i] % SUITS != s.five[3] % SUITS:
            return 0
    if s.five[4] % SUITS == s.five[3] % SUITS:
        return 5
    return 0 if crib else 4


@rule
def count_nobs(s: State) -> int:
    """CB-12: the jack of the starter's suit."""
    for i in range(4):
        if s.five[i] // SUITS == JACK and s.five[i] % SUITS == s.five[4] % SUITS:
            return 1
    return 0


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """CB-15: 1 for the player who reached the goal, -1 for the other."""
    for p in range(SEATS):
        out[p] = 1 if s.points[p] == t.goal else -1
