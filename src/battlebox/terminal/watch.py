"""Bots play each other, and somebody watches."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence

from rich.console import Console

from ..core.errors import RulesetError
from ..core.game import Ruleset
from ..core.match import Match
from ..core.scene import Scene
from ..text.draw import draw
from ..text.event_text import told
from . import prompt_loop
from .local import LocalMatch
from .prompt_loop import Command, Left, standings
from .screen import Ask, Screen, Wake, Woken
from .seats import HUMAN, MakeBot, Player, Program, let_choose, make_bot, seat_programs

KEPT = 8  # sentences on a screen that is redrawn
RUNNING = "Enter: next, p: pause, l: log, ? help, q: leave > "
PAUSED = "Paused. Enter: next, p: go on, l: log, ? help, q: leave > "
HELP = (
    "Enter    the next move, at once",
    "p        pause; p again to go on",
    *prompt_loop.HELP[1:],
    "q        leave",
)


def watch(
    rules: Ruleset,
    seats: Sequence[Player],
    seed: int | None = None,
    *,
    pace: float = 1.0,
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
    bots: MakeBot = make_bot,
) -> Match:
    """Plays matches without people and tells them; returns the last.

    pace: seconds a move; the screen is redrawn after each, at a real terminal, where the person can
    pause, go on and look around. 0: the log at once. ask: as of `play`; it raises Woken where the
    next move is due.
    Errors: RulesetError for wrong seats.
    """
    if HUMAN in seats:
        raise RulesetError(
            "only bots play in `battlebox watch`: use `battlebox play` to play yourself"
        )
    screen = Screen(console, ask, live=live)
    watched = WatchedMatch(rules.match(seed), seats, screen, pace, bots)
    with watched.wake.listening():
        try:
            while True:
                watched.run()
                if not watched.drawn or not watched.wants_another(None):
                    return watched.match
                watched = WatchedMatch(rules.match(), seats, screen, pace, bots)
        except (Left, EOFError, KeyboardInterrupt):
            screen.say("Stopped.")
            return watched.match


class WatchedMatch(LocalMatch):
    """One match of bots."""

    def __init__(
        self, match: Match, seats: Sequence[Player], screen: Screen, pace: float, bots: MakeBot
    ) -> None:
        super().__init__(match, seats, screen)
        self.pace, self.drawn = pace, screen.live and pace > 0
        self.programs: list[Program | None] = seat_programs(
            match.rules, seats, match.seed, screen, bots
        )
        self.wake, self.paused = Wake(), False

    def run(self) -> None:
        """From the first move to the last."""
        heard = 0
        while True:
            events = len(self.match.events(None))
            fresh = [text for _, text in told(self.match, None, heard)]
            heard = events
            if fresh and not self.drawn:
                for text in fresh:
                    self.screen.say(text)
            elif fresh and not self.match.over:
                self.show(self.match.scene(None))
                self.wait()
            if (seat := self.match.to_act) is None:
                break
            program = self.programs[seat]
            assert program is not None, "no people here"
            let_choose(self.match, seat, program)
        self.finish()

    def finish(self) -> None:
        """The end: what happened last, who won."""
        scene = self.match.scene(None)
        lines = standings(scene, self.match.returns, self.pen())
        self.screen.clear()
        news = self.news(None) if self.drawn else []
        self.screen.put(draw(scene, self.pen(below=2 + len(lines)), news))
        self.screen.put(["", *lines])

    def wait(self) -> None:
        """Until the next move is due, or wanted; does what is typed meanwhile."""
        scene, typed = self.match.scene(None), ""
        while True:
            try:
                with self._due():
                    line = self.screen.ask(self.question(scene), self.wake, typed)
            except Woken as e:
                if not self.paused:
                    return
                typed = e.typed
                continue
            typed = ""
            if not line:
                return
            if not self.obey(line, scene):
                self.notice(f"{line!r} means nothing here: type ? to see what you can type.", scene)
            elif line.lower() in ("p", "pause") and not self.paused:
                return

    @contextlib.contextmanager
    def _due(self) -> Iterator[None]:
        """Within it the question ends when the next move is due, unless it is paused."""
        self.wake.rung.clear()
        timer = threading.Timer(self.pace, self.wake.ring)
        if not self.paused:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self.wake.rung.clear()

    # ---- what the prompt loop asks for ----
    def help_lines(self) -> Sequence[str]:
        """What can be typed."""
        return HELP

    def question(self, scene: Scene) -> str:
        """The line a person types behind."""
        return PAUSED if self.paused else RUNNING

    def news(self, viewer: int | None) -> list[str]:
        """What happened last."""
        return [text for _, text in self.told(viewer)][-KEPT:]

    def commands(self) -> dict[str, Command]:
        """What can be typed."""
        return super().commands() | {"p": self.pause, "pause": self.pause}

    def pause(self, rest: str, scene: Scene) -> None:
        """`p`: stops, or goes on."""
        self.paused = not self.paused
