"""What may be chosen before a match: options, modes, numbers of players, decks."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

from ..core.deck import read_toml
from ..core.errors import BattleboxError
from ..core.game import Game
from .failure import Failure, line_of, word_of
from .ways import axes, contradiction, rulesets

WRITE = (
    'Write, for example: rounds: int = option(3, "Rounds", Group.ENDING, "this many are played")'
)


def every_way_to_play_loads(game: Game) -> int:
    """Every mode, every number of players, what people start from. Errors: Failure."""
    found = rulesets(game)
    there = {rules.players for rules in found}
    if alone := [n for n in axes(game)["players"] if n not in there]:
        why = contradiction(game, {"players": alone[0]})
        raise Failure(f"nobody can play with players={alone[0]}: {why}", _of(game, " players:"))
    mode_at = line_of(game.folder / "__init__.py", "Mode(")
    for mode in game.modes:
        if why := contradiction(game, dict(mode.options)):
            raise Failure(f"the mode {mode.name} cannot be played: {why}", mode_at)
    if why := contradiction(game, dict(game.human_defaults)):
        raise Failure(
            f"human_defaults cannot be played: {why}",
            line_of(game.folder / "__init__.py", "human_defaults"),
        )
    return len(found)


def what_is_played_with_is_shown(game: Game) -> int:
    """The cards and other pieces of each mode, each kind once. Errors: Failure."""
    for mode in [dict(x.options) for x in game.modes] or [{}]:
        rules = game.ruleset({**game.human_defaults, **mode})
        ids = [piece.id for family in rules.components for piece in family.pieces]
        if twice := [x for x in ids if ids.count(x) > 1]:
            raise Failure(
                f"components: {twice[0]} is there {ids.count(twice[0])} times",
                line_of(game.folder / "scene.py", "def components"),
                "Give each kind once, with how many there are of it (Piece.count).",
            )
    return 0


def every_option_is_explained(game: Game) -> int:
    """Each has a title, a group and a description, and a name for each value that is no number;
    those of one group stand together. Errors: Failure.
    """
    told: dict[str, dict[str, Any]] = game.options.model_json_schema()["properties"]
    for key, about in told.items():
        said, where = about.get("description", ""), _of(game, f" {key}:")
        if not re.fullmatch(r"[A-Z][^_]*", about["title"]):
            raise Failure(
                f"{key}: its title {about['title']!r} is no title: write one as people say it",
                where,
                WRITE,
            )
        if not said:
            raise Failure(f"{key}: it does not say what it does", where, WRITE)
        if re.search(r"-?\d: |_", said.replace(".toml", "")):
            raise Failure(
                f"{key}: {said!r} explains numbers or names of code",
                where,
                'Names of single values go into names={0: "none"}.',
            )
        words = [str(x) for x in [*about.get("enum", ()), *about.get("examples", ())]]
        words += [str(about["minimum"])] if about.get("minimum", 0) < 0 else []
        if unnamed := [x for x in words if x not in about.get("names", {})]:
            write = f'Write names={{"{unnamed[0]}": "..."}}, as people call it.'
            raise Failure(f"{key}: {unnamed[0]} has no name", where, write)
        if key != "players" and "group" not in about:
            raise Failure(f"{key}: it belongs to no group", where, "Make it with option(...).")
    order = [about["group"] for key, about in told.items() if key != "players"]
    together = [k for k, _ in groupby(order)]
    if twice := [k for k in together if together.count(k) > 1]:
        raise Failure(f"the options of the group {twice[0]} do not stand together", _of(game))
    return 0


def deck_is_right(game: Game, path: Path) -> int:
    """A deck of decks/ can be read, and played by some number of players. Errors: Failure."""
    hint = f"battlebox deck check {path} --game {word_of(game)} says all that is wrong with it."
    try:
        if game.deck:
            read_toml(path.read_text(encoding="utf-8"), game.deck, str(path))
    except BattleboxError as e:
        raise Failure(str(e), "", hint) from None
    if why := contradiction(game, {"deck": path.stem}):
        raise Failure(f"nobody can play with it: {why}", str(path), hint)
    return 1


def _of(game: Game, text: str = "class Options") -> str:
    """Where an option is declared, or whatever else begins so."""
    path = game.folder / "options.py"
    found = line_of(path, text) if path.is_file() else ""
    return found if ":" in found else str(game.folder)
