"""Which versions of the games' rules are played, here and at the other nodes of a database. A match
is played to its end under the rules that it was begun under, at whichever node still has them.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from ..core.errors import BattleboxError
from ..games import find, names
from .session import MatchPlan


class Elsewhere(BattleboxError):
    """A match is played under rules that only other nodes have."""

    def __init__(self) -> None:
        super().__init__("This match is played at another machine of this server: try again.")


class Versions:
    """Those of this node, and of the others as far as it has heard."""

    def __init__(self) -> None:
        self._others = dict[str, set[int]]()

    @cached_property
    def _here(self) -> dict[str, int]:
        """By game. All games are loaded for it, which one process alone needs not."""
        return {name: find(name).version for name in names()}

    @property
    def here(self) -> list[str]:
        """What is played here, each GAME:VERSION."""
        return [f"{game}:{version}" for game, version in self._here.items()]

    def hear(self, played: Collection[str]) -> set[str]:
        """What other nodes play, each GAME:VERSION. The games for which that is new."""
        before, self._others = self._others, {}
        for word in played:
            game, _, version = word.rpartition(":")
            self._others.setdefault(game, set()).add(int(version))
        return {
            game for game in self._here if self._others.get(game, set()) != before.get(game, set())
        }

    def are_elsewhere(self, plan: MatchPlan) -> bool:
        """Whether the rules of a match are those of another node."""
        return plan.version in self._others.get(plan.game, ())

    def newer(self, game: str) -> int:
        """The newest version that another node plays; 0: it is not newer than that of this one."""
        newest = max(self._others.get(game, ()), default=0)
        return newest if newest and newest > self._here.get(game, newest) else 0

    def only_here(self, plan: MatchPlan) -> bool:
        """Whether nobody could go on with a match if this node were not there, though others play
        its game under newer rules.
        """
        return bool(self.newer(plan.game)) and not self.are_elsewhere(plan)
