"""The games as environments of the libraries that learners use: `pip install 'battlebox[envs]'`.

PettingZoo, one seat after the other or all in each step; Gymnasium, one seat against opponents:

    battlebox.envs.aec("war_zone", players=3)
    battlebox.envs.parallel("war_zone")
    gymnasium.make("battlebox/war_zone-v1", opponents="easy")
    gymnasium.make_vec("battlebox/war_zone-v1", num_envs=64)

OpenSpiel, after `import battlebox.envs.open_spiel` (`pip install 'battlebox[open-spiel]'`):

    pyspiel.load_game("battlebox_war_zone(players=2)")

Importing this package makes the games known to Gymnasium. The number after -v is the version of the
game's rules: as long as it stays, the same seed and actions give the same match. All that is not
named here is an option of the game: `battlebox games NAME` lists them. What is where:

    one_match.py    one match, as all show it    opponents.py    who else is at the table
    pettingzoo.py   `aec`, `parallel`            gymnasium.py    `make`, `make_vec`
    spaces.py       what observations are like   open_spiel.py   `pyspiel.load_game`
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.errors import BattleboxError
from .one_match import Illegal

if TYPE_CHECKING:
    from .pettingzoo import AecMatch, ParallelMatch


def aec(
    game: str | Path,
    *,
    limit: int | None = None,
    illegal: Illegal = "raise",
    ego: bool = True,
    onehot: bool = True,
    render_mode: str | None = None,
    **options: Any,
) -> AecMatch:
    """A game as PettingZoo's AECEnv: the seat `agent_selection` acts. See `AecMatch`.

    limit: most decisions of a match, which is then truncated. illegal: what an illegal action
    does: "raise" an IllegalAction, or "lose" the match. ego, onehot: see `Encoder`.
    Errors: RulesetError, as `battlebox.load`; BattleboxError if PettingZoo is not installed.
    """
    _need("pettingzoo")
    from .pettingzoo import AecMatch

    return AecMatch(game, limit, illegal, ego, onehot, render_mode, options)


def parallel(
    game: str | Path,
    *,
    limit: int | None = None,
    illegal: Illegal = "lose",
    ego: bool = True,
    onehot: bool = True,
    render_mode: str | None = None,
    **options: Any,
) -> ParallelMatch:
    """A game as PettingZoo's ParallelEnv: all seats give an action, that of the seat to act counts.

    The same as of `aec`, but that an illegal action loses, as PettingZoo's own tests take any.
    """
    _need("pettingzoo")
    from .pettingzoo import ParallelMatch

    return ParallelMatch(game, limit, illegal, ego, onehot, render_mode, options)


def _need(library: str) -> None:
    if find_spec(library) is None:
        raise BattleboxError(f"{library} is not installed: pip install 'battlebox[envs]'")


if find_spec("gymnasium"):
    from .gymnasium import register

    register()

__all__ = ["aec", "parallel"]
