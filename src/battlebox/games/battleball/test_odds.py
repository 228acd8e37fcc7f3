"""The odds that Battleball tells, beside what the rules do with every roll there is."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any, cast

import pytest

import battlebox as bb
from battlebox.core.checked import Picture
from battlebox.core.errors import ScriptError
from battlebox.core.random import Script
from battlebox.core.saying import percent
from battlebox.games.battleball import odds
from battlebox.games.battleball.state import TEAM
from battlebox.games.battleball.team import CODES
from battlebox.games.battleball.test_scene import MODES, choice, walk
from battlebox.games.battleball.testing import OWN_TEAM, board, do, told

# small dice, so that every roll can be tried
SMALL = re.sub(r"sides = \d+", "sides = 4", OWN_TEAM).replace(
    '"Scout", sides = 4', '"Scout", sides = 6'
)
WIN, TIE, LOSS = 1, 0, -1


@cache
def load(**options: Any) -> bb.Ruleset:
    return bb.load("battleball", **options)


def at(position: str, *chance: int, **options: Any) -> bb.Match:
    """A match from a position; `chance`: the outcomes to come."""
    return bb.Match(load(**options), 0, position=position, chance=Script(*chance))


def every_roll(play: Callable[..., Any], *chance: int) -> Iterator[tuple[Fraction, Any]]:
    """What `play` comes to with all outcomes of the dice that it asks for, and how likely it is."""
    try:
        yield Fraction(1), play(*chance)
    except ScriptError as e:
        sides = int(re.findall(r"a number 1\.\.(\d+)", str(e))[0])
        for face in range(1, sides + 1):
            for p, result in every_roll(play, *chance, face):
                yield p / sides, result


def add_up(play: Callable[..., Any]) -> dict[Any, Fraction]:
    found: Counter[Any] = Counter()
    for p, result in every_roll(play):
        found[result] += p  # type: ignore[assignment]
    assert sum(found.values()) == 1
    return dict(found)


def seen(m: bb.Match) -> Picture:
    """What the seat to act sees."""
    return Picture(m.observation(m.to_act))


# ---- tackles ------------------------------------------------------------------------------------
def end_of(m: bb.Match) -> tuple[int, bool]:
    """How the tackle ended for W, who attacked, and whether the ball was fumbled."""
    hurt = {x["seat"] for name in ("INJURED", "SERIOUSLY_INJURED") for x in told(m, name)}
    end = TIE if hurt == {0, 1} else LOSS if hurt == {0} else WIN
    return end, bool(told(m, "FUMBLED"))


def best_end(
    position: str,
    word: str,
    options: dict[str, Any],
    chance: tuple[int, ...],
    said: tuple[str, ...],
) -> tuple[int, bool]:
    """With these dice, if each coach lets the die count that is best for them."""
    m = do(at(position, *chance, deck=SMALL, **options), word, *said)
    if m.phase != "DIE":
        return end_of(m)
    wants = max if m.to_act == 0 else min
    return wants(
        (best_end(position, word, options, chance, (*said, x)) for x in ("low", "high")),
        key=lambda x: x[0],
    )


TACKLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("R1f12,S1a1/s1f13,r1k25 @a13 - W A 1 0-0 -", "R1xs1", {}),
    ("R1f12,S1a1/s1f13,r1k25 R1 - W A 1 0-0 -", "R1xs1", {}),
    ("R1f12,S1a1/s1f13,r1k25 s1 - W A 1 0-0 -", "R1xs1", {}),
    ("R1f12,S1a1/s1f13 s1 - W A 1 0-0 -", "R1xs1", {}),
    ("R1f12/s1f13,r1k25 R1 - W A 1 0-0 -", "R1xs1", {}),
    ("R1f12/s1f13 R1 - W A 1 0-0 -", "R1xs1", {}),
    ("H1f12,S1a1/s1f13,r1k25 s1 - W A 1 0-0 -", "H1xs1", {}),
    ("R1f12,S1a1/h1f13,r1k25 @a13 - W A 1 0-0 -", "R1xh1", {}),
    ("R1f12,S1a1/h1f13,r1k25 h1 - W A 1 0-0 -", "R1xh1", {"heavy_tackle_choice": "auto_low"}),
    ("H1f12,S1a1/h1f13,r1k25 H1 - W A 1 0-0 -", "H1xh1", {}),
    ("R1f12,S1a1/s1f13,r1k25 @a13 - W A 1 0-0 trW=TR4;mv=R1.3", "R1xs1", {}),
    ("R1f12,S1a1/s1f13,r1k25 @a13 - W A 1 0-0 trW=TR4;mv=R1.2", "R1xs1", {}),
    ("R1f12,S1a1/s1f13,r1k25 R1 - W A 1 0-0 trW=TR4;mv=R1.5;trH=TR6", "R1xs1", {}),
    ("H1f12,S1a1/s1f13,r1k25 s1 - W A 1 0-0 trW=TR6;trH=TR6", "H1xs1", {}),
)


@pytest.mark.parametrize(("position", "word", "options"), TACKLES)
def test_a_tackle_is_won_as_often_as_it_says(
    position: str, word: str, options: dict[str, Any]
) -> None:
    options = {"advanced": True, "team_rules": True, **options}
    found = add_up(lambda *chance: best_end(position, word, options, chance, ()))
    m = at(position, deck=SMALL, **options)
    p, q = (CODES.index(x.upper()) for x in word.split("x"))
    said = odds.tackle(m.rules, seen(m), p, q)
    for end, chance in ((WIN, said.win), (TIE, said.tie)):
        assert chance == sum(p for (x, _), p in found.items() if x == end)
    assert said.fumble == sum(p for (_, lost), p in found.items() if lost)


# ---- hand-offs and passes -----------------------------------------------------------------------
TRANSFERS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", ">S1", {}),
    ("R1f12,H1g12/s1k25 R1 - W A 1 0-0 -", ">H1", {}),
    ("H1f12,R1h12/s1k25 H1 - W A 1 0-0 -", ">R1", {}),
    ("R1f12,S1g12/s1k25 R1 - W A 1 0-0 trW=TR1", ">S1", {}),
    ("R1f12,S1g15/s1k25 R1 - W A 1 0-0 -", "^S1", {}),
    ("R1f12,S1g19/s1k25 R1 - W A 1 0-0 trW=TR1", "^S1", {}),
    ("R1f12,H1g17/s1k25 R1 - W A 1 0-0 -", "^H1", {}),
    ("R1f12,H1g17/s1k25 R1 - W A 1 0-0 -", "^H1", {"heavy_pass_any_match": False}),
)


@pytest.mark.parametrize(("position", "word", "options"), TRANSFERS)
def test_the_ball_arrives_as_often_as_it_says(
    position: str, word: str, options: dict[str, Any]
) -> None:
    options = {"advanced": True, "team_rules": True, "deck": SMALL, **options}

    def play(*chance: int) -> str:
        m = do(at(position, *chance, **options), word)
        return "fumble" if told(m, "FUMBLED") else "got" if told(m, "GOT_BALL") else "short"

    found, m = add_up(play), at(position, **options)
    slot = CODES.index(word[1:])
    if word[0] == ">":
        assert odds.hand_off(m.rules, seen(m), slot) == found["got"]
        assert found["got"] + found["fumble"] == 1
    else:
        said = odds.throw(m.rules, seen(m), slot)
        assert (said.caught, said.fumble) == (found.get("got", 0), found["fumble"])


# ---- moves --------------------------------------------------------------------------------------
def reached(m: bb.Match, slot: int) -> frozenset[str]:
    """What the piece that has rolled can come to, as the rules list it."""
    s, field, us = m.state, board(m.rules), m.state.turn
    if m.phase not in {"DEST", "POWER"}:
        return frozenset()
    if m.phase == "POWER":
        m.submit(m.to_act, "decline")
    words = m.legal_words() if m.phase == "DEST" else []
    got = {"ball" for w in words if w.endswith("*")} | {"home" for w in words if w == "TD"}
    if s.holder and (s.holder - 1) // TEAM != us:
        other, carrier = divmod(s.holder - 1, TEAM)
        theirs = feet(field, carrier, s.at[other, carrier])
        cells = {field.cell(w.rstrip("*")) for w in words if w != "TD"}
        near = (
            field.distance(a, b) == 1 for c in cells for a in feet(field, slot, c) for b in theirs
        )
        got |= {"carrier"} if any(near) else set()
    return frozenset(got)


def feet(field: Any, slot: int, cell: int) -> list[int]:
    return [cell, cell + 1] if CODES[slot] == "H1" else [cell]


def aims_that_hold(position: str, options: dict[str, Any]) -> set[str]:
    """Asserts that the chances of each piece are those of its rolls; which there were."""
    m, found = at(position, **options), set[str]()
    o, own = seen(m), cast(Any, m.rules.game.scenes).odds  # for a field of this size
    for word in m.legal_words():
        slot = CODES.index(word.upper())

        def play(*chance: int, word: str = word, slot: int = slot) -> frozenset[str]:
            return reached(do(at(position, *chance, **options), word), slot)

        rolled, said = add_up(play), own.aims(m.rules, o, slot)
        for aim, chance in said._asdict().items():
            assert (chance or 0) == sum(p for got, p in rolled.items() if aim in got), (word, aim)
            found |= {aim} if chance else set()
    return found


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_piece_comes_as_far_as_it_says(options: dict[str, Any]) -> None:
    """Each piece that may be chosen, with every roll, at positions of a match."""
    options, dice = {**options, "deck": SMALL}, random.Random(2)
    for m in walk(options, 5):
        if m.phase == "SELECT" and "skip" not in m.legal_words() and dice.random() < 0.1:
            aims_that_hold(m.write_position(), options)


@pytest.mark.parametrize(
    ("position", "aims"),
    [
        ("R1f10,S1e14,H1g15/s1k25,r1a1 @f13 - W M 1 0-0 -", {"ball"}),
        ("R1f23,S1e21,H1g20/s1k2,r1a1 @f24 - W M 1 0-0 -", {"ball", "home"}),
        ("R1f10,S1e14,H1g15/s1f12,r1a1 s1 - W M 1 0-0 trW=TR5.1", {"carrier"}),
        ("R1f23,S1e21,H1g20/s1k2,r1g25 R1 - W M 1 0-0 trW=TR5.1", {"home"}),
        ("R1a1,S1e21,H1g23/s1k2,r1g25 H1 - W M 1 0-0 -", {"home"}),
    ],
)
def test_a_piece_says_what_it_may_come_to(position: str, aims: set[str]) -> None:
    options = {"advanced": True, "team_rules": True, "deck": SMALL}
    assert aims_that_hold(position, options) == aims


def test_a_new_roll_is_as_likely_to_be_more() -> None:
    r = bb.load("battleball")
    assert odds.at_least(r, CODES.index("R1"), 8) == Fraction(13, 20)

    def play(*chance: int) -> int:
        m = do(at("R1f5,H1a4/r1k25 @f13 - W M 1 0-0 -", *chance), "H1")
        return m.state.steps if m.phase == "DEST" else 0

    assert odds.rolls(r, CODES.index("H1")) == add_up(play)


# ---- in words -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("p", "words"),
    [
        (Fraction(0), "0\u00a0%"),
        (Fraction(1, 1000), "under 1\u00a0%"),
        (Fraction(1, 150), "1\u00a0%"),
        (Fraction(31, 50), "62\u00a0%"),
        (Fraction(999, 1000), "over 99\u00a0%"),
        (Fraction(1), "100\u00a0%"),
    ],
)
def test_percentages_are_whole_and_never_promise_too_much(p: Fraction, words: str) -> None:
    assert percent(p) == words


def test_odds_stand_on_the_choice_and_on_the_field() -> None:
    m = at("R1f12,S1a1,S2b1/l1f13,s1k25 R1 - W A 1 0-0 -")
    tackle = choice(m, "R1xl1")
    assert tackle.label == "Running Back R1 tackles Harts' L1"
    stake = "you win 18\u00a0%, lose 77\u00a0%, tie 5\u00a0%; fumble 5\u00a0%"
    assert tackle.sub == f"a d20 against a d8, for the ball: {stake}"
    marks = m.scene(0).zone("field").facts["odds"]
    assert marks == {str(tackle.action): [["figure:l1", "18\u00a0%", "tie 5\u00a0%"]]}
    assert m.scene(1).zone("field").facts["odds"] == {}

    m = at("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", advanced=True)
    assert choice(m, ">S1").sub == "safe 95\u00a0%, else a fumble"
    assert choice(m, "^S1").sub == "a d12 + a d6 must reach 1: caught 92\u00a0%, fumble 8\u00a0%"
    marks = m.scene(0).zone("field").facts["odds"]
    assert marks[str(choice(m, "^S1").action)] == [["figure:S1", "92\u00a0%", "fumble 8\u00a0%"]]
    assert marks[str(choice(m, ">S1").action)] == [["figure:S1", "95\u00a0%", "safe"]]

    m = at("R1f5,S1a1/s1f20 @f12 - W M 1 0-0 -")
    assert choice(m, "R1").sub == "rolls a d20, 70\u00a0% to reach the ball"
    m = at("R1f5,S1a1/s1f12 s1 - W M 1 0-0 -")
    assert choice(m, "R1").sub == "rolls a d20, 75\u00a0% to reach Harts' S1"
    m = at("R1f20,S1a1/s1a12 R1 - W M 1 0-0 -")
    assert choice(m, "R1").sub == "rolls a d20, it has the ball, 75\u00a0% for a touchdown"
    marks = m.scene(0).zone("field").facts["odds"]
    assert marks == {str(choice(m, "R1").action): [["end:1", "75\u00a0%", "touchdown"]]}


def test_a_move_says_how_the_tackle_after_it_stands() -> None:
    m = at("R1f12,S1a1/l1g16,s1k25 @a13 - W D:R1=11 1 0-0 -", advanced=True, team_rules=True)
    c = choice(m, "g15")
    assert (
        c.sub == "3 steps, then tackle Harts' L1: you win 18\u00a0%, lose 77\u00a0%, tie 5\u00a0%"
    )
    marks = m.scene(0).zone("field").facts["odds"]
    assert marks[str(c.action)] == [["figure:l1", "18\u00a0%", "tie 5\u00a0%"]]
    # with Running Start the three steps before it count
    m = at("R1f12,S1a1/l1g16,s1k25 @a13 - W D:R1=11 1 0-0 trW=TR4", advanced=True, team_rules=True)
    c, far = choice(m, "g15"), choice(m, "g15")
    before = odds.tackle(m.rules, seen(m), 0, CODES.index("L1"))
    m.submit(0, "g15")
    after = odds.tackle(m.rules, seen(m), 0, CODES.index("L1"))
    assert after.win > before.win
    assert f"you win {percent(after.win)}, lose " in far.sub
    assert far.sub.endswith(f", tie {percent(after.tie)}")


def test_only_who_is_asked_is_told_odds() -> None:
    """That they tell nothing hidden, `laws.check_secrecy` holds for whole scenes, in every mode."""
    told_some = 0
    for m in walk({"advanced": True, "team_rules": True}, 9):
        seat = cast(int, m.to_act)
        fields = [m.scene(x).zone("field").facts["odds"] for x in (None, 1 - seat, seat)]
        assert fields[:2] == [{}, {}]
        assert {int(a) for a in fields[2]} <= {*m.legal_actions}
        told_some += bool(fields[2])
        if told_some > 5:
            break
    assert told_some > 5
