"""What leaves the memory of a server is gone: nothing keeps it, and finding it takes no search."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from socket import SHUT_RDWR
from typing import Any
from unittest import mock

import pytest
from serving import ROOMY, InThread, Seat, in_a_loop, in_thread, until
from websockets.exceptions import ConnectionClosed

import battlebox as bb
from battlebox.server.clock import ManualClock
from battlebox.server.limits import Limits
from battlebox.server.protocols import Http, WebSocket
from battlebox.server.room import Room
from battlebox.server.rooms import BUSY, Rooms
from battlebox.server.store import StoreError
from battlebox.server.store.sqlite import SqliteStore
from battlebox.server.views import View

IDLE = 900.0
PROXY = {"trusted_proxy": "127.0.0.1"}  # through which we come as strangers


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InThread]:
    clock = ManualClock()
    with in_thread(
        tmp_path, clock=clock, how=PROXY, idle=IDLE, matches_per_minute=10_000, **ROOMY
    ) as it:
        yield it


def clock_of(server: InThread) -> ManualClock:
    assert isinstance(server.rooms.clock, ManualClock)
    return server.rooms.clock


def parts(room: Room) -> list[weakref.ref[Any]]:
    """What is not to stay of a match: its room, its sessions, its matches."""
    sessions = {room.session, room.seen_by(None)}
    return [weakref.ref(x) for x in (room, *sessions, *(x.match for x in sessions))]


def visit(server: InThread, game: str, delay: int) -> list[weakref.ref[Any]]:
    """Makes a match, looks at it from a seat and as a spectator, and leaves it."""
    seats = ["you", *["open"] * (bb.load(game).players - 1)]
    made = server.make(seats, game=game, delay=delay)
    with Seat(server, made["id"], made["token"]) as ada, Seat(server, made["id"], None) as other:
        other.look()
        assert ada.want("rename", "1", name="Bea")["type"] == "ack"
    assert server.ask("GET", f"/api/matches/{made['id']}").status_code == 200
    return server.at_rest(lambda: parts(server.room(made["id"])))  # type: ignore[no-any-return]


def test_nothing_stays_of_matches_that_have_left_the_memory(server: InThread) -> None:
    with without_collector():
        left = [x for g in bb.games() for k in range(4) for x in visit(server, g, delay=k * 60)]
        assert server.at_rest(lambda: [len(x) for x in server.rooms._made.values()]) == [20]
        # some are in the midst of a response window, which has to end before they are left
        until(lambda: clock_of(server).advance(IDLE) or server.rooms.live == 0)
        server.make(["you", "open"])  # the last request has forgotten what it was about
        until(lambda: not any(x() for x in left))
        assert server.at_rest(lambda: [len(x) for x in server.rooms._made.values()]) == [1]


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """What is gone meanwhile is gone by itself: the third round of the collector, which finds
    circles of old things, is rare at a server.
    """
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextlib.contextmanager
def parts_of_connections() -> Iterator[list[weakref.ref[Any]]]:
    """What the server has of each connection that is made meanwhile."""
    parts, made = list[weakref.ref[Any]](), {x: x.connection_made for x in (Http, WebSocket)}

    def http(self: Any, transport: Any) -> None:
        made[Http](self, transport)
        parts.append(weakref.ref(self))

    def socket(self: Any, transport: Any) -> None:
        made[WebSocket](self, transport)
        parts.extend([weakref.ref(self), weakref.ref(self.conn)])

    with (
        mock.patch.object(Http, "connection_made", http),
        mock.patch.object(WebSocket, "connection_made", socket),
    ):
        yield parts


def leave(server: InThread, seat: Seat) -> None:
    """They close their window."""


def vanish(server: InThread, seat: Seat) -> None:
    """Their line is cut."""
    seat.socket.socket.shutdown(SHUT_RDWR)


def be_sent_away(server: InThread, seat: Seat) -> None:
    """The server ends the conversation."""
    server.at_rest(lambda: [room.hang_up() for room in server.rooms._live.values()])
    hear_out(seat)


def talk_nonsense(server: InThread, seat: Seat) -> None:
    """The server ends it for what they say."""
    seat.socket.send("?")
    hear_out(seat)


def hear_out(seat: Seat) -> None:
    """Hears all until the conversation has ended."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            seat.hear()


@pytest.mark.parametrize("end", [leave, vanish, be_sent_away, talk_nonsense])
def test_nothing_stays_of_sockets_that_have_ended(server: InThread, end: Any) -> None:
    """Each has 72 kB, with which it packs."""
    made = server.make(["you", "random"])
    with without_collector(), parts_of_connections() as parts:
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            parts.extend(server.at_rest(lambda: packing(server.room(made["id"]))))
            assert len(parts) == 4, "one of HTTP, two of the WebSocket, one that packs"
            end(server, ada)
        until(lambda: not any(x() for x in parts))


def packing(room: Room) -> list[weakref.ref[Any]]:
    """What packs for the sockets of a match."""
    transports: list[Any] = [c.transport for x in room.views.values() for c in x.connections]
    return [weakref.ref(x) for transport in transports for x in transport.conn.extensions]


def test_alarms_of_what_has_left_the_memory_are_called_off(server: InThread) -> None:
    clock = clock_of(server)
    before = clock.alarms
    made = server.make(["you", "open"], delay=3600)
    with Seat(server, made["id"], made["token"]) as ada:
        assert ada.want("rename", "1", name="Bea")["type"] == "ack"
    until(lambda: 3600.0 in clock.alarms)
    server.at_rest(lambda: server.rooms.drop(server.room(made["id"])))
    until(lambda: clock.alarms == before)


def test_what_was_used_least_lately_leaves_first_and_what_is_busy_stays(tmp_path: Path) -> None:
    with in_thread(tmp_path, live_matches=3, clock=ManualClock(), **ROOMY) as server:
        a, b, c = (server.make(["you", "open"])["id"] for _ in range(3))
        server.ask("GET", f"/api/matches/{a}")  # used again
        with Seat(server, b, None) as looking:
            looking.look()
            server.ask("GET", f"/api/matches/{a}")
            server.ask("GET", f"/api/matches/{c}")
            assert list(server.rooms._live) == [b, a, c]
            d = server.make(["you", "open"])["id"]
            assert list(server.rooms._live) == [c, d, b]
        until(lambda: not server.at_rest(lambda: server.room(b).is_busy))


def test_a_sweep_looks_at_no_more_than_it_lets_go_and_a_few(tmp_path: Path) -> None:
    with in_thread(tmp_path, live_matches=3 * BUSY, clock=ManualClock(), **ROOMY) as server:
        for _ in range(3 * BUSY):
            server.make(["you", "open"])
        asked = list[Room]()

        def is_busy(self: Room) -> bool:
            asked.append(self)
            return True

        with mock.patch.object(Room, "is_busy", property(is_busy)):
            server.make(["you", "open"])
            assert len(asked) == BUSY
            server.make(["you", "open"])
            assert len(set(asked)) == 2 * BUSY  # others
        server.make(["you", "open"])
        assert server.rooms.live == 3 * BUSY


def test_a_load_that_fails_for_nobody_leaves_no_error(tmp_path: Path) -> None:
    """Who waited for it has gone meanwhile, and the collector is to find nothing."""
    wrong = list[dict[str, Any]]()

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, what: wrong.append(what))
        goes_on = threading.Event()

        def fail(_id: str) -> None:
            goes_on.wait()
            raise StoreError("the disk is on fire")

        with contextlib.closing(SqliteStore(tmp_path)) as store:
            rooms = Rooms(store, Limits())
            with mock.patch.object(store, "setup", fail):
                waiting = asyncio.create_task(rooms.open("a" * 12))
                while not rooms._loading:
                    await asyncio.sleep(0)
                waiting.cancel()
                goes_on.set()
                while rooms._loading:
                    await asyncio.sleep(0.01)
            rooms.close()
        gc.collect()

    in_a_loop(main())
    assert wrong == []


# ---- a server that has just started --------------------------------------------------------------
def test_of_many_matches_two_are_read_at_a_time(tmp_path: Path) -> None:
    """People wait at each of them: the first are to be there long before the last."""
    begun = inside = most = 0

    async def read_all(rooms: Rooms, ids: list[str]) -> None:
        of, two = rooms.slices.of, asyncio.Event()

        async def noted(steps: Any, *, urgent: bool) -> Any:
            nonlocal begun, inside, most
            begun, inside = begun + 1, inside + 1
            most = max(most, inside)
            if inside == 2:
                two.set()
            await two.wait()
            while begun == 2 and len(rooms._reading._waiters or ()) < len(ids) - 2:
                await asyncio.sleep(0)  # till all others are there, too
            async for x in of(steps, urgent=urgent):
                yield x
            inside -= 1

        with mock.patch.object(rooms.slices, "of", noted):
            await asyncio.gather(*map(rooms.open, ids))

    with in_thread(tmp_path, **ROOMY) as server:
        ids = [server.make(["you", "open"])["id"] for _ in range(6)]
    with in_thread(tmp_path, **ROOMY) as server:
        server.do(read_all(server.rooms, ids))
    assert (begun, most) == (6, 2)


def test_who_has_gone_before_the_match_was_read_is_not_shown_as_here(tmp_path: Path) -> None:
    """To come and go is work for all who look on, at all nodes."""
    opening, goes_on = list[str](), threading.Event()
    joined, lost, join, lose = list[str](), list[int](), Room.join, WebSocket.connection_lost

    def noted(room: Room, *how: Any) -> Any:
        joined.append(room.setup.id)
        return join(room, *how)

    def noticed(socket: WebSocket, why: Exception | None) -> None:
        lose(socket, why)
        lost.append(1)

    with (
        mock.patch.object(Room, "join", noted),
        mock.patch.object(WebSocket, "connection_lost", noticed),
        in_thread(tmp_path, **ROOMY) as server,
    ):
        made, open_ = server.make(["you", "open"]), server.rooms.open

        async def slow(id: str) -> Room:
            opening.append(id)
            await asyncio.to_thread(goes_on.wait)
            return await open_(id)

        with mock.patch.object(server.rooms, "open", slow):
            try:
                gone = Seat(server, made["id"], made["token"])
                until(lambda: len(opening) == 1)
                gone.socket.socket.shutdown(SHUT_RDWR)
                until(lambda: lost)
            finally:
                goes_on.set()
            with Seat(server, made["id"], made["token"]) as here:
                here.hear_until("room")
    assert joined == [made["id"]]


def test_who_comes_and_goes_has_nobodys_picture_drawn_anew(tmp_path: Path) -> None:
    drawn = list[View]()
    update = View.update

    def noted(view: View, session: Any) -> None:
        drawn.append(view)
        update(view, session)

    with in_thread(tmp_path, **ROOMY) as server:
        made = server.make(["you", "open"])
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            (own,) = server.room(made["id"]).views.values()
            with mock.patch.object(View, "update", noted):
                with Seat(server, made["id"], None) as other:
                    other.look()
                    ada.hear_until("room")
                    assert ada.room["watching"] == 1
                ada.hear_until("room")
                assert ada.room["watching"] == 0
    assert drawn
    assert own not in drawn
