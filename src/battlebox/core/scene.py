"""What a front end draws: zones of pieces, a prompt, and one choice for each legal action.

A scene is made from an observation, so it cannot show what its viewer may not know. Browser,
terminal and screen reader all draw the same scene; a new game needs no front-end code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from .errors import BattleboxError
from .table import sentence


@dataclass(frozen=True)
class Piece:
    """A card, pawn, die or token.

    `id` is stable while the viewer can follow the piece, so that front ends move it from scene to
    scene; pieces that nobody can tell apart share their label, never their id.
    """

    id: str
    label: str  # what a screen reader says
    # card, back, pawn, die, token; peek: a card whose face only its owner sees; lost: one that goes
    kind: str = "card"
    code: str = ""  # the short name in the game's notation
    name: str = ""
    value: str = ""  # the number that matters most on it
    text: str = ""  # what it does, one line
    tone: str = ""  # a family of looks: "attack", "defence"
    count: int = 1  # identical pieces drawn as one


class Drawn:
    """What knows itself as JSON, made once: a game may give the same zone for many scenes."""

    @property
    def as_json(self) -> bytes:
        made: dict[str, Any] = self.__dict__  # as a cached_property, but without its lock
        if "_json" not in made:
            made["_json"] = self._as_json()
        found: bytes = made["_json"]
        return found

    def _as_json(self) -> bytes:
        return to_json(self)


@dataclass(frozen=True)
class Zone(Drawn):
    """A place on the table. `kind` says how to draw it, `facts` hold what that kind needs.

    - plaque: a seat (name, points, hand, acting, out, team ...; `stations`: the numbers of a
      track on which the points are drawn as a pawn; `goal`: the points that win, drawn as pips;
      pieces lie with the seat)
    - ring: the seats of such a scene lie round the table, and this says which way play goes
      (text, way: 1 to the left, -1 to the right, round)
    - standings: how the round before ended (text, round, goal, rows: seat, side, won, points)
    - numbers: how many of what was tapped
    - fan: a hand
    - pile: count, top piece
    - line: one sentence with pieces, and pills (text, lit: it is for the viewer)
    - duel: two rows of cards weighed against each other (facts: text, short, notes: how the
      totals come about, active, next: the viewer's next card is for it, last: it is over and
      remembered, and sides, the viewer's own last, with seat, total, leads and the ids of their
      pieces)
    - column: cards that face each other across their totals (facts: text, short, active, tags:
      what cards add now, by id, and sides as of a duel, with sum, lost, covered: what lies face
      down, beside: what lies beside)
    - bricks: a field of rows shifted by half a cell, `f13` is the 6th cell of row 13; pieces
      are figures (`at` has their cells), cells to choose, the two ends (facts: rows, cols,
      lines, ends, mark, home, ball, carnage, active, last; by number of action: ways, and
      plans, which say where figures would stand)
    - dice: as rolled, what they came to (text), and those that lost or do not count (beaten)
    - score: sides (name, tone, points), text
    - bench: figures beside a board, which are hurt, which are out, and the two rooms they lie
      in

    Any zone may have a `hint`, said beneath the question.
    """

    id: str
    kind: str
    label: str
    owner: int | None = None
    pieces: tuple[Piece, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice(Drawn):
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
class Refusal(Drawn):
    """Why a piece or zone that a person might tap cannot be chosen now."""

    id: str
    why: str
    rules: tuple[str, ...] = ()


PARTS = ("zones", "choices", "refusals")


@dataclass(frozen=True)
class Scene(Drawn):
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

    def _as_json(self) -> bytes:
        """Put together from that of its parts."""
        parts = {name: getattr(self, name) for name in PARTS}
        head = to_json({k: v for k, v in vars(self).items() if k not in parts})
        lists = [
            b'"%s":[%s]' % (name.encode(), b",".join([x.as_json for x in drawn]))
            for name, drawn in parts.items()
        ]
        return b"%s,%s}" % (head[:-1], b",".join(lists))

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and tuples, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scene:
        """The scene that `to_dict` has made plain, also after a way through JSON.

        What is unknown here is left out: a newer server may say more. `facts` come as they are.
        Errors: BattleboxError names what is missing, or not of its kind.
        """
        try:  # as JSON, because there lists are what tuples are written as
            return _reader().validate_json(json.dumps(data), strict=True)
        except ValidationError as e:
            raise BattleboxError(f"not a scene: {sentence(e)}") from None
        except (TypeError, ValueError, RecursionError) as e:
            raise BattleboxError(f"not a scene: {e}") from None


@cache
def _reader() -> TypeAdapter[Scene]:
    return TypeAdapter(Scene)


@cache
def rule_ids(doc: str) -> tuple[str, ...]:
    """The ids of the rules that a docstring names, for `Choice.rules`; `WZ-17..20` are four."""
    out = []
    for head, first, last in re.findall(r"\b([A-Z]{1,3}-?)(\d+)(?:\.\.(\d+))?\b", doc):
        out += [f"{head}{n}" for n in range(int(first), int(last or first) + 1)]
    return tuple(out)
