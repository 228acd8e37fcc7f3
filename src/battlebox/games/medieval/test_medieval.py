"""Medieval: every scenario, every rule id, the cards, and what holds in every match.

Expected values come from README.md and DEVELOPERS.md, worked out by hand.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import scenario
from battlebox.core.match import Match
from battlebox.core.random import ChanceSource, Script
from battlebox.games import find
from battlebox.games.medieval import rules
from battlebox.games.medieval.scene import Look
from battlebox.games.medieval.testing import COURT, MODES, at, load, walk

HERE = Path(__file__).parent
GAME = find("medieval")
DEVELOPERS = (HERE / "DEVELOPERS.md").read_text(encoding="utf-8")
SCENARIOS = scenario.parse((HERE / "scenarios.scn").read_text(encoding="utf-8"))


def test_the_readme_has_every_rule_and_ruling() -> None:
    """H1: in the order in which they are played."""
    rulings = [f"H{n}" for n in range(1, 31)]
    assert list(GAME.rulebook) == [*(f"ME-{n}" for n in range(1, 70)), *rulings]


@pytest.mark.parametrize(
    ("deck", "points", "wanted"),
    [
        ("medieval-default", 260, {"fighter": 49, "another": 10, "character": 5, "event": 8}),
        ("medieval-court", 253, {"fighter": 46, "another": 9, "character": 8, "event": 9}),
    ],
)
def test_developers_md_has_the_cards_of_the_deck(
    deck: str, points: int, wanted: dict[str, int]
) -> None:
    """ME-1: 72 cards of 23 kinds, so that all decks that come with the game have one size."""
    r = load(deck=deck)
    cards = r.names.card
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in DEVELOPERS.split(f"### {deck}")[1].split("\n#")[0].splitlines()
        if re.match(r"\| \w \|", line)
    ]
    said = [
        Look.face(r, k).text.removesuffix("counts only when flipped").strip(", ") for k in range(23)
    ]
    assert rows == [
        [c.code, c.name, c.kind, str(c.value), str(c.count), text]
        for c, text in zip(cards, said, strict=True)
    ]
    assert sum(c.count for c in cards) == 72
    assert sum(c.count * c.value for c in cards) == points
    counts = Counter(dict[str, int]())
    for c in cards:
        kind = "another" if c.op == "play_another" else c.kind
        counts[kind] += c.count
    assert counts == wanted


def test_the_default_deck_directs_nothing() -> None:
    """ME-25, H20: nobody is asked anything but where reinforcements go."""
    t = load().numbers
    for row in (t.aim, t.swap, t.spy, t.assassin, t.savior):
        assert not any(row)
    assert {m.phase for seed in range(3) for m in walk(seed)} == {"REINF", "OVER"}


@pytest.mark.parametrize("players", [0, 1, 3])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """ME-1."""
    with pytest.raises(bb.RulesetError, match=f"players = {players}"):
        load(players=players)


# ---- what holds in every match ----
def places(m: Match, name: str) -> dict[str, str]:
    """All cards of player A or B by the place where they lie."""
    f, out = m.facts(), {}
    for key in ("deck", "hand", "sealed", "cols", "surv", "grave"):
        out[key] = re.sub("[./-]", "", f[f"{name}.{key}"])
    out["beside"] = re.sub("[.]", "", f[f"{name}.beside"])[::2]
    return out


def test_the_beginning() -> None:
    """ME-3, ME-4: 72 shuffled cards each, of which the first battle has taken some."""
    orders = set()
    for seed in range(5):
        m = load().match(seed)
        for name in "AB":
            f = m.facts()
            assert (f[f"{name}.surv"], f[f"{name}.grave"], f["battle"]) == (".", ".", "1")
            orders.add(f[f"{name}.deck"])
    assert len(orders) == 10


@pytest.mark.parametrize("options", MODES, ids=str)
def test_all_cards_are_there_after_every_step(options: dict[str, Any]) -> None:
    """ME-1, ME-36, ME-51: 72 of each player, of the same kinds; nothing leaves a Graveyard."""
    wanted = "".join(sorted(c.code * c.count for c in load(**options).names.card))
    dead = Counter[str]()
    for m in walk(3, **options):
        now = Counter[str]()
        for name in "AB":
            found = places(m, name)
            assert sorted("".join(found.values())) == sorted(wanted)
            now += Counter(name + x for x in found["grave"])
        assert not dead - now
        dead = now


@pytest.mark.parametrize("options", [{}, COURT, {**COURT, "event_replacement": False}], ids=str)
def test_every_battle_costs_a_card(options: dict[str, Any]) -> None:
    """ME-59, H16, H30: so that no match takes more than 143 battles."""
    for seed in range(20):
        battle, dead = 0, 0
        for m in walk(seed, **options):
            now = sum(len(places(m, name)["grave"]) for name in "AB")
            if m.state.battle > battle:
                assert battle == 0 or now >= dead + m.state.battle - battle
                battle, dead = m.state.battle, now
        assert m.over
        assert battle <= 143


def test_how_many_decisions_a_match_may_take() -> None:
    """ME-59, H16, H26, H27: two a battle; each event that asks its owner does so once."""

    def most(**options: Any) -> int:
        return rules.max_length(load(**options).plain().tt[0], 2)

    assert most() == 286
    assert most(deadlock="both_survive", max_battles=5) == 10
    assert most(**COURT) == 286 + 2 * 5  # two Ambushes, a Pit Trap, two Feints on each side
    assert most(**COURT, max_battles=5) == 20


@pytest.mark.parametrize("options", [{}, COURT], ids=str)
def test_a_battle_leaves_nothing_behind(options: dict[str, Any]) -> None:
    """ME-21, ME-24, ME-48: before the next flips there is nothing but decks and piles."""
    for m in walk(4, **options):
        f = m.facts()
        if m.phase == "SWAP" or (f["A.hand"] != "." and f["B.hand"] != "."):
            assert f["A.sealed"] == f["B.sealed"] == "."
    for name in "AB":
        assert {places(m, name)[k] for k in ("hand", "sealed", "cols", "beside")} == {""}


class Mirror:
    """Deals the same order whenever the same cards are shuffled."""

    count = 0

    def order(self, values: list[int]) -> list[int]:
        values = sorted(values)
        random.Random(str(values)).shuffle(values)
        return values

    def number(self, low: int, high: int) -> int:
        raise AssertionError

    def one_of(self, values: list[int]) -> int:
        raise AssertionError

    def rewind(self, count: int) -> None:
        raise AssertionError

    def fresh_copy(self) -> ChanceSource:
        return Mirror()


@pytest.mark.parametrize("options", [{}, COURT], ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_a_mirrored_match_has_the_mirrored_result(seed: int, options: dict[str, Any]) -> None:
    """ME-8, H2, H24, H29: who flips, places, strikes and is compared first does not matter."""
    dice = random.Random(seed)
    cards = "".join(c.code * c.count for c in load(**options).names.card)
    mine, other = ("".join(dice.sample(cards, 50)) for _ in range(2))

    def play(swapped: bool) -> tuple[Match, list[str]]:
        decks = (other, mine) if swapped else (mine, other)
        position = f"A deck={decks[0]} B deck={decks[1]}"
        m = Match(load(**options), 0, position=position, chance=Mirror())
        words = []
        while m.to_act is not None:
            who = m.to_act ^ swapped  # 0: the one who has `mine`
            left = f"{m.state.aims[m.to_act]} {m.state.swaps[m.to_act]}"
            choice = random.Random(f"{m.state.battle} {who} {left}").choice(m.legal_actions)
            words.append(f"{m.state.battle} {who} {m.word(choice)}")
            m.submit(m.to_act, choice)
        return m, words

    (a, one), (b, two) = play(False), play(True)
    assert sorted(one) == sorted(two)
    assert a.returns == b.returns[::-1]
    assert {k: places(a, k) for k in "AB"} == {
        k: places(b, x) for k, x in zip("AB", "BA", strict=True)
    }


@pytest.mark.parametrize(
    ("hand", "many"),
    [("123", 6), ("112", 3), ("122", 3), ("111", 1), ("12", 6), ("11", 3), ("1", 3), ("aXk", 6)],
)
def test_how_many_ways_to_place_a_hand(hand: str, many: int) -> None:
    """ME-16, ME-17, ME-54, ME-69: all of them different, every card placed."""
    m = at(f"A cols=5/5/5 hand={hand} deck=444 B cols=5/5/5 deck=444 stage=reinf")
    assert len(m.legal_actions) == len(set(m.legal_words())) == many
    for word in m.legal_words():
        assert sorted(word.replace("-", "")) == sorted(hand)
    # the lowest number of those that mean the same
    every = [m.word(a) for a in range(6)]
    assert [every.index(w) for w in m.legal_words()] == list(m.legal_actions)


def test_traps_and_kings_of_both_sides() -> None:
    """ME-67, H13, H21: two traps catch two cards; the King counts after its column is cleared."""
    m = at(
        "A cols=995/-/- B cols=1/-/- beside=T1T1 hand=1 deck=4 stage=reinf battle=2",
        event_replacement=False,
    )
    assert m.facts()["A.totals"] == "5,-,-"
    m = at("A cols=k/q/- hand=11 deck=1444444 B cols=1/9/- hand=12 deck=3444444 stage=reinf")
    m.submit(0, "11-")  # the King's column is won 12 : 2; the Queen's is 11 : 11, then 12 : 14
    m.submit(1, "12-")
    assert m.facts()["last.totals"] == "12:2,11:11,-:-"
    assert m.facts()["last.result"] == "ABn"


def test_two_events_in_a_row() -> None:
    """H22: both go beside, and the next card to the column."""
    f = at("A deck=CW5675 B deck=4441").facts()
    assert (f["A.beside"], f["A.cols"], f["B.totals"]) == ("C1W1", "5/6/7", "3,3,3")


def test_out_only_between_battles() -> None:
    """ME-57, H15, H19: with events alone one is not out, nor with all cards on the battlefield."""
    m = at("A deck=C B deck=5")
    assert m.facts()["last.totals"] == "-:5,-:-,-:-"
    assert m.returns == (-1.0, 1.0)
    assert m.facts()["A.grave"] == "C"


def test_reinforcements_call_after_all_are_turned_up() -> None:
    """H4, H9: from left to right, so that the last one finds no card; it is placed nonetheless."""
    m = at("A cols=5/5/5 hand=aab deck=9 B cols=6/6/6 hand=111 stage=reinf")
    m.submit(0, "baa")
    m.submit(1, "111")
    assert m.facts()["last.totals"] == "16:7,6:7,6:7"
    f = at("A deck=a56b B deck=444111").facts()  # a chain before the next flip
    assert (f["A.cols"], f["A.hand"]) == ("a5/6/b", ".")


def test_an_event_that_did_nothing_may_work_another_day() -> None:
    """H8: it survives in a won column, is shuffled, and flipped."""
    m = at(
        "A cols=9/9/9 hand=C11 B cols=1/1/1 hand=111 deck=444444 stage=reinf",
        chance=Script(*[[17, 8, 8, 8, 0, 0]]),
    )
    m.submit(0, "C11")
    m.submit(1, "111")
    assert m.facts()["A.beside"] == "C1"
    assert m.facts()["A.totals"] == "10,10,10"


@pytest.mark.compiled
@pytest.mark.xdist_group("medieval")
def test_a_batch_plays_on() -> None:
    batch = load().compiled().batch(16, seed=1)
    dice = random.Random(1)
    ended = 0
    for _ in range(200):
        batch.step([dice.choice(row.nonzero()[0]) for row in batch.mask])
        ended += int(batch.terminated.sum())
        assert set(batch.returns[batch.terminated].sum(axis=1)) <= {0.0}
    assert ended > 16


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 286),
        (COURT, 296),
        ({"max_battles": 144}, 286),
        ({"max_battles": 100}, 200),
        ({"deadlock": "both_survive", "max_battles": 500}, 1000),
    ],
)
def test_the_limit_is_what_developers_md_says(options: dict[str, Any], most: int) -> None:
    """ME-59, H16."""
    r = load(**options)
    assert r.game.rules.max_length(r.plain().tt[0], 2) == most


# ---- what can be taken back ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("position", "word", "told"),
    [
        ("A cols=5/6/7 beside=A-A- B cols=4/4/4 deck=1 stage=aim", "2", "AIMED"),
        ("A hand=123 B hand=123 stage=reinf", "213", "PLACED"),
        ("A cols=5/6/7 beside=F1F1 B cols=4/4/4 stage=swap", "13", "SWAPPED"),
        ("A cols=5/6/7 beside=F1F1 B cols=4/4/4 stage=swap", "-", "STAYED"),
        ("A cols=5/-/- beside=F1 B cols=6/-/- stage=swap", "-", "STAYED WON_COLUMN OUT WON"),
        ("A cols=5/-/- beside=F1 B cols=5/-/- stage=swap", "-",
         "STAYED TIED DEADLOCKED OUT OUT DRAWN"),
        ("A cols=n/p/- beside=F1 B cols=46/4/- stage=swap", "-",
         "STAYED KILLED WON_COLUMN WON_COLUMN SAVED OUT WON"),
    ],
)  # fmt: skip
def test_what_shows_nothing_hidden_can_be_taken_back(position: str, word: str, told: str) -> None:
    m = at(position, **COURT)
    before = m.digest()
    m.submit(0, word)
    assert [x.event.name for x in m.events(None)] == told.split()
    m.undo()
    assert m.digest() == before


def test_what_was_flipped_to_lie_beside_a_column_cannot_be_taken_back() -> None:
    """ME-23, H26: nor if no other card has been seen."""
    position = "A cols=5/-/- beside=F1 deck=AAA B cols=8/-/- deck=AAA stage=swap"
    m = at(position, event_replacement=False, **COURT)
    m.submit(0, "-")
    told = [x.event.name for x in m.events(None)]
    assert told == ["STAYED", "WON_COLUMN", "BATTLE", *["BESIDE"] * 6]
    assert m.why_no_undo(0) == "something hidden has been revealed"


def test_against_a_bot_a_column_can_be_chosen_again() -> None:
    """H26: nothing came of it but that a bot has drawn, which it can be made to forget."""
    m = at("A cols=5/6/7 beside=A- B cols=4/4/4 surv=1 stage=aim", **COURT)
    before = m.digest()
    m.submit(0, "2")
    assert [x.event.name for x in m.events(None)] == ["AIMED", "RESHUFFLED", "DREW_UP"]
    assert m.why_no_undo(0) == "something hidden has been revealed"
    m.undo(0, alone=True)
    assert m.digest() == before


def test_the_census_is_the_stock() -> None:
    """ME-1, ME-36: no card is counted twice, or where none lies."""
    for m in walk(3, **COURT):
        count = [0] * (2 * rules.KINDS)
        m.rules.plain().build.hooks.census(m.state, count)
        assert count == [m.state.stock[p, k] for p in (0, 1) for k in range(rules.KINDS)]
