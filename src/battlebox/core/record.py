"""Match files, written: readable, and strict. `replay.py` reads them and plays them again.

    battlebox 1
    game war_zone 1
    options players=2 speedy=true
    table 5f0c2b9a11d3e477
    seed 7
    do 0 cBW
    do 0 pass
    end decisions=2 state=90e1... to_act=1:MULL

`options` are those that differ from their defaults. `deck | ...` lines hold a data file that is
not the game's own, `position ...` lines a start that is not the usual one. `agree ...` is what all
seats agreed on. `end` closes every file.

A match with fair chance (fair.py) has `fair COMMITMENT SECRET` in place of the seed, and below the
head and each `do` or `agree` a `chance` line with the outcomes it drew, if there were any:

    fair 31f0...5c 9a77...02
    chance 72!=14,3,60,... 0..3=2
    do 2 pass
    chance 8!=1,0,7,...
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from .fair import Fair, commitment

if TYPE_CHECKING:
    from .match import Match

FORMAT = 1


def write(m: Match) -> str:
    """The record of a match, finished or not."""
    r = m.rules
    out = [f"battlebox {FORMAT}", f"game {r.name} {r.game.version}", f"options {r.options_text}"]
    out += [f"deck | {line}".rstrip() for line in r.text.rstrip().split("\n")] if r.text else []
    out.append(f"table {r.digest}")
    if isinstance(m.chance, Fair):
        out.append(f"fair {commitment(m.chance.secret)} {m.chance.secret.hex()}")
    else:
        out.append(f"seed {m.seed}")
    out += [f"position {line}" for line in (m.position or "").split("\n") if line.strip()]
    first, *others = [" ".join(["chance", *drawn]) if drawn else "" for drawn in m.outcomes]
    out += [first] if first else []
    for (seat, word), chance in zip(m.history, others, strict=True):
        line = f"agree {word}" if seat is None else f"do {seat} {word}"
        out += [line, *([chance] if chance else [])]
    return "\n".join([*out, f"end {ending(m)}"]) + "\n"


def ending(m: Match) -> str:
    """What the `end` line says: where the match stands, and a digest of it."""
    where = "over" if m.over else f"{m.to_act}:{m.phase}"
    # of the position, not of the bytes: a field more in the record is no other match
    now = f"{int(m.state.rng)} {m.write_position()}"
    state = hashlib.sha256(now.encode()).hexdigest()[:16]
    out = f"decisions={len(m.history)} state={state} to_act={where}"
    if m.over:
        out += " returns=" + ",".join(f"{x:g}" for x in m.returns)
    return out
