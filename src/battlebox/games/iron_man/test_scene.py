"""The Iron Man Game of War in words and zones: choices, nothing hidden, sentences that are true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.games.iron_man import rules as rules_
from battlebox.games.iron_man import scene as scene_
from battlebox.games.iron_man.testing import at, load

MODES: list[dict[str, Any]] = [
    {},
    {"mode": "beginner"},
    {"deck": "ironman-even", "max_plays": 6, "upgrade_scope": "before_only"},
]


def walk(options: dict[str, Any], seed: int) -> Iterator[bb.Match]:
    """A random match, seen before each decision and at its end."""
    m, rng = load(**options).match(seed), random.Random(seed)
    while not m.over:
        yield m
        m.submit(m.to_act, rng.choice(m.legal_actions))
    yield m


def test_every_event_has_words() -> None:
    assert all(hasattr(scene_.Says, e.name.lower()) for e in rules_.Event)


def test_what_a_card_leads_to_comes_true() -> None:
    """IM-53, IM-54: the totals that a choice promises, where no effect comes in between."""
    checked = 0
    for seed in range(4):
        for m in walk({}, seed):
            me = m.to_act or 0
            for c in m.scene(me).choices if m.phase == "RESPOND" else ():
                sums = re.match(r"(\d+) to (\d+), (you lead|standoff|still behind)", c.sub)
                if not sums or c.word in "RSJ":
                    continue
                copy = m.rules.match(0, position=m.write_position())
                battle = copy.state.battle
                copy.submit(me, c.action)
                if copy.state.battle == battle:
                    checked += 1
                    found = copy.facts()
                    assert (
                        found["AB"[me] + ".total"],
                        found["BA"[me] + ".total"],
                    ) == sums.groups()[:2]
                    lead = {"you lead": "AB"[me], "standoff": "-", "still behind": "BA"[me]}
                    assert found["lead"] == lead[sums[3]]
    assert checked > 30


def test_the_table_in_words() -> None:
    m = at("A hand=3E slots=311\nB hand=31 slots=511\nstage=flip")
    s = m.scene(0)
    assert s.prompt == "You are behind in battle 1, 3 to 5: play a card, or concede it."
    assert s.zone("battle:1").facts["text"] == "Seat 1 leads, 3 to 5."
    assert s.zone("battle:1").facts["notes"] == [
        "Iron Man: Flight Charge 3 = 3",
        "War Machine: Full Thrust 5 = 5",
    ]
    assert s.zone("battle:2").facts["text"] == "your Pulse Bolt lies face down."
    assert m.scene(1).zone("battle:3").facts["text"] == "your Pulse Bolt lies face down."
    assert m.scene(None).zone("battle:2").facts["text"] == "face down."
    assert [p.kind for p in s.zone("battle:2").pieces] == ["back", "peek"]
    sides = s.zone("battle:1").facts["sides"]
    assert [(x["total"], x["leads"]) for x in sides] == [("5", True), ("3", False)]  # own one last
    said = {c.word: (c.label, c.sub) for c in s.choices}
    assert said["3"] == ("Play Flight Charge", "6 to 5, you lead")
    assert said["x"] == ("Concede the battle", "Seat 1 wins battle 1")
    assert said["E"][1] == "then you choose which of their cards is discarded"
    m.submit(0, "E")
    (only,) = m.scene(0).choices
    assert (only.label, only.sub) == ("Discard Full Thrust", "3 to 0, you lead")
    assert only.path == ("line:0:1:0",)


def test_a_choice_says_what_a_special_card_does() -> None:
    """Not only the totals, which a card that is drawn or taken back does not change."""
    m = at("A hand=URS5 line=3 deck=11 discard=1\nB hand=1 line=5 deck=1\nstage=act")
    said = {c.word: c.sub for c in m.scene(0).choices}
    assert said["S"] == "3 to 5, still behind; you take a power card back"
    assert said["R"] == "3 to 5, still behind; you draw 2 cards"
    assert said["U"] == "6 to 5, you lead; your total is doubled"
    assert said["5"] == "8 to 5, you lead"
    m = at("A hand=U5 line=U3 deck=11 discard=1\nB hand=1 line=54 deck=1\nstage=act")
    said = {c.word: c.sub for c in m.scene(0).choices}
    assert said["U"] == "6 to 9, still behind; your total is doubled already"


def test_the_end_says_who_and_why() -> None:
    position = "A pawn=3 slots=--5 won=5\nB pawn=4 slots=--1 won=4\nstage=flip battle=3 wins=A{}"
    m = at("A pawn=4 slots=--5 won=5\nB slots=--1 won=4\nstage=flip battle=3 wins=AB")
    assert m.scene(0).prompt == "You win: your pawn is on victory card 5."
    assert m.scene(1).prompt == "Seat 0 wins: the pawn is on victory card 5."
    m = at(position.format("B"), max_rounds=1)
    assert m.scene(0).prompt == "A draw: 1 rounds are over and both pawns are on victory card 4."


def test_battles_are_turned_one_after_the_other() -> None:
    """IM-17, IM-31: what one action sets off can be looked at pair by pair, then the round."""
    own = "A hand=1155555 deck=1111111111\nB hand=444444 slots=44- deck=1111111111 stage=place"
    m = at(
        own.replace("1155555", "1155").replace("hand=1155", "hand=11 slots=155"), mode="beginner"
    )
    m.submit(1, "4")
    assert [x.scene.prompt for x in m.intermediate_views(0)] == [
        "Seat 1 leads, 1 to 4.",
        "You lead, 5 to 4.",
        "You lead, 5 to 4.",
        "Round 1: You win 2 battles to 1.",
    ]
    first, *_, last = (x.scene for x in m.intermediate_views(0))
    assert [first.zone(f"battle:{b}").facts["short"] for b in (1, 2)] == [
        "Seat 1 leads",
        "face down",
    ]
    assert [last.zone(f"seat:{p}").facts["points"] for p in (0, 1)] == [2, 1]
    assert first.to_act is None


def test_a_card_says_what_it_counts_here() -> None:
    """IM-85, IM-94, IM-95: the cards of a side add up to its total, as the note says."""
    m = at("A hand=1 line=5MU\nB hand=1 line=D3 stage=act")
    battle = m.scene(0).zone("battle:1")
    assert battle.facts["notes"] == [
        "Iron Man: Full Thrust 4 + Missile Barrage 2 + Upgrade 6 = 12",
        "War Machine: Power Drain 0 + Flight Charge 3 = 3",
    ]
    assert [p.value for p in battle.pieces] == ["0", "3", "4", "2", "×2"]


def lost(m: bb.Match, battle: int) -> list[str]:
    """What lies behind the cards of both sides, the other's first."""
    return [x.code for x in m.scene(0).zone(f"battle:{battle}").pieces if x.kind == "lost"]


@pytest.mark.parametrize(
    ("position", "words", "codes"),
    [
        ("A hand=24 slots=E11\nB hand=33 slots=U11\nstage=flip", "", ["U", "E"]),
        ("A hand=E line=2\nB hand=3 line=15\nstage=act", "E5", ["5"]),
        ("A hand=J1 line=2\nB hand=1 line=5\nstage=act", "J", ["1"]),
    ],
    ids=["cancelled", "struck", "jammed"],
)
def test_the_last_card_lost_lies_behind_the_others(
    position: str, words: str, codes: list[str]
) -> None:
    """IM-75, IM-89, IM-98."""
    m = at(position)
    for word in words:
        m.submit(m.to_act, word)
    assert lost(m, 1) == codes


def test_a_card_lost_is_not_seen_in_the_next_round() -> None:
    """IM-32, IM-75, H28: as the lines, it lies there until others cover them."""
    m = at("A slots=E11 deck=1111111\nB slots=U11 deck=1111111\nstage=flip")
    assert (m.phase, lost(m, 1)) == ("PLACE", ["U", "E"])
    for _ in range(6):
        m.submit(m.to_act, "1")
    assert (m.phase, lost(m, 1)) == ("STAND", [])
