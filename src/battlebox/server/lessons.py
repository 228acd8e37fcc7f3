"""Lessons at the page: what one sees of a lesson after so many choices. Nothing is kept of them.

A lesson is a function of what the learner has chosen, so every request says all of it. That costs
little, survives a restart, and any process can answer.
"""

from __future__ import annotations

import json
from functools import lru_cache

from ..core.errors import BattleboxError, IllegalAction, InvalidWord
from ..core.game import Game
from ..core.lesson import Lesson, LessonRun, Taught, pointed, replay, taught
from ..core.match import Match
from ..core.response_window import ResponseWindow
from ..core.scenario import Failed
from ..protocol.http import CoachInfo, HelpInfo, LessonInfo, LessonPicture, Lessons, LessonStep
from ..protocol.messages import Fairness, Frame, RoomMessage, SeatInfo
from .views import SceneView, ViewKey

ASKED = "lesson"  # the question of a lesson, which is always the next


class Broken(BattleboxError):
    """A lesson that does not fit the rules."""


@lru_cache(64)
def all_of(game: Game) -> Taught:
    """What a game's lessons teach. Errors: Broken."""
    try:
        return taught(game)
    except BattleboxError as e:
        raise Broken(f"The lessons of {game.title} cannot be read: {e}") from e


def info(game: Game) -> Lessons:
    """What can be learnt. Errors: Broken."""
    found = all_of(game)
    return Lessons(
        lessons=[LessonInfo(id=x.id, title=x.title, chapter=x.chapter) for x in found.lessons],
        help={k: HelpInfo(said=x.said, choice=x.choice) for k, x in found.help.items()},
    )


def picture(game: Game, lesson: Lesson, asked: LessonStep) -> LessonPicture:
    """What the learner sees. Errors: Broken; IllegalAction, InvalidWord: of a choice."""
    try:
        frames = _Frames(lesson.seat)
        run = replay(game, lesson, asked.choices, frames.hear)
        said = "" if asked.attempt is None else run.choose(asked.attempt)
        return _picture(run, frames, asked.since, said)
    except (IllegalAction, InvalidWord):
        raise
    except (Failed, BattleboxError) as e:
        raise Broken(f"{lesson.id}: {e}") from e


class _Frames:
    """The frames of one viewer, as they come about; it looks at a match as at a session."""

    match: Match  # that was heard of last

    def __init__(self, seat: int) -> None:
        self.view = SceneView(ViewKey(seat))
        self.view.run = ASKED
        self.window: ResponseWindow | None = None
        self.made = list[bytes]()  # each as what has changed since the one before

    def hear(self, match: Match) -> None:
        if not match.history:
            self.view.forget(0)
        self.match = match
        self.view.update(self)
        if self.view.n == len(self.made):
            self.made.append(self.view.since(self.view.n - 1))

    def may_undo(self, seat: int | None) -> bool:
        return False

    def question(self, seat: int) -> str:
        return ASKED

    def since(self, n: int) -> list[Frame]:
        """All that came after frame n; -1: the newest alone, whole."""
        found = self.made[n + 1 :] if n >= 0 else [self.view.since(-1)]
        return [Frame.model_validate(json.loads(x)) for x in found]


def _picture(run: LessonRun, frames: _Frames, since: int, said: str) -> LessonPicture:
    stop, match = run.stop, run.table
    found = pointed(match.scene(run.seat), stop.points)
    return LessonPicture(
        room=_room(run),
        frames=frames.since(min(since, frames.view.n)),
        choices=run.choices,
        coach=CoachInfo(
            says=list(stop.says),
            zones=list(found.zones),
            pieces=list(found.pieces),
            actions=list(found.actions),
            asks=stop.wanted is not None,
            over=stop.is_end,
            said=said,
        ),
    )


def _room(run: LessonRun) -> RoomMessage:
    """A room in which nobody sits but the learner and those in the story."""
    rules = run.table.rules
    return RoomMessage(
        id="",
        game=rules.name,
        title=rules.game.title,
        mode=run.lesson.chapter,
        options=rules.options_in_words,
        you=run.seat,
        invited=None,
        seats=[
            SeatInfo(
                seat=p, name=name, kind="person", level="", here=True, resigned=False,
                replaced=False,
            )
            for p, name in enumerate(run.table.names)
        ],
        may=[],
        may_propose=[],
        invitations={},
        proposal=None,
        outcome=None,
        preparing=False,
        watching=0,
        delay=0,
        fair=Fairness(commitment=None, secret=None),
        end=None,
        rematch=None,
    )  # fmt: skip


def lesson_of(game: Game, id: str) -> Lesson | None:
    """The lesson of that id. Errors: Broken."""
    return next((x for x in all_of(game).lessons if x.id == id), None)
