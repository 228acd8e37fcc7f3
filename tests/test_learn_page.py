"""Lessons at the page: two taps to the first decision, the coach beside what is meant."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect
from serving import InThread, in_thread
from test_page import (
    DESKTOP,
    PHONE,
    Open,
    begin,
    browser,
    browser_type_launch_args,
    open_page,
)

import battlebox as bb
from battlebox.core import lesson as lessons
from battlebox.core.lesson import LessonRun
from battlebox.games import find

__all__ = ["browser", "browser_type_launch_args", "open_page"]

pytestmark = [pytest.mark.slow, pytest.mark.browser]
SIDEWAYS = {"width": 844, "height": 390}
TAUGHT = [name for name in bb.games() if lessons.taught(find(name)).lessons]
ALL = os.environ.get("BATTLEBOX_LAYOUTS") == "all"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data")) as running:
        yield running


def coach(page: Page) -> Locator:
    """The bubble, once it stands where it belongs."""
    found = page.locator(".coach")
    expect(found).to_be_visible()
    return found


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("game", TAUGHT)
def test_two_taps_lead_to_the_first_decision(
    open_page: Open, server: InThread, size: Any, game: str
) -> None:
    page, taps = open_page("/", viewport=size), 0
    learn = page.locator(f"form[data-game={game}] a.learn")
    page.get_by_text("Play now").wait_for()
    if not learn.count():
        page.locator(f"button.bay[data-game={game}]").click()
        taps += 1
    learn.click()
    taps += 1
    first = lessons.taught(find(game)).lessons[0]
    expect(coach(page)).to_contain_text(first.title)
    assert taps <= 2
    if LessonRun(find(game), first).stop.wanted:
        expect(page.locator("#choices .choice, .tray .is-lit").first).to_be_attached()


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SIDEWAYS], ids=["desktop", "phone", "sideways"])
def test_a_lesson_is_taken(open_page: Open, server: InThread, size: Any) -> None:
    page = open_page("/learn/war_zone", viewport=size)
    expect(coach(page)).to_contain_text("Infantry Fire does 5 damage.")
    page.get_by_role("button", name="Hold fire").click()
    expect(coach(page)).to_contain_text("That gives your attack away.")
    page.locator('[data-piece="hand:IF"]').click()
    page.locator('#choices button:has-text("Attack Anna with Infantry Fire")').click()
    expect(coach(page)).to_contain_text("Anna has 15 left")
    expect(page.locator('[data-zone="seat:1"]')).to_contain_text("15")
    coach(page).get_by_role("button", name="Back").click()
    expect(coach(page)).to_contain_text("Infantry Fire does 5 damage.")
    expect(page.locator('[data-zone="seat:1"]')).to_contain_text("20")
    page.locator('[data-piece="hand:IF"]').click()
    page.locator('#choices button:has-text("Attack Anna with Infantry Fire")').click()
    page.get_by_role("button", name="Keep your hand").click()
    expect(coach(page)).to_contain_text("That is a turn")
    coach(page).get_by_role("button", name="Again").click()
    expect(coach(page)).to_contain_text("Infantry Fire does 5 damage.")
    page.goto(f"{server.url}/learn/war_zone")
    expect(coach(page)).to_contain_text("Lesson 2 of")
    coach(page).get_by_role("button", name="Lesson 2 of").click()
    listed = page.locator("dialog .lessons li")
    expect(listed).to_have_count(len(lessons.taught(find("war_zone")).lessons))
    expect(listed.nth(0)).to_contain_text("done")
    expect(listed.nth(2)).not_to_contain_text("done")
    listed.nth(2).locator("a").click()
    expect(coach(page)).to_contain_text("Lesson 3 of")


def test_a_lesson_is_taken_by_keys_and_read_aloud(open_page: Open, server: InThread) -> None:
    page = open_page("/learn/war_zone/WZ-L1")
    expect(coach(page)).to_be_visible()
    expect(page.locator("[aria-live]").filter(has_text="Attack her with it").first).to_be_attached()
    page.keyboard.press("1")
    expect(coach(page)).to_contain_text("Anna has 15 left")
    page.keyboard.press("0")
    expect(coach(page)).to_contain_text("That is a turn")
    page.keyboard.press("Enter")
    expect(coach(page)).to_contain_text("Lesson 2 of")


def forget(page: Page, server: InThread) -> None:
    """No question has come yet. At a page that helps with none: a match would note its own."""
    page.goto(f"{server.url}/rules/war_zone")
    page.evaluate("() => localStorage.setItem('battlebox.helped.war_zone', '[]')")


def test_a_first_match_is_helped_until_it_is_known(open_page: Open, server: InThread) -> None:
    """A sentence when a question comes for the first time; none when it comes again."""
    page = open_page("/learn/war_zone/WZ-L7")
    coach(page)
    page.evaluate("() => localStorage.setItem('battlebox.help.war_zone', 'true')")
    begin(page, server, "you", "random", seed=1)
    help = lessons.taught(find("war_zone")).help
    expect(coach(page)).to_contain_text(help["MULL"].said)
    coach(page).get_by_role("button", name="I choose").click()
    expect(page.locator(".coach")).to_have_count(0)
    begin(page, server, "you", "random", seed=2)
    expect(page.locator(".prompt.is-yours")).to_be_visible()
    expect(page.locator(".coach")).to_have_count(0)
    forget(page, server)
    begin(page, server, "you", "random", seed=3)
    coach(page).get_by_role("button", name="No more help").click()
    forget(page, server)
    begin(page, server, "you", "random", seed=4)
    expect(page.locator(".prompt.is-yours")).to_be_visible()
    expect(page.locator(".coach")).to_have_count(0)


def test_what_a_newcomer_cannot_judge_is_chosen_and_a_choice_is_shown(
    open_page: Open, server: InThread
) -> None:
    """The opening choice at one tap; the search's choice, with its reason, at another."""
    page = open_page("/learn/war_zone/WZ-L7")
    coach(page)
    page.evaluate("() => localStorage.setItem('battlebox.help.war_zone', 'true')")
    made = begin(page, server, "you", "random", seed=1, options={"starter": 0})
    help = lessons.taught(find("war_zone")).help
    expect(coach(page)).to_contain_text(help["MULL"].said)
    coach(page).get_by_role("button", name="Go on").click()
    expect(coach(page)).to_contain_text(help["ATTACK"].said)
    match = server.room(made["id"]).session.match
    assert match.history[0] == (0, "pass")
    coach(page).get_by_role("button", name="Show me").click()
    expect(page.locator(".advice")).to_contain_text("The strongest bot would choose")
    expect(page.locator(".coach")).to_have_count(0)


def test_the_last_lesson_of_a_way_to_play_leads_to_a_first_match(
    open_page: Open, server: InThread
) -> None:
    """In that way, against bots that are easy; and on to the lessons of the next."""
    page = open_page("/learn/war_zone/WZ-L7")
    page.locator('[data-piece="hand:IF"]').click()
    page.locator('#choices button:has-text("Anna")').click()
    coach(page).get_by_role("button", name="Learn Teams").click()
    expect(coach(page)).to_contain_text("Lesson 8 of")
    page.goto(f"{server.url}/learn/war_zone/WZ-L10")
    page.locator('[data-piece="hand:SN"]').click()
    page.locator('#choices button:has-text("Attack Anna with Sniper")').click()
    expect(coach(page).get_by_role("button", name="Learn")).to_have_count(0)
    coach(page).get_by_role("button", name="Play your first match").click()
    expect(coach(page)).to_contain_text("Help")
    session = server.room(page.url.rpartition("/match/")[2].partition("#")[0]).session
    assert [x.kind for x in session.seats] == ["person", "bot"]
    assert session.seats[1].level == "easy"
    assert session.match.rules.all_options["speedy"]


def test_what_was_wrong_is_forgotten_when_one_tries_again(
    open_page: Open, server: InThread
) -> None:
    page = open_page("/learn/war_zone/WZ-L1")
    page.get_by_role("button", name="Hold fire").click()
    expect(coach(page)).to_contain_text("That gives your attack away.")
    page.locator('[data-piece="hand:IF"]').click()
    expect(coach(page)).to_contain_text("Infantry Fire does 5 damage.")


def test_what_cannot_be_learnt_says_so(open_page: Open, server: InThread) -> None:
    page = open_page("/learn/war_zone/WZ-L99")
    expect(page.locator("h2")).to_have_text("No such lesson")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_at_a_lesson(open_page: Open, server: InThread, dark: bool) -> None:
    page = open_page("/learn/war_zone/WZ-L6", dark=dark)
    coach(page)
    assert Axe().run(page).response["violations"] == []


#: what one reads on the table
OPEN = ".tray .card:not(.is-back), .tray .total, .board .figure"
APART = """() => {
    const box = document.querySelector('.coach').getBoundingClientRect(), wrong = []
    const isIn = r => r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight
    const over = (a0, a1, b0, b1) => Math.max(0, Math.min(a1, b1) - Math.max(a0, b0))
    const meet = r => over(r.left, r.right, box.left, box.right)
        * over(r.top, r.bottom, box.top, box.bottom) > .25 * r.width * r.height
    if (!isIn(box)) wrong.push('the coach is out of view')
    for (const ring of document.querySelectorAll('.pointed')) {
        const r = ring.getBoundingClientRect()
        if (meet(r)) wrong.push('the coach lies over what is meant')
        if (r.right < 0 || r.left > innerWidth) wrong.push('what is meant is out of view')
        if (r.bottom < 0 || r.top > innerHeight) wrong.push('what is meant is out of view')
    }
    if (!document.querySelector('.coach.is-docked'))
        for (const x of document.querySelectorAll('%OPEN%'))
            if (meet(x.getBoundingClientRect())) wrong.push('the coach lies over what one reads')
    if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push('scrolls sideways')
    return wrong
}""".replace("%OPEN%", OPEN)
SHOWN = [(g, x.id) for g in TAUGHT for x in lessons.taught(find(g)).lessons[: None if ALL else 2]]


@pytest.mark.parametrize(("game", "lesson"), SHOWN, ids=[id for _, id in SHOWN])
def test_the_coach_covers_nothing_that_is_meant(
    open_page: Open, server: InThread, game: str, lesson: str
) -> None:
    """Of the first lessons of each game; of all with BATTLEBOX_LAYOUTS=all."""
    page = open_page(f"/learn/{game}/{lesson}")
    for size in (DESKTOP, PHONE, SIDEWAYS):
        page.set_viewport_size(size)
        coach(page)
        page.wait_for_function(f"() => ({APART})().length === 0")


@pytest.mark.parametrize(("game", "id"), [("iron_man", "IM-L1"), ("medieval", "ME-L11")])
def test_a_lesson_ends_with_the_table_that_it_tells_of(
    open_page: Open, server: InThread, game: str, id: str
) -> None:
    """Not with the cards of the next round, which have been dealt by then."""
    run = LessonRun(find(game), next(x for x in lessons.taught(find(game)).lessons if x.id == id))
    while not run.stop.is_end:
        scene = run.table.scene(run.seat)
        run.choose(run.right_words()[0] if run.stop.wanted else lessons.NEXT)
    choice = next(c for c in scene.choices if c.word == run.choices[-1])
    page = open_page("/web/sprite.svg")

    def nearly_done(route: Route) -> None:
        asked = {**route.request.post_data_json, "choices": run.choices[:-1]}
        route.continue_(post_data=json.dumps(asked))

    page.route(f"**/lessons/{id}", nearly_done)
    page.goto(f"{server.url}/learn/{game}/{id}")
    expect(coach(page)).to_be_visible()
    for piece in choice.path:
        page.locator(f"[data-piece='{piece}'], [data-zone='{piece}'] .hit").first.click()
    expect(coach(page)).to_contain_text(run.stop.says[-1])
    page.keyboard.press("x")  # what led to it goes by
    assert run.table.scene(run.seat).title != scene.title
    expect(page.locator(".where")).to_contain_text(scene.title)
    expect(page.locator(".tray .card:not(.is-back)").first).to_be_visible()


def test_a_question_with_three_choices_is_seen_whole_beside_the_coach(
    open_page: Open, server: InThread
) -> None:
    page = open_page("/learn/war_zone/WZ-L3", viewport={"width": 360, "height": 640})
    expect(coach(page)).to_be_visible()
    choices = page.locator("#choices .choices")
    expect(choices.locator("button")).to_have_count(3)
    assert choices.evaluate("e => e.scrollHeight - e.clientHeight") <= 1
    shown = choices.locator("button:visible")
    expect(shown).to_have_count(1)  # the cards are tapped on the table, and that is said
    expect(page.locator("#choices .tip")).to_be_visible()
    line, own = (page.locator(x).bounding_box() for x in (".line-say", "[data-zone='seat:0']"))
    assert line
    assert own
    assert line["y"] + line["height"] <= own["y"]
    page.locator(".own").get_by_role("button", name=re.compile("^Artillery")).click()
    expect(shown).to_have_count(2)
    assert choices.evaluate("e => e.clientHeight") <= 80
