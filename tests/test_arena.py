"""Tournaments: fair seats, the same in any process, nothing lost, intervals that hold."""

from __future__ import annotations

import contextlib
import csv
import importlib.util
import json
import multiprocessing
import os
import random
import re
import select
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import as_game, race, short
from serving import until

import battlebox as bb
from battlebox.arena import Pair, Plan, Result, Results, standings, tournament, workers
from battlebox.arena import report as written
from battlebox.arena import run as running
from battlebox.arena.intervals import anytime_interval, interval, strengths
from battlebox.arena.journal import Journal
from battlebox.arena.plan import results_of
from battlebox.arena.results import above
from battlebox.core.errors import BattleboxError
from battlebox.core.game import Ruleset

RACE = as_game(race).ruleset({})
TWO = Plan(RACE, ("random", "random"), 1)
SHORT = bb.load("war_zone", start_health=5)
FIRST = """
from battlebox.bots import SeatView

class First:
    def __init__(self, rules, seed):
        self.seat = SeatView(rules.plain())

    def choose(self, observation):
        return self.seat.legal(observation)[0]
"""
needs_ray = pytest.mark.skipif(
    not importlib.util.find_spec("ray"), reason="Ray is not installed: battlebox[cluster]"
)
needs_pyarrow = pytest.mark.skipif(
    not importlib.util.find_spec("pyarrow"), reason="pyarrow is not installed: battlebox[parquet]"
)


def table_of(players: int, *entrants: str, seed: int = 1) -> Plan:
    """A tournament of War Zone, soon over."""
    return Plan(bb.load("war_zone", players=players, start_health=5), entrants, seed)


def invented(plan: Plan, deals: int, *, best: int = 0) -> Results:
    """All matches won by the first seat of an entrant, if it sits there, or else by seat 0."""
    matches = []
    for k in range(deals * plan.table):
        seats = plan.seats(k)
        winner = seats.index(best) if best in seats else 0
        returns = tuple(1.0 if p == winner else -1.0 for p in range(len(seats)))
        matches.append(Result(k, returns, 10 + k))
    return Results(plan, tuple(matches))


# ---- the plan ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("bots", "players"), [(2, 2), (2, 5), (3, 6), (4, 2), (4, 3), (6, 6)])
def test_in_a_deal_each_bot_has_every_seat(bots: int, players: int) -> None:
    plan = table_of(players, *["random"] * bots)
    for deal in range(12):
        matches = range(deal * plan.table, (deal + 1) * plan.table)
        for column in zip(*map(plan.seats, matches), strict=True):
            assert sorted(column) == sorted(plan.met(deal))
        assert len({plan.deal_seed(k) for k in matches}) == 1


def test_two_bots_have_every_other_seat() -> None:
    plan = table_of(5, "random", "easy")
    assert sorted(plan.seats(k) for k in (6, 7)) == [(0, 1, 0, 1, 0), (1, 0, 1, 0, 1)]


def test_all_tables_come_in_turn() -> None:
    """Each time in another order; and who sits next to whom changes, too."""
    plan = table_of(3, *["random"] * 5)
    rounds = [[frozenset(plan.met(10 * r + k)) for k in range(10)] for r in range(4)]
    assert all(len(set(tables)) == 10 for tables in rounds)
    assert len({tuple(tables) for tables in rounds}) == 4
    every = table_of(4, *["random"] * 4)
    cycles = {tuple(np.roll(every.met(k), -every.met(k).index(0)).tolist()) for k in range(80)}
    assert len(cycles) == 6


def test_each_bot_has_a_seed_of_its_own() -> None:
    plan = table_of(6, "random", "easy")
    seeds = [plan.bot_seed(k, p) for k in range(200) for p in range(6)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= s < 2**62 for s in seeds)
    assert plan.bot_seed(0, 0) != table_of(6, "random", "easy", seed=2).bot_seed(0, 0)


def test_bots_entered_twice_are_told_apart() -> None:
    assert table_of(2, "easy", "random", "easy", "easy").names == (
        *("easy", "random", "easy #2", "easy #3"),
    )


@pytest.mark.parametrize(
    ("entrants", "seed", "said"),
    [
        (("random",), 0, "1 bots"),
        (("random",) * 21, 0, "21 bots"),
        (("random", "nobody"), 0, "no bot 'nobody'"),
        (("random", "random"), -1, "seed -1"),
    ],
)
def test_a_plan_that_is_none(entrants: tuple[str, ...], seed: int, said: str) -> None:
    with pytest.raises(bb.RulesetError, match=said):
        Plan(RACE, entrants, seed)


# ---- playing -------------------------------------------------------------------------------------
def test_equals_give_half() -> None:
    told: list[tuple[int, int | None]] = []
    results = tournament(TWO, 101, workers=1, progress=lambda k, n: told.append((k, n)))
    assert [m.match for m in results.matches] == list(range(100))
    assert told == [(0, None), *((k, 100) for k in range(101))]
    low, high = results.pair(0, 1).interval
    assert low < 0.5 < high


@pytest.mark.parametrize("players", [3, 4, 6])
def test_equals_share_the_wins_whatever_the_number_of_seats(players: int) -> None:
    plan = table_of(players, "random", "random", "random")
    results = tournament(plan, 150, workers=1)
    assert len(results.pairs) == 3
    assert all(p.interval[0] < 0.5 < p.interval[1] for p in results.pairs.values())
    assert all(r.low <= 0 <= r.high for r in results.ratings)


def test_a_tournament_is_the_same_again() -> None:
    one, two = (tournament(TWO, 20, workers=1).matches for _ in range(2))
    assert one == two
    assert tournament(Plan(RACE, TWO.entrants, 999), 20, workers=1).matches != one


@pytest.mark.slow
@pytest.mark.parametrize("name", bb.games())
def test_any_number_of_workers_gives_the_same(name: str) -> None:
    plan = Plan(short(name), ("random", "random"), 4)
    one, two = (tournament(plan, 8, workers=n).matches for n in (1, 2))
    assert one == two


@pytest.mark.slow
@needs_ray
@pytest.mark.filterwarnings("default")  # Ray leaves sockets open
def test_two_workers_of_ray_give_the_same(tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text(FIRST, encoding="utf-8")
    plan = table_of(3, "random", "so-ismcts:5", str(file))
    file.unlink()  # its text goes along with the plan
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path, where in zip(files, (None, "local"), strict=True):
        results = tournament(plan, 60, workers=2 if where else 1, ray=where)
        written.write_csv(results, path)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BattleboxError, match=r"pip install 'battlebox\[cluster\]'"):
        tournament(TWO, 2, ray="local")


def test_a_worker_with_other_rules_is_found_out() -> None:
    header = TWO.header.replace('"rules": 1', '"rules": 2')
    assert header != TWO.header
    assert workers.play_elsewhere(TWO, TWO.header, 3) == running.play(TWO, 3)
    with pytest.raises(bb.RulesetError, match="other rules"):
        workers.play_elsewhere(TWO, header, 3)


@pytest.mark.slow
def test_a_worker_that_is_killed_is_no_end_of_waiting() -> None:
    def kill(count: int, expected: int | None) -> None:
        if count == 5:
            os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)

    with pytest.raises(BattleboxError, match="a worker was killed"):
        tournament(Plan(SHORT, ("random", "random")), 2000, workers=2, progress=kill)


@pytest.mark.parametrize("matches", [1, 0, -4])
def test_fewer_matches_than_a_deal_has(matches: int) -> None:
    with pytest.raises(bb.RulesetError, match="a deal of 2 bots has 2"):
        tournament(TWO, matches, workers=1)


@pytest.mark.parametrize("until", [0, 0.5, -1, float("nan")])
def test_a_margin_that_is_none(until: float) -> None:
    with pytest.raises(bb.RulesetError, match="a margin between"):
        tournament(TWO, 10, until=until, workers=1)


def test_seeds_beyond_the_last() -> None:
    with pytest.raises(bb.RulesetError, match="seed"):
        tournament(Plan(RACE, TWO.entrants, 2**62 - 2), 10, workers=1)


# ---- certain enough ------------------------------------------------------------------------------
def test_it_stops_when_the_margin_is_reached() -> None:
    told: list[tuple[int, int | None]] = []
    results = tournament(TWO, until=0.1, workers=1, progress=lambda k, n: told.append((k, n)))
    deals, looks = len(results.matches) // 2, list(running.looks(10_000))
    assert results.margin <= 0.1
    before = looks[looks.index(deals) - 1]
    assert Results(TWO, results.matches[: 2 * before], 0.1).margin > 0.1, "not before"
    assert told[0] == (0, None)
    assert told[-1][0] == 2 * deals
    guessed = {n for k, n in told if n}
    assert guessed
    assert all(deals < n < 8 * deals for n in guessed), "in the region of what it came to"
    assert "95 % interval at any look" in standings(results)


def test_matches_bound_it_all_the_same() -> None:
    results = tournament(TWO, 130, until=0.01, workers=1)
    assert len(results.matches) == 130


def test_looks_come_ever_more_rarely_and_last_after_the_most() -> None:
    at = list(running.looks(1000))
    assert (at[0], at[-1]) == (50, 1000)
    assert all(a < b <= round(1.15 * a) for a, b in pairwise(at))
    assert list(running.looks(7)) == [7]


SCORES = {  # of deals, and how often they come
    "equals": ([0, 0.5, 1], [0.25, 0.5, 0.25]),
    "no halves": ([0, 1], [0.4, 0.6]),
    "one is much better": ([0, 0.5, 1], [0.02, 0.16, 0.82]),
}


@pytest.mark.parametrize("kind", SCORES)
def test_the_interval_at_any_look_holds_at_all_looks(kind: str) -> None:
    """In 95 of 100 series; the usual interval, looked at so often, in fewer than 90."""
    values, often = SCORES[kind]
    truth, dice = float(np.dot(values, often)), np.random.default_rng(1)
    series = dice.choice(values, p=often, size=(200, 500))
    looks = list(running.looks(500))

    def wrong(of: Callable[[Any], tuple[float, float]]) -> int:
        return sum(
            any(not low <= truth <= high for low, high in (of(s[:n]) for n in looks))
            for s in series
        )

    assert wrong(lambda s: anytime_interval(s, 0.05)) <= 10
    assert wrong(interval) > 20


def test_the_interval_at_any_look_is_worth_waiting_for() -> None:
    """It costs less than four times the deals of the usual one."""
    values, often = SCORES["equals"]
    scores = np.random.default_rng(1).choice(values, p=often, size=4000)
    low, high = anytime_interval(scores, 0.02)
    usual_low, usual_high = interval(scores)
    assert low < usual_low < usual_high < high
    assert high - low < 2 * (usual_high - usual_low)


def test_the_interval_at_any_look_of_next_to_nothing() -> None:
    assert anytime_interval([], 0.02) == (0, 1)
    assert anytime_interval([1.0] * 3, 0.02)[0] < 0.5
    low, high = anytime_interval([1.0] * 1000, 0.02)
    assert 0.98 < low < high == 1
    mirrored = anytime_interval([0.0] * 1000, 0.02)
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_the_interval_of_a_fixed_number() -> None:
    pair = Pair("a", "b", (1.0, 0.5, 1.0, 0.5), 8)
    low, high = pair.interval
    assert pair.share == 0.75
    assert round(low, 3) == 0.34, "as if a deal won and a deal lost came in"
    assert high == 1.0
    low, high = interval((0.5,) * 9)
    assert low < 0.4 < 0.6 < high, "nine deals alike prove little"
    assert interval(()) == (0, 1)


# ---- scores and ratings --------------------------------------------------------------------------
def test_who_was_above_whom() -> None:
    assert above((0, 1, 0), (1.0, -1.0, -1.0), 2).tolist() == [[0, 1], [0, 0]]
    assert above((0, 1, 2), (1.0, 0.0, -1.0), 3).tolist() == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    assert above((0, 1, 2), (1.0, 1.0, -1.0), 3).tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert above((0, 1), (0.0, 0.0), 2).tolist() == [[0, 0.5], [0.5, 0]], "a draw"
    assert above((1, 0, 1, 0), (1.0, -1.0, 1.0, -1.0), 2).tolist() == [[0, 0], [4, 0]], "teams"


def test_a_match_that_is_silent_about_a_pair_does_not_count_for_it() -> None:
    """Of three, one wins each match: the others ended alike."""
    plan = table_of(3, "random", "easy", "medium")
    matches = []
    for k, winner in enumerate((1, 1, 2, 0, 0, 0)):
        seats = plan.seats(k)
        matches.append(Result(k, tuple(1.0 if who == winner else -1.0 for who in seats), 9))
    results = Results(plan, tuple(matches))
    pair = results.pair(1, 2)
    assert pair.scores == (pytest.approx(2 / 3),), "the second deal says nothing"
    assert pair.matches == 3
    assert results.pair(2, 1).share == pytest.approx(1 / 3)
    assert (results.pair(1, 0).share, results.pair(1, 0).matches) == (0.5, 5)
    assert (1, 2) not in invented(plan, 5).pairs, "of which no match says anything"


def test_shares_are_not_drawn_to_a_half_by_the_others_at_the_table() -> None:
    """Four bots of which two win nearly always: the other two still have met."""
    plan, dice = table_of(4, "random", "easy", "hard", "expert"), random.Random(1)
    strengths, matches = (1, 10, 100, 100), []
    for k in range(4000):
        seats = plan.seats(k)
        best = dice.choices(seats, [strengths[who] for who in seats])[0]
        matches.append(Result(k, tuple(1.0 if who == best else -1.0 for who in seats), 9))
    low, high = Results(plan, tuple(matches)).pair(1, 0).interval
    assert low < 10 / 11 < high


@pytest.mark.parametrize(("players", "teams", "bots"), [(6, 3, 2), (6, 2, 3), (4, 2, 4), (6, 3, 5)])
def test_a_team_is_of_one_bot(players: int, teams: int, bots: int) -> None:
    """With both bots in each team, both have won, no matter which team does."""
    rules = bb.load("war_zone", players=players, teams=teams)
    plan = Plan(rules, ("random",) * bots)
    assert rules.sides == tuple(p % teams for p in range(players))
    assert plan.table == min(teams, bots)
    had: list[set[int]] = [set() for _ in range(bots)]
    for k in range(60 * plan.table):
        seats = plan.seats(k)
        for who in set(seats):
            mine = {p for p in range(players) if seats[p] == who}
            assert {
                p for p in range(players) if rules.sides[p] in {p % teams for p in mine}
            } == mine
            had[who] |= mine
    assert had == [set(range(players))] * bots


def test_pairs_that_never_met() -> None:
    plan = table_of(2, *["random"] * 5)
    results = invented(plan, 3)
    assert len(results.pairs) == 3
    assert results.margin == 0.5
    assert standings(results).count("-\n") + standings(results).count("- ") >= 14
    assert all(np.isfinite(r[1:]).all() for r in results.ratings)


def test_ratings_find_the_strengths_that_made_the_matches() -> None:
    truth, dice = np.array([0.0, 100.0, 300.0, -200.0]), np.random.default_rng(3)
    chance = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    beats = np.zeros((600, 4, 4))
    for deal in beats:
        i, j = dice.choice(4, size=2, replace=False)
        for _ in range(2):
            won = dice.random() < chance[i, j]
            deal[(i, j) if won else (j, i)] += 1
    elo, low, high = strengths(beats, 0)
    assert (elo[0], low[0], high[0]) == (0, 0, 0)
    assert np.all((low <= truth) & (truth <= high))
    assert np.all(high - low < 200)
    again = strengths(beats, 0)
    assert all((a == b).all() for a, b in zip((elo, low, high), again, strict=True))


def test_ratings_of_two_are_their_share() -> None:
    beats = np.zeros((100, 2, 2))
    beats[:, 0, 1] = 1.5
    beats[:, 1, 0] = 0.5
    elo, _, _ = strengths(beats, 1)
    assert elo[0] == pytest.approx(400 * np.log10(152 / 52))


def test_whoever_wins_always_is_finitely_strong() -> None:
    plan = table_of(2, "easy", "medium", "random")
    few, many = (invented(plan, n, best=1).ratings for n in (6, 300))
    assert few[0].name == many[0].name == "medium"
    assert 100 < few[0].elo < many[0].elo < 3000
    assert few[0].low < many[0].low, "few matches claim little"


def test_random_is_the_zero() -> None:
    """And the first entrant, where it does not take part."""
    for entrants, zero in (("easy", "random", "hard"), "random"), (("easy", "hard"), "easy"):
        rated = {r.name: r for r in invented(table_of(2, *entrants), 12).ratings}
        assert rated[zero] == (zero, 0, 0, 0)
        assert sorted(rated) == sorted(entrants)


# ---- the file ------------------------------------------------------------------------------------
class Stop(Exception):
    """Raised where a run is to end early."""


def stopped_after(plan: Plan, matches: int, path: Path, total: int = 40) -> None:
    """Leaves a file with so many matches, as if it had been interrupted then."""

    def progress(count: int, expected: int | None) -> None:
        if count == matches:
            raise Stop

    with pytest.raises(Stop):
        tournament(plan, total, workers=1, out=path, progress=progress)


def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The matches that are played from now on."""
    numbers: list[int] = []

    def play(plan: Plan, match: int) -> Result:
        numbers.append(match)
        return original(plan, match)

    original = running.play
    monkeypatch.setattr(running, "play", play)
    return numbers


def test_what_was_stopped_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, whole = tmp_path / "a.jsonl", tournament(TWO, 40, workers=1)
    stopped_after(TWO, 15, path)
    assert path.read_bytes().count(b"\n") == 16
    numbers = played(monkeypatch)
    assert tournament(TWO, 40, workers=1, out=path) == whole
    assert numbers == list(range(15, 40))
    numbers.clear()
    assert tournament(TWO, 40, workers=1, out=path) == whole
    assert numbers == [], "all of them are there"
    assert tournament(TWO, 20, workers=1, out=path).matches == whole.matches[:20], "fewer are asked"
    assert tournament(TWO, 44, workers=1, out=path).matches[:40] == whole.matches
    assert numbers == list(range(40, 44))


@pytest.mark.parametrize("left", [1, 20, -1])
def test_a_line_that_was_cut_off_is_played_again(tmp_path: Path, left: int) -> None:
    path, whole = tmp_path / "a.jsonl", tournament(TWO, 40, workers=1)
    stopped_after(TWO, 15, path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:left])
    assert tournament(TWO, 40, workers=1, out=path) == whole
    kept = path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(x)["match"] for x in kept[1:]] == list(range(40))


def test_an_interrupt_is_not_lost_while_processes_begin() -> None:
    """They do not hear it; who asked for them does, at the latest afterwards."""
    deaf = "import signal as s; print(s.SIGINT in s.pthread_sigmask(s.SIG_BLOCK, []))"

    def begin() -> None:
        with workers._deaf():
            assert subprocess.check_output([sys.executable, "-c", deaf]).strip() == b"True"
            # to this thread: another one, of some library, would take it without delay
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        begin()


def test_two_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with Journal(results_of(TWO), path) as journal:
        with pytest.raises(BattleboxError, match="another tournament is writing to it"):
            Journal(results_of(THREE), path)
        journal.add(0, running.play(TWO, 0))
    with Journal(results_of(TWO), path) as journal:
        assert list(journal.results) == [0]


def test_other_levels_do_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words, of bots that think longer, or search in another way."""
    path, other = tmp_path / "a.jsonl", replace(RACE.game, simulations=(5, 6, 7, 8, 9))
    plan = Plan(RACE, ("random", "easy"))
    assert plan.simulations == {"easy": RACE.game.simulations[0]}
    tournament(plan, 2, workers=1, out=path)
    kept = path.read_bytes()
    quicker = Plan(Ruleset(other, RACE.options, other.resolve(RACE.options)), plan.entrants)
    with pytest.raises(
        BattleboxError, match=r"a\.jsonl: how many simulations a bot makes has changed"
    ):
        tournament(quicker, 4, workers=1, out=path)
    monkeypatch.setattr("battlebox.arena.plan.search_digest", lambda game: "another")
    with pytest.raises(BattleboxError, match=r"a\.jsonl: how our bots search has changed"):
        tournament(plan, 4, workers=1, out=path)
    assert path.read_bytes() == kept


@pytest.mark.parametrize("size", [0, 1, 40])
def test_a_plan_that_was_cut_off_is_begun_again(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(TWO.header.encode()[:size])
    tournament(TWO, 4, workers=1, out=path)
    assert path.read_text(encoding="utf-8").splitlines()[0] == TWO.header


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (0, "hello", "it is not a file of battlebox arena"),
        (0, "[1]", "it is not a file of battlebox arena"),
        (0, "{}", "it is not a file of battlebox arena"),
        (2, "hello", "line 3 is not a result"),
        (2, "3", "line 3 is not a result"),
        (2, '{"match": -1, "returns": [1, -1], "decisions": 3}', "line 3 is not a result"),
        (2, '{"match": 1, "returns": [1], "decisions": 3}', "line 3 is not a result"),
        (2, '{"match": 1, "returns": [1, 7], "decisions": 3}', "line 3 is not a result"),
        (2, '{"match": 1, "returns": [1, -1], "decisions": true}', "line 3 is not a result"),
        (2, '{"match": 0, "returns": [0, 0], "decisions": 1}', "gives a match a different end"),
    ],
)
def test_a_file_of_something_else_is_refused_and_untouched(
    tmp_path: Path, line: int, text: str, said: str
) -> None:
    path = tmp_path / "a.jsonl"
    stopped_after(TWO, 5, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[line] = text
    path.write_text("\n".join(lines) + "\n{", encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(BattleboxError, match=said):
        tournament(TWO, 10, workers=1, out=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("other", "key"),
    [
        (Plan(RACE, ("random", "random"), 2), "seed is 1, not 2"),
        (Plan(RACE, ("random", "easy"), 1), "entrants is"),
        (Plan(as_game(race).ruleset({"goal": 21}), ("random", "random"), 1), "options is"),
        (Plan(SHORT, ("random", "random"), 1), "game is 'race'"),
    ],
)
def test_another_tournament_is_not_mixed_in(tmp_path: Path, other: Plan, key: str) -> None:
    path = tmp_path / "a.jsonl"
    stopped_after(TWO, 5, path)
    with pytest.raises(BattleboxError, match=f"another tournament, whose {key}"):
        tournament(other, 10, workers=1, out=path)


def test_a_file_without_a_last_line_that_ends_is_no_file_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear aunt,", encoding="utf-8")
    with pytest.raises(BattleboxError, match="not a file of battlebox arena"):
        tournament(TWO, 4, workers=1, out=path)
    assert path.read_text(encoding="utf-8") == "Dear aunt,"


class Line:
    """A named pipe on which bots say that they are there, a line each, and which they keep open.

    So its end is the end of all processes that have such a bot. Nothing here waits for a time: the
    guard is against hanging alone.
    """

    GUARD = 300  # seconds

    def __init__(self, folder: Path) -> None:
        self.path = folder / "line"
        os.mkfifo(self.path)
        self._fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self._own = os.open(self.path, os.O_WRONLY)  # so that it does not end before it begins
        self._text = b""

    def bot(self, folder: Path) -> str:
        """The word of a bot that plays by chance; each writes its process's number."""
        file = folder / "line_bot.py"
        file.write_text(
            "import os\n"
            "from battlebox.bots import SeatView\n"
            f"line = os.open({str(self.path)!r}, os.O_WRONLY)\n"
            "os.write(line, b'%d\\n' % os.getpid())\n"
            "class Bot:\n"
            "    def __init__(self, rules, seed):\n"
            "        self.seat = SeatView(rules.plain())\n"
            "    def choose(self, observation):\n"
            "        return self.seat.legal(observation)[-1]\n",
            encoding="utf-8",
        )
        return str(file)

    def lines(self, count: int) -> list[str]:
        """The first so many lines, as soon as they are there."""
        while self._text.count(b"\n") < count:
            assert self._read(), "all processes ended before"
            if self._own:
                os.close(self._own)
                self._own = 0
        return self._text.decode().split("\n")[:count]

    def ends(self) -> bool:
        """Waits till nobody holds it any more; False, if that did not come."""
        try:
            while self._read():
                pass
        except TimeoutError:
            for pid in {int(x) for x in self._text.split()}:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return False
        return True

    def close(self) -> None:
        """Nobody listens any more."""
        os.close(self._fd)
        if self._own:
            os.close(self._own)

    def _read(self) -> bytes:
        if not select.select([self._fd], [], [], self.GUARD)[0]:
            raise TimeoutError
        text = os.read(self._fd, 4096)
        self._text += text
        return text


@pytest.fixture
def line(tmp_path: Path) -> Iterator[Line]:
    with contextlib.closing(Line(tmp_path)) as made:
        yield made


@pytest.mark.slow
def test_no_worker_outlives_an_arena_that_was_killed(line: Line, tmp_path: Path) -> None:
    words = ["arena", "war_zone", "random", line.bot(tmp_path), "--matches", "1000000"]
    command = [sys.executable, "-m", "battlebox", *words, "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        assert str(p.pid) in line.lines(3), "it and two workers"
        p.kill()
    assert line.ends()


HELD = """
import time
from pathlib import Path
from battlebox.bots import SeatView

class Held:
    made = 0

    def __init__(self, rules, seed):
        Held.made += 1
        self.seat = SeatView(rules.plain())

    def choose(self, observation):
        while Held.made > 20 and Path({hold!r}).exists():
            time.sleep(0.01)
        return self.seat.legal(observation)[0]
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_and_loses_no_finished_match(tmp_path: Path) -> None:
    """Each worker plays some matches and stops in the next, where all are killed."""
    out, found, hold = tmp_path / "a.jsonl", tmp_path / "a.csv", tmp_path / "hold"
    bot = tmp_path / "held.py"
    bot.write_text(HELD.format(hold=str(hold)))
    words = ["arena", "war_zone", str(bot), "random", "start_health=5", "--matches", "100"]
    command = [sys.executable, "-m", "battlebox", *words, "--workers", "2", "--out", str(out)]
    hold.touch()
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as p:
        until(lambda: p.poll() is not None or (out.exists() and out.read_bytes().count(b"\n") > 30))
        assert p.poll() is None
        os.killpg(p.pid, signal.SIGKILL)
    hold.unlink()
    kept = out.read_bytes()
    kept = kept[: kept.rfind(b"\n") + 1]
    assert 30 < kept.count(b"\n") < 100
    subprocess.run([*command, "--csv", str(found)], check=True, capture_output=True)
    assert out.read_bytes().startswith(kept)
    assert out.read_bytes().count(b"\n") == 101
    whole = tournament(Plan(SHORT, (str(bot), "random")), 100, workers=1)
    written.write_csv(whole, tmp_path / "whole.csv")
    assert found.read_bytes() == (tmp_path / "whole.csv").read_bytes()


# ---- what is written -----------------------------------------------------------------------------
THREE = table_of(2, "easy", "random", "so-ismcts:7")


def test_standings_of_three() -> None:
    text = standings(invented(THREE, 30))
    ratings, against, note = text.split("\n\n")
    assert [x.split()[0] for x in ratings.splitlines()[1:]] == ["easy", "random", "so-ismcts:7"]
    assert re.search(r"^random +0 +0 \.\. 0$", ratings, re.MULTILINE)
    assert re.search(r"^easy +-( +100\.0 \(\d\d\.\d \.\. 100\.0\)){2}$", against, re.MULTILINE)
    assert note.startswith("60 matches: 30 deals")
    assert "any look" not in text
    assert "no matter how often you look" in standings(
        Results(THREE, invented(THREE, 30).matches, 0.1)
    )


def test_the_matches_as_csv(tmp_path: Path) -> None:
    path, results = tmp_path / "a.csv", tournament(Plan(SHORT, ("random", "random"), 7), 6)
    written.write_csv(results, path)
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [r["seed"] for r in rows] == ["7", "7", "8", "8", "9", "9"]
    for row, m in zip(rows, results.matches, strict=True):
        assert {row["bot_0"], row["bot_1"]} == {"random", "random #2"}
        assert (float(row["returns_0"]), float(row["returns_1"])) == m.returns
        assert int(row["decisions"]) == m.decisions > 0
    assert rows[0]["bot_0"] == rows[1]["bot_1"]


@needs_pyarrow
def test_the_matches_as_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet

    results = invented(THREE, 8)
    written.write_parquet(results, tmp_path / "a.parquet")
    written.write_csv(results, tmp_path / "a.csv")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    rows = csv.DictReader((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines())
    assert [{k: str(v) for k, v in row.items()} for row in table.to_pylist()] == list(rows)
    assert table.schema.metadata[b"battlebox"].decode() == THREE.header


def test_without_pyarrow_it_is_said_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for make in (
        lambda path: written.write_parquet(invented(THREE, 2), path),
        lambda path: written.pyarrow(),
    ):
        with pytest.raises(BattleboxError, match=r"pip install 'battlebox\[parquet\]'"):
            make(tmp_path / "a.parquet")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    for kind in (written.write_csv, lambda r, p: written.write_page(r, p, "")):
        with pytest.raises(BattleboxError, match=f"{tmp_path}: Is a directory"):
            kind(invented(THREE, 2), tmp_path)
    with pytest.raises(BattleboxError, match="no such folder"):
        written.check_files(None, tmp_path / "none" / "a.csv")
    with pytest.raises(BattleboxError, match="it is a folder"):
        written.check_files(tmp_path)
    with pytest.raises(BattleboxError, match="two things cannot be written to one file"):
        written.check_files(tmp_path / "a.csv", None, tmp_path / "." / "a.csv")


def test_the_page_says_it_all_in_words() -> None:
    results = invented(THREE, 30)
    page = written.page(results, "battlebox arena 'a & <b>'")
    assert "battlebox arena &#x27;a &amp; &lt;b&gt;&#x27;" in page
    assert not re.search(r"<script|<img|<link|src=|url\(|https?:", page), "needs nothing else"
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    for r in results.ratings:
        assert re.search(rf"{r.name}\s+{r.elo:.0f}\s+{r.low:.0f} \.\. {r.high:.0f}", text)
    for line in standings(results).split("\n\n")[1].splitlines()[1:]:
        assert " ".join(line.split()) in " ".join(text.split())
    for fact in (
        RACE.game.version,
        SHORT.options_text,
        SHORT.options_in_words,
        THREE.rules.digest,
        bb.__version__,
    ):
        assert str(fact) in text
    assert "10 at least" in text
    assert "69 at most" in text
    assert sum(map(int, re.findall(r"\d+ \.\. \d+\s+(\d+)\s", text.partition("How long")[2]))) == 60
    for tag in ("table", "tr", "td", "th", "div", "h2", "pre", "body"):
        assert len(re.findall(rf"<{tag}\b", page)) == page.count(f"</{tag}>"), Counter(tag)


@pytest.mark.parametrize("patient", [False, True])
def test_when_a_match_fails_no_more_are_given_out(patient: bool) -> None:
    """Those under way may have cost something."""
    given, found = list[int](), list[int]()

    def submit(match: int) -> int:
        given.append(match)
        return match

    def value(match: int) -> int:
        if match in (2, 3):
            raise bb.BotError(f"match {match}")
        return match

    results = workers._given_out(submit, lambda x: (x[:2], x[2:]), value, 3, patient, range(100))
    with pytest.raises(bb.BotError, match="match 2"):
        found.extend(results)
    assert given == [*range(5 if patient else 8)]
    assert found == ([0, 1, 4] if patient else [0, 1])
