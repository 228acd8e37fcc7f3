"""Chance as a player: cards are dealt when a rule looks at them, each as likely as it should be."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from test_shelf import _apart

import battlebox as bb
from battlebox.arena import exact
from battlebox.core.histories import ChanceNode, Histories, History, Outcome
from battlebox.games import NAMES

__all__ = ["_apart"]  # a fixture

#: four kinds, six cards; a small War Zone that still has attacks, blocks and counteractions
DECK = """
name = "a toy"
[[attack]]
id = "rifle"
code = "RI"
name = "Rifle"
count = 2
damage = 1
blocked_by = ["wall"]
counteraction = ["mine"]
bonus_damage = 1
[[attack]]
id = "mine"
code = "MI"
name = "Mine"
count = 1
damage = 2
blocked_by = ["helmet"]
counteraction = ["rifle"]
bonus_health = 1
[[defence]]
id = "wall"
code = "WA"
name = "Wall"
count = 2
[[defence]]
id = "helmet"
code = "HE"
name = "Helmet"
count = 1
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> bb.Ruleset:
    deck = tmp_path_factory.mktemp("decks") / "toy.toml"
    deck.write_text(DECK)
    few = {"hand_size": 1, "start_health": 1, "max_turns": 2, "mulligan": 0, "cycle": 0}
    lightning = {"lightning_health": 1, "lightning_hand": 1}
    return bb.load("war_zone", deck=str(deck), starter=0, **few, **lightning)


def walk(histories: Histories, dice: Random, most: int = 400) -> Any:
    """A random match: its nodes."""
    at = histories.begin()
    for _ in range(most):
        yield at
        if isinstance(at, ChanceNode):
            weights = [x.probability for x in at.outcomes]
            at = histories.outcome(at, dice.choices(range(len(weights)), weights)[0])
        elif at.actions:
            at = histories.take(at, dice.choice(at.actions))
        else:
            return


def length(root: exact.Root) -> float:
    """How many decisions a match of random play has on average."""

    def of(node: exact.Node) -> float:
        after = [p * of(x) for outcomes in node.after for p, x in outcomes]
        return 1 + sum(after) / len(node.actions) if after else 0

    return sum(p * of(node) for p, node in root)


def test_the_tree_is_what_matches_are_like(toy: bb.Ruleset) -> None:
    """Chances that were wrong, in a deal or a reshuffle, would move its value or its length."""
    root = exact.tree(toy)
    played = toy.compiled().play(2_000_000, seed=1)
    for found, wanted in (
        (played.returns[:, 0], exact.values(root)[0]),
        (played.decisions, length(root)),
    ):
        assert abs(found.mean() - wanted) < 4 * found.std() / len(found) ** 0.5


@pytest.mark.parametrize("game", NAMES)
def test_each_card_is_somewhere(game: str) -> None:
    """Whatever is dealt already, the rest is what is left of the stock; chances add up to 1."""
    rules = bb.load(game)
    histories, build = Histories(rules.plain()), rules.plain().build
    stock, seen = None, 0
    for k in range(3):
        for at in walk(histories, Random(k)):
            if isinstance(at, ChanceNode):
                assert sum(x.probability for x in at.outcomes) == pytest.approx(1)
                continue
            whole = build.states()
            whole[0] = histories.deal(at, seed=k)
            count = np.zeros(500, np.int64)
            build.hooks.census(build.access(whole)[0], build.access(count))
            stock = count if stock is None else stock
            assert count.tolist() == stock.tolist()
            seen += bool(at.lying)
    assert seen or game == "battleball"


def test_only_what_is_looked_at_is_dealt() -> None:
    """Of a deck of 60 two hands of six; the orders of the other 48 are one history."""
    at, nodes = Histories(bb.load("war_zone", starter=0).plain()).begin(), 0
    histories = Histories(bb.load("war_zone", starter=0).plain())
    while isinstance(at, ChanceNode):
        at, nodes = histories.outcome(at, 0), nodes + 1
    assert (nodes, len(at.lying), [len(x) for x in at.shuffles]) == (12, 48, [48])
    assert not at.record["deck"].any()
    dealt = [Counter(histories.deal(at, seed)["deck"].tolist()) for seed in (1, 2)]
    assert dealt[0] == dealt[1]
    assert histories.deal(at, 1)["deck"].tolist() != histories.deal(at, 2)["deck"].tolist()


def test_a_node_is_no_other_for_what_was_looked_at_since() -> None:
    """The same outcomes and actions lead to the same bytes, whatever came between."""
    histories = Histories(bb.load("iron_man").plain())
    past = list[int]()
    for before, after in pairwise([*walk(histories, Random(3), 80)]):
        if isinstance(before, History):
            found = [histories.take(before, a) for a in before.actions]
        else:
            found = [histories.outcome(before, i) for i in range(len(before.outcomes))]
        past.append(sum(same(x, after) for x in found))
    assert past == [1] * len(past)


def same(a: Any, b: Any) -> bool:
    if isinstance(a, ChanceNode) or isinstance(b, ChanceNode):
        return type(a) is type(b) and (a.action, a.path) == (b.action, b.path)
    return bool(a.record.tobytes() == b.record.tobytes() and a.information == b.information)


def test_what_is_not_legal_is_refused() -> None:
    histories = Histories(bb.load("iron_man").plain())
    at = histories.begin()
    with pytest.raises(ValueError, match=r"outcome 99: 0 \.\. \d+"):
        histories.outcome(at, 99)
    while isinstance(at, ChanceNode):
        at = histories.outcome(at, 0)
    with pytest.raises(ValueError, match="action 99 is not legal; legal are"):
        histories.take(at, 99)


def test_equal_cards_are_no_chance() -> None:
    """What can come in one way only is nothing to branch at."""
    assert Outcome(3, 1 / 2) in first_outcomes(2)
    assert Outcome(3, 1 / 3) in first_outcomes(3)


def first_outcomes(n: int) -> tuple[Outcome, ...]:
    """Of a goofspiel of so many prizes, in any order."""
    folder = Path(__file__).parents[1] / "examples/goofspiel/src/goofspiel"
    at = Histories(bb.load(folder, cards=n, order="random").plain()).begin()
    assert isinstance(at, ChanceNode)
    return tuple(Outcome(3, x.probability) for x in at.outcomes)
