"""Three tiny games ask of the core what the games to come ask: it carries them.

Sealed simultaneous choices; 781 action numbers with flood fill and a piece on two cells; ten seats
with hidden sides, several rounds, forced flips, and a window in which only the asked seat knows
that it is asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from games import as_game, bricks, race, sealed, window

from battlebox.bots.search import SearchBot
from battlebox.core import laws
from battlebox.core.game import Ruleset
from battlebox.core.match import Match
from battlebox.core.rules import move_of

SEALED, BRICKS, WINDOW, RACE = (as_game(m) for m in (sealed, bricks, window, race))
RULESETS = {
    "sealed": SEALED.ruleset({}),
    "sealed, many rounds": SEALED.ruleset({"rounds": 50}),
    "window": WINDOW.ruleset({"rounds": 1}),
    "window, 4 seats": WINDOW.ruleset({"players": 4, "rounds": 5}),
    "window, no SAVE": WINDOW.ruleset({"saves": 0, "players": 6, "rounds": 1}),
    "bricks": BRICKS.ruleset({"turns": 12}),
    "race": RACE.ruleset({}),
}


def positions(rules: Ruleset, matches: int, seed: int = 0) -> Iterator[Match]:
    """Every decision of some random matches. The match goes on when the next is asked for."""
    for k in range(seed, seed + matches):
        dice, m = random.Random(k), rules.match(k)
        while m.to_act is not None:
            yield m
            m.submit(m.to_act, dice.choice(m.legal_actions))


def seen(m: Match, seat: int | None) -> tuple[Any, ...]:
    """All that a match tells a seat."""
    return m.observation(seat).tobytes(), m.events(seat), m.log(seat), m.scene(seat)


# ---- the laws ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", RULESETS)
def test_the_laws_hold_on_the_plain_build(name: str) -> None:
    laws.audit(RULESETS[name], 1 if name == "bricks" else 5, compiled=False)
    laws.check(RULESETS[name], 1, seed=3, compiled=False)


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
@pytest.mark.parametrize("name", RULESETS)
def test_the_laws_hold_on_the_compiled_build(name: str) -> None:
    assert laws.audit(RULESETS[name], 200) > 0
    laws.check(RULESETS[name], 1, seed=5)


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_a_whole_game_of_bricks_obeys_the_laws() -> None:
    rules = BRICKS.ruleset({})
    assert laws.audit(rules, 100) > 100 * 100
    for seed in range(3):
        m, dice, actions = rules.match(seed), random.Random(seed), []
        while m.to_act is not None and len(actions) < 150:
            actions.append(dice.choice(m.legal_actions))
            m.submit(m.to_act, actions[-1])
        laws.check_builds(rules, seed, actions)


# ---- sealed --------------------------------------------------------------------------------------
def test_a_sealed_choice_shows_the_other_seat_nothing() -> None:
    """Byte-identical observation, events, words, scene and legal list for every choice."""
    rules, several = RULESETS["sealed"], 0
    for m in positions(rules, 30):
        if m.to_act != 0:
            continue
        several += len(m.legal_actions) > 1
        told = []
        for action in m.legal_actions:
            copy = Match(rules, m.seed)
            for seat, word in m.history:
                copy.submit(seat, word)
            copy.submit(0, action)
            told.append(
                (seen(copy, 1), seen(copy, None), copy.legal_actions, copy.to_act, copy.phase)
            )
            assert copy.state.sealed[0] == action + 1
            own = copy.observation(0)
            assert own["sealed"][0] == action + 1
        assert all(t == told[0] for t in told)
    assert several > 8


def test_a_sealed_choice_moves_nobodys_dice() -> None:
    rules = RULESETS["sealed"]
    m = rules.match(1)
    rng = []
    for action in m.legal_actions:
        m.submit(0, action)
        rng.append(m.state.rng)
        m.undo()
    assert len(rng) > 1
    assert len(set(rng)) == 1


def test_a_sealed_choice_can_be_taken_back_but_no_shown_one() -> None:
    m = RULESETS["sealed"].match(1)
    m.submit(0, m.legal_actions[0])
    assert m.why_no_undo() == ""
    m.submit(1, m.legal_actions[0])
    assert m.why_no_undo() != ""


def test_a_tie_is_broken_by_a_chain_of_flips() -> None:
    longest = 0
    for m in positions(RULESETS["sealed, many rounds"], 40):
        told = m.events(None)
        flips = [t for t in told if t.turn == told[-1].turn and t.event == sealed.Event.FLIPPED]
        longest = max(longest, len(flips))
    assert longest >= 4


# ---- window --------------------------------------------------------------------------------------
def windows(matches: int = 40) -> Iterator[Match]:
    return (m for m in positions(RULESETS["window"], matches) if m.phase == "WINDOW")


def test_only_the_asked_seat_knows_that_it_is_asked() -> None:
    found = 0
    for m in windows():
        found += 1
        for seat in (None, *range(10)):
            wanted = m.to_act if seat == m.to_act else window.NOBODY
            assert m.observation(seat)["to_act"] == wanted
            assert m.scene(seat).to_act == (m.to_act if seat == m.to_act else None)
            assert bool(m.scene(seat).choices) == (seat == m.to_act)
    assert found > 50


def test_a_refusal_to_save_shows_the_others_nothing() -> None:
    """While the window stays open, who is neither asked before nor after sees the same bytes."""
    found = 0
    for m in windows(30):
        before, asked = {p: seen(m, p) for p in (None, *range(10))}, m.to_act
        copy = Match(m.rules, m.seed)
        for seat, word in m.history:
            copy.submit(seat, word)
        copy.submit(asked or 0, move_of(window.decline).at)
        if copy.phase != "WINDOW":
            continue
        found += 1
        for p, was in before.items():
            if p not in (asked, copy.to_act):
                assert seen(copy, p) == was
    assert found > 10


@pytest.mark.slow
def test_what_follows_a_window_does_not_tell_how_many_were_asked() -> None:
    """From what looks the same to a seat, the same look and the same words after the window.

    Nothing else they are told may count the hidden decisions, either.
    """
    several = 0
    for m in windows(12):
        for seat in (None, *range(10)):
            if seat == m.to_act:
                continue
            told: dict[bytes, Any] = {}
            for k in range(12):
                copy = laws.another_truth(m, seat, random.Random(k))
                while copy.phase == "WINDOW" and copy.to_act != seat:
                    copy.submit(copy.to_act or 0, move_of(window.decline).at)
                if copy.phase != "PLAY" or copy.state.round != m.state.round:
                    continue
                if copy.to_act == seat:
                    continue
                copy.submit(copy.to_act or 0, copy.legal_actions[0])  # lays a card off
                key = copy.observation(seat).tobytes()
                events = sorted(map(repr, copy.events(seat)))
                assert told.setdefault(key, events) == events
            several += len(told) > 0
    assert several > 8


def test_undo_does_not_tell_who_was_asked() -> None:
    """No matter who acted last, every seat hears the same."""
    said = set()
    for m in windows():
        m.submit(m.to_act, move_of(window.decline).at)
        if m.phase != "OVER":
            said |= {m.why_no_undo(p) for p in (None, *range(10))}
    assert said == {"everybody has been asked to respond to it"}


def test_the_window_asks_all_holders_and_nobody_else() -> None:
    for m in windows():
        assert m.state.hand[m.to_act, window.Kind.SAVE] > 0
        assert m.state.living[m.to_act] > 0
        assert m.legal_words() == ["a0", "a1"]


def test_a_strike_cannot_be_taken_back() -> None:
    """That there is a window says that somebody holds a SAVE."""
    strike, found = move_of(window.strike), 0
    for m in positions(RULESETS["window"], 10):
        if m.history and strike.at <= int(m.history[-1][1][1:]) < strike.at + strike.count:
            found += 1
            assert m.why_no_undo() != ""
    assert found > 5


def test_several_rounds_are_one_match() -> None:
    for m in positions(WINDOW.ruleset({"rounds": 4, "players": 5}), 5):
        last = m
    assert last.over
    assert last.state.round == 4


def test_a_round_begins_with_a_chain_of_forced_flips() -> None:
    lengths = set()
    for seed in range(60):
        m = RULESETS["window"].match(seed)
        told = [t for t in m.events(None) if t.event == window.Event.FLIPPED]
        assert told[-1].args["card"] == window.Kind.FIGHT
        assert all(t.args["card"] != window.Kind.FIGHT for t in told[:-1])
        lengths.add(len(told))
    assert len(lengths) > 3


def test_sides_stay_hidden_until_they_are_shown() -> None:
    for m in positions(RULESETS["window"], 5):
        for seat in (None, *range(10)):
            o = m.observation(seat)
            for p in range(10):
                known = p == seat or m.state.exposed[p]
                assert o["side"][p] == (m.state.side[p] if known else 0)


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.compiled)])
@pytest.mark.xdist_group("tiny")
def test_bots_play_where_to_act_is_hidden(compiled: bool) -> None:
    rules = RULESETS["window, 4 seats"]
    bot = SearchBot(rules, 5, compiled=compiled)
    for m in (m for m in positions(rules, 3) if m.phase == "WINDOW"):
        assert bot.choose(m.observation(m.to_act)) in m.legal_actions
        with pytest.raises(ValueError, match="to act"):
            bot.choose(m.observation(((m.to_act or 0) + 1) % 4))


# ---- bricks --------------------------------------------------------------------------------------
def test_bricks_has_781_action_numbers_that_phases_share() -> None:
    build = RULESETS["bricks"].plain().build
    assert build.num_actions == 781
    phase = bricks.Phase
    assert build.move_of(200, phase.RUN).name == "run"
    assert build.move_of(200, phase.PLACE).name == "place"
    assert build.move_of(780, phase.SELECT).name == "skip"
    assert build.move_of(780, phase.RUN).name == "stay"
    assert build.move_of(780, phase.PLACE).name == "give_up"
    assert move_of(bricks.run).values(200 + bricks.CELLS) == (1, 200)
    assert move_of(bricks.tackle).number(3, 7) == 586 + 33 + 7


def in_reach(t: Any, s: Any) -> set[int]:
    """Cells that a piece on one cell reaches without the ball, by the book: layer after layer."""
    us = s.to_act
    hot = set()
    for q in range(bricks.TEAM):
        for c in range(bricks.CELLS):
            if s.square[c] == bricks.piece(1 - us, q):
                hot |= {t.near[c, k] for k in range(6)}
    begin = s.at[us, s.mover]
    layer, found = {begin}, {begin}
    for _ in range(s.steps):
        layer = {
            t.near[c, k]
            for c in layer
            if (c == begin or c not in hot) and c != s.ball
            for k in range(6)
            if s.square[t.near[c, k]] == bricks.EMPTY
        } - found
        found |= layer
    return found - {begin, s.ball}


def test_the_flood_fill_finds_just_the_cells_in_reach() -> None:
    rules, found = BRICKS.ruleset({"turns": 60}), 0
    t = rules.plain().tt[0]
    for m in positions(rules, 3):
        if m.phase == "RUN" and m.state.mover != bricks.HEAVY:
            found += 1
            cells = {a for a in m.legal_actions if a < bricks.CELLS}
            assert cells == in_reach(t, m.state)
            grabs = any(bricks.CELLS <= a < 2 * bricks.CELLS for a in m.legal_actions)
            assert not grabs or m.state.ball != bricks.NOWHERE
    assert found > 30


def test_the_heavy_piece_always_stands_on_two_cells() -> None:
    t, moved = RULESETS["bricks"].plain().tt[0], set()
    for m in positions(BRICKS.ruleset({"turns": 60}), 3, seed=9):
        for team in range(2):
            cell = m.state.at[team, bricks.HEAVY]
            what = bricks.piece(team, bricks.HEAVY)
            stands = [c for c in range(bricks.CELLS) if m.state.square[c] == what]
            pair = [] if cell == bricks.NOWHERE else [cell, t.near[cell, bricks.RIGHT]]
            assert stands == pair
            moved.add(tuple(pair))
    assert len(moved) > 4


def test_scratch_is_blank_between_two_calls() -> None:
    for m in positions(RULESETS["bricks"], 1):
        m.legal_words()
        for o in (np.asarray(m.state._record), m.observation(0)):
            assert not any(o[n].any() for n in ("dist", "queue", "hot"))
