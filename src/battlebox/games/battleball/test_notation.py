"""Battleball: words, and what is wrong with wrong ones."""

from __future__ import annotations

import re

import pytest

import battlebox as bb
from battlebox.games.battleball.testing import FIRST, at, load, play_on


@pytest.mark.parametrize(
    ("position", "word", "fragment"),
    [
        (FIRST, "f14", "write a piece such as R1"),
        (FIRST, "r1", "r1 is a piece of H, not of W"),
        (FIRST, "R7", "no piece has the code 'R7'"),
        ("R1f5/r1k25 @f13 - W D:R1=5 1 0-0 -", "z9", "no cell is called 'z9'"),
        ("R1f5/r1k25 @f13 - W D:R1=5 1 0-0 -", "R1", "write a cell such as f14"),
        ("R1f10/s1g10 @f13 - W A 1 0-0 -", "R1", "write two pieces such as R1xs1"),
        ("R1f10/s1g10 @f13 - W A 1 0-0 -", "R1xS1", "S1 is a piece of W, not of H"),
        ("R1f10,S1g10/r1a25 R1 - W A 1 0-0 -", "S1", "write >S1, ^S1 or ="),
        ("start", "preset:17", "presets are 1 .. 16"),
        ("start", "R1f5", "write a cell such as f5, preset:1 or random"),
        ("R1f5,S1f17/s1f20 - - W P:S1=5.3 1 0-0 adv=1", "give:s1", "say the cell of your piece"),
    ],
)
def test_wrong_words_are_named(position: str, word: str, fragment: str) -> None:
    m = at(position)
    before = m.digest()
    with pytest.raises(bb.InvalidWord, match=re.escape(fragment)):
        m.submit(m.to_act, word)
    assert m.digest() == before


def test_every_word_is_read_as_its_number() -> None:
    r = load(advanced=True, team_rules=True)
    for seed in range(3):
        m = r.match(seed)
        while not m.over and len(m.history) < 200:
            for a in m.legal_actions:
                assert r.game.notation.action(r, m.state, m.word(a)) == a
            play_on(m, 3, seed + len(m.history))


def test_the_action_numbers() -> None:
    """The 781 numbers of README.md."""
    r = load(advanced=True)
    assert r.plain().num_actions == 781

    def number(position: str, word: str) -> int:
        m = at(position, advanced=True)
        return int(r.game.notation.action(r, m.state, word))

    assert number("start", "k25") == 286
    assert number("start", "preset:1") == 754
    assert number("start", "random") == 770
    assert number(FIRST, "R1") == 575
    assert number(FIRST, "skip") == 780
    move = "R1f24/r1k25 R1 - W D:R1=5 1 0-0 -"
    assert [number(move, w) for w in ("a1", "f13", "a1*", "TD")] == [0, 143, 287, 574]
    assert number("R1f10/s1g10 @f13 - W A 1 0-0 -", "S1xr2") == 586 + 11 * 3 + 1
    option = "R1f10,S1g10/r1a25 R1 - W A 1 0-0 -"
    assert [number(option, w) for w in (">R1", "^R1", "=")] == [707, 718, 729]
    dice = "H1e10,R1a1/h1g10,r1k25 @k1 - W X:H1=2.5xh1=2.3 1 0-0 -"
    assert [number(dice, w) for w in ("low", "high")] == [730, 731]
    gift = "R1a1,R2b1,L1c1/s1a3,r1k25 - a2,b2,c2,b3 W F:R1 1 0-0 -"
    assert [number(gift, w) for w in ("give:s1", "give:R2")] == [732 + 3, 743 + 1]
