"""Medieval as people see it: every choice can be said, what it promises is so, no card leaks."""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.games.medieval.rules import Event
from battlebox.games.medieval.testing import MODES, at, facts, walk


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_card_of_the_hand_can_be_tapped_or_says_why_not(options: dict[str, Any]) -> None:
    for m in walk(3, **options):
        for seat in (None, 0, 1):
            scene = m.scene(seat)
            hand = {p.id for z in scene.zones if z.kind == "fan" for p in z.pieces}
            first = {c.path[0] for c in scene.choices if c.path}
            assert not first or first | {x.id for x in scene.refusals} == hand


def test_a_choice_says_what_it_leads_to() -> None:
    """ME-60, ME-63: with its own cards turned up, before chains and the other's cards."""
    m = at("A cols=q/5/s hand=k13 deck=444 B cols=8/-/9 hand=111 deck=444 beside=W1 stage=reinf")
    said = {c.word: (c.label, c.sub) for c in m.scene(0).choices}
    assert said["k13"] == ("King to 1, Peasant to 2, Archer to 3", "now 20:8 5:- 6:9")
    assert said["13k"] == ("Peasant to 1, Archer to 2, King to 3", "now 10:8 7:- 14:9")
    assert facts(m)["A.totals"] == "4,4,2"  # nothing has changed by saying so
    column = m.scene(0).zone("column:0:0")
    assert column.facts["text"] == "4 = Queen 5, bonuses −1"
    assert column.facts["pills"] == [{"text": "4 : 8, behind", "lit": False}]


def test_a_twin_is_refused_with_the_reason() -> None:
    """ME-69."""
    m = at("A cols=5/5/5 hand=335 deck=444 B cols=5/5/5 hand=111 deck=444 stage=reinf")
    (refusal,) = m.scene(0).refusals
    assert (refusal.id, refusal.rules) == ("hand:1", ("ME-69",))
    assert "Archer" in refusal.why


def test_every_event_has_words_and_is_met() -> None:
    silent = {"DREW", "DREW_UP"}
    met = set()
    for seed in range(12):
        *_, m = walk(seed)
        for told in m.events(0):
            met.add(told.event.name)
            text = m.say(told, 0)
            assert bool(text) != (told.event.name in silent), told
            assert text == text[:1].upper() + text[1:]
    last = at("A deck=5 B deck=5")
    met |= {t.event.name for t in last.events(None)}
    assert last.log(None)[-3:] == [
        "Seat 0 has no cards left.",
        "Seat 1 has no cards left.",
        "A draw.",
    ]
    assert met == set(Event.__members__)


@pytest.mark.parametrize(
    ("position", "options", "prompt"),
    [
        ("A deck=5 B deck=5", {}, "A draw: nobody has a card left."),
        ("A deck=5 B deck=6", {}, "Seat 1 wins: you have no cards left."),
        ("A deck=7 B deck=6", {}, "You win: Seat 1 has no cards left."),
        ("A deck=565 B deck=556", {"max_battles": 1}, "A draw: battle 1 was the last."),
    ],
)
def test_the_end_says_who_and_why(position: str, options: dict[str, Any], prompt: str) -> None:
    m = at(position, **options)
    assert m.over
    assert m.scene(0).prompt == prompt
