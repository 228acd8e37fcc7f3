"""High card as people see and read it.

Only what differs from what follows by itself, from rules.py.
"""

from __future__ import annotations

from battlebox.authoring import DefaultSaying, DefaultScene

from .rules import State, Table


class Look(DefaultScene[State, Table]):
    """The table as one viewer sees it: `self.o` is all that they may know."""

    def title(self) -> str:
        """Where we are."""
        return "The end" if self.over else f"Round {self.o.round} of {self.t.rounds}"


class Says(DefaultSaying):
    """Events in words; one without a method here is said by its name: "Ada swapped Dog."."""

    def round(self) -> str:
        """A new round begins."""
        return f"Round {self.x['number']}."

    def kept(self) -> str:
        """Somebody keeps their card."""
        return f"{self.does('keep')} {'your' if self.p == self.viewer else 'their'} card."
