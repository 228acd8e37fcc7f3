"""How many moves a second the server carries, beside boardgame.io, on one machine in one run.

    python -m bench --only load            and boardgame.io where Node and npm are: half an hour
    python -m bench --only load --quick    a few minutes

Both serve War Zone for two: ours keeps every move in its log on disk, or in PostgreSQL, before it
says so; boardgame.io keeps it in memory (and, in other rows, in files or PostgreSQL). The players
are those of bench/wire.py, the same process and the same code for all. Where there are two
processors or more, server and driver are bound to one each; what either used of it stands beside
each figure, so that one sees who was the bottleneck.

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
import re
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
from typing import Any, NamedTuple, TypeVar

import psycopg
from platformdirs import user_cache_path

from battlebox.server.serve import allow_sockets

from .postgres import SAFE, Postgres, free_port, postgres, programs
from .wire import HOST, Front, OurPerson, Ours, OurUnpacked, Player, Theirs

Command = Callable[[int, str], Sequence[str]]  # from a port, and a folder for the data
Pair = tuple[Player, Player]
T = TypeVar("T")

HERE = Path(__file__).parent
OURS, OURS_DRAWN = "battlebox, on disk", "battlebox, on disk, drawn"
OURS_UNPACKED = "battlebox, on disk, drawn, not packed"
OURS_POSTGRES = "battlebox, in PostgreSQL"
OURS_NODES = "battlebox, in PostgreSQL, {n} nodes"
THEIRS = "boardgame.io, in memory"
THEIRS_IN_FILES = "boardgame.io, in files"
THEIRS_POSTGRES = "boardgame.io, in PostgreSQL"
NODES = (2, 3)  # besides one
WHOLE = 300  # finished matches, for their disk space
MANY, REST = 10_000, 60.0  # matches at once, and seconds that their players think
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
    memory: int  # resident bytes of the server, at the end

    @property
    def per_processor(self) -> float:
        """Moves a second of the server's processor time; 0 where that is not to be had."""
        return self.moves / self.server_cpu if self.server_cpu else 0.0


@dataclass(frozen=True)
class Memory:
    """Resident memory of a server, bytes, at so many live matches."""

    server: str
    sizes: dict[int, int]  # by matches

    @property
    def per_match(self) -> float:
        """Bytes for each match more."""
        least, most = min(self.sizes), max(self.sizes)
        return (self.sizes[most] - self.sizes[least]) / (most - least)


@dataclass(frozen=True)
class Stored:
    """The disk space of finished matches."""

    server: str
    matches: int
    moves: int  # in all of them
    bytes: int


@dataclass(frozen=True)
class Findings:
    """All of it; `left_out` says why boardgame.io is missing, or nothing."""

    saturated: tuple[tuple[Load, ...], ...]  # rounds: one of each server, ours first
    paced: tuple[Load, ...]
    memory: tuple[Memory, ...]
    stored: tuple[Stored, ...]
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
        folder: Path,
        database: Database | None = None,
    ) -> None:
        """folder: where it keeps matches, if not in a database."""
        self.name, self.front, self.process, self.port = name, front, process, port
        self.folder, self.database = folder, database

    def cpu(self) -> float:
        """Seconds of processor time so far, of all its threads; 0 where that is not to be had."""
        ticks = 0
        for text in self._read("stat"):
            user, system = text.rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Resident bytes, what processes share once (PSS); 0 where that is not to be had."""
        sizes = (re.search(r"^Pss: +(\d+) kB", x, re.MULTILINE) for x in self._read("smaps_rollup"))
        return sum(1024 * int(x[1]) for x in sizes if x)

    def _read(self, what: str) -> list[str]:
        """What the system says of each of its processes."""
        found = list[str]()
        with contextlib.suppress(OSError):
            database = self.database.server.pid if self.database else None
            for pid in filter(None, (self.process.pid, database)):
                own = Path(f"/proc/{pid}")
                children = (own / "task" / own.name / "children").read_text().split()
                found += [Path(f"/proc/{x}/{what}").read_text() for x in (own.name, *children)]
        return found

    def stored(self) -> int:
        """Bytes of the disk that its matches take."""
        if self.database:
            with psycopg.connect(self.database.url) as c:
                row = c.execute("SELECT pg_database_size(current_database())").fetchone()
                assert row is not None
                return int(row[0])
        return sum(x.stat().st_size for x in self.folder.rglob("*") if x.is_file())

    def end(self) -> None:
        """Ends it; what it keeps stays."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


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


class Database(NamedTuple):
    """A database, and the PostgreSQL that has it."""

    server: Postgres
    url: str


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
        database = None
        if wanted.database:
            beside = held.enter_context(postgres(free_port(), SAFE))
            database = Database(beside, beside.new())
            environment["BATTLEBOX_DATABASE"] = database.url
        with out.open("wb") as to:
            words = wanted.command(port, str(store))
            own = release(ALL) if wanted.everywhere else bind(0)  # as its processes will be
            process = subprocess.Popen(words, stdout=to, stderr=to, env=environment)
            release(own)
        server = Server(wanted.name, wanted.front, process, port, store, database)
        try:
            wait_for(port, process, out)
            yield server
        except BaseException:
            print(out.read_text(errors="replace")[-2000:], file=sys.stderr)
            raise
        finally:
            server.end()
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
bounds = {"messages_per_second": 1e9, "burst": 1e9, "sockets": 10**9}  # these are no people
serve.Limits = lambda: limits.Limits(**bounds)
port, data, workers = sys.argv[1:]
database = os.environ.get("BATTLEBOX_DATABASE", "")
serve.serve(
    port=int(port), data=Path(data), database=database, browser=False, workers=int(workers)
)
"""


def our_command(port: int, data: str, workers: int = 1) -> list[str]:
    """The server as its users start it, but it lets players be as fast as they like."""
    return [sys.executable, "-c", SERVE, str(port), data, str(workers)]


def their_command(folder: Path, *, files: bool = False) -> Command:
    """Theirs, its matches in memory, in files, or in the database that it is given."""
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
    resident = server.memory()
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
        resident,
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
        found[n] = server.memory()
    await play.close()
    return Memory(server.name, found)


async def played_through(server: Server, matches: int) -> int:
    """Plays so many matches to their end. The number of moves."""
    play = Play(server)
    await play.prepare(matches)
    for _ in range(HANDS):
        play.next_match()
    async with asyncio.timeout(20 * PATIENCE):
        while play.playing:
            play.check()
            await asyncio.sleep(0.05)
    await play.close()
    return len(play.done)


def on_disk(wanted: Contender, matches: int) -> Stored:
    """The disk space of its matches, measured when it has ended."""
    with served(wanted) as server:
        before = server.stored()
        moves = run(played_through(server, matches))
        server.end()
        return Stored(wanted.name, matches, moves, server.stored() - before)


def many(quick: bool, say: Callable[[str], None]) -> Load | None:
    """Very many matches at once, each with both players on their sockets, who take their time; None
    without PostgreSQL.
    """
    if not programs():
        say("without PostgreSQL not so many matches are held: left out")
        return None
    n = NODES[-1]
    command, name = partial(our_command, workers=n), OURS_NODES.format(n=n)
    import resource  # PostgreSQL of the bench is not for Windows either

    allow_sockets()
    room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 1_000  # for other files, too
    sockets = min(2 * (MANY // 10 if quick else MANY), room // 2 * 2)
    say(f"{sockets // 2:,} matches at once")
    mine = bind(-1)
    try:
        with served(Contender(name, Ours(), command, everywhere=True, database=True)) as server:
            return run(under_load(server, sockets, 0, 1.5 * REST, REST))
    finally:
        release(mine)


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
    folder = install_theirs()
    found = [
        Contender(OURS, Ours(), our_command),
        Contender(OURS_DRAWN, Ours(OurPerson), our_command),
        Contender(OURS_UNPACKED, Ours(OurUnpacked), our_command),
        *(
            [
                Contender(OURS_POSTGRES, Ours(), our_command, database=True),
                *(
                    Contender(
                        OURS_NODES.format(n=n), Ours(), partial(our_command, workers=n), True, True
                    )
                    for n in NODES
                ),
            ]
            if programs()
            else []
        ),
    ]
    if isinstance(folder, Path):
        found += [
            Contender(THEIRS, Theirs(), their_command(folder)),
            Contender(THEIRS_IN_FILES, Theirs(), their_command(folder, files=True)),
        ]
        if programs():
            found.append(Contender(THEIRS_POSTGRES, Theirs(), their_command(folder), database=True))
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
    # what is drawn is written down as what is not, by one node as by several; memory is no disk
    keep = [x for x in wanted if x.name in (OURS, OURS_POSTGRES, THEIRS_IN_FILES, THEIRS_POSTGRES)]
    stored = list[Stored]()
    for x in keep:
        say(f"what matches of {x.name} take of the disk")
        stored.append(on_disk(x, WHOLE // 10 if quick else WHOLE))
    found = tuple(saturated), tuple(paced), tuple(memories), tuple(stored)
    return Findings(*found, versions(), left_out)


def versions() -> str:
    """Those of theirs, where they are."""
    if not (node := shutil.which("node")):
        return ""
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    package = json.loads((HERE / "boardgameio" / "package.json").read_text())
    theirs = ", ".join(
        f"{x} {package['dependencies'][x]}" for x in ("boardgame.io", "bgio-postgres")
    )
    return f"{theirs}, Node {done.stdout.strip()}"
