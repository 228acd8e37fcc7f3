"""That a search of Battle looks to the end of the round, and no further."""

from __future__ import annotations

import random

import numpy as np
import pytest

import battlebox as bb
from battlebox.bots.search import SearchBot

from .insight import ends_search, evaluate
from .testing import at, load


def judged(m: bb.Match) -> list[int] | None:
    """What the seats may expect, or None where nothing is said."""
    engine = m.rules.plain()
    out = engine.build.sight(np.zeros(m.rules.players))
    said = evaluate(engine.tt[0], m.state, out)
    assert said == ends_search(engine.tt[0], m.state)
    return [int(x) for x in out] if said else None


def test_a_round_is_judged_when_the_next_is_dealt_and_at_no_other_time() -> None:
    """Over whole matches: once a round but the first, by who has won it."""
    said = 0
    for seed in range(6):
        m, dice, rounds = load(players=5, target_points=3).match(seed), random.Random(seed), 1
        while m.to_act is not None:
            worth = judged(m)
            assert (worth is not None) == (m.state.round > rounds)
            if worth is not None:
                rounds, said = rounds + 1, said + 1
                won = [m.state.last_identity[p] == m.state.last_side for p in range(5)]
                assert worth == [1 if x else -1 for x in won]
            m.submit(m.to_act, dice.choice(m.actions))
    assert said > 6


def test_a_void_round_is_worth_nothing() -> None:
    m = load(players=4, max_turns=1).match(1)
    while judged(m) is None:
        assert m.to_act is not None
        m.submit(m.to_act, m.actions[-1])
    assert judged(m) == [0, 0, 0, 0]


WINNING = (
    "ba1 n=4 ph=FL turn=0 ids=H.V.H.V exp=1.3 hand0=SK hand1=12.12 hand2=5 hand3=9.8.7 "
    "disc=BT stand=9x2@3 open=0.1"
)


@pytest.mark.parametrize("score", ["0.0.0.0", "1.4.0.4"])
def test_the_search_takes_the_round_that_it_can_have(score: str) -> None:
    """Also where random play of the rounds to come would say that all is lost."""
    m = at(f"{WINNING} score={score}")
    visits = SearchBot(m.rules, 200, seed=1, compiled=False).visits(m.observation(0))
    assert m.rules.game.notation.word(m.rules, m.state, max(visits, key=visits.__getitem__)) == "ID"


def test_the_search_has_no_nodes_beyond_the_round() -> None:
    """All simulations that play the identity end there: what it is worth is certain."""
    m = at(WINNING)
    bot = SearchBot(m.rules, 100, seed=1, compiled=False)
    bot.visits(m.observation(0))
    tree = bot._work.tree
    node = tree[0].first
    while node and tree[node].action != m.rules.game.notation.action(m.rules, m.state, "ID"):
        node = tree[node].next
    assert node
    assert tree[node].first == 0
    assert tree[node].value == tree[node].visits > 50
