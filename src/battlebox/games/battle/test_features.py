"""What learners of Battle are told: friends and foes, turns, their own sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import battlebox as bb

from .features import Few, Whose
from .testing import at, walk

NOBODY, UNKNOWN, FRIEND, FOE, ME = Whose


def told(m: bb.Match, seat: int) -> dict[str, Any]:
    """By feature: members as numbers, 0 for none; seats from the one that looks on."""
    encoder = m.rules.plain().encoder(onehot=False)
    row = encoder(np.atleast_1d(m.observation(seat)))[0]
    each = {k: row[f.columns].reshape(f.shape) for k, f in encoder.features.items()}
    return {k: x.tolist() for k, x in each.items()}


def position(**changed: str) -> str:
    words = {
        **{"ph": "FL", "turn": "0", "ids": "H.V.H.V", "hand0": "EL.3.3.3.9.SV", "hand1": "12.5"},
        **{"hand2": "2.2.SK", "hand3": "4.9", "disc": "BT.7.9", "stand": "9x1@3"},
        **{"open": "0.1.2", "score": "1.0.2.0"},
    } | changed
    return "ba1 n=4 " + " ".join(f"{k}={x}" for k, x in words.items())


@pytest.mark.parametrize(
    ("exposed", "seat", "wanted"),
    [
        ("-", 0, [ME, UNKNOWN, UNKNOWN, UNKNOWN]),
        ("1", 0, [ME, FOE, UNKNOWN, UNKNOWN]),
        ("1", 1, [ME, UNKNOWN, UNKNOWN, UNKNOWN]),
        ("2", 0, [ME, FOE, FRIEND, FOE]),  # the only friend is known
        ("1.3", 0, [ME, FOE, FRIEND, FOE]),  # both foes are
        ("1.3", 1, [ME, FOE, FRIEND, FOE]),
        ("0.2", 3, [ME, FOE, FRIEND, FOE]),
    ],
)
def test_sides_are_told_as_ones_own_and_the_others(
    exposed: str, seat: int, wanted: list[Whose]
) -> None:
    """BA-4: who knows all of one side knows the other, too."""
    found = told(at(position(exp=exposed)), seat)
    assert found["whose"] == [1 + x for x in wanted]
    most = 5
    assert found["friends"] * most == pytest.approx(wanted.count(FRIEND))
    assert found["foes"] * most == pytest.approx(wanted.count(FOE))
    owner = wanted[(3 - seat) % 4]
    assert found["owner_is"] == 1 + owner


def test_ones_own_cards_and_turns() -> None:
    """BA-25, BA-32: sets, what beats nine, one of them; who comes after whom."""
    found = told(at(position()), 0)
    assert found["own_sets"] == [0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert found["seen_fights"] == [1 + 4, 1, 1, 1]
    assert (found["seen_ranks"], found["beaters"]) == ([1 + 2, 1, 1, 1], 1 + 2)
    assert (found["stand"], found["next_is"]) == (1, 1 + UNKNOWN)
    assert found["cards"] == [1 + 6, 1 + 2, 1 + 3, 1 + 2]
    assert found["turns_until"] == pytest.approx([0.4, 0.1, 0.2, 0.3])
    other = told(at(position()), 1)
    assert (other["seen_ranks"], other["beaters"]) == ([1 + 2, 1, 1, 1], 1 + 1)


def test_of_an_odd_number_one_more_may_be_of_either_side() -> None:
    """B1: the fifth identity is any; with the option it is known."""
    text = (
        "ba1 n=5 ph=LM turn=0 ids=H.V.H.V.V exp=1.2 hand0=9 hand1=12.5 hand2=2.2 hand3=4.9 "
        "hand4=1.1 disc=BT.7.9 score=0.0.0.0.0"
    )
    assert told(at(text), 0)["whose"] == [1 + x for x in (ME, FOE, FRIEND, UNKNOWN, UNKNOWN)]
    fixed = told(at(text, odd_identity="villain"), 0)
    assert fixed["whose"] == [1 + x for x in (ME, FOE, FRIEND, FOE, FOE)]
    assert fixed["strangers"] == 0


def test_in_play_it_is_never_wrong() -> None:
    sure = 0
    for seed in range(4):
        for m in walk(seed, players=5 + seed, target_points=1):
            sides, living = m.state.identity, m.state.living
            for seat in range(m.rules.players if m.to_act is not None else 0):
                found = told(m, seat)
                for k, x in enumerate(found["whose"][: m.rules.players]):
                    p = (seat + k) % m.rules.players
                    known = Whose(int(x) - 1)
                    sure += known in (FRIEND, FOE)
                    assert known is not FRIEND or sides[p] == sides[seat]
                    assert known is not FOE or sides[p] != sides[seat]
                    assert (known is NOBODY) <= (living[p] == 0)
                assert found["cards"][0] == 1 + min(m.state.hand_size[seat], Few.n - 1)
    assert sure > 100


def test_who_is_skipped_has_no_turn_before_the_others() -> None:
    """BA-46: one player is passed over; whose turn it is comes last."""
    found = told(at(position(skip="1")), 0)
    assert found["turns_until"] == pytest.approx([0.3, 0.4, 0.1, 0.2])
    assert found["next_is"] == 1 + UNKNOWN
    other_way = told(at(position(skip="1", dir="R")), 0)
    assert other_way["turns_until"] == pytest.approx([0.3, 0.2, 0.1, 0.4])


def test_while_the_round_goes_on_both_sides_are_in_it() -> None:
    """BA-68, B16: of the friends who are left the one stranger is none."""
    text = position(exp="2", out="3", hand3="-", aside="4.9", stand="9x1@0", open="1.2")
    assert told(at(text), 0)["whose"] == [1 + x for x in (ME, FOE, FRIEND, NOBODY)]


def test_a_spectator_is_told_of_no_side() -> None:
    m = at(position(exp="1"))
    encoder = m.rules.plain().encoder()
    row = encoder(np.atleast_1d(m.observation(None)))[0]
    for name in ("whose", "odds", "cards", "own_sets", "turns_until"):
        assert not row[encoder.features[name].columns].any(), name
