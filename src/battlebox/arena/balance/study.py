"""Which matches are played to measure a ruleset, and by whom.

All of a study follows from its ruleset, bots, seed and number of matches: not from the machine, nor
from how many processes play. How many matches there are is said by how long they are, so that a
study of long matches takes about as long as one of short ones.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from ...bots import AnySpec, BotSpec, parse_bot
from ...core.errors import RulesetError
from ...core.game import Ruleset
from ..journal import Journal, Lines
from ..plan import Plan
from ..run import Progress
from ..workers import processes
from .players import CHEAP, thrifty
from .recorder import Look, MatchStats, chances, first_hands, follow, observe, uses

FORMAT = 1  # of the journal
PILOT = 16  # matches that say how long one is
LEAST, MOST = 8, 4000  # matches of a series
FEWEST = 20  # of the main one
TRACED = 8  # in which rules are followed, of each other value of an option
AS_IT_IS = "as it is"  # the name of what is compared with

# how many decisions, about, are made in the usual number of matches
MAIN = 24_000  # by the study's bots
SEARCHED = 6_000  # of these, those in which chances are estimated
CARDS = 40_000  # by thrifty bots, for what cards are worth
SWITCHED = 20_000  # by cheap bots, for the options as they are, and for each other value of one
FOLLOWED = 1_000  # by cheap bots, for the rules that are followed
LADDER = {
    ("easy", "random"): 8_000,
    ("medium", "easy"): 8_000,
    ("hard", "medium"): 8_000,
    ("expert", "hard"): 6_000,
}


class Series(NamedTuple):
    """Matches of one plan, all looked at in the same ways."""

    plan: Plan
    first: int  # the number of its first match,
    matches: int  # and how many there are
    looks: tuple[Look, ...] = ()
    follows: bool = False  # the rules, on the plain build

    @property
    def numbers(self) -> range:
        """The numbers of its matches in the plan."""
        return range(self.first, self.first + self.matches)

    @property
    def effort(self) -> int:
        """About how many simulations a decision of it takes."""
        return 100 + sum(map(self._simulations, self.plan.specs)) // len(self.plan.specs)

    def _simulations(self, spec: AnySpec) -> int:
        return spec.simulations(self.plan.rules.game) if isinstance(spec, BotSpec) else 0

    def play(self, match: int) -> MatchStats:
        """Plays one of its matches."""
        if self.follows:
            return follow(self.plan, match)
        _look_compiled(self.plan.rules, self.plan.specs)
        return observe(self.plan, match, self.looks)


class Switch(NamedTuple):
    """Another value of an option than the ruleset has; or another "mode"."""

    option: str
    value: str


Job = tuple[str, int]  # the name of a series, the number of a match


@dataclass(frozen=True)
class Study:
    """What is to be measured. `matches`: of the main series; None: as many as are usual.

    Errors: RulesetError for a word that names no bot, a seed that is none, too few matches;
    BotError for a bot's file that cannot be read.
    """

    rules: Ruleset
    bots: str
    seed: int = 0
    matches: int | None = None

    def __post_init__(self) -> None:
        self.plan(self.bots)
        if self.matches is not None and self.matches < FEWEST:
            raise RulesetError(f"matches = {self.matches}: a study has {FEWEST} at least")

    def plan(self, *bots: str, rules: Ruleset | None = None) -> Plan:
        """Matches between these bots; of one bot against itself. All plans have the same deals."""
        return Plan(rules or self.rules, bots if len(bots) > 1 else bots * 2, self.seed)

    @property
    def length_unit(self) -> str:
        """What a match's length is counted in, as "turn"; empty if the game does not say."""
        return self.rules.game.length_unit.name if self.rules.game.length_unit else ""

    @cached_property
    def switches(self) -> dict[Switch, Ruleset | str]:
        """Each other value of an option that is on or off or one of some words, and each mode that
        is more than that; or why it does not go with the rest.
        """
        out = dict[Switch, Ruleset | str]()
        for name, about in type(self.rules.options).model_json_schema()["properties"].items():
            now = str(getattr(self.rules.options, name))
            values = ["False", "True"] if about.get("type") == "boolean" else about.get("enum", [])
            for value in values or about.get("examples", []):
                if value != now:
                    out[Switch(name, value)] = self._changed({name: value})
        possible = [rules for rules in out.values() if isinstance(rules, Ruleset)]
        known = {rules.digest for rules in (self.rules, *possible)}
        for mode in self.rules.game.modes:
            rules = self._changed({k: str(v) for k, v in mode.options.items()})
            if isinstance(rules, str) or rules.digest not in known:
                out[Switch("mode", mode.name)] = rules
        return out

    def said(self, switch: Switch) -> str:
        """A switch as people call it: "Teams: two teams", "Mode: Court"."""
        modes = [mode.name for mode in self.rules.game.modes]
        if switch.option == "mode" and switch.value in modes:
            return f"Mode: {switch.value}"
        return self.rules.options.said(*switch)

    def _changed(self, options: dict[str, str]) -> Ruleset | str:
        try:
            return self.rules.changed(options)
        except RulesetError as e:
            return str(e)

    def series(self, pilot: Sequence[MatchStats] = ()) -> dict[str, Series]:
        """All series by name, made to measure of the first matches; without these: they alone.

        What the study's bots play is one series of matches, of which the first are looked at with
        more patience: "searched" and, after these, "main".
        """
        own, cheap = self.plan(self.bots), self.plan(CHEAP)
        if not pilot:
            return {"searched": Series(own, 0, PILOT, (uses, chances))}
        length = mean(x.result.decisions for x in pilot)

        def count(decisions: int) -> int:
            return self._count(decisions, length)

        main = self.matches // 2 * 2 if self.matches else max(FEWEST, count(MAIN))
        searched = min(main, max(PILOT, count(SEARCHED)))
        out = {name_of(*rung): Series(self.plan(*rung), 0, count(d)) for rung, d in LADDER.items()}
        out["searched"] = Series(own, 0, searched, (uses, chances))
        out["main"] = Series(own, searched, main - searched, (uses,))
        if any(any(x.held) for x in pilot):
            out["cards"] = Series(self.plan(thrifty(self.rules)), 0, count(CARDS), (first_hands,))
        out[AS_IT_IS] = Series(cheap, 0, count(SWITCHED))
        out["rules"] = Series(cheap, 0, count(FOLLOWED), follows=True)
        for switch, rules in self.switches.items():
            if isinstance(rules, Ruleset):
                plan = self.plan(CHEAP, rules=rules)
                out[name_of(*switch)] = Series(plan, 0, count(SWITCHED))
                out["rules " + name_of(*switch)] = Series(plan, 0, TRACED, follows=True)
        return out

    def _count(self, decisions: int, length: float) -> int:
        """In how many matches of this length there are about so many decisions, in whole deals."""
        scale = self.matches / (MAIN / length) if self.matches else 1.0
        wanted = min(MOST, max(LEAST, scale * decisions / length))
        return 2 * round(wanted / 2)


def name_of(*parts: str) -> str:
    """The name of a series: `hard medium`, `relief False`."""
    return " ".join(parts)


# ---- playing it ----------------------------------------------------------------------------------
def measure(
    study: Study,
    *,
    workers: int | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, list[MatchStats]]:
    """Plays all of a study; by series, its matches in their order.

    workers: processes, usually one for each core. out: a file that keeps the matches; one that is
    there is gone on with. progress: told how much is done, of how much.
    Errors: BattleboxError for a file of something else, or a worker that was killed.
    """
    report = progress or (lambda done, expected: None)
    bots = (
        study.bots,
        CHEAP,
        thrifty(study.rules),
        *dict.fromkeys(word for rung in LADDER for word in rung),
    )
    with Journal(lines_of(study, bots), out) as journal:
        report(0, None)
        make_ready(study.rules, *bots)
        first = study.series()
        _play_on(journal, first, workers, lambda k, n: report(k, None))
        series = study.series([journal.results["searched", k] for k in first["searched"].numbers])
        _play_on(journal, series, workers, report)
        return {name: [journal.results[name, k] for k in s.numbers] for name, s in series.items()}


def lines_of(
    study: Study, bots: Sequence[str], variants: Mapping[str, Ruleset] | None = None
) -> Lines[Job, MatchStats]:
    """What a journal of the study says, for matches of these bots, or of these variants."""
    about = json.loads(Plan(study.rules, tuple(bots), study.seed).header)
    del about["arena"]
    digests = {name: rules.digest for name, rules in (variants or {}).items()}
    header = json.dumps({"balance": FORMAT, **about, "variants": digests})
    adapter = TypeAdapter(MatchStats)

    def write(job: Job, seen: MatchStats) -> dict[str, Any]:
        noted = adapter.dump_python(seen, mode="json", exclude_defaults=True)
        return {"series": job[0], "match": job[1], "seen": noted}

    def read(entry: Any) -> tuple[Job, MatchStats]:
        seen = adapter.validate_json(json.dumps(entry["seen"]))
        if not isinstance(entry["series"], str) or entry["match"] != seen.result.match:
            raise ValueError(entry["series"], entry["match"])
        return (entry["series"], seen.result.match), seen

    return Lines("balance", "study", header, write, read)


def _play_on(
    journal: Journal[Job, MatchStats],
    series: dict[str, Series],
    workers: int | None,
    report: Progress,
) -> None:
    """Plays what the journal lacks of these series."""
    jobs = [(name, k) for name, s in series.items() for k in s.numbers]
    left = [job for job in jobs if job not in journal.results]
    total = sum(series[name].effort for name, _ in jobs)
    count = total - sum(series[name].effort for name, _ in left)
    if not left:
        return
    report(count, total)
    with processes(partial(play, series), workers or os.cpu_count() or 1) as playing:
        for job, seen in playing(left):
            journal.add(job, seen)
            count += series[job[0]].effort
            report(count, total)


def play(series: dict[str, Series], job: Job) -> tuple[Job, MatchStats]:
    """A match of one of these series, perhaps in another process."""
    name, match = job
    return job, series[name].play(match)


def make_ready(rules: Ruleset, *bots: str) -> None:
    """Compiles, or fetches, what matches of these bots need: once, before the workers would each.
    For bots that only draw lots that is nothing.
    """
    specs = list(map(parse_bot, bots))
    for each in set(specs):
        each.make(rules, 0).warm()
    _look_compiled(rules, specs)


def _look_compiled(rules: Ruleset, specs: Sequence[AnySpec]) -> None:
    """Has recorders look with machine code, if bots need some anyway."""
    ours = [k for k in specs if isinstance(k, BotSpec)]
    if any(k.simulations(rules.game) or k.policy(rules.game) for k in ours):
        rules.use_compiled_observer()
