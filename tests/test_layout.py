"""The page keeps the laws of layout, and they find what is wrong. All of it: `make layout`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from layout import courses, with_undrawn_games
from playwright.sync_api import Browser, Page
from test_page import DESKTOP, browser, browser_type_launch_args, somebody

from battlebox.bots.reasons import Measured
from battlebox.bots.review import Option
from battlebox.core.game import Ruleset
from battlebox.server import hints
from battlebox.server.room import Room
from battlebox.server.session import Session
from battlebox.testing.layout import Course, Follower, faults_of
from battlebox.testing.layout.serving import InLoop, still_server

__all__ = ["browser", "browser_type_launch_args"]

ALL = os.environ.get("BATTLEBOX_LAYOUTS") == "all"
SEEDS = (1, 2, 3)
#: after how many actions one looks: at first often, when much is new, then more and more rarely
DEPTHS = tuple(n * n for n in range(28)) if ALL else (0, 25, 50)
LONGEST = 4000  # actions until the end that is looked at; of a longer match, what stands then

pytestmark = [pytest.mark.slow, pytest.mark.browser]
COURSES = [c for seed in SEEDS for c in courses(seed)] if ALL else []
#: of each game the longest table: the last mode, the most players; where two sit, as others see it
SAMPLE = list({c.game: c for c in courses(1)}.values())
SAMPLE += [Course("iron_man", "Advanced", 2, seed=3), Course("medieval", "Court", 2, seed=3)]


async def prepared(self: Room) -> None:
    """Nothing has to be compiled for a hint that needs no thought."""


def hinted(rules: Ruleset, observation: Any, **_: Any) -> tuple[Option, ...]:
    """The first actions there are, as if they had been thought about; each leads to more of
    all that the game counts than the next.
    """
    match = rules.match(0)
    match.put(observation.reshape(1))
    found = enumerate(match.legal_actions[: hints.HINTS])
    n, returns, told = rules.players, (0.25, 0.15, 0.05), rules.game.consequences
    facts = [(Measured(3.0 - k, 0.1),) * (len(told.each) if told else 0) for k in range(3)]
    return tuple(
        Option(a, 900 - 300 * k, returns[k], (returns[k],) * n, (0.1,) * n, facts[k])
        for k, a in found
    )


@pytest.fixture(scope="module")
def server() -> Iterator[InLoop]:
    """People may ask for hints at it as if all others were bots."""
    with (
        mock.patch.object(Session, "is_alone", return_value=True),
        mock.patch.object(Room, "prepare", prepared),
        mock.patch.object(hints, "hint", hinted),
        with_undrawn_games(),
        still_server() as running,
    ):
        yield running


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = somebody(browser, flat=False, reduced_motion="reduce", viewport=DESKTOP)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("course", COURSES if ALL else SAMPLE, ids=str)
def test_everything_lies_as_it_should(
    page: Page, server: InLoop, course: Course, tmp_path: Path
) -> None:
    follower, found = Follower(page, server, course), list[str]()

    def look(where: str, looks: bool = False) -> None:
        for fault in follower.faults(looks=looks):
            picture = tmp_path / f"{len(found)}.png"
            page.screenshot(path=picture)
            found.append(f"{where}, {fault} (see {picture})")

    for i, depth in enumerate(DEPTHS):
        follower.go_to(depth)
        if follower.is_over:
            break
        follower.settle()
        look(f"after {follower.took} actions", looks=ALL and i % 3 == 0)
        if (ALL or i % 2 == 0) and follower.ask_for_a_hint():
            look(f"after {follower.took} actions, with a hint", looks=ALL and i % 3 == 1)
        if (ALL or i % 2 == 1) and follower.pick():
            look(f"after {follower.took} actions, with something picked", looks=ALL and i % 3 == 2)
    page.goto("about:blank")  # it need not draw all that follows
    follower.go_to(LONGEST)
    follower.settle()
    look(f"in the end, after {follower.took} actions", looks=ALL)
    assert not found, "\n".join(found)


# ---- the laws find what is wrong -----------------------------------------------------------------
WAR_ZONE = Course("war_zone", "Standard", 4, 1)
PLANTED = {
    "a card over a button": (
        "covered",
        "#choices .choice { position: relative; z-index: 0 }"
        ".own .card:last-child { position: fixed; z-index: 99; right: 40px; bottom: 40px }",
    ),
    "a text that is cut": (
        "cut",
        ".prompt .prompt-text { width: 60px; overflow: hidden; text-wrap: nowrap }",
    ),
    "a text beyond its box": ("leaves its box", ".choice { width: 40px; white-space: nowrap }"),
    "a hand out of sight": ("out of view", ".own .fan { position: fixed; top: 3000px }"),
    "a chip over a name": (
        "covered",
        ".plaque .minihand { position: absolute; left: 40px; top: 6px; background: red }",
    ),
    "a mark on a value": (
        "covered",
        ".fan .card .badge { left: 4px !important; top: 2px !important }",
    ),
    "too wide": ("scrolls sideways", ".prompt { width: 200vw }"),
    "too high": ("scrolls", ".box.is-table { height: 3000px }"),
    "a cover that takes all clicks": (
        "out of reach",
        ".tray::after { content: ''; position: fixed; inset: 0; z-index: 99 }",
    ),
}
PLANT = """css => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
}"""


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(page: Page, server: InLoop, name: str) -> None:
    law, style = PLANTED[name]
    follower = Follower(page, server, WAR_ZONE)
    follower.go_on()
    while follower.seat not in follower.match.deciding:
        follower.go_on()
    follower.settle()

    def laws() -> set[tuple[str, str]]:
        return {(x.law, x.what) for x in faults_of(page)}

    before = laws()
    page.evaluate(PLANT, style)
    assert law in {x for x, _ in laws() - before}
