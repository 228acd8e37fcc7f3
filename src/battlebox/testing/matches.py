"""Random matches under the laws of `core/laws.py`, over all ways to play.

`audit` takes each of many positions, `check` looks at fewer from every side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..core import laws
from ..core.game import Game, Ruleset, parse_options
from .failure import Failure, in_words, word_of
from .ways import has_usual_sizes, rulesets, spread

PARTS = 8  # of what takes long, as checks of their own
WAYS = 16  # to play, of which matches are played: all of them on the compiled build, in bulk
DECISIONS = {False: 200, True: 500}  # of each, in bulk: on the plain build, on the compiled one
AGAIN = "The same match again: "
DEPTH = 40  # decisions of each, looked at from every side


@dataclass(frozen=True)
class Effort:
    """How much is played. matches: so many, in place of some hundred decisions of each way to play.
    seed: of the first match. compiled: on the compiled build, all ways to play; then the plain
    build is compared with it. options: the only way to play, such as ("players=3",). page: the page
    is looked at, too, which needs a browser: see `layout.missing`.
    """

    matches: int | None = None
    seed: int = 0
    compiled: bool = False
    options: tuple[str, ...] = ()
    page: bool = False


class Job(NamedTuple):
    """Matches of one way to play, from this seed on, until so many decisions are taken."""

    rules: Ruleset
    seed: int
    decisions: int


def jobs(game: Game, effort: Effort, part: int, *, bulk: bool) -> Iterator[Job]:
    """What one of the parts plays. With a number of matches each job is one match."""
    if effort.options:
        ways = [game.ruleset(parse_options(game, effort.options), strings=True)]
    else:
        ways = rulesets(game)
    if bulk and effort.compiled:
        ways = [x for x in ways if has_usual_sizes(x)]
    most = max(WAYS, len(ways)) if bulk and effort.compiled else WAYS
    chosen = spread(ways, most if effort.matches is None else effort.matches)
    decisions = DECISIONS[effort.compiled] if bulk else DEPTH
    for k, rules in enumerate(chosen):
        if k % PARTS == part:
            first = k if effort.matches is not None else 1000 * k
            yield Job(rules, effort.seed + first, decisions if effort.matches is None else 1)


def audited(game: Game, effort: Effort, part: int) -> int:
    """Conservation, legality, hiding, the end. Gives how many decisions were taken.

    Errors: Failure names law, seed and decision.
    """

    def play(rules: Ruleset, seed: int, most: int) -> int:
        cut = None if effort.compiled or effort.matches is not None else most
        return laws.audit(rules, 1, seed, decisions=cut, compiled=effort.compiled)

    return sum(_played(job, play) for job in jobs(game, effort, part, bulk=True))


def looked_at(game: Game, effort: Effort, part: int) -> int:
    """Words, positions, scenes, sentences, undo, records. Gives how many decisions were taken.

    Errors: Failure names law, seed and decision.
    """

    def play(rules: Ruleset, seed: int, most: int) -> int:
        compiled = effort.compiled and has_usual_sizes(rules)
        return laws.check(rules, 1, seed, decisions=max(most, DEPTH), compiled=compiled)

    return sum(_played(job, play) for job in jobs(game, effort, part, bulk=False))


def ended(game: Game, effort: Effort, part: int) -> int:
    """Random matches end within the limit. Gives how many were played. Errors: Failure."""

    def play(rules: Ruleset, seed: int, most: int) -> int:
        engine = rules.plain()
        limit = engine.build.hooks.max_length(engine.tt[0], rules.players)
        if int(engine.play(1, seed, limit=limit + 1).decisions[0]) > limit:
            raise Failure(
                f"{rules}: seed {seed}: after {limit} decisions the match is not over",
                "",
                "Let it end; or write in rules.py how many decisions it may take: "
                "@rule def max_length(t: Table, seats: int) -> int",
            )
        return most

    found = list(jobs(game, effort, part, bulk=False))
    for job in found:
        _played(job, play)
    return len(found)


def audited_at_other_sizes(game: Game) -> int:
    """One way to play of each size of records, on the plain build. Errors: Failure."""
    other = {x.game.package: x for x in rulesets(game) if not has_usual_sizes(x)}

    def play(rules: Ruleset, seed: int, most: int) -> int:
        return laws.audit(rules, 1, seed, decisions=most, compiled=False)

    return sum(_played(Job(rules, 0, DEPTH), play) for rules in other.values())


def _played(job: Job, play: Callable[[Ruleset, int, int], int]) -> int:
    """Plays matches of a job with `play`, which gives their decisions, until it is done.

    Errors: Failure says how to play the match again.
    """
    taken, seed = 0, job.seed
    while taken < job.decisions:
        try:
            taken += max(1, play(job.rules, seed, job.decisions - taken))
        except Exception as e:
            game = job.rules.game.base or job.rules.game
            found = in_words(e, job.rules.game.folder)
            what = found.what
            if str(job.rules) not in what:
                what = f"{what} ({job.rules}: seed {seed})"
            again = (
                f"{AGAIN}battlebox check {word_of(game)} {job.rules.options_text} "
                f"--seed {seed} --matches 1"
            )
            hint = f"{found.hint}\n{again}" if found.hint else again
            raise Failure(what, found.where, hint) from e
        seed += 1
    return taken
