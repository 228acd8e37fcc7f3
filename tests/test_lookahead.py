"""A policy that looks ahead: by truths that fit what its seat sees, and by nothing else."""

from __future__ import annotations

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


def test_a_win_at_hand_is_seen_whatever_policy_and_critic_say() -> None:
    rules = bb.load("war_zone")
    m = rules.match(
        position="wz1 n=2 ph=ATTACK turn=0 act=0 health=20.1 hand0=GM.AR.SN hand1=GM deck=SN.SN"
    )
    o, file = m.observation(0), made_up(rules)
    assert file.critic is not None
    blind = CriticLayers(*(np.zeros_like(x) for x in file.critic))
    bot = LookaheadBot(Inputs(rules), file.layers, blind, 400, 1)
    found = bot.probabilities(o)
    wins = set[int]()
    for action in m.legal_actions:
        other = rules.match(position=m.position)
        other.submit(0, action)
        while other.to_act is not None and other.to_act == 1 and len(other.legal_actions) == 1:
            other.submit(1, other.legal_actions[0])
        if other.over and other.returns[0] == 1:
            wins.add(action)
    assert wins
    assert sum(found.get(a, 0) for a in wins) > 0.99


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
