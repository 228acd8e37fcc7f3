"""What happened, in words: one paragraph for each action."""

from __future__ import annotations

from itertools import groupby

from ..core.match import Match


def told(match: Match, viewer: int | None, since: int = 0) -> dict[int, str]:
    """What a viewer was told after the first `since` events, by `Told.turn`.

    Actions of which there is nothing to say are left out.
    """
    said = {
        turn: " ".join(filter(None, (match.say(x, viewer) for x in events)))
        for turn, events in groupby(match.events(viewer, since), key=lambda x: x.turn)
    }
    return {turn: text for turn, text in said.items() if text}
