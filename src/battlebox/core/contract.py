"""The functions a build supplies, as stubs: drivers import them, the build puts the real ones in.

Drivers are loops over states that fit every game: core/drivers.py, bots/search.py. `Build.bind`
makes them run on one game.
"""

from __future__ import annotations

from typing import Any

ACTIONS = 0  # how many action numbers the game has


def run_on(t: Any, s: Any) -> None:
    """The game's: run on to the first decision, from a match not yet begun or a loaded position."""


def returns(t: Any, s: Any, out: Any) -> None:
    """The game's: each seat's return, -1 .. 1, once the match is over."""


def guess(t: Any, o: Any) -> None:
    """The game's: fill an observation with a random truth that fits its `viewer`."""


def census(s: Any, count: Any) -> None:
    """The game's: adds up its cards and pieces by kind; the same throughout a match."""


def limit(t: Any, seats: int) -> int:
    """The game's: no match takes more decisions."""
    raise AssertionError("a stub")


def choices(t: Any, s: Any, acts: Any) -> int:
    """Derived: writes the legal actions to `acts`, returns how many; 0 exactly when it is over."""
    raise AssertionError("a stub")


def apply(t: Any, s: Any, a: int) -> None:
    """Derived: takes a legal action and runs on to the next decision or the end."""


def redact(t: Any, s: Any, o: Any, seat: int) -> None:
    """Derived: blanks in o, a copy of s, what `seat` may not know (-1: a spectator)."""


def tidy(s: Any) -> None:
    """Derived: blanks the scratch fields."""
