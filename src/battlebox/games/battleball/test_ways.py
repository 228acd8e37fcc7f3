"""The ways that Battleball shows, beside the rules' own search, at positions of random matches."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from copy import copy
from types import ModuleType
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.checked import Picture
from battlebox.games.battleball.test_scene import MODES, walk

POSITIONS = 16


def module(r: bb.Ruleset, name: str) -> Any:
    """A module of the game, for a field of this size."""
    package = r.game.rules.__name__.rpartition(".")[0]
    found: ModuleType = sys.modules[f"{package}.{name}"]
    return found


def movers(m: bb.Match, dice: random.Random) -> Iterator[Any]:
    """What the seat to act sees, as if each of its pieces had rolled something, with any rule."""
    seen, state = Picture(m.observation(m.to_act)), module(m.rules, "state")
    o: Any
    for slot in range(state.TEAM):
        if seen.at[seen.turn, slot] != state.NOWHERE:
            o = copy(seen)
            o.mover, o.steps = slot, dice.randint(1, state.LONGEST_RUN)
            o.team_rule, o.left = [*seen.team_rule], [1, 1]
            if dice.random() < 0.5:
                o.team_rule[o.turn] = state.TeamRule.GHOST_STEP
            ball = dice.random()
            if ball < 0.4:
                o.holder, o.ball = 1 + state.TEAM * o.turn + slot, state.NOWHERE
            elif ball < 0.8:
                empty = [c for c in range(state.CELLS) if o.square[c] == state.EMPTY]
                o.holder, o.ball = 0, dice.choice(empty)
            yield o


def positions(options: dict[str, Any]) -> Iterator[tuple[bb.Match, Any]]:
    """Such movers, at some positions of a match at random."""
    dice, left = random.Random(7), POSITIONS
    for m in walk(options, 4):
        if m.phase in ("SELECT", "DEST") and dice.random() < 0.2:
            for o in movers(m, dice):
                yield m, o
            left -= 1
        if left == 0:
            return


def runs(m: bb.Match, o: Any) -> list[int]:
    """Where the rules let the mover go, by the numbers of the actions."""
    moving, state = module(m.rules, "moving"), module(m.rules, "state")
    can = [0] * (state.AFTER_CELLS + 2)  # the last place says how many they are
    moving.may_run(m.rules.numbers, o, can)
    return sorted(can[: can[-1]])


def steps_of(m: bb.Match, o: Any) -> dict[int, int]:
    """Of the rules' shortest ways, by the numbers of the actions; with a Ghost Step where there is
    none without.
    """
    moving, state, t = module(m.rules, "moving"), module(m.rules, "state"), m.rules.numbers
    found = dict[int, int]()
    begin, wide, ghost = o.at[o.turn, o.mover], o.mover == state.HEAVY, moving.has_ghost_step(o)
    for node in o.queue[: moving.flood(t, o, begin, wide, ghost)]:
        layer, cell = divmod(node, state.NODES)
        if layer < 2 or o.dist[node - 2 * state.NODES] in (0, state.FAR):
            found.setdefault(cell + layer % 2 * state.CELLS, o.dist[node])
    return found


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_piece_reaches_what_the_rules_let_it_reach(options: dict[str, Any]) -> None:
    ghosts = homes = takes = 0
    for m, o in positions(options):
        ways, state = module(m.rules, "ways"), module(m.rules, "state")
        t, score = m.rules.numbers, module(m.rules, "notation").SCORE.at
        reach, legal = ways.reach(t, o), runs(m, o)
        found = {
            c + grab * state.CELLS: n
            for grab, sets in enumerate((reach.without, reach.taking))
            for n, cells in enumerate(sets)
            for c in range(state.CELLS)
            if cells >> c & 1
        }
        assert sorted(found) == [a for a in legal if a != score]
        if not module(m.rules, "moving").leads_with_foot(t, o):
            steps = steps_of(m, o)
            assert found == {a: steps[a] for a in found}
        assert (reach.home is not None) == (score in legal)
        if reach.home is not None:
            for steps, there in ((reach.home, True), (reach.home - 1, False)):
                nearer = copy(o)
                nearer.steps = steps
                assert (score in runs(m, nearer)) == there
        homes += reach.home is not None
        takes += any(reach.taking)
        ghosts += any(n > 1 for n in found.values()) and ways.has_ghost_step(o)
    assert homes > 0
    assert takes > 5
    assert ghosts > 5
    assert homes > 1
    assert takes > 5
    assert ghosts > 5


@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_ways_lead_step_by_step_as_far_as_is_said(options: dict[str, Any]) -> None:
    checked = 0
    for m, o in positions(options):
        ways, field = module(m.rules, "ways"), module(m.rules, "field")
        state, t = module(m.rules, "state"), m.rules.numbers
        found, home = ways.ways(t, o)
        reach, wide = ways.reach(t, o), o.mover == state.HEAVY
        on_one_foot = module(m.rules, "moving").leads_with_foot(t, o)
        assert (home and home.steps) == reach.home
        for action in {*runs(m, o)} & {*found}:
            way, (grab, cell) = found[action], divmod(action, state.CELLS)
            assert (reach.without, reach.taking)[grab][way.steps] >> cell & 1
            for a, b in zip(way.cells, way.cells[1:], strict=False):
                assert b in [t.near[a, k] for k in range(state.AROUND)]
                assert field.fits(t, o, wide and not on_one_foot, field.piece(o.turn, o.mover), b)
            if not on_one_foot:
                assert way.cells[-1] == cell
                assert way.stop == field.is_next_to(t, o, o.turn, wide, cell)
            checked += 1
    assert checked > 500


@pytest.mark.parametrize("options", MODES, ids=str)
def test_what_counts_for_a_mover_is_as_the_rules_have_it(options: dict[str, Any]) -> None:
    for m, o in positions(options):
        ways, field, moving = (module(m.rules, x) for x in ("ways", "field", "moving"))
        state, t = module(m.rules, "state"), m.rules.numbers
        wide, me = bool(o.mover == state.HEAVY), field.piece(o.turn, o.mover)
        ground = ways.ground(t, o, wide)
        free = [c for c in range(state.CELLS) if ground.free >> c & 1]
        assert free == [c for c in range(state.CELLS) if field.fits(t, o, wide, me, c)]
        for c in free:
            assert bool(ground.stop >> c & 1) == field.is_next_to(t, o, o.turn, wide, c)
            assert bool(ground.ball >> c & 1) == moving.is_on_ball(t, o, wide, c)
        near = {what: ways.beside(t, o, what, wide) for what in range(1, 1 + 2 * state.TEAM)}
        for c in free:
            touched = {what for _, what in ways.contacts(t, o, o.mover, c)}
            for slot in range(state.TEAM):
                what = field.piece(1 - o.turn, slot)
                assert bool(near[what] >> c & 1) == (what in touched)
