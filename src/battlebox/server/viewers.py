"""What each viewer of a match is shown: frames, each of which tells what is new since the last."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from abc import ABC, abstractmethod
from binascii import b2a_base64
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from pydantic_core import to_json

from ..core.match import IntermediateView, Match, Told
from ..core.response_window import ResponseWindow
from ..core.rules import Events
from ..core.scene import Scene, Zone
from .meeting import Meeting

BACKLOG = 100  # answers a socket may leave unread
log = logging.getLogger("battlebox")


@dataclass(frozen=True)
class Shown:
    """What somebody is shown: a seat's view (None: the spectators'), in a form.

    `invited`: the seat that he may take.
    """

    seat: int | None
    form: str = "scene"
    invited: int | None = None


class Viewer(ABC):
    """All who are shown the same, and what that was. Subclasses say in which form.

    `n` numbers its frames within one `run`: the life of this object. `keeps[i]` is how many of the
    events that were told before frame i still hold: an undo takes some back.
    """

    in_arrays = False  # whether what there is to send at once goes as one text

    def __init__(self, shown: Shown) -> None:
        self.shown, self.seat = shown, shown.seat
        self.run = secrets.token_hex(4)
        self.n = -1
        self.told: list[bytes] = []  # the events, as the wire has them
        self.sent = 0  # how many of them the last frame's reader knows
        self.keep = 0
        self.keeps: list[int] = []
        self.undo = False  # whether he may take back what he did last
        self.asked = (-1, tuple[int, ...]())  # what tells one decision from another
        self.asked_at = 0  # the frame since when it is asked
        self.picture: Any = None
        self.hush: ResponseWindow | None = None
        self.hold = b""  # how long there is still to wait, as members of a JSON object
        self.frame = b""
        self.table = b""
        self.table_of = -1  # the `Table.changes` that the table message was made of
        self.links: set[Link] = set()

    # ---- the form ----
    @abstractmethod
    def entry(self, match: Match, told: Told) -> bytes:
        """An event as the wire has it."""

    @abstractmethod
    def look_at(self, match: Match) -> tuple[Any, tuple[int, ...]]:
        """The picture, to be compared with others, and the actions it offers."""

    @abstractmethod
    def write(self) -> bytes:
        """The picture as members of a JSON object."""

    def passing(self, match: Match) -> bytes:
        """What was to be seen on the way from the frame before, as more such members."""
        return b""

    # ---- frames ----
    def cut(self, length: int) -> None:
        """Only the first so many events still hold."""
        del self.told[length:]
        self.keep = min(self.keep, length)

    def look(self, meeting: Meeting) -> None:
        """Makes the next frame, if there is anything new to see."""
        match, told = meeting.match, self.told
        told += [self.entry(match, x) for x in match.events(self.seat, len(told))]
        length = len(told)
        passing = self.passing(match) if self.n >= 0 else b""
        (picture, actions), undo = self.look_at(match), meeting.may_undo(self.seat)
        same = self.keep == self.sent == length and undo == self.undo and meeting.hush == self.hush
        if same and picture == self.picture:
            return
        self.n, self.picture, self.undo, self.hush = self.n + 1, picture, undo, meeting.hush
        asked = (length, actions)
        if asked != self.asked:  # else somebody has only got another name
            self.asked, self.asked_at = asked, self.n
        self.keeps.append(self.keep)
        self.frame = self._frame(self.keep, passing)
        self.keep = self.sent = length

    def since(self, n: int) -> bytes:
        """The frame for whoever has seen frame n of this run last (-1: none)."""
        frame = self.frame
        if n != self.n - 1:
            frame = self._frame(min(self.keeps[n + 1 :]) if n >= 0 else 0)
        return b"%s%s}" % (frame, self.hold)

    def _frame(self, keep: int, passing: bytes = b"") -> bytes:
        """All but `hold` and the bracket that closes it."""
        undo, told = b"true" if self.undo else b"false", b",".join(self.told[keep:])
        return b'{"type":"frame","run":"%s","n":%d,"keep":%d,"undo":%s,"told":[%s],%s%s' % (
            *(self.run.encode(), self.n, keep, undo, told),
            self.write(),
            passing,
        )


def _entry(told: Told) -> bytes:
    return b'"turn":%d,%s' % (told.turn, _event(told.event, *told.args.values()))


@lru_cache(4096, typed=True)  # the same few come again and again
def _event(event: Events, *args: int | None) -> bytes:
    named = dict(zip(event.sight.names, args, strict=True))
    return b'"event":%s,"args":%s' % (to_json(event.name), to_json(named))


class SceneViewer(Viewer):
    """For people: the scene, and events in words."""

    picture: Scene | None

    def entry(self, match: Match, told: Told) -> bytes:
        return b'{%s,"text":%s}' % (_entry(told), to_json(match.say(told, self.seat)))

    def look_at(self, match: Match) -> tuple[Scene, tuple[int, ...]]:
        scene = match.scene(self.seat)
        return scene, tuple(c.action for c in scene.choices)

    def write(self) -> bytes:
        assert self.picture is not None, "nothing was drawn yet"
        return b'"scene":' + self.picture.as_json

    def passing(self, match: Match) -> bytes:
        """Intermediate views, each with its zones; of those that are as they were, only the ids."""
        assert self.picture is not None, "there was no frame before"
        before, out = self.picture.zones, []
        for m in match.intermediate_views(self.seat):
            if m.told > self.sent:
                out.append(_moment(m, {z.id: z for z in before}))
                before = m.scene.zones
        return b',"moments":[%s]' % b",".join(out) if out else b""


def _moment(m: IntermediateView, before: Mapping[str, Zone]) -> bytes:
    s = m.scene
    head = {"told": m.told, "phase": s.phase, "title": s.title, "prompt": s.prompt}
    zones = [to_json(z.id) if before.get(z.id) == z else z.as_json for z in s.zones]
    return b'%s,"zones":[%s]}' % (to_json(head)[:-1], b",".join(zones))


class DataViewer(Viewer):
    """For programs: the observation as its bytes, and the numbers of the legal actions."""

    in_arrays = True  # each text costs as much as a frame, and programs make many moves

    def entry(self, match: Match, told: Told) -> bytes:
        return b"{%s}" % _entry(told)

    def look_at(self, match: Match) -> tuple[tuple[bytes, tuple[int, ...]], tuple[int, ...]]:
        actions = match.choices(self.seat)
        return (match.known(self.seat), actions), actions

    def write(self) -> bytes:
        seen, actions = self.picture
        return b'"actions":%s,"observation":"%s"' % (
            to_json(actions),
            b2a_base64(seen, newline=False),
        )


FORMS: dict[str, type[Viewer]] = {"scene": SceneViewer, "data": DataViewer}


class Line(Protocol):
    """The connection of a socket."""

    drained: Callable[[], object] | None  # called when it is no longer full

    @property
    def full(self) -> bool: ...  # the client reads more slowly than it is written to
    def push(self, text: bytes) -> None: ...  # sends a text
    def hang_up(self) -> None: ...  # closes it, for the client to come back


class Post:
    """Delivers to all links of a match that have got something, once in a turn of the loop; what is
    kept back, later.
    """

    def __init__(self) -> None:
        self._waiting: dict[Link, None] = {}  # in the order in which they got it
        self._holds, self._goes = 0, asyncio.Event()

    def collect(self, link: Link) -> None:
        """There is something for this link."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._deliver)
        self._waiting[link] = None

    @contextlib.contextmanager
    def kept_back(self) -> Iterator[None]:
        """Nobody gets anything meanwhile."""
        self._holds += 1
        self._goes.clear()
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._goes.set()
                self._deliver()

    @property
    def keeps_back(self) -> bool:
        """Whether nobody gets anything now."""
        return self._holds > 0

    async def goes(self) -> None:
        """Returns when nothing is kept back."""
        while self._holds:
            await self._goes.wait()

    def _deliver(self) -> None:
        if self._holds:
            return
        waiting, self._waiting = self._waiting, {}
        for link in waiting:
            try:
                link.flush()
            except Exception:  # the others are not to wait for it
                log.exception("a socket could not be written to")
                link.line.hang_up()


class Link:
    """One socket: what it still has to be sent. Never more than the newest picture and answers."""

    def __init__(self, viewer: Viewer, line: Line, post: Post, run: str, since: int) -> None:
        self.viewer, self.line, self.post = viewer, line, post
        known = run == viewer.run and 0 <= since <= viewer.n
        self.n = since if known else -1
        self.table = b""
        self.answers: list[bytes] = []
        line.drained = self.wake

    def leave(self) -> None:
        """The socket is gone."""
        self.viewer.links.discard(self)
        self.line.drained = None

    def wake(self) -> None:
        """There may be something new to see."""
        self.post.collect(self)

    def answer(self, message: bytes) -> bool:
        """Adds an answer; False: too many are unread."""
        self.answers.append(message)
        self.wake()
        return len(self.answers) <= BACKLOG

    def flush(self) -> None:
        """Sends what there is; to whoever reads slowly, later, and then only the newest."""
        if not self.line.full:
            for text in self.texts():
                self.line.push(text)

    def texts(self) -> list[bytes]:
        """What is to be sent now, in order."""
        v, out = self.viewer, []
        if self.table is not v.table:
            self.table = v.table
            out.append(v.table)
        if self.n < v.n:
            out.append(v.since(self.n))
            self.n = v.n
        out += self.answers
        self.answers.clear()
        return [b"[%s]" % b",".join(out)] if v.in_arrays and len(out) > 1 else out
