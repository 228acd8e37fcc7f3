"""What the rules have told in a match, and which of it each viewer may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .rules import Events


class EventView(NamedTuple):
    """An event as one viewer is told it. `args` by name; None: not for this viewer."""

    # 0, 1, ...: which of the actions this viewer was told of it belongs to; -1: the set-up. The
    # number among all actions would tell of those that are hidden from them. What follows a
    # response window counts as an action of its own, whether or not anybody was asked.
    turn: int
    event: Events
    args: Mapping[str, int | None]


class LoggedEvent(NamedTuple):
    """One event. Its arguments by name: as its own seat is told, and as all others are."""

    turn: int  # what everybody may know to belong together has the same
    event: Events
    seat: int
    own: Mapping[str, int | None]
    others: Mapping[str, int | None] | None  # None: it is not for them

    def args(self, viewer: int | None) -> Mapping[str, int | None] | None:
        """The arguments as this viewer is told them; None: the event is not for them."""
        return self.own if viewer == self.seat else self.others


class EventLog:
    """All events of a match, in order."""

    def __init__(self, kinds: Sequence[Events]) -> None:
        self._kinds = tuple(kinds)
        self.told: list[LoggedEvent] = []
        self.turn = -1  # of the events to come; see `LoggedEvent`
        # what viewers have been told so far: how many events it was made of, the last one's turn
        self._views = dict[int | None, tuple[int, int, list[EventView]]]()

    def __len__(self) -> int:
        return len(self.told)

    def add(self, event: int, args: Sequence[int]) -> Events:
        """Adds what a rule has told: the number of the event, its arguments; the first is its
        seat. Returns the event.
        """
        kind = self._kinds[event]
        telling = kind.telling
        own: dict[str, int | None] = dict(zip(telling.names, map(int, args), strict=False))
        others = None if telling.alone else {**own, **telling.hidden} if telling.own else own
        self.told.append(LoggedEvent(self.turn, kind, args[0], own, others))
        return kind

    def cut(self, length: int) -> None:
        """Forgets all events but the first so many."""
        del self.told[length:]
        self.forget_views()

    def forget_views(self) -> None:
        """What viewers may know has changed: it is found anew when it is asked for."""
        self._views.clear()

    def views(self, viewer: int | None, known: int) -> list[EventView]:
        """What a viewer was told of the first `known` events."""
        done, turn_before, found = self._views.get(viewer, (0, -1, []))
        if done < known:
            turn = found[-1].turn if found else -1
            for x in self.told[done:known]:
                if (args := x.args(viewer)) is not None:
                    turn += x.turn > turn_before
                    turn_before = x.turn
                    found.append(EventView(turn, x.event, args))
            self._views[viewer] = (known, turn_before, found)
        return found
