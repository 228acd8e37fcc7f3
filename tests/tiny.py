"""Tiny games on both builds, for tests of engine and batch."""

from __future__ import annotations

import pytest
from games import as_game, race, sealed, window

from battlebox.core.engine import Engine

TINY = {
    "race": as_game(race).ruleset({}),
    "sealed": as_game(sealed).ruleset({"rounds": 4}),
    "window": as_game(window).ruleset({"players": 4, "rounds": 1}),
}
BUILDS = [
    False,
    pytest.param(True, marks=[pytest.mark.compiled, pytest.mark.xdist_group("tiny")]),
]


def engine_of(name: str, compiled: bool) -> Engine:
    """One of them, ready to run."""
    return TINY[name].compiled() if compiled else TINY[name].plain()
