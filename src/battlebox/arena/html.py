"""Pages that need nothing else: a document, tables, bars. No picture says what the numbers beside
it do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; font-size: 0.85rem }
th, td { padding: 0.2rem 0.5rem; border-bottom: 1px solid #ccc; text-align: right }
th:first-child, td:first-child { text-align: left }
td.bar { width: 16rem; text-align: left }
.track { position: relative; height: 1rem; background: #eee }
.range { position: absolute; height: 100%; background: #9db8d9 }
.point { position: absolute; height: 100%; width: 2px; background: #14365f }
pre { background: #f3f3f3; padding: 0.8rem; white-space: pre-wrap }
.wide { overflow-x: auto }
svg { max-width: 100%; height: auto }
"""


def document(title: str, parts: Iterable[str]) -> str:
    """A whole page of parts that are HTML."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def rows(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table; its cells are HTML, and an empty heading is that of bars."""
    top = "".join(f'<th scope="col">{escape(x)}</th>' if x else "<td></td>" for x in head)
    lines = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>' + "".join(map(_cell, row[1:])) + "</tr>"
        for row in body
    )
    return f'<div class="wide"><table>\n<tr>{top}</tr>\n{lines}\n</table></div>'


def _cell(html: str) -> str:
    return f'<td class="bar">{html}</td>' if html.startswith("<div") else f"<td>{html}</td>"


def bar(low: float, high: float, point: float | None = None) -> str:
    """From `low` to `high` of a track that is 0 .. 1 long, with a mark at `point`."""
    marks = f'<div class="range" style="left:{low:.1%};width:{high - low:.1%}"></div>'
    if point is not None:
        marks += f'<div class="point" style="left:{point:.1%}"></div>'
    return f'<div class="track" aria-hidden="true">{marks}</div>'
