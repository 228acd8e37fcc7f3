"""Words, positions and decks of Medieval: what they say, what is refused, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games.medieval.testing import COURT, at, load, walk

DEVELOPERS = (Path(__file__).parent / "DEVELOPERS.md").read_text(encoding="utf-8")
REINF = "A cols=5/5/5 hand=123 deck=444 B cols=5/5/5 hand=456 deck=444 stage=reinf"


# ---- words ----
@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "write three cards"),
        ("12", "write three cards"),
        ("1234", "write three cards"),
        ("12?", "no card has the code '\\?'"),
        ("12-", "your hand is 123"),
        ("122", "your hand is 123"),
        ("456", "your hand is 123"),
        ("---", "your hand is 123"),
    ],
)
def test_wrong_words_are_refused(word: str, message: str) -> None:
    """ME-17."""
    m = at(REINF)
    before = m.digest()
    with pytest.raises(bb.InvalidWord, match=message):
        m.submit(0, word)
    assert m.digest() == before


def test_the_numbers_of_the_actions() -> None:
    m = at(REINF)
    assert m.legal_words() == ["123", "132", "213", "312", "231", "321"]
    assert m.legal_actions == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    "word", ["", "7", "shuffle()", "shuffle(C:77)", "shuffle(A:7?)", "shuffle(A:7Z)"]
)
def test_wrong_outcomes_are_refused(word: str) -> None:
    r = load()
    with pytest.raises(bb.InvalidWord):
        r.game.notation.outcome(r, word)


# ---- positions ----
@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("deck=55", "whose\\? Write A or B"),
        ("A deck", "write A or B, or key=value"),
        ("C deck=5", "'C': write A or B"),
        ("A deck=5 deck=6", "A.deck is written twice"),
        ("A dekc=5", "no key 'dekc'"),
        ("A deck=5Z", "A deck=5Z: no card has the code 'Z'"),
        ("A deck=" + "5" * 73, "A: more than 72 cards"),
        ("A hand=1234 stage=reinf", "hand=1234: 3 cards at most"),
        ("A hand=1", "before a battle hand and battlefield are empty"),
        ("A cols=5/-/-", "before a battle"),
        ("A cols=5/5 stage=reinf", "cols=5/5: three columns"),
        ("B beside=C stage=reinf", "beside=C: events with their columns"),
        ("B beside=C4 stage=reinf", "beside=C4"),
        ("B beside=51 stage=reinf", "5 is not an event"),
        ("A sealed=12 stage=reinf", "sealed=12: three cards"),
        ("A sealed=--- stage=reinf", "sealed=---"),
        ("A sealed=123 stage=reinf", "sealed= is there while B decides"),
        ("A sealed=123 hand=1 B hand=1 stage=reinf", "A's hand empty"),
        ("B sealed=123 stage=reinf", "once B has placed"),
        ("stage=later", "stage=later: one of battle, aim, reinf, swap"),
        ("A hand=1 stage=aim", "at stage=aim nobody has a hand"),
        ("A sealed=123 stage=swap", "at stage=swap nobody has a hand, nor has placed it"),
        ("A beside=A- stage=aim", "A lies beside a column"),
        ("A swaps=1 stage=swap", "A swaps=1: at stage=swap, as many as there are events for it"),
        ("battle=0", "battle=0"),
        ("battle=x", "battle=x"),
    ],
)
def test_wrong_positions_are_refused(position: str, message: str) -> None:
    """H25."""
    with pytest.raises(bb.PositionError, match=message):
        at(position)
    m = at(REINF)
    before = m.digest()
    with pytest.raises(bb.PositionError):
        m.load(position)
    assert m.digest() == before


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ("A beside=A- stage=reinf", "beside=: an event without a column is there at stage=aim"),
        ("A beside=A- stage=swap", "an event without a column is there at stage=aim"),
        ("A beside=F- stage=aim", "F lies beside a column"),
        ("A beside=F1 swaps=2 stage=swap", "swaps=2: at stage=swap, as many as there are"),
        ("A beside=F1 swaps=-1 stage=swap", "swaps=-1: at stage=swap"),
        ("A beside=F1 swaps=1 stage=reinf", "swaps=1: at stage=swap"),
        ("B beside=S1 sealed=123 hand=4 A hand=1 stage=reinf", "once B has placed"),
        ("B sealed=123 A hand=1 stage=reinf", "once B has placed"),
        ("A beside=S1 sealed=123 B hand=1 stage=reinf", "once A has placed"),
        ("A beside=S1 B sealed=123 stage=reinf", "is there while A decides, and B's hand empty"),
    ],
)
def test_wrong_positions_with_the_court_are_refused(position: str, message: str) -> None:
    """H25, H26, H27, H28."""
    with pytest.raises(bb.PositionError, match=message):
        at(position, **COURT)


def test_the_words_for_columns() -> None:
    """H26, H27: their numbers; what is no such word is refused and changes nothing."""
    aims = at("A deck=A555 B deck=555", **COURT)
    swaps = at("A cols=1/2/3 beside=F1 deck=4 B cols=5/5/5 deck=4 stage=swap", **COURT)
    assert (aims.legal_words(), aims.legal_actions) == (["1", "2", "3"], (6, 7, 8))
    assert (swaps.legal_words(), swaps.legal_actions) == (["12", "13", "23", "-"], (9, 10, 11, 12))
    for m, wrong in ((aims, ("4", "12", "-", "")), (swaps, ("21", "1", "123", "11", ""))):
        before = m.digest()
        for word in wrong:
            with pytest.raises(bb.InvalidWord, match="is not an action: write one of 1"):
                m.submit(0, word)
        assert m.digest() == before


@pytest.mark.parametrize("options", [{}, COURT], ids=str)
def test_positions_round_trip(options: dict[str, Any]) -> None:
    """H25."""
    for m in walk(9, **options):
        if not m.over:
            again = at(m.write_position(), **options)
            assert again.write_position() == m.write_position()
            assert (again.legal_words(), again.to_act) == (m.legal_words(), m.to_act)
            same = {k: v for k, v in m.facts().items() if not k.startswith("last")}
            assert same.items() <= again.facts().items()


def test_a_position_need_not_hold_72_cards() -> None:
    """H25: its cards are all there are."""
    m = at(REINF)
    assert m.scene(0).zone("seat:0").facts["points_of"] == 9


# ---- decks ----
def card(**changes: Any) -> str:
    """A `[[card]]` of 72 Spearmen, with changes; a value that is None is left out."""
    entry: dict[str, Any] = {"id": "spearman", "code": "4", "name": "Spearman", "kind": "fighter"}
    entry |= {"value": 4, "count": 72} | changes
    lines = []
    for k, v in entry.items():
        if v is not None:
            text = v if isinstance(v, str) and v[:1] in ("{", "[") else repr(v).replace("'", '"')
            lines.append(f"{k} = {'true' if v is True else text}")
    return "\n".join(["[[card]]", *lines, ""])


EVENT = {"id": "cry", "code": "C", "name": "Cry", "kind": "event", "value": None}
ADDS = '{ op = "own_columns_add", n = 1 }'
AIMED = "own_columns_add is not of one column: choose_column goes with own_column_add, negate"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'x'\n", "'card' is missing"),
        ("[[cards]]\n", "'cards' is not known; did you mean 'card'"),
        (card(cuont=1), r"Spearman, line 8: 'cuont' is not known; did you mean 'count'"),
        (card(count=None), "Spearman, line 1: 'count' is missing"),
        (card(count=71), "71 cards; a deck has 72 .*, unless it says custom = true"),
        ("custom = true\n" + card(count=5), r"deck: 5 cards; a battle takes 6 \(ME-7, ME-14\)"),
        ("custom = true\n" + card(count=121), "count 121; 0 to 120"),
        (
            "custom = true\n" + card(count=100) + card(id="x", code="5", name="x", count=21),
            "deck: 121 cards; 120 at most",
        ),
        (card(**{**EVENT, "effect": ADDS}), "events alone; a battle needs fighters"),
        (card(count=-1), "Spearman, line 7: count -1; 0 to 120"),
        (card(value=21), "line 6: value 21; 0 to 20"),
        (card(value="4"), 'line 6: value "4"; 0 to 20'),
        (card(kind="soldier"), 'line 5: kind "soldier"; fighter, character or event'),
        (card(code="44"), 'line 3: code "44"; a letter or a digit'),
        (card(code="-"), 'line 3: code "-"; a letter or a digit'),
        (card(id="Spear"), 'line 2: id "Spear"; a small letter'),
        (
            card().replace("Spearman", "a\\u001bb"),
            r'spearman, line 4: name "a.u001bb"; only.*can be printed',
        ),
        (card(count=36) + card(count=36, code="5", name="x"), "two cards have the id 'spearman'"),
        (card(count=36) + card(count=36, id="x", name="x"), "two cards have the code '4'"),
        (card(count=36) + card(count=36, id="x", code="5"), "two cards have the name 'Spearman'"),
        (card(effect='{ op = "fly" }'), 'line 8: effect.op "fly"; play_another, col'),
        (card(effect='{ op = "column_bonus" }'), "column_bonus needs n"),
        (card(effect='{ op = "column_bonus", n = 10 }'), "line 8: effect.n 10; -9 to 9"),
        (card(effect='{ op = "play_another", n = 1 }'), "play_another takes no n"),
        (card(effect='{ op = "king_bonus", n = 5 }'), "no card has king = true"),
        (card(effect=ADDS), "Spearman, line 8: effect: an event, and only an event"),
        (card(**EVENT), "Cry, line 1: effect: an event, and only an event"),
        (
            card(**{**EVENT, "effect": '{ op = "play_another" }'}),
            "Cry, line 7: effect: an event, and only",
        ),
        (card(**{**EVENT, "value": 1, "effect": ADDS}), "Cry, line .: .*: an event has no value"),
        (card(**{**EVENT, "king": True, "effect": ADDS}), "Cry, line .: .*: an event has no value"),
        (card(effect='{ op = "assassinate" }'), "Spearman, line 8: effect: only a character has"),
        (card(effect='{ op = "save_column" }'), "Spearman, line 8: effect: only a character has"),
        (card(effect='{ op = "spy" }'), "Spearman, line 8: effect: an event, and only an event"),
        (
            card(**{**EVENT, "effect": '{ op = "assassinate" }'}),
            "Cry, line 7: effect: an event, and only",
        ),
        (card(**{**EVENT, "effect": '{ op = "spy", n = 1 }'}), "spy takes no n"),
        (card(**{**EVENT, "effect": ADDS.replace("n = 1", "n = 1, choose_column = true")}), AIMED),
        (
            card(effect='{ op = "column_bonus", n = 1, choose_column = true }'),
            "column_bonus is not of one column",
        ),
        (card(effect=f"[{ADDS}, {ADDS}]"), "line 8: effect is not valid; a table"),
        ("[[card]\n", "not a TOML file"),
    ],
)
def test_wrong_decks_are_refused(text: str, message: str) -> None:
    with pytest.raises(bb.RulesetError, match=message):
        load(deck=text)


def test_too_many_kinds() -> None:
    codes = [*map(chr, range(48, 58)), *map(chr, range(65, 91)), *map(chr, range(97, 123))]
    one = [card(id=f"c{i}", code=x, name=f"N{i}", count=1) for i, x in enumerate(codes[:61])]
    with pytest.raises(bb.RulesetError, match="61 kinds of cards; 60 at most"):
        load(deck="".join(one))


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("medieval-defalt", "did you mean 'medieval-default'"),
        ("/no/such.toml", "/no/such.toml: No such"),
    ],
)
def test_missing_decks(deck: str, message: str) -> None:
    with pytest.raises(bb.RulesetError, match=message):
        load(deck=deck)


def of_size(kinds: int, count: int, more: str = "") -> str:
    """A deck of so many kinds of fighters, each so many times."""
    codes = [*map(chr, range(48, 58)), *map(chr, range(65, 91)), *map(chr, range(97, 123))]
    some = [
        card(id=f"c{i}", code=codes[i], name=f"N{i}", count=count, value=i % 9)
        for i in range(kinds)
    ]
    return "custom = true\n" + "".join(some) + more


SIZES = {
    "the smallest": of_size(1, 6),
    "six kinds": of_size(6, 1),
    "a few less than usual": of_size(3, 23),
    "a few more than usual": of_size(4, 19),
    "the largest": of_size(60, 2),
}


@pytest.mark.parametrize("deck", SIZES.values(), ids=list(SIZES))
def test_decks_of_any_size(deck: str) -> None:
    """ME-1: the laws hold, in a record, a position and a scene as well."""
    laws.check(load(deck=deck), 1, compiled=False, decisions=30)
    laws.check(load(deck=deck, deadlock="both_survive", max_battles=9), 1, compiled=False)


@pytest.mark.slow
@pytest.mark.compiled
def test_both_builds_of_a_deck_of_another_size() -> None:
    """ME-59: conservation, hiding and the end; both builds give the same bytes. Of one size, as
    each is compiled anew.
    """
    rules = load(deck=SIZES["the largest"])
    laws.audit(rules, 3, compiled=False)
    laws.check(rules, 1, decisions=20)


def test_the_deck_of_developers_md_plays() -> None:
    text = DEVELOPERS.split("```toml\n")[1].split("```")[0]
    m = load(deck=text).match(1)
    assert m.rules.game.base is not None  # at another size
    while m.to_act is not None:
        m.submit(m.to_act, m.legal_actions[-1])
    assert set(m.facts()["A.grave"] + m.facts()["A.surv"] + m.facts()["A.deck"]) <= set("4kC.")
    again = bb.replay(m.record())
    assert again.digest() == m.digest()


def test_a_deck_file_plays(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(card(), encoding="utf-8")
    m = load(deck=str(path)).match(1)
    assert m.legal_words() == ["444"]
    m.submit(0, "444")
    m.submit(1, "444")
    assert (m.over, m.returns) == (True, (0.0, 0.0))  # ties to the last card
