"""The server of `battlebox dev` as an ASGI app. It shows the truth: it is for this machine only."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, StreamingResponse
from pydantic import BaseModel
from starlette.types import Receive, Scope, Send

from ..games import NAMES
from ..protocol.http import problem
from ..server.routes.pages import WEB, PageFiles
from ..server.routes.problems import add_handlers
from ..server.security import SecurityMiddleware
from .messages import Bots, DraftRequest, Fault, Look, Position, SaveRequest
from .versions import Versions
from .worker import Refused

MOST = 4_000_000  # bytes of a request: a long line


class _Files(PageFiles):
    """The files of the page, with the looks of the game that is written."""

    def __init__(self, versions: Versions) -> None:
        super().__init__(directory=WEB)
        self.versions = versions

    def folder_of(self, name: str) -> Path | None:
        game = self.versions.status.game
        known = game is not None and game.name == name and name not in NAMES
        return self.versions.load.folder if known else None


def create_app(versions: Versions) -> FastAPI:
    """The app, which ends the versions when it ends."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        versions.start()
        yield
        versions.close()

    app = FastAPI(openapi_url=None, lifespan=lifespan)
    page = (WEB / "dev" / "index.html").read_text(encoding="utf-8")
    add_handlers(app, page)

    async def answered(request: BaseModel) -> Response:
        """{"answer": ...}, {"fault": ...} of the game; or a problem with what was asked."""
        version, found = await versions.ask(request)
        if isinstance(found, Refused):
            return JSONResponse(problem("refused", found.message), 409)
        if isinstance(found, Position):
            found.version = version
        key = "fault" if isinstance(found, Fault) else "answer"
        return Response(f'{{"{key}":{found.model_dump_json()}}}', media_type="application/json")

    @app.get("/")
    async def home() -> Response:
        return RedirectResponse("/dev")

    @app.get("/dev")
    async def shown() -> Response:
        return HTMLResponse(page)

    @app.get("/favicon.ico")
    async def icon() -> Response:
        return Response(status_code=204)

    @app.get("/api/dev/status")
    async def status() -> Response:
        async def told() -> AsyncIterator[str]:
            async for x in versions.statuses():
                yield f"data: {x.model_dump_json()}\n\n"

        return StreamingResponse(told(), media_type="text/event-stream")

    @app.post("/api/dev/look")
    async def look(asked: Look) -> Response:
        return await answered(asked)

    @app.post("/api/dev/bots")
    async def bots(asked: Bots) -> Response:
        return await answered(asked)

    @app.post("/api/dev/scenario")
    async def draft(asked: DraftRequest) -> Response:
        return await answered(asked)

    @app.post("/api/dev/scenario/save")
    async def save(asked: SaveRequest) -> Response:
        return await answered(asked)

    @app.post("/api/dev/checks", status_code=204)
    async def check() -> Response:
        versions.check()
        return Response(status_code=204)

    @app.post("/api/dev/checks/stop", status_code=204)
    async def stop() -> Response:
        versions.stop_checks()
        return Response(status_code=204)

    app.mount("/web", _Files(versions), name="web")
    app.add_middleware(SecurityMiddleware, names={"localhost"}, most=MOST, sockets=_refuse_sockets)
    return app


async def _refuse_sockets(_scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close"})
