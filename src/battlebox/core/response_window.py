"""Questions that nobody but the asked seat may notice: who is asked, and what.

The rules ask one seat after the other, and only those that have something to answer. Nobody else
may learn who is asked, nor from how long it takes: so all wait for the same time, in which answers
may come, a response window (`Match.response_window`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .checked import Array
from .rules import Events

if TYPE_CHECKING:
    from .engine import Engine


class ResponseWindow(NamedTuple):
    """Everybody waits: questions of a phase may be asked, or none."""

    events: int  # how many there had been when it opened; tells it from others
    phase: int


class ResponseWindows:
    """Those of a match that are still to be waited for, and the answers given in the present one.

    There are none before `open`: then seats are asked in turn, as the rules ask them.
    """

    def __init__(self) -> None:
        self.are_open = False
        self._waiting: list[ResponseWindow] = []  # the present one first
        self.answers: dict[int, int] = {}  # by seat: the number of an action

    def open(self, asked: Sequence[ResponseWindow]) -> None:
        """There are windows from now on; `asked`: one that should have been open already."""
        self.are_open = True
        self._waiting = [*asked] or self._waiting

    def add(self, window: ResponseWindow) -> None:
        if self.are_open:
            self._waiting.append(window)

    def forget(self, events: int) -> None:
        """What was opened after the first so many events, and all answers."""
        self._waiting = [x for x in self._waiting if x.events <= events]
        self.answers.clear()

    def close(self) -> tuple[ResponseWindow, dict[int, int]]:
        """Ends the present one: it, and what was answered."""
        answers, self.answers = self.answers, {}
        return self._waiting.pop(0), answers

    @property
    def present(self) -> ResponseWindow | None:
        """What all wait for; None: nothing."""
        return self._waiting[0] if self._waiting else None

    @property
    def only(self) -> ResponseWindow | None:
        """The present one, if no other has followed it already."""
        return self._waiting[0] if len(self._waiting) == 1 else None


class PastWindow(NamedTuple):
    """One that is over: what each seat saw and did in it."""

    taken: int  # how many actions there had been when it closed
    shown: bytes  # the state that all were shown
    phase: int
    questions: Mapping[int | None, Question]
    answers: Mapping[int, int]  # those that were given, whether the rules took them or not


class Question(NamedTuple):
    """What one seat is asked in a response window."""

    record: bytes  # the state in which the rules ask it
    state: Any  # its view
    actions: tuple[int, ...]  # the legal ones, ascending


def questions(
    engine: Engine, states: Array, windows: Mapping[Events, int]
) -> dict[int | None, Question]:
    """Whom the rules ask from this state on (of the plain build) if all decline: by seat."""
    build, f, tt = engine.build, engine.f, engine.tt
    then, acts = states.copy(), build.action_buffer()
    states, listed = build.access(then), build.access(acts)
    s, found, another = states[0], dict[int | None, Question](), list[int]()
    s._listener = lambda event, *_: another.append(event)
    phase = s.phase
    while s.phase == phase and int(s.to_act) not in found and windows.keys().isdisjoint(another):
        n = f.list_actions(tt, states, 0, listed)
        f.clear_scratch_at(states, 0)
        actions = tuple(sorted(acts[:n].tolist()))
        record = then.tobytes()
        found[int(s.to_act)] = Question(record, build.access(then.copy())[0], actions)
        f.take(tt, states, 0, actions[0])
        f.clear_scratch_at(states, 0)
    return found
