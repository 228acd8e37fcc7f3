"""What learners of Battle are told of sets: who may beat them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import battlebox as bb

from .sets import TENTHS
from .state import COPIES, RANKS, Phase
from .testing import at, load, walk

WORLDS = 150


def told(rules: bb.Ruleset, seen: Any, name: str) -> Any:
    """A feature of an observation or a truth."""
    encoder = rules.plain().encoder()
    f = encoder.features[name]
    return encoder(seen)[0][f.columns].reshape(f.shape)


def truth(position: str) -> tuple[bb.Ruleset, Any]:
    """A position in which all cards are known: the others hold what is known of them."""
    m = at(position)
    return m.rules, m.rules.plain().determinize(m.observation(0), 1).array


def beats(hand: Any, rank: int, number: int) -> bool:
    """BA-33, BA-34: whether this hand could beat so many cards of a rank."""
    return any(n > number or (n == number and x >= rank) for x, n in enumerate(hand[:RANKS]))


def test_a_set_stands_where_none_of_the_others_could_beat_it() -> None:
    """BA-33, BA-34: what nobody knows is as likely as it is dealt."""
    off = list[float]()
    for seed in range(6):
        for k, m in enumerate(walk(seed, players=4, rounds=1)):
            if m.to_act is None or m.phase not in (Phase.LM.name, Phase.LD.name) or k % 3:
                continue
            seen, engine = np.atleast_1d(m.observation(m.to_act)), m.rules.plain()
            found, mine = told(m.rules, seen, "standing"), seen["hands"][0, m.to_act]
            living = seen["living"][0]
            worlds = [engine.determinize(seen[0], i).array["hands"][0] for i in range(WORLDS)]
            for rank in range(RANKS):
                assert not found[rank, mine[rank] :].any(), "of what is not held nothing is told"
                for number in range(1, 1 + mine[rank]):
                    stood = [
                        not any(
                            beats(hands[q], rank, number)
                            for q in range(4)
                            if q != m.to_act and living[q]
                        )
                        for hands in worlds
                    ]
                    off.append(found[rank, number - 1] - float(np.mean(stood)))
    assert len(off) > 40
    assert abs(np.mean(off)) < 0.03
    assert max(map(abs, off)) < 0.2, "a standard error is 0.04"


def test_who_sees_all_hands_is_told_how_often_each_loses_the_lead() -> None:
    """BA-33, BA-39: of two hands that are known, three 3s and a 9 against 12 and 5."""
    text = (
        "ba1 n=4 ph=LD turn=0 ids=H.V.H.V hand0=3.3.3.9 hand1=12.5 hand2=- hand3=- "
        "disc=BT.7 score=0.0.0.0"
    )
    m = at(text)
    rules, state = m.rules, np.atleast_1d(m.observation(0)).copy()
    assert told(rules, state, "losing")[1] == 0, "a hand that nobody has seen"
    state["known"][0, 1] = 0
    state["hands"][0, 1, [11, 4]] = 1
    found = told(rules, state, "losing") * TENTHS * 7
    assert found[0] == pytest.approx(TENTHS), "the 9 loses it to the 12"
    assert found[1] == pytest.approx(2 * TENTHS), "the three 3s beat either"
    assert told(rules, state, "standing")[[2, 2, 2, 8], [0, 1, 2, 0]] == pytest.approx([0, 1, 1, 0])


def test_there_is_room_for_each_set() -> None:
    assert told(load(), np.atleast_1d(load().match(seed=1).observation(0)), "standing").shape == (
        RANKS,
        COPIES,
    )
