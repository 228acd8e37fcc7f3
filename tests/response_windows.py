"""What tests of response windows share: the tiny game with a window, and who stands in at once."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast
from unittest import mock

from games import as_game, window
from serving import InThread, until

from battlebox.core.match import Match
from battlebox.server import bot_players, response_windows, session
from battlebox.server.clock import ManualClock
from battlebox.server.threads import SHORTEST

GAME = as_game(window)
DECLINE, SAVE = "a0", "a1"
Kind = window.Kind


def strike(target: int) -> str:
    """The word of a strike at this seat."""
    at = next(x.at for x in GAME.build(False).moves if x.name == "strike")
    return f"a{at + target}"


def deal(m: Match, *holders: int) -> None:
    """Puts a match where seat 0 may strike, and just these seats hold a SAVE. Nobody else can see
    who: each seat has three cards.
    """
    s = m.state
    for p in range(s.seats):
        for kind in Kind:
            s.hand[p, kind] = 0
        s.hand[p, Kind.STRIKE] = 2
        s.hand[p, Kind.SAVE if p in holders else Kind.SKIP] = 1
        s.side[p] = 1 + p % 2
    s.to_act = 0
    m.put(m._array.copy())


@contextlib.contextmanager
def in_the_box() -> Iterator[None]:
    """The tiny game is one of the box meanwhile."""
    games = sys.modules["battlebox.games"]
    names, module = (*games.NAMES, GAME.name), cast(Any, SimpleNamespace(GAME=GAME))
    with mock.patch.object(games, "NAMES", names):
        # not by patch.dict, which would forget what is imported meanwhile: Numba's parts, too
        sys.modules[f"{games.__name__}.{GAME.name}"] = module
        try:
            yield
        finally:
            del sys.modules[f"{games.__name__}.{GAME.name}"]


def let_show(server: InThread, id: str) -> None:
    """Waits until what opens or closes a window is kept back, and lets the slot pass."""
    outbox, clock = server.room(id).outbox, server.rooms.clock
    assert isinstance(clock, ManualClock)
    until(lambda: server.at_rest(lambda: outbox.is_held_back))
    slots = {SHORTEST, 4 * SHORTEST}  # that of the first is longer
    while server.at_rest(lambda: outbox.is_held_back):
        clock.advance(min(until(lambda: slots & {*clock.alarms})))


@contextlib.contextmanager
def shown_at_once() -> Iterator[None]:
    """Nothing waits for the end of a slot before it is shown."""
    with (
        mock.patch.object(response_windows, "rest", return_value=0.0),
        mock.patch.object(bot_players, "rest", return_value=0.0),
    ):
        yield


@contextlib.contextmanager
def quick_stand_ins() -> Iterator[None]:
    """Bots that need nothing compiled play for those who are gone."""
    with (
        mock.patch.object(session, "STAND_IN", "random"),
        mock.patch.object(bot_players, "STAND_IN", "random"),
    ):
        yield
