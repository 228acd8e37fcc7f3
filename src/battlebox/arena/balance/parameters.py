"""The parameters of a ruleset by their paths: an option (`start_health`), or a number of its deck
(`deck.artillery.damage`), so that a command can say another.

In a deck, a table is entered by its name, an entry of a list of tables by its id.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from ...core.errors import RulesetError
from ...core.game import Ruleset
from ...core.table import nearest, read_text

DECK = "deck"
MOST = 24  # variants to be compared


class Setting(NamedTuple):
    """A path and the values it is to have in turn, as they were given."""

    path: str
    values: tuple[str, ...]


def read_setting(word: str) -> Setting:
    """`PATH=V1,V2`. Errors: RulesetError."""
    path, equals, values = word.partition("=")
    found = tuple(x.strip() for x in values.split(","))
    if not equals or not path or not all(found):
        raise RulesetError(f"{word!r} sets nothing; write PATH=VALUE or PATH=VALUE,VALUE")
    return Setting(path, found)


def variants(rules: Ruleset, settings: Sequence[Setting]) -> dict[str, Ruleset]:
    """The ruleset with every combination of these values, by what is set.

    Errors: RulesetError for a path or a value that the game does not know, or too many of them.
    """
    names = [s.path for s in settings]
    if twice := [x for x in names if names.count(x) > 1]:
        raise RulesetError(f"{twice[0]} is set twice; write {twice[0]}=VALUE,VALUE")
    every = list(product(*(s.values for s in settings)))
    if len(every) > MOST:
        raise RulesetError(f"{len(every)} variants: {MOST} at most")
    out = {}
    for values in every:
        chosen = {s.path: value for s, value in zip(settings, values, strict=True)}
        out[" ".join(f"{path}={value}" for path, value in chosen.items())] = change(rules, chosen)
    return out


def change(rules: Ruleset, values: Mapping[str, str]) -> Ruleset:
    """The ruleset with other values at these paths. Errors: RulesetError names what is wrong."""
    options = {path: value for path, value in values.items() if not path.startswith(f"{DECK}.")}
    for path in options:
        if path not in type(rules.options).model_fields:
            raise RulesetError(f"{rules.name}: {path!r} is not known{nearest(path, paths(rules))}")
    changed = rules.changed(options) if options else rules
    numbers = {path: value for path, value in values.items() if path not in options}
    return changed.changed({DECK: changed_deck(changed, numbers)}) if numbers else changed


def number_at(rules: Ruleset, path: str) -> int:
    """The number at a path now. Errors: RulesetError if there is none."""
    if not path.startswith(f"{DECK}."):
        value = getattr(rules.options, path, None)
        if not _is_number(value):
            raise RulesetError(
                f"{rules.name}: {path!r} is not a number{nearest(path, paths(rules))}"
            )
    else:
        table, key = _place(deck_of(rules), path, rules)
        value = table[key]
    assert isinstance(value, int)
    return value


def changed_deck(rules: Ruleset, values: Mapping[str, str]) -> str:
    """The ruleset's deck as TOML, with other numbers at these paths. Errors: RulesetError."""
    data = deck_of(rules)
    for path, value in values.items():
        table, key = _place(data, path, rules)
        try:
            table[key] = int(value)
        except ValueError:
            raise RulesetError(f"{rules.name}: {path} = {value!r}: a whole number") from None
    return to_toml(data)


def _place(data: dict[str, Any], path: str, rules: Ruleset) -> tuple[dict[str, Any], str]:
    """The table in a deck, and the key in it, where the number of a path stands."""
    table, (*steps, key) = data, path.split(".")[1:]
    for step in steps:
        table = _inside(table).get(step, {})
    if not _is_number(table.get(key)):
        raise RulesetError(f"{rules.name}: {path!r} is not known{nearest(path, paths(rules))}")
    return table, key


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _inside(table: Mapping[str, Any]) -> dict[str, Any]:
    """The tables in a table by name, and the entries of its lists of tables by id."""
    out = {}
    for key, value in table.items():
        if isinstance(value, dict):
            out[key] = value
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            out |= {str(entry.get("id")): entry for entry in value}
    return out


def named(rules: Ruleset, path: str) -> frozenset[str]:
    """What the card may be called whose number is at a path of the deck: its code and its name, if
    the deck gives it any, and each table on the way, as `slug` writes a name. Empty for an option.
    """
    if not path.startswith(f"{DECK}."):
        return frozenset()
    table, key = _place(deck_of(rules), path, rules)
    steps = {*path.split(".")[1:-1], key}
    given = {str(table.get("code", "")), slug(str(table.get("name", "")))}
    return frozenset({step for step in steps if not step.isdecimal()} | (given - {""}))


def slug(name: str) -> str:
    """`Man-at-Arms` as decks write it: `man_at_arms`."""
    return "_".join(re.findall(r"[a-z0-9]+", name.lower()))


def deck_of(rules: Ruleset) -> dict[str, Any]:
    """What the ruleset's deck file says. Errors: RulesetError if the game has no decks."""
    if DECK not in type(rules.options).model_fields:
        raise RulesetError(f"{rules.name} has no deck{nearest(DECK, paths(rules))}")
    named = rules.game.folder / "decks" / f"{rules.all_options[DECK]}.toml"
    return tomllib.loads(rules.text or read_text(named))


def paths(rules: Ruleset) -> list[str]:
    """All paths that can be set."""
    out = sorted(type(rules.options).model_fields)
    return [*out, *(_paths(deck_of(rules), DECK) if DECK in out else ())]


def _paths(table: Mapping[str, Any], path: str) -> Iterator[str]:
    yield from (f"{path}.{key}" for key, value in table.items() if _is_number(value))
    for key, inner in _inside(table).items():
        yield from _paths(inner, f"{path}.{key}")


# ---- TOML ----------------------------------------------------------------------------------------
def to_toml(data: Mapping[str, Any]) -> str:
    """A deck as a TOML file: what `tomllib` reads as the same."""
    return "\n".join(_lines(data, "")).strip() + "\n"


def _lines(table: Mapping[str, Any], name: str) -> Iterator[str]:
    later = {k: v for k, v in table.items() if name.count(".") < 1 and _tables(v)}
    yield from (f"{_key(k)} = {_value(v)}" for k, v in table.items() if k not in later)
    for key, value in later.items():
        path = f"{name}.{_key(key)}" if name else _key(key)
        for entry in value if isinstance(value, list) else [value]:
            yield from ("", f"[[{path}]]" if isinstance(value, list) else f"[{path}]")
            yield from _lines(entry, path)


def _tables(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    )


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return repr(value)
