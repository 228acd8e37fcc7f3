"""What the tests of War Zone share."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import battlebox as bb


def load(**options: Any) -> bb.Ruleset:
    """War Zone with these options."""
    return bb.load("war_zone", **options)


def at(position: str, seed: int = 1, **options: Any) -> bb.Match:
    """A match from a position; its number of players is that of the position."""
    players = int(re.search(r"n=(\d)", position)[1])  # type: ignore[index]
    return load(players=players, **options).match(seed, position=position)


def health(m: bb.Match) -> str:
    """Everybody's health, joined by dots."""
    return m.facts()["health"]


def play_on(m: bb.Match, steps: int, seed: int) -> None:
    """So many random legal actions, or as many as there are."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if m.over:
            return
        assert m.to_act is not None
        m.submit(m.to_act, int(rng.choice(m.legal_actions)))
