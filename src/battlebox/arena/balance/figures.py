"""The pictures of a page about balance, as SVG that stands in the page. The only file that imports
matplotlib: others draw by its `drawing`. Each shows numbers that stand beside it in a table.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...core.errors import BattleboxError
from ..intervals import Estimate

INK, LIGHT = "#14365f", "#9db8d9"  # the colours of the page's bars
STEPS = 40  # of the course of a match
BARS = 30  # of a histogram, at most
LOOK = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "battlebox",  # the same numbers give the same file
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def matplotlib() -> Any:
    """Its pyplot, which draws to no screen. Errors: BattleboxError says what to install."""
    try:
        import matplotlib
    except ImportError:
        raise BattleboxError(
            "the page needs matplotlib: pip install 'battlebox[balance]'"
        ) from None
    matplotlib.use("svg")
    from matplotlib import pyplot

    return pyplot


@contextmanager
def drawing(width: float, height: float, out: list[str]) -> Iterator[Any]:
    """Axes to draw on, of so many inches; afterwards the SVG is in `out`."""
    plots = matplotlib()
    with plots.rc_context(LOOK):
        figure, axes = plots.subplots(figsize=(width, height), layout="constrained")
        yield axes
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        plots.close(figure)
    svg = text.getvalue()
    out.append(svg[svg.index("<svg") :].replace("<svg ", '<svg aria-hidden="true" ', 1))


def histogram(values: Sequence[int], what: str) -> str:
    """How many matches were how long."""
    out = list[str]()
    with drawing(6, 2.2, out) as axes:
        step = 1 + (max(values) - min(values)) // BARS
        edges = np.arange(min(values), max(values) + step + 1, step) - 0.5
        axes.hist(values, bins=edges, color=LIGHT, edgecolor=INK)
        axes.set_xlabel(what)
        axes.set_ylabel("matches")
    return out[0]


def ranges(names: Sequence[str], values: Sequence[Estimate], what: str, even: float) -> str:
    """Numbers with their intervals, from above to below; a line at `even`."""
    out = list[str]()
    with drawing(6, 0.7 + 0.24 * len(names), out) as axes:
        y = np.arange(len(names))[::-1]
        middle = [e.value for e in values]
        sides = [[e.value - e.low for e in values], [e.high - e.value for e in values]]
        axes.axvline(even, color="#999", linewidth=1)
        axes.errorbar(middle, y, xerr=sides, fmt="o", color=INK, ecolor=LIGHT, elinewidth=4)
        axes.set_yticks(y, names)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.set_xlabel(what)
    return out[0]


def course(leads: Sequence[Sequence[float]]) -> str:
    """How far ahead those were who won, from the beginning to the end of a match."""
    at = np.linspace(0, 1, STEPS)
    each = np.array([np.interp(at, np.linspace(0, 1, len(lead)), lead) for lead in leads]) * 100
    out = list[str]()
    with drawing(6, 2.6, out) as axes:
        low, quarter, half, most, high = np.quantile(each, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0)
        axes.fill_between(at * 100, low, high, color=LIGHT, alpha=0.4, label="90 % of matches")
        axes.fill_between(at * 100, quarter, most, color=LIGHT, label="half of them")
        axes.plot(at * 100, half, color=INK, label="median")
        axes.axhline(0, color="#999", linewidth=1)
        axes.set_xlabel("part of the match, %")
        axes.set_ylabel("ahead by, points")
        axes.legend(frameon=False, loc="upper left")
    return out[0]
