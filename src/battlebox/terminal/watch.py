"""Bots play each other, and somebody watches."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from ..core.errors import RulesetError
from ..core.game import Ruleset
from ..core.match import Match
from .desk import standings
from .draw import draw
from .screen import Ask, Screen
from .seats import HUMAN, MakeBot, Player, let_choose, make_bot, name_of, seat_programs
from .told import told

KEPT = 8  # sentences under a table that is redrawn


def watch(
    rules: Ruleset,
    seats: Sequence[Player],
    seed: int | None = None,
    *,
    pace: float = 1.0,
    console: Console | None = None,
    ask: Ask | None = None,
    live: bool | None = None,
    bots: MakeBot = make_bot,
) -> Match:
    """Plays one match without people and tells it; returns it.

    pace: seconds a move; the table is redrawn after each, at a real terminal. 0: the log at once.
    Errors: RulesetError for wrong seats. KeyboardInterrupt ends it early.
    """
    if HUMAN in seats:
        raise RulesetError("people do not play in `watch`: battlebox play has a seat for them")
    screen = Screen(console, ask, live=live)
    match = rules.match(seed)
    programs = seat_programs(rules, seats, match.seed, screen, bots)
    who = [name_of(x) for x in seats]
    so_far = list(told(match, None).values())
    drawn = screen.live and pace > 0
    if not drawn:
        screen.put(so_far)
    try:
        while (seat := match.to_act) is not None:
            program = programs[seat]
            assert program is not None, "no people here"
            since = len(match.events(None))
            let_choose(match, seat, program)
            fresh = list(told(match, None, since).values())
            so_far += fresh
            if drawn:
                screen.clear()
                screen.put(draw(match.scene(None), screen.pen(who=who), so_far[-KEPT:]))
            for text in () if drawn else fresh:
                screen.say(text)
            if fresh:
                screen.pause(pace)
    except KeyboardInterrupt:
        screen.say("Stopped.")
        return match
    scene = match.scene(None)
    screen.clear()
    screen.put(draw(scene, screen.pen(who=who, below=4 + len(who)), so_far[-1:] if drawn else ()))
    screen.put(["", *standings(scene, match.returns, screen.pen(who=who))])
    return match
