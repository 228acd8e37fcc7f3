"""What this viewer knows of a match on a server."""

from __future__ import annotations

from dataclasses import replace

from ..core.scene import Scene
from ..protocol.messages import EventInfo, RoomMessage
from . import room_text
from .connection import Picture

GAVE_UP = "You gave up this match: you only watch now."


class RemoteState:
    """The room and the picture as they are now, and all that was told, as far as it still holds.

    `remarks` are told among the events: what went on around the match, after so many of them.
    """

    def __init__(self, room: RoomMessage, picture: Picture) -> None:
        self.room, self.picture = room, picture
        self.events: list[EventInfo] = [*picture.told]
        self.remarks: list[tuple[int, str]] = []
        last = self.events[-1].turn if self.events else 0
        old = last - 2 * len(room.seats)  # the last round is news
        #: how many events and remarks the person knew when they last decided
        self.seen = (sum(x.turn <= old for x in self.events), 0)
        self.decided: list[tuple[int, tuple[int, int]]] = []  # events, and `seen`, before each
        self.commitment = room.fair.commitment or ""  # as it was at first
        self.lost = False  # the connection is
        self._undone = False  # an undo was agreed on: the next picture shows it

    # ---- what the server says ----
    def take_room(self, new: RoomMessage) -> None:
        """The next room message; what has changed is remarked."""
        old, self.room = self.room, new
        self.commitment = self.commitment or (new.fair.commitment or "")
        for text in room_text.changes(old, new, self.names):
            self._remark(text)
        if room_text.is_decided(old, new) and new.outcome:
            self._undone = new.outcome.accepted and new.outcome.what == room_text.UNDO

    def take_picture(self, new: Picture) -> None:
        """The next picture; what was told before and no longer holds is taken back."""
        old = self.events
        self.events = [*old[: new.keep], *new.told]
        self.picture = new
        pairs = zip(old, self.events, strict=False)
        same = next((k for k, (a, b) in enumerate(pairs) if _what(a) != _what(b)), None)
        same = min(len(old), len(self.events)) if same is None else same
        if old[same:]:
            gone = " ".join(x.text for x in old[same:] if x.text)
            self.remarks = [(min(at, same), text) for at, text in self.remarks]
            self.remarks.append((same, f"Taken back: {gone}" if gone else room_text.TAKEN_BACK))
            self.seen = (min(self.seen[0], same), self.seen[1])
            while self.decided and self.decided[-1][0] >= same:  # what led to it is news again
                self.seen = min(self.seen, self.decided.pop()[1])
        elif self._undone and same == len(self.events):  # what is taken back had left no trace
            self._remark(room_text.TAKEN_BACK)
        self._undone = False

    def _remark(self, text: str) -> None:
        self.remarks.append((len(self.events), text))

    # ---- what the person knows ----
    def mark(self) -> None:
        """The person knows all that has been told so far."""
        self.seen = (len(self.events), len(self.remarks))

    def decide(self) -> None:
        """The person has made a choice; what they knew before is remembered."""
        self.decided.append((len(self.events), self.seen))
        self.mark()

    def refuse(self) -> None:
        """The choice was refused: what was news before it is news again."""
        if self.decided:  # else an undo has taken it off the list
            self.seen = self.decided.pop()[1]

    def news(self) -> list[str]:
        """What has happened in the match and around it since the person last decided."""
        said = list[str]()
        events, around = self.seen
        for k in range(events, len(self.events) + 1):
            said += [text for at, text in self.remarks[around:] if at == k or at < k == events]
            said += [x.text for x in self.events[k : k + 1] if x.text]
        return said

    # ---- what follows from it ----
    @property
    def plays(self) -> bool:
        """Whether this viewer is a player who has not given up, of a match that is not over."""
        you, end = self.room.you, self.room.end
        seat = None if you is None else self.room.seats[you]
        return seat is not None and seat.kind == "person" and not seat.resigned and end is None

    @property
    def is_asked(self) -> bool:
        """Whether a proposal waits for this viewer's answer."""
        proposal = self.room.proposal
        return self.plays and proposal is not None and self.room.you in proposal.waiting

    @property
    def may_propose(self) -> list[str]:
        """What this viewer can propose to the others."""
        undo = [room_text.UNDO] if self.picture.undo else []
        return [*self.room.may_propose, *undo] if self.plays else []

    @property
    def scene(self) -> Scene:
        """The scene, with choices only for a player who may still choose."""
        scene = self.picture.scene
        if self.plays or not scene.choices:
            return scene
        return replace(scene, choices=(), refusals=(), prompt=GAVE_UP)

    @property
    def names(self) -> list[str]:
        """What the seats are called."""
        plaques = {z.owner: z.label for z in self.picture.scene.zones if z.kind == "plaque"}
        return [x.name or plaques.get(x.seat, f"Seat {x.seat}") for x in self.room.seats]

    def name_of(self, seat: int) -> str:
        """What a seat is called."""
        return self.names[seat]

    def waiting(self) -> str:
        """What everybody waits for, in words."""
        counting = self.picture.until is not None
        return room_text.waiting(self.room, self.picture.scene.to_act, self.names, counting)


def _what(event: EventInfo) -> tuple[object, ...]:
    """What an event is, whatever the seats are called."""
    return event.turn, event.event, event.args
