"""War Zone in words and zones: every choice once, nothing hidden shown, sentences that are true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.scene import rule_ids
from battlebox.games.war_zone import rules as rules_
from battlebox.games.war_zone import scene as scene_

MODES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "deck": "warzone-half", "speedy": True, "cycle": 2},
    {"players": 4, "teams": 2, "v2": True},
    {"players": 5, "out_hand": "remove", "health_cap": 20},
    {"players": 6, "teams": 3, "v2": True, "v2_blockable": True, "speedy": True},
    {"players": 6, "must_attack": True, "start_health": 6, "reshuffle": "lazy"},
    {"players": 2, "deck": "warzone-half", "speedy": True, "speedy_finish": "now"},
    {"players": 3, "v2": True, "v2_blockable": True, "health_cap": 20},
    {"players": 3, "v2": True, "health_cap": 21, "cycle": 0, "mulligan": 0},
]


def walk(options: dict[str, Any], seed: int) -> Iterator[bb.Match]:
    """A random match, seen before each decision and at its end."""
    m, rng = bb.load("war_zone", **options).match(seed), random.Random(seed)
    while not m.over:
        yield m
        m.submit(m.to_act, rng.choice(m.legal_actions))
    yield m


@pytest.mark.parametrize("options", MODES, ids=str)
def test_all_but_one_choice_is_made_by_taps(options: dict[str, Any]) -> None:
    for m in walk(options, 3):
        for seat in [None, *range(m.rules.players)]:
            buttons = [c.word for c in m.scene(seat).choices if not c.path]
            assert len(buttons) <= 1, "all others are tapped"


@pytest.mark.parametrize("options", MODES, ids=str)
def test_what_a_choice_promises_comes_true(options: dict[str, Any]) -> None:
    for seed in range(6):
        rng, m = random.Random(seed), bb.load("war_zone", **options).match(seed)
        checked = 0
        while not m.over:
            me, c = m.to_act, rng.choice(m.scene(m.to_act).choices)
            before, phase = int(m.state.health[me]), m.phase
            m.submit(me, c.action)
            if phase == "ATTACK" and (hit := re.match(r"(\d+) → (\d+)", c.sub)):
                target = int(c.path[1][5:])
                assert m.state.health[target] == int(hit[1])
                gains = sum(map(int, re.findall(r"\+(\d+) for you", c.sub)))
                promised = next(x for x in m.scene(target).choices if x.action == 0).sub
                assert promised.startswith(f"{hit[1]} → {hit[2]}")
                lightning = m.state.lightning
                m.submit(target, 0)
                if m.state.lightning == lightning:  # else everything begins anew
                    assert m.state.health[target] == int(hit[2])
                    assert m.state.health[me] == before + gains
                    checked += 1
                if "the game ends after this attack" in c.sub:
                    assert m.over or m.state.lightning
            elif phase == "ATTACK" and "at once" in c.sub and "ends" in c.sub:
                assert m.over or m.state.lightning
        assert checked or options.get("start_health")


@pytest.mark.parametrize("options", MODES, ids=str)
def test_no_card_put_under_the_deck_is_named_to_others(options: dict[str, Any]) -> None:
    m = list(walk(options, 8))[-1]
    for seat in [None, *range(m.rules.players)]:
        for told in m.events(seat):
            if told.event.name == "PUT_UNDER" and told.args["seat"] != seat:
                assert m.say(told, seat) == f"Seat {told.args['seat']} puts a card under the deck."


def test_every_event_has_words() -> None:
    assert all(hasattr(scene_.Says, e.name.lower()) for e in rules_.Event)


def at(position: str, **options: Any) -> bb.Match:
    n = re.search(r"n=(\d)", position)
    assert n is not None
    return bb.load("war_zone", players=int(n[1]), **options).match(1, position=position)


def choice(m: bb.Match, word: str) -> bb.Choice:
    return next(c for c in m.scene(m.to_act).choices if c.word == word)


def test_an_attack_says_what_is_certain() -> None:
    m = at("wz1 n=3 ph=ATTACK health=20.17.3 hand0=IF.AR.BW hand1=RE hand2=TR deck=SN.SN.SN.SN "
           "disc=RE last=RE@1 latk=RE")  # fmt: skip
    c = choice(m, "IF>1")
    assert (c.label, c.sub) == ("Attack Seat 1 with Infantry Fire", "17 → 12, if not blocked")
    assert c.path == ("hand:IF", "seat:1")
    assert c.rules == ("WZ-17", "WZ-18", "WZ-19", "WZ-20", "WZ-48")
    assert choice(m, "AR>1").sub == "17 → 12, if not blocked; counter-attack, +2 for you"
    assert choice(m, "AR>2").sub.startswith("3 → 0 (out), if not blocked; ")
    pills = m.scene(0).zone("last").facts["pills"]
    text = "Artillery would counter it: +2 health, +1 damage"
    assert pills == [{"text": f"{text} (you hold it)", "lit": True}]
    others = [{"text": f"{text}, if an opponent plays it", "lit": False}]
    assert m.scene(1).zone("last").facts["pills"] == others


def test_the_target_is_asked_with_the_reason() -> None:
    m = at("wz1 n=3 ph=ATTACK health=15.17.3 hand0=AR hand1=RE.TR hand2=GM deck=SN.SN.SN.SN "
           "disc=RE last=RE@1 latk=RE")  # fmt: skip
    m.submit(0, "AR>1")
    assert m.scene(1).prompt == (
        "Seat 0 counter-attacks you with Artillery, which counters Reinforcements (4 + 1 damage). "
        "Block it with Trench, or take the hit: 17 → 12."
    )
    assert choice(m, "pass").sub == "17 → 12; +2 for Seat 0"
    assert choice(m, "TR").sub == "you stay at 17, Seat 0 at 15"
    assert m.scene(0).prompt == (
        "You counter-attack Seat 1 with Artillery, which counters Reinforcements. "
        "Seat 1 may block it."
    )
    assert "which counters Reinforcements." in " ".join(m.log(2))
    m.submit(1, "pass")
    assert "Seat 0 gains 2 health: now 17." in m.log(2)
    assert "You take 5 damage: 12 left." in m.log(1)


def test_without_the_card_the_target_is_told_which_it_lacks() -> None:
    m = at(
        "wz1 n=2 ph=DEFEND turn=0 act=1 health=20.4 pend=AR>1 hand1=GM deck=SN.SN disc=AR last=AR@0"
    )
    assert m.scene(1).prompt == (
        "Seat 0 attacks you with Artillery (4 damage). "
        "You hold no Trench to block it: 4 → 0, and you are out."
    )


def test_only_who_is_attacked_is_told_so_in_place_of_a_turn() -> None:
    m = at("wz1 n=3 ph=DEFEND turn=0 act=1 health=20.4.9 pend=AR>1 hand1=GM deck=SN.SN last=AR@0")
    assert [m.scene(p).cue for p in (0, 1, 2, None)] == ["", "You are attacked", "", ""]
    m = at("wz1 n=2 ph=ATTACK turn=0 health=20.4 hand0=AR deck=SN.SN")
    assert m.scene(0).cue == ""


def test_the_last_card_of_a_speedy_game_is_announced() -> None:
    position = "wz1 n=2 hs=2 ph=ATTACK health=20.17 hand0=IF.BW hand1=RE.RE deck=SN"
    end = "takes the last card of the deck: the game ends"
    assert choice(at(position, speedy=True), "IF>1").sub.endswith(f"; {end} after this attack")
    now = at(position, speedy=True, speedy_finish="now")
    assert choice(now, "IF>1").sub == f"{end} at once"
    now.submit(0, "IF>1")
    assert (
        now.scene(1).prompt == "Seat 0 wins: the deck is empty, and they have the most health, 20."
    )
    lazy = at(position, speedy=True, reshuffle="lazy")
    assert choice(lazy, "IF>1").sub == "17 → 12, if not blocked"


def test_who_buried_a_card_knows_where_it_lies() -> None:
    m = at("wz1 n=2 hs=3 ph=CYCLE hand0=IF.BW.TR hand1=RE deck=SN.SN.SN.SN", cycle=2)
    m.submit(0, "cBW")
    assert m.scene(0).zone("deck").facts["notes"] == ["your Barbed Wire is under 4 cards"]
    assert m.scene(1).zone("deck").facts["notes"] == []
    assert m.log(1) == ["Seat 0 puts a card under the deck."]


def test_the_end_says_who_and_why() -> None:
    m = at("wz1 n=4 ph=DEFEND turn=2 act=1 health=0.4.9.0 pend=AR>1 hand1=GM deck=SN last=AR@2",
           teams=2)  # fmt: skip
    m.submit(1, "pass")
    assert m.over
    assert m.scene(0).prompt == "Team A (you and Seat 2) wins: all their opponents are out."
    assert m.scene(1).prompt == "Team A (Seat 0 and Seat 2) wins: all their opponents are out."
    assert "winner" in m.scene(2).zone("seat:0").facts["chips"]
    assert m.scene(2).over


def test_ranges_of_rule_ids_are_spelt_out() -> None:
    assert rule_ids("WZ-17..20, W5: play") == ("WZ-17", "WZ-18", "WZ-19", "WZ-20", "W5")
