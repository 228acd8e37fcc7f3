"""All games that learners' libraries are tried with: ours in every way to play, those of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import battlebox as bb
from battlebox.core.errors import RulesetError
from battlebox.games import NAMES, find
from battlebox.testing.ways import axes, has_usual_sizes

EXAMPLES = Path(__file__).parent.parent / "examples"
OUTSIDE = [str(EXAMPLES / x / "src" / x) for x in ("kuhn_poker", "goofspiel", "cribbage")]


def ways(name: str) -> Iterator[dict[str, Any]]:
    """Every mode of a game with every number of players."""
    game, seen = find(name), set()
    for mode in ({}, *(m.options for m in game.modes)):
        for players in axes(game)["players"]:
            options = {"players": players, **mode}
            with suppress(RulesetError):
                rules = bb.load(name, **options)
                if has_usual_sizes(rules) and repr(rules) not in seen:
                    seen.add(repr(rules))
                    yield options


def name_of(x: Any) -> str:
    """What a test of it is called."""
    return Path(x).name if isinstance(x, str) else "-".join(map(str, x.values()))


ALL = [
    *((name, options) for name in NAMES for options in ways(name)),
    *((folder, {}) for folder in OUTSIDE),
]
