"""Battle in words and zones: all by taps, promises that come true, nothing told too early."""

from __future__ import annotations

import re
from typing import Any

import pytest

import battlebox as bb
from battlebox.core.scene import Choice, Scene
from battlebox.games.battle import saying
from battlebox.games.battle.state import Event
from battlebox.games.battle.testing import at, walk

FOLLOW = "ba1 n=4 ph=FL turn=0 ids=H.V.H.V hand0=5.8.8.8.9.RV.SV.EX hand1=3 hand2=SV.4 hand3=6.6 "
PAIR = f"{FOLLOW} deck=1 disc=BT.7.7 stand=7x2@3 open=0.1"
MODES: list[dict[str, Any]] = [
    {"players": 4, "rounds": 2},
    {"players": 6, "rounds": 1, "action_timing": "windows"},
    {"players": 10, "rounds": 1},
    {"players": 5, "rounds": 1, "build_effects": False, "build_actions_per_turn": 1},
    {"players": 7, "rounds": 1, "pass_locks": True, "action_timing": "windows"},
]


def choice(m: bb.Match, word: str) -> Choice:
    """What the seat to act is offered."""
    return next(c for c in m.scene(m.to_act).choices if c.word == word)


def refused(m: bb.Match, id: str) -> str:
    """Why the seat to act cannot choose this."""
    return next(x.why for x in m.scene(m.to_act).refusals if x.id == id)


def chips(scene: Scene) -> list[list[str]]:
    """What is said of each seat."""
    return [z.facts["chips"] for z in scene.zones if z.kind == "plaque"]


def test_every_event_has_words() -> None:
    assert all(hasattr(saying.Says, e.name.lower()) for e in Event)


@pytest.mark.parametrize("options", MODES, ids=str)
def test_all_but_doing_nothing_is_done_by_taps(options: dict[str, Any]) -> None:
    for m in walk(3, **options):
        for seat in (None, *range(m.rules.players)):
            buttons = [c.word for c in m.scene(seat).choices if not c.path]
            assert buttons in ([], ["pass"])


@pytest.mark.parametrize("options", MODES, ids=str)
def test_what_a_choice_promises_comes_true(options: dict[str, Any]) -> None:
    before: Any = None
    kept = 0
    for m in walk(4, **options):
        if before:
            me, choices = before
            seat, word = m.history[-1]
            said = next(c.sub for c in choices if c.word == word)
            log = m.log(me)
            if (left := re.match(r"(\d+) fight card", said)) and m.state.round == 1:
                assert m.state.fights[seat] == int(left[1]) or m.over
                kept += 1
            if lost := re.match(r"(.+) loses? a turn", said):
                verb = "are" if lost[1] == "You" else "is"
                skipped = f"{lost[1]} {verb} skipped."
                later = [x for x in log[-6:] if x.endswith("skipped.")]
                kept += skipped in later
        before = (m.to_act, m.scene(m.to_act).choices) if m.to_act is not None else None
    assert kept


def test_a_set_is_a_rank_and_then_a_number() -> None:
    m = at(PAIR)
    assert choice(m, "8x2").path == ("hand:8", "number:2")
    assert choice(m, "8x3").path == ("hand:8", "number:3")
    assert choice(m, "8x2").label == "Beat it with a pair of 8s"
    assert choice(m, "8x2").sub == "3 fight cards left"
    assert [p.name for p in m.scene(0).zone("numbers").pieces] == ["Pair", "Three"]
    assert choice(m, "EX>2").path == ("hand:EX", "seat:2")
    assert choice(m, "RV").path == ("hand:RV",)
    assert choice(m, "pass").path == ()
    m = at(PAIR.replace("8.8.8", "8.8"))
    assert choice(m, "8x2").path == ("hand:8",), "there is only one number"
    with pytest.raises(KeyError):
        m.scene(0).zone("numbers")


def test_the_standing_set_says_what_beats_it_and_who_may() -> None:
    m = at(PAIR)
    zone = m.scene(0).zone("stand")
    assert zone.facts["text"] == "A pair of 7s, played by Seat 3."
    assert [p.name for p in zone.pieces] == ["7", "7"]
    first, second = zone.facts["pills"]
    assert first == {"text": "To beat it: pair of 7+, or any three", "lit": True}
    assert second["text"] == "Seat 1 and you may still beat it"
    assert not m.scene(1).zone("stand").facts["pills"][0]["lit"], "it is not their turn"
    assert m.scene(0).prompt == "Beat a pair of 7s, play an action card or pass."
    assert chips(m.scene(0)) == [["turn"], ["may beat"], ["passed"], ["leads", "dealer"]]


def test_what_cannot_be_played_says_why() -> None:
    m = at(PAIR)
    assert refused(m, "hand:5") == "A single 5 cannot beat a pair of 7s: too few."
    assert refused(m, "hand:9") == "A single 9 cannot beat a pair of 7s: too few."
    assert refused(m, "hand:SV").startswith("You can play Save only while")
    assert refused(m, "deck") == "Nobody draws cards in the battle."
    assert refused(m, "identity:card").startswith("You can play your identity only")
    low = at(PAIR.replace("hand0=5.8.8.8", "hand0=5.5.8.8.8"))
    assert refused(low, "hand:5") == "A pair of 5s cannot beat a pair of 7s: too low."
    lead = at(f"{FOLLOW} ph=LM deck=1 disc=BT".replace("ph=FL ", ""))
    assert refused(lead, "hand:RV") == "You must lead fight cards."
    build = at(f"{FOLLOW} ph=PD deck=1.BT disc=SK".replace("ph=FL ", ""))
    assert refused(build, "hand:5") == "Draw first: then you may discard a fight card."
    assert refused(build, "pile") == "Action cards cannot be picked up from the discard pile."
    aim = at("ba1 n=5 ph=LD turn=0 ids=H.V.H.V.V hand0=3.EX exp=1 out=2 hand1=3 hand3=4 hand4=5")
    assert refused(aim, "seat:1") == "Seat 1's identity is already exposed."
    assert refused(aim, "seat:2") == "Seat 2 is out of this round."


def test_why_one_would_throw_away_what_has_no_effect_is_said() -> None:
    """BA-21: nobody can take what lies below it."""

    def sub(top: str) -> str:
        m = at(f"ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=1.SV deck=1.BT disc={top}")
        return next(c.sub for c in m.scene(0).choices if c.label == "Throw Save away")

    assert sub("7") == "it has no effect, but it covers the 7: nobody can take it"
    assert sub("SK") == "it has no effect"


def test_an_identity_says_what_one_has_to_do() -> None:
    """BA-62, BA-65..68; B16: without an end when a side is all out, nothing of it."""
    facts = at(PAIR).scene(0).zone("identity").facts
    assert (facts["you"], facts["goal"]) == (
        "You are a superhero.",
        "Your side scores when one of you runs out of fight cards (the numbers) and plays an "
        "identity, or all villains are out.",
    )
    facts = at(PAIR, wipeout_ends=False).scene(1).zone("identity").facts
    assert (facts["you"], facts["goal"]) == (
        "You are a villain.",
        "Your side scores when one of you runs out of fight cards (the numbers) and plays an "
        "identity.",
    )


def test_an_identity_is_seen_by_its_owner_until_it_is_exposed() -> None:
    m = at(PAIR)
    mine = m.scene(0).zone("identity").pieces[0]
    assert (mine.kind, mine.name) == ("peek", "Superhero")
    assert m.scene(1).zone("seat:0").pieces[0].kind == "back"
    m.submit(0, "EX>0")
    assert m.scene(0).zone("identity").pieces[0].kind == "card"
    assert m.scene(1).zone("seat:0").pieces[0].name == "Superhero"
    assert "superhero" in chips(m.scene(1))[0]
    assert m.log(1)[-1] == "Seat 0 exposes their own identity: a superhero."
    assert m.log(0)[-1] == "You expose yourself: a superhero."
    assert [z.id for z in m.scene(None).zones if z.kind == "fan"] == []


AIM = "ba1 n=4 ph=LD turn=0 ids=H.V.H.V hand0=5.EL hand1=3 {} hand3=6 deck=1 disc=BT.4"


def test_nobody_but_the_asked_learns_who_may_save() -> None:
    asked, other = (at(AIM.format(hand)) for hand in ("hand2=SV.4", "hand2=4.4"))
    asked.submit(0, "EL>1")
    other.submit(0, "EL>1")
    assert asked.phase == "SV"
    assert asked.scene(2).prompt == "Seat 0 eliminates Seat 1. Play Save for Seat 1?"
    assert choice(asked, "SV").sub == "Seat 1 stays in the round"
    for seat in (None, 0, 1, 3):
        scene = asked.scene(seat)
        assert scene.to_act is None
        assert not scene.choices
        (first,) = other.intermediate_views(seat)
        assert scene.prompt == first.scene.prompt, "whether anybody holds a Save or not"
        assert chips(scene) == chips(first.scene)
    assert asked.scene(1).prompt == "Seat 0 eliminates you, unless somebody saves you."
    assert "in danger" in chips(asked.scene(3))[1]
    asked.submit(2, "SV")
    assert asked.log(3)[-1] == "Seat 2 saves Seat 1."


ENDING = (
    "ba1 n=4 ph=FL turn=0 ids=H.V.H.V hand0=RV hand1=3 hand2=4 hand3=6 deck=1 disc=BT.7 "
    "stand=7x1@3 open=0 score=1.0.2.0 round=2"
)


def test_a_round_ends_with_a_picture_and_stays_to_be_read() -> None:
    m = at(ENDING)
    assert choice(m, "ID").sub == "the superheroes win the round"
    m.submit(0, "ID")
    (end,) = m.intermediate_views(1)
    assert end.scene.prompt == "Round 2 is over: all identities are revealed."
    assert [p.kind for z in end.scene.zones if z.kind == "plaque" for p in z.pieces] == ["card"] * 3
    assert [z.facts["points"] for z in end.scene.zones if z.kind == "plaque"] == [2, 0, 3, 0]
    assert end.scene.to_act is None
    last = m.scene(1).zone("last")
    assert (last.label, last.facts["text"]) == (
        "Round 2",
        "the superheroes (Seat 0 and Seat 2) won by playing an identity",
    )
    assert last.facts["rows"][2] == {"seat": 2, "side": "superhero", "won": True, "points": 3}
    assert m.scene(1).title == "Round 3, building"


def test_the_end_says_who_has_won() -> None:
    m = at(ENDING, target_points=3)
    m.submit(0, "ID")
    assert m.over
    assert m.scene(2).prompt == (
        "You win with 3 points: the superheroes (Seat 0 and you) won by playing an identity "
        "in the last round."
    )
    assert m.scene(0).zone("seat:2").facts["chips"] == ["winner", "superhero"]
    assert not list(m.intermediate_views(0)), "the end is the picture"
    level = at(ENDING.replace("score=1.0.2.0", "score=0.1.0.1"), rounds=2)
    level.submit(0, "ID")
    assert level.scene(0).prompt.startswith("A draw, with everybody level: ")


def test_the_end_says_how_the_round_was_won_and_that_lots_were_drawn() -> None:
    """BA-68: all enemies out; BA-72: a tie is announced, and told with the result."""
    m = at("ba1 n=4 ph=FL turn=0 ids=H.V.H.V out=1 hand0=EL.3 hand1=- hand2=5 hand3=9.1 "
           "stand=9x2@3 open=0.2", rounds=1)  # fmt: skip
    m.submit(0, "EL>3")
    assert "the superheroes (Seat 0 and you) won, as all villains were out" in m.scene(2).prompt
    tied = at(ENDING.replace("score=1.0.2.0", "score=2.0.2.0"), target_points=3)
    tied.submit(0, "ID")
    winner = next(p for p in (0, 2) if "winner" in chips(tied.scene(None))[p])
    assert f"by lot after a tie with Seat {2 - winner}: the super" in tied.scene(None).prompt
    assert any(x.startswith(f"Tie-break: Seat {winner} draws Save") for x in tied.log(None))
    assert any("plays their identity: " in x for x in tied.log(None))


def test_who_eliminates_is_asked_to_save_in_other_words() -> None:
    m = at(AIM.format("hand2=4").replace("hand0=5.EL", "hand0=5.EL.SV"))
    m.submit(0, "EL>1")
    assert m.scene(0).prompt == "Seat 1 would be out. Play Save for Seat 1?"


def test_what_all_have_seen_picked_up_is_said() -> None:
    m = at("ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=1 hand1=2 hand2=3 hand3=4 deck=1.BT disc=7")
    m.submit(0, "take")
    m.submit(0, "d1")
    assert m.scene(1).zone("seat:0").facts["notes"] == ["known to hold 7"]
    assert "holds 7" in chips(m.scene(0))[0]
