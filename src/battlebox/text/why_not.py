"""Why a line is none of the choices: in a sentence for who typed it, from what their seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.errors import InvalidWord
from ..core.game import Ruleset
from ..core.rules import Move
from ..core.scene import Scene, rule_ids

MOST = 2  # reasons, and rules, that are told


def why_not(line: str, scene: Scene, rules: Ruleset, o: Any, names: Sequence[str]) -> str:
    """Why a line of which nothing is printed is not possible: it is no word of the game, a word for
    another question, or a move that is not legal now; then also the rules of it.

    scene, o: what the seat to act sees, drawn and as an observation.
    """
    try:
        action = rules.game.notation.action(rules, o, line)
    except InvalidWord as e:
        said = str(e).removeprefix(repr(line))
        said = said[2:] if said.startswith(": ") else f"it{said}" if said[0] == " " else said
        return f"{line!r} is not one of your choices: {said}."
    move = _move(rules, o, action)
    if move is None:
        return f"{line!r} is a move, but not an answer to what you are asked now: {scene.prompt}"
    path = _path(rules, o, action, names)
    there = {z.id for z in scene.zones} | {p.id for z in scene.zones for p in z.pieces}
    found = [x for x in scene.refusals if x.id in path]
    reasons = [x.why for x in found][:MOST]
    if not reasons and path and path[0] not in there:
        reasons = ["You do not have the card or piece for it."]
    ids = dict.fromkeys([*(id for x in found for id in x.rules), *rule_ids(move.doc)])
    told = [f"{id}: {text}" for id in [*ids][:MOST] if (text := rules.game.rulebook.get(id))]
    return " ".join([f"{line!r} is not legal now.", *reasons, *told])


def _move(rules: Ruleset, o: Any, action: int) -> Move | None:
    """The move that an action is in the phase of the observation; None: it is none there."""
    try:
        return rules.plain().build.move_of(action, int(o.phase))
    except KeyError:
        return None


def _path(rules: Ruleset, o: Any, action: int, names: Sequence[str]) -> tuple[str, ...]:
    """The pieces and places that one would tap for an action that is not legal."""
    try:
        return rules.game.scenes.scene(rules, o, (action,), names).choices[0].path
    except (LookupError, ValueError):
        return ()  # scenes need not know how to draw what is not legal
