"""Language models at the table: the official client of MCP plays, and is told what is wrong."""

from __future__ import annotations

import os
import random
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from unittest import mock

import pytest
import uvicorn
from serving import PATIENCE, ROOMY, InThread, in_a_loop, in_thread, until
from test_cli import Command
from test_cli import run as run_command

__all__ = ["run_command"]  # a fixture

pytest.importorskip("mcp", reason="needs the SDK of MCP: make extras")

from mcp import Client, StdioServerParameters

from battlebox.client.connection import Failed
from battlebox.client.link import Site
from battlebox.core.errors import BattleboxError
from battlebox.games import NAMES
from battlebox.mcp import inside
from battlebox.mcp.seats import Seats
from battlebox.mcp.server import serve

#: options that end a match soon, and how many play
SHORT: dict[str, tuple[dict[str, Any], int]] = {
    "battle": ({"rounds": 1, "max_turns": 12, "action_timing": "windows"}, 4),
    "battleball": ({"max_plies": 3}, 2),
    "iron_man": ({"max_rounds": 1}, 2),
    "medieval": ({"max_battles": 1}, 2),
    "war_zone": ({"max_turns": 8, "mulligan": 0}, 2),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("mcp"), response_window=0.1, **ROOMY) as found:
        yield found


def at(server: InThread) -> Site:
    return Site(f"http://127.0.0.1:{server.port}")


async def said(client: Client, tool: str, /, **arguments: object) -> str:
    """What a tool answers, as text."""
    result = await client.call_tool(tool, arguments)
    text: str = result.content[0].text  # type: ignore[union-attr]
    assert not result.is_error, text
    return text


async def wrong(client: Client, tool: str, /, **arguments: object) -> str:
    """What a tool refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    text: str = result.content[0].text  # type: ignore[union-attr]
    return text.removeprefix(f"Error executing tool {tool}: ")


async def seated(client: Client, game: str) -> dict[str, str]:
    """A seat in a new match with bots: what every tool asks for."""
    options, players = SHORT[game]
    bots = ["random"] * (players - 1)
    told = await said(client, "create_match", game=game, seats=["you", *bots], options=options)
    return dict(line.split(": ", 1) for line in told.splitlines()[:2])


async def played(client: Client, game: str) -> str:
    """A match from its beginning to its end; what was told last."""
    seat, dice = await seated(client, game), random.Random(1)
    while True:
        result = await client.call_tool("wait", {**seat, "seconds": 300, "table": False})
        told = result.structured_content
        assert told, result.content
        if told["status"] == "over":
            return str(told["result"])
        choice = dice.choice(told["choices"])
        words = [choice["key"], f"[{choice['key']}]", choice["word"]]
        asked = {"choice": dice.choice(words), "question": told["question"]}
        await said(client, "choose", **seat, **asked)


def run(to: Any, work: Callable[[Client], Awaitable[Any]]) -> Any:
    """With a client of that server."""

    async def talk() -> Any:
        async with Client(to) as client:
            return await work(client)

    return in_a_loop(talk())


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_match(server: InThread, game: str) -> None:
    """Sealed cards and secret response windows included."""
    result = run(serve(at(server)), lambda client: played(client, game))
    assert ": won" in result or ": shared the result" in result


def test_over_stdio(server: InThread) -> None:
    words = ["-m", "battlebox", "mcp", "--server", at(server).base]
    how = StdioServerParameters(command=sys.executable, args=words, env={**os.environ})
    assert run(how, lambda client: played(client, "medieval"))


@pytest.mark.parametrize("game", ["iron_man", "battle"])
def test_over_http(server: InThread, game: str) -> None:
    """Without sessions: match and token are all that a request needs."""
    app = serve(at(server)).streamable_http_app(stateless_http=True)
    served = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=served.run, args=([listener],), daemon=True)
        thread.start()
        try:
            until(lambda: served.started)
            port = listener.getsockname()[1]
            assert run(f"http://127.0.0.1:{port}/mcp", lambda client: played(client, game))
        finally:
            served.should_exit = True
            thread.join(PATIENCE)


def test_what_is_there_to_be_read(server: InThread) -> None:
    async def read(client: Client) -> None:
        games = await said(client, "list_games")
        assert all(f"{name}: " in games for name in NAMES)
        assert "starter (-1): " in await said(client, "describe_game", game="war_zone")
        assert (await said(client, "read_rules", game="war_zone", ids=["WZ-29"]))[:7] == "WZ-29  "
        seat = await seated(client, "war_zone")
        await said(client, "wait", **seat)
        explained = await said(client, "explain", **seat, choice="0")
        assert "\nWZ-" in explained
        assert await said(client, "notes", **seat) == "There are no notes yet."
        assert await said(client, "notes", **seat, text="keep blocks") == "keep blocks"
        assert await said(client, "notes", **seat) == "keep blocks"
        assert await said(client, "resign", **seat) == "You gave up the match."
        assert "The match is over." in await said(client, "wait", **seat)

    run(serve(at(server)), read)


def test_a_guest_joins(server: InThread) -> None:
    async def join(client: Client) -> None:
        told = await said(client, "create_match", game="medieval", seats=["you", "open"])
        match = told.splitlines()[0].removeprefix("match: ")
        host = dict(line.split(": ", 1) for line in told.splitlines()[:2])
        guest = await said(client, "join_match", invitation=match, name="Bea")
        other = dict(line.split(": ", 1) for line in guest.splitlines()[:2])
        assert other["match"] == match
        assert other["token"] != host["token"]
        assert "Bea" in await said(client, "look", **host)
        assert "No seat of this match is open" in await wrong(
            client, "join_match", invitation=match
        )

    run(serve(at(server)), join)


def test_what_is_wrong_is_said(server: InThread) -> None:
    async def ask(client: Client) -> None:
        assert "There is no game 'chess'; there are war_zone" in await wrong(
            client, "create_match", game="chess", seats=["you", "easy"]
        )
        assert "has no mode 'Blitz'; it has Standard" in await wrong(
            client, "create_match", game="war_zone", seats=["you", "easy"], mode="Blitz"
        )
        assert await wrong(client, "read_rules", game="war_zone", ids=["WZ-999"]) == (
            "war_zone has no rule WZ-999."
        )
        seat = await seated(client, "war_zone")
        await said(client, "wait", **seat)
        looked = await client.call_tool("look", {**seat, "why_not": True})
        assert looked.structured_content
        assert "(WZ-" in " ".join(looked.structured_content["refused"])
        assert "is not one of your choices" in await wrong(
            client, "choose", **seat, choice="checkmate"
        )
        assert "The question has changed meanwhile: nothing was done." in await wrong(
            client, "choose", **seat, choice="0", question="another"
        )
        assert "Nobody waits for an answer" in await wrong(
            client, "answer_proposal", **seat, yes=True
        )
        assert 'Name "you" once' in await wrong(
            client, "create_match", game="war_zone", seats=["easy", "easy"]
        )
        assert "is not a link: a link to a match looks like" in await wrong(
            client, "join_match", invitation="a b", name="Bea"
        )
        assert "alone, not at http://example.org" in await wrong(
            client, "join_match", invitation="http://example.org/match/a#b"
        )
        assert await wrong(client, "read_rules", game="../health")
        strange = {**seat, "match": "nowhere"}
        assert "There is no such match." in await wrong(client, "look", **strange)
        assert await wrong(client, "look", **{**seat, "token": "x" * 22})
        assert "seconds" in await wrong(client, "wait", **seat, seconds=-1)

    run(serve(at(server)), ask)


def test_a_server_that_is_none() -> None:
    async def ask(client: Client) -> None:
        assert "cannot be reached" in await wrong(client, "list_games")

    run(serve(Site("http://127.0.0.1:9")), ask)


def test_notes_outlive_a_connection(server: InThread) -> None:
    """A connection that is lost for good is made again by the next call."""

    async def note(client: Client) -> None:
        seat = await seated(client, "medieval")
        await said(client, "notes", **seat, text="columns first")
        there = played_at.pop()
        lost = next(iter(there._seats.values()))
        lost._connection._say(Failed(BattleboxError("it is gone")))
        assert await wrong(client, "look", **seat) == "it is gone"
        assert await said(client, "notes", **seat) == "columns first"

    played_at = list[Seats]()

    def kept(site: Site) -> Seats:
        played_at.append(Seats(site))
        return played_at[0]

    with mock.patch("battlebox.mcp.server.Seats", kept):
        run(serve(at(server)), note)


def test_a_server_of_its_own() -> None:
    with inside.server() as site:
        assert [x["name"] for x in site.games()] == [*NAMES]
    with pytest.raises(BattleboxError, match="cannot be reached"):
        site.games()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--server", "http://127.0.0.1:9"], "http://127.0.0.1:9 cannot be reached"),
        (["--server", "http://127.0.0.1:9", "--data", "x"], "--data is for a server of its own"),
    ],
)
def test_a_command_that_cannot_be(run_command: Command, words: list[str], error: str) -> None:
    told = run_command("mcp", *words)
    assert (told.status, told.out) == (2, "")
    assert error in told.err


def test_without_the_sdk(run_command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "battlebox.mcp.server", None)
    told = run_command("mcp")
    assert told.status == 2
    assert "pip install 'battlebox[mcp]'" in told.err
