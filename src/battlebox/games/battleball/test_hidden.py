"""What a coach of Battleball does not see, its determinizations, and what can be taken back."""

from __future__ import annotations

from typing import Any

import pytest

import battlebox as bb
from battlebox.core.checked import checked
from battlebox.games.battleball.board import Board
from battlebox.games.battleball.state import HEAVY, State
from battlebox.games.battleball.team import CODES
from battlebox.games.battleball.testing import at, do, load

BOARD = Board()
ZONE = {c for c in range(287) if BOARD.in_zone(0, c)}
ANCHORS = {c for c in ZONE if BOARD.right(c) in ZONE}


def determinized(m: bb.Match, seat: int | None, rng: int) -> Any:
    """A determinization of what this seat (None: a spectator) knows; it sees the same in it."""
    engine = m.rules.plain()
    o = m.observation(seat).reshape(1)
    o["rng"] = rng
    states = checked(o)
    m.rules.plain().build.hooks.determinize(engine.tt[0], states[0])
    again = engine.build.states()
    engine.f.observe(engine.tt, states, 0, checked(again), 0, -1 if seat is None else seat)
    assert again.tobytes() == m.observation(seat).tobytes()
    return states[0]


def plan(o: Any) -> dict[str, str]:
    """W's plan, as far as it is in a truth or an observation."""
    return {CODES[i]: BOARD.names[o.plan[0, i] - 1] for i in range(11) if o.plan[0, i]}


# W has placed its Heavy and a Running Back, H is to place three pieces
LINING_UP = "H1a5,R1k1/{} @f13 - H L 1 0-0 lock=" + ",".join(
    [c for c in CODES if c not in ("H1", "R1")]
    + [c.lower() for c in CODES if c not in ("H1", "R1", "R2")]
)


@pytest.mark.parametrize("seat", [1, None])
def test_every_lineup_of_a_coach_who_is_done_may_be_determinized(seat: int | None) -> None:
    """AMB-11: any cell of the zone for either piece, none twice; of H, who is still at it, none.

    A place is missed by 500 truths once in ten thousand times.
    """
    m = at(LINING_UP.format("h1c25"))
    runner, heavy = set[int](), set[int]()
    for rng in range(500):
        o = determinized(m, seat, rng)
        r, h = o.plan[0, 0] - 1, o.plan[0, HEAVY] - 1
        assert r not in (h, BOARD.right(h))
        assert [slot for slot in range(11) if o.plan[0, slot]] == [0, HEAVY]
        runner.add(r)
        heavy.add(h)
        mine = BOARD.cell("c25") + 1 if seat == 1 else 0
        assert [o.plan[1, slot] for slot in range(11)] == [0] * 10 + [mine]
    assert (runner, heavy) == (ZONE, ANCHORS)


def test_what_is_known_is_determinized_as_it_is() -> None:
    """AMB-11: W knows its own lineup; an open one is known to all."""
    m = at(LINING_UP.format("-"))
    assert plan(determinized(m, 0, 1)) == {"H1": "a5", "R1": "k1"}
    m = at(LINING_UP.format("-"), lineup="open")
    for seat in (0, 1, None):
        assert plan(determinized(m, seat, 1)) == {}


def test_nothing_is_made_up_of_a_coach_who_is_still_at_it() -> None:
    """AMB-11: that W has placed somebody is hidden too."""
    m = do(load().match(1), "f4", "f3")
    for seat in (1, None):
        assert plan(determinized(m, seat, 1)) == {}
    m = do(load(team_rules=True).match(1))
    assert determinized(m, 1, 1).choice[0] == 0


def test_every_team_rule_of_w_may_be_determinized() -> None:
    """AMB-55: by H and by spectators, until it is shown; W knows it."""
    m = do(load(team_rules=True).match(1), "TR3")
    for seat in (1, None):
        assert {determinized(m, seat, rng).choice[0] - 1 for rng in range(60)} == {*range(7)}
    assert {determinized(m, 0, rng).choice[0] - 1 for rng in range(20)} == {3}
    m = do(load(team_rules=True, tr_blind=False).match(1), "TR3")
    assert {determinized(m, 1, rng).choice[0] for rng in range(20)} == {0}
    m = do(load(team_rules=True).match(1), "TR3", "TR4")
    assert {determinized(m, 1, rng).choice[0] for rng in range(20)} == {0}


def test_nothing_but_plans_and_choices_is_hidden() -> None:
    """AMB-11, AMB-55: of a state full of ones all else is seen; no notes of the rules."""
    m = load().match(1)
    notes = {"dist", "queue", "home", "region", "live", "rng"}
    for name in State.visibility:
        m.state._record[name] = 1
    for seat in (0, 1, None):
        o = m.observation(seat)
        closed = {name for name in State.visibility if not o[name].all()}
        assert closed == notes | {"plan", "choice"}, seat
        for name in ("plan", "choice"):
            assert [bool(x.all()) for x in o[name]] == [seat == 0, seat == 1]


# ---- what can be taken back ----
WALL = ",".join(f"{c}13" for c in "abcdefghijk")
STUCK = "L1a24,R1a25/r1f21 L1 b24,a23,b25,e21,g21,f20,g20,f22,g22"
FIGHT = "H1e10,R1a1/r1g10,s1k25 {} - W X:H1=2.5xr1={} 1 0-0 {}"
LAST = "H1e10/r1g10 {} - W X:H1=1.4xr1=4 {} {}"


@pytest.mark.parametrize(
    ("position", "word", "told"),
    [
        ("-/- @f13 - W T 1 0-0 -", "TR3", "RULE_CHOSEN"),
        ("-/- @f13 - W L 1 0-0 -", "k4", ""),
        ("R1f10/r1a25 @f13 - W D:R1=4 1 0-0 -", "f14*", "MOVED PICKED_UP TURN"),
        ("R1f5/s1b9,s2e9,b1h9,b2k9 @k25 - W D:R1=20 1 0-0 trW=TR5", "f12", "GHOST_STEP MOVED TURN"),
        (f"{STUCK} W M 1 0-0 -", "skip", "SKIPPED"),
        (f"{STUCK.replace('L1 b24', 'r1 b24')} W M 1 0-0 skips=1", "skip", "SKIPPED HALTED"),
        (f"R1c5/r1f21 @f10 {WALL} W D:R1=2 1 0-0 -", "c6", "MOVED HALTED"),
        ("H1e10,R1a1/h1g10 @k1 - W X:H1=2.5xh1=3.6 1 0-0 -", "high", "DIE_CHOSEN"),
        (FIGHT.format("r1", 9, "-"), "low", "DIE_CHOSEN INJURED GOT_BALL TURN"),
        (FIGHT.format("r1", 1, "-"), "low", "DIE_CHOSEN SERIOUSLY_INJURED TURN"),
        (FIGHT.format("r1", 2, "-"), "low", "DIE_CHOSEN INJURED INJURED FUMBLED"),
        (FIGHT.format("@k1", 1, "trW=TR2"), "low", "DIE_CHOSEN TREATED INJURED TURN"),
        (FIGHT.format("@k1", 3, "trH=TR6"), "low", "DIE_CHOSEN LAST_STAND INJURED INJURED TURN"),
        (LAST.format("@k1", "1 0-0", "-"), "low", "DIE_CHOSEN SERIOUSLY_INJURED TOUCHDOWN HALF"),
        (LAST.format("@k1", "OT 1-1", "-"), "low", "DIE_CHOSEN SERIOUSLY_INJURED TOUCHDOWN ENDED"),
        (
            LAST.format("@k1", "1 0-0", "-"),
            "high",
            "DIE_CHOSEN INJURED INJURED RESTARTED HALF",
        ),
        ("R1f10,S1g10/r1a25 - - W F:R1 1 0-0 -", "@f12", "BALL_PLACED TURN"),
        (
            "R1a1,R2b1,L1c1,T1h5/s1a3,r1k25 - a2,b2,c2,b3 W F:R1 1 0-0 -",
            "give:s1",
            "GOT_BALL TURN",
        ),
    ],
)
def test_what_shows_nothing_hidden_can_be_taken_back(position: str, word: str, told: str) -> None:
    """AMB-11, AMB-55: only plans and choices are hidden at all."""
    m = at(position, team_rules=" T " in position)
    before = m.digest()
    do(m, word)
    assert [x.event.name for x in m.events(None)] == told.split()
    m.undo()
    assert m.digest() == before


def test_a_hidden_lineup_or_team_rule_that_was_shown_is_not_taken_back() -> None:
    """BB-129, AMB-11, AMB-55: without a toss as well."""
    m = do(at(LINING_UP.replace("L 1 0-0", "L 2 1-0").format("h1c25,r1a21")), "k25")
    assert [x.event.name for x in m.events(None)] == ["LINED_UP", "TURN"]
    with pytest.raises(bb.UndoRefused, match="hidden"):
        m.undo()
    m = do(load(team_rules=True).match(1), "TR3", "TR4")
    with pytest.raises(bb.UndoRefused, match="hidden"):
        m.undo()
