"""What a search of the Iron Man Game of War is told to expect."""

from __future__ import annotations

import pytest

from battlebox.core.laws import expected, led_to
from battlebox.games.iron_man.testing import at, load, play_on


def worth(mine: int, theirs: int, hand: str = "1122334") -> float:
    """What A may expect with A's pawn on this victory card, B's on that."""
    said = expected(at(f"A pawn={mine} hand={hand} B pawn={theirs} hand=1122334 stage=place"))
    assert said is not None
    assert said[0] == -said[1]
    return said[0]


@pytest.mark.parametrize("mode", ["advanced", "beginner"])
def test_a_round_is_judged_before_anybody_places(mode: str) -> None:
    """Once a round, when all have been dealt their hands."""
    rounds, m = [], load(mode=mode).match(3)
    while not m.over:
        judged = expected(m) is not None
        covered = any(m.state.covered[p, b] for p in (0, 1) for b in range(3))
        assert judged == (m.phase == "PLACE" and not covered)
        rounds += [m.state.round] * judged
        play_on(m, 1, len(m.history))
    assert rounds == list(range(1, m.state.round + 1))
    assert len(rounds) > 2


def test_the_pawn_that_is_ahead_and_the_nearer_the_more() -> None:
    assert worth(2, 2) == 0
    assert 0 < worth(2, 1) < worth(3, 2) < worth(4, 2) < 1
    assert worth(1, 3) == -worth(3, 1)


def test_cards_in_hand_are_worth_something() -> None:
    assert worth(2, 2, hand="1122334455") > 0 > worth(2, 2, hand="1122")


def test_a_round_leads_to_battles_pawns_and_hands() -> None:
    m = at("A pawn=2 hand=1122334 B pawn=3 hand=112233 stage=place")
    assert led_to(m, 0) == [0, 0, 2, -3, 7, -6]
    assert led_to(m, 1) == [0, 0, 3, -2, 6, -7]
    play_on(m, 1, 1)
    assert led_to(m, 0) is None
    while led_to(m, 0) is None:
        play_on(m, 1, len(m.history))
    won = [sum(m.state.result[b] == 1 + p for b in range(3)) for p in (0, 1)]
    assert sum(won) > 0
    for p in (0, 1):
        hands = [m.state.hand_size[p], -m.state.hand_size[1 - p]]
        pawns = [m.state.pawn[p], -m.state.pawn[1 - p]]
        assert led_to(m, p) == [won[p], -won[1 - p], *pawns, *hands]
