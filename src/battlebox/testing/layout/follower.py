"""Matches that are played at random, and a page that follows one and looks at how things lie."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from unittest import mock

from ...core.errors import RulesetError
from ...core.game import Game, Ruleset, parse_options
from ...core.match import Match
from ...games import find
from ...protocol.commands import Act
from ...server.session import PERSON, MatchPlan, SeatPlan
from ...server.views import ViewKey
from ..failure import Failure
from ..ways import axes
from .faults import AT_REST, Fault, faint, faults_of, size_of
from .serving import PATIENCE, InLoop

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, WebSocket

SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NAMES = (
    *("Wilhelmina Montgomerywood", "Bo", "Maximilian Featherstone", "Ann-Kathrin Großmann"),
    *("Christopher-Alexander", "Zoë", "WWWWWWWWWWWWWWWWWWWWWWWW", "Sir Bartholomew Grimwald"),
    *("Jo", "Anastasia Papadopoulou"),
)
ASKING = ".asking[aria-keyshortcuts=h]:not([aria-disabled])"
BEHIND = "#choices button:has-text('Skip ahead'), .cue:has-text('Step by step')"
TABLE = ".tray .scene, .tray .has-board, .is-end .end"
READ = "dialog.standings button.is-main"
WATCHED = 5  # actions before a look that the page follows one by one
PAUSE = 10  # milliseconds, in which the page works


@dataclass(frozen=True)
class Course:
    """A match that is played at random, and looked at from one of its seats; every third one as
    a spectator sees it.
    """

    game: str
    mode: str
    players: int
    seed: int
    given: tuple[str, ...] = ()  # options

    def __str__(self) -> str:
        said = [self.game, self.mode, *self.given, f"{self.players} players", f"seed {self.seed}"]
        return ", ".join(filter(None, said))

    @property
    def rules(self) -> Ruleset:
        """By which it is played."""
        game = find(self.game)
        if self.given:
            return game.ruleset(parse_options(game, self.given), strings=True)
        mode = next((x.options for x in game.modes if x.name == self.mode), {})
        return game.ruleset({**mode, "players": self.players})


def courses_of(
    game: Game, seed: int, players: Sequence[int] = (), given: tuple[str, ...] = ()
) -> list[Course]:
    """Every mode, with so many players; the fewest and the most if that is not said. given: the
    only options that are looked at.
    """
    if given:
        rules = game.ruleset(parse_options(game, given), strings=True)
        return [Course(game.name, "", rules.players, seed, given)]
    numbers, found = axes(game)["players"], list[Course]()
    for mode in [x.name for x in game.modes] or [""]:
        for n in players or sorted({numbers[0], numbers[-1]}):
            with suppress(RulesetError):
                course = Course(game.name, mode, n, seed)
                course.rules  # noqa: B018 - the game may not be for so many
                found.append(course)
    return found


class Follower:
    """A page that follows a course, and looks at the positions it is told to."""

    def __init__(self, page: Page, server: InLoop, course: Course) -> None:
        self.page, self.server, self.course = page, server, course
        self.took = 0  # actions
        self.dice = random.Random(repr(course))
        self.newest = -1  # the number of the picture that came last
        self.errors = list[str]()
        rules = course.rules
        plan = MatchPlan(
            game=rules.game.name,
            version=rules.game.version,
            options=rules.options_text,
            mode=course.mode,
            seats=tuple(SeatPlan(kind=PERSON, name=NAMES[p]) for p in range(course.players)),
            host=0,
            seed=course.seed,
        )
        self.room = server.do(server.rooms.make(plan))
        self.seat = self.dice.randrange(course.players) if course.seed % 3 else None
        self.url = f"{server.url}/match/{self.room.setup.id}"
        if self.seat is not None:
            self.url += f"#{self.room.services.tokens.seat_token(self.room.setup.id, self.seat)}"
        page.on("websocket", self._listen)
        page.on("pageerror", lambda error: self.errors.append(error.message))
        page.on("console", self._note)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._hear)

    def _hear(self, text: str | bytes) -> None:
        said = json.loads(text)
        for x in said if isinstance(said, list) else [said]:
            if x["type"] == "frame":
                self.newest = x["n"]

    def _note(self, said: ConsoleMessage) -> None:
        if said.type in ("error", "warning"):
            self.errors.append(f"{said.text} ({said.location.get('url', '')})")

    @property
    def match(self) -> Match:
        """As it stands on the server."""
        return self.room.session.match

    def go_on(self) -> bool:
        """One action, drawn by lot, or the end of a time for which all wait; False: it is over."""
        match, session = self.match, self.room.session
        window, deciding = self.server.at_rest(lambda: (session.window, match.deciding))
        if deciding:
            seat = self.dice.choice(deciding)
            action = self.dice.choice(self.server.at_rest(lambda: match.choices(seat)))
            made = Act(question=self.server.at_rest(lambda: session.question(seat)), action=action)
            self.server.do(self.room.commit(lambda: session.decide(made, seat)))
        elif window:
            self.server.do(self.room.commit(lambda: session.close(window)))
        self.took += 1
        return not self.is_over

    @property
    def is_over(self) -> bool:
        """Whether it is over for all to see."""
        match = self.match
        return self.server.at_rest(lambda: match.over and not match.response_window)

    def go_to(self, took: int) -> None:
        """Goes on until so many actions have been taken, or the match is over. The page gets all
        but the last few at once, as after a gap in the line.
        """
        with mock.patch.object(self.room, "broadcast"):
            while self.took < took - WATCHED and not self.is_over:
                self.go_on()
        self.server.at_rest(self.room.broadcast)
        while self.took < took and not self.is_over:
            self.go_on()

    def settle(self) -> None:
        """Opens the page, if it is not; waits until it shows the newest picture, at rest, or how a
        round has ended, which is to be read first. Errors: Failure, if it never does.
        """
        if self.page.url != self.url:
            self.page.goto(self.url)
        elif (read := self.page.locator(READ)).count():
            read.click()
            read.wait_for(state="detached")
        shown = ViewKey(self.seat)
        self._until(lambda: self.newest == self.server.at_rest(lambda: self._sent_to(shown)))
        self._until(
            lambda: self.page.locator(".tray .scene, .tray .has-board, .is-end .end").count()
        )
        # heard is not shown: who is busy with other things draws it later
        self._until(lambda: self._has_caught_up(self.newest))
        self.page.wait_for_function(AT_REST)

    def _has_caught_up(self, frame: int) -> bool:
        self.page.keyboard.press("x")
        if self.page.locator(READ).count():
            return True
        is_shown = self.page.locator(f".box[data-frame='{frame}']").count()
        return bool(is_shown and not self.page.locator(BEHIND).count())

    def _until(self, what: Callable[[], object]) -> None:
        """Lets the page work until something has come true."""
        end = time.monotonic() + PATIENCE
        while not what():
            if time.monotonic() > end:
                said = "\n".join(self.errors) or "It says nothing of an error."
                raise Failure("the page does not show the table", str(self.course), said)
            self.page.wait_for_timeout(PAUSE)

    def _sent_to(self, shown: ViewKey) -> int | None:
        viewer = self.room.views.get(shown)
        return None if viewer is None else viewer.n

    def ask_for_a_hint(self) -> bool:
        """Shows one, if it is this seat's turn and nothing has to be read first."""
        if self.page.locator(ASKING).count() and not self.page.locator("dialog[open]").count():
            self.page.locator(ASKING).press("Enter")
            self.page.locator(".advice").wait_for()
        return bool(self.page.locator(".advice").count())

    def pick(self) -> bool:
        """Picks one of the lit cards or pieces, if it is this seat's turn."""
        lit = self.page.locator(".tray [data-piece].is-lit")
        if count := lit.count():
            lit.nth(self.dice.randrange(count)).dispatch_event("click")
            self.page.wait_for_function(AT_REST)
        return bool(count)

    def faults(self, looks: bool = False) -> Iterator[Fault]:
        """What lies wrong now, at every size; and what cannot be read, in both looks."""
        for size in SIZES:
            self.page.set_viewport_size({"width": size[0], "height": size[1]})
            yield from faults_of(self.page)
        for look in LOOKS if looks else ():
            self.page.emulate_media(color_scheme=look, reduced_motion="reduce")
            yield from faint(self.page, look)
        while self.errors:
            yield Fault("error", "", self.errors.pop(), "", size_of(self.page))
