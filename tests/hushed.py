"""The tiny game with a window, as the tests of hushes play it."""

from __future__ import annotations

from games import as_game, window

from battlebox.core.match import Match

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
