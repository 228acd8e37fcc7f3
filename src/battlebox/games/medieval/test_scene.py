"""Medieval as people see it: every choice can be said, what it promises is so, no card leaks."""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.games.medieval.rules import Event
from battlebox.games.medieval.testing import COURT, MODES, at, facts, walk


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_card_of_the_hand_can_be_tapped_or_says_why_not(options: dict[str, Any]) -> None:
    for m in walk(3, **options):
        for seat in (None, 0, 1):
            scene = m.scene(seat)
            hand = {p.id for z in scene.zones if z.kind == "fan" for p in z.pieces}
            first = {c.path[0] for c in scene.choices if c.path and m.phase == "REINF"}
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


def test_an_event_is_aimed_at_a_column_by_a_tap() -> None:
    """H26: and says what comes of it; nobody else is offered it."""
    m = at("A deck=A567123 B deck=456321", **COURT)
    scene = m.scene(0)
    assert (scene.phase, scene.prompt) == ("CHOOSE_COLUMN", "Ambush: for which column?")
    assert [(c.word, c.label, c.sub, c.path, c.rules) for c in scene.choices] == [
        ("1", "Ambush to column 1", "now 9:4 6:5 7:6", ("column:0:0",), ("H26",)),
        ("2", "Ambush to column 2", "now 5:4 10:5 7:6", ("column:0:1",), ("H26",)),
        ("3", "Ambush to column 3", "now 5:4 6:5 11:6", ("column:0:2",), ("H26",)),
    ]
    assert scene.zone("beside").facts["text"] == "Your Ambush (its column is yet to be chosen)."
    assert m.scene(1).prompt == "Seat 0 chooses the column of Ambush."
    assert m.log(0)[1] == "You flip Ambush: its column is yet to be chosen."
    m.submit(0, 7)
    assert m.log(1)[-1] == "Seat 0 puts Ambush beside column 2."
    assert m.scene(0).zone("beside").facts["text"] == "Your Ambush (+4 to column 2)."
    assert m.scene(0).zone("column:0:1").facts["total"] == 10


def test_two_columns_are_swapped_by_taps() -> None:
    """H27."""
    m = at("A cols=9/1/5 beside=F1 deck=4 B cols=n/8/5 deck=4 stage=swap", **COURT)
    scene, before = m.scene(0), facts(m)
    assert [(c.word, c.label, c.sub, c.path) for c in scene.choices] == [
        ("12", "Swap columns 1 and 2", "now 1:1 9:8 5:5", ("column:0:0", "column:0:1")),
        ("13", "Swap columns 1 and 3", "now 5:1 1:8 9:5", ("column:0:0", "column:0:2")),
        ("23", "Swap columns 2 and 3", "now 9:1 5:8 1:5", ("column:0:1", "column:0:2")),
        ("-", "Swap nothing", "now 9:1 1:8 5:5", ()),
    ]
    assert scene.prompt == "Do you swap two of your columns? Assassins kill after that."
    assert facts(m) == before
    assert m.scene(1).prompt == "Seat 0 may swap two columns."
    m.submit(0, "12")
    assert m.log(0)[:3] == [
        "You swap columns 1 and 2.",
        "Your Peasant 1 of column 1 is killed by an Assassin.",
        "Column 1: Seat 1 wins, unopposed.",
    ]


def test_who_is_spied_on_is_told() -> None:
    """H28."""
    m = at("A cols=5/5/5 hand=123 B cols=5/5/5 hand=12 beside=S2 stage=reinf", **COURT)
    assert m.scene(0).zone("seat:0").facts["chips"] == ["spied on"]
    assert "(the other side places first, and openly)" in m.scene(0).zone("beside").facts["text"]
    assert m.scene(0).prompt == "Place your three cards openly, one at each column: there is a Spy."
    assert m.scene(1).prompt == "Seat 0 places reinforcements, openly: there is a Spy."
    m.submit(0, "321")
    assert m.scene(1).zone("seat:0").facts["chips"] == ["has placed openly"]
    assert m.scene(1).zone("sealed").facts["text"] == (
        "Archer at column 1, Levy at column 2, Peasant at column 3"
    )
    assert m.scene(1).prompt == "Place your two cards at different columns."
    m = at("A hand=1 beside=S1 B hand=1 beside=S1 stage=reinf", **COURT)
    assert m.scene(0).zone("beside").facts["text"].count("Spies on both sides cancel") == 2
    assert m.scene(0).prompt == "Place your card face down at a column."


def test_every_event_has_words_and_is_met() -> None:
    silent = {"DREW", "DREW_UP"}
    met = set()
    for seed in range(24):
        *_, m = walk(seed, **(COURT if seed % 2 else {}))
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
