"""A game to start from: the template under another name, as a folder or as a package."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path

from .core.errors import RulesetError
from .games import names

TEMPLATE = Path(__file__).parent / "template"
GUIDE = "https://github.com/battlebox/battlebox/blob/main/docs/your-own-game.md"
NAME, TITLE, IDS = "high_card", "High card", "HC-"  # as the template has them
LONGEST = 36  # letters of a title: lines of the template have room for it

PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{dashed}"
version = "0.1"
description = "{title}: a game for battlebox"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["battlebox"]

[project.entry-points."battlebox.games"]
{name} = "{name}"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
{name} = ["**/*.md", "**/*.scn", "**/*.toml", "theme/*"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]
"""
README = """\
# {title}

A game for battlebox. [Its rules](src/{name}/README.md).

```sh
pip install -e .
battlebox play {name}
battlebox check {name}
pytest
```
"""
TEST = '''\
"""What every game must keep; `battlebox check {name}` says the same."""

import pytest
from battlebox.testing import Check, checks_of

import {name}


@pytest.mark.parametrize("check", checks_of({name}.GAME), ids=str)
def test_{name}(check: Check) -> None:
    """Its rules, scenarios and README, and random matches under the laws."""
    check()
'''


def new_game(name: str, title: str = "", into: Path = Path(), *, package: bool = False) -> str:
    """Writes the folder `into`/`name`. Gives what to do next, for people.

    title: what people call the game; without it, it is made from the name. package: writes a
    package around the game, with tests.

    Errors: RulesetError says what is wrong with name or title; then nothing is written.
    """
    check_name(name)
    title = title.strip() or name.replace("_", " ").strip().capitalize()
    check_title(title)
    home = into.expanduser() / name
    files = package_texts(name, title) if package else game_texts(name, title)
    try:
        home.mkdir(parents=True)
        for path, text in files.items():
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise RulesetError(f"{home} exists already: choose another name") from None
    except OSError as e:
        raise RulesetError(f"{home}: it cannot be written: {e.strerror}") from None
    return _next(home, title, package)


def _next(home: Path, title: str, package: bool) -> str:
    """What to do with a game that was just written."""
    word = shlex.quote(str(home) if home.is_absolute() else f"./{home}")
    game = home / "src" / home.name if package else home
    lines = [
        f"{title} is in {home}. So far it has the rules of {TITLE}, a game of a minute.",
        "",
        f"  battlebox play {word}",
        f"  battlebox check {word}",
        *([f"  cd {word} && pip install -e . && pytest"] if package else []),
        "",
        f"Now change rules.py and README.md in {game}. The guide:",
        GUIDE,
    ]
    return "\n".join(lines)


def check_name(name: str) -> None:
    """Errors: RulesetError for what cannot be the name of a new game."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise RulesetError(
            f"{name!r} cannot be a game's name: write small letters, digits and _, a letter first"
        )
    if name in names():
        raise RulesetError(f"there is a game called {name} already: choose another name")
    if name in sys.stdlib_module_names or name == "battlebox":
        raise RulesetError(f"{name} is a module of Python or battlebox: choose another name")


def check_title(title: str) -> None:
    """Errors: RulesetError for what cannot be the title of a game."""
    if len(title) > LONGEST:
        raise RulesetError(f"the title has {len(title)} letters; {LONGEST} at most")
    if not title.isprintable() or re.search(r'["\\:*`|\[\]]', title):
        raise RulesetError(f"{title!r}: a title is letters, digits and spaces")
    if len(ids_of(title)) < 3:
        raise RulesetError(f"{title!r}: the title needs two letters, A to Z, for the ids of rules")


def ids_of(title: str) -> str:
    """How the ids of a game's rules begin: "DA-" for "Duel at dawn", "DU-" for "Duel"."""
    words = re.findall("[A-Za-z]+", title)
    two = words[0][0] + words[1][0] if len(words) > 1 else "".join(words)[:2]
    return f"{two.upper()}-"


def game_texts(name: str, title: str) -> dict[str, str]:
    """The files of the template as those of another game, by path."""
    ids, found = ids_of(title), dict[str, str]()
    for file in sorted(TEMPLATE.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            text = file.read_text(encoding="utf-8").replace(NAME, name).replace(TITLE, title)
            found[file.relative_to(TEMPLATE).as_posix()] = re.sub(rf"\b{IDS}", ids, text)
    return found


def package_texts(name: str, title: str) -> dict[str, str]:
    """The files of a package that is such a game, by path."""
    called = {"name": name, "title": title, "dashed": name.replace("_", "-")}
    return {
        "pyproject.toml": PYPROJECT.format(**called),
        "README.md": README.format(**called),
        f"tests/test_{name}.py": TEST.format(**called),
        **{f"src/{name}/{path}": text for path, text in game_texts(name, title).items()},
    }
