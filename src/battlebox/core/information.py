"""What a seat has seen and done so far (perfect recall), as one short digest.

What a seat cannot tell apart has the same digest; what it could tell apart at any time has another.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple


def recalled(known: bytes, seen: bytes, seen_before: bytes | None, action: int | None) -> bytes:
    """The digest after another decision.

    known: that of before, at first empty; seen: the observation now; seen_before: that of before;
    action: the seat's own, if it was the one who decided. What it could not notice, because it sees
    the same, changes nothing.
    """
    if action is not None:
        known = _digest(known + action.to_bytes(2, "little"))
    elif seen == seen_before:
        return known
    return _digest(known + seen)


class Recollection(NamedTuple):
    """What a seat knows at a decision: the digest, what it sees, and what it then does itself."""

    known: bytes
    seen: bytes | None
    action: int | None

    def then(self, seen: bytes, action: int | None = None) -> Recollection:
        """What it knows at the next one."""
        return Recollection(recalled(self.known, seen, self.seen, self.action), seen, action)


NOTHING = Recollection(b"", None, None)  # before the first decision


def _digest(what: bytes) -> bytes:
    return hashlib.blake2b(what, digest_size=16).digest()
