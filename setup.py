"""What pyproject.toml cannot say: no tests in what is installed."""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithoutTests(build_py):
    """The modules of a package but for its tests and what only they use."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        """Package, module and file of each."""
        found: list[tuple[str, str, str]] = super().find_package_modules(package, package_dir)
        return [x for x in found if x[1] != "testing" and not Path(x[2]).match("test_*.py")]


setup(cmdclass={"build_py": WithoutTests})
