"""Who sits where: people, bots by their level, programs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..core.errors import BotError, RulesetError
from ..core.game import Ruleset
from ..core.match import Match
from .screen import Screen

HUMAN = "human"
PREPARING = "Preparing the bots (the first time, about 15 s)"


class Program(Protocol):
    """Whatever chooses for a seat; it gets the seat's observation."""

    def choose(self, observation: Any) -> int:
        """The number of a legal action."""


Player = str | Program  # "human", a bot's word, or a program
MakeBot = Callable[[str, Ruleset, int], Program]  # (word, rules, seed)


def make_bot(word: str, rules: Ruleset, seed: int) -> Program:
    """A bot by its word. Errors: RulesetError if it names none, BotError for a file without one."""
    from ..bots import bot

    return bot(word, rules, seed=seed)


def name_of(player: Player) -> str:
    """What a person is told of who sits there."""
    if isinstance(player, str):
        if re.match(r"(llm|https?)\b", player):  # a program, a URL
            return player
        return Path(player).name  # of a bot's file without its folder
    return type(player).__name__


def seat_programs(
    rules: Ruleset, seats: Sequence[Player], seed: int, screen: Screen, make: MakeBot = make_bot
) -> list[Program | None]:
    """The programs by seat, ready to choose; None where a person sits.

    Errors: RulesetError if there are not as many as the ruleset has seats, or no such bot; BotError
    for a bot's file that gives none.
    """
    if len(seats) != rules.players:
        raise RulesetError(
            f"{_listed(seats)}: {len(seats)} named, but there are {rules.players} seats"
        )
    found: list[Program | None] = []
    for p, player in enumerate(seats):
        if not isinstance(player, str):
            found.append(player)
        elif player == HUMAN:
            found.append(None)
        else:
            # far from the match's seed: what a bot determinizes is not what the match shuffles
            found.append(make(player, rules, random.Random(f"{seed}/{p}").getrandbits(48)))
    screen.wait_for(lambda: _warm(found), PREPARING)
    return found


def _warm(programs: Sequence[Program | None]) -> None:
    """Compiles what the first choices would; what one has compiled is there for the others."""
    for x in programs:
        if callable(warm := getattr(x, "warm", None)):
            warm()


def _listed(seats: Sequence[Player]) -> str:
    return ", ".join(map(name_of, seats))


def let_choose(match: Match, seat: int, program: Program) -> None:
    """A seat that is to act plays what its program chooses.

    Errors: BotError if the program chooses what is not legal, or is that of others and fails; the
    match is untouched.
    """
    from ..bots import ask

    try:
        action = int(ask(program, match, seat))
    except BotError as e:
        raise BotError(f"{e}; {_where(match, seat)}") from e
    if action not in match.choices(seat):
        name = getattr(program, "name", name_of(program))
        raise BotError(f"{name} chose action {action}: not legal; {_where(match, seat)}")
    match.submit(seat, action)


def _where(match: Match, seat: int) -> str:
    return f"seat {seat}, decision {len(match.history)}, seed {match.seed}"
