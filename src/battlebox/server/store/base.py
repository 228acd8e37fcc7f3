"""What every store does: one writer thread takes all that waits, writes it in one transaction, and
only then wakes those who wait for it. A commit costs the disk the same for one entry as for a
hundred.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import secrets
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from ...core.errors import BattleboxError
from .schema import FORMAT, log, matches

BATCH = 100  # matches that are looked at together, to find old ones
PROBE = 5.0  # seconds for the writer to show that it works
HELD = 30.0  # seconds for which a failure counts, unless a match could be written to since
SCHEMES = ("postgresql://", "postgres://")  # with which the URL of a database begins
NO_DRIVER = "PostgreSQL's driver is not installed: pip install 'battlebox[postgres]'"
Kind = Literal["match", "entry", "probe", "looking", "delete"]
#: ids of matches that others have written to, and of those that more or fewer look at elsewhere;
#: none at all: it may be any
Heard = Callable[[Sequence[str], Sequence[str]], object]


class StoreError(BattleboxError):
    """The log cannot be read or written: a full disk, another server, a damaged file."""


class InUse(StoreError):
    """Another process has the log open."""


class OutcomeUnknown(StoreError):
    """It may be written, or not: the database could not be asked. Who reads it again will see."""


class Conflict(StoreError):
    """This place of the log, this action or this match is there already."""


def shown(url: sa.URL) -> str:
    """A database, as messages name it: without passwords."""
    secrets = ["password", "sslpassword"]  # which may stand among the parameters, too
    known = url.set(drivername=url.get_backend_name()).difference_update_query(secrets)
    return known.render_as_string(hide_password=True)


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


class Order(NamedTuple):
    """A row to write, and who waits for it."""

    kind: Kind
    row: tuple[Any, ...]
    done: asyncio.Future[None]


@dataclass
class _Group:
    """Orders that go to the writer together, and wake those who wait for them together."""

    loop: asyncio.AbstractEventLoop
    orders: list[Order] = field(default_factory=list)

    def wake(self, errors: Sequence[StoreError | None]) -> None:
        """They are written, but for those that had an error; in the loop."""
        for order, error in zip(self.orders, errors, strict=True):
            if order.done.done():
                continue  # who waited has been cancelled
            if error:
                order.done.set_exception(error)
            else:
                order.done.set_result(None)


class Store(ABC):
    """The matches of one place. Subclasses say of which sort."""

    #: whether other nodes write there, too
    shared: ClassVar[bool]
    #: of matches that are made one after the other, in an order in which they can be gone through
    older: ClassVar[sa.TextClause]
    is_unknown = False  # other nodes know nothing of who looks on here: it is told anew

    def __init__(self, engine: sa.Engine, where: str) -> None:
        """where: as messages name it. `_begin` is to follow."""
        self.where, self._engine = where, engine
        self.node = f"{socket.gethostname()}-{secrets.token_hex(4)}"  # what uses it here
        self.trouble = ""  # why nothing can be written now
        self.unsaved = 0  # times that it could not
        self._failed = 0.0  # when it could not, last
        self._group: _Group | None = None  # that is gathering
        self._groups: queue.SimpleQueue[_Group | None] = queue.SimpleQueue()

    def _begin(self) -> None:
        """Errors: StoreError, if what is there is of another format."""
        self.key = bytes.fromhex(self._remember("key", secrets.token_hex(32)))
        found = self._remember("format", FORMAT)
        if found != FORMAT:
            raise StoreError(f"{self.where}: of format {found}; this battlebox reads {FORMAT}")
        self._writer = threading.Thread(target=self._write, name="log-writer", daemon=True)
        self._writer.start()

    @property
    def answers(self) -> bool:
        """Whether a place that others use, too, has answered this node lately."""
        return True

    # ---- of each sort ----
    @abstractmethod
    def commit(self, orders: Sequence[Order]) -> list[StoreError | None]:
        """Writes rows; what is wrong with each. In the writer's thread."""

    @abstractmethod
    def _connected(self) -> contextlib.AbstractContextManager[sa.Connection]:
        """A connection to read by."""

    @abstractmethod
    def _error(self, error: Exception) -> StoreError:
        """What to say of an error of the driver's."""

    @abstractmethod
    def _remember(self, name: str, value: str) -> str:
        """What is known under a name; the value, if nothing was."""

    # ---- reading ----
    def setup(self, id: str) -> Setup | None:
        """How a match was made; None: there is none of that id."""
        row = self._one(sa.select(matches).where(matches.c.id == id))
        return None if row is None else Setup(**row._mapping)

    def rematch(self, id: str) -> Setup | None:
        """The match that follows another."""
        row = self._one(sa.select(matches).where(matches.c.after == id))
        return None if row is None else Setup(**row._mapping)

    def entries(self, id: str, since: int = 0) -> list[Entry]:
        """The log of a match, from this place on."""
        chosen = sa.select(log.c.seq, log.c.action, log.c.at, log.c.body)
        rows = self._all(chosen.where(log.c.match == id, log.c.seq >= since).order_by(log.c.seq))
        return [Entry(*row) for row in rows]

    def quiet_since(self, before: float) -> Iterator[list[str]]:
        """Matches in which nothing has happened since then (seconds since 1970), some at a time.

        Errors: StoreError.
        """
        last: Any = None
        while rows := self._all(self.older.bindparams(after=last, before=before, most=BATCH)):
            last = rows[-1][0]
            yield [id for _, id, at in rows if at < before]

    def _one(self, select: sa.Select[Any]) -> sa.Row[Any] | None:
        return next(iter(self._all(select)), None)

    def _all(self, select: sa.Executable) -> Sequence[Any]:
        try:
            with self._connected() as c:
                return c.execute(select).all()
        except (DBAPIError, sa.exc.TimeoutError) as e:  # or all connections are in use for long
            raise self._error(e) from None

    # ---- writing ----
    async def add_match(self, setup: Setup) -> None:
        """Returns when the match is on disk. Errors: Conflict, StoreError."""
        row = (setup.id, setup.made, setup.setup, setup.secret, setup.after)
        await self._submit("match", row)

    async def append(self, match: str, entry: Entry) -> None:
        """Returns when the entry is on disk. Errors: Conflict, StoreError."""
        await self._submit("entry", (match, entry.seq, entry.action, entry.at, entry.body))

    async def delete(self, id: str) -> None:
        """Returns when a match and its log are gone from the disk. Errors: StoreError."""
        await self._submit("delete", (id,))

    async def probe(self) -> str:
        """Writes something of no importance. Gives what is wrong; empty: it is on disk."""
        try:
            async with asyncio.timeout(PROBE):
                await self._submit("probe", ("probe", ""))
        except TimeoutError:
            return self.trouble or f"nothing could be written for {PROBE:.0f} seconds"
        except StoreError as e:
            return self.trouble or str(e)
        if time.monotonic() - self._failed > HELD:
            self.trouble = ""
        return self.trouble

    # ---- other nodes; of a store that is not shared there are none ----
    def listen(self, heard: Heard, plays: Sequence[str]) -> None:  # noqa: B027
        """Calls `heard`, in any thread, when other nodes have written. plays: what is played here,
        each GAME:VERSION of its rules; others hear of it.
        """

    def played(self) -> set[str]:
        """What other living nodes play, each GAME:VERSION of its rules. Blocks."""
        return set()

    def date(self) -> float | None:
        """Seconds since 1970 by the clock of all nodes; None: there is no other node. Blocks."""
        return None

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        """How many entries the logs of these matches have, where others may have written them."""
        return {}

    def look(self, match: str, windows: dict[int, int]) -> None:  # noqa: B027
        """Tells others how many windows show a match here, by seat (-1: spectators)."""

    def elsewhere(self, ids: Sequence[str]) -> dict[str, dict[int, int]]:
        """How many windows of other nodes show these matches, by seat (-1: spectators); without
        those that none shows. Blocks.
        """
        return {}

    def may_make(self, maker: str, rate: float, burst: float, at: float) -> bool:
        """Whether a maker (an address) may make one more match, which counts at all nodes: so many
        a second, and so many at once. at: seconds since 1970. Blocks.
        """
        return True

    def tell_under_way(self, matches: dict[str, int]) -> None:  # noqa: B027
        """Tells others how many matches are under way here, by maker. Blocks."""

    def under_way(self, maker: str) -> int:
        """How many matches of a maker are under way at other nodes. Blocks."""
        return 0

    async def claim(self, match: str) -> bool:
        """Whether it falls to this node to do for a match what one node is to do, until `release`,
        or until it dies. Others may do it as well: the guards of the log are what counts.
        """
        return True

    async def release(self, match: str) -> None:  # noqa: B027
        """It may fall to another node now."""

    async def _submit(self, kind: Kind, row: tuple[Any, ...]) -> None:
        if not self._writer.is_alive():
            self.trouble = "the thread that writes the log has ended"
            raise StoreError(f"{self.where}: {self.trouble}")
        group = self._group
        if group is None:
            loop = asyncio.get_running_loop()
            self._group = group = _Group(loop)
            loop.call_soon(self._hand_over)
        done = group.loop.create_future()
        group.orders.append(Order(kind, row, done))
        await done

    def _hand_over(self) -> None:
        """Gives the writer all that came up in this turn of the loop."""
        self._groups.put(self._group)
        self._group = None

    def close(self) -> None:
        """Writes what waits, and lets go of everything."""
        self._groups.put(None)
        self._writer.join()
        self._engine.dispose()

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
            errors = iter(self._committed([x for g in groups for x in g.orders]))
            for g in groups:
                with contextlib.suppress(RuntimeError):  # a loop that is closed waits for nothing
                    g.loop.call_soon_threadsafe(g.wake, [next(errors) for _ in g.orders])

    def _committed(self, orders: Sequence[Order]) -> list[StoreError | None]:
        """What is wrong with each, whatever happens: nobody may wait for ever."""
        if not orders:
            return []
        try:
            errors = self.commit(orders)
        except Exception as e:
            errors = [StoreError(f"{self.where}: {e!r}")] * len(orders)
        for order, error in zip(orders, errors, strict=True):
            if error and not isinstance(error, Conflict):
                if not isinstance(error, OutcomeUnknown):  # of a database: what it said is logged
                    self.trouble = str(error).removeprefix(f"{self.where}: ")
                self.unsaved += 1
                self._failed = time.monotonic()
            elif order.kind != "probe":  # a probe may find room where a move does not
                self.trouble = ""
        return errors
