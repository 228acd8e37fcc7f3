"""What the words of players that read mean: llm:COMMAND, https://HOST/v1#MODEL, and how they are
asked: llm+word+5+forfeit:COMMAND.
"""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from urllib.parse import urlsplit

from ...core.errors import BotError, RulesetError
from ...core.game import Ruleset
from ...core.table import nearest
from .bot import LanguageBot
from .endpoint import Endpoint
from .messages import Format, Talker
from .program import talk_to

WORD = re.compile(r"(llm|https?)((?:\+[^:+]*)*):(.*)", re.DOTALL)
ATTEMPTS = 3  # at a decision, usually
MOST_ATTEMPTS = 20
FORFEIT = "forfeit"


def is_language(word: str) -> bool:
    """Whether a bot's word is that of a player that reads."""
    return WORD.fullmatch(str(word)) is not None


@dataclass(frozen=True)
class LanguageSpec:
    """A program or an endpoint, what it reads, and what follows from illegal answers."""

    word: str
    command: tuple[str, ...] = ()  # of a program
    url: str = ""  # of an endpoint,
    model: str = ""  # and the model there
    format: Format = Format.MENU
    attempts: int = ATTEMPTS
    forfeits: bool = False  # after the last attempt; else a legal action is drawn by lot
    think: float | None = None  # seconds that it has for a decision, all attempts together

    @property
    def talker(self) -> Talker:
        """Who is asked. Errors: BotError if there is no such program."""
        if self.url:
            return Endpoint(self.url, self.model)
        if shutil.which(self.command[0]) is None:
            raise BotError(f"{self.word}: there is no program {self.command[0]!r}")
        return talk_to(self.command)

    def make(self, rules: Ruleset, seed: int) -> LanguageBot:
        """A player on a seat. Errors: BotError if there is no such program."""
        return LanguageBot(
            self.talker,
            rules,
            seed,
            word=self.word,
            format=self.format,
            attempts=self.attempts,
            forfeits=self.forfeits,
            think=self.think,
        )


def parse_language(word: str, think: float | None = None) -> LanguageSpec:
    """What such a word means. Errors: RulesetError for one that means nothing."""
    found = WORD.fullmatch(word)
    assert found, "is_language says so"
    kind, how, rest = found.groups()
    command: tuple[str, ...] = ()
    url = model = ""
    if kind == "llm":
        command = _command(word, rest)
    else:
        url, model = _address(word, f"{kind}:{rest}")
    return LanguageSpec(word, command, url, model, *_how(word, how.split("+")[1:]), think)


def _how(word: str, said: list[str]) -> tuple[Format, int, bool]:
    """What stands behind each +: a format, a number of attempts, "forfeit"."""
    format, attempts, forfeits = list[Format](), list[int](), list[bool]()
    for x in said:
        if x in [*Format]:
            format.append(Format(x))
        elif x == FORFEIT:
            forfeits.append(True)
        elif re.fullmatch(r"[0-9]{1,4}", x):
            attempts.append(int(x))
        else:
            known = nearest(x, [*map(str, Format), FORFEIT, "a number of attempts"])
            raise RulesetError(f"no bot {word!r}: +{x} says nothing{known}")
    if any(len(x) > 1 for x in (format, attempts, forfeits)):
        raise RulesetError(f"no bot {word!r}: it says one thing twice, behind +")
    if attempts and not 1 <= attempts[0] <= MOST_ATTEMPTS:
        raise RulesetError(f"no bot {word!r}: attempts are 1 .. {MOST_ATTEMPTS}")
    usual = LanguageSpec("")
    return (
        format[0] if format else usual.format,
        attempts[0] if attempts else usual.attempts,
        bool(forfeits),
    )


def _command(word: str, text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text))
    except ValueError as e:
        raise RulesetError(f"no bot {word!r}: its command is not well formed: {e}") from None
    if not command:
        raise RulesetError(f"no bot {word!r}: write llm:COMMAND, as in 'llm:python3 my_player.py'")
    return command


def _address(word: str, text: str) -> tuple[str, str]:
    """A URL without its fragment, which names the model."""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError as e:
        raise RulesetError(f"no bot {word!r}: {e}") from None
    if parts.username is not None or parts.password is not None or parts.query:
        shown = f"{parts.scheme}://{host or ''}{parts.path}"  # what was typed may hold a secret
        raise RulesetError(
            f"no bot at {shown}: write http://HOST/PATH#MODEL and nothing else; "
            "a key is taken from BATTLEBOX_API_KEY"
        )
    if not host:
        raise RulesetError(f"no bot {word!r}: write http://HOST/PATH#MODEL")
    if not parts.fragment:
        raise RulesetError(f"no bot {word!r}: say which model, as in {text.rstrip('#')}#MODEL")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", parts.fragment
