"""Battleball: what each option changes, and wrong ones."""

from __future__ import annotations

import re
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.core.errors import UndoRefused
from battlebox.core.fair import Fair
from battlebox.core.match import Match
from battlebox.games import find
from battlebox.games.battleball.testing import at, do, load, play_on

GAME = find("battleball")
PRESET_1 = 754  # the action number of preset:1


# ---- options ----
@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"rows": 24}, "rows = 24: choose 5, 15, 25 or 35"),
        ({"rows": 5}, "team_size = 11: 11 squares behind the line are too few, with 5 rows and 11"),
        ({"rows": 5, "cols": 3, "team_size": 4}, "team_size = 4: 3 squares behind the line"),
        ({"rows": 20}, "rows = 20"),
        ({"rows": 45}, "rows = 45"),
        ({"cols": 10}, "cols = 10: with 25 rows choose 3, 5, 7, 9, 11 or 13 columns"),
        ({"rows": 15}, "cols = 11: with 15 rows choose 4, 6, 8, 10 or 12 columns"),
        ({"cols": 30}, "cols = 30"),
        ({"lineup": "hidden"}, "lineup = 'hidden'"),
        ({"halt_ball": "moon"}, "halt_ball = 'moon'"),
        ({"max_np_halts": 0}, "max_np_halts = 0"),
        ({"advance": True}, "'advance' is not known; did you mean 'advanced'"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], fragment: str) -> None:
    """AMB-3: an even number of rows, too."""
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(**options)


@pytest.mark.parametrize(("rows", "cols", "cells"), [(15, 10, 157), (35, 12, 437), (25, 9, 237)])
def test_other_fields(rows: int, cols: int, cells: int) -> None:
    """AMB-3: other sizes are other numbers of cells; everything else goes on as it is."""
    r = load(rows=rows, cols=cols)
    m = r.match(1)
    assert m.facts()["cells"] == str(cells)
    assert r.plain().num_actions == 2 * cells + 207
    do(m, "random", "random")
    assert m.phase == "SELECT"
    play_on(m, 60, 1)


def test_half_squares_only_to_pass() -> None:
    """AMB-4: `half_squares_standable=false`."""
    m = at("R1a3/r1k25 @f13 - W D:R1=2 1 0-0 -", half_squares_standable=False)
    assert not {"a2", "a4"} & set(m.legal_words())
    assert {"a1", "a5"} <= set(m.legal_words())  # through the half squares
    m = load(half_squares_standable=False).match(1)
    do(m, "f4")
    assert not {"a2", "a4", "l2", "l4"} & set(m.legal_words())
    assert "preset:4" not in load(half_squares_standable=False).match(1).legal_words()
    m = at("R1a3/s1b2,r1k25 @f13 - W D:R1=2 1 0-0 -", half_squares_standable=False)
    assert "a1" not in m.legal_words()  # it would have to stop on a2


def test_no_foot_of_the_heavy_on_a_half_square() -> None:
    """AMB-5: `heavy_on_half=false`."""
    position = "H1b3/r1k25 @f13 - W D:H1=1.2 1 0-0 -"
    assert {"a2", "a4"} <= set(at(position).legal_words())
    assert not {"a2", "a4"} & set(at(position, heavy_on_half=False).legal_words())


def test_the_heavy_on_one_foot() -> None:
    """AMB-8: `heavy_lead_foot=true`: through a gap of one, if there is room beyond."""
    gap = "H1b4,T1k5/r1k25 @{} a6,b6,d6,e6,f6,g6,h6,i6,j6,k6,l6 W D:H1=6.5 1 0-0 -"
    assert at(gap.format("f13")).facts()["maxrow"] == "5"
    m = at(gap.format("c6"), heavy_lead_foot=True)
    assert int(m.facts()["maxrow"]) > 6
    assert "b7*" in m.legal_words()
    assert not [w for w in m.legal_words() if w in ("c6*", "b6", "c6")]


def test_running_over_the_ball() -> None:
    """AMB-13: `optional_pickup=true`: not if one ends there."""
    m = at("R1f10/r1a25 @f13 - W D:R1=4 1 0-0 -", optional_pickup=True)
    assert {"f13*", "f14", "f14*"} <= set(m.legal_words())
    assert "f13" not in m.legal_words()


def test_a_malfunction_may_end_the_turn() -> None:
    """AMB-19: `malfunction_ends_turn=true`, with and without the ball."""
    loose = "H1e10,R1a1/s1g10,r1k25 @k20 - W M 1 0-0 -"
    assert do(at(loose, 3, 3), "H1").phase == "TACKLE"
    assert do(at(loose, 3, 3, malfunction_ends_turn=True), "H1").phase == "SELECT"
    carried = loose.replace("@k20", "H1")
    m = do(at(carried, 3, 3, malfunction_ends_turn=True), "H1", "@e8")
    assert (m.phase, m.to_act) == ("SELECT", 1)
    assert do(at(carried, 3, 3), "H1", "@e8").phase == "TACKLE"


def test_a_second_fumble_after_a_malfunction() -> None:
    """BB-51, BB-112: the ball given to a neighbour, who is tackled: the turn then ends."""
    full = "c25,d25,h25,d24,e24,f24,g24,c24,h24,c23,d23,e23,f23,g23,h23,i23"
    m = at(f"H1e25,R1a1/s1g25,r1a20 H1 {full} W M 1 0-0 -", 3, 3, 2, 5, 5)
    do(m, "H1")
    assert m.legal_words() == ["give:s1"]
    do(m, "give:s1")
    assert m.write_position().split()[4] == "A!"
    do(m, "H1xs1", "low")
    assert (m.phase, m.to_act) == ("PLACE", 0)
    do(m, m.legal_words()[0])
    assert (m.phase, m.to_act) == ("SELECT", 1)


def test_fumbles_over_a_wall() -> None:
    """AMB-30: `halt_counts_fumble_hops=true`: a wall one cell thick is none, two cells are."""
    thin = ",".join(f"{c}13" for c in "abcdefghijk")
    thick = thin + "," + ",".join(f"{c}14" for c in "abcdefghijkl")
    for wall, hops, halted in ((thin, False, "yes"), (thin, True, "no"), (thick, True, "yes")):
        position = f"R1c5,S1c22/r1f21 @f10 {wall} W M 1 0-0 -"
        m = at(position, halt_counts_fumble_hops=hops)
        assert m.facts()["halted"] == halted


def test_a_halt_that_both_coaches_agree_on() -> None:
    """AMB-30: no action, no turn; taken back by either; the same from its record."""
    m = load().match(7)
    assert m.agreements == {}
    do(m, "preset:1", "preset:1")
    number = m.agreements["halt play"]
    before, turn = m.digest(), m.to_act
    assert number == m.rules.plain().num_actions
    assert number not in m.legal_actions
    for seat in (0, 1):
        with pytest.raises((bb.IllegalAction, bb.InvalidWord)):
            m.submit(seat, number)
    for wrong in ("stop play", "halt_play", ""):
        with pytest.raises(bb.IllegalAction, match=f"{wrong!r} .* what can: halt play"):
            m.agree(wrong)
    assert m.digest() == before
    m.agree("halt play")
    assert m.history[-1] == (None, "halt play")
    assert (m.phase, m.to_act, m.state.first - 1) == ("LINEUP", 0, turn)
    for viewer in (None, 0, 1):
        assert "Play is halted: both coaches agree to it" in m.log(viewer)[-1]
    with pytest.raises(bb.IllegalAction, match=r"'halt play' .*LINEUP.* what can: nothing"):
        m.agree("halt play")
    assert bb.replay(m.record()).digest() == m.digest()
    for seat in (1, 0):
        assert m.undo(seat) == "halt play"
        assert m.digest() == before
        m.agree("halt play")
    do(m, "preset:2")
    with pytest.raises(UndoRefused, match="not yours"):
        m.undo(1)


@pytest.mark.parametrize("line", ["agree halt play", "agree stop play", "agree"])
def test_a_forged_agreement_is_refused_with_its_line(line: str) -> None:
    """AMB-30: at a wrong phase, of a wrong name, without the option."""
    m = do(load().match(7), "preset:1", "preset:1")
    for n, text in ((6, "do 0 preset:1"), (8, "end")):
        edited = m.record().replace(text, f"{line}\n{text}", 1)
        if n == 6 or line != "agree halt play":
            with pytest.raises(bb.RecordError, match=rf"^line {n}: .* cannot be agreed on now"):
                bb.replay(edited)
    off = do(load(allow_agreed_halt=False).match(7), "preset:1", "preset:1")
    assert off.agreements == {}
    with pytest.raises(bb.RecordError, match=r"^line 8: .* cannot be agreed on now"):
        bb.replay(off.record().replace("end", f"{line}\nend", 1))


def test_an_agreed_halt_leaves_fair_dice_fair() -> None:
    """AMB-30: the outcomes after it are those of the secret, in a record as well."""
    m = Match(load(), chance=Fair(bytes(32)))
    do(m, "random", "random")
    m.agree("halt play")
    do(m, "random", "random", m.legal_words()[0] if m.phase == "SELECT" else "R1")
    text = m.record()
    assert "\nagree halt play\ndo 0 random\nchance " in text
    again = bb.replay(text)
    assert (again.digest(), again.record()) == (m.digest(), text)


def test_agreed_halts_end_with_the_match() -> None:
    """AMB-30, AMB-34: each is a turn, so that they cannot go on for ever."""
    m = load(max_plies=5).match(7)
    for _ in range(5):
        do(m, "preset:1", "preset:1").agree("halt play")
    assert do(m, "preset:1", "preset:1").over
    assert (m.agreements, m.state.halts) == ({}, 5)
    with pytest.raises(bb.IllegalAction, match="OVER"):
        m.agree("halt play")


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.xdist_group("battleball")
def test_both_builds_halt_alike() -> None:
    """AMB-30: no list has it, and both take it."""
    r = load()
    m = do(r.match(7), "preset:1", "preset:1")
    actions = [PRESET_1, PRESET_1, m.agreements["halt play"], PRESET_1, PRESET_1]
    plain, compiled = (laws.trace(r, 7, actions, compiled=c) for c in (False, True))
    assert plain == compiled


def test_the_ball_after_a_halt() -> None:
    """AMB-31: `halt_ball=possession`: with its carrier, or the first piece of the team."""
    wall = ",".join(f"{c}13" for c in "abcdefghijk")
    m = at(f"S1c5,R1d9/r1f21 S1 {wall} W A 1 0-0 -", halt_ball="possession")
    assert (m.phase, m.facts()["ball"]) == ("LINEUP", "S1")
    assert m.write_position().split()[1] == "S1"
    do(m, "preset:1", "preset:1")
    assert (m.to_act, m.facts()["ball"]) == (0, "S1")
    m = at(f"S1c5,R1d9/r1f21 @f2 {wall} W A 1 0-0 poss=W", halt_ball="possession")
    assert m.facts()["ball"] == "R1"
    m = at(f"S1c5,R1d9/r1f21 @f2 {wall} W A 1 0-0 -", halt_ball="possession")
    assert m.facts()["ball"] == "@f13"


def test_limits_of_a_match() -> None:
    """AMB-34, BB-133: `max_plies`, `no_progress_limit=0`."""
    for seed in range(3):
        m = load(max_plies=30).match(seed)
        play_on(m, 34 * 34, seed)
        assert m.over
        assert m.state.turns <= 30
    m = at("R1c5/r1f21 @f13 - W M 1 0-0 np=500", 3, no_progress_limit=0)
    assert do(m, "R1", "c6").phase == "SELECT"


def test_only_the_higher_die_of_a_heavy_receiver() -> None:
    """AMB-38: `heavy_pass_any_match=false`."""
    position = "R1f5,H1e9/r1a25 R1 - W A 1 0-0 -"
    for dice, usual, other in (((4, 4, 2), "PLACE", "SELECT"), ((2, 5, 2), "PLACE", "SELECT")):
        assert do(at(position, *dice, advanced=True), "^H1").phase == usual
        m = do(at(position, *dice, advanced=True, heavy_pass_any_match=False), "^H1")
        assert m.phase == other
    m = at(position, 5, 2, 5, advanced=True, heavy_pass_any_match=False)
    assert do(m, "^H1").phase == "PLACE"


def test_options_that_came_later_leave_match_files_as_they_were() -> None:
    """AMB-60..63: a record names the numbers it was played with, but for those."""
    usual = {"team_size": 11, "starter": -1, "touchdowns": 2, "max_restarts": 0}
    assert load(**usual).digest == load().digest
    others = [{"team_size": 10}, {"starter": 0}, {"touchdowns": 1}, {"max_restarts": 1}]
    assert len({load().digest, *(load(**x).digest for x in others)}) == 5
