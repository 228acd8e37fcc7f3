"""Decks of one's own: what they change, what is refused, and why; wrong options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games.battle.testing import load

OWN = re.search(
    r"```toml\n(.*?)```",
    (Path(__file__).parent / "DEVELOPERS.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[1]  # type: ignore[index]
FIGHT = "[fight]\nranks = 12\ncopies = 6\n"
ACTION = "[action]\nskip = 3\nsave = 2\n"
PLAYERS = "[players.4]\ndeal = 9\n"


def test_the_deck_of_developers_md() -> None:
    """BA-6, BA-7, BA-8: eight ranks of eight cards, one SAVE left out with four players."""
    rules = load(players=4, deck=OWN)
    s = rules.match(1).state
    assert [s.stock[k] for k in range(8)] == [8] * 8
    assert rules.match(1).facts()["count0"] == "10"
    assert len(rules.names.cards) == 12 + 7
    assert [s.stock[k] for k in range(12, 19)] == [4, 4, 2, 3, 1, 4, 1]
    laws.check(rules, 1, compiled=False, decisions=40)
    with pytest.raises(bb.RulesetError, match="what 5 players are dealt; it is for 4, 6"):
        load(players=5, deck=OWN)


def test_sets_are_as_large_as_there_are_copies() -> None:
    """BA-31, BA-36: eight of a rank, of twenty ranks; the numbers of the words grow with them."""
    text = "[fight]\nranks = 20\ncopies = { 1 = 8, 20 = 6 }\n[action]\n[players.4]\ndeal = 4\n"
    rules = load(players=4, deck=text)
    assert rules.plain().num_actions == 3 + 20 * (1 + 8) + 26
    m = rules.match(
        1, position="ba1 n=4 ph=LM ids=H.V.H.V hand0=1.1.1.1.1.1.1.1.20 hand1=20 hand2=2 hand3=2"
    )
    assert m.legal_words() == [*(f"1x{k}" for k in range(1, 9)), "20x1"]
    m.submit(0, "1x8")
    assert m.facts()["stand"] == "1x8@0"
    laws.check(rules, 1, compiled=False, decisions=40)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        (ACTION + PLAYERS, "'fight' is missing"),
        (FIGHT + PLAYERS, "'action' is missing"),
        (FIGHT + ACTION, "'players' is missing"),
        (FIGHT + ACTION + "[players.4]\n", "'players.4.deal' is missing"),
        ("ranks = 3 4\n", "not a TOML file"),
        (FIGHT + ACTION + PLAYERS + "[player]\n", "'player' is not known"),
        ("[fight]\nranks = 12\n" + ACTION + PLAYERS, "line 1: 'fight.copies' is missing"),
        ("[fight]\nranks = 21\ncopies = 1\n" + ACTION + PLAYERS, "line 2: fight.ranks 21; 1 to 20"),
        ("[fight]\nranks = 0\ncopies = 1\n" + ACTION + PLAYERS, "line 2: fight.ranks 0; 1 to 20"),
        (
            "[fight]\nranks = 2\ncopies = 13\n" + ACTION + PLAYERS,
            "line 3: fight.copies 13; 1 to 12",
        ),
        ("[fight]\nranks = 2\ncopies = { 3 = 1 }\n" + ACTION + PLAYERS, "there is no rank 3"),
        (
            "[fight]\nranks = 2\ncopies = { 2 = 13 }\n" + ACTION + PLAYERS,
            "line 3: fight.copies.2 13; 0 to 12",
        ),
        ("[fight]\nranks = 2\ncopies = { 2 = 0 }\n" + ACTION + PLAYERS, "no fight card"),
        (FIGHT + "[action]\nskips = 3\n" + PLAYERS, "'action.skips' is not known"),
        (FIGHT + "[action]\nskip = -1\n" + PLAYERS, "line 5: action.skip -1; 0 to 120"),
        (FIGHT + "[action]\nexpose = 10\n" + PLAYERS, "expose"),
        (FIGHT + ACTION + "[players.3]\ndeal = 9\n", "4 to 10 play"),
        (FIGHT + ACTION + "[players.4]\ndeal = 0\n", "line 8: players.4.deal 0; 1 to 120"),
        (FIGHT + ACTION + "[players.4]\ndeal = 21\n", "4 times 21 cards are dealt; there are 81"),
        (
            FIGHT + ACTION + PLAYERS + "remove = { save = 3 }\n",
            "line 9: players.4.remove: 3 save; there are 2",
        ),
        (FIGHT + "[action]\nskip = 50\n" + PLAYERS, "120 at most"),
    ],
)
def test_wrong_decks_are_explained(text: str, fragment: str) -> None:
    """BA-6, BA-7, BA-8: entry and key are named."""
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(players=4, deck=text)


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"player": 4}, "'player' is not known; did you mean 'players'"),
        ({"deck": "battle"}, "no deck 'battle'"),
        ({"deck": "none.toml"}, "none.toml"),
        ({"target_points": 0}, "target_points = 0"),
        ({"rounds": -1}, "rounds = -1"),
        ({"rounds": 1001}, "rounds = 1001"),
        ({"odd_identity": "both"}, "odd_identity = 'both'"),
        ({"action_timing": "always"}, "action_timing = 'always'"),
        ({"build_effects": "no"}, "build_effects = 'no'"),
        ({"build_actions_per_turn": 31}, "build_actions_per_turn = 31"),
        ({"voluntary_pass": 2}, "voluntary_pass = 2"),
        ({"pass_locks": "maybe"}, "pass_locks = 'maybe'"),
        ({"max_discard_draws": 61}, "max_discard_draws = 61"),
        ({"owner_return": "never"}, "owner_return = 'never'"),
        ({"reverse_two": "both"}, "reverse_two = 'both'"),
        ({"expose_self": "x"}, "expose_self = 'x'"),
        ({"out_scores": "x"}, "out_scores = 'x'"),
        ({"wipeout_ends": "x"}, "wipeout_ends = 'x'"),
        ({"tiebreak": "dice"}, "tiebreak = 'dice'"),
        ({"max_turns": 0}, "max_turns = 0"),
        ({"dealer": 10}, "dealer = 10"),
        ({"dealer": 6}, "dealer = 6: the seats are 0 .. 5"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], fragment: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(**options)
