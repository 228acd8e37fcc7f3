"""The options of Goofspiel, and the numbers they give the rules."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from battlebox.core import game
from battlebox.core.game import Group, Resolved, bounds, option

from . import rules


class Options(game.Options):
    """How it is played; README.md says more under the rules it names."""

    players: int = Field(2, ge=2, le=rules.SEATS, title="Players", description="two to four (GO-1)")
    cards: int = option(
        rules.CARDS,
        *("Cards", Group.SETUP, "of each player, and as many prizes (GO-2)"),
        **bounds(2, rules.CARDS),
    )
    order: Literal["random", "descending", "ascending"] = option(
        "random",
        *("Prizes come", Group.VARIANTS, "in which order they are turned up (GO-3)"),
        names={
            "random": "in random order",
            "descending": "from the highest down",
            "ascending": "from the lowest up",
        },
    )
    ties: Literal["discard", "carry"] = option(
        "discard",
        *("After a tie", Group.VARIANTS, "what happens to a prize that nobody wins (GO-8, GO-9)"),
        names={"discard": "the prize is lost", "carry": "the prize joins the next one"},
    )


def resolve(o: Options) -> Resolved:
    """The table of these options."""
    numbers = {
        "cards": o.cards,
        "order": rules.Order[o.order.upper()],
        "carries": o.ties == "carry",
    }
    return Resolved({}, numbers)
