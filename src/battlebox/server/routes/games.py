"""The games that can be played here, their options and rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from fastapi import APIRouter, Request

from ... import bots
from ... import games as list_games
from ...core.errors import IllegalAction, InvalidWord, in_a_sentence
from ...core.game import Game
from ...games import NAMES, find
from ...protocol.http import (
    ComponentsInfo,
    GameInfo,
    LessonPicture,
    Lessons,
    LessonStep,
    ModeInfo,
    RulesInfo,
)
from .. import lessons
from ..address import asker
from ..clock import Clock
from ..limits import Buckets
from ..rulebook import components, rulebook
from .problems import NOT_FOUND, TOO_MANY, RequestProblem

log = logging.getLogger("battlebox")

LESSONS_A_SECOND, AT_ONCE = 5, 60  # steps of lessons that one address may take


def router(clock: Clock) -> APIRouter:
    """The routes."""
    routes, steps = APIRouter(prefix="/api/games"), Buckets(LESSONS_A_SECOND, AT_ONCE, clock)

    @routes.get("")
    async def games() -> list[GameInfo]:
        """The games that can be played here, with their options; first what was added to ours."""
        return [_game(name) for name in sorted(list_games(), key=lambda x: x in NAMES)]

    @routes.get("/{name}/rules", responses=NOT_FOUND)
    async def rules(name: str) -> RulesInfo:
        """The rules of a game, as a page and one by one."""
        game = _find(name)
        brief, html = rulebook(game)
        return RulesInfo(
            name=name,
            title=game.title,
            brief=brief,
            html=html,
            rules=game.rulebook,
            modes=_modes(game),
        )

    @routes.get("/{name}/components", responses=NOT_FOUND)
    async def list_components(name: str, mode: str = "") -> ComponentsInfo:
        """The cards and other pieces of a mode, drawn and explained; without one: of the usual."""
        game = _find(name)
        options = {x.name: x.options for x in game.modes}
        if mode and mode not in options:
            raise RequestProblem(404, "not_found", f"There is no mode {mode!r}.", "mode")
        chosen = mode or next(iter(options), "")
        return await asyncio.to_thread(_components, game, chosen)

    @routes.get("/{name}/lessons", responses=NOT_FOUND)
    async def list_lessons(name: str) -> Lessons:
        """The lessons of a game, in their order, and what helps in a first match."""
        with _lessons_are_right():
            return lessons.info(_find(name))

    # what a frame does not say is as it was
    @routes.post(
        "/{name}/lessons/{id}", responses=NOT_FOUND | TOO_MANY, response_model_exclude_unset=True
    )
    async def take_lesson(name: str, id: str, asked: LessonStep, request: Request) -> LessonPicture:
        """What one sees of a lesson after some choices; nothing is kept of it here."""
        game, address = _find(name), asker(request.scope)
        if address is not None and not steps.take(address):
            raise RequestProblem(429, "too_many", "That was quick: wait a second, and go on.")
        with _lessons_are_right():
            if (lesson := lessons.lesson_of(game, id)) is None:
                raise RequestProblem(404, "not_found", f"There is no lesson {id!r}.", "id")
            return await asyncio.to_thread(lessons.picture, game, lesson, asked)

    return routes


@contextmanager
def _lessons_are_right() -> Iterator[None]:
    """Errors of lessons as those of requests."""
    try:
        yield
    except (IllegalAction, InvalidWord) as e:
        raise RequestProblem(400, "illegal", in_a_sentence(e), "choices") from None
    except lessons.Broken as e:
        log.warning("A lesson does not fit the rules. %s", e)
        said = "This lesson is broken, which is our mistake. Take the next one."
        raise RequestProblem(409, "cannot_be_opened", said, "id") from None


def _find(name: str) -> Game:
    if name not in list_games():
        raise RequestProblem(404, "not_found", f"There is no game {name!r}.", "name")
    return find(name)


def _count(game: Game) -> int:
    """How many lessons there are; a file that cannot be read has none."""
    try:
        return len(lessons.all_of(game).lessons)
    except lessons.Broken as e:
        log.warning("%s", e)
        return 0


def _modes(game: Game) -> list[ModeInfo]:
    return [ModeInfo(name=x.name, about=x.about, options=dict(x.options)) for x in game.modes]


@cache
def _components(game: Game, mode: str) -> ComponentsInfo:
    """Of a mode of a game, which people begin with their own defaults."""
    options = next((x.options for x in game.modes if x.name == mode), {})
    return components(game.ruleset({**game.human_defaults, **options}))


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
        modes=_modes(game),
        levels=list(bots.levels(game)),
        lessons=_count(game),
        options=schema,
    )
