"""Battleball: positions as text (BBF), read and written.

A position is eight fields, such as `R1f5,H1e10/r1k25 @f13 - W M 1 0-0 -`: pieces, ball, carnage,
side, phase, half, score, and what else there is to say. DEVELOPERS.md explains them.
"""

from __future__ import annotations

import re
from typing import Any

from ...core.errors import PositionError
from . import ball, field, halves, state
from .board import Board
from .field import piece, slot_of, team_of
from .state import (
    CARNAGE,
    CELLS,
    HEAVY,
    LONGEST_RUN,
    NOBODY,
    NOWHERE,
    TEAM,
    Malfunction,
    Phase,
    Status,
    TeamRule,
)
from .team import code, piece_of

SIDES = "WH"
HALVES = ("1", "2", "OT")
BOARD = Board(state.ROWS, state.COLS)
AUX = ("first", "poss", "lock", "box", "adv", "loser1", "np", "nph", "skips", "trW", "trH", "mv")


# ---- what is asked of a state -------------------------------------------------------------------
def place(s: Any, team: int, slot: int) -> int:
    """The cell of a piece on the field or in its coach's plan, or NOWHERE."""
    return int(s.plan[team, slot] - 1 if s.plan[team, slot] > 0 else s.at[team, slot])


def ball_word(s: Any) -> str:
    """Who has the ball, or where it lies."""
    if s.holder > 0:
        return code(team_of(s.holder), slot_of(s.holder))
    return "@" + BOARD.names[s.ball] if s.ball != NOWHERE else "none"


def codes(s: Any, wanted: Any) -> list[str]:
    """The codes of the pieces that are wanted, by team and slot."""
    return [code(team, slot) for team in range(2) for slot in range(TEAM) if wanted(team, slot)]


def copy_of(r: Any, s: Any) -> Any:
    """Another state just like this one, as an array of one record."""
    states = r.plain().build.states()
    states[0] = s._record
    return states


def legal(r: Any, s: Any) -> list[int]:
    """The legal actions; the state stays as it is."""
    engine = r.plain()
    acts = engine.build.action_buffer()
    states = engine.build.access(copy_of(r, s))
    n = engine.f.list_actions(engine.tt, states, 0, engine.build.access(acts))
    return sorted(acts[:n].tolist())


# ---- reading positions --------------------------------------------------------------------------
def players(position: str) -> int:
    """Always two."""
    return 2


def _refuse(text: str) -> PositionError:
    return PositionError(f"position: {text}")


def _cell(name: str, where: str) -> int:
    try:
        return BOARD.cell(name)
    except ValueError as e:
        raise _refuse(f"{where}: {e}") from None


def _code(text: str, where: str) -> tuple[int, int]:
    try:
        return piece_of(text)
    except ValueError as e:
        raise _refuse(f"{where}: {e}") from None


def _number(text: str, where: str, low: int, high: int) -> int:
    if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
        raise _refuse(f"{where}: a number {low} .. {high}")
    return int(text)


def _side(text: str, where: str) -> int:
    if text not in ("W", "H"):
        raise _refuse(f"{where}: write W or H")
    return SIDES.index(text)


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    if position.strip() == "start":
        s.phase = Phase.START
        return
    fields = position.split()
    if len(fields) != 8:
        raise _refuse(
            f"{len(fields)} fields, not 8: pieces, ball, carnage, side, phase, half, score, aux"
        )
    t = r.plain().tt[0]
    field.clear_field(t, s)
    aux = _read_aux(fields[7])
    _read_match(r, s, fields, aux)
    lining_up = fields[4] in ("L", "T")
    _read_out(s, aux, lining_up)
    _read_carnage(s, fields[2], lining_up)
    _read_pieces(r, t, s, fields[0], lining_up)
    _read_ball(s, fields[1], fields[4][:1])
    halves.survey(t, s)
    _read_phase(r, t, s, fields[4])
    _read_possession(s, aux)
    _read_team_rules(r, s, aux, fields[4])
    _read_moved(s, aux)
    if aux:
        raise _refuse(f"aux: {next(iter(aux))}= means nothing in phase {fields[4]}")
    r.plain().f.clear_scratch_at([s], 0)
    if s.phase == Phase.DEST and not legal(r, s):
        raise _refuse(f"{fields[4]}: {code(s.turn, s.mover)} has nowhere to go")


def _read_aux(text: str) -> dict[str, str]:
    aux: dict[str, str] = {}
    for entry in [] if text == "-" else text.split(";"):
        key, equals, value = entry.partition("=")
        if not equals or key not in AUX or key in aux:
            why = "written twice" if key in aux else f"write key=value; keys are {', '.join(AUX)}"
            raise _refuse(f"aux: {entry!r}: {why}")
        aux[key] = value
    return aux


def _read_match(r: Any, s: Any, fields: list[str], aux: dict[str, str]) -> None:
    """Side, half, score, and the counters."""
    s.turn = _side(fields[3], f"side {fields[3]!r}")
    s.to_act = s.turn
    if fields[5] not in HALVES:
        raise _refuse(f"half {fields[5]!r}: write 1, 2 or OT")
    s.half = 1 + HALVES.index(fields[5])
    if not re.fullmatch(r"[01]-[01]", fields[6]):
        raise _refuse(f"score {fields[6]!r}: write w-h, 0 or 1 touchdowns each")
    s.score[0], s.score[1] = int(fields[6][0]), int(fields[6][2])
    t = r.table[0]
    s.advanced = _number(aux.pop("adv", str(int(t["advanced"]))), "aux: adv", 0, 1)
    s.no_progress = _number(aux.pop("np", "0"), "aux: np", 0, 30_000)
    s.np_halts = _number(aux.pop("nph", "0"), "aux: nph", 0, 30_000)
    s.skips = _number(aux.pop("skips", "0"), "aux: skips", 0, 1)
    first = aux.pop("first", "" if fields[4] in ("L", "T") else "W")
    s.first = 1 + _side(first, f"aux: first={first}") if first else 0
    if "loser1" in aux:
        s.first_loser = 1 + _side(aux["loser1"], f"aux: loser1={aux.pop('loser1')}")
    elif s.half == 2 and s.score[0] != s.score[1]:
        s.first_loser = 1 if s.score[0] < s.score[1] else 2


def _read_out(s: Any, aux: dict[str, str], lining_up: bool) -> None:
    """Who is in the Locker Room or the box; all others are in the Locker Room, or wait."""
    for team in range(2):
        for slot in range(TEAM):
            s.status[team, slot] = Status.READY if lining_up else Status.LOCKER
    seen = set[str]()
    for key, status in (("lock", Status.LOCKER), ("box", Status.BOX)):
        for text in filter(None, aux.pop(key, "").split(",")):
            team, slot = _code(text, f"aux: {key}")
            if text in seen:
                raise _refuse(f"aux: {key}: {text} is named twice")
            seen.add(text)
            s.status[team, slot] = status
            if status == Status.LOCKER:
                s.plan[team, slot] = CELLS + 1  # remembered until the pieces are read


def _read_carnage(s: Any, text: str, lining_up: bool) -> None:
    for name in [] if text == "-" else text.split(","):
        cell = _cell(name, f"carnage {name!r}")
        if s.square[cell] == CARNAGE:
            raise _refuse(f"carnage: {name} is named twice")
        if lining_up:
            raise _refuse(f"carnage: there is none in a lineup, but {name} is named")
        s.square[cell] = CARNAGE


def _read_pieces(r: Any, t: Any, s: Any, text: str, lining_up: bool) -> None:
    lists = text.split("/")
    if len(lists) != 2:
        raise _refuse(f"pieces {text!r}: two lists, W's and H's, with one / between them")
    blind = lining_up and t.lineup == state.Lineup.BLIND
    for team, listed in enumerate(lists):
        for entry in [] if listed == "-" else listed.split(","):
            parts = re.fullmatch(r"([A-Za-z]\d)([a-z]\d{1,2})", entry)
            if not parts:
                raise _refuse(f"pieces: {entry!r}: write a piece and its cell, as in R1f5")
            side, slot = _code(parts[1], f"pieces: {entry!r}")
            if side != team:
                raise _refuse(f"pieces: {parts[1]} stands in the list of {SIDES[team]}")
            _put(t, s, team, slot, _cell(parts[2], f"pieces: {entry!r}"), entry, lining_up, blind)
    for team in range(2):
        for slot in range(TEAM):
            if s.plan[team, slot] == CELLS + 1:
                s.plan[team, slot] = 0


def _put(
    t: Any, s: Any, team: int, slot: int, cell: int, entry: str, lining_up: bool, blind: bool
) -> None:
    """One piece, if nothing is in its way."""
    if s.at[team, slot] != NOWHERE or 0 < s.plan[team, slot] <= CELLS:
        raise _refuse(f"pieces: {entry}: {code(team, slot)} is named twice")
    if s.status[team, slot] == Status.BOX or s.plan[team, slot] > CELLS:
        raise _refuse(f"pieces: {entry}: {code(team, slot)} is out, by lock= or box=")
    feet = [cell, t.near[cell, state.RIGHT]] if slot == HEAVY else [cell]
    for foot in feet:
        if foot == NOWHERE:
            raise _refuse(f"pieces: {entry}: its right foot is off the board (BB-13)")
        name = BOARD.names[foot]
        if s.square[foot] == CARNAGE:
            raise _refuse(f"pieces: {entry}: there is carnage on {name} (BB-38)")
        if s.square[foot] != state.EMPTY or foot in _planned(t, s, team):
            raise _refuse(f"pieces: {entry}: another piece is on {name} (BB-11)")
        if lining_up and not BOARD.in_zone(team, foot):
            raise _refuse(f"pieces: {entry}: {name} is not behind the 20-yard line (BB-10)")
    if slot == HEAVY and not t.anchor[cell]:
        raise _refuse(f"pieces: {entry}: no foot of it on a half square here (AMB-5)")
    if not t.stand[1 if slot == HEAVY else 0, cell]:
        raise _refuse(f"pieces: {entry}: nobody may stand on a half square here (AMB-4)")
    if blind:
        s.plan[team, slot] = 1 + cell
    else:
        field.enter(t, s, team, slot, cell)


def _planned(t: Any, s: Any, team: int) -> set[int]:
    """The cells of a coach's blind lineup so far."""
    found = set[int]()
    for slot in range(TEAM):
        if 0 < s.plan[team, slot] <= CELLS:
            found.add(s.plan[team, slot] - 1)
            if slot == HEAVY:
                found.add(t.near[s.plan[team, slot] - 1, state.RIGHT])
    return found


def _read_ball(s: Any, text: str, phase: str) -> None:
    s.ball, s.holder = NOWHERE, 0
    if (text == "-") != (phase in ("F", "P")):
        raise _refuse(f"ball {text!r}: it is - in the phases F and P, and only there")
    if text == "-":
        return
    if text.startswith("@"):
        cell = _cell(text[1:], f"ball {text!r}")
        if s.square[cell] == CARNAGE:
            raise _refuse(f"ball {text!r}: there is carnage (BB-89)")
        if s.square[cell] != state.EMPTY:
            raise _refuse(f"ball {text!r}: a piece is there; write the piece that has it")
        if phase in ("L", "T") and cell != BOARD.kick_off:
            raise _refuse(f"ball {text!r}: before a kick-off it is on the middle square (BB-5)")
        s.ball = cell
        return
    team, slot = _code(text, f"ball {text!r}")
    wanted = Status.READY if phase in ("L", "T") else Status.FIELD
    if s.status[team, slot] not in (wanted, Status.FIELD):
        raise _refuse(f"ball {text!r}: {text} is not on the field")
    s.holder = piece(team, slot)


def _read_possession(s: Any, aux: dict[str, str]) -> None:
    usual = 0
    if s.holder > 0:
        usual = 1 + team_of(s.holder)
    elif s.phase == Phase.FUMBLE:
        usual = 1 + team_of(s.fumbler)
    elif s.phase == Phase.INCOMPLETE:
        usual = 1 + s.turn
    text = aux.pop("poss", None)
    if text is None:
        s.possession = usual
        return
    s.possession = 0 if text == "-" else 1 + _side(text, f"aux: poss={text}")
    if usual and s.possession != usual:
        raise _refuse(f"aux: poss={text}: the ball says {SIDES[usual - 1]}")


def _dice(t: Any, text: str, slot: int, where: str) -> list[int]:
    """The dice of a piece: `7`, or `2.5` for a Heavy Tackle."""
    values = text.split(".")
    if len(values) != (2 if slot == HEAVY else 1):
        raise _refuse(f"{where}: two dice for H1 or h1, one for all others")
    return [_number(v, f"{where}: die {v!r}", 1, t.die[slot]) for v in values]


def _set_dice(s: Any, i: int, values: list[int]) -> None:
    s.dice[i, 0], s.dice[i, 1] = values[0], values[1] if len(values) > 1 else 0


def _read_phase(r: Any, t: Any, s: Any, text: str) -> None:
    simple = {"M": Phase.SELECT, "A": Phase.AFTER_MOVE, "A!": Phase.AFTER_MOVE}
    simple |= {"L": Phase.LINEUP, "T": Phase.TEAMRULE}
    s.moved = NOBODY
    if text in simple:
        s.phase = simple[text]
        if text == "A!":
            s.malfunction = Malfunction.PLACED
        return
    head, colon, rest = text.partition(":")
    reader = {
        "D": _read_roll,
        "W": _read_roll,
        "X": _read_fight,
        "F": _read_fumble,
        "F!": _read_fumble,
        "P": _read_pass,
    }.get(head)
    if not colon or reader is None:
        raise _refuse(f"phase {text!r}: M, D:.., A, A!, X:.., F:.., F!:.., P:.., L, W:.. or T")
    reader(t, s, head, rest, f"phase {text!r}")


def _standing(s: Any, text: str, team: int, where: str) -> int:
    """The slot of a piece of this team that is on the field."""
    found, slot = _code(text, where)
    if found != team:
        raise _refuse(f"{where}: {text} is not a piece of {SIDES[team]}")
    if s.status[team, slot] != Status.FIELD:
        raise _refuse(f"{where}: {text} is not on the field")
    return slot


def _read_roll(t: Any, s: Any, head: str, rest: str, where: str) -> None:
    parts = re.fullmatch(r"(\w+)=([\d.]+)", rest)
    if not parts:
        raise _refuse(f"{where}: write {head}:R1=7, or {head}:H1=2.5")
    s.mover = _standing(s, parts[1], s.turn, where)
    values = _dice(t, parts[2], s.mover, where)
    _set_dice(s, 0, values)
    if head == "W":
        s.phase = Phase.POWER
        return
    if len(values) == 2 and values[0] == values[1]:
        raise _refuse(f"{where}: equal dice are a malfunction, not a move (BB-48)")
    s.steps, s.phase = max(values), Phase.DEST


def _read_fight(t: Any, s: Any, head: str, rest: str, where: str) -> None:
    parts = re.fullmatch(r"(\w\d)=([\d.]+)([<>]?)x(\w\d)=([\d.]+)", rest)
    if not parts:
        raise _refuse(f"{where}: write X:R1=7xh1=2.3; < or > after the attacker's chosen dice")
    s.attacker = _standing(s, parts[1], s.turn, where)
    s.target = _standing(s, parts[4], 1 - s.turn, where)
    _set_dice(s, 0, _dice(t, parts[2], s.attacker, where))
    _set_dice(s, 1, _dice(t, parts[5], s.target, where))
    if parts[3]:
        if s.attacker != HEAVY:
            raise _refuse(f"{where}: only H1 and h1 choose a die")
        s.chosen[0] = ball.lower(s, 0) if parts[3] == "<" else ball.higher(s, 0)
    feet = {s.at[s.turn, s.attacker]}, {s.at[1 - s.turn, s.target]}
    for slot, found in ((s.attacker, feet[0]), (s.target, feet[1])):
        if slot == HEAVY:
            found.update([BOARD.right(c) for c in found])
    if not any(BOARD.distance(a, b) == 1 for a in feet[0] for b in feet[1]):
        raise _refuse(f"{where}: {parts[1]} and {parts[4]} are not next to each other (BB-66)")
    s.phase = Phase.DIE


def _read_fumble(t: Any, s: Any, head: str, rest: str, where: str) -> None:
    parts = re.fullmatch(r"(\w\d)(?:@(\w+))?", rest)
    if not parts:
        raise _refuse(f"{where}: write F:R1, or F:R1@f10 if it has been removed from there")
    team, slot = _code(parts[1], where)
    there = s.status[team, slot] == Status.FIELD
    if there == bool(parts[2]):
        raise _refuse(f"{where}: @ and the cell for a piece that is no longer on the field")
    s.fumbler = piece(team, slot)
    s.spot = s.at[team, slot] if there else _cell(parts[2], where)
    if slot == HEAVY and BOARD.right(s.spot) == NOWHERE:
        raise _refuse(f"{where}: its right foot is off the board (BB-13)")
    if head == "F!":
        if slot != HEAVY or team != s.turn or not there:
            raise _refuse(f"{where}: only the H1 or h1 that is to move malfunctions (BB-48)")
        s.malfunction = Malfunction.PLACING
    s.phase = Phase.FUMBLE


def _read_pass(t: Any, s: Any, head: str, rest: str, where: str) -> None:
    parts = re.fullmatch(r"(\w\d)=([\d.]+)\.(\d)", rest)
    if not parts:
        raise _refuse(f"{where}: write P:S1=5.3: receiver, its dice, the football die")
    s.receiver = _standing(s, parts[1], s.turn, where)
    _set_dice(s, 0, _dice(t, parts[2], s.receiver, where))
    _set_dice(s, 1, [_number(parts[3], f"{where}: die {parts[3]!r}", 1, 6)])
    s.phase = Phase.INCOMPLETE


def _read_team_rules(r: Any, s: Any, aux: dict[str, str], phase: str) -> None:
    for team, key in enumerate(("trW", "trH")):
        text = aux.pop(key, "")
        parts = re.fullmatch(r"TR([1-6])(?:\.(\d))?", text)
        if text and not parts:
            raise _refuse(f"aux: {key}={text}: write TR1 .. TR6, or TR3.1 with what is left of it")
        s.team_rule[team] = int(parts[1]) if parts else 0
        full = halves.charges(s.team_rule[team])
        s.left[team] = int(parts[2]) if parts and parts[2] else full
        if s.left[team] > full:
            raise _refuse(f"aux: {key}={text}: it can be used {full} times")
    if phase == "T":
        if s.turn == 0 and (s.team_rule[0] or s.team_rule[1]):
            raise _refuse("aux: W chooses its team rule first: no trW=, no trH=")
        if s.team_rule[1]:
            raise _refuse("aux: H is choosing its team rule: no trH=")
        if s.turn == 1 and r.table[0]["rule_blind"]:
            s.choice[0], s.team_rule[0] = 1 + s.team_rule[0], 0
        s.left[0] = 0
    if s.phase == Phase.POWER and not (
        s.team_rule[s.turn] == TeamRule.SECOND_WIND and s.left[s.turn]
    ):
        raise _refuse(f"phase W: {SIDES[s.turn]} has no Second Wind left (BB-167)")


def _read_moved(s: Any, aux: dict[str, str]) -> None:
    if (text := aux.pop("mv", "")) and s.phase in (Phase.AFTER_MOVE, Phase.DIE):
        name, _, steps = text.partition(".")
        s.moved = _standing(s, name, s.turn, f"aux: mv={text}")
        s.moved_steps = _number(steps, f"aux: mv={text}", 1, LONGEST_RUN)
    elif text:
        raise _refuse(f"aux: mv={text}: it belongs to the phases A and X")


# ---- writing positions --------------------------------------------------------------------------
def write(r: Any, s: Any) -> str:
    """The position of a state as BBF, less what does not count for the rules."""
    if s.phase == Phase.START:
        return "start"
    pieces = "/".join(_pieces(s, team) for team in range(2))
    ball = ball_word(s) if s.phase not in (Phase.PLACE, Phase.GIVE, Phase.INCOMPLETE) else "-"
    tokens = [BOARD.names[c] for c in range(CELLS) if s.square[c] == CARNAGE]
    side = SIDES[s.to_act if s.phase in (Phase.LINEUP, Phase.TEAMRULE) else s.turn]
    half, score = HALVES[s.half - 1], f"{s.score[0]}-{s.score[1]}"
    carnage = ",".join(tokens) or "-"
    return f"{pieces} {ball} {carnage} {side} {_phase(s)} {half} {score} {_aux(r, s)}"


def _pieces(s: Any, team: int) -> str:
    found = [
        code(team, slot) + BOARD.names[place(s, team, slot)]
        for slot in range(TEAM)
        if place(s, team, slot) != NOWHERE
    ]
    return ",".join(found) or "-"


def _rolled(s: Any, i: int) -> str:
    return f"{s.dice[i, 0]}.{s.dice[i, 1]}" if s.dice[i, 1] else str(s.dice[i, 0])


def _phase(s: Any) -> str:
    us, them, phase = s.turn, 1 - s.turn, s.phase
    if phase in (Phase.DEST, Phase.POWER):
        return f"{'D' if phase == Phase.DEST else 'W'}:{code(us, s.mover)}={_rolled(s, 0)}"
    if phase == Phase.DIE:
        mark = ""
        if s.chosen[0] > 0 and s.dice[0, 1] > 0:
            mark = "<" if s.chosen[0] == ball.lower(s, 0) else ">"
        a, b = code(us, s.attacker), code(them, s.target)
        return f"X:{a}={_rolled(s, 0)}{mark}x{b}={_rolled(s, 1)}"
    if phase in (Phase.PLACE, Phase.GIVE):
        team, slot = team_of(s.fumbler), slot_of(s.fumbler)
        gone = s.status[team, slot] != Status.FIELD
        head = "F!" if s.malfunction == Malfunction.PLACING else "F"
        return f"{head}:{code(team, slot)}" + (f"@{BOARD.names[s.spot]}" if gone else "")
    if phase == Phase.INCOMPLETE:
        return f"P:{code(us, s.receiver)}={_rolled(s, 0)}.{s.dice[1, 0]}"
    if phase in (Phase.TACKLE, Phase.OPTION):
        return "A!" if s.malfunction == Malfunction.PLACED else "A"
    return {Phase.SELECT: "M", Phase.LINEUP: "L", Phase.TEAMRULE: "T"}.get(phase, "over")


def _aux(r: Any, s: Any) -> str:
    keys: dict[str, str] = {}
    before = s.phase in (Phase.LINEUP, Phase.TEAMRULE)
    if s.first > 0 and (before or s.first == 2):
        keys["first"] = SIDES[s.first - 1]
    usual = s.holder > 0 or s.phase in (Phase.PLACE, Phase.GIVE, Phase.INCOMPLETE)
    if s.possession > 0 and not usual:
        keys["poss"] = SIDES[s.possession - 1]
    for key, status in (("lock", Status.LOCKER), ("box", Status.BOX)):
        if key == "box" or before:
            keys[key] = ",".join(codes(s, lambda team, i, x=status: s.status[team, i] == x))
    keys["adv"] = str(s.advanced) if s.advanced != r.table[0]["advanced"] else ""
    keys["loser1"] = SIDES[s.first_loser - 1] if s.first_loser > 0 else ""
    for key, n in (("np", s.no_progress), ("nph", s.np_halts), ("skips", s.skips)):
        keys[key] = str(n) if n > 0 else ""
    for team, key in enumerate(("trW", "trH")):
        chosen = s.choice[team] - 1 if s.choice[team] > 0 else s.team_rule[team]
        if chosen > 0:
            left = f".{s.left[team]}" if halves.charges(chosen) and s.choice[team] == 0 else ""
            keys[key] = f"TR{chosen}" + (left if s.phase != Phase.TEAMRULE else "")
    if s.moved_steps > 0 and s.phase in (Phase.TACKLE, Phase.OPTION, Phase.DIE):
        keys["mv"] = f"{code(s.turn, s.moved)}.{s.moved_steps}"
    return ";".join(f"{k}={v}" for k, v in keys.items() if v) or "-"
