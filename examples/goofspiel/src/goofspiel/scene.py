"""Goofspiel as people see and read it, where it differs from what follows by itself."""

from __future__ import annotations

from collections.abc import Sequence

from battlebox.authoring import DefaultSaying, DefaultScene, opening, plural

from .rules import State, Table


class Look(DefaultScene[State, Table]):
    """The table as one viewer sees it."""

    def worth(self) -> int:
        """What is bid for."""
        return sum(1 + self.o.offer[i] for i in range(self.o.offer_size))

    def title(self) -> str:
        """Where we are."""
        n = self.t.cards - self.o.to_come_size
        return "The end" if self.over else f"Round {n} of {self.t.cards}"

    def prompt(self, actions: Sequence[int]) -> str:
        """What is asked."""
        if self.over:
            return self.result()
        prize = plural(self.worth(), "point")
        if self.asked == self.me:
            return f"Bid a card for {prize}. All bids are shown together."
        return f"{opening(self.called[self.asked or 0])} bids for {prize}."


class Says(DefaultSaying):
    """What has happened, in words."""

    def turned(self) -> str:
        """A prize comes up."""
        return f"A prize of {plural(1 + self.x['prize'], 'point')}."

    def sealed(self) -> str:
        """A bid is made, face down."""
        card = self.x["card"]
        return f"{self.does('bid')} {'a card' if card is None else 1 + card} face down."

    def bid(self) -> str:
        """A bid is shown."""
        return f"{self.does('have', 'has')} bid {1 + self.x['card']}."

    def took(self) -> str:
        """Somebody gets the prize."""
        return f"{self.does('take')} {plural(self.x['points'], 'point')}."

    def tied(self) -> str:
        """Nobody gets it."""
        return f"Equal bids: nobody takes the {plural(self.x['points'], 'point')}."
