"""Bots choose legal actions by what their seat may know, and by nothing else."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from games import as_game, race, race_insight, sealed

import battlebox as bb
from battlebox.arena import Plan, tournament
from battlebox.bots import levels
from battlebox.bots.search import EXPLORE, SearchBot
from battlebox.core import laws
from battlebox.core.match import Match

SEALED = as_game(sealed).ruleset({"rounds": 4})
RACE = as_game(race).ruleset({})
RACE_TO_30 = as_game(race).ruleset({"goal": 30})
JUDGED = replace(as_game(race), insight=race_insight).ruleset({"goal": 100})
GAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]


def positions(rules: bb.Ruleset, matches: int, seed: int = 0) -> Iterator[Match]:
    for k in range(seed, seed + matches):
        dice, m = random.Random(k), rules.match(k)
        while m.to_act is not None:
            yield m
            m.submit(m.to_act, dice.choice(m.legal_actions))


def observed(m: Match) -> Any:
    return m.observation(m.to_act)


def followed(bot: SearchBot, o: Any) -> dict[int, int]:
    return {a: w.visits for a, w in bot.action_stats(o).items()}


def makers(rules: bb.Ruleset) -> dict[str, Any]:
    return {
        "random": lambda: bb.bot("random", rules, seed=3),
        "search": lambda: SearchBot(rules, 12, 3, compiled=False),
    }


# ---- what a bot goes by --------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["random", "search"])
def test_a_choice_is_the_same_whatever_is_hidden(kind: str) -> None:
    """From truths that look the same to the seat, one choice; the truths do differ."""
    make, differ = makers(SEALED)[kind], 0
    for k, m in enumerate(positions(SEALED, 4)):
        choices, truths = set(), set()
        for i in range(4):
            copy = laws.another_truth(m, m.to_act, random.Random(1000 * k + i))
            assert observed(copy).tobytes() == observed(m).tobytes()
            truths.add(copy.state.deck[0] + 10 * copy.state.hand[1 - (m.to_act or 0), 0])
            choices.add(make().choose(observed(copy)))
        assert len(choices) == 1
        differ += len(truths) > 1
    assert differ > 5


@pytest.mark.parametrize("kind", ["random", "search"])
def test_a_choice_is_legal(kind: str) -> None:
    for rules in (SEALED, RACE):
        bot = makers(rules)[kind]()
        for m in positions(rules, 3, seed=20):
            assert bot.choose(observed(m)) in m.legal_actions


@pytest.mark.parametrize("kind", ["random", "search"])
def test_choosing_leaves_the_observation_as_it_was(kind: str) -> None:
    m = SEALED.match(1)
    o = observed(m)
    before = o.tobytes()
    makers(SEALED)[kind]().choose(o)
    assert o.tobytes() == before


@pytest.mark.parametrize("kind", ["random", "search"])
def test_the_same_seed_and_observations_give_the_same_choices(kind: str) -> None:
    seen = [observed(m) for m in positions(SEALED, 5)]
    one, two = ([bot.choose(o) for o in seen] for bot in (makers(SEALED)[kind]() for _ in range(2)))
    assert one == two


def test_other_seeds_choose_otherwise() -> None:
    o = observed(SEALED.match(1))
    assert len({bb.bot("random", SEALED, seed=k).choose(o) for k in range(30)}) > 1
    visits = {
        tuple(followed(SearchBot(SEALED, 20, k, compiled=False), o).values()) for k in range(5)
    }
    assert len(visits) > 1


def test_the_random_bot_chooses_each_action_about_as_often() -> None:
    m = next(m for m in positions(SEALED, 9) if len(m.legal_actions) == 3)
    bot, count = bb.bot("random", SEALED, seed=1), dict.fromkeys(m.legal_actions, 0)
    for _ in range(3000):
        count[bot.choose(observed(m))] += 1
    assert all(abs(c - 1000) < 150 for c in count.values())


# ---- what is refused -----------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["random", "search"])
def test_what_is_not_the_observation_of_the_seat_to_act_is_refused(kind: str) -> None:
    bot, m = makers(SEALED)[kind](), SEALED.match(1)
    for wrong in (m.observation(1), m.observation(None), m._array.reshape(())):
        with pytest.raises(ValueError, match=r"to act|spectator"):
            bot.choose(wrong)
    over = SEALED.match(1)
    while over.to_act is not None:
        over.submit(over.to_act, over.legal_actions[0])
    for seat in range(2):
        with pytest.raises(ValueError, match=r"over|to act"):
            bot.choose(over.observation(seat))


@pytest.mark.parametrize("kind", ["random", "search"])
@pytest.mark.parametrize(
    "wrong", [None, 0, b"", "x", np.zeros(3), [1, 2]], ids=["None", "0", "bytes", "x", "3", "list"]
)
def test_what_is_no_observation_is_refused(kind: str, wrong: Any) -> None:
    with pytest.raises(ValueError, match="observation"):
        makers(SEALED)[kind]().choose(wrong)


@pytest.mark.parametrize("kind", ["random", "search"])
def test_the_observation_of_another_game_or_two_at_once_are_refused(kind: str) -> None:
    bot, o = makers(SEALED)[kind](), observed(SEALED.match(1))
    for wrong in (observed(RACE.match(1)), np.stack([o, o])):
        with pytest.raises(ValueError, match="observation"):
            bot.choose(wrong)


def test_an_unknown_level_is_refused() -> None:
    for level in ("hrd", "", "human", "HARD"):
        with pytest.raises(bb.RulesetError, match="no bot"):
            bb.bot(level, SEALED)
    with pytest.raises(bb.RulesetError, match="did you mean 'hard'"):
        bb.bot("hrd", SEALED)


def test_a_search_is_named_by_its_simulations() -> None:
    searcher = bb.bot("so-ismcts:800", SEALED, seed=1)
    assert isinstance(searcher, SearchBot)
    assert searcher.simulations == 800
    assert isinstance(bb.bot("easy", SEALED), SearchBot)


@pytest.mark.parametrize("n", ["", "0", "-1", "x", "1.5", "1000001", "9" * 30, " 5", "٣"])
def test_a_search_with_a_budget_that_is_none_is_refused(n: str) -> None:
    with pytest.raises(bb.RulesetError, match=r"so-ismcts:N makes N = 1 \.\. 1000000"):
        bb.bot(f"so-ismcts:{n}", SEALED)


@pytest.mark.parametrize("n", [0, -5])
def test_a_search_of_nothing_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        SearchBot(SEALED, n, compiled=False)


# ---- the search ----------------------------------------------------------------------------------
def test_visits_add_up_to_the_simulations() -> None:
    bot = SearchBot(SEALED, 40, 1, compiled=False)
    for m in positions(SEALED, 2):
        visits = followed(bot, observed(m))
        assert list(visits) == list(m.legal_actions)
        assert sum(visits.values()) == 40
        assert min(visits.values()) >= 1


def test_the_most_visited_action_is_chosen() -> None:
    for m in positions(SEALED, 2):
        a, b = (SearchBot(SEALED, 30, 5, compiled=False) for _ in range(2))
        visits = followed(a, observed(m))
        if len(m.legal_actions) > 1:
            assert visits[b.choose(observed(m))] == max(visits.values())


class Fond:
    """A prior that knows of some actions, and counts how often it is asked."""

    def __init__(self, logits: dict[int, float]) -> None:
        self.known, self.asked = logits, 0

    def logits(self, observation: Any) -> dict[int, float]:
        self.asked += 1
        return self.known

    def warm(self) -> None:
        pass


def test_what_is_known_before_is_added_to_what_is_found() -> None:
    """Logits to the logarithms of visits; what is not known of, and what was not tried, not taken.
    The simulations are the same.
    """
    m = next(m for m in positions(SEALED, 2) if len(m.legal_actions) > 2)
    o, (a, b, *_) = observed(m), m.legal_actions
    plain = SearchBot(SEALED, 40, 5, compiled=False).action_stats(o)
    assert all(w.preference == math.log(w.visits) for w in plain.values())
    known = {a: 2.0, b: 2.0 + math.log(plain[a].visits / plain[b].visits) + 0.01}
    for logits, chosen in ((known, b), ({a: 0.0}, a), ({b: -9.0}, b)):
        how = {"prior": Fond(logits), "explore": EXPLORE, "compiled": False}
        one, other = (SearchBot(SEALED, 40, 5, **how) for _ in range(2))
        found = one.action_stats(o)
        for k, w in found.items():
            assert w._replace(preference=0) == plain[k]._replace(preference=0)
            assert w.preference == plain[k].preference + logits.get(k, -math.inf)
        assert max(found, key=lambda k: found[k].preference) == chosen == other.choose(o)
    once = SearchBot(SEALED, 1, 1, compiled=False).action_stats(o)
    (tried,) = (k for k, w in once.items() if w.visits)
    fond = Fond({k: 50.0 * (k != tried) for k in m.legal_actions})
    assert SearchBot(SEALED, 1, 1, prior=fond, compiled=False).choose(o) == tried


def test_with_a_prior_a_search_sticks_to_what_seems_good() -> None:
    m = RACE_TO_30.match(1)
    plain, by_prior = (
        followed(SearchBot(m.rules, 400, 1, prior=x, compiled=False), observed(m))
        for x in (None, Fond({0: 0.0}))
    )
    assert max(by_prior.values()) > max(plain.values())


def test_nothing_is_known_of_the_actions_of_others() -> None:
    m, fond = RACE_TO_30.match(1), Fond({})
    bot = SearchBot(m.rules, 60, 1, prior=fond, compiled=False)
    other = 1 - m.to_act
    assert all(
        w.preference == math.log(w.visits) for w in bot.action_stats(m.observation(other)).values()
    )
    assert not fond.asked


def test_a_sure_win_is_found() -> None:
    """One step from the goal, resting wins at once."""
    m = RACE_TO_30.match(1)
    m.state.at[0], m.state.at[1] = 29, 20
    visits = followed(SearchBot(m.rules, 200, 1, compiled=False), observed(m))
    assert visits[0] > 0
    m.state.at[0], m.state.at[1] = 24, 28  # only a 6 wins now; the other wins with any move
    assert set(followed(SearchBot(m.rules, 60, 1, compiled=False), observed(m))) == {0, 1, 2}


def test_what_an_action_is_worth_is_found_for_whoever_looks() -> None:
    """Also while the other seat is to act; what one wins the other loses."""
    m = RACE_TO_30.match(1)
    m.state.at[0], m.state.at[1] = 29, 20
    mine, theirs = (
        SearchBot(m.rules, 60, 1, compiled=False).action_stats(m.observation(seat))
        for seat in (0, 1)
    )
    assert sum(w.visits for w in theirs.values()) == 60
    assert {a for a, w in mine.items() if w.visits} == set(theirs)
    best = max(mine, key=lambda a: mine[a].visits)
    assert mine[best].returns[0] > 0.8
    assert theirs[best].returns[1] < -0.8


def test_how_far_returns_spread_is_found() -> None:
    """Of wins and losses it follows from their mean; where a game judges, they spread less."""
    for rules, won_or_lost in ((RACE_TO_30, True), (JUDGED, False)):
        m = rules.match(1)
        stats = SearchBot(rules, 60, 1, compiled=False).action_stats(m.observation(0))
        for w in stats.values():
            most = 1 - np.array(w.returns) ** 2
            assert (w.variances == pytest.approx(most)) == won_or_lost
            assert (np.array(w.variances) <= most + 1e-9).all()


def test_a_spectator_gets_no_action_stats() -> None:
    m = SEALED.match(1)
    with pytest.raises(ValueError, match="spectator"):
        SearchBot(SEALED, 5, compiled=False).action_stats(m.observation(None))


def test_more_actions_than_simulations_is_no_trouble() -> None:
    for m in positions(SEALED, 1):
        assert SearchBot(SEALED, 1, 1, compiled=False).choose(observed(m)) in m.legal_actions


def test_a_game_says_which_actions_are_candidates() -> None:
    """As many as `candidates` says after so many visits; none of the others is followed."""
    o = observed(JUDGED.match(1))
    for simulations, most in ((15, 1), (30, 2), (70, 2)):
        visits = followed(SearchBot(JUDGED, simulations, 1, compiled=False), o)
        assert sum(visits.values()) == simulations
        assert sum(v > 0 for v in visits.values()) == most


def test_a_playout_ends_where_the_game_can_judge() -> None:
    """After three turns each, from a tree of fewer; and what it says is counted."""
    bot = SearchBot(JUDGED, 4, 1, compiled=False)
    bot._seat.take(observed(JUDGED.match(1)))
    tree = bot._think()
    assert bot._work.worlds.array[1]["turns"] == 6
    assert list(tree.array["value"][1:]) == [1, -0.75, 0.5, -0.25]


ROUND_TO_WIN = (  # the next to play could win it with their identity, or pass
    "ba1 n=4 ph=FL turn=0 ids=H.V.H.V exp=1.3 hand0=SK hand1=12.12 hand2=5 hand3=9.8.7 "
    "disc=BT stand=9x2@3 open=0.1"
)


@pytest.mark.parametrize("score", ["0.0.0.0", "1.4.0.4"])
def test_a_search_takes_the_round_that_it_can_have(score: str) -> None:
    """Also where random play of the rounds to come would say that all is lost."""
    m = bb.load("battle", players=4).match(1, position=f"{ROUND_TO_WIN} score={score}")
    visits = followed(SearchBot(m.rules, 200, 1, compiled=False), observed(m))
    assert m.word(max(visits, key=visits.__getitem__)) == "ID"


def test_a_search_has_no_nodes_where_the_game_says_that_it_ends() -> None:
    """All simulations that end the round end there: what it was worth is certain."""
    m = bb.load("battle", players=4).match(1, position=ROUND_TO_WIN)
    bot, wins = (
        SearchBot(m.rules, 100, 1, compiled=False),
        m.legal_actions[m.legal_words().index("ID")],
    )
    bot._seat.take(observed(m))
    tree = bot._think()
    node = tree[0].first
    while tree[node].action != wins:
        node = tree[node].next
    assert tree[node].first == 0
    assert tree[node].value == tree[node].visits == bot._visits[wins] > 50


@pytest.mark.xdist_group("tiny")
@pytest.mark.compiled
def test_both_builds_search_alike() -> None:
    for rules in (SEALED, RACE, JUDGED):
        one, two = (SearchBot(rules, 60, 4, compiled=c) for c in (False, True))
        for m in positions(rules, 2):
            assert followed(one, observed(m)) == followed(two, observed(m))


@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_both_builds_search_alike_in_every_game(name: str) -> None:
    rules = bb.load(name)
    one, two = (SearchBot(rules, 6, 4, compiled=c) for c in (False, True))
    for k, m in enumerate(positions(rules, 1)):
        if k % 10 == 0:
            assert followed(one, observed(m)) == followed(two, observed(m))
        if k > 40:
            break


# ---- levels --------------------------------------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "level"),
    [
        pytest.param(name, level, marks=pytest.mark.xdist_group(name))
        for name in bb.games()
        for level in levels(bb.load(name).game)
    ],
)
def test_every_level_plays_every_game(name: str, level: str) -> None:
    """Legal, and the same whatever is hidden."""
    rules = bb.load(name)
    for k, m in enumerate(positions(rules, 1, seed=3)):
        if k % 7 == 0:
            choices = set()
            for i in range(2):
                copy = laws.another_truth(m, m.to_act, random.Random(i))
                choices.add(bb.bot(level, rules, seed=1).choose(observed(copy)))
            assert len(choices) == 1
            assert choices <= set(m.legal_actions)
        if k > 20:
            break


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_medium_beats_random(name: str) -> None:
    """Far below what is to be expected, with fixed seeds."""
    results = tournament(Plan(bb.load(name), ("medium", "random"), 1), 12, workers=1)
    assert results.pair(0, 1).share > 0.6


# ---- seats --------------------------------------------------------------------------------------
@pytest.mark.parametrize("kind", ["random", "search"])
def test_an_observation_of_more_players_is_refused(kind: str) -> None:
    m = bb.load("war_zone", players=6).match(seed=1)
    bot = makers(bb.load("war_zone", players=2))[kind]()
    with pytest.raises(ValueError, match="6 players"):
        bot.choose(observed(m))


def test_a_bot_is_warm_whoever_begins() -> None:
    rules = bb.load("war_zone", mulligan=0, starter=1)
    bot, searched = SearchBot(rules, 5, compiled=False), list[Any]()
    search = bot._search
    bot._search = lambda *args: (searched.append(args), search(*args))
    bot.warm()
    assert len(searched) == 1
