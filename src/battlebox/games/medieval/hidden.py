"""Medieval: random truths that fit what a seat knows, and the count of all cards.

What hides is said where the fields are declared: decks from all, hands and reinforcements that
lie face down from the other side. What is placed before a Spy lies open. What is in the other's
deck and hand together, everybody can work out.
"""

from __future__ import annotations

from ...core.rules import Row, draw, rule, shuffle
from .rules import CARDS, COLUMNS, KINDS, ORDERS, SEATS, State, Table, sort_hand, spied


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
        n = heap_up_the_unseen(o, p)
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
def heap_up_the_unseen(o: State, p: int) -> int:
    """The cards of player p that the viewer does not see; returns how many they are."""
    for card in range(KINDS):
        o.unseen[card] = o.stock[p, card] - o.graveyard[p, card]
    for i in range(o.survivors_size[p]):
        o.unseen[o.survivors[p, i]] -= 1
    for i in range(o.field_size[p]):
        o.unseen[o.field[p, i]] -= 1
    for i in range(COLUMNS):  # blank if the viewer does not see them
        if o.hand[p, i] > 0:
            o.unseen[o.hand[p, i] - 1] -= 1
        if o.sealed[p, i] > 0:
            o.unseen[o.sealed[p, i] - 1] -= 1
    n = 0
    for card in range(KINDS):
        for _ in range(o.unseen[card]):
            o.heap[n] = card
            n += 1
    return n


@rule
def census(s: State, count: Row) -> None:
    """ME-1, ME-36: adds up each player's cards of each kind in all places."""
    for p in range(SEATS):
        first = p * KINDS
        for card in range(KINDS):
            count[first + card] += s.graveyard[p, card]
        for i in range(CARDS):
            if i < s.survivors_size[p]:
                count[first + s.survivors[p, i]] += 1
            if i < s.deck_size[p]:
                count[first + s.deck[p, i]] += 1
            if i < s.field_size[p]:
                count[first + s.field[p, i]] += 1
        for i in range(COLUMNS):
            if s.hand[p, i] > 0:
                count[first + s.hand[p, i] - 1] += 1
            if s.sealed[p, i] > 0:
                count[first + s.sealed[p, i] - 1] += 1
