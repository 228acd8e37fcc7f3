"""Our search against OpenSpiel's, match by match: the section of RATINGS.md that is about it.

    python -m bench.beside --keep FOLDER    printed; hours on one core
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
from time import process_time
from typing import Any

import battlebox as bb
from battlebox.arena import Pair, Plan, tournament
from battlebox.speed import Sampler, short

from . import results

SPIEL = "bench/ismcts.py:spiel_{}"
RANDOM, JUDGED, OWN = "random", "judged", "own"  # rollouts of theirs
ROUNDS = 7  # of the clock, in each of which both take their turns
SEEN = 12  # positions that are thought about in a round
OURS = "champion"  # where time is even
ASKED = 20  # simulations of theirs while the clock runs
FEWEST = 2  # of theirs: the first only makes the root of its tree

HEAD = """\
## Beside OpenSpiel's ISMCTS

Measured {day} by `{command}`, from the root of the repository.

* Machine: {machine}.
* Theirs is OpenSpiel's `ISMCTSBot` in Python (`bench/ismcts.py`). Its C++ one cannot play a game
  written in Python: it asks the game to resample itself, and the process dies.
* Both have the same compiled rules and the same determinizations. Theirs has UCT's constant 2, that
  of its examples, ours 1.
* *own*: its rollouts are random and its own, in Python, as OpenSpiel ships them. Else they are
  compiled: *random*, which makes it several times as quick as it is; *judged*: led and ended by
  what the game tells our search (`candidates`, `evaluate`), so that only the searches differ; in
  Battle and Battleball a random rollout says next to nothing. What is worth a node, only ours asks
  the game.
* Each deal is played twice, the seats changed. *Ours won*: its share of the matches, and the 95 %
  interval of it.
"""

EQUAL = """\
### As many simulations
"""

EVEN = """\
### As much time

Ours is `champion`. How long it thinks, and how many simulations a second theirs makes, was measured
first, in turn, by processor time, on positions of matches of `easy`, one choice after the other;
theirs then got as many simulations as take as long.
"""


@dataclass(frozen=True)
class Series:
    """So many matches of ours against theirs; None: as many simulations as take ours as long."""

    game: str
    theirs: int | None
    rollouts: str
    matches: int
    players: int = 2

    @property
    def rules(self) -> bb.Ruleset:
        """What is played."""
        return bb.load(self.game, players=self.players)

    def word(self, simulations: int) -> str:
        """Of theirs, with so many."""
        how = "" if self.rollouts == RANDOM else f"_{self.rollouts}"
        return SPIEL.format(f"{simulations}{how}")


SERIES = (
    Series("war_zone", 100, RANDOM, 400),
    Series("war_zone", 100, JUDGED, 600),
    Series("iron_man", 100, RANDOM, 300),
    Series("iron_man", 100, JUDGED, 600),
    Series("medieval", 100, RANDOM, 300),
    Series("medieval", 100, JUDGED, 600),
    Series("war_zone", 400, RANDOM, 400),
    Series("medieval", 400, RANDOM, 400),
    Series("battle", 100, JUDGED, 200, players=4),
    Series("battleball", 100, JUDGED, 30),
    Series("war_zone", None, OWN, 200),
    Series("war_zone", None, RANDOM, 200),
    Series("iron_man", None, OWN, 200),
    Series("iron_man", None, RANDOM, 200),
    Series("medieval", None, OWN, 400),
    Series("medieval", None, RANDOM, 400),
    Series("battle", None, OWN, 80, players=4),
    Series("battle", None, JUDGED, 80, players=4),
    Series("battleball", None, OWN, 16),
    Series("battleball", None, JUDGED, 16),
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


def sampler(word: str, rules: bb.Ruleset, seen: Sequence[Any]) -> Sampler:
    """Decisions a second of a bot."""
    bot = bb.bot(word, rules, seed=1)
    for o in seen:
        bot.choose(o)  # compiles

    def sample() -> float:
        start = process_time()
        for o in seen:
            bot.choose(o)
        return len(seen) / (process_time() - start)

    return sample


def rates(s: Series, keep: Path | None) -> results.Pairs:
    """Decisions a second of ours, simulations a second of theirs, in turn. What was measured once
    is kept: how many simulations theirs gets follows from it, and with them its matches.
    """
    kept = keep / f"{s.game} {s.rollouts} rates.json" if keep else None
    if kept and kept.exists():
        return tuple((a, b) for a, b in json.loads(kept.read_text()))
    seen = positions(s.rules)
    ours = sampler(OURS, s.rules, seen)
    theirs = sampler(s.word(ASKED), s.rules, seen)
    found = tuple((ours(), ASKED * theirs()) for _ in range(ROUNDS))
    if kept:
        kept.write_text(json.dumps(found))
    return found


def played(s: Series, ours: str, simulations: int, keep: Path | None) -> Pair:
    """The series, theirs with so many simulations."""
    words = (ours, s.word(simulations))
    out = keep / f"{s.game} {ours} {simulations} {s.rollouts}.jsonl" if keep else None
    print(f"  {s.game}, {' against '.join(words)}", file=sys.stderr, flush=True)
    return tournament(Plan(s.rules, words), s.matches, workers=1, out=out).pair(0, 1)


def found_cells(pair: Pair) -> list[str]:
    """How many matches, what ours won, the interval."""
    low, high = pair.interval
    share = f"{100 * pair.share:.1f} % ({100 * low:.1f} .. {100 * high:.1f})"
    return [str(pair.matches), share]


def equal(series: Sequence[Series], keep: Path | None) -> Iterator[str]:
    """The table of as many simulations."""
    rows = []
    for s in series:
        if s.theirs:
            pair = played(s, f"so-ismcts:{s.theirs}", s.theirs, keep)
            rows.append([s.game, str(s.theirs), s.rollouts, *found_cells(pair)])
    yield from results.table(["game", "simulations", "rollouts", "matches", "ours won"], rows)


def even(series: Sequence[Series], keep: Path | None) -> Iterator[str]:
    """The table of as much time."""
    rows = []
    for s in series:
        if not s.theirs:
            pairs = rates(s, keep)
            n = max(FEWEST, round(1 / results.ratio(pairs)))
            figures = [f"{1000 / results.ours(pairs):.3g}", short(results.theirs(pairs)), str(n)]
            pair = played(s, OURS, n, keep)
            rows.append([s.game, s.rollouts, *figures, *found_cells(pair)])
    columns = ["game", "rollouts", "ours thinks, ms", "theirs, simulations/s", "theirs has"]
    yield from results.table([*columns, "matches", "ours won"], rows)


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
