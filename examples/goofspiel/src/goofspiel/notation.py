"""Goofspiel: actions, positions and random outcomes as text. README.md, Notation, has the keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from battlebox.core.errors import InvalidWord, PositionError
from battlebox.core.keys import read_keys, take_number

from .rules import CARDS, SEATS, Phase

HEAD = "go1"
START = "start"  # for `act`: nothing has been dealt yet


# ---- actions -------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action: the value of the card."""
    return str(1 + action)


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word. InvalidWord says what is wrong with it."""
    if not word.isdecimal() or not 1 <= int(word[:9]) <= CARDS:
        raise InvalidWord(f"{word!r} is not an action: write the value of a card, 1 to {CARDS}")
    return int(word) - 1


def outcome(r: Any, word: str) -> int | list[int]:
    """A random outcome: the prizes to come, the last one first, as shuffle(3.1.2)."""
    if found := re.fullmatch(r"shuffle\(([\d.]+)\)", word):
        return [action(r, None, card) for card in found[1].split(".")]
    raise InvalidWord(f"{word!r} is not a random outcome: write shuffle(3.1.2)")


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios."""
    value = told.args[name]
    return str(1 + value) if name in ("card", "prize") else str(value)


# ---- positions -----------------------------------------------------------------------------------
def items(value: str) -> Sequence[str]:
    """The members of a list: `3.1.2`, `-` for none."""
    return [] if value == "-" else value.split(".")


def players(position: str) -> int:
    """How many play in this position."""
    keys = read_keys(position, HEAD, "Goofspiel")
    return take_number(keys, "n", 2, SEATS, 2)


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect, and positions are made of."""

    def listed(cards: Sequence[int]) -> str:
        return ".".join(str(card) for card in cards) or "-"

    hands = {
        f"hand{p}": listed([1 + card for card in range(CARDS) if s.hands[p, card]])
        for p in range(s.seats)
    }
    return {
        "deck": listed([1 + s.deck[i] for i in reversed(range(s.deck_size))]),
        "prize": str(1 + s.prize),
        "stake": str(s.stake),
        "points": listed([s.points[p] for p in range(s.seats)]),
        "bids": listed([s.bids[p] for p in range(s.seats)]),
        "shown": listed([s.shown[p] for p in range(s.seats)]),
        **hands,
    }


def write(r: Any, s: Any) -> str:
    """A state as a position."""
    body = " ".join(f"{key}={value}" for key, value in facts(r, s).items())
    act = "over" if s.phase == Phase.OVER else s.to_act
    return f"{HEAD} n={s.seats} act={act} {body}"


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    keys = read_keys(position, HEAD, "Goofspiel")
    cards, n = int(r.table[0]["cards"]), take_number(keys, "n", 2, SEATS, 2)
    if keys.get("act") == START:
        keys.pop("act")
        _refuse_rest(keys)
        return
    none = ".".join("0" * n)
    deck = _cards("deck", keys.pop("deck", "-"), cards)
    if not deck or len({*deck}) < len(deck):
        raise PositionError("position: deck: the prizes to come, at least one, each once")
    for card in range(cards):
        s.seen[card] = int(card + 1 not in deck)
    for i, card in enumerate(reversed(deck)):
        s.deck[i] = card - 1
    s.deck_size = len(deck)
    s.to_act = take_number(keys, "act", 0, n - 1, 0)
    s.prize = take_number(keys, "prize", 1, cards, 1) - 1
    if not s.seen[s.prize]:
        raise PositionError("position: prize= is still in the deck")
    s.stake = take_number(keys, "stake", 1, 1_000, 1 + s.prize)
    for key in ("points", "bids", "shown"):
        numbers = items(keys.pop(key, none))
        most = 1_000 if key == "points" else cards
        if len(numbers) != n or not all(x.isdecimal() and int(x[:9]) <= most for x in numbers):
            raise PositionError(f"position: {key}: a number for each of the {n} seats, 0 .. {most}")
        for p, x in enumerate(numbers):
            getattr(s, key)[p] = int(x)
    for p in range(n):
        hand = _cards(f"hand{p}", keys.pop(f"hand{p}", "-"), cards)
        if len({*hand}) != len(deck) + 1:
            raise PositionError(f"position: hand{p}: one card more than deck= has prizes")
        for card in hand:
            s.hands[p, card - 1] = 1
        if bool(s.bids[p]) != (p < s.to_act) or (s.bids[p] and s.bids[p] not in hand):
            raise PositionError("position: bids: a card of the hand for each seat before act=")
    _refuse_rest(keys)
    s.phase = Phase.BID


def _refuse_rest(keys: dict[str, str]) -> None:
    if keys:
        raise PositionError(f"position: {next(iter(keys))!r} is not a key of this position")


def _cards(key: str, value: str, most: int) -> list[int]:
    """The values of a list of cards."""
    if not all(x.isdecimal() and 1 <= int(x[:9]) <= most for x in items(value)):
        raise PositionError(f"position: {key}={value}: cards 1 .. {most} with dots between them")
    return [int(x) for x in items(value)]
