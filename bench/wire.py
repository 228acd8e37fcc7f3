"""Scripted players on real WebSockets, as lean as they can be: the load must not load itself.

One driver plays against both servers: a WebSocket client of its own on asyncio, no library between.
What differs is small and stands here: the words of our protocol (docs/protocol.md), and those of
boardgame.io, which speaks socket.io over the same WebSocket. Players take a random one of their
legal actions as soon as they are shown the position that offers them.

The latency of a move ends when its player has been shown the position after it; with us they wait
for the `ack` as well, which comes when the move is on disk.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import random
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from http.client import HTTPConnection
from time import perf_counter
from typing import Any, Protocol

from pydantic_core import from_json

from battlebox.protocol import PROTOCOL

HOST = "127.0.0.1"
GAME = "war_zone"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
OFFER = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"  # as Chromium's


class Socket(asyncio.Protocol):
    """A WebSocket, the client's end: of fragments only what is needed. `packs`: it offers
    `permessage-deflate`, as browsers do, and reads what comes packed; what it says it never packs.
    """

    def __init__(
        self,
        path: str,
        port: int,
        heard: Callable[[bytes], None],
        lost: Callable[[], None],
        came: Callable[[int], None],
        packs: bool = False,
    ) -> None:
        self.path, self.port, self.heard, self.lost, self.came = path, port, heard, lost, came
        self.packs, self.unpack = packs, zlib.decompressobj(-15)
        self.open = asyncio.get_running_loop().create_future()
        self.buffer = bytearray()
        self.parts = b""
        self.why = ""  # the server hung up
        self.transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\n{OFFER if self.packs else ''}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError(f"{self.path}: closed before it was open"))
        self.lost()

    def data_received(self, data: bytes) -> None:
        self.came(len(data))
        self.buffer += data
        if not self.open.done():
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.open.set_exception(ConnectionError(head.decode(errors="replace")))
                return
            self.buffer = rest
            self.open.set_result(None)
        self.take_frames()

    def take_frames(self) -> None:
        """All whole frames in the buffer."""
        buffer, at = bytes(self.buffer), 0
        while len(buffer) >= at + 2:
            start, size = at + 2, buffer[at + 1]
            if size >= 126:
                start += 2 if size == 126 else 8
                size = int.from_bytes(buffer[at + 2 : start], "big")
            if len(buffer) < start + size:
                break
            first, payload = buffer[at], buffer[start : start + size]
            at = start + size
            op = first & 15
            if op == PING:
                self.send(payload, PONG)
            elif op == CLOSE:
                number = int.from_bytes(payload[:2], "big")
                self.why = f" ({number} {payload[2:].decode(errors='replace')})"
                self.transport.close()
            elif op <= TEXT:
                if first & 64:  # packed, in one frame
                    payload = self.unpack.decompress(payload + b"\0\0\xff\xff")
                self.parts += payload
                if first & 128:
                    whole, self.parts = self.parts, b""
                    self.heard(whole)
        del self.buffer[:at]

    def send(self, payload: bytes, op: int = TEXT) -> None:
        """One frame, whole. Clients must mask; the mask is 0, which leaves the text as it is."""
        n = len(payload)
        size = bytes([128 | n]) if n < 126 else bytes([254]) + n.to_bytes(2, "big")
        self.transport.write(bytes([128 | op]) + size + b"\0\0\0\0" + payload)


class Hall(Protocol):
    """Who listens to the players."""

    def came(self, size: int) -> None:
        """So many bytes have come from the server."""

    def moved(self, now: float, latency: float) -> None:
        """A move is done."""

    def ended(self, match: str) -> None:
        """One of the two has seen the end of this match."""

    def failed(self, why: Exception) -> None:
        """Something went wrong, and the figures would say nothing."""


class Player(ABC):
    """One seat on one socket. `go` lets them move; until then they only look."""

    invite = ""  # the token of the other seat, if the socket told it
    packs = False  # it offers to read what is packed

    def __init__(self, port: int, match: str, token: str, seat: int, hall: Hall) -> None:
        self.port, self.match, self.token, self.seat, self.hall = port, match, token, seat, hall
        self.going = False
        self.over = False  # they have seen the end
        self.sent = 0.0  # when their move went out, 0: none is out
        self.ready = asyncio.Event()  # they have seen the position
        self.here = False
        self.move: bytes | None = None  # what they are going to do
        self.rest = 0.0  # seconds they think, on average
        self.thinking: asyncio.TimerHandle | None = None  # until they move
        self.socket: Socket
        self.loop = asyncio.get_running_loop()

    async def join(self) -> None:
        """Comes, and sees the position."""
        await self.come()
        await self.ready.wait()

    async def come(self) -> None:
        """Opens the socket and says who it is."""
        heard = self.hear, self.lost, self.hall.came
        socket = Socket(self.path(), self.port, *heard, packs=self.packs)
        self.socket = socket
        await self.loop.create_connection(lambda: socket, HOST, self.port)
        await socket.open
        self.here = True
        self.greet()

    def leave(self) -> None:
        """Closes the socket."""
        self.here = self.going = False
        self.socket.transport.close()

    def lost(self) -> None:
        """The socket is gone."""
        if self.here:
            why = f"{self.match}: the server has hung up{self.socket.why}"
            self.hall.failed(ConnectionError(why))

    def hear(self, text: bytes) -> None:
        """A message has come."""
        try:
            self.heard(text)
        except Exception as e:
            self.hall.failed(e)

    def go(self, rest: float) -> None:
        """From now on they move, after so many seconds of thought on average."""
        self.going, self.rest = True, rest
        self.consider()

    def consider(self) -> None:
        """Moves, if they can and may."""
        if self.over and self.going:
            self.going = False
            self.hall.ended(self.match)
        if self.move is not None and self.going and not self.sent:
            if self.rest:
                pause = self.rest * random.uniform(0.5, 1.5)
                self.thinking = self.loop.call_later(pause, self.act, self.move)
                self.move = None
            else:
                self.act(self.move)

    def forget(self) -> None:
        """What they think of doing is of a picture that there is no more: of a seat that was taken
        at another node they may hear late.
        """
        if self.thinking:
            self.thinking.cancel()
            self.thinking = None

    def act(self, move: bytes) -> None:
        """Sends the move."""
        self.thinking = None
        if self.going:
            self.move = None
            self.sent = perf_counter()
            self.socket.send(move)

    def done(self) -> None:
        """Their move is done, and they know it."""
        now = perf_counter()
        self.hall.moved(now, now - self.sent)
        self.sent = 0.0

    @abstractmethod
    def path(self) -> str:
        """Where their socket is."""

    @abstractmethod
    def greet(self) -> None:
        """Says who it is."""

    @abstractmethod
    def heard(self, text: bytes) -> None:
        """What the server says."""


Made = tuple[str, tuple[str, ...]]  # the id of a match, the token of each seat


class Front(ABC):
    """How matches are made and joined on one kind of server."""

    name: str
    player: type[Player]

    @abstractmethod
    def create(self, port: int) -> Made:
        """A new match for two. Blocks."""


def post(port: int, path: str, body: Any) -> Any:
    """A request and its answer, both JSON."""
    http = HTTPConnection(HOST, port, timeout=60)
    try:
        http.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = http.getresponse()
        text = answer.read()
    finally:
        http.close()
    if answer.status >= 300:
        raise RuntimeError(f"{path}: {answer.status} {text[:500]!r}")
    return json.loads(text)


# ---- ours ---------------------------------------------------------------------------------------
class OurPlayer(Player):
    """Speaks docs/protocol.md. As programs do, it asks for data, not for scenes."""

    frames = "data"
    n = 0
    acked = True
    seated = False  # the open seat is theirs
    count = 0  # their moves
    framed = 0  # the frame in which their move was made

    def path(self) -> str:
        return f"/api/matches/{self.match}/live"

    def greet(self) -> None:
        hello = {"type": "hello", "protocol": PROTOCOL, "token": self.token, "frames": self.frames}
        self.socket.send(json.dumps(hello).encode())
        if self.seat and not self.seated:  # their seat was open: they take it
            self.acked = False
            sit = {"type": "take_seat", "id": "sit", "name": f"player {self.seat}"}
            self.socket.send(json.dumps(sit).encode())

    def heard(self, text: bytes) -> None:
        found = from_json(text)
        for message in found if isinstance(found, list) else [found]:
            self.take(message, text)

    def take(self, message: dict[str, Any], text: bytes) -> None:
        """One message."""
        kind = message["type"]
        if kind == "frame":
            self.picture(message["n"], message["question"], self.offered(message))
        elif kind == "ack" and message["token"]:  # the seat is theirs: they come as its owner
            self.token, self.seated, self.acked = message["token"], True, True
            self.leave()
            self.coming = self.loop.create_task(self.come())
        elif kind == "ack":
            self.acked = True
            self.settle()
        elif kind == "room":
            self.invite = self.invite or message["invitations"].get("1", "")
            self.over = message["end"] is not None
            self.settle()
        elif kind != "beat":
            raise RuntimeError(f"{self.match}, seat {self.seat}: {text[:500]!r}")

    def offered(self, frame: dict[str, Any]) -> list[int]:
        """The numbers of the actions that a frame offers."""
        actions: list[int] = frame["actions"]
        return actions

    def picture(self, n: int, question: str, actions: list[int]) -> None:
        """A new picture."""
        self.n = n
        if self.seated or not self.seat:
            self.ready.set()
        self.move = None
        self.forget()
        if actions:
            self.count += 1
            id, action = f"{self.match}-{self.seat}-{self.count}", random.choice(actions)
            self.move = b'{"type":"act","id":"%b","question":"%b","action":%d}' % (
                *(id.encode(), question.encode()),
                action,
            )
        self.settle()

    def act(self, move: bytes) -> None:
        self.acked, self.framed = False, self.n
        super().act(move)

    def settle(self) -> None:
        """Their move is done when it is acknowledged and shown."""
        if self.sent and self.acked and self.n > self.framed:
            self.done()
        self.consider()


class OurPerson(OurPlayer):
    """As a page plays: with scenes, and words for everything, packed."""

    frames = "scene"
    packs = True
    choices: Sequence[Any] = ()  # of the last scene: a frame says them anew where they differ

    def offered(self, frame: dict[str, Any]) -> list[int]:
        self.choices = (frame.get("scene") or frame["changes"]).get("choices", self.choices)
        return [action for _, _, action, *_ in self.choices]


class OurUnpacked(OurPerson):
    """The same for a client that does not want it packed."""

    packs = False


class Ours(Front):
    """battlebox."""

    name = "battlebox"

    def __init__(self, player: type[OurPlayer] = OurPlayer) -> None:
        self.player = player

    def create(self, port: int) -> Made:
        made = post(port, "/api/matches", {"game": GAME, "seats": ["you", "open"]})
        return made["id"], (made["token"],)


# ---- boardgame.io -------------------------------------------------------------------------------
class TheirPlayer(Player):
    """Speaks socket.io and boardgame.io's messages; knows which moves the game offers."""

    state_id = -1
    aimed = -1  # the state in which their move was made
    SPACE = f"/{GAME},".encode()

    def path(self) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def greet(self) -> None:
        pass  # the server speaks first

    def say(self, *what: Any) -> bytes:
        """An event of socket.io."""
        return b"42" + self.SPACE + json.dumps(what, separators=(",", ":")).encode()

    def heard(self, text: bytes) -> None:
        if text.startswith(b"42"):
            event = from_json(text[2 + len(self.SPACE) :])
            if event[0] == "update":
                self.position(event[2])
            elif event[0] == "sync":
                self.position(event[2]["state"])
        elif text.startswith(b"2"):
            self.socket.send(b"3")
        elif text.startswith(b"0"):
            self.socket.send(b"40" + self.SPACE)
        elif text.startswith(b"40"):
            self.socket.send(self.say("sync", self.match, str(self.seat), self.token, 2))
        else:
            raise RuntimeError(f"{self.match}, seat {self.seat}: {text[:500]!r}")

    def position(self, state: dict[str, Any]) -> None:
        """A new state."""
        id = state["_stateID"]
        if id <= self.state_id:
            return
        self.state_id = id
        self.ready.set()
        self.over = "gameover" in state["ctx"]
        moves = [] if self.over else their_moves(state, str(self.seat))
        if moves:
            name, *args = random.choice(moves)
            payload = {
                "type": name,
                "args": args,
                "playerID": str(self.seat),
                "credentials": self.token,
            }
            action = {"type": "MAKE_MOVE", "payload": payload}
            self.move = self.say("update", action, id, self.match, str(self.seat))
        else:
            self.move = None
        if self.sent and id > self.aimed:
            self.done()
        self.consider()

    def act(self, move: bytes) -> None:
        self.aimed = self.state_id
        super().act(move)


BLOCKED_BY = (10, 11, 12, 14, 10, 13, 12, 13, 11, 15)  # as in boardgameio/game.js


def their_moves(state: dict[str, Any], me: str) -> list[tuple[Any, ...]]:
    """The legal moves, each kind of card once, as our scenes offer them."""
    table, ctx = state["G"], state["ctx"]
    hand = set(table["players"][me]["hand"])
    if ctx["phase"] == "exchange":
        mine = [("keep",), *(("exchange", c) for c in hand)]
        return mine if ctx["currentPlayer"] == me else []
    stage = (ctx["activePlayers"] or {}).get(me)
    if stage == "attack":
        return [("hold",), *(("attack", c) for c in hand if c < 10)]
    if stage == "answer":
        blocking = BLOCKED_BY[table["attack"]]
        return [("hit",), *(("block", c) for c in hand if c == blocking)]
    return [("end",), *(("under", c) for c in hand)] if stage == "under" else []


class Theirs(Front):
    """boardgame.io."""

    name = "boardgame.io"
    player = TheirPlayer

    def create(self, port: int) -> Made:
        id = post(port, f"/games/{GAME}/create", {"numPlayers": 2})["matchID"]
        tokens = []
        for seat in "01":
            body = {"playerID": seat, "playerName": f"player {seat}"}
            tokens.append(post(port, f"/games/{GAME}/{id}/join", body)["playerCredentials"])
        return id, tuple(tokens)
