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


#: the examples that need a library: its name, and what makes a run of it short
WITH = {
    "torchrl": ["--decisions", "32768"],
    "tianshou": ["--epochs", "1", "--steps", "1000", "--tested", "10"],
    "ray.rllib": ["--rounds", "2", "--decisions", "500"],
}


@pytest.mark.filterwarnings("ignore")  # what libraries warn of is theirs
@pytest.mark.parametrize("library", WITH)
def test_libraries_learn(library: str) -> None:
    """The examples run; TorchRL's learns something in that time."""
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    pytest.importorskip(library, reason=f"{library} is not installed: docs/learners/examples.md")
    example = runpy.run_path(str(EXAMPLES / f"with_{library.rpartition('.')[2]}.py"))
    found = example["main"](WITH[library])
    assert -1 <= found <= 1
    assert found > 0 or library != "torchrl"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda x: x.stem)
def test_examples_are_short(path: Path) -> None:
    """An example is read in one go."""
    assert len(path.read_text("utf-8").splitlines()) < 200
