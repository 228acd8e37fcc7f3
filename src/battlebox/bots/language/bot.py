"""A player that reads: it is asked until its answer is a legal action, or till its attempts end."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Sequence
from typing import Any

from ...core.checked import Picture
from ...core.errors import BotError, BotForfeit, BotTimeout, IllegalAction
from ...core.event_log import EventView
from ...core.game import Ruleset
from ...core.scene import Choice, Scene
from ...text.choosing import NoChoice
from ...text.why_not import why_not
from ..seat import SeatView
from .messages import Answer, Format, Refused, Talker
from .prompt import Position, meant, question
from .stats import AnswerStats, of_answer

KEPT = 400  # letters of an answer that are told again


class LanguageBot:
    """A player on a seat of a match. All it reads is made of the seat's observations, and of what
    the seat was told.
    """

    def __init__(
        self,
        talker: Talker,
        rules: Ruleset,
        seed: int,
        *,
        word: str,
        format: Format,
        attempts: int,
        forfeits: bool,
        think: float | None,
    ) -> None:
        self.name, self.rules, self.talker = word, rules, talker
        self.format, self.attempts, self.forfeits, self.think = format, attempts, forfeits, think
        self.stats = AnswerStats()
        # not of the seed: from that, who knows how seeds are made could find out the whole deal
        self._match, self._random = uuid.uuid4().hex, random.Random(seed)
        self._seat, self._names = SeatView(rules.plain()), rules.match(0).names
        self._events = self._known = tuple[EventView, ...]()  # told to the seat; to the player

    def warm(self) -> None:
        """Nothing to do: it compiles nothing."""

    def hear(self, events: Sequence[EventView]) -> None:
        """All that the seat was told in this match."""
        self._events = tuple(events)

    def _news(self) -> tuple[EventView, ...]:
        """What the player does not know yet; now it will."""
        known, self._known = self._known, self._events
        pairs = enumerate(zip(known, self._events, strict=False))
        # after an undo other ones follow the same beginning
        same = next((k for k, (a, b) in pairs if a != b), min(len(known), len(self._events)))
        return self._events[same:]

    def choose(self, observation: Any) -> int:
        """Asks for a decision; not where there is but one choice.

        Errors: BotError if nobody answers; BotTimeout if it takes longer than it may; BotForfeit
        if that is what follows from its last attempt.
        """
        legal = self._seat.legal(observation)
        if len(legal) == 1:
            return legal[0]
        position = self._position(observation, legal)
        self.stats += AnswerStats(decisions=1)
        ends = None if self.think is None else time.monotonic() + self.think
        refused = list[Refused]()
        for attempt in range(1, self.attempts + 1):
            asked = question(position, self._match, self.format, attempt, self.attempts, refused)
            begun = time.monotonic()
            if ends is not None and begun >= ends:
                raise BotTimeout(self._late)
            try:
                answer, waited = self.talker.ask(asked, None if ends is None else ends - begun)
            except BotTimeout:
                assert ends is not None, "else nobody can be late"
                self.stats += AnswerStats(seconds=ends - begun)
                raise BotTimeout(self._late) from None
            except BotError as e:
                raise BotError(f"{self.name}: {e}") from e
            self.stats += of_answer(answer, time.monotonic() - begun - waited)
            ends = None if ends is None else ends + waited
            found = self._taken(answer, position)
            if isinstance(found, Choice):
                return found.action
            self.stats += AnswerStats(illegal=1)
            refused.append(found)
        if self.forfeits:
            raise BotForfeit(
                f"{self.name}: {self.attempts} illegal answers, which forfeits the match; the last "
                f"was {refused[-1].answer!r}: {refused[-1].why}"
            )
        self.stats += AnswerStats(random=1)
        return self._random.choice(legal)

    @property
    def _late(self) -> str:
        return f"{self.name}: no answer within {self.think:g} s, which forfeits the match"

    def _position(self, observation: Any, legal: Sequence[int]) -> Position:
        """What the player is shown."""
        rules, picture = self.rules, Picture(observation)
        scene: Scene = rules.game.scenes.scene(rules, picture, legal, self._names)
        seat = scene.viewer
        assert seat is not None, "SeatView refuses spectators"
        said = (rules.game.scenes.say(rules, x, seat, self._names) for x in self._news())
        return Position(rules, picture, scene, seat, tuple(x for x in said if x))

    def _taken(self, answer: Answer, position: Position) -> Choice | Refused:
        text = answer.answer
        try:
            if answer.cut_off:
                raise IllegalAction("Your answer was cut off before its last line: be brief.")
            return meant(text, position.scene, self.format)
        except NoChoice as e:
            o = position.observation
            why = why_not(str(e), position.scene, self.rules, o, self._names)
        except IllegalAction as e:
            why = str(e)
        return Refused(answer=text.strip()[-KEPT:], why=why)
