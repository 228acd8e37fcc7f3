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
def multiply(which: Any, begin: Any, columns: Any, numbers: Any, weights: Any, out: Any) -> None:
    """out = rows @ weights, of some of the rows."""
    for b in range(len(which)):
        i, o = which[b], out[b]
        for j in range(len(o)):
            o[j] = 0
        for k in range(begin[i], begin[i + 1]):
            x, w = numbers[k], weights[columns[k]]
            for j in range(len(o)):
                o[j] += x * w[j]


@rule
def multiply_back(which: Any, begin: Any, columns: Any, numbers: Any, sums: Any, out: Any) -> None:
    """out += rows.T @ sums, of some of the rows."""
    for b in range(len(which)):
        i, s = which[b], sums[b]
        for k in range(begin[i], begin[i + 1]):
            x, o = numbers[k], out[columns[k]]
            for j in range(len(s)):
                o[j] += x * s[j]


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
        self._run("pack", rows, begin, self.columns, self.numbers)

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

    def times(self, weights: Tensor) -> Tensor:
        """The rows @ weights [width, outputs]; gradients go to the weights."""
        if self.which.is_cuda:
            return self.dense() @ weights
        found: Tensor = _Product.apply(weights, self)
        return found

    def multiply(self, weights: Tensor) -> Tensor:
        """The same, without gradients, by a processor."""
        out = torch.empty((len(self), weights.shape[1]))
        self._run("multiply", self.which, self.begin, self.columns, self.numbers, weights, out)
        return out

    def multiply_back(self, sums: Tensor) -> Tensor:
        """The rows transposed @ sums [n, outputs]: float32 [width, outputs]."""
        out = torch.zeros((self.width, sums.shape[1]))
        kept = self.which, self.begin, self.columns, self.numbers
        self._run("multiply_back", *kept, sums.contiguous(), out)
        return out

    def _run(self, name: str, *arrays: Tensor | Array) -> None:
        found = (x.detach().numpy() if isinstance(x, Tensor) else x for x in arrays)
        getattr(self._loops, name)(*map(self._access, found))


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weights: Tensor, rows: SparseRows) -> Tensor:
        ctx.rows = rows
        return rows.multiply(weights)

    @staticmethod
    def backward(ctx: Any, sums: Tensor) -> tuple[Tensor, None]:
        return ctx.rows.multiply_back(sums), None


class First(nn.Module):
    """A first layer: rows @ weight [inputs, width] + bias."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(inputs, width))
        self.bias = nn.Parameter(torch.zeros(width))
        nn.init.orthogonal_(self.weight, 2**0.5)

    def forward(self, rows: SparseRows) -> Tensor:
        return rows.times(self.weight) + self.bias
