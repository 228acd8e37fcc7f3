"""The seats that are played: a connection for each, made when it is first named."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

from ..client import link
from ..client.client import RemoteClient, arrive
from ..client.connection import Connection
from ..client.link import Link, Site
from ..client.room_text import UNDO
from ..client.state import RemoteState
from ..core.errors import BattleboxError, IllegalAction
from ..core.scene import Choice
from ..text.choosing import NoChoice, chosen
from .texts import no_choice

MOST = 200  # connections that are kept
IDLE = 600.0  # seconds in which a seat is not used, after which it is away
NOTES = 4_000  # letters
NOTED = 1_000  # seats whose notes are kept
SOON = 10.0  # seconds in which the server answers, and the picture follows what was done
LOST = "The connection to the server is lost; nothing is known of what it has done. Call look."
BUSY = "Another call for this seat is still under way. Call look in a while."


class Refused(BattleboxError):
    """What was asked for was not done; the seat can be talked to as before."""


class Seat:
    """A seat of a match, as it is seen over a connection of its own.

    Errors: BattleboxError if it cannot be connected.
    """

    def __init__(self, at: Link) -> None:
        self.link = at
        self._connection = Connection(at)
        self._connection.__enter__()
        try:
            self.state: RemoteState = arrive(self._connection)
        except BaseException:
            self.close()
            raise
        self._client = RemoteClient(self._connection, self.state, lambda text: None)

    def close(self) -> None:
        """Hangs up."""
        self._connection.__exit__(None, None, None)

    def refresh(self) -> None:
        """Takes in what has come."""
        self._client.take_in()

    def ask(self, type: str, **fields: object) -> str:
        """Sends a command, waits for its answer; the token that it gives, if it gives one.

        Errors: Refused says why it was not done; BattleboxError if the connection is lost, or no
        answer comes.
        """
        client = self._client
        client.send(type, **fields)
        if not self.until(lambda: client.sent is None, SOON):
            raise BattleboxError(LOST)
        if client.reply.refused:
            raise Refused(client.reply.refused)
        return client.reply.token

    def choose(self, said: str, question: str) -> Choice:
        """Does what is meant, and waits till it can be seen.

        question: what is answered; empty: whatever is asked now. Errors: as `ask`.
        """
        self.refresh()
        scene, asked = self.state.scene, self.state.picture.question
        if not scene.choices:
            raise Refused(f"You are not asked anything now. {self.state.waiting()}.")
        if question and question != asked:
            raise Refused(
                f"The question has changed meanwhile: nothing was done. It is now {asked}: "
                f"{scene.prompt}"
            )
        try:
            choice = chosen(said, scene)
        except NoChoice as e:
            raise Refused(f"{e} {no_choice(said, scene)}") from None
        except IllegalAction as e:
            raise Refused(str(e)) from None
        before = self.state.picture
        self.state.decide()
        self.ask("act", question=asked, action=choice.action)
        self.until(lambda: self.state.picture is not before, SOON)
        return choice

    def propose(self, what: str) -> None:
        """Proposes what may be proposed now. Errors: as `ask`."""
        possible = self.state.may_propose
        if what not in possible:
            now = f"possible are: {', '.join(possible)}" if possible else "nothing is possible"
            raise Refused(f"You cannot propose {what!r} now; {now}.")
        if what == UNDO:
            self.ask("undo")
        else:
            self.ask("propose", what=what)

    def until(self, true: Callable[[], bool], seconds: float) -> bool:
        """Takes in what comes until this is true, for so many seconds; whether it is."""
        return self._client.until(true, seconds)

    def check(self) -> None:
        """Errors: BattleboxError if the server is not heard, so that what is known may be old."""
        if self.state.lost:
            raise BattleboxError(LOST)

    @property
    def is_needed(self) -> bool:
        """Whether there is something to do for this seat, or nothing any more."""
        state = self.state
        return bool(state.scene.choices) or state.is_asked or state.room.end is not None


class _Place:
    """Where a seat is kept while it is connected. One thread at a time has it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0  # threads that have it, or wait for it
        self.used = 0.0  # when it last was, by `time.monotonic`
        self.seat: Seat | None = None

    def close(self) -> None:
        """The seat is not connected any more."""
        if self.seat:
            self.seat.close()
            self.seat = None


class Seats:
    """Those of one server. A seat that nobody uses is let go: others then see that it is away."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._notes = OrderedDict[Link, str]()  # by seat; they outlive its connection
        self._places = OrderedDict[Link, _Place]()  # the one that was used last comes last
        self._lock = threading.Lock()  # of both; nobody who has it waits for a server
        self._alarm: threading.Timer | None = None  # which lets go of seats

    @contextmanager
    def seat(self, match: str, token: str) -> Iterator[Seat]:
        """A seat, for as long as it is talked to. Errors: BattleboxError if there is none, or
        another call has it for long.
        """
        at = link.read(f"{self.site.base}/match/{match}#{token}")
        with self._place(at) as place:
            if place.seat is None:
                at.check()
                place.seat = Seat(at)
            try:
                yield place.seat
            except Refused:
                raise
            except BattleboxError:  # it is lost for good; the next call connects it anew
                place.close()
                raise
            if place.seat.state.room.end:  # nothing more will come
                place.close()

    def note(self, seat: Seat, text: str | None) -> str:
        """The notes of a seat, after it has changed them to `text`, if there is any."""
        with self._lock:
            if text is not None:
                self._notes[seat.link] = text
                self._notes.move_to_end(seat.link)
                if len(self._notes) > NOTED:
                    self._notes.popitem(last=False)
            return self._notes.get(seat.link, "")

    @contextmanager
    def _place(self, at: Link) -> Iterator[_Place]:
        with self._lock:
            place = self._places.setdefault(at, _Place())
            self._places.move_to_end(at)
            place.users += 1
        try:
            if not place.lock.acquire(timeout=SOON):
                raise BattleboxError(BUSY)
            try:
                yield place
            finally:
                place.lock.release()
        finally:
            with self._lock:
                place.users -= 1
                place.used = time.monotonic()
            self.let_go()

    def let_go(self) -> None:
        """Closes places that nobody has: those without a seat, those that were not used for long,
        and the oldest of too many. It is done again when the next one has not been used for long.
        """
        with self._lock:
            now, over = time.monotonic(), len(self._places) - MOST
            idle = [at for at, x in self._places.items() if not x.users]
            gone = [
                self._places.pop(at)
                for k, at in enumerate(idle)
                if k < over or self._places[at].seat is None or now - self._places[at].used >= IDLE
            ]
            left = [x.used + IDLE - now for x in self._places.values() if not x.users]
            if left and self._alarm is None:
                self._alarm = threading.Timer(max(0.0, min(left)), self._ring)
                self._alarm.daemon = True
                self._alarm.start()
        for x in gone:
            x.close()

    def _ring(self) -> None:
        with self._lock:
            self._alarm = None
        self.let_go()

    def join(self, invitation: str, name: str) -> Link:
        """Takes the seat of an invitation, or the first open one of a match; the seat's own link.

        Errors: BattleboxError.
        """
        if "/" not in invitation:
            free = link.read(f"{self.site.base}/match/{invitation}")
            made = self.site.post(f"matches/{free.match}/join")
            invitation = str(free.sit(made["token"]))
        found = link.read(invitation)
        if found.base != self.site.base:
            raise BattleboxError(f"This plays at {self.site.base} alone, not at {found.base}.")
        found.check()
        seat = Seat(found)
        try:
            if seat.state.room.invited is None:
                raise BattleboxError("This link leads to no open seat: ask for an invitation.")
            return found.sit(seat.ask("take_seat", name=name, key=uuid4().hex))
        finally:
            seat.close()
