"""War Zone: what a seat may know of the deck, and random truths that fit what it knows."""

from __future__ import annotations

from ...core.counting import add_counted, add_piled, heap_up
from ...core.rules import Row, rule, shuffle
from .rules import CARDS, KINDS, State, Table, place_in_deck


@rule
def reveal(t: Table, s: State, o: State, seat: int) -> None:
    """W46: the player who put a card under the deck knows it, until the next shuffle."""
    if seat >= 0:
        for i in range(CARDS):
            o.deck[i] = s.deck[i] if s.laid_by[i] == seat + 1 else 0


@rule
def is_known(o: State, depth: int, seat: int) -> bool:
    """This seat put the card with `depth` cards above it there itself."""
    return seat >= 0 and o.laid_by[place_in_deck(o, depth)] == seat + 1


@rule
def determinize(t: Table, o: State) -> None:
    """All cards this seat does not see, shuffled: to the other hands, the rest to the deck."""
    me = o.viewer - 1
    n = heap_up_the_unseen(o, me)
    shuffle(o, o.heap, n)
    for p in range(o.seats):
        if p != me:
            for _ in range(o.hand_size[p]):
                n -= 1
                o.hands[p, o.heap[n]] += 1
    for depth in range(o.deck_size):
        if not is_known(o, depth, me):
            n -= 1
            o.deck[place_in_deck(o, depth)] = o.heap[n]


@rule
def heap_up_the_unseen(o: State, me: int) -> int:
    """All cards, less what this seat sees; returns how many cards that are."""
    for card in range(KINDS):
        o.unseen[card] = o.stock[card] - o.removed[card]
    if me >= 0:
        add_counted(o.unseen, 0, o.hands[me], KINDS, -1)
    add_piled(o.unseen, 0, o.pile, o.pile_size, -1)
    for depth in range(o.deck_size):
        if is_known(o, depth, me):
            o.unseen[o.deck[place_in_deck(o, depth)]] -= 1
    return heap_up(o.heap, 0, o.unseen, KINDS)


@rule
def census(s: State, count: Row) -> None:
    """Adds up the cards of each kind in all places: always the stock."""
    add_counted(count, 0, s.removed, KINDS, 1)
    for p in range(s.seats):
        add_counted(count, 0, s.hands[p], KINDS, 1)
    add_piled(count, 0, s.pile, s.pile_size, 1)
    for depth in range(s.deck_size):
        count[s.deck[place_in_deck(s, depth)]] += 1
