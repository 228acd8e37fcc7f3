"""Questions that nobody but the asked seat may notice: who is asked, and what.

The rules ask one seat after the other, and only those that have something to answer. Nobody else
may learn who is asked, nor from how long it takes: so all wait for the same time, in which answers
may come, a response window (`Match.response_window`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .rules import Events
from .views import Array

if TYPE_CHECKING:
    from .engine import Engine


class ResponseWindow(NamedTuple):
    """Everybody waits: questions of a phase may be asked, or none."""

    heard: int  # how many events there had been when it opened; tells it from others
    phase: int


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
    then, acts = states.copy(), build.list_of_actions()
    sight, listed = build.sight(then), build.sight(acts)
    s, found, another = sight[0], dict[int | None, Question](), list[int]()
    s._listener = lambda event, *_: another.append(event)
    phase = s.phase
    while s.phase == phase and int(s.to_act) not in found and windows.keys().isdisjoint(another):
        n = f.list_actions(tt, sight, 0, listed)
        f.clear_scratch_at(sight, 0)
        actions = tuple(sorted(acts[:n].tolist()))
        record = then.tobytes()
        found[int(s.to_act)] = Question(record, build.sight(then.copy())[0], actions)
        f.take(tt, sight, 0, actions[0])
        f.clear_scratch_at(sight, 0)
    return found
