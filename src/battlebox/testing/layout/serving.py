"""The server, in a thread of this process, for a page that is looked at."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

from ...server.address import Proxies, Reach
from ...server.clock import ManualClock
from ...server.limits import Limits
from ...server.metrics import Metrics
from ...server.rooms import Rooms
from ...server.serve import HOME, Served, listen, server_of
from ...server.store.sqlite import SqliteStore

T = TypeVar("T")
PATIENCE = 180.0  # seconds: only what hangs takes so long, however busy the machine is
MOMENT = 1.0  # seconds: what is shown a moment later is shown at once


class StillClock(ManualClock):
    """Time stands still: nobody is late, and no countdown ends. Short waits are over at once."""

    async def sleep(self, seconds: float) -> None:
        if seconds > MOMENT:
            await super().sleep(seconds)


class InLoop:
    """A server whose event loop runs in another thread of this process."""

    url: str
    rooms: Rooms
    loop: asyncio.AbstractEventLoop

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Lets the server do it. Its result, or its error."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def at_rest(self, look: Callable[[], T]) -> T:
        """What there is to see between two steps of the server, which could be in one."""

        async def see() -> T:
            return look()

        return self.do(see())


@contextlib.contextmanager
def still_server() -> Iterator[InLoop]:
    """A server with no matches, at which no time passes; they are gone when it ends."""
    with tempfile.TemporaryDirectory(prefix="battlebox-") as data:
        clock, store = StillClock(), SqliteStore(Path(data))
        listener, _ = listen(HOME, 0)
        port = listener.getsockname()[1]
        limits, ready = Limits(idle=1e9, away=1e9), Future[asyncio.AbstractEventLoop]()
        how = Served(set(), Reach(None, None), Proxies([]), limits, Metrics(1), compile=False)
        server = server_of(
            store, lambda: ready.set_result(asyncio.get_running_loop()), how, clock=clock
        )

        def run() -> None:
            try:
                server.run(sockets=[listener])
            except BaseException as e:
                ready.set_exception(e)

        thread = threading.Thread(target=run, name="server")
        thread.start()
        try:
            found = InLoop()
            found.loop, found.rooms = ready.result(PATIENCE), server.rooms
            found.url = f"http://{HOME}:{port}"
            yield found
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
