"""What happened, in words: a sentence for each happening."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from ..core.match import Match
from .draw import Pen

Said = tuple[int, str]  # `EventView.turn`, a sentence


def told(match: Match, viewer: int | None, since: int = 0) -> list[Said]:
    """What a viewer was told after the first `since` events, without what needs no words."""
    said = ((x.turn, match.say(x, viewer)) for x in match.events(viewer, since))
    return [(turn, text) for turn, text in said if text]


def log_lines(said: Iterable[Said], pen: Pen) -> list[Text]:
    """A line for each happening; the first of each turn has its number."""
    out, before = list[Text](), None
    for turn, text in said:
        number = "" if turn == before else str(turn + 1)
        out, before = out + pen.wrap(text, f"{number:>4}  "), turn
    return out
