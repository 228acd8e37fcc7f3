"""The games in OpenSpiel: importing this makes them known to `pyspiel.load_game`.

    import pyspiel
    import battlebox.envs.open_spiel

    game = pyspiel.load_game("battlebox_war_zone(players=3)")

Chance is explicit: a card is dealt, by a chance node, when a rule looks at it, so trees branch by
what is seen and not by the orders of a deck. Parameters are the options of the game. Returns are
-1 .. 1, and come at the end.

Information states have perfect recall: their strings are digests of all that a player has seen and
done, so they are the same exactly if that is; observation strings are the table as text. Tensors of
information states are stacks of observations and own actions, one for each decision of anybody;
where a match could be so long that they have more than MOST_NUMBERS numbers, there are none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import battlebox

from ..core.checked import Array, Picture
from ..core.errors import BattleboxError
from ..core.features import Encoder
from ..core.game import Game
from ..core.histories import ChanceNode, Histories, History
from ..games import find
from .one_match import table_text

try:
    import pyspiel
except ImportError as e:
    raise ImportError("OpenSpiel is not installed: pip install 'battlebox[open-spiel]'") from e

MOST_NUMBERS = 2**20  # of an information state's tensor
KEPT = 20_000  # histories, and chance nodes
MOST_OUTCOMES = 1_000  # of a chance node; no game of ours comes near
NONE, ONE, ALL = (
    pyspiel.PrivateInfoType.NONE,
    pyspiel.PrivateInfoType.SINGLE_PLAYER,
    pyspiel.PrivateInfoType.ALL_PLAYERS,
)


Key = tuple[str, tuple[tuple[str, Any], ...]]


class _Walk:
    """What states of one game share: a copy of a state has the same one, and so has a pickled one
    when it is read again.
    """

    def __init__(self, key: Key) -> None:
        path, options = self.key = key
        self.rules = rules = battlebox.load(path, **dict(options))
        engine = rules.plain()
        self.histories = Histories(engine)
        self.encoder: Encoder = engine.encoder()
        self.actions = engine.num_actions
        self.length = int(engine.build.hooks.max_length(engine.tt[0], rules.players))
        self.width = self.encoder.width + self.actions
        self.is_stacked = self.length * self.width <= MOST_NUMBERS
        self.start = self.histories.begin()
        # solvers go through a tree again and again
        self.take = lru_cache(KEPT)(self.histories.take)
        self.outcome = lru_cache(KEPT)(self.histories.outcome)
        self.encoded = lru_cache(KEPT)(lambda at: self.encoder(at.seen))

    def word(self, at: History | ChanceNode, action: int) -> str:
        """What is decided, in words."""
        if isinstance(at, ChanceNode):
            return f"chance:{at.outcomes[action].value}"
        return self.rules.game.notation.word(self.rules, Picture(at.record), action)

    def __deepcopy__(self, memo: Any) -> _Walk:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _walk, (self.key,)


@cache
def _walk(key: Key) -> _Walk:
    return _Walk(key)


@dataclass(frozen=True)
class _Past:
    """What was decided, by players and chance: where, and what."""

    steps: tuple[tuple[History | ChanceNode, int], ...] = ()

    def __deepcopy__(self, memo: Any) -> _Past:
        return self  # nobody changes it


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset. Each game has a class of its own: `register` makes it."""

    path: ClassVar[str]  # as `battlebox.load` takes it
    short_name: ClassVar[str]

    def __init__(self, params: dict[str, Any]) -> None:
        self.walk = walk = _walk((self.path, tuple(sorted(params.items()))))
        n = walk.rules.players
        info = pyspiel.GameInfo(
            num_distinct_actions=walk.actions,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=n,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if n == 2 else None,
            max_game_length=walk.length,
        )
        kind = _game_type(walk.rules.game, self.short_name, {}, n, walk.is_stacked)
        super().__init__(kind, info, params)

    def new_initial_state(self, *_: Any) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """More than there can be."""
        return MOST_OUTCOMES * (1 + self.walk.length)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What a player sees, or has seen (perfect recall)."""
        usual = pyspiel.IIGObservationType(perfect_recall=False)
        return SpielObserver(self.walk, iig_obs_type or usual, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A history, or a chance node."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.walk = game.walk
        self.at: History | ChanceNode = self.walk.start
        self.past = _Past()

    @property
    def last(self) -> History | None:
        """Where somebody last had, or has, to decide; None: nobody yet."""
        return self.at if isinstance(self.at, History) else self.at.before

    def current_player(self) -> int:
        if isinstance(self.at, ChanceNode):
            return int(pyspiel.PlayerId.CHANCE)
        return self.at.seat if self.at.actions else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return isinstance(self.at, History) and not self.at.actions

    def returns(self) -> list[float]:
        over = self.at.returns if isinstance(self.at, History) else ()
        return list(over or [0.0] * self.walk.rules.players)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.at.actions) if isinstance(self.at, History) else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if isinstance(self.at, History):
            raise BattleboxError("no chance node: a player is to decide")
        return [(i, x.probability) for i, x in enumerate(self.at.outcomes)]

    def _action_to_string(self, player: int, action: int) -> str:
        return self.walk.word(self.at, action)

    def _apply_action(self, action: int) -> None:
        self.past = _Past((*self.past.steps, (self.at, action)))
        if isinstance(self.at, ChanceNode):
            self.at = self.walk.outcome(self.at, action)
        else:
            self.at = self.walk.take(self.at, action)

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """A state that the player cannot tell from this one: what it does not see is drawn anew.

        sampler: gives a number 0 .. 1 when it is called. The history of the state stays the one
        that was played.
        """
        if not isinstance(self.at, History):
            raise BattleboxError("resample where a player is to decide, not at a chance node")
        found = self.clone()
        found.at = self.walk.histories.resample(self.at, player, int(sampler() * 2**53))
        return found  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return " ".join(self.walk.word(at, action) for at, action in self.past.steps)


class SpielObserver:
    """What a player sees as numbers and text: `tensor` (float32), `dict` of its parts, by name."""

    def __init__(self, walk: _Walk, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        if not kind.public_info or (kind.perfect_recall and kind.private_info != ONE):
            raise ValueError(
                "an observer has public_info; with perfect_recall, what a single player knows, too"
            )
        self.walk, self.recalls, self.private = walk, kind.perfect_recall, kind.private_info
        self.tensor: Array | None = None
        self.dict: dict[str, Array] = {}
        if self.recalls:
            if walk.is_stacked:
                self._make("decisions", (1 + walk.length, walk.width))
        elif self.private == ALL:
            self._make("observation", (walk.rules.players, walk.encoder.width))
        else:
            self._make("observation", (walk.encoder.width,))

    def _make(self, name: str, shape: tuple[int, ...]) -> None:
        self.tensor = np.zeros(math.prod(shape), np.float32)
        self.dict[name] = self.tensor.reshape(shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Fills the tensor with what this player sees, or has seen."""
        if self.tensor is None:
            raise BattleboxError(
                "matches of this ruleset may be too long for tensors of information states; use "
                "observations, or options that make them shorter"
            )
        self.tensor.fill(0)
        if self.recalls:
            stack, width = self.dict["decisions"], self.walk.encoder.width
            decided = [(at, x) for at, x in state.past.steps if isinstance(at, History)]
            for row, (at, action) in zip(stack, decided, strict=False):
                row[:width] = self.walk.encoded(at)[player]
                if at.seat == player:
                    row[width + action] = 1
            if isinstance(state.at, History):
                stack[len(decided), :width] = self.walk.encoded(state.at)[player]
        elif (last := state.last) is not None:
            self.dict["observation"][...] = self.walk.encoder(self._views(last, player))

    def _views(self, at: History, player: int) -> Array:
        if self.private == NONE:
            return at.public.reshape(1)
        return at.seen if self.private == ALL else at.seen[player : player + 1]

    def string_from(self, state: SpielState, player: int) -> str:
        """The table as this player sees it; of what it has seen and done, a digest."""
        at = state.last
        if at is None:
            return "nothing yet"
        if self.recalls:
            done = ""
            if isinstance(state.at, ChanceNode) and at.seat == player:
                done = f" {state.at.action}"
            return at.information[player].hex() + done
        asked = at.actions if at is state.at and at.seat == player else ()
        views = self._views(at, player)
        return "\n".join(table_text(self.walk.rules, x, asked) for x in views)


def register(game: str | Path, short_name: str = "", *, toy: bool = False) -> str:
    """Makes a game of others known to OpenSpiel; its name there.

    game: its name, or the path of its folder. short_name: "battlebox_" and its name, usually.
    toy: its options are those of the toy ruleset, unless others are given.
    Errors: RulesetError, as `battlebox.load`, `battlebox.toy`.
    """
    path = str(game)
    rules = battlebox.toy(path) if toy else battlebox.load(path)
    found, options = rules.game, rules.all_options
    name = short_name or f"battlebox_{found.name}{'_toy' * toy}"
    usual = {n: x for n, x in options.items() if isinstance(x, bool | int | float | str)}
    # a class, not a function: at the end of the process OpenSpiel lets go of it when Python is gone
    made = type(name, (SpielGame,), {"path": path, "short_name": name})
    pyspiel.register_game(_game_type(found, name, usual), made)
    return name


def _game_type(
    game: Game, name: str, params: dict[str, Any], players: int = 0, is_stacked: bool = True
) -> Any:
    """players: of one ruleset; 0: of all of a game's."""
    kinds = pyspiel.GameType
    bounds = game.options.model_json_schema()["properties"]["players"]
    return kinds(
        short_name=name,
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if players == 2 else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=bounds["maximum"],
        min_num_players=bounds["minimum"],
        provides_information_state_string=True,
        provides_information_state_tensor=is_stacked,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=params,
    )


for _name in battlebox.games():
    register(_name)
    if find(_name).toy:
        register(_name, toy=True)
