"""The environment for learners, beside matches driven by hand."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tiny import BUILDS, TINY, engine_of

import battlebox as bb
from battlebox.bots import SeatView
from battlebox.core.batch import Arrays, Batch
from battlebox.core.checked import checked
from battlebox.core.engine import Engine
from battlebox.core.random import draw
from battlebox.core.state import Dice


def by_lot(batch: Batch, dice: np.random.Generator) -> Any:
    """A random legal action for each match."""
    return (dice.random(batch.mask.shape) * batch.mask).argmax(axis=1)


# ---- the batch -----------------------------------------------------------------------------------
class ByHand:
    """One match of a batch, driven by the functions of the plain build."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine, self.array = engine, engine.build.states()
        self.b, self.acts = (
            engine.build.access(self.array),
            engine.build.access(engine.build.action_buffer()),
        )
        self.begin(seed)

    def begin(self, seed: int) -> None:
        self.engine.begin(self.b, 0, seed)

    def legal_actions(self) -> list[int]:
        n = self.engine.f.list_actions(self.engine.tt, self.b, 0, self.acts)
        return sorted(int(self.acts[k]) for k in range(n))

    def observation(self) -> bytes:
        out = self.engine.build.states()
        f, access = self.engine.f, self.engine.build.access
        f.observe(self.engine.tt, self.b, 0, access(out), 0, int(self.array["to_act"][0]))
        return without_scratch(self.engine, out)

    def take(self, action: int) -> Any:
        """The returns, if that was the end."""
        self.engine.f.take(self.engine.tt, self.b, 0, action)
        if self.legal_actions():
            return None
        out = np.zeros(self.engine.seats)
        self.engine.f.results(self.engine.tt, self.b, 0, self.engine.build.access(out))
        return out


def without_scratch(engine: Engine, out: Any) -> bytes:
    blank = engine.build.states()
    for n in out.dtype.names:
        if engine.build.state.visibility[n] != "scratch":
            blank[n] = out[n]
    return bytes(blank.tobytes())


def seeds_of(seed: int, i: int) -> Iterator[int]:
    """The seeds that a batch draws for its match i, one after the other."""
    lender = np.zeros(1, Dice.layout)
    lender["rng"] = np.random.SeedSequence(seed).generate_state(i + 1, np.uint64)[i]
    while True:
        yield draw(checked(lender)[0], 1 << 31)


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("name", TINY)
def test_a_batch_is_as_many_single_matches(name: str, compiled: bool) -> None:
    """Observation, mask, seat, returns, end and a new beginning: all as by hand."""
    batch = engine_of(name, compiled).batch(3, seed=11)
    plain = TINY[name].plain()
    seeds = [seeds_of(11, i) for i in range(3)]
    hands = [ByHand(plain, next(x)) for x in seeds]
    dice, ended = np.random.default_rng(1), 0
    steps = 150 if name == "window" else 60
    for _ in range(steps):
        for i, hand in enumerate(hands):
            legal = hand.legal_actions()
            assert np.flatnonzero(batch.mask[i]).tolist() == legal
            assert batch.actor[i] == hand.array["to_act"][0]
            assert without_scratch(plain, batch.observation[i : i + 1]) == hand.observation()
            assert batch.observation[i]["viewer"] == batch.actor[i] + 1
        actions = np.array([dice.choice(np.flatnonzero(batch.mask[i])) for i in range(3)])
        batch.step(actions)
        for i, hand in enumerate(hands):
            returns = hand.take(int(actions[i]))
            assert batch.terminated[i] == (returns is not None)
            assert batch.returns[i].tolist() == (
                [0] * plain.seats if returns is None else returns.tolist()
            )
            if returns is not None:
                ended += 1
                hand.begin(next(seeds[i]))
    assert ended > 3


@pytest.mark.parametrize("compiled", BUILDS)
def test_the_arrays_of_a_batch(compiled: bool) -> None:
    engine = engine_of("window", compiled)
    batch = engine.batch(5, seed=1)
    assert isinstance(batch, Batch)
    assert batch.observation.shape == (5,)
    assert batch.observation.dtype == engine.build.state.layout
    assert (batch.mask.shape, batch.mask.dtype) == ((5, engine.num_actions), np.dtype(np.int8))
    assert (batch.actor.shape, batch.actor.dtype) == ((5,), np.dtype(np.int8))
    assert (batch.mine.shape, batch.mine.dtype) == ((5, 4), np.dtype(np.int8))
    assert (batch.returns.shape, batch.returns.dtype) == ((5, 4), np.dtype(np.float32))
    assert (batch.terminated.shape, batch.terminated.dtype) == ((5,), np.dtype(bool))
    assert (batch.truncated.shape, batch.truncated.dtype) == ((5,), np.dtype(bool))
    assert (batch.length.shape, batch.length.dtype) == ((5,), np.dtype(np.int32))
    assert (batch.match_seed.shape, batch.match_seed.dtype) == ((5,), np.dtype(np.int64))
    assert batch.mine.all()
    assert not any(x.any() for x in (batch.terminated, batch.truncated, batch.returns))
    kept = arrays_of(batch)
    batch.step(batch.mask.argmax(axis=1))
    now = arrays_of(batch)
    assert all(a is b for a, b in zip(kept, now, strict=True)), "filled in place"


def arrays_of(batch: Batch) -> Arrays:
    return Arrays(*(getattr(batch, name) for name in Arrays._fields))


def all_of(batch: Batch) -> list[bytes]:
    return [a.tobytes() for a in arrays_of(batch)]


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("wrong", [-1, 10**6, 2**40, -(2**40), None])
def test_an_illegal_action_changes_nothing(compiled: bool, wrong: int | None) -> None:
    """... in any match, whatever the others do; the first such match is named."""
    batch, twin = (engine_of("sealed", compiled).batch(3, seed=1) for _ in range(2))
    before, legal = all_of(batch), batch.mask.argmax(axis=1)
    for i in range(3):
        actions = legal.copy()
        actions[i:] = np.flatnonzero(batch.mask[i] == 0)[0] if wrong is None else wrong
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
            assert not batch.observation["hand"][i, 1 - batch.actor[i]].any()
            assert batch.observation["sealed"][i, 1 - batch.actor[i]] == 0
        batch.step(batch.mask.argmax(axis=1))


# ---- match by match ------------------------------------------------------------------------------
def test_a_match_is_the_one_of_its_seed() -> None:
    """What was done in it, done in a `Match` of that seed, comes to the same."""
    rules, dice, ended = TINY["sealed"], np.random.default_rng(3), 0
    batch = rules.plain().batch(4, seed=9)
    matches = [rules.match(int(seed)) for seed in batch.match_seed]
    for _ in range(60):
        actions = by_lot(batch, dice)
        for m, action in zip(matches, actions, strict=True):
            m.submit(m.to_act, int(action))
        batch.step(actions)
        for i, m in enumerate(matches):
            assert batch.length[i] == len(m.history)
            assert batch.terminated[i] == m.over
            if m.over:
                ended += 1
                assert batch.returns[i].tolist() == pytest.approx(m.returns)
                matches[i] = rules.match(int(batch.match_seed[i]))
            assert (batch.observation[i] == matches[i].observation(batch.actor[i])).all()
    assert ended > 8


@pytest.mark.parametrize("compiled", BUILDS)
def test_neither_number_nor_threads_change_a_match(compiled: bool) -> None:
    engine = engine_of("sealed", compiled)
    batches = [engine.batch(5, 2), engine.batch(9, 2), engine.batch(5, 2, threads=3)]
    assert len({tuple(x.match_seed[:5]) for x in batches}) == 1
    for _ in range(40):
        for batch in batches:
            batch.step(batch.mask.argmax(axis=1))
        few = [[x[:5].tobytes() for x in arrays_of(batch)] for batch in batches]
        assert few[0] == few[1] == few[2]


@pytest.mark.parametrize("compiled", BUILDS)
def test_where_names_the_matches_that_move(compiled: bool) -> None:
    batch, twin = (engine_of("sealed", compiled).batch(4, seed=1) for _ in range(2))
    where = np.array([True, False, True, False])
    for _ in range(30):
        actions = twin.mask.argmax(axis=1)
        batch.step(np.where(where, actions, -7), where)  # of the others nobody looks at them
        twin.step(actions)
        for ours, theirs in zip(arrays_of(batch), arrays_of(twin), strict=True):
            assert ours[where].tobytes() == theirs[where].tobytes()
    assert (batch.length == [batch.length[0], 0, batch.length[2], 0]).all()


@pytest.mark.parametrize("compiled", BUILDS)
def test_matches_are_begun_anew_with_seeds_of_ones_own(compiled: bool) -> None:
    engine = engine_of("sealed", compiled)
    batch = engine.batch(3, seed=1)
    batch.step(batch.mask.argmax(axis=1))
    others = all_of(batch)
    batch.reset(np.array([False, True, False]), seeds=[0, 77, 0])
    assert batch.match_seed[1] == 77
    assert batch.length.tolist() == [1, 0, 1]
    assert (batch.observation[1] == TINY["sealed"].match(77).observation(batch.actor[1])).all()
    for before, now in zip(others, arrays_of(batch), strict=True):
        then = np.frombuffer(before, now.dtype).reshape(now.shape)
        assert then[[0, 2]].tobytes() == now[[0, 2]].tobytes()
    twin = engine.batch(3, seed=5)
    twin.reset(seeds=[1, 2, 3])
    batch.reset(seeds=np.array([1, 2, 3]))
    assert twin.match_seed.tolist() == [1, 2, 3]
    assert twin.observation.tobytes() == batch.observation.tobytes()


@pytest.mark.parametrize("compiled", BUILDS)
def test_a_new_beginning_changes_no_other_match(compiled: bool) -> None:
    batch, twin = (engine_of("sealed", compiled).batch(3, seed=1) for _ in range(2))
    batch.reset(np.array([False, True, False]))
    assert batch.match_seed[1] != twin.match_seed[1]
    batch.reset(np.array([True, False, True]))
    twin.reset()
    assert (batch.match_seed == twin.match_seed).all(), "each has drawn its second"


# ---- the end of a match --------------------------------------------------------------------------
@pytest.mark.parametrize("compiled", BUILDS)
def test_a_limit_cuts_matches_off(compiled: bool) -> None:
    batch = engine_of("sealed", compiled).batch(3, seed=1, limit=3)
    for k in range(1, 10):
        seeds = batch.match_seed.copy()
        batch.step(batch.mask.argmax(axis=1))
        assert (batch.truncated == (k % 3 == 0)).all()
        assert not batch.terminated.any()
        assert not batch.returns.any()
        assert (batch.length == (k - 1) % 3 + 1).all()
        assert ((batch.match_seed != seeds) == (k % 3 == 0)).all()


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "off"])
def test_what_the_seat_that_was_asked_knows_at_the_end(compiled: bool, autoreset: Any) -> None:
    batch = engine_of("sealed", compiled).batch(2, seed=4, autoreset=autoreset)
    m = TINY["sealed"].match(int(batch.match_seed[0]))
    while not m.over:
        seat, actions = m.to_act, batch.mask.argmax(axis=1)
        m.submit(seat, int(actions[0]))
        batch.step(actions)
    assert batch.terminated[0]
    assert (batch.final_observation[0] == m.observation(seat)).all()
    for p in range(2):
        assert (batch.observe(p, final=True)[0] == m.observation(p)).all()


@pytest.mark.parametrize("compiled", BUILDS)
def test_a_match_that_ended_begins_anew_in_the_next_step(compiled: bool) -> None:
    batch = engine_of("race", compiled).batch(1, seed=4, autoreset="next_step")
    while not batch.terminated[0]:
        batch.step(batch.mask.argmax(axis=1))
    seed, length = batch.match_seed[0], batch.length[0]
    assert batch.returns.any()
    assert batch.mask.all(), "any action will do"
    assert batch.observation.tobytes() == batch.final_observation.tobytes()
    batch.step([0])
    assert batch.match_seed[0] != seed
    assert (batch.length[0], batch.terminated[0], batch.returns.any()) == (0, False, False)
    assert length > 0
    assert not batch.mask.all()


@pytest.mark.parametrize("compiled", BUILDS)
def test_without_autoreset_what_has_ended_stays(compiled: bool) -> None:
    batch = engine_of("sealed", compiled).batch(5, seed=4, autoreset="off", limit=6)
    seeds, dice = batch.match_seed.tolist(), np.random.default_rng(1)
    while not (over := batch.terminated | batch.truncated).all():
        before = [x[over].tobytes() for x in arrays_of(batch)]
        batch.step(by_lot(batch, dice))
        assert before == [x[over].tobytes() for x in arrays_of(batch)]
    assert batch.match_seed.tolist() == seeds
    before = all_of(batch)
    batch.step([0] * 5)
    assert all_of(batch) == before
    batch.reset()
    assert not (batch.terminated | batch.truncated).any()
    assert all(a != b for a, b in zip(batch.match_seed, seeds, strict=True))


# ---- who decides ---------------------------------------------------------------------------------
class Lowest:
    """A bot that takes the lowest of the legal actions."""

    def __init__(self, rules: bb.Ruleset) -> None:
        self.seat, self.asked = SeatView(rules.plain()), 0

    def choose(self, observation: Any) -> int:
        self.asked += 1
        return self.seat.legal(observation)[0]


def lowest(observations: Any, mask: Any) -> Any:
    """The same as a policy."""
    assert len(observations) == len(mask) > 0
    return mask.argmax(axis=1)


@pytest.mark.parametrize("compiled", BUILDS)
@pytest.mark.parametrize("name", ["race", "sealed", "window"])
def test_an_opponent_decides_within_the_step(compiled: bool, name: str) -> None:
    """As by hand, where one takes its actions as well."""
    engine, dice, ended = engine_of(name, compiled), np.random.default_rng(1), 0
    batch = engine.batch(4, seed=6, opponents=Lowest(TINY[name]))
    alike = engine.batch(4, seed=6, opponents=lowest, threads=2)
    assert (batch.mine.sum(axis=1) == 1).all()
    assert len({tuple(x) for x in engine.batch(30, seed=6, opponents=lowest).mine}) == engine.seats
    matches = [TINY[name].match(int(seed)) for seed in batch.match_seed]
    for _ in range(80):
        for i, m in enumerate(matches):
            while not m.over and not batch.mine[i, m.to_act]:
                m.submit(m.to_act, m.legal_actions[0])
            assert batch.actor[i] == m.to_act
            assert np.flatnonzero(batch.mask[i]).tolist() == list(m.legal_actions)
        assert all_of(batch) == all_of(alike)
        actions, mine = by_lot(batch, dice), batch.mine.copy()
        batch.step(actions)
        alike.step(actions)
        for i, m in enumerate(matches):
            me = m.to_act
            m.submit(me, int(actions[i]))
            while not m.over and not mine[i, m.to_act]:
                m.submit(m.to_act, m.legal_actions[0])
            assert (batch.terminated[i], batch.length[i]) == (m.over, len(m.history))
            if m.over:
                ended += 1
                assert batch.returns[i].tolist() == pytest.approx(m.returns)
                assert (batch.final_observation[i] == m.observation(me)).all()
                matches[i] = TINY[name].match(int(batch.match_seed[i]))
    assert ended > 4


def test_opponents_on_their_seats() -> None:
    batch = (
        TINY["window"].plain().batch(2, seed=1, opponents={1: lowest, 3: Lowest(TINY["window"])})
    )
    assert batch.mine.tolist() == [[1, 0, 1, 0]] * 2
    for _ in range(30):
        assert set(batch.actor.tolist()) <= {0, 2}
        batch.step(batch.mask.argmax(axis=1))


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "off"])
@pytest.mark.parametrize("compiled", BUILDS)
def test_what_ends_before_one_is_asked_is_passed_over(compiled: bool, autoreset: Any) -> None:
    """With one decision a match, one sees only those in which one's own seat comes first."""
    batch = engine_of("race", compiled).batch(
        20, seed=3, limit=1, opponents=lowest, autoreset=autoreset
    )
    for _ in range(6):
        over = batch.terminated | batch.truncated
        mine = batch.mine[np.arange(20), batch.actor]
        assert mine[~over].all()
        if autoreset == "same_step":
            assert mine.all()
        batch.step(batch.mask.argmax(axis=1), where=~over if autoreset == "off" else None)
        assert (batch.length[batch.truncated] == 1).all()
        if autoreset == "off":
            batch.reset()
            assert not batch.truncated.any()


def test_where_one_is_never_asked_the_last_end_stands() -> None:
    """Rather than to begin for ever."""
    batch = TINY["race"].plain().batch(2, seed=3, limit=1, opponents={0: lowest})
    assert batch.truncated.all()
    assert (batch.length == 1).all()


@pytest.mark.parametrize("seats", [{4: lowest}, {-1: lowest}, dict.fromkeys(range(4), lowest)])
def test_opponents_of_no_seat_or_of_all_are_refused(seats: Any) -> None:
    with pytest.raises(bb.RulesetError, match="opponents"):
        TINY["window"].plain().batch(2, seed=1, opponents=seats)


def test_what_an_opponent_may_not_do_is_said_to_be_its_own() -> None:
    with pytest.raises(bb.IllegalAction, match="opponent's action 999"):
        TINY["sealed"].plain().batch(2, seed=1, opponents=lambda seen, mask: [999] * len(seen))


# ---- what else can be seen -----------------------------------------------------------------------
@pytest.mark.parametrize("compiled", BUILDS)
def test_what_any_seat_knows(compiled: bool) -> None:
    batch = engine_of("sealed", compiled).batch(3, seed=8)
    matches = [TINY["sealed"].match(int(seed)) for seed in batch.match_seed]
    out = batch.engine.build.states(3)
    for seat in (0, 1, None):
        assert batch.observe(seat, out) is out
        for o, m in zip(out, matches, strict=True):
            assert (o == m.observation(seat)).all()
    mixed = batch.observe([1, -1, 0])
    assert [int(x) for x in mixed["viewer"]] == [2, -1, 1]
    assert batch.observe(batch.actor).tobytes() == batch.observation.tobytes()


@pytest.mark.parametrize("seat", [2, -2, [0, 1, 5]])
def test_no_such_seat(seat: Any) -> None:
    with pytest.raises(ValueError, match="seats are"):
        TINY["sealed"].plain().batch(3, seed=8).observe(seat)


@pytest.mark.parametrize("compiled", BUILDS)
def test_a_batch_goes_on_from_where_it_stood(compiled: bool) -> None:
    batch = engine_of("sealed", compiled).batch(4, seed=8, limit=7)
    for _ in range(10):
        batch.step(batch.mask.argmax(axis=1))
    kept = pickle.loads(pickle.dumps(batch.state()))
    twins = [copy.copy(batch), copy.deepcopy(batch)]
    expected = [run(batch, 20)]
    batch.restore(kept)
    assert [run(x, 20) for x in (batch, *twins)] == expected * 3


def run(batch: Batch, steps: int) -> list[list[bytes]]:
    found = []
    for _ in range(steps):
        batch.step(batch.mask.argmax(axis=1))
        found.append(all_of(batch))
    return found


def test_a_batch_of_another_kind_is_not_restored() -> None:
    batch = TINY["sealed"].plain().batch(4, seed=8)
    before = all_of(batch)
    for other in (TINY["sealed"].plain().batch(3, 8), TINY["race"].plain().batch(4, 8)):
        with pytest.raises(ValueError, match="observation"):
            batch.restore(other.state())
        assert all_of(batch) == before


def test_a_batch_is_not_pickled() -> None:
    with pytest.raises(TypeError, match="state"):
        pickle.dumps(TINY["sealed"].plain().batch(1, seed=8))


# ---- arrays of one's own -------------------------------------------------------------------------
@pytest.mark.parametrize("compiled", BUILDS)
def test_a_batch_fills_arrays_of_ones_own(compiled: bool) -> None:
    engine = engine_of("sealed", compiled)
    storage = np.zeros((2, 3, engine.num_actions), np.int8)
    batch = engine.batch(3, seed=1, out=engine.arrays(3)._replace(mask=storage[1]))
    twin = engine.batch(3, seed=1)
    assert batch.mask is not twin.mask
    assert (storage[1] == twin.mask).all()
    batch.step(twin.mask.argmax(axis=1))
    twin.step(twin.mask.argmax(axis=1))
    assert (storage[1] == twin.mask).all()
    assert not storage[0].any()


def test_arrays_that_do_not_fit_are_refused() -> None:
    engine = TINY["sealed"].plain()
    arrays, shape = engine.arrays(3), (3, engine.num_actions)
    fixed = np.zeros(shape, np.int8)
    fixed.flags.writeable = False
    wide = np.zeros((3, 2 * engine.num_actions), np.int8)[:, ::2]
    for mask in (np.zeros(shape, bool), np.zeros((2, shape[1]), np.int8), fixed, wide):
        with pytest.raises(ValueError, match="mask: "):
            engine.batch(3, seed=1, out=arrays._replace(mask=mask))


@pytest.mark.parametrize("compiled", BUILDS)
def test_what_others_write_into_the_arrays_does_not_matter(compiled: bool) -> None:
    batch, twin = (engine_of("sealed", compiled).batch(3, seed=1) for _ in range(2))
    actions = twin.mask.argmax(axis=1)
    for array in (batch.mask, batch.observation, batch.returns, batch.terminated, batch.length):
        array[...] = np.zeros((), array.dtype)
    batch.mask[:] = 1
    with pytest.raises(bb.IllegalAction):
        batch.step([int(np.flatnonzero(twin.mask[0] == 0)[0]), *actions[1:]])
    batch.step(actions)
    twin.step(actions)
    assert all_of(batch) == all_of(twin)


def test_other_libraries_take_the_numbers_as_they_are() -> None:
    batch = TINY["sealed"].plain().batch(3, seed=1)
    for name, array in arrays_of(batch)._asdict().items():
        if array.dtype.names is None and array.dtype != bool:
            assert np.shares_memory(np.from_dlpack(array), array), name


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"limit": 0}, "limit"),
        ({"autoreset": "maybe"}, "same_step, next_step, off"),
        ({"threads": 0}, "threads"),
    ],
)
def test_odd_options_are_refused(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        TINY["race"].plain().batch(1, seed=1, **options)


@pytest.mark.parametrize("where", [[True], [1, 0, 1], "all"])
def test_where_is_one_truth_for_each_match(where: Any) -> None:
    batch = TINY["sealed"].plain().batch(3, seed=1)
    with pytest.raises(ValueError, match="where: 3 of bool"):
        batch.step(batch.mask.argmax(axis=1), where)
    with pytest.raises(bb.RulesetError, match="seed"):
        batch.reset(seeds=[1, 2, -3])
