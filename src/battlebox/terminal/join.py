"""A match on a server, joined by its link: on a seat of it, or to watch.

The scenes, the choices and their words come from the server; no game is needed here. What is typed
is what `battlebox play` understands, and what only people among themselves need: a draw, giving up.
"""

from __future__ import annotations

import shlex

from rich.console import Console

from ..client import link
from ..client.client import RemoteClient, arrive
from ..client.connection import Connection
from ..client.link import Link
from ..protocol.messages import EndInfo
from .prompt_loop import Left
from .remote import seat_tokens
from .remote.arrival import take_seat
from .remote.end import after, finish
from .remote.match import RemoteMatch
from .screen import Ask, Screen, Wake

JOIN = "battlebox join {link}"


def join(
    url: str,
    name: str | None = None,
    *,
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
    wake: Wake | None = None,
) -> EndInfo | None:
    """Joins the match of a link until it is over, and those after it; how the last one ended.

    None: it was left before. name: for the seat, if the link has one; None: a person is asked,
    anybody else is called by the login name. wake: rings when there is news; an `ask` of one's own
    may then raise Woken.
    Errors: BattleboxError says why the link leads to no match, or to none that can be joined.
    """
    screen, wake = Screen(console, ask, live=live), wake or Wake()
    next_one: Link | None = seat_tokens.own(link.read(url))
    end = None
    with wake.listening():
        while next_one is not None:
            next_one, end = _join(next_one, screen, wake, name)
            name = None
    return end


def _join(
    link: Link, screen: Screen, wake: Wake, name: str | None
) -> tuple[Link | None, EndInfo | None]:
    """One match: the link of the next one, if the person wants one, and how this one ended.

    An invitation leads to the link of the seat that was taken by it.
    """
    link.check()
    client: RemoteClient | None = None
    with Connection(link, wake) as connection:
        try:
            state = arrive(connection)
            if (seat := state.room.invited) is not None:
                client = RemoteClient(connection, state, screen.say)
                return take_seat(client, seat, screen, name), None
            match = RemoteMatch(connection, state, screen, wake)
            client = match.client
            match.greet(name)
            end = match.run()
            finish(match, end)
            return after(match), end
        except (Left, EOFError, KeyboardInterrupt):
            screen.put([""])
            end_known = client.state.room.end if client else None
            if end_known is None:
                _say_goodbye(screen, link, client)
            return None, end_known


def _say_goodbye(screen: Screen, link: Link, client: RemoteClient | None) -> None:
    """The person leaves before the end: how to come back."""
    if client and client.sent:
        screen.say("What you did last may not have reached the server.")
    plays = client is not None and client.state.room.you is not None
    left = "You left. The match goes on here, and your seat is kept." if plays else "You left."
    screen.say(f"{left} To come back:")
    screen.put([f"  {JOIN.format(link=shlex.quote(str(link)))}"])
