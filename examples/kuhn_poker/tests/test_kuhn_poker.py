"""Kuhn poker: what every game must keep, its exact values, and the same in OpenSpiel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import kuhn_poker
from battlebox.arena import exact
from battlebox.testing import Check, checks_of
from kuhn_poker.rules import Card

RULES = kuhn_poker.GAME.ruleset({})
FOLDER = kuhn_poker.GAME.folder
BET, PASS = 0, 1
J, Q, K = Card


@pytest.fixture(scope="module")
def root() -> exact.Root:
    return exact.tree(RULES)


def test_its_rules_fit_a_screen() -> None:
    lines = (FOLDER / "rules.py").read_text(encoding="utf-8").splitlines()
    assert len([x for x in lines if x.strip()]) <= 60
    assert {p.name for p in Path(FOLDER).glob("*.py")} == {"__init__.py", "rules.py"}


@pytest.mark.parametrize("check", checks_of(kuhn_poker.GAME), ids=str)
def test_kuhn_poker(check: Check) -> None:
    check()


def test_the_game_is_worth_an_eighteenth_of_a_coin_to_the_second(root: exact.Root) -> None:
    """Kuhn's solution: against it nobody gains by another policy."""
    first = {J: 0.0, Q: 1 / 3, K: 1.0}  # how often seat 0 calls; it never bets first
    after_bet = {J: 0.0, Q: 1 / 3, K: 1.0}
    after_pass = {J: 1 / 3, Q: 0.0, K: 1.0}

    def bets(p: float) -> Sequence[float]:
        return [p, 1 - p]

    def policy(node: exact.Node) -> Sequence[float]:
        o = np.frombuffer(node.observation, RULES.plain().build.state.layout)[0]
        card, paid = Card(o["hand"][node.seat] - 1), o["paid"].tolist()
        if node.seat == 0:
            return bets(first[card] if paid[1] > 1 else 0.0)
        return bets(after_bet[card] if paid[0] > 1 else after_pass[card])

    value = -1 / 18 / 2  # a return is half a coin
    assert exact.values(root, policy) == pytest.approx((value, -value))
    assert exact.best_response(root, 0, policy) == pytest.approx(value)
    assert exact.best_response(root, 1, policy) == pytest.approx(-value)


def test_values_and_best_responses_are_those_of_openspiel(root: exact.Root) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra: make extras")
    from open_spiel.python.algorithms import best_response, expected_game_score
    from open_spiel.python.policy import UniformRandomPolicy

    game = pyspiel.load_game("kuhn_poker")
    start, usual = game.new_initial_state(), UniformRandomPolicy(game)
    theirs = expected_game_score.policy_value(start, [usual, usual])
    assert exact.values(root) == pytest.approx([x / 2 for x in theirs])
    for seat in (0, 1):
        most = best_response.BestResponsePolicy(game, seat, usual).value(start)
        assert exact.best_response(root, seat) == pytest.approx(most / 2)
