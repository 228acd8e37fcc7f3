"""Addresses: the one under which others reach this server, and those from which they ask.

Behind a proxy both differ from what the machine sees. What a proxy says of them is believed only
where the command line names it as trusted.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from ..core.errors import BattleboxError
from ..links import is_here

EXAMPLE = "https://example.org/games/"
PORTS = {"http": 80, "https": 443}
OURS = ("api", "match", "replay", "rules", "web")  # folders of this server's own
ANYWHERE = ("0.0.0.0", "::")  # to listen at; no address to go to
HOUSEHOLD = 64  # bits that the IPv6 addresses of one household share
SOCKETS = {"http": "ws", "https": "wss"}
ASKER = "battlebox.asker"  # the key of a request's scope

Address = IPv4Address | IPv6Address


class Contradiction(BattleboxError):
    """A proxy says two things at once about where a request comes from."""


# ---- the address of this server -----------------------------------------------------------------
@dataclass(frozen=True)
class PublicUrl:
    """The address by which others reach this server. `folder`: "" or "/games"."""

    scheme: str
    host: str  # as in a Host header, without the port
    port: int | None
    folder: str

    @property
    def origin(self) -> str:
        """As browsers write it: without the port that goes without saying."""
        usual = self.port in (None, PORTS[self.scheme])
        return f"{self.scheme}://{self.host}" + ("" if usual else f":{self.port}")

    @property
    def name(self) -> str:
        """The host name or address, without brackets."""
        return self.host.strip("[]")

    def __str__(self) -> str:
        return f"{self.origin}{self.folder}/"


def read_public_url(text: str) -> PublicUrl:
    """What --public-url says. Errors: BattleboxError says what to write instead."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as e:
        raise _wrong(text, f"{e}") from None
    if why := _why_not(text, parts, port):
        raise _wrong(text, why)
    host = (parts.hostname or "").lower()
    written = f"[{host}]" if ":" in host else host
    return PublicUrl(parts.scheme, written, port, parts.path.rstrip("/"))


def _wrong(text: str, why: str) -> BattleboxError:
    return BattleboxError(f"--public-url {text}: {why}; write an address such as {EXAMPLE}")


def _why_not(text: str, parts: SplitResult, port: int | None) -> str:
    """Why others cannot reach a server by this address; empty: they can."""
    host = parts.hostname or ""
    if not text.isascii() or not text.isprintable() or " " in text:
        return "it has characters that are not allowed in an address"
    if parts.scheme not in PORTS:
        return "it has to begin with http:// or https://"
    if not host:
        return "it names no host"
    if "@" in parts.netloc:
        return "it must not hold a user's name"
    if "?" in text or "#" in text:
        return "it must not have a ? or a #"
    if port == 0 or parts.netloc.endswith(":"):
        return "its port has to be 1 .. 65535"
    if ":" not in host and not re.fullmatch(r"[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?", host):
        return f"{host!r} is not a host name"
    segments = parts.path.rstrip("/").split("/")[1:]
    if not all(re.fullmatch(r"[A-Za-z0-9_~-][A-Za-z0-9_.~-]*", x) for x in segments):
        return "its folders may have letters, digits and _ . ~ - in their names"
    if segments and segments[0] in OURS:
        return f"its first folder must not be called {segments[0]}, as one of this server's own is"
    return ""


# ---- links for others ----------------------------------------------------------------------------
@dataclass(frozen=True)
class Reach:
    """How others come to this server.

    public: the address that was said to be the one. port: at which the network reaches it; None:
    it listens to this machine alone.
    """

    public: PublicUrl | None = None
    port: int | None = None

    def base(self, scope: Scope) -> str | None:
        """What links for others begin with, as this request has come; None: every link would work
        on this machine only.
        """
        if self.public:
            return str(self.public)
        host = Headers(scope=scope).get("host", "")
        name = urlsplit(f"//{host}").hostname or ""
        if not is_here(name) and name not in ANYWHERE:
            return f"{scope['scheme']}://{host}/"
        address = network_address() if self.port else ""
        return f"http://{address}:{self.port}/" if address else None


def network_address() -> str:
    """An address of this machine in its network; "": it is in none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        found = str(s.getsockname()[0])
        return "" if is_here(found) else found


# ---- the addresses of those who ask --------------------------------------------------------------
class Proxies:
    """The proxies whose word is believed."""

    def __init__(self, networks: Sequence[str] = (), *, public: bool = False) -> None:
        """networks: addresses (10.0.0.1) and networks (10.0.0.0/8). public: others come through a
        proxy, whether its word is believed or not. Errors: BattleboxError.
        """
        self._public, self._trusted = public, []
        for text in networks:
            try:
                self._trusted.append(ipaddress.ip_network(text.strip()))
            except ValueError as e:
                raise BattleboxError(
                    f"--trusted-proxy {text}: {e}; write addresses or networks with commas, "
                    "such as 127.0.0.1,10.0.0.0/8"
                ) from None

    def trusts(self, address: Address) -> bool:
        """Whether it is a proxy whose word is believed."""
        return any(address in x for x in self._trusted)

    def believe(self, scope: Scope, headers: Headers) -> bool:
        """Puts into a request where it comes from, and by which scheme: as a trusted proxy says,
        if one hands it over. Gives whether the scheme is known so.

        Where several proxies stand in a row, the last address that is not a trusted proxy counts:
        the sender can write anything before it. Errors: Contradiction.
        """
        host, port = scope.get("client") or ("", 0)
        peer = _address(host)
        if peer is None or not self.trusts(peer):
            scope[ASKER] = _household(peer) if peer else ""
            handed_over = self._public or "x-forwarded-for" in headers or "forwarded" in headers
            if peer and peer.is_loopback and not handed_over:
                scope[ASKER] = None
            return False
        hops, scheme = _forwarded(headers)
        sender = self._sender([peer, *hops])
        scope["client"], scope[ASKER] = (str(sender), port), _household(sender)
        if scheme not in PORTS:
            return False
        scope["scheme"] = SOCKETS[scheme] if scope["type"] == "websocket" else scheme
        return True

    def _sender(self, hops: Sequence[Address | None]) -> Address:
        """The first of these hops, the nearest first, that is not trusted."""
        sender = hops[0]
        assert sender is not None
        for hop in hops[1:]:
            if hop is None or not self.trusts(sender):
                break
            sender = hop
        return sender


def asker(scope: Scope) -> str | None:
    """Whom limits count for a request or socket that has passed the guard: an address, or in IPv6
    the network of one household. None: people at this machine, to whom none apply.
    """
    found: str | None = scope[ASKER]
    return found


def _household(address: Address) -> str:
    if isinstance(address, IPv6Address):
        return str(ipaddress.ip_network((int(address), HOUSEHOLD), strict=False))
    return str(address)


def _address(text: str) -> Address | None:
    """An address as headers have it, perhaps with a port; None: it is none."""
    found = re.fullmatch(r"\[([^\]]+)\](?::\w+)?|([0-9.]+)(?::\w+)?|([0-9A-Fa-f:.]+)", text.strip())
    if found is None:
        return None
    try:
        address = ipaddress.ip_address(found[1] or found[2] or found[3])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _forwarded(headers: Headers) -> tuple[list[Address | None], str]:
    """The hops that a proxy tells of, the nearest first, and the scheme by which it was asked."""
    hops = [_address(x) for x in _listed(headers, "x-forwarded-for")][::-1]
    scheme = next(iter(_listed(headers, "x-forwarded-proto")[::-1]), "").lower()
    elements = [dict(_pairs(x)) for x in _listed(headers, "forwarded")][::-1]
    if not elements:
        return hops, scheme
    others = [_address(x.get("for", "")) for x in elements]
    if hops and hops != others:  # one of them may be made up by the sender
        raise Contradiction("The proxy sends X-Forwarded-For and Forwarded: let it drop one.")
    return others, elements[0].get("proto", scheme).lower()


def _listed(headers: Headers, name: str) -> list[str]:
    return [x.strip() for text in headers.getlist(name) for x in text.split(",")]


def _pairs(element: str) -> Iterator[tuple[str, str]]:
    for pair in element.split(";"):
        name, _, value = pair.partition("=")
        yield name.strip().lower(), value.strip().strip('"')
