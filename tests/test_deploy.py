"""The files of deploy/ speak of what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer

from battlebox.cli.app import app
from battlebox.server.metrics import COUNTED, LIVE

DEPLOY = Path(__file__).parent.parent / "deploy"
HOW = ("Dockerfile", "compose.yaml", "battlebox@.service")


def text_of(name: str) -> str:
    """A file, without its comments."""
    return re.sub(r"(^|\s)#.*", "", (DEPLOY / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", HOW)
def test_its_options_are_those_of_the_command(name: str) -> None:
    command: Any = typer.main.get_command(app)
    known = {x for p in command.params for x in (*p.opts, *p.secondary_opts)}
    ours = text_of(name)
    if name == "Dockerfile":
        ours = ours[ours.index("ENTRYPOINT") :]
    found = set(re.findall(r"(?<![\w-])--[a-z-]+", ours))
    assert found
    assert found <= known


@pytest.mark.parametrize("name", HOW)
def test_its_variables_are_those_of_the_program(name: str) -> None:
    source = Path(__file__).parent.parent / "src"
    known = {
        x for p in source.rglob("*.py") for x in re.findall(r"BATTLEBOX_[A-Z]+", p.read_text())
    }
    found = set(re.findall(r"BATTLEBOX_[A-Z]+", text_of(name)))
    assert found
    assert found <= known


def test_the_dashboard_shows_figures_that_there_are() -> None:
    board: Any = json.loads((DEPLOY / "grafana.json").read_text())
    asked = " ".join(t["expr"] for p in board["panels"] for t in p["targets"])
    known = {*LIVE, *(f"{x}_total" for x in COUNTED)}
    assert set(re.findall(r"battlebox_[a-z_]+", asked)) == known
    assert len({p["id"] for p in board["panels"]}) == len(board["panels"])


def test_what_is_copied_into_the_image_is_there() -> None:
    sources = re.findall(r"^COPY (?!--from)(.*) \S+$", text_of("Dockerfile"), re.MULTILINE)
    assert sources
    for name in " ".join(sources).split():
        assert (DEPLOY.parent / name).exists(), name
