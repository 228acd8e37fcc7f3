"""A hostile client changes nothing, learns nothing, and does not bring the server down."""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import random
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import httpx
import pytest
import sqlalchemy as sa
from databases import change, sqlite_only, store_of
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Seat,
    Served,
    in_process,
    in_thread,
    invitations,
    take_seat,
    until,
)
from websockets.exceptions import ConnectionClosed, InvalidStatus

from battlebox.protocol import PROTOCOL
from battlebox.server import security
from battlebox.server.bot_players import BotPlayers
from battlebox.server.clock import ManualClock
from battlebox.server.connections import BACKLOG
from battlebox.server.limits import RATE
from battlebox.server.store import Conflict, Entry, OutcomeUnknown, StoreError
from battlebox.server.store.schema import tables
from battlebox.server.store.sqlite import FILE
from battlebox.server.views import ViewKey

pytestmark = pytest.mark.slow  # all together

MB = 2**20
GOOD = {"game": "war_zone", "seats": ["you", "open"], "name": "Ada"}
SURROGATE = "\\ud800"  # as JSON writes it
DECK = """
[[attack]]
id = "hit"
code = "H"
name = "Hit"
count = {hits}
damage = 3
blocked_by = "wall"
counteraction = "wall"
[[defence]]
id = "wall"
code = "W"
name = "Wall"
count = 20
"""


# ---- a server, and a match on it that must not change -------------------------------------------
@pytest.fixture(scope="module", autouse=True)
def _many_files() -> None:
    """A thousand sockets are more than some systems let a process have, unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("hostile")) as server:
        yield server


class Target(NamedTuple):
    """A match of three: Ada on seat 0, Ben on seat 1, seat 2 still open. Ada is to act."""

    server: InThread
    id: str
    tokens: dict[int, str]

    def sit(self, seat: int | None, **how: Any) -> Seat:
        return Seat(self.server, self.id, None if seat is None else self.tokens[seat], **how)


def set_up(server: InThread, **more: Any) -> Target:
    made = server.make(["you", "open", "open"], **{"seed": 1, **more})
    known = invitations(server, made)
    known[1] = take_seat(server, made["id"], known[1], "Ben")
    assert server.room(made["id"]).session.match.to_act == 0
    return Target(server, made["id"], known)


@pytest.fixture(scope="module")
def targets() -> list[Target]:
    return []


@pytest.fixture
def target(server: InThread, targets: list[Target]) -> Iterator[Target]:
    """Whatever is done to it: it stays as it is, and the server is well."""
    target = targets.pop() if targets else set_up(server)
    before, count = server.mark(target.id), server.kept()
    yield target
    assert server.mark(target.id) == before
    assert server.kept() == count
    server.healthy()
    targets.append(target)  # as good as new


def lookers(server: InThread, id: str, seat: int | None) -> list[Any]:
    """The sockets that look at a match from a seat."""
    views = list(server.room(id).views.values())
    return [x for v in views if v.seat == seat for x in list(v.connections)]


def with_(**changes: Any) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def plus(more: str) -> bytes:
    """A good body with something more, which is no JSON that Python would write."""
    return (json.dumps(GOOD)[:-1] + "," + more + "}").encode()


# ---- raw requests and sockets -------------------------------------------------------------------
class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def shout(server: Served, text: str | bytes, timeout: float = PATIENCE) -> Answer:
    """Sends bytes, and gives what is answered to them."""
    data = text.encode("latin-1") if isinstance(text, str) else text
    with socket.create_connection(("127.0.0.1", server.port), timeout=timeout) as s:
        said = b""
        with contextlib.suppress(ConnectionError):  # it need not hear us out
            s.sendall(data)
        with contextlib.suppress(ConnectionError):
            while more := s.recv(65536):
                said += more
    head, _, body = said.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    assert re.match(r"HTTP/1\.[01] \d{3}", first), said
    headers = dict(line.lower().split(": ", 1) for line in rest)
    return Answer(int(first.split()[1]), headers, body)


def request(server: Served, line: str, *headers: str, body: str = "", host: str = "") -> Answer:
    lines = [f"{line} HTTP/1.1", f"Host: {host or server.host}", "Connection: close", *headers]
    return shout(server, "\r\n".join(lines) + "\r\n\r\n" + body)


def is_error(answer: Answer | httpx.Response, status: int, code: str, where: str = "") -> str:
    """It is an error in the one form; gives its message."""
    raw = isinstance(answer, Answer)
    body = answer.body if isinstance(answer, Answer) else answer.content
    assert (answer.status if isinstance(answer, Answer) else answer.status_code) == status, body
    assert answer.headers["content-type"] == "application/json", body
    guarded(dict(answer.headers), raw)
    problem = json.loads(body)
    assert set(problem) == {"error"}
    assert set(problem["error"]) == {"code", "message", "where"}
    assert problem["error"]["code"] == code, problem
    assert where in problem["error"]["where"], problem
    assert problem["error"]["message"].strip()
    assert b"Traceback" not in body
    return str(problem["error"]["message"])


def guarded(headers: dict[str, str], raw: bool = True) -> None:
    """Browsers are told what they may do with it."""
    assert "default-src 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


class Wire:
    """A WebSocket of which only the handshake is in order. It reads only when asked to."""

    def __init__(self, server: Served, id: str, *, buffer: int = 0) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(("127.0.0.1", server.port))
        key = base64.b64encode(b"0123456789abcdef").decode()
        self.socket.sendall(
            f"GET /api/matches/{id}/live HTTP/1.1\r\nHost: {server.host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def shake(self) -> None:
        """Reads the answer to the handshake."""
        said = b""
        while not said.endswith(b"\r\n\r\n"):
            said += self.socket.recv(1)
        assert said.startswith(b"HTTP/1.1 101")

    def send(self, *frames: bytes) -> None:
        self.socket.sendall(b"".join(frames))

    def ended(self) -> bytes:
        """What it is sent until the server hangs up."""
        said = b""
        with contextlib.suppress(ConnectionError):
            while not has_close(said) and (more := self.socket.recv(65536)):
                said += more
        return said


TEXT, BYTES, CLOSE, PING, MORE = 1, 2, 8, 9, 0


def has_close(said: bytes) -> bool:
    """Whether a whole close frame is among what the server has sent."""
    at = said.find(b"\r\n\r\n") + 4 if said.startswith(b"HTTP") else 0
    while at + 2 <= len(said):
        kind, n = said[at] & 15, said[at + 1]
        size = {126: 2, 127: 8}.get(n, 0)
        n = int.from_bytes(said[at + 2 : at + 2 + size], "big") if size else n
        at += 2 + size + n
        if kind == CLOSE:
            return at <= len(said)
    return False


def frame(kind: int, data: bytes = b"", *, last: bool = True, flags: int = 0) -> bytes:
    n = len(data)
    size = bytes([0x80 | n]) if n < 126 else b"\xfe" + n.to_bytes(2, "big")
    return bytes([(0x80 if last else 0) | flags | kind]) + size + bytes(4) + data


def hello(token: str | None = None, **more: Any) -> str:
    """The first message of who has this token."""
    return json.dumps({"type": "hello", "protocol": PROTOCOL, "token": token, **more})


def hello_frame(token: str | None = None) -> bytes:
    return frame(TEXT, hello(token).encode())


def rest(said: Any, patience: float = 10) -> tuple[list[str], int | None]:
    """What a socket is still sent, and the code with which it is closed."""
    heard = []
    try:
        while True:
            heard.append(str(said.recv(patience)))
    except ConnectionClosed as e:
        return heard, e.rcvd.code if e.rcvd else None


def last_words(said: Any, patience: float = 10) -> dict[str, Any]:
    """The error with which the server hangs up on a socket."""
    heard, code = rest(said, patience)
    assert code == 1008
    message = json.loads(heard[-1])
    assert message["type"] == "error"
    assert set(message["error"]) == {"code", "message", "where"}
    assert message["error"]["message"].strip()
    return dict(message["error"])


# ---- bodies -------------------------------------------------------------------------------------
BAD_BODIES = {
    "empty": (b"", ""),
    "null": (b"null", ""),
    "list": (b"[]", ""),
    "text": (b'"war_zone"', ""),
    "half": (b'{"game":', ""),
    "bytes": (b"\xff\xfe\xfd", ""),
    "deep list": (b"[" * 100_000, ""),
    "deep object": (b'{"a":' * 30_000, ""),
    "deep inside": (with_()[:-1] + b',"options":' + b"[" * 90_000, ""),
    "NaN": (plus('"delay": NaN'), "delay"),
    "infinity": (plus('"delay": Infinity'), "delay"),
    "minus infinity": (plus('"delay": -Infinity'), "delay"),
    "1e400": (plus('"delay": 1e400'), "delay"),
    "delay < 0": (with_(delay=-1), "delay"),
    "delay > an hour": (with_(delay=3601), "delay"),
    "delay text": (with_(delay="1"), "delay"),
    "seed of 4,000 digits": (plus('"seed": ' + "9" * 4000), "seed"),
    "seed of 5,000 digits": (plus('"seed": ' + "9" * 5000), ""),
    "seed < 0": (with_(seed=-1), "seed"),
    "seed 2**53": (with_(seed=2**53), "seed"),
    "seed 1.0": (with_(seed=1.0), "seed"),
    "seed true": (with_(seed=True), "seed"),
    "seed text": (with_(seed="1"), "seed"),
    "unknown field": (with_(admin=True), "admin"),
    "__proto__": (plus('"__proto__": {"x": 1}'), "__proto__"),
    "no game": (b'{"seats": ["you", "open"]}', "game"),
    "no seats": (b'{"game": "war_zone"}', "seats"),
    "game is a path": (with_(game="../../etc/passwd"), "game"),
    "game is a module": (with_(game="battlebox.core"), "game"),
    "game is long": (with_(game="x" * 10_000), "game"),
    "game is null": (with_(game=None), "game"),
    "seats: text": (with_(seats="you"), "seats"),
    "seats: none": (with_(seats=[]), "seats"),
    "seats: one": (with_(seats=["you"]), ""),
    "seats: seven": (with_(seats=["you"] + ["open"] * 6), ""),
    "seats: 10,000": (with_(seats=["open"] * 10_000), "seats"),
    "seats: numbers": (with_(seats=[1, 2]), "seats"),
    "seats: you twice": (with_(seats=["you", "you"]), "seats"),
    "seats: no host": (with_(seats=["open", "open"]), "seats"),
    "seats: no such level": (with_(seats=["you", "godlike"]), "seats"),
    "seats: long": (with_(seats=["you", "x" * 50_000]), "seats"),
    "players differ": (with_(options={"players": 3}), "seats"),
    "players 10**30": (with_(options={"players": 10**30}), "seats"),
    "unknown option": (with_(options={"cheat": True}), "options"),
    "61 options": (with_(options={f"x{i}": i for i in range(61)}), "options"),
    "option too small": (with_(options={"hand_size": -1}), "options"),
    "option too large": (with_(options={"hand_size": 21}), "options"),
    "option is text": (with_(options={"hand_size": "5"}), "options"),
    "option is a list": (with_(options={"hand_size": [5]}), "options"),
    "options: list": (with_(options=[]), "options"),
    "options together": (with_(options={"teams": 2}), "options"),
    "surrogate: name": (plus(f'"name": "{SURROGATE}"'), "name"),
    "surrogate: mode": (plus(f'"mode": "{SURROGATE}"'), "mode"),
    "surrogate: deck": (plus(f'"deck": "{SURROGATE}"'), "deck"),
    "surrogate: field": (plus(f'"{SURROGATE}": 1'), ""),
    "surrogate: option": (plus(f'"options": {{"{SURROGATE}": 1}}'), "options"),
    "surrogate: value": (plus(f'"options": {{"v2": "{SURROGATE}"}}'), "options"),
    "surrogate: seat": (plus(f'"seats": ["{SURROGATE}"]'), "seats"),
    "name: empty": (with_(name=""), "name"),
    "name: blank": (with_(name=" \t\u2003\u200b"), "name"),
    "name: controls": (with_(name="\0\x1b\x7f\u202e\u2066"), "name"),
    "name: 10,000": (with_(name="x" * 10_000), "name"),
    "name: you": (with_(name=" YOU\u200b "), "name"),
    "name: number": (with_(name=7), "name"),
    "deck: number": (with_(deck=7), "deck"),
    "deck: 64 KB and one": (with_(deck="#" * 64_001), "deck"),
    "deck: empty": (with_(deck=""), "deck"),
    "deck: path": (with_(deck="/etc/passwd"), "deck"),
    "deck: no TOML": (with_(deck="[[attack]"), "deck"),
    "deck: deep list": (with_(deck="x = " + "[" * 60_000), "deck"),
    "deck: deep table": (with_(deck="x = " + "{a=" * 20_000), "deck"),
    "deck: huge number": (with_(deck="x = " + "9" * 60_000), "deck"),
    "deck: 5,000 cards": (with_(deck="[[attack]]\n" * 5_000), "deck"),
    "deck: 1,000 unknown ids": (
        with_(
            deck="".join(
                f'[[attack]]\nid="{k:x}"\nblocked_by="{k}"\ncounteraction="x{k}"\nq=1\n'
                for k in range(1000)
            )
        ),
        "deck",
    ),
    "deck: control characters": (
        with_(deck=DECK.format(hits=40).replace('"Hit"', '"\\u001b[2J"')),
        "deck",
    ),
    "deck: bidi": (with_(deck=DECK.format(hits=40).replace('"Hit"', '"\\u202eH"')), "deck"),
    "deck: 10**9 cards": (with_(deck=DECK.format(hits=10**9)), "deck"),
    "deck: too small": (with_(deck=DECK.format(hits=0).replace("20", "1")), ""),
    "deck option: path": (with_(options={"deck": "/etc/passwd"}), ""),
    "deck option: other path": (with_(options={"deck": "../x.toml"}), ""),
    "deck option: home": (with_(options={"deck": "~root/x.toml"}), ""),
    "deck option: null byte": (with_(options={"deck": "a\0.toml"}), ""),
    "deck option: device": (with_(options={"deck": "/dev/zero\0.toml"}), ""),
    "deck option: number": (with_(options={"deck": 7}), ""),
}


@pytest.mark.parametrize("what", BAD_BODIES)
def test_a_bad_body_makes_no_match(target: Target, what: str) -> None:
    body, where = BAD_BODIES[what]
    headers = {"content-type": "application/json"}
    answer = target.server.ask("POST", "/api/matches", content=body, headers=headers)
    message = is_error(answer, 400, "invalid", where)
    assert message.replace("\n  ", " ").isprintable()
    assert len(message) < 20_000 or where != "deck"
    assert "root:" not in message


def test_no_file_of_the_server_is_read(target: Target, tmp_path: Path) -> None:
    """Not even one that would be a deck; nor does the answer tell whether it is there."""
    there, not_there = tmp_path / "there.toml", tmp_path / "not.toml"
    there.write_text(DECK.format(hits=40))
    said = []
    for path in (there, not_there):
        for how in ({"options": {"deck": str(path)}}, {"deck": str(path)}):
            answer = target.server.ask("POST", "/api/matches", json={**GOOD, **how})
            said.append(is_error(answer, 400, "invalid").replace(path.name, ""))
    assert said[:2] == said[2:]


@pytest.mark.parametrize("how", ["field", "option"])
def test_a_deck_that_grows_when_read(tmp_path: Path, how: str) -> None:
    """A TOML key of many parts costs the square of their number."""
    bomb, flat = "a." * 14_000 + "a = 1\n", "a = 1\n" * 4_600
    with in_process(tmp_path) as server:

        def work(deck: str) -> float:
            """The processor time in which this deck is refused."""
            before = server.processor
            body = {"deck": deck} if how == "field" else {"options": {"deck": deck}}
            answer = server.ask("POST", "/api/matches", json={**GOOD, **body})
            is_error(answer, 400, "invalid", "deck")
            return server.processor - before

        server.make(["you", "open"])
        work(flat)  # what is loaded for the first of them is no cost of it
        before = server.memory
        assert work(bomb) < 10 * max(work(flat), server.TICK)
        assert server.memory - before < 100 * MB


@pytest.mark.parametrize("how", ["field", "option"])
def test_all_that_is_wrong_with_a_deck_is_told(target: Target, how: str) -> None:
    deck = DECK.format(hits=-1).replace("name =", "nmae =", 1)
    body = {"deck": deck} if how == "field" else {"options": {"deck": deck}}
    answer = target.server.ask("POST", "/api/matches", json={**GOOD, **body})
    told = is_error(answer, 400, "invalid", "deck")
    assert re.match(r"deck: \d errors\n  ", told)
    assert re.search(r"line \d+: 'nmae' is not known; did you mean 'name'\?", told)
    assert re.search(r"line \d+: count -1; 0 to 120", told)


def test_the_deck_option_takes_no_more_than_the_deck_field(target: Target) -> None:
    deck = DECK.format(hits=40) + "#" * 100_000 + "\n"
    answer = target.server.ask("POST", "/api/matches", json={**GOOD, "options": {"deck": deck}})
    is_error(answer, 400, "invalid")


def test_decks_of_many_sizes_do_not_use_up_the_server(tmp_path: Path) -> None:
    """Each size is a package that stays: there is an end to them, and the usual games go on."""
    extra = '[[attack]]\nid = "x{i}"\ncode = "X{i}"\nname = "X{i}"\ncount = 2\ndamage = 1\n'
    extra += 'blocked_by = "wall"\ncounteraction = "wall"\n'
    more = '[[defence]]\nid = "y{i}"\ncode = "Y{i}"\nname = "Y{i}"\ncount = 2\n'
    before = "import battlebox.core.game as g\ng.MOST_SIZES = 6\n"
    with in_process(tmp_path, before=before) as server:
        statuses, made = [], []
        for a, d in itertools.product(range(3), range(3)):
            deck = DECK.format(hits=40) + "".join(extra.format(i=i) for i in range(a))
            deck += "".join(more.format(i=i) for i in range(d))
            answer = server.ask("POST", "/api/matches", json={**GOOD, "deck": deck})
            statuses.append(answer.status_code)
            if answer.status_code == 201:
                made.append(answer.json()["id"])
            else:
                is_error(answer, 400, "invalid")
        assert statuses == [201] * 6 + [400] * 3
        server.make(["you", "open"])
    with in_process(tmp_path, before=before.replace("6", "1")) as server:  # all can be opened
        assert [server.ask("GET", f"/api/matches/{id}").status_code for id in made] == [200] * 6


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("Content-Length: 200001", ""),
        ("Content-Length: 200001", "x" * 200_001),
        ("Content-Length: 999999999999", "{}"),
        ("Transfer-Encoding: chunked", ("8000\r\n" + "x" * 0x8000 + "\r\n") * 8 + "0\r\n\r\n"),
        ("Transfer-Encoding: chunked", ("8000\r\n" + "x" * 0x8000 + "\r\n") * 200),
    ],
    ids=["said", "said and sent", "said and not sent", "in chunks", "in chunks without end"],
)
def test_a_body_too_large(target: Target, head: str, body: str) -> None:
    answer = request(target.server, "POST /api/matches", "Content-Type: application/json", head,
                     body=body)  # fmt: skip
    is_error(answer, 413, "too_big")


@pytest.mark.parametrize(
    "head",
    [
        "Content-Length: -1",
        "Content-Length: +2",
        "Content-Length: 2, 3",
        "Content-Length: two",
        "Content-Length: " + "9" * 30,
        "Content-Length: " + "9" * 5000,
        "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nX: \0",
        "Content-Length : 2",
        " folded",
        "no colon",
    ],
)
def test_a_request_that_is_none(target: Target, head: str) -> None:
    is_error(request(target.server, "POST /api/matches", head, body="{}"), 400, "invalid")


@pytest.mark.parametrize("size", [12_000, 60_000])
@pytest.mark.parametrize("upgrade", [False, True])
def test_a_head_that_is_long(target: Target, size: int, upgrade: bool) -> None:
    """Whatever is said of it is said by us: the WebSocket library has no answer of its own."""
    heads = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"]
    heads = [*heads, "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg=="] if upgrade else []
    path = f"/api/matches/{target.id}" + ("/live" if upgrade else "")
    for line, more in (
        (f"GET {path}?{'x' * size}", []),
        (f"GET {path}", ["X: " + "x" * size]),
        (f"GET {path}", ["X: y"] * (size // 60)),
    ):
        answer = request(target.server, line, "Origin: http://evil.example", *heads, *more)
        assert answer.status in (200, 400, 403, 431)
        if answer.status != 200:
            is_error(answer, answer.status, json.loads(answer.body)["error"]["code"])


@pytest.mark.parametrize("line", ["FOO /health", "get /health", "\x16\x03\x01\x02", "GET", "{}"])
def test_a_request_line_that_is_none(target: Target, line: str) -> None:
    is_error(request(target.server, line), 400, "invalid")


def test_a_body_that_never_comes_keeps_nobody_waiting(target: Target) -> None:
    waiting = []
    for _ in range(50):
        s = socket.create_connection(("127.0.0.1", target.server.port), timeout=PATIENCE)
        s.sendall(
            f"POST /api/matches HTTP/1.1\r\nHost: {target.server.host}\r\n"
            "Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{".encode()
        )
        waiting.append(s)
    target.server.healthy()
    for s in waiting:
        s.close()
    target.server.healthy()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts files in /proc")
def test_who_reads_no_answer_is_sent_away(tmp_path: Path) -> None:
    small = (  # what a system keeps of what nobody reads
        "import socket\nfrom battlebox.server.protocols import Http\nmade = Http.connection_made\n"
        "def small(self, transport):\n"
        "    line = transport.get_extra_info('socket')\n"
        "    line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)\n"
        "    made(self, transport)\n"
        "Http.connection_made = small\n"
    )
    with (
        in_process(tmp_path, before=small, hello=0.2, **ROOMY) as server,
        contextlib.ExitStack() as stack,
    ):
        server.healthy()
        files = Path(f"/proc/{server.process.pid}/fd")

        def lines() -> int:
            found = [os.path.realpath(x) for x in files.iterdir()]
            return sum("socket:" in x for x in found)

        before = lines()
        for _ in range(5):
            s = stack.enter_context(socket.socket())
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect(("127.0.0.1", server.port))
            s.sendall(f"GET /openapi.json HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode())
        until(lambda: lines() > before)
        until(lambda: lines() <= before)
        server.healthy()


def test_the_last_of_equal_keys_counts(server: InThread) -> None:
    answer = server.ask("POST", "/api/matches", content=plus('"seats": ["open", "you"]'),
                        headers={"content-type": "application/json"})  # fmt: skip
    assert answer.json()["seat"] == 1


# ---- what people are shown ----------------------------------------------------------------------
def shown(server: Served, **body: Any) -> dict[str, Any]:
    made = server.make(["you", "open"], **body)
    return dict(server.ask("GET", f"/api/matches/{made['id']}", made["token"]).json()["room"])


@pytest.mark.parametrize(
    "name",
    [
        "a\0b",
        "\u202eadA\u2066",
        "a\nbattlebox is ready: http://evil/",
        "a\r\n127.0.0.1 - GET /",
        "\x1b[2J\x1b]0;x\x07Ada",
        "A\u0085\u2028\u2029B",
        "\ufeffAda\U000e0041",
        "x" * 100,
    ],
)
def test_a_name_can_be_shown_anywhere(server: InThread, name: str) -> None:
    seat = shown(server, name=name)["seats"][0]
    assert 0 < len(seat["name"]) <= 24
    assert seat["name"].isprintable()


@pytest.mark.parametrize("mode", ["\x1b[2J", "a\nb", "\u202eevil"])
def test_a_mode_can_be_shown_anywhere(server: InThread, mode: str) -> None:
    answer = server.ask("POST", "/api/matches", json={**GOOD, "mode": mode})
    if answer.status_code == 201:
        room = server.ask("GET", f"/api/matches/{answer.json()['id']}").json()["room"]
        assert room["mode"].isprintable()
    else:
        is_error(answer, 400, "invalid", "mode")


def test_a_name_is_text_and_nothing_else(server: InThread) -> None:
    name = "<img src=x onerror=a()>"
    assert shown(server, name=name)["seats"][0]["name"] == name
    page = request(server, "GET /match/%3Cscript%3Ealert(1)%3C/script%3E")
    assert b"alert(1)" not in page.body


# ---- addresses ----------------------------------------------------------------------------------
LONG = "x" * 5_000
NO_PATHS = [
    *(
        "/web/../app.py",
        "/web/..%2f..%2fversion.py",
        "/web/%2e%2e/version.py",
        "/web/..%5c..%5cversion.py",
    ),
    *("/web/%252e%252e/version.py", "/web/%00", "/web/index.html%00.js", "/web//etc/passwd"),
    *("/web/%2fetc/passwd", "/web/", "/web/vendor", "/web/vendor/", "/web/.", "/web/%ff"),
    *(f"/web/{LONG}", "/web/" + "a/" * 5_000, "/web/con", "/web/C:%5cx"),
    *("/docs", "/redoc", "/nothing", "/server", "/.git/config", "/../../etc/passwd", "//"),
    *("/api", "/api/matches/%2e%2e%2fgames", "/api/matches/a/b", "/%00"),
    *("/api/games/%2e%2e/rules", "/api/games/war_zone%00/rules", f"/api/games/{LONG}/rules"),
    *("/api/games/WAR_ZONE/rules", "/api/games/%0d%0aSet-Cookie:x/rules"),
]


@pytest.mark.parametrize("path", NO_PATHS, ids=lambda x: x[:40])
def test_what_is_not_there(target: Target, path: str) -> None:
    is_error(request(target.server, f"GET {path}"), 404, "not_found")


NO_IDS = [
    *("nope", "..", "%2e%2e", "%00", "%0d%0aX:1", "%f0%9f%98%80", "%ff%fe", "%ed%a0%80", "*"),
    *("'%20OR%201=1--", "%22", "{id}%20", "{id}%00", "{id}.", "{swapped}", "{cut}", LONG, "-"),
]


@pytest.mark.parametrize("path", ["", "/record", "/replay", "/rematch"])
@pytest.mark.parametrize("id", NO_IDS, ids=lambda x: x[:20])
def test_no_such_match(target: Target, id: str, path: str) -> None:
    id = id.format(id=target.id, swapped=target.id.swapcase(), cut=target.id[:-1])
    method = "POST" if path == "/rematch" else "GET"
    token = f"Authorization: Bearer {target.tokens[0]}"
    answer = request(target.server, f"{method} /api/matches/{id}{path}", token)
    message = is_error(answer, 404, "not_found")
    assert message.isprintable()
    assert len(message) < 500


@pytest.mark.parametrize("id", NO_IDS, ids=lambda x: x[:20])
def test_no_such_match_to_watch(target: Target, id: str) -> None:
    id = id.format(id=target.id, swapped=target.id.swapcase(), cut=target.id[:-1])
    with contextlib.ExitStack() as stack:
        try:
            s = stack.enter_context(target.server.dial(id))
        except InvalidStatus as e:
            status, body = e.response.status_code, e.response.body or b""
        else:
            status, body = 404, b""
            s.send(HELLO)
            assert last_words(s)["code"] == "not_found"
    assert status in (400, 403, 404)
    assert status != 404 or not body or json.loads(body)["error"]["code"] == "not_found"


NOT_ALLOWED = [
    (method, path)
    for path in ("/api/matches", "/api/matches/{id}", "/health", "/", "/web/x.js")
    for method in ("PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "POST", "GET")
    if method != ("POST" if path == "/api/matches" else "GET")
]


@pytest.mark.parametrize(("method", "path"), NOT_ALLOWED)
def test_methods_that_are_not_allowed(target: Target, method: str, path: str) -> None:
    answer = request(target.server, f"{method} {path.format(id=target.id)}")
    is_error(answer, 405, "not_allowed")
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    "query",
    ["seat=-1", "seat=10", "seat=x", "seat=1e3", "seat=%00", "from=-1", "from=1e400", "to=-1",
     "from=99999999999999999999", "seat=%D9%A1%D9%A1"],
)  # fmt: skip
def test_a_replay_of_nonsense(target: Target, query: str) -> None:
    answer = request(target.server, f"GET /api/matches/{target.id}/replay?{query}")
    is_error(answer, 400, "invalid", query.partition("=")[0])


# ---- who asks, from where -----------------------------------------------------------------------
@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "evil.example@127.0.0.1",
     "127.0.0.1@evil.example", "127.0.0.1:{port}@evil.example", "127.0.0.1/evil.example",
     "127.0.0.1#evil.example", "127.0.0.1?evil.example", "127.0.0.1\\evil.example", "0x7f.1",
     "2130706433", "127.1", "127.0.0.1, evil.example", "evil.example, 127.0.0.1", "[::1",
     "[::1]evil.example", "[127.0.0.1]", "127.0.0.1:port", "localhost.evil.example",
     "\xff\xfe", "x" * 5_000, "http://127.0.0.1", "*", "%31%32%37.0.0.1"],
    ids=lambda x: x[:30],
)  # fmt: skip
def test_other_names_are_not_answered(target: Target, host: str) -> None:
    """Else a page of somebody whose name points here could read what it gets."""
    for line in ("GET /health", "GET /web", "POST /api/matches", f"GET /api/matches/{target.id}"):
        answer = request(target.server, line, host=host.format(port=target.server.port))
        is_error(answer, 403, "forbidden")


def test_no_name_is_not_answered(target: Target) -> None:
    for version in ("1.1", "1.0"):
        text = f"GET /health HTTP/{version}\r\nConnection: close\r\n\r\n"
        is_error(shout(target.server, text), 403, "forbidden")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:{port}", "127.0.0.1", "[::1]:{port}"])
def test_own_names_are_answered(target: Target, host: str) -> None:
    host = host.format(port=target.server.port)
    assert request(target.server, "GET /health", host=host).status == 200


def test_nobody_is_sent_to_another_site(target: Target) -> None:
    for path in ("/web", "/api/matches/", "/api/games/", "//evil.example/", "/\\evil.example/"):
        answer = request(target.server, f"GET {path}", "X-Forwarded-Host: evil.example")
        guarded(answer.headers)
        assert "evil" not in answer.headers.get("location", "")


BAD_ORIGINS = [
    *("null", "http://evil.example", "http://127.0.0.1:1", "http://localhost:{port}"),
    *("http://127.0.0.1:{port}.evil.example", "http://evil.example#127.0.0.1:{port}"),
    *("http://evil.example@127.0.0.1:{port}", "http://127.0.0.1:{port}@evil.example"),
    *("file://", "ftp://127.0.0.1:{port}", "127.0.0.1:{port}", "//127.0.0.1:{port}", "http://[::1"),
    *("http://]", "chrome-extension://x", "http://127.0.0.1:{port} http://evil.example", "\xff"),
]


@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_pages_of_other_sites_do_not_act(target: Target, origin: str) -> None:
    origin = origin.format(port=target.server.port)
    body = json.dumps(GOOD)
    heads = (f"Origin: {origin}", "Content-Type: application/json", f"Content-Length: {len(body)}")
    answer = request(target.server, "POST /api/matches", *heads, body=body)
    is_error(answer, 403, "forbidden")


@pytest.mark.parametrize("origin", BAD_ORIGINS)
def test_pages_of_other_sites_open_no_socket(target: Target, origin: str) -> None:
    origin = origin.format(port=target.server.port)
    answer = request(
        target.server, f"GET /api/matches/{target.id}/live", f"Origin: {origin}",
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==",
    )  # fmt: skip
    assert answer.status == 403
    is_error(answer, 403, "forbidden")


def test_a_socket_under_another_name(target: Target) -> None:
    answer = request(
        target.server, f"GET /api/matches/{target.id}/live", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", host="evil.example",
    )  # fmt: skip
    assert answer.status == 403


def test_the_own_page_acts(server: InThread) -> None:
    origin = {"origin": server.url}
    assert server.ask("POST", "/api/matches", json=GOOD, headers=origin).status_code == 201


def test_every_answer_tells_browsers_what_they_may_do(target: Target) -> None:
    paths = ["/", "/match/x", "/health", "/metrics", "/openapi.json", "/api/games", "/web", "/no"]
    paths += [f"/api/matches/{target.id}", "/api/games/war_zone/rules", "/web/index.html"]
    for path in paths:
        answer = request(target.server, f"GET {path}")
        guarded(answer.headers)
        assert "unsafe" not in answer.headers["content-security-policy"]


def test_what_breaks_inside_is_an_error_like_any_other(target: Target) -> None:
    with (
        mock.patch.object(target.server.rooms, "open", side_effect=RuntimeError("inside")),
        mock.patch.object(security.log, "exception") as logged,
    ):
        answer = target.server.ask("GET", f"/api/matches/{target.id}")
        assert "inside" not in is_error(answer, 500, "broken")
        assert target.server.ask("GET", "/health").status_code == 200  # on the same connection
    assert logged.called


# ---- tokens -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "value",
    ["", "Bearer", "Bearer ", "Bearer x", "Basic {0}", "{0}", "Token {0}", "Bearer {0}x",
     "Bearer {0},{1}", "Bearer {0} {1}", "Bearer null", "Bearer \xff\xfe", "Bearer {lower}",
     "Bearer " + "x" * 5_000, "Bearer {other}", "Bearer {id}", "Bearer {0}==", "Bearer {0}%00"],
    ids=lambda x: x[:20],
)  # fmt: skip
def test_what_is_no_token_of_the_match(target: Target, server: InThread, value: str) -> None:
    made = {"other": server.rooms.services.tokens.seat_token("other", 0), "id": target.id}
    lower = target.tokens[0].lower()
    value = value.format(target.tokens[0], target.tokens[1], lower=lower, **made)
    for line in (f"GET /api/matches/{target.id}",):
        is_error(request(server, line, f"Authorization: {value}"), 401, "bad_token")


def test_a_token_is_worth_nothing_elsewhere(target: Target, server: InThread) -> None:
    other = server.rooms.services.tokens.seat_token("other", 0)
    with server.dial(target.id) as s:
        s.send(hello(other))
        assert last_words(s)["code"] == "bad_token"
    # nor in the address
    answer = request(server, f"GET /api/matches/{target.id}?token={target.tokens[0]}")
    assert json.loads(answer.body)["room"]["you"] is None


def test_what_only_players_and_the_end_allow(target: Target) -> None:
    ask = target.server.ask
    for token in (None, *target.tokens.values()):
        for path in ("record", "replay", "replay?seat=0"):
            is_error(ask("GET", f"/api/matches/{target.id}/{path}", token), 409, "not_over")
        is_error(ask("POST", f"/api/matches/{target.id}/rematch", token), 409, "not_over")


def test_a_rematch_is_for_players(server: InThread) -> None:
    target = set_up(server)
    target.tokens[2] = take_seat(server, target.id, target.tokens[2], "Carl")
    for p in range(3):
        with target.sit(p) as seat:
            assert seat.want("resign", "r")["type"] == "ack"
    rematch = f"/api/matches/{target.id}/rematch"
    is_error(server.ask("POST", rematch), 401, "bad_token")
    other = server.rooms.services.tokens.seat_token("x", 0)
    is_error(server.ask("POST", rematch, other), 401, "bad_token")
    made: list[dict[str, Any]] = []

    def ask(p: int) -> None:
        answer = httpx.post(
            server.url + rematch,
            headers={"authorization": f"Bearer {target.tokens[p]}"},
            timeout=PATIENCE,
        )
        made.append(answer.json())

    threads = [threading.Thread(target=ask, args=(p,)) for p in (0, 1, 2, 0, 1, 2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len({x["id"] for x in made}) == 1
    assert len({(x["seat"], x["token"]) for x in made}) == 3
    assert not {x["token"] for x in made} & set(target.tokens.values())


# ---- sockets: the first message -----------------------------------------------------------------
HELLO, START = hello(), f'{{"type": "hello", "protocol": {PROTOCOL}'
NO_HELLO: dict[str, str | bytes] = {
    "bytes": HELLO.encode(),
    "empty": "",
    "half": "{",
    "null": "null",
    "list": "[]",
    "number": "1e400",
    "deep": "[" * 3_900,
    "BOM": "\ufeff" + HELLO,
    "no type": "{}",
    "another type": '{"type": "shutdown"}',
    "act": '{"type": "act", "id": "a", "question": "", "action": 0}',
    "two types": START + ', "type": "act"}',
    "unknown field": hello(seat=0),
    "protocol: text": hello(protocol="2"),
    "protocol: a fraction": hello(protocol=float(PROTOCOL)),
    "protocol: true": hello(protocol=True),
    "protocol: null": hello(protocol=None),
    "protocol: list": hello(protocol=[2]),
    "protocol: 1e400": '{"type": "hello", "protocol": 1e400}',
    "protocol: NaN": '{"type": "hello", "protocol": NaN}',
    "token: number": hello(token=0),
    "token: long": hello("x" * 101),
    "token: surrogate": START + ', "token": "' + SURROGATE + '"}',
    "since: text": hello(since="0"),
    "since: 1e400": START + ', "since": 1e400}',
    "since: NaN": hello(since=float("nan")),
    "since: -2": hello(since=-2),
    "since: 3,000 digits": hello(since=int("9" * 3_000)),
    "frames: unknown": hello(frames="truth"),
    "run: long": hello(run="x" * 41),
    "run: null": hello(run=None),
}


@pytest.mark.parametrize("what", NO_HELLO)
def test_a_first_message_that_is_no_hello(target: Target, what: str) -> None:
    with target.server.dial(target.id) as s:
        s.send(NO_HELLO[what])
        error = last_words(s)
    assert error["code"] == "bad_message"
    assert error["message"].isprintable()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('{"type": "hello", "token": "TOKEN"}', "cannot_be_opened"),  # which old pages know
        ('{"type": "hello", "protocol": 1, "token": "TOKEN"}', "cannot_be_opened"),
        *(
            ('{"type": "hello", "protocol": ' + number + ', "token": "TOKEN"}', "other_protocol")
            for number in ("0", "-1", "-2", "2", f"{PROTOCOL + 1}", "9" * 30, "9" * 3_000)
        ),
        # a newer page may say what is not known here, and is to load itself again all the same
        (
            f'{{"type": "hello", "protocol": {PROTOCOL + 1}, "token": "TOKEN", "mood": "good"}}',
            "other_protocol",
        ),
    ],
    ids=["none", "1", "0", "-1", "-2", "2", "the next", "30 digits", "3,000 digits", "with more"],
)
def test_another_protocol(target: Target, said: str, code: str) -> None:
    """It is refused before anything is shown; people and programs are told what to do."""
    with target.server.dial(target.id) as s:
        s.send(said.replace("TOKEN", target.tokens[0]))
        heard, closed = rest(s)
    assert closed == 1008
    [message] = map(json.loads, heard)
    assert message["error"]["code"] == code
    assert "load the page again" in message["error"]["message"]
    assert f"protocol {PROTOCOL}" in message["error"]["message"]


@pytest.mark.parametrize("token", ["", "x", "null", "\0", "é", "{id}", "{0}x"])
def test_a_hello_with_no_token(target: Target, token: str) -> None:
    with target.server.dial(target.id) as s:
        s.send(hello(token.format(target.tokens[0], id=target.id)))
        assert last_words(s)["code"] == "bad_token"


@pytest.mark.parametrize("since", [0, 5, 10**9])
@pytest.mark.parametrize("run", ["", "x", "{run}"])
def test_a_hello_that_claims_to_have_seen_it_all(target: Target, run: str, since: int) -> None:
    """Whatever it says it has: in the end it has the newest picture, and nobody else's."""
    with target.sit(1) as ben:
        ben.look()
        run = run.format(run=ben.frame["run"])
        for token, seat in ((None, None), (target.tokens[0], 0)):
            with target.server.dial(target.id) as s:
                s.send(hello(token, run=run, since=since))
                room, frame = (json.loads(s.recv(PATIENCE)) for _ in range(2))
                assert room["you"] == seat
                assert frame["scene"]["viewer"] == seat


@pytest.mark.parametrize("how", ["silence", "half a message", "pieces", "pings"])
def test_who_says_no_hello_is_sent_away(tmp_path: Path, how: str) -> None:
    clock = ManualClock()
    with in_thread(tmp_path, clock=clock) as server:
        target = set_up(server)
        with Wire(server, target.id) as wire:
            wire.shake()
            until(lambda: 10 in clock.alarms)
            if how == "half a message":
                wire.send(frame(TEXT, b'{"type": "hello"}', last=False))
            with contextlib.suppress(OSError):
                for _ in range(10 if how in ("pieces", "pings") else 0):
                    wire.send(frame(PING, b"x") if how == "pings" else
                              frame(MORE if _ else TEXT, b" ", last=False))  # fmt: skip
                    assert server.healthy()["sockets"] == 1
                    clock.advance(0.9)
                assert server.healthy()["sockets"] == 1
                clock.advance(10)
            until(lambda: server.healthy()["sockets"] == 0)
            assert b"no_hello" in wire.ended()


# ---- sockets: later messages --------------------------------------------------------------------
ACT: dict[str, Any] = {"type": "act", "id": "a", "question": "", "action": 0}
NO_MESSAGES: dict[str, str | bytes] = {
    "bytes": json.dumps(ACT).encode(),
    "empty": "",
    "half": '{"type":',
    "hello again": HELLO,
    "unknown type": '{"type": "admin", "id": "a"}',
    "type: list": '{"type": ["act"], "id": "a"}',
    "type: null": '{"type": null, "id": "a"}',
    "unknown field": json.dumps({**ACT, "seat": 1}),
    "no id": '{"type": "undo"}',
    "id: empty": json.dumps({**ACT, "id": ""}),
    "id: long": json.dumps({**ACT, "id": "a" * 41}),
    "id: line": json.dumps({**ACT, "id": "a\n"}),
    "id: colon": json.dumps({**ACT, "id": "1:a"}),
    "id: null byte": json.dumps({**ACT, "id": "a\0"}),
    "id: number": json.dumps({**ACT, "id": 1}),
    "as it was before": '{"type": "do", "id": "a", "n": 0, "action": 0}',
    "question: none": '{"type": "act", "id": "a", "action": 0}',
    "question: long": json.dumps({**ACT, "question": "0" * 17}),
    "question: number": json.dumps({**ACT, "question": 0}),
    "question: 10**30": json.dumps({**ACT, "question": 10**30}),
    "question: true": json.dumps({**ACT, "question": True}),
    "question: null": json.dumps({**ACT, "question": None}),
    "question: list": json.dumps({**ACT, "question": [""]}),
    "question: object": json.dumps({**ACT, "question": {}}),
    "question: surrogate": '{"type": "act", "id": "a", "action": 0, "question": "'
    + SURROGATE
    + '"}',
    "action < 0": json.dumps({**ACT, "action": -1}),
    "action: word": json.dumps({**ACT, "action": "pass"}),
    "action: 1e400": '{"type": "act", "id": "a", "question": "", "action": 1e400}',
    "action: true": json.dumps({**ACT, "action": True}),
    "action: list": json.dumps({**ACT, "action": [0]}),
    "action: 10**7": json.dumps({**ACT, "action": 10**7}),
    "name: none": '{"type": "rename", "id": "a"}',
    "name: long": json.dumps({"type": "rename", "id": "a", "name": "x" * 101}),
    "name: surrogate": '{"type": "rename", "id": "a", "name": "' + SURROGATE + '"}',
    "fill_seat: seat 10": json.dumps({"type": "fill_seat", "id": "a", "seat": 10, "level": "easy"}),
    "fill_seat: seat -1": json.dumps({"type": "fill_seat", "id": "a", "seat": -1, "level": "easy"}),
    "fill_seat: level": json.dumps({"type": "fill_seat", "id": "a", "seat": 2, "level": "x" * 41}),
    "propose: what": json.dumps({"type": "propose", "id": "a", "what": ["draw"]}),
    "answer: what": json.dumps({"type": "answer", "id": "a", "what": "x" * 41, "yes": True}),
    "answer: yes": json.dumps({"type": "answer", "id": "a", "what": "undo", "yes": "true"}),
    "hint: more": json.dumps({"type": "hint", "id": "a", "seat": 1}),
    "hint: no id": '{"type": "hint"}',
    "review: seat 10": json.dumps({"type": "review", "id": "a", "seat": 10}),
    "review: seat true": json.dumps({"type": "review", "id": "a", "seat": True}),
    "review: simulations": json.dumps({"type": "review", "id": "a", "simulations": 10**9}),
    "cancel: no id": '{"type": "cancel"}',
    "deep": '{"type": "act", "id": ' + "[" * 3_000,
}


@pytest.mark.parametrize("what", NO_MESSAGES)
@pytest.mark.parametrize("seat", [0, None])
def test_a_message_that_is_none(target: Target, what: str, seat: int | None) -> None:
    with target.sit(seat) as s:
        s.look()
        s.socket.send(NO_MESSAGES[what])
        error = last_words(s.socket)
    assert error["code"] == "bad_message"
    assert error["message"].isprintable()


@pytest.mark.parametrize("size", [4_001, 15_000, 100_000])
def test_a_message_too_large(target: Target, size: int) -> None:
    for hello_first in (True, False):
        with target.server.dial(target.id) as s:
            if hello_first:
                s.send(HELLO)
            s.send('{"type": "rename", "id": "a", "name": "' + "x" * size)
            if size > 16_000:  # the frame is not even read
                assert rest(s)[1] == 1009
            else:
                assert last_words(s)["code"] == "too_big"


def test_a_message_too_large_in_pieces(target: Target) -> None:
    with target.sit(0) as s:
        s.look()
        with contextlib.suppress(ConnectionClosed):
            s.socket.send(["x" * 1_000] * 100)
        assert rest(s.socket)[1] in (None, 1009)


def test_a_message_in_pieces_is_one(target: Target) -> None:
    with target.sit(0) as s:
        s.look()
        text = json.dumps({"type": "propose", "id": "pieces", "what": "draw"})
        s.socket.send(list(text))
        assert s.hear_until("refused")["id"] == "pieces"


@pytest.mark.parametrize(
    "data",
    [
        frame(TEXT, b"\xff\xfe"),
        frame(TEXT, b"{", flags=0x40),
        frame(3),
        frame(MORE),
        frame(PING, b"x", last=False),
        b"\x81\x02{}",  # unmasked
        b"\x81\xff\x7f" + b"\xff" * 7 + bytes(4),  # 2**63 bytes are to come
        b"\x89\xfe\x01\x00" + bytes(4) + b"x" * 256,  # a long ping
        frame(CLOSE, b"\x00\x01"),
        frame(CLOSE, b"\x03"),
        b"GET / HTTP/1.1\r\n\r\n",
        bytes(1000),
    ],
    ids=["UTF-8", "flag", "kind", "no beginning", "half a ping", "unmasked", "2**63", "long ping",
         "code", "half a code", "HTTP", "zeros"],
)  # fmt: skip
def test_frames_that_are_none(target: Target, data: bytes) -> None:
    with Wire(target.server, target.id) as wire:
        wire.shake()
        wire.send(hello_frame(target.tokens[0]), data)
        assert len(wire.ended()) < MB
    until(lambda: target.server.healthy()["sockets"] == 0)


# ---- sockets: what may not be done --------------------------------------------------------------
ASKED = "{asked}"  # for the question that seat 0 is asked
NOT_DONE: dict[str, tuple[int | None, dict[str, Any], str]] = {
    "another's turn": (1, ACT, "not_your_turn"),
    "another's turn, as if asked": (1, {**ACT, "question": ASKED}, "stale"),
    "an open seat": (2, {**ACT, "question": ASKED}, "not_allowed"),
    "a spectator": (None, {**ACT, "question": ASKED}, "not_allowed"),
    "no question": (0, ACT, "stale"),
    "a question of nobody": (0, {**ACT, "question": "feedbeeffeedbeef"}, "stale"),
    "a question with a null byte": (0, {**ACT, "question": "\0"}, "stale"),
    "not legal": (0, {**ACT, "question": ASKED, "action": 1}, "illegal"),
    "no such action": (0, {**ACT, "question": ASKED, "action": 10**6}, "illegal"),
    "undo of nothing": (0, {"type": "undo", "id": "a"}, "not_possible"),
    "undo by a spectator": (None, {"type": "undo", "id": "a"}, "not_allowed"),
    "draw without all": (0, {"type": "propose", "id": "a", "what": "draw"}, "not_possible"),
    "offer by a spectator": (None, {"type": "propose", "id": "a", "what": "draw"}, "not_allowed"),
    "answer to what was never asked": (
        0,
        {"type": "answer", "id": "a", "what": "resign", "yes": True},
        "not_possible",
    ),
    "answer to nothing": (
        1,
        {"type": "answer", "id": "a", "what": "draw", "yes": True},
        "not_possible",
    ),
    "answer by a spectator": (
        None,
        {"type": "answer", "id": "a", "what": "undo", "yes": True},
        "not_allowed",
    ),
    "resign before sitting": (2, {"type": "resign", "id": "a"}, "not_allowed"),
    "resign as a spectator": (None, {"type": "resign", "id": "a"}, "not_allowed"),
    "fill by a guest": (
        1,
        {"type": "fill_seat", "id": "a", "seat": 2, "level": "easy"},
        "not_allowed",
    ),
    "fill one's own seat": (
        0,
        {"type": "fill_seat", "id": "a", "seat": 0, "level": "easy"},
        "not_possible",
    ),
    "fill a guest's seat": (
        0,
        {"type": "fill_seat", "id": "a", "seat": 1, "level": "easy"},
        "not_possible",
    ),
    "fill no seat": (
        0,
        {"type": "fill_seat", "id": "a", "seat": 9, "level": "easy"},
        "not_possible",
    ),
    "fill with nothing": (
        0,
        {"type": "fill_seat", "id": "a", "seat": 2, "level": ""},
        "not_possible",
    ),
    "no name": (0, {"type": "rename", "id": "a", "name": "\u202e\0"}, "not_possible"),
    "the name you": (0, {"type": "rename", "id": "a", "name": "You"}, "not_possible"),
    "hint as a spectator": (None, {"type": "hint", "id": "a"}, "not_allowed"),
    "hint among people": (0, {"type": "hint", "id": "a"}, "not_allowed"),
    "hint before sitting": (2, {"type": "hint", "id": "a"}, "not_allowed"),
    "review before the end": (0, {"type": "review", "id": "a"}, "not_over"),
    "review of another": (1, {"type": "review", "id": "a", "seat": 0}, "not_over"),
    "review as a spectator": (None, {"type": "review", "id": "a"}, "not_over"),
    "review of no seat": (0, {"type": "review", "id": "a", "seat": 9}, "not_possible"),
    "stop of nothing": (None, {"type": "cancel", "id": "a"}, "not_possible"),
    "name as a spectator": (None, {"type": "rename", "id": "a", "name": "Eve"}, "not_allowed"),
}


@pytest.mark.parametrize("what", NOT_DONE)
def test_what_may_not_be_done(target: Target, what: str) -> None:
    seat, message, code = NOT_DONE[what]
    if message.get("question") == ASKED:
        asked = target.server.room(target.id).session.question(0)
        message = {**message, "question": asked}
    with target.sit(seat) as s, target.sit(None) as watching:
        s.look()
        watching.look()
        answer = s.want(**message)
        assert answer["type"] == "refused"
        assert set(answer["error"]) == {"code", "message", "where"}
        assert answer["error"]["code"] == code
        assert answer["error"]["message"].isprintable()
        # and nobody was shown anything but who is here
        assert watching.hear_the_rest() <= {"room", "beat"}


def first_action(s: Seat) -> dict[str, Any]:
    """A message that does the first of one's choices."""
    s.look()
    action = s.frame["scene"]["choices"][0]["action"]
    return {"type": "act", "question": s.frame["question"], "action": action}


def test_a_question_that_is_not_asked(server: InThread) -> None:
    """That of before, of another seat, of nobody: nothing is done under it."""
    target = set_up(server)
    session = server.room(target.id).session
    with target.sit(0) as ada, target.sit(1) as ben:
        act = first_action(ada)
        for k in range(9):  # until it is Ben's turn
            if 0 in session.deciding:
                ada.hear_the_rest()
                act = first_action(ada)
                assert ada.want(**act, id=f"turn{k}")["type"] == "ack"
        ben.look()
        while not ben.frame["question"]:
            ben.hear()
        before, asked = act["question"], ben.frame["question"]
        assert ada.frame["question"] == ""
        assert before != asked == session.question(1)
        done = server.mark(target.id)
        choice = first_action(ben)["action"]
        for action in (act["action"], choice):
            for quoted, code in (
                (before, "stale"),
                (asked, "stale"),
                ("", "not_your_turn"),
                ("feedbeeffeedbeef", "stale"),
            ):
                answer = ada.act("no", action, quoted)
                assert answer["error"]["code"] == code, quoted
        for quoted in (before, "", "feedbeeffeedbeef", asked.upper(), asked[:-1], f" {asked[1:]}"):
            for action in (act["action"], choice):
                answer = ben.act("no", action, quoted)
                assert answer["error"]["code"] == "stale", quoted
        assert server.mark(target.id) == done
        assert ben.act("no", choice, asked)["type"] == "ack"  # under an id that did nothing


def test_what_is_sent_again_is_done_once(server: InThread) -> None:
    target = set_up(server)
    with target.sit(0) as ada, target.sit(1) as ben:
        act = first_action(ada)
        ben.look()
        for _ in range(5):  # at once
            ada.send(**act, id="once")
        assert [ada.hear_until("ack", "refused")["type"] for _ in range(5)] == ["ack"] * 5
        done = server.mark(target.id)
        # later, as something else
        assert ada.want("resign", "once")["error"]["code"] == "used"
        assert ada.act("once", act["action"] + 1)["error"]["code"] == "used"
        # and as the same, whatever is asked meanwhile
        for question in ("", act["question"], "feedbeeffeedbeef"):
            assert ada.act("once", act["action"], question)["type"] == "ack"
        # from another seat, it is another id
        assert ben.want("propose", "once", what="draw")["type"] == "refused"
        assert server.mark(target.id) == done
    with target.sit(0) as again:
        again.look()
        assert again.act("once", act["action"])["type"] == "ack"
        # what was asked before is not asked any more
        assert again.want(**act, id="late")["error"]["code"] == "stale"
    assert server.mark(target.id) == done
    server.rooms._live.pop(target.id)  # nor after the memory was lost
    with target.sit(0) as again:
        again.look()
        assert again.act("once", act["action"])["type"] == "ack"
        assert again.want(**act, id="late")["error"]["code"] == "stale"
    assert server.mark(target.id) == done


def test_two_windows_of_one_seat_cannot_act_twice(server: InThread) -> None:
    target = set_up(server)
    length = server.room(target.id).session.length
    with target.sit(0) as one, target.sit(0) as two:
        act = first_action(one)
        two.look()
        for k, s in enumerate((one, two)):
            s.send(**act, id=f"w{k}")
        said = sorted(s.hear_until("ack", "refused")["type"] for s in (one, two))
    assert said == ["ack", "refused"]
    assert server.room(target.id).session.length == length + 1


def test_nothing_is_done_after_the_end(server: InThread) -> None:
    made = server.make(["you", "open"], seed=1)
    known = invitations(server, made)
    known[1] = take_seat(server, made["id"], known[1], "Ben")
    with Seat(server, made["id"], known[0]) as ada, Seat(server, made["id"], known[1]) as ben:
        assert ben.want("resign", "r")["type"] == "ack"
        before = server.mark(made["id"])
        for s in (ada, ben):
            s.look()
            for k, message in enumerate(
                (ACT, {"type": "undo"}, {"type": "propose", "what": "draw"}, {"type": "resign"},
                 {"type": "rename", "name": "Eve"},
                 {"type": "fill_seat", "seat": 1, "level": "easy"},
                 {"type": "answer", "what": "draw", "yes": True})
            ):  # fmt: skip
                answer = s.want(**{**message, "id": f"end{k}"})
                assert answer["error"]["code"] == "over", answer
    assert server.mark(made["id"]) == before


@pytest.fixture
def without_bots(tmp_path: Path) -> Iterator[InThread]:
    """A server whose bots never come to think."""
    with mock.patch.object(BotPlayers, "to_act", None), in_thread(tmp_path) as server:
        yield server


def test_who_gave_up_does_not_play_the_bot(without_bots: InThread) -> None:
    target = set_up(without_bots)
    with target.sit(0) as ada:
        act = first_action(ada)
        assert ada.want("resign", "r")["type"] == "ack"
        before = without_bots.mark(target.id)
        draw = {"type": "propose", "what": "draw"}
        for k, message in enumerate((act, {"type": "undo"}, draw, {"type": "resign"})):
            answer = ada.want(**{**message, "id": f"after{k}"})
            assert answer["type"] == "refused"
            assert answer["error"]["code"] == "not_allowed"
    assert without_bots.mark(target.id) == before


def test_a_link_to_a_seat_that_a_bot_got_is_worth_nothing(without_bots: InThread) -> None:
    """Who made the match knows that link: they may neither play the bot nor see its cards."""
    target = set_up(without_bots)
    with target.sit(0) as ada, target.sit(2) as carl:
        carl.look()
        assert ada.want("fill_seat", "f", seat=2, level="easy")["type"] == "ack"
        before = without_bots.mark(target.id)
        # who is there by that link sees no more of it
        until(lambda: not lookers(without_bots, target.id, 2))
    path = f"/api/matches/{target.id}"
    answer = without_bots.ask("GET", path, target.tokens[2])
    assert answer.status_code == 401 or answer.json()["room"]["you"] is None
    with target.sit(2) as carl:
        answer = carl.hear_until("frame", "error")
        assert answer["type"] == "error" or answer["scene"]["viewer"] is None
    assert without_bots.mark(target.id) == before


# ---- nothing is leaked --------------------------------------------------------------------------
def play(target: Target, people: list[Seat], say: Callable[[], None]) -> None:
    """Plays at random to the end; says something between the moves."""
    dice, room = random.Random(1), target.server.room(target.id)
    for k in itertools.count():
        match = room.session.match
        if (seat := match.to_act) is None:
            return
        one = people[seat]
        while not one.frame or one.frame["n"] < room.views[ViewKey(seat)].n:
            one.hear()
        say()
        choice = dice.choice(one.frame["scene"]["choices"])
        answer = one.act(f"m{k}", choice["action"])
        assert answer["type"] == "ack", answer


def test_nothing_secret_is_sent_before_the_end(tmp_path: Path) -> None:
    """Neither the secret of the chance, nor the key of the tokens, nor any but one's own token."""
    with in_thread(tmp_path, **ROOMY) as server, contextlib.ExitStack() as stack:
        target = set_up(server, seed=None, options={"start_health": 5})
        people = [stack.enter_context(target.sit(p)) for p in range(2)]
        watching = [stack.enter_context(target.sit(None, frames=x)) for x in ("scene", "data")]
        invitation = target.tokens[2]
        assert people[0].invite(2) == invitation  # which they are to be told
        target.tokens[2] = take_seat(server, target.id, invitation, "Carl")
        people.append(stack.enter_context(target.sit(2)))
        said: list[str] = []
        paths = [
            f"/api/matches/{target.id}{x}" for x in ("", "/record", "/replay", "/replay?seat=1")
        ]
        paths += ["/health", "/metrics", "/api/games", "/openapi.json"]
        asks = itertools.cycle(paths)

        def nose() -> None:
            said.append(server.ask("GET", next(asks)).text)
            with server.dial(target.id) as s:
                s.send(hello("guess"))
                said.extend(rest(s)[0])

        play(target, people, nose)
        for s in (*people, *watching):
            s.hear_the_rest()
        secret, key = server.room(target.id).setup.secret, server.rooms.store.key
        before_end = {
            s: [x for x in s.heard if f'"secret":"{secret.hex()}"' not in x]
            for s in (*people, *watching)
        }
        forms = [
            form
            for x in (secret, key)
            for form in (x.hex(), x.hex().upper(), base64.b64encode(x).decode()[:40],
                         base64.urlsafe_b64encode(x).decode()[:40])
        ]  # fmt: skip
        for seat, s in [*enumerate(people), *((None, x) for x in watching)]:
            assert before_end[s]
            for text in before_end[s]:
                others = [x for p, x in target.tokens.items() if p != seat]
                others += [invitation] if seat else []
                assert not [x for x in (*forms, *others) if x in text]
        text = "\n".join(said)
        assert not [x for x in (*forms, *target.tokens.values()) if x in text]
        # and it was the real thing: after the end it is told
        assert server.room(target.id).session.end
        now = server.ask("GET", paths[0]).text
        assert secret.hex() in now
        assert key.hex() not in now


def test_no_token_is_ever_written_down(tmp_path: Path) -> None:
    """Neither by whatever goes wrong, nor into the files of the folder or the database."""
    with in_process(tmp_path, hello=0.3) as server:
        made = server.make(["you", "open"])
        known = invitations(server, made)
        known[2] = take_seat(server, made["id"], known[1], "Ben")
        for token in known.values():
            for path in (
                "",
                "/record",
                "/replay?seat=x",
                "/rematch",
                "/nothing",
                f"?token={token}",
            ):
                server.ask("GET", f"/api/matches/{made['id']}{path}", token)
            server.ask("POST", "/api/matches", token, content=b"{" * 100_000)
            server.ask("POST", "/api/matches", token, headers={"origin": "http://[::1"}, json=GOOD)
            request(server, "FOO /", f"Authorization: Bearer {token}")
            for data in (frame(TEXT, b"\xff"), frame(TEXT, b"{"), frame(BYTES, b"x"), b"\xff" * 99):
                with Wire(server, made["id"]) as wire:
                    wire.shake()
                    wire.send(hello_frame(token), data)
                    wire.ended()
            with Wire(server, made["id"]) as wire:
                wire.send(frame(TEXT, hello(tokens=token).encode()))
                wire.ended()
        server.healthy()
    said = "".join(server.lines)
    files = b"".join(x.read_bytes() for x in tmp_path.iterdir())
    with contextlib.closing(store_of(tmp_path)) as store:
        key = store.key.hex()
        rows = repr([store._all(sa.select(x)) for x in tables.sorted_tables])
    assert key in rows
    for token in known.values():
        assert token not in said
        assert token not in rows
        assert token.encode() not in files
    assert len(server.lines) < 100  # nor do hostile clients fill the disk with complaints
    assert key not in said
    for path in tmp_path.glob(f"{FILE}*"):
        assert path.stat().st_mode & 0o077 == 0


# ---- too much of it -----------------------------------------------------------------------------
def test_too_many_messages(target: Target) -> None:
    with target.sit(0) as s:
        s.look()
        with contextlib.suppress(ConnectionClosed):
            for k in range(200):
                s.send(type="propose", id=f"d{k}", what="draw")
        with contextlib.suppress(ConnectionClosed):
            while s.hear()["type"] != "error":
                pass
        assert "too_fast" in s.heard[-1] or len(s.heard) < 100  # the last words may be cut off
    until(lambda: target.server.healthy()["sockets"] == 0)
    with target.sit(0) as s:
        s.look()


def test_a_thousand_sockets_that_never_speak(tmp_path: Path) -> None:
    with in_process(tmp_path, hello=2) as server:
        made = server.make(["you", "open"])
        before = server.memory
        with contextlib.ExitStack() as stack:
            silent = [stack.enter_context(Wire(server, made["id"])) for _ in range(1000)]
            until(lambda: server.healthy()["sockets"] > 100 or server.memory - before > 10 * MB)
            with Seat(server, made["id"], made["token"]) as s:  # who speaks is served
                assert s.want("rename", "n", name="Eve")["type"] == "ack"
            assert server.memory - before < 100 * MB
            until(lambda: server.healthy()["sockets"] == 0)
            for wire in silent:
                wire.socket.setblocking(False)
            assert all(b"no_hello" in x.socket.recv(4096) for x in silent)
        server.healthy()
        assert server.memory - before < 100 * MB


def test_a_thousand_connections_that_ask_nothing(tmp_path: Path) -> None:
    """They are closed after a while: else they would use up what may be open at once."""
    soft = "import resource as r\nhard = r.getrlimit(r.RLIMIT_NOFILE)[1]\n"
    soft += "r.setrlimit(r.RLIMIT_NOFILE, (1200, hard))"
    with in_process(tmp_path, before=soft, hello=1) as server, contextlib.ExitStack() as stack:
        before = server.memory
        silent = []
        for k in range(1000):
            s = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            if k % 2:
                s.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
            silent.append(s)
        server.healthy()
        assert server.memory - before < 100 * MB

        def closed() -> bool:
            silent[0].settimeout(0.01)
            silent[1].settimeout(0.01)
            try:
                return [s.recv(4096)[-1:] != b"?" for s in silent[:2]] == [True, True]
            except TimeoutError:
                return False

        until(closed)
        server.healthy()


def test_a_request_without_end(tmp_path: Path) -> None:
    """Headers and addresses are not collected for ever."""
    with in_process(tmp_path) as server:
        before = server.memory
        for start, more in (
            (b"GET / HTTP/1.1\r\n", (b"X-A: " + b"x" * 995 + b"\r\n") * 1000),
            (b"GET / HTTP/1.1\r\nX-A: ", b"x" * 1_000_000),
            (b"GET /", b"x" * 1_000_000),
        ):
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as s:
                with contextlib.suppress(OSError):
                    s.sendall(start)
                    for _ in range(40):
                        s.sendall(more)
                assert server.memory - before < 20 * MB, start
        server.healthy()


@pytest.mark.parametrize("what", ["pings", "pieces"])
def test_frames_that_no_limit_of_messages_counts(tmp_path: Path, what: str) -> None:
    """Pings are answered, pieces are collected: neither without end, nor to others' cost."""
    drop = frame(PING, b"x" * 125) if what == "pings" else frame(MORE, last=False)
    flood = drop * (3 * RATE // len(drop))
    with in_process(tmp_path) as server:
        made = server.make(["you", "open"])
        before = server.memory
        with Wire(server, made["id"]) as wire:
            wire.shake()
            wire.send(hello_frame(), frame(TEXT, b"{", last=False) if what == "pieces" else b"")
            wire.socket.settimeout(
                1
            )  # in which it takes a third of a flood, when it has had its burst
            with pytest.raises(OSError, match=r"timed out|reset|Broken pipe"):
                all(wire.send(flood) is None for _ in range(100))
            server.healthy()
        assert server.memory - before < 20 * MB


def test_who_never_reads_costs_little(tmp_path: Path) -> None:
    """Others play on; for them only the newest picture is kept."""
    with in_process(tmp_path, **ROOMY) as server, contextlib.ExitStack() as stack:
        made = server.make(["you", "open"])
        deaf = [stack.enter_context(Wire(server, made["id"], buffer=4096)) for _ in range(30)]
        for wire in deaf:
            wire.send(hello_frame())
        ada = stack.enter_context(Seat(server, made["id"], made["token"]))
        ada.look()
        before = server.memory
        for k in range(600):
            assert ada.want("rename", f"n{k}", name=f"Ada{k}")["type"] == "ack"
        assert server.memory - before < 30 * MB
        server.healthy()


def test_who_reads_no_answers_is_sent_away(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server:
        target = set_up(server)
        before = server.mark(target.id)
        ask = frame(TEXT, b'{"type": "propose", "id": "d", "what": "draw"}')
        with Wire(server, target.id, buffer=4096) as wire:
            wire.shake()
            wire.send(hello_frame(target.tokens[0]))
            wire.socket.settimeout(2)
            with contextlib.suppress(OSError):
                for _ in range(1_000):
                    wire.send(ask * 100)
            assert all(len(x.answers) <= BACKLOG + 1 for x in lookers(server, target.id, 0))
            until(lambda: server.healthy()["sockets"] == 0)
            assert not lookers(server, target.id, 0)
        assert server.mark(target.id) == before


def test_who_is_gone_without_a_word_is_let_go(tmp_path: Path) -> None:
    """Also when something is still to be sent to them: pings are not answered, and that is that."""
    quick = (
        "import uvicorn\nreal = uvicorn.Config\n"
        "served.uvicorn.Config = lambda *a, **k: real(\n"
        "    *a, **{**k, 'ws_ping_interval': 0.5, 'ws_ping_timeout': 0.5})\n"
    )
    with in_process(tmp_path, before=quick, **ROOMY) as server, contextlib.ExitStack() as stack:
        made = server.make(["you", "open"])
        gone = [stack.enter_context(Wire(server, made["id"], buffer=4096)) for _ in range(2)]
        for wire in gone:
            wire.send(hello_frame())
        until(lambda: server.healthy()["sockets"] == 2)
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            with contextlib.suppress(ConnectionClosed):
                for k in range(2_000):
                    if server.healthy()["sockets"] == 1:
                        break
                    ada.want("rename", f"n{k}", name=f"Ada{k}")
        until(lambda: server.healthy()["sockets"] == 0)


def test_sockets_are_bounded(tmp_path: Path) -> None:
    with in_thread(tmp_path, sockets=6, sockets_per_match=3) as server:
        target, other = set_up(server), set_up(server)
        until(lambda: server.healthy()["sockets"] == 0)
        before = server.mark(target.id)
        with contextlib.ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(target.sit(None)).look()
            with server.dial(target.id) as s:
                s.send(HELLO)
                assert last_words(s)["code"] == "too_many"
            until(lambda: server.healthy()["sockets"] == 3)
            stack.enter_context(target.sit(0)).look()  # spectators keep no player out
            for _ in range(2):
                stack.enter_context(other.sit(None)).look()
            with pytest.raises(InvalidStatus) as full, server.dial(other.id):
                pass
            assert full.value.response.status_code == 503
            assert json.loads(full.value.response.body or b"")["error"]["code"] == "too_many"
            server.healthy()
        until(lambda: server.healthy()["sockets"] == 0)
        with target.sit(1) as s:
            s.look()
        assert server.mark(target.id) == before


def test_a_node_that_hears_nothing_of_its_database_takes_no_more_windows(tmp_path: Path) -> None:
    """Whatever it was asked there, the answer would be long in coming; another node may have it."""
    with in_thread(tmp_path, **ROOMY) as server:
        target = set_up(server)
        with target.sit(0) as s:
            s.look()
            with mock.patch.object(type(server.rooms.store), "answers", False):
                with pytest.raises(InvalidStatus) as away, server.dial(target.id):
                    pass
                assert away.value.response.status_code == 503
                said = json.loads(away.value.response.body or b"")["error"]
                assert said["code"] == "not_saved"
                assert "try again" in said["message"]
                is_error(server.ask("GET", f"/api/matches/{target.id}"), 503, "not_saved")
                assert s.want("rename", "n", name="Eve")["type"] == "ack", "who is there stays"
        with target.sit(1) as s:
            s.look()


def test_an_address_has_so_many_windows(tmp_path: Path) -> None:
    with in_thread(
        tmp_path, how={"trusted_proxy": "127.0.0.1"}, sockets_per_address=2, **ROOMY
    ) as server:
        made = server.make(["you", "open"])
        with Seat(server, made["id"], None) as first, Seat(server, made["id"], None) as second:
            first.look()
            second.look()
            with pytest.raises(InvalidStatus) as many, server.dial(made["id"]):
                pass
            assert many.value.response.status_code == 429
            assert json.loads(many.value.response.body or b"")["error"]["code"] == "too_many"
        until(lambda: server.healthy()["sockets"] == 0)
        with Seat(server, made["id"], None) as first:
            first.look()


def test_spectators_keep_nobody_out_who_is_invited(tmp_path: Path) -> None:
    with in_thread(tmp_path, sockets_per_match=2, **ROOMY) as server:
        made = server.make(["you", "open"])
        with Seat(server, made["id"], made["token"]) as ada:
            ada.hear_until("room")
            invitation = ada.room["invitations"]["1"]
            with Seat(server, made["id"], None) as one, Seat(server, made["id"], None) as two:
                one.look()
                two.look()
                with Seat(server, made["id"], invitation) as ben:
                    assert ben.want("take_seat", "s", name="Ben", key="k" * 20)["type"] == "ack"


def test_the_log_of_a_match_has_an_end(tmp_path: Path) -> None:
    """Changing one's name without end does not fill the disk."""
    with in_thread(tmp_path, entries=5, **ROOMY) as server:
        made = server.make(["you", "open"])
        with Seat(server, made["id"], made["token"]) as ada:
            said = [ada.want("rename", f"n{k}", name=f"Ada{k}") for k in range(7)]
            assert [x["type"] for x in said] == ["ack"] * 5 + ["refused"] * 2
            assert "too long" in said[-1]["error"]["message"]
            assert ada.want("resign", "r")["type"] == "ack"


def test_strangers_make_so_many_matches_a_minute(tmp_path: Path) -> None:
    clock = ManualClock()
    with (
        in_thread(
            tmp_path, clock=clock, how={"trusted_proxy": "127.0.0.1"}, matches_per_minute=3
        ) as server,
    ):
        statuses = [server.ask("POST", "/api/matches", json=GOOD) for _ in range(6)]
        assert [x.status_code for x in statuses[:3]] == [201] * 3
        for answer in statuses[3:]:
            is_error(answer, 429, "too_many")
        assert server.kept() == 3
        clock.advance(20)  # a third of a minute
        statuses = [server.ask("POST", "/api/matches", json=GOOD) for _ in range(2)]
        assert [x.status_code for x in statuses] == [201, 429]


def test_strangers_make_so_many_rematches_a_minute(tmp_path: Path) -> None:
    with (
        in_thread(
            tmp_path, clock=ManualClock(), how={"trusted_proxy": "127.0.0.1"}, matches_per_minute=2
        ) as server,
    ):
        made = server.make(["you", "open"])
        for status in (200, 429):
            with Seat(server, made["id"], made["token"]) as ada:
                assert ada.want("resign", "r")["type"] == "ack"
            path = f"/api/matches/{made['id']}/rematch"
            answer = server.ask("POST", path, made["token"])
            assert answer.status_code == status
            if status == 200:  # it is there: to be told so again costs nothing
                assert server.ask("POST", path, made["token"]).json() == answer.json()
                made = answer.json()
        assert server.kept() == 2


def test_a_match_that_is_in_nobody_s_way_is_not_thrown_out_at_birth(tmp_path: Path) -> None:
    """However many matches are in use: a new one is there once, not twice."""
    with in_thread(tmp_path, live_matches=1) as server:
        target = set_up(server)
        with target.sit(0) as ada:
            ada.look()
            made = server.make(["you", "open"])
            room = server.rooms._live.get(made["id"])
            with Seat(server, made["id"], made["token"]) as s:
                s.look()
                assert room is None or server.room(made["id"]) is room
            bots = server.make(["random", "random"])
            assert bots["id"] in server.rooms._live  # they have begun to play


# ---- what is not saved has not happened ---------------------------------------------------------
@contextlib.contextmanager
def failing(server: InThread, error: StoreError) -> Iterator[None]:
    with mock.patch.object(server.rooms.store, "_committed", lambda orders: [error] * len(orders)):
        yield


def test_what_cannot_be_saved_is_not_done(target: Target) -> None:
    with target.sit(0) as ada, target.sit(1) as ben:
        act = first_action(ada)
        ben.look()
        with failing(target.server, StoreError("disk full")):
            for message in (act, {"type": "rename", "name": "Eve"}, {"type": "resign"}):
                answer = ada.want(**{**message, "id": "lost"})
                assert answer["type"] == "refused"
                assert answer["error"]["code"] == "not_saved"
            answer = target.server.ask("POST", "/api/matches", json=GOOD)
            is_error(answer, 503, "not_saved")
        assert ben.hear_the_rest() <= {"room", "beat"}


def test_the_match_goes_on_when_the_disk_does(server: InThread) -> None:
    target = set_up(server)
    with target.sit(0) as ada:
        act = first_action(ada)
        with failing(server, StoreError("disk full")):
            assert ada.want(**act, id="x")["type"] == "refused"
        assert ada.want(**act, id="x")["type"] == "ack"  # under its old id


@sqlite_only("its file has a greatest size for the test")
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """SQLite itself says so: after it, nothing is half done, and what was written is there."""
    with in_thread(tmp_path, **ROOMY) as server:
        target = set_up(server)

        def pragma(text: str) -> int:
            store = server.rooms.store
            with store._lock, store._engine.connect() as c:
                return int(c.exec_driver_sql(f"PRAGMA {text}").scalar_one())

        pragma(f"max_page_count={pragma('page_count')}")
        with target.sit(0) as ada:
            answers = {}
            for k in range(300):
                answers[f"n{k}"] = ada.want("rename", f"n{k}", name=f"Ada{k}")
                if answers[f"n{k}"]["type"] == "refused":
                    break
            assert answers[f"n{k}"]["error"]["code"] == "not_saved"
            pragma("max_page_count=100000")
            assert ada.want("rename", f"n{k}", name="Eve")["type"] == "ack"
        before = server.mark(target.id)
    with in_thread(tmp_path) as server:
        assert server.ask("GET", f"/api/matches/{target.id}").status_code == 200
        assert server.mark(target.id) == before
        said = {x.action for x in before[-1]}
        assert {f"0:{x}" for x in answers} <= said


def test_the_log_knows_better_than_the_memory(server: InThread) -> None:
    target = set_up(server)
    before = server.mark(target.id)
    with target.sit(0) as ada:
        act = first_action(ada)
        with failing(server, Conflict("there already")):
            ada.send(**act, id="x")
            assert rest(ada.socket)[1] == 1012  # come back
    with target.sit(0) as ada:
        assert first_action(ada) == act  # it is asked the same
        assert server.mark(target.id) == before
        assert ada.want(**act, id="x")["type"] == "ack"


def test_what_may_be_saved_is_not_said_to_be_lost(server: InThread) -> None:
    """The database went away as it was asked to write: nobody knows, so nobody says anything."""
    target = set_up(server)
    with target.sit(0) as ada:
        act = first_action(ada)
        with failing(server, OutcomeUnknown("the line broke")):
            ada.send(**act, id="x")
            said, code = rest(ada.socket)
        assert code == 1012  # come back
        assert not [x for x in said if json.loads(x)["type"] in ("ack", "refused")]
    with target.sit(0) as ada:
        assert ada.want(**act, id="x")["type"] == "ack"


@pytest.mark.compiled
def test_bots_go_on_when_the_disk_does(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server:
        made = server.make(["you", "random"], seed=3)
        real, state = server.rooms.store.append, {"full": True, "failed": 0}

        async def flaky(match: str, entry: Entry) -> None:
            if state["full"] and entry.action is None:  # a bot's
                state["failed"] += 1
                raise StoreError("disk full")
            await real(match, entry)

        with (
            mock.patch.object(server.rooms.store, "append", flaky),
            Seat(server, made["id"], made["token"]) as ada,
        ):
            ada.look()
            for k in range(20):  # until the bot is to act
                while ada.frame["scene"]["choices"] == [] and not state["failed"]:
                    with contextlib.suppress(TimeoutError):
                        ada.hear(0.1)
                if state["failed"]:
                    break
                action = ada.frame["scene"]["choices"][0]["action"]
                ada.act(f"x{k}", action)
            assert state["failed"]
            state["full"] = False
            length = server.room(made["id"]).session.length
            until(lambda: server.room(made["id"]).session.length > length)


def test_a_log_that_cannot_be_read(server: InThread) -> None:
    target = set_up(server)
    room = server.rooms._live.pop(target.id)
    broken = sa.exc.OperationalError("SELECT", {}, sqlite3.OperationalError("disk I/O error"))
    with mock.patch.object(server.rooms.store._engine, "connect", side_effect=broken):
        is_error(server.ask("GET", f"/api/matches/{target.id}"), 503, "not_saved")
        with server.dial(target.id) as s:
            s.send(HELLO)
            assert last_words(s)["code"] == "not_saved"
    server.rooms._live[target.id] = room
    server.healthy()


DAMAGE = {
    "setup": "UPDATE matches SET setup = '{'",
    "setup without seats": 'UPDATE matches SET setup = \'{"game": "war_zone"}\'',
    "unknown game": "UPDATE matches SET setup = replace(setup, 'war_zone', 'chess')",
    "body": "UPDATE log SET body = '{'",
    "another body": 'UPDATE log SET body = \'{"type": "acted", "seat": 1, "word": "AR>1"}\'',
    "another body of before": 'UPDATE log SET body = \'{"do": "AR>1", "seat": 1}\'',
    "unknown type": "UPDATE log SET body = replace(body, 'seated', 'shutdown')",
    "unknown field": "UPDATE log SET body = replace(body, 'name', 'admin')",
    "seat that is no number": "UPDATE log SET body = replace(body, ':1', ':true')",
    "no object": "UPDATE log SET body = '[]'",
    "number": "UPDATE log SET body = '1'",
    "empty body": "UPDATE log SET body = '{}'",
    "hole": "UPDATE log SET seq = seq + 5",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_one_damaged_match_is_the_only_one(tmp_path: Path, what: str) -> None:
    with in_thread(tmp_path) as server:
        target = set_up(server)
    with contextlib.closing(store_of(tmp_path)) as store:
        change(store, DAMAGE[what])
    with in_thread(tmp_path) as server:
        for path in ("", "/record", "/replay"):
            answer = server.ask("GET", f"/api/matches/{target.id}{path}")
            assert answer.status_code in (409, 503), answer.text
            is_error(answer, answer.status_code, answer.json()["error"]["code"])
        with server.dial(target.id) as s:
            s.send(HELLO)
            last_words(s)
        server.make(["you", "open"])
        server.healthy()


def start(data: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "battlebox",
        "--no-browser",
        "--port",
        "0",
        "--data",
        str(data),
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def complaint(ended: subprocess.CompletedProcess[str]) -> str:
    """One line that says why it does not start."""
    assert ended.returncode == 2
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    return ended.stderr


@sqlite_only("a database is for any number of servers")
def test_a_second_server_on_the_same_folder(server: InThread) -> None:
    said = complaint(start(server.rooms.store.path.parent))
    assert "in use" in said
    assert server.url in said  # where the other is
    server.make(["you", "open"])


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/battlebox")):
        assert str(path) in complaint(start(path))


DAMAGED_FILES: dict[str, Callable[[Path], object]] = {
    "garbage": lambda f: f.write_bytes(b"garbage" * 1000),
    "half": lambda f: f.write_bytes(f.read_bytes()[: f.stat().st_size // 2]),
    "another key": lambda f: script(f, "UPDATE about SET value = 'zz' WHERE name = 'key'"),
    "another format": lambda f: script(f, "UPDATE about SET value = '9' WHERE name = 'format'"),
    "no log": lambda f: script(f, "DROP TABLE about; CREATE TABLE about (x)"),
}


def script(path: Path, sql: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.close()


@sqlite_only("it is about its file; test_store.py asks both the like")
@pytest.mark.parametrize("what", DAMAGED_FILES)
def test_a_damaged_file(tmp_path: Path, what: str) -> None:
    with in_thread(tmp_path) as server:
        server.make(["you", "open"])
    DAMAGED_FILES[what](tmp_path / FILE)
    said = complaint(start(tmp_path))
    assert FILE in said
    assert "stop that one" not in said  # nobody else uses it


# ---- what is written down about it --------------------------------------------------------------
def fits(schema: dict[str, Any], value: Any, doc: dict[str, Any], where: str = "") -> None:
    """The value is what the schema says. Knows as much of JSON Schema as our document uses."""
    if ref := schema.get("$ref"):
        found = doc
        for step in ref.removeprefix("#/").split("/"):
            found = found[step]
        fits(found, value, doc, where)
    elif options := schema.get("anyOf"):
        for option in options:
            with contextlib.suppress(AssertionError):
                fits(option, value, doc, where)
                return
        raise AssertionError(f"{where}: {value!r} is none of {options}")
    else:
        kinds: dict[str, Any] = {
            **{"object": dict, "array": list, "string": str, "boolean": bool, "integer": int},
            **{"number": (int, float), "null": type(None)},
        }
        if kind := schema.get("type"):
            assert isinstance(value, kinds[kind]), f"{where}: {value!r} is no {kind}"
        if "const" in schema:
            assert value == schema["const"], where
        if isinstance(value, dict) and "properties" in schema:
            assert set(schema.get("required", ())) <= set(value), where
            assert set(value) <= set(schema["properties"]), (where, value)
            for k, inner in schema["properties"].items():
                if k in value:
                    fits(inner, value[k], doc, f"{where}.{k}")
        if isinstance(value, list):
            for k, x in enumerate(value):
                fits(schema.get("items", {}), x, doc, f"{where}[{k}]")


LESSON = "/api/games/{name}/lessons/{id}"


def test_the_openapi_document_is_true(server: InThread) -> None:
    """Every route, well and badly asked: what comes is what the document says."""
    doc = server.ask("GET", "/openapi.json").json()
    assert doc["openapi"].startswith("3.")
    going, over = set_up(server), set_up(server)
    for p in range(2):
        with over.sit(p) as s:
            assert s.want("resign", "r")["type"] == "ack"
    assert server.room(over.id).session.end
    made = server.make(["you", "open"])
    open_seat, host = made["id"], made["token"]
    big = b" " * 200_001
    asked: list[tuple[str, str, dict[str, str], dict[str, Any], int]] = [
        ("GET", "/api/games", {}, {}, 200),
        ("GET", "/api/matches/{id}/layout", {"id": going.id}, {}, 200),
        ("GET", "/api/matches/{id}/layout", {"id": "nope"}, {}, 404),
        ("GET", "/api/games/{name}/rules", {"name": "war_zone"}, {}, 200),
        ("GET", "/api/games/{name}/rules", {"name": "nope"}, {}, 404),
        ("GET", "/api/games/{name}/components", {"name": "battleball"}, {}, 200),
        ("GET", "/api/games/{name}/components", {"name": "nope"}, {}, 404),
        ("GET", "/api/matches/{id}/components", {"id": going.id}, {}, 200),
        ("GET", "/api/matches/{id}/components", {"id": "nope"}, {}, 404),
        ("GET", "/api/games/{name}/lessons", {"name": "war_zone"}, {}, 200),
        ("GET", "/api/games/{name}/lessons", {"name": "nope"}, {}, 404),
        ("POST", LESSON, {"name": "war_zone", "id": "WZ-L1"}, {"json": {}}, 200),
        ("POST", LESSON, {"name": "war_zone", "id": "WZ-L1"}, {"json": {"attempt": "pass"}}, 200),
        ("POST", LESSON, {"name": "war_zone", "id": "WZ-L1"}, {"json": {"attempt": "x"}}, 400),
        ("POST", LESSON, {"name": "war_zone", "id": "nope"}, {"json": {}}, 404),
        ("POST", LESSON, {"name": "nope", "id": "WZ-L1"}, {"json": {}}, 404),
        ("POST", "/api/matches", {}, {"json": GOOD}, 201),
        ("POST", "/api/matches", {}, {"json": {"game": 1}}, 400),
        ("POST", "/api/matches", {}, {"content": big}, 413),
        ("POST", "/api/matches", {}, {"json": GOOD, "headers": {"origin": "null"}}, 403),
        ("GET", "/health", {}, {}, 200),
        ("GET", "/ready", {}, {}, 200),
        ("GET", "/metrics", {}, {}, 200),
        ("GET", "/health", {}, {"headers": {"host": "evil"}}, 403),
        ("GET", "/api/matches/{id}", {"id": going.id}, {"token": going.tokens[0]}, 200),
        ("GET", "/api/matches/{id}", {"id": over.id}, {}, 200),
        ("GET", "/api/matches/{id}/replay", {"id": over.id}, {"params": {"seat": "1"}}, 200),
        ("GET", "/api/matches/{id}/replay", {"id": over.id}, {"params": {"seat": "9"}}, 400),
        ("GET", "/api/matches/{id}/replay", {"id": going.id}, {"params": {"seat": "x"}}, 400),
        ("GET", "/api/matches/{id}/record", {"id": over.id}, {}, 200),
        ("POST", "/api/matches/{id}/rematch", {"id": over.id}, {"token": over.tokens[0]}, 200),
        ("POST", "/api/matches/{id}/rematch", {"id": over.id}, {}, 401),
        ("GET", "/api/matches/{id}", {"id": over.id}, {"token": "x"}, 401),
        ("GET", "/api/matches/{id}/links", {"id": open_seat}, {"token": host}, 200),
        ("GET", "/api/matches/{id}/links", {"id": open_seat}, {}, 200),
        ("GET", "/api/matches/{id}/links", {"id": open_seat}, {"token": "x"}, 401),
        ("GET", "/api/matches/{id}/links", {"id": "nope"}, {}, 404),
        ("POST", "/api/matches/{id}/join", {"id": open_seat}, {}, 200),
        ("POST", "/api/matches/{id}/join", {"id": "nope"}, {}, 404),
        ("POST", "/api/matches/{id}/join", {"id": over.id}, {}, 409),
    ]
    for path in ("record", "replay", "rematch"):
        method = "POST" if path == "rematch" else "GET"
        route = "/api/matches/{id}/" + path
        asked += [
            (method, route, {"id": "nope"}, {}, 404),
            (method, route, {"id": going.id}, {}, 409),
        ]
    asked.append(("GET", "/api/matches/{id}", {"id": "nope"}, {}, 404))
    for method, route, names, how, status in asked:
        answer = server.ask(method, route.format(**names), **how)
        assert answer.status_code == status, (route, answer.text)
        documented = doc["paths"][route][method.lower()]["responses"]
        assert str(status) in documented or "default" in documented, (method, route, status)
        content = documented.get(str(status), documented.get("default"))["content"]
        media = answer.headers["content-type"].partition(";")[0]
        assert media in content, (route, media)
        if media == "application/json":
            fits(content[media]["schema"], answer.json(), doc, route)
    routes = {(m.upper(), p) for p, methods in doc["paths"].items() for m in methods}
    assert routes == {(m, r) for m, r, *_ in asked}
    assert not [r for r in routes if "422" in doc["paths"][r[1]][r[0].lower()]["responses"]]
    assert "HTTPValidationError" not in doc["components"]["schemas"]
