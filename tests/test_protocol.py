"""The protocol in one text: clients are made of what the models say, and read what is written."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.errors import BattleboxError
from battlebox.core.scene import Scene, unpacked
from battlebox.games import find
from battlebox.protocol import deltas
from battlebox.protocol.schema import schema

SCHEMA = Path(__file__).parent.parent / "docs" / "protocol.schema.json"
MODES = [(name, mode.name) for name in bb.games() for mode in find(name).modes]
STEPS = 60


def pictures(name: str, mode: str, viewer: int | None) -> list[Scene]:
    """What somebody sees of a match that is played at random."""
    game, dice = find(name), random.Random(f"{name} {mode}")
    options = next(x.options for x in game.modes if x.name == mode)
    match = game.ruleset({**game.human_defaults, **options}).match(7)
    found = [match.scene(viewer)]
    while not match.over and len(found) < STEPS:
        seat = match.deciding[0]
        match.submit(seat, dice.choice(match.choices(seat)))
        found.append(match.scene(viewer))
    return found


def plain(scene: Scene) -> dict[str, Any]:
    return unpacked(json.loads(scene.as_json))


def test_the_schema_is_that_of_the_models() -> None:
    """If it is not: make page-types."""
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


@pytest.mark.parametrize("viewer", [None, 0], ids=["spectator", "player"])
@pytest.mark.parametrize(("name", "mode"), MODES)
def test_changes_make_of_a_scene_the_next(name: str, mode: str, viewer: int | None) -> None:
    """There and back, and from any scene of a match to any other."""
    scenes = pictures(name, mode, viewer)
    pairs = [*pairwise(scenes), *pairwise(reversed(scenes)), (scenes[0], scenes[-1])]
    for before, now in pairs:
        found = deltas.changed(plain(before), json.loads(deltas.changes(before, now)))
        assert Scene.from_dict(found) == Scene.from_dict(plain(now))


def test_changes_of_another_scene_are_refused() -> None:
    scenes = pictures("medieval", "Standard", 0)
    said = json.loads(deltas.changes(scenes[-2], scenes[-1]))
    assert said["zones"]
    with pytest.raises(BattleboxError, match="fit no picture"):
        deltas.changed(plain(scenes[0]) | {"zones": []}, said)
