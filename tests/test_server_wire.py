"""The wire law: no byte sent to a viewer depends on what they may not know.

Two rooms play on from positions that look the same to one viewer, while all that is hidden from
them differs. As long as they may know of no difference, they are sent the same bytes, one by one,
whether a frame holds the whole picture or what has changed. So are they packed: what a text is
packed to follows from what the same socket was sent before, all of which its viewer may know.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from games import as_game, sealed, window
from websockets.frames import Frame, Opcode

import battlebox as bb
from battlebox.core.game import Ruleset
from battlebox.core.laws import another_truth
from battlebox.core.match import Match
from battlebox.server.clock import ManualClock
from battlebox.server.limits import Limits
from battlebox.server.log_events import (
    UNDO,
    Acted,
    Answered,
    LogEvent,
    Proposed,
    WindowClosed,
    read_event,
)
from battlebox.server.protocols import DEFLATE
from battlebox.server.room import Room
from battlebox.server.rooms import Rooms
from battlebox.server.session import PERSON, MatchPlan, SeatPlan
from battlebox.server.store import Setup
from battlebox.server.store.sqlite import SqliteStore
from battlebox.server.views import FORMS, ViewKey

MODES: dict[str, Ruleset] = {
    **{
        f"war_zone {options}": bb.load("war_zone", **options)
        for options in (
            {"players": 2, "cycle": 2},
            {"players": 3, "deck": "warzone-half", "speedy": True, "cycle": 2},
            {"players": 4, "teams": 2, "v2": True},
            {"players": 5, "out_hand": "remove", "health_cap": 20},
            {"players": 6, "teams": 3, "v2": True, "v2_blockable": True, "speedy": True},
            {"players": 3, "must_attack": True, "start_health": 6, "reshuffle": "lazy"},
        )
    },
    "medieval": bb.load("medieval"),
    "medieval court": bb.load("medieval", deck="medieval-court"),
    "medieval event_replacement=false": bb.load("medieval", event_replacement=False, max_battles=6),
    "battle": bb.load("battle", players=6, target_points=1),
    "battle windows": bb.load("battle", players=4, rounds=1, action_timing="windows"),
    "sealed": as_game(sealed).ruleset({}),
    "window": as_game(window).ruleset({}),
}


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    store = SqliteStore(tmp_path)
    yield Rooms(store, Limits(), clock=ManualClock())  # frames tell what is left of a countdown
    store.close()


def seat_all(rooms: Rooms, rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> Room:
    """A room of these rules, with people on all seats."""
    monkeypatch.setattr(MatchPlan, "ruleset", lambda plan: rules)
    seats = tuple(SeatPlan(kind=PERSON, name=f"Name{p}") for p in range(rules.players))
    plan = MatchPlan(
        game=rules.name, version=rules.game.version, options="", seats=seats, host=0, seed=1
    )
    return rooms._room(Setup("id", 0.0, plan.model_dump_json(), b"", None))


class Seen:
    """A room as one viewer is shown it: the bytes, but for the random name of the run."""

    def __init__(self, room: Room, seat: int | None, truth: Match) -> None:
        self.room, self.match = room, room.session.match
        self.match.put(truth._array)
        self.seat = seat
        shown = [ViewKey(seat, form) for form in FORMS]
        room.views = {x: FORMS[x.form](x) for x in shown}
        for view in room.views.values():
            view.run = "run"
        self.packing = {key: DEFLATE.process_request_params([], [])[1] for key in shown}

    def sent(self) -> list[tuple[bytes, bytes, bytes, int]]:
        """All that can be sent now, in each form: to those who know the frame before, the one
        before that, or none; as it is, and packed for a socket that has got the others so; and the
        room message.
        """
        out = []
        for key, view in self.room.views.items():
            self.room._show(view, self.room.windows.members())
            for known in (view.n - 1, max(-1, view.n - 2), -1):
                text = view.since(known)
                packed = self.packing[key].encode(Frame(Opcode.TEXT, text))
                out.append((text, bytes(packed.data), view.room, view.n))
        return out

    def known(self) -> bytes:
        """All that the viewer may know."""
        return self.match.observation(self.seat).tobytes()

    def apply(self, event: LogEvent) -> None:
        """As the log has it: nothing of how it was checked is left."""
        self.room._change(self.room.session, read_event(event.to_json()))

    def propose(self, what: str, seat: int, yes: bool) -> None:
        """To which the others answer so."""
        self.apply(Proposed(seat=seat, what=what))
        while proposal := self.room.session.proposal:
            self.apply(Answered(seat=proposal.waiting[0], yes=yes))


def the_same_to_see(a: Seen, b: Seen, action: int, dice: random.Random) -> int | None:
    """An action that leads b to where its viewer knows what a's knows; None: there is none."""
    seat = b.match.to_act
    options = sorted(b.match.legal_actions, key=lambda x: (x != action, dice.random()))
    for option in options:
        again = Match(b.match.rules, 0)
        again.open_response_windows()
        again.put(b.match._array)
        again.submit(seat, option)
        if again.observation(b.seat).tobytes() == a.known():
            return option
    return None


def wait_with_all(a: Seen, b: Seen, truth: Match, dice: random.Random) -> int:
    """The response windows that follow an action: those asked in each world answer or not. truth:
    plays what came of it in a. Gives how many there were.
    """
    done, windows = len(a.match.history), 0
    while a.match.response_window and b.match.response_window and a.known() == b.known():
        windows += 1
        if a.seat in a.match.deciding:
            action = dice.choice(a.match.choices(a.seat))
            for x in (a, b):
                assert x.seat is not None
                x.apply(Acted(seat=x.seat, word=x.match.word(action, x.seat)))
        for x in (a, b):
            for p in x.match.deciding:
                if dice.random() < 0.7:
                    word = x.match.word(dice.choice(x.match.choices(p)), p)
                    x.apply(Acted(seat=p, word=word))
                assert a.sent() == b.sent()
        assert a.sent() == b.sent()
        for x in (a, b):
            x.apply(WindowClosed())
    for p, word in a.match.history[done:]:
        assert p is not None
        truth.submit(p, word)
    return windows


@pytest.mark.parametrize("name", MODES)
def test_no_byte_depends_on_what_is_hidden(
    name: str, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, dice = MODES[name], random.Random(name)
    compared = differing = changes = undone = agreed = windows = 0
    for k in range(60):
        if compared > 300 and undone > 3:
            break
        truth = rules.match(k)
        seat = dice.choice([None, *range(rules.players)])
        while not truth.over:
            a = Seen(seat_all(rooms, rules, monkeypatch), seat, truth)
            b = Seen(seat_all(rooms, rules, monkeypatch), seat, another_truth(truth, seat, dice))
            while a.known() == b.known():
                sent = a.sent()
                assert sent == b.sent()
                compared += 1
                changes += any(b'"changes":' in frame for frame, *_ in sent)
                differing += a.match.write_position() != b.match.write_position()
                if a.match.over or b.match.over:
                    break
                if a.match.agreements and dice.random() < 0.1:
                    what, yes = next(iter(a.match.agreements)), dice.random() < 0.5
                    for x in (a, b):
                        x.propose(what, 0, yes)
                    assert a.sent() == b.sent()
                    agreed += 1
                    if yes:
                        truth.agree(what)
                        continue
                mover, action = a.match.to_act, dice.choice(a.match.legal_actions)
                assert mover is not None
                mine = a.match.word(action)
                a.apply(Acted(seat=mover, word=mine))
                truth.submit(mover, action)
                other, by = the_same_to_see(a, b, action, dice), b.match.to_act
                if other is None:
                    break
                assert by is not None
                b.apply(Acted(seat=by, word=b.match.word(other)))
                assert bool(a.match.response_window) == bool(b.match.response_window)
                assert a.sent() == b.sent()
                windows += wait_with_all(a, b, truth, dice)
                if by == mover and dice.random() < 0.2 and not a.match.why_no_undo(mover):
                    assert a.sent() == b.sent()
                    a.propose(UNDO, mover, True)
                    b.propose(UNDO, mover, True)
                    truth.undo(mover)
                    undone += 1
    assert compared > 300
    assert differing > compared / 3
    assert changes > 50
    assert undone > 3
    assert bool(agreed) == bool(rules.plain().build.agreements)
    assert (windows > 1) == bool(rules.game.response_windows)
