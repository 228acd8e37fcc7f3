"""What scores of deals prove: intervals of a share, strengths with intervals."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

Z = 1.96  # of a 95 % interval
DOUBT = 0.05  # how often an interval may be wrong
VARIANCES = (1 / 4, 1 / 8, 1 / 16, 1 / 32)  # of scores 0 .. 1; the first is the most
BOLDEST = 0.9  # bet: of less than 1, for nobody may be ruined
ELO = 400 / math.log(10)  # points for e to one
REPEATS = 1000  # of the bootstrap
STEPS = 100  # most of Newton's; a dozen is usual
Array = Any


class Estimate(NamedTuple):
    """A number that was measured, with its 95 % interval."""

    value: float
    low: float
    high: float


def estimate(values: Array) -> Estimate:
    """The mean of values of any size, one for each deal; of a single one nothing is certain."""
    n = len(values)
    mean = float(np.mean(values)) if n else 0.0
    spread = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return Estimate(mean, mean - Z * spread, mean + Z * spread)


def share(scores: Array) -> Estimate:
    """The mean of scores 0 .. 1, one for each deal, with its `interval`."""
    return Estimate(float(np.mean(scores)) if len(scores) else 0.5, *interval(scores))


def difference(changes: Array) -> Estimate:
    """The mean of differences -1 .. 1 of scores, one for each deal: never certain to be 0."""
    return Estimate(*(2 * x - 1 for x in share((1 + np.asarray(changes)) / 2)))


# ---- a share -------------------------------------------------------------------------------------
def interval(scores: Array) -> tuple[float, float]:
    """A 95 % interval of the mean of scores 0 .. 1, as many as were planned.

    A deal won and a deal lost are added to the spread, so that few deals claim little.
    """
    n = len(scores)
    if n == 0:
        return 0.0, 1.0
    mean = float(np.mean(scores))
    spread = math.sqrt(np.sum((np.array([*scores, 0, 1]) - mean) ** 2) / (n + 1) / n)
    return max(0.0, mean - Z * spread), min(1.0, mean + Z * spread)


def anytime_interval(scores: Array, margin: float) -> tuple[float, float]:
    """A 95 % confidence sequence of the mean of scores 0 .. 1: in 95 of 100 series it holds the
    truth at every look, so that one may stop at any, for whatever reason. It is narrowest where it
    is about as wide as `margin`, either side.

    Somebody who thinks that the mean is m offers fair bets on each deal. Four gamblers bet a
    constant part each on "more", four on "less". Where m is true, the mean wealth of either four
    ever grows fortyfold in one series of 40 at most (Ville's inequality); an m at which it has is
    given up. The part that grows fastest is the margin by the scores' variance: one for each of
    VARIANCES. Robbins 1970; Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
    variables by betting".
    """
    values, counts = np.unique(np.asarray(scores, float), return_counts=True)
    bets = np.minimum(BOLDEST, margin / np.array(VARIANCES))
    return _least(values, counts, bets), 1 - _least(1 - values, counts, bets)


def _least(values: Array, counts: Array, bets: Array) -> float:
    """The least mean that those who bet on more have not refuted: the greater it is, the poorer
    they are.
    """
    low, high = 0.0, 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        each = np.log1p(bets[:, None] * (values - middle)) @ counts
        wealth = np.logaddexp.reduce(each) - math.log(len(bets))
        low, high = (low, middle) if wealth < math.log(2 / DOUBT) else (middle, high)
    return low


# ---- strengths -----------------------------------------------------------------------------------
def points(share: float) -> float:
    """Between two of whom one wins so much of their matches, more than none and less than all."""
    return ELO * math.log(share / (1 - share))


def strengths(beats: Array, anchor: int) -> tuple[Array, Array, Array]:
    """Bradley-Terry: strengths [n] in Elo points above the anchor, with 95 % intervals.

    beats [deals, n, n]: how often i was above j in each deal. Each entrant has won a match against
    the others and lost one before it begins, so that one that always wins is not infinitely strong.
    The intervals come of weighing the deals (and those matches) anew, by chance, REPEATS times: the
    Bayesian bootstrap (Rubin 1981), which leaves no deal out and so is never without a defeat.
    """
    n = beats.shape[1]
    flat = np.concatenate([_before(n), beats]).reshape(-1, n * n)
    dice = np.random.default_rng(0)
    weighed = [np.ones(len(flat)) @ flat]
    weighed += [dice.exponential(size=len(flat)) @ flat for _ in range(REPEATS)]
    elo = ELO * _fit(np.array(weighed).reshape(-1, n, n))
    elo -= elo[:, [anchor]]
    low, high = np.quantile(elo[1:], (DOUBT / 2, 1 - DOUBT / 2), axis=0)
    return elo[0], low, high


def _before(n: int) -> Array:
    """[2 n, n, n]: of each entrant a match won, spread over the others, and one lost."""
    out = np.zeros((2 * n, n, n))
    for i in range(n):
        out[i, i] = out[n + i, :, i] = 1 / (n - 1)
        out[i, i, i] = out[n + i, i, i] = 0
    return out


def _fit(beats: Array) -> Array:
    """[..., n]: natural strengths, of mean 0, that make these [..., n, n] likeliest. By Newton's
    method, whose steps are bounded, for from afar it jumps too far.
    """
    n = beats.shape[-1]
    at = np.zeros(beats.shape[:-1])
    played = beats + np.swapaxes(beats, -1, -2)
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(at[..., None, :] - at[..., :, None]))
        slope = np.sum(beats - played * chance, axis=-1)
        bend = played * chance * (1 - chance)
        curve = np.eye(n) * np.sum(bend, axis=-1, keepdims=True) - bend + 1 / n
        step = np.clip(np.linalg.solve(curve, slope[..., None])[..., 0], -1, 1)
        at += step
        if np.max(np.abs(step)) < 1e-9:
            break
    return at - np.mean(at, axis=-1, keepdims=True)
