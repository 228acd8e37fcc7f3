"""A build with a table: states to play on, random matches in bulk, the vector environment."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from . import drivers
from .build import Build
from .errors import IllegalAction
from .features import Encoder, Feature
from .random import checked_seed
from .views import Array, Picture

Progress = Callable[[int, int], None]  # (done, of how many)
NO_LIMIT = 2**31 - 1


@dataclass(frozen=True)
class Played:
    """Random matches, played to their ends."""

    returns: Array  # float32 [n, seats]: -1 .. 1
    decisions: Array  # int32 [n]: how many actions each took


class Engine:
    """One ruleset on one build. `f` are its functions; they take the table first."""

    def __init__(self, build: Build, table: Array, seats: int) -> None:
        self.build, self.table, self.seats = build, table, seats
        self.f = build.f
        self.tt = build.sight(table)
        self._blank = build.sight(build.states(1))
        self._encoders: dict[tuple[bool, bool], Encoder] = {}

    @property
    def num_actions(self) -> int:
        """How many action numbers there are."""
        return self.build.num_actions

    def bind(self, module: ModuleType) -> SimpleNamespace:
        """The drivers of another module, running on this game."""
        return SimpleNamespace(**self.build.bind(module))

    @property
    def features(self) -> Mapping[str, Feature]:
        """What `encode` writes: where each field stands in a row, its shape and bounds."""
        return self.encoder().features

    def encode(
        self,
        observations: Array,
        out: Array | None = None,
        *,
        ego: bool = True,
        onehot: bool = True,
    ) -> Array:
        """Observations as float32 [n, width], into `out` if it is given. See `Encoder`."""
        return self.encoder(ego=ego, onehot=onehot)(observations, out)

    def encoder(self, *, ego: bool = True, onehot: bool = True) -> Encoder:
        """What makes rows of numbers of observations of this ruleset."""
        if (found := self._encoders.get((ego, onehot))) is None:
            build, s = self.build, self.build.states()
            self.begin(build.sight(s), 0, 0)
            stocks = [s[f"{x.stem}_stock"].max() for x in build.state.places.values()]
            table, most = Picture(self.table[0]), max(map(int, stocks), default=1)
            found = Encoder(build, self.seats, table, most, ego=ego, onehot=onehot)
            self._encoders[ego, onehot] = found
        return found

    def begin(self, states: Any, i: int, seed: int) -> None:
        """states[i] (a sight of an array of states) becomes a new match at its first decision."""
        self.f.begin(self.tt, states, i, self._blank, self.seats, seed)

    def play(
        self, n: int, seed: int, *, progress: bool | Progress = False, limit: int = NO_LIMIT
    ) -> Played:
        """n matches of random legal play; match i uses the seed `seed + i`.

        progress: True shows a bar, a function is called with (done, n). limit: most decisions a
        match; one that is cut off there returns zeros.
        """
        seed = checked_seed(seed)
        if n < 0:
            raise ValueError(f"n = {n}: a number of matches is never negative")
        build = self.build
        out, decisions = np.zeros((n, self.seats), np.float32), np.zeros(n, np.int32)
        work = drivers.SeriesArrays(
            build.sight(build.states()),
            self._blank,
            build.sight(build.states()),
            build.sight(build.action_buffer()),
            build.sight(out),
            build.sight(decisions),
        )
        chunk = max(1, n if progress is False else n // 100)
        with _reporter(progress) as report:
            for first in range(0, n, chunk):
                last = min(n, first + chunk)
                self.f.play_many(self.tt, work, self.seats, seed, first, last, limit)
                report(last, n)
        return Played(out, decisions)

    def batch(self, n: int, seed: int) -> Batch:
        """n matches side by side, as an environment for learners."""
        return Batch(self, n, seed)

    def warm(
        self, more: Callable[[], None] | None = None, progress: Progress | None = None
    ) -> None:
        """Compiles (or fetches) what a first use would compile; `more` is a further first use."""
        steps = [lambda: self.play(1, 0), lambda: self.batch(1, 0), *([more] if more else [])]
        for k, step in enumerate(steps):
            if progress:
                progress(k, len(steps))
            step()
        if progress:
            progress(len(steps), len(steps))


class Batch:
    """n matches side by side. A match that ends begins anew within the same step.

    observation  states [n], what the seat to act may know (the record `State.layout`)
    mask         bool [n, actions], its legal actions
    to_act       int8 [n], the seat to act
    returns      float32 [n, seats], of the match that ended in this step, else 0
    done         bool [n], whether one ended in this step

    `mask` and `done` are read-only: `step` relies on them.
    """

    def __init__(self, engine: Engine, n: int, seed: int) -> None:
        if n < 1:
            raise ValueError(f"n = {n}: a batch has at least one match")
        self.engine, self.n = engine, n
        build, sight = engine.build, engine.build.sight
        seeds = build.states()
        seeds["rng"] = checked_seed(seed)
        mask, done = np.zeros((n, engine.num_actions), np.uint8), np.zeros(n, np.uint8)
        self.observation = build.states(n)
        self.mask, self.done = mask.view(bool), done.view(bool)
        self.mask.flags.writeable = self.done.flags.writeable = False
        self.to_act = np.zeros(n, np.int8)
        self.returns = np.zeros((n, engine.seats), np.float32)
        self._work = drivers.BatchArrays(
            sight(build.states(n)),
            engine._blank,
            sight(seeds),
            sight(build.action_buffer()),
            sight(self.observation),
            sight(mask),
            sight(self.to_act),
            sight(self.returns),
            sight(done),
        )
        engine.f.begin_all(engine.tt, self._work, engine.seats)

    def step(self, actions: Any) -> None:
        """One action in every match: integers [n]. Fills the arrays above in place.

        Errors: IllegalAction names the first match with an action its mask does not allow; then
        nothing has changed. ValueError: not n whole numbers.
        """
        a = np.asarray(actions)
        if a.shape != (self.n,) or a.dtype.kind not in "iu":
            raise ValueError(f"actions: {self.n} whole numbers, not {a.dtype} {a.shape}")
        a = np.ascontiguousarray(a, np.int64)
        engine = self.engine
        wrong = engine.f.step_all(engine.tt, self._work, engine.seats, engine.build.sight(a))
        if wrong >= 0:
            raise IllegalAction(f"match {wrong} of the batch: action {a[wrong]} is not legal now")


@contextlib.contextmanager
def _reporter(progress: bool | Progress) -> Iterator[Progress]:
    """A function to report to; True makes a bar on the terminal."""
    if progress is not True:
        yield progress or (lambda done, n: None)
        return
    from rich import progress as rich

    with rich.Progress() as bar:
        task = bar.add_task("random matches", total=None)
        yield lambda done, n: bar.update(task, completed=done, total=n)
