"""Battleball in zones and words: each choice once, nothing hidden, promises that come true."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.core.random import Script
from battlebox.core.scene import Refusal
from battlebox.games.battleball import state
from battlebox.games.battleball.saying import Sentences
from battlebox.games.battleball.testing import board

MODES: list[dict[str, Any]] = [
    {},
    {"advanced": True},
    {"advanced": True, "team_rules": True},
    {"advanced": True, "team_rules": True, "tr_blind": False, "lineup": "alternate"},
    {"rows": 15, "cols": 10, "optional_pickup": True, "lineup": "open"},
    {"rows": 15, "cols": 10, "heavy_lead_foot": True, "half_squares_standable": False},
]
MOST = 250  # decisions of a match that are looked at
FULL = "R1f5,R2a5,R3k5,S1c3,S2i3,B1b5,B2j5,L1d5,L2h5,T1f3,H1f4"


def sensible(m: bb.Match, rng: random.Random) -> int:
    """A choice that brings a match on: into the end zone, to the ball, else any."""
    words = m.legal_words()
    if m.phase == "LINEUP" and "preset:1" in words and rng.random() < 0.7:
        return m.legal_actions[words.index("preset:1")]
    if m.phase == "DEST" and "TD" in words:
        return m.legal_actions[words.index("TD")]
    balls = [a for a, w in zip(m.legal_actions, words, strict=True) if w.endswith("*")]
    return rng.choice(balls if balls and rng.random() < 0.5 else list(m.legal_actions))


def walk(options: dict[str, Any], seed: int) -> Iterator[bb.Match]:
    """A match, seen before each decision and at its end."""
    m, rng = bb.load("battleball", **options).match(seed), random.Random(seed)
    for _ in range(MOST):
        if m.over:
            break
        yield m
        m.submit(m.to_act, sensible(m, rng))
    yield m


def at(position: str, **options: Any) -> bb.Match:
    return bb.load("battleball", **options).match(1, position=position)


def choice(m: bb.Match, word: str) -> bb.Choice:
    return next(c for c in m.scene(m.to_act).choices if c.word == word)


@pytest.mark.parametrize("options", MODES, ids=str)
def test_matches_that_get_somewhere_can_be_seen_and_said(options: dict[str, Any]) -> None:
    phases, dice = set(), random.Random(3)
    for m in walk(options, 3):
        phases.add(m.phase)
        for seat in (None, 0, 1):
            scene = laws.check_scene(m, seat, str(options))
            laws.check_secrecy(m, seat, scene, str(options), dice)
    laws.check_words(m)
    assert {"LINEUP", "SELECT", "DEST", "TACKLE"} <= phases


def test_a_blind_lineup_stays_blind() -> None:
    m = bb.load("battleball").match(1)
    m.submit(0, "preset:1")
    for seat in (None, 1):
        text = m.scene(seat).as_json.decode()
        field = m.scene(seat).zone("field")
        assert not any(p.kind == "pawn" for p in field.pieces)
        assert not re.search(r"figure:R1.{0,80} on [a-z]\d", text)
        assert not any("lines up on" in line for line in m.log(seat))
    mine = m.scene(0).zone("field").facts["at"]
    assert mine["figure:R1"] == ["f5"]
    assert mine["figure:H1"] == ["f4", "g4"]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_ways_end_where_the_choices_do_and_go_step_by_step(options: dict[str, Any]) -> None:
    for m in walk(options, 7):
        if m.phase != "DEST":
            continue
        scene, field = m.scene(m.to_act), board(m.rules)
        facts = scene.zone("field").facts
        ways = facts["ways"]
        stops = {p.code for p in scene.zone("field").pieces if p.tone == "stop"}
        assert set(ways) == {str(c.action) for c in scene.choices}
        for c in scene.choices:
            names = way_to(facts, c.action)
            cells = [field.cell(x) for x in names]
            pairs = pairwise(cells)
            assert all(field.distance(a, b) == 1 for a, b in pairs)
            assert len(cells) - (c.word != "TD") <= m.state.steps
            key = str(c.action)
            assert (c.word == "TD") == (facts["into"].get(key) == f"end:{1 - m.state.turn}")
            assert (c.word == "TD") == (facts["far"].get(key) == len(cells))
            if c.word != "TD" and not options.get("heavy_lead_foot"):
                assert names[-1] == c.word.rstrip("*")
                assert "then tackle " not in c.sub or names[-1] in stops
            assert (c.word != "TD" and c.action >= facts["takes"]) == c.word.endswith("*")


@pytest.mark.parametrize("options", MODES, ids=str)
def test_a_tackle_comes_just_where_it_is_promised(options: dict[str, Any]) -> None:
    m, rng = bb.load("battleball", **options).match(11), random.Random(4)
    for _ in range(MOST):
        if m.over:
            break
        a = sensible(m, rng)
        c = next(c for c in m.scene(m.to_act).choices if c.action == a)
        moves = m.phase == "DEST" and c.word != "TD"
        m.submit(m.to_act, a)
        assert not moves or ("tackle" in c.sub) == (m.phase == "TACKLE"), c


def test_every_event_has_words() -> None:
    assert all(hasattr(Sentences, e.name.lower()) for e in state.Event)


def test_a_move_says_what_it_leads_to() -> None:
    m = at("R1f12,S1a1/b1g16,r2h16,s1k25 @f14 - W D:R1=11 1 0-0 -")
    c = choice(m, "g15*")
    assert c.label == "Move Running Back R1 to g15, take the ball"
    assert c.sub == "4 steps, then tackle Harts' R2 (48\u00a0%) or Harts' B1 (22\u00a0%)"
    assert choice(m, "a12").sub == "5 steps"
    assert m.scene(0).prompt == "Choose where Running Back R1 goes: up to 11 steps."
    assert m.scene(1).prompt == "Wolves' Running Back R1 rolled 11. Seat 0 moves it."


def test_the_dice_of_a_tackle_stay_to_be_read() -> None:
    m = at("R1f12,S1a1,S2b1/b1f13,s1k25 R1 - W A 1 0-0 -")
    assert m.phase == "TACKLE"
    assert (
        choice(m, "R1xb1").sub == "a d20 against a d10, for the ball: "
        "you win 22\u00a0%, lose 73\u00a0%, tie 5\u00a0%; fumble 5\u00a0%"
    )
    m.submit(0, "R1xb1")
    dice = m.scene(1).zone("dice")
    assert [p.code for p in dice.pieces] == ["d20", "d10"]
    a, b = (int(p.value) for p in dice.pieces)
    why = "a tie, both are injured" if a == b else "the lower die wins"
    assert dice.facts["text"].startswith(f"Wolves' R1 {a}, your B1 {b}: {why}")
    assert m.scene(0).zone("dice").facts["text"].startswith(f"Your R1 {a}, Harts' B1 {b}: {why}")
    told = m.scene(None).zone("dice").facts["text"]
    assert told.startswith(f"Wolves' R1 {a}, Harts' B1 {b}: {why}")
    if a != b:
        assert told.endswith(f"{'Wolves' if a < b else 'Harts'}' {'R1' if a < b else 'B1'} stays")


def test_the_die_that_lost_a_tackle_is_marked() -> None:
    m = at("R1f12,S1a1,S2b1/b1f13,s1k25 R1 - W A 1 0-0 -")
    m.submit(0, "R1xb1")
    dice = m.scene(1).zone("dice")
    a, b = (int(p.value) for p in dice.pieces)
    lost = [id for id, x, y in (("die:0:0", a, b), ("die:1:0", b, a)) if x >= y]
    assert dice.facts["beaten"] == lost
    rooms = {id for p in (0, 1) for id in m.scene(1).zone(f"bench:{p}").facts["hurt"]}
    rooms |= {id for p in (0, 1) for id in m.scene(1).zone(f"bench:{p}").facts["out"]}
    assert {"figure:R1"} <= rooms if a >= b else "figure:b1" in rooms


def test_a_stored_lineup_is_seen_before_it_is_taken() -> None:
    """Its choice says which piece it lays where."""
    m = bb.load("battleball").match(1)
    cells = {id: spots for x in m.scene(0).placements for id, spots in x.places.items()}
    wide = m.scene(0).placements[0].places
    stored = [c for c in m.scene(0).choices if c.any_order]
    assert len(stored) == 6
    for c in stored:
        after = bb.load("battleball").match(1)
        after.submit(0, c.action)
        laid = zip(c.path[::2], c.path[1::2], strict=True)
        at = {p: [*(wide if p == "figure:H1" else cells)[place]] for p, place in laid}
        assert after.scene(0).zone("field").facts["at"] == at


@pytest.mark.parametrize("lineup", ["blind", "open"])
def test_pieces_are_laid_in_any_order(lineup: str) -> None:
    """Who lines up is told where each piece may go, and each is asked for in its turn."""
    m, rng = bb.load("battleball", lineup=lineup).match(1), random.Random(2)
    for team in (0, 1):
        while m.to_act == team and m.phase == "LINEUP":
            scene = m.scene(team)
            laws.check_laying(m, "", rng)
            assert not m.scene(1 - team).placements
            first = scene.placements[0].pieces[0]
            offered = {c.path[1] for c in scene.choices if c.path[:1] == (first,)}
            assert {*scene.placements[0].places} == offered
            m.submit(team, rng.choice([c.action for c in scene.choices if len(c.path) == 2]))
    assert m.phase != "LINEUP"


def test_where_coaches_place_by_turns_the_next_piece_is_named() -> None:
    """AMB-11: no piece may be laid before its turn, and the page says why."""
    m = bb.load("battleball", lineup="alternate").match(1)
    scene = m.scene(0)
    assert scene.placements == ()
    assert scene.prompt == "Take turns to line up: place Heavy Tackle H1 behind your line; 11 left."
    why = next(r.why for r in scene.refusals if r.id == "figure:R1")
    assert why == (
        "Running Back R1 waits: coaches take turns placing pieces in a fixed order, and"
        " Heavy Tackle H1 is next."
    )
    for team in (0, 1, 0):
        m.submit(team, m.legal_actions[0])
    assert m.scene(1).prompt.endswith("place Tackle T1 behind your line; 10 left.")


def way_to(facts: Mapping[str, Any], action: int) -> list[str]:
    """The cells over which a choice leads, as the field tells who chooses."""
    at, names = facts["ways"][str(action)], list[str]()
    while True:
        names.insert(0, facts["trail"][at][0])
        if len(facts["trail"][at]) == 1:
            return names
        at = facts["trail"][at][1]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_the_last_move_went_the_way_that_was_shown_before(options: dict[str, Any]) -> None:
    """Everybody sees it, over the ball, too, if it was taken; and as long as it is drawn, even if
    pieces fall or fumble meanwhile.
    """
    m, rng = bb.load("battleball", **options).match(5), random.Random(4)
    way, seen = list[str](), {"anew": 0, "again": 0, "ball": 0}
    scenes = {seat: m.scene(seat) for seat in (None, 0, 1)}
    for _ in range(MOST):
        if m.over:
            break
        a = sensible(m, rng)
        before, word = (
            scenes[m.to_act].zone("field").facts,
            m.legal_words()[m.legal_actions.index(a)],
        )
        moves = m.phase == "DEST" and word != "TD"
        if moves:
            way, ball = way_to(before, a), before["token"].get("cell")
        m.submit(m.to_act, a)
        scenes = {seat: m.scene(seat) for seat in scenes}
        for scene in scenes.values():
            last = scene.zone("field").facts["last"]
            assert not last or last["cells"] == way
        seen["anew" if moves else "again"] += bool(last)
        if moves and last and word.endswith("*"):
            right = chr(ord(ball[0]) - 1) + ball[1:]  # on it with the other foot
            assert {ball, right} & {*last["cells"]}
            seen["ball"] += 1
    assert all(n > 2 for n in seen.values()), seen


def test_after_a_skip_no_move_is_the_last() -> None:
    """BB-21: else the way of the opponent's piece would be drawn to where one's own stands."""
    m, before = bb.load("battleball").match(seed=1), False
    while not m.history or m.history[-1][1] != "skip":
        before = bool(m.scene(None).zone("field").facts["last"])
        m.submit(m.to_act, m.legal_words()[0])
    assert before
    assert not m.scene(None).zone("field").facts["last"]


@pytest.mark.parametrize("options", MODES[:3], ids=str)
def test_pieces_of_others_are_called_by_their_team(options: dict[str, Any]) -> None:
    """In all that spectators read, and in what is said of the pieces and dice of an opponent."""
    said = set[str]()
    for m in walk(options, 3):
        scene = m.scene(None)
        texts = [scene.prompt, *m.log(None)[-3:]]
        texts += [str(z.facts.get("text", "")) for z in scene.zones]
        texts += [x for z in scene.zones for p in z.pieces for x in (p.name, p.text)]
        said |= {*texts}
        for seat, tone in ((0, "hart"), (1, "wolf")):
            for z in m.scene(seat).zones:
                said |= {p.name for p in z.pieces if p.tone == tone and p.kind in ("pawn", "die")}
    for text in said:
        for code in re.finditer(r"\b[RSBLTH][123]\b", text):
            before = text[: code.start()]
            assert re.search(r"(Wolves|Harts)' ([A-Z][a-z]+ )*$", before), text


def test_a_throw_has_its_way_and_how_far_it_is() -> None:
    m = at("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", advanced=True)
    facts = m.scene(0).zone("field").facts
    thrown = str(choice(m, "^S1").action)
    assert (facts["ways"][thrown], facts["far"][thrown]) == (1, 1)
    assert facts["trail"] == [["f12"], ["g12", 0]]


def test_what_cannot_be_chosen_says_why_with_the_rule() -> None:
    m = at(f"{FULL}/r1f21,r2k21,r3a21,s1i23,s2c23 @f13 - W M 1 0-0 -")
    refusals = {r.id: r for r in m.scene(0).refusals}
    assert refusals["figure:b1"].why.startswith("Harts' Linebacker B1 is injured")
    assert refusals["figure:r1"] == Refusal(
        "figure:r1",
        "Harts' Running Back R1 is not yours; to tackle it, end a move next to it.",
        ("BB-66",),
    )
    m.submit(0, "S1")
    refusals = {r.id: r for r in m.scene(0).refusals}
    assert refusals["figure:R1"].rules == ("BB-19",)
    assert not m.scene(1).refusals


def test_a_pass_and_a_hand_off_to_the_same_piece_are_two_choices() -> None:
    m = at("R1f12,S1g12/s1k25 R1 - W A 1 0-0 -", advanced=True)
    assert choice(m, ">S1").path == ("figure:S1",)
    assert choice(m, "^S1").path == ("figure:S1", "ball")
    assert choice(m, "^S1").sub == "a d12 + a d6 must reach 1: caught 92\u00a0%, fumble 8\u00a0%"
    needs = "to catch a pass a d12 + a d6 must reach 1 with no equal dice"
    pieces = {p.id: p.text for p in m.scene(0).zone("field").pieces}
    safe = "a hand-off to it is safe unless the dice are equal"
    assert pieces["figure:S1"] == f"On g12; {safe}; {needs}"
    assert pieces["figure:s1"].endswith("to move, and to tackle (the lower number wins)")
    assert choice(m, "=").tone == "quiet"


def test_the_end_says_who_has_won() -> None:
    m = at("R1f25,S1a1/s1k13 R1 - W D:R1=3 2 1-0 -")
    m.submit(0, "TD")
    assert m.over
    assert m.scene(0).prompt == "You win with the Iron Wolves: 2 touchdowns to 0."
    assert m.scene(1).prompt == "Seat 0 wins with the Iron Wolves: 2 touchdowns to 0."
    assert "winner" in m.scene(1).zone("seat:0").facts["chips"]


def test_chances_add_up_to_all_there_is() -> None:
    """Of each tackle and pass that is offered, as they are written."""
    seen, rounded = set[str](), re.compile(r"(win|lose|tie|caught|incomplete|fumble) (\d+)\u00a0%")
    for m in walk({"advanced": True}, 3):
        if m.phase not in ("TACKLE", "OPTION"):
            continue
        for c in m.scene(m.to_act).choices:
            told = c.sub.partition(": ")[2].partition("; ")[0]
            parts = {what: int(p) for what, p in rounded.findall(told)}
            if parts and "under" not in told and "over" not in told:
                assert sum(parts.values()) == 100, c.sub
                seen |= {*parts}
    assert seen == {"win", "lose", "tie", "caught", "incomplete", "fumble"}


def test_who_places_the_ball_is_told_why() -> None:
    """BB-103, BB-151: it is the other coach who does, and in whose turn it is does not matter."""
    seen = dict[str, list[str]]()
    for seed in range(40):
        for m in walk({"advanced": True}, seed):
            if m.phase in ("PLACE", "INCOMPLETE"):
                scene = m.scene(m.to_act)
                assert scene.cue == "You place the ball"
                assert [bool(m.scene(seat).cue) for seat in (0, 1)].count(True) == 1
                assert ", so you " in scene.prompt
                caught = any("intercepts" in c.label for c in scene.choices)
                assert caught == scene.prompt.endswith("Your piece there intercepts it.")
                seen.setdefault(m.phase, []).append(scene.prompt)
            elif m.phase == "SELECT":
                assert not m.scene(m.to_act).cue
        if len(seen) == 2:
            break
    assert all(" fumbles, so you put the ball on a square within 2 " in x for x in seen["PLACE"])
    assert all(x.startswith("The pass falls short, so you choose ") for x in seen["INCOMPLETE"])


def test_a_lineup_begins_with_what_the_letters_can_do() -> None:
    m = bb.load("battleball").match(1)
    assert m.scene(0).prompt == "Line up your pieces, or start with a stored lineup."
    assert m.scene(0).zone("field").facts["hint"] == (
        "R runs farthest (d20: a die of 20 sides); T and H tackle best (the lower die wins)."
    )
    assert not m.scene(1).zone("field").facts["hint"]


def test_the_box_is_said_to_be_for_good() -> None:
    m = at(f"{FULL}/r1f21,r2k21,r3a21,s1i23,s2c23 @f13 - W M 1 0-0 box=b1")
    refusals = {r.id: r.why for r in m.scene(0).refusals}
    why = "Harts' Linebacker B1 is seriously injured: in the Box until the end of the match."
    assert refusals["figure:b1"] == why


def test_the_end_says_that_nobody_was_left() -> None:
    rules = bb.load("battleball")
    m = bb.Match(rules, 0, position="T1f10/r1g10 @k1 - W A 2 1-0 loser1=H", chance=Script(1, 15))
    m.submit(0, "T1xr1")
    said = "2 touchdowns to 0. The Black Harts have nobody left to play."
    assert m.scene(0).prompt == f"You win with the Iron Wolves: {said}"
