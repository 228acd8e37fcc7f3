"""Several nodes on one database: any of them serves any match, and nobody notices."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import httpx
import pytest
from databases import change, needs_postgres, the_server
from serving import PATIENCE, ROOMY, InProcess, InThread, Seat, Served, in_process, in_thread, until
from websockets.exceptions import ConnectionClosed

from battlebox.core.errors import BattleboxError
from battlebox.server import supervise
from battlebox.server.clock import ManualClock
from battlebox.server.serve import serve
from battlebox.server.sockets import GOING_ON
from battlebox.server.store import Entry
from battlebox.server.store.postgres import PostgresStore

needs_a_shared_port = pytest.mark.skipif(sys.platform == "win32", reason="Windows shares no port")
pytestmark = pytest.mark.slow


@pytest.fixture
def database() -> str:
    """A new one."""
    return the_server().new()


@pytest.fixture
def nodes(tmp_path: Path, database: str) -> Iterator[list[InThread]]:
    """Three."""
    with ExitStack() as stack:
        how = {"database": database}
        yield [
            stack.enter_context(in_thread(tmp_path / str(k), how=how, **ROOMY)) for k in range(3)
        ]


def two_people(first: Served, second: Served, **more: Any) -> tuple[str, list[str]]:
    """A match that one makes here, and another joins there: its id, their tokens."""
    made = first.make(["you", "open"], **more)
    with Seat(first, made["id"], made["token"]) as host:
        host.hear_until("room")
        invitation = host.room["invitations"]["1"]
    with Seat(second, made["id"], invitation) as guest:
        answer = guest.want("take_seat", "sit", name="Ben")
        assert answer["type"] == "ack", answer
    return made["id"], [made["token"], answer["token"]]


def logs(nodes: list[InThread], id: str) -> list[Entry]:
    """The log of a match, when all that have it in memory have read it."""
    entries = nodes[0].rooms.store.entries(id)
    for node in nodes:
        if id in node.rooms._live:
            until(partial(has_read, node, id, len(entries)))
    return entries


def has_read(node: InThread, id: str, length: int) -> bool:
    """Whether a node knows so much of a match."""
    return node.at_rest(lambda: node.room(id).session.length) == length


def has_forgotten(node: InThread, id: str) -> bool:
    """Whether a match is no longer in a node's memory."""
    return not node.at_rest(lambda: id in node.rooms._live)


def choices(node: InThread, id: str, seat: int) -> tuple[str, tuple[int, ...]]:
    """What a node asks a seat, and what can be answered; nothing, if it is not asked."""

    def asked() -> tuple[str, tuple[int, ...]]:
        session = node.room(id).session
        decides = seat in session.match.deciding and not session.end
        return session.question(seat), session.match.choices(seat) if decides else ()

    return node.at_rest(asked)


# ---- limits by address ---------------------------------------------------------------------------
def of_strangers(stack: ExitStack, path: Path, database: str, **limits: Any) -> list[InThread]:
    """Two nodes to which we come through a proxy, by a clock that stands still."""
    clock = ManualClock()
    how = {"database": database, "trusted_proxy": "127.0.0.1"}
    limits = {**ROOMY, "matches_per_minute": 100, **limits}
    return [
        stack.enter_context(in_thread(path / str(k), clock=clock, how=how, **limits))
        for k in range(2)
    ]


def ask_for_a_match(node: InThread) -> tuple[int, str]:
    """The status of the answer, and what it says."""
    wanted = {"game": "war_zone", "seats": ["you", "open"], "name": "Ada"}
    answer = node.ask("POST", "/api/matches", json=wanted)
    return answer.status_code, answer.text


@needs_postgres
def test_strangers_make_so_many_matches_a_minute_at_all_nodes(
    tmp_path: Path, database: str
) -> None:
    with ExitStack() as stack:
        a, b = of_strangers(stack, tmp_path, database, matches_per_minute=3)
        statuses = [ask_for_a_match(x)[0] for x in (a, b, b, a, b)]
        assert statuses == [201, 201, 201, 429, 429]
        assert "wait a minute" in ask_for_a_match(a)[1]


@needs_postgres
def test_strangers_have_so_many_matches_under_way_at_all_nodes(
    tmp_path: Path, database: str
) -> None:
    with ExitStack() as stack:
        a, b = of_strangers(stack, tmp_path, database, matches_under_way=2)
        made = [a.make(["you", "open"]) for _ in range(2)]
        until(lambda: b.rooms.store.under_way("127.0.0.1") == 2)
        status, said = ask_for_a_match(b)
        assert status == 429
        assert "2 matches made from your address are still being played" in said
        with Seat(b, made[0]["id"], made[0]["token"]) as ada:
            assert ada.want("resign", "r")["type"] == "ack"
        until(lambda: b.rooms.store.under_way("127.0.0.1") == 1)
        assert ask_for_a_match(b)[0] == 201
        assert ask_for_a_match(b)[0] == 429


# ---- a match at several nodes --------------------------------------------------------------------
@needs_postgres
@pytest.mark.parametrize("game", ["war_zone", "iron_man", "battleball"])
def test_a_match_is_played_at_several_nodes(nodes: list[InThread], game: str) -> None:
    id, tokens = two_people(nodes[0], nodes[1], game=game, seed=1)
    dice, moves = random.Random(1), 0
    with (
        Seat(nodes[0], id, tokens[0], "data") as ada,
        Seat(nodes[1], id, tokens[1], "data") as ben,
        Seat(nodes[2], id, None, "data") as eve,
    ):
        for seat in (ada, ben, eve):
            seat.look()
        while moves < 30:
            for k, seat in enumerate((ada, ben)):
                question, actions = choices(nodes[k], id, k)
                if actions:
                    answer = seat.act(f"{k}-{moves}", dice.choice(actions), question)
                    assert answer["type"] == "ack", answer
                    moves += 1
        entries = logs(nodes, id)
        assert [x.seq for x in entries] == list(range(len(entries)))
        digests = {n.at_rest(n.room(id).match.digest) for n in nodes}
        assert len(digests) == 1


@needs_postgres
def test_who_is_slower_reads_what_others_did_and_decides_again(nodes: list[InThread]) -> None:
    """Two names at once, each at a node that knows nothing of the other: both are in the log."""
    id, tokens = two_people(nodes[0], nodes[1])
    for k in range(20):
        with Seat(nodes[0], id, tokens[0]) as ada, Seat(nodes[1], id, tokens[1]) as ben:
            ada.look(), ben.look()
            ada.send(type="rename", id=f"a{k}", name=f"Ada {k}")
            ben.send(type="rename", id=f"b{k}", name=f"Ben {k}")
            assert ada.answer(f"a{k}")["type"] == ben.answer(f"b{k}")["type"] == "ack"
    entries = logs(nodes, id)
    assert [x.seq for x in entries] == list(range(len(entries)))
    names = [x.name for x in nodes[0].room(id).session.seats]
    assert names == ["Ada 19", "Ben 19"] == [x.name for x in nodes[1].room(id).session.seats]


@needs_postgres
def test_a_command_is_done_once_wherever_it_is_repeated(nodes: list[InThread]) -> None:
    id, tokens = two_people(nodes[0], nodes[1])
    before = len(logs(nodes, id))
    for node in (*nodes, *nodes):
        with Seat(node, id, tokens[0]) as ada:
            assert ada.want("rename", "once", name="Eve")["type"] == "ack"
    assert len(logs(nodes, id)) == before + 1


@needs_postgres
def test_who_looks_on_is_known_everywhere(nodes: list[InThread]) -> None:
    id, tokens = two_people(nodes[0], nodes[1])
    with Seat(nodes[0], id, tokens[0]) as ada:
        with Seat(nodes[1], id, tokens[1]), Seat(nodes[2], id, None):
            while not (
                ada.room and ada.room["watching"] == 1 and all(x["here"] for x in ada.room["seats"])
            ):
                ada.hear_until("room")
        while ada.room["watching"] or ada.room["seats"][1]["here"]:
            ada.hear_until("room")


@needs_postgres
def test_who_looks_on_is_told_anew_when_the_others_have_forgotten_it(nodes: list[InThread]) -> None:
    """As after the database has crashed, or was away for long."""
    id, tokens = two_people(nodes[0], nodes[1])
    with Seat(nodes[0], id, tokens[0]) as ada:
        ada.look()
        store = nodes[1].rooms.store
        until(lambda: store.elsewhere([id]))
        change(store, "TRUNCATE nodes, looking, under_way")
        until(lambda: store.elsewhere([id]) == {id: {0: 1}})


@needs_postgres
def test_a_match_that_is_read_anew_is_still_looked_at(nodes: list[InThread]) -> None:
    """Who was sent away comes back, and what the old one says of them last counts no more."""
    id, tokens = two_people(nodes[0], nodes[1])
    store = nodes[1].rooms.store
    with Seat(nodes[0], id, tokens[0]) as ada:
        ada.look()
        until(lambda: store.elsewhere([id]) == {id: {0: 1}})
        old = nodes[0].at_rest(lambda: nodes[0].rooms._live[id])
        nodes[0].at_rest(lambda: nodes[0].rooms.drop(old))
        with Seat(nodes[0], id, tokens[0]) as again:
            again.look()
            until(lambda: nodes[0].at_rest(lambda: not old.presence.is_watched))
            until(lambda: store.elsewhere([id]) == {id: {0: 1}})


@needs_postgres
def test_the_rematch_is_one_and_all_hear_of_it(nodes: list[InThread]) -> None:
    id, tokens = two_people(nodes[0], nodes[1])
    with Seat(nodes[0], id, tokens[0]) as ada, Seat(nodes[1], id, tokens[1]) as ben:
        assert ada.want("resign", "r")["type"] == "ack"
        while not (ben.room and ben.room["end"]):
            ben.hear_until("room")
        path = f"/api/matches/{id}/rematch"
        made = [n.ask("POST", path, t).json() for n, t in zip(nodes, tokens, strict=False)]
        assert made[0]["id"] == made[1]["id"]
        while not (ben.room["rematch"] == ada.room.get("rematch") == made[0]["id"]):
            ben.hear_until("room") if ben.room["rematch"] is None else ada.hear_until("room")


@needs_postgres
def test_bots_think_at_one_node_and_at_another_when_it_is_gone(
    tmp_path: Path, nodes: list[InThread], database: str
) -> None:
    made = nodes[0].make(["you", "random"], game="medieval")
    other = PostgresStore(database)
    try:
        nodes[0].do(other.claim(made["id"]))  # as a node that has it, and stands still
        with Seat(nodes[1], made["id"], made["token"], "data") as ada:
            actions = ada.look()["actions"]
            assert ada.act("a", actions[0])["type"] == "ack"
            asked = nodes[1].at_rest(lambda: nodes[1].room(made["id"]).bots.to_act)
            length = len(other.entries(made["id"]))
            assert asked == 1
            assert length == 1
            other.close()  # its locks go with it
            until(lambda: len(nodes[0].rooms.store.entries(made["id"])) > length)
    finally:
        other.close()


@needs_postgres
def test_a_node_that_has_missed_the_notice_finds_out(nodes: list[InThread]) -> None:
    id, tokens = two_people(nodes[0], nodes[1])
    with Seat(nodes[1], id, tokens[1]) as ben:
        ben.look()
        entry = Entry(len(logs(nodes, id)), None, 0.0, '{"event":"renamed","seat":0,"name":"Eve"}')
        nodes[0].do(quietly(nodes[0], id, entry))
        while ben.room["seats"][0]["name"] != "Eve":
            ben.hear_until("room")


@needs_postgres
def test_a_node_that_remembers_what_the_log_has_not_forgets_it(nodes: list[InThread]) -> None:
    """As when a database takes another's place that has not heard all of it."""
    id, tokens = two_people(nodes[0], nodes[1])
    with Seat(nodes[0], id, tokens[0]) as ada:
        ada.want("rename", "r", name="Eve")
        known = logs(nodes, id)
        lost = f"match = '{id}' AND seq = {len(known) - 1}"
        change(nodes[0].rooms.store, f"DELETE FROM log WHERE {lost}")
        for node in nodes:
            until(partial(has_forgotten, node, id))
    with Seat(nodes[0], id, tokens[0]) as ada:
        ada.hear_until("room")
        assert ada.room["seats"][0]["name"] != "Eve"
        ada.want("rename", "s", name="Zoe")
    assert [x.seq for x in logs(nodes, id)] == [*range(len(known))]


@needs_postgres
def test_who_comes_to_another_node_finds_what_they_have_seen_before(nodes: list[InThread]) -> None:
    """Though that node has the match in memory, and has not heard of it yet."""
    made = nodes[0].make(["you", "open"])
    id, key = made["id"], "k" * 20
    with Seat(nodes[1], id, made["token"]) as host:
        host.hear_until("room")
        invitation = host.room["invitations"]["1"]
        nodes[1].rooms._hear = lambda _: None  # type: ignore[method-assign]
        with Seat(nodes[0], id, invitation) as guest:
            token = guest.want("take_seat", "sit", name="Ben", key=key)["token"]
        with Seat(nodes[1], id, token) as ben:
            ben.hear_until("room")
            assert ben.room["you"] == 1


@needs_postgres
def test_who_waits_for_a_match_that_is_being_read_finds_what_they_have_seen_before(
    nodes: list[InThread],
) -> None:
    """What that node has read of its log by then is older."""
    id, tokens = two_people(nodes[0], nodes[0])
    store, goes_on, has_read = nodes[1].rooms.store, threading.Event(), threading.Event()

    def wait(ids: Sequence[str]) -> dict[str, dict[int, int]]:  # after it has read the log
        has_read.set()
        assert goes_on.wait(PATIENCE)
        return {}

    with mock.patch.object(store, "elsewhere", wait), ThreadPoolExecutor(1) as aside:
        first = aside.submit(nodes[1].ask, "GET", f"/api/matches/{id}", tokens[1])
        assert has_read.wait(PATIENCE)
        with Seat(nodes[0], id, tokens[0]) as ada:
            ada.want("rename", "r", name="Eve")
        with Seat(nodes[1], id, tokens[0]) as ada:
            loading = nodes[1].rooms._loading
            until(lambda: nodes[1].at_rest(lambda: len(loading[id]._callbacks or ()) > 2))
            goes_on.set()
            ada.hear_until("room")
            assert ada.room["seats"][0]["name"] == "Eve"
        assert first.result(PATIENCE).status_code == 200


@needs_postgres
def test_who_waits_for_a_match_is_sent_on_when_its_database_falls_silent(
    nodes: list[InThread],
) -> None:
    """They need not wait until it speaks again: another node may hear it."""
    id, tokens = two_people(nodes[0], nodes[0])
    store, goes_on, has_asked = nodes[1].rooms.store, threading.Event(), threading.Event()
    with (
        mock.patch.object(PostgresStore, "answers", False),
        mock.patch.object(store, "setup") as asked,
    ):
        assert nodes[1].ask("GET", f"/api/matches/{id}", tokens[0]).status_code == 503
        assert not asked.called, "it may not answer for long"

    def hang(id: str) -> None:
        has_asked.set()
        goes_on.wait()

    with (
        mock.patch.object(PostgresStore, "answers", property(lambda _: not has_asked.is_set())),
        mock.patch.object(store, "setup", hang),
    ):
        try:
            with Seat(nodes[1], id, tokens[0]) as ada, pytest.raises(ConnectionClosed) as closed:
                ada.hear()
            assert closed.value.rcvd
            assert closed.value.rcvd.code == GOING_ON
            assert nodes[1].rooms._loading, "it is still being read"
        finally:
            goes_on.set()
        until(lambda: not nodes[1].rooms._loading)
    with Seat(nodes[1], id, tokens[0]) as ada:
        ada.hear_until("room")


@needs_postgres
def test_all_nodes_go_by_the_clock_of_the_database(nodes: list[InThread]) -> None:
    """Else a node whose clock is fast would show late spectators what they must not see yet."""
    before = nodes[0].rooms.store.date()
    with mock.patch.object(time, "time", return_value=0.0):
        made = nodes[0].make(["you", "open"])
        with Seat(nodes[1], made["id"], made["token"]) as ada:
            assert ada.want("rename", "a", name="Eve")["type"] == "ack"
        store = nodes[0].rooms.store
        setup, (entry,) = store.setup(made["id"]), store.entries(made["id"])
    after = store.date()
    assert before is not None
    assert after is not None
    assert setup is not None
    assert before - PATIENCE < setup.made <= entry.at <= after


async def quietly(node: InThread, id: str, entry: Entry) -> None:
    """Writes to a log and tells nobody."""
    store = node.rooms.store
    assert isinstance(store, PostgresStore)
    tell, store._tell = store._tell, lambda *_: None  # type: ignore[method-assign]
    try:
        await store.append(id, entry)
    finally:
        store._tell = tell  # type: ignore[method-assign]


# ---- processes behind one port -------------------------------------------------------------------
def _words(pid: str) -> bytes:
    """What a process was started with; nothing if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


def pids(server: InProcess) -> list[int]:
    """The processes of the server."""
    parent = str(server.process.pid)
    if Path("/proc").exists():
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        own = [x for x in children if b"spawn_main" in _words(x)]
    else:
        found = ["pgrep", "-f", "-P", parent, "spawn_main"]  # fails if there are none
        own = subprocess.run(found, capture_output=True, text=True, check=False).stdout.split()
    return [int(x) for x in own]


@pytest.mark.parametrize("n", [0, -1, supervise.MOST + 1])
def test_how_many_there_can_be(n: int, tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match=f"--workers {n}: there can be 1 .. "):
        serve(data=tmp_path / "data", workers=n, browser=False)
    assert not (tmp_path / "data").exists()


def test_a_folder_is_for_one_process(tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match="several share a PostgreSQL"):
        serve(data=tmp_path / "data", workers=2, browser=False)
    assert not (tmp_path / "data").exists()


def test_windows_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise.sys, "platform", "win32")
    supervise.check(1, "")
    with pytest.raises(BattleboxError, match="Windows"):
        supervise.check(2, "postgresql://x/y")


@pytest.mark.parametrize("url", ["mysql://e:secret@x/y", "secret.sqlite", "host=h password=secret"])
def test_a_database_of_another_sort_is_refused_and_not_shown(url: str, tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match="give postgresql://") as wrong:
        serve(data=tmp_path / "data", database=url, browser=False)
    assert "secret" not in str(wrong.value)


@pytest.mark.parametrize("url", ["postgresql://eve:secret@h:port/x", "postgresql://[::1/x"])
def test_an_address_that_is_none_is_refused_and_not_shown(url: str, tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match="no URL of a database"):
        serve(data=tmp_path / "data", database=url, browser=False)


@needs_postgres
def test_a_database_that_does_not_answer_is_told(tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match=r"postgresql://eve:\*\*\*@127.0.0.1:1/x: .*refused"):
        serve(data=tmp_path, database="postgresql://eve:secret@127.0.0.1:1/x", browser=False)


def figure(server: Served, name: str) -> float:
    """What /metrics says, whichever process answers."""
    with httpx.Client(base_url=server.url) as line:
        found = re.search(rf"^{name} (\S+)$", line.get("/metrics").text, re.MULTILINE)
        assert found
        return float(found[1])


def answers(server: InProcess, id: str) -> int:
    """What is answered about a match, 0: the process that had the question was killed."""
    try:
        return server.ask("GET", f"/api/matches/{id}").status_code
    except httpx.TransportError:
        return 0


@needs_postgres
@needs_a_shared_port
def test_one_process_dies_and_players_go_on_at_another(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, workers=2, database=database, **ROOMY) as server:
        id, tokens = two_people(server, server)
        for victim in pids(server):
            with Seat(server, id, tokens[0]) as ada:
                assert ada.want("rename", f"a{victim}", name=f"Ada {victim}")["type"] == "ack"
            os.kill(victim, signal.SIGKILL)
            assert until(lambda: answers(server, id)) == 200
            with Seat(server, id, tokens[1]) as ben:
                ben.hear_until("room")
                assert ben.room["seats"][0]["name"] == f"Ada {victim}"
        until(lambda: len(pids(server)) == 2)
        line = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.* WARNING .* has ended; another one takes its place"
        assert any(re.match(line, x) for x in server.lines)


@needs_postgres
@needs_a_shared_port
def test_a_server_that_is_killed_leaves_no_process(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, workers=2, database=database) as server:
        left = pids(server)
        assert len(left) == 2
        server.process.kill()
        until(lambda: not any(map(_words, map(str, left))))


@needs_postgres
@needs_a_shared_port
def test_sigterm_ends_all_of_them_tidily(tmp_path: Path, database: str) -> None:
    with in_process(tmp_path, workers=2, database=database) as server:
        id, tokens = two_people(server, server)
        left = pids(server)
        with Seat(server, id, tokens[0]) as ada:
            ada.look()
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(PATIENCE) == 0
    assert "Stopped. All matches are saved." in "".join(server.lines)
    assert "Traceback" not in "".join(server.lines)
    until(lambda: not any(map(_words, map(str, left))))


def test_a_process_that_cannot_start_says_why() -> None:
    with pytest.raises(BattleboxError, match="no room"):
        supervise.supervise(2, refuse, ready=lambda: None, say=print)
    with pytest.raises(BattleboxError, match="has ended before it began"):
        supervise.supervise(2, vanish, ready=lambda: None, say=print)


def test_one_that_cannot_be_replaced_at_once_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATTLEBOX_TEST_STARTS", str(tmp_path))
    monkeypatch.setattr(supervise, "AGAIN", 0.0)
    said = list[str]()

    def say(text: str) -> None:
        said.append(text)
        if sum("another one takes its place" in x for x in said) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        supervise.supervise(1, start_at_times, ready=lambda: None, say=say)
    assert [x for x in said if "cannot start" in x] == ["Process 1 of 1 cannot start. no room"]


def start_at_times(_k: int, started: Callable[[], None]) -> None:
    """The first and the third time it starts, and ends."""
    folder = Path(os.environ["BATTLEBOX_TEST_STARTS"])
    (folder / str(n := len([*folder.iterdir()]))).touch()
    if n == 1:
        raise BattleboxError("no room")
    started()


def refuse(k: int, _started: object) -> None:
    """What a worker may do."""
    raise BattleboxError(f"no room for {k}")


def vanish(_k: int, _started: object) -> None:
    """Another thing it may do."""
    os._exit(3)
