"""What people and bots may want of a match: commands.

A command becomes an event of the log if the server's session finds it possible.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import Field

from ..core.table import Model

Name = Annotated[str, Field(min_length=1, max_length=100)]
What = Annotated[str, Field(max_length=40)]
SeatNumber = Annotated[int, Field(ge=0, le=9)]
QUESTION = 16  # letters of a question's name


class _Command(Model):
    @property
    def fingerprint(self) -> str:
        """What tells one command from another: all it asks for, whenever it was asked.

        Nobody else can repeat a command that has a `key`.
        """
        text = self.model_dump_json(exclude={"id", "question"})
        return urlsafe_b64encode(sha256(text.encode()).digest()[:15]).decode()


class Act(_Command):
    """One of the choices that the question offers."""

    type: Literal["act"] = "act"
    question: str = Field(max_length=QUESTION, description="as the frame names it")
    action: int = Field(ge=0, le=10**6)


class TakeSeat(_Command):
    """Takes the open seat of one's invitation, under a name."""

    type: Literal["take_seat"] = "take_seat"
    name: Name
    key: str | None = Field(None, min_length=16, max_length=64, description="only the sender's")


class Rename(_Command):
    """Changes one's name."""

    type: Literal["rename"] = "rename"
    name: Name


class FillSeat(_Command):
    """Gives an open seat to a bot."""

    type: Literal["fill_seat"] = "fill_seat"
    seat: SeatNumber
    level: str = Field(max_length=40)


class Undo(_Command):
    """Takes back one's last decision; people at the table are asked."""

    type: Literal["undo"] = "undo"


class Propose(_Command):
    """Proposes what the room message lists: a draw, an agreement of the game."""

    type: Literal["propose"] = "propose"
    what: What


class Answer(_Command):
    """Answers a proposal."""

    type: Literal["answer"] = "answer"
    what: What
    yes: bool


class Resign(_Command):
    """Gives the match up."""

    type: Literal["resign"] = "resign"


Command = Act | TakeSeat | Rename | FillSeat | Undo | Propose | Answer | Resign
