"""Games as packages: imported from a folder, once more at other sizes, or sent to where they are
not.

A folder's package gets a name that its path gives, so that it is the same in every process, from
whatever folder it was begun, and no other folder's.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import importlib.util
import re
import shutil
import sys
import tempfile
import threading
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

from .errors import BattleboxError, GameError, RulesetError

PREFIX = "battlebox_game_"  # of the names of packages in folders
MOST = 10_000_000  # bytes of a folder that are sent
_lock = threading.RLock()
_homes: dict[str, Path] = {}  # the folder of each package that was imported from one


#: what an `__init__.py` says, at least: a folder without one is taken as if it had this
USUAL = "from battlebox.authoring import game_of\n\nGAME = game_of(__name__)\n"


def import_package(name: str, folder: Path) -> ModuleType:
    """The package in a folder under this name; after an error nothing of it is left."""
    spec = importlib.util.spec_from_file_location(
        name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        if (folder / "__init__.py").is_file():
            spec.loader.exec_module(module)
        else:
            exec(USUAL, vars(module))
    except BaseException:
        for m in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
            del sys.modules[m]
        raise
    return module


def import_folder(folder: Path) -> ModuleType:
    """The package in a folder, imported at most once in a process."""
    home = folder.expanduser().resolve()
    digest = hashlib.sha256(str(home).encode()).hexdigest()[:12]
    said = re.sub(r"\W", "_", home.name)
    return _import_as(f"{PREFIX}{digest}_{said}", home)


def folder_of(name: str) -> Path | None:
    """The folder from which a package was imported here; None: it is installed."""
    return _homes.get(name)


def _import_as(name: str, home: Path) -> ModuleType:
    with _lock:
        if name not in sys.modules:
            importlib.invalidate_caches()  # its files may be younger than the last look
            import_package(name, home)
            _homes[name] = home
        return sys.modules[name]


# ---- sent to where they are not ------------------------------------------------------------------
@dataclass(frozen=True)
class Parcel:
    """How another process gets a game: by the name of its package, or with the files of its folder.

    The other process may be on another machine. It takes the folder if that is there with the same
    files, and those in the parcel otherwise.
    """

    name: str  # of the package
    folder: str  # empty: the package is installed
    files: tuple[tuple[str, bytes], ...] = ()  # by their paths in the folder

    def open(self) -> ModuleType:
        """The package. Errors: RulesetError if it has to be installed here; what importing raises.

        The files of a parcel lie in a temporary folder until this process ends.
        """
        if not self.folder:
            return _installed(self.name)
        with _lock:
            if self.name in sys.modules:
                return sys.modules[self.name]
            home = Path(self.folder)
            if not home.is_dir() or _files(home) != self.files:
                home = Path(tempfile.mkdtemp(prefix="battlebox-game-")) / home.name
                atexit.register(partial(shutil.rmtree, home.parent, ignore_errors=True))
                for path, content in self.files:
                    (home / path).parent.mkdir(parents=True, exist_ok=True)
                    (home / path).write_bytes(content)
            return _import_as(self.name, home)


def parcel(name: str) -> Parcel:
    """A package that is imported here, to be sent. Errors: GameError if its folder is too large."""
    if name not in _homes:
        return Parcel(name, "")
    return Parcel(name, str(_homes[name]), _files(_homes[name]))


def _files(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """The files of a game, but for its looks and what Python has compiled."""
    found, size = [], 0
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        left_out = parts[0] == "theme" or any(x[0] == "." or x == "__pycache__" for x in parts)
        if path.is_file() and not left_out:
            size += path.stat().st_size
            if size > MOST:
                raise GameError(f"{folder}: more than {MOST:,} bytes; a game is sent to workers")
            found.append(("/".join(parts), path.read_bytes()))
    return tuple(found)


def _installed(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as e:
        if e.name is None or not f"{name}.".startswith(f"{e.name}."):
            raise  # it is here, and something that it needs is not
        raise RulesetError(f"the package {name} is not installed here: install it") from None


# ---- what is wrong with one ----------------------------------------------------------------------
def why(error: BaseException, within: str) -> str:
    """What a package of somebody else raised while it was imported: in a line, with the place.

    within: a part of the paths of its files, which are looked at first.
    """
    if isinstance(error, BattleboxError):
        return str(error)
    said = f"{type(error).__name__}: {error}".partition("\n")[0]
    if isinstance(error, SyntaxError):  # says where it is
        return f"{said.partition(' (')[0]} ({error.filename}:{error.lineno})"
    passed = [
        f"{frame.f_code.co_filename}:{line}"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith("<")
    ]
    own = [place for place in passed if within in place]
    return f"{said} ({(own or passed)[-1]})" if passed else said
