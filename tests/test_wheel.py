"""What an index gets: the wheel and its description. Built without the net, in a copy."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from email import message_from_string
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOME = "https://github.com/battlebox/battlebox"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of this checkout, by the build backend itself."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    junk = shutil.ignore_patterns("__pycache__", "*.egg-info")
    shutil.copytree(ROOT / "src", copy / "src", ignore=junk)
    build = "from setuptools import build_meta; build_meta.build_wheel('.')"
    done = subprocess.run(
        [sys.executable, "-c", build], cwd=copy, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(copy.glob("*.whl")))


@pytest.fixture(scope="module")
def about(wheel: zipfile.ZipFile) -> Message:
    """What the index is told."""
    name = next(x for x in wheel.namelist() if x.endswith(".dist-info/METADATA"))
    return message_from_string(wheel.read(name).decode())


def test_there_is_no_test_in_it(wheel: zipfile.ZipFile) -> None:
    stray = [
        x for x in wheel.namelist() if re.search(r"(^|/)(tests?/|test_|testing\.py|conftest)", x)
    ]
    assert stray == []


def test_all_else_is(wheel: zipfile.ZipFile) -> None:
    """Every module, deck, rulebook, scenario, and the whole page."""
    package = ROOT / "src" / "battlebox"
    wanted = {
        str(path.relative_to(ROOT / "src"))
        for path in package.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path.name != "testing.py"
        and not path.match("test_*.py")
    }
    assert {x for x in wheel.namelist() if ".dist-info/" not in x} == wanted


def test_it_says_who_made_it_and_where_it_lives(about: Message) -> None:
    assert about["Author"] == "battlebox contributors"
    assert about["License-Expression"] == "Apache-2.0"
    assert {x.split(", ")[1].split("#")[0] for x in about.get_all("Project-URL", [])} == {
        HOME,
        f"{HOME}/issues",
        f"{HOME}/blob/main/CHANGELOG.md",
    }
    assert len(about["Keywords"].split(",")) >= 5
    assert "Topic :: Games/Entertainment :: Board Games" in about.get_all("Classifier", [])


def test_links_of_the_readme_lead_somewhere_from_anywhere(about: Message) -> None:
    """An index shows the README without the files beside it."""
    raw = HOME.replace("github.com", "raw.githubusercontent.com") + "/main/"
    links = re.findall(r"\]\(([^)]+)\)", about.get_payload())
    assert len(links) > 5
    for link in links:
        assert link.startswith((f"{HOME}/blob/main/", raw)), link
        path = link.removeprefix(f"{HOME}/blob/main/").removeprefix(raw)
        assert (ROOT / path.partition("#")[0]).exists(), link
