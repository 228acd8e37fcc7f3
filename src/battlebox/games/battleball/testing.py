"""What the tests of Battleball share: matches from positions, and the laws of the field."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import battlebox as bb
from battlebox.core.contract import ACTIONS, apply, choices
from battlebox.core.drivers import begin
from battlebox.core.random import Script
from battlebox.core.rules import draw, rule

from .board import Board
from .field import piece, slot_of, team_of
from .halves import next_to_place
from .state import CELLS, EMPTY, HEAVY, NODES, NOWHERE, RIGHT, TEAM, Phase

BROKEN = {
    1: "a piece does not stand where its square says",
    2: "a square holds a piece that is not there, or the count of neighbours is wrong",
    3: "the ball lies on carnage or on a piece",
    4: "the piece with the ball is not on the field",
    5: "not exactly one ball",
    6: "the Heavy's feet are not side by side in one row",
    7: "turned by half a circle with teams swapped, other actions are legal",
    8: "in the mirror other actions are legal",
    9: "it has not ended within its limit",
}

DEVELOPERS = (Path(__file__).parent / "DEVELOPERS.md").read_text(encoding="utf-8")
OWN_TEAM = DEVELOPERS.split("```toml\n")[1].split("```")[0]

# both teams have taken the first stored lineup
FIRST = (
    "R1f5,R2a5,R3k5,S1c3,S2i3,B1b5,B2j5,L1d5,L2h5,T1f3,H1f4/"
    "r1f21,r2k21,r3a21,s1i23,s2c23,b1j21,b2b21,l1h21,l2d21,t1f23,h1f22 @f13 - W M 1 0-0 -"
)


def load(**options: Any) -> bb.Ruleset:
    """Battleball with these options."""
    return bb.load("battleball", **options)


def board(r: bb.Ruleset) -> Board:
    """The field of a ruleset."""
    return Board(r.all_options["rows"], r.all_options["cols"])


def at(position: str, *chance: int | str, **options: Any) -> bb.Match:
    """A match from a position; `chance`: the outcomes to come, cells by name."""
    r = load(**options)
    outcomes = [board(r).cell(x) if isinstance(x, str) else x for x in chance]
    return bb.Match(r, 0, position=position, chance=Script(*outcomes))


def do(m: bb.Match, *words: str) -> bb.Match:
    """Decisions of the seat that is to act."""
    for word in words:
        m.submit(m.to_act, word)
    return m


def told(m: bb.Match, name: str) -> list[dict[str, Any]]:
    """The events of that name, as everybody was told them."""
    return [dict(x.args) for x in m.events(None) if x.event.name == name]


def play_on(m: bb.Match, steps: int, seed: int) -> None:
    """So many random legal actions, or as many as there are."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if m.over:
            return
        m.submit(m.to_act, int(rng.choice(m.legal_actions)))


# ---- the laws of the field, on either build -----------------------------------------------------
class FieldArrays(NamedTuple):
    """What `watch_match` works on."""

    states: Any  # the match, and its image
    blank: Any
    dice: Any
    acts: Any
    other: Any
    marks: Any
    images: Any  # [turned or mirrored, single or Heavy, cell]
    where: Any


@rule
def is_placing(s: Any) -> bool:
    """The ball is in nobody's hands and nowhere."""
    return bool(s.phase == Phase.PLACE or s.phase == Phase.GIVE or s.phase == Phase.INCOMPLETE)


@rule
def wrong_piece(t: Any, s: Any, team: int, slot: int) -> int:
    """The number of the law that a piece breaks, or 0."""
    cell = s.at[team, slot]
    if s.square[cell] != piece(team, slot):
        return 1
    if slot == HEAVY:
        right = t.near[cell, RIGHT]
        if right == NOWHERE or t.row[right] != t.row[cell] or t.x[right] != t.x[cell] + 2:
            return 6
        if s.square[right] != piece(team, slot):
            return 1
    return 0


@rule
def wrong_threat(t: Any, s: Any) -> bool:
    """The counts of feet next to a cell are not those of the squares."""
    for c in range(CELLS):
        white, black = 0, 0
        for k in range(6):
            here = s.square[t.near[c, k]]
            if EMPTY < here <= 2 * TEAM:
                white += 1 if team_of(here) == 0 else 0
                black += 1 if team_of(here) == 1 else 0
        if s.threat[0, c] != white or s.threat[1, c] != black:
            return True
    return False


@rule
def wrong_field(t: Any, s: Any) -> int:
    """The number of the law that this state breaks, or 0."""
    feet = 0
    for team in range(2):
        for slot in range(TEAM):
            if s.at[team, slot] != NOWHERE:
                feet += 2 if slot == HEAVY else 1
                wrong = wrong_piece(t, s, team, slot)
                if wrong > 0:
                    return wrong
    for c in range(CELLS):
        if EMPTY < s.square[c] <= 2 * TEAM:
            feet -= 1
    if feet != 0 or wrong_threat(t, s):
        return 2
    if s.ball != NOWHERE and s.square[s.ball] != EMPTY:
        return 3
    # with halt_ball=possession the ball waits with its piece to be lined up
    carried = s.holder > 0 and s.phase != Phase.LINEUP
    if carried and s.at[team_of(s.holder), slot_of(s.holder)] == NOWHERE:
        return 4
    balls = (1 if s.ball != NOWHERE else 0) + (1 if s.holder > 0 else 0)
    return 5 if balls + (1 if is_placing(s) else 0) != 1 else 0


@rule
def image_of_code(code: int, swap: int) -> int:
    """A piece in the image: of the other team if teams are swapped."""
    if code <= EMPTY or code > 2 * TEAM or swap == 0:
        return code
    return piece(1 - team_of(code), slot_of(code))


@rule
def image_of_seat(seat: int, swap: int) -> int:
    """A team in the image."""
    return 1 - seat if swap > 0 else seat


@rule
def image_of_seat1(seat: int, swap: int) -> int:
    """1 + a team in the image; 0 stays 0."""
    return 3 - seat if swap > 0 and seat > 0 else seat


@rule
def make_image(s: Any, o: Any, images: Any, kind: int) -> None:
    """o, a copy of s, becomes its image: kind 0 turned with teams swapped, 1 in the mirror."""
    swap = 1 - kind
    for c in range(CELLS):
        d = images[kind, 0, c]
        o.square[d] = image_of_code(s.square[c], swap)
        for team in range(2):
            o.threat[image_of_seat(team, swap), d] = s.threat[team, c]
    for team in range(2):
        other = image_of_seat(team, swap)
        for slot in range(TEAM):
            wide = 1 if slot == HEAVY else 0
            o.at[other, slot] = images[kind, wide, s.at[team, slot]]
            o.status[other, slot] = s.status[team, slot]
            plan = s.plan[team, slot]
            o.plan[other, slot] = 1 + images[kind, wide, plan - 1] if plan > 0 else 0
        o.score[other], o.team_rule[other] = s.score[team], s.team_rule[team]
        o.left[other], o.choice[other] = s.left[team], s.choice[team]
    o.ball = images[kind, 0, s.ball]
    o.holder, o.fumbler = image_of_code(s.holder, swap), image_of_code(s.fumbler, swap)
    o.spot = images[kind, 1 if o.fumbler > 0 and slot_of(o.fumbler) == HEAVY else 0, s.spot]
    o.turn, o.to_act = image_of_seat(s.turn, swap), image_of_seat(s.to_act, swap)
    o.possession, o.first = image_of_seat1(s.possession, swap), image_of_seat1(s.first, swap)


@rule
def same_in_image(t: Any, w: FieldArrays, n: int, kind: int) -> bool:
    """The image has just the images of the n legal actions."""
    s, o = w.states[0], w.states[1]
    w.states[1] = w.states[0]
    make_image(s, o, w.images, kind)
    wide = 0
    if s.phase == Phase.DEST and s.mover == HEAVY:
        wide = 1
    if s.phase == Phase.LINEUP and next_to_place(t, s, s.to_act) == HEAVY:
        wide = 1
    if choices(t, o, w.other) != n:
        return False
    for k in range(n):
        w.marks[w.other[k]] = 1
    good = True
    for k in range(n):
        a = w.acts[k]
        if a < 2 * CELLS:
            a = a // CELLS * CELLS + w.images[kind, wide, a % CELLS]
        if w.marks[a] == 0:
            good = False
    for a in range(ACTIONS):
        w.marks[a] = 0
    return good


@rule
def watch_match(tt: Any, w: FieldArrays, seed: int, most: int) -> int:
    """One random match under the laws of the field: 0, or the number of the broken one."""
    begin(tt, w.states, 0, w.blank, 2, seed)
    w.dice[0].rng = seed + (1 << 40)
    t, s = tt[0], w.states[0]
    w.where[0] = 0
    while True:
        n = choices(t, s, w.acts)
        wrong = wrong_field(t, s)
        if wrong > 0 or n == 0:
            return wrong
        if not same_in_image(t, w, n, 0):
            return 7
        if not same_in_image(t, w, n, 1):
            return 8
        if w.where[0] >= most:
            return 9
        apply(t, s, w.acts[draw(w.dice[0], n)])
        w.where[0] += 1


def images_of(field: Board) -> Any:
    """The image of each cell: [turned or mirrored, single piece or Heavy's left foot, cell]."""
    found = np.full((2, 2, NODES), field.cells, np.int16)
    for c, (x, row) in enumerate(field.places):
        for kind, y in ((0, field.rows + 1 - row), (1, row)):
            image = field.number[2 * field.cols + 2 - x, y]
            found[kind, 0, c] = image
            if (left := field.number.get((2 * field.cols - x, y))) is not None:
                found[kind, 1, c] = left
    return found


def watch(r: bb.Ruleset, matches: int, seed: int = 0, *, compiled: bool = True) -> int:
    """Random matches under the laws of the field; returns how many decisions they took.

    Errors: AssertionError names the law, the seed and the decision.
    """
    engine = r.compiled() if compiled else r.plain()
    build, where = engine.build, np.zeros(1, np.int64)
    arrays = (
        build.states(2),
        build.states(),
        build.states(),
        build.action_buffer(),
        build.action_buffer(),
        np.zeros(build.num_actions, np.int8),
        images_of(board(r)),
        where,
    )
    given = [a if a.ndim > 2 else build.access(a) for a in arrays]
    f, total = engine.bind(sys.modules[__name__]).watch_match, 0
    most = 34 * (int(r.table[0]["max_plies"]) + 4)  # must agree with rules.max_length
    for k in range(matches):
        wrong = f(engine.tt, FieldArrays(*given), seed + k, most)
        assert wrong == 0, f"{r}: {BROKEN[wrong]}: seed {seed + k}, decision {where[0]}"
        total += int(where[0])
    return total
