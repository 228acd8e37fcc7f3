"""Which process plays which matches, and how visitors get to the right one.

Where several processes serve one folder, each has a shard of the matches, told by their ids. All
of them accept connections. A request about a match of another process is handed over there with
its connection, before anything is done about it; who asked does not notice.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from ..protocol.messages import ID

PATH = re.compile(rf"/api/matches/({ID})(?=[/?]|$)".encode())
PATIENCE = 2.0  # seconds that a process waits for another
MOST = 1 << 17  # bytes of a request that are handed over: more than can come before it is seen


class Shard(NamedTuple):
    """The part of the matches that a process has: part `at` of `of`."""

    at: int = 0
    of: int = 1

    def owner(self, id: str) -> int:
        """Whose match it is."""
        return crc32(id.encode()) % self.of

    def new_id(self) -> str:
        """An id for a new match of this shard."""
        while self.owner(id := secrets.token_urlsafe(9)) != self.at:
            pass
        return id


class HandOff:
    """The way of connections from process to process: a Unix socket of each, in one folder."""

    def __init__(self, folder: Path, shard: Shard) -> None:
        self.folder, self.shard = folder, shard

    def elsewhere(self, path: bytes) -> int | None:
        """The process that a request is to go to; None: it may stay."""
        found = PATH.match(path)
        owner = self.shard.owner(found[1].decode()) if found else self.shard.at
        return None if owner == self.shard.at else owner

    def give(self, to: int, connection: int, came: bytes) -> bool:
        """Hands over a connection (a file number) and what has been read of its request.

        False: there is nobody at the other end.
        """
        try:
            with socket.socket(socket.AF_UNIX) as s:
                s.settimeout(PATIENCE)
                s.connect(str(self.folder / str(to)))
                sent = socket.send_fds(s, [came], [connection])
                s.sendall(came[sent:])
        except OSError:
            return False
        return True

    def open(self, take: Callable[[socket.socket, bytes], object]) -> None:
        """From now on calls `take`, in a thread of its own, with what is handed over."""
        path = self.folder / str(self.shard.at)
        path.unlink(missing_ok=True)  # of a process that was killed
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen(1024)
        threading.Thread(
            target=self._accept, args=(listener, take), name="hand-off", daemon=True
        ).start()

    def _accept(
        self, listener: socket.socket, take: Callable[[socket.socket, bytes], object]
    ) -> None:
        while True:
            other, _ = listener.accept()
            with other:
                other.settimeout(PATIENCE)
                given = list[int]()
                try:
                    came, given, _flags, _address = socket.recv_fds(other, MOST, 1)
                    while more := other.recv(MOST):
                        came += more
                    connection = socket.socket(fileno=given[0])
                except (OSError, IndexError):  # who gave it was killed meanwhile
                    for x in given:
                        os.close(x)
                    continue
            connection.setblocking(False)
            with contextlib.suppress(RuntimeError):  # this process is about to end
                take(connection, came)
