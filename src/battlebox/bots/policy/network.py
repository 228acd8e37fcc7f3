"""A small network: two layers, then what to do, and what each seat may hope for.

    found   = relu(seen @ first + first_bias)            [width]
    deeper  = relu(found @ second + second_bias)         [width of the second]
    logits  = deeper @ choice + choice_bias              [classes of actions, places of candidates]
    values  = tanh(deeper @ value + value_bias)          [room]: from the seat that looks on

What is seen is the row but for its end, where something may be said of candidates. Each of them is
weighed by the same weights, whatever its place, and in the light of what is seen:

    weighed = relu(told @ candidate + candidate_bias + deeper @ context + context_bias)
    logits[its place] += weighed @ score + score_bias

A critic has no logits, and its rows are of the whole truth: what a match between equals who play by
the policy would come to. It is for searches, which know a truth they have thought of.

A row is mostly blank, so that the first layer is a sum of a few rows of its weights. Written as
rules are, and made to run by a game's build: plain, or compiled, with the same results.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...core.checked import Array
from ...core.rules import rule

NOTHING = np.zeros((1, 0), np.float32)
#: the layers that weigh candidates; blank, if nothing is said of them
WEIGHING = frozenset(f"{x}{y}" for x in ("candidate", "context", "score") for y in ("", "_bias"))


class Layers(NamedTuple):
    """Weights float32 [inputs, outputs], and what is added to each output [outputs]."""

    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    choice: Array
    choice_bias: Array
    value: Array
    value_bias: Array
    candidate: Array = NOTHING
    candidate_bias: Array = NOTHING[0]
    context: Array = NOTHING
    context_bias: Array = NOTHING[0]
    score: Array = NOTHING
    score_bias: Array = NOTHING[0]


class CriticLayers(NamedTuple):
    """The same of a critic."""

    first: Array
    first_bias: Array
    second: Array
    second_bias: Array
    value: Array
    value_bias: Array


class Work(NamedTuple):
    """What a network works on, float32."""

    row: Any
    seen: Any  # a view of its beginning: what the first layer sees
    found: Any
    deeper: Any
    logits: Any
    values: Any
    told: Any  # a view of the row's end: what is said of each candidate [places, numbers]
    context: Any
    weighed: Any
    score: Any  # [1]


@rule
def dense(row: Any, weights: Any, bias: Any, out: Any) -> None:
    """out = row @ weights + bias."""
    for j in range(len(out)):
        out[j] = bias[j]
    for i in range(len(row)):
        x = row[i]
        if x != 0:
            for j in range(len(out)):
                out[j] += x * weights[i, j]


@rule
def relu(out: Any) -> None:
    """Negative numbers become 0."""
    for j in range(len(out)):
        out[j] = max(out[j], 0)


@rule
def forward(net: Any, w: Any) -> None:
    """w.logits, w.values = what a policy says of w.row."""
    judge(net, w)
    dense(w.deeper, net.choice, net.choice_bias, w.logits)
    dense(w.deeper, net.context, net.context_bias, w.context)
    first = len(w.logits) - len(w.told)
    for k in range(len(w.told)):
        dense(w.told[k], net.candidate, net.candidate_bias, w.weighed)
        for j in range(len(w.weighed)):
            w.weighed[j] = max(w.weighed[j] + w.context[j], 0)
        dense(w.weighed, net.score, net.score_bias, w.score)
        w.logits[first + k] += w.score[0]


@rule
def judge(net: Any, w: Any) -> None:
    """w.values = what a policy or a critic says of w.row."""
    dense(w.seen, net.first, net.first_bias, w.found)
    relu(w.found)
    dense(w.found, net.second, net.second_bias, w.deeper)
    relu(w.deeper)
    dense(w.deeper, net.value, net.value_bias, w.values)
    for p in range(len(w.values)):
        w.values[p] = math.tanh(w.values[p])


class Network:
    """The same for many rows at once, in NumPy."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers

    def __call__(self, rows: Array) -> tuple[Array, Array]:
        """Logits float32 [n, actions] and values [n, room] of rows [n, inputs]."""
        x = self.layers
        found = np.maximum(rows[:, : len(x.first)] @ x.first + x.first_bias, 0)
        found = np.maximum(found @ x.second + x.second_bias, 0)
        logits = found @ x.choice + x.choice_bias
        if x.candidate.size:
            told = rows[:, len(x.first) :]
            places = told.shape[1] // len(x.candidate)
            each = told.reshape(len(rows), places, -1) @ x.candidate + x.candidate_bias
            context = (found @ x.context + x.context_bias)[:, None]
            score = np.maximum(each + context, 0) @ x.score + x.score_bias
            logits[:, -places:] += score[..., 0]
        return logits, np.tanh(found @ x.value + x.value_bias)


def work_of(layers: Layers | CriticLayers, row: Array) -> Work:
    """Arrays to work on, for rows that are put into this one, float32 [inputs]. A critic has no
    logits.
    """
    logits, wide, told = 0, 0, row[:0, None]
    if isinstance(layers, Layers):
        logits, wide = len(layers.choice_bias), len(layers.candidate_bias)
        if wide:
            told = row[len(layers.first) :].reshape(-1, len(layers.candidate))
    sizes = len(layers.first_bias), len(layers.second_bias), logits, len(layers.value_bias)
    main, rest = ([np.zeros(n, np.float32) for n in x] for x in (sizes, (wide, wide, 1)))
    return Work._make((row, row[: len(layers.first)], *main, told, *rest))
