"""The page in a real browser: whole matches as people play them, by mouse, touch and keyboard.

Needs Chromium: Debian's `chromium-headless-shell` (which takes a fifth less of the processor) or
`chromium`, Google Chrome, or `playwright install chromium`.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from axe_playwright_python.sync_playwright import Axe
from layout import with_undrawn_games
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    WebSocketRoute,
    expect,
)
from response_windows import DECLINE, SAVE, deal, in_the_box, quick_stand_ins, shown_at_once, strike
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Picture,
    Seat,
    act,
    end_response_window,
    in_process,
    in_thread,
    invitations,
    is_over,
    let_pass,
    take_seat,
    until,
)
from test_deltas import MODES, pictures

import battlebox as bb
from battlebox.bots.review import Cancelled, review
from battlebox.bots.review_text import summary
from battlebox.core.drawing import DefaultScene
from battlebox.core.fair import Fair
from battlebox.core.match import Match
from battlebox.core.scene import Choice, Piece, Scene, Zone
from battlebox.games.battleball.testing import OWN_TEAM
from battlebox.links import qr_picture
from battlebox.protocol import PROTOCOL
from battlebox.protocol.deltas import changes
from battlebox.server import address, reviews
from battlebox.server.clock import ManualClock
from battlebox.testing.layout import faults_of
from battlebox.testing.layout.browser import launch_args
from battlebox.testing.layout.faults import AT_REST

pytestmark = [pytest.mark.slow, pytest.mark.browser]

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
SIZES = [(360, 640), (390, 844), (844, 390), (1280, 800)]
GOOFSPIEL = Path(__file__).parent.parent / "examples" / "goofspiel" / "src" / "goofspiel"
LOOKS = "export default { never: { WINDOW: 'Never save' } }"  # the theme of the tiny game
NARROW = {"width": 360, "height": 740}
STEPS = 1_500  # presses in which a match has ended
SHORT = {"start_health": 6}  # of War Zone, where a match has to end for what comes after it
WINDOW, AWAY = 60.0, 30.0  # seconds, which a test lets pass
ALONE = WINDOW / 4  # for which all wait where one plays against bots

POLLING = 30  # milliseconds; to look in each frame draws each of them anew

expect.set_options(timeout=1_000 * PATIENCE)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, **launch_args()}


@pytest.fixture(scope="session")
def browser(launch_browser: Callable[[], Browser]) -> Iterator[Browser]:
    try:
        launched = launch_browser()
    except Exception as e:
        if os.environ.get("BATTLEBOX_BROWSER") == "needed":
            raise
        pytest.skip(
            f"no Chromium here (apt install chromium-headless-shell): {str(e).splitlines()[0]}"
        )
    yield launched
    launched.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data")) as running:
        yield running


#: nothing that a test looks at, but two fifths of what a page costs where no graphics card draws it
FLAT = """() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`*, *::before, *::after {
        background-image: none !important; box-shadow: none !important;
        filter: none !important; text-shadow: none !important;
    }`)
    document.adoptedStyleSheets = [sheet]
}"""


def somebody(browser: Browser, *, flat: bool = True, **how: Any) -> BrowserContext:
    """A person with a browser of its own; waits for what it looks for.

    flat: pages are drawn without shadows and gradients.
    """
    context = browser.new_context(**how)
    if flat:
        context.add_init_script(f"({FLAT})()")
    context.set_default_timeout(1_000 * PATIENCE)
    return context


def violations(page: Page, *only: str) -> list[tuple[str, list[str]]]:
    """What axe finds wrong, by all its rules or by these. What is right takes as long again to
    be written down, and nobody reads it.
    """
    how: dict[str, Any] = {"resultTypes": ["violations"], **({"runOnly": [*only]} if only else {})}
    found = Axe().run(page, options=how).response["violations"]
    return [(x["id"], [n["html"][:120] for n in x["nodes"]]) for x in found]


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, server: InThread) -> Iterator[Open]:
    """open_page(path, viewport=..., dark=...): a page of a person of its own, at which nothing
    may go wrong unseen. dressed: the tiny game `window` has a theme.
    """
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"{message.text} ({message.location.get('url', '')})")

    def dress(route: Route) -> None:
        route.fulfill(body=LOOKS, content_type="text/javascript")

    def make(
        path: str = "/",
        *,
        viewport: Any = None,
        dark: bool = False,
        dressed: bool = False,
        **more: Any,
    ) -> Page:
        context = somebody(
            browser,
            viewport=viewport or DESKTOP,
            color_scheme="dark" if dark else "light",
            reduced_motion=more.pop("reduced_motion", "reduce"),
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda e: wrong.append(str(e)))
        if dressed:  # the tiny game has no theme; to listen for requests makes each of them slow
            page.route("**/theme/window.js", dress)
        page.goto(f"{server.url}{path}")
        return page

    yield make
    for context in contexts:
        context.close()
    assert wrong == []


# ---- hands ---------------------------------------------------------------------------------------
BUTTONS = "#choices .choices button:not([disabled])"
END = ".box.is-end"
WAITING = "#choices[aria-busy=true]"
DRAWN_ANEW = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


def begin(page: Page, server: InThread, *seats: str, **more: Any) -> dict[str, Any]:
    """A match made over the wire, with the page at it."""
    made = server.make(list(seats), **more)
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    return made


def begin_match(page: Page, server: InThread, **more: Any) -> Match:
    """The same deal each time, against a bot that plays at random."""
    made = begin(page, server, "you", "random", seed=5, **more)
    return server.room(made["id"]).session.match


def step(page: Page) -> bool:
    """One press of whatever the page offers, the first of its buttons; False: the match is over."""
    page.wait_for_function(
        f"() => document.querySelector('{END}') || document.querySelector('{BUTTONS}')",
        polling=POLLING,
    )
    if page.locator(END).count():
        return False
    page.evaluate(f"() => document.querySelector('{BUTTONS}')?.click()")
    return True


def see(page: Page, look: Callable[[], list[str]], words: list[str]) -> None:
    """Waits for words; any key shows the newest picture, and what led to it goes by."""
    until(lambda: page.keyboard.press("x") or look() == words)


def see_prompt(page: Page, prompt: str) -> None:
    """Waits for a question."""
    see(page, page.locator(".prompt-text").all_text_contents, [prompt])


def see_end(page: Page, words: str) -> None:
    """Waits for the end of a match."""
    until(lambda: page.keyboard.press("x") or page.locator(END).count())
    expect(page.locator(END)).to_contain_text(re.compile(words, re.IGNORECASE))


def question(server: InThread, match: Match) -> Scene | None:
    """What the match asks its person, if anything."""
    scene: Scene | None = server.at_rest(lambda: match.scene(0) if 0 in match.deciding else None)
    return scene


def asked(page: Page, server: InThread, match: Match) -> Iterator[Scene]:
    """Each of one's questions to the end of a match, when the page shows it; one answers it before
    asking for the next, and nothing scrolls sideways then. Where all wait, time passes then, too.
    """
    while not is_over(server, match):
        assert len(match.history) < STEPS
        if scene := question(server, match):
            see_prompt(page, scene.prompt)
            yield scene
            assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        elif not end_response_window(server, match, 0):
            page.wait_for_timeout(20)


#: sees the next click before whatever it leads to can take it away
AWAIT_CLICK = """() => {
    window.wasClicked = false
    addEventListener('click', () => { window.wasClicked = true }, { capture: true, once: true })
}"""


def tap_on(it: Locator, *, force: bool = False) -> None:
    """A tap by finger. Where a drag came before it, Chromium on a busy machine now and then makes
    no click of it, though the page has prevented nothing: then one taps again, as people do.
    """
    page = it.page
    page.evaluate(AWAIT_CLICK)
    it.tap(force=force)
    if not page.evaluate("window.wasClicked"):
        page.keyboard.press("Shift")  # comes in after all that the tap has led to
        if not page.evaluate("window.wasClicked"):
            it.tap(force=force)


def press_on(it: Locator, touch: bool, *, force: bool = False) -> None:
    """By finger or by mouse."""
    tap_on(it, force=force) if touch else it.click(force=force)


def choose_on_table(
    page: Page, server: InThread, match: Match, choice: Choice, touch: bool
) -> None:
    """A choice by what it names, one after the other, and a button after a single tap, or for what
    lies nowhere on a small table.
    """
    done, in_window = len(match.history), server.at_rest(lambda: match.response_window)
    tapped = 0
    for at, id in enumerate(choice.path):
        if choice.any_order:  # what lies there already, by itself
            piece, zone = choice.path[at - at % 2], choice.path[at - at % 2 + 1]
            if page.locator(f"[data-zone='{zone}'] [data-piece='{piece}']").count():
                continue
        it = page.locator(f"[data-piece='{id}']:not(.is-dragged), [data-zone='{id}'] > .hit").first
        page.evaluate(DRAWN_ANEW)
        if id.startswith("number:") and not it.is_visible():
            break
        it.evaluate("el => el.scrollIntoView({ block: 'center' })")  # from under what sticks
        press_on(it, touch, force=True)
        tapped += 1
    if choice.any_order:
        page.locator("#choices").get_by_role("button", name=f"Confirm: {choice.label}").click()
    elif tapped < 2:
        buttons = page.locator("#choices .choices").get_by_role("button", name=choice.label)
        buttons.first.click()

    def is_done() -> bool:
        return len(match.history) > done or bool(in_window and 0 not in match.deciding)

    until(lambda: server.at_rest(is_done))
    page.wait_for_function(
        f"() => !document.querySelector('{WAITING}')", polling=POLLING
    )  # told, too
    assert in_window or match.history[done] == (0, choice.word)


def press_to_the_end(*pages: Page) -> None:
    """All press the first button whenever they are asked, until they see the end."""
    for page in pages:
        page.evaluate(
            """([buttons, end]) => {
                const pressing = setInterval(() => {
                    if (document.querySelector(end)) clearInterval(pressing)
                    else document.querySelector(buttons)?.click()
                }, 20)
            }""",
            [BUTTONS, END],
        )
    for page in pages:
        page.locator(END).wait_for(timeout=4000 * PATIENCE)


def play_on(page: Page) -> None:
    """To the end."""
    for _ in range(STEPS):
        if not step(page):
            return
    raise AssertionError("the match does not end")


def seats_of(page: Page) -> int:
    return page.locator(".plaque").count()


# ---- questions that nobody else may notice -------------------------------------------------------
@pytest.fixture
def clock() -> ManualClock:
    """It stands still until the test moves it."""
    return ManualClock()


@pytest.fixture
def waiting(tmp_path: Path, clock: ManualClock) -> Iterator[InThread]:
    """A server on which time passes when the test lets it; and the tiny game with a window.

    A test asks for its server before its pages, so that these close first and miss nothing.
    """
    how = {"clock": clock, "response_window": WINDOW, **ROOMY}
    with in_the_box(), shown_at_once(), in_thread(tmp_path, **how) as running:
        yield running


@pytest.fixture
def lively(tmp_path: Path, clock: ManualClock) -> Iterator[InThread]:
    """The same with the games of the box, and bots that need nothing compiled stand in."""
    how = {"clock": clock, "response_window": WINDOW, "away": AWAY, **ROOMY}
    with quick_stand_ins(), shown_at_once(), in_thread(tmp_path, **how) as running:
        yield running


def strike_oneself(page: Page, server: InThread, *holders: int) -> Any:
    """A match against bots in which seat 0 has just struck seat 1; these seats hold a SAVE."""
    options = {"players": 4, "rounds": 2}
    made = server.make(["you", *["random"] * 3], game="window", options=options, seed=2)
    deal(server.room(made["id"]).session.match, *holders)
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    press_word(page, strike(1))
    return server.room(made["id"])


def stop_clock(page: Page) -> None:
    """A page whose clock is installed: a minute from now, which no machine is too slow for, it
    stands; from then on `page.clock.run_for` lets it run.
    """
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 60"))


#: notes what every toast says and from when, as each is there for seconds only
NOTE_TOASTS = """() => {
    window.toasts = []
    new MutationObserver(() => {
        const said = document.querySelector('.toast')?.textContent || ''
        if (said !== window.toasts.at(-1)?.said) window.toasts.push({ said, at: performance.now() })
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
}"""


def wait_for_toast(page: Page, words: str) -> float:
    """Waits until a toast has said this and is gone: how long it stayed, in milliseconds.
    `NOTE_TOASTS` has run before.
    """
    find = """words => {
        const k = window.toasts.findIndex(x => x.said === words), last = window.toasts[k + 1]
        return k >= 0 && last && last.at - window.toasts[k].at
    }"""
    stayed: float = page.wait_for_function(find, arg=words, polling=POLLING).json_value()
    return stayed


def press_word(page: Page, word: str) -> None:
    page.get_by_role("button", name=f"Action {word[1:]}", exact=True).click()


@pytest.mark.parametrize("holders", [(), (0,)], ids=["nobody", "oneself"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_everybody_sees_the_countdown_and_who_is_asked_his_choices(
    waiting: InThread,
    open_page: Open,
    clock: ManualClock,
    viewport: dict[str, int],
    holders: tuple[int, ...],
) -> None:
    page = open_page(viewport=viewport, dressed=True)
    match = strike_oneself(page, waiting, *holders).session.match
    timer = page.get_by_role("timer")
    expect(page.locator(BUTTONS)).to_have_count(3 * len(holders))  # and the habit
    if holders:  # who is alone and asked need not hurry
        expect(timer).to_have_count(0)
    else:
        expect(timer).to_contain_text(re.compile(r"^\d+ s$"))
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    if holders:
        press_word(page, SAVE)
        expect(page.locator(BUTTONS)).to_have_count(0)
        expect(timer).to_be_visible()
    let_pass(clock, ALONE)
    expect(timer).to_have_count(0)
    assert ((0, SAVE) in match.history) == bool(holders)


def test_who_never_wants_to_be_asked_declines_until_he_says_otherwise(
    waiting: InThread, open_page: Open, clock: ManualClock
) -> None:
    page = open_page(dressed=True)
    match = strike_oneself(page, waiting, 0).session.match
    page.get_by_role("button", name="Never save").click()
    expect(page.get_by_role("timer")).to_be_visible()
    until(lambda: waiting.at_rest(lambda: 0 not in match.deciding))  # it has answered
    page.reload()  # before a bot strikes: the page would decline that as well
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Ask me again").click()
    let_pass(clock, ALONE)
    until(lambda: (0, DECLINE) in match.history)
    expect(page.get_by_role("button", name="Never save", exact=True)).to_be_visible()


# ---- whole matches -------------------------------------------------------------------------------
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_one_click_and_a_whole_match_against_three_bots(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    page = open_page(viewport=viewport)
    more = page.get_by_role("button", name="one player more")
    for _ in range(2):
        more.click()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/match/"))
    expect(page.locator("#choices")).to_be_visible()
    assert seats_of(page) == 4
    if viewport == PHONE:  # the first turns; the end comes as on a desktop
        for _ in range(20):
            assert step(page)
        return
    play_on(page)
    expect(page.locator(END)).to_contain_text(re.compile("You win|wins|lost|out", re.IGNORECASE))
    id = page.url.partition("/match/")[2].partition("#")[0]
    assert server.room(id).session.match.over


@pytest.mark.parametrize(
    ("deck", "viewport"),
    [("medieval-default", DESKTOP), ("medieval-court", PHONE)],
    ids=["default, desktop", "court, phone"],
)
def test_a_whole_match_of_medieval_by_taps(
    open_page: Open, server: InThread, deck: str, viewport: dict[str, int]
) -> None:
    """What has a place on the table is chosen there: each card of a full hand, each column."""
    touch, options = viewport == PHONE, {"deck": deck, "max_battles": 7}
    page = open_page(viewport=viewport, has_touch=touch)
    match = begin_match(page, server, game="medieval", options=options)
    chance, phases = random.Random(5), set()
    for scene in asked(page, server, match):
        choice = chance.choice(scene.choices)
        phases.add(scene.phase)
        for zone in (z for z in scene.zones if z.kind == "column"):
            drawn = page.locator(f"[data-zone='{zone.id}'] .total")
            sides = reversed(zone.facts["sides"])
            totals = ["AB"[x["seat"]] + (x["total"] or "\N{EN DASH}") for x in sides]
            see(page, drawn.all_text_contents, totals)
        choose_on_table(page, server, match, choice, touch)
    see_end(page, "You win|wins|draw")
    court = {"CHOOSE_COLUMN", "SWAP"} if deck == "medieval-court" else set()
    assert phases == {"REINF", *court}


SKIP = "#choices button:has-text('Skip ahead')"


def place(page: Page, match: Match) -> None:
    """One's three cards face down: the first two by taps, the third has one place left."""
    before = len(match.history)
    for c in range(2):
        page.locator(".fan .is-lit").first.click()
        page.locator(f"[data-zone='column:{c}'] > .hit").click()
    page.get_by_role("button", name=re.compile("^Confirm")).click()
    until(lambda: len(match.history) > before)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_battle_is_shown_step_by_step_and_can_be_skipped(
    open_page: Open, server: InThread, motion: str
) -> None:
    page = open_page(reduced_motion=motion)
    made = begin(page, server, "you", "random", game="medieval", seed=5)
    match = server.room(made["id"]).session.match
    page.wait_for_function(f"() => document.querySelector('{BUTTONS}')", polling=POLLING)
    page.evaluate(
        """() => {
            window.seen = []
            const look = () => {
                const cards = document.querySelectorAll('.column-cards .card').length
                const text = document.querySelector('.prompt-text').textContent
                const now = `${cards} ${text}`
                if (seen[seen.length - 1] !== now) seen.push(now)
                const buttons = [...document.querySelectorAll('#choices button')]
                if (buttons.some(b => b.textContent.includes('Skip ahead'))) window.skippable = true
            }
            new MutationObserver(look).observe(document.querySelector('.box'),
                { childList: true, subtree: true, characterData: true })
        }"""
    )
    place(page, match)
    page.wait_for_function("() => window.skippable", polling=POLLING)
    expect(page.locator("#choices")).to_contain_text("Place your three")  # by itself
    seen = page.evaluate("() => seen")
    texts = [x.partition(" ")[2] for x in seen]
    for words in ("turned up", "compared", "Battle 2: both sides flip"):
        assert any(words in x for x in texts), (words, texts)
    flips = [int(x.partition(" ")[0]) for x in seen if "Battle 2: both sides flip" in x]
    assert flips[:4] == [0, 1, 2, 3]  # card by card
    place(page, match)
    page.locator(SKIP).wait_for()
    page.keyboard.press("x")
    expect(page.locator(SKIP)).to_have_count(0)
    scene = match.scene(0)
    pieces = sum(len(scene.zone(f"column:{c}").pieces) for c in range(3))
    expect(page.locator(".column-slot")).to_have_count(pieces)
    place(page, match)
    page.locator(SKIP).wait_for()
    page.locator(".column").first.click(position={"x": 4, "y": 4})  # a tap on the felt does it, too
    expect(page.locator(SKIP)).to_have_count(0)


COLUMNS = (
    "A cols=sp/abc5/q hand=123 beside=A1T2 deck=444 surv=9k grave=1 "
    "B cols=85/9/4 hand=111 beside=C3 deck=444 stage=reinf"
)


def columns_of(server: InThread, position: str, *words: str) -> str:
    """The path of a match of Medieval between two people, from a position."""
    made = server.make(["you", "open"], game="medieval", seed=5)
    match = server.room(made["id"]).session.match
    match.load(position)
    for word in words:
        match.submit(match.to_act, word)
    take_seat(server, made["id"], invitations(server, made)[1], "Ben")  # so that nobody is invited
    return f"/match/{made['id']}#{made['token']}"


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_totals_and_cards_of_a_column_explain_themselves(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """By mouse and keyboard in the lens, by tap in the prompt, and for screen readers."""
    is_phone = viewport == PHONE
    page = open_page(columns_of(server, COLUMNS), viewport=viewport, has_touch=is_phone)
    column = page.locator('[data-zone="column:0"]')
    total = column.get_by_role("button", name=re.compile(r"Column 1: 11 : 14"))
    words = "Sergeant 3 + Bishop 1, Sergeant +1, Bishop +2, Ambush +4"
    expect(total).to_have_accessible_name(re.compile(re.escape(words)))
    assert column.locator(".tag").all_inner_texts() == ["+1", "+2", "+4"]
    assert column.locator(".standing").inner_text() == "behind"
    event = column.get_by_role("button", name=re.compile("^Ambush"))
    said = page.locator("#choices" if is_phone else ".lens")
    if is_phone:
        tap_on(total)
        expect(said).to_contain_text(words)
        tap_on(event)
        expect(said).to_contain_text("+4 to the column it is flipped for")
        return
    total.hover()
    expect(said).to_contain_text(words)
    page.mouse.move(0, 0)
    expect(said).not_to_contain_text(words)
    event.hover()
    expect(said).to_contain_text("+4 to the column it is flipped for")
    page.mouse.move(0, 0)
    for _ in range(40):
        if page.evaluate("() => Boolean(document.activeElement.closest('.column'))"):
            break
        page.keyboard.press("Tab")
    for _ in range(8):  # arrows walk within the column
        if "Column 1" in (page.evaluate("() => document.activeElement.ariaLabel") or ""):
            break
        page.keyboard.press("ArrowDown")
    expect(said).to_contain_text(words)


def test_piles_are_looked_through_by_tap(open_page: Open, server: InThread) -> None:
    page = open_page(columns_of(server, COLUMNS), viewport=PHONE, has_touch=True)
    said = page.locator("#choices")
    tap_on(page.locator("[data-zone='dead:0'] > .hit"))
    expect(said).to_contain_text("Your Graveyard: 1 card. Peasant.")
    tap_on(page.locator("[data-piece='hand:0']"))  # while a card is held as well
    expect(said).not_to_contain_text("Graveyard")
    tap_on(page.locator("[data-zone='alive:0'] > .hit"))
    expect(said).to_contain_text("Your Survivors: 2 cards.")
    tap_on(page.locator("[data-zone='dead:1'] > .hit"))
    expect(said).to_contain_text("Ben's Graveyard: 0 cards.")


LAID = "A cols=5/5/5 hand=159 deck=444 B cols=8/9/4 hand=111 deck=444 stage=reinf"


def laid_at(page: Page, c: int) -> list[str]:
    """What one has laid at a column and not confirmed."""
    return page.locator(f"[data-zone='column:{c}'] .is-laid .card-name").all_text_contents()


def carry_by(page: Page, piece: str, goal: str, touch: bool) -> None:
    """Drags a piece to the middle of something, by mouse or finger."""
    x, y = middle(page, f"[data-piece='{piece}']")
    to_x, to_y = middle(page, goal)
    if not touch:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=4)
        page.mouse.up()
        return
    finger = page.context.new_cdp_session(page)
    for kind, spots in (
        ("touchStart", [(x, y)]),
        ("touchMove", [((x + to_x) / 2, (y + to_y) / 2)]),
        ("touchMove", [(to_x, to_y)]),
        ("touchEnd", []),
    ):
        points = [{"x": a, "y": b} for a, b in spots]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("by", ["tap", "drag"])
def test_cards_are_laid_at_any_column_in_any_order(
    open_page: Open, server: InThread, viewport: dict[str, int], by: str
) -> None:
    """They lie there at once, with the total that comes of it; they can be moved and taken back,
    and nothing is sent before it is confirmed.
    """
    touch = viewport == PHONE
    path = columns_of(server, LAID)
    match = server.room(path.split("/")[2].partition("#")[0]).session.match
    page = open_page(path, viewport=viewport, has_touch=touch)
    totals = page.locator(".column .total:first-child")

    def lay(card: int, column: int) -> None:
        at = f"[data-zone='column:{column}']"
        if by == "drag":
            return carry_by(page, f"hand:{card}", at, touch)
        for it in (page.locator(f"[data-piece='hand:{card}']"), page.locator(f"{at} > .hit")):
            press_on(it, touch)

    def now() -> list[str]:
        return [x.replace("\n", "") for x in totals.all_text_contents()]

    expect(page.locator(".column")).to_have_count(3)
    before = now()
    lay(1, 2)  # not at column 1, which the choices name first
    until(lambda: laid_at(page, 2) == ["Man-at-Arms"])
    assert laid_at(page, 0) == laid_at(page, 1) == []
    until(lambda: [x.strip() for x in now()] == ["A5", "A5", "A10"])
    hit = page.locator("[data-zone='column:2'] .hit")
    expect(hit).to_have_accessible_name(re.compile("Man-at-Arms lies here. 10 so far"))
    lay(2, 1)
    until(lambda: laid_at(page, 1) == ["Champion"])
    until(lambda: laid_at(page, 0) == ["Peasant"])  # nowhere else is room
    if by == "tap":
        page.locator("[data-piece='hand:2']").click()
        makes_room = page.get_by_role("button", name="Column 3 Man-at-Arms goes to Column 2")
        expect(makes_room).to_be_visible()
        page.keyboard.press("Escape")
    lay(2, 2)  # who lies there changes places with it
    until(
        lambda: [laid_at(page, c) for c in range(3)] == [["Peasant"], ["Man-at-Arms"], ["Champion"]]
    )
    page.keyboard.press("Escape")
    until(lambda: sum(len(laid_at(page, c)) for c in range(3)) == 2)
    if by == "drag":
        carry_by(page, "hand:0", ".fan", touch)
    else:
        for _ in range(2):
            page.locator("[data-piece='hand:0']").click()
    expect(page.locator(".fan [data-piece='hand:0']")).to_have_count(1)
    assert match.history == []
    lay(0, 2)
    lay(1, 0)
    until(
        lambda: [laid_at(page, c) for c in range(3)] == [["Man-at-Arms"], ["Champion"], ["Peasant"]]
    )
    assert before != now()
    confirm = page.locator("#choices").get_by_role("button", name="Confirm")
    expect(confirm).to_have_accessible_name(
        "Confirm: Man-at-Arms to 1, Champion to 2, Peasant to 3: now 10:8 14:9 6:4"
    )
    confirm.click()
    until(lambda: match.history)
    assert match.history == [(0, "591")]


def test_either_of_equal_cards_can_be_laid(open_page: Open, server: InThread) -> None:
    """ME-69: the choices name one of them; of two cards the second has two places left."""
    position = "A cols=5/5/5 hand=33 deck=. B cols=8/9/4 hand=111 deck=444 stage=reinf"
    path = columns_of(server, position)
    match = server.room(path.split("/")[2].partition("#")[0]).session.match
    page = open_page(path)
    confirm = page.get_by_role("button", name=re.compile("^Confirm"))
    for card, column in (("hand:1", 0), ("hand:0", 2)):
        expect(confirm).to_have_count(0)
        page.locator(f"[data-piece='{card}'].is-lit").click()  # else it is not asked yet
        page.locator(f"[data-zone='column:{column}'] > .hit").click()
        until(lambda c=column: laid_at(page, c) == ["Archer"])
    expect(confirm).to_have_accessible_name(re.compile("Archer to 1, Archer to 3: now 8:8 5:9 8:4"))
    page.reload()  # nothing was sent
    expect(page.locator(".fan .is-lit")).to_have_count(2)
    assert match.history == []


def test_a_card_that_is_tapped_at_once_is_picked(open_page: Open, server: InThread) -> None:
    """Also before what lays cards has been loaded."""
    page = open_page()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/match/placing.js", hold)
    page.goto(f"{server.url}{columns_of(server, LAID)}")
    page.locator("[data-piece='hand:1']").press("Enter")
    until(lambda: page.evaluate("() => true") and held)  # routes are seen while the page is asked
    held[0].continue_()
    expect(page.locator(".prompt-text")).to_have_text("Man-at-Arms: in which column?")


def test_cards_are_laid_by_keyboard(open_page: Open, server: InThread) -> None:
    """A card by Enter, its column by number; what is next has the focus, and all is said."""
    path = columns_of(server, LAID)
    match = server.room(path.split("/")[2].partition("#")[0]).session.match
    page = open_page(path)
    card = page.locator("[data-piece='hand:1']")
    card.press("Enter")  # at once: what is drawn anew between focus and key would take the focus
    expect(page.locator(".prompt-text")).to_have_text("Man-at-Arms: in which column?")
    page.keyboard.press("3")
    until(lambda: laid_at(page, 2) == ["Man-at-Arms"])
    heard = page.locator("[role=status][aria-live]")
    expect(heard).to_contain_text("Man-at-Arms: Column 3")
    expect(page.locator("[data-piece='hand:0']")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    until(lambda: laid_at(page, 0) == ["Champion"])
    expect(page.get_by_role("button", name=re.compile("^Confirm"))).to_be_focused()
    assert violations(page) == []
    assert match.history == []
    page.keyboard.press("Enter")
    until(lambda: match.history)
    assert match.history == [(0, "915")]


@pytest.fixture
def peek(server: InThread) -> Iterator[Callable[[Page], Match]]:
    """peek(page): a game that nobody has drawn, at its first seat, with cards before the other."""
    position = (
        "peek n=2 phase=TURN hand=fox.owl/bear totem=wolf/fox deck=fox.owl.bear discard=owl"
        " trophies=-/bear.bear.owl"
    )

    def begun(page: Page) -> Match:
        made = server.make(["you", "open"], game="peek")
        match = server.room(made["id"]).session.match
        match.load(position)
        take_seat(server, made["id"], invitations(server, made)[1], "Ben")
        page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
        page.locator(".own .fan .card").first.wait_for()
        return match

    with with_undrawn_games():
        yield begun


def test_what_lies_nowhere_is_picked(open_page: Open, peek: Callable[[Page], Match]) -> None:
    """A card that is guessed: the seat, then one of a row that is there while it is asked; by keys
    alone, too.
    """
    page = open_page()
    match = peek(page)
    picker = page.get_by_role("group", name="Which card?")
    expect(picker).to_have_count(0)
    page.get_by_role("button", name="Ben. Can be chosen").press("Enter")
    expect(page.locator(".prompt-text")).to_have_text("Ben: which one?")
    cards = picker.get_by_role("button")
    expect(cards).to_have_count(4)
    expect(cards.nth(1)).to_have_accessible_name("Owl. Call Ben: Owl")
    assert violations(page) == []
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    expect(cards.nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: match.history)
    assert match.history == [(0, "call>1:owl")]
    expect(picker).to_have_count(0)


#: kinds of cards in a game that has more than anybody wants as buttons
BEASTS = (
    *("FOX", "OWL", "BEAR", "WOLF", "LYNX", "HARE"),
    *("STAG", "OTTER", "CRANE", "BADGER", "SALAMANDER", "HEDGEHOG"),
)


@pytest.fixture
def zoo(tmp_path: Path, server: InThread) -> Iterator[Callable[[Page], Match]]:
    """zoo(page): the game `peek` with many kinds of cards."""
    home = tmp_path / "zoo"
    shutil.copytree(Path(__file__).parent / "games" / "peek", home)
    rules = (home / "rules.py").read_text(encoding="utf-8")
    listed = "".join(f"    {x} = {i}\n" for i, x in enumerate(BEASTS))
    rules = re.sub(r"(?:    (?:FOX|OWL|BEAR|WOLF) = \d\n)+", listed, rules)
    rules = rules.replace("KINDS = 4", f"KINDS = {len(BEASTS)}")
    (home / "rules.py").write_text(rules, encoding="utf-8")

    def begun(page: Page) -> Match:
        made = server.make(["you", "open"], game="zoo")
        match = server.room(made["id"]).session.match
        match.load("zoo n=2 phase=TURN hand=fox.owl/bear totem=wolf/crane deck=fox discard=owl")
        take_seat(server, made["id"], invitations(server, made)[1], "Ben")
        page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
        page.locator(".own .fan .card").first.wait_for()
        return match

    with mock.patch.dict(os.environ, {sys.modules["battlebox.games"].FOLDERS: str(home)}):
        yield begun


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (844, 390)], ids=str)
def test_many_kinds_are_picked_on_the_table_of_a_phone(
    open_page: Open, zoo: Callable[[Page], Match], size: tuple[int, int]
) -> None:
    """So many are no buttons: one of them is tapped where they are laid out, also the last."""
    page = open_page(viewport=sized(size), has_touch=True)
    match = zoo(page)
    tap_on(page.locator("[data-zone='seat:1'] > .hit"))
    expect(page.locator(".prompt-text")).to_have_text("Ben: which one?")
    picker = page.get_by_role("group", name="Which card?")
    cards = picker.get_by_role("button")
    expect(cards).to_have_count(len(BEASTS))
    page.wait_for_function(AT_REST)
    assert list(faults_of(page)) == []
    last = cards.last
    last.evaluate("el => el.scrollIntoView({ block: 'center' })")
    names = cards.locator(".card-name")
    assert names.all_inner_texts() == [x.capitalize() for x in BEASTS]
    assert all(x.evaluate("el => el.scrollWidth - el.clientWidth") <= 1 for x in names.all())
    box = last.bounding_box()
    assert box
    assert box["height"] >= 44
    tap_on(last)
    until(lambda: match.history)
    assert match.history == [(0, "call>1:hedgehog")]
    expect(picker).to_have_count(0)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE])
def test_what_may_be_done_with_a_card_is_asked_after_it(
    open_page: Open, peek: Callable[[Page], Match], viewport: dict[str, int]
) -> None:
    page = open_page(viewport=viewport)
    match = peek(page)
    page.locator("[data-piece='hand:owl']").click()
    expect(page.locator(".prompt-text")).to_have_text("Owl: what to do?")
    page.locator("#choices").get_by_role("button", name=re.compile("^Bury")).click()
    until(lambda: match.history)
    assert match.history == [(0, "bury:owl")]


def test_what_lies_before_a_seat_is_read_there(
    open_page: Open, peek: Callable[[Page], Match]
) -> None:
    page = open_page()
    peek(page)
    row = page.get_by_role("group", name="Ben's trophies: 2 cards")
    expect(row.get_by_role("button")).to_have_count(2)
    assert row.locator(".badge").all_inner_texts() == ["2×"]
    colours = "e => getComputedStyle(e).backgroundColor"
    assert len({x.evaluate(colours) for x in row.locator(".card-art").all()}) == 2
    row.get_by_role("button", name="Owl").click()  # what it is
    expect(page.locator(".lens h2")).to_have_text("Owl")


def test_a_zone_of_an_unknown_kind_scrolls_in_its_box(
    open_page: Open, peek: Callable[[Page], Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much lies in it, nothing else is moved out of the window."""
    page, pieces = open_page(), tuple(Piece(f"x:{i}", f"Thing {i}") for i in range(150))
    shown = DefaultScene.zones
    more = Zone("shelf", "shelf", "Shelf", pieces=pieces, facts={"text": "All of it."})
    monkeypatch.setattr(DefaultScene, "zones", lambda self, actions: [*shown(self, actions), more])
    peek(page)
    for width, height in ((1280, 800), (390, 844), (360, 640), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        inside = "e => e.scrollHeight > e.clientHeight || e.scrollWidth > e.clientWidth"
        assert page.locator(".other-pieces").evaluate(inside)
        assert list(faults_of(page)) == []


def test_overlapping_cards_can_all_be_read(open_page: Open, server: InThread) -> None:
    """However many lie in a column, on a small screen: no value hides behind the next card."""
    path = columns_of(
        server,
        "A cols=abcabc5/5/5 hand=123 deck=444 beside=C1W1B1 "
        "B cols=aabbcc9/5/5 hand=111 deck=444 stage=reinf",
    )
    for viewport in (DESKTOP, PHONE, NARROW):
        page = open_page(path, viewport=viewport)
        page.locator(".column").first.wait_for()
        covered = page.evaluate(
            """() => [...document.querySelectorAll('.column-cards .card-corner b')].filter(b => {
                const r = b.getBoundingClientRect()
                return [.15, .75].some(y => !b.closest('.column-slot').contains(
                    document.elementFromPoint(r.x + r.width / 2, r.y + y * r.height)))
            }).length"""
        )
        assert covered == 0, viewport
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize(
    ("mode", "viewport"),
    [("advanced", PHONE), ("beginner", DESKTOP)],
    ids=["advanced, phone", "beginner, desktop"],
)
def test_a_whole_match_of_iron_man_by_taps(
    open_page: Open, server: InThread, mode: str, viewport: dict[str, int]
) -> None:
    """Each card is tapped, then its battle; the page says of the battles what the rules say."""
    touch, options = viewport == PHONE, {"mode": mode, "track_length": 3}
    page = open_page(viewport=viewport, has_touch=touch)
    match = begin_match(page, server, game="iron_man", options=options)
    for scene in asked(page, server, match):
        for zone in (z for z in scene.zones if z.kind == "duel"):
            drawn = page.locator(f"[data-zone='{zone.id}']")
            expect(drawn.locator(".duel-says")).to_have_text(zone.facts["short"])
            totals = [x for side in reversed(zone.facts["sides"]) if (x := side["total"])]
            see(page, lambda d=drawn: d.locator(".duel-total").evaluate_all(LAST_WORDS), totals)
        choice = scene.choices[-1]
        choose_on_table(page, server, match, choice, touch)
    see_end(page, "You win|wins|draw")


CONTRAST = ["color-contrast"]  # the one thing that is not the same in the dark
DRAWN = "() => document.querySelector('.box') && !document.querySelector('.opening')"
LAST_WORDS = "all => all.map(x => x.lastChild.textContent)"


def duel(server: InThread, position: str, *words: str) -> tuple[str, str, Match]:
    """The path of a match of Iron Man from a position, after these actions of each seat; the token
    of the other person, and the match.
    """
    made = server.make(["you", "open"], game="iron_man", seed=3)
    match = server.room(made["id"]).session.match
    match.load(position)
    for seat, own in enumerate(words):
        for word in own:
            match.submit(seat, word)
    token = take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    return f"/match/{made['id']}#{made['token']}", token, match


BEHIND = "A hand=1EU slots=312 deck=111111111 B hand=31 slots=511 deck=11111111 stage=flip"


LAST = (
    "A slots=--3 won=52 deck=1111111 B hand=2 slots=--5 won=4 deck=22222222 "
    "stage=flip battle=3 wins=AB"
)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_total_says_how_it_comes_about(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """On a tap, and on focus; and a card that is looked at says what it leads to, in its place."""
    path, _, _ = duel(server, BEHIND)
    page = open_page(path, viewport=viewport)
    band = page.locator("[data-zone='battle:1'] .duel-band")
    expect(band).to_contain_text("Ben leads")
    band.click()
    expect(page.locator("#choices")).to_contain_text("Iron Man: Flight Charge 3 = 3.")
    if viewport == DESKTOP:
        page.locator("[data-piece='line:0:1:0']").focus()
        page.keyboard.press("ArrowRight")
        expect(band).to_be_focused()
        expect(page.locator(".lens")).to_contain_text("War Machine: Full Thrust 5 = 5.")
    page.locator("[data-piece='hand:U']").click()
    expect(page.locator(".duel-ghost")).to_have_text("6 to 5, you lead")


def test_cards_of_the_last_round_are_told_from_those_of_this(
    open_page: Open, server: InThread
) -> None:
    """They say so, and where one's next card goes they make room for it."""
    path, _, match = duel(server, LAST)
    while match.phase != "PLACE":
        match.submit(match.to_act, match.legal_words()[0])
    while match.to_act != 0:
        match.submit(match.to_act, match.legal_words()[0])
    page = open_page(path)
    last = page.locator(".duel.is-last")
    zones = [z for z in match.scene(0).zones if z.kind == "duel" and z.facts["last"]]
    assert zones
    expect(last).to_have_count(len(zones))
    for k in range(len(zones)):
        expect(last.nth(k).locator(".duel-name")).to_contain_text("last round")
    following = page.locator(".duel.is-next.is-last")
    expect(following).to_have_count(1)
    assert following.locator(".duel-side:last-child .card").count() > 0
    page.locator(".fan .is-lit").first.hover()
    expect(page.locator(".duel.is-next .duel-ghost")).to_have_count(1)
    assert following.locator(".duel-side:last-child .card").count() == 0


def test_cards_out_of_reach_say_why(open_page: Open, server: InThread) -> None:
    path, _, _ = duel(server, BEHIND, "E")
    page = open_page(path)
    for piece, why, rule in (
        ("hand:1", "First choose the card that your shield discards", "IM-89"),
        ("line:0:0:0", "one of your opponent's cards", "IM-89"),
        ("line:1:0:0", "lies face down for battle 2", "IM-63"),
    ):
        page.locator(f"[data-piece='{piece}']").click(force=True)
        expect(page.locator("#choices")).to_contain_text(why)
        expect(page.locator("#choices")).to_contain_text(rule)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_sealed_cards_turn_over_together(open_page: Open, server: InThread, motion: str) -> None:
    """Both at once, their totals after them; nobody has to watch it."""
    placing = "A hand=1112 slots=--- B hand=5555 stage=place"
    path, ben, _ = duel(server, placing, "111", "55")
    page = open_page(path, reduced_motion=motion)
    expect(page.locator(".card.is-peek")).to_have_count(3)
    page.evaluate(
        """() => {
            window.turned = []
            const animate = Element.prototype.animate
            Element.prototype.animate = function (frames, how) {
                if (how.pseudoElement) window.turned.push(this.dataset.piece)
                return animate.call(this, frames, how)
            }
        }"""
    )
    with Seat(server, path[7:].partition("#")[0], ben) as seat:
        frame = seat.look()
        wanted = next(c for c in frame["scene"]["choices"] if c["word"] == "5")
        seat.act("last", wanted["action"])
    battle = page.locator("[data-zone='battle:1']")
    expect(battle.locator(".duel-says")).to_have_text("Ben leads")
    turned = [] if motion == "reduce" else ["line:0:0:0", "line:0:1:0"]
    assert sorted(page.evaluate("() => window.turned")) == turned
    page.keyboard.press("x")  # any key ends what moves
    moving = "e => e.getAnimations({ subtree: true }).filter(a => a.playState === 'running').length"
    assert battle.evaluate(moving) == 0


def test_two_people_in_two_browsers(open_page: Open, server: InThread) -> None:
    ada = open_page()
    made = begin(ada, server, "you", "open", options=SHORT)
    link = ada.get_by_label("Link for a friend", exact=True).input_value()
    ada.keyboard.press("Escape")
    assert re.fullmatch(rf"{server.url}/match/{made['id']}#[\w-]+", link)
    ada.goto(link)  # the host's own browser keeps the host's own seat
    expect(ada.locator("#choices")).to_contain_text("You already have a seat")
    ada.get_by_role("link", name="Back to your seat").click()
    ada.wait_for_url(re.compile(re.escape(made["token"])))
    ben = open_page(link.removeprefix(server.url), viewport=PHONE)
    ben.locator("#choices input").fill("Ben")
    ben.locator("#choices button").click()
    expect(ada.locator(".plaque").first).to_contain_text("Ben")
    expect(ada.get_by_role("dialog")).to_have_count(0)  # nobody is to be invited any more
    press_to_the_end(ada, ben)
    # again, the seats turned
    ben.get_by_role("button", name="Play again").hover()
    ben.mouse.down()  # a button must stay under the finger when the other is quicker
    ada.get_by_role("button", name="Play again").click()
    ada.wait_for_url(lambda url: made["id"] not in url)
    expect(ben.get_by_role("button", name="Join the next match")).to_be_visible()
    ben.mouse.up()
    ben.wait_for_url(lambda url: made["id"] not in url)
    assert ada.url.partition("#")[0] == ben.url.partition("#")[0]


@pytest.mark.parametrize("mode", ["advanced", "beginner"])
def test_sealed_cards_of_iron_man_never_reach_the_other_page(
    open_page: Open, server: InThread, mode: str
) -> None:
    """Two people play to the end; all that came over each line is looked through."""
    pages, heard = [open_page(), open_page(viewport=PHONE)], [list[str](), list[str]()]
    made = server.make(
        ["you", "open"], game="iron_man", seed=7, options={"mode": mode, "track_length": 2}
    )
    token = take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    for page, lines, mine in zip(pages, heard, (made["token"], token), strict=True):
        page.on(
            "websocket",
            lambda ws, lines=lines: ws.on("framereceived", lambda data: lines.append(str(data))),
        )
        page.goto(f"{server.url}/match/{made['id']}#{mine}")
    press_to_the_end(*pages)
    for me, lines in enumerate(heard):
        frames = frames_of(lines)
        scenes = [found for x in frames for found in within(x, "zones")]
        told = [x for f in frames for x in within(f, "event")]
        assert len(scenes) > 5
        hidden = 0
        for s in scenes:  # an intermediate view names the zones that have not changed by their ids
            zones = [z for z in s["zones"] if isinstance(z, dict)]
            assert not [z for z in zones if z["kind"] == "fan" and z["owner"] != me]
            for battle in (z for z in zones if z["kind"] == "duel"):
                is_open = battle["facts"]["last"] or battle["facts"]["notes"]
                for piece in () if is_open else battle["pieces"]:
                    if piece["id"].split(":")[2] == str(1 - me):
                        hidden += 1
                        assert (piece["kind"], piece["code"], piece["name"]) == ("back", "", "")
        assert hidden > 5
        secrets = [x["args"] for x in told if x["event"] in ("PLACED", "SEALED", "DREW")]
        assert {x["seat"] for x in secrets} == {0, 1}
        assert all(x["card"] is None for x in secrets if x["seat"] != me)


def frames_of(lines: list[str]) -> list[dict[str, Any]]:
    """What came over a line, each frame with its whole scene."""
    picture = Picture()
    whole = [picture.whole(json.loads(x)) for x in lines]
    return [{k: v for k, v in x.items() if k != "changes"} for x in whole]


def within(x: Any, key: str) -> Iterator[dict[str, Any]]:
    """All objects with this key, however deep."""
    if isinstance(x, dict):
        if key in x:
            yield x
        for inner in x.values():
            yield from within(inner, key)
    elif isinstance(x, list):
        for inner in x:
            yield from within(inner, key)


def test_who_invites_sees_the_link_at_once_and_that_it_works_here_only(
    open_page: Open, server: InThread
) -> None:
    """Also where the bots have begun already."""
    page = open_page()
    made = server.make(["you", "random", "open"], options={"starter": 1, "mulligan": 0})
    match = server.room(made["id"]).session.match
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    until(lambda: server.at_rest(lambda: match.history))
    page.reload()
    invites = page.get_by_role("dialog", name="Invite friends")
    link = invites.get_by_label("Link for a friend", exact=True)
    expect(link).to_have_value(re.compile(f"{server.host}/match/.*#"))
    expect(invites).to_contain_text("These links work on this machine only.")
    expect(invites).to_contain_text("--lan")
    expect(invites.locator("img.qr")).to_have_count(0)
    expect(invites.get_by_label("Link to watch", exact=True)).to_have_count(0)
    invites.get_by_role("button", name="Let a bot play").click()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Invite people to watch").click()
    watch = page.get_by_role("dialog", name="Invite people to watch")
    expect(watch.get_by_label("Link to watch", exact=True)).to_have_value(re.compile(made["id"]))


def test_a_friend_in_the_network_is_shown_the_way_by_a_qr_code(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(address, "network_address", lambda: "192.168.0.9")
    context = somebody(browser, reduced_motion="reduce")
    page = context.new_page()
    with in_thread(tmp_path, how={"lan": True}) as server:
        begin(page, server, "you", "open")
        invites = page.get_by_role("dialog", name="Invite friends")
        link = invites.get_by_label("Link for a friend", exact=True)
        expect(link).to_have_value(re.compile(rf"^http://192\.168\.0\.9:{server.port}/match/.*#"))
        code = invites.get_by_alt_text("QR code of the link to seat B")
        expect(code).to_be_visible()
        assert code.evaluate("x => x.complete && x.naturalWidth > 0")
        assert code.get_attribute("src") == qr_picture(link.input_value())
        expect(invites).not_to_contain_text("this machine only")
    context.close()


def test_an_open_seat_is_taken_by_the_id_of_the_match(open_page: Open, server: InThread) -> None:
    made = server.make(["you", "open"])
    for name in ("Ben", ""):
        page = open_page()
        page.get_by_label("A link or a match’s id").fill(made["id"])
        page.get_by_role("button", name="Join").click()
        if name:
            page.locator("#choices input").fill(name)
            page.get_by_role("button", name="Sit down").click()
            expect(page.get_by_role("group", name="Ben, you")).to_be_visible()
        else:
            expect(page.locator("#choices")).to_contain_text("You are watching")


def test_a_name_that_is_typed_stays_while_others_come(open_page: Open, server: InThread) -> None:
    made = server.make(["you", "open"])
    tokens = invitations(server, made)
    ben = open_page(f"/match/{made['id']}#{tokens[1]}")
    field = ben.locator("#choices input")
    field.fill("Ben")
    with Seat(server, made["id"], tokens[0]) as ada:
        ada.look()
        expect(ben.locator(".plaque").first).not_to_contain_text("away")  # they have heard of it
        expect(field).to_have_value("Ben")


def test_an_offer_is_asked_beside_the_question(open_page: Open, server: InThread) -> None:
    ada, ben = open_page(), open_page(viewport=PHONE)
    made = begin(ada, server, "you", "open")
    tokens = invitations(server, made)
    token = take_seat(server, made["id"], tokens[1], "Ben")
    ben.goto(f"{server.url}/match/{made['id']}#{token}")
    match = server.room(made["id"]).session.match
    expect(ada.get_by_role("dialog")).to_have_count(0)  # Ben is here
    ada.get_by_role("button", name="Keep your hand").click()
    until(lambda: server.at_rest(lambda: match.to_act) == 1)
    see_prompt(ben, match.scene(1).prompt)
    for answer in ("Decline", "Keep your hand", "Agree"):  # who plays on has refused
        ada.get_by_role("button", name="More", exact=True).click()
        ada.get_by_role("button", name="Offer a draw").click()
        expect(ada.locator("#choices")).to_contain_text("You offer a draw. Waiting for Ben.")
        asked = ben.locator("#choices")
        expect(asked).to_contain_text("Ada offers a draw.")
        expect(asked).to_contain_text(match.scene(1).prompt)
        asked.get_by_role("button", name=answer).click()
        expect(asked).not_to_contain_text("offers a draw")
        expect(ada.locator("#choices")).not_to_contain_text("Waiting for Ben.")
    for page in (ada, ben):
        expect(page.locator(END)).to_contain_text("A draw was agreed on")


def choose(server: InThread, id: str, token: str, word: str) -> None:
    """One choice of a player, over the wire."""
    with Seat(server, id, token) as player:
        player.look()
        words = {c["word"]: c["action"] for c in player.frame["scene"]["choices"]}
        answer = player.act(f"choice-{player.frame['n']}", words[word])
        assert answer["type"] == "ack", answer


def test_what_a_game_lets_all_agree_on_is_offered_as_a_draw_is(
    open_page: Open, server: InThread
) -> None:
    """The page knows no agreement: what may be offered the server tells."""
    ada, ben = open_page(), open_page(viewport=PHONE)
    made = begin(ada, server, "you", "open", game="battleball", seed=7)
    tokens = invitations(server, made)
    token = take_seat(server, made["id"], tokens[1], "Ben")
    ben.goto(f"{server.url}/match/{made['id']}#{token}")
    halt = ada.get_by_role("button", name="Offer to halt play")
    more = ada.get_by_role("button", name="More", exact=True)
    more.click()
    expect(ada.get_by_role("button", name="Offer a draw")).to_be_visible()
    expect(halt).to_have_count(0)  # before the lineup
    choose(server, made["id"], made["token"], "preset:1")
    choose(server, made["id"], token, "preset:1")
    ada.evaluate(NOTE_TOASTS)
    for answer in ("Decline", "Agree"):
        if answer == "Agree":  # at first the menu is open still
            more.click()
        halt.click()
        expect(ada.locator("#choices")).to_contain_text("You offer to halt play. Waiting for Ben.")
        asked = ben.locator("#choices")
        expect(asked).to_contain_text("Ada offers to halt play.")
        asked.get_by_role("button", name=answer).click()
        if answer == "Decline":
            wait_for_toast(ada, "Your offer to halt play was declined.")
        expect(asked).not_to_contain_text("offers to halt play")
    expect(ada.locator(".rail")).to_contain_text("both coaches agree")
    more.click()
    expect(ada.get_by_role("button", name="Offer a draw")).to_be_visible()
    expect(halt).to_have_count(0)


def test_an_answer_stays_though_something_happens(open_page: Open, server: InThread) -> None:
    """What happens stands in the log as well; an answer that a toast tells stands nowhere else."""
    ada = open_page()
    made = begin(ada, server, "you", "open", game="battleball", seed=7)
    token = take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    ada.evaluate(NOTE_TOASTS)
    ada.get_by_role("button", name="More", exact=True).click()
    ada.get_by_role("button", name="Offer a draw").click()
    with Seat(server, made["id"], token) as ben:
        while not ben.room.get("proposal"):
            ben.hear()
        ben.want("answer", "no", what="draw", yes=False)
    choose(server, made["id"], made["token"], "preset:1")
    choose(server, made["id"], token, "preset:1")  # and the toss tells who begins
    assert wait_for_toast(ada, "Your draw offer was declined.") > 2_400


def test_a_whole_match_by_keyboard_alone(open_page: Open, server: InThread) -> None:
    page = open_page()
    begins = page.get_by_role("button", name="Play now")
    begins.wait_for()
    for _ in range(60):  # Tab to the button that begins a match
        page.keyboard.press("Tab")
        if begins.evaluate("button => button === document.activeElement"):
            break
    expect(begins).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/match/"))
    for _ in range(STEPS):
        page.wait_for_function(
            f"() => document.querySelector('{END}') || document.querySelector('{BUTTONS}')",
            polling=POLLING,
        )
        if page.locator(END).count():
            break
        page.keyboard.press("1")
    else:
        raise AssertionError("the match does not end")


def test_to_decline_is_always_key_0(open_page: Open, server: InThread) -> None:
    """However many choices there are beside it; the others are numbered without it."""
    page, keys = open_page(), set()
    match = begin_match(page, server)
    for _ in range(6):
        page.wait_for_function(f"() => document.querySelector('{BUTTONS}')", polling=POLLING)
        scene = question(server, match)
        if scene is None or not any(c.tone == "quiet" and not c.path for c in scene.choices):
            step(page)
            continue
        (quiet,) = (c for c in scene.choices if c.tone == "quiet" and not c.path)
        button = page.locator("#choices .choices button", has_text=quiet.label)
        expect(button.locator("kbd")).to_have_text("0")
        keys.add(len(scene.choices))
        done = len(match.history)
        page.keyboard.press("0")
        until(lambda n=done: len(match.history) > n)
        assert match.history[done] == (0, quiet.word)
    assert keys


def test_many_lit_cards_bear_their_keys_and_no_button_repeats_them(
    open_page: Open, server: InThread
) -> None:
    page = open_page()
    match = begin_match(page, server)
    marks = page.locator(".fan .key-mark")
    expect(marks.first).to_be_visible()
    keys = marks.all_inner_texts()
    assert keys == [str(n + 1) for n in range(len(keys))]
    assert len(keys) > 4
    buttons = page.locator("#choices .choices button")
    for button in buttons.all():
        assert button.is_visible() == ("is-step" not in str(button.get_attribute("class")))
    cards = page.locator(".fan .card").evaluate_all("all => all.map(x => x.dataset.piece)")
    (second,) = (c for c in match.scene(0).choices if c.path[:1] == (cards[1],))
    page.set_viewport_size(PHONE)  # where nobody has keys
    expect(marks.first).to_be_hidden()
    page.keyboard.press("2")  # it picks, as a tap does
    expect(page.locator(".fan .is-picked")).to_have_attribute("data-piece", cards[1])
    assert not match.history
    page.keyboard.press("Enter")
    until(lambda: match.history)
    assert match.history[0] == (0, second.word)


def test_cards_are_played_by_tap_and_by_drag(open_page: Open, server: InThread) -> None:
    page = open_page(viewport=PHONE, has_touch=True)
    made = begin(page, server, "you", "random", options={"mulligan": 3})
    match = server.room(made["id"]).session.match
    page.locator("[data-zone='deck']").wait_for()
    card = page.locator("[data-piece^='hand:']").first
    tap_on(card)
    tap_on(page.locator("[data-zone='deck']"))
    until(lambda: len(match.history) == 1)  # what it leads to is also said before
    expect(page.locator("#choices")).to_contain_text(re.compile("2 more card"))
    card, deck = page.locator("[data-piece^='hand:']").first, page.locator("[data-zone='deck']")
    card.drag_to(deck)
    until(lambda: len(match.history) == 2)
    expect(page.locator("#choices")).to_contain_text(re.compile("1 more card"))


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_last_action_is_undone_beside_the_question(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """Where one looks, not in a menu: by a button, or by its key."""
    touch = viewport == PHONE
    page = open_page(viewport=viewport, has_touch=touch)
    match = begin_match(page, server, options={"mulligan": 3})
    page.locator("[data-piece^='hand:'].is-lit").first.wait_for()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_count(0)
    for k in range(2):
        page.locator("[data-piece^='hand:'].is-lit").first.click()
        page.locator("[data-zone='deck'].is-lit").click()
        until(lambda: len(match.history) == 1)
        expect(undo).to_be_in_viewport()
        tap_on(undo) if touch else page.keyboard.press("u") if k else undo.click()
        until(lambda: not match.history)
        expect(undo).to_have_count(0)


# ---- what is not allowed, and what goes wrong ----------------------------------------------------
def test_a_tap_on_what_is_not_allowed_says_why_with_the_rule(
    open_page: Open, server: InThread
) -> None:
    page = open_page()
    for seed in range(40):  # a deal in which a defence card is held and one's own turn comes first
        made = begin(
            page, server, "you", "random", seed=seed, options={"mulligan": 0, "starter": 0}
        )
        scene = server.room(made["id"]).session.match.scene(0)
        if refused := [x for x in scene.refusals if x.id.startswith("hand:")]:
            break
    # a screen reader is told that it cannot be chosen; a tap on it is heard all the same
    page.locator(f"[data-piece='{refused[0].id}']").click(force=True)
    expect(page.locator("#choices")).to_contain_text(refused[0].why)
    expect(page.locator("#choices")).to_contain_text(refused[0].rules[0])
    page.locator("#choices").get_by_text(refused[0].rules[0]).click()
    expect(page.get_by_role("dialog")).to_contain_text(refused[0].rules[0])


def test_a_page_goes_on_by_itself_after_the_server_was_killed(
    browser: Browser, tmp_path: Path
) -> None:
    context = somebody(browser, reduced_motion="reduce")
    page = context.new_page()
    with in_process(tmp_path) as server:
        begin(page, server, "you", "random", options={"mulligan": 3})
        page.locator("[data-piece^='hand:']").first.click()
        page.locator("[data-zone='deck'] .hit").click()
        expect(page.locator("#choices")).to_contain_text(re.compile("2 more card"))
        expect(page.locator(WAITING)).to_have_count(0)
        card = page.locator("[data-piece^='hand:']").first
        card.click()  # and is about to say for what
        port = server.port
        server.process.kill()
        server.process.wait()
        expect(page.get_by_text(re.compile("connection|lost", re.IGNORECASE)).first).to_be_visible()
    with in_process(tmp_path, port=port):
        expect(page.locator(".lost")).to_have_count(0)
        expect(card).to_have_attribute("aria-pressed", "true")
        play_on(page)
        see_end(page, "win|wins|draw")
    expect(page.locator(".lost")).to_be_in_viewport()  # and so it is said after the end
    context.close()


def test_a_choice_made_while_the_server_is_away_is_done_when_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    """At the first picture of a run and at a later one; sent and not read, and not even sent."""
    context = somebody(browser, reduced_motion="reduce")
    page = context.new_page()
    port, match = 0, {}

    def tap() -> None:
        expect(page.locator(WAITING)).to_have_count(0)
        page.locator("[data-piece^='hand:']").first.click()
        page.locator("[data-zone='deck'] .hit").click()
        expect(page.locator(WAITING)).to_have_count(1)

    for asked, is_sent in (("up to 3 cards", True), ("up to 2 more cards", False)):
        with in_process(tmp_path, port=port) as server:
            if not match:
                port = server.port
                match = begin(page, server, "you", "random", options={"mulligan": 3})
            expect(page.locator(".lost")).to_have_count(0)
            expect(page.locator("#choices")).to_contain_text(asked)
            if is_sent:
                server.process.send_signal(signal.SIGSTOP)
                tap()
            server.process.kill()
            server.process.wait()
            expect(page.locator(".lost")).to_be_visible()
            if not is_sent:
                tap()
    with in_process(tmp_path, port=port) as server:
        expect(page.locator("#choices")).to_contain_text("1 more card")
        expect(page.locator(".toast")).to_have_count(0)
        done = server.ask("GET", f"/api/matches/{match['id']}", match["token"]).json()
        assert "1 more card" in done["prompt"]
    context.close()


APPLIED = """async texts => {
    const { changed, unpacked } = await import('/web/scene.js')
    const inOrder = x => x && typeof x === 'object' && !Array.isArray(x)
        ? Object.fromEntries(Object.entries(x).sort().map(([k, v]) => [k, inOrder(v)]))
        : Array.isArray(x) ? x.map(inOrder) : x
    const text = x => JSON.stringify(inOrder(x))
    const read = x => unpacked(JSON.parse(x))
    const next = ([before, changes]) => text(changed(read(before), JSON.parse(changes)))
    return texts.filter(x => next(x) !== text(read(x[2])))
}"""


def test_the_page_makes_of_changes_the_next_scene(open_page: Open) -> None:
    """As Python does (test_deltas.py): in each mode of each game, there and back."""
    page = open_page("/web/sprite.svg")
    for name, mode in MODES:
        for viewer in (None, 0):
            scenes = [x[viewer] for x in pictures(name, mode, seed=7)]
            said = [
                [x.decode() for x in (a.as_json, changes(a, b), b.as_json)]
                for a, b in [*pairwise(scenes), *pairwise(reversed(scenes))]
            ]
            assert page.evaluate(APPLIED, said) == [], (name, mode)


def test_a_frame_that_is_lost_is_made_up_for(open_page: Open, server: InThread) -> None:
    """Changes of a scene that the page has not got: it asks for the whole one, and plays on."""
    page, hellos, scenes, lost = open_page(), list[dict[str, Any]](), list[int](), list[int]()

    def between(line: WebSocketRoute) -> None:
        to_server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if (said := json.loads(message))["type"] == "hello":
                hellos.append(said)
            to_server.send(message)

        def pass_back(message: str | bytes) -> None:
            if (said := json.loads(message))["type"] == "frame":
                if said["n"] > 1 and not said["question"] and not lost:
                    lost.append(said["n"])  # another one follows when a bot has played
                    return
                if said.get("scene"):
                    scenes.append(said["n"])
            line.send(message)

        line.on_message(pass_on)
        to_server.on_message(pass_back)

    page.route_web_socket(re.compile("/live$"), between)
    match = begin_match(page, server, options=SHORT)
    press_to_the_end(page)
    assert match.over
    assert ["run" in x for x in hellos] == [False, False]
    assert len(scenes) == 2
    assert scenes[0] < lost[0] < scenes[1]


def test_who_is_not_answered_calls_again(open_page: Open, server: InThread) -> None:
    """A machine that stands still accepts lines, and answers none."""
    page, lines = open_page("/web/sprite.svg"), list[WebSocketRoute]()
    page.clock.install()

    def between(line: WebSocketRoute) -> None:
        lines.append(line)
        if len(lines) > 1:
            line.connect_to_server()

    page.route_web_socket(re.compile("/live$"), between)
    made = server.make(["you", "open"])
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    until(lambda: page.evaluate("1") and lines)
    page.clock.run_for(5_000)
    expect(page.locator(".cue")).to_have_text("Your turn")
    assert len(lines) > 1


@pytest.mark.parametrize("said", ["error", "room"])
@pytest.mark.parametrize("helps", [True, False])
def test_a_page_of_another_version_is_loaded_again_once(
    browser: Browser, server: InThread, helps: bool, said: str
) -> None:
    context = somebody(browser, reduced_motion="reduce")
    page, hellos = context.new_page(), list[dict[str, Any]]()
    loads = list[str]()
    page.on("domcontentloaded", lambda x: loads.append(x.url))

    def between(line: WebSocketRoute) -> None:
        to_server = line.connect_to_server()
        is_other = not helps or not hellos

        def pass_on(message: str | bytes) -> None:
            if (hello := json.loads(message))["type"] == "hello":
                hellos.append(hello)
                if is_other and said == "error":
                    error = {"code": "other_protocol", "message": "Other words.", "where": ""}
                    line.send(json.dumps({"type": "error", "error": error}))
                    line.close()
                    return
            to_server.send(message)

        def pass_back(message: str | bytes) -> None:
            room = json.loads(message)
            if room["type"] == "room" and is_other:
                room["protocol"] = PROTOCOL + 1
            line.send(json.dumps(room))

        line.on_message(pass_on)
        to_server.on_message(pass_back)

    page.route_web_socket(re.compile("/live$"), between)
    begin(page, server, "you", "open")
    if helps:
        expect(page.locator(".cue")).to_have_text("Your turn")
        page.reload()
        expect(page.locator(".cue")).to_have_text("Your turn")
    else:
        expect(page.get_by_role("button", name="Reload")).to_be_visible()
        expect(page.locator("main")).to_contain_text("different versions of battlebox")
    assert len(loads) == len(hellos) == (3 if helps else 2)
    assert {x["protocol"] for x in hellos} == {PROTOCOL}
    assert len({x["token"] for x in hellos}) == 1
    context.close()


@pytest.mark.parametrize("path", ["/match/nothing", "/replay/nothing", "/rules/nothing", "/what"])
def test_wrong_addresses_are_told_in_plain_words(
    browser: Browser, server: InThread, path: str
) -> None:
    context = somebody(browser)
    page = context.new_page()
    page.goto(f"{server.url}{path}")
    expect(page.locator("body")).to_contain_text(
        re.compile("no such match|no game|no page", re.IGNORECASE)
    )
    context.close()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_lit_card_says_what_comes_of_it(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """On the card itself, when it is pointed at; on a phone on the button, when it is tapped."""
    touch = viewport == PHONE
    page = open_page(viewport=viewport, has_touch=touch)
    match = begin_match(page, server)
    choice = next(c for c in match.scene(0).choices if c.path and c.sub)
    card = page.locator(f"[data-piece='{choice.path[0]}']")
    expect(card).to_have_class(re.compile("is-lit"))
    expect(card.locator(".would")).to_be_hidden()
    tap_on(card) if touch else card.hover()
    would = page.locator("#choices .choice.is-main") if touch else card.locator(".would")
    expect(would).to_contain_text(choice.sub)
    expect(would).to_be_visible()
    expect(card.locator(".would")).to_be_visible(visible=not touch)


# ---- who watches ---------------------------------------------------------------------------------
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_watches_can_pause_step_and_go_to_now(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """The match goes on meanwhile: it is said how far one is behind."""
    made = server.make(["you", "open"], seed=5)
    match, id = server.room(made["id"]).session.match, made["id"]
    token = take_seat(server, id, invitations(server, made)[1], "Ben")
    page = open_page(f"/match/{id}", viewport=viewport)
    pause = page.get_by_role("button", name="Pause")
    expect(pause).to_be_in_viewport(ratio=1)
    page.keyboard.press(" ")
    behind, log = page.locator(".playbar .choice small"), page.locator(".prompt-text")
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(1)
    before = log.inner_text()
    with Seat(server, id, made["token"]) as a, Seat(server, id, token) as b:
        for k in range(6):
            who = (a, b)[server.at_rest(lambda: match.to_act)]
            while not who.look()["scene"]["choices"] or who.frame["n"] < k:
                who.hear()
            do_first(who, f"go-{k}")
    expect(behind).to_have_text("6 steps behind")
    assert log.inner_text() == before
    assert page.locator(".skip-ahead").count() == 0
    page.keyboard.press("ArrowRight")
    expect(behind).to_have_text("5 steps behind")
    page.get_by_role("button", name="One step forward").click()
    expect(behind).to_have_text("4 steps behind")
    page.keyboard.press("ArrowLeft")
    expect(behind).to_have_text("5 steps behind")
    speeds = []
    for _ in range(4):
        page.get_by_role("button", name=re.compile("^Speed")).click()
        speeds.append(page.get_by_role("button", name=re.compile("^Speed")).inner_text())
    assert speeds == ["2×", "4×", "0.5×", "1×"]
    assert violations(page) == []
    page.get_by_role("button", name="Catch up").click()
    expect(behind).to_have_count(0)
    expect(pause).to_have_count(1)
    prompt = server.at_rest(lambda: match.scene(None).prompt)
    expect(log).to_have_text(prompt)
    page.keyboard.press("ArrowLeft")  # what was seen can be seen again
    expect(behind).to_have_text("1 step behind")
    expect(page.locator("[role=status][aria-live]")).not_to_contain_text("Taken back")
    page.keyboard.press(" ")
    expect(behind).to_have_count(0)
    expect(log).to_have_text(prompt)


def test_who_plays_has_no_bar(open_page: Open, server: InThread) -> None:
    page = open_page()
    begin(page, server, "you", "random")
    page.wait_for_selector(BUTTONS, state="attached")
    assert page.locator(".playbar").count() == 0


def do_first(who: Seat, id: str) -> None:
    """The first of somebody's choices."""
    action = who.frame["scene"]["choices"][0]["action"]
    assert who.act(id, action)["type"] == "ack"


def test_a_table_looks_the_same_whichever_way_one_comes_to_it(
    open_page: Open, server: InThread
) -> None:
    """The looks of a game are known to the first page, before those of all tables are asked for."""
    page = open_page()
    where = """() => [...document.querySelectorAll('.tray [class]')].map(x => {
        const { x: left, y, width, height } = x.getBoundingClientRect()
        return [x.className, left, y, width, height].join()
    })"""
    for game in ("iron_man", "medieval"):
        made = begin(page, server, "you", "open", game=game, seed=3)
        page.locator(".tray .card").first.wait_for()
        page.keyboard.press("Escape")
        page.wait_for_function(AT_REST, polling=POLLING)
        directly = page.evaluate(where)
        page.goto(server.url)
        page.locator(".bay").first.wait_for()
        page.locator(f"a[href*='{made['id']}']").first.click()
        page.locator(".tray .card").first.wait_for()
        page.keyboard.press("Escape")
        page.wait_for_function(AT_REST, polling=POLLING)
        assert page.evaluate(where) == directly


def test_a_replay_plays_steps_and_has_a_speed(open_page: Open, server: InThread) -> None:
    made = server.make(["random", "random", "random"])
    until(lambda: server.room(made["id"]).session.end)
    page = open_page(f"/replay/{made['id']}?step=3")
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("3")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("4")
    for _ in range(2):
        page.get_by_role("button", name=re.compile("^Speed")).click()
    expect(page.get_by_role("button", name="Speed 4. Change")).to_have_count(1)
    page.get_by_role("button", name="Play", exact=True).click()
    until(lambda: int(slider.input_value()) >= 6)  # by itself
    page.keyboard.press("ArrowLeft")  # a step back pauses
    expect(page.get_by_role("button", name="Play", exact=True)).to_have_count(1)
    page.keyboard.press("End")
    expect(page.get_by_role("button", name="One step forward")).to_have_attribute(
        "aria-disabled", "true"
    )
    slider.press(" ")  # from the end it begins anew
    expect(page.get_by_role("button", name="Pause")).to_have_count(1)
    until(lambda: 0 < int(slider.input_value()) < 6)


# ---- the end, replay, dice -----------------------------------------------------------------------
def test_the_end_is_explained_and_the_dice_are_checked(open_page: Open, server: InThread) -> None:
    page = open_page()
    made = begin(page, server, "you", "random", options=SHORT)
    play_on(page)
    end = server.room(made["id"]).session.end
    assert end is not None
    page.get_by_role("button", name=re.compile("Check the dice")).click()
    verdict = expect(page.locator(".fair .verdict"))
    verdict.to_contain_text("(this browser was shown the same one before the end).")
    other = open_page(f"/match/{made['id']}")  # has come after the end
    other.get_by_role("button", name=re.compile("Check the dice")).click()
    expect(other.locator(".fair .verdict")).to_contain_text(
        "follow from the secret, which has the hash shown before the match."
    )
    page.get_by_role("link", name=re.compile("replay", re.IGNORECASE)).or_(
        page.get_by_role("button", name=re.compile("replay", re.IGNORECASE))
    ).first.click()
    page.wait_for_url(re.compile("/replay/"))
    slider = page.get_by_role("slider")
    steps = len(server.room(made["id"]).session.match.history)
    expect(slider).to_have_attribute("max", str(steps))  # it is loaded
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_value(str(steps))
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value(str(steps - 1))


CUT = """() => {
  const list = document.querySelector('.last ol'), { top } = list.getBoundingClientRect()
  const lines = [...list.children].map(line => line.getBoundingClientRect())
  return lines.some(r => r.top < top - 1 && r.bottom > top + 1)
}"""


def test_the_end_says_who_has_won_and_cuts_no_line(open_page: Open, server: InThread) -> None:
    """The rules know winners, and no places behind them."""
    made = server.make(["random"] * 4, seed=3)
    until(lambda: server.room(made["id"]).session.end)
    end = server.room(made["id"]).session.end
    page = open_page(f"/match/{made['id']}")
    rows = page.locator(".end .standings li")
    expect(rows).to_have_count(4)
    winners = [x for x in end.returns if x == max(end.returns)]
    expect(page.locator(".standings .place .ico")).to_have_count(len(winners))
    assert [x.strip() for x in page.locator(".standings .place").all_inner_texts()][-1] == ""
    for height in (800, 740, 755, 770):
        page.set_viewport_size({"width": 1280, "height": height})
        page.wait_for_function(f"() => !({CUT})()", polling=POLLING)


def test_the_page_and_the_command_find_the_same_forgeries(
    open_page: Open, server: InThread
) -> None:
    """verify.js and core/fair.py are two texts of one definition."""
    m = Match(bb.load("war_zone", players=3), chance=Fair(bytes(range(32))))
    while not m.over:
        m.submit(m.to_act, m.legal_actions[0])
    true = m.record()
    page = open_page("/rules/war_zone")
    check = "async text => (await import('/web/review/verify.js')).verify(text)"
    verdict = page.evaluate(check, true)
    assert verdict["ok"]
    assert isinstance(m.chance, Fair)
    assert verdict["outcomes"] == m.chance.count
    lines, k = true.splitlines(), 0
    for n, line in enumerate(lines):
        for outcome in line.split()[1:] if line.startswith("chance") else ():
            head, value = outcome.split("=")
            forged = f"{head}={','.join(reversed(value.split(',')))}"
            forged = f"{forged}9" if forged == outcome else forged
            text = "\n".join([*lines[:n], line.replace(outcome, forged, 1), *lines[n + 1 :], ""])
            verdict = page.evaluate(check, text)
            with pytest.raises(bb.RecordError) as e:
                bb.replay(text)
            assert not verdict["ok"]
            assert verdict["line"] == n + 1
            assert f"line {n + 1}: outcome {k} is {forged}" in str(e.value)
            k += 1
    assert k == m.chance.count


# ---- a field -------------------------------------------------------------------------------------
def field_of(server: InThread, *words: str, position: str = "") -> tuple[str, Match]:
    """The path of a match on a field between two people, after these actions; and the match."""
    made = server.make(["you", "open"], game="battleball", options={"advanced": True}, seed=3)
    match = server.room(made["id"]).session.match
    if position:
        match.load(position)
    for word in words:
        while match.phase != "LINEUP" and match.to_act == 1:  # they go first
            match.submit(1, match.legal_actions[0])
        match.submit(match.to_act, word)
    take_seat(server, made["id"], invitations(server, made)[1], "Ben")  # so that nobody is invited
    return f"/match/{made['id']}#{made['token']}", match


def runs(match: Match) -> Any:
    """The choice of somebody who wants to be in the end zone soon."""
    choices = match.scene(0).choices

    def worth(c: Any) -> tuple[bool, bool, int]:
        row = int(re.sub(r"\D", "", c.word) or 0) if match.phase == "DEST" else 0
        first = c.word.startswith(("preset", "R", ">"))
        return c.word == "TD", c.word.endswith("*") or first, row

    holder = match.scene(0).zone("field").facts["token"].get("holder", "")
    carries = [c for c in choices if match.phase == "SELECT" and c.path == (holder,)]
    return carries[0] if carries else max(choices, key=worth)


def lay_lineup(page: Page, label: str) -> None:
    """Lays a stored lineup; it is still to be confirmed."""
    stored = page.get_by_role("button", name=label)
    page.locator("#choices .choices button").first.wait_for()
    if not stored.count():
        page.get_by_role("button", name="Stored lineups").click()
    stored.click()


def make_choice(page: Page, match: Match, choice: Any, touch: bool) -> None:
    """By taps on the field, then the button that says the same; it is done when this returns: what
    is asked next is another question.
    """
    done = len(match.history)
    press_choice(page, choice, touch)
    until(lambda: len(match.history) > done)
    assert match.history[done][1] == choice.word


def press_choice(page: Page, choice: Any, touch: bool) -> None:
    """The presses of `make_choice`."""
    if choice.any_order:
        lay_lineup(page, choice.label)
        page.get_by_role("button", name=f"Confirm: {choice.label}").click()
        return
    taps = [id for id in choice.path if page.locator(f"[data-piece='{id}']").count()]
    for id in taps:
        it = page.locator(f"[data-piece='{id}']").first
        it.evaluate("el => el.scrollIntoView({ block: 'center' })")  # from under what sticks
        page.wait_for_function(AT_REST, polling=POLLING)
        press_on(it, touch, force=True)
    button = page.locator("#choices .choices button", has_text=choice.label)
    is_seen = not touch and [x for x in taps if x.startswith(("cell:", "end:"))]
    is_seen = is_seen and len(choice.path) == 1 and "without the ball" not in choice.label
    if len(taps) < 2 and not is_seen:
        button.first.click()


def play_on_field(page: Page, server: InThread, match: Match, touch: bool) -> None:
    """To the end, each choice on the field, without watching what the others do at their pace."""
    for _ in asked(page, server, match):
        page.locator(BUTTONS).first.wait_for(state="attached")  # what was sent before is through
        make_choice(page, match, runs(match), touch)
        page.wait_for_function(
            "() => !document.querySelector('.choices button[disabled]')", polling=POLLING
        )
    see_end(page, "You win|wins|tie")
    expect(page.locator(".standings .crest")).to_have_count(2)
    expect(page.locator(".standings")).to_contain_text("Iron Wolves, you")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_whole_match_on_a_field(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """On the smallest field and for a few turns, as each choice takes several taps."""
    touch = viewport == PHONE
    page = open_page(viewport=viewport, has_touch=touch)
    options = {"advanced": True, "rows": 15, "cols": 10, "max_plies": 6}
    match = begin_match(page, server, game="battleball", options=options)
    play_on_field(page, server, match, touch)


def test_a_whole_match_on_a_field_against_a_bot_that_thinks(
    open_page: Open, tmp_path: Path
) -> None:
    """On the field people play on, for a few turns; Battleball is compiled, as the bot needs it."""
    page = open_page()
    with in_thread(tmp_path) as server:
        options = {"advanced": True, "max_plies": 8}
        made = begin(page, server, "you", "medium", game="battleball", options=options, seed=5)
        match = server.room(made["id"]).session.match
        play_on_field(page, server, match, touch=False)
        assert match.over
        page.goto("about:blank")  # it does not miss the server


def test_a_field_with_a_team_of_ones_own(open_page: Open, server: InThread) -> None:
    """The dice are drawn as the team has them: one that has no outline of its own, as the next."""
    made = server.make(["you", "open"], game="battleball", deck=OWN_TEAM, seed=3)
    take_seat(server, made["id"], invitations(server, made)[1], "Ben")  # so that nobody is invited
    page = open_page(f"/match/{made['id']}#{made['token']}")
    expect(page.locator("#choices")).to_contain_text("Tap a square for Sprinter R1")
    lay_lineup(page, "Lineup Wedge")
    drawn = {
        code: page.locator(f"[data-piece='figure:{code}'] .shape").first.get_attribute("d")
        for code in ("R1", "S1", "B1", "L1", "T1", "H1")
    }
    assert len(set(drawn.values())) == 5, "a d12, a d11 as a d10, a d9 as a d8, a d7 as a d6, a d4"
    assert drawn["T1"] == drawn["H1"], "a d5 as a d4"


def test_the_field_by_keyboard(open_page: Open, server: InThread) -> None:
    """From the lineup to a move, with keys alone; the way of a move is drawn before it is made."""
    path, match = field_of(server)
    page = open_page(path)
    expect(page.locator("#choices")).to_contain_text("Tap a square for Heavy Tackle H1")
    page.locator(".on-bench[data-piece='figure:R3']").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".prompt-text")).to_have_text("Running Back R3: on which square?")
    cell = page.locator(".cell.is-lit").first
    expect(cell).to_have_accessible_name(re.compile("Square .*Place Running Back R3 here"))
    cell.focus()
    page.keyboard.press("ArrowRight")
    at = page.evaluate("() => document.activeElement.dataset.piece")
    page.keyboard.press("Enter")
    figure = page.locator(".figure[data-piece='figure:R3']")
    expect(figure).to_be_focused()  # and from there the arrows go on
    expect(figure).to_have_accessible_name(re.compile(f"Lies at {at[5:]}"))
    expect(page.locator("[role=status][aria-live]")).to_contain_text(
        f"Running Back R3: {at[5:]}. 10 left."
    )
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".prompt-text")).to_contain_text("Tackle T1: on which square? 9 left.")
    page.keyboard.press("Escape")
    expect(page.locator(".prompt-text")).to_contain_text("H1: on which square? 10 left.")
    page.keyboard.press("1")
    page.keyboard.press("3")
    expect(page.locator(".prompt-text")).to_have_text("Lineup Blitz?")
    assert match.history == []
    page.keyboard.press("1")
    until(lambda: match.history)
    assert match.history == [(0, "preset:3")]

    page.goto(server.url + field_of(server, "preset:1", "preset:1", "R1")[0])
    page.locator(".cell.is-lit").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    at = page.evaluate("() => document.activeElement.dataset.piece").removeprefix("cell:")
    expect(page.locator(".way-end")).to_have_count(1)  # the way is drawn, with its steps
    expect(page.locator("#choices")).to_contain_text(f"Move Running Back R1 to {at}")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".figure[data-piece='figure:R1']")).to_have_attribute(
        "aria-label", re.compile(f" on {at}")
    )


def cells_of(match: Match, figure: str) -> list[str]:
    """Where a piece stands, as its owner sees it."""
    return list(match.scene(0).zone("field").facts["at"].get(figure, []))


def carry(page: Page, figure: str, cell: str) -> None:
    """Drags a piece of the field, or of the bench, to a lit square."""
    page.mouse.move(*middle(page, f"[data-piece='{figure}'] .rim"))
    page.mouse.down()
    page.mouse.move(640, 390, steps=3)  # on the way it is picked, and its squares are lit
    page.mouse.move(*middle(page, f"[data-piece='cell:{cell}']"), steps=3)


def middle(page: Page, selector: str) -> tuple[float, float]:
    box = page.locator(selector).first.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def stands(page: Page) -> dict[str, str]:
    """The pieces on the field that one has laid, and the first of their squares."""
    figures = page.locator(".figure:is([data-tone='wolf'])").all()
    names = [x.get_attribute("aria-label") or "" for x in figures]
    found = [re.search(r"(\w\d) of the .*Lies at (\w+)", x) for x in names]
    return {x[1]: x[2] for x in found if x}


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_lineup_is_laid_in_any_order_and_confirmed_once(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """Any piece on any square, by taps or drags; what stands is moved, changes places or
    goes back; the engine is told piece by piece in its own order, when it is confirmed.
    """
    touch = viewport == PHONE
    path, match = field_of(server)
    page = open_page(path, viewport=viewport, has_touch=touch)

    def tap(*ids: str) -> None:
        for id in ids:
            it = page.locator(f"[data-piece='{id}']").first
            press_on(it, touch)

    def drag(piece: str, to: str) -> None:
        carry_by(page, piece, f"[data-piece='{to}']", touch)

    page.locator(".cell.is-lit").first.wait_for()
    page.get_by_role("button", name=re.compile("List squares")).click()
    until(lambda: page.locator("#choices .choices button").count() > 40)
    page.keyboard.press("Escape")
    tap("figure:R1", "cell:f5")
    until(lambda: stands(page) == {"R1": "f5"})
    expect(page.locator(".is-ghost")).to_have_count(0)
    expect(page.locator(".on-bench[data-piece='figure:R1']")).to_have_count(0)
    drag("figure:L2", "cell:c3")
    until(lambda: stands(page) == {"R1": "f5", "L2": "c3"})
    tap("cell:a1")  # who is next on the bench needs no picking
    until(lambda: stands(page) == {"R1": "f5", "L2": "c3", "H1": "a1"})
    tap("figure:R1", "cell:k5")
    until(lambda: stands(page)["R1"] == "k5")
    drag("figure:R1", "figure:L2")  # who stands there changes places with it
    until(lambda: stands(page) == {"R1": "c3", "L2": "k5", "H1": "a1"})
    tap("figure:L2", "figure:L2")
    until(lambda: stands(page) == {"R1": "c3", "H1": "a1"})
    drag("figure:R1", "figure:L2")  # back to the bench
    until(lambda: stands(page) == {"H1": "a1"})
    lay_lineup(page, "Lineup Wall")
    until(lambda: len(stands(page)) == 11)
    expect(page.locator(".prompt-text")).to_have_text("Lineup Wall?")
    tap("figure:R1", "cell:a1")
    expect(page.locator(".prompt-text")).to_contain_text("You can still move pieces")
    laid = stands(page)
    assert (laid["R1"], match.history) == ("a1", [])
    page.get_by_role("button", name=re.compile("^Confirm")).click()
    until(lambda: match.phase != "LINEUP" or match.to_act == 1)
    order = ("H1", "T1", "L1", "L2", "B1", "B2", "S1", "S2", "R1", "R2", "R3")
    assert match.history == [(0, laid[piece]) for piece in order]


def test_a_lineup_that_is_interrupted_is_finished(open_page: Open, server: InThread) -> None:
    """The line breaks before a piece is sent, and before one is acknowledged: none is lost, none
    is placed twice.
    """
    path, match = field_of(server)
    page, sent = open_page(), []

    def between(line: WebSocketRoute) -> None:
        to_server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if json.loads(message)["type"] == "act":
                sent.append(json.loads(message)["id"])
                if len(sent) in (3, 8):
                    line.close()
                    return
            to_server.send(message)

        def pass_back(message: str | bytes) -> None:
            if len(sent) == 6 and json.loads(message)["type"] == "ack":
                sent.append("lost")
                line.close()
            else:
                line.send(message)

        line.on_message(pass_on)
        to_server.on_message(pass_back)

    page.route_web_socket(re.compile("/live$"), between)
    page.goto(server.url + path)
    page.locator(".cell.is-lit").first.wait_for()
    lay_lineup(page, "Lineup Wall")
    for id in ("figure:R1", "cell:a1"):
        page.locator(f"[data-piece='{id}']").click()
    page.get_by_role("button", name=re.compile("^Confirm")).click()
    expect(page.locator(".prompt-text")).to_have_text("Ben lines up.")
    assert (len(match.history), len(sent) - len({*sent})) == (11, 3)
    assert [word for _, word in match.history][-3:] == ["a1", "a3", "k3"]
    expect(page.locator(".toast", has_text="picture")).to_have_count(0)


@pytest.mark.parametrize(("game", "part"), [("war_zone", ">"), ("battleball", "")])
def test_what_others_did_last_is_shown_again(
    open_page: Open, server: InThread, game: str, part: str
) -> None:
    """By a button or a key: the pictures that one has got, with a bar; the match waits
    as it stood.
    """
    page = open_page("/web/sprite.svg")
    page.clock.install()
    match = begin_match(page, server, game=game)
    again = page.get_by_role("button", name="Replay")

    def told() -> str:
        return page.locator(".log").inner_text()

    def since_mine() -> list[str]:
        return [word for _, word in takewhile(lambda x: x[0] != 0, reversed(match.history))]

    for _ in asked(page, server, match):
        page.locator(BUTTONS).first.wait_for(state="attached")
        # what is shown again has lines in the log: in War Zone an attack has, a pass has not
        if again.count() and any(part in word for word in since_mine()):
            break
        if game == "battleball":
            make_choice(page, match, runs(match), touch=False)
        else:
            step(page)
            page.evaluate(DRAWN_ANEW)
            page.wait_for_function(f"() => !document.querySelector('{WAITING}')", polling=POLLING)
    before, prompt = told(), page.locator(".prompt-text").inner_text()
    done = [*match.history]
    stop_clock(page)
    page.keyboard.press("r")
    page.clock.run_for(100)  # it is drawn; no picture has gone by
    expect(page.get_by_role("button", name="Catch up")).to_be_visible()
    expect(again).to_have_count(0)
    expect(page.locator(".cue")).to_have_text("Replay")
    assert len(told()) < len(before)
    page.clock.run_for(14_000)  # so long nobody misses the server, which goes by another clock
    expect(page.locator(".playbar")).to_have_count(0)
    expect(page.locator(".prompt-text")).to_have_text(prompt)
    assert told() == before
    again.click()
    page.clock.run_for(100)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(4_000)
    page.get_by_role("button", name="Catch up").click()
    page.clock.run_for(100)
    expect(page.locator(".playbar")).to_have_count(0)
    expect(page.locator(".prompt-text")).to_have_text(prompt)
    assert match.history == done
    page.clock.resume()


CLICKS = {  # by the word of what is chosen: a position, and how many clicks of a mouse it takes
    "R1": ("R1f5,S1a1/s1k25 @f13 - W M 1 0-0 -", 2),
    "use": ("R1f5,S1a1/s1k25 @f13 - W W:R1=3 1 0-0 trW=TR3", 1),  # Second Wind, played or not
    "decline": ("R1f5,S1a1/s1k25 @f13 - W W:R1=3 1 0-0 trW=TR3", 1),
    "f9": ("R1f5,S1a1/s1k25 @f13 - W D:R1=7 1 0-0 -", 1),
    "TD": ("R1f25,S1a1/s1k13 R1 - W D:R1=3 2 0-1 -", 1),
    "R1xs1": ("R1f12,S1g12/s1f13,r1g13 R1 - W A 1 0-0 -", 2),
    ">S1": ("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", 2),
    "^S1": ("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", 2),
    "=": ("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", 1),
    "low": ("H1e12,S1a1/s1f13,r1k25 @a20 - W X:H1=2.5xs1=7 1 0-0 -", 1),
}


def test_a_move_takes_three_clicks(open_page: Open, server: InThread) -> None:
    """Choosing a piece takes two, as its dice roll then; where it goes, one. Second Wind is a
    question of its own, between the two: it costs one click whatever one answers."""
    page = open_page()
    for word, (position, clicks) in CLICKS.items():
        path, match = field_of(server, position=position)
        page.goto("about:blank")
        page.goto(server.url + path)
        done = len(match.history)
        choice = next(c for c in match.scene(0).choices if c.word == word)
        page.locator("#choices .choices button, .is-lit").first.wait_for()
        drawn = [page.locator(f"[data-piece='{id}']") for id in choice.path]
        if drawn:
            drawn[0].first.wait_for(state="attached")
        spots = [x.first for x in drawn if x.count()]
        button = page.locator("#choices .choices button", has_text=choice.label)
        for k in range(clicks):
            if len(match.history) > done:  # a button says all of it
                break
            it = spots[k] if k < len(spots) else button.first
            page.wait_for_function(AT_REST, polling=POLLING)  # what is forced waits for nothing
            it.click(force=True)
            page.evaluate(DRAWN_ANEW)
            page.wait_for_function(f"() => !document.querySelector('{WAITING}')", polling=POLLING)
        assert match.history[done : done + 1] == [(0, word)], (word, clicks)


def test_lineups_are_kept(open_page: Open, server: InThread) -> None:
    """The last one of a match, and one's own in this browser; they lie there to be changed."""
    path, match = field_of(server)
    page = open_page(path)
    page.locator(".cell.is-lit").first.wait_for()
    page.get_by_role("button", name="Stored lineups").click()
    expect(page.get_by_role("button", name="As last time")).to_have_count(0)
    page.get_by_role("button", name="Lineup Wall").hover()
    expect(page.locator(".is-ghost")).to_have_count(11)  # seen before it is taken
    page.get_by_role("button", name="Lineup Wall").click()
    expect(page.get_by_role("button", name="Save")).to_have_count(0)  # it is there already
    for id in ("figure:R1", "cell:a1"):
        page.locator(f"[data-piece='{id}']").click()
    laid = stands(page)
    page.get_by_role("button", name="Save this lineup").click()
    page.get_by_role("button", name="Name or delete My lineup 1").click()
    name = page.get_by_role("textbox", name="Name of My lineup 1")
    for wrong in ("", "  "):
        name.fill(wrong)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("Give the lineup a name.")
    name.fill("Wide net")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Name or delete Wide net")).to_be_visible()
    until(lambda: stands(page) == laid)
    page.get_by_role("button", name=re.compile("^Confirm")).click()
    until(lambda: len(match.history) == 11)
    page.wait_for_function(
        "() => /a1/.test(localStorage['battlebox.lastLineups'])", polling=POLLING
    )

    second = "-/- @f13 - W L 2 0-1 box=R1"  # one piece is not there any more
    server.at_rest(lambda: match.load(second))
    page.reload()
    page.locator(".cell.is-lit").first.wait_for()
    lay_lineup(page, "As last time")
    until(lambda: stands(page) == {k: v for k, v in laid.items() if k != "R1"})

    page.goto(server.url + field_of(server)[0])  # another match
    page.locator(".cell.is-lit").first.wait_for()
    page.get_by_role("button", name="Stored lineups").click()
    expect(page.get_by_role("button", name="As last time")).to_have_count(0)
    page.get_by_role("button", name="Wide net").click()
    until(lambda: stands(page) == laid)
    page.get_by_role("button", name="Save this lineup").wait_for(state="detached")
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Stored lineups").click()
    page.get_by_role("button", name="Name or delete your own lineups").click()
    page.get_by_role("button", name="Delete Wide net", exact=True).click()
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Save this lineup")).to_be_visible()
    page.get_by_role("button", name="Stored lineups").click()
    expect(page.get_by_role("button", name="Lineup Wall")).to_be_visible()
    expect(page.get_by_role("button", name="Wide net")).to_have_count(0)


def test_a_lineup_that_is_being_laid_stays(open_page: Open, server: InThread) -> None:
    """While the line is lost, and while one sees again what the others did."""
    made = server.make(["open", "you"], game="battleball", seed=3)
    ben = take_seat(server, made["id"], invitations(server, made)[0], "Ben")
    page = open_page(f"/match/{made['id']}#{made['token']}")
    expect(page.locator(".prompt-text")).to_have_text("Ben lines up.")
    choose(server, made["id"], ben, "preset:1")
    for id in ("figure:r1", "cell:f21", "figure:b1", "cell:b21"):
        page.locator(f"[data-piece='{id}']").click()
    laid = page.locator(".figure.is-laid")
    expect(laid).to_have_count(2)
    page.evaluate("() => dispatchEvent(new Event('offline'))")
    expect(page.locator(".lost")).to_be_visible()
    page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(page.locator(".lost")).to_have_count(0)
    expect(laid).to_have_count(2)
    page.keyboard.press("r")
    expect(page.locator(".cue")).to_have_text("Replay")
    expect(laid).to_have_count(0)
    page.get_by_role("button", name="Catch up").click()
    expect(laid).to_have_count(2)
    expect(page.locator(".prompt-text")).to_contain_text("9 left.")
    where = labels(laid)
    page.reload()
    expect(laid).to_have_count(2)
    assert labels(laid) == where
    assert "Lies at" in where[0]
    page.evaluate("""() => sessionStorage.setItem('battlebox.laid',
        sessionStorage.getItem('battlebox.laid').replace('cell:f21', 'cell:f1'))""")
    page.reload()
    page.locator(".on-bench[data-piece='figure:b1']").wait_for()
    expect(laid).to_have_count(0)  # not what may not lie there


def test_nothing_stays_of_a_lineup_that_is_over(open_page: Open, server: InThread) -> None:
    path, match = field_of(server)
    page = open_page(path)
    page.locator(".cell.is-lit").first.wait_for()
    lay_lineup(page, "Lineup Wall")
    page.get_by_role("button", name="Confirm: Lineup Wall").click()
    expect(page.locator(".prompt-text")).to_have_text("Ben lines up.")
    server.at_rest(lambda: match.load("-/- @f13 - W L 2 0-1 -"))
    page.reload()
    page.locator(".on-bench[data-piece='figure:H1'], .cell.is-lit").first.wait_for()
    expect(page.locator(".prompt-text")).to_contain_text("Line up your pieces")
    expect(page.locator(".figure.is-laid")).to_have_count(0)


SIZE_OF_FIELD = """() => {
    const r = document.querySelector('.board').getBoundingClientRect()
    return [r.x, r.y, r.width, r.height]
}"""


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_field_stays_as_large_whatever_is_looked_at(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """Else it would move away from under the pointer, and come back, and so on."""
    page = open_page("/web/sprite.svg", viewport=viewport)

    def see(position: str, *ids: str) -> None:
        page.goto(server.url + field_of(server, position=position)[0])
        for there in ("#choices .choices button", ".board .figure"):
            page.locator(there).first.wait_for()
        page.wait_for_function(AT_REST, polling=POLLING)
        size = page.evaluate(SIZE_OF_FIELD)
        for id in ids if viewport == DESKTOP else ():
            page.locator(f".board [data-piece='{id}']").first.hover()
            page.evaluate(DRAWN_ANEW)
            assert page.evaluate(SIZE_OF_FIELD) == size, id
        opens = page.get_by_role("button", name=re.compile("^List "))
        if opens.count():
            opens.click()
            page.get_by_role("button", name="Close the list").wait_for(state="attached")
            assert page.evaluate(SIZE_OF_FIELD) == size, "with a list"

    see("R1l20,S1a1,S2b1/r2k21,s1k25 R1 - W A 1 0-0 -", "figure:R1", "figure:r2", "figure:s1")
    see("R1f12,S1a1/b1g14,s1k25 R1 - W D:R1=9 1 0-0 -", "cell:f13", "cell:l12", "figure:b1")
    see("R1l2,R2a1,R3a3,S1a5,S2a7,L1a9,L2a11/b1g14 R1 - W M 1 0-0 -", "figure:R1", "figure:b1")


OVERFLOW = "e => e.scrollHeight - e.clientHeight"
#: no dice, one, two; with the ball or not; who is away has their turn
ROLLED = (
    "H1f12,R1a3,S1a5/b1g18,s1k25 R1 - W M 1 0-0 -",
    "H1f12,R1a3,S1a5/b1g18,s1k25 R1 - W D:R1=9 1 0-0 -",
    "H1f12,R1a3,S1a5/b1g18,s1k25 @d19 - W D:H1=4.3 1 0-0 -",
    "H1f12,R1a3,S1a5/b1g18,s1k25 b1 - H D:b1=2 1 0-0 -",
)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_field_lies_where_it_lies_whatever_is_rolled(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    page = open_page("/web/sprite.svg", viewport=sized(size))

    def top(position: str) -> float:
        page.goto(server.url + field_of(server, position=position)[0])
        page.locator(".board .figure").first.wait_for()
        page.wait_for_function(AT_REST, polling=POLLING)
        return float(page.evaluate(SIZE_OF_FIELD)[1])

    assert len({top(position) for position in ROLLED}) == 1


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_three_choices_on_a_field_are_seen_whole(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    position = "R1f12,S1f13/b1g12,s1g13 R1 - W A 1 0-0 -"
    page = open_page(field_of(server, position=position)[0], viewport=sized(size))
    expect(page.locator("#choices .choices button")).to_have_count(3)
    page.wait_for_function(AT_REST, polling=POLLING)
    assert page.locator("#choices .choices").evaluate(OVERFLOW) <= 1


def test_who_is_to_be_tackled_may_be_tapped_first(open_page: Open, server: InThread) -> None:
    """All tackles of an opponent are offered; the next tap says who does it."""
    position = "R1f12,S1f13/b1g12,s1g13 R1 - W A 1 0-0 -"
    page = open_page(field_of(server, position=position)[0])
    page.locator("[data-piece='figure:b1']").click()
    expect(page.locator("[data-piece='figure:b1']")).to_have_class(re.compile("is-picked"))
    expect(page.locator(".board .figure.is-lit")).to_have_count(2)
    offered = page.locator("#choices").get_by_role("button", name=re.compile("tackles Harts' B1"))
    expect(offered).to_have_count(2)
    page.locator("[data-piece='figure:s1']").click()  # only one can do that
    expect(page.locator(".prompt-text")).to_have_text("Safety S1 tackles Harts' S1?")
    page.locator("[data-piece='figure:S1']").click()
    expect(page.locator(".dice-say")).to_contain_text("Harts' S1")


def test_a_piece_of_the_field_is_dragged_to_its_square(open_page: Open, server: InThread) -> None:
    path, match = field_of(server, "preset:1", "preset:1", "R1")
    page = open_page(path)
    cell = match.scene(0).choices[0].word
    page.locator(f"[data-piece='cell:{cell}']").wait_for()
    carry(page, "figure:R1", cell)
    expect(page.locator(".way-end")).to_have_count(1)
    page.mouse.up()
    until(lambda: cells_of(match, "figure:R1") == [cell])
    expect(page.locator(".trail")).to_have_count(1)  # what the last turn did


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_dice_of_a_tackle_can_be_read(open_page: Open, server: InThread, motion: str) -> None:
    """Side by side, who lost struck out, and why in words; they tumble only for who likes that."""
    path, _ = field_of(server, position="R1f12,S1a1,S2b1/b1f13,s1k25 R1 - W A 1 0-0 -")
    page = open_page(path, reduced_motion=motion)
    page.locator("#choices button", has_text="R1 tackles Harts' B1").click()
    dice = page.locator(".die")
    expect(dice).to_have_count(2)
    values = [int(x) for x in dice.locator("b").all_inner_texts()]
    line = page.locator(".log li", has_text="rolls")  # with the crest of the team it names
    expect(line.filter(has_text="Wolves'").locator(".crest[data-tone=wolf]")).to_have_count(1)
    expect(line.filter(has_text="Harts'").locator(".crest[data-tone=hart]")).to_have_count(1)
    words = page.locator(".dice-say")
    expect(words).to_contain_text(f"R1 {values[0]}, Harts' B1 {values[1]}")
    lost = [i for i in (0, 1) if values[i] >= values[1 - i]]
    expect(page.locator(".die.is-beaten")).to_have_count(len(lost))
    tumbles = dice.first.evaluate("e => getComputedStyle(e).animationName")
    assert (tumbles == "tumble") == (motion == "no-preference")
    expect(page.locator(".burst")).to_have_count(len(lost))
    off = page.evaluate(
        """() => {
            const middle = e => {
                const r = e.getBoundingClientRect()
                return [r.x + r.width / 2, r.y + r.height / 2]
            }
            const squares = [...document.querySelectorAll('.brick')].map(middle)
            return [...document.querySelectorAll('.burst')].map(middle).map(([x, y]) => (
                Math.min(...squares.map(([a, b]) => Math.hypot(x - a, y - b)))
            ))
        }"""
    )
    assert all(d < 2 for d in off)  # carnage lies in the middle of its square


def test_odds_stand_beside_what_is_aimed_at(open_page: Open, server: InThread) -> None:
    """On the button, and on the field as soon as the choice is looked at."""
    path, _ = field_of(server, position="R1f12,S1a1,S2b1/b1f13,l1a2,s1k25 R1 - W A 1 0-0 -")
    page = open_page(path)
    button = page.locator("#choices button", has_text="R1 tackles Harts' B1")
    expect(button).to_contain_text(re.compile(r"you win 22\s%, lose 73\s%, tie 5\s%; fumble 5\s%"))
    page.mouse.move(5, 5)
    expect(page.locator(".odds")).to_have_count(0)
    button.hover()
    expect(page.locator(".odds")).to_have_text(re.compile(r"22\s%\s*tie 5\s%"))
    odds, target = (
        page.locator(x).bounding_box() for x in (".odds", "[data-piece='figure:b1'] .rim")
    )
    assert odds
    assert target
    assert odds["x"] >= target["x"] + target["width"]  # beside it

    crowd = "R1f12,S1a1,R3e12,L1f11/b1f13,l1e13,r2g12,s1k25,t1g13 R1 - W A 1 0-0 -"
    path, match = field_of(server, position=crowd)
    page.goto("about:blank")
    page.goto(server.url + path)
    tackles = [c.path for c in match.scene(0).choices if c.path == ("figure:R1", "figure:b1")]
    for size in (DESKTOP, PHONE, {"width": 844, "height": 390}):
        page.set_viewport_size(size)
        page.locator(f"[data-piece='{tackles[0][0]}']").dispatch_event("click")
        page.locator(f"[data-piece='{tackles[0][1]}']").hover(force=True)
        page.locator(".odds").wait_for(state="attached")
        hidden, least = page.evaluate(
            """() => {
                const box = x => x.getBoundingClientRect()
                const mark = box(document.querySelector('.odds rect'))
                const lies = r => r.left < mark.right - 1 && r.right > mark.left + 1 &&
                    r.top < mark.bottom - 1 && r.bottom > mark.top + 1
                const small = document.querySelector('.odds-s')
                const unit = mark.height / 22 * parseFloat(getComputedStyle(small).fontSize)
                return [[...document.querySelectorAll('.figure .rim')].map(box).some(lies), unit]
            }"""
        )
        assert not hidden, size  # no piece is beneath it
        assert least > 10, size  # pixels: it can be read
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_label("Bots play")).to_be_visible()
    expect(page.get_by_label("Cards", exact=True)).to_have_count(0)  # nobody holds any here


def test_pieces_keep_their_size_and_the_ball_is_seen(open_page: Open, server: InThread) -> None:
    """On half squares, too, and beside others; the ball lies above all figures, on the field."""
    path, _ = field_of(server, position="R1a12,S1b12,S2f5,L1l6/b1f20,s1k25 R1 - W M 1 0-0 -")
    page = open_page(path)
    page.locator(".ball").wait_for(state="attached")
    seen = page.evaluate(
        """() => {
            const box = x => document.querySelector(x).getBoundingClientRect()
            const [ball, field] = ['.ball', '.board > .bricks'].map(box)
            const [one, two] = ['R1', 'S1'].map(x => box(`[data-piece="figure:${x}"] .rim`))
            const rims = [...document.querySelectorAll('.figure[data-piece] .rim')]
            return {
                sizes: new Set(rims.map(x => Math.round(x.getBoundingClientRect().width))).size,
                within: ball.x >= field.x && ball.y >= field.y && ball.right <= field.right,
                above: document.querySelector('.figure[data-piece] ~ .ball ~ .figure') === null,
                apart: Math.hypot(one.x - two.x, one.y - two.y) / one.width,
            }
        }"""
    )
    assert seen["sizes"] == 1
    assert seen["within"]
    assert seen["above"]
    assert seen["apart"] > 0.85  # they hardly touch


def test_a_piece_walks_round_others_and_the_ball_comes_along(
    open_page: Open, server: InThread
) -> None:
    """Step by step; where the ball lay it is come to first. No motion, if that is set."""
    note = """() => {
        window.walked = {}
        const animate = Element.prototype.animate
        Element.prototype.animate = function (frames, how) {
            const name = this.dataset.piece || this.getAttribute('class')
            window.walked[name] = frames.map(x => x.transform)
            return animate.call(this, frames, how)
        }
    }"""
    way = "R1f12,S1a1/s1k25 @f14 f13,g13 W D:R1=8 1 0-0 -"
    for motion in ("reduce", "no-preference"):
        path, match = field_of(server, position=way)
        page = open_page(path, reduced_motion=motion)
        page.locator("[data-piece='cell:f15']").wait_for()
        page.locator(".burst").first.wait_for()  # what draws moves has been loaded
        page.evaluate(note)
        taken = next(c for c in match.scene(0).choices if c.word == "f15*")
        page.locator("[data-piece='cell:f15']").click()
        buttons = page.locator("#choices .choices button")
        expect(buttons.first).to_contain_text(taken.label)  # with the ball, before "without"
        expect(buttons.nth(1)).to_contain_text("without the ball")
        buttons.first.click()
        expect(page.locator("[data-piece='figure:R1']")).to_have_attribute(
            "aria-label", re.compile("on f15, with the ball")
        )
        walked = page.evaluate("() => window.walked")
        if motion == "reduce":
            assert "figure:R1" not in walked
            continue
        ways = match.rules.match(1, position=way).scene(0).zone("field").facts["ways"]
        assert str(taken.action) in ways
        assert len(walked["figure:R1"]) == len(walked["ball"]) > 3
        assert len({*walked["ball"]}) < len({*walked["figure:R1"]})  # it lies still at first

    path, match = field_of(server, position="R1f12,S1a1/s1k25 @c13 k9 W D:R1=8 1 0-0 -")
    page.goto("about:blank")
    page.goto(server.url + path.partition("#")[0])  # who watches sees it, too
    page.locator("[data-piece='figure:R1']").wait_for()
    page.locator(".burst").wait_for()
    page.evaluate(note)
    choose(server, *path.removeprefix("/match/").split("#"), "e14*")
    expect(page.locator("[data-piece='figure:R1']")).to_have_attribute(
        "aria-label", re.compile("on e14, with the ball")
    )
    walked = page.evaluate("() => window.walked")
    assert len(walked["figure:R1"]) == 6  # two steps, but for the ball
    drawn = page.locator(".trail path").get_attribute("d") or ""
    assert drawn.count("L") == 5


def test_a_drag_before_the_roll_says_what_comes_first(open_page: Open, server: InThread) -> None:
    path, match = field_of(server, "preset:1", "preset:1")
    while match.phase != "SELECT" or match.to_act != 0:
        match.submit(match.to_act, match.legal_actions[0])
    page = open_page(path)
    page.locator(".figure.is-lit").first.wait_for()
    piece = match.scene(0).choices[0].path[0].removeprefix("figure:")
    done = len(match.history)
    page.mouse.move(*middle(page, f"[data-piece='figure:{piece}'] .rim"))
    page.mouse.down()
    page.mouse.move(640, 390, steps=3)
    page.mouse.up()
    expect(page.locator("#choices")).to_contain_text("Your piece rolls first")
    assert len(match.history) == done
    assert page.evaluate("() => String(getSelection())") == ""
    # what a piece is, one sees by tap and by hover, also of an opponent's
    other = page.locator("[data-piece='figure:l1']").first
    expect(other.locator("title")).to_have_text(re.compile("Harts' Lineman L1: .*rolls a d8"))
    other.click()
    expect(page.locator("#choices")).to_contain_text(
        re.compile("Harts' Lineman L1 is not yours.*rolls a d8 to move, and to tackle")
    )


@pytest.mark.parametrize("by", ["Escape", "click"])
def test_a_touchdown_is_a_moment(open_page: Open, server: InThread, by: str) -> None:
    """Across the page, above the question, and in nobody's way; gone as soon as one likes."""
    path, _ = field_of(server, position="R1f25,S1a1/s1k25 R1 - W D:R1=3 1 0-0 -")
    page = open_page("/web/sprite.svg")
    page.clock.install()
    page.goto(server.url + path)
    touchdown = page.locator("#choices button", has_text="Touchdown with")
    touchdown.wait_for()
    stop_clock(page)
    touchdown.click()
    banner = page.locator(".toast.is-banner")
    until(lambda: page.clock.run_for(50) or banner.count())  # it stays for more than that
    expect(banner).to_contain_text("Touchdown for the Iron Wolves! Second half.")
    expect(banner.locator(".crest[data-tone=wolf]")).to_have_count(1)
    where = """e => [e.getBoundingClientRect().width / innerWidth,
        e.getBoundingClientRect().bottom <
            document.querySelector('#choices').getBoundingClientRect().top,
        getComputedStyle(e).pointerEvents]"""
    until(lambda: banner.evaluate(where) == [1, True, "none"])  # once the field's style is there
    page.clock.run_for(200)  # until then it need not listen yet
    if by == "click":
        page.mouse.click(640, 400)
    else:
        page.keyboard.press(by)
    page.clock.run_for(50)
    expect(banner).to_have_count(0)
    page.clock.resume()


def test_a_touchdown_stands_beside_the_list_of_squares(open_page: Open, server: InThread) -> None:
    path, match = field_of(server, position="R1f25,S1a1/s1k25 R1 - W M 1 0-0 -")
    page = open_page(path)
    page.locator("[data-piece='figure:R1']").click()
    page.locator("#choices .choices button").first.click()
    expect(page.locator("#choices")).to_contain_text("List squares")
    page.locator("#choices button", has_text="Touchdown with Running Back R1").click()
    expect(page.locator(".score")).to_contain_text("1")
    assert match.history[-1][1] == "TD"


def test_what_one_has_set_off_can_be_read_before_others_act(open_page: Open) -> None:
    """Their next picture waits, however the bots hurry; one's own never does, and a tap skips."""
    shown = open_page().evaluate(
        """async () => {
            const { playback } = await import('/web/match/playback.js')
            const seen = [], player = playback(s => seen.push(s.n)), told = [], steps = []
            const push = (n, seat) => {
                told.push({ turn: n, event: 'ROLLED', args: { seat }, text: 'a roll' })
                const scene = { viewer: 0, to_act: 0 }
                player.push({ n, scene, told: [...told], fresh: 1 }, false)
                steps.push([...seen])
            }
            push(1, 0)
            push(2, 0)
            push(3, 1)
            push(4, 1)
            player.skip()
            steps.push([...seen])
            push(5, 0)
            player.stop()
            return steps
        }"""
    )
    assert shown == [[1], [1, 2], [1, 2], [1, 2], [1, 2, 4], [1, 2, 4, 5]]


def test_who_watches_goes_back_and_forth_at_a_speed(open_page: Open) -> None:
    """Paused, nothing comes by itself; twice as quick, it comes in half the time."""
    seen, film = open_page().evaluate(
        """async () => {
            const { stepper } = await import('/web/match/playback.js')
            const seen = [], waits = [], real = setTimeout
            window.setTimeout = (f, ms) => (waits.push(ms), 0)
            const now = performance.now
            performance.now = () => 0 // clocks are read, not waited for
            let last = 4
            const show = k => seen.push(k), changed = () => {}, wait = () => 600
            const player = stepper({ last: () => last, wait, show, changed })
            player.to(0)
            player.rate(2)
            player.rate(0.5)
            player.play(false)
            player.to(3)
            player.to(9)
            player.to(-1)
            last = 5
            player.pump()
            player.play(true)
            window.setTimeout = real
            performance.now = now
            return [[seen, waits], player.film()]
        }"""
    )
    assert seen == [[0, 3, 4, 0], [600, 300, 1200, 1200]]
    assert film == {"first": 0, "at": 0, "last": 5, "playing": True, "speed": 0.5}


# ---- a ring of seats ----------------------------------------------------------------------------
FRIENDS = ("Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo")
RING = "ba1 n={n} ph=FL turn=0 ids={ids} exp=1 {hands} deck=5.9 disc=4.BT.7.7 stand=7x2@2 open=0.1"
RICH = "4.4.4.9.9.11.12.EX.SV.EL"


def ring_of(server: InThread, n: int, hand: str = RICH) -> tuple[str, Match]:
    """The path of a match of Battle between so many people, in the midst of a battle."""
    made = server.make(["you", *["open"] * (n - 1)], game="battle", seed=5)
    match = server.room(made["id"]).session.match
    ids = ".".join("HV"[p % 2] for p in range(n))
    hands = " ".join([f"hand0={hand}", *(f"hand{p}={p}.{p}.SK" for p in range(1, n))])
    match.load(RING.format(n=n, ids=ids, hands=hands))
    for seat, invitation in invitations(server, made).items():
        if seat:
            take_seat(server, made["id"], invitation, FRIENDS[seat - 1])
    return f"/match/{made['id']}#{made['token']}", match


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_whole_round_of_battle_by_taps(
    lively: InThread, open_page: Open, viewport: dict[str, int]
) -> None:
    """A rank, then a number; a card, then a seat."""
    touch, options, server = viewport == PHONE, {"rounds": 1}, lively
    page = open_page(viewport=viewport, has_touch=touch)
    made = begin(page, server, "you", *["random"] * 3, game="battle", seed=5, options=options)
    match = server.room(made["id"]).session.match
    chance, lengths = random.Random(2), set()
    for scene in asked(page, server, match):
        choice = chance.choice(scene.choices)
        lengths.add(len(choice.path))
        choose_on_table(page, server, match, choice, touch)
    see_end(page, "win|wins|draw|level")
    assert {1, 2} <= lengths


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("n", [4, 10])
def test_what_one_is_and_has_to_do_is_always_in_sight(
    open_page: Open, server: InThread, viewport: dict[str, int], n: int
) -> None:
    path, match = ring_of(server, n)
    page = open_page(path, viewport=viewport)
    goal = page.locator(".goal")
    expect(goal).to_have_text(
        "You are a superhero. Your side scores when one of you runs out of fight cards (the "
        "numbers) and plays an identity, or all villains are out."
    )
    expect(goal).to_be_in_viewport(ratio=1)
    match.submit(0, "pass")
    page.reload()
    expect(goal).to_be_in_viewport(ratio=1)  # while others think, too
    watching = open_page(path.partition("#")[0])
    watching.locator(".ring-seat").first.wait_for()
    assert watching.locator(".goal").count() == 0


@pytest.mark.parametrize("timing", ["own_turn", "windows"])
def test_a_match_of_battle_between_two_people_and_four_bots(
    lively: InThread, open_page: Open, clock: ManualClock, timing: str
) -> None:
    """Two browsers, to two points. One page is gone for a while: a bot plays on, and then they have
    their seat again. All that came over each line is looked through.
    """
    options = {"target_points": 2 if timing == "own_turn" else 1, "action_timing": timing}
    seats = ["you", "random", "random", "open", "random", "random"]
    made = lively.make(seats, game="battle", options=options, seed=11)
    token = take_seat(lively, made["id"], invitations(lively, made)[3], "Ben")
    room, keys = lively.room(made["id"]), {0: made["token"], 3: token}
    match, links = room.session.match, {p: f"/match/{made['id']}#{keys[p]}" for p in keys}
    heard: dict[int, list[str]] = {0: [], 3: []}
    pages = {0: open_page(), 3: open_page(viewport=PHONE)}

    press_one = f"() => document.querySelector('{PRESSED}')?.click()"

    def come(p: int) -> None:
        pages[p].on(
            "websocket",
            lambda ws: ws.on("framereceived", lambda data: heard[p].append(str(data))),
        )
        pages[p].goto(lively.url + links[p])

    def press(*those: int) -> bool:
        """Those who are here press what they are offered; then time passes. Whether it is over."""
        for p in those:
            pages[p].evaluate(press_one)
        end_response_window(lively, match, *those)
        return is_over(lively, match)

    for p in pages:
        come(p)
    for page in pages.values():  # nobody misses the beginning
        expect(page.locator(".ring-seat")).to_have_count(len(seats))
    until(lambda: press(0, 3) or len(match.history) > 20)
    pages[3].close()
    let_pass(clock, AWAY)
    until(lambda: 3 in room.presence.replaced)
    expect(pages[0].locator(".ring-seat", has_text="Ben").locator(".chips")).to_contain_text(
        "a bot"
    )
    before = len(match.history)

    def played() -> bool:
        return any(seat == 3 for seat, _ in match.history[before:])

    until(lambda: press(0) or played(), 4 * PATIENCE)
    # in one round they may be out before their turn; in several it comes
    assert timing == "windows" or played()
    pages[3] = pages[3].context.new_page()
    come(3)
    until(lambda: 3 not in room.presence.replaced)
    until(lambda: press(0, 3), 4 * PATIENCE)
    for page in pages.values():
        until(lambda page=page: page.evaluate(press_one) or page.locator(END).count())
    assert match.over
    assert max(match.state.points) == options["target_points"]
    asked = 0
    for me, lines in heard.items():
        asked += check_that_nothing_leaks(me, lines)
    assert asked > 0


#: what a page offers to press, and what it wants to have read
PRESSED = f"dialog.standings button.is-main, {BUTTONS}"


def check_that_nothing_leaks(me: int, lines: list[str]) -> int:
    """No identity before it lies open, no hand, no question of another. How often all waited."""
    frames = frames_of(lines)
    hidden = countdowns = 0
    for f in frames:
        countdowns += "countdown" in f
        for x in within(f, "event"):
            if x["event"] == "IDENTITY":
                assert x["args"]["seat"] == me
            if x["event"] in ("DREW", "DECLINED", "WAITED") and x["args"]["seat"] != me:
                assert x["event"] == "DREW"
                assert x["args"]["card"] is None
        for s in within(f, "zones"):
            zones = [z for z in s["zones"] if isinstance(z, dict)]
            assert not [z for z in zones if z["kind"] == "fan" and z["owner"] != me]
            assert s.get("to_act") in (None, me) or s["phase"] not in ("SV", "WI")
            for seat in (z for z in zones if z["kind"] == "plaque"):
                sides = {"hero", "villain"} & {piece["tone"] for piece in seat["pieces"]}
                exposed = {"superhero", "villain"} & set(seat["facts"]["chips"])
                assert bool(sides) == bool(exposed) or seat["owner"] == me
                hidden += not exposed
    assert hidden > 10  # it was looked at: how many pictures come depends on how quick the page is
    return countdowns


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_saw_a_round_end_reads_how_it_ended(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """Once: who was what, and all points; a page opened later says nothing of it."""
    path, match = ring_of(server, 6, "SK")
    page = open_page(path, viewport=viewport)
    choose_on_table(
        page, server, match, next(c for c in match.scene(0).choices if c.word == "ID"), False
    )
    read = page.locator("dialog.standings")
    expect(read).to_contain_text("The superheroes (Cy, Eli and you) won by playing an identity.")
    rows = [" ".join(x.split()[1:]) for x in read.locator("li").all_inner_texts()]
    heroes = ["Ada superhero +1", "Cy superhero +1", "Eli superhero +1"]
    assert rows == [*heroes, "Bo villain", "Dee villain", "Fay villain"]
    expect(read.locator(".pips").first).to_have_attribute("aria-label", "1 of 3 points")
    assert violations(page) == []
    read.get_by_role("button", name="Continue to round 2").click()
    expect(read).to_have_count(0)
    page.reload()
    expect(page.locator(".ring-seat")).to_have_count(6)
    expect(read).to_have_count(0)


def test_the_next_round_waits_until_one_has_read_how_the_last_one_ended(
    open_page: Open, server: InThread
) -> None:
    path, match = ring_of(server, 6, "SK")
    page = open_page(path)
    over = next(c for c in match.scene(0).choices if c.word == "ID")
    choose_on_table(page, server, match, over, False)
    read = page.locator("dialog.standings")
    read.wait_for()
    scene, behind = page.locator(".scene"), page.locator("#choices").get_by_text("Skip ahead")
    held = scene.inner_text()
    room = server.room(path.removeprefix("/match/").partition("#")[0])
    for _ in range(3):
        seat, actions = server.at_rest(lambda: (match.to_act, match.legal_actions))
        assert seat is not None
        act(server, room, seat, actions[0])
    expect(behind).to_have_count(1)
    read.locator("p").click()  # it skips nothing
    assert scene.inner_text() == held
    expect(behind).to_have_count(1)
    read.get_by_role("button", name="Continue to round 2").click()
    expect(behind).to_have_count(0)
    assert scene.inner_text() != held


OVERLAPS = """() => {
    const all = [...document.querySelectorAll('.ring-seat, .way, .centre > *, .fan')]
    const boxes = all.map(x => x.getBoundingClientRect()).filter(r => r.width && r.height)
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
    return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => meet(a, b)).map(b => [a, b]))
}"""


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
def test_seats_lie_round_the_table_and_never_on_each_other(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    """In the order of play: up the left, along the top, down the right; on a phone in rows."""
    page = open_page(viewport=viewport)
    for n in (4, 6, 10):
        page.goto(server.url + ring_of(server, n)[0])
        expect(page.locator(".ring-seat")).to_have_count(n)
        names = page.locator(".ring-seat .plaque-name b").all_inner_texts()
        assert names == [*FRIENDS[: n - 1], "Ada"]
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_notes_are_kept_here_and_sent_nowhere(open_page: Open, server: InThread) -> None:
    path, match = ring_of(server, 5)
    page = open_page()
    sent: list[Any] = []

    def keep(message: Any) -> None:
        sent.append(message)

    page.on("websocket", lambda socket: socket.on("framesent", keep))
    page.on("request", lambda r: keep(r) if r.method != "GET" else None)
    page.goto(server.url + path)
    marks = page.locator(".noted")
    expect(marks).to_have_count(3)  # not on the one that lies open
    greeted = len(sent)
    for seat, presses in ((0, 1), (1, 2), (2, 4)):
        for _ in range(presses):
            marks.nth(seat).press("Enter")
    notes = ["unsure", "superhero", "none"]
    until(lambda: [x.partition("Your note: ")[2] for x in labels(marks)] == notes)
    assert len(sent) == greeted
    page.reload()
    expect(marks.nth(1)).to_have_attribute("aria-label", re.compile("Your note: superhero"))
    other = open_page(path.partition("#")[0])
    expect(other.locator(".ring-seat")).to_have_count(5)
    assert other.locator(".noted").count() == 0, "who only watches notes nothing"
    assert match.history == []


def labels(them: Any) -> list[str]:
    """What a screen reader calls them."""
    return [str(x) for x in them.evaluate_all("all => all.map(x => x.getAttribute('aria-label'))")]


# ---- hints, and how it went ----------------------------------------------------------------------
def hint_of(page: Page, ask: Callable[[], None]) -> str:
    """What is said when one asks for a hint; it is seen and heard alike."""
    page.wait_for_selector(".asking[aria-keyshortcuts=h]")
    ask()
    text = page.locator(".advice").inner_text()
    expect(page.locator("[role=status][aria-live]")).to_contain_text(text)
    return text


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_hint_is_lit_step_by_step(
    open_page: Open, server: InThread, viewport: dict[str, int]
) -> None:
    page = open_page(viewport=viewport)
    match = begin_match(page, server, game="medieval")
    text = hint_of(page, lambda: page.keyboard.press("h"))
    best = bb.bot("champion", match.rules).choose(match.observation(0))
    choice = next(c for c in match.scene(0).choices if c.action == best)
    assert choice.label in text
    assert re.search(r"\d+\s%", text)
    for id in choice.path[:4]:  # the last card has one place left, and lies there by itself
        lit = page.locator(".is-aim")
        expect(lit).to_have_attribute("data-piece" if id.startswith("hand") else "data-zone", id)
        said = lit.locator(".hit") if id.startswith("column") else lit
        expect(said).to_have_accessible_name(re.compile("The hint"))
        said.click(force=True)
    page.get_by_role("button", name="Confirm").click()
    until(lambda: match.history)
    assert match.history[0] == (0, choice.word)
    expect(page.locator(".advice")).to_have_count(0)


def test_a_hint_stands_on_its_button(open_page: Open, server: InThread) -> None:
    page = open_page()
    match = begin_match(page, server)
    ask = page.get_by_role("button", name="Hint", exact=True)
    text = hint_of(page, ask.click)
    marked = page.locator("#choices .choices .is-advised")
    expect(marked).to_have_count(1)
    assert page.locator("#choices .choices button").count() > 1
    assert str(marked.get_attribute("aria-label")).endswith("the hint")
    assert hint_of(page, lambda: ask.press("Enter")) == text  # the same again
    expect(ask).to_be_focused()
    assert violations(page) == []
    assert match.history == []
    marked.click()
    until(lambda: match.history)


def test_where_people_meet_there_is_no_hint(open_page: Open, server: InThread) -> None:
    page = open_page()
    made = begin(page, server, "you", "open", seed=5)
    take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    page.reload()
    page.wait_for_selector(BUTTONS, state="attached")  # they stand for cards
    page.keyboard.press("h")
    expect(page.locator(".asking")).to_have_count(0)


def given_up(page: Page, server: InThread) -> Any:
    """A match that was played for a while and then given up; the page is at its end."""
    made = begin(page, server, "you", "random", seed=5)
    for _ in range(6):
        step(page)
    with Seat(server, made["id"], made["token"]) as me:
        me.look()
        assert me.want("resign", "enough")["type"] == "ack"
    see_end(page, "gave up")
    return server.room(made["id"])


@pytest.mark.parametrize(
    ("viewport", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop, light", "phone, dark"]
)
def test_how_it_went_can_be_read_and_leads_into_the_replay(
    open_page: Open, server: InThread, viewport: dict[str, int], dark: bool
) -> None:
    page = open_page(viewport=viewport, dark=dark)
    made = begin(page, server, "you", "random", seed=5, options=SHORT)
    play_on(page)
    seat_reviews = review(server.room(made["id"]).session.match)
    page.get_by_role("button", name="Review the match").click()
    players = page.locator(".went-seats button")
    expect(players).to_have_count(2)
    texts = [summary(seat_reviews[0], "You", "your"), summary(seat_reviews[1], "Mara", "own")]
    assert labels(players) == [f"Ada. {texts[0]}", f"Mara. {texts[1]}"]
    expect(page.locator(".went-sum")).to_have_text(texts[0])
    points = page.locator(".turning a")
    assert points.count() == len(seat_reviews[0].turning_points) > 0
    worse = [x for x in seat_reviews[0].steps if x.mover == 0 and x.decision < 0]
    assert page.locator(".decided > ol > li").count() == min(5, len(worse))
    page.get_by_text("All decisions").click()
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    players.nth(1).click()
    expect(players.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".went-sum")).to_have_text(texts[1])
    expect(page.locator(".went")).to_contain_text("The turning points, as Mara saw them:")
    said = page.locator(".turning a > span > b").all_inner_texts()
    movers = [x.mover for x in seat_reviews[1].turning_points]
    for told, mover, step in zip(said, movers, seat_reviews[1].turning_points, strict=True):
        who = ("Ada", "You")[mover] if mover is not None else "All"
        luck = "Luck, after " if abs(step.luck) > abs(step.decision) else ""
        assert told.startswith(f"{step.number + 1}. {luck}{who}: ")
    players.nth(0).press("Enter")
    expect(page.locator(".went-sum")).to_have_text(texts[0])
    points.first.press("Enter")
    page.wait_for_url(re.compile("/replay/"))
    number = seat_reviews[0].turning_points[0].number
    expect(page.get_by_role("slider")).to_have_value(str(number + 1))
    page.go_back()
    expect(players).to_have_count(2)  # as one has left it


def test_how_it_went_can_be_stopped_and_asked_for_again(open_page: Open, server: InThread) -> None:
    page = open_page()
    room, go_on, begun, stopped = (
        given_up(page, server),
        threading.Event(),
        list[str](),
        list[str](),
    )
    quick = review(room.session.match, simulations=30)

    def slow(match: Match, seats: Any, *, early: Any, cancelled: Any, **more: Any) -> Any:
        begun.append("begun")
        more["progress"](1, 4)
        if stopped:
            more["progress"](2, 4)
            early(quick[seats[0]])
        while not go_on.wait(0.01):
            if cancelled():
                stopped.append("stopped")
                raise Cancelled
        return [quick[p] for p in seats]

    ask = page.get_by_role("button", name="Review the match")
    waits = page.locator(".went-wait")
    with mock.patch.object(reviews, "review", slow):
        ask.press("Enter")
        expect(waits).to_contain_text("Reviewing the match: 25\xa0%")
        page.keyboard.press("Tab")  # from where the button was
        expect(page.get_by_role("button", name="Stop")).to_be_focused()
        page.keyboard.press("Enter")
        until(lambda: stopped)
        expect(waits).to_have_count(0)
        ask.click()  # now the curve and the own decisions come early
        expect(waits).to_contain_text("Measuring how much was luck: 50\xa0%")
        expect(page.locator(".curve, .decided")).to_have_count(2)
        expect(page.locator(".went-seats")).to_have_count(0)
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".curve")).to_be_visible()
        until(lambda: len(stopped) == 2)
        page.get_by_role("button", name="Continue").click()
        expect(waits).to_be_visible()
        until(lambda: len(begun) == 3)
        page.get_by_role("link", name="Watch the replay").click()  # who leaves does not wait,
        page.wait_for_url(re.compile("/replay/"))
        until(lambda: len(stopped) == 3)
        page.go_back()
        expect(waits).to_contain_text("50\xa0%")  # and who comes back finds it going on
        page.goto(server.url)
        until(lambda: len(stopped) == 4)
        page.go_back()
        see_end(page, "gave up")
        ask.click()
        expect(waits).to_be_visible()
        go_on.set()
        expect(page.locator(".went-seats")).to_be_visible()
        expect(page.locator(".part .num").first).to_have_text(re.compile(r"^[+−]?\d+\spoints?$"))


def test_how_it_went_says_why_it_cannot_be_told(open_page: Open, server: InThread) -> None:
    page = open_page()
    made = begin(page, server, "you", "random", seed=5)
    with Seat(server, made["id"], made["token"]) as me:
        me.look()
        assert me.want("resign", "at-once")["type"] == "ack"
    see_end(page, "gave up")
    ask = page.get_by_role("button", name="Review the match")
    ask.click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing has been played")
    expect(ask).to_be_visible()


def test_who_watched_is_told_how_it_went_too(open_page: Open, server: InThread) -> None:
    room = given_up(open_page(), server)
    page = open_page(f"/match/{room.setup.id}")
    page.get_by_role("button", name="Review the match").click()
    players = page.locator(".went-seats button")
    expect(players).to_have_count(2)
    assert [x.partition(".")[0] for x in labels(players)] == ["Ada", "Mara"]


# ---- for everybody -------------------------------------------------------------------------------
def places(server: InThread) -> dict[str, str]:
    """Every kind of page there is, by its path."""
    going = server.make(["you", "open", "random", "random"])
    ended = server.make(["random", "random", "random"])
    small = {"rows": 15, "cols": 10, "max_plies": 4}
    played = server.make(["random", "random"], game="battleball", options=small, seed=2)

    for made in (ended, played):
        until(lambda id=made["id"]: server.room(id).session.end)
    return {
        "home": "/",
        "match": f"/match/{going['id']}#{going['token']}",
        "watching": f"/match/{going['id']}",
        "end": f"/match/{ended['id']}",
        "replay": f"/replay/{ended['id']}?step=9",
        "columns": columns_of(server, COLUMNS, "123"),
        "lineup": field_of(server)[0],
        "field": field_of(server, "preset:1", "preset:2", "R1")[0],
        "field replay": f"/replay/{played['id']}?step=6",
        "duel": duel(server, BEHIND)[0],
        "duel, last round": duel(server, LAST)[0],
        "ring": ring_of(server, 10)[0],
        "ring, watching": ring_of(server, 6)[0].partition("#")[0],
        "rules": "/rules/war_zone#WZ-17",
        "lost": "/match/nothing",
    }


@pytest.mark.parametrize(
    ("viewport", "dark"),
    [(DESKTOP, False), (PHONE, True)],
    ids=["desktop, light", "phone, dark"],
)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    browser: Browser, server: InThread, viewport: dict[str, int], dark: bool
) -> None:
    context = somebody(
        browser,
        flat=False,  # contrast is looked at
        viewport=viewport,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    for name, path in places(server).items():
        page.set_viewport_size(viewport)
        page.goto(f"{server.url}{path}")
        page.wait_for_function(DRAWN, polling=POLLING)
        page.wait_for_function(AT_REST, polling=POLLING)
        assert violations(page, *(CONTRAST if dark else ())) == [], name
        for size in [viewport, *([NARROW] if viewport == PHONE else [])]:
            page.set_viewport_size(size)
            assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, (
                name
            )
    context.close()


SIX = "wz1 n=2 ph=ATTACK turn=0 health=20.20 hand0=IF.RE.RE.AR.AI.SA.SN hand1=GM deck=SN.SN"
BOX = "x => { const r = x.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom] }"


def sized(size: tuple[int, int]) -> dict[str, int]:
    return {"width": size[0], "height": size[1]}


def with_six_kinds(page: Page, server: InThread) -> Match:
    """A match against a bot, in which one may attack with each of six kinds of cards."""
    made = server.make(["you", "random"])
    match = server.room(made["id"]).session.match
    match.load(f"{SIX} hs=6 last=AR@1")
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    expect(page.locator(".fan .is-lit")).to_have_count(6)
    return match


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_six_kinds_of_cards_lie_side_by_side_and_the_prompt_tells_of_them(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    page = open_page(viewport=sized(size))
    with_six_kinds(page, server)
    boxes = page.locator(".fan .card").evaluate_all(f"all => all.map({BOX})")
    for (_, _, right, _), (left, _, _, _) in pairwise(boxes):
        assert right - left < 6  # as they are turned a little
    assert boxes[-1][2] <= size[0]
    tip = page.locator(".tip")
    expect(tip).to_be_visible()
    expect(tip).to_have_text("Tap a lit card or piece, or choose here:")


def test_a_key_picks_as_a_tap_does_and_enter_confirms(open_page: Open, server: InThread) -> None:
    page = open_page()
    match = with_six_kinds(page, server)
    page.keyboard.press("4")
    expect(page.locator(".fan .is-picked")).to_contain_text("Air Raid")
    page.keyboard.press("Escape")
    expect(page.locator(".fan .is-picked")).to_have_count(0)
    page.keyboard.press("4")
    expect(page.locator(".prompt-text")).to_have_text("Attack Mara with Air Raid?")
    assert not match.history
    page.keyboard.press("Enter")
    until(lambda: server.at_rest(lambda: match.history[:1]) == [(0, "AI>1")])


def test_undo_says_what_it_takes_back(open_page: Open, server: InThread) -> None:
    page = open_page()
    with_six_kinds(page, server)
    page.keyboard.press("0")
    undo = page.get_by_role("button", name="Undo")
    said = "Take back your last decision, and what the bots have done since"
    expect(undo).to_have_attribute("title", said)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_toast_leaves_the_tools_free(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    page = open_page("/web/sprite.svg", viewport=sized(size))
    page.clock.install()
    with_six_kinds(page, server)
    tools = page.locator(".tools").evaluate(BOX)
    page.get_by_role("button", name="Hold fire").click()
    undo = page.get_by_role("button", name="Undo")
    undo.wait_for()
    stop_clock(page)  # a toast stays for seconds only
    undo.click()
    toast = page.locator(".toast")
    until(lambda: page.clock.run_for(50) or toast.all_text_contents() == ["Taken back."])
    page.wait_for_function(AT_REST, polling=POLLING)
    left, top, right, bottom = toast.evaluate(BOX)
    assert right <= tools[0] or bottom <= tools[1]
    assert left >= 0
    assert top >= 0


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_colours_can_be_chosen_at_a_table(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    page = open_page(viewport=sized(size))
    begin(page, server, "you", "random")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Colours").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_on_a_phone_on_its_side_one_can_begin_at_once(open_page: Open) -> None:
    page = open_page(viewport=sized((844, 390)))
    button = page.get_by_role("button", name="Play now")
    expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 390


SHADE = """() => getComputedStyle(document.querySelector('dialog[open]'), '::after').opacity"""


def no_timelines(route: Route) -> None:
    """The style sheet as a browser understands it that has no animations by scrolling."""
    sheet = route.fetch()
    route.fulfill(response=sheet, body=sheet.text().replace("scroll()", "unknown()"))


@pytest.mark.parametrize("can", [True, False], ids=["by scrolling", "without"])
def test_a_dialog_shows_that_there_is_more_below(
    open_page: Open, server: InThread, can: bool
) -> None:
    """Also where nothing moves: it is no motion."""
    page = open_page(viewport=sized((844, 390)))
    if not can:
        page.route("**/layout.css*", no_timelines)
    begin(page, server, "you", "random")
    page.get_by_role("button", name="More", exact=True).click()
    dialog = page.get_by_role("dialog", name="This match")
    until(lambda: dialog.evaluate("el => el.scrollHeight - el.clientHeight") > 30)
    if not can:
        shades = dialog.evaluate("el => getComputedStyle(el).backgroundAttachment")
        assert shades.startswith("local")
        return
    until(lambda: page.evaluate(SHADE) == "1")
    dialog.evaluate("el => el.scrollTo(0, el.scrollHeight)")
    until(lambda: page.evaluate(SHADE) == "0")


def test_names_in_the_bar_give_way_and_do_not_lie_on_each_other(
    open_page: Open, server: InThread
) -> None:
    page = open_page(viewport=sized((844, 390)))
    options = {"mode": "advanced"}
    made = begin(page, server, "you", "random", game="iron_man", mode="Advanced", options=options)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign", exact=True).last.click()
    page.locator(END).wait_for()
    brand, title = (page.locator(x) for x in (".brand span", ".top h1"))
    assert made
    assert brand.evaluate(BOX)[2] <= title.evaluate(BOX)[0]


@pytest.mark.parametrize("size", [(667, 375), (740, 360), (820, 390), (844, 390)], ids=str)
def test_one_can_begin_on_a_phone_held_sideways(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    """Nothing has to be scrolled, and every game can be read."""
    page = open_page(viewport=sized(size))
    expect(page.get_by_role("button", name="Play now")).to_be_in_viewport(ratio=1)
    assert page.locator(".bay").evaluate_all(
        """bays => bays.every(bay => {
            const says = bay.querySelector('.bay-say').getBoundingClientRect()
            const own = bay.getBoundingClientRect()
            return says.top >= own.top && says.right <= own.right
        })"""
    )


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_all_who_may_be_a_target_are_seen_at_once(
    open_page: Open, server: InThread, size: tuple[int, int]
) -> None:
    page = open_page("/web/sprite.svg", viewport=sized(size))
    made = server.make(["you", *["open"] * 5], game="battle")
    hands = " ".join(f"hand{p}=3.4" for p in range(1, 6))
    position = f"ba1 n=6 ph=PD turn=0 ids=H.V.H.V.H.V hand0=1.EL {hands} deck=1.BT disc=7"
    server.room(made["id"]).session.match.load(position)
    invited = invitations(server, made)
    for p in range(1, 6):  # so that nobody is invited any more
        take_seat(server, made["id"], invited[p], "Ben")
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    page.locator("[data-piece='hand:EL']").click()
    expect(page.locator("#choices .choices button")).to_have_count(6)
    page.wait_for_function(AT_REST, polling=POLLING)
    assert page.locator("#choices .choices").evaluate(OVERFLOW) <= 1


@pytest.fixture
def weigh(open_page: Open, server: InThread) -> Callable[[str, str], float]:
    """weigh(path, ready): the bytes over the wire, with headers, of all that a page loads until
    `ready` is there and nothing more comes; what it would fetch when idle is not fetched.
    """
    page = open_page("/web/sprite.svg")
    page.add_init_script("window.requestIdleCallback = () => 0")
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes = list[float]()
    cdp.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))

    def measure(path: str, ready: str) -> float:
        sizes.clear()
        page.goto(f"{server.url}{path}")
        page.locator(ready).first.wait_for()
        page.wait_for_load_state("networkidle")
        return sum(sizes)

    return measure


def test_the_first_page_and_the_tables_are_light(
    weigh: Callable[[str, str], float], server: InThread
) -> None:
    found = {"the first page": weigh("/", "text=Play now")}
    for game in bb.games():
        made = server.make(["you", *["random"] * (3 if game == "battle" else 1)], game=game, seed=1)
        found[game] = weigh(f"/match/{made['id']}#{made['token']}", ".choice, .is-lit")
    most = {"the first page": 93_000} | dict.fromkeys(bb.games(), 134_000)
    assert all(10_000 < found[name] <= most[name] for name in most), found


def test_whose_turn_it_is_shows_in_the_title(open_page: Open, server: InThread) -> None:
    page = open_page()
    begin(page, server, "you", "open")
    expect(page).to_have_title(re.compile("your turn", re.IGNORECASE))
    assert page.locator("link[rel=icon]").get_attribute("href").startswith("data:")  # type: ignore[union-attr]


def test_who_is_attacked_reads_that_and_not_that_it_is_their_turn(
    open_page: Open, server: InThread
) -> None:
    page = open_page()
    made = server.make(["you", "open"])
    position = "wz1 n=2 ph=DEFEND turn=1 act=0 health=20.20 pend=AR>0 hand0=GM deck=SN.SN last=AR@1"
    server.room(made["id"]).session.match.load(position)
    take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    page.goto(f"{server.url}/match/{made['id']}#{made['token']}")
    expect(page.locator(".cue")).to_have_text("You are attacked")
    expect(page).to_have_title(re.compile("You are attacked"))


def test_what_happens_is_said_to_screen_readers(open_page: Open, server: InThread) -> None:
    page = open_page()
    begin(page, server, "you", "random")
    region = page.locator("[aria-live=polite], [role=status]").first
    step(page)
    expect(region).not_to_be_empty()


def test_the_home_page_remembers_and_continues(open_page: Open, server: InThread) -> None:
    page = open_page()
    page.get_by_placeholder("Your name").fill("Zoë")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/match/"))
    expect(page.locator(".plaque.is-you, .plaque").last).to_contain_text("Zoë")
    page.goto(f"{server.url}/")
    expect(page.get_by_placeholder("Your name")).to_have_value("Zoë")
    page.get_by_role("link", name=re.compile("Continue|War Zone")).or_(
        page.get_by_role("button", name=re.compile("Continue"))
    ).first.click()
    page.wait_for_url(re.compile("/match/"))


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_set_up_is_as_one_has_left_it(open_page: Open, viewport: dict[str, int]) -> None:
    """After reading the rules, or a reload; a match begun ends it."""
    page = open_page(viewport=viewport)
    page.locator(".bay[data-game=war_zone]").click()
    players, who = page.locator(".stepper output"), page.get_by_label(re.compile("^Who plays seat"))
    more = page.get_by_role("button", name="one player more")
    for _ in range(4):
        more.click()
    who.nth(2).select_option("easy")
    page.get_by_placeholder("Your name").fill("Zoë")
    page.get_by_text("More options").click()
    options = page.locator(".setup .options")
    first = options.get_by_label("First player")
    expect(first.locator("option")).to_have_text(["by lot", *(f"seat {x}" for x in "ABCDEF")])
    first.select_option("seat B")
    options.get_by_label("Seed").fill("7")
    page.keyboard.press("Tab")
    box = ".setup-body" if viewport is DESKTOP else "html"
    top = f"() => document.querySelector('{box}').scrollTop"

    def as_left() -> None:
        expect(players).to_have_text("6")
        expect(who.nth(2).locator("option:checked")).to_have_text("bot, easy")
        expect(page.get_by_placeholder("Your name")).to_have_value("Zoë")
        expect(first.locator("option:checked")).to_have_text("seat B")
        expect(options.get_by_label("Seed")).to_have_value("7")
        page.wait_for_function(f"top => ({top})() === top", arg=left, polling=POLLING)

    page.evaluate(f"() => document.querySelector('{box}').scrollTo(0, 333)")
    left = page.evaluate(top)
    assert left == 333
    page.get_by_role("link", name="Rules", exact=True).dispatch_event("click")
    page.wait_for_url(re.compile("/rules/war_zone"))
    page.go_back()
    as_left()
    page.get_by_role("link", name="Rules", exact=True).dispatch_event("click")
    page.get_by_role("link", name="battlebox: back to the box").click()
    as_left()
    page.reload()
    as_left()

    fewer = page.get_by_role("button", name="one player fewer")
    for n, left_out in ((5, "seat F"), (4, "seat E"), (3, "seat D"), (2, "seat C")):
        fewer.click()
        expect(players).to_have_text(str(n))
        assert left_out not in first.locator("option").all_inner_texts()
    expect(first.locator("option:checked")).to_have_text("seat B")
    more.click()
    first.select_option("seat C")
    fewer.click()
    expect(first.locator("option:checked")).to_have_text("by lot")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/match/"))
    page.goto(page.url.partition("match/")[0])
    expect(players).to_have_text("2")  # as it was last
    assert page.evaluate(top) == 0
    expect(page.locator(".more summary")).not_to_contain_text("changed")  # no chosen seed any more


PACED = """async pace => {
  const { playback } = await import('/web/match/playback.js'), shown = []
  const store = await import('/web/storage.js')
  if (pace !== null) store.keepSettings({ pace })
  const film = playback(s => shown.push(s.n), () => {})
  for (const n of [0, 1, 2, 3]) {
    const told = [{ turn: n, event: 'X', args: { seat: 1 }, text: 'Ben waits.' }]
    film.push({ n, rest: 0, scene: { viewer: 0, to_act: 1 }, told, fresh: 1 }, false)
  }
  film.stop()
  return shown
}"""


def test_pace_movement_and_size_of_cards_are_settings_that_stay(
    open_page: Open, server: InThread
) -> None:
    page = open_page(reduced_motion="no-preference")
    still = "() => import('/web/match/motion.js').then(m => m.isStill())"
    root = page.locator(":root")
    assert page.evaluate(PACED, None) == [0], "each picture stays to be read"
    assert not page.evaluate(still)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Cards", exact=True).select_option("large")
    page.get_by_label("Animations").select_option("off")
    page.get_by_label("Bots play").select_option("at once")
    for _ in ("here", "at a table"):
        expect(root).to_have_attribute("style", re.compile(r"--card-scale: ?1\.2"))
        expect(root).to_have_attribute("data-motion", "off")
        assert page.evaluate(still)
        begin(page, server, "you", "random")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_label("Bots play").locator("option:checked")).to_have_text("at once")
    assert page.evaluate(PACED, None) == [0, 1, 2, 3]
    page.get_by_label("Cards", exact=True).select_option("small")
    expect(root).to_have_attribute("style", re.compile(r"--card-scale: ?0\.85"))


def test_matches_are_told_apart_by_opponents_mode_time_and_turn(
    open_page: Open, server: InThread
) -> None:
    page = open_page()
    begin(page, server, "you", "random", mode="Standard")
    expect(page.locator("#choices")).to_contain_text("Your turn")
    made = begin(page, server, "you", "open", "random", mode="Speedy")
    token = invitations(server, made)[1]
    take_seat(server, made["id"], token, "Ben")
    expect(page.get_by_role("dialog")).to_have_count(0)  # everybody has come
    page.get_by_role("button", name="Keep your hand").click()
    until(lambda: server.room(made["id"]).session.match.to_act == 1)
    page.goto(server.url)
    page.get_by_role("button", name="All 2 of your matches").click()
    shown = page.get_by_role("dialog", name="Your matches").locator(".resume")
    expect(shown).to_have_count(2)
    expect(shown.nth(0)).to_contain_text("War Zone with Mara")
    expect(shown.nth(0)).to_contain_text(
        re.compile(r"Your turn · Standard · started today \d\d:\d\d")
    )
    expect(shown.nth(1)).to_contain_text("War Zone with Ben and Mara")
    expect(shown.nth(1)).to_contain_text("Waiting for Ben · ")


def test_watched_matches_are_listed_apart_and_can_be_removed(
    open_page: Open, server: InThread
) -> None:
    page = open_page()
    made = server.make(["random"] * 2, game="medieval")
    page.goto(f"{server.url}/match/{made['id']}")
    page.locator(".tray .card, .end").first.wait_for()
    page.goto(server.url)  # alone it stands on the first page
    link = page.locator(".my-matches a")
    expect(link).to_have_count(1)
    assert made["id"] in str(link.get_attribute("href"))
    expect(page.locator(".my-matches")).to_contain_text(re.compile("Watched · .* seen today"))
    begin(page, server, "you", "open")
    page.locator(".tray .card").first.wait_for()
    for _ in range(11):
        id = server.make(["random", "you"])["id"]
        page.goto(f"{server.url}/match/{id}")
        page.locator(".tray .card").first.wait_for()
    page.goto(server.url)
    expect(page.locator(".my-matches")).not_to_contain_text("Watched")
    page.get_by_role("button", name="All 11 matches").click()
    shown = page.get_by_role("dialog", name="Your matches")
    lists = shown.locator(".mine-list")
    expect(lists.nth(0).locator(".resume")).to_have_count(1)
    expect(lists.nth(1).locator(".resume")).to_have_count(10)  # the oldest is forgotten
    expect(lists.nth(1).locator(f"a[href*='{made['id']}']")).to_have_count(0)
    expect(lists.nth(1).locator(".resume").first).to_contain_text("War Zone: Mara and Ada")
    lists.nth(1).get_by_role("button", name=re.compile("^Remove")).first.click()
    expect(lists.nth(1).locator(".resume")).to_have_count(9)
    assert server.at_rest(lambda: server.room(id).session.end is None)


def test_options_and_their_values_have_human_names_in_groups(open_page: Open) -> None:
    page = open_page()
    page.locator(".bay[data-game=war_zone]").click()
    page.get_by_text("More options").click()
    options = page.locator(".setup .options")
    groups = ["Set-up", "Variants", "The end", "Rulings", "Limits", "This match"]
    expect(options.locator("h3")).to_have_text(groups, use_inner_text=True, ignore_case=True)
    first = options.get_by_label("First player")
    expect(first.locator("option")).to_have_text(["by lot", "seat A", "seat B"])
    first.select_option("by lot")
    expect(options.get_by_label("Cards in hand").locator("xpath=..")).to_contain_text(
        "0: by the number of players"
    )
    expect(options).not_to_contain_text("_")
    options.get_by_label("Hand of a player who is out").select_option("out of the game")
    expect(page.locator(".more summary")).to_contain_text("1 changed")


def test_what_cannot_be_loaded_any_more_is_said(browser: Browser, server: InThread) -> None:
    context = somebody(browser)
    page = context.new_page()
    page.goto(server.url)
    page.route("**/options.js", lambda route: route.abort())
    page.get_by_text("More options").click()
    said = page.get_by_text("This could not be loaded. Is the server still running?")
    expect(said).to_have_role("alert")
    context.close()


def test_the_court_deck_is_a_mode(open_page: Open, server: InThread) -> None:
    page = open_page()
    page.locator(".bay[data-game=medieval]").click()
    page.get_by_text("Court", exact=True).click()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/match/"))
    id = page.url.rpartition("/")[2].partition("#")[0]
    assert server.room(id).session.match.rules.options_text == "players=2 deck=medieval-court"
    page.get_by_role("button", name="More", exact=True).click()
    menu = page.get_by_role("dialog", name="This match")
    expect(menu).to_contain_text("Medieval, Court")
    expect(menu).to_contain_text("2 players; Deck: ")
    expect(menu).not_to_contain_text("medieval-court")


def test_what_a_form_says_wrong_is_said_at_its_field(browser: Browser, server: InThread) -> None:
    context = somebody(browser)
    page = context.new_page()
    page.goto(server.url)
    page.get_by_text("More options").click()
    deck = page.locator("input[type=file]")
    deck.set_input_files(
        files=[{"name": "a.toml", "mimeType": "text/plain", "buffer": b"nonsense"}]
    )
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".option.is-file")).to_contain_text("not a TOML file")
    expect(page.locator(".field-error")).to_have_count(1)
    expect(page.locator("[aria-invalid]")).to_have_attribute("id", "match-deck")
    assert "/match/" not in page.url
    context.close()


# ---- games of others -----------------------------------------------------------------------------
@pytest.mark.parametrize("dressed", [True, False], ids=["with looks", "plain"])
def test_a_game_of_somebody_else_is_played_to_its_end(
    dressed: bool,
    open_page: Open,
    server: InThread,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "goofspiel"
    shutil.copytree(GOOFSPIEL, folder, ignore=shutil.ignore_patterns("__pycache__"))
    if not dressed:
        shutil.rmtree(folder / "theme")
    monkeypatch.setenv("BATTLEBOX_GAMES", str(folder))
    page = open_page("/")
    bay = page.locator('.bay[data-game="goofspiel"]')
    bay.click()
    expect(page.locator("#setup h2, .setup h2").first).to_have_text("Goofspiel")
    expect(bay.locator(".is-back")).to_have_count(0 if dressed else 3)
    assert page.locator("link[href$='theme/goofspiel.css']").count() == dressed
    page.goto(f"{server.url}/rules/goofspiel")
    expect(page.locator("#GO-7")).to_be_visible()
    expect(page.locator(".rules-pieces .card")).to_have_count(26)  # to bid, and prizes
    expect(page.locator(".rules-pieces .card.is-plain")).to_have_count(0 if dressed else 26)
    begin_match(page, server, game="goofspiel", options={"cards": 4})
    play_on(page)
    expect(page.locator(".standings")).to_contain_text("points")
