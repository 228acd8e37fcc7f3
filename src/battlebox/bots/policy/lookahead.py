"""A policy that looks one action ahead, by its critic.

For each of some worlds, truths that fit what the seat sees, an action is taken, and the critic says
what a match between equals would come to from there. The mean over the worlds is what the action is
`worth`. The policy then moves towards what is worth more:

    probability of an action  ~  the policy's * exp(worth / heat)

Others act by the policy, which sees what they see: what they cannot have seen steers nobody. The
worlds are the same for all actions that are compared, and the better half of the actions is looked
at in more worlds, until two are left (sequential halving: Karnin, Koren and Somekh 2013).
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

import numpy as np

from ...core.checked import Array
from ...core.contract import apply, choices
from ...core.drivers import determinize_into, encode_row, score
from ...core.random import checked_seed
from ...core.rules import rule
from ..seat import SeatView
from .bot import PolicyBot, probabilities
from .inputs import Inputs
from .network import CriticLayers, Layers, Work, judge, work_of

HEAT = 0.02  # of returns -1 .. 1: a difference that changes probabilities by a factor of e
MOST = 32  # actions that are looked at; the policy's likeliest


class LookArrays(NamedTuple):
    """What `look` works on."""

    worlds: Any  # two states: [0] a truth, [1] what an action makes of it
    acts: Any  # the actions that are looked at
    legal: Any  # room for a list of actions
    row: Any  # float32 [1, inputs]: of the critic
    features: Any  # a record of what the game's `features` fills
    at: Any  # how it is encoded: see `text_of_encode`
    width: Any
    scale: Any
    score: Any  # [seats]
    seeds: Any  # of the worlds
    worth: Any  # [actions, seats]: the result: the sum of what each seat may expect after it,
    apart: Any  # [actions, seats]: and of the squares of how far that is from the first action's
    first: Any  # [seats]: what that came to in this world


@rule
def look(
    tt: Any,
    o: Any,
    w: LookArrays,
    net: Any,
    critic: Work,
    room: int,
    encoded: int,
    n: int,
    many: int,
) -> None:
    """Adds to w.worth and w.apart what the first n actions of w.acts come to, in so many worlds of
    o[0].

    encoded: how many numbers of a row an observation fills; those behind are the options', and what
    is said of candidates, which critics are not told.
    """
    t, s, truth, row = tt[0], w.worlds[1], w.worlds[0], w.row
    for k in range(many):
        determinize_into(tt, o, 0, w.worlds, 0, w.seeds[k])
        for i in range(n):
            a = w.acts[i]
            w.worlds[1] = truth
            apply(t, s, a)
            if choices(t, s, w.legal) == 0:
                score(t, s, w.legal, w.score)
            else:
                how = room, True, w.at, w.width, w.scale
                encode_row(t, s, w.features[0], s.to_act, s.seats, *how, row, 0, encoded)
                judge(net, critic)
                for p in range(s.seats):
                    w.score[p] = critic.values[(p - s.to_act + s.seats) % s.seats]
            for p in range(s.seats):
                if i == 0:
                    w.first[p] = w.score[p]
                w.worth[a, p] += w.score[p]
                w.apart[a, p] += (w.score[p] - w.first[p]) ** 2


class LookaheadBot:
    """Chooses by a policy that looks ahead: its critic judges so many positions a decision.

    even: it thinks as long about a lone legal action, so that nobody who waits for it learns that
    it had no choice. Choosing releases the GIL.
    """

    def __init__(
        self,
        inputs: Inputs,
        layers: Layers,
        critic: CriticLayers,
        evaluations: int,
        seed: int = 0,
        *,
        even: bool = False,
    ) -> None:
        if evaluations < 1:
            raise ValueError(f"evaluations = {evaluations}: at least one")
        engine, encode = inputs.engine, inputs.encode
        build = engine.build
        self.evaluations, self.even = evaluations, even
        self._policy = PolicyBot(inputs, layers, seed)
        self._seat = SeatView(engine)
        self._look = engine.bind(sys.modules[__name__]).look
        self._net = CriticLayers(*map(build.access, critic))
        row = np.zeros((1, inputs.width), np.float32)
        row[0, encode.width : encode.width + len(inputs.options)] = inputs.options
        work = work_of(critic, row[0])
        self._work = Work(*map(build.access, work))
        self._acts = build.action_buffer()
        self._worth, self._apart = np.zeros((2, engine.num_actions, engine.seats))
        self._seeds = np.zeros(evaluations, np.int64)
        self._visits = np.zeros(engine.num_actions, np.int64)
        arrays = LookArrays(
            worlds=build.states(2),
            acts=self._acts,
            legal=build.action_buffer(),
            row=row,
            features=np.zeros(1, build.features.layout),
            at=encode.layout.at,
            width=encode.layout.widths,
            scale=encode.layout.scale,
            score=np.zeros(engine.seats),
            seeds=self._seeds,
            worth=self._worth,
            apart=self._apart,
            first=np.zeros(engine.seats),
        )
        self._arrays = LookArrays(*map(build.access, arrays))
        self._sizes = encode.room, encode.width
        self._dice = np.random.default_rng(checked_seed(seed))

    def choose(self, observation: Any) -> int:
        """The number of a legal action of the observing seat."""
        legal = self._seat.legal(observation)
        if len(legal) == 1 and not self.even:
            return legal[0]
        found = self.probabilities(observation)
        return int(self._dice.choice([*found], p=[*found.values()]))

    def probabilities(self, observation: Any) -> dict[int, float]:
        """How likely it is to take each of the last two actions compared, or the only one."""
        acts, logits = self._compared(observation, self._dice)
        found = probabilities(logits.tolist())
        return dict(zip(acts[: len(found)].tolist(), found, strict=True))

    def ranked(self, observation: Any, seed: int) -> list[int]:
        """The legal actions of the observing seat that it looks at, the best first."""
        return list(self._compared(observation, np.random.default_rng(seed))[0].tolist())

    def beside(self, observation: Any, one: int, other: int, seed: int) -> tuple[Array, Array, int]:
        """By how much more each seat may expect after the other of two legal actions, with the
        standard error of that, and in how many worlds they were compared. [seats], -2 .. 2.
        """
        if illegal := {one, other} - {*self._seat.legal(observation)}:
            raise ValueError(f"action {min(illegal)} is not a legal action of the observing seat")
        self._begin(observation)
        many = max(1, self.evaluations // 2)
        self._look_at(np.array([one, other]), many, np.random.default_rng(seed))
        moved = (self._worth[other] - self._worth[one]) / many
        spread = np.maximum(self._apart[other] / many - moved**2, 0)
        return moved, np.sqrt(spread / many), many

    def values(self, observation: Any) -> tuple[float, ...]:
        """What its policy expects each seat to get, -1 .. 1, on any seat's turn."""
        return self._policy.values(observation)

    def _begin(self, observation: Any) -> None:
        self._seat.take(observation)
        self._worth[:] = self._apart[:] = self._visits[:] = 0

    def _look_at(self, acts: Array, many: int, dice: np.random.Generator) -> None:
        """Adds what these actions come to, in so many worlds."""
        self._seeds[:many] = dice.integers(1 << 62, size=many)
        self._acts[: len(acts)] = acts
        how = self._net, self._work, *self._sizes, len(acts), many
        self._look(self._seat.engine.tt, self._seat.states, self._arrays, *how)
        self._visits[acts] += many

    def _compared(self, observation: Any, dice: np.random.Generator) -> tuple[Array, Array]:
        """The actions that were looked at, the best first, and the logits of the last two that were
        compared, or of the only one.
        """
        by_policy = self._policy.logits(observation)
        acts = np.array(sorted(by_policy, key=lambda a: -by_policy[a])[:MOST])
        self._begin(observation)
        rounds, last = max(1, math.ceil(math.log2(len(acts)))), np.array([], int)
        for k in range(rounds):
            self._look_at(acts, max(1, self.evaluations // (rounds * len(acts))), dice)
            worth = self._worth[acts, self._seat.seat] / self._visits[acts]
            logits = np.array([by_policy[a] for a in acts.tolist()]) + worth / HEAT
            order = np.argsort(-logits, kind="stable")
            acts, logits = acts[order], logits[order]
            if k < rounds - 1:
                kept = max(2, len(acts) // 2)
                acts, last = acts[:kept], np.concatenate([acts[kept:], last])
        return np.concatenate([acts, last]), logits

    def warm(self) -> None:
        """Compiles (or fetches) what the first choice would."""
        m = self._policy.inputs.rules.match(seed=0)
        state = self._dice.bit_generator.state
        self.probabilities(m.observation(m.to_act))
        self._dice.bit_generator.state = state
