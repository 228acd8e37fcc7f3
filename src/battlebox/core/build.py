"""Two builds of one text, side by side in one process.

The game's module as it stands is the plain build: it runs with checked access to the records. The
compiled build copies the marked functions with other globals, so that callees, chance and `tell`
are the compiled ones. From the marks are derived: action numbers, `choices`, `apply`, `redact`,
`clear_scratch`.
"""

from __future__ import annotations

import dis
import hashlib
import itertools
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

from . import contract, drivers, features, places, rules, state
from .checked import Array, checked
from .errors import GameError
from .lint import Function, Text, is_marked
from .parts import (
    HOOKS,
    OPTIONAL,
    check_events,
    check_left_out,
    check_moves,
    check_phases,
    check_readers,
    find_parts,
)
from .rules import Agreement, Move
from .sources import place

DERIVED = (
    *("apply", "choices", "redact", "clear_scratch"),
    *("take_stock", "clear_features", "clear_candidate_features", "encode", "encode_candidate"),
)
#: derived where the game has none
FROM_PLACES = {"census": places.text_of_census, "determinize": places.text_of_determinize}
#: what the derived text calls its own
TAKEN_NAMES = {*DERIVED, *("t", "s", "o", "a", "n", "acts", "seat", "range")}
MOST_ACTIONS = int(np.iinfo(np.int16).max)


# ---- reading a game -----------------------------------------------------------------------------
def marked_functions(*modules: types.ModuleType) -> list[Function]:
    """Every marked function these modules reach, in the order of their texts (imports first)."""
    found: dict[int, Function] = {}

    def visit(names: dict[str, Any]) -> None:
        for f in list(names.values()):
            if is_marked(f) and id(f) not in found:
                found[id(f)] = f
                if f.__globals__ is not names:
                    visit(f.__globals__)

    for module in modules:
        visit(vars(module))
    return list(found.values())


def number_moves(functions: list[Function], phase: type[rules.IntEnum]) -> list[Move]:
    """Gives each move its action numbers; refuses two meanings of one number in one phase.

    Agreements come last: their numbers are beyond those of all actions.
    """
    marks = [(cast(Any, f).battlebox, f) for f in functions]
    found = [(m, f) for m, f in marks if isinstance(m, Move)]
    found.sort(key=lambda x: isinstance(x[0], Agreement))
    moves: list[Move] = []
    free, taken = 0, dict[tuple[int, int], Move]()
    for m, f in found:
        end = m.place(f, free)
        free = max(free, end)
        for key in itertools.product(m.phases, range(m.at, end)):
            if other := taken.get(key):
                names = [p.name for p in phase if p == key[0]] or [str(key[0])]
                raise GameError(
                    f"{m.where}: {m.name}: action {key[1]} means {other.name} in that phase, "
                    f"{names[0]}; leave out at=, or write at={other.at + other.count}"
                )
            taken[key] = m
        moves.append(m)
    for m in moves:
        if isinstance(m, Agreement) and (m.sizes or m.family):
            raise GameError(
                f"{m.where}: {m.name}: an agreement has no parameters, and an @allow of its own"
            )
        if odd := [x for x in m.family if x.phases != m.phases]:
            raise GameError(
                f"{m.where}: {m.name} and {odd[0].name}: moves of one @allow_all belong to the "
                "same phases; write an @allow_all for each of them"
            )
    if free > MOST_ACTIONS:
        raise GameError(
            f"{moves[-1].where}: {free} actions; lists of actions hold numbers up to "
            f"{MOST_ACTIONS}; ask for one parameter after the other, in two phases"
        )
    return moves


def _global_names(f: Function) -> set[str]:
    return {i.argval for i in dis.get_instructions(f) if i.opname == "LOAD_GLOBAL"}


# ---- the text derived from a game ---------------------------------------------------------------
def _phases(moves: list[Move]) -> Iterator[tuple[int, list[Move]]]:
    for phase in sorted({p for m in moves for p in m.phases}):
        yield phase, sorted((m for m in moves if phase in m.phases), key=lambda m: m.at)


def text_of_apply(moves: list[Move]) -> list[str]:
    """`apply`: finds the move by phase and number, and calls it."""
    out = ["def apply(t, s, a):"]
    for phase, here in _phases(moves):
        out.append(f"    if s.phase == {phase}:")
        for m in here:
            args = ["t", "s"]
            for k, (stride, n) in enumerate(zip(m.strides, m.sizes, strict=True)):
                x = f"(a - {m.at})" if m.at else "a"
                x = f"{x} // {stride}" if stride > 1 else x
                args.append(f"{x} % {n}" if k else x)
            end = m.at + m.count
            test = f"{m.at} <= a < {end}" if m.count > 1 else f"a == {m.at}"
            out += [
                f"        if {test}:",
                f"            {m.name}({', '.join(args)})",
                "            return",
            ]
    return [*out, "    return"]


def text_of_choices(moves: list[Move], actions: int) -> list[str]:
    """`choices`: asks each condition of the phase."""
    out = ["def choices(t, s, acts):", "    n = 0"]
    for phase, here in _phases(moves):
        out.append(f"    if s.phase == {phase}:")
        for m in here:
            pad, names = " " * 8, [f"x{i}" for i in range(len(m.sizes))]
            condition = cast(Any, m.allow).__name__ if m.allow else ""
            if m.family:
                if m is m.family[0]:  # the list's length travels in its last place
                    out += [f"{pad}acts[{actions}] = n", f"{pad}{condition}(t, s, acts)"]
                    out += [f"{pad}n = acts[{actions}]"]
                continue
            for x, n in zip(names, m.sizes, strict=True):
                out.append(f"{pad}for {x} in range({n}):")
                pad += "    "
            terms = [f"{k} * {x}" if k > 1 else x for x, k in zip(names, m.strides, strict=True)]
            out.append(f"{pad}acts[n] = {' + '.join([str(m.at), *terms])}")
            # no branch: the action is kept only if n moves on
            ok = f"1 if {condition}({', '.join(['t', 's', *names])}) else 0" if condition else "1"
            out.append(f"{pad}n += {ok}")
    return [*out, "    return n"]


def _blank(path: str, d: np.dtype[Any], pad: str) -> list[str]:
    """Lines that zero one field, whatever is nested in it."""
    if d.subdtype:
        out, index = [], []
        for k, n in enumerate(d.shape):
            out.append(f"{pad}for i{k} in range({n}):")
            index.append(f"i{k}")
            pad += "    "
        return out + _blank(f"{path}[{', '.join(index)}]", d.subdtype[0], pad)
    if d.names:
        return [line for n in d.names for line in _blank(f"{path}.{n}", d[n], pad)]
    return [f"{pad}{path} = 0"]


def _own_row(name: str, d: np.dtype[Any]) -> list[str]:
    """Lines that give the viewer back its own row of a field."""
    out, pad, index = ["    if seat >= 0:"], " " * 8, "seat"
    for k, n in enumerate(d.shape[1:]):
        out.append(f"{pad}for k{k} in range({n}):")
        pad, index = pad + "    ", f"{index}, k{k}"
    return [*out, f"{pad}o.{name}[{index}] = s.{name}[{index}]"]


def text_of_redact(record: type[state.StateRecord], reveal: bool, compiled: bool) -> list[str]:
    """`redact` and `clear_scratch`, from the marks of the fields. `reveal` opens what is closed."""

    def blank(path: str, d: np.dtype[Any]) -> list[str]:
        plain = not compiled and d.subdtype and len(d.shape) <= 2 and not d.subdtype[0].names
        return [f"    {path}.blank()"] if plain else _blank(path, d, "    ")

    out = ["def redact(t, s, o, seat):", "    o.viewer = seat + 1 if seat >= 0 else -1"]
    hidden = {x.name: x for x in places.places_of(record) if x.visibility != "public"}
    for n, visibility in record.visibility.items():
        d = record.layout[n]
        if n in hidden:
            out += places.lines_of_redact(hidden[n])
        elif visibility in ("secret", "scratch"):
            out += blank(f"o.{n}", d)
        elif visibility == "own":
            # all rows, then one back: without a branch in the loop it is quicker
            out += blank(f"o.{n}", d) + _own_row(n, d)
    out += ["    reveal(t, s, o, seat)"] if reveal else []
    out += ["    return", "def clear_scratch(s):"]
    for n, visibility in record.visibility.items():
        if visibility == "scratch":
            out += blank(f"s.{n}", record.layout[n])
    return [*out, "    return"]


def text_of_clear(name: str, record: type[state.Record]) -> list[str]:
    """A rule of this name that blanks a record."""
    blank = [x for n in record.fields for x in _blank(f"f.{n}", record.layout[n], "    ")]
    return [f"def {name}(f):", *blank, "    return"]


# ---- a build ------------------------------------------------------------------------------------
class Build:
    """One game, ready to run: its functions as attributes of `f`, arrays that fit them.

    `compiled` False is the plain build. Both keep their bound drivers, so ask the game for its
    build (`Game.build`) and do not make one for every match.
    """

    def __init__(self, name: str, modules: list[types.ModuleType], *, compiled: bool) -> None:
        self.name, self.compiled = name, compiled
        found = find_parts(name, modules)
        self.state, self.table, phase = found["State"], found["Table"], found["Phase"]
        functions = marked_functions(*modules)
        moves = number_moves(functions, phase)
        self.agreements = [m for m in moves if isinstance(m, Agreement)]
        self.moves = [m for m in moves if not isinstance(m, Agreement)]
        if not self.moves:
            raise GameError(f"{modules[0].__file__}:1: no move; write one under @move(Phase.X)")
        #: the records that its rules `features` and `candidate_features` fill,
        self.features, self.candidate_features = found["Features"], found["CandidateFeatures"]
        #: and the features that policies do without
        self.left_out = frozenset(found.get("LEFT_OUT", ()))
        filled = (self.features, self.candidate_features)
        text = Text(self.state.layout, self.table.layout, {x.__name__: x.layout for x in filled})
        text.read(functions)
        check_phases(phase, moves, text)
        check_moves(moves, text)
        check_readers(found, moves, text)
        check_events(found["Event"], text)
        self.over, self.phases = int(phase.OVER), 1 + max(map(int, phase))
        sources = features.sources_of(self.state, self.features, self.phases)
        check_left_out(self.left_out, [x.name for x in sources], modules)
        self.num_actions = max(m.at + m.count for m in self.moves)
        hooks = {n: found[n] for n in (*HOOKS, *OPTIONAL) if n in found}
        derived_hooks = [n for n in FROM_PLACES if n not in hooks]
        if "determinize" in derived_hooks and places.draw_unseen not in functions:
            functions.append(cast(Function, places.draw_unseen))
        for usual in (
            contract.max_length,
            contract.candidates,
            contract.evaluate,
            contract.ends_search,
            contract.consequences,
            contract.features,
            contract.candidate_features,
        ):
            if hooks.setdefault(usual.__name__, usual) is usual:
                functions.append(cast(Function, usual))
        derived_text = "\n".join(
            text_of_apply(moves)
            + text_of_choices(self.moves, self.num_actions)
            + text_of_redact(self.state, "reveal" in hooks, compiled)
            + places.text_of_take_stock(self.state)
            + text_of_clear("clear_features", self.features)
            + text_of_clear("clear_candidate_features", self.candidate_features)
            + features.text_of_encode(self.state, self.features, self.phases)
            + features.text_of_encode_candidate(self.candidate_features)
            + [x for n in derived_hooks for x in FROM_PLACES[n](self.state)]
        )
        file = f"<{name}: derived>"
        linecache.cache[file] = (len(derived_text), None, derived_text.splitlines(True), file)
        made: dict[str, Any] = {"__name__": modules[0].__name__, **hooks}
        for f in functions:
            if f.__name__ in TAKEN_NAMES:
                raise GameError(
                    f"{place(f)}: {f.__name__} is a name of the derived text; call the rule "
                    f"{f.__name__}_"
                )
            if made.setdefault(f.__name__, f) is not f:
                raise GameError(
                    f"{place(f)}: two rules are called {f.__name__}: the other is at "
                    f"{place(made[f.__name__])}; rename one of them"
                )
        exec(compile(derived_text, file, "exec"), made)
        hooks |= {n: made[n] for n in derived_hooks}
        derived = [rules.rule(made[n]) for n in (*DERIVED, *derived_hooks)]
        self._rules = [*functions, *derived]
        #: what the game supplies, or what is derived in its place: plain functions
        self.hooks = types.SimpleNamespace(**hooks)
        self._swap: dict[int, Callable[..., Any]] = {}  # id of a text's function -> this build's
        self._entries: dict[int, Callable[..., Any]] = {}  # the same for Python, which calls few
        self._found: dict[tuple[int, int], Move] = {}  # by action and phase
        self._kept: list[Any] = [made]  # what _swap names by id must live on
        if compiled:
            from . import jit

            self._swap |= jit.CHANCE
            self._rebind(self._rules, entry=False)
        for n, hook in hooks.items():
            if n != "reveal":  # which the derived redact calls
                self._stand_in(getattr(contract, n), hook)
        for n in DERIVED:
            self._stand_in(getattr(contract, n), made[n])
        self.f = types.SimpleNamespace(**self.bind(drivers))

    def _stand_in(self, stub: Any, f: Any) -> None:
        self._swap[id(stub)] = self._swap.get(id(f), f)

    def _rebind(self, functions: list[Function], *, entry: bool) -> list[Any]:
        """Copies of these functions (same code, file and lines) whose callees are this build's.

        `entry`: Python calls them, and no other function does. The copies bear the game's name:
        Numba calls machine code by the names of function and argument types and a number that each
        process counts anew, so that of two games, one or both from the cache, the one would call a
        function of the other.
        """
        if self.compiled:
            from . import jit
        copies = []
        for f in functions:
            g = Function(f.__code__, dict(f.__globals__), f.__name__, f.__defaults__, f.__closure__)
            g.__qualname__ = f.__qualname__
            if self.compiled:
                g.__qualname__ += f"<{jit.MARK}{self.name}>"
            g.__doc__, g.__module__ = f.__doc__, f.__module__
            g.__dict__.update(f.__dict__)
            copies.append(g)
        made: list[Any] = list(copies)
        if self.compiled:
            stamp = f"{self.name}-{self.stamp(functions)}"
            made = [jit.entry(g, stamp) if entry else jit.inner(g) for g in copies]
        if not entry:
            self._swap.update(zip(map(id, functions), made, strict=True))
        self._kept += [functions, made]
        for g in copies:
            names = g.__globals__
            for k, v in list(names.items()):
                if isinstance(v, Function) and id(v) in self._swap:
                    names[k] = self._swap[id(v)]
            if "ACTIONS" in names:
                names["ACTIONS"] = self.num_actions
        return made

    def bind(self, module: types.ModuleType) -> dict[str, Any]:
        """The drivers of a module, running on this game: name -> function.

        What one of them calls of the others is compiled into it. Machine code of its own gets only
        what Python calls: each has all the rules in it.
        """
        functions = marked_functions(module)
        if new := [f for f in functions if id(f) not in self._swap]:
            inner = self._rebind(new, entry=False)
            entries = self._rebind(new, entry=True) if self.compiled else inner
            self._entries.update(zip(map(id, new), entries, strict=True))
        return {f.__name__: self._entries[id(f)] for f in functions if id(f) in self._entries}

    def stamp(self, functions: list[Function]) -> str:
        """Changes with all that could change the machine code of these functions.

        That is their own code and that of whatever they reach, the constants it reads, the shapes
        of the records, the versions. (Numba's own cache looks at one file only: it misses an edit
        in a called function.)
        """
        from . import jit

        records = self.state, self.table, self.features, self.candidate_features
        shapes = [(x.layout.descr, x.layout.itemsize) for x in records]
        parts = [sys.version, np.__version__, Path(jit.__file__).read_text("utf-8"), repr(shapes)]
        parts += sorted(map(_text_of, _reached([*self._rules, *functions])))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]

    # ---- arrays that fit; access to them ----
    def access(self, a: Array) -> Any:
        """The array as this build's functions take it."""
        return a if self.compiled else checked(a)

    def states(self, n: int = 1) -> Array:
        return np.zeros(n, self.state.layout)

    def action_buffer(self) -> Array:
        """Room for every action, and one place for the length."""
        return np.zeros(self.num_actions + 1, np.int16)

    def agreeable(self, t: Any, s: Any) -> dict[str, int]:
        """What all seats may agree on in this state (of the plain build): words and numbers."""
        return {
            m.words: m.at
            for m in self.agreements
            if s.phase in m.phases and (m.allow is None or m.allow(t, s))
        }

    def move_of(self, action: int, phase: int) -> Move:
        """The move an action number belongs to in a phase."""
        if (found := self._found.get((action, phase))) is not None:
            return found
        for m in self.moves:
            if phase in m.phases and 0 <= action - m.at < m.count:
                self._found[action, phase] = m
                return m
        raise KeyError(f"action {action} has no meaning in phase {phase}")


def _callees(f: Function) -> list[Function]:
    found = [f.__globals__.get(n) for n in sorted(_global_names(f))]
    return [g for g in found if isinstance(g, Function) and is_marked(g)]


def _reached(functions: list[Function]) -> list[Function]:
    """These functions and all marked ones that they call, directly or not."""
    found = dict.fromkeys(functions)
    todo = list(functions)
    while todo:
        for g in _callees(todo.pop()):
            if g not in found:
                found[g] = None
                todo.append(g)
    return list(found)


def _text_of(f: Function) -> str:
    """What a function does: its code, without its docstring, and the constants that it reads."""
    code = f.__code__
    constants = [c for c in code.co_consts if c != f.__doc__]
    read = [(n, _constant(f.__globals__.get(n))) for n in sorted(_global_names(f))]
    does = (code.co_code, code.co_names, code.co_varnames, constants, f.__defaults__)
    return repr((f.__qualname__, *does, read))


def _constant(v: Any) -> Any:
    if isinstance(v, type) and issubclass(v, rules.IntEnum):
        return [(name, int(member)) for name, member in v.__members__.items()]
    return v.__name__ if isinstance(v, type | Function | types.ModuleType) else repr(v)
