"""A server for tests: the real one, with limits of their own, in a thread or in a process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

import httpx
import sqlalchemy as sa
from databases import database_of
from websockets.sync.client import ClientConnection, connect

from battlebox.core.match import Match
from battlebox.core.scene import Scene, unpacked
from battlebox.protocol import PROTOCOL
from battlebox.protocol.commands import Act
from battlebox.protocol.deltas import changed, changed_zones
from battlebox.protocol.messages import server_message
from battlebox.server import serve as served
from battlebox.server.clock import REAL, Clock, ManualClock
from battlebox.server.countdown import Countdown
from battlebox.server.limits import Limits
from battlebox.server.room import Room
from battlebox.server.rooms import Rooms
from battlebox.server.store import sqlite
from battlebox.server.store.schema import matches
from battlebox.testing.layout.serving import PATIENCE, InLoop

T = TypeVar("T")
#: for who plays on at full speed, and moves the clock while bots think
ROOMY: dict[str, Any] = {"messages_per_second": 10_000, "burst": 10_000, "decision": 10**6}


def until(what: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Waits for something to come true, and gives it. What takes long is looked at less often."""
    end, pause = time.monotonic() + patience, 0.01
    while not (found := what()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(pause)
        pause = min(0.05, 1.1 * pause)
    return found


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Runs it in a thread of its own: browsers leave a running loop in this one. Its result."""
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, work).result()


def let_pass(clock: ManualClock, seconds: float) -> None:
    """Waits until a server waits for just so many seconds, and lets them pass."""
    until(lambda: seconds in clock.alarms)
    clock.advance(seconds)


def a_client(url: str) -> httpx.Client:
    """It asks on a new connection each time: a server closes one after five idle seconds, and a
    request that is sent at that moment is lost.
    """
    each_time = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(base_url=url, timeout=PATIENCE, limits=each_time, trust_env=False)


class Served:
    """A running server, seen from outside."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.host = f"127.0.0.1:{port}"
        self.url = f"http://{self.host}"
        self.http = a_client(self.url)

    def close(self) -> None:
        self.http.close()

    def ask(self, method: str, path: str, token: str | None = None, **how: Any) -> httpx.Response:
        """A request, with this token."""
        headers = {**how.pop("headers", {})}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        return self.http.request(method, path, headers=headers, **how)

    def make(self, seats: list[str], **more: Any) -> dict[str, Any]:
        """A new match: {id, seat, token}."""
        asked = {"game": "war_zone", "seats": seats, "name": "Ada", **more}
        answer = self.ask("POST", "/api/matches", json=asked)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def dial(self, id: str, **how: Any) -> contextlib.AbstractContextManager[ClientConnection]:
        """A socket at which nothing has been said yet; for `with`."""
        how = {"max_size": 2**24, "open_timeout": PATIENCE, "close_timeout": 2, **how}
        return connect(f"ws://{self.host}/api/matches/{id}/live", proxy=None, **how)

    def healthy(self) -> dict[str, Any]:
        """What /health says, whatever others do to the server."""
        answer = self.http.get("/health", timeout=PATIENCE)
        assert answer.status_code == 200
        return dict(answer.json())


@dataclass
class InThread(Served, InLoop):
    """A server in a thread of this process: its matches can be looked at."""

    port: int
    rooms: Rooms
    loop: asyncio.AbstractEventLoop
    said: list[str] = field(default_factory=list)
    state: Any = None  # of the app

    def __post_init__(self) -> None:
        super().__init__(self.port)

    def watched(self, id: str, seat: int | None, windows: int = 1) -> None:
        """Waits until so many windows look at a match from this seat (None: as spectators)."""
        until(lambda: self.at_rest(lambda: self.room(id).presence.looking(seat)) >= windows)

    def kept(self) -> int:
        """How many matches there are on disk."""
        found = self.rooms.store._one(sa.select(sa.func.count()).select_from(matches))
        return int(found[0]) if found else 0

    def room(self, id: str) -> Room:
        """A match in memory."""
        return self.rooms._live[id]

    def mark(self, id: str) -> tuple[Any, ...]:
        """All that an attack on a match must leave alone: memory and log."""
        session = self.room(id).session
        seats = tuple((x.kind, x.level, x.name, x.resigned) for x in session.seats)
        known = (session.match.digest(), session.length, seats, repr(session.proposal), session.end)
        return *known, tuple(self.rooms.store.entries(id))


_configure = sqlite._configure


def _configure_quickly(connection: Any, record: Any) -> None:
    """A commit is with the system, which outlives every test, and need not be on the disk."""
    _configure(connection, record)
    connection.execute("PRAGMA synchronous=OFF")


@contextlib.contextmanager
def in_thread(
    data: Path,
    *,
    compile: bool = False,
    clock: Clock = REAL,
    how: dict[str, Any] | None = None,
    **limits: Any,
) -> Iterator[InThread]:
    """Serves a folder as `battlebox` does, but with these limits, and by this clock. how: more for
    `serve`.
    """
    servers, loops, said, troubles = [], [], [], []
    ready = threading.Event()

    def create(*a: Any, **k: Any) -> Any:
        servers.append(make(*a, **{**k, "clock": clock}))
        return servers[0]

    def run() -> None:
        try:
            more = {"compile": compile, "database": database_of(data), **(how or {})}
            served.serve(port=0, data=data, browser=False, say=say, **more)
        except BaseException as e:
            troubles.append(e)
        finally:
            ready.set()

    def say(text: str) -> None:
        said.append(text)
        if text.startswith("battlebox is ready"):
            loops.append(asyncio.get_running_loop())
            ready.set()

    make, logger = served.server_of, logging.getLogger("battlebox")
    handlers = list(logger.handlers)
    with (
        mock.patch.object(served, "Limits", return_value=Limits(**limits)),
        mock.patch.object(served, "server_of", create),
        mock.patch.object(served, "gc"),
        mock.patch.object(sqlite, "_configure", _configure_quickly),
    ):
        thread = threading.Thread(target=run, name="server")
        thread.start()
        assert ready.wait(PATIENCE)
    logger.handlers[:] = handlers
    if troubles:
        raise troubles[0]
    port = servers[0].servers[0].sockets[0].getsockname()[1]
    server = InThread(port, servers[0].rooms, loops[0], said, servers[0].config.app.state)
    try:
        yield server
    finally:
        server.close()
        servers[0].should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()
        if troubles:
            raise troubles[0]


def act(server: InThread, room: Room, seat: int, action: int) -> None:
    """An action of a seat, whether a person or a bot plays there; returns when it has happened."""

    async def commit() -> None:
        session = room.session
        made = Act(question=session.question(seat), action=action)
        await room.commit(lambda: session.decide(made, seat, bot=True))

    server.do(commit())


def end_response_window(server: InThread, match: Match, *people: int) -> bool:
    """Lets the time pass for which all wait, if these seats need none of it. Whether all waited."""
    window = server.at_rest(
        lambda: None if {*people} & {*match.deciding} else match.response_window
    )
    clock = server.rooms.clock
    if window is None or not isinstance(clock, ManualClock):
        return False

    def counting() -> Countdown | None:
        (room,) = (x for x in server.rooms._live.values() if x.session.match is match)
        found = room.windows.countdown
        return found if found and found.runs else None

    clock.advance(until(lambda: server.at_rest(counting)).left)
    until(lambda: server.at_rest(lambda: match.response_window) != window)
    return True


def is_over(server: InThread, match: Match) -> bool:
    """Whether it is over for all to see: what a response window brings shows when it closes."""
    return bool(server.at_rest(lambda: match.over and not match.response_window))


class InProcess(Served):
    """A server in a process of its own: its memory and its work can be measured, and what it writes
    read.
    """

    TICK = 1 / os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 0.01  # of `processor`

    def __init__(self, process: subprocess.Popen[bytes], port: int, lines: list[str]) -> None:
        super().__init__(port)
        self.process, self.lines = process, lines

    @property
    def memory(self) -> int:
        """What it has of the machine's memory, in bytes."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def processor(self) -> float:
        """The processor time that it has used, in seconds."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) * self.TICK


@contextlib.contextmanager
def in_process(
    data: Path,
    *,
    before: str = "",
    port: int = 0,
    workers: int = 1,
    compile: bool = False,
    database: str | None = None,
    **limits: Any,
) -> Iterator[InProcess]:
    """Serves a folder in another process, or a database. `before`: Python that it runs first."""
    database = database_of(data) if database is None else database
    program = (
        "import logging\n"
        "from pathlib import Path\n"
        "import battlebox.server.serve as served\n"
        f"{before}\n"
        "Limits = served.Limits\n"
        f"served.Limits = lambda: Limits(**{limits!r})\n"
        f"served.serve(port={port}, data=Path({str(data)!r}), database={database!r}, "
        f"browser=False, workers={workers}, compile={compile})\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    lines: list[str] = []
    assert process.stdout

    def read() -> None:
        for line in process.stdout or ():
            lines.append(line.decode(errors="replace"))

    reader = threading.Thread(target=read, name="reader")
    reader.start()
    try:
        until(lambda: process.poll() is not None or any("is ready" in x for x in list(lines)))
        found = re.search(r"is ready: http://127\.0\.0\.1:(\d+)/", "".join(lines))
        assert found, "".join(lines)
        with contextlib.closing(InProcess(process, int(found[1]), lines)) as server:
            yield server
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(PATIENCE)
        reader.join(PATIENCE)
        process.stdout.close()


def plain(scene: dict[str, Any]) -> dict[str, Any]:
    """A scene that came from a server, as `Scene.to_dict` gives it."""
    found: dict[str, Any] = json.loads(json.dumps(Scene.from_dict(scene).to_dict()))
    return found


class Picture:
    """What a client knows of a scene, from frames that tell it whole or what has changed."""

    def __init__(self) -> None:
        self._seen = ("", -1)
        self._scene: dict[str, Any] = {}

    def whole(self, message: dict[str, Any]) -> dict[str, Any]:
        """A message with all the scenes in it whole and plain; not a frame of scenes: the same."""
        if message["type"] != "frame" or not {"scene", "changes"} & message.keys():
            return message
        zones = self._scene.get("zones", [])
        if message.get("since") is not None:
            assert (message["run"], message["since"]) == self._seen, "changes of what is not known"
            self._scene = changed(self._scene, message["changes"])
        else:
            self._scene = unpacked(message["scene"])
        self._seen = (message["run"], message["n"])
        for m in message.get("intermediate_views", []):
            zones = changed_zones(zones, m["zones"]) if "zones" in m else zones
            m["zones"] = plain({**m, "viewer": None, "to_act": None, "zones": zones})["zones"]
        return message | {"scene": plain(self._scene)}


class Seat:
    """Somebody at a socket who has said hello."""

    def __init__(
        self, server: Served, id: str, token: str | None, frames: str = "scene", **how: Any
    ) -> None:
        self._dialled = server.dial(id, **how)
        self.socket = self._dialled.__enter__()
        self.heard: list[str] = []  # the texts
        self._next: list[dict[str, Any]] = []
        self.room: dict[str, Any] = {}
        self.frame: dict[str, Any] = {}
        self._picture = Picture()
        self.send(type="hello", protocol=PROTOCOL, token=token, frames=frames)

    def __enter__(self) -> Seat:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._dialled.__exit__(None, None, None)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message. Errors: TimeoutError, ConnectionClosed."""
        if not self._next:
            text = self.socket.recv(timeout)
            assert isinstance(text, str)
            self.heard.append(text)
            found = json.loads(text)
            # programs get several
            several = found if isinstance(found, list) else [found]
            for x in several:  # whatever a test hears is what the protocol says
                server_message.validate_json(json.dumps(x))
            self._next = [self._picture.whole(x) for x in several]
        message: dict[str, Any] = self._next.pop(0)
        if message["type"] == "room":
            self.room = message
        elif message["type"] == "frame":
            self.frame = message
        return message

    def hear_until(self, *types: str) -> dict[str, Any]:
        """Hears on until a message of one of these types."""
        while (message := self.hear())["type"] not in types:
            pass
        return message

    def look(self) -> dict[str, Any]:
        """The picture they have; waits for the first."""
        while not self.frame:
            self.hear()
        return self.frame

    def want(self, type: str, id: str, **more: Any) -> dict[str, Any]:
        """Wants something: the answer to it."""
        self.send(type=type, id=id, **more)
        return self.answer(id)

    def act(self, id: str, action: int, question: str | None = None) -> dict[str, Any]:
        """Makes a choice of the picture, or of what is asked under another name: the answer."""
        asked = self.look()["question"] if question is None else question
        return self.want("act", id, question=asked, action=action)

    def answer(self, id: str) -> dict[str, Any]:
        """The answer to what was wanted under this id."""
        while (answer := self.hear()).get("id") != id or answer["type"] not in ("ack", "refused"):
            assert answer["type"] != "error", answer
        return answer

    def hear_the_rest(self) -> set[str]:
        """The types of all that the server has sent before it answers what is wanted now."""
        heard = set()
        self.send(type="cancel", id="now")
        while (message := self.hear()).get("id") != "now":
            heard.add(message["type"])
        return heard

    def invite(self, seat: int) -> str:
        """The token of an open seat, told to the host."""
        while not self.room:
            self.hear()
        return str(self.room["invitations"][str(seat)])


def take_seat(server: Served, id: str, invitation: str, name: str) -> str:
    """Takes the seat of an invitation; gives the seat's own token."""
    with Seat(server, id, invitation) as guest:
        answer = guest.want("take_seat", "sit", name=name)
        assert answer["type"] == "ack", answer
        return str(answer["token"])


def invitations(server: Served, made: dict[str, Any]) -> dict[int, str]:
    """The host's token, and the invitations to give away."""
    with Seat(server, made["id"], made["token"]) as host:
        host.hear_until("room")
        return {made["seat"]: made["token"]} | {
            int(p): x for p, x in host.room["invitations"].items()
        }
