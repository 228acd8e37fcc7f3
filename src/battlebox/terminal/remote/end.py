"""The end of a match on a server, and what a person can do then."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from ...client.client import STILL
from ...client.link import Link, clean
from ...core.errors import BattleboxError
from ...protocol.messages import EndInfo
from ...text.draw import draw
from ..files import SUFFIX, short
from ..prompt_loop import standings
from ..review import show_review
from ..screen import Woken
from ..seats import HUMAN
from .match import RemoteMatch

AGAIN = "a: again, r: review, s FILE: save, l: log, q: leave > "


def finish(match: RemoteMatch, end: EndInfo) -> None:
    """The last screen: what happened last, who won, seat by seat, and how to see it again."""
    until = time.monotonic() + STILL
    while end.reason == "rules" and not match.state.picture.scene.over and time.monotonic() < until:
        match.client.take_in(STILL)  # the last picture comes after the word of the end
    scene = replace(match.state.picture.scene, choices=(), refusals=())
    if not scene.over:
        scene = replace(scene, prompt=end.text)
    lines = standings(scene, end.returns, match.pen())
    lines += [Text(""), match.pen().line(f"To see it again: {match.link.replay}")]
    match.screen.clear()
    pen = match.pen(below=4 + len(lines))
    match.screen.put(draw(scene, pen, match.news(scene.viewer)))
    match.screen.put(["", *lines])


def after(match: RemoteMatch) -> Link | None:
    """What a player wants after the end; the link of the next match, if they want one."""
    you, screen = match.state.room.you, match.screen
    if you is None or not screen.live:
        return None
    told = None
    while True:
        if match.state.room.rematch != told:
            told = match.state.room.rematch
            screen.say("The next match is ready: type a to join it.")
        try:
            line = screen.ask(AGAIN, match.wake)
        except Woken:
            match.client.take_in()
            continue
        word, _, rest = line.partition(" ")
        try:
            match word.lower():
                case "a" | "again":
                    return match.link.rematch()
                case "s" | "save":
                    _save(match, rest.strip())
                case "r" | "review":
                    _review(match, you)
                case "l" | "log":
                    match.show_log(you)
                case "q" | "quit" | "exit" | "n" | "no":
                    return None
                case _:
                    screen.say(f"{line!r}: type a, r, s, l or q.")
        except BattleboxError as e:
            screen.say(str(e))


def _review(remote: RemoteMatch, you: int) -> None:
    """Luck and skill, found out here: which takes the game, at the version it was played by."""
    from ... import replay as read

    match = read("\n".join(clean(remote.link.record().split("\n"))))
    match.names = tuple(remote.state.names)
    who = [HUMAN if p == you else x for p, x in enumerate(remote.who())]
    show_review(remote.screen, match, who)


def _save(match: RemoteMatch, name: str) -> None:
    """Writes the record of the match to a file, and says what it is good for."""
    screen = match.screen
    path = Path(name or f"{match.state.room.game}-{match.link.match}{SUFFIX}").expanduser()
    text = match.link.record()
    try:
        with path.open("x", encoding="utf-8") as f:
            f.write(text)
    except FileExistsError:
        screen.say(f"Not saved: {path} already exists. Name another file: s FILE")
        return
    except OSError as e:
        screen.say(f"Not saved: {path}: {e.strerror}")
        return
    screen.put([f"Saved. battlebox replay {short(path)}"])
    if match.state.commitment:
        verify = f"battlebox verify {short(path)} --commitment {match.state.commitment}"
        screen.put([f"       {verify}"])
