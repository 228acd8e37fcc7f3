"""What a socket has asked for that takes a while: its answers come when they are there."""

from __future__ import annotations

import asyncio

from ..bots.review import SeatReview
from ..bots.review_text import summary
from ..core.errors import BattleboxError
from . import wire
from .meeting import Refused
from .tables import Table
from .viewers import Link

PLAYED_ON = "A bot played on from where it was given up."


class Errands:
    """Those of one socket: one of a sort at a time, none after it is gone."""

    def __init__(self, table: Table, link: Link) -> None:
        self.table, self.link = table, link
        self._running: dict[str, asyncio.Task[None]] = {}  # by sort; called by their ids

    def __enter__(self) -> Errands:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._running.values():
            task.cancel()

    def begin(self, message: wire.Errand) -> bytes | None:
        """Starts one. Gives the answer, if that is all."""
        if message.type in self._running:
            return wire.refused(message.id, "busy", "You have asked for this already: it comes.")
        task = asyncio.create_task(self._answer(message), name=message.id)
        self._running[message.type] = task
        task.add_done_callback(self._forget)
        return None

    def stop(self, id: str) -> bytes:
        """Stops the one of this id. Gives the answer to both."""
        for task in self._running.values():
            if task.get_name() == id:
                self._forget(task)
                task.cancel()
                return wire.refused(id, "stopped", "You have stopped this.")
        return wire.refused(id, "not_possible", "Nothing is on its way under this id.")

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._running = {k: x for k, x in self._running.items() if x is not task}

    async def _answer(self, message: wire.Errand) -> None:
        id = message.id
        try:
            match message:
                case wire.Hint():
                    answer = await self._hint(id)
                case wire.Review():
                    answer = await self._review(id, message.seat)
        except Refused as e:
            answer = wire.refused(id, e.code, str(e))
        except BattleboxError as e:
            answer = wire.refused(id, "not_possible", f"{str(e)[:1].upper()}{str(e)[1:]}.")
        except Exception as e:  # nobody else would hear of it
            self.table.house.trouble(f"{self.table.setup.id}: {e!r}")
            answer = wire.refused(id, "broken", "Something in the server went wrong.")
        self.link.answer(answer)

    async def _hint(self, id: str) -> bytes:
        seat = self.link.viewer.seat
        if seat is None:
            raise Refused("not_allowed", "You are watching: hints are for players.")
        return wire.hinted(id, *await self.table.hint(seat))

    async def _review(self, id: str, seat: int | None) -> bytes:
        own = self.link.viewer.seat
        wanted = own or 0 if seat is None else seat
        if wanted >= len(self.table.meeting.seats):
            raise Refused("not_possible", f"There is no seat {wanted}.")

        told = False

        def hear(done: int, of: int, early: SeatReview | None) -> None:
            nonlocal told
            if early and early.seat == wanted and not told:
                told = True
                self.link.answer(wire.going_on(id, done, of, early))
            elif not self.link.answers:  # else they read slowly, and hear only what matters
                self.link.answer(wire.going_on(id, done, of))

        accounts = await self.table.review(own, wanted, hear)
        texts = [self._said(a, own) for a in accounts]
        return wire.reviewed(id, accounts, texts, wanted)

    def _said(self, a: SeatReview, own: int | None) -> str:
        """What the match was for a seat; who has resigned did not play it to its end."""
        match, seat = self.table.meeting.match, self.table.meeting.seats[a.seat]
        at = "in the end" if match.over else "when it was ended"
        if a.seat == own and not seat.resigned:
            return summary(a, "You", "your", at)
        text = summary(a, match.names[a.seat], "own", at)
        return f"{text} {PLAYED_ON}" if seat.resigned and match.over else text
