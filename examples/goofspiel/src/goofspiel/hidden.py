"""Goofspiel: random truths that fit what a seat knows."""

from __future__ import annotations

from battlebox.core.rules import pick, rule

from .rules import Phase, State, Table, lay_deck


@rule
def determinize(t: Table, o: State) -> None:
    """GO-3, GO-6: the prizes to come in some order, and some card for each bid not seen."""
    lay_deck(t, o)
    for p in range(o.seats):
        if o.phase == Phase.BID and p < o.to_act and p != o.viewer - 1:
            n = 0
            for card in range(t.cards):
                if o.hands[p, card] > 0:
                    o.heap[n] = card
                    n += 1
            o.bids[p] = 1 + pick(o, o.heap, n)
