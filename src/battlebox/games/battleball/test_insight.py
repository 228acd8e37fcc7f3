"""What a search is told of Battleball, and that its bots play football by it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.laws import expected, led_to
from battlebox.core.match import Match

from .board import Board
from .field import piece
from .insight import PRESET, SCORE, SELECT, candidates, chance_to_tackle, chance_to_walk
from .state import CELLS, LONGEST_RUN, NODES, NOWHERE, TEAM, Phase
from .testing import board
from .walks import begin_flood, begin_flood_after

RULES = bb.load("battleball", advanced=True)
TEAM_RULES = bb.load("battleball", advanced=True, team_rules=True)


def positions(rules: bb.Ruleset, seed: int, steps: int) -> Iterator[Match]:
    """Random play, from a stored lineup on."""
    dice, m = random.Random(seed), rules.match(seed)
    while m.to_act is not None and steps > 0:
        yield m
        stored = [a for a in m.legal_actions if m.state.phase == Phase.LINEUP and a >= PRESET]
        m.submit(m.to_act, dice.choice(stored or m.legal_actions))
        steps -= 1


def looked_at(m: Match) -> Any:
    """What the seat to act sees, which may be scribbled on."""
    build = m.rules.plain().build
    copy = build.states()
    copy[0] = m.observation(m.to_act)
    return build.access(copy)[0]


def short_list(m: Match, visits: int) -> list[int]:
    """The candidates of the seat to act."""
    engine, state = m.rules.plain(), looked_at(m)
    acts = engine.build.access(engine.build.action_buffer())
    for i, a in enumerate(m.legal_actions):
        acts[i] = a
    n = candidates(engine.tt[0], state, acts, len(m.legal_actions), visits)
    return [int(acts[i]) for i in range(n)]


@pytest.mark.parametrize("rules", [RULES, TEAM_RULES], ids=["advanced", "team rules"])
def test_candidates_are_legal_few_and_grow(rules: bb.Ruleset) -> None:
    cut = 0
    for m in positions(rules, 1, 250):
        lists = [short_list(m, visits) for visits in (0, 100, 10_000)]
        for one, more in zip(lists, [*lists[1:], list(m.legal_actions)], strict=True):
            assert one, "there is always a candidate"
            assert len(set(one)) == len(one)
            assert set(one) <= set(more), "a candidate stays one"
        cut += len(lists[0]) < len(m.legal_actions)
    assert cut > 50


def test_what_is_expected_of_one_is_not_of_the_other() -> None:
    said = [expected(m) for m in positions(RULES, 2, 250)]
    found = [x for x in said if x is not None]
    assert len(found) > 50
    for white, black in found:
        assert white == -black
        assert -1 < white < 1


@pytest.mark.parametrize(
    ("better", "than"),
    [
        ("R1f20/r1k25 R1 - W M 1 0-0 -", "R1f9/r1k25 R1 - W M 1 0-0 -"),  # nearer home
        ("R1f9/r1k25 R1 - W M 1 0-0 -", "R1f9/r1k25 R1 - H M 1 0-0 -"),  # and on turn
        ("R1f3/r1k25 R1 - H M 1 0-0 -", "R1f3/r1k25 @k24 - H M 1 0-0 -"),  # has the ball
        ("R1f9/r1k25 @f10 - W M 1 0-0 -", "R1f9/r1k25 @k24 - W M 1 0-0 -"),  # nearer the ball
        ("R1f3,L1a3/r1k25 R1 - W M 1 0-0 -", "R1f3/r1k25 R1 - W M 1 0-0 -"),  # one more stands
        ("R1f3/r1k25 R1 - W M 2 1-0 -", "R1f3/r1k25 R1 - W M 1 0-0 -"),  # leads
    ],
)
def test_what_is_good_for_a_team_is_expected_of_it(better: str, than: str) -> None:
    """For W, seat 0."""
    a, b = (expected(RULES.match(1, position=x)) for x in (better, than))
    assert a
    assert b
    assert a[0] > b[0]


@pytest.mark.parametrize(
    ("position", "mine", "theirs"),
    [
        # touchdowns, whose ball, rows to go, the way home, pieces that stand
        (
            "R1f20/r1k25 R1 - W M 1 0-0 -",
            (0, 0, 1, 0, -6, 0.75, 0, 1, -1),
            (0, 0, 0, -1, -20, 0, -0.75, 1, -1),
        ),
        (
            "R1f9/r1k25 @f10 - W M 1 0-0 -",
            (0, 0, 0, 0, -16, 0, 0, 1, -1),
            (0, 0, 0, 0, -10, 0, 0, 1, -1),
        ),
        (
            "R1f9,L1a3/r1k25 r1 - W M 2 1-0 -",
            (1, 0, 0, -1, -1, 0, 0, 2, -1),
            (0, -1, 1, 0, -25, 0, 0, 1, -2),
        ),
    ],
    ids=["carried", "lying", "theirs"],
)
def test_a_turn_leads_to_touchdowns_the_ball_and_pieces(
    position: str, mine: tuple[float, ...], theirs: tuple[float, ...]
) -> None:
    m = RULES.match(1, position=position)
    assert led_to(m, 0) == pytest.approx(mine)
    assert led_to(m, 1) == pytest.approx(theirs)
    m.submit(0, m.legal_actions[0])
    assert (m.phase, led_to(m, 0)) == ("DEST", None)


def test_who_made_the_touchdown_that_ended_a_half_had_the_ball() -> None:
    m = RULES.match(1, position="R1f25/r1a9 R1 - W M 1 0-0 -")
    while led_to(m, 0) is None or m.state.score[0] == 0:
        m.submit(m.to_act, SCORE if SCORE in m.legal_actions else m.legal_actions[0])
    assert m.state.half == 2
    assert (led_to(m, 0) or [])[:7] == [1, 0, 1, 0, 0, 0, 0]
    assert (led_to(m, 1) or [])[:7] == [0, -1, 0, -1, -(RULES.all_options["rows"] + 1), 0, 0]


def test_the_end_zone_is_taken_when_it_can_be() -> None:
    seen = 0
    for seed in range(40):
        for m in positions(RULES, seed, 150):
            if SCORE in m.legal_actions and m.state.phase == Phase.DEST:
                assert short_list(m, 10_000) == [SCORE]
                seen += 1
        if seen > 3:
            return
    raise AssertionError("nobody came to the end zone")


def test_chances_are_those_of_the_dice() -> None:
    dice = range(4, LONGEST_RUN + 1)
    for mine in dice:
        for theirs in dice:
            won = sum(a < b for a in range(mine) for b in range(theirs))
            assert chance_to_tackle(mine, theirs) == pytest.approx(won / (mine * theirs))
        for steps in range(25):
            able = sum(face >= steps for face in range(1, mine + 1))
            assert chance_to_walk(mine, steps) == pytest.approx(able / mine)


# ---- the yardstick -------------------------------------------------------------------------------
class Runner:
    """Only runs for the ball, and with it for the end zone: fetch, carry; no thought of blocks."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, m: Match) -> int:
        """Where the ball is nearer, or with it the end zone; elsewhere any action."""
        s, field = m.state, board(m.rules)
        actions = list(m.legal_actions)
        self._random.shuffle(actions)
        if s.phase == Phase.SELECT:
            return min(actions, key=lambda a: self._far(m, field, a - SELECT))
        if s.phase == Phase.DEST:
            return min(actions, key=lambda a: self._left(s, field, a))
        if s.phase == Phase.LINEUP:
            return next((a for a in sorted(actions) if a >= PRESET), actions[0])
        return actions[0]

    def _ball(self, s: Any) -> int:
        code = int(s.holder)
        return int(s.at[(code - 1) // TEAM, (code - 1) % TEAM]) if code else int(s.ball)

    def _far(self, m: Match, field: Board, slot: int) -> float:
        s = m.state
        if not 0 <= slot < TEAM or s.at[s.turn, slot] == NOWHERE:
            return 99
        if s.holder == piece(s.turn, slot):
            return -99
        far = field.distance(int(s.at[s.turn, slot]), self._ball(s))
        return far / int(m.rules.numbers.die[slot])

    def _left(self, s: Any, field: Board, action: int) -> float:
        if action == SCORE:
            return -99
        goal = field.rows if s.turn == 0 else 1
        cell = action % CELLS
        if action >= CELLS or s.holder == piece(s.turn, s.mover):
            return abs(field.places[cell][1] - goal) - (50 if action >= CELLS else 0)
        return field.distance(cell, self._ball(s))


def against_runner(level: str, pairs: int, seed: int) -> list[float]:
    """The bot's share of each pair of matches against the runner: one seed, both seats."""
    rules, scores = bb.load("battleball"), []
    for k in range(seed, seed + pairs):
        total = 0.0
        for seat in (0, 1):
            m, runner = rules.match(k), Runner(2 * k + seat)
            bot = bb.bot(level, rules, seed=2 * k + seat)
            while m.to_act is not None:
                mine = m.to_act == seat
                m.submit(m.to_act, bot.choose(m.observation(seat)) if mine else runner.choose(m))
            total += 0.5 + 0.5 * m.returns[seat]
        scores.append(total / 2)
    return scores


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.xdist_group("battleball")
def test_a_bot_beats_one_that_only_runs_for_the_ball() -> None:
    """Already medium, with far fewer matches than would prove it; series prove it apart."""
    assert sum(against_runner("medium", 5, seed=1)) > 2.5


@pytest.mark.parametrize("seed", range(3))
def test_who_may_walk_where_after_a_run_is_what_it_is_once_the_run_is_made(seed: int) -> None:
    """BB-39, BB-43: for each team, cell by cell, before anybody has walked."""
    tables, compared = TEAM_RULES.plain().tt[0], 0
    looks: list[Any] = []
    for m in positions(TEAM_RULES, seed, 400):
        if looks and m.state.half == looks[0].half:
            us, slot = looks[0].turn, looks[0].mover
            for team, before in enumerate(looks):
                begin_flood_after(tables, before, team, us, slot, m.state.at[us, slot])
                after = looked_at(m)
                begin_flood(after, team)
                met = [after.dist[c] for c in range(NODES)]
                assert [before.dist[c] for c in range(NODES)] == met
                compared += 1
        runs = m.state.phase == Phase.DEST
        looks = [looked_at(m), looked_at(m)] if runs else []
    assert compared > 50
