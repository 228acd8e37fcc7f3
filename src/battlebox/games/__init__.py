"""The registry: the only file that names games."""

from __future__ import annotations

import importlib

from ..core.errors import RulesetError
from ..core.game import Game
from ..core.table import nearest

NAMES = ("war_zone", "battleball", "iron_man", "battle", "medieval")


def find(name: str) -> Game:
    """The game of that name; RulesetError if there is none."""
    if name not in NAMES:
        raise RulesetError(f"no game {name!r}{nearest(name, NAMES)}")
    game: Game = importlib.import_module(f"{__name__}.{name}").GAME
    return game
