"""What rules may not do, read from their text before anything runs.

The plain build would take most of it; the compiled build would not, or would make something else of
it in silence. Each error names file and line, the rule, what is wrong and what to write instead.
"""

from __future__ import annotations

import ast
import builtins
import math
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn, cast

import numpy as np

from . import random, rules
from .assigned import first_without_value
from .errors import GameError
from .rules import Events, IntEnum, Move
from .sources import Def, functions_in, nearest, place

Function = types.FunctionType
MOST = 2**63  # numbers of the compiled build are less
#: of Python, and of its `math`: what both builds do alike
BUILTINS = {
    *("abs", "bool", "enumerate", "float", "int", "len", "max", "min", "range", "round", "sum"),
    "zip",
}
MATH = {
    *("acos", "asin", "atan", "atan2", "ceil", "cos", "exp", "expm1", "floor", "hypot", "log"),
    *("log10", "log1p", "sin", "sqrt", "tan", "tanh"),
}
CHANCE: dict[Any, str] = {
    **{random.draw: "s, n", random.roll: "s, sides"},
    **{random.pick: "s, values, n", random.shuffle: "s, cards, n"},
}
#: modules that rules may not have at all, and what they are for here
BANNED = {
    "random": "chance comes from draw, roll, pick and shuffle of battlebox.core.rules",
    "secrets": "chance comes from draw, roll, pick and shuffle of battlebox.core.rules",
    "time": "rules read no clock; count turns in a field of the state",
    "datetime": "rules read no clock; count turns in a field of the state",
    "logging": "say what happens with tell(s, Event.X, ...)",
}
OUR_NAMES = {"t": "table", "s": "state", "o": "observation"}

_COMPREHENSION = "rules have no comprehensions and no generators; write a loop"
_ALLOCATES = "rules make no lists, dicts or sets; keep numbers in a scratch field of the state"
_RAISES = "rules never raise, catch or yield; what cannot be is prevented by @allow"
_TEXT = "rules handle no text; say what happens with tell(s, Event.X, ...)"
_NESTED = "a function inside a rule; put it beside the rule and mark it with @rule"
_IMPORT = "rules import nothing; write the import at the top of the file"
_GLOBAL = "rules change nothing but the state; make it a field of State"
#: parts of Python's grammar that rules do without
REFUSED: dict[type[ast.AST], str] = {
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp), _COMPREHENSION),
    ast.GeneratorExp: _COMPREHENSION,
    **dict.fromkeys((ast.List, ast.Dict, ast.Set), _ALLOCATES),
    **dict.fromkeys((ast.Raise, ast.Try, ast.Yield, ast.YieldFrom, ast.Assert), _RAISES),
    **dict.fromkeys((ast.Await, ast.AsyncFor, ast.AsyncWith), _RAISES),
    **dict.fromkeys((ast.JoinedStr, ast.FormattedValue), _TEXT),
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef), _NESTED),
    **dict.fromkeys((ast.Import, ast.ImportFrom), _IMPORT),
    **dict.fromkeys((ast.Global, ast.Nonlocal), _GLOBAL),
    ast.Starred: "rules unpack nothing with a star; name each value",
    ast.With: "rules open nothing with `with`; they change the state and call other rules",
    ast.Delete: "rules have no `del`; let a number say that something is gone",
    ast.NamedExpr: "rules have no `:=`; assign it in a line of its own",
    ast.Match: "rules have no `match`; write if and elif",
    ast.Slice: "rules take no slices; write a loop over the cells",
}
#: what they are made of
TAKEN = {
    *(ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.Pass),
    *(ast.Break, ast.Continue, ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.Tuple, ast.keyword),
    *(ast.BinOp, ast.Compare, ast.Call, ast.Constant, ast.Attribute, ast.Subscript, ast.Name),
    ast.Expr,
}


def is_marked(f: Any) -> bool:
    """It is a function that carries a mark of `rules`."""
    return isinstance(f, Function) and hasattr(f, "battlebox")


class Text:
    """The text of a game's rules, read function by function: what they call, tell and offer."""

    def __init__(
        self,
        state: np.dtype[Any],
        table: np.dtype[Any],
        others: Mapping[str, np.dtype[Any]] | None = None,
    ) -> None:
        """others: records that some rules fill, by the names of their classes."""
        self.records = {"s": state, "o": state, "t": table}
        self.others = others or {}
        self.whole = True  # all of it was read: no file was edited since it was imported
        self.calls = dict[Function, dict[Function, str]]()  # who calls whom, and where
        self.told = set[Events]()
        self.offered = dict[Move, list[tuple[Function, str]]]()  # where, by which rule
        self.stores = dict[Function, dict[str, str]]()  # which fields a rule changes, and where
        self.chance = dict[Function, str]()  # which rules draw or tell, and where
        self.named = set[tuple[type, str]]()  # the members of enums that rules name

    def read(self, functions: Iterable[Function]) -> None:
        """Reads them all, and what lies between them.

        Errors: GameError for the first thing that rules may not do.
        """
        files = dict[str, dict[int, Def]]()
        for f in functions:
            code = f.__code__
            self.calls[f] = {}
            if f.__name__ == "<lambda>":
                raise GameError(f"{place(f)}: a rule without a name; write @rule and def")
            if code.co_filename not in files:
                files[code.co_filename] = functions_in(code.co_filename, f.__globals__)
            node = files[code.co_filename].get(code.co_firstlineno)
            if node and node.name == code.co_name:
                _Rule(self, f, node).read()
            else:
                self.whole = False
        self.refuse_recursion()
        self.refuse_stray_offers()

    def refuse_recursion(self) -> None:
        """Numba finds a function that calls itself only in the process that compiled it."""
        done = set[Function]()

        def follow(f: Function, path: tuple[Function, ...], where: str) -> None:
            if f in path:
                names = " -> ".join(g.__name__ for g in (*path[path.index(f) :], f))
                raise GameError(f"{where}: rules call themselves: {names}; write a loop")
            if f not in done:
                for g, there in self.calls.get(f, {}).items():
                    follow(g, (*path, f), there)
                done.add(f)

        for f in self.calls:
            follow(f, (), place(f))

    def reached(self, f: Function) -> set[Function]:
        """This function and all that it calls, directly or not."""
        found, todo = {f}, [f]
        while todo:
            for g in self.calls.get(todo.pop(), {}):
                if g not in found:
                    found.add(g)
                    todo.append(g)
        return found

    def refuse_stray_offers(self) -> None:
        """Each offer belongs to the @allow_all of its move."""
        under = dict[Any, set[Function]]()
        for m, offers in self.offered.items():
            allow = cast(Function, m.allow)
            if allow not in under:
                under[allow] = self.reached(allow)
            for f, where in offers:
                if f not in under[allow]:
                    raise GameError(
                        f"{where}: {f.__name__} offers {m.name}, whose @allow_all is "
                        f"{allow.__name__}; offer it there, or name {m.name} in the @allow_all of "
                        f"{f.__name__}"
                    )


def _name_of(annotation: ast.expr | None) -> str:
    return annotation.id if isinstance(annotation, ast.Name) else ""


class _Rule:
    """One rule: its function and its syntax tree."""

    def __init__(self, text: Text, f: Function, node: Def) -> None:
        self.text, self.f, self.node = text, f, node
        code = f.__code__
        self.file, self.globals = code.co_filename, f.__globals__
        self.parameters = set(code.co_varnames[: code.co_argcount])
        self.locals = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
        others = ((x.arg, text.others.get(_name_of(x.annotation))) for x in node.args.args)
        self.records = text.records | {n: found for n, found in others if found is not None}
        self.judged = set[int]()  # ids of nodes that what is around them has judged

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        line = getattr(node, "lineno", self.node.lineno)
        raise GameError(f"{self.file}:{line}: {self.node.name}: {what}")

    def read(self) -> None:
        self.signature()
        body = self.node.body
        if isinstance(body[0], ast.Expr) and _is_text(body[0].value):
            body = body[1:]
        for node in _walk(body):
            kind = type(node)
            if kind not in TAKEN:
                name = kind.__name__
                self.refuse(node, REFUSED.get(kind, f"{name} is no part of what rules are made of"))
            if look := LOOKS.get(kind):
                look(self, node)
        self.results(body)
        known = frozenset(self.f.__code__.co_varnames)
        if bare := first_without_value(body, frozenset(self.parameters), known):
            self.refuse(
                bare, f"{bare.id} may have no value here; assign it first, whatever happens"
            )

    # ---- the function as a whole ----
    def signature(self) -> None:
        a, node = self.node.args, self.node
        if isinstance(node, ast.AsyncFunctionDef):
            self.refuse(node, "rules wait for nothing; write def without async")
        if self.f.__closure__:
            self.refuse(node, "it reads variables of a function around it; put it outside")
        if odd := a.vararg or a.kwarg or (a.kwonlyargs and a.kwonlyargs[0]):
            self.refuse(node, f"the parameter `{odd.arg}` takes what it gets; name each parameter")
        if a.defaults:
            odd = a.args[len(a.args) - len(a.defaults)]
            usual = ast.unparse(a.defaults[0])
            self.refuse(
                node, f"`{odd.arg} = {usual}`: parameters have no defaults; give it in each call"
            )

    def results(self, body: list[ast.stmt]) -> None:
        """What it returns: nothing ever, or something always."""
        returned = [x for x in _walk(body) if isinstance(x, ast.Return)]
        given = [x for x in returned if x.value]
        mark, says = cast(Any, self.f).battlebox, self.node.returns
        if isinstance(mark, Move) and given:
            self.refuse(given[0], "a move returns nothing; it changes the state, or calls tell")
        nothing = says is None or (isinstance(says, ast.Constant) and says.value is None)
        if not given:
            if not nothing:
                kind = ast.unparse(cast(ast.expr, says))
                self.refuse(self.node, f"it says `-> {kind}`, and returns nothing; add a return")
            return
        for x in returned:
            if not x.value:
                self.refuse(x, "`return` without a value, in a rule that elsewhere returns one")
        if not _ends(body):
            self.refuse(
                self.node,
                "it may end without returning a value; let its last line be a return",
            )

    # ---- parts of it ----
    def statement(self, node: ast.Expr) -> None:
        v = node.value
        if isinstance(v, ast.Compare | ast.Name | ast.Attribute | ast.Subscript | ast.BinOp):
            self.refuse(node, f"`{ast.unparse(v)}` does nothing; a store is written with one `=`")

    def constant(self, node: ast.Constant) -> None:
        v = node.value
        if type(v) is int and v >= MOST:
            self.refuse(node, f"{v} is too big; numbers of rules are less than 2**63")
        if v is None:
            self.refuse(
                node, "None is no number; let a number of its own say that nothing is there"
            )
        if type(v) not in (int, bool, float):
            self.refuse(node, _TEXT if isinstance(v, str) else f"{v!r} is no number")

    def operation(self, node: ast.BinOp | ast.AugAssign) -> None:
        if isinstance(node.op, ast.Pow):
            self.refuse(node, "`**` differs between the builds; write a product or a loop")
        if isinstance(node.op, ast.MatMult):
            self.refuse(node, "`@` is no operation of numbers")
        if isinstance(node, ast.AugAssign):
            self.store(node.target)

    def comparison(self, node: ast.Compare) -> None:
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            self.refuse(node, "numbers are compared with == and !=, not with `is`")

    def assignment(self, node: ast.Assign) -> None:
        for target in node.targets:
            self.store(target)

    def annotated(self, node: ast.AnnAssign) -> None:
        self.store(node.target)
        if not node.value:
            self.refuse(node, "a variable without a value; assign one")

    def loop(self, node: ast.For) -> None:
        self.store(node.target)

    def store(self, target: ast.expr) -> None:
        """What is on the left of an assignment."""
        if isinstance(target, ast.Tuple):
            for x in target.elts:
                self.store(x)
            return
        if isinstance(target, ast.Name):
            if target.id in OUR_NAMES and target.id in self.parameters:
                what = OUR_NAMES[target.id]
                self.refuse(target, f"`{target.id}` is the {what}; give the variable another name")
            return
        root: ast.expr = target
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if not isinstance(root, ast.Name):
            return
        if root.id == "t":
            self.refuse(target, "the table is read-only; what changes is a field of State")
        if root.id not in self.locals:
            self.refuse(target, f"it changes {root.id} of the module: {_GLOBAL}")
        found = self.kind(target)
        path = target
        while isinstance(path, ast.Attribute | ast.Subscript) and path.value is not root:
            path = path.value
        if root.id in OUR_NAMES and isinstance(path, ast.Attribute):
            stores = self.text.stores.setdefault(self.f, {})
            where = f"{self.file}:{target.lineno}: {self.node.name}"
            stores.setdefault(f"{root.id}.{path.attr}", where)
        if found and found.shape:
            name = ast.unparse(target)
            self.refuse(target, f"{name} has {found.shape[0]} cells; write each of them, in a loop")

    def attribute(self, node: ast.Attribute) -> None:
        value = node.value
        if isinstance(value, ast.Name) and value.id not in self.locals:
            self.judged.add(id(value))
            self.member(node, value.id, node.attr)
        elif isinstance(value, ast.Attribute) and self.enum_of(value):
            self.refuse(node, f"{ast.unparse(value)} is a number already; leave out .{node.attr}")
        elif not isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
            self.refuse(node, f"give `{ast.unparse(value)}` a name first, in a line of its own")
        else:
            self.kind(node)

    def enum_of(self, node: ast.Attribute) -> Any:
        name = node.value
        if not isinstance(name, ast.Name) or name.id in self.locals:
            return None
        found = self.globals.get(name.id)
        return found if isinstance(found, type) and issubclass(found, IntEnum) else None

    def member(self, node: ast.Attribute, name: str, attr: str) -> None:
        """name.attr, where name is no variable: only members of enums are read so."""
        found = self.globals.get(name, getattr(builtins, name, None))
        if name not in self.globals and found is None:
            self.unknown(node, name)
        if isinstance(found, types.ModuleType):
            self.module(node, found)
        if not isinstance(found, type):
            self.foreign(node, name, found)
        if not issubclass(found, IntEnum):
            cure = f"write a number beside the rules, such as HOW_MANY = {name}.{attr}"
            self.refuse(node, f"{name}.{attr} of a class is not for rules; {cure}, and read that")
        if attr not in found.__members__:
            near = nearest(attr, found.__members__, f"{name}.")
            self.refuse(node, f"{name}.{attr} is not a member of {name}{near}")
        self.text.named.add((found, attr))

    def module(self, node: ast.AST, found: types.ModuleType) -> NoReturn:
        name = found.__name__
        if name in BANNED:
            self.refuse(node, f"{name} is not for rules: {BANNED[name]}")
        self.refuse(node, f"import from {name} by name, not the module")

    def subscript(self, node: ast.Subscript) -> None:
        self.kind(node)
        for x in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            n = self.fixed(x)
            if n is not None and n < 0:
                cure = "count from 0, and let an index of its own stand for none"
                self.refuse(node, f"the index of `{ast.unparse(node)}` is negative; {cure}")

    def fixed(self, node: ast.expr) -> int | None:
        """The value of an index, if it is the same always."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            n = self.fixed(node.operand)
            return None if n is None else -n
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and node.id not in self.locals:
            found = self.globals.get(node.id)
            return found if type(found) is int else None
        if isinstance(node, ast.Attribute) and (enum := self.enum_of(node)):
            return int(enum[node.attr]) if node.attr in enum.__members__ else None
        return None

    def kind(self, node: ast.expr) -> np.dtype[Any] | None:
        """The type of a part of t, s, o, or of a record to be filled; None for anything else.
        Refuses what they have not.
        """
        if isinstance(node, ast.Name):
            return self.records.get(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.kind(node.value)
            if owner is None:
                return None
            path = ast.unparse(node.value)
            if owner.names is None:
                self.refuse(node, f"{path} has no fields; it is {_said(owner)}")
            if node.attr not in owner.names:
                near = nearest(node.attr, owner.names, f"{path}.")
                what = f" of the {OUR_NAMES[path]}" if path in OUR_NAMES else ""
                self.refuse(node, f"{path}.{node.attr} is not a field{what}{near}")
            if node.attr == "rng" and path in OUR_NAMES:
                self.refuse(node, f"{path}.rng is chance to come; use draw, roll, pick or shuffle")
            return owner[node.attr]
        if isinstance(node, ast.Subscript):
            owner = self.kind(node.value)
            return None if owner is None else self.cell(node, owner)
        return None

    def cell(self, node: ast.Subscript, owner: np.dtype[Any]) -> np.dtype[Any]:
        path, shape = ast.unparse(node.value), owner.shape
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(index) > len(shape):
            self.refuse(node, f"{path} is {_said(owner)}; it takes {_indexes(len(shape))}")
        for x, n in zip(index, shape, strict=False):
            at = self.fixed(x)
            if at is not None and at >= n:
                self.refuse(node, f"{path} has {n} cells, 0 .. {n - 1}; there is no {at}")
        rest = shape[len(index) :]
        return np.dtype((owner.base, rest)) if rest else owner.base

    # ---- names and calls ----
    def name(self, node: ast.Name) -> None:
        if node.id in self.locals or id(node) in self.judged or isinstance(node.ctx, ast.Store):
            return
        if node.id not in self.globals:
            if node.id in BUILTINS:
                self.refuse(node, f"{node.id} is called: {node.id}(...)")
            self.unknown(node, node.id)
        v = self.globals[node.id]
        if isinstance(v, types.ModuleType):
            self.module(node, v)
        if isinstance(v, type):
            cure = (
                f"write a number beside the rules, such as HOW_MANY = len({node.id}), and read that"
            )
            self.refuse(node, f"the class {node.id} is no number; {cure}")
        if callable(v):
            self.refuse(node, f"{node.id} is a function; call it: {node.id}(...)")
        if not _is_number(v):
            self.foreign(node, node.id, v)

    def foreign(self, node: ast.AST, name: str, v: Any) -> NoReturn:
        """Something of the module that is neither a number, a class nor a rule."""
        cure = (
            "rules read numbers and tuples of numbers; what else they need is in the table, and "
            "what changes in the state"
        )
        self.refuse(node, f"{name} is {_article(type(v).__name__)} of the module; {cure}")

    def unknown(self, node: ast.AST, name: str) -> NoReturn:
        if hasattr(builtins, name):
            self.refuse(node, f"rules do not use {name}{_instead(name)}")
        near = nearest(name, {*self.locals, *self.globals, *BUILTINS})
        self.refuse(node, f"{name} is not defined{near}")

    def call(self, node: ast.Call) -> None:
        func = node.func
        if not isinstance(func, ast.Name):
            if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
                found = self.globals.get(func.value.id)
                if isinstance(found, types.ModuleType):
                    self.module(node, found)
                if func.value.id in self.globals and not isinstance(found, type):
                    self.foreign(node, func.value.id, found)
            said = ast.unparse(func)
            self.refuse(node, f"`{said}(...)`: rules call functions by name, and no methods")
        if node.keywords:
            given = node.keywords[0]
            word = f"{given.arg}=" if given.arg else "**"
            self.refuse(node, f"`{word}` in a call of {func.id}; give values by their place")
        if func.id in self.locals:
            self.refuse(node, f"{func.id} is a variable; rules call functions by name")
        self.judged.add(id(func))
        if func.id in self.globals:
            self.called(node, func.id, self.globals[func.id])
        elif func.id not in BUILTINS:
            self.unknown(node, func.id)

    def called(self, node: ast.Call, name: str, v: Any) -> None:
        if v is rules.tell or (isinstance(v, Function) and v in CHANCE):
            self.text.chance.setdefault(self.f, f"{self.file}:{node.lineno}: {self.f.__name__}")
        if v is rules.tell:
            self.tell(node)
        elif v is rules.offer:
            self.offer(node)
        elif is_marked(v):
            code = v.__code__
            self.count(node, name, ", ".join(code.co_varnames[: code.co_argcount]))
            self.text.calls[self.f].setdefault(v, f"{self.file}:{node.lineno}")
        elif isinstance(v, Function) and v in CHANCE:
            self.count(node, name, CHANCE[v])
        elif isinstance(v, types.ModuleType):
            self.module(node, v)
        elif isinstance(v, type) and issubclass(v, int):
            self.refuse(node, f"{name}(...): a number is enough; leave out {name}")
        elif isinstance(v, Function) and v.__module__.partition(".")[0] not in BANNED:
            where = f"put it in front of `def {v.__name__}`, {place(v)}"
            self.refuse(node, f"{name} lacks @rule; {where}")
        elif getattr(math, name, None) is not v or name not in MATH:
            home = str(getattr(v, "__module__", "")).partition(".")[0]
            why = f": {BANNED[home]}" if home in BANNED else "; rules call marked functions only"
            self.refuse(node, f"{name} is not for rules{why}")

    def count(self, node: ast.Call, name: str, wanted: str) -> None:
        names = [x for x in wanted.split(", ") if x]
        if len(node.args) != len(names):
            given = many(len(node.args), "value")
            self.refuse(node, f"{name}({wanted}) is called with {given}")

    def tell(self, node: ast.Call) -> None:
        if len(node.args) < 2:
            self.refuse(node, "tell takes the state and the event: tell(s, Event.X, ...)")
        for event in self.events(node.args[1]):
            given, names = len(node.args) - 2, event.telling.names
            if given != len(names):
                write = ", ".join(["s", f"Event.{event.name}", *names])
                self.refuse(
                    node,
                    f"Event.{event.name} tells ({', '.join(names)}), and is given "
                    f"{many(given, 'value')}; write tell({write})",
                )
            self.text.told.add(event)

    def events(self, node: ast.expr) -> list[Events]:
        """The events that an argument of `tell` may be."""
        if isinstance(node, ast.IfExp):
            return self.events(node.body) + self.events(node.orelse)
        enum = self.enum_of(node) if isinstance(node, ast.Attribute) else None
        if enum is None or not issubclass(enum, Events):
            self.refuse(node, f"tell(s, {ast.unparse(node)}, ...): name the event: Event.X")
        self.attribute(cast(ast.Attribute, node))
        return [enum[cast(ast.Attribute, node).attr]]

    def offer(self, node: ast.Call) -> None:
        if len(node.args) < 2:
            self.refuse(node, "offer takes the list and the move: offer(can, a_move, ...)")
        what = node.args[1]
        found = self.globals.get(what.id) if isinstance(what, ast.Name) else None
        m = getattr(found, "battlebox", None)
        if not isinstance(m, Move):
            self.refuse(node, f"{ast.unparse(what)} is no move; name one: offer(can, a_move, ...)")
        self.judged.add(id(what))
        if not m.family:
            self.refuse(
                node,
                f"{m.name} has no @allow_all; name it there: @allow_all({m.name}), "
                f"in front of the rule that looks for it",
            )
        if len(m.sizes) > 2:
            self.refuse(node, f"{m.name} has {len(m.sizes)} parameters; offer gives two at most")
        if len(node.args) - 2 != len(m.sizes):
            write = ", ".join(["can", m.name, *m.parameters])
            given = many(len(node.args) - 2, "parameter")
            self.refuse(node, f"{m.name} is offered with {given}; write offer({write})")
        where = f"{self.file}:{node.lineno}"
        self.text.offered.setdefault(m, []).append((self.f, where))


LOOKS: dict[type[ast.AST], Any] = {
    ast.Expr: _Rule.statement,
    ast.Constant: _Rule.constant,
    ast.BinOp: _Rule.operation,
    ast.AugAssign: _Rule.operation,
    ast.Compare: _Rule.comparison,
    ast.Assign: _Rule.assignment,
    ast.AnnAssign: _Rule.annotated,
    ast.For: _Rule.loop,
    ast.Attribute: _Rule.attribute,
    ast.Subscript: _Rule.subscript,
    ast.Name: _Rule.name,
    ast.Call: _Rule.call,
}
SKIPPED = {
    *(ast.Load, ast.Store, ast.Del, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod),
    *(ast.Pow, ast.MatMult, ast.BitOr, ast.BitAnd, ast.BitXor, ast.LShift, ast.RShift, ast.And),
    *(ast.Or, ast.Not, ast.Invert, ast.UAdd, ast.USub, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt),
    *(ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn),
}


def _walk(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The nodes of statements in the order of the text, each before what is in it."""
    todo: list[Any] = [*reversed(body)]
    while todo:
        node = todo.pop()
        yield node
        inner: list[Any] = []
        for name in node._fields:
            if name == "annotation":
                continue
            value = getattr(node, name)
            if type(value) is list:
                inner += [x for x in value if isinstance(x, ast.AST)]
            elif isinstance(value, ast.AST):
                inner.append(value)
        todo += [x for x in reversed(inner) if type(x) not in SKIPPED]


def _ends(body: list[ast.stmt]) -> bool:
    """Whether control never leaves these statements at their end."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.While):
        forever = isinstance(last.test, ast.Constant) and last.test.value
        return bool(forever) and not any(isinstance(x, ast.Break) for x in _walk(last.body))
    return isinstance(last, ast.Return)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_number(v: Any) -> bool:
    if type(v) is tuple:
        return all(map(_is_number, v))
    return type(v) in (int, bool, float) or isinstance(v, IntEnum)


def many(n: int, thing: str) -> str:
    """ "1 value", "2 values", "no value"."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s" if n else f"no {thing}"


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _said(d: np.dtype[Any]) -> str:
    return f"an array of {len(d.shape)} dimensions" if d.shape else "one number"


def _indexes(n: int) -> str:
    return f"{n} indexes" if n > 1 else "one index" if n else "no index"


def _instead(name: str) -> str:
    cures = {
        **dict.fromkeys(("any", "all"), "write a loop that returns"),
        "print": "say what happens with tell(s, Event.X, ...)",
        "pow": "write a product or a loop",
        "divmod": "write // and %",
        **dict.fromkeys(("str", "repr", "format"), _TEXT),
        **dict.fromkeys(("list", "dict", "set", "sorted", "tuple"), _ALLOCATES),
        **dict.fromkeys(("isinstance", "type", "getattr", "setattr"), "everything is a number"),
    }
    return f"; {cures.get(name, 'write it with what ' + ', '.join(sorted(BUILTINS)) + ' do')}"
