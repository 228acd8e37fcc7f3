"""What a match is played with: its cards and other pieces, to be read."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.game import Ruleset


def played_with(rules: Ruleset) -> Iterator[str]:
    """All cards and other pieces of a ruleset as Markdown."""
    if rules.components:
        yield "## Cards and pieces"
    for family in rules.components:
        yield f"### {family.name}\n\n{family.text}"
        yield "\n".join(f"- {x.label}" for x in family.pieces)
