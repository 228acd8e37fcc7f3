"""What was written before the log and the messages had types is still read: match files, and a
server's log with every kind of entry, of all five games.

tests/written_before holds what version 1 of the protocol wrote (24 November 2026): `*.match`, the
database as SQL, and what each of its matches had come to.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from databases import sqlite_only
from serving import PATIENCE, ROOMY, Seat, in_thread

import battlebox as bb
from battlebox.server.clock import ManualClock
from battlebox.server.log_events import LogEvent, read_event
from battlebox.server.session import Session, replayed
from battlebox.server.store.sqlite import FILE, SqliteStore
from battlebox.server.upkeep import check

BEFORE = Path(__file__).parent / "written_before"
EXPECTED: dict[str, dict[str, Any]] = json.loads((BEFORE / "expected.json").read_text("utf-8"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of matches as it was then."""
    folder = tmp_path / "data"
    folder.mkdir()
    with sqlite3.connect(folder / FILE) as db:
        db.executescript((BEFORE / "matches.sql").read_text("utf-8"))
    db.close()
    return folder


def told(session: Session) -> dict[str, Any]:
    """What a session has come to, in the words of expected.json."""
    asked, end = session.proposal, session.end
    return {
        "game": session.match.rules.name,
        "length": session.length,
        "position": session.match.write_position(),
        "seats": [[x.kind, x.level, x.name, x.resigned] for x in session.seats],
        "proposal": [asked.what, asked.by, asked.waiting] if asked else None,
        "end": [end.reason, end.text, list(end.returns)] if end else None,
    }


@pytest.mark.parametrize("path", sorted(BEFORE.glob("*.match")), ids=lambda x: x.stem)
def test_a_match_file_of_before_is_verified(path: Path) -> None:
    match = bb.replay(path.read_text(encoding="utf-8"))
    assert match.rules.name == path.stem
    assert len(match.history) > 20


def test_there_is_one_of_every_game() -> None:
    games = set(bb.games())
    assert {path.stem for path in BEFORE.glob("*.match")} == games
    assert {x["game"] for x in EXPECTED.values()} == games


def test_a_log_of_before_leads_to_the_same_matches(data: Path) -> None:
    store = SqliteStore(data)
    try:
        kinds = set[type[LogEvent]]()
        for id, expected in EXPECTED.items():
            setup, entries = store.setup(id), store.entries(id)
            assert setup is not None
            session = replayed(setup, entries)
            found = told(session)
            assert found == {k: v for k, v in expected.items() if k in found}
            kinds |= {type(read_event(x.body)) for x in entries}
            done = {x.action: read_event(x.body).command for x in entries if x.action}
            assert len(done) == expected["done"]
        every = {x.__name__ for x in LogEvent.__args__}  # type: ignore[attr-defined]
        assert {x.__name__ for x in kinds} == every
    finally:
        store.close()


def test_a_check_of_that_folder_finds_nothing(data: Path) -> None:
    found = check(data, lambda done, of: None)
    assert not found.damage, found
    assert found.matches == len(EXPECTED)


@sqlite_only("what was written then is a file of its own")
def test_a_server_goes_on_where_it_was(data: Path) -> None:
    """Entries of now follow those of before in the same log."""
    with in_thread(data, clock=ManualClock(), **ROOMY) as server:
        for id, expected in EXPECTED.items():
            opened = asyncio.run_coroutine_threadsafe(server.rooms.open(id), server.loop)
            room = opened.result(PATIENCE)
            assert room.session.length == expected["length"]
            seats = room.session.people()
            if expected["end"] or not seats:
                continue
            token = server.rooms.services.tokens.seat_token(id, seats[0])
            with Seat(server, id, token) as person:
                assert person.want("rename", "now", name="Now")["type"] == "ack"
            entries = server.rooms.store.entries(id)
            assert len(entries) == expected["length"] + 1
            assert json.loads(entries[-1].body)["type"] == "seated"


@pytest.mark.parametrize(
    "body",
    ["{}", "[]", "7", "null", '{"doo": 1}', '{"type": "acted"}', '{"do": 1, "seat": 0}', "x"],
)
def test_an_entry_that_is_none_is_refused(body: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_event(body)
