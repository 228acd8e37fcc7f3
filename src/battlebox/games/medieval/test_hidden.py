"""What a seat of Medieval sees, above all that a sealed placement shows the other side nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.checked import checked
from battlebox.games.medieval.rules import spied
from battlebox.games.medieval.testing import COURT, MODES, at, load, walk


def seen(m: bb.Match, seat: int | None) -> tuple[Any, ...]:
    """All that a match tells a seat."""
    scene = m.scene(seat)
    return m.observation(seat).tobytes(), m.events(seat), m.log(seat), scene, scene.as_json


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_sealed_placement_shows_the_others_nothing(options: dict[str, Any]) -> None:
    """ME-15, ME-18, H23: byte-identical for every choice; so are the legal actions that follow."""
    several = 0
    for m in walk(5, **options):
        if m.phase != "REINF" or not all(m.state.hand_size) or spied(m.state, 0):
            continue
        several += len(m.legal_actions) > 1
        told, own = [], set()
        for action in m.legal_actions:
            m.submit(0, action)
            told.append(
                (seen(m, 1), seen(m, None), m.legal_actions, m.to_act, m.phase, m.state.rng)
            )
            own.add(m.observation(0).tobytes())
            assert m.undo(0) == m.word(action)
        assert all(t == told[0] for t in told)
        assert len(own) == len(m.legal_actions)
    assert several > 2


@pytest.mark.parametrize("hand", ["12", "1", "11"])
def test_not_even_the_columns_of_a_short_hand_are_seen(hand: str) -> None:
    """H23, ME-54."""
    m = at(f"A cols=5/5/5 hand={hand} deck=444444 B cols=5/5/5 hand=123 deck=444444 stage=reinf")
    told = []
    for action in m.legal_actions:
        m.submit(0, action)
        told.append((seen(m, 1), seen(m, None), m.legal_actions))
        m.undo(0)
    assert len(told) > 1
    assert all(t == told[0] for t in told)


def test_the_other_hand_and_both_decks_are_hidden() -> None:
    """ME-15, H17: the same cards elsewhere look the same; all that lies face up is open."""
    position = "A cols=5/5/5 surv=77 grave=9 hand=123 B cols=4/4/4 stage=reinf"
    m = at(f"{position} hand=666 deck=8812 A deck=4456")
    n = at(f"{position} hand=618 deck=6682 A deck=5464")
    assert m.observation(0).tobytes() == n.observation(0).tobytes()
    assert m.observation(1).tobytes() != n.observation(1).tobytes()
    for seat in (0, 1, None):
        o = checked(m.observation(seat))
        codes = [c.code for c in m.rules.names.card]
        assert [codes[o.survivors[0, i]] for i in range(o.survivors_size[0])] == ["7", "7"]
        assert o.graveyard[0, codes.index("9")] == 1
        assert not any(o.deck[p, i] for p in range(2) for i in range(4))
        assert any(o.hand[0, i] for i in range(3)) == (seat == 0)


def test_own_sealed_cards_may_be_looked_at() -> None:
    """H18."""
    m = at("A cols=5/5/5 hand=123 deck=444 B cols=5/5/5 hand=123 deck=444 stage=reinf")
    m.submit(0, "312")
    zones = [[m.scene(p).zone(f"column:{c}") for c in range(3)] for p in (0, 1)]
    assert ["Face down: " in z.facts["text"] for z in zones[0]] == [True] * 3
    assert [z.pieces[-1].name for z in zones[0]] == ["Archer", "Peasant", "Levy"]
    assert m.facts()["A.sealed"] == "312"
    assert not any("Face down: " in z.facts["text"] for z in zones[1])
    for seat in (1, None):
        scene = m.scene(seat)
        covered = [p for z in scene.zones for p in z.pieces if p.kind == "back"]
        assert [(p.code, p.name, p.label) for p in covered] == [
            ("", "", "A reinforcement, face down")
        ] * 3
        assert not any(checked(m.observation(seat)).sealed[0, c] for c in range(3))


def test_events_of_hidden_cards() -> None:
    """ME-15, ME-18: only the drawer is told what they draw, only the player who places how."""
    m = load().match(1)
    m.submit(0, m.legal_actions[0])
    for seat in (0, 1, None):
        told = m.events(seat)
        assert {e.args["seat"] for e in told if e.event.name == "DREW"} == (
            set() if seat is None else {seat}
        )
        placed = [e.args["order"] for e in told if e.event.name == "PLACED"]
        assert placed == [m.rules.plain().num_actions and 0 if seat == 0 else None]


def test_placing_can_be_taken_back_until_all_is_turned_up() -> None:
    """ME-18, ME-19."""
    m = load().match(1)
    m.submit(0, m.legal_actions[0])
    assert m.why_no_undo(0) == ""
    m.submit(1, m.legal_actions[0])
    assert m.why_no_undo() != ""


@pytest.mark.parametrize("seat", [0, 1, None])
def test_determinizations_vary_and_fit(seat: int | None) -> None:
    """H17: what is unseen of the other's cards, anywhere in their deck, hand and sealed cards."""
    m = at("A hand=123 deck=4567 cols=5/5/5 B hand=1ab deck=9Xk8 cols=4/4/4 stage=reinf")
    m.submit(0, "213")
    worlds = set()
    for rng in range(30):
        o = m.observation(seat).reshape(1)
        o["rng"] = rng
        v = checked(o)[0]
        m.rules.plain().build.hooks.determinize(m.rules.plain().tt[0], v)
        f = m.rules.game.notation.facts(m.rules, v)
        assert sorted(f["A.sealed"] + f["A.deck"]) == sorted("1234567")
        assert sorted(f["B.hand"] + f["B.deck"]) == sorted("1ab9Xk8")
        if seat == 0:
            assert f["A.sealed"] == "213"
        if seat == 1:
            assert f["B.hand"] == "1ab"
        worlds.add((f["A.sealed"], f["B.hand"]))
    assert len(worlds) > 10


SPIED = "B cols=5/5/5 hand=123 deck=444 A cols=5/5/5 hand=456 deck=444 beside=S1"
SWAPPED = ("456 deck=444", "444 deck=456")


def test_what_is_placed_before_a_spy_lies_open() -> None:
    """H28: all see which card lies where, and nobody sees more than that."""
    m = at(f"{SPIED} stage=reinf", **COURT)
    before = {seat: m.observation(seat).tobytes() for seat in (0, 1, None)}
    m.submit(1, "312")
    assert m.why_no_undo(1) != ""
    for seat in (0, 1, None):
        o, scene = checked(m.observation(seat)), m.scene(seat)
        assert [o.sealed[1, c] - 1 for c in range(3)] == [2, 0, 1]
        laid = [scene.zone(f"column:{c}") for c in range(3)]
        open = [p for z in laid for p in z.pieces if p.id in z.facts["sides"][seat != 0]["covered"]]
        assert [p.name for p in open] == ["Archer", "Peasant", "Levy"]
        assert all(p.label.endswith("It lies open") for p in open)
        assert m.log(seat)[-1].endswith(
            "face up, because of a Spy: Archer in column 1, Peasant in column 2, Levy in column 3."
        )
        assert m.observation(seat).tobytes() != before[seat]
        assert any(o.hand[0, i] for i in range(3)) == (seat == 0)


def test_what_the_spy_places_is_hidden_as_ever() -> None:
    """H28: they place last, and only then all is turned up; what they hold nobody has seen."""
    m, n = (at(f"{SPIED} stage=reinf".replace("456 deck=444", x), **COURT) for x in SWAPPED)
    for x in (m, n):
        x.submit(1, "312")
    for seat in (1, None):
        assert seen(m, seat) == seen(n, seat)
    assert seen(m, 0) != seen(n, 0)


@pytest.mark.parametrize("seat", [0, 1, None])
def test_determinizations_keep_what_lies_open(seat: int | None) -> None:
    """H28."""
    m = at(f"{SPIED} stage=reinf", **COURT)
    m.submit(1, "312")
    hands = set()
    for rng in range(30):
        o = m.observation(seat).reshape(1)
        o["rng"] = rng
        v = checked(o)[0]
        m.rules.plain().build.hooks.determinize(m.rules.plain().tt[0], v)
        f = m.rules.game.notation.facts(m.rules, v)
        assert (f["B.sealed"], f["B.deck"]) == ("312", "444")
        assert sorted(f["A.hand"] + f["A.deck"]) == sorted("456444")
        hands.add(f["A.hand"])
    assert (len(hands) > 1) == (seat != 0)


def test_spies_on_both_sides_see_nothing() -> None:
    """H28: they cancel, so that a placement hides as without any."""
    m = at(f"{SPIED} stage=reinf B beside=S2", **COURT)
    told = []
    for action in m.legal_actions:
        m.submit(0, action)
        told.append((seen(m, 1), seen(m, None), m.legal_actions))
        m.undo(0)
    assert len(told) == 6
    assert all(t == told[0] for t in told)


def lying(s: Any, p: int, seat: int | None) -> Iterator[tuple[str, int]]:
    """The cards of player p that this seat does not see: the place, the kind."""
    for i in range(s.deck_size[p]):
        yield f"deck {i}", s.deck[p, i]
    if p != seat:
        yield from (("hand", s.hand[p, i] - 1) for i in range(3) if s.hand[p, i])
        yield from ((f"sealed {c}", s.sealed[p, c] - 1) for c in range(3) if s.sealed[p, c])


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("hand", ["123", "1"])
def test_every_card_that_is_not_seen_may_lie_wherever_none_is(hand: str, seat: int | None) -> None:
    """H17: in the hand, face down at any column, at every depth of the deck; seen ones nowhere."""
    m = at(
        f"A hand={hand} deck=45 cols=6/6/6 surv=77 grave=9 beside=C1\n"
        "B hand=8ab deck=Xk cols=4/4/4 surv=7 grave=99\nstage=reinf"
    )
    m.submit(0, m.legal_words()[0])
    for p in (0, 1):
        cards = {card for _, card in lying(m.state, p, seat)}
        found: dict[str, set[int]] = {}
        for rng in range(300):
            o = m.observation(seat).reshape(1)
            o["rng"] = rng
            v = checked(o)[0]
            m.rules.plain().build.hooks.determinize(m.rules.plain().tt[0], v)
            for place, card in lying(v, p, seat):
                found.setdefault(place, set()).add(card)
        places = {"deck 0", "deck 1"}
        if p != seat:
            places |= {"sealed 0", "sealed 1", "sealed 2"} if p == 0 else {"hand"}
        assert found == dict.fromkeys(places, cards)
