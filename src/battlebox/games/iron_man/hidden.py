"""Iron Man Game of War: random truths that fit what a seat knows."""

from __future__ import annotations

from ...core.counting import add_counted, add_piled, add_slots, heap_up
from ...core.rules import Row, rule, shuffle
from .rules import BATTLES, KINDS, SEATS, Phase, State, Table


@rule
def determinize(t: Table, o: State) -> None:
    """H15, H20: what this seat does not see is shuffled, each player's own cards.

    Players know their own deck but for its order.
    """
    for p in range(SEATS):
        n = heap_up_the_unseen(o, p)
        shuffle(o, o.heap, n)
        if p != o.viewer - 1:
            n = determinize_held(o, p, n)
        for i in range(n):
            o.deck[p, i] = o.heap[i]


@rule
def determinize_held(o: State, p: int, n: int) -> int:
    """Hand, slots, sealed card and buried cards of a player whom the viewer is not, from n cards of
    the heap; returns how many are left.

    Cards that they are known to hold come to where they may be (H20).
    """
    m = heap_up(o.held, 0, o.known[p], KINDS)
    more = cards_held(o, p)
    for card in range(KINDS):
        more -= o.salvaged[p, card]
    while m < more:
        n -= 1
        o.held[m] = o.heap[n]
        m += 1
    shuffle(o, o.held, m)
    for b in range(BATTLES):
        if o.covered[p, b] > 0:
            m -= 1
            o.slots[p, b] = 1 + o.held[m]
    m = heap_up(o.held, m, o.salvaged[p], KINDS)
    shuffle(o, o.held, m)
    if is_sealed(o, p):
        m -= 1
        o.sealed[p] = 1 + o.held[m]
    for i in range(m):
        o.hands[p, o.held[i]] += 1
    for _ in range(o.buried_size[p]):
        n -= 1
        o.buried[p, o.heap[n]] += 1
    return n


@rule
def is_sealed(o: State, p: int) -> bool:
    """Player p has chosen in a standoff, and the other has not."""
    return o.phase == Phase.STAND and p < o.to_act


@rule
def cards_held(o: State, p: int) -> int:
    """How many cards of player p are in hand, in slots and sealed."""
    n = o.hand_size[p]  # which counts what is sealed, and while they are placed slots as well
    if o.phase != Phase.PLACE:
        for b in range(BATTLES):
            n += o.covered[p, b]
    return n


@rule
def heap_up_the_unseen(o: State, p: int) -> int:
    """All cards of player p, less those that the viewer sees or knows them to hold."""
    for card in range(KINDS):
        o.unseen[card] = o.stock[p, card]
    count_all_but_deck(o, p, o.unseen, 0, -1)
    if p != o.viewer - 1:
        add_counted(o.unseen, 0, o.known[p], KINDS, -1)
        add_counted(o.unseen, 0, o.salvaged[p], KINDS, -1)
    return heap_up(o.heap, 0, o.unseen, KINDS)


@rule
def count_all_but_deck(s: State, p: int, count: Row, first: int, by: int) -> None:
    """The cards of player p in all places but the deck; in an observation, those that are seen.

    IM-26..28: the lines of the present battle, and those that won theirs, are cards.
    """
    add_counted(count, first, s.hands[p], KINDS, by)
    add_counted(count, first, s.discard[p], KINDS, by)
    add_counted(count, first, s.buried[p], KINDS, by)
    add_slots(count, first, s.slots[p], BATTLES, by)
    if s.sealed[p] > 0:
        count[first + s.sealed[p] - 1] += by
    for b in range(BATTLES):
        if s.battle > 0 and (b == s.battle - 1 or s.result[b] == 1 + p):
            at = SEATS * b + p
            add_piled(count, first, s.line[at], s.line_size[at], by)


@rule
def census(s: State, count: Row) -> None:
    """Adds up the cards of each kind in all places, for each player: always the stock."""
    for p in range(SEATS):
        count_all_but_deck(s, p, count, p * KINDS, 1)
        add_piled(count, p * KINDS, s.deck[p], s.deck_size[p], 1)
