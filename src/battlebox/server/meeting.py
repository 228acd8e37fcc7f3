"""A match and the people around it: everything that the log decides, and nothing that it does not.

No sockets, no clock, no disk: a `Meeting` is what comes of a set-up and the bodies of its entries
in their order, so that reading the log again gives the same meeting.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..bots import LEVELS
from ..core.errors import BattleboxError, IllegalAction, InvalidWord
from ..core.fair import Fair, commitment
from ..core.game import Ruleset, parse_options
from ..core.match import Match
from ..core.response_window import ResponseWindow
from ..games import find
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
STAND_IN = "medium"  # plays on for whoever gave up
NAME = 24  # most characters of a name
LETTERS = "ABCDEFGHIJ"
UNDO, DRAW = "undo", "draw"  # what may be offered in every game

Body = dict[str, Any]  # an entry of the log: {"do": "AR>1", "seat": 0} ...


class Refused(BattleboxError):
    """What somebody wants is not possible now. `code` is for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class OtherRules(BattleboxError):
    """A match was begun under another version of its rules, and cannot be replayed by this one."""


# what a log that is not as it was written raises
DAMAGED = (ValueError, KeyError, TypeError, IndexError, AssertionError)


@dataclass
class Seat:
    """Who sits there."""

    kind: str  # person, open, bot
    level: str = ""
    name: str = ""
    resigned: bool = False

    @property
    def bot(self) -> str:
        """The level of the bot that plays it; empty: a person does, or will."""
        return self.level if self.kind == BOT else STAND_IN if self.resigned else ""


@dataclass
class Asked:
    """An offer that waits for answers."""

    what: str  # undo, draw, or an agreement of the game
    by: int
    waiting: list[int]


@dataclass
class Answered:
    """What came of the offer that was asked last."""

    what: str
    by: int
    yes: bool


@dataclass
class End:
    """How it ended: reason is rules, resigned or draw."""

    reason: str
    text: str
    returns: tuple[float | None, ...]


def ruleset(plan: Mapping[str, Any]) -> Ruleset:
    """The ruleset of a plan. Errors: BattleboxError."""
    game = find(plan["game"])
    if game.version != plan["version"]:
        raise OtherRules(
            f"this match was begun under version {plan['version']} of the rules of {game.title}; "
            f"this battlebox plays version {game.version}"
        )
    return _ruleset(plan["game"], plan["options"], plan["deck"])


@lru_cache(maxsize=256)
def _ruleset(game: str, options: str, deck: str) -> Ruleset:
    chosen = find(game)
    given = parse_options(chosen, options.split())
    return chosen.ruleset({**given, **({"deck": deck} if deck else {})}, strings=True)


class Meeting:
    """One match with its seats, offers and end."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.plan: dict[str, Any] = json.loads(setup.setup)
        seed = self.plan["seed"]
        chance = Fair(setup.secret) if seed is None else None
        self.match = Match(ruleset(self.plan), seed, chance=chance)
        self.match.open_response_windows()
        self.seats = [Seat(**x) for x in self.plan["seats"]]
        self.host: int | None = self.plan["host"]
        self.asked: Asked | None = None
        self.answered: Answered | None = None  # until something else happens
        self.end: End | None = None
        self.length = 0  # entries applied
        self._found = ("", -1)  # the last word that was found to be possible, and its number
        self._call()

    def _call(self) -> None:
        """Gives the match the names of those who sit there."""
        self.match.names = tuple(x.name or f"Seat {LETTERS[p]}" for p, x in enumerate(self.seats))

    # ---- what is known ----
    @property
    def deciding(self) -> tuple[int, ...]:
        """The seats that are to act now; in a hush, a secret of the house."""
        if self.end or (self.asked and self.asked.what == UNDO):
            return ()
        return self.match.deciding

    @property
    def hush(self) -> ResponseWindow | None:
        """What everybody waits for, until the log says that it is over."""
        return None if self.end else self.match.response_window

    def people(self) -> list[int]:
        """The seats of people who have come and not given up."""
        return [p for p, x in enumerate(self.seats) if x.kind == PERSON and not x.resigned]

    def may(self, seat: int | None) -> list[str]:
        """What a viewer may ask for now."""
        if seat is None:
            return []
        here = self.seats[seat]
        out = ["name"] if not self.end else ["rematch"]
        if self.end:
            return out
        if seat == self.host and any(x.kind == OPEN for x in self.seats):
            out.append("fill")
        if not here.resigned:
            out += ["resign", "hint"] if self._alone(seat) else ["resign"]
        return out

    def offers(self, seat: int | None) -> list[str]:
        """What a viewer may offer now."""
        return [] if seat is None or self.seats[seat].resigned else self.offerable

    @property
    def offerable(self) -> list[str]:
        """What a player may offer now: a draw, what the game lets all agree on."""
        if self.end or self.asked or self._why_no_offer():
            return []
        return [DRAW, *self.match.agreements]

    def _alone(self, seat: int) -> bool:
        """Whether all others are bots, and not people who have gone."""
        return all(x.kind == BOT for p, x in enumerate(self.seats) if p != seat)

    def may_undo(self, seat: int | None) -> bool:
        """Whether a viewer may ask to take back what he did last."""
        if seat is None or self.end or self.seats[seat].bot:
            return False
        return not self.match.why_no_undo(seat, alone=self._alone(seat))

    def fair(self) -> dict[str, Any]:
        """The commitment, and after the end the secret."""
        if self.plan["seed"] is not None:
            return {"seed": True}
        secret = self.setup.secret
        return {"promise": commitment(secret), "secret": secret.hex() if self.end else None}

    def record(self) -> str:
        """The match file. Only for after the end: it holds the secret."""
        assert self.end is not None
        seats = " ".join(x.level if x.kind == BOT else "human" for x in self.seats)
        head = f"# seats: {seats}\n# names: {', '.join(self.match.names)}\n"
        if self.end.reason != "rules":
            head += f"# ended: {self.end.text}\n"
        return head + self.match.record()

    # ---- what may be done: each gives the body that the log will hold, or Refused ----
    def _check_plays(self, seat: int) -> None:
        """Whoever wants something of the match plays in it."""
        if self.end:
            raise Refused("over", "The match is over.")
        if self.seats[seat].resigned:
            raise Refused("not_allowed", "You have given up this match; you can watch it.")

    def do(self, seat: int, action: int | str) -> Body:
        """A move of a person."""
        self._check_plays(seat)
        return self.do_for(seat, action)

    def do_for(self, seat: int, action: int | str) -> Body:
        """A move, whoever plays the seat."""
        if self.end:
            raise Refused("over", "The match is over.")
        if seat not in self.match.deciding:
            raise Refused("not_your_turn", "It is not your turn.")
        try:
            number = self.match.check(seat, action)
            self._found = (self.match.word(number, seat), number)
            return {"do": self._found[0], "seat": seat}
        except (IllegalAction, InvalidWord) as e:
            raise Refused("illegal", f"That cannot be done now: {e}") from None

    def release(self, hush: ResponseWindow) -> Body:
        """Everybody has waited long enough."""
        if self.hush != hush:
            raise Refused("stale", "The match has moved on.")
        return {"hush": "over"}

    def undo(self, seat: int) -> Body:
        """Asks to take back one's last action."""
        self._check_plays(seat)
        if self.asked:
            raise Refused("not_possible", "First the question that is asked must be answered.")
        alone = self._alone(seat)
        if why := self.match.why_no_undo(seat, alone=alone):
            raise Refused("not_possible", f"This cannot be taken back: {why}.")
        # logs of before there was more to it take back one action
        return {"undo": seat, "alone": True} if alone else {"undo": seat}

    def offer(self, seat: int, what: str) -> Body:
        """Offers a draw, or what the game lets all agree on."""
        self._check_plays(seat)
        if self.asked:
            raise Refused("not_possible", "First the question that is asked must be answered.")
        if why := self._why_no_offer():
            raise Refused("not_possible", why)
        if what not in self.offerable:
            listed = ", ".join(self.offerable)
            raise Refused("not_possible", f"{what!r} cannot be offered now; what can: {listed}.")
        return {"offer": what, "seat": seat}

    def _why_no_offer(self) -> str:
        if any(x.bot for x in self.seats):
            return "Bots do not agree to offers: they play on."
        if any(x.kind == OPEN for x in self.seats):
            return "Somebody has not come yet: nobody could agree to an offer for that seat."
        if self.hush:
            return "Everybody may be asked something just now: offers have to wait."
        return ""

    def answer(self, seat: int, what: str, yes: bool) -> Body:
        """Answers an offer."""
        self._check_plays(seat)
        if self.asked is None or self.asked.what != what or seat not in self.asked.waiting:
            raise Refused("not_possible", "Nobody waits for this answer any more.")
        return {"answer": what, "seat": seat, "yes": yes}

    def check_hint(self, seat: int) -> None:
        """Whether this seat may be told what a bot would do. It leaves no trace in the log."""
        self._check_plays(seat)
        if not self._alone(seat):
            raise Refused("not_allowed", "There are hints only where all others are bots.")
        if seat not in self.deciding:
            raise Refused("not_your_turn", "It is not your turn: there is nothing to hint at.")

    def resign(self, seat: int) -> Body:
        """Gives up."""
        self._check_plays(seat)
        return {"resign": seat}

    def name(self, seat: int, name: str, *, taking: bool = False) -> Body:
        """Changes one's name; `taking`: takes an open seat under it."""
        if self.seats[seat].kind == BOT:
            raise Refused("not_allowed", "A bot has been given this seat.")
        if taking and self.seats[seat].kind != OPEN:
            raise Refused("taken", "Somebody has taken this seat already.")
        if self.end:
            raise Refused("over", "The match is over.")
        others = [x.name.casefold() for p, x in enumerate(self.seats) if p != seat]
        clean = clean_name(name)
        number = 2
        chosen = clean
        while chosen.casefold() in others:
            chosen, number = f"{clean[: NAME - 3]} {number}", number + 1
        return {"name": chosen, "seat": seat}

    def fill(self, by: int, seat: int, level: str) -> Body:
        """Gives an open seat to a bot."""
        if self.end:
            raise Refused("over", "The match is over.")
        if by != self.host:  # a host who gave up may still give them away
            raise Refused("not_allowed", "Only who made the match gives seats away.")
        if not 0 <= seat < len(self.seats) or self.seats[seat].kind != OPEN:
            raise Refused("not_possible", "That seat is not open.")
        if level not in LEVELS:
            raise Refused("not_possible", f"There is no bot {level!r}: {', '.join(LEVELS)}.")
        taken = [x.name.casefold() for x in self.seats]
        name = next(n for n in BOT_NAMES if n.casefold() not in taken)
        return {"fill": level, "seat": seat, "name": name}

    # ---- what was done ----
    def apply(self, body: Body) -> None:
        """One more entry of the log, which was found to be possible before it was written."""
        self.length += 1
        seat = int(body.get("seat", -1))
        if "do" in body and self.hush:
            self._submit(seat, body["do"])  # and nobody notices it
            return
        self.answered = None
        if "do" in body:
            self._submit(seat, body["do"])
            if self.asked and (self.asked.what != DRAW or seat in self.asked.waiting):
                self._close_offer(False)  # who plays on has answered; only a draw can wait
            self._finish()
        elif "hush" in body:
            self.match.close_response_window()
            self._finish()
        elif "answer" in body:
            self._answered(seat, body["yes"])
        elif "offer" in body:
            self._ask(body["offer"], seat)
        elif "undo" in body:
            self._undo(int(body["undo"]), alone=body.get("alone", False))
        elif "draw" in body:  # as logs had it before there was anything else to offer
            self._ask(DRAW, int(body["draw"]))
        elif "resign" in body:
            self._resigned(int(body["resign"]))
        else:  # somebody sits down: a person under a name, a bot
            here = self.seats[seat]
            here.kind, here.level = (BOT, body["fill"]) if "fill" in body else (PERSON, "")
            here.name = body["name"]
            self._call()

    def _submit(self, seat: int, wanted: str) -> None:
        word, number = self._found
        self.match.submit(seat, number if word == wanted else wanted)
        self._found = ("", -1)

    def _undo(self, by: int, *, alone: bool) -> None:
        """Asks all the others, if they are people; bots agree."""
        if alone:
            self.match.undo(by, alone=True)
            self.answered = Answered(UNDO, by, True)
        else:
            self._ask(UNDO, by)

    def _ask(self, what: str, by: int) -> None:
        """Asks all the others."""
        self.asked = Asked(what, by, [p for p in self.people() if p != by])
        self._settle_offer()

    def _answered(self, seat: int, yes: bool) -> None:
        assert self.asked is not None
        if yes:
            self.asked.waiting.remove(seat)
            self._settle_offer()
        else:
            self._close_offer(False)

    def _close_offer(self, yes: bool) -> Asked:
        asked, self.asked = self.asked, None
        assert asked is not None
        self.answered = Answered(asked.what, asked.by, yes)
        return asked

    def _settle_offer(self) -> None:
        """What everybody has agreed to happens."""
        if self.asked is None or self.asked.waiting:
            return
        asked = self._close_offer(True)
        if asked.what == UNDO:
            self.match.undo(asked.by)
        elif asked.what != DRAW:
            self.match.agree(asked.what)
            self._finish()
        else:
            self._end(End("draw", "A draw was agreed on.", tuple(0.0 for _ in self.seats)))

    def _resigned(self, seat: int) -> None:
        self.seats[seat].resigned = True
        who = self.match.names[seat]
        if self.asked and self.asked.what != UNDO:  # the bot that plays on does not agree
            self._close_offer(False)
        if self.asked:
            if self.asked.by == seat:
                self.asked = None
            elif seat in self.asked.waiting:
                self.asked.waiting.remove(seat)
        if len(self.seats) == 2:
            returns = tuple(-1.0 if p == seat else 1.0 for p in range(2))
            text = f"{who} gave up: {self.match.names[1 - seat]} wins."
            self._end(End("resigned", text, returns))
        elif not self.people():
            lost = tuple(-1.0 if x.resigned else None for x in self.seats)
            self._end(End("resigned", f"{who} gave up, and nobody else plays on.", lost))
        else:
            self._settle_offer()

    def _finish(self) -> None:
        """The end, if the rules have ended it, and everybody may know it. Who gave up has lost,
        however well the bot played on.
        """
        if not self.match.over or self.hush:
            return
        won = [
            -1.0 if x.resigned else r for x, r in zip(self.seats, self.match.returns, strict=True)
        ]
        self._end(End("rules", self.match.scene(None).prompt, tuple(won)))

    def _end(self, end: End) -> None:
        self.end, self.asked = end, None


def clean_name(text: str) -> str:
    """A name as it is shown. Errors: Refused if nothing is left of it, or it is no name."""
    printable = "".join(c if c.isprintable() else " " for c in text)
    name = " ".join(printable.split())[:NAME].strip()
    if not name:
        raise Refused("not_possible", "A name has at least one letter.")
    if name.casefold() == "you":
        raise Refused(
            "not_possible", f"{name!r} means somebody else on every screen: choose a name."
        )
    return name


def seats_from(wanted: Sequence[str], name: str) -> tuple[list[dict[str, Any]], int | None]:
    """Seats from words: "you" once at most, "open", or a bot's level; and the seat of "you".

    Errors: Refused.
    """
    seats, host = list[dict[str, Any]](), None
    names = iter(n for n in BOT_NAMES if n.casefold() != name.casefold())
    for p, word in enumerate(wanted):
        if word == "you":
            if host is not None:
                raise Refused("invalid", '"you" is one seat only; a friend\'s is "open".')
            seats.append({"kind": PERSON, "name": name})
            host = p
        elif word == OPEN:
            seats.append({"kind": OPEN})
        elif word in LEVELS:
            seats.append({"kind": BOT, "level": word, "name": next(names)})
        else:
            raise Refused("invalid", f'{word!r} is no seat: "you", "open", {", ".join(LEVELS)}.')
    if host is None and any(x["kind"] == OPEN for x in seats):
        raise Refused("invalid", 'Open seats need a host: one seat is "you".')
    return seats, host


__all__ = ["Meeting", "Refused", "Seat", "clean_name", "ruleset", "seats_from"]


def check_order(entries: Sequence[Entry]) -> None:
    """Errors: ValueError, if there are not all of the entries from the first on."""
    if [x.seq for x in entries] != list(range(len(entries))):
        raise ValueError("entries are missing")


def replayed(setup: Setup, entries: Sequence[Entry]) -> Meeting:
    """What comes of a whole log. Errors: OtherRules; BattleboxError names the damaged entry."""
    meeting = Meeting(setup)
    check_order(entries)
    for entry in entries:
        try:
            meeting.apply(json.loads(entry.body))
        except (BattleboxError, *DAMAGED) as e:
            raise BattleboxError(f"entry {entry.seq} cannot be replayed: {e}") from None
    return meeting
