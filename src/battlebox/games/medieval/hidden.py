"""Medieval: random truths that fit what a seat knows, and the count of all cards.

What hides is said where the fields are declared: decks from all, hands and reinforcements that
lie face down from the other side. What is placed before a Spy lies open. What is in the other's
deck and hand together, everybody can work out.
"""

from __future__ import annotations

from ...core.counting import add_counted, add_piled, add_slots, heap_up
from ...core.rules import Row, draw, rule, shuffle
from .rules import COLUMNS, HAND, KINDS, ORDERS, SEATS, State, Table, sort_hand, spied


@rule
def reveal(t: Table, s: State, o: State, seat: int) -> None:
    """H28: all see what a player places who is spied on."""
    for p in range(SEATS):
        if spied(s, p):
            for c in range(COLUMNS):
                o.sealed[p, c] = s.sealed[p, c]


@rule
def determinize(t: Table, o: State) -> None:
    """H17, H18: each player's unseen cards, shuffled: to hand, face-down places and deck."""
    for p in range(SEATS):
        count_unseen(o, p)
        n = heap_up(o.heap, 0, o.unseen[p], KINDS)
        shuffle(o, o.heap, n)
        if o.viewer != 1 + p:
            n -= o.hand_size[p]
            for i in range(o.hand_size[p]):
                o.hand[p, i] = 1 + o.heap[n + i]
            sort_hand(o, p)
            if not spied(o, p):
                n -= o.sealed_size[p]
                order = draw(o, ORDERS)
                for i in range(o.sealed_size[p]):
                    o.sealed[p, t.column[order, i]] = 1 + o.heap[n + i]
        for i in range(n):
            o.deck[p, i] = o.heap[i]


@rule
def count_unseen(o: State, p: int) -> None:
    """unseen = the cards of player p that the viewer does not see: in the deck, and what is the
    enemy's in the hand and face down at the columns.
    """
    for card in range(KINDS):
        o.unseen[p, card] = o.stock[p, card]
    count_all_but_deck(o, p, o.unseen[p], 0, -1)


@rule
def count_all_but_deck(s: State, p: int, count: Row, first: int, by: int) -> None:
    """The cards of player p in all places but the deck; in an observation, those that are seen."""
    add_counted(count, first, s.graveyard[p], KINDS, by)
    add_piled(count, first, s.survivors[p], s.survivors_size[p], by)
    add_piled(count, first, s.field[p], s.field_size[p], by)
    add_slots(count, first, s.hand[p], HAND, by)
    add_slots(count, first, s.sealed[p], COLUMNS, by)


@rule
def census(s: State, count: Row) -> None:
    """ME-1, ME-36: adds up each player's cards of each kind in all places."""
    for p in range(SEATS):
        count_all_but_deck(s, p, count, p * KINDS, 1)
        add_piled(count, p * KINDS, s.deck[p], s.deck_size[p], 1)
