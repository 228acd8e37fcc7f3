"""Backup and check of a folder of matches, and what a damaged one says at the start."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from databases import sqlite_only
from serving import ROOMY, InProcess, Seat, in_process, in_thread, invitations, take_seat, until
from test_cli import Command, run

from battlebox.core.errors import BattleboxError
from battlebox.server.store import InUse, StoreError
from battlebox.server.store.sqlite import FILE, JOURNAL, SqliteStore, only
from battlebox.server.store.wal import lost
from battlebox.server.upkeep import backup, check

__all__ = ["run"]  # a fixture
pytestmark = sqlite_only("a backup and a check are of its file")
Played = dict[str, object]


def quiet(_done: int, _of: int | None) -> None:
    """Hears nothing."""


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder, but for what SQLite makes anew whenever it reads a journal."""
    return {x.name: x.read_bytes() for x in folder.iterdir() if not x.name.endswith("-shm")}


def play(server: InProcess, moves: int = 6) -> dict[str, object]:
    """A match of two people with some moves."""
    made = server.make(["you", "open"], seed=5)
    keys = {0: made["token"], 1: take_seat(server, made["id"], invitations(server, made)[1], "Ben")}
    seats = {p: Seat(server, made["id"], keys[p]) for p in keys}
    done = 0
    while done < moves:
        for seat in seats.values():
            frame = seat.look()
            if frame["scene"]["choices"] and done < moves:
                choice, question = frame["scene"]["choices"][0], frame["question"]
                seat.frame = {}
                assert seat.act(f"a{done}", choice["action"], question)["type"] == "ack"
                done += 1
            else:
                seat.send(type="cancel", id="look")  # its answer follows what is there to see
                seat.hear_until("refused")
    for seat in seats.values():
        seat.close()
    return made


@pytest.fixture
def killed(tmp_path: Path) -> tuple[Path, list[Played]]:
    """A folder of a server that was killed: what was saved last is in the journal alone."""
    data = tmp_path / "data"
    with in_process(data, **ROOMY) as server:
        made = [play(server) for _ in range(3)]
        server.process.kill()
        server.process.wait()
    assert (data / (FILE + JOURNAL)).stat().st_size
    return data, made


# ---- backup --------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_backup_of_a_running_server_can_be_served(tmp_path: Path) -> None:
    data, copy, other = tmp_path / "data", tmp_path / "backup.sqlite", tmp_path / "other"
    with in_process(data, **ROOMY) as server:
        made = play(server)
        heard = list[tuple[int, int | None]]()
        assert backup(data, copy, lambda *x: heard.append(x)) == ""
        assert heard
        assert heard[-1][0] == heard[-1][1]
        assert server.healthy()
        play(server)
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(x.name for x in tmp_path.iterdir()) == ["backup.sqlite", "data"]
    found = check(copy, quiet)
    assert (found.matches, found.damage) == (1, [])
    assert check(data, quiet).matches == 2
    other.mkdir()
    copy.rename(other / FILE)
    with in_thread(other) as again, Seat(again, str(made["id"]), str(made["token"])) as seat:
        seat.look()
        assert seat.room["you"] == 0


@pytest.mark.slow
def test_backups_under_load_are_whole(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with in_process(data, **ROOMY) as server:
        stop, errors = threading.Event(), list[BaseException]()

        def load() -> None:
            try:
                while not stop.is_set():
                    play(server)
            except BaseException as e:
                errors.append(e)

        thread = threading.Thread(target=load)
        thread.start()
        try:
            until(lambda: check(data, quiet).entries > 5)
            for k in range(5):
                copy = tmp_path / f"{k}.sqlite"
                backup(data, copy, quiet)
                found = check(copy, quiet)
                assert found.damage == []
                assert found.entries
        finally:
            stop.set()
            thread.join()
        assert errors == []


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "kept"
    SqliteStore(data).close()
    file.write_text("mine")
    with pytest.raises(BattleboxError, match="exists already"):
        backup(data, file, quiet)
    assert file.read_text() == "mine"
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(BattleboxError, match="exists already"):
        backup(data, link, quiet)
    with pytest.raises(BattleboxError, match="cannot be written: No such file"):
        backup(data, tmp_path / "no" / "file", quiet)
    with pytest.raises(BattleboxError, match="no matches"):
        backup(tmp_path, tmp_path / "new", quiet)
    assert sorted(x.name for x in tmp_path.iterdir()) == ["data", "kept", "link"]


def test_who_is_quicker_with_the_name_keeps_it(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "file"
    SqliteStore(data).close()
    with pytest.raises(BattleboxError, match="exists already"):
        backup(data, file, lambda *_: file.write_text("quick"))  # type: ignore[arg-type]
    assert file.read_text() == "quick"
    assert sorted(x.name for x in tmp_path.iterdir()) == ["data", "file"]


def test_a_backup_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "file"
    SqliteStore(data).close()

    def stop(_done: int, _of: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup(data, file, stop)
    assert [x.name for x in tmp_path.iterdir()] == ["data"]


def test_backup_and_verify_as_commands(tmp_path: Path, run: Command) -> None:
    data, file = tmp_path / "data", tmp_path / "file.sqlite"
    SqliteStore(data).close()
    said = run("backup", str(file), "--data", str(data))
    assert (said.status, said.out) == (0, f"{file}: {file.stat().st_size:,} bytes.\n")
    assert run("backup", str(file), "--data", str(data)).status == 2
    for path in (data, file):
        said = run("verify", str(path))
        assert (said.status, said.out) == (0, "0 matches with 0 entries: all is well.\n")
    assert run("verify", str(tmp_path)).status == 2
    assert run("verify", str(tmp_path / "no")).status == 2
    assert run("verify", str(data), "--commitment", "0" * 64).status == 2
    (tmp_path / "any").write_bytes(file.read_bytes())
    assert run("verify", str(tmp_path / "any")).status == 0, "a backup, whatever it is called"
    file.write_bytes(b"x" * 5000)
    said = run("verify", str(file))
    assert said.status == 1
    assert "is damaged (file is not a database)" in said.out


# ---- check ---------------------------------------------------------------------------------------
@pytest.mark.slow
def test_a_check_changes_nothing(killed: tuple[Path, list[Played]]) -> None:
    data, _ = killed
    for leave in ("-shm", "server.lock"):
        for file in data.glob(f"*{leave}"):
            file.unlink()
        before, names = bytes_of(data), set(os.listdir(data))
        found = check(data, quiet)
        assert (found.matches, found.damage) == (3, [])
        assert found.entries > 18
        assert bytes_of(data) == before
        assert set(os.listdir(data)) == names


@pytest.mark.slow
def test_a_check_names_damaged_matches(killed: tuple[Path, list[Played]]) -> None:
    data, made = killed
    ids = [str(x["id"]) for x in made]
    with closing(sqlite3.connect(data / FILE)) as db, db:
        db.execute("UPDATE log SET body = '{\"type\":\"acted\",\"seat\":0,\"word\":\"nonsense\"}'"
                   " WHERE match = ? AND seq = 3", ids[:1])  # fmt: skip
        db.execute("DELETE FROM log WHERE match = ? AND seq = 2", ids[1:2])
        db.execute("INSERT INTO log VALUES ('stray', 0, NULL, 0, '{}')")
    found = check(data, quiet)
    assert found.matches == 3
    stray, first, second = found.damage
    assert stray == "match stray: how it was made is missing"
    assert first.startswith(f"match {ids[0]}: entry 3 cannot be replayed: ")
    assert second == f"match {ids[1]}: entries are missing"
    assert str(found).endswith(": damaged.")


@pytest.mark.slow
def test_matches_of_other_rules_are_not_damaged(killed: tuple[Path, list[Played]]) -> None:
    data, _ = killed
    with closing(sqlite3.connect(data / FILE)) as db, db:
        db.execute("UPDATE matches SET setup = replace(setup, '\"version\":1', '\"version\":0')")
    found = check(data, quiet)
    assert (found.damage, found.other_rules) == ([], 3)
    assert "3 of them cannot be replayed by the rules that are here" in str(found)


# ---- damage at the start -------------------------------------------------------------------------
def spoil(path: Path, at: int, n: int = 64) -> None:
    """Overwrites some bytes."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(b"\xa5" * n)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [lambda n: 0, lambda n: 24, lambda n: 40, lambda n: n // 2],
    ids=["head", "sums", "first frame", "middle"],
)
def test_a_damaged_journal_is_said_at_the_start(
    killed: tuple[Path, list[Played]], part: Callable[[int], int], tmp_path: Path
) -> None:
    data, _ = killed
    journal = data / (FILE + JOURNAL)
    spoil(journal, part(journal.stat().st_size))
    before = bytes_of(data)
    with pytest.raises(StoreError) as e:
        SqliteStore(data)
    assert str(e.value).startswith(f"{journal} is damaged (what was saved ")
    assert "Put a backup in its place" in str(e.value)
    assert "`battlebox backup FILE` saves everything before the damage" in str(e.value)
    assert any(str(journal) in x for x in check(data, quiet).damage)
    assert bytes_of(data) == before


@pytest.mark.slow
def test_what_is_before_the_damage_is_saved_by_a_backup(
    killed: tuple[Path, list[Played]], tmp_path: Path
) -> None:
    data, _ = killed
    journal, copy = data / (FILE + JOURNAL), tmp_path / "copy"
    spoil(journal, journal.stat().st_size // 2)
    assert "is damaged" in backup(data, copy, quiet)
    found = check(copy, quiet)
    assert found.matches in (1, 2)
    assert found.damage == []


@pytest.mark.slow
def test_what_a_power_failure_left_is_no_damage(
    killed: tuple[Path, list[Played]], caplog: pytest.LogCaptureFixture
) -> None:
    data, _ = killed
    journal = data / (FILE + JOURNAL)
    spoil(journal, journal.stat().st_size - 100)
    SqliteStore(data).close()
    assert "the last entry is not whole, as after a power failure" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("how", ["truncated", "no database", "empty", "pages"])
def test_a_damaged_database_is_said_at_the_start(tmp_path: Path, how: str) -> None:
    data = tmp_path / "data"
    with in_process(data, **ROOMY) as server:
        play(server)
        if how == "empty":
            server.process.kill()
            server.process.wait()
    path = data / FILE
    if how == "truncated":
        os.truncate(path, 3 * 4096)
    elif how == "no database":
        spoil(path, 0)
    elif how == "empty":
        os.truncate(path, 0)
    else:
        for page in range(1, path.stat().st_size // 4096):
            spoil(path, page * 4096)
    with pytest.raises(StoreError) as e:
        SqliteStore(data)
    assert str(e.value).startswith(f"{path} is damaged (")
    assert "Put a backup in its place" in str(e.value)
    SqliteStore(
        tmp_path / "other"
    ).close()  # the lock of the first is no longer held, and this is another
    with only(data):
        pass


def test_a_store_is_for_one_server(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with pytest.raises(InUse):
        SqliteStore(tmp_path)
    store.close()
    SqliteStore(tmp_path).close()


def test_a_journal_that_is_not_there_has_lost_nothing(tmp_path: Path) -> None:
    assert lost(tmp_path / "none") == (0, False)
    (tmp_path / "short").write_bytes(b"7")
    assert lost(tmp_path / "short") == (0, False)
