"""War Zone: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from ...core.deck import CardName, DeckName, Fault, Id, Part, each_once, read_deck
from ...core.errors import RulesetError
from ...core.game import Kit
from ...core.game import Options as AnyOptions
from ...core.table import nearest
from . import rules

MAX_KINDS, MAX_CARDS = 32, 120
DECKS = Path(__file__).parent / "decks"


class Options(AnyOptions):
    """How War Zone is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=6, description="how many play (WZ-2)")
    deck: str = Field(
        "warzone-default",
        examples=["warzone-default", "warzone-half"],
        description="warzone-default, warzone-half, the path of your own .toml, or its text",
    )
    hand_size: int = Field(
        0, ge=0, le=20, description="cards in a hand; 0: by players (WZ-3..5, WZ-60)"
    )
    start_health: int = Field(20, ge=1, le=999, description="health at the start (WZ-10)")
    health_cap: int = Field(0, ge=0, le=999, description="most health there is; 0: no cap (W1)")
    mulligan: int = Field(
        3,
        ge=0,
        le=20,
        title="First exchange",
        description="cards to exchange before the game (WZ-11)",
    )
    cycle: int = Field(
        1,
        ge=0,
        le=20,
        title="Cards under the deck",
        description="cards to put under the deck each turn (WZ-29)",
    )
    v2: bool = Field(
        False,
        title="Copies heal",
        description="Variant 2: a copy of the last attack heals 1 (WZ-67)",
    )
    v2_blockable: bool = Field(
        False, title="Blocks stop healing", description="Variant 2: a block takes that away (W13)"
    )
    speedy: bool = Field(
        False, title="Speedy game", description="Variant 3: it ends when the deck is empty (WZ-69)"
    )
    speedy_finish: Literal["now", "attack", "round"] = Field(
        "attack", description="Variant 3: what is still finished then (W14)"
    )
    speedy_team: Literal["sum", "best"] = Field(
        "sum", description="which health of a team counts: all, or its best player's (W17)"
    )
    teams: int = Field(0, ge=0, le=3, description="team play with 2 or 3 teams; 0: none (WZ-58)")
    must_attack: bool = Field(
        False, title="Attack if you can", description="who holds an attack card must attack (W12)"
    )
    lightning_health: int = Field(7, ge=1, le=999, description="lightning round: health (WZ-73)")
    lightning_hand: int = Field(4, ge=1, le=20, description="lightning round: cards (WZ-73)")
    out_hand: Literal["discard", "remove"] = Field(
        "discard", description="where the hand of a player who is out goes (W9)"
    )
    reshuffle: Literal["eager", "lazy"] = Field(
        "eager", description="the deck is empty with its last card, or at the next draw (W6)"
    )
    relief: bool = Field(True, description="reshuffle after a lap without an attack (W18)")
    idle_laps: int = Field(
        10, ge=0, le=1000, description="laps without an attack that end it; 0: no end (W19)"
    )
    max_turns: int = Field(1000, ge=1, le=100_000, description="turns that end it (W19)")
    starter: int = Field(-1, ge=-1, le=5, description="the first seat; -1: by lot (WZ-15)")

    @field_validator("teams")
    @classmethod
    def _teams(cls, teams: int) -> int:
        if teams == 1:
            raise ValueError("0 (no team play), 2 or 3 teams")
        return teams

    @model_validator(mode="after")
    def _together(self) -> Options:
        if self.teams and (self.players not in (4, 6) or self.players % self.teams):
            raise ValueError(
                f"teams = {self.teams} with players = {self.players}: team play is for "
                "4 players (2 teams) or 6 players (2 or 3 teams) (W11)"
            )
        if self.starter >= self.players:
            raise ValueError(f"starter = {self.starter}: the seats are 0 .. {self.players - 1}")
        if 0 < self.health_cap < max(self.start_health, self.lightning_health):
            raise ValueError(f"health_cap = {self.health_cap} is less than the health at the start")
        return self


# ---- decks --------------------------------------------------------------------------------------
Ids = Annotated[
    list[str],
    BeforeValidator(lambda x: [x] if isinstance(x, str) else x),
    Field(min_length=1, json_schema_extra={"takes": "an id or a list of ids"}),
]


class CardEntry(Part):
    """What every card entry says."""

    id: Id
    code: str = Field(
        pattern=r"^[A-Z][A-Z0-9]{0,3}$",
        json_schema_extra={"takes": "1 to 4 capital letters and digits, a letter first"},
        description="what players type",
    )
    name: CardName
    count: int = Field(ge=0, le=MAX_CARDS, description="how many of these cards there are")


class AttackEntry(CardEntry):
    """An `[[attack]]` of a deck file."""

    damage: int = Field(ge=0, le=999, description="health that it takes")
    blocked_by: Ids = Field(description="the defence cards that stop it")
    counteraction: Ids = Field(
        description="the cards it answers: played after one of them, it has its bonus"
    )
    bonus_health: int = Field(0, ge=0, le=999, description="health that you gain with the bonus")
    bonus_damage: int = Field(0, ge=0, le=999, description="damage that the bonus adds")


class Deck(Part):
    """A deck file: the cards of a War Zone."""

    name: DeckName = ""
    attack: list[AttackEntry] = Field(min_length=1, description="an attack card, once for each")
    defence: list[CardEntry] = Field(min_length=1, description="a defence card, once for each")

    @cached_property
    def cards(self) -> list[CardEntry]:
        """All kinds, in the order of their numbers."""
        return [*self.attack, *self.defence]

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(c.count for c in self.cards)

    def checks(self) -> tuple[Callable[[], Iterator[Fault]], ...]:
        """Numbers of kinds and cards; what may be there once; what names another card."""
        return self._kinds, self._size, self._once, self._references

    def _kinds(self) -> Iterator[Fault]:
        if len(self.cards) > MAX_KINDS:
            yield Fault((), f"{len(self.cards)} kinds of cards; {MAX_KINDS} at most")

    def _size(self) -> Iterator[Fault]:
        if self.size > MAX_CARDS:
            yield Fault((), f"{self.size} cards; {MAX_CARDS} at most")

    def _once(self) -> Iterator[Fault]:
        return each_once("cards", {"attack": self.attack, "defence": self.defence})

    def _references(self) -> Iterator[Fault]:
        ids, defences = [c.id for c in self.cards], [c.id for c in self.defence]
        known = {"blocked_by": ("defence", defences), "counteraction": ("card", ids)}
        for i, a in enumerate(self.attack):
            for key, (kind, there) in known.items():
                for id in getattr(a, key, ()):
                    if id not in there:
                        text = f"no {kind} has the id {id!r}{nearest(id, there)}"
                        yield Fault(("attack", i, key), text)


# ---- what the rules get -------------------------------------------------------------------------
def hand_size(o: Options) -> int:
    """WZ-3, WZ-4, WZ-5, WZ-60: by the number of players; 4 in team play."""
    if o.hand_size:
        return o.hand_size
    return 4 if o.teams or o.players > 4 else 5 if o.players > 2 else 6


def team(o: Options, seat: int) -> int:
    """WZ-58, WZ-59: the team of a seat; without team play every seat is a team of its own."""
    return seat % (o.teams or o.players)


def sides(o: Options) -> list[int]:
    """The teams of all seats."""
    return [team(o, p) for p in range(o.players)]


def kit(o: Options) -> Kit:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = read_deck(o.deck, Deck, DECKS)
    hand = hand_size(o)
    if deck.size < o.players * (hand + 1):
        raise RulesetError(
            f"war_zone: the deck has {deck.size} cards; {o.players} players with {hand} cards each "
            f"need {o.players * (hand + 1)}"
        )
    ids = [c.id for c in deck.cards]
    sizes = {"attacks": len(deck.attack), "defences": len(deck.defence), "cards": deck.size}
    usual = {"attacks": rules.ATTACKS, "defences": rules.DEFENCES, "cards": rules.CARDS}
    # room in steps of 20 cards: a game at other sizes is imported, and compiled, once for each
    sizes["cards"] = max(-(-deck.size // 20) * 20, usual["cards"])
    numbers = {
        "attack": [
            {"damage": a.damage, "bonus_health": a.bonus_health, "bonus_damage": a.bonus_damage}
            for a in deck.attack
        ],
        "blocks": [[d.id in a.blocked_by for d in deck.defence] for a in deck.attack],
        "answers": [[id in a.counteraction for id in ids] for a in deck.attack],
        "copies": [c.count for c in deck.cards],
        "hand": hand,
        "health": o.start_health,
        "health_cap": o.health_cap,
        "mulligan": o.mulligan,
        "cycle": o.cycle,
        "copy_health": int(o.v2),
        "copy_blockable": o.v2_blockable,
        "speedy": o.speedy,
        "finish": ("now", "attack", "round").index(o.speedy_finish),
        "team": [team(o, p) for p in range(rules.SEATS)],
        "teams": o.teams or o.players,
        "team_play": o.teams > 0,
        "team_sum": o.speedy_team == "sum",
        "must_attack": o.must_attack,
        "lightning_health": o.lightning_health,
        "lightning_hand": o.lightning_hand,
        "discard_hand": o.out_hand == "discard",
        "eager": o.reshuffle == "eager",
        "relief": o.relief,
        "idle_laps": o.idle_laps,
        "max_turns": o.max_turns,
        "starter": o.starter,
    }
    return Kit({} if sizes == usual else sizes, numbers, deck, text)
