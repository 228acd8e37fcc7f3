"""A new version of a game's rules comes to a server: what was begun under the old one is finished
under it, by the nodes that have it.
"""

from __future__ import annotations

import shutil
import signal
import sys
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest
from databases import needs_postgres, the_server
from serving import PATIENCE, InProcess, Seat, in_process, invitations, take_seat, until
from websockets.exceptions import ConnectionClosed

from battlebox.server.store.postgres import PostgresStore
from battlebox.server.versions import Versions

registry = sys.modules["battlebox.games"]  # the package has a function of this name
GOOFSPIEL = Path(__file__).parent.parent / "examples" / "goofspiel" / "src" / "goofspiel"
Start = Callable[[int], AbstractContextManager[InProcess]]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    """start(version): a node that has Goofspiel in this version."""
    database = the_server().new()

    def begin(version: int) -> AbstractContextManager[InProcess]:
        folder = tmp_path / f"games-{version}"
        if not folder.exists():
            shutil.copytree(GOOFSPIEL, folder / "goofspiel")
            file = folder / "goofspiel" / "__init__.py"
            text = file.read_text()
            assert text.count("__name__,") == 1
            file.write_text(text.replace("__name__,", f"__name__, version={version},"))
        monkeypatch.setenv(registry.FOLDERS, str(folder))
        return in_process(tmp_path / "data", database=database)

    return begin


class Match:
    """A match of two people at a node."""

    def __init__(self, node: InProcess) -> None:
        made = node.make(["you", "open"], game="goofspiel", options={"cards": 3})
        self.id, self.path = made["id"], f"/api/matches/{made['id']}"
        other = take_seat(node, self.id, invitations(node, made)[1], "Ben")
        self.tokens = [made["token"], other]

    def play(self, node: InProcess, rounds: int) -> None:
        """So many, at this node."""
        with ExitStack() as stack:
            seats = [stack.enter_context(Seat(node, self.id, x, "data")) for x in self.tokens]
            for _ in range(rounds):
                for seat in seats:
                    while not seat.frame.get("question"):
                        seat.hear_until("frame")
                    asked, actions = seat.frame["question"], seat.frame["actions"]
                    assert seat.act(uuid.uuid4().hex, actions[0], asked)["type"] == "ack"
                    while seat.frame["question"] == asked:
                        seat.hear_until("frame")


def warned(node: InProcess, *words: str) -> bool:
    """Whether the node has said this to its operator."""
    return any(all(x in line for x in ("WARNING", *words)) for line in [*node.lines])


@needs_postgres
@pytest.mark.slow
def test_a_match_is_finished_under_the_rules_that_it_was_begun_under(start: Start) -> None:
    with ExitStack() as stack:
        old = stack.enter_context(start(1))
        first, second = Match(old), Match(old)
        first.play(old, 1)

        new = stack.enter_context(start(2))
        with Seat(old, second.id, second.tokens[0]) as ada:  # told before it happens
            while not ada.room.get("notice"):
                ada.hear_until("room")
            assert "Finish this match soon" in ada.room["notice"]
        until(lambda: warned(old, "A node plays version 2 of the rules of goofspiel."))

        with Seat(new, first.id, first.tokens[0]) as ada, pytest.raises(ConnectionClosed) as e:
            ada.hear()  # a client that is told this comes again, until it meets the old node
        assert e.value.rcvd is not None
        assert e.value.rcvd.code == 1012
        answer = new.ask("GET", first.path, first.tokens[0])
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "elsewhere")

        third = Match(new)  # what is begun now is under the new rules
        assert old.ask("GET", third.path).json()["error"]["code"] == "elsewhere"
        first.play(old, 2)
        assert old.ask("GET", first.path).json()["room"]["end"]

        old.process.send_signal(signal.SIGTERM)
        assert old.process.wait(PATIENCE) == 0
        until(lambda: warned(old, "1 matches that are not over"))
        until(lambda: new.ask("GET", second.path).status_code == 409)
        said = new.ask("GET", second.path).json()["error"]["message"]
        assert "version 1 of the rules" in said
        assert "plays version 2" in said
        third.play(new, 3)

    with start(1) as old:  # it was not lost
        second.play(old, 3)
        assert old.ask("GET", second.path).json()["room"]["end"]


@needs_postgres
def test_nodes_say_what_they_play() -> None:
    database = the_server().new()
    stores = [PostgresStore(database) for _ in range(2)]
    try:
        assert stores[0].played() == set()
        stores[1].listen(lambda *_: None, ["chess:1", "go:3"])
        until(lambda: stores[0].played() == {"chess:1", "go:3"})
        assert stores[1].played() == set()
    finally:
        for x in stores:
            x.close()


@pytest.fixture
def versions() -> Versions:
    """Of a node that plays version 2 of a game."""
    found = Versions()
    found.__dict__["_here"] = {"war_zone": 2}
    return found


@pytest.mark.parametrize(
    ("played", "news", "newer"),
    [
        ([], set(), 0),
        (["war_zone:2"], {"war_zone"}, 0),
        (["war_zone:1"], {"war_zone"}, 0),
        (["war_zone:1", "war_zone:3"], {"war_zone"}, 3),
        (["battle:9"], set(), 0),
    ],
)
def test_what_is_newer(versions: Versions, played: list[str], news: set[str], newer: int) -> None:
    assert versions.hear(played) == news
    assert versions.hear(played) == set()  # that is known now
    assert versions.newer("war_zone") == newer
