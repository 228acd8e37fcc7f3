"""Questions that nobody but the asked seat may notice: the tiny game's response window."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Break
from games import as_game, window
from response_windows import DECLINE, GAME, SAVE, deal, in_the_box, strike
from rich.console import Console

import battlebox as bb
from battlebox.bots.random_bot import RandomBot
from battlebox.bots.review import hint
from battlebox.core import laws
from battlebox.core.laws import LawBroken
from battlebox.core.match import Match
from battlebox.terminal.play import INVITE, play, resume

RULES = GAME.ruleset({"players": 4, "rounds": 2})
EVERYBODY = (None, *range(4))


def struck(*holders: int, rules: bb.Ruleset = RULES) -> Match:
    """A response window: seat 0 has struck seat 1; these seats hold a SAVE."""
    m = rules.match(3)
    m.open_response_windows()
    deal(m, *holders)
    m.submit(0, strike(1))
    return m


def told(m: Match, seat: int | None) -> list[str]:
    return [x.event.name for x in m.events(seat)]


def test_all_who_hold_a_save_are_asked_at_once() -> None:
    m = struck(1, 3)
    assert m.response_window
    assert m.deciding == (1, 3)
    for p in EVERYBODY:
        asked = p in (1, 3)
        assert [c.word for c in m.scene(p).choices] == ([DECLINE, SAVE] if asked else [])
        assert len(m.choices(p)) == 2 * asked
        assert (m.observation(p)["to_act"] == p) == asked
        assert m.observation(p)["phase"] == window.Phase.WINDOW


def test_there_is_a_window_though_nobody_is_asked() -> None:
    m = struck()
    assert m.response_window
    assert m.deciding == ()
    assert m.phase == "PLAY"  # in truth the match has gone on
    assert told(m, 0) == ["STRUCK"]
    m.close_response_window()
    assert not m.response_window
    assert m.deciding == (2,)
    assert told(m, 0) == ["STRUCK", "OUT"]


def test_a_match_without_windows_asks_as_the_rules_do() -> None:
    m = RULES.match(3)
    deal(m, 1, 3)
    m.submit(0, strike(1))
    assert not m.response_window
    assert m.deciding == (1,)
    m.submit(1, DECLINE)
    assert m.deciding == (3,)


def test_windows_may_begin_while_somebody_is_asked() -> None:
    """As one that was left in a window and is gone on with."""
    m = RULES.match(3)
    deal(m, 1, 3)
    m.submit(0, strike(1))
    m.submit(1, DECLINE)
    m.open_response_windows()
    assert m.deciding == (3,)
    assert told(m, 1) == ["STRUCK"]
    m.close_response_window()
    assert not m.response_window
    assert told(m, 2) == ["STRUCK", "OUT"]


def test_what_is_shown_does_not_depend_on_who_is_asked() -> None:
    """Eight worlds: each viewer who is not asked is shown the same in all of them."""
    worlds = [p for n in range(4) for p in itertools.combinations((0, 1, 3), n)]
    assert len(worlds) == 8
    for seat in EVERYBODY:
        shown = set()
        for holders in worlds:
            if seat not in holders:
                m = struck(*holders)
                for k in range(len(holders) + 1):
                    known, scene, events = laws.what_is_shown(m, seat)
                    why = m.why_no_undo(seat), m.why_no_undo(seat, alone=True)
                    shown.add((known, repr(scene), repr(events), *why))
                    if k < len(holders):
                        m.submit(holders[k], SAVE)
        assert len(shown) == 1


@pytest.mark.parametrize(
    ("answers", "history"),
    [
        ({}, [(1, DECLINE), (3, DECLINE)]),
        ({3: SAVE}, [(1, DECLINE), (3, SAVE)]),
        ({3: SAVE, 1: SAVE}, [(1, SAVE)]),  # one is enough: the later answer is forgotten
        ({3: DECLINE, 1: DECLINE}, [(1, DECLINE), (3, DECLINE)]),
    ],
)
def test_the_rules_get_the_answers_in_their_own_order(answers: Any, history: Any) -> None:
    m = struck(1, 3)
    for p, word in answers.items():
        m.submit(p, word)
        assert p not in m.deciding
        assert m.choices(p) == ()
        assert m.history == [(0, strike(1))]
    m.close_response_window()
    assert m.history == [(0, strike(1)), *history]
    assert not m.response_window
    again = RULES.match(3)
    deal(again, 1, 3)
    for seat, word in m.history:
        again.submit(seat, word)
    assert again.digest() == m.digest()


def test_nobody_can_count_the_answers_afterwards() -> None:
    """Who holds nothing is told the same, in the same turns, however many have declined."""
    said = []
    for holders in ((), (1,), (3,), (0, 1, 3)):
        m = struck(*holders)
        m.close_response_window()
        said.append([(x.turn, x.event, x.args) for x in m.events(2)])
        turns = [x.turn for x in m.events(3) if x.event == window.Event.OUT]
        assert turns == [1]
    assert all(x == said[0] for x in said)


def test_who_is_not_asked_is_refused_in_the_same_words() -> None:
    said = set()
    for holders in ((), (1,), (0, 1, 3)):
        m = struck(*holders)
        before = m.digest()
        for action in (DECLINE, SAVE, 0, 10**6, "nonsense"):
            with pytest.raises(bb.IllegalAction) as e:
                m.submit(2, action)
            said.add(str(e.value).replace(repr(action), ""))
        assert m.digest() == before
    assert said == {": seat 2 is not to act now"}


def test_an_answer_is_one_of_those_that_are_listed_and_given_once() -> None:
    m = struck(1, 3)
    with pytest.raises(bb.IllegalAction, match=r"not legal now \(WINDOW\); legal: a0, a1"):
        m.submit(3, strike(2))
    m.submit(3, SAVE)
    with pytest.raises(bb.IllegalAction, match="not to act now"):
        m.submit(3, DECLINE)


def test_nothing_is_taken_back_in_a_window_or_after_it() -> None:
    for holders in ((), (1,), (3,)):
        m = struck(*holders)
        for _ in range(2):
            assert {m.why_no_undo(p) for p in EVERYBODY} == {
                "everybody has been asked to respond to it"
            }
            with pytest.raises(bb.UndoRefused):
                m.undo(0)
            if m.response_window:
                m.close_response_window()
        seat = m.to_act
        m.submit(seat, f"a{window.Kind.SKIP}")
        assert m.why_no_undo(seat) == ""
        assert m.why_no_undo() == ""


def test_what_follows_a_window_has_its_intermediate_views_whoever_was_asked() -> None:
    """Those of the window's own action are over."""
    game = dataclasses.replace(GAME, intermediate_views=lambda events: range(len(events)))
    rules = game.ruleset({"players": 4, "rounds": 2})
    for holders in ((), (1,), (0, 3)):
        m = struck(*holders, rules=rules)
        assert [x.told for x in m.intermediate_views(2)] == [1]
        m.close_response_window()
        assert [x.told for x in m.intermediate_views(2)] == [2]


def test_one_window_may_follow_another_at_once() -> None:
    """An event that follows a window in the same action opens the next one."""
    windows = {**window.RESPONSE_WINDOWS, window.Event.OUT: window.Phase.WINDOW}
    rules = dataclasses.replace(GAME, response_windows=windows).ruleset({"players": 4, "rounds": 2})
    for holders in ((), (3,)):
        m = struck(*holders, rules=rules)
        for names in (["STRUCK"], ["STRUCK", "OUT"]):
            first = m.response_window
            assert told(m, 2) == names
            assert m.why_no_undo(0) == "everybody has been asked to respond to it"
            m.close_response_window()
            assert m.response_window != first
        assert not m.response_window


def test_a_match_may_be_over_and_nobody_knows() -> None:
    rules = GAME.ruleset({"players": 4, "rounds": 1})
    m = rules.match(3)
    m.open_response_windows()
    deal(m)
    for p in (0, 2):
        m.state.side[p] = 1
    m.state.side[1], m.state.side[3], m.state.living[3] = 2, 2, 0
    m.put(m._array.copy())
    m.submit(0, strike(1))
    assert m.over
    assert m.response_window
    assert not m.scene(None).over
    assert told(m, None) == ["STRUCK"]
    with pytest.raises(bb.IllegalAction, match="not to act"):
        m.submit(0, strike(2))
    m.close_response_window()
    assert m.scene(None).over


# ---- laws ----------------------------------------------------------------------------------------
def test_the_tiny_game_keeps_the_laws() -> None:
    for players in (4, 6, 10):
        laws.check(GAME.ruleset({"players": players, "rounds": 2}), 3, compiled=False)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (
            (
                "            return\n        p = (p",
                "            s.way = 1\n            return\n        p = (p",
            ),
            "sees who is asked",
        ),
        (
            (
                'DECLINED = event("seat", alone=True, reveals=True)',
                'DECLINED = event("seat", reveals=True)',
            ),
            "it is noticed that seat . declines",
        ),
        (
            (
                'STRUCK = event("seat", "target", reveals=True)',
                'STRUCK = event("seat", "target", own=("target",))',
            ),
            "STRUCK is not told to everybody",
        ),
    ],
)
def test_a_game_whose_window_tells_is_caught(
    broken: Break, edit: tuple[str, str], words: str
) -> None:
    rules = as_game(broken("window", edit)).ruleset({"players": 5})
    with pytest.raises(LawBroken, match=words):
        laws.check(rules, 10, compiled=False)


# ---- at one terminal -----------------------------------------------------------------------------
class Typed:
    """What is typed at a terminal, and what it shows at each prompt."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.out = list(lines), io.StringIO()
        self.console = Console(file=self.out, width=80, height=24)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.lines:
            raise EOFError
        self.out.write(f"{prompt}\n")
        return self.lines.pop(0)

    def play(self, seats: list[str], seed: int, path: Path, **options: int) -> Match:
        """A match of four; the lines are typed, then it is left."""
        rules = GAME.ruleset({"players": 4, "rounds": 2, **options})
        return play(
            rules, seats, seed, save_path=path, console=self.console, ask=self, pace=0, bots=fake
        )


def fake(level: str, rules: bb.Ruleset, seed: int) -> RandomBot:
    """A bot that compiles nothing."""
    return RandomBot(rules, seed)


PEOPLE = ["human"] * 4


def test_people_at_one_terminal_are_asked_alike_whoever_holds_what(tmp_path: Path) -> None:
    """In the first deal two of them hold a SAVE, in the second nobody does."""
    asked = Typed("", strike(2), "")
    first = asked.play(PEOPLE, 2, tmp_path / "a")
    assert first.history == [(0, strike(2)), (2, DECLINE), (3, DECLINE)]
    nobody = Typed("", strike(2), "")
    second = nobody.play(PEOPLE, 3, tmp_path / "b", saves=0)
    assert second.history == [(0, strike(2))]
    assert asked.prompts[2:] == nobody.prompts[2:]
    assert asked.prompts[2] == INVITE


def test_who_wants_to_answer_at_one_terminal_takes_the_screen(tmp_path: Path) -> None:
    p = Typed("", strike(2), "9", "1", "", "", "3", "", SAVE, "")
    m = p.play(PEOPLE, 2, tmp_path / "a")
    assert m.history == [(0, strike(2)), (2, DECLINE), (3, SAVE)]
    assert [x for x in p.prompts if x == INVITE] == 4 * [INVITE]
    said = " ".join(p.out.getvalue().split())
    assert "'9' is not a seat of yours: type its number" in said
    assert "Seat 1: take the screen." in said
    assert said.count("You have nothing to respond with.") == 1


def test_one_person_at_a_terminal_is_asked_at_once_and_bots_answer(tmp_path: Path) -> None:
    seats = ["human", "easy", "easy", "easy"]
    alone = Typed(strike(2), SAVE)
    assert alone.play(seats, 1, tmp_path / "a").history[:2] == [(0, strike(2)), (0, SAVE)]
    assert INVITE not in alone.prompts
    m = Typed(strike(2)).play(seats, 2, tmp_path / "b")
    assert m.history[1][0] == 2


def test_a_hint_in_a_window_is_for_what_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = partial(hint, simulations=9, compiled=False)
    monkeypatch.setattr(sys.modules[play.__module__], "hint", quick)
    p = Typed(strike(2), "hint", SAVE)
    m = p.play(["human", "easy", "easy", "easy"], 1, tmp_path / "a")
    assert m.history[:2] == [(0, strike(2)), (0, SAVE)]
    said = " ".join(p.out.getvalue().split())
    hinted = r"The strongest bot would choose: Action [01], \d+ % to win the match\. .+\."
    assert re.search(hinted, said)


def test_a_match_left_in_a_window_is_gone_on_with_in_it(tmp_path: Path) -> None:
    Typed("", strike(2), "q").play(PEOPLE, 2, tmp_path / "a")
    q = Typed("2", "", SAVE, "")
    with in_the_box():
        m = resume(tmp_path / "a", console=q.console, ask=q, pace=0, bots=fake)
    assert q.prompts[0] == INVITE
    assert m.history == [(0, strike(2)), (2, SAVE)]
