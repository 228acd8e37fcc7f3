"""Programs that play: they get an observation and give an action, and know no game by name.

bot = bb.bot("hard", rules, seed=1)
action = bot.choose(m.observation(m.to_act))
"""

from .levels import LEVELS, Bot, bot, simulations

__all__ = ["LEVELS", "Bot", "bot", "simulations"]
