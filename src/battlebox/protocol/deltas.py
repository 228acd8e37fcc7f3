"""Scenes as what has changed since the one before: written by the server, read by clients.

Head fields that differ are said anew, and so are all choices, refusals and placements where one of
them differs. Zones are listed in their order: by id where they are as before; in part where the
same zone has other pieces or facts, and that is shorter; whole else.

Of a zone's pieces, those in `gone` and those that are put elsewhere are taken away, then each of
`put` is set in at its index, in ascending order; `turned` has, by id, what is new of a piece that
stays. Facts are an object, and what changes within an object or a list is told in one way, however
deep it lies: `set` has values by key, `without` keys that are no longer there, `within` changes
within values. A list's keys are its indexes; of one that has another length, `cut` says from which
item on how many go, and `put` what comes in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any
from weakref import ref

from pydantic_core import to_json

from ..core.errors import BattleboxError
from ..core.scene import Piece, Scene, Zone, pack_choices, pack_pieces, unpacked, unpacked_pieces

OF_PIECE = tuple(x.name for x in fields(Piece))
HEAD = ("to_act", "phase", "title", "prompt", "over", "cue", "placements")


# ---- writing ------------------------------------------------------------------------------------
def changes(before: Scene, now: Scene) -> bytes:
    """What a client that has one scene of a viewer needs to have the next, as JSON."""
    said: dict[str, object] = {}
    for name in HEAD:
        value = getattr(now, name)
        if value != getattr(before, name):
            said[name] = value
    templates = b""
    if now.choices != before.choices:
        templates, said["choices"] = pack_choices(now.choices)
    parts = [to_json(said)[1:-1]] if said else []
    if templates:
        parts.append(b'"templates":[%s]' % templates)
    if now.refusals != before.refusals:
        parts.append(b'"refusals":[%s]' % b",".join([x.as_json for x in now.refusals]))
    if now.zones is not before.zones and (zones := zone_changes(before.zones, now.zones)):
        parts.append(b'"zones":' + zones)
    return b"{%s}" % b",".join(parts)


def zone_changes(before: Sequence[Zone], now: Sequence[Zone]) -> bytes:
    """The zones of a scene, as JSON; empty if all are as before."""
    old = {z.id: z for z in before}
    same = len(before) == len(now)
    out = []
    for k, zone in enumerate(now):
        was = old.get(zone.id)
        new = b"" if was is zone else zone.as_json if was is None else _since(was, zone)
        same = same and not new and zone.id == before[k].id
        out.append(new or to_json(zone.id))
    return b"" if same else b"[%s]" % b",".join(out)


def _since(before: Zone, now: Zone) -> bytes:
    """What `_zone` tells; it is kept with the zone, as many viewers may be shown the same two."""
    kept = vars(now).get("_since")
    if kept is None or kept[0]() is not before:
        kept = vars(now)["_since"] = ref(before), _zone(before, now)
    found: bytes = kept[1]
    return found


def _zone(before: Zone, now: Zone) -> bytes:
    """A zone that has changed: in part, unless it is another one under the same id. Empty: it has
    not.
    """
    if before.kind != now.kind or before.owner != now.owner or before.role != now.role:
        return now.as_json
    parts: list[bytes] = []  # (`list[bytes]()` takes ten times as long)
    much = False
    if now.label != before.label:
        parts.append(b'"label":' + to_json(now.label))
    if now.facts is not before.facts and now.facts != before.facts:
        parts.append(b'"facts":' + _within(before.facts, now.facts))
    if now.pieces is not before.pieces and now.pieces != before.pieces:
        at, new = {x.id: k for k, x in enumerate(before.pieces)}, {x.id for x in now.pieces}
        if len(at) != len(before.pieces) or len(new) != len(now.pieces):
            return now.as_json  # two have the same id
        put = _pieces(before.pieces, at, now.pieces, parts)
        much = 2 * put > len(now.pieces)  # else it is shorter in any case
    if not parts:
        return b""
    found = b'{"id":%s,%s,"changed":true}' % (to_json(now.id), b",".join(parts))
    return now.as_json if much and len(found) > len(now.as_json) else found


def _pieces(
    before: Sequence[Piece], at: dict[str, int], now: Sequence[Piece], parts: list[bytes]
) -> int:
    """Adds what has changed of a zone's pieces; says how many of them are put.

    at: where they were, by their ids.
    """
    put: list[int] = []
    turned: dict[str, object] = {}
    last = -1
    for k, piece in enumerate(now):
        was = at.pop(piece.id, -1)
        if was < 0 or was < last:
            put.append(k)
            continue
        last, x = was, before[was]
        if x is not piece and x != piece:
            turned[piece.id] = {n: v for n in OF_PIECE if (v := getattr(piece, n)) != getattr(x, n)}
    if at:
        parts.append(b'"gone":' + to_json([*at]))
    if turned:
        parts.append(b'"turned":' + to_json(turned))
    if put:
        templates, rows = pack_pieces([now[k] for k in put])
        said = to_json([*zip(put, rows, strict=True)])
        parts.append(b'"templates":[%s],"put":%s' % (templates, said))
    return len(put)


def _within(old: Any, new: Any) -> bytes:
    """What changes within an object, or within a list, as JSON."""
    fresh: dict[str, Any] = {}
    deep: list[bytes] = []
    parts: list[bytes] = []
    if isinstance(new, dict):
        there = 0
        for key, b in new.items():
            a = old.get(key, NOTHING)
            there += a is not NOTHING
            if a is not b and a != b:
                _say(key, a, b, fresh, deep)
        if there < len(old):
            parts.append(b'"without":' + to_json([k for k in old if k not in new]))
    else:
        n, start, end = min(len(old), len(new)), 0, 0
        while start < n and old[start] == new[start]:
            start += 1
        while end < n - start and old[-1 - end] == new[-1 - end]:
            end += 1
        if len(old) != len(new):
            cut = [start, len(old) - end - start]
            return to_json({"cut": cut, "put": new[start : len(new) - end]})
        for k in range(start, n - end):
            if old[k] != new[k]:
                _say(str(k), old[k], new[k], fresh, deep)
    if deep:
        parts.append(b'"within":{%s}' % b",".join(deep))
    if fresh:
        parts.append(b'"set":' + to_json(fresh))
    return b"{%s}" % b",".join(parts)


NOTHING = object()  # what is not there


def _say(key: str, old: Any, new: Any, fresh: dict[str, Any], deep: list[bytes]) -> None:
    """Adds a value that has changed, or what has changed within it, if that is shorter."""
    if isinstance(new, dict):
        told = isinstance(old, dict) and _keeps_order(old, new)
    else:
        told = isinstance(new, list | tuple) and isinstance(old, list | tuple)
    inner = _within(old, new) if told else b""
    if told and len(inner) < len(to_json(new)):
        deep.append(b"%s:%s" % (to_json(key), inner))
    else:
        fresh[key] = new


def _keeps_order(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether the keys come in the order that a reader of the changes will have them in."""
    return [k for k in old if k in new] + [k for k in new if k not in old] == [*new]


# ---- reading ------------------------------------------------------------------------------------
def changed(scene: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The next scene, from the one before and what has changed; both plain data, the first with
    each of its pieces and choices by itself, as `core.scene.unpacked` gives them.

    Errors: BattleboxError, if they do not fit each other.
    """
    try:
        out = {**scene, **{k: said[k] for k in HEAD if k in said}}
        if "choices" in said:
            fresh = {
                "zones": [],
                "templates": said.get("templates", []),
                "choices": said["choices"],
            }
            out["choices"] = unpacked(fresh)["choices"]
        if "refusals" in said:
            out["refusals"] = said["refusals"]
        if "zones" in said:
            out["zones"] = changed_zones(scene["zones"], said["zones"])
        return out
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as e:
        raise BattleboxError(f"changes that fit no picture: {e!r}") from None


def changed_zones(before: Sequence[Any], said: Sequence[Any]) -> list[dict[str, Any]]:
    """The zones of the next scene. Errors: those of data that do not fit."""
    old = {z["id"]: z for z in before}
    out = []
    for x in said:
        if isinstance(x, str):
            out.append(old[x])
        elif x.get("changed"):
            out.append(_changed_zone(old[x["id"]], x))
        else:
            out += unpacked({"zones": [x]})["zones"]
    return out


def _changed_zone(zone: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    put, turned = said.get("put", ()), said.get("turned", {})
    fresh = unpacked_pieces(said.get("templates", ()), [row for _, row in put])
    gone, there = {*said.get("gone", ()), *(x["id"] for x in fresh)}, zone.get("pieces", ())
    if unknown := {*turned} - {x["id"] for x in there}:
        raise KeyError(*unknown)
    pieces = [{**x, **turned.get(x["id"], {})} for x in there if x["id"] not in gone]
    for (index, _), piece in zip(put, fresh, strict=True):
        pieces.insert(index, piece)
    facts = changed_within(zone.get("facts", {}), said.get("facts", {}))
    return {**zone, "label": said.get("label", zone["label"]), "facts": facts, "pieces": pieces}


def changed_within(value: Any, said: Mapping[str, Any]) -> Any:
    """An object or a list with what changes within it. Errors: those of data that do not fit."""
    if "cut" in said:
        start, n = said["cut"]
        return [*value[:start], *said["put"], *value[start + n :]]
    is_list = not isinstance(value, Mapping)
    out: Any = dict(enumerate(value)) if is_list else dict(value)
    key = int if is_list else str
    for k in said.get("without", ()):
        del out[key(k)]
    for k, inner in said.get("within", {}).items():
        out[key(k)] = changed_within(out[key(k)], inner)
    for k, new in said.get("set", {}).items():
        out[key(k)] = new
    return [*out.values()] if is_list else out
