"""A small network: two layers, then what to do, and what each seat may hope for.

    found   = relu(row @ first + first_bias)             [width]
    deeper  = relu(found @ second + second_bias)         [width of the second]
    logits  = deeper @ choice + choice_bias              [classes of actions, places of candidates]
    values  = tanh(deeper @ value + value_bias)          [room]: from the seat that looks on

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
    found: Any
    deeper: Any
    logits: Any
    values: Any


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


@rule
def judge(net: Any, w: Any) -> None:
    """w.values = what a policy or a critic says of w.row."""
    dense(w.row, net.first, net.first_bias, w.found)
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
        found = np.maximum(rows @ x.first + x.first_bias, 0)
        found = np.maximum(found @ x.second + x.second_bias, 0)
        return found @ x.choice + x.choice_bias, np.tanh(found @ x.value + x.value_bias)


def work_of(layers: Layers | CriticLayers) -> Work:
    """Arrays to work on; a critic has no logits."""
    actions = len(layers.choice_bias) if isinstance(layers, Layers) else 0
    sizes = len(layers.first), len(layers.first_bias), len(layers.second_bias)
    return Work(*(np.zeros(n, np.float32) for n in (*sizes, actions, len(layers.value_bias))))
