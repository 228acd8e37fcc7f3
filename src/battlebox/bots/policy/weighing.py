"""A policy asked of one position, in one call: the actions that it weighs, and their logits."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ...core.contract import choices
from ...core.drivers import encode_row
from ...core.rules import rule
from .candidates import CandidateArrays, tell
from .inputs import Inputs
from .network import Layers, Work, forward, work_of


class WeighArrays(NamedTuple):
    """What `weigh_up` works on."""

    acts: Any  # the result: what is weighed, in the game's order,
    logits: Any  # and what the policy says of each
    row: Any  # float32 [1, inputs]: what is looked at, the options behind it,
    told: Any  # and behind these, as a view, what the game says of candidates [places, width]
    features: Any  # a record of what the game's `features` fills
    at: Any  # how rows are encoded: see `text_of_encode`
    width: Any
    scale: Any
    classes: Any  # of each action, which of the policy's logits is its own


@rule
def weigh_up(
    tt: Any,
    states: Any,
    w: WeighArrays,
    found: CandidateArrays,
    net: Layers,
    work: Work,
    encoded: int,
    room: int,
) -> int:
    """How many actions the seat that sees states[0] weighs, which are in w.acts with their logits;
    0: it is not to act. work.values = what each seat may hope for, from it on.

    encoded: how many numbers of a row what it sees fills. room: for so many seats. Scratch fields
    are written to.
    """
    t, s, places = tt[0], states[0], found.places
    me = s.viewer - 1
    how = room, True, w.at, w.width, w.scale
    encode_row(t, s, w.features[0], me, s.seats, *how, w.row, 0, encoded)
    n = 0
    if s.to_act == me:
        n = choices(t, s, w.acts)
    if places > 0:
        for k in range(places):
            for j in range(w.told.shape[1]):
                w.told[k, j] = 0
        n = tell(t, s, w.acts, n, found, w.told, 0)
    forward(net, work)
    first = len(work.logits) - places
    for k in range(n):
        w.logits[k] = float(work.logits[w.classes[w.acts[k]]])
        if places > 0:
            w.logits[k] += float(work.logits[first + min(k, places - 1)])
    return n


class Weighing:
    """Asks a policy of the states of its ruleset."""

    def __init__(self, inputs: Inputs, layers: Layers) -> None:
        engine, encode, found = inputs.engine, inputs.encode, inputs.candidates
        build = engine.build
        row, end = np.zeros((1, inputs.width), np.float32), encode.width + len(inputs.options)
        row[0, encode.width : end] = inputs.options
        arrays = WeighArrays(
            acts=build.action_buffer(),
            logits=np.zeros(engine.num_actions),
            row=row,
            told=row[0, end:].reshape(found.places, found.width),
            features=np.zeros(1, build.features.layout),
            at=encode.layout.at,
            width=encode.layout.widths,
            scale=encode.layout.scale,
            classes=inputs.classes,
        )
        self._acts, self._logits = arrays.acts, arrays.logits
        work = work_of(layers, row[0])
        self._values = work.values
        self._how = (
            WeighArrays(*map(build.access, arrays)),
            found.arrays,
            Layers(*map(build.access, layers)),
            Work(*map(build.access, work)),
            encode.width,
            encode.room,
        )
        self._tt, self._weigh_up = engine.tt, engine.bind(sys.modules[__name__]).weigh_up

    def __call__(self, states: Any) -> tuple[dict[int, float], list[float]]:
        """Of what the viewer of states[0] sees: the logits of the actions that it weighs,
        ascending, and what each seat may hope for, from it on. Scratch fields are written to.
        """
        n = self._weigh_up(self._tt, states, *self._how)
        each = zip(self._acts[:n].tolist(), self._logits[:n].tolist(), strict=True)
        return dict(sorted(each)), self._values.tolist()
