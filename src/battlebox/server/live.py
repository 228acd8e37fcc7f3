"""The socket of one viewer: reads what he wants, sends what he may see."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
from collections.abc import Callable

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from ..core.errors import BattleboxError
from . import wire
from .errands import Errands
from .limits import ID, Bucket
from .meeting import PERSON, Body, Refused
from .store import StoreError
from .tables import SEAT, NotFound, Table, Tables
from .viewers import Line, Link
from .wire import problem

LINE = "battlebox.line"  # the extension by which doors.Socket lets itself be written to
POLICY = 1008
NO_SOCKET = problem("not_found", "There is no socket at this address.")
FULL = problem("too_many", "Too many windows are open at this server; try again later.")
PATH = re.compile(rf"/api/matches/({ID})/live")


class HangUp(Exception):
    """The server ends the conversation. `code` and the message are the last it says."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Gone(Exception):
    """The client has hung up."""


class Sockets:
    """The sockets of all viewers: an ASGI app of its own, since every move passes through it."""

    def __init__(self, tables: Tables) -> None:
        self.tables, self.open = tables, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()  # websocket.connect
        found = PATH.fullmatch(scope["path"].removeprefix(scope.get("root_path", "")))
        if found is None or self.open >= self.tables.limits.sockets:
            status, wrong = (503, FULL) if found else (404, NO_SOCKET)
            await JSONResponse(wrong, status)(scope, receive, send)
            return
        self.open += 1
        try:
            await send({"type": "websocket.accept"})
            await self._converse(found[1], receive, send, scope["extensions"][LINE])
        except (Gone, OSError, RuntimeError):  # RuntimeError: it was closed while we wrote
            pass
        finally:
            self.open -= 1

    async def _converse(self, id: str, receive: Receive, send: Send, line: Line) -> None:
        link: Link | None = None
        table: Table | None = None
        try:
            table, link = await _sit_down(receive, self.tables, id, line)
            with Errands(table, link) as errands:
                await _read(receive, self.tables, table, link, errands)
        except HangUp as e:
            with contextlib.suppress(TimeoutError):  # whoever does not read hears no reason
                async with asyncio.timeout(1):
                    text = wire.broken(e.code, str(e)).decode()
                    await send({"type": "websocket.send", "text": text})
                    await send({"type": "websocket.close", "code": POLICY})
        finally:
            if table and link:
                table.leave(link)


async def _receive(receive: Receive, most: int) -> str:
    """The next message. Errors: HangUp, Gone."""
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Gone
    text = message.get("text")
    if not isinstance(text, str):
        raise HangUp("bad_message", "Messages are texts, not bytes.")
    if len(text) > most:
        raise HangUp("too_big", f"A message has at most {most} characters.")
    return text


async def _sit_down(receive: Receive, tables: Tables, id: str, line: Line) -> tuple[Table, Link]:
    """Hears who it is and what he has seen."""
    limits = tables.limits
    try:
        async with tables.clock.timeout(limits.hello):
            first = await _receive(receive, limits.message)
        hello = wire.read_hello(first)
    except TimeoutError:
        raise HangUp("no_hello", "The first message, a hello, did not come in time.") from None
    except wire.BadMessage as e:
        raise HangUp("bad_message", f"Not a hello: {e}") from None
    try:
        table = await tables.open(id)
        shown = table.place_of(hello.token, hello.frames)
        return table, table.join(shown, line, hello.run, hello.since)
    except Refused as e:
        raise HangUp(e.code, str(e)) from None
    except StoreError as e:
        tables.trouble(str(e))
        raise HangUp("not_saved", "The log of this match cannot be read now.") from None
    except NotFound as e:
        raise HangUp("not_found", str(e)) from None
    except BattleboxError as e:
        raise HangUp("cannot_be_opened", f"{str(e)[:1].upper()}{str(e)[1:]}.") from None


async def _read(
    receive: Receive, tables: Tables, table: Table, link: Link, errands: Errands
) -> None:
    limits = tables.limits
    bucket = Bucket(limits.messages_per_second, limits.burst, tables.clock)
    while True:
        text = await _receive(receive, limits.message)
        if not bucket.take():
            raise HangUp("too_fast", "That were too many messages in a short time.")
        try:
            message = wire.read_message(text)
        except wire.BadMessage as e:
            raise HangUp("bad_message", str(e)) from None
        answer: bytes | None
        if isinstance(message, wire.Errand):
            answer = errands.begin(message)
        elif isinstance(message, wire.Stop):
            answer = errands.stop(message.id)
        else:
            answer = await _answer(tables, table, link, message)
        if answer and not link.answer(answer):
            raise HangUp("too_slow", "Answers are not read as fast as they are asked for.")


async def _answer(tables: Tables, table: Table, link: Link, message: wire.Action) -> bytes:
    """Does what a message asks for."""
    shown, more = link.viewer.shown, dict[str, str]()
    seat, wish = shown.seat, wire.wish(message)
    if seat is None and shown.invited is not None and isinstance(message, wire.Rename):
        seat = shown.invited
        if message.key is None:  # nobody can show that it was he who took it
            wish = secrets.token_hex()
        here, action = table.meeting.seats[seat], f"{seat}:{message.id}"
        if here.kind == PERSON and table.done.get(action) != wish:
            return wire.refused(message.id, "taken", "Somebody has taken this seat already.")
        more = {"token": tables.token(table.setup.id, seat, SEAT)}
    if seat is None:
        return wire.refused(message.id, "not_allowed", "You are watching: only players act.")
    try:
        await table.act(f"{seat}:{message.id}", _wanted(table, link, seat, message), wish)
    except Refused as e:
        return wire.refused(message.id, e.code, str(e))
    except StoreError as e:
        tables.trouble(str(e))
        return wire.refused(message.id, "not_saved", "It could not be saved, so it was not done.")
    return wire.acknowledged(message.id, **more)


def _wanted(table: Table, link: Link, seat: int, message: wire.Action) -> Callable[[], Body]:
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
            taking = viewer.seat is None
            return lambda: meeting.name(seat, message.name, taking=taking)
        case wire.Fill():
            return lambda: meeting.fill(seat, message.seat, message.level)
        case wire.Answer():
            return lambda: meeting.answer(seat, message.what, message.yes)
        case wire.Ask(type="undo"):
            return lambda: meeting.undo(seat)
        case wire.Offer():
            return lambda: meeting.offer(seat, message.what)
        case wire.Ask():
            return lambda: meeting.resign(seat)
