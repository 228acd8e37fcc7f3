"""Decks of one's own: what they change, what is refused, and why; wrong options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games.iron_man.testing import at, load

OWN = re.search(
    r"```toml\n(.*?)```",
    (Path(__file__).parent / "DEVELOPERS.md").read_text(encoding="utf-8"),
    re.DOTALL,
)[1]  # type: ignore[index]


def entry(id: str, code: str, **more: Any) -> str:
    keys = {"id": id, "code": code, "name": id.title(), "kind": "power", "count": 5} | more
    text = (
        str(v).lower() if isinstance(v, bool) else repr(v).replace("'", '"') for v in keys.values()
    )
    return "[[card]]\n" + "".join(f"{k} = {v}\n" for k, v in zip(keys, text, strict=True))


def deck(*entries: str, head: str = "custom = true\n") -> str:
    return head + "".join(entries)


def test_the_deck_of_developers_md() -> None:
    """H26, IM-99: three kinds are four actions; a shield finds no immune card."""
    rules = load(deck=OWN)
    assert rules.plain().num_actions == 4
    laws.check(rules, 1, compiled=False)
    shield = entry("shield", "E", kind="special", effect="discard_opponent_card")
    m = at("A hand=E line=B\nB hand=B line=ABA\nstage=act", deck=OWN + shield)
    m.submit(0, "E")
    assert (m.phase, m.legal_words()) == ("TARGET", ["B"])
    m = at("A hand=EB line=B\nB hand=B line=AAAA\nstage=act", deck=OWN + shield)
    m.submit(0, "E")
    assert (m.phase, m.facts()["A.line"]) == ("RESPOND", "BE")


def test_amounts_are_data() -> None:
    """IM-94, IM-95, IM-96: three cards drawn, 2 for each other card, 2 less for each card."""
    cards = [entry("bolt", "B", value=3, count=20)]
    cards += [entry("count", "C", kind="special", effect="count_bonus", amount=2)]
    cards += [entry("drain", "D", kind="special", effect="drain_power", amount=2)]
    m = at("A hand=1 line=BBC\nB hand=1 line=D\nstage=act".replace("1", "B"), deck=deck(*cards))
    assert m.facts()["A.total"] == "6"
    m = at("A hand=S line=B deck=BBBB\nB hand=B line=BB\nstage=act", deck=OWN)
    m.submit(0, "S")
    assert m.facts()["A.hand"] == "BBB"


@pytest.mark.parametrize("kinds", [2, 31])
def test_any_number_of_kinds(kinds: int) -> None:
    """31 kinds are 32 actions."""
    codes = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    cards = [entry(f"k{i}", codes[i], value=i % 6, count=3 + (i == 0)) for i in range(kinds - 1)]
    cards.append(entry("s", codes[kinds - 1], kind="special", effect="draw", amount=2))
    rules = load(deck=deck(*cards))
    assert rules.plain().num_actions == kinds + 1
    laws.check(rules, 1, compiled=False, decisions=60)


BOLT = entry("bolt", "B", count=35)
SPECIAL = entry("star", "S", kind="special", count=20)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        (deck(BOLT, head=""), "35 cards, 0 of them special; a deck has 55 and 20"),
        (deck(BOLT, SPECIAL, entry("c", "C"), head=""), "60 cards, 20 of them special"),
        (deck(BOLT, entry("bolt", "C")), "two cards have the id 'bolt'"),
        (deck(BOLT, entry("c", "B")), "two cards have the code 'B'"),
        (deck(BOLT, entry("c", "C", name="Bolt")), "two cards have the name 'Bolt'"),
        (deck(entry("c", "x")), 'C, line 4: code "x"; a capital letter or a digit'),
        (deck(entry("c", "CC")), 'C, line 4: code "CC"; a capital letter or a digit'),
        (deck(entry("C", "C")), 'C, line 3: id "C"; a small letter'),
        (deck(entry("c", "C", kind="strong")), 'C, line 6: kind "strong"; power or special'),
        (deck(entry("c", "C", value=-1)), "C, line 8: value -1; 0 to 99"),
        (deck(entry("c", "C", value=100)), "C, line 8: value 100; 0 to 99"),
        (deck(entry("c", "C", count=-1)), "C, line 7: count -1; 0 to 120"),
        (deck(entry("c", "C", power=1)), "C, line 8: 'power' is not known"),
        (deck(entry("c", "C", effect="draw")), "C, line 8: effect: a power card has none"),
        (
            deck(entry("c", "C", kind="special", effect="drew")),
            "C, line 8: effect \"drew\"; did you mean 'draw'?",
        ),
        (
            deck(entry("c", "C", kind="special", effect="draw", value=2)),
            "C, line 9: value: a special card has a value or an effect",
        ),
        (deck(entry("c", "C", amount=2)), "C, line 8: amount: goes with effect"),
        (
            deck(entry("c", "C", kind="special", effect="draw", amount=0)),
            "C, line 9: amount 0; 1 to 20",
        ),
        (deck(entry("c", "C", immune="yes")), 'C, line 8: immune "yes"; true or false'),
        (deck(entry("c", "C", count=120), BOLT), "155 cards; 120 at most"),
        (deck(entry("c", "C", count=6)), "deck: 6 cards; a hand is 7"),
        ("custom = true\n[[cards]]\n", "'cards' is not known; did you mean 'card'?"),
        ("custom = true\ncard = []\n", "card"),
        ("custom = ture\n", "not a TOML file"),
        (deck("[[card]]\nid = 'c'\n"), "c, line 2: 'code' is missing"),
    ],
)
def test_wrong_decks_are_explained(text: str, fragment: str) -> None:
    """IM-93, H29: entry and key are named."""
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(deck=text)


def test_the_beginner_game_needs_power_cards() -> None:
    """IM-6, H29."""
    text = deck(entry("bolt", "B", count=6), SPECIAL)
    load(deck=text)
    with pytest.raises(bb.RulesetError, match="6 power cards"):
        load(deck=text, mode="beginner")


def test_a_special_card_alone_counts_nothing() -> None:
    """IM-93: each kind that has an effect, in both decks."""
    for code in "EUMDRSJ":
        m = at(f"A hand=1 line={code}\nB hand=1 line=5\nstage=act")
        assert m.facts()["A.total"] == "0"


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"mode": "easy"}, "mode = 'easy'"),
        ({"mod": "beginner"}, "'mod' is not known; did you mean 'mode'"),
        ({"round_win": "one"}, "round_win = 'one'"),
        ({"reshuffle": "never"}, "reshuffle = 'never'"),
        ({"upgrade_scope": "none"}, "upgrade_scope = 'none'"),
        ({"max_rounds": 0}, "max_rounds = 0"),
        ({"max_plays": 0}, "max_plays = 0"),
        ({"track_length": 0}, "track_length = 0"),
        ({"start": 5}, "start = 5 is not before track_length = 5"),
        ({"final_attack_cancels": "no"}, "final_attack_cancels = 'no'"),
        ({"deck": "ironman"}, "no deck 'ironman'"),
        ({"deck": "none.toml"}, "none.toml"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], fragment: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(**options)
