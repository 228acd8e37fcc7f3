"""Nothing that was acknowledged is lost or done twice, however often the server is killed.

`BATTLEBOX_KILLS=50` kills it fifty times; the usual few show that the test works.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import urllib.request
import uuid
from collections import Counter
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import websockets
from serving import PATIENCE, in_a_loop, until

from battlebox.server.session import Session
from battlebox.server.store import Store

KILLS = int(os.environ.get("BATTLEBOX_KILLS", "4"))
MATCHES = 8


class Served:
    """A server in a process of its own, which can be killed."""

    def __init__(self, data: Path, workers: int) -> None:
        self.data, self.workers, self.port = data, workers, 0

    def start(self) -> None:
        """Starts it, on the port it had before."""
        command = [sys.executable, "-m", "battlebox", "--no-browser", "--data", str(self.data)]
        command += ["--port", str(self.port), "--workers", str(self.workers)]
        plain = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=plain
        )
        said = ""
        while (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)) is None:
            line = self.process.stdout.readline() if self.process.stdout else b""
            assert line, f"the server did not start: {said}"
            said += line.decode()
        self.port = int(found[1])
        threading.Thread(target=self._drain, daemon=True).start()

    def _drain(self) -> None:
        with contextlib.suppress(ValueError):
            for _ in self.process.stdout or ():
                pass

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()
        until(lambda: not self.listens())  # its workers end when they see it

    def listens(self) -> bool:
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def post(self, path: str, body: dict[str, Any]) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            json.dumps(body).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


@pytest.fixture(params=[1, 2], ids=["one process", "two processes"])
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    server = Served(tmp_path, request.param)
    server.start()
    yield server
    server.kill()


@dataclass
class Player:
    """Plays one seat at random; whatever happens to the server, it goes on."""

    server: Served
    match: str
    token: str
    dice: random.Random
    acked: list[str] = field(default_factory=list)
    waiting: dict[str, dict[str, Any]] = field(default_factory=dict)  # not yet acknowledged
    run: str = ""
    n: int = -1
    told: list[str] = field(default_factory=list)
    connections: int = 0
    over: bool = False

    async def play(self) -> None:
        while not self.over:
            try:
                url = f"ws://127.0.0.1:{self.server.port}/api/matches/{self.match}/live"
                async with websockets.connect(url) as line:
                    self.connections += 1
                    await self.converse(line)
            except (OSError, websockets.WebSocketException):
                await asyncio.sleep(0.05)

    async def converse(self, line: Any) -> None:
        hello = {"type": "hello", "token": self.token, "run": self.run, "since": self.n}
        await line.send(json.dumps(hello))
        for message in list(self.waiting.values()):
            await line.send(json.dumps(message))
        while not self.over:
            m = json.loads(await line.recv())
            if m["type"] == "frame":
                await self.look(m, line)
            elif m["type"] == "ack":
                self.acked.append(m["id"])
                self.waiting.pop(m["id"], None)
            elif m["type"] == "refused":
                assert m["error"]["code"] == "stale", m
                self.waiting.pop(m["id"], None)
            elif m["type"] == "room":
                self.over = m["end"] is not None and not self.waiting
            else:
                raise AssertionError(m)

    async def look(self, frame: dict[str, Any], line: Any) -> None:
        assert frame["keep"] <= len(self.told)
        self.told[frame["keep"] :] = [x["text"] for x in frame["told"]]
        self.run, self.n = frame["run"], frame["n"]
        if choices := frame["scene"]["choices"]:
            id, action = uuid.uuid4().hex, self.dice.choice(choices)[2]
            do = {"type": "do", "id": id, "run": self.run, "n": self.n, "action": action}
            self.waiting[id] = do
            await line.send(json.dumps(do))


async def bounded(work: Coroutine[Any, Any, None]) -> None:
    """Ends what takes too long."""
    await asyncio.wait_for(work, PATIENCE + 10 * KILLS)


async def seat_two(server: Served, k: int) -> list[Player]:
    """A new match and its two players."""
    made = server.post("/api/matches", {"game": "war_zone", "seats": ["you", "open"]})
    first = Player(server, made["id"], made["token"], random.Random(k))
    url = f"ws://127.0.0.1:{server.port}/api/matches/{made['id']}/live"
    async with websockets.connect(url) as line:
        await line.send(json.dumps({"type": "hello", "token": made["token"]}))
        token = json.loads(await line.recv())["invitations"]["1"]
    async with websockets.connect(url) as line:
        await line.send(json.dumps({"type": "hello", "token": token}))
        await line.send(json.dumps({"type": "rename", "id": "sit", "name": "Ben"}))
        while (answer := json.loads(await line.recv()))["type"] != "ack":
            pass
        token = answer["token"]
    return [first, Player(server, made["id"], token, random.Random(-k))]


@pytest.mark.slow
def test_kill_9_under_load_loses_and_doubles_nothing(served: Served, tmp_path: Path) -> None:
    players: list[Player] = []

    async def load() -> None:
        going: dict[asyncio.Task[None], Player] = {}

        async def more() -> None:
            for p in await seat_two(served, len(players)):
                players.append(p)
                going[asyncio.create_task(p.play())] = p

        for _ in range(MATCHES):
            await more()
        dice = random.Random(1)
        for _ in range(KILLS):
            await asyncio.sleep(dice.uniform(0.2, 0.6))
            acked = sum(len(p.acked) for p in players)
            served.kill()
            await asyncio.to_thread(served.start)
            while sum(len(p.acked) for p in players) <= acked + MATCHES:  # they have come back
                for done in [t for t in going if t.done()]:
                    done.result()
                    del going[done]
                while len(going) < MATCHES:
                    await more()
                await asyncio.sleep(0.02)
        for task in going:
            task.cancel()
        await asyncio.gather(*going, return_exceptions=True)

    in_a_loop(bounded(load()))
    served.kill()
    assert any(p.connections > 1 for p in players)
    assert sum(len(p.acked) for p in players) > 20 * KILLS
    check_logs(tmp_path, players)


def check_logs(data: Path, players: list[Player]) -> None:
    """Every acknowledged action stands in the log once, and the log can be played again."""
    store = Store(data)
    try:
        for first, second in zip(players[::2], players[1::2], strict=True):
            entries = store.entries(first.match)
            assert [x.seq for x in entries] == list(range(len(entries)))
            ids = Counter(x.action for x in entries)
            assert set(ids.values()) <= {1}
            for seat, player in enumerate((first, second)):
                assert len(set(player.acked)) == len(player.acked)
                assert {f"{seat}:{id}" for id in player.acked} <= set(ids)
            setup = store.setup(first.match)
            assert setup is not None
            session = Session(setup)
            for entry in entries:
                session.apply(json.loads(entry.body))
            assert session.length == len(entries)
            done = [x for x in entries if "do" in json.loads(x.body)]
            assert len(session.match.history) == len(done)
    finally:
        store.close()
