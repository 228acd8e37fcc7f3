"""Lines of play: the same options, seed and actions, played by the present version of the rules."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from time import monotonic

from ..bots.levels import LEVELS
from ..bots.random_bot import RandomBot
from ..bots.search import SearchBot
from ..core.errors import BattleboxError, IllegalAction, InvalidWord
from ..core.game import Game, Ruleset, parse_options
from ..core.laws import CURES
from ..core.match import Match
from ..core.random import Script
from .faults import fault_of
from .messages import Act, Bots, Cut, Fault, Line, Went
from .soundness import explained

#: simulations of a bot's decision, at most: the plain build makes some hundred a second
MOST_SIMULATIONS = 100
BOTS = LEVELS[:3]  # those above would keep one waiting
SLICE = 0.4  # seconds of random play, then the page is told how far it is
LETTERS = "ABCDEFGHIJ"  # of the seats, as on the page


def letter(seat: int) -> str:
    """What a seat is called."""
    return LETTERS[seat] if seat < len(LETTERS) else str(seat)


def simulations(game: Game, level: str) -> int:
    """How many simulations a bot of this level makes here; 0: it draws lots."""
    return min(MOST_SIMULATIONS, (0, *game.simulations)[BOTS.index(level)])


class Lines:
    """Plays lines of one game. What the last one has in common with the next is not played again.

    Errors of its methods: RulesetError for options, PositionError for a position.
    """

    def __init__(self, game: Game, folder: Path) -> None:
        self.game, self.folder = game, folder
        self._kept: tuple[Line, Match] | None = None  # a line without its actions
        self._rulesets: dict[str, Ruleset] = {}

    def ruleset(self, options: str) -> Ruleset:
        """The game with these options."""
        if options not in self._rulesets:
            words = parse_options(self.game, options.split())
            self._rulesets[options] = self.game.ruleset(words, strings=True)
        return self._rulesets[options]

    def play(self, line: Line) -> tuple[Match, Cut | None]:
        """The match of a line, as far as it can be played, and why not further."""
        m = self._begun(line)
        wanted = [(x.seat, x.word) for x in line.acts]
        same = len([*takewhile(lambda x: x[0] == x[1], zip(m.history, wanted, strict=False))])
        if same < len(m.history):
            m = next(m.look_back([same]))
        cut = None
        for k in range(same, len(wanted)):
            try:
                m.repeat(*wanted[k])
            except Exception as e:  # also one of the rules
                cut = self._cut(m, line.acts[k], e)
                break
            try:
                m.legal_words()
            except Exception as e:  # the state cannot be read
                fault = explained(fault_of(e, self.folder), m, self.folder)
                cut, m = Cut(at=k, act=line.acts[k], fault=fault), next(m.look_back([k]))
                break
        self._kept = line.model_copy(update={"acts": []}), m
        return m, cut

    def _cut(self, m: Match, act: Act, error: Exception) -> Cut:
        """The end of a line, where an action raised an error."""
        at, refused = len(m.history), isinstance(error, IllegalAction | InvalidWord)
        if refused and (stuck := stuck_at(m)):
            return Cut(at=at, act=act, fault=stuck)
        return Cut(at=at, act=act, fault=fault_of(error, self.folder), refused=refused)

    def _begun(self, line: Line) -> Match:
        """The match that is kept, if it is of this line; else a new one."""
        if self._kept is not None and self._kept[0] == line.model_copy(update={"acts": []}):
            return self._kept[1]
        rules = self.ruleset(line.options)
        chance = None
        if line.chance is not None:
            chance = Script(*line.chance, rest=random.Random(line.seed))
        position = line.position or None
        m = Match(rules, line.seed, position=position, chance=chance, traced=True)
        m.names = tuple(f"Seat {letter(p)}" for p in range(rules.players))
        return m

    def go_on(self, asked: Bots) -> Went:
        """Lets bots go on."""
        if asked.level not in BOTS:
            raise BattleboxError(f"no bot {asked.level!r} here: {', '.join(BOTS)}")
        line = asked.line.model_copy(update={"acts": asked.line.acts[: asked.at]})
        m, cut = self.play(line)
        count = simulations(self.game, asked.level)
        until = monotonic() + SLICE
        while cut is None and self._are_asked(m, asked.seats):
            assert m.to_act is not None
            # of its own at each decision: however one came there, the same is chosen
            seed = random.Random(f"{line.seed} {len(m.history)}").getrandbits(32)
            bot: RandomBot | SearchBot = RandomBot(m.rules, seed)
            if count:
                bot = SearchBot(m.rules, count, seed, compiled=False)
            act = None
            try:
                if stuck := stuck_at(m):
                    cut = Cut(at=len(m.history), act=None, fault=stuck)
                    break
                act = Act(seat=m.to_act, word=m.word(bot.choose(m.observation(m.to_act))))
                m.submit(m.to_act, act.word)
            except Exception as e:
                fault = fault_of(e, self.folder)
                if act is None:  # of what reads the state
                    fault = explained(fault, m, self.folder)
                cut = Cut(at=len(m.history), act=act, fault=fault)
            if count or monotonic() > until:
                break
        more = cut is None and self._are_asked(m, asked.seats)
        return Went(line=with_acts(line, m), more=more, cut=cut)

    @staticmethod
    def _are_asked(m: Match, seats: Sequence[int] | None) -> bool:
        return m.to_act is not None and (seats is None or m.to_act in seats)


def stuck_at(m: Match) -> Fault | None:
    """What to say of a match that is not over, and in which nothing can be done."""
    if m.over or m.legal_actions or m.agreements:
        return None
    assert m.to_act is not None
    what = f"Seat {letter(m.to_act)} has no legal action, and the match is not over"
    return Fault(what=what, hint=CURES[1])


def with_acts(line: Line, m: Match) -> Line:
    """A line with the actions of its match."""
    acts = [Act(seat=seat, word=word) for seat, word in m.history]
    return line.model_copy(update={"acts": acts})
