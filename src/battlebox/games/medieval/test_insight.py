"""What a search of Medieval is told to expect."""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.core.laws import expected, led_to
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


def test_a_battle_leads_to_columns_and_graveyards() -> None:
    """Strong are those that are better than another card: here 9 and King, not 1, not an Event."""
    m = at(
        CARDS.format("5", "5").replace(
            "deck=5 hand=123 cols=4/4/4 B", "deck=5 grave=19C hand=123 cols=4/4/4 B"
        )
    )
    assert led_to(m, 0) == [0, 0, -1, 0, -2, 0]
    assert led_to(m, 1) == [0, 0, 0, 1, 0, 2]


def test_it_is_told_before_the_next_battle_and_at_the_end() -> None:
    for m in walk(1):
        last = [x for x in m.facts()["last.result"] if x in "AB"]
        led = led_to(m, 0)
        assert (led is not None) == (expected(m) is not None) or m.over
        if led is not None:
            assert led[:2] == [last.count("A"), -last.count("B")]
            dead = [sum(m.state.graveyard[p]) for p in (0, 1)]
            assert (led[2] + led[4], led[3] + led[5]) == (-dead[0], dead[1])
