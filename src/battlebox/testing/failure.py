"""What is wrong with a game, in words its author can use."""

from __future__ import annotations

import shlex
import traceback
from pathlib import Path

from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.packages import folder_of


class Failure(AssertionError):
    """What a check found wrong. where: file and line, or the match; hint: how to mend it."""

    def __init__(self, what: str, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        super().__init__(f"{where}: {what}" if where else what, hint)

    def __str__(self) -> str:
        said = f"{self.where}: {self.what}" if self.where else self.what
        return f"{said}\n{self.hint}" if self.hint else said


def in_words(error: BaseException, folder: Path) -> Failure:
    """Any error as a failure; one of Python's with the line of the game that it comes from."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, BattleboxError | AssertionError):
        return Failure(str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [x for x in frames if Path(x.filename).is_relative_to(folder)]
    where = f"{own[-1].filename}:{own[-1].lineno}" if own else ""
    return Failure(f"{type(error).__name__}: {error}", where)


def line_of(path: Path, text: str) -> str:
    """File and line where a text stands first, or the file if it does not."""
    if path.is_file():
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if text in line:
                return f"{path}:{n}"
    return str(path)


def word_of(game: Game) -> str:
    """How a command line names the game: as its folder, or by its name."""
    if folder_of(game.package) is None:
        return game.name
    here = Path.cwd()
    near = game.folder.is_relative_to(here)
    return shlex.quote(f"./{game.folder.relative_to(here)}" if near else str(game.folder))
