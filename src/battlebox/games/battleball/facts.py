"""Battleball: what scenarios may expect of a state, by key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.checked import checked
from . import halves
from .positions import BOARD, HALVES, SIDES, ball_word, codes, copy_of, legal, place
from .state import AFTER_CELLS, CARNAGE, CELLS, NOWHERE, TEAM, Phase, Status
from .team import code


def items(value: str) -> Sequence[str]:
    """The members of a list: `R1.s2`; `none` is empty."""
    return [] if value in ("none", "-", "") else value.split(".")


class Geometry(dict[str, str]):
    """Facts; those about the board are worked out when they are asked for."""

    def __contains__(self, key: object) -> bool:
        try:
            self[str(key)]
        except KeyError:
            return False
        return True

    def __missing__(self, key: str) -> str:
        try:
            return geometry(key)
        except ValueError:
            raise KeyError(key) from None


def geometry(key: str) -> str:
    """A fact about the board. KeyError if there is none of that name, ValueError for no cell."""
    kind, _, rest = key.partition(".")
    a, _, b = rest.partition("-")
    if kind == "neighbours":
        return ".".join(BOARD.names[c] for c in BOARD.neighbours(BOARD.cell(rest)))
    if kind == "distance":
        return str(BOARD.distance(BOARD.cell(a), BOARD.cell(b)))
    if kind == "ring":
        return str(sum(BOARD.distance(BOARD.cell(a), c) == int(b) for c in range(CELLS)))
    if kind == "stances":
        found = BOARD.neighbours(BOARD.cell(rest))
        return ".".join(BOARD.names[c] for c in found if BOARD.right(c) != NOWHERE)
    raise KeyError(key)


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect of a state, by key."""
    listed = {
        status: codes(s, lambda team, i, x=status: s.status[team, i] == x) for status in Status
    }
    lining = s.phase == Phase.LINEUP
    waiting = [
        code(s.to_act, i)
        for i in range(TEAM)
        if s.status[s.to_act, i] == Status.READY and s.plan[s.to_act, i] == 0
    ]
    tokens = [BOARD.names[c] for c in range(CELLS) if s.square[c] == CARNAGE]
    playing = s.phase not in (Phase.START, Phase.TEAMRULE, Phase.LINEUP, Phase.OVER)
    degrees = [len(BOARD.neighbours(c)) for c in range(CELLS)]
    copy = checked(copy_of(r, s))[0]
    placing = s.phase in (Phase.PLACE, Phase.GIVE, Phase.INCOMPLETE)
    found = Geometry(
        {
            "ball": "none" if placing else ball_word(s),
            "carnage": ".".join(tokens) or "none",
            "locker": ".".join(listed[Status.LOCKER]) or "none",
            "box": ".".join(listed[Status.BOX]) or "none",
            "field": ".".join(listed[Status.FIELD]) or "none",
            "todo": ".".join(waiting) or "none" if lining else "none",
            "ntodo": str(len(waiting)) if lining else "0",
            "score": f"{s.score[0]}-{s.score[1]}",
            "half": HALVES[s.half - 1] if s.half else "none",
            "turn": SIDES[s.turn] if playing else "none",
            "first": SIDES[s.first - 1] if s.first else "none",
            "poss": SIDES[s.possession - 1] if s.possession else "none",
            "halts": str(s.halts),
            "restarts": str(s.restarts),
            "halted": "yes" if halves.is_closed(r.plain().tt[0], copy) else "no",
            "cells": str(CELLS),
            "edges": str(sum(degrees) // 2),
            "degrees": ".".join(str(degrees.count(n)) for n in (6, 5, 4, 3)),
        }
    )
    for team in range(2):
        for slot in range(TEAM):
            found[f"cell.{code(team, slot)}"] = _whereabouts(s, team, slot)
    found.update(_dest_facts(r, s))
    return found


def _whereabouts(s: Any, team: int, slot: int) -> str:
    cell = place(s, team, slot)
    if cell != NOWHERE:
        return BOARD.names[cell]
    return {Status.LOCKER: "locker", Status.BOX: "box"}.get(s.status[team, slot], "off")


def _dest_facts(r: Any, s: Any) -> dict[str, str]:
    """What is known of where the mover may go."""
    if s.phase != Phase.DEST:
        return {"piece": "none", "roll": "none"}
    dest = {a: r.game.notation.word(r, s, a) for a in legal(r, s)}
    actions = [a for a in dest if a < AFTER_CELLS]  # no touchdown
    words = [dest[a] for a in actions]
    picks = [w for w in words if w.endswith("*")]
    numbers = [BOARD.places[a % CELLS][1] for a in actions]
    out = {
        "piece": code(s.turn, s.mover),
        "roll": str(s.steps),
        "dest": ",".join(dest.values()),
        "ndest": str(len(words) - len(picks)),
        "npick": str(len(picks)),
        "pick": ",".join(picks) or "none",
        "maxrow": str(max(numbers, default=0)),
        "minrow": str(min(numbers, default=0)),
    }
    for row in range(1, BOARD.rows + 1):
        out[f"row.{row}"] = (
            ",".join(w for w, n in zip(words, numbers, strict=True) if n == row) or "none"
        )
    return out
