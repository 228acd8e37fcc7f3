"""What a seat of Battle sees, what it does not, and its determinizations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.core.checked import checked

from .state import (
    ELIMINATE,
    EXPOSE,
    HELD,
    NEW_BATTLE,
    NOBODY,
    RANKS,
    REVERSE,
    SAVE,
    SKIP,
    Phase,
    Side,
)
from .testing import at, load


def seen(m: bb.Match, seat: int | None) -> Any:
    return checked(m.observation(seat))


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


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_everybody_sees_what_may_be_played_and_by_whom(seat: int | None) -> None:
    """BA-44, H3, B4: who is in and not locked out, both piles' sizes, action cards in a turn."""
    m = at(
        "ba1 n=4 ph=FL turn=0 dealer=2 ids=H.V.H.V out=2 hand0=3 hand1=4 hand3=5 dir=R skip=1 "
        "disc=BT.7.9 stand=9x1@3 open=0 locked=1 round=3 turns=6",
        pass_locks=True,
    )
    o = seen(m, seat)
    assert [o.living[p] for p in range(4)] == [1, 1, 0, 1]
    assert [o.locked[p] for p in range(4)] == [0, 1, 0, 0]
    assert [o.since[p] for p in range(4)] == [0, 1, 0, 0]
    assert (o.pile_size, o.deck_size, o.way, o.dealer, o.skips) == (3, 0, -1, 2, 1)
    assert (o.round, o.turns, o.battle, o.phase, o.to_act) == (3, 6, 1, Phase.FL, 0)
    m = at(
        "ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=3 deck=4.BT disc=5.SK acted=1 takes=3",
        build_actions_per_turn=2,
    )
    o = seen(m, seat)
    assert (o.acted, o.takes, o.deck_size, o.stock[SKIP]) == (1, 3, 2, 1)
    m = at("ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=3 deck=4.BT disc=SV opt=1")
    assert seen(m, seat).option == 1


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_everybody_sees_who_is_aimed_at_and_by_whom(seat: int | None) -> None:
    """BA-55, BA-59."""
    m = at(OPEN)
    m.submit(0, "EL>2")
    o = seen(m, seat)
    assert (o.victim, o.by, o.back) == (2, 0, Phase.FL)


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
    assert len(m.events(0)) == len(m.events(4)) - 1  # they are told of their own answer alone


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
def test_who_is_asked_in_a_determinization_holds_a_save(seat: int | None) -> None:
    m = at(SAVERS)
    m.submit(0, "EL>3")
    asked = set()
    for s in truths(m, seat, 100):
        assert s.hands[s.to_act, SAVE] > 0
        asked.add(s.to_act)
    assert asked == {0, 1, 2, 3, 4} - {seat}


def test_who_is_asked_in_a_determinized_window_can_do_something() -> None:
    """H5, BA-53: NEW BATTLE alone is something only with a card to lead."""
    position = (
        "ba1 n=4 ph=WI turn=0 act=1 ids=H.V.H.V hand0=3 hand1=NB.4 hand2=5.6 hand3=7 "
        "disc=BT.8 stand=8x1@0 open=1.2.3"
    )
    m = at(position, action_timing="windows")
    assert m.legal_words() == ["pass", "NB"]
    for s in truths(m, 0, 50):
        assert s.to_act in (1, 2)
        assert s.hands[s.to_act, NEW_BATTLE] == 1
        assert s.fights[s.to_act] == 1


WINDOW = "ba1 n=5 ph=WI turn=0 act=1 ids=H.V.H.V.H "


def asked(m: bb.Match, seat: int | None, n: int = 120) -> set[int]:
    """Who is asked in a determinization of what this seat knows; they hold a card to play."""
    found = set()
    for s in truths(m, seat, n):
        assert s.living[s.to_act]
        assert sum(s.hands[s.to_act, card] for card in range(RANKS, HELD)) > 0
        found.add(s.to_act)
    return found


@pytest.mark.parametrize("card", ["SK", "RV", "NB", "EL", "SV", "EX"])
def test_while_players_build_any_action_card_may_be_what_one_is_asked_for(card: str) -> None:
    """H5: the only one that is not seen is what the asked player holds; nobody who is out does."""
    m = at(
        f"{WINDOW} out=3 aside=4.5 hand0=3 hand1={card}.6 hand2=7.8 hand4=9 deck=1.BT disc=2",
        action_timing="windows",
    )
    assert asked(m, 0) == {1, 2, 4}
    assert asked(m, None) == {0, 1, 2, 4}


@pytest.mark.parametrize(
    ("hands", "stand", "who"),
    [
        # SAVE is of no use, NEW BATTLE needs a fight card beside it
        ("hand0=SV.3 hand1=NB.6 hand2=7 hand4=9.SV", "9x1@0 open=1.2.4", {1, 4}),
        # a fight card beside it, though most of what is unseen is none
        ("hand0=3 hand1=NB.6 hand2=SV.SV hand4=SV.SV.SV", "9x1@0 open=1.2.4", {1, 2, 4}),
        # SKIP is enough
        ("hand0=3 hand1=SK hand2=7 hand4=9.SV", "9x1@0 open=1.2.4", {1, 2, 4}),
    ],
)
def test_in_the_battle_who_may_be_asked(hands: str, stand: str, who: set[int]) -> None:
    """H5, BA-53, BA-59: who holds what can be played."""
    m = at(f"{WINDOW} out=3 aside=5 {hands} disc=BT.9 stand={stand}", action_timing="windows")
    assert asked(m, 0) == who
    for s in truths(m, 0, 60):
        p = s.to_act
        able = sum(s.hands[p, k] for k in (SKIP, REVERSE, ELIMINATE, EXPOSE))
        assert able or (s.hands[p, NEW_BATTLE] and s.fights[p])


def test_on_a_lead_nobody_is_asked_for_new_battle() -> None:
    """BA-53: nothing stands; so it is for SKIP."""
    m = at(
        f"{WINDOW} out=3 hand0=3 hand1=SK.6 hand2=NB.7 hand4=NB.9 disc=BT.9",
        action_timing="windows",
    )
    assert all(s.hands[s.to_act, SKIP] for s in truths(m, 0, 60))


def test_who_is_known_to_hold_what_is_asked_for_needs_no_other() -> None:
    """BA-17, H5: the SAVE that seat 1 took is known; a fight card that it took, too."""
    m = at(
        "ba1 n=4 ph=PD turn=1 dealer=0 ids=H.V.H.V hand0=3 hand2=5 hand3=6 deck=4.7.BT disc=SV "
        "opt=1",
        action_timing="windows",
    )
    m.submit(1, "take")
    m.submit(1, "pass")
    for s in truths(m, 0, 30):
        assert (s.to_act, s.hands[1, SAVE], s.hand_size[1]) == (1, 1, 1)


def test_a_fight_card_that_is_known_is_enough_for_new_battle() -> None:
    """BA-53, H5: seat 1 took the 8; with NEW BATTLE its hand is full, and nobody else has room."""
    m = at(
        "ba1 n=4 ph=PD turn=1 ids=H.V.H.V hand0=3 hand1=NB hand2=4.4 hand3=SV deck=BT.6 disc=8",
        action_timing="windows",
    )
    m.submit(1, "take")
    m.submit(1, "pass")
    while m.phase == "WI":
        m.submit(m.to_act, "pass")
    m.submit(2, "draw")
    m.submit(2, "4x1")
    for s in truths(m, 0, 30):
        assert (s.to_act, s.hands[1, NEW_BATTLE], s.hands[1, 7]) == (1, 1, 1)


BUILD = (
    "ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=1.SK hand1=2.RV hand2=3.NB hand3=4.SV "
    "deck=5.6.BT.EX.7 disc=8"
)
UNSEEN = "2 RV 3 NB 4 SV 5 6 BT EX 7"  # by seat 0


@pytest.mark.parametrize("seat", [0, None])
def test_every_card_that_is_not_seen_may_lie_wherever_none_is_seen(seat: int | None) -> None:
    """BA-10: in every other hand and at every depth; BATTLE at every depth, in no hand.

    Each of at most thirteen cards is in a place at least once in thirteen: that 400 truths miss one
    of them happens once in a million times a million.
    """
    m = at(BUILD)
    unseen = {*UNSEEN.split()} | ({"1", "SK"} if seat is None else set())
    places: dict[str, set[str]] = {}
    for s in truths(m, seat, 400):
        f = m.rules.game.notation.facts(m.rules, s)
        assert (f["disc"], f["decksize"]) == ("8", "5")
        for p in range(4):
            places.setdefault(f"hand{p}", set()).update(f[f"hand{p}"].split("."))
        for depth, card in enumerate(f["deck"].split(".")):
            places.setdefault(f"deck{depth}", set()).add(card)
    if seat is not None:
        assert places.pop(f"hand{seat}") == {"1", "SK"}
    assert len(places) == 5 + (4 if seat is None else 3)
    for place, cards in places.items():
        assert cards == (unseen if place.startswith("deck") else unseen - {"BT"}), place


def test_of_an_odd_number_known_villains_count_as_known_heroes_do() -> None:
    """B1: two villains are exposed; that there is a third is twice as likely as a third hero."""
    m = at("ba1 n=5 ph=LD ids=H.V.V.V.H exp=1.2 hand0=3 hand1=4 hand2=5 hand3=6 hand4=7")
    found = Counter(
        sum(s.identity[p] == Side.SUPERHERO for p in range(5)) for s in truths(m, 0, 600)
    )
    assert set(found) == {2, 3}
    assert abs(found[3] / 600 - 1 / 3) < 0.08  # four times the spread


def test_the_odd_identity_is_determinized_by_what_is_known() -> None:
    """B1: of five, one hero knows of two more heroes in three cases out of five."""
    m = at("ba1 n=5 ph=LD ids=H.V.H.V.H hand0=3 hand1=4 hand2=5 hand3=6 hand4=7")
    found = Counter(
        sum(s.identity[p] == Side.SUPERHERO for p in range(5)) for s in truths(m, 0, 900)
    )
    assert set(found) == {2, 3}
    assert abs(found[3] / 900 - 3 / 5) < 0.07  # four times the spread


def test_an_odd_number_of_identities_leaves_both_sides_in_the_round() -> None:
    """B1, BA-68: of three left one knows their own side; what they know of others counts."""
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
    """BA-68: of two, the other is an enemy; where the round goes on, they need not be."""
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
    assert seen(n, None).known[0, 10] == 0  # they may have no other


def test_battle_is_determinized_into_the_deck() -> None:
    """BA-10: before it is drawn it is there, and in no hand there is room for it."""
    m = load(players=6).match(5)
    for s in truths(m, 2, 30):
        assert [s.deck[i] for i in range(s.deck_size)].count(HELD) == 1
        assert all(s.fights[p] == sum(s.hands[p, r] for r in range(RANKS)) for p in range(6))


def test_who_is_out_keeps_what_he_knows() -> None:
    """BA-56, B12: their cards lie face down; they have seen them, nobody else has."""
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
        m.submit(m.to_act, dice.choice(m.legal_actions))
    o = seen(m, None)
    assert all(o.exposed[p] == m.state.identity[p] > 0 for p in range(players))
