"""`battlebox train`: what a rollout shows, that a run goes on after a kill, its files."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from typer.testing import CliRunner

import battlebox as bb
from battlebox.bots.policy import Network, PolicyFile, packed, read_policy
from battlebox.bots.policy.bot import LEAST, PolicyBot
from battlebox.bots.policy.file import About
from battlebox.bots.policy.inputs import Inputs
from battlebox.games import find

torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
pytest.importorskip("onnx", reason="onnx is not installed: pip install onnx")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install matplotlib")

from battlebox.cli.app import app  # noqa: E402
from battlebox.training import Settings, rulesets  # noqa: E402
from battlebox.training.judging import Judge  # noqa: E402
from battlebox.training.learning import normal  # noqa: E402
from battlebox.training.networks import Critic, LogProbabilities, Policy  # noqa: E402
from battlebox.training.onnx import exported  # noqa: E402
from battlebox.training.progress import rate  # noqa: E402
from battlebox.training.run import Run  # noqa: E402
from battlebox.training.self_play import SelfPlay  # noqa: E402
from battlebox.training.sparse import Dense, SparseRows  # noqa: E402

GAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]
WAR_ZONE = bb.load("war_zone").game
SMALL: dict[str, Any] = {
    "matches": 24,
    "rollout_steps": 16,
    "width": 32,
    "deeper": 16,
    "critic_width": 32,
    "critic_deeper": 16,
    "minibatch_size": 128,
    "decisions": 24 * 16 * 6,
}
SHIPPED = WAR_ZONE.policy
CPU = torch.device("cpu")
pytestmark = pytest.mark.compiled


@pytest.fixture(autouse=True)
def _one_core() -> Iterator[None]:
    """So small networks are slower on several, the more so beside other work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# ---- settings ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_all_modes_and_numbers_of_players_are_played_and_a_policy_is_small(name: str) -> None:
    game = bb.load(name).game
    each = [game.ruleset(x) for x in rulesets(game)]
    assert each[0].options_text == bb.load(name).options_text, "the usual one first"
    assert {x.players for x in each} >= set(range(each[0].players, game.most_players + 1))
    assert len({x.options_text for x in each}) == len(each)
    for mode in game.modes:
        assert any(x.items() >= mode.options.items() for x in rulesets(game))
    settings, inputs = Settings.of(game), Inputs(each[0])
    shape, dice = inputs.shape, np.random.default_rng(1)
    n, room = shape.seen, shape.room
    policy = Policy(inputs, settings.width, settings.deeper, settings.candidate_width)
    critic = Critic(n, settings.critic_width, settings.critic_deeper, room)

    def drawn(layers: Any) -> Any:
        return type(layers)(*(dice.normal(size=x.shape).astype(np.float32) for x in layers))

    about = About(game=name, version=game.version, shape=shape)
    data = packed(about, drawn(policy.layers()), drawn(critic.layers()))
    assert len(data) <= 1_000_000


# ---- what a rollout shows ------------------------------------------------------------------------
def a_rollout(settings: Settings) -> tuple[SelfPlay, Policy, Critic]:
    torch.manual_seed(1)
    found = SelfPlay(WAR_ZONE, settings, CPU)
    shape, widths = found.shape, (settings.width, settings.deeper)
    policy = Policy(found.inputs, *widths, settings.candidate_width)
    critic = Critic(shape.seen, *widths, shape.room)
    with torch.no_grad():
        critic.value.weight *= 100
    found.play(policy, critic, torch.Generator().manual_seed(2))
    return found, policy, critic


def test_first_decisions_of_seats_may_be_by_lot() -> None:
    settings = Settings.of(WAR_ZONE, **SMALL | {"openings": 1})
    _, policy, critic = a_rollout(settings)
    with torch.no_grad():
        policy.choice.bias[:] = -100 * torch.arange(len(policy.choice.bias))
    play = SelfPlay(WAR_ZONE, settings, CPU)
    play.play(policy, critic, torch.Generator().manual_seed(3))
    policys = play.legal.dense().argmax(dim=1).reshape(play.actor.shape) == play.actions
    passed, opened = np.zeros(settings.matches, int), 0
    for t, over in enumerate(play.ended):
        opening = passed < play.seats
        assert policys[t][~torch.from_numpy(opening)].all()
        opened += opening.sum()
        passed = np.where(over, 0, passed + 1)
    assert 0 < (~policys).sum() < opened


def test_the_usual_ruleset_may_have_more_of_the_matches() -> None:
    game = find("medieval")
    sizes = [
        [b - a for a, b in pairwise(Settings.of(game, matches=100, usual_share=x).bounds)]
        for x in (0.0, 0.3, 0.8)
    ]
    assert len(sizes[0]) == len(rulesets(game)) == 2
    assert sizes == [[50, 50], [50, 50], [80, 20]]
    many = Settings.of(find("battle"), matches=512, usual_share=0.25)
    usual, *others = (b - a for a, b in pairwise(many.bounds))
    assert usual == 128
    assert usual + sum(others) == 512
    assert max(others) - min(others) <= 1
    alone = Settings.of(game, [{}], matches=7, usual_share=0.5)
    assert alone.bounds == [0, 7]


def test_what_followed_is_what_the_match_returned_or_what_was_hoped_for_next() -> None:
    several = ({"players": 2}, {"players": 3}, {"players": 4, "teams": 2})
    for decay in (0.0, 0.9, 1.0):
        settings = Settings.of(
            WAR_ZONE, several, **SMALL | {"rollout_steps": 60, "gae_lambda": decay}
        )
        play, _, critic = a_rollout(settings)
        seen = play.seen(critic)
        assert play.ended.any(), "matches end within a rollout"
        targets = seen.targets.numpy().reshape(*play.actor.shape, -1)
        advantages = seen.advantages.numpy().reshape(play.actor.shape)
        for m in range(0, settings.matches, 5):
            seats, actor = int(play.seats[m]), play.actor[:, m]
            for t in range(settings.rollout_steps):
                me = actor[t]
                ends = np.flatnonzero(play.ended[t:, m])
                if not ends.size:
                    continue  # it goes on after the rollout
                end = t + ends[0]
                for q in range(seats):
                    p = (me + q) % seats
                    own = [k for k in range(t + 1, end + 1) if actor[k] == p]
                    hopes = [play.values[k, m, p] for k in own]
                    wanted = _mixed([*hopes, play.returns[end, m, p]], decay)
                    assert targets[t, m, q] == pytest.approx(wanted, abs=1e-5)
                hoped = play.values[t, m, me]
                assert advantages[t, m] == pytest.approx(targets[t, m, 0] - hoped, abs=1e-5)
        there = seen.there.numpy().reshape(*play.actor.shape, -1)
        assert (there.sum(axis=2) == play.seats).all()


def _mixed(each: list[float], decay: float) -> float:
    """The lambda-return of what a seat hoped for at each of its next decisions, and got at last."""
    first, *rest = each
    return (1 - decay) * first + decay * _mixed(rest, decay) if rest else first


def test_the_critic_sees_the_truth_and_the_policy_what_its_seat_may() -> None:
    play, _, _ = a_rollout(Settings.of(WAR_ZONE, ({"players": 2},), **SMALL))
    rows, truth = (
        x.dense().numpy().reshape(*play.actor.shape, -1) for x in (play.rows, play.truth)
    )
    hands = play.groups[0].inputs.encode.features["hands"]
    kinds = hands.shape[1]
    own, other = (slice(hands.column(q, 0), hands.column(q, 0) + kinds) for q in range(2))
    assert np.array_equal(rows[:, :, own], truth[:, :, own])
    assert rows[:, :, own].any()
    assert truth[:, :, other].any()
    assert not rows[:, :, other].any()


def test_actions_are_legal_and_drawn_with_the_probabilities_that_are_noted() -> None:
    play, policy, _ = a_rollout(Settings.of(WAR_ZONE, ({"players": 3},), **SMALL))
    with torch.no_grad():
        logits, _ = policy(play.rows)
    mask = play.legal.dense()
    log_probs = logits.masked_fill(mask == 0, -1e9).log_softmax(1)
    actions = play.actions.flatten()
    assert mask.gather(1, actions[:, None]).all()
    assert torch.allclose(
        log_probs.gather(1, actions[:, None])[:, 0], play.log_probs.flatten(), atol=1e-5
    )


def test_a_first_layer_on_rows_that_are_mostly_blank_is_one_on_all_their_numbers() -> None:
    play, policy, _ = a_rollout(Settings.of(WAR_ZONE, ({"players": 2}, {"players": 3}), **SMALL))
    some = play.rows[torch.tensor([5, 300, 5, 0])]
    dense = play.rows.dense()[[5, 300, 5, 0]]
    assert (dense == 0).float().mean() > 0.8
    first, sums = policy.first, torch.rand((4, policy.first.weight.shape[1]))
    (first(some) * sums).sum().backward()
    found, first.weight.grad = first.weight.grad, None
    wanted = dense @ first.weight + first.bias
    assert torch.allclose(first(some), wanted, atol=1e-5)
    (wanted * sums).sum().backward()
    assert first.weight.grad.abs().sum() > 0
    assert torch.allclose(found, first.weight.grad, atol=1e-5)


def test_of_candidates_each_is_told_by_the_same_weights() -> None:
    inputs = Inputs(bb.load("battleball"))
    torch.manual_seed(1)
    batch, shape = bb.load("battleball").compiled().batch(6, 3), inputs.shape
    rows, dice = SparseRows(inputs.engine, 6, inputs.width), np.random.default_rng(1)
    for _ in range(30):
        batch.step((batch.mask * dice.random(batch.mask.shape)).argmax(axis=1))
    rows.put(0, inputs.rows(batch.observation))
    some, layer = rows[torch.tensor([5, 0, 5])], Dense(shape.told, 8)
    told = some.dense()[:, shape.inputs - shape.places * shape.told :].reshape(-1, shape.told)
    sums = torch.rand((len(told), 8))
    (layer(some, shape.places).flatten(0, 1) * sums).sum().backward()
    found, layer.weight.grad = layer.weight.grad, None
    wanted = layer(told)
    assert torch.allclose(layer(some, shape.places).flatten(0, 1), wanted, atol=1e-5)
    (wanted * sums).sum().backward()
    assert layer.weight.grad.abs().sum() > 0
    assert torch.allclose(found, layer.weight.grad, atol=1e-5)


def test_rows_may_be_put_anew() -> None:
    rows = SparseRows(bb.load("war_zone").compiled(), 4, 3)
    each = np.arange(12, dtype=np.float32).reshape(4, 3) % 5
    for _ in range(2):
        rows.put(0, each[:1])
        rows.put(1, each[1:])
        assert np.array_equal(rows.dense().numpy(), each)
    assert np.array_equal(rows[1:3][torch.tensor([1])].dense().numpy(), each[[2]])


def test_actions_are_drawn_as_often_as_they_are_likely() -> None:
    rules = bb.load("war_zone")
    n, weights = 20_000, torch.tensor([0.7, 5.0, -1.0, 0.2, 3.0])
    legal = SparseRows(rules.compiled(), 2 * n, 5)
    legal.put(0, np.tile(np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0]], np.int8), (n, 1)))
    found = LogProbabilities(weights.repeat(2 * n, 1), legal, torch.arange(5))
    drawn = found.draw(torch.Generator().manual_seed(1))
    assert (drawn[1::2] == 1).all()
    assert (found.of(drawn)[1::2] == 0).all()
    wanted = weights[[0, 2, 3]].softmax(0)
    assert found.entropy().item() == pytest.approx(-(wanted * wanted.log()).sum().item(), 1e-4)
    often = torch.bincount(drawn[0::2], minlength=5)[[0, 2, 3]] / n
    assert torch.allclose(often, wanted, atol=0.02)
    assert torch.allclose(
        found.of(drawn)[0::2].exp(),
        weights.softmax(0)[drawn[0::2]] / weights.softmax(0)[[0, 2, 3]].sum(),
    )


def test_opponents_have_all_seats_but_one_which_is_drawn_for_each_match() -> None:
    options = {"rollout_steps": 100, "opponents": "random"}
    play, *_ = a_rollout(Settings.of(WAR_ZONE, ({"players": 3},), **SMALL | options))
    assert play.ended.any()
    seats = set()
    for m in range(play.actor.shape[1]):
        begins = np.concatenate([[0], 1 + np.flatnonzero(play.ended[:, m]), [len(play.actor)]])
        each = [play.actor[a:b, m] for a, b in pairwise(begins) if a < b]
        assert all((x == x[0]).all() for x in each), "one seat decides until the match ends"
        seats |= {int(x[0]) for x in each}
    assert seats == {0, 1, 2}


def test_hopes_begin_as_what_the_game_says_where_it_says_something() -> None:
    play, policy, critic = a_rollout(
        Settings.of(WAR_ZONE, ({"players": 2}, {"players": 3}), **SMALL)
    )
    for group in play.groups:
        truth = group.batch.truth
        before = truth.tobytes()
        said, judged = Judge(group.inputs.rules.plain(), len(truth))(truth)
        assert said.any() or group.seats > 2
        assert not said.all()
        for trust in (0.0, 0.5, 1.0):
            hopes = np.full((len(truth), play.shape.room), 0.5, np.float32)
            group.mix(hopes, trust)
            wanted = (1 - trust) * 0.5 + trust * judged
            assert np.allclose(hopes[said, : group.seats], wanted[said], atol=1e-6)
            assert (hopes[~said] == 0.5).all()
            assert (hopes[:, group.seats :] == 0.5).all()
        assert truth.tobytes() == before
    dice = torch.Generator().manual_seed(2)
    values = list[Any]()
    for trust in (0.0, 1.0):
        play.play(policy, critic, dice, trust)
        values.append(play.values.copy())
    two = values[1][:, : play.groups[0].batch.n, :2]
    assert np.isclose(two.sum(axis=2), 0, atol=1e-6).any(), "what one hopes for the other fears"
    assert not np.isclose(values[0][..., :2].sum(axis=2), 0, atol=1e-6).any()


# ---- a run ---------------------------------------------------------------------------------------
def settings(**more: Any) -> Settings:
    return Settings.of(WAR_ZONE, ({"players": 2}, {"players": 3}), **SMALL | more)


@pytest.mark.parametrize("changed", [lambda x: x[:-1], None])
def test_matches_that_another_version_has_saved_are_refused(tmp_path: Path, changed: Any) -> None:
    folder = tmp_path / "before"
    Run(WAR_ZONE, settings(), folder).go(lambda note: None)
    path = folder / "checkpoint.pt"
    then = torch.load(path, weights_only=True)
    first = then["matches"][0]
    if changed:
        first["kept.legal"] = changed(first["kept.legal"])
    else:
        del first["kept.legal"]
    torch.save(then, path)
    with pytest.raises(bb.BattleboxError, match=r"before: its matches were saved by another vers"):
        Run(WAR_ZONE, settings(), folder)


def test_a_run_that_was_killed_comes_to_the_same_end(tmp_path: Path) -> None:
    whole = Run(WAR_ZONE, settings(), tmp_path / "whole").go(lambda note: None)

    class Killed(Exception):
        pass

    folder = tmp_path / "killed"
    for at in (2, 5):
        run = Run(WAR_ZONE, settings(), folder)

        def stop(note: Any, run: Run = run, at: int = at) -> None:
            if note.update == at - 1:
                run.save()
            if note.update == at:
                raise Killed

        with pytest.raises(Killed):
            run.go(stop)
    run = Run(WAR_ZONE, settings(), folder)
    assert run.update == 4, "it goes on where it was saved"
    found = run.go(lambda note: None)
    assert found.data == whole.data
    assert [x.lesson for x in run.notes] == [x.lesson for x in Run(
        WAR_ZONE, settings(), tmp_path / "whole").notes]  # fmt: skip


def test_it_learns(tmp_path: Path) -> None:
    more = {
        "matches": 64,
        "rollout_steps": 32,
        "minibatch_size": 512,
        "decisions": 64 * 32 * 24,
        "learning_rate": 3e-3,
    }
    run = Run(WAR_ZONE, settings(**more), tmp_path / "a", against=["random"], rated=100, ratings=2)
    run.go(lambda note: None)
    first, last = (x.ratings[0] for x in run.notes if x.ratings)
    assert last.low > 0.6, f"{first}, {last}"
    assert last.equal == 0.5
    assert last.matches == 100
    assert str(last).endswith("against random")


def test_of_more_players_a_rating_says_what_an_equal_has(tmp_path: Path) -> None:
    run = Run(WAR_ZONE, Settings.of(WAR_ZONE, ({"players": 4},), **SMALL), tmp_path / "a")
    rating = rate(run.made(), WAR_ZONE.ruleset({"players": 4}), "random", 400, 1)
    assert rating.equal == 0.25
    assert rating.low < 0.25 < rating.high
    assert str(rating).endswith("against random (an equal: 25%)")
    short = rate(run.made(), WAR_ZONE.ruleset({"players": 4}), "random", 400, 1, seconds=0)
    assert short.matches == 20


def test_it_begins_with_what_was_learned_before(tmp_path: Path) -> None:
    known = read_policy(str(SHIPPED))
    made = Settings.of(WAR_ZONE, ({"players": 2},), known, matches=8, rollout_steps=8, decisions=1)
    assert made.begins_with == known.digest
    assert made.width == known.layers.first.shape[1]
    assert made.evaluate_part == 0
    run = Run(WAR_ZONE, made, tmp_path / "run", begin=known)
    assert run.made().layers.first.shape == known.layers.first.shape
    for ours, theirs in zip(
        (*run.policy.layers(), *run.critic.layers()), (*known.layers, *known.critic), strict=True
    ):
        assert np.array_equal(ours, theirs)
    run.go(lambda _: None)
    assert not np.array_equal(run.policy.layers().choice, known.layers.choice)
    again = Run(WAR_ZONE, made, tmp_path / "run", begin=known)
    assert np.array_equal(again.policy.layers().choice, run.policy.layers().choice), "it goes on"
    with pytest.raises(ValueError, match="not the policy that the settings begin with"):
        Run(WAR_ZONE, made, tmp_path / "other")
    other = Settings.of(WAR_ZONE, ({"players": 2},), matches=8, rollout_steps=8, decisions=1)
    with pytest.raises(bb.BattleboxError, match="a run with begins_with = "):
        Run(WAR_ZONE, other, tmp_path / "run")


def test_a_folder_holds_one_run(tmp_path: Path) -> None:
    Run(WAR_ZONE, settings(), tmp_path / "a")
    with pytest.raises(
        bb.BattleboxError, match=r"a run with entropy_coef = 0\.02 is there, not 0\.5"
    ):
        Run(WAR_ZONE, settings(entropy_coef=0.5), tmp_path / "a")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "letter.txt").write_text("dear")
    with pytest.raises(bb.BattleboxError, match="a folder of something else"):
        Run(WAR_ZONE, settings(), tmp_path / "b")
    with pytest.raises(bb.BattleboxError, match="there is no folder"):
        Run(WAR_ZONE, settings(), tmp_path / "none" / "c")
    assert sorted(x.name for x in (tmp_path / "b").iterdir()) == ["letter.txt"]
    run = Run(WAR_ZONE, settings(), tmp_path / "a")
    with FileLock(tmp_path / "a" / ".lock"), pytest.raises(bb.BattleboxError, match="another proc"):
        run.go(lambda note: None)
    assert run.update == 0


def test_what_is_forced_is_nobodys_merit() -> None:
    play, policy, critic = a_rollout(Settings.of(WAR_ZONE, ({"players": 2},), **SMALL))
    seen = play.seen(critic)
    choice = seen.legal.dense().sum(dim=1) > 1
    assert choice.any()
    assert not choice.all()
    found = normal(seen)
    assert found[choice].mean().item() == pytest.approx(0, abs=1e-4)
    assert found[choice].std().item() == pytest.approx(1, abs=1e-2)
    with torch.no_grad():
        log_probs = LogProbabilities(policy(seen.rows)[0], seen.legal, policy.classes)
    assert log_probs.mean(found).item() == pytest.approx(0, abs=1e-4)
    each = policy(seen.rows)[0].masked_fill(seen.legal.dense() == 0, -1e9).softmax(1)
    wanted = -(each * each.clamp(min=1e-30).log()).sum(dim=1)[choice].mean()
    assert log_probs.entropy().item() == pytest.approx(wanted.item(), 1e-4)


def test_a_policy_learns_the_logits_that_it_plays_by() -> None:
    """Of classes of actions, places of candidates, and what is said of each: the same in learning
    and in play, of one and of many.
    """
    rules = bb.load("battleball")
    inputs = Inputs(rules)
    torch.manual_seed(1)
    policy = Policy(inputs, 24, 16, 8)
    with torch.no_grad():
        policy.choice.weight *= 100
        policy.weighing[2].weight *= 100
    bot = PolicyBot(inputs, policy.layers(), 1)
    batch, dice = rules.compiled().batch(6, 3), np.random.default_rng(1)
    rows, legal = (
        SparseRows(inputs.engine, 6, n) for n in (inputs.width, inputs.engine.num_actions)
    )
    for _ in range(40):
        weighed = batch.mask.copy()
        rows.put(0, inputs.rows(batch.observation, weighed=weighed))
        legal.put(0, weighed)
        with torch.no_grad():
            found = LogProbabilities(policy(rows)[0], legal, policy.classes, policy.places)
        each = torch.full((6, inputs.engine.num_actions), -torch.inf)
        each[found.rows, found.actions] = found.values
        taken = bot(batch.observation, batch.mask)
        for i in range(batch.n):
            logits = bot.logits(batch.observation[i])
            played = torch.tensor([*logits.values()]).log_softmax(0)
            learned = each[i, [*logits]]
            assert torch.allclose(played, learned, atol=1e-4)
            assert each[i].isfinite().sum() == len(logits)
            assert each[i, taken[i]] >= each[i].max() + math.log(LEAST) - 1e-4
        batch.step((batch.mask * dice.random(batch.mask.shape)).argmax(axis=1))


def test_a_run_does_not_go_on_under_other_rules(tmp_path: Path) -> None:
    run = Run(WAR_ZONE, settings(decisions=1), tmp_path)
    made = run.go(lambda note: None)
    about = made.about.model_copy(update={"version": 99})
    (tmp_path / "policy.npz").write_bytes(packed(about, made.layers, made.critic))
    with pytest.raises(
        bb.BattleboxError, match=r"version 99 of the rules of war_zone; .* folder \(--out\)$"
    ):
        Run(WAR_ZONE, settings(decisions=1), tmp_path)


# ---- the command ---------------------------------------------------------------------------------
def train(*words: str) -> Any:
    return CliRunner().invoke(app, ["train", *words])


def test_the_command_makes_a_policy_that_plays(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    words = ["war_zone", "players=2", "--out", str(folder), "--against", "random", "--rated", "10"]
    sizes = [x for k, v in SMALL.items() if k != "decisions" for x in ("--set", f"{k}={v}")]
    found = train(*words, *sizes, "--decisions", "1536", "--ratings", "2", "--threads", "1")
    assert found.exit_code == 0, found.output
    assert f"policy:{folder}/policy.npz" in found.output.replace("\n", "")
    assert sorted(x.name for x in folder.iterdir() if x.name[0] != ".") == [
        *("checkpoint.pt", "curves.html", "policy.npz", "policy.onnx", "progress.jsonl"),
        "settings.json",
    ]
    assert len(json.loads((folder / "settings.json").read_text())["rulesets"]) == 1
    rules = bb.load("war_zone")
    bot, m = bb.bot(f"policy:{folder}/policy.npz", rules, seed=1), rules.match(3)
    assert bot.choose(m.observation(m.to_act)) in m.legal_actions
    page = (folder / "curves.html").read_text()
    assert "How strong" in page
    assert "against random" in page
    policy = read_policy(str(folder / "policy.npz"))
    check_onnx(policy, (folder / "policy.onnx").read_bytes())


def check_onnx(policy: PolicyFile, model: bytes) -> None:
    """Another program finds the same in it."""
    runtime = pytest.importorskip("onnxruntime", reason="pip install onnxruntime")
    rows = np.random.default_rng(1).random((9, policy.about.shape.inputs), np.float32)
    ours = Network(policy.layers)(rows)
    theirs = runtime.InferenceSession(model).run(None, {"rows": rows})
    for found, wanted in zip(theirs, ours, strict=True):
        assert np.abs(found - wanted).max() < 1e-5


def test_what_weighs_candidates_is_exported_too() -> None:
    rules = bb.load("battleball")
    inputs = Inputs(rules)
    torch.manual_seed(1)
    policy = Policy(inputs, 24, 16, 8)
    about = About(game=rules.name, version=rules.game.version, shape=inputs.shape)
    made = PolicyFile("made", packed(about, policy.layers()))
    check_onnx(made, exported(made))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_game"], "no_game"),
        (["war_zone", "players=9"], "players = '9'"),
        (["war_zone", "--against", "hrad"], "no bot 'hrad'"),
        (["war_zone", "--opponents", "hrad"], "no bot 'hrad'"),
        (["war_zone", "--set", "opponents=hrad"], "no bot 'hrad'"),
        (["war_zone", "--set", "game=battle"], "--set game: say it as in: battlebox train war_z"),
        (
            ["war_zone", "--set", "matches=3"],
            "matches = 3, usual_share = 0: at least one match of",
        ),
        (["war_zone", "--set", "usual_share=0.99"], "at least one match of each of 11 rulesets"),
        (["war_zone", "--set", "entropy"], "--set: 'entropy' is not a setting; write name=value"),
        (["war_zone", "--set", "entropie_coef=1"], "entropy_coef"),
        (["war_zone", "--set", "clip_range=-1"], "clip_range"),
        (["war_zone", "--begin-with", "no.npz"], "no.npz: No such file"),
        (["medieval", "--begin-with", str(SHIPPED)], "a policy for war_zone, not for medieval"),
        (
            ["war_zone", "--begin-with", "quick", "--set", "width=16"],
            "with which it begins, has 128",
        ),
        (
            ["war_zone", "--set", "begins_with=quick"],
            "--set begins_with: say it as in: battlebox train war_zone --begin-with FILE",
        ),
        (["war_zone", "--device", "abacus"], "--device abacus"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_made(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = train(*words)
    assert found.exit_code != 0
    assert said in f"{found.output} {found.exception}"
    assert not list(tmp_path.iterdir())


def test_what_is_not_installed_is_said_before_hours_of_learning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("battlebox.cli.training.LIBRARIES", ("torch", "no_such_library"))
    found = train("war_zone")
    assert "learning needs no_such_library: pip install 'battlebox[train]'" in str(found.exception)
    assert not list(tmp_path.iterdir())


def test_playing_needs_no_torch() -> None:
    code = (
        "import sys, battlebox as bb; from battlebox.bots.policy import read_policy; "
        "import battlebox.bots, battlebox.cli.app; "
        "sys.exit(any(x in sys.modules for x in ('torch', 'onnx', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
