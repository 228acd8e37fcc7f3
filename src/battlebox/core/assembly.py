"""A game from a package: what its files say, and defaults for all that they leave unsaid.

`rules.py` alone is enough. hidden.py, notation.py, scene.py, options.py, insight.py and features.py
replace the defaults, each as far as it goes; decks/, README.md and scenarios.scn come along.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import pydantic

from .deck import Part
from .drawing import DefaultSaying, DefaultScene, DefaultScenes
from .errors import GameError
from .game import Game, Options, Resolved, bounds, most_players
from .notation import DefaultNotation, Override
from .perspective import Perspective
from .saying import Saying
from .state import NoNumbers


def game_of(package: str, **more: Any) -> Game:
    """The game that a package is: `GAME = game_of(__name__)` in its `__init__.py`.

    Title and description are the first line of its docstring, or that of rules.py: "Kuhn poker:
    three cards, one bet." more: fields of `Game` that no file says, such as modes, or a name
    that is not the folder's.

    Errors: GameError says what is missing, and what to write.
    """
    folder = Path(str(importlib.import_module(package).__path__[0]))
    rules = _part(package, folder, "rules")
    if rules is None:
        raise GameError(f"{folder}: no rules.py; a game's rules stand there")
    said = _first_line(importlib.import_module(package)) or _first_line(rules)
    title, colon, about = said.partition(": ")
    if not colon:
        raise GameError(
            f"{folder / 'rules.py'}: begin with a line that says what the game is called and what "
            'it is about: """Kuhn poker: three cards, one bet."""'
        )
    options = _part(package, folder, "options")
    model = _with_players(_class_in(Options, options, rules), rules, folder)
    notation, scene = _part(package, folder, "notation"), _part(package, folder, "scene")
    name = more.get("name", folder.name)
    written = _class_in(DefaultNotation, notation) or DefaultNotation
    scenes = DefaultScenes(
        _class_in(Perspective, scene) or DefaultScene,
        _class_in(Saying, scene, _part(package, folder, "saying")) or DefaultSaying,
    )
    usual = {
        "name": name,
        "title": title,
        "about": f"{about[:1].upper()}{about[1:]}",
        "version": getattr(rules, "VERSION", 1),
        "options": model,
        "resolve": _named("resolve", options, rules) or partial(resolve_by_name, rules=rules),
        "deck": _class_in(Part, options, named="Deck"),
        "rules": rules,
        "hidden": _part(package, folder, "hidden"),
        "insight": _part(package, folder, "insight"),
        "features": _part(package, folder, "features"),
        "notation": Override(notation, written(rules, name, title, most_players(model))),
        "scenes": Override(scene, scenes),
        "sides": _named("sides", options),
        "intermediate_views": _named("intermediate_views", scene),
    }
    return Game(**(usual | more))


def _part(package: str, folder: Path, name: str) -> ModuleType | None:
    """A module of the game, if its folder has such a file."""
    if not (folder / f"{name}.py").exists():
        return None
    return importlib.import_module(f"{package}.{name}")


def _first_line(module: ModuleType) -> str:
    lines = (module.__doc__ or "").strip().splitlines()
    return lines[0].strip() if lines else ""


def _named(name: str, *modules: ModuleType | None) -> Any:
    """The first of these modules' things of that name."""
    return next((getattr(m, name) for m in modules if hasattr(m, name)), None)


def _class_in(base: type, *modules: ModuleType | None, named: str = "") -> Any:
    """The class of a module that is made from `base` there, the last one if there are several."""
    for m in modules:
        found = (
            [
                x
                for x in vars(m).values()
                if isinstance(x, type) and issubclass(x, base) and x.__module__ == m.__name__
                if not named or x.__name__ == named
            ]
            if m
            else []
        )
        if found:
            return found[-1]
    return None


def _with_players(model: type[Options] | None, rules: ModuleType, folder: Path) -> type[Options]:
    """The options of a game, or none; where they do not say how many play, as many as there are
    seats.
    """
    written = model.__mro__[: model.__mro__.index(Options)] if model else ()
    if model and any("players" in vars(x).get("__annotations__", {}) for x in written):
        return model
    seats = getattr(rules, "SEATS", None)
    if not isinstance(seats, int):
        raise GameError(
            f"{folder / 'rules.py'}: say how many play: SEATS = 2; or write a class Options"
        )
    players: Any = pydantic.Field(
        seats, title="Players", description="how many players", **bounds(seats, seats)
    )
    about = model.__doc__ if model else "There is nothing to choose."
    made: type[Options] = pydantic.create_model(
        "Options", __base__=model or Options, __doc__=about, players=(int, players)
    )
    return made


def resolve_by_name(
    options: Options,
    rules: ModuleType,
    more: Mapping[str, Any] | None = None,
    *,
    deck: tuple[Any, str] = (None, ""),
    sizes: Mapping[str, int] | None = None,
) -> Resolved:
    """A table whose numbers are the options of the same names; more: what is not.

    Yes and no are 1 and 0, one of several texts its place among them. deck: what `read_deck` found.
    sizes: of the records, by name; the usual ones stand in rules.py, in capitals.
    Errors: GameError for a number that nobody says.
    """
    known, numbers = type(options).model_fields, dict(more or {})
    record = getattr(rules, "Table", NoNumbers)
    if record is NoNumbers:
        numbers = dict.fromkeys(NoNumbers.layout.names or (), 0)
    for name in record.layout.names or ():
        if name in numbers:
            continue
        if name not in known:
            raise GameError(
                f"{rules.__file__}: Table.{name}: no option is called {name}; add one, or give it "
                "in resolve of options.py: return resolve_by_name(o, rules, {'" + name + "': ...})"
            )
        value, kind = getattr(options, name), known[name].annotation
        numbers[name] = get_args(kind).index(value) if get_origin(kind) is Literal else int(value)
    wanted = dict(sizes or {})
    usual = {name: getattr(rules, name.upper()) for name in wanted}
    return Resolved({} if wanted == usual else wanted, numbers, *deck)
