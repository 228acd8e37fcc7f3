"""What a tournament gave, for people and for programs: text, a page, CSV, Parquet."""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np

from ..bots import AnswerStats, LanguageSpec
from ..core.errors import BattleboxError
from ..core.saying import either
from ..version import __version__
from .html import bar, document, rows
from .intervals import Estimate
from .journal import saying
from .results import Reader, Results

COLUMNS = 12  # at most, of the picture of how long matches are


def check_files(*paths: Path | None) -> None:
    """Says what could not be written, before hours of play. Errors: BattleboxError."""
    given = [path.resolve() for path in paths if path]
    for path in filter(None, paths):
        if not path.parent.is_dir():
            raise BattleboxError(f"{path}: there is no such folder")
        if path.is_dir():
            raise BattleboxError(f"{path}: it is a folder")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise BattleboxError(f"{path}: it may not be written")
        if given.count(path.resolve()) > 1:
            raise BattleboxError(f"{path}: two things cannot be written to one file")


# ---- text ----------------------------------------------------------------------------------------
def standings(results: Results) -> str:
    """Two bots: a line. More: a table of ratings, and one of who beats whom. Where some of them
    read, also how they answered.
    """
    if len(results.plan.entrants) == 2 and not results.readers:
        return "\n".join([str(results.pairs[0, 1]), *_forfeits(results)])
    ratings = [["", "rating", "95 % interval"]]
    ratings += [[r.name, f"{r.elo:.0f}", f"{r.low:.0f} .. {r.high:.0f}"] for r in results.ratings]
    against = [["wins % against", *(r.name for r in results.ratings)]]
    against += [[name, *cells] for name, cells in _shares(results)]
    tables = [_aligned(ratings), _aligned(against)]
    if results.readers:
        tables.append(_aligned([["how they answered", *READER_COLUMNS], *_reader_rows(results)]))
    return "\n\n".join([*tables, *_notes(results)])


#: what is said of players that read, behind their names
READER_COLUMNS = (
    "format",
    "illegal answers",
    "95 % interval",
    "answers/decision",
    "random moves",
    "s/decision",
    "tokens/decision",
    "cost",
    "cost/match",
)


def _reader_rows(results: Results) -> list[list[str]]:
    """A row for each player that reads."""
    return [[x.name, *_reader_cells(x)] for x in results.readers]


def _reader_cells(x: Reader) -> list[str]:
    stats = x.stats
    if not stats.decisions:
        return [str(x.spec.format), *["-"] * (len(READER_COLUMNS) - 1)]
    tokens = [stats.tokens_in, stats.tokens_out]
    each = ["-" if n is None else f"{n / stats.decisions:.0f}" for n in tokens]
    return [
        str(x.spec.format),
        f"{100 * x.illegal.value:.1f} %",
        f"{100 * x.illegal.low:.1f} .. {100 * x.illegal.high:.1f}",
        f"{stats.answers / stats.decisions:.2f}",
        f"{stats.random} of {stats.decisions}",
        _with_interval(x.seconds),
        "-" if tokens == [None, None] else f"{each[0]} in, {each[1]} out",
        "-" if stats.cost is None else f"{stats.cost:.4g}",
        "-" if x.cost is None else _with_interval(x.cost),
    ]


def _with_interval(x: Estimate) -> str:
    """The number, and its 95 % interval if there is one: of a single match there is none."""
    around = f" ({max(0, x.low):.3g} .. {x.high:.3g})" if isfinite(x.high) else ""
    return f"{x.value:.3g}{around}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if k else cell.ljust(w)
            for k, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _shares(results: Results) -> Iterator[tuple[str, list[str]]]:
    """Each entrant's row of who beats whom, the strongest first."""
    names = results.plan.names
    order = [names.index(r.name) for r in results.ratings]
    for i in order:
        yield names[i], [_share(results, i, j) for j in order]


def _share(results: Results, i: int, j: int) -> str:
    if (min(i, j), max(i, j)) not in results.pairs:
        return "-"
    pair = results.pair(i, j)
    low, high = pair.interval
    return f"{100 * pair.share:.1f} ({100 * low:.1f} .. {100 * high:.1f})"


def _notes(results: Results) -> list[str]:
    """What is to be known of the numbers."""
    deals = len(results.matches) // results.plan.table
    notes = [*_forfeits(results), *_of_readers(results)]
    notes += [
        f"{len(results.matches)} matches: {deals} deals, each with the bots on "
        f"{results.plan.table} seats in turn. Ratings are Elo points (Bradley-Terry)."
    ]
    if results.until is not None:
        notes.append(
            "The intervals of shares hold no matter how often you look at them; those of "
            "ratings assume that the number of matches was fixed in advance."
        )
    return notes


def _of_readers(results: Results) -> list[str]:
    """What the columns of players that read mean."""
    if not results.readers:
        return []
    attempts = dict.fromkeys(x.spec.attempts for x in results.readers)
    return [
        "Illegal answers: the share of a match's answers, on average. Random moves: decisions at "
        f"which the last attempt was illegal, too (attempts: {either([*map(str, attempts)])}).",
        "A decision with only one choice is not asked for. Tokens and cost are what players say. "
        "Seconds and the cost of a match are averages over matches, with 95 % intervals.",
        "These answers do not follow from the seed: --out keeps every action.",
    ]


def _forfeits(results: Results) -> list[str]:
    """Who forfeited how many matches, and why."""
    plan, out = results.plan, list[str]()
    for name, count in results.forfeited.items():
        spec, why = plan.specs[plan.names.index(name)], list[str]()
        if plan.think is not None:
            why.append(f"a decision took longer than {plan.think:g} s")
        if isinstance(spec, LanguageSpec) and spec.forfeits:
            why.append(f"{spec.attempts} answers to a decision were illegal")
        machine = "" if plan.think is None else " How many take too long depends on the machine."
        out.append(f"{name} forfeited {count} of them: {either(why)}.{machine}")
    return out


# ---- tables for programs -------------------------------------------------------------------------
def _columns(results: Results) -> dict[str, list[Any]]:
    """The matches in their order."""
    plan, matches = results.plan, results.matches
    seats = [plan.seats(m.match) for m in matches]
    columns: dict[str, list[Any]] = {
        "match": [m.match for m in matches],
        "deal": [m.match // plan.table for m in matches],
        "seed": [plan.deal_seed(m.match) for m in matches],
        "decisions": [m.decisions for m in matches],
    }
    for p in range(plan.rules.players):
        columns[f"bot_{p}"] = [plan.names[s[p]] for s in seats]
    for p in range(plan.rules.players):
        columns[f"returns_{p}"] = [m.returns[p] for m in matches]
    for p in range(plan.rules.players) if plan.readers else ():
        told = [m.answers[p] if m.answers else None for m in matches]
        for name in AnswerStats.model_fields:
            values = [None if x is None else getattr(x, name) for x in told]
            columns[f"{name}_{p}"] = ["" if x is None else str(x) for x in values]
    if plan.think is not None or any(m.forfeited is not None for m in matches):
        columns["forfeited"] = ["" if m.forfeited is None else str(m.forfeited) for m in matches]
    return columns


def write_csv(results: Results, path: Path) -> None:
    """A line for each match: who sat where, what each seat got. Errors: BattleboxError."""
    columns = _columns(results)
    with saying(path), path.open("w", encoding="utf-8", newline="") as f:
        table = csv.writer(f, lineterminator="\n")
        table.writerow(columns)
        table.writerows(zip(*columns.values(), strict=True))


def write_parquet(results: Results, path: Path) -> None:
    """The same as Parquet; the plan is the file's metadata. Errors: BattleboxError."""
    arrow, parquet = pyarrow()
    table = arrow.table(_columns(results))
    with saying(path), path.open("wb") as f:
        parquet.write_table(table.replace_schema_metadata({"battlebox": results.plan.header}), f)


def pyarrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet part. Errors: BattleboxError says what to install."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BattleboxError("Parquet needs pyarrow: pip install 'battlebox[parquet]'") from None
    return pyarrow, pyarrow.parquet


# ---- a page --------------------------------------------------------------------------------------
def page(results: Results, command: str) -> str:
    """A page that needs nothing else: ratings, who beats whom, how long matches are, how it was run
    (`command`). No picture says what the numbers beside it do not.
    """
    title = f"{results.plan.rules.name}: {', '.join(results.plan.names)}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(note)}</p>" for note in _notes(results)),
        "<h2>Ratings</h2>",
        rows(("bot", "rating", "95 % interval", ""), _rating_rows(results)),
        "<h2>Who beats whom</h2>",
        "<p>Percent of its matches against the bot of the column that the bot of the row won, "
        "and the 95 % interval of it. A match in which both ended alike does not count.</p>",
        rows(("", *(r.name for r in results.ratings)), _share_rows(results)),
        *_reader_part(results),
        "<h2>How long matches are</h2>",
        rows(("decisions", "matches", ""), _length_rows(results)),
        f"<p>{escape(_lengths(results))}</p>",
        "<h2>How it was run</h2>",
        f"<pre>{escape(_origin(results, command))}</pre>",
    ]
    return document(title, parts)


def _reader_part(results: Results) -> list[str]:
    if not results.readers:
        return []
    cells = [[escape(cell) for cell in row] for row in _reader_rows(results)]
    return ["<h2>How they answered</h2>", rows(("player", *READER_COLUMNS), cells)]


def _rating_rows(results: Results) -> Iterator[Sequence[str]]:
    least = min(r.low for r in results.ratings)
    span = max(r.high for r in results.ratings) - least or 1
    for r in results.ratings:
        low, high, elo = ((x - least) / span for x in (r.low, r.high, r.elo))
        between = f"{r.low:.0f} .. {r.high:.0f}"
        yield escape(r.name), f"{r.elo:.0f}", between, bar(low, high, elo)


def _share_rows(results: Results) -> Iterator[Sequence[str]]:
    for name, cells in _shares(results):
        yield escape(name), *cells


def _length_rows(results: Results) -> Iterator[Sequence[str]]:
    lengths = np.array([m.decisions for m in results.matches])
    least = int(lengths.min())
    width = (int(lengths.max()) - least) // COLUMNS + 1
    counts = np.bincount((lengths - least) // width).tolist()
    for k, count in enumerate(counts):
        first = least + k * width
        yield f"{first} .. {first + width - 1}", str(count), bar(0, count / max(counts))


def _lengths(results: Results) -> str:
    lengths = [m.decisions for m in results.matches]
    return (
        f"Decisions of a match: {min(lengths)} at least, {median(lengths):.0f} in the middle, "
        f"{mean(lengths):.1f} on average, {max(lengths)} at most."
    )


def _origin(results: Results, command: str) -> str:
    plan = results.plan
    last = plan.deal_seed(len(results.matches) - 1)
    files = "".join(f"bot       {word}, digest {d}\n" for word, d in plan.files.items())
    stopped = "" if results.until is None else f"\nuntil     ±{100 * results.until:g} %"
    return (
        f"{command}\n\n"
        f"rules     {plan.rules.name} {plan.rules.game.version}, {plan.rules.options_text}\n"
        f"          {plan.rules.options_in_words}\n"
        f"digest    {plan.rules.digest}\n"
        f"{files}"
        f"seeds     {plan.seed} .. {last}\n"
        f"matches   {len(results.matches)}{stopped}\n"
        f"versions  battlebox {__version__}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}"
    )


def write_page(results: Results, path: Path, command: str) -> None:
    """The page as a file. Errors: BattleboxError."""
    with saying(path):
        path.write_text(page(results, command), encoding="utf-8")
