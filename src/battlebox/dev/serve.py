"""`battlebox dev` as a command: a port of this machine, a browser, and an end."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode

import uvicorn

from ..core.errors import RulesetError
from ..games import find, is_path, packages_in
from ..server.logs import log_to_stderr
from ..server.serve import HOME, end_on_sigterm, listen
from .app import create_app
from .versions import PATIENCE, Versions
from .worker import Load

PORT = 8785  # unless another is asked for; not that of the games' server


def load_of(word: str) -> Load:
    """Which game a word means, without importing what lies in a folder.

    Errors: RulesetError if there is none, or several.
    """
    if not is_path(word):
        return Load(word, find(word).folder.resolve())
    found = packages_in(Path(word))
    if len(found) > 1:
        raise RulesetError(f"{word}: several games; say one of {', '.join(map(str, found))}")
    return Load(str(found[0]), found[0])


def serve(
    word: str,
    options: Sequence[str] = (),
    *,
    seed: int | None = None,
    port: int | None = None,
    browser: bool = True,
    patience: float = PATIENCE,
    say: Callable[[str], None] = print,
    began: Callable[[uvicorn.Server], None] = lambda _: None,
) -> None:
    """Serves a game that is written until Ctrl-C.

    options: with which the page begins. port None: the usual one, or the next that is free.
    patience: seconds that an answer of the game may take. began: is told when it listens.
    Errors: RulesetError if there is no such game; PortTaken.
    """
    load = load_of(word)
    end_on_sigterm()
    log_to_stderr()
    listener, said = listen(HOME, port, PORT)
    if said:
        say(said)
    asked = {"seed": str(seed)} if seed is not None else {}
    asked |= {"options": " ".join(options)} if options else {}
    url = f"http://{HOME}:{listener.getsockname()[1]}/dev"
    url += f"?{urlencode(asked)}" if asked else ""

    def ready(server: uvicorn.Server) -> None:
        say(f"{load.folder.name} is open: {url}")
        say("Save a file, and the page shows it. Press Ctrl-C to stop it.")
        began(server)
        if browser:  # in a thread: some are slow to open, and need the server meanwhile
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    versions = Versions(load, patience)
    config = uvicorn.Config(
        create_app(versions),
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    try:
        _Server(config, versions, ready).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # it has ended cleanly
    finally:
        say("Stopped.")


class _Server(uvicorn.Server):
    """Says when it is ready; lets nobody listen on when it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        versions: Versions,
        ready: Callable[[uvicorn.Server], None],
    ) -> None:
        super().__init__(config)
        self._versions, self._ready = versions, ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready(self)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._versions.close()
        await super().shutdown(sockets)
