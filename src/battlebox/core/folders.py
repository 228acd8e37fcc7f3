"""Games in folders as packages, in this process and in others, where the folder may not be."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import platformdirs

from .errors import GameError

#: the package that games in folders are parts of, wherever they lie: machine code that is kept
#: bears their names
HOME = "battlebox_folders"
KEPT = (".py", ".toml", ".md", ".scn")  # files that a game is made of


def import_as(name: str, folder: Path) -> ModuleType:
    """The package in a folder, under this name; after an error nothing of it is left."""
    file = folder / "__init__.py"
    if file.is_file():
        spec = importlib.util.spec_from_file_location(
            name, file, submodule_search_locations=[str(folder)]
        )
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            forget(name)
            raise
        return module
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(folder)]
    return module


def forget(name: str) -> None:
    """Nothing of a package is imported any more."""
    for m in [m for m in sys.modules if m == name or m.startswith(f"{name}.")]:
        del sys.modules[m]


def import_folder(folder: Path) -> ModuleType:
    """The game of a folder as a package, imported once.

    Errors: GameError for a folder whose name cannot be a game's, or is that of another.
    """
    home = folder.resolve()
    if not home.name.isidentifier():
        raise GameError(
            f"{home}: a game's folder is called as the game: small letters, digits and _, a letter "
            "first"
        )
    if HOME not in sys.modules:
        parent = sys.modules[HOME] = ModuleType(HOME)
        parent.__path__ = []
    name = f"{HOME}.{home.name}"
    if name in sys.modules:
        known = Path(next(iter(sys.modules[name].__path__)))
        if known != home:
            raise GameError(f"{home}: another game of that name is loaded, {known}")
        return sys.modules[name]
    return import_as(name, home)


def text_of(folder: Path) -> dict[str, str]:
    """What a game is made of, to be sent where its folder is not: texts by path."""
    found = [x for x in folder.rglob("*") if x.suffix in KEPT and "__pycache__" not in x.parts]
    return {x.relative_to(folder).as_posix(): x.read_text(encoding="utf-8") for x in sorted(found)}


def folder_of(path: str, texts: Mapping[str, str]) -> Path:
    """The folder of a game that came from another process: where it lies, or written anew."""
    there = Path(path)
    if there.is_dir():
        return there
    stamp = hashlib.sha256(repr(sorted(texts.items())).encode()).hexdigest()[:20]
    folder = platformdirs.user_cache_path("battlebox") / "games" / stamp / there.name
    if not folder.is_dir():
        part = folder.parent / f"{there.name}.{os.getpid()}"
        for file, text in texts.items():
            (part / file).parent.mkdir(parents=True, exist_ok=True)
            (part / file).write_text(text, encoding="utf-8")
        try:
            part.rename(folder)
        except OSError:  # another process was quicker
            if not folder.is_dir():
                raise
    return folder
