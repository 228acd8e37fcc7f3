"""High card: what may be chosen before a match.

`Table` in rules.py is filled with the options of the same names.
"""

from battlebox.authoring import Field, Group, bounds, option
from battlebox.authoring import Options as AnyOptions


class Options(AnyOptions):
    """How High card is played. README.md lists them, too."""

    players: int = Field(2, ge=2, le=4, title="Players", description="how many players (HC-1)")
    rounds: int = option(3, "Rounds", Group.ENDING, "this many are played (HC-6)", **bounds(1, 10))
