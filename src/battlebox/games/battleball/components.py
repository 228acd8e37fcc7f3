"""What Battleball is played with: the pieces of a team and, in Team Rule play, the team rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...core.saying import opening
from ...core.scene import Family, Piece
from .saying import DOES, RULES, TONES, base, rolls
from .state import HEAVY, TeamRule
from .team import CODES, PIECES

BOTH = "Both teams have the same eleven. The letter and the shape of the die say which piece it is."
RULE = "Each coach picks one for each half. It holds for that half."


def components(r: Any, o: Any) -> Iterator[Family]:
    """All that is played with."""
    yield Family("The pieces of a team", tuple(_piece(r, letter) for letter in PIECES), BOTH)
    if r.numbers.team_rules:
        rules = [x for x in TeamRule if x != TeamRule.NONE]
        yield Family("Team rules", tuple(map(_rule, rules)), RULE)


def _piece(r: Any, letter: str) -> Piece:
    """BB-3, BB-4: the pieces of one letter."""
    slot, count = CODES.index(f"{letter}1"), PIECES[letter]
    name, does = r.names.roles[slot].name, [rolls(r, slot)]
    if slot == HEAVY:
        does.append("stands on two squares, moves by the higher die, and not at all if both agree")
    if r.numbers.advanced:
        does.append(f"catches a pass over at most {r.numbers.reach[slot]} squares")
    text = "; ".join(does)
    label = f"{name}: {text}"
    return Piece(
        id=f"box:{letter}",
        label=f"{count} {label}" if count > 1 else label,
        kind="pawn",
        code=letter,
        name=name,
        value=base(r, slot),
        text=text,
        tone=TONES[0],
        count=count,
    )


def _rule(rule: TeamRule) -> Piece:
    """BB-165..170: a team rule."""
    name, text = opening(RULES[rule]), DOES[rule]
    return Piece(f"box:{rule.name}", f"{name}: {text}", "token", f"TR{int(rule)}", name, text=text)
