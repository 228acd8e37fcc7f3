"""The settings of a run: everything that decides its result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..bots.policy import Inputs, PolicyFile
from ..core.errors import RulesetError
from ..core.game import Game

Options = dict[str, Any]
WIDTHS = (128, 96, 64, 48, 32, 16)  # of first layers that nobody has asked for
DEEPER = 128  # the width of the second, which costs little
LARGEST_FILE = 950_000  # bytes of a policy's weights


class Settings(BaseModel):
    """Of one run. The same settings give the same policy on the same machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    #: the rulesets that are played, by their options; the first is the one that is rated
    rulesets: tuple[Options, ...]
    #: a bot on all seats but one: the policy learns to beat it; None: it plays against itself
    opponents: str | None = None
    #: the digest of the policy that it begins with; None: nothing is known yet
    begins_with: str | None = None
    decisions: int = Field(60_000_000, ge=1)  # how many to learn from
    seed: int = Field(1, ge=0)
    matches: int = Field(512, ge=1)  # side by side, among all rulesets
    usual_share: float = Field(0.0, ge=0, le=1)  # of them, of the first ruleset; at least as others
    openings: float = Field(0.0, ge=0, le=1)  # the share of first decisions that is by lot
    rollout_steps: int = Field(64, ge=1)  # decisions of each match before something is learned
    width: int = Field(128, ge=1)  # of the first layer,
    deeper: int = Field(128, ge=1)  # and of the second
    candidate_width: int = Field(64, ge=1)  # of what weighs candidates, where a game tells of them
    critic_width: int = Field(64, ge=1)  # the same of the critic
    critic_deeper: int = Field(64, ge=1)
    learning_rate: float = Field(1e-3, gt=0)  # it falls to 0
    entropy_coef: float = Field(0.02, ge=0)  # what entropy weighs, at first
    final_entropy_coef: float = Field(0.005, ge=0)  # and at the end
    gae_lambda: float = Field(0.8, ge=0, le=1)  # of advantages
    evaluate_part: float = Field(0.25, ge=0, le=1)  # of the run: `evaluate` tells the critic
    epochs: int = Field(2, ge=1)  # how often the decisions of a rollout are gone through
    minibatch_size: int = Field(1024, ge=1)  # decisions of a step of learning
    clip_range: float = Field(0.2, gt=0)  # how far from 1 a ratio of probabilities counts
    max_grad_norm: float = Field(0.5, gt=0)

    @classmethod
    def of(
        cls,
        game: Game,
        options: Sequence[Options] = (),
        begin: PolicyFile | None = None,
        **given: Any,
    ) -> Settings:
        """Those for a game: its layers as wide as the size of a file allows, or as those of the
        policy that it begins with. options: the rulesets that are played, in place of all.

        Errors: RulesetError, if there are more of them than matches, or other layers are given;
        BotError, if that policy was learned for other rules.
        """
        some = tuple(options) or rulesets(game)
        inputs = Inputs(game.ruleset(some[0]))
        shape = inputs.shape
        usual: dict[str, Any] = _fitting(shape.inputs, shape.logits + shape.room, shape.room)
        if begin:
            begin.check(inputs)
            usual |= {"begins_with": begin.digest} | _sizes(begin)
            if begin.critic:  # it knows more than what the game says of positions
                usual |= {"evaluate_part": 0.0}
            for name in _sizes(begin):
                if (asked := given.get(name, usual[name])) != usual[name]:
                    raise RulesetError(
                        f"{name} = {asked}: {begin.path}, with which it begins, has {usual[name]}"
                    )
        found = cls(game=game.name, rulesets=some, **usual | given)
        if min(b - a for a, b in pairwise(found.bounds)) < 1:
            raise RulesetError(
                f"matches = {found.matches}, usual_share = {found.usual_share:g}: at least one "
                f"match of each of {len(some)} rulesets"
            )
        return found

    @property
    def bounds(self) -> list[int]:
        """The first match of each ruleset among all, and the end of the last one's."""
        n, usual = len(self.rulesets), round(self.usual_share * self.matches)
        if usual * n <= self.matches:  # as many as the others
            return [self.matches * k // n for k in range(n + 1)]
        others = [usual + (self.matches - usual) * k // (n - 1) for k in range(n - 1)]
        return [0, *others, self.matches]

    @property
    def rollout(self) -> int:
        """Decisions between two updates."""
        return self.matches * self.rollout_steps

    def trust(self, done: float) -> float:
        """How far the critic's hopes are what `evaluate` says, when a part of the run is over."""
        return _falling(done, self.evaluate_part)

    @property
    def updates(self) -> int:
        """How many rollouts there are, each followed by an update of the networks."""
        return max(1, -(-self.decisions // self.rollout))


def _falling(done: float, part: float) -> float:
    """From 1 to 0, in the first part of a run."""
    return max(0.0, 1 - done / part) if part else 0.0


def _fitting(inputs: int, outputs: int, room: int) -> dict[str, int]:
    """Widths of all layers, the largest whose weights a file has place for: a byte for each of the
    first layers, two for each of the others. Critics, which searches ask most, are half as wide.
    """
    for width in WIDTHS:
        size = inputs * width * 3 // 2 + 2 * DEEPER * (width + outputs)
        if size + DEEPER * (width // 2 + room) <= LARGEST_FILE:
            break
    half = {"critic_width": width // 2, "critic_deeper": DEEPER // 2}
    return {"width": width, "deeper": DEEPER} | half


def _sizes(policy: PolicyFile) -> dict[str, int]:
    """Widths of the layers of a policy."""
    layers = {"": policy.layers, "critic_": policy.critic}
    wide = len(policy.layers.candidate_bias)
    return ({"candidate_width": wide} if wide else {}) | {
        f"{whose}{name}": len(bias)
        for whose, x in layers.items()
        if x
        for name, bias in (("width", x.first_bias), ("deeper", x.second_bias))
    }


def rulesets(game: Game) -> tuple[Options, ...]:
    """All that people choose from: each mode, for each number of players it can have; the usual
    mode for the usual number first.
    """
    usual = game.options.model_fields["players"].default
    least = game.options.model_json_schema()["properties"]["players"]["minimum"]
    every = range(least, game.most_players + 1)
    found = list[Options]()
    for mode in game.modes or (None,):
        options = dict(mode.options) if mode else {}
        players = [options["players"]] if "players" in options else every
        found += [{**options, "players": n} for n in players]
    found.sort(key=lambda x: x["players"] != usual or len(x) > 1)
    return tuple(found)
