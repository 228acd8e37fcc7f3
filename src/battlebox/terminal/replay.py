"""A saved match, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from ..core.match import Match
from ..core.scene import Scene
from ..text.draw import draw
from ..text.event_text import log_lines, told
from . import prompt_loop
from .local import LocalMatch
from .prompt_loop import Left, standings
from .screen import Ask, Screen

STEPS = {"": 1, "n": 1, "b": -1}
QUESTION = "{at} of {last}. Enter: next, b: back, a number: go there, l: log, ? help, q: leave > "
HELP = (
    "Enter    the next move; so does n",
    "b        back by one move",
    "a number go to that move; 0 is the beginning",
    *prompt_loop.HELP[1:],
    "q        leave",
)


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
        _ReplayedMatch(match, seat, screen, who).run()


def _print(match: Match, seat: int | None, screen: Screen, who: Sequence[str]) -> None:
    screen.put(log_lines(told(match, seat), screen.pen()))
    scene = match.scene(seat)
    screen.put(["", *draw(scene, screen.pen(who=who))])
    if match.over:
        screen.put(["", *standings(scene, match.returns, screen.pen(who=who))])


class _ReplayedMatch(LocalMatch):
    """Forth and back through a match."""

    def __init__(self, match: Match, seat: int | None, screen: Screen, who: Sequence[str]) -> None:
        super().__init__(match.fresh_copy(), who, screen)
        self.whole, self.seat = match, seat
        self.last, self.at = len(match.history), 0
        self.heard = 0  # how many events had been told before the last action

    def go(self, at: int) -> None:
        """To the moment after `at` actions."""
        at = max(0, min(at, self.last))
        if at < len(self.match.history):
            self.match, self.heard = self.whole.fresh_copy(), 0
        for by, word in self.whole.history[len(self.match.history) : at]:
            self.heard = len(self.match.events(self.seat))
            self.match.repeat(by, word)
        self.at = at

    def scene(self) -> Scene:
        """The scene at this moment; a number is a step here, so it has no choices."""
        return replace(self.match.scene(self.seat), choices=(), refusals=())

    def under(self) -> list[Text]:
        """The standings, at the end; notices."""
        over = self.match.over and self.at == self.last
        lines = standings(self.scene(), self.match.returns, self.screen.pen(who=self.who()))
        return [*(lines if over else []), *super().under()]

    def run(self) -> None:
        """Until the person has seen enough."""
        self.show(self.scene())
        while True:
            scene = self.scene()
            try:
                line = self.screen.ask(self.question(scene))
                if line.lower() in STEPS or line.isdecimal():
                    step = STEPS.get(line.lower())
                    self.go(int(line) if step is None else self.at + step)
                    self.show(self.scene())
                elif not self.obey(line, scene):
                    self.notice(f"{line!r}: type b, a number 0 to {self.last}, l, ? or q.", scene)
            except (EOFError, KeyboardInterrupt, Left):
                self.screen.put([""])
                return

    # ---- what the prompt loop asks for ----
    def help_lines(self) -> Sequence[str]:
        """What can be typed."""
        return HELP

    def question(self, scene: Scene) -> str:
        """The line a person types behind."""
        return QUESTION.format(at=self.at, last=self.last)

    def news(self, viewer: int | None) -> list[str]:
        """What the last action led to."""
        return [text for _, text in told(self.match, viewer, self.heard)]
