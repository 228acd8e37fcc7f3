"""The table of positions by depth is what it was; both builds count the same."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from playthroughs import COURSES, perft
from playthroughs.perft import MOST, difference, kept, positions

import battlebox as bb

NAMES = [pytest.param(n, marks=pytest.mark.xdist_group(COURSES[n].game)) for n in COURSES]


def table_of(name: str) -> list[tuple[int, list[int]]]:
    """The rows of a ruleset: how many random actions come first, then the positions by depth."""
    rows = [x.removeprefix(f"{name} ").split(":") for x in kept()[name]]
    return [(int(start), [*map(int, numbers.split())]) for start, numbers in rows]


@pytest.mark.compiled
@pytest.mark.parametrize("name", NAMES)
def test_positions_by_depth_are_what_they_were(name: str) -> None:
    found = difference(name)
    assert not found, f"{found}\nIf it is meant: `make playthroughs`, and look at the diff."


@pytest.mark.parametrize("name", COURSES)
def test_the_plain_build_counts_the_same(name: str) -> None:
    plain = bb.load(COURSES[name].game, **COURSES[name].options).plain()
    for start, numbers in table_of(name):
        few = [*itertools.takewhile(lambda n: n <= 60, numbers)]
        assert [*positions(plain, start, most=60)] == few


def test_the_table_has_every_ruleset_and_a_few_actions_of_each() -> None:
    table = kept()
    assert [*table] == [*COURSES]
    for name in table:
        starts = table_of(name)
        assert len(starts) >= 2, name
        assert all(len(numbers) > 1 and max(numbers) <= MOST for _, numbers in starts), name
    assert len({str(table_of(name)) for name in table}) > len(table) - 3, "rulesets differ"


def test_another_rule_gives_other_numbers() -> None:
    usual, other = bb.load("war_zone", speedy=True), bb.load("war_zone", speedy=True, players=4)
    found = [[*positions(r.plain(), 0, most=100)] for r in (usual, other)]
    assert found[0] != found[1]


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_another_number_shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    name = "war_zone-speedy-2"
    old = perft.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(perft, "FILE", tmp_path / "perft.table")
    perft.FILE.write_text(old.replace(f"{name} 0: 6 33", f"{name} 0: 6 34"), encoding="utf-8")
    assert f"-{name} 0: 6 34" in difference(name)
    assert f"+{name} 0: 6 33" in difference(name)
    assert perft.write([name])
    assert not difference(name)
    assert not perft.write([name])
