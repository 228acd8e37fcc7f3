"""Where games come from: our own, installed packages, and folders. Names none of them.

A game is code: it runs with the rights of who opens it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import threading
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from .assembly import game_of
from .errors import BattleboxError, BrokenGame, GameError, RulesetError
from .folders import import_folder
from .game import Game
from .table import nearest

GROUP = "battlebox.games"  # the entry points of packages that are games
VARIABLE = "BATTLEBOX_GAMES"  # folders, for this process and those that it begins


def is_path(word: str) -> bool:
    """It is meant as a folder, not as a game's name: `./my_game`, `games/my_game`, `~/my_game`."""
    return word.startswith((".", "~")) or "/" in word or os.sep in word


class Shelf:
    """All games that can be played here. own: the packages of our own, by name.

    Installed packages and the folders of $BATTLEBOX_GAMES are looked for at first use.
    """

    def __init__(self, own: Mapping[str, str]) -> None:
        self.own = own
        self._games: dict[str, Game] = {}
        self._sources: dict[str, str] | None = None  # of games that are not our own
        self._broken: dict[str, str] = {}
        self._lock = threading.RLock()

    # ---- what there is ----
    @property
    def names(self) -> list[str]:
        """The names of all games that can be played, our own first."""
        with self._lock:
            return [*self.own, *sorted(x for x in self._outside if self._try(x))]

    @property
    def broken(self) -> dict[str, str]:
        """What is wrong with the others, by name."""
        with self._lock:
            _ = self.names
            return dict(self._broken)

    def find(self, name: str) -> Game:
        """The game of that name. Errors: RulesetError; BrokenGame, if it has a mistake."""
        with self._lock:
            if name in self.own:
                if name not in self._games:
                    self._games[name] = importlib.import_module(self.own[name]).GAME
                return self._games[name]
            if name in self._outside:
                self._try(name)
            if name in self._games:
                return self._games[name]
            if name in self._broken:
                raise BrokenGame(self._broken[name])
            raise RulesetError(
                f"no game {name!r}{nearest(name, [*self.own, *self._outside])} (one of your own is "
                "named by its folder, as in ./my_game, or comes with --games DIR)"
            )

    def open(self, word: str) -> Game:
        """A game by its name, or in a folder: `./my_game`, which then is on the shelf.

        Errors: RulesetError, as of `find`.
        """
        if not is_path(word):
            return self.find(word)
        folder = Path(word).expanduser()
        if not (folder / "rules.py").is_file():
            raise RulesetError(f"{word}: no game is there: {_missing(folder)}")
        name = folder.resolve().name
        self.add(folder)
        found = self.find(name)
        if found.folder.resolve() != folder.resolve():
            raise BrokenGame(self._broken[f"{name} ({folder.resolve()})"])
        return found

    # ---- more of them ----
    def add(self, folder: Path) -> None:
        """A game's folder, or one that holds several, for this process and those it begins.

        Errors: RulesetError if no game is there.
        """
        found = _games_in(folder)
        with self._lock:
            for one in found:
                self._put(one.name, str(one))
        known = [x for x in os.environ.get(VARIABLE, "").split(os.pathsep) if x]
        if (home := str(folder.expanduser().resolve())) not in known:
            os.environ[VARIABLE] = os.pathsep.join([*known, home])

    @property
    def _outside(self) -> dict[str, str]:
        """Where games are that are not our own: the name of a package, or the path of a folder."""
        if self._sources is None:
            self._sources = {}
            for entry in importlib.metadata.entry_points(group=GROUP):
                self._put(entry.name, entry.value)
            for path in os.environ.get(VARIABLE, "").split(os.pathsep):
                try:
                    for one in _games_in(Path(path)) if path else ():
                        self._put(one.name, str(one))
                except RulesetError as e:
                    self._broken[path] = str(e)
        return self._sources

    def _put(self, name: str, source: str) -> None:
        known = self._outside.get(name)
        if name in self.own:
            self._broken[f"{name} ({source})"] = (
                f"{source}: the name {name} belongs to a game of battlebox; rename it"
            )
        elif known is None:
            self._outside[name] = source
        elif known != source and not _is_at(known, source):
            self._broken[f"{name} ({source})"] = (
                f"{source}: there is another game called {name}, {known}; rename one of them"
            )

    def _try(self, name: str) -> bool:
        """Loads a game that is not our own; whether it could be."""
        if name in self._games or name in self._broken:
            return name in self._games
        source = self._outside[name]
        try:
            game = _load(source)
            if game.name != name:
                raise GameError(f"it calls itself {game.name}, and is registered as {name}")
            self._games[name] = game
        except Exception as e:
            self._broken[name] = f"{name} cannot be played: {_told(e, source)}"
        return name in self._games


def _load(source: str) -> Game:
    """The game of a package, or of a folder."""
    if is_path(source):
        return game_in(import_folder(Path(source)))
    return game_in(importlib.import_module(source.partition(":")[0]))


def game_in(package: ModuleType) -> Game:
    """The game that a package is: its GAME, or what its files say."""
    made = getattr(package, "GAME", None)
    if made is None:
        made = game_of(package.__name__)
        package.GAME = made  # type: ignore[attr-defined]
    if not isinstance(made, Game):
        raise GameError(f"{package.__file__}: GAME is no Game; write GAME = game_of(__name__)")
    made.build(compiled=False)  # what is wrong with its rules is said here
    return made


def _told(e: Exception, source: str) -> str:
    """An error in one line; of a mistake in the game's text with file and line."""
    if isinstance(e, BattleboxError | GameError):
        return str(e)
    frames = [x for x in traceback.extract_tb(e.__traceback__) if source in x.filename]
    where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    if isinstance(e, SyntaxError):
        where = f"{e.filename}:{e.lineno}: "
        return f"{where}{e.msg}"
    return f"{where}{type(e).__name__}: {e}"


def _is_at(package: str, folder: str) -> bool:
    """An installed package that lies in this folder."""
    if is_path(package) or not is_path(folder):
        return False
    spec = importlib.util.find_spec(package.partition(":")[0])
    there = (spec.submodule_search_locations if spec else None) or ()
    return any(Path(x).resolve() == Path(folder) for x in there)


def _missing(folder: Path) -> str:
    if not folder.is_dir():
        return "there is no such folder"
    return "it has no rules.py"


def _games_in(folder: Path) -> Sequence[Path]:
    """The folders of games: this one, or those in it. Errors: RulesetError if there is none."""
    home = folder.expanduser().resolve()
    if (home / "rules.py").is_file():
        return [home]
    found = sorted(x.parent for x in home.glob("*/rules.py")) if home.is_dir() else []
    if not found:
        why = "there is no such folder" if not home.is_dir() else "no rules.py is in it"
        raise RulesetError(f"{folder}: no game is there: {why}")
    return found
