"""Positions of `key=value` items, as several games write them."""

from __future__ import annotations

import re

from .errors import PositionError


def read_keys(position: str, head: str, title: str) -> dict[str, str]:
    """The values by key of a position that begins with the word `head`. Errors: PositionError."""
    words = position.split()
    if not words or words[0] != head:
        raise PositionError(f"position: a {title} position begins with {head}")
    keys = dict[str, str]()
    for w in words[1:]:
        key, equals, value = w.partition("=")
        if not equals or key in keys:
            raise PositionError(
                f"position: {w!r}: " + ("written twice" if equals else "write key=value")
            )
        keys[key] = value
    return keys


def take_number(keys: dict[str, str], key: str, low: int, high: int, default: int) -> int:
    """The number of a key, which is taken out. Errors: PositionError, for one out of range too."""
    text = keys.pop(key, str(default))
    if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
        raise PositionError(f"position: {key}={text}: a number {low} .. {high}")
    return int(text)
