"""Scenes as what has changed since the one before: written by the server, read by clients.

Head fields that differ are said anew, and so are all choices, refusals and placements where one of
them differs. Zones are listed in their order: by id where they are as before; in part where the
same zone has other pieces or facts; whole where they are new. Of a zone's pieces, those in `gone`
are taken away, then each of `put` is set in at its index, in ascending order: what is in both has
changed.
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
    old, new = before.facts, now.facts
    if facts := {k: v for k, v in new.items() if k not in old or v != old[k]}:
        said["facts"] = facts
    if without := [k for k in old if k not in new]:
        said["without"] = without
    if now.pieces is not before.pieces and now.pieces != before.pieces:
        gone, put = _pieces(before.pieces, now.pieces)
        if 2 * len(put) > len(now.pieces) or not _is_distinct(before.pieces, now.pieces):
            return now.as_json
        if gone:
            said["gone"] = gone
        if put:
            alike, rows = pack_pieces([now.pieces[k] for k in put])
            said["alike"], said["put"] = alike, [list(x) for x in zip(put, rows, strict=True)]
    return to_json(said | {"changed": True})


def _is_distinct(*lists: Sequence[Piece]) -> bool:
    """Whether no two pieces of a list have the same id."""
    return all(len({x.id for x in pieces}) == len(pieces) for pieces in lists)


def _pieces(before: Sequence[Piece], now: Sequence[Piece]) -> tuple[list[str], list[int]]:
    """The ids of pieces that go, and the indexes of those that are set in."""
    old, kept = {x.id: (k, x) for k, x in enumerate(before)}, set[str]()
    put, last = list[int](), -1
    for k, piece in enumerate(now):
        at, was = old.get(piece.id, (-1, None))
        if was is not None and at > last and (was is piece or was == piece):
            last = at
            kept.add(piece.id)
        else:
            put.append(k)
    return [x.id for x in before if x.id not in kept], put


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
    facts = {**zone.get("facts", {}), **said.get("facts", {})}
    for name in said.get("without", ()):
        del facts[name]
    gone, put = set(said.get("gone", ())), said.get("put", ())
    pieces = [x for x in zone.get("pieces", ()) if x["id"] not in gone]
    fresh = unpacked_pieces(said.get("alike", ()), [row for _, row in put])
    for (index, _), piece in zip(put, fresh, strict=True):
        pieces.insert(index, piece)
    return {**zone, "label": said.get("label", zone["label"]), "facts": facts, "pieces": pieces}
