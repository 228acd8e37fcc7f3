"""Information-set Monte Carlo tree search (single observer), for every game.

Each simulation determinizes the observation (makes a random truth that fits it), walks the one tree
of actions through it, adds a node, plays to the end at random, and counts each mover's return along
its path. A game may shorten both (core/contract.py): `candidates` says which actions are worth a
node, the more the oftener the search comes by, `evaluate` ends a playout where the position can be
judged, and beyond what `ends_search` names, such as the end of a round, there are no nodes at all.
Chance is not in the tree: the same action leads on whatever the dice say, to children that are not
always there.

Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search": a child is weighed
by how often it was there to be chosen. The search gets an observation, never the state, so it
cannot cheat.
"""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..core.contract import (
    ACTIONS,
    apply,
    candidates,
    choices,
    consequences,
    ends_search,
    evaluate,
)
from ..core.drivers import determinize_into, score
from ..core.game import Ruleset
from ..core.random import checked_seed
from ..core.rules import draw, rule
from .seat import SeatView

EXPLORE = 1.0  # UCB's constant, for returns in -1 .. 1,
EXPLORE_BY_PRIOR = 0.3  # and where a prior says what is worth trying
PLAYOUT = 5000  # most decisions of one playout
DEPTH = 200  # most nodes on one path
ANY = -1  # action to begin with
NODE = np.dtype(
    [
        ("first", "i4"),  # its first child, 0: none
        ("next", "i4"),  # the next child of the same parent
        ("action", "i4"),
        ("visits", "i4"),
        ("seen", "i4"),  # how often the action was there to be chosen
        ("mover", "i4"),
        ("legal", "i4"),  # when the game was last asked for candidates: how many were legal,
        ("open", "i4"),  # how many of them were candidates,
        ("again", "i4"),  # and after how many visits it is asked again
        ("value", "f8"),  # sum of the mover's returns
    ],
    align=True,
)


class SearchArrays(NamedTuple):
    """What `search` works on."""

    worlds: Any  # two states: [0] only lends its generator, [1] is the determinization
    tree: Any  # nodes; [0] is the root
    path: Any
    acts: Any
    pool: Any
    at: Any  # [actions]: maps actions to children while a node is looked at
    score: Any  # what one simulation came to for each seat; before that, in facts
    visits: Any  # [actions]: the result: how often each was followed,
    worth: Any  # [actions, seats + facts]: the sum of what it came to then; no facts: none asked,
    squares: Any  # [actions, seats + facts]: and of its squares


@rule
def best_child(tree: Any, acts: Any, n: int, at: Any, explore: float) -> int:
    """The child to follow by UCB, each counted as often as it was there to be chosen."""
    best, top = 0, -1e30
    for k in range(n):
        child = at[acts[k]]
        tree[child].seen += 1
        visits = tree[child].visits
        score = (
            tree[child].value + explore * math.sqrt(math.log(tree[child].seen) * visits)
        ) / visits
        if score > top:
            best, top = child, score
    return best


@rule
def untried(acts: Any, n: int, at: Any, pool: Any) -> int:
    """Gathers the actions that have no child yet; how many they are."""
    m = 0
    for k in range(n):
        pool[m] = acts[k]
        m += 1 if at[acts[k]] == 0 else 0
    return m


@rule
def add_child(tree: Any, node: int, new: int, action: int, mover: int) -> None:
    """Makes tree[new] the first child of tree[node]."""
    tree[new].action, tree[new].mover = action, mover
    tree[new].visits, tree[new].value, tree[new].seen, tree[new].first = 0, 0.0, 1, 0
    tree[new].legal = 0
    tree[new].next = tree[node].first
    tree[node].first = new


@rule
def narrow(t: Any, s: Any, w: SearchArrays, node: int, n: int) -> int:
    """Brings the candidates among the n legal actions to the front; how many.

    The game is asked anew only when other actions are legal than before, or when the visits have
    grown by a sixteenth, for asking is dear. Else the candidates are the actions that have a child.
    """
    here = w.tree[node]
    if n == here.legal and here.visits < here.again:
        m = 0
        for k in range(n):
            w.pool[m] = w.acts[k]
            m += 1 if w.at[w.acts[k]] > 0 else 0
        if m >= here.open:
            for k in range(m):
                w.acts[k] = w.pool[k]
            return m
    here.legal, here.again = n, here.visits + here.visits // 16 + 1
    n = candidates(t, s, w.acts, n, here.visits)
    here.open = n
    return n


@rule
def play_on(t: Any, s: Any, acts: Any, limit: int, out: Any) -> None:
    """out[seat] = what a match comes to: played on at random to its end, or till it is judged."""
    for _ in range(limit):
        if evaluate(t, s, out):
            return
        n = choices(t, s, acts)
        if n == 0:
            break
        apply(t, s, acts[draw(s, candidates(t, s, acts, n, 0))])
    score(t, s, acts, out)


@rule
def lead_on(t: Any, s: Any, acts: Any, limit: int, seat: int, told: Any) -> None:
    """told[...] = what the last choice of `seat` has led to: played on at random till that shows.

    Apart from `play_on`, which is the hot loop of all bots, and nobody asks them for reasons.
    """
    for _ in range(limit):
        if consequences(t, s, seat, told):
            return
        n = choices(t, s, acts)
        if n == 0:
            return
        apply(t, s, acts[draw(s, candidates(t, s, acts, n, 0))])


@rule
def simulate(
    tt: Any, w: SearchArrays, used: int, explore: float, limit: int, only: int, seat: int
) -> int:
    """One simulation of the truth w.worlds[1]: down the tree, one new node, to the end, back up.

    It begins with the action `only`; -1: with any. seat: for whom it is. Returns how many nodes
    are used now.
    """
    t, s, tree = tt[0], w.worlds[1], w.tree
    facts = len(w.worth[0]) - s.seats
    asked = facts > 0
    tree[0].visits += 1
    node, depth, grown = 0, 0, False
    while not grown and depth < len(w.path):
        n = choices(t, s, w.acts)
        if n == 0:
            break
        child = tree[node].first
        while child != 0:
            w.at[tree[child].action] = child
            child = tree[child].next
        if depth == 0 and only >= 0:
            n, w.acts[0] = 1, only
        else:
            n = narrow(t, s, w, node, n)
        m = untried(w.acts, n, w.at, w.pool)
        if m > 0:
            grown = True
            action = w.pool[draw(s, m)]
            child = used if used < len(tree) else 0
        else:
            child = best_child(tree, w.acts, n, w.at, explore)
            action = tree[child].action
        other = tree[node].first
        while other != 0:
            w.at[tree[other].action] = 0
            other = tree[other].next
        if grown and child != 0:
            used += 1
            add_child(tree, node, child, action, s.to_act)
        apply(t, s, action)
        if child != 0:
            w.path[depth] = child
            depth += 1
            node = child
        if asked and consequences(t, s, seat, w.score):
            note(w, s.seats, facts)
            asked = False
        if ends_search(t, s):
            break
    if asked and depth > 0:
        lead_on(t, s, w.acts, limit, seat, w.score)
        note(w, s.seats, facts)
    play_on(t, s, w.acts, limit, w.score)
    for i in range(depth):
        tree[w.path[i]].visits += 1
        tree[w.path[i]].value += w.score[tree[w.path[i]].mover]
    if depth > 0:
        w.visits[tree[w.path[0]].action] += 1
        note(w, 0, s.seats)
    return used


@rule
def note(w: SearchArrays, k: int, n: int) -> None:
    """Adds the n numbers of w.score to those of the simulation's first action, from [k] on."""
    first = w.tree[w.path[0]].action
    for i in range(n):
        w.worth[first, k + i] += w.score[i]
        w.squares[first, k + i] += w.score[i] * w.score[i]


@rule
def search(
    tt: Any,
    o: Any,
    w: SearchArrays,
    simulations: int,
    explore: float,
    limit: int,
    only: int,
    seed: int,
) -> None:
    """w.visits[a] = how often action a was followed from the observation o[0], w.worth[a, p] = the
    sum of what seat p got then, w.squares[a, p] that of the squares; beside the seats the same of
    what the observing seat was led to. only: all begin with this action; -1: with any.
    """
    w.tree[0].first, w.tree[0].visits, w.tree[0].legal = 0, 0, 0
    for a in range(ACTIONS):
        w.visits[a] = 0
        for k in range(len(w.worth[a])):
            w.worth[a, k] = w.squares[a, k] = 0
    w.worlds[0].rng = seed
    used = 1
    for _ in range(simulations):
        seed = draw(w.worlds[0], 1 << 31) * (1 << 31) + draw(w.worlds[0], 1 << 31)
        determinize_into(tt, o, 0, w.worlds, 1, seed)
        used = simulate(tt, w, used, explore, limit, only, o[0].viewer - 1)


class Prior(Protocol):
    """What is known of actions before any search."""

    def logits(self, observation: Any) -> dict[int, float]:
        """Logarithms of how good legal actions of the observing seat are, but for what is added to
        all; those that are not in it are not to be taken.
        """

    def warm(self) -> None:
        """Compiles what the first question would compile."""


class ActionStats(NamedTuple):
    """What a search found of an action."""

    visits: int  # how many simulations followed it
    preference: float  # the logarithm of that, and what the prior says of it; -inf if none did
    returns: tuple[float, ...]  # the mean return of each seat in them, -1 .. 1; 0 if none did
    variances: tuple[float, ...]  # of what each seat got in them
    facts: tuple[float, ...] = ()  # the mean of each of the game's consequences, if one asks,
    fact_variances: tuple[float, ...] = ()  # and its variance


class SearchBot:
    """Chooses the action that most simulations followed, in the light of a prior, if it has one:
    its logits are added to the logarithms of the visits. Others act by the search alone.

    simulations: how many a decision. explore: UCB's constant, if not the usual one. even: it thinks
    as long about a lone legal action, so that nobody who waits for it learns that it had no choice.
    reasons: it notes what its simulations led to, if the game tells. compiled False: the plain
    build, the same choices, much slower. Choosing releases the GIL, so several bots can think in
    threads.
    """

    def __init__(
        self,
        rules: Ruleset,
        simulations: int,
        seed: int = 0,
        *,
        explore: float | None = None,
        even: bool = False,
        reasons: bool = False,
        prior: Prior | None = None,
        compiled: bool = True,
    ) -> None:
        if simulations < 1:
            raise ValueError(f"simulations = {simulations}: at least one")
        engine = rules.compiled() if compiled else rules.plain()
        build = engine.build
        self.simulations, self.even, self.prior = simulations, even, prior
        usual = EXPLORE_BY_PRIOR if prior else EXPLORE
        self.explore = usual if explore is None else explore
        self._seat = SeatView(engine)
        self._search = engine.bind(sys.modules[__name__]).search
        self._visits = np.zeros(engine.num_actions, np.int32)
        consequences = rules.game.consequences if reasons else None
        facts = len(consequences.each) if consequences else 0
        width = engine.seats + facts
        self._worth, self._squares = np.zeros((2, engine.num_actions, width))
        self._seed = np.random.SeedSequence(checked_seed(seed))
        arrays = (
            build.states(2),
            np.zeros(1, NODE),  # each search has a tree of its own
            np.zeros(DEPTH, np.int32),
            build.action_buffer(),
            build.action_buffer(),
            np.zeros(engine.num_actions, np.int32),
            np.zeros(max(engine.seats, facts)),
            self._visits,
            self._worth,
            self._squares,
        )
        self._work = SearchArrays(*(build.access(a) for a in arrays))

    def action_stats(self, observation: Any, only: int = ANY) -> dict[int, ActionStats]:
        """What each action is worth, as far as the observing seat can know, on any seat's turn. If
        another seat is, only actions that it may have are in it, as they were found.

        only: a legal action of the observing seat, which is to act: all simulations begin with it.
        Errors: ValueError if it is not an observation of a seat of this ruleset, or no such action.
        """
        self._seat.take(observation)
        if only != ANY and not (self._seat.to_act and only in self._seat.legal_actions()):
            raise ValueError(f"action {only} is not a legal action of the observing seat")
        self._think(only)
        own = (
            self._seat.legal_actions()
            if self._seat.to_act
            else np.flatnonzero(self._visits).tolist()
        )
        found = zip(own, self._preferences(own, observation), strict=True)
        return {a: self._stats_of(a, preference) for a, preference in found}

    def values(self, observation: Any) -> tuple[float, ...]:
        """What each seat may expect to get, -1 .. 1, as far as the observing seat can know, on any
        seat's turn: the mean of all simulations.
        """
        found = self.action_stats(observation).values()
        weights = [w.visits for w in found]
        return tuple(np.average([w.returns for w in found], axis=0, weights=weights).tolist())

    def _think(self, only: int = ANY) -> Any:
        """Fills the results; gives the tree, which is large, and which nobody needs any more."""
        seed = int(self._seed.spawn(1)[0].generate_state(1, np.uint64)[0] >> np.uint64(2))
        engine = self._seat.engine
        tree = engine.build.access(np.empty(self.simulations + 1, NODE))
        work, n = self._work._replace(tree=tree), self.simulations
        self._search(engine.tt, self._seat.states, work, n, self.explore, PLAYOUT, only, seed)
        return tree

    def _preferences(self, actions: list[int], observation: Any) -> list[float]:
        """How much each is preferred. If another seat is to act, the prior is not asked."""
        visits = [math.log(v) if v else -math.inf for v in self._visits[actions].tolist()]
        if not self.prior or not self._seat.to_act:
            return visits
        logits = self.prior.logits(observation)
        return [x + logits.get(a, -math.inf) for a, x in zip(actions, visits, strict=True)]

    def _stats_of(self, action: int, preference: float) -> ActionStats:
        visits = int(self._visits[action])
        n = max(1, visits)
        mean = self._worth[action] / n
        variance = np.maximum(self._squares[action] / n - mean**2, 0)
        means, variances = tuple(mean.tolist()), tuple(variance.tolist())
        seats = self._seat.engine.seats
        return ActionStats(
            *(visits, preference, means[:seats], variances[:seats]),
            *(means[seats:], variances[seats:]),
        )

    def choose(self, observation: Any) -> int:
        """The number of the action that is preferred; a lone legal action at once, unless it is to
        think evenly.
        """
        legal = self._seat.legal(observation)
        if len(legal) == 1 and not self.even:
            return legal[0]
        self._think()
        found = zip(self._preferences(legal, observation), legal, strict=True)
        return max(found, key=lambda x: (x[0], -x[1]))[1]

    def warm(self) -> None:
        """Compiles (or fetches) what the first choice would."""
        engine = self._seat.engine
        states = engine.build.states()
        b, o = (engine.build.access(x) for x in (states, engine.build.states()))
        engine.begin(b, 0, 0)
        engine.f.observe(engine.tt, b, 0, o, 0, int(states["to_act"][0]))
        self._search(engine.tt, o, self._work, 1, self.explore, 1, ANY, 1)
        engine.f.list_actions(engine.tt, o, 0, self._seat.acts)
        if self.prior:
            self.prior.warm()


def by_rounds(rules: Ruleset) -> bool:
    """Whether a search of this game judges rounds, and not the match."""
    return hasattr(rules.game.insight, ends_search.__name__)
