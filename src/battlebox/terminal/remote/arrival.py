"""Coming to a match: the first look, and a seat for those who are invited."""

from __future__ import annotations

import getpass
import time
import uuid

from ...core.errors import BattleboxError
from ...protocol.messages import RoomMessage
from ..screen import Screen
from . import link, seat_tokens
from .client import STILL, RemoteClient
from .connection import Connection, Failed, Picture
from .link import Link
from .state import RemoteState

PATIENCE = 20.0  # seconds for the first picture
LONGEST = 100  # letters of a name as it is sent; what is longer would be no message


def arrive(connection: Connection) -> RemoteState:
    """Waits for the first look at the match. Errors: BattleboxError."""
    room: RoomMessage | None = None
    pictures: list[Picture] = []
    end = time.monotonic() + PATIENCE
    while room is None or not pictures:
        match connection.next(STILL):
            case RoomMessage() as room:
                pass
            case Picture() as picture:
                pictures.append(picture)
            case Failed(error):
                raise error
        if time.monotonic() > end:
            raise BattleboxError(f"{connection.link.base} does not show the match: try again later")
    state = RemoteState(room, pictures[0])
    for picture in pictures[1:]:
        state.take_picture(picture)
    return state


def take_seat(client: RemoteClient, seat: int, screen: Screen, name: str | None) -> Link:
    """Takes the seat we are invited to; the seat's own link.

    name: None: a person is asked for it. Errors: BattleboxError says why the seat is not given.
    """
    room = client.state.room
    ask = name is None and screen.live
    if ask:
        others = [f"{x.name}{f' ({x.level})' * (x.kind == 'bot')}" for x in room.seats]
        screen.say(f"{room.title}, with {' and '.join(filter(None, others))}.")
    while True:
        chosen = name or login()
        if ask:
            question = f"{client.state.name_of(seat)} is free. Your name [{login()}] > "
            chosen = screen.ask(question) or chosen
        # the key shows that a repetition is ours
        reply = client.ask("take_seat", name=as_sent(chosen), key=uuid.uuid4().hex)
        if reply.token:
            own = client.link.sit(reply.token)
            seat_tokens.remember(client.link, own)
            return link.read(str(own))
        why = reply.refused or "the server did not give you the seat"
        if not ask or reply.code == "taken":
            raise BattleboxError(why)
        screen.say(why)


def as_sent(name: str) -> str:
    """A name as a message can hold it; the server checks it."""
    return name[:LONGEST].encode(errors="replace").decode() or " "


def login() -> str:
    """The login name, as a name to play under."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # nobody here has a name
        return "Guest"
