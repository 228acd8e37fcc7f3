"""One match as adapters show it: a batch of one, and what each seat is given to see of it."""

from __future__ import annotations

import copy
import operator
import secrets
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..core.batch import Batch
from ..core.checked import Array, Picture
from ..core.errors import BattleboxError, IllegalAction, RulesetError
from ..core.game import Ruleset
from ..core.random import checked_seed
from ..text.draw import Pen, draw
from .opponents import Others, seated

Illegal = Literal["raise", "lose"]
Observation = dict[str, Array]  # observation: float32 [features]; action_mask: int8 [actions]
RENDER_MODES = ["human", "ansi"]
ANY_SEED = 2**61  # seeds that nobody gave are below


class OneMatch:
    """A match of these rules after the other, and who is to act in it.

    others: opponents, so that only the learner's seat is asked. Illegal "lose": an illegal action
    ends the match, with -1 for its seat, and 0 for the others.
    """

    def __init__(
        self,
        rules: Ruleset,
        limit: int | None,
        illegal: Illegal,
        ego: bool,
        onehot: bool,
        render_mode: str | None,
        others: Others | None = None,
    ) -> None:
        if illegal not in ("raise", "lose"):
            raise RulesetError(f"illegal = {illegal!r}: raise, lose")
        if render_mode not in (None, *RENDER_MODES):
            raise RulesetError(f"render_mode = {render_mode!r}: {', '.join(RENDER_MODES)}")
        self.rules, self.limit, self.illegal, self.others = rules, limit, illegal, others
        self.render_mode = render_mode
        self.engine = rules.compiled()
        self.encoder = self.engine.encoder(ego=ego, onehot=onehot)
        self.lost: int | None = None  # the seat that lost by an illegal action
        self._batch: Batch | None = None

    def __deepcopy__(self, memo: Any) -> OneMatch:
        found = copy.copy(self)  # opponents are shared, as by copies of a batch
        found._batch = copy.copy(self._batch)
        return found

    @property
    def batch(self) -> Batch:
        """Errors: BattleboxError before the first reset."""
        if self._batch is None:
            raise BattleboxError("no match has begun: call reset()")
        return self._batch

    def reset(self, seed: int | None) -> None:
        """The next match. With a seed it is `rules.match(seed)`, and those after it follow."""
        self.lost = None
        if seed is None and self._batch is not None:
            self._batch.reset()
            return
        whole = secrets.randbelow(ANY_SEED) if seed is None else checked_seed(seed)
        others = None if self.others is None else seated(self.others, self.rules, whole)
        batch = self.engine.batch(1, whole, limit=self.limit, autoreset="off", opponents=others)
        batch.reset(seeds=np.array([whole]))
        self._batch = batch

    @property
    def over(self) -> bool:
        """Whether the match has ended, in whatever way."""
        b = self.batch
        return self.lost is not None or bool(b.terminated[0] or b.truncated[0])

    @property
    def terminated(self) -> bool:
        """Whether it has ended by the rules, or by an illegal action."""
        return self.lost is not None or bool(self.batch.terminated[0])

    @property
    def truncated(self) -> bool:
        """Whether it was cut off at the limit."""
        return bool(self.batch.truncated[0])

    @property
    def actor(self) -> int:
        """The seat to act; of a match that is over, the one that was last asked."""
        return int(self.batch.actor[0])

    @property
    def match_seed(self) -> int:
        """The match is `rules.match(match_seed)`."""
        return int(self.batch.match_seed[0])

    def reward(self, seat: int) -> float:
        """What the last step brought a seat: its return, -1 .. 1, where the match ended, else 0."""
        if self.lost is not None:
            return -1.0 if seat == self.lost else 0.0
        return float(self.batch.returns[0, seat])

    def step(self, action: Any) -> None:
        """The seat to act does this. Errors: IllegalAction, unless that loses."""
        if self.over:
            raise BattleboxError("the match is over: call reset()")
        n = self.engine.num_actions
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < n:
            raise IllegalAction(f"action {action!r}: a whole number 0 .. {n - 1}")
        if self.illegal == "lose" and not self.batch.mask[0, number]:
            self.lost = self.actor
            return
        self.batch.step(np.array([number]))

    def observation(self, seat: int) -> Observation:
        """What a seat may know now, and its legal actions.

        Where it is not asked all actions are legal: whatever it chooses does nothing.
        """
        mask = np.ones(self.engine.num_actions, np.int8)
        if seat == self.actor and not self.over:
            mask[:] = self.batch.mask[0]
        return {"observation": self.encoder(self.batch.observe(seat))[0], "action_mask": mask}

    def render(self, seat: int) -> str | None:
        """The table as this seat sees it, as text; "human": on the standard output."""
        if self.render_mode is None:
            return None
        legal = () if self.over else tuple(np.flatnonzero(self.batch.mask[0]).tolist())
        text = table_text(self.rules, self.batch.observe(seat)[0], legal)
        if self.render_mode == "ansi":
            return text
        print(text, flush=True)
        return None


def table_text(rules: Ruleset, observation: Any, legal: Sequence[int]) -> str:
    """The table as text, as whoever has this observation sees it."""
    names = [f"Seat {p}" for p in range(rules.players)]
    scene = rules.game.scenes.scene(rules, Picture(observation), legal, names)
    return "\n".join(line.plain for line in draw(scene, Pen(full=True)))
