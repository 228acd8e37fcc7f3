"""Our own games keep all that every game must: scenarios, rulebooks, laws, in all ways to play.

`battlebox check --compiled GAME` says the same. How many rules a game has is what a game's own
tests say.
"""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.core.errors import RulesetError
from battlebox.games import NAMES, find
from battlebox.testing import Check, Effort, checks_of
from battlebox.testing.ways import COMBINATIONS, axes, combinations, rulesets


def marks(name: str, check: Check) -> list[pytest.MarkDecorator]:
    """As tests are marked: what compiles a game goes to one worker."""
    found = [pytest.mark.slow] if check.slow else []
    return found + ([pytest.mark.compiled, pytest.mark.xdist_group(name)] if check.compiled else [])


CHECKS = [
    pytest.param(check, id=f"{name}: {check}", marks=marks(name, check))
    for name in NAMES
    for check in checks_of(name, Effort(compiled=True))
]


@pytest.mark.parametrize("check", CHECKS)
def test_every_game(check: Check) -> None:
    check()


@pytest.mark.parametrize("name", NAMES)
def test_each_has_rules_scenarios_and_a_table_of_options(name: str) -> None:
    """A game from outside may do without; then nothing would be checked."""
    game, found = find(name), [str(x) for x in checks_of(name)]
    assert len(game.rulebook) > 20
    assert sum(x.startswith("scenario ") for x in found) > 20
    assert "## Options" in (game.folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_value_of_every_option_is_tried(name: str) -> None:
    """And all of them in combinations, as far as they are no contradiction."""
    game = find(name)
    tried: dict[str, set[Any]] = {}
    for rules in rulesets(game):
        for option, value in rules.options.model_dump().items():
            tried.setdefault(option, set()).add(value)
    for option, some in axes(game).items():
        possible = set()
        for value in some:
            for players in axes(game)["players"]:
                try:
                    game.ruleset({"players": players} | {option: value})
                except RulesetError:
                    continue
                possible.add(value)
        assert possible <= tried[option], option
    assert len(combinations(game)) == COMBINATIONS
