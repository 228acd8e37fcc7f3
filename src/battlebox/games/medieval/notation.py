"""Medieval: actions, positions and random outcomes as text.

A card is one character, a pile a string of them (`5a3`), `.` an empty one. Words say what goes to
columns 1, 2, 3: `412`, `-5a`; or which column an event is aimed at, `2`; or which two are swapped,
`13`, `-` for none. Positions: `A deck=5a3 hand=124 cols=5/a3/- beside=C2 B ... stage=reinf
battle=4`, items in any order; DEVELOPERS.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ...core import codecs
from ...core.codecs import Codec, Codecs, fact
from ...core.codes import Lists, code, member
from ...core.notation import DefaultNotation
from ...core.words import WordPart, number_part
from . import rules
from .rules import BESIDE, COLUMNS, HAND, NO_TOTAL, SEATS, Card, Column, Event, Order, Pair, Phase

LETTERS = "AB"  # of the seats
NONE = "."
STAGES = {
    "battle": Phase.BATTLE,
    "aim": Phase.CHOOSE_COLUMN,
    "reinf": Phase.REINF,
    "swap": Phase.SWAP,
}
PAIRS = ("12", "13", "23")
RESULTS = "nAB?x"  # by Result
WRITE = {  # a word of each phase that asks for something
    Phase.CHOOSE_COLUMN: "one of 1, 2, 3",
    Phase.SWAP: "one of 12, 13, 23, -",
    Phase.REINF: "three cards, as in 412, - for none",
}
CARDS = codecs.Cards(Card, Lists("", NONE), rules.CARDS, LETTERS)


def placed(r: Any, cells: Sequence[int]) -> str:
    """Three cards, each 1 + its kind or 0, as a word."""
    return "".join(code(r, Card, x - 1) if x else "-" for x in cells)


def write_order(r: Any, s: Any, order: int) -> str:
    """The hand, each card in its column."""
    cells = [0] * COLUMNS
    for i in range(HAND):
        cells[r.numbers.column[order, i]] = s.hand[s.to_act, i]
    return placed(r, cells)


def read_order(r: Any, s: Any, text: str) -> int:
    """The same; the hand holds just these cards."""
    cells = [0 if x == "-" else 1 + member(r, Card, x) for x in text]
    hand = [s.hand[s.to_act, i] for i in range(HAND)]
    for order, columns in enumerate(r.numbers.column):
        if [cells[c] for c in columns] == hand:
            return order
    held = CARDS.write(r, (x - 1 for x in hand if x))
    raise ValueError(f"your hand is {held}; each card goes to a different column (ME-17)")


# ---- parts of positions -------------------------------------------------------------------------
def hand(p: int) -> Codec:
    """A hand, ascending."""

    def write(r: Any, s: Any) -> str:
        return CARDS.write(r, (s.hand[p, i] - 1 for i in range(s.hand_size[p])))

    def read(r: Any, s: Any, text: str) -> None:
        found = sorted(CARDS.read(r, s, text, p))
        if len(found) > HAND:
            raise ValueError(f"{HAND} cards at most")
        for i, card in enumerate(found):
            s.hand[p, i] = 1 + card
        s.hand_size[p] = len(found)

    return Codec(write, read)


def sealed(p: int) -> Codec:
    """The reinforcements that lie at the columns."""
    cells = CARDS.slots("sealed", p, COLUMNS)

    def read(r: Any, s: Any, text: str) -> None:
        if len(text) != COLUMNS or text == "---":
            raise ValueError("three cards, as in 412, - for none")
        cells.read(r, s, text)
        s.sealed_size[p] = COLUMNS - text.count("-")

    return Codec(lambda r, s: cells.write(r, s) if s.sealed_size[p] else NONE, read)


def columns(p: int) -> Codec:
    """What lies in the columns, bottom first: `5/a3/-`."""

    def column(r: Any, s: Any, c: int) -> str:
        here = [s.field[p, i] for i in range(s.field_size[p]) if s.place[p, i] == c]
        return CARDS.write(r, here).replace(NONE, "-")

    def read(r: Any, s: Any, text: str) -> None:
        found = text.split("/")
        if len(found) != COLUMNS:
            raise ValueError("three columns, as in 5/a3/-")
        for c, cards in enumerate(found):
            for card in CARDS.read(r, s, cards.replace("-", ""), p):
                rules.put(r.numbers, s, p, card, c)

    return Codec(lambda r, s: "/".join(column(r, s, c) for c in range(COLUMNS)), read)


def beside(p: int) -> Codec:
    """Events and the columns beside which they lie, `-` before they have one: `C2T-`."""

    def write(r: Any, s: Any) -> str:
        found = [(s.field[p, i], s.place[p, i] - BESIDE) for i in range(s.field_size[p])]
        return "".join(code(r, Card, x) + "123-"[c] for x, c in found if c >= 0) or NONE

    def read(r: Any, s: Any, text: str) -> None:
        if not re.fullmatch(r"(\w[123-])*", text):
            raise ValueError("events with their columns, as in C2T1")
        for event, column in re.findall(r"(\w)(.)", text):
            (card,) = CARDS.read(r, s, event, p)
            if not r.numbers.event[card]:
                raise ValueError(f"{event} is not an event")
            if column == "-" and not r.numbers.aim[card]:
                raise ValueError(f"{event} lies beside a column")
            rules.lay_beside(r.numbers, s, p, card, BESIDE + "123-".index(column))

    return Codec(write, read)


def swaps(p: int) -> Codec:
    """How many columns may still be swapped."""

    def read(r: Any, s: Any, text: str) -> None:
        if s.phase != Phase.SWAP or not re.fullmatch(r"\d", text) or int(text) > s.swaps[p]:
            raise ValueError("at stage=swap, as many as there are events for it")
        s.swaps[p] = int(text)

    return Codec(lambda r, s: str(s.swaps[p]) if s.phase == Phase.SWAP else NONE, read)


def survivors(s: Any, p: int) -> list[int]:
    """The Survivors of a player, the last one uppermost."""
    return [s.survivors[p, i] for i in range(s.survivors_size[p])]


def read_battle(r: Any, s: Any, text: str) -> None:
    """The number of the battle, which is not yet begun at stage=battle."""
    s.battle = codecs.read_number(text, 1, 999_999) - (s.phase == Phase.BATTLE)


def total(x: int) -> str:
    """A total, `-` without cards."""
    return "-" if x == NO_TOTAL else str(x)


# ---- the whole ----------------------------------------------------------------------------------
class Notation(DefaultNotation):
    """How Medieval is written."""

    cards, brief, unsaid = CARDS, False, NONE
    chance = "shuffle(A:7a2)"
    NO_KEY, NO_PAIR = "no key {!r} in {}", "write A or B, or key=value"
    forms: ClassVar = {
        "{column}": rules.aim,
        "{pair}": rules.swap,
        "-": rules.stay,
        "{order}": rules.reinforce,
    }
    parts: ClassVar = {
        Order: WordPart("...", write_order, read_order, stable=False),
        Column: replace(number_part(1, COLUMNS, ""), pattern="[123]"),
        Pair: WordPart("|".join(PAIRS), lambda r, s, x: PAIRS[x], lambda r, s, x: PAIRS.index(x)),
    }
    codecs: ClassVar[Codecs] = {
        "stage": codecs.named("phase", STAGES, "battle", usual="battle", fact=False),
        "battle": Codec(lambda r, s: str(max(1, s.battle)), read_battle, usual="1"),
        "{}.deck": lambda p: CARDS.piled("deck", p, size="deck_size", down=True),
        "{}.surv": lambda p: replace(
            CARDS.piled("survivors", p, size="survivors_size"),
            write=lambda r, s: CARDS.write(r, sorted(survivors(s, p))),
        ),
        "{}.grave": lambda p: CARDS.counted("graveyard", p),
        "{}.hand": hand,
        "{}.sealed": sealed,
        "{}.cols": columns,
        "{}.beside": beside,
        "{}.swaps": swaps,
        "{}.totals": lambda p: fact(
            lambda r, s: ",".join(total(s.total[p, c]) for c in range(COLUMNS))
        ),
        "last.totals": fact(
            lambda r, s: (
                ",".join(
                    ":".join(total(s.last_total[p, c]) for p in range(SEATS))
                    for c in range(COLUMNS)
                )
                if s.fought
                else NONE
            )
        ),
        "last.result": fact(
            lambda r, s: "".join(RESULTS[x] for x in s.last_result) if s.fought else NONE
        ),
    }

    def not_an_action(self, r: Any, s: Any, word: str) -> str:
        return f"{word!r} is not an action: write {WRITE[s.phase]}"

    def drawn(self, r: Any, text: str) -> None:
        return None

    def argument(self, r: Any, told: Any, name: str) -> str:
        """Columns are 1, 2, 3, an order is 213."""
        value = told.args[name]
        if name == "order":
            return "".join(str(r.numbers.column[value, i] + 1) for i in range(HAND))
        if name in ("one", "two", "three"):
            return placed(r, [value])
        if name == "column" or (name == "other" and told.event == Event.SWAPPED):
            return str(value + 1) if value < COLUMNS else "-"
        return code(r, Card, value) if name == "card" else str(value)

    def facts(self, r: Any, s: Any) -> dict[str, str]:
        rules.weigh(r.numbers, s)
        return super().facts(r, s)

    def check(self, r: Any, s: Any) -> Iterator[str]:
        stage = next(x for x, phase in STAGES.items() if phase == s.phase)
        for p, a in enumerate(LETTERS):
            held = s.hand_size[p] or s.sealed_size[p]
            if stage == "battle" and (held or s.field_size[p]):
                yield f"{a}: before a battle hand and battlefield are empty"
            if stage != "reinf" and held:
                yield f"{a}: at stage={stage} nobody has a hand, nor has placed it"
            if stage != "aim" and s.aims[p]:
                yield f"{a} beside=: an event without a column is there at stage=aim"
        first = rules.first_to_place(s)
        second = 1 - first
        a, b = LETTERS[first], LETTERS[second]
        if s.sealed_size[second]:
            yield f"{b}: once {b} has placed cards nothing is sealed any more"
        if s.sealed_size[first] and (s.hand_size[first] or not s.hand_size[second]):
            yield f"{a}: sealed= is there while {b} decides, and {a}'s hand empty"
        s.to_act = second if s.sealed_size[first] else first
