"""A kept match, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ..core.match import Match
from .desk import standings
from .draw import draw
from .screen import Ask, Screen
from .told import told


def replay(
    match: Match,
    seat: int | None = None,
    *,
    all: bool = False,
    who: Sequence[str] = (),
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
) -> None:
    """Shows a match (from `battlebox.replay`) as a seat saw it; None: as a spectator would.

    all: prints every move at once, as happens too where nobody can answer.
    """
    screen = Screen(console, ask, live=live)
    if all or not (screen.live or ask is not None):
        _print(match, seat, screen, who)
    else:
        _Steps(match, seat, screen, who).run()


def _print(match: Match, seat: int | None, screen: Screen, who: Sequence[str]) -> None:
    for turn, text in told(match, seat).items():
        screen.put(screen.pen().wrap(text, f"{turn + 1:>4}  "))
    scene = match.scene(seat)
    screen.put(["", *draw(scene, screen.pen(who=who))])
    if match.over:
        screen.put(["", *standings(scene, match.returns, screen.pen(who=who))])


class _Steps:
    """Forth and back through a match."""

    def __init__(self, match: Match, seat: int | None, screen: Screen, who: Sequence[str]) -> None:
        self.whole, self.seat, self.screen, self.who = match, seat, screen, who
        self.last = len(match.history)
        self.now, self.at = match.afresh(), 0
        self.heard = 0  # how many events had been told before the last action

    def go(self, at: int) -> None:
        """To the moment after `at` actions."""
        at = max(0, min(at, self.last))
        if at < len(self.now.history):
            self.now, self.heard = self.whole.afresh(), 0
        for by, word in self.whole.history[len(self.now.history) : at]:
            self.heard = len(self.now.events(self.seat))
            self.now.repeat(by, word)
        self.at = at

    def show(self) -> None:
        scene = self.now.scene(self.seat)
        news = list(told(self.now, self.seat, self.heard).values())
        over = scene.over and self.at == self.last
        self.screen.clear()
        lines = standings(scene, self.now.returns, self.screen.pen(who=self.who)) if over else []
        pen = self.screen.pen(who=self.who, below=3 + len(lines))
        self.screen.put([*draw(scene, pen, news), *lines])

    def run(self) -> None:
        self.show()
        while True:
            where = f"{self.at} of {self.last}"
            try:
                line = self.screen.ask(f"{where}. Enter: next, b: back, a number: go there, q > ")
            except (EOFError, KeyboardInterrupt):
                self.screen.put([""])
                return
            if line in ("q", "quit"):
                return
            if line in ("", "n", "b") or line.isdecimal():
                step = {"": 1, "n": 1, "b": -1}
                self.go(self.at + step[line] if line in step else int(line))
                self.show()
            else:
                self.screen.say(f"{line!r}: Enter, b, a number 0 to {self.last}, or q.")
