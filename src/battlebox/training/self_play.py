"""Matches of all rulesets of a game side by side, and what a rollout of them showed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from ..bots import bot
from ..bots.policy import Inputs
from ..bots.search import by_rounds
from ..core.batch import Arrays, BatchState, Kept
from ..core.checked import Array
from ..core.game import Game
from .judging import Judge
from .networks import Critic, LogProbabilities, Policy
from .settings import Settings
from .sparse import SparseRows

ABREAST = 2**17  # numbers of rows that are written out: they stay in a processor's cache
Saved = dict[str, Tensor]


class Decisions(NamedTuple):
    """n decisions to learn from. Seats are counted from the one that decided."""

    rows: SparseRows  # what the seat saw,
    truth: SparseRows  # and what was there
    legal: SparseRows  # a column for each action: 1, or of candidates 1 + its place
    actions: Tensor  # [n]: what was done,
    log_probs: Tensor  # [n]: and the logarithm of its probability then
    advantages: Tensor  # [n]: how much more it brought than was hoped for
    targets: Tensor  # [n, room]: what each seat could hope for, by what followed
    there: Tensor  # float32 [n, room]: 1 where there is such a seat

    def of(self, which: Tensor) -> Decisions:
        """Some of them."""
        return Decisions._make(x[which] for x in self)

    def to(self, device: torch.device) -> Decisions:
        """All of them, there."""
        return Decisions._make(x.to(device) for x in self)


class MatchGroup:
    """The matches of one ruleset, rows `first` .. `last - 1` of all."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any],
        first: int,
        n: int,
        seed: int,
        opponents: str | None = None,
    ) -> None:
        rules = game.ruleset(options)
        self.inputs, self.seats = Inputs(rules), rules.players
        others = None if opponents is None else bot(opponents, rules, seed=seed)
        self.batch = rules.compiled().batch(n, seed, opponents=others)
        self.at = slice(first, first + n)
        # what a game says of rounds is not what a match comes to
        self.judge = None if by_rounds(rules) else Judge(rules.compiled(), n)

    def see(self, rows: SparseRows, legal: SparseRows, first: int) -> None:
        """What those who are to act see in its matches, and the actions that they weigh, become
        rows `first` and on.
        """
        seen, mask = self.batch.observation, self.batch.mask.copy()
        for i in self._few(rows):
            rows.put(first + i.start, self.inputs.rows(seen[i], weighed=mask[i]))
        legal.put(first, mask)

    def judge_by(self, rows: SparseRows, first: int) -> None:
        """The truth of its matches becomes rows `first` and on."""
        truth = self.batch.truth
        for i in self._few(rows):
            rows.put(first + i.start, self.inputs.judged(truth[i]))

    def _few(self, rows: SparseRows) -> Iterator[slice]:
        """Its matches, some at a time."""
        few = max(1, ABREAST // rows.width)
        return (slice(i, min(i + few, self.batch.n)) for i in range(0, self.batch.n, few))

    def mix(self, hopes: Array, trust: float) -> None:
        """Moves hopes of its matches, by seat [n, room], so far to what the game says, if any."""
        if trust > 0 and self.judge:
            said, judged = self.judge(self.batch.truth)
            hopes[said, : self.seats] += trust * (judged - hopes[:, : self.seats])[said]


class SelfPlay:
    """Matches that go on from rollout to rollout. The same policy plays all their seats, or one of
    each, against bots.
    """

    def __init__(self, game: Game, settings: Settings, device: torch.device) -> None:
        self.settings, self.device = settings, device
        parts = enumerate(zip(settings.rulesets, pairwise(settings.bounds), strict=True))
        self.groups = [
            MatchGroup(game, options, a, b - a, settings.seed * 1_000 + k, settings.opponents)
            for k, (options, (a, b)) in parts
        ]
        inputs = self.inputs = self.groups[0].inputs
        self.shape = inputs.shape
        steps, n, room = settings.rollout_steps, settings.matches, inputs.shape.room
        self.rows, self.truth, self.last = (
            SparseRows(inputs.engine, k * n, inputs.width) for k in (steps, steps, 1)
        )
        self.legal = SparseRows(inputs.engine, steps * n, self.shape.num_actions)
        self.actions = torch.zeros((steps, n), dtype=torch.int64)
        self.log_probs = torch.zeros((steps, n))
        self.values = np.zeros((steps, n, room), np.float32)  # by seat
        self.actor = np.zeros((steps, n), np.int64)
        self.ended = np.zeros((steps, n), bool)
        self.returns = np.zeros((steps, n, room), np.float32)
        self.seats = np.concatenate([np.full(x.batch.n, x.seats) for x in self.groups])
        # seats from the one that is to act on, by match and who that is, and back again
        around = np.arange(room)
        seats = self.seats[:, None, None]
        self._from = np.where(around < seats, (around + np.arange(room)[:, None]) % seats, around)
        self._back = np.where(around < seats, (around - np.arange(room)[:, None]) % seats, around)

    @torch.no_grad()
    def play(
        self,
        policy: Policy,
        critic: Critic,
        dice: torch.Generator,
        trust: float = 0.0,
    ) -> None:
        """A rollout. trust: how far hopes are the game's own judgement, where there is one, and not
        the critic's.
        """
        n = self.settings.matches
        each = np.arange(n)
        for t in range(self.settings.rollout_steps):
            self._look(t)
            now = slice(t * n, t * n + n)
            logits = policy(self.rows[now].to(self.device))[0].cpu()
            known = self.legal[now], policy.classes.cpu(), policy.places
            log_probs = LogProbabilities(logits, *known)
            actions = log_probs.draw(dice)
            if self.settings.openings:
                # learned from as if they were its own: so the better ones are taken up, however
                # unlikely they had become
                by_lot = self._opening() & (torch.rand(n, generator=dice) < self.settings.openings)
                even = LogProbabilities(0 * logits, *known)
                actions = torch.where(by_lot, even.draw(dice), actions)
            self.actions[t], self.log_probs[t] = actions, log_probs.of(actions)
            hoped = critic(self.truth[now].to(self.device)).cpu().numpy()
            back = self._back[each, self.actor[t]]
            self.values[t] = np.take_along_axis(hoped, back, axis=1)
            for x in self.groups:
                x.mix(self.values[t, x.at], trust)
            chosen = actions.numpy()
            for x in self.groups:
                x.batch.step(chosen[x.at])
                self.ended[t, x.at] = x.batch.terminated
                self.returns[t, x.at, : x.seats] = x.batch.returns

    def _opening(self) -> Tensor:
        """bool [matches]: whether a match has had fewer decisions than seats."""
        passed = [np.where(x.batch.terminated, 0, x.batch.length) for x in self.groups]
        return torch.from_numpy(np.concatenate(passed) < self.seats)

    def _look(self, t: int) -> None:
        """Notes what is to be decided now."""
        for x in self.groups:
            b, first = x.batch, t * self.settings.matches + x.at.start
            x.see(self.rows, self.legal, first)
            x.judge_by(self.truth, first)
            self.actor[t, x.at] = b.actor

    @torch.no_grad()
    def seen(self, critic: Critic, trust: float = 0.0) -> Decisions:
        """What the last rollout showed, with generalised advantage estimation over each seat's own
        decisions. What follows one is the seat's next, or what the match returned to it.
        """
        settings, decay = self.settings, self.settings.gae_lambda
        each = np.arange(settings.matches)
        hope = self._hopes(critic, trust)
        mixed = hope.copy()  # of each seat: its return, mixed with its hopes on the way
        targets = np.zeros_like(self.values)
        for t in reversed(range(settings.rollout_steps)):
            over, at = self.ended[t], (each, self.actor[t])
            hope[over] = mixed[over] = self.returns[t][over]
            targets[t] = (1 - decay) * hope + decay * mixed
            mixed[at], hope[at] = targets[t][at], self.values[t][at]
        around = self._from[each, self.actor]
        found = np.take_along_axis(targets, around, axis=2)
        first = np.take_along_axis(self.values, self.actor[..., None], axis=2)[..., 0]
        there = np.arange(self.shape.room) < self.seats[:, None]
        return Decisions(
            rows=self.rows,
            truth=self.truth,
            legal=self.legal,
            actions=self.actions.flatten(),
            log_probs=self.log_probs.flatten(),
            advantages=torch.from_numpy(found[..., 0] - first).flatten(),
            targets=torch.from_numpy(found).flatten(0, 1),
            there=torch.from_numpy(np.tile(there, (settings.rollout_steps, 1))).float(),
        )

    def _hopes(self, critic: Critic, trust: float) -> Array:
        """What each seat may hope for now, by seat [matches, room]."""
        for x in self.groups:
            x.judge_by(self.last, x.at.start)
        hoped = critic(self.last.to(self.device)).cpu().numpy()
        actor = np.concatenate([x.batch.actor for x in self.groups])
        back = self._back[np.arange(self.settings.matches), actor]
        found: Array = np.take_along_axis(hoped, back, axis=1)
        for x in self.groups:
            x.mix(found[x.at], trust)
        return found

    # ---- going on later ----
    def saved(self) -> list[Saved]:
        """Where the matches stand, as tensors of bytes."""
        return [_bytes(x.batch.state()) for x in self.groups]

    def restore(self, saved: list[Saved]) -> None:
        """They go on from there."""
        for x, then in zip(self.groups, saved, strict=True):
            x.batch.restore(_state(then, x.batch.state()))


def _bytes(state: BatchState) -> Saved:
    return {
        f"{part}.{name}": torch.from_numpy(np.ascontiguousarray(array).view(np.uint8))
        for part, arrays in (("shown", state.shown), ("kept", state.kept))
        for name, array in arrays._asdict().items()
    }


def _state(saved: Saved, like: BatchState) -> BatchState:
    def array(name: str, as_now: Array) -> Array:
        found: Array = saved[name].numpy()
        return found.view(as_now.dtype).reshape(as_now.shape)

    shown = {k: array(f"shown.{k}", x) for k, x in like.shown._asdict().items()}
    kept = {k: array(f"kept.{k}", x) for k, x in like.kept._asdict().items()}
    return BatchState(Arrays(**shown), Kept(**kept))
