"""Battle: options and decks, checked, and what the rules get of them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from ...core import table
from ...core.errors import RulesetError
from ...core.game import Kit
from ...core.game import Options as AnyOptions
from ...core.table import Model, Name
from .state import CARDS, COPIES, RANKS, SEATS, Side

MAX_RANKS, MAX_COPIES, MAX_CARDS = 20, 12, 120
DECKS = Path(__file__).parent / "decks"


class Options(AnyOptions):
    """How Battle is played. README.md explains each option under the rules it names."""

    players: int = Field(6, ge=4, le=SEATS, description="how many play (BA-2)")
    deck: str = Field(
        "battle-default",
        examples=["battle-default"],
        description="battle-default, the path of your own .toml, or its text",
    )
    target_points: int = Field(5, ge=1, le=100, description="points that win the game (BA-71)")
    rounds: int = Field(0, ge=0, le=1000, description="rounds that end it; 0: no number (B37)")
    odd_identity: Literal["random", "hero", "villain"] = Field(
        "random",
        title="The odd identity",
        description="with an odd number of players, the last identity (B1)",
    )
    action_timing: Literal["own_turn", "windows"] = Field(
        "own_turn", description="action cards in one's own turn alone, or between turns too (B2)"
    )
    build_effects: bool = Field(
        True,
        title="Effects in building",
        description="action cards work while players build (B3)",
    )
    build_actions_per_turn: int = Field(
        0, ge=0, le=30, description="action cards in a building turn; 0: any number (B4)"
    )
    voluntary_pass: bool = Field(
        True, title="Passing is free", description="who could play may pass as well (B5)"
    )
    pass_locks: bool = Field(
        False, title="A pass locks", description="who passes is out of that battle (B6)"
    )
    max_discard_draws: int = Field(
        2,
        ge=0,
        le=60,
        title="Laps of discards",
        description="laps of draws from the discard pile alone; 0: no end (B9)",
    )
    owner_return: Literal["open_set", "always"] = Field(
        "open_set",
        description="when a battle resets: all had their turn, or its owner's turn comes (B7)",
    )
    reverse_two: Literal["turn", "skip"] = Field(
        "turn", title="REVERSE between two", description="turns play, or skips as well (B24)"
    )
    expose_self: bool = Field(
        True, title="EXPOSE oneself", description="one may expose oneself (B10)"
    )
    out_scores: bool = Field(
        True, title="The eliminated score", description="with their side (B15)"
    )
    wipeout_ends: bool = Field(
        True,
        title="A side alone wins",
        description="the round ends when all that are left are of one side (B16)",
    )
    tiebreak: Literal["cards", "shared"] = Field(
        "cards", description="a tie is broken by drawing cards, or the win is shared (B27)"
    )
    max_turns: int = Field(2000, ge=1, le=30_000, description="turns that end a round (B33)")
    dealer: int = Field(-1, ge=-1, le=9, description="the first dealer; -1: by lot (BA-70)")

    @model_validator(mode="after")
    def _together(self) -> Options:
        if self.dealer >= self.players:
            raise ValueError(f"dealer = {self.dealer}: the seats are 0 .. {self.players - 1}")
        return self


# ---- decks --------------------------------------------------------------------------------------
Count = Annotated[int, Field(ge=0, le=MAX_CARDS)]
Key = Annotated[int, Field(strict=False)]  # in TOML a key is a text


class Fight(Model):
    """`[fight]`: the ranks, and how many cards of each: one number, or a table by rank."""

    ranks: int = Field(ge=1, le=MAX_RANKS)
    copies: Annotated[int, Field(ge=1, le=MAX_COPIES)] | dict[Key, Count]

    @model_validator(mode="after")
    def _known(self) -> Fight:
        for rank, n in self.each.items():
            if not 1 <= rank <= self.ranks:
                raise ValueError(f"copies: there is no rank {rank}; ranks are 1 .. {self.ranks}")
            if n > MAX_COPIES:
                raise ValueError(f"copies: {n} cards of rank {rank}; {MAX_COPIES} at most")
        if not sum(self.each.values()):
            raise ValueError("copies: there is no fight card")
        return self

    @property
    def each(self) -> dict[int, int]:
        """How many cards of each rank."""
        if isinstance(self.copies, int):
            return dict.fromkeys(range(1, self.ranks + 1), self.copies)
        return self.copies


class Actions(Model):
    """`[action]`: how many cards of each kind; of EXPOSE there are as many as players."""

    skip: Count = 0
    reverse: Count = 0
    new_battle: Count = 0
    eliminate: Count = 0
    save: Count = 0


class Deal(Model):
    """`[players.N]`: cards dealt to each, and cards removed before, with so many players."""

    deal: int = Field(ge=1, le=MAX_CARDS)
    remove: Actions = Actions()


class Card(NamedTuple):
    """A kind of card, as people and notation call it."""

    code: str
    name: str


ACTION_CARDS = (  # in the order of their kinds
    Card("SK", "Skip"),
    Card("RV", "Reverse"),
    Card("NB", "New Battle"),
    Card("EL", "Eliminate"),
    Card("SV", "Save"),
    Card("EX", "Expose"),
    Card("BT", "Battle"),
)


class Deck(Model):
    """A deck file: the cards of a Battle."""

    name: Name = Field("", max_length=60)
    fight: Fight
    action: Actions
    players: dict[Key, Deal]

    @model_validator(mode="after")
    def _sense(self) -> Deck:
        for n, deal in self.players.items():
            if not 4 <= n <= SEATS:
                raise ValueError(f"players.{n}: 4 to {SEATS} play")
            for kind, count in deal.remove:
                if count > (there := getattr(self.action, kind)):
                    raise ValueError(f"players.{n}: remove: {count} {kind}; there are {there}")
            if self.size(n) > MAX_CARDS:
                raise ValueError(f"{self.size(n)} cards; {MAX_CARDS} at most")
            if n * deal.deal > self.size(n):
                raise ValueError(
                    f"players.{n}: {n} times {deal.deal} cards are dealt; there are {self.size(n)}"
                )
        return self

    @property
    def ranks(self) -> int:
        """How many ranks the records have room for."""
        return max(self.fight.ranks, USUAL["ranks"])

    @cached_property
    def cards(self) -> list[Card]:
        """All kinds, in the order of their numbers."""
        fights = [Card(str(rank), str(rank)) for rank in range(1, self.ranks + 1)]
        return [*fights, *ACTION_CARDS]

    def copies(self, players: int) -> list[int]:
        """BA-6, BA-8: how many of each kind are shuffled; of BATTLE none."""
        fights = [self.fight.each.get(rank, 0) for rank in range(1, self.ranks + 1)]
        less = self.players[players].remove
        actions = [count - getattr(less, kind) for kind, count in self.action]
        return [*fights, *actions, players, 0]

    def size(self, players: int) -> int:
        """How many cards are shuffled."""
        return sum(self.copies(players))


USUAL = {"ranks": RANKS, "copies": COPIES, "cards": CARDS}
EXTRA = {"random": 0, "hero": int(Side.SUPERHERO), "villain": int(Side.VILLAIN)}


# ---- what the rules get -------------------------------------------------------------------------
def kit(o: Options) -> Kit:
    """The table and the sizes that these options and their deck ask for."""
    deck, text = table.read_deck(o.deck, Deck, DECKS)
    if o.players not in deck.players:
        known = ", ".join(map(str, sorted(deck.players)))
        raise RulesetError(
            f"battle: the deck does not say what {o.players} players are dealt; it is for {known}"
        )
    # room in steps of 20 cards: a game at other sizes is imported, and compiled, once for each
    most = max(deck.size(n) for n in deck.players) + 1
    sizes = {
        "ranks": deck.ranks,
        "copies": max(USUAL["copies"], *deck.fight.each.values()),
        "cards": USUAL["cards"] + -(-max(0, most - USUAL["cards"]) // 20) * 20,
    }
    numbers = {
        "copies": deck.copies(o.players),
        "hand": deck.players[o.players].deal,
        "target_points": o.target_points,
        "rounds": o.rounds,
        "extra": EXTRA[o.odd_identity],
        "windows": o.action_timing == "windows",
        "build_effects": o.build_effects,
        "build_actions": o.build_actions_per_turn,
        "voluntary_pass": o.voluntary_pass,
        "pass_locks": o.pass_locks,
        "take_laps": o.max_discard_draws,
        "owner_always": o.owner_return == "always",
        "reverse_skips": o.reverse_two == "skip",
        "expose_self": o.expose_self,
        "out_scores": o.out_scores,
        "wipeout_ends": o.wipeout_ends,
        "tie_cards": o.tiebreak == "cards",
        "max_turns": o.max_turns,
        "dealer": 1 + o.dealer,
    }
    return Kit({} if sizes == USUAL else sizes, numbers, deck, text)
