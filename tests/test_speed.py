"""What battlebox.speed measures is there, positive and finite; how fast it is, no test says."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

import numpy as np
import pytest
from rich.console import Console

import battlebox as bb
from battlebox import speed


@pytest.fixture(scope="module")
def rules() -> bb.Ruleset:
    return bb.load("war_zone", players=2)


def test_plain_play(rules: bb.Ruleset) -> None:
    """The plain build can be measured without compiling anything."""
    rate = speed.sampled("plain", "decisions/s", speed.play_sampler(rules.plain(), 2), 3)
    assert len(rate.samples) == 3
    assert 0 < min(rate.samples) <= rate.median <= max(rate.samples) < math.inf


def test_first_decision_offers_a_choice(rules: bb.Ruleset) -> None:
    for seed in range(5):
        o = speed.first_decision(rules, seed)
        assert int(o["viewer"]) == int(o["to_act"]) + 1


SAMPLERS: dict[str, Callable[[bb.Ruleset], speed.Sampler]] = {
    "play": lambda r: speed.play_sampler(r.compiled(), 10),
    "step, chosen in Python": lambda r: speed.step_sampler(r, 100, choosing=True),
    "step, chosen before": lambda r: speed.step_sampler(r, 100, choosing=False),
    "batch, step alone": lambda r: speed.batch_sampler(r, 3, 70, choosing=False),
    "batch, with a policy": lambda r: speed.batch_sampler(r, 3, 70, choosing=True),
    "search": lambda r: speed.search_sampler(r, 1, 20),
}


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
@pytest.mark.parametrize("name", SAMPLERS)
def test_samplers(rules: bb.Ruleset, name: str) -> None:
    """Each gives a rate, and can be asked again."""
    sampler = SAMPLERS[name](rules)
    for _ in range(2):
        assert 0 < sampler() < math.inf


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_the_chooser_takes_every_legal_action_and_no_other(rules: bb.Ruleset) -> None:
    env = rules.compiled().batch(2, seed=3)
    choose = speed.Chooser(env)
    seen = np.zeros_like(env.mask)
    for _ in range(2000):
        seen[range(2), choose()] = True
    assert (seen == env.mask).all()


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_measure_and_report(rules: bb.Ruleset) -> None:
    """All of it but the cold start, which would compile anew."""
    told: list[str] = []
    speeds = speed.measure(rules, games=10, repeats=2, start=False, say=told.append)
    once = speed.start_once(rules)
    assert all(0 < x < once.process for x in (once.importing, once.playing, once.choosing))
    for rate in speeds.rates:
        assert len(rate.samples) == 2
        assert all(0 < x < math.inf for x in rate.samples)
    names = [r.name for r in speeds.rates]
    assert len(set(names)) == len(names)
    assert speeds.rate("batch of 64, step alone").unit == "decisions/s"
    out = io.StringIO()
    both = speed.Speeds(speeds.ruleset, speeds.length, speeds.rates, once, once)
    speed.report(both, Console(file=out, width=100))
    for words in ("war_zone players=2", "search, the longest", "simulations/s", "whole process"):
        assert words in out.getvalue()
    assert told


@pytest.mark.parametrize("wrong", [{"games": 0}, {"repeats": 0}])
def test_nothing_to_measure_is_refused(rules: bb.Ruleset, wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        speed.measure(rules, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rate", "words"),
    [(17_654_321.0, "17.7 M"), (1_234_567.0, "1.23 M"), (384_200.0, "384 k"), (36.6, "36.6")],
)
def test_rates_in_short(rate: float, words: str) -> None:
    assert speed.short(rate) == words
