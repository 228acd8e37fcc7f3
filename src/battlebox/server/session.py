"""A match and the people around it: everything that the log decides, and nothing that it does not.

No sockets, no clock, no disk. A `Session` follows from a set-up and the events of its log in their
order, so that reading the log again gives the same session. `decide` finds out what a command would
lead to, as an event to be logged; `apply` lets an event happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Literal, assert_never

import pydantic

from ..bots import levels
from ..core.errors import BattleboxError, IllegalAction, InvalidWord
from ..core.fair import Fair, commitment
from ..core.game import Ruleset, parse_options
from ..core.match import Match
from ..core.response_window import ResponseWindow
from ..games import find, names
from ..protocol.commands import (
    QUESTION,
    Act,
    Answer,
    Command,
    FillSeat,
    Propose,
    Rename,
    Resign,
    TakeSeat,
    Undo,
)
from .log_events import (
    DRAW,
    UNDO,
    Acted,
    Answered,
    Filled,
    LogEvent,
    Proposed,
    Resigned,
    Seated,
    Undone,
    WindowClosed,
    read_event,
)
from .store import Entry, Setup

PERSON, OPEN, BOT = "person", "open", "bot"
BOT_NAMES = (
    "Mara",
    "Otto",
    "Ines",
    "Hugo",
    "Petra",
    "Emil",
    "Rosa",
    "Karl",
    "Lena",
    "Bruno",
    "Nora",
)
STAND_IN = "medium"  # plays on for those who gave up
NAME = 24  # most characters of a name
LETTERS = "ABCDEFGHIJ"


class Refused(BattleboxError):
    """What somebody wants is not possible now. `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class OtherRules(BattleboxError):
    """A match was begun under rules that are not here: another version, or another game."""


# what a log that is not as it was written raises
DAMAGED = (ValueError, KeyError, TypeError, IndexError, AssertionError)


class SeatPlan(pydantic.BaseModel):
    """Who sits at a seat when the match is made. kind: person, open, bot."""

    model_config = pydantic.ConfigDict(frozen=True)

    kind: str
    level: str = ""
    name: str = ""


class MatchPlan(pydantic.BaseModel):
    """How a match was made, as the store keeps it."""

    model_config = pydantic.ConfigDict(frozen=True)

    game: str
    version: int  # of the rules
    options: str  # as `Ruleset.options_text`
    deck: str = ""  # the text of a deck file that is not the game's own
    mode: str = ""  # its name, to be shown
    seats: tuple[SeatPlan, ...]
    host: int | None = None  # the seat of who made it
    seed: int | None = None  # a chosen deal; None: chance is fair
    delay: float = 0  # seconds that spectators see it later

    def ruleset(self) -> Ruleset:
        """The ruleset it is played by. Errors: OtherRules, BattleboxError."""
        if self.game not in names():
            raise OtherRules(
                f"this match is one of the game {self.game}, which is not among the games here; "
                "start battlebox with it: --games DIR"
            )
        game = find(self.game)
        if game.version != self.version:
            raise OtherRules(
                f"this match was begun under version {self.version} of the rules of {game.title}; "
                f"this battlebox plays version {game.version}"
            )
        return _ruleset(self.game, self.options, self.deck)


@lru_cache(maxsize=256)
def _ruleset(game: str, options: str, deck: str) -> Ruleset:
    chosen = find(game)
    given = parse_options(chosen, options.split())
    return chosen.ruleset({**given, **({"deck": deck} if deck else {})}, strings=True)


@dataclass
class Seat:
    """Who sits there now."""

    kind: str  # person, open, bot
    level: str = ""
    name: str = ""
    resigned: bool = False

    @property
    def bot(self) -> str:
        """The level of the bot that plays it; empty: a person does, or will."""
        return self.level if self.kind == BOT else STAND_IN if self.resigned else ""


@dataclass
class Proposal:
    """An undo, a draw or an agreement of the game that waits for the answers of these seats."""

    what: str
    by: int
    waiting: list[int]


@dataclass(frozen=True)
class Outcome:
    """How the last proposal ended."""

    what: str
    by: int
    accepted: bool


@dataclass(frozen=True)
class End:
    """How the match ended."""

    reason: Literal["rules", "resigned", "draw"]
    text: str
    returns: tuple[float | None, ...]


@dataclass(frozen=True)
class Change:
    """What an event has changed for those who look on.

    room: what the room message tells may be different. retold: so are all sentences, which hold
    names. taken_back: the last of what was told holds no longer.
    """

    room: bool = False
    retold: bool = False
    taken_back: bool = False


class Session:
    """One match with its seats, its proposal and its end."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.plan = MatchPlan.model_validate_json(setup.setup)
        chance = Fair(setup.secret) if self.plan.seed is None else None
        self.match = Match(self.plan.ruleset(), self.plan.seed, chance=chance)
        self.match.open_response_windows()
        self.seats = [Seat(x.kind, x.level, x.name) for x in self.plan.seats]
        self.host = self.plan.host
        self.proposal: Proposal | None = None
        self.outcome: Outcome | None = None  # of the last proposal, until something else happens
        self.end: End | None = None
        self.length = 0  # events applied
        self._questions = dict[int, str]()  # by seat, since the last event
        self._tell_names()

    def _tell_names(self) -> None:
        """Gives the match the names of those who sit there."""
        self.match.names = tuple(x.name or f"Seat {LETTERS[p]}" for p, x in enumerate(self.seats))

    # ---- what is known ----
    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that are to act now; in a response window, nobody else's to know."""
        if self.end or (self.proposal and self.proposal.what == UNDO):
            return ()
        return self.match.deciding

    @property
    def window(self) -> ResponseWindow | None:
        """The response window that everybody waits for, until the log says that it is over."""
        return None if self.end else self.match.response_window

    def question(self, seat: int) -> str:
        """A short name of what a seat is asked now; "": nothing.

        It stays the same as long as the seat sees the same and may do the same, also when the match
        is read from its log again. It is made of nothing that the seat does not know. Proposals
        leave it alone: who acts has answered.
        """
        if self.end or seat not in self.match.deciding:
            return ""
        if seat not in self._questions:
            match = self.match
            told, actions = len(match.events(seat)), match.choices(seat)
            known = b"%d %r " % (told, actions) + match.known(seat)
            self._questions[seat] = blake2b(known, digest_size=QUESTION // 2).hexdigest()
        return self._questions[seat]

    def people(self) -> list[int]:
        """The seats of people who have come and not given up."""
        return [p for p, x in enumerate(self.seats) if x.kind == PERSON and not x.resigned]

    @property
    def free_seat(self) -> int | None:
        """The first open seat; None: there is none, or the match is over."""
        seats = [] if self.end else self.seats
        return next((p for p, x in enumerate(seats) if x.kind == OPEN), None)

    def may(self, seat: int | None) -> list[str]:
        """The commands and requests that a viewer may make now, besides playing."""
        if seat is None:
            return []
        if self.end:
            return ["rematch"]
        out = ["rename"]
        if seat == self.host and any(x.kind == OPEN for x in self.seats):
            out.append("fill_seat")
        if not self.seats[seat].resigned:
            out += ["resign", "hint"] if self.is_alone(seat) else ["resign"]
        return out

    def may_propose(self, seat: int | None) -> list[str]:
        """What a viewer may propose now."""
        return [] if seat is None or self.seats[seat].resigned else self.proposable

    @property
    def proposable(self) -> list[str]:
        """What players may propose now: a draw, what the game lets all agree on."""
        if self.end or self.proposal or self._why_no_proposal():
            return []
        return [DRAW, *self.match.agreements]

    def is_alone(self, seat: int) -> bool:
        """Whether all others are bots, and not people who have gone."""
        return all(x.kind == BOT for p, x in enumerate(self.seats) if p != seat)

    def may_undo(self, seat: int | None) -> bool:
        """Whether a viewer may ask to take back their last decision."""
        if seat is None or self.end or self.seats[seat].bot:
            return False
        return not self.match.why_no_undo(seat, alone=self.is_alone(seat))

    @property
    def commitment(self) -> str:
        """The SHA-256 of the secret that all chance derives from; "" with a chosen deal."""
        return commitment(self.setup.secret) if self.plan.seed is None else ""

    def record(self) -> str:
        """The match file. Only for after the end: it holds the secret."""
        assert self.end is not None
        seats = " ".join(x.level if x.kind == BOT else "human" for x in self.seats)
        head = f"# seats: {seats}\n# names: {', '.join(self.match.names)}\n"
        if self.end.reason != "rules":
            head += f"# ended: {self.end.text}\n"
        return head + self.match.record()

    # ---- what may be done ----
    def decide(self, command: Command, by: int, *, bot: bool = False) -> LogEvent:
        """The event that a command leads to; nothing has happened yet.

        by: the seat whose command it is. bot: a bot plays there now. Errors: Refused.
        """
        match command:
            case Act():
                if not bot:
                    self._check_plays(by)
                return self._act(by, command)
            case TakeSeat():
                return self._seat(by, command.name, taking=True)
            case Rename():
                return self._seat(by, command.name, taking=False)
            case FillSeat():
                return self._fill(by, command)
            case Undo():
                return self._undo(by)
            case Propose():
                return self._propose(by, command.what)
            case Answer():
                return self._answer(by, command)
            case Resign():
                self._check_plays(by)
                return Resigned(seat=by)
            case _:
                assert_never(command)

    def close(self, window: ResponseWindow) -> LogEvent:
        """The event that ends a response window: all have waited long enough. Errors: Refused."""
        if self.window != window:
            raise Refused("stale", "The match has moved on.")
        return WindowClosed()

    def _check_plays(self, seat: int) -> None:
        """Only those who play may ask for anything that concerns the match."""
        if self.end:
            raise Refused("over", "The match is over.")
        if self.seats[seat].resigned:
            raise Refused("not_allowed", "You have given up this match; you can watch it.")

    def _act(self, seat: int, wanted: Act) -> LogEvent:
        if self.end:
            raise Refused("over", "The match is over.")
        asked = self.question(seat)
        if wanted.question != asked:
            raise Refused("stale", "The match has moved on: look again before you choose.")
        if not asked:
            raise Refused("not_your_turn", "It is not your turn.")
        try:
            return Acted.of(self.match.check(seat, wanted.action))
        except (IllegalAction, InvalidWord) as e:
            raise Refused("illegal", f"You cannot do that now: {e}") from None

    def _undo(self, seat: int) -> LogEvent:
        self._check_plays(seat)
        self._check_no_proposal()
        alone = self.is_alone(seat)
        if why := self.match.why_no_undo(seat, alone=alone):
            raise Refused("not_possible", f"This cannot be taken back: {why}.")
        return Undone(seat=seat) if alone else Proposed(seat=seat, what=UNDO)

    def _propose(self, seat: int, what: str) -> LogEvent:
        self._check_plays(seat)
        self._check_no_proposal()
        if why := self._why_no_proposal():
            raise Refused("not_possible", why)
        if what not in self.proposable:
            listed = ", ".join(self.proposable)
            raise Refused("not_possible", f"You cannot propose {what!r} now, only: {listed}.")
        return Proposed(seat=seat, what=what)

    def _check_no_proposal(self) -> None:
        if self.proposal:
            raise Refused("not_possible", "Another proposal has to be answered first.")

    def _why_no_proposal(self) -> str:
        if any(x.bot for x in self.seats):
            return "Bots do not agree to proposals: they play on."
        if any(x.kind == OPEN for x in self.seats):
            return "A seat is still open, so not everybody could agree to it."
        if self.window:
            return "Players may be responding just now: proposals have to wait a moment."
        return ""

    def _answer(self, seat: int, answer: Answer) -> LogEvent:
        self._check_plays(seat)
        asked = self.proposal
        if asked is None or asked.what != answer.what or seat not in asked.waiting:
            raise Refused("not_possible", "This answer is no longer awaited.")
        return Answered(seat=seat, yes=answer.yes)

    def check_hint(self, seat: int) -> None:
        """Whether this seat may be told what a bot would do. It leaves no trace in the log."""
        self._check_plays(seat)
        if not self.is_alone(seat):
            raise Refused("not_allowed", "Hints are only for matches in which all others are bots.")
        if seat not in self.deciding:
            raise Refused("not_your_turn", "It is not your turn, so there is no hint.")

    def _seat(self, seat: int, name: str, *, taking: bool) -> LogEvent:
        here = self.seats[seat]
        if here.kind == BOT:
            raise Refused("not_allowed", "A bot has been given this seat.")
        if taking and here.kind != OPEN:
            raise Refused("taken", "Somebody has already taken this seat.")
        if self.end:
            raise Refused("over", "The match is over.")
        others = [x.name.casefold() for p, x in enumerate(self.seats) if p != seat]
        clean = clean_name(name)
        number = 2
        chosen = clean
        while chosen.casefold() in others:
            chosen, number = f"{clean[: NAME - 3]} {number}", number + 1
        return Seated(seat=seat, name=chosen)

    def _fill(self, by: int, wanted: FillSeat) -> LogEvent:
        if self.end:
            raise Refused("over", "The match is over.")
        if by != self.host:  # a host who gave up may still give seats away
            raise Refused("not_allowed", "Only the player who made the match can fill its seats.")
        if not 0 <= wanted.seat < len(self.seats) or self.seats[wanted.seat].kind != OPEN:
            raise Refused("not_possible", "That seat is not open.")
        if wanted.level not in (known := levels(self.match.rules.game)):
            listed = ", ".join(known)
            raise Refused("not_possible", f"There is no bot {wanted.level!r}, only: {listed}.")
        taken = [x.name.casefold() for x in self.seats]
        name = next(n for n in BOT_NAMES if n.casefold() not in taken)
        return Filled(seat=wanted.seat, level=wanted.level, name=name)

    # ---- what happens ----
    def apply(self, event: LogEvent) -> Change:
        """Lets the next event of the log happen. What has changed by it."""
        self.length += 1
        self._questions.clear()
        if isinstance(event, Acted) and self.window:
            self._take(event)  # and nobody notices it
            return Change()
        before = self._around
        self.outcome = None
        retold = taken_back = False
        match event:
            case Acted():
                self._take(event)
                asked = self.proposal
                if asked and (asked.what != DRAW or event.seat in asked.waiting):
                    self._close_proposal(False)  # acting is an answer; only a draw can wait
                self._finish()
            case WindowClosed():
                self.match.close_response_window()
                self._finish()
            case Answered():
                taken_back = self._take_answer(event)
            case Proposed():
                taken_back = self._ask(event.what, event.seat)
            case Undone():
                self.match.undo(event.seat, alone=True)
                self.outcome = Outcome(UNDO, event.seat, True)
                taken_back = True
            case Resigned():
                taken_back = self._resign(event.seat)
            case Seated() | Filled():
                here = self.seats[event.seat]
                bot = event.level if isinstance(event, Filled) else ""
                here.kind, here.level, here.name = BOT if bot else PERSON, bot, event.name
                self._tell_names()
                retold = True
            case _:
                assert_never(event)
        moved = isinstance(event, Acted | WindowClosed)
        return Change(not moved or before != self._around, retold, taken_back)

    @property
    def _around(self) -> tuple[object, ...]:
        """What a move can change of the room message: proposals, possible ones too, and the end."""
        return (self.proposal, self.outcome, self.end, self.proposable)

    def _take(self, event: Acted) -> None:
        self.match.take(event.checked or self.match.check(event.seat, event.word))

    def _ask(self, what: str, by: int) -> bool:
        """Asks all the others, if they are people. Whether something was taken back."""
        self.proposal = Proposal(what, by, [p for p in self.people() if p != by])
        return self._settle_proposal()

    def _take_answer(self, answer: Answered) -> bool:
        assert self.proposal is not None
        if not answer.yes:
            self._close_proposal(False)
            return False
        self.proposal.waiting.remove(answer.seat)
        return self._settle_proposal()

    def _close_proposal(self, accepted: bool) -> Proposal:
        asked, self.proposal = self.proposal, None
        assert asked is not None
        self.outcome = Outcome(asked.what, asked.by, accepted)
        return asked

    def _settle_proposal(self) -> bool:
        """What everybody has agreed to happens. Whether something was taken back."""
        if self.proposal is None or self.proposal.waiting:
            return False
        asked = self._close_proposal(True)
        if asked.what == UNDO:
            self.match.undo(asked.by)
            return True
        if asked.what == DRAW:
            self._end(End("draw", "A draw was agreed on.", tuple(0.0 for _ in self.seats)))
        else:
            self.match.agree(asked.what)
            self._finish()
        return False

    def _resign(self, seat: int) -> bool:
        """Whether something was taken back by it: nobody is left who could disagree."""
        self.seats[seat].resigned = True
        who = self.match.names[seat]
        if self.proposal and self.proposal.what != UNDO:  # the bot that plays on does not agree
            self._close_proposal(False)
        if self.proposal:
            if self.proposal.by == seat:
                self.proposal = None
            elif seat in self.proposal.waiting:
                self.proposal.waiting.remove(seat)
        if len(self.seats) == 2:
            returns = tuple(-1.0 if p == seat else 1.0 for p in range(2))
            text = f"{who} gave up: {self.match.names[1 - seat]} wins."
            self._end(End("resigned", text, returns))
        elif not self.people():
            lost = tuple(-1.0 if x.resigned else None for x in self.seats)
            self._end(End("resigned", f"{who} gave up, and nobody else plays on.", lost))
        else:
            return self._settle_proposal()
        return False

    def _finish(self) -> None:
        """The end, if the rules have ended it, and everybody may know it. Those who gave up have
        lost, however well the bot played on.
        """
        if not self.match.over or self.window:
            return
        won = [
            -1.0 if x.resigned else r for x, r in zip(self.seats, self.match.returns, strict=True)
        ]
        self._end(End("rules", self.match.scene(None).prompt, tuple(won)))

    def _end(self, end: End) -> None:
        self.end, self.proposal = end, None


def clean_name(text: str) -> str:
    """A name as it is shown. Errors: Refused if nothing is left of it, or it is no name."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    name = " ".join(printable.split())[:NAME].strip()
    if not name:
        raise Refused("not_possible", "A name needs at least one character that can be seen.")
    if name.casefold() == "you":
        raise Refused(
            "not_possible", f"{name!r} would be misread on every screen: choose another name."
        )
    return name


def seats_from(
    wanted: Sequence[str], name: str, known: Sequence[str]
) -> tuple[tuple[SeatPlan, ...], int | None]:
    """Seats from words: "you" once at most, "open", or one of the known levels of bots; and the
    seat of "you".

    Errors: Refused.
    """
    seats, host = list[SeatPlan](), None
    names = iter(n for n in BOT_NAMES if n.casefold() != name.casefold())
    for p, word in enumerate(wanted):
        if word == "you":
            if host is not None:
                raise Refused("invalid", '"you" is one seat only; a friend\'s is "open".')
            seats.append(SeatPlan(kind=PERSON, name=name))
            host = p
        elif word == OPEN:
            seats.append(SeatPlan(kind=OPEN))
        elif word in known:
            seats.append(SeatPlan(kind=BOT, level=word, name=next(names)))
        else:
            listed = ", ".join(known)
            raise Refused("invalid", f'{word!r} is not a seat: say "you", "open" or {listed}.')
    if host is None and any(x.kind == OPEN for x in seats):
        raise Refused("invalid", 'Open seats need a host: make one seat "you".')
    return tuple(seats), host


def check_order(entries: Sequence[Entry]) -> None:
    """Errors: ValueError, if there are not all of the entries from the first on."""
    if [x.seq for x in entries] != list(range(len(entries))):
        raise ValueError("entries are missing")


def replayed(setup: Setup, entries: Sequence[Entry]) -> Session:
    """The session after a whole log. Errors: OtherRules; BattleboxError names the damaged entry."""
    session = Session(setup)
    check_order(entries)
    for entry in entries:
        try:
            session.apply(read_event(entry.body))
        except (BattleboxError, *DAMAGED) as e:
            raise BattleboxError(f"entry {entry.seq} cannot be replayed: {e}") from None
    return session
