"""The messages of a socket, as models: what a client may say, and what the server says.

The server writes frames by hand, since each passes there for every viewer; that they are what the
models say is tested on all that the tests receive.
"""

# ruff: noqa: D101 - commands as messages have the docstrings of the commands
from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar

import pydantic
from pydantic import Field

from ..core.table import Model, sentence
from . import PROTOCOL, commands
from .commands import SeatNumber

ID = r"[A-Za-z0-9_-]{1,40}"  # of a match, of a command
Id = Annotated[str, Field(pattern=f"^{ID}$")]
Form = Literal["scene", "data"]


# ---- what clients say ---------------------------------------------------------------------------
class Hello(Model):
    """The first message of a socket: who it is, and what it has seen."""

    type: Literal["hello"]
    protocol: int = 1  # clients did not say so before there was another
    token: str | None = Field(None, max_length=100)
    frames: Form = "scene"
    run: str = Field("", max_length=40)
    since: int = Field(-1, ge=-1, le=10**9)


class _Version(pydantic.BaseModel):
    """What a hello of any version says that names one."""

    model_config = pydantic.ConfigDict(strict=True, extra="ignore")

    type: Literal["hello"]
    protocol: int


class _WithId(Model):
    """What is answered under an id that the client makes up."""

    id: Id


class Act(commands.Act, _WithId):
    __doc__ = commands.Act.__doc__


class TakeSeat(commands.TakeSeat, _WithId):
    __doc__ = commands.TakeSeat.__doc__


class Rename(commands.Rename, _WithId):
    __doc__ = commands.Rename.__doc__


class FillSeat(commands.FillSeat, _WithId):
    __doc__ = commands.FillSeat.__doc__


class Undo(commands.Undo, _WithId):
    __doc__ = commands.Undo.__doc__


class Propose(commands.Propose, _WithId):
    __doc__ = commands.Propose.__doc__


class Answer(commands.Answer, _WithId):
    __doc__ = commands.Answer.__doc__


class Resign(commands.Resign, _WithId):
    __doc__ = commands.Resign.__doc__


class HintRequest(_WithId):
    """Asks what a bot would do in one's place."""

    type: Literal["hint"]


class ReviewRequest(_WithId):
    """Asks how a match went that is over, for a seat."""

    type: Literal["review"]
    seat: SeatNumber | None = None


class Cancel(_WithId):
    """No longer wants what was asked for under this id."""

    type: Literal["cancel"]


CommandMessage = Act | TakeSeat | Rename | FillSeat | Undo | Propose | Answer | Resign
BackgroundRequest = HintRequest | ReviewRequest  # their answers take a while
ClientMessage = Annotated[CommandMessage | BackgroundRequest | Cancel, Field(discriminator="type")]
_client_message: pydantic.TypeAdapter[ClientMessage] = pydantic.TypeAdapter(ClientMessage)
_hello = pydantic.TypeAdapter(Hello)
T = TypeVar("T")


class BadMessage(Exception):
    """A text that is not a message; says why."""


def read_hello(text: str | bytes) -> Hello:
    """The first message; of one in another version of the protocol, only which. Errors: BadMessage.

    A newer client may say more than is known here, and is to be told which version is spoken.
    """
    try:
        version = _Version.model_validate_json(text).protocol
    except pydantic.ValidationError:
        return _read(_hello, text)  # which says what is wrong with it
    if version == PROTOCOL:
        return _read(_hello, text)
    return Hello.model_validate({"type": "hello", "protocol": version})


def read_client_message(text: str | bytes) -> ClientMessage:
    """Any other message of a client. Errors: BadMessage."""
    return _read(_client_message, text)


def _read(adapter: pydantic.TypeAdapter[T], text: str | bytes) -> T:
    try:
        return adapter.validate_json(text)
    except pydantic.ValidationError as e:
        raise BadMessage(sentence(e)) from None


# ---- what the server says -----------------------------------------------------------------------
class Said(pydantic.BaseModel):
    """Base of what the server says. A newer server may say more."""

    model_config = pydantic.ConfigDict(frozen=True, strict=True, extra="ignore")


class SeatInfo(Said):
    """Who sits there. replaced: a bot plays for a person who is away."""

    seat: int
    name: str
    kind: Literal["person", "open", "bot"]
    level: str
    here: bool
    resigned: bool
    replaced: bool


class ProposalInfo(Said):
    """An undo, a draw or an agreement of the game that waits for the answers of these seats."""

    what: str
    by: int
    waiting: list[int]


class OutcomeInfo(Said):
    """How the last proposal ended, until something else happens."""

    what: str
    by: int
    accepted: bool


class Fairness(Said):
    """The SHA-256 of the secret that chance derives from; after the end the secret itself. With a
    chosen deal there is neither.
    """

    commitment: str | None
    secret: str | None


class EndInfo(Said):
    """How the match ended. returns: null for seats whose match was not played out."""

    reason: Literal["rules", "resigned", "draw"]
    text: str
    returns: list[float | None]


class RoomMessage(Said):
    """Who sits where and what goes on around the match; whole, whenever it changes."""

    type: Literal["room"] = "room"
    protocol: int = PROTOCOL
    id: str
    game: str = Field(pattern=r"^\w+$")
    title: str
    mode: str
    options: str = Field(description="what differs from the usual, for people")
    you: int | None = Field(description="the viewer's seat; null: a spectator")
    invited: int | None = Field(description="the seat that this viewer may take")
    seats: list[SeatInfo] = Field(min_length=1, max_length=20)
    may: list[str] = Field(description="rename, fill_seat, resign, hint; after the end rematch")
    may_propose: list[str]
    invitations: dict[str, str] = Field(description="tokens of open seats, for the host")
    proposal: ProposalInfo | None
    outcome: OutcomeInfo | None
    preparing: bool = Field(description="the bots are being compiled")
    notice: str = Field(default="", description="what players are to know before it happens")
    watching: int
    delay: float = Field(description="seconds that spectators see it later")
    fair: Fairness
    end: EndInfo | None
    rematch: str | None = Field(description="the id of the next match")

    @pydantic.model_validator(mode="after")
    def _seats_there_are(self) -> RoomMessage:
        seats = range(len(self.seats))
        named = [p for p in (self.you, self.invited) if p is not None]
        named += [self.proposal.by, *self.proposal.waiting] if self.proposal else []
        if [x.seat for x in self.seats] != list(seats) or not all(p in seats for p in named):
            raise ValueError("seats are counted from 0")
        if self.end and len(self.end.returns) != len(seats):
            raise ValueError("every seat has its return")
        return self


class EventInfo(Said):
    """An event as this viewer may know it. Entries of one action share `turn`."""

    turn: int
    event: str
    args: dict[str, int | None]
    text: str = Field("", description="a sentence; programs get none")


class PackedZone(Said):
    """A zone; what is not said is empty. Pieces are rows: see `SceneMessage.choices`."""

    id: str
    kind: str
    label: str
    owner: int | None = None
    role: str = Field("", description="hand: what its owner holds, and may play")
    facts: dict[str, Any] = {}
    templates: list[dict[str, Any]] = []
    pieces: list[list[Any]] = []


class RefusalInfo(Said):
    """Why a piece or a zone cannot be chosen now."""

    id: str
    why: str
    rules: list[str] = []


class PlacementInfo(Said):
    """Where like pieces may be laid; by the id of a place, what they take up there."""

    pieces: list[str]
    places: dict[str, list[str]]


class SceneMessage(Said):
    """All that one viewer sees at one moment."""

    viewer: int | None
    to_act: int | None
    phase: str
    title: str
    prompt: str
    over: bool
    zones: list[PackedZone]
    templates: list[dict[str, Any]] = []
    choices: list[list[Any]]
    refusals: list[RefusalInfo] = []
    cue: str = ""
    placements: list[PlacementInfo] = []


class Within(Said):
    """What has changed within an object or a list, whose keys are its indexes; see `deltas`."""

    set: dict[str, Any] = Field({}, description="new values, by key")
    without: list[str] = Field([], description="keys that are no longer there")
    within: dict[str, Within] = Field({}, description="what has changed within values, by key")
    cut: list[int] | None = Field(None, description="of a list: [from which item, how many go]")
    put: list[Any] = Field([], description="what comes in their place")


class ZoneChanges(Said):
    """What has changed of a zone that was there in the picture before; see `deltas`."""

    id: str
    changed: Literal[True]
    label: str | None = None
    facts: Within | None = None
    gone: list[str] = Field([], description="ids of pieces that lie there no longer")
    turned: dict[str, dict[str, Any]] = Field({}, description="by id, what is new of a piece")
    templates: list[dict[str, Any]] = []
    put: list[list[Any]] = Field([], description="[index, [template, code]]: pieces that come here")


class SceneChanges(Said):
    """What has changed since the picture before; see `deltas`. What is not said is as before."""

    to_act: int | None = None
    phase: str | None = None
    title: str | None = None
    prompt: str | None = None
    over: bool | None = None
    zones: list[str | PackedZone | ZoneChanges] | None = None
    templates: list[dict[str, Any]] | None = None
    choices: list[list[Any]] | None = None
    refusals: list[RefusalInfo] | None = None
    cue: str | None = None
    placements: list[PlacementInfo] | None = None


class IntermediateInfo(Said):
    """What was to be seen when so many events had been told. The zones are said as in changes,
    since the picture before.
    """

    told: int
    phase: str
    title: str
    prompt: str
    zones: list[str | PackedZone | ZoneChanges] | None = None


class Countdown(Said):
    """All wait: `of` seconds in all, so many are `left`."""

    of: float
    left: float = Field(ge=0, le=86_400)


class Frame(Said):
    """The picture of the match for one viewer, whole or as what has changed since frame `since`.

    The client keeps the first `keep` of its events and appends `told`.
    """

    type: Literal["frame"]
    run: str = Field(description="the life of the server's view; `n` counts within it")
    n: int
    since: int | None = Field(None, description="the frame that `changes` build on")
    keep: int = Field(ge=0)
    undo: bool = Field(description="the viewer's last decision can be taken back")
    question: str = Field(description='what the viewer is asked, for `act`; "": nothing')
    told: list[EventInfo]
    scene: SceneMessage | None = None
    changes: SceneChanges | None = None
    intermediate_views: list[IntermediateInfo] = []
    countdown: Countdown | None = None
    actions: list[int] | None = Field(None, description="for programs: the legal ones")
    observation: str | None = Field(None, description="for programs: its bytes in base64")


class Problem(Said):
    """What is wrong: code for programs, message for people, where names the field."""

    code: str
    message: str
    where: str = ""


class Ack(Said):
    """The command of this id is in the log. token: of the seat that was taken."""

    type: Literal["ack"] = "ack"
    id: str
    token: str | None = None


class Refusal(Said):
    """The command or request of this id has changed nothing."""

    type: Literal["refused"] = "refused"
    id: str
    error: Problem


class AdvisedChoice(Said):
    """A choice as a bot sees it. expected: the return, -1 .. 1, that the seat may expect of it."""

    action: int
    visits: int
    expected: float


class HintAnswer(Said):
    """What a bot would do: first its choice, then what it liked next, and in words."""

    type: Literal["hint"] = "hint"
    id: str
    choices: list[AdvisedChoice]
    text: str


class ReviewedDecision(Said):
    """One decision, as one seat could judge it: before + decision + luck = after."""

    number: int
    mover: int | None = Field(description="null: all, who agreed on it")
    word: str
    label: str
    told: str
    before: float
    decision: float
    luck: float
    after: float
    best: str
    best_label: str
    why: str = Field(description="what the bot's choice would have led to, beside the one played")
    chances: list[str] = Field(description='before and after, in words: "54 %"')
    better: str = Field(description="how much better the bot's choice is, in words")


class SeatDecisions(Said):
    """All decisions of a match as they were for one seat, and which of them matter."""

    seat: int
    rounds: int
    steps: list[ReviewedDecision]
    turning_points: list[int]
    worst: list[int]
    decided: str


class SumParts(Said):
    """The sums of a review as they are shown: rounded so that they add up, too."""

    start: str
    luck: str
    own: str
    others: str
    end: str


class SeatSums(Said):
    """What a match was for a seat: start + luck + own + others = end, in expected returns of
    -1 .. 1 or, where rounds are judged, in sums over them.
    """

    seat: int
    rounds: int
    start: float
    luck: float
    own: float
    others: float
    end: float
    parts: SumParts
    text: str


class ReviewProgress(Said):
    """How far a review is; early: what is known early of the seat that was asked for."""

    type: Literal["review_progress"] = "review_progress"
    id: str
    done: int
    of: int
    early: SeatDecisions | None = None


class ReviewAnswer(Said):
    """How a match went, for all seats in sums and for one decision by decision."""

    type: Literal["review"] = "review"
    id: str
    sums: list[SeatSums]
    decisions: SeatDecisions


class ErrorMessage(Said):
    """The last message before the server hangs up."""

    type: Literal["error"] = "error"
    error: Problem


class Beat(Said):
    """The line is alive."""

    type: Literal["beat"] = "beat"


ServerMessage = Annotated[
    RoomMessage
    | Frame
    | Ack
    | Refusal
    | HintAnswer
    | ReviewProgress
    | ReviewAnswer
    | ErrorMessage
    | Beat,
    Field(discriminator="type"),
]
server_message: pydantic.TypeAdapter[ServerMessage] = pydantic.TypeAdapter(ServerMessage)


def to_bytes(message: Said) -> bytes:
    """A message as it is sent."""
    return message.model_dump_json().encode()
