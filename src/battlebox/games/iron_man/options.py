"""Iron Man Game of War: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field, model_validator

from ...core.assembly import resolve_by_name
from ...core.deck import CardDeck, CardEntry, Count, Fault, card_code, read_deck, room
from ...core.errors import RulesetError
from ...core.game import Group, Resolved, bounds, deck_option, option
from ...core.game import Options as AnyOptions
from . import rules

HAND = 7  # IM-11: cards that are dealt for a round
SIZE, SPECIALS = 55, 20  # of a deck that does not say `custom = true`
DECKS = Path(__file__).parent / "decks"
EffectName = Literal[  # in the order of rules.Effect
    "discard_opponent_card",
    "double_total",
    "count_bonus",
    "drain_power",
    "draw",
    "take_power_from_discard",
    "random_discard",
]
COUNTED = ("count_bonus", "drain_power", "draw")  # effects that say how much


class Options(AnyOptions):
    """How the Iron Man Game of War is played. README.md explains each under the rules it names."""

    players: int = Field(2, ge=2, le=2, title="Players", description="always two (IM-1)")
    mode: Literal["advanced", "beginner"] = option(
        *("advanced", "Cards in play", Group.VARIANTS),
        names={"advanced": "power and special cards", "beginner": "power cards only"},
    )
    """which cards the game has (IM-6, IM-7)"""
    deck: str = deck_option({"ironman-default": "the usual deck", "ironman-even": "the even deck"})
    track_length: int = option(5, "Victory cards", Group.SETUP, **bounds(1, 99))
    """the card to reach (IM-5, H3)"""
    start: int = option(
        1, "First card", Group.SETUP, names={0: "before the first"}, **bounds(0, 98)
    )
    """the victory card to start on (IM-4, H3)"""
    round_win: Literal["two_battles", "more_wins"] = option(
        *("two_battles", "A round is won", Group.RULINGS),
        names={"two_battles": "by two battles", "more_wins": "by more battles than the opponent"},
    )
    """what wins a round (H1)"""
    reshuffle: Literal["by_mode", "eager", "lazy"] = option(
        *("by_mode", "Reshuffle", Group.RULINGS),
        names={
            "by_mode": "depends on the cards in play",
            "eager": "with the last card of the deck",
            "lazy": "at the next draw",
        },
    )
    """when the discard pile becomes the new deck (H5)"""
    final_attack_cancels: bool = option(True, "Final Attack cancels", Group.RULINGS)
    """it cancels and is cancelled like any special card (H7)"""
    upgrade_scope: Literal["all", "before_only"] = option(
        *("all", "Upgrade doubles", Group.RULINGS),
        names={"all": "all of them", "before_only": "those played before it"},
    )
    """which of your cards it doubles (H8)"""
    beginner_leftovers_visible: bool = option(False, "Leftovers are shown", Group.RULINGS)
    """power cards only: leftover hands are discarded face up (H14)"""
    max_rounds: int = option(200, "Rounds", Group.LIMITS, **bounds(1, 10_000))
    """this many end the match (H17)"""
    max_plays: int = option(200, "Cards in a battle", Group.LIMITS, **bounds(1, 1000))
    """this many end it (H18)"""

    @model_validator(mode="after")
    def _together(self) -> Options:
        if self.start >= self.track_length:
            raise ValueError(
                f"start = {self.start} is not before track_length = {self.track_length}"
            )
        return self


# ---- decks ---------------------------------------------------------------------------------------
class Card(CardEntry):
    """A `[[card]]` of a deck file."""

    code: str = card_code("[A-Z0-9]", "a capital letter or a digit")
    kind: Literal["power", "special"] = Field(
        description="power cards count; special cards count or have an effect, and cancel"
    )
    value: int = Field(0, ge=0, le=99, description="what it counts")
    count: Count
    effect: EffectName | None = Field(None, description="of a special card: what it does")
    amount: int | None = Field(
        None,
        ge=1,
        le=20,
        description=f"how much, with the effects {', '.join(COUNTED)}: usually 1",
    )
    immune: bool = Field(False, description="no discard_opponent_card takes it away")

    def check_effect(self) -> Iterator[Fault]:
        if self.effect and self.kind == "power":
            yield Fault(("effect",), "a power card has none")
        elif self.effect and self.value:
            yield Fault(("value",), "a special card has a value or an effect, not both")

    def check_amount(self) -> Iterator[Fault]:
        if self.amount is not None and self.effect not in COUNTED:
            yield Fault(("amount",), f"goes with effect {', '.join(COUNTED)}")


class Deck(CardDeck):
    """A deck file: the cards of each player."""

    most_kinds = 31
    custom: bool = Field(
        False, description=f"true: it need not have {SIZE} cards, {SPECIALS} of them special"
    )
    card: list[Card] = Field(min_length=1, description="a kind of card, once for each")

    def check_counts(self) -> Iterator[Fault]:
        found = (self.size, sum(c.count for c in self.card if c.kind == "special"))
        if self.size < HAND:
            yield Fault((), f"{self.size} cards; a hand is {HAND}")
        elif self.fits and not self.custom and found != (SIZE, SPECIALS):
            text = (
                "{} cards, {} of them special; a deck has {} and {}, unless it says custom = true"
            )
            yield Fault((), text.format(*found, SIZE, SPECIALS))


# ---- what the rules get --------------------------------------------------------------------------
def printed(c: Card, o: Options) -> dict[str, int]:
    """What a card prints, as numbers."""
    cancels = c.kind == "special" and (o.final_attack_cancels or not c.value)
    return {
        "value": c.value,
        "power": c.kind == "power",
        "effect": 1 + get_args(EffectName).index(c.effect) if c.effect else 0,
        "amount": c.amount or 1,
        "cancels": cancels,
        "immune": c.immune,
    }


def resolve(o: Options) -> Resolved:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = read_deck(o.deck, Deck, DECKS)
    beginner = o.mode == "beginner"
    copies = [0 if beginner and c.kind == "special" else c.count for c in deck.cards]
    if sum(copies) < HAND:
        what = "power cards, which alone are played with in the beginner game" if beginner else ""
        raise RulesetError(
            f"iron_man: the deck has {sum(copies)} {what or 'cards'}; a hand is {HAND}"
        )
    numbers = {
        "card": [printed(c, o) for c in deck.cards],
        "copies": copies,
        "hand": HAND,
        "track": o.track_length,
        "sweep": 1 if beginner else 2,  # IM-31, IM-45
        "majority": o.round_win == "two_battles",
        "responds": not beginner,
        "keeps_hand": not beginner,
        "leftovers_open": o.beginner_leftovers_visible,
        "eager": not beginner if o.reshuffle == "by_mode" else o.reshuffle == "eager",
        "double_all": o.upgrade_scope == "all",
    }
    sizes = {"kinds": len(deck.cards), "cards": room(deck.size, rules.CARDS)}
    return resolve_by_name(o, rules, numbers, deck=(deck, text), sizes=sizes)
