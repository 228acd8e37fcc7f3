"""How fast a ruleset runs here: random play, steps from Python, the batch, the search, the start.

    speeds = measure(rules, quick=True)
    report(speeds)

Each thing measured is a sampler, a function that does a fixed piece of work and returns how much of
it a second it did; so a benchmark can run samplers in turn with those of others. What a sampler
compiles or prepares it does before it is handed out, never inside the clock.

A decision is one action of one seat. Finding all its legal actions is always part of it, and so are
shuffling and dealing at the start of each match.
"""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from .bots import bot
from .core.batch import Batch
from .core.checked import Array
from .core.contract import ACTIONS
from .core.engine import Engine
from .core.game import Ruleset
from .core.rules import draw, rule

Sampler = Callable[[], float]  # one piece of work; how much of it a second
SIZES = (1, 64, 4096)  # of the batches
SEED = 1


@dataclass(frozen=True)
class Rate:
    """So much a second: what, of which unit, and every repeat."""

    name: str
    unit: str
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle of the repeats."""
        return median(self.samples)


@dataclass(frozen=True)
class Start:
    """Seconds that a fresh process takes to its first results."""

    importing: float  # import battlebox
    loading: float  # load(...)
    playing: float  # compiled().play(1): compiles the game, or fetches it
    choosing: float  # a bot's first choice: compiles the search, or fetches it
    process: float  # all of it, with the interpreter's own start and end


@dataclass(frozen=True)
class Speeds:
    """What `measure` found."""

    ruleset: str
    length: float  # mean decisions of a random match
    rates: tuple[Rate, ...]
    cold: Start | None = None  # nothing was compiled before
    cached: Start | None = None  # the machine code was kept from before

    def rate(self, name: str) -> Rate:
        """The rate of that name; KeyError if it was not measured."""
        return {r.name: r for r in self.rates}[name]


def sampled(name: str, unit: str, sampler: Sampler, repeats: int) -> Rate:
    """The sampler, so many times."""
    return Rate(name, unit, tuple(sampler() for _ in range(repeats)))


# ---- random play --------------------------------------------------------------------------------
def play_sampler(engine: Engine, games: int) -> Sampler:
    """Decisions a second of whole random matches, played inside one call of the engine."""
    engine.play(1, SEED)

    def sample() -> float:
        start = perf_counter()
        decisions = engine.play(games, SEED).decisions
        return float(decisions.sum(dtype=np.int64)) / (perf_counter() - start)

    return sample


def mean_length(engine: Engine, games: int) -> float:
    """Mean decisions of the random matches that `play_sampler` plays."""
    return float(engine.play(games, SEED).decisions.mean())


# ---- a step called from Python ------------------------------------------------------------------
def step_sampler(rules: Ruleset, steps: int, *, choosing: bool) -> Sampler:
    """Decisions a second when Python calls the engine twice for each: list the actions, take one.

    choosing: a random number of Python's picks the action inside the clock; else the actions of the
    same matches were picked before.
    """
    engine = rules.compiled()
    states, acts = engine.build.states(), engine.build.action_buffer()
    picked = _play_from_python(engine, states, acts, steps)

    def sample() -> float:
        start = perf_counter()
        if choosing:
            _play_from_python(engine, states, acts, steps)
        else:
            _replay_from_python(engine, states, acts, picked)
        return steps / (perf_counter() - start)

    return sample


def _play_from_python(engine: Engine, states: Array, acts: Array, steps: int) -> list[int]:
    """Random matches from Python; the actions they took."""
    tt, list_actions, take = engine.tt, engine.f.list_actions, engine.f.take
    chance, seed, taken = random.Random(SEED).random, SEED, list[int]()
    engine.begin(states, 0, seed)
    for _ in range(steps):
        n = list_actions(tt, states, 0, acts)
        if n == 0:
            seed += 1
            engine.begin(states, 0, seed)
            n = list_actions(tt, states, 0, acts)
        action = acts.item(int(chance() * n))
        take(tt, states, 0, action)
        taken.append(action)
    return taken


def _replay_from_python(engine: Engine, states: Array, acts: Array, picked: list[int]) -> None:
    """The same matches again, the actions known; the legal ones are listed all the same."""
    tt, list_actions, take = engine.tt, engine.f.list_actions, engine.f.take
    seed = SEED
    engine.begin(states, 0, seed)
    for action in picked:
        if list_actions(tt, states, 0, acts) == 0:
            seed += 1
            engine.begin(states, 0, seed)
            list_actions(tt, states, 0, acts)
        take(tt, states, 0, action)


# ---- the batch ----------------------------------------------------------------------------------
@rule
def choose_all(mask: Any, dice: Any, acts: Any, actions: Any) -> None:
    """actions[i] = a random legal action of match i, read from the mask as a policy would."""
    for i in range(len(actions)):
        n = 0
        for a in range(ACTIONS):
            acts[n] = a
            n += 1 if mask[i, a] > 0 else 0
        actions[i] = acts[draw(dice[0], n)]


class Chooser:
    """Random legal actions for a batch, compiled."""

    def __init__(self, env: Batch) -> None:
        build = env.engine.build
        self._choose = env.engine.bind(sys.modules[__name__]).choose_all
        self.actions = np.zeros(env.n, np.int64)
        self._dice = build.states()
        self._dice["rng"] = SEED
        arrays = (env.mask, self._dice, build.action_buffer(), self.actions)
        self._arrays = tuple(build.access(a) for a in arrays)

    def __call__(self) -> Array:
        """One action for each match, always in the same array."""
        self._choose(*self._arrays)
        return self.actions


def batch_sampler(rules: Ruleset, n: int, steps: int, *, choosing: bool) -> Sampler:
    """Decisions a second of `Batch.step`: with masks, observations, returns, new beginnings.

    choosing: a compiled random policy picks the actions from the masks inside the clock; else the
    actions of the same matches were picked before, and the steps alone are in the clock.
    """
    engine = rules.compiled()
    picked = np.array([a.copy() for a in _walk(engine.batch(n, SEED), 1 if choosing else steps)])

    def sample() -> float:
        env = engine.batch(n, SEED)
        walk: Any = _walk(env, steps) if choosing else map(env.step, picked)
        start = perf_counter()
        for _ in walk:
            pass
        return n * steps / (perf_counter() - start)

    return sample


def _walk(env: Batch, steps: int) -> Any:
    """Steps at random, yielding the actions."""
    choose = Chooser(env)
    for _ in range(steps):
        actions = choose()
        env.step(actions)
        yield actions


# ---- the search ---------------------------------------------------------------------------------
def search_sampler(rules: Ruleset, choices: int, simulations: int | None = None) -> Sampler:
    """Simulations a second of a search of so many at the first real decisions of new matches; None:
    of as many as the game's longest search makes.

    The costliest decisions: each simulation determinizes and plays a whole match.
    """
    n = rules.game.simulations[-1] if simulations is None else simulations
    player = bot(f"so-ismcts:{n}", rules, seed=SEED)
    player.warm()
    seen = [first_decision(rules, SEED + k) for k in range(choices)]

    def sample() -> float:
        start = perf_counter()
        for observation in seen:
            player.choose(observation)
        return n * len(seen) / (perf_counter() - start)

    return sample


def first_decision(rules: Ruleset, seed: int) -> Array:
    """What the seat to act knows when a new match first offers a choice."""
    m = rules.match(seed)
    while len(m.legal_actions) == 1 and m.to_act is not None:
        m.submit(m.to_act, m.legal_actions[0])
    return m.observation(m.to_act)


# ---- the start ----------------------------------------------------------------------------------
PROBE = """
import pickle, sys
from time import perf_counter
times = [perf_counter()]
import battlebox as bb
times.append(perf_counter())
rules = pickle.load(sys.stdin.buffer)  # which loads it
times.append(perf_counter())
rules.compiled().play(1, seed=1)
times.append(perf_counter())
m = rules.match(seed=1)
while len(m.legal_actions) == 1:
    m.submit(m.to_act, m.legal_actions[0])
bb.bot("easy", rules, seed=1).choose(m.observation(m.to_act))
times.append(perf_counter())
print(*(b - a for a, b in zip(times, times[1:])))
"""


def start_once(rules: Ruleset, cache: Path | None = None) -> Start:
    """One fresh process. `cache`: the folder of its machine code; None: the one in use."""
    given = pickle.dumps(rules)
    env = {**os.environ, **({"BATTLEBOX_CACHE": str(cache)} if cache else {})}
    command = [sys.executable, "-c", PROBE]
    start = perf_counter()
    done = subprocess.run(command, env=env, check=True, stdout=subprocess.PIPE, input=given)
    process = perf_counter() - start
    importing, loading, playing, choosing = map(float, done.stdout.split())
    return Start(importing, loading, playing, choosing, process)


def starts(rules: Ruleset, *, cold: int = 1, cached: int = 5) -> tuple[Start, Start]:
    """The medians of cold starts (each with an empty cache) and of the cached ones after them."""
    if cold < 1:
        raise ValueError(f"cold = {cold}: cached starts follow a cold one")
    cold_ones = list[Start]()
    with tempfile.TemporaryDirectory() as folder:
        for k in range(cold):
            cache = Path(folder) / str(k)
            cold_ones.append(start_once(rules, cache))
        cached_ones = [start_once(rules, cache) for _ in range(cached)]
    return _middle(cold_ones), _middle(cached_ones)


def _middle(found: list[Start]) -> Start:
    return Start(*(median(column) for column in zip(*map(astuple, found), strict=True)))


# ---- all of it ----------------------------------------------------------------------------------
def measure(
    rules: Ruleset,
    *,
    games: int = 100_000,
    repeats: int = 5,
    quick: bool = False,
    start: bool = True,
    cold: int = 1,
    say: Callable[[str], None] = lambda what: None,
) -> Speeds:
    """Everything, on one core: about half a minute, and the compiling of `cold` cold starts.

    games: random matches a repeat; the other pieces of work grow and shrink with it. quick: a tenth
    of it, three repeats at most. start: also the cold and the cached start. say: told what comes
    next. Errors: ValueError for no games or no repeats.
    """
    if games < 1 or repeats < 1:
        raise ValueError(f"games = {games}, repeats = {repeats}: at least one of each")
    if quick:
        games, repeats = max(1, games // 10), min(repeats, 3)
    rates = list[Rate]()

    def add(name: str, unit: str, sampler: Callable[[], Sampler]) -> None:
        say(name)
        rates.append(sampled(name, unit, sampler(), repeats))

    fast, few = rules.compiled(), max(1, games // 1000)
    say("compiling, where nothing is kept from before")
    fast.play(1, SEED)
    length = mean_length(fast, games)
    add("random play, compiled", "decisions/s", lambda: play_sampler(fast, games))
    rates.append(
        Rate("random play, compiled: games", "games/s", tuple(x / length for x in rates[0].samples))
    )
    add("random play, plain", "decisions/s", lambda: play_sampler(rules.plain(), few))
    for choosing, how in ((True, "choice in Python"), (False, "choice made before")):
        add(
            f"step from Python, {how}",
            "decisions/s",
            lambda c=choosing: step_sampler(rules, games * 2, choosing=c),  # type: ignore[misc]
        )
    for n in SIZES:
        steps = max(1, games * (30 if n > 1 else 3) // n)
        for choosing, how in ((False, "step alone"), (True, "with a random policy")):
            add(
                f"batch of {n}, {how}",
                "decisions/s",
                lambda n=n, s=steps, c=choosing: batch_sampler(rules, n, s, choosing=c),  # type: ignore[misc]
            )
    add("search, the longest", "simulations/s", lambda: search_sampler(rules, max(1, few // 10)))
    if not start:
        return Speeds(name_of(rules), length, tuple(rates))
    say("cold and cached start")
    return Speeds(name_of(rules), length, tuple(rates), *starts(rules, cold=cold, cached=repeats))


def name_of(rules: Ruleset) -> str:
    """A ruleset in words: the game and the options that say which."""
    return f"{rules.name} {rules.options_text}"


def short(x: float) -> str:
    """A rate as people say it: 16.4 M, 812 k, 37."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if x >= 0.9995 * size:  # what would round up to it, too
            return f"{x / size:.{max(0, 2 - len(str(int(x / size))) + 1)}f}{letter}"
    return f"{x:.3g}"


STEPS = {
    "importing": "import battlebox",
    "loading": "load the ruleset",
    "playing": "first compiled match",
    "choosing": "first choice of a bot",
    "process": "whole process",
}


def report(speeds: Speeds, console: Console | None = None) -> None:
    """Prints tables: the rates, and the start if it was measured."""
    console = console or Console()
    table = Table(title=f"{speeds.ruleset}: {speeds.length:.1f} decisions a random match")
    table.add_column("one core")
    for name in ("median", "least", "most"):
        table.add_column(name, justify="right")
    table.add_column("")
    for r in speeds.rates:
        table.add_row(r.name, *map(short, (r.median, min(r.samples), max(r.samples))), r.unit)
    console.print(table)
    if speeds.cold is None or speeds.cached is None:
        return
    table = Table(title="start, seconds")
    table.add_column("a fresh process")
    table.add_column("cold", justify="right")
    table.add_column("cached", justify="right")
    for field, what in STEPS.items():
        cold, cached = getattr(speeds.cold, field), getattr(speeds.cached, field)
        table.add_row(what, f"{cold:.2f}", f"{cached:.2f}")
    console.print(table)
