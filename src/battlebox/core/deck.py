"""Decks: TOML files that hold a game's cards and numbers. Read, checked, explained.

What a deck may hold is declared with models of `Part`. All that is wrong with a text is told at
once, each fault by the name of its entry and its line: "Infantry Fire, line 12: damage -5; 0 to
999".
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
import types
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, TypeVar, Union, get_args, get_origin

import pydantic
from pydantic import Field

from .deck_keys import schema_of, takes
from .errors import BattleboxError, RulesetError
from .lines import Keys, lines
from .table import Model, Name, nearest, read_text

LINE = 1000  # a key of n parts costs tomllib n * n, and is one line
MOST = 100  # faults that are told,
LOOKED = 1000  # and those of pydantic's that are looked at


class Fault(NamedTuple):
    """Something wrong in a file: where, and what."""

    path: Keys  # () is the whole file
    text: str
    whole: bool = False  # the text names the key already


class Part(Model):
    """Base of all that a deck holds. The description of a field says what its key is for."""

    def checks(self) -> Sequence[Callable[[], Iterator[Fault]]]:
        """What must hold between the fields: the methods whose names begin with `check_`.

        Each is asked whatever the others find; one that needs a field that is wrong itself is left
        out.
        """
        every = dict.fromkeys(name for base in reversed(type(self).__mro__) for name in vars(base))
        return [getattr(self, name) for name in every if name.startswith("check_")]


M = TypeVar("M", bound=Part)

Id = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9_]*$",
        json_schema_extra={"takes": "a small letter, then small letters, digits and _"},
        description="what other entries and commands call it",
    ),
]
DeckName = Annotated[Name, Field(max_length=60, description="what the deck is called")]
CardName = Annotated[
    Name, Field(min_length=1, max_length=40, description="what people read on the card")
]

MOST_CARDS = 120  # of a deck
Count = Annotated[int, Field(ge=0, le=MOST_CARDS, description="how many of these cards there are")]


def card_code(pattern: str, takes: str) -> Any:
    """The key `code` of a kind of card. takes: what the pattern lets it be, in words."""
    return Field(
        pattern=f"^{pattern}$",
        json_schema_extra={"takes": takes},
        description="what players type",
    )


class CardEntry(Part):
    """What every kind of card says, in this order; a game's own says more."""

    id: Id
    code: str
    name: CardName


class CardDeck(Part):
    """Base of a deck file that lists kinds of cards, which have a `count`."""

    most_kinds: ClassVar[int]
    name: DeckName = ""

    @cached_property
    def lists(self) -> dict[str, list[Any]]:
        """The lists of kinds, by their keys."""
        fields = type(self).model_fields.items()
        return {k: getattr(self, k) for k, x in fields if get_origin(x.annotation) is list}

    @cached_property
    def cards(self) -> list[Any]:
        """All kinds, in the order of their numbers."""
        return [card for kinds in self.lists.values() for card in kinds]

    @cached_property
    def size(self) -> int:
        """How many cards there are."""
        return sum(card.count for card in self.cards)

    @property
    def fits(self) -> bool:
        """There are no more cards than a deck may have."""
        return self.size <= MOST_CARDS

    def check_kinds(self) -> Iterator[Fault]:
        if len(self.cards) > self.most_kinds:
            yield Fault((), f"{len(self.cards)} kinds of cards; {self.most_kinds} at most")

    def check_size(self) -> Iterator[Fault]:
        if not self.fits:
            yield Fault((), f"{self.size} cards; {MOST_CARDS} at most")

    def check_once(self) -> Iterator[Fault]:
        return each_once("cards", self.lists)


def room(cards: int, usual: int) -> int:
    """For how many cards a game's records have room: in steps of 20 beyond what is usual, as a game
    at other sizes is imported, and compiled, once for each.
    """
    return usual + -(-max(0, cards - usual) // 20) * 20


def each_once(
    things: str, lists: Mapping[str, Sequence[Any]], keys: Sequence[str] = ("id", "code", "name")
) -> Iterator[Fault]:
    """Things (cards) of these lists that share what only one may have."""
    for what in keys:
        seen = set[Any]()
        for key, entries in lists.items():
            for i, entry in enumerate(entries):
                value = getattr(entry, what, None)
                if value is not None and value in seen:
                    yield Fault((key, i, what), f"two {things} have the {what} {value!r}")
                seen.add(value)


# ---- reading -------------------------------------------------------------------------------------
def read_toml(text: str, model: type[M], where: str) -> M:
    """A TOML text as a model. Errors: RulesetError tells all that is wrong, each with its line."""
    text = text.removeprefix("\ufeff")
    data = _parse(text, where)
    made, wrong = _examine(data, model)
    if wrong:
        raise RulesetError(_report(where, wrong, data, lines(text)))
    return made


_read_once = lru_cache(64)(read_toml)  # of the games' own: a server makes many matches by them


def faults(text: str, model: type[Part], where: str) -> list[Fault]:
    """All that is wrong with a TOML text as such a model. RulesetError if it is not TOML."""
    return _examine(_parse(text.removeprefix("\ufeff"), where), model)[1]


def read_deck(deck: str, model: type[M], folder: Path) -> tuple[M, str]:
    """A deck by its name in the game's folder, by the path of a file *.toml, or as such a text; and
    its text, unless it is one of the game's.

    Errors: RulesetError, as of `read_toml`.
    """
    if "\n" in deck:
        text = deck.removeprefix("\ufeff").replace("\r\n", "\n")
        return read_toml(text, model, "deck"), text
    bundled = bundled_decks(folder)
    if path := bundled.get(deck):
        return _read_once(path.read_text(encoding="utf-8"), model, path.name), ""
    path = Path(deck)
    if path.suffix != ".toml":
        raise RulesetError(f"no deck {deck!r}{nearest(deck, bundled)}; your own is a file *.toml")
    try:
        text = read_text(path)
    except BattleboxError as e:
        raise RulesetError(f"deck {e}") from None
    return read_toml(text, model, str(path)), text


def bundled_decks(folder: Path) -> dict[str, Path]:
    """The decks that come with a game, by name."""
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def _parse(text: str, where: str) -> dict[str, Any]:
    """What `tomllib` reads. Errors: RulesetError with line and column."""
    rows = text.split("\n")
    if long := next((n for n, x in enumerate(rows, 1) if len(x) > LINE), 0):
        raise RulesetError(f"{where}, line {long}: longer than {LINE} characters")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        message, _, place = str(e).rpartition(" (at ")
        found = re.match(r"(line \d+, column \d+)\)", place)
        at = found[1] if found else f"line {len(rows)}, column {len(rows[-1]) + 1}"
        message = message or str(e)
        what = f"{message[:1].lower()}{message[1:]}"
        raise RulesetError(f"{where}, {at}: not a TOML file: {what}") from None
    except (ValueError, RecursionError) as e:  # numbers and nests without end
        raise RulesetError(f"{where}: not a TOML file: {e}") from None


# ---- what is wrong -------------------------------------------------------------------------------
def _examine(data: dict[str, Any], model: type[M]) -> tuple[M, list[Fault]]:
    """The data as a model, and all that is wrong with it."""
    try:
        made = model.model_validate(data)
        return made, list(_between(made, (), strict=True))
    except pydantic.ValidationError as e:
        wrong: dict[Keys, Fault] = {}
        for error in e.errors(include_url=False, include_context=False)[:LOOKED]:
            fault = _fault(error, data, model)
            wrong.setdefault(fault.path, fault)
        if e.error_count() > LOOKED:  # not a file that somebody means
            return model.model_construct(), list(wrong.values())
        loose = _loose(model, data, (), wrong)
        return loose, [*wrong.values(), *_between(loose, (), strict=False)]


def _fault(error: Any, data: Any, model: type[Part]) -> Fault:
    """One of pydantic's findings."""
    path, here = list[str | int](), data
    missing = error["type"] in ("missing", "extra_forbidden")
    for n, step in enumerate(error["loc"]):
        last = n == len(error["loc"]) - 1
        if isinstance(here, dict) and (step in here or (last and missing)):
            path.append(step)
            here = here.get(step)
        elif isinstance(here, list) and isinstance(step, int) and step < len(here):
            path.append(step)
            here = here[step]  # others are pydantic's own names of what it tried
    keys = tuple(path)
    _, key = _named(data, keys)
    if error["type"] == "extra_forbidden":
        known = schema_of(model, keys[:-1]).get("properties", {})
        return Fault(keys, f"'{key}' is not known{nearest(str(keys[-1]), known)}", True)
    if error["type"] == "missing":
        return Fault(keys, f"'{key}' is missing", True)
    wanted = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] != "value_error":
        schema = schema_of(model, keys)
        close = difflib.get_close_matches(str(here), schema.get("enum", ()), n=1)
        wanted = f"did you mean {close[0]!r}?" if close else takes(schema) or wanted
    return Fault(keys, f"{key} {_shown(here)}; {wanted}", True)


def _shown(value: Any) -> str:
    """A value as the file has it."""
    if isinstance(value, dict | list):
        return "is not valid" if value else "is empty"
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = text if text.isprintable() else ascii(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _loose(kind: Any, data: Any, path: Keys, wrong: Container[Keys]) -> Any:
    """The data as this kind without a check; fields that are wrong are not there at all."""
    if get_origin(kind) is Annotated:
        return _loose(get_args(kind)[0], data, path, wrong)
    if isinstance(kind, type) and issubclass(kind, Part):
        made = kind.model_construct()
        fields = dict[str, Any]()
        for name, field in kind.model_fields.items() if isinstance(data, dict) else ():
            if name in data and (*path, name) not in wrong:
                value = _loose(field.annotation, data[name], (*path, name), wrong)
                for x in field.metadata:
                    before: Any = getattr(x, "func", None)
                    value = before(value) if isinstance(x, pydantic.BeforeValidator) else value
                fields[name] = value
            elif name not in data and not field.is_required():
                fields[name] = field.default
        made.__dict__.clear()
        made.__dict__.update(fields)
        return made
    origin, inner = get_origin(kind), get_args(kind)
    if origin is list and isinstance(data, list):
        return [_loose(inner[0], x, (*path, i), wrong) for i, x in enumerate(data)]
    if origin is dict and isinstance(data, dict):
        key = int if int in (inner[0], *get_args(inner[0])[:1]) else str
        return {key(k): _loose(inner[1], x, (*path, k), wrong) for k, x in data.items()}
    if origin in (Union, types.UnionType):
        arms = [get_args(x)[0] if get_origin(x) is Annotated else x for x in inner]
        tables = [x for x in arms if get_origin(x) is dict or hasattr(x, "checks")]
        return _loose(tables[0], data, path, wrong) if tables and isinstance(data, dict) else data
    return data


def _between(value: Any, path: Keys, *, strict: bool) -> Iterator[Fault]:
    """What the checks of a model find, and those of all in it."""
    if isinstance(value, Part):
        for check in value.checks():
            try:
                yield from [f._replace(path=(*path, *f.path)) for f in check()]
            except AttributeError:  # what it needs has been found wrong already
                if strict:
                    raise
        inside: Iterable[tuple[str | int, Any]] = [
            (k, x) for k, x in value.__dict__.items() if k in type(value).model_fields
        ]
    elif isinstance(value, dict):
        inside = ((str(k), x) for k, x in value.items())
    else:
        inside = enumerate(value) if isinstance(value, list) else ()
    for key, x in inside:
        yield from _between(x, (*path, key), strict=strict)


def _report(where: str, wrong: list[Fault], data: Any, known: Mapping[Keys, int]) -> str:
    """All faults as a text, in the order of their lines."""
    found = []
    for fault in wrong:
        name, key = _named(data, fault.path)
        line = next((known[p] for p in _ways(fault.path) if p in known), 0)
        head = ", ".join(x for x in (name, f"line {line}" if line else "") if x)
        found.append(
            (line, head, f"{key}: {fault.text}" if key and not fault.whole else fault.text)
        )
    found.sort(key=lambda x: x[0] or math.inf)
    if len(found) == 1:
        _, head, text = found[0]
        if not head:
            return f"{where}: {text}"
        return f"{where}{', ' if head.startswith('line ') else ': '}{head}: {text}"
    told = [f"{head}: {text}" if head else text for _, head, text in found[:MOST]]
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    return "\n  ".join([f"{where}: {len(found)} errors", *told, *more])


def _ways(path: Keys) -> Iterator[Keys]:
    """A path, and those of what it lies in, the nearest first."""
    return (path[:n] for n in range(len(path), 0, -1))


def _named(data: Any, path: Keys) -> tuple[str, str]:
    """What people call the entry that a path lies in, and the key in it."""
    name, first, here = "", 0, data
    for n, step in enumerate(path):
        try:
            here = here[step]
        except (LookupError, TypeError):
            break
        if isinstance(step, int) and isinstance(here, dict):
            said = [x for k in ("name", "id") if isinstance(x := here.get(k), str)]
            fine = [x for x in said if x.isprintable() and 0 < len(x) <= 40]
            name, first = fine[0] if fine else f"{path[n - 1]} {step + 1}", n + 1
    key = ""
    for step in path[first:]:
        key += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if key else step
    return name, key
