"""Hints: what a bot would do in one's place, told to nobody else, and never from what is hidden."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from response_windows import DECLINE, SAVE, deal, in_the_box, strike
from serving import PATIENCE, ROOMY, InThread, Seat, in_thread, let_pass, take_seat, until

import battlebox as bb
from battlebox.core.laws import another_truth
from battlebox.server import hints
from battlebox.server.bot_players import BotPlayers
from battlebox.server.clock import ManualClock
from battlebox.server.hints import HINTS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    with in_thread(tmp_path_factory.mktemp("data"), **ROOMY) as running:
        yield running


@contextlib.contextmanager
def alone(server: InThread, *bots: str, **more: Any) -> Iterator[tuple[Seat, str]]:
    """Somebody against bots, who is to move; and the match."""
    made = server.make(["you", *(bots or ("random", "random"))], seed=5, **more)
    with Seat(server, made["id"], made["token"]) as who:
        their_turn(who)
        yield who, made["id"]


@contextlib.contextmanager
def slow_hints() -> Iterator[tuple[threading.Event, threading.Event]]:
    """Hints are thought about until they may go on; whether one has begun, and that they may."""
    begun, go_on = threading.Event(), threading.Event()

    def hint(*a: Any) -> Any:
        begun.set()
        go_on.wait(PATIENCE)
        return []

    with mock.patch.object(hints, "hint", hint):
        yield begun, go_on


def their_turn(who: Seat) -> None:
    """Hears until they may choose."""
    while not who.look()["scene"]["choices"]:
        who.hear()


def ask(who: Seat, id: str = "hint") -> dict[str, Any]:
    """The answer to a question for a hint."""
    who.send(type="hint", id=id)
    while (answer := who.hear_until("hint", "refused")).get("id") != id:
        pass
    return answer


def code_of(answer: dict[str, Any]) -> str:
    """Why it was refused."""
    assert answer["type"] == "refused", answer
    assert answer["error"]["message"].isprintable()
    return str(answer["error"]["code"])


def do(who: Seat, id: str) -> None:
    """The first of their choices."""
    action = who.frame["scene"]["choices"][0]["action"]
    assert who.act(id, action)["type"] == "ack"


# ---- what a hint says ----------------------------------------------------------------------------
@pytest.mark.parametrize("frames", ["scene", "data"])
def test_it_says_what_champion_would_play(server: InThread, frames: str) -> None:
    with alone(server) as (first, id):
        token = server.rooms.services.tokens.seat_token(id, 0)
        with Seat(server, id, token, frames) as who:
            who.look()
            before, match = server.mark(id), server.room(id).session.match
            told = ask(who)["choices"]
            assert told[0]["action"] == bb.bot("champion", match.rules).choose(match.observation(0))
            assert 1 < len(told) <= HINTS
            assert {x["action"] for x in told} <= set(match.choices(0))
            assert all(-1 <= x["expected"] <= 1 for x in told)
            assert ask(first, "again")["choices"] == told
            assert server.mark(id) == before  # nor is it in the log


def test_it_is_thought_about_once(server: InThread) -> None:
    with (
        alone(server) as (who, _),
        mock.patch.object(hints, "hint", wraps=hints.hint) as thinking,
    ):
        first = ask(who)["choices"]
        assert ask(who, "again")["choices"] == first
        assert thinking.call_count == 1
        do(who, "on")
        their_turn(who)
        assert ask(who, "then")["type"] == "hint"
        assert thinking.call_count == 2


def test_it_is_the_same_whatever_is_hidden(server: InThread) -> None:
    told = []
    for k in range(4):
        with alone(server) as (who, id):
            match = server.room(id).session.match
            known, truth = match.known(0), match.digest()
            if k:
                match.put(another_truth(match, 0, random.Random(k))._array)
            assert match.known(0) == known
            assert (match.digest() == truth) == (k == 0)
            told.append(ask(who)["choices"])
    assert told[1:] == told[:1] * 3


@pytest.mark.parametrize("holds", [True, False])
def test_in_a_response_window_it_is_for_who_is_asked(tmp_path: Path, holds: bool) -> None:
    with in_the_box(), in_thread(tmp_path, response_window=24, **ROOMY) as server:
        options = {"players": 4, "rounds": 2}
        made = server.make(["you", *["random"] * 3], game="window", options=options, seed=2)
        match = server.room(made["id"]).session.match
        deal(match, *([0] if holds else []))
        with Seat(server, made["id"], made["token"]) as who:
            their_turn(who)
            assert (
                ask(who, "first")["type"] == "hint"
            )  # compiled, which may take longer than all wait
            action = int(strike(1)[1:])
            assert who.act("strike", action)["type"] == "ack"
            while "countdown" not in who.frame:
                who.hear()
            answer = ask(who)
            if holds:
                words = {match.word(x["action"], 0) for x in answer["choices"]}
                assert words == {SAVE, DECLINE}
            else:
                assert code_of(answer) == "not_your_turn"


def test_nobody_else_hears_of_it(server: InThread) -> None:
    with alone(server) as (who, id):
        ask(who, "first")  # the first of all is prepared for, which everybody is told
        with Seat(server, id, None) as watching:
            watching.look()
            for x in (who, watching):
                while x.room.get("watching") != 1:
                    x.hear()
                x.heard.clear()
            assert ask(who)["type"] == "hint"
            assert len(who.heard) == 1
            assert who.want("rename", "mark", name="Eve")["type"] == "ack"
            while watching.hear()["type"] != "room":
                pass
            assert len(watching.heard) == 1


# ---- what is refused -----------------------------------------------------------------------------
def test_where_people_meet_there_are_none(server: InThread) -> None:
    made = server.make(["you", "open", "random"], seed=5)
    with Seat(server, made["id"], made["token"]) as host:
        invitation = host.invite(1)
        assert "hint" not in host.room["may"]
        assert code_of(ask(host)) == "not_allowed"
        token = take_seat(server, made["id"], invitation, "Ben")
        with Seat(server, made["id"], token) as guest:
            guest.hear_until("room")
            assert "hint" not in guest.room["may"]
            assert code_of(ask(guest)) == "not_allowed"
            assert guest.want("resign", "enough")["type"] == "ack"
        assert code_of(ask(host, "now")) == "not_allowed"  # they may be looking over a shoulder


def test_a_seat_that_is_given_to_a_bot_makes_one_alone(server: InThread) -> None:
    made = server.make(["you", "open"], seed=5)
    with Seat(server, made["id"], made["token"]) as host:
        host.invite(1)
        assert host.want("fill_seat", "f", seat=1, level="random")["type"] == "ack"
        assert "hint" in host.room["may"]
        their_turn(host)
        assert ask(host)["type"] == "hint"


def test_who_watches_gets_none(server: InThread) -> None:
    with alone(server) as (_, id), Seat(server, id, None) as watching:
        assert code_of(ask(watching)) == "not_allowed"


def test_only_who_is_to_move_gets_one(server: InThread) -> None:
    with (
        alone(server) as (who, id),
        mock.patch.object(BotPlayers, "to_act", None),  # they think for ever
    ):
        session = server.room(id).session
        while 0 in session.deciding:
            their_turn(who)
            do(who, f"{session.length}")
        assert code_of(ask(who)) == "not_your_turn"


def test_after_the_end_there_is_nothing_to_hint_at(server: InThread) -> None:
    with alone(server) as (who, _):
        assert who.want("resign", "r")["type"] == "ack"
        assert "hint" not in who.room["may"]
        assert code_of(ask(who)) == "over"


def test_one_at_a_time_and_none_for_a_position_that_is_gone(server: InThread) -> None:
    with alone(server) as (who, id), slow_hints() as (begun, go_on):
        token = server.rooms.services.tokens.seat_token(id, 0)
        with Seat(server, id, token) as other:
            other.look()
            who.send(type="hint", id="slow")
            assert begun.wait(PATIENCE)
            assert code_of(ask(who, "more")) == "busy"
            assert code_of(ask(other, "too")) == "busy"
            do(who, "on")  # nobody has to wait for it
            go_on.set()
            while (answer := who.hear_until("hint", "refused"))["id"] != "slow":
                pass
            assert code_of(answer) == "stale"


def test_who_has_gone_leaves_nothing_behind(server: InThread) -> None:
    with alone(server) as (who, id), slow_hints() as (begun, go_on):
        room = server.room(id)
        who.send(type="hint", id="slow")
        assert begun.wait(PATIENCE)
        who.close()
        until(lambda: not room.hints._asking)
        go_on.set()
    assert server.healthy()


def test_what_breaks_is_told_and_the_socket_goes_on(server: InThread) -> None:
    with alone(server) as (who, _):
        with mock.patch.object(hints, "hint", side_effect=ArithmeticError("9")):
            assert code_of(ask(who)) == "broken"
        assert ask(who, "again")["type"] == "hint"


def test_one_that_hangs_is_given_up(tmp_path: Path) -> None:
    clock = ManualClock()
    with (
        in_thread(tmp_path, **{**ROOMY, "clock": clock, "decision": 300}) as server,
        alone(server) as (who, _),
        slow_hints() as (begun, go_on),
    ):
        who.send(type="hint", id="h")
        assert begun.wait(PATIENCE)
        let_pass(clock, 300)
        assert code_of(who.hear_until("hint", "refused")) == "broken"
        go_on.set()


def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server, alone(server) as (who, id):
        first, token = ask(who)["choices"], server.rooms.services.tokens.seat_token(id, 0)
    with in_thread(tmp_path, **ROOMY) as server, Seat(server, id, token) as who:
        their_turn(who)
        assert ask(who)["choices"] == first
