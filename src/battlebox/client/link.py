"""A link to a match on a server, and what is asked of that server over HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..core.errors import BattleboxError
from ..links import is_here
from ..protocol import PROTOCOL

EXAMPLE = "http://192.168.0.7:8765/match/ID#TOKEN"
PATIENCE = 15.0  # seconds for an answer
MOST = 16_000_000  # bytes of an answer
CONTROLS = dict.fromkeys((*range(32), *range(127, 160)), " ")  # of a terminal


class _NoDetour(HTTPRedirectHandler):
    """Follows no redirection: the token is for the server in the link, and for nobody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoDetour)


class OtherProtocol(BattleboxError):
    """The server speaks another protocol than this program."""


@dataclass(frozen=True)
class Site:
    """A server, and what it is asked over HTTP. `base` has no slash at its end."""

    base: str

    def get(self, path: str, token: str | None = None) -> dict[str, Any]:
        """What it answers to GET /api/PATH. Errors: BattleboxError, in the server's words."""
        return self._object(self._json(path, token, None))

    def games(self) -> list[dict[str, Any]]:
        """All games that it has, as docs/protocol.md says. Errors: BattleboxError."""
        found = self._json("games", None, None)
        if not isinstance(found, list):
            raise self.stranger()
        return [self._object(x) for x in found]

    def rules(self, game: str) -> dict[str, str]:
        """The rules of a game by their ids. Errors: BattleboxError."""
        found = self.get(f"games/{quote(game, safe='')}/rules").get("rules")
        if not isinstance(found, dict):
            raise self.stranger()
        return {str(id): str(text) for id, text in found.items()}

    def post(
        self, path: str, token: str | None = None, body: Mapping[str, object] | None = None
    ) -> dict[str, Any]:
        """What it answers to POST /api/PATH. Errors: BattleboxError, in the server's words."""
        sent = b"" if body is None else json.dumps(body).encode()
        return self._object(self._json(path, token, sent))

    def _json(self, path: str, token: str | None, body: bytes | None) -> Any:
        try:
            return clean(json.loads(self.ask(path, token, body)))
        except (ValueError, RecursionError):
            raise self.stranger() from None

    def _object(self, found: Any) -> dict[str, Any]:
        if not isinstance(found, dict):
            raise self.stranger()
        return found

    def ask(self, path: str, token: str | None = None, body: bytes | None = None) -> bytes:
        """The answer as it came; body: None for GET. Errors: BattleboxError."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Content-Type": "application/json"} if body else {}
        try:
            asked = Request(f"{self.base}/api/{path}", body, {**headers, "Accept": "*/*"})
            with _opener.open(asked, timeout=PATIENCE) as answer:
                return bytes(answer.read(MOST))
        except HTTPError as e:
            with e:
                raise self._said(e) from None
        except (OSError, HTTPException, ValueError) as e:  # a host that is none is a ValueError
            why = e.reason if isinstance(e, URLError) else e
            if isinstance(why, TimeoutError):
                why = "it did not answer in time"
            elif isinstance(why, OSError) and why.strerror:
                why = why.strerror
            raise BattleboxError(f"{self.base} cannot be reached: {why}") from None

    def _said(self, e: HTTPError) -> BattleboxError:
        """What an answer that is an error says."""
        try:
            found = clean(json.loads(e.read(MOST)))["error"]
            return BattleboxError(str(found["message"]))
        except (OSError, HTTPException, ValueError, KeyError, TypeError, RecursionError):
            pass
        if 300 <= e.code < 400:
            there = clean(e.headers.get("Location", "another address"))
            return BattleboxError(
                f"{self.base} redirects to {there}: use a link that begins with that"
            )
        if e.code >= 500:
            return BattleboxError(
                f"{self.base} does not work right now (HTTP status {e.code}): try again later"
            )
        return self.stranger()

    def stranger(self) -> BattleboxError:
        """What is said of a server that answers something else."""
        return BattleboxError(f"the server at {self.base} is not a battlebox server")


@dataclass(frozen=True)
class Link:
    """A match on a server; with a token, a seat in it. `base` has no slash at its end."""

    base: str
    match: str
    token: str | None = None

    def __str__(self) -> str:
        return f"{self.base}/match/{self.match}" + (f"#{self.token}" if self.token else "")

    @property
    def site(self) -> Site:
        """Its server."""
        return Site(self.base)

    @property
    def is_here(self) -> bool:
        """Whether it leads from every machine to itself."""
        return is_here(urlsplit(self.base).hostname or "")

    @property
    def socket(self) -> str:
        """The address of the match's socket."""
        return f"ws{self.base.removeprefix('http')}/api/matches/{self.match}/live"

    @property
    def replay(self) -> str:
        """Where a browser shows the match, once it is over."""
        return f"{self.base}/replay/{self.match}"

    def sit(self, token: str | None, match: str | None = None) -> Link:
        """The link of another seat, or of another match there."""
        return replace(self, match=match or self.match, token=token)

    # ---- requests ----
    def check(self) -> None:
        """Asks for the match.

        Errors: OtherProtocol, BattleboxError say why this link leads to none that can be joined.
        """
        found = self.site.get(f"matches/{self.match}", self.token)
        room = found.get("room")
        if isinstance(found.get("table"), dict):  # what it was called in protocol 1
            self._compare_protocol(1)
        elif not isinstance(room, dict):
            raise self.site.stranger()
        else:
            self._compare_protocol(room.get("protocol", PROTOCOL))

    def _compare_protocol(self, theirs: object) -> None:
        """Errors: OtherProtocol."""
        if theirs == PROTOCOL:
            return
        if isinstance(theirs, int) and theirs < PROTOCOL:
            what, todo = "an older battlebox", "ask its host to update it"
        else:
            what, todo = "a newer battlebox", "update yours and join again"
        raise OtherProtocol(
            f"{self.base} runs {what} than this one (it speaks protocol {theirs}, this one "
            f"{PROTOCOL}): {todo}, or open the link in a browser"
        )

    def record(self) -> str:
        """The match file, once the match is over. Errors: BattleboxError."""
        return self.site.ask(f"matches/{self.match}/record", self.token).decode(errors="replace")

    def invitations(self) -> dict[int, str]:
        """The links to open seats, by seat, as others reach them; none if nobody else can.

        Errors: BattleboxError.
        """
        found = self.site.get(f"matches/{self.match}/links", self.token)
        try:
            links = [] if found["only_here"] else found["links"]
            return {int(x["seat"]): str(x["url"]) for x in links if x["seat"] is not None}
        except (KeyError, TypeError, ValueError):
            raise self.site.stranger() from None

    def rematch(self) -> Link:
        """A seat in the next match of the same people. Errors: BattleboxError."""
        found = self.site.post(f"matches/{self.match}/rematch", self.token)
        if not (isinstance(found.get("id"), str) and isinstance(found.get("token"), str)):
            raise self.site.stranger()
        return read(str(self.sit(found["token"], found["id"])))


def read(text: str) -> Link:
    """A link as it was sent to a person. Errors: BattleboxError says what is wrong with it."""
    shape = f"a link to a match looks like {EXAMPLE}"
    text = text.strip()
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as e:
        raise BattleboxError(f"{text!r} is not a link ({e}): {shape}") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s\x00-\x20]", text):
        raise BattleboxError(f"{text!r} is not a link: {shape}")
    found = re.fullmatch(r"(.*)/match/([A-Za-z0-9_-]{1,100})/?", parts.path)
    if not found or "@" in parts.netloc:
        raise BattleboxError(f"{text!r} is not a link to a match: {shape}")
    if not re.fullmatch(r"[A-Za-z0-9_=-]{0,100}", parts.fragment):
        raise BattleboxError(
            "the part after the # in this link is not a token: copy the link again"
        )
    base = f"{parts.scheme}://{parts.netloc}{found[1]}"
    return Link(base, found[2], parts.fragment or None)


def clean(data: Any) -> Any:
    """JSON without the characters that would command a terminal."""
    if isinstance(data, str):
        return data.translate(CONTROLS)
    if isinstance(data, list):
        return [clean(x) for x in data]
    if isinstance(data, dict):
        return {str(k).translate(CONTROLS): clean(x) for k, x in data.items()}
    return data
