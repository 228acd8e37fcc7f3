"""Learned policies: a file is read or refused, both builds play it alike, rows tell all."""

from __future__ import annotations

import io
import re
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import battlebox as bb
from battlebox.arena import Plan, tournament
from battlebox.bots.policy import (
    About,
    CriticLayers,
    Inputs,
    Layers,
    Network,
    PolicyFile,
    packed,
    read_policy,
)
from battlebox.bots.policy import network as text
from battlebox.bots.policy.bot import LEAST, PolicyBot
from battlebox.bots.policy.network import WEIGHING, work_of
from battlebox.bots.seat import SeatView

GAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]
pytestmark = pytest.mark.compiled


def made_up(rules: bb.Ruleset, width: int = 24, deeper: int = 16, seed: int = 1) -> PolicyFile:
    """A policy that has learned nothing."""
    shape, dice = Inputs(rules).shape, np.random.default_rng(seed)

    def layers(*sizes: int) -> Any:
        for rows, columns in pairwise(sizes):
            yield (dice.normal(size=(rows, columns)) / rows**0.5).astype(np.float32)
            yield dice.normal(size=columns).astype(np.float32)

    first, weighing = (shape.seen, width, deeper), list[Any]()
    if shape.told:
        weighing = [*layers(shape.told, 8), *layers(deeper, 8), *layers(8, 1)]
    policy = Layers(*layers(*first, shape.logits), *layers(deeper, shape.room), *weighing)
    critic = CriticLayers(*layers(*first, shape.room))
    about = About(game=rules.name, version=rules.game.version, shape=shape)
    return PolicyFile("made_up.npz", packed(about, policy, critic))


WAR_ZONE = bb.load("war_zone")


@pytest.fixture(scope="module")
def war_zone() -> PolicyFile:
    return made_up(WAR_ZONE)


# ---- what it plays -------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_both_builds_and_numpy_say_the_same(name: str) -> None:
    rules = bb.load(name)
    bot = made_up(rules).make(rules, 1)
    layers = made_up(rules).layers
    batch = rules.compiled().batch(8, 3)
    for _ in range(12):
        batch.step(bot(batch.observation, batch.mask))
    rows = bot.inputs.rows(batch.observation)
    logits, values = Network(layers)(rows)
    for f in (engine.bind(text).forward for engine in (rules.compiled(), rules.plain())):
        work = work_of(layers, np.zeros_like(rows[0]))
        for k in range(2):
            work.row[:] = rows[k]
            f(layers, work)
            assert np.allclose(work.logits, logits[k], atol=1e-5)
            assert np.allclose(work.values, values[k], atol=1e-5)


@pytest.mark.parametrize("name", GAMES)
def test_whole_matches_of_every_mode_are_played(name: str) -> None:
    game = bb.load(name).game
    file = made_up(bb.load(name))
    for mode in game.modes:
        rules = game.ruleset(mode.options)
        bot, m = file.make(rules, 1), rules.match(2)
        for _ in range(40):
            if m.to_act is None:
                break
            m.submit(m.to_act, bot.choose(m.observation(m.to_act)))
            assert all(-1 <= x <= 1 for x in bot.values(m.observation(0)))


def test_it_draws_lots_as_its_network_weighs_them(war_zone: PolicyFile) -> None:
    bot, m = war_zone.make(WAR_ZONE, 1), WAR_ZONE.match(4)
    while len(m.legal_actions) < 4:
        m.submit(m.to_act, m.legal_actions[0])
    o = m.observation(m.to_act)
    probabilities = bot.probabilities(o)
    assert sum(probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert all(x == 0 or x >= LEAST * max(probabilities.values()) for x in probabilities.values())
    n = 4_000
    drawn = [bot.choose(o) for _ in range(n)]
    many = bot(np.repeat(np.atleast_1d(o), n), np.repeat(_mask(m)[None], n, axis=0))
    for a, chance in probabilities.items():
        for counted in (drawn.count(a), int((many == a).sum())):
            assert abs(counted / n - chance) < 5 * (0.25 / n) ** 0.5
    again = war_zone.make(WAR_ZONE, 1)
    assert [again.choose(o) for _ in range(50)] == drawn[:50], "the same seed, the same choices"


def _mask(m: bb.Match) -> Any:
    mask = np.zeros(WAR_ZONE.plain().num_actions, np.int8)
    mask[list(m.legal_actions)] = 1
    return mask


def test_it_has_a_word_wherever_bots_have_one(tmp_path: Path, war_zone: PolicyFile) -> None:
    path = tmp_path / "mine.npz"
    path.write_bytes(war_zone.data)
    word = f"policy:{path}"
    plan = Plan(WAR_ZONE, ("random", word), 3)
    found = tournament(plan, 8, workers=1)
    assert plan.files == {word: war_zone.digest}
    assert tournament(plan, 8, workers=1).matches == found.matches
    bot = bb.bot(word, WAR_ZONE, seed=2)
    bot.warm()
    m = WAR_ZONE.match(1)
    assert bot.choose(m.observation(m.to_act)) in m.legal_actions
    with pytest.raises(ValueError, match="seat that is to act"):
        bot.choose(m.observation(1 - m.to_act))


# ---- what it weighs ------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_it_weighs_the_games_candidates_or_all_legal_actions(name: str) -> None:
    rules = bb.load(name)
    inputs = Inputs(rules)
    engine, found, places = rules.compiled(), inputs.candidates, inputs.shape.places
    assert (places > 0) is (name in ("battleball", "medieval"))
    batch, seat = engine.batch(6, 3, autoreset="off"), SeatView(engine)
    dice, bot = np.random.default_rng(1), made_up(rules).make(rules, 1)
    for _ in range(60):
        seen, weighed = batch.observation.copy(), batch.mask.copy()
        found.weigh(batch.observation, weighed)
        assert (batch.observation == seen).all(), "what it is asked for is not changed"
        assert ((weighed > 0) <= batch.mask).all()
        assert ((weighed > 0).any(axis=1)).all(), "one at least"
        over = batch.terminated
        assert (weighed[over] == batch.mask[over]).all()
        for i in np.flatnonzero(~over):
            if name != "battleball":
                assert ((weighed[i] > 0) == batch.mask[i]).all()
                continue
            legal = seat.legal(batch.observation[i])
            assert sorted(bot.logits(batch.observation[i])) == np.flatnonzero(weighed[i]).tolist()
            order = [int(x) for x in weighed[i] if x]
            assert set(order) == {min(k, places) for k in range(1, 1 + len(order))}
            assert {*np.flatnonzero(weighed[i]).tolist()} <= {*legal}
        batch.step((batch.mask * dice.random(batch.mask.shape)).argmax(axis=1))


@pytest.mark.parametrize("name", GAMES)
def test_one_position_alone_is_as_it_is_among_many(name: str) -> None:
    rules = bb.load(name)
    file = made_up(rules)
    bot, batch = file.make(rules, 1), rules.compiled().batch(6, 3)
    for _ in range(25):
        seen, weighed = batch.observation, batch.mask.copy()
        every, values = Network(file.layers)(bot.inputs.rows(seen, weighed=weighed))
        places = bot.inputs.shape.places
        for i in range(batch.n):
            acts = np.flatnonzero(weighed[i])
            logits = every[i, bot.inputs.classes[acts]]
            if places:
                logits = logits + every[i, weighed[i, acts] - 1 - places]
            found = bot.logits(seen[i])
            assert [*found] == acts.tolist()
            assert np.allclose([*found.values()], logits, atol=1e-5)
            turned = [values[i, (p - batch.actor[i]) % rules.players] for p in range(rules.players)]
            assert np.allclose(bot.values(seen[i]), turned, atol=1e-5)
        batch.step(bot(seen, batch.mask))


def test_a_place_among_candidates_counts_as_much_as_an_action() -> None:
    rules = bb.load("battleball")
    file = made_up(rules)
    shape, layers = file.about.shape, file.layers
    bias = np.zeros_like(layers.choice_bias)
    bias[1 - shape.places] = 100  # the second place, whatever lies there
    second = PolicyBot(
        Inputs(rules), layers._replace(choice=0 * layers.choice, choice_bias=bias), 1
    )
    batch, dice = rules.compiled().batch(4, 5), np.random.default_rng(2)
    for _ in range(60):
        weighed = batch.mask.copy()
        second.inputs.candidates.weigh(batch.observation, weighed)
        chosen = second(batch.observation, batch.mask)
        for i in range(batch.n):
            wanted = np.flatnonzero(weighed[i] == min(2, weighed[i].max())).tolist()
            assert [chosen[i]] == wanted == [second.choose(batch.observation[i])]
        batch.step((batch.mask * dice.random(batch.mask.shape)).argmax(axis=1))


def test_of_many_destinations_it_takes_none_but_those_it_weighs() -> None:
    rules = bb.load("battleball")
    batch, dice = rules.compiled().batch(1, 5), np.random.default_rng(2)
    while batch.mask.sum() < 50:
        batch.step((batch.mask * dice.random(batch.mask.shape)).argmax(axis=1))
    bot = made_up(rules).make(rules, 1)
    places = batch.mask.copy()
    bot.inputs.candidates.weigh(batch.observation, places)
    weighed = np.flatnonzero(places).tolist()
    assert 1 < len(weighed) < 12
    chances = bot.probabilities(batch.observation[0])
    assert set(chances) == set(np.flatnonzero(batch.mask).tolist())
    assert (
        {a for a in chances if chances[a] > 0}
        <= set(weighed)
        == set(bot.logits(batch.observation[0]))
    )
    many = bot(np.repeat(batch.observation, 200), np.repeat(batch.mask, 200, axis=0))
    assert set(many.tolist()) <= set(weighed)
    assert {bot.choose(batch.observation[0]) for _ in range(200)} <= set(weighed)


def test_policies_of_battleball_do_without_cells_and_share_their_logits() -> None:
    inputs = Inputs(bb.load("battleball"))
    left_out = inputs.engine.build.left_out
    assert left_out
    assert not left_out & inputs.encode.features.keys()
    assert inputs.engine.features.keys() >= left_out, "environments have them"
    moves = {m.name: m for m in inputs.engine.build.moves}
    run = moves["run"]
    classes = inputs.classes[run.at : run.at + run.count].reshape(run.sizes)
    assert [len(set(x.tolist())) for x in classes] == [1, 1], "all cells alike"
    assert classes[0, 0] != classes[1, 0], "but not with and without the ball"
    select = moves["select"]
    assert len(set(inputs.classes[select.at : select.at + select.count].tolist())) == select.count
    assert max(inputs.classes) + 1 + inputs.shape.places == inputs.shape.logits


# ---- what it is told -----------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_usual_options_are_blanks(name: str) -> None:
    rules = bb.load(name)
    inputs = Inputs(rules)
    assert not inputs.options.any()
    assert len(inputs.options) == len(inputs.shape.options) == len(set(inputs.shape.options))
    rows = inputs.rows(np.atleast_1d(rules.match(1).observation(0)))
    assert rows.shape == (1, inputs.width)


def test_unusual_options_are_told() -> None:
    rules = bb.load("war_zone", players=4, teams=2, start_health=41, v2=True, deck="warzone-half")
    inputs = Inputs(rules)
    told = dict(zip(inputs.shape.options, inputs.options.tolist(), strict=True))
    other = {k: x for k, x in told.items() if x}
    assert other == {
        "players=4": 1,
        "teams=2": 1,
        "v2=True": 1,
        "deck=warzone-half": 1,
        "start_health": pytest.approx(0.2),  # twice the usual 20, and one more
    }
    row = inputs.rows(np.atleast_1d(rules.match(1).observation(0)))[0]
    assert np.array_equal(row[-len(told) :], inputs.options)
    assert inputs.shape == Inputs(WAR_ZONE).shape, "one network for all rulesets"


def with_more_kinds() -> str:
    """A deck for War Zone with more kinds of cards than the game has."""
    return WAR_ZONE.game.decks["warzone-default"].read_text() + "".join(
        f'\n[[attack]]\nid = "new_{k}"\ncode = "Q{k}"\nname = "New {k}"\ncount = 1\n'
        'damage = 1\nblocked_by = ["barbed_wire"]\ncounteraction = ["grenade"]\n'
        for k in range(9)
    )


def test_cards_that_the_game_has_not_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "more.toml"
    path.write_text(with_more_kinds())
    with pytest.raises(bb.RulesetError, match="this ruleset has others"):
        Inputs(bb.load("war_zone", deck=str(path)))


# ---- its file ------------------------------------------------------------------------------------
def test_a_file_keeps_the_policy(tmp_path: Path, war_zone: PolicyFile) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(war_zone.data)
    found = read_policy(str(path))
    assert found.about == war_zone.about
    assert not found.layers.candidate.size, "of a game that says nothing of candidates"
    again = packed(found.about, found.layers, found.critic)
    assert again == war_zone.data, "packed again it is the same"
    alone = PolicyFile("c", packed(found.about, found.layers))
    assert alone.critic is None
    assert all(map(np.array_equal, alone.layers, found.layers))
    dice = np.random.default_rng(1)
    first = dice.normal(size=found.layers.first.shape).astype(np.float32)
    layers = found.layers._replace(first=first)
    kept = PolicyFile("b", packed(found.about, layers)).layers.first
    largest = np.abs(first).max(axis=1, keepdims=True)
    assert (np.abs(kept - first) <= largest / 127).all()


def rewritten(file: PolicyFile, **arrays: Any) -> bytes:
    """The file with other arrays in it; None leaves one out."""
    with zipfile.ZipFile(io.BytesIO(file.data)) as there:
        names = [x.removesuffix(".npy") for x in there.namelist()]
        found = {n: np.load(io.BytesIO(there.read(f"{n}.npy"))) for n in names}
    out = io.BytesIO()
    np.savez(out, **{k: x for k, x in (found | arrays).items() if x is not None})
    return out.getvalue()


def about(file: PolicyFile, **changed: Any) -> Any:
    return np.frombuffer(file.about.model_copy(update=changed).model_dump_json().encode(), np.uint8)


def test_what_weighs_candidates_may_be_left_out_but_has_to_fit() -> None:
    rules = bb.load("battleball")
    file, observation = made_up(rules), np.atleast_1d(rules.match(1).observation(0))
    without = PolicyFile("without", rewritten(file, **dict.fromkeys(WEIGHING)))
    assert without.make(rules, 1).choose(observation[0]) in rules.match(1).legal_actions
    for name, size in (("candidate", (3, 8)), ("context", (3, 8)), ("score", (8, 2))):
        wrong = PolicyFile("wrong", rewritten(file, **{name: np.zeros(size)}))
        with pytest.raises(bb.BotError, match=re.escape(f"not a learned policy ({name} is {size}")):
            wrong.make(rules, 1)


def test_what_is_no_policy_is_refused(tmp_path: Path, war_zone: PolicyFile) -> None:
    shape = war_zone.about.shape
    wrong: dict[str, bytes] = {
        "not a learned policy": b"PK nonsense",
        "File is not a zip file": b"",
        "no policy": b"0" * 16_000_001,
        "not a learned policy \\('about'": rewritten(war_zone, about=None),
        "about: .*missing": rewritten(war_zone, about=np.frombuffer(b"{}", np.uint8)),
        "unexpected keyword argument 'more'": rewritten(war_zone, more=np.zeros(3)),
        "value_bias is \\(2,\\)": rewritten(war_zone, value_bias=np.zeros(2, np.float16)),
        "no matrix": rewritten(war_zone, second=np.zeros(3, np.float16)),
        "a weight is no number": rewritten(
            war_zone, choice_bias=np.full(shape.logits, np.nan, np.float16)
        ),
        "value_bias is \\(3,\\), not \\(6,\\)": rewritten(
            war_zone, critic_value_bias=np.zeros(3, np.float16)
        ),
        "missing .* 'second'": rewritten(war_zone, critic_second=None),
        "no array of numbers": rewritten(war_zone, second=np.array(["a"])),
        "allow_pickle": rewritten(war_zone, second=np.array([{}], object)),
        "format 2 of policies": rewritten(war_zone, about=about(war_zone, format=2)),
    }
    for k, (said, data) in enumerate(wrong.items()):
        path = tmp_path / f"{k}.npz"
        path.write_bytes(data)
        with pytest.raises(bb.BotError, match=said) as e:
            read_policy(str(path))
        assert str(path) in str(e.value)
    with pytest.raises(bb.BotError, match="No such file"):
        bb.bot(f"policy:{tmp_path}/none.npz", WAR_ZONE)
    with pytest.raises(bb.BotError, match="directory"):
        read_policy(str(tmp_path))
    with pytest.raises(bb.RulesetError, match="no bot 'policy:'"):
        bb.bot("policy:", WAR_ZONE)


def test_a_policy_for_something_else_is_refused() -> None:
    made = made_up(WAR_ZONE)
    war_zone = PolicyFile("a.npz", packed(made.about, made.layers))
    with pytest.raises(bb.BotError, match="a policy for war_zone, not for medieval"):
        war_zone.make(bb.load("medieval"), 1)
    shape = war_zone.about.shape
    first = shape.features[0]
    other: dict[str, dict[str, Any]] = {
        f"version 99 .* these are {WAR_ZONE.game.version}; .*battlebox train war_zone": {
            "version": 99
        },
        f"of the features, old was known where {first[0]} is now": {
            "shape": shape.model_copy(
                update={"features": (("old", *first[1:]), *shape.features[1:])}
            )
        },
        f"it knows {len(shape.options) - 1} options, there are {len(shape.options)} now": {
            "shape": shape.model_copy(update={"options": shape.options[:-1]}),
            "inputs": -1,
        },
    }
    for said, changed in other.items():
        inputs = changed.pop("inputs", 0)
        with zipfile.ZipFile(io.BytesIO(war_zone.data)) as there:
            layer = np.load(io.BytesIO(there.read("first.npy")))
            factors = np.load(io.BytesIO(there.read("first_factors.npy")))
        n = len(layer) + inputs
        data = rewritten(
            war_zone, about=about(war_zone, **changed), first=layer[:n], first_factors=factors[:n]
        )
        with pytest.raises(bb.BotError, match=said):
            PolicyFile("a.npz", data).make(WAR_ZONE, 1)
