"""What a run is made with: everything that decides what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ..bots.policy import Inputs
from ..core.game import Game

Options = dict[str, Any]
WIDEST = 256  # of a layer that nobody has asked for
LARGEST_FILE = 950_000  # bytes of a policy's weights


class Settings(BaseModel):
    """Of one run. The same settings give the same policy on the same machine."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    game: str
    #: the rulesets that are played, by their options; the first is the one that is rated
    rulesets: tuple[Options, ...]
    decisions: int = Field(20_000_000, ge=1)  # how many to learn from
    seed: int = Field(1, ge=0)
    matches: int = Field(512, ge=1)  # side by side, among all rulesets
    steps: int = Field(64, ge=1)  # decisions of each match before something is learned
    width: int = Field(256, ge=1)  # of the first layer,
    deeper: int = Field(256, ge=1)  # and of the second
    rate: float = Field(1e-3, gt=0)  # of learning; it falls to 0
    entropy: float = Field(0.02, ge=0)  # what it weighs, at first
    last_entropy: float = Field(0.005, ge=0)  # and at the end
    trace: float = Field(0.95, ge=0, le=1)  # lambda of the advantages
    epochs: int = Field(2, ge=1)  # how often the decisions of a round are gone through
    minibatch: int = Field(4096, ge=1)  # decisions of a step of learning
    clip: float = Field(0.2, gt=0)  # how far from 1 a ratio of probabilities counts
    norm: float = Field(0.5, gt=0)  # largest gradient

    @classmethod
    def of(cls, game: Game, options: Sequence[Options] = (), **given: Any) -> Settings:
        """Those for a game: its layers as wide as the size of a file allows. options: the rulesets
        that are played, in place of all.
        """
        some = tuple(options) or rulesets(game)
        shape = Inputs(game.ruleset(some[0])).shape
        outputs = shape.num_actions + shape.room
        deeper = WIDEST if shape.inputs * WIDEST < LARGEST_FILE else WIDEST // 2
        rest = LARGEST_FILE - 2 * deeper * outputs
        fitting = rest // (shape.inputs + 2 * deeper) // 16 * 16  # bytes, and halves behind them
        width = max(16, min(WIDEST, fitting))
        return cls(game=game.name, rulesets=some, **{"width": width, "deeper": deeper} | given)

    @property
    def round(self) -> int:
        """Decisions between two times of learning."""
        return self.matches * self.steps

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return max(1, -(-self.decisions // self.round))


def rulesets(game: Game) -> tuple[Options, ...]:
    """All that people choose from: each mode, for each number of players it can have; the usual
    mode for the usual number first.
    """
    usual = game.options.model_fields["players"].default
    least = game.options.model_json_schema()["properties"]["players"]["minimum"]
    every = range(least, game.most_players + 1)
    found = list[Options]()
    for mode in game.modes or (None,):
        options = dict(mode.options) if mode else {}
        players = [options["players"]] if "players" in options else every
        found += [{**options, "players": n} for n in players]
    found.sort(key=lambda x: x["players"] != usual or len(x) > 1)
    return tuple(found)
