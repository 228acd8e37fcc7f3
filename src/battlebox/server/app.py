"""The server as an ASGI app."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from .. import games as list_games
from ..games import find
from ..protocol.http import ProblemBody
from ..version import __version__
from .address import Proxies, Reach
from .clock import REAL, Clock
from .limits import Limits
from .metrics import EVERY, Metrics
from .rooms import Rooms
from .routes import games, matches, operations
from .routes.pages import add_pages, page_in
from .routes.problems import add_handlers
from .security import SecurityMiddleware, own_names
from .sockets import Sockets
from .store import Store, StoreError

TRIES = 10  # of a node that starts, at its database, a second apart
log = logging.getLogger("battlebox")


def create_app(
    store: Store,
    *,
    limits: Limits | None = None,
    names: set[str] | None = None,
    reach: Reach | None = None,
    proxies: Proxies | None = None,
    threads: int = 1,
    process: int = 0,
    compile: bool = False,
    clock: Clock = REAL,
    metrics: Metrics | None = None,
) -> FastAPI:
    """The server as an ASGI app, for uvicorn with the protocols of protocols.py.

    names: host names it answers to, besides this machine's own. reach: how others come to it.
    proxies: those whose word is believed. threads: in which bots think.
    process: which of those that share the metrics. compile: bots are made ready before anybody
    asks for one. clock: by which it waits. metrics: of all processes.
    """
    limits, reach = limits or Limits(), reach or Reach()
    url = reach.public
    rooms = Rooms(store, limits, threads=threads, clock=clock)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        async def compile_all() -> None:
            for name in list_games() if compile else ():
                game = find(name)
                try:
                    await rooms.services.compiler.prepare(game.ruleset(game.human_defaults))
                except Exception as e:  # of the rules of somebody else
                    log.warning("%s cannot be compiled; its bots play at random: %s", name, e)
            state.compiled = compile

        async def tell() -> None:
            while True:
                tell_metrics()
                await asyncio.sleep(EVERY)

        tasks = [
            asyncio.create_task(x)
            for x in (compile_all(), rooms.beat(), rooms.sweep_on(), rooms.tidy(), tell())
        ]
        for tries in reversed(range(TRIES)):
            try:
                rooms.listen()
                break
            except StoreError as e:  # it was there a moment ago
                log.warning("%s", e)
                if not tries:
                    raise
                await asyncio.sleep(1)
        state.status = "ready"
        yield
        state.status = "stopping"
        if left := await rooms.unfinished():
            log.warning(
                "%s matches that are not over were begun under rules that no other node has: they "
                "cannot be finished until one has them.",
                left,
            )
        for task in tasks:
            task.cancel()
        rooms.close()
        await asyncio.sleep(0)  # the sockets hear of it
        store.close()

    app = FastAPI(
        title="battlebox",
        version=__version__,
        description="Matches in a browser. docs/protocol.md tells of the socket.",
        docs_url=None,  # they load scripts from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        responses={"default": {"model": ProblemBody}},
    )
    app.state.rooms, sockets = rooms, Sockets(rooms)
    state = app.state
    state.status, state.compiled = "starting", False
    metrics = metrics or Metrics()
    tell_metrics = metrics.teller(
        process,
        {
            "battlebox_live_matches": lambda: rooms.live,
            "battlebox_sockets": lambda: sockets.open,
            "battlebox_answered": lambda: int(store.answers),
            "battlebox_moves": lambda: rooms.services.moves,
            "battlebox_unsaved": lambda: store.unsaved,
        },
    )
    page = page_in(url.folder if url else "")
    add_handlers(app, page)
    app.include_router(games.router(clock))
    app.include_router(matches.router(rooms, reach))
    app.include_router(operations.router(app, rooms, sockets, metrics, tell_metrics))
    add_pages(app, page)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(
        SecurityMiddleware,
        names=own_names() | (names or set()) | ({url.name} if url else set()),
        most=limits.body,
        sockets=sockets,
        origin=url.origin if url else "",
        proxies=proxies,
    )
    return app
