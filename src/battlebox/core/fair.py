"""Fair chance: every outcome derives from a secret that was committed to before the match began.

Who runs a match publishes `commitment(secret)` first. Outcome number k (0, 1, ...) is drawn from
HMAC-SHA-256 under the secret; when the match is over the secret is shown, and anybody can draw
all outcomes again. Neither the house nor a player can choose one.

The words of outcome k are the 64-bit big-endian numbers in HMAC(secret, "k:0"), HMAC(secret,
"k:1") and so on. A number 0 .. n-1 is the next word below the last whole multiple of n, modulo n;
a shuffle is Fisher and Yates from the last card down.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator

from .errors import RecordError

SECRET = 32  # bytes


def new_secret() -> bytes:
    """A secret that nobody can guess."""
    return secrets.token_bytes(SECRET)


def commitment(secret: bytes) -> str:
    """What is published before the match: the SHA-256 of the secret, in hex."""
    return hashlib.sha256(secret).hexdigest()


def read_hex(text: str, what: str) -> bytes:
    """A secret or a commitment from its text. Errors: RecordError."""
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SECRET}}}", text):
        raise RecordError(f"{what} {text!r}: it would be {2 * SECRET} digits 0-9 a-f")
    return bytes.fromhex(text)


class Fair:
    """The outcomes that follow from a secret: a `ChanceSource` for `Match`."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        #: the outcomes so far, as a record has them: "1..20=17", "4!=2,0,1,3"
        self.outcomes: list[str] = []

    # ---- as the rules ask ----
    def number(self, low: int, high: int) -> int:
        x = low + _below(self._words(), high - low + 1)
        self.outcomes.append(f"{low}..{high}={x}")
        return x

    def one_of(self, values: list[int]) -> int:
        return values[self.number(0, len(values) - 1)]

    def order(self, values: list[int]) -> list[int]:
        words, places = self._words(), list(range(len(values)))
        for i in range(len(places) - 1, 0, -1):
            j = _below(words, i + 1)
            places[i], places[j] = places[j], places[i]
        self.outcomes.append(f"{len(places)}!={','.join(map(str, places))}")
        return [values[k] for k in places]

    # ---- as a match asks ----
    @property
    def count(self) -> int:
        return len(self.outcomes)

    def rewind(self, count: int) -> None:
        del self.outcomes[count:]

    def fresh_copy(self) -> Fair:
        return Fair(self.secret)

    def _words(self) -> Iterator[int]:
        """The words of the next outcome."""
        j = 0
        while True:
            block = hmac.digest(self.secret, f"{self.count}:{j}".encode(), "sha256")
            for i in range(0, len(block), 8):
                yield int.from_bytes(block[i : i + 8], "big")
            j += 1


def _below(words: Iterator[int], n: int) -> int:
    """A number 0 .. n-1, each exactly as likely: what lies past the last whole n is passed over."""
    fair = 2**64 - 2**64 % n
    return next(w for w in words if w < fair) % n
