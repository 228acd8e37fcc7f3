"""The lessons of a game, taken at this terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from ..core.errors import BattleboxError
from ..core.game import Game
from ..core.lesson import NEXT, Lesson, LessonRun, pointed
from ..core.scene import Scene
from ..text.event_text import told
from . import prompt_loop
from .local import LocalMatch
from .prompt_loop import Left
from .screen import Ask, Screen

HELP = (
    "Enter    go on, where there is nothing to decide",
    "again    this lesson from its beginning",
    "skip     the next lesson",
    *prompt_loop.HELP,
    "q        leave",
)
GO_ON = "Enter: go on (? help) > "
DONE = "Enter: {next}, again: once more, q: leave > "


def learn(
    game: Game,
    lessons: Sequence[Lesson],
    *,
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
) -> None:
    """Takes these lessons of a game, one after the other, until the person leaves."""
    screen, at = Screen(console, ask, live=live), 0
    try:
        while at < len(lessons):
            taught = _TaughtMatch(game, lessons[at], screen)
            more = at + 1 < len(lessons)
            if taught.wants_on(f"next: {lessons[at + 1].title}" if more else "the end"):
                at += 1
    except (EOFError, KeyboardInterrupt, Left):
        screen.put([""])


class _Leave(Exception):
    """The lesson is left. on: for the next one."""

    def __init__(self, on: bool) -> None:
        super().__init__()
        self.on = on


class _TaughtMatch(LocalMatch):
    """One lesson."""

    def __init__(self, game: Game, lesson: Lesson, screen: Screen) -> None:
        self.lesson, self.run = lesson, LessonRun(game, lesson)
        super().__init__(self.run.table, (), screen)
        self.heard = 0  # how many events had been told before the last stop

    def wants_on(self, next: str) -> bool:
        """Takes the lesson; whether the person wants to go on and not to take it again."""
        try:
            while not self.run.stop.is_end:
                self.show(scene := self.scene())
                self.answer(scene)
            self.show(scene := self.scene())
            while True:
                line = self.screen.ask(DONE.format(next=next))
                if not line:
                    return True
                if not self.obey(line, scene):
                    self.notice(f"{line!r}: press Enter, or type again or q.", scene)
        except _Leave as e:
            return e.on

    def answer(self, scene: Scene) -> None:
        """Asks until the lesson goes on."""
        while True:
            line, said = self.screen.ask(self.question(scene)), ""
            if self.run.stop.wanted is None:
                if not line:
                    word: str | None = NEXT
                elif self.obey(line, scene):
                    continue
                else:
                    word, said = None, f"{line!r}: press Enter to go on, or type ? for help."
            else:
                action = self.understand(line, scene)
                if action is None:
                    continue
                word = self.match.word(action)
            heard = len(self.match.events(self.run.seat))
            if word is not None:
                try:
                    said = self.run.choose(word)
                except BattleboxError as e:
                    said = str(e)
            if not said:
                is_same = self.match is self.run.table
                self.match, self.heard = self.run.table, heard if is_same else 0
                return
            self.notice(said, scene)

    def scene(self) -> Scene:
        """What the learner sees; nothing can be chosen where there is nothing to decide."""
        scene = self.match.scene(self.run.seat)
        asks = self.run.stop.wanted is not None
        return scene if asks else replace(scene, choices=(), refusals=())

    # ---- what the prompt loop asks for ----
    def question(self, scene: Scene) -> str:
        """The line a person types behind."""
        return GO_ON if self.run.stop.wanted is None else super().question(scene)

    def under(self) -> list[Text]:
        """What the coach says and points at; notices."""
        pen, stop = self.pen(), self.run.stop
        lines = [pen.line(f" {self.lesson.title}", "bold")]
        lines += [x for text in stop.says for x in pen.wrap(text, " > ")]
        if names := self._pointed():
            lines += pen.wrap(f"Look at: {', '.join(names)}", " > ")
        return [*lines, *super().under()]

    def _pointed(self) -> list[str]:
        """What is pointed at, by name."""
        scene = self.match.scene(self.run.seat)
        found = pointed(scene, self.run.stop.points)
        pieces = (p for z in scene.zones for p in z.pieces if p.id in found.pieces)
        names = [z.label for z in scene.zones if z.id in found.zones]
        names += [p.name or p.label for p in pieces]
        return [*names, *(c.label for c in scene.choices if c.action in found.actions)]

    def help_lines(self) -> Sequence[str]:
        """What can be typed."""
        return HELP

    def news(self, viewer: int | None) -> list[str]:
        """What happened since the last stop."""
        return [text for _, text in told(self.match, viewer, self.heard)]

    def commands(self) -> dict[str, prompt_loop.Command]:
        """As everywhere, and to take the lesson again or skip it."""
        return {**super().commands(), "again": self._again, "a": self._again, "skip": self._skip}

    def _again(self, rest: str, scene: Scene) -> None:
        raise _Leave(on=False)

    def _skip(self, rest: str, scene: Scene) -> None:
        raise _Leave(on=True)
