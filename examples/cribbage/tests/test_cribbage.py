"""Cribbage: what every game must keep; its rules are tested by the scenarios."""

from __future__ import annotations

import pytest

import cribbage
from battlebox.testing import Check, Effort, checks_of

EFFORT = Effort(matches=2)  # a match has some hundred decisions


@pytest.mark.parametrize("check", checks_of(cribbage.GAME, EFFORT), ids=str)
def test_cribbage(check: Check) -> None:
    check()
