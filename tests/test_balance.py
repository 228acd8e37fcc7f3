"""What is measured of a ruleset, and what comes of it: on invented results whose truth is known,
and on short matches.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
from collections import Counter
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from games import as_game, race, short
from typer.testing import CliRunner

import battlebox as bb
from battlebox import cli
from battlebox.arena import Plan, Result, tournament
from battlebox.arena.balance import (
    Findings,
    Study,
    change,
    compare,
    figures,
    findings,
    measure,
    page,
    page_of_variants,
    read_setting,
    variants,
    verdict,
    verdicts,
)
from battlebox.arena.balance.compare import Comparison
from battlebox.arena.balance.parameters import deck_of, named, number_at, paths, slug, to_toml
from battlebox.arena.balance.players import appraiser, thrifty, usual_bots
from battlebox.arena.balance.recorder import (
    MatchStats,
    chances,
    first_hands,
    follow,
    observe,
    uses,
)
from battlebox.arena.balance.study import AS_IT_IS, Series, lines_of
from battlebox.arena.balance.verdict import widened
from battlebox.arena.intervals import share
from battlebox.bots import PolicyBot
from battlebox.bots.search import SearchBot
from battlebox.core.errors import BattleboxError

RACE = as_game(race).ruleset({})
SHORT = bb.load("war_zone", start_health=5)
needs_matplotlib = pytest.mark.skipif(
    not importlib.util.find_spec("matplotlib"),
    reason="matplotlib is not installed: battlebox[balance]",
)


# ---- what is noted of a match --------------------------------------------------------------------
@pytest.mark.parametrize("name", bb.games())
def test_what_is_noted_of_a_match_fits_together(name: str) -> None:
    rules = short(name)
    plan = Plan(rules, ("random", "random"), 3)
    seen = observe(plan, 0, (uses, first_hands))
    assert seen.taken.total() == seen.result.decisions >= seen.choices > 0
    assert not seen.taken - seen.offered
    assert set(seen.offered) == set(seen.words)
    assert {use.split()[0] for use in seen.offered} <= {m.name for m in rules.plain().build.moves}
    assert rules.game.length_unit
    assert seen.turns == seen.events[rules.game.length_unit.event.name] > 0
    for cards in (*seen.dealt, *seen.held, *seen.played):
        assert set(cards) <= set(seen.names)


def test_the_cards_of_a_match() -> None:
    seen = observe(Plan(SHORT, ("random", "random"), 3), 0, (uses, first_hands))
    assert [hand.total() for hand in seen.dealt] == [6, 6]
    put_under = sum(n for use, n in seen.taken.items() if use.split()[0] in ("mulligan", "cycle"))
    used = sum(x.total() for x in seen.played)
    assert used == put_under + seen.events["ATTACKED"] + seen.events["BLOCKED"]
    assert all(x <= y for x, y in zip(seen.played, ({*h} for h in seen.held), strict=True) if not x)


def test_figures_are_noted_where_there_are_no_hands() -> None:
    seen = observe(Plan(short("battleball"), ("random", "random"), 3), 0, (uses, first_hands))
    assert not any(seen.dealt)
    chosen = sum(n for use, n in seen.taken.items() if use.split()[0] == "select")
    assert sum(x.total() for x in seen.played) >= chosen > 0


def test_a_recorder_changes_nothing() -> None:
    plan = Plan(SHORT, ("random", "random"), 3)
    assert observe(plan, 5, (uses, first_hands)).result == observe(plan, 5, ()).result


def test_the_rules_that_are_followed() -> None:
    seen = follow(Plan(SHORT, ("random", "random"), 3), 0)
    assert {"WZ-17", "WZ-20", "WZ-50"} <= seen.followed <= seen.asked
    assert not {"WZ-73", "WZ-74"} & seen.asked, "there was no lightning round"
    assert sys.getprofile() is None


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_the_rules_are_traced_also_where_others_look_with_machine_code() -> None:
    quick = SHORT.changed({})
    quick.use_compiled_observer()
    found = [follow(Plan(rules, ("random", "random"), 3), 0) for rules in (SHORT, quick)]
    assert found[0] == found[1]


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_chances_are_what_each_seat_expects_by_the_policy() -> None:
    quick, asked = appraiser(SHORT, 0), list[tuple[int, float]]()
    assert isinstance(quick, PolicyBot)

    def ask(plan: Plan, stats: MatchStats) -> Any:
        def recorder(m: bb.Match, action: int | None) -> None:
            if action is not None and m.to_act != (asked[-1][0] if asked else None):
                asked.append((m.to_act, quick.values(m.observation(m.to_act))[m.to_act]))

        return recorder

    seen = observe(Plan(SHORT, ("random", "random"), 3), 0, (chances, ask))
    assert [x[p] for x, (p, _) in zip(seen.chances, asked, strict=True)] == [
        pytest.approx(0.5 + expected / 2) for _, expected in asked
    ]
    winner = int(np.argmax(seen.result.returns))
    assert seen.chances[-1][winner] > seen.chances[-1][1 - winner]


def test_where_nothing_was_learned_a_search_estimates_chances() -> None:
    found = appraiser(RACE, 0)
    assert isinstance(found, SearchBot)
    m = RACE.match(seed=0)
    values = found.values(m.observation(0))
    assert sum(values) == pytest.approx(0), "one wins what the other loses"
    assert all(-1 <= x <= 1 for x in values)


def test_who_plays_if_nobody_says() -> None:
    assert (usual_bots(SHORT), thrifty(SHORT)) == ("quick", "quick")
    assert (usual_bots(RACE), thrifty(RACE)) == ("expert", "so-ismcts:100")


# ---- what comes of it ----------------------------------------------------------------------------
def invented(*returns: tuple[float, ...], first: int | None = None) -> list[MatchStats]:
    """Matches with these results."""
    return [MatchStats(Result(k, r, 10), first=first) for k, r in enumerate(returns)]


def test_what_a_card_is_worth_is_found() -> None:
    dice = np.random.default_rng(1)
    counts = dice.multinomial(6, [0.4, 0.3, 0.3, 0.0], size=(4000, 2)).astype(float)
    truth = np.array([0.04, -0.01, -0.03, 0])
    chance = 0.5 + ((counts[:, 0] - counts[:, 1]) @ truth)
    won = dice.random(4000) < chance
    score = np.stack([won, ~won], axis=1).astype(float)
    found = findings.within_deals(counts, score)
    assert found[3] is None, "nobody ever has it"
    wide = [e.high - e.low for e in found if e]
    assert max(wide) < 0.06
    for e, true in zip(found, truth, strict=False):
        assert e is None or e.low < true < e.high


def test_few_deals_do_not_tell_what_many_cards_are_worth() -> None:
    dice = np.random.default_rng(1)
    for deals, known in ((199, False), (200, True)):
        counts = dice.integers(3, size=(deals, 2, 20)).astype(float)
        found = findings.within_deals(counts, dice.random((deals, 2)))
        assert all((e is not None) == known for e in found)


def test_how_much_the_deal_decides() -> None:
    dice = np.random.default_rng(1)
    first = dice.integers(2, size=1000)
    second = dice.integers(2, size=1000)
    for again, low, high in ((first, 0.99, 1.01), (second, -0.1, 0.1), (1 - first, -1.01, -0.99)):
        score = np.stack([np.stack([x, 1 - x], axis=1) for x in (first, again)], axis=1)
        assert low <= findings.kinship(score.astype(float)) <= high
    assert findings.kinship(np.ones((5, 2, 2))) == 0, "all ended alike"


@pytest.mark.parametrize(
    ("lead", "changes", "decided"),
    [
        ([0.1, 0.2, 0.3], 0, 0.0),
        ([-0.1, 0.2], 1, 0.5),
        ([0.1, -0.04, 0.1], 0, 2 / 3),  # too little to be a lead
        ([-0.3, 0.1, -0.3, 0.1], 3, 3 / 4),
    ],
)
def test_changes_of_the_lead(lead: list[float], changes: int, decided: float) -> None:
    assert findings._changes(lead) == changes
    assert findings._decided(lead) == pytest.approx(decided)


def test_leads_are_those_of_who_wins() -> None:
    seen = invented((-1, 1), (0, 0), (1, -1))
    for x in seen:
        x.chances = [(0.6, 0.5), (0.2, 0.9)]
    found = Findings(Study(RACE, "random"), {"searched": seen, "main": []})
    assert list(found.leads) == [0, 2], "nobody won the second"
    assert np.allclose(list(found.leads.values()), [[-0.1, 0.7], [0.1, -0.7]])
    assert found.comebacks.value == 0.5


def test_leads_are_averaged_by_deal() -> None:
    """Of which one may have but one match with a winner."""
    seen = invented((1, -1), (1, -1), (0, 0), (1, -1))
    for k, x in enumerate(seen):
        x.chances = [(0.0, 1.0) if k == 0 else (1.0, 0.0)]
    found = Findings(Study(RACE, "random"), {"searched": seen, "main": []})
    assert found._of_leads(min) == [0, 1]
    assert found.comebacks == share([0.5, 0])


def test_effects_are_those_of_the_same_deals() -> None:
    before = invented((1, -1), (1, -1), (-1, 1), (-1, 1))
    after = invented((1, -1), (1, -1), (-1, 1), (1, -1))
    found = findings.effect(("option", "value"), before, after)  # type: ignore[arg-type]
    assert found.first.value == 0.25
    assert found.same == 0.75
    assert findings.effect(("option", "value"), before, before[:2]).same == 1  # type: ignore[arg-type]


def test_who_has_the_first_turn() -> None:
    seen = [*invented((1, -1), first=1), *invented((1, -1), first=0)]
    assert findings.first_scores(seen) == [0, 1]
    assert findings.begins(seen)
    assert not findings.begins(seen[:1])


# ---- numbers by their paths ----------------------------------------------------------------------
@pytest.mark.parametrize("name", bb.games())
def test_a_deck_is_written_as_it_was_read(name: str) -> None:
    rules = bb.load(name)
    text = to_toml(deck_of(rules))
    assert tomllib.loads(text) == deck_of(rules)
    assert rules.changed({"deck": text}).digest == rules.digest


def test_a_deck_with_all_that_toml_has() -> None:
    data = {"a b": 'x"\\', "yes": True, "t": {"in": {"n": 1}}, "list": [{"id": "q", "l": [1, 2]}]}
    assert tomllib.loads(to_toml(data)) == data


def test_numbers_by_their_paths() -> None:
    rules = bb.load("war_zone")
    assert number_at(rules, "deck.artillery.damage") == 4
    assert number_at(rules, "start_health") == 20
    other = change(rules, {"deck.artillery.damage": "6", "start_health": "9"})
    assert number_at(other, "deck.artillery.damage") == 6
    assert number_at(other, "start_health") == 9
    assert number_at(bb.load("battle"), "deck.players.4.remove.save") == 1
    assert "deck.artillery.damage" in paths(rules)
    assert change(rules, {"deck": "warzone-half"}).options.deck == "warzone-half"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("deck.artilery.damage", "5", "did you mean 'deck.artillery.damage'"),
        ("deck.artillery", "5", "'deck.artillery' is not known"),
        ("deck.artillery.id", "5", "'deck.artillery.id' is not known"),
        ("deck.artillery.damage", "much", "a whole number"),
        ("deck.artillery.damage", "1000", "Artillery, line 30: damage 1000; 0 to 999"),
        ("start_helth", "5", "did you mean 'start_health'"),
        ("start_health", "much", "start_health = 'much'"),
    ],
)
def test_a_path_or_a_value_that_is_none(path: str, value: str, said: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(said)):
        change(bb.load("war_zone"), {path: value})


def test_a_game_without_a_deck() -> None:
    with pytest.raises(bb.RulesetError, match="race has no deck"):
        change(RACE, {"deck.artillery.damage": "5"})


def test_variants_are_all_combinations() -> None:
    found = variants(RACE, [read_setting("goal=5,6"), read_setting("sides=2, 3")])
    assert list(found) == ["goal=5 sides=2", "goal=5 sides=3", "goal=6 sides=2", "goal=6 sides=3"]
    assert number_at(found["goal=6 sides=2"], "goal") == 6
    with pytest.raises(bb.RulesetError, match="goal is set twice"):
        variants(RACE, [read_setting("goal=5"), read_setting("goal=6")])
    with pytest.raises(bb.RulesetError, match="25 variants: 24 at most"):
        variants(RACE, [read_setting("goal=" + ",".join(map(str, range(1, 26))))])
    for word in ("goal", "=5", "goal=", "goal=5,,6"):
        with pytest.raises(bb.RulesetError, match="sets nothing"):
            read_setting(word)


# ---- side by side --------------------------------------------------------------------------------
def test_it_stops_when_the_difference_is_certain() -> None:
    """With one step to go the first seat always wins."""
    found = compare(
        Study(RACE, "random"), variants(RACE, [read_setting("goal=1")]), until=0.05, workers=1
    )
    assert len(found.seen["goal=1"]) == 100, "at the first look"
    assert found.first("goal=1").value == 1
    assert found.difference("goal=1").low > 0
    assert found.certain
    assert "not certain" not in " ".join(verdicts(found))


def test_it_does_not_stop_while_nothing_is_certain() -> None:
    found = compare(
        Study(RACE, "random", matches=140), variants(RACE, [read_setting("goal=21")]), workers=1
    )
    assert len(found.seen["goal=21"]) == 140
    assert not found.certain
    assert "not certain yet" in list(verdicts(found))[1]


def test_a_margin_that_is_none() -> None:
    with pytest.raises(bb.RulesetError, match="a margin between"):
        compare(Study(RACE, "random"), {}, until=0.5)


ARTILLERY = "deck.artillery.count"


def test_it_answers_about_the_card_whose_number_differs() -> None:
    """Of which there are three times as many."""
    wanted = variants(SHORT, [read_setting(f"{ARTILLERY}=12")])
    found = compare(Study(SHORT, "random", matches=60), wanted, paths=[ARTILLERY], workers=1)
    assert found.asked == ["AR"]
    used = found.changes[f"{ARTILLERY}=12"][0]
    assert used.change is not None
    assert used.change.low > 0
    said = " ".join(verdicts(found))
    assert re.search(r"Artillery is used \d.*changed by \+.*: a change", said)
    assert "worth is not known; there were too few deals" in said
    usual = compare(Study(SHORT, "random", matches=60), wanted, workers=1)
    assert "Artillery" not in " ".join(verdicts(usual)), "it was not asked about"


def test_it_answers_about_the_pieces_whose_die_differs() -> None:
    rules, path = bb.load("battleball", max_plies=8), "deck.running_back.sides"
    wanted = variants(rules, [read_setting(f"{path}=5")])
    found = compare(Study(rules, "random", matches=20), wanted, paths=[path], workers=1)
    assert {c.upper() for c in found.asked} == {"R1", "R2", "R3"}
    assert {found.codes[c] for c in found.asked} == {f"Running Back {c}" for c in found.asked}
    said = " ".join(verdicts(found))
    assert re.search(r"Running Back R\d is used \d.*changed by", said)
    assert "worth" not in said, "nobody is dealt a piece"


def test_as_many_deals_as_cards_need() -> None:
    """However soon the first seat's wins are known."""
    usual = Comparison(Study(RACE, "random"), {AS_IT_IS: pilot_of(40)}, 0.05)
    assert usual.wanted == 0
    assert replace(usual, cards=frozenset({"artillery"})).wanted == 1000
    long = Comparison(Study(RACE, "random"), {AS_IT_IS: pilot_of(4000)}, 0.05, frozenset({"x"}))
    assert long.wanted == 10


def with_card(added: float, seed: int) -> list[MatchStats]:
    """Matches of two seats with two kinds of cards, of which one adds so much to the chances."""
    out = []
    for k in range(3000):
        dice = np.random.default_rng(k // 2)  # the deal's
        lots = np.random.default_rng((seed, k))
        hands = dice.integers(4, size=2)
        won = lots.random() < 0.5 + added * float(hands[0] - hands[1])
        x = MatchStats(
            Result(k, (1, -1) if won else (-1, 1), 10), names={"AR": "Artillery", "B": "B"}
        )
        x.dealt = tuple(Counter(AR=int(n), B=3 - int(n)) for n in hands)
        x.played = x.dealt
        out.append(x)
    return out


def test_how_much_more_a_card_is_worth_is_found() -> None:
    found = Comparison(
        Study(RACE, "random"),
        {AS_IT_IS: with_card(0.02, 1), "stronger": with_card(0.10, 2), "alike": with_card(0.02, 3)},
        0.05,
        frozenset({"artillery"}),
    )
    worth = {name: changes[2] for name, changes in found.changes.items()}
    assert worth[AS_IT_IS].change is None
    # in place of a card of the mean kind, which is as good as half of it
    for name, now, changed in (("stronger", 0.05, 0.04), ("alike", 0.01, 0.0)):
        measured, by = worth[name].now, worth[name].change
        assert measured is not None
        assert by is not None
        assert measured.low < now < measured.high
        assert by.low < changed < by.high
    said = [x for x in verdicts(found) if "in the first hand" in x]
    assert said[1].endswith(": a change")
    assert said[2].endswith(": no change shows")


def test_names_of_cards_as_decks_write_them() -> None:
    assert slug("Man-at-Arms") == "man_at_arms"
    assert "AR" in named(bb.load("war_zone"), "deck.artillery.damage")
    assert "1" in named(bb.load("iron_man"), "deck.power1.value"), "its code"
    text = to_toml(deck_of(bb.load("battleball"))).replace("Running Back", "Fast Runner")
    assert named(bb.load("battleball", deck=text), "deck.running_back.sides") == {
        "running_back",
        "fast_runner",
        "sides",
    }
    assert named(bb.load("battle"), "deck.players.4.remove.save") == {"players", "remove", "save"}
    assert named(bb.load("war_zone"), "start_health") == frozenset()


# ---- what stands out -----------------------------------------------------------------------------
E = findings.Estimate


def study_with(**other: Any) -> Any:
    """Findings in which nothing stands out, but what is said."""
    usual = {
        "study": Study(SHORT, "random"),
        "own": [None] * 600,
        "seats": [E(0.5, 0.46, 0.54)] * 2,
        "first": E(0.51, 0.47, 0.55),
        "cards": [card("A", E(0.01, -0.02, 0.04))],
        "moves": [],
        "rules": {"asked, always no": [], "never": []},
        "seen": {"cards": [], "rules": []},
        "draws": E(0.02, 0.01, 0.03),
        "lengths": [findings.Length("turns", E(12, 11, 13), (4, 7, 12, 20, 30))],
    }
    return SimpleNamespace(**{**usual, **other})


def card(name: str, worth: E | None, used: float = 1.0) -> findings.CardUse:
    return findings.CardUse(name, 1, E(used, used, used), None, None, worth, None)


def test_nothing_stands_out_where_nothing_does() -> None:
    said = verdict(study_with())
    assert said[0] == "Nothing stands out."
    assert "no advantage shows, but one of up to 5 points is possible" in said[1]
    assert any("No card of 1 kinds is clearly too strong or too weak" in x for x in said)
    assert "600 matches of random against itself" in said[-1]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (E(0.59, 0.57, 0.61), "Going first wins 59.0 % (57.0 .. 61.0); 50 % would be even: comp"),
        (E(0.41, 0.39, 0.43), "50 % would be even: compensate the seat that goes first."),
        (E(0.52, 0.505, 0.535), "an advantage, which may be too small to matter"),
        (E(0.48, 0.465, 0.495), "a disadvantage, which may be too small to matter"),
    ],
)
def test_who_goes_first_is_said_with_its_interval(first: E, said: str) -> None:
    assert said in verdict(study_with(first=first))[0]


def test_seats_are_compared_with_their_number_in_mind() -> None:
    """What would stand out alone does not among six."""
    even, more = E(1 / 6, 0.14, 0.19), E(0.2, 0.175, 0.225)
    said = verdict(study_with(first=None, seats=[*[even] * 5, more]))
    assert said[0] == "Nothing stands out."
    assert "wide enough for all 6 seats" in said[1]


def test_cards_are_compared_with_their_number_in_mind() -> None:
    strong, weak = card("Gun", E(0.08, 0.06, 0.10)), card("Dove", E(-0.09, -0.11, -0.07))
    near = card("Fork", E(0.06, 0.032, 0.088))
    many = [card(f"c{k}", E(0, -0.02, 0.02)) for k in range(12)]
    said = verdict(study_with(cards=[strong, near, *many, weak]))
    assert said[0].startswith(
        "Gun is too strong: one more in the first hand adds +8.0 points (+5.0"
    )
    assert said[1].startswith("Dove is too weak")
    assert not any("Fork" in x for x in said), "alone it would have been too strong"
    assert verdict(study_with(cards=[near]))[0].startswith("Fork is too strong")


def test_widened_intervals_are_right_all_together() -> None:
    values = np.random.default_rng(1).normal(size=(1000, 15))
    missed = [
        [any(not w.low <= 0 <= w.high for w in each) for each in of]
        for of in (
            [[E(x, x - 1.96, x + 1.96) for x in row] for row in values],
            [[widened(E(x, x - 1.96, x + 1.96), 15) for x in row] for row in values],
        )
    ]
    assert np.mean(missed[0]) > 0.4
    assert np.mean(missed[1]) < 0.07


def test_what_nobody_used_is_said() -> None:
    move = SimpleNamespace(name="put_under", count=3)
    unused = findings.MoveUse(move, E(0, 0, 0), 0, 0, 1, ("a", "b"))  # type: ignore[arg-type]
    impossible = unused._replace(unoffered=3, untaken=())
    said = " ".join(
        verdict(
            study_with(
                cards=[card("Dud", None, used=0)],
                moves=[unused, impossible],
                rules={"asked, always no": ["X-1"], "never": [f"Y-{k}" for k in range(20)]},
                draws=E(0.3, 0.25, 0.35),
                lengths=[findings.Length("turns", E(12, 11, 13), (4, 7, 12, 50, 90))],
            )
        )
    )
    assert "Never used in 600 matches: Dud." in said
    assert "Moves never possible in 600 matches: put under." in said
    assert "Moves possible but never chosen in 600 matches: put under." in said
    assert "X-1, Y-0" in said
    assert "and 9 more." in said
    assert "Nobody wins 30.0 % (25.0 .. 35.0) of the matches: many." in said
    assert "one in twenty more than 50: some drag on." in said
    assert "Nothing stands out" not in said


# ---- going on ------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", bb.games())
def test_what_is_noted_is_read_as_it_was_written(name: str) -> None:
    rules = short(name)
    lines = lines_of(Study(rules, "random"), ("random", "random"))
    seen = observe(Plan(rules, ("random", "random"), 3), 0, (uses, first_hands))
    seen.asked = frozenset({"X-1"})
    seen.chances = [(0.1, 1 / 3)]
    text = json.dumps(lines.write(("main", 0), seen))
    assert lines.read(json.loads(text)) == (("main", 0), seen)
    for broken in ("{}", "3", text.replace('"main"', "7"), text.replace("[[", "[")):
        with pytest.raises((ValueError, KeyError, TypeError)):
            lines.read(json.loads(broken))


class Stop(Exception):
    """Raised where a run is to end early."""


def stop_after(matches: int) -> Any:
    def progress(count: int, expected: int | None) -> None:
        if count >= matches:
            raise Stop

    return progress


def test_a_comparison_that_was_stopped_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, numbers = tmp_path / "a.jsonl", list[Any]()
    wanted, study = variants(RACE, [read_setting("goal=21")]), Study(RACE, "random", matches=140)
    whole = compare(study, wanted, workers=1)
    with pytest.raises(Stop):
        compare(study, wanted, workers=1, out=path, progress=stop_after(33))
    with path.open("ab") as f:
        f.write(b'{"series": "as it is", "mat')  # killed while it wrote
    original = Series.play
    monkeypatch.setattr(Series, "play", lambda s, k: numbers.append(k) or original(s, k))
    assert compare(study, wanted, workers=1, out=path).seen == whole.seen
    assert len(numbers) == 280 - 33
    other = variants(RACE, [read_setting("goal=22")])
    before = path.read_bytes()
    with pytest.raises(BattleboxError, match="another study, whose variants is"):
        compare(study, other, workers=1, out=path)
    with pytest.raises(BattleboxError, match="it is not a file of battlebox arena"):
        tournament(Plan(RACE, ("random", "random")), 4, workers=1, out=path)
    assert path.read_bytes() == before


@needs_matplotlib
def test_the_command_goes_on_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "balance war_zone start_health=5 --set start_health=1 --bots random --matches 20"
    run = partial(CliRunner().invoke, cli.app, [*words.split(), "--workers", "1"])

    def interrupted(text: str, path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("battlebox.arena.balance.write", interrupted)
        result = run()
        assert "balance-war_zone.jsonl keeps what was played; run the same command" in result.output
    assert (tmp_path / "balance-war_zone.jsonl").read_bytes().count(b"\n") == 41
    monkeypatch.setattr(Series, "play", None)  # nothing is played again
    result = run()
    assert result.exit_code == 0, result.output
    assert [x.name for x in tmp_path.iterdir()] == ["balance-war_zone.html"]


# ---- a study -------------------------------------------------------------------------------------
def test_a_study_that_is_none() -> None:
    with pytest.raises(bb.RulesetError, match="no bot 'nobody'"):
        Study(RACE, "nobody")
    with pytest.raises(bb.RulesetError, match="a study has 20 at least"):
        Study(RACE, "random", matches=19)


def test_there_are_as_many_matches_as_their_length_allows() -> None:
    few, many = (Study(SHORT, "expert").series(pilot_of(length)) for length in (400, 40))
    assert few.keys() == many.keys()
    for name, series in few.items():
        assert series.matches <= many[name].matches
        assert series.matches % 2 == 0, "whole deals"
    own = Study(SHORT, "expert", matches=50).series(pilot_of(40))
    assert own["searched"].matches + own["main"].matches == 50
    assert own["main"].first == own["searched"].matches


def pilot_of(length: int) -> list[MatchStats]:
    """First matches of so many decisions, of a game with cards."""
    return [MatchStats(Result(k, (1, -1), length), held=(Counter(IF=1),)) for k in range(4)]


def test_nothing_is_played_for_cards_where_there_are_none() -> None:
    pilot = pilot_of(40)
    assert "cards" in Study(SHORT, "expert").series(pilot)
    for x in pilot:
        x.held = (Counter(),)
    assert "cards" not in Study(SHORT, "expert").series(pilot)


def test_switches_are_modes_and_options_that_are_on_or_off_or_words() -> None:
    found = {f"{s.option}={s.value}": rules for s, rules in Study(SHORT, "expert").switches.items()}
    assert {"speedy=True", "relief=False", "reshuffle=lazy", "deck=warzone-half"} <= set(found)
    assert not {"relief=True", "reshuffle=eager"} & set(found)
    said = set(map(Study(SHORT, "expert").said, Study(SHORT, "expert").switches))
    assert {"Speedy game: yes", "Reshuffle: at the next draw", "Mode: Teams"} <= said
    assert [x for x in found if x.startswith("mode=")] == ["mode=Teams"], "it sets two options"
    assert all(isinstance(rules, bb.Ruleset) for rules in found.values())
    three = Study(bb.load("war_zone", players=3), "expert").switches
    both = {s.value: rules for s, rules in three.items() if s.option == "mode"}
    assert isinstance(both["Teams"], bb.Ruleset), "it says how many play"


class Balanced(HTMLParser):
    """Finds what is not closed, and what would be fetched."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open += [] if tag == "meta" else [tag]
        self.fetched += [
            x for k, x in attrs if k in ("src", "href", "xlink:href") and x and x[0] != "#"
        ]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@needs_matplotlib
def test_the_page_of_variants() -> None:
    found = compare(
        Study(RACE, "random", matches=100), variants(RACE, [read_setting("goal=1")]), workers=1
    )
    text = page_of_variants(found, "battlebox balance 'a & <b>'")
    parsed = Balanced(text)
    assert not parsed.open
    assert not parsed.fetched
    assert text.count("<svg") == text.count('<svg aria-hidden="true"') == 1
    assert "a &amp; &lt;b&gt;" in text
    assert text == page_of_variants(found, "battlebox balance 'a & <b>'")


@needs_matplotlib
@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_a_study_gives_the_same_page_whoever_plays(tmp_path: Path) -> None:
    """And all sections are on it."""
    study = Study(SHORT, "easy", matches=20)
    out = tmp_path / "a.jsonl"
    with pytest.raises(Stop):  # gone on with by the other run
        measure(study, workers=1, out=out, progress=stop_after(3000))
    one, two = (Findings(study, measure(study, workers=n, out=x)) for n, x in ((1, None), (2, out)))
    assert out.read_bytes().count(b"\n") == 1 + sum(map(len, two.seen.values()))
    text = page(one, "battlebox balance")
    assert text == page(two, "battlebox balance")
    parsed = Balanced(text)
    assert not parsed.open
    assert not parsed.fetched
    titles = re.findall("<h2>(.*?)</h2>", text)
    assert titles == [
        "The numbers that matter most",
        "Who wins",
        "How long it takes",
        "How it goes",
        "Skill and luck",
        "Moves",
        "Cards",
        "What happens",
        "Rules",
        "What options do",
        "How it was run",
    ]
    ids = [id for ids in one.rules.values() for id in ids]
    assert sorted(ids) == sorted(SHORT.game.rulebook), "each id once"
    assert "WZ-17" in one.rules["followed"]
    assert all(switches for switches in one.elsewhere.values())
    turned = {x.switch: x for x in one.effects}
    assert [x.same for s, x in turned.items() if s.option == "speedy_team"] == [1]
    assert any(x.same < 1 for x in turned.values())
    assert "Reshuffle: at the next draw" in text
    assert "reshuffle=lazy" not in text


# ---- the command ---------------------------------------------------------------------------------
def said(*words: str) -> str:
    """What the command refuses with."""
    result = CliRunner().invoke(cli.app, ["balance", *words])
    assert isinstance(result.exception, BattleboxError), result.output
    return str(result.exception)


def test_what_is_wrong_is_said_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "did you mean" in said("war_zone", "--set", "deck.artilery.damage=5")
    assert "no bot" in said("war_zone", "--bots", "nobody")
    assert "20 at least" in said("war_zone", "--matches", "3")
    assert "no such folder" in said("war_zone", "--out", "none/a.html")
    assert "--until" in said("war_zone", "--until", "0.1")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'battlebox[balance]'" in said("war_zone")
    assert not list(tmp_path.iterdir())


@needs_matplotlib
def test_the_command_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = "war_zone start_health=5 --set start_health=5,1 --bots random --matches 60 --workers 1"
    result = CliRunner().invoke(cli.app, ["balance", *words.split()])
    assert result.exit_code == 0, result.output
    assert "start_health=5: the first seat wins" in result.output
    assert "start_health=1" in (tmp_path / "balance-war_zone.html").read_text(encoding="utf-8")


@needs_matplotlib
def test_pictures_show_what_there_is() -> None:
    assert "turns" in figures.histogram([3, 4, 4, 9], "turns")
    assert "seat 0" in figures.ranges(["seat 0"], [findings.Estimate(50, 40, 60)], "wins, %", 50)
    assert "median" in figures.course([[0.1], [0.1, 0.2, 0.3]])


def test_how_often_it_happened() -> None:
    seen = invented((1, -1), (1, -1))
    seen[0].events = Counter(ROLLED=3)
    found = Findings(Study(RACE, "random"), {"searched": seen, "main": []})
    each, matches = found.events["ROLLED"]
    assert (each.value, matches) == (1.5, 0.5)
