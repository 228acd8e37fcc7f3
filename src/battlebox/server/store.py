"""The log on disk: what is written here is said to have happened, and nothing else.

One writer thread takes all entries that wait, writes them in one transaction, and only then wakes
those who wait for them: a commit costs the disk the same for one entry as for a hundred.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from filelock import FileLock, Timeout
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from ..core.errors import BattleboxError
from . import wal

logger = logging.getLogger("battlebox")

with contextlib.suppress(ImportError):  # Windows has none, and there nobody shares
    import fcntl

FORMAT = "1"
FILE = "matches.sqlite"
JOURNAL = "-wal"  # of SQLite: its name ends so
TURN = "turn.lock"  # whose it is to write, where several processes do
ONLY = "server.lock"  # held by the server that uses the folder
WAIT = 10  # seconds for a lock of SQLite's
BATCH = 100  # matches that are looked at together, to find old ones
PROBE = 5.0  # seconds for the writer to show that it works
HELD = 30.0  # seconds for which a failure counts, unless a match could be written to since

schema = sa.MetaData()
about = sa.Table(
    "about",
    schema,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)
matches = sa.Table(
    "matches",
    schema,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("made", sa.Float, nullable=False),  # seconds since 1970
    sa.Column("setup", sa.String, nullable=False),  # JSON: game, options, seats ...
    sa.Column("secret", sa.LargeBinary, nullable=False),  # of the chance
    sa.Column("after", sa.String, unique=True),  # the match that this one is the rematch of
)
log = sa.Table(
    "log",
    schema,
    sa.Column("match", sa.String, primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True),  # 0, 1, ... within the match
    sa.Column("action", sa.String),  # "SEAT:ID" of the command; NULL: a bot's
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.String, nullable=False),  # JSON
    sa.UniqueConstraint("match", "action"),
)


# what is written, in statements that get a row each. Made once: to have them made for every commit
# costs more than the commit
ADD_MATCH, ADD_ENTRY = (
    (str(x.insert().compile(dialect=sqlite.dialect())),) for x in (matches, log)
)
PROBE_IT = ("INSERT OR REPLACE INTO about VALUES (?, ?)",)
DELETE = ("DELETE FROM log WHERE match = ?", "DELETE FROM matches WHERE id = ?")
OLD = sa.text(
    "SELECT rowid, id,"
    " coalesce((SELECT at FROM log WHERE match = id ORDER BY seq DESC LIMIT 1), made)"
    " FROM matches WHERE rowid > :after AND made < :before ORDER BY rowid LIMIT :most"
)


class StoreError(BattleboxError):
    """The log cannot be read or written: a full disk, another server, a damaged file."""


class InUse(StoreError):
    """Another process has the log open."""


class Conflict(StoreError):
    """This place of the log, this action or this match is there already."""


class Entry(NamedTuple):
    """A line of a match's log."""

    seq: int
    action: str | None
    at: float
    body: str


@dataclass(frozen=True)
class Setup:
    """How a match was made."""

    id: str
    made: float
    setup: str
    secret: bytes
    after: str | None


class _Order(NamedTuple):
    """A row to write, and who waits for it."""

    statements: tuple[str, ...]
    row: tuple[Any, ...]
    done: asyncio.Future[None]


@dataclass
class _Group:
    """Orders that go to the writer together, and wake those who wait for them together."""

    loop: asyncio.AbstractEventLoop
    orders: list[_Order] = field(default_factory=list)

    def wake(self, errors: dict[int, StoreError]) -> None:
        """They are written, but for those that had an error; in the loop."""
        for k, order in enumerate(self.orders):
            if order.done.done():
                continue  # who waited has been cancelled
            if error := errors.get(k):
                order.done.set_exception(error)
            else:
                order.done.set_result(None)


class Store:
    """The matches of one folder. Only one process at a time has it open."""

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        """shared: with other processes of this server, which write in turn with it.

        Errors: StoreError if the folder cannot be used, or another server uses it.
        """
        self.path = folder / FILE
        self.trouble = ""  # why nothing can be written now
        self.unsaved = 0  # times that it could not
        self._failed = 0.0  # when it could not, last
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise _unusable(folder, e) from None
        with contextlib.ExitStack() as held:
            if not shared:
                held.enter_context(only(folder))
                check_journal(self.path)
            self._open(folder, held, shared)
            self._held = held.pop_all()  # until the store is closed

    def _open(self, folder: Path, held: contextlib.ExitStack, shared: bool) -> None:
        try:
            is_new = not self.path.exists()
            self.path.touch(mode=0o600)  # it holds secrets of matches under way
        except OSError as e:
            raise _unusable(folder, e) from None
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)),
            connect_args={"timeout": WAIT, "check_same_thread": False},
            poolclass=sa.StaticPool,  # one connection, guarded by `_lock`
        )
        held.callback(self._engine.dispose)
        sa.event.listen(self._engine, "connect", _configure)
        self._lock = threading.Lock()
        self._turn: contextlib.AbstractContextManager[None] = (
            _Turn(folder / TURN) if shared else contextlib.nullcontext()
        )
        self._group: _Group | None = None  # that is gathering
        self._groups: queue.SimpleQueue[_Group | None] = queue.SimpleQueue()
        try:
            if not (is_new or shared):
                self._check()
            with self._engine.begin() as c:
                schema.create_all(c)
            self.key = bytes.fromhex(self._remember("key", secrets.token_hex(32)))
            found = self._remember("format", FORMAT)
        except (DBAPIError, ValueError) as e:
            raise _error(self.path, e) from None
        if found != FORMAT:
            raise StoreError(f"{self.path}: of format {found}; this battlebox reads {FORMAT}")
        self._writer = threading.Thread(target=self._write, name="log-writer", daemon=True)
        self._writer.start()

    def _remember(self, name: str, value: str) -> str:
        """What is known under a name; the value, if nothing was."""
        with self._lock, self._engine.begin() as c:
            found = c.scalar(sa.select(about.c.value).where(about.c.name == name))
            if found is None:
                c.execute(about.insert().values(name=name, value=value))
            return str(value if found is None else found)

    def _check(self) -> None:
        """Errors: StoreError, if the database is damaged."""
        with self._engine.connect() as c:
            said = str(c.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        if said != "ok":
            raise damaged(self.path, said)

    # ---- reading ----
    def setup(self, id: str) -> Setup | None:
        """How a match was made; None: there is none of that id."""
        row = self._one(sa.select(matches).where(matches.c.id == id))
        return None if row is None else Setup(**row._mapping)

    def rematch(self, id: str) -> Setup | None:
        """The match that follows another."""
        row = self._one(sa.select(matches).where(matches.c.after == id))
        return None if row is None else Setup(**row._mapping)

    def entries(self, id: str) -> list[Entry]:
        """The log of a match."""
        chosen = sa.select(log.c.seq, log.c.action, log.c.at, log.c.body)
        rows = self._all(chosen.where(log.c.match == id).order_by(log.c.seq))
        return [Entry(*row) for row in rows]

    def quiet_since(self, before: float) -> Iterator[list[str]]:
        """Matches in which nothing has happened since then (seconds since 1970), some at a time.

        Errors: StoreError.
        """
        last = 0
        while rows := self._all(OLD.bindparams(after=last, before=before, most=BATCH)):
            last = rows[-1][0]
            yield [id for _, id, at in rows if at < before]

    def _one(self, select: sa.Select[Any]) -> sa.Row[Any] | None:
        return next(iter(self._all(select)), None)

    def _all(self, select: sa.Executable) -> Sequence[Any]:
        try:
            with self._lock, self._engine.connect() as c:
                return c.execute(select).all()
        except DBAPIError as e:
            raise _error(self.path, e) from None

    # ---- writing ----
    async def add_match(self, setup: Setup) -> None:
        """Returns when the match is on disk. Errors: Conflict, StoreError."""
        row = (setup.id, setup.made, setup.setup, setup.secret, setup.after)
        await self._submit(ADD_MATCH, row)

    async def append(self, match: str, entry: Entry) -> None:
        """Returns when the entry is on disk. Errors: Conflict, StoreError."""
        await self._submit(ADD_ENTRY, (match, entry.seq, entry.action, entry.at, entry.body))

    async def delete(self, id: str) -> None:
        """Returns when a match and its log are gone from the disk. Errors: StoreError."""
        await self._submit(DELETE, (id,))

    async def probe(self) -> str:
        """Writes something of no importance. Gives what is wrong; empty: it is on disk."""
        try:
            async with asyncio.timeout(PROBE):
                await self._submit(PROBE_IT, ("probe", ""))
        except TimeoutError:
            return "the disk does not answer"
        except StoreError as e:
            return self.trouble or str(e)
        if time.monotonic() - self._failed > HELD:
            self.trouble = ""
        return self.trouble

    async def _submit(self, statements: tuple[str, ...], row: tuple[Any, ...]) -> None:
        if not self._writer.is_alive():
            self.trouble = "the thread that writes the log has ended"
            raise StoreError(f"{self.path}: {self.trouble}")
        group = self._group
        if group is None:
            loop = asyncio.get_running_loop()
            self._group = group = _Group(loop)
            loop.call_soon(self._hand_over)
        done = group.loop.create_future()
        group.orders.append(_Order(statements, row, done))
        await done

    def _hand_over(self) -> None:
        """Gives the writer all that came up in this turn of the loop."""
        self._groups.put(self._group)
        self._group = None

    def close(self) -> None:
        """Writes what waits, and lets others have the folder."""
        self._groups.put(None)
        self._writer.join()
        self._held.close()

    def _write(self) -> None:
        """The writer thread."""
        going = True
        while going:
            waiting = [self._groups.get()]
            # what came while the last entries were written goes into one transaction
            while not self._groups.empty():
                waiting.append(self._groups.get())
            going = None not in waiting
            groups = [x for x in waiting if x is not None]
            failed = groups and self._commit([x for g in groups for x in g.orders]) is not None
            for g in groups:
                errors = dict[int, StoreError]()
                if failed:  # one of them is at fault: each by itself
                    alone = {k: self._commit([x]) for k, x in enumerate(g.orders)}
                    errors = {k: e for k, e in alone.items() if e is not None}
                with contextlib.suppress(RuntimeError):  # a loop that is closed waits for nothing
                    g.loop.call_soon_threadsafe(g.wake, errors)

    def _commit(self, orders: Sequence[_Order]) -> StoreError | None:
        """One transaction; the error if nothing of it was written."""
        try:
            with self._lock, self._engine.connect() as c:
                # straight to the driver: this is the one place where every move passes
                db = c.connection.driver_connection
                assert db is not None
                with self._turn, db:
                    for statements in (ADD_MATCH, ADD_ENTRY, PROBE_IT, DELETE):
                        if rows := [x.row for x in orders if x.statements is statements]:
                            for text in statements:
                                db.executemany(text, rows)
        except sqlite3.IntegrityError as e:
            return Conflict(f"{self.path}: {e}")
        except Exception as e:  # whatever it is, nobody may wait for ever
            self.trouble, self.unsaved = str(e) or repr(e), self.unsaved + 1
            self._failed = time.monotonic()
            return StoreError(f"{self.path}: {e}")
        if any(
            x.statements is not PROBE_IT for x in orders
        ):  # a probe may find room where a move does not
            self.trouble = ""
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


class _Turn:
    """Processes that write in turn: one sleeps until its turn comes, as SQLite would not."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> None:
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        fcntl.flock(self._file, fcntl.LOCK_UN)


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


def _error(path: Path, error: Exception) -> StoreError:
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    if "locked" in said:
        return InUse(f"{path} is in use by another battlebox")
    if any(x in said for x in ("malformed", "not a database", "non-hexadecimal")):
        return damaged(path, said)
    return StoreError(f"{path}: {said}")
