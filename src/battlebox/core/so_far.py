"""A match as far as it had come when something went wrong in it: kept with the error."""

from __future__ import annotations

from typing import NamedTuple

from .game import Ruleset


class Leak(NamedTuple):
    """What a seat (None: a spectator) is told and may not be: events of these names, of one of
    these actions.
    """

    seat: int | None
    events: tuple[str, ...]
    actions: tuple[int, ...]


class SoFar(NamedTuple):
    """A match as far as it had come when something went wrong in it; with the action in which it
    did, if it was one. history: as `Match.history`.
    """

    rules: Ruleset
    seed: int
    history: tuple[tuple[int | None, str], ...]
    position: str = ""  # from here in place of the beginning
    outcomes: tuple[int | list[int], ...] | None = None  # of chance; None: the seed's
    leak: Leak | None = None


def so_far(error: BaseException | None) -> SoFar | None:
    """The match in which an error came up, or its cause; None: in none that is known."""
    while error is not None:
        found: SoFar | None = error.__dict__.get("so_far")
        if found is not None:
            return found
        error = error.__cause__
    return None
