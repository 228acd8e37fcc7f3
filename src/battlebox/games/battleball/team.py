"""The eleven pieces of a team: their codes. What they are called and roll is in a deck."""

from __future__ import annotations

PIECES = {"R": 3, "S": 2, "B": 2, "L": 2, "T": 1, "H": 1}  # BB-3: how many, by letter
CODES = tuple(f"{letter}{n}" for letter, many in PIECES.items() for n in range(1, many + 1))
HEAVY = CODES.index("H1")


def code(team: int, slot: int) -> str:
    """The code of a piece: R1 is W's, r1 is H's."""
    return CODES[slot] if team == 0 else CODES[slot].lower()


def piece_of(text: str) -> tuple[int, int]:
    """Team and slot of a code. ValueError if there is no such piece."""
    if text.upper() not in CODES or text not in (text.upper(), text.lower()):
        raise ValueError(f"no piece has the code {text!r}")
    return int(text == text.lower()), CODES.index(text.upper())
