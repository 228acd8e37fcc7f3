"""What a socket asks for that takes a while: answered in the background, when it is there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..bots import review
from ..bots.review import SeatReview
from ..bots.review_text import WORST, better, chance, decisions, given_away, parts, summary
from ..core.errors import BattleboxError, in_a_sentence
from ..protocol.messages import (
    AdvisedChoice,
    BackgroundRequest,
    HintAnswer,
    HintRequest,
    Problem,
    Refusal,
    ReviewAnswer,
    ReviewedDecision,
    ReviewProgress,
    ReviewRequest,
    SeatDecisions,
    SeatSums,
    SumParts,
    to_bytes,
)
from .connections import Connection
from .room import Room
from .session import Refused

PLAYED_ON = "A player gave up; a bot played on from there."
SUMS = ("start", "luck", "own", "others", "end")
log = logging.getLogger("battlebox")


def refused(id: str, code: str, message: str) -> bytes:
    """The answer to what was not done."""
    return to_bytes(Refusal(id=id, error=Problem(code=code, message=message)))


class BackgroundRequests:
    """Those of one socket: one of a sort at a time, none after it is gone."""

    def __init__(self, room: Room, connection: Connection) -> None:
        self.room, self.connection = room, connection
        self._running: dict[str, asyncio.Task[None]] = {}  # by sort; called by their ids

    def __enter__(self) -> BackgroundRequests:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._running.values():
            task.cancel()

    def begin(self, message: BackgroundRequest) -> bytes | None:
        """Starts one. Gives the answer, if that is all."""
        if message.type in self._running:
            return refused(
                message.id, "busy", "You have already asked for this; it is in progress."
            )
        task = asyncio.create_task(self._answer(message), name=message.id)
        self._running[message.type] = task
        task.add_done_callback(self._forget)
        return None

    def cancel(self, id: str) -> bytes:
        """Stops the one of this id. Gives the answer to both."""
        for task in self._running.values():
            if task.get_name() == id:
                self._forget(task)
                task.cancel()
                return refused(id, "stopped", "You have stopped this.")
        return refused(id, "not_possible", "No request with this id is in progress.")

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._running = {k: x for k, x in self._running.items() if x is not task}

    async def _answer(self, message: BackgroundRequest) -> None:
        id = message.id
        try:
            match message:
                case HintRequest():
                    answer = await self._hint(id)
                case ReviewRequest():
                    answer = await self._review(id, message.seat)
        except Refused as e:
            answer = refused(id, e.code, str(e))
        except BattleboxError as e:
            answer = refused(id, "not_possible", in_a_sentence(e))
        except Exception as e:  # nobody else would hear of it
            match = self.room.setup.id
            log.warning("%s: %r", match, e, extra={"match": match})
            answer = refused(id, "broken", "Something went wrong in the server.")
        self.connection.answer(answer)

    async def _hint(self, id: str) -> bytes:
        seat = self.connection.view.seat
        if seat is None:
            raise Refused("not_allowed", "You are watching: hints are for players.")
        options, text = await self.room.hints.give(seat)
        choices = [
            AdvisedChoice(action=x.action, visits=x.visits, expected=x.expected) for x in options
        ]
        return to_bytes(HintAnswer(id=id, choices=choices, text=text))

    async def _review(self, id: str, seat: int | None) -> bytes:
        own = self.connection.view.seat
        wanted = own or 0 if seat is None else seat
        if wanted >= len(self.room.session.seats):
            raise Refused("not_possible", f"There is no seat {wanted}.")

        told = False

        def hear(done: int, of: int, early: SeatReview | None) -> None:
            nonlocal told
            if early and early.seat == wanted and not told:
                told = True
                self._progress(id, done, of, early)
            elif not self.connection.answers:  # else they read slowly, and hear only what matters
                self._progress(id, done, of)

        reviews = await self.room.review(own, wanted, hear)
        sums = [_sums(x, self._said(x, own)) for x in reviews]
        return to_bytes(ReviewAnswer(id=id, sums=sums, decisions=_decisions(reviews[wanted])))

    def _progress(self, id: str, done: int, of: int, early: SeatReview | None = None) -> None:
        known = _decisions(early) if early else None
        self.connection.answer(to_bytes(ReviewProgress(id=id, done=done, of=of, early=known)))

    def _said(self, found: SeatReview, own: int | None) -> str:
        """What the match was for a seat; who has resigned did not play it to its end."""
        match, seat = self.room.match, self.room.session.seats[found.seat]
        at = "in the end" if match.over else "when it was ended"
        if found.seat == own and not seat.resigned:
            return summary(found, "You", "your", at)
        text = summary(found, match.names[found.seat], "own", at)
        return f"{text} {PLAYED_ON}" if seat.resigned and match.over else text


def _sums(found: SeatReview, text: str) -> SeatSums:
    numbers = {k: _short(getattr(found, k)) for k in SUMS}
    shown = SumParts(**parts(found)._asdict())
    return SeatSums(seat=found.seat, rounds=found.rounds, **numbers, parts=shown, text=text)


def _decisions(found: SeatReview) -> SeatDecisions:
    return SeatDecisions(
        seat=found.seat,
        rounds=found.rounds,
        steps=[_decision(x) for x in found.steps],
        turning_points=_numbers(found.turning_points),
        worst=_numbers(given_away(found)[:WORST]),
        decided=decisions(found)[0].text,
    )


def _numbers(steps: Sequence[review.Step]) -> list[int]:
    return [x.number for x in steps]


def _decision(x: review.Step) -> ReviewedDecision:
    """A decision: its numbers, and those that people read as they read them."""
    numbers: dict[str, Any] = {
        k: _short(v) if isinstance(v, float) else v for k, v in asdict(x).items()
    }
    return ReviewedDecision(
        **numbers, chances=[chance(x.before), chance(x.after)], better=better(x)
    )


def _short(x: float) -> float:
    """Four digits of what a search has found; more are not certain."""
    return round(x, 4)
