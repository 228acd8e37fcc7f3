"""The file of a tournament: the plan, then the results, a line each, as they come.

    {"arena": 1, "game": "war_zone", ... "entrants": ["hard", "easy"], "seed": 0}
    {"match": 1, "returns": [-1.0, 1.0], "decisions": 94}
    {"match": 0, "returns": [1.0, -1.0], "decisions": 81}

Whoever is killed loses the matches that were being played, and no other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ..core.errors import BattleboxError
from .plan import Plan, Result

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]


#: what it means if a part of a plan's head is another than in the file
CHANGED = {
    "files": "the text of a bot has changed",
    "thought": "how long a bot thinks has changed",
    "search": "how our bots search has changed",
}


class Journal:
    """The results of a plan, kept in a file if there is one. A context: it closes the file.

    A file that is there is gone on with; a last line that was cut off is dropped, and so is a plan
    of which nothing was played.

    Errors: BattleboxError if it holds anything else than results of this very plan, or somebody is
    writing it; then it is untouched.
    """

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        self.results: dict[int, Result] = {}
        self._plan, self._path = plan, path
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
                raise BattleboxError(f"{path}: another tournament is writing it") from None
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        head = self._plan.head.encode()
        if not whole and not head.startswith(text):
            raise BattleboxError(f"{path}: it is no file of the arena")
        if whole.count(b"\n") == 1 and whole.startswith(b'{"arena": '):
            whole = b""  # nothing was played, perhaps because a bot failed: any plan can have it
        for number, line in enumerate(whole.splitlines(), 1):
            self._read(number, line)
        if whole != text:
            file.truncate(len(whole))
        if not whole:
            self._write(head)

    def _read(self, number: int, line: bytes) -> None:
        where = f"{self._path}: line {number}"
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if number == 1:
            self._compare(entry)
            return
        if not (isinstance(entry, dict) and _is_result(entry, self._plan.rules.players)):
            raise BattleboxError(f"{where} is no result of a match of this plan")
        result = Result(entry["match"], tuple(map(float, entry["returns"])), entry["decisions"])
        if self.results.setdefault(result.match, result) != result:
            raise BattleboxError(f"{where} gives match {result.match} another end than before")

    def _compare(self, entry: Any) -> None:
        if not isinstance(entry, dict) or "arena" not in entry:
            raise BattleboxError(f"{self._path}: it is no file of the arena")
        for key, value in json.loads(self._plan.head).items():
            if entry.get(key) == value:
                continue
            if key in CHANGED:  # of the same entrants
                raise BattleboxError(
                    f"{self._path}: {CHANGED[key]} since: {entry.get(key)} then, {value} now; "
                    "give another --out"
                )
            raise BattleboxError(
                f"{self._path}: it holds another tournament, whose {key} is "
                f"{entry.get(key)!r}, not {value!r}; give another --out"
            )

    def add(self, result: Result) -> None:
        """Takes a result in. When it returns, the file has it, whatever happens to us."""
        self.results[result.match] = result
        self._write(json.dumps(result._asdict()).encode())

    def _write(self, line: bytes) -> None:
        if self._file and self._path:
            with saying(self._path):
                self._file.write(line + b"\n")
                self._file.flush()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, e: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()


def _is_result(entry: dict[str, Any], players: int) -> bool:
    match, returns, decisions = (entry.get(k) for k in Result._fields)
    return (
        all(type(x) is int and x >= 0 for x in (match, decisions))
        and isinstance(returns, list)
        and len(returns) == players
        and all(type(x) in (int, float) and -1 <= x <= 1 for x in returns)
    )


@contextmanager
def saying(path: Path) -> Iterator[None]:
    """What the system refuses about a file becomes a BattleboxError that names it."""
    try:
        yield
    except OSError as e:
        raise BattleboxError(f"{path}: {e.strerror}") from None
