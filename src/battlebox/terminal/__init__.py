"""The terminal: play, watch, replay, review. It draws scenes, and knows no game."""

from .files import read as read_match
from .files import seats_of
from .play import play, resume
from .replay import replay
from .review import review
from .watch import watch

__all__ = ["play", "read_match", "replay", "resume", "review", "seats_of", "watch"]
