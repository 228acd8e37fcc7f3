"""Programs that play: they get an observation and give an action, and know no game by name.

bot = bb.bot("hard", rules, seed=1)
action = bot.choose(m.observation(m.to_act))

    levels.py      what a bot's word means          random_bot.py  at random
    search.py      information-set tree search      seat.py        what a bot has before it
    file.py        a Python file of yours           subprocess_bot.py  such a bot in its own process
    adviser.py     what is best, and expected       asking.py      how a bot is asked
    review.py      luck and skill, hints            review_text.py  both in words
    reasons.py     why one choice, not another      policy         policies that have been learned
    language       models and programs that read
"""

from .asking import ask
from .file import BotFile
from .language import AnswerStats, LanguageBot, LanguageSpec
from .levels import (
    LEVELS,
    AnySpec,
    Bot,
    BotSpec,
    bot,
    is_foreign,
    levels,
    parse_bot,
    search_digest,
)
from .policy import PolicyBot, PolicyFile
from .seat import SeatView

__all__ = [
    "LEVELS",
    "AnswerStats",
    "AnySpec",
    "Bot",
    "BotFile",
    "BotSpec",
    "LanguageBot",
    "LanguageSpec",
    "PolicyBot",
    "PolicyFile",
    "SeatView",
    "ask",
    "bot",
    "is_foreign",
    "levels",
    "parse_bot",
    "search_digest",
]
