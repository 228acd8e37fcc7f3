"""War Zone: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from ...core.assembly import resolve_by_name
from ...core.deck import CardDeck, CardEntry, Count, Fault, card_code, read_deck, room
from ...core.errors import RulesetError
from ...core.game import Group, Resolved, bounds, deck_option, option, seat_option
from ...core.game import Options as AnyOptions
from ...core.table import nearest
from . import rules

DECKS = Path(__file__).parent / "decks"


class Options(AnyOptions):
    """How War Zone is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=6, title="Players", description="how many players (WZ-2)")
    deck: str = deck_option({"warzone-default": "the whole deck", "warzone-half": "half the deck"})
    hand_size: int = option(
        0, "Cards in hand", Group.SETUP, names={0: "by the number of players"}, **bounds(0, 20)
    )
    """how many cards each player holds (WZ-3..5, WZ-60)"""
    start_health: int = option(20, "Health at the start", Group.SETUP, **bounds(1, 999))
    """how much each player starts with (WZ-10)"""
    health_cap: int = option(0, "Most health", Group.SETUP, names={0: "no limit"}, **bounds(0, 999))
    """health never rises above this (W1)"""
    starter: int = seat_option("First player", Group.SETUP, most=5)
    """who begins (WZ-15)"""
    mulligan: int = option(3, "First exchange", Group.SETUP, **bounds(0, 20))
    """how many cards you may exchange before the game (WZ-11)"""
    cycle: int = option(1, "Cards under the deck", Group.VARIANTS, **bounds(0, 20))
    """how many you may put there each turn (WZ-29)"""
    v2: bool = option(False, "Copies heal", Group.VARIANTS)
    """a copy of the last attack heals 1 (WZ-67)"""
    v2_blockable: bool = option(False, "Blocks stop healing", Group.VARIANTS)
    """a copy that is blocked heals nothing (W13)"""
    teams: int = option(
        *(0, "Teams", Group.VARIANTS),
        names={0: "none", 2: "two teams", 3: "three teams"},
        **bounds(0, 3),
    )
    """players fight in teams (WZ-58)"""
    speedy: bool = option(False, "Speedy game", Group.VARIANTS)
    """the game ends when the deck is empty (WZ-69)"""
    speedy_finish: Literal["now", "attack", "round"] = option(
        *("attack", "Speedy game: finished first", Group.VARIANTS),
        names={"now": "nothing", "attack": "the attack", "round": "the round"},
    )
    """what is still played then (W14)"""
    speedy_team: Literal["sum", "best"] = option(
        *("sum", "Speedy game: health of a team", Group.VARIANTS),
        names={"sum": "that of all its players", "best": "that of its healthiest player"},
    )
    """which health counts (W17)"""
    lightning_health: int = option(7, "Lightning round: health", Group.ENDING, **bounds(1, 999))
    """what each player starts it with (WZ-73)"""
    lightning_hand: int = option(4, "Lightning round: cards", Group.ENDING, **bounds(1, 20))
    """how many each player holds in it (WZ-73)"""
    must_attack: bool = option(False, "Attack if you can", Group.RULINGS)
    """you must attack if you hold an attack card (W12)"""
    out_hand: Literal["discard", "remove"] = option(
        *("discard", "Hand of a player who is out", Group.RULINGS),
        names={"discard": "to the discard pile", "remove": "out of the game"},
    )
    """where it goes (W9)"""
    reshuffle: Literal["eager", "lazy"] = option(
        *("eager", "Reshuffle", Group.RULINGS),
        names={"eager": "with the last card of the deck", "lazy": "at the next draw"},
    )
    """when the discard pile becomes the new deck (W6)"""
    relief: bool = option(True, "Reshuffle without attacks", Group.RULINGS)
    """the discard pile joins the deck after a lap without attacks (W18)"""
    idle_laps: int = option(
        10, "Laps without an attack", Group.LIMITS, names={0: "no limit"}, **bounds(0, 1000)
    )
    """this many in a row end the match (W19)"""
    max_turns: int = option(1000, "Turns", Group.LIMITS, **bounds(1, 100_000))
    """this many end the match (W19)"""

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
        if 0 < self.health_cap < max(self.start_health, self.lightning_health):
            raise ValueError(f"health_cap = {self.health_cap} is less than the health at the start")
        return self


# ---- decks --------------------------------------------------------------------------------------
Ids = Annotated[
    list[str],
    BeforeValidator(lambda x: [x] if isinstance(x, str) else x),
    Field(min_length=1, json_schema_extra={"takes": "an id or a list of ids"}),
]


class DefenceEntry(CardEntry):
    """A `[[defence]]` of a deck file."""

    code: str = card_code("[A-Z][A-Z0-9]{0,3}", "1 to 4 capital letters and digits, a letter first")
    count: Count


class AttackEntry(DefenceEntry):
    """An `[[attack]]` of a deck file."""

    damage: int = Field(ge=0, le=999, description="health that it takes")
    blocked_by: Ids = Field(description="the defence cards that stop it")
    counteraction: Ids = Field(
        description="the cards it answers: played after one of them, it has its bonus"
    )
    bonus_health: int = Field(0, ge=0, le=999, description="health that you gain with the bonus")
    bonus_damage: int = Field(0, ge=0, le=999, description="damage that the bonus adds")


class Deck(CardDeck):
    """A deck file: the cards of a War Zone."""

    most_kinds = 32
    attack: list[AttackEntry] = Field(min_length=1, description="an attack card, once for each")
    defence: list[DefenceEntry] = Field(min_length=1, description="a defence card, once for each")

    def check_references(self) -> Iterator[Fault]:
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


def resolve(o: Options) -> Resolved:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = read_deck(o.deck, Deck, DECKS)
    hand, ids = hand_size(o), [c.id for c in deck.cards]
    if deck.size < o.players * (hand + 1):
        raise RulesetError(
            f"war_zone: the deck has {deck.size} cards; {o.players} players with {hand} cards each "
            f"need {o.players * (hand + 1)}"
        )
    sizes = {
        "attacks": len(deck.attack),
        "defences": len(deck.defence),
        "cards": room(deck.size, rules.CARDS),
    }
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
        "copy_health": int(o.v2),
        "copy_blockable": o.v2_blockable,
        "finish": ("now", "attack", "round").index(o.speedy_finish),
        "team": [team(o, p) for p in range(rules.SEATS)],
        "teams": o.teams or o.players,
        "team_play": o.teams > 0,
        "team_sum": o.speedy_team == "sum",
        "discard_hand": o.out_hand == "discard",
        "eager": o.reshuffle == "eager",
    }
    return resolve_by_name(o, rules, numbers, deck=(deck, text), sizes=sizes)
