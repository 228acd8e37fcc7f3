"""The bodies of HTTP requests and answers, as models; `/openapi.json` is made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ..core.table import Model
from .commands import Name
from .messages import EventInfo, Frame, Problem, RoomMessage, SceneMessage

DECK = 64_000  # characters of a deck
DELAY = 3_600  # seconds, most that spectators may be behind


class NewMatch(Model):
    """A match to be made."""

    game: str = Field(max_length=40, description="its name, as GET /api/games lists it")
    options: dict[str, str | int | bool] = Field(
        {}, max_length=60, description="by name, as GET /api/games lists them", examples=[{}]
    )
    seats: list[str] = Field(
        min_length=1, max_length=10, description='"you" (once), "open", or a bot\'s level'
    )
    name: Name = "Guest"
    mode: str = Field("", max_length=40, description="the name of a mode, to be shown")
    deck: str | None = Field(None, max_length=DECK, description="the text of your own deck file")
    seed: int | None = Field(None, ge=0, lt=2**53, description="this deal; its chance is not fair")
    delay: float = Field(0, ge=0, le=DELAY, description="seconds that spectators see it later")


class ProblemBody(Model):
    """Every error."""

    error: Problem


class Place(Model):
    """A match and the caller's seat in it."""

    id: str
    seat: int | None
    token: str | None


class ModeInfo(Model):
    """A way to play a game."""

    name: str
    about: str
    options: dict[str, Any]


class LinkInfo(Model):
    """A link to give to others."""

    seat: int | None = Field(description="the seat that it lets one take; null: it watches")
    url: str
    qr: str = Field(description="its QR code, as the address of a picture; empty: it has none")


class Links(Model):
    """The links to a match that its bearer may give away."""

    only_here: bool = Field(description="they work on this machine only")
    links: list[LinkInfo]


class GameInfo(Model):
    """A game that can be played here."""

    name: str
    title: str
    about: str
    version: int
    players: list[int]
    human_defaults: dict[str, Any] = Field(description="options that people start from")
    modes: list[ModeInfo]
    levels: list[str]
    lessons: int = Field(description="how many there are")
    options: dict[str, Any]


class RulesInfo(Model):
    """The rules of a game."""

    name: str
    title: str
    brief: str = Field(description="the game in short, as HTML")
    html: str = Field(description="the rules, as HTML")
    rules: dict[str, str]
    modes: list[ModeInfo]


class PieceInfo(Model):
    """A card or another piece, as scenes have them; count: how many there are."""

    id: str
    label: str
    kind: str
    code: str
    name: str
    value: str
    text: str
    tone: str
    count: int


class FamilyInfo(Model):
    """Pieces that are alike, and what they are for."""

    name: str
    text: str
    pieces: list[PieceInfo]


class ComponentsInfo(Model):
    """All that is played with. options: what it is so with, in words."""

    options: str
    families: list[FamilyInfo]


class LessonInfo(Model):
    """A lesson of a game. chapter: the way to play that it teaches."""

    id: str
    title: str
    chapter: str


class HelpInfo(Model):
    """What is said in a first match when a phase first asks one to decide."""

    said: str
    choice: str = Field(description='the word that is chosen for a newcomer; "": none is')


class Lessons(Model):
    """What can be learnt of a game."""

    lessons: list[LessonInfo]
    help: dict[str, HelpInfo] = Field(description="by phase")


class LessonStep(Model):
    """A lesson after these choices, and perhaps one more."""

    choices: list[Annotated[str, Field(max_length=80)]] = Field(
        [], max_length=60, description='words that were right so far; "": going on'
    )
    attempt: str | None = Field(None, max_length=80, description="what is chosen now")
    since: int = Field(-1, ge=-1, le=10**6, description="the last frame that is known")


class CoachInfo(Model):
    """What the coach says and points at, and what is waited for."""

    says: list[str]
    zones: list[str]
    pieces: list[str]
    actions: list[int]
    asks: bool = Field(description="a decision is waited for; else that the learner goes on")
    over: bool = Field(description="the lesson is")
    said: str = Field(description='why the attempt was not right; "": it was')


class LessonPicture(Model):
    """What the learner sees of a lesson: frames as in a socket, all that are new."""

    room: RoomMessage
    frames: list[Frame]
    choices: list[str] = Field(description="those that were right, the attempt among them")
    coach: CoachInfo


class Summary(Model):
    """Where a match stands."""

    room: RoomMessage
    title: str
    prompt: str
    to_act: int | None
    your_turn: bool


class FieldInfo(Model):
    """A field of an observation."""

    name: str
    type: str
    shape: list[int]
    at: int


class Layout(Model):
    """How to read an observation."""

    rules: dict[str, str]
    actions: int
    bytes: int
    fields: list[FieldInfo]


class Step(Model):
    """The picture after so many actions."""

    told: list[EventInfo]
    scene: SceneMessage


class Replay(Model):
    """Some steps of a match that has ended."""

    steps: int
    first: int = Field(serialization_alias="from")
    frames: list[Step]


class Health(Model):
    """The server is well: how much the one of its nodes does that answers."""

    status: Literal["ok"]
    version: str
    node: str
    matches: int
    sockets: int


class Ready(Model):
    """The server takes requests. compiled: bots need not wait to be made ready."""

    status: Literal["ready"]
    compiled: bool


def problem(code: str, message: str, where: str = "") -> dict[str, Any]:
    """An error as it is sent."""
    return ProblemBody(error=Problem(code=code, message=message, where=where)).model_dump()
