"""The line to a server: what it says, checked; what is to be done, until it is known to be done.

A thread of its own keeps the socket open, and opens it again when it breaks.
"""

from __future__ import annotations

import contextlib
import json
import logging
import queue
import random
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from ..core.errors import BattleboxError
from ..core.scene import Scene
from ..core.table import sentence
from .draw import Pen, draw
from .link import Link, clean
from .screen import Wake

FIRST, LAST = 0.2, 10.0  # seconds before the line is opened again: at first, at most
SILENCE = 60.0  # seconds after which a line is dead: a server is heard every twenty or so
LARGEST = 16_000_000  # bytes of a message
AGAIN = (
    "too_fast",
    "too_many",
    "too_slow",
    "no_hello",
    "not_saved",
)  # errors that pass; all others are for good
GOING_ON = 1012  # the server hangs up, and wants to be called again

log = logging.getLogger("battlebox.online")
log.addHandler(logging.NullHandler())  # what matters is said on the screen


# ---- what a server says -------------------------------------------------------------------------
class _Said(BaseModel):
    """Part of a message. A newer server may say more."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class Seat(_Said):
    """Who sits there. kind: person, open, bot."""

    seat: int
    name: str
    kind: str
    level: str = ""
    here: bool = True
    resigned: bool = False
    replaced: bool = False


class Asked(_Said):
    """An offer that waits for answers. what: undo, draw, or an agreement of the game."""

    what: str
    by: int
    waiting: list[int]


class Answered(_Said):
    """What has come of an offer."""

    what: str
    by: int
    yes: bool


class End(_Said):
    """How it ended."""

    reason: str
    text: str
    returns: list[float | None]


class Fair(_Said):
    """The commitment to fair chance; none with a chosen deal."""

    promise: str = ""


class Table(_Said):
    """Who sits where, and what is going on around the match."""

    game: str = Field(pattern=r"^\w+$")
    title: str
    mode: str = ""
    options: str = ""
    you: int | None
    invited: int | None = None
    seats: list[Seat] = Field(min_length=1, max_length=20)
    offers: list[str] = []
    invites: dict[str, str] = {}
    asked: Asked | None = None
    answered: Answered | None = None
    preparing: bool = False
    fair: Fair = Fair()
    end: End | None = None
    rematch: str | None = None

    @model_validator(mode="after")
    def _only_seats_there_are(self) -> Self:
        seats = range(len(self.seats))
        named = [p for p in (self.you, self.invited) if p is not None]
        named += [self.asked.by, *self.asked.waiting] if self.asked else []
        if [x.seat for x in self.seats] != list(seats) or not all(p in seats for p in named):
            raise ValueError("seats are counted from 0")
        if self.end and len(self.end.returns) != len(seats):
            raise ValueError("every seat has its return")
        return self


class Told(_Said):
    """One thing that happened."""

    turn: int
    event: str = ""
    args: dict[str, Any] = {}
    text: str

    @property
    def what(self) -> tuple[object, ...]:
        """What it is, whatever the seats are called."""
        return self.turn, self.event, self.args


class _Hold(_Said):
    """So many seconds are left of those for which all wait."""

    left: float = Field(ge=0, le=86_400)


class _Frame(_Said):
    run: str
    n: int
    keep: int = Field(ge=0)
    told: list[Told]
    scene: dict[str, Any]
    hold: _Hold | None = None


@dataclass(frozen=True)
class Picture:
    """A frame: what is to be seen. The first `keep` things told before still hold."""

    run: str
    n: int
    keep: int
    told: Sequence[Told]
    scene: Scene
    until: float | None = None  # all wait until then, by `time.monotonic`


@dataclass(frozen=True)
class Answer:
    """The server has done what had this id, or refused it, and says why."""

    id: str
    refused: str = ""
    code: str = ""
    token: str = ""  # of the seat that was taken
    text: str = ""  # of a hint


@dataclass(frozen=True)
class Lost:
    """The line is broken."""

    why: str


@dataclass(frozen=True)
class Back:
    """The line is there again."""


@dataclass(frozen=True)
class Failed:
    """There is nothing more to come."""

    error: BattleboxError


News = Table | Picture | Answer | Lost | Back | Failed


class _Hangs(Exception):
    """The server has said why it hangs up, for now."""


def _read(text: str | bytes) -> News | None:
    """A message; None: of a kind that is not known here.

    Errors: BattleboxError if it makes no sense, or says an error that is for good; _Hangs.
    """
    try:
        data = clean(json.loads(text))
        match data["type"]:
            case "table":
                return Table.model_validate(data)
            case "frame":
                found = _Frame.model_validate(data)
                scene = Scene.from_dict(found.scene)
                _try(scene)
                until = time.monotonic() + found.hold.left if found.hold else None
                return Picture(found.run, found.n, found.keep, found.told, scene, until)
            case "ack":
                return Answer(str(data["id"]), token=str(data.get("token") or ""))
            case "hint":
                return Answer(str(data["id"]), text=str(data["text"]))
            case "refused":
                error = data["error"]
                return Answer(str(data["id"]), str(error["message"]), str(error["code"]))
            case "error":
                code, message = data["error"]["code"], str(data["error"]["message"])
                raise _Hangs(message) if code in AGAIN else BattleboxError(message)
            case _:
                return None
    except ValidationError as e:
        raise BattleboxError(f"the server said something odd: {sentence(e)}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BattleboxError(f"the server said something odd: {str(text)[:60]!r}") from None


def _try(scene: Scene) -> None:
    """Draws it once: facts that are not of their kind show now, and not halfway on the screen."""
    try:
        draw(scene, Pen(full=True))
    except Exception as e:
        raise BattleboxError(f"the server shows something that cannot be drawn: {e!r}") from None


# ---- the line -----------------------------------------------------------------------------------
class Online:
    """A viewer's line to a match; for `with`. Rings the wake whenever there is news."""

    def __init__(self, link: Link, wake: Wake) -> None:
        self.link, self.wake = link, wake
        self._news = queue.SimpleQueue[News]()
        self._lock = threading.Lock()
        self._pending: dict[str, str] = {}  # messages by action id, until they are answered
        self._socket: ClientConnection | None = None
        self._closing = threading.Event()
        self._seen = ("", -1)  # run and n of the last picture
        self._broken = False
        self._thread = threading.Thread(target=self._run, name="online", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        with self._lock:
            socket = self._socket
        if socket is not None:
            socket.close()
        self._thread.join(2)

    def next(self, timeout: float = 0) -> News | None:
        """What has come, in order; None: nothing new within so many seconds."""
        try:
            return self._news.get(timeout > 0, timeout or None)
        except queue.Empty:
            return None

    def do(self, type: str, **fields: object) -> str:
        """Sends what is to be done, as often as it takes, under one action id, which it returns."""
        id = uuid.uuid4().hex
        with self._lock:
            self._pending[id] = json.dumps({"type": type, "id": id, **fields})
            if self._socket is not None:
                with contextlib.suppress(ConnectionClosed, OSError):  # else it is sent again
                    self._socket.send(self._pending[id])
        return id

    # ---- the thread ----
    def _run(self) -> None:
        wait = FIRST
        while not self._closing.is_set():
            before = self._seen
            try:
                self._talk()
                return  # we hang up
            except BattleboxError as e:
                self._say(Failed(e))
                return
            except (_Hangs, OSError, WebSocketException) as e:
                if self._closing.is_set():
                    return
                why = e
            if self._seen == ("", -1) and not _is_going_on(why):
                self._say(Failed(_no_line(self.link, why)))
                return
            if not self._broken:
                self._broken = True
                self._say(Lost(str(why) if isinstance(why, _Hangs) else ""))
            wait = FIRST if self._seen != before else min(LAST, 2 * wait)
            # not all at the same moment, when a server comes back
            self._closing.wait(wait * random.uniform(0.5, 1))

    def _talk(self) -> None:
        """One socket, from its hello on until it breaks."""
        with connect(self.link.socket, max_size=LARGEST, close_timeout=1, logger=log) as socket:
            run, n = self._seen
            hello = {"type": "hello", "token": self.link.token, "run": run, "since": n}
            socket.send(json.dumps(hello))
            with self._lock:
                for message in self._pending.values():
                    socket.send(message)
                self._socket = socket
            try:
                while not self._closing.is_set():
                    if (news := _read(socket.recv(SILENCE))) is not None:
                        self._hear(news)
            finally:
                with self._lock:
                    self._socket = None

    def _hear(self, news: News) -> None:
        if self._broken:
            self._broken = False
            self._say(Back())
        if isinstance(news, Picture):
            self._seen = (news.run, news.n)
        elif isinstance(news, Answer):
            with self._lock:
                if self._pending.pop(news.id, None) is None:
                    return  # it was sent twice, and has been answered twice
        self._say(news)

    def _say(self, news: News) -> None:
        self._news.put(news)
        self.wake.ring()


def _is_going_on(why: Exception) -> bool:
    """Whether the server has only asked to be called again."""
    return isinstance(why, ConnectionClosed) and why.rcvd is not None and why.rcvd.code == GOING_ON


def _no_line(link: Link, why: Exception) -> BattleboxError:
    if isinstance(why, _Hangs):
        return BattleboxError(str(why))
    said = str(why) or type(why).__name__
    return BattleboxError(f"{link.base} is there, but a match there cannot be joined: {said}")
