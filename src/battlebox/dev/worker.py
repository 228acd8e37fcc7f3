"""The process that runs one version of a game: it loads the folder, and answers what is asked.

Each version has a process of its own, so that nothing of the version before is left in it, and so
that rules which never come to an end can be stopped.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from itertools import groupby
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from ..core.errors import BattleboxError, in_a_sentence
from ..core.game import Game
from ..core.laws import CURES, SHOWS, TELLS
from ..core.processes import end_with_parent
from ..core.so_far import Leak, so_far
from ..games import is_path, open_game
from ..testing import Check, Effort, Failure, checks_of
from ..testing.matches import AGAIN
from .faults import fault_of
from .lines import BOTS, Lines, simulations, stuck_at
from .messages import (
    Act,
    Bots,
    CheckFailure,
    Checks,
    DraftRequest,
    Fault,
    GameInfo,
    Line,
    Look,
    OptionInfo,
    SaveRequest,
)
from .positions import Positions
from .scenarios import Scenarios
from .soundness import explained

EFFORT = Effort()  # that of `battlebox check`
LOADING = 20.0  # seconds that a game may take to load, at least
CHECKING = 120.0  # and one of its checks
#: where in which match a law was broken, as it says at first
PLACE = re.compile(r"^<[^>]*>: (?:seed \d+, decision \d+ \(\w+\)(?:, in [^:]*)?: )?")
AT = re.compile(r": seed \d+, decision \d+$")  # and as a check in bulk says it


class Load(NamedTuple):
    """Which game to load: its word on the command line, and where it is."""

    word: str
    folder: Path


class Refused(BaseModel):
    """Something that was asked cannot be done; the game is all right."""

    message: str


class Worker:
    """A version of a game. Errors of its methods: whatever the game's code raises."""

    def __init__(self, load: Load) -> None:
        self.folder = load.folder
        self.game: Game = open_game(load.word)
        self.lines = Lines(self.game, self.folder)
        self.positions = Positions(self.lines, self.folder)
        self.scenarios = Scenarios(self.lines, saves=is_path(load.word))
        self.word = load.word

    def about(self) -> GameInfo:
        """What the page needs to know of the game."""
        game = self.game
        return GameInfo(
            name=game.name,
            title=game.title,
            folder=self.folder.name,
            options=[
                OptionInfo(
                    name=name,
                    title=x.title or name,
                    about=x.description or "",
                    default=str(x.default),
                )
                for name, x in game.options.model_fields.items()
            ],
            usual=game.ruleset(game.human_defaults).options_text,
            levels=[*BOTS],
            simulations=[simulations(game, x) for x in BOTS],
            saves=self.scenarios.saves,
        )

    def answer(self, request: BaseModel) -> BaseModel:
        """The answer to a request; Refused says what is wrong with it, Fault what with the game."""
        does: dict[type[BaseModel], Callable[[Any], BaseModel]] = {
            Look: self.positions.look,
            Bots: self.lines.go_on,
            DraftRequest: self.scenarios.draft,
            SaveRequest: self.scenarios.save,
        }
        try:
            return does[type(request)](request)
        except BattleboxError as e:
            if _is_of_the_game(e, self.folder):
                return fault_of(e, self.folder)
            return Refused(message=in_a_sentence(e))
        except Exception as e:
            return fault_of(e, self.folder)

    def checks(
        self, before_each: Callable[[], None] = lambda: None, effort: Effort = EFFORT
    ) -> Iterator[Checks]:
        """Runs all checks of the game; gives how far they have come, before each and in the end."""
        found = checks_of(self.game, effort)
        said = Checks(state="running", of=len(found))
        for group, members in groupby(found, lambda x: x.group):
            count, failed = 0, False
            for one in members:
                said.now = group.title
                yield said
                before_each()
                said.done += 1
                if failed and group.is_played:  # for the same reason
                    continue
                try:
                    count += one()
                except Failure as e:
                    failed = True
                    said.failures.append(self._failure(one, e))
            if not failed:
                said.passed.append(f"{group.title}{group.counted(count)}")
        said.state, said.now = "done", ""
        yield said

    def _failure(self, check: Check, failure: Failure) -> CheckFailure:
        line, found, fault = None, so_far(failure), fault_of(failure, self.folder)
        marked: list[str] = []
        if found is not None:  # where it was need not be said: one opens it
            line = Line(
                options=found.rules.options_text,
                seed=found.seed,
                position=found.position,
                chance=None if found.outcomes is None else [*found.outcomes],
                acts=[Act(seat=seat, word=word) for seat, word in found.history],
            )
            fault.what = PLACE.sub("", fault.what)
            for cure in (TELLS, SHOWS, *CURES.values()):
                if fault.what.endswith(f" {cure}"):
                    fault.what = fault.what.removesuffix(f" {cure}").rstrip(".")
                    fault.hint = f"{cure}\n{fault.hint}"
            fault.what = AT.sub("", fault.what)
            fault.hint = "\n".join(x for x in fault.hint.split("\n") if not x.startswith(AGAIN))
            with contextlib.suppress(Exception):  # of rules that are broken: it opens as it is
                if found.leak is not None:
                    line, marked = self._telling(line, found.leak)
                else:
                    fault = self._explained(fault, line, failure.__cause__)
        return CheckFailure(group=check.group.title, fault=fault, line=line, marked=marked)

    def _explained(self, fault: Fault, line: Line, cause: BaseException | None) -> Fault:
        """A fault with what the match itself says of its end, if it was no check that said it."""
        m, cut = self.lines.play(line)
        if cut is None and (stuck := stuck_at(m)):
            return stuck
        if cause is None or isinstance(cause, BattleboxError | AssertionError):
            return fault
        if cut is None:
            return explained(fault, m, self.folder)
        fault.what = cut.fault.what
        return fault if fault.where else cut.fault

    def _telling(self, line: Line, leak: Leak) -> tuple[Line, list[str]]:
        """A line with the action that tells somebody what they may not know, and its events. The
        law found it in a truth that looks the same to them: where the action is not legal in that
        of the line, another one that tells the like.
        """
        m, _ = self.lines.play(line)
        seat, words = m.to_act, m.legal_words()
        first = [m.word(x) for x in leak.actions if x in m.legal_actions]
        for word in dict.fromkeys([*first, *words]):
            acts = [*line.acts, Act(seat=seat, word=word)]
            longer = line.model_copy(update={"acts": acts})
            m, cut = self.lines.play(longer)
            if cut is None and {x.event.name for x, _ in m.trace} & {*leak.events}:
                return longer, [*leak.events]
        return line, []


def _is_of_the_game(error: BaseException, folder: Path) -> bool:
    """Whether code of the game raised it, or something that it called."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and Path(frames[-1].filename).is_relative_to(folder)


# ---- as a process --------------------------------------------------------------------------------
def run(connection: Connection, log: str, patience: float) -> None:
    """Waits for a game to load, then answers requests until the connection ends.

    log: a file into which it writes where it is when an answer has taken longer than `patience`
    seconds, loading longer than LOADING or a check than CHECKING; it ends then.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    end_with_parent()
    watch = Watch(Path(log))
    with contextlib.suppress(EOFError, OSError):
        load: Load = connection.recv()
        watch.begin(max(patience, LOADING))
        try:
            worker = Worker(load)
            connection.send(worker.about())
        except (Exception, SystemExit) as e:  # whatever somebody's code raises
            connection.send(fault_of(e, load.folder))
            return
        watch.end()
        while True:
            request = connection.recv()
            watch.begin(patience)
            if isinstance(request, Checks):
                for said in worker.checks(lambda: watch.begin(max(patience, CHECKING))):
                    connection.send(said)
            else:
                connection.send(worker.answer(request))
            watch.end()


class Watch:
    """Ends this process when something takes too long, and writes down where it was.

    A thread of Python, and not faulthandler's: that one looks at frames while they change, and may
    crash at it.
    """

    def __init__(self, log: Path) -> None:
        self.log, self.watched = log, threading.get_ident()
        self.timer: threading.Timer | None = None

    def begin(self, seconds: float) -> None:
        """From now on there are so many seconds."""
        self.end()
        self.timer = threading.Timer(seconds, self.too_long)
        self.timer.daemon = True
        self.timer.start()

    def end(self) -> None:
        """It did not take too long."""
        if self.timer:
            self.timer.cancel()

    def too_long(self) -> None:
        """The end: a line for each function that is under way, outermost first."""
        stack = traceback.extract_stack(sys._current_frames()[self.watched])
        self.log.write_text("".join(f"{x.filename}:{x.lineno}\n" for x in stack), encoding="utf-8")
        os._exit(1)


def where_it_was(log: Path, folder: Path) -> Fault:
    """What to say of a process that ended because an answer took too long (`Watch`), or crashed."""
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    own = [x for x in text.splitlines() if Path(x.rpartition(":")[0]).is_relative_to(folder)]
    if not text:
        return Fault(what="The process that ran the game has ended.", hint="Save a file to go on.")
    said = "The game has not come to an end in time"
    hint = "Look for a loop that never ends, here or in what calls it."
    return fault_of(Failure(said, own[-1] if own else "", hint), folder)
