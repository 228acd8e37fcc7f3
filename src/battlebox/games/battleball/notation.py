"""Battleball: actions and random outcomes as words, and all that a game's notation is asked for.

Words: `R1` (choose), `f14` (go there), `f13*` (and have the ball), `TD`, `R1xs1` (tackle), `>S1`
(hand off), `^S1` (pass), `=` (neither), `@f12` (the ball lies there), `low` ... DEVELOPERS.md lists
them all. Positions are in positions.py, what scenarios may expect in facts.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...core.errors import InvalidWord
from ...core.rules import move_of
from . import ball, halves, moving, rules, tackling
from .facts import facts, items
from .positions import BOARD, SIDES, players, read, write
from .state import AFTER_CELLS, CELLS, Phase, Why
from .team import code, piece_of

__all__ = ["action", "argument", "facts", "items", "outcome", "players", "read", "word", "write"]

LINE_UP, PRESET = move_of(halves.line_up), move_of(halves.line_up_preset)
RANDOM, SELECT = move_of(halves.line_up_random), move_of(moving.select)
SKIP, RUN, SCORE = move_of(moving.skip), move_of(moving.run), move_of(moving.score)
TACKLE, LOW, HIGH = (
    move_of(tackling.tackle),
    move_of(tackling.choose_low),
    move_of(tackling.choose_high),
)
HAND_OFF, PASS, DECLINE = (
    move_of(ball.hand_off),
    move_of(ball.pass_ball),
    move_of(ball.decline),
)
GIVE_OWN, GIVE_OTHER = move_of(ball.give_own), move_of(ball.give_other)
RULE, USE = move_of(rules.choose_rule), move_of(moving.use_power)
DECLINE_POWER = move_of(moving.decline_power)

# words of actions without parameters, by phase
BARE: dict[int, dict[str, Any]] = {
    Phase.TEAMRULE: {"none": lambda: RULE.at + 6},
    Phase.LINEUP: {"random": lambda: RANDOM.at},
    Phase.SELECT: {"skip": lambda: SKIP.at},
    Phase.POWER: {"use": lambda: USE.at, "decline": lambda: DECLINE_POWER.at},
    Phase.DEST: {"TD": lambda: SCORE.at},
    Phase.DIE: {"low": lambda: LOW.at, "high": lambda: HIGH.at},
    Phase.OPTION: {"=": lambda: DECLINE.at},
}
EXAMPLES = {
    Phase.TEAMRULE: "TR1 .. TR6 or none",
    Phase.LINEUP: "a cell such as f5, preset:1 or random",
    Phase.SELECT: "a piece such as R1, or skip",
    Phase.POWER: "use or decline",
    Phase.DEST: "a cell such as f14, f14* with the ball, or TD",
    Phase.TACKLE: "two pieces such as R1xs1",
    Phase.DIE: "low or high",
    Phase.OPTION: ">S1, ^S1 or =",
    Phase.PLACE: "@ and a cell, such as @f12",
    Phase.GIVE: "give: and a piece, such as give:S1",
    Phase.INCOMPLETE: "@ and a cell, such as @f12, or give:S1",
}


# ---- actions ------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action of the seat to act."""
    me = s.to_act
    for name, number in BARE.get(s.phase, {}).items():
        if action == number():
            return str(name)
    if action < CELLS:
        at = "@" if s.phase in (Phase.PLACE, Phase.INCOMPLETE) else ""
        return at + BOARD.names[action]
    if action < AFTER_CELLS:
        return BOARD.names[action - CELLS] + "*"
    return _piece_word(me, action)


def _piece_word(me: int, action: int) -> str:
    for mark, mv, team in (
        ("", SELECT, me),
        (">", HAND_OFF, me),
        ("^", PASS, me),
        ("give:", GIVE_OWN, me),
        ("give:", GIVE_OTHER, 1 - me),
    ):
        if 0 <= action - mv.at < mv.count:
            return mark + code(team, action - mv.at)
    if 0 <= action - TACKLE.at < TACKLE.count:
        p, q = TACKLE.values(action)
        return f"{code(me, p)}x{code(1 - me, q)}"
    if 0 <= action - PRESET.at < PRESET.count:
        return f"preset:{action - PRESET.at + 1}"
    return f"TR{action - RULE.at + 1}" if RULE.at <= action < RULE.at + 6 else f"action:{action}"


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
    bare = BARE.get(s.phase, {})
    if word in bare:
        return int(bare[word]())
    reader = READERS.get(s.phase)
    try:
        found = reader(s, word) if reader else None
    except ValueError as e:
        raise InvalidWord(f"{word!r}: {e}") from None
    if found is None:
        wanted = EXAMPLES.get(Phase(s.phase), "nothing")
        raise InvalidWord(f"{word!r} is not an action in {Phase(s.phase).name}: write {wanted}")
    return found


def _mine(s: Any, text: str, team: int) -> int:
    """The slot of a piece that must be of this team."""
    found, slot = piece_of(text)
    if found != team:
        raise ValueError(f"{text} is a piece of {SIDES[found]}, not of {SIDES[team]}")
    return slot


def _read_rule(s: Any, word: str) -> int | None:
    return RULE.at + int(word[2]) - 1 if re.fullmatch(r"TR[1-6]", word) else None


def _read_lineup(s: Any, word: str) -> int | None:
    if re.fullmatch(r"preset:\d{1,2}", word):
        if not 1 <= int(word[7:]) <= PRESET.count:
            raise ValueError(f"presets are 1 .. {PRESET.count}")
        return int(PRESET.at + int(word[7:]) - 1)
    return BOARD.cell(word) if re.fullmatch(r"[a-z]\d+", word) else None


def _read_select(s: Any, word: str) -> int | None:
    if not re.fullmatch(r"[A-Za-z]\d", word):
        return None
    return int(SELECT.at + _mine(s, word, s.to_act))


def _read_dest(s: Any, word: str) -> int | None:
    if not re.fullmatch(r"[a-z]\d+\*?", word):
        return None
    return BOARD.cell(word.rstrip("*")) + (CELLS if word.endswith("*") else 0)


def _read_tackle(s: Any, word: str) -> int | None:
    parts = re.fullmatch(r"([A-Za-z]\d)x([A-Za-z]\d)", word)
    if not parts:
        return None
    mine, theirs = _mine(s, parts[1], s.to_act), _mine(s, parts[2], 1 - s.to_act)
    return int(TACKLE.number(mine, theirs))


def _read_option(s: Any, word: str) -> int | None:
    if not re.fullmatch(r"[>^][A-Za-z]\d", word):
        return None
    mv = HAND_OFF if word[0] == ">" else PASS
    return int(mv.at + _mine(s, word[1:], s.to_act))


def _read_spot(s: Any, word: str) -> int | None:
    return BOARD.cell(word[1:]) if re.fullmatch(r"@[a-z]\d+", word) else None


def _read_gift(s: Any, word: str) -> int | None:
    if not re.fullmatch(r"give:[A-Za-z]\d", word):
        return None
    team, slot = piece_of(word[5:])
    return int((GIVE_OWN if team == s.to_act else GIVE_OTHER).at + slot)


def _read_landing(s: Any, word: str) -> int | None:
    if word.startswith("give:"):
        found = _read_gift(s, word)
        if found is not None and found < GIVE_OTHER.at:
            raise ValueError("say the cell of your piece: that is the interception (BB-152)")
        return found
    return _read_spot(s, word)


READERS: dict[int, Callable[[Any, str], int | None]] = {
    Phase.TEAMRULE: _read_rule,
    Phase.LINEUP: _read_lineup,
    Phase.SELECT: _read_select,
    Phase.DEST: _read_dest,
    Phase.TACKLE: _read_tackle,
    Phase.OPTION: _read_option,
    Phase.PLACE: _read_spot,
    Phase.GIVE: _read_gift,
    Phase.INCOMPLETE: _read_landing,
}


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios."""
    value, team = told.args[name], told.args["seat"]
    if name in ("slot", "to", "target"):
        return code(1 - team if name == "target" else team, value)
    if name == "cell":
        return str(BOARD.names[value])
    if name == "rule":
        return f"TR{value}" if value else "none"
    return Why(value).name if name == "why" else str(value)


def outcome(r: Any, word: str) -> int | list[int]:
    """A random outcome: the face of a die, or the cell of a random lineup."""
    if re.fullmatch(r"\d{1,2}", word):
        return int(word)
    try:
        return BOARD.cell(word)
    except ValueError:
        raise InvalidWord(
            f"{word!r} is not a random outcome: write a die's face, or a cell"
        ) from None
