"""Every error a user can meet. Each message says what is wrong, where, and what to do about it."""


class BattleboxError(Exception):
    """Base of all errors of battlebox."""


def in_a_sentence(error: Exception) -> str:
    """What an error says, for people who read it by itself."""
    text = str(error)
    end = "" if text.endswith((".", "?", "!")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


class RulesetError(BattleboxError, ValueError):
    """No such game or option, a value out of range, a wrong deck file."""


class InvalidWord(BattleboxError, ValueError):
    """A word that is not an action of the game, whatever the position."""


class IllegalAction(BattleboxError, ValueError):
    """An action that this seat may not take now. The match is untouched."""


class UndoRefused(BattleboxError):
    """Nothing to take back, or taking it back would unsay what somebody has learnt."""


class PositionError(BattleboxError, ValueError):
    """A position text that is not well formed."""


class RecordError(BattleboxError, ValueError):
    """A match file that is damaged, edited, or of another ruleset."""


class ScenarioError(BattleboxError, ValueError):
    """A scenario file that is not well formed."""


class BotError(BattleboxError):
    """A bot's file that gives none, or a bot of one that raised or chose what it may not."""


class BotForfeit(BotError):
    """A bot did what forfeits the match."""


class BotTimeout(BotForfeit):
    """A bot took longer for a decision than it was given."""


class ScriptError(BattleboxError):
    """The scripted random outcomes do not fit what the rules ask for."""


class GameError(BattleboxError, TypeError):
    """The text of a game breaks the idiom. For authors of games; says file and line."""
