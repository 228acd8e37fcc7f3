"""What is measured of a ruleset, and what comes of it: on invented results whose truth is known,
and on short matches.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from games import as_game, race, short
from typer.testing import CliRunner

import battlebox as bb
from battlebox import cli
from battlebox.arena import Plan, Result
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
    verdicts,
)
from battlebox.arena.balance.numbers import deck_of, number_at, paths, to_toml
from battlebox.arena.balance.witness import Seen, first_hands, follow, observe, uses
from battlebox.arena.proof import share
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
    assert {move for move, _ in seen.offered} <= {m.name for m in rules.plain().build.moves}
    assert rules.game.pace
    assert seen.turns == seen.events[rules.game.pace.event.name] > 0
    for cards in (*seen.dealt, *seen.held, *seen.played):
        assert set(cards) <= set(seen.names)


def test_the_cards_of_a_match() -> None:
    seen = observe(Plan(SHORT, ("random", "random"), 3), 0, (uses, first_hands))
    assert [hand.total() for hand in seen.dealt] == [6, 6]
    put_under = sum(n for (move, _), n in seen.taken.items() if move in ("mulligan", "cycle"))
    used = sum(x.total() for x in seen.played)
    assert used == put_under + seen.events["ATTACKED"] + seen.events["BLOCKED"]
    assert all(x <= y for x, y in zip(seen.played, ({*h} for h in seen.held), strict=True) if not x)


def test_figures_are_noted_where_there_are_no_hands() -> None:
    seen = observe(Plan(short("battleball"), ("random", "random"), 3), 0, (uses, first_hands))
    assert not any(seen.dealt)
    chosen = sum(n for (move, _), n in seen.taken.items() if move == "select")
    assert sum(x.total() for x in seen.played) >= chosen > 0


def test_a_witness_changes_nothing() -> None:
    plan = Plan(SHORT, ("random", "random"), 3)
    assert observe(plan, 5, (uses, first_hands)).result == observe(plan, 5, ()).result


def test_the_rules_that_are_followed() -> None:
    seen = follow(Plan(SHORT, ("random", "random"), 3), 0)
    assert {"WZ-17", "WZ-20", "WZ-50"} <= seen.followed <= seen.asked
    assert not {"WZ-73", "WZ-74"} & seen.asked, "there was no lightning round"
    assert sys.getprofile() is None


@pytest.mark.compiled
def test_the_rules_are_traced_also_where_others_look_with_machine_code() -> None:
    quick = SHORT.changed({})
    quick.quicken()
    found = [follow(Plan(rules, ("random", "random"), 3), 0) for rules in (SHORT, quick)]
    assert found[0] == found[1]


# ---- what comes of it ----------------------------------------------------------------------------
def invented(*returns: tuple[float, ...], first: int | None = None) -> list[Seen]:
    """Matches with these results."""
    return [Seen(Result(k, r, 10), first=first) for k, r in enumerate(returns)]


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
    found = Findings(Study(RACE, "random"), {"thought": seen, "main": []})
    assert list(found.leads) == [0, 2], "nobody won the second"
    assert np.allclose(list(found.leads.values()), [[-0.1, 0.7], [0.1, -0.7]])
    assert found.comebacks.value == 0.5


def test_leads_are_averaged_by_deal() -> None:
    """Of which one may have but one match with a winner."""
    seen = invented((1, -1), (1, -1), (0, 0), (1, -1))
    for k, x in enumerate(seen):
        x.chances = [(0.0, 1.0) if k == 0 else (1.0, 0.0)]
    found = Findings(Study(RACE, "random"), {"thought": seen, "main": []})
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
@pytest.mark.parametrize("name", [x for x in bb.games() if x != "battleball"])
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
        ("deck.artillery.damage", "1000", "less than or equal to 999"),
        ("start_helth", "5", "did you mean 'start_health'"),
        ("start_health", "much", "start_health = 'much'"),
    ],
)
def test_a_path_or_a_value_that_is_none(path: str, value: str, said: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(said)):
        change(bb.load("war_zone"), {path: value})


def test_a_game_without_a_deck() -> None:
    with pytest.raises(bb.RulesetError, match="battleball has no deck"):
        change(bb.load("battleball"), {"deck.artillery.damage": "5"})


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


# ---- a study -------------------------------------------------------------------------------------
def test_a_study_that_is_none() -> None:
    with pytest.raises(bb.RulesetError, match="no bot 'nobody'"):
        Study(RACE, "nobody")
    with pytest.raises(bb.RulesetError, match="a study has 20 at least"):
        Study(RACE, "random", matches=19)


def test_there_are_as_many_matches_as_their_length_allows() -> None:
    few, many = (Study(SHORT).series(pilot_of(length)) for length in (400, 40))
    assert few.keys() == many.keys()
    for name, series in few.items():
        assert series.matches <= many[name].matches
        assert series.matches % 2 == 0, "whole deals"
    own = Study(SHORT, matches=50).series(pilot_of(40))
    assert own["thought"].matches + own["main"].matches == 50
    assert own["main"].first == own["thought"].matches


def pilot_of(length: int) -> list[Seen]:
    """First matches of so many decisions, of a game with cards."""
    return [Seen(Result(k, (1, -1), length), held=(Counter(IF=1),)) for k in range(4)]


def test_nothing_is_played_for_cards_where_there_are_none() -> None:
    pilot = pilot_of(40)
    assert "cards" in Study(SHORT).series(pilot)
    for x in pilot:
        x.held = (Counter(),)
    assert "cards" not in Study(SHORT).series(pilot)


def test_switches_are_modes_and_options_that_are_on_or_off_or_words() -> None:
    found = {f"{s.option}={s.value}": rules for s, rules in Study(SHORT).switches.items()}
    assert {"speedy=True", "relief=False", "reshuffle=lazy", "deck=warzone-half"} <= set(found)
    assert not {"relief=True", "reshuffle=eager"} & set(found)
    assert [x for x in found if x.startswith("mode=")] == ["mode=Teams"], "it sets two options"
    assert all(isinstance(rules, bb.Ruleset) for rules in found.values())
    three = Study(bb.load("war_zone", players=3)).switches
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
def test_a_study_gives_the_same_page_whoever_plays() -> None:
    """And all sections are on it."""
    study = Study(SHORT, "easy", matches=20)
    one, two = (Findings(study, measure(study, workers=n)) for n in (1, 2))
    text = page(one, "battlebox balance")
    assert text == page(two, "battlebox balance")
    parsed = Balanced(text)
    assert not parsed.open
    assert not parsed.fetched
    titles = re.findall("<h2>(.*?)</h2>", text)
    assert titles == [
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
    found = Findings(Study(RACE, "random"), {"thought": seen, "main": []})
    each, matches = found.events["ROLLED"]
    assert (each.value, matches) == (1.5, 0.5)
