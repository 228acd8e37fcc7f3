"""What every store does, in a folder or in a database, and what nodes of one database do."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import psycopg
import pytest
import sqlalchemy as sa
from databases import change, needs_postgres, the_server
from serving import PATIENCE, in_a_loop, until

from battlebox.server.serve import open_store
from battlebox.server.store import (
    Conflict,
    Entry,
    OutcomeUnknown,
    Setup,
    Store,
    StoreError,
    base,
    postgres,
)
from battlebox.server.store.base import BATCH, Order
from battlebox.server.store.postgres import PostgresStore
from battlebox.server.store.schema import log, looking, makers, under_way

IN_A_FOLDER = pytest.param(False, id="in a folder")
IN_POSTGRES = pytest.param(True, id="in PostgreSQL", marks=needs_postgres)
SETUP = Setup("a", 1.5, '{"game": "ä \\u0000"}', b"\0\xff secret", None)
MORE = [Setup(id, 2.0, "{}", id.encode(), None) for id in "bc"]


Nodes = tuple[PostgresStore, PostgresStore]


@dataclass
class Place:
    """Where matches are kept. It can be opened again and again."""

    folder: Path
    database: str

    def open(self) -> Store:
        return open_store(self.database, self.folder)


@pytest.fixture(params=[IN_A_FOLDER, IN_POSTGRES])
def place(tmp_path: Path, request: pytest.FixtureRequest) -> Place:
    return Place(tmp_path / "data", the_server().new() if request.param else "")


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """With three matches of which nothing is logged."""
    with closing(place.open()) as it:
        assert together(*map(it.add_match, [SETUP, *MORE])) == [None, None, None]
        yield it


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy is no disk that does not answer."""
    monkeypatch.setattr(base, "PROBE", PATIENCE)


@pytest.fixture
def database() -> str:
    """A new one."""
    return the_server().new()


@pytest.fixture
def nodes(database: str) -> Iterator[Nodes]:
    """Two of one database, which know of each other."""
    with closing(PostgresStore(database)) as a, closing(PostgresStore(database)) as b:
        assert together(*map(a.add_match, [SETUP, *MORE])) == [None, None, None]
        yield a, b


def together(*works: Coroutine[Any, Any, Any]) -> list[Any]:
    """The results of coroutines that begin in the same turn of the loop; an error's is its type."""

    async def all_of_them() -> list[Any]:
        found = await asyncio.gather(*works, return_exceptions=True)
        return [type(x) if isinstance(x, BaseException) else x for x in found]

    return in_a_loop(all_of_them())


def entry(seq: int, action: str | None = None, body: str = "{}", at: float = 2.5) -> Entry:
    return Entry(seq, action, at, body)


# ---- what is written is there ------------------------------------------------------------------
def test_what_was_written_is_read_again(place: Place) -> None:
    entries = [entry(0, "0:a", '"ü"', 1753776000.123456), entry(1), entry(2, "1:a")]
    with closing(place.open()) as store:
        assert store.setup("a") is None
        in_a_loop(store.add_match(SETUP))
        for x in entries:
            in_a_loop(store.append("a", x))
        key = store.key
    with closing(place.open()) as store:
        assert store.setup("a") == SETUP
        assert store.entries("a") == entries
        assert store.entries("a", 2) == entries[2:]
        assert store.entries("a", 3) == store.entries("none") == []
        assert store.key == key


def test_the_key_is_of_one_place(place: Place, tmp_path: Path) -> None:
    with closing(place.open()) as a, closing(open_store("", tmp_path / "other")) as b:
        assert len(a.key) == len(b.key) == 32
        assert a.key != b.key


def test_an_id_is_of_one_match(store: Store) -> None:
    others = [replace(SETUP, made=7.0), replace(SETUP, setup="[]"), replace(SETUP, secret=b"")]
    assert together(*map(store.add_match, others)) == [Conflict] * 3
    assert store.setup("a") == SETUP


def test_a_match_has_one_rematch(store: Store) -> None:
    first, second = (Setup(id, 3.0, "{}", b"", "a") for id in ("d", "e"))
    assert store.rematch("a") is None
    assert sorted(map(str, together(*map(store.add_match, (first, second))))) == sorted(
        map(str, [None, Conflict])
    )
    found = store.rematch("a")
    assert found in (first, second)
    assert together(store.add_match(Setup("f", 3.0, "{}", b"", "a"))) == [Conflict]
    assert store.rematch("a") == found
    assert [store.rematch(id) for id in ("b", "d", "f")] == [None] * 3


def test_one_entry_is_at_a_place_of_a_log(store: Store) -> None:
    in_a_loop(store.append("a", entry(0, "0:a")))
    for other in (entry(0, "0:b"), entry(0), entry(0, "0:a", "[]"), entry(0, "0:a", at=9.0)):
        assert together(store.append("a", other)) == [Conflict]
    assert store.entries("a") == [entry(0, "0:a")]
    assert together(store.append("b", entry(0, "0:a"))) == [None]  # a log of its own


def test_one_of_those_who_come_together_is_at_a_place(store: Store) -> None:
    """Also if they come in one transaction: nobody is told that it is done who is not there."""
    wanted = [entry(0, f"0:{k}") for k in range(5)]
    said = together(*(store.append("a", x) for x in wanted))
    assert said.count(None) == 1
    assert said.count(Conflict) == 4
    assert store.entries("a") == [wanted[said.index(None)]]
    setups = [Setup("d", float(k), "{}", b"", None) for k in range(5)]
    said = together(*map(store.add_match, setups))
    assert said.count(None) == 1
    assert store.setup("d") == setups[said.index(None)]


def test_a_command_is_in_a_log_once(store: Store) -> None:
    in_a_loop(store.append("a", entry(0, "0:a")))
    assert together(store.append("a", entry(1, "0:a"))) == [Conflict]
    assert together(store.append("a", entry(1, "1:a"))) == [None]
    assert together(*(store.append("a", entry(k)) for k in range(2, 9))) == [None] * 7  # bots'


def test_a_log_keeps_its_order_however_much_comes_together(store: Store) -> None:
    wanted = {id: [entry(k, f"0:{k}", f'"{id}{k}"') for k in range(700)] for id in "abc"}
    turns = (store.append(id, wanted[id][k]) for k in range(700) for id in "cab")
    assert set(together(*turns)) == {None}
    for id, entries in wanted.items():
        assert store.entries(id) == entries


def test_all_sorts_of_things_come_together(store: Store) -> None:
    new = Setup("d", 3.0, "{}", b"", "a")
    works = (
        *(store.append("a", entry(0)), store.delete("b"), store.probe(), store.add_match(new)),
        *(store.append("d", entry(0)), store.add_match(SETUP), store.append("c", entry(0))),
    )
    said = together(*works)
    assert said[:5] == [None, None, "", None, None]
    assert said[6] is None
    assert store.setup("b") is None
    assert store.rematch("a") == new
    assert [len(store.entries(id)) for id in "acd"] == [1, 1, 1]


def test_one_that_cannot_be_written_is_the_only_one(store: Store) -> None:
    bodies = ["{}", "\ud800", object(), "[]"]  # no text, and nothing that a database knows
    in_a_loop(store.add_match(replace(SETUP, id="d")))
    said = together(
        *(store.append(id, entry(0, body=x)) for id, x in zip("abcd", bodies, strict=True))
    )  # type: ignore[arg-type]
    assert said == [None, StoreError, StoreError, None]
    assert [len(store.entries(id)) for id in "abcd"] == [1, 0, 0, 1]
    assert store.unsaved == 2


# ---- what is old, and goes ----------------------------------------------------------------------
def test_quiet_matches_are_found_some_at_a_time(store: Store) -> None:
    old = [Setup(f"old{k}", 10.0, "{}", b"", None) for k in range(2 * BATCH)]
    new = [Setup(f"new{k}", 30.0, "{}", b"", None) for k in range(BATCH)]
    mixed = [x for pair in zip(old, new, strict=False) for x in pair] + old[BATCH:]
    together(*map(store.add_match, mixed))
    together(
        store.append("old0", entry(0, at=30.0)),  # something happened since
        *(store.append("old1", entry(k, at=10.0 + k)) for k in range(3)),
        *(store.append("old2", entry(k, at=at)) for k, at in enumerate((5.0, 30.0))),
    )
    found = list(store.quiet_since(20.0))
    assert max(map(len, found)) <= BATCH
    assert len(found) > 2
    ids = [id for ids in found for id in ids]
    assert len(ids) == len(set(ids))
    assert set(ids) == {"a", "b", "c"} | {x.id for x in old} - {"old0", "old2"}
    assert sum(map(len, store.quiet_since(12.0))) == len(ids) - 1
    assert not any(store.quiet_since(1.0))


def test_none_is_left_out_if_they_are_deleted_meanwhile(store: Store) -> None:
    made = [Setup(f"x{k}", 10.0, "{}", b"", None) for k in range(2 * BATCH + 5)]
    together(*map(store.add_match, made))
    found = list[str]()
    for ids in store.quiet_since(20.0):
        assert set(together(*map(store.delete, ids))) == {None}
        found += ids
    assert sorted(found) == sorted(["a", "b", "c", *(x.id for x in made)])
    assert list(store.quiet_since(20.0)) == []


def test_what_is_deleted_is_gone_with_its_log_and_nothing_else_is(store: Store) -> None:
    together(*(store.append(id, entry(k)) for id in "ab" for k in range(3)))
    in_a_loop(store.add_match(Setup("d", 3.0, "{}", b"", "a")))
    assert together(store.delete("a"), store.delete("d"), store.delete("none")) == [None] * 3
    assert [store.setup(id) for id in "ad"] == [None, None]
    assert store.rematch("a") is None
    assert store.setup("b") == MORE[0]
    assert len(store.entries("b")) == 3
    assert {x[0] for x in store._all(sa.select(log.c.match))} == {"b"}


# ---- how it is ----------------------------------------------------------------------------------
def test_a_probe_says_whether_it_can_write(store: Store) -> None:
    assert in_a_loop(store.probe()) == ""
    with mock.patch.object(store, "commit", side_effect=OSError("on fire")):
        assert together(*(store.append("a", entry(k)) for k in range(3))) == [StoreError] * 3
        assert in_a_loop(store.probe()) == store.trouble == "OSError('on fire')"
    assert store.unsaved == 4
    assert in_a_loop(store.probe()) == "OSError('on fire')"  # it may find room where others do not
    assert together(store.append("a", entry(0))) == [None]
    assert in_a_loop(store.probe()) == ""


def test_a_place_that_is_taken_is_no_trouble(store: Store) -> None:
    together(store.append("a", entry(0)), store.append("a", entry(0, "0:b")))
    assert in_a_loop(store.probe()) == ""
    assert store.unsaved == 0


REFUSED = {
    "another format": ("UPDATE about SET value = '9' WHERE name = 'format'", "of format 9; this "),
    "newer tables": ("UPDATE alembic_version SET version_num = '9999'", "those of a newer"),
    "another key": ("UPDATE about SET value = 'zz' WHERE name = 'key'", "non-hexadecimal"),
    "other columns": ("ALTER TABLE about RENAME COLUMN name TO nome", "name"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_it_cannot_read_it_refuses(place: Place, what: str) -> None:
    sql, said = REFUSED[what]
    with closing(place.open()) as store:
        change(store, sql)
    for _ in range(2):  # it lets go of it, too
        with pytest.raises(StoreError, match=said):
            place.open()


def test_tables_of_before_they_had_a_version_are_those_of_the_first(place: Place) -> None:
    with closing(place.open()) as store:
        in_a_loop(store.add_match(SETUP))
        change(store, "DROP TABLE alembic_version")
    with closing(place.open()) as store:
        assert store.setup("a") == SETUP


def test_it_writes_what_waits_before_it_is_closed(place: Place) -> None:
    store, began, going = place.open(), threading.Event(), threading.Event()
    commit = store._committed

    def slowly(orders: Sequence[Order]) -> list[StoreError | None]:
        began.set()
        assert going.wait(PATIENCE)
        return commit(orders)

    async def main() -> list[None]:
        writing = [asyncio.create_task(store.add_match(x)) for x in (SETUP, *MORE)]
        assert await asyncio.to_thread(began.wait, PATIENCE)
        closing = asyncio.create_task(asyncio.to_thread(store.close))
        await asyncio.to_thread(until, lambda: not store._groups.empty())
        going.set()
        await closing
        return await asyncio.gather(*writing)

    with mock.patch.object(store, "_committed", slowly):
        assert in_a_loop(main()) == [None] * 3
    with closing(place.open()) as store:
        assert [store.setup(x.id) for x in (SETUP, *MORE)] == [SETUP, *MORE]


def test_nobody_waits_for_one_that_is_closed(place: Place) -> None:
    store = place.open()
    store.close()
    assert together(store.add_match(SETUP)) == [StoreError]
    store.close()  # once more does no harm


def test_alone_it_is_for_it_to_do(store: Store) -> None:
    assert in_a_loop(store.claim("a"))
    in_a_loop(store.release("a"))
    assert in_a_loop(store.claim("a"))
    assert store.elsewhere(["a"]).get("a", {}) == {}


# ---- nodes of one database ----------------------------------------------------------------------
@needs_postgres
def test_nodes_that_start_together_agree_on_the_key(database: str) -> None:
    with ThreadPoolExecutor(4) as aside:
        stores = list(aside.map(PostgresStore, [database] * 4))
    for store in stores:
        store.close()
    assert len({x.key for x in stores}) == 1


@needs_postgres
def test_what_one_node_writes_is_there_for_the_other(nodes: Nodes) -> None:
    a, b = nodes
    said = together(*(x.append("a", entry(0, f"0:{x.node}")) for x in nodes))
    assert sorted(map(str, said)) == sorted(map(str, [None, Conflict]))
    assert a.entries("a") == b.entries("a") == [entry(0, f"0:{nodes[said.index(None)].node}")]
    assert together(b.append("a", entry(1, "0:b")), a.append("a", entry(2, "0:b"))).count(None) == 1
    assert a.lengths(["a", "b", "none"]) == b.lengths(["a", "b", "none"])
    assert a.lengths(["b", "none"]) == {"b": 0, "none": 0}
    assert a.lengths([]) == {}


@needs_postgres
def test_a_log_that_was_deleted_elsewhere_gets_no_more_entries(nodes: Nodes) -> None:
    a, b = nodes
    in_a_loop(a.append("a", entry(0)))
    in_a_loop(b.delete("a"))
    assert together(a.append("a", entry(1)), a.append("b", entry(0))) == [Conflict, None]
    assert b.entries("a") == []


@needs_postgres
def test_a_log_has_no_gaps(nodes: Nodes) -> None:
    """A node may remember what the database that took another's place has never heard of."""
    a, b = nodes
    assert together(a.append("a", entry(1)), a.append("b", entry(0))) == [Conflict, None]
    assert together(*(a.append("a", entry(k)) for k in (0, 1, 3))) == [None, None, Conflict]
    assert together(b.append("a", entry(3)), b.append("b", entry(1))) == [Conflict, None]
    assert [x.seq for x in a.entries("a")] == [0, 1]


@needs_postgres
def test_a_match_falls_to_one_node_until_it_lets_go_or_ends(nodes: Nodes) -> None:
    a, b = nodes
    assert in_a_loop(a.claim("a"))
    assert not in_a_loop(b.claim("a"))
    assert in_a_loop(b.claim("b"))
    in_a_loop(b.release("a"))  # which it does not have
    assert not in_a_loop(b.claim("a"))
    in_a_loop(a.release("a"))
    assert in_a_loop(b.claim("a"))
    assert not in_a_loop(a.claim("a"))
    b.close()
    until(lambda: in_a_loop(a.claim("a")))


@needs_postgres
def test_a_node_that_is_closed_claims_nothing_and_has_no_connections(nodes: Nodes) -> None:
    a, b = nodes
    Heard(a)
    together(a.claim("a"), a.probe())
    a.close()
    assert together(a.claim("a"), a.release("a"), a.claim("b")) == [False, None, False]
    own = sa.text("SELECT pid FROM pg_stat_activity WHERE application_name = :node")
    until(lambda: not b._all(own.bindparams(node=a.node)))


class Heard:
    """What a node hears of others."""

    def __init__(self, store: Store) -> None:
        self.ids: list[str] = []
        self.looked_at: list[str] = []
        self.any = 0  # times that it was to look for itself
        store.listen(self._hear, [])
        until(lambda: self.any)  # now it listens

    def _hear(self, written: Sequence[str], looked_at: Sequence[str]) -> None:
        self.ids += written
        self.looked_at += looked_at
        self.any += not (written or looked_at)


@needs_postgres
def test_a_node_hears_what_others_write_and_not_what_it_writes(nodes: Nodes) -> None:
    a, b = nodes
    heard, own = Heard(b), Heard(a)
    together(*(a.append(id, entry(0)) for id in "ab"))
    in_a_loop(a.add_match(Setup("d", 3.0, "{}", b"", "c")))  # of c's rematch those hear who see c
    together(a.append("a", entry(0, "0:x")), a.probe())  # of what is not written nobody hears
    in_a_loop(a.append("d", entry(0)))
    until(lambda: "d" in heard.ids)
    assert heard.ids == ["a", "b", "c", "d"]
    in_a_loop(b.append("b", entry(1)))
    until(lambda: own.ids)
    assert own.ids == ["b"]


@needs_postgres
def test_a_notice_that_says_nothing_stops_no_news(nodes: Nodes) -> None:
    """Everybody may send one who can connect to the database."""
    heard = Heard(nodes[0])
    with nodes[1]._engine.connect() as c:
        c.exec_driver_sql(f"NOTIFY {postgres.CHANNEL}")
        c.exec_driver_sql(f"NOTIFY {postgres.CHANNEL}, ' '")
    in_a_loop(nodes[1].append("a", entry(0)))
    until(lambda: heard.ids == ["a"])


@needs_postgres
def test_of_many_that_have_changed_each_is_heard(nodes: Nodes) -> None:
    """More than fit into a notice."""
    a, b = nodes
    ids = [f"{k:016}" for k in range(2 * postgres.MOST + 1)]
    together(*(a.add_match(Setup(id, 1.0, "{}", b"", None)) for id in ids))
    heard = Heard(b)
    assert set(together(*(a.append(id, entry(0)) for id in ids))) == {None}
    until(lambda: len(heard.ids) >= len(ids))
    assert sorted(heard.ids) == ids


@needs_postgres
def test_a_node_looks_for_itself_again_and_again(nodes: Nodes) -> None:
    soon = [mock.patch.object(postgres, x, 0.01) for x in ("BEAT", "LOOK_AGAIN")]
    with soon[0], soon[1]:
        heard = Heard(nodes[0])
        until(lambda: heard.any > 3)


async def look(store: PostgresStore, match: str, windows: dict[int, int]) -> None:
    """Tells others, and waits until it is told."""
    store.look(match, windows)
    await asyncio.gather(*store._telling, return_exceptions=True)


@needs_postgres
def test_who_looks_on_is_known_to_the_others(nodes: Nodes) -> None:
    a, b = nodes
    heard = [Heard(x) for x in nodes]
    in_a_loop(look(a, "a", {0: 2, -1: 1}))
    in_a_loop(look(a, "b", {1: 1}))
    assert b.elsewhere(["a"]).get("a", {}) == {0: 2, -1: 1}
    assert a.elsewhere(["a"]).get("a", {}) == {}
    until(lambda: heard[1].looked_at == ["a", "b"])
    assert heard[1].ids == []
    assert b.elsewhere(["a", "none", "b"]) == {"a": {0: 2, -1: 1}, "b": {1: 1}}
    in_a_loop(look(a, "a", {0: 1}))
    in_a_loop(look(b, "a", {1: 4}))
    assert b.elsewhere(["a"]).get("a", {}) == {0: 1}
    assert a.elsewhere(["a"]).get("a", {}) == {1: 4}
    in_a_loop(look(a, "a", {}))
    assert b.elsewhere(["a"]).get("a", {}) == {}
    assert b.elsewhere(["b"]).get("b", {}) == {1: 1}
    a.close()
    until(lambda: b.elsewhere(["b"]).get("b", {}) == {})


@needs_postgres
def test_of_those_who_come_and_go_at_once_the_last_word_counts(nodes: Nodes) -> None:
    a, b = nodes
    Heard(a)

    async def come_and_go() -> None:
        for windows in ({0: 1}, {0: 1, 1: 2}, {}):
            a.look("a", windows)
        for windows in ({}, {1: 1}):
            a.look("b", windows)
        await asyncio.gather(*a._telling)

    in_a_loop(come_and_go())
    assert b.elsewhere(["a", "b"]) == {"b": {1: 1}}


@needs_postgres
def test_what_somebody_looks_at_anywhere_is_not_deleted(nodes: Nodes) -> None:
    a, b = nodes
    Heard(b)
    together(*(a.append(id, entry(0)) for id in "ab"))
    in_a_loop(look(b, "a", {-1: 1}))
    together(*map(a.delete, "ab"))
    assert a.setup("a") == SETUP
    assert len(a.entries("a")) == 1
    assert a.setup("b") is None
    in_a_loop(look(b, "a", {}))
    in_a_loop(a.delete("a"))
    assert a.setup("a") is None


@needs_postgres
def test_a_node_that_was_killed_is_forgotten(nodes: Nodes) -> None:
    a, b = nodes
    change(
        a,
        "INSERT INTO nodes VALUES ('c', now())",
        "INSERT INTO looking VALUES ('a', 'c', 0, 1)",
        "INSERT INTO under_way VALUES ('ada', 'c', 1)",
        "INSERT INTO makers VALUES ('ada', 1, 0)",
    )
    assert a.elsewhere(["a"]).get("a", {}) == {0: 1}
    change(a, "UPDATE nodes SET seen = seen - interval '1 hour'")
    assert a.elsewhere(["a"]).get("a", {}) == {}
    Heard(b)  # who begins to listen clears up, after it has looked for news
    until(lambda: not any(a._all(sa.select(x)) for x in (looking, under_way, makers)))


# ---- limits over all nodes -----------------------------------------------------------------------
def test_alone_a_store_leaves_limits_to_its_server(tmp_path: Path) -> None:
    with closing(open_store("", tmp_path)) as store:
        assert all(store.may_make("somebody", 1, 1, 0.0) for _ in range(3))
        store.tell_under_way({"somebody": 5})
        assert store.under_way("somebody") == 0


@needs_postgres
def test_what_somebody_makes_counts_at_all_nodes(nodes: Nodes) -> None:
    a, b = nodes
    assert [x.may_make("ada", 0.5, 3, 100.0) for x in (a, b, a, b)] == [True, True, True, False]
    assert b.may_make("ben", 0.5, 3, 100.0)
    assert not a.may_make("ada", 0.5, 3, 101.0)  # half of one more
    assert a.may_make("ada", 0.5, 3, 102.0)
    assert not b.may_make("ada", 0.5, 3, 90.0)  # a clock that lags gives nothing, and takes nothing
    assert [b.may_make("ada", 0.5, 3, 104.0) for _ in range(2)] == [True, False]
    assert [a.may_make("ada", 0.5, 3, 10_000.0) for _ in range(4)] == [True, True, True, False]


@needs_postgres
def test_one_of_those_who_come_together_makes_the_last_one(nodes: Nodes) -> None:
    with ThreadPoolExecutor(4) as aside:
        asked = [aside.submit(nodes[k % 2].may_make, "ada", 0.1, 5, 100.0) for k in range(40)]
        assert sum(x.result() for x in asked) == 5


@needs_postgres
def test_matches_under_way_are_known_to_the_others(nodes: Nodes) -> None:
    a, b = nodes
    for x in nodes:
        Heard(x)
    a.tell_under_way({"ada": 2, "ben": 1})
    b.tell_under_way({"ada": 4})
    assert (a.under_way("ada"), b.under_way("ada"), b.under_way("ben")) == (4, 2, 1)
    assert a.under_way("eve") == 0
    a.tell_under_way({"ben": 3})
    assert (b.under_way("ada"), b.under_way("ben")) == (0, 3)
    assert "ada" not in str(a._all(sa.text("SELECT * FROM under_way")))
    a.close()
    until(lambda: b.under_way("ben") == 0)


@needs_postgres
def test_a_connection_that_comes_back_after_the_end_is_closed(nodes: Nodes) -> None:
    """A thread may still read as the store is closed."""
    a = nodes[0]
    with a._connected() as c:
        line: Any = c.connection.driver_connection
        a.close()
        assert not line.closed
    assert line.closed


# ---- a database that goes away ------------------------------------------------------------------
def cut(store: PostgresStore) -> None:
    """The database ends all connections that it has; returns when they are gone."""
    with psycopg.connect(the_server().url(), autocommit=True) as c:
        end = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = %s"
        c.execute(end, (store._engine.url.database,))


@contextlib.contextmanager
def away(store: PostgresStore) -> Iterator[None]:
    """The database lets nobody in meanwhile."""
    name = store._engine.url.database
    with psycopg.connect(the_server().url(), autocommit=True) as c:
        c.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        cut(store)
        try:
            yield
        finally:
            c.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


@needs_postgres
def test_a_line_that_breaks_is_made_anew(nodes: Nodes) -> None:
    a, b = nodes
    heard = Heard(b)
    assert in_a_loop(a.claim("a"))
    for k in range(3):
        cut(a)
        assert together(a.append("a", entry(k))) == [None]
    assert b.entries("a") == [entry(k) for k in range(3)]
    assert in_a_loop(a.probe()) == ""
    until(lambda: in_a_loop(b.claim("a")))  # the lock went with the line
    until(lambda: b.entries("a") and heard.any > 1)  # it listens again


@needs_postgres
def test_what_was_written_as_the_line_broke_is_written_once(nodes: Nodes) -> None:
    """The commit is done, and who asked for it does not hear of it."""
    a, b = nodes
    tell, times = a._tell, list[int]()

    def break_off(*words: Any) -> None:
        times.append(1)
        if len(times) == 1:
            cut(a)
        tell(*words)

    with mock.patch.object(a, "_tell", break_off):
        works = (a.append("a", entry(0, "0:a")), a.append("b", entry(0)))
        assert together(*works, a.add_match(Setup("d", 3.0, "{}", b"d", "a"))) == [None] * 3
    assert len(times) == 2
    assert b.entries("a") == [entry(0, "0:a")]
    assert b.entries("b") == [entry(0)]
    assert together(b.append("a", entry(0, "0:b"))) == [Conflict]


@needs_postgres
def test_a_node_that_stands_still_as_it_writes_holds_nobody_up(nodes: Nodes) -> None:
    """What others want to write where it has written waits for it, but not for long."""
    a, b = nodes
    written, stands, goes_on = a._written, threading.Event(), threading.Event()

    def stand_still(line: Any, kind: str, rows: Any) -> Iterator[int]:
        if kind == "probe":  # the last of a group: what comes before it is in, and not for good
            stands.set()
            goes_on.wait(PATIENCE)
        return written(line, kind, rows)  # type: ignore[arg-type]

    with mock.patch.object(a, "_written", stand_still), ThreadPoolExecutor(1) as aside:
        said = aside.submit(
            together, a.append("a", entry(0, "0:a")), a.append("b", entry(0)), a.probe()
        )
        assert stands.wait(PATIENCE)
        assert together(b.append("a", entry(0, "0:b"))) == [None]
        goes_on.set()
        assert said.result(PATIENCE) == [Conflict, None, ""]
    assert [b.entries(id) for id in "ab"] == [[entry(0, "0:b")], [entry(0)]]


@needs_postgres
def test_a_database_that_comes_back_has_all(nodes: Nodes) -> None:
    a, _ = nodes
    tries = list[int]()
    connect = a._writes._connect

    def count() -> Any:
        tries.append(1)
        return connect()

    with (
        mock.patch.object(postgres, "GIVE_UP", PATIENCE),
        mock.patch.object(a._writes, "_connect", count),
        ThreadPoolExecutor(1) as aside,
    ):
        with away(a):
            said = aside.submit(together, *(a.append("a", entry(k)) for k in range(3)))
            until(lambda: len(tries) > 2)
        assert said.result(PATIENCE) == [None] * 3
    assert len(a.entries("a")) == 3
    assert a.trouble == ""


@needs_postgres
def test_a_node_that_was_held_up_itself_tries_again(nodes: Nodes) -> None:
    """However long it was: the time to give up begins with the first failure."""
    a, _ = nodes
    now, stood, written = 1.0, list[int](), a._written

    def late(*of: Any) -> Any:
        nonlocal now
        if not stood:
            stood.append(1)
            now += 2 * postgres.GIVE_UP
            raise psycopg.OperationalError("it stood still, and its transaction was ended")
        return written(*of)

    clock = SimpleNamespace(monotonic=lambda: now, sleep=lambda _: None)
    with (
        mock.patch.object(postgres, "time", clock),
        mock.patch.object(a, "_written", late),
    ):
        assert together(a.append("a", entry(0))) == [None]
    assert stood


@needs_postgres
def test_a_clock_that_goes_back_makes_no_line_old(nodes: Nodes) -> None:
    """A pool compares moments by the machine's clock; ours may be set at any time."""
    a, _ = nodes
    in_a_loop(a.append("a", entry(0)))
    assert len(a.entries("a")) == 1
    cut(a)
    until(lambda: _reads(a))  # the pool has given up its lines now
    made = list[int]()
    with mock.patch("time.time", return_value=1_000_000.0), a._connected():
        assert _reads(a), "by a second line"
        sa.event.listen(a._engine, "connect", lambda *_: made.append(1))
        for _ in range(3):
            assert _reads(a)
    assert not made, "it is used again"


def _reads(store: Store) -> bool:
    try:
        return len(store.entries("a")) == 1
    except StoreError:
        return False


@needs_postgres
def test_a_database_that_can_only_be_read_is_left_for_one_that_can_be_written(nodes: Nodes) -> None:
    """As after a failover: the one that was written to is a standby now."""
    a, b = nodes
    heard, name = Heard(b), a._engine.url.database
    with (
        psycopg.connect(the_server().url(), autocommit=True) as c,
        mock.patch.object(postgres, "GIVE_UP", PATIENCE),
        ThreadPoolExecutor(1) as aside,
    ):
        c.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        cut(a)
        said = aside.submit(together, a.append("a", entry(0)))
        until(lambda: a.trouble == postgres.AWAY)
        c.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())
        assert said.result(PATIENCE) == [None]
    until(lambda: heard.ids == ["a"] or b.lengths(["a"])["a"])
    before = heard.any
    until(lambda: heard.any > before)  # it listens again


@needs_postgres
def test_a_node_knows_that_its_database_does_not_answer(nodes: Nodes) -> None:
    a, _ = nodes
    with mock.patch.object(postgres, "BEAT", 0.1), mock.patch.object(postgres, "LATE", 0.9):
        Heard(a)
        until(lambda: a.answers)
        with away(a):
            until(lambda: not a.answers)
        until(lambda: a.answers)


@needs_postgres
def test_of_a_database_that_stays_away_nobody_knows(nodes: Nodes) -> None:
    a, _ = nodes
    Heard(a)
    with mock.patch.object(postgres, "GIVE_UP", 0.3), away(a):
        assert together(a.append("a", entry(0)), a.append("b", entry(0))) == [OutcomeUnknown] * 2
        assert in_a_loop(a.probe()) == a.trouble == postgres.AWAY  # and nothing about where it is
        assert not in_a_loop(a.claim("a"))
        in_a_loop(a.release("a"))
        in_a_loop(look(a, "a", {0: 1}))  # nobody waits for that
        for ask in (a.setup, a.entries, a.rematch, lambda x: a.elsewhere([x])):
            with pytest.raises(StoreError, match="not currently accepting"):
                ask("a")
    assert together(a.append("a", entry(0)), a.append("b", entry(0))) == [None] * 2
    assert in_a_loop(a.claim("a"))
    assert in_a_loop(a.probe()) == ""
