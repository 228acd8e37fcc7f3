"""How many positions there are after so many actions, for every ruleset: a table that is kept.

A rule that allows one action too many or too few, or leads elsewhere, changes these numbers. They
are counted as chess engines count them (perft): every sequence of legal actions of a length, from
the beginning of a match with a fixed seed, and from where some random actions have led it. What is
random comes from that seed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import unified_diff
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import battlebox as bb
from battlebox.core.engine import Engine
from battlebox.testing.ways import has_usual_sizes

from . import COURSES

FILE = Path(__file__).with_suffix(".table")
SEED = 1
STARTS = (0, 30, 120)  # random actions before the first that is counted
MOST = 10_000  # positions at the last depth that is counted
DEEPEST = 10  # where there is hardly anything to choose from
HEAD = f"""\
# A match with seed {SEED}, in which so many random actions were done: how many positions there are
# after 1, 2, 3 ... more"""


def positions(engine: Engine, start: int, most: int = MOST) -> Iterator[int]:
    """How many positions there are after 1, 2, 3 ... actions, while there are at most `most`.

    The end of a match is one, too; nothing comes after it. start: how many random actions are done
    before; none if the match is over by then.
    """
    build, f, tt = engine.build, engine.f, engine.tt
    acts, dice = build.action_buffer(), Random(SEED)
    level = build.states(1)
    engine.begin(build.access(level), 0, SEED)

    def legal_in(here: Any, i: int) -> list[int]:
        n = f.list_actions(tt, here, i, build.access(acts))
        found: list[int] = acts[:n].tolist()
        return found

    for _ in range(start):
        if not (legal := legal_in(build.access(level), 0)):
            return
        f.take(tt, build.access(level), 0, dice.choice(legal))
    for _ in range(DEEPEST):
        here = build.access(level)
        lists = [legal_in(here, i) for i in range(len(level))]
        total = sum(map(len, lists))
        if not 0 < total <= most:
            return
        yield total
        after, k = build.states(total), 0
        there = build.access(after)
        for i, actions in enumerate(lists):
            for action in actions:
                after[k] = level[i]
                f.take(tt, there, k, action)
                k += 1
        level = after


def rows(name: str) -> list[str]:
    """The lines of the table for a playthrough's ruleset. One of other sizes than usual is not
    compiled for that: it would take three times as long as to count on the plain build.
    """
    rules = bb.load(COURSES[name].game, **COURSES[name].options)
    engine = rules.compiled() if has_usual_sizes(rules) else rules.plain()
    found = [(start, [*positions(engine, start)]) for start in STARTS]
    return [f"{name} {n}: {' '.join(map(str, numbers))}" for n, numbers in found if numbers]


def kept() -> dict[str, list[str]]:
    """The lines of the table, by the names of playthroughs."""
    lines = FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else []
    found = dict[str, list[str]]()
    for line in lines:
        if line[:1] != "#":
            found.setdefault(line.split()[0], []).append(line)
    return found


def difference(name: str) -> str:
    """How the rows of a playthrough's ruleset differ from those kept; empty if they do not."""
    lines = unified_diff(kept().get(name, []), rows(name), f"{name}, as kept", "now", lineterm="")
    return "\n".join(lines)


def write(names: Iterable[str]) -> bool:
    """Writes the table anew, with a row for each of these; whether it is another one now."""
    text = "\n".join([HEAD, *chain.from_iterable(map(rows, names)), ""])
    if FILE.exists() and FILE.read_text(encoding="utf-8") == text:
        return False
    FILE.write_text(text, encoding="utf-8")
    return True
