"""How much of everything the server takes, so that no client can use it up."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

from .clock import REAL, Clock

# of connections, in bytes
HEAD = 16_000  # a request's first line and headers
HEAD_OF_SOCKET, HEADERS_OF_SOCKET = 8_000, 100  # the WebSocket library has no answer beyond
UNREAD = 4_000_000  # what waits for a client to read it
RATE = 200_000  # a second in a socket, pings and all; ten seconds of that at once


@dataclass(frozen=True)
class Limits:
    """Bounds. Sizes in bytes, times in seconds."""

    body: int = 200_000  # of a request: a deck is the largest thing in one
    message: int = 4_000  # of a message in a socket
    messages_per_second: float = 20
    burst: int = 60  # messages that may come at once
    hello: float = 10  # until a socket must have said who it is
    sockets: int = 5_000
    sockets_per_address: int = 500  # those at this machine have no bound
    sockets_per_match: int = 200
    entries: int = 20_000  # of a match's log; then players can only give up
    matches_per_minute: float = 60  # made by one address; those at this machine have no bound
    matches_under_way: int = 100  # of those made by one address and in memory, not over
    live_matches: int = 2_000  # in memory; the others are read again from the log
    idle: float = 900  # until a match that nobody watches leaves the memory
    keep: float = math.inf  # since its last entry, until a match is deleted
    #: for which all wait, asked or not; alone among bots a quarter, and ten minutes for an answer
    response_window: float = 8
    reviews: int = 8  # at once, of matches that are over: one is found out, the others wait
    reviews_kept: int = 20_000_000  # bytes of those that need not be found out again
    linger: float = 60  # for which bots still think when nobody looks any more
    decision: float = 30  # for one of a bot; then it plays at random
    away: float = 30  # until a bot plays for who has left a game that does not wait


class Bucket:
    """Lets so many through a second, and a burst of them at once."""

    def __init__(self, rate: float, burst: float, clock: Clock = REAL) -> None:
        self.rate, self.burst, self.clock = rate, burst, clock
        self.left, self.at = burst, clock.now()

    def take(self, n: float = 1) -> bool:
        """Whether so many more may pass now."""
        now = self.clock.now()
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < n:
            return False
        self.left -= n
        return True


class Buckets:
    """A bucket for each address, the latest thousand of them."""

    def __init__(self, rate: float, burst: float, clock: Clock = REAL, most: int = 1000) -> None:
        self.rate, self.burst, self.clock, self.most = rate, burst, clock, most
        self._all: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether this address may do it once more now."""
        bucket = self._all.pop(address, None) or Bucket(self.rate, self.burst, self.clock)
        self._all[address] = bucket
        if len(self._all) > self.most:
            self._all.popitem(last=False)
        return bucket.take()
