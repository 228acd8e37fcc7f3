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
import signal
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
from databases import needs_postgres, store_of, the_server
from serving import (
    PATIENCE,
    ROOMY,
    InProcess,
    Picture,
    Seat,
    in_a_loop,
    in_process,
    invitations,
    take_seat,
    until,
)

from battlebox.protocol import PROTOCOL
from battlebox.server.log_events import Acted, read_event
from battlebox.server.serve import open_store
from battlebox.server.session import Session
from battlebox.server.store import Entry

KILLS = int(os.environ.get("BATTLEBOX_KILLS", "4"))
MATCHES = 8


class Served:
    """A server in a process of its own, which can be killed."""

    def __init__(self, data: Path, database: str) -> None:
        """database: none, then it is one process, or one that two share."""
        self.data, self.database, self.port = data, database, 0

    def start(self) -> None:
        """Starts it, on the port it had before."""
        how = f"data=Path({str(self.data)!r}), port={self.port}, database={self.database!r}"
        program = (
            "from pathlib import Path\n"
            "from battlebox.server.serve import serve\n"
            f"serve({how}, workers={2 if self.database else 1}, browser=False, compile=False)"
        )
        plain = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=plain,
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


@pytest.fixture(
    params=[
        pytest.param(False, id="in a folder"),
        pytest.param(True, id="in PostgreSQL", marks=needs_postgres),
    ]
)
def served(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Served]:
    server = Served(tmp_path, the_server().new() if request.param else "")
    server.start()
    yield server
    server.kill()


@dataclass
class Player:
    """Plays one seat at random; whatever happens to the server, they go on, and make one choice
    for each question.
    """

    server: Served
    match: str
    token: str
    dice: random.Random
    acked: list[str] = field(default_factory=list)
    waiting: dict[str, dict[str, Any]] = field(default_factory=dict)  # not yet acknowledged
    run: str = ""
    n: int = -1
    picture: Picture = field(default_factory=Picture)
    told: list[str] = field(default_factory=list)
    connections: int = 0
    over: bool = False

    async def play(self) -> None:
        while not self.over:
            try:
                url = f"ws://127.0.0.1:{self.server.port}/api/matches/{self.match}/live"
                async with websockets.connect(url) as socket:
                    self.connections += 1
                    await self.converse(socket)
            except (OSError, websockets.WebSocketException):
                await asyncio.sleep(0.05)

    async def converse(self, socket: Any) -> None:
        await socket.send(hello(self.token, run=self.run, since=self.n))
        for message in list(self.waiting.values()):
            await socket.send(json.dumps(message))
        while not self.over:
            m = self.picture.whole(json.loads(await socket.recv()))
            if m["type"] == "frame":
                await self.look(m, socket)
            elif m["type"] == "ack":
                self.acked.append(m["id"])
                self.waiting.pop(m["id"], None)
            elif m["type"] == "room":
                self.over = m["end"] is not None and not self.waiting
            elif m["type"] != "beat":  # which comes while nothing else does
                raise AssertionError(m)  # nothing is stale: they have chosen once

    async def look(self, frame: dict[str, Any], socket: Any) -> None:
        assert frame["keep"] <= len(self.told)
        self.told[frame["keep"] :] = [x["text"] for x in frame["told"]]
        self.run, self.n = frame["run"], frame["n"]
        question, choices = frame["question"], frame["scene"]["choices"]
        assert bool(question) == bool(choices)
        if question and question not in {x["question"] for x in self.waiting.values()}:
            id, action = uuid.uuid4().hex, self.dice.choice(choices)["action"]
            act = {"type": "act", "id": id, "question": question, "action": action}
            self.waiting[id] = act
            await socket.send(json.dumps(act))


def hello(token: str, **seen: Any) -> str:
    """The first message of a socket."""
    return json.dumps({"type": "hello", "protocol": PROTOCOL, "token": token, **seen})


async def bounded(work: Coroutine[Any, Any, None]) -> None:
    """Ends what takes too long."""
    await asyncio.wait_for(work, PATIENCE + 10 * KILLS)


async def seat_two(server: Served, k: int) -> list[Player]:
    """A new match and its two players."""
    made = server.post("/api/matches", {"game": "war_zone", "seats": ["you", "open"]})
    first = Player(server, made["id"], made["token"], random.Random(k))
    url = f"ws://127.0.0.1:{server.port}/api/matches/{made['id']}/live"
    async with websockets.connect(url) as socket:
        await socket.send(hello(made["token"]))
        invitation = json.loads(await socket.recv())["invitations"]["1"]
    async with websockets.connect(url) as socket:
        await socket.send(hello(invitation))
        await socket.send(json.dumps({"type": "take_seat", "id": "sit", "name": "Ben"}))
        while (answer := json.loads(await socket.recv()))["type"] != "ack":
            pass
    return [first, Player(server, made["id"], answer["token"], random.Random(-k))]


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
    check_logs(served, players)


def check_logs(served: Served, players: list[Player]) -> None:
    """Every acknowledged action stands in the log once, and the log can be played again."""
    store = open_store(served.database, served.data)
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
                session.apply(read_event(entry.body))
            assert session.length == len(entries)
            done = [x for x in entries if isinstance(read_event(x.body), Acted)]
            assert len(session.match.history) == len(done)
    finally:
        store.close()


# ---- what was sent when the server was killed ---------------------------------------------------
killed = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot halt a process")


@dataclass
class Game:
    """A match of two people, its log, and a choice that one of them makes."""

    data: Path
    id: str
    tokens: dict[int, str]
    mover: int
    choice: dict[str, Any]  # the message
    others: list[int]  # what else there was to choose

    @property
    def acted(self) -> list[Entry]:
        """What the log has of choices; no server runs."""
        with contextlib.closing(store_of(self.data)) as store:
            return [x for x in store.entries(self.id) if isinstance(read_event(x.body), Acted)]


def begin(data: Path, server: InProcess) -> Game:
    """A new match, in which somebody is about to choose."""
    made = server.make(["you", "open"], seed=5)
    tokens = invitations(server, made)
    tokens[1] = take_seat(server, made["id"], tokens[1], "Ben")
    for p, token in tokens.items():
        with Seat(server, made["id"], token) as seat:
            if question := seat.look()["question"]:
                first, *others = [x["action"] for x in seat.frame["scene"]["choices"]]
                choice = {"type": "act", "id": "c", "question": question, "action": first}
                return Game(data, made["id"], tokens, p, choice, others)
    raise AssertionError("nobody is asked anything")


def lose(server: InProcess, game: Game) -> None:
    """The choice is on its way when the server is killed, which has not read it."""
    with Seat(server, game.id, game.tokens[game.mover]) as seat:
        seat.look()
        server.process.send_signal(signal.SIGSTOP)
        seat.send(**game.choice)
        server.process.kill()
        server.process.wait(PATIENCE)


@killed
@pytest.mark.slow
def test_a_choice_that_was_lost_is_done_when_it_is_sent_again(tmp_path: Path) -> None:
    with in_process(tmp_path, **ROOMY) as server:
        game = begin(tmp_path, server)
        lose(server, game)
    assert game.acted == []
    with (
        in_process(tmp_path, **ROOMY) as server,
        Seat(server, game.id, game.tokens[game.mover]) as seat,
    ):
        assert seat.look()["question"] == game.choice["question"]
        assert seat.want(**game.choice)["type"] == "ack"
    assert [x.action for x in game.acted] == [f"{game.mover}:c"]


@killed
@pytest.mark.slow
def test_a_choice_that_was_done_is_acknowledged_when_it_is_sent_again(tmp_path: Path) -> None:
    with in_process(tmp_path, **ROOMY) as server:
        game = begin(tmp_path, server)
        with (
            Seat(server, game.id, game.tokens[game.mover]) as seat,
            Seat(server, game.id, game.tokens[1 - game.mover]) as other,
        ):
            other.look()
            seat.send(**game.choice)  # whose answer nobody hears
            other.hear_until("frame")
            server.process.kill()
            server.process.wait(PATIENCE)
    done = game.acted
    assert [x.action for x in done] == [f"{game.mover}:c"]
    with (
        in_process(tmp_path, **ROOMY) as server,
        Seat(server, game.id, game.tokens[game.mover]) as seat,
    ):
        assert seat.look()["question"] != game.choice["question"]
        assert seat.want(**game.choice)["type"] == "ack"
        wanted = game.choice | {"action": game.others[0]}
        assert seat.want(**wanted)["error"]["code"] == "used"
    assert game.acted == done


@killed
@pytest.mark.slow
def test_a_choice_that_was_lost_is_stale_when_the_match_has_moved_on(tmp_path: Path) -> None:
    """Whether its seat is asked something else by then, or nothing."""
    with in_process(tmp_path, **ROOMY) as server:
        game = begin(tmp_path, server)
        lose(server, game)
    asked, moves = set[bool](), 0
    with (
        in_process(tmp_path, **ROOMY) as server,
        Seat(server, game.id, game.tokens[game.mover]) as seat,
        Seat(server, game.id, game.tokens[1 - game.mover]) as other,
    ):
        assert seat.look()["question"] == game.choice["question"]
        assert seat.act("window", game.others[0])["type"] == "ack"  # made in another window
        moves += 1
        while len(asked) < 2:
            refused = seat.want(**game.choice)
            assert refused["error"]["code"] == "stale", refused
            other.hear_the_rest()
            asked.add(bool(seat.frame["question"]))
            mover = seat if seat.frame["question"] else other
            action = mover.frame["scene"]["choices"][0]["action"]
            assert mover.act(f"m{moves}", action)["type"] == "ack"
            seat.hear_the_rest()
            moves += 1
    done = game.acted
    assert len(done) == moves
    assert f"{game.mover}:c" not in [x.action for x in done]
