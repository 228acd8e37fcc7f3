"""`battlebox migrate`: all matches of a server go from a folder to a database, and back."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import sqlalchemy as sa
from databases import needs_postgres, the_server
from serving import ROOMY, InThread, Seat, in_process, in_thread, until
from test_cli import Command, run
from test_server_nodes import two_people
from test_upkeep import bytes_of, quiet

from battlebox.core.errors import BattleboxError
from battlebox.server import transfer as moving
from battlebox.server.store import InUse, StoreError, postgres
from battlebox.server.store.migrate import NEWEST, version
from battlebox.server.store.postgres import PostgresStore, alone
from battlebox.server.store.schema import about, log, matches, nodes
from battlebox.server.store.sqlite import FILE, SqliteStore, engine_at
from battlebox.server.transfer import Transferred, transfer

__all__ = ["run"]  # a fixture
GAMES = ["war_zone", "iron_man", "medieval"]
pytestmark = [pytest.mark.slow, needs_postgres]


class Match(NamedTuple):
    """One that two people play: a token of each."""

    id: str
    tokens: list[str]


@contextmanager
def served(place: str) -> Iterator[InThread]:
    """A server of a place."""
    is_database = place.startswith("postgresql://")
    folder = Path("/nowhere") if is_database else Path(place)
    with in_thread(folder, how={"database": place if is_database else ""}, **ROOMY) as server:
        yield server


def played(server: InThread, game: str) -> Match:
    """A new match with some moves."""
    match = Match(*two_people(server, server, game=game, seed=1))
    go_on(server, match, "first")
    return match


def go_on(server: InThread, match: Match, word: str) -> None:
    """Some moves more, by the links that its players have."""
    for k in range(3):
        for p, token in enumerate(match.tokens):
            with Seat(server, match.id, token) as seat:
                choices = seat.look()["scene"]["choices"]
                assert until(lambda s=seat: s.room or s.hear()) is not None
                assert seat.room["you"] == p
                if choices:
                    assert seat.act(f"{word}{k}", choices[0]["action"])["type"] == "ack"


@contextmanager
def connected(place: str) -> Iterator[sa.Connection]:
    """The database of a place that nobody uses."""
    url = place.startswith("postgresql://")
    engine = postgres.engine_at(place) if url else engine_at(Path(place) / FILE)
    try:
        with engine.connect() as c:
            yield c
    finally:
        engine.dispose()


def contents(place: str) -> dict[str, Any]:
    """All rows, and the key."""
    with connected(place) as c:
        rows = {t.name: {tuple(x) for x in c.execute(sa.select(t))} for t in (matches, log)}
        return {**rows, "key": c.scalar(sa.select(about.c.value).where(about.c.name == "key"))}


def change(place: str, *statements: sa.Executable) -> None:
    """Does something to it that no server does."""
    with connected(place) as c:
        for x in statements:
            c.execute(x)
        if c.get_isolation_level() != "AUTOCOMMIT":
            c.commit()


@pytest.fixture
def database() -> str:
    """A new one."""
    return the_server().new()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """One that has been served, with a match."""
    with served(str(tmp_path / "old")) as server:
        played(server, "war_zone")
    return str(tmp_path / "old")


# ---- there and back ------------------------------------------------------------------------------
def test_matches_go_to_a_database_and_back_and_links_work(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "ROWS", 7)  # in many parts
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    with served(old) as server:
        made = [played(server, x) for x in GAMES]
        with Seat(server, made[0].id, made[0].tokens[0]) as seat:
            assert seat.want("resign", "end")["type"] == "ack"
        again = f"/api/matches/{made[0].id}/rematch"
        rematch = server.ask("POST", again, made[0].tokens[0]).json()
    before, heard = bytes_of(Path(old)), list[tuple[int, int | None]]()
    moved = transfer(old, database, lambda *x: heard.append(x))
    assert heard[-1][0] == heard[-1][1] == 2 * (moved.matches + moved.entries)
    assert bytes_of(Path(old)) == before
    there = contents(database)
    assert there == contents(old)
    assert (moved.matches, moved.entries) == (len(GAMES) + 1, len(there["log"]))
    with served(database) as server:
        for match in made[1:]:
            go_on(server, match, "second")
        assert server.ask("POST", again, made[0].tokens[0]).json() == rematch
    there = contents(database)
    assert len(there["log"]) > moved.entries
    transfer(database, new, quiet)
    assert contents(database) == there == contents(new)
    with served(new) as server:
        for match in made[1:]:
            go_on(server, match, "third")


def test_as_a_command(tmp_path: Path, folder: str, database: str, run: Command) -> None:
    moved = run("migrate", folder, database)
    rows = contents(database)
    assert moved.status == 0, moved.err
    assert moved.out == (
        f"1 matches with {len(rows['log'])} entries moved to {database}; "
        f"nothing was removed from {folder}/{FILE}.\n"
    )
    assert "Migrate" in moved.err
    assert run("migrate", database, str(tmp_path / "new")).status == 0
    assert run("migrate", folder, str(tmp_path / "third")).status == 0, "from folder to folder"
    assert contents(str(tmp_path / "new")) == contents(str(tmp_path / "third")) == rows
    refused = run("migrate", str(tmp_path / "no"), database)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"battlebox: {tmp_path / 'no'}: there are no matches")


def test_large_numbers_can_be_read() -> None:
    said = str(Transferred("HERE", "THERE", 1_234, 56_789))
    assert said.startswith("1,234 matches with 56,789 entries moved to THERE; nothing was removed")


def test_a_place_that_was_tried_out_takes_the_key_of_the_matches(
    folder: str, database: str
) -> None:
    PostgresStore(database).close()
    assert contents(database)["key"] != contents(folder)["key"]
    transfer(folder, database, quiet)
    assert contents(database) == contents(folder)


# ---- a move that is interrupted ------------------------------------------------------------------
KILLED = """\
import sys, threading
from battlebox.server import transfer

def hear(done, of):
    print(done, flush=True)
    if done >= of // 4:
        threading.Event().wait()

transfer.ROWS = 2
transfer.transfer(*sys.argv[1:], hear)
"""


@pytest.mark.parametrize("back", [False, True], ids=["to a database", "to a folder"])
def test_a_move_that_is_killed_goes_on(
    tmp_path: Path, folder: str, database: str, back: bool
) -> None:
    source, target = folder, database
    if back:
        transfer(folder, database, quiet)
        source, target = database, str(tmp_path / "new")
    words = [sys.executable, "-c", KILLED, source, target]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        expected = contents(folder)
        half = len(expected["log"]) // 2
        until(lambda: int(process.stdout.readline()) + 2 > half)  # type: ignore[union-attr]
        process.kill()
    there = contents(target)
    assert 0 < len(there["log"]) < len(expected["log"])
    assert there["matches"] == set(), "none is there before its log"
    until(lambda: moved_unless_in_use(source, target))  # the database may still know of it
    assert contents(target) == contents(source) == expected
    assert transfer(source, target, quiet).entries == len(expected["log"]), "and again"


def moved_unless_in_use(source: str, target: str) -> bool:
    """Whether it could be moved."""
    try:
        transfer(source, target, quiet)
    except InUse:
        return False
    return True


def test_what_is_interrupted_by_hand_says_how_to_go_on(
    folder: str, database: str, run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(moving._Side, "add", interrupted)
    said = run("migrate", folder, database)
    assert said.status == 130
    assert said.err.endswith("Stopped: run the same command to go on.\n")
    monkeypatch.undo()
    transfer(folder, database, quiet)


def test_what_was_not_written_is_noticed(
    folder: str, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = moving._Side.add
    monkeypatch.setattr(moving._Side, "add", lambda self, table, rows: add(self, table, rows[1:]))
    with pytest.raises(StoreError, match="read back is not what was written") as e:
        transfer(folder, database, quiet)
    assert str(e.value).startswith(database)


# ---- refused: somebody uses it -------------------------------------------------------------------
def test_a_folder_that_is_served_is_refused(tmp_path: Path, database: str) -> None:
    with served(str(tmp_path)):
        for places in ((str(tmp_path), database), (database, str(tmp_path))):
            PostgresStore(database).close()
            with pytest.raises(
                InUse, match=r"in use by another battlebox: stop that one first"
            ) as e:
                transfer(*places, quiet)
            assert str(e.value).startswith(f"{tmp_path / FILE} is")


def test_a_database_with_living_nodes_is_refused(
    tmp_path: Path, folder: str, database: str
) -> None:
    with served(database) as server:
        node = server.rooms.store.node
        until(lambda: known_nodes(database) == [node])
        for places in ((database, str(tmp_path / "new")), (folder, database)):
            with pytest.raises(InUse, match=f"{re.escape(database)} is in use by {node}: stop all"):
                transfer(*places, quiet)
        assert not (tmp_path / "new").exists()
    assert contents(database)["matches"] == set()
    transfer(folder, database, quiet)


def test_servers_that_were_stopped_are_gone_at_once(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, database=database, workers=2, **ROOMY) as server:
        server.make(["you", "open"])
        until(lambda: len(known_nodes(database)) == 2)
    assert known_nodes(database) == []
    assert transfer(database, str(tmp_path / "new"), quiet).matches == 1


def known_nodes(database: str) -> list[str]:
    """Those of a database that may be alive."""
    with connected(database) as c:
        return list(c.scalars(sa.select(nodes.c.node)))


def test_a_node_that_comes_back_meanwhile_is_noticed(folder: str, database: str) -> None:
    def appear(_done: int, _of: int | None) -> None:
        change(database, sa.text(postgres.BE_HERE.replace("%s", "'late'", 1).replace("%s", "'{}'")))

    with pytest.raises(InUse, match="was used by late meanwhile"):
        transfer(folder, database, appear)


def test_each_side_waits_for_the_other_as_long_as_it_takes(
    folder: str, database: str, tmp_path: Path
) -> None:
    """A node's transaction in which nothing happens is ended, lest it hold others up."""

    def pause(done: int, _of: int | None) -> None:
        if done == 1:  # longer than a node's transaction may be idle: the database has noticed
            time.sleep(1.2 * postgres.SILENT / 1000)

    transfer(folder, database, pause)
    transfer(database, str(tmp_path / "back"), pause)
    assert contents(str(tmp_path / "back")) == contents(folder)


def test_no_node_starts_meanwhile(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PostgresStore(database).close()
    engine = postgres.engine_at(database)
    with alone(engine):
        with pytest.raises(InUse, match="in use by another battlebox"):
            transfer(database, "/nowhere", quiet)
        monkeypatch.setitem(postgres.CONNECT, "options", "-c statement_timeout=50")
        with pytest.raises(InUse, match="in use by `battlebox migrate`"):
            PostgresStore(database)
    engine.dispose()
    PostgresStore(database).close()


# ---- refused: other matches ----------------------------------------------------------------------
def refused(source: str, target: str, match: str) -> None:
    """With nothing changed on either side."""
    before = contents(source), contents(target)
    with pytest.raises(StoreError, match=match):
        transfer(source, target, quiet)
    assert (contents(source), contents(target)) == before


def test_a_place_of_another_server_is_refused(tmp_path: Path, folder: str, database: str) -> None:
    with served(str(tmp_path / "other")) as server:
        server.make(["you", "open"])
    transfer(str(tmp_path / "other"), database, quiet)
    refused(folder, database, "has matches of another server than .*Nothing was changed")
    refused(database, folder, "has matches of another server than .*Nothing was changed")


def test_another_entry_is_refused_by_the_name_of_its_match(folder: str, database: str) -> None:
    transfer(folder, database, quiet)
    (row,) = contents(database)["matches"]
    change(database, log.update().where(log.c.seq == 2).values(body="{}"))
    change(database, log.delete().where(log.c.seq == 1))
    refused(folder, database, f"has entry 2 of match {row[0]}, which .* has otherwise. Nothing")
    refused(database, folder, f"has entry 1 of match {row[0]}, which .* has not. Nothing")
    change(database, log.delete(), matches.update().values(made=1.0))
    refused(folder, database, f"has match {row[0]}, which .* has otherwise. Nothing")


def test_matches_that_went_on_are_not_mixed_with_older_ones(folder: str, database: str) -> None:
    transfer(folder, database, quiet)
    with served(database) as server:
        server.make(["you", "open"])
    refused(folder, database, "has match .*, which .* has not. Nothing was changed")
    assert transfer(database, folder, quiet).matches == 2, "what is there is part of what is moved"


# ---- refused: no places --------------------------------------------------------------------------
def test_the_same_place_is_refused(folder: str, database: str) -> None:
    other = database.replace("postgresql://", "postgres://")
    for places in ((folder, f"{folder}/../old"), (database, other)):
        with pytest.raises(BattleboxError, match="FROM and TO are the same place"):
            transfer(*places, quiet)


def test_a_source_that_is_none_is_refused(tmp_path: Path, database: str) -> None:
    new = tmp_path / "new"
    for source, match in (
        (str(tmp_path), "there are no matches"),
        (database, f"{re.escape(database)}: there are no matches"),
        (f"{database}_none", "does not exist"),
    ):
        with pytest.raises(BattleboxError, match=match):
            transfer(source, str(new), quiet)
    assert not new.exists()
    assert list(tmp_path.iterdir()) == []
    with connected(database) as c:
        assert sa.inspect(c).get_table_names() == []


@pytest.mark.parametrize("sort", ["folder", "database"])
def test_tables_of_another_version_are_refused(folder: str, database: str, sort: str) -> None:
    transfer(folder, database, quiet)
    source, target = (folder, database) if sort == "folder" else (database, folder)
    change(source, version.update().values(version_num="0000"))
    refused(source, target, "its tables are of version 0000")
    change(source, version.update().values(version_num=NEWEST))
    change(source, about.update().where(about.c.name == "format").values(value="0"))
    refused(source, target, "of format 0; this battlebox reads 1")


def test_a_damaged_folder_is_refused(folder: str, database: str) -> None:
    path = Path(folder) / FILE
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(StoreError, match="is damaged"):
        transfer(folder, database, quiet)
    with pytest.raises(StoreError, match="is damaged"):
        SqliteStore(Path(folder))


def test_passwords_are_not_shown(tmp_path: Path, folder: str, database: str, run: Command) -> None:
    known = database.replace("postgres@", "postgres:hunter2@")
    for places in (
        (folder, known),  # which lets everybody in
        (known, str(tmp_path / "new")),
        (folder, f"{known}?sslpassword=hunter2"),
        (f"{known}_none", folder),
        (known, known),
        ("mysql://eve:hunter2@h/x", folder),
        ("postgresql:/eve:hunter2@h/x", folder),
        ("host=h password=hunter2", folder),
        ("postgresql://eve:hunter2@h:port/x", folder),
        (folder, "postgresql://eve:hunter2@127.0.0.1:1/x?password=hunter2"),
    ):
        said = run("migrate", *places)
        assert "hunter2" not in said.out + said.err
        assert said.err.startswith("battlebox: ") or said.status == 0
