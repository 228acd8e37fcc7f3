"""The routes: what can be asked of the server over HTTP, and the way to the socket."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import prometheus_client
from fastapi import Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from .. import bots
from .. import games as list_games
from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.match import Match
from ..core.table import without_files
from ..games import find
from ..links import qr_picture
from ..version import __version__
from .address import Proxies, Reach, asker
from .clock import REAL, Clock
from .figures import EVERY, Figures
from .guard import Guard, TooBig, own_names
from .limits import DECK, Buckets, Limits
from .live import Sockets
from .meeting import Refused, clean_name, ruleset, seats_from
from .rulebook import rulebook
from .shares import Share
from .store import Store, StoreError
from .tables import SEAT, NotFound, Table, Tables
from .viewers import SceneViewer, Shown
from .wire import (
    FieldInfo,
    GameInfo,
    Health,
    Layout,
    LinkInfo,
    Links,
    ModeInfo,
    NewMatch,
    Place,
    Problem,
    Ready,
    Replay,
    RulesInfo,
    Summary,
    problem,
)

WEB = Path(__file__).parent.parent / "web"
CHUNK = 100  # most steps of a replay in one answer,
REPLAY = 1_000_000  # and bytes, but for the last step
FRESH = 1.0  # seconds for which it is not tried again whether matches can be saved
log = logging.getLogger("battlebox")


class Trouble(Exception):
    """An error for whoever asked."""

    def __init__(self, status: int, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.where = status, code, where


def create_app(
    store: Store,
    *,
    limits: Limits | None = None,
    names: set[str] | None = None,
    reach: Reach | None = None,
    proxies: Proxies | None = None,
    threads: int = 1,
    share: Share | None = None,
    compile: bool = False,
    clock: Clock = REAL,
    figures: Figures | None = None,
) -> FastAPI:
    """The server as an ASGI app, for uvicorn with the protocols of doors.py.

    names: host names it answers to, besides this machine's own. reach: how others come to it.
    proxies: those whose word is believed. threads: in which bots think.
    share: the matches it has; None: all. compile: bots are made ready before anybody asks for one.
    clock: by which it waits. figures: of all processes.
    """
    limits, reach = limits or Limits(), reach or Reach()
    url = reach.public
    tables = Tables(store, limits, threads=threads, share=share, clock=clock)
    tables.trouble = log.warning

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async def compile_all() -> None:
            for name in list_games() if compile else ():
                game = find(name)
                await tables.compile(game.ruleset(game.human_defaults))
            state.compiled = compile

        async def tell() -> None:
            while True:
                tell_figures()
                await asyncio.sleep(EVERY)

        tasks = [
            asyncio.create_task(x) for x in (compile_all(), tables.beat(), tables.tidy(), tell())
        ]
        state.status = "ready"
        yield
        state.status = "stopping"
        for task in tasks:
            task.cancel()
        tables.close()
        await asyncio.sleep(0)  # the sockets hear of it
        store.close()

    app = FastAPI(
        title="battlebox",
        version=__version__,
        description="Matches in a browser. docs/protocol.md tells of the socket.",
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses={"default": {"model": Problem}},
    )
    app.state.tables, sockets = tables, Sockets(tables)
    state = app.state
    state.status, state.compiled = "starting", False
    figures = figures or Figures()
    tell_figures = figures.teller(
        tables.share.at,
        {
            "battlebox_live_matches": lambda: tables.live,
            "battlebox_sockets": lambda: sockets.open,
            "battlebox_moves": lambda: tables.moves,
            "battlebox_unsaved": lambda: store.unsaved,
        },
    )
    page = _page(url.folder if url else "")
    _add_errors(app, page)
    _add_api(app, tables, sockets, reach)
    _add_state(app, tables, sockets, figures, tell_figures)
    _add_pages(app, page)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)  # in the loop
    app.add_middleware(
        Guard,
        names=own_names() | (names or set()) | ({url.name} if url else set()),
        most=limits.body,
        sockets=sockets,
        origin=url.origin if url else "",
        proxies=proxies,
    )
    return app


# ---- errors, all in one form --------------------------------------------------------------------
def _add_errors(app: FastAPI, page: str) -> None:
    def answer(
        status: int, code: str, message: str, where: str = "", headers: Any = None
    ) -> JSONResponse:
        return JSONResponse(problem(code, message, where), status, headers)

    async def trouble(_r: Request, e: Exception) -> Response:
        assert isinstance(e, Trouble)
        return answer(e.status, e.code, str(e), e.where)

    async def invalid(_r: Request, e: Exception) -> Response:
        assert isinstance(e, RequestValidationError)
        first = e.errors()[0]
        where = ".".join(str(x) for x in first["loc"] if x not in ("body", "query", "path"))
        said = first["msg"].removeprefix("Value error, ")
        return answer(400, "invalid", f"{where}: {said}" if where else said, where)

    async def http(r: Request, e: Exception) -> Response:
        assert isinstance(e, HTTPException)
        apart = r.url.path.removeprefix(r.scope["root_path"]).startswith(("/api/", "/web/"))
        if e.status_code == 404 and not apart and "text/html" in r.headers.get("accept", ""):
            return HTMLResponse(page, 404)  # the page says it in its own words
        code = {404: "not_found", 405: "not_allowed"}.get(e.status_code, "invalid")
        return answer(e.status_code, code, f"{e.detail}.", headers=e.headers)

    async def too_big(_r: Request, _e: Exception) -> Response:
        return answer(413, "too_big", "The request is too long.")

    async def unsaved(_r: Request, e: Exception) -> Response:
        log.warning("%s", e)
        return answer(503, "not_saved", "Matches cannot be read or written now; try again later.")

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        Trouble: trouble,
        RequestValidationError: invalid,
        HTTPException: http,
        TooBig: too_big,
        StoreError: unsaved,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


# ---- who asks -----------------------------------------------------------------------------------
def _bearer(authorization: Annotated[str | None, Header()] = None) -> str | None:
    """The token of a request."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Trouble(401, "bad_token", "Write `Authorization: Bearer TOKEN`.")
    return token


Token = Annotated[str | None, Depends(_bearer)]
NOT_FOUND: dict[int | str, dict[str, Any]] = {404: {"model": Problem}}
# a response class of text would have its errors documented as text, too
TEXT: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}
OF_MATCH: dict[int | str, dict[str, Any]] = {
    **NOT_FOUND,
    401: {"model": Problem},
    409: {"model": Problem},
    503: {"model": Problem},
}


def _add_api(app: FastAPI, tables: Tables, sockets: Sockets, reach: Reach) -> None:
    most = tables.limits.matches_per_minute
    buckets = Buckets(most / 60, most, tables.clock)
    idle = tables.limits.idle / 60

    def one_more(request: Request) -> str | None:
        """Counts a new match. Gives the address on whose account it goes; None: this machine's.

        Errors: Trouble, if that are too many.
        """
        if (address := asker(request.scope)) is None:
            return None
        if (going := tables.under_way(address)) >= tables.limits.matches_under_way:
            said = (
                f"{going} matches made from your address are under way: finish one, or give one "
                f"up. One that nobody looks at counts no more after {idle:g} minutes."
            )
            raise Trouble(429, "too_many", said)
        if not buckets.take(address):
            raise Trouble(429, "too_many", "Too many new matches from here; wait a minute.")
        return address

    async def opened(id: str) -> Table:
        try:
            return await tables.open(id)
        except NotFound as e:
            raise Trouble(404, "not_found", str(e), "id") from None
        except StoreError:
            raise
        except BattleboxError as e:
            said = f"{str(e)[:1].upper()}{str(e)[1:]}."
            raise Trouble(409, "cannot_be_opened", said, "id") from None

    def place_in(table: Table, token: str | None) -> Shown:
        try:
            return table.place_of(token)
        except Refused as e:
            raise Trouble(401, e.code, str(e)) from None

    async def ended(id: str, token: str | None) -> Table:
        table = await opened(id)
        seen = table.seen_by(place_in(table, token).seat)
        if seen.end is None:
            why = "is not over: its record would show hidden cards."
            if table.meeting.end:
                why = (
                    f"is shown to spectators {table.delay:g} s later, and its end is still to come."
                )
            raise Trouble(409, "not_over", f"The match {why}")
        return table

    @app.get("/api/games")
    async def games() -> list[GameInfo]:
        """The games that can be played here, with their options."""
        return [_game(name) for name in list_games()]

    @app.get("/api/games/{name}/rules", responses=NOT_FOUND)
    async def rules(name: str) -> RulesInfo:
        """The rules of a game, as a page and one by one."""
        if name not in list_games():
            raise Trouble(404, "not_found", f"There is no game {name!r}.", "name")
        game = find(name)
        html = rulebook(game)
        return RulesInfo(name=name, title=game.title, html=html, rules=game.rulebook)

    @app.post("/api/matches", status_code=201, responses={429: {"model": Problem}})
    async def create(wanted: NewMatch, request: Request) -> Place:
        """Makes a match; the answer holds the caller's seat and its token."""
        address = one_more(request)
        table = await tables.make(_plan(wanted), by=address)
        seat = table.meeting.host
        token = None if seat is None else tables.token(table.setup.id, seat, SEAT)
        return Place(id=table.setup.id, seat=seat, token=token)

    @app.get("/api/matches/{id}", responses=OF_MATCH)
    async def summary(id: str, token: Token) -> Summary:
        """Where a match stands, as the bearer may know it."""
        table = await opened(id)
        place = place_in(table, token)
        table.glance()
        seat, scene = place.seat, table.seen_by(place.seat).match.scene(place.seat)
        yours = seat is not None and scene.to_act == seat and table.meeting.end is None
        told = table.describe(place)
        return Summary(
            table=told,
            title=scene.title,
            prompt=scene.prompt,
            to_act=scene.to_act,
            your_turn=yours,
        )

    @app.get("/api/matches/{id}/links", responses=OF_MATCH)
    async def links(id: str, token: Token, request: Request) -> Links:
        """What to give to others: the way to each open seat, for who made the match; or to watch.

        The link to watch holds the id, by which an open seat can be taken: so it waits until none
        is open.
        """
        table = await opened(id)
        invites = table.invites(place_in(table, token).seat)
        base = reach.base(request.scope)
        found = []
        watch = [(None, "")] if table.free is None else []
        for seat, secret in [*invites.items(), *watch]:
            url = f"{base or request.base_url}match/{id}" + (f"#{secret}" if secret else "")
            found.append(LinkInfo(seat=seat, url=url, qr=qr_picture(url) if base else ""))
        return Links(only_here=base is None, links=found)

    @app.post("/api/matches/{id}/join", responses=OF_MATCH)
    async def join(id: str) -> Place:
        """The invitation to an open seat, for anyone who knows the match's id."""
        try:
            seat, token = (await opened(id)).invitation()
        except Refused as e:
            raise Trouble(409, e.code, str(e), "id") from None
        return Place(id=id, seat=seat, token=token)

    @app.post("/api/matches/{id}/rematch", responses=OF_MATCH | {429: {"model": Problem}})
    async def rematch(id: str, token: Token, request: Request) -> Place:
        """The same again, everybody one seat further: made by the first who asks."""
        table = await ended(id, token)
        seat = place_in(table, token).seat
        if seat is None:
            raise Trouble(401, "bad_token", "Only players ask for a rematch.")
        address = one_more(request) if table.rematch is None else None
        again = await tables.again(table, by=address)
        turned = (seat + 1) % len(table.meeting.seats)
        token = tables.token(again.setup.id, turned, SEAT)
        return Place(id=again.setup.id, seat=turned, token=token)

    @app.get("/api/matches/{id}/layout", responses=OF_MATCH)
    async def layout(id: str) -> Layout:
        """How programs read the observations of a match."""
        table = await opened(id)
        rules = table.meeting.match.rules
        record = rules.game.rules.State.layout
        fields = []
        for name in record.names:
            kind, at = record.fields[name][:2]
            shape = [int(n) for n in kind.shape]
            fields.append(FieldInfo(name=name, type=kind.base.str, shape=shape, at=at))
        plan = table.meeting.plan
        return Layout(
            rules={"game": rules.name, "options": rules.options_text, "deck": plan["deck"]},
            actions=rules.plain().actions,
            bytes=record.itemsize,
            fields=fields,
        )

    @app.get("/api/matches/{id}/record", response_class=Response, responses=OF_MATCH | TEXT)
    async def record(id: str, token: Token) -> Response:
        """The match file; after the end."""
        return PlainTextResponse((await ended(id, token)).meeting.record())

    @app.get("/api/matches/{id}/replay", responses=OF_MATCH, response_model=Replay)
    async def replay(
        id: str,
        token: Token,
        seat: Annotated[int | None, Query(ge=0, le=9)] = None,
        first: Annotated[int, Query(alias="from", ge=0, le=10**6)] = 0,
        to: Annotated[int | None, Query(ge=0, le=10**6)] = None,
    ) -> Response:
        """The pictures after `from` .. `to` actions (100 at most, or 1 MB); after the end."""
        table = await ended(id, token)
        if seat is not None and seat >= len(table.meeting.seats):
            raise Trouble(400, "invalid", f"There is no seat {seat}.", "seat")
        last = min(first + CHUNK - 1 if to is None else to, first + CHUNK - 1)
        text = await _replayed(tables, table.meeting.match, seat, first, last)
        return Response(text, media_type="application/json")


# ---- for who watches over it --------------------------------------------------------------------
def _add_state(
    app: FastAPI, tables: Tables, sockets: Sockets, figures: Figures, tell: Callable[[], None]
) -> None:
    lock, well_at = asyncio.Lock(), float("-inf")

    async def trouble() -> str:
        """Why matches cannot be saved; what was found to be well is not tried again at once."""
        nonlocal well_at
        async with lock:
            now = time.monotonic()
            if tables.store.trouble or now - well_at >= FRESH:
                if wrong := await tables.store.probe():
                    return wrong
                well_at = now
            return ""

    @app.get("/health", responses={503: {"model": Problem}})
    async def health() -> Health:
        """Whether the server is well: whether what is played can be saved, which is tried."""
        if wrong := await trouble():
            raise Trouble(503, "not_saved", f"Matches cannot be saved now: {wrong}.")
        return Health(
            status="ok",
            version=__version__,
            worker=tables.share.at,
            workers=tables.share.of,
            matches=tables.live,
            sockets=sockets.open,
        )

    @app.get("/ready", responses={503: {"model": Problem}})
    async def ready() -> Ready:
        """Whether requests may be sent here: it has started, and is not about to stop."""
        if app.state.status != "ready":
            raise Trouble(503, app.state.status, f"The server is {app.state.status}.")
        return Ready(status="ready", compiled=app.state.compiled)

    registry = prometheus_client.CollectorRegistry()
    registry.register(figures)

    @app.get("/metrics", response_class=Response, responses=TEXT)
    async def metrics() -> Response:
        """Figures for Prometheus: of all processes, whichever answers."""
        tell()
        return Response(
            prometheus_client.generate_latest(registry),
            media_type=prometheus_client.CONTENT_TYPE_LATEST,
        )


def _game(name: str) -> GameInfo:
    game = find(name)
    schema = game.options.model_json_schema()
    players = schema["properties"]["players"]
    return GameInfo(
        name=name,
        title=game.title,
        about=game.about,
        version=game.version,
        players=[players["minimum"], players["maximum"]],
        people=dict(game.human_defaults),
        modes=[ModeInfo(name=x.name, about=x.about, options=dict(x.options)) for x in game.modes],
        levels=list(bots.LEVELS),
        options=schema,
    )


def _plan(wanted: NewMatch) -> dict[str, Any]:
    """What is kept of a new match. Errors: Trouble names the field."""
    if wanted.game not in list_games():
        raise Trouble(400, "invalid", f"There is no game {wanted.game!r}.", "game")
    game = find(wanted.game)
    modes = [x.name for x in game.modes]
    if wanted.mode and wanted.mode not in modes:
        raise Trouble(400, "invalid", f"The modes are {', '.join(modes)}.", "mode")
    if len(str(wanted.options.get("deck", ""))) > DECK:
        raise Trouble(400, "invalid", f"A deck has at most {DECK} characters.", "options.deck")
    try:
        name = clean_name(wanted.name)
    except Refused as e:
        raise Trouble(400, "invalid", str(e), "name") from None
    try:
        seats, host = seats_from(wanted.seats, name)
    except Refused as e:
        raise Trouble(400, "invalid", str(e), "seats") from None
    options = {**game.human_defaults, **wanted.options, "players": len(wanted.seats)}
    if wanted.options.get("players", len(wanted.seats)) != len(wanted.seats):
        message = f"{len(wanted.seats)} seats are named for {wanted.options['players']} players."
        raise Trouble(400, "invalid", message, "seats")
    if wanted.deck is not None:
        options["deck"] = f"{wanted.deck}\n"  # a text, never a name or a path
    try:
        with without_files():
            rules = game.ruleset(options)
    except BattleboxError as e:
        raise Trouble(400, "invalid", _in_words(game, str(e)), _field(str(e))) from None
    plan = {
        "game": game.name,
        "version": game.version,
        "options": rules.options_text,
        "deck": rules.text,
        "mode": wanted.mode,
        "seats": seats,
        "host": host,
        "seed": wanted.seed,
        "delay": wanted.delay,
    }
    ruleset(plan)  # it is that of the plan that will be played
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


async def _replayed(tables: Tables, match: Match, seat: int | None, first: int, last: int) -> bytes:
    """Some steps of a match as the wire has them."""
    steps = len(match.history)
    frames = [x async for x in tables.slices.of(_drawn(match, seat, first, min(last, steps)))]
    return b'{"steps":%d,"from":%d,"frames":[%s]}' % (steps, first, b",".join(frames))


def _drawn(match: Match, seat: int | None, first: int, last: int) -> Iterator[bytes]:
    """The pictures after `first` .. `last` actions, and what was told since the one before each;
    as many as make a text of a fair size.
    """
    viewer, heard, size = SceneViewer(Shown(seat)), 0, 0
    before = max(0, first - 1)
    for k, then in enumerate(match.look_back(range(before, last + 1)), before):
        fresh = then.events(seat, heard)
        heard += len(fresh)
        if k < first:
            continue
        told = b",".join([viewer.entry(then, x) for x in fresh])
        frame = b'{"told":[%s],"scene":%s}' % (told, then.scene(seat).as_json)
        yield frame
        if (size := size + len(frame)) >= REPLAY:
            return


# ---- the page -----------------------------------------------------------------------------------
def _page(folder: str) -> str:
    """The page of a server that lies in a folder of a proxy's: its modules find out by theirs."""
    text = (WEB / "index.html").read_text(encoding="utf-8")
    return text.replace('"/web/', f'"{folder}/web/')


def _add_pages(app: FastAPI, page: str) -> None:
    async def shown() -> Response:
        return HTMLResponse(page)

    for path in ("/", "/match/{id}", "/replay/{id}", "/rules/{name}"):
        app.add_api_route(path, shown, include_in_schema=False)

    @app.get("/favicon.ico", include_in_schema=False)
    async def icon() -> Response:
        """Asked for where a page names none of its own."""
        return Response(status_code=204)

    app.mount("/web", StaticFiles(directory=WEB), name="web")
