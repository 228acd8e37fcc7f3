"""The server as it was at another commit beside this tree's: in one run, by turns.

    python -m bench.since 6bbb512           seven rounds, half an hour: printed
    python -m bench.since HEAD --rounds 3   what is not committed yet
    python -m bench.since 6bbb512 --write   its section of bench/RESULTS.md is new

Each tree's own players (its bench/load.py) play at its server, so its protocol may be another one.
Both run on the same Python and the same packages. What counts is the processor time of a move,
which other work on the machine changes least; a round asks both trees one after the other.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

from . import results
from .__main__ import say
from .slower import NoHistory, checked_out, git

ROOT = Path(__file__).parent.parent
ROUNDS = 7
SOCKETS, MOVES = 200, 20_000  # of each measurement
FORMS = {  # of our players, and beside which ones of the other tree
    "data": ("data", "for programs"),
    "drawn": ("drawn", "drawn"),
    "packed": ("drawn", "drawn, packed; beside it unpacked"),
}

#: runs in either tree: servers for each form, and a line of figures for each line that asks
PROBE = """
import sys
from contextlib import ExitStack
from bench import load, wire
forms, sockets, moves = sys.argv[1].split(), *map(int, sys.argv[2:])
unpacked = getattr(wire, "OurUnpacked", wire.OurPerson)  # once nothing was packed
players = {"drawn": [unpacked], "packed": [wire.OurPerson], "data": []}
load.bind(-1)
with ExitStack() as held:
    servers = {}
    for x in forms:
        contender = load.Contender(x, wire.Ours(*players[x]), load.our_command)
        servers[x] = held.enter_context(load.served(contender))
        load.run(load.under_load(servers[x], 50, 1_000, 20.0, 0.0))  # compiles
    print("ready", flush=True)
    for form in sys.stdin:
        found = load.run(load.under_load(servers[form.strip()], sockets, moves, 60.0, 0.0))
        size = getattr(found, "bytes", float("nan"))  # once they were not counted
        print(found.server_cpu / found.moves, size, flush=True)
"""


class Cost(NamedTuple):
    """Of a move: seconds of the server's processor time, and bytes to both players."""

    seconds: float
    bytes: float


@dataclass
class Beside:
    """A form's costs in each round, before and now."""

    before: list[Cost] = field(default_factory=list)
    now: list[Cost] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        """Processor time now, that before being 1, ascending."""
        pairs = zip(self.now, self.before, strict=True)
        return sorted(now.seconds / before.seconds for now, before in pairs)

    def row(self, name: str) -> list[str]:
        """Of the table."""
        sides = (self.before, self.now)
        times = [f"{1e6 * median(x.seconds for x in side):.0f}" for side in sides]
        sizes = [f"{median(x.bytes for x in side):.0f}".replace("nan", "") for side in sides]
        low, high = self.ratios[0], self.ratios[-1]
        return [name, *times, f"{median(self.ratios):.2f} ({low:.2f} .. {high:.2f})", *sizes]


class Servers:
    """A tree's servers, and its players, in a process of their own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def heard(self) -> list[str]:
        """The words of its next line. Errors: RuntimeError, if it has ended."""
        assert self._process.stdout
        while line := self._process.stdout.readline():
            return line.split()
        raise RuntimeError(f"a tree's players have ended: exit status {self._process.wait()}")

    def cost(self, form: str) -> Cost:
        """Of a move, now."""
        assert self._process.stdin
        self._process.stdin.write(f"{form}\n")
        self._process.stdin.flush()
        return Cost(*map(float, self.heard()))


@contextmanager
def servers(tree: Path, *forms: str) -> Iterator[Servers]:
    """Those of a tree, compiled and ready."""
    paths = os.pathsep.join((str(tree / "src"), str(tree)))
    with subprocess.Popen(
        [sys.executable, "-c", PROBE, " ".join(forms), str(SOCKETS), str(MOVES)],
        cwd=tree,
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        found = Servers(process)
        while found.heard() != ["ready"]:
            pass
        yield found


def measure(commit: str, rounds: int) -> dict[str, Beside]:
    """Both trees in turns. Errors: NoHistory, if there is no such commit."""
    found = {form: Beside() for form in FORMS}
    with checked_out(ROOT, commit, "src", "bench") as there:
        say(f"starting the servers of {commit}, and ours")
        with servers(there, "data", "drawn") as before, servers(ROOT, *FORMS) as now:
            for k in range(rounds):
                say(f"round {k + 1} of {rounds}")
                for form, costs in found.items():
                    costs.before.append(before.cost(FORMS[form][0]))
                    costs.now.append(now.cost(form))
    return found


def about(commit: str) -> str:
    """Which two are compared. Errors: NoHistory."""
    before, now = (git(ROOT, "log", "-1", "--format=%h (%as, %s)", x) for x in (commit, "HEAD"))
    changed = git(ROOT, "status", "--porcelain", "--untracked-files=no", "--", "src", "bench")
    return f"Before: commit {before}. Now: {now}{', with changes' * bool(changed)}."


def text(compared: str, found: dict[str, Beside]) -> str:
    """The section of bench/RESULTS.md."""
    rounds = len(found["data"].now)
    head = ["", "before, µs a move", "now, µs a move", "now, that before being 1"]
    rows = [costs.row(FORMS[form][1]) for form, costs in found.items()]
    return "\n".join(
        [
            "",
            "## The server, before and after",
            "",
            *textwrap.wrap(compared, 100),
            "",
            f"War Zone for two on disk, {SOCKETS} sockets, a move always under way in every match,",
            f"as above; medians of {rounds} rounds, and of their ratios the least and the largest.",
            "",
            *results.table([*head, "before, bytes a move", "now, bytes a move"], rows),
        ]
    )


def main() -> None:
    """Reads the options, measures, prints."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.since", description="The server at another commit beside this one."
    )
    parser.add_argument("commit", help="as git names it")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of all of it ({ROUNDS})")
    parser.add_argument("--write", action="store_true", help="to bench/RESULTS.md, too")
    parser.add_argument("--note", default="", help="a sentence about it, for the file")
    given = parser.parse_args()
    try:
        compared = about(given.commit)
    except NoHistory as e:
        parser.error(f"{given.commit}: {e}")
    said = text(compared, measure(given.commit, given.rounds))
    print(said)
    if given.write:
        command = shlex.join(["python", "-m", "bench.since", *sys.argv[1:]])
        results.write_sections(said, command, given.note)


if __name__ == "__main__":
    main()
