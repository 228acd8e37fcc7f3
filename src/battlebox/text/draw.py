"""A scene as lines of text: for any width from 50 columns on, with or without colour.

How zones are drawn, and from which facts of theirs (`core/zones.py` has them all):

    plaque  a line for each seat: points, points_of, goal, points_name, stations, hand, acting, out,
            chips
    pile    count, notes, contents; the top piece
    row     its pieces in order, empty places among them
    picker  nothing: its pieces are said with the choices that they are for
    line    text, pills
    duel    text; notes of the one that is active
    column  text
    fan     its pieces, each with the choices that begin with it; goal
    ring, standings  text
    numbers nothing: they are said with the choices that they are for
    grid    rows, cols, at, token, blocked, ends; lit cells
    dice    text; pieces in the order rolled
    score   sides (name, points), text
    bench   pieces beside a board; which are hurt, which out, and the rooms they lie in
    others  label and pieces

Nothing is said by colour alone: what may be chosen has a number in brackets, who acts has an arrow.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rich.text import Text

from ..core.scene import Choice, Piece, Scene, Zone
from .choosing import numbered, on_board, said, tag

TONES = {"attack": "red", "defence": "cyan"}  # an ornament: the card's text says the same
CHOICE_TONES = {"main": "bold", "danger": "bold", "quiet": ""}
PLAIN = str.maketrans(
    {"→": "->", "▶": ">", "█": "#", "░": ".", "─": "-", "·": "|", "…": ".", "−": "-", "\u00a0": " "}
)
FEW = 6  # choices that are listed one below the other
NOTES = 3  # of a pile, where it is not drawn in full
NEWS = 3  # lines of news for which other things make room
# what a screen that is too small goes without, the least important first; `t` shows it. "goal" is
# what a fan says that one has to do
SPARED = (
    "standings",
    "ring",
    "score",
    "bench",
    "goal",
    "line",
    "dice",
    "pile",
    "row",
    "plaque",
    "column",
    "duel",
)
NAMED = ("numbers", "picker")  # kinds of zones whose pieces are said with choices alone
WHOLE = "t: the whole table"


@dataclass(frozen=True)
class Pen:
    """What there is to draw on.

    height: lines to stay within if possible, None: as many as it takes. full: show every detail.
    who: what sits on each seat, by seat number. plain: ASCII only.
    """

    width: int = 80
    height: int | None = None
    full: bool = False
    plain: bool = False
    who: Sequence[str] = ()
    texts: bool = True  # what each card does, what is known of piles
    airy: bool = True  # blank lines between the parts
    packed: bool = False  # seats, cards and choices one after the other, results only if they fit
    without: frozenset[str] = frozenset()  # kinds of zones that are left out

    def line(self, text: str, style: str = "") -> Text:
        """One line, already short enough."""
        return Text(text.translate(PLAIN) if self.plain else text, style=style)

    def wrap(self, text: str, head: str = "", style: str = "") -> list[Text]:
        """As many lines as it takes; `head` before the first, as wide a gap before the others."""
        width = max(20, self.width - 1)
        found = textwrap.wrap(
            text,
            width,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_long_words=True,
        )
        return [self.line(x, style) for x in found or [head.rstrip()]]


# ---- what a choice leads to ----------------------------------------------------------------------
def result(choice: Choice) -> tuple[str, str]:
    """`sub` in two: the result (up to the first comma or semicolon), and the conditions."""
    cut = min((k for k in (choice.sub.find(", "), choice.sub.find("; ")) if k >= 0), default=-1)
    return (choice.sub[:cut], choice.sub[cut + 2 :]) if cut >= 0 else (choice.sub, "")


def usual_condition(choices: Iterable[Choice]) -> str:
    """The first clause of the conditions, if all choices that have conditions share it.

    One choice alone keeps its own.
    """
    first = [tail.split("; ")[0] for c in choices if (tail := result(c)[1])]
    return first[0] if len(first) > 1 and len({*first}) == 1 else ""


# ---- the whole scene ----------------------------------------------------------------------------
def draw(scene: Scene, pen: Pen, news: Sequence[str] = ()) -> list[Text]:
    """The scene; `news`: what has happened since the viewer last looked, a sentence each.

    On a screen of 24 lines everything needed to decide is within them. Too tall for the pen, it
    loses blank lines, then older news, then what the cards say; then it is packed, and loses the
    least important parts of the table. What is left out is said, and how to see it.
    """
    numbers = {c.action: n for n, c in numbered(scene).items()}
    if pen.height is None or pen.full:
        return _joined(*_parts(scene, pen, numbers), _news(news, pen), pen)
    for p, wanted in _ever_smaller(pen, len(news)):
        above, below = _parts(scene, p, numbers)
        fresh = _news(news, p)
        if len(_joined(above, below, fresh[-wanted:] if wanted else [], p)) <= pen.height:
            break
    else:
        return _cut(above, below, pen)
    room = pen.height - len(_joined(above, below, [], p)) - p.airy
    fresh, older = _latest(news, room, p)
    hidden = [f"l: {older} more in the log"] if older else []
    there = {z.kind for z in scene.zones}
    there |= {"goal" for z in scene.zones if z.kind == "fan" and "goal" in z.facts}
    hidden += [WHOLE] if p.without & there else []
    above[0] = pen.line(_ruled(" ── ".join([scene.title, *hidden]), pen.width - 1), "bold")
    return _joined(above, below, fresh, p)


def _ever_smaller(pen: Pen, news: int) -> Iterator[tuple[Pen, int]]:
    """Ways to draw it, each smaller than the one before, and the lines of news it must have."""
    tight = replace(pen, airy=False)
    bare = replace(tight, texts=False)
    packed = replace(bare, packed=True)
    few = min(news, NEWS)
    yield pen, news
    yield from ((tight, news), (tight, few), (bare, few), (packed, few))
    without = frozenset[str]()
    for kind in SPARED:
        without |= {kind}
        yield replace(packed, without=without), min(news, 2)
    yield replace(packed, without=without), 0


def _cut(above: list[Text], below: list[Text], pen: Pen) -> list[Text]:
    """The beginning of what is too tall even so; the last line says how to see the choices."""
    assert pen.height is not None, "there is no end to it"
    title = above[:1] if len(below) < pen.height else []
    rows = [*title, *below]
    if len(rows) <= pen.height:
        return rows
    more = pen.line(" (there are more choices; ? shows all of them)")
    return [*rows[: pen.height - 1], more]


def _joined(above: list[Text], below: list[Text], news: list[Text], pen: Pen) -> list[Text]:
    gap = [Text("")] if pen.airy else []
    return [*above, *gap, *news, *(gap if news else []), *below]


def _parts(scene: Scene, pen: Pen, numbers: Mapping[int, int]) -> tuple[list[Text], list[Text]]:
    """The table; the question with the hands and the choices."""
    hands = [z for z in scene.zones if z.kind == "fan"]
    table = [z for z in scene.zones if z.kind != "fan"]
    shown = [z for z in table if z.kind not in pen.without]
    above = [pen.line(_ruled(scene.title, pen.width - 1), "bold")]
    for kind, zones in groupby(shown, key=lambda z: z.kind if z.kind in DRAWERS else ""):
        above += DRAWERS.get(kind, _other)(list(zones), pen)
    below = pen.wrap(scene.prompt, style="bold")
    for z in hands:
        rows, packed = (x(z, scene, numbers, pen) for x in (_fan, _packed_fan))
        below += packed if pen.packed and len(packed) < len(rows) else rows
        if "goal" in z.facts and "goal" not in pen.without:
            below += pen.wrap(str(z.facts["goal"]), "   ")
    return above, below + _others(scene, hands, pen, numbers)


def _others(
    scene: Scene, hands: Sequence[Zone], pen: Pen, numbers: Mapping[int, int]
) -> list[Text]:
    """The choices that begin with no card: squares by how one types them, the others by number."""
    out = list[Text]()
    drawn = {p.id for z in hands for p in z.pieces}
    rest = [c for c in scene.choices if not c.path or c.path[0] not in drawn]
    squares = on_board(scene)
    if squares:
        rest = [c for c in rest if c not in squares]
        first, *_, last = sorted(squares, key=lambda c: (len(c.word), c.word))
        more = "" if last.word.isalnum() else f" ({last.label})"
        how = f"Type a square marked + or !, such as {first.word} or {last.word}{more}"
        out += pen.wrap(how, " ")
    rest.sort(key=lambda c: numbers[c.action])
    if pairs := _pairs(rest, numbers, pen):
        return out + pairs
    if pen.packed:
        labels = [f"{tag(numbers[c.action])} {c.label}" for c in rest]
        return out + (_columns(labels, pen) or _flow(labels, pen))
    for c in rest:
        out += pen.wrap(said(c), f" {tag(numbers[c.action])} ", CHOICE_TONES.get(c.tone, ""))
    return out


def _pairs(rest: Sequence[Choice], numbers: Mapping[int, int], pen: Pen) -> list[Text]:
    """Choices two on a line, if they are many, alike and short enough; else nothing."""
    cells = [f"{tag(numbers[c.action])} {said(c)}" for c in rest]
    if pen.packed or len(cells) <= FEW or len({c.tone for c in rest}) > 1:
        return []
    return _columns(cells, pen, most=2, style=CHOICE_TONES.get(rest[0].tone, ""))


def _columns(cells: Sequence[str], pen: Pen, most: int = 4, style: str = "") -> list[Text]:
    """Short texts beside each other in columns, as many as fit; nothing if two do not."""
    for n in range(most, 1, -1):
        wide = [max(map(len, cells[k::n]), default=0) + 2 for k in range(n)]
        if sum(wide) <= pen.width:
            rows = [zip(cells[k : k + n], wide, strict=False) for k in range(0, len(cells), n)]
            lines = ["".join(f" {x}".ljust(w) for x, w in row).rstrip() for row in rows]
            return [pen.line(x, style) for x in lines]
    return []


def _flow(cells: Sequence[str], pen: Pen, head: str = "") -> list[Text]:
    """Short texts one after the other, none of them broken if it fits a line."""
    rows = [f" {head}".rstrip()]
    for cell in cells:
        if len(rows[-1]) + 2 + len(cell) < pen.width:
            rows[-1] += f"{' ' if len(rows[-1].strip()) == len(head) else '  '}{cell}"
        else:
            rows += textwrap.wrap(f"   {cell}", pen.width - 1, subsequent_indent="     ")
    return [pen.line(x.rstrip()) for x in rows if x.strip()]


def _ruled(title: str, width: int) -> str:
    return f"── {title} ".ljust(min(width, 79), "─")[:width]


def _news(news: Sequence[str], pen: Pen) -> list[Text]:
    """A line for each sentence."""
    return [x for sentence in news for x in pen.wrap(sentence, " · ")]


def _latest(news: Sequence[str], room: int, pen: Pen) -> tuple[list[Text], int]:
    """The news that so many lines have room for; how many there were before."""
    lines, left = list[Text](), len(news)
    while left:
        fresh = pen.wrap(news[left - 1], " · ")
        if len(fresh) + len(lines) > room:
            break
        lines, left = fresh + lines, left - 1
    return lines, left


# ---- zones --------------------------------------------------------------------------------------
def _plaques(zones: list[Zone], pen: Pen) -> list[Text]:
    """▶ Seat 1 hard    ████████░░ 12  6 cards  turn"""
    names = [" ".join(x for x in (z.label, _who(z, pen)) if x) for z in zones]
    if pen.packed:
        cells = list(map(_packed_plaque, zones, names))
        return _columns(cells, pen) or [x for c in cells for x in pen.wrap(c, " ")]
    wide = max(map(len, names))
    bar = 20 if pen.width >= 76 else 10
    units = {str(z.facts.get("points_name", "")) for z in zones}
    out = []
    for z, name in zip(zones, names, strict=True):
        f = z.facts
        text = f" {'▶' if f.get('acting') else ' '} {name.ljust(wide)}"
        if "points" in f:
            if stations := f.get("stations"):
                text += f"  {_track(f['points'], stations)}"
            elif "goal" in f:
                text += f"  {f['points']} {f['points_name']}"
            else:
                text += f"  {_bar(f['points'], f.get('points_of', 0), bar)} {f['points']:>3}"
                text += f" {f['points_name']}" if len(units) > 1 or pen.width >= 76 else ""
        if "hand" in f and not f.get("out"):
            text += f"  {f['hand']} card{'' if f['hand'] == 1 else 's'}"
        chips = ", ".join(map(str, [x for x in (f.get("text"), *f.get("chips", ())) if x]))
        style = "bold" if f.get("acting") else "dim" if f.get("out") else ""
        lines = textwrap.wrap(f"{text}  {chips}", pen.width - 1, subsequent_indent=" " * 4)
        out += [pen.line(x, style) for x in lines]
    return out


def _packed_plaque(z: Zone, name: str) -> str:
    """▶ Seat 1 hard 12 health, 6 cards, turn"""
    f = z.facts
    said = [f"{f['points']} {f.get('points_name', '')}".rstrip()] if "points" in f else []
    if "hand" in f and not f.get("out"):
        said.append(f"{f['hand']} card{'' if f['hand'] == 1 else 's'}")
    said += [str(x) for x in (f.get("text"), *f.get("chips", ())) if x]
    return f"{'▶' if f.get('acting') else ' '} {name} {', '.join(said)}"


def _who(zone: Zone, pen: Pen) -> str:
    if zone.owner is None or zone.owner >= len(pen.who) or zone.facts.get("you"):
        return ""
    return f"· {pen.who[zone.owner]}" if pen.who[zone.owner] else ""


def _bar(points: int, of: int, width: int) -> str:
    full = min(width, -(-points * width // of)) if of > 0 else 0
    return "█" * full + "░" * (width - full)


def _track(at: int, stations: Sequence[int]) -> str:
    """A pawn among the numbers of a track: 1 2 (3) 4 5"""
    return "".join(f"({n})" if n == at else f" {n} " for n in stations)


def _piles(zones: list[Zone], pen: Pen) -> list[Text]:
    """All piles in one line, then what is known of them."""
    parts = []
    for z in zones:
        top = f", {z.pieces[-1].name} on top" if z.pieces else ""
        parts.append(f"{z.label}: {z.facts.get('count', len(z.pieces))}{top}")
    out = pen.wrap(" · ".join(parts), " ")
    for z in zones:
        notes = [str(n) for n in z.facts.get("notes", ())]
        kept = notes if pen.full else notes[:NOTES] if pen.texts else []
        if 0 < len(kept) < len(notes):
            kept.append(f"{len(notes) - len(kept)} more")
        if kept:
            out += pen.wrap(f"{z.label}: {'; '.join(kept)}", "   ", "dim")
        if pen.full and (contents := z.facts.get("contents")):
            counted = ", ".join(f"{n} {what}" for what, n in contents.items())
            out += pen.wrap(f"{z.label}: {counted}", "   ")
    return out


def _rows(zones: list[Zone], pen: Pen) -> list[Text]:
    """Ada's board: Fox, hidden card, -, -"""
    out = []
    for z in zones:
        lying = {p.id: p for p in z.pieces}
        ids = z.facts.get("places") or [*lying]
        said = _folded([_seen(lying[id]) if id in lying else "-" for id in ids])
        out += pen.wrap(f"{z.label}: {', '.join(said) or '-'}", " ")
    return out


def _seen(p: Piece) -> str:
    """A piece in a row, in short: what lies face down has no name of its own."""
    if p.kind == "back":
        return "face down"
    return f"{_name(p)} (face down)" if p.kind == "peek" else _name(p)


def _folded(said: Iterable[str]) -> list[str]:
    """Like ones that follow each other said once: "3 face down"."""
    runs = [(text, len([*same])) for text, same in groupby(said)]
    return [text if n == 1 or (text == "-" and n < FEW) else f"{n} × {text}" for text, n in runs]


def _lines(zones: list[Zone], pen: Pen) -> list[Text]:
    out = []
    for z in zones:
        text, pills = (
            str(z.facts.get("text", "")),
            [str(p["text"]) for p in z.facts.get("pills", ())],
        )
        whole = f"{z.label}: {' · '.join(filter(None, [text, *pills]))}"
        out += pen.wrap(whole, " ")
        if pen.full:
            out += [x for p in z.pieces for x in pen.wrap(p.label, "   ", "dim")]
    return out


def _duels(zones: list[Zone], pen: Pen) -> list[Text]:
    """Who leads; of the one that goes on, or of all in full, how the totals come about."""
    out = []
    for z in zones:
        active = bool(z.facts.get("active"))
        out += pen.wrap(f"{z.label}: {z.facts.get('text', '')}", " ", "bold" if active else "")
        for note in z.facts.get("notes", ()) if active or pen.full else ():
            out += pen.wrap(str(note), "   ")
    return out


def _other(zones: list[Zone], pen: Pen) -> list[Text]:
    """A kind this terminal has no drawing for: its label, its pieces, its plain facts."""
    out = []
    for z in zones:
        said = _folded(p.label for p in z.pieces)
        said += [f"{k} {v}" for k, v in z.facts.items() if isinstance(v, int | str) and v != ""]
        out += pen.wrap(f"{z.label}: {', '.join(said) or '-'}", " ")
    return out


# ---- boards -------------------------------------------------------------------------------------
LEGEND = "left: {}, in capitals; right: {}"
TOKEN = "; @ {}, R1@ has it"
BLOCKED = "; # {}"
LIT = "; + you can go there; ! you can, and must stop there"
HALF = (
    "A square is named by its letter and its number. Squares with odd numbers lie half a square "
    "lower: c3 touches b3, d3, c2, d2, c4 and d4."
)


def _grids(zones: list[Zone], pen: Pen) -> list[Text]:
    """A grid lying: its rows from the left to the right under their numbers, letters down."""
    out = []
    for z in zones:
        marks, rows, cols = _marks(z), int(z.facts["rows"]), int(z.facts["cols"])
        cell = 3 if pen.width >= 3 * rows + 5 else 2
        lines = {x["after"] for x in z.facts.get("lines", ()) if x.get("text")}
        head = "".join(f"{n:>2}{'|' if n in lines else ' '}"[:cell] for n in range(1, rows + 1))
        out.append(pen.line(f"  {head}".rstrip()))
        for k in range(cols + 1):
            letter = chr(97 + k)
            text = "".join(_square(letter, n, k < cols, marks, cell) for n in range(1, rows + 1))
            out.append(pen.line(f"{letter} {text} {letter}"))
        names = [str(e.get("label", "")) for e in z.facts.get("ends", ())] or ["-", "-"]
        if pen.texts:
            lit = any(p.kind == "cell" for p in z.pieces)
            legend = LEGEND.format(*names[:2])
            legend += TOKEN.format(z.facts["token_name"]) if "token_name" in z.facts else ""
            legend += BLOCKED.format(z.facts["blocked_name"]) if "blocked_name" in z.facts else ""
            out += pen.wrap(legend + (LIT if lit else ""), " ", "dim")
        if pen.full:
            out += pen.wrap(HALF, " ", "dim")
    return out


def _square(letter: str, n: int, both: bool, marks: Mapping[str, str], cell: int) -> str:
    """What stands on a square; the last letter has none in odd numbers."""
    if n % 2 and not both:
        return " " * cell
    # high and low: how the cells lie
    return marks.get(f"{letter}{n}", " ." if n % 2 else " '")[:cell].ljust(cell)


def _marks(zone: Zone) -> dict[str, str]:
    """What stands on each cell that is not empty, by its name; a figure on two fills both."""
    f = zone.facts
    codes = {p.id: p.code for p in zone.pieces}
    lit = [p for p in zone.pieces if p.kind == "cell" and p.tone != "later"]
    marks = {p.code: " !" if p.tone == "stop" else " +" for p in lit}
    marks |= dict.fromkeys(f.get("blocked", ()), " #")
    token = f.get("token", {})
    if "cell" in token:
        marks[token["cell"]] = f"{marks.get(token['cell'], ' ')[-1]}@"
    for id, cells in f.get("at", {}).items():
        code, has_token = codes.get(id, "?"), "@" if token.get("holder") == id else ""
        # one that fills two squares may go to where its other half stands
        marks |= {c: f"{code}{has_token or marks.get(c, '').strip()}" for c in cells}
    return marks


def _dice(zones: list[Zone], pen: Pen) -> list[Text]:
    out = []
    for z in zones:
        rolled = ", ".join(f"{p.name} {p.value} ({p.code})" for p in z.pieces)
        out += pen.wrap(f"{z.label}: {rolled}. {z.facts.get('text', '')}", " ")
    return out


def _scores(zones: list[Zone], pen: Pen) -> list[Text]:
    out = []
    for z in zones:
        sides = ", ".join(f"{s['name']} {s['points']}" for s in z.facts.get("sides", ()))
        out += pen.wrap(f"{z.facts.get('text', z.label)}: {sides}", " ")
    return out


def _benches(zones: list[Zone], pen: Pen) -> list[Text]:
    out = []
    for z in zones:
        if z.pieces:
            hurt, gone = ({*z.facts.get(fact, ())} for fact in ("hurt", "out"))
            names = ("", *z.facts.get("rooms", ("", "")))
            rooms = [[p.code for p in z.pieces if p.id in ids] for ids in (hurt, gone)]
            rooms.insert(0, [p.code for p in z.pieces if p.id not in hurt | gone])
            parts = [
                f"{name} {' '.join(room)}".strip()
                for name, room in zip(names, rooms, strict=True)
                if room
            ]
            out += pen.wrap(f"{z.label}: {'; '.join(parts)}", " ")
    return out


DRAWERS: Mapping[str, Callable[[list[Zone], Pen], list[Text]]] = {
    "plaque": _plaques,
    "pile": _piles,
    "line": _lines,
    "duel": _duels,
    "column": _lines,
    "grid": _grids,
    "dice": _dice,
    "score": _scores,
    "bench": _benches,
    "ring": _lines,
    "standings": _lines,
    "numbers": lambda zones, pen: [],
    "row": _rows,
    "picker": lambda zones, pen: [],
}


# ---- a hand, with the choices its cards are for -------------------------------------------------
def _fan(zone: Zone, scene: Scene, numbers: Mapping[int, int], pen: Pen) -> list[Text]:
    if scene.over and not zone.pieces:
        return []
    ids = {p.id for p in zone.pieces}
    of_cards = [c for c in scene.choices if c.path and c.path[0] in ids]
    # one result of all, without conditions, is said once, above them
    shared = of_cards[0].sub if len(of_cards) > 1 and len({c.sub for c in of_cards}) == 1 else ""
    shared = "" if any(result(c)[1] for c in of_cards) else shared
    if shared:
        of_cards = [replace(c, sub="") for c in of_cards]
    usual = usual_condition(of_cards)
    note = shared or (f"results: {usual}" if usual else "")
    head = f"{zone.label} ({note})" if note else zone.label
    out = [*([Text("")] if pen.airy else []), *pen.wrap(f"{head}:", " ")]
    wide = max((len(_name(p)) for p in zone.pieces), default=0)
    starts = {c.path[0] for c in of_cards}
    for idle, pieces in groupby(zone.pieces, key=lambda p: not p.text and p.id not in starts):
        if idle:  # nothing to say of them but what they are
            out += pen.wrap("  ".join(map(_name, pieces)), " ")
            continue
        for p in pieces:
            mine = [c for c in of_cards if c.path[0] == p.id]
            out += _card(p, wide, mine, _cells(mine, scene, numbers), pen)
            for text in _extras(mine, usual, numbers):
                out += pen.wrap(text, "     ", "bold")
    return out if zone.pieces else [*out, pen.line("   empty")]


def _packed_fan(zone: Zone, scene: Scene, numbers: Mapping[int, int], pen: Pen) -> list[Text]:
    """Cards and choices one after the other; conditions are left to `?`."""
    ids = {p.id for p in zone.pieces}
    of_cards = [c for c in scene.choices if c.path and c.path[0] in ids]
    usual = usual_condition(of_cards)
    cells = list[str]()
    for p in zone.pieces:
        first, *more = _cells([c for c in of_cards if c.path[0] == p.id], scene, numbers) or [""]
        cells += [f"{_name(p)} {first}".rstrip(), *more]
    head = f"{zone.label} (results: {usual}):" if usual else f"{zone.label}:"
    if scene.over and not cells:
        return []
    return _flow(cells or ["empty"], pen, head)


def _name(p: Piece) -> str:
    return p.name + (f" x{p.count}" if p.count > 1 else "")


def _card(p: Piece, wide: int, mine: list[Choice], cells: list[str], pen: Pen) -> list[Text]:
    """Name and choices in one line if they fit, what the card does in the next."""
    head = f" {_name(p).ljust(wide)}  "
    if not mine:  # nothing to choose: name and text share the line
        found = pen.wrap(p.text if pen.texts else "", head)
        found[0].stylize(TONES.get(p.tone, ""), 0, len(head))
        return found
    rows, indent = [head], " " * 5
    for cell in cells:
        if len(rows[-1]) + len(cell) < pen.width:
            rows[-1] += cell + "  "
        else:
            rows += [
                f"{x}  "
                for x in textwrap.wrap(indent + cell, pen.width - 1, subsequent_indent=indent)
            ]
    lines = [pen.line(x.rstrip()) for x in rows]
    lines[0].stylize(TONES.get(p.tone, ""), 0, len(head))
    return lines + (pen.wrap(p.text, indent, "dim") if pen.texts and p.text else [])


def _cells(mine: list[Choice], scene: Scene, numbers: Mapping[int, int]) -> list[str]:
    """One card's choices: the label if there is one, else what it can be used on."""
    labels = {z.id: z.label for z in scene.zones}
    labels |= {p.id: p.name for z in scene.zones if z.kind in NAMED for p in z.pieces}
    cells = []
    for c in mine:
        target = len(mine) > 1 and len(c.path) > 1 and not c.any_order
        short = labels.get(c.path[-1], c.label) if target else c.label
        first = result(c)[0]
        cells.append(f"{tag(numbers[c.action])} {short}" + (f": {first}" if first else ""))
    return cells


def _extras(mine: list[Choice], usual: str, numbers: Mapping[int, int]) -> list[str]:
    """Conditions beyond the usual one: said once if all choices of the card share them."""
    tails = {c.action: result(c)[1].removeprefix(usual).removeprefix("; ") for c in mine}
    if len(set(tails.values())) == 1:
        return [t for t in {*tails.values()} if t]
    return [f"{tag(numbers[a])} {t}" for a, t in tails.items() if t]


# ---- choices explained --------------------------------------------------------------------------
def explain(
    chosen: Mapping[int | str, Choice],
    rulebook: Mapping[str, str],
    pen: Pen,
    cards: Iterable[Piece] = (),
) -> list[Text]:
    """Each choice in full, with the rules behind it, each rule's text once."""
    out, ids = list[Text](), list[str]()
    for n, c in chosen.items():
        out += pen.wrap(said(c), f" {tag(n)} ", "bold")
        behind = f"word: {c.word}"
        behind += f"; rules: {', '.join(c.rules)}" if c.rules else ""
        out += pen.wrap(behind, "     ")
        ids += [id for id in c.rules if id not in ids]
    for p in cards:
        if any(p.id in c.path for c in chosen.values()):
            out += pen.wrap(p.label, "     ")
    if ids:
        out.append(Text(""))
    for id in ids:
        out += pen.wrap(rulebook.get(id, "(no text)"), f" {id}  ")
    return out
