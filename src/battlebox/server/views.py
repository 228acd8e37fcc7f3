"""What each viewer of a match is shown: frames, each of which tells what is new since the last."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from binascii import b2a_base64
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from pydantic_core import to_json

from ..core.event_log import EventView
from ..core.match import IntermediateView, Match
from ..core.response_window import ResponseWindow
from ..core.rules import Events
from ..core.scene import Scene, Zone
from ..protocol import deltas
from ..protocol.messages import Form

if TYPE_CHECKING:
    from .connections import Connection


class Watched(Protocol):
    """What a view looks at: a session, or what stands in for one."""

    @property
    def match(self) -> Match:
        """As it stands."""

    @property
    def window(self) -> ResponseWindow | None:
        """The response window that is open."""

    def may_undo(self, seat: int | None) -> bool:
        """Whether a viewer may ask to take back their last decision."""

    def question(self, seat: int) -> str:
        """The name of what a seat is asked now."""


class ViewKey(NamedTuple):
    """What somebody is shown: a seat's view (None: the spectators'), in a form.

    `invited`: the seat that they may take.
    """

    seat: int | None
    form: Form = "scene"
    invited: int | None = None


class View(ABC):
    """What all who have the same key are shown. Subclasses say in which form.

    `n` numbers its frames within one `run`: the life of this object. `keeps[i]` is how many of the
    events that were told before frame i still hold: an undo takes some back.
    """

    in_arrays = False  # whether what there is to send at once goes as one text

    def __init__(self, key: ViewKey) -> None:
        self.key, self.seat = key, key.seat
        self.run = secrets.token_hex(4)
        self.n = -1
        self.told: list[bytes] = []  # the events, as the wire has them
        self.sent = 0  # how many of them the last frame's reader knows
        self.keep = 0
        self.keeps: list[int] = []
        self.undo = False  # whether they may take back their last decision
        self.question = ""
        self.picture: object = None
        self.before: object = None  # the picture of the frame before
        self.window: ResponseWindow | None = None
        self.countdown = b""  # how long there is still to wait, as members of a JSON object
        self.room = b""  # the room message
        self.room_version = -1  # the `Room.version` that it was made of
        self.connections: set[Connection] = set()
        self._on_the_way = b""
        self._frames = dict[int, bytes]()  # the newest, by the frame that its reader knows

    # ---- the form ----
    @abstractmethod
    def entry(self, match: Match, told: EventView) -> bytes:
        """An event as the wire has it."""

    @abstractmethod
    def look_at(self, match: Match) -> object:
        """The picture, to be compared with others."""

    @abstractmethod
    def write(self) -> bytes:
        """The picture as members of a JSON object."""

    def write_changes(self) -> bytes:
        """What has changed since the picture before, as such members; empty: not in this form."""
        return b""

    def on_the_way(self, match: Match) -> bytes:
        """What was to be seen on the way from the frame before, as more such members."""
        return b""

    def wake(self) -> None:
        """All who see it are sent what is new."""
        for connection in self.connections:
            connection.wake()

    # ---- frames ----
    def forget(self, length: int) -> None:
        """Only the first so many events still hold."""
        del self.told[length:]
        self.keep = min(self.keep, length)

    def update(self, session: Watched) -> None:
        """Makes the next frame, if there is anything new to see."""
        match, told = session.match, self.told
        told += [self.entry(match, x) for x in match.events(self.seat, len(told))]
        length = len(told)
        on_the_way = self.on_the_way(match) if self.n >= 0 else b""
        picture, undo = self.look_at(match), session.may_undo(self.seat)
        question = "" if self.seat is None else session.question(self.seat)
        same = self.keep == self.sent == length and undo == self.undo
        same = same and question == self.question and session.window == self.window
        if same and picture == self.picture:
            return
        self.before, self.picture = self.picture, picture
        self.n, self.undo, self.question = self.n + 1, undo, question
        self.window = session.window
        self.keeps.append(self.keep)
        self._on_the_way = on_the_way
        self._frames.clear()
        self.keep = self.sent = length

    def since(self, n: int) -> bytes:
        """The frame for a reader who has seen frame n of this run last (-1: none)."""
        if n not in self._frames:
            self._frames[n] = self._frame(n)
        return b"%s%s}" % (self._frames[n], self.countdown)

    def _frame(self, n: int) -> bytes:
        """All but the countdown and the bracket that closes it."""
        keep = min(self.keeps[n + 1 :]) if n >= 0 else 0
        told, undo = b",".join(self.told[keep:]), b"true" if self.undo else b"false"
        changes = self.write_changes() if n == self.n - 1 and n >= 0 else b""
        return (
            b'{"type":"frame","run":"%s","n":%d,"keep":%d,"undo":%s,"question":"%s","told":[%s],%s%s'
            % (
                *(self.run.encode(), self.n, keep, undo, self.question.encode(), told),
                b'"since":%d,%s' % (n, changes) if changes else self.write(),
                self._on_the_way if n == self.n - 1 else b"",
            )
        )


def _entry(told: EventView) -> bytes:
    return b'"turn":%d,%s' % (told.turn, _event(told.event, *told.args.values()))


@lru_cache(4096, typed=True)  # the same few come again and again
def _event(event: Events, *args: int | None) -> bytes:
    named = dict(zip(event.telling.names, args, strict=True))
    return b'"event":%s,"args":%s' % (to_json(event.name), to_json(named))


class SceneView(View):
    """For people: the scene, and events in words."""

    picture: Scene | None
    before: Scene | None

    def entry(self, match: Match, told: EventView) -> bytes:
        return b'{%s,"text":%s}' % (_entry(told), to_json(match.say(told, self.seat)))

    def look_at(self, match: Match) -> Scene:
        return match.scene(self.seat)

    def write(self) -> bytes:
        assert self.picture is not None, "nothing was drawn yet"
        return b'"scene":' + self.picture.as_json

    def write_changes(self) -> bytes:
        assert self.picture is not None, "nothing was drawn yet"
        assert self.before is not None, "there was no frame before"
        return b'"changes":' + deltas.changes(self.before, self.picture)

    def on_the_way(self, match: Match) -> bytes:
        """`intermediate_views`, each with what has changed of the zones since the one before."""
        assert self.picture is not None, "there was no frame before"
        before, out = self.picture.zones, []
        for view in match.intermediate_views(self.seat):
            if view.told > self.sent:
                out.append(_intermediate(view, before))
                before = view.scene.zones
        return b',"intermediate_views":[%s]' % b",".join(out) if out else b""


def _intermediate(view: IntermediateView, before: Sequence[Zone]) -> bytes:
    s = view.scene
    head = to_json({"told": view.told, "phase": s.phase, "title": s.title, "prompt": s.prompt})
    zones = deltas.zone_changes(before, s.zones)
    return b'%s,"zones":%s}' % (head[:-1], zones) if zones else head


class DataView(View):
    """For programs: the observation as its bytes, and the numbers of the legal actions."""

    picture: tuple[bytes, tuple[int, ...]] | None

    in_arrays = True  # each text costs as much as a frame, and programs make many moves

    def entry(self, match: Match, told: EventView) -> bytes:
        return b"{%s}" % _entry(told)

    def look_at(self, match: Match) -> tuple[bytes, tuple[int, ...]]:
        return match.known(self.seat), match.choices(self.seat)

    def write(self) -> bytes:
        assert self.picture is not None, "nothing was looked at yet"
        seen, actions = self.picture
        return b'"actions":%s,"observation":"%s"' % (
            to_json(actions),
            b2a_base64(seen, newline=False),
        )


FORMS: dict[Form, type[View]] = {"scene": SceneView, "data": DataView}
