"""All matches of a store: those in use are in memory, as rooms."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import random
import re
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

from ..core.errors import BattleboxError
from ..core.fair import new_secret
from ..protocol.messages import ID, Beat, to_bytes
from .clock import REAL, Clock
from .compiling import Compiler
from .limits import Limits
from .reviews import Reviews
from .room import Room, Services
from .session import DAMAGED, MatchPlan, OtherRules, SeatPlan, check_order
from .slices import Slices
from .store import Conflict, Setup, Store, StoreError
from .threads import AnswerSlots, BotThreads
from .tokens import Tokens
from .versions import Elsewhere, Versions

BEAT = 5  # seconds between two signs of life
LOOK_EVERY = 1.0  # seconds, after which who waits for a match learns that its database is silent
SWEEP = 8  # seconds between two looks for matches that nobody looks at
HEARTBEAT = to_bytes(Beat())
SILENT = "The database does not answer this node: it takes no more windows, and sends no beats."
ANSWERS = "The database answers this node again."
DAY = 86_400  # seconds
TIDY = 3_600  # seconds, after which old matches are looked for again
AT_ONCE = 1000  # matches of which it is asked together whether others have written to them
EACH, LEAVING = 0.005, 2.0  # seconds from one to the next who is sent away, and for all, at most
BUSY = 50  # matches that a sweep meets with at most and cannot let go
log = logging.getLogger("battlebox")


class NotFound(BattleboxError):
    """There is no such match."""


class Rooms:
    """All matches of a store; those in use are in memory."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        threads: int = 1,
        clock: Clock = REAL,
    ) -> None:
        self.store, self.limits, self.clock = store, limits, clock
        bots = BotThreads(threads, clock)
        self.versions = Versions()
        self.services = Services(
            store,
            limits,
            clock,
            self.versions,
            Tokens(store.key),
            bots,
            AnswerSlots(),
            Compiler(bots, self._compiled),
            Reviews(limits, lambda: bots.busy),
        )
        self.slices = Slices()
        # a node that has just started reads all its matches: not all are to wait for the last
        self._reading = asyncio.Semaphore(2)
        self._live: OrderedDict[str, Room] = OrderedDict()  # what was used last comes last
        self._loading: dict[str, asyncio.Future[Room]] = {}
        self._made: dict[str, set[Room]] = {}  # by address: those in memory
        self._looking: asyncio.Task[None] | None = None
        self._looked_at = set[str]()  # matches that more or fewer look at elsewhere
        self._seeing: asyncio.Task[None] | None = None
        self._is_closed = False
        self._going = set[str]()  # what is being deleted: nobody opens it any more

    def _room(self, setup: Setup) -> Room:
        return Room(self.services, setup, used=self.use, lost=self.drop)

    # ---- matches ----
    async def open(self, id: str) -> Room:
        """The match, read from its log if it is not in memory.

        Errors: NotFound; StoreError; Elsewhere; BattleboxError if it can no longer be played.
        """
        if not re.fullmatch(ID, id) or id in self._going:
            raise self._not_found()
        if not self.store.answers:
            raise self._silent()
        if not self.store.shared:
            return await self._opened(id)
        opening = asyncio.ensure_future(self._opened(id))
        opening.add_done_callback(_hear_out)  # who waited for it may have gone
        while self.store.answers:  # or it would be waited for as long as lines to it hang
            if (await asyncio.wait({opening}, timeout=LOOK_EVERY))[0]:
                return opening.result()
        raise self._silent()

    def _silent(self) -> StoreError:
        return StoreError(f"{self.store.where}: it does not answer this node now")

    async def _opened(self, id: str) -> Room:
        """The same, however long it takes."""
        while True:
            if (room := self._live.get(id)) is None:
                if (loading := self._loading.get(id)) is None:
                    loading = self._loading[id] = asyncio.ensure_future(self._load(id))
                    loading.add_done_callback(partial(self._loaded, id))
                    return await asyncio.shield(loading)  # others wait for it, too
                room = await asyncio.shield(loading)
            # what it knows was read before this one came, who may have seen more elsewhere
            self.use(room)
            await room.catch_up()
            await room.outbox.free()  # what is held back is shown to nobody
            if self._live.get(id) is room:  # and has not been forgotten meanwhile
                return room

    def _loaded(self, id: str, loading: asyncio.Future[Room]) -> None:
        del self._loading[id]
        _hear_out(loading)

    def _not_found(self) -> NotFound:
        text = "There is no such match."
        if math.isfinite(self.limits.keep):
            days = f"{self.limits.keep / DAY:g}"
            said = "a day" if days == "1" else f"{days} days"
            text += f" Matches in which nothing has happened for {said} are deleted here."
        return NotFound(text)

    async def _load(self, id: str) -> Room:
        setup = await asyncio.to_thread(self.store.setup, id)
        if setup is None:
            raise self._not_found()
        entries = await asyncio.to_thread(self.store.entries, id)
        try:
            check_order(entries)
            room = await self._begun(setup)
            async with self._reading:
                async for _ in self.slices.of(map(room.replay, entries), urgent=True):
                    pass
        except DAMAGED as e:
            raise BattleboxError(f"the log of this match is damaged: {e!r}") from None
        if room.session.end and (after := await asyncio.to_thread(self.store.rematch, id)):
            room.rematch = after.id
        others = await asyncio.to_thread(self.store.elsewhere, [id])
        room.see_others(others.get(id, {}))
        self._live[id] = room
        self.sweep(room)
        if self.store.shared and not self._is_closed:
            room.hear()  # of what was written meanwhile nobody has told it
        return room

    async def _begun(self, setup: Setup) -> Room:
        """The match as it was made. Errors: OtherRules, Elsewhere."""
        try:
            return self._room(setup)
        except OtherRules:
            self._hear_of_versions(await asyncio.to_thread(self.store.played))
            if self.versions.are_elsewhere(MatchPlan.model_validate_json(setup.setup)):
                raise Elsewhere from None
            raise

    def under_way(self, address: str) -> int:
        """How many matches made by this address are in memory and not over."""
        return sum(not room.session.end for room in self._made.get(address, ()))

    def _under_way(self) -> dict[str, int]:
        counts = {x: self.under_way(x) for x in self._made}
        return {x: n for x, n in counts.items() if n}

    async def make(
        self, plan: MatchPlan, after: str | None = None, maker: str | None = None
    ) -> Room:
        """A new match. maker: the address that counts it as under way.

        Errors: Conflict, if `after` has its rematch already; StoreError.
        """
        setup = Setup(
            id=secrets.token_urlsafe(9),
            made=self.clock.date(),
            setup=plan.model_dump_json(),
            secret=new_secret(),
            after=after,
        )
        room = self._room(setup)  # what is wrong with the plan shows before it is written
        await self.store.add_match(setup)
        self._live[setup.id] = room
        if maker is not None:
            room.maker = maker
            self._made.setdefault(maker, set()).add(room)
        room.wake()
        self.sweep(room)
        return room

    async def rematch(self, room: Room, maker: str | None = None) -> Room:
        """The rematch of a match that has ended: the same, everybody one seat further. maker: the
        address that counts it, if there is none yet.
        """
        if room.rematch is not None:
            with contextlib.suppress(NotFound):  # it was deleted: there is another then
                return await self.open(room.rematch)
            room.rematch = None
        plan, seats = room.session.plan, room.session.seats
        turned = [seats[(p - 1) % len(seats)] for p in range(len(seats))]  # all may come back
        host = None if plan.host is None else (plan.host + 1) % len(seats)
        sitting = tuple(SeatPlan(kind=x.kind, level=x.level, name=x.name) for x in turned)
        plan = plan.model_copy(update={"seats": sitting, "host": host})
        try:
            made = await self.make(plan, after=room.setup.id, maker=maker)
            room.rematch = made.setup.id
            room.room_changed()
            return made
        except Conflict:  # somebody was quicker
            found = await asyncio.to_thread(self.store.rematch, room.setup.id)
            assert found is not None
            room.rematch = found.id
        room.room_changed()
        return await self.open(room.rematch)

    # ---- what other nodes do ----
    def listen(self) -> None:
        """From now on matches in memory go on as other nodes write to their logs.

        Errors: StoreError.
        """
        if not self.store.shared:
            return
        self._set_clock(self.store.date())
        loop = asyncio.get_running_loop()

        def heard(written: Sequence[str], looked_at: Sequence[str]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._hear, written, looked_at)

        self.store.listen(heard, self.versions.here)

    def _hear(self, written: Sequence[str], looked_at: Sequence[str]) -> None:
        if self._is_closed:  # the loop ends, and what begins now would never run
            return
        loop = asyncio.get_running_loop()
        for room in filter(None, map(self._live.get, written)):
            room.hear()
        self._looked_at.update(self._live.keys() & looked_at)
        if self._looked_at and self._seeing is None:
            self._seeing = loop.create_task(self._see_others())
        if not (written or looked_at) and self._looking is None:
            self._looking = loop.create_task(self._look_around())

    async def _see_others(self) -> None:
        """Finds out who looks on elsewhere, of all matches at once of which it may have changed."""
        try:
            while ids := [*self._looked_at]:
                self._looked_at.clear()
                await self._compare_others(ids)
        except StoreError as e:
            log.debug("%s", e)
        finally:
            self._seeing = None

    async def _compare_others(self, ids: Sequence[str]) -> None:
        found = await asyncio.to_thread(self.store.elsewhere, ids)
        for id in ids:
            if room := self._live.get(id):
                room.see_others(found.get(id, {}))

    def _set_clock(self, date: float | None) -> None:
        """What logs and late spectators go by is the same at all nodes."""
        if date is not None:
            self.clock.agree(date)

    def _hear_of_versions(self, played: set[str]) -> None:
        """Players and operators are told what cannot be finished without this node."""
        for game in self.versions.hear(played):
            rooms = [x for x in self._live.values() if x.match.rules.name == game]
            for room in rooms:
                room.room_changed()
            if newest := self.versions.newer(game):
                going = sum(not x.session.end for x in rooms)
                log.warning(
                    "A node plays version %s of the rules of %s. Matches begun under the older "
                    "version are played on here; %s that are not over are in memory.",
                    *(newest, game, going),
                )

    async def unfinished(self) -> int:
        """How many matches in memory nobody could go on with without this node."""
        with contextlib.suppress(StoreError):
            self._hear_of_versions(await asyncio.to_thread(self.store.played))
        return sum(
            not x.session.end and self.versions.only_here(x.session.plan)
            for x in self._live.values()
        )

    async def _look_around(self) -> None:
        """What has changed though nobody has said so: notices are lost, nodes die, clocks go."""
        try:
            self._set_clock(await asyncio.to_thread(self.store.date))
            self._hear_of_versions(await asyncio.to_thread(self.store.played))
            await asyncio.to_thread(self.store.tell_under_way, self._under_way())
            if self.store.is_unknown:
                self.store.is_unknown = False
                for id, live in self._live.items():
                    if here := live.presence.here():
                        self.store.look(id, here)
            ids = [*self._live]
            for k in range(0, len(ids), AT_ONCE):
                lengths = await asyncio.to_thread(self.store.lengths, ids[k : k + AT_ONCE])
                for id, length in lengths.items():
                    room = self._live.get(id)
                    if room and length != room.session.length:
                        room.hear()
                await self._compare_others(ids[k : k + AT_ONCE])
        except StoreError as e:
            log.debug("%s", e)
        finally:
            self._looking = None

    # ---- what goes on by itself ----
    async def beat(self) -> None:
        """Lets pages hear that the line is alive: pings are hidden from them. They wait for it by
        clocks of their own, so it comes by the machine's.
        """
        answered = True
        while True:
            await asyncio.sleep(BEAT)
            if self.store.answers:  # else what is seen here may be old: pages are to ask elsewhere
                self._beat()
            if answered != self.store.answers:
                answered = not answered
                log.warning(ANSWERS if answered else SILENT)

    async def sweep_on(self) -> None:
        """Lets go of matches that nobody looks at, again and again."""
        while True:
            await self.clock.sleep(SWEEP)
            self.sweep()

    def _beat(self) -> None:
        for room in self._live.values():
            for view in room.views.values():
                for connection in view.connections:
                    if not connection.answers:
                        connection.answer(HEARTBEAT)

    async def tidy(self) -> None:
        """Deletes old matches again and again, if they are not kept for ever."""
        while math.isfinite(self.limits.keep):
            try:
                if n := await self.delete_old():
                    log.info("Deleted %s matches that nobody has played for long.", n)
            except StoreError as e:
                log.warning("%s", e)
            await self.clock.sleep(TIDY)

    async def delete_old(self) -> int:
        """Deletes matches in which nothing has happened for too long, unless they are in memory;
        gives how many. Errors: StoreError.
        """
        found, n = self.store.quiet_since(self.clock.date() - self.limits.keep), 0
        while (ids := await asyncio.to_thread(next, found, None)) is not None:
            here = self._live.keys() | self._loading.keys()
            going = [id for id in ids if id not in here]
            self._going.update(going)
            try:
                await asyncio.gather(*map(self.store.delete, going))
            finally:
                self._going.difference_update(going)
            n += len(going)
        return n

    # ---- memory ----
    def drop(self, room: Room) -> None:
        """Forgets what is in memory of a match; it is read again from its log."""
        if self._live.get(room.setup.id) is room:
            self._let_go(room)
        room.hang_up()

    def _let_go(self, room: Room) -> None:
        del self._live[room.setup.id]
        room.let_go()
        if room.maker is not None:
            self._made[room.maker].discard(room)
            if not self._made[room.maker]:
                del self._made[room.maker]

    def use(self, room: Room) -> None:
        """Somebody does something with it: it leaves the memory after all that were used before."""
        if self._live.get(room.setup.id) is room:
            room.used_at = self.clock.now()
            self._live.move_to_end(room.setup.id)

    def sweep(self, wanted: Room | None = None) -> None:
        """Lets go of matches that nobody looks at, those that were used least lately first: when
        there are too many, and after a while. What is busy is in use, and goes to the end of the
        line: a sweep meets only few of these, and the next one others.
        """
        long_ago, stay = self.clock.now() - self.limits.idle, min(BUSY, len(self._live))
        while self._live and stay:
            room = next(iter(self._live.values()))
            if len(self._live) <= self.limits.live_matches and room.used_at > long_ago:
                break
            if room.is_busy or room is wanted:
                stay -= 1
                self.use(room)
            else:
                self._let_go(room)

    @property
    def live(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    def _compiled(self) -> None:
        """A game has been compiled: matches that are played by it make use of that."""
        for room in self._live.values():
            self.services.compiler.is_ready(room.match.rules)

    async def send_away(self) -> None:
        """Sends everybody away, one after the other: so they do not all come to others at once."""
        connections = [
            x.transport
            for room in self._live.values()
            for view in room.views.values()
            for x in view.connections
        ]
        random.shuffle(connections)
        pause = min(EACH, LEAVING / max(1, len(connections)))
        for transport in connections:
            transport.hang_up()
            await asyncio.sleep(pause)

    def close(self) -> None:
        """Lets everybody go who is still here."""
        self._is_closed = True
        for room in self._live.values():
            room.hang_up()
        self.services.threads.close()
        self.services.reviews.close()


def _hear_out(done: asyncio.Future[Room]) -> None:
    """Its error is nobody's, if nobody waits for it any more."""
    if not done.cancelled():
        done.exception()
