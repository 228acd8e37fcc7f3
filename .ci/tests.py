"""Runs all tests; what fails is run once more, alone.

    python .ci/tests.py UNSTEADY [words for pytest]

A test that fails at first and then passes counts as passed, and stands in the file UNSTEADY
afterwards: it is to be mended. Ends as the last run of pytest ended. No tests, or a file that
cannot be read, is nothing that another run could mend.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FAILED = 1  # pytest's status: it ran, and something failed
LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def last_failed() -> set[str]:
    """The names of what failed in the last run, without the `@group` that workers add to them."""
    names = json.loads(LAST_FAILED.read_text()) if LAST_FAILED.exists() else []
    return {x[: x.rindex("@")] if x.rfind("@") > x.rfind("]") else x for x in names}


def main(unsteady: Path, words: list[str]) -> int:
    """Two runs, if need be; the exit status."""
    run = [sys.executable, "-m", "pytest", "--cache-clear", *words]
    status = subprocess.call(run)
    failed = last_failed()
    if status != FAILED or not failed or not all("::" in name for name in failed):
        return status
    print("\nWhat failed is run once more, alone:", flush=True)
    status = subprocess.call([*run, "-n", "0", *sorted(failed)])
    if steady := sorted(failed - last_failed()):
        unsteady.write_text("\n".join(["unsteady, passed when run alone:", *steady, ""]))
    return status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
