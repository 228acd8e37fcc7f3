"""The terminal: play, learn, watch, replay, review, join. It draws scenes, and knows no game.

prompt_loop.py  a person and one decision       local.py       a match on this machine
play.py         play and resume                 watch.py       bots play each other
replay.py       step through a match            review.py      luck and skill of one
join.py         a match on a server             remote         what that is made of
seats.py        people, bots, programs          screen.py      what is on the screen, and typed
learn.py        lessons                         files.py       match files
"""

from .files import find as find_match
from .files import read as read_match
from .files import seats_of
from .learn import learn
from .play import play, resume
from .replay import replay
from .review import review
from .watch import watch

__all__ = [
    "find_match",
    "learn",
    "play",
    "read_match",
    "replay",
    "resume",
    "review",
    "seats_of",
    "watch",
]
