"""War Zone: every rule id, options, chance, how it ends.

Expected values come from README.md and DEVELOPERS.md, worked out by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games import find
from battlebox.games.war_zone.testing import at, load, play_on

GAME = find("war_zone")
DEVELOPERS = (GAME.folder / "DEVELOPERS.md").read_text(encoding="utf-8")


# ---- README.md, DEVELOPERS.md ----
def test_the_readme_has_every_rule_and_ruling() -> None:
    rulings = [f"W{n}" for n in range(1, 47)]
    assert list(GAME.rulebook) == [*(f"WZ-{n}" for n in range(1, 76)), *rulings]


def test_the_tables_are_the_bundled_decks() -> None:
    """WZ-1: attacks and defences are all there is; the sheets are no cards."""
    full, half = (load(deck=d).names for d in ("warzone-default", "warzone-half"))
    names = {c.id: c.name for c in full.cards}
    rows = [
        [cell.strip().replace("**", "") for cell in line.strip("|").split("|")]
        for line in DEVELOPERS.split("## Notation")[0].splitlines()
        if re.match(r"\| [A-Z]{2} \|", line)
    ]
    wanted = []
    for a, b in zip(full.attack, half.attack, strict=True):
        (blocker,), (answer,) = a.blocked_by, a.counteraction
        numbers = (a.damage, names[blocker], names[answer], a.bonus_health, a.bonus_damage)
        wanted.append([str(x) for x in (a.code, a.name, a.count, b.count, *numbers)])
    for d, e in zip(full.defence, half.defence, strict=True):
        blocked = ", ".join(a.name for a in full.attack if d.id in a.blocked_by)
        wanted.append([d.code, d.name, str(d.count), str(e.count), blocked])
    assert rows == wanted
    assert (full.size, half.size) == (60, 30)


# ---- players, teams, options ----
@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """WZ-2."""
    with pytest.raises(bb.RulesetError, match=f"players = {players}"):
        load(players=players)


@pytest.mark.parametrize(("players", "teams"), [(2, 2), (3, 3), (5, 2), (4, 3), (2, 3), (3, 2)])
def test_uneven_teams_are_refused(players: int, teams: int) -> None:
    """W11, W27."""
    with pytest.raises(bb.RulesetError, match=f"teams = {teams} with players = {players}"):
        load(players=players, teams=teams)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("teams", [0, 2, 3])
def test_all_variants_go_together(players: int, teams: int) -> None:
    """WZ-57, W27: team play needs its numbers of players; nothing else is refused."""
    if teams and (players, teams) not in [(4, 2), (6, 2), (6, 3)]:
        return
    rules = load(players=players, teams=teams, cycle=2, v2=True, speedy=True)
    hand = 4 if teams or players > 4 else 5 if players > 2 else 6
    m = rules.match(seed=3)
    assert m.facts()["count0"] == str(hand)
    play_on(m, 40, seed=3)


@pytest.mark.parametrize(
    ("options", "fragment"),
    [
        ({"team": 2}, "'team' is not known; did you mean 'teams'"),
        ({"teams": 1}, "teams = 1"),
        ({"teams": 4}, "teams = 4"),
        ({"starter": 2}, "starter = 2"),
        ({"starter": -2}, "starter = -2"),
        ({"cycle": -1}, "cycle = -1"),
        ({"speedy": "yes"}, "speedy = 'yes'"),
        ({"speedy_finish": "later"}, "speedy_finish = 'later'"),
        ({"out_hand": "keep"}, "out_hand = 'keep'"),
        ({"max_turns": 0}, "max_turns = 0"),
        ({"hand_size": 30, "players": 6}, "hand_size = 30"),
        ({"hand_size": 10, "players": 6}, "6 players with 10 cards each need 66"),
        ({"deck": "warzone-half", "players": 6, "hand_size": 5}, "has 30 cards"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], fragment: str) -> None:
    """W39: hands that the deck cannot fill are refused, too."""
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(**options)


def test_health_cap_below_the_start_is_refused() -> None:
    """W38."""
    for options in ({"health_cap": 19}, {"health_cap": 20, "lightning_health": 21}):
        with pytest.raises(bb.RulesetError, match="health_cap"):
            load(**options)
    load(health_cap=20)


def test_variant_1_is_off_unless_asked_for() -> None:
    """WZ-66."""
    assert load().options.model_dump()["cycle"] == 1


# ---- chance ----
def chi_square(found: Counter[Any], expected: dict[Any, float]) -> float:
    assert set(found) <= set(expected)
    return sum((found[k] - e) ** 2 / e for k, e in expected.items())


def test_every_card_may_lie_anywhere() -> None:
    """WZ-6: the kinds on top of the deck, at its bottom and in a hand, after 1200 deals."""
    n = 1200
    rules = load()
    top, bottom, hand = Counter[str](), Counter[str](), Counter[str]()
    for seed in range(n):
        f = rules.match(seed=seed).facts()
        deck = f["deck"].split(".")
        assert len(deck) == 48
        top[deck[0]] += 1
        bottom[deck[-1]] += 1
        hand.update(f["hand1"].split("."))
    share = {c.code: c.count / 60 for c in rules.names.cards}
    # 15 degrees of freedom: 44.3 is exceeded once in ten thousand
    assert chi_square(top, {k: n * x for k, x in share.items()}) < 44.3
    assert chi_square(bottom, {k: n * x for k, x in share.items()}) < 44.3
    # six cards of one deal are drawn without putting back: they spread a little less
    assert chi_square(hand, {k: 6 * n * x for k, x in share.items()}) < 44.3


def test_every_seat_may_begin() -> None:
    """WZ-14, WZ-15: drawn after the exchange; 18.4 is exceeded once in ten thousand."""
    n = 1200
    rules = load(players=3, mulligan=0)
    starters = Counter(rules.match(seed=seed).to_act for seed in range(n))
    assert chi_square(starters, dict.fromkeys(range(3), n / 3)) < 18.4


def test_starter_is_who_is_named() -> None:
    """W36: `starter` names the seat that begins the game."""
    rules = load(players=3, mulligan=0, starter=2)
    assert {rules.match(seed=seed).to_act for seed in range(20)} == {2}


# ---- the end ----
def test_returns_of_a_win_and_of_a_shared_one() -> None:
    """W30."""
    m = at("wz1 n=3 hs=1 ph=ATTACK turn=1 health=12.9.4 hand0=BW hand1=MG hand2=SS idle=29")
    assert m.returns == (0, 0, 0)
    m.submit(1, "pass")
    assert m.over
    assert m.returns == (1, -1, -1)
    m = at("wz1 n=3 hs=1 ph=ATTACK turn=1 health=7.7.4 hand0=BW hand1=MG hand2=SS idle=29 lr=1")
    m.submit(1, "pass")
    assert m.over
    assert m.returns == (0, 0, -1)
    m = at("wz1 n=4 hs=1 ph=ATTACK turn=0 health=5.3.0.0 hand0=IF hand1=MG", teams=2)
    m.submit(0, "IF>1")
    m.submit(1, "pass")
    assert m.returns == (1, -1, 1, -1)


def test_who_is_out_is_out() -> None:
    """WZ-53, W29: at the end nobody may do anything."""
    m = at("wz1 n=2 hs=2 ph=ATTACK turn=0 health=1.4 hand0=IF.RE hand1=GM.MG deck=TA")
    m.submit(0, "IF>1")
    m.submit(1, "pass")
    assert (m.over, m.to_act, m.phase, m.legal_words()) == (True, None, "OVER", [])
    for seat in (0, 1):
        with pytest.raises(bb.IllegalAction, match="over"):
            m.submit(seat, "pass")


@pytest.mark.parametrize(
    "options", [{}, {"speedy": True, "reshuffle": "lazy"}, {"out_hand": "remove"}]
)
def test_matches_end_within_the_limit(options: dict[str, Any]) -> None:
    """W19: the bound of DEVELOPERS.md, with few turns allowed."""
    rules = load(players=4, max_turns=30, **options)
    for seed in range(3):
        m = rules.match(seed=seed)
        play_on(m, 3 * 4 + 2 * 30 * 3, seed)
        assert m.over


# ---- odd matches ----
@pytest.mark.parametrize(
    ("position", "word"),
    [
        ("wz1 n=2 hs=1 ph=ATTACK hand0=IF.RE hand1=BW", "IF>1"),
        ("wz1 n=2 hs=1 ph=DEFEND hand0=IF hand1=BW.MG pend=IF>1", "BW"),
    ],
)
def test_a_card_shown_is_not_taken_back(position: str, word: str) -> None:
    """Nothing is drawn for it, but everybody has seen it."""
    m = at(position)
    m.submit(m.to_act, word)
    with pytest.raises(bb.UndoRefused, match="been revealed"):
        m.undo()


def test_a_short_lightning_round_tells_the_cards_there_are() -> None:
    """W39: in seat order; the last get less."""
    m = at("wz1 n=3 hs=1 ph=ATTACK health=9.9.9 hand0=BW hand1=MG hand2=AA deck=TA", max_turns=1)
    m.submit(0, "pass")
    m.submit(0, "pass")
    told = [x.args for x in m.events(None) if x.event.name == "LIGHTNING"]
    assert [x["cards"] for x in told] == [4, 0, 0]
    assert [m.state.hand_size[p] for p in range(3)] == [4, 0, 0]


def test_a_hundred_thousand_idle_turns() -> None:
    """W19: `idle_laps=0 max_turns=100000` are options that are let in."""
    options: dict[str, Any] = {"idle_laps": 0, "max_turns": 100_000, "relief": False, "cycle": 0}
    m = at("wz1 n=2 ph=ATTACK idle=30000 hand0=BW hand1=BW", **options)
    for k in range(2800):
        m.submit(k % 2, "pass")
    assert m.facts()["idle"] == "32800"


@pytest.mark.parametrize("health", ["9.8", "9.9"])
def test_an_attack_that_ends_it_is_forgotten(health: str) -> None:
    """W32: neither at the end nor in the lightning round anything of it is left."""
    position = (
        f"wz1 n=2 hs=2 ph=ATTACK turn=0 health={health} last=GR@1 latk=IF hand0=IF.RE hand1=BW.MG "
        "deck=TA disc=GR"
    )
    # a copy, whose health waits for the answer, and a counter-attack
    m = at(position, speedy=True, speedy_finish="now", v2=True, v2_blockable=True)
    m.submit(0, "IF>1")
    assert (m.phase, m.state.lightning) == (("OVER", 0) if health == "9.8" else ("ATTACK", 1))
    pending = (m.state.attack, m.state.bonus, m.state.copied)
    assert pending == (len(m.state.hands[0]), 0, 0)


# ---- what can be taken back ----
FULL = "hand0=BW.IF hand1=SS.MG hand2=TR.GM"


@pytest.mark.parametrize(
    ("position", "options", "told"),
    [
        (f"ph=ATTACK turn=0 {FULL} deck=TA", {}, "HELD_FIRE"),
        (f"ph=CYCLE turn=0 {FULL} deck=TA", {}, "TURN_ENDED STARTS"),
        (f"ph=DEFEND turn=0 pend=IF>1+ {FULL} deck=TA", {}, "GAINED HIT"),
        (f"ph=CYCLE turn=0 turns=1 {FULL} deck=TA", {"max_turns": 2}, "TURN_ENDED WON"),
        (
            "ph=CYCLE turn=0 hand0=BW hand1=SS.MG hand2=TR.GM disc=TA",
            {"speedy": True, "speedy_finish": "round", "reshuffle": "lazy"},
            "DEPLETED TURN_ENDED STARTS",
        ),
    ],
)
def test_what_shows_nothing_hidden_can_be_taken_back(
    position: str, options: dict[str, Any], told: str
) -> None:
    m = at(f"wz1 n=3 hs=2 health=9.8.7 {position}", **options)
    before = m.digest()
    m.submit(m.to_act, "pass")
    assert [x.event.name for x in m.events(None)] == told.split()
    m.undo()
    assert m.digest() == before


def test_a_hand_that_was_shown_is_not_taken_back() -> None:
    """WZ-52: who is out has shown it."""
    m = at(f"wz1 n=3 hs=2 health=9.3.7 ph=DEFEND turn=0 pend=IF>1 {FULL} deck=TA")
    m.submit(1, "pass")
    assert [x.event.name for x in m.events(None)] == ["HIT", "OUT"]
    with pytest.raises(bb.UndoRefused, match="been revealed"):
        m.undo()


def test_a_card_put_under_the_deck_is_told_though_all_cards_are_dealt_anew() -> None:
    """WZ-73, W19: everybody saw it; after the last turn nothing of it is to be seen any more."""
    laws.check(load(players=4, max_turns=2), 1, seed=0, compiled=False, decisions=15)
