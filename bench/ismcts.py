"""OpenSpiel's information-set search on our games, as a file of bots.

    battlebox arena war_zone so-ismcts:400 bench/ismcts.py:spiel_400

    spiel_400            its ISMCTSBot with 400 simulations, UCT's constant 2, random rollouts by
                         our compiled rules
    spiel_400_own        the same with rollouts of its own, as OpenSpiel ships them: in Python
    spiel_400_c10        with the constant 1.0, which is ours
    spiel_400_c10_judged its rollouts led and ended by what a game tells our search (`Game.insight`)
    ours_400             our search, the same as so-ismcts:400
    ours_400_c20_bare    with the constant 2, without what the game tells it

It is OpenSpiel's Python implementation: its C++ one wants games that resample themselves, which
those written in Python cannot. Rules and determinizations are our compiled ones.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

from battlebox.bots import SeatView, search
from battlebox.bots.search import EXPLORE, PLAYOUT, SearchBot, play_on
from battlebox.core.drivers import playout, score
from battlebox.core.game import Ruleset
from battlebox.core.rules import rule

EXAMPLES = 2.0  # UCT's constant in OpenSpiel's own mcts.py; ISMCTSBot has no default
NAME = re.compile(r"(?:(spiel)|ours)_([1-9]\d*)(?:_c(\d)(\d))?(?:(?(1)_(judged|own)|_(bare)))?")
KIND = SimpleNamespace(  # what it asks of a game
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
)


@rule
def roll_out(tt: Any, b: Any, copy: Any, acts: Any, limit: int, out: Any) -> None:
    """out[seat] = what b[0] comes to, played to its end at random."""
    copy[0] = b[0]
    playout(tt[0], copy[0], copy[0], acts, limit)
    score(tt[0], copy[0], acts, out)


@rule
def roll_out_judged(tt: Any, b: Any, copy: Any, acts: Any, limit: int, out: Any) -> None:
    """The same as our search does it."""
    copy[0] = b[0]
    play_on(tt[0], copy[0], acts, limit, out)


class _Desk:
    """The compiled functions of a ruleset, and the arrays that they write to."""

    def __init__(self, rules: Ruleset) -> None:
        engine = rules.compiled()
        build = engine.build
        self.f, self.tt, self.states = engine.f, engine.tt, build.states
        self.determinize_into = engine.bind(search).determinize_into
        own = engine.bind(sys.modules[__name__])
        self.roll_out, self.roll_out_judged = own.roll_out, own.roll_out_judged
        self.acts, self.seen = build.action_buffer(), build.states()
        self.copy, self.returns = build.states(), np.zeros(engine.seats)


class _Position:
    """A truth, as OpenSpiel's search asks for one: chance has no nodes, it is in the actions."""

    def __init__(self, desk: _Desk, array: Any) -> None:
        self.desk, self.array = desk, array
        self._look()

    def _look(self) -> None:
        desk, array = self.desk, self.array
        n = desk.f.list_actions(desk.tt, array, 0, desk.acts)
        self._legal: list[int] = desk.acts[:n].tolist()
        self._player = int(array["to_act"][0])
        self._key = b""

    def get_game(self) -> Any:
        return self

    def get_type(self) -> Any:
        return KIND

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return not self._legal

    def current_player(self) -> int:
        return self._player

    def legal_actions(self, player: int | None = None) -> list[int]:
        return self._legal

    def clone(self) -> _Position:
        return _Position(self.desk, self.array.copy())

    def information_state_string(self) -> bytes:
        """What the seat to act may know."""
        if not self._key:
            desk = self.desk
            desk.f.observe(desk.tt, self.array, 0, desk.seen, 0, self._player)
            self._key = desk.seen.tobytes()
        return self._key

    def apply_action(self, action: int) -> None:
        self.desk.f.take(self.desk.tt, self.array, 0, action)
        self._look()

    def returns(self) -> Any:
        """Of each seat."""
        desk = self.desk
        desk.f.results(desk.tt, self.array, 0, desk.returns)
        return desk.returns.tolist()


class _Evaluator:
    """One rollout by compiled rules in place of OpenSpiel's RandomRolloutEvaluator."""

    def __init__(self, desk: _Desk, roll_out: Any) -> None:
        self._desk, self._roll_out = desk, roll_out

    def prior(self, position: _Position) -> list[tuple[int, float]]:
        legal = position.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]

    def evaluate(self, position: _Position) -> Any:
        d = self._desk
        self._roll_out(d.tt, position.array, d.copy, d.acts, PLAYOUT, d.returns)
        return d.returns.tolist()


class _Spiel:
    """OpenSpiel's ISMCTSBot on a seat."""

    def __init__(
        self, rules: Ruleset, seed: int, *, simulations: int, constant: float, rollouts: str | None
    ) -> None:
        """rollouts: its own, judged, or, if None, compiled random ones."""
        desk = self._desk = _Desk(rules)
        self._seat = SeatView(rules.compiled())
        self._dice = np.random.RandomState(seed % 2**32)
        evaluator: Any
        if rollouts == "own":
            evaluator = RandomRolloutEvaluator(1, self._dice, max_length=PLAYOUT)
        else:
            evaluator = _Evaluator(desk, desk.roll_out_judged if rollouts else desk.roll_out)
        self._bot = ISMCTSBot(None, evaluator, constant, simulations, random_state=self._dice)
        self._bot.set_resampler(lambda position, player: self._determinize())

    def _determinize(self) -> _Position:
        """A random truth that fits the observation."""
        desk, array = self._desk, self._desk.states()
        desk.determinize_into(desk.tt, self._seat.states, 0, array, 0, self._dice.randint(2**62))
        return _Position(desk, array)

    def choose(self, observation: Any) -> int:
        self._seat.legal(observation)
        return int(self._bot.step(self._determinize()))


def _ours(rules: Ruleset, seed: int, *, simulations: int, constant: float, bare: bool) -> SearchBot:
    """Our search; bare: of a game that tells it nothing."""
    if bare:
        game = replace(rules.game, insight=None)
        rules = Ruleset(game, rules.options, game.resolve(rules.options))
    return SearchBot(rules, simulations, seed, explore=constant)


def __getattr__(name: str) -> Callable[[Ruleset, int], Any]:
    """The maker of a bot by its name. Errors: AttributeError if it is none."""
    if not (found := NAME.fullmatch(name)):
        raise AttributeError(f"no bot {name!r}: see the top of {__file__}")
    spiel, count, whole, tenths, rollouts, bare = found.groups()
    constant = float(f"{whole}.{tenths}") if whole else EXAMPLES if spiel else EXPLORE
    if spiel:
        return partial(_Spiel, simulations=int(count), constant=constant, rollouts=rollouts)
    return partial(_ours, simulations=int(count), constant=constant, bare=bool(bare))
