"""The file of many matches: what is played, then the results, a line each, as they come. Of a
tournament:

    {"arena": 1, "game": "war_zone", ... "entrants": ["hard", "easy"], "seed": 0}
    {"match": 1, "returns": [-1.0, 1.0], "decisions": 94}
    {"match": 0, "returns": [1.0, -1.0], "decisions": 81}

A study of balance has other lines. If it is killed, the matches that were being played are lost,
and no other.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Generic, TypeVar

from ..core.errors import BattleboxError

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]


#: what it means if a part of a plan's header is another than in the file
CHANGED = {
    "files": "the text of a bot has changed",
    "simulations": "how many simulations a bot makes has changed",
    "search": "how our bots search has changed",
}


K = TypeVar("K", bound=Hashable)  # names a match
R = TypeVar("R")  # what is kept of it


@dataclass(frozen=True)
class Lines(Generic[K, R]):
    """What the lines of a journal say, and how."""

    tool: str  # the command whose file it is; it is the first key of the header
    what: str  # what a file of it holds, as "tournament"
    header: str  # all that makes its matches what they are, as one line of JSON
    write: Callable[[K, R], dict[str, Any]]
    read: Callable[[Any], tuple[K, R]]  # errors: ValueError, TypeError or KeyError for what is none


class Journal(Generic[K, R]):
    """Results by their matches, kept in a file if there is one. A context: it closes the file.

    A file that is there is gone on with; a last line that was cut off is dropped; so is a header
    after which nothing was played.

    Errors: BattleboxError if it holds anything else than results under this very header, or another
    process is writing it; then it is untouched.
    """

    def __init__(self, lines: Lines[K, R], path: Path | None = None) -> None:
        self.results: dict[K, R] = {}
        self._lines, self._path = lines, path
        self._file: IO[bytes] | None = None
        if path:
            with saying(path):
                self._open(path)

    def _open(self, path: Path) -> None:
        self._file = path.open("ab")
        try:
            self._take_over(path, self._file)
        except BaseException:
            self._file.close()
            raise

    def _take_over(self, path: Path, file: IO[bytes]) -> None:
        if fcntl:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BattleboxError(
                    f"{path}: another {self._lines.what} is writing to it"
                ) from None
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        header = self._lines.header.encode()
        if not whole and not header.startswith(text):
            raise self._foreign()
        if whole.count(b"\n") == 1 and whole.startswith(f'{{"{self._lines.tool}": '.encode()):
            whole = b""  # nothing was played, perhaps because a bot failed: any plan can have it
        for number, line in enumerate(whole.splitlines(), 1):
            self._read(number, line)
        if whole != text:
            file.truncate(len(whole))
        if not whole:
            self._write(header)

    def _read(self, number: int, line: bytes) -> None:
        where = f"{self._path}: line {number}"
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if number == 1:
            self._compare(entry)
            return
        try:
            key, result = self._lines.read(entry)
        except (ValueError, TypeError, KeyError):
            raise BattleboxError(
                f"{where} is not a result of a match of this {self._lines.what}"
            ) from None
        if self.results.setdefault(key, result) != result:
            raise BattleboxError(f"{where} gives a match a different end than before")

    def _foreign(self) -> BattleboxError:
        return BattleboxError(f"{self._path}: it is not a file of battlebox {self._lines.tool}")

    def _compare(self, entry: Any) -> None:
        if not isinstance(entry, dict) or self._lines.tool not in entry:
            raise self._foreign()
        for key, value in json.loads(self._lines.header).items():
            if entry.get(key) == value:
                continue
            if key in CHANGED:  # of the same entrants
                raise BattleboxError(
                    f"{self._path}: {CHANGED[key]} since: {entry.get(key)} then, {value} now; "
                    "give another --out, or delete the file"
                )
            raise BattleboxError(
                f"{self._path}: it holds another {self._lines.what}, whose {key} is "
                f"{entry.get(key)!r}, not {value!r}; give another --out, or delete the file"
            )

    def add(self, key: K, result: R) -> None:
        """Takes a result in. When it returns, the file has it, whatever happens to us."""
        self.results[key] = result
        self._write(json.dumps(self._lines.write(key, result)).encode())

    def _write(self, line: bytes) -> None:
        if self._file and self._path:
            with saying(self._path):
                self._file.write(line + b"\n")
                self._file.flush()

    def __enter__(self) -> Journal[K, R]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()


@contextmanager
def saying(path: Path) -> Iterator[None]:
    """What the system refuses about a file becomes a BattleboxError that names it."""
    try:
        yield
    except OSError as e:
        raise BattleboxError(f"{path}: {e.strerror}") from None
