"""What scenes of any game start from: an observation, and how its viewer speaks of seats and cards.

A game's own scene is a class that says what differs:

    class Look(Perspective[State, Table]):
        def title(self) -> str:
            return f"Round {self.o.round}"
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from .rules import Move
from .saying import opening
from .scene import Choice, Refusal, Scene, Zone, rule_ids

if TYPE_CHECKING:
    from .game import Ruleset

S = TypeVar("S")
T = TypeVar("T")


class Perspective(Generic[S, T]):
    """One viewer's sight of a match. o: the observation, t: the ruleset's numbers, r: the ruleset.

    me: the viewer's seat; None: a spectator. called: what the seats are called.
    """

    def __init__(self, r: Ruleset, o: S, names: Sequence[str]) -> None:
        self.r, self.o, self.called = r, o, names
        self.t = cast(T, r.numbers)
        header = cast(Any, o)
        self.me: int | None = header.viewer - 1 if header.viewer > 0 else None
        self.phase = r.game.rules.Phase(header.phase)
        self.over = bool(self.phase.name == "OVER")
        self.seats = int(header.seats)
        #: who is asked, as far as the viewer may know
        self.asked: int | None = None if self.over else int(header.to_act)

    # ---- how one speaks ----
    def seat(self, p: int) -> str:
        """A seat within a sentence: "you", or its name."""
        return "you" if p == self.me else self.called[p]

    def label(self, p: int) -> str:
        """A seat as a heading: "Ada (you)"."""
        return self.called[p] + (" (you)" if p == self.me else "")

    def whose(self, p: int) -> str:
        """What is a seat's: "your", "Ada's"."""
        return "your" if p == self.me else f"{self.called[p]}'s"

    def does(self, p: int, verb: str, others: str = "") -> str:
        """A seat as the subject: "You draw", "Ada draws" (`others`, if given)."""
        return f"{opening(self.seat(p))} {verb if p == self.me else others or verb + 's'}"

    def name(self, card: int) -> str:
        """The name of a kind of card of the deck."""
        return str(self.r.names.cards[card].name)

    def code(self, card: int) -> str:
        """Its code in the notation."""
        return str(self.r.names.cards[card].code)

    def word(self, action: int) -> str:
        """The word of one of the viewer's actions."""
        return self.r.game.notation.word(self.r, self.o, action)

    def move(self, action: int) -> Move:
        """The move that an action makes."""
        return self.r.plain().build.move_of(action, int(self.phase))

    def rules_behind(self, action: int) -> tuple[str, ...]:
        """The ids of the rules behind an action: those that its move's docstring names."""
        return _ids(self.move(action).doc)

    # ---- what is drawn: a game replaces these ----
    def title(self) -> str:
        """Where we are: "Turn 7"."""
        raise NotImplementedError

    def prompt(self, actions: Sequence[int]) -> str:
        """What is asked, in a sentence; at the end, the result."""
        raise NotImplementedError

    def zones(self, actions: Sequence[int]) -> Iterable[Zone]:
        """The places on the table."""
        raise NotImplementedError

    def choices(self, actions: Sequence[int]) -> Iterable[Choice]:
        """One for each of the viewer's legal actions."""
        raise NotImplementedError

    def refusals(self, open: set[str]) -> Iterable[Refusal]:
        """Why what is not among `open` (the ids that choices name) cannot be chosen now."""
        return ()

    def cue(self, actions: Sequence[int]) -> str:
        """To who is asked, in two or three words, where "Your turn" would not be true."""
        return ""

    def scene(self, actions: Sequence[int]) -> Scene:
        """All of it. actions: what the viewer may do now."""
        choices = tuple(self.choices(actions))
        open = {id for c in choices for id in c.path}
        return Scene(
            viewer=self.me,
            to_act=self.asked,
            phase=str(self.phase.name),
            title=self.title(),
            prompt=self.prompt(actions),
            zones=tuple(self.zones(actions)),
            choices=choices,
            refusals=tuple(self.refusals(open)) if choices else (),
            over=self.over,
            cue=self.cue(actions) if choices else "",
        )

    @classmethod
    def of(cls, r: Ruleset, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
        """The scene of an observation, as a game's scenes supply it."""
        return cls(r, o, names).scene(actions)


@lru_cache(4096)
def _ids(doc: str) -> tuple[str, ...]:
    return rule_ids(doc)
