"""What lies wrong on a page. The laws, by the words that name their faults:

- *covered*: no text lies under anything that is not its own. Cards of one zone may overlap;
- *which card*: then the corner of each, or half of it, is seen;
- *cut*: no text is cut off, unless its title tells the whole;
- *leaves its box*: no text goes beyond the plaque, card, chip or button that it belongs to;
- *scrolls*, *scrolls sideways*: a table fits the window, every page its width;
- *out of view*: the question, its choices, the own hand and what is asked about are seen;
- *out of reach*: what can be pressed can be hit;
- *contrast*: as axe measures it, in the light and in the dark;
- *error*: nothing goes wrong in its scripts, and nothing it asks for is missing.

law.js looks for most of them in the page, by what is drawn where.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Page

LAW = Path(__file__).with_name("law.js").read_text(encoding="utf-8")
#: what an author may do about it
CURES = {
    "covered": "Two things have the same place: use fewer zones, or shorter words.",
    "which card": "Too many cards in one row: show some as a pile, or as a number.",
    "cut": "Shorten the words, or let `title` tell the whole.",
    "leaves its box": "Shorten the words.",
    "scrolls": "There is more than fits the window: use fewer zones, fewer or shorter notes.",
    "scrolls sideways": "Something is wider than the window: show fewer things in one row.",
    "out of view": "There is more than fits the window: use fewer zones, fewer or shorter choices.",
    "out of reach": "Something lies over it: what lies there?",
    "contrast": "Choose colours in `theme/` that are further apart.",
    "error": "Most often the cause is in `theme/`.",
}
SHOWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))"
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


@dataclass(frozen=True)
class Fault:
    """Something that lies wrong: by which law, where, at which size of the window in pixels."""

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


def size_of(page: Page) -> tuple[int, int]:
    """Of its window: width and height in pixels."""
    size = page.viewport_size
    return (size["width"], size["height"]) if size else (0, 0)


def faults_of(page: Page) -> Iterator[Fault]:
    """What lies wrong at this size of the window."""
    while (found := page.evaluate(LOOK)) is None:
        page.wait_for_function(AT_REST)
    for x in found:
        yield Fault(**x, size=size_of(page))


def faint(page: Page, look: Literal["light", "dark"]) -> Iterator[Fault]:
    """What has too little contrast."""
    from axe_playwright_python.sync_playwright import Axe

    if page.evaluate("() => typeof axe") == "undefined":
        page.evaluate(Axe().axe_script)
    while (found := page.evaluate(CONTRAST, look)) is None:
        pass
    for violation in found:
        for node in violation["nodes"]:
            what = f"{look}: {node['html'][:120]}"
            yield Fault("contrast", what, node["failureSummary"], "", size_of(page))
