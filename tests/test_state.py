"""Marked fields become one record; the plain build's access to it is checked at every step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from battlebox.core.checked import Picture, checked
from battlebox.core.errors import GameError
from battlebox.core.state import (
    Record,
    StateRecord,
    i8,
    i16,
    i32,
    n8,
    n16,
    n32,
    own,
    public,
    rows,
    scratch,
    secret,
    size,
    sizes_in_force,
)
from battlebox.core.table import fill


class Pawn(Record):
    """A record within a record."""

    at = n16()
    way = i8()


class State(StateRecord):
    """One field of each kind."""

    few = public(n8())
    any_few = public(i8())
    many = secret(n16(4))
    any_many = own(i16(3))
    grid = own(n8(3, 2))
    lots = public(n32())
    any_lots = public(i32())
    pawns = public(rows(Pawn, 2))
    heap = scratch(n8(5))


@pytest.fixture
def s() -> Any:
    return checked(np.zeros(1, State.layout))[0]


# ---- declaring -----------------------------------------------------------------------------------
def test_a_field_without_a_mark_is_refused_by_class_and_field() -> None:
    with pytest.raises(GameError, match=r"Bare\.health carries no mark"):

        class Bare(StateRecord):
            health = n8()


def test_an_unmarked_field_of_a_base_is_refused() -> None:
    class Base(Record):
        left = n8()

    with pytest.raises(GameError, match=r"Heir\.left carries no mark"):

        class Heir(StateRecord, Base):
            pass


def test_own_on_a_scalar_is_refused() -> None:
    with pytest.raises(GameError, match="own"):
        own(n8())


@pytest.mark.parametrize("mark", [public, own, secret, scratch])
def test_only_fields_can_be_marked(mark: Any) -> None:
    with pytest.raises(GameError, match=mark.__name__):
        mark(7)


def test_the_marks_are_kept() -> None:
    assert State.visibility["many"] == "secret"
    assert State.visibility["grid"] == "own"
    assert State.visibility["heap"] == "scratch"
    assert State.visibility["to_act"] == "public"
    assert State.visibility["rng"] == "secret"


def test_numbers_are_stored_signed_but_for_the_generator() -> None:
    def kinds(d: np.dtype[Any]) -> set[str]:
        if d.names:
            return {k for n in d.names for k in kinds(d[n])}
        return {d.base.kind} if not d.base.names else kinds(d.base)

    without_rng = [n for n in State.layout.names or () if n != "rng"]
    assert {k for n in without_rng for k in kinds(State.layout[n])} == {"i"}
    assert State.layout["rng"].kind == "u"


def test_the_record_is_aligned_and_void() -> None:
    d = State.layout
    assert d.kind == "V"
    assert d.isalignedstruct
    for n in d.names or ():
        assert d.fields is not None
        assert d.fields[n][1] % d[n].base.alignment == 0
    assert d.itemsize % d.alignment == 0


@pytest.mark.parametrize(
    ("field", "itemsize"), [("few", 1), ("any_few", 1), ("many", 2), ("lots", 4), ("any_lots", 4)]
)
def test_kinds_have_the_width_they_say(field: str, itemsize: int) -> None:
    assert State.layout[field].base.itemsize == itemsize


# ---- plain views ---------------------------------------------------------------------------------
def test_views_give_python_ints_and_see_their_record(s: Any) -> None:
    s.few, s.many[2], s.grid[2, 1], s.pawns[1].at = 5, 300, 7, 9
    for value, wanted in ((s.few, 5), (s.many[2], 300), (s.grid[2, 1], 7), (s.pawns[1].at, 9)):
        assert value == wanted
        assert type(value) is int
    assert s.grid[2][1] == 7
    assert s._record["grid"][2, 1] == 7


@pytest.mark.parametrize("i", [-1, -4, 4, 100])
def test_a_stray_or_negative_index_is_refused(s: Any, i: int) -> None:
    with pytest.raises(IndexError):
        s.many[i]
    with pytest.raises(IndexError):
        s.many[i] = 1
    with pytest.raises(IndexError):
        s.grid[i, 0]
    with pytest.raises(IndexError):
        s.grid[0, i]
    with pytest.raises(IndexError):
        s.grid[i, 0] = 1
    with pytest.raises(IndexError):
        s.grid[0, i] = 1
    with pytest.raises(IndexError):
        s.grid[i]
    with pytest.raises(IndexError):
        s.pawns[i]


def test_a_stray_index_into_the_array_of_states_is_refused() -> None:
    b = checked(np.zeros(2, State.layout))
    for i in (-1, 2):
        with pytest.raises(IndexError):
            b[i]
        with pytest.raises(IndexError):
            b[i] = b[0]


@pytest.mark.parametrize(
    ("field", "value"), [("few", 128), ("any_few", 128), ("any_few", -129), ("lots", 2**31)]
)
def test_a_store_out_of_range_is_refused(s: Any, field: str, value: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        setattr(s, field, value)
    assert getattr(s, field) == 0


def test_a_store_out_of_range_in_a_row_is_refused(s: Any) -> None:
    for bad in (2**15, -1):
        with pytest.raises((ValueError, OverflowError)):
            s.many[0] = bad
    with pytest.raises((ValueError, OverflowError)):
        s.grid[0, 0] = 128
    with pytest.raises((ValueError, OverflowError)):
        s.any_many[0] = 2**15
    assert s._record.tobytes() == bytes(State.layout.itemsize)


def test_a_negative_store_in_a_natural_field_is_refused(s: Any) -> None:
    for bad in (-1, -128):
        with pytest.raises(ValueError, match="never negative"):
            s.few = bad
        with pytest.raises(ValueError, match="never negative"):
            s.grid[1, 1] = bad
        with pytest.raises(ValueError, match="never negative"):
            s.pawns[0].at = bad
    s.any_few, s.any_many[1], s.pawns[0].way = -1, -300, -1
    assert (s.any_few, s.any_many[1], s.pawns[0].way) == (-1, -300, -1)


def test_an_unknown_attribute_is_refused(s: Any) -> None:
    with pytest.raises(AttributeError):
        _ = s.helath
    with pytest.raises(AttributeError):
        s.helath = 1


@pytest.mark.parametrize("value", [1.0, "1", None])
def test_only_whole_numbers_are_stored(s: Any, value: Any) -> None:
    with pytest.raises(TypeError):
        s.any_few = value
    with pytest.raises(TypeError):
        s.any_many[0] = value


def test_a_row_or_record_is_not_replaced_by_a_number(s: Any) -> None:
    with pytest.raises((AttributeError, TypeError, ValueError)):
        s.grid[0] = 3
    with pytest.raises((AttributeError, TypeError, ValueError)):
        s.pawns[0] = 3


def test_assigning_a_state_copies_it() -> None:
    b = checked(np.zeros(2, State.layout))
    b[0].many[1] = 4
    b[1] = b[0]
    b[0].many[1] = 5
    assert (b[0].many[1], b[1].many[1]) == (5, 4)


def test_fields_of_two_records_with_one_layout_keep_their_own_signs() -> None:
    """Their dtypes compare equal; only one of them may be negative."""

    class Natural(Record):
        x = n8()

    class Whole(Record):
        x = i8()

    a, b = (checked(np.zeros(1, r.layout))[0] for r in (Natural, Whole))
    b.x = -1
    with pytest.raises(ValueError, match="never negative"):
        a.x = -1


# ---- tables --------------------------------------------------------------------------------------
class Numbers(Record):
    """A table."""

    die = n8()
    map = n8(2, 2)
    pawn = rows(Pawn, 1)


NUMBERS = {"die": 6, "map": [[1, 2], [3, 4]], "pawn": [{"at": 1, "way": -1}]}


def test_a_table_record_is_read_only() -> None:
    a = fill(Numbers.layout, NUMBERS)
    t = checked(a)[0]
    assert (t.die, t.map[1, 0], t.pawn[0].way) == (6, 3, -1)
    with pytest.raises(ValueError, match="read-only"):
        a["die"] = 1
    with pytest.raises(TypeError):
        t.die = 1
    with pytest.raises(TypeError):
        t.map[0, 0] = 1
    with pytest.raises(TypeError):
        t.pawn[0].at = 1
    assert a["die"] == 6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"die": 300}, "table.die"),
        ({"die": 1.5}, "table.die"),
        ({"map": [1, 2]}, "table.map"),
        ({"map": [[1, 2], [3, 1000]]}, "table.map"),
        ({"more": 1}, "more"),
        ({"pawn": [{"at": 1}]}, "way"),
    ],
)
def test_numbers_that_do_not_fit_the_record_are_refused(change: Any, words: str) -> None:
    with pytest.raises(GameError, match=words):
        fill(Numbers.layout, NUMBERS | change)


def test_a_negative_number_for_a_natural_field_is_refused() -> None:
    with pytest.raises(GameError, match=r"table\.die"):
        fill(Numbers.layout, NUMBERS | {"die": -1})


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(GameError, match="pawn"):
        fill(Numbers.layout, NUMBERS | {"pawn": []})


# ---- sizes ---------------------------------------------------------------------------------------
def test_sizes_are_the_usual_ones_unless_others_are_in_force() -> None:
    assert size("cards", 60) == 60
    with sizes_in_force({"cards": 80}):
        assert size("cards", 60) == 80
        assert size("kinds", 16) == 16
        with sizes_in_force({"kinds": 3}):
            assert size("cards", 60) == 60
        assert size("cards", 60) == 80
    assert size("cards", 60) == 60


def test_sizes_are_usual_again_after_an_error() -> None:
    with pytest.raises(KeyError), sizes_in_force({"cards": 80}):
        raise KeyError
    assert size("cards", 60) == 60


# ---- pictures ------------------------------------------------------------------------------------
def test_a_picture_is_written_to_as_a_view_is_and_changes_nothing_else(s: Any) -> None:
    s.grid[1, 0], s.many[2], s.few = 3, 4, 5
    p = Picture(s._record)
    assert (p.grid[1, 0], p.grid[1], p.many[2], p.few) == (3, [3, 0], 4, 5)
    p.grid[1, 0], p.grid[2, 1], p.many[2], p.few = 6, 7, 8, 9
    assert (p.grid, p.many[2], p.few) == ([[0, 0], [6, 0], [0, 7]], 8, 9)
    assert (s.grid[1, 0], s.grid[2, 1], s.many[2], s.few) == (3, 0, 4, 5)
