"""Iron Man Game of War: random truths that fit what a seat knows."""

from __future__ import annotations

from ...core.rules import Row, rule, shuffle
from .rules import BATTLES, KINDS, SEATS, Phase, State, Table


@rule
def determinize(t: Table, o: State) -> None:
    """H15, H20: what this seat does not see is shuffled, each player's own cards."""
    for p in range(SEATS):
        if p == o.viewer - 1:
            determinize_own_deck(o, p)
        else:
            determinize_cards(o, p)


@rule
def determinize_own_deck(o: State, p: int) -> None:
    """Players know their own deck but for its order."""
    n = heap_up_the_unseen(o, p)
    shuffle(o, o.heap, n)
    for i in range(n):
        o.deck[p, i] = o.heap[i]


@rule
def determinize_cards(o: State, p: int) -> None:
    """Hand, slots, sealed card, buried cards and deck of a player whom the viewer is not.

    Cards that they are known to hold come to where they may be (H20).
    """
    n = heap_up_the_unseen(o, p)
    shuffle(o, o.heap, n)
    m = put_into_held(o.known[p], o, 0)
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
    m = put_into_held(o.salvaged[p], o, m)
    shuffle(o, o.held, m)
    if is_sealed(o, p):
        m -= 1
        o.sealed[p] = 1 + o.held[m]
    for i in range(m):
        o.hands[p, o.held[i]] += 1
    for _ in range(o.buried_size[p]):
        n -= 1
        o.buried[p, o.heap[n]] += 1
    for i in range(n):
        o.deck[p, i] = o.heap[i]


@rule
def put_into_held(cards: Row, o: State, m: int) -> int:
    """Adds these cards, counted by kind, to the m that are held already; returns how many now."""
    for card in range(KINDS):
        for _ in range(cards[card]):
            o.held[m] = card
            m += 1
    return m


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
    mine = p == o.viewer - 1
    for card in range(KINDS):
        o.unseen[card] = o.stock[p, card] - o.discard[p, card]
        if mine:
            o.unseen[card] -= o.hands[p, card] + o.buried[p, card]
        else:
            o.unseen[card] -= o.known[p, card] + o.salvaged[p, card]
    for b in range(BATTLES):
        if o.slots[p, b] > 0:
            o.unseen[o.slots[p, b] - 1] -= 1
    if o.sealed[p] > 0:
        o.unseen[o.sealed[p] - 1] -= 1
    for b in range(BATTLES):
        if is_on_the_table(o, b, p):
            at = SEATS * b + p
            for i in range(o.line_size[at]):
                o.unseen[o.line[at, i]] -= 1
    n = 0
    for card in range(KINDS):
        for _ in range(o.unseen[card]):
            o.heap[n] = card
            n += 1
    return n


@rule
def is_on_the_table(o: State, b: int, p: int) -> bool:
    """IM-26..28: the lines of the present battle, and those that won theirs, are cards."""
    return o.battle > 0 and (b == o.battle - 1 or o.result[b] == 1 + p)


@rule
def census(s: State, count: Row) -> None:
    """Adds up the cards of each kind in all places, for each player: always the stock."""
    for p in range(SEATS):
        first = p * KINDS
        for card in range(KINDS):
            count[first + card] += s.hands[p, card] + s.discard[p, card] + s.buried[p, card]
        for b in range(BATTLES):
            if s.slots[p, b] > 0:
                count[first + s.slots[p, b] - 1] += 1
        if s.sealed[p] > 0:
            count[first + s.sealed[p] - 1] += 1
        for i in range(s.deck_size[p]):
            count[first + s.deck[p, i]] += 1
        for b in range(BATTLES):
            if is_on_the_table(s, b, p):
                at = SEATS * b + p
                for i in range(s.line_size[at]):
                    count[first + s.line[at, i]] += 1
