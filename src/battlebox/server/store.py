"""The log on disk: what is written here is said to have happened, and nothing else.

One writer thread takes all entries that wait, writes them in one transaction, and only then wakes
those who wait for them: a commit costs the disk the same for one entry as for a hundred.
"""

from __future__ import annotations

import asyncio
import queue
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError

from ..core.errors import BattleboxError

FORMAT = "1"
FILE = "matches.sqlite"

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
    sa.Column("action", sa.String),  # "SEAT:ID": who asked, and the id he gave it; NULL: a bot's
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("body", sa.String, nullable=False),  # JSON
    sa.UniqueConstraint("match", "action"),
)


# written once: to have them made for every commit costs more than the commit
INSERTS = {x: str(x.insert().compile(dialect=sqlite.dialect())) for x in (matches, log)}


class StoreError(BattleboxError):
    """The log cannot be read or written: a full disk, another server, a damaged file."""


class Conflict(StoreError):
    """This place of the log, this action or this match is there already."""


@dataclass(frozen=True)
class Entry:
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


@dataclass(frozen=True)
class _Order:
    """Rows to write, and who waits for them."""

    table: sa.Table
    row: dict[str, Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class Store:
    """The matches of one folder. Only one process at a time has it open."""

    def __init__(self, folder: Path) -> None:
        """Errors: StoreError if the folder cannot be used, or another server uses it."""
        self.path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.path.touch(mode=0o600)  # it holds secrets of matches under way
        except OSError as e:
            raise StoreError(f"{folder}: matches cannot be kept there: {e.strerror}") from None
        self._engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)),
            connect_args={"timeout": 0.5, "check_same_thread": False},
            poolclass=sa.StaticPool,  # one connection, guarded by `_lock`
        )
        sa.event.listen(self._engine, "connect", _configure)
        self._lock = threading.Lock()
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        try:
            with self._engine.begin() as c:
                schema.create_all(c)
            self.key = bytes.fromhex(self._remember("key", secrets.token_hex(32)))
            found = self._remember("format", FORMAT)
        except DBAPIError as e:
            self._engine.dispose()
            raise StoreError(_reason(self.path, e)) from None
        if found != FORMAT:
            self._engine.dispose()
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
        with self._lock, self._engine.connect() as c:
            rows = c.execute(chosen.where(log.c.match == id).order_by(log.c.seq)).all()
        return [Entry(*row) for row in rows]

    def count(self) -> int:
        """How many matches there are."""
        row = self._one(sa.select(sa.func.count()).select_from(matches))
        return int(row[0]) if row else 0

    def _one(self, select: sa.Select[Any]) -> sa.Row[Any] | None:
        with self._lock, self._engine.connect() as c:
            return c.execute(select).first()

    # ---- writing ----
    async def add_match(self, setup: Setup) -> None:
        """Returns when the match is on disk. Errors: Conflict, StoreError."""
        await self._submit(matches, vars(setup))  # in the order of the columns

    async def append(self, match: str, entry: Entry) -> None:
        """Returns when the entry is on disk. Errors: Conflict, StoreError."""
        await self._submit(log, {"match": match, **vars(entry)})

    async def _submit(self, table: sa.Table, row: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._orders.put(_Order(table, row, loop, done))
        await done

    def close(self) -> None:
        """Writes what waits, and lets others have the folder."""
        self._orders.put(None)
        self._writer.join()
        self._engine.dispose()

    def _write(self) -> None:
        """The writer thread."""
        going = True
        while going:
            orders = [self._orders.get()]
            while not self._orders.empty():
                orders.append(self._orders.get())
            going = None not in orders
            wanted = [x for x in orders if x is not None]
            if not wanted:
                continue
            results: list[StoreError | None] = [None] * len(wanted)
            if self._commit(wanted) is not None:  # one of them is at fault: each by itself
                results = [self._commit([x]) for x in wanted]
            by_loop: dict[asyncio.AbstractEventLoop, list[tuple[_Order, StoreError | None]]] = {}
            for order, result in zip(wanted, results, strict=True):
                by_loop.setdefault(order.loop, []).append((order, result))
            for loop, told in by_loop.items():
                if not loop.is_closed():
                    loop.call_soon_threadsafe(_tell, told)

    def _commit(self, orders: Sequence[_Order]) -> StoreError | None:
        """One transaction; the error if nothing of it was written."""
        try:
            with self._lock, self._engine.begin() as c:
                for table, text in INSERTS.items():
                    if rows := [tuple(x.row.values()) for x in orders if x.table is table]:
                        c.exec_driver_sql(text, rows)
        except IntegrityError as e:
            return Conflict(f"{self.path}: {e.orig}")
        except DBAPIError as e:
            return StoreError(_reason(self.path, e))
        except Exception as e:  # whatever it is, nobody may wait for ever
            return StoreError(f"{self.path}: {e}")
        return None


def _tell(told: Sequence[tuple[_Order, StoreError | None]]) -> None:
    for order, error in told:
        if order.done.done():
            continue  # nobody waits any more
        if error is None:
            order.done.set_result(None)
        else:
            order.done.set_exception(error)


def _configure(connection: Any, _record: Any) -> None:
    """FULL: a commit is on the disk when it returns. EXCLUSIVE: no second process."""
    cursor = connection.cursor()
    for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _reason(path: Path, error: DBAPIError) -> str:
    said = str(error.orig)
    if "locked" in said:
        return f"{path} is in use by another battlebox"
    return f"{path}: {said}"


def now() -> float:
    """The time as the log has it."""
    return time.time()
