"""Chromium, where it is: that of the system, else the one that Playwright has brought."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PLACES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
)
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
NEEDED = ("playwright", "axe_playwright_python")  # modules of the extra `page`


def launch_args() -> dict[str, Any]:
    """What Playwright starts Chromium with."""
    found = next(filter(None, map(shutil.which, PLACES)), str(MAC) if MAC.exists() else None)
    return {
        **({"executable_path": found} if found else {}),
        "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    }


def missing() -> str:
    """What has to be installed before a page can be looked at; empty: nothing."""
    if not all(map(importlib.util.find_spec, NEEDED)):
        return 'pip install "battlebox[page]"'
    if "executable_path" in launch_args():
        return ""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        there = Path(playwright.chromium.executable_path).exists()
    return "" if there else "playwright install chromium"


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser; not in a thread with a running event loop."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_args())
        try:
            yield browser
        finally:
            browser.close()
