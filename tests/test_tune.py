"""A search for numbers, mostly on the smallest game, by bots that draw lots."""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from games import as_game, race
from typer.testing import CliRunner

import battlebox as bb
from battlebox import cli
from battlebox.arena.balance import (
    Range,
    Search,
    Study,
    Target,
    read_range,
    read_target,
    report,
    tune,
)
from battlebox.arena.balance.recorder import MatchStats
from battlebox.arena.balance.tune import measured
from battlebox.arena.plan import Result
from battlebox.core.errors import BattleboxError

RACE = as_game(race).ruleset({"goal": 2})
needs_optuna = pytest.mark.skipif(
    not importlib.util.find_spec("optuna"), reason="Optuna is not installed: battlebox[balance]"
)


def search(*ranges: Range, matches: int = 60, rules: bb.Ruleset = RACE, **targets: float) -> Search:
    """A search on the race, by bots that draw lots."""
    aims = tuple(Target(what, value) for what, value in targets.items())
    return Search(Study(rules, "random", matches=matches), ranges, aims)


GOAL = search(Range("goal", 1, 40), decisions=12)


@needs_optuna
def test_it_finds_the_length_it_is_to_have() -> None:
    found = tune(GOAL, 15, workers=1)
    assert found.trials == 15
    assert found.before["decisions"].value < 6
    assert abs(found.after["decisions"].value - 12) <= 3
    assert 1 <= found.values["goal"] <= 40
    assert f"goal={found.values['goal']}" in report(found)


@needs_optuna
def test_the_same_search_finds_the_same() -> None:
    first, second = (tune(GOAL, 6, workers=1) for _ in range(2))
    assert first.values == second.values
    assert report(first) == report(second)


@needs_optuna
def test_the_first_trial_has_the_numbers_as_they_are() -> None:
    assert tune(GOAL, 1, workers=1).values == {"goal": 2}
    outside = tune(search(Range("goal", 30, 40), decisions=12), 1, workers=1)
    assert outside.values["goal"] >= 30


@needs_optuna
def test_a_search_is_gone_on_with(tmp_path: Path) -> None:
    path, told = tmp_path / "a.log", list[tuple[int, int | None]]()
    tune(GOAL, 4, out=path, workers=1)
    with path.open("ab") as f:
        f.write(b'{"op_code": 6, "wor')  # killed while it wrote
    found = tune(GOAL, 7, out=path, workers=1, progress=lambda k, n: told.append((k, n)))
    assert told == [(4, 7), (5, 7), (6, 7)]
    assert found.trials == 7
    assert report(tune(GOAL, 7, out=path, workers=1)) == report(found), "there is nothing to do"


@needs_optuna
def test_a_trial_that_was_stopped_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the midst of the first, of the numbers as they are; then it is still the first."""
    path = tmp_path / "a.log"
    with monkeypatch.context() as patch:

        def stopped(self: Search, seen: object) -> float:
            raise KeyboardInterrupt

        patch.setattr(Search, "loss", stopped)
        with pytest.raises(KeyboardInterrupt):
            tune(GOAL, 1, out=path, workers=1)
    found = tune(GOAL, 1, out=path, workers=1)
    assert (found.trials, found.values) == (1, {"goal": 2})
    assert tune(GOAL, 3, out=path, workers=1).trials == 3


@needs_optuna
@pytest.mark.parametrize(
    ("other", "key"),
    [
        (search(Range("goal", 1, 41), decisions=12), "ranges"),
        (search(Range("goal", 1, 40), decisions=13), "targets"),
        (search(Range("goal", 1, 40), matches=62, decisions=12), "matches"),
    ],
)
def test_another_search_is_not_gone_on_with(tmp_path: Path, other: Search, key: str) -> None:
    path = tmp_path / "a.log"
    tune(GOAL, 1, out=path, workers=1)
    before = path.read_bytes()
    with pytest.raises(BattleboxError, match=f"another search, whose {key} is"):
        tune(other, 2, out=path, workers=1)
    after = [json.loads(x) for x in path.read_bytes().removeprefix(before).splitlines()]
    assert not [x for x in after if x.get("user_attr")], "nothing of it has changed"


@needs_optuna
@pytest.mark.parametrize(
    "text", [b"garbage\n", b"\xff\n", b'{"op_code": 99}\n', b'{"study_name": "battlebox"}\n7\n']
)
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(text)
    with pytest.raises(BattleboxError, match="it is not a file of battlebox tune"):
        tune(GOAL, 1, out=path, workers=1)
    assert path.read_bytes() == text


@needs_optuna
def test_numbers_that_do_not_go_together_are_left_out() -> None:
    """A hand of twenty is too much for the cards of this deck, as long as there are no more."""
    rules = bb.load("war_zone", start_health=3)
    players, targets = Range("players", 5, 6), {"turns": 6.0}
    possible = search(Range("hand_size", 6, 20), players, matches=20, rules=rules, **targets)
    found = tune(possible, 8, workers=1)
    assert found.values["players"] * (found.values["hand_size"] + 1) <= 60
    none = search(Range("hand_size", 18, 20), players, matches=20, rules=rules, **targets)
    with pytest.raises(bb.RulesetError, match=r"no trial was possible.*the deck has 60 cards"):
        tune(none, 2, workers=1)


@pytest.mark.parametrize(
    "word", ["goal", "goal=5", "goal=5..", "goal=5..5", "goal=6..5", "=1..2", "goal=a..b"]
)
def test_what_is_no_range(word: str) -> None:
    with pytest.raises(bb.RulesetError, match="is not a range"):
        read_range(word)


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("turn=12", "did you mean 'turns'"),
        ("seat=2", "a number up to 1, such as seat=0.5"),
        ("seat=-0.1", "a number up to 1"),
        ("seat=nan", "a number up to 1"),
        ("turns=0", "a number up to 10000"),
        ("turns=soon", "a number up to 10000"),
        ("turns", "a number up to 10000"),
    ],
)
def test_what_is_no_target(word: str, message: str) -> None:
    with pytest.raises(bb.RulesetError, match=message):
        read_target(word)


def test_ranges_and_targets_as_they_are_written() -> None:
    assert read_range("deck.artillery.damage=1..10") == ("deck.artillery.damage", 1, 10)
    assert [read_target(x) for x in ("seat=0", "turns=12.5")] == [("seat", 0), ("turns", 12.5)]


@pytest.mark.parametrize(
    ("ranges", "targets", "message"),
    [
        ((), {"seat": 0.5}, "needs a range"),
        ((Range("goal", 1, 2),), {}, "needs a target"),
        ((Range("goal", 1, 2), Range("goal", 1, 3)), {"seat": 0.5}, "range of goal is given twice"),
        ((Range("gaol", 1, 2),), {"seat": 0.5}, "did you mean 'goal'"),
        ((Range("goal", 1, 2),), {"turns": 5}, "race does not count turns"),
    ],
)
def test_a_search_that_is_none(
    ranges: tuple[Range, ...], targets: dict[str, float], message: str
) -> None:
    with pytest.raises(bb.RulesetError, match=message):
        search(*ranges, **targets)


def test_an_option_that_is_no_number() -> None:
    with pytest.raises(bb.RulesetError, match="'speedy' is not a number"):
        search(Range("speedy", 0, 1), rules=bb.load("war_zone"), seat=0.5)


def test_a_median_has_an_interval() -> None:
    seen = [MatchStats(Result(k, (1, -1), 10 + k % 9)) for k in range(200)]
    found = measured("decisions", seen)
    assert 12 <= found.low <= found.value == 14 <= found.high <= 16


# ---- the command ---------------------------------------------------------------------------------
WORDS = ("tune", "war_zone", "start_health=3..9", "--bots", "random", "--workers", "1")


def run(*words: str) -> Any:
    return CliRunner().invoke(cli.app, [*WORDS, *words])


@needs_optuna
def test_the_command_prints_a_deck(tmp_path: Path) -> None:
    some = ("--target", "turns=6", "--trials", "2", "--matches", "20")
    result = run("deck.artillery.damage=1..10", *some)
    assert result.exit_code == 0, result.output
    deck = tmp_path / "my.toml"
    deck.write_text(result.stdout, encoding="utf-8")
    assert result.stdout.startswith("# found by battlebox tune in 2 trials of 20 matches")
    assert tomllib.loads(result.stdout)["name"] == "War Zone"
    assert bb.load("war_zone", deck=str(deck)).text == result.stdout
    assert "[[attack]]" not in run(*some).stdout, "only an option was searched"


def test_the_command_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in (
        (("--target", "seats=1"), "did you mean 'seat'"),
        (("--target", "seat=0.5", "--out", "none/a.log"), "no such folder"),
        (("deck.artilery.damage=1..2", "--target", "seat=0.5"), "did you mean"),
        (("deck=../a.toml", "--target", "seat=0.5"), "../a.toml"),
    ):
        assert message in str(run(*words).exception)
    monkeypatch.setitem(sys.modules, "optuna", None)
    assert "pip install 'battlebox[balance]'" in str(run("--target", "seat=0.5").exception)
    assert not list(tmp_path.iterdir())
