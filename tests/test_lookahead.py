"""A policy that looks ahead: by truths that fit what its seat sees, and by nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_policy import made_up

import battlebox as bb
from battlebox.arena import Plan
from battlebox.bots.policy import CriticLayers, Inputs, packed
from battlebox.bots.policy.lookahead import LookaheadBot

GAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]
pytestmark = pytest.mark.compiled


def looking(rules: bb.Ruleset, evaluations: int = 60, seed: int = 1, **how: Any) -> LookaheadBot:
    file = made_up(rules)
    assert file.critic is not None
    return LookaheadBot(Inputs(rules), file.layers, file.critic, evaluations, seed, **how)


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_game(name: str) -> None:
    rules = bb.load(name)
    bot, again, m = looking(rules), looking(rules), rules.match(2)
    again.warm()
    for _ in range(30):
        if m.to_act is None:
            break
        o = m.observation(m.to_act)
        action = bot.choose(o)
        assert action == again.choose(o), "the same seed, the same choices, warm or not"
        m.submit(m.to_act, action)


def test_what_a_seat_cannot_see_does_not_steer_it() -> None:
    """Of two truths that look alike to it, it makes the same."""
    rules = bb.load("iron_man", mode="beginner")
    m = rules.match(5)
    o = m.observation(m.to_act)
    found = looking(rules).probabilities(o)
    engine = rules.compiled()
    for seed in range(3):
        other = engine.determinize(np.atleast_1d(o), seed)
        assert looking(rules).probabilities(other.observe(m.to_act)) == found


def wins_at_hand(rules: bb.Ruleset) -> Iterator[tuple[bb.Match, set[int]]]:
    """Last decisions of random play where some actions win at once, and others do not."""

    def played(seed: int, actions: list[int]) -> bb.Match:
        m = rules.match(seed)
        for action in actions:
            m.submit(m.to_act, action)
        return m

    for seed in range(30):
        m, dice, taken = rules.match(seed), random.Random(seed), list[int]()
        while m.to_act is not None:
            taken.append(dice.choice(m.legal_actions))
            m.submit(m.to_act, taken[-1])
        m = played(seed, taken[:-1])
        me = m.to_act
        assert me is not None
        after = {a: played(seed, [*taken[:-1], a]) for a in m.legal_actions}
        wins = {a for a, x in after.items() if x.over and x.returns[me] == 1}
        if wins and wins != {*after}:
            yield m, wins


def test_a_win_at_hand_is_seen_whatever_policy_and_critic_say() -> None:
    rules = bb.load("medieval")
    file = made_up(rules)
    assert file.critic is not None
    blind = CriticLayers(*(np.zeros_like(x) for x in file.critic))
    bot, seen = LookaheadBot(Inputs(rules), file.layers, blind, 400, 1), 0
    for m, wins in wins_at_hand(rules):
        found = bot.probabilities(m.observation(m.to_act))
        assert sum(found.get(a, 0) for a in wins) > 0.99
        seen += 1
    assert seen


def test_evaluations_are_shared_out_and_the_better_half_goes_on() -> None:
    rules = bb.load("battleball")
    m, dice = rules.match(1), np.random.default_rng(1)
    while m.to_act is not None and len(m.legal_actions) < 20:
        m.submit(m.to_act, int(dice.choice(m.legal_actions)))
    looked_at = looking(rules, 1)._policy.logits(m.observation(m.to_act))
    assert 3 < len(looked_at) <= len(m.legal_actions)
    for n in (200, 1_000):
        bot = looking(rules, n)
        bot.probabilities(m.observation(m.to_act))
        spent = int(bot._visits.sum())
        assert 0.7 * n <= spent <= n
        assert (bot._visits > 0).sum() == min(len(looked_at), 32)
        assert np.count_nonzero(bot._visits == bot._visits.max()) == 2


def test_its_word(tmp_path: Path) -> None:
    rules = bb.load("war_zone")
    file, path = made_up(rules), tmp_path / "mine.npz"
    path.write_bytes(file.data)
    bot, m = bb.bot(f"policy+40:{path}", rules, seed=2), rules.match(1)
    assert isinstance(bot, LookaheadBot)
    assert bot.evaluations == 40
    assert bot.choose(m.observation(m.to_act)) in m.legal_actions
    plan = Plan(rules, ("random", f"policy+40:{path}"))
    assert plan.files == {f"policy+40:{path}": file.digest}
    for wrong in ("0", "", "many", "1000001", "٣"):
        with pytest.raises(bb.RulesetError, match=r"policy\+N:FILE judges N = 1 \.\. 1000000"):
            bb.bot(f"policy+{wrong}:{path}", rules)
    path.write_bytes(packed(file.about, file.layers))
    with pytest.raises(bb.BotError, match="no critic in it"):
        bb.bot(f"policy+40:{path}", rules)
    with pytest.raises(ValueError, match="at least one"):
        looking(rules, 0)
