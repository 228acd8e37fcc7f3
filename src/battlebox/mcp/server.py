"""The tools of the MCP server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

import anyio
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import Field, ValidationError

from ..bots import LEVELS
from ..client.link import Link, Site
from ..client.room_text import yours
from ..core.errors import BattleboxError, IllegalAction
from ..games import find
from ..protocol.messages import RoomMessage
from ..text.choosing import chosen
from .seats import MOST, NOTES, Refused, Seat, Seats
from .texts import Look, as_text, explained, family, game_line, look, playing

LONGEST = 300  # seconds that one may wait
USUAL = 25  # for which one waits: some clients give a call up after a minute
LAST = 40  # sentences that `log` tells
INSTRUCTIONS = """Tabletop battle games, against bots or people.

list_games says what there is; describe_game how a game is played. create_match gives you a match id
and the token of your seat: pass both to every other tool, and keep the token to yourself. Then go
on like this: look, choose, wait, choose, wait ... until the match is over. What look prints of a
choice, choose understands. read_cards says what cards and pieces there are; log tells again what
has happened."""

MatchId = Annotated[str, Field(description="the id that create_match or join_match gave you")]
Token = Annotated[str, Field(description="of your seat; whoever has it plays it")]
Game = Annotated[str, Field(description="a name as list_games tells it, such as war_zone")]


def serve(site: Site) -> MCPServer:
    """An MCP server that plays at this site."""
    played = Seats(site)
    waiting = anyio.CapacityLimiter(MOST)  # threads of their own, not to hold up who acts
    mcp = MCPServer("battlebox", instructions=INSTRUCTIONS, log_level="ERROR")

    @mcp.tool()
    def list_games() -> str:
        """All games: what they are called, how many play, and their modes."""
        with refusals():
            return "\n".join(game_line(x) for x in site.games())

    @mcp.tool()
    def describe_game(game: Game) -> str:
        """A game in short: how it is won, what a turn is; its options and their usual values."""
        with refusals():
            info = _game(site, game)
            usual, options = info["human_defaults"], info["options"]["properties"].items()
            lines = [
                f"- {n} ({usual.get(n, x['default'])}): {x.get('description', '')}"
                for n, x in options
            ]
            return "\n\n".join([_brief(game), "Options (usual value):\n" + "\n".join(lines)])

    @mcp.tool()
    def read_rules(
        game: Game,
        ids: Annotated[list[str], Field(description="such as WZ-29; empty: all of them")] = [],  # noqa: B006 - pydantic copies it
    ) -> str:
        """Rules of a game by their ids, which choices and refusals name."""
        with refusals():
            rules = site.rules(game)
            if unknown := [x for x in ids if x not in rules]:
                raise BattleboxError(f"{game} has no rule {', '.join(unknown)}.")
            return "\n".join(f"{x}  {rules[x]}" for x in ids or rules)

    @mcp.tool()
    def create_match(
        game: Game,
        seats: Annotated[
            list[str],
            Field(
                description='one for each player: "you" once, "open" for a guest, or a bot: '
                + ", ".join(LEVELS),
            ),
        ],
        options: Annotated[
            dict[str, str | int | bool], Field(description="as describe_game lists them")
        ] = {},  # noqa: B006 - pydantic copies it
        mode: Annotated[str, Field(description="one of the game's modes, by name")] = "",
        name: Annotated[str, Field(description="what you are called at the table")] = "Guest",
    ) -> str:
        """Makes a match, and gives you a seat of it: its id, your token, invitations for guests."""
        with refusals():
            modes = {m["name"].casefold(): m for m in _game(site, game)["modes"]}
            if mode and mode.casefold() not in modes:
                names = ", ".join(m["name"] for m in modes.values())
                raise BattleboxError(f"{game} has no mode {mode!r}; it has {names}.")
            if seats.count("you") != 1:
                raise BattleboxError('Name "you" once among the seats.')
            usual = modes[mode.casefold()]["options"] if mode else {}
            made = site.post(
                "matches",
                body={
                    **{"game": game, "seats": seats, "options": {**usual, **options}},
                    **{"name": name, "mode": mode},
                },
            )
            return _seated(Link(site.base, made["id"], made["token"]))

    @mcp.tool()
    def join_match(
        invitation: Annotated[str, Field(description="the link, or the id of a match")],
        name: Annotated[str, Field(description="what you are called at the table")] = "Guest",
    ) -> str:
        """Takes an open seat: the match's id and your token."""
        with refusals():
            return _seated(played.join(invitation, name))

    @mcp.tool(name="look")
    def look_(
        match: MatchId,
        token: Token,
        table: Annotated[bool, Field(description="false: without what lies there")] = True,
        why_not: Annotated[bool, Field(description="with what you cannot do now, and why")] = False,
    ) -> Annotated[CallToolResult, Look]:
        """The match as you see it: what happened, the table, your choices."""
        with refusals(), played.seat(match, token) as seat:
            seat.refresh()
            return _shown(seat, table, why_not)

    @mcp.tool()
    def choose(
        match: MatchId,
        token: Token,
        choice: Annotated[str, Field(description="its number, word, label, or whole line")],
        question: Annotated[
            str, Field(description="as look named it; empty: whatever is asked now")
        ] = "",
    ) -> Annotated[CallToolResult, Look]:
        """Makes a choice, and shows what came of it."""
        with refusals(), played.seat(match, token) as seat:
            seat.choose(choice, question)
            return _shown(seat, False)

    @mcp.tool()
    async def wait(
        match: MatchId,
        token: Token,
        context: Context,
        seconds: Annotated[
            float, Field(ge=0, le=LONGEST, description="your client may give up after 60")
        ] = USUAL,
        table: Annotated[bool, Field(description="false: without what lies there")] = True,
    ) -> Annotated[CallToolResult, Look]:
        """Waits till you are asked something, or the match is over; at most so many seconds."""
        with refusals():
            end = anyio.current_time() + seconds
            while True:
                left = end - anyio.current_time()
                some = max(0.0, min(left, 1.0))
                look_for = partial(_look_for, played, match, token, some, table)
                result, needed, what = await anyio.to_thread.run_sync(look_for, limiter=waiting)
                if needed or left <= 0:
                    return result
                await context.report_progress(seconds - left, seconds, what)

    @mcp.tool()
    def explain(match: MatchId, token: Token, choice: str) -> str:
        """What a choice does, with the text of the rules behind it."""
        with refusals(), played.seat(match, token) as seat:
            seat.refresh()
            rules = site.rules(seat.state.room.game)
            try:
                return explained(chosen(choice, seat.state.scene), rules)
            except IllegalAction as e:
                raise Refused(str(e)) from None

    @mcp.tool()
    def read_cards(match: MatchId) -> str:
        """All cards and other pieces that this match is played with, and what they do."""
        with refusals():
            found = site.get(f"matches/{quote(match, safe='')}/components")
            return "\n\n".join(map(family, found["families"]))

    @mcp.tool()
    def log(
        match: MatchId,
        token: Token,
        last: Annotated[int, Field(ge=1, description="how many sentences")] = LAST,
    ) -> str:
        """What has happened in the match, again; what you have not looked at yet stays news."""
        with refusals(), played.seat(match, token) as seat:
            seat.refresh()
            told = [x.text for x in seat.state.events if x.text]
            left_out = [f"({len(told) - last} before these)"] if len(told) > last else []
            return "\n".join([*left_out, *told[-last:]]) or "Nothing has happened yet."

    @mcp.tool()
    def notes(
        match: MatchId,
        token: Token,
        text: Annotated[
            str | None, Field(max_length=NOTES, description="what to keep; none: only read")
        ] = None,
    ) -> str:
        """Your own notes on this match. Nobody else reads them; they end with this MCP server."""
        with refusals(), played.seat(match, token) as seat:
            return played.note(seat, text) or "There are no notes yet."

    @mcp.tool()
    def propose(
        match: MatchId,
        token: Token,
        what: Annotated[str, Field(description="as look lists it: draw, undo, or what else")],
    ) -> str:
        """Proposes something to the other players. It is done if all of them agree."""
        with refusals(), played.seat(match, token) as seat:
            seat.refresh()
            seat.propose(what)
            return f"{yours(what)} Call look to see whether they agree."

    @mcp.tool()
    def answer_proposal(match: MatchId, token: Token, yes: bool) -> str:
        """Answers what another player proposes: a draw, an undo, an agreement of the game."""
        with refusals(), played.seat(match, token) as seat:
            seat.refresh()
            proposal = seat.state.room.proposal
            if proposal is None or not seat.state.is_asked:
                raise Refused("Nobody waits for an answer of yours.")
            seat.ask("answer", what=proposal.what, yes=yes)
            return "You agreed." if yes else "You declined."

    @mcp.tool()
    def resign(match: MatchId, token: Token) -> str:
        """Gives the match up."""
        with refusals(), played.seat(match, token) as seat:
            seat.ask("resign")
            return "You gave up the match."

    return mcp


@contextmanager
def refusals() -> Iterator[None]:
    """Within it, what is refused is an answer that a model can act on."""
    try:
        yield
    except BattleboxError as e:
        raise ToolError(str(e)) from None


def _shown(seat: Seat, table: bool, why_not: bool = False) -> CallToolResult:
    """What is to be seen, as text and as data. It is no news any more."""
    seat.check()
    seen = look(seat.state, table=table, why_not=why_not)
    seat.state.mark()
    return CallToolResult(
        content=[TextContent(type="text", text=as_text(seen, seat.state.scene))],
        structured_content=seen.model_dump(),
    )


def _look_for(
    played: Seats, match: str, token: str, seconds: float, table: bool
) -> tuple[CallToolResult, bool, str]:
    """What is to be seen after so many seconds, or as soon as there is something to do; whether
    there is; what is waited for.
    """
    with played.seat(match, token) as seat:
        needed = seat.until(lambda: seat.is_needed, seconds)
        if not needed and seconds > 0:
            return CallToolResult(content=[]), False, seat.state.waiting()
        return _shown(seat, table), needed, seat.state.waiting()


def _game(site: Site, name: str) -> dict[str, Any]:
    found = {x["name"]: x for x in site.games()}
    if name not in found:
        raise BattleboxError(f"There is no game {name!r}; there are {', '.join(found)}.")
    return found[name]


def _brief(name: str) -> str:
    """The game in short, where it is installed here."""
    try:
        return find(name).readme_parts[0].strip()
    except BattleboxError:
        return f"{name} is not installed here; read_rules has all its rules."


def _seated(at: Link) -> str:
    """What one needs to know of a seat that one was given."""
    said = [f"match: {at.match}", f"token: {at.token}"]
    stands = at.site.get(f"matches/{at.match}", at.token)
    with suppress(KeyError, ValidationError):  # look says what is wrong with such a server
        room = RoomMessage.model_validate(stands["room"])
        said += [playing(room), f"describe_game {room.game} says how it is played."]
    said.append(f"Watch at {at.sit(None)}")
    found = at.site.get(f"matches/{at.match}/links", at.token)
    here = " (on this machine only)" if found["only_here"] else ""
    guests = [x for x in found["links"] if x["seat"] is not None]
    said += [f"Invitation to seat {x['seat']}{here}: {x['url']}" for x in guests]
    return "\n".join(said)
