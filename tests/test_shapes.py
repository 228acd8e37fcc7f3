"""The table of rulesets for learners is what would be written now."""

from __future__ import annotations

import pytest
from bench import shapes

import battlebox as bb
from battlebox.games import NAMES, find


@pytest.mark.parametrize("name", NAMES)
def test_the_table_is_up_to_date(name: str) -> None:
    """Its smallest rows are counted again; `python -m bench.shapes` writes all of it anew."""
    rules = bb.toy(name)
    assert shapes.row(f"{rules.game.title}, toy", rules) in shapes.FILE.read_text(encoding="utf-8")


def test_every_mode_has_a_row() -> None:
    text = shapes.FILE.read_text(encoding="utf-8")
    for name, rules in shapes.rulesets():
        width = rules.plain().encoder().width
        typed = shapes.to_type(rules)
        head = f"| {name} | `{typed}` | {rules.players} | {rules.plain().num_actions} | {width} |"
        assert head in text
        if not typed.endswith(" --toy"):
            words = dict(x.split("=") for x in typed.split()[1:])
            again = find(rules.name).ruleset(words, strings=True)
            assert again.digest == rules.digest
