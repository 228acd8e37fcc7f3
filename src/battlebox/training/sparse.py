"""Rows that are mostly blank, and the first layer of a network on them.

Of the numbers of a row nine in ten are 0, in large games more, and nearly all of the work of
learning is in the first layer. So only the others are kept (compressed sparse rows), and a
processor adds up those rows of the weights. A GPU multiplies whole rows sooner than it would look.

What loops is written as rules are, and made to run by a game's build.
"""

from __future__ import annotations

import sys
from copy import copy
from typing import Any

import torch
from torch import Tensor, nn

from ..core.checked import Array
from ..core.engine import Engine
from ..core.rules import rule


@rule
def pack(rows: Any, begin: Any, columns: Any, numbers: Any) -> None:
    """Notes what is not 0 in rows: that of row i at begin[i] .. begin[i + 1] - 1."""
    k = begin[0]
    for i in range(len(rows)):
        row = rows[i]
        for j in range(len(row)):
            if row[j] != 0:
                columns[k] = j
                numbers[k] = row[j]
                k += 1
        begin[i + 1] = k


@rule
def multiply(
    which: Any,
    begin: Any,
    columns: Any,
    numbers: Any,
    first: int,
    parts: int,
    weights: Any,
    out: Any,
) -> None:
    """out = parts of rows @ weights, of some of the rows, [rows * parts, outputs]. The parts lie
    side by side from column `first` on, each as wide as there are weights; the rest is left out.
    """
    wide = len(weights)
    for b in range(len(which)):
        k, end = begin[which[b]], begin[which[b] + 1]
        while k < end and columns[k] < first:
            k += 1
        for part in range(parts):
            o, at = out[b * parts + part], first + part * wide
            for j in range(len(o)):
                o[j] = 0
            while k < end and columns[k] < at + wide:
                x, w = numbers[k], weights[columns[k] - at]
                for j in range(len(o)):
                    o[j] += x * w[j]
                k += 1


@rule
def multiply_back(
    which: Any, begin: Any, columns: Any, numbers: Any, first: int, parts: int, sums: Any, out: Any
) -> None:
    """out += the parts transposed @ sums [rows * parts, outputs], of some of the rows."""
    wide = len(out)
    for b in range(len(which)):
        k, end = begin[which[b]], begin[which[b] + 1]
        while k < end and columns[k] < first:
            k += 1
        for part in range(parts):
            s, at = sums[b * parts + part], first + part * wide
            while k < end and columns[k] < at + wide:
                x, o = numbers[k], out[columns[k] - at]
                for j in range(len(s)):
                    o[j] += x * s[j]
                k += 1


class SparseRows:
    """n rows of numbers, put in one after another: `which` of all that are kept."""

    def __init__(self, engine: Engine, n: int, width: int) -> None:
        self.width = width
        self.begin = torch.zeros(n + 1, dtype=torch.int64)
        self.columns = torch.empty(0, dtype=torch.int32)
        self.numbers = torch.empty(0)
        self.which = torch.arange(n)
        self._loops, self._access = engine.bind(sys.modules[__name__]), engine.build.access

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, which: slice | Tensor) -> SparseRows:
        """Some of them; what is kept is the same."""
        return self._with(which=self.which[which])

    def to(self, device: torch.device) -> SparseRows:
        """The same there; elsewhere than here, these rows alone."""
        if device == self.which.device:
            return self
        rows, columns, numbers = self.entries()
        begin = torch.zeros(len(self) + 1, dtype=torch.int64)
        begin[1:] = torch.bincount(rows, minlength=len(self)).cumsum(0)
        kept = {"begin": begin, "columns": columns, "numbers": numbers}
        kept["which"] = torch.arange(len(self))
        return self._with(**{k: x.to(device) for k, x in kept.items()})

    def _with(self, **changed: Tensor) -> SparseRows:
        found = copy(self)
        vars(found).update(changed)
        return found

    def put(self, at: int, rows: Array) -> None:
        """Rows `at` and on are these, [k, width]; what came behind them is forgotten."""
        until = int(self.begin[at]) + rows.size
        if until > len(self.columns):  # room to spare, since they may be less blank than the last
            more = 2 * until - len(self.columns)
            self.columns = torch.cat([self.columns, torch.zeros(more, dtype=torch.int32)])
            self.numbers = torch.cat([self.numbers, torch.zeros(more)])
        begin = self.begin[at : at + len(rows) + 1]
        self._loops.pack(
            *map(self._access, (rows, *map(_array, (begin, self.columns, self.numbers))))
        )

    def counts(self) -> Tensor:
        """How many numbers of each row are not 0."""
        return self.begin[self.which + 1] - self.begin[self.which]

    def entries(self) -> tuple[Tensor, Tensor, Tensor]:
        """What is not 0, row by row: in which of these rows, in which column, and what."""
        begin, counts = self.begin[self.which], self.counts()
        rows = torch.arange(len(self), device=counts.device).repeat_interleave(counts)
        before = counts.cumsum(0) - counts
        at = (begin - before)[rows] + torch.arange(len(rows), device=counts.device)
        return rows, self.columns[at].long(), self.numbers[at]

    def dense(self) -> Tensor:
        """float32 [n, width]."""
        rows, columns, numbers = self.entries()
        found = torch.zeros((len(self), self.width), device=numbers.device)
        found[rows, columns] = numbers
        return found

    def times(self, weights: Tensor, parts: int = 1) -> Tensor:
        """The rows' first numbers @ weights [width, outputs]; gradients go to the weights. parts:
        of their ends, as wide as there are weights, each by itself: [n, parts, outputs].
        """
        if self.which.is_cuda:
            first = self._first(parts, weights)
            some = self.dense()[:, first : first + parts * len(weights)]
            found = some.reshape(len(self) * parts, len(weights)) @ weights
        else:
            found = _Product.apply(weights, self, parts)
        return found.view(len(self), parts, -1) if parts > 1 else found

    def multiply(self, weights: Tensor, parts: int) -> Tensor:
        """The same, without gradients, by a processor: [n * parts, outputs]."""
        out = torch.empty((len(self) * parts, weights.shape[1]))
        self._run("multiply", parts, weights, weights, out)
        return out

    def multiply_back(self, sums: Tensor, parts: int, wide: int) -> Tensor:
        """The parts transposed @ sums [n * parts, outputs]: float32 [wide, outputs]."""
        out = torch.zeros((wide, sums.shape[1]))
        self._run("multiply_back", parts, out, sums.contiguous(), out)
        return out

    def _first(self, parts: int, weights: Tensor) -> int:
        """The column in which so many parts begin."""
        return self.width - parts * len(weights) if parts > 1 else 0

    def _run(self, name: str, parts: int, weights: Tensor, *arrays: Tensor) -> None:
        kept = self.which, self.begin, self.columns, self.numbers
        ours, theirs = (map(self._access, map(_array, x)) for x in (kept, arrays))
        getattr(self._loops, name)(*ours, self._first(parts, weights), parts, *theirs)


def _array(x: Tensor) -> Array:
    found: Array = x.detach().numpy()
    return found


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, rows: SparseRows, parts: int) -> Tensor:
        ctx.rows, ctx.parts, ctx.wide = rows, parts, len(weights)
        return rows.multiply(weights, parts)

    @staticmethod
    def backward(ctx: Any, sums: Tensor) -> tuple[Tensor, None, None]:
        return ctx.rows.multiply_back(sums, ctx.parts, ctx.wide), None, None


class Dense(nn.Module):
    """A layer: rows @ weight [inputs, width] + bias. The rows may be mostly blank, and of these it
    may be parts of their ends.
    """

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, width))
        self.bias = nn.Parameter(torch.zeros(width))
        nn.init.orthogonal_(self.weight, 2**0.5)

    def forward(self, rows: Tensor | SparseRows, parts: int = 1) -> Tensor:
        if isinstance(rows, SparseRows):
            return rows.times(self.weight, parts) + self.bias
        return rows @ self.weight + self.bias
