"""What each socket still has to be sent, and when it goes out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Protocol

from .views import View

#: what is packed for people begins so: no message that may hold a token, beside which others could
#: choose what stands; for programs nothing is, as they make many moves, and are mostly near
PACKED = b'{"type":"frame",'
BACKLOG = 100  # answers a socket may leave unread
log = logging.getLogger("battlebox")


class Transport(Protocol):
    """How a socket is written to."""

    drained: Callable[[], object] | None  # called when it is no longer full

    @property
    def gone(self) -> bool: ...  # the client is no longer there
    @property
    def full(self) -> bool: ...  # the client reads more slowly than it is written to
    def push(self, text: bytes, packed: bool) -> None: ...  # sends a text; packed, if they can
    def hang_up(self) -> None: ...  # closes it, for the client to come back


class Outbox:
    """Delivers to all connections of a match that have got something, once in a turn of the loop;
    while it is held back, later.
    """

    def __init__(self) -> None:
        self._waiting: dict[Connection, None] = {}  # in the order in which they got it
        self._holds, self._free = 0, asyncio.Event()

    def collect(self, connection: Connection) -> None:
        """There is something for this connection."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._waiting[connection] = None

    @contextlib.contextmanager
    def held_back(self) -> Iterator[None]:
        """Nobody gets anything meanwhile."""
        self._holds += 1
        self._free.clear()
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._free.set()
                self._deliver()

    @property
    def is_held_back(self) -> bool:
        """Whether nobody gets anything now."""
        return self._holds > 0

    async def free(self) -> None:
        """Returns when nothing is held back."""
        while self._holds:
            await self._free.wait()

    def _deliver(self) -> None:
        if self._holds:
            return
        waiting, self._waiting = self._waiting, {}
        for connection in waiting:
            try:
                connection.flush()
            except Exception:  # the others are not to wait for it
                log.exception("a socket could not be written to")
                connection.transport.hang_up()


class Connection:
    """One socket of a view: never more waits for it than the newest picture and answers."""

    def __init__(
        self, view: View, transport: Transport, outbox: Outbox, run: str, since: int
    ) -> None:
        self.view, self.transport, self.outbox = view, transport, outbox
        known = run == view.run and 0 <= since <= view.n
        self.n = since if known else -1
        self.room = b""
        self.answers: list[bytes] = []
        transport.drained = self.wake

    def leave(self) -> None:
        """The socket is gone."""
        self.view.connections.discard(self)
        self.transport.drained = None

    def wake(self) -> None:
        """There may be something new to see."""
        self.outbox.collect(self)

    def answer(self, message: bytes) -> bool:
        """Adds an answer; False: too many are unread."""
        self.answers.append(message)
        self.wake()
        return len(self.answers) <= BACKLOG

    def flush(self) -> None:
        """Sends what there is; to a slow reader later, and then only the newest."""
        if not self.transport.full:
            for text in self.texts():
                self.transport.push(text, text.startswith(PACKED) and not self.view.in_arrays)

    def texts(self) -> list[bytes]:
        """What is to be sent now, in order."""
        v, out = self.view, []
        if self.room is not v.room:
            self.room = v.room
            out.append(v.room)
        if self.n < v.n:
            out.append(v.since(self.n))
            self.n = v.n
        out += self.answers
        self.answers.clear()
        return [b"[%s]" % b",".join(out)] if v.in_arrays and len(out) > 1 else out
