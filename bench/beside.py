"""Our search against OpenSpiel's, match by match: the section of RATINGS.md that is about it.

    python -m bench.beside --keep FOLDER    printed; half an hour on one core
    python -m bench.beside --only medieval  one game

Each deal is played twice, the seats changed. FOLDER keeps the matches: what was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import battlebox as bb
from battlebox.arena import Pair, Plan, tournament
from battlebox.speed import Sampler, short

from . import results

SPIEL = "bench/ismcts.py:spiel_{}"
ROUNDS = 7  # of the clock, in each of which both take their turns
SEEN = 12  # positions that are thought about in a round
OURS = 4_000  # simulations of ours while the clock runs

HEAD = """\
## Beside OpenSpiel's ISMCTS

Measured {day} by `{command}`, from the root of the repository.

* Machine: {machine}.
* Theirs is OpenSpiel's `ISMCTSBot` in Python (`bench/ismcts.py`). Its C++ one cannot play a game
  written in Python: it asks the game to resample itself, and the process dies.
* Both have the same compiled rules and the same determinizations; theirs has compiled
  random rollouts in place of its own, which are slower. Theirs has UCT's constant 2, that of its
  examples, ours 1. *judged*: its rollouts are led and ended by what the game tells our search
  (`candidates`, `evaluate`), so that only the searches differ; in Battle and Battleball a random
  rollout says next to nothing. What is worth a node, only ours asks the game.
* Each deal is played twice, the seats changed. *Ours won*: its share of the matches, and the 95 %
  interval of it.
"""

EQUAL = """\
### As many simulations
"""

EVEN = """\
### As much time

How many simulations a second each makes was measured first, in turn, on positions of matches of
`easy`, one choice after the other; ours then got as many simulations as take as long.
"""


@dataclass(frozen=True)
class Series:
    """So many matches of ours against theirs, at one number of simulations or at even time."""

    game: str
    theirs: str  # behind SPIEL
    matches: int
    even: bool = False
    players: int = 2

    @property
    def rules(self) -> bb.Ruleset:
        """What is played."""
        return bb.load(self.game, players=self.players)

    @property
    def simulations(self) -> int:
        """Of theirs."""
        return int(self.theirs.partition("_")[0])


SERIES = (
    Series("war_zone", "100", 400),
    Series("war_zone", "100_judged", 600),
    Series("iron_man", "100", 300),
    Series("iron_man", "100_judged", 600),
    Series("medieval", "100", 300),
    Series("medieval", "100_judged", 600),
    Series("war_zone", "200", 300, even=True),
    Series("iron_man", "100", 200, even=True),
    Series("medieval", "200", 400, even=True),
    Series("war_zone", "400", 400),
    Series("medieval", "400", 400),
    Series("battle", "100_judged", 200, players=4),
    Series("battle", "100_judged", 80, even=True, players=4),
    Series("battleball", "100_judged", 30),
    Series("battleball", "100_judged", 16, even=True),
)


def positions(rules: bb.Ruleset) -> list[Any]:
    """Observations of matches of `easy` in which there is something to choose."""
    found = list[Any]()
    for seed in range(4):
        m, easy = rules.match(seed), bb.bot("easy", rules, seed=seed)
        while m.to_act is not None:
            seen = m.observation(m.to_act)
            if len(m.legal_actions) > 1:
                found.append(seen)
            m.submit(m.to_act, easy.choose(seen))
    return found[:: len(found) // SEEN][:SEEN]


def sampler(word: str, rules: bb.Ruleset, simulations: int, seen: Sequence[Any]) -> Sampler:
    """Simulations a second of a bot that makes so many a decision."""
    bot = bb.bot(word, rules, seed=1)
    for o in seen:
        bot.choose(o)  # compiles

    def sample() -> float:
        start = perf_counter()
        for o in seen:
            bot.choose(o)
        return simulations * len(seen) / (perf_counter() - start)

    return sample


def rates(s: Series, keep: Path | None) -> results.Pairs:
    """Simulations a second of ours and theirs, in turn. What was measured once is kept: how many
    simulations ours gets follows from it, and with them its matches.
    """
    kept = keep / f"{s.game} {s.theirs} rates.json" if keep else None
    if kept and kept.exists():
        return tuple((a, b) for a, b in json.loads(kept.read_text()))
    found = _rates(s)
    if kept:
        kept.write_text(json.dumps(found))
    return found


def _rates(s: Series) -> results.Pairs:
    seen = positions(s.rules)
    ours = sampler(f"so-ismcts:{OURS}", s.rules, OURS, seen)
    theirs = sampler(SPIEL.format(s.theirs), s.rules, s.simulations, seen)
    return tuple((ours(), theirs()) for _ in range(ROUNDS))


def played(s: Series, simulations: int, keep: Path | None) -> Pair:
    """The series, ours with so many simulations."""
    words = (f"so-ismcts:{simulations}", SPIEL.format(s.theirs))
    out = keep / f"{s.game} {simulations} {s.theirs}.jsonl" if keep else None
    print(f"  {s.game}, {' against '.join(words)}", file=sys.stderr, flush=True)
    return tournament(Plan(s.rules, words), s.matches, workers=1, out=out).pair(0, 1)


def found_cells(pair: Pair) -> list[str]:
    """How many matches, what ours won, the interval."""
    low, high = pair.interval
    share = f"{100 * pair.share:.1f} % ({100 * low:.1f} .. {100 * high:.1f})"
    return [str(pair.matches), share]


def equal(series: Sequence[Series], keep: Path | None) -> Iterator[str]:
    """The table of as many simulations."""
    rows = [
        [s.game, s.theirs, *found_cells(played(s, s.simulations, keep))]
        for s in series
        if not s.even
    ]
    yield from results.table(["game", "theirs", "matches", "ours won"], rows)


def even(series: Sequence[Series], keep: Path | None) -> Iterator[str]:
    """The table of as much time."""
    rows = []
    for s in series:
        if s.even:
            pairs = rates(s, keep)
            n = round(s.simulations * median(a / b for a, b in pairs))
            figures = [short(results.theirs(pairs)), short(results.ours(pairs)), str(n)]
            rows.append([s.game, s.theirs, *figures, *found_cells(played(s, n, keep))])
    columns = ["game", "theirs", "theirs, simulations/s", "ours, simulations/s"]
    yield from results.table([*columns, "ours has", "matches", "ours won"], rows)


def main() -> None:
    """Reads the options, plays, prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.beside", description=__doc__)
    parser.add_argument("--only", choices=sorted({s.game for s in SERIES}), help="one game")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keeps the matches there")
    given = parser.parse_args()
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
    series = [s for s in SERIES if given.only in (None, s.game)]
    command = shlex.join(["python", "-m", "bench.beside", *sys.argv[1:]])
    print(HEAD.format(day=date.today(), command=command, machine=results.machine()))
    for title, table in ((EQUAL, equal), (EVEN, even)):
        print(title)
        print("\n".join(table(series, given.keep)))


if __name__ == "__main__":
    main()
