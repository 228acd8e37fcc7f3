"""Battleball: every rule id, moves checked against a second count, laws.

Expected values come from README.md and DEVELOPERS.md, worked out by hand.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games import find
from battlebox.games.battleball.board import Board
from battlebox.games.battleball.state import HEAVY, NOWHERE, State
from battlebox.games.battleball.team import CODES, code
from battlebox.games.battleball.testing import at, do, load, told, watch

GAME = find("battleball")
DEVELOPERS = (GAME.folder / "DEVELOPERS.md").read_text(encoding="utf-8")
BOARD = Board()
DICE = load().numbers.die
WALL, BLITZ = (x.places for x in load().names.lineup[1:3])


# ---- README.md, DEVELOPERS.md ----
def test_the_readme_has_every_rule_and_ruling() -> None:
    wanted = [*(f"BB-{n}" for n in range(1, 173)), *(f"AMB-{n}" for n in range(1, 64))]
    assert list(GAME.rulebook) == wanted


# ---- pieces and board ----
def test_teams_and_dice() -> None:
    """BB-1, BB-3, BB-4, AMB-1, AMB-2: the table of DEVELOPERS.md is what the rules roll."""
    rows = re.findall(r"^\| ((?:[A-Z]\d ?)+) \|.+ (?:two )?d(\d+) \|", DEVELOPERS, re.M)
    sides = {c: int(die) for codes, die in rows for c in codes.split()}
    assert list(sides) == list(CODES)
    numbers = load().numbers
    assert [numbers.die[i] for i in range(11)] == [sides[c] for c in CODES]


def test_two_coaches_only() -> None:
    """BB-1."""
    for players in (1, 3):
        with pytest.raises(bb.RulesetError, match=f"players = {players}"):
            load(players=players)


def test_facing_and_figures_mean_nothing() -> None:
    """BB-14, BB-172: no field of the state could hold them."""
    assert not {n for n in State.visibility if "fac" in n or "base" in n}


def test_there_is_no_cell_in_an_end_zone() -> None:
    """BB-147, AMB-9: nobody can be there, so nobody can receive there."""
    assert {row for _, row in BOARD.places} == set(range(1, 26))
    m = at("R1f25,S1f20/r1a1 R1 - W D:R1=3 1 0-0 -", advanced=True)
    do(m, "TD")
    assert m.phase == "LINEUP"


def test_no_lineup_covers_the_ball() -> None:
    """BB-5, AMB-54: the middle square is in neither zone."""
    assert BOARD.names[BOARD.kick_off] == "f13"
    assert not BOARD.in_zone(0, BOARD.kick_off)
    assert not BOARD.in_zone(1, BOARD.kick_off)


def test_the_board_is_fair() -> None:
    """AMB-3: distances as counted on the board; zones of 57 cells; places of a Heavy Tackle."""
    for start in (0, 5, 143, 60):
        seen, edge = {start: 0}, [start]
        while edge:
            c = edge.pop(0)
            for n in BOARD.neighbours(c):
                if n not in seen:
                    seen[n] = seen[c] + 1
                    edge.append(n)
        assert all(BOARD.distance(start, c) == d for c, d in seen.items())
        assert len(seen) == 287
    assert [sum(BOARD.in_zone(t, c) for c in range(287)) for t in (0, 1)] == [57, 57]
    anchors = [c for c in range(287) if BOARD.right(c) != 287]
    assert len(anchors) == 262
    assert sum(BOARD.in_zone(0, c) for c in anchors) == 52


# ---- moves, counted a second time ----
def reach(
    cells: dict[str, int], ball: int | None, carnage: set[int], mover: str, steps: int
) -> set[str]:
    """The words of a move by its definition: sets of stances, step by step."""
    heavy = mover == "H1"

    def feet(c: int, wide: bool) -> set[int]:
        return {c, BOARD.right(c)} if wide else {c}

    others = set[int]()
    touched = set[int]()
    for name, c in cells.items():
        if name != mover:
            others |= feet(c, name.upper() == "H1")
            if name.islower():
                touched |= {n for f in feet(c, name == "h1") for n in BOARD.neighbours(f)}
    blocked = others | carnage | {287}
    start = (cells[mover], False)
    edge, seen, found = {start}, {start}, set[str]()
    for _ in range(steps):
        following = set[tuple[int, bool]]()
        for c, has in edge:
            if (c, has) != start and feet(c, heavy) & touched:
                continue
            for n in BOARD.neighbours(c):
                if not feet(n, heavy) & blocked:
                    following.add((n, has or ball in feet(n, heavy)))
        edge = following - seen
        seen |= edge
        found |= {BOARD.names[c] + "*" * has for c, has in edge if c != cells[mover]}
    return found


def random_field(seed: int) -> tuple[str, set[str]]:
    """A random position with a move to make, and its words by `reach`."""
    dice = random.Random(seed)
    carnage = set(dice.sample(range(287), dice.choice([0, 10, 60])))
    near = [c for c in range(287) if BOARD.distance(c, 143) < dice.choice([4, 9, 30])]
    cells, taken = dict[str, int](), set(carnage)
    for slot in range(11):
        for team in range(2):
            c = dice.choice(near)
            feet = {c, BOARD.right(c)} if slot == HEAVY else {c}
            if not feet & (taken | {287}):
                cells[code(team, slot)] = c
                taken |= feet
    free = [c for c in near if c not in taken]
    ball = dice.choice(free) if free and dice.random() < 0.8 else None
    mine = [p for p in cells if p.isupper()]
    theirs = [p for p in cells if p.islower()]
    if not mine or not theirs:
        return random_field(seed + 100_000)
    mover = dice.choice(mine)
    steps = dice.randint(1, DICE[CODES.index(mover.upper())])
    roll = f"{steps}.{steps - 1 or 2}" if mover == "H1" else str(steps)
    steps = max(map(int, roll.split(".")))
    text = "/".join(",".join(p + BOARD.names[cells[p]] for p in side) for side in (mine, theirs))
    where = "@" + BOARD.names[ball] if ball is not None else dice.choice(theirs)
    tokens = ",".join(BOARD.names[c] for c in carnage) or "-"
    words = reach(cells, ball, carnage, mover, steps)
    if not words:
        return random_field(seed + 100_000)
    return f"{text} {where} {tokens} W D:{mover}={roll} 1 0-0 -", words


@pytest.mark.parametrize("seed", range(60))
def test_moves_as_counted_again(seed: int) -> None:
    """BB-31..43, BB-52..62, BB-64: on random fields, by a second and slower count."""
    position, words = random_field(seed)
    m = at(position)
    assert set(m.legal_words()) - {"TD"} == words


def test_out_of_a_dead_end_over_the_first_cell() -> None:
    """BB-36, AMB-14: in for the ball and out again, but not if it must stop there."""
    m = at("R1a1/r1k25 @a2 b2,a3 W D:R1=3 1 0-0 -")
    assert {"a2*", "b1*"} < set(m.legal_words())
    assert not {"a1", "a1*"} & set(m.legal_words())
    m = at("R1a1/s1b2,r1k25 @a2 a3 W D:R1=3 1 0-0 -")
    assert "a2*" in m.legal_words()
    assert "b1*" not in m.legal_words()


def test_either_foot_stops_the_heavy() -> None:
    """BB-43: at e7 its right foot f7 is next to g8."""
    m = at("H1e5/s1g8,r1a25 @k25 f6 W D:H1=3.4 1 0-0 -")
    assert "e7" in m.legal_words()
    assert "f9" not in m.legal_words()


def test_somebody_has_to_move() -> None:
    """AMB-17: there is no pass of the turn."""
    m = at("R1f24/s1f25,s2e25,r1a1 @k1 - W M 1 0-0 -")
    assert m.legal_words() == ["R1"]


# ---- tackles ----
def test_nobody_needs_the_ball_to_tackle() -> None:
    """BB-8, BB-68, BB-72: the loser is in the Locker Room; in the box after a 1."""
    fight = "R1f10,B1a1/s1g10,r1k25 @k1 - W A 1 0-0 -"
    assert do(at(fight, 3, 7), "R1xs1").facts()["locker"].startswith("R2")
    m = do(at(fight, 3, 7), "R1xs1")
    assert m.facts()["cell.s1"] == "locker"
    assert do(at(fight, 1, 7), "R1xs1").facts()["cell.s1"] == "box"


def test_two_heavies_choose_one_after_the_other() -> None:
    """BB-84: attacker first; both have seen all dice."""
    m = at("H1e10,R1a1/h1g10,r1k25 @k1 - W A 1 0-0 -", 2, 5, 3, 6)
    do(m, "H1xh1")
    assert (m.phase, m.to_act) == ("DIE", 0)
    assert m.write_position().split()[4] == "X:H1=2.5xh1=3.6"
    do(m, "high")
    assert (m.phase, m.to_act) == ("DIE", 1)
    assert m.write_position().split()[4] == "X:H1=2.5>xh1=3.6"
    do(m, "low")
    assert m.facts()["cell.H1"] == "locker"
    assert m.facts()["carnage"] == "e10.f10"


def test_contacts_from_before_count() -> None:
    """BB-24, AMB-42: somebody else moved; the old contact must be tackled."""
    m = do(at("R1f10,R2a1/s1g10 @k1 - W M 1 0-0 -", 4), "R2", "b2")
    assert m.legal_words() == ["R1xs1"]


def test_the_injured_are_back_and_carnage_is_gone_in_the_next_half() -> None:
    """BB-73, BB-88: until then both stay as they are."""
    m = at("R1f24,S1a1/r1a20 R1 b9,c9 W M 1 0-0 box=H1", 1, 1)
    do(m, "S1", "b1")
    assert m.facts()["carnage"] == "b9.c9"
    assert m.facts()["cell.B1"] == "locker"
    m = do(at("R1f25/r1a20 R1 b9,c9 W D:R1=1 1 0-0 box=H1"), "TD")
    assert m.facts()["carnage"] == "none"
    assert (m.facts()["ntodo"], m.facts()["box"]) == ("10", "H1")


def test_a_heavy_fumbles_its_own_ball_only() -> None:
    """AMB-26: its doubles do nothing to a ball that a partner has."""
    m = do(at("H1e10,R1a1/r1k25 R1 - W M 1 0-0 -", 3, 3), "H1")
    assert m.facts()["ball"] == "R1"


def test_a_hand_off_ends_the_turn() -> None:
    """BB-95: one attempt, and it hurts nobody."""
    m = do(at("R1f10,S1g10,S2h10/r1a25 R1 - W A 1 0-0 -", 3, 4), ">S1")
    assert (m.phase, m.to_act, m.facts()["carnage"]) == ("SELECT", 1, "none")


def test_where_the_ball_may_be_placed() -> None:
    """BB-89, AMB-44: on half squares and next to anybody, not on carnage."""
    m = do(at("R1b3,S1b4/r1c6,s1b2 R1 c4 W F:R1 1 0-0 -".replace(" R1 c4", " - c4")), "@a2")
    assert m.facts()["ball"] == "@a2"
    m = at("R1b3,S1b4/r1c6,s1b2 - c4 W F:R1 1 0-0 -")
    assert {"@a4", "@c5", "@c3"} <= set(m.legal_words())
    assert not {"@c4", "@b4", "@b2", "@b3"} & set(m.legal_words())


# ---- halves, restarts ----
def boxed(team: str, but: str = "") -> str:
    """All pieces of a team but one."""
    names = [c if team == "W" else c.lower() for c in CODES]
    return ",".join(c for c in names if c != but)


def test_who_is_in_the_box_misses_the_restart() -> None:
    """BB-136: the last two as well, if it was with two 1s."""
    m = do(at("T1f10/r1g10 @k1 - W A 1 0-0 -", 1, 1), "T1xr1")
    assert (m.phase, m.facts()["ntodo"], m.facts()["box"]) == ("LINEUP", "10", "T1.r1")
    assert told(m, "RESTARTED")


def test_a_team_without_anybody_concedes_at_every_lineup() -> None:
    """BB-139, AMB-36: 1 : 0 by the tackle, 2 : 0 at the lineup that follows."""
    m = do(at(f"T1f10/r1g10 @k1 - W A 1 0-0 box={boxed('H', 'r1')}", 1, 15), "T1xr1")
    assert (m.over, m.facts()["score"], m.returns) == (True, "2-0", (1, -1))


def test_the_last_piece_falls_with_the_ball() -> None:
    """BB-125: a tie that leaves only H on the field is H's touchdown; there is one ball."""
    m = at(f"T1f10/r1g10,s1k2 T1 - W A OT 1-1 lock={boxed('W', 'T1')}", 4, 4)
    do(m, "T1xr1")
    assert (m.over, m.facts()["score"], m.facts()["ball"]) == (True, "1-2", "s1")


def test_after_a_halt_one_lines_up_behind_the_line() -> None:
    """AMB-49, BB-116."""
    halted = "R1a1,S1f5/s1b1,r1f20 R1 a2,b2,c2,c1,a3,b3 W A 1 0-0 -"
    m = do(at(halted, 7, 7), "R1xs1")
    assert m.phase == "LINEUP"
    cells = [w for w in m.legal_words() if re.fullmatch(r"[a-z]\d+", w)]
    assert len(cells) == 57
    assert all(BOARD.in_zone(0, BOARD.cell(w)) for w in cells)


# ---- passes ----
def test_passes_fly_over_everything_and_end_the_turn() -> None:
    """BB-145, AMB-39, AMB-47: an incomplete one can't come down as far off as the passer."""
    m = at("R1f5,S1f9,R2f6/r1a25 R1 f7,f8,g8 W A 1 0-0 -", 3, 2, advanced=True)
    do(m, "^S1")
    assert (m.phase, m.to_act, m.facts()["ball"]) == ("SELECT", 1, "S1")
    for far in range(2, 26):
        assert all(f < far for die in range(1, 21) for f in range(1, 7) if die + f < far)


CORNER = "R1f5,L1a1,{}/r1k25 R1 {} W A 1 0-0 -"


def test_a_ring_of_partners_and_carnage() -> None:
    """BB-154, AMB-45: only then a partner recovers it."""
    m = do(at(CORNER.format("T1b1", "a2,b2"), 2, 1, advanced=True), "^L1")
    assert (m.phase, m.to_act, m.legal_words()) == ("INCOMPLETE", 1, ["give:T1"])
    assert do(m, "give:T1").facts()["ball"] == "T1"
    m = do(at(CORNER.format("T1b1", "a2"), 2, 1, advanced=True), "^L1")
    assert m.legal_words() == ["@b2"]


def test_out_of_play() -> None:
    """BB-155: nothing but carnage around: halted, the passing team goes first."""
    m = do(at(CORNER.format("T1f1", "a2,b2,b1"), 2, 1, advanced=True), "^L1")
    assert (m.phase, m.facts()["halts"], m.facts()["first"]) == ("LINEUP", "1", "W")


def test_the_basic_game_knows_neither_pass_nor_team_rule() -> None:
    """BB-7, BB-140."""
    m = load().match(1)
    assert m.phase == "LINEUP"
    assert at("R1f10,S1g10/r1a25 R1 - W A 1 0-0 -").legal_words() == [">S1", "="]
    assert at("R1f10,S1g10/r1a25 R1 - W A 1 0-0 -", advanced=True).legal_words() == [
        ">S1",
        "^S1",
        "=",
    ]


# ---- team rules ----
def test_a_rule_is_chosen_in_secret_before_each_half() -> None:
    """BB-159, BB-160, BB-161, BB-163, AMB-55."""
    m = load(team_rules=True).match(3)
    assert (m.phase, m.to_act) == ("TEAMRULE", 0)
    assert m.legal_words() == ["TR1", "TR2", "TR3", "TR4", "TR5", "TR6", "none"]
    seen = set()
    for word in m.legal_words():
        m.submit(0, word)
        seen.add((m.observation(1).tobytes(), str(m.log(1)), m.observation(None).tobytes()))
        m.undo()
    assert len(seen) == 1
    do(m, "TR3", "none")
    assert (m.phase, m.to_act) == ("LINEUP", 0)
    assert [m.state.team_rule[p] for p in (0, 1)] == [3, 0]
    assert [x["rule"] for x in told(m, "RULE_SHOWN")] == [3, 0]


def test_the_first_choice_may_be_open() -> None:
    """AMB-55: `tr_blind=false`."""
    m = do(load(team_rules=True, tr_blind=False).match(3), "TR5")
    assert m.observation(1)["team_rule"][0] == 5
    assert m.write_position().endswith("trW=TR5")


def test_when_rules_are_chosen_anew() -> None:
    """BB-162: with a half; not after a halt or restart, which differ in what can still be used."""
    rest = "trW=TR3.1;trH=TR2.1"
    m = do(at(f"R1f25/r1a20 R1 - W D:R1=1 1 0-0 {rest}", team_rules=True), "TD")
    assert (m.phase, seen(m, "team_rule"), seen(m, "choice")) == ("TEAMRULE", [0, 0], [0, 0])
    m = do(at(f"T1f10/r1g10 @k1 - W A 1 0-0 {rest}", 4, 4, team_rules=True), "T1xr1")
    assert (m.phase, m.state.team_rule[0], m.state.left[0]) == ("LINEUP", 3, 2)
    wall = ",".join(f"{c}13" for c in "abcdefghijk")
    m = do(at(f"R1c5/r1f21 @f10 {wall} W A 1 0-0 {rest}", team_rules=True))
    assert (m.phase, m.state.team_rule[0], m.state.left[0]) == ("LINEUP", 3, 1)


def test_the_six_rules_are_ours() -> None:
    """BB-164, AMB-40."""
    assert [f"TR{n} " in GAME.readme for n in range(1, 8)] == [True] * 6 + [False]


def test_sure_hands() -> None:
    """BB-165: one more roll for a fumbled hand-off or pass; passes count and reach 2 more."""
    hand = "R1f10,S1g10/r1a25 R1 - W A 1 0-0 trW=TR1"
    assert do(at(hand, 5, 5, 3, 4), ">S1").facts()["ball"] == "S1"
    assert do(at(hand, 5, 5, 4, 4), ">S1").phase == "PLACE"
    passing = "R1f5,L1f9,T1{}/r1a25 R1 - W A 1 0-0 trW=TR1"
    m = at(passing.format("f18"), 1, 1, 1, 2, advanced=True)  # 1 + 2 + 2: five reach four
    assert "^T1" in m.legal_words()  # 13 away, 11 + 2
    assert do(m, "^L1").facts()["ball"] == "L1"
    assert "^T1" not in at(passing.format("f19"), advanced=True).legal_words()
    m = at(passing.format("f18").replace("trW", "trH"), advanced=True)
    assert "^T1" not in m.legal_words()


def test_field_medics() -> None:
    """BB-166: two pieces in a half."""
    fight = "T1f10,R1a1/r1g10,s1k25 @k1 - W A 1 0-0 trH=TR2{}"
    m = do(at(fight.format(""), 1, 15), "T1xr1")
    assert (m.facts()["cell.r1"], m.state.left[1]) == ("locker", 1)
    assert told(m, "TREATED")
    assert do(at(fight.format(".0"), 1, 15), "T1xr1").facts()["cell.r1"] == "box"


def test_second_wind() -> None:
    """BB-167: asked after each roll while there is one left; doubles of the second roll count."""
    m = at("R1f5,H1a1/r1k25 @f13 - W M 1 0-0 trW=TR3", 2, 15)
    do(m, "R1")
    assert (m.phase, m.to_act, m.legal_words()) == ("POWER", 0, ["use", "decline"])
    assert m.write_position().split()[4] == "W:R1=2"
    do(m, "use")
    assert (m.phase, m.facts()["roll"], m.state.left[0]) == ("DEST", "15", 1)
    m = do(at("R1f5/r1k25 @f13 - W M 1 0-0 trW=TR3.1", 2), "R1", "decline")
    assert (m.facts()["roll"], m.state.left[0]) == ("2", 1)
    assert do(at("R1f5/r1k25 @f13 - W M 1 0-0 trW=TR3.0", 2), "R1").phase == "DEST"
    heavy = "H1f5,R1a1/r1k25 @f13 - W M 1 0-0 trW=TR3"
    assert do(at(heavy, 3, 3, 4, 4), "H1", "use").to_act == 1
    assert do(at(heavy, 3, 3, 4, 5), "H1", "use").facts()["roll"] == "5"


def test_running_start() -> None:
    """BB-168, BB-171: three steps or more, the attacker alone, never below 2, no 1 of it."""
    fight = "R1f10,B1a1/s1g10,r1k25 @k1 - W A 1 0-0 trW=TR4;mv={}"
    out = "locker"

    def fallen(moved: str, *dice: int) -> tuple[bool, bool]:
        found = do(at(fight.format(moved), *dice), "R1xs1").facts()
        return found["cell.R1"] == out, found["cell.s1"] == out

    assert fallen("R1.3", 8, 7) == (True, True)
    assert fallen("R1.3", 7, 7) == (False, True)
    assert fallen("R1.2", 8, 7) == (True, False)
    assert fallen("B1.5", 8, 7) == (True, False)
    assert fallen("R1.3", 2, 2) == (True, True)
    m = at("R1f5/s1f9,r1k25 @k1 - W D:R1=5 1 0-0 trW=TR4", 8, 7)
    do(m, "f8")
    assert (m.phase, m.state.moved_steps) == ("TACKLE", 3)
    assert m.write_position().endswith("mv=R1.3;") or m.write_position().endswith("mv=R1.3")
    carrier = "R1f10,B1a1/s1g10,r1k25 R1 - W A 1 0-0 trW=TR4;mv=R1.3"
    assert do(at(carrier, 8, 7), "R1xs1").phase == "PLACE"  # a tie, though no dice are equal


def test_ghost_step() -> None:
    """BB-169: through one contact, once a half; not used up by a move that does without."""
    wall = "R1f5,L1a1/s1b9,s2e9,b1h9,b2k9 @k25 - W D:{}=20 1 0-0 trW=TR5{}"
    m = at(wall.format("R1", ""))
    assert int(m.facts()["maxrow"]) > 9
    do(m, "f8")
    assert m.state.left[0] == 1
    m = do(at(wall.format("R1", "")), "f12")
    assert m.state.left[0] == 0
    assert told(m, "GHOST_STEP")
    assert at(wall.format("R1", ".0")).facts()["maxrow"] == "9"
    m = at("L1f5/s1b9,s2e9,b1h9,b2k9 @k25 - W D:L1=8 1 0-0 trW=TR5")
    assert m.facts()["maxrow"] == "9"
    home = "R1f24/s1g25,r1a1 @f25 - W D:R1=2 1 0-0 {}"  # the ball in contact, then in
    assert "TD" in at(home.format("trW=TR5")).legal_words()
    assert "TD" not in at(home.format("-")).legal_words()


def test_last_stand() -> None:
    """BB-170, BB-171: losing by just 1, and not to a 1."""
    fight = "R1f10,B1a1/s1g10,r1k25 {} - W A 1 0-0 trH=TR6"
    both = do(at(fight.format("@k1"), 6, 7), "R1xs1").facts()
    assert (both["cell.R1"], both["cell.s1"]) == ("locker", "locker")
    far = do(at(fight.format("@k1"), 6, 8), "R1xs1").facts()
    assert (far["cell.R1"], far["cell.s1"]) == ("f10", "locker")
    one = do(at(fight.format("@k1"), 1, 2), "R1xs1").facts()
    assert (one["cell.R1"], one["cell.s1"]) == ("f10", "box")
    assert do(at(fight.format("R1"), 6, 7), "R1xs1").phase == "PLACE"
    ours = fight.format("@k1").replace("trH", "trW")
    assert do(at(ours, 7, 6), "R1xs1").facts()["cell.s1"] == "locker"


# ---- lineups ----
def test_a_blind_lineup_shows_nothing() -> None:
    """BB-17, AMB-11: whatever W does, H and spectators see the same, until both are done."""
    r = load()
    seen = set()
    for words in (["preset:1"], ["preset:4"], ["random"], None):
        m = r.match(5)
        if words:
            do(m, *words)
        else:
            while m.to_act == 0:
                m.submit(0, m.legal_actions[0])
        assert (m.to_act, m.phase) == (1, "LINEUP")
        seen.add((m.observation(1).tobytes(), m.observation(None).tobytes(), str(m.events(1))))
        assert any(m.observation(0)["plan"][0])
    assert len(seen) == 1
    do(m, "preset:1")
    assert m.observation(1)["at"][0].min() < 287
    assert m.why_no_undo()


def test_placing_can_be_taken_back_until_it_is_shown() -> None:
    """AMB-11."""
    m = do(load().match(5), "f4", "f3")
    assert m.undo() == "f3"
    do(m, "a5")
    assert m.facts()["cell.T1"] == "a5"


def test_an_open_lineup() -> None:
    """AMB-11: `lineup=open`: H sees what W does."""
    m = do(load(lineup="open").match(5), "preset:2")
    assert m.to_act == 1
    assert BOARD.names[m.observation(1)["at"][0][0]] == "f5"


def test_lining_up_by_turns() -> None:
    """AMB-11: `lineup=alternate`: one piece each, without stored lineups."""
    m = load(lineup="alternate").match(5)
    assert len(m.legal_words()) == 52
    seats = []
    while m.phase == "LINEUP":
        seats.append(m.to_act)
        m.submit(m.to_act, m.legal_actions[0])
    assert seats == [0, 1] * 11


def test_stored_lineups_are_legal_for_both() -> None:
    """BB-9..13."""
    for k in range(1, 7):
        m = do(load().match(k), f"preset:{k}", f"preset:{k}")
        assert m.phase == "SELECT"
        assert len(m.facts()["field"].split(".")) == 22


def test_lineups_of_ones_own() -> None:
    """BB-9: presets 7 and 8, one of them taken from ours."""
    mine = f"{WALL}/{BLITZ}"
    m = load(presets=mine).match(1)
    assert {"preset:7", "preset:8"} < set(m.legal_words())
    assert "preset:9" not in m.legal_words()
    do(m, "preset:7")
    assert m.facts()["cell.R2"] == "a3"


@pytest.mark.parametrize(
    ("presets", "fragment"),
    [
        ("R1f5", "lineup 7: R2, R3, S1, S2, B1, B2, L1, L2, T1 and H1 have no place"),
        ("R1f5,R1f4", "R1 is placed twice"),
        ("R1f5,R2f5", "R1f5 and R2f5 are both on f5"),
        ("R1f6", "R1f6: f6 is not behind the line"),
        ("R1z1", "no cell is called 'z1'"),
        ("X1a1", "no piece has the code 'X1'"),
        ("H1k5", "its right foot is off the board"),
        ("hello", "'hello': write piece and cell"),
        ("/".join([WALL] * 11), "more than 10 lineups"),
        (WALL + "/R1f5", "lineup 8"),
    ],
)
def test_wrong_lineups_are_named(presets: str, fragment: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(presets=presets)


# ---- what stays to be seen, and what is forgotten ----
def seen(m: bb.Match, field: str) -> list[Any]:
    """A field of the state, as spectators see it."""
    found: list[Any] = m.observation(None)[field].tolist()
    return found


def test_the_field_knows_whether_carnage_divides_it() -> None:
    """BB-114: in parts, or before an end zone."""
    goal = ",".join(f"{c}25" for c in "abcdefghijk")
    for carnage, whole in (("-", 1), ("f5", 1), (goal.replace("25", "13"), 0), (goal, 0)):
        assert at(f"R1c5/r1f21 @f10 {carnage} W M 1 0-0 -").state.whole == whole


def test_dice_stay_to_be_seen_until_the_next_roll() -> None:
    """BB-69; the toss, and those before Sure Hands (BB-15, BB-165), are told."""
    m = do(at("-/- @f13 - W L 1 0-0 -", 7, 7, 4, 12), "preset:1", "preset:1")
    tossed = next(x for x in m.events(None) if x.event.name == "TOSSED")
    assert (tossed.args["white"], tossed.args["black"]) == (4, 12)
    m = do(at("H1e10,R1a1/h1g10,r1k25 @k1 - W A 1 0-0 -", 2, 2, 3, 3, 11), "H1xh1")
    assert (m.to_act, seen(m, "dice")) == (1, [[2, 2], [3, 3]])
    do(m, "r1")
    assert (seen(m, "dice"), m.state.roller[1]) == ([[11, 0], [0, 0]], 0)
    hand = "H1e10,S1g10/r1a25 H1 - W A 1 0-0 trW=TR1"
    m = do(at(hand, 5, 3, 5, 1, 2, 4), ">S1")
    assert seen(m, "dice") == [[1, 2], [4, 0]]


def test_where_a_move_began_is_seen_until_the_next_piece_is_chosen() -> None:
    """BB-19."""
    m = do(at("R1f5/s1k25 @f13 - W D:R1=1 1 0-0 -", 4), "f6")
    assert (m.state.mover, m.state.began) == (0, 1 + BOARD.cell("f5"))
    do(m, "s1")
    assert (m.state.mover, m.state.began) == (3, 0)


def test_what_happened_on_a_move_and_after_it_is_known_to_all() -> None:
    """BB-63, BB-65: where the ball lay, that it was taken, and where the tackled opponent stood."""
    m = at("R1f5,S1a1/s1f8,s2k25 @e6 - W D:R1=5 1 0-0 -", 3, 7, 5)

    def known(seat: int | None) -> tuple[int, ...]:
        o = m.observation(seat)
        return tuple(int(o[x]) for x in ("began", "ball_lay", "grabbed", "struck"))

    do(m, "f7*")
    assert m.phase == "TACKLE"
    for seat in (None, 0, 1):
        assert known(seat) == (1 + BOARD.cell("f5"), BOARD.cell("e6"), 1, 0)
    do(m, "R1xs1")
    for seat in (None, 0, 1):
        assert known(seat) == (1 + BOARD.cell("f5"), BOARD.cell("e6"), 1, 1 + BOARD.cell("f8"))
    m = at("R1f5,S1a1/s1k25 @e6 - W D:R1=5 1 0-0 -", 3, 7, 5)
    do(m, "f7")
    assert known(None) == (1 + BOARD.cell("f5"), BOARD.cell("e6"), 0, 0)


def test_nothing_of_the_last_turn_is_left_in_a_new_half() -> None:
    """BB-126: who moved from where, and which cells were watched."""
    m = at("R1j24/s1k25 @f2 b9 W D:R1=5 1 0-0 trW=TR4;np=7", 3, 7)
    do(m, "k24")
    assert (m.phase, m.state.moved, m.state.moved_steps) == ("TACKLE", 0, 1)
    do(m, "R1xs1")
    assert (m.phase, m.facts()["half"]) == ("LINEUP", "2")
    assert (m.state.moved, m.state.moved_steps, m.state.began) == (11, 0, 0)
    assert (m.state.ball_lay, m.state.grabbed, m.state.struck) == (NOWHERE, 0, 0)
    assert (m.state.no_progress, m.state.skips) == (0, 0)
    assert seen(m, "threat") == [[0] * 288] * 2


@pytest.mark.parametrize(
    ("position", "word", "steps"),
    [
        ("H1b4/s1g4 @k25 - W D:H1=6.5 1 0-0 trW=TR4", "e4", 3),
        # through d6 on its right foot; past the ball there, too
        ("H1b4/s1e8 @k25 {} W D:H1=6.5 1 0-0 trW=TR4", "c7", 3),
        ("H1b4/s1e8 @d6 {} W D:H1=6.5 1 0-0 trW=TR4", "c7*", 3),
        # through a6 on its left foot
        ("H1b4/s1c8 @k25 {} W D:H1=6.5 1 0-0 trW=TR4", "a7", 3),
    ],
)
def test_the_steps_of_a_heavy_on_one_foot(position: str, word: str, steps: int) -> None:
    """BB-168, AMB-8: on the foot that has the shorter way."""
    gap = "a6" if word == "a7" else "d6"
    wall = ",".join(f"{c}6" for c in "abcdefghijkl" if f"{c}6" != gap)
    m = do(at(position.format(wall), heavy_lead_foot=True), word)
    assert (m.phase, m.state.moved, m.state.moved_steps) == ("TACKLE", 10, steps)


# ---- laws ----
def test_a_move_is_told_though_play_is_halted_then() -> None:
    """AMB-34: nothing is hidden, so nobody learns a secret by it; the field is cleared at once."""
    m = at("R1f5,S1a1/r1k25 @f13 - W D:R1=7 1 0-0 np=119")
    laws.check_events(m, "", random.Random(1))
    do(m, "f9")
    assert (m.phase, [x["cell"] for x in told(m, "MOVED")]) == ("LINEUP", [BOARD.cell("f9")])


MODES: list[dict[str, Any]] = [
    {},
    {"advanced": True},
    {"advanced": True, "team_rules": True},
    {"lineup": "open", "optional_pickup": True},
    {"lineup": "alternate", "heavy_lead_foot": True, "halt_ball": "possession", "advanced": True},
    {"half_squares_standable": False, "malfunction_ends_turn": True, "tr_blind": False},
    {"heavy_on_half": False, "halt_counts_fumble_hops": True, "heavy_tackle_choice": "auto_low"},
]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_field_obeys_its_laws(options: dict[str, Any]) -> None:
    """BB-11, BB-52, BB-63, BB-89: on the plain build, where every index is checked."""
    assert watch(load(**options, max_plies=12), 2, seed=7, compiled=False) > 20


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.xdist_group("battleball")
@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_field_obeys_its_laws_in_bulk(options: dict[str, Any]) -> None:
    """BB-11, BB-52, BB-63, BB-89: also turned by half a circle, and in the mirror."""
    assert watch(load(**options), 20) > 1000


def test_both_builds_of_a_short_match_obey_the_laws_of_every_game() -> None:
    laws.audit(load(max_plies=5, team_rules=True), 2, compiled=False)
