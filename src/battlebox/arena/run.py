"""Plays a tournament: as many deals as were asked for, or until it is certain enough."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ..core.errors import RulesetError
from ..core.random import checked_seed
from .journal import Journal
from .plan import Plan, Result, play, results_of
from .results import Results
from .workers import Play, cluster, processes

FIRST_LOOK = 50  # deals
GROWTH = 1.15  # each look comes when there are so many times as many as at the last one
USUAL = 400  # matches
ENDLESS = 10_000_000  # matches, where the margin says when to stop

#: told how many matches there are, and how many there will be, as far as can be said
Progress = Callable[[int, int | None], None]


def tournament(
    plan: Plan,
    matches: int | None = None,
    *,
    until: float | None = None,
    workers: int | None = None,
    ray: str | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
) -> Results:
    """Plays the plan's first deals.

    matches: how many at most (usually 400, with `until` no such bound); only whole deals are
    played. until: stops at the first look at which the share of each pair is known within this
    margin; there are looks at 50, 58, 67 ... deals. workers: processes, usually one for each core.
    ray: the address of a Ray cluster that plays in their place, or "local". out: a file that keeps
    the results; one that is there is gone on with. The results do not depend on it.

    Errors: RulesetError for fewer matches than a deal has, or a margin that is none;
    BattleboxError for a file of something else, no Ray, a worker that was killed; BotError for a
    bot's file that gives none, or a bot that raises or chooses what is not legal.
    """
    most = (USUAL if until is None else ENDLESS) if matches is None else matches
    deals = most // plan.table
    if deals < 1:
        raise RulesetError(f"matches = {most}: a deal of {plan.table} bots has {plan.table}")
    if until is not None and not 0 < until < 0.5:
        raise RulesetError(f"until = {until}: a margin between 0 and 0.5")
    checked_seed(plan.seed + deals - 1)
    n, report = workers or os.cpu_count() or 1, progress or (lambda done, expected: None)
    bots = [spec.make(plan.rules, 0) for spec in set(plan.specs)]  # what is none leaves no file
    with Journal(results_of(plan), out) as journal:
        report(len(journal.results), None)
        for bot in bots:
            bot.warm()  # compiles once, before the workers would each
        many = (
            cluster(plan, ray, workers)
            if ray
            else processes(partial(play, plan), n, patient=bool(plan.readers))
        )
        with many as playing:
            return _play_on(plan, journal, playing, deals, until, report)


def _play_on(
    plan: Plan,
    journal: Journal[int, Result],
    playing: Play,
    most: int,
    until: float | None,
    progress: Progress,
) -> Results:
    done, expected = journal.results, None if until else most * plan.table
    for deals in looks(most) if until else [most]:
        wanted = range(deals * plan.table)
        count = sum(k in done for k in wanted)
        progress(count, expected)
        for result in playing([k for k in wanted if k not in done]):
            journal.add(result.match, result)
            count += 1
            progress(count, expected)
        found = Results(plan, tuple(done[k] for k in wanted), until)
        if until:
            if found.margin <= until:
                break
            expected = plan.table * min(most, round(deals * (found.margin / until) ** 2))
    return found


def looks(most: int) -> Iterator[int]:
    """After how many deals it is looked whether that is enough; the last time after the most."""
    at = FIRST_LOOK
    while at < most:
        yield at
        at = round(at * GROWTH)
    yield most
