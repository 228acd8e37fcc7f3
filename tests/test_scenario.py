"""Scenario files: what is not well formed names its line, and what is otherwise fails."""

from __future__ import annotations

import dataclasses
import random
import re

import pytest
from games import short

import battlebox as bb
from battlebox.core import scenario
from battlebox.core.scenario import Block, Failed, ScenarioError
from battlebox.games import find

GAME = find("war_zone")
HEAD = """\
scenario X1 a hit [WZ-19 WZ-26]
position wz1 n=2 hs=3 ph=ATTACK turn=0 health=20.20
position hand0=IF.RE.BW hand1=GM.MG.AR deck=TA.SN.FL.PG
"""
GOOD = HEAD + "do 0 IF>1\ndo 1 pass\nexpect to_act=0:CYCLE health=20.15 hand0~BW.TA.RE\n"
SHUFFLE = """\
scenario X2 the pile becomes the deck
position wz1 n=2 hs=3 ph=ATTACK turn=0 hand0=IF.RE.BW hand1=GM.MG.AR deck=- disc=TA.SN
"""


def only(text: str) -> Block:
    (sc,) = scenario.parse(text)
    return sc


def fails(text: str) -> str:
    """The message of the one scenario of this text, which must fail."""
    with pytest.raises(Failed) as e:
        scenario.run(GAME, only(text))
    return str(e.value)


def test_a_scenario_that_holds_passes() -> None:
    scenario.run(GAME, only(GOOD))


def test_a_scenario_says_what_it_is() -> None:
    sc = only("\n# first\n" + GOOD)
    assert (sc.id, sc.title, sc.rules, sc.line) == ("X1", "a hit", ("WZ-19", "WZ-26"), 3)
    assert [x.verb for x in sc.lines] == ["position"] * 2 + ["do"] * 2 + ["expect"]
    assert [x.n for x in sc.lines] == [4, 5, 6, 7, 8]


def test_comments_blank_lines_and_quotes_are_read() -> None:
    text = GOOD.replace("\n", "   # why\n\n").replace("do 1 pass", 'do 1 "pass"')
    scenario.run(GAME, only(text))
    scenario.run(GAME, only(GOOD.replace("\n", "\r\n")))


def test_a_scenario_ends_where_the_next_begins() -> None:
    two = scenario.parse(GOOD + GOOD.replace("X1", "X2"))
    assert [sc.id for sc in two] == ["X1", "X2"]
    for sc in two:
        scenario.run(GAME, sc)


# ---- not well formed -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("do 0 pass\n" + GOOD, 1),
        ("expect to_act=over\n", 1),
        (GOOD + "perform 0 pass\n", 7),
        (GOOD + "\nDo 0 pass\n", 8),
        (GOOD + GOOD, 7),
        (GOOD + "scenario\n", 7),
    ],
)
def test_what_is_not_well_formed_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(ScenarioError, match=rf"^line {line}: "):
        scenario.parse(text)


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n"])
def test_a_file_without_a_scenario_is_refused(text: str) -> None:
    with pytest.raises(ScenarioError, match="no scenario"):
        scenario.parse(text)


def test_a_scenario_that_checks_nothing_does_not_pass() -> None:
    """A title alone, or a position with no line that asks anything of it."""
    for text in ("scenario X1 nothing\n", HEAD):
        with pytest.raises((Failed, ScenarioError)):
            scenario.run(GAME, only(text))


# ---- fails, with the line ------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lines", "at", "words"),
    [
        ("do 0 IF>1\nexpect to_act=0:CYCLE", 5, "expected 0:CYCLE, found 1:DEFEND"),
        ("expect health=20.19", 4, "health"),
        ("expect hand0~IF.RE", 4, "hand0"),
        ("expect hand0~IF.RE.BW.BW", 4, "hand0"),
        ("expect helath=20.20", 4, "'helath' is not a fact"),
        ("expect health", 4, "key=value"),
        ("expect =3", 4, "key=value"),
        ("expect has=cBW", 4, "has"),
        ("expect hasnot=IF>1", 4, "hasnot"),
        ("expect legal=pass", 4, "legal"),
        ("expect legal=pass,IF>1,RE>1,pass", 4, "legal"),
        ("expect nlegal=4", 4, "nlegal"),
        ("expect winner=0", 4, "winner"),
        ("do 0 cBW", 4, "not legal"),
        ("do 1 pass", 4, "seat 1 is not to act"),
        ("do 2 pass", 4, "no seat 2"),
        ("do 0 XX", 4, "XX"),
        ("do pass", 4, "a seat and a word"),
        ("do 0", 4, "a seat and a word"),
        ("do 0 IF>1 now", 4, "a seat and a word"),
        ("do -1 pass", 4, "a seat and a word"),
        ("illegal 0 IF>1", 4, "may do 'IF>1'"),
        ("illegal 0", 4, "a seat and a word"),
        ("chance 1\ndo 0 pass", 5, "not asked for"),
        ("do 0 pass\nchance 1", 5, "not asked for"),
        ("do 0 pass\nchance 1\nexpect nlegal=1", 6, ""),
        ("chance hello\ndo 0 pass", 5, "hello"),
        ("options nonsense=1\ndo 0 pass", 5, "nonsense"),
        ("options cycle\ndo 0 pass", 4, "name=value"),
        ("do 0 pass\nposition wz1 n=3 ph=ATTACK\nexpect nlegal=1", 6, "position"),
    ],
)
def test_what_is_otherwise_fails_with_its_line(lines: str, at: int, words: str) -> None:
    message = fails(HEAD + lines + "\n")
    assert re.match(rf"line {at}: ", message), message
    assert words in message


def test_options_behind_the_first_decision_are_refused() -> None:
    """They would have no effect."""
    fails(HEAD + "do 0 IF>1\noptions cycle=3\ndo 1 pass\n")


def test_without_a_position_it_fails() -> None:
    assert fails("scenario X1 none\ndo 0 pass\n").startswith("line 2: ")


def test_a_wrong_position_fails() -> None:
    assert fails("scenario X1 none\nposition wz1 n=2 ph=X\ndo 0 pass\n").startswith("line 3: ")


# ---- chance --------------------------------------------------------------------------------------
def test_chance_gives_the_outcomes() -> None:
    text = SHUFFLE + "chance shuffle(SN.IF.TA)\ndo 0 IF>1\nexpect hand0~RE.BW.SN deck=IF.TA\n"
    scenario.run(GAME, only(text))


def test_missing_chance_fails() -> None:
    message = fails(SHUFFLE + "do 0 IF>1\nexpect hand0~RE.BW.SN\n")
    assert message.startswith("line 3: ")
    assert "no outcome is left" in message


@pytest.mark.parametrize(
    "outcome", ["shuffle(SN.IF)", "shuffle(SN.IF.SN)", "shuffle(SN.IF.TA.TA)", "3", "shuffle()"]
)
def test_chance_that_cannot_be_fails(outcome: str) -> None:
    assert fails(SHUFFLE + f"chance {outcome}\ndo 0 IF>1\n").startswith("line 4: ")


def test_what_comes_after_any_is_by_lot_and_always_the_same() -> None:
    text = SHUFFLE + "chance any\ndo 0 IF>1\nexpect "
    message = fails(text + "deck=none\n")
    assert fails(text + "deck=none\n") == message
    found = message.rpartition("found ")[2]
    scenario.run(GAME, only(f"{text}deck={found}\n"))
    assert {*found.split(".")} < {"SN", "IF", "TA"}


@pytest.mark.parametrize("words", ["any shuffle(SN.IF.TA)", "any any"])
def test_any_comes_last(words: str) -> None:
    message = fails(SHUFFLE + f"chance {words}\ndo 0 IF>1\n")
    assert message.startswith("line 3: `any` comes last")


def test_leftover_chance_fails_at_the_last_line() -> None:
    text = SHUFFLE + "chance shuffle(SN.IF.TA) 1\ndo 0 IF>1\nexpect to_act=1:DEFEND\n"
    assert fails(text).startswith("line 5: ")


def test_a_missing_outcome_that_illegal_asks_for_is_no_refusal() -> None:
    """`illegal` proves a refusal by the rules, not that the file lacks an outcome."""
    fails(SHUFFLE + "illegal 0 IF>1\n")


# ---- expect --------------------------------------------------------------------------------------
def test_every_common_fact_can_be_expected() -> None:
    scenario.run(
        GAME,
        only(
            HEAD + "expect to_act=0:ATTACK winner=none nlegal=3 has=IF>1 hasnot=cBW "
            "legal=RE>1,pass,IF>1 health=20.20\n"
        ),
    )


def test_a_multiset_counts() -> None:
    text = HEAD.replace("IF.RE.BW", "IF.IF.BW")
    scenario.run(GAME, only(text + "expect hand0~BW.IF.IF\n"))
    fails(text + "expect hand0~BW.BW.IF\n")


def test_illegal_leaves_the_state_as_it_was() -> None:
    text = HEAD + "illegal 0 SS>1\nillegal 1 pass\nillegal 0 nonsense\nexpect to_act=0:ATTACK\n"
    scenario.run(GAME, only(text))


@pytest.mark.parametrize("name", bb.games())
def test_the_scenarios_of_every_game_name_rules_that_its_readme_has(name: str) -> None:
    game = find(name)
    found = scenario.parse((game.folder / "scenarios.scn").read_text(encoding="utf-8"))
    assert found
    for sc in found:
        assert sc.rules
        assert set(sc.rules) <= set(game.rulebook)


# ---- who is told what ----------------------------------------------------------------------------
UNDER = """\
scenario X3 the last card in the hand goes under the deck
position wz1 n=3 hs=3 ph=CYCLE turn=0 health=20.20.20
position hand0=BW.MG.GM hand1=TR.TR.IF hand2=SS.SS.AA deck=TA.SN.FL
do 0 cBW
"""
OPEN = "PUT_UNDER(0,?);DREW_UP(0,1);TURN_ENDED(0);STARTS(1)"
ALL = "PUT_UNDER(0,BW);DREW(0,TA);DREW_UP(0,1);TURN_ENDED(0);STARTS(1)"


@pytest.mark.parametrize(
    "wanted",
    [
        f"told={OPEN} told1={OPEN} told2={OPEN} told0={ALL}",
        f"told~{';'.join(sorted(OPEN.split(';')))}",
        "told=... told=PUT_UNDER(0,?);... told=...;STARTS(1) told0=...;DREW(0,TA);...;STARTS(1)",
        f"told=...;{OPEN};... told=PUT_UNDER(0,?);...;TURN_ENDED(0);...;STARTS(1)",
    ],
)
def test_what_each_is_told_can_be_expected(wanted: str) -> None:
    scenario.run(GAME, only(UNDER + f"expect {wanted}\n"))


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (f"told={ALL}", f"told: expected {ALL}, found {OPEN}"),
        (f"told0={OPEN}", f"told0: expected {OPEN}, found {ALL}"),
        (f"told={';'.join(sorted(OPEN.split(';')))}", "told: expected"),
        (f"told~{OPEN};STARTS(1)", "told: expected"),
        ("told=none", "told: expected none"),
        ("told=...;PUT_UNDER(0,?)", "told: expected"),
        ("told=...;STARTS(1);STARTS(1)", "told: expected"),
        ("told=...;PUT_UNDER(0,?);...;PUT_UNDER(0,?);...", "told: expected"),
        ("told=", "'' is not an event: write NAME(seat,...)"),
        ("told=STARTS", "'STARTS' is not an event"),
        ("told~...", "'...' is not an event"),
        ("told=START(1)", "no event 'START'; did you mean 'STARTS'?"),
        ("told=STARTS(1,2)", "STARTS(1,2): write STARTS(seat)"),
        ("told=PUT_UNDER(0)", "PUT_UNDER(0): write PUT_UNDER(seat,card)"),
        ("told3=none", "told3: there is no seat 3"),
        ("toldX=none", "'toldX' is not a fact"),
    ],
)
def test_what_is_told_otherwise_fails(wanted: str, words: str) -> None:
    message = fails(UNDER + f"expect {wanted}\n")
    assert message.startswith("line 5: ")
    assert words in message


def test_only_what_came_of_the_last_line_is_told() -> None:
    """Of a decision; of a position, if nothing has been decided in it yet."""
    text = UNDER + "do 1 pass\nexpect told=HELD_FIRE(1)\n"
    scenario.run(GAME, only(text))
    again = "position wz1 n=3 hs=3 ph=ATTACK turn=1 hand1=TR.TR.IF\nexpect told=none\n"
    scenario.run(GAME, only(text + again))
    rest = "position wz1 n=3 hs=3 ph=CYCLE turn=0 hand1=TR.TR.IF deck=TA.SN.FL\n"
    scenario.run(GAME, only(text + rest + "expect told=DREW_UP(0,3);TURN_ENDED(0);STARTS(1)\n"))


def test_what_is_refused_tells_nothing() -> None:
    scenario.run(GAME, only(UNDER + f"illegal 1 cTR\nexpect told={OPEN}\n"))


def test_what_is_agreed_on_is_told() -> None:
    halts = [
        sc
        for sc in scenario.parse((find("battleball").folder / "scenarios.scn").read_text("utf-8"))
        if any(x.verb == "agree" for x in sc.lines)
    ]
    line = next(x.n for x in halts[0].lines if x.verb == "agree")
    lines = [x for x in halts[0].lines if x.n <= line]
    told = scenario.Line(line + 1, "expect", "told=...;HALTED(1,AGREED);...")
    scenario.run(find("battleball"), dataclasses.replace(halts[0], lines=(*lines, told)))


@pytest.mark.parametrize("name", bb.games())
def test_every_event_of_a_match_can_be_written_down(name: str) -> None:
    """In the game's words: what a scenario would expect of it is what it finds."""
    m, dice = short(name).match(seed=1), random.Random(1)
    for _ in range(60):
        if m.to_act is not None:
            m.submit(m.to_act, dice.choice(m.legal_actions))
    for seat in (None, 0):
        texts = [scenario.event_text(m.rules, x) for x in m.events(seat)]
        assert len(texts) > 5
        for text in texts:
            assert scenario._are_told(m.rules, [text], "told", "=", text)
