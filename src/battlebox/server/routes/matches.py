"""Matches: made, joined, described, and looked back on when they are over."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse

from ... import games as list_games
from ...bots import levels
from ...core.errors import BattleboxError, in_a_sentence
from ...core.game import Game
from ...core.match import Match
from ...core.table import untrusted
from ...games import find
from ...links import qr_picture
from ...protocol.http import (
    DECK,
    ComponentsInfo,
    FieldInfo,
    Layout,
    LinkInfo,
    Links,
    NewMatch,
    Place,
    Replay,
    Summary,
)
from ..address import Reach, asker
from ..limits import Buckets
from ..room import Room
from ..rooms import NotFound, Rooms
from ..rulebook import components
from ..session import MatchPlan, Refused, clean_name, seats_from
from ..store import StoreError
from ..tokens import Access
from ..versions import Elsewhere
from ..views import SceneView, ViewKey
from .problems import OF_MATCH, TEXT, TOO_MANY, RequestProblem

CHUNK = 100  # most steps of a replay in one answer,
REPLAY = 1_000_000  # and bytes, but for the last step


def _bearer(authorization: Annotated[str | None, Header()] = None) -> str | None:
    """The token of a request."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise RequestProblem(401, "bad_token", "Write `Authorization: Bearer TOKEN`.")
    return token


Token = Annotated[str | None, Depends(_bearer)]


class _Matches:
    """What the routes need of the rooms, with their errors as those of requests."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        most = rooms.limits.matches_per_minute
        self._buckets = Buckets(most / 60, most, rooms.clock)

    async def one_more(self, request: Request) -> str | None:
        """Counts a new match. Gives the address on whose account it goes; None: this machine's.

        Errors: RequestProblem, if there are too many; StoreError.
        """
        if (address := asker(request.scope)) is None:
            return None
        store, limits = self.rooms.store, self.rooms.limits
        going, most = self.rooms.under_way(address), limits.matches_under_way
        # what this node knows comes first: whom it refuses costs a database nothing
        if going < most and not self._buckets.take(address):
            raise _too_soon()
        if going < most:
            going += await asyncio.to_thread(store.under_way, address)
        if going >= most:
            said = (
                f"{going} matches made from your address are still being played: finish one, or "
                f"give one up. One that nobody looks at stops counting after "
                f"{limits.idle / 60:g} minutes."
            )
            raise RequestProblem(429, "too_many", said)
        a_minute = limits.matches_per_minute
        how = (address, a_minute / 60, a_minute, self.rooms.clock.date())
        if not await asyncio.to_thread(store.may_make, *how):
            raise _too_soon()
        return address

    async def open(self, id: str) -> Room:
        try:
            return await self.rooms.open(id)
        except NotFound as e:
            raise RequestProblem(404, "not_found", str(e), "id") from None
        except StoreError:
            raise
        except Elsewhere as e:
            raise RequestProblem(503, "elsewhere", str(e)) from None
        except BattleboxError as e:
            raise RequestProblem(409, "cannot_be_opened", in_a_sentence(e), "id") from None

    async def ended(self, id: str, token: str | None) -> Room:
        room = await self.open(id)
        if room.seen_by(access_to(room, token).seat).end is None:
            why = "is not over: its record would show hidden cards."
            if room.session.end:
                why = f"is shown to spectators {room.delay:g} s later; its end is still to come."
            raise RequestProblem(409, "not_over", f"The match {why}")
        return room


def _too_soon() -> RequestProblem:
    return RequestProblem(429, "too_many", "Too many new matches from here; wait a minute.")


def access_to(room: Room, token: str | None) -> Access:
    """What a token gives access to. Errors: RequestProblem."""
    try:
        return room.access(token)
    except Refused as e:
        raise RequestProblem(401, e.code, str(e)) from None


def router(rooms: Rooms, reach: Reach) -> APIRouter:
    """The routes, of these rooms."""
    routes, matches = APIRouter(prefix="/api/matches"), _Matches(rooms)
    _add_playing(routes, matches, reach)
    _add_looking_back(routes, matches)
    return routes


def _add_playing(routes: APIRouter, matches: _Matches, reach: Reach) -> None:
    tokens = matches.rooms.services.tokens

    @routes.post("", status_code=201, responses=TOO_MANY)
    async def create(wanted: NewMatch, request: Request) -> Place:
        """Makes a match; the answer holds the caller's seat and its token."""
        address = await matches.one_more(request)
        room = await matches.rooms.make(_plan(wanted), maker=address)
        id, seat = room.setup.id, room.session.host
        return Place(id=id, seat=seat, token=None if seat is None else tokens.seat_token(id, seat))

    @routes.get("/{id}", responses=OF_MATCH)
    async def summary(id: str, token: Token) -> Summary:
        """Where a match stands, as the bearer may know it."""
        room = await matches.open(id)
        seat, invited = access_to(room, token)
        room.glance()
        session = room.seen_by(seat)
        scene = session.match.scene(seat)
        return Summary(
            room=room.describe(ViewKey(seat, invited=invited)),
            title=scene.title,
            prompt=scene.prompt,
            to_act=scene.to_act,
            your_turn=seat is not None and scene.to_act == seat and session.end is None,
        )

    @routes.get("/{id}/links", responses=OF_MATCH)
    async def links(id: str, token: Token, request: Request) -> Links:
        """What to give to others: the way to each open seat, for who made the match; or to watch.

        The link to watch holds the id, by which an open seat can be taken: so it waits until none
        is open.
        """
        room = await matches.open(id)
        seat, _ = access_to(room, token)
        invitations = tokens.invitations(room.seen_by(seat), seat)
        base = reach.base(request.scope)
        found = []
        watch = [(None, "")] if room.session.free_seat is None else []
        for free, secret in [*invitations.items(), *watch]:
            url = f"{base or request.base_url}match/{id}" + (f"#{secret}" if secret else "")
            found.append(LinkInfo(seat=free, url=url, qr=qr_picture(url) if base else ""))
        return Links(only_here=base is None, links=found)

    @routes.post("/{id}/join", responses=OF_MATCH)
    async def join(id: str) -> Place:
        """The invitation to an open seat, for anyone who knows the match's id."""
        try:
            seat, token = tokens.open_invitation((await matches.open(id)).session)
        except Refused as e:
            raise RequestProblem(409, e.code, str(e), "id") from None
        return Place(id=id, seat=seat, token=token)

    @routes.post("/{id}/rematch", responses=OF_MATCH | TOO_MANY)
    async def rematch(id: str, token: Token, request: Request) -> Place:
        """The same again, everybody one seat further: made by the first who asks."""
        room = await matches.ended(id, token)
        seat = access_to(room, token).seat
        if seat is None:
            raise RequestProblem(401, "bad_token", "Only players can ask for a rematch.")
        address = await matches.one_more(request) if room.rematch is None else None
        again = await matches.rooms.rematch(room, maker=address)
        turned = (seat + 1) % len(room.session.seats)
        return Place(
            id=again.setup.id, seat=turned, token=tokens.seat_token(again.setup.id, turned)
        )

    @routes.get("/{id}/components", responses=OF_MATCH)
    async def list_components(id: str) -> ComponentsInfo:
        """The cards and other pieces of a match, of its own deck too, drawn and explained."""
        return await asyncio.to_thread(components, (await matches.open(id)).match.rules)

    @routes.get("/{id}/layout", responses=OF_MATCH)
    async def layout(id: str) -> Layout:
        """How programs read the observations of a match."""
        room = await matches.open(id)
        rules = room.match.rules
        record = rules.game.rules.State.layout
        fields = []
        for name in record.names:
            kind, at = record.fields[name][:2]
            shape = [int(n) for n in kind.shape]
            fields.append(FieldInfo(name=name, type=kind.base.str, shape=shape, at=at))
        deck = room.session.plan.deck
        return Layout(
            rules={"game": rules.name, "options": rules.options_text, "deck": deck},
            actions=rules.plain().num_actions,
            bytes=record.itemsize,
            fields=fields,
        )


def _add_looking_back(routes: APIRouter, matches: _Matches) -> None:
    @routes.get("/{id}/record", response_class=Response, responses=OF_MATCH | TEXT)
    async def record(id: str, token: Token) -> Response:
        """The match file; after the end."""
        return PlainTextResponse((await matches.ended(id, token)).session.record())

    @routes.get("/{id}/replay", responses=OF_MATCH, response_model=Replay)
    async def replay(
        id: str,
        token: Token,
        seat: Annotated[int | None, Query(ge=0, le=9)] = None,
        first: Annotated[int, Query(alias="from", ge=0, le=10**6)] = 0,
        to: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    ) -> Response:
        """The pictures after `from` .. `to` actions (100 at most, or 1 MB); after the end."""
        room = await matches.ended(id, token)
        if seat is not None and seat >= len(room.session.seats):
            raise RequestProblem(400, "invalid", f"There is no seat {seat}.", "seat")
        last = min(first + CHUNK - 1 if to is None else to, first + CHUNK - 1)
        text = await replayed(matches.rooms, room.match, seat, first, last)
        return Response(text, media_type="application/json")


async def replayed(rooms: Rooms, match: Match, seat: int | None, first: int, last: int) -> bytes:
    """Some steps of a match as the wire has them."""
    steps = len(match.history)
    frames = [x async for x in rooms.slices.of(_drawn(match, seat, first, min(last, steps)))]
    return b'{"steps":%d,"from":%d,"frames":[%s]}' % (steps, first, b",".join(frames))


def _drawn(match: Match, seat: int | None, first: int, last: int) -> Iterator[bytes]:
    """The pictures after `first` .. `last` actions, and what was told since the one before each;
    as many as make a text of a fair size.
    """
    view, heard, size = SceneView(ViewKey(seat)), 0, 0
    before = max(0, first - 1)
    for k, then in enumerate(match.look_back(range(before, last + 1)), before):
        fresh = then.events(seat, heard)
        heard += len(fresh)
        if k < first:
            continue
        told = b",".join([view.entry(then, x) for x in fresh])
        frame = b'{"told":[%s],"scene":%s}' % (told, then.scene(seat).as_json)
        yield frame
        if (size := size + len(frame)) >= REPLAY:
            return


# ---- what a new match is made of ----------------------------------------------------------------
def _plan(wanted: NewMatch) -> MatchPlan:
    """What is kept of a new match. Errors: RequestProblem names the field."""
    if wanted.game not in list_games():
        raise RequestProblem(400, "invalid", f"There is no game {wanted.game!r}.", "game")
    game = find(wanted.game)
    modes = [x.name for x in game.modes]
    if wanted.mode and wanted.mode not in modes:
        raise RequestProblem(400, "invalid", f"The modes are {', '.join(modes)}.", "mode")
    if len(str(wanted.options.get("deck", ""))) > DECK:
        message = f"A deck can have at most {DECK} characters."
        raise RequestProblem(400, "invalid", message, "options.deck")
    try:
        name = clean_name(wanted.name)
    except Refused as e:
        raise RequestProblem(400, "invalid", str(e), "name") from None
    try:
        seats, host = seats_from(wanted.seats, name, levels(game))
    except Refused as e:
        raise RequestProblem(400, "invalid", str(e), "seats") from None
    options = {**game.human_defaults, **wanted.options, "players": len(wanted.seats)}
    if wanted.options.get("players", len(wanted.seats)) != len(wanted.seats):
        message = f"{len(wanted.seats)} seats are named for {wanted.options['players']} players."
        raise RequestProblem(400, "invalid", message, "seats")
    if wanted.deck is not None:
        options["deck"] = f"{wanted.deck}\n"  # a text, never a name or a path
    try:
        with untrusted():
            rules = game.ruleset(options)
    except BattleboxError as e:
        said = str(e)
        raise RequestProblem(400, "invalid", _in_words(game, said), _field(said)) from None
    if missing := {x.level for x in seats if x.level} - {*levels(rules.game)}:
        message = f"This deck has kinds of cards that {min(missing)!r} has not learned."
        raise RequestProblem(400, "invalid", message, "seats")
    plan = MatchPlan(
        game=game.name,
        version=game.version,
        options=rules.options_text,
        deck=rules.text,
        mode=wanted.mode,
        seats=seats,
        host=host,
        seed=wanted.seed,
        delay=wanted.delay,
    )
    plan.ruleset()  # it is that of the plan that will be played
    return plan


def _in_words(game: Game, message: str) -> str:
    """What is wrong with an option, with its name as people know it."""
    text = message.removeprefix(f"{game.name}: option: ")
    if text == message:
        return message
    for name, about in game.options.model_fields.items():
        text = re.sub(rf"\b{name}(?= = )", about.title or name, text)
    return text


def _field(message: str) -> str:
    """The field of a request that an error of the ruleset is about."""
    if re.match(r"deck\b", message):
        return "deck"
    found = re.search(r": option: '?(\w+)", message)
    return f"options.{found[1]}" if found else "options"
