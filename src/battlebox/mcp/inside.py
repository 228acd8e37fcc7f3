"""A battlebox server of one's own, which ends with this process."""

from __future__ import annotations

import re
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..client.link import Site
from ..core.errors import BattleboxError
from ..core.processes import ForeignProcess

READY = re.compile(rb"battlebox is ready: (http\S+?)/?\s*$")


@contextmanager
def server(data: Path | None = None) -> Iterator[Site]:
    """Runs one while it is needed, for this machine alone.

    data: the folder for its matches; None: one that is deleted at the end.
    Errors: BattleboxError if it does not start; what it said stands on stderr.
    """
    with tempfile.TemporaryDirectory(prefix="battlebox") as nowhere:
        folder = str(data or nowhere)
        how = ["--no-browser", "--port", "0", "--data", folder]
        process = ForeignProcess([sys.executable, "-m", "battlebox", *how])
        try:
            yield Site(_address(process.stdout))
        finally:
            process.end()


def _address(said: IO[bytes]) -> str:
    for line in iter(said.readline, b""):
        if found := READY.search(line):
            threading.Thread(target=_read_on, args=(said,), daemon=True).start()
            return found[1].decode()
    said.close()
    raise BattleboxError("the server of this machine did not start: it says why above")


def _read_on(said: IO[bytes]) -> None:
    """Nothing that is said may fill the pipe."""
    with said:
        while said.read(65536):
            pass
