"""Medieval: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from itertools import combinations, permutations
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from ...core import table
from ...core.game import Kit
from ...core.game import Options as AnyOptions
from ...core.table import Model, Name
from .rules import CARDS, COLUMNS, KINDS

MAX_KINDS = 60
DECKS = Path(__file__).parent / "decks"
OF_ONE_COLUMN = ("own_column_add", "negate_highest_facing")
BESIDE = ("own_columns_add", "enemy_columns_add", *OF_ONE_COLUMN, "swap_columns", "spy")
OF_CHARACTERS = ("assassinate", "save_column")
WITH_NUMBER = (
    "column_bonus",
    "king_bonus",
    "own_columns_add",
    "enemy_columns_add",
    "own_column_add",
)


class Options(AnyOptions):
    """How Medieval is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=2, description="how many play (ME-1)")
    deck: str = Field(
        "medieval-default",
        examples=["medieval-default", "medieval-court"],
        description="medieval-default, medieval-court, the path of your own .toml, or its text",
    )
    reshuffle: Literal["lazy", "eager"] = Field(
        "lazy", description="Survivors become the deck at the next draw, or with its last card (H5)"
    )
    deadlock: Literal["both_lose", "both_survive"] = Field(
        "both_lose", description="a tie when nobody has a card left (H11)"
    )
    event_replacement: bool = Field(
        True,
        title="Events are replaced",
        description="a flipped event is replaced by the next card (H3)",
    )
    max_battles: int = Field(1000, ge=1, le=100_000, description="battles that end it (H16)")


# ---- decks --------------------------------------------------------------------------------------
class Effect(Model):
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
    ]
    n: int = Field(0, ge=-9, le=9)
    choose_column: bool = False

    @model_validator(mode="after")
    def _together(self) -> Effect:
        if self.op not in WITH_NUMBER and self.n:
            raise ValueError(f"{self.op} takes no n")
        if self.op in WITH_NUMBER and not self.n:
            raise ValueError(f"{self.op} needs n, a number other than 0")
        if self.choose_column and self.op not in OF_ONE_COLUMN:
            known = ", ".join(OF_ONE_COLUMN)
            raise ValueError(f"{self.op} is not of one column: choose_column goes with {known}")
        return self


class CardEntry(Model):
    """A `[[card]]` of a deck file."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    code: str = Field(pattern=r"^[A-Za-z0-9]$")
    name: Name = Field(min_length=1, max_length=40)
    kind: Literal["fighter", "character", "event"]
    value: int = Field(0, ge=0, le=20)
    count: int = Field(ge=0, le=CARDS)
    king: bool = False
    effect: Effect | None = None

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

    @model_validator(mode="after")
    def _together(self) -> CardEntry:
        is_event = self.kind == "event"
        if is_event and (self.value or self.king):
            raise ValueError(f"card {self.id}: an event has no value and is no King")
        if is_event != (self.op in BESIDE):
            known = ", ".join(BESIDE)
            raise ValueError(
                f"card {self.id}: an event, and only an event, has one of these effects: {known}"
            )
        if self.op in OF_CHARACTERS and self.kind != "character":
            raise ValueError(f"card {self.id}: only a character has the effect {self.op}")
        return self


class Deck(Model):
    """A deck file: the cards of one player; the other has the same."""

    name: Name = Field("", max_length=60)
    card: list[CardEntry] = Field(min_length=1)

    @model_validator(mode="after")
    def _together(self) -> Deck:
        if len(self.card) > MAX_KINDS:
            raise ValueError(f"{len(self.card)} kinds of cards; {MAX_KINDS} at most")
        for what in ("id", "code", "name"):
            seen = set[str]()
            for c in self.card:
                if (value := getattr(c, what)) in seen:
                    raise ValueError(f"two cards have the {what} {value!r}")
                seen.add(value)
        if (size := sum(c.count for c in self.card)) != CARDS:
            raise ValueError(f"{size} cards; a deck has {CARDS} (ME-1)")
        if any(c.op == "king_bonus" for c in self.card) and not any(c.king for c in self.card):
            raise ValueError("a king_bonus, but no card has king = true")
        return self


# ---- what the rules get -------------------------------------------------------------------------
def kit(o: Options) -> Kit:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = table.read_deck(o.deck, Deck, DECKS)
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
        "max_battles": o.max_battles,
    }
    return Kit({} if len(cards) == KINDS else {"kinds": len(cards)}, numbers, deck, text)
