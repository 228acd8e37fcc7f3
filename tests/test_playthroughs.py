"""Behaviour is what it was: the playthroughs, played anew, are the files that are kept."""

from __future__ import annotations

import re

import pytest
from playthroughs import COURSES, FOLDER, LEFT_OUT, Course, differences, file_of, play
from playthroughs.__main__ import main

import battlebox as bb
from battlebox.games import find

SHORT = "war_zone-speedy-2"


@pytest.mark.parametrize("name", COURSES)
def test_a_playthrough_is_what_it_was(name: str) -> None:
    kept = file_of(name).read_text(encoding="utf-8")
    found = differences(name, kept, play(COURSES[name]))
    hint = "\nIf it is meant: `make playthroughs`, and look at the diff."
    assert not found, found + hint


def test_every_mode_of_every_game_has_one_and_no_file_is_left_over() -> None:
    modes = [f"{g}-{m.name.lower().replace(' ', '_')}-" for g in bb.games() for m in find(g).modes]
    assert not [x for x in modes if not any(name.startswith(x) for name in COURSES)]
    assert {f.stem for f in FOLDER.glob("*.txt")} == set(COURSES)
    assert sum(f.stat().st_size for f in FOLDER.glob("*.txt")) < 1_300_000


def test_all_that_matches_have_comes_up_in_one() -> None:
    texts = {name: file_of(name).read_text(encoding="utf-8") for name in COURSES}
    for game in bb.games():
        mine = "".join(x for name, x in texts.items() if name.startswith(game))
        assert re.search(r"^end decisions=\d+ .*to_act=over", mine, re.MULTILINE), game
        assert re.search(r" undo( #|$)", mine, re.MULTILINE), game
    everything = "\n".join(texts.values())
    for what in (" agree ", " answer ", " close #", "\nviews ", "\nmay agree ", "\nhidden "):
        assert what in everything, what


def test_what_people_read_and_what_is_drawn_can_be_left_out() -> None:
    text = file_of(SHORT).read_text(encoding="utf-8")
    plain = "\n".join(x for x in text.splitlines() if not x.startswith(("words", "scene", "views")))
    for word in ("Grenade", "Keep your hand", '"kind"', "plaque"):
        assert word in text
        assert word not in plain
    for this, that, verb in (("words", "scenes", "words 0"), ("scenes", "words", "scene 0")):
        other = text.replace(f"\n{verb} ", f"\n{verb} other ", 1)
        assert other != text
        assert differences(SHORT, text, other)
        assert not differences(SHORT, text, other, LEFT_OUT[this])
        assert differences(SHORT, text, other, LEFT_OUT[that])


def test_a_rule_that_changes_shows_at_its_decision() -> None:
    old = play(COURSES[SHORT])
    course = COURSES[SHORT]
    new = play(Course(course.game, {**course.options, "must_attack": True}, every=course.every))
    found = differences(SHORT, old, new)
    assert f"--- {SHORT}, as kept" in found
    assert "-options" in found
    decision = old.replace("\ndo 0 0=pass", "\ndo 0 57=cIF", 1)
    found = differences(SHORT, old, decision)
    assert "in the decision `== 0 MULL`" in found
    assert "+do 0 57=cIF" in found
    assert found.count("\n") < 50


@pytest.mark.compiled  # the positions by depth are counted on the compiled build
@pytest.mark.xdist_group("war_zone")
def test_the_command_says_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", SHORT]) == 0
    said = capsys.readouterr().out
    assert "0 of 1 playthroughs differ." in said
    assert "Positions by depth: 0 of 1 rulesets differ." in said


def test_the_command_says_what_it_cannot_do(capsys: pytest.CaptureFixture[str]) -> None:
    for words, why in (
        (["--check", "chess"], "no playthrough begins with chess"),
        (["--but-words"], "are for --check"),
    ):
        with pytest.raises(SystemExit):
            main(words)
        assert why in capsys.readouterr().err
