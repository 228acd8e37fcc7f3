"""A law for the page: wherever a match stands, what one needs is not covered, cut or out of view.

    faults.py    the laws, and what breaks them on a page (law.js looks for most of it there)
    follower.py  matches, and a page that follows them     serving.py  a server for them
    browser.py   Chromium, where it is                     looks.py    the law as a check

It needs Playwright and a browser: the extra `page`.
"""

from .browser import missing
from .faults import Fault, faint, faults_of
from .follower import Course, Follower, courses_of
from .looks import everything_lies_right

__all__ = [
    "Course",
    "Fault",
    "Follower",
    "courses_of",
    "everything_lies_right",
    "faint",
    "faults_of",
    "missing",
]
