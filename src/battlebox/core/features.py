"""Observations as rows of numbers, for networks: what follows from what fields say of themselves.

A field becomes a *feature*, by what it says:

    places that count, n8(..., high=)   quantities: each divided by the largest, -1 .. 1
    of=Card, slots                      a column for each member: 1 where it is that one; nothing,
                                        or no member, is zeros. What a viewer does not see of a
                                        slot has a column of its own
    of=Seat                             the same, for the seats there are
    piles, of=Card in no order          how many there are of each member, and a column for each:
                                        1 for the last one
    of=Card, by="place"                 the same for each place that the other field names, which
                                        has no feature of its own

A game may add features that follow from what a seat sees, but which a small network would need
long to find out: fields of its record `Features` (the game's features.py), which say what they mean
in the same words, and are filled by its rule `features`.

    class Features(Record):
        is_friend = n8(each=SEATS, high=1)
        runner = n16(of=Cell, first=1)

It may say something of candidates, too, for those who weigh them: `CandidateFeatures`.

`encode` writes them: a text of rules, derived as all that follows from fields, which `build` makes
run. Rows of seats are those of the seats there are, from the viewer's on. Where it matters which
seat that is (of a domain that is `sided`, such as the cells of a field), `viewer` has a column for
each. Left out: scratch fields, chance, the stock of a match, and secret fields, unless they say
what they mean or somebody may know of them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from .checked import Array, Picture
from .codes import is_seat
from .errors import GameError
from .sources import place_of
from .state import (
    COVERED,
    Field,
    Form,
    Meaning,
    NoFeatures,
    Record,
    StateRecord,
    kinds_of,
)

if TYPE_CHECKING:
    from .engine import Engine

NEVER_TOLD = ("rng", "seats")
NO_COLUMN = -1  # where a source begins that is left out
#: in the derived text, who looks: of a truth, which is nobody's, the seat to act
VIEWER = "(s.viewer if s.viewer > 0 else s.to_act + 1) - 1"


class Kind(StrEnum):
    """What a feature says."""

    QUANTITY = "quantity"
    MEMBER = "member"
    SEAT = "seat"
    VIEWER = "viewer"
    PILE = "pile"


@dataclass(frozen=True)
class Feature:
    """What a field became: columns `start` .. `stop - 1`, the last index of `shape` the fastest.

    low, high: the smallest and the largest number that stands in them.
    """

    name: str
    kind: Kind
    shape: tuple[int, ...]
    low: float
    high: float
    start: int
    heads: int  # how many of its first sizes count rows

    @property
    def stop(self) -> int:
        """The first column after it."""
        return self.start + math.prod(self.shape)

    @property
    def columns(self) -> slice:
        """Where it stands in a row."""
        return slice(self.start, self.stop)

    def column(self, *index: int) -> int:
        """The column of one of its numbers. Errors: ValueError for an index that there is not."""
        return self.start + int(np.ravel_multi_index(index, self.shape)) if index else self.start


class Source(NamedTuple):
    """A field as it lies in a record, and what it means."""

    record: type[Record]
    name: str
    field: Field
    meaning: Meaning
    kind: Kind
    members: int  # of a MEMBER, SEAT or PILE
    places: int  # of a PILE, how many there are for each of its rows
    is_covered: bool  # something may lie there that a viewer does not see

    @property
    def path(self) -> str:
        """What the derived text calls it."""
        return f"{'s' if issubclass(self.record, StateRecord) else 'f'}.{self.name}"

    @property
    def values(self) -> int:
        """How many values of a MEMBER are told apart: its members, and what else may lie there."""
        return self.members + self.is_covered + len(self.meaning.also)

    @property
    def is_signed(self) -> bool:
        """It may be less than nothing."""
        about: Any = self.field.dtype.metadata
        return not about or about.get("low") is None

    @property
    def lines(self) -> int:
        """How many rows of cells it has, where they belong to no seat."""
        shape = self.field.shape
        return shape[0] if len(shape) > 1 and not self.field.each else 1

    @property
    def cells(self) -> tuple[int, ...]:
        """How many cells a row has; none: it is a single number."""
        is_first_of_rows = self.field.each or len(self.field.shape) > 1
        return self.field.shape[1:] if is_first_of_rows else self.field.shape


def sources_of(record: type[StateRecord], added: type[Record], phases: int) -> Iterator[Source]:
    """What is encoded, in the order of the fields; added: the features that the game adds.

    Errors: GameError.
    """
    is_sided = any(_is_sided(x) for x in (*record.fields.values(), *added.fields.values()))
    for source in _sources(record, phases):
        if source.kind is not Kind.VIEWER or is_sided:
            yield source
    yield from added_sources(added, record)


def added_sources(added: type[Record], record: type[Record] = StateRecord) -> Iterator[Source]:
    """What a game adds, beside the fields of a state. Errors: GameError."""
    for name, field in added.fields.items() if added is not NoFeatures else ():
        if name in record.fields:
            raise GameError(
                f"{place_of(added, name)}: {added.__name__}.{name} is a field of "
                f"{record.__name__} already; give the feature another name"
            )
        if field.meaning is None or field.visibility:
            raise GameError(
                f"{place_of(added, name)}: {added.__name__}.{name}: say what it means and nothing "
                "of who sees it; write n8(of=Card), or n8(high=40)"
            )
    if added is not NoFeatures:
        yield from _sources(added, 0)


def _is_sided(field: Field) -> bool:
    return field.meaning is not None and getattr(field.meaning.of, "sided", False)


def _sources(record: type[Record], phases: int) -> Iterator[Source]:
    """What the fields of a record say."""
    closed = {f"{x.stem}_stock" for x in record.places.values()}
    known = {*record.knowledge.values()}
    by = {x.meaning.by for x in record.fields.values() if x.meaning}
    for name, field in record.fields.items():
        meaning, holds, visibility = (
            field.meaning or Meaning(),
            field.holds,
            record.visibility[name],
        )
        is_told = visibility in ("public", "own", "") or name in known or field.meaning
        if name in NEVER_TOLD or name in closed or name in by or not is_told:
            continue
        if name == "viewer":
            yield Source(record, name, field, meaning, Kind.VIEWER, 0, 1, False)
        elif name == "phase":
            yield Source(record, name, field, meaning, Kind.MEMBER, phases, 1, False)
        elif name == "to_act" or (meaning.of is not None and is_seat(meaning.of)):
            if meaning.also:
                raise GameError(f"{record.__name__}.{name}: also= is for members, not for seats")
            yield Source(record, name, field, meaning, Kind.SEAT, 0, 1, False)
        elif holds and holds.form is Form.SLOTS:
            first = Meaning(holds.of, first=1)
            is_covered = visibility != "public"
            yield Source(record, name, field, first, Kind.MEMBER, holds.kinds, 1, is_covered)
        elif holds and holds.form is Form.PILE:
            pile = Meaning(holds.of, in_order=False)
            yield Source(record, name, field, pile, Kind.PILE, holds.kinds, 1, False)
        elif meaning.by is not None:
            places = kinds_of(_place_of(record, name, meaning.by).of)
            yield Source(
                record, name, field, meaning, Kind.PILE, kinds_of(meaning.of), places, False
            )
        elif meaning.of is not None:
            kind = Kind.MEMBER if meaning.in_order else Kind.PILE
            yield Source(record, name, field, meaning, kind, kinds_of(meaning.of), 1, False)
        else:
            yield Source(record, name, field, meaning, Kind.QUANTITY, 0, 1, False)


def _place_of(record: type[Record], name: str, by: str) -> Meaning:
    """What the numbers of the field mean that says where things lie. Errors: GameError."""
    other = record.fields.get(by)
    if other is None or other.meaning is None or other.meaning.of is None:
        raise GameError(f"{record.__name__}.{name}: by={by!r} names no field with of=")
    if other.shape != record.fields[name].shape:
        raise GameError(f"{record.__name__}.{name}: {by} has not as many cells")
    return other.meaning


# ---- the derived text ----------------------------------------------------------------------------
def text_of_encode(record: type[StateRecord], added: type[Record], phases: int) -> list[str]:
    """`encode(t, s, f, me, seats, room, onehot, at, width, scale, out, i)`: fills row i of out,
    which is blank.

    at[m] is the first column of source m, width[m] how many a row of it has, scale[m] multiplies
    its quantities. Rows and numbers of seats begin with `me`; there is room for `room` seats.
    """
    out = ["def encode(t, s, f, me, seats, room, onehot, at, width, scale, out, i):"]
    sources = [*sources_of(record, added, phases)]
    for m, source in enumerate(sources):
        if source.record is record:
            out += _lines(m, source)
    if added is not NoFeatures:
        out += [
            f"    seat = {VIEWER}",
            "    if s.viewer >= 0 and 0 <= seat < seats:",  # a spectator is told nothing more
            "        clear_features(f)",
            "        features(t, s, seat, f)",
        ]
        for m, source in enumerate(sources):
            if source.record is added:
                out += [f"    {x}" for x in _lines(m, source)]
    return [*out, "    return"]


def text_of_encode_candidate(added: type[Record]) -> list[str]:
    """`encode_candidate(f, me, seats, room, onehot, at, width, scale, out, i)`: the same of what
    the game says of a candidate.
    """
    out = ["def encode_candidate(f, me, seats, room, onehot, at, width, scale, out, i):"]
    for m, source in enumerate(added_sources(added)):
        out += _lines(m, source)
    return [*out, "    return"]


def _lines(m: int, source: Source) -> list[str]:
    """The lines for one source."""
    field, pad, index, row = source.field, "        ", list[str](), ""
    out = [f"    if at[{m}] >= 0:", f"{pad}j, w = at[{m}], width[{m}]"]
    if field.each:
        if field.groups > 1:
            out, pad = [*out, f"{pad}for g in range({field.groups}):"], pad + "    "
        out += [
            f"{pad}for p in range(seats):",
            f"{pad}    q = p - me if p >= me else p - me + seats",
        ]
        pad += "    "
        index.append(f"g * {field.each} + p" if field.groups > 1 else "p")
        row = "(g * room + q)" if field.groups > 1 else "q"
    elif source.lines > 1:
        out, pad, row = [*out, f"{pad}for q in range({source.lines}):"], pad + "    ", "q"
        index.append(row)
    if row:
        out.append(f"{pad}j = at[{m}] + {row} * w")
    if source.kind is Kind.PILE:
        return out + _pile_lines(source, index, m, pad)
    k = ""
    if source.cells:
        out, pad, k = [*out, f"{pad}for k in range({source.cells[0]}):"], pad + "    ", "k"
        index.append(k)
    value = f"{source.path}[{', '.join(index)}]" if index else source.path
    if source.kind is Kind.QUANTITY:
        out += [f"{pad}x = {value} * scale[{m}]"]
        most = "1.0 if x > 1.0 else x"
        if source.is_signed:
            most = f"-1.0 if x < -1.0 else {most}"
        return [*out, f"{pad}out[i, j + {k or 0}] = {most}"]
    if source.kind is Kind.VIEWER:
        value = VIEWER
    n = f"{source.values}" if source.kind is Kind.MEMBER else "room"
    out.append(f"{pad}x = {value} - {source.meaning.first}")
    others = [COVERED] * source.is_covered + [*source.meaning.also]
    for column, other in enumerate(others, source.members):  # behind the members
        word = "if" if column == source.members else "elif"
        out += [f"{pad}{word} x == {other - source.meaning.first}:", f"{pad}    x = {column}"]
    out.append(f"{pad}if 0 <= x < {n if source.kind is Kind.MEMBER else 'seats'}:")
    if source.kind is Kind.SEAT:
        out.append(f"{pad}    x = x - me if x >= me else x - me + seats")
    elif getattr(source.meaning.of, "by_seat", False):
        n_each, owner = f"({source.members} // seats)", f"x // ({source.members} // seats)"
        turned = f"({owner} - me + seats) % seats * {n_each} + x % {n_each}"
        out.append(f"{pad}    x = {turned}" + f" if x < {source.members} else x" * bool(others))
    at = f"j + k * {n}" if k else "j"
    return [
        *out,
        f"{pad}    if onehot:",
        f"{pad}        out[i, {at} + x] = 1",
        f"{pad}    else:",
        f"{pad}        out[i, j + {k or 0}] = x + 1",
    ]


def _pile_lines(source: Source, index: list[str], m: int, pad: str) -> list[str]:
    """The lines for one row of a pile, whose columns begin at j.

    Which member is the last one of a place stands behind the counts as a number; of one-hot rows
    that is the first of its columns, and becomes one of them in the end.
    """
    n, size, fields = source.members, f"{source.name}_size", source.record.fields
    held = str(source.field.shape[-1])
    if size in fields:
        held = f"{source.path}_size[{index[0]}]" if fields[size].shape else f"{source.path}_size"
    cell = ", ".join([*index, "k"])
    before, found, each_place, inner = list[str](), f"0 <= x < {n}", list[str](), pad + "    "
    if by := source.meaning.by:
        first = cast(Meaning, fields[by].meaning).first
        before = [f"{pad}pile, each = j, w // {source.places}"]
        found += f" and 0 <= place < {source.places}"
        each_place = [f"{inner}for place in range({source.places}):"]
    at = ["j = pile + place * each"] if by else []
    deep = inner + "    " if by else inner
    return [
        *before,
        f"{pad}for k in range({held}):",
        f"{pad}    x = {source.path}[{cell}] - {source.meaning.first}",
        *(
            [f"{pad}    place = {source.path.removesuffix(source.name)}{by}[{cell}] - {first}"]
            if by
            else []
        ),
        f"{pad}    if {found}:",
        *(f"{pad}        {x}" for x in at),
        f"{pad}        y = out[i, j + x] + scale[{m}]",
        f"{pad}        out[i, j + x] = 1.0 if y > 1.0 else y",
        f"{pad}        out[i, j + {n}] = x + 1",
        f"{pad}if onehot:",
        *each_place,
        *(f"{deep}{x}" for x in at),
        f"{deep}x = int(out[i, j + {n}])",
        f"{deep}out[i, j + {n}] = 0",
        f"{deep}if x > 0:",
        f"{deep}    out[i, j + {n - 1} + x] = 1",
    ]


# ---- an encoder ----------------------------------------------------------------------------------
class Layout:
    """Where numbers stand in a row: what `encode` takes.

    room: for how many seats there are columns. most: how many there are at most of one member of
    what lies in places. without: the names of what has no columns.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        table: Any,
        *,
        room: int,
        onehot: bool,
        most: int = 1,
        without: Collection[str] = (),
    ) -> None:
        #: what stands where
        self.features: dict[str, Feature] = {}
        each, at = list[tuple[int, int, float]](), 0
        for source in sources:
            if source.name in without:
                each.append((NO_COLUMN, 0, 0))
                continue
            feature = _feature(source, at, room, onehot)
            wide = math.prod(feature.shape[feature.heads :])
            each.append((at, wide, 1 / _largest(source, table, most)))
            self.features[source.name], at = feature, feature.stop
        #: how many numbers a row has
        self.width = at
        begins, widths, scales = zip(*each, strict=True) if each else ((), (), ())
        #: of each source its first column, the columns of a row, its factor
        self.at, self.widths = np.array(begins, np.int32), np.array(widths, np.int32)
        self.scale = np.array(scales, np.float32)


class Encoder:
    """Makes rows of float32 of the observations of one ruleset.

    ego: rows and numbers of seats begin with the viewer: 0 is who looks, 1 the next to the left;
    of what is nobody's observation, with the seat to act. onehot: members have a column each; else
    they stand as numbers, 0 for nothing, 1 for the first, in one column. room: for how many seats
    there are columns; those of seats that are not there stay blank. What a game adds is always told
    to the viewer, of a truth to the seat to act.
    """

    def __init__(
        self,
        engine: Engine,
        most: int,
        *,
        ego: bool,
        onehot: bool,
        room: int,
        without: Collection[str] = (),
    ) -> None:
        """most: how many there are at most of one member of what lies in places. without: the
        names of fields that have no columns.
        """
        build = self.build = engine.build
        self.seats, self.ego, self.onehot, self.room = engine.seats, ego, onehot, room
        sources = sources_of(build.state, build.features, build.phases)
        table = Picture(engine.table[0])
        self.layout = Layout(sources, table, room=room, onehot=onehot, most=most, without=without)
        #: what stands where
        self.features = self.layout.features
        #: how many numbers a row has
        self.width = self.layout.width
        self.low, self.high = np.zeros(self.width, np.float32), np.ones(self.width, np.float32)
        for feature in self.features.values():
            self.low[feature.columns], self.high[feature.columns] = feature.low, feature.high
        layout, access = self.layout, build.access
        self._tt = engine.tt
        self._how = self.seats, room, ego, onehot
        self._where = tuple(map(access, (layout.at, layout.widths, layout.scale)))
        self._of_thread = threading.local()

    def _work(self) -> tuple[Any, Any]:
        """What a thread encodes on: a state, if the game fills features, and a record of these."""
        found: tuple[Any, Any] | None = getattr(self._of_thread, "work", None)
        if found is None:
            build = self.build
            n = 0 if build.features is NoFeatures else 1
            arrays = build.states(n), np.zeros(1, build.features.layout)
            found = self._of_thread.work = build.access(arrays[0]), build.access(arrays[1])
        return found

    def __deepcopy__(self, memo: Any) -> Encoder:
        return self  # it does not change

    def __call__(self, observations: Array, out: Array | None = None) -> Array:
        """float32 [n, width] of n observations; into `out` if it is given.

        Errors: ValueError, if one of them has another shape or type.
        """
        build, o = self.build, np.atleast_1d(observations)
        if o.dtype != build.state.layout or o.ndim != 1:
            raise ValueError(f"observations: n records of {build.name}, not {o.dtype} {o.shape}")
        wanted = (len(o), self.width)
        if out is None:
            out = np.empty(wanted, np.float32)
        elif out.shape != wanted or out.dtype != np.float32:
            raise ValueError(f"out: float32 {wanted}, not {out.dtype} {out.shape}")
        how = *self._work(), *self._how, *self._where
        build.f.encode_all(self._tt, build.access(o), *how, out)
        return out


def _feature(source: Source, at: int, room: int, onehot: bool) -> Feature:
    """What a source becomes, from this column on, where there is room for so many seats."""
    field, n = source.field, source.values
    n = room if source.kind in (Kind.SEAT, Kind.VIEWER) else n
    heads = [field.groups] if field.groups > 1 else []
    heads += [room] if field.each else [source.lines] if source.lines > 1 else []
    shape = [*source.cells]
    low = -1.0 if source.kind is Kind.QUANTITY and source.is_signed else 0.0
    high = 1.0
    if source.kind is Kind.PILE:
        places = [source.places] if source.places > 1 else []
        shape[-1:] = [*places, 2 * n if onehot else n + 1]
    elif source.kind is not Kind.QUANTITY and onehot:
        shape.append(n)
    if source.kind is not Kind.QUANTITY and not onehot:
        high = float(n)
    return Feature(source.name, source.kind, (*heads, *shape), low, high, at, len(heads))


def _largest(source: Source, table: Any, most: int) -> int:
    """By what its quantities are divided."""
    field, high = source.field, source.meaning.high
    if field.holds:
        return max(1, most)
    if high is None:
        return int(np.iinfo(field.dtype).max) if source.kind is Kind.QUANTITY else 1
    return max(1, high(table) if callable(high) else high)
