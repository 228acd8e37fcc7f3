"""Everything that can happen to machines, again and again, while people play.

    python -m bench.chaos                         1,000 faults, an hour: printed
    python -m bench.chaos --faults 40 --seed 2    a few minutes
    python -m bench.chaos --write                 its section of bench/RESULTS.md is new

Three nodes share one PostgreSQL. Players on real sockets play matches of all games, at any of the
nodes, and behave as a page does: what was not acknowledged they send again, under its old id, at
another node, as through a proxy that sends them to one after the other, and asks each every second
whether it is ready: who does not answer gets nobody. Meanwhile nodes are killed, stand still for
half a minute and wake up, lose the database, are told another time of day, are replaced one after
the other; the database is killed; lines break. With the same seed come the same kinds of faults in
the same order; whom they meet, and what is going on there, no seed says.

Afterwards the logs are read. Each is played again, and held against what all players were told:

- what was acknowledged stands in the log once, what was refused not at all;
- every picture that anybody was shown is that of a moment in the log, as that seat may see it, and
  those moments never went back: so no two nodes ever had different histories, and nobody saw what
  was hidden;
- spectators who see a match late never saw it too early, by the clock of the database.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import shlex
import signal
import sys
import textwrap
import time
import uuid
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

import httpx
from pydantic_core import from_json
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from battlebox.core.scene import Scene
from battlebox.protocol import PROTOCOL
from battlebox.protocol.deltas import changed, unpacked

from . import results
from .history import History, digest
from .nodes import HOST, Cluster, Node, cluster

FAULTS, MATCHES, NODES = 1000, 100, 3
TABLES = (("war_zone", 4), ("iron_man", 2), ("battleball", 2), ("battle", 5), ("medieval", 2))
THINK = 1.5  # seconds that a player thinks, on average
GAP = 2.0  # seconds between faults, on average
STILL = 30.0  # seconds that a node stands still
LATE = 10.0  # seconds that spectators of every tenth match are behind
#: seconds after which a page takes a line for dead: no answer, no sign of life, no greeting (the
#: first few times, and later)
ANSWER, SILENCE, GREETING, SLOW_GREETING, QUICK_TRIES = 6.0, 12.0, 4.0, 12.0, 3
AGAIN = 0.4, 8.0  # seconds until it tries again, about: at first, and at most
READY_EVERY, READY = 1.0, 1.0  # seconds between a proxy's questions, and for an answer
CALM = 120.0  # seconds that players have, at the end, to go on: only what hangs needs them
SOON = 1.0  # seconds between what a clock says and what a spectator is shown by it
LARGEST = 2**24


class Refused(Exception):
    """The server does not want it."""


# ---- who plays -----------------------------------------------------------------------------------
@dataclass
class Sighting:
    """A picture that somebody was shown."""

    at: float  # seconds since 1970
    told: int  # events, with it
    digest: bytes


@dataclass
class Player:
    """A seat, or a spectator, who plays at whichever node answers."""

    hall: Hall = field(repr=False)
    match: str
    seat: int | None
    token: str | None
    form: str
    dice: random.Random
    acked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    shown: list[Sighting] = field(default_factory=list, repr=False)
    told: list[Any] = field(default_factory=list, repr=False)
    run: str = ""
    n: int = -1
    scene: dict[str, Any] = field(default_factory=dict, repr=False)
    #: by id: the question, the message, and when that was sent first
    waiting: dict[str, tuple[str, str, float]] = field(default_factory=dict)
    asked: tuple[str, list[int]] = ("", [])  # the question, and what can be chosen
    answered: set[str] = field(default_factory=set)  # questions
    due: tuple[float, str, int] | None = None  # when they will choose: question, action
    down: float = 0.0  # since when nothing has worked for them; 0: all is well
    tries: int = 0  # since they heard something
    ended: bool = False
    socket: ClientConnection | None = None

    @property
    def over(self) -> bool:
        """The match is, and what they wanted is answered."""
        return self.ended and not self.waiting

    async def play(self) -> None:
        """Until the match is over."""
        while not self.over:
            try:
                until = time.monotonic() + self.patience()
                async with asyncio.timeout_at(until):  # the loop goes by the same clock
                    found = await self.reach()
                async with found as self.socket:
                    await self.converse(self.socket, until)
            except (OSError, WebSocketException, TimeoutError):
                since = min((x for *_, x in self.waiting.values()), default=time.monotonic())
                self.down = self.down or since
                self.due = None
                first, last = AGAIN
                await asyncio.sleep(min(last, first * 2**self.tries) * self.dice.uniform(0.7, 1.3))
                self.tries += 1
            finally:
                self.socket = None

    async def reach(self) -> ClientConnection:
        """A line to the next node that takes one. Errors: ConnectionError, if there is none."""
        how: dict[str, Any] = {"max_size": LARGEST, "close_timeout": 0.1, "proxy": None}
        how |= {"ping_interval": None, "compression": None, "open_timeout": None}
        for node in self.hall.proxy.order():
            with contextlib.suppress(OSError, InvalidHandshake):
                url = f"ws://{HOST}:{node.port}/api/matches/{self.match}/live"
                return await connect(url, **how)
        raise ConnectionError("no node takes a line")

    def patience(self) -> float:
        """Seconds in which who was just called has to answer."""
        return GREETING if self.tries < QUICK_TRIES else SLOW_GREETING

    async def converse(self, socket: ClientConnection, until: float) -> None:
        """Hears and answers until the line breaks, or no greeting comes until then.

        Errors: as it breaks.
        """
        hello = {"type": "hello", "protocol": PROTOCOL, "token": self.token, "frames": self.form}
        await socket.send(json.dumps({**hello, "run": self.run, "since": self.n}))
        for _, text, _ in [*self.waiting.values()]:
            await socket.send(text)
        answer_until = time.monotonic() + ANSWER
        while not self.over:
            if self.due and self.due[0] <= time.monotonic():
                await self.choose(socket, *self.due[1:])
                until = answer_until = time.monotonic() + ANSWER
            try:
                async with asyncio.timeout_at(min(until, self.due[0]) if self.due else until):
                    text = await socket.recv()
            except TimeoutError:
                if time.monotonic() >= until:
                    raise
                continue
            found = from_json(text)
            for message in found if isinstance(found, list) else [found]:
                self.hear(message)
            until = answer_until if self.waiting else time.monotonic() + SILENCE

    async def choose(self, socket: ClientConnection, question: str, action: int) -> None:
        """Says what they do."""
        self.due, id = None, uuid.uuid4().hex
        act = {"type": "act", "id": id, "question": question, "action": action}
        self.waiting[id] = question, json.dumps(act), time.monotonic()
        self.answered.add(question)
        await socket.send(self.waiting[id][1])

    def hear(self, m: dict[str, Any]) -> None:
        """A message."""
        kind = m["type"]
        self.tries = 0 if kind != "error" else self.tries
        if kind == "frame":
            self.look(m)
        elif kind in ("ack", "refused"):
            if sent := self.waiting.pop(m["id"], None):
                (self.acked if kind == "ack" else self.refused).append(m["id"])
                self.hall.moved(time.monotonic() - sent[2], m)
                self.well()
                if kind == "refused":  # the same question may still stand
                    self.answered.discard(sent[0])
                    self.consider()
        elif kind == "room":
            if not self.waiting:
                self.well()
            self.consider()  # they may know the newest picture already: there is no other then
            self.ended = m["end"] is not None
        elif kind == "error":
            if m["error"]["code"] not in ("not_saved", "cannot_be_opened"):  # the database is away
                raise RuntimeError(f"{self.match}, seat {self.seat}: {m}")
            raise ConnectionError(m["error"]["message"])
        elif kind != "beat":
            raise RuntimeError(f"{self.match}, seat {self.seat}: {m}")

    def look(self, m: dict[str, Any]) -> None:
        """A picture."""
        self.told[m["keep"] :] = m["told"]
        self.run, self.n = m["run"], m["n"]
        self.asked = m["question"], self.picture(m)
        self.hall.frames += 1
        self.consider()

    def consider(self) -> None:
        """Thinks about what they are asked."""
        question, actions = self.asked
        if not actions or question in self.answered:
            self.due = None
        elif not self.due or self.due[1] != question:
            think = self.hall.think * self.dice.uniform(0.3, 1.7)
            self.due = (time.monotonic() + think, question, self.dice.choice(actions))

    def picture(self, m: dict[str, Any]) -> list[int]:
        """Takes it down. What can be chosen."""
        question = m["question"]
        if self.form == "data":
            what: Any = [m["observation"], m["actions"]]
            actions: list[int] = m["actions"]
        else:
            known = m.get("since") is not None
            self.scene = changed(self.scene, m["changes"]) if known else unpacked(m["scene"])
            what = Scene.from_dict(self.scene).to_dict()  # what is left out is said
            actions = [x["action"] for x in self.scene["choices"]]
        self.shown.append(Sighting(time.time(), len(self.told), digest(question, what)))
        return actions

    def well(self) -> None:
        """They can go on."""
        if self.down:
            self.hall.outages.append((self.down, time.monotonic()))
            self.down = 0.0


# ---- in front of the nodes -----------------------------------------------------------------------
class Proxy:
    """Knows which nodes are well, by their ports: it asks them, as balancers do."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes, self.well = deque(nodes), {x.port for x in nodes}

    def order(self) -> list[Node]:
        """In which the next one's line is offered to nodes: those that are well."""
        well = [x for x in self.nodes if x.port in self.well]
        if well:  # those that are well take turns, wherever the others stand
            self.nodes.remove(well[0])
            self.nodes.append(well[0])
        return well

    async def look(self) -> None:
        """Asks all of them, again and again."""
        how: dict[str, Any] = {"timeout": READY, "trust_env": False}
        async with httpx.AsyncClient(**how) as line, asyncio.TaskGroup() as group:
            for node in self.nodes:
                group.create_task(self._look_at(node, line))

    async def _look_at(self, node: Node, line: httpx.AsyncClient) -> None:
        while True:
            is_ready = False
            with contextlib.suppress(httpx.HTTPError, TimeoutError):
                async with asyncio.timeout(READY):
                    answer = await line.get(f"http://{HOST}:{node.port}/ready")
                is_ready = answer.status_code == 200
            (self.well.add if is_ready else self.well.discard)(node.port)
            await asyncio.sleep(READY_EVERY)


# ---- the matches ---------------------------------------------------------------------------------
@dataclass
class Hall:
    """All who play, and what is counted."""

    cluster: Cluster
    dice: random.Random
    think: float
    players: dict[str, list[Player]] = field(default_factory=dict)  # by match
    waits: list[float] = field(default_factory=list)  # seconds from a choice to its answer
    #: by the monotonic clock: from when until when somebody could not go on, and no node was well
    outages: list[tuple[float, float]] = field(default_factory=list)
    dark: list[tuple[float, float]] = field(default_factory=list)
    away: Counter[Node] = field(default_factory=Counter)  # what keeps each from serving anybody
    away_since: float = 0.0  # when that changed last
    codes: Counter[str] = field(default_factory=Counter)  # of what was refused
    frames: int = 0
    going: dict[asyncio.Task[None], str] = field(default_factory=dict)
    proxy: Proxy = field(init=False)
    stopping: bool = False

    def __post_init__(self) -> None:
        self.proxy = Proxy(self.cluster.nodes)

    def moved(self, seconds: float, answer: dict[str, Any]) -> None:
        """A choice has its answer."""
        self.waits.append(seconds)
        if answer["type"] == "refused":
            self.codes[answer["error"]["code"]] += 1

    @contextlib.contextmanager
    def without(self, *nodes: Node) -> Iterator[None]:
        """These serve nobody meanwhile."""
        self._away(nodes, 1)
        try:
            yield
        finally:
            self._away(nodes, -1)

    def _away(self, nodes: Sequence[Node], more: int) -> None:
        now = time.monotonic()
        if all(self.away[x] for x in self.cluster.nodes):
            self.dark.append((self.away_since, now))
        self.away_since = now
        for x in nodes:
            self.away[x] += more

    def unserved(self) -> list[float]:
        """Seconds until somebody could go on, without those in which no node was well."""
        return [
            end - begin - sum(max(0.0, min(end, b) - max(begin, a)) for a, b in self.dark)
            for begin, end in self.outages
        ]

    async def keep_full(self, matches: int) -> None:
        """So many at once: when one ends, another begins. Errors: of who plays."""
        numbers, making = iter(range(10**9)), set[asyncio.Task[None]]()
        while not self.stopping:
            self.check()
            making = {x for x in making if not x.done() or x.result()}
            for _ in range(min(matches - self.live - len(making), 8 - len(making))):
                making.add(asyncio.create_task(self.begin(next(numbers))))
            await asyncio.sleep(0.05)
        await asyncio.gather(*making)

    def check(self) -> None:
        """Errors: of who has had one."""
        for task in [x for x in self.going if x.done()]:
            del self.going[task]
            task.result()

    @property
    def live(self) -> int:
        """Matches that go on."""
        return len({*self.going.values()})

    async def begin(self, number: int) -> None:
        """A match, and all who play it."""
        game, seats = TABLES[number % len(TABLES)]
        dice, late = random.Random(self.dice.random()), LATE if number % 10 == 0 else 0.0
        wanted = {"game": game, "seats": ["you", *["open"] * (seats - 1)], "delay": late}
        made = await self.insist(lambda node: _post(node, "/api/matches", wanted))
        id, tokens = made["id"], [made["token"]]
        invitations = await self.insist(lambda node: _invitations(node, id, tokens[0]))
        for p in range(1, seats):
            key, token = uuid.uuid4().hex, invitations[str(p)]
            tokens.append(await self.insist(lambda n, t=token, k=key: _sit(n, id, t, k)))
        forms = [*("data" if dice.random() < 0.75 else "scene" for _ in tokens)]
        players = [
            Player(self, id, p, token, forms[p], random.Random(dice.random()))
            for p, token in enumerate(tokens)
        ]
        if late:
            players.append(Player(self, id, None, None, "data", random.Random(dice.random())))
        self.players[id] = players
        for x in players:
            self.going[asyncio.create_task(x.play())] = id

    async def insist(self, ask: Callable[[Node], Awaitable[Any]]) -> Any:
        """Asks one node after the other until one answers."""
        lost = (OSError, httpx.HTTPError, WebSocketException, TimeoutError, Refused)
        while True:
            for node in self.proxy.order()[:1]:
                with contextlib.suppress(*lost):
                    async with asyncio.timeout(2 * ANSWER):
                        return await ask(node)
            await asyncio.sleep(AGAIN[0])

    async def all_go_on(self) -> None:
        """Waits until everybody can go on, and somebody has in each match.

        Errors: AssertionError.
        """
        before = {id: sum(len(x.acked) for x in xs) for id, xs in self.players.items()}
        until = time.monotonic() + CALM
        while late := [id for id in {*self.going.values()} if self._stands(id, before[id])]:
            self.check()
            assert time.monotonic() < until, f"nobody goes on: {[self.players[x] for x in late]}"
            await asyncio.sleep(0.05)

    def _stands(self, id: str, acked: int) -> bool:
        """Whether nobody has gone on in a match, or somebody cannot."""
        players = self.players[id]
        return any(x.down for x in players) or sum(len(x.acked) for x in players) == acked

    async def leave(self) -> None:
        """All go home."""
        for task in self.going:
            task.cancel()
        await asyncio.gather(*self.going, return_exceptions=True)


async def _post(node: Node, path: str, body: object) -> Any:
    async with httpx.AsyncClient(timeout=ANSWER, trust_env=False) as line:
        answer = await line.post(f"http://{HOST}:{node.port}{path}", json=body)
    if answer.status_code != 201:
        raise Refused(answer.text)
    return answer.json()


@contextlib.asynccontextmanager
async def _hello(node: Node, id: str, token: str) -> Any:
    url = f"ws://{HOST}:{node.port}/api/matches/{id}/live"
    async with connect(url, open_timeout=ANSWER, close_timeout=0.1, proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL, "token": token}))
        yield socket


async def _invitations(node: Node, id: str, token: str) -> dict[str, str]:
    async with _hello(node, id, token) as socket:
        while (m := from_json(await socket.recv()))["type"] != "room":
            pass
        found: dict[str, str] = m["invitations"]
        return found


async def _sit(node: Node, id: str, token: str, key: str) -> str:
    async with _hello(node, id, token) as socket:
        sit = {"type": "take_seat", "id": "sit", "name": "somebody", "key": key}
        await socket.send(json.dumps(sit))
        while (m := from_json(await socket.recv()))["type"] not in ("ack", "refused", "error"):
            pass
        if m["type"] != "ack":
            raise Refused(m)
        return str(m["token"])


# ---- the faults ----------------------------------------------------------------------------------
class Faults:
    """What happens to the machines, by these dice."""

    def __init__(self, hall: Hall, dice: random.Random, still: float) -> None:
        self.hall, self.nodes, self.dice, self.still = hall, hall.cluster.nodes, dice, still
        self.order = random.Random(dice.random())  # of the kinds, however long each takes
        self.count = Counter[str]()
        self.busy = set[Node]()  # to which something is happening
        self.database = asyncio.Lock()
        self.kinds: dict[str, tuple[float, Callable[[], Awaitable[None]]]] = {
            "a node is killed": (3, self.kill),
            "a node stands still": (1, self.stand_still),
            "the database is killed": (1, self.kill_database),
            "a node's lines to the database are cut": (3, self.cut),
            "a node's lines to the database hold everything back": (1, self.hold),
            "a third of a node's players are cut off": (4, self.cut_off),
            "a node's clock is set off": (1.5, self.set_clock),
            "all nodes are replaced, one after the other": (0.5, self.roll),
        }

    async def happen(self, n: int, gap: float, say: Callable[[int], None]) -> None:
        """So many of them, some at the same time."""
        names, weights = [*self.kinds], [w for w, _ in self.kinds.values()]
        tasks = set[asyncio.Task[None]]()
        for k in range(n):
            name = self.order.choices(names, weights)[0]
            self.count[name] += 1
            tasks.add(asyncio.ensure_future(self.kinds[name][1]()))
            await asyncio.sleep(self.order.expovariate(1 / gap))
            while len(tasks) > 3:  # that is enough at once
                done, tasks = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for x in done:
                    x.result()
            self.hall.check()
            say(k + 1)
        await asyncio.gather(*tasks)

    @contextlib.asynccontextmanager
    async def _node(self, *wanted: Node) -> Any:
        """A node to which nothing else is happening; it is waited for."""
        order = self.dice.sample(wanted or self.nodes, len(wanted or self.nodes))
        while not (free := [x for x in order if x not in self.busy]):
            await asyncio.sleep(0.05)
        self.busy.add(free[0])
        try:
            yield free[0]
        finally:
            self.busy.discard(free[0])

    async def kill(self) -> None:
        """kill -9, and it is started again."""
        async with self._node() as node:
            with self.hall.without(node):
                await node.end(signal.SIGKILL)
                await node.start()

    async def stand_still(self) -> None:
        """Nobody hears of it, then it goes on as if nothing had been."""
        async with self._node() as node:
            with self.hall.without(node):
                node.send(signal.SIGSTOP)
                await asyncio.sleep(self.still)
                node.send(signal.SIGCONT)

    async def kill_database(self) -> None:
        """kill -9, and it is started again."""
        async with self.database:
            database = self.hall.cluster.database
            with self.hall.without(*self.nodes):
                await asyncio.to_thread(database.kill)
                await asyncio.to_thread(database.start)

    async def cut(self) -> None:
        """They are gone, and can be made anew."""
        self.dice.choice(self.nodes).pipe.cut()

    async def hold(self) -> None:
        """They stay, and nothing gets through for a while."""
        async with self._node() as node:
            with self.hall.without(node):
                node.pipe.hold()
                await asyncio.sleep(self.dice.uniform(0.1, 0.5) * self.still)
                node.pipe.let_go()

    async def cut_off(self) -> None:
        """Their sockets break without a word."""
        port = self.dice.choice(self.nodes).port
        here = [
            x.socket
            for xs in self.hall.players.values()
            for x in xs
            if x.socket and x.socket.remote_address and x.socket.remote_address[1] == port
        ]
        for socket in self.dice.sample(here, -(-len(here) // 3)):
            socket.transport.abort()

    async def set_clock(self) -> None:
        """By up to an hour, and stays so."""
        async with self._node() as node:
            node.set_clock(self.dice.uniform(-3600, 3600))

    async def roll(self) -> None:
        """Each is asked to end, does, and is started again."""
        for each in self.nodes:
            async with self._node(each) as node:
                with self.hall.without(node):
                    status = await node.end()
                    if status:
                        raise RuntimeError(f"a node that was to end had exit status {status}")
                    await node.start()


# ---- what came of it -----------------------------------------------------------------------------
@dataclass(frozen=True)
class Findings:
    """What a run has found; it found nothing wrong, or there are none."""

    faults: Counter[str]
    seed: int
    seconds: float
    matches: int
    players: int
    entries: int
    acknowledged: int
    codes: Counter[str]
    frames: int
    waits: Sequence[float]
    outages: Sequence[float]
    unserved: Sequence[float]  # the same without the time in which no node was well


def check(hall: Hall, say: Callable[[str], None]) -> int:
    """Holds what everybody was told against the logs. Entries. Errors: AssertionError."""
    from battlebox.server.store.postgres import PostgresStore

    store, entries = PostgresStore(hall.cluster.url), 0
    try:
        for k, (id, players) in enumerate(hall.players.items()):
            if k % 100 == 0:
                say(f"reading logs: {k} of {len(hall.players)}")
            history = History(store, id)
            entries += len(history.entries)
            ids = Counter(x.action for x in history.entries if x.action)
            assert set(ids.values()) <= {1}, f"{id}: something was done twice"
            for x in players:
                lost = [y for y in x.acked if f"{x.seat}:{y}" not in ids]
                assert not lost, f"{id}: acknowledged, and not in the log: {lost}"
                wrong = [y for y in x.refused if f"{x.seat}:{y}" in ids]
                assert not wrong, f"{id}: refused, and yet in the log: {wrong}"
                assert len({*x.acked}) == len(x.acked)
                seen = [(y.told, y.digest) for y in x.shown]
                moments = history.moments(x.seat, x.form, seen, x.told)
                if x.seat is None:
                    for y, moment in zip(x.shown, moments, strict=True):
                        early = history.at(moment) + LATE - y.at
                        what = f"{id}: shown to spectators {early:.1f} s too early"
                        assert not moment or early < SOON, what  # how it begins hides nothing
    finally:
        store.close()
    return entries


async def unleash(
    faults: int = FAULTS,
    seed: int = 1,
    matches: int = MATCHES,
    *,
    think: float = THINK,
    gap: float = GAP,
    still: float = STILL,
    say: Callable[[str], None] = lambda _: None,
) -> Findings:
    """A whole run. Errors: AssertionError, if anything was lost, done twice or shown wrongly."""
    dice, start = random.Random(seed), time.monotonic()
    async with cluster(NODES) as found:
        hall = Hall(found, random.Random(dice.random()), think)
        plague = Faults(hall, random.Random(dice.random()), still)
        looking = asyncio.create_task(hall.proxy.look())
        keeping = asyncio.create_task(hall.keep_full(matches))
        while hall.live < matches and not keeping.done():
            await asyncio.sleep(0.1)
        say(f"{hall.live} matches are played; now come the faults")
        first = time.monotonic()

        def told(k: int) -> None:
            if k % 10 == 0 or k == faults:
                gone = time.monotonic() - first
                say(f"{k} of {faults} faults, {gone:.0f} s, {len(hall.waits)} moves answered")

        happening = asyncio.create_task(plague.happen(faults, gap, told))
        tasks = (looking, keeping, happening)  # but for the last, they end only as they fail
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        await next(x for x in tasks if x.done())
        for node in found.nodes:
            node.set_clock(0.0)
        say("no more faults: everybody is to go on")
        hall.stopping = True
        await keeping
        await hall.all_go_on()
        await hall.leave()
        looking.cancel()
        for node in found.nodes:
            assert await node.end() == 0, node.out.read_text()[-2000:]
        entries = await asyncio.to_thread(check, hall, say)
        say(f"{entries} entries are what everybody was told")
        for node in found.nodes:
            text = node.out.read_text()
            assert "Traceback" not in text, text[max(0, text.index("Traceback") - 500) :][:3000]
    players = sum(map(len, hall.players.values()))
    acknowledged = sum(len(x.acked) for xs in hall.players.values() for x in xs)
    counts = (len(hall.players), players, entries, acknowledged, hall.codes, hall.frames)
    seconds = time.monotonic() - start
    outages = [end - begin for begin, end in hall.outages]
    return Findings(plague.count, seed, seconds, *counts, hall.waits, outages, hall.unserved())


def three(values: Sequence[float]) -> tuple[float, float, float]:
    """The middle, what one in a hundred exceeds, and the largest."""
    hundredths = quantiles(values, n=100) if len(values) > 1 else [*values] * 99 or [0.0] * 99
    return hundredths[49], hundredths[98], max(values, default=0.0)


def text(x: Findings) -> str:
    """The section of bench/RESULTS.md."""
    total = sum(x.faults.values())
    waits, outages, unserved = map(three, (x.waits, x.outages, x.unserved))
    story = (
        f"{total:,} faults by seed {x.seed} in {x.seconds / 60:.0f} minutes; three nodes and one "
        f"PostgreSQL on one machine. {x.matches:,} matches of all games, {x.players:,} players, "
        f"{x.frames:,} pictures, {x.entries:,} entries in the logs, "
        f"{x.acknowledged:,} choices acknowledged, {sum(x.codes.values()):,} refused. **No choice "
        "was lost, none was done twice; every log replays; every picture was that of a moment in "
        "the log, in order, as its viewer may see it.**"
    )
    rows = [[name, f"{n:,}"] for name, n in sorted(x.faults.items())]
    times = [
        ["from a choice to its answer", f"{len(x.waits):,}", *(f"{t:.2f}" for t in waits)],
        ["until one could go on", f"{len(x.outages):,}", *(f"{t:.1f}" for t in outages)],
        ["of it, while a node was well", "", *(f"{t:.1f}" for t in unserved)],
    ]
    counted = (
        "One cannot go on from the choice that gets no answer, or else from when one's line is "
        "found dead. A node that stands still is found out after 6 s by who has chosen something, "
        "after 12 s by others, and after 2 s by the proxy. Up to four faults last at once: at "
        "times all three nodes stand still, or lack the database, and nobody can go on. PostgreSQL "
        "writes without fsync here: it is killed, and not the machine."
    )
    return "\n".join(
        [
            "",
            "## Faults",
            "",
            *textwrap.wrap(story, 100),
            "",
            *results.table(["fault", "times"], rows),
            *results.table(["seconds", "times", "median", "99 %", "longest"], times),
            "",
            *textwrap.wrap(counted, 100),
        ]
    )


def main() -> None:
    """Reads the options, runs, prints."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.chaos", description="Faults of machines while people play."
    )
    parser.add_argument("--faults", type=int, default=FAULTS, help=f"how many ({FAULTS})")
    parser.add_argument("--seed", type=int, default=1, help="of the faults and of the play (1)")
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"at once ({MATCHES})")
    parser.add_argument("--write", action="store_true", help="to bench/RESULTS.md, too")
    parser.add_argument("--note", default="", help="a sentence about it, for the file")
    given = parser.parse_args()

    def say(what: str) -> None:
        print(f"  {what}", file=sys.stderr, flush=True)

    found = asyncio.run(unleash(given.faults, given.seed, given.matches, say=say))
    command = shlex.join(["python", "-m", "bench.chaos", *sys.argv[1:]])
    said = text(found)
    print(said)
    if given.write:
        results.write_sections(said, command, given.note)


if __name__ == "__main__":
    main()
