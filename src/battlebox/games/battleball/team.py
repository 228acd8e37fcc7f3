"""The eleven of a Battleball team as team.toml has them: codes, dice, stored lineups."""

from __future__ import annotations

from pathlib import Path

from ...core.deck import Part as Model
from ...core.deck import read_toml

FILE = Path(__file__).with_name("team.toml")


class Role(Model):
    """A kind of piece."""

    letter: str
    name: str
    sides: int
    pieces: int


class Lineup(Model):
    """A stored lineup: W's places on the usual field."""

    name: str
    places: str


class Team(Model):
    """What the file holds."""

    order: list[str]
    role: list[Role]
    lineup: list[Lineup]


TEAM = read_toml(FILE.read_text(encoding="utf-8"), Team, FILE.name)
CODES = tuple(f"{role.letter}{n}" for role in TEAM.role for n in range(1, role.pieces + 1))
ROLES = {role.letter: role.name for role in TEAM.role}
DICE = {role.letter: role.sides for role in TEAM.role}
ORDER = TEAM.order
PRESETS = {lineup.name: lineup.places for lineup in TEAM.lineup}
HEAVY = CODES.index("H1")


def code(team: int, slot: int) -> str:
    """The code of a piece: R1 is W's, r1 is H's."""
    return CODES[slot] if team == 0 else CODES[slot].lower()


def piece_of(text: str) -> tuple[int, int]:
    """Team and slot of a code. ValueError if there is no such piece."""
    if text.upper() not in CODES or text not in (text.upper(), text.lower()):
        raise ValueError(f"no piece has the code {text!r}")
    return int(text == text.lower()), CODES.index(text.upper())
