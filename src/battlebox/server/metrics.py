"""Metrics for operators: those of all processes of a server, added up.

They lie in memory that the processes share. So whichever answers knows all, without asking the
others, and what a process has counted is not lost with it.
"""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Callable, Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

EVERY = 1.0  # seconds after which a process tells its figures again
LIVE = {
    "battlebox_live_matches": "Matches in memory",
    "battlebox_sockets": "Open sockets",
    "battlebox_answered": "Processes that the database answers",
}
COUNTED = {
    "battlebox_moves": "Entries written since the start",
    "battlebox_unsaved": "Times that something could not be saved since the start",
}
NAMES = (*LIVE, *COUNTED)


class Metrics(Collector):
    """The metrics of so many processes."""

    def __init__(self, processes: int = 1) -> None:
        self._all = mp.get_context("spawn").RawArray("q", processes * len(NAMES))

    def teller(self, process: int, found: Mapping[str, Callable[[], int]]) -> Callable[[], None]:
        """What tells the figures of a process, which begins now; one in its place may have ended
        before: its counts go on.
        """
        first = process * len(NAMES)
        before = {x: self._all[first + NAMES.index(x)] for x in COUNTED}

        def tell() -> None:
            for k, name in enumerate(NAMES):
                self._all[first + k] = before.get(name, 0) + found[name]()

        tell()
        return tell

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """The sums, as Prometheus has them."""
        for k, name in enumerate(NAMES):
            total = sum(self._all[k :: len(NAMES)])
            if name in LIVE:
                yield GaugeMetricFamily(name, LIVE[name], value=total)
            else:
                yield CounterMetricFamily(name, COUNTED[name], value=total)
