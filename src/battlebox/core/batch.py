"""The environment for learners: many matches side by side, one action in each at every step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    get_args,
)

import numpy as np

from .checked import Array
from .drivers import BITS, MINE, NEXT_STEP, RESET, SAME_STEP, THEIRS, BatchArrays
from .errors import IllegalAction, RulesetError
from .random import checked_seed
from .state import Dice

if TYPE_CHECKING:
    from .engine import Engine

Autoreset = Literal["same_step", "next_step", "off"]
Policy = Callable[[Array, Array], Any]  # (observations [n], mask int8 [n, actions]) -> actions [n]


class Chooser(Protocol):
    """What chooses by one observation at a time: a bot."""

    def choose(self, observation: Any) -> int: ...


Opponent = Policy | Chooser
Opponents = Opponent | Mapping[int, Opponent] | None

HOW: dict[Autoreset, int] = {"same_step": SAME_STEP, "next_step": NEXT_STEP, "off": 0}


class Arrays(NamedTuple):
    """What a batch shows of its n matches. All are filled in place.

    Of what is to be decided now:

    observation        states [n]: what the seat to act may know (the record `State.layout`)
    mask               int8 [n, actions]: its legal actions; all are, where the match is over
    actor              int8 [n]: the seat to act
    mine               int8 [n, seats]: the seats that the caller decides for, not an opponent
    match_seed         int64 [n]: the match is `rules.match(seed)`

    Of the last step; a match that is over and does not begin anew, or that `where` leaves out,
    keeps what it had, so count it once:

    returns            float32 [n, seats]: of the match that ended in it, else 0
    terminated         bool [n]: whether one ended by the rules
    truncated          bool [n]: whether one was cut off at the limit; its returns are 0
    length             int32 [n]: how many decisions its match had by then, opponents' included
    final_observation  states [n]: of a match that ended, what the seat that was asked knows then
    """

    observation: Array
    mask: Array
    actor: Array
    mine: Array
    match_seed: Array
    returns: Array
    terminated: Array
    truncated: Array
    length: Array
    final_observation: Array

    @classmethod
    def of(cls, engine: Engine, n: int) -> Self:
        """New ones."""
        return cls(
            observation=engine.build.states(n),
            mask=np.zeros((n, engine.num_actions), np.int8),
            actor=np.zeros(n, np.int8),
            mine=np.ones((n, engine.seats), np.int8),
            match_seed=np.zeros(n, np.int64),
            returns=np.zeros((n, engine.seats), np.float32),
            terminated=np.zeros(n, bool),
            truncated=np.zeros(n, bool),
            length=np.zeros(n, np.int32),
            final_observation=engine.build.states(n),
        )


class Kept(NamedTuple):
    """What a batch keeps for itself: see `BatchArrays`."""

    states: Array
    final: Array
    legal: Array
    asked: Array
    moves: Array
    over: Array
    dice: Array


class BatchState(NamedTuple):
    """Where a batch stands, hidden things included. It can be pickled."""

    shown: Arrays
    kept: Kept


class Batch:
    """n matches side by side, for learners. Its arrays (`Arrays`) are attributes.

    Match i has seeds of its own: neither n nor the number of threads changes what happens in it,
    as long as no bot decides in it, which draws its lots for all matches.

    limit: most decisions of a match; one that comes so far is truncated. None: the rules end it.
    autoreset: a match that ended begins anew in the same step; in the next one, whose action then
    does nothing; or "off", only by `reset`.
    threads: among how many cores a step is divided. It pays from some hundred matches on.
    opponents: who decides within a step, so that only the caller's seats are asked: bots, or
    policies, which get many observations at once. {1: bot} names them by seat; one alone plays all
    seats but one, which is drawn by lot for each match. A match that they end before the caller
    was ever asked begins anew.
    out: arrays to fill in place of new ones, of the same shapes.
    """

    observation: Array
    mask: Array
    actor: Array
    mine: Array
    match_seed: Array
    returns: Array
    terminated: Array
    truncated: Array
    length: Array
    final_observation: Array

    def __init__(
        self,
        engine: Engine,
        n: int,
        seed: int,
        limit: int | None = None,
        autoreset: Autoreset = "same_step",
        threads: int = 1,
        opponents: Opponents = None,
        out: Arrays | None = None,
    ) -> None:
        if n < 1:
            raise ValueError(f"n = {n}: a batch has at least one match")
        if limit is not None and limit < 1:
            raise ValueError(f"limit = {limit}: a match has at least one decision")
        if autoreset not in HOW:
            raise ValueError(f"autoreset = {autoreset!r}: one of {', '.join(get_args(Autoreset))}")
        if threads < 1:
            raise ValueError(f"threads = {threads}: at least one")
        self.engine, self.n, self.seed, self.limit = engine, n, checked_seed(seed), limit
        self.autoreset, self.threads, self.opponents = autoreset, threads, opponents
        self._by_lot = opponents is not None and not isinstance(opponents, Mapping)
        self._opponents = _by_seat(opponents, engine.seats)
        build = engine.build
        self._shown = Arrays.of(engine, n)
        if out is not None:
            _check_arrays(out, self._shown)
            self._shown = out
        for name, array in self._shown._asdict().items():
            setattr(self, name, array)
        self._kept = Kept(
            states=build.states(n),
            final=build.states(n),
            legal=np.zeros((n, engine.num_actions // BITS + 1), np.int64),
            asked=np.zeros(n, np.int8),
            moves=np.zeros(n, np.int32),
            over=np.zeros(n, np.int8),
            dice=np.zeros(n, Dice.layout),
        )
        self._kept.dice["rng"] = np.random.SeedSequence(self.seed).generate_state(n, np.uint64)
        shown = self._shown._replace(
            terminated=self.terminated.view(np.int8), truncated=self.truncated.view(np.int8)
        )
        seen = [*map(build.access, (*shown, *self._kept))]
        buffers = [build.access(build.action_buffer()) for _ in range(threads)]
        self._work = [BatchArrays._make([*seen, engine._blank, x]) for x in buffers]
        bounds = np.linspace(0, n, threads + 1).astype(int).tolist()
        self._parts = list(zip(self._work, bounds, bounds[1:], strict=False))
        # each part is always the same thread's: its matches stay in the cache of one core
        self._helpers = [ThreadPoolExecutor(1) for _ in self._parts[1:]]
        self._everywhere = np.ones(n, bool)
        self.mine[:] = 1
        for seat, opponent in enumerate(self._opponents):
            self.mine[:, seat] = opponent is None
        self.reset()

    # ---- one after the other ----
    def reset(self, where: Any = None, seeds: Any = None) -> None:
        """Matches begin anew: all, or where it is True ([n] of bool).

        seeds: [n] whole numbers, the seeds of the matches; None: the batch draws them.
        """
        where = self._where(where)
        if seeds is None:
            given = np.zeros(self.n, np.int64)
            access, dice = self.engine.build.access, self._work[0].dice
            self.engine.f.draw_seeds(dice, access(given), access(where.view(np.int8)))
        else:
            given = self._whole_numbers("seeds", seeds)
            for seed in given[where]:
                checked_seed(seed)
        self.match_seed[where] = given[where]
        self._advance(RESET, given, where)
        self._answer(where)

    def step(self, actions: Any, where: Any = None) -> None:
        """One action in every match, or where it is True ([n] of bool): whole numbers [n].

        The arrays are filled in place. Errors: IllegalAction names the first match with an action
        that is not legal; then nothing has changed. If it is an opponent's, the caller's actions
        are done, and matches of that opponent's wait: reset them. ValueError: not n whole numbers.
        """
        a, where = self._whole_numbers("actions", actions), self._where(where)
        self._check(a, where, "")
        self._advance(MINE, a, where)
        self._answer(where)

    def _check(self, actions: Array, where: Array, who: str) -> None:
        access, work = self.engine.build.access, self._work[0]
        wrong = self.engine.f.first_illegal(
            work.legal, access(actions), access(where.view(np.int8))
        )
        if wrong >= 0:
            raise IllegalAction(
                f"match {wrong} of the batch: {who}action {actions[wrong]} is not legal now"
            )

    def _advance(self, how: int, actions: Array, where: Array) -> None:
        engine, access = self.engine, self.engine.build.access
        given = access(actions), access(where.view(np.int8))
        how += HOW[self.autoreset] if how != RESET else 0
        limit = 2**31 - 1 if self.limit is None else self.limit

        def part(work: BatchArrays, first: int, last: int) -> None:
            engine.f.step_some(
                engine.tt, work, engine.seats, *given, first, last, how, limit, self._by_lot
            )

        others = zip(self._helpers, self._parts[1:], strict=True)
        begun = [helper.submit(part, *its) for helper, its in others]
        part(*self._parts[0])
        for x in begun:
            x.result()

    def _answer(self, where: Array) -> None:
        """The opponents decide until the caller is asked wherever the match is not over."""
        if self.opponents is None:
            return
        each = np.arange(self.n)
        while True:
            theirs = where & (self._kept.over == 0) & (self.mine[each, self.actor] == 0)
            if not theirs.any():
                return
            actions = np.zeros(self.n, np.int64)
            for seat, opponent in enumerate(self._opponents):
                at = np.flatnonzero(theirs & (self.actor == seat))
                if opponent is None or not at.size:
                    continue
                seen = self.observation[at]
                if callable(opponent):
                    actions[at] = opponent(seen, self.mask[at])
                else:
                    actions[at] = [opponent.choose(o) for o in seen]
            self._check(actions, theirs, "an opponent's ")
            self._advance(THEIRS, actions, theirs)

    # ---- what else can be seen ----
    def observe(self, seat: Any, out: Array | None = None, *, final: bool = False) -> Array:
        """What a seat may know now, in every match: states [n], in `out` if it is given.

        Privileged, where it is not the seat to act: for a critic that knows more than the policy.
        seat: its number, or n of them; None or -1: what a spectator sees. final: of the state in
        which the last match ended.
        """
        seats = np.full(self.n, -1 if seat is None else seat, np.int64)
        if ((seats < -1) | (seats >= self.engine.seats)).any():
            raise ValueError(f"seat {seat}: seats are 0 .. {self.engine.seats - 1}")
        build = self.engine.build
        if out is None:
            out = build.states(self.n)
        elif out.shape != (self.n,) or out.dtype != build.state.layout:
            raise ValueError(f"out: states [{self.n}], not {out.dtype} {out.shape}")
        of = self._work[0].final if final else self._work[0].states
        self.engine.f.observe_all(self.engine.tt, of, build.access(out), build.access(seats))
        return out

    @property
    def truth(self) -> Array:
        """The whole truth of every match, hidden things included: states [n], to be read only.

        Privileged: for a critic that knows more than the policy. Encoded, it begins with the seat
        to act.
        """
        found = self._kept.states.view()
        found.flags.writeable = False
        return found

    def state(self) -> BatchState:
        """Where it stands, to be restored later. What opponents keep to themselves is not in it."""
        return BatchState(
            Arrays(*(x.copy() for x in self._shown)), Kept(*(x.copy() for x in self._kept))
        )

    def restore(self, state: BatchState) -> None:
        """Goes on from there.

        Errors: ValueError if it is of another ruleset, another n, or another version of battlebox.
        """
        _check_arrays(state.shown, self._shown)
        _check_arrays(state.kept, self._kept)
        here = (*self._shown, *self._kept)
        for array, then in zip(here, (*state.shown, *state.kept), strict=True):
            array[...] = then

    def __copy__(self) -> Batch:
        """A batch of its own, which stands where this one does. Opponents are shared."""
        given = self.limit, self.autoreset, self.threads, self.opponents
        found = Batch(self.engine, self.n, self.seed, *given)
        found.restore(self.state())
        return found

    def __deepcopy__(self, memo: Any) -> Batch:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch is not pickled: pickle batch.state() and restore() it in another")

    # ---- what is given ----
    def _where(self, where: Any) -> Array:
        if where is None:
            return self._everywhere
        found = np.asarray(where)
        if found.shape != (self.n,) or found.dtype != bool:
            raise ValueError(f"where: {self.n} of bool, not {found.dtype} {found.shape}")
        return np.ascontiguousarray(found)

    def _whole_numbers(self, name: str, given: Any) -> Array:
        found = np.asarray(given)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise ValueError(f"{name}: {self.n} whole numbers, not {found.dtype} {found.shape}")
        return np.ascontiguousarray(found, np.int64)


def _by_seat(opponents: Opponents, seats: int) -> list[Opponent | None]:
    """Who decides for each seat; None: the caller. Errors: RulesetError."""
    if opponents is None:
        return [None] * seats
    if not isinstance(opponents, Mapping):
        return [opponents] * seats
    if wrong := [x for x in opponents if x not in range(seats)]:
        raise RulesetError(f"opponents: no seat {wrong[0]!r}; seats are 0 .. {seats - 1}")
    if len(opponents) == seats:
        raise RulesetError("opponents: one seat is the caller's")
    return [opponents.get(p) for p in range(seats)]


def _check_arrays(given: Arrays | Kept, wanted: Arrays | Kept) -> None:
    """Errors: ValueError where the arrays given are not like those wanted, or cannot be filled."""
    for name, a, b in zip(wanted._fields, given, wanted, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            raise ValueError(f"{name}: {b.dtype} {b.shape}, not {a.dtype} {a.shape}")
        if not (a.flags.c_contiguous and a.flags.writeable):
            raise ValueError(f"{name}: to be filled it is contiguous, and not read-only")
