"""What the tests of Medieval share."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import battlebox as bb
from battlebox.core.match import Match
from battlebox.core.random import ChanceSource

MODES: tuple[dict[str, Any], ...] = (
    {},
    {"reshuffle": "eager"},
    {"event_replacement": False},
    {"deadlock": "both_survive", "max_battles": 60},
    {"max_battles": 3},
    {"deck": "medieval-court"},
    {"deck": "medieval-court", "event_replacement": False, "deadlock": "both_survive"},
)


def load(**options: Any) -> bb.Ruleset:
    """Medieval with these options."""
    return bb.load("medieval", **options)


COURT: dict[str, Any] = {"deck": "medieval-court"}


def at(position: str, chance: ChanceSource | None = None, **options: Any) -> Match:
    """A match from a position."""
    return Match(load(**options), 1, position=position, chance=chance)


def walk(seed: int, **options: Any) -> Iterator[Match]:
    """Every decision of a random match, and its end. It goes on when the next is asked for."""
    dice, m = random.Random(seed), load(**options).match(seed)
    while m.to_act is not None:
        yield m
        m.submit(m.to_act, dice.choice(m.legal_actions))
    yield m
