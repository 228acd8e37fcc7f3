"""The examples for learners learn."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples/learning"

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


def test_ppo_learns_to_beat_chance() -> None:
    """Four updates are enough for that; its interval is above a half."""
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    ppo = runpy.run_path(str(EXAMPLES / "ppo.py"))
    found = ppo["main"](["--decisions", "131072", "--against", "random"])
    assert found.share - found.half > 0.5


def test_ppo_is_short() -> None:
    """An example is read in one go."""
    assert len((EXAMPLES / "ppo.py").read_text("utf-8").splitlines()) < 200
