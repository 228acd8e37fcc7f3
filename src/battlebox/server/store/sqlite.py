"""The log in a folder, in SQLite: nothing to install, nothing to run, for one process."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from . import wal
from .base import Conflict, InUse, Kind, Order, Store, StoreError
from .migrate import migrate
from .schema import about, log, matches

logger = logging.getLogger("battlebox")

FILE = "matches.sqlite"
JOURNAL = "-wal"  # of SQLite: its name ends so
ONLY = "server.lock"  # held by the server that uses the folder
WAIT = 10  # seconds for a lock of SQLite's

# what is written, in statements that get a row each. Made once: to have them made for every commit
# costs more than the commit
ADD_MATCH, ADD_ENTRY = (str(x.insert().compile(dialect=sqlite.dialect())) for x in (matches, log))
STATEMENTS: dict[Kind, tuple[str, ...]] = {  # in the order of a transaction
    "match": (ADD_MATCH,),
    "entry": (ADD_ENTRY,),
    "probe": ("INSERT OR REPLACE INTO about VALUES (?, ?)",),
    "delete": ("DELETE FROM log WHERE match = ?", "DELETE FROM matches WHERE id = ?"),
}


def engine_at(path: Path) -> sa.Engine:
    """The database of a file, by one connection."""
    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"timeout": WAIT, "check_same_thread": False},
        poolclass=sa.StaticPool,
    )
    sa.event.listen(engine, "connect", _configure)
    return engine


def error_of(path: Path, error: Exception) -> StoreError:
    """What to say of an error of the driver's."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    if "locked" in said:
        return InUse(f"{path} is in use by another battlebox")
    if any(x in said for x in ("malformed", "not a database", "non-hexadecimal")):
        return damaged(path, said)
    return StoreError(f"{path}: {said}")


class SqliteStore(Store):
    """The matches of one folder. Only one process at a time has it open."""

    shared = False
    older = sa.text(
        "SELECT rowid, id,"
        " coalesce((SELECT at FROM log WHERE match = id ORDER BY seq DESC LIMIT 1), made)"
        " FROM matches WHERE rowid > coalesce(:after, 0) AND made < :before"
        " ORDER BY rowid LIMIT :most"
    )

    def __init__(self, folder: Path) -> None:
        """Errors: StoreError if the folder cannot be used, or another server uses it."""
        self.path = folder / FILE
        engine = engine_at(self.path)  # whose connection is guarded by `_lock`
        super().__init__(engine, str(self.path))
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise _unusable(folder, e) from None
        with contextlib.ExitStack() as held:
            held.enter_context(only(folder))
            check_journal(self.path)
            held.callback(engine.dispose)
            self._open(folder)
            self._held = held.pop_all()  # until the store is closed

    def _open(self, folder: Path) -> None:
        try:
            is_new = not self.path.exists()
            self.path.touch(mode=0o600)  # it holds secrets of matches under way
        except OSError as e:
            raise _unusable(folder, e) from None
        try:
            if not is_new:
                with self._engine.connect() as c:
                    check_pages(c, self.path)
            migrate(self._engine)
            self._begin()
        except (DBAPIError, ValueError) as e:
            raise self._error(e) from None

    def _remember(self, name: str, value: str) -> str:
        with self._lock, self._engine.begin() as c:
            found = c.scalar(sa.select(about.c.value).where(about.c.name == name))
            if found is None:
                c.execute(about.insert().values(name=name, value=value))
            return str(value if found is None else found)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        with self._lock, self._engine.connect() as c:
            yield c

    def _error(self, error: Exception) -> StoreError:
        return error_of(self.path, error)

    def close(self) -> None:
        """Writes what waits, and lets others have the folder."""
        super().close()
        self._held.close()

    # ---- writing ----
    def commit(self, orders: Sequence[Order]) -> list[StoreError | None]:
        """Writes rows; what is wrong with each."""
        error = self._transaction(orders)
        if error is None or len(orders) == 1:
            return [error] * len(orders)
        return [self._transaction([x]) for x in orders]  # one is at fault: each by itself

    def _transaction(self, orders: Sequence[Order]) -> StoreError | None:
        """All or nothing of it; the error, if nothing."""
        try:
            with self._lock, self._engine.connect() as c:
                # straight to the driver: this is the one place where every move passes
                db = c.connection.driver_connection
                assert db is not None
                with db:
                    for kind, statements in STATEMENTS.items():
                        if rows := [x.row for x in orders if x.kind == kind]:
                            for text in statements:
                                db.executemany(text, rows)
        except sqlite3.IntegrityError as e:
            return Conflict(f"{self.path}: {e}")
        except Exception as e:  # whatever it is, nobody may wait for ever
            return StoreError(f"{self.path}: {e}")
        return None


@contextlib.contextmanager
def only(folder: Path) -> Iterator[None]:
    """No other server uses this folder meanwhile. Errors: InUse; StoreError."""
    lock = FileLock(folder / ONLY, timeout=0, mode=0o600, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise InUse(f"{folder / FILE} is in use by another battlebox") from None
    except OSError as e:
        raise _unusable(folder, e) from None
    try:
        yield
    finally:
        lock.release()


def check_pages(c: sa.Connection, path: Path) -> None:
    """Errors: StoreError, if the database of this path is damaged."""
    said = str(c.exec_driver_sql("PRAGMA quick_check(1)").scalar())
    if said != "ok":
        raise damaged(path, said)


def check_journal(path: Path) -> None:
    """Errors: StoreError, if what was saved last in the database of this path is damaged."""
    journal = path.with_name(path.name + JOURNAL)
    try:
        lost = wal.lost(journal)
        if size_of(journal) and not size_of(path):
            raise damaged(path, f"it is empty, but {journal.name} is not")
    except OSError as e:
        raise StoreError(f"{journal}: {e.strerror}") from None
    if lost.damaged:
        raise damaged(
            journal,
            f"what was saved {lost.transactions} times cannot be read",
            "`battlebox backup FILE` saves everything before the damage",
        )
    if lost.transactions:
        logger.warning("%s: the last entry is not whole, as after a power failure", journal)


def size_of(path: Path) -> int:
    """In bytes; a file that is not there has none."""
    return path.stat().st_size if path.exists() else 0


CHECK = "`battlebox verify PATH` names the damaged matches"


def damaged(path: Path, said: str, without: str = CHECK) -> StoreError:
    """What to do about it, too, with a backup and without."""
    return StoreError(
        f"{path} is damaged ({said}). Nothing was changed. Put a backup in its place (as "
        f"docs/operating.md says); {without}"
    )


def _unusable(folder: Path, error: OSError) -> StoreError:
    return StoreError(f"{folder}: matches cannot be kept there: {error.strerror}")


def _configure(connection: Any, _record: Any) -> None:
    """FULL: a commit is on the disk when it returns. WAL: others can read meanwhile, for a backup.

    Matches are written to in turn, and with them the same pages again and again: the latest stay in
    memory (KiB; the system keeps the others), and go from the journal to their place less often
    (pages).
    """
    cursor = connection.cursor()
    for pragma in (
        *("journal_mode=WAL", "synchronous=FULL"),
        *("cache_size=-8192", "wal_autocheckpoint=8000"),
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
