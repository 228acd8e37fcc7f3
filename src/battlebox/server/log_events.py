"""What the log of a match holds: one event an entry, typed; also as logs had them before.

The log says what was done, never what was wanted: who reads it again decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Self

import pydantic
from pydantic import Field, PrivateAttr
from pydantic_core import to_json

from ..core.match import CheckedAction
from ..core.table import Model

UNDO, DRAW = "undo", "draw"  # what may be proposed in every game


class _Event(Model):
    #: `Command.fingerprint` of what it was written for; empty: nobody will repeat that
    command: str = ""

    def for_command(self, fingerprint: str) -> Self:
        """The same event, written for a command."""
        return self.model_copy(update={"command": fingerprint})

    def to_json(self) -> str:
        """The body of its entry; what is usual is left out, but for the type."""
        said = self.model_dump(exclude_defaults=True)
        return to_json({"type": self.type, **said}).decode()  # type: ignore[attr-defined]


class Acted(_Event):
    """A seat has done something, in the words of the game's notation."""

    type: Literal["acted"] = "acted"
    seat: int
    word: str
    _checked: CheckedAction | None = PrivateAttr(None)

    @classmethod
    def of(cls, checked: CheckedAction) -> Acted:
        """The event of an action that was just found to be legal."""
        made = cls(seat=checked.seat, word=checked.word)
        made._checked = checked
        return made

    @property
    def checked(self) -> CheckedAction | None:
        """As the match has found it to be legal; None: it comes from a log."""
        return self._checked


class WindowClosed(_Event):
    """A response window is over; those who have not answered decline."""

    type: Literal["window_closed"] = "window_closed"


class Seated(_Event):
    """A person has this seat, under this name: somebody new, or it is only the name that is."""

    type: Literal["seated"] = "seated"
    seat: int
    name: str


class Filled(_Event):
    """A bot has got an open seat."""

    type: Literal["filled"] = "filled"
    seat: int
    level: str
    name: str


class Undone(_Event):
    """A person among bots has taken back their last decision, and all since."""

    type: Literal["undone"] = "undone"
    seat: int


class Proposed(_Event):
    """A seat proposes an undo, a draw, or an agreement of the game."""

    type: Literal["proposed"] = "proposed"
    seat: int
    what: str


class Answered(_Event):
    """A seat has answered the proposal."""

    type: Literal["answered"] = "answered"
    seat: int
    yes: bool


class Resigned(_Event):
    """A seat has given up."""

    type: Literal["resigned"] = "resigned"
    seat: int


LogEvent = Acted | WindowClosed | Seated | Filled | Undone | Proposed | Answered | Resigned
_reader: pydantic.TypeAdapter[LogEvent] = pydantic.TypeAdapter(
    Annotated[LogEvent, Field(discriminator="type")]
)

#: entries as they were written before they had a type: by the key that each had
_BEFORE: dict[str, Callable[[Mapping[str, Any]], LogEvent]] = {
    "do": lambda x: Acted(seat=x["seat"], word=x["do"]),
    "hush": lambda x: WindowClosed(),
    "answer": lambda x: Answered(seat=x["seat"], yes=x["yes"]),
    "offer": lambda x: Proposed(seat=x["seat"], what=x["offer"]),
    "undo": lambda x: (
        Undone(seat=x["undo"]) if x.get("alone") else Proposed(seat=x["undo"], what=UNDO)
    ),
    "draw": lambda x: Proposed(seat=x["draw"], what=DRAW),
    "resign": lambda x: Resigned(seat=x["resign"]),
    "fill": lambda x: Filled(seat=x["seat"], level=x["fill"], name=x["name"]),
    "name": lambda x: Seated(seat=x["seat"], name=x["name"]),
}


def read_event(body: str) -> LogEvent:
    """The event of an entry. Errors: ValueError, KeyError, TypeError for what is none."""
    found = json.loads(body)
    if "type" in found:
        return _reader.validate_python(found)
    key = next((k for k in _BEFORE if k in found), None)
    if key is None:
        raise ValueError(f"not an entry of a match: {body[:60]!r}")
    event = _BEFORE[key](found)
    return event.for_command(found["wish"]) if "wish" in found else event
