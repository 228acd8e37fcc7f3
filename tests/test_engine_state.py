"""A single state of an engine: it plays as matches do, and is fit for the searches of others."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from unittest import mock

import numpy as np
import pytest
from response_windows import DECLINE, SAVE, deal, strike
from response_windows import GAME as WINDOW

import battlebox as bb
from battlebox.core.engine_state import EngineState
from battlebox.core.histories import ChanceNode, Histories, History
from battlebox.core.information import NOTHING
from battlebox.core.match import Match
from battlebox.games import NAMES

GAMES = pytest.mark.parametrize("game", NAMES)


def seen_by_all(state: EngineState) -> bytes:
    """All that anybody sees."""
    return b"".join(state.observe(p).tobytes() for p in (None, *range(state.engine.seats)))


@GAMES
def test_it_plays_as_a_match_does(game: str) -> None:
    rules, dice = bb.toy(game), random.Random(game)
    for seed in range(3):
        match, state = rules.match(seed), rules.plain().state(seed)
        while not match.over:
            assert state.legal() == match.legal_actions
            assert state.to_act == match.to_act
            assert state.returns() == match.returns
            assert state.to_bytes() == match.truth.tobytes()
            for p in (None, *range(rules.players)):
                assert state.observe(p).tobytes() == match.known(p)
            action = dice.choice(state.legal())
            match.submit(match.to_act, action)
            state.apply(action)
        assert (state.over, state.to_act, state.legal()) == (True, None, ())
        assert state.returns() == match.returns


@pytest.mark.compiled
@pytest.mark.parametrize("game", ["war_zone", "medieval"])  # each compiles all its rules
def test_both_builds_give_the_same_bytes(game: str) -> None:
    rules, dice = bb.load(game), random.Random(game)
    a, b = (engine.state(5) for engine in (rules.plain(), rules.compiled()))
    for k in range(60):
        if a.over:
            break
        assert a.legal() == b.legal()
        assert a.to_bytes() == b.to_bytes()
        assert seen_by_all(a) == seen_by_all(b)
        p = a.to_act
        assert a.determinize(p, k).to_bytes() == b.determinize(p, k).to_bytes()
        ends = [x.clone() for x in (a, b)]
        assert ends[0].playout(k, limit=20) == ends[1].playout(k, limit=20)
        assert ends[0].to_bytes() == ends[1].to_bytes() != a.to_bytes()
        action = dice.choice(a.legal())
        a.apply(action)
        b.apply(action)
    assert a.clone().playout(1) == b.clone().playout(1)


@GAMES
def test_a_truth_that_may_be_believed_in(game: str) -> None:
    rules, dice = bb.load(game), random.Random(game)
    match, differing = rules.match(4), 0
    for k in range(40):
        if match.over:
            break
        seat = dice.randrange(rules.players)
        found = rules.plain().determinize(match.observation(seat), k)
        assert found.observe(seat).tobytes() == match.known(seat)
        differing += found.to_bytes() != match.truth.tobytes()
        match.submit(match.to_act, dice.choice(match.legal_actions))
    assert differing > 10


def test_copies_go_their_own_ways() -> None:
    state = bb.load("battleball").plain().state(3)
    before = state.to_bytes()
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state)):
        other.apply(other.legal()[-1])
        assert state.to_bytes() == before != other.to_bytes()
    again = state.engine.from_bytes(before)
    assert again.legal() == state.legal()
    assert again.to_bytes() == before


def test_a_copy_may_have_other_chance() -> None:
    rules = bb.load("medieval")
    state = rules.plain().state(1)
    ends = [state.clone(seed).playout(1) for seed in (1, 1, 2, 3, 4, 5, 6, 7)]
    assert ends[0] == ends[1]
    same = [state.clone().playout(1) for _ in range(3)]
    assert same == same[:1] * 3


MOST = 200  # outcomes that are looked at
#: toys that last until chance comes again: the next deal, a reshuffle
LONGER = {"battle": {"rounds": 2}, "iron_man": {"max_rounds": 3}, "medieval": {"max_battles": 30}}


@GAMES
def test_what_an_action_may_lead_to(game: str) -> None:
    """The chances add up to 1, and what happens is one of them."""
    rules, dice = bb.toy(game, **LONGER.get(game, {})), random.Random(game)
    engine, several = rules.plain(), 0
    for seed in range(3):
        state = engine.state(seed)
        while not state.over:
            action = dice.choice(state.legal())
            found = list(islice(engine.outcomes(state, action), MOST))
            several += len(found) > 1
            if len(found) < MOST:
                assert sum(p for p, _ in found) == pytest.approx(1)
                ways = {seen_by_all(x) for _, x in found}
                for k in range(5):
                    after = state.clone(k)
                    after.apply(action)
                    assert seen_by_all(after) in ways
            state.apply(action)
    assert several


def test_each_seed_has_streams_of_its_own() -> None:
    """Deals, hidden cards and random actions that are drawn with one seed do not hang together."""
    rules = bb.load("war_zone")
    state, match = rules.plain().state(5), rules.match(5)
    found = rules.plain().determinize(match.observation(0), 5)
    assert found.to_bytes() != match.truth.tobytes()
    words = {int(x.array["rng"][0]) for x in (state.clone(5), found, rules.plain().state(5))}
    with mock.patch.object(rules.plain().f, "finish") as finish:
        state.playout(5)
    words.add(int(finish.call_args.args[3][0].rng))
    assert len(words) == 4


def test_actions_may_be_numbers_of_any_kind() -> None:
    state = bb.load("war_zone").plain().state(1)
    action = np.array(state.legal(), np.int32)[0]
    other = state.clone()
    state.apply(action)
    other.apply(int(action))
    assert state.to_bytes() == other.to_bytes()


def test_threads_may_ask_for_outcomes_at_once() -> None:
    engine = bb.toy("battleball").plain()

    def found(seed: int) -> list[tuple[float, bytes]]:
        out, state, dice = list[tuple[float, bytes]](), engine.state(seed), random.Random(seed)
        while not state.over:
            action = dice.choice(state.legal())
            out += [(p, x.to_bytes()) for p, x in engine.outcomes(state, action)]
            state.apply(action)
        return out

    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(found, range(8)))
    assert at_once == list(map(found, range(8)))


def test_outcomes_are_as_likely_as_they_say() -> None:
    engine, tries = bb.toy("battleball").plain(), 2_000
    dice = random.Random(1)
    state = engine.state(1)
    while len(found := list(engine.outcomes(state, action := dice.choice(state.legal())))) < 3:
        state.apply(action)
    wanted = Counter[bytes]()
    for p, x in found:
        wanted[seen_by_all(x)] += p  # type: ignore[assignment]
    seen = Counter[bytes]()
    for k in range(tries):
        after = state.clone(k)
        after.apply(action)
        seen[seen_by_all(after)] += 1
    assert {*seen} <= {*wanted}
    for key, p in wanted.items():
        assert abs(seen[key] - tries * p) < 5 * (tries * p * (1 - p)) ** 0.5


def test_what_is_wrong_is_said() -> None:
    engine = bb.load("war_zone").plain()
    state = engine.state(1)
    with pytest.raises(bb.IllegalAction, match="action 9999 is not legal; legal are"):
        state.apply(9999)
    with pytest.raises(bb.IllegalAction, match="action -1 is not legal"):
        engine.outcomes(state, -1)
    for seat in (2, -1):
        with pytest.raises(ValueError, match=r"seats are 0 \.\. 1, or None"):
            state.observe(seat)
    with pytest.raises(ValueError, match="3 bytes; a state of this game has"):
        engine.from_bytes(b"abc")
    with pytest.raises(ValueError, match="an observation of this game is wanted"):
        engine.determinize(bb.load("medieval").match(1).observation(0), 1)
    with pytest.raises(ValueError, match="what a seat or a spectator sees is wanted"):
        engine.determinize(bb.load("war_zone").match(1).truth, 1)
    three = bb.load("war_zone", players=3)
    with pytest.raises(ValueError, match="3 seats; this ruleset has 2"):
        engine.determinize(three.match(1).observation(0), 1)
    with pytest.raises(ValueError, match="3 seats; this ruleset has 2"):
        engine.from_bytes(three.plain().state(1).to_bytes())
    with pytest.raises(TypeError):
        state.apply("1")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seed"):
        engine.state(-1)
    with pytest.raises(TypeError, match="keep to_bytes"):
        pickle.dumps(state)
    assert "seat" in repr(state)


# ---- what a seat has seen and done ---------------------------------------------------------------
@GAMES
def test_an_information_state_is_all_that_was_seen_and_done(game: str) -> None:
    rules, dice = bb.toy(game), random.Random(game)
    seats = range(rules.players)
    match = rules.match(2)
    known = [NOTHING for _ in seats]

    def look(by: int | None, action: int) -> None:
        for p in seats:
            last = known[p]._replace(action=action if p == by else None)
            known[p] = last.then(match.known(p))
            assert match.information_state(p) == known[p].known

    look(None, 0)
    while not match.over:
        by, action = match.to_act, dice.choice(match.legal_actions)
        before = [match.information_state(p) for p in seats]
        match.submit(by, action)
        after = [match.information_state(p) for p in seats]
        if not match.why_no_undo(by):
            match.undo(by)
            assert [match.information_state(p) for p in seats] == before
            match.submit(by, action)
            assert [match.information_state(p) for p in seats] == after
        look(by, action)


@GAMES
def test_it_is_that_of_trees(game: str) -> None:
    """As far as chance does not come in between."""
    rules, dice, compared = bb.toy(game), random.Random(game), 0
    histories = Histories(rules.plain())
    for _ in range(4):
        at = histories.begin()
        while isinstance(at, ChanceNode):
            at = histories.outcome(at, dice.randrange(len(at.outcomes)))
        match = rules.match(0)
        match.put(histories.deal(at, 1).reshape(1))
        while isinstance(at, History) and at.actions:
            found = [match.information_state(p) for p in range(rules.players)]
            assert found == [*at.information]
            compared += 1
            action = dice.choice(at.actions)
            match.submit(match.to_act, action)
            at = histories.take(at, action)
    assert compared > 4


def test_what_one_did_is_recalled_though_one_sees_the_same() -> None:
    at = NOTHING.then(b"table")
    assert at.then(b"table").known == at.known
    ways = {at._replace(action=action).then(b"table").known for action in range(3)}
    assert len(ways | {at.known}) == 4
    other = NOTHING.then(b"another table").then(b"table")
    assert other.known != at.known  # it had seen something else before


def asked(*holders: int) -> Match:
    """A match of four, in which seat 0 has struck seat 1, and these may save it."""
    match = WINDOW.ruleset({"players": 4, "rounds": 2}).match(2)
    match.open_response_windows()
    deal(match, *holders)
    match.submit(0, strike(1))
    return match


def test_nobody_recalls_that_another_was_asked() -> None:
    found = []
    for holders in ((), (1,), (3,), (1, 3)):
        match = asked(*holders)
        told = [match.information_state(p) for p in (2, None)]
        for p in match.deciding:
            match.submit(p, DECLINE)
        told += [match.information_state(p) for p in (2, None)]
        match.close_response_window()
        assert [x.in_window for x in match._taken[1:]] == [True] * len(holders)
        found.append([*told, *(match.information_state(p) for p in (2, None))])
    assert found[1:] == found[:1] * 3


@pytest.mark.parametrize("others", [None, SAVE, DECLINE])
@pytest.mark.parametrize("first", [1, 3])
def test_who_was_asked_recalls_what_they_answered(others: str | None, first: int) -> None:
    """Also where the answer of another was enough, so that the rules did not take theirs; and in
    whatever order they came.
    """
    within, after = set(), set()
    for mine in (SAVE, DECLINE, None):
        match = asked(1, 3)
        before = match.information_state(3)
        for p in (first, 4 - first):
            if word := mine if p == 3 else others:
                match.submit(p, word)
        within.add(match.information_state(3))
        assert (match.information_state(3) == before) == (mine is None)
        match.close_response_window()
        after.add(match.information_state(3))
        assert match.fresh_copy().information_state(3) not in after
    assert len(within) == len(after) == 3


def test_what_others_answered_is_not_recalled_before_it_shows() -> None:
    found = set()
    for others in (None, SAVE, DECLINE):
        match = asked(1, 3)
        if others:
            match.submit(1, others)
        found.add(match.information_state(3))
    assert len(found) == 1


def test_at_whom_a_strike_was_aimed_is_recalled() -> None:
    """All were shown it in the response window, and a SAVE leaves no other trace of it."""
    found = []
    for target in (1, 3):
        match = WINDOW.ruleset({"players": 5, "rounds": 2}).match(2)
        match.open_response_windows()
        deal(match, 2)
        match.submit(0, strike(target))
        match.submit(2, SAVE)
        match.close_response_window()
        found.append((match.known(4), match.information_state(4)))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


def test_what_was_done_before_is_recalled_as_it_was_seen_then() -> None:
    """Where response windows are opened later: all had seen who was asked."""
    found = []
    for first in (False, True):
        match = WINDOW.ruleset({"players": 4, "rounds": 2}).match(2)
        deal(match, 1, 3)
        for word in (strike(1), DECLINE, DECLINE):
            match.submit(match.to_act, word)
        before = match.information_state(2) if first else b""
        match.open_response_windows()
        found.append(match.information_state(2))
        assert before in (b"", found[-1])
    assert found[0] == found[1]


@GAMES
def test_it_is_the_same_when_one_looks_back(game: str) -> None:
    match, dice = bb.toy(game).match(3), random.Random(game)
    found = [match.information_state(0)]
    while not match.over:
        match.submit(match.to_act, dice.choice(match.legal_actions))
        found.append(match.information_state(0))
    again = [x.information_state(0) for x in match.look_back(range(len(found)))]
    assert again == found
