"""All matches of a server go to another place: from a folder to a database, or back. Nobody serves
either meanwhile, and the place they come from stays as it is.

Logs go before what tells how their matches were made: no match is there before its whole log is,
even if this is interrupted. Done again, it goes on.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ..core.errors import BattleboxError
from .store import InUse, StoreError
from .store.base import NO_DRIVER, SCHEMES, shown
from .store.migrate import NEWEST, version_of
from .store.schema import FORMAT, about, log, matches
from .store.sqlite import FILE, SqliteStore, check_journal, check_pages, engine_at, error_of, only
from .upkeep import Progress, reading

ROWS = 1_000  # that are read at once, and written in one transaction
TABLES = (log, matches)  # in the order in which they go
Rows = Sequence[sa.Row[Any]]
Key = tuple[object, ...]  # the columns of a row that tell it from others
Error = Callable[[Exception], StoreError]  # what to say of a driver's error


@dataclass(frozen=True)
class Transferred:
    """What is in the new place now. source, target: as messages name them."""

    source: str
    target: str
    matches: int
    entries: int

    def __str__(self) -> str:
        return (
            f"{self.matches:,} matches with {self.entries:,} entries moved to {self.target}; "
            f"nothing was removed from {self.source}."
        )


def transfer(source: str, target: str, hear: Progress) -> Transferred:
    """Moves all matches, and the key that their links are made with. Each place is a folder, or the
    URL of a database. hear: is told of rows.

    Errors: BattleboxError; StoreError: a place cannot be used, or has other matches; InUse.
    """
    if _where(source) == _where(target):
        raise BattleboxError("FROM and TO are the same place: give two")
    with _opened(source, is_new=False) as old, _opened(target, is_new=True) as new:
        there = new.count()
        work = _Work(hear, there + 2 * old.count())
        if there:
            _check_that_all_is_of(old, new, work)
        else:
            new.set_key(old.key())
        sums = [_copied(old, new, t, work) for t in TABLES]
        for table, sum_ in zip(TABLES, sums, strict=True):
            _check_that_it_arrived(new, table, sum_, work)
        entries, made = (x.rows for x in sums)
        return Transferred(old.where, new.where, made, entries)


def _check_that_all_is_of(old: _Side, new: _Side, work: _Work) -> None:
    """Errors: StoreError, if the new place has what the old one has not."""
    nothing = "Nothing was changed; give an empty place"
    if new.key() != old.key():
        raise StoreError(
            f"{new.where} has matches of another server than {old.where}: their links are made "
            f"with another key. {nothing}"
        )
    for table in TABLES:
        for rows in new.rows(table):
            known = old.same(table, rows)
            for row in rows:
                there = known.get(_key(table, row))
                if there != row:
                    how = "has not" if there is None else "has otherwise"
                    what = f"{new.where} has {_named(table, row)}, which {old.where} {how}"
                    raise StoreError(f"{what}. {nothing}")
            work.did(len(rows))


def _copied(old: _Side, new: _Side, table: sa.Table, work: _Work) -> _Sum:
    """Writes what is not there yet; gives the sum of what is to be there."""
    sum_ = _Sum()
    for rows in old.rows(table):
        there = new.same(table, rows)
        new.add(table, [x for x in rows if _key(table, x) not in there])
        sum_.add(rows)
        work.did(len(rows))
    return sum_


def _check_that_it_arrived(new: _Side, table: sa.Table, expected: _Sum, work: _Work) -> None:
    """Errors: StoreError, if what is read back is something else."""
    found = _Sum()
    for rows in new.rows(table):
        found.add(rows)
        work.did(len(rows))
    if found != expected:
        raise StoreError(
            f"{new.where}: what was read back is not what was written: {found.rows:,} rows of "
            f"`{table.name}` with the checksum {found.digest:032x}, not {expected.rows:,} with "
            f"{expected.digest:032x}. Do not serve it"
        )


@dataclass
class _Sum:
    """Of rows, in whatever order they come, as databases sort text in different ways: an entry has
    its place in itself.
    """

    rows: int = 0
    digest: int = 0

    def add(self, rows: Rows) -> None:
        self.rows += len(rows)
        for row in rows:
            text = repr(tuple(row)).encode()
            self.digest += int.from_bytes(blake2b(text, digest_size=16).digest())
        self.digest %= 1 << 128


class _Work:
    """Tells how far it is."""

    def __init__(self, hear: Progress, of: int) -> None:
        self._hear, self._of, self._done = hear, of, 0

    def did(self, rows: int) -> None:
        self._done += rows
        self._hear(self._done, self._of)


# ---- a place -------------------------------------------------------------------------------------
class _Side:
    """One of the two places. All its methods: errors: StoreError."""

    def __init__(self, where: str, connection: sa.Connection, error: Error) -> None:
        """where: as messages name it. It is checked that this battlebox can read what is there."""
        self.where, self._connection, self._error = where, connection, error
        self._result: sa.CursorResult[Any] | None = None  # that is being read
        with self._connected() as c:
            found = version_of(c)
        if found is None:
            raise StoreError(f"{where}: there are no matches (no tables of battlebox)")
        if found != NEWEST:
            raise StoreError(
                f"{where}: its tables are of version {found}, those of this battlebox of {NEWEST}: "
                "the newest battlebox changes older ones when it serves them once"
            )
        if (kept := self._known("format")) != FORMAT:
            raise StoreError(f"{where}: of format {kept}; this battlebox reads {FORMAT}")

    @contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        with _said_by(self._error):
            yield self._connection

    def _known(self, name: str) -> str | None:
        with self._connected() as c:
            found: str | None = c.scalar(sa.select(about.c.value).where(about.c.name == name))
        return found

    def close(self) -> None:
        """Reads no further, whatever went wrong."""
        if self._result:
            self._result.close()

    def key(self) -> str:
        """What links are made with."""
        if key := self._known("key"):
            return key
        raise StoreError(f"{self.where}: the key that links are made with is missing")

    def set_key(self, key: str) -> None:
        """Links are to be made with this one."""
        with self._connected() as c:
            c.execute(about.update().where(about.c.name == "key").values(value=key))
            c.commit()

    def count(self) -> int:
        """How many rows there are."""
        with self._connected() as c:
            return sum(c.scalar(sa.select(sa.func.count()).select_from(t)) or 0 for t in TABLES)

    def rows(self, table: sa.Table) -> Iterator[Rows]:
        """All, some at a time."""
        chosen = sa.select(table).order_by(*table.primary_key.columns)
        with self._connected() as c:
            self._result = c.execute(chosen, execution_options={"yield_per": ROWS})
            yield from self._result.partitions()

    def same(self, table: sa.Table, rows: Rows) -> dict[Key, sa.Row[Any]]:
        """The rows that are here under the keys of these, which are in order, and some more."""
        id, *others = table.primary_key.columns
        chosen = sa.select(table).where(id.in_([*dict.fromkeys(x[0] for x in rows)]))
        for k, column in enumerate(others, 1):  # a long log comes in several parts
            numbers = [x[k] for x in rows]
            chosen = chosen.where(column.between(min(numbers), max(numbers)))
        with self._connected() as c:
            return {_key(table, x): x for x in c.execute(chosen).all()}

    def add(self, table: sa.Table, rows: Rows) -> None:
        """Writes these."""
        with self._connected() as c:
            if rows:
                c.execute(table.insert(), [dict(x._mapping) for x in rows])
            c.commit()


@contextmanager
def _said_by(error: Error) -> Iterator[None]:
    """The driver's errors become ours."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as e:
        raise error(e) from None


def _key(table: sa.Table, row: sa.Row[Any]) -> Key:
    return tuple(row[: len(table.primary_key.columns)])  # its first columns


def _named(table: sa.Table, row: sa.Row[Any]) -> str:
    return f"match {row.id}" if table is matches else f"entry {row.seq} of match {row.match}"


def _where(place: str) -> tuple[object, ...]:
    """The same for all names of a place. Errors: BattleboxError, if it is none."""
    if place.startswith(SCHEMES):
        url = _engine(place).url
        return url.host, url.port or 5432, url.database, url.query.get("host")
    if re.match(r"\w\w+:/", place) or "password=" in place:  # nothing of it is shown
        raise BattleboxError("give a folder, or postgresql://USER@HOST:PORT/NAME")
    return (Path(place).expanduser().resolve(),)


def _opened(place: str, is_new: bool) -> AbstractContextManager[_Side]:
    """A place that nobody serves meanwhile, nor begins to. is_new: it is made, if it is not there;
    else it is only read, as it is at one moment. Errors: StoreError; BattleboxError.
    """
    if place.startswith(SCHEMES):
        return _database(place, is_new)
    folder = Path(place).expanduser()
    return _new_folder(folder) if is_new else _old_folder(folder)


@contextmanager
def _database(url: str, is_new: bool) -> Iterator[_Side]:
    engine = _engine(url)
    from .store import postgres

    where = shown(engine.url)
    error = partial(postgres.error_of, where)
    old = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    how = {"isolation_level": "READ COMMITTED"} if is_new else old
    with ExitStack() as stack, _said_by(error):
        stack.callback(engine.dispose)
        if is_new:
            postgres.PostgresStore(url).close()  # as a server finds it, or makes it
        with postgres.alone(engine), engine.connect().execution_options(**how) as c:
            # to count may take long, and each side waits while the other one is read
            c.exec_driver_sql("SET statement_timeout = 0")
            c.exec_driver_sql("SET idle_in_transaction_session_timeout = 0")
            c.commit()
            with closing(_Side(where, c, error)) as side:
                yield side


def _engine(url: str) -> sa.Engine:
    try:
        from .store import postgres
    except ImportError:
        raise BattleboxError(NO_DRIVER) from None
    return postgres.engine_at(url)


@contextmanager
def _old_folder(folder: Path) -> Iterator[_Side]:
    path = folder / FILE
    if not path.exists():
        raise BattleboxError(f"{folder}: there are no matches ({FILE}) in this folder")
    error = partial(error_of, path)
    with ExitStack() as stack:
        with _said_by(error), _advice():
            db = stack.enter_context(reading(path, alone=True)).db
        check_journal(path)
        engine = sa.create_engine("sqlite://", creator=lambda: db, poolclass=sa.StaticPool)
        with _said_by(error), engine.connect() as c:
            db.rollback()  # SQLAlchemy has tried it: the moment begins now
            c.exec_driver_sql("BEGIN")
            check_pages(c, path)
            with closing(_Side(str(path), c, error)) as side:
                yield side


@contextmanager
def _new_folder(folder: Path) -> Iterator[_Side]:
    path = folder / FILE
    error = partial(error_of, path)
    with ExitStack() as stack:
        with _advice():
            SqliteStore(folder).close()  # as a server finds it, or makes it
            stack.enter_context(only(folder))
        engine = engine_at(path)
        stack.callback(engine.dispose)
        with (
            _said_by(error),
            engine.connect() as c,
            closing(_Side(str(path), c, error)) as side,
        ):
            yield side


@contextmanager
def _advice() -> Iterator[None]:
    """Says what to do about a folder that is in use."""
    try:
        yield
    except InUse as e:
        raise InUse(f"{e}: stop that one first") from None
