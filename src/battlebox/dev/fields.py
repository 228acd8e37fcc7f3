"""The state field by field: the truth, and beside it what each seat sees of it.

What a seat does not see is told by the marks, and by asking the observation itself: a closed cell
is open to a seat if what it sees there changes with the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ..core.checked import Array
from ..core.codes import code
from ..core.game import Ruleset
from ..core.places import Place, places_of
from ..core.state import COVERED, Form, StateRecord
from .lines import letter
from .messages import FieldRow, Item, Part

Index = tuple[int, ...]
LEFT_OUT = ("viewer",)  # says whose observation it is
LAST = ("_stock", "seats", "rng")  # of interest now and then: at the end of the list
MANY_KINDS = 6  # no row has as many numbers by chance as there are kinds of cards
FEW = 4  # equal items that are listed one by one
FORMS = {Form.COUNTS: "how many", Form.SLOTS: "slots", Form.PILE: "pile, top last"}


class Observations(NamedTuple):
    """The truth at one moment, and what each viewer sees of it: records of shape ()."""

    truth: Array
    seen: dict[int | None, Array]


@dataclass(frozen=True)
class _Cell:
    """A number of a field, and where it stands: in a sub-record, if `sub` names a field of it."""

    name: str
    index: Index
    sub: str = ""

    def of(self, record: Array) -> int:
        """What it holds."""
        here = record[self.name]
        if self.sub:
            return int(here[self.index[0]][self.sub][self.index[1:]])
        return int(here[self.index])

    def put(self, record: Array, value: int) -> None:
        """Writes to it."""
        if self.sub:
            record[self.name][self.index[0]][self.sub][self.index[1:]] = value
        else:
            record[self.name][self.index] = value


class Fields:
    """The fields of a ruleset's states as rows for people."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules, self.engine = rules, rules.plain()
        self.record: type[StateRecord] = rules.game.rules.State
        self.places = {x.name: x for x in places_of(self.record)}
        self.viewers: list[int | None] = [*range(rules.players), None]
        self._seats = rules.game.most_players
        self._kinds = len(getattr(rules.names, "cards", None) or ())
        build = self.engine.build
        self._state, self._seen = build.states(), build.states()
        self._access, self._seen_access = build.access(self._state), build.access(self._seen)
        self._reveals = hasattr(build.hooks, "reveal")
        self._others = dict[tuple[str, int | None], Array | None]()  # by field and viewer

    def observations(self, truth: Array) -> Observations:
        """The truth (an array of one record), and what each viewer sees."""
        seen = {v: self._observed(truth, v) for v in self.viewers}
        return Observations(truth[0].copy(), seen)

    def _observed(self, truth: Array, viewer: int | None) -> Array:
        self._state[0] = truth[0]
        self.engine.f.clear_scratch_at(self._access, 0)
        seat = -1 if viewer is None else viewer
        self.engine.f.observe(self.engine.tt, self._access, 0, self._seen_access, 0, seat)
        return self._seen[0].copy()  # type: ignore[no-any-return]

    def rows(self, now: Observations, before: Observations | None) -> list[FieldRow]:
        """All fields, compared with the moment before."""
        self._others.clear()
        names = [
            n for n, x in self.record.visibility.items() if x != "scratch" and n not in LEFT_OUT
        ]
        names.sort(key=lambda n: n.endswith(LAST))
        return [row for n in names for row in self._rows_of(n, now, before)]

    def _rows_of(
        self, name: str, now: Observations, before: Observations | None
    ) -> Iterator[FieldRow]:
        d = self.record.layout[name]
        base = d.base if d.subdtype else d
        subs = base.names or ("",)
        for sub in subs:
            parts = list(self._parts(name, sub, now.truth))
            truth = [self._items(x, now.truth, before and before.truth) for x in parts]
            cells = [truth] + [
                [self._seen_items(x, v, now, before) for x in parts] for v in self.viewers
            ]
            labels = [label for label, _ in self._labelled(parts, name, sub)]
            yield FieldRow(
                name=f"{name}.{sub}" if sub else name,
                visibility=self.record.visibility[name],
                about=self._about(name),
                changed=any(x.changed for column in cells for items in column for x in items),
                cells=[
                    [Part(label=a, items=x) for a, x in zip(labels, column, strict=True)]
                    for column in cells
                ],
            )

    # ---- parts and cells ----
    def _labelled(
        self, parts: Sequence[Sequence[_Cell]], name: str, sub: str
    ) -> Iterator[tuple[str, Sequence[_Cell]]]:
        by_seat = self._is_by_seat(name)
        for k, cells in enumerate(parts):
            label = letter(k) if by_seat else str(k) if len(parts) > 1 else ""
            yield label, cells

    def _is_by_seat(self, name: str) -> bool:
        shape = self.record.layout[name].shape
        place = self.places.get(name)
        if place is not None:
            return bool(place.holds.each)
        return bool(shape) and (shape[0] == self._seats or self.record.visibility[name] == "own")

    def _parts(self, name: str, sub: str, truth: Array) -> Iterator[list[_Cell]]:
        """The cells of a field, by seat where it has a row for each."""
        d = self.record.layout[name]
        if sub:
            inner = (d.base if d.subdtype else d)[sub].shape
            for i in range(d.shape[0]):
                yield [_Cell(name, (i, *k), sub) for k in np.ndindex(*inner)]
            return
        place, shape = self.places.get(name), d.shape
        if self._is_by_seat(name):
            for p in range(self.rules.players):
                if place is not None and place.holds.form is Form.PILE:
                    size = int(truth[place.size][p])
                    yield [_Cell(name, (p, i)) for i in range(min(size, shape[1]))]
                else:
                    yield [_Cell(name, (p, *k)) for k in np.ndindex(*shape[1:])]
        elif place is not None and place.holds.form is Form.PILE:
            yield [_Cell(name, (i,)) for i in range(min(int(truth[place.size]), shape[0]))]
        elif len(shape) == 2:
            for i in range(shape[0]):
                yield [_Cell(name, (i, j)) for j in range(shape[1])]
        else:
            yield [_Cell(name, k) for k in np.ndindex(*shape)]

    # ---- what is written ----
    def _items(self, cells: Sequence[_Cell], record: Array, before: Array | None) -> list[Item]:
        """The cells of the truth."""
        return self._joined(
            (
                self._text(x, x.of(record)),
                False,
                before is not None and x.of(before) != x.of(record),
            )
            for x in cells
            if not self._is_blank_count(x, record, before)
        )

    def _seen_items(
        self,
        cells: Sequence[_Cell],
        viewer: int | None,
        now: Observations,
        before: Observations | None,
    ) -> list[Item]:
        """The same as a viewer sees them."""
        seen, was = now.seen[viewer], before and before.seen[viewer]
        found = list[tuple[str, bool, bool]]()
        for x in cells:
            value = x.of(seen)
            hidden = self._is_hidden(x, viewer, now)
            changed = was is not None and x.of(was) != value
            covered = self._form(x) is Form.SLOTS and value == COVERED
            if hidden:
                found.append(("face down" if covered else "hidden", True, changed and covered))
            elif not self._is_blank_count(x, seen, was):
                found.append((self._text(x, value), False, changed))
        return self._joined(found)

    def _is_blank_count(self, x: _Cell, record: Array, before: Array | None) -> bool:
        """None of a kind, as before: it goes without saying."""
        blank = self._form(x) is Form.COUNTS and x.of(record) == 0
        return blank and (before is None or x.of(before) == 0)

    def _form(self, x: _Cell) -> Form | None:
        """How a cell says what lies there, if it is of a place. A row that is as long as the deck
        has kinds of cards is taken to count them.
        """
        if (place := self.places.get(x.name)) is not None:
            return place.holds.form
        shape = self.record.layout[x.name].shape
        return Form.COUNTS if shape and shape[-1] == self._kinds >= MANY_KINDS else None

    @staticmethod
    def _joined(found: Iterable[tuple[str, bool, bool]]) -> list[Item]:
        """Items; many equal ones that follow each other are one."""
        out = list[Item]()
        for (text, hidden, changed), same in groupby(found):
            n = len([*same])
            one = Item(text=text, hidden=hidden, changed=changed)
            out += [one.model_copy(update={"times": n})] if n >= FEW or hidden else [one] * n
        return out

    def _text(self, x: _Cell, value: int) -> str:
        """A number in the game's words."""
        rules = self.rules.game.rules
        place = self.places.get(x.name)
        if place is not None:
            return self._text_in_place(place, x, value)
        if self._form(x) is Form.COUNTS:
            return f"{value} {self.rules.names.cards[x.index[-1]].code}"
        if x.name == "phase":
            return str(rules.Phase(value).name)
        if x.name == "to_act":
            return letter(value)
        if x.name == "rng":
            return f"{value % 2**64:016x}"
        return str(value)

    def _text_in_place(self, place: Place, x: _Cell, value: int) -> str:
        form, of = place.holds.form, place.holds.of
        try:
            if form is Form.COUNTS:
                return f"{value} {code(self.rules, of, x.index[-1])}"
            if form is Form.SLOTS:
                return code(self.rules, of, value - 1) if value else "–"
            return code(self.rules, of, value)
        except (ValueError, IndexError):  # a number that stands for nothing
            return str(value)

    def _about(self, name: str) -> str:
        place = self.places.get(name)
        if place is not None:
            each = ", one for each seat" if place.holds.each else ""
            return f"{FORMS[place.holds.form]} of {place.holds.of.__name__}{each}"
        if name in self.record.knowledge:
            return f"who knows {self.record.knowledge[name]}"
        return ""

    # ---- what is hidden ----
    def _is_hidden(self, x: _Cell, viewer: int | None, now: Observations) -> bool:
        """Whether a viewer does not see a cell."""
        o, s, visibility = x.of(now.seen[viewer]), x.of(now.truth), self.record.visibility[x.name]
        if o != s:
            return True
        if visibility == "public" or (
            visibility == "own" and viewer is not None and x.index[0] == viewer
        ):
            return False
        if self._form(x) is Form.SLOTS:  # closed ones that hold something read COVERED
            return False
        return s == 0 and not self._is_open(x, viewer, now)

    def _is_open(self, x: _Cell, viewer: int | None, now: Observations) -> bool:
        """Whether a blank that is closed by its mark is open: it would be seen to change."""
        place = self.places.get(x.name)
        if not self._reveals and not (place and place.known_by):
            return False
        if (x.name, viewer) not in self._others:
            self._others[x.name, viewer] = self._without_blanks(x.name, viewer, now)
        other = self._others[x.name, viewer]
        return other is not None and x.of(other) == 1

    def _without_blanks(self, name: str, viewer: int | None, now: Observations) -> Array | None:
        """What a viewer would see if the blanks of a field were 1; None: that cannot be."""
        other = np.array([now.truth])
        bytes_of = other[name].reshape(-1).view(np.int8) if other[name].dtype.names else other[name]
        bytes_of[bytes_of == 0] = 1
        try:
            return self._observed(other, viewer)
        except Exception:  # the rules of somebody else, in a truth that cannot be
            return None
