"""Matches on a server, joined at terminals that scripts type at."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Semaphore
from typing import Any
from unittest import mock

import pexpect
import pytest
from response_windows import SAVE, deal, in_the_box, shown_at_once, strike
from rich.console import Console, ConsoleDimensions
from serving import PATIENCE, ROOMY, InThread, Seat, in_process, in_thread, let_pass, until
from terminals import at_terminal, surroundings, type_until
from websockets.exceptions import ConnectionClosedError
from websockets.sync.client import ClientConnection

import battlebox as bb
from battlebox import cli
from battlebox.bots.review import review
from battlebox.client import link
from battlebox.client.client import LOST
from battlebox.client.connection import Connection, Failed, HangsUp, Lost, Picture, Reader
from battlebox.client.room_text import RESPONSES
from battlebox.client.state import RemoteState
from battlebox.core.errors import BattleboxError
from battlebox.links import qr_text
from battlebox.protocol import PROTOCOL
from battlebox.protocol.deltas import changes
from battlebox.protocol.http import problem
from battlebox.protocol.messages import EndInfo, RoomMessage
from battlebox.server import address, sockets
from battlebox.server.clock import ManualClock
from battlebox.server.log_events import read_event
from battlebox.server.room import Room
from battlebox.server.session import Session
from battlebox.server.views import ViewKey
from battlebox.terminal.join import join
from battlebox.terminal.remote import arrival, seat_tokens
from battlebox.terminal.remote.match import RemoteMatch
from battlebox.terminal.screen import Screen, Wake, Woken, _Line

NAME, CHOICE, WAITING, AGAIN = r"Your name \[", r"choice, \d|^Enter: ", r"^Waiting", r"^a: again"
NEWER = PROTOCOL + 1  # what a server speaks that was updated
# what is typed at a prompt, under all that was shown since the last line that was typed; None:
# nothing, until something happens
Answer = Callable[[str, str], str | None]


class Typist:
    """Somebody at a terminal: `answer` says what is typed at each prompt."""

    def __init__(self, answer: Answer, *, terminal: bool = True) -> None:
        self.out, self.wake, self.answer = io.StringIO(), Wake(), answer
        self.console = Console(file=self.out, width=80, height=24, force_terminal=terminal)
        self.prompts: list[str] = []
        self._from = 0

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        line = self.answer(prompt, self.fresh)
        if line is None:
            assert self.wake.rung.wait(PATIENCE), f"nothing happens at {prompt!r}:\n{self.text}"
            raise Woken
        self.out.write(f"{prompt}{line}\n")
        self._from = len(self.text)
        return line

    @property
    def fresh(self) -> str:
        """What was shown since the last line that was typed."""
        return self.text[self._from :]

    @property
    def text(self) -> str:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.out.getvalue())

    @property
    def flat(self) -> str:
        return " ".join(self.text.split())


def at_random(seed: int, name: str = "Ben") -> Answer:
    """Plays what is offered, to the end."""
    rng = random.Random(seed)

    def answer(prompt: str, screen: str) -> str | None:
        if found := re.search(r"choice, (\d+) to (\d+)", prompt):
            return str(rng.randint(int(found[1]), int(found[2])))
        if re.search(NAME, prompt):
            return name
        return "q" if re.search(AGAIN, prompt) else "" if prompt.startswith("Enter: ") else None

    return answer


def says(*steps: tuple[str, ...]) -> Answer:
    """Types each line at the next prompt that its pattern finds; then there is no more to read.

    A third text of a step must stand on the screen as well.
    """
    left = list(steps)

    def answer(prompt: str, screen: str) -> str | None:
        if not left:
            raise EOFError
        wanted, line, *shown = left[0]
        if not re.search(wanted, prompt) or not all(x in screen for x in shown):
            return None
        left.pop(0)
        return line

    return answer


class Guest(threading.Thread):
    """Joins in a thread of its own."""

    def __init__(
        self, url: str, answer: Answer, name: str | None = None, *, terminal: bool = True
    ) -> None:
        super().__init__(daemon=True)
        self.url, self.typist, self.named = url, Typist(answer, terminal=terminal), name
        self.end: EndInfo | None = None
        self.trouble: BaseException | None = None
        self.start()

    def run(self) -> None:
        p = self.typist
        try:
            self.end = join(self.url, self.named, console=p.console, ask=p, wake=p.wake)
        except BaseException as e:
            self.trouble = e

    def done(self) -> Typist:
        """Waits until they have left."""
        self.join(3 * PATIENCE)
        assert not self.is_alive(), self.typist.text
        if self.trouble:
            raise self.trouble
        return self.typist


class Meet:
    """A match of people: its links, by seat and for spectators."""

    def __init__(self, server: InThread, *seats: str, **more: Any) -> None:
        self.server, self.made = server, server.make(list(seats), **more)
        self.id = self.made["id"]
        self.watch = f"{server.url}/match/{self.id}"
        sorts = {"you": "seat", "open": "invitation"}
        self.seats = {
            p: f"{self.watch}#{self.token(p, sorts[x])}" for p, x in enumerate(seats) if x in sorts
        }

    def token(self, seat: int, sort: str = "seat") -> str:
        tokens = self.server.rooms.services.tokens
        return (tokens.invitation if sort == "invitation" else tokens.seat_token)(self.id, seat)

    @property
    def history(self) -> list[tuple[int, str]]:
        store = self.server.rooms.store
        setup = store.setup(self.id)
        assert setup is not None
        session = Session(setup)
        for x in store.entries(self.id):
            session.apply(read_event(x.body))
        return list(session.match.history)

    def drop(self) -> None:
        """The server forgets the match, and hangs up on everybody who looks at it."""
        room = self.server.rooms._live.get(self.id)
        if room is not None and any(x.connections for x in list(room.views.values())):
            self.server.loop.call_soon_threadsafe(self.server.rooms.drop, room)


def one(url: str, answer: Answer, name: str | None = None) -> Typist:
    """Joins, and waits until they have left."""
    return Guest(url, answer, name).done()


@pytest.fixture(autouse=True)
def _own_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_tokens, "path", lambda: tmp_path / "keys" / "seats.json")


# ---- whole matches -------------------------------------------------------------------------------
def test_a_match_of_two_terminals_and_two_who_watch(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", options={"start_health": 8})
    watching = [Guest(meet.watch, at_random(0), terminal=x) for x in (True, False)]
    live_server.watched(meet.id, None, 2)
    ada = Guest(meet.seats[0], at_random(1))
    ben = Guest(meet.seats[1], at_random(2), "Ben", terminal=False)
    for guest in (ada, ben, *watching):
        seen = guest.done()
        assert guest.end is not None
        assert guest.end.reason == "rules"
        assert re.search(r"Ada\b.* (won|lost|shared)", seen.text)
        assert re.search(r"Ben\b.* (won|lost|shared)", seen.text)
        assert f"To see it again: {live_server.url}/replay/{meet.id}" in seen.text
        assert "Taken back" not in seen.text
    record = live_server.ask("GET", f"/api/matches/{meet.id}/record").text
    assert bb.replay(record).history == meet.history
    assert "Ada (you)" in ada.typist.text
    assert "Your hand" not in watching[0].typist.text
    whole = watching[1].typist
    assert whole.prompts == []
    assert "Ben joined." in whole.text or "Ben gets" in whole.text
    assert "attacks" in whole.text


def test_bots_are_named_by_their_levels_and_a_live_table_fits_the_screen(
    live_server: InThread,
) -> None:
    meet = Meet(live_server, "you", "random", "random", options={"start_health": 5})
    p = one(meet.seats[0], at_random(3))
    assert "Mara · random" in p.text
    for screen in p.out.getvalue().split("\x1b[H")[1:]:
        assert screen.count("\n") <= 24 or "a: again" in screen


def test_a_seat_whose_player_has_gone_waits_for_him(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", seed=7)
    p = one(meet.seats[0], says((CHOICE, "0"), (WAITING, "q")))
    assert "Waiting for somebody to take Seat B (? help) > " in p.prompts[1]
    assert "You left. The match goes on here, and your seat is kept. To come back:" in p.text
    assert f"battlebox join '{meet.seats[0]}'" in p.text
    assert f"  {meet.seats[1]}\n" in p.text, "the link that can be sent to a friend"
    assert (
        "The link works on this machine only. To play with others in your network, start" in p.flat
    )
    assert "▀" not in p.text, "a QR code of a link that leads nowhere"
    away = "^Waiting for Ada, who is away"
    q = one(meet.seats[1], says(*[(CHOICE, "0")] * 3, (away, "q")), "Ben")
    assert "Ada · away" in q.text
    assert meet.history == [(0, "pass"), *[(1, "pass")] * 3]


# ---- names ---------------------------------------------------------------------------------------
def test_a_name_is_asked_for_where_a_seat_is_free(
    live_server: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrival, "login", lambda: "grace")
    meet = Meet(live_server, "you", "open", "open", "open")
    p = one(meet.seats[1], says((NAME, "you"), (NAME, "  Ben "), (WAITING, "q")))
    assert p.text.startswith("War Zone, with Ada.\nSeat B is free. Your name [grace] > you")
    assert "would be misread on every screen" in p.flat
    one(meet.seats[2], says((NAME, ""), (WAITING, "q")))
    one(meet.seats[3], says((WAITING, "q")), "x" * 300)
    again = one(meet.seats[1], says((WAITING, "q")))  # the seat has its name already
    assert not any("name" in x for x in again.prompts)
    one(meet.seats[1], says((WAITING, "q")), "Benjamin")
    seats = live_server.room(meet.id).session.seats
    assert [x.name for x in seats] == ["Ada", "Benjamin", "grace", "x" * 24]


def test_where_nobody_can_be_asked_the_login_name_is_taken(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")
    p = Typist(says(), terminal=False)
    guest = threading.Thread(
        target=join, args=(meet.seats[1],), kwargs={"console": p.console, "live": False}
    )
    guest.start()  # it waits for Ada, and hears that she gives up
    until(lambda: live_server.room(meet.id).session.seats[1].name)
    assert live_server.room(meet.id).session.seats[1].name == arrival.login()[:24]
    with Seat(live_server, meet.id, meet.made["token"]) as ada:
        assert ada.want("resign", "r")["type"] == "ack"
    guest.join(PATIENCE)
    assert not guest.is_alive()
    assert "gave up" in p.flat


def test_a_name_that_cannot_be_is_an_error(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")
    with pytest.raises(BattleboxError, match="would be misread"):
        one(meet.seats[1], says(), "You")


def test_an_invitation_works_once_and_again_for_who_took_the_seat(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", "easy")
    took = one(meet.seats[1], says((WAITING, "q")), "Ben")
    own = f"{meet.watch}#{meet.token(1)}"
    assert f"battlebox join '{own}'" in took.text
    assert seat_tokens.path().stat().st_mode & 0o077 == 0
    assert "Ben (you)" in one(meet.seats[1], says((WAITING, "q"))).text
    assert "Ben (you)" in one(own, says((WAITING, "q"))).text
    for damage in ("", "[]", '{"x": 1', json.dumps({meet.seats[1]: "nonsense"})):
        seat_tokens.path().write_text(damage)
        other = one(meet.seats[1], says((WAITING, "q")), "Carl")
        assert "! Somebody else has the seat of this link: you are watching." in other.text
        assert "You left. To come back:" in other.text
    assert [x.name for x in live_server.room(meet.id).session.seats] == ["Ada", "Ben", "Mara"]


def test_two_who_take_the_same_seat(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")

    def late(prompt: str, screen: str) -> str:
        one(meet.seats[1], says((WAITING, "q")), "Carl")
        seat_tokens.path().unlink()
        return "Ben"

    with pytest.raises(BattleboxError, match="Somebody has already taken this seat"):
        one(meet.seats[1], late)


def test_a_home_that_cannot_be_written_stops_nobody(
    live_server: InThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(seat_tokens, "path", lambda: tmp_path / "file" / "seats.json")
    meet = Meet(live_server, "you", "open")
    assert "Ben (you)" in one(meet.seats[1], says((WAITING, "q")), "Ben").text


# ---- links for friends ----
def unpainted(text: str) -> str:
    """Without the colours of a terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


def test_a_link_for_a_friend_is_one_that_works_elsewhere_with_a_qr_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for who sits at the server's own machine; where there is no room, `qr` shows it."""
    monkeypatch.setattr(address, "network_address", lambda: "192.0.2.7")
    with in_thread(tmp_path, how={"lan": True}, **ROOMY) as server:
        meet = Meet(server, "you", "open", seed=1)
        friend = f"http://192.0.2.7:{server.port}/match/{meet.id}#{meet.token(1, 'invitation')}"
        code = unpainted(qr_text(friend))
        low = one(meet.seats[0], says((WAITING + "|" + CHOICE, "qr"), ("Enter: ", ""), ("", "q")))
        high = Typist(says((WAITING + "|" + CHOICE, "q")))
        high.console.height = 60
        join(meet.seats[0], console=high.console, ask=high, wake=high.wake)
        narrow = Typist(says((WAITING + "|" + CHOICE, "q")))
        narrow.console.size = ConsoleDimensions(30, 60)
        join(meet.seats[0], console=narrow.console, ask=narrow, wake=narrow.wake)
    before, shown, after = low.text.partition("Type qr for a QR code")
    assert shown
    assert friend in before
    assert code not in before
    assert code in after
    assert f"{friend}\n{code}\n" in high.text
    assert "█" not in narrow.text.partition(friend)[2]


# ---- what can be typed ---------------------------------------------------------------------------
def test_the_desk_answers_from_what_the_server_says(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", mode="Standard")
    asked = ["?", "? 1", "t", "l", "r", "r wz-42", "r none", "s", "xyzzy", "put", "? 77", "", "q"]
    p = one(meet.seats[0], lambda prompt, _: "" if prompt.startswith("--") else asked.pop(0))
    book = bb.load("war_zone").game.rulebook
    told = re.sub("-- Enter: more .*? -- ", "", p.flat)  # where a page ends, the hands decide
    for wanted in (
        "resign give up; you are asked whether you are sure",
        "word: RE; rules:" if "word: RE" in p.flat else "; rules: ",
        book["WZ-42"][:60],
        "(Standard). Options: 2 players; ",
        "Commitment to fair chance: ",
        "The server keeps the match",
        "There is no rule 'none': type r to read all of them.",
        "'xyzzy' is not one of your choices. Type a number, a word such as ",
        "'put' could be: [1] Put ",
        "There is no choice '77'",
        "You have several choices",
    ):
        assert wanted in told, wanted
    assert meet.history == []


def test_who_watches_may_look_but_not_play(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")
    lines = ["u", "draw", "resign", "0", "l", "", "?", "", "", "q"]
    p = one(meet.watch, lambda prompt, _: lines.pop(0))
    assert p.text.count("! You are watching: only players can do that.") == 3
    assert "'0': you have nothing to choose now" in p.text
    assert "You left. To come back:" in p.text
    assert "offer a draw" not in p.text


def test_a_hint_is_for_who_plays_bots_alone(live_server: InThread) -> None:
    alone = one(Meet(live_server, "you", "random").seats[0], says((CHOICE, "hint"), (CHOICE, "q")))
    assert "The strongest bot would choose: " in alone.flat
    among = Meet(live_server, "you", "open")
    assert (
        "hint     what the strongest bot would do"
        in one(among.seats[0], says((CHOICE, "?"), ("Enter: more", "q"), (CHOICE, "q"))).text
    )
    said = one(among.seats[0], says((CHOICE, "hint"), (CHOICE, "q")))
    assert "would choose" not in said.flat
    assert "Hints are only for matches" in said.flat


# ---- undo, draw, giving up -----------------------------------------------------------------------
def test_what_was_done_last_is_taken_back_if_the_others_agree(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", seed=7)
    ben = Guest(
        meet.seats[1],
        says((r"^y or n", "n"), (r"^y or n", "what"), (r"^y or n", "y"), (CHOICE, "q")),
        "Ben",
    )
    live_server.watched(meet.id, 1)
    watching = Guest(meet.watch, at_random(0))
    live_server.watched(meet.id, None)
    ada = Guest(
        meet.seats[0],
        says(
            (CHOICE, "u"),
            (CHOICE, "1"),
            (CHOICE, "u"),
            (CHOICE, "?", "The undo was declined."),
            ("^--", "q"),
            (CHOICE, "u"),
            (CHOICE, "2", "Taken back: You put"),
            (CHOICE, "0"),
            (WAITING, "resign"),
            ("are sure", "no"),
            (WAITING, "q"),
        ),
    )
    seen = ada.done().flat
    ben.done()
    assert "This cannot be taken back: nothing has been done yet." in seen
    assert "The undo was declined." in seen
    assert "Taken back: You put " in seen
    assert "! You asked to undo the last decision. Waiting for Ben to answer." in seen
    assert "You play on." in seen
    assert "! Ada asks to undo the last decision: y or n?" in ben.typist.text
    with live_server.dial(meet.id):
        pass
    assert [seat for seat, _ in meet.history] == [0, 0]
    live_server.ask("GET", "/health")
    with Seat(live_server, meet.id, meet.made["token"]) as host:
        assert host.want("resign", "r")["type"] == "ack"
    assert "Taken back: Ada puts a card" in watching.done().flat
    assert "Ada gave up: Ben wins." in watching.typist.flat


def test_a_draw_is_offered_declined_and_agreed_on(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")
    ben = Guest(meet.seats[1], says((r"^y or n", "N"), (WAITING, "draw"), (AGAIN, "q")), "Ben")
    live_server.watched(meet.id, 1)
    ada = Guest(
        meet.seats[0],
        says((CHOICE, "draw"), (r"^y or n, or your choice", "draw"), (AGAIN, "q")),
    )
    seen = ada.done()
    ben.done()
    assert "The draw was declined: the match goes on." in seen.flat
    for guest in (ada, ben):
        assert guest.end is not None
        assert guest.end.reason == "draw"
        assert guest.typist.flat.count(" shared ") == 2
        assert "A draw was agreed on." in guest.typist.flat


def test_an_agreement_of_the_game_is_offered_declined_and_made(live_server: InThread) -> None:
    """The player to choose offers it, the other says no, offers it in turn, and is accepted."""
    meet = Meet(live_server, "you", "open", game="battleball", seed=7)
    ben = Guest(
        meet.seats[1],
        says(
            (CHOICE, "preset:1"),
            (r"^y or n", "n", "Ada offers to halt play: y or n?"),
            (WAITING, "offer to halt play"),
            (WAITING, "q", "both coaches agree"),
        ),
        "Ben",
    )
    live_server.watched(meet.id, 1)
    ada = Guest(
        meet.seats[0],
        says(
            (CHOICE, "preset:1"),
            (CHOICE, "offer to stop play", "Choose a piece"),
            (CHOICE, "offer to halt play", "You cannot propose 'stop play' now"),
            (r"^y or n", "Offer to halt play", "Ben offers to halt play: y or n?"),
            (CHOICE, "q", "both coaches agree"),
        ),
    )
    seen = ada.done()
    ben.done()
    assert "The offer to halt play was declined: the match goes on." in seen.flat
    history = live_server.room(meet.id).session.match.history
    assert history == [(0, "preset:1"), (1, "preset:1"), (None, "halt play")]


def test_giving_up_and_the_next_match(
    live_server: InThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = partial(review, simulations=3, compiled=False)
    monkeypatch.setattr(sys.modules["battlebox.terminal.review"], "judge", quick)
    meet = Meet(live_server, "you", "open")
    kept = tmp_path / "kept.match"
    ben = Guest(meet.seats[1], says((AGAIN, "a"), (f"{CHOICE}|{WAITING}", "q")), "Ben")
    live_server.watched(meet.id, 1)
    steps = [(CHOICE, "1"), (CHOICE, "resign"), ("are sure", "yes"), (AGAIN, "?")]
    steps += [(AGAIN, "l"), ("^--", ""), (AGAIN, "r"), ("^--", "")]
    save = [(AGAIN, f"s {kept}"), (AGAIN, f"s {kept}"), (AGAIN, "s /no/such/place")]
    ada = Guest(meet.seats[0], says(*steps, *save, (AGAIN, "a"), (f"{CHOICE}|{WAITING}", "q")))
    seen = ada.done()
    assert "Ada gave up: Ben wins." in seen.flat
    assert re.search(
        r"You: \d+ % to win at the start.*luck .* Ben: \d+ % to win at the start", seen.flat
    )
    assert "1 decision: " in seen.flat
    assert f"battlebox replay {kept}" in seen.text
    commitment = live_server.room(meet.id).session.commitment
    assert f"battlebox verify {kept} --commitment {commitment}" in seen.text
    assert "already exists" in seen.text
    assert "Not saved: /no/such/place" in seen.text
    assert bb.replay(kept.read_text()).history == meet.history
    ben.done()
    assert ben.typist.text.count("battlebox join") == 1
    assert live_server.room(meet.id).rematch in ben.typist.text


def test_who_gave_up_among_several_watches_on(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open", "open")
    others = [Guest(meet.seats[p], at_random(p), f"Guest {p}") for p in (1, 2)]
    for p in (1, 2):  # they have sat down, and look
        live_server.watched(meet.id, p)
    steps = (CHOICE, "resign"), ("are sure", "yes"), (WAITING, "u"), (WAITING, "q")
    # a bot would have to be compiled: nobody waits for it here
    live_server.room(meet.id)._playing = object()  # type: ignore[assignment]
    seen = one(meet.seats[0], says(*steps))
    assert "You gave up: a bot plays on." in seen.flat
    assert "You are watching: only players can do that." in seen.flat
    until(lambda: "Ada gave up: a bot plays on." in others[0].typist.flat)
    for x, p in zip(others, (1, 2), strict=True):
        with Seat(live_server, meet.id, meet.token(p)) as seat:
            seat.want("resign", f"r{p}")
        del x


# ---- connections that break ----------------------------------------------------------------------
def test_a_match_goes_on_over_sockets_that_break(live_server: InThread) -> None:
    meet, turns = Meet(live_server, "you", "open", options={"start_health": 8}), Semaphore(0)

    def in_turn(seed: int) -> Answer:
        """Plays no faster than it is let."""
        plays = at_random(seed)

        def answer(prompt: str, screen: str) -> str | None:
            if re.search(CHOICE, prompt):
                assert turns.acquire(timeout=PATIENCE)
            return plays(prompt, screen)

        return answer

    guests = [
        Guest(meet.seats[p], in_turn(p), None if p == 0 else "Ben", terminal=p == 0) for p in (0, 1)
    ]
    for p in (0, 1):
        live_server.watched(meet.id, p)

    def all_gone() -> bool:  # the match ended before the last break, so nobody comes back
        return not any(x.is_alive() for x in guests)

    for k in range(6):  # at any moment
        until(lambda k=k: turns.release() or all_gone() or len(meet.history) > 4 * k)
        meet.drop()  # it is opened again by the first to come back
        until(lambda: all_gone() or meet.id in live_server.rooms._live)
    turns.release(1_000)
    for x in guests:
        seen = x.done()
        assert LOST in seen.text
        assert "Reconnected." in seen.text
        assert x.end is not None
        assert x.end.reason == "rules"
    record = live_server.ask("GET", f"/api/matches/{meet.id}/record").text
    assert bb.replay(record).over


@pytest.mark.parametrize("arrived", [True, False], ids=["it was done", "it did not arrive"])
def test_what_was_not_acknowledged_is_done_once(
    live_server: InThread, monkeypatch: pytest.MonkeyPatch, arrived: bool
) -> None:
    meet = Meet(live_server, "you", "open")
    sent: list[dict[str, Any]] = []
    real, hear, deaf = ClientConnection.send, ClientConnection.recv, threading.Event()

    def recv(self: ClientConnection, timeout: float | None = None) -> str | bytes:
        heard = hear(self, timeout)
        if deaf.is_set():  # what answers the first message is lost with the connection
            self.socket.shutdown(socket.SHUT_RDWR)
            deaf.clear()
            raise ConnectionClosedError(None, None)
        return heard

    def send(self: ClientConnection, message: str) -> None:
        said = json.loads(message)
        if said["type"] != "act":
            real(self, message)
            return
        sent.append(said)
        if len(sent) > 1:
            real(self, message)
        elif arrived:
            deaf.set()
            real(self, message)
        else:
            self.socket.shutdown(socket.SHUT_RDWR)

    monkeypatch.setattr(ClientConnection, "send", send)
    monkeypatch.setattr(ClientConnection, "recv", recv)
    p = one(meet.seats[0], says((CHOICE, "1"), (CHOICE, "q")))
    assert len(meet.history) == 1
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert "Reconnected." in p.text


def test_a_choice_that_a_server_never_got_counts_after_it_has_read_the_match_again(
    live_server: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet = Meet(live_server, "you", "open")
    real, sent = ClientConnection.send, list[str]()

    def send(self: ClientConnection, message: str) -> None:
        if json.loads(message)["type"] == "act":
            sent.append(message)
            if len(sent) == 1:  # it never arrives, and the server forgets the run
                meet.drop()
                until(lambda: meet.id not in live_server.rooms._live)
                return
        real(self, message)

    monkeypatch.setattr(ClientConnection, "send", send)
    one(meet.seats[0], says((CHOICE, "1"), (CHOICE, "q")))
    assert len(meet.history) == 1
    assert len(sent) == 2  # lost, done
    assert sent[0] == sent[1], "the same choice, under its id: the server decides"


def test_a_choice_made_while_the_server_is_away_is_done_when_it_is_back(tmp_path: Path) -> None:
    """One that was sent and not read, and one that was not even sent."""
    goes, lines = threading.Event(), list[str]()  # what was typed

    def answer(prompt: str, screen: str) -> str | None:
        if not re.search(CHOICE, prompt):
            return None
        if "1 more card" in screen:
            return "q"
        if len(lines) == 0:
            server.process.send_signal(signal.SIGSTOP)
        elif len(lines) == 2 or not (goes.is_set() and LOST in screen):
            return None
        lines.append("1")
        return "1"

    with in_process(tmp_path) as server:
        made, port = server.make(["you", "random"], options={"mulligan": 3}), server.port
        guest = Guest(f"{server.url}/match/{made['id']}#{made['token']}", answer)
        until(lambda: lines)
        server.process.kill()
    with in_process(tmp_path, port=port) as server:
        until(lambda: "up to 2 more" in guest.typist.fresh)
        goes.set()
        server.process.kill()
        until(lambda: len(lines) == 2)
    with in_process(tmp_path, port=port) as server:
        seen = guest.done()
        asked = server.ask("GET", f"/api/matches/{made['id']}", made["token"]).json()
        assert "1 more card" in asked["prompt"]
    assert "The match has moved on" not in seen.text


# ---- leaving -------------------------------------------------------------------------------------
@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
@pytest.mark.parametrize("where", [NAME, CHOICE])
def test_leaving_says_how_to_come_back(
    live_server: InThread, end: type[BaseException], where: str
) -> None:
    meet = Meet(live_server, "you", "open")

    def answer(prompt: str, screen: str) -> str:
        assert re.search(where, prompt)
        raise end

    url = meet.seats[1 if where == NAME else 0]
    p = one(url, answer)
    assert f"To come back:\n  battlebox join '{url}'\n" in p.text
    assert meet.history == []


# ---- wrong links ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "text",
    [
        "",
        "k3v9",
        "127.0.0.1:8765/match/k3v9",
        "ftp://here/match/k3v9",
        "http://here/",
        "http://here/replay/k3v9",
        "http://here/match/",
        "http://here/match/a/b",
        "http:///match/k3v9",
        "http://here:99999/match/k3v9",
        "http://[::1/match/k3v9",
        "http://here/match/k3 v9",
        "http://me@here/match/k3v9",
    ],
)
def test_what_is_no_link_is_said_with_what_one_looks_like(text: str) -> None:
    with pytest.raises(BattleboxError, match=r"not a link.*looks like http"):
        join(text)


@pytest.mark.parametrize(
    ("host", "here"),
    [("127.0.0.1:8", True), ("localhost", True), ("[::1]:8", True), ("192.168.0.7:8", False)],
)
def test_a_link_knows_whether_it_works_on_this_machine_only(host: str, here: bool) -> None:
    assert link.read(f"http://{host}/match/k3v9").is_here == here


def test_links_are_read_as_they_were_sent() -> None:
    found = link.read(" https://example.org/games/match/k3-_9/#aB-_9= \n")
    assert (found.base, found.match, found.token) == (
        "https://example.org/games",
        "k3-_9",
        "aB-_9=",
    )
    assert found.socket == "wss://example.org/games/api/matches/k3-_9/live"
    assert str(found.sit(None)) == "https://example.org/games/match/k3-_9"
    assert link.read("http://[::1]:9/match/x#").token is None
    with pytest.raises(BattleboxError, match="is not a token"):
        link.read("http://here/match/x#%C3%A4")


def test_links_that_lead_nowhere(live_server: InThread) -> None:
    meet = Meet(live_server, "you", "open")
    for url, why in (
        (f"{live_server.url}/match/nothing", "There is no such match"),
        (f"{meet.watch}#wrong", "does not belong to a seat of this match"),
        (f"http://localhost.invalid:{live_server.port}/match/x", "cannot be reached"),
    ):
        with pytest.raises(BattleboxError, match=why):
            one(url, says())


def test_nobody_listens_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        monkeypatch.setattr(sys, "argv", ["battlebox", "join", f"{url}/match/x"])
        with pytest.raises(SystemExit) as e:
            cli.main()
    said = capsys.readouterr()
    assert e.value.code == 2
    assert said.out == ""
    assert said.err == f"battlebox: {url} cannot be reached: Connection refused\n"


@contextlib.contextmanager
def stranger(status: int, body: bytes, **headers: str) -> Iterator[str]:
    """A server of something else; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join(PATIENCE)


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (200, b"<html>Hello</html>", "is not a battlebox server"),
        (200, b'["something else"]', "is not a battlebox server"),
        (200, b'{"something": "else"}', "is not a battlebox server"),
        (200, b"[" * 100_000, "is not a battlebox server"),
        (404, b"Not here", "is not a battlebox server"),
        (502, b"<html>Bad gateway</html>", "does not work right now .HTTP status 502"),
        (302, b"", "redirects to http://elsewhere.invalid/"),
        (403, b'{"error": {"message": "Nobody\\u001b[2J may."}}', r"^Nobody \[2J may\.$"),
        (200, b'{"room": {}}', "its match cannot be joined: "),
    ],
)
def test_what_answers_is_no_battlebox(status: int, body: bytes, why: str) -> None:
    with (
        stranger(status, body, Location="http://elsewhere.invalid/") as url,
        pytest.raises(BattleboxError, match=why),
    ):
        one(f"{url}/match/x", says())


def test_a_node_that_its_database_does_not_answer_is_asked_again(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server:
        made = server.make(["you", "open"])
        there = link.read(f"{server.url}/match/{made['id']}#{made['token']}")
        silent = mock.patch.object(type(server.rooms.store), "answers", False)
        silent.start()
        try:
            with Connection(there) as lasting:
                assert isinstance(lasting.next(PATIENCE), Lost)
                silent.stop()
                until(lambda: isinstance(lasting.next(), Picture))
        finally:
            mock.patch.stopall()


def test_a_server_that_is_full_says_so(tmp_path: Path) -> None:
    full = problem("too_many", "Too many windows\x1b[2J are open at this server.")
    with mock.patch.object(sockets, "FULL", full), in_thread(tmp_path, sockets=0) as server:
        made = server.make(["you", "open"])
        with Connection(link.read(f"{server.url}/match/{made['id']}#{made['token']}")) as refused:
            failed = refused.next(PATIENCE)
        assert isinstance(failed, Failed)
        said = str(failed.error)
        assert re.search(r"cannot be joined: Too many windows.*are open at this server", said)
        assert "\x1b" not in said, "a server's words do not command a terminal"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"type": "room"}',
        '{"type": "room", "game": "x", "title": "X", "you": 3, '
        '"seats": [{"seat": 0, "name": "", "kind": "bot"}]}',
        '{"type": "frame", "run": "r", "n": 0, "keep": 0, "undo": false, "question": "", '
        '"told": [], "scene": {}}',
        '{"type": "frame", "run": "r", "n": 0, "keep": -1, "undo": false, "question": "", '
        '"told": [], "scene": {}}',
        '{"type": "refused", "id": "1"}',
        '{"type": "error", "error": {"code": "bad_token", "message": "Nonsense."}}',
    ],
)
def test_what_makes_no_sense_is_an_error(text: str) -> None:
    with pytest.raises(BattleboxError):
        Reader().read(text)
    assert Reader().read('{"type": "of a newer server"}') is None


def test_a_scene_that_cannot_be_drawn_is_refused_and_controls_are_blanked() -> None:
    scene = json.loads(bb.load("war_zone").match(1).scene(0).as_json)
    zones = [{**scene["zones"][0], "facts": {"points": "many", "points_of": []}}]
    with pytest.raises(BattleboxError, match="cannot be drawn"):
        Reader().read(frame(0, scene={**scene, "zones": zones}))
    found = Reader().read(frame(0, scene={**scene, "prompt": "a\x1b[2Jb\x9bc"}))
    assert isinstance(found, Picture)
    assert found.scene.prompt == "a [2Jb c"


def frame(n: int, **more: Any) -> str:
    """A frame as a server sends it, with a scene or changes."""
    head = {"type": "frame", "run": "r", "n": n, "keep": 0, "told": [], "undo": False}
    return json.dumps({**head, "question": f"q{n}", **more})


def test_what_has_changed_is_read_with_the_scene_before() -> None:
    """Where that is not known, the line is opened again, and the whole scene asked for."""
    m, reader = bb.load("war_zone").match(1), Reader()
    before = m.scene(0)
    m.submit(0, "pass")
    now, what = m.scene(0), json.loads(changes(before, m.scene(0)))
    first = reader.read(frame(4, scene=json.loads(before.as_json)))
    then = reader.read(frame(5, since=4, changes=what))
    assert isinstance(first, Picture)
    assert isinstance(then, Picture)
    assert (first.scene.to_dict(), then.scene.to_dict()) == (before.to_dict(), now.to_dict())
    assert (then.question, reader.run, reader.n) == ("q5", "r", 5)
    with pytest.raises(HangsUp, match="lost"):
        reader.read(frame(8, since=7, changes=what))
    assert (reader.run, reader.n) == ("", -1)


def test_a_lost_update_is_no_end(live_server: InThread, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection is opened again, and the hello says that nothing is known."""
    meet, hellos, lost = Meet(live_server, "you", "open"), list[dict[str, Any]](), list[str]()
    real, hear = ClientConnection.send, ClientConnection.recv

    def send(self: ClientConnection, message: str) -> None:
        hellos.extend(x for x in [json.loads(message)] if x["type"] == "hello")
        real(self, message)

    def recv(self: ClientConnection, timeout: float | None = None) -> str | bytes:
        heard = hear(self, timeout)
        said = json.loads(heard)
        if said.get("since") is None or lost:
            return heard
        lost.append(said["run"])
        return json.dumps({**said, "since": said["since"] + 1})

    monkeypatch.setattr(ClientConnection, "send", send)
    monkeypatch.setattr(ClientConnection, "recv", recv)
    p = one(meet.seats[0], says((CHOICE, "1"), (CHOICE, "1", "Reconnected."), (CHOICE, "q")))
    assert f"An update was lost. {LOST}" in p.flat
    assert [(x["run"], x["since"]) for x in hellos] == [("", -1), ("", -1)]
    assert len(meet.history) == 2


def test_a_server_of_another_protocol_is_named_with_what_to_do() -> None:
    for body, why in (
        (
            {"table": {}},
            rf"an older .* protocol 1, this one {PROTOCOL}\): ask its host to update it",
        ),
        (
            {"room": {"protocol": NEWER}},
            rf"a newer .* protocol {NEWER}, this one {PROTOCOL}\): update",
        ),
    ):
        with (
            stranger(200, json.dumps(body).encode()) as url,
            pytest.raises(BattleboxError, match=why),
        ):
            one(f"{url}/match/x", says())


def test_a_server_that_comes_back_with_another_protocol_ends_the_visit(
    live_server: InThread, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet, updated, describe = Meet(live_server, "you", "open"), list[bool](), Room.describe

    def newer(room: Room, key: ViewKey) -> RoomMessage:
        return describe(room, key).model_copy(update={"protocol": NEWER})

    def answer(prompt: str, screen: str) -> str | None:
        if not updated:
            updated.append(True)
            monkeypatch.setattr(sockets, "PROTOCOL", NEWER)
            monkeypatch.setattr(Room, "describe", newer)
            meet.drop()
        return None

    why = rf"a newer .* protocol {NEWER}, this one {PROTOCOL}\): update yours"
    with pytest.raises(BattleboxError, match=why):
        one(meet.seats[0], answer)


def room(**more: Any) -> RoomMessage:
    """A room of two people as a server describes it, with what a test says of it."""
    seats = [
        {"seat": p, "name": name, "kind": "person", "level": "", "here": True, "resigned": False}
        for p, name in enumerate(("Ada", "Ben"))
    ]
    return RoomMessage.model_validate(
        {
            **{"id": "x", "game": "war_zone", "title": "War Zone", "mode": "", "options": ""},
            **{"you": 0, "invited": None, "seats": [{**x, "replaced": False} for x in seats]},
            **{"may": [], "may_propose": [], "invitations": {}, "proposal": None, "outcome": None},
            **{"preparing": False, "watching": 0, "delay": 0.0, "end": None, "rematch": None},
            "fair": {"commitment": None, "secret": None},
            **more,
        }
    )


def test_the_login_name_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("uid 4711")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert arrival.login() == "Guest"


def test_a_card_that_may_be_drawn_comes_before_a_draw() -> None:
    scene = bb.load("war_zone").match(1).scene(0)
    choice = scene.choices[0]
    from dataclasses import replace

    scene = replace(scene, choices=(replace(choice, label="Draw two cards"), *scene.choices[1:]))
    p = Typist(says(), terminal=False)
    screen = Screen(p.console, p, live=False)
    there = Connection(link.read("http://here/match/x#t"), p.wake)
    state = RemoteState(room(), Picture("r", 0, 0, [], scene))
    assert RemoteMatch(there, state, screen).understand("draw", scene) is None
    assert "'draw' could be: Draw two cards" in p.flat


def test_ctrl_c_is_not_hidden_by_a_ring_at_the_same_moment() -> None:
    """The way `input` shows it: a SystemError because of what was raised first."""
    wake = Wake()

    def ask(prompt: str) -> str:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as e:
            raise SystemError("returned a result with an exception set") from e

    screen = Screen(Console(file=io.StringIO()), ask, live=False)
    with pytest.raises(KeyboardInterrupt):
        screen.ask("> ", wake)

    def fail(prompt: str) -> str:
        raise SystemError("something else")

    with pytest.raises(SystemError, match="something else"):
        Screen(Console(file=io.StringIO()), fail, live=False).ask("> ", wake)


# ---- a real terminal -----------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.xdist_group("pty")
def test_through_a_pseudo_terminal(live_server: InThread, tmp_path: Path) -> None:
    meet = Meet(live_server, "you", "open")
    env = surroundings(tmp_path)
    choice = r"Your choice, (\d+) to \d+ \(\? help\) > "
    ada, ben = (at_terminal("join", seat, env=env) for seat in meet.seats.values())
    try:
        ada.expect(choice)
        ada.send("let me th")  # and in the middle of the line somebody comes
        ada.expect("let me th")
        ben.expect("Your name")
        ben.sendline("Ben")
        ben.expect(r"Waiting for Ada \(\? help\) > ")
        ada.expect(r"Ben joined\.")
        ada.expect(f"{choice}let me th")  # what was typed stands there still
        ada.sendline("ink")
        ada.expect("'let me think' is not one of your choices")
        ada.expect(choice)
        type_until(ada, "0\n", "Waiting for Ben")
        ben.expect(choice)
        meet.drop()
        for p, asked in ((ada, "Waiting for Ben"), (ben, choice)):
            p.expect(LOST)
            p.expect(r"Reconnected\.")
            p.expect(asked)
        for p in (ada, ben):
            type_until(p, "\x03", pexpect.EOF)
            assert "To come back:" in p.before
            p.close()
            assert (p.exitstatus, p.signalstatus) == (0, None)
    finally:
        for p in (ada, ben):
            p.close(force=True)
    assert meet.history == [(0, "pass")]


def test_ctrl_c_is_not_lost_while_the_line_editor_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """It swallows whatever is raised in its hook."""
    import readline

    def press_ctrl_c(_: str) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(readline, "insert_text", press_ctrl_c)
    with Wake().listening():
        _Line("", keyboard=False).begin()
        with pytest.raises(KeyboardInterrupt):
            threading.Event().wait(PATIENCE)


# ---- questions that nobody else may notice -------------------------------------------------------
def test_all_wait_and_who_is_asked_answers(tmp_path: Path) -> None:
    """Seat 0 strikes, and holds a SAVE; another terminal sees that everybody waits."""
    clock = ManualClock()
    how = {"clock": clock, "response_window": 12, **ROOMY}
    with in_the_box(), shown_at_once(), in_thread(tmp_path / "server", **how) as server:
        options = {"players": 4, "rounds": 2}
        meet = Meet(server, *["you", *["open"] * 3], game="window", options=options, seed=2)
        deal(match := server.room(meet.id).session.match, 0)
        guest = Guest(meet.watch, says((RESPONSES, "q", f"! {RESPONSES}: 3 s left.")))
        server.watched(meet.id, None)
        steps = (CHOICE, strike(1)), (CHOICE, SAVE, RESPONSES), (RESPONSES, "q")
        one(meet.seats[0], says(*steps))
        assert "STRUCK" in guest.done().flat
        let_pass(clock, 3)
        until(lambda: match.history[1:] == [(0, SAVE)])
