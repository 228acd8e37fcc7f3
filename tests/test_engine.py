"""Random matches in bulk, and the vector environment beside matches driven by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games import as_game, race, sealed, short, window

import battlebox as bb
from battlebox.core.engine import Batch, Engine

TINY = {
    "race": as_game(race).ruleset({}),
    "sealed": as_game(sealed).ruleset({"rounds": 4}),
    "window": as_game(window).ruleset({"players": 4, "rounds": 1}),
}
BUILDS = [
    False,
    pytest.param(True, marks=[pytest.mark.compiled, pytest.mark.xdist_group("tiny")]),
]


def engine_of(name: str, compiled: bool) -> Engine:
    return TINY[name].compiled() if compiled else TINY[name].plain()


# ---- random matches ------------------------------------------------------------------------------
@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("name", TINY)
def test_play_gives_a_result_for_each_match(name: str, compiled: bool) -> None:
    engine = engine_of(name, compiled)
    done = engine.play(20, seed=1)
    assert done.returns.shape == (20, engine.seats)
    assert done.returns.dtype == np.float32
    assert done.decisions.shape == (20,)
    assert done.decisions.dtype == np.int32
    assert (np.abs(done.returns) <= 1).all()
    assert (done.decisions > 0).all()


@pytest.mark.parametrize("compiled", BUILDS)
def test_match_i_depends_on_its_own_seed_only(compiled: bool) -> None:
    engine = engine_of("sealed", compiled)
    whole, later = engine.play(30, seed=5), engine.play(10, seed=15)
    assert (whole.returns[10:20] == later.returns).all()
    assert (whole.decisions[10:20] == later.decisions).all()
    assert (engine.play(30, seed=5).returns == whole.returns).all()
    assert (engine.play(30, seed=1000).returns != whole.returns).any()


def test_no_match_is_a_result_too() -> None:
    done = TINY["race"].plain().play(0, seed=1)
    assert done.returns.shape == (0, 2)
    assert done.decisions.shape == (0,)


def test_a_negative_number_of_matches_is_refused() -> None:
    with pytest.raises(ValueError, match="-1"):
        TINY["race"].plain().play(-1, seed=1)


@pytest.mark.parametrize("n", [1, 7, 250])
def test_progress_is_told_to_the_end(n: int) -> None:
    engine, told = TINY["race"].plain(), list[tuple[int, int]]()
    done = engine.play(n, seed=1, progress=lambda k, of: told.append((k, of)))
    assert told[-1] == (n, n)
    assert told == sorted(set(told))
    assert len(told) <= 201
    assert (done.returns == engine.play(n, seed=1).returns).all()


def test_progress_as_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    TINY["race"].plain().play(5, seed=1, progress=True)
    assert "random matches" in capsys.readouterr().out


def test_a_limit_ends_matches_early() -> None:
    engine = TINY["sealed"].plain()
    assert (engine.play(5, seed=1, limit=3).decisions == 3).all()


# ---- the batch -----------------------------------------------------------------------------------
class ByHand:
    """One match of a batch, driven by the functions of the plain build."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine, self.array = engine, engine.build.states()
        self.b, self.acts = (
            engine.build.sight(self.array),
            engine.build.sight(engine.build.action_buffer()),
        )
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self.engine.begin(self.b, 0, seed)

    def legal_actions(self) -> list[int]:
        n = self.engine.f.list_actions(self.engine.tt, self.b, 0, self.acts)
        return sorted(int(self.acts[k]) for k in range(n))

    def observation(self) -> bytes:
        out = self.engine.build.states()
        f, sight = self.engine.f, self.engine.build.sight
        f.observe(self.engine.tt, self.b, 0, sight(out), 0, int(self.array["to_act"][0]))
        return without_scratch(self.engine, out)

    def take(self, action: int) -> Any:
        """The returns, if that was the end."""
        self.engine.f.take(self.engine.tt, self.b, 0, action)
        if self.legal_actions():
            return None
        out = np.zeros(self.engine.seats)
        self.engine.f.results(self.engine.tt, self.b, 0, self.engine.build.sight(out))
        return out


def without_scratch(engine: Engine, out: Any) -> bytes:
    blank = engine.build.states()
    for n in out.dtype.names:
        if engine.build.state.sight[n] != "scratch":
            blank[n] = out[n]
    return bytes(blank.tobytes())


def first_seeds(engine: Engine, seed: int) -> Any:
    """The seeds that a batch draws for its matches, one after the other."""
    from battlebox.core.random import draw
    from battlebox.core.views import view

    lender = engine.build.states()
    lender["rng"] = seed
    while True:
        yield draw(view(lender)[0], 1 << 31)


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("name", TINY)
def test_a_batch_is_as_many_single_matches(name: str, compiled: bool) -> None:
    """Observation, mask, seat, returns, end and a new beginning: all as by hand."""
    batch = engine_of(name, compiled).batch(3, seed=11)
    plain = TINY[name].plain()
    seeds = first_seeds(plain, 11)
    hands = [ByHand(plain, next(seeds)) for _ in range(3)]
    dice, ended = np.random.default_rng(1), 0
    steps = 150 if name == "window" else 60
    for _ in range(steps):
        for i, hand in enumerate(hands):
            legal = hand.legal_actions()
            assert np.flatnonzero(batch.mask[i]).tolist() == legal
            assert batch.to_act[i] == hand.array["to_act"][0]
            assert without_scratch(plain, batch.observation[i : i + 1]) == hand.observation()
            assert batch.observation[i]["viewer"] == batch.to_act[i] + 1
        actions = np.array([dice.choice(np.flatnonzero(batch.mask[i])) for i in range(3)])
        batch.step(actions)
        for i, hand in enumerate(hands):
            returns = hand.take(int(actions[i]))
            assert batch.done[i] == (returns is not None)
            assert batch.returns[i].tolist() == (
                [0] * plain.seats if returns is None else returns.tolist()
            )
            if returns is not None:
                ended += 1
                hand.begin(next(seeds))
    assert ended > 3


@pytest.mark.parametrize("compiled", BUILDS)
def test_the_arrays_of_a_batch(compiled: bool) -> None:
    engine = engine_of("window", compiled)
    batch = engine.batch(5, seed=1)
    assert isinstance(batch, Batch)
    assert batch.observation.shape == (5,)
    assert batch.observation.dtype == engine.build.state.layout
    assert (batch.mask.shape, batch.mask.dtype) == ((5, engine.num_actions), np.dtype(bool))
    assert (batch.to_act.shape, batch.to_act.dtype) == ((5,), np.dtype(np.int8))
    assert (batch.returns.shape, batch.returns.dtype) == ((5, 4), np.dtype(np.float32))
    assert (batch.done.shape, batch.done.dtype) == ((5,), np.dtype(bool))
    assert not batch.done.any()
    assert not batch.returns.any()
    kept = [batch.observation, batch.mask, batch.to_act, batch.returns, batch.done]
    batch.step(batch.mask.argmax(axis=1))
    now = [batch.observation, batch.mask, batch.to_act, batch.returns, batch.done]
    assert all(a is b for a, b in zip(kept, now, strict=True)), "filled in place"


def all_of(batch: Batch) -> list[bytes]:
    arrays = (batch.observation, batch.mask, batch.to_act, batch.returns, batch.done)
    return [a.tobytes() for a in arrays]


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("wrong", [-1, 10**6, 2**40, -(2**40), None])
def test_an_illegal_action_changes_nothing(compiled: bool, wrong: int | None) -> None:
    """... in any match, whatever the others do; the first such match is named."""
    batch, twin = (engine_of("sealed", compiled).batch(3, seed=1) for _ in range(2))
    before, legal = all_of(batch), batch.mask.argmax(axis=1)
    for i in range(3):
        actions = legal.copy()
        actions[i:] = np.flatnonzero(~batch.mask[i])[0] if wrong is None else wrong
        if wrong is None:
            actions[i + 1 :] = legal[i + 1 :]
        with pytest.raises(bb.IllegalAction, match=f"match {i} "):
            batch.step(actions)
        assert all_of(batch) == before
    for _ in range(20):  # nor what does not show
        actions = batch.mask.argmax(axis=1)
        batch.step(actions)
        twin.step(actions)
        assert all_of(batch) == all_of(twin)


@pytest.mark.parametrize(
    "actions",
    [
        [0, 0],
        [0, 0, 0, 0],
        [[0, 0, 0]],
        0,
        None,
        [0.0, 0.0, 0.0],
        [True, True, True],
        ["a0", "a0", "a0"],
        [None, None, None],
        [0, 0, 2**70],
    ],
    ids=repr,
)
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    batch = TINY["sealed"].plain().batch(3, seed=1)
    before = all_of(batch)
    with pytest.raises(ValueError, match="actions"):
        batch.step(actions)
    assert all_of(batch) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_actions_of_any_whole_kind_are_taken(kind: type) -> None:
    batch, twin = (TINY["sealed"].plain().batch(3, seed=1) for _ in range(2))
    actions = batch.mask.argmax(axis=1)
    batch.step(actions.astype(kind))
    twin.step(actions.tolist())
    assert all_of(batch) == all_of(twin)


def test_an_unsigned_number_that_would_wrap_around_is_refused() -> None:
    batch = TINY["sealed"].plain().batch(1, seed=1)
    with pytest.raises((bb.IllegalAction, ValueError)):
        batch.step(np.array([2**64 - 1], np.uint64))


@pytest.mark.parametrize("n", [0, -1])
def test_a_batch_of_nothing_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        TINY["race"].plain().batch(n, seed=1)


def test_equal_seeds_give_equal_batches() -> None:
    one, two, other = (TINY["sealed"].plain().batch(4, seed=s) for s in (1, 1, 2))
    assert all_of(one) == all_of(two)
    assert all_of(one) != all_of(other)


def test_a_batch_shows_no_hidden_byte() -> None:
    """The secret fields of each observation are as blank as in the observation of a match."""
    batch = TINY["sealed"].plain().batch(6, seed=3)
    for _ in range(10):
        assert not batch.observation["rng"].any()
        assert not batch.observation["deck"].any()
        for i in range(6):
            assert not batch.observation["hand"][i, 1 - batch.to_act[i]].any()
            assert batch.observation["sealed"][i, 1 - batch.to_act[i]] == 0
        batch.step(batch.mask.argmax(axis=1))


# ---- the ruleset's way in, as documented ---------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]
)
def test_the_compiled_build_as_documented(name: str) -> None:
    rules = short(name)
    fast = rules.compiled()
    done = fast.play(1000, seed=1)
    assert done.returns.shape == (1000, rules.players)
    assert done.decisions.shape == (1000,)
    assert (done.returns[:50] == rules.plain().play(50, seed=1).returns).all()
    env = fast.batch(64, seed=1)
    ended = 0
    for _ in range(300):
        env.step(env.mask.argmax(axis=1))
        ended += int(env.done.sum())
        assert (env.mask.sum(axis=1) > 0).all()
        assert (env.returns[~env.done] == 0).all()
    assert env.observation.dtype == rules.match(1).observation(0).dtype
    dice = np.random.default_rng(1)
    for _ in range(400):
        env.step((dice.random(env.mask.shape) * env.mask).argmax(axis=1))
        ended += int(env.done.sum())
    assert ended > 0


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_warming_up_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    more: list[int] = []
    TINY["race"].compiled().warm(lambda: more.append(1), lambda k, n: told.append((k, n)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert more == [1]


# ---- what may not be touched; matches cut off ----------------------------------------------------
def test_what_step_relies_on_is_read_only() -> None:
    batch = TINY["race"].plain().batch(3, seed=1)
    for array in (batch.mask, batch.done):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = True


@pytest.mark.parametrize("compiled", BUILDS)
def test_a_match_cut_off_has_no_returns(compiled: bool) -> None:
    done = engine_of("race", compiled).play(20, seed=1, limit=2)
    assert (done.returns == 0).all()
    assert (done.decisions == 2).all()
