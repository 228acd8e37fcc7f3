"""Games with one mistake each: refused before they run, with file and line, and what to write.

Each is a tiny right game with an edit. That the right ones are taken, other tests show.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import Break
from games import Looks, as_game

from battlebox.core import laws
from battlebox.core.errors import GameError
from battlebox.core.saying import Saying

Edit = tuple[str, str]


class Wrong(NamedTuple):
    """A mistake, and what is said of it."""

    game: str
    edits: list[Edit]
    line: str  # how the line begins at which the error points
    what: str  # what is wrong: names the thing
    write: str  # what to write instead


GO = "    s.at[s.to_act] += steps\n"  # a line of race.go
LAST = "    s.turns += 1\n"  # another one of it
STEP = "STEP = 1\n"
ROLLED = 'ROLLED = event("seat", "face")'
TELL = "tell(s, Event.ROLLED, s.to_act, s.face)"
RUN = "def run(t: Table, s: State, dice: Dice) -> None:"
MAY_RUN = "def may_run(t: Table, s: State, dice: Dice) -> bool:"
ALLOW = "@allow(run)\n"
IMPORT = "from battlebox.core.rules import (\n"


def in_go(text: str, what: str, write: str, line: str = "", *more: Edit) -> Wrong:
    """Statements in race.go. line: where the error is, if not in the first of them."""
    indented = "".join(f"    {x}\n" for x in text.splitlines())
    return Wrong("race", [(GO, GO + indented), *more], line or text.splitlines()[0], what, write)


def before_go(text: str) -> Edit:
    """Something between the rules, in front of `go`."""
    return ("@rule\ndef go(", f"{text}\n\n\n@rule\ndef go(")


def as_all(
    *offers: str, moves: str = "rest, run", head: str = "t: Table, s: State, can: Row"
) -> list[Edit]:
    """The race with one condition for both moves."""
    body = "".join(f"    {x}\n" for x in offers)
    return [
        ("@move(Phase.RUN, always=True)", "@move(Phase.RUN)"),
        (f"{ALLOW}{MAY_RUN}\n", f"@allow_all({moves})\ndef may({head}) -> None:\n"),
        ('    """Two dice only when behind."""\n', f'    """What may be done."""\n{body}'),
        ("    return dice == 0 or s.at[s.to_act] < s.at[1 - s.to_act]\n", ""),
        ("    allow,\n", "    allow,\n    allow_all,\n    offer,\n"),
    ]


def kind(declaration: str, name: str = "Number") -> list[Edit]:
    """The move `run` of race takes another type; its declaration."""
    return [
        ("class Dice(Domain, n=2):", f"{declaration}\n\n\nclass Dice(Domain, n=2):"),
        (RUN, RUN.replace("Dice", name)),
        (MAY_RUN, MAY_RUN.replace("Dice", name)),
    ]


MOVES = {
    "a parameter without a type": Wrong(
        "race",
        [(RUN, RUN.replace("dice: Dice", "dice"))],
        "@move(Phase.RUN)",
        "run: the parameter `dice` has no type",
        "write `dice: Dice`, after class Dice(Domain, n=6)",
    ),
    "a parameter that is any number": Wrong(
        "race",
        kind("", "int"),
        "@move(Phase.RUN)",
        "run: the parameter `dice` is int, which does not say how many values there are",
        "write `dice: Dice`, after class Dice(Domain, n=6)",
    ),
    "a parameter whose type counts from 1": Wrong(
        "race",
        kind("class Number(IntEnum):\n    ONE = 1\n    TWO = 2"),
        "@move(Phase.RUN)",
        "the parameter `dice`: the members of Number count 1, 2",
        "let them count 0, 1, 2 ...",
    ),
    "a parameter whose type is unknown": Wrong(
        "race",
        kind("", "Number"),
        "@move(Phase.RUN)",
        "run: an annotation is unknown: name 'Number' is not defined",
        "import it, but not under TYPE_CHECKING",
    ),
    "a domain without a number": Wrong(
        "race",
        [("class Dice(Domain, n=2):", "class Dice(Domain):")],
        "class Dice",
        "Dice needs a number of values",
        "write class Dice(Domain, n=6)",
    ),
    "a move without the table": Wrong(
        "race",
        [(RUN, "def run(s: State, dice: Dice) -> None:")],
        "@move(Phase.RUN)",
        "run takes the table and the state first",
        "write def run(t: Table, s: State, dice: Dice)",
    ),
    "a move without a condition": Wrong(
        "race",
        [("@move(Phase.RUN, always=True)", "@move(Phase.RUN)")],
        "@move(Phase.RUN)",
        "rest has no condition",
        "write it under @allow(rest), or say @move(..., always=True) if",
    ),
    "an agreement without a condition": Wrong(
        "sealed",
        [("@allow(call_it_off)\n", "@rule\n")],
        "@agreement(Phase.CHOOSE)",
        "call_it_off has no condition",
        "write it under @allow(call_it_off)",
    ),
    "a condition of a move that is always allowed": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move(Phase.RUN, always=True)\n")],
        "@move(Phase.RUN, always=True)",
        "run is allowed always, and has a condition, may_run",
        "leave out one of them",
    ),
    "two conditions of a move": Wrong(
        "race",
        [before_go(f"{ALLOW}{MAY_RUN.replace('may', 'can')}\n    return True")],
        "@allow(run)",
        "@allow(run): run has a condition, may_run",
        "write one condition for each move",
    ),
    "a condition of something that is no move": Wrong(
        "race",
        [before_go("@allow(bonus)\ndef may_bonus(t: Table, s: State) -> bool:\n    return True")],
        "@allow(bonus)",
        "@allow(bonus): bonus is no move",
        "write @move(Phase.X) before it, or @allow(a_move)",
    ),
    "a condition with other parameters": Wrong(
        "race",
        [
            (MAY_RUN, MAY_RUN.replace("dice: Dice", "die: Dice")),
            ("return dice == 0", "return die == 0"),
        ],
        "@allow(run)",
        "may_run takes (t, s, die), and run takes (t, s, dice)",
        "write def may_run(t, s, dice)",
    ),
    "a condition with fewer parameters": Wrong(
        "race",
        [(MAY_RUN, MAY_RUN.replace(", dice: Dice", "")), ("return dice == 0 or ", "return ")],
        "@allow(run)",
        "may_run takes (t, s), and run takes (t, s, dice)",
        "write def may_run(t, s, dice)",
    ),
    "a condition that returns nothing": Wrong(
        "race",
        [("    return dice == 0 or", "    dice == 0 or")],
        MAY_RUN,
        "may_run: it says `-> bool`, and returns nothing",
        "add a return",
    ),
    "a move without brackets": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move\n")],
        "@move",
        "@move names no phase",
        "write @move(Phase.X)",
    ),
    "a move of a phase that does not exist": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move(7)\n")],
        "@move(7)",
        "run: Phase has no 7",
        "write @move(Phase.X)",
    ),
    "a move when all is over": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move(Phase.OVER)\n")],
        "@move(Phase.OVER)",
        "run: nobody moves in OVER",
        "name the phase that asks for it",
    ),
    "two moves of one number": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move(Phase.RUN, at=0)\n")],
        "@move(Phase.RUN, at=0)",
        "run: action 0 means rest in that phase, RUN",
        "leave out at=, or write at=1",
    ),
    "a move that returns something": Wrong(
        "race",
        [("    go(t, s, s.face + bonus(s.to_act))\n", "    return go(t, s, s.face)\n")],
        "    return go(t, s, s.face)",
        "run: a move returns nothing",
        "it changes the state",
    ),
    "a move with a default": Wrong(
        "race",
        [(RUN, RUN.replace("dice: Dice", "dice: Dice = 1"))],
        RUN.replace("dice: Dice", "dice: Dice = 1"),
        "run: `dice = 1`: parameters have no defaults",
        "give it in each call",
    ),
    "an @allow_all with parameters": Wrong(
        "race",
        as_all(
            "offer(can, rest)", "offer(can, run, 0)", head="t: Table, s: State, can: Row, p: int"
        ),
        "@allow_all(rest, run)",
        "may takes (t, s, can, p)",
        "write def may(t, s, can)",
    ),
    "an @allow_all that offers no such move": Wrong(
        "race",
        as_all("offer(can, rest)"),
        "@allow_all(rest, run)",
        "may never offers run",
        "write offer(can, run, dice)",
    ),
    "an offer without its parameter": Wrong(
        "race",
        as_all("offer(can, rest)", "offer(can, run)"),
        "    offer(can, run)",
        "run is offered with no parameter",
        "write offer(can, run, dice)",
    ),
    "an offer with a parameter too many": Wrong(
        "race",
        as_all("offer(can, rest, 1)", "offer(can, run, 0)"),
        "    offer(can, rest, 1)",
        "rest is offered with 1 parameter",
        "write offer(can, rest)",
    ),
    "an offer of a move of another condition": Wrong(
        "race",
        [
            *as_all("offer(can, rest)", "offer(can, run, 1)", moves="rest"),
            before_go(
                "@allow_all(run)\ndef also(t: Table, s: State, can: Row) -> None:\n"
                "    offer(can, run, 0)"
            ),
        ],
        "    offer(can, run, 1)",
        "may offers run, whose @allow_all is also",
        "name run in the @allow_all of may",
    ),
    "an offer of a move that has no @allow_all": Wrong(
        "race",
        as_all("offer(can, rest)", "offer(can, run, 1)", moves="rest"),
        "    offer(can, run, 1)",
        "run has no @allow_all",
        "name it there: @allow_all(run)",
    ),
    "an offer of no move": Wrong(
        "race",
        as_all("offer(can, rest)", "offer(can, bonus, 1)"),
        "    offer(can, bonus, 1)",
        "bonus is no move",
        "offer(can, a_move, ...)",
    ),
}
EVENTS = {
    "an argument is missing": Wrong(
        "race",
        [(TELL, "tell(s, Event.ROLLED, s.to_act)")],
        "    tell(s, Event.ROLLED",
        "run: Event.ROLLED tells (seat, face), and is given 1 value",
        "write tell(s, Event.ROLLED, seat, face)",
    ),
    "an argument too many": Wrong(
        "race",
        [(TELL, "tell(s, Event.ROLLED, s.to_act, s.face, dice)")],
        "    tell(s, Event.ROLLED",
        "run: Event.ROLLED tells (seat, face), and is given 3 values",
        "write tell(s, Event.ROLLED, seat, face)",
    ),
    "a number in place of an event": Wrong(
        "race",
        [(TELL, "tell(s, 0, s.to_act, s.face)")],
        "    tell(s, 0",
        "run: tell(s, 0, ...)",
        "name the event: Event.X",
    ),
    "an unknown event": Wrong(
        "race",
        [(TELL, "tell(s, Event.ROLED, s.to_act, s.face)")],
        "    tell(s, Event.ROLED",
        "run: Event.ROLED is not a member of Event",
        "did you mean Event.ROLLED?",
    ),
    "a name for an argument": Wrong(
        "race",
        [(TELL, "tell(s, Event.ROLLED, s.to_act, b=s.face)")],
        "    tell(s, Event.ROLLED",
        "run: `b=` in a call of tell",
        "give values by their place",
    ),
    "never told": Wrong(
        "race",
        [(ROLLED, f'{ROLLED}\n    RESTED = event("seat")')],
        "    RESTED",
        "Event.RESTED is never told",
        "write tell(s, Event.RESTED, seat) where it happens",
    ),
    "only a number": Wrong(
        "race",
        [(ROLLED, f"{ROLLED}\n    RESTED = 1")],
        "    RESTED",
        "Event.RESTED is no event",
        'write RESTED = event("seat", ...)',
    ),
    "of no seat": Wrong(
        "race",
        [(ROLLED, 'ROLLED = event("player", "face")')],
        "    ROLLED",
        "event('player', 'face'): its first argument is a seat",
        'write event("seat", ...)',
    ),
    "own is none of its arguments": Wrong(
        "race",
        [(ROLLED, 'ROLLED = event("seat", "face", own=("card",))')],
        "    ROLLED",
        "event('seat', 'face'): own=('card',) is not",
        "own=('face',)",
    ),
    "own is a word": Wrong(
        "race",
        [(ROLLED, 'ROLLED = event("seat", "face", own="face")')],
        "    ROLLED",
        "event('seat', 'face'): own='face' is not",
        "own=('face',)",
    ),
    "alone, and own": Wrong(
        "sealed",
        [
            (
                'DREW = event("seat", "card", alone',
                'DREW = event("seat", "card", own=("card",), alone',
            )
        ],
        "    DREW",
        "event('seat', 'card'): alone=True tells nobody else of it",
        "leave out own=('card',)",
    ),
    "chosen, without anything revealed": Wrong(
        "race",
        [(ROLLED, 'ROLLED = event("seat", "face", chosen=True)')],
        "    ROLLED",
        "event('seat', 'face'): chosen=True is of what it reveals",
        "write reveals=True as well",
    ),
    "two arguments of one name": Wrong(
        "race",
        [(ROLLED, 'ROLLED = event("seat", "face", "face")')],
        "    ROLLED",
        "event('seat', 'face', 'face')",
        "name a seat and up to three more, each differently",
    ),
}
PARTS = {
    f"no {hook}": Wrong(
        "race",
        [(f"def {hook}(", f"def no_{hook}(")],
        '"""',
        f"no {hook}",
        f"write @rule def {hook}({head}",
    )
    for hook, head in {
        "advance": "t: Table, s: State) -> None",
        "returns": "t: Table, s: State, out: Row) -> None",
    }.items()
} | {
    "a hook without @rule": Wrong(
        "race",
        [("@rule\ndef returns(", "def returns(")],
        "def returns(",
        "returns lacks @rule",
        "write @rule def returns(t: Table, s: State, out: Row) -> None",
    ),
    "a hook with other parameters": Wrong(
        "race",
        [("def max_length(t: Table, seats: int)", "def max_length(t: Table)")],
        "@rule",
        "max_length has 1 parameter",
        "write @rule def max_length(t: Table, seats: int) -> int",
    ),
    "no table": Wrong(
        "race",
        [("class Table(Record):", "class Numbers(Record):")],
        "@move(Phase.RUN)",
        "run: an annotation is unknown: name 'Table' is not defined",
        "import it",
    ),
    "a state that is no state": Wrong(
        "race",
        [("class State(StateRecord):", "class State(Record):")],
        "class State",
        "State is no StateRecord",
        "write class State(StateRecord)",
    ),
    "no move at all": Wrong(
        "race",
        [
            ("@move(Phase.RUN, always=True)\n", "@rule\n"),
            ("@move(Phase.RUN)\n", "@rule\n"),
            (ALLOW, "@rule\n"),
        ],
        '"""',
        "no move",
        "write one under @move(Phase.X)",
    ),
    "no OVER": Wrong(
        "race",
        [("    OVER = 2\n", "    DONE = 2\n"), ("s.phase = Phase.OVER", "s.phase = Phase.DONE")],
        "class Phase",
        "Phase has no OVER",
        "write OVER as its last member",
    ),
    "a phase without a move": Wrong(
        "race",
        [("    OVER = 2\n", "    OVER = 2\n    BREAK = 3\n")],
        "    BREAK = 3",
        "Phase.BREAK: it has no move, and no rule names it",
        "write s.phase = Phase.BREAK where it begins, or leave the phase out",
    ),
    "a phase that never begins": Wrong(
        "race",
        [
            ("    OVER = 2\n", "    OVER = 2\n    BREAK = 3\n"),
            ("@move(Phase.RUN)\n", "@move(Phase.RUN, Phase.BREAK)\n"),
        ],
        "    BREAK = 3",
        "Phase.BREAK: no rule names it",
        "write s.phase = Phase.BREAK where it begins",
    ),
    "a match that never ends": Wrong(
        "race",
        [("s.phase = Phase.OVER", "s.phase = Phase.START")],
        "    OVER = 2",
        "Phase.OVER: no rule names it",
        "write s.phase = Phase.OVER where it begins",
    ),
    "a phase of a number that does not fit": Wrong(
        "race",
        [("    OVER = 2\n", "    OVER = 200\n")],
        "    OVER = 200",
        "Phase.OVER is 200",
        "number phases from 0 to 127",
    ),
    "OVER before the match": Wrong(
        "race",
        [("    START = 0\n", "    OVER = 0\n"), ("    OVER = 2\n", "    START = 2\n")],
        "    OVER = 0",
        "Phase.OVER is 0, which is before the match",
        "write another phase in front of it",
    ),
    "a rule with a mark too many": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@rule\n@move(Phase.RUN)\n")],
        "@rule",
        "run is marked twice",
        "leave @rule out",
    ),
    "two marks of a move": Wrong(
        "race",
        [("@move(Phase.RUN)\n", "@move(Phase.RUN)\n@move(Phase.START)\n")],
        "@move(Phase.RUN)",
        "run is marked twice",
        "name all its phases in one @move",
    ),
    "a rule that is called as the derived ones": Wrong(
        "race",
        [before_go("@rule\ndef apply(t: Table, s: State) -> None:\n    pass")],
        "@rule",
        "apply is a name of the derived text",
        "call the rule apply_",
    ),
    "a field of every state": Wrong(
        "race",
        [("face = public(n8())", "face = public(n8())\n    seats = public(n8())")],
        "    seats = public(n8())",
        "State.seats is in every state already",
        "give the field another name",
    ),
    "a field of three sizes": Wrong(
        "race",
        [("at = public(n16(2))", "at = public(n16(2, 2, 2))")],
        "    at = public(n16(2, 2, 2))",
        "State.at has 3 sizes",
        "write two at most",
    ),
    "a field whose name begins with an underscore": Wrong(
        "race",
        [("face = public(n8())", "face = public(n8())\n    _seen = public(n8())")],
        "    _seen = public(n8())",
        "State._seen begins with an underscore",
        "give the field another name",
    ),
    "a condition that changes something": Wrong(
        "race",
        [("    return dice == 0 or", "    s.face = 0\n    return dice == 0 or")],
        "    s.face = 0",
        "may_run: it changes s.face, and is part of the condition of run",
        "a field that is marked scratch(...)",
    ),
    "a rule of a condition that rolls": Wrong(
        "race",
        [
            ("    return dice == 0 or", "    return lucky(t, s) or"),
            before_go(
                "@rule\ndef lucky(t: Table, s: State) -> bool:\n    return roll(s, t.sides) == 6"
            ),
        ],
        "    return roll(s, t.sides) == 6",
        "lucky: it draws or tells, and is part of the condition of run",
        "do that in the move",
    ),
    "a hook that changes something": Wrong(
        "race",
        [
            (
                "    for p in range(2):\n        out",
                "    s.turns += 1\n    for p in range(2):\n        out",
            )
        ],
        "    s.turns += 1",
        "returns: it changes s.turns, and is part of the hook returns",
        "use a variable",
    ),
    "a field without a mark": Wrong(
        "race",
        [("face = public(n8())", "face = n8()")],
        "    face = n8()",
        "State.face carries no mark",
        "say public(...), own(...), secret(...) or scratch(...)",
    ),
    "a field without brackets": Wrong(
        "race",
        [("face = public(n8())", "face = n8")],
        "    face = n8",
        "State.face is a kind of number",
        "write it with brackets: n8()",
    ),
    "a mark of a kind of number": Wrong(
        "race",
        [("face = public(n8())", "face = public(n8)")],
        "    face = public(n8)",
        "public(...) marks a field, not a kind of number",
        "write public(n8())",
    ),
    "own cells without seats": Wrong(
        "sealed",
        [("hand = own(n8(2, KINDS))", "hand = own(n8())")],
        "    hand = own(n8())",
        "own(...) has a row for each seat",
        "write own(n8(SEATS))",
    ),
    "an own row for some seats only": Wrong(
        "window",
        [("declined = own(n8(SEATS))", "declined = own(n8(4))")],
        "    declined = own(n8(4))",
        "State.declined has 4 rows, and up to 10 may play",
        "own(n8(SEATS)), SEATS = 10",
    ),
    "two rules of one name": Wrong(
        "race",
        [
            ("def bonus(seat: int) -> int:", "def go(seat: int) -> int:"),
            ("from .race_parts import bonus\n", "from .race_parts import go as bonus\n"),
        ],
        "@rule",
        "two rules are called go",
        "rename one of them",
    ),
}
RULES = {
    "an unknown field": in_go(
        "s.turn += 1", "go: s.turn is not a field of the state", "did you mean s.turns?"
    ),
    "an unknown field of the table": in_go(
        "s.turns += t.gaol", "go: t.gaol is not a field of the table", "did you mean t.goal?"
    ),
    "an unknown field of a row of records": Wrong(
        "race",
        [
            (
                "class Table(Record):",
                "class Die(Record):\n    sides = n8()\n\n\nclass Table(Record):",
            ),
            (
                "    sides = n8()\n\n\nclass State",
                "    sides = n8()\n    dice = rows(Die, 2)\n\n\nclass State",
            ),
            ("    roll,\n", "    roll,\n    rows,\n"),
            (GO, GO + "    s.turns += t.dice[0].side\n"),
        ],
        "    s.turns += t.dice[0].side",
        "go: t.dice[0].side is not a field",
        "did you mean t.dice[0].sides?",
    ),
    "a store to the table": in_go("t.goal = 3", "go: the table is read-only", "a field of State"),
    "the name of the state for something else": in_go(
        "s = 3", "go: `s` is the state", "give the variable another name"
    ),
    "a store to a whole row": in_go(
        "s.at = steps", "go: s.at has 2 cells", "write each of them, in a loop"
    ),
    "an index that counts from the end": in_go(
        "s.at[-1] += 1", "the index of `s.at[-1]` is negative", "count from 0"
    ),
    "a negative constant as an index": in_go(
        "s.at[NOBODY] += 1",
        "the index of `s.at[NOBODY]` is negative",
        "count from 0",
        "",
        (STEP, f"{STEP}NOBODY = -1\n"),
    ),
    "an index beyond the end": in_go(
        "s.at[2] += 1", "go: s.at has 2 cells", "0 .. 1; there is no 2"
    ),
    "an index of a number": in_go("s.turns[0] += 1", "go: s.turns is one number", "takes no index"),
    "chance to come": in_go(
        "s.turns += s.rng % 2", "go: s.rng is chance to come", "use draw, roll, pick or shuffle"
    ),
    "a slice": in_go(
        "s.at[0:1] = steps", "go: rules take no slices", "write a loop over the cells"
    ),
    "a helper without @rule": in_go(
        "helper(steps)",
        "go: helper lacks @rule",
        "put it in front of `def helper`",
        "",
        before_go("def helper(n: int) -> None:\n    pass"),
    ),
    "a call of itself": in_go(
        "if steps > 9:\n    go(t, s, steps - 1)",
        "rules call themselves: go -> go",
        "write a loop",
        "go(t, s, steps - 1)",
    ),
    "a call with a value too few": in_go(
        "s.turns += bonus()", "go: bonus(seat) is called with no value", "bonus(seat)"
    ),
    "a roll without the state": in_go(
        "s.face = roll(6)", "go: roll(s, sides) is called with 1 value", "roll(s, sides)"
    ),
    "a misspelled rule": in_go(
        "s.turns += bonos(1)", "go: bonos is not defined", "did you mean bonus?"
    ),
    "any()": in_go(
        "if any(s.at[p] > 0 for p in range(2)):\n    return",
        "go: rules do not use any",
        "write a loop",
    ),
    "a list comprehension": in_go(
        "n = len([p for p in range(2)])", "go: rules have no comprehensions", "write a loop"
    ),
    "a list": in_go("n = [1, 2]", "go: rules make no lists", "a scratch field"),
    "a dict": in_go("n = {1: 2}", "go: rules make no lists, dicts", "a scratch field"),
    "a set": in_go("n = {1, 2}", "go: rules make no lists, dicts or sets", "a scratch field"),
    "a lambda": in_go("f = lambda n: n", "go: a function inside a rule", "mark it with @rule"),
    "a rule inside a rule": in_go(
        "def f(n):\n    return n", "go: a function inside a rule", "mark it with @rule"
    ),
    "an f-string": in_go('n = f"{steps}"', "go: rules handle no text", "tell(s, Event.X, ...)"),
    "a text": in_go('n = "steps"', "go: rules handle no text", "tell(s, Event.X, ...)"),
    "print": in_go("print(steps)", "go: rules do not use print", "tell(s, Event.X, ...)"),
    "with": in_go(
        "with open(steps):\n    pass", "go: rules open nothing with `with`", "change the state"
    ),
    "an import": in_go("import math", "go: rules import nothing", "at the top of the file"),
    "global": in_go("global STEP", "go: rules change nothing but the state", "a field of State"),
    "a change of the module": in_go(
        "Phase.RUN = 3", "go: it changes Phase of the module", "a field of State"
    ),
    "a list of the module": in_go(
        "s.turns += WAYS[0]",
        "go: WAYS is a list of the module",
        "in the table",
        "",
        (STEP, f"{STEP}WAYS = [1, 2]\n"),
    ),
    "a change of a list of the module": in_go(
        "WAYS.append(1)",
        "go: WAYS is a list of the module",
        "in the state",
        "",
        (STEP, f"{STEP}WAYS = [1, 2]\n"),
    ),
    "a dict of the module": in_go(
        "s.turns += WAYS[0]",
        "go: WAYS is a dict of the module",
        "in the table",
        "",
        (STEP, f"{STEP}WAYS = {{0: 2}}\n"),
    ),
    "the length of an enum": in_go(
        "s.turns += len(Phase)", "go: the class Phase is no number", "HOW_MANY = len(Phase)"
    ),
    "a number made an enum": in_go(
        "if s.phase == Phase(steps):\n    return",
        "go: Phase(...): a number is enough",
        "leave out Phase",
    ),
    "the size of a domain": in_go("s.turns += Dice.n", "go: Dice.n", "HOW_MANY = Dice.n"),
    "the value of an enum": in_go(
        "s.turns += Phase.RUN.value", "go: Phase.RUN is a number already", "leave out .value"
    ),
    "an unknown phase": in_go(
        "s.phase = Phase.RUNN", "go: Phase.RUNN is not a member of Phase", "did you mean Phase.RUN?"
    ),
    "a module": in_go(
        "s.turns += math.floor(2.5)",
        "go: import from math by name, not the module",
        "by name",
        "",
        (IMPORT, f"import math\n{IMPORT}"),
    ),
    "chance of Python": in_go(
        "s.face = random.randint(1, 6)",
        "go: random is not for rules",
        "draw, roll, pick and shuffle",
        "",
        (IMPORT, f"import random\n{IMPORT}"),
    ),
    "chance of Python by name": in_go(
        "s.face = randint(1, 6)",
        "go: randint is not for rules",
        "draw, roll, pick and shuffle",
        "",
        (IMPORT, f"from random import randint\n{IMPORT}"),
    ),
    "a clock": in_go(
        "s.turns = int(time())",
        "go: time is not for rules",
        "rules read no clock",
        "",
        (IMPORT, f"from time import time\n{IMPORT}"),
    ),
    "a log": in_go(
        "logging.info(steps)",
        "go: logging is not for rules",
        "tell(s, Event.X, ...)",
        "",
        (IMPORT, f"import logging\n{IMPORT}"),
    ),
    "a lambda as a rule": in_go(
        "s.turns += more(steps)",
        "a rule without a name",
        "write @rule and def",
        "more = rule",
        before_go("more = rule(lambda n: n)"),
    ),
    "a rule that waits": in_go(
        "pass",
        "helper: rules wait for nothing",
        "without async",
        "async def helper",
        before_go("@rule\nasync def helper(n: int) -> None:\n    pass"),
    ),
    "a power": in_go(
        "s.turns += steps ** 2", "go: `**` differs between the builds", "a product or a loop"
    ),
    "is": in_go(
        "if steps is STEP:\n    return", "go: numbers are compared with ==", "not with `is`"
    ),
    "None": in_go("n = None", "go: None is no number", "a number of its own"),
    "a number that is too big": in_go(
        "s.turns += 9223372036854775808", "go: 9223372036854775808 is too big", "less than 2**63"
    ),
    "a walrus": in_go(
        "if (n := steps) > 3:\n    return", "go: rules have no `:=`", "in a line of its own"
    ),
    "match": in_go(
        "match steps:\n    case 1:\n        return",
        "go: rules have no `match`",
        "write if and elif",
    ),
    "del": in_go("del steps", "go: rules have no `del`", "let a number say"),
    "an exception": in_go("assert steps > 0", "go: rules never raise", "@allow"),
    "a method": in_go(
        "s.turns += s.at.sum()", "go: `s.at.sum(...)`: rules call functions by name", "no methods"
    ),
    "a comparison in place of a store": in_go(
        "s.turns == 0", "go: `s.turns == 0` does nothing", "with one `=`"
    ),
    "a name for a value": in_go(
        "s.turns += bonus(seat=1)", "go: `seat=` in a call of bonus", "by their place"
    ),
    "a rule that may end without its value": Wrong(
        "race",
        [("    return 2 * t.goal\n", "    if t.goal > 2:\n        return 2 * t.goal\n")],
        "def max_length",
        "max_length: it may end without returning a value",
        "let its last line be a return",
    ),
    "a return without its value": Wrong(
        "race",
        [
            (
                "    return 2 * t.goal\n",
                "    if t.goal < 2:\n        return\n    return 2 * t.goal\n",
            )
        ],
        "        return\n",
        "max_length: `return` without a value",
        "elsewhere returns one",
    ),
    "any number of values": in_go(
        "pass",
        "helper: the parameter `n` takes what it gets",
        "name each parameter",
        "def helper",
        before_go("@rule\ndef helper(*n: int) -> None:\n    pass"),
    ),
    "a variable that may have no value": in_go(
        "if steps > 3:\n    n = 1\ns.turns += n",
        "go: n may have no value here",
        "assign it first",
        "s.turns += n",
    ),
    "a variable of a loop that may not run": in_go(
        "for n in range(steps):\n    s.turns += 1\ns.turns += n",
        "go: n may have no value here",
        "assign it first",
        "s.turns += n",
    ),
}
ALL = {
    f"{what}: {name}": wrong
    for what, found in (("moves", MOVES), ("events", EVENTS), ("parts", PARTS), ("rules", RULES))
    for name, wrong in found.items()
}


def refused(make: Any) -> tuple[str, str]:
    """What is said of a game that cannot be made, and the line that it points at."""
    with pytest.raises(GameError) as e:
        make()
    place = re.match(r"(.+?):(\d+): (.*)", str(e.value))
    assert place, f"no file and line: {e.value}"
    return place[3], Path(place[1]).read_text(encoding="utf-8").splitlines()[int(place[2]) - 1]


@pytest.mark.parametrize("wrong", ALL.values(), ids=ALL)
def test_a_mistake_is_refused_with_its_place_and_its_cure(broken: Break, wrong: Wrong) -> None:
    said, line = refused(lambda: as_game(broken(wrong.game, *wrong.edits)).build(False))
    assert wrong.what in said
    assert wrong.write in said
    assert line.strip().startswith(wrong.line.strip())


# ---- what is right ------------------------------------------------------------------------------
ALL_THAT_BOTH_DO = """
for i, x in enumerate(s.at):
    s.face = max(1, min(x + i, 9))
for x, y in zip(s.at, (3, 4)):
    steps += int(x > 40) + y % 2
while True:
    n = abs(steps - 7) % 5
    break
for _ in range(1, 3):
    k = len(s.at) + sum(s.at) % 3 + max(s.at) % 2
else:
    k += 1
if steps in WAYS and steps not in (1, 2):
    m = WAYS[1] ^ 3
elif steps > 1000 or not n:
    m = 2 if 0 <= k < 3 else -1
else:
    s.turns += k
    m = STEP << 1
a, b = m, ~m
a, b = b, a
c: int = round(abs(a) / 2) + floor(sqrt(float(k))) + int(10 * (tanh(0.5) + hypot(3.0, 4.0)))
s.turns += (abs(b) + c + n + bool(k)) % 3
"""


def right(broken: Break) -> Any:
    """The race with every part of the language that rules are made of."""
    lines = "".join(f"    {x}\n" for x in ALL_THAT_BOTH_DO.strip().splitlines())
    maths = (IMPORT, f"from math import floor, hypot, sqrt, tanh\n\n{IMPORT}")
    return broken("race", (LAST, LAST + lines), (STEP, f"{STEP}WAYS = (2, 5, 7)\n"), maths)


def test_what_rules_are_made_of_is_taken(broken: Break) -> None:
    rules = as_game(right(broken)).ruleset({})
    played = rules.plain().play(20, seed=3)
    assert len({*played.decisions.tolist()}) > 1


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_what_is_taken_does_the_same_in_both_builds(broken: Break) -> None:
    laws.check(as_game(right(broken)).ruleset({}), 5)


# ---- what is beside the rules --------------------------------------------------------------------
def test_a_game_without_a_readme_is_refused(broken: Break) -> None:
    game = as_game(broken("race"))
    (game.folder / "README.md").unlink()
    with pytest.raises(GameError, match=r"README\.md:1: the file is missing; .* a line \"- \*\*ID"):
        game.build(False)


@pytest.mark.parametrize("readme", ["# No ids\n", "- **RC-1** Who is past the goal wins.\n"])
def test_a_docstring_that_names_an_unknown_rule_is_refused(broken: Break, readme: str) -> None:
    game = as_game(broken("race", ('"""So many steps on."""', '"""RC-2: so many steps on."""')))
    (game.folder / "README.md").write_text(readme)
    said, line = refused(lambda: game.build(False))
    assert said.startswith("go: there is no rule RC-2 in ")
    assert 'write it there as a line "- **RC-2** ..."' in said
    assert line == "@rule"


def test_an_event_that_no_sentence_says_is_refused(broken: Break, tmp_path: Path) -> None:
    module = broken(
        "race",
        (ROLLED, f'{ROLLED}\n    RESTED = event("seat")'),
        ("    go(t, s, STEP)\n", "    tell(s, Event.RESTED, s.to_act)\n    go(t, s, STEP)\n"),
    )
    home = Path(module.__file__ or "").parent
    text = (
        "from games import Looks\n"
        "from battlebox.core.saying import Saying\n\n\n"
        "class Sentences(Saying):\n"
        '    def rolled(self):\n        return self.does("roll") + "."\n\n\n'
        "class Scenes(Looks):\n"
        "    def say(self, r, told, viewer, names):\n"
        "        return Sentences(r, told, viewer, names).text()\n"
    )
    (home / "race_scene.py").write_text(text)
    scenes = importlib.import_module(f"{home.name}.race_scene")
    game = as_game(module)
    object.__setattr__(game, "scenes", scenes.Scenes())
    said, line = refused(lambda: game.build(False))
    assert "no sentence says Event.RESTED" in said
    assert "write def rested(self) -> str in Sentences" in said
    assert line == "class Sentences(Saying):"
    assert not isinstance(Looks(), Saying)


def test_a_text_that_was_edited_after_its_import_is_not_judged(broken: Break) -> None:
    """What runs is what was imported."""
    module = broken("race")
    file = Path(module.__file__ or "")
    file.write_text("# a line more\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    as_game(module).build(False)
