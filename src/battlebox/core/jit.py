"""The only file that imports Numba: compiled chance, and a cache of code by what it is made of."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from filelock import FileLock
from numba import njit
from numba.core import caching, codegen, compiler, config, sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload
from numba.np import arrayobj

from . import random, rows, rules

MARK = "battlebox "  # begins what `Build` adds to the names of its compiled functions
#: what the names of our functions have in machine code: those of a build, and those of this file
MANGLED = (MARK.replace(" ", "_20"), "battlebox4core3jit")
DAYS_KEPT = 30
LONGEST_COMPILATION = 900.0  # seconds; another process that needs longer has stopped
OURS = f"*-{'[0-9a-f]' * 20}"  # names of the folders that may be swept: name, dash, stamp


def home() -> Path:
    """Where machine code is kept: $BATTLEBOX_CACHE, or the user's cache folder."""
    return Path(os.environ.get("BATTLEBOX_CACHE") or platformdirs.user_cache_path("battlebox"))


class _Locator(caching._CacheLocator):
    """One folder for each stamp: changed code is another folder, so nothing stale is found."""

    def __init__(self, f: Any) -> None:
        self.stamp, self.file = f.__battlebox_stamp__, f.__code__.co_filename

    def get_cache_path(self) -> str:
        return str(home() / self.stamp)

    def get_source_stamp(self) -> str:
        return str(self.stamp)

    def get_disambiguator(self) -> str:
        return "".join(c if c.isalnum() else "_" for c in Path(self.file).stem)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        return cls(py_func)


class _Impl(caching.CompileResultCacheImpl):
    _locator_classes = [_Locator]  # type: ignore[list-item]  # noqa: RUF012


class _Cache(caching.FunctionCache):
    _impl_class = _Impl

    def __init__(self, f: Any) -> None:
        super().__init__(f)  # type: ignore[no-untyped-call]
        self._lock = FileLock(f"{self._cache_file._index_path}.lock")

    @contextlib.contextmanager
    def turn(self, sig: Any, target_context: Any) -> Iterator[None]:
        """Where this signature is not in the cache, one process at a time compiles the function.

        The others wait, and find what the first has written. A killed process leaves no lock.
        """
        locked = not self._keeps(sig, target_context) and self._acquire()
        try:
            yield
        finally:
            if locked:
                self._lock.release()

    def _keeps(self, sig: Any, target_context: Any) -> bool:
        target_context.refresh()
        key = self._index_key(sig, target_context.codegen())  # type: ignore[no-untyped-call]
        try:
            return key in self._cache_file._load_index()  # type: ignore[no-untyped-call]
        except Exception:  # damaged: `load_overload` sees to it
            return False

    def _acquire(self) -> bool:
        """False where it cannot be locked: each process compiles for itself, as without a cache."""
        try:
            self._lock.acquire(timeout=LONGEST_COMPILATION)
        except (OSError, NotImplementedError):  # a read-only folder, no locks there, too long
            return False
        return True

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # a file cut short by a crash or a full disk: whatever unpickling says
            self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # a full disk: compiled again next time
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as it is, in our functions: none counts from the end, the plain build sees to that.

    (To look for those that do took a tenth of the time.) Functions of others are as they were.
    """
    if any(name in builder.function.name for name in MANGLED):
        return context.cast(builder, index, kind, types.intp)
    return _any_index(context, builder, kind, index, size)  # type: ignore[no-untyped-call]


_any_index, arrayobj.fix_integer_index = arrayobj.fix_integer_index, _index


# ---- how functions are compiled ------------------------------------------------------------------
class _Compiler(compiler.Compiler):
    """LLVM optimizes at level 2, not at Numba's 3: the games are as quick, and compiled sooner."""

    def compile_extra(self, func: Any) -> Any:
        usual = config.OPT  # type: ignore[attr-defined]  # others keep theirs: Numba's lock is held
        config.OPT = config._OptLevel(min(usual, 2))  # type: ignore
        try:
            return super().compile_extra(func)  # type: ignore[no-untyped-call]
        finally:
            config.OPT = usual  # type: ignore[attr-defined]


class _Part(codegen.CPUCodeLibrary):
    """Code that is linked into its callers': no machine code is made of it alone."""

    def _optimize_final_module(self) -> None:
        """It is optimized once, where it is linked into what Python calls: not at each step of the
        way there, with all that it calls. (A third of the compile time.)
        """

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    @property
    def codegen(self) -> Any:
        return self  # who is asked to:

    def set_env(self, name: str, env: Any) -> None:
        """Only what Python calls has one."""


class _PartCompiler(_Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        library = library or _Part(target.codegen(), "part")  # type: ignore[no-untyped-call]
        super().__init__(typing, target, library, *others)  # type: ignore[no-untyped-call]


FLAGS: dict[str, Any] = {"error_model": "numpy", "nogil": True}  # no division can raise
INNER: dict[str, Any] = {
    **FLAGS,
    **{"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _PartCompiler},
}
ENTRY: dict[str, Any] = {**FLAGS, "no_cfunc_wrapper": True, "pipeline_class": _Compiler}


def inner(f: Any) -> Any:
    """f as a function that only compiled ones call: no way in from Python, nothing kept."""
    return _widen(njit(f, **INNER))


def entry(f: Any, stamp: str) -> Any:
    """f as a compiled function that Python calls; its machine code is kept under this stamp."""
    f.__battlebox_stamp__ = stamp
    dispatcher = _widen(njit(f, **ENTRY))
    try:
        _sweep(home() / stamp)
    except OSError as e:
        warnings.warn(f"no machine code is kept, every start compiles again: {e}", stacklevel=2)
        return dispatcher
    return _in_turn(dispatcher, _Cache(f))


def _in_turn(dispatcher: Any, cache: _Cache) -> Any:
    """What this dispatcher compiles is kept, and compiled by one process at a time."""
    dispatcher._cache = cache
    compile = dispatcher.compile

    def compile_in_turn(sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)  # type: ignore[no-untyped-call]
        # Numba's lock comes first: two threads could else hold one each and wait for the other.
        # Locks of files cannot meet either: no function calls, over others, itself.
        with global_compiler_lock:
            if tuple(args) in dispatcher.overloads:
                return compile(sig)
            with cache.turn(sig, dispatcher.targetctx):
                return compile(sig)

    dispatcher.compile = compile_in_turn
    return dispatcher


def _widen(dispatcher: Any) -> Any:
    """Every whole number is passed as int64, so that no rule is compiled for each width of its
    callers'.

    (Half the compile time.)
    """
    template = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return template([_wide(a) for a in args], kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def _wide(a: Any) -> Any:
    if isinstance(a, types.Integer | types.IntEnumMember):
        return types.int64
    return types.boolean if isinstance(a, types.Boolean | types.BooleanLiteral) else a


@cache
def _sweep(folder: Path) -> None:
    """Marks the folder as used and removes those that no source has asked for in a month."""
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in folder.parent.glob(OURS):
        with contextlib.suppress(FileNotFoundError):  # another process was quicker
            if time.time() - other.stat().st_mtime > DAYS_KEPT * 86400:
                shutil.rmtree(other, ignore_errors=True)


# ---- chance, events, rows, compiled: must agree with random.py, rules.py and rows.py ------------
@njit
def _next(s, n):  # type: ignore[no-untyped-def]
    z = s.rng + np.uint64(0x9E3779B97F4A7C15)
    s.rng = z
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64(((z >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@njit
def draw(s, n):  # type: ignore[no-untyped-def]
    return _next(s, n)


@njit
def roll(s, sides):  # type: ignore[no-untyped-def]
    return 1 + _next(s, sides)


@njit
def pick(s, values, n):  # type: ignore[no-untyped-def]
    return values[_next(s, n)]


@njit
def shuffle(s, cards, n):  # type: ignore[no-untyped-def]
    for i in range(n - 1, 0, -1):
        j = _next(s, i + 1)
        held = cards[i]
        cards[i] = cards[j]
        cards[j] = held


@njit
def tell(s, event, a=0, b=0, c=0, d=0):  # type: ignore[no-untyped-def]
    pass


@njit
def blank(row):  # type: ignore[no-untyped-def]
    for k in range(len(row)):
        row[k] = 0


@njit
def alike(a, b):  # type: ignore[no-untyped-def]
    for k in range(len(a)):
        if a[k] != b[k]:
            return False
    return True


for _f in (_next, draw, roll, pick, shuffle, tell, blank, alike):
    _widen(_f)


@overload(rules.offer)
def _offer(can, mv, x=0, y=0):  # type: ignore[no-untyped-def]
    m = mv.dispatcher.py_func.battlebox
    at, strides = m.at, [*m.strides, 0, 0]
    dx, dy = strides[0], strides[1]

    def put(can, mv, x=0, y=0):  # type: ignore[no-untyped-def]
        n = can[len(can) - 1]
        can[n] = at + dx * x + dy * y
        can[len(can) - 1] = n + 1

    return put


CHANCE: dict[int, Any] = {
    id(random.draw): draw,
    id(random.roll): roll,
    id(random.pick): pick,
    id(random.shuffle): shuffle,
    id(rules.tell): tell,
    id(rows.blank): blank,
    id(rows.alike): alike,
}
