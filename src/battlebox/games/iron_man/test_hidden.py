"""What a seat of the Iron Man Game of War sees, what it does not, and its determinizations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.checked import checked
from battlebox.games.iron_man.testing import at, load, play_on

SEEN_BY_NONE = (1, None)  # the other seat, and a spectator


def everything(m: bb.Match, seat: int | None) -> Any:
    """All that a seat, its bot and its front end get of a match."""
    return (
        m.observation(seat).tobytes(),
        json.dumps(m.scene(seat).to_dict()),
        [repr(told) for told in m.events(seat)],
        m.log(seat),
        m.legal_words() if seat == m.to_act else None,
        [*m.legal_actions] if seat == m.to_act else None,
    )


# ---- sealed choices ------------------------------------------------------------------------------
STANDOFFS = [
    "A hand=12345FEUMDRSJ line=4 deck=1 discard=2\nB hand=13E line=4 deck=2\nstage=act",
    "A hand=12 slots=--E line=4\nB hand=J line=4\nstage=act battle=2 wins=-",
]


@pytest.mark.parametrize("mode", ["advanced", "beginner"])
@pytest.mark.parametrize("position", STANDOFFS)
def test_a_choice_in_a_standoff_is_sealed(position: str, mode: str) -> None:
    """IM-20, IM-70, H16: until B has chosen, all B gets is the same whatever A chose."""
    m = at(position, mode=mode)
    before = m.facts()["A.hand"]
    for seat in SEEN_BY_NONE:
        found = []
        for word in m.legal_words():
            copy = at(position, mode=mode)
            copy.submit(0, word)
            assert (copy.to_act, copy.phase) == (1, "STAND")
            found.append(everything(copy, seat))
            assert checked(copy.observation(seat)).hand_size[0] == len(before)
            assert copy.observation(0)["sealed"][0] == copy.rules.game.notation.action(
                copy.rules, copy.state, word
            )
        assert all(x == found[0] for x in found)


@pytest.mark.parametrize("hand", ["12345FEUMDRSJ", "1234567"[:5] + "55"])
def test_cards_face_down_are_sealed(hand: str) -> None:
    """IM-12, IM-13, IM-14, H16: each of A's three placements, for each that could have been."""
    position = f"A hand={hand}\nB hand=1234555\nstage=place"
    for seat in SEEN_BY_NONE:
        for depth in (1, 2, 3):
            found = []
            for k in range(len({*hand})):
                m = at(position)
                for j in range(depth):
                    legal = m.legal_words()
                    m.submit(0, legal[(k + j) % len(legal)])
                found.append(everything(m, seat))
                assert checked(m.observation(seat)).hand_size[0] == len(hand)
                assert [*m.observation(0)["slots"][0]].count(0) == 3 - depth
            assert all(x == found[0] for x in found)


@pytest.mark.parametrize("options", [{}, {"mode": "beginner"}], ids=str)
def test_sealed_choices_all_along_matches(options: dict[str, Any]) -> None:
    """IM-14, IM-20, H16: wherever A chooses in secret, B gets the same for each choice."""
    rules, found = load(**options), 0
    for seed in range(3):
        m = rules.match(seed)
        while not m.over and found < 120:
            if m.to_act == 0 and m.phase in ("PLACE", "STAND"):
                found += 1
                got = []
                for word in m.legal_words():
                    copy = rules.match(seed)
                    for seat, done in m.history:
                        copy.submit(seat, done)
                    copy.submit(0, word)
                    got.append([everything(copy, seat) for seat in SEEN_BY_NONE])
                assert all(x == got[0] for x in got)
            play_on(m, 1, seed + len(m.history))
    assert found > 20


def test_the_future_does_not_depend_on_a_sealed_choice() -> None:
    """H16: a choice in secret draws on no chance: the same shuffle follows it."""
    position = "A hand=12 line=4 discard=345FE\nB hand=R line=4 deck=1 discard=12345\nstage=act"
    decks = set()
    for word in "12":
        m = at(position, seed=3)
        m.submit(0, word)
        m.submit(1, "R")
        decks.add(m.facts()["B.deck"] + m.facts()["B.hand"])
    assert len(decks) == 1


# ---- what is open --------------------------------------------------------------------------------
OPEN = (
    "A pawn=2 hand=35E slots=--U line=33 won=51 discard=112 deck=4455\n"
    "B hand=12 slots=--1 line=2 discard=E deck=3\nstage=act round=3 battle=2 wins=A"
)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_what_everybody_sees(seat: int | None) -> None:
    """IM-64, H14, H23: lines, discard piles, sizes, pawns, which cards lie face down."""
    o = checked(at(OPEN).observation(seat))
    assert ([*o.hand_size], [*o.deck_size], [*o.pawn]) == ([3, 2], [4, 1], [2, 1])
    assert [o.discard[0, k] for k in range(3)] == [2, 1, 0]
    assert [o.line[2, i] for i in range(o.line_size[2])] == [2, 2]
    assert [[*o.covered[p]] for p in (0, 1)] == [[0, 0, 1], [0, 0, 1]]


@pytest.mark.parametrize(("seat", "hidden"), [(0, "B"), (1, "A")])
def test_hand_slots_and_decks_are_hidden(seat: int, hidden: str) -> None:
    """IM-12, IM-14, H15: other cards in hidden places look the same, own decks included."""
    other = at(OPEN.replace("deck=4455", "deck=5445"))
    assert other.observation(seat).tobytes() == at(OPEN).observation(seat).tobytes()
    assert other.observation(None).tobytes() == at(OPEN).observation(None).tobytes()
    if hidden == "B":
        swapped = OPEN.replace("hand=12 slots=--1", "hand=11 slots=--3").replace("deck=3", "deck=2")
    else:
        swapped = OPEN.replace("hand=35E slots=--U", "hand=45U slots=--E")
        swapped = swapped.replace("deck=4455", "deck=3455")
    assert at(swapped).observation(seat).tobytes() == at(OPEN).observation(seat).tobytes()
    assert at(swapped).observation(1 - seat).tobytes() != at(OPEN).observation(1 - seat).tobytes()


@pytest.mark.parametrize("visible", [False, True])
def test_what_is_left_over(visible: bool) -> None:
    """IM-33, H14: the opponent sees how many cards, and which only with the option."""
    seen = []
    for hand in ("12", "45"):
        deck = "".join(sorted({*"1245"} - {*hand})) + "333333"
        m = at(
            f"A hand={hand} slots=--5 won=5 deck={deck}\nB hand=11 slots=--1 deck=2222222\n"
            "stage=flip battle=3 wins=A-",
            mode="beginner", beginner_leftovers_visible=visible,
        )  # fmt: skip
        assert m.facts()["A.discard"] == "".join(sorted(hand + "55"))
        o = checked(m.observation(1))
        assert sum(o.discard[0]) + o.buried_size[0] == 4
        assert [*m.observation(0)["buried"][1]] == [0] * 13
        seen.append([*o.discard[0]])
    assert (seen[0] == seen[1]) == (not visible)
    assert any("left in their hand" in x for x in m.log(1))


# ---- determinizations ----------------------------------------------------------------------------
def determinized(m: bb.Match, seat: int | None, rng: int) -> Any:
    engine = m.rules.plain()
    o = m.observation(seat).reshape(1)
    o["rng"] = rng
    states = checked(o)
    m.rules.plain().build.hooks.determinize(engine.tt[0], states[0])
    again = engine.build.states()
    engine.f.observe(engine.tt, states, 0, checked(again), 0, -1 if seat is None else seat)
    assert again.tobytes() == m.observation(seat).tobytes()
    return states[0]


@pytest.mark.parametrize("seat", [1, None])
def test_a_determinization_seals_another_choice(seat: int | None) -> None:
    """H16: determinizations for B have every card that A may have chosen."""
    m = at(STANDOFFS[0])
    m.submit(0, "5")
    sealed = {int(determinized(m, seat, rng).sealed[0]) for rng in range(300)}
    assert sealed == set(range(1, 14))


def test_a_salvaged_card_is_known_until_it_is_shown() -> None:
    """IM-97, H20: it is determinized in hand or, once placed, in a slot, until one is shown."""
    m = at("A hand=S11 slots=-11 line=2 discard=5\nB hand=2 slots=-22 line=3\nstage=act")
    m.submit(0, "S")
    m.submit(0, "5")
    five = 4
    assert all(determinized(m, 1, rng).hands[0, five] == 1 for rng in range(30))
    m.submit(0, "5")
    assert m.state.salvaged[0, five] == 0
    # face down it is still known to be among the hidden cards, but not where
    m = at("A hand=S2222222 line=2 discard=5 deck=1111111\nB hand=22 line=3 deck=3333333\n"
           "stage=act battle=3 wins=--")  # fmt: skip
    m.submit(0, "S")
    m.submit(0, "5")
    m.submit(0, "x")
    for word in "522":
        m.submit(0, word)
    assert m.state.known[0, five] == 1
    places = set()
    for rng in range(60):
        g = determinized(m, 1, rng)
        in_slot = sum(g.slots[0, b] == 1 + five for b in range(3))
        assert in_slot + g.hands[0, five] == 1
        places.add(in_slot)
    assert places == {0, 1}


@pytest.mark.parametrize("options", [{}, {"mode": "beginner"}], ids=str)
def test_determinizations_all_along_a_match(options: dict[str, Any]) -> None:
    """H15, H20."""
    m = load(**options).match(seed=5)
    for k in range(60):
        for seat in (0, 1, None):
            determinized(m, seat, rng=k)
        play_on(m, 1, seed=k)


def lying(s: Any, p: int, seat: int | None) -> Iterator[tuple[str, int]]:
    """The cards of player p that this seat does not see: the place, the kind."""
    for i in range(s.deck_size[p]):
        yield f"deck {i}", s.deck[p, i]
    if p != seat:
        for k in range(13):
            yield from [("hand", k)] * s.hands[p, k] + [("buried", k)] * s.buried[p, k]
        for b in range(3):
            if s.slots[p, b]:
                yield f"slot {b}", s.slots[p, b] - 1
        if s.sealed[p]:
            yield "sealed", s.sealed[p] - 1


SEALED = (
    "A hand=12 slots=--3 sealed=4 line=5 deck=FE discard=U\n"
    "B hand=MD slots=--R line=5 deck=SJ discard=U\nstage=stand battle=2 wins=-"
)
LEFT_OVER = (
    "A hand=12 slots=--5 won=5 deck=1234123\nB hand=34 slots=--1 deck=3451234\n"
    "stage=flip battle=3 wins=A-"
)


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize(("position", "mode"), [(SEALED, "advanced"), (LEFT_OVER, "beginner")])
def test_every_card_that_is_not_seen_may_lie_wherever_none_is(
    position: str, mode: str, seat: int | None
) -> None:
    """H15, H16: in hand, for each battle, sealed, left over, at every depth of the deck."""
    m = at(position, mode=mode)
    for p in (0, 1):
        truth = [*lying(m.state, p, seat)]
        found: dict[str, set[int]] = {}
        for rng in range(300):
            for place, card in lying(determinized(m, seat, rng), p, seat):
                found.setdefault(place, set()).add(card)
        assert found == {place: {card for _, card in truth} for place, _ in truth}


def test_a_salvaged_card_may_have_been_chosen_in_a_standoff() -> None:
    """IM-97, H20: it is in the hand or sealed, and not face down."""
    m = at("A hand=S31 slots=--2 line=4 discard=5 deck=3\nB hand=23 line=13\nstage=act")
    for seat, word in ((0, "S"), (0, "5"), (0, "3")):
        m.submit(seat, word)
    assert m.phase == "STAND"
    five, places = 4, dict[str, set[bool]]()
    for rng in range(60):
        for place, card in lying(determinized(m, 1, rng), 0, 1):
            places.setdefault(place, set()).add(card == five)
    both = {True, False}
    assert places == {"hand": both, "sealed": both, "slot 2": {False}, "deck 0": {False}}
