"""What is noted of a match while it is played: how long it was, what happened, what was used, who
stood how. Recorders see what the house sees; the bots that play do not hear of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType, FrameType
from typing import Any

from ...core.build import marked_functions
from ...core.game import Game
from ...core.match import Match
from ...core.scene import Piece, Scene, rule_ids
from ..plan import Plan, Recorder, Result, play
from .players import appraiser

HAND = "hand"  # the role of a zone
FIGURE = "pawn"  # the kind of piece that is used where there are no hands

Use = str  # one of the actions of a move, as `use_of` names it


def use_of(move: str, number: int) -> Use:
    """`attack 3`: the fourth action of a move."""
    return f"{move} {number}"


@dataclass
class MatchStats:
    """What was noted of one match; what nobody looked at is empty."""

    result: Result
    turns: int = 0  # what the game counts them in: Game.length_unit
    first: int | None = None  # the seat of the first turn
    choices: int = 0  # decisions between at least two actions
    events: Counter[str] = field(default_factory=Counter)
    offered: Counter[Use] = field(default_factory=Counter)
    taken: Counter[Use] = field(default_factory=Counter)
    words: dict[Use, str] = field(default_factory=dict)  # of an action, when it was first offered
    names: dict[str, str] = field(default_factory=dict)  # of cards, by their codes
    dealt: tuple[Counter[str], ...] = ()  # by seat: the cards it begins with,
    held: tuple[Counter[str], ...] = ()  # 1 for each kind it had in hand at a decision of its own,
    played: tuple[Counter[str], ...] = ()  # and how often it used one
    chances: list[tuple[float, ...]] = field(default_factory=list)  # each time, by seat: 0 .. 1
    asked: frozenset[str] = frozenset()  # ids of rules whose code ran,
    followed: frozenset[str] = frozenset()  # and of those of them that did not say no


Look = Callable[[Plan, MatchStats], Recorder]


def observe(plan: Plan, match: int, looks: Sequence[Look]) -> MatchStats:
    """Plays a match of the plan, looked at in these ways."""
    stats = MatchStats(Result(match, (), 0))
    recorders = [look(plan, stats) for look in (lengths, *looks)]

    def recorder(m: Match, action: int | None) -> None:
        for each in recorders:
            each(m, action)

    stats.result = play(plan, match, recorder)
    return stats


# ---- how long, and what happened -----------------------------------------------------------------
def lengths(plan: Plan, stats: MatchStats) -> Recorder:
    """Turns, decisions, events."""
    unit = plan.rules.game.length_unit

    def recorder(m: Match, action: int | None) -> None:
        if action is not None:
            stats.choices += len(m.legal_actions) > 1
            return
        happened = m.happened
        stats.events.update(event.name for event, _ in happened)
        if unit:
            turns = [seat for event, seat in happened if event is unit.event]
            stats.turns, stats.first = len(turns), turns[0] if turns and unit.whose else None

    return recorder


# ---- what was used -------------------------------------------------------------------------------
def uses(plan: Plan, stats: MatchStats) -> Recorder:
    """Actions offered and taken; cards in hand and played."""
    build = plan.rules.plain().build
    stats.held = tuple(Counter() for _ in range(plan.rules.players))
    stats.played = tuple(Counter() for _ in range(plan.rules.players))

    def recorder(m: Match, action: int | None) -> None:
        if action is None:
            return
        for a in m.legal_actions:
            move = build.move_of(a, m.state.phase)
            use = use_of(move.name, a - move.at)
            stats.offered[use] += 1
            if use not in stats.words:
                stats.words[use] = m.word(a)
            if a == action:
                stats.taken[use] += 1
        assert m.to_act is not None
        scene = m.scene(m.to_act)
        for piece in hand(scene):
            stats.held[m.to_act][piece.code] = 1
            stats.names[piece.code] = piece.name
        for piece in used(scene, action):
            stats.played[m.to_act][piece.code] += 1
            stats.names[piece.code] = piece.name

    return recorder


def hand(scene: Scene) -> list[Piece]:
    """The cards that the scene's viewer has in hand."""
    zones = [z for z in scene.zones if z.role == HAND and z.owner == scene.viewer]
    return [piece for z in zones for piece in z.pieces]


def used(scene: Scene, action: int) -> list[Piece]:
    """The cards of the hand that an action takes, by what one taps to say it; where there is no
    hand, the figure that one taps first.
    """
    path = next(c.path for c in scene.choices if c.action == action)
    if cards := hand(scene):
        return [piece for piece in cards if piece.id in path]
    figures = [x for z in scene.zones for x in z.pieces if x.kind == FIGURE and x.id in path[:1]]
    return figures[:1]


def first_hands(plan: Plan, stats: MatchStats) -> Recorder:
    """The cards with which each seat begins."""

    def recorder(m: Match, action: int | None) -> None:
        if not stats.dealt:
            stats.dealt = tuple(_counted(m.scene(p), stats) for p in range(plan.rules.players))

    return recorder


def _counted(scene: Scene, stats: MatchStats) -> Counter[str]:
    out = Counter[str]()
    for piece in hand(scene):
        out[piece.code] += piece.count
        stats.names[piece.code] = piece.name
    return out


# ---- who stood how -------------------------------------------------------------------------------
def chances(plan: Plan, stats: MatchStats) -> Recorder:
    """Whenever it is another seat's turn to act: what each seat could think of its chances, from
    what it may know.
    """
    seats = range(plan.rules.players)
    seeds = [plan.bot_seed(stats.result.match, len(seats) + p) for p in seats]
    each = [appraiser(plan.rules, seed) for seed in seeds]
    before: list[int | None] = [None]

    def recorder(m: Match, action: int | None) -> None:
        if action is not None and m.to_act != before[0]:
            before[0] = m.to_act
            expected = (each[p].values(m.observation(p))[p] for p in seats)
            stats.chances.append(tuple(0.5 + x / 2 for x in expected))

    return recorder


# ---- which rules were followed -------------------------------------------------------------------
def follow(plan: Plan, match: int) -> MatchStats:
    """Plays a match on the plain build alone, and notes the ids in the docstrings of all rules that
    ran, and of those that did not answer no.
    """
    plain = replace(plan, rules=plan.rules.changed({}))  # the other may observe compiled
    ids = rules_of(plain.rules.game)
    asked, followed = set[str](), set[str]()

    def listen(frame: FrameType, event: str, result: Any) -> None:
        if event == "return" and (named := ids.get(frame.f_code)):
            asked.update(named)
            followed.update(named if result is not False else ())

    sys.setprofile(listen)
    try:
        stats = observe(plain, match, ())
    finally:
        sys.setprofile(None)
    stats.asked, stats.followed = frozenset(asked), frozenset(followed)
    return stats


@cache
def rules_of(game: Game) -> dict[CodeType, tuple[str, ...]]:
    """The code of each rule of a game, and the ids of the rulebook that its docstring names."""
    return {
        f.__code__: tuple(id for id in rule_ids(f.__doc__) if id in game.rulebook)
        for f in marked_functions(game.rules)
        if f.__doc__
    }
