"""The versions of a game: its files are watched, and each version runs in a process of its own.

A process that has imported everything but a game waits in reserve, so that a saved file is on the
page in a moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel
from watchfiles import Change, DefaultFilter, awatch

from .messages import CheckFailure, Checks, Fault, GameInfo, Status
from .worker import Load, run, where_it_was

PATIENCE = 10.0  # seconds for an answer; a check of a whole game takes less on a slow machine
LOOKS = "theme"  # the folder of a game's looks, which the page itself loads
STEP, DEBOUNCE = 40, 400  # ms: files that are saved so soon after each other are one version


class Gone(Exception):
    """The process has ended."""


class Answered(NamedTuple):
    """What a version has answered."""

    version: int
    answer: BaseModel


class GameProcess:
    """A process for one version of a game."""

    def __init__(self, folder: Path, patience: float) -> None:
        self.folder = folder
        spawn = multiprocessing.get_context("spawn")
        with tempfile.NamedTemporaryFile(prefix="battlebox-dev-", delete=False) as log:
            self._log = Path(log.name)
        self._connection, theirs = spawn.Pipe()
        self._process = spawn.Process(
            target=run, args=(theirs, str(self._log), patience), daemon=True
        )
        self._process.start()
        theirs.close()
        self._lock = asyncio.Lock()

    async def ask(self, request: Any) -> Any:
        """The answer to a request. Errors: Gone."""

        async def exchange() -> Any:
            async with self._lock:
                self.send(request)
                return await self.hear()

        whole = asyncio.ensure_future(exchange())  # or its answer would be taken for the next one
        whole.add_done_callback(lambda x: x.cancelled() or x.exception())
        return await asyncio.shield(whole)

    def send(self, request: Any) -> None:
        """Asks something. Errors: Gone."""
        try:
            self._connection.send(request)
        except (OSError, ValueError) as e:
            raise Gone from e

    async def hear(self) -> Any:
        """What it says next. Errors: Gone."""
        try:
            return await asyncio.to_thread(self._connection.recv)
        except (EOFError, OSError, TypeError) as e:  # also: closed while one listened
            raise Gone from e

    def why_gone(self) -> Fault:
        """What to say of its end."""
        self._process.join()
        return where_it_was(self._log, self.folder)

    def end(self) -> None:
        """Ends it, whatever it does."""
        self._process.kill()
        self._process.join()
        self._connection.close()
        self._log.unlink(missing_ok=True)


class _Files(DefaultFilter):
    """What belongs to a game: not what Python and editors leave beside it."""

    def __call__(self, change: Change, path: str) -> bool:
        """Whether a change of this file is a new version."""
        return super().__call__(change, path) and Path(path).suffix != ".pyc"


class Versions:
    """The game in a folder, always its present version. For use in one event loop."""

    def __init__(
        self,
        load: Load,
        patience: float = PATIENCE,
        make: Callable[[Path, float], GameProcess] = GameProcess,
    ) -> None:
        self.load, self.patience, self._make = load, patience, make
        self.status = Status()
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()
        self._process: GameProcess | None = None
        self._spare: GameProcess | None = None
        self._checking: GameProcess | None = None
        self._checks_again = False  # after the next save that loads
        self._tasks = set[asyncio.Task[None]]()

    # ---- what happens ----
    def start(self) -> None:
        """Loads the game, and watches its files."""
        self._begin(self._watch())
        self.renew()

    def close(self) -> None:
        """Ends all processes; those who listen hear no more."""
        self._closing.set()
        self._tell()
        for task in [*self._tasks]:
            task.cancel()
        for process in (self._process, self._spare, self._checking):
            if process is not None:
                process.end()
        self._process = self._spare = self._checking = None

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch(self) -> None:
        looks = self.load.folder / LOOKS
        watched = awatch(
            self.load.folder,
            watch_filter=_Files(),
            stop_event=self._closing,
            step=STEP,
            debounce=DEBOUNCE,
        )
        async for changes in watched:
            if all(Path(path).is_relative_to(looks) for _, path in changes):
                self.status.looks += 1
                self._tell()
            else:
                self.renew()

    def renew(self) -> None:
        """A new version: the process of the one before ends, even if it is still loading."""
        self.status.version += 1
        self._end_checks()
        self._replace()

    def _replace(self) -> None:
        """Loads the present version into a new process."""
        if self._process is not None:
            self._process.end()
        self._process = process = self._take()
        self.status.state, self.status.fault = "loading", None
        self._tell()
        self._begin(self._load_into(process))

    def _take(self) -> GameProcess:
        """The process in reserve, or a new one."""
        found, self._spare = self._spare, None
        return found or self._make(self.load.folder, self.patience)

    async def _load_into(self, process: GameProcess) -> None:
        try:
            found = await process.ask(self.load)
        except Gone:
            found = None
        if self._process is not process:
            return  # another version has come meanwhile
        if found is None:
            found = process.why_gone()
        if isinstance(found, GameInfo):
            self.status.state, self.status.game = "ready", found
        else:
            self.status.state, self.status.fault = "broken", found
        self._tell()
        if self._closing.is_set():
            return
        checks = self.status.checks
        is_new = checks.state != "running" and checks.version != self.status.version
        if self._checks_again and is_new and isinstance(found, GameInfo):
            self.check()
        if self._spare is None:
            self._spare = self._make(self.load.folder, self.patience)

    # ---- what is told ----
    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    async def statuses(self) -> AsyncIterator[Status]:
        """The status, and again whenever it has changed."""
        while not self._closing.is_set():
            changed = self._changed
            yield self.status
            await changed.wait()

    async def ask(self, request: BaseModel) -> Answered:
        """The answer of the present version; of a broken one, what is wrong with it."""
        while True:
            while self.status.state == "loading" and not self._closing.is_set():
                await self._changed.wait()
            process, version = self._process, self.status.version
            if self.status.fault is not None or process is None:
                return Answered(version, self.status.fault or Fault(what="The server is ending."))
            try:
                return Answered(version, await process.ask(request))
            except Gone:
                if process is self._process:
                    fault = process.why_gone()
                    self._replace()
                    return Answered(version, fault)

    # ---- checks ----
    def check(self) -> None:
        """Runs all checks of the present version, and then those of each that loads."""
        self._end_checks()
        self._checks_again = True
        self._checking = process = self._take()
        self.status.checks = Checks(state="running", version=self.status.version)
        self._tell()
        self._begin(self._check_in(process, self.status.version))

    def stop_checks(self) -> None:
        """Stops them, if they run; those of later versions wait until one asks."""
        self._checks_again = False
        self._end_checks()

    @property
    def busy(self) -> bool:
        """Whether checks are run, or about to be."""
        return self._checking is not None

    def _end_checks(self) -> None:
        if self._checking is not None:
            self._checking.end()
            self._checking = None
        if self.status.checks.state == "running":
            self.status.checks.state = "stopped"
            self._tell()

    async def _check_in(self, process: GameProcess, version: int) -> None:
        said = self.status.checks
        try:
            found = await process.ask(self.load)
            if process is not self._checking:
                return
            if isinstance(found, Fault):
                said.failures.append(CheckFailure(group="The rules build", fault=found))
                said.state = "done"
            else:
                process.send(Checks())
            while said.state == "running" and process is self._checking:
                said = await process.hear()
                said.version = version
                if process is self._checking:
                    self.status.checks = said
                    self._tell()
        except Gone:
            if process is self._checking:
                failure = CheckFailure(group=said.now, fault=process.why_gone())
                said.failures.append(failure)
                said.state = "done"
        if process is self._checking:
            self._checking = None
            with contextlib.suppress(ValueError):
                process.end()
            self._tell()
