"""What a search of Medieval is told to expect."""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.core.laws import expected
from battlebox.games.medieval.testing import COURT, at, walk

CARDS = "A deck={} hand=123 cols=4/4/4 B deck={} hand=123 cols=4/4/4 stage=reinf"


def worth(mine: str, theirs: str, **options: Any) -> float:
    """What A may expect with these cards in A's deck against those."""
    said = expected(at(CARDS.format(mine, theirs), **options))
    assert said is not None
    assert said[0] == -said[1]
    return said[0]


@pytest.mark.parametrize("options", [{}, COURT], ids=["default", "court"])
def test_a_battle_is_judged_before_anybody_places(options: dict[str, str]) -> None:
    """Once a battle, when both have their hands."""
    said = battles = 0
    for m in walk(1, **options):
        judged = expected(m) is not None
        nobody = m.phase == "REINF" and not any(m.state.sealed_size[p] for p in (0, 1))
        assert judged == nobody
        said += judged
        battles = m.state.battle
    assert said == battles > 10


def test_cards_that_win_columns_are_worth_most() -> None:
    assert worth("5555", "5555") == 0
    assert 0 < worth("6555", "5555") < worth("9555", "5555") < worth("k555", "5555") < 1
    assert worth("5555", "9555") == -worth("9555", "5555")


def test_a_weak_card_is_worth_less_than_none() -> None:
    assert worth("9991", "999") < 0 < worth("9999", "999")


def test_a_card_that_calls_another_is_worth_more_than_it_shows() -> None:
    assert worth("a55", "155") > 0.01


@pytest.mark.parametrize("card", ["n", "p"])
def test_who_kills_or_saves_is_worth_more_than_he_shows(card: str) -> None:
    assert worth(f"{card}55", "155", **COURT) > 0.01


def test_events_count_nothing() -> None:
    assert worth("555", "555") == worth("555C", "555C") == 0
