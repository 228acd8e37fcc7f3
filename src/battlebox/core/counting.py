"""Rules for a game's hidden.py: they count what lies in rows of cards, and lay out what is counted.

`into` counts cards by kind, from cell `first` on; `by` is 1, or -1 for what is taken away.
"""

from __future__ import annotations

from .rules import Row, rule


@rule
def add_counted(into: Row, first: int, counts: Row, kinds: int, by: int) -> None:
    """Cards that are counted by kind."""
    for card in range(kinds):
        into[first + card] += by * counts[card]


@rule
def add_piled(into: Row, first: int, pile: Row, n: int, by: int) -> None:
    """The first n cards of a pile."""
    for i in range(n):
        into[first + pile[i]] += by


@rule
def add_slots(into: Row, first: int, slots: Row, n: int, by: int) -> None:
    """What lies in n slots: 1 + the kind, or 0."""
    for i in range(n):
        if slots[i] > 0:
            into[first + slots[i] - 1] += by


@rule
def heap_up(heap: Row, n: int, counts: Row, kinds: int) -> int:
    """Cards counted by kind, laid behind the first n of the heap; returns how many it then has."""
    for card in range(kinds):
        for _ in range(counts[card]):
            heap[n] = card
            n += 1
    return n
