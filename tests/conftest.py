"""What several test files need: copies of the tiny games that a test may break, a server."""

from __future__ import annotations

import gc
import importlib
import itertools
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from serving import InThread

# a shell starts what it puts in the background deaf to Ctrl-C, and all its children with it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.pop("BATTLEBOX_GAMES", None)  # those of the person who runs the tests are not tested

GAMES = Path(__file__).parent / "games"
Break = Callable[..., ModuleType]
_number = itertools.count()


def copy_of(folder: Path, module: str, *edits: tuple[str, str], package: str) -> Path:
    """Copies a tiny game (with its parts) into a package of its own; each edit must be possible."""
    home = folder / package
    home.mkdir(parents=True, exist_ok=True)
    (home / "__init__.py").touch()
    found = [f for f in sorted(GAMES.glob("*.py")) if f.stem.startswith(module)]
    texts = {f: f.read_text(encoding="utf-8") for f in found}
    for old, new in edits:
        places = [f for f, text in texts.items() if text.count(old) == 1]
        assert len(places) == 1, f"{old!r} stands once in {module}"
        texts[places[0]] = texts[places[0]].replace(old, new)
    for f, text in texts.items():
        (home / f.name).write_text(text, encoding="utf-8")
    shutil.copy(GAMES / "README.md", home)
    return home / f"{module}.py"


def pytest_xdist_auto_num_workers() -> int:
    """Two workers more than cores: some wait for a browser, a server or what another compiles."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """What is found stays to the end: it need not be looked through for garbage again and again.
    As in the server; there Python looks as rarely.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 10)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no worker is alone with it in the end."""
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "compiled"))))


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Break]:
    """broken("race", (old, new), ...): the module of that tiny game with these edits."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def make(module: str, *edits: tuple[str, str]) -> ModuleType:
        package = f"broken_{next(_number)}"
        copy_of(tmp_path, module, *edits, package=package)
        made.append(package)
        return importlib.import_module(f"{package}.{module}")

    yield make
    for name in list(sys.modules):
        if name.partition(".")[0] in made:
            del sys.modules[name]


@pytest.fixture
def live_server(tmp_path: Path) -> Iterator[InThread]:
    """The real server in a thread, with its base address in `url` and its matches in `rooms`."""
    from serving import ROOMY, in_thread

    with in_thread(tmp_path / "server", **ROOMY) as running:
        yield running
