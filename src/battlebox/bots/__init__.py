"""Programs that play: they get an observation and give an action, and know no game by name.

bot = bb.bot("hard", rules, seed=1)
action = bot.choose(m.observation(m.to_act))
"""

from .file import BotFile
from .levels import LEVELS, Bot, BotSpec, bot, is_file, parse_bot, search_digest
from .seat import SeatView

__all__ = [
    "LEVELS",
    "Bot",
    "BotFile",
    "BotSpec",
    "SeatView",
    "bot",
    "is_file",
    "parse_bot",
    "search_digest",
]
