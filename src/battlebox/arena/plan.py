"""What a tournament plays. All of a match follows from the plan and the match's number, so that it
is the same on whatever machine, in whatever order.

A deal is one seed, for as many entrants as there is room for at a table. It is played once for each
of them, who move on by a seat in between: so each of them has had every seat. Two entrants at more
than two seats have every other seat, then the others. Where sides are known before the match, an
entrant has all seats of a side.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from types import NoneType
from typing import Any, NamedTuple

import numpy as np

from ..bots import (
    AnswerStats,
    AnySpec,
    Bot,
    BotFile,
    BotSpec,
    LanguageBot,
    LanguageSpec,
    PolicyFile,
    ask,
    parse_bot,
    search_digest,
)
from ..core.errors import BattleboxError, BotError, BotForfeit, RulesetError
from ..core.game import Ruleset
from ..core.match import Match
from ..core.random import checked_seed
from ..version import __version__
from .journal import Lines

FORMAT = 1
MOST = 20  # entrants: of so many there are 184,756 tables of ten


class Result(NamedTuple):
    """How a match ended."""

    match: int  # its number in the plan
    returns: tuple[float, ...]  # of each seat, -1 .. 1
    decisions: int
    forfeited: int | None = None  # the seat whose bot took too long for a decision, or the like
    answers: tuple[AnswerStats | None, ...] = ()  # of each seat that reads, if there are any
    actions: tuple[str, ...] = ()  # all of them, if some cannot be found again by the seeds


@dataclass(frozen=True)
class Plan:
    """A ruleset, the words of the bots that play it, and the seed of the first deal. `think`: how
    many seconds bots of others have for a decision; who takes longer forfeits the match.

    Bots' files are read here, once: the plan holds their texts.

    Errors: RulesetError for fewer than two entrants or too many, a word that names no bot, a seed
    that is none; BotError for a bot's file that cannot be read.
    """

    rules: Ruleset
    entrants: tuple[str, ...]
    seed: int = 0
    think: float | None = None
    specs: tuple[AnySpec, ...] = field(init=False, repr=False)  # what the words mean

    def __post_init__(self) -> None:
        if not 2 <= len(self.entrants) <= MOST:
            raise RulesetError(f"{len(self.entrants)} bots: a tournament has 2 .. {MOST}")
        specs = tuple(parse_bot(x, self.think) for x in self.entrants)
        object.__setattr__(self, "specs", specs)
        checked_seed(self.seed)

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants' words; one that is entered again gets a number."""
        count = [self.entrants[:i].count(word) for i, word in enumerate(self.entrants)]
        return tuple(
            f"{word} #{k + 1}" if k else word for k, word in zip(count, self.entrants, strict=True)
        )

    @property
    def table(self) -> int:
        """How many entrants meet in a deal, and how many matches it has."""
        return min(len(self.entrants), len(set(self.rules.sides)))

    @property
    def files(self) -> dict[str, str]:
        """The digests of those that are files, or play by one, by their words."""
        found = {k.word: k.digest for k in self.specs if isinstance(k, BotFile | PolicyFile)}
        game = self.rules.game
        for k in self.specs:
            if isinstance(k, BotSpec) and (policy := k.policy(game) or k.prior(game)):
                ahead = f"+{policy.evaluations}" if policy.evaluations else ""
                found[str(k.word)] = policy.digest + ahead
        return found

    @property
    def readers(self) -> tuple[int, ...]:
        """The entrants that read, by their numbers: what they do does not follow from seeds."""
        return tuple(i for i, k in enumerate(self.specs) if isinstance(k, LanguageSpec))

    @property
    def simulations(self) -> dict[str, int]:
        """The simulations a decision of those that search, by their words."""
        every = zip(self.entrants, self.specs, strict=True)
        found = {
            word: k.simulations(self.rules.game) for word, k in every if isinstance(k, BotSpec)
        }
        return {word: n for word, n in found.items() if n}

    @property
    def header(self) -> str:
        """All that makes its matches what they are, as one line of JSON."""
        about: dict[str, Any] = {
            "arena": FORMAT,
            "version": __version__,
            "game": self.rules.name,
            "rules": self.rules.game.version,
            "options": self.rules.options_text,
            "deck": self.rules.text,
            "table": self.rules.digest,
            "entrants": self.entrants,
            "seed": self.seed,
        }
        if self.files:
            about["files"] = self.files
        if (self.files or self.readers) and self.think is not None:
            about["think"] = self.think
        if self.simulations:
            about |= {"simulations": self.simulations, "search": search_digest(self.rules.game)}
        return json.dumps(about)

    def met(self, deal: int) -> tuple[int, ...]:
        """The entrants of a deal. All tables that can be made of them come in turn, in an order
        that is drawn anew each time round; so is who sits next to whom.
        """
        tables = _tables(len(self.entrants), self.table)
        turn, place = divmod(deal, len(tables))
        who = list(tables[_order(len(tables), f"{self.seed} round {turn}")[place]])
        random.Random(f"{self.seed} deal {deal}").shuffle(who)
        return tuple(who)

    def seats(self, match: int) -> tuple[int, ...]:
        """Which entrant sits on each seat."""
        deal, turn = divmod(match, self.table)
        who = self.met(deal)
        return tuple(who[(side + turn) % len(who)] for side in self.rules.sides)

    def deal_seed(self, match: int) -> int:
        """The seed of the match: that of its deal."""
        return self.seed + match // self.table

    def bot_seed(self, match: int, seat: int) -> int:
        """The seed of the bot on a seat of a match: a number 0 .. 2**62 - 1."""
        word = np.random.SeedSequence((self.seed, match, seat)).generate_state(1, np.uint64)[0]
        return int(word >> np.uint64(2))


@lru_cache(maxsize=4)
def _tables(entrants: int, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(range(entrants), seats))


@lru_cache(maxsize=4)
def _order(tables: int, seed: str) -> Sequence[int]:
    order = list(range(tables))
    random.Random(seed).shuffle(order)
    return order


def results_of(plan: Plan) -> Lines[int, Result]:
    """What a journal of the plan's matches says."""

    def read(entry: Any) -> tuple[int, Result]:
        result = Result(**entry)
        numbers = (result.match, result.decisions)
        if not all(type(x) is int and x >= 0 for x in numbers):
            raise ValueError(numbers)
        if len(result.returns) != plan.rules.players:
            raise ValueError(result.returns)
        if not all(type(x) in (int, float) and -1 <= x <= 1 for x in result.returns):
            raise ValueError(result.returns)
        if type(result.forfeited) not in (int, NoneType):
            raise ValueError(result.forfeited)
        if not all(type(x) is str for x in result.actions):
            raise ValueError(result.actions)
        return result.match, result._replace(
            returns=tuple(map(float, result.returns)),
            answers=tuple(x and AnswerStats.model_validate(x) for x in result.answers),
            actions=tuple(result.actions),
        )

    def write(match: int, result: Result) -> dict[str, Any]:
        answers = [x and x.model_dump(exclude_none=True) for x in result.answers]
        said = result._asdict() | {"answers": answers}
        return {k: x for k, x in said.items() if x is not None and x not in ((), [])}

    return Lines("arena", "tournament", plan.header, write, read)


#: sees a match before each action is taken, and with None at its end
Recorder = Callable[[Match, int | None], None]


def play(plan: Plan, match: int, recorder: Recorder | None = None) -> Result:
    """Plays a match of the plan to its end; a recorder may look on. A bot that takes longer for a
    decision than it may, or to be made, forfeits it; so does one that reads, if its word says that
    illegal answers do.

    Errors: BotError says which bot did what is wrong, and when.
    """
    tell = recorder or (lambda m, action: None)
    m, seats = plan.rules.match(plan.deal_seed(match)), plan.seats(match)
    seeds = [plan.bot_seed(match, p) for p in range(len(seats))]
    bots = list[Bot]()
    for seat, (who, seed) in enumerate(zip(seats, seeds, strict=True)):
        try:
            bots.append(plan.specs[who].make(plan.rules, seed))
        except BotForfeit:
            return forfeit(plan, match, seat, 0)
    while (p := m.to_act) is not None:
        try:
            checked = m.check(p, ask(bots[p], m, p))
        except BotForfeit:
            tell(m, None)
            return _with_answers(forfeit(plan, match, p, len(m.history)), m, bots)
        except BattleboxError as e:
            said = e if isinstance(e, BotError) else f"{plan.entrants[seats[p]]}: {e}"
            raise BotError(
                f"match {match} (seed {m.seed}), decision {len(m.history)}, "
                f"seat {p} (its bot's seed {seeds[p]}): {said}"
            ) from e
        tell(m, checked.number)
        m.take(checked)
    tell(m, None)
    result = Result(match, tuple(float(x) for x in m.returns), len(m.history))
    return _with_answers(result, m, bots)


def _with_answers(result: Result, m: Match, bots: Sequence[Bot]) -> Result:
    """How those that read have answered; and what was done, as their seeds do not tell it."""
    answers = tuple(x.stats if isinstance(x, LanguageBot) else None for x in bots)
    if not any(answers):
        return result
    return result._replace(answers=answers, actions=tuple(word for _, word in m.history))


def match_of(plan: Plan, result: Result) -> Match:
    """The match of a result again, from its actions; as far as it was played.

    Errors: ValueError if the result has none, as all without players that read, which follow from
    their seeds.
    """
    if not result.answers:  # else they are empty only if nothing was done
        raise ValueError(f"match {result.match}: its actions were not kept")
    m = plan.rules.match(plan.deal_seed(result.match))
    for word in result.actions:
        m.submit(m.to_act, word)
    return m


def forfeit(plan: Plan, match: int, seat: int, decisions: int) -> Result:
    """All seats of that bot have lost, and with them who plays with them; the others have won."""
    seats, sides = plan.seats(match), plan.rules.sides
    lost = {side for side, who in zip(sides, seats, strict=True) if who == seats[seat]}
    returns = tuple(-1.0 if side in lost else 1.0 for side in sides)
    return Result(match, returns, decisions, seat)


def play_elsewhere(plan: Plan, header: str, match: int) -> Result:
    """The same in another process, perhaps on another machine, which must have made the same of the
    plan. Errors: RulesetError if it has another battlebox or other rules.
    """
    if plan.header != header:
        raise RulesetError(f"a worker has other rules: it would play {plan.header}, not {header}")
    return play(plan, match)
