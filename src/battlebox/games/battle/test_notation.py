"""Words and positions of Battle: what round-trips, what is refused and why."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import battlebox as bb
from battlebox.games import find
from battlebox.games.battle.testing import at, load, walk

FIGURE = (
    "ba1 n=4 ph=FL turn=1 ids=H.V.H.V hand0=3 hand1=7.7.NB.EX hand2=2.SV hand3=4 "
    "disc=BT.6 stand=6x1@0 open=1.2.3"
)
PD = "ba1 n=4 ph=PD ids=H.V.H.V hand0=3.SK hand1=7 hand2=2 hand3=4"
FL = "ba1 n=4 ph=FL ids=H.V.H.V hand0=3.EL hand1=7 hand2=2.SV hand3=4"
WINDOWS = {"action_timing": "windows"}


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, "PD AD SV LM LD FL"),
        (WINDOWS, "PD AD SV LM LD FL WI"),
        ({"pass_locks": True, "build_actions_per_turn": 1}, "PD AD LM LD FL"),
        ({"build_effects": False, "wipeout_ends": False}, "PD AD LM LD FL"),
    ],
    ids=str,
)
def test_positions_come_back(options: dict[str, Any], wanted: str) -> None:
    """H8: the same text, facts and words, whatever is to be decided."""
    phases, dice = set[str](), random.Random(1)
    for players in (4, 5, 10):
        for m in walk(players, players=players, rounds=2, **options):
            if m.over or dice.random() > 0.3:
                continue
            text = m.write_position()
            again = m.rules.match(1, position=text)
            assert (again.write_position(), again.legal_words()) == (text, m.legal_words())
            assert (again.to_act, again.phase, again.legal_actions) == (
                m.to_act,
                m.phase,
                m.legal_actions,
            )
            was, now = m.facts(), again.facts()
            assert {k for k in was if was[k] != now[k]} <= {"side"}
            phases.add(m.phase)
    assert phases >= {*wanted.split()}


@pytest.mark.parametrize("seed", range(6))
def test_a_position_holds_all_that_the_rules_need(seed: int) -> None:
    """H8: from it the round goes on as it did, to its end."""
    dice = random.Random(seed)
    timing = dice.choice(["own_turn", "windows"])
    locks, always = dice.random() < 0.5, dice.choice(["open_set", "always"])
    rules = load(players=5, rounds=1, action_timing=timing, pass_locks=locks, owner_return=always)
    m = rules.match(seed)
    while m.to_act is not None:
        again = rules.match(1, position=m.write_position())
        for _ in range(6):
            if m.to_act is None:
                break
            seat, action = m.to_act, dice.choice(m.legal_actions)
            m.submit(seat, action)
            again.submit(seat, action)
            assert again.write_position() == m.write_position()


def test_items_come_in_any_order_and_on_any_lines() -> None:
    one = at(FIGURE).write_position()
    words = FIGURE.split()
    assert at("\n".join([words[0], *reversed(words[1:])])).write_position() == one
    assert at(one).write_position() == one
    assert at(FIGURE.replace("7.7.NB.EX", "EX.7.NB.7")).write_position() == one


def test_what_is_left_out_has_its_default() -> None:
    m = at("ba1 n=5 ph=PD ids=H.V.H.V.V hand0=3 deck=BT")
    wanted = {"turn": "0", "dir": "L", "dealer": "4", "exp": "-", "out": "-", "skip": "0"}
    wanted |= {"disc": "-", "aside": "-", "stand": "-", "open": "-", "opt": "0", "takes": "0"}
    wanted |= {"score": "0.0.0.0.0", "round": "1", "turns": "0", "count1": "0", "side": "-"}
    assert {k: m.facts()[k] for k in wanted} == wanted
    assert m.to_act == 0


def test_nobody_remembers_anything_in_a_position() -> None:
    """H8, H9: who took the 5 is known, and forgotten when the position is loaded."""
    m = at(f"{PD} deck=BT disc=5")
    m.submit(0, "take")
    assert sum(m.state.known[0]) == 1
    assert sum(at(m.write_position()).state.known[0]) == 0


def test_actions_have_the_numbers_of_developers_md() -> None:
    r, s = load(), at(FIGURE).state
    assert r.plain().num_actions == 113
    wanted = {"pass": 0, "draw": 1, "take": 2, "d1": 3, "d12": 14, "1x1": 15, "7x2": 52}
    wanted |= {"12x6": 86, "SK": 87, "RV": 88, "NB": 89, "SV": 90, "EX>1": 91, "EX>0": 94}
    wanted |= {"EX": 101, "EL>2": 102, "EL>0": 104, "ID": 111, "EL": 112}
    notation = r.game.notation
    for word, number in wanted.items():
        assert notation.action(r, s, word) == number
        assert notation.word(r, s, number) == word


@pytest.mark.parametrize(
    ("word", "fragment"),
    [
        ("", "not an action"),
        ("Pass", "not an action"),
        ("pass ", "not an action"),
        ("7", "not an action"),
        ("7x", "not an action"),
        ("x2", "not an action"),
        ("EX>", "not an action"),
        ("EX>11", "not an action"),
        ("SK>1", "not an action"),
        ("BT", "not an action"),
        ("d13", "no rank 13"),
        ("d0", "no rank 0"),
        ("13x1", "no rank 13"),
        ("7x0", "1 .. 6 cards"),
        ("7x7", "1 .. 6 cards"),
        ("EX>4", "no seat 4"),
        ("EL>9", "no seat 9"),
        ("EL>1", "yourself"),
    ],
)
def test_wrong_words_are_explained(word: str, fragment: str) -> None:
    """B18, BA-31: and the match is as it was."""
    m = at(FIGURE)
    before = m.digest()
    with pytest.raises(bb.InvalidWord, match=re.escape(fragment)):
        m.submit(1, word)
    assert m.digest() == before


@pytest.mark.parametrize(
    ("seat", "word"),
    [(1, "7x3"), (1, "4x1"), (1, "draw"), (1, "d7"), (1, "SV"), (1, "ID"), (0, "3x1"), (2, "SV")],
)
def test_illegal_actions_change_nothing(seat: int, word: str) -> None:
    """BA-25, BA-32, BA-43, BA-59, BA-62."""
    m = at(FIGURE)
    before = m.digest()
    with pytest.raises(bb.IllegalAction):
        m.submit(seat, word)
    assert (m.digest(), m.history) == (before, [])


@pytest.mark.parametrize(
    ("position", "fragment"),
    [
        ("", "begins with ba1"),
        ("wz1 n=4", "begins with ba1"),
        ("ba1", "n=, the number"),
        ("ba1 n=3 ph=PD", "n=3"),
        ("ba1 n=11 ph=PD", "n=11"),
        ("ba1 n=four ph=PD", "n=four"),
        ("ba1 n=4", "ph=:"),
        ("ba1 n=4 ph=OVER", "ph=OVER"),
        ("ba1 n=4 ph=START", "ph=START"),
        ("ba1 n=4 ph=pd", "ph=pd"),
        ("ba1 n=4 ph=DEAL now", "'now'"),
        ("ba1 n=4 ph=DEAL dealer=1 dealer=1", "written twice"),
        ("ba1 n=4 ph=DEAL dealer=4", "dealer=4"),
        ("ba1 n=4 ph=DEAL round=0", "round=0"),
        ("ba1 n=4 ph=DEAL round=1001", "round=1001"),
        ("ba1 n=4 ph=DEAL score=1.1.1", "score=1.1.1"),
        ("ba1 n=4 ph=DEAL score=1.1.1.x", "score=1.1.1.x"),
        ("ba1 n=4 ph=DEAL score=1.1.1.5", "below 5"),
        ("ba1 n=4 ph=DEAL hand0=3", "'hand0' is not a key of ph=DEAL"),
        ("ba1 n=4 ph=DEAL ids=H.V.H.V", "'ids' is not a key of ph=DEAL"),
        ("ba1 n=4 ph=FLIP deck=BT", "ids=-"),
        ("ba1 n=4 ph=FLIP ids=H.V.H.V deck=5", "BATTLE is in the deck"),
        ("ba1 n=4 ph=FLIP ids=H.V.H.V deck=BT exp=1", "'exp' is not a key of ph=FLIP"),
        (f"{PD} deck=BT colour=red", "'colour' is not a key of a Battle position"),
        (f"{PD} deck=BT hand4=3", "'hand4'"),
        (f"{PD} deck=BT.XX", "no card has the code 'XX'"),
        (f"{PD} deck=BT.H", "no card has the code 'H'"),
        (f"{PD} deck=BT.13", "no card has the code '13'"),
        (f"{PD} deck=BT disc=BT", "one BATTLE"),
        (f"{PD} deck=5 disc=BT", "ph=PD: BATTLE is in the deck"),
        (f"{PD} deck=-", "ph=PD: BATTLE is in the deck"),
        (f"{FL} stand=3x1@1 deck=BT", "ph=FL: BATTLE has started"),
        (PD.replace("hand1=7", "hand1=BT"), "hand1=: BATTLE is in no hand"),
        (f"{PD} deck=BT out=1".replace("hand1=7", "aside=BT"), "aside=: BATTLE is in no hand"),
        (f"{PD} deck=BT.5.5.5.5.5.5.5", "7 cards of rank 5"),
        (f"{PD} deck=BT disc={'.'.join(['SK'] * 98)}", "more than 98 cards"),
        (f"{PD} deck=BT".replace("H.V.H.V", "H.V.H"), "ids=H.V.H"),
        (f"{PD} deck=BT".replace("H.V.H.V", "H.V.H.X"), "ids=H.V.H.X"),
        (f"{PD} deck=BT".replace("H.V.H.V", "H.H.H.V"), "half of the players"),
        (f"{PD} deck=BT".replace("H.V.H.V", "V.V.V.V"), "half of the players"),
        ("ba1 n=5 ph=LD ids=H.H.H.H.V", "half of the players"),
        (f"{PD} deck=BT turn=4", "turn=4"),
        (f"{PD} deck=BT act=-1", "act=-1"),
        (f"{PD} deck=BT act=1", "the seat of turn= is to act"),
        (f"{PD} deck=BT dir=left", "dir=left"),
        (f"{PD} deck=BT exp=4", "exp=4"),
        (f"{PD} deck=BT exp=2.1", "exp=2.1"),
        (f"{PD} deck=BT exp=1.1", "exp=1.1"),
        (f"{PD} deck=BT exp=x", "exp=x"),
        (f"{PD} deck=BT out=1", "hand1=: seat 1 is out"),
        (f"{PD} deck=BT aside=5", "nobody is out"),
        (f"{PD} deck=BT out=0".replace("hand0=3.SK", ""), "seat 0 is out"),
        (f"{PD} deck=BT out=1.3".replace("hand1=7", "").replace("hand3=4", ""), "one side"),
        (f"{PD} deck=BT skip=7", "skip=7"),
        (f"{PD} deck=BT takes=9", "takes=9"),
        (f"{PD} deck=BT acted=26", "acted=26"),
        (f"{PD} deck=BT turns=2000", "turns=2000"),
        (f"{PD} deck=BT opt=2", "opt=2"),
        (f"{PD} deck=BT opt=1", "opt=1"),
        (f"{PD} deck=BT opt=1 disc=SK", "opt=1"),
        (f"{PD} deck=BT opt=1 disc=7.EL", "opt=1"),
        (f"{PD} deck=BT opt=1 disc=EL".replace("PD", "AD"), "opt=1"),
        (f"{PD} deck=BT stand=3x1@1", "ph=PD: nothing stands"),
        (f"{PD} deck=BT open=1", "open=: seat 1"),
        (f"{PD} deck=BT locked=1", "locked="),
        (f"{PD} deck=BT pend=1@0", "belong to ph=SV"),
        (f"{PD} deck=BT ret=PD", "belong to ph=SV"),
        (FL, "needs stand="),
        (f"{FL} stand=3x1@1".replace("FL", "LD"), "ph=LD: nothing stands"),
        (f"{FL} stand=3x1@1".replace("FL", "LM"), "ph=LM: nothing stands"),
        (f"{FL} stand=3@1", "stand=3@1"),
        (f"{FL} stand=3x1", "stand=3x1"),
        (f"{FL} stand=13x1@1", "stand=13x1@1"),
        (f"{FL} stand=3x7@1", "stand=3x7@1"),
        (f"{FL} stand=3x0@1", "stand=3x0@1"),
        (f"{FL} stand=3x1@4", "seat 4 is not in the round"),
        (f"{FL} stand=3x1@3 out=3".replace("hand3=4", ""), "seat 3 is not in the round"),
        (f"{FL} stand=3x1@3 open=3", "open=: seat 3"),
        (f"{FL} stand=3x1@2 open=3 out=3".replace("hand3=4", ""), "open=: seat 3"),
        (f"{FL} stand=3x1@3 takes=1", "takes= belongs to building"),
        (f"{FL} stand=3x1@3 acted=1", "acted= belongs to PD and AD"),
        (f"{FL} stand=3x1@3 locked=1", "pass_locks=true"),
        (f"{FL} stand=3x1@3".replace("FL", "SV"), "pend=-"),
        (f"{FL} stand=3x1@3 pend=0@0 ret=FL".replace("ph=FL", "ph=SV"), "pend=0@0"),
        (f"{FL} stand=3x1@3 pend=4@0 ret=FL".replace("ph=FL", "ph=SV"), "pend=4@0"),
        (f"{FL} stand=3x1@3 act=2 pend=1@0".replace("ph=FL", "ph=SV"), "ret=-"),
        (f"{FL} stand=3x1@3 act=2 pend=1@0 ret=SV".replace("ph=FL", "ph=SV"), "ret=SV"),
        (f"{FL} stand=3x1@3 act=2 pend=1@3 ret=FL".replace("ph=FL", "ph=SV"), "turn= eliminates"),
        (f"{FL} stand=3x1@3 act=1 pend=1@0 ret=FL".replace("ph=FL", "ph=SV"), "holds SV"),
        (
            f"{FL} stand=3x1@0 act=2 pend=3@0 ret=FL out=3".replace("ph=FL", "ph=SV").replace(
                "hand3=4", ""
            ),
            "both are in the round",
        ),
        (f"{FL} act=2 pend=1@0 ret=PD".replace("ph=FL", "ph=SV"), "ph=PD: BATTLE is in the deck"),
        (f"{PD} deck=BT act=0".replace("PD", "WI"), "action_timing=windows"),
        (f"{PD} deck=BT act=0 dealer=3".replace("PD", "FX"), "the dealer is to act"),
        (f"{PD} deck=BT act=3 turn=1 dealer=3".replace("PD", "FX"), "the dealer is to act"),
        (f"{PD} deck=BT act=3 exp=1".replace("PD", "FX"), "nobody is out or exposed"),
    ],
)
def test_wrong_positions_are_explained(position: str, fragment: str) -> None:
    """H8: what is wrong, and where."""
    with pytest.raises(bb.PositionError) as e:
        load(players=5 if "n=5" in position else 4).match(1, position=position)
    assert str(e.value).startswith("position:")
    assert fragment in str(e.value)


@pytest.mark.parametrize(
    ("position", "fragment", "options"),
    [
        (FIGURE, "the match has 5 players", {"players": 5}),
        ("ba1 n=4 ph=DEAL round=3", "round=3", {"rounds": 2}),
        ("ba1 n=4 ph=DEAL score=0.2.0.0", "below 2", {"target_points": 2}),
        (f"{PD} deck=BT turns=9", "turns=9", {"max_turns": 9}),
        (f"{PD} deck=BT acted=2", "acted=2", {"build_actions_per_turn": 1}),
        (f"{PD} deck=BT takes=5", "takes=5", {"max_discard_draws": 1}),
        (
            "ba1 n=5 ph=LD ids=H.H.V.V.V hand0=3",
            "odd_identity",
            {"players": 5, "odd_identity": "hero"},
        ),
        (
            "ba1 n=5 ph=LD ids=H.H.H.V.V hand0=3",
            "odd_identity",
            {"players": 5, "odd_identity": "villain"},
        ),
        (f"{FL} stand=3x1@3 locked=0", "seat 0 is locked out", {"pass_locks": True}),
        (f"{FL} stand=3x1@3 open=1 locked=1", "open=: seat 1", {"pass_locks": True}),
        (f"{FL} locked=1".replace("FL", "LD"), "locked=", {"pass_locks": True}),
        (f"{PD} deck=BT act=1".replace("PD", "WI"), "can play an action card", WINDOWS),
        (f"{FL} act=2 stand=3x1@3".replace("FL", "WI"), "can play an action card", WINDOWS),
        (f"{PD} deck=BT stand=3x1@3".replace("PD", "WI"), "ph=WI: nothing stands", WINDOWS),
        (
            "ba1 n=4 ph=PD ids=H.V.H.V out=1.2.3 hand0=3 deck=BT",
            "one side is left",
            {"wipeout_ends": False},
        ),
    ],
)
def test_positions_fit_their_options(position: str, fragment: str, options: dict[str, Any]) -> None:
    """H8, B1, B4, B9, B33, B37, H3, H5."""
    with pytest.raises(bb.PositionError, match=re.escape(fragment)):
        load(**{"players": 4, **options}).match(1, position=position)


def test_a_side_alone_is_a_position_where_it_may_play_on() -> None:
    """H4."""
    m = at("ba1 n=4 ph=PD ids=H.V.H.V out=1.3 hand0=3 hand2=4 deck=BT", wipeout_ends=False)
    assert (m.to_act, m.phase) == (0, "PD")


def test_outcomes() -> None:
    """BA-4, BA-7, BA-72: numbers, identities, lots, the deck."""
    r = load()
    read = r.game.notation.outcome
    assert [read(r, w) for w in ("0", "17", "H", "V", "E", "S")] == [0, 17, 1, 2, 1, 0]
    assert read(r, "shuffle(H.V.V.H)") == [1, 2, 2, 1]
    assert read(r, "shuffle(1.12.SK.EX)") == [0, 11, 12, 17]


@pytest.mark.parametrize(
    ("word", "fragment"),
    [
        ("", "not a random outcome"),
        ("X", "not a random outcome"),
        ("-1", "not a random outcome"),
        ("shuffle()", "not a random outcome"),
        ("shuffle(5.XX)", "no card has the code 'XX'"),
        ("shuffle(5.H)", "no card has the code 'H'"),
        ("shuffle(H.5)", "not an identity"),
        ("SK", "not a random outcome"),
    ],
)
def test_wrong_outcomes_are_explained(word: str, fragment: str) -> None:
    r = load()
    with pytest.raises(bb.InvalidWord, match=re.escape(fragment)):
        r.game.notation.outcome(r, word)


@pytest.mark.parametrize("text", ["ba1 ph=PD", "n=4", "ba1 n=2", "ba1 n=4 n=5"])
def test_the_number_of_players_is_in_the_position(text: str) -> None:
    """BA-2."""
    with pytest.raises(bb.PositionError):
        find("battle").notation.players(text)
    assert find("battle").notation.players(FIGURE) == 4
