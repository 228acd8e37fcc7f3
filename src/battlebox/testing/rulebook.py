"""README.md and the scenarios: every rule is shown, every option listed, every id known."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from ..core import lesson, scenario
from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.so_far import so_far
from .failure import Failure, in_words, line_of, word_of

SCENARIOS = "scenarios.scn"
NAMING = (".py", ".md", ".scn", ".toml")  # files that may name rules


# ---- scenarios -----------------------------------------------------------------------------------
def scenarios(game: Game) -> list[scenario.Block]:
    """All of the game, if it has any. Errors: Failure for a file that is not well formed."""
    path = game.folder / SCENARIOS
    try:
        return scenario.parse(path.read_text(encoding="utf-8")) if path.is_file() else []
    except BattleboxError as e:
        raise _of_a_line(path, str(e), "`battlebox scenario --help` says more.") from None


def run_scenario(game: Game, sc: scenario.Block) -> int:
    """Errors: Failure with the line where it came out otherwise."""
    try:
        scenario.run(game, sc)
    except scenario.Failed as e:
        hint = (
            "Is the example right? Then mend the rule; or else this line. Alone they run with "
            f"battlebox scenario {word_of(game)} {game.folder / SCENARIOS}"
        )
        failure = _of_a_line(game.folder / SCENARIOS, f"{sc.id}: {e}", hint)
        failure.__dict__["so_far"] = so_far(e)
        raise failure from None
    except Exception as e:
        found = in_words(e, game.folder)
        what = f"{found.what} (scenario {sc.id}, {game.folder / SCENARIOS}:{sc.line})"
        raise Failure(what, found.where) from e
    return 1


def _of_a_line(path: Path, said: str, hint: str) -> Failure:
    """The failure of what says "line 7: ..." somewhere."""
    found = re.search(r"\bline (\d+): ", said)
    if not found:
        return Failure(said, str(path), hint)
    return Failure(said.replace(found[0], "", 1), f"{path}:{found[1]}", hint)


# ---- lessons -------------------------------------------------------------------------------------
def lessons(game: Game) -> Sequence[lesson.Lesson]:
    """All of the game, if it has any. Errors: Failure for a file that is not well formed, or helps
    with what nobody is asked.
    """
    try:
        found = lesson.taught(game)
        lesson.check_help(game, found.help)
        return found.lessons
    except (scenario.Failed, BattleboxError) as e:
        hint = "docs/your-own-game.md shows how lessons are written."
        raise _of_a_line(game.folder / lesson.LESSONS, str(e), hint) from None


def take_lesson(game: Game, taken: lesson.Lesson) -> int:
    """Along every branch. Gives the number of decisions. Errors: Failure with the line."""
    path = game.folder / lesson.LESSONS
    try:
        return lesson.check(game, taken)
    except (scenario.Failed, BattleboxError) as e:
        hint = (
            "The lesson no longer fits the rules, or was never right. Take it with "
            f"battlebox learn {word_of(game)} {taken.id}"
        )
        raise _of_a_line(path, f"{taken.id}: {e}", hint) from None


# ---- rules and their ids -------------------------------------------------------------------------
def ids_in(text: str, game: Game) -> set[str]:
    """All rule ids of a text; `WZ-3..5` are three of them."""
    kinds = "|".join(sorted({re.escape(id.rstrip("0123456789")) for id in game.rulebook}))
    found = set[str]()
    if kinds:
        for kind, first, last in re.findall(rf"\b({kinds})(\d+)(?:\.\.(\d+))?", text):
            found |= {f"{kind}{n}" for n in range(int(first), int(last or first) + 1)}
    return found


def tests_of(game: Game) -> Iterator[Path]:
    """The tests that are the game's own: in its folder; of a package in src/, also in tests/."""
    yield from sorted(game.folder.glob("test_*.py"))
    if game.folder.parent.name == "src":
        yield from sorted((game.folder.parent.parent / "tests").rglob("test_*.py"))


def every_rule_is_shown(game: Game) -> int:
    """By a scenario that names it, or the docstring of a test of the game.

    Errors: Failure names those that are not.
    """
    named = {id for sc in scenarios(game) for id in sc.rules}
    for file in tests_of(game):
        for f in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(f, ast.FunctionDef) and f.name.startswith("test_"):
                named |= ids_in(ast.get_docstring(f) or "", game)
    missing = [id for id in game.rulebook if id not in named]
    if missing:
        where = line_of(game.folder / "README.md", f"- **{missing[0]}**")
        raise Failure(
            f"nothing shows {', '.join(missing)}",
            where,
            f"Write a scenario in {SCENARIOS} whose first line ends in [{missing[0]}], or name the "
            "rule in the docstring of a test.",
        )
    return len(game.rulebook)


def texts(game: Game) -> list[Path]:
    """The files of the game that may name rules."""
    return [x for x in sorted(game.folder.iterdir()) if x.suffix in NAMING]


def every_id_is_known(game: Game, file: Path) -> int:
    """What a file of the game names is a rule of its README.md. Errors: Failure."""
    for n, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if unknown := sorted(ids_in(line, game) - {*game.rulebook}):
            raise Failure(
                f"there is no rule {', '.join(unknown)}",
                f"{file}:{n}",
                f'Write it in README.md, as a line "- **{unknown[0]}** ...", or name another.',
            )
    return 0


def scenarios_name_known_rules(game: Game) -> int:
    """Errors: Failure for an id in the first line of a scenario that README.md has not."""
    for sc in scenarios(game):
        if unknown := [id for id in sc.rules if id not in game.rulebook]:
            raise Failure(
                f"{sc.id}: there is no rule {', '.join(unknown)}",
                f"{game.folder / SCENARIOS}:{sc.line}",
                f'Write it in README.md, as a line "- **{unknown[0]}** ...", or name another.',
            )
    return 0


# ---- options -------------------------------------------------------------------------------------
def every_option_is_listed(game: Game) -> int:
    """In the table under "## Options" of README.md, in their order, with defaults and bounds.

    A game in which nothing can be chosen needs none. Errors: Failure says which row to write.
    """
    path, fields = game.folder / "README.md", game.options.model_fields
    _, _, text = path.read_text(encoding="utf-8").partition("\n## Options")
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (.+?) \| ", text.split("\n## ")[0], re.MULTILINE)
    if not rows and all(_is_fixed(x) for x in fields.values()):
        return 0
    listed = {name: (default, values) for name, default, values in rows}
    for name, about in fields.items():
        if name not in listed:
            raise Failure(
                f"the option {name} is not listed under ## Options",
                line_of(path, "## Options"),
                f"Add the row {_row(name, about)}",
            )
        default, values = listed[name]
        where, write = line_of(path, f"| `{name}` |"), f"Write {_row(name, about)}"
        if default.strip('"').lower() != str(about.default).lower():
            raise Failure(f"{name}: its default is {about.default}, not {default}", where, write)
        if bounds := _bounds(about):
            low, high = bounds
            several = {x.strip() for x in values.split(",")}
            if values != f"{low} .. {high}" and not {str(low), str(high)} <= several:
                raise Failure(f"{name} may be {low} .. {high}, not {values}", where, write)
    if [*listed] != [*fields]:
        stray = [x for x in listed if x not in fields]
        what = f"there is no option {stray[0]}" if stray else "the options are in another order"
        raise Failure(
            what,
            line_of(path, f"| `{stray[0]}` |" if stray else "## Options"),
            f"The options are, in this order: {', '.join(fields)}",
        )
    return 0


def _bounds(about: Any) -> list[Any]:
    """The least and the most that an option may be, if it is a number."""
    found = [getattr(m, side, None) for m in about.metadata for side in ("ge", "le")]
    return [x for x in found if x is not None]


def _is_fixed(about: Any) -> bool:
    bounds = _bounds(about)
    return len(bounds) == 2 and bounds[0] == bounds[1]


def _row(name: str, about: Any) -> str:
    """An option as a row of the table."""
    words = ("true", "false") if about.annotation is bool else map(str, get_args(about.annotation))
    bounds = _bounds(about)
    values = f"{bounds[0]} .. {bounds[1]}" if bounds else ", ".join(words) or "text"
    default = str(about.default).lower() or '""'
    return f"| `{name}` | {default} | {values} | {about.description} |"
