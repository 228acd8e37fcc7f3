"""War Zone as text: positions, words, and what is no position and no word."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import battlebox as bb
from battlebox.games.war_zone.testing import at, health, load, play_on


@pytest.mark.parametrize("options", [{}, {"cycle": 2, "v2": True, "speedy": True}, {"teams": 2}])
def test_positions_come_back_as_they_were_written(options: dict[str, Any]) -> None:
    rules = load(players=4, **options)
    m = rules.match(seed=9)
    for k in range(80):
        if m.over:
            break
        text = m.write_position()
        again = rules.match(seed=1, position=text)
        assert again.write_position() == text
        assert (again.to_act, again.phase, again.legal_words()) == (
            m.to_act,
            m.phase,
            m.legal_words(),
        )
        play_on(m, 1, seed=k)


@pytest.mark.parametrize(
    ("position", "fragment"),
    [
        ("", "begins with wz1"),
        ("wz2 n=2 ph=ATTACK", "begins with wz1"),
        ("wz1 ph=ATTACK", "n="),
        ("wz1 n=x ph=ATTACK", "n=x"),
        ("wz1 n=7 ph=ATTACK", "n=7"),
        ("wz1 n=1 ph=ATTACK", "n=1"),
        ("wz1 n=3 ph=ATTACK", "the match has 2 players"),
        ("wz1 n=2", "ph="),
        ("wz1 n=2 ph=SHOOT", "ph=SHOOT"),
        ("wz1 n=2 ph=OVER", "ph=OVER"),
        ("wz1 n=2 ph=ATTACK here", "'here'"),
        ("wz1 n=2 ph=ATTACK turn=0 turn=1", "written twice"),
        ("wz1 n=2 ph=ATTACK turn=2", "turn=2"),
        ("wz1 n=2 ph=ATTACK act=-1", "act=-1"),
        ("wz1 n=2 ph=ATTACK hs=0", "hs=0"),
        ("wz1 n=2 ph=ATTACK lr=2", "lr=2"),
        ("wz1 n=2 ph=ATTACK idle=many", "idle=many"),
        ("wz1 n=2 ph=ATTACK health=20", "health=20"),
        ("wz1 n=2 ph=ATTACK health=20.20.20", "health=20.20.20"),
        ("wz1 n=2 ph=ATTACK health=20.x", "health=20.x"),
        ("wz1 n=2 ph=ATTACK health=20.-1", "health=20.-1"),
        ("wz1 n=2 ph=ATTACK health=0.20", "seat 0 is out"),
        ("wz1 n=2 ph=ATTACK health=20.0", "no two opponents"),
        ("wz1 n=2 ph=ATTACK hand0=IF.XX", "hand0=IF.XX"),
        ("wz1 n=2 ph=ATTACK hand2=IF", "'hand2'"),
        ("wz1 n=2 ph=ATTACK colour=red", "'colour'"),
        ("wz1 n=2 ph=ATTACK deck=" + ".".join(["IF"] * 61), "60 cards"),
        ("wz1 n=2 ph=ATTACK last=IF", "last=IF"),
        ("wz1 n=2 ph=ATTACK last=IF@2", "last=IF@2"),
        ("wz1 n=2 ph=ATTACK last=XX@1", "XX"),
        ("wz1 n=2 ph=ATTACK latk=BW", "latk=BW"),
        ("wz1 n=2 ph=ATTACK pend=IF>1", "ph=DEFEND"),
        ("wz1 n=2 ph=DEFEND", "pend="),
        ("wz1 n=2 ph=DEFEND pend=IF", "pend=IF"),
        ("wz1 n=2 ph=DEFEND pend=BW>1", "pend=BW>1: write one attack"),
        ("wz1 n=2 ph=DEFEND pend=IF>2", "pend=IF>2"),
        ("wz1 n=2 ph=DEFEND turn=1 pend=IF>1", "target"),
    ],
)
def test_wrong_positions_are_explained(position: str, fragment: str) -> None:
    with pytest.raises(bb.PositionError) as e:
        load().match(seed=1, position=position)
    assert str(e.value).startswith("position:")
    assert fragment in str(e.value)


@pytest.mark.parametrize(
    ("word", "fragment"),
    [
        ("", "not an action"),
        ("attack", "not an action"),
        ("if>1", "not an action"),
        ("IF>", "not an action"),
        ("IF>11", "not an action"),
        ("cIF>1", "not an action"),
        ("pass ", "not an action"),
        ("XX>1", "no card has the code 'XX'"),
        ("cXX", "no card has the code 'XX'"),
        ("IF", "names its target"),
        ("IF>5", "no seat 5"),
        ("BW>1", "defence"),
        ("IF>0", "yourself"),
    ],
)
def test_wrong_words_are_explained(word: str, fragment: str) -> None:
    """WZ-19, WZ-21, WZ-33, W25: and the match is as it was."""
    m = at("wz1 n=3 hs=2 ph=ATTACK hand0=IF.BW hand1=MG.RE hand2=SS.AR deck=TA.SN")
    before = m.digest()
    with pytest.raises(bb.InvalidWord, match=re.escape(fragment)):
        m.submit(0, word)
    assert m.digest() == before


@pytest.mark.parametrize(
    ("seat", "word"), [(0, "RE>1"), (0, "BW"), (0, "cIF"), (1, "pass"), (1, "RE>2"), (3, "pass")]
)
def test_illegal_actions_change_nothing(seat: int, word: str) -> None:
    """WZ-19, WZ-22, WZ-32."""
    m = at("wz1 n=3 hs=2 ph=ATTACK hand0=IF.BW hand1=MG.RE hand2=SS.AR deck=TA.SN")
    before = m.digest()
    with pytest.raises(bb.IllegalAction):
        m.submit(seat, word)
    assert m.digest() == before
    assert m.history == []


def test_a_position_before_the_deal_has_no_cards() -> None:
    """W37: it is refused, or the deal begins with the cards of the deck file alone."""
    try:
        m = at("wz1 n=2 ph=DEAL hand0=IF.IF disc=RE deck=TA")
    except bb.PositionError:
        return
    f = m.facts()
    cards = [c for k in ("hand0", "hand1", "deck", "disc") if f[k] != "-" for c in f[k].split(".")]
    assert Counter(cards) == {c.code: c.count for c in m.rules.names.cards}


def test_a_copy_that_waits_comes_back() -> None:
    """W13: 1 health for the copy, 5 damage, also from the written position."""
    options: dict[str, Any] = {"v2": True, "v2_blockable": True}
    m = at("wz1 n=2 hs=1 ph=ATTACK health=10.10 hand0=IF latk=IF deck=TA", **options)
    m.submit(0, "IF>1")
    again = at(m.write_position(), **options)
    for x in (m, again):
        x.submit(1, "pass")
        assert health(x) == "11.5"


def test_the_first_player_comes_back() -> None:
    """W33: seat 1 began, so the round is not over when seat 0 is to act."""
    options: dict[str, Any] = {
        "speedy": True,
        "speedy_finish": "round",
        "mulligan": 0,
        "starter": 1,
    }
    m = load(**options).match(seed=1)
    m.submit(1, "pass")
    m.submit(1, "pass")
    text = m.write_position().replace(" dep=0 ", " dep=1 ").replace("=20.20 ", "=20.19 ")
    again = at(text, **options)
    again.submit(0, "pass")
    again.submit(0, "pass")
    assert again.over  # seat 1 would be next
    m = load(**options).match(seed=1)
    again = at(m.write_position().replace(" dep=0 ", " dep=1 "), **options)
    again.submit(1, "pass")
    again.submit(1, "pass")
    assert again.to_act == 0  # the round has just begun


def test_cards_out_of_the_game_come_back() -> None:
    """W9, W31: the lightning round is dealt from all cards, the removed ones too."""
    options: dict[str, Any] = {"out_hand": "remove", "max_turns": 1}
    m = at("wz1 n=3 hs=1 ph=ATTACK health=9.2.9 hand0=RE hand1=MG hand2=AA deck=TA", **options)
    m.submit(0, "RE>1")
    m.submit(1, "pass")
    again = at(m.write_position(), **options)
    for x in (m, again):
        x.submit(0, "pass")
        f = x.facts()
        places = [f[k] for k in ("hand0", "hand1", "hand2", "deck", "disc") if f[k] != "-"]
        assert sorted(".".join(places).split(".")) == ["AA", "MG", "RE", "TA"]


@pytest.mark.parametrize(
    "position",
    [
        "wz1 n=2 ph=ATTACK turn=0 act=1",
        "wz1 n=2 ph=CYCLE turn=0 act=1 hand0=IF hand1=BW deck=TA",
        "wz1 n=3 ph=DEFEND turn=0 act=1 health=0.5.5 pend=IF>1",
        "wz1 n=4 ph=ATTACK health=5.0.5.0",
        "wz1 n=4 ph=DEFEND pend=IF>2",
        "wz1 n=3 ph=ATTACK health=5.0.5 hand1=IF",
        "wz1 n=2 ph=ATTACK latk=IF.RE",
        "wz1 n=2 ph=ATTACK last=IF.RE@1",
        "wz1 n=3 ph=ATTACK health=5.0.5 last=IF@1",
        "wz1 n=2 ph=ATTACK cyc=1",
        "wz1 n=2 ph=ATTACK dep=1",
        "wz1 n=2 ph=DEAL hs=30",
        "wz1 n=3 ph=MULL health=20.20.0",
        *(
            f"wz1 n=2 ph=MULL {x}"
            for x in ("lr=1", "turns=1", "idle=1", "last=IF@0", "latk=IF", "disc=IF")
        ),
    ],
)
def test_impossible_positions_are_refused(position: str) -> None:
    """W37: seat to act, sides left, targets and hands fit each other."""
    options = {"teams": 2} if "n=4" in position else {}
    with pytest.raises(bb.PositionError):
        at(position, **options)


def test_a_lightning_round_knows_no_depleted_deck() -> None:
    at("wz1 n=2 ph=ATTACK dep=1", speedy=True)
    with pytest.raises(bb.PositionError, match="dep=1"):
        at("wz1 n=2 ph=ATTACK dep=1 lr=1", speedy=True)


@pytest.mark.parametrize("item", ["last=-@0", "latk="])
def test_an_empty_card_is_named(item: str) -> None:
    with pytest.raises(bb.PositionError, match=re.escape(item)):
        load().match(seed=1, position=f"wz1 n=2 ph=ATTACK {item}")
