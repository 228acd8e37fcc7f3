"""Decks of one's own: what they change, what is refused, and why."""

from __future__ import annotations

import pickle
import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games.war_zone.testing import at, health, load, play_on

DEVELOPERS = (Path(__file__).parent / "DEVELOPERS.md").read_text(encoding="utf-8")


def attack_entry(id: str, code: str, **changes: Any) -> dict[str, Any]:
    entry = {"id": id, "code": code, "name": id.title(), "count": 4, "damage": 3}
    return {**entry, "blocked_by": ["d0"], "counteraction": ["a0"], **changes}


def toml(attacks: list[dict[str, Any]], defences: list[dict[str, Any]]) -> str:
    def value(x: Any) -> str:
        return repr(x).replace("'", '"') if not isinstance(x, bool) else str(x).lower()

    lines = ['name = "Mine"']
    for head, entries in (("attack", attacks), ("defence", defences)):
        for e in entries:
            lines += [f"[[{head}]]", *(f"{k} = {value(v)}" for k, v in e.items())]
    return "\n".join(lines) + "\n"


def own_deck(**changes: Any) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """12 attacks A0 .. AB of 3 damage, 8 defences D0 .. D7; `changes` by id."""
    attacks = [attack_entry(f"a{i}", f"A{i:X}") for i in range(12)]
    defences: list[dict[str, Any]] = [
        {"id": f"d{i}", "code": f"D{i}", "name": f"Defence {i}", "count": 3} for i in range(8)
    ]
    for e in [*attacks, *defences]:
        e.update(changes.get(e["id"], {}))
    return attacks, defences


DECK = toml(
    *own_deck(
        a1={
            "blocked_by": ["d1", "d7"],
            "counteraction": ["a0", "a11"],
            "bonus_health": 2,
            "bonus_damage": 4,
        },
        a2={"counteraction": ["d3"], "bonus_damage": 1, "damage": 7},
        a3={"counteraction": ["a3"], "bonus_health": 5},
        a4={"count": 0},
        a5={"blocked_by": "d6", "counteraction": "a4"},
    )
)


def test_a_deck_of_other_size_has_other_action_numbers() -> None:
    """12 attacks, 8 defences: 1 + 5 * 12 + 8 + 20 = 89 actions."""
    rules = load(deck=DECK, players=3)
    assert rules.plain().num_actions == 89
    m = rules.match(1, position="wz1 n=3 hs=2 ph=ATTACK turn=1 hand1=A1.AB hand2=D7.D2 deck=D0.D0")
    # seat 2 sits next to seat 1 (k = 1), seat 0 after it (k = 2): 1 + 5a + (k - 1)
    assert dict(zip(m.legal_words(), m.legal_actions, strict=True)) == {
        "pass": 0,
        "A1>2": 1 + 5 * 1,
        "A1>0": 1 + 5 * 1 + 1,
        "AB>2": 1 + 5 * 11,
        "AB>0": 1 + 5 * 11 + 1,
    }
    m.submit(1, 1 + 5 * 1)
    assert dict(zip(m.legal_words(), m.legal_actions, strict=True)) == {"pass": 0, "D7": 1 + 60 + 7}
    m.submit(2, "pass")
    # seat 1 holds AB and the D0 it drew: 1 + 60 + 8 + kind, defences are kinds 12 and on
    assert dict(zip(m.legal_words(), m.legal_actions, strict=True)) == {
        "pass": 0,
        "cAB": 69 + 11,
        "cD0": 69 + 12,
    }


@pytest.mark.parametrize("defence", ["D1", "D7"])
def test_several_blockers(defence: str) -> None:
    """WZ-23: any defence that the attack lists stops it, no other."""
    m = at("wz1 n=2 hs=4 ph=ATTACK hand0=A1 hand1=D0.D1.D6.D7", deck=DECK)
    m.submit(0, "A1>1")
    assert m.legal_words() == ["pass", "D1", "D7"]
    m.submit(1, defence)
    assert health(m) == "20.20"


@pytest.mark.parametrize(("last", "bonus"), [("A0", 1), ("AB", 1), ("A1", 0), ("D3", 0)])
def test_several_counteractions(last: str, bonus: int) -> None:
    """W43: any one of them makes a counter-attack; 3 damage, and 4 and 2 health with the bonus."""
    m = at(f"wz1 n=2 hs=2 ph=ATTACK hand0=A1.A1 hand1=D0 last={last}@1", deck=DECK)
    m.submit(0, "A1>1")
    m.submit(1, "pass")
    assert health(m) == ("22.13" if bonus else "20.17")


def test_a_defence_as_counteraction() -> None:
    """W23, WZ-42: an opponent's defence, if it was the last card; one's own is none."""
    m = at("wz1 n=2 hs=2 ph=ATTACK hand0=A2.A2 last=D3@1", deck=DECK)
    m.submit(0, "A2>1")
    m.submit(1, "pass")
    assert health(m) == "20.12"
    m = at("wz1 n=2 hs=2 ph=ATTACK hand0=A2.A2 last=D3@0", deck=DECK)
    m.submit(0, "A2>1")
    m.submit(1, "pass")
    assert health(m) == "20.13"


def test_a_copy_that_is_a_counter_attack() -> None:
    """W42: Variant 2 pays 1 at once, the bonus of 5 comes with the hit."""
    m = at("wz1 n=2 hs=2 ph=ATTACK health=5.20 hand0=A3.A3 last=A3@1 latk=A3", deck=DECK, v2=True)
    m.submit(0, "A3>1")
    assert health(m) == "6.20"
    m.submit(1, "pass")
    assert health(m) == "11.17"


def test_own_deck_plays() -> None:
    """Cards of count 0 never turn up; 44 attacks and 24 defences are 68 cards."""
    rules = load(deck=DECK, players=4, cycle=2, v2=True)
    for seed in range(3):
        m = rules.match(seed=seed)
        play_on(m, 1000, seed)
        assert m.over
        f = m.facts()
        places = [f[f"hand{p}"] for p in range(4)] + [f["deck"], f["disc"]]
        cards = [c for x in places if x != "-" for c in x.split(".")]
        assert Counter(cards) == {c.code: c.count for c in rules.names.cards if c.count}
        assert len(cards) == 68


def test_decks_by_path_by_text_and_in_developers_md(tmp_path: Path) -> None:
    """WZ-41: a deck in which every attack names a counteraction is taken."""
    file = tmp_path / "mine.toml"
    file.write_text(DECK, encoding="utf-8")
    assert load(deck=str(file)).digest == load(deck=DECK).digest != load().digest
    example = re.search(r"```toml\n(.+?)```", DEVELOPERS, re.S)
    assert example
    names = load(deck=example[1]).names
    assert [c.code for c in names.cards] == ["IF", "GR", "BW"]
    assert names.attack[0].counteraction == ["grenade", "barbed_wire"]
    assert names.attack[1].blocked_by == ["barbed_wire"]


def wrong(**changes: Any) -> str:
    return toml(*own_deck(**changes))


def without(id: str, key: str) -> str:
    attacks, defences = own_deck()
    next(e for e in [*attacks, *defences] if e["id"] == id).pop(key)
    return toml(attacks, defences)


def many_kinds() -> str:
    attacks, _ = own_deck()
    defences = [{"id": f"d{i}", "code": f"D{i}", "name": f"D {i}", "count": 1} for i in range(21)]
    return toml(attacks, defences)


@pytest.mark.parametrize(
    ("deck", "fragments"),
    [
        (wrong(a1={"colour": "red"}), ["A1, line 18: 'colour' is not known; known: id, code"]),
        (
            wrong(a1={"bonus_helth": 1}),
            ["A1, line 18: 'bonus_helth' is not known; did you mean 'bonus_health'?"],
        ),
        ('title = "x"\n' + DECK, ["'title' is not known"]),
        (without("a2", "damage"), ["A2, line 18: 'damage' is missing"]),
        (without("a2", "counteraction"), ["A2, line 18: 'counteraction' is missing"]),
        (without("a2", "blocked_by"), ["A2, line 18: 'blocked_by' is missing"]),
        (without("d2", "count"), ["Defence 2, line 108: 'count' is missing"]),
        (wrong(a0={"count": "four"}), ['A0, line 6: count "four"; 0 to 120']),
        (wrong(a0={"count": 4.0}), ["A0, line 6: count 4.0; 0 to 120"]),
        (wrong(a0={"count": True}), ["A0, line 6: count true; 0 to 120"]),
        (wrong(a0={"count": -1}), ["A0, line 6: count -1; 0 to 120"]),
        (wrong(a0={"damage": 1000}), ["A0, line 7: damage 1000; 0 to 999"]),
        (wrong(a0={"code": "if"}), ['A0, line 4: code "if"; 1 to 4 capital letters and digits']),
        (wrong(a0={"id": "A 0"}), ['A0, line 3: id "A 0"; a small letter']),
        (wrong(a0={"name": ""}), ['a0, line 5: name ""; 1 to 40 characters']),
        (wrong(d0={"damage": 3}), ["Defence 0, line 103: 'damage' is not known"]),
        (
            wrong(a1={"blocked_by": []}),
            ["A1, line 16: blocked_by is empty; an id or a list of ids"],
        ),
        (wrong(a1={"counteraction": []}), ["A1, line 17: counteraction is empty"]),
        (
            wrong(a1={"blocked_by": ["d00"]}),
            ["A1, line 16: blocked_by: no defence", "'d00'", "did you mean 'd0'"],
        ),
        (wrong(a1={"blocked_by": ["a2"]}), ["A1, line 16: blocked_by: no defence", "'a2'"]),
        (wrong(a1={"counteraction": ["a99"]}), ["A1, line 17: counteraction: no card", "'a99'"]),
        (wrong(a1={"id": "a2"}), ["two cards have the id 'a2'"]),
        (wrong(d1={"id": "a2"}), ["two cards have the id 'a2'"]),
        (wrong(d1={"code": "A2"}), ["two cards have the code 'A2'"]),
        (wrong(d1={"name": "A2"}), ["two cards have the name 'A2'"]),
        (many_kinds(), ["33 kinds of cards; 32 at most"]),
        (wrong(a0={"count": 100}), ["168 cards; 120 at most"]),
        (toml([], own_deck()[1]), ["attack"]),
        (toml(own_deck()[0], []), ["defence"]),
        ("name = \n", ["not a TOML file", "line 1"]),
        ("\n", ["attack", "missing"]),
    ],
)
def test_wrong_decks_are_explained(deck: str, fragments: list[str]) -> None:
    """WZ-41, W39: and each of the other checks."""
    with pytest.raises(bb.RulesetError) as e:
        load(deck=deck)
    for fragment in ["deck", *fragments]:
        assert fragment in str(e.value)


def test_a_deck_too_small_for_its_players() -> None:
    """W39: 2 players with 6 cards and one to spare each need 14."""
    a, d = own_deck()
    small = toml(
        [{**x, "count": 0} for x in a[1:]] + [{**a[0], "count": 10}], [{**d[0], "count": 3}]
    )
    with pytest.raises(bb.RulesetError, match="has 13 cards; 2 players with 6 cards each need 14"):
        load(deck=small)
    load(deck=small, hand_size=5)


def test_deck_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "wrong.toml").write_text("name = 1\n", encoding="utf-8")
    for name in ("folder.toml", "bytes.toml", "missing.toml", "wrong.toml"):
        with pytest.raises(bb.RulesetError, match=re.escape(name)):
            load(deck=str(tmp_path / name))
    with pytest.raises(bb.RulesetError, match="did you mean 'warzone-half'"):
        load(deck="warzone-haf")


@pytest.mark.parametrize("how", ["text", "path with blanks"])
def test_records_with_an_own_deck(how: str, tmp_path: Path) -> None:
    file = tmp_path / "my own deck.toml"
    file.write_text(DECK, encoding="utf-8")
    text = load(deck=DECK if how == "text" else str(file)).match(seed=1).record()
    again = bb.replay(text)
    assert bb.replay(again.record()).digest() == again.digest()


def test_a_deck_that_heals_999() -> None:
    """W1: no cap; a bonus of 999 health each is a deck that is let in."""
    deck = wrong(a1={"counteraction": ["a1"], "bonus_health": 999, "damage": 0})
    cards = ".".join(["A1"] * 62)
    m = at(f"wz1 n=2 hs=1 ph=ATTACK hand0=A1 hand1=A1 deck={cards}", deck=deck, cycle=0)
    m.submit(0, "A1>1")  # the first is no counter-attack, all others are
    m.submit(1, "pass")
    for k in range(1, 71):
        m.submit(k % 2, f"A1>{1 - k % 2}")
        m.submit(1 - k % 2, "pass")
    assert health(m) == f"{20 + 35 * 999}.{20 + 35 * 999}"


@pytest.mark.parametrize(
    "deck",
    ["~nosuchuser/x.toml", "\0.toml", "a = " + "[" * 20000 + "\n", "a = " + "9" * 5000 + "\n"],
    ids=["home", "nul", "nested", "digits"],
)
def test_odd_decks_get_an_error_of_ours(deck: str) -> None:
    with pytest.raises(bb.RulesetError, match="deck"):
        load(deck=deck)


def big_deck(n: int) -> str:
    """The deck of this folder with so many kinds of defence more."""
    text = (Path(__file__).parent / "decks" / "warzone-default.toml").read_text(encoding="utf-8")
    more = "".join(
        f'\n[[defence]]\nid = "x{k}"\ncode = "X{k}"\nname = "X{k}"\ncount = 2\n' for k in range(n)
    )
    return text + more


def test_the_laws_hold_at_other_sizes() -> None:
    laws.check(load(deck=big_deck(1)), 1, compiled=False)


def test_a_game_at_other_sizes_makes_the_same_rulesets() -> None:
    sized = load(deck=big_deck(1))
    assert sized.game.ruleset({"players": 2}).digest == load().digest
    again = sized.game.ruleset({"players": 2, "deck": big_deck(1)})
    assert (again.digest, again.game) == (sized.digest, sized.game)


def test_a_few_cards_more_are_no_new_size() -> None:
    def deck(count: int) -> str:
        return big_deck(1).replace("count = 2\n", f"count = {count}\n")

    assert load(deck=deck(3)).game is load(deck=deck(5)).game


def test_threads_may_load_the_same_new_size() -> None:
    start, found = threading.Barrier(4), list[Any]()

    def load_one() -> None:
        start.wait()
        found.append(load(deck=big_deck(5)).game)

    threads = [threading.Thread(target=load_one) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_a_pickle_holds_the_deck_and_not_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(big_deck(1), encoding="utf-8")
    rules = load(deck=str(path))
    path.unlink()
    assert pickle.loads(pickle.dumps(rules)).digest == rules.digest
    assert "\n" not in repr(load(deck=big_deck(1)))
