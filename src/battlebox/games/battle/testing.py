"""What the tests of Battle share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import battlebox as bb
from battlebox.core.match import Match
from battlebox.core.random import ChanceSource
from battlebox.games import find


def load(**options: Any) -> bb.Ruleset:
    """Battle with these options."""
    return bb.load("battle", **options)


def at(position: str, seed: int = 1, chance: ChanceSource | None = None, **options: Any) -> Match:
    """A match from a position; its number of players is that of the position."""
    players = find("battle").notation.players(position)
    return Match(load(players=players, **options), seed, position=position, chance=chance)


def walk(seed: int, **options: Any) -> Iterator[Match]:
    """Every decision of a random match, and its end. It goes on when the next is asked for."""
    dice, m = random.Random(seed), load(**options).match(seed)
    while m.to_act is not None:
        yield m
        m.submit(m.to_act, dice.choice(m.legal_actions))
    yield m
