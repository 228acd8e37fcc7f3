"""Whether what bots expect comes about: the section of RATINGS.md on it.

    python -m bench.calibration                  printed; a quarter of an hour on one core
    python -m bench.calibration --only medieval  one game

In matches of `quick` against itself one moment is drawn by lot, a search and the policy say what
the seat may expect by what it sees, and the match is played on. Where cards are placed in secret
the moments are the beginnings of that, apart for the seat that answers first and for the next: who
answers what still lies face down hopes for more than comes.
"""

from __future__ import annotations

import argparse
import random
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np

import battlebox as bb
from battlebox.arena.intervals import estimate
from battlebox.bots.adviser import Searched
from battlebox.bots.levels import QUICK
from battlebox.bots.policy import PolicyBot
from battlebox.core.checked import Array

from . import results

HEAD = """\
## What is expected, and what comes

Measured {day} by `{command}`, from the root of the repository.

* Machine: {machine}.
* In each of {deals} matches of `quick` against itself one moment was drawn by lot. *Expected*: what
  the seat may expect by what it sees, -1 .. 1, of `champion`'s search (`search`) and of the values
  of the policy that comes with the game (`policy`). *Came*: what the match returned to it. *More*:
  how much more that was, with its 95 % interval; all is well where 0 lies in it.
* *First*, *second*: where all answer in secret, the seat that the rules ask first, and the next.
  A search in one tree answers what still lies face down. In other rows a moment is any decision.
* *By fifths*: the moments by what was expected, and what came of each fifth, which varies by
  about ± 0.14 where it is of 200 moments.
"""
DEALS = 1_000
PLACES = "first", "second"


@dataclass(frozen=True)
class Moments:
    """Of matches of a mode: those at which a phase begins; None: all decisions with a choice."""

    name: str
    game: str
    options: Mapping[str, Any]
    phase: str | None = None

    @property
    def rules(self) -> bb.Ruleset:
        """What is played."""
        return bb.load(self.game, **self.options)


MOMENTS = (
    Moments("War Zone", "war_zone", {"players": 2}),
    Moments("War Zone, four", "war_zone", {"players": 4}),
    Moments("Iron Man, advanced", "iron_man", {}),
    Moments("Iron Man, beginner: cards placed", "iron_man", {"mode": "beginner"}, "PLACE"),
    Moments("Medieval: reinforcements", "medieval", {}, "REINF"),
    Moments("Medieval, court: reinforcements", "medieval", {"deck": "medieval-court"}, "REINF"),
    Moments("Battle, one round", "battle", {"players": 4, "rounds": 1}),
    Moments("Battle, one round: secret answers", "battle", {"players": 4, "rounds": 1}, "SV"),
    Moments("Battleball, basic", "battleball", {}),
)


class Said(NamedTuple):
    """Of one moment."""

    search: float
    policy: float
    came: float


def moments(
    of: Moments, rules: bb.Ruleset, seed: int
) -> tuple[dict[int, list[tuple[int, Any]]], Sequence[float]]:
    """Of a match: by place, the seats and what they saw; and what the match returned."""
    m, bot = rules.match(seed), bb.bot(QUICK, rules, seed=seed)
    found, asked = dict[int, list[tuple[int, Any]]](), set[int]()
    while (seat := m.to_act) is not None:
        seen = m.observation(seat)
        if of.phase is None:
            if len(m.legal_actions) > 1:
                found.setdefault(0, []).append((seat, seen))
        elif m.phase != of.phase:
            asked.clear()
        elif seat not in asked:
            found.setdefault(len(asked), []).append((seat, seen))
            asked.add(seat)
        m.submit(seat, bot.choose(seen))
    assert m.returns is not None
    return found, m.returns


def said(of: Moments, deals: int) -> dict[int, list[Said]]:
    """By place: what was expected in so many matches that have the moment, and what came."""
    rules, dice = of.rules, random.Random(1)
    search = Searched(rules, rules.game.simulations[-1])
    quick = bb.bot(QUICK, rules)
    assert isinstance(quick, PolicyBot)
    found = dict[int, list[Said]]()
    print(f"  {of.name}", file=sys.stderr, flush=True)
    seed = 0
    while len(found.get(0, ())) < deals:
        each, returns = moments(of, rules, seed)
        for place in sorted(each)[: len(PLACES)]:
            seat, seen = dice.choice(each[place])
            expected = search.expected(seen, seed), quick.values(seen)[seat]
            found.setdefault(place, []).append(Said(*expected, returns[seat]))
        seed += 1
    return found


def fifths(expected: Array, came: Array) -> str:
    """What was expected, and what came, of each fifth of the moments."""
    parts = np.array_split(np.argsort(expected, kind="stable"), 5)
    return ", ".join(f"{expected[x].mean():+.2f}: {came[x].mean():+.2f}" for x in parts)


def rows(of: Moments, deals: int) -> Iterator[list[str]]:
    """The lines of these moments."""
    for place, each in sorted(said(of, deals).items()):
        name = f"{of.name}, {PLACES[place]}" if of.phase else of.name
        table = np.array(each)
        for judge, expected in zip(Said._fields, table.T[:-1], strict=False):
            came = table[:, -1]
            more = estimate(came - expected)
            means = [f"{x.mean():+.3f}" for x in (expected, came)]
            apart = f"{more.value:+.3f} ({more.low:+.3f} .. {more.high:+.3f})"
            yield [name, judge, str(len(each)), *means, apart, fifths(expected, came)]


def main() -> None:
    """Reads the options, plays, prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.calibration", description=__doc__)
    parser.add_argument("--only", choices=sorted({x.game for x in MOMENTS}), help="one game")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"matches ({DEALS})")
    given = parser.parse_args()
    command = shlex.join(["python", "-m", "bench.calibration", *sys.argv[1:]])
    about = {"day": date.today(), "command": command, "machine": results.machine()}
    print(HEAD.format(**about, deals=given.deals))
    head = ["moments", "by", "matches", "expected", "came", "more", "by fifths"]
    each = [x for x in MOMENTS if given.only in (None, x.game)]
    print("\n".join(results.table(head, [row for x in each for row in rows(x, given.deals)])))


if __name__ == "__main__":
    main()
