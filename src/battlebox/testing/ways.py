"""The ways to play a game: every mode, number of players and value of an option, as rulesets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from ..core.errors import BattleboxError, RulesetError
from ..core.game import Game, Ruleset

COMBINATIONS = 30


def values(about: dict[str, Any]) -> list[Any]:
    """Some values of an option, from its schema: all of few, else the ends and what lies near the
    default.
    """
    if about.get("type") == "boolean":
        return [False, True]
    if "enum" in about:
        return list(about["enum"])
    if "maximum" not in about:
        return [about["default"]]
    low, high, usual = about["minimum"], about["maximum"], about["default"]
    if high - low < 8:
        return list(range(low, high + 1))
    return sorted({low, low + 1, max(low, usual - 1), usual, min(high, usual + 1), high})


def axes(game: Game) -> dict[str, list[Any]]:
    """Each option with such values; the decks that come with a game stand for its option deck."""
    found = {n: values(a) for n, a in game.options.model_json_schema()["properties"].items()}
    if "deck" in found and game.decks:
        found["deck"] = sorted(game.decks)
    return found


def _one_by_one(game: Game) -> Iterator[dict[str, Any]]:
    """Every number of players alone, in each mode, and with each other value of an option."""
    all_axes = axes(game)
    for players in all_axes["players"]:
        yield {"players": players}
        for mode in game.modes:
            yield {"players": players, **mode.options}
    for players in all_axes["players"]:
        for name, some in all_axes.items():
            if name != "players":
                for value in some:
                    yield {"players": players, name: value}


def combinations(game: Game) -> list[Ruleset]:
    """Rulesets in which every option is drawn at random: the first that are no contradiction."""
    all_axes, dice, found = axes(game), random.Random(1), list[Ruleset]()
    for _ in range(40 * COMBINATIONS):
        options = {name: dice.choice(some) for name, some in all_axes.items()}
        with suppress(RulesetError):
            found.append(game.ruleset(options))
        if len(found) == COMBINATIONS:
            break
    return found


@cache
def rulesets(game: Game) -> list[Ruleset]:
    """All different ones, the modes first, the combinations last."""
    found = dict[str, Ruleset]()
    for options in _one_by_one(game):
        with suppress(RulesetError):
            rules = game.ruleset(options)
            found.setdefault(repr(rules), rules)
    for rules in combinations(game):
        found.setdefault(repr(rules), rules)
    return list(found.values())


def has_usual_sizes(rules: Ruleset) -> bool:
    """Another would have to be compiled anew, which takes longer than all its matches."""
    return rules.game.base is None


def spread(found: list[Ruleset], n: int) -> list[Ruleset]:
    """n of these rulesets: evenly out of them all; all of them, and again, if there are fewer."""
    if n >= len(found):
        return [found[k % len(found)] for k in range(n)]
    return [found[k * len(found) // n] for k in range(n)]


def contradiction(game: Game, options: dict[str, Any]) -> str:
    """Why a game cannot be played so, whatever the number of players; or nothing."""
    why = ""
    for players in axes(game)["players"]:
        try:
            game.ruleset({"players": players, **options})
        except BattleboxError as e:
            why = why or str(e)
        else:
            return ""
    return why
