"""Battleball's lineups, for people: where each piece may be placed, and the stored ones."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ...core.saying import listed
from ...core.scene import Placement
from . import notation
from .halves import list_places
from .ids import cell_id, figure
from .positions import BOARD
from .state import CELLS, HEAVY, NOBODY, NODES, NOWHERE, RIGHT, TEAM, Lineup, Status

Words = tuple[str, str, tuple[str, ...], str]  # label, what it leads to, path, tone


def placements(look: Any) -> tuple[Placement, ...]:
    """Where each piece that the viewer has to line up may be placed.

    Where the coaches take turns only the next piece is placed (AMB-11).
    """
    o = look.o
    if not look.asked or look.next == NOBODY or look.t.lineup == Lineup.ALTERNATE:
        return ()
    me = int(o.to_act)
    order = [int(slot) for slot in look.t.order]
    left = [i for i in order if o.status[me, i] == Status.READY and o.plan[me, i] == 0]
    first = [i for i in left if (i == HEAVY) == (left[0] == HEAVY)]  # who is next, and all like it
    return tuple(
        Placement(
            tuple(figure(me, i) for i in slots),
            {cell_id(c): _taken(look, slots[0], c) for c in _places(look, slots[0])},
        )
        for slots in (first, [i for i in left if i not in first])
        if slots
    )


def _places(look: Any, slot: int) -> list[int]:
    """The cells where the rules let a piece of the viewer be placed."""
    o = look.o
    s = SimpleNamespace(square=o.square, plan=o.plan, dist=[0] * NODES, queue=[0] * CELLS)
    n = list_places(look.t, s, int(o.to_act), slot)  # type: ignore[arg-type]
    return [int(c) for c in s.queue[:n]]


def _taken(look: Any, slot: int, cell: int) -> tuple[str, ...]:
    """The cells that a piece takes up."""
    both = (cell, int(look.t.near[cell, RIGHT])) if slot == HEAVY else (cell,)
    return tuple(BOARD.names[c] for c in both)


def question(look: Any) -> str:
    """What the viewer is asked."""
    o, me = look.o, int(look.o.to_act)
    ready = [i for i in range(TEAM) if o.status[me, i] == Status.READY]
    left = sum(look.places[me][i] == NOWHERE for i in ready)
    if look.t.lineup == Lineup.ALTERNATE:
        piece = look.name(me, look.next)
        return f"Take turns to line up: place {piece} behind your line; {left} left."
    if left == len(ready):
        return "Line up your pieces, or start with a stored lineup."
    return f"Line up the rest: {left} left."


def strengths(look: Any) -> str:
    """Which letters run farthest, and which tackle best, by the dice of the team."""
    sides = {role.letter: role.sides for role in look.r.names.roles}
    most, least = max(sides.values()), min(sides.values())
    if most == least:
        return ""
    runs, tackles = (listed([x for x in sides if sides[x] == n]) for n in (most, least))
    run, tackle = ("" if " and " in x else "s" for x in (runs, tackles))
    return (
        f"{runs} run{run} farthest (d{most}: a die of {most} sides);"
        f" {tackles} tackle{tackle} best (the lower die wins)."
    )


def words(look: Any, action: int) -> Words:
    """A choice: one piece on its cell, or all of them."""
    me = int(look.o.to_act)
    if action < CELLS:
        label = f"Place {look.name(me, look.next)} on {BOARD.names[action]}"
        return label, "", (figure(me, look.next), cell_id(action)), "plain"
    if action == notation.RANDOM.at:
        return "Random lineup", "anywhere behind your line", (), "plain"
    number = action - notation.PRESET.at
    stored, cells = look.r.names.lineup, look.t.preset[number].cell[me]
    ready = [i for i in range(TEAM) if look.o.status[me, i] == Status.READY]
    path = tuple(x for i in ready for x in (figure(me, i), cell_id(int(cells[i]))))
    if number < len(stored):
        return f"Lineup {stored[number].name}", "", path, "plain"
    return f"Lineup {number + 1}", "one of your own", path, "plain"
