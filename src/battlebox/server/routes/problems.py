"""Errors of requests, all in one form."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from ...protocol.http import ProblemBody, problem
from ..security import TooBig
from ..store import StoreError

Responses = dict[int | str, dict[str, Any]]
NOT_FOUND: Responses = {404: {"model": ProblemBody}}
TOO_MANY: Responses = {429: {"model": ProblemBody}}
UNAVAILABLE: Responses = {503: {"model": ProblemBody}}
OF_MATCH: Responses = {x: {"model": ProblemBody} for x in (401, 404, 409, 503)}
# a response class of text would have its errors documented as text, too
TEXT: Responses = {200: {"content": {"text/plain": {}}}}
log = logging.getLogger("battlebox")


class RequestProblem(Exception):
    """An error for who asked."""

    def __init__(self, status: int, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.where = status, code, where


def add_handlers(app: FastAPI, page: str) -> None:
    """Answers every error in the one form; `page` where a person looks for a page."""

    def answer(
        status: int, code: str, message: str, where: str = "", headers: Any = None
    ) -> JSONResponse:
        return JSONResponse(problem(code, message, where), status, headers)

    async def known(_r: Request, e: Exception) -> Response:
        assert isinstance(e, RequestProblem)
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
        RequestProblem: known,
        RequestValidationError: invalid,
        HTTPException: http,
        TooBig: too_big,
        StoreError: unsaved,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)
