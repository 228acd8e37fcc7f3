"""The registry: the only file that names games, and finds those of others.

A game of somebody else is a package with a `GAME`. It is installed, under an entry point of the
group `battlebox.games` that has the game's name; or its folder stands in the environment variable
BATTLEBOX_GAMES, where `battlebox --games DIR` puts it; or its path is given in place of a name. A
game is code: importing it runs it. Only `open_game` and `bring` take paths, which are for the
person at this machine; what comes from elsewhere goes through `find`, which takes names.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from ..core.errors import GameError, RulesetError
from ..core.game import Game, game_in, most_players
from ..core.packages import folder_of, import_folder, why
from ..core.table import nearest

NAMES = ("war_zone", "battleball", "iron_man", "battle", "medieval")
GROUP = "battlebox.games"  # of entry points
FOLDERS = "BATTLEBOX_GAMES"  # the environment variable: folders, as PATH has them
NAME = re.compile(r"[a-z][a-z0-9_]*")  # what a game may be called


def names() -> list[str]:
    """The names of all games: ours, then those of others."""
    return [*NAMES, *_others().games]


def find(name: str) -> Game:
    """The game of that name, which is never a path; RulesetError if there is none."""
    if name in NAMES:
        return game_in(importlib.import_module(f"{__name__}.{name}"))
    if (game := _others().games.get(name)) is None:
        raise RulesetError(
            f"no game {name!r}{nearest(name, names())}. A game of somebody else has to be "
            "installed, or its folder given: battlebox --games DIR"
        )
    return game


def faults() -> list[str]:
    """What is wrong with those games of others that are left out, a line for each."""
    return [f"{where}: {what}" for where, what in _others().faults.items()]


# ---- folders -------------------------------------------------------------------------------------
def open_game(word: str | Path) -> Game:
    """The game of that name or, if the word is a path, in that folder: from then on it also has its
    name here.

    Errors: RulesetError if there is none; GameError says what is wrong with it.
    """
    if not isinstance(word, Path) and not is_path(str(word)):
        return find(word)
    packages = packages_in(Path(word))
    if len(packages) > 1:
        raise RulesetError(f"{word}: several games; say one of {', '.join(map(str, packages))}")
    home = packages[0]
    if home not in _opened:
        _opened.append(home)
    others = _others()
    for game in others.games.values():
        if game.folder.resolve() == home:
            return game
    _opened.remove(home)
    raise GameError(f"{home}: {others.faults[str(home)]}")


def is_path(word: str) -> bool:
    """Whether what stands for a game is the path of its folder."""
    return word[:1] in (".", "~") or any(x in word for x in (os.sep, os.altsep) if x)


def bring(folder: Path) -> None:
    """Adds the games of a folder, here and in all processes begun from here.

    Errors: RulesetError if there is none; what is wrong with one, `faults` says.
    """
    packages_in(folder)
    told = [x for x in os.environ.get(FOLDERS, "").split(os.pathsep) if x]
    os.environ[FOLDERS] = os.pathsep.join([*told, str(folder.expanduser().resolve())])


def command_for(game: Game) -> str:
    """`battlebox`, with the option that a command on this game by its name needs."""
    home = folder_of((game.base or game).package)
    return f"battlebox --games {shlex.quote(str(home))}" if home else "battlebox"


def packages_in(folder: Path) -> list[Path]:
    """The game that a folder is, or those in it (in a project, in its src).

    Errors: RulesetError if there are none.
    """
    try:
        home = folder.expanduser().resolve()
        if (home / "rules.py").is_file():
            return [home]
        inside = home / "src" if (home / "src").is_dir() else home
        found = sorted(x.parent for x in inside.glob("[!._]*/rules.py"))
    except (OSError, RuntimeError, ValueError) as e:  # no such user's home, a name that can be none
        raise RulesetError(f"{str(folder)!r}: {e}") from None
    if not found:
        what = "no game in it: no rules.py" if home.is_dir() else "there is no such folder"
        raise RulesetError(f"{folder}: {what}")
    return found


# ---- games of others -----------------------------------------------------------------------------
_opened: list[Path] = []  # by their paths, in this process
_lock = threading.RLock()


@dataclass
class _Others:
    """The games of others: by their names those that can be played, by their places what is wrong
    with the rest.
    """

    games: dict[str, Game] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)  # of the games, by their names
    faults: dict[str, str] = field(default_factory=dict)

    def take(self, place: str, load: Callable[[], ModuleType], within: str, name: str = "") -> None:
        """Adds the game of a place, or what is wrong with it. within: a part of the paths of its
        files. name: that it must have.
        """
        try:
            game = game_in(load())
            if name not in ("", game.name):
                raise GameError(f"registered as {name}, but its GAME is called {game.name}")
            if not NAME.fullmatch(game.name):
                raise GameError(f"called {game.name!r}: use small letters, digits and _")
            if game.name in NAMES or game.name in self.places:
                other = self.places.get(game.name, "battlebox itself")
                raise GameError(f"called {game.name}, but so is the game of {other}")
            _try(game)
        except (Exception, SystemExit) as e:  # whatever the code of somebody else raises
            self.faults[place] = why(e, within)
        else:
            self.games[game.name], self.places[game.name] = game, place


def _others() -> _Others:
    with _lock:
        return _look(os.environ.get(FOLDERS, ""), tuple(_opened), tuple(sys.path))


@lru_cache(maxsize=1)
def _look(folders: str, opened: tuple[Path, ...], _path: tuple[str, ...]) -> _Others:
    """The games of others that are installed, then those in folders."""
    found, homes = _Others(), list[Path]()
    for entry in sorted(entry_points(group=GROUP), key=lambda x: x.name):
        dist = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
        within = os.sep.join(["", *entry.module.split("."), ""])
        found.take(f"the installed package {dist}", entry.load, within, entry.name)
    for folder in filter(None, folders.split(os.pathsep)):
        try:
            homes += packages_in(Path(folder))
        except RulesetError as e:
            found.faults[folder] = str(e).removeprefix(f"{folder}: ")
    for home in dict.fromkeys([*homes, *opened]):
        if home not in [game.folder.resolve() for game in found.games.values()]:  # installed
            found.take(str(home), partial(import_folder, home), str(home))
    return found


def _try(game: Game) -> None:
    """Raises what would keep a game from being played in any of its modes, or from being shown."""
    most_players(game.options)  # its bounds
    for options in ({}, game.human_defaults, *(mode.options for mode in game.modes)):
        game.ruleset(options).plain()
