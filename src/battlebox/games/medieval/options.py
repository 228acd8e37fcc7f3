"""Medieval: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from typing import Literal

from pydantic import Field

from ...core.assembly import resolve_by_name
from ...core.deck import CardDeck, CardEntry, Count, Fault, Part, card_code, read_deck, room
from ...core.game import Group, Resolved, bounds, deck_option, option
from ...core.game import Options as AnyOptions
from . import rules
from .rules import COLUMNS, HAND

SIZE = 72  # cards of a deck that does not say `custom = true`
LEAST = COLUMNS + HAND  # what the first battle takes
DECKS = Path(__file__).parent / "decks"
OF_ONE_COLUMN = ("own_column_add", "negate_highest_facing")
BESIDE = ("own_columns_add", "enemy_columns_add", *OF_ONE_COLUMN, "swap_columns", "spy")
OF_CHARACTERS = ("assassinate", "save_column")
ADDS = ("own_columns_add", "enemy_columns_add", "own_column_add")
WITH_NUMBER = ("column_bonus", "king_bonus", *ADDS)


class Options(AnyOptions):
    """How Medieval is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=2, title="Players", description="how many players (ME-1)")
    deck: str = deck_option(
        {"medieval-default": "the usual deck", "medieval-court": "the Court deck"}
    )
    reshuffle: Literal["lazy", "eager"] = option(
        *("lazy", "Reshuffle", Group.RULINGS),
        names={"lazy": "at the next draw", "eager": "with the last card of the deck"},
    )
    """when the Survivors become the new deck (H5)"""
    deadlock: Literal["both_lose", "both_survive"] = option(
        *("both_lose", "A tie without cards", Group.RULINGS),
        names={"both_lose": "both lose", "both_survive": "both survive"},
    )
    """what happens when nobody has a card left to break it (H11)"""
    event_replacement: bool = option(True, "Events are replaced", Group.RULINGS)
    """the next card is turned up in place of an event (H3)"""
    max_battles: int = option(1000, "Battles", Group.LIMITS, **bounds(1, 100_000))
    """this many end the match (H16)"""


# ---- decks --------------------------------------------------------------------------------------
class Effect(Part):
    """What a card says, beyond its value."""

    op: Literal[
        "play_another",
        "column_bonus",
        "king_bonus",
        "own_columns_add",
        "enemy_columns_add",
        "own_column_add",
        "negate_highest_facing",
        "swap_columns",
        "spy",
        "assassinate",
        "save_column",
    ] = Field(description="which")
    n: int = Field(0, ge=-9, le=9, description=f"how much, with {', '.join(WITH_NUMBER)}")
    choose_column: bool = Field(
        False, description=f"its owner aims it, with {', '.join(OF_ONE_COLUMN)}"
    )

    def check_number(self) -> Iterator[Fault]:
        if self.op not in WITH_NUMBER and self.n:
            yield Fault(("n",), f"{self.op} takes no n")
        if self.op in WITH_NUMBER and not self.n:
            yield Fault(("n",), f"{self.op} needs n, a number other than 0")

    def check_column(self) -> Iterator[Fault]:
        if self.choose_column and self.op not in OF_ONE_COLUMN:
            known = ", ".join(OF_ONE_COLUMN)
            text = f"{self.op} is not of one column: choose_column goes with {known}"
            yield Fault(("choose_column",), text)


class Card(CardEntry):
    """A `[[card]]` of a deck file."""

    code: str = card_code("[A-Za-z0-9]", "a letter or a digit")
    kind: Literal["fighter", "character", "event"] = Field(description="what it is")
    value: int = Field(0, ge=0, le=20, description="what it counts in its column; an event: 0")
    count: Count
    king: bool = Field(False, description="it is a King, for the effect king_bonus")
    effect: Effect | None = Field(None, description="what it does beyond its value: a table")

    @property
    def op(self) -> str:
        """What its effect is; empty without one."""
        return self.effect.op if self.effect else ""

    def number(self, op: str) -> int:
        """The number of that effect; 0 if it has another."""
        return self.effect.n if self.effect and self.effect.op == op else 0

    @property
    def chooses(self) -> bool:
        """Its owner chooses the column."""
        return self.effect is not None and self.effect.choose_column

    def check_event(self) -> Iterator[Fault]:
        if self.kind == "event" and (self.value or self.king):
            yield Fault(
                ("value" if self.value else "king",), "an event has no value and is not a King"
            )

    def check_effects(self) -> Iterator[Fault]:
        if (self.kind == "event") != (self.op in BESIDE):
            known = ", ".join(BESIDE)
            text = f"an event, and only an event, has one of these: {known}"
            yield Fault(("effect",), text)
        elif self.op in OF_CHARACTERS and self.kind != "character":
            yield Fault(("effect",), f"only a character has {self.op}")


class Deck(CardDeck):
    """A deck file: the cards of one player; the other has the same."""

    most_kinds = 60
    custom: bool = Field(False, description=f"true: it need not have {SIZE} cards")
    card: list[Card] = Field(min_length=1, description="a kind of card, once for each")

    def check_counts(self) -> Iterator[Fault]:
        if self.size < LEAST:
            yield Fault((), f"{self.size} cards; a battle takes {LEAST} (ME-7, ME-14)")
        elif self.fits and not self.custom and self.size != SIZE:
            wanted = f"a deck has {SIZE} (ME-1), unless it says custom = true"
            yield Fault((), f"{self.size} cards; {wanted}")

    def check_fighters(self) -> Iterator[Fault]:
        if all(c.kind == "event" for c in self.card if c.count):
            yield Fault((), "events alone; a battle needs fighters or characters")

    def check_king(self) -> Iterator[Fault]:
        for i, c in enumerate(self.card):
            if c.op == "king_bonus" and not any(x.king for x in self.card):
                yield Fault(("card", i, "effect"), "a king_bonus, but no card has king = true")


# ---- what the rules get -------------------------------------------------------------------------
def resolve(o: Options) -> Resolved:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = read_deck(o.deck, Deck, DECKS)
    cards = deck.card
    numbers = {
        "column": list(permutations(range(COLUMNS))),
        "pair": list(combinations(range(COLUMNS), 2)),
        "copies": [c.count for c in cards],
        "value": [c.value for c in cards],
        "fighter": [c.kind == "fighter" for c in cards],
        "event": [c.kind == "event" for c in cards],
        "another": [c.op == "play_another" for c in cards],
        "king": [c.king for c in cards],
        "column_bonus": [c.number("column_bonus") for c in cards],
        "king_bonus": [c.number("king_bonus") for c in cards],
        "own_columns": [c.number("own_columns_add") for c in cards],
        "enemy_columns": [c.number("enemy_columns_add") for c in cards],
        "own_column": [c.number("own_column_add") for c in cards],
        "trap": [c.op == "negate_highest_facing" for c in cards],
        "aim": [c.chooses for c in cards],
        "swap": [c.op == "swap_columns" for c in cards],
        "spy": [c.op == "spy" for c in cards],
        "assassin": [c.op == "assassinate" for c in cards],
        "savior": [c.op == "save_column" for c in cards],
        "assassins": any(c.op == "assassinate" for c in cards),
        "saviors": any(c.op == "save_column" for c in cards),
        "replace": o.event_replacement,
        "eager": o.reshuffle == "eager",
        "both_survive": o.deadlock == "both_survive",
    }
    sizes = {"kinds": len(cards), "cards": room(deck.size, rules.CARDS)}
    return resolve_by_name(o, rules, numbers, deck=(deck, text), sizes=sizes)
