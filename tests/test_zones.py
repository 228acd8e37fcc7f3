"""Facts of zones are what their kinds say; a kind that is not known has any."""

from __future__ import annotations

from typing import Any

import pytest

from battlebox.core.scene import Zone
from battlebox.core.zones import KINDS, fault_of
from battlebox.text.draw import DRAWERS


@pytest.mark.parametrize(
    ("kind", "facts", "fault"),
    [
        ("line", {"text": "So it is."}, ""),
        ("line", {"text": 7}, "text"),
        ("ring", {"way": 1, "text": "to the left"}, "round"),
        ("line", {"text": "So it is.", "pills": [{"text": "Hit"}]}, "lit"),
        ("line", {"text": "So it is.", "colour": "red"}, "colour"),
        ("pile", {"count": 3, "face": "down", "notes": []}, ""),
        ("pile", {"count": "3", "face": "down"}, "count"),
        ("pile", {"count": 3, "face": "sideways"}, "face"),
        ("numbers", {}, ""),
        ("shelf", {"colour": "red"}, ""),
    ],
)
def test_facts_that_do_not_fit_their_kind_are_named(kind: str, facts: Any, fault: str) -> None:
    said = fault_of(Zone("it", kind, "It", facts=facts))
    assert said.startswith(f"zone it, a {kind}: ") if fault else said == ""
    assert fault in said


def test_the_terminal_draws_every_kind() -> None:
    drawn_with_choices = {"fan"}
    assert {*KINDS} == {*DRAWERS} | drawn_with_choices
