"""OpenSpiel's nearest games, as samplers that run in turn with ours.

A decision is one action of one player. Chance nodes (deals, draws) are played inside the clock and
not counted; the table of results says how many there are, and what the ratio would be with them.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from battlebox.speed import Sampler

POSITIONS = 20  # new deals that the native samplers start from


@dataclass(frozen=True)
class Peer:
    """A game of OpenSpiel, and how much of it makes a sample of about half a second."""

    name: str
    games: int  # called from Python
    rollouts: int  # native
    simulations: int  # of one choice of its search
    choices: int  # of its search
    beside: str = "war_zone"  # our game that it is compared with
    even: bool = True  # each outcome of chance is as likely as the other


PEERS = (
    Peer("crazy_eights", 700, 6_000, 1_000, 10),
    Peer("hearts", 1_000, 40_000, 2_000, 8),
    Peer("gin_rummy", 150, 500, 60, 8),
    Peer("leduc_poker", 20_000, 800_000, 10_000, 15),
    Peer("backgammon", 20, 400, 60, 2, "battleball", even=False),  # board and dice
)


def spiel() -> Any:
    """The module pyspiel; None if it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        return None


def outcome(state: Any, chance: Callable[[], float], even: bool) -> int:
    """A random outcome of a chance node."""
    outcomes: list[tuple[int, float]] = state.chance_outcomes()
    if even:
        return outcomes[int(chance() * len(outcomes))][0]
    x = chance()
    for action, p in outcomes:
        x -= p
        if x < 0:
            return action
    return outcomes[-1][0]


def play(state: Any, chance: Callable[[], float], even: bool = True) -> tuple[int, int]:
    """Plays a state to its end at random, from Python: decisions and chance nodes."""
    decisions = nodes = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(outcome(state, chance, even))
            nodes += 1
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(chance() * len(actions))])
            decisions += 1
    return decisions, nodes


def first_decision(game: Any, chance: Callable[[], float], least: int = 1) -> Any:
    """A new deal, at its first decision with so many legal actions."""
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            if not state.is_chance_node() and len(actions) >= least:
                return state
            state.apply_action(actions[int(chance() * len(actions))])


def lengths(game: Any, games: int, even: bool = True) -> tuple[float, float, float]:
    """Means of random games: decisions, chance nodes, chance nodes after the first decision."""
    chance = random.Random(1).random
    whole = [play(game.new_initial_state(), chance, even) for _ in range(games)]
    dealt = [play(first_decision(game, chance), chance, even) for _ in range(games)]
    return (
        sum(d for d, _ in whole) / games,
        sum(c for _, c in whole) / games,
        sum(c for _, c in dealt) / games,
    )


def python_sampler(game: Any, games: int, even: bool = True) -> Sampler:
    """Decisions a second of random games driven from Python, deals and all."""

    def sample() -> float:
        chance = random.Random(1).random
        start = perf_counter()
        decisions = sum(play(game.new_initial_state(), chance, even)[0] for _ in range(games))
        return decisions / (perf_counter() - start)

    return sample


def native_sampler(pyspiel: Any, game: Any, rollouts: int, length: float) -> Sampler:
    """Decisions a second of random games played by OpenSpiel's C++ alone.

    Its Python module has no such call, but its Monte Carlo search bot does nothing else if it may
    make two simulations only and values a state by very many random rollouts. The first simulation
    values the root, a new deal at its first decision (the deal itself is not in the clock, ours
    is); the second a state one decision deeper. So two times n rollouts are n * length +
    n * (length - 1) decisions, `length` being the mean of random games. (One simulation alone gives
    the bot no child to choose.) Chance nodes on the way are played as well.
    """
    chance = random.Random(1).random
    each = max(1, rollouts // (2 * POSITIONS))
    states = [first_decision(game, chance) for _ in range(POSITIONS)]
    decisions = POSITIONS * each * (2 * length - 1)
    seeds = iter(range(1, 1 << 30))

    def sample() -> float:
        seed = next(seeds)
        evaluator = pyspiel.RandomRolloutEvaluator(each, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 2, 100, False, seed, False)
        start = perf_counter()
        for state in states:
            bot.mcts_search(state)
        return decisions / (perf_counter() - start)

    return sample


def search_sampler(pyspiel: Any, game: Any, simulations: int, choices: int) -> Sampler | str:
    """Simulations a second of its information-set search, one rollout each; or why it cannot."""
    kind = game.get_type()
    if kind.information == kind.Information.PERFECT_INFORMATION:
        return "it is for hidden information"
    chance = random.Random(1).random
    states = [first_decision(game, chance, least=2) for _ in range(choices)]
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.ISMCTSBot(1, evaluator, 1.4, simulations)
    try:
        bot.step(states[0].clone())
    except pyspiel.SpielError as e:
        return str(e).strip().splitlines()[0]

    def sample() -> float:
        start = perf_counter()
        for state in states:
            bot.step(state)
        return simulations * len(states) / (perf_counter() - start)

    return sample
