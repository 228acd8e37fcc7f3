"""What players look up at the page: in a minute, cards and pieces as on the table, every rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import InThread, in_thread
from test_page import (
    DESKTOP,
    PHONE,
    Open,
    begin,
    browser,
    browser_type_launch_args,
    open_page,
    violations,
)

import battlebox as bb
from battlebox.games import find
from battlebox.testing.layout.faults import AT_REST

__all__ = ["browser", "browser_type_launch_args", "open_page"]

pytestmark = [pytest.mark.slow, pytest.mark.browser]
DECK = Path(bb.__file__).parent / "games" / "medieval" / "decks" / "medieval-default.toml"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data")) as running:
        yield running


def pieces(page: Page) -> Locator:
    """All that is drawn and explained."""
    return page.locator(".rules-pieces > li")


@pytest.mark.parametrize("name", bb.games())
def test_all_of_every_way_to_play_is_drawn_and_printed_on_two_pages(
    open_page: Open, name: str
) -> None:
    """Each card and figure by what draws it on the table; the rules follow, and are not printed."""
    page, game = open_page(f"/rules/{name}"), find(name)
    for mode in game.modes:
        components = game.ruleset({**game.human_defaults, **mode.options}).components
        shown = [p for family in components for p in family.pieces]
        page.get_by_label("Way to play").select_option(label=mode.name)
        expect(page.locator(".rules-box > .hint")).to_contain_text(
            game.ruleset({**game.human_defaults, **mode.options}).options_in_words
        )
        expect(pieces(page)).to_have_count(len(shown))
        drawn = [p for p in shown if p.kind in ("card", "pawn")]
        expect(page.locator(".rules-piece :is(.card, .figure)")).to_have_count(len(drawn))
        for piece in shown:
            expect(page.locator(".rules-box")).to_contain_text(piece.name)
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2
    headings = page.locator(".rules-text h2").all_inner_texts()
    assert headings[0] == "In a minute"
    assert headings.index("Cards and pieces") == headings.index("Rules") - 1
    expect(page.locator(f"#{next(iter(game.rulebook))}")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(f"#{next(iter(game.rulebook))}")).to_be_hidden()
    expect(page.locator(".rules-brief")).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", bb.games())
def test_axe_finds_nothing_in_what_is_drawn(
    open_page: Open, name: str, size: dict[str, int]
) -> None:
    page = open_page(f"/rules/{name}#cards-and-pieces", viewport=size)
    expect(page.locator("#cards-and-pieces")).to_be_focused()
    page.wait_for_function(AT_REST)
    assert violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_beside_a_match_its_own_deck_is_drawn(open_page: Open, server: InThread) -> None:
    """In the drawer, and on the page that it leads to for printing."""
    page = open_page()
    own = DECK.read_text(encoding="utf-8").replace('"Plague"', '"Black Death"')
    made = begin(page, server, "you", "random", game="medieval", deck=own)
    page.get_by_role("button", name="Rules").click()
    drawer = page.locator("dialog.drawer")
    expect(drawer.locator(".rules-box")).to_contain_text("Black Death")
    expect(drawer.locator("#rules-mode")).to_have_count(0)
    to_print = drawer.get_by_role("link", name="Open as a page, to print")
    assert str(to_print.get_attribute("href")).endswith(f"/rules/medieval?match={made['id']}")
    page.goto(f"{server.url}{to_print.get_attribute('href')}")
    expect(page.locator(".rules-box")).to_contain_text("Black Death")
    page.locator(".rules-contents").get_by_role("link", name="The flips").click()
    expect(page.locator("#the-flips")).to_be_focused()
    expect(page.locator(".rules-box")).to_contain_text("Black Death")
