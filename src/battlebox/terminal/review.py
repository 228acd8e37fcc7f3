"""How a match went: luck and skill, turning points, what `champion` would have played."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from ..bots.review import SeatReview
from ..bots.review import review as judge
from ..bots.review_text import Line, decisions, summary, turning_points
from ..core.match import Match
from ..text.draw import Pen
from .screen import Screen
from .seats import HUMAN

LOOKING = "Reviewing the match (Ctrl-C to stop)"
NONE = "There were none: no move changed the chances by much."


def review(
    match: Match,
    seat: int | None = None,
    *,
    who: Sequence[str] = (),
    seed: int = 0,
    every: bool = False,
    as_json: bool = False,
    console: Console | None = None,
    live: bool | None = None,
) -> None:
    """Tells how a match (from `battlebox.replay`) went for a seat; None: for all, and in detail for
    those where `who` has people, or else for every one.

    every: all their decisions, not only those that cost most. as_json: the reviews as data. How
    far it is is said on stderr.
    Errors: BattleboxError for a seat that is not there, or if nothing was played.
    """
    waiting, screen = Screen(Console(stderr=True), live=live), Screen(console, live=live)
    reviews = look_back(waiting, match, None if seat is None else [seat], seed=seed)
    if as_json:
        screen.put([json.dumps([asdict(a) for a in reviews], indent=2)])
        return
    seats = _people(who) or [a.seat for a in reviews]
    seats = seats if seat is None else [seat]
    screen.put(told(reviews, seats, match.names, screen.pen(who=who), every=every))


def _people(who: Sequence[str]) -> list[int]:
    return [p for p, x in enumerate(who) if x == HUMAN]


def look_back(
    screen: Screen, match: Match, seats: Sequence[int] | None = None, *, seed: int = 0
) -> tuple[SeatReview, ...]:
    """Reviews these seats (None: all), while the person sees how far it is.

    Errors: as of `bots.review.review`. KeyboardInterrupt stops it.
    """
    stopped, so_far, found = threading.Event(), [(0, 0)], list[tuple[SeatReview, ...]]()

    def work() -> None:
        found.append(judge(match, seats, seed=seed, progress=hear, cancelled=stopped.is_set))

    def hear(done: int, all: int) -> None:
        so_far[0] = done, all

    try:
        screen.wait_for(work, LOOKING, lambda: so_far[0])
    except KeyboardInterrupt:
        stopped.set()
        raise
    return found[0]


def show_review(screen: Screen, match: Match, who: Sequence[str]) -> None:
    """Looks back, and tells it to the people who sat there; or says that it was stopped."""
    try:
        reviews = look_back(screen, match)
    except KeyboardInterrupt:
        screen.say("Stopped.")
        return
    screen.page(told(reviews, _people(who), match.names, screen.pen(who=who)))


def told(
    reviews: Sequence[SeatReview],
    seats: Sequence[int],
    names: Sequence[str],
    pen: Pen,
    *,
    every: bool = False,
) -> list[Text]:
    """What the match was for all, and in detail for these seats; one alone is addressed as "you".

    every: all decisions of these seats, not only those that cost most.
    """
    you = seats[0] if len(seats) == 1 else None
    out = [pen.line("Luck and skill", "bold")]
    for a in reviews:
        out += pen.wrap(summary(a, *_called(a.seat, you, names, pen.who)), " ")
    for a in reviews:
        if a.seat in seats:
            whose = "" if a.seat == you else f"{names[a.seat]}: "
            points = turning_points(a, names) or [Line("", NONE)]
            out += [Text(""), *_part(f"{whose}turning points", points, pen)]
            out += [Text(""), *_part(f"{whose}decisions", decisions(a, every=every), pen)]
    return out


def _called(p: int, you: int | None, names: Sequence[str], who: Sequence[str]) -> tuple[str, str]:
    """A seat as the subject, and what is its own."""
    if p == you:
        return "You", "your"
    level = f" · {who[p]}" if p < len(who) and who[p] not in ("", HUMAN) else ""
    return f"{names[p]}{level}", "own"


def _part(title: str, lines: Sequence[Line], pen: Pen) -> list[Text]:
    out = [pen.line(f"{title[:1].upper()}{title[1:]}", "bold")]
    for x in lines:
        out += pen.wrap(x.text, f"{x.head:>5} " if x.head else " ")
    return out
