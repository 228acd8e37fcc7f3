"""Medieval as people see it: every choice can be said, what it promises is so, no card leaks."""

from __future__ import annotations

import re
from typing import Any

import pytest

from battlebox.games.medieval.rules import Event
from battlebox.games.medieval.testing import COURT, MODES, at, walk


@pytest.mark.parametrize("options", MODES, ids=str)
def test_every_card_of_the_hand_is_laid_at_a_column(options: dict[str, Any]) -> None:
    """ME-17, ME-54: in any order, and each choice says all of it."""
    for m in walk(3, **options):
        for seat in (None, 0, 1):
            scene = m.scene(seat)
            hand = {p.id for z in scene.zones if z.kind == "fan" for p in z.pieces}
            for c in scene.choices:
                assert c.any_order == (m.phase == "REINF")
                if c.any_order:
                    assert {*c.path[::2]} == hand
                    assert len({*c.path[1::2]}) == len(hand)


def test_a_choice_says_what_it_leads_to() -> None:
    """ME-60, ME-63: with its own cards turned up, before chains and the other's cards."""
    m = at("A cols=q/5/s hand=k13 deck=444 B cols=8/-/9 hand=111 deck=444 beside=W1 stage=reinf")
    said = {c.word: (c.label, c.sub) for c in m.scene(0).choices}
    assert said["k13"] == ("King to 1, Peasant to 2, Archer to 3", "now 20:8 5:- 6:9")
    assert said["13k"] == ("Peasant to 1, Archer to 2, King to 3", "now 10:8 7:- 14:9")
    king = next(c for c in m.scene(0).choices if c.word == "k13")
    assert king.path == ("hand:2", "column:0", "hand:0", "column:1", "hand:1", "column:2")
    assert king.then == {"column:0": 20, "column:1": 5, "column:2": 6}
    assert m.facts()["A.totals"] == "4,4,2"  # nothing has changed by saying so
    column = m.scene(0).zone("column:0").facts
    assert column["text"] == (
        "4 : 8, Seat 1 leads. You: Queen 5, Seat 1's Foul Weather −1. Seat 1: Knight 8. "
        "Beside it, Seat 1: Foul Weather."
    )
    assert (column["short"], m.scene(None).zone("column:0").facts["short"]) == (
        "behind",
        "Seat 1 leads",
    )
    assert [x["total"] for x in column["sides"]] == ["8", "4"]


def total_of(text: str) -> int:
    """What an explained total comes to: "Queen 5 + Archer 3, Foul Weather −1"."""
    return sum(int(x.replace("−", "-")) for x in re.findall(r" ([+−]?\d+)(?= \+|,|$)", text))


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_total_is_what_it_is_explained_with(options: dict[str, Any]) -> None:
    """ME-60..68, on the whole course of matches, also in the midst of actions."""
    explained = 0
    for m in walk(4, **options):
        for scene in (m.scene(0), *(x.scene for x in m.intermediate_views(0))):
            for c in range(3):
                for side in scene.zone(f"column:{c}").facts["sides"]:
                    assert bool(side["total"]) == bool(side["pieces"])
                    if side["total"]:
                        assert total_of(side["sum"]) == int(side["total"]), side
                        explained += 1
    assert explained > 100


def test_each_bonus_stands_on_the_card_it_comes_from() -> None:
    m = at("A cols=sp/5/q hand=123 beside=A1T2 deck=4 B cols=85/9/4 hand=111 deck=4 stage=reinf")
    zones = [m.scene(0).zone(f"column:{c}") for c in range(3)]
    names = {p.id: p.name for z in zones for p in z.pieces}
    tags = {names[id]: tag for z in zones for id, tag in z.facts["tags"].items()}
    assert tags == {
        "Sergeant": "+1",
        "Bishop": "+2",
        "Ambush": "+4",
        "Pit Trap": "0",
        "Champion": "0",
    }
    assert [x["sum"] for x in zones[0].facts["sides"]] == [
        "Knight 8 + Man-at-Arms 5",
        "Sergeant 3 + Bishop 1, Sergeant +1, Bishop +2, Ambush +4",
    ]
    assert zones[1].facts["sides"][0]["sum"] == "Champion 9, Champion trapped −9"


def test_a_battle_is_shown_step_by_step() -> None:
    """Turned up together, each chain by itself, compared together, each tie, then the flips."""
    m = at("A cols=5/4/9 hand=1a3 deck=62777 B cols=5/9/4 hand=111 deck=88999 stage=reinf")
    m.submit(0, "1a3")
    assert m.intermediate_views(0) == []  # nothing happens before both have placed
    assert [p.kind for p in m.scene(1).zone("column:0").pieces] == ["card", "back", "card"]
    assert m.scene(0).zone("column:1").facts["sides"][1]["covered"] == ["card:0:4"]
    before = len(m.events(0))
    m.submit(1, "111")
    events = m.events(0)
    seen = m.intermediate_views(0)
    steps = [events[x.told - 1].event for x in seen]
    assert steps[:5] == [
        Event.TURNED_UP,
        Event.CALLED,
        Event.WON_COLUMN,
        Event.ADDED,
        Event.ADDED,
    ]
    assert [x.told - before for x in seen][:3] == [7, 8, 11]
    up, called, compared, added, *_ = (x.scene for x in seen)
    assert [p.code for p in up.zone("column:1").pieces] == ["9", "1", "4", "a"]
    assert [p.code for p in called.zone("column:1").pieces] == ["9", "1", "4", "a", "6"]
    words = [compared.zone(f"column:{c}").facts["short"] for c in range(3)]
    assert words == ["tie", "won", "won"]
    assert compared.zone("column:0").facts["active"]
    assert not added.zone("column:1").pieces  # what is decided has been cleared
    fresh = seen[steps.index(Event.BATTLE)].scene
    assert not any(fresh.zone(f"column:{c}").pieces for c in range(3))  # before the next flips


@pytest.mark.parametrize("options", MODES, ids=str)
def test_intermediate_views_come_in_order_and_fill_the_table_card_by_card(
    options: dict[str, Any],
) -> None:
    seen = 0
    for m in walk(2, **options):
        for viewer in (None, 0, 1):
            told = [x.told for x in m.intermediate_views(viewer)]
            assert told == sorted(set(told))
            assert all(m.events(viewer)[n - 1].turn == m.events(viewer)[-1].turn for n in told)
            seen += len(told)
    assert seen > 50


def test_who_is_killed_is_shown_after_the_swaps() -> None:
    """H29: then nobody is asked any more, and nothing is compared yet."""
    m = at("A cols=9/1/5 beside=F1 deck=4 B cols=n/8/5 deck=4 stage=swap", **COURT)
    m.submit(0, "12")
    killed = next(
        x.scene for x in m.intermediate_views(0) if m.events(0)[x.told - 1].event == Event.KILLED
    )
    assert [p.code for p in killed.zone("column:0").pieces] == ["n", "F"]
    assert (killed.phase, killed.to_act) == ("TURNED_UP", None)
    assert not killed.choices


def test_equal_cards_say_that_they_are_equal() -> None:
    """ME-69: by their label; so either can be laid where a choice names one of them."""
    m = at("A cols=5/5/5 hand=335 deck=444 B cols=5/5/5 hand=111 deck=444 stage=reinf")
    one, other, third = (p.label for p in m.scene(0).zone("hand").pieces)
    assert one == other != third
    assert [c.word for c in m.scene(0).choices] == ["335", "353", "533"]
    assert m.scene(0).refusals == ()


def test_an_event_is_aimed_at_a_column_by_a_tap() -> None:
    """H26: and says what comes of it; nobody else is offered it."""
    m = at("A deck=A567123 B deck=456321", **COURT)
    scene = m.scene(0)
    assert (scene.phase, scene.prompt) == ("CHOOSE_COLUMN", "Ambush: for which column?")
    assert [(c.word, c.label, c.sub, c.path, c.rules) for c in scene.choices] == [
        ("1", "Ambush to column 1", "now 9:4 6:5 7:6", ("column:0",), ("H26",)),
        ("2", "Ambush to column 2", "now 5:4 10:5 7:6", ("column:1",), ("H26",)),
        ("3", "Ambush to column 3", "now 5:4 6:5 11:6", ("column:2",), ("H26",)),
    ]
    assert scene.zone("beside").facts["text"] == "Your Ambush has yet to be given a column."
    assert m.scene(1).prompt == "Seat 0 chooses the column of Ambush."
    assert m.log(0)[1] == "You turn up Ambush: its column is yet to be chosen."
    m.submit(0, 7)
    assert m.log(1)[-1] == "Seat 0 puts Ambush beside column 2."
    column = m.scene(0).zone("column:1")
    assert "Beside it, You: Ambush." in column.facts["text"]
    assert column.facts["sides"][1]["total"] == "10"


def test_two_columns_are_swapped_by_taps() -> None:
    """H27."""
    m = at("A cols=9/1/5 beside=F1 deck=4 B cols=n/8/5 deck=4 stage=swap", **COURT)
    scene, before = m.scene(0), m.facts()
    assert [(c.word, c.label, c.sub, c.path) for c in scene.choices] == [
        ("12", "Swap columns 1 and 2", "now 1:1 9:8 5:5", ("column:0", "column:1")),
        ("13", "Swap columns 1 and 3", "now 5:1 1:8 9:5", ("column:0", "column:2")),
        ("23", "Swap columns 2 and 3", "now 9:1 5:8 1:5", ("column:1", "column:2")),
        ("-", "Swap nothing", "now 9:1 1:8 5:5", ()),
    ]
    assert scene.prompt == "Do you swap two of your columns? Assassins kill after that."
    assert m.facts() == before
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
    words = "There is a Spy. Place your three cards face up, one in each column."
    assert m.scene(0).prompt == words
    assert m.scene(1).prompt == "Seat 0 places reinforcements, face up: there is a Spy."
    m.submit(0, "321")
    assert m.scene(1).zone("seat:0").facts["chips"] == ["has placed face up"]
    laid = [m.scene(1).zone(f"column:{c}") for c in range(3)]
    open = [p.name for z in laid for p in z.pieces if p.id in z.facts["sides"][0]["covered"]]
    assert open == ["Archer", "Levy", "Peasant"]
    assert m.scene(1).prompt == "Place your two cards face down, in different columns."
    m = at("A hand=1 beside=S1 B hand=1 beside=S1 stage=reinf", **COURT)
    assert m.scene(0).prompt == "Place your card face down in a column."


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


def test_a_card_says_what_it_does_and_where_it_lies() -> None:
    """ME-9: that it adds a card, as an effect and no order; else that it does nothing."""
    m = at("A cols=5/5/5 hand=1a3 B cols=5/5/5 hand=123 stage=reinf")
    labels = {p.name: p.label for p in m.scene(0).zone("hand").pieces}
    assert labels["Scout"] == "Scout 1: adds the next card of your deck"
    assert labels["Archer"] == "Archer 3: no special power"
