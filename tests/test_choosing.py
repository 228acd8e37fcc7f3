"""What is typed for a choice: whatever is printed of it means it, in every game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

import battlebox as bb
from battlebox.core.errors import IllegalAction
from battlebox.core.scene import Choice, Scene
from battlebox.games import NAMES
from battlebox.text.choosing import chosen, menu, said, typed

MORE = [("war_zone", {"players": 4}), ("battleball", {"advanced": True})]
WAYS = [*((name, {}) for name in NAMES), *MORE]
EVERY = 12  # choices of a scene that are looked at, where it has more


def scenes(name: str, options: dict[str, object], count: int) -> list[Scene]:
    """Decisions of matches at random, in which there is something to choose."""
    rules, dice, found = bb.load(name, **options), random.Random(name), list[Scene]()
    m = rules.match(1)
    while len(found) < count:
        if m.over:
            m = rules.match(len(found))
        assert m.to_act is not None
        if len(m.legal_actions) > 1 and dice.random() < 0.5:
            found.append(m.scene(m.to_act))
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return found


@pytest.mark.parametrize(("name", "options"), WAYS, ids=[f"{n}-{o}" for n, o in WAYS])
def test_whatever_is_printed_of_a_choice_means_it(name: str, options: dict[str, object]) -> None:
    dice = random.Random(2)
    for scene in scenes(name, options, 60):
        keys, lines = typed(scene), menu(scene).split("\n")
        assert {c.action for c in keys.values()} == {c.action for c in scene.choices}
        assert len(keys) == len(lines) == len(scene.choices)
        rows = list(zip(keys.items(), lines, strict=True))
        for (key, choice), line in dice.sample(rows, min(EVERY, len(rows))):
            assert line.startswith(f"[{key}] ")
            for text in (key, f"[{key}]", choice.word, line, f"  {line.replace('  ', ' ')} "):
                assert chosen(text, scene) == choice, text
            assert chosen(f"{choice.word} {choice.label}", scene) == choice
            for text in {choice.label, said(choice), choice.label.upper()}:
                alike = [c for c in scene.choices if text in (c.label, said(c), c.label.upper())]
                if len(alike) == 1:
                    assert chosen(text, scene) == choice, text
                else:
                    with pytest.raises(IllegalAction, match="could be"):
                        chosen(text, scene)


def some(*choices: Choice) -> Scene:
    """A scene of nothing but these choices."""
    return replace(bb.load("war_zone").match(1).scene(0), zones=(), choices=choices)


def test_of_two_alike_it_is_asked_which() -> None:
    scene = some(Choice(3, "a", "Fire at Bob", "3 damage"), Choice(4, "b", "Fire at Bob"))
    with pytest.raises(IllegalAction) as e:
        chosen("fire at bob", scene)
    assert str(e.value) == (
        "'fire at bob' could be: [1] Fire at Bob; [2] Fire at Bob. Type what stands in the "
        "brackets."
    )
    assert chosen("Fire at Bob: 3 damage", scene).action == 3


def test_a_word_that_is_a_number_is_the_number_of_its_choice() -> None:
    """In Iron Man the card 3 is typed as 3, wherever it lies in the hand."""
    words = ["2", "3", "F", "0", "344"]
    scene = some(*(Choice(k, word, f"Card {k}") for k, word in enumerate(words)))
    assert {key: c.word for key, c in typed(scene).items()} == {
        "2": "2",
        "3": "3",
        "4": "F",
        "0": "0",
        "1": "344",
    }
    for key, choice in typed(scene).items():
        assert chosen(key, scene) == chosen(choice.word, scene) == choice


def test_a_quiet_choice_is_0_unless_that_is_a_word() -> None:
    quiet = Choice(1, "pass", "Pass", tone="quiet")
    assert typed(some(Choice(0, "a", "Fire"), quiet))["0"] == quiet
    assert typed(some(Choice(0, "0", "Fire"), quiet))["1"] == quiet


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("", "'' is not one of your choices"),
        ("[", r"'\[' is not one of your choices"),
        ("3", "'3' is not one of your choices"),
        ("[3]", r"'\[3\]' is not one of your choices"),
        ("[1] Hold", r"\[1\] is 'Fire at Bob: 3 damage', but 'Hold' says something else"),
        ("[1] because", r"\[1\] is 'Fire .*', but 'because' says something else"),
        ("fire fire", "'fire fire' is not one of your choices. Type a number, a word such as b"),
    ],
)
def test_what_means_nothing_says_so(line: str, wrong: str) -> None:
    scene = some(Choice(3, "a", "Fire at Bob", "3 damage"), Choice(4, "b", "Hold"))
    with pytest.raises(IllegalAction, match=wrong):
        chosen(line, scene)
