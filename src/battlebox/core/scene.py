"""What a front end draws: zones of pieces, a prompt, and one choice for each legal action.

A scene is made from an observation, so it cannot show what its viewer may not know. Browser,
terminal and screen reader all draw the same scene; a new game needs no front-end code.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Piece:
    """A card, pawn, die or token.

    `id` is stable while the viewer can follow the piece, so that front ends move it from scene to
    scene; pieces that nobody can tell apart share their label, never their id.
    """

    id: str
    label: str  # what a screen reader says
    kind: str = "card"  # card, back, pawn, die, token
    code: str = ""  # the short name in the game's notation
    name: str = ""
    value: str = ""  # the number that matters most on it
    text: str = ""  # what it does, one line
    tone: str = ""  # a family of looks: "attack", "defence"
    count: int = 1  # identical pieces drawn as one


@dataclass(frozen=True)
class Zone:
    """A place on the table. `kind` says how to draw it, `facts` hold what that kind needs.

    plaque: a seat (name, health, hand, acting, out, team ...) · fan: a hand · pile: count, top
    piece · line: one sentence with pieces
    """

    id: str
    kind: str
    label: str
    owner: int | None = None
    pieces: tuple[Piece, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """One legal action: its number, its word, and how a person says it.

    `path`: ids of the pieces and zones to tap in turn (card, then target); empty: a button.
    """

    action: int
    word: str
    label: str
    sub: str = ""  # what it leads to, if that is certain
    path: tuple[str, ...] = ()
    tone: str = "plain"  # main, plain, quiet
    rules: tuple[str, ...] = ()  # ids of the rules behind it
    then: dict[str, int] = field(default_factory=dict)  # points of zones it may lead to, by id


@dataclass(frozen=True)
class Refusal:
    """Why a piece or zone that a person might tap cannot be chosen now."""

    id: str
    why: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """All that one viewer sees at one moment. `viewer` None: a spectator."""

    viewer: int | None
    to_act: int | None  # None: nobody, or nobody the viewer may know of
    phase: str
    title: str  # where we are: "Turn 7", "Lightning round"
    prompt: str  # what is asked, in a sentence; at the end, the result
    zones: tuple[Zone, ...]
    choices: tuple[Choice, ...] = ()  # the viewer's own legal actions
    refusals: tuple[Refusal, ...] = ()  # of what no choice begins or ends with
    over: bool = False

    def zone(self, id: str) -> Zone:
        """The zone of that id; KeyError if there is none."""
        for z in self.zones:
            if z.id == id:
                return z
        raise KeyError(id)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and tuples, for JSON."""
        return asdict(self)


@cache
def rule_ids(doc: str) -> tuple[str, ...]:
    """The ids of the rules that a docstring names, for `Choice.rules`; `WZ-17..20` are four."""
    out = []
    for head, first, last in re.findall(r"\b([A-Z]{1,2}-?)(\d+)(?:\.\.(\d+))?\b", doc):
        out += [f"{head}{n}" for n in range(int(first), int(last or first) + 1)]
    return tuple(out)
