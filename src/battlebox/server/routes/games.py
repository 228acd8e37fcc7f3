"""The games that can be played here, their options and rules."""

from __future__ import annotations

from fastapi import APIRouter

from ... import bots
from ... import games as list_games
from ...games import NAMES, find
from ...protocol.http import GameInfo, ModeInfo, RulesInfo
from ..rulebook import rulebook
from .problems import NOT_FOUND, RequestProblem

router = APIRouter(prefix="/api/games")


@router.get("")
async def games() -> list[GameInfo]:
    """The games that can be played here, with their options; first what was added to ours."""
    return [_game(name) for name in sorted(list_games(), key=lambda x: x in NAMES)]


@router.get("/{name}/rules", responses=NOT_FOUND)
async def rules(name: str) -> RulesInfo:
    """The rules of a game, as a page and one by one."""
    if name not in list_games():
        raise RequestProblem(404, "not_found", f"There is no game {name!r}.", "name")
    game = find(name)
    return RulesInfo(name=name, title=game.title, html=rulebook(game), rules=game.rulebook)


def _game(name: str) -> GameInfo:
    game = find(name)
    schema = game.options.model_json_schema()
    players = schema["properties"]["players"]
    return GameInfo(
        name=name,
        title=game.title,
        about=game.about,
        version=game.version,
        players=[players["minimum"], players["maximum"]],
        human_defaults=dict(game.human_defaults),
        modes=[ModeInfo(name=x.name, about=x.about, options=dict(x.options)) for x in game.modes],
        levels=list(bots.LEVELS),
        options=schema,
    )
