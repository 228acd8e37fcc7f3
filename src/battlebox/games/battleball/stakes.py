"""Battleball: odds in words and as marks on the field, for the choices of the seat that is asked.

A mark is where it stands, what it says large and what small: `["figure:l1", "62 %", "tie 4 %"]`.
The chances are those of odds.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, cast

from ...core.saying import either, percent
from . import notation, odds
from .ball import higher, pass_bonus
from .field import between, slot_of, team_of
from .moving import leads_with_foot
from .saying import die
from .state import CELLS, NOWHERE, TEAM, Phase
from .team import code
from .ways import contacts

Mark = list[str]
Shares = dict[str, Fraction]


def chances(look: Any) -> dict[str, list[Mark]]:
    """The marks of each choice that has some, by the number of its action."""
    if not look.asked:
        return {}
    marks = {
        Phase.SELECT: _of_pieces,
        Phase.DEST: _of_moves,
        Phase.TACKLE: _of_tackles,
        Phase.OPTION: _of_throws,
    }.get(Phase(look.o.phase))
    found = {str(a): marks(look, a) for a in look.actions} if marks else {}
    return {action: x for action, x in found.items() if x}


def is_hand_off(action: int) -> bool:
    """The action hands the ball off."""
    return notation.HAND_OFF.at <= action < notation.HAND_OFF.at + TEAM


def is_pass(action: int) -> bool:
    """The action passes the ball."""
    return notation.PASS.at <= action < notation.PASS.at + TEAM


# ---- tackles ------------------------------------------------------------------------------------
def of_tackle(look: Any, slot: int, target: int, ran: int | None = None) -> str:
    """ "you win 62 %, lose 34 %, tie 4 %": together all there is; and how likely a fumble is."""
    return _tackle_words(odds.tackle(look.r, look.o, slot, target, ran))


@lru_cache(odds.CACHED)
def _tackle_words(found: odds.Tackle) -> str:
    fumble = f"; fumble {percent(found.fumble)}" if found.fumble else ""
    return f"you {_shares({'win': found.win}, 'lose', {'tie': found.tie})}{fumble}"


def _shares(first: Shares, rest: str, last: Shares) -> str:
    """Chances as "win 62 %, lose 34 %, tie 4 %"; `rest` has what is left, also by rounding."""
    named = [*first.values(), *last.values()]
    left = 1 - sum(round(p, 2) for p in named)
    left = left if left > 0 else 1 - sum(named)
    parts = first | ({rest: left} if sum(named) < 1 else {}) | last
    return ", ".join(f"{what} {percent(p)}" for what, p in parts.items())


Pairs = tuple[tuple[int, int], ...]


def fights(look: Any, cell: int) -> Pairs:
    """(own, other) pieces that may tackle after a move to this cell, by their slots."""
    if cell == NOWHERE or not look.touching >> cell & 1:
        return cast(Pairs, look.contacts)
    mine = contacts(look.t, look.o, int(look.o.mover), cell)
    return (*((p, slot_of(other)) for p, other in mine), *look.contacts)


def steps_of(look: Any, action: int) -> int:
    """How many steps of a move count for what comes after it."""
    found, _ = look.ways
    if leads_with_foot(look.t, look.o):  # AMB-8: the shorter of the two ways, with the ball or not
        same = {action, action % CELLS, action % CELLS + CELLS}
        return min((found[a].steps for a in same if a in found), default=0)
    return found[action].steps if action in found else 0


def after(look: Any, action: int) -> tuple[str, list[Mark]]:
    """The tackle that must follow a move, if there is one, in words and as marks. Many cells lead
    to the same one.
    """
    if not (pairs := fights(look, action % CELLS)):
        return "", []
    ran = steps_of(look, action)
    if (found := look.after.get((pairs, ran))) is None:
        found = look.after[pairs, ran] = _then(look, pairs, ran), _of_fights(look, pairs, ran)
    return cast(tuple[str, list[Mark]], found)


def _then(look: Any, pairs: Pairs, ran: int) -> str:
    us, mover = int(look.o.turn), int(look.o.mover)
    by = sorted({p for p, _ in pairs})
    if len(pairs) == 1:
        (p, q), who = pairs[0], look.short(1 - us, pairs[0][1])
        start = f"tackle {who}" if p == mover else f"{look.short(us, p)} tackles {who}"
        return f"then {start}: {of_tackle(look, p, q, _ran(look, p, ran))}"
    best = _best(look, pairs, ran)
    whom = either([f"{look.short(1 - us, q)} ({percent(w)})" for q, w in sorted(best.items())])
    if by == [mover]:
        return f"then tackle {whom}"
    if len(by) == 1:
        return f"then {look.short(us, by[0])} tackles {whom}"
    return f"then {either([look.short(us, p) for p in by])} tackles {whom}"


def _ran(look: Any, slot: int, steps: int) -> int | None:
    return steps if slot == look.o.mover else None


def _best(look: Any, pairs: Sequence[tuple[int, int]], ran: int) -> dict[int, Fraction]:
    """By the opponent's slot: how likely the best of the tackles wins."""
    best: dict[int, Fraction] = {}
    for p, q in pairs:
        win = odds.tackle(look.r, look.o, p, q, _ran(look, p, ran)).win
        best[q] = max(win, best.get(q, win))
    return best


def _of_moves(look: Any, action: int) -> list[Mark]:
    return [] if action == notation.SCORE.at else after(look, action)[1]


def _of_fights(look: Any, pairs: Pairs, ran: int) -> list[Mark]:
    them = 1 - int(look.o.turn)
    best = {
        q: max(
            (odds.tackle(look.r, look.o, p, x, _ran(look, p, ran)) for p, x in pairs if x == q),
            key=lambda found: found.win,
        )
        for _, q in pairs
    }
    return [_fight(them, q, found) for q, found in sorted(best.items())]


def _of_tackles(look: Any, action: int) -> list[Mark]:
    p, q = notation.TACKLE.values(action)
    return [_fight(1 - int(look.o.turn), q, odds.tackle(look.r, look.o, p, q))]


def _fight(them: int, q: int, found: odds.Tackle) -> Mark:
    return [f"figure:{code(them, q)}", percent(found.win), f"tie {percent(found.tie)}"]


# ---- hand-offs and passes -----------------------------------------------------------------------
def of_hand_off(look: Any, slot: int) -> str:
    """ "safe 95 %, else a fumble"."""
    return f"safe {percent(odds.hand_off(look.r, look.o, slot))}, else a fumble"


def of_pass(look: Any, slot: int) -> str:
    """ "caught 44 %, incomplete 48 %, fumble 8 %"."""
    found = odds.throw(look.r, look.o, slot)
    return _shares({"caught": found.caught}, "incomplete", {"fumble": found.fumble})


def of_dice(look: Any, slot: int) -> str:
    """What a pass to this piece needs: "a d12 + a d6 must reach 8"."""
    us, o = int(look.o.turn), look.o
    far = int(between(look.t, o, us, slot_of(o.holder), us, slot))
    plus = " + 2" if pass_bonus(o) else ""
    return f"{die(look.r, slot)} + a d6{plus} must reach {far}"


def of_catching(look: Any, team: int, slot: int) -> str:
    """What a piece needs to get the ball, while the viewer may hand it off or pass it there."""
    o = look.o
    if not look.asked or o.phase != Phase.OPTION or team != o.turn:
        return ""
    needs = []
    if notation.HAND_OFF.at + slot in look.actions:
        needs.append("a hand-off to it is safe unless the dice are equal")
    if notation.PASS.at + slot in look.actions:
        needs.append(f"to catch a pass {of_dice(look, slot)} with no equal dice")
    return "; ".join(needs)


def _of_throws(look: Any, action: int) -> list[Mark]:
    if is_hand_off(action):
        slot = action - notation.HAND_OFF.at
        return [[_own(look, slot), percent(odds.hand_off(look.r, look.o, slot)), "safe"]]
    if is_pass(action):
        slot = action - notation.PASS.at
        found = odds.throw(look.r, look.o, slot)
        return [[_own(look, slot), percent(found.caught), f"fumble {percent(found.fumble)}"]]
    return []


def _own(look: Any, slot: int) -> str:
    return f"figure:{code(int(look.o.turn), slot)}"


# ---- rolls to move ------------------------------------------------------------------------------
def of_piece(look: Any, slot: int) -> str:
    """What a piece may come to: "55 % to reach the ball, 10 % for a touchdown"."""
    aims = look.aims[slot]
    parts = []
    if aims.ball is not None:
        parts.append(f"{percent(aims.ball)} to reach the ball")
    if aims.carrier is not None:
        who = look.short(team_of(look.o.holder), slot_of(look.o.holder))
        parts.append(f"{percent(aims.carrier)} to reach {who}")
    if aims.home is not None:
        parts.append(f"{percent(aims.home)} for a touchdown")
    return ", ".join(parts)


def _of_pieces(look: Any, action: int) -> list[Mark]:
    if action == notation.SKIP.at:
        return []
    aims, o = look.aims[action - notation.SELECT.at], look.o
    marks: list[Mark] = []
    if aims.ball is not None:
        marks.append(["ball", percent(aims.ball), "reach it"])
    if aims.carrier is not None:
        carrier = code(team_of(o.holder), slot_of(o.holder))
        marks.append([f"figure:{carrier}", percent(aims.carrier), "reach it"])
    if aims.home is not None:
        marks.append([f"end:{1 - int(o.turn)}", percent(aims.home), "touchdown"])
    return marks


def of_new_roll(look: Any) -> str:
    """BB-167: the chance to roll more than now."""
    o = look.o
    more = odds.at_least(look.r, int(o.mover), int(higher(o, 0)) + 1)
    return f"{percent(more)} to roll more"
