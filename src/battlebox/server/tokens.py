"""Tokens: who knows one has the seat, or the invitation to it. Nothing of them is kept on disk."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from typing import NamedTuple

from .session import BOT, OPEN, PERSON, Refused, Session

SEAT, INVITATION = "seat", "invitation"


class Access(NamedTuple):
    """What a token gives access to. seat None: what spectators see; invited: a seat to take."""

    seat: int | None = None
    invited: int | None = None


class Tokens:
    """The tokens of all matches of a store, derived from its key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seat_token(self, match: str, seat: int) -> str:
        """The secret of a seat: its bearer plays there."""
        return self._derive(SEAT, match, seat)

    def invitation(self, match: str, seat: int) -> str:
        """The secret that lets its bearer take an open seat, once."""
        return self._derive(INVITATION, match, seat)

    def _derive(self, sort: str, match: str, seat: int) -> str:
        digest = hmac.digest(self._key, f"{sort} {match} {seat}".encode(), "sha256")
        return urlsafe_b64encode(digest[:24]).decode()

    def access(self, session: Session, token: str | None) -> Access:
        """What a token gives access to. Errors: Refused, if it belongs to no seat.

        An invitation shows what spectators see, and lets its bearer take the seat. The token they
        get then is another one, which nobody who knew the invitation knows.
        """
        if token is None:
            return Access()
        for p, seat in enumerate(session.seats):
            if self._is(token, self.seat_token(session.setup.id, p)):
                return Access(p if seat.kind == PERSON else None)
            if self._is(token, self.invitation(session.setup.id, p)):
                return Access(None, p if seat.kind != BOT else None)
        raise Refused("bad_token", "This link does not belong to a seat of this match.")

    @staticmethod
    def _is(token: str, secret: str) -> bool:
        """It takes as long to find out that it is not."""
        return hmac.compare_digest(secret.encode(), token.encode())

    def invitations(self, session: Session, seat: int | None) -> dict[int, str]:
        """The invitations that this seat may give away: the host's, to all open seats."""
        hosting = seat is not None and seat == session.host
        free = [p for p, x in enumerate(session.seats) if x.kind == OPEN] if hosting else []
        return {p: self.invitation(session.setup.id, p) for p in free}

    def open_invitation(self, session: Session) -> tuple[int, str]:
        """The first open seat, and the invitation to it, for anyone who knows the match's id.

        Errors: Refused, if there is none.
        """
        if (seat := session.free_seat) is None:
            raise Refused("taken", "No seat of this match is open; you can watch it.")
        return seat, self.invitation(session.setup.id, seat)
