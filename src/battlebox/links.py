"""Links that are given to others: whether they lead anywhere but here, and as QR codes."""

from __future__ import annotations

import io
import ipaddress


def is_here(host: str) -> bool:
    """Whether a host name or address leads from every machine to itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost" or host.lower().endswith(".localhost")


def qr_picture(url: str) -> str:
    """A link as a QR code, the address of a picture: black on white whatever the page's colours."""
    import segno

    return segno.make(url, micro=False).svg_data_uri(border=2, light="#fff")


def qr_text(url: str) -> str:
    """A link as a QR code for a terminal, white on black whatever its colours are."""
    import segno

    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, border=2, compact=True)
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in out.getvalue().splitlines())
