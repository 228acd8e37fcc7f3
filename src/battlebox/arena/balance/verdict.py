"""What stands out in what was found, as sentences for the top: how much it is, how sure it is.

Among many things compared, one stands out by chance. So where several are compared, as
all cards are, their intervals are widened until all of them together are wrong one time in twenty
(Bonferroni), and only what stands out even then is said to. What was not found may still be there:
then it is said how large it can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import NormalDist

import numpy as np

from ..intervals import DOUBT, Estimate, Z
from .compare import CardChange, Comparison
from .findings import CardUse, Findings
from .study import AS_IT_IS

SLIGHT = 0.02  # of a score: an advantage that is certain to be no more needs no remedy
STRONG = 0.03  # of a score: what one more of a card adds, or costs, that is far from the mean card
DRAWN = 0.1  # so many draws are many
DRAGS = 3  # times the median: if one match in twenty takes longer, some drag on
LISTED = 12  # names at most
MEASURES = {"used": "times used a match", "wins": "wins of seats that use it", "worth": "worth"}


def widened(e: Estimate, compared: int) -> Estimate:
    """The same with an interval for one of so many things, of which none may be wrong."""
    if compared < 2:
        return e
    more = NormalDist().inv_cdf(1 - DOUBT / 2 / compared) / Z
    return Estimate(
        e.value, e.value + more * (e.low - e.value), e.value + more * (e.high - e.value)
    )


def said(e: Estimate, unit: str = " %") -> str:
    """`59.0 % (57.1 .. 60.9)`; of a difference in points, with its sign."""
    plus = "" if unit == " %" else "+"
    value, low, high = (format(100 * x, f"{plus}z.1f") for x in e)
    return f"{value}{unit} ({low} .. {high})"


def counted(e: Estimate, plus: str = "") -> str:
    """`1.92 (1.85 .. 1.99)`; plus "+": with its sign."""
    value, low, high = (format(x, f"{plus}z.2f") for x in e)
    return f"{value} ({low} .. {high})"


# ---- of a study ----------------------------------------------------------------------------------
def verdict(f: Findings) -> list[str]:
    """What stands out, the most important first; then what is as it should be, and how sure all
    that is.
    """
    out, fine = list[str](), list[str]()
    for stands_out, text in (*_first(f), *_cards(f), *_unused(f), *_draws(f), *_length(f)):
        (out if stands_out else fine).append(text)
    kinds = len(_weighed(f))
    wide = f" Those of cards are wide enough for all {kinds} kinds together." if kinds else ""
    sure = (
        f"Found in {len(f.own)} matches of {f.study.bots} against itself; people may play "
        f"otherwise. Intervals are of 95 %.{wide}"
    )
    return [*(out or ["Nothing stands out."]), *fine, sure]


Said = Iterator[tuple[bool, str]]  # whether it stands out, and what it is


def _first(f: Findings) -> Said:
    """Who goes first; or the seats, if the game does not say who does."""
    even = float(np.mean([e.value for e in f.seats]))
    if f.first:
        yield _advantage("Going first", "the seat that goes first", f.first, even, "")
        return
    two = len(f.seats) == 2  # of which one says all
    for p, e in enumerate(f.seats[:1] if two else f.seats):
        wide = widened(e, 1 if two else len(f.seats))
        note = "" if two else f", the interval being wide enough for all {len(f.seats)} seats"
        yield _advantage(f"Seat {p}", f"seat {p}", wide, even, note)


def _advantage(what: str, who: str, e: Estimate, even: float, note: str) -> tuple[bool, str]:
    share = f"{what} wins {said(e)}{note}; {100 * even:.0f} % would be even"
    if e.low > even + SLIGHT:
        return True, f"{share}: compensate the others."
    if e.high < even - SLIGHT:
        return True, f"{share}: compensate {who}."
    if not e.low <= even <= e.high:
        side = "an advantage" if e.value > even else "a disadvantage"
        return True, f"{share}: {side}, which may be too small to matter."
    most = 100 * max(e.high - even, even - e.low)
    return False, f"{share}: no advantage shows, but one of up to {most:.0f} points is possible."


def _weighed(f: Findings) -> list[tuple[CardUse, Estimate]]:
    """The cards whose worth is known, with intervals for all of them together."""
    known = [(c, c.worth) for c in f.cards if c.worth]
    return [(c, widened(e, len(known))) for c, e in known]


def _cards(f: Findings) -> Said:
    weighed = _weighed(f)
    if not weighed:
        if "cards" in f.seen:
            yield (
                False,
                "What each card is worth is not known: too few deals; --matches plays more.",
            )
        return
    found = 0
    for c, e in weighed:
        added = f"one more in the first hand adds {said(e, ' points')}"
        if e.low > STRONG:
            yield True, f"{c.name} is too strong: {added} to the matches won."
        elif e.high < -STRONG:
            yield True, f"{c.name} is too weak: {added} to the matches won."
        found += e.low > STRONG or e.high < -STRONG
    if not found:
        widest = 100 * max(max(e.high, -e.low) for _, e in weighed)
        yield (
            False,
            f"No card of {len(weighed)} kinds is clearly too strong or too weak; none can be worth "
            f"more than {widest:.0f} points.",
        )


def _unused(f: Findings) -> Said:
    matches = f"in {len(f.own)} matches"
    cards = [c.name for c in f.cards if not c.each.value]
    if cards:
        yield True, f"Never used {matches}: {_listed(cards)}."
    never = [x.move.name.replace("_", " ") for x in f.moves if x.unoffered == x.move.count]
    if never:
        yield True, f"Moves never possible {matches}: {_listed(never)}."
    left = [
        x.move.name.replace("_", " ")
        for x in f.moves
        if not x.each.value and x.unoffered < x.move.count
    ]
    if left:
        yield True, f"Moves possible but never chosen {matches}: {_listed(left)}."
    little = (
        f"in {len(f.seen['rules'])} matches of bots that think little"
        if "rules" in f.seen
        else matches
    )
    rules = [*f.rules["asked, always no"], *f.rules["never"]] if "rules" in f.seen else []
    if rules:
        yield True, f"Rules that never came up {little}: {_listed(rules)}."
    if not (cards or never or left or rules):
        yield False, "Every card, move and rule that can be followed was used."


def _draws(f: Findings) -> Said:
    e = f.draws
    if e.value:
        many = ": many" if e.low > DRAWN else ""
        yield bool(many), f"Nobody wins {said(e)} of the matches{many}."


def _length(f: Findings) -> Said:
    x = f.lengths[0]
    half, long = x.quantiles[2], x.quantiles[3]
    drags = long > DRAGS * half
    text = (
        f"A match takes {half:.0f} {x.what} in the median, and one in twenty more than {long:.0f}"
    )
    yield drags, f"{text}: some drag on." if drags else f"{text}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


# ---- of variants ---------------------------------------------------------------------------------
def verdicts(c: Comparison) -> Iterator[str]:
    """What the comparison says of each variant: of the cards that differ first, if any do."""
    compared = sum(bool(x.change) for name in c.seen for x in c.changes[name] if name not in c.same)
    for name in c.seen:
        for x in () if name in c.same else c.changes[name]:
            yield f"{name}: {_card(x, compared)}"
        line = f"{name}: the first seat wins {said(c.first(name))}"
        if name in c.same:
            line += ": this is the ruleset as it is"
        elif name != AS_IT_IS:
            e = c.difference(name)
            line += f", {said(e, ' points')} more: {_certain(e)}"
            line += "" if c.known(name) else ", not certain yet"
        yield line
    if c.cards and not c.asked:
        yield f"No card came up that is called {' or '.join(sorted(c.cards))}."


def _certain(e: Estimate) -> str:
    if e.low > 0:
        return "certainly more"
    if e.high < 0:
        return "certainly fewer"
    return f"no difference shows; it is {100 * max(e.high, -e.low):.0f} points at most"


def _card(x: CardChange, compared: int) -> str:
    """A measure of a card, and what can be said of its change."""
    if x.now is None:
        return f"{x.name}: {MEASURES[x.what]} is not known; there were too few deals"
    if x.what == "used":
        value, change = counted(x.now), counted(x.change, "+") if x.change else ""
        text = f"{x.name} is used {value} times a match"
    elif x.what == "wins":
        text = f"a seat that uses {x.name} wins {said(x.now)}"
        change = said(x.change, " points") if x.change else ""
    else:
        text = f"one more {x.name} in the first hand adds {said(x.now, ' points')}"
        change = said(x.change, " points") if x.change else ""
    if not x.change:
        return text
    return f"{text}; changed by {change}: {_clear(x.change, compared)}"


def _clear(e: Estimate, compared: int) -> str:
    """Whether a change is one, where so many are looked at."""
    wide = widened(e, compared)
    if not wide.low <= 0 <= wide.high:
        return "a change"
    if not e.low <= 0 <= e.high:
        return f"perhaps a change, but of {compared} numbers compared one may look so by chance"
    return "no change shows"
