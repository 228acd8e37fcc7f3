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
from ..client.state import RemoteState
from ..core.errors import BattleboxError, IllegalAction
from ..core.scene import Choice
from ..text.choosing import chosen

MOST = 200  # connections that are kept
NOTES = 4_000  # letters
SOON = 10.0  # seconds in which the picture follows what was done
BEAT = 1.0  # seconds between two looks at a match that one waits for


class Refused(BattleboxError):
    """What was asked for was not done; the seat can be talked to as before."""


class Seat:
    """A seat of a match. One thread at a time talks to it."""

    def __init__(self, at: Link) -> None:
        self.link, self.lock = at, threading.Lock()
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

    def refresh(self, seconds: float = 0) -> None:
        """Takes in what has come; if nothing has, within so many seconds."""
        self._client.take_in(seconds)

    def ask(self, type: str, **fields: object) -> str:
        """Sends a command, waits for its answer; the token that it gives, if it gives one.

        Errors: Refused says why it was not done; BattleboxError if the connection is lost.
        """
        reply = self._client.ask(type, **fields)
        if reply.refused:
            raise Refused(reply.refused)
        return reply.token

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
        except IllegalAction as e:
            raise Refused(str(e)) from None
        before = self.state.picture
        self.state.decide()
        self.ask("act", question=asked, action=choice.action)
        self.until(lambda: self.state.picture is not before, SOON)
        return choice

    def until(self, true: Callable[[], bool], seconds: float) -> bool:
        """Takes in what comes until this is true, for so many seconds; whether it is."""
        end = time.monotonic() + seconds
        self.refresh()
        while not true() and (left := end - time.monotonic()) > 0:
            self.refresh(min(BEAT, left))
        return true()

    @property
    def is_needed(self) -> bool:
        """Whether there is something to do for this seat, or nothing any more."""
        state = self.state
        return bool(state.scene.choices) or state.is_asked or state.room.end is not None


class Seats:
    """Those of one server."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.notes = dict[Link, str]()  # by seat; they outlive its connection
        self._seats = OrderedDict[Link, Seat]()
        self._lock = threading.Lock()

    @contextmanager
    def seat(self, match: str, token: str) -> Iterator[Seat]:
        """A seat, for as long as it is talked to. Errors: BattleboxError if there is none."""
        at = link.read(f"{self.site.base}/match/{match}#{token}")
        with self._lock:
            found = self._seats.get(at)
            if found is None:
                at.check()
                found = self._seats[at] = Seat(at)
                while len(self._seats) > MOST:
                    self._seats.popitem(last=False)[1].close()
            self._seats.move_to_end(at)
        try:
            with found.lock:
                yield found
        except Refused:
            raise
        except BattleboxError:  # the connection is lost for good; the next call makes another
            with self._lock:
                if self._seats.pop(at, None):
                    found.close()
            raise

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
