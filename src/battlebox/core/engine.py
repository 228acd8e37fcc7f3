"""A build with a table: states to play on, random matches in bulk."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn

import numpy as np

from . import drivers
from .batch import Arrays, Autoreset, Batch, Opponents
from .build import Build
from .checked import Array
from .engine_state import HIDDEN, NO_LIMIT, EngineState
from .features import Encoder, Feature
from .histories import Histories, History
from .random import checked_seed

Progress = Callable[[int, int], None]  # (done, of how many)


@dataclass(frozen=True)
class Played:
    """Random matches, played to their ends."""

    returns: Array  # float32 [n, seats]: -1 .. 1
    decisions: Array  # int32 [n]: how many actions each took


class Engine:
    """One ruleset on one build. `f` are its functions; they take the table first.

    plain: the engine of the same ruleset on the plain build; None: this one.
    """

    def __init__(self, build: Build, table: Array, seats: int, plain: Engine | None = None) -> None:
        self.build, self.table, self.seats = build, table, seats
        self.plain = plain or self
        self.f = build.f
        self.tt = build.access(table)
        self._blank = build.access(build.states(1))
        self._encoders: dict[tuple[bool, bool, int, frozenset[str]], Encoder] = {}
        self._of_thread = threading.local()

    def __deepcopy__(self, memo: Any) -> Engine:
        return self  # it does not change

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine is not pickled: pickle its rules, which have it compiled")

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

    def encoder(
        self,
        *,
        ego: bool = True,
        onehot: bool = True,
        room: int | None = None,
        without: Iterable[str] = (),
    ) -> Encoder:
        """What makes rows of numbers of observations of this ruleset.

        room: for how many seats there are columns, so that rows of several rulesets are alike;
        None: for those there are. without: names of features that are left out. Errors: ValueError,
        if there is no room for all seats, or no such feature.
        """
        room, without = self.seats if room is None else room, frozenset(without)
        if room < self.seats:
            raise ValueError(f"room = {room}: this ruleset has {self.seats} seats")
        if (found := self._encoders.get((ego, onehot, room, without))) is None:
            if without and (unknown := without - self.features.keys()):
                raise ValueError(f"without = {min(unknown)!r}: no feature of this game")
            build, s = self.build, self.build.states()
            self.begin(build.access(s), 0, 0)
            stocks = [s[f"{x.stem}_stock"].max() for x in build.state.places.values()]
            most = max(map(int, stocks), default=1)
            found = Encoder(self, most, ego=ego, onehot=onehot, room=room, without=without)
            self._encoders[ego, onehot, room, without] = found
        return found

    # ---- one match ----
    def state(self, seed: int) -> EngineState:
        """A new match at its first decision, for a search of your own."""
        array = self.build.states()
        self.begin(self.build.access(array), 0, checked_seed(seed))
        return EngineState(self, array)

    def determinize(self, observation: Array, seed: int) -> EngineState:
        """A truth that fits what a seat or a spectator sees, an observation of one record.

        What it cannot see is drawn at random from all that is left, each way to deal it as likely
        as any other: what was seen before, or how others have played, is no evidence.
        Errors: ValueError if it is no observation of this ruleset.
        """
        seen, array = np.asarray(observation).reshape(-1), self.build.states()
        if seen.dtype != array.dtype or len(seen) != 1:
            raise ValueError(
                "an observation of this game is wanted, as `Match.observation` gives it; this is "
                f"an array of {len(seen)} {seen.dtype if seen.dtype.names is None else 'records'}"
            )
        if seen["viewer"][0] == 0:
            raise ValueError("what a seat or a spectator sees is wanted; this is the whole truth")
        self._check_seats(seen)
        own, access = self.build.states(), self.build.access  # a copy's padding need not be blank
        own[:] = seen
        word = checked_seed(seed) + HIDDEN
        self.f.determinize_into(self.tt, access(own), 0, access(array), 0, word)
        return EngineState(self, array)

    def from_bytes(self, data: bytes) -> EngineState:
        """What `EngineState.to_bytes` gave, by an engine of the same ruleset: it is trusted.

        Errors: ValueError if it is of another size, or for another number of seats.
        """
        array = self.build.states()
        if len(data) != array.nbytes:
            raise ValueError(f"{len(data)} bytes; a state of this game has {array.nbytes}")
        array[:] = np.frombuffer(data, array.dtype)
        self._check_seats(array)
        return EngineState(self, array)

    def _check_seats(self, array: Array) -> None:
        if (seats := int(array["seats"][0])) != self.seats:
            raise ValueError(f"{seats} seats; this ruleset has {self.seats}")

    def outcomes(self, state: EngineState, action: int) -> Iterator[tuple[float, EngineState]]:
        """What an action may lead to: the probability of each outcome, and the state after it.

        Chance here is dice, and shuffles from now on. In a state the order of a deck is settled,
        so that drawing from it has one outcome. After a shuffle, cards that nobody sees yet are in
        an order that is drawn for each outcome. The plain build finds the outcomes one by one, as
        you ask for the next: there may be many.
        Errors: IllegalAction.
        """
        number = state.check(action)
        if (histories := getattr(self._of_thread, "histories", None)) is None:
            histories = self._of_thread.histories = Histories(self)
        before = histories.of(state.clone().array[0])
        return self._ends(histories, before, number, Random(int(state.array["rng"][0])))

    def _ends(
        self, histories: Histories, before: History, action: int, dice: Random
    ) -> Iterator[tuple[float, EngineState]]:
        for probability, end in histories.ends(histories.take(before, action)):
            array = histories.deal(end, dice.getrandbits(62)).reshape(1)
            array["rng"] = dice.getrandbits(62)
            yield probability, EngineState(self, array)

    # ---- many ----
    def begin(self, states: Any, i: int, seed: int) -> None:
        """states[i] (as `build.access` gives them) becomes a new match at its first decision."""
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
            build.access(build.states()),
            self._blank,
            build.access(build.states()),
            build.access(build.action_buffer()),
            build.access(out),
            build.access(decisions),
        )
        chunk = max(1, n if progress is False else n // 100)
        with _reporter(progress) as report:
            for first in range(0, n, chunk):
                last = min(n, first + chunk)
                self.f.play_many(self.tt, work, self.seats, seed, first, last, limit)
                report(last, n)
        return Played(out, decisions)

    def batch(
        self,
        n: int,
        seed: int,
        *,
        limit: int | None = None,
        autoreset: Autoreset = "same_step",
        threads: int = 1,
        opponents: Opponents = None,
        out: Arrays | None = None,
    ) -> Batch:
        """n matches side by side, as an environment for learners. See `Batch`."""
        return Batch(self, n, seed, limit, autoreset, threads, opponents, out)

    def arrays(self, n: int) -> Arrays:
        """What a batch of n fills: to be changed for arrays of one's own, and given as `out`."""
        return Arrays.of(self, n)

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
