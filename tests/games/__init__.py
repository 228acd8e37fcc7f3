"""Tiny games that ask of the core what the four games to come ask, and what makes them playable.

Each module holds rules and hidden parts together; `as_game` adds the smallest notation and scene.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

import battlebox as bb
from battlebox.core.errors import InvalidWord, PositionError
from battlebox.core.game import Game, Options, Resolved
from battlebox.core.scene import Choice, Scene, Zone

SHORT: dict[str, dict[str, Any]] = {"battleball": {"max_plies": 40}}


def short(name: str) -> bb.Ruleset:
    """A game of the box, with options under which a random match soon ends."""
    return bb.load(name, **SHORT.get(name, {}))


class Words:
    """Actions as `a17`; a position is the state's bytes without the generator's word."""

    def word(self, r: Any, s: Any, action: int) -> str:
        return f"a{action}"

    def action(self, r: Any, s: Any, word: str) -> int:
        if word[:1] != "a" or not word[1:].isdecimal() or int(word[1:]) >= r.plain().num_actions:
            raise InvalidWord(f"{word!r} is not an action")
        return int(word[1:])

    def outcome(self, r: Any, word: str) -> int | list[int]:
        if not word.isdecimal():
            raise InvalidWord(f"{word!r} is no outcome")
        return int(word)

    def players(self, position: str) -> int:
        return int(position.partition(":")[0])

    def read(self, r: Any, s: Any, position: str) -> None:
        try:
            raw = zlib.decompress(bytes.fromhex(position.partition(":")[2]))
        except zlib.error as e:
            raise PositionError(str(e)) from None
        rng = s.rng
        s._record[...] = np.frombuffer(raw, s._record.dtype)[0]
        s.rng = rng

    def write(self, r: Any, s: Any) -> str:
        raw = np.frombuffer(bytearray(s._record.tobytes()), s._record.dtype)
        raw["rng"] = 0
        return f"{s.seats}:{zlib.compress(raw.tobytes()).hex()}"

    def facts(self, r: Any, s: Any) -> dict[str, str]:
        return {n: repr(getattr(s, n)) for n in s._record.dtype.names}

    def items(self, value: str) -> Sequence[str]:
        return value.split(".")

    def argument(self, r: Any, told: Any, name: str) -> str:
        return str(told.args[name])


class Looks:
    """One zone, and a button for each action."""

    def scene(self, r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
        phase = r.game.rules.Phase(o.phase)
        viewer = o.viewer - 1 if o.viewer > 0 else None
        known = o.to_act == viewer if phase.name == "WINDOW" else o.to_act < o.seats
        return Scene(
            viewer=viewer,
            to_act=int(o.to_act) if known else None,
            phase=phase.name,
            title=phase.name,
            prompt="What now?" if actions else "Wait.",
            zones=(Zone("table", "line", "Table"),),
            choices=tuple(Choice(a, f"a{a}", f"Action {a}") for a in actions),
            over=phase.name == "OVER",
        )

    def say(self, r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
        return f"{told.event.name} { {k: x for k, x in told.args.items() if x is not None} }."


def as_game(module: ModuleType, hidden: ModuleType | None = None) -> Game:
    """The module as a Game; it has `Options` and `table(options)`."""

    def resolve(options: Options) -> Resolved:
        return Resolved({}, module.table(options))

    name = module.__name__.rpartition(".")[2]
    return Game(
        name=name,
        title=name,
        about="",
        version=1,
        options=module.Options,
        resolve=resolve,
        rules=module,
        hidden=hidden or module,
        notation=Words(),
        scenes=Looks(),
        response_windows=getattr(module, "RESPONSE_WINDOWS", {}),
        realtime=getattr(module, "REALTIME", False),
    )
