"""What goes over the wire to viewers: bytes a frame, and what a frame takes of a processor.

    python -m bench --only frames     all games, both forms: a minute

Matches at random of every game, in the modes that the page offers, as the server has them: after
each action every seat and the spectators get their frame, made and packed as for a socket. Beside
a frame of changes stands the same frame with its whole scene. Packed sizes are those of one
viewer's frames one after the other, as `permessage-deflate` sends them.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import process_time

from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode  # type: ignore[attr-defined]

import battlebox as bb
from battlebox.core.game import Game
from battlebox.games import find
from battlebox.server.log_events import Acted, WindowClosed
from battlebox.server.protocols import DEFLATE
from battlebox.server.session import PERSON, MatchPlan, SeatPlan, Session
from battlebox.server.store import Setup
from battlebox.server.views import FORMS, ViewKey

ACTIONS, MATCHES = 150, 3  # of a match; of a mode


@dataclass
class Frames:
    """The frames of one mode. Sums; bytes, and seconds of processor time."""

    game: str
    mode: str
    n: int = 0  # frames with scenes, of which there was one before
    whole: int = 0  # as if each had its whole scene
    changes: int = 0
    whole_packed: int = 0
    changes_packed: int = 0
    packing: float = 0.0  # frames of changes
    drawing: list[float] = field(default_factory=list)  # each frame: picture, changes, text
    data: int = 0  # frames for programs,
    data_bytes: int = 0
    data_making: float = 0.0


class Reader:
    """A viewer's socket: what it is sent, packed with what was sent before."""

    def __init__(self) -> None:
        self.packed = 0
        _, self._extension = DEFLATE.process_request_params([], [])
        assert isinstance(self._extension, PerMessageDeflate)

    def take(self, text: bytes) -> None:
        """A text is sent."""
        self.packed += len(self._extension.encode(Frame(Opcode.TEXT, text)).data)


def session_of(game: Game, options: dict[str, object], seed: int) -> Session:
    """A match between people, as the server has it, with its compiled observer."""
    rules = game.ruleset({**game.human_defaults, **options})
    seats = tuple(SeatPlan(kind=PERSON, name=f"Player {p}") for p in range(rules.players))
    plan = MatchPlan(
        game=game.name,
        version=game.version,
        options=rules.options_text,
        seats=seats,
        host=0,
        seed=seed,
    )
    session = Session(Setup("id", 0.0, plan.model_dump_json(), b"", None))
    session.match.rules.use_compiled_observer()
    return session


def played(session: Session, dice: random.Random) -> Iterator[None]:
    """After each of its first actions."""
    for _ in range(ACTIONS):
        match = session.match
        yield
        if match.deciding:
            seat = dice.choice(match.deciding)
            action = dice.choice(match.choices(seat))
            session.apply(Acted(seat=seat, word=match.word(action, seat)))
        elif match.response_window:
            session.apply(WindowClosed())
        else:
            return


def follow(session: Session, dice: random.Random, found: Frames) -> None:
    """All viewers of a match."""
    seats = (None, *range(session.match.rules.players))
    views = [FORMS[form](ViewKey(seat, form)) for seat in seats for form in FORMS]
    readers = {id(v): (Reader(), Reader()) for v in views}
    for _ in played(session, dice):
        for view in views:
            n, whole, changes = view.n, *readers[id(view)]
            began = process_time()
            view.update(session)
            if view.n == n:
                continue
            text = view.since(n)
            took = process_time() - began
            if view.in_arrays:
                found.data += 1
                found.data_bytes += len(text)
                found.data_making += took
                continue
            was, now = view.write_changes() if n >= 0 else b"", view.write()
            all_of_it = text.replace(was, now) if was else text
            whole.take(all_of_it)
            began = process_time()
            changes.take(text)
            packing = process_time() - began
            if n >= 0:
                found.n += 1
                found.whole += len(all_of_it)
                found.changes += len(text)
                found.packing += packing
                found.drawing.append(took)
    for view in views:
        if not view.in_arrays:
            whole, changes = readers[id(view)]
            found.whole_packed += whole.packed
            found.changes_packed += changes.packed


def measure(quick: bool, say: Callable[[str], None]) -> list[Frames]:
    """Every mode of every game."""
    out = []
    for name in bb.games():
        game = find(name)
        say(f"frames of {name}")
        for mode in game.modes:
            found = Frames(game.title, mode.name)
            for seed in range(1 if quick else MATCHES):
                session = session_of(game, mode.options, seed)
                gc.collect()
                gc.disable()
                follow(session, random.Random(seed), found)
                gc.enable()
            out.append(found)
    return out
