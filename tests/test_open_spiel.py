"""The games in OpenSpiel: its own suite, and what that does not ask."""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import pickle
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from all_rulesets import ALL, OUTSIDE, name_of
from test_docs import blocks
from test_shelf import _apart

import battlebox as bb
from battlebox.games import NAMES

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: make extras")

from open_spiel.python.algorithms import exploitability, ismcts, mcts  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402

from battlebox.envs import open_spiel as ours  # noqa: E402

__all__ = ["_apart"]  # a fixture

#: options that end a match soon
SHORT: dict[str, dict[str, Any]] = {
    "battle": {"rounds": 1, "max_turns": 20},
    "battleball": {"max_plies": 30},
    "iron_man": {"max_rounds": 2},
    "medieval": {"max_battles": 2},
    "war_zone": {"max_turns": 12},
}
KUHN, GOOFSPIEL, _ = OUTSIDE


def loaded(game: str, options: dict[str, Any]) -> Any:
    name = f"battlebox_{game}" if game in NAMES else ours.register(game)
    return pyspiel.load_game(name, {**SHORT.get(game, {}), **options})


def played(game: Any, seed: int) -> Iterator[Any]:
    """The states of a random match, chance nodes included."""
    state, dice = game.new_initial_state(), random.Random(seed)
    while True:
        yield state
        if state.is_terminal():
            return
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(numbers, weights)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))


# ---- the official suite --------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "options"), ALL, ids=name_of)
def test_random_simulation(game: str, options: dict[str, Any]) -> None:
    """With serialization at each step, clones, undone histories, tensors in their bounds."""
    with contextlib.redirect_stdout(io.StringIO()):
        pyspiel.random_sim_test(loaded(game, options), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("chance_outcomes", lambda state: [(0, 0.4), (1, 0.4)]),  # they do not add up
        ("_legal_actions", lambda state, player: [0, 1, 2, 3]),  # a mask that is wrong
        ("returns", lambda state: [0.5, 0.5]),  # no zero-sum match
    ],
)
def test_the_suite_finds_faults(monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any) -> None:
    monkeypatch.setattr(ours.SpielState, name, wrong)
    with (
        contextlib.redirect_stdout(io.StringIO()),
        pytest.raises((pyspiel.SpielError, ValueError)),
    ):
        pyspiel.random_sim_test(loaded("war_zone", {}), num_sims=3, serialize=False, verbose=False)


# ---- what a state tells --------------------------------------------------------------------------
def test_an_information_state_is_what_was_seen_and_done() -> None:
    """Of two histories of Kuhn poker a player has the same one exactly where it held the same card
    and heard the same.
    """
    game = loaded(KUHN, {})
    heard, strings, tensors = dict[str, set[Any]](), defaultdict(set), defaultdict(set)

    def gather(state: Any, said: tuple[Any, ...]) -> None:
        if state.is_terminal():
            return
        if not state.is_chance_node():
            player = state.current_player()
            card, string = said[player], state.information_state_string()
            heard.setdefault(string, set()).add((player, card, said[2:]))
            strings[player, card, said[2:]].add(string)
            tensors[player, card, said[2:]].add(tuple(state.information_state_tensor()))
        for action in state.legal_actions():
            deals = state.is_chance_node()
            word = state.at.outcomes[action].value if deals else action
            gather(state.child(action), (*said, word))

    gather(game.new_initial_state(), ())
    assert len(heard) == 12
    assert all(len(x) == 1 for found in (heard, strings, tensors) for x in found.values())
    assert len(set.union(*tensors.values())) == 12


@pytest.mark.parametrize("game", NAMES)
def test_what_is_resampled_looks_the_same(game: str) -> None:
    """To the player for whom it is; the match then goes on by its own rules."""
    dice, changed = random.Random(4), 0
    for seed in range(3):
        for state in played(loaded(game, {}), seed):
            if state.is_chance_node() or state.is_terminal():
                continue
            player = state.current_player()
            other = state.resample_from_infostate(player, dice.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.legal_actions() == state.legal_actions()
            changed += other.at.record.tobytes() != state.at.record.tobytes()
            copied = other.clone()
            copied.apply_action(other.legal_actions()[0])
            assert other.information_state_string(player) == state.information_state_string(player)
    assert changed


def test_observers() -> None:
    state = next(islice(played(loaded("war_zone", {"players": 3}), 1), 60, None))
    game, width = state.get_game(), bb.load("war_zone", players=3).plain().encoder().width
    kinds, kind = pyspiel.PrivateInfoType, pyspiel.IIGObservationType
    usual = make_observation(game)
    usual.set_from(state, 1)
    assert usual.tensor.tolist() == state.observation_tensor(1)
    public = make_observation(game, kind(perfect_recall=False, private_info=kinds.NONE))
    public.set_from(state, 0)
    seen = public.tensor.copy()
    public.set_from(state, 1)
    assert (seen == public.tensor).all()
    said = public.string_from(state, 0)
    assert said == public.string_from(state, 1) != usual.string_from(state, 1)
    every = make_observation(game, kind(perfect_recall=False, private_info=kinds.ALL_PLAYERS))
    every.set_from(state, 0)
    assert every.dict["observation"].shape == (3, width)
    assert (every.dict["observation"][1] == usual.tensor).all()
    with pytest.raises(ValueError, match="public_info"):
        make_observation(game, kind(public_info=False, perfect_recall=False))
    with pytest.raises(ValueError, match="no parameters"):
        make_observation(game, params={"x": 1})
    recall = make_observation(game, kind(perfect_recall=True))
    assert recall.string_from(state, 1) == state.information_state_string(1)
    recall.set_from(state, 1)
    assert recall.tensor.tolist() == state.information_state_tensor(1)
    long = pyspiel.load_game("battlebox_war_zone")
    assert not long.get_type().provides_information_state_tensor
    with pytest.raises(bb.BattleboxError, match="too long for tensors of information states"):
        ours.SpielObserver.set_from(long.make_py_observer(kind(perfect_recall=True)), state, 0)


def test_a_state_is_copied_and_pickled() -> None:
    for state in played(loaded("iron_man", {}), 2):
        for again in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert str(again) == str(state)
            assert again.legal_actions() == state.legal_actions()
            assert again.returns() == state.returns()


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(bb.RulesetError, match="start = 1 is not before track_length = 1"):
        pyspiel.load_game("battlebox_iron_man(track_length=1)")
    with pytest.raises(pyspiel.SpielError, match="no_such_option"):
        pyspiel.load_game("battlebox_iron_man(no_such_option=1)")
    with pytest.raises(bb.RulesetError, match="no game"):
        ours.register("no_such_game")
    state = loaded("war_zone", {}).new_initial_state()
    with pytest.raises(bb.BattleboxError, match="not at a chance node"):
        state.resample_from_infostate(0, random.random)


def test_a_program_that_uses_it_ends_well() -> None:
    """OpenSpiel lets go of what was registered when Python is gone already."""
    program = (
        "import pyspiel, battlebox.envs.open_spiel\n"
        "state = pyspiel.load_game('battlebox_war_zone').new_initial_state()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_examples_of_its_page_run() -> None:
    page = Path(bb.__file__).parents[2] / "docs/learners/open-spiel.md"
    known: dict[str, Any] = {}
    for example in blocks(page.read_text("utf-8"), "python"):
        exec(example, known)
    assert known["state"].is_terminal()
    state = known["game"].new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert known["bot"].step(state) in state.legal_actions()


def test_openspiel_has_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, ours.__name__)
    with pytest.raises(ImportError, match=r"pip install 'battlebox\[open-spiel\]'"):
        importlib.import_module(ours.__name__)


# ---- algorithms of others ------------------------------------------------------------------------
def test_kuhn_poker_is_openspiels_own() -> None:
    """The same exploitability of the same policies, towards none. (A return is half a coin.)"""
    mine, theirs = loaded(KUHN, {}), pyspiel.load_game("kuhn_poker")
    found = []
    for game in (mine, theirs):
        solver = pyspiel.CFRPlusSolver(game)
        values = []
        for _ in range(20):
            solver.evaluate_and_update_policy()
            values.append(pyspiel.exploitability(game, solver.tabular_average_policy()))
        found.append(values)
    assert 2 * np.array(found[0]) == pytest.approx(found[1], abs=1e-9)
    assert found[0][-1] < found[0][0] / 5


def test_goofspiel_is_openspiels_own() -> None:
    """Of random play; seat 1 there does not see what seat 0 has bid, as if both did it at once."""
    mine = loaded(GOOFSPIEL, {"cards": 3})
    theirs = pyspiel.load_game("goofspiel(num_cards=3,players=2,imp_info=False)")
    theirs = pyspiel.convert_to_turn_based(theirs)
    found = [exploitability.nash_conv(g, pyspiel.UniformRandomPolicy(g)) for g in (mine, theirs)]
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_a_search_of_openspiels_plays() -> None:
    """Its ISMCTS, over what `resample_from_infostate` draws."""
    game, dice = loaded("war_zone", {}), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, dice), 2.0, 10, random_state=dice)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, dice.rand))
    asked = 0
    for state in played(game, 3):
        if state.current_player() == 0:
            assert bot.step(state) in state.legal_actions()
            asked += 1
    assert asked
