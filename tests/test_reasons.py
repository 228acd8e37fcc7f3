"""A reason is what two choices differ in that they lead to, beyond chance and worth a word."""

from __future__ import annotations

import pytest

from battlebox.bots.reasons import Measured, reasons
from battlebox.core.saying import Consequence, Consequences

TOLD = Consequences(
    "when the turn is over",
    (
        Consequence("{n} more card{s}", "{n} fewer card{s}"),
        Consequence("{n} more damage", "{n} less damage", 2),
        Consequence("the lead yours {d} more often", "the lead yours {d} less often", 3),
        Consequence("the ball yours in {a}, not {b}", "the ball yours in {a}, not {b}", 0.1),
    ),
)


def said(*differences: float, error: float = 0.01) -> str:
    """Of a choice that leads to so much more of each, beside one that leads to half of each."""
    one = [Measured(0.5 + x, error) for x in differences]
    other = [Measured(0.5, error) for _ in differences]
    return reasons(one, other, TOLD).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("differences", "words"),
    [
        ((2, 0, 0, 0), "2 more cards"),
        ((1, 0, 0, 0), "1 more card"),
        ((1.46, 0, 0, 0), "1.5 more cards"),
        ((12.3, 0, 0, 0), "12 more cards"),
        ((0, 0, 0.3, 0), "the lead yours 30 % more often"),
        ((1, 1, 0.4, 0), "1 more damage and the lead yours 40 % more often"),
        ((1, 0, -0.2, 0), "1 more card, though the lead yours 20 % less often"),
        ((2, 1.5, -1, 0), "1.5 more damage, though the lead yours over 99 % less often"),
        ((2, 1.5, -0.1, 0), "1.5 more damage and 2 more cards"),
    ],
)
def test_the_two_that_weigh_most_are_told(differences: tuple[float, ...], words: str) -> None:
    assert said(*differences) == words


@pytest.mark.parametrize(
    "differences",
    [(0.2, 0.1, 0.05, 0.4), (-3, -1, -0.2, 0), (0, 0, 0, 0)],
    ids=["too little", "worse in all", "the same"],
)
def test_nothing_is_told_where_nothing_speaks_for_it(differences: tuple[float, ...]) -> None:
    assert said(*differences) == ""


def test_what_may_be_chance_is_not_told() -> None:
    """Two standard errors of the difference."""
    assert said(1, 0, 0, 0, error=0.35) == "1 more card"
    assert said(1, 0, 0, 0, error=0.36) == ""


def test_chances_are_told_as_such() -> None:
    words = reasons(
        [Measured(0.9, 0)], [Measured(0.2, 0)], Consequences("", (TOLD.each[3]._replace(weight=1),))
    )
    assert words.replace("\u00a0", " ") == "the ball yours in 90 %, not 20 %"
    less = reasons(
        [Measured(-0.2, 0)],
        [Measured(-0.9, 0)],
        Consequences("", (TOLD.each[3]._replace(weight=1),)),
    )
    assert less.replace("\u00a0", " ") == "the ball yours in 20 %, not 90 %"
