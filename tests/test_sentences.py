"""The list of all that people read in a match; and that it never calls a player "he"."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.playthroughs import COURSES, READ
from tests.sentences import FACTS, KINDS, Sentences, alike, collect, main

import battlebox as bb
from battlebox.games import find

SPEEDY = COURSES["war_zone-speedy-2"]
SHORT = 120  # decisions of a long match


def test_like_sentences_are_one_and_others_are_not() -> None:
    out = Sentences()
    out.names |= {"Trench", "Air Raid", "Artillery"}
    for text in (
        *("You draw 2 cards.", "You draw 7 cards.", "You draw 1 card."),
        *("Ada plays a Trench.", "Bo plays a Trench.", "Bo plays an Air Raid."),
        *("Ada and Bo win.", "Ada, Bo and Cy win.", "'AR>1' is not legal.", "'BW' is not legal."),
        *("You discard an 8.", "You discard a 7.", "You discard a 12."),
    ):
        out.add("log", text)
    assert [*out.lines(["log", "prompt"])] == [
        "-- log: what is told (8)",
        "      2  'AR>1' is not legal.",
        "      2  Ada and Bo win.",
        "      2  Ada plays a Trench.",
        "      1  Bo plays an Air Raid.",
        "      2  You discard a 7.",
        "      1  You discard an 8.",
        "      1  You draw 1 card.",
        "      2  You draw 2 cards.",
    ]
    assert alike("A 1 + B 2, A +1, B +2", "A|B") == alike("A 1 + B 2 + A 3, B +2", "A|B")


def test_a_match_has_sentences_of_each_kind() -> None:
    out = collect(find("war_zone"), [SPEEDY])
    empty = {kind for kind in KINDS if not out.found[kind]}
    assert empty <= {"tag", "hint", "odds", "agree", "review", "advice"}
    lines = [*out.lines()]
    assert len(lines) == len({*lines})
    for kind, text in (
        ("log", "You draw "),
        ("log", "Ada's turn."),
        ("prompt", "Ada may attack."),
        ("choice", "Keep your hand"),
        ("refusal", "You cannot attack yourself."),
        ("undo", "nothing has been done yet"),
        ("error", "is not an action: write"),
        ("end", "wins"),
        ("about", "Speedy"),
    ):
        assert any(text in x for x in out.found[kind]), (kind, text)


def test_all_that_zones_say_has_a_kind() -> None:
    """What the playthroughs take for words, beside the parts of a scene."""
    parts = {"title", "prompt", "cue", "label", "name", "sub", "why", "hint"}
    assert READ - parts <= set(FACTS)
    assert set(FACTS.values()) <= set(KINDS)


@pytest.mark.parametrize("game", bb.games())
def test_nobody_is_called_he(game: str) -> None:
    course = next(x for x in COURSES.values() if x.game == game)
    out = collect(find(game), [replace(course, most=SHORT)])
    for kind, found in out.found.items():
        for text in found:
            assert not re.search(r"\b(he|him|his|himself|whoever|whomever)\b", text), (kind, text)


def test_the_command_chooses_games_modes_and_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["war_zone", "--only", "speedy-2", "--kind", "end", "--kind", "title"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("==== war_zone: 1 match\n")
    assert re.findall(r"^-- (\w+)", shown, re.MULTILINE) == ["end", "title"]
    for words, why in (
        (["chess"], "no game is called chess"),
        (["--only", "secret"], "no mode of war_zone begins with secret"),
        (["--kind", "poem"], "invalid choice: 'poem'"),
    ):
        with pytest.raises(SystemExit):
            main(words)
        assert why in capsys.readouterr().err


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_reviews_and_hints_are_among_them() -> None:
    out = collect(find("war_zone"), [SPEEDY], reviews=True)
    assert any("to win at the start" in x for x in out.found["review"])
    assert any(x.startswith("The strongest bot would choose") for x in out.found["advice"])
