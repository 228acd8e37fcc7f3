"""OpenSpiel's search on our games: it is given its due, and is a bot like any other."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from games import as_game, race, race_insight, sealed

import battlebox as bb
from battlebox.bots.search import SearchBot
from battlebox.core import laws
from battlebox.core.match import Match

FILE = Path(__file__).parent.parent / "bench" / "ismcts.py"
SEALED = as_game(sealed).ruleset({"rounds": 4})
RACE = as_game(race).ruleset({"goal": 100})
JUDGED = replace(as_game(race), insight=race_insight).ruleset({"goal": 100})
pytestmark = [
    pytest.mark.skipif(
        not importlib.util.find_spec("pyspiel"), reason="OpenSpiel is not installed: make extras"
    ),
    pytest.mark.compiled,
    pytest.mark.xdist_group("tiny"),
]


def positions(rules: bb.Ruleset, matches: int) -> Iterator[Match]:
    for k in range(matches):
        dice, m = random.Random(k), rules.match(k)
        while m.to_act is not None:
            if len(m.legal_actions) > 1:
                yield m
            m.submit(m.to_act, dice.choice(m.legal_actions))


def named(name: str, rules: bb.Ruleset) -> Any:
    return bb.bot(f"{FILE}:{name}", rules, seed=3)


@pytest.mark.parametrize(
    "name", ["spiel_30", "spiel_30_c07", "spiel_30_c07_judged", "spiel_30_own"]
)
def test_it_chooses_legal_actions_the_same_whatever_is_hidden(name: str) -> None:
    for k, m in enumerate(positions(SEALED, 3)):
        copies = [laws.another_truth(m, m.to_act, random.Random(10 * k + i)) for i in range(3)]
        chosen = {named(name, SEALED).choose(x.observation(x.to_act)) for x in copies}
        assert len(chosen) == 1
        assert chosen <= set(m.legal_actions)


def test_it_makes_all_its_simulations_from_determinizations_that_look_alike() -> None:
    """Its own assertion: each determinization has the root's information state."""
    bot, nodes = named("spiel_50", SEALED), list[int]()
    for m in positions(SEALED, 2):
        bot.choose(m.observation(m.to_act))
        theirs = bot._bot._bot
        children = theirs._root_node.child_info
        assert set(children) == set(m.legal_actions)
        assert theirs._root_node.total_visits == sum(c.visits for c in children.values()) == 49
        assert all(-1 <= c.value() <= 1 for c in children.values())
        nodes.append(len(theirs._nodes))
    assert 5 < max(nodes) <= 50


def test_it_plays_better_than_lots() -> None:
    """Far below what is to be expected, with fixed seeds."""
    won, rules = 0, as_game(race).ruleset({})
    for k in range(40):
        m, bot = rules.match(k), named("spiel_60", rules)
        lots = bb.bot("random", rules, seed=k)
        while m.to_act is not None:
            m.submit(m.to_act, (bot if m.to_act == k % 2 else lots).choose(m.observation(m.to_act)))
        won += m.returns[k % 2] > 0
    assert won > 24


def test_ours_by_its_names_is_ours() -> None:
    for m in positions(JUDGED, 1):
        o = m.observation(m.to_act)
        pairs = [
            ("ours_40", SearchBot(JUDGED, 40, 3)),
            ("ours_40_c20", SearchBot(JUDGED, 40, 3, explore=2.0)),
            ("ours_40_c00", SearchBot(JUDGED, 40, 3, explore=0.0)),
            ("ours_40_bare", SearchBot(RACE, 40, 3)),
        ]
        for name, same in pairs:
            assert named(name, JUDGED).choose(o) == same.choose(o)


@pytest.mark.parametrize(
    "name",
    [
        *("spiel_0", "spiel_", "theirs_10", "ours_10_c7", "spiel", "spiel_10_bare"),
        *("ours_10_judged", "ours_10_own"),
    ],
)
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(bb.BotError, match=f"no bot '{name}' in it"):
        named(name, SEALED)
