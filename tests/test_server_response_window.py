"""Questions in a match that nobody else may notice: one countdown, no matter who holds what."""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from response_windows import (
    DECLINE,
    SAVE,
    deal,
    in_the_box,
    let_show,
    quick_stand_ins,
    shown_at_once,
    strike,
)
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Seat,
    in_a_loop,
    in_process,
    in_thread,
    invitations,
    let_pass,
    take_seat,
    until,
)

from battlebox.bots.random_bot import RandomBot
from battlebox.core import match as core_match
from battlebox.core.match import Match
from battlebox.server.clock import ManualClock
from battlebox.server.connections import Outbox
from battlebox.server.response_windows import ALONE, AT_LEISURE, ResponseWindows
from battlebox.server.room import Room
from battlebox.server.session import Proposal
from battlebox.server.threads import RECENT, ROOM, SHORTEST, AnswerSlots
from battlebox.server.views import ViewKey

WINDOW, AWAY, LATE = 2.0, 30.0, 7.0  # seconds, which a test lets pass


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[InThread]:
    """A server by whose clock time passes when the test lets it."""
    clock, limits = ManualClock(), {"response_window": WINDOW, "away": AWAY, **ROOMY}
    with quick_stand_ins(), in_the_box(), in_thread(folder, clock=clock, **limits) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InThread]:
    with serving(tmp_path) as running:
        yield running


def clock_of(server: InThread) -> ManualClock:
    """By which it waits."""
    assert isinstance(server.rooms.clock, ManualClock)
    return server.rooms.clock


class Party:
    """A match of four people, who have their sockets."""

    def __init__(
        self, server: InThread, seats: list[str], holders: tuple[int, ...], delay: float = 0
    ) -> None:
        self.server, self.clock, self.done = server, clock_of(server), itertools.count()
        wanted = {"game": "window", "options": {"players": 4, "rounds": 2}, "delay": delay}
        made = server.make(seats, seed=2, **wanted)  # seat 0 begins
        self.id = made["id"]
        for session in {self.room.session, self.room.seen_by(None)}:
            deal(session.match, *holders)
        self.keys = invitations(server, made)
        for p in set(self.keys) - {made["seat"]}:
            self.keys[p] = take_seat(server, self.id, self.keys[p], f"Ben{p}")
        self.people = {p: Seat(server, self.id, key) for p, key in sorted(self.keys.items())}
        for x in self.people.values():
            x.look()

    @property
    def room(self) -> Room:
        return self.server.room(self.id)

    def do(self, seat: int, word: str) -> dict[str, Any]:
        """Does it as an answer to the question of their last frame: the server's answer."""
        return self.people[seat].answer(self.say(seat, word))

    def say(self, seat: int, word: str) -> str:
        """Sends that they do it; the id by which it is answered."""
        who, id = self.people[seat], f"do{next(self.done)}"
        who.send(type="act", id=id, question=who.frame["question"], action=int(word[1:]))
        return id

    def strike(self) -> None:
        """Seat 0 strikes seat 1; all hear of it."""
        until(lambda: self.room.session.match.to_act == 0 and not self.room.session.window)
        said = self.say(0, strike(1))
        let_show(self.server, self.id)
        assert self.people[0].answer(said)["type"] == "ack"
        for x in self.people.values():
            self.hear_of(x)

    def let_end(self, seconds: float) -> None:
        """Lets pass what all still have to wait, and what came of it is shown."""
        let_pass(self.clock, seconds)
        let_show(self.server, self.id)

    def counting_down(self, of: float = WINDOW) -> None:
        """Waits until the time runs, which it does at once."""
        until(lambda: of in self.clock.alarms)

    @staticmethod
    def hear_of(who: Seat) -> None:
        """Hears until they see the countdown."""
        while "countdown" not in who.frame:
            who.hear()

    @staticmethod
    def over(who: Seat) -> None:
        """Hears until the countdown is over."""
        while "countdown" in who.frame:
            who.hear()

    def log(self) -> list[Any]:
        """What the log says of it."""
        bodies = [json.loads(x.body) for x in self.server.rooms.store.entries(self.id)]
        done = [x for x in bodies if x["type"] != "seated"]
        return [{k: v for k, v in x.items() if k != "command"} for x in done]


@contextlib.contextmanager
def party(
    server: InThread, *holders: int, seats: str = "you open open open", delay: float = 0
) -> Iterator[Party]:
    """People in a match where seat 0 may strike; these seats hold a SAVE."""
    made = Party(server, seats.split(), holders, delay)
    try:
        yield made
    finally:
        for x in made.people.values():
            x.close()


def choices(who: Seat) -> list[str]:
    return [c["word"] for c in who.frame["scene"]["choices"]]


# ---- what can be noticed -------------------------------------------------------------------------
def what_is_heard(server: InThread, holders: tuple[int, ...], answers: dict[int, Any]) -> Any:
    """A strike, and all that those hear who hold nothing, until the countdown is over: seat 2, a
    spectator, a program that looks on. Answers: (seconds, word) by seat.
    """
    with (
        party(server, *holders) as p,
        Seat(server, p.id, None) as watching,
        Seat(server, p.id, None, frames="data") as program,
    ):
        lookers = [p.people[2], watching, program]
        until(
            lambda: (
                [p.room.presence.looking(seat) for seat in (0, 1, 2, 3, None)] == [1, 1, 1, 1, 2]
            )
        )
        keys = (ViewKey(2), ViewKey(None), ViewKey(None, "data"))
        for x, key in zip(lookers, keys, strict=True):
            view = p.room.views[key]
            # who has come last is told of a moment after they are there
            while not x.frame or x.room["watching"] != 2 or x.room != json.loads(view.room):
                x.hear()
            x.heard.clear()
        p.strike()
        p.counting_down()
        began = p.clock.now()
        for seat, (after, word) in sorted(answers.items(), key=lambda x: x[1][0]):
            p.clock.advance(began + after - p.clock.now())
            assert p.do(seat, word)["type"] == "ack"
        left = began + WINDOW - p.clock.now()
        p.clock.advance(left - 0.001)
        assert server.at_rest(lambda: p.room.session.window)  # whatever was answered
        p.let_end(0.001)
        for x in lookers:
            p.hear_of(x)
            p.over(x)
        return [[_blank(m) for m in messages_before_the_end(x)] for x in lookers]


def messages_before_the_end(who: Seat) -> list[dict[str, Any]]:
    """All they were sent, but for the frame that says what came of it (before which there may be a
    room message).
    """
    found = [json.loads(text) for text in who.heard]
    flat = [m for x in found for m in (x if isinstance(x, list) else [x]) if m["type"] != "beat"]
    ends = [k for k, m in enumerate(flat) if m["type"] == "frame" and "countdown" not in m]
    return flat[: ends[-1]]


def _blank(message: dict[str, Any]) -> dict[str, Any]:
    """The message without what is made up for each match and socket."""
    made_up = ("id", "run", "fair")
    return {k: v for k, v in message.items() if k not in made_up}


def test_nobody_can_tell_who_was_asked_or_what_they_answered(server: InThread) -> None:
    """Eight worlds: all that differs is who of the others holds a SAVE; and they answer at
    different times, in different ways, or not at all.
    """
    worlds = [p for n in range(4) for p in itertools.combinations((0, 1, 3), n)]
    plans: list[dict[int, Any]] = [
        {p: (0.1 + 0.25 * ((k + p) % 4), (DECLINE, SAVE)[(k + p) % 2]) for p in w if (k + p) % 5}
        for k, w in enumerate(worlds)
    ]
    assert {len(x) for x in plans} >= {0, 1, 2}
    heard = [what_is_heard(server, *x) for x in zip(worlds, plans, strict=True)]
    for k, looker in enumerate(("seat 2", "a spectator", "a program")):
        first = heard[0][k]
        assert [m["countdown"] for m in first if m["type"] == "frame"] == [
            {"of": WINDOW, "left": WINDOW}
        ]
        for other in heard[1:]:
            assert other[k] == first, looker


def test_all_are_asked_at_once_and_the_rules_hear_it_in_their_order(server: InThread) -> None:
    with party(server, 1, 3) as p:
        p.strike()
        for seat, who in p.people.items():
            assert choices(who) == ([DECLINE, SAVE] if seat in (1, 3) else [])
            assert who.frame["countdown"] == {"of": WINDOW, "left": WINDOW}
        assert p.do(3, SAVE)["type"] == "ack"
        assert choices(p.people[3]) == []  # they have answered, and wait as all do
        assert p.people[3].frame["countdown"]["of"] == WINDOW
        assert p.do(3, DECLINE)["error"]["code"] == "not_your_turn"
        assert p.do(2, SAVE)["error"]["code"] == "not_your_turn"
        p.let_end(WINDOW)
        for x in p.people.values():
            p.over(x)
            assert x.frame["told"][-1]["event"] == "SAVED"
        assert p.log() == [
            {"type": "acted", "seat": 0, "word": strike(1)},
            {"type": "acted", "seat": 3, "word": SAVE},
            {"type": "window_closed"},
        ]
        assert p.room.session.match.history[1:] == [(1, DECLINE), (3, SAVE)]


def test_who_comes_back_sees_how_long_there_is_still_to_wait(server: InThread) -> None:
    with party(server, 1) as p:
        p.strike()
        p.counting_down()
        p.clock.advance(WINDOW / 4)
        with Seat(server, p.id, p.keys[1]) as again, Seat(server, p.id, None) as late:
            for who in (again, late):
                assert who.look()["countdown"] == {"of": WINDOW, "left": WINDOW * 3 / 4}
            assert choices(again) == [DECLINE, SAVE]
            p.let_end(WINDOW * 3 / 4)
            p.over(late)


def test_in_a_window_there_is_no_undo_and_no_proposal_but_one_that_waits(server: InThread) -> None:
    with party(server, 1) as p:
        assert p.people[2].want("propose", "draw", what="draw")["type"] == "ack"
        p.people[1].want("answer", "yes", what="draw", yes=True)
        p.people[0].want("answer", "yes", what="draw", yes=True)
        p.strike()
        before = p.room.version
        moves = server.rooms.services.moves
        assert p.do(1, SAVE)["type"] == "ack"
        assert p.room.session.proposal == Proposal("draw", 2, [3])
        assert p.room.version == before
        assert server.rooms.services.moves == moves  # which /metrics shows to all
        p.people[3].want("answer", "no", what="draw", yes=False)
        assert p.room.session.proposable == []
        refused = p.people[3].want("propose", "again", what="draw")["error"]
        assert "proposals have to wait" in refused["message"]
        refused = p.people[0].want("undo", "again")["error"]
        assert "everybody has been asked to respond to it" in refused["message"]
        p.let_end(WINDOW)
        p.over(p.people[3])
        assert p.room.session.proposable == ["draw"]


def test_for_who_gives_up_in_a_window_a_bot_answers(server: InThread) -> None:
    """That they gave up is told; whether they were asked is not."""
    heard = []
    for holders in ((1,), ()):
        with party(server, *holders) as p:
            p.strike()
            p.people[2].heard.clear()
            assert p.people[1].want("resign", "enough")["type"] == "ack"
            if holders:
                until(lambda p=p: len(p.log()) == 3)
                assert p.log()[2]["seat"] == 1
            p.let_end(WINDOW)
            p.over(p.people[2])
            found = messages_before_the_end(p.people[2])
            heard.append([_blank(m) for m in found])
            assert p.room.session.seats[1].resigned
    assert heard[0] == heard[1]


def test_bots_answer_in_the_meantime(server: InThread) -> None:
    """They keep nobody waiting longer than people do, and who plays alone waits a quarter."""
    with party(server, 1, 2, seats="you random random random") as p:
        p.strike()
        assert p.people[0].frame["countdown"] == {"of": WINDOW / 4, "left": WINDOW / 4}
        until(lambda: {x["seat"] for x in p.log()[1:] if x["type"] == "acted"} >= {1, 2})
        assert "countdown" in p.people[0].frame
        p.let_end(WINDOW / 4)
        p.over(p.people[0])


@pytest.mark.parametrize("thinks", [0.0, 20 * WINDOW], ids=["answers at once", "takes their time"])
def test_who_plays_bots_alone_answers_when_they_like(server: InThread, thinks: float) -> None:
    """Only they could learn from how long it takes, and they know that they are asked."""
    seats = "you random random random"
    with party(server, 0, 2, seats=seats) as p, Seat(server, p.id, None) as watching:
        watching.look()
        p.strike()
        assert choices(p.people[0]) == [DECLINE, SAVE]
        p.counting_down(WINDOW * AT_LEISURE)
        p.clock.advance(thinks)
        assert server.at_rest(lambda: p.room.session.window)
        assert p.do(0, SAVE)["type"] == "ack"
        left = WINDOW / ALONE if not thinks else 0.0  # what all wait at such a table is over
        if left:
            assert server.at_rest(lambda: p.room.session.window)
            assert p.people[0].frame["countdown"] == {"of": left, "left": left}
            p.clock.advance(left)
        let_show(server, p.id)
        for x in (p.people[0], watching):
            p.over(x)
        assert {"type": "acted", "seat": 0, "word": SAVE} in p.log()


def test_who_plays_bots_alone_and_does_not_answer_declines_in_the_end(server: InThread) -> None:
    with party(server, 0, seats="you random random random") as p:
        p.strike()
        p.let_end(WINDOW * AT_LEISURE)
        p.over(p.people[0])
        assert (0, DECLINE) in p.room.session.match.history


def test_who_plays_bots_alone_and_has_gone_is_asked_again_when_they_are_back(
    tmp_path: Path,
) -> None:
    """Meanwhile the match may leave the memory. In this deal only seat 0 holds a SAVE."""
    clock, limits = ManualClock(), {"live_matches": 1, "response_window": WINDOW, **ROOMY}
    with quick_stand_ins(), in_the_box(), in_thread(tmp_path, clock=clock, **limits) as server:
        wanted = {"game": "window", "options": {"players": 4, "rounds": 2}, "seed": 15}
        made = server.make(["you", "random", "random", "random"], **wanted)
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            ada.send(type="act", id="x", question=ada.frame["question"], action=int(strike(1)[1:]))
            let_show(server, made["id"])
            Party.hear_of(ada)
            until(lambda: WINDOW * AT_LEISURE in clock.alarms)
            server.make(["you", "open"])
            assert server.at_rest(lambda: made["id"] in server.rooms._live), "they look on"
        until(lambda: not server.at_rest(lambda: server.room(made["id"]).presence.is_watched))
        room = weakref.ref(server.room(made["id"]))
        server.make(["you", "open"])
        until(lambda: room() is None)
        assert WINDOW * AT_LEISURE not in clock.alarms
        clock.advance(2 * WINDOW * AT_LEISURE)
        with Seat(server, made["id"], made["token"]) as ada:
            ada.look()
            assert choices(ada) == [DECLINE, SAVE]
            until(lambda: WINDOW * AT_LEISURE in clock.alarms)
            assert ada.act("y", int(SAVE[1:]))["type"] == "ack"


@contextlib.contextmanager
def slow_where_asked(clock: ManualClock, took: float) -> Iterator[None]:
    """Where somebody is asked the rules take so long over it, before and after."""
    ask, close = core_match.questions, Match.close_response_window

    def slowly_asked(*a: Any) -> Any:
        found = ask(*a)
        clock.advance(took * bool(found))
        return found

    def slowly_closed(self: Match) -> None:
        clock.advance(took * bool(self._questions))
        close(self)

    with (
        mock.patch.object(core_match, "questions", slowly_asked),
        mock.patch.object(Match, "close_response_window", slowly_closed),
    ):
        yield


@pytest.mark.parametrize("took", [0.001, 0.03, 0.199])
def test_time_does_not_tell_whether_a_bot_was_asked(tmp_path: Path, took: float) -> None:
    """By a given clock: what opens a window and what closes it shows at the same moment, however
    long the rules take over it. Each at a server of its own: bots go on at the others.
    """
    slot, shown = 4 * SHORTEST, set[int]()
    for holders in ((), (1,), (1, 2)):
        with serving(tmp_path / str(len(holders))) as server:
            shown.add(picture_after(server, holders, slot, took))
    assert len(shown) == 1


def picture_after(server: InThread, holders: tuple[int, ...], slot: float, took: float) -> int:
    """The number of the picture after a window, which begins and is over at the end of a slot."""
    clock = clock_of(server)
    for _ in range(RECENT):
        server.rooms.services.slots.note(("window", 4, "window"), slot / ROOM)
    with (
        slow_where_asked(clock, took),
        party(server, *holders, seats="you random random random") as p,
    ):
        began = clock.now()
        said = p.say(0, strike(1))
        begun = let_slot_pass(p, began, slot)
        assert p.people[0].answer(said)["type"] == "ack"
        until(lambda: len(p.log()) == 1 + len(holders))
        let_pass(clock, WINDOW / 4)
        let_slot_pass(p, begun + WINDOW / 4, slot)
        p.over(p.people[0])
        return int(p.people[0].frame["n"])


def let_slot_pass(p: Party, since: float, slot: float) -> float:
    """Lets a slot end in which something is kept back that has taken a part of it; its end."""
    until(lambda: p.server.at_rest(lambda: p.room.outbox.is_held_back))
    left = round(since + slot - p.clock.now(), 3)
    assert left in p.clock.alarms
    p.clock.advance(left)
    return since + slot


def how_many_wait(room: Room) -> int:
    """For what is held back, or for the room; who comes to a node of several reads on first."""
    return len(room.outbox._free._waiters) + len(room._lock._waiters or ())


def test_what_a_window_leads_to_is_shown_to_nobody_before_its_moment(server: InThread) -> None:
    """Neither to who joins nor to who asks."""
    with party(server, 1) as p, ThreadPoolExecutor(1) as aside:
        p.strike()
        let_pass(p.clock, WINDOW)
        outbox, moves = p.room.outbox, server.rooms.services.moves
        until(lambda: server.at_rest(lambda: outbox.is_held_back))
        asks = aside.submit(server.ask, "GET", f"/api/matches/{p.id}")
        said = p.say(1, SAVE)
        with Seat(server, p.id, None) as comes:
            until(lambda: server.at_rest(lambda: how_many_wait(p.room)) == 3)
            assert p.room.presence.looking(None) == 0
            assert server.rooms.services.moves == moves
            let_show(server, p.id)
            assert "countdown" not in comes.look()
        assert asks.result().status_code == 200
        assert p.people[1].answer(said)["error"]["code"] == "stale"
        assert server.rooms.services.moves == moves + 1


def test_a_database_that_was_away_makes_no_window_wait_longer() -> None:
    """A slot is about as long as the rules take, and what was waited for is not theirs."""
    services = SimpleNamespace(slots=AnswerSlots(), clock=ManualClock())
    match = SimpleNamespace(rules=SimpleNamespace(name="tiny"))
    session = SimpleNamespace(match=match, seats=(0, 1))
    room: Any = SimpleNamespace(services=services, session=session, outbox=Outbox())
    with shown_at_once():
        in_a_loop(ResponseWindows(room).hold_back(services.clock.now() - 30.0))
    assert services.slots.slot(("tiny", 2, "window")) <= 1.0


def test_late_spectators_wait_as_long_later(server: InThread) -> None:
    """Nobody does anything but what is said here, so that time stands still between."""
    with party(server, 1, delay=LATE) as p, Seat(server, p.id, None) as late:
        late.look()
        struck = p.clock.now()
        p.strike()
        assert "countdown" not in late.frame
        p.counting_down()
        assert p.do(1, SAVE)["type"] == "ack"
        let_pass(p.clock, WINDOW)
        over = p.clock.now()
        let_show(server, p.id)
        p.over(p.people[0])
        assert "countdown" not in late.frame
        p.let_end(round(struck + LATE - p.clock.now(), 3))
        p.hear_of(late)
        assert late.frame["countdown"]["of"] == WINDOW
        assert [x["event"] for x in late.frame["told"]] == ["STRUCK"]
        p.clock.advance(over + LATE - p.clock.now())  # before the end comes what seat 1 did
        let_show(server, p.id)
        p.over(late)
        assert late.frame["told"][-1]["event"] == "SAVED"


# ---- what is not lost ----------------------------------------------------------------------------
def test_an_answer_survives_a_kill_and_the_countdown_begins_again(tmp_path: Path) -> None:
    """In this deal seat 0 begins; seats 2 and 3 hold a SAVE."""
    here = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    box = f"{here}from response_windows import in_the_box; box = in_the_box(); box.__enter__()"
    with in_process(tmp_path, before=box, response_window=600, **ROOMY) as server:
        asked = {"game": "window", "options": {"players": 4, "rounds": 2}, "seed": 2}
        made = server.make(["you", "open", "open", "open"], **asked)
        keys = invitations(server, made)
        keys |= {p: take_seat(server, made["id"], keys[p], f"Ben{p}") for p in (1, 2, 3)}
        with Seat(server, made["id"], keys[0]) as ada, Seat(server, made["id"], keys[3]) as ben:
            assert ada.act("x", int(strike(2)[1:]))["type"] == "ack"
            Party.hear_of(ben)
            assert ben.act("x", int(SAVE[1:]))["type"] == "ack"
            server.process.kill()
    clock = ManualClock()
    with (
        in_the_box(),
        in_thread(tmp_path, clock=clock, response_window=WINDOW, **ROOMY) as again,
        contextlib.ExitStack() as stack,
    ):
        people = [stack.enter_context(Seat(again, made["id"], keys[p])) for p in range(4)]
        assert [choices(x) for x in people if x.look()] == [[], [], [DECLINE, SAVE], []]
        assert all(x.frame["countdown"] == {"of": WINDOW, "left": WINDOW} for x in people)
        let_pass(clock, WINDOW)
        let_show(again, made["id"])
        for x in people:
            Party.over(x)
            assert x.frame["told"][-1]["event"] == "SAVED"
            assert x.frame["told"][-1]["args"]["seat"] == 3


# ---- who is away ---------------------------------------------------------------------------------
def replaced(who: Seat) -> list[int]:
    return [x["seat"] for x in who.room["seats"] if x["replaced"]]


def test_a_bot_plays_for_who_is_away_until_they_are_back(server: InThread) -> None:
    with shown_at_once(), party(server, 1) as p:
        p.people[0].close()
        until(lambda: p.room.presence.looking(0) == 0)
        until(lambda: AWAY in p.clock.alarms)
        p.clock.advance(AWAY - 0.001)
        assert server.at_rest(lambda: not p.room.presence.replaced)
        let_pass(p.clock, 0.001)
        ben = p.people[1]
        while replaced(ben) != [0]:
            ben.hear()
        assert not ben.room["seats"][0]["here"]
        until(p.log)
        assert p.log()[0]["seat"] == 0
        with Seat(server, p.id, p.keys[0]) as back:
            back.look()
            assert replaced(back) == []
            assert back.room["seats"][0]["here"]


def test_who_is_back_decides_though_a_bot_has_begun_to_think(server: InThread) -> None:
    begun, go_on, choose = threading.Event(), threading.Event(), RandomBot.choose

    def slow(self: RandomBot, observation: Any) -> int:
        begun.set()
        assert go_on.wait(PATIENCE)
        return choose(self, observation)

    with (
        shown_at_once(),
        mock.patch.object(RandomBot, "choose", slow),
        party(server) as p,
    ):
        p.people[0].close()
        let_pass(p.clock, AWAY)
        assert begun.wait(PATIENCE)
        with Seat(server, p.id, p.keys[0]) as back:
            back.look()
            assert replaced(back) == []
            go_on.set()
            until(lambda: server.at_rest(lambda: p.room._playing is None))
            assert p.log() == []
            assert back.act("x", int(strike(1)[1:]))["type"] == "ack"


def test_nobody_is_played_for_when_all_have_left(server: InThread) -> None:
    with party(server) as p:
        for x in p.people.values():
            x.close()
        until(lambda: not any(p.room.presence.looking(seat) for seat in range(4)))
        assert AWAY not in p.clock.alarms  # nobody is waited for
        p.clock.advance(AWAY)
        with Seat(server, p.id, None) as watching:
            watching.look()
            assert replaced(watching) == []
            assert p.log() == []
            with Seat(server, p.id, p.keys[2]) as back:  # for whom the others are away at once
                while back.look() and replaced(back) != [0, 1, 3]:
                    back.hear()
                until(p.log)


def test_a_game_that_is_not_realtime_waits(server: InThread) -> None:
    made = server.make(["you", "open"])
    key = take_seat(server, made["id"], invitations(server, made)[1], "Ben")
    with Seat(server, made["id"], key) as ben:
        ben.look()
        assert server.at_rest(lambda: server.room(made["id"]).presence._alarm is None)  # for nobody
        assert replaced(ben) == []
