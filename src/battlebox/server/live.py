"""The socket of one viewer: reads what he wants, sends what he may see."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..core.errors import BattleboxError
from . import wire
from .limits import Bucket
from .meeting import Body, Refused
from .store import StoreError
from .tables import Link, Table, Tables

GOING_ON = 1012  # "service restart": the client opens the socket again
POLICY = 1008


class HangUp(Exception):
    """The server ends the conversation. `code` and the message are the last it says."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


async def converse(socket: WebSocket, tables: Tables, id: str) -> None:
    """One socket from its beginning to its end."""
    await socket.accept()
    try:
        table, link = await _sit_down(socket, tables, id)
    except HangUp as e:
        await _say_goodbye(socket, e)
        return
    except (WebSocketDisconnect, RuntimeError):
        return
    writer = asyncio.create_task(_write(socket, link))
    try:
        await _read(socket, tables, table, link)
    except HangUp as e:
        writer.cancel()
        await _say_goodbye(socket, e)
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        writer.cancel()
        table.leave(link)


async def _say_goodbye(socket: WebSocket, e: HangUp) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(wire.broken(e.code, str(e)).decode())
        await socket.close(POLICY)


async def _receive(socket: WebSocket, most: int) -> str:
    """The next message. Errors: HangUp, WebSocketDisconnect."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise HangUp("bad_message", "Messages are texts, not bytes.")
    if len(text) > most:
        raise HangUp("too_big", f"A message has at most {most} characters.")
    return text


async def _sit_down(socket: WebSocket, tables: Tables, id: str) -> tuple[Table, Link]:
    """Hears who it is and what he has seen."""
    limits = tables.limits
    try:
        first = await asyncio.wait_for(_receive(socket, limits.message), limits.hello)
        hello = wire.read_hello(first)
    except TimeoutError:
        raise HangUp("no_hello", "The first message, a hello, did not come in time.") from None
    except wire.BadMessage as e:
        raise HangUp("bad_message", f"Not a hello: {e}") from None
    try:
        table = await tables.open(id)
        seat = None
        if hello.token is not None:
            seat = tables.seat_of(id, hello.token, len(table.meeting.seats))
            if seat is None:
                raise HangUp("bad_token", "This link is not that of a seat of this match.")
        return table, table.join(seat, hello.run, hello.since)
    except Refused as e:
        raise HangUp(e.code, str(e)) from None
    except StoreError as e:
        tables.trouble(str(e))
        raise HangUp("not_saved", "The log of this match cannot be read now.") from None
    except BattleboxError as e:
        raise HangUp("not_found", str(e)) from None


async def _write(socket: WebSocket, link: Link) -> None:
    """Sends whatever there is to send, whenever there is something."""
    try:
        while True:
            await link.wake.wait()
            link.wake.clear()
            for message in link.messages():
                await socket.send_text(message.decode())
            if link.closed:
                await socket.close(GOING_ON if link.closed == "again" else POLICY)
                return
    except (WebSocketDisconnect, RuntimeError):
        return  # the reader hears of it too


async def _read(socket: WebSocket, tables: Tables, table: Table, link: Link) -> None:
    limits = tables.limits
    bucket = Bucket(limits.messages_per_second, limits.burst)
    while True:
        text = await _receive(socket, limits.message)
        if not bucket.take():
            raise HangUp("too_fast", "That were too many messages in a short time.")
        try:
            message = wire.read_message(text)
        except wire.BadMessage as e:
            raise HangUp("bad_message", str(e)) from None
        link.answer(await _answer(tables, table, link, message))


async def _answer(tables: Tables, table: Table, link: Link, message: wire.Message) -> bytes:
    """Does what a message asks for."""
    seat = link.viewer.seat
    if seat is None:
        return wire.refused(message.id, "not_allowed", "You are watching: only players act.")
    try:
        await table.act(f"{seat}:{message.id}", _wanted(table, link, seat, message))
    except Refused as e:
        return wire.refused(message.id, e.code, str(e))
    except StoreError as e:
        tables.trouble(str(e))
        return wire.refused(message.id, "not_saved", "It could not be saved, so it was not done.")
    return wire.acknowledged(message.id)


def _wanted(table: Table, link: Link, seat: int, message: wire.Message) -> Callable[[], Body]:
    """Finds the body of the entry, at the moment when it is its turn to be written."""
    meeting, viewer = table.meeting, link.viewer

    def do() -> Body:
        assert isinstance(message, wire.Do)
        seen = viewer.asked_at <= message.n <= viewer.n and message.run in ("", viewer.run)
        if not seen:
            raise Refused("stale", "The match has moved on: look again before you choose.")
        return meeting.do(seat, message.action)

    match message:
        case wire.Do():
            return do
        case wire.Rename():
            return lambda: meeting.name(seat, message.name)
        case wire.Fill():
            return lambda: meeting.fill(seat, message.seat, message.level)
        case wire.Answer():
            return lambda: meeting.answer(seat, message.what, message.yes)
        case wire.Ask(type="undo"):
            return lambda: meeting.undo(seat)
        case wire.Ask(type="draw"):
            return lambda: meeting.draw(seat)
        case wire.Ask():
            return lambda: meeting.resign(seat)
