"""What the tests of the Iron Man Game of War share."""

from __future__ import annotations

from typing import Any

import numpy as np

import battlebox as bb


def load(**options: Any) -> bb.Ruleset:
    """The game with these options."""
    return bb.load("iron_man", **options)


def at(position: str, seed: int = 1, **options: Any) -> bb.Match:
    """A match from a position."""
    return load(**options).match(seed, position=position)


def play_on(m: bb.Match, steps: int, seed: int) -> None:
    """So many random legal actions, or as many as there are."""
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        if m.over:
            return
        assert m.to_act is not None
        m.submit(m.to_act, int(rng.choice(m.legal_actions)))
