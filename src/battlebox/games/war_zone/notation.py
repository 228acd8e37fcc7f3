"""War Zone: actions, positions and random outcomes as text.

Words: `pass`, `IF>1` (attack seat 1 with IF), `BW` (block with BW), `cBW` (put a BW under the
deck). Positions: `wz1 n=3 hs=3 ph=ATTACK turn=0 health=20.17.0 hand0=RE.BW deck=TA.SN ...`, items
in any order; lists are joined by `.`, `-` is empty. DEVELOPERS.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from ...core import codecs
from ...core.codecs import Codec, Codecs, fact, number, seat
from ...core.codes import DOTTED, EMPTY, code
from ...core.notation import DefaultNotation
from ...core.words import card_part, seat_ahead
from . import rules
from .rules import (
    ATTACKS,
    KINDS,
    NOTHING,
    Attack,
    Card,
    Defence,
    Distance,
    Phase,
    place_in_deck,
)

CODE = "[A-Z][A-Z0-9]*"
CARDS = codecs.Cards(Card, room=rules.CARDS)
IS_DEFENCE = "{} is a defence; it has no target (WZ-33)"
IS_ATTACK = "an attack names its target, as in {}>1"


def most_in_hand(r: Any, s: Any) -> int:
    """How many cards a hand may hold: before the deal, one is left for the deck."""
    return int(sum(r.numbers.copies) // s.seats - 1) if s.phase == Phase.DEAL else 100


def one(r: Any, text: str, below: int = KINDS) -> int:
    """A single card, of the kinds below this one. ValueError if it is none."""
    found = DOTTED.read(r, Card, text)
    if len(found) != 1 or found[0] >= below:
        raise ValueError("write one card" if below == KINDS else "write one attack card")
    return found[0]


def read_last(r: Any, s: Any, text: str) -> None:
    """The last card played, and by whom."""
    s.last, (card, _, by) = NOTHING, text.partition("@")
    if text != EMPTY:
        if not by.isdecimal() or int(by) >= s.seats:
            raise ValueError("a card @ the seat that played it")
        s.last, s.last_by = one(r, card), int(by)


def read_last_attack(r: Any, s: Any, text: str) -> None:
    """The last attack card played."""
    s.last_attack = NOTHING if text == EMPTY else one(r, text, below=ATTACKS)


def write_pending(r: Any, s: Any) -> str:
    """The attack to be answered."""
    if s.attack == NOTHING:
        return EMPTY
    signs = ("+" if s.bonus else "") + ("*" if s.copied else "")
    return f"{code(r, Card, s.attack)}>{s.target}{signs}"


def read_pending(r: Any, s: Any, text: str) -> None:
    """The same: `IF>1+*`."""
    s.attack = NOTHING
    if text != EMPTY:
        parts = re.fullmatch(r"(\w+)>(\d)(\+?)(\*?)", text)
        if not parts or int(parts[2]) >= s.seats:
            raise ValueError("write attack>target, with + for its bonus, * for a copy")
        s.attack = one(r, parts[1], below=ATTACKS)
        s.target, s.bonus, s.copied = int(parts[2]), len(parts[3]), len(parts[4])


class Notation(DefaultNotation):
    """How War Zone is written."""

    cards, head, fewest, brief, anywhere = CARDS, "wz1", 2, False, True
    usage = "pass, IF>1, BW or cBW"
    chance = "a seat, or shuffle(IF.BW)"
    forms: ClassVar = {
        "pass": (rules.hold_fire, rules.take_the_hit, rules.end_exchange, rules.end_turn),
        "{card}>{distance}": rules.attack,
        "{defence}": rules.block,
        "c{card}": rules.cycle,
    }
    parts: ClassVar = {
        Attack: card_part(Card, 0, ATTACKS, IS_DEFENCE, CODE),
        Defence: card_part(Card, ATTACKS, KINDS, IS_ATTACK, CODE),
        Card: card_part(Card, 0, KINDS, "", CODE),
        Distance: seat_ahead(1, "you cannot attack yourself (WZ-21)"),
    }
    only: ClassVar = {Phase.DEAL: ("hs",)}
    codecs: ClassVar[Codecs] = {
        "ph": codecs.phase_of(Phase, but=[Phase.OVER], usual=""),
        "act": seat("to_act", like="turn", usual="0", fact=False),
        "hs": number("hand_limit", 1, most_in_hand, usual=lambda r, s: r.numbers.hand),
        "turn": seat("turn"),
        "health": codecs.per_seat(
            "health", 10**9, usual=lambda r, s: DOTTED.join([r.numbers.health] * s.seats)
        ),
        "hand{}": lambda p: CARDS.counted("hands", p, size="hand_size"),
        "deck": replace(
            CARDS.piled("deck", size="deck_size"),
            write=lambda r, s: CARDS.write(
                r, (s.deck[place_in_deck(s, d)] for d in range(s.deck_size))
            ),
        ),
        "disc": CARDS.piled("pile", size="pile_size"),
        "last": Codec(
            lambda r, s: EMPTY if s.last == NOTHING else f"{code(r, Card, s.last)}@{s.last_by}",
            read_last,
            usual=EMPTY,
        ),
        "latk": Codec(
            lambda r, s: EMPTY if s.last_attack == NOTHING else code(r, Card, s.last_attack),
            read_last_attack,
            usual=EMPTY,
        ),
        "pend": Codec(write_pending, read_pending, usual=EMPTY),
        "cyc": number("cycled", 0, 20),
        "dep": number("depleted", 0, 1),
        "idle": number("idle", 0, 10**9),
        "turns": number("turns", 0, 10**9),
        "lr": number("lightning", 0, 1),
        "first": seat("first"),
        "gone": CARDS.counted("removed"),
        "decksize": fact(lambda r, s: s.deck_size),
        "count{}": lambda p: fact(lambda r, s: s.hand_size[p]),
        "winner": fact(lambda r, s: codecs.those(s, lambda p: s.won[p]) * (s.phase == Phase.OVER)),
    }

    def check(self, r: Any, s: Any) -> Iterator[str]:
        """Nobody acts who cannot, nothing is pending that cannot be."""
        phase, team, out = Phase(s.phase), r.numbers.team, [x == 0 for x in s.health]
        if phase == Phase.DEAL:
            return
        if s.cycled and phase not in (Phase.MULL, Phase.CYCLE):
            yield f"cyc= belongs to MULL and CYCLE, not to ph={phase.name}"
        if s.depleted and (s.lightning or not r.numbers.speedy):
            yield "dep=1 is of a Speedy Game (speedy=true), before lr=1"
        if phase == Phase.MULL:
            played = s.last != NOTHING or s.last_attack != NOTHING or s.pile_size
            if played or s.turns or s.idle or s.lightning:
                yield "ph=MULL is before the first turn: nothing has been played"
            for p in range(s.seats):
                if out[p]:
                    yield f"seat {p} is out before the game (ph=MULL)"
        if s.last != NOTHING and out[s.last_by]:
            yield f"last=: seat {s.last_by} is out, by somebody's later attack"
        if phase == Phase.DEFEND:
            if s.attack == NOTHING:
                yield "ph=DEFEND needs pend=, the attack to be answered"
            if team[s.target] == team[s.turn]:
                yield "the target of pend= is an opponent of the seat of turn="
            if s.to_act not in (s.turn, s.target):
                yield "act= is the target of pend="
            s.to_act = s.target
        elif s.attack != NOTHING:
            yield f"pend= belongs to ph=DEFEND, not to ph={phase.name}"
        elif phase != Phase.MULL and s.to_act != s.turn:
            yield f"in ph={phase.name} the seat of turn= is to act"
        for p in {s.to_act, s.turn} if phase != Phase.MULL else {s.to_act}:
            if out[p]:
                yield f"seat {p} is out and cannot be to act"
        for p in range(s.seats):
            if out[p] and s.hand_size[p] > 0:
                yield f"seat {p} is out and has no hand"
        if len({team[p] for p in range(s.seats) if not out[p]}) < 2:
            yield "health: no two opponents are left"
