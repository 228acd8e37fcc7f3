"""The plain build's access to records: Python ints out, range-checked stores in, stray indexes
refused. And pictures: what a record held at one moment, for scenes.

The compiled build works on the NumPy records themselves; rules read the same on all of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def _natural(d: np.dtype[Any]) -> bool:
    return d.metadata is not None and d.metadata.get("low") == 0


@lru_cache(256)
def _zeros(size: int, format: str) -> memoryview[Any]:
    return memoryview(bytes(size)).cast(format)  # type: ignore[call-overload, no-any-return]


class Line:
    """A 1-D field. Negative indexes are refused (a memoryview would count from the end)."""

    __slots__ = ("memory", "natural")

    def __init__(self, a: Array) -> None:
        self.memory: memoryview[Any] = memoryview(a)  # type: ignore[arg-type]
        self.natural = _natural(a.dtype)

    def __getitem__(self, i: int) -> Any:
        if i < 0:
            raise IndexError(f"negative index {i}")
        return self.memory[i]

    def __setitem__(self, i: int, value: Any) -> None:
        if i < 0:
            raise IndexError(f"negative index {i}")
        if self.natural and value < 0:
            raise ValueError(f"{value} in a field that is never negative")
        self.memory[i] = value

    def __len__(self) -> int:
        return len(self.memory)

    def blank(self) -> None:
        """Zeros everywhere, as a loop would write them, in one step: `redact` runs for every viewer
        of every match of people.
        """
        self.memory[:] = _zeros(self.memory.nbytes, self.memory.format)

    def __repr__(self) -> str:
        return repr(self.memory.tolist())


class Table2:
    """A 2-D field: g[i, j], or g[i] for a row."""

    __slots__ = ("lines", "memory")
    line: ClassVar[type[Line]] = Line

    def __init__(self, a: Array) -> None:
        self.lines = [self.line(row) for row in a]
        self.memory: memoryview[Any] = memoryview(a)  # type: ignore[arg-type]

    def __getitem__(self, key: Any) -> Any:
        if type(key) is tuple:
            i, j = key
            if i < 0 or j < 0:
                raise IndexError(f"negative index {min(i, j)}")
            return self.memory[key]
        if key < 0:
            raise IndexError(f"negative index {key}")
        return self.lines[key]

    def __setitem__(self, key: tuple[int, int], value: Any) -> None:
        i, j = key
        if i < 0:
            raise IndexError(f"negative index {i}")
        self.lines[i][j] = value

    def __len__(self) -> int:
        return len(self.lines)

    def blank(self) -> None:
        """Zeros everywhere."""
        for line in self.lines:
            line.blank()

    def __repr__(self) -> str:
        return repr(self.lines)


class Records:
    """An array of records: r[i] is one of them; r[i] = r[j] copies."""

    __slots__ = ("all", "array")

    def __init__(self, a: Array, table: type[Table2] = Table2) -> None:
        self.array, self.all = a, [checked(a[i, ...], table) for i in range(len(a))]

    def __getitem__(self, i: int) -> Any:
        if i < 0:
            raise IndexError(f"negative index {i}")
        return self.all[i]

    def __setitem__(self, i: int, value: Any) -> None:
        if i < 0:
            raise IndexError(f"negative index {i}")
        self.array[i] = value._record

    def __len__(self) -> int:
        return len(self.all)

    def __repr__(self) -> str:
        return repr(self.all)


_classes: dict[Any, tuple[type, list[str]]] = {}


def checked(a: Any, table: type[Table2] = Table2) -> Any:
    """Checked access to an array: of numbers (1-D, 2-D), of records, or of one record (0-D).

    table: what its 2-D fields are; its `line` is what 1-D fields are.
    A record also carries what only the plain build has: `_chance` (a `ChanceSource`) and
    `_listener` (is told of events).
    """
    d = a.dtype
    if d.names is None:
        return table.line(a) if a.ndim == 1 else table(a)
    if a.shape:
        return Records(a, table)
    # two dtypes that differ in their metadata only compare equal
    key = (d, tuple(_natural(d[n].base) for n in d.names))
    if key not in _classes:
        _classes[key] = _class_of(d)
    cls, scalars = _classes[key]
    v = cls()
    v._record, v._chance, v._listener = a, None, None
    for n in d.names:
        if n in scalars:
            setattr(v, "_" + n, memoryview(a[n].reshape(1)))
        else:
            setattr(v, n, checked(a[n], table))
    return v


def _class_of(d: np.dtype[Any]) -> tuple[type, list[str]]:
    names = list(d.names or ())
    scalars = [n for n in names if not d[n].shape and not d[n].names]
    slots = ("_record", "_chance", "_listener", *("_" + n if n in scalars else n for n in names))
    text = ["class CheckedRecord:", f"  __slots__ = {slots!r}"]
    for n in scalars:
        text += ["  @property", f"  def {n}(self): return self._{n}[0]"]
        text += [f"  @{n}.setter", f"  def {n}(self, value):"]
        if _natural(d[n]):
            text += [
                "    if value < 0:",
                f"      raise ValueError(f'{{value}} in {n}, which is never negative')",
            ]
        text.append(f"    self._{n}[0] = value")
    text += [
        "  def __repr__(self):",
        f"    return ', '.join(f'{{n}}={{getattr(self, n)!r}}' for n in {names!r})",
    ]
    made: dict[str, Any] = {}
    exec("\n".join(text), made)
    return made["CheckedRecord"], scalars


# ---- pictures -----------------------------------------------------------------------------------
_row, _set_row = list.__getitem__, list.__setitem__


class Cells(list[Any]):
    """A field of two dimensions as lists in a list: g[i, j], g[i][j]."""

    def __getitem__(self, key: Any) -> Any:
        if type(key) is tuple:
            i, j = key
            return _row(self, i)[j]
        return _row(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        if type(key) is tuple:
            i, j = key
            _row(self, i)[j] = value
        else:
            _set_row(self, key, value)


class Picture:
    """What a record held: its fields as plain numbers and lists, several times as quick to
    read. Changing it changes nothing else, so that a scene may ask rules what would be.
    """

    def __init__(self, record: Any) -> None:
        """record: of shape ()."""
        names, lines, tables, records = _fields(record.dtype)
        here = self.__dict__
        here.update(zip(names, record.tolist(), strict=True))
        for name in lines:
            here[name] = here[name].tolist()
        for name in tables:
            here[name] = Cells(here[name].tolist())
        for name in records:
            here[name] = [Picture(x) for x in here[name]]

    def __getattr__(self, name: str) -> Any:
        """For type checkers: fields are found before this is asked."""
        raise AttributeError(name)


@lru_cache(256)
def _fields(d: np.dtype[Any]) -> tuple[tuple[str, ...], list[str], list[str], list[str]]:
    """The fields of a record; those that are lines, those that are tables, those of records."""
    names = d.names or ()
    of = {name: d[name].subdtype or (d[name], ()) for name in names}
    records = [name for name, (base, _) in of.items() if base.names]
    numbers = {name: len(shape) for name, (base, shape) in of.items() if not base.names}
    lines = [name for name, n in numbers.items() if n == 1]
    return names, lines, [name for name, n in numbers.items() if n > 1], records
