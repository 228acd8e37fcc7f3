"""The actions that a policy weighs: all legal ones, or the candidates, where a game names some.

A runner of Battleball may have 250 destinations, and a search looks at the few that the game holds
to be the best (core/contract.py, `candidates`). A policy weighs as many as a search does by the
time it has been there `VISITS` times: it need not learn which of all the others are worse.
"""

from __future__ import annotations

import sys
from typing import Any

from ...core.checked import Array
from ...core.contract import candidates, choices
from ...core.game import Ruleset
from ...core.rules import rule
from ..seat import SeatView

VISITS = 200


@rule
def list_candidates(tt: Any, b: Any, acts: Any) -> int:
    """How many actions the seat to act weighs in b[0]; they stand in acts."""
    return candidates(tt[0], b[0], acts, choices(tt[0], b[0], acts), VISITS)


@rule
def mark_candidates(tt: Any, observations: Any, b: Any, acts: Any, mask: Any) -> None:
    """mask[i, a] = 1 for what the seat to act weighs in observations[i], 0 for what else is legal;
    mask has the legal actions before, and keeps them where the match is over.
    """
    for i in range(len(observations)):
        b[0] = observations[i]  # a copy: scratch fields are written to
        n = choices(tt[0], b[0], acts)
        for k in range(n):
            mask[i, acts[k]] = 0
        if n > 0:
            n = candidates(tt[0], b[0], acts, n, VISITS)
        for k in range(n):
            mask[i, acts[k]] = 1


class Candidates:
    """Finds them, in matches of a ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        engine = rules.compiled()
        #: whether a policy weighs all legal actions
        self.all = not hasattr(rules.game.insight, candidates.__name__)
        self._engine, access = engine, engine.build.access
        self._drivers = engine.bind(sys.modules[__name__])
        self._states, self._acts = (
            access(engine.build.states()),
            access(engine.build.action_buffer()),
        )

    def of(self, seat: SeatView, legal: list[int]) -> list[int]:
        """Those among the legal actions of what a seat sees, ascending."""
        if self.all:
            return legal
        n = self._drivers.list_candidates(self._engine.tt, seat.states, self._acts)
        return sorted(int(self._acts[k]) for k in range(n))

    def mask(self, observations: Array, legal: Array) -> Array:
        """The same for many: int8 [n, actions], of those of n seats that are to act."""
        if self.all:
            return legal
        found, access = legal.copy(), self._engine.build.access
        self._drivers.mark_candidates(
            self._engine.tt, access(observations), self._states, self._acts, access(found)
        )
        return found
