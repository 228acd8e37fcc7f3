"""One mutant on trial, in a process of its own: does anything notice it?

The process is forked before the game is imported; there the game's modules come from changed
trees. Cheapest first: scenarios, lessons, then the game's own tests, then laws on random play. The
first that notices ends it.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import io
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import CodeType
from typing import Any

import hypothesis
import pytest

import battlebox as bb
import battlebox.bots
from battlebox.core import laws, lesson, scenario
from battlebox.core.game import Game, Ruleset

from . import steps
from .steps import Courses, budget
from .texts import Mutant

ROOT = Path(__file__).parent.parent
PRELOADED = (hypothesis, bb, battlebox.bots)  # so that no child imports them
AUDITED, CHECKED = 60, 12  # decisions of a match under the laws, in bulk and in depth
HANG = "a limit: it goes on and on"


class Unfit(Exception):
    """The unchanged game is not noticed to be right."""


# ---- a game from changed trees -------------------------------------------------------------------
def folder_of(package: str) -> Path:
    """Where a package lies, which is not imported for it."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def rules_files(folder: Path) -> list[Path]:
    """rules.py, what it imports of its own folder, and hidden.py."""
    found, todo = list[Path](), [folder / "rules.py", folder / "hidden.py"]
    while todo:
        file = todo.pop(0)
        if file.exists() and file not in found:
            found.append(file)
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
                    todo.append(folder / f"{node.module}.py")
    return found


@cache
def code_of(file: Path) -> CodeType:
    """The code of a module as it stands, with its steps counted."""
    return _code(file, steps.counted(_tree(file)))


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _code(file: Path, tree: ast.Module) -> CodeType:
    code: CodeType = compile(tree, str(file), "exec", dont_inherit=True)
    return code


def is_counted(file: Path, folder: Path) -> bool:
    """It is a module of the game, and no test."""
    return file.parent == folder and not file.name.startswith("test_")


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, mutant: Mutant | None) -> None:
        super().__init__(name, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        file = Path(self.path)
        if self._mutant is None:
            return _code(file, steps.counted(_tree(file), file.name))
        if file == self._mutant.file:
            return _code(file, steps.counted(self._mutant.tree()))
        return code_of(file)


class _Finder(MetaPathFinder):
    """Finds the modules of a game, whatever its package is called: steps counted, one changed.

    Without a mutant: lines noted as well.
    """

    def __init__(self, folder: Path, mutant: Mutant | None) -> None:
        self._folder, self._mutant = folder, mutant

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target)
        origin = Path(spec.origin) if spec and spec.origin else Path()
        if spec is None or not is_counted(origin, self._folder):
            return None
        spec.loader = _Loader(fullname, str(origin), self._mutant)
        return spec


# ---- what may notice -----------------------------------------------------------------------------
class _Watch:
    """Of a run of pytest: the steps of each test, the first that failed."""

    def __init__(self) -> None:
        self.noticed = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if budget.matters(item.nodeid)]
        items.sort(key=lambda item: budget.usual_steps(item.nodeid))  # the cheapest first

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        budget.begin(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.noticed:
            self.noticed = report.nodeid.rpartition("/")[2]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.noticed:
            self.noticed = report.nodeid.rpartition("/")[2]


def _first(runs: Iterable[tuple[str, Callable[[], object]]]) -> str:
    """The first of these, by its name, that raises; empty if none does."""
    for name, run in runs:
        if budget.matters(name):
            budget.begin(name)
            try:
                run()
            except Exception:
                return name
    return ""


def by_scenarios(game: Game) -> str:
    """The first scenario that fails; empty if none does."""
    file = game.folder / "scenarios.scn"
    found = scenario.parse(file.read_text(encoding="utf-8")) if file.exists() else ()
    return _first((x.id, partial(scenario.run, game, x)) for x in found)


def by_lessons(game: Game) -> str:
    """The first lesson that no longer fits; empty if all do."""
    return _first((x.id, partial(lesson.check, game, x)) for x in lesson.taught(game).lessons)


def by_tests(game: Game) -> str:
    """The first of the game's own tests that fails, of those that need no compiler."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    options = ["-x", "-q", "-p", "no:cacheprovider", "--override-ini=addopts="]
    options += [
        "-W",
        "ignore::pytest.PytestUnknownMarkWarning",  # xdist's: it is left out
        f"--rootdir={ROOT}",
        f"--confcutdir={game.folder}",
    ]
    watch = _Watch()
    budget.begin("collection")
    chosen = ["-m", "not slow and not compiled", str(game.folder)]
    status = pytest.main([*options, *chosen], plugins=[watch])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return watch.noticed or f"pytest: {status}"
    return ""


def rulesets(game: Game) -> Iterator[Ruleset]:
    """The ways to play that people choose from, with as many players as there may be."""
    most = next(
        (m.le for m in game.options.model_fields["players"].metadata if hasattr(m, "le")), 2
    )
    for options in [m.options for m in game.modes] or [{}]:
        yield game.ruleset(options)
    if game.ruleset({}).players != most:
        yield game.ruleset({"players": most})


def by_laws(game: Game) -> str:
    """The first ruleset in which random play breaks a law."""
    for rules in rulesets(game):
        name = f"laws of {rules.options_text}"
        if not budget.matters(name):
            continue
        budget.begin(name)
        try:
            laws.audit(rules, 2, seed=1, decisions=AUDITED, compiled=False)
            laws.check(rules, 1, seed=3, decisions=CHECKED, compiled=False)
        except Exception:
            return name
    return ""


Stage = Callable[[Game], str]
ALL: tuple[Stage, ...] = (by_scenarios, by_lessons, by_tests, by_laws)


# ---- a trial -------------------------------------------------------------------------------------
def _trial(
    tell: Connection, package: str, mutant: Mutant | None, usual: Courses, stages: Sequence[Stage]
) -> None:
    """In the child: sends who noticed (nobody: empty), and what was done."""
    budget.usual, budget.line = usual, mutant.at if mutant else ""
    sys.meta_path.insert(0, _Finder(folder_of(package), mutant))
    sink = io.StringIO()
    with redirect_stdout(sink), redirect_stderr(sink):
        noticed = _noticed(package, stages)
    budget.end()
    tell.send((noticed, {} if mutant else budget.taken))


def _noticed(package: str, stages: Sequence[Stage]) -> str:
    budget.begin("import")
    try:
        game: Game = importlib.import_module(package).GAME
        game.build(compiled=False)
    except Exception as e:
        return f"the import: {' '.join(str(e).split())[:60]}"
    for stage in stages:
        if found := stage(game):
            return found
    return ""


class Trial:
    """A child that tries one mutant (None: the unchanged game)."""

    def __init__(
        self,
        package: str,
        mutant: Mutant | None,
        usual: Courses,
        stages: Sequence[Stage] = ALL,
    ) -> None:
        assert package not in sys.modules, f"{package} is imported already: a child would have it"
        fork = multiprocessing.get_context("fork")
        self.mutant = mutant
        self.answer, tell = fork.Pipe(duplex=False)
        self._child = fork.Process(
            target=_trial, args=(tell, package, mutant, usual, stages), daemon=True
        )
        self._child.start()
        tell.close()

    def result(self) -> tuple[str, Courses]:
        """Who noticed, and what was done; waits for it."""
        try:
            found: tuple[str, Courses] = self.answer.recv()
        except EOFError:
            self._child.join()
            status = self._child.exitcode
            found = HANG if status == steps.HANGS else f"its end: exit status {status}", {}
        self._child.join()
        return found


def usual_courses(package: str, stages: Sequence[Stage] = ALL) -> Courses:
    """What the unchanged game does in each scenario, lesson, test and law. Errors: Unfit."""
    folder = folder_of(package)
    for file in folder.glob("*.py"):
        if is_counted(file, folder):
            code_of(file)  # which all children then have
    noticed, taken = Trial(package, None, {}, stages).result()
    if noticed:
        raise Unfit(f"{package} as it stands is found wrong by {noticed}: mend that first")
    return taken


def tried(
    package: str,
    mutants: Sequence[Mutant],
    usual: Courses,
    at_once: int,
    stages: Sequence[Stage] = ALL,
) -> Iterator[tuple[Mutant, str]]:
    """Each mutant and who noticed it (nobody: empty), in the order in which that is known.

    stages: who is asked.
    """
    todo, running = list(reversed(mutants)), dict[Connection, Trial]()
    while todo or running:
        while todo and len(running) < at_once:
            trial = Trial(package, todo.pop(), usual, stages)
            running[trial.answer] = trial
        for ready in wait([*running]):
            assert isinstance(ready, Connection)
            trial = running.pop(ready)
            assert trial.mutant
            yield trial.mutant, trial.result()[0]
