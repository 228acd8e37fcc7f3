"""One side of a match on a server: commands on their way, and what comes back."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..core.errors import BattleboxError
from ..protocol.messages import RoomMessage
from .connection import Back, Connection, Failed, Lost, News, Picture, Reply
from .state import RemoteState

PATIENCE = 20.0  # seconds for the first picture
STILL = 1.0  # seconds of silence after which one looks around
LOST = "Connection lost: reconnecting."
RECONNECTED = "Reconnected."
LATER = "You are not connected: it will be sent as soon as you are."
NAMES = ("take_seat", "rename")  # who sends these says why they are refused


@dataclass(frozen=True)
class Sent:
    """A command that the server has not answered yet."""

    id: str
    type: str


class RemoteClient:
    """Sends one command at a time, and keeps the state up to date. say: shows a sentence."""

    def __init__(
        self, connection: Connection, state: RemoteState, say: Callable[[str], None]
    ) -> None:
        self.connection, self.state, self.say = connection, state, say
        self.link = connection.link
        self.sent: Sent | None = None
        self.reply = Reply("")  # to what was sent last

    def send(self, type: str, /, **fields: object) -> None:
        """Sends a command or a request; the answer comes later."""
        self.sent = Sent(self.connection.send(type, **fields), type)
        if self.state.lost:
            self.say(LATER)

    def ask(self, type: str, /, **fields: object) -> Reply:
        """Sends a command and waits for the answer."""
        self.send(type, **fields)
        self.until(lambda: self.sent is None)
        return self.reply

    def until(self, true: Callable[[], bool], seconds: float = math.inf) -> bool:
        """Takes in what comes until this is true, for so many seconds; whether it is."""
        end = time.monotonic() + seconds
        self.take_in()
        while not true() and (left := end - time.monotonic()) > 0:
            self.take_in(min(STILL, left))
        return true()

    def take_in(self, timeout: float = 0) -> bool:
        """All that has come; within so many seconds, if nothing has. Whether there was anything."""
        self.connection.bell.rung.clear()
        news = self.connection.next(timeout)
        if news is None:
            return False
        while news is not None:
            self._take(news)
            news = self.connection.next()
        return True

    def _take(self, news: News) -> None:
        match news:
            case RoomMessage():
                self.state.take_room(news)
            case Picture():
                self.state.take_picture(news)
            case Reply():
                self._hear(news)
            case Lost(why):
                self.state.lost = True
                self.say(f"{why} {LOST}".strip())
            case Back():
                self.state.lost = False
                self.say(RECONNECTED)
            case Failed(error):
                raise error

    def _hear(self, reply: Reply) -> None:
        """What was sent has been done, or refused."""
        if self.sent is None or reply.id != self.sent.id:
            return
        sent, self.sent, self.reply = self.sent, None, reply
        if reply.text:
            self.say(reply.text)
        if not reply.refused:
            return
        if sent.type == "act":
            self.state.refuse()
        if sent.type not in NAMES:
            self.say(reply.refused)


def arrive(connection: Connection) -> RemoteState:
    """Waits for the first look at the match. Errors: BattleboxError."""
    room: RoomMessage | None = None
    pictures: list[Picture] = []
    end = time.monotonic() + PATIENCE
    while room is None or not pictures:
        match connection.next(STILL):
            case RoomMessage() as room:
                pass
            case Picture() as picture:
                pictures.append(picture)
            case Failed(error):
                raise error
        if time.monotonic() > end:
            raise BattleboxError(f"{connection.link.base} does not show the match: try again later")
    state = RemoteState(room, pictures[0])
    for picture in pictures[1:]:
        state.take_picture(picture)
    return state
