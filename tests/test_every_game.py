"""Our own games keep all that every game must: scenarios, rulebooks, laws, in all ways to play.

`battlebox check --compiled GAME` says the same. How many rules a game has is what a game's own
tests say.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

import battlebox as bb
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
def test_players_read_what_they_need_first(name: str) -> None:
    """In a minute, set-up, a turn, how to win, the rules; what developers need is elsewhere."""
    game = find(name)
    brief, rules = (re.findall(r"^## (.+)", x, re.M) for x in game.readme_parts)
    assert [*brief[:2], *brief[3:]] == ["In a minute", "Set-up", "How to win"]
    assert brief[2] in ("A turn", "A round", "A battle")
    assert rules[0] == "Rules"
    assert "[DEVELOPERS.md](DEVELOPERS.md)" in game.readme
    theirs = (game.folder / "DEVELOPERS.md").read_text(encoding="utf-8")
    assert {"## Measured", "### Positions", "### Scenarios"} <= set(theirs.splitlines())
    assert not {"Measured", "Notation"} & {*brief, *rules}


FAMILIES: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("war_zone", {}, {"Attack cards": 40, "Defence cards": 20}),
    ("war_zone", {"deck": "warzone-half"}, {"Attack cards": 20, "Defence cards": 10}),
    ("battleball", {}, {"The pieces of a team": 11}),
    (
        "battleball",
        {"advanced": True, "team_rules": True},
        {"The pieces of a team": 11, "Team rules": 6},
    ),
    ("iron_man", {}, {"Power cards": 35, "Special cards": 20}),
    ("iron_man", {"mode": "beginner"}, {"Power cards": 35}),
    ("medieval", {}, {"Fighters": 59, "Characters": 5, "Events": 8}),
    ("battle", {"players": 4}, {"Fight cards": 72, "Action cards": 18, "Identities": 4}),
    ("battle", {"players": 10}, {"Fight cards": 72, "Action cards": 26, "Identities": 10}),
]


@pytest.mark.parametrize(("name", "options", "counts"), FAMILIES, ids=str)
def test_all_that_is_played_with_is_there(
    name: str, options: dict[str, Any], counts: dict[str, int]
) -> None:
    """Drawn as on the table, counted; each card that does something says what."""
    components = bb.load(name, **options).components
    assert {x.name: sum(p.count for p in x.pieces) for x in components} == counts
    for piece in (p for x in components for p in x.pieces):
        assert piece.text in piece.label
        assert piece.text or piece.tone in ("fight", "hero", "villain", "fighter")


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
