"""What learners of Medieval are told: totals, and what each order of the hand comes to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import battlebox as bb
from battlebox.games.medieval.testing import COURT, at, load, walk

from .columns import SURE, TENTHS
from .features import DEAR, MOST, REINFORCE, STAY, SWAP, candidate_features
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
    seen, numbers = 0, load(**COURT).numbers
    for m in walk(3, **COURT):
        if m.phase != "REINF" or m.to_act is None:
            continue
        o = m.rules.plain().build.access(np.atleast_1d(m.observation(m.to_act)).copy())[0]
        open_cards = [o.sealed[1 - m.to_act, c] for c in range(COLUMNS)]
        if not any(open_cards):
            continue
        for a, x in said(m).items():
            for c in range(COLUMNS):
                mine = o.hand[m.to_act, list(numbers.column[a - REINFORCE]).index(c)]
                if open_cards[c] and mine and not calling(numbers, open_cards[c], mine):
                    assert x["wins"][c] in (0, SURE // 2, SURE)
                    seen += 1
    assert seen > 5


def calling(numbers: Any, *cards: int) -> bool:
    """Whether one of them has another card come that nobody knows."""
    return any(numbers.another[x - 1] for x in cards)


def first_columns(m: bb.Match) -> dict[str, tuple[int, float]]:
    """By the card that goes there: the chance to win the first column, and what that brings, in
    cards.
    """
    found = dict[str, tuple[int, float]]()
    for a, x in said(m).items():
        found[m.word(a)[0]] = x["wins"][0], x["gains"][0] / TENTHS
    return found


def test_who_calls_for_another_card_may_win_by_any_that_may_come() -> None:
    m = at(CARDS.format("8811", "a45", "4/4/4", "5555", "555", "4/4/4"))
    found = first_columns(m)
    assert [found[x][0] for x in "a45"] == [SURE // 2, 0, SURE // 2], "8s win, 5 is a tie"
    other = first_columns(at(CARDS.format("5555", "459", "4/4/4", "aa81", "aa8", "4/4/4")))
    ones = 100 * (1 / 7 + 4 / 7 * 1 / 7)  # 8 meets 4 + 1, or 4 + 1 + 1
    assert other["4"][0] == other["5"][0] == int(ones) < other["9"][0] < SURE


def test_assassins_on_either_side_are_told() -> None:
    mine = at(CARDS.format("5555", "n45", "4/4/4", "1111", "111", "9/9/9"), **COURT)
    found = first_columns(mine)
    assert [found[x][0] for x in "n45"] == [SURE, 0, 0], "4 + 1 meet 1, without the 9"
    assert found["n"][1] > found["5"][1]
    theirs = at(CARDS.format("5555", "145", "9/4/4", "nnnn", "nnn", "4/4/4"), **COURT)
    assert {x[0] for x in first_columns(theirs).values()} == {0, SURE // 2}, "5 + 0 is a tie"
    lies_there = at(CARDS.format("5555", "145", "9/4/4", "1111", "111", "n/4/4"), **COURT)
    assert first_columns(lies_there)["5"][0] == SURE, "5 meets 1 + 1"
    assert first_columns(lies_there)["1"][0] == 0, "1 meets 2"


def test_a_bishop_dies_for_the_others() -> None:
    lost = CARDS.format("5555", "111", "{}/4/4", "5555", "555", "9X/4/4")
    with_bishop = first_columns(at(lost.format("9p"), **COURT))["1"]
    without = first_columns(at(lost.format("92"), **COURT))["1"]
    assert with_bishop[0] == without[0] == 0
    assert 0 > with_bishop[1] > without[1]
    won = CARDS.format("5555", "555", "9X/4/4", "1111", "111", "{}/4/4")
    less, all_of_them = (first_columns(at(won.format(x), **COURT))["5"][1] for x in ("9p", "92"))
    assert less < all_of_them


def test_a_trap_catches_what_is_placed_if_that_is_the_highest() -> None:
    text = "A deck=5555 hand=189 cols=8/1/1 B deck=1111 hand=111 cols={}/1/1 beside=T1 stage=reinf"
    found = first_columns(at(text.format("8")))
    assert [found[x][0] for x in "189"] == [0, 0, 0]
    found = first_columns(at(text.format("7")))
    assert [found[x][0] for x in "189"] == [0, SURE // 2, SURE // 2], "8 meets 7 + 1"


def test_a_king_who_lies_there_helps_the_queen() -> None:
    text = CARDS.format("5555", "q12", "4/{}/4", "4444", "444", "9/4/4")
    assert first_columns(at(text.format("k")))["q"][0] == SURE, "4 + 5 + 5 meet 9 + 4"
    assert first_columns(at(text.format("X")))["q"][0] == 0, "4 + 5 do not"


def test_columns_that_change_places_leave_what_lies_beside_them() -> None:
    text = "A deck=5 hand=. cols=9/1/5 beside=F1A2 B deck=5 hand=. cols=4/9/6 beside=. stage=swap"
    found = said(at(text, **COURT))
    ways = {"12": SWAP, "13": SWAP + 1, "23": SWAP + 2, "stay": STAY}
    wins = {k: found[a]["wins"] for k, a in ways.items()}
    assert wins["stay"] == [SURE, 0, 0], "9 1+4 5 meet 4 9 6"
    assert wins["12"] == [0, SURE, 0], "1 9+4 5"
    assert wins["13"] == [SURE, 0, SURE], "5 1+4 9"
    assert wins["23"] == [SURE, SURE // 2, 0], "9 5+4 1"


def test_an_event_is_told_for_each_column_that_it_may_help() -> None:
    text = "A deck=55 hand=. cols=4/4/4 beside={}- B deck=55 hand=. cols=4/6/9 beside=. stage=aim"
    ambush = [x["wins"] for x in said(at(text.format("A"), **COURT)).values()]
    assert [x[i] for i, x in enumerate(ambush)] == [SURE, SURE, 0], "8+5 13 meet 9, 11, 14"
    trap = [x["wins"] for x in said(at(text.format("T"), **COURT)).values()]
    assert [x[i] for i, x in enumerate(trap)] == [SURE, SURE, SURE]


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
