"""Observations as rows of numbers: what stands where, for whom, and that nothing hidden does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_shelf import _apart

import battlebox as bb
from battlebox.core.checked import Array
from battlebox.core.engine import Engine
from battlebox.core.errors import GameError
from battlebox.core.features import Kind, sources_of
from battlebox.core.game import Ruleset
from battlebox.core.match import Match
from battlebox.core.rules import Domain, n8, public
from battlebox.core.state import NoFeatures, StateRecord
from battlebox.games import NAMES
from battlebox.games.battleball.state import CARNAGE, EMPTY, Piece, Seat

__all__ = ["_apart"]  # a fixture
DEPTH = 40  # decisions of each match


def some_matches(rules: Ruleset) -> list[Match]:
    """Random matches, each at another depth."""
    found, dice = [], np.random.default_rng(3)
    for depth in range(0, DEPTH, 4):
        m = rules.match(depth)
        for _ in range(depth):
            if m.to_act is not None:
                m.submit(m.to_act, int(dice.choice(m.legal_actions)))
        found.append(m)
    return found


def row(engine: Engine, m: Match, seat: int | None, **how: bool) -> dict[str, Array]:
    """What a seat's network is given, by feature."""
    encoder = engine.encoder(**how)
    numbers = encoder(np.atleast_1d(m.observation(seat)))[0]
    return {k: numbers[f.columns].reshape(f.shape) for k, f in encoder.features.items()}


@pytest.mark.parametrize("onehot", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_every_number_keeps_its_bounds(name: str, onehot: bool) -> None:
    rules = bb.load(name)
    encoder = rules.plain().encoder(onehot=onehot)
    ends = [f.stop for f in encoder.features.values()]
    assert [f.start for f in encoder.features.values()] == [0, *ends[:-1]]
    assert ends[-1] == encoder.width == len(encoder.low) == len(encoder.high)
    matches = some_matches(rules)
    seen = np.array([m.observation(p).item() for m in matches for p in range(rules.players)],
                    rules.game.rules.State.layout)  # fmt: skip
    found = encoder(seen)
    assert found.dtype == np.float32
    assert (found >= encoder.low).all()
    assert (found <= encoder.high).all()
    assert len({x.tobytes() for x in found}) > len(matches), "they tell positions apart"


@pytest.mark.parametrize("onehot", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_rows_with_room_for_more_seats_are_alike_in_every_ruleset(name: str, onehot: bool) -> None:
    rules = bb.load(name)
    engine, most = rules.plain(), rules.game.most_players
    here, wide = (engine.encoder(onehot=onehot, room=n) for n in (None, most + 2))
    largest = bb.load(name, players=most).plain().encoder(onehot=onehot, room=most + 2)
    assert {k: f.columns for k, f in wide.features.items()} == {
        k: f.columns for k, f in largest.features.items()
    }
    assert wide.width > here.width
    for m in some_matches(rules)[::8]:
        for p in range(rules.players):
            o = np.atleast_1d(m.observation(p))
            a, b = here(o)[0], wide(o)[0]
            blank = np.ones(wide.width, bool)
            for k, f in wide.features.items():
                own = here.features[k]
                ends = tuple(slice(n) for n in own.shape)
                blank[f.columns].reshape(f.shape)[ends] = False
                assert np.array_equal(
                    a[own.columns].reshape(own.shape), b[f.columns].reshape(f.shape)[ends]
                )
            assert not b[blank].any()
    with pytest.raises(ValueError, match="room = 1"):
        engine.encoder(room=1)


@pytest.mark.compiled
@pytest.mark.parametrize("name", [pytest.param(x, marks=pytest.mark.xdist_group(x)) for x in NAMES])
def test_both_builds_write_the_same(name: str) -> None:
    rules = bb.load(name)
    batch = rules.compiled().batch(40, 5)
    dice = np.random.default_rng(1)
    for _ in range(30):
        batch.step((dice.random(batch.mask.shape) * batch.mask).argmax(axis=1))
    for onehot in (True, False):
        for ego in (True, False):
            found = [
                x.encode(batch.observation, ego=ego, onehot=onehot)
                for x in (rules.plain(), rules.compiled())
            ]
            assert np.array_equal(*found)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_hidden_is_written(name: str) -> None:
    """Of every truth that a seat may think of it reads the same."""
    rules = bb.load(name)
    engine, hooks = rules.plain(), rules.plain().build.hooks
    for m in some_matches(rules):
        for seat in range(rules.players):
            seen = np.atleast_1d(m.observation(seat)).copy()
            thought = seen.copy()
            thought["rng"] = 7
            truth, again = engine.build.access(thought), seen.copy()
            hooks.determinize(engine.tt[0], truth[0])
            engine.f.observe(engine.tt, truth, 0, engine.build.access(again), 0, seat)
            assert np.array_equal(engine.encode(seen), engine.encode(again))


def test_what_stands_where_in_war_zone() -> None:
    m = bb.load("war_zone").match(
        position="wz1 n=2 ph=DEFEND turn=1 act=0 health=20.17 pend=AR>0 hand0=GM.GM deck=SN.SN "
        "last=AR@1"
    )
    engine, names = m.rules.plain(), m.rules.names
    mine, theirs = row(engine, m, 0), row(engine, m, 1)
    most = m.rules.table["copies"].max()
    kinds = len(m.rules.table["copies"][0])
    assert mine["hands"].sum() == pytest.approx(2 / most)
    assert mine["hands"][0].argmax() == theirs["hands"][1].argmax() or not theirs["hands"].any()
    assert not theirs["hands"].any(), "the other player's cards are hidden"
    top = m.rules.numbers.health_cap or 2 * m.rules.numbers.health
    assert mine["health"] * top == pytest.approx([20, 17])
    assert theirs["health"] * top == pytest.approx([17, 20]), "oneself comes first"
    for seen, turn in ((mine, [0, 1]), (theirs, [1, 0])):
        assert [*seen["turn"]] == turn
        assert [*seen["last_by"]] == turn
    assert mine["attack"].shape == (kinds,)
    assert mine["attack"].sum() == 1
    assert not mine["last_attack"].any() or names
    plain = row(engine, m, 0, onehot=False)
    assert plain["attack"] == 1 + mine["attack"].argmax()
    assert plain["turn"] == 2
    fixed = row(engine, m, 1, ego=False)
    assert fixed["health"] * top == pytest.approx([20, 17])


def test_of_a_pile_one_reads_how_many_there_are_of_each_and_the_last() -> None:
    m = bb.load("war_zone").match(
        position="wz1 n=2 ph=ATTACK turn=0 act=0 health=20.20 deck=SN.SN disc=GM.AR.GM.SN"
    )
    found, kinds = row(m.rules.plain(), m, 0)["pile"], len(m.rules.table["copies"][0])
    most = m.rules.table["copies"].max()
    assert sorted(found[:kinds][found[:kinds] > 0] * most) == pytest.approx([1, 1, 2])
    last = found[kinds:].nonzero()[0]
    assert len(last) == 1
    assert found[last[0]] * most == pytest.approx(1), "one SN lies there, on top"


def test_what_lies_at_places_is_counted_for_each() -> None:
    rules = bb.load("medieval")
    m, dice = rules.match(3), np.random.default_rng(1)
    while m.to_act is not None and int(m.observation(0)["field_size"].max()) < 7:
        m.submit(m.to_act, int(dice.choice(m.legal_actions)))
    o = m.observation(0)
    assert "place" not in rules.plain().features
    kinds, most = len(rules.table["copies"][0]), rules.table["copies"].max()
    for onehot in (True, False):
        found = row(rules.plain(), m, 0, onehot=onehot)["field"]
        wanted = np.zeros_like(found)
        for p in range(2):
            lies = list(zip(o["field"][p], o["place"][p], strict=True))[: o["field_size"][p]]
            for kind, place in lies:
                wanted[p, place, kind] += 1 / most
                if onehot:
                    wanted[p, place, kinds:] = 0
                    wanted[p, place, kinds + kind] = 1
                else:
                    wanted[p, place, kinds] = kind + 1
        assert found == pytest.approx(wanted, abs=1e-6)


def test_where_things_lie_is_said_by_a_field_with_members() -> None:
    class Thing(Domain, n=3):
        pass

    def encoder(by: str, places: Any) -> Any:
        fields = {"lies": public(n8(4, of=Thing, by=by)), **places}
        return list(sources_of(type("State", (StateRecord,), fields), NoFeatures, 2))

    assert [x.places for x in encoder("at", {"at": public(n8(4, of=Thing))}) if x.places > 1] == [3]
    with pytest.raises(GameError, match=r"State\.lies: by='at' names no field with of="):
        encoder("at", {})
    with pytest.raises(GameError, match="by='at' names no field"):
        encoder("at", {"at": public(n8(4))})
    with pytest.raises(GameError, match="at has not as many cells"):
        encoder("at", {"at": public(n8(3, of=Thing))})
    with pytest.raises(GameError, match="by= says where members lie"):
        n8(4, by="at", high=2)


def test_what_is_covered_has_a_column_of_its_own() -> None:
    rules = bb.load("./examples/kuhn_poker/src/kuhn_poker")
    m, engine = rules.match(1), rules.plain()
    mine = row(engine, m, 0)["hand"]
    assert mine.shape == (2, 4)
    assert mine[0, :3].sum() == 1
    assert [*mine[1]] == [0, 0, 0, 1]


def test_what_else_lies_there_has_columns_behind_the_members() -> None:
    rules = bb.load("battleball")
    m, engine = rules.match(1), rules.plain()
    for p in (0, 1):
        o = m.observation(p).copy()
        before = engine.encode(np.atleast_1d(o))[0]
        cell = int(np.flatnonzero(o["square"] == EMPTY)[0])
        o["square"][cell] = CARNAGE
        now = engine.encode(np.atleast_1d(o))[0]
        changed = engine.features["square"].column(cell, 22)
        assert np.flatnonzero(now != before).tolist() == [changed]
        assert now[changed] == 1
        codes = engine.encoder(onehot=False)
        assert codes(np.atleast_1d(o))[0, codes.features["square"].column(cell)] == 23
    wrong: list[Any] = [{"high": 3}, {"of": Piece, "in_order": False}, {"of": Piece, "by": "at"}]
    for means in wrong:
        with pytest.raises(GameError, match="also= is told apart beside members in order"):
            n8(4, also=(9,), **means)
    fields = {"whose": public(n8(of=Seat, also=(9,)))}
    with pytest.raises(GameError, match=r"State\.whose: also= is for members, not for seats"):
        list(sources_of(type("State", (StateRecord,), fields), NoFeatures, 2))


def test_pieces_of_a_team_turn_with_their_seat() -> None:
    rules = bb.load("battleball")
    m = next(x for x in some_matches(rules) if (x.observation(0)["square"] > 0).any())
    engine = rules.plain()
    mine, theirs = (row(engine, m, p)["square"] for p in (0, 1))
    here, there = (x.sum(axis=0) for x in (mine, theirs))
    assert [*here[:11], *here[11:]] == [*there[11:], *there[:11]]


@pytest.mark.parametrize("ego", [True, False])
def test_on_a_field_a_row_says_which_way_one_plays(ego: bool) -> None:
    rules = bb.load("battleball")
    m, engine = rules.match(1), rules.plain()
    for p in (0, 1):
        assert [*row(engine, m, p, ego=ego)["viewer"]] == [p == 0, p == 1]
        assert row(engine, m, p, ego=ego, onehot=False)["viewer"] == p + 1
    whose = set()
    for m in some_matches(rules):
        if m.to_act is not None:  # nobody's row is that of the seat to act
            assert [*row(engine, m, None, ego=ego)["viewer"]] == [m.to_act == 0, m.to_act == 1]
            whose.add(m.to_act)
    assert whose == {0, 1}
    assert "viewer" not in bb.load("war_zone").plain().features


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_a_buffer_is_filled_and_what_does_not_fit_is_refused() -> None:
    engine = bb.load("war_zone").compiled()
    batch, width = engine.batch(3, 1), engine.encoder().width
    out = np.full((3, width), 9, np.float32)
    assert engine.encode(batch.observation, out) is out
    assert out.max() <= 1
    with pytest.raises(ValueError, match=rf"float32 \(3, {width}\), not float64"):
        engine.encode(batch.observation, out.astype(np.float64))
    with pytest.raises(ValueError, match="records of"):
        engine.encode(np.zeros(3, np.float32))
    hands = engine.features["hands"]
    assert (hands.kind, hands.column(1, 2)) == (Kind.QUANTITY, hands.start + hands.shape[1] + 2)
    with pytest.raises(ValueError, match="invalid entry"):
        hands.column(2, 0)


def test_a_meaning_that_says_nothing_is_refused() -> None:
    class Card(Domain, n=4):
        """A card."""

    with pytest.raises(GameError, match=r"test_features.py:\d+: a field has members, of=Card"):
        n8(first=1)
    with pytest.raises(GameError, match="of=3: name the class, a Domain or IntEnum"):
        n8(4, of=3)
    public(n8(4, of=Card, first=1))
