"""`.ci/tests.py`: a second try for what fails, and a list of what needed it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[1] / ".ci" / "tests.py"
STEADY = "def test_steady():\n    pass\n"
BROKEN = "def test_broken():\n    assert False\n"
AT_FIRST = """
from pathlib import Path

def test_at_first():
    tried = Path("tried")
    if not tried.exists():
        tried.touch()
        assert False, "for the first time"
"""
NAMED = "unsteady, passed when run alone:\ntest_it.py::test_at_first\n"


GROUPED = """
import os
import pytest
from pathlib import Path

@pytest.mark.xdist_group("together")
@pytest.mark.parametrize("k", range(8))
def test_grouped(k):
    Path(os.environ.get("PYTEST_XDIST_WORKER", "alone")).touch()
    assert k != 5 or Path("tried").exists() or Path("tried").touch()
"""


def run(folder: Path, text: str, addopts: str = "-n 1") -> tuple[int, str, str]:
    """Runs a file of tests: (exit status, what was printed, what is listed as unsteady)."""
    (folder / "test_it.py").write_text(text)
    (folder / "pytest.ini").write_text(f"[pytest]\naddopts = -q -p xdist {addopts}\n")
    unsteady = folder / "unsteady"
    done = subprocess.run(
        [sys.executable, SCRIPT, unsteady],
        cwd=folder,
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("PYTEST")},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # all would take longer to load than to run
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, unsteady.read_text() if unsteady.exists() else ""


def test_what_passes_runs_once(tmp_path: Path) -> None:
    status, said, unsteady = run(tmp_path, STEADY)
    assert (status, unsteady) == (0, "")
    assert said.count(" passed in ") == 1


def test_what_fails_once_is_named_and_passes(tmp_path: Path) -> None:
    status, said, unsteady = run(tmp_path, STEADY + AT_FIRST)
    assert (status, unsteady) == (0, NAMED)
    assert "1 failed, 1 passed in " in said
    assert said.splitlines()[-1].startswith("1 passed in ")


def test_a_group_has_one_worker_and_what_fails_in_it_runs_alone(tmp_path: Path) -> None:
    """Whose tests would else compile, and start browsers, as often as there are workers."""
    status, said, unsteady = run(tmp_path, GROUPED, "-n 2 --dist loadgroup")
    assert (status, unsteady.splitlines()[1:]) == (0, ["test_it.py::test_grouped[5]"])
    assert len(list(tmp_path.glob("gw*"))) == 1
    assert said.splitlines()[-1].startswith("1 passed in ")


def test_what_fails_twice_fails(tmp_path: Path) -> None:
    status, said, unsteady = run(tmp_path, STEADY + AT_FIRST + BROKEN)
    assert (status, unsteady) == (1, NAMED)
    assert "test_it.py::test_broken" in said.rpartition("run once more")[2]


@pytest.mark.parametrize("text", ["", "import nothing_of_this_name\n", "def test_it(:\n"])
def test_what_another_run_cannot_mend_fails_at_once(tmp_path: Path, text: str) -> None:
    status, said, unsteady = run(tmp_path, text)
    assert status != 0
    assert unsteady == ""
    assert "once more" not in said


def test_an_unreadable_file_beside_an_unsteady_one_fails(tmp_path: Path) -> None:
    (tmp_path / "test_first.py").write_text(AT_FIRST)
    status, _, unsteady = run(tmp_path, "import nothing_of_this_name\n")
    assert status != 0
    assert unsteady == ""


def test_the_list_is_the_last_that_is_said() -> None:
    lines = (SCRIPT.parent / "run").read_text().splitlines()
    assert any(x.startswith('trap \'cat "$unsteady"') and x.endswith("EXIT") for x in lines)
