"""What learners of Battleball are told: the ball and the pieces by rows, and their candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import battlebox as bb

from .features import Ball, candidate_features
from .insight import SCORE, SELECT, candidates
from .testing import at, do

LONE = "R1f9/r1k25 R1 - W M 1 0-0 -"


def told(m: bb.Match, seat: int) -> dict[str, Any]:
    """By feature; members as numbers, 0 for none."""
    encoder = m.rules.plain().encoder(onehot=False)
    row = encoder(np.atleast_1d(m.observation(seat)))[0]
    each = {k: row[f.columns].reshape(f.shape) for k, f in encoder.features.items()}
    return {k: x.tolist() for k, x in each.items()}


def weighed(m: bb.Match) -> dict[int, dict[str, Any]]:
    """By action, what is said of the candidates of the seat to act."""
    engine = m.rules.plain()
    build = engine.build
    seen = build.access(np.atleast_1d(m.observation(m.to_act)).copy())[0]
    acts = build.access(build.action_buffer())
    for i, a in enumerate(m.legal_actions):
        acts[i] = a
    found = dict[int, dict[str, Any]]()
    for k in range(candidates(engine.tt[0], seen, acts, len(m.legal_actions), 200)):
        c = np.zeros(1, build.candidate_features.layout)
        candidate_features(engine.tt[0], seen, acts[k], k, build.access(c)[0])
        found[int(acts[k])] = {name: int(c[name][0]) for name in c.dtype.names or ()}
    return found


@pytest.mark.parametrize(
    ("position", "seat", "ball_is", "to_go", "way_home"),
    [
        (LONE, 0, Ball.OWN, 17, 0.2),
        (LONE, 1, Ball.THEIRS, 9, 0.2),
        ("R1f3/r1k25 @f10 - W M 1 0-0 -", 0, Ball.LOOSE, 16, 0),
        ("R1f9/r1k25 r1 - W M 1 0-0 -", 1, Ball.OWN, 25, 0),
    ],
)
def test_rows_are_counted_from_the_end_zone_that_one_attacks(
    position: str, seat: int, ball_is: Ball, to_go: int, way_home: float
) -> None:
    """BB-31: 17 steps, and a 20 shows as many in four of twenty throws."""
    found = told(at(position), seat)
    assert (found["ball_is"], found["ball_to_go"]) == (1 + ball_is, 1 + to_go)
    assert found["way_home"] == pytest.approx(way_home)
    assert found["standing"] == [2, 2], "one piece each; members count from 1"


def test_who_looks_is_always_the_first_team() -> None:
    """What W sees of one field, B sees of the field turned by half a circle."""
    white = told(at("R1f9,L1d5/r1k25 R1 - W M 1 0-0 -"), 0)
    black = told(at("R1a1/r1f17,l1h21 r1 - H M 1 0-0 -"), 1)
    for name in ("ball_is", "ball_to_go", "way_home", "danger", "dangers", "standing", "to_go"):
        assert white[name] == black[name], name
    assert white["to_ball"] == black["to_ball"]


def test_who_could_tackle_the_carrier_is_a_danger() -> None:
    """BB-70: a 20 beside a 20 tackles it in 48 of 100 cases; one far away hardly comes."""
    beside = told(at("R1f9/r1f10 R1 - W M 1 0-0 -"), 0)
    assert beside["danger"] == pytest.approx(0.48, abs=0.011)
    assert beside["contact"][0][0] == beside["contact"][1][0] > 0
    both = told(at("R1f9/r1f10,r2g10 R1 - W M 1 0-0 -"), 0)
    assert both["danger"] == beside["danger"]
    assert both["dangers"] > beside["dangers"]
    assert told(at(LONE), 0)["danger"] < beside["danger"] / 2


def test_of_a_loose_ball_it_is_told_who_can_walk_to_it() -> None:
    found = told(at("R1f9/r1k25 @f10 - W M 1 0-0 -"), 0)
    assert found["fetch"][0] == 1
    assert found["fetch"][1] < found["fetch"][0]


def test_a_candidate_is_told_by_what_it_comes_to() -> None:
    m = at(LONE, 6)
    pieces = weighed(m)
    first = pieces[SELECT]
    assert (first["there"], first["has_ball"], first["slot"], first["way_home"]) == (1, 1, 1, 20)
    do(m, m.legal_words()[m.legal_actions.index(SELECT)])
    runs = weighed(m)
    assert 2 < len(runs) < 12
    assert all(x["has_ball"] for x in runs.values())
    best = max(runs.values(), key=lambda x: int(x["gains"]))
    assert (best["gains"], best["to_go"]) == (6, 17 - 6)
    assert best["way_home"] == 50, "11 steps more: ten of twenty"


def test_a_tackle_is_told_by_its_chance() -> None:
    m = at("R1f9,S1g9/r1g10 r1 - W M 1 0-0 -", 3)
    do(m, m.legal_words()[m.legal_actions.index(SELECT)])
    beside = [x for x in weighed(m).values() if x["contact"]]
    assert beside
    assert all(x["at_carrier"] and x["odds"] in (47, 48) for x in beside)


def test_the_end_zone_is_the_only_candidate_where_it_can_be_reached() -> None:
    m = at("R1f25/r1a9 R1 - W M 1 0-0 -", 9)
    do(m, m.legal_words()[m.legal_actions.index(SELECT)])
    (only,) = weighed(m).items()
    assert (only[0], only[1]["scores"]) == (SCORE, 1)
