"""What a socket has asked for that takes a while: its answers come when they are there."""

from __future__ import annotations

import asyncio

from . import wire
from .meeting import Refused
from .tables import Table
from .viewers import Link


class Errands:
    """Those of one socket: one of a sort at a time, none after it is gone."""

    def __init__(self, table: Table, link: Link) -> None:
        self.table, self.link = table, link
        self._running: dict[str, asyncio.Task[None]] = {}  # by the types of their messages

    def begin(self, message: wire.Errand) -> bytes | None:
        """Starts one. Gives the answer, if that is all."""
        if message.type in self._running:
            return wire.refused(message.id, "busy", "You have asked for this already: it comes.")
        task = asyncio.create_task(self._answer(message))
        self._running[message.type] = task
        task.add_done_callback(lambda _: self._running.pop(message.type))
        return None

    def __enter__(self) -> Errands:
        return self

    def __exit__(self, *_: object) -> None:
        for task in self._running.values():
            task.cancel()

    async def _answer(self, message: wire.Errand) -> None:
        id = message.id
        try:
            answer = await self._hint(id)
        except Refused as e:
            answer = wire.refused(id, e.code, str(e))
        except Exception as e:  # nobody else would hear of it
            self.table.house.trouble(f"{self.table.setup.id}: {e!r}")
            answer = wire.refused(id, "broken", "Something in the server went wrong.")
        self.link.answer(answer)

    async def _hint(self, id: str) -> bytes:
        seat = self.link.viewer.seat
        if seat is None:
            raise Refused("not_allowed", "You are watching: hints are for players.")
        return wire.hinted(id, await self.table.hint(seat))
