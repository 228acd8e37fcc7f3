"""How a match went: found out in the background, for as long as somebody waits, and then kept."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Seat,
    in_thread,
    invitations,
    let_pass,
    take_seat,
    until,
)

from battlebox.bots.review import Cancelled, review
from battlebox.server import reviews
from battlebox.server.clock import ManualClock
from battlebox.server.threads import Rank

QUICK = partial(review, simulations=30)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("data")
    with (
        mock.patch.object(reviews, "review", QUICK),
        in_thread(folder, reviews=2, **ROOMY) as running,
    ):
        yield running


def play(who: Seat, most: int = 10**6) -> None:
    """The first of their choices, again and again, to the end or so many times."""
    k = 0
    while k < most:
        while not who.look()["scene"]["choices"]:
            who.hear()
            if who.room.get("end"):
                return
        action = who.frame["scene"]["choices"][0]["action"]
        answer = who.act(f"{k}", action)
        assert answer["type"] == "ack" or answer["error"]["code"] in ("stale", "over"), answer
        k += 1


@contextlib.contextmanager
def ended(server: InThread, moves: int = 3, **more: Any) -> Iterator[tuple[Seat, str]]:
    """Somebody who has given up a match, or played it to its end; and the match."""
    made = server.make(["you", "random"], seed=5, **more)
    with Seat(server, made["id"], made["token"]) as who:
        play(who, moves)
        if not who.room.get("end"):
            assert who.want("resign", "enough")["type"] == "ack"
        yield who, made["id"]


def hear_of(who: Seat, id: str, heard: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """The last answer under this id."""
    while True:
        message = who.hear_until("review_progress", "review", "refused")
        if message["id"] == id:
            if message["type"] != "review_progress":
                return message
            if heard is not None:
                heard.append(message)


def ask(who: Seat, id: str = "review", **more: Any) -> dict[str, Any]:
    who.send(type="review", id=id, **more)
    return hear_of(who, id)


def code_of(answer: dict[str, Any]) -> str:
    assert answer["type"] == "refused", answer
    assert answer["error"]["message"].isprintable()
    return str(answer["error"]["code"])


def found(answer: dict[str, Any]) -> dict[str, Any]:
    """What was found out, without what those who asked are called."""
    return {**answer, "id": "", "sums": [{**x, "text": ""} for x in answer["sums"]]}


class Slow:
    """A review that goes on when it is told to, and hears when nobody wants it any more."""

    def __init__(self) -> None:
        self.go_on, self.begun, self.stopped = (threading.Event() for _ in range(3))
        self.times = 0

    def __call__(
        self, match: Any, seats: Any, *, cancelled: Callable[[], bool], **more: Any
    ) -> Any:
        self.times += 1
        self.begun.set()
        more["progress"](1, len(match.history))
        while not self.go_on.wait(0.01):
            if cancelled():
                self.stopped.set()
                raise Cancelled
        return QUICK(match, seats, cancelled=cancelled, **more)


@pytest.fixture
def slow() -> Iterator[Slow]:
    made = Slow()
    with mock.patch.object(reviews, "review", made):
        yield made
    made.go_on.set()


# ---- what is told --------------------------------------------------------------------------------
def test_it_adds_up_and_says_how_far_it_is(server: InThread) -> None:
    with ended(server, 10**6, options={"start_health": 6, "must_attack": True}) as (who, id):
        heard: list[dict[str, Any]] = []
        who.send(type="review", id="r", seat=1)
        told = hear_of(who, "r", heard)
        match = server.room(id).session.match
        assert [x["done"] for x in heard] == sorted(x["done"] for x in heard)
        assert {x["of"] for x in heard[1:]} == {3 * len(match.history)}
        decisions = told["decisions"]
        assert decisions["seat"] == 1
        [progress] = [x for x in heard if x["early"]]
        assert progress["done"] < progress["of"] / 2 < heard[-1]["done"]
        early = progress["early"]
        for key in ("seat", "turning_points", "worst", "decided"):
            assert early[key] == decisions[key]
        for x, y in zip(early["steps"], decisions["steps"], strict=True):
            assert [x[i] for i in ("told", "chances", "better")] == [
                y[i] for i in ("told", "chances", "better")
            ]
        assert [x["word"] for x in decisions["steps"]] == [word for _, word in match.history]
        for p, a in enumerate(told["sums"]):
            assert (a["seat"], a["rounds"], decisions["rounds"]) == (p, 1, 1)
            assert re.fullmatch(r"[+−]?\d+\xa0points?", a["parts"]["luck"])
            assert abs(a["start"] + a["luck"] + a["own"] + a["others"] - a["end"]) < 0.001
            assert a["end"] == match.returns[p]
        for x in decisions["steps"]:
            assert abs(x["before"] + x["decision"] + x["luck"] - x["after"]) < 0.001
            assert bool(x["best"]) <= (x["mover"] == 1)
        assert 0 < len(decisions["turning_points"]) <= 3
        cost = [decisions["steps"][k]["decision"] for k in decisions["worst"]]
        own = sorted(x["decision"] for x in decisions["steps"] if x["mover"] == 1)
        assert cost == own[: len(cost)]
        assert all(x < 0 for x in cost)


def test_who_gave_up_is_told_what_is_theirs(server: InThread) -> None:
    """Of two, the match ends there; of three, a bot plays on, and may win."""
    with ended(server) as (who, id):
        end = server.room(id).session.end
        assert end
        assert end.returns[0] == -1
        for text in (x["text"] for x in ask(who)["sums"]):
            assert " when it was ended. Added up" in text
    made = server.make(["you", "open", "random"], seed=5, options={"start_health": 3})
    token = take_seat(server, made["id"], invitations(server, made)[1], "Bob")
    with Seat(server, made["id"], made["token"]) as who, Seat(server, made["id"], token) as bob:
        play(who, 1)
        assert who.want("resign", "enough")["type"] == "ack"
        play(bob)
        own, *others = (x["text"] for x in ask(who)["sums"])
        assert own.startswith("Ada: ")
        assert " in the end. Added up" in own
        assert own.endswith(". A player gave up; a bot played on from there.")
        assert not any("a bot played on" in x for x in others)


def test_everybody_is_told_the_same_and_it_is_found_out_once(server: InThread) -> None:
    with ended(server) as (who, id), Seat(server, id, None) as watching:
        first = ask(who)
        assert first["decisions"]["seat"] == 0
        assert ask(who, "r1", seat=1)["decisions"]["seat"] == 1
        with mock.patch.object(reviews, "review", side_effect=AssertionError):
            for seat in (0, 1):
                assert found(ask(watching, seat=seat)) == found(ask(who, seat=seat))
            assert ask(watching)["decisions"]["seat"] == 0
        server.rooms.services.reviews._kept.clear()
        assert ask(who) == first  # found out anew


def test_it_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with mock.patch.object(reviews, "review", QUICK):
        with in_thread(tmp_path, **ROOMY) as server, ended(server) as (who, id):
            first = ask(who)
        with in_thread(tmp_path, **ROOMY) as server, Seat(server, id, None) as watching:
            assert found(ask(watching)) == found(first)


def test_the_match_and_its_log_are_left_alone(server: InThread) -> None:
    with ended(server) as (who, id):
        before = server.mark(id)
        assert ask(who)["type"] == "review"
        assert server.mark(id) == before


def test_nobody_else_is_told(server: InThread) -> None:
    with ended(server) as (who, id), Seat(server, id, None) as watching:
        watching.look()
        assert ask(who)["type"] == "review"
        assert not watching.hear_the_rest() & {"review", "review_progress"}


# ---- what is refused -----------------------------------------------------------------------------
def test_not_before_the_end(server: InThread) -> None:
    made = server.make(["you", "random"], seed=5)
    with Seat(server, made["id"], made["token"]) as who, Seat(server, made["id"], None) as watching:
        assert code_of(ask(who)) == code_of(ask(watching)) == "not_over"
        assert code_of(ask(who, "other", seat=1)) == "not_over"


def test_late_spectators_are_told_when_it_is_over_for_them(tmp_path: Path) -> None:
    clock = ManualClock()
    with (
        mock.patch.object(reviews, "review", QUICK),
        in_thread(tmp_path, clock=clock, **ROOMY) as server,
        ended(server, delay=2) as (who, id),
        Seat(server, id, None) as late,
    ):
        assert ask(who)["type"] == "review"
        assert code_of(ask(late)) == "not_over"
        let_pass(clock, 2)
        until(lambda: late.hear_until("room")["end"])
        assert ask(late)["type"] == "review"


def test_where_nothing_was_played_there_is_nothing_to_tell(server: InThread) -> None:
    with ended(server, moves=0) as (who, _):
        assert code_of(ask(who)) == "not_possible"


def test_a_seat_that_is_not_there(server: InThread) -> None:
    with ended(server) as (who, _):
        assert code_of(ask(who, seat=2)) == "not_possible"


def test_so_many_at_once_and_no_more(server: InThread, slow: Slow) -> None:
    with contextlib.ExitStack() as stack:
        people = [stack.enter_context(ended(server))[0] for _ in range(3)]
        for who in people[:2]:
            who.send(type="review", id="r")
            assert who.hear_until("review_progress")["done"] == 0
        assert code_of(ask(people[2])) == "busy"
        assert code_of(ask(people[0], "more")) == "busy"  # it comes
        slow.go_on.set()
        assert all(hear_of(who, "r")["type"] == "review" for who in people[:2])
        assert ask(people[2], "again")["type"] == "review"


def test_what_breaks_is_told_and_can_be_tried_again(server: InThread) -> None:
    with ended(server) as (who, _):
        with mock.patch.object(reviews, "review", side_effect=ArithmeticError("9")):
            assert code_of(ask(who)) == "broken"
        assert ask(who, "again")["type"] == "review"


# ---- an end of it --------------------------------------------------------------------------------
def test_it_is_stopped(server: InThread, slow: Slow) -> None:
    with ended(server) as (who, _):
        who.send(type="review", id="r")
        assert slow.begun.wait(PATIENCE)
        who.send(type="cancel", id="r")
        assert code_of(hear_of(who, "r")) == "stopped"
        assert slow.stopped.wait(PATIENCE)
        who.send(type="cancel", id="r")
        assert code_of(hear_of(who, "r")) == "not_possible"
        slow.go_on.set()
        assert ask(who, "again")["type"] == "review"
        assert slow.times == 2


def test_it_goes_on_while_somebody_waits(server: InThread, slow: Slow) -> None:
    with ended(server) as (who, id), Seat(server, id, None) as watching:
        who.send(type="review", id="r")
        assert slow.begun.wait(PATIENCE)
        watching.send(type="review", id="r")
        assert watching.hear_until("review_progress")["done"] == 1
        who.send(type="cancel", id="r")
        assert code_of(hear_of(who, "r")) == "stopped"
        slow.go_on.set()
        assert hear_of(watching, "r")["type"] == "review"
        assert slow.times == 1
        assert not slow.stopped.is_set()


def test_who_comes_back_finds_what_was_done(server: InThread) -> None:
    """After it was stopped or left, it goes on where it was."""
    with ended(server, 10**6, options={"start_health": 6, "must_attack": True}) as (who, id):
        heard: list[dict[str, Any]] = []
        with mock.patch.object(reviews, "BREATH", 0.2):  # it takes a while
            who.send(type="review", id="r")
            until(lambda: who.hear_until("review_progress")["done"] > 2)
            who.send(type="cancel", id="r")
            assert code_of(hear_of(who, "r")) == "stopped"
            until(lambda: not server.rooms.services.reviews._jobs)
        begun = server.rooms.services.reviews._begun[id]
        assert len(begun.expected) + len(begun.verdicts) > 2
        who.send(type="review", id="again")
        told = hear_of(who, "again", heard)
        assert next(x["done"] for x in heard if x["done"]) > 2
        assert id not in server.rooms.services.reviews._begun
        server.rooms.services.reviews._kept.clear()
        assert found(ask(who, "anew")) == found(told)


def test_it_ends_when_all_have_gone(server: InThread, slow: Slow) -> None:
    with ended(server) as (who, id):
        with Seat(server, id, None) as watching:
            for x in (who, watching):
                x.send(type="review", id="r")
                x.hear_until("review_progress")
        assert not slow.stopped.wait(0.3)
    assert slow.stopped.wait(PATIENCE)
    until(lambda: not server.rooms.services.reviews._jobs)


def test_who_comes_and_goes_leaves_no_work_behind(server: InThread, slow: Slow) -> None:
    with ended(server) as (who, _), ended(server) as (other, _):
        who.send(type="review", id="r")
        assert slow.begun.wait(PATIENCE)
        for k in range(50):
            other.send(type="review", id=f"r{k}")
            assert other.hear_until("review_progress")["done"] == 0
            other.send(type="cancel", id=f"r{k}")
            assert code_of(hear_of(other, f"r{k}")) == "stopped"
        slow.go_on.set()
        assert hear_of(who, "r")["type"] == "review"
        assert ask(other)["type"] == "review"
        assert slow.times == 2


def test_the_server_ends_in_the_midst_of_one(tmp_path: Path, slow: Slow) -> None:
    with in_thread(tmp_path, **ROOMY) as server, ended(server) as (who, _):
        who.send(type="review", id="r")
        assert slow.begun.wait(PATIENCE)
    assert slow.stopped.wait(PATIENCE)


def test_only_so_many_are_kept(tmp_path: Path) -> None:
    with (
        mock.patch.object(reviews, "review", QUICK),
        in_thread(tmp_path, reviews_kept=1, **ROOMY) as server,
        ended(server) as (a, one),
        ended(server) as (b, other),
    ):
        kept = server.rooms.services.reviews._kept
        assert ask(a)["type"] == "review"
        assert set(kept) == {one}  # the last one, however long it is
        assert ask(b)["type"] == "review"
        assert set(kept) == {other}


def test_bots_go_first(server: InThread) -> None:
    """While one thinks, a review rests after each decision; but it does not rest for ever."""

    def rests(busy: bool) -> int:
        found = server.rooms.services.reviews
        found._kept.clear()
        at_work = mock.patch.object(found, "busy", return_value=busy)
        with (
            mock.patch.object(reviews, "time") as time,
            at_work,
        ):  # not all that sleep, not all bots
            assert ask(who, f"busy-{busy}")["type"] == "review"
        return int(time.sleep.call_count)

    with ended(server) as (who, _):
        assert rests(busy=True) == reviews.BREATHS * rests(busy=False) > 0


def test_a_review_knows_whether_bots_think(server: InThread) -> None:
    threads, done = server.rooms.services.threads, threading.Event()
    thought = threads.think(done.wait, who="somebody", rank=lambda: Rank.WATCHED)
    thinking = asyncio.run_coroutine_threadsafe(thought, server.loop)
    until(server.rooms.services.reviews.busy)
    done.set()
    thinking.result(PATIENCE)
    until(lambda: not server.rooms.services.reviews.busy())


def test_who_does_not_read_hears_only_what_matters(server: InThread, slow: Slow) -> None:
    with ended(server) as (who, id):
        who.send(type="review", id="r")
        assert slow.begun.wait(PATIENCE)
        views = server.room(id).views.values()
        [connection] = [x for view in views for x in view.connections]
        job = server.rooms.services.reviews._jobs[id]
        with mock.patch.object(connection, "wake"):  # nothing goes out
            for k in range(1000):
                job.hear(k, 1000)
        assert len(connection.answers) == 1
        slow.go_on.set()
        assert hear_of(who, "r")["type"] == "review"
        assert json.dumps(who.heard).count('"done"') < 100
