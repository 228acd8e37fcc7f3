"""What a study found, as sections of words and tables; these as a page."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np

from ...version import __version__
from ..html import document, rows
from ..intervals import Estimate, points
from ..journal import saying
from .compare import Comparison
from .figures import course, histogram, ranges
from .findings import AHEAD, LOST, Effect, Findings
from .players import CHEAP, appraised_by, appraises_rounds, thrifty
from .recorder import MatchStats
from .study import AS_IT_IS, LADDER, TRACED, Study
from .verdict import verdict, verdicts

PACE = 10  # seconds that people are taken to need for a real choice
LISTED = 12  # words of actions that are listed
ROUNDS = "A search of this game judges rounds: these are the chances in the round that is played."


@dataclass(frozen=True)
class Section:
    """A heading, what is to be known of its numbers, a table, a figure (SVG) perhaps."""

    title: str
    notes: Sequence[str]
    head: Sequence[str] = ()
    body: Sequence[Sequence[str]] = ()
    figure: str = ""

    def html(self) -> str:
        """The section as a part of a page."""
        parts = [f"<h2>{escape(self.title)}</h2>", *(f"<p>{escape(x)}</p>" for x in self.notes)]
        if self.body:
            parts.append(rows(self.head, [list(map(_cell, row)) for row in self.body]))
        return "\n".join([*parts, self.figure])


def _cell(text: str) -> str:
    """As HTML; a number and its interval stay in one line."""
    html = escape(text)
    return html.replace(" ", "&nbsp;") if text[:1] in (*"+-0123456789",) else html


# ---- numbers as words ----------------------------------------------------------------------------
def percent(e: Estimate, signed: bool = False) -> str:
    """`57.1 (52.8 .. 61.4) %`; signed: of a difference, in points."""
    plus = "+" if signed else ""
    value, low, high = (100 * x for x in e)
    unit = "" if signed else " %"
    return f"{value:{plus}z.1f} ({low:{plus}z.1f} .. {high:{plus}z.1f}){unit}"


def number(e: Estimate, signed: bool = False) -> str:
    """`12.6 (12.4 .. 12.9)`, with two digits more than none if it is small."""
    plus, digits = "+" if signed else "", 1 if abs(e.value) >= 10 else 2
    return f"{e.value:{plus}z.{digits}f} ({e.low:{plus}z.{digits}f} .. {e.high:{plus}z.{digits}f})"


def elo(share: float) -> str:
    """The points between two of whom one wins so much; of all or nothing it is not known."""
    return f"{points(share):+.0f}" if 0 < share < 1 else "-"


# ---- sections ------------------------------------------------------------------------------------
def sections(f: Findings) -> list[Section]:
    """All of them, in the order of the page."""
    found = [
        _winners(f),
        _lengths(f),
        _course(f),
        _skill(f),
        _moves(f),
        _cards(f),
        _events(f),
        _rules(f),
        _switches(f),
    ]
    return [section for section in found if section.body]


def _winners(f: Findings) -> Section:
    names = [f"seat {p}" for p in range(len(f.seats))]
    values = list(f.seats)
    if f.first:
        names.append(f"the player with the first {f.length_unit}")
        values.append(f.first)
    body = [[name, percent(e)] for name, e in zip(names, values, strict=True)]
    even = float(np.mean([e.value for e in f.seats]))
    return Section(
        "Who wins",
        [
            f"{len(f.own)} matches, {f.study.bots} against itself. A match that nobody won counts "
            f"half for each; {percent(f.draws)} of them ended so. "
            f"If all seats were alike, it would be {100 * even:.1f} % for each."
        ],
        ("", "wins, 95 % interval"),
        body,
        ranges(names, [Estimate(*(100 * x for x in e)) for e in values], "wins, %", 100 * even),
    )


def _lengths(f: Findings) -> Section:
    body = [[x.what, number(x.mean), *(f"{q:.0f}" for q in x.quantiles)] for x in f.lengths]
    choices = f.lengths[-1]
    minutes = [q * PACE / 60 for q in choices.quantiles]
    mean = Estimate(*(x * PACE / 60 for x in choices.mean))
    body.append(["minutes", number(mean), *(f"{m:.0f}" for m in minutes)])
    counted = [x.turns for x in f.own] if f.length_unit else [x.result.decisions for x in f.own]
    return Section(
        "How long it takes",
        [
            "A real choice is one between at least two actions. Minutes are not measured: they "
            f"are the real choices at {PACE} seconds each, which is an assumption about people."
        ],
        ("", "mean, 95 % interval", "least", "5 % below", "median", "95 % below", "most"),
        body,
        histogram(counted, f"{f.length_unit}s" if f.length_unit else "decisions"),
    )


def _course(f: Findings) -> Section:
    if not f.leads:
        return Section("How it goes", [])
    body = [
        ["the lead changes sides, times a match", number(f.changes)],
        ["won after being far behind", percent(f.comebacks)],
        ["part of the match after which the winner led for good", percent(f.decided)],
    ]
    rules = f.study.rules
    return Section(
        "How it goes",
        [
            f"{len(f.leads)} matches that somebody won. Whenever another seat was to act, each one "
            f"was asked to rate its chances, by {appraised_by(rules)} from what that seat may "
            "know. A seat is ahead if it rates its chances higher than the others rate theirs; the "
            "lead changes when the other side is ahead by "
            f"{100 * AHEAD:.0f} points of a hundred, far behind is {100 * LOST:.0f} points.",
            *([ROUNDS] if appraises_rounds(rules) else []),
        ],
        ("", "95 % interval"),
        body,
        course(list(f.leads.values())),
    )


def _skill(f: Findings) -> Section:
    body = []
    for (better, worse), pair in zip(LADDER, f.ladder, strict=True):
        e = Estimate(pair.share, *pair.interval)
        between = f"{elo(e.low)} .. {elo(e.high)}"
        body.append(
            [f"{better} against {worse}", str(pair.matches), percent(e), elo(e.value), between]
        )
    body.append(["share of luck: the deal", str(len(f.own)), percent(f.luck), "", ""])
    return Section(
        "Skill and luck",
        [
            "Each level thinks longer than the one below; how much that wins shows how deep the "
            "game is. Points are Elo.",
            "The deal's share: each deal was played twice by equal bots, with the same seed of "
            "shuffles and dice and other seeds of thought. The share is how much of the spread of "
            "results lies between deals: 100 % if the deal decided everything; by chance it may "
            "come out below 0. Dice rolled after the two matches have diverged are not included.",
        ],
        ("", "matches", "95 % interval", "points", ""),
        body,
    )


def _moves(f: Findings) -> Section:
    body = []
    for x in f.moves:
        rest = f"{x.unoffered} of {x.move.count}" if x.unoffered else ""
        words = ", ".join(x.untaken[:LISTED])
        more = f" and {len(x.untaken) - LISTED} more" if len(x.untaken) > LISTED else ""
        name = x.move.name.replace("_", " ")
        body.append(
            [
                name,
                number(x.each),
                f"{100 * x.matches:.0f} %",
                f"{100 * x.chosen:.1f} %",
                rest,
                words + more,
            ]
        )
    return Section(
        "Moves",
        [
            "Chosen: of all times that an action of the move was possible. Never possible: actions "
            "that have a number but were possible in no match (of more seats, say). Never chosen: "
            "actions that somebody could have taken, and nobody did, by their words."
        ],
        ("move", "times a match", "matches", "chosen", "never possible", "never chosen"),
        body,
    )


def _cards(f: Findings) -> Section:
    """Cards; or, where nobody has a hand, the figures that are moved."""
    if "cards" not in f.seen:
        return Section(
            "Figures",
            ["Used: chosen, no matter which side moves it. Wins: of the sides that use it at all."],
            ("", "used a match", "wins, used"),
            [
                [c.name, number(c.each), percent(c.used_wins) if c.used_wins else "-"]
                for c in f.cards
            ],
        )
    weighed = [c for c in f.cards if c.worth]
    body = [
        [
            c.name,
            f"{100 * c.held:.0f} %",
            number(c.each),
            *(percent(e) if e else "-" for e in (c.dealt_wins, c.used_wins)),
            *(percent(e, signed=True) if e else "-" for e in (c.worth, c.used)),
        ]
        for c in f.cards
    ]
    figure = ""
    if weighed:
        values = [Estimate(*(100 * x for x in c.worth)) for c in weighed if c.worth]
        names = [c.name for c in weighed]
        figure = ranges(names, values, "one more in the first hand, points", 0)
    return Section(
        "Cards",
        [
            "In hand: the seats that ever held it when they had to decide. Wins: of the seats that "
            "have it in their first hand, and of those that use it. Worth, in points of a "
            "hundred matches: what one more copy in the first hand adds to the share of matches "
            "won, in place of a card of the mean kind; the first hands are dealt by chance, so it "
            "is an experiment in which single copies are swapped. "
            f"({len(f.seen['cards'])} matches, {thrifty(f.study.rules)} against itself.)",
            "Figures by use do not show causes: a player who stays longer, or is winning, uses "
            "more. A dash: there were too few deals to tell so many kinds apart.",
        ],
        (
            *("", "in hand", "used a match", "wins, first hand", "wins, used"),
            *("worth, first hand", "worth, used"),
        ),
        body,
        figure,
    )


def _events(f: Findings) -> Section:
    never = [_plain(name) for name, (_, matches) in f.events.items() if not matches]
    body = [
        [_plain(name), number(each), f"{100 * matches:.1f} %"]
        for name, (each, matches) in f.events.items()
        if matches
    ]
    notes = [f"Never: {', '.join(never)}."] if never else ["Each of them happened."]
    return Section("What happens", notes, ("", "times a match", "matches"), body)


def _plain(name: str) -> str:
    return name.lower().replace("_", " ")


def _rules(f: Findings) -> Section:
    meaning = {
        "followed": "their code ran and did more than refuse",
        "with other options": f"followed in {TRACED} matches of another option only",
        "asked, always no": "conditions that were checked and never held",
        "never": "they have code of their own that never ran",
        "not traced": "no docstring of the rules' code names them, so it is not known",
    }
    body = [[what, str(len(f.rules[what])), about] for what, about in meaning.items()]
    notes = [
        f"The ids of the rulebook, traced in {len(f.seen['rules'])} matches ({CHEAP} against "
        f"itself) and {TRACED} of each other option below. A rule stands where a docstring "
        "names it: if its function ran, the rule was looked at, whichever branch was taken."
    ]
    with_options = [
        f"{id} ({'; '.join(map(f.study.said, switches))})" for id, switches in f.elsewhere.items()
    ]
    for what, ids in (*f.rules.items(), ("with other options", with_options)):
        if ids and what != "followed" and (what != "with other options" or ids is with_options):
            notes.append(f"{what.capitalize()}: {', '.join(ids)}.")
    return Section("Rules", notes, ("", "ids", "what it means"), body)


def _switches(f: Findings) -> Section:
    def line(x: Effect) -> list[str]:
        name = f.study.said(x.switch)
        if x.same == 1:
            return [name, *["no match differs"] * 4, "100 %"]
        turns = number(x.turns, signed=True) if f.length_unit else "-"
        length = [turns, number(x.decisions, signed=True)]
        draws = percent(x.draws, signed=True)
        return [name, percent(x.first, signed=True), draws, *length, f"{100 * x.same:.0f} %"]

    impossible = [
        f"{f.study.said(s)} ({why})" for s, why in f.study.switches.items() if isinstance(why, str)
    ]
    moved = [x for x in f.effects if x.same < 1]
    figure = ""
    if moved:
        names = [f.study.said(x.switch) for x in moved]
        values = [Estimate(*(100 * y for y in x.first)) for x in moved]
        figure = ranges(names, values, "first seat's wins change by, points", 0)
    unit = f.length_unit or "turn"
    whose = f"the player with the first {unit}" if f.first else "seat 0"
    return Section(
        "What options do",
        [
            f"Differences from the options as they are, on the same deals, {CHEAP} against itself. "
            f"First seat: {whose}. Wins and draws in points of a hundred.",
            *(
                ["Cannot be combined with the rest: " + "; ".join(impossible) + "."]
                if impossible
                else []
            ),
        ],
        ("option", "first seat's wins", "draws", f"{unit}s", "decisions", "ends alike"),
        [line(x) for x in f.effects],
        figure,
    )


def variants(c: Comparison) -> Section:
    """Variants of a ruleset, side by side."""
    unit = c.length_unit or "turn"
    whose = f"the player with the first {unit}" if c.begins else "seat 0"
    body = []
    for name, seen in c.seen.items():
        usual = name == AS_IT_IS
        said = "" if usual else "certain" if c.known(name) else "not certain"
        difference = "" if usual else percent(c.difference(name), signed=True)
        turns = number(c.turns(name)) if c.length_unit else "-"
        length = [turns, number(c.decisions(name))]
        body.append(
            [name, percent(c.first(name)), difference, said, *length, percent(c.draws(name))]
        )
        matches = len(seen)
    names = [name for name in c.seen if name != AS_IT_IS]
    values = [Estimate(*(100 * x for x in c.difference(name))) for name in names]
    return Section(
        "Side by side",
        [
            f"{matches} matches of each on the same deals, {c.study.bots} against itself. First "
            f"seat: {whose}. A difference is certain when it is not 0, or known within "
            f"{100 * c.until:g} points; when all were, it was stopped. The intervals of wins, "
            "differences and draws hold no matter how often you look at them; those of lengths "
            "assume that the number of matches was fixed in advance.",
        ],
        ("", "first seat wins", "difference", "", f"{unit}s", "decisions", "draws"),
        body,
        ranges(names, values, "first seat's wins change by, points", 0),
    )


def cards_of(c: Comparison) -> Section:
    """The cards whose numbers differ, in each variant."""
    cells = {"used": number, "wins": percent, "worth": percent}
    heads = {"used": "used a match", "wins": "wins, used", "worth": "worth"}

    def line(name: str, card: str) -> list[str]:
        out = [name, card]
        for x in c.changes[name]:
            if x.name == card:
                signed = x.what == "worth"
                out.append(cells[x.what](x.now, signed=signed) if x.now else "-")
                out.append(cells[x.what](x.change, signed=True) if x.change else "-")
        return out

    return Section(
        "The cards that differ",
        [
            "Used: by all seats together. Wins: of the seats that use it, which does not show a "
            "cause. Worth, in points: what one more copy in the first hand, in place of a card of "
            "the mean kind, adds to the share of matches won; the first hands are dealt by chance. "
            "Changes are those on the same deals; intervals assume that the number of deals was "
            "fixed in advance. A dash: too few deals to tell so many kinds apart, or nothing to "
            "compare.",
        ],
        ("", "card", *(x for what in c.measures for x in (heads[what], "change"))),
        [line(name, c.codes[code]) for name in c.seen for code in c.asked],
    )


# ---- a page --------------------------------------------------------------------------------------
def summary(f: Findings) -> Iterator[str]:
    """The findings that matter most, as lines."""
    for name, value in _winners(f).body:
        yield f"{name} wins {value}"
    yield f"draws: {percent(f.draws)}"
    for x in f.lengths[:2]:
        yield f"{x.what}: {x.quantiles[2]:.0f} in the median, {number(x.mean)} on average"
    for pair in f.ladder:
        yield str(pair)
    yield f"the deal decides {percent(f.luck)} of the result between equals"


def page(f: Findings, command: str) -> str:
    """A page that needs nothing else; `command`: how it was made."""
    numbers = ["<h2>The numbers that matter most</h2>", _list(summary(f))]
    parts = [_list(verdict(f)), *numbers, *(section.html() for section in sections(f))]
    return _page(f.study, parts, f.seen, command)


def page_of_variants(c: Comparison, command: str) -> str:
    """The same of variants side by side."""
    found = [section for section in (variants(c), cards_of(c)) if section.body]
    parts = [_list(verdicts(c)), *(section.html() for section in found)]
    return _page(c.study, parts, c.seen, command)


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(x)}</li>' for x in lines)}</ul>"


def _page(
    study: Study, parts: Sequence[str], seen: Mapping[str, Sequence[MatchStats]], command: str
) -> str:
    title = f"{study.rules.game.title}: balance"
    known = (
        "<p>All intervals are of 95 %. One in twenty of them misses the truth: of a column of "
        "twenty small effects, expect one to stand out by chance.</p>"
    )
    rules = study.rules
    counts: dict[int, list[str]] = {}
    for name, matches in seen.items():
        counts.setdefault(len(matches), []).append(name)
    series = "\n".join(f"{count:9} {', '.join(names)}" for count, names in counts.items())
    origin = (
        f"{command}\n\n"
        f"rules     {rules.name} {rules.game.version}, {rules.options_text}\n"
        f"          {rules.options_in_words}\n"
        f"digest    {rules.digest}\n"
        f"bots      {study.bots}\n"
        f"seeds     {study.seed}, and on\n"
        f"versions  battlebox {__version__}, Python {platform.python_version()}, "
        f"NumPy {np.__version__}\n"
        f"matches\n{series}"
    )
    run = ["<h2>How it was run</h2>", f"<pre>{escape(origin)}</pre>"]
    return document(title, [f"<h1>{escape(title)}</h1>", known, *parts, *run])


def write(text: str, path: Path) -> None:
    """A page as a file. Errors: BattleboxError."""
    with saying(path):
        path.write_text(text, encoding="utf-8")
