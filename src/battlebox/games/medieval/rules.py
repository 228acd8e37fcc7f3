"""The rules of the Medieval war of columns. README.md says what each rule id means.

A battle: both flip three columns, place three cards face down as reinforcements, turn them up and
compare column by column. Winners survive, losers go to the graveyard; who has no cards left loses.
Cards of some decks ask their owner for more: which column an event helps, which columns to swap.
"""

from __future__ import annotations

from ...core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    event,
    i8,
    i16,
    i32,
    move,
    n8,
    n32,
    own,
    public,
    rule,
    scratch,
    secret,
    shuffle,
    size,
    tell,
)

SEATS, COLUMNS, HAND = 2, 3, 3
CARDS = size("cards", 72)  # room for so many cards of each player
KINDS = size("kinds", 23)
NOTHING = KINDS  # "no card"
BESIDE = COLUMNS  # a card beside column c lies at place BESIDE + c,
UNAIMED = BESIDE + COLUMNS  # one whose owner is still to choose its column here
NO_TOTAL = -100_000  # of a column without cards; any total is more
ORDERS = 6  # of three cards
PAIRS = 3  # of two columns


class Phase(IntEnum):
    """What is decided: where the reinforcements go, and what events leave to their owner. Nobody
    decides anything in the others.
    """

    SETUP = 0
    BATTLE = 1  # a battle is about to begin
    CHOOSE_COLUMN = 2  # of an event that lies beside none
    REINF = 3
    TURNED_UP = 4  # the reinforcements lie face up
    SWAP = 5  # which two columns change places
    COMPARED = 6  # the columns have been compared, at least once
    OVER = 7


class Result(IntEnum):
    """What has become of a column."""

    NOBODY = 0  # no cards on either side
    A = 1  # 1 + the seat that won it
    B = 2
    TIE = 3  # not yet decided
    DEADLOCK = 4


class Event(Events):
    """What players are told."""

    BATTLE = event("seat", "number")
    FLIPPED = event("seat", "card", "column", reveals=True)
    CALLED = event("seat", "card", "column", reveals=True)
    BESIDE = event("seat", "card", "column", reveals=True)  # COLUMNS: no column yet
    AIMED = event("seat", "card", "column")
    DREW = event("seat", "card", alone=True, reveals=True)
    DREW_UP = event("seat", "cards")
    PLACED = event("seat", "order", own=("order",))
    PLACED_OPENLY = event("seat", "one", "two", "three", reveals=True)  # 1 + each card; 0: none
    TURNED_UP = event("seat", "card", "column", reveals=True)
    SWAPPED = event("seat", "column", "other")
    STAYED = event("seat")
    KILLED = event("seat", "card", "column")
    WON_COLUMN = event("seat", "column", "total", "other")
    TIED = event("seat", "column", "total")
    ADDED = event("seat", "card", "column", reveals=True)
    DEADLOCKED = event("seat", "column")
    SAVED = event("seat", "card", "column")
    RESHUFFLED = event("seat", "cards")
    OUT = event("seat")
    WON = event("seat")
    DRAWN = event("seat")


class Card(Domain, n=KINDS):
    """A kind of card."""


class Place(Domain, n=UNAIMED + 1):
    """Where a card lies: at a column, beside one, or not yet."""


class Order(Domain, n=ORDERS):
    """Where the three cards of a hand go: to columns 123, 132, 213, 231, 312, 321."""


class Column(Domain, n=COLUMNS):
    """A column, from the left."""


class Pair(Domain, n=PAIRS):
    """Two columns: 1 and 2, 1 and 3, 2 and 3."""


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers of a ruleset: the deck and the options (README.md, Options)."""

    column = n8(ORDERS, HAND)  # of each card of a hand, by Order
    pair = n8(PAIRS, 2)  # the columns, by Pair
    copies = n8(KINDS)  # how many of each kind are in a deck
    value = n8(KINDS)
    fighter = n8(KINDS)  # 1: a fighter, whom an Assassin may kill
    event = n8(KINDS)  # 1: an event: beside the battlefield, or ignored
    another = n8(KINDS)  # 1: it says "play another card"
    king = n8(KINDS)  # 1: it is a King
    column_bonus = i8(KINDS)  # for each other fighter or character in its column
    king_bonus = i8(KINDS)  # if a King of its owner is, or was, on the battlefield
    own_columns = i8(KINDS)  # beside: added to each column of its owner,
    enemy_columns = i8(KINDS)  # to each column of the enemy,
    own_column = i8(KINDS)  # to the column of its owner beside which it lies
    trap = n8(KINDS)  # beside: the highest enemy card in that column counts nothing
    aim = n8(KINDS)  # beside: 1: its owner chooses the column
    swap = n8(KINDS)  # beside: 1: two columns of its owner may change places
    spy = n8(KINDS)  # beside: 1: the enemy places first, and openly
    assassin = n8(KINDS)  # 1: kills the highest fighter facing it
    savior = n8(KINDS)  # 1: dies for its column
    assassins = n8()  # 1: there are such cards in the deck; without them nobody looks for one
    saviors = n8()
    replace = n8()  # 1: an event that goes beside is replaced by the next card
    eager = n8()  # 1: the Survivors are shuffled when the deck is empty, 0: at the next draw
    both_survive = n8()  # what becomes of a deadlocked column
    max_battles = n32()


def most(t: Table) -> int:
    """How many cards of one kind there are at most."""
    return max(t.copies)


class State(StateRecord):
    """The whole truth. On the battlefield each player's cards lie in the order of their coming."""

    # how many cards of each kind there are in this match
    stock = public(n8(KINDS, each=SEATS, high=most))
    deck = secret(n8(SEATS, CARDS))  # the top card is the last
    deck_size = public(n8(each=SEATS, high=CARDS))
    hand = own(n8(SEATS, HAND, of=Card, first=1))  # 1 + the kind, ascending; 0: no card
    hand_size = public(n8(each=SEATS, high=HAND))
    # face down at the columns: 1 + the kind, 0: no card
    sealed = own(n8(SEATS, COLUMNS, of=Card, first=1))
    sealed_size = public(n8(each=SEATS, high=COLUMNS))
    # the cards on the battlefield, and each one's column, or BESIDE + its column
    field = public(n8(CARDS, each=SEATS, of=Card, by="place", high=most))
    place = public(n8(CARDS, each=SEATS, of=Place))
    field_size = public(n8(each=SEATS, high=CARDS))
    king = public(n8(each=SEATS, high=1))  # 1: a King is, or was in this battle, on the battlefield
    # events beside the battlefield that wait for a column,
    aims = public(n8(each=SEATS, high=COLUMNS))
    swaps = public(n8(each=SEATS, high=COLUMNS))  # those that may still swap two,
    spies = public(n8(each=SEATS, high=COLUMNS))  # and Spies
    survivors = public(n8(CARDS, each=SEATS, of=Card, in_order=False, high=most))
    survivors_size = public(n8(each=SEATS, high=CARDS))
    graveyard = public(n8(KINDS, each=SEATS, high=most))
    battle = public(n32(high=50))  # the number of this battle
    # 1: a battle is finished, and the fields below tell of the last one:
    fought = public(n8(high=1))
    last_total = public(i32(COLUMNS, each=SEATS, high=100))  # totals when they were first compared,
    last_result = public(n8(COLUMNS, of=Result))  # Result,
    winner = public(n8(of=Seat, first=1))  # 1 + the seat that has won; 0: nobody
    heap = scratch(n8(CARDS))
    unseen = scratch(n8(SEATS, KINDS))  # the cards that a viewer does not see
    total = scratch(i32(SEATS, COLUMNS))  # of the columns, or NO_TOTAL (`weigh`)
    ranks = scratch(n8(SEATS, COLUMNS))  # of each column: its fighters and characters,
    lead = scratch(i32(SEATS, COLUMNS))  # what each of them counts for the others,
    cards = scratch(n8(SEATS, COLUMNS))  # its cards,
    traps = scratch(n8(SEATS, COLUMNS))  # and the traps it faces
    calls = scratch(n8(SEATS, COLUMNS))  # 1: the reinforcement calls for another card
    alive = scratch(n8(COLUMNS))  # 1: what lies there survives
    blades = scratch(n8(SEATS, COLUMNS))  # the Assassins who act now
    # what learners are told of columns (columns.py):
    prey = scratch(n8(SEATS, COLUMNS))  # in each column the highest value of a fighter,
    caught = scratch(n8(SEATS, COLUMNS))  # and of any card,
    knives = scratch(n8(SEATS, COLUMNS))  # its Assassins,
    saving = scratch(n8(SEATS, COLUMNS))  # its Bishops,
    at_stake = scratch(i16(SEATS, COLUMNS))  # what its cards are worth, in tenths;
    hopes = scratch(n8(HAND + 1, COLUMNS))  # with each card of the hand, or none: the chance to
    spoils = scratch(i16(HAND + 1, COLUMNS))  # win it, in percent, and what that brings, in tenths


# ---- decks --------------------------------------------------------------------------------------
@rule
def make_deck(s: State, p: int, n: int) -> None:
    """ME-3: the first n cards of the heap are shuffled and become the deck."""
    shuffle(s, s.heap, n)
    for i in range(n):
        s.deck[p, n - 1 - i] = s.heap[i]
    s.deck_size[p] = n


@rule
def recall_survivors(s: State, p: int) -> None:
    """ME-49, ME-50, ME-51: the Survivors, if there are any, become the deck of player p."""
    n = s.survivors_size[p]
    if n > 0:
        for i in range(n):
            s.heap[i] = s.survivors[p, i]
            s.survivors[p, i] = 0
        s.survivors_size[p] = 0
        make_deck(s, p, n)
        tell(s, Event.RESHUFFLED, p, n)


@rule
def take_top(t: Table, s: State, p: int) -> int:
    """ME-49, ME-52, H5: the top card of player p, or NOTHING when there is none any more."""
    if s.deck_size[p] == 0:
        recall_survivors(s, p)
        if s.deck_size[p] == 0:
            return NOTHING
    n = s.deck_size[p] - 1
    card = s.deck[p, n]
    s.deck[p, n] = 0
    s.deck_size[p] = n
    if n == 0 and t.eager > 0:
        recall_survivors(s, p)
    return card


# ---- the battlefield ----------------------------------------------------------------------------
@rule
def put(t: Table, s: State, p: int, card: int, place: int) -> None:
    """ME-10, ME-13, ME-23: face up on the battlefield, on top of what lies at that place."""
    i = s.field_size[p]
    s.field[p, i], s.place[p, i] = card, place
    s.field_size[p] = i + 1
    if t.king[card] > 0:  # which lies in a column: no event is a King
        s.king[p] = 1


@rule
def lay_beside(t: Table, s: State, p: int, card: int, place: int) -> None:
    """ME-23, H26: an event beside a column, or UNAIMED; what it asks for later is noted."""
    put(t, s, p, card, place)
    s.aims[p] += 1 if place == UNAIMED else 0
    s.swaps[p] += t.swap[card]
    s.spies[p] += t.spy[card]


@rule
def leave(s: State, p: int, i: int) -> None:
    """A card of player p is on the battlefield no more; those above it move down."""
    n = s.field_size[p] - 1
    for k in range(i, n):
        s.field[p, k], s.place[p, k] = s.field[p, k + 1], s.place[p, k + 1]
    s.field_size[p] = n


@rule
def play_out(t: Table, s: State, p: int, c: int, called: bool, flipping: bool) -> bool:
    """ME-9, ME-11, ME-12, ME-55: the next card to a column, and all that it calls for, one by one.

    ME-26, ME-30, ME-42, H3, H6, H22: when `flipping`, an event goes beside the column and is
    replaced; else it lies in the column and counts nothing. Returns whether a card has come there.
    """
    came = False
    while True:
        card = take_top(t, s, p)
        if card == NOTHING:
            return came
        if flipping and t.event[card] > 0:
            place = UNAIMED if t.aim[card] > 0 else BESIDE + c
            lay_beside(t, s, p, card, place)
            tell(s, Event.BESIDE, p, card, place - BESIDE)
            if t.replace == 0:
                return came
            continue
        put(t, s, p, card, c)
        if called:
            tell(s, Event.CALLED, p, card, c)
        elif flipping:
            tell(s, Event.FLIPPED, p, card, c)
        else:
            tell(s, Event.ADDED, p, card, c)
        came, called = True, True
        if t.another[card] == 0:
            return came


# ---- what columns are worth ---------------------------------------------------------------------
@rule
def weigh(t: Table, s: State) -> None:
    """ME-60, ME-68, H13, H14: the totals of all columns, from what lies on the battlefield now."""
    for p in range(SEATS):
        for c in range(COLUMNS):
            s.total[p, c], s.cards[p, c], s.ranks[p, c] = 0, 0, 0
            s.lead[p, c], s.traps[p, c] = 0, 0
    for p in range(SEATS):
        for i in range(s.field_size[p]):
            card, place = s.field[p, i], s.place[p, i]
            if place < COLUMNS:
                weigh_in_column(t, s, p, card, place)
            elif place < UNAIMED:
                weigh_beside(t, s, p, card, place - BESIDE)
    for p in range(SEATS):
        for c in range(COLUMNS):
            if s.cards[p, c] == 0:
                s.total[p, c] = NO_TOTAL
                continue
            s.total[p, c] += s.lead[p, c] * (s.ranks[p, c] - 1)
            if s.traps[p, c] > 0:
                s.total[p, c] -= trapped(t, s, p, c)


@rule
def weigh_in_column(t: Table, s: State, p: int, card: int, c: int) -> None:
    """ME-13, ME-28, ME-29, ME-61, ME-62, ME-63, H7: the value of a card and its bonus."""
    s.cards[p, c] += 1
    s.ranks[p, c] += 1 - t.event[card]
    s.lead[p, c] += t.column_bonus[card]
    s.total[p, c] += t.value[card] + s.king[p] * t.king_bonus[card]  # an event has neither


@rule
def bonus(t: Table, s: State, p: int, card: int, ranks: int) -> int:
    """ME-61, ME-62, ME-63: what a card of player p adds to its column besides its value.

    (`weigh` adds up a column's leaders before it knows its ranks, which is quicker.)
    """
    return t.column_bonus[card] * (ranks - 1) + t.king_bonus[card] * s.king[p]


@rule
def weigh_beside(t: Table, s: State, p: int, card: int, c: int) -> None:
    """ME-22, ME-27, ME-44: an event beside column c works on all columns."""
    for k in range(COLUMNS):
        s.total[p, k] += from_beside(t, card, True, k == c)
        s.total[1 - p, k] += from_beside(t, card, False, k == c)
    s.traps[1 - p, c] += t.trap[card]


@rule
def from_beside(t: Table, card: int, mine: bool, here: bool) -> int:
    """ME-64, ME-65, ME-66: what an event adds to a column of its owner, or of the enemy; `here`:
    the one beside which it lies.
    """
    if not mine:
        return t.enemy_columns[card]
    return t.own_columns[card] + (t.own_column[card] if here else 0)


@rule
def trapped(t: Table, s: State, p: int, c: int) -> int:
    """ME-67: what the trapped cards of a column would count."""
    lost = 0
    for i in range(s.field_size[p]):
        if s.place[p, i] == c and is_trapped(t, s, p, i):
            lost += t.value[s.field[p, i]]
    return lost


@rule
def is_trapped(t: Table, s: State, p: int, i: int) -> bool:
    """ME-67, H21: a card is among the highest of its column, as many as that faces traps; of equal
    ones the lower.
    """
    c, higher = s.place[p, i], 0
    for j in range(s.field_size[p]):
        if s.place[p, j] == c:
            more = t.value[s.field[p, j]] - t.value[s.field[p, i]]
            if more > 0 or (more == 0 and j < i):
                higher += 1
    return higher < s.traps[p, c]


@rule
def compare(s: State, c: int) -> int:
    """ME-32, ME-33, H10: the Result of a column. Who alone has cards there wins it."""
    a, b = s.total[0, c], s.total[1, c]
    if a == b:
        return Result.NOBODY if a == NO_TOTAL else Result.TIE
    return Result.A + (1 if b > a else 0)


# ---- the course of the game ---------------------------------------------------------------------
@rule
def advance(t: Table, s: State) -> None:
    """From a match not yet begun, or a loaded position, to the first decision."""
    if s.phase == Phase.SETUP:
        set_up(t, s)
    go_on(t, s)


@rule
def go_on(t: Table, s: State) -> None:
    """ME-48, ME-54: on to the next player who has something to decide, or to the end."""
    while s.phase != Phase.OVER:
        if s.phase == Phase.BATTLE:
            begin_battle(t, s)
        if s.phase == Phase.CHOOSE_COLUMN:
            if anyone_to_aim(s):
                break
            draw_hands(t, s)
        if s.phase == Phase.REINF:
            if anyone_to_place(s):
                break
            turn_up(t, s)
        if s.phase == Phase.SWAP:
            if anyone_to_swap(t, s):
                break
            fight(t, s)


@rule
def set_up(t: Table, s: State) -> None:
    """ME-1, ME-3, ME-4: each player shuffles a deck; there is nothing else yet."""
    for p in range(SEATS):
        n = 0
        for card in range(KINDS):
            s.stock[p, card] = t.copies[card]
            for _ in range(t.copies[card]):
                s.heap[n] = card
                n += 1
        make_deck(s, p, n)
    s.phase = Phase.BATTLE


@rule
def begin_battle(t: Table, s: State) -> None:
    """ME-5..8, ME-53, ME-56..58, H2, H9, H15, H16: the end, or flips."""
    if is_out(s, 0) or is_out(s, 1) or s.battle >= t.max_battles:
        end(s)
        return
    s.battle += 1
    tell(s, Event.BATTLE, 0, s.battle)
    for p in range(SEATS):
        s.king[p], s.spies[p] = 0, 0
        for c in range(COLUMNS):
            play_out(t, s, p, c, False, True)
    s.phase = Phase.CHOOSE_COLUMN


@rule
def anyone_to_aim(s: State) -> bool:
    """H26: whether an event waits for its column; then its owner is to act, A first."""
    s.to_act = 0 if s.aims[0] > 0 else 1
    return s.aims[s.to_act] > 0


@rule
def first_unaimed(s: State, p: int) -> int:
    """H26: of the events of player p that wait for a column, the one that was flipped first."""
    i = 0
    while s.place[p, i] != UNAIMED:
        i += 1
    return i


@move(Phase.CHOOSE_COLUMN, at=6, always=True)
def aim(t: Table, s: State, column: Column) -> None:
    """H26: the column of an event of yours."""
    p = s.to_act
    i = first_unaimed(s, p)
    s.place[p, i] = BESIDE + column
    s.aims[p] -= 1
    tell(s, Event.AIMED, p, s.field[p, i], column)
    go_on(t, s)


@rule
def draw_hands(t: Table, s: State) -> None:
    """ME-14, H23, H28: new hands. A places first, or who is spied on."""
    for p in range(SEATS):
        draw_hand(t, s, p)
    s.phase, s.to_act = Phase.REINF, first_to_place(s)


@rule
def spied(s: State, p: int) -> bool:
    """H28: there is a Spy beside the battlefield, of the enemy of player p alone."""
    return s.spies[p] == 0 and s.spies[1 - p] > 0


@rule
def first_to_place(s: State) -> int:
    """H23, H28: A, but B if B is spied on."""
    return 1 if spied(s, 1) else 0


@rule
def draw_hand(t: Table, s: State, p: int) -> None:
    """ME-14, ME-52: up to three cards into the hand, which is kept in order."""
    n = 0
    while n < HAND:
        card = take_top(t, s, p)
        if card == NOTHING:
            break
        s.hand[p, n] = 1 + card
        n += 1
        tell(s, Event.DREW, p, card)
    s.hand_size[p] = n
    sort_hand(s, p)
    if n > 0:
        tell(s, Event.DREW_UP, p, n)


@rule
def sort_hand(s: State, p: int) -> None:
    """The hand of player p in the order of the kinds; places without a card come last."""
    for i in range(s.hand_size[p] - 1, 0, -1):
        for k in range(i):  # without a branch, which could not be foreseen, it is quicker
            a, b = s.hand[p, k], s.hand[p, k + 1]
            s.hand[p, k], s.hand[p, k + 1] = min(a, b), max(a, b)


@rule
def anyone_to_place(s: State) -> bool:
    """ME-54: whether somebody has cards to place; then they are to act, if possible the same."""
    if s.hand_size[s.to_act] == 0:
        s.to_act = 1 - s.to_act
    return s.hand_size[s.to_act] > 0


@move(Phase.REINF, at=0)
def reinforce(t: Table, s: State, order: Order) -> None:
    """ME-16, ME-17, ME-18, ME-54: your hand face down, each card to another column."""
    p = s.to_act
    for i in range(HAND):
        s.sealed[p, t.column[order, i]] = s.hand[p, i]
        s.hand[p, i] = 0
    s.sealed_size[p], s.hand_size[p] = s.hand_size[p], 0
    if spied(s, p):
        tell(s, Event.PLACED_OPENLY, p, s.sealed[p, 0], s.sealed[p, 1], s.sealed[p, 2])
    else:
        tell(s, Event.PLACED, p, order)
    if s.hand_size[1 - p] > 0:
        s.to_act = 1 - p
    else:
        go_on(t, s)


@allow(reinforce)
def may_reinforce(t: Table, s: State, order: Order) -> bool:
    """ME-69: of equal cards the first goes to the first column, so that no choice comes twice."""
    p = s.to_act
    first = s.hand[p, 0] != s.hand[p, 1] or t.column[order, 0] < t.column[order, 1]
    return first and (s.hand[p, 1] != s.hand[p, 2] or t.column[order, 1] < t.column[order, 2])


@rule
def turn_up(t: Table, s: State) -> None:
    """ME-19, ME-20, ME-21, H4: all reinforcements face up, then what they call for."""
    s.phase = Phase.TURNED_UP
    for p in range(SEATS):
        s.sealed_size[p] = 0
        for c in range(COLUMNS):
            s.calls[p, c] = 0
            if s.sealed[p, c] > 0:
                card = s.sealed[p, c] - 1
                s.sealed[p, c] = 0
                s.calls[p, c] = t.another[card]
                put(t, s, p, card, c)
                tell(s, Event.TURNED_UP, p, card, c)
    for p in range(SEATS):
        for c in range(COLUMNS):
            if s.calls[p, c] > 0:
                play_out(t, s, p, c, True, False)
    s.phase = Phase.SWAP


@rule
def anyone_to_swap(t: Table, s: State) -> bool:
    """H27: whether somebody may swap two columns; then they are to act, A first."""
    for p in range(SEATS):
        if s.swaps[p] > 0:
            s.to_act = p
            for i in range(PAIRS):
                if not alike(s, p, t.pair[i, 0], t.pair[i, 1]):
                    return True
            s.swaps[p] = 0
    return False


@move(Phase.SWAP, at=9)
def swap(t: Table, s: State, pair: Pair) -> None:
    """H27: two of your columns change places."""
    p, a, b = s.to_act, t.pair[pair, 0], t.pair[pair, 1]
    exchange(s, p, a, b)
    s.swaps[p] -= 1
    tell(s, Event.SWAPPED, p, a, b)
    go_on(t, s)


@allow(swap)
def may_swap(t: Table, s: State, pair: Pair) -> bool:
    """H27: where the same cards lie, or none, there is nothing to swap."""
    return not alike(s, s.to_act, t.pair[pair, 0], t.pair[pair, 1])


@rule
def exchange(s: State, p: int, a: int, b: int) -> None:
    """H27: the cards of player p in columns a and b change places; events beside them do not."""
    for i in range(s.field_size[p]):
        if s.place[p, i] == a:
            s.place[p, i] = b
        elif s.place[p, i] == b:
            s.place[p, i] = a


@rule
def alike(s: State, p: int, a: int, b: int) -> bool:
    """H27: card for card, from the bottom up, columns a and b of player p are the same."""
    i, k, n = 0, 0, s.field_size[p]
    while True:
        while i < n and s.place[p, i] != a:
            i += 1
        while k < n and s.place[p, k] != b:
            k += 1
        if i == n or k == n:
            return i == k
        if s.field[p, i] != s.field[p, k]:
            return False
        i, k = i + 1, k + 1


@move(Phase.SWAP, at=12, always=True)
def stay(t: Table, s: State) -> None:
    """H27: your columns stay as they are."""
    s.swaps[s.to_act] -= 1
    tell(s, Event.STAYED, s.to_act)
    go_on(t, s)


@rule
def fight(t: Table, s: State) -> None:
    """ME-24, ME-37, ME-45, ME-48: compare, clear, play the ties, clear it all."""
    s.phase = Phase.TURNED_UP
    assassinate(t, s, 0, 0)
    s.phase = Phase.COMPARED
    s.fought = 1
    weigh(t, s)
    for c in range(COLUMNS):
        s.last_result[c] = compare(s, c)
        for p in range(SEATS):
            s.last_total[p, c] = s.total[p, c]
        tell_result(s, c)
    clear_columns(t, s)
    for c in range(COLUMNS):
        if s.last_result[c] == Result.TIE:
            break_tie(t, s, c)
    for p in range(SEATS):
        for i in range(s.field_size[p]):
            retire(s, p, i, 0)
        s.field_size[p] = 0
    s.phase = Phase.BATTLE


@rule
def assassinate(t: Table, s: State, a: int, b: int) -> None:
    """ME-25, H29: Assassins among the cards of A from the a-th on, and of B from the b-th, kill.

    They kill fighters, and are none: so it does not matter who of them comes first.
    """
    if t.assassins == 0:
        return
    for p in range(SEATS):
        for c in range(COLUMNS):
            s.blades[p, c] = 0
        for i in range(b if p == 1 else a, s.field_size[p]):
            if s.place[p, i] < COLUMNS:
                s.blades[p, s.place[p, i]] += t.assassin[s.field[p, i]]
    for p in range(SEATS):
        for c in range(COLUMNS):
            for _ in range(s.blades[p, c]):
                kill(t, s, 1 - p, c)


@rule
def kill(t: Table, s: State, p: int, c: int) -> None:
    """H29: the highest fighter of a column, of equals the oldest, goes to the Graveyard."""
    found, most = CARDS, -1
    for i in range(s.field_size[p]):
        card = s.field[p, i]
        if s.place[p, i] == c and t.fighter[card] > 0 and t.value[card] > most:
            found, most = i, t.value[card]
    if found < CARDS:
        card = s.field[p, found]
        s.graveyard[p, card] += 1
        leave(s, p, found)
        tell(s, Event.KILLED, p, card, c)


@rule
def break_tie(t: Table, s: State, c: int) -> None:
    """ME-38..41, ME-46, ME-47, H11: one more card from each, until one is higher or none left."""
    while s.last_result[c] == Result.TIE:
        before_a, before_b = s.field_size[0], s.field_size[1]
        a = play_out(t, s, 0, c, False, False)
        b = play_out(t, s, 1, c, False, False)
        assassinate(t, s, before_a, before_b)
        weigh(t, s)
        s.last_result[c] = compare(s, c) if a or b else Result.DEADLOCK
        tell_result(s, c)
    clear_columns(t, s)


@rule
def clear_columns(t: Table, s: State) -> None:
    """ME-31, ME-34, ME-35, ME-37, ME-43, ME-47, H30: the cards of the decided columns go."""
    for p in range(SEATS):
        for c in range(COLUMNS):
            s.alive[c] = 1 if s.last_result[c] == Result.A + p else 0
            if s.last_result[c] == Result.DEADLOCK:
                s.alive[c] = t.both_survive
        if t.saviors > 0:
            save(t, s, p)
        n = 0
        for i in range(s.field_size[p]):
            c = s.place[p, i]
            if c >= COLUMNS or s.last_result[c] == Result.TIE:
                s.field[p, n], s.place[p, n] = s.field[p, i], c
                n += 1
            else:
                retire(s, p, i, s.alive[c])
        s.field_size[p] = n


@rule
def save(t: Table, s: State, p: int) -> None:
    """H30: for each lost column somebody dies, of several the oldest, and all the others live."""
    i = 0
    while i < s.field_size[p]:
        card, c = s.field[p, i], s.place[p, i]
        dies = t.savior[card] > 0 and s.alive[c] == 0 and s.last_result[c] != Result.TIE
        if dies:
            s.alive[c] = 1
            retire(s, p, i, 0)
            leave(s, p, i)
            tell(s, Event.SAVED, p, card, c)
        else:
            i += 1


@rule
def retire(s: State, p: int, i: int, alive: int) -> None:
    """ME-24, ME-34..36: a card leaves the battlefield, to its owner's Survivors (alive is 1) or
    Graveyard (0).
    """
    card = s.field[p, i]
    # without a branch, which could not be foreseen, it is quicker
    s.survivors[p, s.survivors_size[p]] = card * alive
    s.survivors_size[p] += alive
    s.graveyard[p, card] += 1 - alive


@rule
def tell_result(s: State, c: int) -> None:
    """Says what has become of a column."""
    result = s.last_result[c]
    if result == Result.TIE:
        tell(s, Event.TIED, 0, c, s.total[0, c])
    elif result == Result.DEADLOCK:
        tell(s, Event.DEADLOCKED, 0, c)
    elif result != Result.NOBODY:
        p = result - Result.A
        tell(s, Event.WON_COLUMN, p, c, s.total[p, c], s.total[1 - p, c])


# ---- the end ------------------------------------------------------------------------------------
@rule
def is_out(s: State, p: int) -> bool:
    """ME-56, ME-57, H15, H19: between two battles, neither deck nor Survivors are left."""
    return s.deck_size[p] + s.survivors_size[p] == 0


@rule
def end(s: State) -> None:
    """ME-2, ME-56, ME-58, H15, H16: who alone has cards left has won."""
    s.phase = Phase.OVER
    for p in range(SEATS):
        if is_out(s, p):
            tell(s, Event.OUT, p)
    if is_out(s, 0) == is_out(s, 1):
        tell(s, Event.DRAWN, 0)
    else:
        s.winner = 2 if is_out(s, 0) else 1
        tell(s, Event.WON, s.winner - 1)


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """ME-56, ME-58: +1 and -1, or 0 for both."""
    for p in range(SEATS):
        out[p] = 0 if s.winner == 0 else 1 if s.winner == 1 + p else -1


@rule
def max_length(t: Table, seats: int) -> int:
    """ME-59, H16: two decisions a battle; each battle costs a card, unless deadlocks cost none.

    One more for each event that leaves something to its owner: it goes to the Graveyard (ME-24).
    """
    battles = t.max_battles
    if t.both_survive == 0 and battles > SEATS * CARDS - 1:
        battles = SEATS * CARDS - 1
    choosing = 0
    for card in range(KINDS):
        choosing += t.copies[card] * (t.aim[card] + t.swap[card])
    return SEATS * (battles + choosing)
