"""The findings as the text of RESULTS.md."""

from __future__ import annotations

import os
import platform
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median

from battlebox.speed import STEPS, Speeds, short

from .environments import Environments, N
from .frames import ACTIONS, MATCHES, Frames
from .load import NODES, REST, THEIRS, Findings, Load, Memory, Stored

RESULTS = Path(__file__).parent / "RESULTS.md"
HEAD = """\
# How fast it is

Measured {day} by `{command}`. Do not edit: `make bench` writes this file.

* Machine: {machine}.
* One core does the work, except where it says otherwise. A figure is the median of the repeats.
* A *decision* is one action of one player in random legal play. Finding all legal actions at each
  decision is part of it, and so are the deals and shuffles; a decision with one legal action
  counts, with us and with others. M is a million, k a thousand.
"""

NOTES = """\
* *compiled*: `compiled().play(n)`, one call; *plain*: the same text in the interpreter, every store
  checked. *Step from Python*: two calls for each decision, list the actions and take one.
* *batch of n*: `Batch.step` of n matches side by side, which checks the actions, gives observation,
  mask, seat to act and returns, and begins ended matches anew. *With a random policy*: a compiled
  chooser reads the masks, inside the clock.
* *search*: a `champion` at the first choice of new matches, where a simulation is longest:
  a determinization of all that is hidden, a walk down the tree, and a random playout to the end, or
  to where the game judges the position.
"""

SCIPY = """\
Where SciPy is installed, as it is with OpenSpiel, Numba imports it: a tenth of a second and more of
these starts, which a machine with battlebox alone does not spend.
"""

BESIDE = """\
## Beside OpenSpiel

Ours here is War Zone for two, and Battleball beside backgammon. In each round one sample of ours
and one of theirs follow each other; a ratio is the median of the rounds' own, ours to theirs.
"""

CAUTION = """\
**Games differ in size.** leduc_poker is over after four decisions, gin_rummy's legal actions take
long to find, backgammon's are whole plays of two dice; none of them is ours. Read the rows as
orders of magnitude: what a researcher pays for a decision of such a game here and there, not that
one engine is so many times as good as the other.
OpenSpiel's general interface (states as objects, lists of actions) is what its Python rows pay for.
Its native rollouts begin after the deal, ours include it, and half of theirs begin one decision
deeper, which is reckoned off. *Chance counted too* puts each of its deals and draws on a level with
a decision, as if ours had none. *By decisions simulated*: the ratio of simulations times the ratio
of the lengths of random games.
"""

LOAD = """\
## The server

War Zone for two, matches of two scripted players, each on a WebSocket of their own, who choose at
random as soon as they are asked. One and the same driver plays against all; server and driver had
one processor each, and the columns say what they used of it: a server that is not near 1.00 waited
for its disk, or for others on this machine. *In PostgreSQL*: the database's processes count as the
server's own. *N nodes*: `battlebox --workers N`, on all processors, one of which they share with
the driver: their processor time is what carries over to more machines. *Latency*: from the moment
a move is sent to the moment its player sees the position after it, with us also the acknowledgement
that it is on disk (`synchronous=FULL`, `synchronous_commit=on`).
"""

IN_USE = """\
## As environments of learners

By processor time: so much a second of one core. *Step*: a batch of {n} matches, random legal
actions drawn before, as a part of random play. *Features*: what `encode` takes of all observations
of a step, as a part of the step. *Two threads*: by the clock, to one thread; that needs two cores
with nothing else to do.
"""
SAME_INTERFACE = """\
The same interface, games of others. Of a vector environment a step is one of the learner's
decisions, with what its opponents decide, and with the steps that only begin a match anew, which
are not counted (a match of Blackjack has one or two decisions). PettingZoo's rows hold `last`,
`step` and `reset`, OpenSpiel's all calls and the drawing of actions. The games differ in size: read
the ratios (ours to theirs) as orders of magnitude.
"""

SATURATED = """\
Saturated: a move is always under way in every match (N sockets are N/2 matches), the median of the
rounds ({n}), in each of which the servers took their turns. Ratios are to boardgame.io in memory,
medians of those of the rounds, by the clock and by processor time.
"""

PACED = """\
Paced: each player thinks a second, give or take half of it, so that each match makes a move a
second.
"""

STORED = """\
Disk space of {n} finished matches, measured after the server has stopped:
"""

MANY = f"""\
## Many matches at once

War Zone for two at {NODES[-1]} nodes of one PostgreSQL, which share the processors with the driver.
Both sockets of each match are open, and a player thinks for {REST:g} seconds, give or take half of
it, before each move. Memory is that of the nodes and of the database.
"""

MEMORY = """\
Resident memory (PSS: what processes share counts once), matches that are being played, both sockets
open, about ten moves made:
"""

PEER = """\
{versions}.

boardgame.io plays the same game, written for it with its own phases, stages and `STRIP_SECRETS`
(`bench/boardgameio/game.js`), in production mode, players known by their credentials. Its memory
forgets all matches when the process ends, and its files are not synced to the disk. What it sends
is the state, as we do to programs; *drawn* is what we send to people, what has changed of a picture
with words, choices and reasons, packed (`permessage-deflate`) where a client can unpack it.
"""

WIRE = """\
## The wire

What people are sent: a frame for each viewer whose picture an action changes, in {matches} matches
of each mode, the first {actions} random actions, with every seat and the spectators looking on.
*Whole*: each frame with its whole picture; *changes*: as it is sent to those who have the one
before, with what has happened in words. *Packed*: by `permessage-deflate`, a viewer's frames one
after the other. *Drawn*: processor time of a frame, from the match to the text, for all who have
the same view; *packed for one*: that of one socket more. Programs get *data*, which is not packed.
"""

Pairs = tuple[tuple[float, float], ...]  # (ours, theirs) of each round


@dataclass(frozen=True)
class Against:
    """What the rounds beside one game of OpenSpiel found; `search` may say why not."""

    name: str
    beside: str  # our game
    decisions: float  # of a random game, mean
    nodes: float  # its chance nodes
    later: float  # those after the first decision
    python: Pairs  # ours compiled, theirs called from Python
    called: Pairs  # both called from Python
    native: Pairs  # ours compiled, theirs native
    search: Pairs | str


def ours(pairs: Pairs) -> float:
    """Our median."""
    return median(a for a, _ in pairs)


def theirs(pairs: Pairs) -> float:
    """Their median."""
    return median(b for _, b in pairs)


def ratio(pairs: Pairs) -> float:
    """The median of the rounds' own ratios."""
    return median(a / b for a, b in pairs)


def times(x: float) -> str:
    """A ratio in words."""
    return f"{x:.0f}x" if x >= 20 else f"{x:.1f}x" if x >= 1 else f"{x:.2f}x"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A Markdown table, the first column to the left, the others to the right."""
    yield "| " + " | ".join(head) + " |"
    yield "|---|" + "---:|" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def machine() -> str:
    """The processor, system and versions that the figures belong to, wrapped."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        cpu = models[0].partition(":")[2].strip() if models else cpu
    parts = [f"{cpu}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"]
    parts += [f"Python {platform.python_version()}"]
    for package in ("battlebox", "numpy", "numba", "open_spiel"):
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            parts.append(f"no {package}")
    return textwrap.fill(", ".join(parts), 85, subsequent_indent="  ", break_on_hyphens=False)


def text(
    speeds: Sequence[Speeds],
    against: Sequence[Against],
    load: Findings | None,
    many: Load | None,
    frames: Sequence[Frames],
    in_use: Environments | None,
    command: str,
    left_out: str,
) -> str:
    """The whole file. `left_out`: why there are no rows of OpenSpiel, or empty."""
    about = HEAD.format(day=date.today().isoformat(), command=command, machine=machine())
    lines = [about, *ours_text(speeds)]
    if against:
        lines += against_text(against, {s.ruleset.split()[0]: s.length for s in reversed(speeds)})
    if left_out:
        lines += ["## Beside OpenSpiel", "", left_out, ""]
    if load:
        lines += load_text(load)
    if many:
        lines += many_text(many)
    if frames:
        lines += frames_text(frames)
    if in_use:
        lines += environments_text(in_use)
    return "\n".join(lines).rstrip() + "\n"


def ours_text(speeds: Sequence[Speeds]) -> Iterator[str]:
    """Our own tables."""
    if speeds and speeds[0].rates:
        rows = [["decisions in a random match", *(f"{s.length:.1f}" for s in speeds)]]
        for r in speeds[0].rates:
            medians = [short(s.rate(r.name).median) for s in speeds]
            rows.append([f"{r.name}, {r.unit}", *medians])
        yield from ("## Ours", "", *table(["", *(s.ruleset for s in speeds)], rows), NOTES)
    for s in speeds:
        if s.cold and s.cached:
            yield from (f"Start of a fresh process, {s.ruleset}, seconds:", "")
            pairs = [(w, getattr(s.cold, f), getattr(s.cached, f)) for f, w in STEPS.items()]
            rows = [[w, f"{a:.2f}", f"{b:.2f}"] for w, a, b in pairs]
            yield from table(["", "cold: nothing compiled before", "cached"], rows)
            yield SCIPY


def against_text(against: Sequence[Against], lengths: Mapping[str, float]) -> Iterator[str]:
    """The tables beside OpenSpiel. `lengths`: decisions in a random match of ours, if known."""
    yield BESIDE
    yield from ("Decisions a second, OpenSpiel called from Python:", "")
    columns = ["game", "decisions in one", "chance nodes", "theirs", "ours compiled", "ratio"]
    columns += ["chance counted too", "ratio, ours called from Python too"]
    yield from table(columns, [python_row(a) for a in against])
    yield from ("Decisions a second, OpenSpiel's native rollouts (C++ alone):", "")
    columns = ["game", "chance nodes in a rollout", "theirs", "ours compiled", "ratio"]
    yield from table([*columns, "chance counted too"], [native_row(a) for a in against])
    yield from (
        "Simulations a second, information-set tree search (ISMCTSBot, one rollout each):",
        "",
    )
    columns = ["game", "theirs", "ours", "ratio", "by decisions simulated"]
    yield from table(columns, [search_row(a, lengths.get(a.beside)) for a in against])
    yield CAUTION


def rates_and_ratios(pairs: Pairs, per_decision: float) -> list[str]:
    """Theirs, ours, the ratio, and the ratio if so many things of theirs counted for one."""
    r = ratio(pairs)
    return [short(theirs(pairs)), short(ours(pairs)), times(r), times(r / per_decision)]


def python_row(a: Against) -> list[str]:
    """A row of the table of games driven from Python."""
    rates = rates_and_ratios(a.python, 1 + a.nodes / a.decisions)
    return [a.name, f"{a.decisions:.1f}", f"{a.nodes:.1f}", *rates, times(ratio(a.called))]


def native_row(a: Against) -> list[str]:
    """A row of the table of native rollouts."""
    return [a.name, f"{a.later:.1f}", *rates_and_ratios(a.native, 1 + a.later / a.decisions)]


def search_row(a: Against, length: float | None) -> list[str]:
    """A row of the table of searches."""
    if isinstance(a.search, str):
        return [a.name, f"not possible: {a.search}", "", "", ""]
    *row, by_length = rates_and_ratios(a.search, a.decisions / length if length else 1)
    return [a.name, *row, by_length if length else ""]


def load_text(load: Findings) -> Iterator[str]:
    """The tables of the server under load."""
    yield LOAD
    sizes = sorted({round[0].sockets for round in load.saturated})
    rounds = {n: [r for r in load.saturated if r[0].sockets == n] for n in sizes}
    columns = ["sockets", "server", "moves/s", "p50, ms", "p99, ms", "server used", "driver used"]
    columns += ["processor time a move, µs", "bytes a move"]
    yield SATURATED.format(n=len(rounds[sizes[0]]))
    yield from table(
        [*columns, "ratio", "by processor time"],
        [row for n in sizes for row in saturated_rows(rounds[n])],
    )
    yield PACED
    yield from table(columns, [load_row([x]) for x in load.paced])
    yield MEMORY
    counts = list(load.memory[0].sizes)
    heads = [f"{n} matches, MB" for n in counts]
    yield from table(["server", *heads, "a match, kB"], [memory_row(m) for m in load.memory])
    yield STORED.format(n=load.stored[0].matches)
    columns = ["server", "moves a match", "kB a match", "bytes a move"]
    yield from table(columns, [stored_row(x) for x in load.stored])
    yield load.left_out or PEER.format(versions=load.versions)


def saturated_rows(rounds: Sequence[tuple[Load, ...]]) -> Iterator[list[str]]:
    """A row for each server at one number of sockets."""
    theirs = [x for r in rounds for x in r if x.server == THEIRS]
    for of_one in zip(*rounds, strict=True):
        row = load_row(of_one)
        if not theirs or of_one[0].server == THEIRS:
            yield [*row, "", ""]
        else:
            pairs = list(zip(of_one, theirs, strict=True))
            by_clock = tuple((a.moves, b.moves) for a, b in pairs)
            by_work = tuple((a.per_processor, b.per_processor) for a, b in pairs)
            counted = all(b for _, b in by_work)
            yield [*row, times(ratio(by_clock)), times(ratio(by_work)) if counted else ""]


def load_row(loads: Sequence[Load]) -> list[str]:
    """The medians of some measurements of one server at one number of sockets."""
    figures = [short(median(x.moves for x in loads))]
    figures += [f"{median(x):.1f}" for x in ([y.p50 for y in loads], [y.p99 for y in loads])]
    used = [median(x.server_cpu for x in loads), median(x.driver_cpu for x in loads)]
    each = [f"{median(1e6 * x.server_cpu / x.moves for x in loads):.0f}"]
    each += [f"{median(x.bytes for x in loads):.0f}"]
    return [str(loads[0].sockets), loads[0].server, *figures, *(f"{x:.2f}" for x in used), *each]


def memory_row(m: Memory) -> list[str]:
    """What a server holds, and what a match adds."""
    if not all(m.sizes.values()):
        return [m.server, *("" for _ in m.sizes), ""]
    return [m.server, *(f"{x / 1e6:.0f}" for x in m.sizes.values()), f"{m.per_match / 1e3:.0f}"]


def stored_row(x: Stored) -> list[str]:
    """What a match and a move take of a disk."""
    per_match = f"{x.bytes / x.matches / 1e3:.1f}"
    return [x.server, f"{x.moves / x.matches:.1f}", per_match, f"{x.bytes / x.moves:.0f}"]


def many_text(x: Load) -> Iterator[str]:
    """How very many matches at once are borne."""
    yield MANY
    columns = ["matches", "moves/s", "p50, ms", "p99, ms", "processors used", "memory, GB"]
    figures = [short(x.moves), f"{x.p50:.1f}", f"{x.p99:.1f}", f"{x.server_cpu:.2f}"]
    yield from table(columns, [[f"{x.sockets // 2:,}", *figures, f"{x.memory / 1e9:.2f}"]])


def frames_text(frames: Sequence[Frames]) -> Iterator[str]:
    """The tables of the wire."""
    yield WIRE.format(matches=max(1, MATCHES), actions=ACTIONS)
    yield from ("Bytes of a frame, means:", "")
    columns = ["game, mode", "whole", "changes", "of whole", "whole, packed", "changes, packed"]
    columns += ["of whole, unpacked", "data"]
    yield from table(columns, [bytes_row(x) for x in frames])
    yield from ("Processor time of a frame, µs:", "")
    columns = ["game, mode", "drawn", "99 % within", "longest", "packed for one", "data"]
    yield from table(columns, [time_row(x) for x in frames])


def bytes_row(x: Frames) -> list[str]:
    """Sizes of the frames of one mode."""
    sizes = [f"{n / x.n:.0f}" for n in (x.whole, x.changes)]
    packed = [f"{n / x.n:.0f}" for n in (x.whole_packed, x.changes_packed)]
    share, packed_share = f"{x.changes / x.whole:.2f}", f"{x.changes_packed / x.whole:.3f}"
    data = f"{x.data_bytes / x.data:.0f}"
    return [f"{x.game}, {x.mode}", *sizes, share, *packed, packed_share, data]


def time_row(x: Frames) -> list[str]:
    """Times of the frames of one mode."""
    times = sorted(x.drawing)
    drawn = [sum(times) / x.n, times[int(0.99 * x.n)], times[-1]]
    each = [*drawn, x.packing / x.n, x.data_making / x.data]
    return [f"{x.game}, {x.mode}", *(f"{1e6 * t:.0f}" for t in each)]


def environments_text(found: Environments) -> Iterator[str]:
    """The tables of environments."""
    yield IN_USE.format(n=N)
    head = ["ruleset", "random play, decisions/s", "step", "features", "two threads"]
    yield from table(
        head,
        [
            [x.ruleset, short(x.play), f"{x.step:.2f}", f"{x.features:.2f}", times(x.threads)]
            for x in found.steps
        ],
    )
    yield SAME_INTERFACE
    yield from table(
        ["interface", "environment", "steps/s", "ratio"],
        [
            [x.interface, x.name, short(x.rate), "" if x.ratio is None else times(x.ratio)]
            for x in found.rows
        ],
    )
    if found.missing:
        yield f"Left out, as something is not installed: {', '.join(found.missing)}.\n"


# ---- one part anew ------------------------------------------------------------------------------
def with_sections(old: str, new: str, command: str, note: str) -> str:
    """The file `old`, with the sections that `new` has in place of its own; each says when, on what
    and by what it was measured, and what is to be known of it.
    """
    head, was = _sections(old)
    _, fresh = _sections(new)
    said = f"Measured on its own {date.today().isoformat()} by `{command}`: {machine()}. {note}"
    lines = textwrap.wrap(" ".join(said.split()), 100, break_on_hyphens=False)
    about = "\n".join(["", *lines, ""])
    return _joined(head, was | {title: about + body for title, body in fresh.items()})


def whole(old: str, new: str) -> str:
    """The file of a whole run, with the sections of `old` that a run of all parts does not make."""
    (_, was), (head, fresh) = _sections(old), _sections(new)
    return _joined(head, fresh | {title: x for title, x in was.items() if title not in fresh})


def _sections(text: str) -> tuple[str, dict[str, str]]:
    """What stands before them, and each by its title, in order."""
    head, *each = text.split("\n## ")
    return head, dict(x.split("\n", 1) for x in each)


def _joined(head: str, sections: Mapping[str, str]) -> str:
    """The file again."""
    return "\n## ".join([head, *(f"{title}\n{x.rstrip()}\n" for title, x in sections.items())])


def write_sections(new: str, command: str, note: str) -> None:
    """The same in bench/RESULTS.md."""
    old = RESULTS.read_text(encoding="utf-8")
    RESULTS.write_text(with_sections(old, new, command, note), encoding="utf-8")
    print(f"  written to {RESULTS}", file=sys.stderr, flush=True)
