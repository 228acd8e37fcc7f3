"""Battleball: the way of a move, for who wants to see it; the rules only ask where it may end.

The search is that of `moving.flood`, and keeps where it came from. All of it comes from an
observation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from ...core.views import Cells
from .field import fits, is_next_to, piece
from .moving import has_ghost_step, is_on_ball, leads_with_foot
from .state import CELLS, HEAVY, LEFT, NODES, NOWHERE, RIGHT, TEAM, Status

Node = tuple[int, int]  # a cell, and a layer: + 1 once the ball is had, + 2 after a Ghost Step


@dataclass(frozen=True)
class Way:
    """The shortest way of the mover to where it may go, its first cell first."""

    cells: tuple[int, ...]
    stop: bool = False  # next to an opponent there: it must stop

    @property
    def steps(self) -> int:
        return len(self.cells) - 1


class Search:
    """All ways of the mover of an observation, on one of its feet."""

    def __init__(self, t: Any, o: Any, begin: int, wide: bool, ghost: bool) -> None:
        self.t, self.o, self.wide, self.ghost = t, o, wide, ghost
        self.us, self.me = o.turn, piece(o.turn, o.mover)
        self.mine = o.holder == self.me
        self.begin: Node = (begin, 0)
        self.steps: dict[Node, int] = {self.begin: 0}
        self.came: dict[Node, Node] = {}
        self.home: Node | None = None  # from here the next step leads into the end zone
        self._flood()

    def _flood(self) -> None:
        queue = deque([self.begin])
        while queue:
            node = queue.popleft()
            c, layer = node
            stop = node != self.begin and is_next_to(self.t, self.o, self.us, self.wide, c)
            spent = self.steps[node] + 1 > self.o.steps
            if spent or (stop and not (self.ghost and layer < 2)):
                continue
            layer += 2 if stop else 0
            if self.home is None and self.t.goal[self.us, c] and (self.mine or layer % 2):
                self.home = node
            for onto in self._next(c, layer):
                if onto not in self.steps:
                    self.steps[onto], self.came[onto] = self.steps[node] + 1, node
                    queue.append(onto)

    def _next(self, c: int, layer: int) -> Iterator[Node]:
        for n in self.t.near[c]:
            if not fits(self.t, self.o, self.wide, self.me, n):
                continue
            if layer % 2 == 0 and is_on_ball(self.t, self.o, self.wide, n):
                if self.t.optional_pickup:
                    yield n, layer
                yield n, layer + 1
            else:
                yield n, layer

    def way(self, node: Node) -> tuple[int, ...]:
        """The cells that lead there."""
        cells = [node[0]]
        while node in self.came:
            node = self.came[node]
            cells.append(node[0])
        return tuple(reversed(cells))

    def nodes(self) -> Iterator[Node]:
        """Every node that was come to, the nearest first; without a Ghost Step if it can be had."""
        for cell, layer in self.steps:
            if layer < 2 or (cell, layer - 2) not in self.steps:
                yield cell, layer


def ways(t: Any, o: Any) -> tuple[dict[int, Way], Way | None]:
    """The ways by the number of the action (a cell, + CELLS with the ball), and that to score."""
    return _ways(t, o, o.at[o.turn, o.mover], has_ghost_step(o))


def lengths(t: Any, o: Any) -> tuple[dict[int, int], int | None]:
    """Only the steps of `ways`: many pieces may be asked about, and no way of theirs is drawn."""
    if leads_with_foot(t, o):
        found, home = ways(t, o)
        return {action: w.steps for action, w in found.items()}, home.steps if home else None
    search = Search(t, o, o.at[o.turn, o.mover], bool(o.mover == HEAVY), has_ghost_step(o))
    steps: dict[int, int] = {}
    for cell, layer in search.nodes():
        steps.setdefault(cell + layer % 2 * CELLS, search.steps[cell, layer])
    return steps, search.steps[search.home] + 1 if search.home else None


def _ways(t: Any, o: Any, begin: int, ghost: bool) -> tuple[dict[int, Way], Way | None]:
    """The same from any cell."""
    wide = bool(o.mover == HEAVY)
    if leads_with_foot(t, o):
        return _ways_of_feet(t, o, begin)
    search = Search(t, o, begin, wide, ghost)
    found: dict[int, Way] = {}
    for cell, layer in search.nodes():
        stop = bool(is_next_to(t, o, o.turn, wide, cell))
        found.setdefault(cell + layer % 2 * CELLS, Way(search.way((cell, layer)), stop))
    return found, _way_home(search)


def _way_home(search: Search) -> Way | None:
    """The way to the goal row and one step more."""
    if search.home is None:
        return None
    return Way((*search.way(search.home), NOWHERE))


def _ways_of_feet(t: Any, o: Any, begin: int) -> tuple[dict[int, Way], Way | None]:
    """AMB-8: one foot walks, the other follows; the shorter way of the two counts."""
    found: dict[int, Way] = {}
    homes = []
    for foot in (0, 1):
        search = Search(t, o, t.near[begin, RIGHT] if foot else begin, False, False)
        homes += [w for w in [_way_home(search)] if w]
        for cell, layer in search.nodes():
            anchor = t.near[cell, LEFT] if foot else cell
            if anchor == NOWHERE:
                continue
            had = layer % 2 or is_on_ball(t, o, True, anchor)
            action = anchor + (CELLS if had else 0)
            way = Way(search.way((cell, layer)))
            if action not in found or way.steps < found[action].steps:
                found[action] = way
    return found, min(homes, key=lambda w: w.steps, default=None)


def way_of_last_move(t: Any, o: Any, team: int) -> tuple[int, ...]:
    """The way of the piece that this team has moved, as it was shown before the choice: also
    over the ball, and past an opponent who has fallen since.
    """
    to = o.at[team, o.mover] + CELLS * o.grabbed
    threats = tuple(o.threat[1 - team, c] for c in range(NODES))
    if o.struck and o.status[1 - team, o.target] != Status.FIELD:
        threats = _with(t, threats, o.struck - 1, o.target == HEAVY)
    return _way_back(
        t, team, o.mover, o.began - 1, to, o.steps, tuple(o.square), threats, o.ball_lay
    )


def _with(t: Any, threats: tuple[int, ...], cell: int, wide: bool) -> tuple[int, ...]:
    """What these were while an opponent stood on this cell."""
    found = list(threats)
    for foot in [cell, t.near[cell, RIGHT]] if wide else [cell]:
        for n in t.near[foot]:
            found[n] += 1
    return tuple(found)


@lru_cache(256)
def _way_back(
    t: Any,
    team: int,
    slot: int,
    began: int,
    to: int,
    steps: int,
    square: tuple[int, ...],
    threats: tuple[int, ...],
    ball: int,
) -> tuple[int, ...]:
    """The search of then. As many look at one move, and at each of its pictures, it is done once.

    Where its piece stands now is as free for it as it was, and carnage is as much in its way as who
    fell there. Only its ends, if the field has changed so that no way leads there any more.
    """
    none = [0] * NODES
    was = SimpleNamespace(turn=team, mover=slot, steps=steps, holder=0, ball=ball, square=square)
    was.threat = Cells([none, list(threats)] if team == 0 else [list(threats), none])
    found, _ = _ways(t, was, began, ghost=True)  # one is taken only where no other way leads there
    return found[to].cells if to in found else (began, to % CELLS)


def contacts(t: Any, o: Any, slot: int, cell: int) -> list[tuple[int, int]]:
    """BB-66: (own, opposing) pieces next to each other by their numbers, of one's own piece, if it
    stood on this cell.
    """
    if cell == NOWHERE:
        return []
    feet = [cell, t.near[cell, RIGHT]] if slot == HEAVY else [cell]
    around = {o.square[n] for f in feet for n in t.near[f]}
    return [(slot, int(x)) for x in sorted(around) if _belongs(x, 1 - o.turn)]


def _belongs(what: int, team: int) -> bool:
    return bool(1 + TEAM * team <= what <= TEAM + TEAM * team)
