"""What a seat of War Zone sees, what it does not, and its determinizations."""

from __future__ import annotations

from typing import Any

import pytest

import battlebox as bb
from battlebox.core.checked import checked
from battlebox.games.war_zone.rules import KINDS
from battlebox.games.war_zone.testing import at, load, play_on


def seen(m: bb.Match, seat: int | None) -> Any:
    return checked(m.observation(seat))


def deck_as_seen(m: bb.Match, seat: int | None) -> list[int]:
    """The deck, top first, as a seat sees it; 0 where it does not."""
    o = seen(m, seat)
    cells = len(o.deck)
    return [o.deck[(o.deck_top + d) % cells] for d in range(o.deck_size)]


OPEN = (
    "wz1 n=4 hs=2 ph=DEFEND turn=0 act=1 health=20.17.3.9 hand0=IF.GM hand1=BW.RE hand2=MG.MG "
    "hand3=SS deck=TA.SN.FL disc=BW.IF last=IF@0 latk=IF pend=IF>1"
)


@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_what_everybody_sees(seat: int | None) -> None:
    """WZ-7, WZ-8, WZ-9, WZ-20, W24: health, sizes, the attack and the whole discard pile.

    The two sheets of WZ-8 are nothing but the one number that everybody sees.
    """
    m = at(OPEN)
    o, r = seen(m, seat), m.rules
    code = [c.code for c in r.names.cards]
    assert [o.health[p] for p in range(4)] == [20, 17, 3, 9]
    assert [o.hand_size[p] for p in range(4)] == [2, 2, 2, 1]
    assert o.deck_size == 3
    assert [code[o.pile[i]] for i in range(o.pile_size)] == ["BW", "IF"]
    assert (code[o.attack], o.turn, o.target, code[o.last], o.last_by) == ("IF", 0, 1, "IF", 0)


def test_hands_and_deck_are_hidden() -> None:
    """W26: from teammates too. The same cards in other hidden places look the same."""
    swapped = OPEN
    for old, new in (
        ("hand0=IF.GM", "hand0=IF.FL"),
        ("hand2=MG.MG", "hand2=MG.SS"),
        ("hand3=SS", "hand3=TA"),
        ("deck=TA.SN.FL", "deck=MG.SN.GM"),
    ):
        swapped = swapped.replace(old, new)
    m, n = at(OPEN, teams=2), at(swapped, teams=2)
    assert m.observation(1).tobytes() == n.observation(1).tobytes()
    for seat in (0, 2, 3):
        assert m.observation(seat).tobytes() != n.observation(seat).tobytes()


def test_a_reshuffle_tells_nothing() -> None:
    """WZ-6, WZ-35: two new orders, one observation for every seat and for a spectator."""
    pile = "AR.SN.PG.FL.GR.AI.SA.RE.TR.AA"
    position = f"wz1 n=3 hs=2 ph=ATTACK hand0=IF.GM hand1=BW.MG hand2=SS.SS deck=TA disc={pile}"
    told, orders = [], []
    for rng in (11, 12):
        m = at(position)
        m.state.rng = rng
        m.submit(0, "IF>1")
        orders.append(m.facts()["deck"])
        told.append([m.observation(seat).tobytes() for seat in (0, 1, 2, None)])
    assert orders[0] != orders[1]
    assert sorted(orders[0].split(".")) == sorted([*pile.split("."), "IF"])
    assert told[0] == told[1]


UNDER = (
    "wz1 n=3 hs=3 ph=CYCLE turn=0 health=20.20.20 hand0=BW.MG.GM hand1=TR.TR.IF hand2=SS.SS.AA "
    "deck=TA.SN.FL disc=RE"
)
BW, MG = 10, 11  # kinds: ten attacks come first


def test_who_put_a_card_under_the_deck_knows_it() -> None:
    """W16, W46: they see it in its place; to all others one card looks like the other."""
    m, n = at(UNDER), at(UNDER)
    m.submit(0, "cBW")
    n.submit(0, "cMG")
    assert deck_as_seen(m, 0) == [0, 0, BW]  # SN.FL.BW: seat 0 drew TA
    assert deck_as_seen(n, 0) == [0, 0, MG]
    for seat in (1, 2, None):
        assert deck_as_seen(m, seat) == [0, 0, 0]
        assert m.observation(seat).tobytes() == n.observation(seat).tobytes()
    m.submit(1, "pass")
    m.submit(1, "cTR")  # SN is drawn: FL.BW.TR
    assert deck_as_seen(m, 0) == [0, BW, 0]
    assert deck_as_seen(m, 1) == [0, 0, 12]
    assert deck_as_seen(m, 2) == [0, 0, 0]


def test_a_shuffle_makes_forget() -> None:
    """W18, W46: after the relief that shuffles the deck, nobody knows where their card is."""
    m = at(UNDER)
    m.submit(0, "cBW")
    m.submit(1, "pass")
    m.submit(1, "pass")
    m.submit(2, "pass")
    assert m.phase == "CYCLE"  # turns 1 and 2 went by without an attack; turn 0 only ended
    assert deck_as_seen(m, 0) == [0, 0, BW]
    m.submit(2, "pass")
    m.submit(0, "pass")  # the third turn without one: the lap is complete
    assert m.facts()["disc"] == "-"
    assert m.facts()["decksize"] == "4"
    assert deck_as_seen(m, 0) == [0, 0, 0, 0]


def test_events_of_hidden_cards() -> None:
    """WZ-11, W16: which card went under the deck or was drawn, only its owner is told."""
    m = at(UNDER)
    m.submit(0, "cBW")
    for seat in (0, 1, None):
        told = {e.event.name: e.args for e in m.events(seat)}
        assert told["PUT_UNDER"] == {"seat": 0, "card": BW if seat == 0 else None}
        assert told["DREW_UP"] == {"seat": 0, "cards": 1}
        assert ("DREW" in told) == (seat == 0)


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


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_determinization_fits_what_a_seat_knows(seat: int | None) -> None:
    """W46: own cards and known ones stay, all cards are there, the rest varies."""
    m = at(UNDER)
    m.submit(0, "cBW")
    m.submit(1, "pass")
    truth = m.facts()
    worlds = set()
    for rng in range(20):
        f = m.rules.game.notation.facts(m.rules, determinized(m, seat, rng))
        places = ["hand0", "hand1", "hand2", "deck", "disc"]
        cards = [c for k in places for c in f[k].split(".")]
        assert sorted(cards) == sorted(c for k in places for c in truth[k].split("."))
        assert [f[f"count{p}"] for p in range(3)] == ["3", "3", "3"]
        if seat is not None:
            assert f[f"hand{seat}"] == truth[f"hand{seat}"]
        if seat == 0:
            assert f["deck"].split(".")[-1] == "BW"
        worlds.add(tuple(f[k] for k in places))
    assert len(worlds) > 1


WHERE = (
    "wz1 n=3 hs=2 ph=ATTACK turn=0 health=20.20.20 hand0=BW.MG hand1=IF.RE hand2=SS.AA "
    "deck=TA.SN.FL.GR disc=PG.AI gone=TR.SA.SA"
)
UNSEEN = {0: "IF RE SS AA TA SN FL GR", None: "BW MG IF RE SS AA TA SN FL GR"}


@pytest.mark.parametrize("seat", [0, None])
def test_every_card_that_is_not_seen_may_lie_wherever_none_is_seen(seat: int | None) -> None:
    """W46: in every other hand and at every depth; what is discarded or out of the game nowhere.

    Each of eight or ten cards is in a place at least once in ten: that 300 truths miss one of
    them happens once in a billion times.
    """
    m = at(WHERE)
    places: dict[str, set[str]] = {}
    for rng in range(300):
        f = m.rules.game.notation.facts(m.rules, determinized(m, seat, rng))
        assert (f["disc"], f["gone"]) == ("PG.AI", "SA.SA.TR")
        for p in range(3):
            places.setdefault(f"hand{p}", set()).update(f[f"hand{p}"].split("."))
        for depth, card in enumerate(f["deck"].split(".")):
            places.setdefault(f"deck{depth}", set()).add(card)
    if seat is not None:
        assert places.pop(f"hand{seat}") == {"BW", "MG"}
    assert len(places) == 4 + (2 if seat is not None else 3)
    for place, cards in places.items():
        assert cards == {*UNSEEN[seat].split()}, place


def test_a_known_card_is_known_wherever_in_the_ring_it_lies() -> None:
    """W46: also at the ring's last place and beyond it; others find it somewhere else."""
    m = at(UNDER)
    m.submit(0, "cBW")
    cells = len(m.state.deck)
    cards = [m.state.deck[m.state.deck_top + d] for d in range(3)]
    for top in range(cells):
        for i in range(cells):
            m.state.deck[i], m.state.laid_by[i] = 0, 0
        for depth, card in enumerate(cards):
            m.state.deck[(top + depth) % cells] = card
        m.state.laid_by[(top + 2) % cells] = 1
        m.state.deck_top = top
        assert deck_as_seen(m, 0) == [0, 0, BW]
        assert deck_as_seen(m, 1) == [0, 0, 0]
        o = determinized(m, 0, rng=top)
        assert o.deck[(top + 2) % cells] == BW
        assert len({determinized(m, 1, rng).deck[(top + 2) % cells] for rng in range(12)}) > 1


def test_the_census_is_the_stock() -> None:
    """WZ-1, W9: every card is counted once, as its own kind, also one that is out of the game."""
    m = at(WHERE)
    count = [0] * KINDS
    m.rules.plain().build.hooks.census(m.state, count)
    assert count == [*m.state.stock]


def test_determinizations_all_along_a_match() -> None:
    m = load(players=3, teams=0, cycle=2, deck="warzone-half").match(seed=5)
    for k in range(60):
        for seat in (0, 1, 2, None):
            determinized(m, seat, rng=k)
        play_on(m, 1, seed=k)
