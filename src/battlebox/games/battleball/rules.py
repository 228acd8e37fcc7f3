"""The rules of Battleball. Read it beside README.md, which says what each rule id means.

A turn: choose a piece, roll its die, move it (the ball is picked up on the way); then tackle if any
of your pieces is next to an opponent, else hand the ball off or pass it if you like. The first team
with two touchdowns wins.

A cell is a number, row by row from row 1; the Heavy Tackle stands on its left foot's cell and on
the cell to the right of it. A piece is a slot of a team, 0 .. 10; `piece(team, slot)` is one number
for both. Functions stand after those that they call: nothing here runs in a circle.
"""

from __future__ import annotations

from ...core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow_all,
    event,
    i16,
    move,
    n8,
    n16,
    n32,
    offer,
    own,
    pick,
    public,
    roll,
    rows,
    rule,
    scratch,
    size,
    tell,
)

ROWS = size("rows", 25)
COLS = size("cols", 11)  # cells of an odd row; an even one has one more, a half square at each end
CELLS = ROWS * COLS + ROWS // 2
NODES = CELLS + 1
NOWHERE = CELLS  # a cell beside the board, always a WALL: no index is ever negative
ZONE = ROWS // 5 * COLS + ROWS // 10  # cells behind a 20-yard line
TEAM, HEAVY, NOBODY = 11, 10, 11  # slots of a team; the Heavy Tackle's; "no slot"
RUNNERS = 5  # slots 0 .. 4 are Running Backs and Safeties
PRESETS = 16
EMPTY, CARNAGE, WALL = 0, 98, 99  # square[] holds these, or a piece
LEFT, RIGHT, AROUND = 0, 1, 6  # the first two of the six neighbours of a cell
FAR = 99
AFTER_CELLS = 2 * CELLS  # action numbers from here on are not about cells


class Phase(IntEnum):
    """What is decided. START, AFTER_MOVE and FUMBLE stand in positions only."""

    START = 0
    TEAMRULE = 1
    LINEUP = 2
    SELECT = 3
    POWER = 4
    DEST = 5
    TACKLE = 6
    DIE = 7
    OPTION = 8
    PLACE = 9
    GIVE = 10
    INCOMPLETE = 11
    AFTER_MOVE = 12
    FUMBLE = 13
    OVER = 14


class Status(IntEnum):
    """Where a piece is."""

    READY = 0  # waits to be lined up
    FIELD = 1
    LOCKER = 2  # injured: back in the next half
    BOX = 3  # seriously injured: never back


class Lineup(IntEnum):
    """How the teams line up (AMB-11)."""

    BLIND = 0
    OPEN = 1
    ALTERNATE = 2


class TeamRule(IntEnum):
    """The team rules of Team Rule play."""

    NONE = 0
    SURE_HANDS = 1
    FIELD_MEDICS = 2
    SECOND_WIND = 3
    RUNNING_START = 4
    GHOST_STEP = 5
    LAST_STAND = 6


class Malfunction(IntEnum):
    """What a malfunction with the ball has left to do in this turn (BB-51)."""

    NONE = 0
    PLACING = 1  # the ball is being placed; then comes AFTER_MOVE
    PLACED = 2  # no hand-off or pass any more


class Why(IntEnum):
    """Why play was halted."""

    CLOSED = 0  # nobody can reach an end zone with the ball
    NO_SPOT = 1  # a fumbled ball has nowhere to go
    OUT_OF_PLAY = 2  # an incomplete pass has nowhere to go
    STUCK = 3  # neither team can move
    NO_PROGRESS = 4


class Event(Events):
    """What players are told. Everything told is to be seen in the state as well."""

    RULE_CHOSEN = event("seat", "rule", own=("rule",))
    RULE_SHOWN = event("seat", "rule", reveals=True)
    PLACED = event("seat", "slot", "cell", alone=True)
    LINED_UP = event("seat", reveals=True)
    TOSSED = event("seat", "white", "black")
    TURN = event("seat")
    SKIPPED = event("seat")
    ROLLED = event("seat", "slot", "die", "die2")
    SECOND_WIND = event("seat", "left")
    MOVED = event("seat", "slot", "cell")
    GHOST_STEP = event("seat", "slot")
    PICKED_UP = event("seat", "slot", "cell")
    MALFUNCTIONED = event("seat", "slot")
    TACKLED = event("seat", "slot", "target")
    DIE_CHOSEN = event("seat", "die")
    LAST_STAND = event("seat", "slot")
    INJURED = event("seat", "slot", "cell")
    SERIOUSLY_INJURED = event("seat", "slot", "cell")
    TREATED = event("seat", "slot")
    GOT_BALL = event("seat", "slot")
    HANDED_OFF = event("seat", "slot", "to")
    PASSED = event("seat", "slot", "to", "distance")
    FOOTBALL_DIE = event("seat", "die")
    SURE_HANDS = event("seat")
    INCOMPLETE = event("seat", "slot", "distance")
    FUMBLED = event("seat", "slot")
    BALL_PLACED = event("seat", "cell")
    HALTED = event("seat", "why")
    RESTARTED = event("seat")
    TOUCHDOWN = event("seat", "score")
    HALF = event("seat", "half")
    ENDED = event("seat", "white", "black")


class Cell(Domain, n=CELLS):
    """A cell of the field; for the Heavy Tackle its left foot's."""


class Slot(Domain, n=TEAM):
    """A piece of a team."""


class Grab(Domain, n=2):
    """1: the ball was loose and is picked up on the way."""


class PresetNumber(Domain, n=PRESETS):
    """A stored lineup; 0 is preset 1."""


class RuleNumber(Domain, n=7):
    """A team rule: 0 is TR1; 6 is none."""


class Preset(Record):
    """A stored lineup: the cell of each piece, or NOWHERE if there is none of this number."""

    cell = n16(2, TEAM)


class Table(Record):
    """The board, the dice and the options (README.md, Options)."""

    near = n16(NODES, AROUND)  # left, right, two below, two above; NOWHERE off the board
    x = n16(NODES)  # doubled coordinates: neighbours in a row are 2 apart
    row = n16(NODES)
    goal = n8(2, NODES)  # 1: the next step leads into the end zone that this team attacks
    stand = n8(2, NODES)  # 1: a piece may end its move there; row 1: the Heavy Tackle
    anchor = n8(NODES)  # 1: the Heavy Tackle may have its left foot there
    preset = rows(Preset, PRESETS)
    order = n8(TEAM)  # in which pieces are lined up
    die = n8(TEAM)
    reach = n8(TEAM)  # the longest pass this receiver can complete (BB-146)
    kick_off = n16()
    advanced = n8()
    team_rules = n8()
    lead_foot = n8()
    lineup = n8()
    optional_pickup = n8()
    malfunction_ends_turn = n8()
    auto_low = n8()
    fumble_hops = n8()
    halt_gives_ball = n8()
    no_progress_limit = n16()  # 0: none
    max_np_halts = n16()
    max_plies = n32()
    pass_any_match = n8()
    rule_blind = n8()


class State(StateRecord):
    """The whole truth. `at`, `square` and `threat` say the same in three ways."""

    at = public(n16(2, TEAM))  # the cell of each piece on the field, or NOWHERE
    status = public(n8(2, TEAM))  # Status
    plan = own(n16(2, TEAM))  # blind lineup: 1 + the cell a piece will stand on, 0: not placed
    square = public(n8(NODES))
    threat = public(n8(2, NODES))  # how many feet of this team are next to the cell
    whole = public(n8())  # 1: no carnage divides the field
    ball = public(n16())  # the cell of a loose ball, or NOWHERE
    holder = public(n8())  # the piece that has it, or 0
    possession = public(n8())  # 1 + the team that last had it in this half, or 0
    half = public(n8())  # 3: overtime
    score = public(n8(2))
    first = public(n8())  # 1 + who moves first in this half, 0: not decided
    first_loser = public(n8())  # 1 + who conceded the first half's touchdown, or 0
    turn = public(n8())  # whose turn it is
    turns = public(n32())  # turns begun in this match
    mover = public(n8())  # the slot chosen
    steps = public(n8())  # and how far it may go
    moved = public(n8())  # Running Start: the piece that moved, and how many steps
    moved_steps = public(n8())
    dice = public(n8(2, 2))  # of mover or attacker, and defender; giver, receiver; receiver, pass
    dice_before = public(n8(2, 2))  # before Sure Hands rolled again
    roller = public(n8(2))  # whose dice they are: pieces; the second one 0: nobody, football die
    began = public(n16())  # 1 + the cell from which the last move began, 0: there was none
    coin = public(n8(2))
    attacker = public(n8())
    target = public(n8())
    chosen = public(n8(2))  # the die that counts, of attacker and target; 0: not yet
    receiver = public(n8())
    malfunction = public(n8())  # Malfunction
    fumbler = public(n8())  # the piece that fumbled,
    spot = public(n16())  # and where it stood
    advanced = public(n8())
    no_progress = public(i16())  # turns since the last progress; -1: there was some in this turn
    np_halts = public(n16())
    skips = public(n16())  # turns in a row that began with a skip
    halts = public(n16())
    restarts = public(n16())
    choice = own(n8(2))  # 1 + the team rule chosen, 0: not yet
    team_rule = public(n8(2))  # TeamRule in effect
    left = public(n8(2))  # how often it may still be used in this half
    dist = scratch(n8(4 * NODES))
    queue = scratch(n16(4 * NODES))
    home = scratch(n8())  # the flood has found the end zone
    region = scratch(n16(NODES))
    live = scratch(n8(NODES))


# ---- geometry -----------------------------------------------------------------------------------
@rule
def piece(team: int, slot: int) -> int:
    """One number for a piece: what square[] holds for it."""
    return 1 + TEAM * team + slot


@rule
def team_of(code: int) -> int:
    """The team of such a number."""
    return (code - 1) // TEAM


@rule
def slot_of(code: int) -> int:
    """The slot of such a number."""
    return (code - 1) % TEAM


@rule
def belongs(code: int, team: int) -> bool:
    """What a square holds is a piece of this team."""
    return 1 + TEAM * team <= code <= TEAM + TEAM * team


@rule
def distance(t: Table, a: int, b: int) -> int:
    """AMB-6: how many steps from cell to cell, whatever stands between."""
    dx, dy = abs(t.x[a] - t.x[b]), abs(t.row[a] - t.row[b])
    return max(dy, (dx + dy) // 2)


@rule
def away(t: Table, slot: int, cell: int, other: int) -> int:
    """AMB-7: how far a cell is from a piece that stands on `cell`; the Heavy's nearer foot counts."""
    d = distance(t, cell, other)
    if slot == HEAVY:
        d = min(d, distance(t, t.near[cell, RIGHT], other))
    return d


@rule
def between(t: Table, s: State, team: int, p: int, other: int, q: int) -> int:
    """AMB-7: how far two pieces are from each other."""
    cell = s.at[other, q]
    d = away(t, p, s.at[team, p], cell)
    if q == HEAVY:
        d = min(d, away(t, p, s.at[team, p], t.near[cell, RIGHT]))
    return d


# ---- the field ----------------------------------------------------------------------------------
@rule
def cover(t: Table, s: State, slot: int, cell: int, what: int) -> None:
    """BB-52, BB-86: writes the cell of a piece, both cells of the Heavy Tackle."""
    s.square[cell] = what
    if slot == HEAVY:
        s.square[t.near[cell, RIGHT]] = what


@rule
def threaten(t: Table, s: State, team: int, cell: int, change: int) -> None:
    """BB-39: the cells around a foot of this team are next to it, or no longer."""
    for k in range(AROUND):
        s.threat[team, t.near[cell, k]] += change


@rule
def enter(t: Table, s: State, team: int, slot: int, cell: int) -> None:
    """A piece comes to stand on a cell."""
    s.at[team, slot], s.status[team, slot] = cell, Status.FIELD
    cover(t, s, slot, cell, piece(team, slot))
    threaten(t, s, team, cell, 1)
    if slot == HEAVY:
        threaten(t, s, team, t.near[cell, RIGHT], 1)


@rule
def leave(t: Table, s: State, team: int, slot: int, what: int) -> None:
    """It leaves its cells: EMPTY or CARNAGE stays there."""
    cell = s.at[team, slot]
    cover(t, s, slot, cell, what)
    threaten(t, s, team, cell, -1)
    if slot == HEAVY:
        threaten(t, s, team, t.near[cell, RIGHT], -1)
    s.at[team, slot] = NOWHERE


@rule
def is_next_to(t: Table, s: State, team: int, slot: int, cell: int) -> bool:
    """BB-39, BB-43, BB-66: on this cell the piece is next to an opponent, with either foot."""
    if s.threat[1 - team, cell] > 0:
        return True
    return slot == HEAVY and s.threat[1 - team, t.near[cell, RIGHT]] > 0


@rule
def fits(t: Table, s: State, wide: bool, me: int, cell: int) -> bool:
    """BB-37, BB-38, BB-52, BB-58: neither another piece nor carnage is there, for either foot."""
    here = s.square[cell]
    if here != EMPTY and here != me:
        return False
    if not wide:
        return True
    there = s.square[t.near[cell, RIGHT]]
    return t.anchor[cell] > 0 and (there == EMPTY or there == me)


@rule
def standing(s: State, team: int) -> int:
    """How many pieces of a team are on the field."""
    n = 0
    for slot in range(TEAM):
        if s.status[team, slot] == Status.FIELD:
            n += 1
    return n


@rule
def first_standing(s: State, team: int) -> int:
    """The first piece of a team that is on the field, or NOBODY."""
    for slot in range(TEAM):
        if s.status[team, slot] == Status.FIELD:
            return slot
    return NOBODY


@rule
def ready(s: State, team: int) -> int:
    """How many pieces of a team are to be lined up."""
    n = 0
    for slot in range(TEAM):
        if s.status[team, slot] == Status.READY:
            n += 1
    return n


@rule
def take_ball(s: State, team: int, slot: int) -> None:
    """BB-63, AMB-34: a piece has the ball now; that it changes teams is progress."""
    if s.possession != 1 + team:
        s.no_progress = -1
    s.holder, s.ball, s.possession = piece(team, slot), NOWHERE, 1 + team


@rule
def clear_field(t: Table, s: State) -> None:
    """BB-5, BB-6, BB-88, BB-115, BB-126: nobody and nothing on the field but the ball."""
    for c in range(CELLS):
        s.square[c] = EMPTY
        s.threat[0, c], s.threat[1, c] = 0, 0
    s.square[NOWHERE], s.threat[0, NOWHERE], s.threat[1, NOWHERE] = WALL, 0, 0
    for team in range(2):
        for slot in range(TEAM):
            s.at[team, slot], s.plan[team, slot] = NOWHERE, 0
    s.ball, s.holder, s.whole = t.kick_off, 0, 1
    s.no_progress, s.skips, s.malfunction = 0, 0, Malfunction.NONE
    s.moved, s.moved_steps, s.began = NOBODY, 0, 0


# ---- the end of the game ------------------------------------------------------------------------
@rule
def end_game(s: State) -> None:
    """BB-132, BB-138, AMB-34: more touchdowns win, else it is a tie."""
    s.phase = Phase.OVER
    tell(s, Event.ENDED, 0 if s.score[0] >= s.score[1] else 1, s.score[0], s.score[1])


@rule
def award(s: State, team: int) -> None:
    """BB-2, BB-126, BB-129, BB-130, BB-132: a touchdown, and what half comes after it."""
    s.score[team] += 1
    tell(s, Event.TOUCHDOWN, team, s.score[team])
    if s.half == 1:
        s.first_loser = 1 + (1 - team)
    if s.score[team] >= 2:
        end_game(s)
    else:
        s.half = min(s.half + 1, 3)


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """BB-2, BB-132, BB-138: +1 for more touchdowns, -1 for fewer, 0 for a tie."""
    d = s.score[0] - s.score[1]
    out[0] = 1 if d > 0 else -1 if d < 0 else 0
    out[1] = -out[0]


@rule
def limit(t: Table, seats: int) -> int:
    """AMB-34: at most eight decisions in each turn, and 26 before it if it begins a lineup."""
    return 34 * (t.max_plies + 4)


# ---- turns --------------------------------------------------------------------------------------
@rule
def begin_turn(t: Table, s: State, team: int) -> None:
    """BB-18, AMB-34: it is this team's turn, unless the match has been too long."""
    if s.turns >= t.max_plies:
        end_game(s)
        return
    s.turns += 1
    s.turn, s.to_act, s.phase = team, team, Phase.SELECT
    s.malfunction, s.moved, s.moved_steps = Malfunction.NONE, NOBODY, 0
    tell(s, Event.TURN, team)


# ---- lining up ----------------------------------------------------------------------------------
@rule
def next_to_place(t: Table, s: State, p: int) -> int:
    """BB-9, AMB-48: the piece that this coach places next, or NOBODY."""
    for i in range(TEAM):
        slot = t.order[i]
        if s.status[p, slot] == Status.READY and s.plan[p, slot] == 0:
            return slot
    return NOBODY


@rule
def list_places(t: Table, s: State, p: int, slot: int) -> int:
    """BB-10..13, AMB-4, AMB-5, AMB-49: the cells where a piece may be placed, in queue; how many.

    In a blind lineup the coach's own plan is all that stands in his zone.
    """
    for c in range(NODES):
        s.dist[c] = 0 if s.square[c] == EMPTY else 1
    for q in range(TEAM):
        if s.plan[p, q] > 0:
            cell = s.plan[p, q] - 1
            s.dist[cell] = 1
            if q == HEAVY:
                s.dist[t.near[cell, RIGHT]] = 1
    n, begin = 0, 0 if p == 0 else CELLS - ZONE
    for c in range(begin, begin + ZONE):
        wide = slot == HEAVY
        if s.dist[c] == 0 and (not wide or s.dist[t.near[c, RIGHT]] == 0):
            if t.stand[1 if wide else 0, c] > 0:
                s.queue[n] = c
                n += 1
    return n


@rule
def put_down(t: Table, s: State, p: int, slot: int, cell: int) -> None:
    """AMB-11: a piece gets its place; in a blind lineup only its coach knows."""
    tell(s, Event.PLACED, p, slot, cell)
    if t.lineup == Lineup.BLIND:
        s.plan[p, slot] = 1 + cell
    else:
        enter(t, s, p, slot, cell)


@rule
def kick_off(t: Table, s: State) -> None:
    """BB-15..17, BB-119, BB-129, BB-131, BB-137: lineups are shown; who moves first."""
    for team in range(2):
        for slot in range(TEAM):
            if s.plan[team, slot] > 0:
                enter(t, s, team, slot, s.plan[team, slot] - 1)
                s.plan[team, slot] = 0
        tell(s, Event.LINED_UP, team)
    if s.first == 0 and s.half == 2 and s.first_loser > 0:
        s.first = s.first_loser
    if s.first == 0:
        white, black = roll(s, 20), roll(s, 20)
        while white == black:  # AMB-12
            white, black = roll(s, 20), roll(s, 20)
        s.coin[0], s.coin[1] = white, black
        s.first = 1 if white > black else 2
        tell(s, Event.TOSSED, s.first - 1, white, black)
    begin_turn(t, s, s.first - 1)


@rule
def ask_lineup(t: Table, s: State) -> None:
    """AMB-11: who places next; at the end the kick-off. One coach after the other, or by turns."""
    p = s.to_act
    mine, theirs = next_to_place(t, s, p) != NOBODY, next_to_place(t, s, 1 - p) != NOBODY
    if theirs and (not mine or t.lineup == Lineup.ALTERNATE):
        s.to_act = 1 - p
    elif not mine:
        kick_off(t, s)


@rule
def begin_lineup(t: Table, s: State) -> None:
    """BB-9, BB-128: W begins; what it does is hidden until both are done."""
    s.phase, s.to_act = Phase.LINEUP, 0


@rule
def is_untouched(s: State, p: int) -> bool:
    """This coach has placed nobody yet."""
    for slot in range(TEAM):
        if s.plan[p, slot] > 0 or s.status[p, slot] == Status.FIELD:
            return False
    return True


@move(Phase.LINEUP, at=0)
def line_up(t: Table, s: State, cell: Cell) -> None:
    """BB-9..14: put the next piece there."""
    put_down(t, s, s.to_act, next_to_place(t, s, s.to_act), cell)
    ask_lineup(t, s)


@move(Phase.LINEUP, at=AFTER_CELLS + 180)
def line_up_preset(t: Table, s: State, number: PresetNumber) -> None:
    """BB-9: all pieces there are go to their places in a stored lineup."""
    p = s.to_act
    for slot in range(TEAM):
        if s.status[p, slot] == Status.READY:
            put_down(t, s, p, slot, t.preset[number].cell[p, slot])
    ask_lineup(t, s)


@move(Phase.LINEUP, at=AFTER_CELLS + 196)
def line_up_random(t: Table, s: State) -> None:
    """BB-9: each piece in its turn goes to any of the cells it may be placed on."""
    p = s.to_act
    slot = next_to_place(t, s, p)
    while slot != NOBODY:
        n = list_places(t, s, p, slot)
        put_down(t, s, p, slot, pick(s, s.queue, n))
        slot = next_to_place(t, s, p)
    ask_lineup(t, s)


@allow_all(line_up, line_up_preset, line_up_random)
def may_line_up(t: Table, s: State, can: Row) -> None:
    """BB-10..13: any cell that is free for the piece; a stored or a random lineup at first."""
    p = s.to_act
    for i in range(list_places(t, s, p, next_to_place(t, s, p))):
        offer(can, line_up, s.queue[i])
    if t.lineup != Lineup.ALTERNATE and is_untouched(s, p):
        for number in range(PRESETS):
            if t.preset[number].cell[0, 0] != NOWHERE:
                offer(can, line_up_preset, number)
        offer(can, line_up_random)


# ---- halves, halted play, restart ---------------------------------------------------------------
@rule
def renew_team_rules(s: State) -> None:
    """BB-161, BB-162: what a rule may be used for is full again with each half and restart."""
    for team in range(2):
        r = s.team_rule[team]
        s.left[team] = 0
        if r == TeamRule.FIELD_MEDICS or r == TeamRule.SECOND_WIND:
            s.left[team] = 2
        elif r == TeamRule.GHOST_STEP:
            s.left[team] = 1


@rule
def begin_half(t: Table, s: State, fresh: bool) -> None:
    """BB-126..128, BB-133, BB-135..139, AMB-36, AMB-51: all who are not in the box line up.

    `fresh`: it is not the same half again, so team rules are chosen anew (BB-162). A team without
    anybody concedes a touchdown; without anybody at all the game ends.
    """
    clear_field(t, s)
    for team in range(2):
        for slot in range(TEAM):
            if s.status[team, slot] != Status.BOX:
                s.status[team, slot] = Status.READY
    s.possession, s.first = 0, 0
    renew_team_rules(s)
    while s.phase != Phase.OVER and (ready(s, 0) == 0 or ready(s, 1) == 0):
        if ready(s, 0) == 0 and ready(s, 1) == 0:
            end_game(s)
        else:
            award(s, 0 if ready(s, 0) > 0 else 1)
            fresh = True
    if s.phase != Phase.OVER:
        tell(s, Event.HALF, 0, s.half)
        if fresh and t.team_rules > 0:
            s.phase, s.to_act = Phase.TEAMRULE, 0
            s.choice[0], s.choice[1], s.team_rule[0], s.team_rule[1] = 0, 0, 0, 0
        else:
            begin_lineup(t, s)


@rule
def touchdown(t: Table, s: State, team: int) -> None:
    """BB-23, BB-122, BB-124: this half is over; the next begins, unless it was the second one."""
    award(s, team)
    if s.phase != Phase.OVER:
        begin_half(t, s, True)


@rule
def restart(t: Table, s: State) -> None:
    """BB-134..137: nobody is left on the field; the same half begins again."""
    s.restarts += 1
    tell(s, Event.RESTARTED, 0)
    begin_half(t, s, False)


@rule
def ball_after_halt(s: State, team: int, carrier: int) -> None:
    """AMB-31 with halt_ball=possession: who carried the ball has it again, else the first piece."""
    if carrier > 0 and team_of(carrier) == team:
        take_ball(s, team, slot_of(carrier))
        return
    for slot in range(TEAM):
        if s.status[team, slot] == Status.READY:
            take_ball(s, team, slot)
            return


@rule
def halt(t: Table, s: State, team: int, why: int) -> None:
    """BB-115..121, AMB-31: those on the field line up again; the team in possession goes first."""
    s.halts += 1
    tell(s, Event.HALTED, team, why)
    carrier = s.holder
    clear_field(t, s)
    for side in range(2):
        for slot in range(TEAM):
            if s.status[side, slot] == Status.FIELD:
                s.status[side, slot] = Status.READY
    s.first = 1 + team
    if t.halt_gives_ball > 0 and s.possession == 1 + team:
        ball_after_halt(s, team, carrier)
        s.no_progress = 0
    if ready(s, 0) > 0 and ready(s, 1) > 0:
        begin_lineup(t, s)
    elif ready(s, 0) > 0 or ready(s, 1) > 0:
        touchdown(t, s, 0 if ready(s, 0) > 0 else 1)
    else:
        restart(t, s)


# ---- can anybody still score? -------------------------------------------------------------------
@rule
def spread_region(t: Table, s: State, begin: int, number: int) -> None:
    """Gives a number to every cell that can be walked to from `begin`, if nobody stood anywhere."""
    head, tail = 0, 1
    s.queue[0], s.region[begin] = begin, number
    while head < tail:
        c = s.queue[head]
        head += 1
        for k in range(AROUND):
            n = t.near[c, k]
            if s.region[n] == 0 and s.square[n] != CARNAGE and n != NOWHERE:
                s.region[n] = number
                s.queue[tail] = n
                tail += 1


@rule
def find_regions(t: Table, s: State) -> int:
    """BB-114: the parts into which carnage divides the field; how many there are."""
    for c in range(NODES):
        s.region[c] = 0
    n = 0
    for c in range(CELLS):
        if s.region[c] == 0 and s.square[c] != CARNAGE:
            n += 1
            spread_region(t, s, c, n)
    return n


@rule
def survey(t: Table, s: State) -> None:
    """BB-114: is the field whole, and can both end zones be entered? Asked when carnage changes."""
    s.whole = 0
    if find_regions(t, s) == 1:
        for team in range(2):
            s.home = 0
            for c in range(CELLS):
                if t.goal[team, c] > 0 and s.region[c] > 0:
                    s.home = 1
            if s.home == 0:
                return
        s.whole = 1


@rule
def touches_live(s: State, team: int) -> bool:
    """A piece of this team stands in a part of the field that the ball can come to."""
    if s.holder > 0 and team_of(s.holder) == team:
        return True
    for slot in range(TEAM):
        if s.at[team, slot] != NOWHERE and s.live[s.region[s.at[team, slot]]] > 0:
            return True
    return False


@rule
def passes_on(s: State, team: int) -> bool:
    """BB-114, Advanced: a pass of this team carries the ball to all its pieces; is that new?"""
    new = False
    if touches_live(s, team):
        for slot in range(TEAM):
            if s.at[team, slot] != NOWHERE and s.live[s.region[s.at[team, slot]]] == 0:
                s.live[s.region[s.at[team, slot]]] = 1
                new = True
    return new


@rule
def hops_on(t: Table, s: State) -> bool:
    """AMB-30 with halt_counts_fumble_hops: a fumble carries the ball two cells; is that new?"""
    new = False
    if touches_live(s, 0) or touches_live(s, 1):
        for c in range(CELLS):
            if s.live[s.region[c]] > 0:
                for k in range(AROUND):
                    middle = t.near[c, k]
                    for j in range(AROUND):
                        n = t.near[middle, j]
                        if s.region[n] > 0 and s.live[s.region[n]] == 0:
                            s.live[s.region[n]] = 1
                            new = True
    return new


@rule
def find_live(t: Table, s: State) -> None:
    """BB-114: marks the parts of the field that the ball can come to."""
    for i in range(NODES):
        s.live[i] = 0
    if s.holder > 0:
        s.live[s.region[s.at[team_of(s.holder), slot_of(s.holder)]]] = 1
    elif s.ball != NOWHERE:
        s.live[s.region[s.ball]] = 1
    more = True
    while more:
        more = False
        if s.advanced > 0:
            for team in range(2):
                if passes_on(s, team):
                    more = True
        if t.fumble_hops > 0 and hops_on(t, s):
            more = True


@rule
def heavy_gets_home(t: Table, s: State, team: int) -> bool:
    """BB-57, BB-114: the Heavy Tackle can walk to its goal row, if nobody stood anywhere."""
    begin = s.at[team, HEAVY]
    for c in range(NODES):
        s.dist[c] = 0
    head, tail = 0, 1
    s.queue[0], s.dist[begin] = begin, 1
    while head < tail:
        c = s.queue[head]
        head += 1
        if t.goal[team, c] > 0:
            return True
        for k in range(AROUND):
            n = t.near[c, k]
            if s.dist[n] == 0 and t.anchor[n] > 0 and s.square[n] != CARNAGE:
                if s.square[t.near[n, RIGHT]] != CARNAGE:
                    s.dist[n] = 1
                    s.queue[tail] = n
                    tail += 1
    return False


@rule
def has_way_home(t: Table, s: State, team: int) -> bool:
    """BB-113, BB-114: some piece of this team can come to the ball and with it to its goal row."""
    for slot in range(TEAM):
        cell = s.at[team, slot]
        if cell != NOWHERE and s.live[s.region[cell]] > 0:
            if slot == HEAVY:
                return heavy_gets_home(t, s, team)  # it is the last of the slots
            for c in range(CELLS):
                if t.goal[team, c] > 0 and s.region[c] == s.region[cell]:
                    return True
    return False


@rule
def is_closed(t: Table, s: State) -> bool:
    """BB-113, BB-114: neither team can score any more, even if all pieces got out of the way."""
    if s.whole > 0:
        for slot in range(HEAVY):
            if s.at[0, slot] != NOWHERE or s.at[1, slot] != NOWHERE:
                return False
    find_regions(t, s)
    find_live(t, s)
    return not has_way_home(t, s, 0) and not has_way_home(t, s, 1)


# ---- the end of a turn --------------------------------------------------------------------------
@rule
def in_possession(s: State) -> int:
    """BB-119, BB-120: the team that has or last had the ball, else the one whose turn is next."""
    return s.possession - 1 if s.possession > 0 else 1 - s.turn


@rule
def end_turn(t: Table, s: State) -> None:
    """BB-30, BB-114, AMB-34, AMB-56: the other team's turn, unless play must be halted."""
    s.no_progress += 1
    if is_closed(t, s):
        halt(t, s, in_possession(s), Why.CLOSED)
    elif s.skips >= 2:
        halt(t, s, in_possession(s), Why.STUCK)
    elif t.no_progress_limit > 0 and s.no_progress >= t.no_progress_limit:
        s.np_halts += 1
        if s.np_halts >= t.max_np_halts:
            end_game(s)
        else:
            halt(t, s, in_possession(s), Why.NO_PROGRESS)
    else:
        begin_turn(t, s, 1 - s.turn)


# ---- after the move: tackle, or hand off, or pass -----------------------------------------------
@rule
def is_in_contact(t: Table, s: State, team: int) -> bool:
    """BB-24, AMB-41, AMB-42: any piece of this team is next to any opponent."""
    for slot in range(TEAM):
        cell = s.at[team, slot]
        if cell != NOWHERE and is_next_to(t, s, team, slot, cell):
            return True
    return False


@rule
def can_take_hand_off(t: Table, s: State, slot: int) -> bool:
    """BB-90: a partner next to the carrier."""
    team, carrier = s.turn, slot_of(s.holder)
    if slot == carrier or s.at[team, slot] == NOWHERE:
        return False
    return between(t, s, team, carrier, team, slot) == 1


@rule
def pass_bonus(s: State) -> int:
    """BB-165: Sure Hands adds to the total of a pass."""
    return 2 if s.team_rule[s.turn] == TeamRule.SURE_HANDS else 0


@rule
def can_take_pass(t: Table, s: State, slot: int) -> bool:
    """BB-141, BB-143, BB-144, BB-146, AMB-37: any partner that a pass can reach."""
    team, carrier = s.turn, slot_of(s.holder)
    if s.advanced == 0 or slot == carrier or s.at[team, slot] == NOWHERE:
        return False
    return between(t, s, team, carrier, team, slot) <= t.reach[slot] + pass_bonus(s)


@rule
def may_transfer(t: Table, s: State) -> bool:
    """BB-27, BB-51, BB-90, BB-141: this team has the ball, and somebody to give it to."""
    if s.holder == 0 or team_of(s.holder) != s.turn or s.malfunction == Malfunction.PLACED:
        return False
    for slot in range(TEAM):
        if can_take_hand_off(t, s, slot) or can_take_pass(t, s, slot):
            return True
    return False


@rule
def after_move(t: Table, s: State) -> None:
    """BB-22, BB-24, BB-27, BB-30: a tackle if there is contact, else a hand-off or pass."""
    s.to_act = s.turn
    if is_in_contact(t, s, s.turn):
        s.phase = Phase.TACKLE
    elif may_transfer(t, s):
        s.phase = Phase.OPTION
    else:
        end_turn(t, s)


# ---- fumbles ------------------------------------------------------------------------------------
@rule
def is_spot(t: Table, s: State, cell: int) -> bool:
    """BB-104, BB-105, AMB-44: an empty cell, one or two from where the fumbler stands or stood."""
    return s.square[cell] == EMPTY and 1 <= away(t, slot_of(s.fumbler), s.spot, cell) <= 2


@rule
def may_be_given(t: Table, s: State, team: int, slot: int) -> bool:
    """BB-108, BB-110, AMB-29: a piece within two of the fumbler, not the fumbler itself."""
    cell = s.at[team, slot]
    if cell == NOWHERE or piece(team, slot) == s.fumbler:
        return False
    d = away(t, slot_of(s.fumbler), s.spot, cell)
    if slot == HEAVY:
        d = min(d, away(t, slot_of(s.fumbler), s.spot, t.near[cell, RIGHT]))
    return d <= 2


@rule
def anyone_near(t: Table, s: State, team: int) -> bool:
    """BB-109, BB-110: this team has a piece that the ball may be given to."""
    for slot in range(TEAM):
        if may_be_given(t, s, team, slot):
            return True
    return False


@rule
def ask_fumble(t: Table, s: State) -> None:
    """BB-103, BB-104, BB-108..111: the other coach places the ball, or gives it; or a halt."""
    team = team_of(s.fumbler)
    s.to_act = 1 - team
    for c in range(CELLS):
        if is_spot(t, s, c):
            s.phase = Phase.PLACE
            return
    if anyone_near(t, s, 1 - team) or anyone_near(t, s, team):
        s.phase = Phase.GIVE
    else:
        halt(t, s, team, Why.NO_SPOT)


@rule
def fumble(t: Table, s: State, code: int, cell: int) -> None:
    """BB-78, BB-99, BB-103, BB-105: the piece that had the ball, on this cell, has lost it."""
    s.fumbler, s.spot, s.holder, s.ball, s.no_progress = code, cell, 0, NOWHERE, -1
    tell(s, Event.FUMBLED, team_of(code), slot_of(code))
    ask_fumble(t, s)


@rule
def after_fumble(t: Table, s: State) -> None:
    """BB-51, BB-112, AMB-19: the turn ends; after a malfunction there may still be a tackle."""
    if s.malfunction == Malfunction.PLACING and t.malfunction_ends_turn == 0:
        s.malfunction = Malfunction.PLACED
        after_move(t, s)
    else:
        end_turn(t, s)


@move(Phase.PLACE, at=0)
def place(t: Table, s: State, cell: Cell) -> None:
    """BB-104, BB-107: the ball lies there, loose."""
    s.ball = cell
    tell(s, Event.BALL_PLACED, s.to_act, cell)
    after_fumble(t, s)


@allow_all(place)
def may_place(t: Table, s: State, can: Row) -> None:
    """BB-89, BB-104: every empty cell within two."""
    for c in range(CELLS):
        if is_spot(t, s, c):
            offer(can, place, c)


@rule
def give(t: Table, s: State, team: int, slot: int) -> None:
    """BB-108: a piece gets the ball."""
    take_ball(s, team, slot)
    tell(s, Event.GOT_BALL, team, slot)


@move(Phase.GIVE, at=AFTER_CELLS + 158)
def give_own(t: Table, s: State, slot: Slot) -> None:
    """BB-109: to a piece of one's own."""
    give(t, s, s.to_act, slot)
    after_fumble(t, s)


@move(Phase.GIVE, at=AFTER_CELLS + 169)
def give_other(t: Table, s: State, slot: Slot) -> None:
    """BB-110: to an opposing piece."""
    give(t, s, 1 - s.to_act, slot)
    after_fumble(t, s)


@allow_all(give_own, give_other)
def may_give(t: Table, s: State, can: Row) -> None:
    """BB-109, BB-110: one's own pieces within two; only if there is none, the other's."""
    p = s.to_act
    own_near = anyone_near(t, s, p)
    for slot in range(TEAM):
        if own_near and may_be_given(t, s, p, slot):
            offer(can, give_own, slot)
        elif not own_near and may_be_given(t, s, 1 - p, slot):
            offer(can, give_other, slot)


# ---- dice ---------------------------------------------------------------------------------------
@rule
def roll_for(t: Table, s: State, i: int, team: int, slot: int) -> None:
    """BB-4, BB-46, BB-83: the die of a piece's base, two for the Heavy Tackle."""
    s.dice[i, 0], s.dice[i, 1] = roll(s, t.die[slot]), 0
    s.roller[i] = piece(team, slot)
    if slot == HEAVY:
        s.dice[i, 1] = roll(s, t.die[slot])
    tell(s, Event.ROLLED, team, slot, s.dice[i, 0], s.dice[i, 1])


@rule
def higher(s: State, i: int) -> int:
    """The higher of these dice."""
    return max(s.dice[i, 0], s.dice[i, 1])


@rule
def lower(s: State, i: int) -> int:
    """The lower of these dice."""
    return min(s.dice[i, 0], s.dice[i, 1]) if s.dice[i, 1] > 0 else s.dice[i, 0]


@rule
def any_match(s: State) -> bool:
    """BB-94, BB-96, BB-97, BB-101: any two dice of the roll are equal, whosever they are."""
    a, b, c, d = s.dice[0, 0], s.dice[0, 1], s.dice[1, 0], s.dice[1, 1]
    if a == c or (b > 0 and (a == b or b == c)):
        return True
    return d > 0 and (d == a or d == b or d == c)


@rule
def keep_dice(s: State) -> None:
    """BB-165: what was rolled before Sure Hands rolled again stays to be seen."""
    for i in range(2):
        s.dice_before[i, 0], s.dice_before[i, 1] = s.dice[i, 0], s.dice[i, 1]


# ---- hand-offs and passes -----------------------------------------------------------------------
@rule
def has_sure_hands(s: State) -> bool:
    """BB-165: a fumble by this team's hand-off or pass is rolled again."""
    return s.team_rule[s.turn] == TeamRule.SURE_HANDS


@rule
def fumble_transfer(t: Table, s: State) -> None:
    """BB-93, BB-100, BB-102, BB-105, AMB-50: the giver or passer has fumbled."""
    code = s.holder
    fumble(t, s, code, s.at[team_of(code), slot_of(code)])


@rule
def roll_hand_off(t: Table, s: State, giver: int, receiver: int) -> None:
    """BB-91: the dice of both."""
    roll_for(t, s, 0, s.turn, giver)
    roll_for(t, s, 1, s.turn, receiver)


@move(Phase.OPTION, at=AFTER_CELLS + 133)
def hand_off(t: Table, s: State, slot: Slot) -> None:
    """BB-29, BB-91..95, BB-165: try to hand the ball to a partner."""
    giver = slot_of(s.holder)
    s.skips = 0
    tell(s, Event.HANDED_OFF, s.turn, giver, slot)
    roll_hand_off(t, s, giver, slot)
    if any_match(s) and has_sure_hands(s):
        keep_dice(s)
        tell(s, Event.SURE_HANDS, s.turn)
        roll_hand_off(t, s, giver, slot)
    if any_match(s):
        fumble_transfer(t, s)
    else:
        give(t, s, s.turn, slot)
        end_turn(t, s)


@rule
def roll_pass(t: Table, s: State, receiver: int) -> None:
    """BB-148, BB-156: the receiver's dice, then the football die."""
    roll_for(t, s, 0, s.turn, receiver)
    s.dice[1, 0], s.dice[1, 1], s.roller[1] = roll(s, 6), 0, 0
    tell(s, Event.FOOTBALL_DIE, s.turn, s.dice[1, 0])


@rule
def pass_is_fumbled(t: Table, s: State) -> bool:
    """BB-149, BB-156, AMB-38: equal dice; of a Heavy any pair, or only the die that counts."""
    return any_match(s) if t.pass_any_match > 0 else higher(s, 0) == s.dice[1, 0]


@rule
def is_on_ring(t: Table, s: State, cell: int) -> bool:
    """BB-151, AMB-45: just as far from the receiver as the football die says."""
    return away(t, s.receiver, s.at[s.turn, s.receiver], cell) == s.dice[1, 0]


@rule
def may_land(t: Table, s: State, cell: int) -> bool:
    """BB-152, BB-153, AMB-46: an empty cell of the ring, or one with a piece of the other team."""
    here = s.square[cell]
    return (here == EMPTY or belongs(here, 1 - s.turn)) and is_on_ring(t, s, cell)


@rule
def may_recover(t: Table, s: State, slot: int) -> bool:
    """BB-154, AMB-47: a piece of the passing team that stands on the ring, with either foot."""
    cell = s.at[s.turn, slot]
    if cell == NOWHERE:
        return False
    return is_on_ring(t, s, cell) or (slot == HEAVY and is_on_ring(t, s, t.near[cell, RIGHT]))


@rule
def ask_incomplete(t: Table, s: State) -> None:
    """BB-151, BB-154, BB-155: the other coach says where the ball comes down; or it is a halt."""
    s.phase, s.to_act = Phase.INCOMPLETE, 1 - s.turn
    for c in range(CELLS):
        if may_land(t, s, c):
            return
    for slot in range(TEAM):
        if may_recover(t, s, slot):
            return
    halt(t, s, s.turn, Why.OUT_OF_PLAY)


@move(Phase.OPTION, at=AFTER_CELLS + 144)
def pass_ball(t: Table, s: State, slot: Slot) -> None:
    """BB-142, BB-144..153, BB-156..158, BB-165: try to pass the ball to a partner."""
    passer = slot_of(s.holder)
    far = between(t, s, s.turn, passer, s.turn, slot)
    s.skips, s.receiver = 0, slot
    tell(s, Event.PASSED, s.turn, passer, slot, far)
    roll_pass(t, s, slot)
    if pass_is_fumbled(t, s) and has_sure_hands(s):
        keep_dice(s)
        tell(s, Event.SURE_HANDS, s.turn)
        roll_pass(t, s, slot)
    if pass_is_fumbled(t, s):
        fumble_transfer(t, s)
    elif higher(s, 0) + s.dice[1, 0] + pass_bonus(s) >= far:
        give(t, s, s.turn, slot)
        end_turn(t, s)
    else:
        tell(s, Event.INCOMPLETE, s.turn, slot, s.dice[1, 0])
        s.holder = 0
        ask_incomplete(t, s)


@move(Phase.OPTION, at=AFTER_CELLS + 155)
def decline(t: Table, s: State) -> None:
    """BB-28, BB-30: neither; the turn ends."""
    end_turn(t, s)


@allow_all(hand_off, pass_ball, decline)
def may_hand_off_or_pass(t: Table, s: State, can: Row) -> None:
    """BB-28, BB-90, BB-142, BB-146: to whom the ball can go; or to keep it."""
    for slot in range(TEAM):
        if can_take_hand_off(t, s, slot):
            offer(can, hand_off, slot)
    for slot in range(TEAM):
        if can_take_pass(t, s, slot):
            offer(can, pass_ball, slot)
    offer(can, decline)


@move(Phase.INCOMPLETE, at=0)
def land(t: Table, s: State, cell: Cell) -> None:
    """BB-152, BB-153, BB-158: there the ball lies loose, or a piece has caught it."""
    tell(s, Event.BALL_PLACED, s.to_act, cell)
    if s.square[cell] == EMPTY:
        s.ball = cell
    else:
        give(t, s, s.to_act, slot_of(s.square[cell]))
    end_turn(t, s)


@move(Phase.INCOMPLETE, at=AFTER_CELLS + 169)
def recover(t: Table, s: State, slot: Slot) -> None:
    """BB-154: a piece of the passing team has it."""
    give(t, s, s.turn, slot)
    end_turn(t, s)


@allow_all(land, recover)
def may_land_or_recover(t: Table, s: State, can: Row) -> None:
    """BB-151..154: the cells of the ring; only if there is none, the passing team's pieces."""
    found = False
    for c in range(CELLS):
        if may_land(t, s, c):
            offer(can, land, c)
            found = True
    if not found:
        for slot in range(TEAM):
            if may_recover(t, s, slot):
                offer(can, recover, slot)


# ---- tackles ------------------------------------------------------------------------------------
@rule
def has_started_running(s: State) -> bool:
    """BB-168: Running Start, for the piece that moved three steps or more and now tackles."""
    if s.team_rule[s.turn] != TeamRule.RUNNING_START:
        return False
    return s.attacker == s.moved and s.moved_steps >= 3


@rule
def attack_value(s: State) -> int:
    """BB-85, BB-168: the attacker's die; Running Start makes it one lower, but no 1 of it."""
    natural = s.chosen[0]
    return max(2, natural - 1) if natural > 1 and has_started_running(s) else natural


@rule
def makes_last_stand(s: State, loser: int, by: int, winner_rolled: int) -> bool:
    """BB-170: who would lose by just 1 takes the winner along, unless that one rolled a 1."""
    return s.team_rule[loser] == TeamRule.LAST_STAND and by == 1 and winner_rolled != 1


@rule
def injure(t: Table, s: State, team: int, slot: int, other_rolled: int) -> None:
    """BB-72..74, BB-79..82, BB-86, BB-166: off the field, carnage where it stood.

    The other's natural 1 is a serious injury; in a tie both have rolled it.
    """
    cell = s.at[team, slot]
    s.status[team, slot] = Status.LOCKER
    serious = other_rolled == 1
    if serious and s.team_rule[team] == TeamRule.FIELD_MEDICS and s.left[team] > 0:
        s.left[team] -= 1
        serious = False
        tell(s, Event.TREATED, team, slot)
    if serious:
        s.status[team, slot] = Status.BOX
        tell(s, Event.SERIOUSLY_INJURED, team, slot, cell)
    else:
        tell(s, Event.INJURED, team, slot, cell)
    leave(t, s, team, slot, CARNAGE)


@rule
def after_tackle(t: Table, s: State, tie: bool, attacker_won: bool, fumbler: int, spot: int) -> None:
    """BB-26, BB-76, BB-78, BB-96..99, BB-106, BB-124, BB-125, BB-134: what becomes of the ball.

    `fumbler`: the piece of the two that had the ball, or 0; `spot`: where it stood.
    """
    us, them = s.turn, 1 - s.turn
    mine, theirs = standing(s, us), standing(s, them)
    if fumbler > 0 and not tie:
        if attacker_won:
            take_ball(s, us, s.attacker)
        else:
            take_ball(s, them, s.target)
    if mine == 0 and theirs == 0:
        restart(t, s)
    elif mine == 0 or theirs == 0:
        winner = us if mine > 0 else them
        if fumbler > 0 and tie:
            take_ball(s, winner, first_standing(s, winner))
        touchdown(t, s, winner)
    elif fumbler > 0 and (tie or any_match(s)):
        s.possession = 1 + team_of(fumbler)
        fumble(t, s, fumbler, spot)
    else:
        if fumbler > 0 and s.holder != fumbler:
            tell(s, Event.GOT_BALL, team_of(s.holder), slot_of(s.holder))
        end_turn(t, s)


@rule
def resolve(t: Table, s: State) -> None:
    """BB-70..79, BB-85, BB-98, BB-168, BB-170, BB-171: the lower die wins, equal ones lose both."""
    us, them = s.turn, 1 - s.turn
    a, b = attack_value(s), s.chosen[1]
    tie = a == b
    if a > b and makes_last_stand(s, us, a - b, s.chosen[1]):
        tie = True
        tell(s, Event.LAST_STAND, us, s.attacker)
    if b > a and makes_last_stand(s, them, b - a, s.chosen[0]):
        tie = True
        tell(s, Event.LAST_STAND, them, s.target)
    fumbler, spot = 0, NOWHERE
    if s.holder == piece(us, s.attacker):
        fumbler, spot = s.holder, s.at[us, s.attacker]
    elif s.holder == piece(them, s.target):
        fumbler, spot = s.holder, s.at[them, s.target]
    if tie or a > b:
        injure(t, s, us, s.attacker, s.chosen[1])
    if tie or b > a:
        injure(t, s, them, s.target, s.chosen[0])
    s.no_progress, s.skips = -1, 0
    survey(t, s)
    after_tackle(t, s, tie, a < b, fumbler, spot)


@rule
def settle_dice(t: Table, s: State) -> None:
    """BB-83..85, AMB-23: a Heavy's coach chooses if its dice differ, the attacker first."""
    for i in range(2):
        if s.chosen[i] == 0:
            differ = s.dice[i, 1] > 0 and s.dice[i, 0] != s.dice[i, 1]
            if differ and t.auto_low == 0:
                s.phase, s.to_act = Phase.DIE, s.turn if i == 0 else 1 - s.turn
                return
            s.chosen[i] = lower(s, i)
    resolve(t, s)


@move(Phase.TACKLE, at=AFTER_CELLS + 12)
def tackle(t: Table, s: State, attacker: Slot, target: Slot) -> None:
    """BB-65..69, BB-83, BB-84: one piece tackles one opponent; both roll."""
    s.attacker, s.target, s.chosen[0], s.chosen[1] = attacker, target, 0, 0
    tell(s, Event.TACKLED, s.turn, attacker, target)
    roll_for(t, s, 0, s.turn, attacker)
    roll_for(t, s, 1, 1 - s.turn, target)
    settle_dice(t, s)


@allow_all(tackle)
def may_tackle(t: Table, s: State, can: Row) -> None:
    """BB-24, BB-25, BB-66..68, AMB-21: every pair of opponents next to each other."""
    us, them = s.turn, 1 - s.turn
    for p in range(TEAM):
        cell = s.at[us, p]
        if cell != NOWHERE and is_next_to(t, s, us, p, cell):
            for q in range(TEAM):
                if s.at[them, q] != NOWHERE and between(t, s, us, p, them, q) == 1:
                    offer(can, tackle, p, q)


@rule
def choose_die(t: Table, s: State, value: int) -> None:
    """BB-83: this die of a Heavy Tackle counts."""
    s.chosen[0 if s.to_act == s.turn else 1] = value
    tell(s, Event.DIE_CHOSEN, s.to_act, value)
    settle_dice(t, s)


@move(Phase.DIE, at=AFTER_CELLS + 156)
def choose_low(t: Table, s: State) -> None:
    """BB-83, AMB-23: the lower one."""
    choose_die(t, s, lower(s, 0 if s.to_act == s.turn else 1))


@move(Phase.DIE, at=AFTER_CELLS + 157)
def choose_high(t: Table, s: State) -> None:
    """BB-83, AMB-23: the higher one."""
    choose_die(t, s, higher(s, 0 if s.to_act == s.turn else 1))


# ---- moving -------------------------------------------------------------------------------------
@rule
def is_on_ball(t: Table, s: State, wide: bool, cell: int) -> bool:
    """BB-60, AMB-7: the loose ball is under a foot of the piece."""
    if s.ball == NOWHERE:
        return False
    return cell == s.ball or (wide and t.near[cell, RIGHT] == s.ball)


@rule
def flood(t: Table, s: State, begin: int, wide: bool, ghost: bool) -> int:
    """BB-31..44, BB-52..61, BB-122, BB-123, AMB-14: all cells that the mover can come to.

    Breadth first, over nodes: a cell, + NODES once the ball has been picked up on the way,
    + 2 * NODES once the Ghost Step is used. They stand in `queue`, their steps in `dist`; returns
    how many they are. `home`: the end zone can be reached with the ball.
    """
    us, me = s.turn, piece(s.turn, s.mover)
    mine, loose = s.holder == me, s.ball != NOWHERE
    for i in range(4 * NODES if ghost else 2 * NODES if loose else NODES):
        s.dist[i] = FAR
    s.home, s.dist[begin], s.queue[0] = 0, 0, begin
    head, tail = 0, 1
    while head < tail:
        node = s.queue[head]
        layer = node // NODES
        c = node - layer * NODES
        steps = s.dist[node] + 1
        stop = s.threat[1 - us, c] > 0 or (wide and s.threat[1 - us, t.near[c, RIGHT]] > 0)
        stop = stop and head > 0  # BB-41: the cell of the start stops nobody
        head += 1
        if steps > s.steps or (stop and not (ghost and layer < 2)):
            continue
        if stop:
            layer += 2
        if t.goal[us, c] > 0 and (mine or layer % 2 == 1):
            s.home = 1
        for k in range(AROUND):
            n = t.near[c, k]
            onto = layer * NODES + n
            if s.dist[onto] == FAR and fits(t, s, wide, me, n):
                if loose and layer % 2 == 0 and is_on_ball(t, s, wide, n):
                    if t.optional_pickup > 0:
                        s.dist[onto] = steps
                        s.queue[tail] = onto
                        tail += 1
                    onto += NODES
                if s.dist[onto] == FAR:
                    s.dist[onto] = steps
                    s.queue[tail] = onto
                    tail += 1
    return tail


@rule
def has_ghost_step(s: State) -> bool:
    """BB-169: the mover may ignore one must-stop."""
    if s.team_rule[s.turn] != TeamRule.GHOST_STEP:
        return False
    return s.left[s.turn] > 0 and s.mover < RUNNERS


@rule
def leads_with_foot(t: Table, s: State) -> bool:
    """AMB-8 with heavy_lead_foot: the Heavy Tackle walks like a single piece on one of its feet."""
    return t.lead_foot > 0 and s.mover == HEAVY


@rule
def steps_to(t: Table, s: State, grab: int, cell: int) -> int:
    """BB-168, BB-169: steps of the shortest legal path without a Ghost Step, or FAR."""
    begin = s.at[s.turn, s.mover]
    if not leads_with_foot(t, s):
        flood(t, s, begin, s.mover == HEAVY, False)
        return s.dist[grab * NODES + cell]
    layers = 2 if s.ball != NOWHERE else 1
    best = FAR
    for foot in range(2):
        flood(t, s, t.near[begin, RIGHT] if foot > 0 else begin, False, False)
        on = t.near[cell, RIGHT] if foot > 0 else cell
        for layer in range(layers):
            best = min(best, s.dist[layer * NODES + on])
    return best


@rule
def note_path(t: Table, s: State, grab: int, cell: int) -> None:
    """BB-168, BB-169: what the team rules ask of the way: its length, and whether it was free."""
    r = s.team_rule[s.turn]
    if r == TeamRule.RUNNING_START:
        s.moved, s.moved_steps = s.mover, steps_to(t, s, grab, cell)
    elif r == TeamRule.GHOST_STEP and has_ghost_step(s):
        if steps_to(t, s, grab, cell) == FAR:
            s.left[s.turn] -= 1
            tell(s, Event.GHOST_STEP, s.turn, s.mover)


@move(Phase.DEST, at=0)
def run(t: Table, s: State, grab: Grab, cell: Cell) -> None:
    """BB-31..45, BB-60..63: the piece goes there, and has the ball if it came over it."""
    note_path(t, s, grab, cell)
    us, slot = s.turn, s.mover
    s.began = 1 + s.at[us, slot]
    leave(t, s, us, slot, EMPTY)
    enter(t, s, us, slot, cell)
    tell(s, Event.MOVED, us, slot, cell)
    if grab > 0:
        tell(s, Event.PICKED_UP, us, slot, s.ball)
        take_ball(s, us, slot)
        s.no_progress = -1
    after_move(t, s)


@move(Phase.DEST, at=AFTER_CELLS)
def score(t: Table, s: State) -> None:
    """BB-44, BB-122, BB-123, AMB-9, AMB-10, AMB-20: into the end zone with the ball."""
    if s.holder == 0:
        take_ball(s, s.turn, s.mover)
    touchdown(t, s, s.turn)


@rule
def offer_lead_foot(t: Table, s: State, can: Row) -> None:
    """AMB-8 with heavy_lead_foot: one foot walks, only the end must fit both.

    Two floods, one for each foot; `live` marks what is offered without and `region` with the ball.
    """
    begin, me = s.at[s.turn, HEAVY], piece(s.turn, HEAVY)
    home = False
    for c in range(NODES):
        s.live[c], s.region[c] = 0, 0
    for foot in range(2):
        n = flood(t, s, t.near[begin, RIGHT] if foot > 0 else begin, False, False)
        home = home or s.home > 0
        for i in range(1, n):
            layer = s.queue[i] // NODES
            c = s.queue[i] - layer * NODES
            c = t.near[c, LEFT] if foot > 0 else c
            if c == begin or t.stand[1, c] == 0 or not fits(t, s, True, me, c):
                continue
            if layer > 0 or is_on_ball(t, s, True, c):
                if s.region[c] == 0:
                    offer(can, run, 1, c)
                s.region[c] = 1
            else:
                if s.live[c] == 0:
                    offer(can, run, 0, c)
                s.live[c] = 1
    if home:
        offer(can, score)


@allow_all(run, score)
def may_run(t: Table, s: State, can: Row) -> None:
    """BB-31..45, BB-122, BB-169: every cell in reach, without and with the ball; the end zone."""
    if leads_with_foot(t, s):
        offer_lead_foot(t, s, can)
        return
    begin, wide, ghost = s.at[s.turn, s.mover], s.mover == HEAVY, has_ghost_step(s)
    for i in range(1, flood(t, s, begin, wide, ghost)):
        node = s.queue[i]
        again = False
        if node >= 2 * NODES:  # BB-169: needs the Ghost Step, or can be had without it
            node -= 2 * NODES
            again = s.dist[node] != FAR
        grab = 1 if node >= NODES else 0
        c = node - grab * NODES
        if c != begin and not again and t.stand[1 if wide else 0, c] > 0:
            if grab > 0 or t.optional_pickup == 0 or not is_on_ball(t, s, wide, c):
                offer(can, run, grab, c)
    if s.home > 0:
        offer(can, score)


# ---- choosing a piece ---------------------------------------------------------------------------
@rule
def can_step(t: Table, s: State, slot: int) -> bool:
    """BB-20, AMB-15: it has a step to make, or can score; whatever it rolls, it can then move."""
    us = s.turn
    cell, me, wide = s.at[us, slot], piece(us, slot), slot == HEAVY
    if cell == NOWHERE:
        return False
    if s.holder == me and t.goal[us, cell] > 0:
        return True
    for k in range(AROUND):
        n = t.near[cell, k]
        if t.stand[1 if wide else 0, n] > 0 and fits(t, s, wide, me, n):
            return True
    return False


@rule
def malfunction(t: Table, s: State) -> None:
    """BB-48..51, AMB-19: the Heavy Tackle cannot move this turn, and fumbles if it has the ball."""
    tell(s, Event.MALFUNCTIONED, s.turn, s.mover)
    if s.holder == piece(s.turn, s.mover):
        s.malfunction = Malfunction.PLACING
        fumble(t, s, s.holder, s.at[s.turn, s.mover])
    elif t.malfunction_ends_turn > 0:
        end_turn(t, s)
    else:
        after_move(t, s)


@rule
def begin_move(t: Table, s: State) -> None:
    """BB-31, BB-46..48, AMB-18: the roll stands; of two dice the higher one contains the other."""
    if s.mover == HEAVY and s.dice[0, 0] == s.dice[0, 1]:
        malfunction(t, s)
    else:
        s.steps, s.phase = higher(s, 0), Phase.DEST


@rule
def roll_to_move(t: Table, s: State) -> None:
    """BB-31, BB-46: the die of the chosen piece."""
    s.dice[1, 0], s.dice[1, 1], s.roller[1] = 0, 0, 0
    roll_for(t, s, 0, s.turn, s.mover)


@move(Phase.SELECT, at=AFTER_CELLS + 1)
def select(t: Table, s: State, slot: Slot) -> None:
    """BB-18, BB-19, BB-31, BB-167: this piece moves; it rolls now."""
    s.mover, s.skips, s.began = slot, 0, 0
    roll_to_move(t, s)
    if s.team_rule[s.turn] == TeamRule.SECOND_WIND and s.left[s.turn] > 0:
        s.phase = Phase.POWER
    else:
        begin_move(t, s)


@move(Phase.SELECT, at=AFTER_CELLS + 206)
def skip(t: Table, s: State) -> None:
    """BB-21, AMB-16, AMB-53: nobody can move; the turn goes on without a move."""
    s.skips += 1
    tell(s, Event.SKIPPED, s.turn)
    after_move(t, s)


@allow_all(select, skip)
def may_select(t: Table, s: State, can: Row) -> None:
    """BB-20, BB-21, AMB-15, AMB-17: a piece that can step; only if there is none, a skip."""
    stuck = True
    for slot in range(TEAM):
        if can_step(t, s, slot):
            offer(can, select, slot)
            stuck = False
    if stuck:
        offer(can, skip)


@move(Phase.POWER, at=AFTER_CELLS + 204)
def use_power(t: Table, s: State) -> None:
    """BB-167: Second Wind: roll once more; this one stands."""
    s.left[s.turn] -= 1
    tell(s, Event.SECOND_WIND, s.turn, s.left[s.turn])
    roll_to_move(t, s)
    begin_move(t, s)


@move(Phase.POWER, at=AFTER_CELLS + 205)
def decline_power(t: Table, s: State) -> None:
    """BB-167: keep the roll."""
    begin_move(t, s)


# ---- team rules ---------------------------------------------------------------------------------
@rule
def adopt(s: State, team: int) -> None:
    """BB-160: a choice takes effect and is open to all."""
    s.team_rule[team], s.choice[team] = s.choice[team] - 1, 0
    tell(s, Event.RULE_SHOWN, team, s.team_rule[team])


@move(Phase.TEAMRULE, at=AFTER_CELLS + 197)
def choose_rule(t: Table, s: State, number: RuleNumber) -> None:
    """BB-159..162, AMB-55: a rule for this half, or none; shown once both have chosen."""
    p = s.to_act
    s.choice[p] = 1 if number == 6 else 2 + number
    tell(s, Event.RULE_CHOSEN, p, s.choice[p] - 1)
    if p == 0:
        s.to_act = 1
        if t.rule_blind == 0:
            adopt(s, 0)
        return
    if s.choice[0] > 0:
        adopt(s, 0)
    adopt(s, 1)
    renew_team_rules(s)
    begin_lineup(t, s)


# ---- the beginning ------------------------------------------------------------------------------
@rule
def run_on(t: Table, s: State) -> None:
    """From a match not yet begun, or a loaded position, to the first decision."""
    if s.phase == Phase.START:
        s.half, s.advanced = 1, t.advanced
        begin_half(t, s, True)
    elif s.phase == Phase.LINEUP:
        if next_to_place(t, s, s.to_act) == NOBODY:
            ask_lineup(t, s)
    elif s.phase == Phase.AFTER_MOVE:
        after_move(t, s)
    elif s.phase == Phase.FUMBLE:
        ask_fumble(t, s)
    elif s.phase == Phase.INCOMPLETE:
        ask_incomplete(t, s)
    elif s.phase == Phase.DIE:
        settle_dice(t, s)
