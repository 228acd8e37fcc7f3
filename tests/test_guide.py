"""docs/your-own-game.md: whoever follows it step by step has a game that obeys all laws."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
from pathlib import Path

import pytest

from battlebox.core.drawing import DefaultScene
from battlebox.core.game import game_in
from battlebox.core.packages import import_folder
from battlebox.core.zones import KINDS
from battlebox.new_game import new_game
from battlebox.testing import Effort, checks_of

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "your-own-game.md").read_text(encoding="utf-8")
STEPS = re.split(r"^## (?=\d)", GUIDE, flags=re.MULTILINE)[1:]
BLOCK = re.compile(
    r"^```(python|md|scn|js|css) (\S+)( options| docstring)?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
#: what the guide says in words, by the number of the step
SAYS = {
    3: {"delete": ("keep", "swap", "may_swap", "next_turn")},
    9: {"delete": ("HAND",)},
}
#: and what it says differently in README.md
SAID = {9: ("up to three cards", "up to as many cards as `hand` says")}


def name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    return node.targets[0].id if isinstance(node, ast.Assign) else ""  # type: ignore[attr-defined]


def span(node: ast.stmt) -> tuple[int, int]:
    first = min([x.lineno for x in getattr(node, "decorator_list", ())] + [node.lineno])
    return first - 1, node.end_lineno or 0


def without(text: str, name: str) -> str:
    (node,) = (x for x in ast.parse(text).body if name_of(x) == name)
    first, last = span(node)
    lines = text.splitlines(keepends=True)
    return "".join(lines[:first] + lines[last:])


def with_block(text: str, block: str) -> str:
    """What a block defines, in place of what has its name; else before the state, or at the end."""
    for node in ast.parse(block).body:
        first, last = span(node)
        code = "".join(block.splitlines(keepends=True)[first:last])
        known = [x for x in ast.parse(text).body if name_of(x) == name_of(node)]
        lines = text.splitlines(keepends=True)
        if known:
            first, last = span(known[0])
            text = "".join([*lines[:first], code, *lines[last:]])
        elif isinstance(node, ast.Assign):
            at = next(span(x)[0] for x in ast.parse(text).body if name_of(x) == "CARDS")
            text = "".join([*lines[:at], code, *lines[at:]])
        else:
            text += f"\n\n{code}"
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What `battlebox new-game beasts` writes."""
    new_game("beasts", "Beasts", tmp_path)
    return tmp_path / "beasts"


def follow(folder: Path, step: str) -> None:
    for kind, file, part, text in BLOCK.findall(step):
        path = folder / file
        path.parent.mkdir(exist_ok=True)
        if part == " options":
            path.write_text(path.read_text() + text)
        elif part == " docstring":
            path.write_text(text + path.read_text().partition("\n")[2])
        elif kind == "python" and path.exists():
            path.write_text(with_block(path.read_text(), text))
        else:
            path.write_text(text)
    if int(step.partition(".")[0]) in SAID:
        path, (old, new) = folder / "README.md", SAID[int(step.partition(".")[0])]
        assert path.read_text().count(old) == 1
        path.write_text(path.read_text().replace(old, new))
    for name in SAYS.get(int(step.partition(".")[0]), {}).get("delete", ()):
        path = folder / "rules.py"
        path.write_text(without(path.read_text(), name))


def test_who_follows_it_has_a_game(folder: Path) -> None:
    rules, scene = folder / "rules.py", folder / "scene.py"
    rules.write_text(rules.read_text().replace("    allow,\n", "    allow,\n    counts,\n"))
    scene.write_text(
        scene.read_text().replace(
            "from battlebox.authoring import M",
            "from collections.abc import Sequence\n\nfrom battlebox.authoring import M",
        )
    )
    for step in STEPS:
        follow(folder, step)
        if int(step.partition(".")[0]) in (7, 8, 9, 10, 11):
            there = folder.parent / step.partition(".")[0] / "beasts"  # a folder is imported once
            shutil.copytree(folder, there)
            game = game_in(import_folder(there))
            last = step is STEPS[-1]  # what comes up seldom is found there
            for check in checks_of(game, Effort() if last else Effort(matches=2)):
                check()
    assert (game.title, game.about[:16]) == ("Beasts", "Choose in secret")
    assert game.insight is not None
    m = game.ruleset({"hand": 5}).match(1)
    assert m.scene(0).prompt == "Choose a beast. All are shown together."
    assert sum(p.count for p in m.scene(0).zone("hand").pieces) == 5


def test_all_its_files_are_used() -> None:
    assert {file for _, file, *_ in BLOCK.findall(GUIDE)} == {
        *("__init__.py", "rules.py", "scene.py", "options.py", "README.md", "scenarios.scn"),
        "lessons.scn",
        *("insight.py", "theme/beasts.js", "theme/beasts.css"),
    }


def test_its_icons_are_there() -> None:
    sprite = (ROOT / "src/battlebox/web/sprite.svg").read_text(encoding="utf-8")
    (listed,) = re.findall(r"Among the icons are\s(.*?)\.\s", GUIDE, re.DOTALL)
    named = [*re.findall(r"`(\w+)`", listed), *re.findall(r"icon: '(\w+)'", GUIDE)]
    assert len(named) > 5
    assert [x for x in named if f'id="i-{x}"' not in sprite] == []


def test_its_methods_of_a_scene_are_there() -> None:
    rows = re.findall(r"^\| `(\w+)\((self.*?)\)` \|", GUIDE, re.MULTILINE)
    assert len(rows) == 12
    for name, given in rows:
        if name != "do_choose":
            assert ", ".join(inspect.signature(getattr(DefaultScene, name)).parameters) == given


def test_it_names_all_kinds_of_zones() -> None:
    table = GUIDE.split("## Kinds of zones")[1].split("\n## ")[0]
    rows = [row.partition(" | ")[0] for row in table.splitlines() if row.startswith("| `")]
    assert sorted(re.findall("`([a-z]+)`", "".join(rows))) == sorted(KINDS)
