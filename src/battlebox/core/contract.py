"""The functions a build supplies, as stubs: drivers import them, the build puts the real ones in.

Drivers are loops over states that fit every game: core/drivers.py, bots/search.py. `Build.bind`
makes them run on one game.
"""

from __future__ import annotations

from typing import Any

from .rules import rule

ACTIONS = 0  # how many action numbers the game has


def advance(t: Any, s: Any) -> None:
    """The game's: run on to the first decision, from a match not yet begun or a loaded position."""


def returns(t: Any, s: Any, out: Any) -> None:
    """The game's: each seat's return, -1 .. 1, once the match is over."""


def determinize(t: Any, o: Any) -> None:
    """The game's: fill an observation with a random truth that fits its `viewer`. Without it:
    derived from its places.
    """


def census(s: Any, count: Any) -> None:
    """The game's: adds up its cards and pieces by kind; the same throughout a match. Without it:
    derived from its places.
    """


@rule
def max_length(t: Any, seats: int) -> int:
    """The game's: no match takes more decisions. Without it: 10,000."""
    return 10_000


@rule
def candidates(t: Any, s: Any, acts: Any, n: int, visits: int) -> int:
    """The game's, if it likes: puts those of the n legal actions first in acts that a search should
    look at, the best first of all; returns how many they are, one at least.

    The more often a search has been here (`visits`), the more it may try; random play to a leaf
    asks with 0. Learned policies ask, too, of an observation, and weigh no other actions. It writes
    to scratch fields only. Without it: all of them.
    """
    return n


@rule
def evaluate(t: Any, s: Any, out: Any) -> bool:
    """The game's, if it likes: each seat's expected return of an unfinished match.

    False: here nothing can be said, play on. It writes to scratch fields only. Without it a
    search plays on to the end.
    """
    return False


@rule
def ends_search(t: Any, s: Any) -> bool:
    """The game's, if it likes: no search looks beyond this position, which `evaluate` judges.

    It reads only. Without it: none but the end.
    """
    return False


@rule
def consequences(t: Any, s: Any, seat: int, out: Any) -> bool:
    """The game's, if it likes: what a choice of `seat` has led to so far, a number for each of its
    CONSEQUENCES (`core/saying.py`).

    True: by now it can be told. That is no later than where `evaluate` or `ends_search` says
    something. It writes to scratch fields only. Without it nothing is told of any choice.
    """
    return True


@rule
def features(t: Any, s: Any, me: int, f: Any) -> None:
    """The game's, if it likes: what follows from what seat `me` sees, so that a small network need
    not find it out; into f, a blank record of the game's Features.

    s: an observation, or a truth, which is all seen. It writes to scratch fields and f only.
    Without it: nothing.
    """


@rule
def candidate_features(t: Any, s: Any, a: int, k: int, c: Any) -> None:
    """The game's, if it likes: what can be said of one of the candidates, or of the legal actions
    in a game that names none; into c, a blank record of the game's CandidateFeatures.

    s: an observation of the seat to act. k: its place among them: they are asked for in this order,
    and what scratch fields hold for the first is there for the next. It writes to scratch fields
    and c only. Without it: nothing.
    """


def choices(t: Any, s: Any, acts: Any) -> int:
    """Derived: writes the legal actions to `acts`, returns how many; 0 exactly when it is over."""
    raise AssertionError("a stub")


def apply(t: Any, s: Any, a: int) -> None:
    """Derived: takes a legal action and runs on to the next decision or the end."""


def redact(t: Any, s: Any, o: Any, seat: int) -> None:
    """Derived: blanks in o, a copy of s, what `seat` may not know (-1: a spectator)."""


def clear_scratch(s: Any) -> None:
    """Derived: blanks the scratch fields."""


def take_stock(s: Any) -> None:
    """Derived: notes how many there are of all that lies in places, at the beginning."""


def clear_features(f: Any) -> None:
    """Derived: blanks what the game's `features` fills."""


def clear_candidate_features(f: Any) -> None:
    """Derived: blanks what the game's `candidate_features` fills."""


def encode_candidate(
    f: Any,
    me: int,
    seats: int,
    room: int,
    onehot: bool,
    at: Any,
    width: Any,
    scale: Any,
    out: Any,
    i: int,
) -> None:
    """Derived: writes what the game says of a candidate as numbers into row i of out, as `encode`
    does.
    """


def encode(
    t: Any,
    s: Any,
    f: Any,
    me: int,
    seats: int,
    room: int,
    onehot: bool,
    at: Any,
    width: Any,
    scale: Any,
    out: Any,
    i: int,
) -> None:
    """Derived: writes s as numbers into row i of out, which has room for so many seats; rows and
    numbers of seats begin with `me`. It works on f, and on the scratch fields of s.
    """
