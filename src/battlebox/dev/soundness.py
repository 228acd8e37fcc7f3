"""What cannot be in a state: numbers that stand for nothing. It explains errors of its readers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..core.checked import Array
from ..core.codes import code
from ..core.game import Ruleset
from ..core.match import Match
from ..core.places import Place, places_of
from ..core.state import Form
from .faults import placed
from .messages import Fault

MOST = 3  # of the wrong things that are listed


def explained(fault: Fault, m: Match, folder: Path) -> Fault:
    """A fault of what reads the state of this match, with what is wrong in the state; if it has no
    place, with that of the last move.
    """
    wrong = [*wrong_in(m.rules, m.truth[0])]
    if wrong:
        fault.what = f"{', and '.join(wrong[:MOST])}. What reads it says: {fault.what}"
    move = _last_move(m)
    if not fault.where and move:
        fault = placed(fault, move, folder)
        fault.hint = "The error came up after this move, in what battlebox makes of the state."
    return fault


def _last_move(m: Match) -> str:
    """File and line of the move that was made last."""
    if not m.history or m.history[-1][0] is None:
        return ""
    before = next(m.look_back([len(m.history) - 1]))
    phase = int(before.state.phase)
    try:
        number = m.rules.game.notation.action(m.rules, before.state, m.history[-1][1])
    except Exception:  # of the game's notation
        return ""
    return _definition(m.rules.plain().build.move_of(number, phase).where)


def _definition(where: str) -> str:
    """Where a function is defined, after its decorators."""
    path, _, number = where.rpartition(":")
    with contextlib.suppress(OSError, ValueError):
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        for n in range(int(number), len(lines) + 1):
            if lines[n - 1].startswith("def "):
                return f"{path}:{n}"
    return where


def wrong_in(rules: Ruleset, truth: Array) -> Iterator[str]:
    """What cannot be in a state, in words."""
    phases = rules.game.rules.Phase
    over = int(truth["phase"]) == int(phases.OVER)
    if int(truth["phase"]) not in {int(x) for x in phases}:
        yield f"phase is {truth['phase']}, which is no phase"
    if not over and not 0 <= int(truth["to_act"]) < rules.players:
        yield f"to_act is {truth['to_act']}; the seats are 0 .. {rules.players - 1}"
    for place in places_of(rules.game.rules.State):
        yield from _wrong_in_place(rules, place, truth)


def _wrong_in_place(rules: Ruleset, place: Place, truth: Array) -> Iterator[str]:
    here, form, of = truth[place.name], place.holds.form, place.holds.of
    seats = [(p,) for p in range(rules.players)] if place.holds.each else [()]
    for seat in seats:
        cells = here[seat]
        if form is Form.COUNTS:
            bad = [(k, int(x)) for k, x in enumerate(cells) if x < 0]
            yield from (f"{_cell(place, seat, (k,))} is {x}, less than none" for k, x in bad[:1])
            continue
        filled = np.ndindex(*cells.shape)
        if form is Form.PILE:
            size, room = int(truth[place.size][seat]), len(cells)
            if not 0 <= size <= room:
                yield f"{_named(place.size, seat)} is {size}; {place.name} has room for {room}"
            filled = np.ndindex(min(max(size, 0), room))
        for index in filled:
            value = int(cells[index])
            if form is Form.SLOTS and value == 0:
                continue
            if not _stands(rules, of, value - (form is Form.SLOTS)):
                yield (
                    f"{_cell(place, seat, index)} is {value}, for which there is no {of.__name__}"
                )
                break


def _stands(rules: Ruleset, of: type, value: int) -> bool:
    """Whether a number stands for one of a domain."""
    try:
        return value >= 0 and bool(code(rules, of, value))
    except (ValueError, IndexError):
        return False


def _cell(place: Place, seat: tuple[int, ...], index: tuple[int, ...]) -> str:
    return _named(place.name, (*seat, *index))


def _named(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(map(str, index))}]" if index else name
