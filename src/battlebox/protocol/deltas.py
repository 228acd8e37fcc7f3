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
from typing import Any

from pydantic_core import to_json

from ..core.errors import BattleboxError
from ..core.scene import Piece, Scene, Zone, pack_choices, pack_pieces, unpacked, unpacked_pieces

HEAD = ("to_act", "phase", "title", "prompt", "over", "cue", "placements")


# ---- writing ------------------------------------------------------------------------------------
def changes(before: Scene, now: Scene) -> bytes:
    """What a client that has one scene of a viewer needs to have the next, as JSON."""
    said: dict[str, Any] = {}
    for name in HEAD:
        value = getattr(now, name)
        if value != getattr(before, name):
            said[name] = value
    if now.choices != before.choices:
        alike, said["choices"] = pack_choices(now.choices)
        if alike:
            said["alike"] = alike
    parts = [to_json(said)[1:-1]] if said else []
    if now.refusals != before.refusals:
        parts.append(b'"refusals":[%s]' % b",".join([x.as_json for x in now.refusals]))
    if now.zones is not before.zones and (zones := zone_changes(before.zones, now.zones)):
        parts.append(b'"zones":' + zones)
    return b"{%s}" % b",".join(parts)


def zone_changes(before: Sequence[Zone], now: Sequence[Zone]) -> bytes:
    """The zones of a scene, as JSON; empty if all are as before."""
    old = {z.id: z for z in before}
    is_same = [z is (x := old.get(z.id)) or z == x for z in now]
    if all(is_same) and [z.id for z in before] == [z.id for z in now]:
        return b""
    out = []
    for zone, same in zip(now, is_same, strict=True):
        x = old.get(zone.id)
        out.append(to_json(zone.id) if same else zone.as_json if x is None else _zone(x, zone))
    return b"[%s]" % b",".join(out)


def _zone(before: Zone, now: Zone) -> bytes:
    """A zone that has changed: in part, unless it is another one under the same id."""
    if (before.kind, before.owner, before.role) != (now.kind, now.owner, now.role):
        return now.as_json
    said: dict[str, Any] = {"id": now.id}
    if now.label != before.label:
        said["label"] = now.label
    if now.facts is not before.facts and now.facts != before.facts:
        said["facts"] = _within(before.facts, now.facts)
    if now.pieces is not before.pieces and now.pieces != before.pieces:
        if not _is_distinct(before.pieces, now.pieces):
            return now.as_json
        said |= _pieces(before.pieces, now.pieces)
    found = to_json(said | {"changed": True})
    is_much = 2 * len(said.get("put", ())) > len(now.pieces)  # else it is shorter in any case
    return now.as_json if is_much and len(found) > len(now.as_json) else found


def _is_distinct(*lists: Sequence[Piece]) -> bool:
    """Whether no two pieces of a list have the same id."""
    return all(len({x.id for x in pieces}) == len(pieces) for pieces in lists)


def _pieces(before: Sequence[Piece], now: Sequence[Piece]) -> dict[str, Any]:
    """What has changed of a zone's pieces."""
    old = {x.id: (k, x) for k, x in enumerate(before)}
    put, turned, last = list[int](), dict[str, Any](), -1
    for k, piece in enumerate(now):
        at, was = old.pop(piece.id, (-1, None))
        if was is None or at < last:
            put.append(k)
            continue
        last = at
        if was is not piece and was != piece:
            turned[piece.id] = {n: v for n, v in vars(piece).items() if v != getattr(was, n)}
    said: dict[str, Any] = {}
    if old:
        said["gone"] = [*old]
    if turned:
        said["turned"] = turned
    if put:
        said["alike"], rows = pack_pieces([now[k] for k in put])
        said["put"] = [list(x) for x in zip(put, rows, strict=True)]
    return said


def _within(old: Any, new: Any) -> dict[str, Any]:
    """What changes within an object, or within a list."""
    said: dict[str, Any] = {}
    if isinstance(new, dict):
        if without := [k for k in old if k not in new]:
            said["without"] = without
        pairs = [(k, old.get(k), v, k in old) for k, v in new.items()]
    else:
        same = min(len(old), len(new))
        start = next((k for k in range(same) if old[k] != new[k]), same)
        end = next((k for k in range(same - start) if old[-1 - k] != new[-1 - k]), same - start)
        if len(old) != len(new):
            put = new[start : len(new) - end]
            return {"cut": [start, len(old) - end - start], "put": put}
        pairs = [(str(k), old[k], new[k], True) for k in range(start, len(new) - end)]
    for key, a, b, there in pairs:
        if there and (a is b or a == b):
            continue
        inner = _inside(a, b) if there else None
        if inner is None:
            said.setdefault("set", {})[key] = b
        else:
            said.setdefault("within", {})[key] = inner
    return said


def _inside(old: Any, new: Any) -> dict[str, Any] | None:
    """The same of a value; None: it is said anew, as that is shorter, or as keys change places."""
    if isinstance(old, dict) and isinstance(new, dict):
        if [k for k in old if k in new] + [k for k in new if k not in old] != [*new]:
            return None
    elif not (isinstance(old, list | tuple) and isinstance(new, list | tuple)):
        return None
    found = _within(old, new)
    return found if len(to_json(found)) < len(to_json(new)) else None


# ---- reading ------------------------------------------------------------------------------------
def changed(scene: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """The next scene, from the one before and what has changed; both plain data, the first with
    each of its pieces and choices by itself, as `core.scene.unpacked` gives them.

    Errors: BattleboxError, if they do not fit each other.
    """
    try:
        out = {**scene, **{k: said[k] for k in HEAD if k in said}}
        if "choices" in said:
            fresh = {"zones": [], "alike": said.get("alike", []), "choices": said["choices"]}
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
    fresh = unpacked_pieces(said.get("alike", ()), [row for _, row in put])
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
