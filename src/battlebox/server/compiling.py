"""The compiled build, made once for each game and size while the server goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..bots import BotSpec, levels
from ..core.game import Game, Ruleset
from .threads import BotThreads


class Compiler:
    """Makes bots ready, and the observer with which matches make their pictures.

    compiled: called when the games of some matches have been compiled.
    """

    def __init__(self, threads: BotThreads, compiled: Callable[[], None]) -> None:
        self._threads, self._tell = threads, compiled
        self._compiled = set[Game]()
        self._locks: dict[Game, asyncio.Lock] = {}

    def is_ready(self, rules: Ruleset) -> bool:
        """Whether bots can think at once. If so, matches of these rules use what is compiled."""
        if rules.game not in self._compiled:
            return False
        rules.use_compiled_observer()
        return True

    async def prepare(self, rules: Ruleset) -> None:
        """Compiles what bots and pictures need, in a thread."""
        async with self._locks.setdefault(rules.game, asyncio.Lock()):
            if rules.game not in self._compiled:
                await self._threads.aside(lambda: _compile(rules))
                self._compiled.add(rules.game)
                self._tell()


def _compile(rules: Ruleset) -> None:
    rules.use_compiled_observer()
    for level in {"easy", "quick"} & {*levels(rules.game)}:
        BotSpec(level).make(rules, 0).warm()
