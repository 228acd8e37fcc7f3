"""What a seat has seen and done so far (perfect recall), as one short digest.

What a seat cannot tell apart has the same digest; what it could tell apart at any time has another.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple


class Recollection(NamedTuple):
    """What a seat knows at a decision, as digests; and what it then does itself, if it decides."""

    known: bytes = b""
    seen: bytes = b""
    action: int | None = None

    def then(self, observation: bytes, action: int | None = None) -> Recollection:
        """What it knows at the next one. What it could not notice, because it sees the same,
        changes nothing.
        """
        seen, known = _digest(observation), self.known
        if self.action is not None:
            known = _digest(known + self.action.to_bytes(2, "little"))
        elif seen == self.seen:
            return self._replace(action=action)
        return Recollection(_digest(known + seen), seen, action)


NOTHING = Recollection()  # before the first decision


def _digest(what: bytes) -> bytes:
    return hashlib.blake2b(what, digest_size=16).digest()
