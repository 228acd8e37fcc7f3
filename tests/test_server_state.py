"""What a server tells of itself to who watches over it, and how it ends."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
from pathlib import Path
from unittest import mock

import httpx
import pytest
from databases import ON_POSTGRES, sqlite_only
from serving import PATIENCE, Seat, in_process, in_thread, until
from websockets.exceptions import ConnectionClosed

import battlebox as bb
from battlebox.core.game import Ruleset
from battlebox.server import compiling, rooms
from battlebox.server.rooms import Rooms
from battlebox.server.serve import NOTE
from battlebox.server.store import StoreError
from battlebox.testing.layout.serving import still_server


@sqlite_only("its file has a greatest size for the test")
def test_health_says_that_the_disk_is_full_and_that_it_is_not_any_more(tmp_path: Path) -> None:
    with in_thread(tmp_path) as server:
        store = server.rooms.store
        made = server.make(["you", "open"])
        assert server.healthy()["status"] == "ok"
        db = store._engine.raw_connection().driver_connection
        assert db
        pages = server.at_rest(lambda: db.execute("PRAGMA page_count").fetchone()[0])
        server.at_rest(lambda: db.execute(f"PRAGMA max_page_count = {pages}"))
        with Seat(server, made["id"], made["token"]) as ada:

            def is_full() -> bool:
                return ada.want("rename", os.urandom(4).hex(), name="x" * 24)["type"] == "refused"

            until(is_full)
        answer = server.ask("GET", "/health")
        assert answer.status_code == 503
        assert answer.json()["error"] == {
            "code": "not_saved",
            "message": "Matches cannot be saved now: database or disk is full.",
            "where": "",
        }
        assert server.ask("GET", "/ready").status_code == 200  # what is there can be read
        assert re.search(
            r"^battlebox_unsaved_total [1-9]", server.ask("GET", "/metrics").text, re.MULTILINE
        )
        server.at_rest(lambda: db.execute("PRAGMA max_page_count = 1000000"))
        server.make(["you", "open"])  # a match could be saved
        assert server.healthy()["status"] == "ok"


def test_health_says_that_nobody_writes(tmp_path: Path) -> None:
    with in_thread(tmp_path) as server:
        made = server.make(["you", "open"])
        with mock.patch.object(server.rooms.store._writer, "is_alive", return_value=False):
            answer = server.ask("GET", "/health")
            assert answer.status_code == 503
            assert "the thread that writes the log has ended" in answer.json()["error"]["message"]
            with Seat(server, made["id"], made["token"]) as ada:  # who plays hears of it at once
                said = ada.want("rename", "n", name="Eve")
                assert said["error"]["code"] == "not_saved"
        assert server.healthy()


def test_a_node_that_its_database_does_not_answer_gives_no_sign_of_life(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """So who is there asks elsewhere."""
    answers = mock.PropertyMock(return_value=True)
    with (
        mock.patch.object(rooms, "BEAT", 0.01),
        mock.patch.object(Rooms, "_beat") as beat,
        in_thread(tmp_path) as server,
        mock.patch.object(type(server.rooms.store), "answers", answers),
    ):
        until(lambda: beat.call_count > 2)
        answers.return_value = False
        until(lambda: rooms.SILENT in caplog.text)
        beats, asked = beat.call_count, answers.call_count
        until(lambda: answers.call_count > asked + 10)
        assert beat.call_count == beats
        answers.return_value = True
        until(lambda: beat.call_count > beats and rooms.ANSWERS in caplog.text)


def test_a_node_that_starts_waits_for_its_database(tmp_path: Path) -> None:
    listen = mock.Mock(side_effect=[StoreError("the database is away"), None])
    with mock.patch.object(Rooms, "listen", listen), in_thread(tmp_path) as server:
        assert server.healthy()["status"] == "ok"
    assert listen.call_count == 2


def test_ready_is_who_has_started_and_does_not_stop(tmp_path: Path) -> None:
    with in_thread(tmp_path) as server:
        answer = server.ask("GET", "/ready")
        assert (answer.status_code, answer.json()) == (200, {"status": "ready", "compiled": False})
        server.state.status = "stopping"
        answer = server.ask("GET", "/ready")
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "stopping"


@pytest.mark.parametrize("broken", [None, "battle"])
def test_bots_of_all_games_are_made_ready_before_anybody_asks(
    tmp_path: Path, broken: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Also of those after one that cannot be compiled."""
    prepared: list[str] = []

    def compile(rules: Ruleset) -> None:
        prepared.append(rules.game.name)
        if rules.game.name == broken:
            raise RuntimeError("the rules cannot be compiled")

    with (
        mock.patch.object(compiling, "_compile", compile),
        in_thread(tmp_path, compile=True) as server,
    ):
        until(lambda: server.ask("GET", "/ready").json()["compiled"])
    assert sorted(prepared) == sorted(bb.games())
    assert ("cannot be compiled; its bots play at random" in caplog.text) == bool(broken)


def test_what_others_log_is_left_open(tmp_path: Path) -> None:
    """Some close with their handler what was standard error when they were imported."""

    class OfOthers(logging.Handler):
        closed = False

        def close(self) -> None:
            self.closed = True
            super().close()

    theirs = OfOthers()
    with in_thread(tmp_path / "server"), still_server():
        pass
    assert not theirs.closed
    theirs.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_sigterm_ends_it_tidily(tmp_path: Path) -> None:
    home = tmp_path / "temporary"
    home.mkdir()
    with (
        mock.patch.dict(os.environ, {"TMPDIR": str(home)}),
        in_process(tmp_path / "data") as server,
    ):
        made = server.make(["you", "open"])
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            assert (tmp_path / "data" / NOTE).exists() != ON_POSTGRES  # it is for a folder
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(PATIENCE) == 0
    assert "Stopped. All matches are saved." in "".join(server.lines)
    assert "Traceback" not in "".join(server.lines)
    assert not (tmp_path / "data" / NOTE).exists()
    assert list(home.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_players_are_sent_away_one_after_the_other_and_not_back_to_it(tmp_path: Path) -> None:
    for_ever = "from battlebox.server import rooms; rooms.EACH, rooms.LEAVING = 1e6, 1e9"
    with in_process(tmp_path, before=for_ever) as server:
        made = server.make(["you", "open"])
        with (
            Seat(server, made["id"], made["token"]) as ada,
            Seat(server, made["id"], made["token"]) as again,
        ):
            both = [ada, again]
            for x in both:
                x.look()
            server.process.send_signal(signal.SIGTERM)
            first = until(lambda: next((x for x in both if closed_with(x) == 1012), None))
            with pytest.raises(httpx.ConnectError):  # nobody comes in any more
                server.ask("GET", "/health")
            both.remove(first)
            assert both[0].want("rename", "r", name="Eve")["type"] == "ack"  # it is not their turn
        server.process.kill()


def closed_with(seat: Seat) -> int | None:
    """The code with which their socket was closed, if it was."""
    try:
        seat.socket.recv(timeout=0.01)
    except TimeoutError:
        pass
    except ConnectionClosed as e:
        return e.rcvd.code if e.rcvd else None
    return None
