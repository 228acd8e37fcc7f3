"""Players that read: language models and other programs, which are sent a table as text.

spec.py      what their words mean            bot.py        asks, refuses, counts
prompt.py    what they read                   messages.py   the protocol, as models
program.py   a program of yours               endpoint.py   a model behind a URL
stats.py     how they answered
"""

from .bot import LanguageBot
from .spec import LanguageSpec, is_language, parse_language
from .stats import AnswerStats

__all__ = ["AnswerStats", "LanguageBot", "LanguageSpec", "is_language", "parse_language"]
