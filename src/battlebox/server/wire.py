"""What goes over the wire: requests and messages, checked; answers and errors, in one form each.

docs/protocol.md explains them to authors of clients.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import Field
from pydantic_core import to_json

from ..bots import review
from ..bots.review import Option, SeatReview
from ..bots.review_text import WORST, better, chance, decisions, given_away, parts
from ..core.table import Model, sentence
from .limits import DECK, DELAY, ID

Id = Annotated[str, Field(pattern=f"^{ID}$")]
Name = Annotated[str, Field(min_length=1, max_length=100)]
What = Annotated[str, Field(max_length=40)]
SeatNumber = Annotated[int, Field(ge=0, le=9)]


# ---- HTTP ---------------------------------------------------------------------------------------
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


class Detail(Model):
    """What is wrong."""

    code: str
    message: str
    where: str = ""


class Problem(Model):
    """Every error."""

    error: Detail


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
    people: dict[str, Any]
    modes: list[ModeInfo]
    levels: list[str]
    options: dict[str, Any]


class RulesInfo(Model):
    """The rules of a game."""

    name: str
    title: str
    html: str
    rules: dict[str, str]


class Summary(Model):
    """Where a match stands."""

    table: dict[str, Any]
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

    told: list[dict[str, Any]]
    scene: dict[str, Any]


class Replay(Model):
    """Some steps of a match that has ended."""

    steps: int
    first: int = Field(serialization_alias="from")
    frames: list[Step]


class Health(Model):
    """The server is well: how much it does, or the one of its processes that answers."""

    status: Literal["ok"]
    version: str
    worker: int
    workers: int
    matches: int
    sockets: int


class Ready(Model):
    """The server takes requests. compiled: bots need not wait to be made ready."""

    status: Literal["ready"]
    compiled: bool


# ---- the socket ---------------------------------------------------------------------------------
class Hello(Model):
    """The first message of a socket."""

    type: Literal["hello"]
    token: str | None = Field(None, max_length=100)
    frames: Literal["scene", "data"] = "scene"
    run: str = Field("", max_length=40)
    since: int = Field(-1, ge=-1, le=10**9)


class Do(Model):
    """One of the scene's choices, in the picture n."""

    type: Literal["do"]
    id: Id
    run: str = Field("", max_length=40)
    n: int = Field(ge=0, le=10**9)
    action: int = Field(ge=0, le=10**6)


class Rename(Model):
    """Takes an open seat, or changes one's name."""

    type: Literal["name"]
    id: Id
    name: Name
    key: str | None = Field(None, min_length=16, max_length=64, description="only the sender's")


class Fill(Model):
    """Gives an open seat to a bot."""

    type: Literal["fill"]
    id: Id
    seat: SeatNumber
    level: str = Field(max_length=40)


class Ask(Model):
    """Asks for an undo, gives up."""

    type: Literal["undo", "resign"]
    id: Id


class Offer(Model):
    """Offers what the table message lists: a draw, an agreement of the game."""

    type: Literal["offer"]
    id: Id
    what: What


class Answer(Model):
    """Answers an offer."""

    type: Literal["answer"]
    id: Id
    what: What
    yes: bool


class Hint(Model):
    """Asks what a bot would do in one's place."""

    type: Literal["hint"]
    id: Id


class Review(Model):
    """Asks how a match went that is over, for a seat."""

    type: Literal["review"]
    id: Id
    seat: SeatNumber | None = None


class Stop(Model):
    """No longer wants what was asked for under this id."""

    type: Literal["stop"]
    id: Id


Action = Do | Rename | Fill | Ask | Offer | Answer  # goes into the log
Errand = Hint | Review  # takes a while
Message = Annotated[Action | Errand | Stop, Field(discriminator="type")]
_message: pydantic.TypeAdapter[Message] = pydantic.TypeAdapter(Message)
_hello = pydantic.TypeAdapter(Hello)
T = TypeVar("T")
SUMS = ("seat", "rounds", "start", "luck", "own", "others", "end")  # of an account


def wish(message: Action) -> str:
    """What tells one wish from another: all of it but its id and the picture it was made in.

    Nobody else can repeat what was wished with a `key`, and nobody at all what takes a seat
    without one: the answer holds the seat's token.
    """
    text = message.model_dump_json(exclude={"id", "run", "n"})
    return urlsafe_b64encode(sha256(text.encode()).digest()[:15]).decode()


class BadMessage(Exception):
    """A message that is none; says why."""


def read_hello(text: str | bytes) -> Hello:
    """The first message. Errors: BadMessage."""
    return _read(_hello, text)


def read_message(text: str | bytes) -> Message:
    """Any other message of a client. Errors: BadMessage."""
    return _read(_message, text)


def _read(adapter: pydantic.TypeAdapter[T], text: str | bytes) -> T:
    try:
        return adapter.validate_json(text)
    except pydantic.ValidationError as e:
        raise BadMessage(sentence(e)) from None


def problem(code: str, message: str, where: str = "") -> dict[str, Any]:
    """An error as it is sent."""
    return {"error": {"code": code, "message": message, "where": where}}


def refused(id: str, code: str, message: str) -> bytes:
    """The answer to an action that was not done."""
    return to_json({"type": "refused", "id": id, **problem(code, message)})


def acknowledged(id: str, **more: str) -> bytes:
    """The answer to an action that is in the log."""
    return to_json({"type": "ack", "id": id, **more})


def hinted(id: str, options: Sequence[Option], text: str) -> bytes:
    """The answer to a hint that was asked for."""
    choices = [{k: getattr(x, k) for k in ("action", "visits", "expected")} for x in options]
    return to_json({"type": "hint", "id": id, "choices": choices, "text": text})


def going_on(id: str, done: int, of: int, early: SeatReview | None = None) -> bytes:
    """How far a review is; early: what is known of the seat that was asked for."""
    more = {} if early is None else _went(early)
    return to_json({"type": "review", "id": id, "done": done, "of": of, **more})


def reviewed(id: str, accounts: Sequence[SeatReview], texts: Sequence[str], seat: int) -> bytes:
    """How a match went: for each seat the sums and a sentence, for one of them all decisions."""
    sums = [
        {**{k: _short(getattr(a, k)) for k in SUMS}, "parts": parts(a)._asdict()} for a in accounts
    ]
    told = [{**x, "text": text} for x, text in zip(sums, texts, strict=True)]
    return to_json({"type": "review", "id": id, "accounts": told, **_went(accounts[seat])})


def _went(account: SeatReview) -> dict[str, Any]:
    """All decisions as they were for a seat, and which of them matter."""
    return {
        "seat": account.seat,
        "rounds": account.rounds,
        "steps": [_step(x) for x in account.steps],
        "turning_points": [x.number for x in account.turning_points],
        "worst": [x.number for x in given_away(account)[:WORST]],
        "decided": decisions(account)[0].text,
    }


def _step(x: review.Step) -> dict[str, Any]:
    """A decision: its numbers, and those that people read as they read them."""
    said = {"chances": [chance(x.before), chance(x.after)], "better": better(x)}
    return {k: _short(v) for k, v in asdict(x).items()} | said


def _short(x: Any) -> Any:
    """Four digits of what a search has found; more would be none of its business."""
    return round(x, 4) if isinstance(x, float) else x


def broken(code: str, message: str) -> bytes:
    """The last message before the server hangs up."""
    return to_json({"type": "error", **problem(code, message)})
