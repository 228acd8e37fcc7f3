"""How a run went, as a page that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from ..arena.balance.figures import INK, drawing
from ..arena.html import document, rows
from .progress import Note, Rating
from .settings import Settings

MILLION = 1_000_000
POINTS = 400  # of a curve, at most: the mean of the updates between


def page(title: str, settings: Settings, notes: Sequence[Note]) -> str:
    """Curves, and the numbers of the ratings. Errors: BattleboxError, without matplotlib."""
    last = notes[-1]
    about = (
        f"{last.decisions:,} of {settings.updates * settings.rollout:,} decisions, "
        f"{last.seconds / 60:.0f} minutes, seed {settings.seed}."
    )
    parts = [f"<h1>Learning {escape(title)}</h1>", f"<p>{about}</p>"]
    if rated := [x for x in notes if x.ratings]:
        parts += ["<h2>How strong</h2>", _strength(rated)]
        words = [x.against for x in rated[-1].ratings]
        body = [
            [f"{x.decisions / MILLION:.1f} M", *(escape(_share(y)) for y in x.ratings)]
            for x in rated
        ]
        parts.append(rows(["after decisions", *(f"against {x}, %" for x in words)], body))
    for heading, what in CURVES:
        parts += [f"<h2>{heading}</h2>", _curve(notes, what)]
    listed = [[escape(k), escape(_said(v))] for k, v in settings.model_dump().items()]
    parts += ["<h2>Settings</h2>", rows(["name", "value"], listed)]
    return document(f"Learning {title}", parts)


def _said(value: Any) -> str:
    """Of a setting; rulesets are told by their options."""
    if not isinstance(value, tuple):
        return str(value)
    return "; ".join(" ".join(f"{k}={v}" for k, v in x.items()) for x in value)


def _share(x: Rating) -> str:
    return f"{100 * x.share:.1f} ({100 * x.low:.1f} .. {100 * x.high:.1f})"


Curves = Sequence[tuple[str, Callable[[Note], float]]]

#: what is drawn of each update: a heading, a number
CURVES: Curves = (
    ("Entropy of the policy", lambda x: x.lesson.entropy),
    ("How far an update moves it (Kullback-Leibler divergence)", lambda x: x.lesson.moved),
    ("Squared error of its own values", lambda x: x.lesson.value_error),
    ("Squared error of the critic, which knows everything", lambda x: x.lesson.critic_error),
)


def _curve(notes: Sequence[Note], what: Callable[[Note], float]) -> str:
    out, step = list[str](), 1 + len(notes) // POINTS
    groups = [notes[i : i + step] for i in range(0, len(notes), step)]
    with drawing(6, 2, out) as axes:
        x = [group[-1].decisions / MILLION for group in groups]
        axes.plot(x, [sum(map(what, group)) / len(group) for group in groups], color=INK)
        axes.set_xlabel("million decisions")
    return out[0]


def _strength(rated: Sequence[Note]) -> str:
    out, x = list[str](), [note.decisions / MILLION for note in rated]
    with drawing(6, 2.6, out) as axes:
        for k, first in enumerate(rated[0].ratings):
            each = [note.ratings[k] for note in rated]
            low, high = [100 * y.low for y in each], [100 * y.high for y in each]
            shares, label = [100 * y.share for y in each], f"against {first.against}"
            (line,) = axes.plot(x, shares, marker="o", label=label)
            axes.fill_between(x, low, high, color=line.get_color(), alpha=0.2)
        axes.set_xlabel("million decisions")
        axes.set_ylabel("share of matches, %")
        axes.legend(frameon=False)
    return out[0]
