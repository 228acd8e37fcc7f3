"""The actions that a policy weighs: all legal ones, or the candidates, where a game names some.

A runner of Battleball may have 250 destinations, and a search looks at the few that the game holds
to be the best (core/contract.py, `candidates`). A policy weighs as many as a search does by the
time it has been there `VISITS` times: it need not learn which of all the others are worse. It is
told what the game says of each (`candidate_features`), in the order in which the game puts them.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ...core.checked import Array
from ...core.contract import (
    candidate_features,
    candidates,
    choices,
    clear_candidate_features,
    encode_candidate,
)
from ...core.features import Feature, Layout, added_sources
from ...core.game import Ruleset
from ...core.rules import rule

VISITS = 4_800
PLACES = 40  # of candidates that are told apart; all behind them are as the last


class CandidateArrays(NamedTuple):
    """What `tell` works on."""

    record: Any  # of what the game's `candidate_features` fills,
    at: Any  # and how it is encoded: see `text_of_encode`
    width: Any
    scale: Any
    room: int  # seats
    places: int


@rule
def tell(t: Any, s: Any, acts: Any, n: int, w: CandidateArrays, told: Any, first: int) -> int:
    """Brings what the seat to act weighs to the front of the n legal actions; how many. told[first
    + k] = what the game says of the one in place k, if told has rows.

    s: what that seat sees. Its scratch fields are written to.
    """
    if n > 0:
        n = candidates(t, s, acts, n, VISITS)
    for k in range(min(n, w.places) if told.size > 0 else 0):
        clear_candidate_features(w.record[0])
        candidate_features(t, s, acts[k], k, w.record[0])
        how = w.room, True, w.at, w.width, w.scale
        encode_candidate(w.record[0], s.to_act, s.seats, *how, told, first + k)
    return n


@rule
def weigh(
    tt: Any, observations: Any, b: Any, acts: Any, w: CandidateArrays, weighed: Any, told: Any
) -> None:
    """weighed[i, a] = 1 + the place of what the seat to act weighs in observations[i], `places` at
    most, 0 for what else is legal; it has the legal actions before, and keeps them where the match
    is over. told[places * i + k] = what the game says of the one in place k, if told has rows.
    """
    for i in range(len(observations)):
        b[0] = observations[i]  # a copy: scratch fields are written to
        t, s = tt[0], b[0]
        legal = choices(t, s, acts)
        for k in range(legal):
            weighed[i, acts[k]] = 0
        n = tell(t, s, acts, legal, w, told, w.places * i)
        for k in range(n):
            weighed[i, acts[k]] = 1 + min(k, w.places - 1)


class Candidates:
    """Finds them, in matches of a ruleset.

    places: how many are told apart; 0: a policy weighs all legal actions of this game.
    """

    def __init__(self, rules: Ruleset) -> None:
        engine = rules.compiled()
        build = engine.build
        hooks = build.hooks
        names_some = hooks.candidates is not candidates
        tells = hooks.candidate_features is not candidate_features
        self.places = PLACES if names_some or tells else 0
        room = rules.game.most_players
        sources = added_sources(build.candidate_features)
        layout = Layout(sources, rules.numbers, room=room, onehot=True)
        #: what is said of each
        self.features: dict[str, Feature] = layout.features
        #: how many numbers that are
        self.width = layout.width
        self._tt, self._access = engine.tt, build.access
        self._weigh = engine.bind(sys.modules[__name__]).weigh
        self._work = build.access(build.states()), build.access(build.action_buffer())
        record = np.zeros(1, build.candidate_features.layout)
        where = [build.access(x) for x in (record, layout.at, layout.widths, layout.scale)]
        #: what `tell` is given
        self.arrays = CandidateArrays._make((*where, room, self.places))

    def weigh(self, observations: Array, weighed: Array, told: Array | None = None) -> None:
        """Of n seats that are to act, weighed [n, actions], which has the legal actions before:
        1 + its place for each that is weighed, 0 for the others. told [n * places, width], blank:
        what is said of them.
        """
        if self.places:
            if told is None:
                told = np.zeros((0, self.width), np.float32)
            seen, *out = map(self._access, (observations, weighed, told))
            self._weigh(self._tt, seen, *self._work, self.arrays, *out)
