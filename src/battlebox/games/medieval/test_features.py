"""What learners of Medieval are told: totals, and what each order of the hand comes to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import battlebox as bb
from battlebox.games.medieval.testing import COURT, at, walk

from .features import DEAR, MOST, REINFORCE, SURE, TENTHS, candidate_features
from .rules import COLUMNS, HAND, Phase

CARDS = "A deck={} hand={} cols={} B deck={} hand={} cols={} stage=reinf"


def told(m: bb.Match, seat: int) -> dict[str, Any]:
    """By feature; seats from the one that looks on."""
    encoder = m.rules.plain().encoder()
    row = encoder(np.atleast_1d(m.observation(seat)))[0]
    return {k: row[f.columns].reshape(f.shape) for k, f in encoder.features.items()}


def said(m: bb.Match) -> dict[int, dict[str, Any]]:
    """By legal action, what it comes to."""
    engine = m.rules.plain()
    build = engine.build
    seen = build.access(np.atleast_1d(m.observation(m.to_act)).copy())[0]
    found = dict[int, dict[str, Any]]()
    for k, a in enumerate(m.legal_actions):
        c = np.zeros(1, build.candidate_features.layout)
        candidate_features(engine.tt[0], seen, a, k, build.access(c)[0])
        found[a] = {name: c[name][0].tolist() for name in c.dtype.names or ()}
    return found


def test_totals_are_told_as_ones_own_and_the_enemys() -> None:
    m = at(CARDS.format("5555", "123", "4/5/6", "5555", "123", "7/1/44"))
    mine, theirs = (told(m, p)["totals"] * MOST for p in (0, 1))
    assert mine == pytest.approx(np.array([[4, 5, 6], [7, 1, 8]]), abs=1e-4)
    assert theirs == pytest.approx(mine[::-1])


def test_what_the_cards_of_a_column_are_worth_is_at_stake() -> None:
    m = at(CARDS.format("5555", "123", "9/1/5", "5555", "123", "5/5/5"))
    stakes = told(m, 0)["stakes"] * DEAR
    assert stakes[0, 0] > 5 > stakes[0, 2] > stakes[0, 1]
    assert stakes[1] == pytest.approx([stakes[0, 2]] * 3)


def test_who_has_the_better_cards_left_is_ahead() -> None:
    m = at(CARDS.format("9995", "123", "4/4/4", "5555", "123", "4/4/4"))
    assert told(m, 0)["ahead"] == -told(m, 1)["ahead"] > 0
    even = at(CARDS.format("5555", "123", "4/4/4", "5555", "123", "4/4/4"))
    assert told(even, 0)["ahead"] == 0


def test_what_a_card_brings_on_average_is_that_of_the_unseen() -> None:
    m = at(CARDS.format("7777", "777", "4/4/4", "2222", "222", "4/4/4"))
    assert told(m, 0)["usual"] * MOST == pytest.approx([7, 2])
    assert told(m, 1)["usual"] * MOST == pytest.approx([2, 7])


def test_an_order_is_told_by_the_chance_to_win_each_column() -> None:
    """The enemy holds fives alone: what lies there and five are to be beaten."""
    m = at(CARDS.format("5555", "168", "4/4/4", "5555", "555", "1/4/8"))
    found = said(m)
    assert len(found) == 6
    orders = m.rules.numbers.column
    for a, x in found.items():
        cards = [0] * COLUMNS
        for i, card in enumerate((1, 6, 8)):
            cards[orders[a - REINFORCE][i]] = card
        wins = [
            SURE if 4 + card > other + 5 else SURE // 2 if 4 + card == other + 5 else 0
            for card, other in zip(cards, (1, 4, 8), strict=True)
        ]
        assert (x["there"], x["wins"], x["columns"]) == (1, wins, sum(wins))
        assert x["adds"] == [TENTHS * card for card in cards]
    best = max(found.values(), key=lambda x: int(x["columns"]))
    assert best["wins"] == [SURE, SURE, 0], "8 in the middle, 6 at the first"


def test_what_lies_there_openly_is_what_is_to_be_beaten() -> None:
    """H28: who is spied on places first, for all to see."""
    seen = 0
    for m in walk(3, **COURT):
        if m.phase != "REINF" or m.to_act is None:
            continue
        o = m.rules.plain().build.access(np.atleast_1d(m.observation(m.to_act)).copy())[0]
        open_cards = [o.sealed[1 - m.to_act, c] for c in range(COLUMNS)]
        if not any(open_cards):
            continue
        for x in said(m).values():
            for c in range(COLUMNS):
                if open_cards[c]:
                    assert x["wins"][c] in (0, SURE // 2, SURE)
                    seen += 1
    assert seen > 5


def test_events_and_columns_that_change_places_are_told_too() -> None:
    asked = set[str]()
    for seed in range(6):
        for m in walk(seed, **COURT):
            if m.to_act is None or m.phase == "REINF":
                continue
            asked.add(m.phase)
            found = said(m)
            assert all(x["there"] == 1 for x in found.values())
            if m.phase == "SWAP":  # all lies open
                assert all({*x["wins"]} <= {0, SURE // 2, SURE} for x in found.values())
    assert asked >= {Phase.CHOOSE_COLUMN.name, Phase.SWAP.name}


def test_numbers_have_room() -> None:
    """What is told of matches played at random hardly ever ends at the largest number."""
    full, n = 0, 0
    for options in ({}, COURT):
        for m in walk(5, **options):
            if m.to_act is None:
                continue
            x = told(m, m.to_act)
            full += int((abs(x["totals"]) == 1).sum() + (abs(x["stakes"]) == 1).sum())
            n += x["totals"].size + x["stakes"].size
            assert len(x["hand_brings"]) == HAND
    assert n > 500
    assert full < n / 100, (full, n)
