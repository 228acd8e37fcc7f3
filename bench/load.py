"""How many moves a second the server carries, beside boardgame.io, on one machine in one run.

    python -m bench --only load            ours, and boardgame.io where Node and npm are: 7 minutes
    python -m bench --only load --quick    two minutes

Both serve War Zone for two: ours keeps every move in its log on disk before it says so,
boardgame.io keeps it in memory (and, in a second row, in files). The players are those of
bench/wire.py, the same process and the same code for all. Where there are two processors or more,
server and driver are bound to one each; what either used of it stands beside each figure, so that
one sees who was the bottleneck.

*Saturated*: in every match there is always a move under way, N sockets are N/2 matches. When a
match ends, the next one takes its place; it was made, and its sockets opened, before the clock ran.
*Paced*: a player thinks for a second, give or take half of it: each match makes a move a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from platformdirs import user_cache_path

from battlebox.server.serve import allow_sockets

from .postgres import SAFE, free_port, postgres, programs
from .wire import HOST, Front, OurPerson, Ours, OurUnpacked, Player, Theirs

Command = Callable[[int, str], Sequence[str]]  # from a port, and a folder for the data
Pair = tuple[Player, Player]
T = TypeVar("T")

HERE = Path(__file__).parent
OURS, OURS_DRAWN = "battlebox, on disk", "battlebox, on disk, drawn"
OURS_UNPACKED = "battlebox, on disk, drawn, not packed"
OURS_POSTGRES = "battlebox, in PostgreSQL"
OURS_NODES = "battlebox, in PostgreSQL, all processors"
THEIRS = "boardgame.io, in memory"
THEIRS_IN_FILES = "boardgame.io, in files"
SOCKETS = (50, 200, 1000)
MATCHES = (0, 500, 1000)  # live ones, for the memory
LENGTH = 40  # moves of a match, rather too few than too many: so many matches stand by
PAUSE = 1.0  # seconds a player thinks, paced
ROUNDS = 3  # at most, of each number of sockets
HANDS = 16  # matches that are made at once
WARM = 0.1  # the share of a measurement that does not count
ALL = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
PATIENCE = 20.0  # seconds until an answer that does not come is an error


@dataclass(frozen=True)
class Load:
    """What one measurement found."""

    server: str
    sockets: int
    moves: float  # a second
    p50: float  # milliseconds
    p99: float
    server_cpu: float  # processors used, 1.0: one
    driver_cpu: float
    bytes: float  # that a move brought the two players, with all that is around it

    @property
    def per_processor(self) -> float:
        """Moves a second of the server's processor time; 0 where that is not to be had."""
        return self.moves / self.server_cpu if self.server_cpu else 0.0


@dataclass(frozen=True)
class Memory:
    """Resident memory of a server, bytes, at so many live matches."""

    server: str
    rss: dict[int, int]

    @property
    def per_match(self) -> float:
        """Bytes for each match more."""
        least, most = min(self.rss), max(self.rss)
        return (self.rss[most] - self.rss[least]) / (most - least)


@dataclass(frozen=True)
class Findings:
    """All of it; `left_out` says why boardgame.io is missing, or nothing."""

    saturated: tuple[tuple[Load, ...], ...]  # rounds: one of each server, ours first
    paced: tuple[Load, ...]
    memory: tuple[Memory, ...]
    versions: str
    left_out: str


# ---- the servers --------------------------------------------------------------------------------
class Server:
    """A server process under measurement."""

    def __init__(
        self,
        name: str,
        front: Front,
        process: subprocess.Popen[bytes],
        port: int,
        database: int | None = None,
    ) -> None:
        """database: the process of the PostgreSQL that it uses."""
        self.name, self.front, self.process, self.port = name, front, process, port
        self.database = database

    def cpu(self) -> float:
        """Seconds of processor time so far, of all its threads; 0 where that is not to be had."""
        ticks = 0
        for text in self._read("stat"):
            user, system = text.rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
        return ticks / os.sysconf("SC_CLK_TCK")

    def rss(self) -> int:
        """Resident bytes; 0 where that is not to be had."""
        pages = sum(int(text.split()[1]) for text in self._read("statm"))
        return pages * os.sysconf("SC_PAGE_SIZE")

    def _read(self, what: str) -> list[str]:
        """What the system says of each of its processes."""
        found = list[str]()
        with contextlib.suppress(OSError):
            for pid in filter(None, (self.process.pid, self.database)):
                own = Path(f"/proc/{pid}")
                children = (own / "task" / own.name / "children").read_text().split()
                found += [Path(f"/proc/{x}/{what}").read_text() for x in (own.name, *children)]
        return found


def bind(processor: int) -> set[int]:
    """Binds this process to one processor, the first (0) or the last (-1), where there are several.

    Returns those it had.
    """
    return release({sorted(ALL)[processor]} if ALL else ALL)


def release(processors: set[int]) -> set[int]:
    """Lets this process run on these processors; returns those it had."""
    if not processors:
        return set()
    had = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors)
    return had


@dataclass(frozen=True)
class Contender:
    """A server that can be measured."""

    name: str
    front: Front
    command: Command
    everywhere: bool = False  # it may use every processor
    database: bool = False  # it is given a PostgreSQL, whose processor time counts as its own


@contextmanager
def served(wanted: Contender) -> Iterator[Server]:
    """A server, running."""
    port, held = free_port(), contextlib.ExitStack()
    cache = user_cache_path("battlebox", ensure_exists=True)  # a disk, which /tmp may not be
    with tempfile.TemporaryDirectory(dir=cache, prefix="bench-") as data:
        out = Path(data) / "output.txt"
        store = Path(data) / "data"
        store.mkdir()
        environment = {**os.environ, "NODE_ENV": "production"}
        database = held.enter_context(postgres(free_port(), SAFE)) if wanted.database else None
        if database:
            environment["BATTLEBOX_DATABASE"] = database.new()
        with out.open("wb") as to:
            words = wanted.command(port, str(store))
            own = release(ALL) if wanted.everywhere else bind(0)  # as its processes will be
            process = subprocess.Popen(words, stdout=to, stderr=to, env=environment)
            release(own)
        try:
            wait_for(port, process, out)
            pid = database.pid if database else None
            yield Server(wanted.name, wanted.front, process, port, pid)
        except BaseException:
            print(out.read_text(errors="replace")[-2000:], file=sys.stderr)
            raise
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            held.close()


def wait_for(port: int, process: subprocess.Popen[bytes], out: Path) -> None:
    """Until somebody listens there."""
    deadline = time.monotonic() + 600  # only what hangs takes so long
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as s:
            if s.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"{process.args!r} does not listen:\n{out.read_text(errors='replace')}")


SERVE = """
import os, sys
from pathlib import Path
from battlebox.server import limits, serve
serve.Limits = lambda: limits.Limits(messages_per_second=1e9, burst=1e9)  # these are no people
port, data, workers = sys.argv[1:]
database = os.environ.get("BATTLEBOX_DATABASE", "")
serve.serve(
    port=int(port), data=Path(data), database=database, browser=False, workers=int(workers)
)
"""


def our_command(port: int, data: str, workers: int = 1) -> list[str]:
    """The server as its users start it, but it lets players be as fast as they like."""
    return [sys.executable, "-c", SERVE, str(port), data, str(workers)]


def their_command(folder: Path, *, files: bool) -> Command:
    """Theirs, its matches in memory or in files."""
    words = ["node", str(folder / "server.js")]
    return lambda port, data: [*words, str(port), *([data] if files else [])]


def install_theirs() -> Path | str:
    """The folder of boardgame.io's server, installed at its first use; or why there is none."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "Node and npm are not installed: the rows of boardgame.io are left out."
    folder = user_cache_path("battlebox", ensure_exists=True) / "boardgameio"
    folder.mkdir(exist_ok=True)
    new = (HERE / "boardgameio" / "package.json").read_bytes()
    old = folder / "installed.json"
    for file in (HERE / "boardgameio").iterdir():
        shutil.copy(file, folder)
    if not old.exists() or old.read_bytes() != new:
        command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
        if done.returncode:
            return f"`{' '.join(command)}` failed: the rows of boardgame.io are left out."
        old.write_bytes(new)
    return folder


# ---- the load -----------------------------------------------------------------------------------
class Play:
    """Matches at a server: some of them played, the next ones standing by."""

    def __init__(self, server: Server, rest: float = 0.0, enough: int = 0) -> None:
        """`rest`: seconds of thought; `enough`: after so many moves it is over."""
        self.server, self.rest, self.enough = server, rest, enough
        self.standing_by: list[Pair] = []
        self.playing: dict[str, Pair] = {}
        self.done: list[tuple[float, float]] = []  # moves: when, latency
        self.received = 0  # bytes
        self.wrong: Exception | None = None
        self.finished = asyncio.Event()

    async def prepare(self, matches: int) -> None:
        """Makes so many matches, with both players on their sockets and the position seen."""
        wanted = iter(range(matches))
        hands = [asyncio.create_task(self._make(wanted)) for _ in range(HANDS)]
        hands.append(asyncio.create_task(self._watch(hands[:])))
        async with asyncio.timeout(PATIENCE + matches / 5):
            await asyncio.gather(*hands)

    async def _make(self, wanted: Iterator[int]) -> None:
        front, port = self.server.front, self.server.port
        for _ in wanted:
            id, tokens = await asyncio.to_thread(front.create, port)
            first = front.player(port, id, tokens[0], 0, self)
            await first.join()
            second = front.player(port, id, tokens[1] if tokens[1:] else first.invite, 1, self)
            await second.join()
            self.standing_by.append((first, second))

    async def _watch(self, hands: Sequence[asyncio.Task[None]]) -> None:
        """A socket that failed wakes nobody: this does."""
        while not all(x.done() for x in hands):
            self.check()
            await asyncio.sleep(0.01)

    def next_match(self) -> None:
        """The next of those that stand by begins; if there is none, it is over."""
        if not self.standing_by:
            self.finished.set()
            return
        pair = self.standing_by.pop()
        self.playing[pair[0].match] = pair
        for p in pair:
            p.go(self.rest)

    def came(self, size: int) -> None:
        """So many bytes have come from the server."""
        self.received += size

    def moved(self, now: float, latency: float) -> None:
        """A move is done."""
        self.done.append((now, latency))
        if len(self.done) == self.enough:
            self.finished.set()

    def ended(self, match: str) -> None:
        """A match is over: another one takes its place."""
        if self.playing.pop(match, None) and not self.finished.is_set():
            self.next_match()

    def failed(self, why: Exception) -> None:
        """Something went wrong: that ends it."""
        self.wrong = self.wrong or why
        self.finished.set()

    def check(self) -> None:
        """Errors: whatever went wrong; TimeoutError if somebody waits for the answer to a move."""
        if self.wrong:
            raise self.wrong
        long_ago = perf_counter() - PATIENCE / 2
        for pair in self.playing.values():
            for p in pair:
                if 0 < p.sent < long_ago:
                    raise TimeoutError(f"{self.server.name}: match {p.match} stands still")

    async def close(self) -> None:
        """Everybody leaves."""
        for pair in [*self.standing_by, *self.playing.values()]:
            for p in pair:
                p.leave()
        await asyncio.sleep(0.3)


async def under_load(server: Server, sockets: int, moves: int, most: float, rest: float) -> Load:
    """So many players make so many moves, or as many as they make in `most` seconds."""
    play = Play(server, rest, enough=moves)
    await play.prepare(sockets // 2 + (0 if rest else moves // LENGTH))
    gc.collect()
    gc.disable()
    server_cpu, driver_cpu, start = server.cpu(), time.process_time(), perf_counter()
    received = play.received
    for _ in range(sockets // 2):
        play.next_match()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(play.finished.wait(), most)
    end, received = perf_counter(), play.received - received
    server_cpu, driver_cpu = server.cpu() - server_cpu, time.process_time() - driver_cpu
    gc.enable()
    play.check()
    await play.close()
    begin = start + WARM * (end - start)
    latencies = sorted(latency for now, latency in play.done if now >= begin)
    return Load(
        server.name,
        sockets,
        len(latencies) / (end - begin),
        1000 * latencies[len(latencies) // 2],
        1000 * latencies[int(0.99 * len(latencies))],
        server_cpu / (end - start),
        driver_cpu / (end - start),
        received / len(play.done),
    )


async def memory(server: Server, counts: Sequence[int], moves: int = 10) -> Memory:
    """Resident memory with so many live matches, each with both sockets and a few moves made."""
    play = Play(server, rest=0.2)
    found = {}
    for n in counts:
        await play.prepare(n - len(play.playing))
        enough = len(play.done) + moves * len(play.standing_by)
        new = play.standing_by[:]
        while play.standing_by:
            play.next_match()
        async with asyncio.timeout(10 * PATIENCE):
            while len(play.done) < enough:
                play.check()
                await asyncio.sleep(0.01)
        for p in (p for pair in new for p in pair):
            p.going = False
        await asyncio.sleep(1)
        found[n] = server.rss()
    await play.close()
    return Memory(server.name, found)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs it, on uvloop if that is there, as it is where our server uses it."""
    try:
        factory = importlib.import_module("uvloop").new_event_loop
    except ImportError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(work)


def measure(quick: bool, rounds: int, say: Callable[[str], None]) -> Findings:
    """All of it. In each round one measurement of each server follows the other."""
    rounds = 1 if quick else min(rounds, ROUNDS)
    allow_sockets()
    folder, n = install_theirs(), max(2, len(ALL))
    found = [
        Contender(OURS, Ours(), our_command),
        Contender(OURS_DRAWN, Ours(OurPerson), our_command),
        Contender(OURS_UNPACKED, Ours(OurUnpacked), our_command),
        *(
            [
                Contender(OURS_POSTGRES, Ours(), our_command, database=True),
                Contender(OURS_NODES, Ours(), partial(our_command, workers=n), True, True),
            ]
            if programs()
            else []
        ),
    ]
    if isinstance(folder, Path):
        found += [
            Contender(THEIRS, Theirs(), their_command(folder, files=False)),
            Contender(THEIRS_IN_FILES, Theirs(), their_command(folder, files=True)),
        ]
    mine = bind(-1)
    try:
        return _measure(quick, rounds, found, say, "" if isinstance(folder, Path) else folder)
    finally:
        release(mine)


def _measure(
    quick: bool,
    rounds: int,
    wanted: Sequence[Contender],
    say: Callable[[str], None],
    left_out: str,
) -> Findings:
    sockets = SOCKETS[:2] if quick else SOCKETS
    moves, most = (2_000, 3.0) if quick else (10_000, 8.0)
    saturated, paced, memories = [], [], []
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(served(x)) for x in wanted]
        for server in servers:  # what is compiled at first use is compiled
            run(under_load(server, 50, 1_000, most, 0.0))
        for n in sockets:
            say(f"{n} sockets")
            for _ in range(rounds):
                loads = [run(under_load(x, n, moves, most, 0.0)) for x in servers]
                saturated.append(tuple(loads))
            paced += [run(under_load(x, n, 0, most, PAUSE)) for x in servers]
    for x in wanted:
        say(f"memory of {x.name}")
        with served(x) as server:
            memories.append(run(memory(server, MATCHES[:2] if quick else MATCHES)))
    return Findings(tuple(saturated), tuple(paced), tuple(memories), versions(), left_out)


def versions() -> str:
    """Those of theirs, where they are."""
    if not (node := shutil.which("node")):
        return ""
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    package = json.loads((HERE / "boardgameio" / "package.json").read_text())
    return f"boardgame.io {package['dependencies']['boardgame.io']}, Node {done.stdout.strip()}"
