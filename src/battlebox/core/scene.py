"""What a front end draws: zones of pieces, a prompt, and one choice for each legal action.

A scene is made from an observation, so it cannot show what its viewer may not know. Browser,
terminal and screen reader all draw the same scene; a new game needs no front-end code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_json

from .errors import BattleboxError
from .table import sentence

Row = list[Any]


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
        return to_json(_said(self))


@dataclass(frozen=True)
class Piece(Drawn):
    """A card, pawn, die or token.

    `id` is stable while the viewer can follow the piece, so that front ends move it from scene to
    scene; pieces that nobody can tell apart share their label, never their id.
    """

    id: str
    label: str  # what a screen reader says
    # card, back, pawn, die, token, move; peek: a card whose face only its owner sees; lost: one
    # that goes
    kind: str = "card"
    code: str = ""  # the short name in the game's notation
    name: str = ""
    value: str = ""  # the number that matters most on it
    text: str = ""  # what it does, one line
    tone: str = ""  # a family of looks: "attack", "defence"
    count: int = 1  # identical pieces drawn as one

    @property
    def as_row(self) -> tuple[bytes, Row]:
        """How it is said among others: see `_packed`. Made once, too."""
        made: dict[str, Any] = self.__dict__
        if "_row" not in made:
            made["_row"] = _packed(self, PIECE)
        found: tuple[bytes, Row] = made["_row"]
        return found


def _said(drawn: Any) -> dict[str, Any]:
    """Its fields, but for those that are as they are when nothing is said of them."""
    made, usual = drawn.__dict__, _usual(drawn.__class__)
    return {k: v for k, x in usual if (v := made[k]) != x}


@cache
def _usual(kind: Any) -> list[tuple[str, Any]]:
    """What fields are when nothing is said of them."""
    return [
        (x.name, x.default if x.default_factory is MISSING else x.default_factory())
        for x in fields(kind)
    ]


@dataclass(frozen=True)
class Zone(Drawn):
    """A place on the table. `kind` says how it is drawn, and what `facts` may hold: see `zones`."""

    id: str
    kind: str
    label: str
    owner: int | None = None
    pieces: tuple[Piece, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    role: str = ""  # "hand": what its owner holds, and may play

    def _as_json(self) -> bytes:
        said = _said(self)
        if not self.pieces:
            return to_json(said)
        templates, said["pieces"] = pack_pieces(self.pieces)
        return b'%s,"templates":[%s]}' % (to_json(said)[:-1], templates)


@dataclass(frozen=True)
class Family:
    """Cards or other pieces that are alike, for who looks up what a game is played with: each kind
    once, its `count` saying how many there are.
    """

    name: str  # "Attack cards"
    pieces: tuple[Piece, ...]
    text: str = ""  # what they are for, in a sentence or two


@dataclass(frozen=True)
class Choice:
    """One legal action: its number, its word, and how a person says it.

    `path`: ids of the pieces and zones to tap in turn (card, then target); empty: a button.
    With `any_order` it is pairs of a piece and the place where it is laid: a zone, or a cell. They
    may be said in any order, a piece with the same label will do, and nothing is done before it is
    confirmed.
    """

    action: int
    word: str
    label: str
    sub: str = ""  # what it leads to, if that is certain; in short what stands before a semicolon
    path: tuple[str, ...] = ()
    tone: str = "plain"  # main, plain, quiet
    rules: tuple[str, ...] = ()  # ids of the rules behind it
    then: dict[str, int] = field(default_factory=dict)  # points of zones it may lead to, by id
    any_order: bool = False


@dataclass(frozen=True)
class Refusal(Drawn):
    """Why a piece or zone that a person might tap cannot be chosen now."""

    id: str
    why: str
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Placement:
    """Where like pieces may be laid that are asked for one after the other.

    So a person can lay all of them, in any order, and confirm once; then each is a choice when it
    is asked for: its path is the piece, then its place. `places`: what a piece takes up there, by
    the id of the place. Two pieces must not take up the same; nothing else stands against it.
    """

    pieces: tuple[str, ...]
    places: dict[str, tuple[str, ...]]


#: what stands in the rows of choices and pieces, the word in them first
CHOICE = ("word", "action", "sub", "then")
PIECE = ("code",)
#: where a template has the stem of a row's word: its first letters and digits
WORD = "{}"


def _packed(x: Any, own: Sequence[str]) -> tuple[bytes, Row]:
    """The template of one, as JSON: what others have as well. And its `own`.

    In a template, `WORD` stands for the stem of the word. Of one in whose texts that stands by
    itself, the word is with them. What is unsaid at the end of a row is left out.
    """
    said = _said(x)
    mine = [said.pop(name, None) for name in own]
    if (stem := _stem(mine[0])) and not _has_word(said):
        said = _in_texts(said, stem, WORD)
    elif stem:
        said[own[0]], mine[0] = mine[0], None
    while mine and mine[-1] is None:
        mine.pop()
    return to_json(said), mine


def pack_choices(choices: Iterable[Choice]) -> tuple[bytes, list[Row]]:
    """The templates of choices, as members of a JSON list, and a row of each: which of that it is
    like, and what it has of its own.
    """
    return _pack([_packed(x, CHOICE) for x in choices])


def pack_pieces(pieces: Iterable[Piece]) -> tuple[bytes, list[Row]]:
    """The same of pieces."""
    return _pack([x.as_row for x in pieces])


def _pack(packed: Iterable[tuple[bytes, Row]]) -> tuple[bytes, list[Row]]:
    templates: dict[bytes, int] = {}
    rows = [[templates.setdefault(said, len(templates)), *mine] for said, mine in packed]
    return b",".join(templates), rows


def unpacked_pieces(templates: Sequence[Mapping[str, Any]], rows: Iterable[Row]) -> list[Any]:
    """Plain pieces again. Errors: those of data of another form."""
    return list(_unpack(templates, rows, PIECE))


def _unpack(templates: Sequence[Mapping[str, Any]], rows: Iterable[Row], own: Sequence[str]) -> Any:
    """Plain data again. Errors: those of data of another form."""
    for like, *mine in rows:
        said = {k: v for k, v in zip(own, mine, strict=False) if v is not None}
        stem, found = _stem(said.get(own[0])), dict(templates[like])
        yield (_in_texts(found, WORD, stem) if stem else found) | said


def _has_word(said: Mapping[str, Any]) -> bool:
    """Whether `WORD` stands by itself where it would be replaced."""
    for k, v in said.items():
        if WORD in v if isinstance(v, str) else k == "path" and any(WORD in x for x in v):
            return True
    return False


@lru_cache(4096)
def _stem(word: str | None) -> str:
    return re.match("[A-Za-z0-9]*", word or "")[0]  # type: ignore[index]


def _in_texts(said: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """With another word in the texts and the path."""
    out = dict(said)
    for k, v in said.items():
        if isinstance(v, str):
            out[k] = v.replace(old, new)
        elif k == "path":
            out[k] = [x.replace(old, new) for x in v]
    return out


def unpacked(scene: Mapping[str, Any]) -> dict[str, Any]:
    """A scene (or intermediate view) that came as JSON, each piece and choice of it by itself.

    Errors: those of data of another form.
    """
    out, zones = dict(scene), []
    if "templates" in scene:
        out["choices"] = list(_unpack(out.pop("templates"), scene["choices"], CHOICE))
    for z in scene["zones"]:
        zone = dict(z) if isinstance(z, Mapping) else z
        if isinstance(zone, dict) and "templates" in zone:
            zone["pieces"] = unpacked_pieces(zone.pop("templates"), zone["pieces"])
        zones.append(zone)
    return out | {"zones": zones}


PARTS = ("zones", "choices", "refusals")
RARE = ("cue", "placements")  # not said where they are empty


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
    cue: str = ""  # to who is asked, in two or three words, where "Your turn" would not be true
    placements: tuple[Placement, ...] = ()  # of what the viewer is asked for now, and after that

    def zone(self, id: str) -> Zone:
        """The zone of that id; KeyError if there is none."""
        for z in self.zones:
            if z.id == id:
                return z
        raise KeyError(id)

    def _as_json(self) -> bytes:
        """What is alike is said once, and nothing that is empty; docs/protocol.md tells how."""
        head = {k: v for k, v in vars(self).items() if k not in PARTS and (v or k not in RARE)}
        templates, head["choices"] = pack_choices(self.choices)
        lists = [b'"templates":[%s]' % templates] if templates else []
        lists.append(b'"zones":[%s]' % b",".join([x.as_json for x in self.zones]))
        if self.refusals:
            lists.append(b'"refusals":[%s]' % b",".join([x.as_json for x in self.refusals]))
        return b"%s,%s}" % (to_json(head)[:-1], b",".join(lists))

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and tuples, for JSON."""
        found: dict[str, Any] = _reader().dump_python(self)  # nine times as quick as `asdict`
        return found

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Scene:
        """The scene that `to_dict` has made plain, also after a way through JSON, or of a server.

        What is unknown here is left out: a newer server may say more. `facts` come as they are.
        Errors: BattleboxError names what is missing, or not of its kind.
        """
        try:  # as JSON, because there lists are what tuples are written as
            return _reader().validate_json(json.dumps(unpacked(data)), strict=True)
        except ValidationError as e:
            raise BattleboxError(f"not a scene: {sentence(e)}") from None
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError) as e:
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
