"""The kinds of zones, and the facts that each of them is drawn from: one schema for each kind.

`Zone.kind` names it. All facts of a kind but those marked as required may be left out. Page and
terminal draw a kind that is not here by its label, its pieces and its plain facts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, Required, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from .scene import Piece, Zone
from .table import sentence


class ZoneFacts(TypedDict, total=False):
    """What any zone may have."""

    hint: str  # said beneath the question


class PlaqueFacts(ZoneFacts, total=False):
    """A seat, and who sits there. Pieces lie with it."""

    you: Required[bool]  # it is the viewer's
    acting: Required[bool]  # it is to act
    out: Required[bool]
    points: int
    points_of: int  # the most, where points are drawn as a dial
    points_name: str  # "health", "of 5 points"
    goal: int  # the points that win, drawn as pips
    stations: list[int]  # the numbers of a track on which points are drawn as a pawn
    hand: int  # how many cards it holds
    team: str
    tone: str  # a family of looks
    text: str
    chips: Required[list[str]]  # what is up with it, in a word or two each
    notes: list[str]  # what is to be read of it when it is opened


class RingFacts(ZoneFacts, total=False):
    """The seats of such a scene lie round the table; this says which way play goes."""

    way: Required[int]  # 1: to the left, -1: to the right
    text: Required[str]
    round: Required[int]


class Standing(TypedDict):
    """A row of standings."""

    seat: int
    side: str
    won: bool
    points: int


class StandingsFacts(ZoneFacts, total=False):
    """How the round before ended."""

    text: Required[str]
    round: Required[int]
    goal: Required[int]  # the points that win
    rows: Required[list[Standing]]


class NumbersFacts(ZoneFacts, total=False):
    """How many of what was tapped."""


class FanFacts(ZoneFacts, total=False):
    """Cards side by side. `you` and `goal` are always in view."""

    you: str  # what its cards make of the viewer
    goal: str  # what the viewer has to do


class PileFacts(ZoneFacts, total=False):
    """A pile: its count, and what is known of its cards. Its last piece is its top."""

    count: Required[int]
    face: Required[Literal["up", "down"]]
    short: str  # its name where there is little room
    contents: dict[str, int]  # by name: how many
    notes: list[str]


class RowFacts(ZoneFacts, total=False):
    """Cards side by side in their order, face up or down: before the seat that owns the zone, or in
    the middle.
    """

    places: list[str]  # ids of its places, in order; empty is one that no piece has
    short: str  # its name where its owner is clear


class PickerFacts(ZoneFacts, total=False):
    """What may be named though it lies nowhere: a card that is guessed, a number. Shown only while
    one of its pieces may be chosen.
    """


class Pill(TypedDict):
    """A few words of a line, set apart. lit: they are for the viewer."""

    text: str
    lit: bool


class LineFacts(ZoneFacts, total=False):
    """One sentence, with pieces."""

    text: str
    pills: list[Pill]


class Side(TypedDict):
    """One of the two rows of a duel; `pieces` are ids."""

    seat: int
    total: str
    leads: bool
    pieces: list[str]


class DuelFacts(ZoneFacts, total=False):
    """Two rows of cards weighed against each other, the viewer's own last."""

    text: Required[str]
    short: Required[str]
    notes: Required[list[str]]  # how the totals come about
    active: Required[bool]
    next: Required[bool]  # the viewer's next card is for it
    last: Required[bool]  # it is over, and remembered
    sides: Required[list[Side]]


class ColumnSide(Side):
    """One side of a column; `covered` (face down) and `beside` are ids, too."""

    name: str
    sum: str  # how the total comes about
    lost: bool
    covered: list[str]
    beside: list[str]


class ColumnFacts(ZoneFacts, total=False):
    """Cards that face each other across their totals, the viewer's own side last."""

    text: Required[str]
    short: Required[str]
    number: Required[int]
    active: Required[bool]
    tags: Required[dict[str, str]]  # what cards add now, by id
    sides: Required[list[ColumnSide]]


class GridLine(TypedDict):
    """A line across a grid, after so many rows, and what stands beside it."""

    after: float
    text: str


class GridEnd(TypedDict):
    """What lies beyond the first row, or beyond the last one; its id is that of a piece."""

    id: str
    label: str
    tone: str


class Token(TypedDict, total=False):
    """Where the token of a grid is: on a cell, or with a figure. Neither: it is not there."""

    cell: str
    holder: str


class LastMove(TypedDict, total=False):
    """The figure that moved last, and the cells of its way."""

    id: str
    cells: list[str]


class GridWays(TypedDict, total=False):
    """The ways to choices. `trail` holds their steps: a cell, and the number of the step before it,
    if there is one. The others are by number of action.
    """

    trail: list[list[str | int]]
    ways: dict[str, int]  # the last step of a way
    far: dict[str, int]  # how far it is, if that is not the number of its steps
    into: dict[str, str]  # the end it leads into


class GridFacts(ZoneFacts, GridWays, total=False):
    """A field of rows; every other one is shifted by half a cell. `f13` is the 6th cell of row 13.

    Pieces are figures, the token, the two ends, and cells to choose (tone `stop`: a figure must
    stop there; `later`: only for a figure that is still to be asked for).
    """

    rows: Required[int]
    cols: Required[int]
    lines: list[GridLine]
    ends: list[GridEnd]
    mark: str  # a cell with a mark
    home: int  # the end that is the viewer's own
    at: Required[dict[str, list[str]]]  # the cells of figures, by id
    token: Token
    token_name: str
    blocked: list[str]  # cells that nothing enters
    blocked_name: str
    active: list[str]  # ids of figures that are asked about
    last: LastMove
    early: str  # said while the first figure is still to be chosen
    takes: int  # from this number of action on, a move takes the token
    # marks by number of action: the id they stand at, what is said large, what small
    odds: dict[str, list[list[str]]]


class DiceFacts(ZoneFacts, total=False):
    """Dice as they were rolled."""

    text: Required[str]  # what they came to
    beaten: list[str]  # ids of those that lost, or do not count


class ScoreSide(TypedDict):
    """A side of a score."""

    name: str
    short: str
    tone: str
    points: int


class ScoreFacts(ZoneFacts, total=False):
    """The points of two sides."""

    text: Required[str]
    sides: Required[list[ScoreSide]]


class BenchFacts(ZoneFacts, total=False):
    """Figures beside a grid; `hurt` and `out` are ids of those in the first and second room."""

    tone: str
    rooms: Required[list[str]]
    hurt: Required[list[str]]
    out: Required[list[str]]


#: the schemas, by `Zone.kind`; what they do not name may not stand in `facts`
KINDS: Mapping[str, Any] = {
    kind: with_config(ConfigDict(extra="forbid", strict=True))(facts)
    for kind, facts in {
        "plaque": PlaqueFacts,
        "ring": RingFacts,
        "standings": StandingsFacts,
        "numbers": NumbersFacts,
        "fan": FanFacts,
        "pile": PileFacts,
        "row": RowFacts,
        "picker": PickerFacts,
        "line": LineFacts,
        "duel": DuelFacts,
        "column": ColumnFacts,
        "grid": GridFacts,
        "dice": DiceFacts,
        "score": ScoreFacts,
        "bench": BenchFacts,
    }.items()
}


# ---- zones that most games have ------------------------------------------------------------------
CACHED = 4096  # drawings of each kind that are kept: most come again, in this match or another


@lru_cache(maxsize=CACHED)
def plaque(p: int, label: str, pieces: tuple[Piece, ...] = (), **facts: Any) -> Zone:
    """A seat with these facts; what is a list there is given as a tuple, without what is empty."""
    said = {k: [x for x in v if x != ""] if type(v) is tuple else v for k, v in facts.items()}
    return Zone(f"seat:{p}", "plaque", label, p, pieces, cast(PlaqueFacts, said))


def face_down(
    id: str,
    label: str,
    count: int,
    owner: int | None = None,
    *,
    notes: Sequence[str] = (),
    short: str = "",
) -> Zone:
    """A pile of which all see how many cards it has."""
    return _face_down(id, label, count, owner, tuple(notes), short)


@lru_cache(maxsize=CACHED)
def _face_down(
    id: str, label: str, count: int, owner: int | None, notes: tuple[str, ...], short: str
) -> Zone:
    said = {"short": short} if short else {}
    facts = {"count": count, **said, "face": "down", "notes": [*notes]}
    return Zone(id, "pile", label, owner, facts=facts)


def face_up(
    id: str,
    label: str,
    cards: Iterable[tuple[str, int]],
    owner: int | None = None,
    *,
    top: Sequence[Piece] = (),
    notes: Sequence[str] = (),
    covered: int = 0,
    short: str = "",
) -> Zone:
    """A pile that all may look through. cards: how many there are of each name. covered: how many
    more lie there face down.
    """
    contents: dict[str, int] = {}
    for name, n in cards:
        contents[name] = contents.get(name, 0) + n
    count = sum(contents.values()) + covered
    said: dict[str, Any] = {"count": count} | ({"short": short} if short else {})
    said |= {"face": "up", "contents": contents, "notes": [*notes]}
    return Zone(id, "pile", label, owner, tuple(top), cast(PileFacts, said))


@cache
def adapter(kind: str) -> TypeAdapter[Any]:
    """What checks the facts of a kind. KeyError if it is not of here."""
    return TypeAdapter(KINDS[kind])


def fault_of(zone: Zone) -> str:
    """What is wrong with the facts of a zone; empty: nothing, or its kind is not of here."""
    try:
        if zone.kind in KINDS:
            adapter(zone.kind).validate_python(zone.facts)
    except ValidationError as e:
        return f"zone {zone.id}, a {zone.kind}: {sentence(e)}"
    return ""
