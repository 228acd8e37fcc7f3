"""Battleball as a person sees it: field, pieces and dice in zones, the question, the choices.

All of it comes from an observation, so a lineup that is still hidden cannot be shown. Sentences are
in saying.py, the ways of a move in ways.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from ...core.saying import opening, plural
from ...core.scene import Choice, Piece, Placement, Refusal, Scene, Zone, rule_ids
from ...core.zones import (
    BenchFacts,
    DiceFacts,
    GridFacts,
    GridLine,
    GridWays,
    LastMove,
    PlaqueFacts,
    ScoreFacts,
    ScoreSide,
    Token,
)
from . import lineups, notation, odds, stakes
from .ball import higher, lower
from .components import components
from .field import between, slot_of, team_of
from .halves import charges, next_to_place
from .ids import cell_id, figure
from .lineups import Words
from .positions import BOARD
from .saying import (
    DOES,
    HALF,
    RULES,
    SHORT,
    TEAMS,
    TONES,
    base,
    die,
    name,
    result,
    role,
    say,
    short,
    words_of,
)
from .state import (
    AFTER_CELLS,
    CARNAGE,
    CELLS,
    EMPTY,
    HEAVY,
    NOBODY,
    NOWHERE,
    RIGHT,
    TEAM,
    Lineup,
    Phase,
    Status,
    TeamRule,
)
from .tackling import BOTH, loser_of
from .team import CODES, code
from .ways import Step, Trail, Way, contacts, ground, way_of_last_move, ways

__all__ = ["components", "say", "scene"]
FIELD, DICE_ZONE, SCORE, BALL = "field", "dice", "score", "ball"
WHERE: dict[int, str] = {
    Status.READY: "waits to be lined up",
    Status.LOCKER: "injured: in the Locker Room until the next half",
    Status.BOX: "seriously injured: in the Box until the end of the match",
}
ROOMS = ("Locker Room", "Box")
PLAY = {Phase.SELECT, Phase.POWER, Phase.DEST, Phase.TACKLE, Phase.DIE, Phase.OPTION} | {
    Phase.PLACE, Phase.GIVE, Phase.INCOMPLETE,
}  # fmt: skip
EARLY = "Your piece rolls first: choose it, then drag it as far as it has rolled."
CACHED = 4096


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation; `actions`: what its viewer may do now."""
    look = Look(r, o, actions, names)
    choices = tuple(_choice(look, a) for a in actions)
    placements = lineups.placements(look)
    return Scene(
        viewer=look.me,
        to_act=None if look.over else int(o.to_act),
        phase=Phase(o.phase).name,
        title=_title(look),
        prompt=_prompt(look),
        zones=tuple(_zones(look, choices, placements)),
        choices=choices,
        placements=placements,
        refusals=tuple(_refusals(look, {x for c in choices for x in c.path})) if choices else (),
        over=look.over,
        cue=_cue(look),
    )


class Look:
    """An observation, and what is needed to talk about it: the table, names, the viewer."""

    def __init__(self, r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.actions = actions
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        self.playing = o.phase in PLAY
        #: what tackles follow a move, by who may tackle, and the steps: see `stakes.after`
        self.after: dict[tuple[stakes.Pairs, int], tuple[str, list[stakes.Mark]]] = {}

    @cached_property
    def asked(self) -> bool:
        """The viewer is the one who is asked."""
        return not self.over and self.me is not None and bool(self.o.to_act == self.me)

    @cached_property
    def who(self) -> str:
        """The seat to act, as the subject of a sentence."""
        return opening(self.called[self.o.to_act])

    @cached_property
    def ways(self) -> tuple[dict[int, Way], Way | None]:
        """Of the piece that moves, by the number of the action; and that into the end zone."""
        return ways(self.t, self.o) if self.o.phase == Phase.DEST else ({}, None)

    @cached_property
    def touching(self) -> int:
        """The cells where the piece that moves would be next to an opponent."""
        return ground(self.t, self.o, bool(self.o.mover == HEAVY)).stop

    @cached_property
    def twice(self) -> set[int]:
        """Cells that can be come to without the ball and with it."""
        there = set(self.actions)
        return {a for a in there if a < CELLS and a + CELLS in there}

    @cached_property
    def contacts(self) -> tuple[tuple[int, int], ...]:
        """(own, other) pieces next to each other, by their slots; but for the one that moves."""
        at, mover = self.o.at[self.o.turn], self.o.mover
        found = (contacts(self.t, self.o, i, at[i]) for i in range(TEAM) if i != mover)
        return tuple((p, slot_of(other)) for pairs in found for p, other in pairs)

    @cached_property
    def aims(self) -> dict[int, odds.Aims]:
        """What the pieces that may be chosen can come to, by their slots."""
        first = notation.SELECT.at
        slots = [a - first for a in self.actions if first <= a < first + TEAM]
        return {slot: odds.aims(self.r, self.o, slot) for slot in slots}

    def name(self, team: int, slot: int) -> str:
        """A piece, with its team if it is not the viewer's: "Harts' Lineman L1"."""
        return role(self.r, slot) if team == self.me else name(self.r, team, slot)

    def short(self, team: int, slot: int) -> str:
        """The same in few words: "R1", "Harts' L1"."""
        return CODES[slot] if team == self.me else short(team, slot)

    @cached_property
    def mover(self) -> str:
        return self.name(self.o.turn, self.o.mover)

    @cached_property
    def next(self) -> int:
        """The slot that the coach lining up places next, or NOBODY."""
        lining = self.o.phase == Phase.LINEUP
        return int(next_to_place(self.t, self.o, self.o.to_act)) if lining else NOBODY

    @cached_property
    def places(self) -> list[list[int]]:
        """By team and slot: the cell of a piece, on the field or in the viewer's plan; NOWHERE."""
        found = [[*self.o.at[p]] for p in range(2)]
        if self.me is not None:
            for slot, planned in enumerate(self.o.plan[self.me]):
                if planned > 0:
                    found[self.me][slot] = planned - 1
        return found

    def feet(self, team: int, slot: int) -> list[int]:
        """All cells of a piece."""
        cell = self.places[team][slot]
        if cell == NOWHERE:
            return []
        return [cell, int(self.t.near[cell, RIGHT])] if slot == HEAVY else [cell]

    def tagged(self, team: int, slot: int) -> str:
        """As `short`, where a piece of either team is spoken of: "your R1", "Harts' R1"."""
        return f"your {CODES[slot]}" if team == self.me else short(team, slot)

    def has_ball(self, team: int, slot: int) -> bool:
        return bool(self.o.holder == 1 + TEAM * team + slot)

    def count(self, team: int, status: Status) -> int:
        return int(self.o.status[team].count(status))


def _title(look: Look) -> str:
    o = look.o
    if look.over:
        return f"The end, {o.score[0]} : {o.score[1]}"
    turn = f", turn {o.turns}" if look.playing else ""
    return f"{o.score[0]} : {o.score[1]}, {HALF[int(o.half)].lower()}{turn}"


# ---- zones --------------------------------------------------------------------------------------
def _zones(
    look: Look, choices: Sequence[Choice], placements: Sequence[Placement]
) -> Iterator[Zone]:
    yield _plaque(look, 0)
    yield _score(look)
    yield _plaque(look, 1)
    if (dice := _dice(look)) is not None:
        yield dice
    yield _field(look, choices, placements)
    for team in range(2):
        yield _bench(look, team)


def _plaque(look: Look, p: int) -> Zone:
    """A seat and its team: how many are on the field, its team rule, who has the ball."""
    o = look.o
    chips = []
    if look.over:
        chips.append("winner" if o.score[p] > o.score[1 - p] else "")
        chips.append(plural(int(o.score[p]), "touchdown"))
    elif look.playing:
        chips.append("turn" if o.turn == p else "")
        chips.append("has the ball" if o.holder > 0 and team_of(o.holder) == p else "")
    chips.append(_rule_words(look, p))
    facts: PlaqueFacts = {
        "text": _strength(look, p),
        "team": TEAMS[p],
        "tone": TONES[p],
        "acting": not look.over and bool(o.to_act == p),
        "out": False,
        "you": p == look.me,
        "chips": [c for c in chips if c],
    }
    label = f"{TEAMS[p]}, {look.called[p]}" + (" (you)" if p == look.me else "")
    return Zone(f"seat:{p}", "plaque", label, p, facts=facts)


def _strength(look: Look, p: int) -> str:
    """ "10 on the field · 1 injured"."""
    words = (
        (Status.READY, "to line up"),
        (Status.FIELD, "on the field"),
        (Status.LOCKER, "injured"),
        (Status.BOX, "out"),
    )
    found = [f"{n} {word}" for s, word in words if (n := look.count(p, s))]
    return " · ".join(found)


def _rule_words(look: Look, p: int) -> str:
    """The team rule in effect, or the one that the viewer has chosen, and how often it is left."""
    o = look.o
    own = o.choice[p] if p == look.me else 0
    chosen = own - 1 if own > 0 else o.team_rule[p]
    if chosen == TeamRule.NONE:
        return ""
    counted = charges(chosen) and not own
    return RULES[TeamRule(chosen)] + (f", {o.left[p]} left" if counted else "")


def _score(look: Look) -> Zone:
    o = look.o
    sides: list[ScoreSide] = [
        {"name": TEAMS[p], "short": SHORT[p], "tone": TONES[p], "points": int(o.score[p])}
        for p in range(2)
    ]
    facts: ScoreFacts = {"sides": sides, "text": "The end" if look.over else HALF[int(o.half)]}
    return Zone(SCORE, "score", "Score", facts=facts)


def _bench(look: Look, team: int) -> Zone:
    """The pieces beside the field: waiting, in the Locker Room, in the box."""
    pieces = [
        _figure(look, team, slot) for slot in range(TEAM) if look.places[team][slot] == NOWHERE
    ]
    if look.next != NOBODY and team == look.o.to_act:
        pieces.sort(key=lambda p: p.id != figure(team, look.next))
    hurt, out = (
        [figure(team, i) for i in range(TEAM) if look.o.status[team, i] == status]
        for status in (Status.LOCKER, Status.BOX)
    )
    facts: BenchFacts = {"tone": TONES[team], "rooms": [*ROOMS], "hurt": hurt, "out": out}
    label = f"{TEAMS[team]} beside the field"
    return Zone(f"bench:{team}", "bench", label, team, tuple(pieces), facts)


def _figure(look: Look, team: int, slot: int) -> Piece:
    """A piece: its letter, its die, its team, where it is."""
    cells = tuple(look.feet(team, slot))
    status = look.o.status[team][slot]
    words = words_of(look.r, team, slot, team == look.me)
    does = stakes.of_catching(look, team, slot)
    return _figure_at(words, does, team, slot, cells, status, look.has_ball(team, slot))


@lru_cache(maxsize=CACHED)
def _figure_at(
    words: tuple[str, str, str, str],
    catches: str,
    team: int,
    slot: int,
    cells: tuple[int, ...],
    status: int,
    ball: bool,
) -> Piece:
    """words: `words_of` it. catches: what it needs to be passed the ball, if it may be."""
    own, called, sides, does = words
    on = " and ".join(BOARD.names[c] for c in cells)
    where = f"on {on}" if cells else WHERE.get(status, "beside the field")
    where += ", with the ball" if ball else ""
    return Piece(
        id=figure(team, slot),
        label=f"{own} of the {TEAMS[team]}, {where}",
        kind="pawn",
        code=code(team, slot),
        name=called,
        value=sides,
        text=f"{opening(where)}; {catches or does}",
        tone=TONES[team],
    )


# ---- the field ----------------------------------------------------------------------------------
def _field(look: Look, choices: Sequence[Choice], placements: Sequence[Placement]) -> Zone:
    """The grid, and as pieces: figures on the field, the ball, carnage, and cells to choose."""
    o = look.o
    figures = [(p, i) for p in range(2) for i in range(TEAM) if look.places[p][i] != NOWHERE]
    carnage = [c for c, x in enumerate(o.square) if x == CARNAGE]
    pieces = [_figure(look, p, i) for p, i in figures]
    if (where := _ball_words(look)) and (o.holder > 0 or o.ball != NOWHERE):
        pieces.append(Piece(BALL, f"The ball, {where}", "token", "@", "The ball", text=where))
    pieces += [_end(p) for p in range(2)]
    lit, stops = {c.action % CELLS for c in choices if c.action < AFTER_CELLS}, _stops(look)
    later = {BOARD.cell(id.partition(":")[2]) for x in placements for id in x.places} - lit
    pieces += [_cell(x, "stop" if x in stops else "") for x in sorted(lit)]
    pieces += [_cell(x, "later") for x in sorted(later)]
    facts: GridFacts = {
        "rows": BOARD.rows,
        "cols": BOARD.cols,
        "lines": _lines(),
        "ends": [{"id": f"end:{p}", "label": TEAMS[p], "tone": TONES[p]} for p in range(2)],
        "mark": BOARD.names[BOARD.kick_off],
        "home": 0 if look.me is None else look.me,
        "at": {figure(p, i): [BOARD.names[c] for c in look.feet(p, i)] for p, i in figures},
        "token": _ball(look),
        "token_name": "the ball",
        "blocked": [BOARD.names[c] for c in carnage],
        "blocked_name": "carnage",
        "active": _active(look),
        **_ways(look),
        "takes": CELLS,
        "odds": stakes.chances(look),
        "last": _last(look),
        "hint": _legend(look),
        "early": EARLY if look.asked and o.phase == Phase.SELECT else "",
    }
    return Zone(FIELD, "grid", "The field", pieces=tuple(pieces), facts=facts)


@lru_cache(maxsize=CACHED)
def _cell(cell: int, tone: str) -> Piece:
    where = BOARD.names[cell]
    return Piece(cell_id(cell), f"Square {where}", "cell", where, where, tone=tone)


def _stops(look: Look) -> set[int]:
    """The cells next to an opponent that the piece may come to: it must stop there."""
    if not look.asked:
        return set()
    found, _ = look.ways
    return {a % CELLS for a in look.actions if a in found and found[a].stop}


@lru_cache(maxsize=2)
def _end(team: int) -> Piece:
    label = f"End zone of the {TEAMS[team]}"
    return Piece(f"end:{team}", label, "end", "", label, tone=TONES[team])


@lru_cache(maxsize=1)
def _lines() -> list[GridLine]:
    """The yard lines: after which row, and what stands on them."""
    middle = BOARD.rows / 2
    return [
        {"after": 0, "text": ""},
        {"after": BOARD.zone_rows, "text": "20"},
        {"after": middle, "text": "50"},
        {"after": BOARD.rows - BOARD.zone_rows, "text": "20"},
        {"after": BOARD.rows, "text": ""},
    ]


def _ball(look: Look) -> Token:
    """Who has the ball, or where it lies; neither while it is being placed."""
    o = look.o
    if o.holder > 0:
        return {"holder": figure(team_of(o.holder), slot_of(o.holder))}
    return {"cell": BOARD.names[o.ball]} if o.ball != NOWHERE else {}


def _ball_words(look: Look) -> str:
    o = look.o
    if o.holder > 0:
        return f"held by {look.name(team_of(o.holder), slot_of(o.holder))}"
    return f"loose on {BOARD.names[o.ball]}" if o.ball != NOWHERE else ""


def _active(look: Look) -> list[str]:
    """The pieces that the question is about."""
    o = look.o
    if o.phase in (Phase.POWER, Phase.DEST):
        return [figure(o.turn, o.mover)]
    if o.phase == Phase.DIE:
        return [figure(o.turn, o.attacker), figure(1 - o.turn, o.target)]
    if o.phase == Phase.OPTION:
        return [figure(team_of(o.holder), slot_of(o.holder))]
    if o.phase == Phase.INCOMPLETE:
        return [figure(o.turn, o.receiver)]
    return []


def _ways(look: Look) -> GridWays:
    """The way to each choice by the number of its action, for the seat that chooses."""
    trail = Trail()
    if look.asked and look.o.phase == Phase.OPTION:
        _throws(look, trail)
    elif look.asked and look.o.phase == Phase.DEST:
        found, home = look.ways
        for action in look.actions:
            if action in found:
                trail.add(action, found[action].last)
        if home and home.last.before:  # to the goal row, and one step more
            into = f"end:{1 - look.o.turn}"
            trail.add(notation.SCORE.at, home.last.before, home.steps, into)
    return trail.facts(BOARD.names)


def _throws(look: Look, trail: Trail) -> None:
    """The way of the ball to each piece that may get it, and how far that is."""
    us, giver = int(look.o.turn), slot_of(look.o.holder)
    for action in look.actions:
        if action == notation.DECLINE.at:
            continue
        slot = action - (notation.PASS if stakes.is_pass(action) else notation.HAND_OFF).at
        far = int(between(look.t, look.o, us, giver, us, slot))
        begin, end = (int(look.o.at[us, x]) for x in (giver, slot))
        trail.add(action, Step(Step(None, begin), end), far)


def _last(look: Look) -> LastMove:
    """The last move: which piece, over which cells."""
    o = look.o
    if not look.playing or o.began == 0 or o.mover >= TEAM:
        return {}
    team = 1 - o.turn if o.phase == Phase.SELECT else o.turn
    to = o.at[team, o.mover]
    if to == NOWHERE:
        return {}
    cells = way_of_last_move(look.t, o, int(team))
    return {"id": figure(team, o.mover), "cells": [BOARD.names[c] for c in cells]}


def _legend(look: Look) -> str:
    """What the marks on the field mean; at a lineup, what the letters can do."""
    if look.asked and look.o.phase == Phase.LINEUP:
        return lineups.strengths(look)
    if _stops(look):
        return (
            "A square marked ◆ touches an opponent: your piece stops there, then tackles. "
            "A tie injures both."
        )
    return ""


# ---- dice ---------------------------------------------------------------------------------------
def _rollers(o: Any) -> tuple[int, int]:
    """Whose dice lie on the table, by the numbers of the pieces; 0: nobody's."""
    if o.roller[0] > 0:
        return int(o.roller[0]), int(o.roller[1])
    base, other = 1 + TEAM * o.turn, 1 + TEAM * (1 - o.turn)
    if o.phase in (Phase.POWER, Phase.DEST):
        return int(base + o.mover), 0
    if o.phase == Phase.DIE:
        return int(base + o.attacker), int(other + o.target)
    if o.phase == Phase.INCOMPLETE:
        return int(base + o.receiver), 0
    return 0, 0


def _dice(look: Look) -> Zone | None:
    """The dice as they were rolled last, side by side, and what they say."""
    o = look.o
    first, second = _rollers(o)
    if not first or not look.playing or o.dice[0, 0] == 0:
        return None
    pieces = _dice_of(look, 0, first)
    if o.dice[1, 0]:
        pieces += _dice_of(look, 1, second)
    beaten = [f"die:{i}:{k}" for i, k in _beaten(look, first, second)]
    facts: DiceFacts = {"text": _dice_words(look, first, second), "beaten": beaten}
    return Zone(DICE_ZONE, "dice", "Dice", pieces=tuple(pieces), facts=facts)


def _values(o: Any, i: int) -> list[int]:
    return [int(x) for x in (o.dice[i, 0], o.dice[i, 1]) if x]


def _dice_of(look: Look, i: int, roller: int) -> list[Piece]:
    """The dice of one side; without a piece it is the football die."""
    team, slot = (team_of(roller), slot_of(roller)) if roller else (0, 0)
    who = look.name(team, slot) if roller else "Football die"
    kind = base(look.r, slot) if roller else "d6"
    short, tone = (look.short(team, slot), TONES[team]) if roller else ("ball", "plain")
    return [
        Piece(
            f"die:{i}:{k}",
            f"{who}: {x} on a {kind}",
            "die",
            kind,
            short,
            str(x),
            tone=tone,
        )
        for k, x in enumerate(_values(look.o, i))
    ]


def _dice_words(look: Look, first: int, second: int) -> str:
    """What the dice decided, and why."""
    o = look.o
    if not o.dice[1, 0]:
        return _move_words(look, first)
    if second and team_of(first) != team_of(second):
        return _fight_words(look, first, second)
    equal = len({*_values(o, 0), *_values(o, 1)}) < len(_values(o, 0) + _values(o, 1))
    if second:
        return (
            "Hand-off: equal dice, a fumble"
            if equal
            else "Hand-off: the dice differ, so it is safe"
        )
    total = max(_values(o, 0)) + int(o.dice[1, 0])
    return "Pass: equal dice, a fumble" if equal else f"Pass: it carries up to {total} squares"


def _beaten(look: Look, first: int, second: int) -> Iterator[tuple[int, int]]:
    """The dice that lost a tackle, and those of a Heavy Tackle that do not count."""
    o = look.o
    if not second or team_of(first) == team_of(second) or not (o.chosen[0] and o.chosen[1]):
        return
    for i, roller in enumerate((first, second)):
        lost = o.status[team_of(roller), slot_of(roller)] != Status.FIELD
        values = _values(o, i)
        counts = values.index(o.chosen[i]) if o.chosen[i] in values else 0
        yield from ((i, k) for k in range(len(values)) if lost or k != counts)


def _move_words(look: Look, roller: int) -> str:
    values = _values(look.o, 0)
    who = look.short(team_of(roller), slot_of(roller))
    if len(values) == 2 and values[0] == values[1]:
        return f"{who} rolled equal dice: a malfunction"
    return f"{who} rolled {max(values)}: up to {plural(max(values), 'step')}"


def _fight_words(look: Look, first: int, second: int) -> str:
    """A tackle: "Your R1 7, Harts' B1 4: the lower die wins, Harts' B1 stays"."""
    o = look.o
    if o.phase == Phase.DIE or not (o.chosen[0] and o.chosen[1]):
        return "Tackle: the lower die wins"
    a, b = (look.tagged(team_of(x), slot_of(x)) for x in (first, second))
    lost = [x for x in (first, second) if o.status[team_of(x), slot_of(x)] != Status.FIELD]
    dice = opening(f"{a} {o.chosen[0]}, {b} {o.chosen[1]}")
    if len(lost) == 2:
        return f"{dice}: a tie, both are injured"
    if len(lost) == 1:
        return f"{dice}: the lower die wins, {b if lost[0] == first else a} stays"
    return dice


# ---- the question -------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    if look.over:
        return result(look.o, look.me, look.called)
    return _question(look) if look.asked else _waiting(look)


def _question(look: Look) -> str:
    """What the viewer is asked."""
    o = look.o
    match Phase(o.phase):
        case Phase.TEAMRULE:
            return f"Choose a team rule for the {HALF[int(o.half)].lower()}."
        case Phase.LINEUP:
            return lineups.question(look)
        case Phase.SELECT:
            return "Choose a piece to move."
        case Phase.POWER:
            return f"{look.mover} rolled {higher(o, 0)}: roll again with your Second Wind?"
        case Phase.DEST:
            return f"Choose where {look.mover} goes: up to {plural(int(o.steps), 'step')}."
        case Phase.TACKLE:
            return "You touch an opponent: choose a tackle. The lower die wins; a tie injures both."
        case Phase.DIE:
            return f"{_heavy(look)}: choose the die that counts. The lower one wins."
        case Phase.OPTION:
            return f"{_carrier(look)} has the ball: {_options(look)}, or keep it."
        case Phase.PLACE:
            where = f"within 2 squares of {_spot(look)}"
            return f"{_fumbler(look)} fumbles, so you put the ball on a square {where}."
        case Phase.GIVE:
            return f"{_fumbler(look)} fumbles, so you give the ball to a piece: no square is free."
        case _:
            far = plural(int(o.dice[1, 0]), "square")
            to = look.name(o.turn, o.receiver)
            catch = " Your piece there intercepts it." if _intercepts(look) else ""
            return (
                f"The pass falls short, so you choose where it comes down, {far} from {to}.{catch}"
            )


def _intercepts(look: Look) -> bool:
    """The ball may come down on one of the viewer's pieces."""
    return any(a < CELLS and look.o.square[a] != EMPTY for a in look.actions)


def _cue(look: Look) -> str:
    """Where a coach decides in a turn that need not be theirs."""
    if not look.asked:
        return ""
    if look.o.phase in (Phase.PLACE, Phase.GIVE, Phase.INCOMPLETE):
        return "You place the ball"
    return "You choose the die" if look.o.phase == Phase.DIE else ""


def _waiting(look: Look) -> str:
    """What somebody else is asked."""
    o, who = look.o, look.who
    match Phase(o.phase):
        case Phase.TEAMRULE:
            return f"{who} chooses a team rule."
        case Phase.LINEUP:
            return f"{who} lines up."
        case Phase.SELECT:
            return f"{who} chooses a piece to move."
        case Phase.POWER:
            return f"{look.mover} rolled {higher(o, 0)}. {who} may roll again."
        case Phase.DEST:
            return f"{look.mover} rolled {o.steps}. {who} moves it."
        case Phase.TACKLE:
            return f"{who} chooses a tackle."
        case Phase.DIE:
            return f"{_heavy(look)}. {who} chooses the die that counts."
        case Phase.OPTION:
            return f"{_carrier(look)} has the ball. {who} may hand off or pass."
        case Phase.PLACE | Phase.GIVE:
            return f"{_fumbler(look)} fumbles. {who} places the ball."
        case _:
            return f"The pass falls short. {who} chooses where it comes down."


def _heavy(look: Look) -> str:
    """ "Heavy Tackle H1 rolled 2 and 5 against 4"."""
    o = look.o
    i = 0 if o.to_act == o.turn else 1
    team, slot = (o.turn, o.attacker) if i == 0 else (1 - o.turn, o.target)
    other = o.chosen[1 - i] or " and ".join(map(str, _values(o, 1 - i)))
    return f"{look.name(team, slot)} rolled {o.dice[i, 0]} and {o.dice[i, 1]} against {other}"


def _carrier(look: Look) -> str:
    return look.name(team_of(look.o.holder), slot_of(look.o.holder))


def _fumbler(look: Look) -> str:
    return look.name(team_of(look.o.fumbler), slot_of(look.o.fumbler))


def _spot(look: Look) -> str:
    return str(BOARD.names[look.o.spot])


def _options(look: Look) -> str:
    passes = any(map(stakes.is_pass, look.actions))
    hands = any(map(stakes.is_hand_off, look.actions))
    return "hand off or pass" if passes and hands else "pass" if passes else "hand off"


# ---- choices ------------------------------------------------------------------------------------
def _choice(look: Look, action: int) -> Choice:
    """One legal action of the viewer, in words."""
    phase = int(look.o.phase)
    word = notation.word(look.r, look.o, action)
    rules = _rules_behind(look.r, action, phase)
    label, sub, path, tone = CHOICES[phase](look, action)
    many = notation.PRESET.at <= action < notation.RANDOM.at
    return Choice(action, word, label, sub, path, tone, rules, any_order=many)


@lru_cache(maxsize=CACHED)
def _rules_behind(r: Any, action: int, phase: int) -> tuple[str, ...]:
    """The ids of the rules that an action follows."""
    return rule_ids(r.game.build(False).move_of(action, phase).doc)


def _of_rule(look: Look, action: int) -> Words:
    number = action - notation.RULE.at
    which = TeamRule.NONE if number == 6 else TeamRule(number + 1)
    return opening(RULES[which]), DOES[which], (), "quiet" if number == 6 else "plain"


def _of_select(look: Look, action: int) -> Words:
    if action == notation.SKIP.at:
        return "Go on", "none of your pieces can move", (), "main"
    slot = action - notation.SELECT.at
    team = int(look.o.turn)
    ball = "it has the ball" if look.has_ball(team, slot) else ""
    parts = [f"rolls {die(look.r, slot)}", ball, stakes.of_piece(look, slot)]
    return (
        f"Move {look.name(team, slot)}",
        ", ".join(p for p in parts if p),
        (figure(team, slot),),
        "main",
    )


def _of_power(look: Look, action: int) -> Words:
    if action == notation.USE.at:
        left = int(look.o.left[look.o.to_act]) - 1
        more = stakes.of_new_roll(look)
        return "Roll again", f"{more}; the new roll counts, then {left} left", (), "plain"
    return f"Keep the {higher(look.o, 0)}", "", (), "main"


def _of_move(look: Look, action: int) -> Words:
    found, home = look.ways
    if action == notation.SCORE.at:
        steps = plural(home.steps, "step") if home else ""
        label = f"Touchdown with {look.mover}"
        return label, f"{steps} into the end zone", (f"end:{1 - look.o.turn}",), "main"
    cell, grab = action % CELLS, action >= CELLS
    label = f"Move {look.mover} to {BOARD.names[cell]}" + (", take the ball" if grab else "")
    way = found.get(action)
    parts = [plural(way.steps, "step") if way else "", stakes.after(look, action)[0]]
    path = (cell_id(cell), BALL) if grab and cell in look.twice else (cell_id(cell),)
    two = cell in look.twice
    label += " without the ball" if two and not grab else ""
    return label, ", ".join([p for p in parts if p]), path, "plain" if two and not grab else "main"


def _of_tackle(look: Look, action: int) -> Words:
    p, q = notation.TACKLE.values(action)
    us = int(look.o.turn)
    label = f"{look.name(us, p)} tackles {look.short(1 - us, q)}"
    ball = ", for the ball" if look.has_ball(us, p) or look.has_ball(1 - us, q) else ""
    dice = f"{die(look.r, p)} against {die(look.r, q)}{ball}"
    sub = f"{dice}: {stakes.of_tackle(look, p, q)}"
    return label, sub, (figure(us, p), figure(1 - us, q)), "main"


def _of_die(look: Look, action: int) -> Words:
    o = look.o
    i = 0 if o.to_act == o.turn else 1
    low = action == notation.LOW.at
    value = int(lower(o, i) if low else higher(o, i))
    return f"Let the {value} count", _fight(look, i, value), (), "plain"


def _fight(look: Look, i: int, value: int) -> str:
    """What a tackle comes to with this die, if the other side's is known."""
    o = look.o
    if not o.chosen[1 - i] and o.dice[1 - i, 1] and o.dice[1 - i, 0] != o.dice[1 - i, 1]:
        team = 1 - o.turn if i == 0 else o.turn
        return f"the die of {look.name(team, HEAVY)} is still to be chosen"
    other = int(o.chosen[1 - i] or lower(o, 1 - i))
    loser = loser_of(o, *((value, other) if i == 0 else (other, value)))
    if loser == BOTH:
        return f"against {other}: a tie, both are injured"
    wins = (loser == o.turn) != (i == 0)
    return f"against {other}: you {'win' if wins else 'lose'}"


def _of_option(look: Look, action: int) -> Words:
    if action == notation.DECLINE.at:
        return "Keep the ball", "your turn ends", (), "quiet"
    us = int(look.o.turn)
    if stakes.is_hand_off(action):
        slot = action - notation.HAND_OFF.at
        sub = stakes.of_hand_off(look, slot)
        return f"Hand off to {look.name(us, slot)}", sub, (figure(us, slot),), "main"
    slot = action - notation.PASS.at
    sub = f"{stakes.of_dice(look, slot)}: {stakes.of_pass(look, slot)}"
    near = notation.HAND_OFF.at + slot in look.actions
    path = (figure(us, slot), BALL) if near else (figure(us, slot),)
    return f"Pass to {look.name(us, slot)}", sub, path, "main"


def _of_place(look: Look, action: int) -> Words:
    return f"Put the ball on {BOARD.names[action]}", "", (cell_id(action),), "main"


def _of_gift(look: Look, action: int) -> Words:
    own = notation.GIVE_OWN.at <= action < notation.GIVE_OWN.at + TEAM
    at = notation.GIVE_OWN.at if own else notation.GIVE_OTHER.at
    team = int(look.o.to_act) if own else 1 - int(look.o.to_act)
    slot = action - at
    return f"Give the ball to {look.name(team, slot)}", "", (figure(team, slot),), "main"


def _of_landing(look: Look, action: int) -> Words:
    if action >= CELLS:
        return _of_gift(look, action)
    what = int(look.o.square[action])
    where = BOARD.names[action]
    if what == EMPTY:
        return f"The ball comes down on {where}", "", (cell_id(action),), "main"
    who = look.name(team_of(what), slot_of(what))
    return f"{who} intercepts the ball on {where}", "your ball", (cell_id(action),), "main"


#: what a choice of a phase says
CHOICES: dict[int, Callable[[Look, int], Words]] = {
    Phase.TEAMRULE: _of_rule,
    Phase.LINEUP: lineups.words,
    Phase.SELECT: _of_select,
    Phase.POWER: _of_power,
    Phase.DEST: _of_move,
    Phase.TACKLE: _of_tackle,
    Phase.DIE: _of_die,
    Phase.OPTION: _of_option,
    Phase.PLACE: _of_place,
    Phase.GIVE: _of_gift,
    Phase.INCOMPLETE: _of_landing,
}


# ---- refusals -----------------------------------------------------------------------------------
def _refusals(look: Look, open: set[str]) -> Iterator[Refusal]:
    """Why a piece that is not in `open` cannot be chosen now."""
    why_own, why_other = _why_not(look)
    rules: tuple[str, ...]
    for team in range(2):
        for slot in range(TEAM):
            if (id := figure(team, slot)) in open:
                continue
            status = Status(look.o.status[team, slot])
            if status in (Status.LOCKER, Status.BOX):
                rules = ("BB-74",) if status == Status.LOCKER else ("BB-80",)
                yield Refusal(id, f"{look.name(team, slot)} is {WHERE[status]}.", rules)
                continue
            why, rules = why_own if team == look.o.to_act else why_other
            if why:
                yield Refusal(id, f"{look.name(team, slot)} {why}.", rules)


Why = tuple[str, tuple[str, ...]]


def _why_not(look: Look) -> tuple[Why, Why]:
    """Why no other own piece, and why no opposing one."""
    theirs: Why = ("is not yours", ())
    match Phase(look.o.phase):
        case Phase.SELECT:
            beside = "is not yours; to tackle it, end a move next to it"
            return ("has no square to step to", ("BB-20",)), (beside, ("BB-66",))
        case Phase.POWER | Phase.DEST:
            return ("stays: another piece is moving", ("BB-19",)), ("is out of reach", ())
        case Phase.TACKLE:
            return ("touches no opponent", ("BB-66",)), ("touches none of your pieces", ("BB-66",))
        case Phase.OPTION:
            return ("has the ball already, or is too far from it", ("BB-90", "BB-146")), theirs
        case Phase.GIVE:
            return ("is not within 2 squares", ("BB-108",)), theirs
        case Phase.LINEUP if look.t.lineup == Lineup.ALTERNATE:
            first = look.name(int(look.o.to_act), look.next)
            why = f"waits: coaches take turns placing pieces in a fixed order, and {first} is next"
            return (why, ("AMB-11",)), theirs
        case Phase.LINEUP:
            return ("is already placed", ()), theirs
        case _:
            return ("", ()), ("", ())
