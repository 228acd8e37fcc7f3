"""Random matches in bulk, and the ruleset's way in."""

from __future__ import annotations

import numpy as np
import pytest
from games import short
from tiny import BUILDS, TINY, engine_of

import battlebox as bb


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
        ended += int(env.terminated.sum())
        assert (env.mask.sum(axis=1) > 0).all()
        assert (env.returns[~env.terminated] == 0).all()
    assert env.observation.dtype == rules.match(1).observation(0).dtype
    dice = np.random.default_rng(1)
    for _ in range(400):
        env.step((dice.random(env.mask.shape) * env.mask).argmax(axis=1))
        ended += int(env.terminated.sum())
    assert ended > 0


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_warming_up_tells_how_far_it_is() -> None:
    told: list[tuple[int, int]] = []
    more: list[int] = []
    TINY["race"].compiled().warm(lambda: more.append(1), lambda k, n: told.append((k, n)))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert more == [1]


# ---- matches cut off ----------------------------------------------------------------------------
@pytest.mark.parametrize("compiled", BUILDS)
def test_a_match_cut_off_has_no_returns(compiled: bool) -> None:
    done = engine_of("race", compiled).play(20, seed=1, limit=2)
    assert (done.returns == 0).all()
    assert (done.decisions == 2).all()
