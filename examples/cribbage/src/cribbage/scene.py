"""Cribbage as people see and read it, where it differs from what follows by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from battlebox.authoring import (
    DefaultSaying,
    DefaultScene,
    Piece,
    Said,
    Zone,
    face_down,
    plural,
)

from .rules import SUITS, Card, Phase, State, Table, worth

TONES = ("clubs", "diamonds", "hearts", "spades")


def name(card: int) -> str:
    """A card, as it is written."""
    return Card(card).name


class Look(DefaultScene[State, Table]):
    """The table as one viewer sees it: `self.o` is all that they may know."""

    as_rows = ("line", "crib")

    def title(self) -> str:
        """Where we are."""
        if self.over:
            return "The end"
        part = {Phase.LAY: "lay away", Phase.PLAY: "the play", Phase.COUNT: "the count"}
        return f"Deal {self.o.deal}, {part[Phase(self.o.phase)]}"

    def question(self, actions: Sequence[int]) -> str:
        """What is asked."""
        o, me = self.o, self.o.to_act
        if o.phase == Phase.LAY:
            n = "two cards" if o.hand_size[me] == 6 else "one more card"
            return f"Lay {n} away to {self.whose(o.dealer_seat)} crib."
        if o.phase == Phase.PLAY:
            if o.total == 0:
                return "Play a card: the total is 0."
            if not self.fits():
                return f"The total is {o.total}, and none of your cards fits."
            return f"The total is {o.total}. Play a card."
        if o.counted == 3:
            return "All is counted. You deal next."
        return "Count your crib." if o.counted == 2 else "Count your hand, with the starter."

    def fits(self) -> bool:
        """Whether the viewer can play a card."""
        me = self.o.to_act
        held = [card for card in Card if self.o.hand[me, card]]
        return any(self.o.total + worth(card) <= 31 for card in held)

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        """What does not matter now is not there; the dealer is marked; the crib lies face down."""
        o = self.o
        hidden = {
            "table": True,
            "line": o.phase != Phase.PLAY,
            "crib": o.phase == Phase.PLAY,  # the line needs the room; all see their own half
            "laid": self.me is None or not o.laid_size[self.me],
            "hand": o.phase == Phase.COUNT,
            "deck": o.starter > 0,
        }
        for zone in super().zones(actions):
            if not hidden.get(zone.id):
                yield self.shown(zone)

    def shown(self, zone: Zone) -> Zone:
        """A zone, where it is not drawn as usual."""
        o, facts = self.o, dict(zone.facts)
        if zone.kind == "plaque" and zone.owner == o.dealer_seat:
            return replace(zone, facts=facts | {"chips": ["dealer"]})
        if zone.id == "line":
            label = f"The play: {o.total}"
            return replace(zone, label=label, facts=facts | {"short": label})
        if zone.id == "laid":
            return replace(zone, label="To the crib")
        if zone.id == "crib" and not zone.pieces:
            return face_down("crib", "Crib", sum(o.laid_size))
        return zone

    def piece(
        self, domain: Any, kind: int, id: str, count: int = 1, *, peek: bool = False
    ) -> Piece:
        """A card in the colour of its suit."""
        piece = super().piece(domain, kind, id, count, peek=peek)
        return replace(piece, tone=TONES[kind % SUITS], value=name(kind))

    def do_lay(self, card: int) -> Said:
        """To the crib."""
        return Said(f"Lay {name(card)} away", f"to {self.whose(self.o.dealer_seat)} crib")

    def do_play(self, card: int) -> Said:
        """What the total will be."""
        return Said(f"Play {name(card)}", f"makes {self.o.total + worth(card)}")

    def do_go(self) -> Said:
        """No card fits."""
        return Said("Say go", "no card of yours fits")

    def do_count(self) -> Said:
        """A hand, or the crib."""
        return Said(
            "Count the crib" if self.o.counted == 2 else "Count your hand", "with the starter"
        )

    def do_deal(self) -> Said:
        """The next deal."""
        return Said("Deal", "six new cards for both")


class Says(DefaultSaying):
    """What has happened, in words."""

    def points(self, why: str) -> str:
        """Points in the play."""
        return f"{self.does('take')} {plural(self.x['points'], 'point')}: {why}."

    def part(self, what: str) -> str:
        """A part of the count."""
        return f"{what}: {self.x['points']}."

    def dealt(self) -> str:
        return f"{self.does('deal')}."

    def laid(self) -> str:
        card = self.x["card"]
        return f"{self.does('lay')} {'a card' if card is None else name(card)} away."

    def cut(self) -> str:
        return f"The starter is {name(self.x['card'])}."

    def heels(self) -> str:
        return self.points("his heels")

    def played(self) -> str:
        return f"{self.does('play')} {name(self.x['card'])}: {self.x['total']}."

    def go(self) -> str:
        return f"{self.does('say')} go."

    def fifteen(self) -> str:
        return self.points("fifteen")

    def pair(self) -> str:
        return self.points(
            {2: "a pair", 6: "three of a rank", 12: "four of a rank"}[self.x["points"]]
        )

    def run(self) -> str:
        return self.points(f"a run of {self.x['points']}")

    def thirty_one(self) -> str:
        return self.points("thirty-one")

    def last(self) -> str:
        return self.points("the last card")

    def showed(self) -> str:
        return f"{self.does('turn')} up the crib."

    def fifteens(self) -> str:
        return self.part("Fifteens")

    def pairs(self) -> str:
        return self.part("Pairs")

    def runs(self) -> str:
        return self.part("Runs")

    def flush(self) -> str:
        return self.part("Flush")

    def nobs(self) -> str:
        return self.part("His nobs")

    def counted(self) -> str:
        what = "the crib" if self.x["crib"] else "the hand"
        return f"{self.does('count')} {plural(self.x['points'], 'point')} for {what}."
