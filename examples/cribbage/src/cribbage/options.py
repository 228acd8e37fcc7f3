"""Cribbage: what may be chosen before a match.

`Table` in rules.py is filled with the options of the same names.
"""

from battlebox.authoring import Field, Group, bounds, option
from battlebox.authoring import Options as AnyOptions


class Options(AnyOptions):
    """How Cribbage is played. README.md lists them, too."""

    players: int = Field(2, ge=2, le=2, title="Players", description="how many players (CB-1)")
    goal: int = option(
        121, "Points to win", Group.ENDING, "who has as many has won (CB-15)", **bounds(31, 121)
    )
