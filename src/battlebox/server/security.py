"""What stands before every request: host, origin, headers, size."""

from __future__ import annotations

import ipaddress
import logging
import re
import socket

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..protocol.http import problem
from .address import Contradiction, Proxies

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",  # links hold matches' ids
    "x-content-type-options": "nosniff",
}
SAFE = ("GET", "HEAD", "OPTIONS")
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d{1,5})?")
log = logging.getLogger("battlebox")


class SecurityMiddleware:
    """Wraps the app.

    Names: a page of somebody else's name that points to this machine is refused (else that page
    could read what it gets). Origin: other pages may not act here. Size: of bodies. Behind it a
    request has the address of who asked, and not that of a proxy.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: set[str],
        most: int,
        sockets: ASGIApp,
        origin: str = "",
        proxies: Proxies | None = None,
    ) -> None:
        """names: the host names, besides addresses, under which this server is known.

        sockets: gets what the app does not, WebSockets. origin: of the page, as others see it.
        """
        self.app, self.names, self.most, self.sockets = app, names, most, sockets
        self.origin, self.proxies = origin, proxies or Proxies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        send = _with_headers(send)
        if why := self._refusal(scope, headers):
            await self._refuse(403, "forbidden", why, scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self.sockets(scope, receive, send)
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self.most:
            message = f"A request can have at most {self.most} bytes."
            await self._refuse(413, "too_big", message, scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, _counted(receive, self.most), sending)
        except Exception:
            if begun:
                raise
            log.exception("a request failed")
            why = "Something went wrong in the server; it is not your fault."
            await self._refuse(500, "broken", why, scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return f"This server does not answer to the name {host!r}."
        try:
            is_told = self.proxies.believe(scope, headers)
        except Contradiction as e:
            return str(e)
        origin = headers.get("origin")
        acts = scope["type"] == "websocket" or scope["method"] not in SAFE
        if is_told:  # a page that came over plain HTTP may have been changed on its way
            schemes = ["https" if scope["scheme"] in ("https", "wss") else "http"]
        else:
            schemes = ["http", "https"]
        own = (self.origin, *(f"{x}://{host}".lower() for x in schemes))
        if acts and origin is not None and origin.lower() not in own:
            return "Other sites cannot send requests to this server."
        return ""

    def _is_ours(self, host: str) -> bool:
        found = HOST.fullmatch(host.lower())
        if found is None:
            return False
        try:
            ipaddress.IPv6Address(found[1]) if found[1] else ipaddress.IPv4Address(found[2])
        except ValueError:
            return found[2] in self.names
        return True

    async def _refuse(
        self, status: int, code: str, why: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if scope["type"] == "websocket":
            await receive()
        await JSONResponse(problem(code, why), status)(scope, receive, send)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(raw=message["headers"])
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-cache")
            message["headers"] = headers.raw
        await send(message)

    return sending


class TooBig(HTTPException):
    """A body longer than it may be. (The framework lets no other error out of its reading.)"""

    def __init__(self) -> None:
        super().__init__(413)


def _counted(receive: Receive, most: int) -> Receive:
    left = most

    async def receiving() -> Message:
        nonlocal left
        message = await receive()
        if message["type"] == "http.request":
            left -= len(message.get("body", b""))
            if left < 0:
                raise TooBig
        return message

    return receiving


def own_names() -> set[str]:
    """The names under which this machine may be known to its neighbours."""
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {"localhost", name, short, f"{short}.local"}
