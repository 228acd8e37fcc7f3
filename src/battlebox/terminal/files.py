"""Match files of the terminal: records with a line on top that says who sits where."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_data_path

from ..core.errors import RecordError
from ..core.match import Match
from ..core.table import read_text
from .seats import Player, name_of

SEATS = "# seats: "  # a comment to all other readers of records
SUFFIX = ".match"
LAST = "last"  # the name of the match played last


def folder() -> Path:
    """Where matches are kept unless a path is given."""
    return user_data_path("battlebox") / "matches"


def kept() -> list[Path]:
    """The matches in the folder."""
    return [p for p in folder().glob(f"*{SUFFIX}") if p.is_file()]


def new_path(match: Match) -> Path:
    """A file in the folder that is not there yet."""
    stem = f"{match.rules.name}-{datetime.now():%Y%m%d-%H%M%S}"
    for k in range(1000):
        path = folder() / f"{stem}{f'-{k}' if k else ''}{SUFFIX}"
        if not path.exists():
            break
    return path


def save(path: Path, match: Match, seats: Sequence[Player]) -> None:
    """Writes the record. OSError."""
    who = shlex.join(x if isinstance(x, str) else name_of(x) for x in seats)
    write(path, f"{SEATS}{who}\n{match.record()}")


def write(path: Path, text: str) -> None:
    """A crash leaves the old file or the new one, never half of one; only its owner reads it.

    Errors: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as f:
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def short(path: Path) -> str:
    """A path as a person may type it in a shell."""
    whole = path.absolute()
    if whole.is_relative_to(Path.home()):
        return f"~/{shlex.quote(str(whole.relative_to(Path.home())))}"
    return shlex.quote(str(path))


def find(name: str) -> Path:
    """The file of a path, of a name in the folder, or of "last", the one played last.

    Errors: RecordError if there is none.
    """
    if name == LAST:
        if found := kept():
            return max(found, key=lambda p: (p.stat().st_mtime_ns, p))
        raise RecordError(f"there is no saved match in {folder()} yet: battlebox play starts one")
    given = Path(name).expanduser()
    for path in (given, folder() / name, folder() / f"{name}{SUFFIX}"):
        if path.is_file():
            return path
    raise RecordError(f"there is no match file {given}, and none of that name in {folder()}")


class Kept(NamedTuple):
    """A match from its file; seats: who sat where, if the file says so."""

    path: Path
    match: Match
    seats: list[str]


def read(name: str) -> Kept:
    """The match of a file, found as `find` does.

    Errors: RecordError if there is none, or what it holds cannot be played again, with
    the path; BattleboxError if it cannot be read.
    """
    from .. import replay

    path = find(name)
    text = read_text(path)
    try:
        match = replay(text)
    except RecordError as e:
        hint = f" (the match played last; name one of the others in {folder()})"
        raise RecordError(f"{path}: {e}{hint if name == LAST else ''}") from None
    return Kept(path, match, seats_of(text, match.rules.players))


def seats_of(text: str, players: int) -> list[str]:
    """Who sat where, as the file says; nobody if it does not, as that of a program."""
    found = re.search(rf"^{re.escape(SEATS)}(.+)$", text, re.MULTILINE)
    try:
        seats = shlex.split(found[1]) if found else []
    except ValueError:  # a quotation without an end
        seats = []
    return seats if len(seats) == players else []
