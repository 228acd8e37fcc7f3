"""Language models at the table: the official client of MCP plays, and is told what is wrong."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import anyio
import pytest
import uvicorn
from bench.postgres import free_port
from serving import PATIENCE, ROOMY, InThread, in_a_loop, in_thread, until
from test_cli import Command
from test_cli import run as run_command

__all__ = ["run_command"]  # a fixture

pytest.importorskip("mcp", reason="needs the SDK of MCP: make extras")

from mcp import Client, StdioServerParameters

import battlebox as bb
from battlebox.client.connection import Failed
from battlebox.client.link import Link, Site
from battlebox.core.errors import BattleboxError
from battlebox.core.laws import another_truth
from battlebox.core.match import Match
from battlebox.games import NAMES
from battlebox.mcp import inside
from battlebox.mcp.seats import Seats
from battlebox.mcp.server import serve
from battlebox.mcp.texts import no_choice

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


async def looked(client: Client, tool: str, /, **arguments: object) -> dict[str, Any]:
    """What a tool answers, for programs."""
    result = await client.call_tool(tool, arguments)
    assert result.structured_content, result.content
    return result.structured_content


async def wrong(client: Client, tool: str, /, **arguments: object) -> str:
    """What a tool refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    text: str = result.content[0].text  # type: ignore[union-attr]
    return text.removeprefix(f"Error executing tool {tool}: ")


async def told_soon(client: Client, words: str, /, **seat: object) -> None:
    """Looks until that is told: what others do comes when it comes."""
    with anyio.fail_after(PATIENCE):
        while words not in await said(client, "look", **seat):
            await anyio.sleep(0.01)


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
        told = await looked(client, "wait", **seat, seconds=300, table=False)
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


@pytest.fixture(scope="module")
def by_http(server: InThread) -> Iterator[str]:
    """Where it is served without sessions: match and token are all that a request needs."""
    app = serve(at(server)).streamable_http_app(stateless_http=True)
    served = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=served.run, args=([listener],), daemon=True)
        thread.start()
        try:
            until(lambda: served.started)
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        finally:
            served.should_exit = True
            thread.join(PATIENCE)


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_match_over_http(by_http: str, game: str) -> None:
    """Sealed cards and secret response windows included."""
    result = run(by_http, lambda client: played(client, game))
    assert ": won" in result or ": shared the result" in result


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_match_over_stdio(server: InThread, game: str) -> None:
    words = ["-m", "battlebox", "mcp", "--server", at(server).base]
    how = StdioServerParameters(command=sys.executable, args=words, env={**os.environ})
    result = run(how, lambda client: played(client, game))
    assert ": won" in result or ": shared the result" in result


def test_the_command_serves_over_http(server: InThread) -> None:
    port = free_port()
    words = ["mcp", "--server", at(server).base, "--http", "--port", str(port)]
    with subprocess.Popen([sys.executable, "-m", "battlebox", *words]) as process:
        try:
            until(lambda: answers(port))
            assert process.poll() is None, "it is who answers"
            url = f"http://127.0.0.1:{port}/mcp"
            result = run(url, lambda client: played(client, "medieval"))
        finally:
            process.terminate()
    assert ": won" in result or ": shared the result" in result


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as knock:
        return knock.connect_ex(("127.0.0.1", port)) == 0


def test_who_waits_hears_that_it_goes_on(server: InThread) -> None:
    """A client gives up a call of which it hears nothing."""
    heard = list[tuple[float, float | None, str | None]]()

    async def tell(done: float, whole: float | None, what: str | None) -> None:
        heard.append((done, whole, what))

    async def ask(client: Client) -> None:
        made = await said(client, "create_match", game="medieval", seats=["you", "open"])
        seat = dict(line.split(": ", 1) for line in made.splitlines()[:2])
        while choices := (await looked(client, "look", **seat))["choices"]:
            await said(client, "choose", **seat, choice=choices[0]["word"])
        how = {**seat, "seconds": 1.5}  # for somebody who never comes
        found = await client.call_tool("wait", how, progress_callback=tell)
        assert (found.structured_content or {})["status"] == "waiting"

    run(serve(at(server)), ask)
    assert heard
    for done, whole, what in heard:
        assert 0 <= done <= 1.5 == whole
        assert what


def position(game: str, dice: random.Random) -> Match:
    """A match that is on its way."""
    rules = bb.load(game, players=SHORT[game][1])
    while True:
        found = rules.match(dice.getrandbits(30))
        for _ in range(dice.randrange(40)):
            if not found.over:
                found.submit(found.to_act, dice.choice(found.legal_actions))
        if not found.over:
            return found


def without(names: Sequence[str], text: str) -> str:
    """The text without what is made up for each match."""
    for name in names:
        text = text.replace(name, "") if name else text
    return text


async def all_told(client: Client, server: InThread, game: str, truth: Match) -> list[str]:
    """All that seat 0 is told in a match that stands so, refusals included."""
    seats = ["you", *["open"] * (truth.rules.players - 1)]
    told = await said(client, "create_match", game=game, seats=seats)
    seat = dict(line.split(": ", 1) for line in told.splitlines()[:2])
    room = server.room(seat["match"])
    for session in {room.session, room.seen_by(None)}:
        session.match.put(truth._array)
    answers = []

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        found = await client.call_tool(tool, {**seat, **arguments})
        data = found.structured_content or {}
        answers.append(without([*seat.values(), data.get("question", "")], found.model_dump_json()))
        return data

    data = await call("look", why_not=True)
    assert data["status"] == ("your_turn" if truth.to_act == 0 else "waiting")
    assert {x["word"] for x in data["choices"]} == (
        {*truth.legal_words()} if truth.to_act == 0 else set()
    )
    for choice in data["choices"][:5]:
        await call("explain", choice=choice["word"])
    for typed in ("checkmate", "999", ""):
        await call("choose", choice=typed)
    await call("propose", what="checkmate")
    await call("answer_proposal", yes=True)
    await call("wait", seconds=0)
    return answers


@pytest.mark.parametrize("game", NAMES)
def test_no_answer_depends_on_what_is_hidden(server: InThread, game: str) -> None:
    """Two matches that look the same to a seat: whatever it asks, it is answered the same. What it
    is sent as they go on, in response windows as well: tests/test_server_wire.py.
    """
    dice, differing, asked = random.Random(game), 0, 0

    async def compare(client: Client) -> None:
        nonlocal differing, asked
        for _ in range(8):
            a = position(game, dice)
            b = another_truth(a, 0, dice)
            assert a.known(0) == b.known(0)
            differing += a.write_position() != b.write_position()
            asked += a.to_act == 0
            assert await all_told(client, server, game, a) == (
                await all_told(client, server, game, b)
            )

    run(serve(at(server)), compare)
    assert differing
    assert asked > 1


def test_what_is_there_to_be_read(server: InThread) -> None:
    async def read(client: Client) -> None:
        games = await said(client, "list_games")
        assert all(f"{name}: " in games for name in NAMES)
        described = await said(client, "describe_game", game="war_zone")
        assert "starter (-1): " in described
        assert "cycle (2): " in described, "as create_match takes it, not the arena"
        assert (await said(client, "read_rules", game="war_zone", ids=["WZ-29"]))[:7] == "WZ-29  "
        seat = await seated(client, "war_zone")
        await said(client, "wait", **seat)
        explained = await said(client, "explain", **seat, choice="0")
        assert "\nWZ-" in explained
        assert "War Zone (war_zone): 2 players" in await said(client, "look", **seat)
        told = await said(client, "log", **seat)
        assert told == await said(client, "log", **seat), "it is told as often as one likes"
        fresh = await seated(client, "war_zone")
        assert await said(client, "log", **fresh, last=1)
        assert "Since you last looked" in await said(client, "wait", **fresh)
        assert len((await said(client, "log", **seat, last=1)).splitlines()) <= 2
        cards = await said(client, "read_cards", match=seat["match"])
        assert "Artillery" in cards
        assert await said(client, "notes", **seat) == "There are no notes yet."
        assert await said(client, "notes", **seat, text="keep blocks") == "keep blocks"
        assert await said(client, "notes", **seat) == "keep blocks"
        assert await said(client, "resign", **seat) == "You gave up the match."
        assert "The match is over." in await said(client, "wait", **seat)

    run(serve(at(server)), read)


def test_who_is_asked_in_a_response_window_hears_how_long_there_is(server: InThread) -> None:
    """In Battle, where one may answer between turns."""

    async def answer(client: Client) -> None:
        dice = random.Random(3)
        while True:  # until it happens: in most matches it does
            seat = await seated(client, "battle")
            while True:
                result = await client.call_tool("wait", {**seat, "seconds": 300})
                told = result.structured_content
                assert told
                if told["status"] == "over":
                    break
                if told["seconds_left"] is not None:
                    text = result.content[0].text  # type: ignore[union-attr]
                    assert f"Answer within {told['seconds_left']} s: who does not has" in text
                    return
                choice = dice.choice(told["choices"])["key"]
                await said(client, "choose", **seat, choice=choice)

    run(serve(at(server)), answer)


def test_a_guest_joins(server: InThread) -> None:
    async def join(client: Client) -> None:
        told = await said(client, "create_match", game="medieval", seats=["you", "open"])
        match = told.splitlines()[0].removeprefix("match: ")
        host = dict(line.split(": ", 1) for line in told.splitlines()[:2])
        guest = await said(client, "join_match", invitation=match, name="Bea")
        other = dict(line.split(": ", 1) for line in guest.splitlines()[:2])
        assert other["match"] == match
        assert "Medieval (medieval): 2 players" in guest
        assert "You are Bea, seat 1." in guest
        assert other["token"] != host["token"]
        await told_soon(client, "Bea", **host)
        assert "No seat of this match is open" in await wrong(
            client, "join_match", invitation=match
        )

    run(serve(at(server)), join)


def test_what_players_propose(server: InThread) -> None:
    async def agree(client: Client) -> None:
        told = await said(client, "create_match", game="medieval", seats=["you", "open"])
        host = dict(line.split(": ", 1) for line in told.splitlines()[:2])
        assert "'draw' now; nothing is possible" in await wrong(
            client, "propose", **host, what="draw"
        )
        told = await said(client, "join_match", invitation=host["match"], name="Bea")
        guest = dict(line.split(": ", 1) for line in told.splitlines()[:2])
        await told_soon(client, "You can propose: draw.", **host)
        assert "'peace' now; possible are: draw." in await wrong(
            client, "propose", **host, what="peace"
        )
        assert (await said(client, "propose", **host, what="draw"))[:19] == "You offered a draw."
        await told_soon(client, "offers a draw. Call answer_proposal.", **guest)
        assert await said(client, "answer_proposal", **guest, yes=False) == "You declined."
        await told_soon(client, "The draw was declined", **host)
        await told_soon(client, "You can propose: draw.", **guest)
        await said(client, "propose", **guest, what="draw")
        await told_soon(client, "offers a draw", **host)
        assert await said(client, "answer_proposal", **host, yes=True) == "You agreed."
        await told_soon(client, "The match is over.", **guest)

    run(serve(at(server)), agree)


def test_one_takes_back_what_one_did(server: InThread) -> None:
    """Against bots, at once."""

    async def undo(client: Client) -> None:
        seats = ["you", "random"]
        told = await said(client, "create_match", game="war_zone", seats=seats)
        seat = dict(line.split(": ", 1) for line in told.splitlines()[:2])
        while True:  # when one is asked, nothing else goes on
            asked = (await client.call_tool("wait", {**seat, "seconds": 300})).structured_content
            assert asked
            if "undo" in asked["may_propose"]:
                break
            await said(client, "choose", **seat, choice="0")
        told = await said(client, "propose", **seat, what="undo")
        assert told.startswith("You asked to undo the last decision.")
        await told_soon(client, "aken back", **seat)

    run(serve(at(server)), undo)


def test_who_names_a_card_that_cannot_be_played_hears_the_rule() -> None:
    m = bb.load("war_zone").match(
        position="wz1 n=2 ph=DEFEND turn=1 act=0 health=20.17 pend=AR>0 hand0=GM.SN deck=SN.SN "
        "last=AR@1"
    )
    scene = m.scene(0)
    names = {p.id: p.name for z in scene.zones for p in z.pieces}
    refusal = next(x for x in scene.refusals if x.id in names and x.rules)
    told = no_choice(f"I play {names[refusal.id].upper()}!", scene)
    assert refusal.why in told
    assert f"({', '.join(refusal.rules)})" in told
    assert no_choice("checkmate", scene).startswith("look with why_not says")


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
        refused = await wrong(client, "choose", **seat, choice="checkmate")
        assert "is not one of your choices" in refused
        assert "look with why_not says" in refused
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
        lost = next(iter(there._places.values())).seat
        assert lost
        lost._connection._say(Failed(BattleboxError("it is gone")))
        assert await wrong(client, "look", **seat) == "it is gone"
        assert await said(client, "notes", **seat) == "columns first"

    played_at = list[Seats]()

    def kept(site: Site) -> Seats:
        played_at.append(Seats(site))
        return played_at[0]

    with mock.patch("battlebox.mcp.server.Seats", kept):
        run(serve(at(server)), note)


def a_seat(link: Link) -> mock.Mock:
    """One of a match that goes on."""
    made = mock.Mock()
    made.state.room.end = None
    return made


@pytest.fixture
def places() -> Iterator[tuple[Seats, mock.Mock]]:
    """Seats of a server that is none, and what makes them."""
    with (
        mock.patch.object(Link, "check"),
        mock.patch("battlebox.mcp.seats.Seat", side_effect=a_seat) as made,
    ):
        yield Seats(Site("http://127.0.0.1:9")), made


def test_who_waits_for_a_seat_holds_up_nobody_else(places: tuple[Seats, mock.Mock]) -> None:
    seats, made = places
    connecting, connected = threading.Event(), threading.Event()

    def connect(link: Link) -> mock.Mock:
        if link.match == "slow":
            connecting.set()
            assert connected.wait(PATIENCE)
        return a_seat(link)

    made.side_effect = connect
    with ThreadPoolExecutor() as aside:
        slow = aside.submit(lambda: seats.seat("slow", "x" * 22).__enter__())
        assert connecting.wait(PATIENCE)
        with seats.seat("quick", "x" * 22):
            assert not slow.done()
        connected.set()
        slow.result(PATIENCE)


def test_the_oldest_connections_are_given_up(places: tuple[Seats, mock.Mock]) -> None:
    seats, _ = places
    with mock.patch("battlebox.mcp.seats.MOST", 2), seats.seat("a", "x" * 22) as a:
        found = []
        for match in ("b", "c", "d"):
            with seats.seat(match, "x" * 22) as seat:
                found.append(seat)
        assert [x.close.called for x in (a, *found)] == [False, True, True, False]  # type: ignore[attr-defined]
        with seats.seat("d", "x" * 22) as seat:
            assert seat is found[-1]


def test_what_is_not_used_is_let_go(places: tuple[Seats, mock.Mock]) -> None:
    """By itself, with nobody calling: others at the table see that this seat is away."""
    seats, _ = places
    with mock.patch("battlebox.mcp.seats.IDLE", 0.01):
        with seats.seat("a", "x" * 22) as a:
            pass
        until(lambda: a.close.called)  # type: ignore[attr-defined]
    assert not seats._places


def test_a_match_that_is_over_is_let_go(places: tuple[Seats, mock.Mock]) -> None:
    seats, _ = places
    with seats.seat("a", "x" * 22) as a:
        a.state.room.end = "over"  # type: ignore[assignment]
    assert a.close.called  # type: ignore[attr-defined]


def test_one_call_at_a_time_has_a_seat(places: tuple[Seats, mock.Mock]) -> None:
    seats, _ = places
    with (
        mock.patch("battlebox.mcp.seats.SOON", 0.01),
        seats.seat("a", "x" * 22),
        pytest.raises(BattleboxError, match="Another call for this seat"),
        seats.seat("a", "x" * 22),
    ):
        pass


def test_a_server_that_goes(tmp_path: Path) -> None:
    """Nothing hangs, and nothing that may be old is shown."""
    with ExitStack() as running:
        server = running.enter_context(in_thread(tmp_path, **ROOMY))

        async def ask(client: Client) -> None:
            seat = await seated(client, "medieval")
            told = (await client.call_tool("wait", {**seat, "seconds": 300})).structured_content
            assert told
            running.close()
            with mock.patch("battlebox.mcp.seats.SOON", 0.1):
                choice = told["choices"][0]["word"]
                told = await wrong(client, "choose", **seat, choice=choice)
                assert "The connection to the server is lost" in told
                assert "cannot be reached" in await wrong(client, "look", **seat)

        run(serve(at(server)), ask)


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
