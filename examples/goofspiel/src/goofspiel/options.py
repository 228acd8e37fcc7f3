"""Goofspiel: what may be chosen. The table of rules.py is filled by these names."""

from typing import Literal

from battlebox.authoring import Field, Group, bounds, option
from battlebox.authoring import Options as AnyOptions


class Options(AnyOptions):
    """How Goofspiel is played."""

    players: int = Field(2, ge=2, le=4, title="Players", description="how many players (GO-1)")
    cards: int = option(
        13, "Cards", Group.SETUP, "how many each player has, and prizes (GO-1)", **bounds(2, 13)
    )
    order: Literal["random", "down", "up"] = option(
        "random",
        *("Order of the prizes", Group.SETUP, "in which they come up (GO-2)"),
        names={"random": "by lot", "down": "the highest first", "up": "the lowest first"},
    )
    ties: Literal["discard", "carry"] = option(
        "discard",
        *("Equal bids", Group.VARIANTS, "what becomes of the prize (GO-5)"),
        names={"discard": "nobody gets it", "carry": "it waits for the next round"},
    )
