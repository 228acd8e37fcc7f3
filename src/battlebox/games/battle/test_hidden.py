"""What a seat of Battle sees, what it does not, and the truths it may imagine."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.core.views import view

from .state import (
    HELD,
    NEW_BATTLE,
    NOBODY,
    RANKS,
    SAVE,
    Side,
)
from .testing import at, load


def seen(m: bb.Match, seat: int | None) -> Any:
    return view(m.observation(seat))


def truths(m: bb.Match, seat: int | None, n: int) -> Iterator[Any]:
    """So many random states that look to this seat as m does."""
    dice, copy = random.Random(1), m.rules.match(0)
    for _ in range(n):
        yield laws.another_truth(m, seat, dice, copy).state


OPEN = (
    "ba1 n=4 ph=FL turn=0 ids=H.V.H.V exp=1 hand0=EL.3.SV hand1=12.5 hand2=2.2.SK hand3=4.9 "
    "disc=BT.7.9 stand=9x1@3 open=0.1.2 score=1.0.2.0"
)


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_what_everybody_sees(seat: int | None) -> None:
    """BA-44, BA-49, BA-77: cards played, sizes of hands, open identities, points."""
    o = seen(at(OPEN), seat)
    assert [o.hand_size[p] for p in range(4)] == [3, 2, 3, 2]
    assert [o.exposed[p] for p in range(4)] == [0, Side.VILLAIN, 0, 0]
    assert [o.pile[i] + 1 for i in range(1, 3)] == [7, 9]
    assert (o.rank + 1, o.number, o.owner, o.turn) == (9, 1, 4, 0)
    assert [o.points[p] for p in range(4)] == [1, 0, 2, 0]


@pytest.mark.parametrize(
    ("old", "new", "who"),
    [
        ("ids=H.V.H.V", "ids=V.V.H.H", {0, 3}),
        ("2.2.SK hand3=4.9", "2.4.SK hand3=2.9", {2, 3}),
        ("EL.3.SV hand1=12.5", "EL.3.5 hand1=12.SV", {0, 1}),
    ],
)
def test_identities_and_hands_are_their_owners(old: str, new: str, who: set[int]) -> None:
    """BA-5: two identities exchanged, or two cards, look the same to all others."""
    m, n = at(OPEN), at(OPEN.replace(old, new))
    for seat in (0, 1, 2, 3, None):
        same = m.observation(seat).tobytes() == n.observation(seat).tobytes()
        assert same == (seat not in who)


def test_the_deck_is_nobodys() -> None:
    """BA-10: nor does anybody know where BATTLE is in it."""
    building = "ba1 n=4 ph=PD ids=H.V.H.V hand0=3 hand1=4 hand2=5 hand3=6 deck={}"
    m, n = at(building.format("BT.7.8")), at(building.format("8.7.BT"))
    for seat in (0, 1, 2, 3, None):
        assert m.observation(seat).tobytes() == n.observation(seat).tobytes()


SAVERS = (
    "ba1 n=5 ph=FL turn=0 ids=H.V.H.V.H hand0=EL.3 hand1=2.SV hand2=5 hand3=9.8 hand4=7.SV "
    "stand=9x1@1 open=0.2.3.4"
)


def test_only_who_is_asked_knows_it() -> None:
    """B13: neither whom the question is put to now, nor who has declined."""
    m = at(SAVERS)
    m.submit(0, "EL>3")
    assert m.to_act == 4
    assert [seen(m, p).to_act for p in range(5)] == [NOBODY, NOBODY, NOBODY, NOBODY, 4]
    before = [m.observation(seat).tobytes() for seat in (0, 2, 3, None)]
    m.submit(4, "pass")
    assert m.to_act == 1
    assert [m.observation(seat).tobytes() for seat in (0, 2, 3, None)] == before
    assert len(m.events(0)) == len(m.events(4)) - 1  # he is told of his own answer alone


@pytest.mark.parametrize("holders", ["", "2", "3", "23"])
def test_the_end_of_a_round_does_not_tell_who_was_asked(holders: str) -> None:
    """B13, H5: who was asked last, or that nobody was."""
    hands = {p: f"5{'.SV' * (str(p) in holders)}" for p in (2, 3)}
    hands = {p: hand if ".SV" in hand else f"{hand}.1" for p, hand in hands.items()}
    m = at(
        f"ba1 n=4 ph=FL turn=0 ids=H.V.H.V out=1 hand0=EL.3 hand2={hands[2]} hand3={hands[3]} "
        "stand=9x2@3 open=0.2",
        rounds=1,
    )
    m.submit(0, "EL>3")
    while m.to_act is not None:
        m.submit(m.to_act, "pass")
    assert all(seen(m, seat).to_act == NOBODY for seat in (0, 1, 2, 3, None))


@pytest.mark.parametrize("seat", [0, 2, 3, None])
def test_whoever_is_guessed_to_be_asked_holds_a_save(seat: int | None) -> None:
    m = at(SAVERS)
    m.submit(0, "EL>3")
    asked = set()
    for s in truths(m, seat, 100):
        assert s.hands[s.to_act, SAVE] > 0
        asked.add(s.to_act)
    assert asked == {0, 1, 2, 3, 4} - {seat}


def test_who_is_guessed_to_be_asked_in_a_window_can_do_something() -> None:
    """H5, BA-53: NEW BATTLE alone is something only with a card to lead."""
    position = (
        "ba1 n=4 ph=WI turn=0 act=1 ids=H.V.H.V hand0=3 hand1=NB.4 hand2=5.6 hand3=7 "
        "disc=BT.8 stand=8x1@0 open=1.2.3"
    )
    m = at(position, action_timing="windows")
    assert m.legal() == ["pass", "NB"]
    for s in truths(m, 0, 50):
        assert s.to_act in (1, 2)
        assert s.hands[s.to_act, NEW_BATTLE] == 1
        assert s.fights[s.to_act] == 1


def test_the_odd_identity_is_guessed_by_what_is_known() -> None:
    """B1: of five, one hero knows of two more heroes in three cases out of five."""
    m = at("ba1 n=5 ph=LD ids=H.V.H.V.H hand0=3 hand1=4 hand2=5 hand3=6 hand4=7")
    found = Counter(
        sum(s.identity[p] == Side.SUPERHERO for p in range(5)) for s in truths(m, 0, 900)
    )
    assert set(found) == {2, 3}
    assert abs(found[3] / 900 - 3 / 5) < 0.07  # four times the spread


def test_an_odd_number_of_identities_leaves_both_sides_in_the_round() -> None:
    """B1, BA-68: of three who are left one knows himself; what he knows of the others counts."""
    m = at("ba1 n=5 ph=LD turn=0 ids=V.H.H.V.H exp=1.2 out=1.2 hand0=3 hand3=4 hand4=7")
    found = Counter((s.identity[3], s.identity[4]) for s in truths(m, 0, 600))
    assert len(found) == 2  # both villains, and all who are left were of one side
    assert abs(found[1, 2] - 300) < 70


@pytest.mark.parametrize(("odd", "heroes"), [("hero", 3), ("villain", 2)])
def test_a_fixed_odd_identity_is_known(odd: str, heroes: int) -> None:
    m = load(players=5, odd_identity=odd).match(3)
    for seat in (0, 1, None):
        for s in truths(m, seat, 20):
            assert sum(s.identity[p] == Side.SUPERHERO for p in range(5)) == heroes


def test_both_sides_are_left_while_the_round_goes_on() -> None:
    """BA-68: of two, the other is an enemy; where the round goes on, he need not be."""
    position = "ba1 n=4 ph=LD out=2.3 ids=H.V.H.V hand0=3 hand1=4"
    assert {s.identity[1] for s in truths(at(position), 0, 40)} == {Side.VILLAIN}
    both = {Side.SUPERHERO, Side.VILLAIN}
    m = at(position, wipeout_ends=False)
    assert {s.identity[1] for s in truths(m, 0, 40)} == both


def test_a_card_taken_from_the_discard_pile_is_known_until_it_is_shown() -> None:
    """BA-20: all have seen it go into the hand."""
    m = at(
        "ba1 n=4 ph=PD ids=H.V.H.V hand0=3.8 hand1=4.4 hand2=5.6 hand3=6.6 deck=7.9.BT.1 disc=11"
    )
    m.submit(0, "take")
    assert all(s.hands[0, 10] == 1 for s in truths(m, 2, 40))
    m.submit(0, "d3")
    assert all(s.hands[0, 10] == 1 for s in truths(m, 2, 40))
    m.submit(1, "draw")
    m.submit(1, "pass")
    assert seen(m, None).known[0, 10] == 1
    n = at(
        "ba1 n=4 ph=PD ids=H.V.H.V hand0=11.8 hand1=4.4 hand2=5.6 hand3=6.6 deck=7.9.BT.1 disc=11"
    )
    n.submit(0, "take")
    n.submit(0, "d11")
    assert seen(n, None).known[0, 10] == 0  # he may have no other


def test_battle_is_guessed_to_be_in_the_deck() -> None:
    """BA-10: before it is drawn it is there, and in no hand there is room for it."""
    m = load(players=6).match(5)
    for s in truths(m, 2, 30):
        assert [s.deck[i] for i in range(s.deck_size)].count(HELD) == 1
        assert all(s.fights[p] == sum(s.hands[p, r] for r in range(RANKS)) for p in range(6))


def test_who_is_out_keeps_what_he_knows() -> None:
    """BA-56, B12: his cards lie face down; he has seen them, nobody else has."""
    m = at(OPEN)
    m.submit(0, "EL>2")
    if m.phase == "SV":
        m.submit(0, "pass")
    assert seen(m, 2).hands[2, 1] == 2
    assert all(not seen(m, p).hands[2, 1] for p in (0, 1, 3, None))
    assert m.facts()["aside"] == "2.2.SK"


@pytest.mark.parametrize("players", [4, 7])
def test_at_the_end_all_identities_are_open(players: int) -> None:
    m = load(players=players, rounds=1).match(2)
    dice = random.Random(2)
    while m.to_act is not None:
        m.submit(m.to_act, dice.choice(m.actions))
    o = seen(m, None)
    assert all(o.exposed[p] == m.state.identity[p] > 0 for p in range(players))
