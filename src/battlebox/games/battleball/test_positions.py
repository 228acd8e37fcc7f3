"""Battleball: positions, and what is wrong with wrong ones."""

from __future__ import annotations

import random
import re

import pytest

import battlebox as bb
from battlebox.games.battleball.team import CODES
from battlebox.games.battleball.testing import FIRST, at, do, load, play_on


def slot(entry: str) -> int:
    """Where a piece such as R1f5 stands in a list."""
    return CODES.index(entry[:2].upper()) if entry != "-" else 0


def test_the_first_position() -> None:
    m = at("start", 9, 4)
    do(m, "preset:1", "preset:1")
    assert m.write_position() == FIRST
    assert at(FIRST).legal_words() == m.legal_words()


@pytest.mark.parametrize(
    "position",
    [
        FIRST,
        "R1f5/r1k25 @f13 a1 H M OT 1-1 first=H;poss=W;box=H1,t1;np=5;nph=1;skips=1",
        "H1e10,R1a1/r1k25 @f13 - W D:H1=2.5 1 0-0 -",
        "R1f10,S1g10/r1a25 R1 - W A 1 0-0 -",
        "H1e10,R1a1/h1g10,r1k25 @k1 - W X:H1=2.5<xh1=2.3 1 0-0 -",
        "H1e10,R1a1/h1g10,r1k25 @k1 - W X:H1=2.5xh1=2.3 1 0-0 -",
        "B1a1/r1k25 - f10,g10 W F:R1@f10 1 0-0 -",
        "H1e10,B1h10/s1e13,r1k25 - - W F!:H1 1 0-0 -",
        "R1f5,S1f17,L1i17/s1f20,r1c17 - d15 W P:S1=5.3 1 0-0 adv=1",
        "R1f5,H1e12/r1a25 - - W P:H1=4.3.2 1 0-0 adv=1",
        "R1f5/- @f13 - W L 1 0-0 lock=S1;box=S2,r1",
        "R1f5/- @f13 - W L 2 1-0 first=H;loser1=H",
        "R1f5/r1k25 @f13 - W W:R1=7 1 0-0 trW=TR3.1",
        "-/- @f13 - H T 1 0-0 trW=TR3",
        "R1f10,B1a1/s1g10,r1k25 @k1 - W A 1 0-0 trW=TR4;mv=R1.3",
    ],
)
def test_positions_round_trip(position: str) -> None:
    m = at(position)
    pieces, _, rest = position.partition(" ")
    listed = [",".join(sorted(x.split(","), key=slot)) for x in pieces.split("/")]
    assert m.write_position() == "/".join(listed) + " " + rest
    again = at(m.write_position())
    assert (again.legal_words(), again.to_act, again.facts()) == (
        m.legal_words(),
        m.to_act,
        m.facts(),
    )


@pytest.mark.parametrize("options", [{}, {"advanced": True, "team_rules": True}])
def test_positions_of_random_matches_round_trip(options: dict[str, bool]) -> None:
    r = load(**options)
    for seed in range(3):
        m = r.match(seed)
        while not m.over and len(m.history) < 250:
            play_on(m, 7, seed + len(m.history))
            if not m.over:
                text = m.write_position()
                again = r.match(0, position=text)
                assert again.write_position() == text
                assert (again.legal_words(), again.to_act) == (m.legal_words(), m.to_act)


@pytest.mark.parametrize(
    ("position", "fragment"),
    [
        ("R1f5/r1k25 @f13 - W M 1 0-0", "7 fields, not 8"),
        ("", "0 fields, not 8"),
        ("R1f5 @f13 - W M 1 0-0 -", "two lists"),
        ("R9f5/r1k25 @f13 - W M 1 0-0 -", "no piece has the code 'R9'"),
        ("R1f55/r1k25 @f13 - W M 1 0-0 -", "no cell is called 'f55'"),
        ("R1l5/r1k25 @f13 - W M 1 0-0 -", "no cell is called 'l5'"),
        ("R1/r1k25 @f13 - W M 1 0-0 -", "'R1': write a piece and its cell"),
        ("R1f5,R1f6/r1k25 @f13 - W M 1 0-0 -", "R1 is named twice"),
        ("r1f5/r2k25 @f13 - W M 1 0-0 -", "r1 stands in the list of W"),
        ("R1f5,S1f5/r1k25 @f13 - W M 1 0-0 -", "S1f5: another piece is on f5"),
        ("H1e5,S1f5/r1k25 @f13 - W M 1 0-0 -", "S1f5: another piece is on f5"),
        ("S1f5/h1e5 @f13 - W M 1 0-0 -", "h1e5: another piece is on f5"),
        ("H1k5/r1k25 @f13 - W M 1 0-0 -", "H1k5: its right foot is off the board"),
        ("R1f5/r1k25 @f13 f5 W M 1 0-0 -", "R1f5: there is carnage on f5"),
        ("H1e5/r1k25 @f13 f5 W M 1 0-0 -", "H1e5: there is carnage on f5"),
        ("R1f5/r1k25 @f13 f13 W M 1 0-0 -", "'@f13': there is carnage"),
        ("R1f5/r1k25 @f13 a1,a1 W M 1 0-0 -", "a1 is named twice"),
        ("R1f5/r1k25 @f13 z9 W M 1 0-0 -", "no cell is called 'z9'"),
        ("R1f5/r1k25 @f5 - W M 1 0-0 -", "'@f5': a piece is there"),
        ("R1f5/r1k25 @q1 - W M 1 0-0 -", "no cell is called 'q1'"),
        ("R1f5/r1k25 R2 - W M 1 0-0 -", "R2 is not on the field"),
        ("R1f5/r1k25 - - W M 1 0-0 -", "ball '-'"),
        ("R1f5/r1k25 @f13 - W F:R1 1 0-0 -", "ball '@f13'"),
        ("R1f5/r1k25 @f13 - X M 1 0-0 -", "side 'X': write W or H"),
        ("R1f5/r1k25 @f13 - W Q 1 0-0 -", "phase 'Q'"),
        ("R1f5/r1k25 @f13 - W D:R1 1 0-0 -", "write D:R1=7"),
        ("R1f5/r1k25 @f13 - W D:R1=21 1 0-0 -", "die '21': a number 1 .. 20"),
        ("R1f5/r1k25 @f13 - W D:R1=0 1 0-0 -", "die '0'"),
        ("R1f5/r1k25 @f13 - W D:R1=2.3 1 0-0 -", "two dice for H1 or h1, one for all"),
        ("H1f5/r1k25 @f13 - W D:H1=3 1 0-0 -", "two dice for H1 or h1"),
        ("H1f5/r1k25 @f13 - W D:H1=3.3 1 0-0 -", "equal dice are a malfunction"),
        ("R1f5/r1k25 @f13 - W D:r1=3 1 0-0 -", "r1 is not a piece of W"),
        ("R1f5/r1k25 @f13 - W D:R2=3 1 0-0 -", "R2 is not on the field"),
        ("R1a1/r1k25 @f13 a2,b1,b2 W D:R1=3 1 0-0 -", "R1 has nowhere to go"),
        ("R1f5/r1k25 @f13 - W X:R1=3xr1=3 1 0-0 -", "are not next to each other"),
        ("R1f5/r1g5 @f13 - W X:R1=3<xr1=3 1 0-0 -", "only H1 and h1 choose a die"),
        ("R1f5/r1g5 @f13 - W X:R1=3 1 0-0 -", "write X:R1=7xh1=2.3"),
        ("R1f5/r1g5 - - W F:R2 1 0-0 -", "@ and the cell"),
        ("R1f5/r1g5 - - W F:R1@f5 1 0-0 -", "@ and the cell"),
        ("R1f5/r1g5 - - W F!:R1 1 0-0 -", "only the H1 or h1 that is to move"),
        ("R1f5/r1g5 - - W P:R1 1 0-0 -", "write P:S1=5.3"),
        ("R1f5/r1g5 - - W P:R1=5.7 1 0-0 -", "die '7': a number 1 .. 6"),
        ("R1f5/r1k25 @f13 - W M 3 0-0 -", "half '3'"),
        ("R1f5/r1k25 @f13 - W M 1 2-0 -", "score '2-0'"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 x=1", "'x=1': write key=value"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 np", "'np': write key=value"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 np=1;np=2", "written twice"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 np=-1", "np: a number"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 adv=2", "adv: a number 0 .. 1"),
        ("R1f5/r1k25 R1 - W M 1 0-0 poss=H", "poss=H: the ball says W"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 box=R1", "R1f5: R1 is out"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 lock=R1", "R1f5: R1 is out"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 lock=S1;box=S1", "S1 is named twice"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 first=Q", "first=Q: write W or H"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 trW=TR7", "trW=TR7: write TR1 .. TR6"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 trW=TR3.9", "trW=TR3.9: it can be used 2 times"),
        ("R1f5/r1k25 @f13 - W W:R1=7 1 0-0 -", "W has no Second Wind left"),
        ("R1f5/r1k25 @f13 - W M 1 0-0 mv=R1.3", "mv=R1.3: it belongs to"),
        ("R1f5/- @f13 a1 W L 1 0-0 -", "there is none in a lineup"),
        ("R1f6/- @f13 - W L 1 0-0 -", "f6 is not behind the 20-yard line"),
        ("R1f5/- @f12 - W L 1 0-0 -", "before a kick-off it is on the middle square"),
        ("R1f5,S1f5/- @f13 - W L 1 0-0 -", "S1f5: another piece is on f5"),
        ("-/- @f13 - W T 1 0-0 trW=TR1", "W chooses its team rule first"),
    ],
)
def test_wrong_positions_are_named(position: str, fragment: str) -> None:
    """Overlaps, carnage under a piece, cells and pieces that are not there ..."""
    with pytest.raises(bb.PositionError, match=re.escape(fragment)):
        at(position)


def test_no_position_breaks_the_reader() -> None:
    """Mutilated positions are read or refused, nothing else."""
    dice = random.Random(1)
    r = load(advanced=True, team_rules=True)
    texts = [FIRST, "H1e10,B1h10/s1e13,r1k25 - - W F!:H1 1 0-0 trW=TR3.1;mv=R1.3"]
    for _ in range(600):
        text = list(dice.choice(texts))
        for _ in range(dice.randint(1, 4)):
            i = dice.randrange(len(text))
            text[i : i + dice.randint(0, 2)] = dice.choice("aHh1290,/@-.:=!<> W;xP\u0663")
        try:
            r.match(0, position="".join(text)).legal_words()
        except bb.PositionError:
            continue
