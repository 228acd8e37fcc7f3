"""What a game must have: its hooks, phases, moves, events, sentences and rule ids.

`Build` and `Game.build` ask for it before anything runs. Each error names file and line, and says
what to write.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from .drawing import DefaultScene
from .errors import GameError
from .lint import Function, Text, is_marked, many
from .perspective import Perspective
from .rules import Agreement, Events, IntEnum, Move, Telling
from .saying import Consequences, Saying
from .scene import rule_ids
from .sources import nearest, place, place_of
from .state import NoFeatures, NoNumbers, Record, StateRecord

LAST_PHASE = 127  # what `StateRecord.phase` holds
#: what every game has, and what some have: its parameters, what it gives, what it is for
HOOKS = {
    "advance": ("t: Table, s: State", "None", "which runs on to the first decision"),
    "returns": ("t: Table, s: State, out: Row", "None", "which says what each seat gets, -1 .. 1"),
}
OPTIONAL = {
    "max_length": ("t: Table, seats: int", "int"),
    "census": ("s: State, count: Row", "None"),
    "determinize": ("t: Table, o: State", "None"),
    "reveal": ("t: Table, s: State, o: State, seat: int", "None"),
    "candidates": ("t: Table, s: State, acts: Row, n: int, visits: int", "int"),
    "evaluate": ("t: Table, s: State, out: Row", "bool"),
    "ends_search": ("t: Table, s: State", "bool"),
    "consequences": ("t: Table, s: State, seat: int, out: Row", "bool"),
    "features": ("t: Table, s: State, me: int, f: Features", "None"),
    "candidate_features": ("t: Table, s: State, a: int, k: int, c: CandidateFeatures", "None"),
}
LOOKS = (Perspective.__module__, DefaultScene.__module__)  # where the scenes of any game are
BY_PLACE = inspect.Parameter.POSITIONAL_OR_KEYWORD
READERS = (
    *("returns", "max_length", "census", "reveal"),
    *("candidates", "evaluate", "ends_search", "consequences", "features"),
    "candidate_features",
)
CLASSES = {
    "State": (StateRecord, "class State(StateRecord), whose fields are marked: public(n8()) ..."),
    "Table": (Record, "class Table(Record), whose fields are the numbers of the rules: n8() ..."),
    "Phase": (IntEnum, "class Phase(IntEnum), whose members are 0 (before the match) ... and OVER"),
    "Features": (Record, "class Features(Record), whose fields say what they mean: n8(of=Card)"),
    "CandidateFeatures": (Record, "class CandidateFeatures(Record), as Features"),
    "Event": (Events, 'class Event(Events), whose members are event("seat", ...)'),
}


#: records that follow from a state, and the rules that fill them
FILLED = {"Features": "features", "CandidateFeatures": "candidate_features"}


def find_parts(name: str, modules: list[types.ModuleType]) -> dict[str, Any]:
    """The classes and hooks of a game by name.

    Errors: GameError for one that is missing or is not what it should be.
    """
    found = {
        n: getattr(m, n)
        for m in modules
        for n in (*CLASSES, *HOOKS, *OPTIONAL, "LEFT_OUT")
        if hasattr(m, n)
    }
    home = modules[0].__file__ or name
    for record, fill in FILLED.items():
        if (record in found) != (fill in found):
            there, lacks = (record, fill) if record in found else (fill, record)
            how = CLASSES[record][1] if lacks == record else f"@rule def {fill}"
            raise GameError(f"{home}:1: {there} without {lacks}; write {how}")
        found.setdefault(record, NoFeatures)
    found.setdefault("Table", NoNumbers)
    for n, (base, write) in CLASSES.items():
        if n not in found:
            raise GameError(f"{home}:1: no {n}; write {write}")
        if not (isinstance(found[n], type) and issubclass(found[n], base)):
            where = place_of(found[n]) if isinstance(found[n], type) else f"{home}:1"
            raise GameError(f"{where}: {n} is no {base.__name__}; write {write}")
    for n, (parameters, gives, *what) in (HOOKS | OPTIONAL).items():
        write = f"@rule def {n}({parameters}) -> {gives}"
        if n not in found:
            if what:
                raise GameError(f"{home}:1: no {n}, {what[0]}; write {write}")
            continue
        f = found[n]
        if not isinstance(f, Function):
            raise GameError(f"{home}:1: {n} is no function; write {write}")
        if not is_marked(f):
            raise GameError(f"{place(f)}: {n} lacks @rule; write {write}")
        wanted = re.findall(r"(\w+):", parameters)
        if (given := f.__code__.co_argcount) != len(wanted):
            raise GameError(f"{place(f)}: {n} has {many(given, 'parameter')}; write {write}")
    return found


def check_phases(phase: type[IntEnum], moves: Iterable[Move], text: Text) -> None:
    """Every phase is played in, or passed through; no move belongs to another.

    Errors: GameError.
    """
    over = phase.__members__.get("OVER")
    if over is None:
        raise GameError(f"{place_of(phase)}: Phase has no OVER; write OVER as its last member")
    if over == 0:
        raise GameError(
            f"{place_of(phase, 'OVER')}: Phase.OVER is 0, which is before the match; "
            "write another phase in front of it"
        )
    known, played = {int(p) for p in phase}, set[int]()
    for m in moves:
        for p in m.phases:
            if p not in known:
                raise GameError(f"{m.where}: {m.name}: Phase has no {p}; write @move(Phase.X)")
            if p == over:
                raise GameError(
                    f"{m.where}: {m.name}: nobody moves in OVER; name the phase that asks for it"
                )
        played |= {*m.phases}
    for p in phase:
        if not 0 <= p <= LAST_PHASE:
            raise GameError(
                f"{place_of(phase, p.name)}: Phase.{p.name} is {int(p)}; number phases from 0 to "
                f"{LAST_PHASE}"
            )
        if p != 0 and text.whole and (phase, p.name) not in text.named:
            what = (
                "no rule names it"
                if p in played or p == over
                else "it has no move, and no rule names it"
            )
            raise GameError(
                f"{place_of(phase, p.name)}: Phase.{p.name}: {what}; write "
                f"s.phase = Phase.{p.name} where it begins, or leave the phase out"
            )


def check_moves(moves: Iterable[Move], text: Text) -> None:
    """Every move has a condition, of its own parameters, or says that it needs none.

    Errors: GameError.
    """
    for m in moves:
        kind = "agreement" if isinstance(m, Agreement) else "move"
        if m.allow is None:
            if m.always:
                continue
            cure = f"write it under @allow({m.name})"
            if kind == "move":
                cure += ", or say @move(..., always=True) if its phase is all that it needs"
            raise GameError(f"{m.where}: {m.name} has no condition; {cure}")
        f = cast(Function, m.allow)
        code, name = f.__code__, f.__name__
        given = [*code.co_varnames[: code.co_argcount]]
        if m.always:
            raise GameError(
                f"{m.where}: {m.name} is allowed always, and has a condition, "
                f"{name}; leave out one of them"
            )
        if m.family:
            if len(given) != 3:
                raise GameError(
                    f"{place(f)}: {name} takes ({', '.join(given)}), and is an @allow_all; "
                    f"write def {name}(t, s, can)"
                )
            if text.whole and m not in text.offered:
                raise GameError(
                    f"{place(f)}: {name} never offers {m.name}; write "
                    f"offer({', '.join(['can', m.name, *m.parameters])}), or leave it out of "
                    "@allow_all"
                )
        elif given[2:] != m.parameters or len(given) < 2:
            wanted = ", ".join(["t", "s", *m.parameters])
            raise GameError(
                f"{place(f)}: {name} takes ({', '.join(given)}), and {m.name} takes ({wanted}); "
                f"write def {name}({wanted})"
            )


def check_readers(found: Mapping[str, Any], moves: Iterable[Move], text: Text) -> None:
    """Conditions, and the hooks that say something of a state, change nothing but scratch fields;
    they draw and tell nothing.

    Errors: GameError.
    """
    looks = {m.allow: f"the condition of {m.name}" for m in moves if m.allow}
    looks |= {found[n]: f"the hook {n}" for n in READERS if n in found}
    visibility = found["State"].visibility
    for f, what in looks.items():
        for g in text.reached(cast(Function, f)):
            for field, where in text.stores.get(g, {}).items():
                if visibility.get(field[2:]) != "scratch" and (f, field[0]) != (
                    found.get("reveal"),
                    "o",
                ):
                    raise GameError(
                        f"{where}: it changes {field}, and is part of {what}, which only looks; "
                        "use a variable, or a field that is marked scratch(...)"
                    )
            if where := text.chance.get(g, ""):
                raise GameError(
                    f"{where}: it draws or tells, and is part of {what}, which only looks; "
                    "do that in the move"
                )


def check_events(event: type[Events], text: Text) -> None:
    """Every event is declared, and told somewhere.

    Errors: GameError.
    """
    for e in event:
        if not isinstance(e.telling, Telling):
            write = f'{e.name} = event("seat", ...)'
            raise GameError(f"{place_of(event, e.name)}: Event.{e.name} is no event; write {write}")
        if text.whole and e not in text.told:
            write = ", ".join(["s", f"Event.{e.name}", *e.telling.names])
            raise GameError(
                f"{place_of(event, e.name)}: Event.{e.name} is never told; write tell({write}) "
                "where it happens, or leave it out"
            )


# ---- what is beside the rules -------------------------------------------------------------------
def check_look(moves: Iterable[Move], scenes: Any) -> None:
    """The methods that a scene.py replaces take what they are given. Where it calls each choice by
    a method of its own, every move has one.

    Errors: GameError.
    """
    look = getattr(getattr(scenes, "default", scenes), "look", None)
    if look is None:
        return
    base = next(x for x in look.__mro__ if x.__module__ in LOOKS)
    for name in dir(base):
        usual = getattr(base, name)
        if isinstance(usual, Function) and getattr(look, name) is not usual:
            wanted = inspect.signature(usual)
            text = str(wanted.replace(return_annotation=wanted.empty)).replace("'", "")
            write = f"{text} -> {wanted.return_annotation}, or call it something else"
            _check_method(look, name, wanted.parameters.values(), write)
    for m in moves:
        text = ", ".join(["self", *(f"{x}: int" for x in m.parameters)])
        if hasattr(look, f"do_{m.name}"):
            given = [inspect.Parameter(x, BY_PLACE) for x in ("self", *m.parameters)]
            _check_method(look, f"do_{m.name}", given, f"({text}) -> Said")
        elif look.choices is Perspective.choices:
            raise GameError(
                f"{place_of(look)}: nothing says what {m.name} does; write "
                f"def do_{m.name}({text}) -> Said in {look.__name__}"
            )


def _check_method(look: type, name: str, given: Iterable[inspect.Parameter], write: str) -> None:
    """A method can be called with such arguments; so can one that all games have."""
    method, kinds = getattr(look, name), {x.name: x.kind for x in given}
    by_name = [x for x, kind in kinds.items() if kind is inspect.Parameter.KEYWORD_ONLY]
    try:
        inspect.signature(method).bind(
            *(x for x, kind in kinds.items() if kind is BY_PLACE), **dict.fromkeys(by_name)
        )
    except TypeError:
        where = place(method) if isinstance(method, Function) else place_of(look, name)
        raise GameError(
            f"{where}: {look.__name__}.{name} takes other arguments; write def {name}{write}"
        ) from None


def check_sentences(event: type[Events], scenes: Any) -> None:
    """Where a scene.py speaks with a `Saying`, that has a sentence for every event.

    Errors: GameError.
    """
    names = dict(getattr(getattr(scenes, "say", None), "__globals__", {}))
    if says := getattr(getattr(scenes, "default", scenes), "saying", None):
        names[""] = says
    for cls in names.values():
        if not (isinstance(cls, type) and issubclass(cls, Saying)) or cls is Saying:
            continue
        if cls.text is Saying.text:  # or else it has words for all of them
            for e in event:
                if not hasattr(cls, e.name.lower()):
                    raise GameError(
                        f"{place_of(cls)}: no sentence says Event.{e.name}; write "
                        f"def {e.name.lower()}(self) -> str in {cls.__name__}"
                    )


def check_seats(state: type[StateRecord], options: Any) -> None:
    """Every own(...) field has a row for each seat.

    options: the class of the game's options, whose `players` says how many there may be.
    Errors: GameError.
    """
    about = options.model_fields.get("players")
    most = max((x for m in getattr(about, "metadata", ()) if (x := getattr(m, "le", 0))), default=0)
    for name, visibility in state.visibility.items():
        shape = state.layout[name].shape
        if visibility == "own" and shape[0] < most:
            raise GameError(
                f"{place_of(state, name)}: {state.__name__}.{name} has {shape[0]} rows, and up to "
                f"{most} may play; write a row for each seat, such as own(n8(SEATS)), "
                f"SEATS = {most}"
            )


def check_ids(functions: Iterable[Function], folder: Path, rulebook: Mapping[str, str]) -> None:
    """What the docstrings of rules name stands in README.md.

    Errors: GameError for a rule that does not.
    """
    kinds = {id.rstrip("0123456789") for id in rulebook}
    for f in functions:
        for id in rule_ids(f.__doc__ or ""):
            kind = id.rstrip("0123456789")
            if id not in rulebook and (kind in kinds or re.fullmatch(r"[A-Z]{2,3}-", kind)):
                raise GameError(
                    f"{place(f)}: {f.__name__}: there is no rule {id} in {folder / 'README.md'}; "
                    f'write it there as a line "- **{id}** ...", or name another'
                )


def check_left_out(
    left_out: Iterable[str], names: Iterable[str], modules: Iterable[types.ModuleType]
) -> None:
    """What policies do without are features of the game. Errors: GameError."""
    if wrong := sorted({*left_out} - {*names}):
        file = next(m.__file__ for m in modules if hasattr(m, "LEFT_OUT"))
        raise GameError(
            f"{file}:1: LEFT_OUT names {wrong[0]}, which is no feature{nearest(wrong[0], names)}"
        )


def check_consequences(insight: types.ModuleType | None) -> None:
    """An insight.py that counts what choices lead to has words for it, and the other way round.

    Errors: GameError.
    """
    words, count = getattr(insight, "CONSEQUENCES", None), getattr(insight, "consequences", None)
    if words is None and count is None:
        return
    where = place(count) if isinstance(count, Function) else f"{getattr(insight, '__file__', '')}:1"
    if not isinstance(words, Consequences) or not words.each:
        raise GameError(
            f"{where}: nothing says what consequences counts; write "
            'CONSEQUENCES = Consequences("at the end of the turn", (Consequence(...), ...))'
        )
    if count is None:
        raise GameError(
            f"{where}: nothing counts the CONSEQUENCES; write "
            f"@rule def consequences({OPTIONAL['consequences'][0]}) -> bool"
        )


def check_readme(folder: Path) -> None:
    """The folder has its README.md.

    Errors: GameError.
    """
    if not (folder / "README.md").is_file():
        raise GameError(
            f"{folder / 'README.md'}:1: the file is missing; it says the rules, each as a line "
            '"- **ID** ..." (or that there are none)'
        )
