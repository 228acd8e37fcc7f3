"""A paired series: two bots, the same seeds from both sides of the table."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context

from ..bots import bot
from ..core.game import Ruleset

Z = 1.96  # of a 95 % interval


@dataclass(frozen=True)
class Series:
    """What a series gave, from the first bot's side. A shared win counts half."""

    first: str
    second: str
    scores: tuple[float, ...]  # of each pair of matches, 0 .. 1

    @property
    def matches(self) -> int:
        """How many matches were played, two a pair."""
        return 2 * len(self.scores)

    @property
    def share(self) -> float:
        """The share of wins."""
        return sum(self.scores) / len(self.scores)

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the share, from the spread between pairs.

        A pair won and a pair lost are added to the spread, so that few pairs claim little.
        """
        n, mean = len(self.scores), self.share
        spread = math.sqrt(sum((x - mean) ** 2 for x in (*self.scores, 0, 1)) / (n + 1) / n)
        return max(0.0, mean - Z * spread), min(1.0, mean + Z * spread)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{self.first} against {self.second}: {100 * self.share:.1f} % of {self.matches} "
            f"matches, 95 % interval {100 * low:.1f} .. {100 * high:.1f} %"
        )


def series(
    rules: Ruleset,
    first: str,
    second: str,
    matches: int = 400,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Series:
    """Plays two levels against each other in pairs: one deal, both ways round.

    With more than two players the first bot has every other seat, then the others; what counts is
    its share of the winning seats. The same seed gives the same result with any number of workers
    (default: all cores). Errors: ValueError for fewer than two matches; an odd one is not played.
    """
    if matches < 2:
        raise ValueError(f"matches = {matches}: a series has at least two")
    pairs = matches // 2
    bot(first, rules).warm()  # compiles once, before the workers would each
    bot(second, rules).warm()
    scores = [0.0] * pairs
    n = workers or os.cpu_count() or 1
    with closing(_play_all(rules, first, second, pairs, seed, n)) as played:
        for done, (k, score) in enumerate(played, 1):
            scores[k] = score
            if progress:
                progress(done, pairs)
    return Series(first, second, tuple(scores))


def _play_all(
    rules: Ruleset, first: str, second: str, pairs: int, seed: int, workers: int
) -> Generator[tuple[int, float], None, None]:
    if workers == 1:
        for k in range(pairs):
            yield k, play_pair(rules, first, second, seed + k)
        return
    with _deaf():
        pool = get_context("spawn").Pool(workers)
    with pool:  # at its end, however it comes, the workers are stopped
        jobs = ((k, rules, first, second, seed + k) for k in range(pairs))
        yield from pool.imap_unordered(_play_job, jobs)


def _play_job(job: tuple[int, Ruleset, str, str, int]) -> tuple[int, float]:
    k, rules, first, second, seed = job
    return k, play_pair(rules, first, second, seed)


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes begun in here do not hear Ctrl-C: it is for the one who asked for them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def play_pair(rules: Ruleset, first: str, second: str, seed: int) -> float:
    """The first bot's share of two matches with one deal, seats swapped in between: 0 .. 1."""
    total = 0.0
    for swap in (0, 1):
        m = rules.match(seed)
        levels = [(first, second)[(p + swap) % 2] for p in range(rules.players)]
        bots = [
            bot(level, rules, seed=2 * seed + swap + 1000 * p) for p, level in enumerate(levels)
        ]
        while m.to_act is not None:
            m.submit(m.to_act, bots[m.to_act].choose(m.observation(m.to_act)))
        best = max(m.returns)
        winners = [(p + swap) % 2 == 0 for p, x in enumerate(m.returns) if x == best]
        total += sum(winners) / len(winners)
    return total / 2
