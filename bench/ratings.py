"""How strong the levels of our bots are, in each main mode: the section of RATINGS.md on them.

    python -m bench.ratings --keep FOLDER         printed; some hours on two cores
    python -m bench.ratings --only war_zone       one game
    python -m bench.ratings --levels easy,medium  only these levels
    python -m bench.ratings --noticed             what people would notice of easy and medium

Each level plays the one below. FOLDER keeps the matches: what was stopped goes on.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

import numpy as np

import battlebox as bb
from battlebox.arena import Pair, Plan, tournament
from battlebox.arena.intervals import estimate, points
from battlebox.arena.plan import play
from battlebox.bots import LEVELS, BotSpec
from battlebox.bots.review import review
from battlebox.core.match import Match

from . import results
from .beside import found_cells, positions

HEAD = """\
## Levels

Measured {day} by `{command}`, from the root of the repository.

* Machine: {machine}.
* Each level played the one below on as many deals as half its matches, the seats changed; of four
  seats, each had two. *Won*: its share of the matches, and the 95 % interval of it.
* *Rating*: Elo points above `random`, the sum of the steps; a step of 100 points is 64 %.
* *Thinks*: milliseconds of processor time for a decision, on average and at most, at {seen}
  positions of matches of `easy`.
"""


@dataclass(frozen=True)
class Ladder:
    """A mode, and how many matches each level plays against the one below."""

    name: str
    game: str
    options: Mapping[str, Any]
    matches: Sequence[int]

    @property
    def steps(self) -> dict[str, tuple[str, int]]:
        """Each level's opponent, and how many matches they play."""
        pairs = zip(pairwise(LEVELS), self.matches, strict=True)
        return {level: (below, n) for (below, level), n in pairs}

    @property
    def rules(self) -> bb.Ruleset:
        """What is played."""
        return bb.load(self.game, **self.options)


BLUNDER = 0.05  # of a win: what a decision gave away that one notices
REVIEWER = 1_000  # simulations of a review
REVIEWED = 60  # matches of a mode that are reviewed, in which easy plays medium,
REVIEWED_SEED = 1_000_000  # on deals of their own
CHEAP = (400, 1000, 1000, 1000, 1000, 1000)  # matches that take seconds at most
NEAR = (400, 1000, 3000, 1000, 2000, 1000)  # and are much alike
DEAR = (100, 300, 300, 200, 200, 200)  # that take longer
CLOSE = (100, 600, 1000, 300, 300, 100)  # that take longer and are much alike
LADDERS = (
    Ladder("War Zone", "war_zone", {"players": 2}, NEAR),
    Ladder("War Zone, four", "war_zone", {"players": 4}, NEAR),
    Ladder("War Zone, teams", "war_zone", {"players": 4, "teams": 2}, NEAR),
    Ladder("War Zone, speedy", "war_zone", {"deck": "warzone-half", "speedy": True}, NEAR),
    Ladder("Iron Man, advanced", "iron_man", {}, CHEAP),
    Ladder("Iron Man, beginner", "iron_man", {"mode": "beginner"}, CHEAP),
    Ladder("Medieval", "medieval", {}, CHEAP),
    Ladder("Medieval, court", "medieval", {"deck": "medieval-court"}, CHEAP),
    Ladder("Battle, one round", "battle", {"players": 4, "rounds": 1}, CHEAP),
    Ladder("Battle, a match", "battle", {"players": 4, "target_points": 3}, DEAR),
    Ladder("Battleball, basic", "battleball", {}, CLOSE),
    Ladder("Battleball, advanced", "battleball", {"advanced": True}, CLOSE),
)


def step(share: float, matches: int) -> float:
    """What such a share makes, in points; all is taken for all but half a match."""
    return points(min(max(share, 0.5 / matches), 1 - 0.5 / matches))


def thinks(rules: bb.Ruleset, level: str, seen: Sequence[Any]) -> str:
    """Milliseconds of processor time a decision."""
    bot = bb.bot(level, rules, seed=1)
    bot.warm()
    taken = []
    for o in seen:
        start = process_time()
        bot.choose(o)
        taken.append(1000 * (process_time() - start))
    return f"{mean(taken):.3g}, {max(taken):.3g}"


def met(ladder: Ladder, level: str, below: str, matches: int, keep: Path | None) -> Pair:
    """A level against the one below."""
    out = keep / f"{ladder.name} {level}.jsonl" if keep else None
    print(f"  {ladder.name}: {level} against {below}", file=sys.stderr, flush=True)
    return tournament(Plan(ladder.rules, (level, below)), matches, out=out).pair(0, 1)


def effort(rules: bb.Ruleset, level: str) -> str:
    """How many simulations a decision a level makes, or positions it judges."""
    spec = BotSpec(level)
    if policy := spec.policy(rules.game):
        return f"{policy.evaluations:,} judged" if policy.evaluations else "one look"
    by_policy = " by policy" if spec.prior(rules.game) else ""
    return f"{spec.simulations(rules.game):,}{by_policy}"


def rows(ladder: Ladder, keep: Path | None, levels: Sequence[str]) -> Iterator[list[str]]:
    """The lines of these levels in a mode, the weakest first."""
    rules = ladder.rules
    seen, rated = positions(rules), {"random": (0.0, 0.0)}
    for level in (x for x in LEVELS if x in levels):
        below, matches = ladder.steps[level]
        pair = met(ladder, level, below, matches, keep)
        low, high = (step(x, pair.matches) for x in pair.interval)
        total, spread = rated.get(below, (0.0, 0.0))
        total += step(pair.share, pair.matches)
        spread = math.hypot(spread, (high - low) / 2)
        rated[level] = total, spread
        figures = [effort(rules, level), thinks(rules, level, seen), *found_cells(pair)]
        yield [ladder.name, level, *figures, f"{total:.0f} (± {spread:.0f})"]


# ---- what people notice --------------------------------------------------------------------------
def given_away(plan: Plan, match: int) -> list[tuple[float, float]]:
    """By entrant: how many blunders one of its seats made in a match, and what all its decisions
    gave away, in shares of a win.
    """
    kept = list[Match]()
    play(plan, match, lambda m, action: kept.append(m) if action is None else None)
    found: list[list[tuple[float, float]]] = [[] for _ in plan.entrants]
    reviews = review(kept[0], simulations=REVIEWER)
    for one, who in zip(reviews, plan.seats(match), strict=True):
        own = [-x.decision / 2 for x in one.steps if x.mover == one.seat]
        found[who].append((sum(x >= BLUNDER for x in own), sum(own)))
    return [(mean(x for x, _ in each), mean(y for _, y in each)) for each in found]


def noticed(ladder: Ladder) -> Iterator[list[str]]:
    """The lines of a mode: of easy and medium, blunders a match, and what was given away."""
    plan = Plan(ladder.rules, ("easy", "medium"), REVIEWED_SEED)
    print(f"  {ladder.name}: reviews", file=sys.stderr, flush=True)
    found = np.array([given_away(plan, k) for k in range(REVIEWED)])
    for name, cells in zip(plan.entrants, np.moveaxis(found, 1, 0), strict=True):
        blunders, away = (estimate(x.reshape(-1, 2).mean(axis=1)) for x in cells.T)
        yield [
            *(
                ladder.name,
                name,
                f"{blunders.value:.1f} ({blunders.low:.1f} .. {blunders.high:.1f})",
            ),
            f"{100 * away.value:.0f} ({100 * away.low:.0f} .. {100 * away.high:.0f})",
            f"{100 * np.mean(cells[:, 0] < 1):.0f} %",
        ]


def main() -> None:
    """Reads the options, plays, prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description=__doc__)
    parser.add_argument("--only", choices=sorted({x.game for x in LADDERS}), help="one game")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keeps the matches there")
    parser.add_argument("--levels", default=",".join(LEVELS[1:]), help="as in easy,medium")
    parser.add_argument("--noticed", action="store_true", help="blunders of easy and medium")
    given = parser.parse_args()
    levels = given.levels.split(",")
    if unknown := set(levels) - set(LEVELS[1:]):
        parser.error(f"--levels: no level {min(unknown)!r}; there are {', '.join(LEVELS[1:])}")
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    command = shlex.join(["python", "-m", "bench.ratings", *sys.argv[1:]])
    seen = len(positions(LADDERS[0].rules))
    print(HEAD.format(day=date.today(), command=command, machine=results.machine(), seen=seen))
    ladders = [x for x in LADDERS if given.only in (None, x.game)]
    if given.noticed:
        head = ["mode", "level", "blunders a match", "gave away, points", "matches without one"]
        print("\n".join(results.table(head, [row for x in ladders for row in noticed(x)])))
        return
    head = ["mode", "level", "simulations", "thinks, ms", "matches", "won", "rating"]
    print(
        "\n".join(
            results.table(head, [row for x in ladders for row in rows(x, given.keep, levels)])
        )
    )


if __name__ == "__main__":
    main()
