"""When a round of Battle is judged, and what it was worth."""

from __future__ import annotations

import random

import battlebox as bb
from battlebox.core.laws import expected, led_to

from .insight import ends_search
from .state import RANKS
from .testing import load, walk


def judged(m: bb.Match) -> list[float] | None:
    """What the seats may expect; no search looks further then. None where nothing is said."""
    said = expected(m)
    assert ends_search(m.rules.plain().tt[0], m.state) == (said is not None)
    return said


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
            m.submit(m.to_act, dice.choice(m.legal_actions))
    assert said > 6


def test_a_void_round_is_worth_nothing() -> None:
    m = load(players=4, max_turns=1).match(1)
    while judged(m) is None:
        assert m.to_act is not None
        m.submit(m.to_act, m.legal_actions[-1])
    assert judged(m) == [0, 0, 0, 0]


def test_a_turn_leads_to_cards_a_lead_and_who_is_known() -> None:
    """At the seat's next turn: what it holds, whether it leads, whose sides lie open."""
    seen = set[float]()
    for m in walk(3, players=5, target_points=1):
        s = m.state
        if m.phase not in ("PD", "LM") or s.turn != m.to_act or s.last_side:
            continue
        p = s.turn
        led = led_to(m, p) or []
        ranks = sum(1 for rank in range(RANKS) if s.hands[p, rank])
        known = sum(1 for q in range(5) if q != p and s.exposed[q])
        assert led == [-s.fights[p], -ranks, m.phase == "LM", 1, known, -(s.exposed[p] > 0)]
        assert led_to(m, (p + 1) % 5) is None
        seen.add(led[2])
    assert seen == {0, 1}


def test_who_wins_the_round_gets_all_of_it_and_who_loses_nothing() -> None:
    rounds = 0
    for m in walk(4, players=5, target_points=2):
        if not m.over and expected(m) is None:
            continue
        rounds += 1
        for p in range(5):
            led = led_to(m, p) or []
            if m.state.scored[p]:
                assert led == [0, 0, 1, 1, 4, 0]
            else:
                assert led[2:] == [0, 0, 0, -1]
    assert rounds > 1
