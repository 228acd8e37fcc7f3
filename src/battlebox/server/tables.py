"""Live matches: who looks at them, what each is sent, and the bots that play along.

A `Table` is one meeting with its log and its sockets. Whatever changes it is first found to be
possible, then written to the log, and only then done, told and acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import logging
import math
import re
from base64 import urlsafe_b64encode
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from pydantic_core import to_json

from ..bots import LEVELS, Bot, BotSpec
from ..bots.review import Option, by_rounds, hint
from ..bots.review_text import advice
from ..bots.search import SearchBot
from ..core.errors import BattleboxError
from ..core.fair import new_secret
from ..core.game import Game, Ruleset
from .clock import REAL, Alarm, Clock
from .countdown import Countdown
from .limits import ID, Limits
from .meeting import BOT, DAMAGED, OPEN, PERSON, STAND_IN, Body, Meeting, Refused, check_order
from .reviews import Accounts, Hear, Reviews
from .shares import Share
from .slices import Slices
from .store import Conflict, Entry, Setup, Store, StoreError
from .thinking import Pace, Rank, Thinkers, TooLong, rest
from .viewers import FORMS, Line, Link, Post, Shown, Viewer

log = logging.getLogger("battlebox")
SEAT, INVITATION = "seat", "invitation"  # sorts of tokens

HINTS = 3  # choices that a hint tells of
HINTING = "hints"  # all of them have one account of thinking time, as if they were one match
RETRY = 2  # seconds after which it is tried again to save what could not be saved
ALONE = 4  # whom nobody else could watch waits so many times less
BEAT = 20  # seconds
DAY = 86_400  # seconds
TIDY = 3_600  # seconds, after which old matches are looked for again
BUSY = 50  # matches that a sweep meets with at most and cannot let go
HEARTBEAT = b'{"type":"beat"}'


class NotFound(BattleboxError):
    """There is no such match."""


class Table:
    """One match that is being played or watched."""

    def __init__(self, house: Tables, setup: Setup) -> None:
        self.house, self.setup, self.clock = house, setup, house.clock
        self.meeting = Meeting(setup)
        house.is_compiled(self.meeting.match.rules)
        self.delay = float(self.meeting.plan["delay"])
        # late spectators see a meeting of their own, which hears of everything later
        self.past = Meeting(setup) if self.delay else self.meeting
        self._late: deque[tuple[float, Body]] = deque()  # what it hears of, and when
        self._timer: Alarm | None = None
        self._showing: asyncio.Task[None] | None = None
        self.done: dict[str, str] = {}  # what was wished in the actions that are in the log
        self.viewers: dict[Shown, Viewer] = {}
        self.post = Post()
        self.lock = asyncio.Lock()
        self.by: str | None = None  # the address that counts it as under way
        self.used = self.clock.now()  # see `Tables.use`
        self.seen = self.used  # when somebody looked at it last
        self.preparing = False
        self.changes = 0  # of all that the table message tells
        self.rematch: str | None = None
        self._bots: dict[tuple[int, str], Bot] = {}
        self._bot: asyncio.Task[None] | None = None
        self.countdowns: dict[Meeting, Countdown] = {}  # of those that are in a hush
        self._waiter: asyncio.Task[None] | None = None
        self.replaced = frozenset[int]()  # the seats of people who are away, and played for
        self._away: dict[int, float] = {}  # since when they are
        self._hints: dict[int, tuple[bytes, list[Option]]] = {}  # the last ones, and for what
        self._hinting = set[int]()  # the seats for which one is being thought about
        self._rounds: Alarm | None = None
        for meeting in (self.past, self.meeting):
            self._count_down(meeting)

    # ---- what happens ----
    def read(self, entry: Entry) -> None:
        """The next entry of its log, while it is read again."""
        self._apply(entry, json.loads(entry.body))

    def _apply(self, entry: Entry, body: Body) -> None:
        if entry.action is not None:
            self.done[entry.action] = body.get("wish", "")
        self._change(self.meeting, body)
        if self.past is not self.meeting:
            self._late.append((entry.at + self.delay, body))
            if self._timer is None:
                self._catch_up()

    def _change(self, meeting: Meeting, body: Body) -> None:
        """Applies a body, and makes the viewers forget what no longer holds."""
        before = self._around(meeting)
        meeting.apply(body)
        self._count_down(meeting)
        moved = "do" in body or "hush" in body
        if not moved or before != self._around(meeting):
            self.changes += 1
        if moved:
            return
        renamed = "name" in body or "fill" in body  # sentences hold names
        for viewer in self.viewers.values():
            if self.seen_by(viewer.seat) is meeting:
                viewer.cut(0 if renamed else len(meeting.match.events(viewer.seat)))

    @staticmethod
    def _around(meeting: Meeting) -> tuple[Any, ...]:
        """What a move can change of the table message: offers, those possible too, and the end."""
        return (meeting.asked, meeting.answered, meeting.end, meeting.offerable)

    def _show_late(self) -> None:
        """Shows late spectators what it is time for."""
        since, hush = self.clock.now(), self.past.hush
        self._catch_up()
        self.tell()
        if hush != self.past.hush:
            self._showing = asyncio.get_running_loop().create_task(self._keep_back(since))

    def _catch_up(self) -> None:
        """What late spectators see comes to where it is time for, in its order."""
        self._timer = None
        while self._late and self._late[0][0] <= self.clock.date():
            self._change(self.past, self._late.popleft()[1])
        if self._late:
            wait = self._late[0][0] - self.clock.date()
            self._timer = self.clock.call_later(wait, self._show_late)

    def is_done(self, action: str | None, wish: str) -> bool:
        """Whether this wish is in the log. Errors: Refused, if another one is, under its id."""
        if action is None or action not in self.done:
            return False
        if self.done[action] != wish:
            raise Refused("used", "Something else was done under this id: take another.")
        return True

    async def act(self, action: str | None, find: Callable[[], Body], wish: str = "") -> None:
        """Writes what `find` gives to the log, then does and tells it.

        `action`: "SEAT:ID"; one that is in the log already was done, and is not done again, if it
        was the same `wish`.
        Errors: Refused, of `find`; StoreError: it could not be written; nothing has changed.
        """
        async with self.lock:
            if self.is_done(action, wish):
                return
            since, hush = self.clock.now(), self.meeting.hush
            body = find()
            if "hush" in body:
                since -= self.countdowns[self.meeting].late
            if wish:
                body["wish"] = wish
            at, text = self.clock.date(), to_json(body).decode()
            entry = Entry(self.meeting.length, action, at, text)
            try:
                await self.house.store.append(self.setup.id, entry)
            except Conflict:
                self.house.drop(self)  # the log knows better than this memory
                raise
            self._apply(entry, body)
            self.house.use(self)
            self.tell()
            if hush != self.meeting.hush:
                await self._keep_back(since)
            # what is counted is shown to all: an answer in a hush is not
            self.house.moves += not (hush and "do" in body)
            self.wake()

    def note(self) -> None:
        """Something about the table has changed that is not in the log."""
        self.changes += 1
        self.tell()

    def tell(self) -> None:
        """Shows everybody who looks what there is to see now."""
        holds = self._holds()
        for viewer in self.viewers.values():
            if viewer.links:
                self._show(viewer, holds)
                for link in viewer.links:
                    link.wake()

    def seen_by(self, seat: int | None) -> Meeting:
        """What a viewer sees: the meeting now, or as it was a while ago."""
        return self.past if seat is None else self.meeting

    def _holds(self) -> dict[Meeting, bytes]:
        """How long there is to wait, said to all alike."""
        return {meeting: x.as_member for meeting, x in self.countdowns.items()}

    def _show(self, viewer: Viewer, holds: dict[Meeting, bytes]) -> None:
        meeting = self.seen_by(viewer.seat)
        viewer.look(meeting)
        viewer.hold = holds.get(meeting, b"")
        if viewer.table_of != self.changes:
            viewer.table_of = self.changes
            table = to_json(self.describe(viewer.shown))
            if table != viewer.table:  # else what changed is not for him, not even that it did
                viewer.table = table

    def describe(self, shown: Shown) -> dict[str, Any]:
        """The table message for a viewer."""
        seat = shown.seat
        m = self.seen_by(seat)
        invited = shown.invited is not None and self.meeting.seats[shown.invited].kind == OPEN
        seats = [
            {
                "seat": p,
                "name": x.name,
                "kind": x.kind,
                "level": x.level,
                "here": bool(x.bot) or self.looking(p) > 0,
                "resigned": x.resigned,
                "replaced": p in self.replaced,
            }
            for p, x in enumerate(m.seats)
        ]
        return {
            "type": "table",
            "id": self.setup.id,
            "game": m.match.rules.name,
            "title": m.match.rules.game.title,
            "mode": m.plan["mode"],
            "options": m.match.rules.options_in_words,
            "you": seat,
            "invited": shown.invited if invited else None,
            "seats": seats,
            "may": m.may(seat),
            "offers": m.offers(seat),
            "invites": {str(p): token for p, token in self.invites(seat).items()},
            "asked": asdict(m.asked) if m.asked else None,
            "answered": asdict(m.answered) if m.answered else None,
            "preparing": self.preparing,
            "watching": self.looking(None),
            "delay": self.delay,
            "fair": m.fair(),
            "end": asdict(m.end) if m.end else None,
            "rematch": self.rematch if m.end else None,
        }

    def invites(self, seat: int | None) -> dict[int, str]:
        """The invitations that this seat may give away: the host's, to all open seats."""
        m = self.seen_by(seat)
        hosting = seat is not None and seat == m.host
        open_seats = [p for p, x in enumerate(m.seats) if x.kind == OPEN] if hosting else []
        return {p: self.house.token(self.setup.id, p, INVITATION) for p in open_seats}

    def invitation(self) -> tuple[int, str]:
        """The first open seat, and the invitation to it, for anyone who knows the match's id.

        Errors: Refused, if there is none.
        """
        if (seat := self.free) is None:
            raise Refused("taken", "No seat of this match is open; you can watch it.")
        return seat, self.house.token(self.setup.id, seat, INVITATION)

    @property
    def free(self) -> int | None:
        """The first open seat; None: there is none, or the match is over."""
        seats = [] if self.meeting.end else self.meeting.seats
        return next((p for p, x in enumerate(seats) if x.kind == OPEN), None)

    def looking(self, seat: int | None) -> int:
        """How many windows look at the table from this seat (None: as spectators)."""
        return sum(len(v.links) for v in self.viewers.values() if v.seat == seat)

    # ---- who looks ----
    def join(self, shown: Shown, line: Line, run: str = "", since: int = -1) -> Link:
        """A new socket for a viewer. Errors: Refused, if there are too many."""
        watching = shown.seat is None  # spectators do not keep players out
        alike = [v for v in self.viewers.values() if (v.seat is None) == watching]
        if sum(len(v.links) for v in alike) >= self.house.limits.sockets_per_match:
            raise Refused("too_many", "Too many windows look at this match; close some.")
        viewer = self.viewers.setdefault(shown, FORMS[shown.form](shown))
        self._show(viewer, self._holds())
        link = Link(viewer, line, self.post, run, since)
        viewer.links.add(link)
        self.house.use(self)
        self.glance()
        self.look_around()
        self.note()  # that he is here
        return link

    def leave(self, link: Link) -> None:
        """The socket is gone."""
        link.leave()
        self.house.use(self)
        self.seen = self.clock.now()
        self.look_around()
        self.note()

    def glance(self) -> None:
        """Somebody asks how it stands, and may come again."""
        self.seen = self.clock.now()
        self.wake()

    @property
    def wanted(self) -> bool:
        """Whether bots think here: somebody looks, or has looked a moment ago."""
        left = self.rank() is Rank.LEFT
        return not left or self.clock.now() - self.seen < self.house.limits.linger

    def rank(self) -> Rank:
        """Who waits for the bots of this match."""
        if any(map(self.looking, self.meeting.people())):
            return Rank.PLAYED
        looked = any(v.links for v in self.viewers.values())
        return Rank.WATCHED if looked else Rank.LEFT

    def look_around(self) -> None:
        """Finds out for whom a bot plays: who is away too long from a game that does not wait.

        Only while one of the people is here; else there is nobody to wait for them.
        """
        m, limits, now = self.meeting, self.house.limits, self.clock.now()
        people = m.people() if m.match.rules.game.realtime and not m.end else []
        away = [p for p in people if not self.looking(p)]
        self._away = {p: self._away.get(p, now) for p in away}
        left = {p: since + limits.away - now for p, since in self._away.items()}
        alone = len(away) == len(people)
        before, gone = self.replaced, [p for p in left if left[p] <= 0 and not alone]
        self.replaced = frozenset(gone)
        if self.replaced != before:
            self.note()
        if self.replaced - before:
            self.wake()
        if self._rounds:
            self._rounds.cancel()
        later = [x for x in left.values() if x > 0]
        if later and not alone:
            self._rounds = self.clock.call_later(min(later), self.look_around)

    def place_of(self, token: str | None, form: str = "scene") -> Shown:
        """What a token shows. Errors: Refused, if it is that of no seat.

        An invitation shows what spectators see, and lets its bearer take the seat. The token he
        gets then is another, which nobody who knew the invitation knows.
        """
        if token is None:
            return Shown(None, form)
        for p, seat in enumerate(self.meeting.seats):
            if self.house.is_token(token, self.setup.id, p, SEAT):
                return Shown(p if seat.kind == PERSON else None, form)
            if self.house.is_token(token, self.setup.id, p, INVITATION):
                return Shown(None, form, p if seat.kind != BOT else None)
        raise Refused("bad_token", "This link is not that of a seat of this match.")

    def hang_up(self) -> None:
        """Sends everybody away; they come back by themselves."""
        for viewer in self.viewers.values():
            for link in viewer.links:
                link.line.hang_up()

    def let_go(self) -> None:
        """It leaves the memory: nothing that is still to ring keeps it there."""
        for alarm in (self._timer, self._rounds):
            if alarm:
                alarm.cancel()
        self._timer = self._rounds = None

    @property
    def busy(self) -> bool:
        """Somebody looks, a bot thinks, or something is being written."""
        looked = any(v.links for v in self.viewers.values())
        return looked or self.lock.locked() or bool(self._bot or self._waiter)

    # ---- what goes on by itself ----
    def wake(self) -> None:
        """Lets the bot think whose turn it is, and the time of a hush pass."""
        start = asyncio.get_running_loop().create_task
        if self._bot is None and self._bot_to_act is not None:
            self._bot = start(self._play_bots())
        if self._waiter is None and self.meeting.hush:
            self._waiter = start(self._wait())

    async def _go_on(self, step: Callable[[], Awaitable[bool]], what: str) -> None:
        """Step after step while there are any; one that could not be saved is tried again."""
        more = True
        try:
            while more:
                try:
                    more = await step()
                except Conflict:
                    raise
                except StoreError as e:
                    self.house.trouble(str(e))
                    await self.clock.sleep(RETRY)
        except Exception as e:  # nobody else would hear of it
            self.house.trouble(f"{self.setup.id}: {what}: {e!r}")

    # ---- hushes ----
    def _count_down(self, meeting: Meeting) -> None:
        """Begins a countdown where there is a hush that has none yet."""
        here = self.countdowns.get(meeting)
        if meeting.hush is None:
            self.countdowns.pop(meeting, None)
        elif here is None or here.hush != meeting.hush:
            of = self.house.limits.hush / (1 if len(meeting.people()) > 1 else ALONE)
            self.countdowns[meeting] = Countdown(meeting.hush, of, self.clock)
            if meeting is not self.meeting:
                self.countdowns[meeting].begin()  # what follows comes when it is time for it

    async def _keep_back(self, since: float) -> None:
        """What begins or ends a hush shows when a whole slot of time is over since it happened: how
        long the rules take over it, and the pictures, depends on who is asked.
        """
        pace, took = self.house.pace, self.clock.now() - since
        sort = (self.meeting.match.rules.name, len(self.meeting.seats), "hush")
        slot = pace.slot(sort)
        pace.note(sort, took)
        with self.post.kept_back():
            await self.clock.sleep(rest(took, slot))

    async def _wait(self) -> None:
        try:
            await self._go_on(self._end_hush, "a hush could not be ended")
        finally:
            self._waiter = None

    async def _end_hush(self) -> bool:
        """Lets the time of a hush pass, whoever is asked and whoever has answered."""
        if (countdown := self.countdowns.get(self.meeting)) is None:
            return False
        for p in range(len(self.meeting.seats)):
            if level := self._level_in_hush(p):
                await self._made_bot(p, level)  # else who waits for them would see who is asked
        countdown.begin()
        self.wake()
        await self.clock.sleep(countdown.left)
        with contextlib.suppress(Refused):  # somebody gave up, and with it the match
            await self.act(None, lambda: self.meeting.release(countdown.hush))
        return True

    # ---- bots ----
    def level(self, seat: int) -> str:
        """The level of the bot that plays this seat now; empty: a person does, or will."""
        return self.meeting.seats[seat].bot or (STAND_IN if seat in self.replaced else "")

    def _level_in_hush(self, seat: int) -> str:
        """That of a bot which does not think longer than all wait, or it would be noticed."""
        level = self.level(seat)
        return level and min(level, STAND_IN, key=LEVELS.index)

    @property
    def _bot_to_act(self) -> int | None:
        """The seat for which a bot is to act now; in a hush, once all could."""
        countdown = self.countdowns.get(self.meeting)
        if not self.wanted or (countdown and not countdown.runs):
            return None
        return next((p for p in self.meeting.deciding if self.level(p)), None)

    async def _play_bots(self) -> None:
        try:
            await self._go_on(self._play_bot, "a bot could not play")
        finally:
            self._bot = None
            self.tell()

    async def _made_bot(self, seat: int, level: str) -> Bot:
        """The bot of a seat, and all that it needs to think at once."""
        rules = self.meeting.match.rules
        if (seat, level) not in self._bots:
            if level != "random":
                await self._prepare()
            digest = hmac.digest(self.setup.secret, f"bot {seat}".encode(), "sha256")
            seed = int.from_bytes(digest[:6], "big")
            made = await self.house.thinkers.aside(
                lambda: BotSpec(level).make(rules, seed, even=True)
            )
            self._bots.setdefault((seat, level), made)
        return self._bots[seat, level]

    async def _prepare(self) -> None:
        """Compiles what bots that think need, and says so meanwhile."""
        rules = self.meeting.match.rules
        if self.house.is_compiled(rules):
            return
        self.preparing = True
        self.note()
        try:
            await self.house.compile(rules)
        finally:
            self.preparing = False
            self.note()

    async def _play_bot(self) -> bool:
        """One decision of a bot. Gives whether there was one to make."""
        meeting, match = self.meeting, self.meeting.match
        if (seat := self._bot_to_act) is None:
            return False
        hush = meeting.hush
        level = self._level_in_hush(seat) if hush else self.level(seat)
        await self._made_bot(seat, level)
        if seat != self._bot_to_act or hush != meeting.hush:
            return True  # the match has moved on meanwhile
        asked, seen, pace = self.clock.now(), match.observation(seat), self.house.pace
        sort = (match.rules.name, len(meeting.seats), level)
        slot = pace.slot(sort)
        action, took = await self._choose(seat, level, seen)
        if took:
            pace.note(sort, took)
        if level != "random" and not hush:  # in which nobody sees when it answers
            await self.clock.sleep(rest(self.clock.now() - asked, slot))

        def found() -> Body:
            moved = seat not in meeting.deciding or match.known(seat) != seen.tobytes()
            if moved or not self.level(seat):
                raise Refused("stale", "The match has moved on.")
            return meeting.do_for(seat, action)

        with contextlib.suppress(Refused):  # somebody was quicker: the bot is asked anew
            await self.act(None, found)
        return True

    async def _choose(self, seat: int, level: str, seen: Any) -> tuple[int, float]:
        """What a bot does, and how long it thought. For one that fails lots are drawn, for good."""
        house, made = self.house, self._bots[seat, level]
        try:
            action, took = await house.thinkers.think(
                made.choose, seen, who=self.setup.id, rank=self.rank, limit=house.limits.thought
            )
            return int(action), took if isinstance(made, SearchBot) else 0.0
        except TooLong:
            wrong = f"has thought for more than {house.limits.thought:g} seconds"
        except Exception as e:
            wrong = f"has failed: {e!r}"
        house.trouble(f"{self.setup.id}: the bot {level} of seat {seat} {wrong}; lots are drawn")
        self._bots[seat, level] = lots = BotSpec("random").make(self.meeting.match.rules, 0)
        return lots.choose(seen), 0.0

    # ---- hints ----
    async def hint(self, seat: int) -> tuple[list[Option], str]:
        """What a bot would do in the place of this seat, also in words; nobody else hears of it.
        Who asks again is told the same again.

        Errors: Refused.
        """
        match = self.meeting.match
        self.meeting.check_hint(seat)
        if seat in self._hinting:
            raise Refused("busy", "Another window has just asked for a hint: try again.")
        self._hinting.add(seat)
        try:
            await self._prepare()
            self.meeting.check_hint(seat)
            seen = match.observation(seat)
            known, options = self._hints.get(seat, (b"", []))
            if known != seen.tobytes():
                found, _ = await self.house.thinkers.think(
                    *(hint, match.rules, seen),
                    who=HINTING,
                    rank=lambda: Rank.WATCHED,
                    limit=self.house.limits.thought,
                )
                options = list(found[:HINTS])
                self._hints[seat] = (seen.tobytes(), options)
        finally:
            self._hinting.discard(seat)
        if seat not in self.meeting.deciding or match.known(seat) != seen.tobytes():
            raise Refused("stale", "The match has moved on: look again before you ask.")
        labels = {x.action: x.label for x in match.scene(seat).choices}
        told = advice(options, labels, seat, match.names, by_rounds=by_rounds(match.rules))
        return options, told

    # ---- how it went ----
    async def review(self, seat: int | None, first: int, hear: Hear) -> Accounts:
        """The accounts of all seats, as everybody may see everything then; first that of one.

        Errors: Refused, also if the match is not over for this viewer; BattleboxError.
        """
        if self.seen_by(seat).end is None:
            raise Refused("not_over", "How it went is told when the match is over.")
        await self._prepare()
        return await self.house.reviews.of(self.setup.id, self.meeting.match, first, hear)


class Tables:
    """All matches of a store, or a share of them; those in use are in memory."""

    def __init__(
        self,
        store: Store,
        limits: Limits,
        *,
        threads: int = 1,
        share: Share | None = None,
        clock: Clock = REAL,
    ) -> None:
        self.store, self.limits, self.share, self.clock = store, limits, share or Share(), clock
        self.thinkers, self.pace = Thinkers(threads, clock), Pace()
        self.reviews = Reviews(limits, lambda: self.thinkers.busy)
        self.moves, self.slices = 0, Slices()
        self.trouble: Callable[[str], None] = lambda text: None
        self._live: OrderedDict[str, Table] = OrderedDict()  # what was used last comes last
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._made: dict[str, set[Table]] = {}  # by address: those in memory
        self._going = set[str]()  # what is being deleted: nobody opens it any more
        self._compiled = set[Game]()
        self._compiling: dict[Game, asyncio.Lock] = {}

    # ---- tokens: who knows one has the seat ----
    def token(self, id: str, seat: int, sort: str) -> str:
        """The secret of a seat, or of the invitation to it."""
        digest = hmac.digest(self.store.key, f"{sort} {id} {seat}".encode(), "sha256")
        return urlsafe_b64encode(digest[:24]).decode()

    def is_token(self, token: str, id: str, seat: int, sort: str) -> bool:
        """Whether it is that secret; it takes as long to find out that it is not."""
        return hmac.compare_digest(self.token(id, seat, sort).encode(), token.encode())

    # ---- matches ----
    async def open(self, id: str) -> Table:
        """The match, read from its log if it is not in memory.

        Errors: NotFound; BattleboxError if it can no longer be played.
        """
        if not re.fullmatch(ID, id) or self.share.owner(id) != self.share.at or id in self._going:
            raise self._not_found()
        if table := self._live.get(id):
            self.use(table)
            await table.post.goes()  # what is kept back is shown to nobody
            return table
        if id not in self._loading:
            loading = self._loading[id] = asyncio.ensure_future(self._load(id))
            loading.add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])  # others wait for it, too

    def _not_found(self) -> NotFound:
        text = "There is no such match."
        if math.isfinite(self.limits.keep):
            days = f"{self.limits.keep / DAY:g}"
            said = "a day" if days == "1" else f"{days} days"
            text += f" Matches are deleted here when nothing has happened in them for {said}."
        return NotFound(text)

    async def _load(self, id: str) -> Table:
        setup = await asyncio.to_thread(self.store.setup, id)
        if setup is None:
            raise self._not_found()
        entries = await asyncio.to_thread(self.store.entries, id)
        try:
            check_order(entries)
            table = Table(self, setup)
            async for _ in self.slices.of(map(table.read, entries)):
                pass
        except DAMAGED as e:
            raise BattleboxError(f"the log of this match is damaged: {e!r}") from None
        if table.meeting.end and (after := await asyncio.to_thread(self.store.rematch, id)):
            table.rematch = after.id
        self._live[id] = table
        self.sweep(table)
        return table

    def under_way(self, address: str) -> int:
        """How many matches made by this address are in memory and not over."""
        return sum(not table.meeting.end for table in self._made.get(address, ()))

    async def make(
        self, plan: dict[str, Any], after: str | None = None, by: str | None = None
    ) -> Table:
        """A new match. by: the address that counts it as under way.

        Errors: Conflict, if `after` has its rematch already; StoreError.
        """
        setup = Setup(
            id=self.share.new_id(),
            made=self.clock.date(),
            setup=json.dumps(plan),
            secret=new_secret(),
            after=after,
        )
        table = Table(self, setup)  # what is wrong with the plan shows before it is written
        await self.store.add_match(setup)
        self._live[setup.id] = table
        if by is not None:
            table.by = by
            self._made.setdefault(by, set()).add(table)
        table.wake()
        self.sweep(table)
        return table

    async def again(self, table: Table, by: str | None = None) -> Table:
        """The rematch of a match that has ended: the same, everybody one seat further. by: the
        address that counts it, if there is none yet.
        """
        if table.rematch is not None:
            with contextlib.suppress(NotFound):  # it was deleted: there is another then
                return await self.open(table.rematch)
            table.rematch = None
        if table.rematch is None:
            plan, n = dict(table.meeting.plan), len(table.meeting.seats)
            turned = [table.meeting.seats[(p - 1) % n] for p in range(n)]
            # whoever gave up may come back
            plan["seats"] = [asdict(x) | {"resigned": False} for x in turned]
            host = plan["host"]
            plan["host"] = None if host is None else (host + 1) % n
            try:
                made = await self.make(plan, after=table.setup.id, by=by)
                table.rematch = made.setup.id
            except Conflict:  # somebody was quicker
                found = await asyncio.to_thread(self.store.rematch, table.setup.id)
                assert found is not None
                table.rematch = found.id
            table.note()
        return await self.open(table.rematch)

    async def beat(self) -> None:
        """Lets pages hear that the line is alive: pings are hidden from them."""
        while True:
            await self.clock.sleep(BEAT)
            self._beat()
            self.sweep()

    def _beat(self) -> None:
        for table in self._live.values():
            for viewer in table.viewers.values():
                for link in viewer.links:
                    if not link.answers:
                        link.answer(HEARTBEAT)

    async def tidy(self) -> None:
        """Deletes old matches again and again, if they are not kept for ever."""
        while math.isfinite(self.limits.keep):
            try:
                if n := await self.delete_old():
                    log.info("%s matches that nobody has played for long were deleted.", n)
            except StoreError as e:
                self.trouble(str(e))
            await self.clock.sleep(TIDY)

    async def delete_old(self) -> int:
        """Deletes the matches of this share in which nothing has happened for too long, unless they
        are in memory; gives how many. Errors: StoreError.
        """
        found, n = self.store.quiet_since(self.clock.date() - self.limits.keep), 0
        while (ids := await asyncio.to_thread(next, found, None)) is not None:
            mine = [id for id in ids if self.share.owner(id) == self.share.at]
            here = self._live.keys() | self._loading.keys()
            going = [id for id in mine if id not in here]
            self._going.update(going)
            try:
                await asyncio.gather(*map(self.store.delete, going))
            finally:
                self._going.difference_update(going)
            n += len(going)
        return n

    def drop(self, table: Table) -> None:
        """Forgets what is in memory of a match; it is read again from its log."""
        if self._live.get(table.setup.id) is table:
            self._let_go(table)
        table.hang_up()

    def _let_go(self, table: Table) -> None:
        del self._live[table.setup.id]
        table.let_go()
        if table.by is not None:
            self._made[table.by].discard(table)
            if not self._made[table.by]:
                del self._made[table.by]

    def use(self, table: Table) -> None:
        """Somebody does something with it: it leaves the memory after all that were used before."""
        if self._live.get(table.setup.id) is table:
            table.used = self.clock.now()
            self._live.move_to_end(table.setup.id)

    def sweep(self, wanted: Table | None = None) -> None:
        """Lets go of matches that nobody looks at, those that were used least lately first: when
        there are too many, and after a while. What is busy is in use, and goes to the end of the
        line: a sweep meets only few of these, and the next one others.
        """
        long_ago, stay = self.clock.now() - self.limits.idle, min(BUSY, len(self._live))
        while self._live and stay:
            table = next(iter(self._live.values()))
            if len(self._live) <= self.limits.live_matches and table.used > long_ago:
                break
            if table.busy or table is wanted:
                stay -= 1
                self.use(table)
            else:
                self._let_go(table)

    @property
    def live(self) -> int:
        """How many matches are in memory."""
        return len(self._live)

    # ---- the compiled build ----
    def is_compiled(self, rules: Ruleset) -> bool:
        """Whether bots can think at once. If so, matches of these rules look quickly, too."""
        if rules.game not in self._compiled:
            return False
        rules.use_compiled_observer()
        return True

    async def compile(self, rules: Ruleset) -> None:
        """Compiles what bots and pictures need, in a thread; once for each game and size."""
        async with self._compiling.setdefault(rules.game, asyncio.Lock()):
            if rules.game not in self._compiled:
                await self.thinkers.aside(lambda: _compile(rules))
                self._compiled.add(rules.game)
                for table in self._live.values():
                    self.is_compiled(table.meeting.match.rules)

    def close(self) -> None:
        """Lets everybody go."""
        for table in self._live.values():
            table.hang_up()
        self.thinkers.close()
        self.reviews.close()


def _compile(rules: Ruleset) -> None:
    rules.use_compiled_observer()
    BotSpec("easy").make(rules, 0).warm()
