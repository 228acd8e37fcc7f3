"""What happened, in words: one paragraph for each action."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from ..core.match import Match


def paragraphs(sentences: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """Sentences of the same turn joined. Turns of which nothing is said are left out."""
    said = [
        (turn, " ".join(text for _, text in group if text))
        for turn, group in groupby(sentences, key=lambda x: x[0])
    ]
    return [(turn, text) for turn, text in said if text]


def told(match: Match, viewer: int | None, since: int = 0) -> dict[int, str]:
    """What a viewer was told after the first `since` events, by `Told.turn`.

    Actions of which there is nothing to say are left out.
    """
    events = match.events(viewer, since)
    return dict(paragraphs((x.turn, match.say(x, viewer)) for x in events))
