"""The bots by their words: levels, searches of so many simulations, learned policies, files and
programs of others, language models.

A game says how many simulations each level makes (`Game.simulations`): as many more than the one
below as it takes to be stronger. `quick` makes none: it plays by the policy that comes with the
game (`Game.policy`), if one does. Those above it look ahead by it, or search, perhaps by it, too
(`Game.evaluations`, `Game.searches_by_policy`). bench/RATINGS.md tells how strong they are.
"""

from __future__ import annotations

import hashlib
import math
import re
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from ..core.errors import RulesetError
from ..core.game import Game, Ruleset
from ..core.table import nearest
from .file import BotFile, read_bot
from .language import LanguageSpec, is_language, parse_language
from .policy import PolicyFile, read_policy
from .random_bot import RandomBot
from .search import SearchBot

#: the weakest first; `random` does not think at all
LEVELS = ("random", "easy", "medium", "hard", "quick", "expert", "champion")
QUICK = "quick"
SEARCHING = tuple(x for x in LEVELS if x not in ("random", QUICK))
STRONGEST = LEVELS[LEVELS.index(QUICK) + 1 :]  # which may go by the policy, too
KNOWN = (
    *LEVELS,
    "so-ismcts:N",
    "policy:FILE",
    "policy+N:FILE",
    "FILE.py",
    "llm:COMMAND",
    "https://HOST/PATH#MODEL",
)
MOST = 1_000_000  # simulations a decision, whose nodes fill 48 MB; or positions
POLICY = re.compile(r"policy(?:\+(\w*))?:(.+)", re.DOTALL)
FILE = re.compile(r"(.+\.py)(?::(\w+))?", re.DOTALL)


class Bot(Protocol):
    """A program on a seat."""

    def choose(self, observation: Any) -> int:
        """The number of the legal action of the seat to act, whose observation this is."""

    def warm(self) -> None:
        """Compiles what the first choice would compile."""


@dataclass(frozen=True)
class BotSpec:
    """The bots of this house: of a level, or with so many simulations a decision."""

    word: int | str

    def simulations(self, game: Game) -> int:
        """How many simulations a decision they make in a game; 0: they do not search."""
        if isinstance(self.word, int):
            return self.word
        if self.policy(game):
            return 0
        return dict(zip(SEARCHING, game.simulations, strict=True)).get(self.word, 0)

    def policy(self, game: Game) -> PolicyFile | None:
        """What they play by in a game, if they do not search: `quick` at one look, the levels
        above looking ahead, if the game says how far.

        Errors: RulesetError, if nothing was learned for what plays by that alone.
        """
        ahead = 0
        if game.evaluations and has_quick(game):
            far = dict(zip(STRONGEST, game.evaluations, strict=True))
            ahead = far.get(str(self.word), 0)
        if self.word != QUICK and not ahead:
            return None
        if not game.policy:
            raise RulesetError(
                f"no bot {QUICK!r} in {game.name}: it plays by what was learned, and nothing was "
                f"yet; try: battlebox train {game.name}"
            )
        return replace(_policy(str(game.policy)), evaluations=ahead)

    def prior(self, game: Game) -> PolicyFile | None:
        """What the levels above `quick` add to what they find, if they search by a policy."""
        by_policy = game.searches_by_policy and has_quick(game) and self.word in STRONGEST
        return _policy(str(game.policy)) if by_policy and not self.policy(game) else None

    def make(self, rules: Ruleset, seed: int, *, even: bool = False) -> Bot:
        """One of them. even: how long it thinks does not tell how many actions it has.

        Errors: RulesetError, if there is none for these rules.
        """
        if policy := self.policy(rules.game):
            return policy.make(rules, seed, even=even)
        if simulations := self.simulations(rules.game):
            policy = self.prior(rules.game)
            prior = policy.one_look(rules, seed) if policy else None
            return SearchBot(rules, simulations, seed, even=even, prior=prior)
        return RandomBot(rules, seed)


_policy = lru_cache(read_policy)


def levels(game: Game) -> tuple[str, ...]:
    """The levels of a game, the weakest first."""
    return tuple(x for x in LEVELS if x != QUICK or has_quick(game))


def has_quick(game: Game) -> bool:
    """Whether a game has `quick`: not where nothing was learned, nor where a deck has more kinds of
    cards than what was learned.
    """
    return bool(game.policy and not game.base)


AnySpec = BotSpec | PolicyFile | BotFile | LanguageSpec


def search_digest(game: Game) -> str:
    """A short name of how they search in a game: another text of it is another bot."""
    modules = [sys.modules[SearchBot.__module__], *([game.insight] if game.insight else [])]
    texts = [Path(str(m.__file__)).read_bytes() for m in modules]
    return hashlib.sha256(b"".join(texts)).hexdigest()[:16]


def is_foreign(word: str) -> bool:
    """Whether a bot's word has somebody else's code run, or sends the match somewhere: that of a
    file, of a program, of a URL.
    """
    word = str(word)  # whatever a caller gave
    return is_language(word) or FILE.fullmatch(word) is not None


def parse_bot(word: str, think: float | None = None) -> AnySpec:
    """What a bot's word means. It makes the same bots wherever it is sent to.

    think: seconds that bots of others have for a decision; ours need no limit.
    Errors: RulesetError for a word that names none, or a limit that is none; BotError for a file
    that cannot be read.
    """
    if think is not None and not 0 < think < math.inf:
        raise RulesetError(f"think = {think}: more than 0 seconds")
    if is_language(word):
        return parse_language(str(word), think)
    if policy := POLICY.fullmatch(str(word)):
        says = "policy+N:FILE judges N = 1"
        return read_policy(policy[2], 0 if policy[1] is None else _number(word, policy[1], says))
    if file := FILE.fullmatch(str(word)):
        return read_bot(file[1], file[2] or "", think)
    name, colon, budget = str(word).partition(":")
    if name != "so-ismcts" or not colon:
        if word not in LEVELS:
            raise RulesetError(f"no bot {word!r}{nearest(word, KNOWN)}")
        return BotSpec(word)
    return BotSpec(_number(word, budget, "so-ismcts:N makes N = 1"))


def _number(word: str, said: str, says: str) -> int:
    """The N of a bot's word. Errors: RulesetError, if it is none."""
    number = int(said) if said.isascii() and said.isdecimal() and len(said) < 9 else 0
    if not 1 <= number <= MOST:
        raise RulesetError(f"no bot {word!r}: {says} .. {MOST} a decision")
    return number


def bot(word: str, rules: Ruleset, *, seed: int = 0, think: float | None = None) -> Bot:
    """A bot by its word: a level (random, easy, medium, hard, quick, expert, champion), a
    single-observer search with so many simulations a decision, as in so-ismcts:800, a learned
    policy, as in policy:mine.npz, one that looks an action ahead and judges so many positions a
    decision, as in policy+500:mine.npz, a Python file that makes it, as in my_bot.py,
    my_bot.py:Name, or a language model or program that reads, as in llm:COMMAND,
    https://HOST/PATH#MODEL.

    The same seed, and the same observations in the same order, give the same choices, but for
    programs and models.
    think: seconds that such bots of others have for a decision; that of a file then runs in a
    process of its own. They raise BotTimeout where they take longer.
    Errors: RulesetError for a word that names none; BotError for a file that gives none.
    """
    return parse_bot(word, think).make(rules, seed)
