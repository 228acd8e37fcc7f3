"""Every rule of a game's README.md is shown, every scenario holds, and nothing names another rule.

How many rules a game has is what a game's own tests say.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import battlebox as bb
from battlebox.core import scenario
from battlebox.core.game import Game
from battlebox.games import find

GAMES = [find(name) for name in bb.games()]
SCENARIOS = {
    g: scenario.parse((g.folder / "scenarios.scn").read_text(encoding="utf-8")) for g in GAMES
}
TEXTS = [
    pytest.param(g, file, id=f"{g.name}/{file.name}")
    for g in GAMES
    for file in sorted(g.folder.iterdir())
    if file.suffix in {".py", ".md", ".scn", ".toml"}
]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda g: g.name)


def ids_in(text: str, game: Game) -> set[str]:
    """All rule ids of a text; `WZ-3..5` are three of them."""
    kinds = "|".join({id.rstrip("0123456789") for id in game.rulebook})
    found = set()
    for kind, first, last in re.findall(rf"\b({kinds})(\d+)(?:\.\.(\d+))?", text):
        found |= {f"{kind}{n}" for n in range(int(first), int(last or first) + 1)}
    return found


@pytest.mark.parametrize(
    ("game", "sc"),
    [pytest.param(g, sc, id=f"{g.name}-{sc.id}") for g in GAMES for sc in SCENARIOS[g]],
)
def test_scenario(game: Game, sc: scenario.Scenario) -> None:
    scenario.run(game, sc)


@each_game
def test_every_rule_has_a_scenario_or_a_test(game: Game) -> None:
    """A scenario names it, or the docstring of a test in the game's folder."""
    named = {id for sc in SCENARIOS[game] for id in sc.rules}
    for file in game.folder.glob("test_*.py"):
        for f in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(f, ast.FunctionDef) and f.name.startswith("test_"):
                named |= ids_in(ast.get_docstring(f) or "", game)
    assert set(game.rulebook) - named == set()


@each_game
def test_no_scenario_names_an_unknown_rule(game: Game) -> None:
    assert {id for sc in SCENARIOS[game] for id in sc.rules} - set(game.rulebook) == set()


@pytest.mark.parametrize(("game", "file"), TEXTS)
def test_no_file_names_an_unknown_rule(game: Game, file: Path) -> None:
    assert ids_in(file.read_text(encoding="utf-8"), game) - set(game.rulebook) == set()


@each_game
def test_every_option_stands_in_the_readme(game: Game) -> None:
    """With its default, and with its bounds where it is a number."""
    text = (game.folder / "README.md").read_text(encoding="utf-8").split("## Options")[1]
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (.+?) \| ", text.split("\n## ")[0], re.M)
    assert [name for name, _, _ in rows] == list(game.options.model_fields)
    for name, default, values in rows:
        field = game.options.model_fields[name]
        assert default.strip('"').lower() == str(field.default).lower(), name
        limits = [getattr(m, side, None) for m in field.metadata for side in ("ge", "le")]
        if bounds := [x for x in limits if x is not None]:
            low, high = bounds
            listed = values.split(", ")  # or else a span
            assert values == f"{low} .. {high}" or {low, high} <= {*map(int, listed)}, name
