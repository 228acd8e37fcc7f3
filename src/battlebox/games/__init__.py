"""The registry: the only file that names games. Others come from packages and folders."""

from __future__ import annotations

from ..core.shelf import Shelf

NAMES = ("war_zone", "battleball", "iron_man", "battle", "medieval")
SHELF = Shelf({name: f"{__name__}.{name}" for name in NAMES})
find, open_game = SHELF.find, SHELF.open
