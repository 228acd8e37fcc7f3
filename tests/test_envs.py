"""The games in the libraries of learners: their official suites, and what those do not ask."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from all_rulesets import ALL, EXAMPLES, OUTSIDE, name_of
from test_docs import blocks
from test_shelf import _apart

import battlebox as bb
from battlebox.core.errors import BattleboxError, IllegalAction, RulesetError
from battlebox.games import NAMES, find

LIBRARIES = "needs Gymnasium and PettingZoo: make extras"
gymnasium = pytest.importorskip("gymnasium", reason=LIBRARIES)
pytest.importorskip("pettingzoo", reason=LIBRARIES)

from gymnasium.utils.env_checker import check_env  # noqa: E402

with warnings.catch_warnings():  # where pygame is installed, it makes an environment in an old way
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        parallel_seed_test,
        performance_benchmark,
        render_test,
        seed_test,
    )

from battlebox import envs  # noqa: E402
from battlebox.envs.gymnasium import SeatVectorEnv  # noqa: E402
from battlebox.envs.one_match import OneMatch  # noqa: E402

__all__ = ["_apart"]  # a fixture
pytestmark = pytest.mark.compiled

CYCLES = 60  # of a suite, for each agent
LIMIT = 40


each = pytest.mark.parametrize(("game", "options"), ALL, ids=name_of)


@pytest.fixture
def _dict_observations() -> Iterator[None]:
    """PettingZoo warns of observations with a mask beside them, but for a list of its own games."""
    with warnings.catch_warnings():
        for said in (
            "Observation space for each agent probably should be",
            "Observation is not a NumPy array",
        ):
            warnings.filterwarnings("ignore", message=said)
        yield


# ---- the official suites -------------------------------------------------------------------------
@each
@pytest.mark.usefixtures("_dict_observations")
def test_pettingzoo(game: str, options: dict[str, Any]) -> None:
    api_test(envs.aec(game, **options), num_cycles=CYCLES)
    api_test(envs.aec(game, limit=LIMIT, **options), num_cycles=CYCLES)
    seed_test(lambda: envs.aec(game, **options), num_cycles=CYCLES)
    parallel_api_test(envs.parallel(game, **options), num_cycles=CYCLES)
    parallel_seed_test(lambda: envs.parallel(game, **options), num_cycles=CYCLES)
    render_test(lambda render_mode: envs.aec(game, render_mode=render_mode, **options))


@each
def test_gymnasium(game: str, options: dict[str, Any]) -> None:
    if game in NAMES:
        id = f"battlebox/{game}-v{find(game).version}"
        check_env(gymnasium.make(id, **options).unwrapped)
    else:
        from battlebox.envs.gymnasium import SeatEnv

        with warnings.catch_warnings():  # what is registered has a spec
            warnings.filterwarnings("ignore", message=".*not having a spec")
            check_env(SeatEnv(game, **options))


@each
def test_the_performance_suite_runs(
    game: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PettingZoo's plays for five seconds: here, as many looks at the clock."""
    ticks = iter(range(1_000))
    monkeypatch.setattr("time.time", lambda: next(ticks))
    performance_benchmark(envs.aec(game, **options))


# ---- and are seen to fail ------------------------------------------------------------------------
@pytest.mark.usefixtures("_dict_observations")
def test_a_wrong_mask_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = OneMatch.observation

    def wrong(self: OneMatch, seat: int) -> dict[str, Any]:
        found = right(self, seat)
        found["action_mask"][:] = 1
        return found

    monkeypatch.setattr(OneMatch, "observation", wrong)
    with pytest.raises(IllegalAction):
        api_test(envs.aec("war_zone"), num_cycles=CYCLES)


def test_a_seed_that_is_ignored_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = OneMatch.reset
    monkeypatch.setattr(OneMatch, "reset", lambda self, seed: right(self, None))
    with pytest.raises(AssertionError):
        seed_test(lambda: envs.aec("war_zone"), num_cycles=CYCLES)
    with pytest.raises(AssertionError):
        parallel_seed_test(lambda: envs.parallel("war_zone"), num_cycles=CYCLES)
    with pytest.raises(AssertionError, match="non-deterministic"):
        check_env(gymnasium.make("battlebox/war_zone-v1").unwrapped)


def test_observations_that_share_memory_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right, kept = OneMatch.observation, dict[str, Any]()

    def shared(self: OneMatch, seat: int) -> dict[str, Any]:
        for name, array in right(self, seat).items():
            kept.setdefault(name, array)[:] = array
        return {**kept}

    monkeypatch.setattr(OneMatch, "observation", shared)
    with pytest.raises(AssertionError, match=r"share an object|non-deterministic"):
        check_env(gymnasium.make("battlebox/war_zone-v1").unwrapped)


# ---- what they do not ask ------------------------------------------------------------------------
def first(_: Any, mask: Any) -> Any:
    """A policy: the first legal action."""
    return mask.argmax(1)


def played(rules: bb.Ruleset, seed: int) -> bb.Match:
    """The match of that seed where all play so."""
    m = rules.match(seed)
    while m.to_act is not None:
        m.submit(m.to_act, min(m.legal_actions))
    return m


@each
def test_a_match_is_the_match_of_its_seed(game: str, options: dict[str, Any]) -> None:
    """What each agent sees, may do and gets is what `Match` says, decision for decision."""
    env, rules = envs.aec(game, **options), bb.load(game, **options)
    env.reset(seed=11)
    m, dice, encoder = rules.match(11), np.random.default_rng(5), rules.plain().encoder()
    assert set(env.infos) == {*env.agents}
    assert env.infos["player_0"]["match_seed"] == 11
    for agent in env.agent_iter(200):
        seen, reward, terminated, truncated, _ = env.last()
        seat = env.seats[agent]
        np.testing.assert_array_equal(
            seen["observation"], encoder(np.atleast_1d(m.observation(seat)))[0]
        )
        if terminated:
            assert not truncated
            assert reward == pytest.approx(m.returns[seat])
            env.step(None)
            continue
        assert m.to_act == seat
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(m.legal_actions)
        for other, p in env.seats.items():
            if p != seat:
                assert env.observe(other)["action_mask"].all()
        action = int(dice.choice(m.legal_actions))
        m.submit(seat, action)
        env.step(action)


def test_after_a_seed_others_follow() -> None:
    """The same ones; without a seed, other ones each time."""
    seeds = []
    for seed in (3, 3, None, None):
        env = envs.aec("war_zone")
        found = []
        for k in range(3):
            env.reset(seed=seed if k == 0 else None)
            found.append(env.infos["player_0"]["match_seed"])
        seeds.append(tuple(found))
    assert seeds[0] == seeds[1]
    assert seeds[0][0] == 3
    assert len({x for y in seeds for x in y}) == 9


@pytest.mark.parametrize("make", [envs.aec, envs.parallel])
def test_state_is_what_all_seats_know(make: Any) -> None:
    env = make("iron_man")
    env.reset(seed=2)
    m = bb.load("iron_man").match(2)
    encoder = m.rules.plain().encoder()
    seen = [encoder(np.atleast_1d(m.observation(p)))[0] for p in range(2)]
    np.testing.assert_array_equal(env.state(), np.concatenate(seen))
    assert env.state() in env.state_space


def test_an_illegal_action_loses_or_is_refused() -> None:
    env = envs.parallel("war_zone")
    seen, _ = env.reset(seed=1)
    actor = env.possible_agents[env.match.actor]
    wrong = int(np.flatnonzero(seen[actor]["action_mask"] == 0)[0])
    _, rewards, terminated, truncated, _ = env.step(dict.fromkeys(env.agents, wrong))
    assert rewards == {a: -1.0 if a == actor else 0.0 for a in env.possible_agents}
    assert [*terminated.values(), *truncated.values()] == [True, True, False, False]
    assert env.agents == []
    with pytest.raises(BattleboxError, match="reset"):
        env.step({actor: 0})

    strict = envs.aec("war_zone")
    strict.reset(seed=1)
    before = strict.observe(actor)["observation"]
    for action in (wrong, -1, 10_000, 1.5, None, "pass", np.array([0, 1])):
        with pytest.raises(IllegalAction):
            strict.step(action)
    np.testing.assert_array_equal(strict.observe(actor)["observation"], before)
    strict.step(np.array(strict.observe(actor)["action_mask"].argmax()))  # as networks give it


def test_the_limit_truncates() -> None:
    env = envs.aec("war_zone", limit=5)
    env.reset(seed=1)
    for _ in range(5):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values())
    assert not any([*env.terminations.values(), *env.rewards.values()])


@pytest.mark.parametrize("opponents", [first, {0: first}, {1: first}])
def test_the_reward_is_that_of_the_learners_seat(opponents: Any) -> None:
    env = gymnasium.make("battlebox/war_zone-v1", opponents=opponents, start_health=5).unwrapped
    rules = bb.load("war_zone", start_health=5)
    seats = set()
    for seed in range(8):
        seen, _ = env.reset(seed=seed)
        seat, over = env.match.actor, False
        seats.add(seat)
        while not over:
            mask = seen["action_mask"]
            assert (mask.astype(bool) == env.action_masks()).all()
            seen, reward, terminated, truncated, _ = env.step(int(mask.argmax()))
            over = terminated or truncated
            assert over or reward == 0
        assert reward == pytest.approx(played(rules, seed).returns[seat])
    assert seats == ({0, 1} if callable(opponents) else {0, 1} - {*opponents})


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "off"])
def test_many_matches_at_once(autoreset: Any) -> None:
    """Each is the match of its seed, also after others in its place."""
    n, rules = 16, bb.load("war_zone", players=3, start_health=5)
    how = {"players": 3, "start_health": 5, "opponents": first, "autoreset": autoreset}
    env = gymnasium.make_vec("battlebox/war_zone-v1", num_envs=n, **how)
    seen, infos = env.reset(seed=4)
    encoder, ended, begins = rules.plain().encoder(), 0, np.zeros(n, bool)
    seats = env.batch.mine.argmax(1)
    while ended < 3 * n:
        assert seen in env.observation_space
        seeds, was = infos["match_seed"].copy(), seats.copy()
        seen, rewards, terminated, truncated, infos = env.step(seen["action_mask"].argmax(1))
        assert not truncated.any()
        assert not (terminated & begins).any(), "the action that begins a match does nothing else"
        assert not rewards[~terminated].any()
        for i in np.flatnonzero(terminated):
            m = played(rules, int(seeds[i]))
            assert rewards[i] == pytest.approx(m.returns[was[i]])
            final = encoder(np.atleast_1d(m.observation(int(was[i]))))[0]
            if autoreset == "same_step":
                assert infos["final_info"]["match_seed"][i] == seeds[i] != infos["match_seed"][i]
                np.testing.assert_array_equal(infos["final_obs"][i]["observation"], final)
            else:
                np.testing.assert_array_equal(seen["observation"][i], final)
        if autoreset == "same_step":
            assert infos.get("_final_obs", np.zeros(n, bool)).tolist() == terminated.tolist()
        ended += terminated.sum()
        begins = terminated if autoreset == "next_step" else begins
        if autoreset == "off" and terminated.any():
            seen, infos = env.reset(options={"reset_mask": terminated})
        seats = env.batch.mine.argmax(1)
    assert env.metadata["autoreset_mode"].name in ("NEXT_STEP", "SAME_STEP", "DISABLED")


def first_legal(seen: dict[str, Any]) -> Any:
    """The first legal action; of many matches, of each."""
    return seen["action_mask"].argmax(axis=-1)


@pytest.mark.parametrize("many", [False, True])
def test_a_copy_goes_on_by_itself(many: bool) -> None:
    """As a search asks for: what is done in one is not seen in the other."""
    make: Any = gymnasium.make_vec if many else gymnasium.make
    env = make("battlebox/war_zone-v1", opponents=lambda seen, mask: mask.argmax(axis=1))
    seen, _ = env.reset(seed=5)
    for _ in range(3):
        seen, *_ = env.step(first_legal(seen))
    other = copy.deepcopy(env)
    told = []
    for x in (other, env):
        here, told_here = seen, []
        for _ in range(4):
            here, reward, *_ = x.step(first_legal(here))
            told_here.append((here["observation"].tobytes(), np.asarray(reward).tobytes()))
        told.append(told_here)
    assert told[0] == told[1]
    assert len({x for x, _ in told[0]}) > 1


def test_a_copied_table_of_agents_goes_on_by_itself() -> None:
    env = envs.aec("war_zone", players=2)
    env.reset(seed=5)
    other = copy.deepcopy(env)
    for x in (other, env):
        before = env.observe("player_0")["observation"].tobytes()
        for _ in range(3):
            x.step(first_legal(x.observe(x.agent_selection)))
        if x is other:
            assert env.observe("player_0")["observation"].tobytes() == before
    assert other.observe("player_0")["observation"].tobytes() == (
        env.observe("player_0")["observation"].tobytes()
    )
    assert other.observe("player_0")["observation"].tobytes() != before


def test_what_cannot_be_copied_says_what_to_do() -> None:
    rules = bb.load("war_zone")
    match, bot = rules.match(1), bb.bot("random", rules)
    assert copy.deepcopy(rules) is rules
    assert copy.deepcopy(rules.plain()) is rules.plain()
    for what, do in ((match, "battlebox.replay makes the same match"), (bot, "by its word")):
        for way in (copy.copy, copy.deepcopy, pickle.dumps):
            if what is bot and way is copy.copy:
                continue  # a second name of the same one
            with pytest.raises(TypeError, match=do):
                way(what)
    with pytest.raises(TypeError, match="pickle its rules"):
        pickle.dumps(rules.plain())


def test_some_begin_anew_with_a_seed() -> None:
    env = SeatVectorEnv("war_zone", 4, autoreset="off")
    _, before = env.reset(seed=1)
    some = np.array([True, False, True, False])
    found = [env.reset(seed=9, options={"reset_mask": some})[1]["match_seed"] for _ in range(2)]
    assert found[0].tolist() == found[1].tolist()
    assert (found[0] != before["match_seed"]).tolist() == some.tolist()


def test_what_one_keeps_stays_as_it_was() -> None:
    env = SeatVectorEnv("war_zone", 4)
    seen, infos = env.reset(seed=1)
    kept = [seen["observation"], seen["action_mask"], infos["match_seed"]]
    copies = [x.copy() for x in kept]
    for _ in range(20):
        seen, *rest, _ = env.step(seen["action_mask"].argmax(1))
        kept += [seen["observation"], seen["action_mask"], *rest]
        copies += [x.copy() for x in kept[-5:]]
    for a, b in zip(kept, copies, strict=True):
        np.testing.assert_array_equal(a, b)


def test_bots_begin_anew_with_a_seed() -> None:
    """The same seed and actions: the same match, against bots that draw lots and search."""
    for opponents in ("random", "so-ismcts:20", {0: "so-ismcts:20"}):
        env = gymnasium.make("battlebox/medieval-v1", opponents=opponents)
        found = []
        for _ in range(2):
            seen, _ = env.reset(seed=6)
            rewards = []
            for _ in range(6):
                seen, reward, over, *_ = env.step(int(seen["action_mask"].argmax()))
                rewards.append((reward, over, seen["observation"].tobytes()))
                if over:
                    break
            found.append(rewards)
        assert found[0] == found[1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: envs.aec("war_zon"), "no game 'war_zon'"),
        (lambda: envs.aec("war_zone", players=9), "players"),
        (lambda: envs.aec("war_zone", illegal="ignore"), "raise, lose"),
        (lambda: envs.parallel("war_zone", render_mode="rgb_array"), "human, ansi"),
        (lambda: envs.aec("war_zone").step(0), "reset"),
        (lambda: envs.parallel("war_zone").state(), "reset"),
        (lambda: envs.aec("war_zone").reset(seed=-1), "seed -1"),
        (lambda: envs.aec("war_zone", limit=0).reset(), "limit = 0"),
        (lambda: gymnasium.make("battlebox/war_zone-v1", opponents="eas"), "no bot 'eas'"),
        (
            lambda: gymnasium.make("battlebox/war_zone-v1", opponents={}),
            "one seat of 2 is left to the learner, not 0, 1",
        ),
        (
            lambda: gymnasium.make("battlebox/war_zone-v1", opponents={0: "easy", 1: "easy"}),
            "not none",
        ),
        (lambda: SeatVectorEnv("war_zone", 2, {5: "easy", 1: "easy"}).reset(), "no seat 5"),
        (lambda: SeatVectorEnv("war_zone", 2, render_mode="ansi"), "gymnasium.make"),
        (lambda: SeatVectorEnv("war_zone", 2, autoreset="never"), "same_step, next_step, off"),
        (lambda: SeatVectorEnv("war_zone", 2).step([0, 0]), "reset"),
        (lambda: SeatVectorEnv("war_zone", 0).reset(), "at least one match"),
    ],
)
def test_what_is_wrong_is_said(make: Any, words: str) -> None:
    with pytest.raises((RulesetError, BattleboxError, ValueError), match=words):
        make()


@pytest.mark.parametrize(
    ("page", "n"),
    [
        ("batch", 2),
        ("search", 1),
        ("gymnasium", 2),
        ("pettingzoo", 1),
        ("exact-values", 2),
    ],  # OpenSpiel: test_open_spiel
)
def test_the_examples_of_a_page_run(page: str, n: int) -> None:
    """One after the other: the second may go on from the first."""
    text = (EXAMPLES.parent / f"docs/learners/{page}.md").read_text("utf-8")
    known: dict[str, Any] = {}
    examples = blocks(text, "python")
    assert len(examples) == n
    for example in examples:
        exec(example.replace("examples/kuhn_poker/src/kuhn_poker", OUTSIDE[0]), known)
    if page in ("gymnasium", "pettingzoo"):
        assert known["over"]


def test_pettingzoo_has_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envs, "find_spec", lambda _: None)
    for make in (envs.aec, envs.parallel):
        with pytest.raises(BattleboxError, match=r"pip install 'battlebox\[envs\]'"):
            make("war_zone")
