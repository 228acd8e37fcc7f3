"""A ball game on 287 brick cells, at the size of Battleball: 781 action numbers, flood fill, dice.

Choose a piece, roll, run (and pick the ball up on the way), tackle, put down a lost ball; two
touchdowns win. The last piece of a team stands on two cells.
"""

from __future__ import annotations

from pydantic import Field

from battlebox.core.game import Options as AnyOptions
from battlebox.core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    allow_all,
    draw,
    event,
    move,
    n8,
    n16,
    offer,
    public,
    roll,
    rule,
    scratch,
    tell,
)

ROWS, CELLS, TEAM = 25, 287, 11
NOWHERE = CELLS  # a cell beside the board, always a WALL: no index is ever negative
EMPTY, CARNAGE, WALL = 0, 98, 99  # square[] holds these, or 1 + 11 * team + slot
FAR = 99
HEAVY = TEAM - 1  # stands on a cell and its right neighbour
RIGHT = 1


class Phase(IntEnum):
    """What is decided."""

    START = 0
    SELECT = 1
    RUN = 2
    TACKLE = 3
    PLACE = 4
    OVER = 5


class Event(Events):
    """What players are told."""

    ROLLED = event("seat", "slot", "steps")
    TACKLED = event("seat", "mine", "theirs")
    INJURED = event("seat", "slot")
    FUMBLED = event("seat")
    TOUCHDOWN = event("seat")


class Cell(Domain, n=CELLS):
    """Row by row, from row 1."""


class Slot(Domain, n=TEAM):
    """A piece of a team."""


class Grab(Domain, n=2):
    """1: picks the ball up on the way."""


class Table(Record):
    """The board and the numbers."""

    near = n16(CELLS + 1, 6)  # left, right, two below, two above, or NOWHERE
    goal = n8(2, CELLS + 1)  # this cell is next to the end zone that this team attacks
    die = n8(TEAM)
    home = n16(2, TEAM)
    kick_off = n16()
    turns = n16()


class State(StateRecord):
    """The whole truth; nothing is hidden."""

    at = public(n16(2, TEAM))  # cell of each piece (left foot of the heavy one), or NOWHERE
    box = public(n8(2, TEAM))  # 0 fit, 1 injured until the next line-up, 2 for good
    square = public(n8(CELLS + 1))
    ball = public(n16())  # cell of a loose ball, or NOWHERE
    holder = public(n8())  # the piece that has it: 1 + 11 * team + slot, or 0
    score = public(n8(2))
    coach = public(n8())  # whose turn it is
    mover = public(n8())
    steps = public(n8())
    fumbled_at = public(n16())
    turns = public(n16())
    dist = scratch(n8(CELLS + 1))
    queue = scratch(n16(CELLS + 1))
    hot = scratch(n8(CELLS + 1))  # next to an opponent


class Options(AnyOptions):
    """How it is played."""

    players: int = Field(2, ge=2, le=2)
    turns: int = Field(300, ge=1, le=3000)


@rule
def advance(t: Table, s: State) -> None:
    """Lines up; a coin says who begins."""
    if s.phase == Phase.START:
        line_up(t, s, draw(s, 2))


@rule
def line_up(t: Table, s: State, first: int) -> None:
    """All who are not out for good go home."""
    for c in range(CELLS):
        s.square[c] = EMPTY
    s.square[NOWHERE] = WALL
    for team in range(2):
        for p in range(TEAM):
            s.at[team, p] = NOWHERE
            if s.box[team, p] < 2:
                s.box[team, p] = 0
                put(t, s, team, p, t.home[team, p])
    s.ball, s.holder, s.fumbled_at = t.kick_off, 0, NOWHERE
    s.turns += 1
    s.coach, s.to_act, s.phase = first, first, Phase.SELECT


@rule
def piece(team: int, p: int) -> int:
    """What square[] holds for it."""
    return 1 + TEAM * team + p


@rule
def cover(t: Table, s: State, p: int, cell: int, what: int) -> None:
    """Writes one cell, or the two of the heavy piece."""
    s.square[cell] = what
    if p == HEAVY:
        s.square[t.near[cell, RIGHT]] = what


@rule
def put(t: Table, s: State, team: int, p: int, cell: int) -> None:
    """A piece stands on a cell."""
    s.at[team, p] = cell
    cover(t, s, p, cell, piece(team, p))


@rule
def free(s: State, me: int, cell: int) -> bool:
    """Empty, or its own."""
    return s.square[cell] == EMPTY or s.square[cell] == me


@rule
def fits(t: Table, s: State, p: int, me: int, cell: int) -> bool:
    """Piece p can stand there."""
    return free(s, me, cell) and (p != HEAVY or free(s, me, t.near[cell, RIGHT]))


@rule
def beside(t: Table, s: State, p: int, cell: int, what: int) -> bool:
    """Piece p, standing on cell, is next to `what`."""
    for k in range(6):
        if s.square[t.near[cell, k]] == what:
            return True
        if p == HEAVY and s.square[t.near[t.near[cell, RIGHT], k]] == what:
            return True
    return False


@rule
def heat(t: Table, s: State, team: int) -> None:
    """Marks every cell next to a piece of the other team."""
    for c in range(CELLS + 1):
        s.hot[c] = 0
    for q in range(TEAM):
        cell = s.at[1 - team, q]
        if cell != NOWHERE:
            for k in range(6):
                s.hot[t.near[cell, k]] = 1
                if q == HEAVY:
                    s.hot[t.near[t.near[cell, RIGHT], k]] = 1
    s.hot[NOWHERE] = 0


@rule
def must_stop(t: Table, s: State, p: int, cell: int) -> bool:
    """There piece p is next to an opponent."""
    return s.hot[cell] > 0 or (p == HEAVY and s.hot[t.near[cell, RIGHT]] > 0)


@rule
def on_ball(t: Table, s: State, p: int, cell: int) -> bool:
    """There piece p stands on the ball."""
    return s.ball != NOWHERE and (cell == s.ball or (p == HEAVY and t.near[cell, RIGHT] == s.ball))


@rule
def spread(t: Table, s: State, head: int, tail: int, loose: bool) -> int:
    """Floods on from queue[head:tail]; returns the new tail. A loose ball ends this layer."""
    team, p = s.to_act, s.mover
    me, begin = piece(team, p), s.at[team, p]
    while head < tail:
        c = s.queue[head]
        head += 1
        stop = c != begin and must_stop(t, s, p, c)
        if s.dist[c] == s.steps or stop or (loose and on_ball(t, s, p, c)):
            continue
        for k in range(6):
            n = t.near[c, k]
            if s.dist[n] == FAR and fits(t, s, p, me, n):
                s.dist[n] = s.dist[c] + 1
                s.queue[tail] = n
                tail += 1
    return tail


@rule
def can_step(t: Table, s: State, p: int) -> bool:
    """There is a cell to go to, or the end zone."""
    cell = s.at[s.to_act, p]
    if cell == NOWHERE:
        return False
    if s.holder == piece(s.to_act, p) and t.goal[s.to_act, cell] > 0:
        return True
    for k in range(6):
        if fits(t, s, p, piece(s.to_act, p), t.near[cell, k]):
            return True
    return False


# ---- running: 0..286 without, 287..573 with picking the ball up, 574 touchdown ----
@move(Phase.RUN, at=0)
def run(t: Table, s: State, grab: Grab, cell: Cell) -> None:
    """Goes there."""
    us, p = s.to_act, s.mover
    cover(t, s, p, s.at[us, p], EMPTY)
    put(t, s, us, p, cell)
    if grab == 1:
        s.holder, s.ball = piece(us, p), NOWHERE
    after_move(t, s)


@move(Phase.RUN, at=2 * CELLS)
def score(t: Table, s: State) -> None:
    """Into the end zone."""
    touchdown(t, s, s.to_act)


@move(Phase.RUN, at=780)
def stay(t: Table, s: State) -> None:
    """Nothing is in reach."""
    after_move(t, s)


@allow_all(run, score, stay)
def reach(t: Table, s: State, can: Row) -> None:
    """Every cell in reach, before and after the ball is picked up; the end zone with the ball."""
    us, p = s.to_act, s.mover
    begin, mine, loose = s.at[us, p], s.holder == piece(us, p), s.ball != NOWHERE
    goal = mine and t.goal[us, begin] > 0
    any_cell = False
    heat(t, s, us)
    for c in range(CELLS + 1):
        s.dist[c] = FAR
    s.dist[begin], s.queue[0] = 0, begin
    tail = spread(t, s, 0, 1, loose)
    found = 0
    for i in range(1, tail):
        c = s.queue[i]
        if loose and on_ball(t, s, p, c):
            s.queue[found] = c
            found += 1
        else:
            offer(can, run, 0, c)
            any_cell = True
            if mine and t.goal[us, c] > 0 and s.dist[c] < s.steps and not must_stop(t, s, p, c):
                goal = True
    if found > 0:
        a, b = s.queue[0], s.queue[1]
        da, db = s.dist[a], s.dist[b]
        for c in range(CELLS + 1):
            s.dist[c] = FAR
        s.dist[a] = da
        if found == 2:
            s.dist[b] = db
        tail = spread(t, s, 0, found, False)
        for i in range(tail):
            c = s.queue[i]
            if c != begin:
                offer(can, run, 1, c)
                any_cell = True
                if t.goal[us, c] > 0 and s.dist[c] < s.steps and not must_stop(t, s, p, c):
                    goal = True
    if goal:
        offer(can, score)
    elif not any_cell:
        offer(can, stay)


# ---- choosing a piece ----
@move(Phase.SELECT, at=2 * CELLS + 1)
def select(t: Table, s: State, p: Slot) -> None:
    """Rolls for it; the heavy piece takes the higher of two dice."""
    s.mover, s.steps, s.phase = p, roll(s, t.die[p]), Phase.RUN
    if p == HEAVY:
        s.steps = max(s.steps, roll(s, t.die[p]))
    tell(s, Event.ROLLED, s.to_act, p, s.steps)


@allow(select)
def may_select(t: Table, s: State, p: Slot) -> bool:
    """A piece that can step."""
    return can_step(t, s, p)


@move(Phase.SELECT, at=780)
def skip(t: Table, s: State) -> None:
    """No piece can step."""
    next_turn(t, s)


@allow(skip)
def may_skip(t: Table, s: State) -> bool:
    """Only then."""
    for p in range(TEAM):
        if can_step(t, s, p):
            return False
    return True


# ---- tackles: 586 + 11 * mine + theirs ----
@rule
def after_move(t: Table, s: State) -> None:
    """Who stands next to an opponent must tackle."""
    heat(t, s, s.to_act)
    for p in range(TEAM):
        cell = s.at[s.to_act, p]
        if cell != NOWHERE and must_stop(t, s, p, cell):
            s.phase = Phase.TACKLE
            return
    next_turn(t, s)


@move(Phase.TACKLE, at=586)
def tackle(t: Table, s: State, p: Slot, q: Slot) -> None:
    """Both roll; the lower is injured, a tie injures both."""
    us, them = s.to_act, 1 - s.to_act
    a, b = roll(s, t.die[p]), roll(s, t.die[q])
    tell(s, Event.TACKLED, us, a, b)
    carrier = s.holder == piece(us, p) or s.holder == piece(them, q)
    team = us if s.holder == piece(us, p) else them
    spot = s.at[us, p] if team == us else s.at[them, q]
    if b <= a:
        injure(t, s, us, p, b)
    if a <= b:
        injure(t, s, them, q, a)
    if carrier and a != b:
        s.holder = piece(us, p) if a < b else piece(them, q)
    mine, theirs = standing(s, us), standing(s, them)
    if mine == 0 and theirs == 0:
        restart(t, s)
    elif mine == 0 or theirs == 0:
        touchdown(t, s, us if theirs == 0 else them)
    elif carrier and a == b:
        tell(s, Event.FUMBLED, team)
        s.holder, s.fumbled_at, s.to_act, s.phase = 0, spot, 1 - team, Phase.PLACE
    else:
        next_turn(t, s)


@allow_all(tackle)
def may_tackle(t: Table, s: State, can: Row) -> None:
    """Every pair of neighbours."""
    heat(t, s, s.to_act)
    for p in range(TEAM):
        cell = s.at[s.to_act, p]
        if cell != NOWHERE and must_stop(t, s, p, cell):
            for q in range(TEAM):
                there = s.at[1 - s.to_act, q] != NOWHERE
                if there and beside(t, s, p, cell, piece(1 - s.to_act, q)):
                    offer(can, tackle, p, q)


@rule
def injure(t: Table, s: State, team: int, p: int, their_roll: int) -> None:
    """Off the field; for good, if the other rolled a 1."""
    tell(s, Event.INJURED, team, p)
    s.box[team, p] = 2 if their_roll == 1 else 1
    cover(t, s, p, s.at[team, p], CARNAGE)
    s.at[team, p] = NOWHERE


@rule
def standing(s: State, team: int) -> int:
    """How many are on the field."""
    n = 0
    for p in range(TEAM):
        n += 1 if s.at[team, p] != NOWHERE else 0
    return n


@rule
def fit(s: State, team: int) -> int:
    """How many can line up again."""
    n = 0
    for p in range(TEAM):
        n += 1 if s.box[team, p] < 2 else 0
    return n


# ---- a lost ball: the other coach puts it within two cells; the numbers of RUN again ----
@move(Phase.PLACE, at=0)
def place(t: Table, s: State, cell: Cell) -> None:
    """The ball lies there."""
    s.ball, s.fumbled_at = cell, NOWHERE
    next_turn(t, s)


@move(Phase.PLACE, at=780)
def give_up(t: Table, s: State) -> None:
    """No cell is empty: back to the kick-off cell."""
    s.ball, s.fumbled_at = t.kick_off, NOWHERE
    next_turn(t, s)


@allow_all(place, give_up)
def may_place(t: Table, s: State, can: Row) -> None:
    """Empty cells within two steps."""
    for c in range(CELLS + 1):
        s.dist[c] = FAR
    s.dist[NOWHERE], s.dist[s.fumbled_at], s.queue[0] = 0, 0, s.fumbled_at
    head, tail, empty = 0, 1, True
    while head < tail:
        c = s.queue[head]
        head += 1
        if s.square[c] == EMPTY:
            offer(can, place, c)
            empty = False
        if s.dist[c] < 2:
            for k in range(6):
                n = t.near[c, k]
                if s.dist[n] == FAR:
                    s.dist[n] = s.dist[c] + 1
                    s.queue[tail] = n
                    tail += 1
    if empty:
        offer(can, give_up)


# ---- the end of a turn, and of the match ----
@rule
def next_turn(t: Table, s: State) -> None:
    """The other coach is on."""
    s.turns += 1
    s.coach = 1 - s.coach
    s.to_act, s.phase = s.coach, Phase.SELECT
    if s.turns >= t.turns:
        s.phase = Phase.OVER


@rule
def restart(t: Table, s: State) -> None:
    """Nobody stands."""
    if fit(s, 0) == 0 or fit(s, 1) == 0:
        s.holder, s.ball, s.phase = 0, t.kick_off, Phase.OVER
    else:
        line_up(t, s, draw(s, 2))


@rule
def touchdown(t: Table, s: State, team: int) -> None:
    """Two win."""
    tell(s, Event.TOUCHDOWN, team)
    s.score[team] += 1
    if s.score[team] == 2 or fit(s, 0) == 0 or fit(s, 1) == 0:
        s.holder, s.ball, s.phase = 0, t.kick_off, Phase.OVER
    else:
        line_up(t, s, 1 - team)


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """More touchdowns win."""
    d = s.score[0] - s.score[1]
    out[0] = 1 if d > 0 else -1 if d < 0 else 0
    out[1] = -out[0]


@rule
def max_length(t: Table, seats: int) -> int:
    """Choose, run, tackle, put the ball down: four decisions a turn; a restart is a turn too."""
    return 4 * (t.turns + 2 + 2 * TEAM)


@rule
def census(s: State, count: Row) -> None:
    """Each piece once, its cells, and the ball."""
    for team in range(2):
        for p in range(TEAM):
            i = TEAM * team + p
            count[i] += 1 if s.at[team, p] != NOWHERE else 0
            count[i] += 1 if s.box[team, p] > 0 else 0
    for c in range(CELLS):
        if CARNAGE > s.square[c] > EMPTY:
            x = s.square[c] - 1
            count[22] += 0 if s.at[x // TEAM, x % TEAM] != NOWHERE else 1
    count[23] += 1 if s.ball != NOWHERE else 0
    count[23] += 1 if s.holder > 0 else 0
    count[23] += 1 if s.fumbled_at != NOWHERE else 0


@rule
def determinize(t: Table, o: State) -> None:
    """Nothing is hidden."""


# ---- the board ----
def table(o: Options) -> dict[str, object]:
    """The numbers of these options."""
    number: dict[tuple[int, int], int] = {}
    for row in range(1, ROWS + 1):
        for k in range(1, (11 if row % 2 else 12) + 1):
            number[2 * k if row % 2 else 2 * k - 1, row] = len(number)
    near = [[NOWHERE] * 6 for _ in range(CELLS + 1)]
    for (x, row), c in number.items():
        for i, (dx, dy) in enumerate(((-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))):
            near[c][i] = number.get((x + dx, row + dy), NOWHERE)
    goal = [[0] * (CELLS + 1), [0] * (CELLS + 1)]
    for (_, row), c in number.items():
        goal[0][c], goal[1][c] = int(row == ROWS), int(row == 1)

    def cell(word: str) -> int:
        row, k = int(word[1:]), ord(word[0]) - 96
        return number[2 * k if row % 2 else 2 * k - 1, row]

    white = [cell(w) for w in ["f5", "a5", "k5", "c3", "i3", "b5", "j5", "d5", "h5", "f3", "f4"]]
    black = [CELLS - 1 - c for c in white]
    black[HEAVY] -= 1
    return {
        "near": near,
        "goal": goal,
        "die": [20, 20, 20, 12, 12, 10, 10, 8, 8, 6, 6],
        "home": [white, black],
        "kick_off": cell("f13"),
        "turns": o.turns,
    }
