"""Two roll on or stop; the first past the goal wins. The smallest game; copied and broken by tests.

`bonus` stands in another module, so that an edit of a callee can be tested.
"""

from __future__ import annotations

from pydantic import Field

from battlebox.core.game import Options as AnyOptions
from battlebox.core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    event,
    move,
    n8,
    n16,
    public,
    roll,
    rule,
    tell,
)

from .race_parts import bonus

STEP = 1


class Phase(IntEnum):
    """What is decided."""

    START = 0
    RUN = 1
    OVER = 2


class Event(Events):
    """What players are told."""

    ROLLED = event("seat", "face")


class Dice(Domain, n=2):
    """One die or two."""


class Table(Record):
    """The numbers."""

    goal = n16()
    sides = n8()


class State(StateRecord):
    """The whole truth."""

    at = public(n16(2))
    face = public(n8())
    turns = public(n16())


class Options(AnyOptions):
    """How it is played."""

    players: int = Field(2, ge=2, le=2)
    goal: int = Field(20, ge=1, le=100)
    sides: int = Field(6, ge=2, le=20)


def table(o: Options) -> dict[str, object]:
    """The numbers of these options."""
    return {"goal": o.goal, "sides": o.sides}


@rule
def advance(t: Table, s: State) -> None:
    """Seat 0 begins."""
    if s.phase == Phase.START:
        s.phase = Phase.RUN


@move(Phase.RUN, always=True)
def rest(t: Table, s: State) -> None:
    """One step, no die."""
    go(t, s, STEP)


@move(Phase.RUN)
def run(t: Table, s: State, dice: Dice) -> None:
    """Rolls one die or two; the last face counts."""
    for _ in range(dice + 1):
        s.face = roll(s, t.sides)
    tell(s, Event.ROLLED, s.to_act, s.face)
    go(t, s, s.face + bonus(s.to_act))


@allow(run)
def may_run(t: Table, s: State, dice: Dice) -> bool:
    """Two dice only when behind."""
    return dice == 0 or s.at[s.to_act] < s.at[1 - s.to_act]


@rule
def go(t: Table, s: State, steps: int) -> None:
    """So many steps on."""
    s.at[s.to_act] += steps
    s.turns += 1
    if s.at[s.to_act] >= t.goal:
        s.phase = Phase.OVER
    else:
        s.to_act = 1 - s.to_act


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """Who is past the goal wins."""
    for p in range(2):
        out[p] = 1 if s.at[p] >= t.goal else -1


@rule
def max_length(t: Table, seats: int) -> int:
    """One step a turn at least."""
    return 2 * t.goal


@rule
def census(s: State, count: Row) -> None:
    """Nothing to count."""


@rule
def determinize(t: Table, o: State) -> None:
    """Nothing is hidden."""
