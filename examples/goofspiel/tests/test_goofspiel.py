"""Goofspiel: what every game must keep, and its exact values beside OpenSpiel's."""

from __future__ import annotations

import pytest

import goofspiel
from battlebox.arena import exact
from battlebox.testing import Check, checks_of

GAME = goofspiel.GAME


@pytest.mark.parametrize("check", checks_of(GAME), ids=str)
def test_goofspiel(check: Check) -> None:
    check()


@pytest.mark.parametrize(("cards", "order", "theirs"), [
    (3, "random", "random"), (4, "down", "descending"), (4, "up", "ascending"),
])  # fmt: skip
def test_values_and_best_responses_are_those_of_openspiel(
    cards: int, order: str, theirs: str
) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra: make extras")
    from open_spiel.python.algorithms import best_response, expected_game_score
    from open_spiel.python.policy import UniformRandomPolicy

    how = {"num_cards": cards, "points_order": theirs, "returns_type": "win_loss", "players": 2}
    game = pyspiel.convert_to_turn_based(pyspiel.load_game("goofspiel", how))
    start, usual = game.new_initial_state(), UniformRandomPolicy(game)
    root = exact.tree(GAME.ruleset({"cards": cards, "order": order}))
    value = expected_game_score.policy_value(start, [usual, usual])
    assert exact.values(root) == pytest.approx(list(value), abs=1e-9)
    for seat in (0, 1):
        most = best_response.BestResponsePolicy(game, seat, usual).value(start)
        assert exact.best_response(root, seat) == pytest.approx(most)
