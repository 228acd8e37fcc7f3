"""A law for the page: wherever a match stands, what one needs is not covered, cut or out of view.

The laws, by the words that name their faults:

- *covered*: no text lies under anything that is not its own. Cards of one zone may overlap;
- *which card*: then the corner of each, or half of it, is seen;
- *cut*: no text is cut off, unless its title tells the whole;
- *leaves its box*: no text goes beyond the plaque, card, chip or button that it belongs to;
- *scrolls*, *scrolls sideways*: a table fits the window, every page its width;
- *out of view*: the question, its choices, the own hand and what is asked about are seen;
- *out of reach*: what can be pressed can be hit;
- *contrast*: as axe measures it, in the light and in the dark.

layout.js looks for them in the page, by what is drawn where.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from unittest import mock

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page
from serving import InThread, act, end_response_window, invitations, is_over, take_seat, until

import battlebox as bb
from battlebox.core.match import Match
from battlebox.games import find
from battlebox.server.views import ViewKey

HERE = Path(__file__).parent
#: games without looks of their own, as those of others are: they are drawn from their marks
UNDRAWN = (
    HERE / "games" / "peek",
    HERE.parent / "examples" / "kuhn_poker" / "src" / "kuhn_poker",
    Path(bb.__file__).parent / "template",
)
LAW = (HERE / "layout.js").read_text(encoding="utf-8")
SIZES = ((360, 640), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
LOOKS: tuple[Literal["light", "dark"], ...] = ("light", "dark")
NAMES = (
    *("Wilhelmina Montgomerywood", "Bo", "Maximilian Featherstone", "Ann-Kathrin Großmann"),
    *("Christopher-Alexander", "Zoë", "WWWWWWWWWWWWWWWWWWWWWWWW", "Sir Bartholomew Grimwald"),
    *("Jo", "Anastasia Papadopoulou"),
)
SHOWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))"
ASKING = ".asking[aria-keyshortcuts=h]:not([aria-disabled])"
BEHIND = "#choices button:has-text('Skip ahead'), .cue:has-text('Step by step')"
READ = "dialog.standings button.is-main"
AT_REST = (
    "() => document.fonts.status === 'loaded' && !document.querySelector('.opening')"
    " && !document.getAnimations().some(a =>"
    " a.playState === 'running' && isFinite(a.effect.getComputedTiming().endTime))"
)
LOOK = f"async () => {{ await ({SHOWN})(); return ({AT_REST})() ? ({LAW})() : null }}"
CONTRAST = f"""async look => {{
    await ({SHOWN})()
    if (document.documentElement.dataset.theme !== look) return null
    return (await axe.run({{ runOnly: ['color-contrast'] }})).violations
}}"""
WATCHED = 5  # actions before a look that the page follows one by one


@dataclass(frozen=True)
class Course:
    """A match that is played at random, and looked at from one of its seats; every third one as
    a spectator sees it.
    """

    game: str
    mode: str
    players: int
    seed: int

    def __str__(self) -> str:
        said = [self.game, self.mode, f"{self.players} players", f"seed {self.seed}"]
        return ", ".join(filter(None, said))

    @property
    def options(self) -> dict[str, Any]:
        game = find(self.game)
        options = dict(next((m.options for m in game.modes if m.name == self.mode), {}))
        return {**options, "players": self.players}


@dataclass(frozen=True)
class Fault:
    """Something that lies wrong: by which law, where, at which size of the window."""

    law: str
    what: str
    words: str
    over: str
    size: tuple[int, int]

    def __str__(self) -> str:
        width, height = self.size
        said = f' "{self.words}"' if self.words else ""
        return f"{width}x{height}: {self.law}: {self.what}{said}" + (
            f" by {self.over}" if self.over else ""
        )


@contextmanager
def with_undrawn_games() -> Iterator[None]:
    """The games without looks are among those of the box."""
    folders = os.pathsep.join(map(str, UNDRAWN))
    with mock.patch.dict(os.environ, {sys.modules["battlebox.games"].FOLDERS: folders}):
        yield


def courses(seed: int) -> list[Course]:
    """Every mode of every game, with the fewest, some and the most players."""
    with with_undrawn_games():
        return list(_courses(seed))


def _courses(seed: int) -> Iterator[Course]:
    for name in bb.games():
        game = find(name)
        for mode in [x.name for x in game.modes] or [""]:
            for players in sorted({2, 4, 6, 10}):
                course = Course(name, mode, players, seed)
                try:
                    game.ruleset(course.options)
                except bb.RulesetError:
                    continue
                yield course


def faults_of(page: Page) -> Iterator[Fault]:
    """What lies wrong at this size of the window."""
    size = page.viewport_size or {"width": 0, "height": 0}
    while (found := page.evaluate(LOOK)) is None:
        page.wait_for_function(AT_REST)
    for x in found:
        yield Fault(**x, size=(size["width"], size["height"]))


class Follower:
    """A page that follows a course, and looks at the positions it is told to."""

    def __init__(self, page: Page, server: InThread, course: Course) -> None:
        self.page, self.server, self.course = page, server, course
        self.took = 0  # actions
        self.dice = random.Random(repr(course))
        self.newest = -1  # the number of the picture that came last
        made = server.make(
            ["you", *["open"] * (course.players - 1)],
            game=course.game,
            options=course.options,
            name=NAMES[0],
            mode=course.mode,
            seed=course.seed,
        )
        tokens = invitations(server, made)
        for seat in set(tokens) - {made["seat"]}:
            tokens[seat] = take_seat(server, made["id"], tokens[seat], NAMES[seat])
        self.seat = self.dice.choice(sorted(tokens)) if course.seed % 3 else None
        self.room = server.room(made["id"])
        self.url = f"{server.url}/match/{made['id']}"
        if self.seat is not None:
            self.url += f"#{tokens[self.seat]}"
        page.on("websocket", lambda ws: ws.on("framereceived", self._hear))

    def _hear(self, text: str | bytes) -> None:
        said = json.loads(text)
        for x in said if isinstance(said, list) else [said]:
            if x["type"] == "frame":
                self.newest = x["n"]

    @property
    def match(self) -> Match:
        found: Match = self.room.session.match
        return found

    def go_on(self) -> bool:
        """One action, drawn by lot, or the end of a time for which all wait; False: it is over."""
        match, server = self.match, self.server
        window, deciding = server.at_rest(lambda: (match.response_window, match.deciding))
        if deciding:
            seat = self.dice.choice(deciding)
            action = self.dice.choice(server.at_rest(lambda: match.choices(seat)))
            act(server, self.room, seat, action)
        elif window:
            end_response_window(server, match)
        self.took += 1
        return not self.is_over

    @property
    def is_over(self) -> bool:
        return is_over(self.server, self.match)

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
        round has ended, which is to be read first.
        """
        if self.page.url != self.url:
            self.page.goto(self.url)
        elif (read := self.page.locator(READ)).count():
            read.click()
            read.wait_for(state="detached")
        shown = ViewKey(self.seat)
        until(
            lambda: (
                self.page.evaluate("() => 0") == 0
                and self.newest == self.server.at_rest(lambda: self._sent_to(shown))
            )
        )
        self.page.wait_for_selector(".tray .scene, .tray .has-board, .is-end .end")
        until(
            lambda: (
                self.page.keyboard.press("x")
                or self.page.locator(READ).count()
                or not self.page.locator(BEHIND).count()
            )
        )
        self.page.wait_for_function(AT_REST)

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


def faint(page: Page, look: Literal["light", "dark"]) -> Iterator[Fault]:
    """What has too little contrast."""
    if page.evaluate("() => typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    while (found := page.evaluate(CONTRAST, look)) is None:
        pass
    size = page.viewport_size or {"width": 0, "height": 0}
    for violation in found:
        for node in violation["nodes"]:
            what = f"{look}: {node['html'][:120]}"
            yield Fault(
                "contrast", what, node["failureSummary"], "", (size["width"], size["height"])
            )
