"""Several processes for one folder: visitors notice nothing of it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from serving import ROOMY, InProcess, Seat, in_process, invitations, take_seat, until

from battlebox.core.errors import BattleboxError
from battlebox.server import supervise
from battlebox.server.serve import serve
from battlebox.server.shards import HandOff, Shard

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="Windows hands nothing over"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[InProcess]:
    """Of two processes, for this folder."""
    with in_process(folder, workers=2, **ROOMY) as server:
        yield server


def matches_of_both(server: InProcess) -> list[dict[str, object]]:
    """A match of either process."""
    found: dict[int, dict[str, object]] = {}
    while len(found) < 2:
        with httpx.Client(base_url=server.url) as other:  # another connection: any process
            body = {"game": "war_zone", "seats": ["you", "open"], "name": "Ada"}
            made = other.post("/api/matches", json=body).json()
        found.setdefault(Shard(0, 2).owner(made["id"]), made)
    return list(found.values())


def process_of(line: httpx.Client) -> int:
    """The process that answers on this connection."""
    return int(line.get("/health").json()["worker"])


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


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# ---- shards --------------------------------------------------------------------------------------
def test_every_match_is_somebodys_and_new_ones_are_ones_own() -> None:
    for of in (1, 2, 3, 7):
        for at in range(of):
            shard = Shard(at, of)
            assert {shard.owner(shard.new_id()) for _ in range(20)} == {at}


@pytest.mark.parametrize(
    "path", ["/", "/api/matches", "/api/matches/", "/match/x", "/api/games/x", "/web/x.js", ""]
)
def test_what_is_about_no_match_stays(path: str) -> None:
    assert HandOff(Path(), Shard(0, 2)).elsewhere(path.encode()) is None


@pytest.mark.parametrize("end", ["", "/", "/live", "?x=1", "/replay?seat=0"])
def test_what_is_about_a_match_goes_to_whose_it_is(end: str) -> None:
    theirs, ours = Shard(1, 2).new_id(), Shard(0, 2).new_id()
    hand_off = HandOff(Path(), Shard(0, 2))
    assert hand_off.elsewhere(f"/api/matches/{theirs}{end}".encode()) == 1
    assert hand_off.elsewhere(f"/api/matches/{ours}{end}".encode()) is None


@pytest.mark.parametrize("n", [0, -1, supervise.MOST + 1])
def test_how_many_there_can_be(n: int, tmp_path: Path) -> None:
    with pytest.raises(BattleboxError, match=f"--workers {n}: there can be 1 .. "):
        serve(data=tmp_path / "data", workers=n, browser=False)
    assert not (tmp_path / "data").exists()


def test_windows_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise.sys, "platform", "win32")
    supervise.check(1)
    with pytest.raises(BattleboxError, match="Windows"):
        supervise.check(2)


# ---- requests ------------------------------------------------------------------------------------
def test_one_connection_asks_about_matches_of_all(server: InProcess) -> None:
    made = matches_of_both(server)
    with httpx.Client(base_url=server.url, limits=httpx.Limits(max_connections=1)) as line:
        seen = set()
        for _ in range(5):
            for k, match in enumerate(made):
                answer = line.get(
                    f"/api/matches/{match['id']}",
                    headers={"authorization": f"Bearer {match['token']}"},
                )
                assert answer.status_code == 200
                assert answer.json()["room"]["id"] == match["id"]
                seen.add((k, process_of(line)))
        # the connection has gone over to whose match was asked about, and stays there
        assert seen == {(k, Shard(0, 2).owner(str(match["id"]))) for k, match in enumerate(made)}


def test_sockets_reach_their_match_wherever_they_knock(server: InProcess) -> None:
    for made in matches_of_both(server):
        id, tokens = str(made["id"]), invitations(server, made)
        tokens[1] = take_seat(server, id, tokens[1], "Ben")
        for k in range(6):  # each on a connection of its own
            for seat, token in tokens.items():
                with Seat(server, id, token, "data") as here:
                    frame = here.look()
                    if actions := frame["actions"]:
                        answer = here.act(f"{seat}-{k}", actions[0])
                        assert answer["type"] == "ack", answer
        record = server.ask("GET", f"/api/matches/{id}", tokens[0]).json()
        assert record["room"]["watching"] == 0


def raw(server: InProcess, *parts: bytes) -> bytes:
    """All that comes back for bytes that arrive one after the other."""
    with socket.create_connection(("127.0.0.1", server.port), 10) as s:
        for part in parts:
            s.sendall(part)
            time.sleep(0.05)
        answer = b""
        while more := s.recv(1 << 16):
            answer += more
        return answer


def test_a_request_may_come_in_pieces(server: InProcess) -> None:
    for made in matches_of_both(server):
        path, more = f"/api/matches/{made['id']}/rematch", "Connection: close"
        head = f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\n{more}\r\nContent-Length: 2\r\n\r\n"
        whole = head.encode() + b"{}"
        for cuts in ([], [9], [40, 60], [len(head)], [len(head) + 1], [5, len(head) - 2]):
            marks = [0, *cuts, len(whole)]
            parts = [whole[a:b] for a, b in pairwise(marks)]
            for _ in range(3):
                answer = raw(server, *parts)
                assert answer.startswith(b"HTTP/1.1 409 "), answer  # it has not ended
                assert answer.count(b"HTTP/1.1") == 1


def test_requests_sent_before_the_answer_are_not_mixed_up(server: InProcess) -> None:
    made = matches_of_both(server)
    asked = [
        f"GET /api/matches/{x['id']} HTTP/1.1\r\nHost: {server.host}\r\n\r\n".encode() for x in made
    ]
    last = b"GET /health HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % server.host.encode()
    for first, second in (asked, asked[::-1]):
        answer = raw(server, first + second + last)
        # whatever was answered is true, and no more was answered than could be
        for found in answer.split(b"HTTP/1.1 ")[1:]:
            assert found[:3] in (b"200", b"400"), found
        ids = [str(x["id"]).encode() for x in made]
        order = sorted((answer.find(x), x) for x in ids if x in answer)
        assert [x for _, x in order] in ([], [first.split()[1].split(b"/")[-1]], *[ids, ids[::-1]])


def test_encoded_ids_do_not_open_what_another_process_plays(server: InProcess) -> None:
    for made in matches_of_both(server):
        id = str(made["id"])
        path = f"/api/matches/%{ord(id[0]):02x}{id[1:]}"
        found = set()
        for _ in range(12):
            with httpx.Client(base_url=server.url) as other:
                found.add((process_of(other), other.get(path).status_code))
        owner = Shard(0, 2).owner(id)
        assert found <= {(owner, 200), (1 - owner, 404)}


def figure(server: InProcess, name: str) -> float:
    """What /metrics says, whichever process answers."""
    with httpx.Client(base_url=server.url) as line:
        found = re.search(rf"^{name} (\S+)$", line.get("/metrics").text, re.MULTILINE)
        assert found
        return float(found[1])


def test_figures_are_those_of_all_processes(tmp_path: Path) -> None:
    with in_process(tmp_path, workers=2, **ROOMY) as server:
        made = matches_of_both(server)
        with httpx.Client(base_url=server.url) as line:
            assert line.get("/health").json()["workers"] == 2
        seats = [Seat(server, str(x["id"]), str(x["token"])) for x in made]
        for seat in seats:
            assert seat.want("rename", "n", name="Eve")["type"] == "ack"
        for _ in range(4):  # either process may answer
            until(lambda: figure(server, "battlebox_sockets") == 2)
            until(lambda: figure(server, "battlebox_moves_total") == 2)
            until(lambda: figure(server, "battlebox_live_matches") >= 2)
        os.kill(pids(server)[0], signal.SIGKILL)  # what it has counted is not lost
        until(lambda: figure(server, "battlebox_sockets") == 1)
        assert figure(server, "battlebox_moves_total") == 2
        for seat in seats:
            seat.close()


# ---- processes that end --------------------------------------------------------------------------
def test_one_process_dies_and_another_takes_its_place(tmp_path: Path) -> None:
    with in_process(tmp_path, workers=2) as server:
        made = matches_of_both(server)
        with Seat(server, str(made[0]["id"]), str(made[0]["token"])) as a:
            a.look()
            before = pids(server)
            assert len(before) == 2
            os.kill(before[0], signal.SIGKILL)

            def both_answer() -> bool:
                answers = [httpx.get(f"{server.url}/api/matches/{x['id']}") for x in made]
                assert {x.status_code for x in answers} <= {200, 503}
                for x in answers:
                    if x.status_code == 503:
                        assert x.json()["error"]["code"] == "starting"
                return all(x.status_code == 200 for x in answers)

            until(lambda: len(pids(server)) == 2 and before[0] not in pids(server))
            until(both_answer)
        line = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d.* WARNING .* has ended; another one takes its place"
        assert any(re.match(line, x) for x in server.lines)
        for x in made:
            with Seat(server, str(x["id"]), str(x["token"])) as here:
                assert here.look()


def test_a_folder_may_be_served_by_more_or_fewer(tmp_path: Path) -> None:
    made = []
    for n in (1, 3, 2, 1):
        with in_process(tmp_path, workers=n) as server:
            made.append(server.make(["you", "open"]))
            for x in made:
                with Seat(server, x["id"], x["token"]) as here:
                    assert here.look()
        assert "Stopped. All matches are saved." in "".join(server.lines)
        assert server.process.returncode == 0


@pytest.mark.parametrize("second", [1, 2])
def test_a_second_server_on_the_same_folder_is_refused(
    server: InProcess, folder: Path, second: int
) -> None:
    with pytest.raises(BattleboxError, match="in use by another battlebox: open http"):
        serve(data=folder, workers=second, port=0, browser=False)


def test_several_processes_on_the_folder_of_one_are_refused(tmp_path: Path) -> None:
    with (
        in_process(tmp_path),
        pytest.raises(BattleboxError, match="in use by another battlebox: open http"),
    ):
        serve(data=tmp_path, workers=2, port=0, browser=False)


def test_a_server_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    with in_process(tmp_path, workers=2) as server:
        left = pids(server)
        assert len(left) == 2
        server.process.kill()
        until(
            lambda: (
                not any(Path(f"/proc/{x}").exists() for x in left)
                if Path("/proc").exists()
                else True
            )
        )
    with in_process(tmp_path) as server:
        assert server.healthy()["status"] == "ok"


def test_a_process_that_cannot_start_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BattleboxError, match="no room"):
        supervise.supervise(2, refuse, (), ready=lambda: None, say=print)
    with pytest.raises(BattleboxError, match="has ended before it began"):
        supervise.supervise(2, vanish, (), ready=lambda: None, say=print)


def refuse(k: int, _started: object) -> None:
    """What a worker may do."""
    raise BattleboxError(f"no room for {k}")


def vanish(_k: int, _started: object) -> None:
    """Another thing it may do."""
    os._exit(3)
