"""The layout law as a check of a game."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor

from ...core.game import Game
from ...games import names, open_game
from ..failure import Failure
from .browser import chromium
from .faults import CURES, Fault
from .follower import SIZES, Course, Follower
from .serving import still_server

DEPTHS = (0, 4, 12, 40)  # actions after which one looks
LONGEST = 1_000  # actions until the end that is looked at, if the match is over by then
MOST = 5  # faults that are told


def everything_lies_right(game: Game, course: Course) -> int:
    """Looks at the page in some positions of one match and at its end, in windows of all sizes, in
    the light and in the dark. Gives how many views it saw. Errors: Failure.
    """
    if game.name not in names():
        open_game(game.folder)
    with ThreadPoolExecutor(1) as aside:  # a browser's loop runs on in its thread
        return aside.submit(_look, course).result()


def _look(course: Course) -> int:
    found, seen = dict[Fault, str](), 0
    with still_server() as server, chromium() as browser:
        page = browser.new_context(reduced_motion="reduce").new_page()
        follower = Follower(page, server, course)

        def look(looks: bool = False) -> None:
            nonlocal seen
            seen += len(SIZES)
            for fault in follower.faults(looks=looks):
                if fault not in found and len(found) < MOST:
                    page.screenshot(path=(picture := _picture()))
                    found[fault] = f"{course}, after {follower.took} actions; see {picture}"

        for i, depth in enumerate((*DEPTHS, LONGEST)):
            follower.go_to(depth)
            if depth == LONGEST and not follower.is_over:
                break
            follower.settle()
            look(looks=i % 2 == 1)
            if follower.pick():
                look()
            if follower.is_over or len(found) >= MOST:
                break
    if found:
        said = [f"{fault}\n  {where}\n  {CURES[fault.law]}" for fault, where in found.items()]
        raise Failure("\n".join(said))
    return seen


def _picture() -> str:
    """A file for a screenshot."""
    with tempfile.NamedTemporaryFile(prefix="battlebox-", suffix=".png", delete=False) as file:
        return file.name
