"""Our games as environments of learners, beside the environments of others, in the same interface.

A step is one decision of the caller; what opponents decide meanwhile, and steps that only begin a
match anew, are inside the clock and not counted. Actions are drawn outside it, where that can be.
All figures are of processor time: so much a second of one core. Environments that are not installed
are left out.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

import battlebox as bb
from battlebox import speed
from battlebox.speed import Sampler

from .rulesets import RULESETS

N = 4096  # matches of a batch
ENVS = 1024  # environments of a vector
SEED = 1


@dataclass(frozen=True)
class Step:
    """What a batch's step costs one ruleset, each a median of the rounds.

    play: random play, decisions a second. step: a batch's steps, as a part of that. features:
    what encoding takes, as a part of a step. threads: two threads by the clock, to one.
    """

    ruleset: str
    play: float
    step: float
    features: float
    threads: float


@dataclass(frozen=True)
class Row:
    """An environment in an interface: its steps a second; ours by them, but for ours."""

    interface: str
    name: str
    rate: float
    ratio: float | None


@dataclass(frozen=True)
class Environments:
    """All that was found, and what was left out."""

    steps: tuple[Step, ...]
    rows: tuple[Row, ...]
    missing: tuple[str, ...]


def measure(quick: bool, rounds: int, say: Callable[[str], None]) -> Environments:
    """Measures it, each thing in turn in each round."""
    steps = []
    for name, options in RULESETS:
        rules = bb.load(name, **options)
        say(f"batch of {speed.name_of(rules)}")
        steps.append(step_of(rules, 20 if quick else 200, rounds))
    rows, missing = list[Row](), list[str]()
    for interface, kinds in INTERFACES.items():
        samplers = dict[str, Sampler]()
        for name, make in kinds.items():
            try:
                samplers[name] = make(quick)
            except ImportError as e:
                missing.append(f"{name} ({e.name or e})")
        ours, *_ = kinds
        if ours not in samplers:
            continue
        say(f"{interface}: {', '.join(samplers)}")
        for sample in samplers.values():
            sample()  # what is compiled at first is not measured
        found = {name: list[float]() for name in samplers}
        for _ in range(rounds):
            for name, sample in samplers.items():
                found[name].append(sample())
        for name, rates in found.items():
            ratio = median(a / b for a, b in zip(found[ours], rates, strict=True))
            rows.append(Row(interface, name, median(rates), None if name == ours else ratio))
    return Environments(tuple(steps), tuple(rows), tuple(missing))


# ---- our batch ----------------------------------------------------------------------------------
def step_of(rules: bb.Ruleset, steps: int, rounds: int) -> Step:
    """Play, steps, encoding and two threads, in turn."""
    engine = rules.compiled()
    encode, games = engine.encoder(), 2_000 if rules.name == "battleball" else 100_000
    picked = np.array([a.copy() for a in speed._walk(engine.batch(N, SEED), steps)])
    numbers = encode(engine.batch(N, SEED).observation)
    engine.play(1, SEED)
    found = list[tuple[float, float, float, float]]()
    for _ in range(rounds):
        start = process_time()
        play = engine.play(games, SEED).decisions.sum(dtype=np.int64) / (process_time() - start)
        batch = engine.batch(N, SEED)
        start = process_time()
        for actions in picked:
            batch.step(actions)
        step = process_time() - start
        start = process_time()
        for _ in range(10):
            encode(batch.observation, out=numbers)
        encoding = (process_time() - start) / 10 * steps
        one, two = (by_the_clock(engine.batch(N, SEED, threads=k), picked) for k in (1, 2))
        found.append((play, N * steps / step / play, encoding / step, one / two))
    return Step(speed.name_of(rules), *(median(x) for x in zip(*found, strict=True)))


def by_the_clock(batch: bb.Batch, picked: Any) -> float:
    """Seconds of these steps."""
    start = perf_counter()
    for actions in picked:
        batch.step(actions)
    return perf_counter() - start


# ---- the same interfaces ------------------------------------------------------------------------
def vector(make: Callable[[], Any], quick: bool) -> Sampler:
    """Steps a second of a vector environment of Gymnasium, random legal actions."""
    env, rng = make(), np.random.default_rng(SEED)
    seen, _ = env.reset()
    n = env.num_envs
    over = np.zeros(n, bool)  # the next step of these begins them anew
    space = getattr(env, "single_action_space", env.action_space)
    steps = (20 if quick else 100) * (1 if n == ENVS else 8)

    def sample() -> float:
        nonlocal seen, over
        took, done = 0.0, 0
        for _ in range(steps):
            if isinstance(seen, Mapping) and "action_mask" in seen:
                weights = rng.random(seen["action_mask"].shape, np.float32)
                actions = (weights * seen["action_mask"]).argmax(1)
            else:
                actions = rng.integers(space.n, size=n)
            done += n - int(over.sum())
            start = process_time()
            seen, _, terminated, truncated, _ = env.step(actions)
            took += process_time() - start
            over = np.asarray(terminated) | np.asarray(truncated)
        return done / took

    return sample


def our_vector() -> Any:
    """War Zone for two against random players."""
    gymnasium = importlib.import_module("gymnasium")
    importlib.import_module("battlebox.envs")
    return gymnasium.make_vec("battlebox/war_zone-v1", num_envs=ENVS, opponents="random")


def envpool_vector(name: str) -> Any:
    """One of EnvPool's, in one thread."""
    envpool = importlib.import_module("envpool")
    return envpool.make(name, env_type="gymnasium", num_envs=ENVS, num_threads=1, seed=SEED)


def gymnasium_vector(name: str) -> Any:
    """One of Gymnasium's own, in Python, one after the other."""
    return importlib.import_module("gymnasium").make_vec(name, num_envs=64)


def agents(make: Callable[[], Any], quick: bool) -> Sampler:
    """Decisions a second of an AECEnv of PettingZoo, random legal actions."""
    env, dice = make(), random.Random(SEED)
    steps = 1_000 if quick else 10_000

    def sample() -> float:
        took, done, seed = 0.0, 0, dice.getrandbits(30)
        while done < steps:
            start = process_time()
            env.reset(seed=seed)
            took += process_time() - start
            seed += 1
            for _ in env.agent_iter():
                start = process_time()
                seen, _, terminated, truncated, info = env.last()
                took += process_time() - start
                action = None
                if not (terminated or truncated):
                    mask = seen if "action_mask" in seen else info
                    action = dice.choice(np.flatnonzero(mask["action_mask"]).tolist())
                    done += 1
                start = process_time()
                env.step(action)
                took += process_time() - start
        return done / took

    return sample


def our_agents() -> Any:
    """War Zone for two."""
    importlib.import_module("pettingzoo")
    return importlib.import_module("battlebox.envs").aec("war_zone")


def classic(name: str) -> Any:
    """One of PettingZoo's classic games, without the wrappers that ours does not have either."""
    return importlib.import_module(f"pettingzoo.classic.{name}").raw_env()


def spiel(name: str, quick: bool) -> Sampler:
    """Decisions a second of a game of OpenSpiel that is written in Python, chance not counted."""
    pyspiel = importlib.import_module("pyspiel")
    if name.startswith("battlebox"):
        importlib.import_module("battlebox.envs.open_spiel")
    else:
        importlib.import_module("open_spiel.python.games")
    game, dice = pyspiel.load_game(name), random.Random(SEED)

    def sample() -> float:
        done, start = 0, process_time()
        while done < (500 if quick else 5_000):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(dice.choices(outcomes, chances)[0])
                else:
                    state.apply_action(dice.choice(state.legal_actions()))
                    done += 1
        return done / (process_time() - start)

    return sample


Maker = Callable[[bool], Sampler]
#: by interface: ours first, then others, and what makes a sampler
INTERFACES: dict[str, dict[str, Maker]] = {
    "Gymnasium, vector": {
        "battlebox/war_zone-v1, 1024": partial(vector, our_vector),
        "EnvPool's Blackjack-v1, 1024": partial(vector, partial(envpool_vector, "Blackjack-v1")),
        "EnvPool's Game2048-v1, 1024": partial(vector, partial(envpool_vector, "Game2048-v1")),
        "Gymnasium's Blackjack-v1, 64": partial(vector, partial(gymnasium_vector, "Blackjack-v1")),
    },
    "PettingZoo, AEC": {
        "battlebox war_zone": partial(agents, our_agents),
        **{
            name: partial(agents, partial(classic, name))
            for name in ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4")
        },
    },
    "OpenSpiel, games in Python": {
        name: partial(spiel, name)
        for name in (
            "battlebox_war_zone(players=2)",
            "python_block_dominoes",
            "python_kuhn_poker",
            "python_tic_tac_toe",
        )
    },
}
