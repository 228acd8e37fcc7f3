"""The links that a host gives to friends: as others reach the server, and as QR codes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.text import Text

from ...client.link import Link
from ...core.errors import BattleboxError
from ...links import qr_text
from ..screen import Screen

ONLY_HERE = (
    "The link works on this machine only. To play with others in your network, start the server "
    "with: battlebox --lan"
)
SHOW_QR = "Type qr for a QR code that a phone can scan."


class Invitations:
    """To the open seats of one match. `name_of`: what a seat is called."""

    def __init__(self, link: Link, screen: Screen, name_of: Callable[[int], str]) -> None:
        self.link, self.screen, self.name_of = link, screen, name_of
        self.only_here = False  # they lead to this machine only
        self._tokens: Mapping[str, str] = {}  # those that the links are for, by seat
        self._links: dict[int, str] = {}

    def lines(self, tokens: Mapping[str, str], room: int | None = None) -> list[Text]:
        """The links; below each its QR code, if so many lines have room for it (None: any)."""
        out, pen, hidden = list[Text](), self.screen.pen(), False
        links = self._found(tokens)
        for seat, url in links.items():
            out += pen.wrap(f"{self.name_of(seat)} is free. Send this link to a friend:")
            out.append(pen.line(f"  {url}"))
            code = self._code(url)
            if room is None or len(out) + len(code) < room:
                out += code
            else:
                hidden = hidden or bool(code)
        if links and self.only_here:
            out += pen.wrap(ONLY_HERE, "! ")
        return [*out, *(pen.wrap(SHOW_QR) if hidden else [])]

    def _code(self, url: str) -> list[Text]:
        """The QR code of a link; none where the link leads nowhere, or it cannot be drawn."""
        if self.only_here or self.screen.pen().plain or not self.screen.live:
            return []
        code = [Text.from_ansi(line) for line in qr_text(url).splitlines()]
        return code if max(map(len, code)) <= self.screen.console.width else []

    def _found(self, tokens: Mapping[str, str]) -> dict[int, str]:
        """The links by seat: as the server says, which knows how others reach it."""
        if tokens != self._tokens:
            self._tokens = tokens
            try:
                found = self.link.invitations() if tokens else {}
            except BattleboxError:  # it may be away, or older
                found = {}
            self.only_here = self.link.is_here and not found
            own = {int(p): str(self.link.sit(x)) for p, x in tokens.items() if p.isdecimal()}
            self._links = {p: found.get(p, url) for p, url in own.items()}
        return self._links
