"""Data from outside, checked: options, and the one read-only table record the rules get.

What an option may be is declared with pydantic models; here its findings are put into
one sentence that names what and where.
"""

from __future__ import annotations

import contextlib
import contextvars
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
import pydantic

from .checked import Array
from .errors import BattleboxError, GameError, RulesetError

HINTS = 100  # names among which the nearest is looked for: it takes a while

M = TypeVar("M", bound=pydantic.BaseModel)


class Model(pydantic.BaseModel):
    """Base of all that is read from outside: nothing unknown, nothing bent, nothing changed."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, strict=True)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("only characters that can be printed")
    return text


#: what people will read: a terminal obeys some of the other characters
Name = Annotated[str, pydantic.AfterValidator(_printable)]


def checked(make: Callable[[], M], known: Iterable[str], where: str) -> M:
    """make(), or RulesetError with the first thing that is wrong."""
    try:
        return make()
    except pydantic.ValidationError as e:
        raise RulesetError(f"{where}: {sentence(e, known)}") from None


def sentence(error: pydantic.ValidationError, known: Iterable[str] = ()) -> str:
    """The first finding, in words: what, where, and for an unknown name the nearest known one."""
    found = error.errors()
    # `[[defense]]` is told before the `[[defence]]` that is missing for it
    first = next((x for x in found if x["type"] == "extra_forbidden"), found[0])
    path = ""
    for step in first["loc"]:
        path += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if path else str(step)
    got = first["input"]
    if first["type"] == "extra_forbidden":
        return f"{path!r} is not known{nearest(path.split('.')[-1], known)}"
    if first["type"] == "missing":
        return f"{path!r} is missing"
    message = first["msg"].removeprefix("Value error, ")
    if not path or isinstance(got, dict | list):
        return f"{path}: {message}" if path else message
    return f"{path} = {got!r}: {message[0].lower()}{message[1:]}"


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint at what may have been meant, to be put behind an error; empty if nothing is near."""
    known = list(known)
    if len(known) > HINTS:
        return ""
    if near := difflib.get_close_matches(str(word), known, n=1):
        return f"; did you mean {near[0]!r}?"
    return f"; known: {', '.join(known)}" if known else ""


_untrusted = contextvars.ContextVar("untrusted", default=False)


@contextlib.contextmanager
def untrusted() -> Iterator[None]:
    """Within it all that is asked for comes from another machine: no file of a user is read, and
    what stays in memory has a bound.
    """
    token = _untrusted.set(True)
    try:
        yield
    finally:
        _untrusted.reset(token)


def is_untrusted() -> bool:
    """Whether this is within `untrusted`."""
    return _untrusted.get()


def read_text(path: Path) -> str:
    """The text of a file. Errors: BattleboxError names it and says why it cannot be read as one."""
    if is_untrusted():
        raise BattleboxError(f"{str(path)!r}: a path cannot be used here; give the file's text")
    try:
        return path.expanduser().read_text(encoding="utf-8-sig")
    except OSError as e:
        raise BattleboxError(f"{path}: {e.strerror}") from None
    except UnicodeDecodeError:
        raise BattleboxError(f"{path}: it is not a text file; save it as UTF-8") from None
    except (RuntimeError, ValueError) as e:  # no such user's home, a name that can be none
        raise BattleboxError(f"{str(path)!r}: {e}") from None


def fill(layout: np.dtype[Any], data: dict[str, Any]) -> Array:
    """The table record, read-only, from numbers by field name. GameError if they differ."""
    out = np.zeros(1, layout)
    _fill(out[0], data, "table")
    out.flags.writeable = False
    return out


def as_before(table: Array, before: Mapping[str, int]) -> bytes:
    """A table as bytes, without the fields that came later (`state.later`) and change nothing.

    before: what a field stands for where there is none.
    """
    first = [n for n in table.dtype.names or () if n not in before]
    rest = np.zeros(1, np.dtype([(n, table.dtype[n]) for n in first], align=True))
    for n in first:
        rest[n] = table[n]
    more = [f" {n}={table[n][0]}" for n, x in before.items() if table[n][0] != x]
    return rest.tobytes() + "".join(more).encode()


def _fill(record: Any, data: dict[str, Any], where: str) -> None:
    names = record.dtype.names
    if wrong := set(data) ^ set(names):
        raise GameError(f"{where}: {sorted(wrong)[0]!r} is not both in the record and in the data")
    for n in names:
        kind, value = record.dtype[n], data[n]
        if kind.base.names:
            if len(value) != kind.shape[0]:
                raise GameError(f"{where}.{n}: {len(value)} entries, not {kind.shape[0]}")
            for i, row in enumerate(value):
                _fill(record[n][i], row, f"{where}.{n}[{i}]")
            continue
        a = np.asarray(value)
        span, low = np.iinfo(kind.base), (kind.base.metadata or {}).get("low")
        least = span.min if low is None else low
        if a.shape != kind.shape:
            raise GameError(f"{where}.{n}: shape {a.shape}, the record has {kind.shape}")
        if a.dtype.kind not in "ib" or (a.size and not least <= a.min() <= a.max() <= span.max):
            raise GameError(f"{where}.{n}: whole numbers {least}..{span.max}, not {value!r}")
        record[n] = a
