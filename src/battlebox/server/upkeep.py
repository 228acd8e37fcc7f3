"""What is done to a folder of matches besides serving it: a backup, a check. Both change nothing,
and neither minds a server that uses the folder meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from ..core.errors import BattleboxError
from .session import DAMAGED, OtherRules, replayed
from .store import Entry, InUse, Setup, StoreError
from .store.schema import FORMAT
from .store.sqlite import FILE, JOURNAL, ONLY, WAIT, check_journal, damaged, only, size_of

PAGES = 2_000  # of a database that are copied before one hears of it
FINDINGS = 20  # of SQLite's that are told
Progress = Callable[[int, int | None], None]  # how many are done, of how many


# ---- backup -------------------------------------------------------------------------------------
def backup(data: Path, target: Path, hear: Progress) -> str:
    """Writes the matches of a folder, as they are at one moment, to one new file; a server may be
    using the folder. Gives a warning, or nothing. hear: is told of pages.

    Errors: BattleboxError, StoreError; then there is no new file.
    """
    path = data / FILE
    if not path.exists():
        raise BattleboxError(f"{data}: there are no matches ({FILE}) in this folder")
    if target.exists() or target.is_symlink():
        raise BattleboxError(f"{target} exists already: give the backup another name")
    warning = ""
    try:
        number, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # 0600
    except OSError as e:
        raise BattleboxError(f"{target}: it cannot be written: {e.strerror}") from None
    os.close(number)
    copy = Path(name)
    try:
        with reading(path) as source:
            if not source.is_running:
                try:
                    check_journal(path)
                except StoreError as e:
                    warning = str(e)
            _copy(source.db, copy, hear)
        _put(copy, target)
    except sqlite3.Error as e:
        raise _why(path, e) from None
    except OSError as e:
        raise BattleboxError(f"{target}: it cannot be written: {e.strerror}") from None
    finally:
        copy.unlink(missing_ok=True)
    return warning


def _copy(source: sqlite3.Connection, copy: Path, hear: Progress) -> None:
    """The transaction that is open in `source` to a new file, which is checked."""

    def copied(_status: int, left: int, of: int) -> None:
        hear(of - left, of)

    with closing(sqlite3.connect(copy)) as to:
        source.backup(to, pages=PAGES, progress=copied)
        to.execute("PRAGMA journal_mode=DELETE")  # all in one file
        said = to.execute("PRAGMA quick_check(1)").fetchone()[0]
    if said != "ok":
        raise sqlite3.DatabaseError(f"malformed: {said}")


def _put(copy: Path, target: Path) -> None:
    """Gives a finished file its name, which no other file has got meanwhile."""
    with copy.open("rb") as file:
        os.fsync(file.fileno())
    try:
        os.link(copy, target)
    except FileExistsError:
        raise BattleboxError(f"{target} exists already: give the backup another name") from None
    except OSError as e:  # not every file system has links
        if e.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP):
            raise
        shutil.move(copy, target)
    with contextlib.suppress(OSError):  # Windows opens no folder
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# ---- check ---------------------------------------------------------------------------------------
@dataclass
class Checked:
    """What a check has found. damage: in words, a line each."""

    matches: int = 0
    entries: int = 0
    other_rules: int = 0  # matches of another version of their rules, or of games not here
    damage: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        text = f"{self.matches} matches with {self.entries} entries"
        if self.other_rules:
            text += f"; {self.other_rules} of them cannot be replayed by the rules that are here"
        return f"{text}: {'damaged' if self.damage else 'all is well'}."


def check(path: Path, hear: Progress) -> Checked:
    """Checks the matches of a server's folder, or of a backup: the file and every log, by replay.

    hear: is told of matches. Errors: BattleboxError, if there is nothing to check.
    """
    file = path / FILE if path.is_dir() else path
    if not file.exists():
        what = f"there are no matches ({FILE}) in this folder" if path.is_dir() else "no such file"
        raise BattleboxError(f"{path}: {what}")
    found = Checked()
    try:
        with reading(file) as source:
            if not source.is_running:
                try:
                    check_journal(file)
                except StoreError as e:
                    found.damage.append(str(e))
            _check(source.db, found, hear)
    except sqlite3.Error as e:
        found.damage.append(str(_why(file, e)))
    return found


def _check(db: sqlite3.Connection, found: Checked, hear: Progress) -> None:
    said = [str(x[0]) for x in db.execute(f"PRAGMA integrity_check({FINDINGS})")]
    found.damage += [f"the database: {x}" for x in said if x != "ok"]
    row = db.execute("SELECT value FROM about WHERE name = 'format'").fetchone()
    if row is None or row[0] != FORMAT:
        has = "none" if row is None else row[0]
        raise BattleboxError(f"its format is {has}; this battlebox reads {FORMAT}")
    ids = [x[0] for x in db.execute("SELECT id FROM matches ORDER BY made, id")]
    stray = "SELECT DISTINCT match FROM log WHERE match NOT IN (SELECT id FROM matches)"
    found.damage += [f"match {x[0]}: how it was made is missing" for x in db.execute(stray)]
    for k, id in enumerate(ids):
        hear(k, len(ids))
        _check_match(db, str(id), found)
    hear(len(ids), len(ids))


def _check_match(db: sqlite3.Connection, id: str, found: Checked) -> None:
    found.matches += 1
    made = "SELECT id, made, setup, secret, after FROM matches WHERE id = ?"
    log = "SELECT seq, action, at, body FROM log WHERE match = ? ORDER BY seq"
    try:
        setup = Setup(*db.execute(made, (id,)).fetchone())
        entries = [Entry(*x) for x in db.execute(log, (id,))]
        found.entries += len(entries)
        replayed(setup, entries)
    except OtherRules:
        found.other_rules += 1
    except (BattleboxError, sqlite3.Error, *DAMAGED) as e:
        found.damage.append(f"match {id}: {e}")


# ---- reading, also while others do ---------------------------------------------------------------
class Source(NamedTuple):
    """Matches that are read."""

    db: sqlite3.Connection  # in a transaction: all that is read is of one moment
    is_running: bool  # a server uses it


@contextmanager
def reading(path: Path, alone: bool = False) -> Iterator[Source]:
    """Opens a database so that nothing about it changes, not even its journal. alone: no server may
    be using it.

    Errors: sqlite3.Error; BattleboxError.
    """
    with contextlib.ExitStack() as stack:
        is_running = False
        if alone or (path.parent / ONLY).exists():
            try:
                stack.enter_context(only(path.parent))  # none starts meanwhile
            except InUse:
                if alone:
                    raise
                is_running = True
        journal = path.with_name(path.name + JOURNAL)
        index = path.with_name(f"{path.name}-shm")
        how = "mode=ro" if is_running or size_of(journal) else "immutable=1"
        if not (is_running or index.exists()):
            stack.callback(index.unlink, missing_ok=True)  # made to read a journal
        uri = f"file:{quote(str(path.absolute()))}?{how}"
        db = sqlite3.connect(uri, uri=True, timeout=WAIT, isolation_level=None)
        stack.enter_context(closing(db))
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield Source(db, is_running)


def _why(path: Path, error: Exception) -> BattleboxError:
    said = str(error)
    if "locked" in said:
        return InUse(f"{path} is in use by an older battlebox: stop that one first")
    if "malformed" in said or "not a database" in said:
        return damaged(path, said)
    return StoreError(f"{path}: {said}")
