"""Battle: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Discriminator, Field, Tag

from ...core.assembly import resolve_by_name
from ...core.deck import MOST_CARDS, DeckName, Fault, Part, read_deck, room
from ...core.errors import RulesetError
from ...core.game import Group, Resolved, bounds, deck_option, option, seat_option
from ...core.game import Options as AnyOptions
from . import state
from .state import CARDS, COPIES, RANKS, SEATS

MAX_RANKS, MAX_COPIES = 20, 12
DECKS = Path(__file__).parent / "decks"


class Options(AnyOptions):
    """How Battle is played. README.md explains each option under the rules it names."""

    players: int = Field(6, ge=4, le=SEATS, title="Players", description="how many players (BA-2)")
    deck: str = deck_option({"battle-default": "the usual deck"})
    odd_identity: Literal["random", "hero", "villain"] = option(
        *("random", "The odd identity", Group.SETUP),
        names={"random": "by lot", "hero": "a superhero", "villain": "a villain"},
    )
    """the last card dealt to an odd number of players (B1)"""
    dealer: int = seat_option("First dealer", Group.SETUP, most=SEATS - 1)
    """who deals the first round (BA-70)"""
    target_points: int = option(5, "Points to win", Group.ENDING, **bounds(1, 100))
    """the first player with this many wins (BA-71)"""
    rounds: int = option(0, "Rounds", Group.ENDING, names={0: "no limit"}, **bounds(0, 1000))
    """this many end the match (B37)"""
    tiebreak: Literal["cards", "shared"] = option(
        *("cards", "A tie", Group.ENDING),
        names={"cards": "by drawing cards", "shared": "the win is shared"},
    )
    """how it is broken (B27)"""
    action_timing: Literal["own_turn", "windows"] = option(
        *("own_turn", "Action cards", Group.VARIANTS),
        names={"own_turn": "on your own turn", "windows": "between turns, too"},
    )
    """when you may play them (B2)"""
    build_effects: bool = option(True, "Effects in building", Group.RULINGS)
    """action cards take effect while hands are built (B3)"""
    build_actions_per_turn: int = option(
        0, "Action cards in a building turn", Group.RULINGS, names={0: "no limit"}, **bounds(0, 30)
    )
    """how many you may play (B4)"""
    voluntary_pass: bool = option(True, "Passing is free", Group.RULINGS)
    """you may pass even if you could play (B5)"""
    pass_locks: bool = option(False, "A pass locks", Group.RULINGS)
    """a player who passes is out of that battle (B6)"""
    owner_return: Literal["open_set", "always"] = option(
        *("open_set", "A battle resets", Group.RULINGS),
        names={
            "open_set": "when all have had their turn",
            "always": "on the next turn of their player",
        },
    )
    """when the standing cards are cleared (B7)"""
    max_discard_draws: int = option(
        2, "Laps of discards", Group.RULINGS, names={0: "no limit"}, **bounds(0, 60)
    )
    """how many laps may draw only from the discard pile (B9)"""
    expose_self: bool = option(True, "EXPOSE yourself", Group.RULINGS)
    """you may expose yourself (B10)"""
    out_scores: bool = option(True, "The eliminated score", Group.RULINGS)
    """players who are out score with their side (B15)"""
    wipeout_ends: bool = option(True, "A side alone wins", Group.RULINGS)
    """the round ends when only one side is left (B16)"""
    reverse_two: Literal["turn", "skip"] = option(
        *("turn", "REVERSE between two", Group.RULINGS),
        names={"turn": "reverses the order of play", "skip": "skips the other, too"},
    )
    """what it does when two players are left (B24)"""
    max_turns: int = option(2000, "Turns", Group.LIMITS, **bounds(1, 30_000))
    """this many end a round (B33)"""


# ---- decks --------------------------------------------------------------------------------------
Count = Annotated[int, Field(ge=0, le=MOST_CARDS)]
Copies = Annotated[int, Field(ge=0, le=MAX_COPIES)]
Key = Annotated[int, Field(strict=False)]  # in TOML a key is a text


class Fight(Part):
    """`[fight]`: the ranks, and how many cards of each: one number, or a table by rank."""

    ranks: int = Field(ge=1, le=MAX_RANKS, description="ranks are 1, 2 .. to this")
    copies: Annotated[
        Annotated[int, Field(ge=1, le=MAX_COPIES), Tag("number")]
        | Annotated[dict[Key, Copies], Tag("table")],
        Discriminator(lambda x: "table" if isinstance(x, dict) else "number"),
    ] = Field(description="cards of each rank: one number, or a table such as { 1 = 8, 12 = 2 }")

    def check_known(self) -> Iterator[Fault]:
        for rank in self.each:
            if not 1 <= rank <= self.ranks:
                text = f"there is no rank {rank}; ranks are 1 .. {self.ranks}"
                yield Fault(("copies", str(rank)), text)
        if not sum(self.each.values()):
            yield Fault(("copies",), "there is no fight card")

    @property
    def each(self) -> dict[int, int]:
        """How many cards of each rank."""
        if isinstance(self.copies, int):
            return dict.fromkeys(range(1, self.ranks + 1), self.copies)
        return self.copies


class Actions(Part):
    """`[action]`: how many cards of each kind; of EXPOSE there are as many as players."""

    skip: Count = 0
    reverse: Count = 0
    new_battle: Count = 0
    eliminate: Count = 0
    save: Count = 0


class Deal(Part):
    """`[players.N]`: cards dealt to each, and cards removed before, with so many players."""

    deal: int = Field(ge=1, le=MOST_CARDS, description="cards dealt to each")
    remove: Actions = Field(Actions(), description="action cards left out, as { save = 1 }")


class Card(NamedTuple):
    """A kind of card, as people and notation call it."""

    code: str
    name: str


ACTION_CARDS = {  # in the order of their kinds
    **{"SK": "Skip", "RV": "Reverse", "NB": "New Battle", "EL": "Eliminate"},
    **{"SV": "Save", "EX": "Expose", "BT": "Battle"},
}


class Deck(Part):
    """A deck file: the cards of a Battle."""

    name: DeckName = ""
    fight: Fight = Field(description="the fight cards")
    action: Actions = Field(description="how many action cards of each kind; none if left out")
    players: dict[Key, Deal] = Field(
        min_length=1, description="what N players are dealt; once for each number that may play"
    )

    def check_numbers(self) -> Iterator[Fault]:
        for n in self.players:
            if not 4 <= n <= SEATS:
                yield Fault(("players", str(n)), f"4 to {SEATS} play")

    def check_removed(self) -> Iterator[Fault]:
        for n, deal in self.players.items():
            for kind, count in deal.remove:
                if count > (there := getattr(self.action, kind)):
                    yield Fault(("players", str(n), "remove"), f"{count} {kind}; there are {there}")

    def check_dealt(self) -> Iterator[Fault]:
        for n, deal in self.players.items():
            if (size := self.size(n)) > MOST_CARDS:
                yield Fault(("players", str(n)), f"{size} cards; {MOST_CARDS} at most")
            elif n * deal.deal > size:
                text = f"{n} times {deal.deal} cards are dealt; there are {size}"
                yield Fault(("players", str(n), "deal"), text)

    @property
    def ranks(self) -> int:
        """How many ranks the records have room for."""
        return max(self.fight.ranks, RANKS)

    @cached_property
    def cards(self) -> list[Card]:
        """All kinds, in the order of their numbers."""
        fights = [Card(str(rank), str(rank)) for rank in range(1, self.ranks + 1)]
        return [*fights, *(Card(*x) for x in ACTION_CARDS.items())]

    def copies(self, players: int) -> list[int]:
        """BA-6, BA-8: how many of each kind are shuffled; of BATTLE none."""
        fights = [self.fight.each.get(rank, 0) for rank in range(1, self.ranks + 1)]
        less = self.players[players].remove
        actions = [count - getattr(less, kind) for kind, count in self.action]
        return [*fights, *actions, players, 0]

    def size(self, players: int) -> int:
        """How many cards are shuffled."""
        return sum(self.copies(players))


# ---- what the rules get -------------------------------------------------------------------------
def resolve(o: Options) -> Resolved:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = read_deck(o.deck, Deck, DECKS)
    if o.players not in deck.players:
        known = ", ".join(map(str, sorted(deck.players)))
        raise RulesetError(
            f"battle: the deck does not say what {o.players} players are dealt; it is for {known}"
        )
    sizes = {
        "ranks": deck.ranks,
        "copies": max(COPIES, *deck.fight.each.values()),
        "cards": room(1 + max(deck.size(n) for n in deck.players), CARDS),
    }
    numbers = {
        "copies": deck.copies(o.players),
        "hand": deck.players[o.players].deal,
        "extra": ("random", "hero", "villain").index(o.odd_identity),  # a Side, or 0
        "windows": o.action_timing == "windows",
        "build_actions": o.build_actions_per_turn,
        "take_laps": o.max_discard_draws,
        "owner_always": o.owner_return == "always",
        "reverse_skips": o.reverse_two == "skip",
        "tie_cards": o.tiebreak == "cards",
        "dealer": 1 + o.dealer,
    }
    return resolve_by_name(o, state, numbers, deck=(deck, text), sizes=sizes)
