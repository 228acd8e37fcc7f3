"""The one place that writes to a console and reads from a person."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Self

from rich.console import Console
from rich.text import Text

from ..client.connection import Bell
from ..text.draw import Pen

Ask = Callable[[str], str]  # shows a prompt, returns a line; EOFError: there will be no more
FORGET = "\x1b[2J\x1b[3J\x1b[H"  # clear the screen and what was scrolled off it
PATIENCE = 0.5  # seconds of silence before a person is told to wait
ERASE = "\r\x1b[K"  # the line of the cursor
# ends a question; a system ignores it unless told otherwise, so one that comes late does no harm
RING = getattr(signal, "SIGURG", None)
TIMES, PAUSE = 100, 0.02  # how often it is rung, with how many seconds between


class Woken(Exception):
    """Something has happened that is more urgent than the question. `typed`: the line so far."""

    def __init__(self, typed: str = "") -> None:
        super().__init__(typed)
        self.typed = typed


class _Line:
    """What stands in the line editor; for `with`. It begins with `typed`.

    Where there is no line editor that can be asked (a pipe, libedit) what was typed is lost.
    """

    def __init__(self, typed: str, keyboard: bool) -> None:
        self.typed, self.begun, self.edited = typed, False, False
        if keyboard and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            with contextlib.suppress(ImportError):
                import readline

                self.edited = "libedit" not in (readline.__doc__ or "")

    def __enter__(self) -> Self:
        if self.edited:
            import readline

            readline.set_startup_hook(self.begin)
        return self

    def __exit__(self, *_: object) -> None:
        if self.edited:
            import readline

            readline.set_startup_hook(None)

    def begin(self) -> None:
        """Puts the text there; the line editor calls it."""
        import readline

        readline.insert_text(self.typed)
        self.begun = True  # before, the editor holds the line that was typed last

    def waits(self) -> bool:
        """Whether a key is waited for. False: the editor only begins, or has the whole line."""
        if not self.edited:
            return True
        import termios

        return self.begun and not termios.tcgetattr(sys.stdin)[3] & termios.ICANON

    def now(self) -> str:
        """The line so far."""
        if not self.begun:
            return self.typed
        import readline

        return readline.get_line_buffer()


class Wake(Bell):
    """With it another thread ends a question: `Screen.ask` then raises Woken.

    `rung` is what an `ask` of one's own may wait for, to raise Woken itself. Where there are no
    signals (Windows, or a question in another thread than the main one) a question lasts until it
    is answered.
    """

    def __init__(self) -> None:
        super().__init__()
        self._asking: int | None = None  # the thread that waits for a line
        self._line = _Line("", False)

    def ring(self) -> None:
        """Ends the question that is asked now, or else the next one."""
        self.rung.set()
        for _ in range(TIMES):
            asking = self._asking
            if asking is None or RING is None or not self.rung.is_set():
                return
            signal.pthread_kill(asking, RING)
            # one that comes just before the line editor waits for a key does not end its waiting
            time.sleep(PAUSE)

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Within it questions can be ended; around everything that asks."""
        if RING is None or threading.current_thread() is not threading.main_thread():
            yield
            return
        with _handling(RING, self._end), contextlib.ExitStack() as more:
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                more.enter_context(_handling(signal.SIGINT, self._interrupt))
            yield

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C, which would be lost while the line editor begins."""
        if not _is_swallowed(frame):
            raise KeyboardInterrupt
        main = threading.get_ident()
        threading.Timer(PAUSE, signal.pthread_kill, (main, number)).start()

    def _end(self, _number: int, frame: FrameType | None) -> None:
        if self._asking is None or _is_swallowed(frame):  # it rings again
            return
        if self.rung.is_set() and self._line.waits():
            self._asking = None
            raise Woken(self._line.now())

    def during(self, ask: Ask, prompt: str, line: _Line) -> str:
        """Asks, and stops asking when it rings. Errors: Woken."""
        self._line = line
        if threading.current_thread() is threading.main_thread():
            self._asking = threading.get_ident()
        try:
            if self.rung.is_set():
                raise Woken(line.now())
            return ask(prompt)
        except SystemError as e:
            # two signals at once, as with Ctrl-C: `input` runs the second handler when the first
            # has raised already, and Python takes that for a fault and hides what was raised
            first: BaseException | None = e
            while isinstance(first, SystemError):
                first = first.__cause__
            raise first or e from None
        finally:
            self._asking = None


@contextlib.contextmanager
def _handling(
    number: signal.Signals, handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Within it a signal has this handler."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def _is_swallowed(frame: FrameType | None) -> bool:
    """Whether the line editor, which begins, would swallow what is raised here."""
    while frame is not None:
        if frame.f_code is _Line.begin.__code__:
            return True
        frame = frame.f_back
    return False


def _unknown() -> tuple[int, int]:
    """How much of it is done cannot be told."""
    return 0, 0


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

    def ask(self, prompt: str, wake: Wake | None = None, typed: str = "") -> str:
        """A line from the person, without the blanks around it. EOFError: no more will come.

        With `wake` it may end before it is answered, by Woken; the line it stood on is empty then.
        typed: what stands there already, to be typed on.
        """
        self.console.file.flush()
        if wake is None:
            return self._ask(prompt).strip()
        try:
            with _Line(typed, self._ask is _input) as line:
                return wake.during(self._ask, prompt, line).strip()
        except Woken:
            if self.live:
                self.console.file.write(ERASE)
                self.console.file.flush()
            raise

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

    def wait_for(
        self, work: Callable[[], None], why: str, so_far: Callable[[], tuple[int, int]] = _unknown
    ) -> None:
        """Does the work; if that takes long, says so, and shows that it goes on.

        so_far: how much is done, of how much; (0, 0): that is not known.
        """
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
            self._wait(thread, why, so_far)
        if failed:
            raise failed[0]

    def _wait(
        self, thread: threading.Thread, why: str, so_far: Callable[[], tuple[int, int]]
    ) -> None:
        if not self.live:
            self.say(why)
            thread.join()
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn(why), BarColumn(20), TimeElapsedColumn())
        with Progress(*columns, console=self.console, transient=True) as progress:
            task = progress.add_task("", total=None)
            while thread.is_alive():
                thread.join(0.1)
                done, all = so_far()
                progress.update(task, completed=done, total=all or None)


def _input(prompt: str) -> str:
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - line editing, where there is any
    if sys.stdin is None:
        raise EOFError
    return input(prompt)
