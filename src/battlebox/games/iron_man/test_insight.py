"""What a search of the Iron Man Game of War is told to expect."""

from __future__ import annotations

import pytest

from battlebox.core.laws import expected
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
