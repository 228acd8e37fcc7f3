"""How a player that reads has answered."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from .messages import Answer, Count


class AnswerStats(BaseModel):
    """The answers of a seat in a match, or of all matches together."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False, extra="forbid")

    decisions: Count = 0  # that it was asked for; it is not where there is but one choice
    answers: Count = 0
    illegal: Count = 0  # of the answers
    random: Count = 0  # decisions that were drawn by lot, after the last attempt
    seconds: Annotated[float, Field(ge=0)] = 0.0  # that it took to answer, all together
    tokens_in: Count | None = None  # None: it did not say
    tokens_out: Count | None = None
    cost: Annotated[float, Field(ge=0)] | None = None

    def __add__(self, other: AnswerStats) -> AnswerStats:
        found = {
            name: _sum(getattr(self, name), getattr(other, name))
            for name in type(self).model_fields
        }
        return AnswerStats(**found)  # type: ignore[arg-type]  # each is of its field's type


def _sum(a: float | None, b: float | None) -> float | None:
    if a is None or b is None:
        return b if a is None else a
    return a + b


def of_answer(answer: Answer, seconds: float) -> AnswerStats:
    """Those of a single answer."""
    return AnswerStats(
        answers=1,
        seconds=seconds,
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        cost=answer.cost,
    )
