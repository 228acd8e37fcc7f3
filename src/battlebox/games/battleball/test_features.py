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


def runs_of(m: bb.Match, piece: int) -> dict[str, dict[str, Any]]:
    """By word, what is said of where a piece may run after its roll."""
    do(m, m.legal_words()[m.legal_actions.index(SELECT + piece)])
    return {m.word(a): x for a, x in weighed(m).items()}


def test_who_stands_in_the_way_of_their_carrier_makes_it_longer() -> None:
    """BB-39: five rows to go, or a step more; a 20 shows as many in 80 or 75 of 100 throws."""
    runs = runs_of(at("R1f9/r1f5 r1 - W M 1 0-0 -", 7), 0)
    assert {runs[x]["their_way"] for x in ("f4", "g4", "f3")} == {75}
    assert {runs[x]["their_way"] for x in ("f6", "e3", "g3")} == {80}


def test_who_stands_by_the_carrier_keeps_others_off() -> None:
    """BB-39, BB-70: f11 lies between the carrier and both opponents."""
    runs = runs_of(at("R1f9,L1d9/r1f12,r2e13 R1 - W M 1 0-0 -", 3), 7)
    assert runs["f11"]["caught"] < runs["f8"]["caught"]
    assert runs["f11"]["catches"] < runs["f8"]["catches"]
    assert runs["f8"]["way_home"] == 20 > runs["g10"]["way_home"], "g10 is in the carrier's own way"


def test_a_loose_ball_is_theirs_to_fetch_unless_one_takes_it() -> None:
    runs = runs_of(at("R1f9,L1d9/r1f12 @f10 - W M 1 0-0 -", 3), 7)
    assert runs["e9"]["their_fetch"] == 95, "two steps: 19 of twenty"
    assert runs["e11"]["their_fetch"] == 0, "one stands before it"
    assert (runs["f10*"]["their_fetch"], runs["f10*"]["caught"]) == (0, 18)
