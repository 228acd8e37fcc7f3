"""PostgreSQL for benches and tests: a server of their own in a temporary folder."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

HOME = Path("/usr/lib/postgresql")  # where Debian has it, by version
USER = "postgres"  # PostgreSQL does not run as root
PATIENCE = 60.0  # seconds to start; only one that cannot takes so long
QUICK = "-c fsync=off -c full_page_writes=off"  # where the machine itself is not to fail
#: as its users have it
SAFE = ""
MISSING = "PostgreSQL is not installed (on Debian: apt install postgresql)"


def programs() -> Path | None:
    """The folder of initdb and postgres; None: there are none."""
    found = shutil.which("initdb")
    debian = sorted(HOME.glob("*/bin/initdb"), key=lambda p: int(p.parts[-3]))
    return Path(found).parent if found else debian[-1].parent if debian else None


class Postgres:
    """A server that listens at a socket in its folder, and at a port of this machine."""

    def __init__(self, folder: Path, port: int, options: str = QUICK) -> None:
        self.folder, self.port, self.options = folder, port, options
        self._numbers = itertools.count()
        self._process: subprocess.Popen[bytes] | None = None
        self.user = USER if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        if os.geteuid() == 0:
            shutil.chown(folder, USER)
        words = ["-D", str(folder / "data"), "--auth=trust", "-U", USER, "--no-sync", "-E", "UTF8"]
        self._run("initdb", *words)
        self.start()

    def _run(self, program: str, *words: str) -> None:
        command = [str((programs() or Path()) / program), *words]
        user = {"user": self.user} if os.geteuid() == 0 else {}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **user)  # type: ignore[call-overload]

    def start(self) -> None:
        """Returns when it answers. What was left by one that was killed may keep it from starting
        for a moment: then it is started again.
        """
        until = time.monotonic() + PATIENCE
        self._begin()
        while True:
            assert self._process is not None
            if self._process.poll() is not None:
                assert time.monotonic() < until, (self.folder / "log").read_text()[-2000:]
                self._begin()
            with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url()):
                return
            time.sleep(0.05)

    def _begin(self) -> None:
        place = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        command = [str((programs() or Path()) / "postgres"), "-D", str(self.folder / "data")]
        command += [*place.split(), *self.options.split(), "-c", "max_connections=200"]
        user = {"user": self.user} if os.geteuid() == 0 else {}
        with (self.folder / "log").open("ab") as out:
            self._process = subprocess.Popen(  # type: ignore[call-overload]
                command, stdout=out, stderr=out, cwd=self.folder, start_new_session=True, **user
            )

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres") -> str:
        """Where one of its databases is."""
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def new(self) -> str:
        """The URL of a new database."""
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as c:
            c.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def kill(self) -> None:
        """At once, as by a power failure."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Ends it."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextlib.contextmanager
def postgres(port: int, options: str = QUICK) -> Iterator[Postgres]:
    """One that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="battlebox-postgres-", ignore_cleanup_errors=True) as x:
        server = Postgres(Path(x), port, options)
        try:
            yield server
        finally:
            server.stop()
