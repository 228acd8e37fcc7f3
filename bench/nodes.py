"""Several nodes and their PostgreSQL on this machine, as they would be on many.

    python -m bench.nodes            three nodes, and one address in front of them, until Ctrl-C
    python -m bench.nodes --nodes 5 --port 9000

What is played is gone afterwards: the database is in a temporary folder. Each node is a process of
its own, at a port of its own; kill one and see that its players go on. bench/chaos.py does it for
hours, with all that can happen to machines.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from .postgres import MISSING, QUICK, Postgres, free_port, postgres, programs

HOST = "127.0.0.1"
PORT = 8765
CHUNK = 1 << 16
PATIENCE = 60.0  # seconds for a node to start

#: a node as `battlebox --database` starts it; SIGUSR1 sets its wall clock off by what a file says
NODE = """
import signal, sys, time
from battlebox.core.errors import BattleboxError
from battlebox.server import serve
port, database, off = sys.argv[1:]
of_the_machine = time.time
def set_off(*_):
    seconds = float(open(off).read())
    time.time = lambda: of_the_machine() + seconds
signal.signal(signal.SIGUSR1, set_off)
try:
    serve.serve(port=int(port), database=database, browser=False, compile=False)
except BattleboxError as e:  # as the command does
    sys.exit(f"battlebox: {e}")
"""


class Pipe:
    """A port that hands on what comes to the first of others that answers, each time beginning with
    another one. It can be cut, and it can hold back what comes.
    """

    def __init__(self, *targets: int) -> None:
        self.targets = [*targets]
        self.port = 0
        self._open = asyncio.Event()
        self._open.set()
        self._lines = set[asyncio.StreamWriter]()
        self._server: asyncio.Server | None = None

    async def listen(self, port: int = 0) -> None:
        """From now on. port 0: any."""
        self._server = await asyncio.start_server(self._hand_on, HOST, port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in self.targets:
            self.targets.append(self.targets.pop(0))
            with contextlib.suppress(OSError):
                answers, wants = await asyncio.open_connection(HOST, self.targets[-1])
                break
        else:
            writer.transport.abort()
            return
        both = {writer, wants}
        self._lines |= both
        try:
            # asyncio's streams would show a traceback of what is cancelled at the end
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(self._copy(reader, wants), self._copy(answers, writer))
        finally:
            self._lines -= both
            for x in both:
                x.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
        if not writer.is_closing():
            with contextlib.suppress(OSError):
                writer.write_eof()

    def cut(self) -> int:
        """Breaks all connections; how many there were."""
        broken = [*self._lines]
        for x in broken:
            x.transport.abort()
        return len(broken) // 2

    def hold(self) -> None:
        """Nothing gets through any more, and nobody is told: a cable is out."""
        self._open.clear()

    def let_go(self) -> None:
        """What was held back goes on its way."""
        self._open.set()

    def close(self) -> None:
        """Ends it, and all that goes through it."""
        if self._server:
            self._server.close()
        self.let_go()
        self.cut()


class Node:
    """A server process, which comes to the database through a pipe of its own."""

    def __init__(self, k: int, folder: Path, database: Postgres, name: str) -> None:
        self.k, self.port, self.name = k, free_port(), name
        self.out, self.off = folder / f"node-{k}.txt", folder / f"clock-{k}.txt"
        self.pipe = Pipe(database.port)
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Returns when it is ready. One that ends before, as while its database is away, is started
        again: so does a service manager.
        """
        if not self.pipe.port:
            await self.pipe.listen()
        until = time.monotonic() + PATIENCE
        while not await asyncio.to_thread(self.is_ready):
            if time.monotonic() > until:
                raise RuntimeError(f"a node does not start: {self.out.read_text()[-2000:]}")
            if self.process is None or self.process.poll() is not None:
                self._begin()
            await asyncio.sleep(0.1)

    def _begin(self) -> None:
        url = f"postgresql://postgres@{HOST}:{self.pipe.port}/{self.name}"
        words = [sys.executable, "-c", NODE, str(self.port), url, str(self.off)]
        with self.out.open("ab") as out:
            self.process = subprocess.Popen(words, stdout=out, stderr=out)

    def ask(self, path: str, seconds: float = 2.0) -> dict[str, Any]:
        """What it answers, JSON. Blocks. Errors: OSError."""
        with urllib.request.urlopen(f"http://{HOST}:{self.port}{path}", timeout=seconds) as answer:
            found: dict[str, Any] = json.load(answer)
            return found

    def is_ready(self) -> bool:
        """Whether requests may be sent there."""
        try:
            return self.ask("/ready")["status"] == "ready"
        except (OSError, ValueError):
            return False

    def send(self, number: signal.Signals) -> None:
        """A signal to its process."""
        assert self.process, "it was never started"
        self.process.send_signal(number)

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal that ends it, and waits until it has: its exit status."""
        assert self.process, "it was never started"
        self.process.send_signal(number)
        return await asyncio.to_thread(self.process.wait, PATIENCE)

    def set_clock(self, off: float) -> None:
        """Its wall clock is off by so many seconds from now on."""
        self.off.write_text(str(off))
        self.send(signal.SIGUSR1)

    def close(self) -> None:
        """At once."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.pipe.close()


class Cluster:
    """Nodes of one database."""

    def __init__(self, folder: Path, database: Postgres, nodes: int) -> None:
        self.database, self.url = database, database.new()
        name = self.url.rpartition("/")[2]
        self.nodes = [Node(k, folder, database, name) for k in range(nodes)]


@contextlib.asynccontextmanager
async def cluster(nodes: int = 3, options: str = QUICK) -> AsyncIterator[Cluster]:
    """They run; afterwards everything is gone."""
    with (
        tempfile.TemporaryDirectory(prefix="battlebox-nodes-") as folder,
        postgres(free_port(), options) as database,
    ):
        found = Cluster(Path(folder), database, nodes)
        try:
            await asyncio.gather(*(x.start() for x in found.nodes))
            yield found
        finally:
            for x in found.nodes:
                x.close()


async def run(nodes: int, port: int) -> None:
    """Until it is cancelled, or a system ends it."""
    if task := asyncio.current_task():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    if programs() is None:
        raise SystemExit(MISSING)
    with socket.socket() as s:
        if s.connect_ex((HOST, port)) == 0:
            raise SystemExit(f"port {port} is taken: say --port N")
    print(f"Starting PostgreSQL and {nodes} node{'s' * (nodes > 1)} ...", flush=True)
    async with cluster(nodes) as found:
        front = Pipe(*(x.port for x in found.nodes))
        await front.listen(port)
        print(f"\n  http://{HOST}:{port}/   any of them, as through a proxy", flush=True)
        for x in found.nodes:
            assert x.process
            node = f"node {x.k + 1}: process {x.process.pid} (kill -9 {x.process.pid})"
            print(f"  http://{HOST}:{x.port}/   {node}", flush=True)
        print(f"\n  {found.url}\n\nPress Ctrl-C to stop all of it.", flush=True)
        try:
            await _keep_up(found.nodes)
        finally:
            front.close()


async def _keep_up(nodes: Sequence[Node]) -> None:
    """A node that ends is started again, as a service manager would."""
    while True:
        await asyncio.sleep(0.5)
        for x in nodes:
            if x.process and x.process.poll() is not None:
                print(f"Node {x.k + 1} has ended; it is started again.", flush=True)
                await x.start()
                print(f"Node {x.k + 1} is back: process {x.process.pid}.", flush=True)


def main() -> None:
    """Reads the options, and runs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.nodes", description="PostgreSQL and nodes on this machine, to try."
    )
    parser.add_argument("--nodes", type=int, default=3, help="how many (3)")
    parser.add_argument("--port", type=int, default=PORT, help=f"of the address in front ({PORT})")
    given = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(run(given.nodes, given.port))
    print("Stopped; what was played is gone.")


if __name__ == "__main__":
    main()
