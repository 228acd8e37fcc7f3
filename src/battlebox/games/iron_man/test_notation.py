"""Words and positions of the Iron Man Game of War: what round-trips, what is refused and why."""

from __future__ import annotations

import re
from typing import Any

import pytest

import battlebox as bb
from battlebox.games.iron_man.testing import at, load, play_on

FIGURE = "A hand=3E slots=311\nB hand=31 slots=511\nstage=flip"


@pytest.mark.parametrize("options", [{}, {"mode": "beginner"}, {"max_plays": 4}], ids=str)
def test_positions_come_back(options: dict[str, Any]) -> None:
    """H27: also in the midst of placing, of a standoff and of an effect; and the match goes on."""
    rules, stages = load(**options), set()
    for seed in range(12):
        m = rules.match(seed)
        while not m.over:
            text = m.write_position()
            again = rules.match(0, position=text)
            assert (again.write_position(), again.legal_words()) == (text, m.legal_words())
            assert (again.to_act, again.phase, again.facts()) == (m.to_act, m.phase, m.facts())
            stages.add(re.search(r"stage=(\w+)", text)[1])  # type: ignore[index]
            play_on(m, 1, seed + len(m.history))
    assert stages >= ({"place", "act", "stand"} if options else {"place", "act", "stand", "target"})


def test_items_come_in_any_order_and_on_any_lines() -> None:
    one = at(FIGURE).write_position()
    assert at("stage=flip B slots=511 hand=13 A hand=E3 slots=311").write_position() == one


@pytest.mark.parametrize(
    ("word", "fragment"),
    [
        ("", "not an action"),
        ("X", "no card has the code 'X'"),
        ("33", "not an action"),
        (" ", "no card"),
    ],
)
def test_wrong_words_are_explained(word: str, fragment: str) -> None:
    m = at(FIGURE)
    before = m.digest()
    with pytest.raises(bb.InvalidWord, match=re.escape(fragment)):
        m.submit(0, word)
    assert m.digest() == before


@pytest.mark.parametrize(("seat", "word"), [(0, "1"), (0, "5"), (1, "3"), (1, "x"), (2, "3")])
def test_illegal_actions_change_nothing(seat: int, word: str) -> None:
    """IM-60, IM-63."""
    m = at(FIGURE)
    before = m.digest()
    with pytest.raises(bb.IllegalAction):
        m.submit(seat, word)
    assert (m.digest(), m.history) == (before, [])


@pytest.mark.parametrize(
    ("position", "fragment"),
    [
        ("", "stage="),
        ("stage=later", "stage=later"),
        ("stage=over", "stage=over"),
        ("hand=1 stage=act", "whose"),
        ("A hand stage=act", "write key=value"),
        ("A hand= stage=act", "write key=value"),
        ("A hands=1 stage=act", "'hands' is not a key"),
        ("A hand=1 hand=2 stage=act", "written twice"),
        ("stage=act stage=act", "written twice"),
        ("A hand=1X stage=act", "no card has the code 'X'"),
        ("A hand=1-1 stage=act", "a list of cards"),
        ("A deck=1/1 stage=act", "a list of cards"),
        ("A pawn=5 stage=act", "pawn=5"),
        ("A pawn=0 stage=act", "pawn=0"),
        ("A pawn=two stage=act", "pawn=two"),
        ("A slots=11 stage=flip", "three characters"),
        ("A slots=1-- stage=act", "battle 1"),
        ("A slots=1-- stage=flip battle=2 wins=A", "battle 1"),
        ("A slots=1-- stage=deal", "battle 1"),
        ("A slots=-1- hand=11 stage=place", "battle 2"),
        ("A hand=1 B slots=1-- stage=place", "A places all"),
        ("A slots=111 B slots=111 stage=place", "all cards are placed"),
        ("A line=1 stage=flip", "nothing is turned"),
        ("A line=1 stage=place", "nothing is turned"),
        ("A line=1 stage=deal", "nothing is turned"),
        ("A won=1 stage=act", "won=1"),
        ("A won=1/2 stage=act battle=2 wins=A", "won=1/2"),
        ("A won=1/ stage=act battle=3 wins=AA", "won=1/"),
        ("stage=act battle=2", "wins=."),
        ("stage=act wins=A", "wins=A"),
        ("stage=act battle=2 wins=C", "wins=C"),
        ("stage=act battle=4 wins=---", "battle=4"),
        ("stage=place battle=2", "battle=2"),
        ("stage=act round=0", "round=0"),
        ("stage=act round=201", "round=201"),
        ("stage=place plays=1", "plays=1"),
        ("stage=act act=A", "act="),
        ("A sealed=1 B hand=1 stage=act", "sealed=1"),
        ("A hand=1 B hand=1 stage=stand", "sealed=."),
        ("A sealed=1 B sealed=1 hand=1 stage=stand", "sealed=1"),
        ("A sealed=1 stage=stand", "B holds cards"),
        ("A sealed=1 line=3 B hand=1 line=2 stage=stand", "a standoff"),
        ("A line=E B line=1 stage=target", "act="),
        ("A line=E stage=target act=A", "no card"),
        ("A line=S discard=E stage=salvage act=A", "no power card"),
        ("A hand=" + "1" * 56 + " stage=act", "more than 55"),
    ],
)
def test_wrong_positions_are_explained(position: str, fragment: str) -> None:
    """H27: what is wrong, and where."""
    with pytest.raises(bb.PositionError, match=re.escape(fragment)):
        at(position)


@pytest.mark.parametrize("word", ["shuffle(C:11)", "shuffle(A:1X)", "12", "", "X"])
def test_wrong_outcomes_are_explained(word: str) -> None:
    r = load()
    with pytest.raises(bb.InvalidWord):
        r.game.notation.outcome(r, word)


def test_words_are_numbered_in_the_order_of_the_deck() -> None:
    m = at("A hand=12345FEUMDRSJ line=1\nB hand=5 line=5\nstage=act")
    assert m.legal_words() == [*"x12345FEUMDRSJ"]
    assert [*m.legal_actions] == [*range(14)]
