"""Lessons: their format, whether they fit the rules, and how they are taken."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from serving import InThread, Picture, in_thread
from test_cli import Command, run
from test_shelf import _apart

import battlebox as bb
from battlebox.core import lesson as lessons
from battlebox.core.errors import IllegalAction, ScenarioError
from battlebox.core.lesson import NEXT, Help, Lesson, LessonRun, pointed, replay
from battlebox.core.scenario import Failed
from battlebox.games import find
from battlebox.protocol.http import LessonPicture
from battlebox.server.clock import ManualClock
from battlebox.server.routes.games import AT_ONCE, LESSONS_A_SECOND
from battlebox.terminal import learn
from battlebox.testing import Failure, rulebook

__all__ = ["_apart", "run"]  # fixtures
WAR_ZONE = find("war_zone")
TEXT = """
chapter Standard
lesson T-1 Attack  [WZ-19]
position wz1 n=2 hs=3 ph=ATTACK turn=0 health=20.20
position hand0=IF.SN.BW hand1=GM.MG.AR deck=TA.GR.FL.PG
say You hold three cards.
point hand
next
say Attack Anna.
point IF
try IF>1 SN>1
goal health=20.15
wrong pass: You would give your turn away.
wrong SN>1: Sniper does less.
do 1 pass
expect health=20.15
say Well done.
"""


def one(text: str = TEXT, *edits: tuple[str, str]) -> Lesson:
    """The lesson of a text, with these edits."""
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (found,) = lessons.parse(text).lessons
    return found


# ---- the format ----------------------------------------------------------------------------------
def test_a_file_is_read() -> None:
    two = TEXT + "\nchapter Teams\n" + TEXT.replace("T-1", "T-2").replace("chapter Standard\n", "")
    first, second = lessons.parse(two).lessons
    assert (first.id, first.title, first.chapter, first.seat) == ("T-1", "Attack", "Standard", 0)
    assert first.block.rules == ("WZ-19",)
    assert (second.id, second.chapter) == ("T-2", "Teams")
    assert second.block.line == two.splitlines().index("lesson T-2 Attack  [WZ-19]") + 1


def test_help_goes_by_phases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = lessons.parse("help ATTACK: Attack: now.\nhelp MULL = pass: Keep it.\n" + TEXT)
    assert found.help == {"ATTACK": Help("Attack: now."), "MULL": Help("Keep it.", "pass")}
    assert lessons.taught(WAR_ZONE).help.keys() == {"MULL", "ATTACK", "DEFEND", "CYCLE"}
    with pytest.raises(ScenarioError, match=r"line 2: a second help for ATTACK"):
        lessons.parse("help ATTACK: x\nhelp ATTACK: y\n" + TEXT)
    for wrong in ("help ATTACK", "help ATTACK = : x", "help = pass: x", "help ATTACK:"):
        with pytest.raises(ScenarioError, match=r"line 1: write `help PHASE: what is said`"):
            lessons.parse(f"{wrong}\n{TEXT}")
    (tmp_path / lessons.LESSONS).write_text("help ATACK: x\n" + TEXT, encoding="utf-8")
    monkeypatch.setattr(type(WAR_ZONE), "folder", tmp_path)
    with pytest.raises(ScenarioError, match=r"help ATACK: .*did you mean 'ATTACK'"):
        lessons.taught(WAR_ZONE)


@pytest.mark.parametrize("name", bb.games())
def test_what_is_chosen_for_a_newcomer_can_be_chosen(name: str) -> None:
    game = find(name)
    lessons.check_help(game, lessons.taught(game).help)


@pytest.mark.parametrize(
    ("phase", "word", "says"),
    [("MULL", "keep", "that is none of pass, c"), ("OVER", "pass", "nobody is asked that")],
)
def test_what_cannot_be_chosen_is_not_chosen_for_a_newcomer(
    phase: str, word: str, says: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(Failed, match=f"help {phase} = {word}: {says}"):
        lessons.check_help(WAR_ZONE, {phase: Help("Keep it.", word)})
    text = f"help {phase} = {word}: Keep it.\n{TEXT}"
    (tmp_path / lessons.LESSONS).write_text(text, encoding="utf-8")
    monkeypatch.setattr(type(WAR_ZONE), "folder", tmp_path)
    with pytest.raises(Failure, match=says):
        rulebook.lessons(WAR_ZONE)


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (("try IF>1 SN>1", "tyr IF>1"), "'tyr' is not a line of a lesson; did you mean 'try'?"),
        (("goal health=20.15\n", "next\ngoal health=20.15\n"), "`goal` stands after `try`"),
        (("wrong SN>1:", "wrong SN>1"), "write `wrong WORD: what the coach says`"),
        (("say Well done.", "say"), "`say` says nothing"),
        (("point IF\n", "seat one\n"), "write `seat 0`"),
        (("lesson T-1 Attack  [WZ-19]\n", "say Hello.\n"), "`say` before the first `lesson` line"),
    ],
)
def test_what_is_not_well_formed_is_said_with_its_line(edit: tuple[str, str], says: str) -> None:
    with pytest.raises(ScenarioError, match=r"line \d+: ") as e:
        one(TEXT, edit)
    assert says in str(e.value)


# ---- whether it fits the rules -------------------------------------------------------------------
def test_a_lesson_that_fits_passes() -> None:
    assert lessons.check(WAR_ZONE, one()) == 2


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (("try IF>1 SN>1", "try IF>1 RE>1"), r"line 11: RE>1 is not legal here: pass, IF>1, SN>1"),
        (("wrong pass:", "wrong MG>1:"), r"line 11: MG>1 is not legal here"),
        (("wrong SN>1:", "wrong IF>1:"), r"line 11: wrong IF>1: it is right"),
        (
            ("goal health=20.15", "goal health=20.1"),
            "goal. IF>1: health: expected 20.1, found 20.15",
        ),
        (("goal health=20.15", "goal helth=20.15"), "goal. IF>1: 'helth' is not a fact"),
        (("expect health=20.15", "expect health=20.14"), "line 16: health: expected 20.14, found"),
        (("do 1 pass", "do 1 GM"), "line 15: do 1 GM: "),
        (("point IF", "point hnd"), r"`point hnd`: there is no such .*did you mean 'hand'"),
        (("say Well done.", ""), "the coach says nothing at the next stop"),
        (("do 1 pass", "chance 3\ndo 1 pass"), r"\d+ random outcomes were not asked for|chance"),
        (("say Attack Anna.", "say " + 60 * "word "), "until the first decision"),
        (("say Well done.", "say " + 330 * "word "), "it takes about 10"),
    ],
)
def test_a_lesson_that_does_not_fit_is_said_with_its_line(edit: tuple[str, str], says: str) -> None:
    with pytest.raises((Failed, ScenarioError), match=says):
        lessons.check(WAR_ZONE, one(TEXT, edit))


def test_every_right_word_is_followed_to_the_end() -> None:
    """After the second one the words of others no longer fit."""
    edits = ("goal health=20.15\n", ""), ("wrong SN>1: Sniper does less.\n", "")
    with pytest.raises(Failed, match=r"line 14: health: expected 20.15, found 20.17"):
        lessons.check(WAR_ZONE, one(TEXT, *edits))


def test_a_lesson_without_a_decision_is_none() -> None:
    text = (
        "lesson T-1 x\nposition wz1 n=2 hs=3 ph=ATTACK turn=0 health=9.9 hand0=IF hand1=BW deck=SN"
    )
    with pytest.raises(Failed, match="the learner decides nothing"):
        lessons.check(WAR_ZONE, one(text + "\nsay Hello.\nnext\nsay That is all."))


# ---- taking it -----------------------------------------------------------------------------------
def test_the_coach_waits_judges_and_goes_on() -> None:
    taken = LessonRun(WAR_ZONE, one())
    assert taken.stop.says == ("You hold three cards.",)
    assert taken.stop.wanted is None
    with pytest.raises(IllegalAction, match="go on"):
        taken.choose("IF>1")
    assert taken.choose(NEXT) == ""
    before = taken.table.digest()
    assert taken.choose("pass") == "You would give your turn away."
    assert taken.choose("SN>1") == "Sniper does less.", "it does not reach the goal"
    with pytest.raises(IllegalAction, match="not legal"):
        taken.choose("BW")
    assert (taken.table.digest(), taken.choices) == (before, [NEXT])
    assert taken.choose("IF>1") == ""
    assert taken.stop.is_end
    assert taken.table.facts()["health"] == "20.15"
    with pytest.raises(IllegalAction, match="over"):
        taken.choose(NEXT)
    assert replay(WAR_ZONE, one(), taken.choices).table.digest() == taken.table.digest()


def test_what_is_not_wrong_by_name_is_answered_too() -> None:
    taken = LessonRun(WAR_ZONE, one(TEXT, ("wrong pass: You would give your turn away.\n", "")))
    taken.choose(NEXT)
    assert taken.choose("pass") == lessons.ELSE


def test_what_is_pointed_at_is_found_in_the_scene() -> None:
    taken = LessonRun(WAR_ZONE, one())
    taken.choose(NEXT)
    scene = taken.table.scene(0)
    found = pointed(scene, ["hand", "hand:IF", "SN", "IF>1"])
    (action,) = (c.action for c in scene.choices if c.word == "IF>1")
    assert (found.zones, found.pieces, found.actions) == (
        ("hand",),
        ("hand:IF", "hand:SN"),
        (action,),
    )


# ---- at the terminal -----------------------------------------------------------------------------
def take(*lines: str) -> str:
    """What is shown to somebody who types these lines and then leaves."""
    said, typed = io.StringIO(), iter(lines)

    def ask(prompt: str) -> str:
        said.write(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    learn(WAR_ZONE, [one()], console=Console(file=said, width=80), ask=ask)
    return said.getvalue()


def test_a_lesson_at_the_terminal() -> None:
    shown = take("", "pass", "IF>1", "")
    for words in (
        "You hold three cards.",
        "Look at: Your hand",
        "Enter: go on",
        "You would give your turn away.",
        "Anna takes 5 damage",
        "Well done.",
        "Enter: the end, again: once more",
    ):
        assert words in shown, words
    assert shown.index("give your turn away") < shown.index("Anna takes 5 damage")


def test_a_lesson_is_taken_again_skipped_left() -> None:
    assert take("", "again", "", "IF>1").count("You hold three cards.") == 2
    assert "Attack Anna." not in take("skip")
    assert "press Enter to go on" in take("what", "q")
    assert "again    this lesson from its beginning" in take("?")


def test_the_command_learn(run: Command) -> None:
    said = run("learn", "war_zone", "--list")
    assert said.status == 0
    assert said.out.splitlines()[0] == "WZ-L1    Attack  (Standard)"
    said = run("learn", "war_zone", "--check")
    count = len(lessons.taught(WAR_ZONE).lessons)
    assert (said.status, said.out.splitlines()[-1]) == (0, f"{count} passed, 0 failed")
    said = run("learn", "war_zone", "WZ-L99")
    assert said.status == 2
    assert "no lesson 'WZ-L99'" in said.err


def test_the_command_learn_finds_what_does_not_fit(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new-game", "hares")
    said = run("learn", "./hares")
    assert said.status == 2
    assert "has no lessons yet" in said.err
    path = tmp_path / "hares" / "lessons.scn"
    path.write_text("lesson HA-L1 x\ntyr keep\n", encoding="utf-8")
    assert "line 2: 'tyr' is not a line of a lesson" in run("learn", "./hares", "--check").err
    assert "did you mean 'try'" in run("check", "./hares", "--no-page").out


# ---- at a server ---------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data"), clock=ManualClock()) as running:
        yield running


Step = Callable[..., dict[str, Any]]


@pytest.fixture
def step(server: InThread) -> Step:
    """step("WZ-L1", choices, attempt=..., since=...): what the server answers."""

    def ask(id: str, *choices: str, **more: Any) -> dict[str, Any]:
        body = {"choices": list(choices), **more}
        answer = server.ask("POST", f"/api/games/war_zone/lessons/{id}", json=body)
        assert answer.status_code == 200, answer.text
        LessonPicture.model_validate_json(answer.text, strict=False)
        return dict(answer.json())

    return ask


def test_a_lesson_at_a_server_is_what_it_is_here(server: InThread, step: Step) -> None:
    """All lessons, by their first right words: frames that build on each other show the scene."""
    listed = server.ask("GET", "/api/games/war_zone/lessons").json()["lessons"]
    found = lessons.taught(WAR_ZONE).lessons
    assert [(x["id"], x["title"], x["chapter"]) for x in listed] == [
        (x.id, x.title, x.chapter) for x in found
    ]
    for lesson in found:
        taken, seen = LessonRun(WAR_ZONE, lesson), Picture()
        now = step(lesson.id)
        while True:
            for frame in now["frames"]:
                shown = seen.whole({"told": [], **frame})
            scene = json.loads(json.dumps(taken.table.scene(lesson.seat).to_dict()))
            assert shown["scene"] == scene
            assert now["coach"]["says"] == list(taken.stop.says)
            assert now["coach"]["over"] == taken.stop.is_end
            if taken.stop.is_end:
                break
            word = NEXT if taken.stop.wanted is None else taken.right_words()[0]
            now = step(lesson.id, *taken.choices, attempt=word, since=now["frames"][-1]["n"])
            taken.choose(word)
            assert now["choices"] == taken.choices
            if not now["frames"]:  # nothing was to be seen
                now["frames"] = [{**frame, "told": []}]


def test_what_is_not_right_changes_nothing(step: Step) -> None:
    now = step("WZ-L1", attempt="pass", since=0)
    assert now["coach"]["said"].startswith("That gives your attack away.")
    assert (now["choices"], now["frames"]) == ([], [])


def test_bad_steps_are_refused(server: InThread) -> None:
    def ask(body: Any) -> tuple[int, str]:
        answer = server.ask("POST", "/api/games/war_zone/lessons/WZ-L1", json=body)
        return answer.status_code, answer.json()["error"]["code"]

    assert ask({"choices": ["pass"]}) == (400, "illegal")
    assert ask({"attempt": "nonsense"}) == (400, "illegal")
    assert ask({"choices": 61 * ["pass"]}) == (400, "invalid")
    assert ask({"attempt": 81 * "x"}) == (400, "invalid")
    assert ask({"since": -2}) == (400, "invalid")
    assert ask({"choise": []}) == (400, "invalid")


def test_lessons_take_so_much_from_one_address(tmp_path: Path) -> None:
    clock = ManualClock()
    how = {"trusted_proxy": "127.0.0.1"}
    with in_thread(tmp_path, clock=clock, how=how) as server:

        def ask(address: str) -> int:
            headers = {"x-forwarded-for": address}
            path = "/api/games/war_zone/lessons/WZ-L1"
            return server.ask("POST", path, json={}, headers=headers).status_code

        found = [ask("9.9.9.9") for _ in range(AT_ONCE + 1)]
        assert found == [200] * AT_ONCE + [429]
        assert ask("8.8.8.8") == 200
        clock.advance(1 / LESSONS_A_SECOND)
        assert ask("9.9.9.9") == 200


def test_help_that_does_not_fit_fails_beside_the_lessons(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def misfit(*_: object) -> None:
        raise Failed("help MULL = keep: that is none of pass")

    monkeypatch.setattr(lessons, "check_help", misfit)
    said = run("learn", "war_zone", "--check")
    count = len(lessons.taught(WAR_ZONE).lessons)
    assert said.status == 1
    assert "FAILED help\n" in said.out
    assert said.out.endswith(f"{count} passed, 1 failed\n")
