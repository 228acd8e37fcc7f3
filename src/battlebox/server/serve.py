"""The server as a command: a folder, a port, a browser, and an end."""

from __future__ import annotations

import contextlib
import errno
import gc
import json
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn
from platformdirs import user_data_path

from ..core.errors import BattleboxError
from ..games import faults
from ..links import is_here, qr_text
from .address import ANYWHERE, Proxies, Reach, network_address, read_public_url
from .app import create_app
from .clock import REAL, Clock
from .limits import Limits
from .logs import LogFormat, log_to_stderr, read_log_format
from .metrics import Metrics
from .protocols import Http, WebSocket
from .rooms import DAY, Rooms
from .store import InUse, Store, StoreError
from .store.base import NO_DRIVER, SCHEMES
from .store.sqlite import SqliteStore
from .supervise import check as check_workers
from .supervise import supervise

PORT = 8765
MOST_DAYS = 36_500  # that one can say matches are kept for
TRIES = 20  # ports after the usual one
HOME = "127.0.0.1"
NOTE = "serving.json"  # where the server that uses a folder can be found


class PortTaken(BattleboxError):
    """The port that was asked for is not free."""


log = logging.getLogger("battlebox")


class Served(NamedTuple):
    """How a server is seen from outside, and what it lets others do."""

    names: set[str]  # of hosts that it answers to
    reach: Reach  # how others come to it
    proxies: Proxies
    limits: Limits
    metrics: Metrics
    compile: bool
    log_format: LogFormat = "text"


def folder() -> Path:
    """Where matches are kept unless a path is given."""
    return user_data_path("battlebox") / "server"


def _print(text: str) -> None:
    """At once: who reads it through a pipe waits for it."""
    print(text, flush=True)


def serve(
    *,
    host: str = HOME,
    port: int | None = None,
    lan: bool = False,
    data: Path | None = None,
    database: str = "",
    browser: bool = True,
    public_url: str = "",
    trusted_proxy: str = "",
    workers: int = 1,
    keep_days: int | None = None,
    compile: bool = True,
    log_format: str = "text",
    say: Callable[[str], None] = _print,
) -> None:
    """Serves until Ctrl-C.

    port None: the usual one, or the next that is free. lan: the local network reaches it, and the
    terminal shows how, also by a QR code. public_url: the address that others use, if it is not
    this machine's. trusted_proxy: addresses and networks, with commas between them,
    whose forwarded headers are believed. database: the URL of a PostgreSQL database, which other
    nodes may use as well; empty: matches are in the folder. workers: processes, each of which is a
    node of the database. keep_days: matches in which nothing has happened for so long are deleted;
    None: none is. compile: bots are made ready before anybody asks for one. log_format: of the
    lines on stderr, text or json. Errors: PortTaken; BattleboxError: an option is wrong, the folder
    cannot be used, or another server uses it.
    """
    lines = read_log_format(log_format)
    end_on_sigterm()
    log_to_stderr(lines)
    for fault in faults():
        log.warning("A game is left out. %s", fault)
    check_workers(workers, database)
    if lan and host != HOME:
        raise BattleboxError(f"--lan and --host {host}: give one of them")
    host = ANYWHERE[0] if lan else host
    limits = _limits(keep_days)
    public = read_public_url(public_url) if public_url else None
    proxies = Proxies(trusted_proxy.split(",") if trusted_proxy else [], public=bool(public))
    note = None if database else (data or folder()) / NOTE
    store = open_store(database, data or folder())
    try:
        listener, said = listen(host, port)
    except BattleboxError:
        store.close()
        raise
    if said:
        say(said)
    port = listener.getsockname()[1]
    shown = HOME if host in ANYWHERE else host
    url = str(public or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/")
    reach = Reach(public, None if is_here(host) else port)
    how = Served({host.lower()} - {""}, reach, proxies, limits, Metrics(workers), compile, lines)
    ready = partial(_ready, url, reach, browser, say)
    if note:
        note.write_text(json.dumps({"url": url, "pid": os.getpid()}))
    try:
        if workers == 1:
            _serve_here(store, listener, ready, how)
        else:
            store.close()  # it could be opened: from here on the processes have it
            with listener:
                work = partial(_work, workers, database, listener, how)
                supervise(workers, work, ready=ready, say=log.warning)
    except KeyboardInterrupt:
        pass  # it has ended cleanly
    finally:
        if note:
            note.unlink(missing_ok=True)
        say("Stopped. All matches are saved.")


def open_store(database: str, data: Path) -> Store:
    """The matches of a database, or of a folder. Errors: StoreError."""
    if database:
        return postgres_store(database)
    try:
        return SqliteStore(data)
    except InUse as e:
        raise StoreError(f"{e}{_where_else(data)}") from None


def postgres_store(database: str) -> Store:
    """The matches of a PostgreSQL database. Errors: StoreError; BattleboxError."""
    if not database.startswith(SCHEMES):
        raise BattleboxError(  # nothing of it is shown: it may hold a password
            "--database: give postgresql://USER:PASSWORD@HOST:PORT/NAME; without it, matches are "
            "in a folder"
        )
    try:
        from .store.postgres import PostgresStore
    except ImportError:
        raise BattleboxError(f"--database: {NO_DRIVER}") from None
    return PostgresStore(database)


def _limits(keep_days: int | None) -> Limits:
    """Errors: BattleboxError, if matches cannot be kept for so many days."""
    if keep_days is None:
        return Limits()
    if not 1 <= keep_days <= MOST_DAYS:
        raise BattleboxError(
            f"--keep {keep_days}: give a number of days, 1 .. {MOST_DAYS}; without --keep, matches "
            "are kept for ever"
        )
    return replace(Limits(), keep=keep_days * DAY)


def end_on_sigterm() -> None:
    """The signal by which systems end a service does what Ctrl-C does."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def _work(
    workers: int,
    database: str,
    listener: socket.socket,
    how: Served,
    k: int,
    started: Callable[[], None],
) -> None:
    """One of the processes."""
    log_to_stderr(how.log_format)
    _settle_down(k, workers)
    _serve_here(postgres_store(database), listener, started, how, k, workers)


def _settle_down(k: int, workers: int) -> None:
    """Keeps to some of the processors, where the system lets one choose: their caches stay."""
    if hasattr(os, "sched_setaffinity"):
        all_ = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, all_[k::workers] or {all_[k % len(all_)]})


def allow_sockets() -> None:
    """As many open files as the system lets this process have: every player is one."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # Windows has no such bound
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _serve_here(
    store: Store,
    listener: socket.socket,
    ready: Callable[[], None],
    how: Served,
    process: int = 0,
    processes: int = 1,
) -> None:
    """Serves in this process, which is one of so many."""
    log_to_stderr(how.log_format, store.node)
    server = server_of(store, ready, how, process=process, processes=processes)
    allow_sockets()
    gc.freeze()  # what is here now stays: it need not be looked through again and again
    gc.set_threshold(50_000, 20, 50)
    server.run(sockets=[listener])


def server_of(
    store: Store,
    ready: Callable[[], None],
    how: Served,
    clock: Clock = REAL,
    process: int = 0,
    processes: int = 1,
) -> Server:
    """A server of this process, one of so many, that does not run yet. ready: is called when it
    listens.
    """
    app = create_app(
        store,
        limits=how.limits,
        names=how.names,
        reach=how.reach,
        proxies=how.proxies,
        metrics=how.metrics,
        threads=max(1, ((os.cpu_count() or 2) - 1) // processes),
        process=process,
        compile=how.compile,
        clock=clock,
    )
    folder = how.reach.public.folder if how.reach.public else ""
    bounds = {"patience": how.limits.hello, "folder": folder.encode()}
    config = uvicorn.Config(
        app,
        http=type("Http", (Http,), bounds),
        ws=WebSocket,
        log_config=None,  # see logs.py
        access_log=False,  # no token can be in an address, and none is ever written down
        proxy_headers=False,  # the security middleware reads them
        root_path=folder,
        server_header=False,
        ws_max_size=4 * how.limits.message,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    return Server(config, ready)


class Server(uvicorn.Server):
    """Says when it is ready."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @property
    def rooms(self) -> Rooms:
        """All its matches."""
        return cast(Rooms, cast(Any, self.config.app).state.rooms)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        cast(Any, self.config.app).state.status = "stopping"
        for server in self.servers:  # who comes back finds another node
            server.close()
        await self.rooms.send_away()
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()


def _ready(url: str, reach: Reach, browser: bool, say: Callable[[str], None]) -> None:
    say(f"battlebox is ready: {url}")
    if reach.port and not reach.public:
        if address := network_address():
            there = f"http://{address}:{reach.port}/"
            say(f"Others in your network can open {there}")
            if _at_terminal():
                say(qr_text(there))
        else:
            say(f"This machine seems to be offline; nobody else can reach port {reach.port}.")
    say("Press Ctrl-C to stop it.")
    if browser:  # in a thread: some are slow to open, and need the server meanwhile
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _at_terminal() -> bool:
    """Whether a person reads what is said, on a screen that can show blocks."""
    return sys.stdout.isatty() and (sys.stdout.encoding or "").lower().startswith("utf")


def listen(host: str, port: int | None, usual: int = PORT) -> tuple[socket.socket, str]:
    """A socket that listens, and what is to be said about its port. port None: the usual one, or
    the next that is free.

    Errors: PortTaken; BattleboxError, if one cannot listen there.
    """
    first = usual if port is None else port
    for n in range(first, min(first + TRIES, 65536)):
        try:
            return _bind(host, n), f"Port {first} is taken; using port {n}." if n != first else ""
        except PermissionError:
            raise BattleboxError(f"port {n}: not allowed here; use 1024 or higher") from None
        except OverflowError:
            raise BattleboxError(f"port {n}: ports are 0 .. 65535") from None
        except socket.gaierror as e:
            raise BattleboxError(f"--host {host}: {e.strerror}") from None
        except OSError as e:
            if e.errno != errno.EADDRINUSE:
                raise BattleboxError(f"--host {host}: {e.strerror}") from None
        if port is not None:
            free = _free_after(host, port)
            hint = f"; {free} is free" if free else ""
            raise PortTaken(f"port {port} is taken{hint}: say --port {free or 0}")
    raise PortTaken(f"ports {first} .. {first + TRIES - 1} are all taken: say --port N")


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    s = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":  # elsewhere it would share the port with somebody else
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        s.bind((host, port))
        s.listen(2048)
    except BaseException:
        s.close()
        raise
    return s


def _free_after(host: str, port: int) -> int | None:
    for n in range(port + 1, min(port + TRIES, 65536)):
        try:
            _bind(host, n).close()
        except OSError:
            continue
        return n
    return None


def _where_else(data: Path) -> str:
    """Where the other server is, if it has left a note."""
    try:
        note: Any = json.loads((data / NOTE).read_text())
        return f": open {note['url']}, or serve other matches with --data PATH"
    except (OSError, ValueError, KeyError, TypeError):
        return ": stop that one, or serve other matches with --data PATH"
