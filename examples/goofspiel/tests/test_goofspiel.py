"""Goofspiel: its scenarios hold, it obeys the laws of all games, each rule is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

import battlebox as bb
from battlebox.core import laws, scenario
from battlebox.core.game import game_of
from battlebox.core.packages import import_folder

FOLDER = Path(__file__).parent.parent / "src" / "goofspiel"
GAME = game_of(import_folder(FOLDER))
SCENARIOS = scenario.parse((FOLDER / "scenarios.scn").read_text(encoding="utf-8"))
RULESETS = {
    "usual": {},
    "four players": {"players": 4, "cards": 6},
    "carried": {"players": 3, "cards": 5, "ties": "carry", "order": "ascending"},
    "two cards": {"cards": 2},
}


@pytest.mark.parametrize("shown", SCENARIOS, ids=lambda x: x.id)
def test_scenario(shown: scenario.Scenario) -> None:
    scenario.run(GAME, shown)


def test_every_rule_is_shown() -> None:
    assert {id for shown in SCENARIOS for id in shown.rules} == set(GAME.rulebook)


@pytest.mark.parametrize("name", RULESETS)
def test_the_laws_hold(name: str) -> None:
    rules = GAME.ruleset(RULESETS[name])
    laws.audit(rules, 20, compiled=False)
    laws.check(rules, 3, compiled=False)


@pytest.mark.compiled
@pytest.mark.xdist_group("goofspiel")
@pytest.mark.parametrize("name", RULESETS)
def test_the_laws_hold_compiled(name: str) -> None:
    rules = GAME.ruleset(RULESETS[name])
    assert laws.audit(rules, 1_000) > 1_000
    laws.check(rules, 3, seed=5)


@pytest.mark.compiled
@pytest.mark.xdist_group("goofspiel")
def test_bots_play_it() -> None:
    rules = GAME.ruleset({"cards": 5})
    m, bots = rules.match(seed=1), [bb.bot("easy", rules, seed=p) for p in range(2)]
    while m.to_act is not None:
        m.submit(m.to_act, bots[m.to_act].choose(m.observation(m.to_act)))
    assert sum(m.state.points[p] for p in range(2)) <= 15


def test_a_bid_is_hidden_until_all_are_shown() -> None:
    seen = set()
    for card in range(13):
        m = GAME.ruleset({}).match(seed=1)
        m.submit(0, card)
        seen.add((m.observation(1).tobytes(), str(m.events(1)), m.scene(1).as_json))
    assert len(seen) == 1
