"""A game's README as a page: what players need of it, each rule with its id to jump to."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt

from ..core.game import Game

#: Sections about records, positions and tests, and how a game was measured.
FOR_DEVELOPERS = ("Notation", "Words, positions, scenarios", "How long it takes", "Measured")


@cache
def rulebook(game: Game) -> str:
    """The rules of a game as HTML."""
    first, *sections = re.split(r"^## ", game.readme, flags=re.MULTILINE)
    shown = (x for x in sections if x.partition("\n")[0] not in FOR_DEVELOPERS)
    text = "## ".join([first, *shown])
    html = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    # "- **WZ-17** On your turn ..." and the headings get their ids
    html = re.sub(
        r"<li>(\s*(?:<p>)?)<strong>([A-Z]+-?\d+)</strong>",
        r'<li id="\2">\1<a class="rule" href="#\2">\2</a>',
        html,
    )
    return re.sub(
        r"<h([1-6])>(.*?)</h\1>", lambda m: f'<h{m[1]} id="{_slug(m[2])}">{m[2]}</h{m[1]}>', html
    )


def _slug(text: str) -> str:
    bare = re.sub(r"<[^>]+>|&\w+;", "", text).lower()
    return re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
