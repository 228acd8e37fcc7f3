"""One match in memory: its session, its log, and all who look on.

Whatever changes it is first found to be possible, then written to the log, and only then done,
shown and acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import weakref
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from typing import ParamSpec

from ..core.match import Match
from ..core.response_window import ResponseWindow
from ..protocol.commands import Command, Resign, TakeSeat
from ..protocol.messages import (
    EndInfo,
    Fairness,
    OutcomeInfo,
    ProposalInfo,
    RoomMessage,
    SeatInfo,
    to_bytes,
)
from .bot_players import BotPlayers
from .clock import Clock
from .compiling import Compiler
from .connections import Connection, Outbox, Transport
from .delayed import DelayedSession
from .hints import Hints
from .limits import Limits
from .log_events import Acted, LogEvent, WindowClosed, read_event
from .presence import Presence
from .response_windows import ResponseWindows
from .reviews import Hear, Reviewed, Reviews
from .session import OPEN, PERSON, Refused, Session
from .store import Conflict, Entry, OutcomeUnknown, Setup, Store, StoreError
from .threads import AnswerSlots, BotThreads
from .tokens import Access, Tokens
from .versions import Versions
from .views import FORMS, View, ViewKey

RETRY = 2  # seconds after which it is tried again to save what could not be saved
log = logging.getLogger("battlebox")


@dataclass
class Services:
    """What the rooms of a server have in common."""

    store: Store
    limits: Limits
    clock: Clock
    versions: Versions
    tokens: Tokens
    threads: BotThreads
    slots: AnswerSlots
    compiler: Compiler
    reviews: Reviews
    moves: int = 0  # logged since the start


P = ParamSpec("P")


def _only_watches(key: ViewKey) -> bool:
    return key.seat is None and key.invited is None


def _weakly(method: Callable[P, None]) -> Callable[P, None]:
    """The same, but it does not keep its object; without that it does nothing."""
    known = weakref.WeakMethod(method)

    def call(*args: P.args, **more: P.kwargs) -> None:
        if found := known():
            found(*args, **more)

    return call


class Room:
    """A match that is being played or watched.

    used: called whenever something is done with it. lost: called when the log knows better than
    this memory, which is to be forgotten.
    """

    def __init__(
        self,
        services: Services,
        setup: Setup,
        *,
        used: Callable[[Room], None],
        lost: Callable[[Room], None],
    ) -> None:
        self.services, self.setup, self.clock = services, setup, services.clock
        self._used, self._lost = used, lost
        self.session = Session(setup)
        services.compiler.is_ready(self.session.match.rules)
        self.last: Entry | None = None  # of the log, as far as it is known here
        self.done: dict[str, str] = {}  # fingerprints of the commands in the log, by their ids
        self.views: dict[ViewKey, View] = {}
        self.outbox = Outbox()
        self.version = 0  # of all that the room message tells
        self.maker: str | None = None  # the address that counts it as under way
        self.used_at = self.clock.now()  # see `Rooms.use`
        self.preparing = False
        self.rematch: str | None = None
        # its parts do not keep it: what leaves the memory is gone at once
        me = weakref.proxy(self)
        self.presence = Presence(
            *(self.session, self.views, services.limits, self.clock),
            changed=_weakly(self._presence_changed),
        )
        self.windows = ResponseWindows(me)
        self.bots, self.hints = BotPlayers(me), Hints(me)
        self.delay = self.session.plan.delay
        self.delayed: DelayedSession | None = None
        if self.delay:
            apply, due = _weakly(self._change), _weakly(self._show_delayed)
            self.delayed = DelayedSession(setup, self.delay, self.clock, apply=apply, due=due)
        self._lock = asyncio.Lock()
        self._playing: asyncio.Task[None] | None = None  # the bots
        self._waiting: asyncio.Task[None] | None = None  # for a response window to pass
        self._showing: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None  # what other nodes have written
        self._is_behind = False  # there may be more of that
        self._is_gone = False  # it has left the memory
        for session in {self.seen_by(None), self.session}:
            self.windows.update(session)

    # ---- what happens ----
    def replay(self, entry: Entry) -> None:
        """The next entry of its log, while it is read again."""
        self._apply(entry, read_event(entry.body))

    def _apply(self, entry: Entry, event: LogEvent) -> None:
        self.last = entry
        if entry.action is not None:
            self.done[entry.action] = event.command
        self._change(self.session, event)
        if self.delayed:
            self.delayed.add(entry.at, event)

    def _change(self, session: Session, event: LogEvent) -> None:
        """Lets an event happen, and makes the views forget what no longer holds."""
        change = session.apply(event)
        self.windows.update(session)
        self.version += change.room
        if change.retold or change.taken_back:
            for view in self.views.values():
                if self.seen_by(view.seat) is session:
                    view.forget(0 if change.retold else len(session.match.events(view.seat)))

    def _show_delayed(self) -> None:
        """Shows late spectators what it is time for."""
        assert self.delayed is not None
        since, window = self.clock.now(), self.delayed.session.window
        self.delayed.catch_up()
        self.broadcast()
        if window != self.delayed.session.window:
            self._showing = asyncio.get_running_loop().create_task(self._hold_back(since))

    async def _hold_back(self, since: float) -> None:
        """The task keeps the room meanwhile; `windows` knows it weakly."""
        await self.windows.hold_back(since)

    def is_done(self, id: str, fingerprint: str) -> bool:
        """Whether this command is in the log. id: "SEAT:ID".

        Errors: Refused, if there is another one under its id.
        """
        if id not in self.done:
            return False
        if self.done[id] != fingerprint:
            raise Refused("used", "This id was used for another command: choose a new one.")
        return True

    async def submit(self, command: Command, seat: int, id: str, fingerprint: str = "") -> None:
        """Does what a person wants. One that is in the log already is not done again.

        id: as the client has made it up. Errors: Refused; StoreError: it could not be written, and
        nothing has changed.
        """
        await self.commit(
            lambda: self._decided(command, seat),
            f"{seat}:{id}",
            fingerprint or command.fingerprint,
        )

    def _decided(self, command: Command, seat: int) -> LogEvent:
        if self.session.length >= self.services.limits.entries and not isinstance(command, Resign):
            raise Refused("not_possible", "This match has become too long: give it up.")
        return self.session.decide(command, seat)

    async def take_seat(self, seat: int, command: TakeSeat, id: str) -> str:
        """Gives an open seat to the bearer of its invitation. The seat's own token.

        Who repeats the command is given it again, if it had a key: nobody else knows that.
        Errors: as of `submit`.
        """
        fingerprint = command.fingerprint if command.key else secrets.token_hex()
        taken = self.session.seats[seat].kind == PERSON
        if taken and self.done.get(f"{seat}:{id}") != fingerprint:
            raise Refused("taken", "Somebody has already taken this seat.")
        await self.submit(command, seat, id, fingerprint)
        return self.services.tokens.seat_token(self.setup.id, seat)

    async def commit(
        self, decide: Callable[[], LogEvent], id: str | None = None, fingerprint: str = ""
    ) -> None:
        """Writes the event that `decide` gives to the log; then does it and shows it.

        Errors: Refused, of `decide`; StoreError: it could not be written; nothing has changed.
        """
        async with self._lock:
            while True:
                if id is not None and self.is_done(id, fingerprint):
                    return
                since, window = self.clock.now(), self.session.window
                event = decide()
                if fingerprint:
                    event = event.for_command(fingerprint)
                if isinstance(event, WindowClosed):
                    since -= self.windows.late
                entry = Entry(self.session.length, id, self.clock.date(), event.to_json())
                if await self._append(entry):
                    break
            self._apply(entry, event)
            self._used(self)
            await self._go_on_from(since, window)
            # what is counted is shown to all: an answer in a response window is not
            self.services.moves += not (window and isinstance(event, Acted))

    async def _append(self, entry: Entry) -> bool:
        """Writes an entry. False: others were quicker, and what they did is known now.

        Errors: StoreError; if this memory may be wrong, it is forgotten.
        """
        try:
            await self.services.store.append(self.setup.id, entry)
        except Conflict:
            if await self._read_on():
                return False
            self._lost(self)
            raise
        except OutcomeUnknown:
            self._lost(self)
            raise
        return True

    # ---- what other nodes do ----
    def hear(self) -> None:
        """Others may have written to its log: it is found out."""
        self._is_behind = True
        if self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._keep_up())

    async def catch_up(self) -> None:
        """Knows all that is in the log: who comes from another node has seen it there already.

        Errors: StoreError.
        """
        if self.services.store.shared:
            async with self._lock:
                await self._read_on()

    async def _keep_up(self) -> None:
        store, id = self.services.store, self.setup.id
        try:
            while self._is_behind:
                self._is_behind = False
                async with self._lock:
                    is_new = await self._read_on()
                if self.session.end and self.rematch is None:
                    after = await asyncio.to_thread(store.rematch, id)
                    self.rematch = after.id if after else None
                    is_new |= after is not None
                if is_new:
                    self.presence.update()
                    self.room_changed()
        except StoreError as e:  # there will be other news
            log.warning("%s", e)
        except Exception as e:  # nobody else would hear of it
            log.warning("%s: cannot go on as others did: %r", id, e, extra={"match": id})
            self._lost(self)
        finally:
            self._reading = None

    def see_others(self, others: Mapping[int, int]) -> None:
        """So many windows show it at other nodes, by seat (-1: spectators)."""
        if others != self.presence.others:
            self.presence.others = others
            self.presence.update()
            self.room_changed()

    async def _read_on(self) -> bool:
        """Does what the log has more than this memory. Whether there was anything.

        Errors: Conflict, if the log has not what is remembered; then that is forgotten.
        """
        store, since, window = self.services.store, self.clock.now(), self.session.window
        first = self.last.seq if self.last else 0  # which is read once more, and compared
        entries = await asyncio.to_thread(store.entries, self.setup.id, first)
        if self.last and (not entries or entries.pop(0) != self.last):
            self._lost(self)
            raise Conflict(f"{store.where}: the log of {self.setup.id} is not as it was: read anew")
        for entry in entries:
            self.replay(entry)
        if entries:
            await self._go_on_from(since, window)
        return bool(entries)

    # ---- what is shown ----
    async def _go_on_from(self, since: float, window: ResponseWindow | None) -> None:
        """Shows what has happened since then, when this window was open; and goes on from there."""
        self.broadcast()
        if window != self.session.window:
            await self.windows.hold_back(since)
        self.wake()

    def room_changed(self) -> None:
        """Something that the room message tells has changed, and is not in the log."""
        self.version += 1
        for view in self.views.values():
            if view.connections:
                self._describe(view)
                view.wake()

    def broadcast(self) -> None:
        """Shows all who look on what there is to see now."""
        countdowns = self.windows.members()
        for view in self.views.values():
            if view.connections:
                self._show(view, countdowns)
                view.wake()

    def seen_by(self, seat: int | None) -> Session:
        """What a viewer sees: the session now, or as it was a while ago."""
        return self.delayed.session if seat is None and self.delayed else self.session

    def _show(self, view: View, countdowns: dict[Session, bytes]) -> None:
        session = self.seen_by(view.seat)
        view.update(session)
        view.countdown = countdowns.get(session, b"")
        self._describe(view)

    def _describe(self, view: View) -> None:
        """Makes its room message anew, if that may be another."""
        if view.room_version != self.version:
            view.room_version = self.version
            message = to_bytes(self.describe(view.key))
            if message != view.room:  # else the change is not for them, not even that there was one
                view.room = message

    def describe(self, key: ViewKey) -> RoomMessage:
        """The room message for a viewer."""
        seat, s = key.seat, self.seen_by(key.seat)
        invited = key.invited is not None and self.session.seats[key.invited].kind == OPEN
        rules, secret = s.match.rules, self.setup.secret.hex() if s.commitment and s.end else None
        return RoomMessage(
            id=self.setup.id,
            game=rules.name,
            title=rules.game.title,
            mode=s.plan.mode,
            options=rules.options_in_words,
            you=seat,
            invited=key.invited if invited else None,
            seats=[
                SeatInfo.model_construct(
                    seat=p,
                    name=x.name,
                    kind=x.kind,
                    level=x.level,
                    here=bool(x.bot) or self.presence.looking(p) > 0,
                    resigned=x.resigned,
                    replaced=p in self.presence.replaced,
                )
                for p, x in enumerate(s.seats)
            ],
            may=s.may(seat),
            may_propose=s.may_propose(seat),
            invitations={
                str(p): token for p, token in self.services.tokens.invitations(s, seat).items()
            },
            proposal=ProposalInfo(**asdict(s.proposal)) if s.proposal else None,
            outcome=OutcomeInfo(**asdict(s.outcome)) if s.outcome else None,
            preparing=self.preparing,
            notice=self._notice(),
            watching=self.presence.looking(None),
            delay=self.delay,
            fair=Fairness(commitment=s.commitment or None, secret=secret),
            end=EndInfo(reason=s.end.reason, text=s.end.text, returns=[*s.end.returns])
            if s.end
            else None,
            rematch=self.rematch if s.end else None,
        )

    def _notice(self) -> str:
        """What players are to know before it happens."""
        if self.session.end or not self.services.versions.only_here(self.session.plan):
            return ""
        return (
            "The server is getting newer rules of this game. Finish this match soon: it goes on "
            "under its own rules only while the older part of the server runs."
        )

    # ---- who looks on ----
    def access(self, token: str | None) -> Access:
        """What a token gives access to. Errors: Refused, if it belongs to no seat."""
        return self.services.tokens.access(self.session, token)

    def join(
        self, key: ViewKey, transport: Transport, run: str = "", since: int = -1
    ) -> Connection:
        """A new socket of a viewer. Errors: Refused, if there are too many."""
        watching = _only_watches(key)  # spectators do not keep players out
        alike = [v for k, v in self.views.items() if _only_watches(k) == watching]
        if sum(len(v.connections) for v in alike) >= self.services.limits.sockets_per_match:
            raise Refused("too_many", "Too many windows show this match: close some of them.")
        view = self.views.setdefault(key, FORMS[key.form](key))
        self._show(view, self.windows.members())
        connection = Connection(view, transport, self.outbox, run, since)
        view.connections.add(connection)
        self._used(self)
        self.glance()
        self._look()
        return connection

    def leave(self, connection: Connection) -> None:
        """The socket is gone."""
        connection.leave()
        self._used(self)
        self.presence.glance()
        self._look()

    def _look(self) -> None:
        """More or fewer look on: other nodes hear of it, too."""
        self.presence.update()
        self.room_changed()
        if not self._is_gone:  # or else it would speak for the one that has taken its place
            self.services.store.look(self.setup.id, self.presence.here())

    def glance(self) -> None:
        """Somebody asks how it stands, and may come again."""
        self.presence.glance()
        self.wake()

    def _presence_changed(self) -> None:
        self.room_changed()
        self.wake()

    def hang_up(self) -> None:
        """Sends everybody away; they come back by themselves."""
        for view in self.views.values():
            for connection in view.connections:
                connection.transport.hang_up()

    def let_go(self) -> None:
        """It leaves the memory: nothing that is still to ring keeps it there."""
        self._is_gone = True
        if self.presence.is_watched:  # not for long
            self.services.store.look(self.setup.id, {})
        self.presence.close()
        if self.delayed:
            self.delayed.close()
        if self._waiting:
            self._waiting.cancel()

    @property
    def is_busy(self) -> bool:
        """Somebody looks on, a bot thinks, a response window passes, or something is being written.

        One that waits for a person alone among bots, who has gone, does not count: they are asked
        again when they are back, and until then would keep the match here for ten minutes.
        """
        waits = self._waiting is not None and not self.windows.is_at_leisure
        return self.presence.is_watched or self._lock.locked() or bool(self._playing) or waits

    # ---- what goes on by itself ----
    def wake(self) -> None:
        """Lets the bot think whose turn it is, and the time of a response window pass."""
        start = asyncio.get_running_loop().create_task
        if self._playing is None and self.bots.to_act is not None:
            self._playing = start(self._play())
        if self._waiting is None and self.session.window:
            self._waiting = start(self._wait())

    async def _play(self) -> None:
        mine = False
        try:
            mine = await self._falls_to_me()
            await self._go_on(self.bots.play, "a bot could not play")
        finally:
            self._playing = None  # who answers while this lets go wakes them anew
            self.broadcast()
            if mine:
                await self.services.store.release(self.setup.id)

    async def _falls_to_me(self) -> bool:
        """Waits until it falls to this node to let the bots think. False: it does not, but the one
        to which it does has been still for too long; or there is nothing more to think about.
        """
        length, late = -1, 0.0
        while self.bots.to_act is not None:
            if await self.services.store.claim(self.setup.id):
                return True
            if self.session.length != length:
                length, late = self.session.length, self.clock.now() + self.services.limits.decision
            elif self.clock.now() > late:
                return False
            await self.clock.sleep(RETRY)
        return False

    async def _wait(self) -> None:
        try:
            # that it is let go ends here: the task would keep the error, and by it the room
            with contextlib.suppress(asyncio.CancelledError):
                await self._go_on(self.windows.let_pass, "a response window could not be closed")
        finally:
            self._waiting = None

    async def _go_on(self, step: Callable[[], Awaitable[bool]], what: str) -> None:
        """Step after step while there are any; one that could not be saved is tried again."""
        more = True
        try:
            while more:
                try:
                    more = await step()
                except (Conflict, OutcomeUnknown):  # this memory is forgotten
                    raise
                except StoreError as e:
                    log.warning("%s", e)
                    await self.clock.sleep(RETRY)
        except Exception as e:  # nobody else would hear of it
            id = self.setup.id
            log.warning("%s: %s: %r", id, what, e, extra={"match": id})

    async def prepare(self) -> None:
        """Compiles what bots that think need, and says so meanwhile."""
        rules = self.session.match.rules
        if self.services.compiler.is_ready(rules):
            return
        self.preparing = True
        self.room_changed()
        try:
            await self.services.compiler.prepare(rules)
        finally:
            self.preparing = False
            self.room_changed()

    async def review(self, seat: int | None, first: int, hear: Hear) -> Reviewed:
        """How the match went for all seats, when everybody may see everything; first for one.

        Errors: Refused, also if the match is not over for this viewer; BattleboxError.
        """
        if self.seen_by(seat).end is None:
            raise Refused("not_over", "You can see how it went when the match is over.")
        await self.prepare()
        return await self.services.reviews.of(self.setup.id, self.match, first, hear)

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.session.match
