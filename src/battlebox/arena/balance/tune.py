"""Searches the numbers of a ruleset for what it is to be like: even seats, a length.

Optuna proposes numbers, the same deals are played with each, and what comes out is held against the
targets. The best of many trials was lucky, too: so it is measured once more, on deals that no trial
has seen.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import BattleboxError, RulesetError
from ...core.game import Ruleset
from ...core.table import nearest
from ..intervals import DOUBT, Estimate, share
from ..journal import saying
from ..run import Progress
from ..workers import processes
from .findings import by_deal, drawn, first_scores
from .parameters import change, number_at
from .recorder import MatchStats, observe
from .study import Study, make_ready

NAME = "battlebox"  # of Optuna's study
USUAL = 200  # matches of a trial
AGAIN = 5  # times as many show what the best is worth
FRESH = 1 << 40  # so far from the trials' deals are those
REPEATS = 1000  # of the bootstrap

#: what can be aimed at: what it is of some matches, by how much one may be wrong for one point of
#: loss (of a length: which part of it), and the most it can be
MEASURES: dict[str, tuple[Callable[[Sequence[MatchStats]], float], float, float]] = {
    "seat": (lambda seen: float(np.mean(first_scores(seen))), 0.05, 1),
    "draws": (lambda seen: float(np.mean([drawn(x) for x in seen])), 0.05, 1),
    "turns": (lambda seen: float(np.median([x.turns for x in seen])), 0.1, 10_000),
    "decisions": (lambda seen: float(np.median([x.result.decisions for x in seen])), 0.1, 100_000),
}
LENGTHS = ("turns", "decisions")


class Range(NamedTuple):
    """Whole numbers that a path may have."""

    path: str
    low: int
    high: int


class Target(NamedTuple):
    """What a measure is to be."""

    what: str
    value: float

    @property
    def tolerance(self) -> float:
        """How wrong it may be for one point of loss."""
        each = MEASURES[self.what][1]
        return each * self.value if self.what in LENGTHS else each


def read_range(word: str) -> Range:
    """`PATH=LOW..HIGH`. Errors: RulesetError."""
    path, _, span = word.partition("=")
    low, dots, high = span.partition("..")
    try:
        found = Range(path, int(low), int(high))
    except ValueError:
        found = Range("", 0, 0)
    if not dots or not found.path or found.low >= found.high:
        raise RulesetError(f"{word!r} is not a range; write PATH=LOW..HIGH, two whole numbers")
    return found


def read_target(word: str) -> Target:
    """`MEASURE=VALUE`. Errors: RulesetError."""
    what, _, value = word.partition("=")
    if what not in MEASURES:
        raise RulesetError(f"no target {what!r}{nearest(what, MEASURES)}")
    try:
        found = float(value)
    except ValueError:
        found = -1
    if not found + (what not in LENGTHS) > 0 or not 0 <= found <= MEASURES[what][2]:
        most = MEASURES[what][2]
        raise RulesetError(f"target {word!r}: a number up to {most:g}, such as {what}={most / 2:g}")
    return Target(what, found)


@dataclass(frozen=True)
class Search:
    """What is to be found: numbers in these ranges, with which the targets are met best.

    Errors: RulesetError for a path that the game does not know or that is given twice, or if there
    is nothing to search or to aim at.
    """

    study: Study
    ranges: tuple[Range, ...]
    targets: tuple[Target, ...]

    def __post_init__(self) -> None:
        for what, found in (("range", self.ranges), ("target", self.targets)):
            names = [x[0] for x in found]
            if not names:
                raise RulesetError(f"a search needs a {what} at least")
            if twice := [x for x in names if names.count(x) > 1]:
                raise RulesetError(f"the {what} of {twice[0]} is given twice")
        if any(t.what == "turns" for t in self.targets) and not self.study.length_unit:
            raise RulesetError(f"{self.study.rules.name} does not count turns; decisions=N does")
        for r in self.ranges:
            number_at(self.study.rules, r.path)

    @property
    def usual(self) -> dict[str, int]:
        """The numbers as they are; empty if one of them is not in its range."""
        found = {r.path: number_at(self.study.rules, r.path) for r in self.ranges}
        inside = all(r.low <= found[r.path] <= r.high for r in self.ranges)
        return found if inside else {}

    @property
    def matches(self) -> int:
        """Of a trial, in whole deals."""
        return (self.study.matches or USUAL) // 2 * 2

    @property
    def header(self) -> dict[str, Any]:
        """All that makes a trial what it is."""
        told: dict[str, Any] = json.loads(self.study.plan(self.study.bots).header)
        told |= {"ranges": self.ranges, "targets": self.targets, "matches": self.matches}
        found: dict[str, Any] = json.loads(json.dumps(told))
        return found

    def loss(self, seen: Sequence[MatchStats]) -> float:
        """How far these matches are from the targets: the sum of squares, in tolerances."""
        wrong = [(MEASURES[t.what][0](seen) - t.value) / t.tolerance for t in self.targets]
        return float(np.sum(np.square(wrong)))


class Found(NamedTuple):
    """What a search came to."""

    search: Search
    values: dict[str, int]  # the best numbers
    rules: Ruleset  # with them
    trials: int
    before: dict[str, Estimate]  # on fresh deals, by target: as it was,
    after: dict[str, Estimate]  # and with the best numbers


def optuna() -> Any:
    """Optuna, quiet. Errors: BattleboxError says what to install."""
    try:
        import optuna
    except ImportError:
        raise BattleboxError("tuning needs Optuna: pip install 'battlebox[balance]'") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def tune(
    search: Search,
    trials: int,
    *,
    out: Path | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Found:
    """Goes on with a search until there have been so many trials.

    The first is that of the numbers as they are. out: a file that keeps them; one that is there is
    gone on with. Errors: BattleboxError for a file of another search, or no Optuna; RulesetError if
    no trial was possible.
    """
    tool, report = optuna(), progress or (lambda done, expected: None)
    kept = _kept(tool, search, out)
    make_ready(search.study.rules, search.study.bots)
    with processes(partial(_play, search.study), workers or os.cpu_count() or 1) as playing:

        def seen_with(values: Mapping[str, int], first: int, matches: int) -> list[MatchStats]:
            jobs = [(tuple(values.items()), k) for k in range(first, first + matches)]
            found = dict(playing(jobs))
            return [found[job] for job in jobs]

        def trial(t: Any) -> float:
            values = {r.path: t.suggest_int(r.path, r.low, r.high) for r in search.ranges}
            try:
                _changed(search.study, tuple(values.items()))
            except RulesetError as e:
                t.set_user_attr("refused", str(e))
                raise tool.TrialPruned from None
            return search.loss(seen_with(values, 0, search.matches))

        while (done := _finished(kept)) < trials:
            report(done, trials)
            kept.optimize(trial, n_trials=1)
        values = _best(kept)
        again = [seen_with(v, FRESH, AGAIN * search.matches) for v in ({}, values)]
    before, after = ({t.what: measured(t.what, seen) for t in search.targets} for seen in again)
    rules = _changed(search.study, tuple(values.items()))
    return Found(search, values, rules, _finished(kept), before, after)


def _kept(tool: Any, search: Search, out: Path | None) -> Any:
    """Optuna's study, new or from the file. Errors: BattleboxError if that is of something else;
    then it is untouched.
    """
    study = tool.create_study(
        storage=_storage(tool, out) if out else None, study_name=NAME, load_if_exists=True
    )
    study.sampler = tool.samplers.TPESampler(seed=search.study.seed + len(study.trials))
    before = study.user_attrs.get("search", search.header)
    for key, value in search.header.items():
        if before.get(key) != value:
            raise BattleboxError(
                f"{out}: it holds another search, whose {key} is {before.get(key)!r}, "
                f"not {value!r}; give another --out"
            )
    study.set_user_attr("search", search.header)
    as_it_is = [t for t in study.trials if _counts(t) and t.params == search.usual]
    waiting = [t for t in study.trials if t.state.name == "WAITING"]
    if search.usual and not as_it_is + waiting:
        study.enqueue_trial(search.usual)
    return study


def _storage(tool: Any, path: Path) -> Any:
    """What Optuna keeps in a file, a line of JSON for each change, of which the first makes our
    study.
    """
    try:
        with saying(path):
            text = path.read_bytes() if path.exists() else b""
            whole = text[: text.rfind(b"\n") + 1]  # a line that was cut off is dropped
            if text and json.loads(text.partition(b"\n")[0]).get("study_name") != NAME:
                raise ValueError
            if whole != text:
                path.write_bytes(whole)
            return tool.storages.JournalStorage(tool.storages.journal.JournalFileBackend(str(path)))
    except (ValueError, KeyError, AttributeError, AssertionError):
        raise BattleboxError(f"{path}: it is not a file of battlebox tune") from None


def _counts(trial: Any) -> bool:
    """Whether it came to an end; one that was stopped in the middle is finished for Optuna, too."""
    return trial.state.name in ("COMPLETE", "PRUNED")


def _finished(kept: Any) -> int:
    return sum(map(_counts, kept.trials))


def _best(kept: Any) -> dict[str, int]:
    try:
        return dict(kept.best_params)
    except ValueError:
        why = next(
            t.user_attrs["refused"] for t in reversed(kept.trials) if "refused" in t.user_attrs
        )
        raise RulesetError(f"no trial was possible; the last one was not because {why}") from None


# ---- playing -------------------------------------------------------------------------------------
Values = tuple[tuple[str, int], ...]


@lru_cache(maxsize=4)
def _changed(study: Study, values: Values) -> Ruleset:
    rules = change(study.rules, {path: str(value) for path, value in values})
    make_ready(rules, study.bots)  # other numbers of cards may be other code
    return rules


def _play(study: Study, job: tuple[Values, int]) -> tuple[tuple[Values, int], MatchStats]:
    """A match with these numbers, perhaps in another process."""
    values, match = job
    plan = study.plan(study.bots, rules=_changed(study, values))
    return job, observe(plan, match, ())


# ---- what came of it -----------------------------------------------------------------------------
def measured(what: str, seen: Sequence[MatchStats]) -> Estimate:
    """A measure of these matches; of a median, the interval comes of weighing deals anew."""
    if what in ("seat", "draws"):
        return share(by_deal(first_scores(seen) if what == "seat" else map(drawn, seen)))
    dice, measure = np.random.default_rng(0), MEASURES[what][0]
    deals = len(seen) // 2
    again = [
        measure([seen[2 * d + i] for d in dice.integers(deals, size=deals) for i in (0, 1)])
        for _ in range(REPEATS)
    ]
    low, high = np.quantile(again, (DOUBT / 2, 1 - DOUBT / 2))
    return Estimate(measure(seen), float(low), float(high))


def report(found: Found) -> str:
    """What was found, as a deck file: comments that say what it is worth, then the deck. If only
    options were searched, the comments alone.
    """
    again = AGAIN * found.search.matches
    lines = [
        f"found by battlebox tune in {found.trials} trials of {found.search.matches} matches",
        " ".join(f"{path}={value}" for path, value in found.values.items()),
        f"on {again} fresh matches, {found.search.study.bots} against itself, 95 % intervals:",
    ]
    for t in found.search.targets:
        was, now = _said(t.what, found.before[t.what]), _said(t.what, found.after[t.what])
        lines.append(f"{t.what}: {now}; to be {t.value:g}; it was {was}")
    comments = "".join(f"# {line}\n" for line in lines)
    return comments + found.rules.text


def _said(what: str, e: Estimate) -> str:
    digits = 0 if what in LENGTHS else 3
    return f"{e.value:.{digits}f} ({e.low:.{digits}f} .. {e.high:.{digits}f})"
