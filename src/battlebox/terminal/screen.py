"""The one place that writes to a console and reads from a person."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from .draw import Pen

Ask = Callable[[str], str]  # shows a prompt, returns a line; EOFError: there will be no more
FORGET = "\x1b[2J\x1b[3J\x1b[H"  # clear the screen and what was scrolled off it
PATIENCE = 0.5  # seconds of silence before a person is told to wait


class Screen:
    """A console and a person, or a program, that answers.

    live: a person at a terminal: screens are cleared and redrawn, long texts paged, moves paced.
    Otherwise everything is written one after the other.
    """

    def __init__(
        self, console: Console | None = None, ask: Ask | None = None, *, live: bool | None = None
    ) -> None:
        self.console = console or Console(highlight=False)
        self._ask: Ask = ask or _input
        talking = ask is not None or (sys.stdin is not None and sys.stdin.isatty())
        self.live = (self.console.is_terminal and talking) if live is None else live

    def pen(self, *, below: int = 2, who: Sequence[str] = (), full: bool = False) -> Pen:
        """What there is to draw on, less `below` lines for what follows."""
        c = self.console
        plain = "utf" not in c.encoding.lower()
        height = c.height - below if self.live else None
        return Pen(max(50, min(c.width, 100)), height, full, plain, who)

    def put(self, lines: Iterable[Text | str]) -> None:
        """Writes lines as they are."""
        for x in lines:
            text = x if isinstance(x, Text) else self.pen().line(x)
            self.console.print(text, soft_wrap=True, highlight=False)

    def say(self, text: str, style: str = "") -> None:
        """Writes a sentence, wrapped."""
        self.put(self.pen().wrap(text, style=style))

    def clear(self) -> None:
        """An empty screen; where there is none, an empty line."""
        if self.live:
            self.console.clear()
        else:
            self.put([""])

    def forget(self) -> None:
        """An empty screen with nothing to scroll back to, and no line typed before to call up."""
        if "readline" in sys.modules:
            import readline

            readline.clear_history()
        if self.live:
            self.console.file.write(FORGET)
            self.console.file.flush()
        else:
            self.put([""])

    def ask(self, prompt: str) -> str:
        """A line from the person, without the blanks around it. EOFError: no more will come."""
        self.console.file.flush()
        return self._ask(prompt).strip()

    def drop_typed(self) -> None:
        """Forgets what was typed while nobody was asked."""
        if self.live and self._ask is _input:
            with contextlib.suppress(ImportError, OSError):
                import termios

                termios.tcflush(sys.stdin, termios.TCIFLUSH)

    def page(self, lines: Sequence[Text]) -> None:
        """A long text, a screen at a time."""
        if not self.live:
            self.put(lines)
            return
        room = max(5, self.console.height - 1)
        for first in range(0, len(lines), room):
            self.put(lines[first : first + room])
            left = len(lines) - first - room
            if left > 0 and self.ask(f"-- Enter: more ({left} lines), q: enough -- ") in ("q", "Q"):
                return
        self.ask("-- Enter: back -- ")

    def pause(self, seconds: float) -> None:
        """Lets a person read."""
        if self.live and seconds > 0:
            time.sleep(seconds)

    def wait_for(self, work: Callable[[], None], why: str) -> None:
        """Does the work; if that takes long, says so, and shows that it goes on."""
        failed = list[BaseException]()

        def run() -> None:
            try:
                work()
            except BaseException as e:
                failed.append(e)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            self._wait(thread, why)
        if failed:
            raise failed[0]

    def _wait(self, thread: threading.Thread, why: str) -> None:
        if not self.live:
            self.say(why)
            thread.join()
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn(why), BarColumn(20), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True) as progress:
            progress.add_task("", total=None)
            while thread.is_alive():
                thread.join(0.1)


def _input(prompt: str) -> str:
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - line editing, where there is any
    if sys.stdin is None:
        raise EOFError
    return input(prompt)
