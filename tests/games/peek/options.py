"""Peek: its options; the table is filled by their names."""

from battlebox.authoring import Field, Group, bounds, option
from battlebox.authoring import Options as AnyOptions


class Options(AnyOptions):
    """How Peek is played."""

    players: int = Field(2, ge=2, le=4, title="Players", description="how many players")
    rounds: int = option(6, "Rounds", Group.ENDING, "how many turns you have", **bounds(1, 20))
