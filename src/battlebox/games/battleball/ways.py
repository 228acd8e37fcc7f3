"""Battleball: the way of a move, for who wants to see it; the rules only ask where it may end.

The search is that of `moving.flood`, on sets of cells, and keeps where it came from. All of it
comes from an observation. A set of cells is a number: bit c is cell c. So a step of all pieces'
ways at once is a few shifts, and a picture with all its ways takes no long time of the server.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from ...core.checked import Cells
from ...core.zones import GridWays
from .field import piece
from .moving import has_ghost_step, leads_with_foot
from .state import AROUND, CELLS, EMPTY, HEAVY, LEFT, NODES, NOWHERE, RIGHT, TEAM, Status

#: a cell, + NODES once the ball is had, + 2 NODES after a Ghost Step
Node = int


class Step(NamedTuple):
    """The last step of a way, and the way before it: ways that begin alike have the same steps."""

    before: Step | None
    cell: int


class Way(NamedTuple):
    """The shortest way of the mover to where it may go."""

    last: Step
    steps: int
    stop: bool = False  # next to an opponent there: it must stop

    @property
    def cells(self) -> tuple[int, ...]:
        """Its cells, the first one first."""
        found = list[int]()
        step: Step | None = self.last
        while step is not None:
            found.append(step[1])
            step = step[0]
        return tuple(reversed(found))


# ---- sets of cells ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Grid:
    """The field of a table."""

    near: tuple[tuple[int, ...], ...]  # the neighbours of each cell
    shifts: tuple[tuple[int, int], ...]  # the cells with a neighbour so many numbers on; how many
    pairs: int  # cells with one on their right, which is the next number
    anchors: int
    goals: tuple[int, int]
    stands: tuple[int, int]

    def around(self, cells: int) -> int:
        """All neighbours of these cells."""
        found = 0
        for having, far in self.shifts:
            found |= (cells & having) << far if far > 0 else (cells & having) >> -far
        return found

    def or_right(self, cells: int) -> int:
        """Where the Heavy Tackle has a foot in these cells, as its left foot's cell."""
        return cells | (cells >> 1 & self.pairs)


@lru_cache(64)
def grid(t: Any) -> Grid:
    """That of this table."""
    around = ([t.near[c, k] for k in range(AROUND)] for c in range(NODES))
    near = [[n for n in cells if n != NOWHERE] for cells in around]
    shifts: dict[int, int] = {}
    for c in range(CELLS):
        for n in near[c]:
            shifts[n - c] = shifts.get(n - c, 0) | 1 << c
    return Grid(
        near=tuple(map(tuple, near)),
        shifts=tuple((having, far) for far, having in shifts.items()),
        pairs=_set(t.near[c, RIGHT] != NOWHERE for c in range(CELLS)),
        anchors=_set(t.anchor),
        goals=(_set(t.goal[0]), _set(t.goal[1])),
        stands=(_set(t.stand[0]), _set(t.stand[1])),
    )


def _set(having: Any) -> int:
    """The cells for which that holds."""
    return sum(1 << c for c, x in enumerate(having) if x)


@lru_cache(64)
def _digits(*values: int) -> bytes:
    """For `bytes.translate`: a 1 for each of these values, a 0 for others."""
    return bytes(49 if x in values else 48 for x in range(256))


_SOME = bytes([48] + 255 * [49])
_FLAGS = bytes(1 if x == 49 else 0 for x in range(256))


def _where(field: Any, digits: bytes) -> int:
    """The cells where a field has such a value."""
    return int(bytes(field).translate(digits)[::-1], 2)


def _flags(cells: int) -> bytearray:
    """For each cell, 1 if it is one of these."""
    return bytearray(f"{cells:0{NODES}b}"[::-1].encode().translate(_FLAGS))


class Ground(NamedTuple):
    """What counts for a mover, by the cells where it would stand."""

    free: int  # neither another piece nor carnage is there (`field.fits`)
    stop: int  # next to an opponent (`field.is_next_to`)
    ball: int  # the loose ball is under a foot of it (`moving.is_on_ball`)


def ground(t: Any, o: Any, wide: bool) -> Ground:
    """That of the mover of an observation; `wide`: it is the Heavy Tackle, on both feet."""
    us = o.turn
    free = _where(o.square, _digits(EMPTY, int(piece(us, o.mover))))
    stop = _where(o.threat[1 - us], _SOME)
    ball = 0 if o.ball == NOWHERE else 1 << o.ball
    if not wide:
        return Ground(free, stop, ball)
    g = grid(t)
    return Ground(free & free >> 1 & g.pairs & g.anchors, g.or_right(stop), g.or_right(ball))


# ---- how far it is ------------------------------------------------------------------------------
class Reach(NamedTuple):
    """Where the mover may end, by the steps of the shortest way there: none, one, two ..."""

    without: Sequence[int]  # cells where it comes without the ball, or had it before
    taking: Sequence[int]  # where it takes the loose ball, here or on the way
    home: int | None  # steps into the end zone with the ball

    @property
    def ball(self) -> int | None:
        """Steps to get to the loose ball."""
        return next((n for n, cells in enumerate(self.taking) if cells), None)

    def to(self, cells: int) -> int | None:
        """Steps to the nearest of these cells."""
        both = zip(self.without, self.taking, strict=True)
        return next((n for n, (a, b) in enumerate(both) if (a | b) & cells), None)


def reach(t: Any, o: Any) -> Reach:
    """That of the mover of an observation: where `moving.may_run` lets it go."""
    wide, begin, g = bool(o.mover == HEAVY), o.at[o.turn, o.mover], grid(t)
    both = ground(t, o, wide)
    ends = g.stands[wide] & ~(1 << begin)
    if not leads_with_foot(t, o):
        found = _spread(t, o, begin, both, has_ghost_step(o))
        without = [cells & ends & ~both.ball for cells in found.without]
        return Reach(without, [cells & ends for cells in found.taking], found.home)
    one = ground(t, o, False)  # AMB-8: one foot walks, the end must fit both
    left, right = (_spread(t, o, c, one, False) for c in (begin, t.near[begin, RIGHT]))
    ends &= both.free
    without, taking = [], []
    for a, b, x, y in zip(left.without, right.without, left.taking, right.taking, strict=True):
        come, had = (a | b >> 1 & g.pairs) & ends, (x | y >> 1 & g.pairs) & ends
        without.append(come & ~both.ball)
        taking.append(had | come & both.ball)
    homes = [x for x in (left.home, right.home) if x is not None]
    return Reach(without, taking, min(homes, default=None))


def _spread(t: Any, o: Any, begin: int, ground: Ground, ghost: bool) -> Reach:
    """All cells that can be come to, from step to step. Layers: + 1 once the ball is had, + 2 after
    a Ghost Step, which counts only where a cell cannot be come to without one.
    """
    g, (free, stop, ball) = grid(t), ground
    mine = o.holder == piece(o.turn, o.mover)
    goal, optional = g.goals[o.turn], t.optional_pickup
    now, home = [1 << begin, 0, 0, 0], None
    levels, seen = [now], [*now]
    for step in range(1, o.steps + 1):
        must = stop if step > 1 else 0  # the cell of the start stops nobody
        go = [cells & ~must for cells in now]
        if ghost:
            go[2] |= now[0] & must
            go[3] |= now[1] & must
        if home is None and goal & (go[0] | go[1] | go[2] | go[3] if mine else go[1] | go[3]):
            home = step
        now = [g.around(cells) & free if cells else 0 for cells in go]
        for layer in (0, 2):
            if taken := now[layer] & ball:
                now[layer + 1] |= taken
                now[layer] &= ~0 if optional else ~taken
        now = [cells & ~before for cells, before in zip(now, seen, strict=True)]
        levels.append(now)
        seen = [cells | before for cells, before in zip(now, seen, strict=True)]
    without = [x[0] | x[2] & ~seen[0] for x in levels]
    return Reach(without, [x[1] | x[3] & ~seen[1] for x in levels], home)


def beside(t: Any, o: Any, what: int, wide: bool) -> int:
    """BB-66: the cells on which a piece is next to this one, which has the number `what`."""
    g = grid(t)
    near = g.around(_where(o.square, _digits(what)))
    return g.or_right(near) if wide else near


# ---- the ways themselves ------------------------------------------------------------------------
class Search:
    """All ways of the mover of an observation, on one of its feet."""

    def __init__(self, t: Any, o: Any, begin: int, wide: bool, ghost: bool) -> None:
        self.ground = ground(t, o, wide)
        #: the way to every node that can be come to, and its steps; the nearest first
        self.ways: dict[Node, tuple[Step, int]] = {begin: (Step(None, begin), 0)}
        self.home: Way | None = None  # into the end zone
        self._flood(t, o, ghost)

    def _flood(self, t: Any, o: Any, ghost: bool) -> None:
        g, (free, stops, ball) = grid(t), self.ground
        mine, goal = o.holder == piece(o.turn, o.mover), _flags(g.goals[o.turn])
        near, ways, now, must = g.near, self.ways, [*self.ways], _flags(stops)
        open = [_flags(free) for _ in range(4)]  # by layers: what has not been come to
        open[0][now[0]] = 0
        for step in range(1, o.steps + 1):
            after: list[Node] = []
            for node in now:
                layer, c = divmod(node, NODES)
                way = ways[node][0]
                if step > 1 and must[c]:
                    if not ghost or layer >= 2:
                        continue
                    layer += 2
                if self.home is None and goal[c] and (mine or layer % 2):
                    self.home = Way(Step(way, NOWHERE), step)
                here, base = open[layer], layer * NODES
                for n in near[c]:
                    if ball >> n & 1:
                        layers = self._onto(layer, t)
                        for onto in [x for x in layers if open[x][n]]:
                            open[onto][n] = 0
                            ways[onto * NODES + n] = Step(way, n), step
                            after.append(onto * NODES + n)
                    elif here[n]:
                        here[n] = 0
                        ways[base + n] = Step(way, n), step
                        after.append(base + n)
            now = after

    @staticmethod
    def _onto(layer: int, t: Any) -> tuple[int, ...]:
        """The layers that a step over the loose ball may lead to."""
        if layer % 2:
            return (layer,)
        return (layer, layer + 1) if t.optional_pickup else (layer + 1,)

    def nodes(self) -> Iterator[Node]:
        """Every node that was come to, the nearest first; without a Ghost Step if it can be had."""
        for node in self.ways:
            if node < 2 * NODES or node - 2 * NODES not in self.ways:
                yield node


def ways(t: Any, o: Any) -> tuple[dict[int, Way], Way | None]:
    """The ways by the number of the action (a cell, + CELLS with the ball), and that to score."""
    return _ways(t, o, o.at[o.turn, o.mover], has_ghost_step(o))


def _ways(t: Any, o: Any, begin: int, ghost: bool) -> tuple[dict[int, Way], Way | None]:
    """The same from any cell."""
    if leads_with_foot(t, o):
        return _ways_of_feet(t, o, begin)
    search = Search(t, o, begin, bool(o.mover == HEAVY), ghost)
    found: dict[int, Way] = {}
    for node in search.nodes():
        layer, cell = divmod(node, NODES)
        stop = bool(search.ground.stop >> cell & 1)
        found.setdefault(cell + layer % 2 * CELLS, Way(*search.ways[node], stop))
    return found, search.home


def _ways_of_feet(t: Any, o: Any, begin: int) -> tuple[dict[int, Way], Way | None]:
    """AMB-8: one foot walks, the other follows; the shorter way of the two counts."""
    found: dict[int, Way] = {}
    homes, ball = [], ground(t, o, True).ball
    for foot in (0, 1):
        search = Search(t, o, t.near[begin, RIGHT] if foot else begin, False, False)
        homes += [search.home] if search.home else []
        for node in search.nodes():
            layer, cell = divmod(node, NODES)
            anchor = t.near[cell, LEFT] if foot else cell
            if anchor == NOWHERE:
                continue
            action = anchor + (CELLS if layer % 2 or ball >> anchor & 1 else 0)
            way = Way(*search.ways[node])
            if action not in found or way.steps < found[action].steps:
                found[action] = way
    return found, min(homes, key=lambda w: w.steps, default=None)


class Trail:
    """Ways by the numbers of actions; steps that several have in common are there once."""

    def __init__(self) -> None:
        self._ways: dict[str, int] = {}
        self._far: dict[str, int] = {}
        self._into: dict[str, str] = {}
        self._steps: dict[tuple[int, int], int] = {}  # the step before (-1: none), and the cell
        self._known: dict[int, tuple[int, Step]] = {}  # by identity: the number of a step

    def add(self, action: int, step: Step, far: int = 0, into: str = "") -> None:
        """The way of which this is the last step, into that end; `far`: how far, if not its number
        of steps.
        """
        self._ways[str(action)] = self._number(step)
        if far:
            self._far[str(action)] = far
        if into:
            self._into[str(action)] = into

    def _number(self, last: Step) -> int:
        """Of a step, after all those that lead to it."""
        fresh: list[Step] = []
        step: Step | None = last
        known = None
        while step is not None and (known := self._known.get(id(step))) is None:
            fresh.append(step)
            step = step[0]
        at = -1 if known is None else known[0]
        for x in reversed(fresh):
            at = self._steps.setdefault((at, x[1]), len(self._steps))
            self._known[id(x)] = at, x
        return at

    def facts(self, names: Sequence[str]) -> GridWays:
        """As the field has them; `names`: of its cells."""
        trail: list[list[str | int]] = [
            [names[c], before] if before >= 0 else [names[c]] for before, c in self._steps
        ]
        return {"trail": trail, "ways": self._ways, "far": self._far, "into": self._into}


def way_of_last_move(t: Any, o: Any, team: int) -> tuple[int, ...]:
    """The way of the piece that this team has moved, as it was shown before the choice: also
    over the ball, and past an opponent who has fallen since.
    """
    to = o.at[team, o.mover] + CELLS * o.grabbed
    threats = tuple(o.threat[1 - team])
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
