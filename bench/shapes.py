"""How large the games are, for those who let programs learn them: writes docs/rulesets.md.

    python -m bench.shapes

Nothing here is a matter of speed: the same seeds give the same file on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

import battlebox as bb
from battlebox.core.match import Match
from battlebox.core.random import Recorder
from battlebox.games import NAMES, find
from battlebox.speed import name_of

FILE = Path(__file__).parent.parent / "docs" / "rulesets.md"
DECISIONS = 10_000  # of random play, at least, and
MATCHES = 10
LOOKS = 50  # decisions between two at which is counted what is hidden
HEAD = f"""# Rulesets, for learners

How large each game is in each way to play, with each number of players. Written by
`python -m bench.shapes`, from random legal play, at least {MATCHES} matches and {DECISIONS:,}
decisions of each; the same on every machine. Matches of players who think, and rare ones, may be
longer than any that was seen.

- **to type**: its game and options on the command line; in Python they are arguments, as in
  `bb.load("war_zone", players=4, teams=2)`, and toys are `bb.toy("war_zone")`
- **actions**: length of the mask; **features**: columns of an encoded observation
- **decisions**: in a match, on average, and the most that were seen; the decisions of all seats
- **choices**: legal actions at a decision, on average, and the most that were seen
- **chance**: outcomes of dice, draws and shuffles in a match, on average
- **hidden**: numbers of the state that the seat to act cannot see, on average, with those that
  stand for cards of a deck that nobody has looked at
- **toy**: the ruleset that is small enough to be solved (`battlebox exploit GAME --toy`)

| ruleset | to type | seats | actions | features | decisions | choices | chance | hidden |
|---|---|---:|---:|---:|---:|---:|---:|---:|
"""


@dataclass
class Shape:
    """What was seen of a ruleset."""

    lengths: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    chance: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)


def rulesets() -> Iterator[tuple[str, bb.Ruleset]]:
    """Every mode of each game with each number of players, and the toys; each with its name."""
    for name in NAMES:
        game, seen = find(name), set[str]()
        players = game.options.model_json_schema()["properties"]["players"]
        for mode in game.modes:
            for n in range(players["minimum"], players["maximum"] + 1):
                with suppress(bb.RulesetError):
                    rules = bb.load(name, **{"players": n, **mode.options})
                    if rules.digest not in seen:
                        seen.add(rules.digest)
                        yield f"{game.title}, {mode.name}", rules
        yield f"{game.title}, toy", bb.toy(name)


def hidden(m: Match, seat: int) -> int:
    """How many numbers of the state this seat cannot see."""
    seen, build = m.observation(seat), m.rules.plain().build
    names = [n for n, who in build.state.visibility.items() if who in ("own", "secret")]
    count = 0
    for name in (n for n in names if n != "rng"):
        truth = np.array(getattr(m.state, name))
        count += int((truth != seen[name]).sum())
    return count


def shape(rules: bb.Ruleset) -> Shape:
    """Random play, till enough has been seen."""
    found, dice = Shape(), random.Random(1)
    while len(found.lengths) < MATCHES or len(found.choices) < DECISIONS:
        chance = Recorder(len(found.lengths))
        m, length = Match(rules, chance=chance), 0
        while m.to_act is not None:
            legal = m.legal_actions
            found.choices.append(len(legal))
            if len(found.choices) % LOOKS == 0:
                found.hidden.append(hidden(m, m.to_act))
            m.submit(m.to_act, dice.choice(legal))
            length += 1
        found.lengths.append(length)
        found.chance.append(chance.count)
    return found


def to_type(rules: bb.Ruleset) -> str:
    """Its game and options, as the command line takes them."""
    return f"{rules.name} --toy" if rules.digest == bb.toy(rules.name).digest else name_of(rules)


def row(name: str, rules: bb.Ruleset) -> str:
    """A line of the table."""
    x, engine = shape(rules), rules.plain()
    cells: list[Any] = [
        name,
        f"`{to_type(rules)}`",
        rules.players,
        engine.num_actions,
        engine.encoder().width,
        f"{mean(x.lengths):.1f}, {max(x.lengths):,}",
        f"{mean(x.choices):.1f}, {max(x.choices)}",
        f"{mean(x.chance):.1f}",
        f"{mean(x.hidden):.1f}",
    ]
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    lines = []
    for name, rules in rulesets():
        lines.append(row(name, rules))
        print(lines[-1], end="", flush=True)
    FILE.write_text(HEAD + "".join(lines), encoding="utf-8")
