"""Iron Man Game of War: actions, positions and random outcomes as text.

Cards are single characters, `x` concedes. A position, on any number of lines:
`A pawn=2 hand=35E slots=-4U won=51/4 discard=112 deck=4455 B ... stage=flip battle=2 wins=A`; `.`
is an empty list, `-` no card in that place. README.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...core.errors import InvalidWord, PositionError
from ...core.keys import take_number
from .rules import (
    BATTLES,
    CARDS,
    KINDS,
    NOBODY,
    SEATS,
    Phase,
    go_on_placing,
    has_power_card,
    has_target,
    leader,
    side,
    total,
)

LETTERS = "AB"
CONCEDE = "x"
OWN_KEYS = ("pawn", "hand", "slots", "line", "won", "discard", "deck", "sealed")
KEYS = ("stage", "round", "battle", "wins", "act", "plays")
STAGES = {
    "deal": Phase.DEAL,
    "place": Phase.PLACE,
    "flip": Phase.FLIP,
    "act": Phase.COMPARE,
    "stand": Phase.STAND,  # A has chosen
    "target": Phase.TARGET,
    "salvage": Phase.SALVAGE,
}


def code(r: Any, card: int) -> str:
    """The character of a kind of card, such as E."""
    return str(r.names.cards[card].code)


def kind(r: Any, text: str) -> int:
    """The kind of card with this code. ValueError if there is none."""
    for i, c in enumerate(r.names.cards):
        if c.code == text:
            return i
    raise ValueError(f"no card has the code {text!r}")


def kinds(r: Any, text: str) -> list[int]:
    """The cards of a list: `531EU`, `.` for none. ValueError if one is unknown."""
    return [kind(r, c) for c in items(text)]


# ---- actions -------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action of the seat to act."""
    return code(r, action - 1) if action else CONCEDE


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
    if word == CONCEDE:
        return 0
    if len(word) != 1:
        raise InvalidWord(f"{word!r} is not an action: write the character of a card, or {CONCEDE}")
    try:
        return 1 + kind(r, word)
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None


def outcome(r: Any, word: str) -> int | list[int]:
    """A random outcome: a card's character, or shuffle(A:531), the new order, top first."""
    try:
        if parts := re.fullmatch(r"shuffle\([AB]:(.*)\)", word):
            return kinds(r, parts[1])
        if len(word) == 1:
            return kind(r, word)
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None
    raise InvalidWord(f"{word!r} is not a random outcome: write a card, or shuffle(A:531)")


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios."""
    value = told.args[name]
    return code(r, value) if name in ("card", "other") else str(value)


# ---- positions -----------------------------------------------------------------------------------
def items(value: str) -> Sequence[str]:
    """The members of a list: `531EU`, `.` for none."""
    return [] if value == "." else [*value]


def players(position: str) -> int:
    """How many play in this position."""
    return SEATS


def _keys(position: str) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The items of a position: the common ones, and those of each player."""
    common, own, player = dict[str, str](), [dict[str, str]() for _ in range(SEATS)], -1
    for w in position.split():
        if w in [*LETTERS]:
            player = LETTERS.index(w)
            continue
        key, equals, value = w.partition("=")
        if not equals or not value:
            raise PositionError(f"position: {w!r}: write key=value, or A or B before a player's")
        if key not in (*KEYS, *OWN_KEYS):
            known = ", ".join((*OWN_KEYS, *KEYS))
            raise PositionError(f"position: {key!r} is not a key of a position: {known}")
        if key in OWN_KEYS and player < 0:
            raise PositionError(f"position: {w!r}: whose? write A or B before it")
        keys = common if key in KEYS else own[player]
        if key in keys:
            raise PositionError(f"position: {w!r}: written twice")
        keys[key] = value
    return common, own


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    common, own = _keys(position)
    t = r.plain().tt[0]
    stage = common.pop("stage", "")
    if stage not in STAGES:
        raise PositionError(f"position: stage={stage}: one of {', '.join(STAGES)}")
    fighting = stage not in ("deal", "place")
    s.phase = STAGES[stage]
    s.round = take_number(common, "round", 1, t.max_rounds, 1)
    battle = take_number(common, "battle", 1, BATTLES if fighting else 1, 1)
    s.battle = battle if fighting else 0
    s.plays = take_number(common, "plays", 0, 30_000 if fighting else 0, 0)
    _read_wins(s, common.pop("wins", "."), battle)
    for p in range(SEATS):
        _read_player(r, s, own[p], p, stage)
    _read_actor(r, s, common, stage)
    if common:
        raise PositionError(f"position: {next(iter(common))}= does not belong to stage={stage}")


def _read_wins(s: Any, text: str, battle: int) -> None:
    if not re.fullmatch(r"[AB-]*", text.replace(".", "")) or len(items(text)) != battle - 1:
        raise PositionError(
            f"position: wins={text}: A, B or - for each of the {battle - 1} battles that are over"
        )
    for b, winner in enumerate(items(text)):
        s.result[b] = 1 + (NOBODY if winner == "-" else LETTERS.index(winner))


def _read_player(r: Any, s: Any, keys: dict[str, str], p: int, stage: str) -> None:
    t = r.plain().tt[0]
    s.pawn[p] = take_number(keys, "pawn", t.start, t.track - 1, t.start)
    held = 0
    for key in ("hand", "slots", "line", "won", "discard", "deck", "sealed"):
        text = keys.pop(key, "." if key != "slots" else "-" * BATTLES)
        try:
            cards = [kind(r, c) for c in items(text) if c not in "-/"]
        except ValueError as e:
            raise PositionError(f"position: {LETTERS[p]} {key}={text}: {e}") from None
        if ("-" in text and key != "slots") or ("/" in text and key != "won"):
            raise PositionError(f"position: {LETTERS[p]} {key}={text}: a list of cards")
        held += len(cards)
        if held > CARDS:
            raise PositionError(f"position: {LETTERS[p]} {key}=: more than {CARDS} cards in all")
        for card in cards:
            s.stock[p, card] += 1
        getattr(_Places, key)(r, s, p, text, cards)
    _check_player(s, p, stage)


class _Places:
    """Where the cards of a position go, by key."""

    @staticmethod
    def hand(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        for card in cards:
            s.hands[p, card] += 1
            s.hand_size[p] += 1

    @staticmethod
    def slots(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        if len(text) != BATTLES:
            raise PositionError(
                f"position: {LETTERS[p]} slots={text}: three characters, - for no card"
            )
        for b, c in enumerate(text):
            if c != "-":
                s.slots[p, b], s.covered[p, b] = 1 + kind(r, c), 1
                if s.phase == Phase.PLACE:
                    s.hand_size[p] += 1

    @staticmethod
    def line(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        if cards and (s.battle == 0 or s.phase == Phase.FLIP):
            raise PositionError(f"position: {LETTERS[p]} line={text}: nothing is turned yet")
        _lay(s, side(s, p), cards) if s.battle else None

    @staticmethod
    def won(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        battles = [b for b in range(BATTLES) if s.result[b] == 1 + p]
        if text == ".":
            return
        groups = text.split("/")
        if len(groups) != len(battles) or not all(groups):
            raise PositionError(
                f"position: {LETTERS[p]} won={text}: a group of cards, joined by /, for each "
                f"battle they have won by wins=: {len(battles)}"
            )
        for b, group in zip(battles, groups, strict=True):
            _lay(s, SEATS * b + p, kinds(r, group))

    @staticmethod
    def discard(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        for card in cards:
            s.discard[p, card] += 1

    @staticmethod
    def deck(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        for i, card in enumerate(reversed(cards)):
            s.deck[p, i] = card
        s.deck_size[p] = len(cards)

    @staticmethod
    def sealed(r: Any, s: Any, p: int, text: str, cards: list[int]) -> None:
        if len(cards) != (1 if s.phase == Phase.STAND and p == 0 else 0):
            raise PositionError(
                f"position: {LETTERS[p]} sealed={text}: one card, of A, and only in stage=stand"
            )
        for card in cards:
            s.sealed[p] = 1 + card
            s.hand_size[p] += 1


def _lay(s: Any, at: int, cards: list[int]) -> None:
    for i, card in enumerate(cards):
        s.line[at, i] = card
    s.line_size[at] = len(cards)


def _check_player(s: Any, p: int, stage: str) -> None:
    """Face-down cards lie where they can."""
    lie = [b + 1 for b in range(BATTLES) if s.covered[p, b]]
    first = s.battle + (stage != "flip")
    if stage == "place":
        good = lie == [*range(1, len(lie) + 1)]
    else:
        good = stage != "deal" and all(b >= first for b in lie)
    if lie and not good:
        raise PositionError(f"position: {LETTERS[p]} slots=: no card can lie for battle {lie[0]}")


def _read_actor(r: Any, s: Any, common: dict[str, str], stage: str) -> None:
    """Who is asked, where the stage does not say it; that somebody can be asked."""
    t = r.plain().tt[0]
    if stage == "place":
        placed = [sum(s.covered[p, b] for b in range(BATTLES)) for p in range(SEATS)]
        done = placed[0] in (BATTLES, s.hand_size[0])
        if placed[1] and not done:
            raise PositionError("position: B slots=: A places all cards before B does")
        if placed[1] and placed[1] in (BATTLES, s.hand_size[1]):
            raise PositionError("position: all cards are placed: write stage=flip")
        s.slot = placed[1 if done else 0]
        go_on_placing(s, 1 if done else 0)
    elif stage == "stand":
        if leader(t, s) != NOBODY or s.hand_size[1] == 0:
            raise PositionError("position: stage=stand is a standoff in which B holds cards")
        s.to_act = 1
    elif stage in ("target", "salvage"):
        act = common.pop("act", "")
        if act not in [*LETTERS]:
            raise PositionError(f"position: act={act}: who chooses, A or B")
        s.to_act = LETTERS.index(act)
        if stage == "target" and not has_target(t, s, 1 - s.to_act):
            raise PositionError("position: stage=target: the opponent has no card to be discarded")
        if stage == "salvage" and not has_power_card(t, s, s.to_act):
            raise PositionError("position: stage=salvage: no power card is in the discard pile")


def write(r: Any, s: Any) -> str:
    """The position of a state: all that the rules need, less what players merely remember."""
    now = facts(r, s)
    asked = (Phase.RESPOND, Phase.STAND, Phase.FORCED)
    stage = "over" if s.phase == Phase.OVER else "act" if s.phase in asked else ""
    if s.phase == Phase.STAND and s.to_act == 1:
        stage = "stand"
    stage = stage or next(name for name, phase in STAGES.items() if phase == s.phase)
    out = []
    for x in LETTERS:
        keys = [k for k in OWN_KEYS if k != "sealed" or stage == "stand"]
        out.append(" ".join([x, *(f"{k}={now[f'{x}.{k}']}" for k in keys)]))
    last = f"stage={stage} round={s.round}"
    if s.battle:
        last += f" battle={s.battle} wins={now['wins']} plays={s.plays}"
    if stage in ("target", "salvage"):
        last += f" act={LETTERS[s.to_act]}"
    return "\n".join([*out, last])


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect of a state, by key."""
    t = r.plain().tt[0]

    def listed(found: Sequence[int]) -> str:
        return "".join(code(r, c) for c in found) or "."

    def counted(row: Any) -> str:
        return listed([k for k in range(KINDS) for _ in range(row[k])])

    def lying(at: int) -> str:
        return listed([s.line[at, i] for i in range(s.line_size[at])])

    over = [] if s.phase == Phase.PLACE or s.phase == Phase.DEAL else [*s.result]
    ahead = leader(t, s) if s.battle else NOBODY
    out = {
        "round": str(s.round),
        "battle": str(max(1, s.battle)),
        "wins": "".join(f"{LETTERS}-"[w - 1] for w in over if w) or ".",
        "lead": f"{LETTERS}-"[ahead],
    }
    for p, x in enumerate(LETTERS):
        won = [SEATS * b + p for b in range(BATTLES) if s.battle and s.result[b] == 1 + p]
        slots = [s.slots[p, b] for b in range(BATTLES)]
        out |= {
            f"{x}.pawn": str(s.pawn[p]),
            f"{x}.hand": counted(s.hands[p]),
            f"{x}.slots": "".join(code(r, c - 1) if c else "-" for c in slots),
            f"{x}.sealed": code(r, s.sealed[p] - 1) if s.sealed[p] else ".",
            f"{x}.line": lying(side(s, p)) if s.battle else ".",
            f"{x}.total": str(total(t, s, p) if s.battle else 0),
            f"{x}.won": "/".join(g for at in won if (g := lying(at)) != ".") or ".",
            f"{x}.discard": counted([s.discard[p, k] + s.buried[p, k] for k in range(KINDS)]),
            f"{x}.deck": listed([s.deck[p, i] for i in reversed(range(s.deck_size[p]))]),
        }
    return out
