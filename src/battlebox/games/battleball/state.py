"""Battleball: what there is. The words of the rules, the table's numbers, the state of a match.

A cell is a number, row by row from row 1; the Heavy Tackle stands on its left foot's cell and on
the cell to the right of it. A piece is a slot of a team, 0 .. 10; `piece(team, slot)` in field.py
is one number for both.
"""

from __future__ import annotations

from ...core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    StateRecord,
    event,
    i16,
    later,
    n8,
    n16,
    n32,
    own,
    public,
    rows,
    scratch,
    size,
)

ROWS = size("rows", 25)
COLS = size("cols", 11)  # cells of an odd row; an even one has one more, a half square at each end
CELLS = ROWS * COLS + ROWS // 2
NODES = CELLS + 1
NOWHERE = CELLS  # a cell beside the board, always a WALL: no index is ever negative
ZONE = ROWS // 5 * COLS + ROWS // 10  # cells behind a 20-yard line
SEATS = 2
TEAM, HEAVY, NOBODY = 11, 10, 11  # slots of a team; the Heavy Tackle's; "no slot"
RUNNERS = 5  # slots 0 .. 4 are Running Backs and Safeties
PRESETS = 16
EMPTY, CARNAGE, WALL = 0, 98, 99  # square[] holds these, or a piece
LEFT, RIGHT, AROUND = 0, 1, 6  # the first two of the six neighbours of a cell
FAR = 99
LONGEST_RUN = 20  # steps: the most sides of a die
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
    AGREED = 5  # both coaches wanted it


class Event(Events):
    """What players are told."""

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


class Cell(Domain, n=CELLS, sided=True):
    """A cell of the field; for the Heavy Tackle its left foot's."""


class Slot(Domain, n=TEAM):
    """A piece of a team."""


class Piece(Domain, n=2 * TEAM, by_seat=True):
    """A piece of either team."""


class Grab(Domain, n=2):
    """1: the ball was loose and is picked up on the way."""


class PresetNumber(Domain, n=PRESETS):
    """A stored lineup; 0 is preset 1."""


class RuleNumber(Domain, n=7):
    """A team rule: 0 is TR1; 6 is none."""


class Preset(Record):
    """A stored lineup: the cell of each piece, or NOWHERE if there is none of this number."""

    cell = n16(2, TEAM)


class Seat(Domain, n=SEATS):
    """A seat."""


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
    agreed_halt = n8()
    no_progress_limit = n16()  # 0: none
    max_np_halts = n16()
    max_plies = n32()
    pass_any_match = n8()
    rule_blind = n8()
    team_size = later(n8(), TEAM)
    starter = later(i16(), -1)  # -1: the toss says who
    touchdowns = later(n8(), 2)  # that win
    max_restarts = later(n16(), 0)  # 0: no limit


class State(StateRecord):
    """The whole truth. `at`, `square` and `threat` say the same in three ways."""

    # the cell of each piece on the field, or NOWHERE
    at = public(n16(TEAM, each=SEATS, high=NOWHERE))
    status = public(n8(TEAM, each=SEATS, of=Status))  # Status
    # blind lineup: 1 + the cell a piece will stand on, 0: not placed
    plan = own(n16(SEATS, TEAM, high=CELLS))
    square = public(n8(NODES, of=Piece, first=1, also=(CARNAGE,)))
    # how many feet of this team are next to the cell
    threat = public(n8(NODES, each=SEATS, high=AROUND))
    whole = public(n8(high=1))  # 1: no carnage divides the field
    ball = public(n16(of=Cell))  # the cell of a loose ball, or NOWHERE
    holder = public(n8(of=Piece, first=1))  # the piece that has it, or 0
    possession = public(n8(of=Seat, first=1))  # 1 + the team that last had it in this half, or 0
    half = public(n8(high=3))  # 3: overtime
    score = public(n8(each=SEATS, high=2))
    first = public(n8(of=Seat, first=1))  # 1 + who moves first in this half, 0: not decided
    first_loser = public(n8(of=Seat, first=1))  # 1 + who conceded the first half's touchdown, or 0
    turn = public(n8(of=Seat))  # whose turn it is
    turns = public(n32(high=100))  # turns begun in this match
    mover = public(n8(of=Slot))  # the slot chosen
    steps = public(n8(high=LONGEST_RUN))  # and how far it may go
    moved = public(n8(of=Slot))  # Running Start: the piece that moved, and how many steps
    moved_steps = public(n8(high=LONGEST_RUN))
    # of mover or attacker, and defender; giver, receiver; receiver, pass
    dice = public(n8(2, 2, high=LONGEST_RUN))
    # whose dice they are: pieces; the second one 0: nobody, football die
    roller = public(n8(2, of=Piece, first=1))
    # 1 + the cell from which the last move began, 0: there was none;
    began = public(n16(of=Cell, first=1))
    ball_lay = public(n16(of=Cell))  # the cell where the ball lay loose then, or NOWHERE
    grabbed = public(n8(high=1))  # 1: it was taken on the way
    # 1 + the cell of the opponent that was tackled after it, 0: none was
    struck = public(n16(of=Cell, first=1))
    attacker = public(n8(of=Slot))
    target = public(n8(of=Slot))
    # the die that counts, of attacker and target; 0: not yet
    chosen = public(n8(2, high=LONGEST_RUN))
    receiver = public(n8(of=Slot))
    malfunction = public(n8(of=Malfunction))  # Malfunction
    fumbler = public(n8(of=Piece, first=1))  # the piece that fumbled,
    spot = public(n16(of=Cell))  # and where it stood
    advanced = public(n8(high=1))
    # turns since the last progress; -1: there was some in this turn
    no_progress = public(i16(high=100))
    np_halts = public(n16(high=TEAM))
    skips = public(n16(high=TEAM))  # turns in a row that began with a skip
    halts = public(n16(high=TEAM))
    restarts = public(n16(high=TEAM))
    choice = own(n8(SEATS, of=TeamRule, first=1))  # 1 + the team rule chosen, 0: not yet
    team_rule = public(n8(each=SEATS, of=TeamRule))  # TeamRule in effect
    left = public(n8(each=SEATS, high=4))  # how often it may still be used in this half
    dist = scratch(n8(4 * NODES))
    queue = scratch(n16(4 * NODES))
    home = scratch(n8())  # the flood has found the end zone
    region = scratch(n16(NODES))
    live = scratch(n8(NODES))
