"""The bots of one match: who plays which seat, how they come to a decision, when it shows."""

from __future__ import annotations

import contextlib
import hmac
import logging
from functools import partial
from typing import TYPE_CHECKING

from ..bots import LEVELS, Bot, BotSpec
from ..bots.random_bot import RandomBot
from ..core.checked import Array
from ..protocol.commands import Act
from .log_events import LogEvent
from .session import STAND_IN, Refused
from .threads import TooLong, rest

if TYPE_CHECKING:
    from .room import Room

log = logging.getLogger("battlebox")


class BotPlayers:
    """Those of one room. They act through it, as people do."""

    def __init__(self, room: Room) -> None:
        self.room, self.session, self.services = room, room.session, room.services
        self._made: dict[tuple[int, str], Bot] = {}

    def level(self, seat: int) -> str:
        """The level of the bot that plays this seat now; empty: a person does, or will."""
        replaced = seat in self.room.presence.replaced
        return self.session.seats[seat].bot or (STAND_IN if replaced else "")

    def _level_in_window(self, seat: int) -> str:
        """That of a bot which does not think longer than all wait, or it would be noticed."""
        level = self.level(seat)
        return level and min(level, STAND_IN, key=LEVELS.index)

    @property
    def to_act(self) -> int | None:
        """The seat for which a bot is to act now; in a response window, once all could."""
        countdown = self.room.windows.countdown
        if not self.room.presence.wants_bots or (countdown and not countdown.runs):
            return None
        return next((p for p in self.session.deciding if self.level(p)), None)

    async def prepare_for_window(self) -> None:
        """Makes all bots that could be asked, or the time it takes would show who is."""
        for p in range(len(self.session.seats)):
            if level := self._level_in_window(p):
                await self._bot(p, level)

    async def play(self) -> bool:
        """One decision. Whether there was one to make."""
        session, match, services = self.session, self.session.match, self.services
        if (seat := self.to_act) is None:
            return False
        window = session.window
        level = self._level_in_window(seat) if window else self.level(seat)
        await self._bot(seat, level)
        if seat != self.to_act or window != session.window:
            return True  # the match has moved on meanwhile
        asked, question, seen = (
            services.clock.now(),
            session.question(seat),
            match.observation(seat),
        )
        sort = (match.rules.name, len(session.seats), level)
        slot = services.slots.slot(sort)
        action, took = await self._choose(seat, level, seen)
        if took:
            services.slots.note(sort, took)
        if level != "random" and not window:  # in which nobody sees when it answers
            await services.clock.sleep(rest(services.clock.now() - asked, slot))
        act = Act(question=question, action=action)

        def decide() -> LogEvent:
            if seat not in session.deciding or not self.level(seat):
                raise Refused("stale", "The match has moved on.")
            return session.decide(act, seat, bot=True)

        with contextlib.suppress(Refused):  # somebody was quicker: the bot is asked anew
            await self.room.commit(decide)
        return True

    async def _bot(self, seat: int, wanted: str) -> Bot:
        """The bot of a seat, and all that it needs to think at once."""
        if (seat, wanted) not in self._made:
            digest = hmac.digest(self.session.setup.secret, f"bot {seat}".encode(), "sha256")
            seed = int.from_bytes(digest[:6], "big")
            made = await self._new(wanted, seed)
            self._made.setdefault((seat, wanted), made)
        return self._made[seat, wanted]

    async def _new(self, level: str, seed: int) -> Bot:
        """A bot of a level, or at random if there can be none."""
        rules, aside = self.session.match.rules, self.services.threads.aside
        try:
            if level != "random":
                await self.room.prepare()
            return await aside(lambda: BotSpec(level).make(rules, seed, even=True))
        except (
            Exception
        ) as e:  # rules that cannot be compiled, a policy that was learned for others
            match = self.session.setup.id
            said = "%s: a bot %s cannot be made: %r; it plays at random"
            log.warning(said, match, level, e, extra={"match": match})
            return BotSpec("random").make(rules, seed)

    async def _choose(self, seat: int, level: str, seen: Array) -> tuple[int, float]:
        """What a bot does, and how long it thought. One that fails is replaced by `random`."""
        bot, limit = self._made[seat, level], self.services.limits.decision
        try:
            action, took = await self.services.threads.think(
                partial(bot.choose, seen),
                who=self.session.setup.id,
                rank=self.room.presence.rank,
                limit=limit,
            )
            return int(action), 0.0 if isinstance(bot, RandomBot) else took
        except TooLong:
            wrong = f"has thought for more than {limit:g} seconds"
        except Exception as e:
            wrong = f"has failed: {e!r}"
        match = self.session.setup.id
        said = "%s: the bot %s of seat %s %s; it plays at random"
        log.warning(said, match, level, seat, wrong, extra={"match": match})
        self._made[seat, level] = at_random = BotSpec("random").make(self.session.match.rules, 0)
        return at_random.choose(seen), 0.0
