"""Measures our games, OpenSpiel's nearest ones, our server and boardgame.io in one run.

    python -m bench                     all of it, written to bench/RESULTS.md: a quarter of an hour
    python -m bench --quick             a tenth of the work, printed only
    python -m bench --only hearts       one part, printed only: ours, start, a peer, load, many,
                                        frames, environments
    python -m bench --only load --write   the same of load, many, frames or environments; its
                                        section of the file is new

What is printed only is not written to the file: that holds whole runs, and what is said there to
have been measured on its own.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import battlebox as bb
from battlebox import speed
from battlebox.speed import Sampler, Speeds

from . import environments, frames, load, peers, results
from .results import RESULTS, Against, Pairs
from .rulesets import RULESETS

GAMES_FEWER = {"battleball": 100}  # its random matches are so many times as long
PARTS = ("ours", "start", *(p.name for p in peers.PEERS), "load", "many", "frames", "environments")
OWN = PARTS[-4:]  # each of which is a section


def say(what: str) -> None:
    """Tells what comes next, apart from the results."""
    print(f"  {what}", file=sys.stderr, flush=True)


def in_turn(pairs: Sequence[tuple[Sampler, Sampler]], rounds: int) -> list[Pairs]:
    """Samples ours and theirs, ours and theirs ..., all pairs in each round."""
    found: list[list[tuple[float, float]]] = [[] for _ in pairs]
    for _ in range(rounds):
        for (a, b), out in zip(pairs, found, strict=True):
            out.append((a(), b()))
    return [tuple(x) for x in found]


def our_speeds(quick: bool, parts: Sequence[str]) -> list[Speeds]:
    """Our own tables, as far as they are asked for."""
    found = []
    for k, (name, options) in enumerate(RULESETS):
        rules = bb.load(name, **options)
        start = k == 0 and "start" in parts
        if "ours" in parts:
            say(speed.name_of(rules))
            cold = 1 if quick else 3
            games = 100_000 // GAMES_FEWER.get(name, 1)
            how: dict[str, Any] = {"quick": quick, "start": start, "cold": cold, "say": say}
            found.append(speed.measure(rules, games=games, **how))
        elif start:
            length = speed.mean_length(rules.compiled(), 10_000)
            cold_and_cached = speed.starts(rules)
            found.append(Speeds(speed.name_of(rules), length, (), *cold_and_cached))
    return found


@cache
def our_samplers(name: str, quick: bool) -> tuple[Sampler, Sampler, Sampler]:
    """The first ruleset of a game: random play, steps from Python, the search."""
    rules = bb.load(name, **next(options for game, options in RULESETS if game == name))
    fewer = (10 if quick else 1) * GAMES_FEWER.get(name, 1)
    return (
        speed.play_sampler(rules.compiled(), 100_000 // fewer),
        speed.step_sampler(rules, 200_000 // (10 if quick else 1), choosing=True),
        speed.search_sampler(rules, 1 if quick else 8),
    )


def against(quick: bool, rounds: int, parts: Sequence[str]) -> list[Against]:
    """The rounds beside OpenSpiel."""
    pyspiel = peers.spiel()
    ten = 10 if quick else 1
    found = []
    for p in peers.PEERS:
        if p.name not in parts:
            continue
        say(f"beside OpenSpiel's {p.name}")
        play, step, search = our_samplers(p.beside, quick)
        game = pyspiel.load_game(p.name)
        decisions, nodes, later = peers.lengths(game, min(1000, 10 * p.games), p.even)
        python = peers.python_sampler(game, max(1, p.games // ten), p.even)
        native = peers.native_sampler(pyspiel, game, p.rollouts // ten, decisions)
        pairs = [(play, python), (step, python), (play, native)]
        theirs = peers.search_sampler(pyspiel, game, p.simulations, 2 if quick else p.choices)
        if not isinstance(theirs, str):
            pairs.append((search, theirs))
        three = in_turn(pairs, rounds)
        sims: Pairs | str = theirs if isinstance(theirs, str) else three[3]
        sizes = (decisions, nodes, later)
        found.append(Against(p.name, p.beside, *sizes, three[0], three[1], three[2], sims))
    return found


def main() -> None:
    """Reads the options, measures, writes."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="How fast battlebox is.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work; printed only")
    parser.add_argument("--only", metavar="NAME", choices=PARTS, help="one of " + ", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=7, help="rounds beside each peer (7)")
    parser.add_argument("--write", action="store_true", help="writes what --only has measured")
    parser.add_argument("--note", default="", help="a sentence about it, for the file")
    given = parser.parse_args()
    parts = (given.only,) if given.only else PARTS
    rounds = min(given.rounds, 3) if given.quick else given.rounds
    missing = peers.spiel() is None
    left_out = "OpenSpiel is not installed (`pip install open_spiel`): its rows are left out."
    asked = [p.name for p in peers.PEERS if p.name in parts]
    # first: of all parts, this one can fail
    served = load.measure(given.quick, rounds, say) if "load" in parts else None
    many = load.many(given.quick, say) if "many" in parts else None
    speeds = our_speeds(given.quick, parts)
    beside = against(given.quick, rounds, parts) if asked and not missing else []
    framed = frames.measure(given.quick, say) if "frames" in parts else []
    in_use = environments.measure(given.quick, rounds, say) if "environments" in parts else None
    command = shlex.join(["python", "-m", "bench", *sys.argv[1:]])
    why = left_out if asked and missing else ""
    text = results.text(speeds, beside, served, many, framed, in_use, command, why)
    print(text)
    if not given.quick and not given.only:
        old = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else ""
        RESULTS.write_text(results.whole(old, text), encoding="utf-8")
        say(f"written to {RESULTS}")
    elif given.write and given.only in OWN:
        results.write_sections(text, command, given.note)


if __name__ == "__main__":
    main()
