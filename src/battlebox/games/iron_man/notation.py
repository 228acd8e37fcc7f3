"""Iron Man Game of War: actions, positions and random outcomes as text.

Cards are single characters, `x` concedes. A position, on any number of lines:
`A pawn=2 hand=35E slots=-4U won=51/4 discard=112 deck=4455 B ... stage=flip battle=2 wins=A`; `.`
is an empty list, `-` no card in that place. DEVELOPERS.md lists the keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import add
from typing import Any, ClassVar

from ...core import codecs
from ...core.codecs import Codec, Codecs, fact, number
from ...core.codes import Lists, code, member, spread
from ...core.notation import DefaultNotation
from ...core.words import card_part
from . import rules
from .rules import BATTLES, KINDS, NOBODY, SEATS, Card, Phase

LETTERS = "AB"
NONE = "."
STAGES = {
    "deal": Phase.DEAL,
    "place": Phase.PLACE,
    "flip": Phase.FLIP,
    "act": Phase.COMPARE,
    "stand": Phase.STAND,  # A has chosen
    "target": Phase.TARGET,
    "salvage": Phase.SALVAGE,
}
STAGE = codecs.named("phase", STAGES, "over", usual="", fact=False)
BEFORE = (Phase.DEAL, Phase.PLACE)  # the first battle of a round
EFFECTS = (Phase.TARGET, Phase.SALVAGE)  # that ask somebody
CARDS = codecs.Cards(Card, Lists("", NONE, never="-/"), rules.CARDS, LETTERS)


# ---- parts of positions --------------------------------------------------------------------------
def write_stage(r: Any, s: Any) -> str:
    """What is going on; a standoff in which nobody has chosen is another decision of `act`."""
    if s.phase in (Phase.RESPOND, Phase.FORCED) or (s.phase == Phase.STAND and s.to_act == 0):
        return "act"
    return STAGE.write(r, s)


def read_battle(r: Any, s: Any, text: str) -> None:
    """The number of the battle; before the first pair is turned there is none yet."""
    early = s.phase in BEFORE
    s.battle = codecs.read_number(text, 1, 1 if early else BATTLES) * (not early)


def read_wins(r: Any, s: Any, text: str) -> None:
    """Who won the battles that are over."""
    n, found = max(1, s.battle) - 1, CARDS.lists.items(text)
    if not {*found} <= {*"AB-"} or len(found) != n:
        raise ValueError(f"A, B or - for each of the {n} battles that are over")
    for b, winner in enumerate(found):
        s.result[b] = 1 + (NOBODY if winner == "-" else LETTERS.index(winner))


def slots(p: int) -> Codec:
    """The cards face down, `-` for none: `-4U`."""
    cells = CARDS.slots("slots", p, BATTLES)

    def read(r: Any, s: Any, text: str) -> None:
        if len(text) != BATTLES:
            raise ValueError("three characters, - for no card")
        cells.read(r, s, text)
        for b in range(BATTLES):
            s.covered[p, b] = s.slots[p, b] > 0
            s.hand_size[p] += s.covered[p, b] * (s.phase == Phase.PLACE)

    return Codec(cells.write, read, usual="-" * BATTLES)


def pile(at: int) -> Codec:
    """A line."""
    return CARDS.piled("line", at, size="line_size", owner=at % SEATS)


def line(p: int) -> Codec:
    """The cards of the present battle."""

    def write(r: Any, s: Any) -> str:
        return pile(rules.side(s, p)).write(r, s) if s.battle else NONE

    def read(r: Any, s: Any, text: str) -> None:
        if text != NONE:
            if s.battle == 0 or s.phase == Phase.FLIP:
                raise ValueError("nothing is turned yet")
            pile(rules.side(s, p)).read(r, s, text)

    return Codec(write, read)


def won(p: int) -> Codec:
    """The lines that won their battles: `51/4`."""

    def sides(s: Any) -> list[Codec]:
        return [pile(SEATS * b + p) for b in range(BATTLES) if s.battle and s.result[b] == 1 + p]

    def write(r: Any, s: Any) -> str:
        return "/".join(x for side in sides(s) if (x := side.write(r, s)) != NONE) or NONE

    def read(r: Any, s: Any, text: str) -> None:
        groups = [] if text == NONE else text.split("/")
        n = len(sides(s))
        if groups and (len(groups) != n or not all(groups)):
            raise ValueError(f"a group of cards, joined by /, for each battle they have won: {n}")
        for side, group in zip(sides(s), groups, strict=False):
            side.read(r, s, group)

    return Codec(write, read)


def discard(p: int) -> Codec:
    """A discard pile; what lies face down in it is written with the rest."""
    return replace(
        CARDS.counted("discard", p),
        write=lambda r, s: CARDS.write(r, spread(map(add, s.discard[p], s.buried[p]))),
    )


def sealed(p: int) -> Codec:
    """What A has chosen in a standoff."""

    def read(r: Any, s: Any, text: str) -> None:
        found = CARDS.read(r, s, text, p)
        if len(found) != (1 if s.phase == Phase.STAND and p == 0 else 0):
            raise ValueError("one card, of A, and only in stage=stand")
        for card in found:
            s.sealed[p] = 1 + card
            s.hand_size[p] += 1

    return Codec(
        lambda r, s: code(r, Card, s.sealed[p] - 1) if s.sealed[p] else NONE,
        read,
        usual=NONE,
        shown=lambda s, text: s.phase == Phase.STAND and s.to_act == 1,
    )


def read_chooser(r: Any, s: Any, text: str) -> None:
    """Who chooses for an effect."""
    if text not in ([*LETTERS] if s.phase in EFFECTS else [""]):
        raise ValueError("who chooses, A or B, at stage=target and stage=salvage")
    s.to_act = LETTERS.find(text)


# ---- the whole -----------------------------------------------------------------------------------
class Notation(DefaultNotation):
    """How the Iron Man Game of War is written."""

    cards, joint, brief, anywhere = CARDS, "\n", False, True
    usage = "the character of a card, or x"
    chance = "a card, or shuffle(A:531)"
    alike: ClassVar = {"other": "card"}
    forms: ClassVar = {
        "x": rules.concede,
        "{card}": (rules.place, rules.stand, rules.play, rules.strike, rules.salvage),
    }
    parts: ClassVar = {Card: card_part(Card, 0, KINDS, "", ".")}
    codecs: ClassVar[Codecs] = {
        "stage": replace(STAGE, write=write_stage),
        "round": number("round", 1, lambda r, s: r.numbers.max_rounds, usual=1),
        "battle": Codec(
            lambda r, s: str(max(1, s.battle)),
            read_battle,
            usual="1",
            shown=lambda s, text: s.battle > 0,
        ),
        "wins": Codec(
            lambda r, s: CARDS.lists.join(
                f"{LETTERS}-"[w - 1] for w in s.result if w and s.phase not in BEFORE
            ),
            read_wins,
            usual=NONE,
            shown=lambda s, text: s.battle > 0,
        ),
        "plays": number(
            "plays", 0, lambda r, s: 30_000 * (s.battle > 0), shown=lambda s, text: s.battle > 0
        ),
        "act": Codec(
            lambda r, s: LETTERS[s.to_act],
            read_chooser,
            usual="",
            fact=False,
            shown=lambda s, text: s.phase in EFFECTS,
        ),
        "{}.pawn": lambda p: number(
            "pawn",
            lambda r, s: r.numbers.start,
            lambda r, s: r.numbers.track - 1,
            usual=lambda r, s: r.numbers.start,
            p=p,
        ),
        "{}.hand": lambda p: CARDS.counted("hands", p, size="hand_size"),
        "{}.slots": slots,
        "{}.line": line,
        "{}.won": won,
        "{}.discard": discard,
        "{}.deck": lambda p: CARDS.piled("deck", p, size="deck_size", down=True),
        "{}.sealed": sealed,
        "lead": fact(
            lambda r, s: f"{LETTERS}-"[rules.leader(r.numbers, s) if s.battle else NOBODY]
        ),
        "{}.total": lambda p: fact(lambda r, s: s.battle and rules.total(r.numbers, s, p)),
    }

    def drawn(self, r: Any, text: str) -> int:
        return member(r, Card, text)

    def check(self, r: Any, s: Any) -> Iterator[str]:
        """Face-down cards lie where they can; somebody can be asked."""
        placed = [sum(s.covered[p]) for p in range(SEATS)]
        first = s.battle + (s.phase != Phase.FLIP)
        for p, letter in enumerate(LETTERS):
            lie = [b + 1 for b in range(BATTLES) if s.covered[p, b]]
            if s.phase == Phase.PLACE:
                good = lie == [*range(1, len(lie) + 1)]
            else:
                good = s.phase != Phase.DEAL and all(b >= first for b in lie)
            if lie and not good:
                yield f"{letter} slots=: no card can lie for battle {lie[0]}"
        if s.phase == Phase.PLACE:
            done = placed[0] in (BATTLES, s.hand_size[0])
            if placed[1] and not done:
                yield "B slots=: A places all cards before B does"
            if placed[1] and placed[1] in (BATTLES, s.hand_size[1]):
                yield "all cards are placed: write stage=flip"
            s.slot = placed[done]
            rules.go_on_placing(s, int(done))
        elif s.phase == Phase.STAND:
            if rules.leader(r.numbers, s) != NOBODY or s.hand_size[1] == 0:
                yield "stage=stand is a standoff in which B holds cards"
            s.to_act = 1
        elif s.phase == Phase.TARGET and not rules.has_target(r.numbers, s, 1 - s.to_act):
            yield "stage=target: the opponent has no card to be discarded"
        elif s.phase == Phase.SALVAGE and not rules.has_power_card(r.numbers, s, s.to_act):
            yield "stage=salvage: no power card is in the discard pile"
