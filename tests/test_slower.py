"""The check against the parent commit: what it compares, and what it lets pass.

The games here are made up: a match takes as much processor time as its tree says.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from bench import slower
from bench.rulesets import RULESETS

import battlebox as bb

BOX = """
from time import process_time
from types import SimpleNamespace as Any
from battlebox.games.made_up import COSTS

class Sum(list):
    def sum(self):
        return sum(self)

def load(name, **options):
    cost = COSTS[name]

    def play(games, seed):
        end = process_time() + games * cost
        while process_time() < end:
            pass
        return Any(decisions=Sum([1] * games))

    f = Any(play_many=Any(py_func=Any(__battlebox_stamp__=f"{name}-{cost}")))
    return Any(digest="0", compiled=lambda: Any(f=f, play=play))
"""
RACE: slower.Ruleset = ("race", {"players": 2})
Commit = Callable[..., None]

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commit:
    """commit("message", race=0.001): a commit of a tree in which a match takes that long."""
    monkeypatch.setattr(slower, "TURN", 0.01)
    monkeypatch.setattr(slower, "PAIRS", 3)
    for name in [n for n in os.environ if n.startswith("GIT_")]:  # those of a hook
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    git(tmp_path, "init", "-q")

    def make(message: str, **costs: float) -> None:
        edit(tmp_path, **costs)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", message)

    return make


def git(root: Path, *words: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *who, *words], cwd=root, check=True)


def edit(root: Path, **costs: float) -> None:
    box = root / "src" / "battlebox"
    (box / "games").mkdir(parents=True, exist_ok=True)
    (box / "__init__.py").write_text(BOX, encoding="utf-8")
    (box / "games" / "made_up.py").write_text(f"COSTS = {costs}\n", encoding="utf-8")


# ---- the verdict ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("times", "reason", "passes", "words"),
    [
        (None, None, True, "the same code and numbers"),
        (0.8, None, True, "0.80 times the parent's"),
        (slower.LIMIT, None, True, "1.25 times the parent's"),
        (1.26, None, False, "1.26 times the parent's: TOO SLOW"),
        (1.26, "it asks", True, "1.26 times the parent's: slower, because it asks"),
        (1.1, "it asks", True, "1.10 times the parent's"),
    ],
)
def test_the_verdict(times: float | None, reason: str | None, passes: bool, words: str) -> None:
    assert slower.verdict(times, reason) == (passes, words)


def test_only_a_reason_accepts() -> None:
    lines = "battle because ten are asked\nmedieval\nwar_zone because\nit is because of\n"
    assert slower.reasons(lines) == {"battle": "ten are asked"}


def test_every_game_is_compared() -> None:
    assert {name for name, _ in RULESETS} == set(bb.games())


# ---- trees ---------------------------------------------------------------------------------------
@needs_git
def test_a_slower_game_fails_and_a_quicker_one_passes(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001, walk=0.002)
    commit("Two", race=0.002, walk=0.001)
    assert slower.check(tmp_path, [("walk", {})])
    assert not slower.check(tmp_path, [("walk", {}), RACE])
    out = capfd.readouterr().out
    assert "race players=2" in out
    assert "TOO SLOW" in out
    assert "`Slower: race because ...`" in out


@needs_git
@pytest.mark.parametrize("game", ["race", "walk"])
def test_a_line_of_the_commit_accepts_it(
    commit: Commit, tmp_path: Path, game: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Of that game alone; also a line of a branch that the commit merges."""
    commit("One", race=0.001)
    git(tmp_path, "checkout", "-q", "-b", "branch")
    commit(f"Two\n\nWhy.\n\nSlower: {game} because it asks\nSeen-by: B", race=0.002)
    git(tmp_path, "checkout", "-q", "-")
    git(tmp_path, "merge", "-q", "--no-ff", "-m", "Three", "branch")
    assert slower.check(tmp_path, [RACE]) == (game == "race")
    assert ("slower, because it asks" in capfd.readouterr().out) == (game == "race")


@needs_git
def test_what_is_not_committed_is_compared_with_head(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001)
    commit("Two\n\nSlower: race because it asks", race=0.002)
    edit(tmp_path, race=0.004)
    assert not slower.check(tmp_path, [RACE])
    assert "TOO SLOW" in capfd.readouterr().out


@needs_git
def test_the_same_code_is_not_measured(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001)
    commit("Two", race=0.001, walk=0.002)
    assert slower.check(tmp_path, [RACE])
    assert "the same code and numbers" in capfd.readouterr().out


@needs_git
def test_a_game_that_the_parent_lacks_is_passed_over(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", walk=0.001)
    commit("Two", race=0.001)
    assert slower.check(tmp_path, [RACE])
    assert "passed over, the parent cannot play it: KeyError: 'race'" in capfd.readouterr().out


@needs_git
def test_a_game_that_we_cannot_play_fails(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001)
    commit("Two", walk=0.001)
    assert not slower.check(tmp_path, [RACE])
    out = capfd.readouterr().out
    assert "cannot be played: KeyError: 'race'" in out
    assert "Slower:" not in out


# ---- nothing to measure --------------------------------------------------------------------------
@needs_git
def test_nothing_that_matters_has_changed(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001)
    (tmp_path / "README.md").touch()
    commit("Two", race=0.001)
    assert slower.check(tmp_path, [RACE])
    assert "no game can be slower" in capfd.readouterr().out


@needs_git
def test_the_first_commit_has_no_parent(
    commit: Commit, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    commit("One", race=0.001)
    assert slower.check(tmp_path, [RACE])
    assert "There is no parent commit to compare with (fatal: " in capfd.readouterr().out


def test_no_history_passes_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert slower.check(tmp_path, [RACE])
    assert "There is no parent commit to compare with (" in capfd.readouterr().out


def test_no_git_passes_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert slower.check(tmp_path, [RACE])
    assert "(git is not installed): nothing was measured" in capfd.readouterr().out
