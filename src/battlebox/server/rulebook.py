"""The reference for players: a game's README as a page, and what a ruleset is played with."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict
from functools import cache
from typing import NamedTuple

from markdown_it import MarkdownIt

from ..core.game import Game, Ruleset
from ..protocol.http import ComponentsInfo, FamilyInfo, PieceInfo

RULE = re.compile(r"<li>(\s*(?:<p>)?)<strong>([A-Z]+-?\d+)</strong>")
HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>")


class Rulebook(NamedTuple):
    """A README as HTML: the game in short, and the rules."""

    brief: str
    rules: str


@cache
def rulebook(game: Game) -> Rulebook:
    """The README of a game, each rule and heading with its id to jump to."""
    markdown, used = MarkdownIt("commonmark", {"html": False}).enable("table"), Counter[str]()
    return Rulebook(*(_with_ids(str(markdown.render(x)), used) for x in game.readme_parts))


def _with_ids(html: str, used: Counter[str]) -> str:
    """Rules ("- **WZ-17** On your turn ...") and headings get their ids."""
    html = RULE.sub(r'<li id="\2">\1<a class="rule" href="#\2">\2</a>', html)
    return HEADING.sub(lambda m: _heading(m[1], m[2], used), html)


def _heading(level: str, text: str, used: Counter[str]) -> str:
    """With an id of its own, made of its text."""
    bare = re.sub(r"<[^>]+>|&\w+;", "", text).lower()
    slug = re.sub(r"[^a-z0-9]+", "-", bare).strip("-")
    used[slug] += 1
    slug += f"-{used[slug]}" if used[slug] > 1 else ""
    return f'<h{level} id="{slug}">{text}</h{level}>'


def components(rules: Ruleset) -> ComponentsInfo:
    """The cards and other pieces of a ruleset, drawn and explained."""
    families = [
        FamilyInfo(name=x.name, text=x.text, pieces=[PieceInfo(**asdict(p)) for p in x.pieces])
        for x in rules.components
    ]
    return ComponentsInfo(options=rules.options_in_words, families=families)
