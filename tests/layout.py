"""Which matches the layout law looks at in our own tests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import battlebox as bb
from battlebox.games import find
from battlebox.testing.layout import Course, courses_of

HERE = Path(__file__).parent
#: games without looks of their own, as those of others are: they are drawn from their marks
UNDRAWN = (
    HERE / "games" / "peek",
    HERE.parent / "examples" / "kuhn_poker" / "src" / "kuhn_poker",
    Path(bb.__file__).parent / "template",
)


@contextmanager
def with_undrawn_games() -> Iterator[None]:
    """The games without looks are among those of the box."""
    folders = os.pathsep.join(map(str, UNDRAWN))
    with mock.patch.dict(os.environ, {sys.modules["battlebox.games"].FOLDERS: folders}):
        yield


def courses(seed: int) -> list[Course]:
    """Every mode of every game, with the fewest, some and the most players."""
    with with_undrawn_games():
        return [x for name in bb.games() for x in courses_of(find(name), seed, (2, 4, 6, 10))]
