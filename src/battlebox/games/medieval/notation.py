"""Medieval: actions, positions and random outcomes as text.

A card is one character, a pile a string of them (`5a3`), `.` an empty one. Words say what goes to
columns 1, 2, 3: `412`, `-5a`; or which column an event is aimed at, `2`; or which two are swapped,
`13`, `-` for none. Positions: `A deck=5a3 hand=124 cols=5/a3/- beside=C2 B ... stage=reinf
battle=4`, items in any order; README.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...core.errors import InvalidWord, PositionError
from ...core.rules import move_of
from .rules import (
    BESIDE,
    CARDS,
    COLUMNS,
    HAND,
    KINDS,
    NO_TOTAL,
    SEATS,
    UNAIMED,
    Event,
    Phase,
    Result,
    aim,
    first_to_place,
    lay_beside,
    put,
    stay,
    swap,
    weigh,
)

NAMES = "AB"  # of the seats
KEYS = ("deck", "surv", "grave", "hand", "sealed", "cols", "beside", "swaps")
STAGES = {
    "battle": Phase.BATTLE,
    "aim": Phase.CHOOSE_COLUMN,
    "reinf": Phase.REINF,
    "swap": Phase.SWAP,
}
AIM, SWAP, STAY = move_of(aim).at, move_of(swap).at, move_of(stay).at
RESULTS = {Result.NOBODY: "n", Result.A: "A", Result.B: "B", Result.DEADLOCK: "x"}


def code(r: Any, card: int) -> str:
    """The code of a kind of card, such as 5."""
    return str(r.names.card[card].code)


def kind(r: Any, text: str) -> int:
    """The kind of card with this code. ValueError if there is none."""
    for i, c in enumerate(r.names.card):
        if c.code == text:
            return i
    raise ValueError(f"no card has the code {text!r}")


def items(value: str) -> Sequence[str]:
    """The members of a pile: `5a3`, `.` for none."""
    return [] if value == "." else list(value)


def _cards(r: Any, text: str) -> list[int]:
    return [kind(r, c) for c in items(text)]


def _pile(r: Any, cards: Sequence[int], empty: str = ".") -> str:
    return "".join(code(r, c) for c in cards) or empty


def _counted(r: Any, counts: Sequence[int]) -> str:
    return _pile(r, [k for k in range(KINDS) for _ in range(counts[k])])


def _hand(s: Any, p: int) -> list[int]:
    """The kinds in a hand."""
    return [s.hand[p, i] - 1 for i in range(s.hand_size[p])]


def _placed(r: Any, cells: Sequence[int]) -> str:
    """Three cards, each 1 + its kind or 0, as a word."""
    return "".join(code(r, x - 1) if x else "-" for x in cells)


# ---- actions ------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action of the seat to act."""
    if s.phase != Phase.REINF:
        return _words_of_columns(r, s)[action]
    cells = [0] * COLUMNS
    for i in range(HAND):
        cells[r.numbers.column[action, i]] = s.hand[s.to_act, i]
    return _placed(r, cells)


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
    if s.phase != Phase.REINF:
        words = _words_of_columns(r, s)
        for number, known in words.items():
            if word == known:
                return number
        raise InvalidWord(f"{word!r} is not an action: write one of {', '.join(words.values())}")
    if len(word) != COLUMNS:
        raise InvalidWord(f"{word!r} is not an action: write three cards, as in 412, - for none")
    try:
        cells = [0 if x == "-" else 1 + kind(r, x) for x in word]
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None
    hand = [s.hand[s.to_act, i] for i in range(HAND)]
    for number, order in enumerate(r.numbers.column):
        if [cells[c] for c in order] == hand:
            return number
    held = _pile(r, _hand(s, s.to_act))
    raise InvalidWord(
        f"{word!r}: your hand is {held}; each card goes to a different column (ME-17)"
    )


def _words_of_columns(r: Any, s: Any) -> dict[int, str]:
    """The words for columns: an event is aimed at one, or two are swapped, or none."""
    if s.phase == Phase.CHOOSE_COLUMN:
        return {AIM + c: str(c + 1) for c in range(COLUMNS)}
    pairs = {SWAP + i: "".join(str(c + 1) for c in pair) for i, pair in enumerate(r.numbers.pair)}
    return pairs | {STAY: "-"}


def outcome(r: Any, word: str) -> list[int]:
    """A random outcome: shuffle(A:7a2), the new deck of a player, top first."""
    parts = re.fullmatch(r"shuffle\([AB]:([A-Za-z0-9]+)\)", word)
    if not parts:
        raise InvalidWord(f"{word!r} is not a random outcome: write shuffle(A:7a2)")
    try:
        return _cards(r, parts[1])
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios: columns are 1, 2, 3, an order is 213."""
    value = told.args[name]
    if name == "card":
        return code(r, value)
    if name == "order":
        return "".join(str(r.numbers.column[value, i] + 1) for i in range(HAND))
    if name in ("one", "two", "three"):
        return code(r, value - 1) if value else "-"
    if name == "column" or (name == "other" and told.event == Event.SWAPPED):
        return str(value + 1) if value < COLUMNS else "-"
    return str(value)


# ---- positions ----------------------------------------------------------------------------------
def players(position: str) -> int:
    """How many play in this position: always two."""
    _keys(position)
    return SEATS


def _keys(position: str) -> dict[str, str]:
    """All items, those of a player as `A.deck`."""
    found, seat = dict[str, str](), ""
    for w in position.split():
        if w in NAMES:
            seat = w
            continue
        key, equals, value = w.partition("=")
        if not equals:
            raise PositionError(f"position: {w!r}: write A or B, or key=value")
        if key in KEYS:
            if not seat:
                raise PositionError(f"position: {w!r}: whose? Write A or B before it")
            key = f"{seat}.{key}"
        elif key not in ("stage", "battle"):
            known = ", ".join(KEYS)
            raise PositionError(f"position: no key {key!r}; known: {known}, stage, battle")
        if key in found:
            raise PositionError(f"position: {key} is written twice")
        found[key] = value
    return found


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    keys = _keys(position)
    stage, battle = keys.get("stage", "battle"), keys.get("battle", "1")
    if stage not in STAGES:
        raise PositionError(f"position: stage={stage}: one of {', '.join(STAGES)}")
    if not re.fullmatch(r"[1-9]\d{0,5}", battle):
        raise PositionError(f"position: battle={battle}: a number from 1 on")
    s.phase = STAGES[stage]
    s.battle = int(battle) - (stage == "battle")
    for p, name in enumerate(NAMES):
        where = f"position: {name}"
        _read_player(r, s, p, {k: keys.get(f"{name}.{k}", "") for k in KEYS}, where)
        _check_stage(s, p, stage, where)
        if swaps := keys.get(f"{name}.swaps", "").strip("."):
            if stage != "swap" or not re.fullmatch(r"\d", swaps) or int(swaps) > s.swaps[p]:
                raise PositionError(
                    f"{where} swaps={swaps}: at stage=swap, as many as there are events for it"
                )
            s.swaps[p] = int(swaps)
    first = first_to_place(s)
    second = 1 - first
    a, b = NAMES[first], NAMES[second]
    if s.sealed_size[second]:
        raise PositionError(f"position: {b}: once {b} has placed cards nothing is sealed any more")
    if s.sealed_size[first] and (s.hand_size[first] or not s.hand_size[second]):
        raise PositionError(
            f"position: {a}: sealed= is there while {b} decides, and {a}'s hand empty"
        )
    s.to_act = second if s.sealed_size[first] else first


def _check_stage(s: Any, p: int, stage: str, where: str) -> None:
    """A player has nothing that is impossible at this stage."""
    if stage == "battle" and (s.hand_size[p] or s.sealed_size[p] or s.field_size[p]):
        raise PositionError(f"{where}: before a battle hand and battlefield are empty")
    if stage != "reinf" and (s.hand_size[p] or s.sealed_size[p]):
        raise PositionError(f"{where}: at stage={stage} nobody has a hand, nor has placed it")
    if stage != "aim" and s.aims[p]:
        raise PositionError(f"{where} beside=: an event without a column is there at stage=aim")


def _read_player(r: Any, s: Any, p: int, keys: dict[str, str], where: str) -> None:
    """One player's cards; they are all there are in this match."""

    def cards(key: str, text: str) -> list[int]:
        try:
            found = _cards(r, text)
        except ValueError as e:
            raise PositionError(f"{where} {key}={keys[key]}: {e}") from None
        for card in found:
            s.stock[p, card] += 1
        if sum(s.stock[p, k] for k in range(KINDS)) > CARDS:
            raise PositionError(f"{where}: more than {CARDS} cards")
        return found

    for card in reversed(cards("deck", keys["deck"])):
        s.deck[p, s.deck_size[p]] = card
        s.deck_size[p] += 1
    for card in cards("surv", keys["surv"]):
        s.survivors[p, s.survivors_size[p]] = card
        s.survivors_size[p] += 1
    for card in cards("grave", keys["grave"]):
        s.graveyard[p, card] += 1
    hand = sorted(cards("hand", keys["hand"]))
    if len(hand) > HAND:
        raise PositionError(f"{where} hand={keys['hand']}: {HAND} cards at most")
    for i, card in enumerate(hand):
        s.hand[p, i] = 1 + card
    s.hand_size[p] = len(hand)
    sealed = "" if keys["sealed"] == "." else keys["sealed"]
    if sealed and (len(sealed) != COLUMNS or sealed == "---"):
        raise PositionError(f"{where} sealed={sealed}: three cards, as in 412, - for none")
    for c, x in enumerate(sealed):
        if x != "-":
            s.sealed[p, c] = 1 + cards("sealed", x)[0]
            s.sealed_size[p] += 1
    columns = (keys["cols"] or "-/-/-").split("/")
    if len(columns) != COLUMNS:
        raise PositionError(f"{where} cols={keys['cols']}: three columns, as in 5/a3/-")
    for c, column in enumerate(columns):
        for card in cards("cols", "." if column == "-" else column):
            put(r.numbers, s, p, card, c)
    beside = "" if keys["beside"] == "." else keys["beside"]
    if not re.fullmatch(r"(\w[123-])*", beside):
        raise PositionError(f"{where} beside={beside}: events with their columns, as in C2T1")
    for i in range(0, len(beside), 2):
        (card,) = cards("beside", beside[i])
        if not r.numbers.event[card]:
            raise PositionError(f"{where} beside={beside}: {beside[i]} is not an event")
        column = beside[i + 1]
        if column == "-" and not r.numbers.aim[card]:
            raise PositionError(f"{where} beside={beside}: {beside[i]} lies beside a column")
        lay_beside(r.numbers, s, p, card, UNAIMED if column == "-" else BESIDE + int(column) - 1)


def write(r: Any, s: Any) -> str:
    """The position of a state: all that the rules need, less what players merely remember."""
    now = _cards_of(r, s)
    words = []
    for name in NAMES:
        mine = {k: now[f"{name}.{k}"] for k in KEYS}
        words += [name, *(f"{k}={value}" for k, value in mine.items() if value != ".")]
    stage = next((name for name, phase in STAGES.items() if phase == s.phase), "battle")
    return " ".join([*words, f"stage={stage} battle={max(1, s.battle)}"])


# ---- facts --------------------------------------------------------------------------------------
def _at(s: Any, p: int, place: int) -> list[int]:
    """The cards of a player at a place of the battlefield, bottom first."""
    return [s.field[p, i] for i in range(s.field_size[p]) if s.place[p, i] == place]


def _total(total: int) -> str:
    return "-" if total == NO_TOTAL else str(total)


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect of a state, by key."""
    out = {"battle": str(s.battle), "last.totals": ".", "last.result": "."}
    if s.fought:
        both = [[_total(s.last_total[p, c]) for p in range(SEATS)] for c in range(COLUMNS)]
        out["last.totals"] = ",".join(":".join(x) for x in both)
        out["last.result"] = "".join(RESULTS[s.last_result[c]] for c in range(COLUMNS))
    weigh(r.numbers, s)
    for p, name in enumerate(NAMES):
        out[f"{name}.totals"] = ",".join(_total(s.total[p, c]) for c in range(COLUMNS))
    return out | _cards_of(r, s)


def _cards_of(r: Any, s: Any) -> dict[str, str]:
    """Where each player's cards are, by key."""
    out = dict[str, str]()
    for p, name in enumerate(NAMES):
        size = s.field_size[p]
        beside = [(s.field[p, i], s.place[p, i] - BESIDE) for i in range(size)]
        mine = {
            "deck": _pile(r, [s.deck[p, i] for i in reversed(range(s.deck_size[p]))]),
            "surv": _pile(r, sorted(s.survivors[p, i] for i in range(s.survivors_size[p]))),
            "grave": _counted(r, s.graveyard[p]),
            "hand": _pile(r, _hand(s, p)),
            "sealed": _placed(r, s.sealed[p]) if s.sealed_size[p] else ".",
            "cols": "/".join(_pile(r, _at(s, p, c), "-") for c in range(COLUMNS)),
            "beside": "".join(code(r, x) + "123-"[c] for x, c in beside if c >= 0) or ".",
            "swaps": str(s.swaps[p]) if s.phase == Phase.SWAP else ".",
        }
        out |= {f"{name}.{key}": value for key, value in mine.items()}
    return out
