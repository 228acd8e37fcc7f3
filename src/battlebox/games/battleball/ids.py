"""Battleball: the ids of what stands in its scenes."""

from __future__ import annotations

from .positions import BOARD
from .team import code


def figure(team: int, slot: int) -> str:
    """The id of a piece."""
    return f"figure:{code(team, slot)}"


def cell_id(cell: int) -> str:
    """The id of a cell."""
    return f"cell:{BOARD.names[cell]}"
