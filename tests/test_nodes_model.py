"""The protocol between nodes, step by step in any order: the real rooms of three nodes over one log
whose answers come when Hypothesis says so, late, twice, or never.

What must hold: no two nodes ever show different histories as what has happened; what was
acknowledged is in the log, once; and when everything has been heard, all know the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import battlebox as bb
from battlebox.protocol.commands import Rename
from battlebox.server.clock import ManualClock
from battlebox.server.limits import Limits
from battlebox.server.log_events import read_event
from battlebox.server.room import Room
from battlebox.server.rooms import Rooms
from battlebox.server.session import MatchPlan, SeatPlan, Session
from battlebox.server.store import Conflict, Entry, OutcomeUnknown, Setup, StoreError

NODES, ID = 3, "match"
WHICH = st.integers(0, 10**6)  # of those that there are
MOST = 500  # answers, till everybody knows everything
Work = Callable[[], Any]


@dataclass
class Log:
    """The table, and its guards."""

    entries: list[Entry] = field(default_factory=list)

    def append(self, entry: Entry) -> None:
        """Errors: Conflict."""
        if entry in self.entries:
            return  # one's own, from before the line broke
        taken = entry.seq != len(self.entries) or entry.action in [x.action for x in self.entries]
        if taken:
            raise Conflict("there is something else")
        self.entries.append(entry)


class Steps(ManualClock):
    """No two moments of any node are the same, and none depends on the machine."""

    _dates = itertools.count()

    def date(self) -> float:
        return float(next(self._dates))


@dataclass
class Question:
    """What a node has asked the database."""

    node: int
    ask: Work
    answer: asyncio.Future[Any]
    is_write: bool

    def answered(self) -> None:
        """The database does it, and the node hears of it."""
        try:
            found = self.ask()
        except StoreError as e:
            if not self.answer.done():
                self.answer.set_exception(e)
        else:
            if not self.answer.done():
                self.answer.set_result(found)


class AnyTime:
    """A store whose answers come when they are let."""

    shared, key, trouble, unsaved, is_unknown, answers = True, b"key", "", 0, False, True

    def __init__(self, node: int, log: Log, setup: Setup, questions: list[Question]) -> None:
        self.node, self.log, self._setup, self.questions = node, log, setup, questions

    async def asked(self, ask: Work, is_write: bool = False) -> Any:
        """Waits for the answer."""
        answer = asyncio.get_running_loop().create_future()
        self.questions.append(Question(self.node, ask, answer, is_write))
        return await answer

    async def append(self, match: str, entry: Entry) -> None:
        assert match == ID
        await self.asked(lambda: self.log.append(entry), is_write=True)

    def setup(self, _id: str) -> Setup:
        return self._setup

    def entries(self, _id: str, since: int = 0) -> list[Entry]:
        return self.log.entries[since:]

    def lengths(self, ids: Sequence[str]) -> dict[str, int]:
        return dict.fromkeys(ids, len(self.log.entries))

    def look(self, _match: str, _windows: dict[int, int]) -> None:
        pass

    def elsewhere(self, _ids: Sequence[str]) -> dict[str, dict[int, int]]:
        return {}

    def rematch(self, _id: str) -> None:
        return None

    def date(self) -> None:
        return None

    def played(self) -> set[str]:
        return set()

    def tell_under_way(self, matches: dict[str, int]) -> None:
        assert matches == {}, "nobody has made one here"


@dataclass
class Sent:
    """A command, as its client knows it."""

    seat: int
    id: str
    name: str
    acked: bool = False
    tasks: list[asyncio.Task[None]] = field(default_factory=list)  # its tries


class Nodes(RuleBasedStateMachine):
    """Three nodes, their database, and people who rename themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.aside = ThreadPoolExecutor(1)  # runs it: browsers leave a running loop in this thread
        self.questions: list[Question] = []
        self.late: list[Question] = []  # of which the node thinks that they are lost
        self.sent: list[Sent] = []
        rules = bb.load("medieval")
        plan = MatchPlan(
            game=rules.name,
            version=rules.game.version,
            options=rules.options_text,
            seats=tuple(SeatPlan(kind="person", name=x) for x in ("Ada", "Ben")),
        )
        self.setup = Setup(ID, 0.0, plan.model_dump_json(), b"s" * 32, None)
        self.log = Log()
        self.rooms = [self.begin(k) for k in range(NODES)]
        self.known = [Session(self.setup)]  # after so many entries

    def begin(self, k: int) -> Rooms:
        """A node that has just started."""
        store: Any = AnyTime(k, self.log, self.setup, self.questions)
        return Rooms(store, Limits(), clock=Steps())

    def teardown(self) -> None:
        try:
            self.all_is_heard()
        finally:
            for x in self.rooms:
                x.close()
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.settle()
            self.end()

    def end(self) -> None:
        self.aside.shutdown()
        self.loop.close()

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """What runs in threads asks the database, too."""

        async def to_thread(ask: Callable[..., Any], *args: Any) -> Any:
            store = getattr(ask, "__self__", None)
            assert isinstance(store, AnyTime), ask
            return await store.asked(lambda: ask(*args))

        with mock.patch.object(asyncio, "to_thread", to_thread):
            yield

    def settle(self) -> None:
        """All that can happen without an answer happens."""

        async def turns() -> None:
            for _ in range(30):
                await asyncio.sleep(0)

        with self.running():
            self.aside.submit(lambda: self.loop.run_until_complete(turns())).result()

    def start(self, work: Any) -> asyncio.Task[None]:
        task = self.loop.create_task(work)
        self.settle()
        return task

    # ---- what may happen ----
    @rule(node=st.integers(0, NODES - 1), seat=st.integers(0, 1))
    def send(self, node: int, seat: int) -> None:
        """Somebody wants something of a node."""
        n = len(self.sent)
        self.sent.append(Sent(seat, f"c{n}", f"Name {n}"))
        self.try_it(self.sent[-1], node)

    @precondition(lambda self: self.sent)
    @rule(which=WHICH, node=st.integers(0, NODES - 1))
    def repeat(self, which: int, node: int) -> None:
        """Somebody repeats what they wanted, at any node, whether or not it was acknowledged."""
        self.try_it(self.sent[which % len(self.sent)], node)

    def try_it(self, sent: Sent, node: int) -> None:
        async def ask() -> None:
            room = await self.rooms[node].open(ID)
            await room.submit(Rename(name=sent.name), sent.seat, sent.id)
            sent.acked = True

        sent.tasks.append(self.start(ask()))

    @precondition(lambda self: self.questions)
    @rule(which=WHICH)
    def answer(self, which: int) -> None:
        """The database answers one of those who wait."""
        self.questions.pop(which % len(self.questions)).answered()
        self.settle()

    @precondition(lambda self: any(x.is_write for x in self.questions))
    @rule(which=WHICH, is_late=st.booleans())
    def lose(self, which: int, is_late: bool) -> None:
        """A line breaks: what was to be written is written later, or never, and nobody hears it."""
        writes = [x for x in self.questions if x.is_write]
        lost = writes[which % len(writes)]
        self.questions.remove(lost)
        if is_late:
            self.late.append(lost)
        if not lost.answer.done():
            lost.answer.set_exception(OutcomeUnknown("the database is away"))
        self.settle()

    @precondition(lambda self: self.late)
    @rule(which=WHICH)
    def comes_late(self, which: int) -> None:
        """What was thought to be lost is written after all."""
        with contextlib.suppress(Conflict):
            self.late.pop(which % len(self.late)).ask()

    @rule(node=st.integers(0, NODES - 1), is_told=st.booleans())
    def hear(self, node: int, is_told: bool) -> None:
        """A notice comes, or the node looks for itself."""
        self.loop.call_soon(self.rooms[node]._hear, [ID] if is_told else (), ())
        self.settle()

    @rule(node=st.integers(0, NODES - 1))
    def die(self, node: int) -> None:
        """A node is killed. What it has sent may come yet; another one takes its place."""
        for x in [x for x in self.questions if x.node == node]:
            self.questions.remove(x)
            if x.is_write:
                self.late.append(x)
            x.answer.cancel()
        self.rooms[node].close()
        self.settle()
        self.rooms[node] = self.begin(node)

    # ---- what must hold ----
    @invariant()
    def nobody_shows_another_history(self) -> None:
        while len(self.known) <= len(self.log.entries):
            session = Session(self.setup)
            for x in self.log.entries[: len(self.known)]:
                session.apply(read_event(x.body))
            self.known.append(session)
        for rooms in self.rooms:
            for room in rooms._live.values():
                assert room.session.length <= len(self.log.entries)
                expected = self.known[room.session.length]
                assert [x.name for x in room.session.seats] == [x.name for x in expected.seats]

    @invariant()
    def what_was_acknowledged_is_in_the_log_once(self) -> None:
        ids = Counter(x.action for x in self.log.entries)
        assert set(ids.values()) <= {1}
        for x in self.sent:
            assert not x.acked or f"{x.seat}:{x.id}" in ids
            for task in x.tasks:
                if task.done() and not task.cancelled() and (e := task.exception()):
                    assert isinstance(e, OutcomeUnknown), e  # else the client would not repeat it

    def all_is_heard(self) -> None:
        """In the end: all answers come, all nodes look, clients repeat what was not answered."""
        for _ in range(2):
            for k in range(NODES):
                self.hear(k, is_told=False)
                for x in self.sent:
                    if not x.acked and all(t.done() for t in x.tasks):
                        self.try_it(x, k)
            for _ in range(MOST):
                if self.questions:
                    self.answer(0)
        assert not self.questions, "they ask for ever"
        self.nobody_shows_another_history()
        self.what_was_acknowledged_is_in_the_log_once()
        assert all(x.acked for x in self.sent)
        for rooms in self.rooms:
            for room in rooms._live.values():
                assert room.session.length == len(self.log.entries)


@pytest.mark.slow
class TestNodes(Nodes.TestCase):
    """The rules, at random."""

    settings = settings(
        max_examples=60,
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.slow
def test_a_node_that_believed_what_it_has_written_would_be_noticed() -> None:
    """What was written before it was known would be another history: the rules find that out."""

    async def hasty(self: Room, entry: Entry) -> bool:
        with contextlib.suppress(Conflict):
            await self.services.store.append(self.setup.id, entry)
        return True

    nodes = Nodes()

    def play() -> None:
        nodes.send(0, 0)
        nodes.send(1, 1)
        for _ in range(MOST):
            if nodes.questions:
                nodes.answer(0)
            nodes.nobody_shows_another_history()

    with mock.patch.object(Room, "_append", hasty), pytest.raises(AssertionError):
        play()
    nodes.end()
