"""Whether a change made a game slower: random play of this tree beside that of its parent commit.

    python -m bench.slower      seconds where nothing that matters has changed; cold, four minutes

Where something that matters is not committed yet, it is compared with HEAD. Both trees run on the
same Python and the same packages, so what another version of those does is not seen here.

A pair is two fresh processes, one for each tree, that take turns of a tenth of a second, so that
whatever else the machine does falls on both. Each counts its own processor time, and its best turn.
A game whose machine code and numbers are the same in both trees is not measured.

A change that makes a game slower on purpose says so in the last paragraph of its commit's message:

    Slower: battle because ten players are asked after every turn
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from .rulesets import RULESETS

Ruleset = tuple[str, Mapping[str, Any]]
Trees = tuple[Path, Path]  # ours, and the parent's

MATTERS = ("src/battlebox/core", "src/battlebox/games")
LIMIT = 1.25  # processor time a decision, the parent's being 1
PAIRS = 5  # that count; one before them compiles
TURNS = 5  # of each of a pair
TURN = 0.1  # seconds, at least

ADVICE = """\
A game may not become more than {percent} % slower unnoticed: make it quicker, or, if that is its
price, say why in the last paragraph of the commit message: `Slower: {game} because ...`"""

PROBE = """
import json, sys, time
import battlebox as bb
name, options = json.loads(sys.argv[1])
rules = bb.load(name, **options)
engine = rules.compiled()
print(engine.f.play_many.py_func.__battlebox_stamp__, rules.digest, flush=True)
for games in sys.stdin:
    start = time.process_time()
    decisions = engine.play(int(games), seed=1).decisions
    print(int(decisions.sum()), time.process_time() - start, flush=True)
"""


class NoHistory(Exception):
    """Git has nothing to compare with; it says why."""


class Unable(Exception):
    """A tree cannot play this: which one, and its last words."""

    def __init__(self, tree: Path, words: str) -> None:
        super().__init__(words)
        self.tree = tree


# ---- what is compared ---------------------------------------------------------------------------
def git(root: Path, *words: str) -> str:
    """What git answers. Errors: NoHistory, if it does not."""
    try:
        done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise NoHistory("git is not installed") from None
    except subprocess.CalledProcessError as e:
        raise NoHistory(" ".join(e.stderr.split())) from None
    return done.stdout.strip()


def base(root: Path) -> str:
    """The commit to compare with: the parent, or HEAD while what matters is not committed."""
    edited = git(root, "status", "--porcelain", "--untracked-files=no", "--", *MATTERS)
    return git(root, "rev-parse", "--verify", "HEAD" if edited else "HEAD^1")


def accepted(root: Path, commit: str) -> dict[str, str]:
    """Games that the commits since then make slower on purpose, and why."""
    form = "--format=%(trailers:key=Slower,valueonly,unfold)"
    return reasons(git(root, "log", form, f"{commit}..HEAD"))


def reasons(trailers: str) -> dict[str, str]:
    """`GAME because REASON` lines; one that gives no reason accepts nothing."""
    return dict(re.findall(r"(?m)^(\w+) because (\S.*)$", trailers))


@contextmanager
def checked_out(root: Path, commit: str, *folders: str) -> Iterator[Path]:
    """These folders as they were at a commit, in one that goes again; the repository keeps nothing
    of it. Errors: NoHistory.
    """
    with tempfile.TemporaryDirectory() as folder:
        packed = Path(folder) / "parent.zip"
        git(root, "archive", "--format=zip", f"--output={packed}", commit, *folders)
        shutil.unpack_archive(packed, folder)
        yield Path(folder)


# ---- a pair of processes ------------------------------------------------------------------------
class Player:
    """A process that plays random matches of one tree, so many whenever it is asked."""

    def __init__(self, process: subprocess.Popen[str], tree: Path) -> None:
        self._process, self._tree = process, tree

    def heard(self) -> list[str]:
        """The words of its next line. Errors: Unable."""
        assert self._process.stdout
        assert self._process.stderr
        if line := self._process.stdout.readline():
            return line.split()
        said = self._process.stderr.read().strip().splitlines()
        raise Unable(self._tree, said[-1] if said else f"exit status {self._process.wait()}")

    def ask(self, games: int) -> None:
        """Lets it play so many."""
        assert self._process.stdin
        self._process.stdin.write(f"{games}\n")
        self._process.stdin.flush()

    def took(self) -> tuple[float, float]:
        """Of what it was asked: seconds of processor time, and those a decision."""
        decisions, seconds = map(float, self.heard())
        return seconds, seconds / decisions


@contextmanager
def players(trees: Trees, ruleset: Ruleset) -> Iterator[tuple[Player, Player]]:
    """Two fresh processes, which start side by side."""
    a, b = (
        subprocess.Popen(
            [sys.executable, "-c", PROBE, json.dumps(ruleset)],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for tree in trees
    )
    with a, b:
        yield Player(a, trees[0]), Player(b, trees[1])


def first_pair(trees: Trees, ruleset: Ruleset) -> int:
    """Compiles, both at once; how many games make a turn. 0: the code and numbers are the same."""
    with players(trees, ruleset) as (ours, theirs):
        if ours.heard() == theirs.heard():
            return 0
        games, seconds = 1, 0.0
        for p in (ours, theirs):
            p.ask(games)
        for p in (ours, theirs):
            p.took()
        while seconds < TURN:
            games *= 2
            ours.ask(games)
            seconds, _ = ours.took()
        return games


def pair(trees: Trees, ruleset: Ruleset, games: int) -> float:
    """Our processor time a decision, theirs being 1; each of its best turn."""
    with players(trees, ruleset) as (ours, theirs):
        for p in (ours, theirs):
            p.heard()
            p.ask(1)  # fetches the machine code
        for p in (ours, theirs):
            p.took()
        turns = [(turn(ours, games), turn(theirs, games)) for _ in range(TURNS)]
    return min(x for x, _ in turns) / min(y for _, y in turns)


def turn(player: Player, games: int) -> float:
    """Seconds of processor time a decision, in so many games."""
    player.ask(games)
    return player.took()[1]


def ratio(trees: Trees, ruleset: Ruleset) -> float | None:
    """The median of the pairs; None where both trees have the same code and numbers."""
    games = first_pair(trees, ruleset)
    return median(pair(trees, ruleset, games) for _ in range(PAIRS)) if games else None


# ---- the verdict --------------------------------------------------------------------------------
def verdict(times: float | None, reason: str | None) -> tuple[bool, str]:
    """Whether it may pass, and how that is put. `reason`: why it is slower on purpose, if it is."""
    if times is None:
        return True, "the same code and numbers"
    passes = times <= LIMIT or reason is not None
    words = f"{times:.2f} times the parent's"
    if times > LIMIT:
        words += f": slower, because {reason}" if passes else ": TOO SLOW"
    return passes, words


def judged(trees: Trees, ruleset: Ruleset, reason: str | None) -> tuple[bool, str]:
    """The verdict on a ruleset; one that only we can play passes. Errors: Unable, if we cannot."""
    try:
        return verdict(ratio(trees, ruleset), reason)
    except Unable as e:
        if e.tree == trees[0]:
            raise
        return True, f"passed over, the parent cannot play it: {e}"


def check(root: Path, rulesets: Sequence[Ruleset] = RULESETS) -> bool:
    """Prints how each ruleset compares; whether all may pass."""
    try:
        commit = base(root)
        if not git(root, "diff", "--name-only", commit, "--", *MATTERS):
            print(f"Nothing in {' or '.join(MATTERS)} has changed: no game can be slower.")
            return True
        reason = accepted(root, commit)
        with checked_out(root, commit, "src") as there:
            print(f"Processor time a decision of random play, beside {commit[:10]}:")
            failed = [r for r in rulesets if not told((root, there), r, reason.get(r[0]))]
    except NoHistory as e:
        print(f"There is no parent commit to compare with ({e}): nothing was measured.")
        return True
    except Unable as e:
        print(f"cannot be played: {e}")
        return False
    if failed:
        print(ADVICE.format(percent=round(100 * (LIMIT - 1)), game=failed[0][0]))
    return not failed


def told(trees: Trees, ruleset: Ruleset, reason: str | None) -> bool:
    """Prints one row; whether it may pass."""
    name, options = ruleset
    row = " ".join([name, *(f"{k}={v}" for k, v in options.items())])
    print(f"  {row:46} ", end="", flush=True)
    passes, words = judged(trees, ruleset, reason)
    print(words, flush=True)
    return passes


if __name__ == "__main__":
    sys.exit(not check(Path(__file__).parent.parent))
