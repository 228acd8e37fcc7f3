"""When bots think, in whose order, and that the time they take tells nothing of what they hold."""

from __future__ import annotations

import asyncio
import contextlib
import math
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from response_windows import in_the_box, let_show, strike
from serving import (
    PATIENCE,
    ROOMY,
    InThread,
    Seat,
    in_a_loop,
    in_thread,
    invitations,
    let_pass,
    take_seat,
    until,
)

import battlebox as bb
from battlebox.bots import BotSpec
from battlebox.bots.policy import LookaheadBot
from battlebox.bots.random_bot import RandomBot
from battlebox.bots.search import SearchBot
from battlebox.protocol.commands import Act, Resign
from battlebox.server.clock import REAL, ManualClock
from battlebox.server.compiling import Compiler
from battlebox.server.hints import ACCOUNT
from battlebox.server.threads import (
    HALF,
    RECENT,
    ROOM,
    SHORTEST,
    SPARE,
    AnswerSlots,
    BotThreads,
    Rank,
    TooLong,
    rest,
)

LINGER, IDLE, DECISION = 60.0, 900.0, 5_000.0


# ---- whose turn it is ----------------------------------------------------------------------------
class Line:
    """BotThreads with one thread, in which each thought takes until the test ends it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.threads = BotThreads(1, self.clock)
        self.order: list[str] = []  # in which they began
        self.ranks: dict[str, Rank] = {}
        self._gates: dict[str, threading.Event] = {}
        self._begun: dict[str, asyncio.Event] = {}

    def come(self, name: str, rank: Rank = Rank.PLAYED, who: str = "", **how: Any) -> Any:
        """One more comes; its task. What is under way is under way."""
        self._gates[name], self._begun[name] = threading.Event(), asyncio.Event()
        self.ranks[name] = rank
        loop = asyncio.get_running_loop()

        def think() -> str:
            self.order.append(name)
            loop.call_soon_threadsafe(self._begun[name].set)
            assert self._gates[name].wait(PATIENCE)
            return name

        how = {"who": who or name, "rank": lambda: self.ranks[name], **how}
        return asyncio.create_task(self.threads.think(think, **how))

    async def begun(self, name: str) -> None:
        """Waits until it is thought about."""
        await self._begun[name].wait()

    async def end(self, name: str, task: Any, took: float = 0.0) -> None:
        """It has taken so long, and ends."""
        await self.begun(name)
        self.clock.advance(took)
        self._gates[name].set()
        assert await task == (name, pytest.approx(took))


def in_line(test: Callable[[Line], Coroutine[Any, Any, None]]) -> None:
    """Runs a test with such a line."""

    async def main() -> None:
        line = Line()
        try:
            await test(line)
        finally:
            for gate in line._gates.values():
                gate.set()
            line.threads.close()

    in_a_loop(main())


def test_people_at_the_table_come_first_then_who_watches_then_nobody() -> None:
    async def test(line: Line) -> None:
        first = line.come("first", Rank.LEFT)
        await line.begun("first")
        ranks = [("left", Rank.LEFT), ("watched", Rank.WATCHED), ("played", Rank.PLAYED)]
        tasks = {name: line.come(name, rank) for name, rank in ranks}
        tasks["late"] = line.come("late", Rank.LEFT)
        await asyncio.sleep(0)
        line.ranks["late"] = Rank.PLAYED  # somebody has come meanwhile
        await line.end("first", first)
        for name in ("played", "late", "watched", "left"):
            await line.end(name, tasks[name])
        assert line.order == ["first", "played", "late", "watched", "left"]
        assert not line.threads.busy

    in_line(test)


def test_among_equals_the_match_goes_first_that_has_used_the_least_of_late() -> None:
    async def test(line: Line) -> None:
        for name, took in (("a", 3.0), ("b", 1.0), ("c", 2.0)):
            await line.end(name, line.come(name), took)
        now = line.come("now")
        await line.begun("now")
        tasks = {name: line.come(name, who=name[0]) for name in ("a2", "b2", "c2", "b3")}
        await asyncio.sleep(0)
        await line.end("now", now)
        for name, took in (("b2", 1.5), ("c2", 0.0), ("b3", 0.0), ("a2", 0.0)):
            await line.end(name, tasks[name], took)
        assert line.order[4:] == ["b2", "c2", "b3", "a2"]

    in_line(test)


def test_what_was_used_long_ago_is_forgotten() -> None:
    async def test(line: Line) -> None:
        await line.end("a", line.come("a"), 8.0)
        line.clock.advance(4 * HALF)  # half a second is left of it
        await line.end("b", line.come("b"), 1.0)
        now = line.come("now")
        await line.begun("now")
        b, a = line.come("b2", who="b"), line.come("a2", who="a")
        await asyncio.sleep(0)
        await line.end("now", now)
        await line.end("a2", a)
        await line.end("b2", b)

    in_line(test)


def test_forty_matches_of_champions_do_not_keep_one_person_waiting() -> None:
    """A player who comes waits for the one that is under way, and for nothing else."""

    async def test(line: Line) -> None:
        many = [f"m{k}" for k in range(40)]
        tasks = {x: line.come(x, Rank.WATCHED) for x in many}
        await asyncio.sleep(0)
        for k in range(10):
            await line.begun(many[k])
            easy = line.come(f"easy{k}", who="person")
            await asyncio.sleep(0)
            await line.end(many[k], tasks[many[k]], 0.1)
            await line.end(f"easy{k}", easy, 0.001)
        await line.begun(many[10])  # they have their turns
        wanted = [x for k in range(10) for x in (f"m{k}", f"easy{k}")]
        assert line.order == [*wanted, "m10"]

    in_line(test)


def test_hints_of_many_have_one_account_and_do_not_delay_bots() -> None:
    async def test(line: Line) -> None:
        hints = {f"h{k}": line.come(f"h{k}", Rank.WATCHED, who=ACCOUNT) for k in range(5)}
        await line.begun("h0")
        bots = [line.come(f"b{k}", Rank.WATCHED) for k in range(3)]
        played = line.come("played")
        await asyncio.sleep(0)
        await line.end("h0", hints["h0"], 0.1)
        await line.end("played", played, 1.0)
        for k, bot in enumerate(bots):
            await line.end(f"b{k}", bot, 0.1)
        again = line.come("b0 again", Rank.WATCHED, who="b0")
        await line.end("h1", hints["h1"], 0.1)
        await line.end("b0 again", again, 0.1)
        for k in range(2, 5):
            await line.end(f"h{k}", hints[f"h{k}"], 0.1)
        wanted = ["h0", "played", "b0", "b1", "b2", "h1", "b0 again", "h2", "h3", "h4"]
        assert line.order == wanted

    in_line(test)


def test_who_no_longer_waits_has_no_turn() -> None:
    async def test(line: Line) -> None:
        first, gone, last = line.come("first"), line.come("gone"), line.come("last")
        await line.begun("first")
        gone.cancel()
        await line.end("first", first)
        await line.end("last", last)
        assert line.order == ["first", "last"]
        waiting = line.come("waiting")  # it is under way: its thread is free when it ends
        await line.begun("waiting")
        waiting.cancel()
        after = line.come("after")
        await asyncio.sleep(0)
        line._gates["waiting"].set()
        await line.end("after", after)

    in_line(test)


def test_what_hangs_is_given_up_and_others_have_another_thread() -> None:
    async def test(line: Line) -> None:
        hanging = line.come("hanging", limit=DECISION)
        await line.begun("hanging")
        other = line.come("other")
        await asyncio.sleep(0)
        line.clock.advance(DECISION)
        with pytest.raises(TooLong):
            await hanging
        await line.end("other", other)
        for k in range(SPARE):  # there are only so many threads more
            stuck = line.come(f"stuck{k}", limit=DECISION)
            await line.begun(f"stuck{k}")
            line.clock.advance(DECISION)
            with pytest.raises(TooLong):
                await stuck
        waits = line.come("waits")
        await asyncio.sleep(0)
        assert line.order[-1] == f"stuck{SPARE - 1}"
        line._gates["hanging"].set()
        line._gates[f"stuck{SPARE - 1}"].set()
        await line.end("waits", waits)

    in_line(test)


def test_what_fails_says_why_and_frees_its_thread() -> None:
    async def test(line: Line) -> None:
        def fail() -> None:
            raise ArithmeticError("9")

        with pytest.raises(ArithmeticError, match="9"):
            await line.threads.think(fail, who="a", rank=lambda: Rank.PLAYED)
        await line.end("next", line.come("next"))

    in_line(test)


# ---- only while somebody looks -------------------------------------------------------------------
class Leave:
    """What each choice of a bot waits for."""

    def __init__(self) -> None:
        self._given, self.asked, self.taken = threading.Semaphore(0), 0, 0

    def take(self) -> None:
        self.asked += 1
        assert self._given.acquire(timeout=PATIENCE)
        self.taken += 1

    @property
    def waits(self) -> bool:
        """Whether a bot thinks, until it has leave to choose."""
        return self.asked > self.taken

    def give(self, n: int = 10**6) -> None:
        """Leave for so many choices."""
        self._given.release(n)

    def give_one(self) -> None:
        """Leave for one choice, once a bot thinks of it; waits until it is taken."""
        until(lambda: self.waits)
        asked = self.asked
        self.give(1)
        until(lambda: self.taken == asked)


@contextlib.contextmanager
def slow_bots() -> Iterator[Leave]:
    """Bots of which each choice waits for leave: one match's, which think one after the other."""
    leave, choose = Leave(), RandomBot.choose

    def slow(self: RandomBot, observation: Any) -> int:
        leave.take()
        return choose(self, observation)

    with mock.patch.object(RandomBot, "choose", slow):
        try:
            yield leave
        finally:
            leave.give()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InThread]:
    limits = {**ROOMY, "linger": LINGER, "idle": IDLE, "decision": DECISION}
    with in_the_box(), in_thread(tmp_path, clock=ManualClock(), **limits) as running:
        yield running


def clock_of(server: InThread) -> ManualClock:
    assert isinstance(server.rooms.clock, ManualClock)
    return server.rooms.clock


def resting(server: InThread, id: str) -> bool:
    """No bot thinks there, and none will."""
    return bool(server.at_rest(lambda: server.room(id)._playing is None))


@pytest.mark.parametrize("how", ["a socket", "a request"])
def test_bots_among_themselves_rest_while_nobody_looks(server: InThread, how: str) -> None:
    with slow_bots() as leave:
        id = server.make(["random", "random"])["id"]
        session = server.room(id).session
        for _ in range(3):  # somebody has made it, and may come
            leave.give_one()
        until(lambda: leave.waits)
        clock_of(server).advance(LINGER)
        leave.give_one()  # for the one that thinks already
        until(lambda: resting(server, id))
        assert session.length == 4
        leave.give()
        if how == "a request":
            assert server.ask("GET", f"/api/matches/{id}").status_code == 200
            until(lambda: session.end)
        else:
            with Seat(server, id, None) as watching:
                while not watching.room.get("end"):
                    watching.hear()


def test_bots_among_themselves_that_are_watched_go_on(server: InThread) -> None:
    with slow_bots() as leave:
        id = server.make(["random", "random"])["id"]
        with Seat(server, id, None) as watching:
            watching.look()
            clock_of(server).advance(10 * LINGER)
            leave.give()
            while not watching.room.get("end"):
                watching.hear()


def test_who_closes_the_page_for_a_moment_finds_that_the_bot_has_played(server: InThread) -> None:
    """And who comes back later finds that it goes on."""
    with slow_bots() as leave:
        made = server.make(["you", "random"], seed=5)
        room = server.room(made["id"])
        for away in (LINGER - 1, LINGER):
            with Seat(server, made["id"], made["token"]) as ada:
                while not ada.look()["scene"]["choices"]:
                    ada.hear()
                while 0 in room.session.deciding:
                    do(ada, f"{room.session.length}")
            until(lambda: server.at_rest(lambda: room.presence.rank() is Rank.LEFT))
            until(lambda: leave.waits)
            length = room.session.length
            clock_of(server).advance(away)
            leave.give_one()
            until(lambda length=length: room.session.length > length)
            if away < LINGER:
                while until(lambda: leave.waits or 0 in room.session.deciding) and leave.waits:
                    leave.give_one()
            else:
                until(lambda: resting(server, made["id"]))
                assert room.session.length == length + 1
        leave.give()
        with Seat(server, made["id"], made["token"]) as ada:
            while not ada.look()["scene"]["choices"]:
                ada.hear()


def test_a_bot_that_thinks_does_not_answer_a_proposal(server: InThread) -> None:
    """An undo is proposed while it thinks: it decides again when all have answered."""
    with slow_bots() as leave:
        made = server.make(["you", "open", "random"], seed=1)
        room, keys = server.room(made["id"]), invitations(server, made)
        keys[1] = take_seat(server, made["id"], keys[1], "Ben")
        with Seat(server, made["id"], keys[0]) as ada, Seat(server, made["id"], keys[1]) as ben:
            session, people = room.session, (ada, ben)

            def asked() -> list[int]:
                return [p for p in session.deciding if p < 2]

            while not (until(lambda: leave.waits or asked()) is True and session.may_undo(0)):
                length = session.length
                if leave.waits:
                    leave.give_one()
                    until(lambda length=length: session.length > length)
                for p in asked():
                    people[p].hear_the_rest()
                    do(people[p], f"{session.length}")
            assert ada.want("undo", "u")["type"] == "ack"
            length = session.length
            leave.give_one()
            until(lambda: session.length > length or resting(server, made["id"]))
            assert session.length == length
            assert session.proposal
            assert ben.want("answer", "no", what="undo", yes=False)["type"] == "ack"
            leave.give_one()
            until(lambda: session.length == length + 2)


def test_a_match_at_rest_leaves_the_memory_and_goes_on_when_it_is_looked_at(
    server: InThread,
) -> None:
    with slow_bots() as leave:
        id = server.make(["random", "random"])["id"]
        until(lambda: leave.waits)
        clock_of(server).advance(LINGER)
        leave.give_one()
        until(lambda: resting(server, id))
        clock_of(server).advance(IDLE)
        until(lambda: id not in server.rooms._live)  # at the next beat
        leave.give()
        with Seat(server, id, None) as watching:
            while not watching.room.get("end"):
                watching.hear()


# ---- which of several nodes ---------------------------------------------------------------------
def test_who_answers_as_a_node_lets_go_of_a_match_is_answered(server: InThread) -> None:
    """Of several nodes one lets bots think, and asks the database for that: it takes a moment."""
    made = server.make(["you", "random"], game="medieval", seed=1)
    room, release = server.room(made["id"]), server.rooms.store.release
    session = room.session

    async def slowly(match: str) -> None:
        while session.match.to_act == 0 and not session.end:  # the person answers meanwhile
            asked, action = session.question(0), session.match.choices(0)[0]
            await room.commit(partial(session.decide, Act(question=asked, action=action), 0))
        await release(match)

    with (
        mock.patch.object(server.rooms.store, "release", slowly),
        Seat(server, made["id"], made["token"], "data") as ada,
    ):
        ada.act("a", ada.look()["actions"][0])
        until(lambda: session.end)


def test_a_node_lets_go_of_a_match_in_which_no_bot_is_to_act_any_more(server: InThread) -> None:
    made = server.make(["you", "random"], game="medieval", seed=1)
    room, store, has = server.room(made["id"]), server.rooms.store, list[str]()
    claim, release = store.claim, store.release

    async def claimed(match: str) -> bool:
        found = await claim(match)
        has.append(match)
        await room.commit(partial(room.session.decide, Resign(), 0))  # which ends it
        return found

    async def released(match: str) -> None:
        await release(match)
        has.remove(match)

    with (
        mock.patch.object(store, "claim", claimed),
        mock.patch.object(store, "release", released),
        Seat(server, made["id"], made["token"], "data") as ada,
    ):
        ada.act("a", ada.look()["actions"][0])
        until(lambda: room.session.end and not has)


# ---- matches by address --------------------------------------------------------------------------
def test_one_address_has_so_many_matches_under_way(tmp_path: Path) -> None:
    clock = ManualClock()
    limits = {"matches_under_way": 2, "matches_per_minute": 1000, "idle": IDLE, **ROOMY}
    proxy = {"trusted_proxy": "127.0.0.1"}  # through which we come as strangers
    with in_thread(tmp_path, clock=clock, how=proxy, **limits) as server:
        seats = ["you", "open"]
        asked = {"game": "war_zone", "seats": seats, "name": "Ada"}
        made = [server.make(seats) for _ in range(2)]
        answer = server.ask("POST", "/api/matches", json=asked)
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many")
        said = answer.json()["error"]["message"]
        assert "2 matches made from your address are still being played" in said
        assert "finish one" in said
        assert "15 minutes" in said
        assert server.kept() == 2
        with Seat(server, made[0]["id"], made[0]["token"]) as ada:
            assert ada.want("resign", "r")["type"] == "ack"
        again = f"/api/matches/{made[0]['id']}/rematch"
        assert server.ask("POST", again, made[0]["token"]).status_code == 200
        assert server.ask("POST", again, made[0]["token"]).status_code == 200  # it is there
        assert server.ask("POST", "/api/matches", json=asked).status_code == 429
        until(lambda: not server.room(made[0]["id"]).presence.looking(0))
        clock.advance(IDLE)  # nobody looks at them
        until(lambda: server.rooms.live == 0)
        server.make(seats)
        assert server.kept() == 4


def test_this_machine_has_as_many_as_it_likes(tmp_path: Path) -> None:
    with in_thread(tmp_path, matches_under_way=1, **ROOMY) as server:
        for _ in range(3):
            server.make(["you", "open"])


# ---- what hangs or fails -------------------------------------------------------------------------
@contextlib.contextmanager
def alone(server: InThread, level: str, **more: Any) -> Iterator[tuple[Seat, str]]:
    """Somebody against a bot, who is to move; and the match."""
    made = server.make(["you", level], **{"seed": 5, **more})
    with Seat(server, made["id"], made["token"]) as who:
        while not who.look()["scene"]["choices"]:
            who.hear()
        yield who, made["id"]


def do(who: Seat, id: str, word: str = "") -> None:
    """The first of their choices, or this one."""
    say(who, id, word)
    assert who.answer(id)["type"] == "ack"


def say(who: Seat, id: str, word: str = "") -> None:
    """Sends that they do it."""
    choices = who.frame["scene"]["choices"]
    action = next(c["action"] for c in choices if word in ("", c["word"]))
    who.send(type="act", id=id, question=who.frame["question"], action=action)


def test_for_a_bot_that_hangs_one_plays_at_random(
    server: InThread, caplog: pytest.LogCaptureFixture
) -> None:
    gate, hangs = threading.Event(), threading.Event()

    def hang(*_: object) -> int:
        hangs.set()
        gate.wait(PATIENCE)
        return 0

    with (
        plain_search(hang),
        alone(server, "medium") as (who, id),
    ):
        do(who, "x")
        assert hangs.wait(PATIENCE)
        let_pass(clock_of(server), DECISION)
        until(lambda: server.room(id).session.length == 2)
        why = "has thought for more than 5000 seconds; it plays at random"
        assert caplog.messages == [f"{id}: the bot medium of seat 1 {why}"]
        gate.set()


def test_for_a_bot_that_fails_one_plays_at_random(
    server: InThread, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        plain_search(mock.Mock(side_effect=ArithmeticError("9"))),
        alone(server, "medium") as (who, id),
    ):
        do(who, "x")
        let_pass(clock_of(server), 4 * SHORTEST)
        until(lambda: server.room(id).session.length == 2)
        why = "has failed: ArithmeticError('9'); it plays at random"
        assert caplog.messages == [f"{id}: the bot medium of seat 1 {why}"]


# ---- what time tells -----------------------------------------------------------------------------
def test_a_slot_has_room_for_nearly_all_decisions_of_its_sort() -> None:
    slots = AnswerSlots()
    first = slots.slot("champion")
    for _ in range(RECENT // 2 + 1):
        slots.note("champion", 0.4)
    assert slots.slot("champion") == pytest.approx(0.4 * ROOM)
    assert slots.slot("easy") == first
    for _ in range(RECENT):
        slots.note("champion", 0.001)
    slots.note("champion", 60.0)  # a hiccup
    assert slots.slot("champion") == SHORTEST


def test_an_answer_shows_when_a_whole_slot_is_over() -> None:
    for took, shows in ((0.0, 0.2), (0.001, 0.2), (0.2, 0.2), (0.21, 0.4), (1.5, 1.6)):
        assert took + rest(took, 0.2) == pytest.approx(shows)
    assert rest(math.nextafter(0.6, 1), 0.2) < 1e-9


@pytest.mark.compiled
def test_a_lone_action_is_thought_about_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that search make as many simulations, those that look ahead judge as many positions."""
    rules, thought = bb.load("war_zone", players=2), list[int]()
    think, look = SearchBot._think, LookaheadBot._look_at

    def counted(self: SearchBot, only: int = -1) -> Any:
        tree = think(self, only)
        thought.append(int(self._visits.sum()))
        return tree

    def judged(self: LookaheadBot, acts: Any, many: int, dice: Any) -> None:
        look(self, acts, many, dice)
        thought.append(len(acts) * many)

    monkeypatch.setattr(SearchBot, "_think", counted)
    monkeypatch.setattr(LookaheadBot, "_look_at", judged)
    for hand, legal in (("MG.GM.AR", 2), ("TR.GM.AR", 1)):
        match = rules.match(position=f"{POSITION} hand1={hand}")
        match.submit(0, ATTACK)
        assert len(match.legal_words()) == legal
        for level in ("easy", "hard", "champion"):
            even = BotSpec(level).make(rules, 0, even=True)
            assert even.choose(match.observation(1)) in match.choices(1)
    easy, _, hard, *_ = rules.game.simulations
    assert thought == [easy, hard, rules.game.evaluations[-1]] * 2
    for level in ("hard", "champion"):
        assert bb.bot(level, rules).choose(match.observation(1)) == match.choices(1)[0]
    assert len(thought) == 6  # in the arena nobody waits


POSITION = "wz1 n=2 hs=3 ph=ATTACK turn=0 health=20.20 hand0=RE.TA.BW"
ATTACK = "RE>1"  # which a machine gun blocks


@contextlib.contextmanager
def plain_search(think: Callable[..., Any] | None = None) -> Iterator[list[int]]:
    """Bots that need nothing compiled. Gives how many simulations each decision took."""
    counted: list[int] = []
    make, real = BotSpec.make, SearchBot._think

    def plain(self: BotSpec, rules: Any, seed: int, *, even: bool = False) -> Any:
        if self.word == "random":
            return make(self, rules, seed)
        return SearchBot(rules, 5, seed, even=even, compiled=False)

    def count(self: SearchBot, only: int = -1) -> Any:
        tree = real(self, only)
        counted.append(int(self._visits.sum()))
        return tree

    async def prepare(*_: object) -> None:
        """Nothing."""

    with (
        mock.patch.object(BotSpec, "make", plain),
        mock.patch.object(SearchBot, "_think", think or count),
        mock.patch.object(Compiler, "prepare", prepare),
    ):
        yield counted


@pytest.mark.parametrize("took", [0.001, 0.15, 0.73])
def test_a_bot_that_could_block_answers_as_late_as_one_that_could_not(
    server: InThread, took: float
) -> None:
    """By a given clock: as many simulations, and the same moment, also where they take long."""
    clock, seen = clock_of(server), []
    for hand in ("MG.GM.AR", "TR.GM.AR", "MG.MG.MG", "AR.AR.AR"):
        with plain_search() as counted, alone(server, "champion") as (who, id):
            match = server.room(id).session.match
            there = match.rules.match(position=f"{POSITION} hand1={hand}")
            real = SearchBot._think

            def slow(
                self: SearchBot, only: int = -1, real: Callable[..., Any] = real
            ) -> Any:  # on a machine that is busy
                tree = real(self, only)
                clock.advance(took)
                return tree

            server.at_rest(lambda match=match, there=there: match.put(there._array.copy()))
            server.rooms.services.slots = AnswerSlots()
            with mock.patch.object(SearchBot, "_think", slow):
                action = match.check(0, ATTACK).number
                began = clock.now()
                answer = who.act("x", action)
                assert answer["type"] == "ack", answer
                slots = rest(took, 4 * SHORTEST)
                let_pass(clock, round(slots, 3))
                until(lambda id=id: server.room(id).session.length == 2)
                seen.append((counted[0], round(clock.now() - began, 3)))
    assert len(set(seen)) == 1, seen
    assert seen[0][0] == 5


def test_in_a_response_window_no_bot_is_asked_before_all_are_ready(server: InThread) -> None:
    """Else the countdown would last longer where one is asked."""
    gate, making, make = threading.Event(), list[int](), BotSpec.make

    def slow(self: BotSpec, *a: Any, **k: Any) -> Any:
        making.append(1)
        assert gate.wait(PATIENCE)
        return make(self, *a, **k)

    made = server.make(
        ["you", "random", "random", "random"],
        game="window",
        options={"players": 4, "rounds": 2},
        seed=2,
    )
    clock, room = clock_of(server), server.room(made["id"])

    def is_counting() -> bool:
        return bool(room.windows.countdown and room.windows.countdown.runs)

    with mock.patch.object(BotSpec, "make", slow), Seat(server, made["id"], made["token"]) as who:
        while not who.look()["scene"]["choices"]:
            who.hear()
        say(who, "x", strike(1))
        let_show(server, made["id"])
        assert who.answer("x")["type"] == "ack"
        until(lambda: making)
        assert server.at_rest(lambda: not is_counting())
        assert server.at_rest(lambda: room.session.length) == 1
        gate.set()
        until(lambda: server.at_rest(is_counting))
        assert len(making) == 3
        let_pass(clock, 2.0)
        let_show(server, made["id"])
        while "countdown" in who.frame:
            who.hear()


def test_the_real_clock_is_that_of_the_machine(tmp_path: Path) -> None:
    with in_thread(tmp_path, **ROOMY) as server:
        assert server.rooms.clock is REAL
