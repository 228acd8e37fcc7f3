"""What is said to a player that reads, and what it answers: docs/language-models.md shows both."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL = 1  # raised when what is sent or understood changes its meaning

Count = Annotated[int, Field(ge=0)]


class Format(StrEnum):
    """What a player reads."""

    MENU = "menu"  # the table, then a numbered list of the choices
    WORD = "word"  # the table, and how moves are written: the choices are not listed
    DRAWN = "drawn"  # the table with the choices in it, as a terminal draws it


class Listed(BaseModel):
    """A choice as it is listed."""

    key: str  # what stands in the brackets
    word: str  # in the game's notation
    text: str


class Refused(BaseModel):
    """An answer that was not taken, and why."""

    answer: str
    why: str


class Question(BaseModel):
    """A decision that a player is asked for; again, where it has given an illegal answer."""

    protocol: Literal[1] = 1
    match: str  # the same for all questions of a seat in a match, and for no others
    game: str
    options: str  # in words
    seat: int
    format: Format
    attempt: int  # 1 .. attempts
    attempts: int
    refused: list[Refused]  # the answers to this very decision so far
    happened: list[str]  # since the player's last decision, a sentence each
    table: str
    choices: list[Listed] | None  # None: the format does not list them
    instructions: str  # the same in the whole match: the game in short, how to answer
    prompt: str  # all that is new in one text


class Answer(BaseModel):
    """What a player says. Other keys are ignored."""

    model_config = ConfigDict(coerce_numbers_to_str=True, allow_inf_nan=False)

    answer: str
    tokens_in: Count | None = None
    tokens_out: Count | None = None
    cost: Annotated[float, Field(ge=0)] | None = None  # in whatever currency
    cut_off: bool = False  # it had no room for the end of its answer


class Heard(NamedTuple):
    """An answer, and the seconds that had to pass until anybody could be asked for it."""

    answer: Answer
    waited: float = 0.0


class Talker(Protocol):
    """Who is asked: a program, or an endpoint."""

    def ask(self, question: Question, seconds: float | None) -> Heard:
        """The answer, within so many seconds (None: however long it takes) from when somebody could
        be asked.

        Errors: BotTimeout if it takes longer; BotError if there is none. They name nobody: one
        who is asked may play under several words.
        """
