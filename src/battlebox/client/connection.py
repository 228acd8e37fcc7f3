"""The connection to a server: what it says, checked; what is wanted of it, until it has answered.

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

from pydantic import ValidationError
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from ..core.errors import BattleboxError
from ..core.scene import Scene, unpacked
from ..core.table import sentence
from ..protocol import PROTOCOL
from ..protocol.deltas import changed
from ..protocol.http import ProblemBody
from ..protocol.messages import (
    Ack,
    ErrorMessage,
    EventInfo,
    Frame,
    Hello,
    HintAnswer,
    Problem,
    Refusal,
    RoomMessage,
)
from ..text.draw import Pen, draw
from .link import Link, OtherProtocol, clean

WAITS = (0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0)  # seconds before the socket is opened again
SILENCE = 12.0  # seconds after which a socket is dead: a server is heard every five or so
#: seconds for a server to answer who was cut off, the first few times: another one may be quicker
GREETING, QUICK_TRIES = 4.0, 3
LARGEST = 16_000_000  # bytes of a message
PASSING = ("too_fast", "too_many", "too_slow", "no_hello", "not_saved")  # all others are for good
OTHER_PROTOCOL = "other_protocol"
NONSENSE = "the server sent a message that makes no sense"
SERVICE_RESTART = 1012  # the server hangs up, and wants to be called again

log = logging.getLogger("battlebox.connection")
log.addHandler(logging.NullHandler())  # what matters is said on the screen


class Bell:
    """Tells a thread that waits that there is news."""

    def __init__(self) -> None:
        self.rung = threading.Event()

    def ring(self) -> None:
        """There is some."""
        self.rung.set()


# ---- what a server says -------------------------------------------------------------------------
@dataclass(frozen=True)
class Picture:
    """A frame: what is to be seen. The first `keep` things told before still hold."""

    run: str
    n: int
    keep: int
    told: Sequence[EventInfo]
    scene: Scene
    question: str = ""  # what is asked, as the server names it
    until: float | None = None  # all wait until then, by `time.monotonic`
    undo: bool = False  # the viewer's last decision can be taken back


@dataclass(frozen=True)
class Reply:
    """The server has done what had this id, or refused it, and says why."""

    id: str
    refused: str = ""
    code: str = ""
    token: str = ""  # of the seat that was taken
    text: str = ""  # of a hint


@dataclass(frozen=True)
class Lost:
    """The connection is lost."""

    why: str


@dataclass(frozen=True)
class Back:
    """The connection is back."""


@dataclass(frozen=True)
class Failed:
    """It is over: nothing more will come."""

    error: BattleboxError


News = RoomMessage | Picture | Reply | Lost | Back | Failed


class HangsUp(Exception):
    """This connection ends, and another one is to be opened. Says why."""


class Reader:
    """Reads what a server says. A frame that tells only what has changed needs the one before."""

    def __init__(self) -> None:
        self.run, self.n = "", -1  # of the last frame
        self._scene: dict[str, Any] = {}  # its scene, as plain data

    def read(self, text: str | bytes) -> News | None:
        """A message; None: of a kind that is not known here.

        Errors: BattleboxError if it makes no sense, or says an error that is for good; HangsUp.
        """
        try:
            data = clean(json.loads(text))
            match data["type"]:
                case "room":
                    return RoomMessage.model_validate(data)
                case "frame":
                    return self._frame(data)
                case "ack":
                    ack = Ack.model_validate(data)
                    return Reply(ack.id, token=ack.token or "")
                case "hint":
                    hint = HintAnswer.model_validate(data)
                    return Reply(hint.id, text=hint.text)
                case "refused":
                    refusal = Refusal.model_validate(data)
                    return Reply(refusal.id, refusal.error.message, refusal.error.code)
                case "error":
                    error = ErrorMessage.model_validate(data).error
                    if error.code == OTHER_PROTOCOL:
                        raise OtherProtocol(error.message)
                    passes = error.code in PASSING
                    raise HangsUp(error.message) if passes else BattleboxError(error.message)
                case _:
                    return None
        except ValidationError as e:
            raise BattleboxError(f"{NONSENSE}: {sentence(e)}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            said = repr(str(text)[:60])
            raise BattleboxError(f"{NONSENSE}: {said}") from None

    def _frame(self, data: dict[str, Any]) -> Picture:
        found = Frame.model_validate(data)
        if found.since is None:
            self._scene = unpacked(data["scene"])
        elif (found.run, found.since) == (self.run, self.n):
            self._scene = changed(self._scene, data["changes"])
        else:
            self.run, self.n = "", -1
            raise HangsUp("An update was lost.")
        self.run, self.n = found.run, found.n
        scene = Scene.from_dict(self._scene)
        _try(scene)
        until = time.monotonic() + found.countdown.left if found.countdown else None
        return Picture(
            run=found.run,
            n=found.n,
            keep=found.keep,
            told=found.told,
            scene=scene,
            question=found.question,
            until=until,
            undo=found.undo,
        )


def _try(scene: Scene) -> None:
    """Draws it once: facts that are not of their kind show now, and not halfway on the screen."""
    try:
        draw(scene, Pen(full=True))
    except Exception as e:
        raise BattleboxError(f"the server sent a scene that cannot be drawn: {e!r}") from None


# ---- the connection ----------------------------------------------------------------------------
class Connection:
    """A viewer's connection to a match; for `with`. Rings the bell whenever there is news."""

    def __init__(self, link: Link, bell: Bell | None = None) -> None:
        self.link, self.bell = link, bell or Bell()
        self._news = queue.SimpleQueue[News]()
        self._lock = threading.Lock()
        self._pending: dict[str, str] = {}  # messages by id, until they are answered
        self._socket: ClientConnection | None = None
        self._closing = threading.Event()
        self._reader = Reader()
        self._joined = False  # there has been a picture
        self._broken = False
        self._thread = threading.Thread(target=self._run, name="connection", daemon=True)

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

    def send(self, type: str, /, **fields: object) -> str:
        """Sends a command or a request, again after each reconnection until it is answered, always
        under the id that it returns. Whether it is still possible then, the server decides.
        """
        id = uuid.uuid4().hex
        with self._lock:
            self._pending[id] = json.dumps({"type": type, "id": id, **fields})
            if self._socket is not None:
                with contextlib.suppress(ConnectionClosed, OSError):  # else it is sent again
                    self._socket.send(self._pending[id])
        return id

    # ---- the thread ----
    def _run(self) -> None:
        tries = 0
        while not self._closing.is_set():
            before = self._reader.n
            patience = GREETING if self._broken and tries < QUICK_TRIES else SILENCE
            try:
                self._talk(patience)
                return  # we hang up
            except OtherProtocol as e:
                self._say(Failed(self._other_protocol(e)))
                return
            except BattleboxError as e:
                self._say(Failed(e))
                return
            except (HangsUp, OSError, WebSocketException) as e:
                if self._closing.is_set():
                    return
                why = e
            if not self._joined and not self._broken and not _is_restart(why):
                self._say(Failed(_not_joined(self.link, why)))
                return
            if not self._broken:
                self._broken = True
                self._say(Lost(str(why) if isinstance(why, HangsUp) else ""))
            tries = 0 if self._reader.n != before else tries + 1
            # not all at the same moment, when a server comes back
            self._closing.wait(WAITS[min(tries, len(WAITS) - 1)] * random.uniform(0.5, 1))

    def _other_protocol(self, said: OtherProtocol) -> BattleboxError:
        """Which protocol it is, and what to do; the server says that by HTTP, too."""
        try:
            self.link.check()
        except BattleboxError as e:
            return e
        return said

    def _talk(self, patience: float) -> None:
        """One socket, from its hello on until it breaks. patience: seconds for the first answer."""
        until = time.monotonic() + patience
        how: dict[str, Any] = {"max_size": LARGEST, "close_timeout": 1, "logger": log}
        with connect(self.link.socket, open_timeout=patience, **how) as socket:
            hello = Hello(
                type="hello",
                protocol=PROTOCOL,
                token=self.link.token,
                run=self._reader.run,
                since=self._reader.n,
            )
            socket.send(hello.model_dump_json())
            with self._lock:
                for message in self._pending.values():
                    socket.send(message)
                self._socket = socket
            try:
                while not self._closing.is_set():
                    text = socket.recv(max(0.0, until - time.monotonic()))
                    if (news := self._reader.read(text)) is not None:
                        self._hear(news)
                    until = time.monotonic() + SILENCE
            finally:
                with self._lock:
                    self._socket = None

    def _hear(self, news: News) -> None:
        if self._broken:
            self._broken = False
            self._say(Back())
        if isinstance(news, Reply):
            with self._lock:
                if self._pending.pop(news.id, None) is None:
                    return  # it was sent twice, and has been answered twice
        self._joined = self._joined or isinstance(news, Picture)
        self._say(news)

    def _say(self, news: News) -> None:
        self._news.put(news)
        self.bell.ring()


def _is_restart(why: Exception) -> bool:
    """Whether the server has only asked to be called again."""
    if isinstance(why, InvalidStatus):
        return _said(why).code == "not_saved"  # a node that its database does not answer
    return (
        isinstance(why, ConnectionClosed)
        and why.rcvd is not None
        and why.rcvd.code == SERVICE_RESTART
    )


def _said(refused: InvalidStatus) -> Problem:
    """Why a request did not become a socket."""
    try:
        found = ProblemBody.model_validate_json(refused.response.body or b"").error
        return Problem(code=found.code, message=clean(found.message))
    except ValidationError:  # a proxy's words, or none
        return Problem(code="", message=str(refused))


def _not_joined(link: Link, why: Exception) -> BattleboxError:
    if isinstance(why, HangsUp):
        return BattleboxError(str(why))
    said = str(why) or type(why).__name__
    if isinstance(why, InvalidStatus):
        said = _said(why).message
    return BattleboxError(f"{link.base} answers, but its match cannot be joined: {said}")
