"""Coming to a match: a seat for those who are invited."""

from __future__ import annotations

import getpass
import uuid

from ...client import link
from ...client.client import RemoteClient
from ...client.link import Link
from ...core.errors import BattleboxError
from ..screen import Screen
from . import seat_tokens

LONGEST = 100  # letters of a name as it is sent; what is longer would be no message


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
