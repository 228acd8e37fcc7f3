"""Matches in which nothing has happened for so many days are deleted, and nothing else is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from databases import store_of
from serving import PATIENCE, ROOMY, InThread, Seat, in_a_loop, in_thread, until
from test_cli import Command, run

import battlebox as bb
from battlebox.server.clock import ManualClock
from battlebox.server.limits import Limits
from battlebox.server.rooms import DAY, TIDY, NotFound, Rooms
from battlebox.server.session import PERSON, MatchPlan, SeatPlan
from battlebox.server.store.base import BATCH

__all__ = ["run"]  # a fixture
IDLE = 900.0
GONE = "There is no such match. Matches in which nothing has happened for 2 days are deleted here."


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InThread]:
    clock = ManualClock()
    with in_thread(tmp_path / "data", clock=clock, keep=2 * DAY, idle=IDLE, **ROOMY) as it:
        yield it


def pass_days(server: InThread, days: float) -> None:
    """So much time passes; who was left leaves the memory."""
    assert isinstance(server.rooms.clock, ManualClock)
    server.rooms.clock.advance(days * DAY)
    server.at_rest(server.rooms.sweep)


def delete_old(server: InThread) -> int:
    """Deletes what is old now, and says how much."""
    work = server.rooms.delete_old()
    return asyncio.run_coroutine_threadsafe(work, server.loop).result(PATIENCE)


def rename(server: InThread, made: dict[str, Any], name: str) -> None:
    """Something happens in a match."""
    with Seat(server, made["id"], made["token"]) as seat:
        assert seat.want("rename", name, name=name)["type"] == "ack"
    until(lambda: not server.at_rest(lambda: server.room(made["id"]).is_busy))


def test_what_nobody_has_played_for_long_is_deleted_and_a_link_says_so(
    server: InThread,
) -> None:
    never, once, lately = (server.make(["you", "open"]) for _ in range(3))
    rename(server, once, "Bea")
    pass_days(server, 1.25)
    rename(server, lately, "Cleo")
    assert delete_old(server) == 0
    pass_days(server, 1.25)
    until(lambda: not delete_old(server) and server.kept() == 1)
    for made in (never, once):
        answer = server.ask("GET", f"/api/matches/{made['id']}", made["token"])
        assert (answer.status_code, answer.json()["error"]["message"]) == (404, GONE)
        with Seat(server, made["id"], made["token"]) as seat:
            assert seat.hear()["error"] == {"code": "not_found", "message": GONE, "where": ""}
    assert server.ask("GET", f"/api/matches/{lately['id']}").status_code == 200
    left = [server.rooms.store.entries(x["id"]) for x in (never, once, lately)]
    assert list(map(len, left)) == [0, 0, 1]


def test_old_matches_are_looked_for_at_the_start_and_every_hour(tmp_path: Path) -> None:
    clock = ManualClock()
    with in_thread(tmp_path, clock=clock, **ROOMY) as server:  # kept for ever
        server.make(["you", "open"])
        assert TIDY not in clock.alarms
    clock.advance(3 * DAY)
    with in_thread(tmp_path, clock=clock, keep=2 * DAY, idle=IDLE, **ROOMY) as server:
        until(lambda: server.kept() == 0)
        server.make(["you", "open"])
        until(lambda: TIDY in clock.alarms)
        pass_days(server, 3)
        until(lambda: server.kept() == 0)


def test_what_somebody_looks_at_stays(server: InThread) -> None:
    made = server.make(["you", "open"])
    with Seat(server, made["id"], made["token"]) as seat:
        seat.look()
        pass_days(server, 3)
        assert delete_old(server) == 0
        assert seat.want("rename", "1", name="Bea")["type"] == "ack"


def test_rematches_outlive_matches_and_others_take_their_place(server: InThread) -> None:
    first = server.make(["you", "random"])
    with Seat(server, first["id"], first["token"]) as ada:
        assert ada.want("resign", "r")["type"] == "ack"
        path = f"/api/matches/{first['id']}/rematch"
        second = server.ask("POST", path, first["token"]).json()
        until(lambda: not server.at_rest(lambda: server.room(second["id"]).is_busy))
        pass_days(server, 3)  # ada still looks at the first
        until(lambda: second["id"] not in server.rooms._live)
        until(lambda: not delete_old(server) and server.kept() == 1)
        answer = server.ask("POST", path, first["token"])
        assert answer.status_code == 200
        third = answer.json()
        assert third["id"] != second["id"]
        assert server.ask("POST", path, first["token"]).json() == third
    until(lambda: not server.at_rest(lambda: server.room(first["id"]).presence.looking(0)))
    pass_days(server, 1)  # the first alone is old
    until(lambda: not delete_old(server) and server.kept() == 1)
    assert server.ask("GET", f"/api/matches/{third['id']}").status_code == 200


def plan() -> MatchPlan:
    people = tuple(SeatPlan(kind=PERSON, name=x) for x in ("Ada", "Ben"))
    version = bb.load("war_zone").game.version
    return MatchPlan(game="war_zone", version=version, options="", host=0, seed=1, seats=people)


def test_they_are_deleted_in_small_batches_unless_they_are_in_memory(tmp_path: Path) -> None:
    async def main() -> None:
        store, clock = store_of(tmp_path), ManualClock()
        rooms = Rooms(store, Limits(keep=DAY, idle=IDLE), clock=clock)
        made = [(await rooms.make(plan())).setup.id for _ in range(2 * BATCH)]
        clock.advance(2 * DAY)
        sizes = [len(ids) for ids in store.quiet_since(clock.date() - DAY)]
        assert sizes == [BATCH, BATCH]
        assert await rooms.delete_old() == 0  # they are in memory
        rooms.sweep()
        deleting = asyncio.create_task(rooms.delete_old())
        while not rooms._going:
            await asyncio.sleep(0)
        with pytest.raises(NotFound, match="for a day"):  # nobody opens what is going
            await rooms.open(next(iter(rooms._going)))
        assert await deleting == 2 * BATCH
        assert [store.setup(x) for x in made] == [None] * (2 * BATCH)
        assert not rooms._going
        rooms.close()
        store.close()

    in_a_loop(main())


@pytest.mark.parametrize("days", ["0", "-3", "36501"])
def test_days_that_cannot_be_are_refused(run: Command, tmp_path: Path, days: str) -> None:
    said = run("--keep", days, "--no-browser", "--port", "0", "--data", str(tmp_path / "data"))
    assert said.status == 2
    assert f"--keep {days}: give a number of days, 1 .. 36500" in said.err
    assert not (tmp_path / "data").exists()


def test_keep_reaches_the_server(tmp_path: Path) -> None:
    with in_thread(tmp_path, how={"keep_days": 30}) as server:
        assert server.rooms.limits.keep == 30 * DAY
        answer = server.ask("GET", "/api/matches/none")
        assert "for 30 days are deleted here." in json.loads(answer.text)["error"]["message"]
