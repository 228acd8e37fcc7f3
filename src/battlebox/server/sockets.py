"""The socket of one viewer: reads what they want, sends what they may see."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections import Counter

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ..core.errors import BattleboxError, in_a_sentence
from ..protocol import PROTOCOL
from ..protocol.http import problem
from ..protocol.messages import (
    ID,
    Ack,
    BackgroundRequest,
    BadMessage,
    Cancel,
    CommandMessage,
    ErrorMessage,
    Problem,
    TakeSeat,
    read_client_message,
    read_hello,
    to_bytes,
)
from .address import asker
from .background import BackgroundRequests, refused
from .connections import Connection, Transport
from .limits import Bucket
from .room import Room
from .rooms import NotFound, Rooms
from .session import Refused
from .store import OutcomeUnknown, StoreError
from .versions import Elsewhere
from .views import ViewKey

TRANSPORT = "battlebox.transport"  # the extension by which protocols.WebSocket can be written to
POLICY = 1008
GOING_ON = 1012  # "service restart": the client opens the socket again
NO_SOCKET = problem("not_found", "There is no socket at this address.")
FULL = problem("too_many", "Too many windows are open at this server; try again later.")
AWAY = problem("not_saved", "The database does not answer here now; try again, or elsewhere.")
MANY = problem("too_many", "Too many windows are open from your address; close some of them.")
PATH = re.compile(rf"/api/matches/({ID})/live")
log = logging.getLogger("battlebox")


class HangUp(Exception):
    """The server ends the conversation. `code` and the message are the last it says."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Gone(Exception):
    """The client has hung up."""


class Sockets:
    """The sockets of all viewers: an ASGI app of its own, since every move passes through it."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.open = rooms, 0
        self._of = Counter[str]()  # by address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        found = PATH.fullmatch(scope["path"].removeprefix(scope.get("root_path", "")))
        limits, address = self.rooms.limits, asker(scope) or ""
        if found is None:
            await JSONResponse(NO_SOCKET, 404)(scope, receive, send)
        elif not self.rooms.store.answers:  # a proxy asks the next node, which it may answer
            await JSONResponse(AWAY, 503)(scope, receive, send)
        elif self.open >= limits.sockets:
            await JSONResponse(FULL, 503)(scope, receive, send)
        elif address and self._of[address] >= limits.sockets_per_address:
            await JSONResponse(MANY, 429)(scope, receive, send)
        else:
            self.open += 1
            self._of[address] += 1
            try:
                await send({"type": "websocket.accept"})
                await self._converse(found[1], receive, send, scope["extensions"][TRANSPORT])
            except (Gone, OSError, RuntimeError):  # RuntimeError: it was closed while we wrote
                pass
            except asyncio.CancelledError:  # the server ends, and the database keeps it waiting
                log.info("A socket was closed before it was answered.")
            finally:
                self.open -= 1
                self._of[address] -= 1
                if not self._of[address]:
                    del self._of[address]

    async def _converse(self, id: str, receive: Receive, send: Send, transport: Transport) -> None:
        connection: Connection | None = None
        room: Room | None = None
        try:
            room, connection = await _join(receive, self.rooms, id, transport)
            with BackgroundRequests(room, connection) as background:
                await _read(receive, self.rooms, room, connection, background)
        except Elsewhere:
            await send({"type": "websocket.close", "code": GOING_ON})
        except HangUp as e:
            with contextlib.suppress(TimeoutError):  # who does not read hears no reason
                async with asyncio.timeout(1):
                    text = to_bytes(ErrorMessage(error=Problem(code=e.code, message=str(e))))
                    await send({"type": "websocket.send", "text": text.decode()})
                    await send({"type": "websocket.close", "code": POLICY})
        finally:
            if room and connection:
                room.leave(connection)


async def _receive(receive: Receive, most: int) -> str:
    """The next message. Errors: HangUp, Gone."""
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Gone
    text = message.get("text")
    if not isinstance(text, str):
        raise HangUp("bad_message", "Messages are texts, not bytes.")
    if len(text) > most:
        raise HangUp("too_big", f"A message can have at most {most} characters.")
    return text


async def _join(
    receive: Receive, rooms: Rooms, id: str, transport: Transport
) -> tuple[Room, Connection]:
    """Hears who it is and what they have seen. Errors: HangUp, Elsewhere."""
    limits = rooms.limits
    try:
        async with rooms.clock.timeout(limits.hello):
            first = await _receive(receive, limits.message)
        hello = read_hello(first)
    except TimeoutError:
        raise HangUp("no_hello", "The first message, a hello, did not come in time.") from None
    except BadMessage as e:
        raise HangUp("bad_message", f"Not a hello: {e}") from None
    if hello.protocol != PROTOCOL:
        # a page from before there were versions knows that this code ends its tries
        code = "cannot_be_opened" if hello.protocol == 1 else "other_protocol"
        message = "This server has another version of battlebox: load the page again."
        raise HangUp(code, f"{message} A program has to speak protocol {PROTOCOL}.")
    try:
        room = await rooms.open(id)
        if transport.gone:  # to be shown there, and not there again, is work for all who look on
            raise Gone
        seat, invited = room.access(hello.token)
        key = ViewKey(seat, hello.frames, invited)
        return room, room.join(key, transport, hello.run, hello.since)
    except Refused as e:
        raise HangUp(e.code, str(e)) from None
    except StoreError as e:
        log.warning("%s", e)
        if not rooms.store.answers:  # another node's may
            raise Elsewhere from None
        raise HangUp(
            "not_saved", "This match cannot be read from the disk now: try again."
        ) from None
    except NotFound as e:
        raise HangUp("not_found", str(e)) from None
    except Elsewhere:
        raise
    except BattleboxError as e:
        raise HangUp("cannot_be_opened", in_a_sentence(e)) from None


async def _read(
    receive: Receive,
    rooms: Rooms,
    room: Room,
    connection: Connection,
    background: BackgroundRequests,
) -> None:
    limits = rooms.limits
    bucket = Bucket(limits.messages_per_second, limits.burst, rooms.clock)
    while True:
        text = await _receive(receive, limits.message)
        if not bucket.take():
            raise HangUp("too_fast", "Too many messages; wait a moment.")
        try:
            message = read_client_message(text)
        except BadMessage as e:
            raise HangUp("bad_message", str(e)) from None
        answer: bytes | None
        if isinstance(message, BackgroundRequest):
            answer = background.begin(message)
        elif isinstance(message, Cancel):
            answer = background.cancel(message.id)
        else:
            answer = await _answer(room, connection.view.key, message)
        if answer and not connection.answer(answer):
            raise HangUp("too_slow", "You send requests faster than you read the answers.")


async def _answer(room: Room, key: ViewKey, message: CommandMessage) -> bytes | None:
    """Does what a command asks for; the answer to it, if that is known."""
    token = None
    try:
        if isinstance(message, TakeSeat):
            if key.invited is None:
                raise Refused("not_allowed", "Only an invitation lets you take a seat.")
            token = await room.take_seat(key.invited, message, message.id)
        elif key.seat is None:
            raise Refused("not_allowed", "You are watching: only players can do this.")
        else:
            await room.submit(message, key.seat, message.id)
    except Refused as e:
        return refused(message.id, e.code, str(e))
    except OutcomeUnknown as e:  # the socket is closed, and the client repeats the command
        log.warning("%s", e)
        return None
    except StoreError as e:
        log.warning("%s", e)
        return refused(
            message.id, "not_saved", "This could not be saved, so it was not done: try again."
        )
    return to_bytes(Ack(id=message.id, token=token))
