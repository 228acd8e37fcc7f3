"""What follows from places (`state.Holds`): how they are hidden, counted and determinized, as text
of rules that `build` makes run.

What a viewer does not see of a domain is all there is of it (its stock) less what lies open to
them. A determinization deals that, at random, into all that is closed: slots that read COVERED,
counts and piles of which only the size is public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .errors import GameError
from .random import draw
from .rules import Row, rule
from .state import COVERED, Form, Holds, StateRecord


@rule
def draw_unseen(o: Any, unseen: Row, n: int) -> int:
    """One of the n cards, counted by kind, that a viewer has not seen; it is taken out."""
    if n <= 0:
        return 0
    k, card = draw(o, n), 0
    while k >= unseen[card]:
        k -= unseen[card]
        card += 1
    unseen[card] -= 1
    return card


class Place(NamedTuple):
    """A place of a state: a field, who sees it, what lies there."""

    name: str
    visibility: str
    holds: Holds
    cells: int  # how many a slots or pile has, of one seat; 0: a single one
    known_by: str  # the field that says who knows it, if there is one

    @property
    def size(self) -> str:
        """The field that says how much lies there."""
        return f"{self.name}_size"

    @property
    def cell(self) -> str:
        """How rules write a cell of slots or a pile: that of seat `p`, its `i`-th."""
        return self.at("p", "i" if self.cells else "")

    def at(self, p: str, i: str = "") -> str:
        """How rules write a cell of it: that of seat p, its i-th."""
        index = ", ".join([p] * bool(self.holds.each) + [i] * bool(i))
        return f"{self.name}[{index}]" if index else self.name


def places_of(record: type[StateRecord]) -> list[Place]:
    """The places of a state. Errors: GameError where a size is missing."""
    found = []
    for name, holds in record.places.items():
        shape = record.layout[name].shape
        own = shape[1:] if holds.each else shape
        cells = own[0] if own and holds.form is not Form.COUNTS else 0
        by = next((k for k, of in record.knowledge.items() if of == name), "")
        place = Place(name, record.visibility[name], holds, cells, by)
        _check_size(record, place)
        found.append(place)
    return found


def _check_size(record: type[StateRecord], place: Place) -> None:
    """What is closed needs a public size, and each pile one."""
    holds, closed = place.holds, place.visibility != "public"
    if holds.form is Form.SLOTS or (holds.form is Form.COUNTS and not closed):
        return
    names = record.layout.names or ()
    shape = (holds.each,) if holds.each else ()
    good = place.size in names and record.layout[place.size].shape == shape
    if not good or record.visibility[place.size] != "public":
        field = f"n8({holds.each})" if holds.each else "n8()"
        raise GameError(
            f"{record.__module__}.{record.__name__}.{place.name}: how many cards lie there is a "
            f"field of its own that everybody sees; add {place.size} = public({field}), and keep "
            "it up to date wherever the rules put something there or take it away"
        )


def domains_of(places: Sequence[Place]) -> list[list[Place]]:
    """The places of each domain."""
    found: dict[Any, list[Place]] = {}
    for place in places:
        found.setdefault(place.holds.of, []).append(place)
    return list(found.values())


def _loops(place: Place, pad: str, *, separate: bool) -> tuple[list[str], str]:
    """The head of a loop over its seats, unless one seat `p` is given; and the new indent."""
    if place.holds.each and not separate:
        return [f"{pad}for p in range({place.holds.each}):"], pad + "    "
    return [], pad


def _tally(place: Place, record: str, into: str, pad: str, sign: str) -> list[str]:
    """Lines that add to `into[kind]` (or take away) what lies in a place, of seat p if it is by
    seat. A slot that is COVERED counts as empty.
    """
    field, form = f"{record}.{place.cell}", place.holds.form
    if form is Form.COUNTS:
        cell = f"{record}.{place.at('p', 'k')}"
        return [
            f"{pad}for k in range({place.holds.kinds}):",
            f"{pad}    {into.format(k='k')} {sign} {cell}",
        ]
    if form is Form.PILE:
        size = f"{record}.{place.size}" + ("[p]" if place.holds.each else "")
        return [f"{pad}for i in range({size}):", f"{pad}    {into.format(k=field)} {sign} 1"]
    out = []
    if place.cells:
        out, pad = [f"{pad}for i in range({place.cells}):"], pad + "    "
    return [
        *out,
        f"{pad}if {field} > 0 and {field} != {COVERED}:",
        f"{pad}    {into.format(k=f'{field} - 1')} {sign} 1",
    ]


def _all(places: Sequence[Place], record: str, into: str, pad: str) -> Iterator[str]:
    """Lines that add up all that lies in places of a domain; `into` may name p."""
    for place in places:
        head, inner = _loops(place, pad, separate=False)
        yield from head
        yield from _tally(place, record, into, inner, "+=")


def text_of_census(record: type[StateRecord]) -> list[str]:
    """`census`: adds up what lies in all places by kind, domain after domain."""
    out, first = ["def census(s, count):"], 0
    for places in domains_of(places_of(record)):
        holds = places[0].holds
        at = f"{first} + {holds.kinds} * p + {{k}}" if holds.separate else f"{first} + {{k}}"
        out += _all(places, "s", f"count[{at}]", "    ")
        first += holds.kinds * (holds.each if holds.separate else 1)
    return [*out, "    return"]


def text_of_take_stock(record: type[StateRecord]) -> list[str]:
    """`take_stock`: writes into the state how many there are of each kind of each domain."""
    out = ["def take_stock(s):"]
    for places in domains_of(places_of(record)):
        holds = places[0].holds
        stock = f"s.{holds.stem}_stock"
        if holds.separate:
            out += [
                f"    for p in range({holds.each}):",
                f"        for k in range({holds.kinds}):",
                f"            {stock}[p, k] = 0",
            ]
        else:
            out += [f"    for k in range({holds.kinds}):", f"        {stock}[k] = 0"]
        out += _all(places, "s", f"{stock}[{'p, ' * holds.separate}{{k}}]", "    ")
    return [*out, "    return"]


def text_of_determinize(record: type[StateRecord]) -> list[str]:
    """`determinize`: deals what the viewer has not seen into all that is closed to them."""
    out = ["def determinize(t, o):", "    me = o.viewer - 1"]
    for places in domains_of(places_of(record)):
        holds, pad = places[0].holds, "    "
        if holds.separate:
            out, pad = [*out, f"{pad}for p in range({holds.each}):"], pad + "    "
        unseen = f"o.{holds.stem}_unseen"
        stock = f"o.{holds.stem}_stock[{'p, ' * holds.separate}k]"
        out += [f"{pad}for k in range({holds.kinds}):", f"{pad}    {unseen}[k] = {stock}"]
        for place in places:
            out += _less_what_is_seen(place, unseen, pad)
        out += [
            f"{pad}n = 0",
            f"{pad}for k in range({holds.kinds}):",
            f"{pad}    n += {unseen}[k]",
        ]
        for place in places:
            out += _fill(place, unseen, pad)
    return [*out, "    return"]


def _less_what_is_seen(place: Place, unseen: str, pad: str) -> list[str]:
    """Lines that take from the unseen what lies open in a place."""
    holds, into = place.holds, f"{unseen}[{{k}}]"
    head, inner = _loops(place, pad, separate=holds.separate)
    if place.visibility == "public" or holds.form is Form.SLOTS:  # a closed slot reads as COVERED
        return head + _tally(place, "o", into, inner, "-=")
    out = []
    if place.visibility == "own":
        out = [*head, f"{inner}if p == me:", *_tally(place, "o", into, inner + "    ", "-=")]
    if place.known_by:
        cell, known = _cell_and_known(place)
        size = f"o.{place.size}" + ("[p]" if holds.each else "")
        closed = f"{inner}if me >= 0" + (" and p != me:" if place.visibility == "own" else ":")
        out += [
            *head,
            closed,
            f"{inner}    for i in range({size}):",
            f"{inner}        if {known} > 0:",
            f"{inner}            {unseen}[{cell}] -= 1",
        ]
    return out


def _cell_and_known(place: Place) -> tuple[str, str]:
    """A cell of a place, and the flag that says whether the viewer `me` knows it."""
    index = ", ".join(["me"] + ["p"] * bool(place.holds.each) + ["i"] * bool(place.cells))
    return f"o.{place.cell}", f"o.{place.known_by}[{index}]"


def _fill(place: Place, unseen: str, pad: str) -> list[str]:
    """Lines that deal unseen cards into what is closed of a place."""
    holds = place.holds
    if place.visibility == "public":
        return []
    out, inner = _loops(place, pad, separate=holds.separate)
    deal = f"draw_unseen(o, {unseen}, n)"
    if holds.form is Form.SLOTS:
        if place.cells:
            out, inner = [*out, f"{inner}for i in range({place.cells}):"], inner + "    "
        cell = f"o.{place.cell}"
        return [
            *out,
            f"{inner}if {cell} == {COVERED}:",
            f"{inner}    {cell} = 1 + {deal}",
            f"{inner}    n -= 1",
        ]
    if place.visibility == "own":
        out, inner = [*out, f"{inner}if p != me:"], inner + "    "
    size = f"o.{place.size}" + ("[p]" if holds.each else "")
    if holds.form is Form.COUNTS:
        return [
            *out,
            f"{inner}for _ in range({size}):",
            f"{inner}    k = {deal}",
            f"{inner}    o.{place.at('p', 'k')} += 1",
            f"{inner}    n -= 1",
        ]
    out = [*out, f"{inner}for i in range({size}):"]
    inner += "    "
    cell, known = _cell_and_known(place)
    if place.known_by:
        out, inner = [*out, f"{inner}if me < 0 or {known} == 0:"], inner + "    "
    return [*out, f"{inner}{cell} = {deal}", f"{inner}n -= 1"]


def lines_of_redact(place: Place) -> list[str]:
    """Lines of `redact` that hide a place which not all see, and open to `seat` what it knows."""
    holds = place.holds
    out, pad = list[str](), "    "
    if holds.each:
        out, pad = [f"    for p in range({holds.each}):"], "        "
        if place.visibility == "own":
            out, pad = [*out, "        if p != seat:"], "            "
    inside = place.cells or (holds.kinds if holds.form is Form.COUNTS else 0)
    if inside:
        out, pad = [*out, f"{pad}for i in range({inside}):"], pad + "    "
    cell = place.at("p", "i" if inside else "")
    if holds.form is Form.SLOTS:
        out.append(f"{pad}o.{cell} = {COVERED} if s.{cell} > 0 else 0")
    else:
        out.append(f"{pad}o.{cell} = 0")
    if place.known_by:
        index = ", ".join(["seat"] + ["p"] * bool(holds.each) + ["i"] * bool(place.cells))
        out.append("    if seat >= 0:")
        pad = "        "
        for loop, n in (("p", holds.each), ("i", place.cells)):
            if n:
                out, pad = [*out, f"{pad}for {loop} in range({n}):"], pad + "    "
        out += [
            f"{pad}if s.{place.known_by}[{index}] > 0:",
            f"{pad}    o.{place.cell} = s.{place.cell}",
        ]
    return out
