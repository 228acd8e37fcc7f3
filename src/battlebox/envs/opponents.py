"""Who else is at the table: bots by their words, or what chooses for many observations at once."""

from __future__ import annotations

from collections.abc import Mapping

from ..bots import bot
from ..core.batch import Chooser, Opponents, Policy
from ..core.errors import RulesetError
from ..core.game import Ruleset

#: a bot's word, as `battlebox.bot` takes it; a bot; or a policy (observations, mask) -> actions
Opponent = str | Chooser | Policy
#: one for all other seats, where one's own is drawn by lot for each match; or by seat
Others = Opponent | Mapping[int, Opponent]


def seated(others: Others, rules: Ruleset, seed: int) -> Opponents:
    """They, as a batch takes them; bots are made anew, from this seed.

    Errors: RulesetError where not exactly one seat is left, or a word names no bot.
    """
    if not isinstance(others, Mapping):
        return _made(others, rules, seed)
    free = [p for p in range(rules.players) if p not in others]
    if len(free) != 1:
        left = ", ".join(map(str, free)) or "none"
        raise RulesetError(
            f"opponents: one seat of {rules.players} is left to the learner, not {left}; "
            'write {1: "easy", 2: "hard"}, or "easy" for all and a seat by lot'
        )
    return {p: _made(x, rules, seed + p) for p, x in others.items()}


def _made(opponent: Opponent, rules: Ruleset, seed: int) -> Chooser | Policy:
    return bot(opponent, rules, seed=seed) if isinstance(opponent, str) else opponent
