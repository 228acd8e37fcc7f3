"""The log in PostgreSQL, for any number of nodes. None of them owns a match: each writes what it
has decided at the place that it thinks is next, and the table's guards let one of them be it.

Who writes here tells the others after the commit, in one notice with the ids of the matches (inside
the transaction it would make all commits wait for one lock). Notices may be lost: who listens also
looks for itself now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from .base import (
    SCHEMES,
    Conflict,
    Heard,
    InUse,
    Kind,
    Order,
    OutcomeUnknown,
    Store,
    StoreError,
    shown,
)
from .migrate import LOCK, migrate
from .schema import about, nodes

if TYPE_CHECKING:
    from psycopg import Connection

CHANNEL = "battlebox"
MOST = 400  # ids in a notice, which has 8,000 bytes
LOOKED_AT = "~"  # in a notice before the id of a match that more or fewer look at
BEAT = 1.0  # seconds after which a node says again that it is there
LATE = 2.0  # seconds by which that may be late, until its database counts as silent
LOOK_AGAIN = 3.0  # seconds after which a node looks for itself whether others have written
GONE = 12.0  # seconds after which it is not, if it has not said so
GIVE_UP = 10.0  # seconds from the first failure on, for which it is tried again to write
FORGOTTEN = 86_400  # seconds since somebody made a match, until nobody knows of it any more
FORGET_AGAIN = 3_600  # seconds until what need not be known any more is looked for again
AWAY = "the database does not answer"
PAUSE = 0.1  # seconds until the next try
SLOW = 10_000  # milliseconds that a statement may take
#: milliseconds after which the database ends a transaction of a node that says nothing more (it
#: stands still, or cannot be reached): for what it holds all others wait
SILENT = 1_000
KINDS = get_args(Kind)  # in the order of a transaction
DATABASE_GONE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.ReadOnlySqlTransaction,  # another database has taken its place
)
log = logging.getLogger("battlebox")

#: a line that is dead is found out in seconds, and not in hours
CONNECT = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": f"-c statement_timeout={SLOW} -c idle_in_transaction_session_timeout={SILENT}"
    " -c synchronous_commit=on",
}
ADD_MATCHES = """\
INSERT INTO matches (id, made, setup, secret, after)
SELECT * FROM unnest(%s::text[], %s::float8[], %s::text[], %s::bytea[], %s::text[])
ON CONFLICT DO NOTHING RETURNING id"""
#: none that would leave a gap: a database may have lost, as another took its place, what a node
#: still remembers
ADD_ENTRIES = """\
WITH new (match, seq, action, at, body) AS
(SELECT * FROM unnest(%s::text[], %s::int[], %s::text[], %s::float8[], %s::text[]))
INSERT INTO log (match, seq, action, at, body)
SELECT new.* FROM new JOIN matches ON matches.id = new.match
WHERE new.seq = 0
OR EXISTS (SELECT FROM log WHERE log.match = new.match AND log.seq = new.seq - 1)
OR EXISTS (SELECT FROM new AS old WHERE old.match = new.match AND old.seq = new.seq - 1)
ON CONFLICT DO NOTHING RETURNING match, seq"""
PROBE = "INSERT INTO about VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
MATCH = "SELECT id, made, setup, secret, after FROM matches WHERE id = %s"
ENTRY = "SELECT match, seq, action, at, body FROM log WHERE match = %s AND seq = %s"
FRESH = f"nodes.seen > now() - interval '{GONE} seconds'"
UNSEEN = (
    "NOT EXISTS (SELECT FROM looking JOIN nodes USING (node)"
    f" WHERE looking.match = {{}} AND {FRESH})"
)
DELETE = (  # unless somebody looks on
    f"DELETE FROM log WHERE match = ANY(%s) AND {UNSEEN.format('log.match')}",
    f"DELETE FROM matches WHERE id = ANY(%s) AND {UNSEEN.format('matches.id')}",
)
#: whether the node was unknown: new, or forgotten meanwhile
BE_HERE = """\
INSERT INTO nodes (node, seen, plays) VALUES (%s, now(), %s)
ON CONFLICT (node) DO UPDATE SET seen = excluded.seen RETURNING xmax = 0"""
FORGET = (  # nodes that ended without a word, and who has made a match long ago
    f"DELETE FROM nodes WHERE NOT {FRESH}",
    "DELETE FROM looking WHERE node NOT IN (SELECT node FROM nodes)",
    "DELETE FROM under_way WHERE node NOT IN (SELECT node FROM nodes)",
    f"DELETE FROM makers WHERE at < extract(epoch FROM now()) - {FORGOTTEN}",
)
MAY_MAKE = sa.text("""\
INSERT INTO makers (maker, allowed, at) VALUES (:maker, :burst - 1, :at)
ON CONFLICT (maker) DO UPDATE SET at = greatest(makers.at, :at),
    allowed = least(:burst, makers.allowed + greatest(0, :at - makers.at) * :rate) - 1
WHERE least(:burst, makers.allowed + greatest(0, :at - makers.at) * :rate) >= 1
RETURNING allowed""")
UNDER_WAY = sa.text(
    "SELECT coalesce(sum(matches), 0) FROM under_way JOIN nodes USING (node)"
    f" WHERE maker = :maker AND node <> :node AND {FRESH}"
)
NONE_UNDER_WAY = sa.text("DELETE FROM under_way WHERE node = :node")
ADD_UNDER_WAY = sa.text(
    "INSERT INTO under_way (maker, node, matches) SELECT maker, :node, matches"
    " FROM unnest(CAST(:makers AS bytea[]), CAST(:matches AS int[])) AS new (maker, matches)"
)
LOOK_AWAY = "DELETE FROM looking WHERE node = %s AND match = ANY(%s)"
LOOK = """\
INSERT INTO looking (node, match, seat, windows)
SELECT %s, * FROM unnest(%s::text[], %s::int[], %s::int[])"""
PLAYED = sa.text(f"SELECT DISTINCT unnest(plays) FROM nodes WHERE node <> :node AND {FRESH}")
DATE = sa.text("SELECT extract(epoch FROM clock_timestamp())")
ELSEWHERE = sa.text(
    "SELECT match, seat, sum(windows) FROM looking JOIN nodes USING (node)"
    f" WHERE match = ANY(:ids) AND node <> :node AND {FRESH} GROUP BY match, seat"
)
LENGTHS = sa.text(
    "SELECT id, coalesce((SELECT seq FROM log WHERE match = id ORDER BY seq DESC LIMIT 1), -1) + 1"
    " FROM unnest(CAST(:ids AS text[])) AS id"
)


def engine_at(url: str) -> sa.Engine:
    """The database of a URL. Errors: StoreError, if it is none."""
    try:
        where = sa.make_url(url.replace(SCHEMES[1], SCHEMES[0], 1))
    except (sa.exc.ArgumentError, ValueError):  # nothing of it is shown: it may hold a password
        raise StoreError("postgresql://...: this is no URL of a database") from None
    engine = sa.create_engine(
        where.set(drivername="postgresql+psycopg"),
        connect_args=CONNECT,
        pool_pre_ping=True,
        pool_size=8,  # kept: to make one takes a busy database seconds
        max_overflow=0,
        isolation_level="AUTOCOMMIT",
    )

    @sa.event.listens_for(engine, "connect")
    def never_older_than_its_pool(_: object, record: Any) -> None:
        # a pool compares when it was given up with when a line was made, by the machine's clock:
        # while that has gone back, each new line would count as an old one
        given_up = getattr(engine.pool, "_invalidate_time", 0.0)
        record.starttime = max(record.starttime, given_up)

    return engine


@contextlib.contextmanager
def alone(engine: sa.Engine) -> Iterator[None]:
    """No node uses the database meanwhile, and none can start.

    Errors: InUse; also at the end, if a node has come back that could not reach it.
    """
    where = shown(engine.url)
    with engine.connect() as c:
        c.detach()  # the lock ends with the connection, which goes back to no pool
        if not c.scalar(sa.text("SELECT pg_try_advisory_lock(:key)"), {"key": LOCK}):
            raise InUse(f"{where} is in use by another battlebox, which starts, or moves matches")
        if there := _living(c):
            raise InUse(
                f"{where} is in use by {there}: stop all servers that use it first. One that was "
                f"killed is forgotten after {GONE:.0f} seconds"
            )
        yield
        if there := _living(c):
            raise InUse(
                f"{where} was used by {there} meanwhile, and what was written then may be missing: "
                "stop all servers that use it, and do it again"
            )


def _living(c: sa.Connection) -> str:
    """The nodes that are there, in words; empty: none is."""
    if not sa.inspect(c).has_table(nodes.name):
        return ""
    return ", ".join(
        c.scalars(sa.select(nodes.c.node).where(sa.text(FRESH)).order_by(nodes.c.node))
    )


def error_of(where: str, error: Exception) -> StoreError:
    """What to say of an error of the driver's."""
    said = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    return StoreError(f"{where}: {' '.join(said.split())}")


class PostgresStore(Store):
    """The matches of a database, of which this is one of the nodes."""

    shared = True
    older = sa.text(
        "SELECT id, id,"
        " coalesce((SELECT at FROM log WHERE match = id ORDER BY seq DESC LIMIT 1), made)"
        " FROM matches WHERE id > coalesce(CAST(:after AS text), '') AND made < :before"
        " ORDER BY id LIMIT :most"
    )

    def __init__(self, url: str) -> None:
        """url: postgresql://USER:PASSWORD@HOST:PORT/DATABASE. Errors: StoreError."""
        engine = engine_at(url)
        super().__init__(engine, shown(engine.url))
        self._writes = _Line(self._connect)
        self._claims = _Line(self._connect)
        self._telling = set[asyncio.Task[None]]()
        self._closing = threading.Event()
        self._heard: Heard | None = None
        self._plays: list[str] = []
        self._told_under_way = dict[str, int]()
        self._listener: threading.Thread | None = None
        self._answered = 0.0  # when the listener was, last
        with contextlib.ExitStack() as held:
            held.callback(engine.dispose)
            try:
                migrate(engine)
                self._begin()
            except (DBAPIError, *DATABASE_GONE, ValueError) as e:
                raise self._error(e) from None
            held.pop_all()  # until the store is closed

    @property
    def answers(self) -> bool:
        # by the listener alone: a slow disk, or a standby that is away, lets nodes read on
        return not self._listener or time.monotonic() < self._answered + BEAT + LATE

    def _connect(self) -> Connection[Any]:
        """A connection of its own, to be kept."""
        words, named = self._engine.dialect.create_connect_args(self._engine.url)
        return psycopg.connect(
            *words, **{**named, **CONNECT}, application_name=self.node, autocommit=True
        )

    def _remember(self, name: str, value: str) -> str:
        with self._engine.connect() as c:
            row = {"name": name, "value": value}
            c.execute(
                sa.text("INSERT INTO about VALUES (:name, :value) ON CONFLICT DO NOTHING"), row
            )
            return str(c.scalar(sa.select(about.c.value).where(about.c.name == name)))

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sa.Connection]:
        pool = self._engine.pool
        try:
            with self._engine.connect() as c:
                yield c
        finally:
            if self._closing.is_set():  # it came back to a pool that was given up, or to the next
                pool.dispose()
                self._engine.dispose()

    def _error(self, error: Exception) -> StoreError:
        return error_of(self.where, error)

    def close(self) -> None:
        """Writes what waits, and lets go of everything: other nodes may have it at once."""
        self._closing.set()
        super().close()
        if self._listener:
            with contextlib.suppress(*DATABASE_GONE), self._writes.open() as line:
                line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self.node))  # it need not wait
            self._listener.join(BEAT + LATE)  # it tells others that this node is gone
        self._claims.close()
        self._writes.close()

    # ---- writing ----
    def commit(self, orders: Sequence[Order]) -> list[StoreError | None]:
        """Writes rows; what is wrong with each. While the database is away it is tried again: what
        was sent as the line broke may be written, and is found then.
        """
        until = math.inf
        while True:
            try:
                with self._writes.open() as line:
                    errors = self._transaction(line, orders)
                    self._tell(line, [x for x, e in zip(orders, errors, strict=True) if not e])
                return errors
            except DATABASE_GONE as e:
                self.trouble = AWAY
                # from the first failure on: what hung before may have been this node itself
                until = min(until, time.monotonic() + GIVE_UP)
                if time.monotonic() > until or self._closing.is_set():
                    log.warning("%s: %s: %s", self.where, AWAY, str(e) or repr(e))
                    return [OutcomeUnknown(f"{self.where}: {AWAY}")] * len(orders)
                time.sleep(PAUSE)
            except Exception as e:  # whatever it is, nobody may wait for ever
                if len(orders) == 1:
                    return [StoreError(f"{self.where}: {e}")]
                return [error for x in orders for error in self.commit([x])]  # one is at fault

    def _transaction(
        self, line: Connection[Any], orders: Sequence[Order]
    ) -> list[StoreError | None]:
        errors: list[StoreError | None] = [None] * len(orders)
        # everybody in the same order, or two nodes could wait for each other; who looks on, in the
        # order in which they came and went
        numbered = sorted(
            enumerate(orders),
            key=lambda x: (KINDS.index(x[1].kind), x[1].row[: 1 if x[1].kind == "looking" else 2]),
        )
        of: dict[Kind, list[tuple[int, tuple[Any, ...]]]] = {}
        for k, order in numbered:
            of.setdefault(order.kind, []).append((k, order.row))
        whole = line.transaction() if len(of) > 1 else contextlib.nullcontext()
        with whole:
            for kind, rows in of.items():
                for k in self._written(line, kind, rows):
                    errors[k] = Conflict(f"{self.where}: {orders[k].row[:2]} is not the next one")
        return errors

    def _written(
        self, line: Connection[Any], kind: Kind, rows: list[tuple[int, tuple[Any, ...]]]
    ) -> Iterator[int]:
        """Writes rows of one kind; the numbers of those for which something else is there."""
        columns = [list(x) for x in zip(*(row for _, row in rows), strict=True)]
        if kind == "probe":
            line.execute(PROBE, rows[-1][1])
        elif kind == "delete":
            for text in DELETE:
                line.execute(text, (columns[0],))
        elif kind == "looking":
            newest = {
                match: zip(seats, windows, strict=True) for _, (match, seats, windows) in rows
            }
            line.execute(LOOK_AWAY, (self.node, [*newest]))
            flat = [(match, *x) for match, found in newest.items() for x in found]
            if flat:
                line.execute(LOOK, (self.node, *map(list, zip(*flat, strict=True))))
        else:
            add, find, n = (ADD_MATCHES, MATCH, 1) if kind == "match" else (ADD_ENTRIES, ENTRY, 2)
            landed = set(line.execute(add, columns, binary=True).fetchall())
            wanted = Counter(row[:n] for _, row in rows)
            for k, row in rows:
                # of several at one place any may have landed; and what was sent before the line
                # broke is one's own
                alone = row[:n] in landed and wanted[row[:n]] == 1
                if not alone and _there(line, find, *row[:n]) != row:
                    yield k

    # ---- the other nodes ----
    def _tell(self, line: Connection[Any], orders: Sequence[Order]) -> None:
        # of a rematch those hear who look at the match before it
        at = {"entry": (0, ""), "match": (4, ""), "looking": (0, LOOKED_AT)}
        found = [(at[x.kind], x.row) for x in orders if x.kind in at]
        ids = [*dict.fromkeys(mark + row[k] for (k, mark), row in found if row[k])]
        for k in range(0, len(ids), MOST):
            words = " ".join([self.node, *ids[k : k + MOST]])
            line.execute("SELECT pg_notify(%s, %s)", (CHANNEL, words))

    def listen(self, heard: Heard, plays: Sequence[str]) -> None:
        """Calls `heard` in a thread, whenever other nodes say something, and now and then. plays:
        GAME:VERSION of what is played here.
        """
        self._heard, self._plays = heard, [*plays]
        self._answered = time.monotonic()
        self._listener = threading.Thread(target=self._listen, name="log-listener", daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self._heard is not None
        forget_at = 0.0
        while not self._closing.is_set():
            try:
                with contextlib.closing(self._connect()) as line:
                    line.execute(f"LISTEN {CHANNEL}")
                    look_at = 0.0
                    while not self._closing.is_set():
                        self._be_here(line)  # also finds out whether the line is alive
                        now = time.monotonic()
                        if now >= look_at:
                            look_at = now + LOOK_AGAIN
                            self._heard((), ())
                        if now >= forget_at:
                            forget_at = now + FORGET_AGAIN
                            for text in FORGET:
                                line.execute(text)
                                self._be_here(line)
                        self._hear(line)
                    line.execute("DELETE FROM nodes WHERE node = %s", (self.node,))
            except Exception as e:  # whatever it is: without news this node shows old pictures
                log.log(
                    logging.DEBUG if isinstance(e, DATABASE_GONE) else logging.WARNING,
                    *("%s: nothing is heard of other nodes for a moment: %r", self.where, e),
                )
                self._closing.wait(1.0)

    def _be_here(self, line: Connection[Any]) -> None:
        """Says that this node is there. What was known of one that is new is gone."""
        (is_new,) = line.execute(BE_HERE, (self.node, self._plays)).fetchone() or (True,)
        self._answered = time.monotonic()
        if is_new:
            self._told_under_way = {}
            self.is_unknown = True

    def _hear(self, line: Connection[Any]) -> None:
        """For a while."""
        assert self._heard is not None
        for notice in line.notifies(timeout=BEAT):
            node, *ids = notice.payload.split() or [""]
            if node not in ("", self.node):
                looked_at = [x.removeprefix(LOOKED_AT) for x in ids if x.startswith(LOOKED_AT)]
                self._heard([x for x in ids if not x.startswith(LOOKED_AT)], looked_at)
            if self._closing.is_set():
                return

    def played(self) -> set[str]:
        """What other living nodes play, each GAME:VERSION of its rules."""
        return {str(x) for (x,) in self._all(PLAYED.bindparams(node=self.node))}

    def date(self) -> float:
        """Seconds since 1970 by the clock of the database."""
        return float(self._all(DATE)[0][0])

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How many entries the logs of these matches have."""
        return {str(id): n for id, n in self._all(LENGTHS.bindparams(ids=list(ids)))}

    def elsewhere(self, ids: Sequence[str]) -> dict[str, dict[int, int]]:
        """How many windows of other nodes show these matches, by seat (-1: spectators); without
        those that none shows. Blocks.
        """
        found = dict[str, dict[int, int]]()
        for match, seat, n in self._all(ELSEWHERE.bindparams(node=self.node, ids=list(ids))):
            found.setdefault(match, {})[seat] = int(n)
        return found

    def look(self, match: str, windows: dict[int, int]) -> None:
        """Tells others how many windows show a match here, by seat (-1: spectators)."""
        row = (match, tuple(windows), tuple(windows.values()))
        telling = asyncio.get_running_loop().create_task(self._submit("looking", row))
        self._telling.add(telling)
        telling.add_done_callback(self._told)

    def _told(self, telling: asyncio.Task[None]) -> None:
        self._telling.discard(telling)
        if not telling.cancelled() and (error := telling.exception()):
            self.is_unknown = True
            log.warning("%s", error)

    # ---- limits ----
    def may_make(self, maker: str, rate: float, burst: float, at: float) -> bool:
        """Whether a maker (an address) may make one more match, which counts at all nodes: so many
        a second, and so many at once. at: seconds since 1970. Blocks.
        """
        how = {"maker": self._hash(maker), "rate": rate, "burst": burst, "at": at}
        return bool(self._all(MAY_MAKE.bindparams(**how)))

    def tell_under_way(self, matches: dict[str, int]) -> None:
        """Tells others how many matches are under way here, by maker. Blocks."""
        if matches == self._told_under_way:
            return
        rows = {"makers": [*map(self._hash, matches)], "matches": [*matches.values()]}
        try:
            with self._connected() as c:
                c.execute(NONE_UNDER_WAY, {"node": self.node})
                c.execute(ADD_UNDER_WAY, {"node": self.node, **rows})
        except (DBAPIError, sa.exc.TimeoutError) as e:
            raise self._error(e) from None
        self._told_under_way = matches

    def under_way(self, maker: str) -> int:
        """How many matches of a maker are under way at other nodes. Blocks."""
        return int(self._all(UNDER_WAY.bindparams(maker=self._hash(maker), node=self.node))[0][0])

    def _hash(self, maker: str) -> bytes:
        """What stands for an address: without the key, which lies in the same database, nobody can
        say whose it is.
        """
        return hashlib.blake2b(maker.encode(), key=self.key, digest_size=16).digest()

    # ---- what one node is to do ----
    async def claim(self, match: str) -> bool:
        """Whether it falls to this node: it has the advisory lock of the match."""
        return bool(await asyncio.to_thread(self._ask, "pg_try_advisory_lock", match))

    async def release(self, match: str) -> None:
        """It may fall to another node now."""
        await asyncio.to_thread(self._ask, "pg_advisory_unlock", match)

    def _ask(self, what: str, match: str) -> bool:
        try:
            with self._claims.open() as line:
                row = line.execute(f"SELECT {what}(%s)", (_key(match),)).fetchone()
        except DATABASE_GONE:
            return False
        return bool(row and row[0])


def _there(line: Connection[Any], query: str, *of: str | int) -> tuple[Any, ...] | None:
    """The row that is in a table."""
    row: tuple[Any, ...] | None = line.execute(query, of, binary=True).fetchone()
    return row


def _key(match: str) -> int:
    """The number of a match, as an advisory lock has it."""
    return int.from_bytes(hashlib.blake2b(match.encode(), digest_size=8).digest(), signed=True)


class _Line:
    """A connection that is kept, and made anew when it breaks."""

    def __init__(self, connect: Callable[[], Connection[Any]]) -> None:
        self._connect, self._lock = connect, threading.Lock()
        self._line: Connection[Any] | None = None
        self._is_over = False

    @contextlib.contextmanager
    def open(self) -> Iterator[Connection[Any]]:
        """Errors: DATABASE_GONE; then the next time it is another connection."""
        with self._lock:
            if self._is_over:  # who still thinks as a server ends would open it again
                raise psycopg.InterfaceError("it is closed")
            if self._line is None or self._line.closed:
                self._line = self._connect()
            try:
                yield self._line
            except DATABASE_GONE:
                self._close()
                raise

    def _close(self) -> None:
        if self._line:
            with contextlib.suppress(psycopg.Error):
                self._line.close()
        self._line = None

    def close(self) -> None:
        """Lets go of it for good."""
        with self._lock:
            self._is_over = True
            self._close()
