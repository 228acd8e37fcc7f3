"""War Zone: actions, positions and random outcomes as text.

Words: `pass`, `IF>1` (attack seat 1 with IF), `BW` (block with BW), `cBW` (put a BW under the
deck). Positions: `wz1 n=3 hs=3 ph=ATTACK turn=0 health=20.17.0 hand0=RE.BW deck=TA.SN ...`, items
in any order; lists are joined by `.`, `-` is empty. README.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...core.errors import InvalidWord, PositionError
from ...core.keys import read_keys, take_number
from ...core.rules import move_of
from .rules import (
    ATTACKS,
    CARDS,
    KINDS,
    NOTHING,
    SEATS,
    Phase,
    attack,
    block,
    cycle,
    place_in_deck,
)

ATTACK, BLOCK, CYCLE = move_of(attack), move_of(block), move_of(cycle)


def code(r: Any, card: int) -> str:
    """The code of a kind of card, such as IF."""
    return str(r.names.cards[card].code)


def kind(r: Any, text: str) -> int:
    """The kind of card with this code. ValueError if there is none."""
    for i, c in enumerate(r.names.cards):
        if c.code == text:
            return i
    raise ValueError(f"no card has the code {text!r}")


# ---- actions ------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action of the seat to act."""
    if action == 0:
        return "pass"
    if action < BLOCK.at:
        card, distance = ATTACK.values(action)
        return f"{code(r, card)}>{(s.to_act + 1 + distance) % s.seats}"
    if action < CYCLE.at:
        return code(r, ATTACKS + action - BLOCK.at)
    return "c" + code(r, action - CYCLE.at)


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
    if word == "pass":
        return 0
    parts = re.fullmatch(r"(c?)([A-Z][A-Z0-9]*)(?:>(\d))?", word)
    if not parts or (parts[1] and parts[3]):
        raise InvalidWord(f"{word!r} is not an action: write pass, IF>1, BW or cBW")
    try:
        card = kind(r, parts[2])
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None
    if parts[1]:
        return int(CYCLE.number(card))
    if parts[3] is None:
        if card < ATTACKS:
            raise InvalidWord(f"{word!r}: an attack names its target, as in {word}>1")
        return int(BLOCK.number(card - ATTACKS))
    if int(parts[3]) >= s.seats:
        raise InvalidWord(f"{word!r}: there is no seat {parts[3]}; seats are 0 .. {s.seats - 1}")
    distance = (int(parts[3]) - s.to_act - 1) % s.seats
    if card >= ATTACKS:
        raise InvalidWord(f"{word!r}: {parts[2]} is a defence; it has no target (WZ-33)")
    if distance == s.seats - 1:
        raise InvalidWord(f"{word!r}: you cannot attack yourself (WZ-21)")
    return int(ATTACK.number(card, distance))


def outcome(r: Any, word: str) -> int | list[int]:
    """A random outcome: a seat's number, or shuffle(IF.BW...), the new order, top first."""
    if parts := re.fullmatch(r"shuffle\((.*)\)", word):
        try:
            return [kind(r, c) for c in items(parts[1])]
        except ValueError as e:
            raise InvalidWord(f"{word!r}: {e}") from None
    if not re.fullmatch(r"\d{1,3}", word):
        raise InvalidWord(f"{word!r} is not a random outcome: write a seat, or shuffle(IF.BW)")
    return int(word)


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios."""
    value = told.args[name]
    return code(r, value) if name == "card" else str(value)


# ---- positions ----------------------------------------------------------------------------------
def items(value: str) -> Sequence[str]:
    """The members of a list: `IF.BW`, `-` for none."""
    return [] if value in ("-", "") else value.split(".")


def players(position: str) -> int:
    """How many play in this position."""
    keys = read_keys(position, "wz1", "War Zone")
    if "n" not in keys:
        raise PositionError("position: n=, the number of players, is missing")
    return take_number(keys, "n", 2, SEATS, 0)


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    keys = read_keys(position, "wz1", "War Zone")
    n = players(position)
    if n != s.seats:
        raise PositionError(f"position: n={n}, but the match has {s.seats} players")
    del keys["n"]
    phase = keys.pop("ph", "")
    if phase not in Phase.__members__ or phase == "OVER":
        known = ", ".join(p.name for p in Phase if p != Phase.OVER)
        raise PositionError(f"position: ph={phase}: one of {known}")
    t = r.table[0]
    s.phase = Phase[phase]
    most = 100 if s.phase != Phase.DEAL else int(t["copies"].sum()) // n - 1
    s.hand_limit = take_number(keys, "hs", 1, most, int(t["hand"]))
    if s.phase != Phase.DEAL:
        _read_turn(s, keys, n)
        _read_health(s, keys, n, int(t["health"]))
        _read_cards(r, s, keys, n)
        _read_memory(r, s, keys, n)
    if keys:
        what = "before the deal" if s.phase == Phase.DEAL else "of a War Zone position"
        raise PositionError(f"position: {next(iter(keys))!r} is not a key {what}")
    if s.phase != Phase.DEAL:
        _check_sense(r, s)


def _read_turn(s: Any, keys: dict[str, str], n: int) -> None:
    s.turn = take_number(keys, "turn", 0, n - 1, 0)
    s.to_act = take_number(keys, "act", 0, n - 1, s.turn)
    s.first = take_number(keys, "first", 0, n - 1, 0)
    s.cycled = take_number(keys, "cyc", 0, 20, 0)
    s.depleted = take_number(keys, "dep", 0, 1, 0)
    s.idle = take_number(keys, "idle", 0, 10**9, 0)
    s.turns = take_number(keys, "turns", 0, 10**9, 0)
    s.lightning = take_number(keys, "lr", 0, 1, 0)


def _read_health(s: Any, keys: dict[str, str], n: int, start: int) -> None:
    health = items(keys.pop("health", ".".join([str(start)] * n)))
    if len(health) != n or not all(re.fullmatch(r"\d{1,9}", h) for h in health):
        raise PositionError(
            f"position: health={'.'.join(health)}: one number for each of {n} seats"
        )
    for p in range(n):
        s.health[p] = int(health[p])


def _cards(r: Any, key: str, value: str) -> list[int]:
    try:
        return [kind(r, c) for c in items(value)]
    except ValueError as e:
        raise PositionError(f"position: {key}={value}: {e}") from None


def _card(r: Any, key: str, text: str, *, below: int = KINDS, whole: str = "") -> int:
    """One card, an attack card if it must be below ATTACKS; `whole` is the value it stands in."""
    cards = _cards(r, key, text)
    if len(cards) != 1 or cards[0] >= below:
        what = "one card" if below == KINDS else "one attack card"
        raise PositionError(f"position: {key}={whole or text}: write {what}")
    return cards[0]


def _read_cards(r: Any, s: Any, keys: dict[str, str], n: int) -> None:
    """A position may hold fewer cards than the deck file, or more: its cards are all there are."""
    total = 0
    for key in [*(f"hand{p}" for p in range(n)), "deck", "disc", "gone"]:
        for card in _cards(r, key, keys.pop(key, "-")):
            s.stock[card] += 1
            total += 1
            if total > CARDS:
                raise PositionError(f"position: {key}: more than {CARDS} cards in all")
            if key == "deck":
                s.deck[s.deck_size] = card
                s.deck_size += 1
            elif key == "disc":
                s.pile[s.pile_size] = card
                s.pile_size += 1
            elif key == "gone":
                s.removed[card] += 1
            else:
                s.hands[int(key[4:]), card] += 1
                s.hand_size[int(key[4:])] += 1


def _read_memory(r: Any, s: Any, keys: dict[str, str], n: int) -> None:
    s.last, s.last_attack, s.attack = NOTHING, NOTHING, NOTHING
    if (value := keys.pop("last", "-")) != "-":
        card, _, by = value.partition("@")
        if not by.isdecimal() or int(by) >= n:
            raise PositionError(f"position: last={value}: a card @ the seat that played it")
        s.last, s.last_by = _card(r, "last", card, whole=value), int(by)
    if (value := keys.pop("latk", "-")) != "-":
        s.last_attack = _card(r, "latk", value, below=ATTACKS)
    if (value := keys.pop("pend", "-")) != "-":
        parts = re.fullmatch(r"(\w+)>(\d)(\+?)(\*?)", value)
        if not parts or int(parts[2]) >= n:
            raise PositionError(
                f"position: pend={value}: write attack>target, with + for its bonus, * for a copy"
            )
        s.attack = _card(r, "pend", parts[1], below=ATTACKS, whole=value)
        s.target, s.bonus, s.copied = int(parts[2]), len(parts[3]), len(parts[4])


def _check_sense(r: Any, s: Any) -> None:
    """Nobody acts who cannot, nothing is pending that cannot be."""
    t = r.table[0]
    phase, team = Phase(s.phase).name, t["team"]
    if s.cycled and s.phase not in (Phase.MULL, Phase.CYCLE):
        raise PositionError(f"position: cyc= belongs to MULL and CYCLE, not to ph={phase}")
    if s.depleted and (s.lightning or not t["speedy"]):
        raise PositionError("position: dep=1 is of a Speedy Game (speedy=true), before lr=1")
    if s.phase == Phase.MULL:
        _check_before_the_game(s)
    if s.last != NOTHING and s.health[s.last_by] == 0:
        raise PositionError(f"position: last=: seat {s.last_by} is out, by somebody's later attack")
    if s.phase == Phase.DEFEND:
        if s.attack == NOTHING:
            raise PositionError("position: ph=DEFEND needs pend=, the attack to be answered")
        if team[s.target] == team[s.turn]:
            raise PositionError("position: the target of pend= is an opponent of the seat of turn=")
        if s.to_act not in (s.turn, s.target):
            raise PositionError("position: act= is the target of pend=")
        s.to_act = s.target
    elif s.attack != NOTHING:
        raise PositionError(f"position: pend= belongs to ph=DEFEND, not to ph={phase}")
    elif s.phase != Phase.MULL and s.to_act != s.turn:
        raise PositionError(f"position: in ph={phase} the seat of turn= is to act")
    for p in {s.to_act, s.turn} if s.phase != Phase.MULL else {s.to_act}:
        if s.health[p] == 0:
            raise PositionError(f"position: seat {p} is out and cannot be to act")
    for p in range(s.seats):
        if s.health[p] == 0 and s.hand_size[p] > 0:
            raise PositionError(f"position: seat {p} is out and has no hand")
    if len({int(team[p]) for p in range(s.seats) if s.health[p] > 0}) < 2:
        raise PositionError("position: health: no two opponents are left")


def _check_before_the_game(s: Any) -> None:
    played = s.last != NOTHING or s.last_attack != NOTHING or s.pile_size
    if played or s.turns or s.idle or s.lightning or s.depleted:
        raise PositionError("position: ph=MULL is before the first turn: nothing has been played")
    for p in range(s.seats):
        if s.health[p] == 0:
            raise PositionError(f"position: seat {p} is out before the game (ph=MULL)")


def write(r: Any, s: Any) -> str:
    """The position of a state: all that the rules need, less what players merely remember."""
    now = facts(r, s)
    keys = ["hs", "turn", "health", *(f"hand{p}" for p in range(s.seats)), "deck", "disc", "last"]
    keys += ["latk", "pend", "cyc", "dep", "idle", "turns", "lr", "first", "gone"]
    body = " ".join(f"{k}={now[k]}" for k in keys)
    return f"wz1 n={s.seats} ph={Phase(s.phase).name} act={s.to_act} {body}"


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect of a state, by key."""

    def cards(kinds: Sequence[int]) -> str:
        return ".".join(code(r, c) for c in kinds) or "-"

    def card(k: int) -> str:
        return "-" if k == NOTHING else code(r, k)

    out = {
        "turn": str(s.turn),
        "health": ".".join(str(s.health[p]) for p in range(s.seats)),
        "deck": cards([s.deck[place_in_deck(s, d)] for d in range(s.deck_size)]),
        "decksize": str(s.deck_size),
        "disc": cards([s.pile[i] for i in range(s.pile_size)]),
        "last": "-" if s.last == NOTHING else f"{code(r, s.last)}@{s.last_by}",
        "latk": card(s.last_attack),
        "pend": "-",
        "cyc": str(s.cycled),
        "dep": str(s.depleted),
        "idle": str(s.idle),
        "turns": str(s.turns),
        "lr": str(s.lightning),
        "hs": str(s.hand_limit),
        "first": str(s.first),
        "gone": cards([k for k in range(KINDS) for _ in range(s.removed[k])]),
    }
    if s.attack != NOTHING:
        out["pend"] = f"{code(r, s.attack)}>{s.target}" + ("+" if s.bonus else "")
        out["pend"] += "*" if s.copied else ""
    for p in range(s.seats):
        out[f"hand{p}"] = cards([k for k in range(KINDS) for _ in range(s.hands[p, k])])
        out[f"count{p}"] = str(s.hand_size[p])
    if s.phase == Phase.OVER:
        out["winner"] = ".".join(str(p) for p in range(s.seats) if s.won[p])
    return out
