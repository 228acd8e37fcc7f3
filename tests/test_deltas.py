"""What has changed of a picture, put on the picture before, gives the picture: in all games."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.scene import Piece, Scene, Zone, unpacked
from battlebox.games import find
from battlebox.protocol.deltas import changed, changed_within, changes
from battlebox.protocol.messages import SceneChanges

ACTIONS = 25  # of a match
MODES = [(name, mode.name) for name in bb.games() for mode in find(name).modes]


def plain(scene: Scene) -> dict[str, Any]:
    """A scene as a client has it."""
    return unpacked(json.loads(scene.as_json))


def pictures(name: str, mode: str, seed: int) -> Iterator[dict[int | None, Scene]]:
    """What all viewers see, after each action of a match at random."""
    game = find(name)
    options = next(m.options for m in game.modes if m.name == mode)
    match = game.ruleset({**game.human_defaults, **options}).match(seed)
    match.open_response_windows()
    dice, seats = random.Random(seed), (None, *range(match.rules.players))
    for _ in range(ACTIONS):
        yield {seat: match.scene(seat) for seat in seats}
        if match.deciding:
            seat = dice.choice(match.deciding)
            match.submit(seat, dice.choice(match.choices(seat)))
        elif match.response_window:
            match.close_response_window()
        else:
            return


@pytest.mark.parametrize(("name", "mode"), MODES)
def test_changes_lead_from_one_picture_to_the_next(name: str, mode: str) -> None:
    before, known, sizes = dict[int | None, Scene](), dict[int | None, dict[str, Any]](), [0, 0]
    for now in pictures(name, mode, seed=3):
        for seat, scene in now.items():
            if seat in before:
                said = changes(before[seat], scene)
                SceneChanges.model_validate_json(said)
                known[seat] = changed(known[seat], json.loads(said))
                sizes = [sizes[0] + len(said), sizes[1] + len(scene.as_json)]
            else:
                known[seat] = plain(scene)
            assert Scene.from_dict(known[seat]) == Scene.from_dict(plain(scene))
        before = now
    assert sizes[0] < 0.6 * sizes[1], "what has changed is told in less than everything"


def test_the_same_picture_has_no_changes() -> None:
    scene = bb.load("war_zone").match(1).scene(0)
    assert json.loads(changes(scene, scene)) == {}


def hand(*names: str, **facts: Any) -> Zone:
    """A zone with these pieces."""
    pieces = tuple(Piece(f"p:{x}", f"Card {x}", code=x) for x in names)
    return Zone("hand", "fan", "Hand", 0, pieces, facts)


def scene_of(*zones: Zone) -> Scene:
    return Scene(0, 0, "PLAY", "Turn 1", "Play.", zones)


LISTS = ("", "a", "b", "ab", "ba", "abc", "acb", "cab", "abcdefg", "gfedcba", "abxdefg", "adefgz")


@pytest.mark.parametrize("old", LISTS)
@pytest.mark.parametrize("new", LISTS)
def test_pieces_come_go_and_change_places(old: str, new: str) -> None:
    a, b = scene_of(hand(*old, n=1, gone=2)), scene_of(hand(*new, n=3, come=[4]))
    got = changed(plain(a), json.loads(changes(a, b)))
    assert Scene.from_dict(got) == Scene.from_dict(plain(b))


def test_of_a_piece_that_changes_it_is_told_what_is_new() -> None:
    a = scene_of(hand(*"abcdef"))
    pieces = list(a.zones[0].pieces)
    pieces[2] = replace(pieces[2], name="Another")
    b = scene_of(replace(a.zones[0], pieces=tuple(pieces)))
    plain(b)  # what pieces keep of it is not told
    said = json.loads(changes(a, b))
    assert said["zones"] == [
        {"id": "hand", "turned": {"p:c": {"name": "Another"}}, "changed": True}
    ]
    assert Scene.from_dict(changed(plain(a), said)) == Scene.from_dict(plain(b))


def test_a_piece_is_what_is_usual_again() -> None:
    a, b = (scene_of(hand(*"abcdef")) for _ in range(2))
    pieces = list(a.zones[0].pieces)
    pieces[2] = replace(pieces[2], tone="never", count=3)
    a = scene_of(replace(a.zones[0], pieces=tuple(pieces)))
    said = json.loads(changes(a, b))
    assert said["zones"][0]["turned"] == {"p:c": {"tone": "", "count": 1}}
    assert Scene.from_dict(changed(plain(a), said)) == Scene.from_dict(plain(b))


def test_pieces_with_the_same_id_are_told_whole() -> None:
    a, b = scene_of(hand(*"abcdef")), scene_of(hand(*"aacdef"))
    said = json.loads(changes(a, b))
    assert "changed" not in said["zones"][0]
    assert Scene.from_dict(changed(plain(a), said)) == Scene.from_dict(plain(b))


def test_zones_come_go_and_change_places() -> None:
    other = Zone("pile", "pile", "Pile")
    third = Zone("line", "line", "Line", facts={"text": "…"})
    for zones in ((other,), (other, third), (third, other, hand("a")), ()):
        a, b = scene_of(hand("a"), other), scene_of(*zones)
        got = changed(plain(a), json.loads(changes(a, b)))
        assert Scene.from_dict(got) == Scene.from_dict(plain(b))


def test_what_is_told_of_a_zone_depends_on_the_one_before() -> None:
    one, two, three = (scene_of(hand(*x)) for x in ("abcdef", "abcxef", "xbcdef"))
    for before in (one, two, one):  # it is kept with the zone that comes after
        got = changed(plain(before), json.loads(changes(before, three)))
        assert Scene.from_dict(got) == Scene.from_dict(plain(three))


# ---- facts --------------------------------------------------------------------------------------
LONG = "a text that is too long to be said for nothing"


def value(dice: random.Random, depth: int = 3) -> Any:
    """Any value of a fact."""
    if depth == 0 or dice.random() < 0.4:
        return dice.choice([None, True, False, 7, 1.5, "", "x", LONG])
    if dice.random() < 0.5:
        return [value(dice, depth - 1) for _ in range(dice.randrange(5))]
    return {x: value(dice, depth - 1) for x in dice.sample("abcdef10", dice.randrange(5))}


def another(x: Any, dice: random.Random) -> Any:
    """A value that differs here and there."""
    if dice.random() < 0.1:
        return value(dice)
    if isinstance(x, list):
        out = [another(y, dice) for y in x if dice.random() < 0.9]
        return out + [value(dice, 1)] * (dice.random() < 0.2)
    if isinstance(x, dict):
        out = {k: another(y, dice) for k, y in x.items() if dice.random() < 0.9}
        return out | ({dice.choice("ghi"): value(dice, 1)} if dice.random() < 0.2 else {})
    return x


@pytest.mark.parametrize("seed", range(20))
def test_facts_change_however_deep_they_lie(seed: int) -> None:
    dice, deep = random.Random(seed), 0
    for _ in range(50):
        old = {x: value(dice) for x in "abcd"}
        new = {k: another(x, dice) for k, x in old.items() if dice.random() < 0.9}
        new |= {"e": value(dice)} if dice.random() < 0.3 else {}
        a, b = scene_of(hand(*"ab", **old)), scene_of(hand(*"ab", **new))
        text = changes(a, b)
        SceneChanges.model_validate_json(text)
        said = json.loads(text)
        got = changed(plain(a), said)
        # as text, as the order of keys counts
        facts = [zone.get("facts", {}) for x in (got, plain(b)) for zone in x["zones"]]
        assert {k: json.dumps(v) for k, v in facts[0].items()} == {
            k: json.dumps(v) for k, v in facts[1].items()
        }
        zones = said.get("zones", [{}])
        deep += "within" in zones[0].get("facts", {})
    assert deep > 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, {"set": {"b": 3}}),
        ({"a": 1, "b": 2}, {"a": 1}, {"without": ["b"]}),
        ({"a": [LONG, 1]}, {"a": [LONG, 2]}, {"within": {"a": {"set": {"1": 2}}}}),
        ({"a": [LONG, 1]}, {"a": [0, LONG, 1]}, {"within": {"a": {"cut": [0, 0], "put": [0]}}}),
        ({"a": [LONG, 1]}, {"a": [LONG]}, {"within": {"a": {"cut": [1, 1], "put": []}}}),
        (
            {"a": [{"of": LONG, "n": 1}]},
            {"a": [{"of": LONG, "n": 2}]},
            {"within": {"a": {"within": {"0": {"set": {"n": 2}}}}}},
        ),
        ({"a": {"x": 1, "y": LONG}}, {"a": {"y": LONG, "x": 1}}, None),  # the same in Python
        (
            {"a": {"x": 1, "y": LONG}},
            {"a": {"y": LONG, "x": 2}},
            {"set": {"a": {"y": LONG, "x": 2}}},
        ),
    ],
)
def test_what_has_changed_of_facts_is_short(old: Any, new: Any, said: Any) -> None:
    found = json.loads(changes(scene_of(hand("a", **old)), scene_of(hand("a", **new))))
    assert found.get("zones", [{}])[0].get("facts") == said
    if said:
        assert changed_within(old, said) == new


@pytest.mark.parametrize(
    "said",
    [
        {"zones": ["nowhere"]},
        {"zones": [{"id": "nowhere", "changed": True}]},
        {"zones": [{"id": "hand", "changed": True, "facts": {"without": ["no fact"]}}]},
        {"zones": [{"id": "hand", "changed": True, "facts": {"within": {"no fact": {}}}}]},
        {"zones": [{"id": "hand", "changed": True, "turned": {"p:z": {"name": "Z"}}}]},
        {"zones": [{"id": "hand", "changed": True, "facts": {"cut": [0]}}]},
        {"zones": [{"id": "hand", "changed": True, "put": [[0, [5]]]}]},
        {"zones": 7},
        {"choices": [[3]]},
    ],
)
def test_changes_that_fit_no_picture_are_refused(said: dict[str, Any]) -> None:
    with pytest.raises(bb.BattleboxError, match="fit no picture"):
        changed(plain(scene_of(hand("a"))), said)
