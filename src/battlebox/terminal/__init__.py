"""The terminal: play, watch, replay. It draws scenes and offers choices, and knows no game."""

from .files import find as find_match
from .files import seats_of
from .play import play, resume
from .replay import replay
from .watch import watch

__all__ = ["find_match", "play", "replay", "resume", "seats_of", "watch"]
