"""A review and a hint in plain sentences, for all front ends.

Chances are those of winning: an expected return of -1 .. 1 as 0 .. 100 %, so that a draw, or a win
shared with others, is half a win. By how much they move is told in points, which are hundredths.
Where a match is judged round by round, they are those of the round, and sums are numbers of rounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..core.saying import PERCENT, Consequences, percent, plural, points
from .adviser import Option
from .reasons import reasons
from .review import SeatReview, Step

WORST = 5  # own decisions that are told of, unless all are wanted
RUNNERS_UP = 2  # of a hint
ENOUGH = 50  # simulations, for something to be said of an action
LITTLE = 0.04  # less than this between two expected returns, which is 2 %, is little
WHOLE = 2.0  # from a certain loss to a certain win
TELL = 160  # letters of what happened, about


class Line(NamedTuple):
    """A sentence, and what stands before it: the number of a move, or nothing."""

    head: str
    text: str


def chance(expected: float) -> str:
    """Of winning, as "64 %"."""
    return percent((1 + expected) / 2)


def odds(expected: float) -> str:
    """A chance that a search found: it never says for certain how a match ends."""
    return percent((1 + expected) / 2, sure=False)


def change(expected: float) -> str:
    """By how much a chance of winning moved, as "+6 points"."""
    return points(expected / 2)


# ---- a whole match -------------------------------------------------------------------------------
class Parts(NamedTuple):
    """What a review adds up from, as it is written: as it stands there it adds up, too."""

    start: str
    luck: str
    own: str
    others: str
    end: str


def parts(review: SeatReview) -> Parts:
    """Chances in percent, and what moved them in points; where rounds are judged, all in rounds.
    What rounding leaves is luck's.
    """
    a = review
    if a.rounds > 1:
        start, end = (round((a.rounds + x) / 2, 1) for x in (a.start, a.end))
        own, others = (round(x / 2, 1) for x in (a.own, a.others))
        luck = _in_rounds(end - start - own - others)
        return Parts(f"{start:.1f}", luck, _in_rounds(own), _in_rounds(others), f"{end:g}")
    start, end = (round((1 + x) / 2, 2) for x in (a.start, a.end))
    own, others = (round(x / 2, 2) for x in (a.own, a.others))
    luck = points(end - start - own - others)
    return Parts(_whole(start), luck, points(own), points(others), _whole(end))


def _whole(p: float) -> str:
    """A chance to the nearest percent, as it is added up."""
    return f"{100 * p:.0f}{PERCENT}"


def _in_rounds(x: float) -> str:
    n = round(x, 1)
    return (f"{n:+.1f}".replace("-", "−") if n else "0") + "\u00a0rounds"


def summary(review: SeatReview, name: str, whose: str, at: str = "in the end") -> str:
    """What a match was for a seat. name: "You", "Ada"; whose: "your", "Ada's"; at: what its last
    chance is of, if not of the end that the rules know.
    """
    start, luck, own, others, end = parts(review)
    begun = f"{start} to win at the start"
    if review.rounds > 1:
        begun = f"{start} of {review.rounds} rounds expected at the start"
    moved = f"luck {luck}, {whose} choices {own}, others' choices {others}"
    a = review
    if a.rounds == 1 and max(abs(x) for x in (a.luck, a.own, a.others)) > WHOLE:
        moved += " (more than 100, as the chance went up and down)"
    return f"{name}: {begun}, {end} {at}. Added up over the match: {moved}."


def turning_points(review: SeatReview, names: Sequence[str]) -> list[Line]:
    """Where most was won or lost, and what the seat was told of it."""
    return [_turning(x, review.seat, names) for x in review.turning_points]


def _turning(x: Step, seat: int, names: Sequence[str]) -> Line:
    who = "All" if x.mover is None else "You" if x.mover == seat else names[x.mover]
    moved = f"{chance(x.before)} → {chance(x.after)}"
    choice = f" (the choice {change(x.decision)})" if x.decision else " (luck)" if x.luck else ""
    return Line(f"{x.number + 1}.", f"{moved}{choice}. {_cut(x.told) or f'{who}: {x.label}.'}")


def _cut(text: str) -> str:
    """The first sentences of a long text."""
    if len(text) <= TELL:
        return text
    end = text.find(". ", TELL // 2)
    return text[: end + 1] + " …" if 0 <= end <= TELL else text[:TELL].rpartition(" ")[0] + " …"


def given_away(review: SeatReview) -> list[Step]:
    """The seat's own decisions that gave something away, those that gave most first."""
    own = (x for x in review.steps if x.mover == review.seat and x.decision < 0)
    return sorted(own, key=lambda x: (x.decision, x.number))


def decisions(review: SeatReview, *, every: bool = False) -> list[Line]:
    """The seat's own decisions beside those of `champion`: how many there were, and those that gave
    most away. every: all where there was something to decide.
    """
    own = [x for x in review.steps if x.mover == review.seat and x.best]
    same = sum(x.word == x.best for x in own)
    worse = given_away(review)
    text = f"{plural(len(own), 'decision')}: {same} as the strongest bot would have decided, "
    text += f"{len(own) - same - len(worse)} worth as much, {len(worse)} worth less"
    text += f"; the {WORST} that cost most:" if len(worse) > WORST and not every else "."
    listed = own if every else sorted(worse[:WORST], key=lambda x: x.number)
    return [Line("", text), *map(_beside, listed)]


def _beside(x: Step) -> Line:
    """A decision, and what champion would have played."""
    said = better(x)
    why = f": {x.why}" if x.why else ""
    other = f" Strongest bot: {x.best_label}, {said}{why}." if said else ""
    return Line(f"{x.number + 1}.", f"{chance(x.before)}. {x.label}.{other}")


def better(x: Step) -> str:
    """What champion would have played, as "6 points better"; "" if it is the same."""
    if x.word == x.best or not x.best:
        return ""
    if not x.decision:
        return "worth as much"
    by = change(-x.decision)
    return f"{by[1:]} better" if by.startswith("+") else "hardly better"


# ---- one decision --------------------------------------------------------------------------------
def advice(
    options: Sequence[Option],
    labels: Mapping[int, str],
    seat: int,
    names: Sequence[str],
    *,
    by_rounds: bool,
    may_end: bool = False,
    consequences: Consequences | None = None,
) -> str:
    """A hint in words, and why. labels: of all legal actions, as a scene has them; seat: whose hint
    it is; names: of all seats; may_end: the match with this round, see `review.may_end`;
    consequences: what the game tells of a choice.
    """
    best, *others = options
    won = "the round, or the match if this round ends it" if may_end else "the round"
    said = (
        f"{labels[best.action]}, {odds(best.expected)} to win {won if by_rounds else 'the match'}"
    )
    runners = [x for x in others[:RUNNERS_UP] if x.visits >= ENOUGH]
    why = _why(best, runners, labels, seat, names, consequences)
    return f"The strongest bot would choose: {said}. {why}."


def _why(
    best: Option,
    others: Sequence[Option],
    labels: Mapping[int, str],
    seat: int,
    names: Sequence[str],
    told: Consequences | None,
) -> str:
    """What the search found of the best action and of the best behind it, in one sentence."""
    if len(labels) == 1:
        return "Nothing else is possible"
    if not others:
        return "Everything else soon looked worse"
    close = [x for x in others if best.expected - x.expected < LITTLE or not best.beats(x, seat)]
    other = max(close or others, key=lambda x: x.expected)
    beside = f"{labels[other.action]} ({odds(other.expected)})"
    # what is tried most often is the surest
    if other.visits < best.visits and other.expected - best.expected >= LITTLE:
        return f"In fewer tries, {beside} did even better"
    found = reasons(best.facts, other.facts, told) if told else ""
    leads = f"with {found} on average {told.when}" if told and found else ""
    if close:
        more = " and others" if len(close) > 1 else ""
        return f"About as good: {beside}{more}" + (f"; the first {leads}" if leads else "")
    wins = f"It wins more often than {beside}{_whose_loss(best, other, seat, names)}"
    if leads:
        return f"{wins}, {leads}"
    return f"{wins}; it does not show yet {told.when}" if told else wins


def _whose_loss(best: Option, other: Option, seat: int, names: Sequence[str]) -> str:
    """Who alone, of several others, gets less by the best than by the other action."""
    against = [p for p in range(len(names)) if p != seat]
    losers = [p for p in against if other.beats(best, p)]
    alone = len(against) > 1 and len(losers) == 1
    return f", at the cost of {names[losers[0]]}" if alone else ""
