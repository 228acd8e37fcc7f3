"""A review adds up, is the same for a seed, and judges nobody by what they could not know."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from games import as_game, race, race_insight, sealed, short, window

import battlebox as bb
from battlebox.bots.reasons import Measured
from battlebox.bots.review import (
    Cancelled,
    Findings,
    Option,
    SeatReview,
    Step,
    hint,
    may_end,
    review,
)
from battlebox.bots.review_text import Line, advice, decisions, parts, summary, turning_points
from battlebox.bots.search import SearchBot, by_rounds
from battlebox.core import laws
from battlebox.core.errors import BattleboxError
from battlebox.core.match import Match
from battlebox.core.saying import Consequence, Consequences

SEALED = as_game(sealed).ruleset({"rounds": 4})
RACE = as_game(race).ruleset({"goal": 30})
JUDGED = replace(as_game(race), insight=race_insight).ruleset({"goal": 40})
WINDOW = as_game(window).ruleset({"players": 4, "rounds": 1})
GAMES = [pytest.param(n, marks=pytest.mark.xdist_group(n)) for n in bb.games()]
FEW = 12  # simulations
REST = 0  # of a race: the action that goes one step


def played(rules: bb.Ruleset, seed: int, most: int = 10_000) -> Match:
    """A random match, to its end or so many decisions."""
    dice, m = random.Random(seed), rules.match(seed)
    while m.to_act is not None and len(m.history) < most:
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return m


def plain(m: Match, *seats: int, simulations: int = FEW, seed: int = 0) -> tuple[SeatReview, ...]:
    return review(m, seats or None, simulations=simulations, seed=seed, compiled=False)


def check_sums(m: Match, reviews: tuple[SeatReview, ...]) -> None:
    """What each review says of itself."""
    for a in reviews:
        assert a.start + a.luck + a.own + a.others == pytest.approx(a.end)
        assert [(x.number, x.mover, x.word) for x in a.steps] == [
            (k, seat, word) for k, (seat, word) in enumerate(m.history)
        ]
        for x in a.steps:
            assert x.before + x.decision + x.luck == pytest.approx(x.after)
            assert -1.001 <= x.before <= 1.001
        joints = [y.before != x.after for x, y in zip(a.steps, a.steps[1:], strict=False)]
        assert sum(joints) < a.rounds
        assert a.own == pytest.approx(sum(x.decision for x in a.steps if x.mover == a.seat))
        assert all(x.decision <= 0 for x in a.steps if x.mover == a.seat)
        assert not any(x.best for x in a.steps if x.mover != a.seat)
        assert set(a.turning_points) <= set(a.steps)
        assert len(a.turning_points) <= 3
        far = [abs(x.after - x.before) for x in a.steps if x not in a.turning_points]
        assert not a.turning_points or max(far, default=0) <= min(
            abs(x.after - x.before) for x in a.turning_points
        )
        if a.rounds == 1 and m.over:
            assert a.end == m.returns[a.seat]
    json.dumps([asdict(a) for a in reviews])


# ---- it adds up ----------------------------------------------------------------------------------
@pytest.mark.parametrize("rules", [SEALED, RACE, WINDOW], ids=["sealed", "race", "window"])
def test_a_review_adds_up(rules: bb.Ruleset) -> None:
    for seed in range(3):
        m = played(rules, seed)
        before = m.digest()
        check_sums(m, plain(m))
        assert m.digest() == before


@pytest.mark.compiled
@pytest.mark.parametrize("name", GAMES)
def test_a_review_adds_up_in_every_game(name: str) -> None:
    m = played(short(name), 1)
    assert m.over
    check_sums(m, review(m, simulations=40))


@pytest.mark.compiled
@pytest.mark.xdist_group("battle")
def test_a_match_of_rounds_is_judged_round_by_round() -> None:
    """Each round ends with a point or without; the last one as the match does."""
    rules = bb.load("battle", players=4, target_points=2)
    m = played(rules, 5)
    begun = sum(x.event.name == "ROUND" for x in m.events(None))
    for a in review(m, simulations=40):
        assert a.rounds == begun > 1
        joints = zip(a.steps, a.steps[1:], strict=False)
        ends = [x.after for x, y in joints if x.after != y.before]
        assert set(ends) <= {-1, 0, 1}
        assert a.end == sum(ends) + m.returns[a.seat]


def test_where_one_wins_what_the_other_loses_the_reviews_mirror_each_other() -> None:
    mistakes = 0
    for seed in range(4):
        a, b = plain(played(SEALED, seed), simulations=150)
        assert a.own == pytest.approx(-b.others)
        assert b.own == pytest.approx(-a.others)
        mistakes += (a.own < 0) + (b.own < 0)
    assert mistakes > 0


def test_what_all_agreed_on_is_nobodys_decision() -> None:
    m = played(SEALED, 2, most=4)
    m.agree("call it off")
    reviews = plain(m)
    check_sums(m, reviews)
    for a in reviews:
        x = a.steps[-1]
        assert (x.mover, x.word, x.decision, x.best) == (None, "call it off", 0, "")


def test_a_match_that_is_not_over_ends_with_what_was_to_be_expected() -> None:
    m = played(RACE, 3, most=5)
    a, b = plain(m, simulations=200)
    check_sums(m, (a, b))
    assert -1 < a.end < 1
    assert a.end == pytest.approx(-b.end, abs=0.3)


# ---- it judges -----------------------------------------------------------------------------------
def duel(mine: int, theirs: int) -> Match:
    """A race to 30 in which seat 0 is to move."""
    m = RACE.match(1)
    m.state.at[0], m.state.at[1] = mine, theirs
    return RACE.match(1, position=m.write_position())


def test_what_a_decision_gives_away_is_found() -> None:
    """A die of six wins with 3 or more; a rest only lets the other win."""
    m = duel(27, 29)
    m.submit(0, "a0")
    m.submit(1, "a0")
    assert m.returns == (-1, 1)
    a, b = plain(m, simulations=150)
    x = a.steps[0]
    assert x.before == pytest.approx(1 / 3, abs=0.2)
    assert x.decision == pytest.approx(-4 / 3, abs=0.2)
    assert x.luck == pytest.approx(0, abs=0.1)
    assert x.best in ("a1", "a2")
    assert a.turning_points == (x,)
    assert b.others == pytest.approx(-a.own)


def test_bad_luck_is_no_mistake() -> None:
    m = duel(27, 29)
    for m.state.rng in range(100):  # until the roll is too low
        again = RACE.match(m.state.rng, position=m.write_position())
        again.submit(0, "a1")
        if not again.over:
            break
    (a,) = plain(again, 0, simulations=150)
    assert (a.own, a.others) == (0, 0)
    assert a.luck == pytest.approx(-4 / 3, abs=0.2)


def test_a_difference_that_may_be_chance_is_none() -> None:
    """Both dice of a race roll alike: whatever was thrown was right."""
    m = duel(10, 12)
    m.submit(0, "a2")
    (a,) = plain(m, 0, simulations=60)
    assert a.own == 0


def test_small_differences_count_where_a_game_judges_finely() -> None:
    """Of a race to 40 a die takes 3.5 of them and a rest takes one, no matter who wins it."""
    m = played(JUDGED, 1, most=4)
    m.submit(0, "a0")
    x = plain(m, 0, simulations=200)[0].steps[4]
    assert x.best in ("a1", "a2")
    assert -0.1 < x.decision < -0.03


# ---- it is the same again ------------------------------------------------------------------------
def test_the_same_seed_gives_the_same_review_whoever_else_is_asked_for() -> None:
    m = played(SEALED, 1)
    both = plain(m)
    assert plain(bb_again(m)) == both
    assert plain(m, 1) == both[1:]
    assert plain(m, 1, 0) == both[::-1]
    assert plain(m, seed=1) != both


def bb_again(m: Match) -> Match:
    """The same match, played once more."""
    again = m.fresh_copy()
    for seat, word in m.history:
        again.repeat(seat, word)
    return again


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_both_builds_review_alike() -> None:
    for rules in (SEALED, RACE):
        m = played(rules, 2)
        assert review(m, simulations=30) == plain(m, simulations=30)


# ---- by what one could know ----------------------------------------------------------------------
def alike(m: Match, seat: int) -> Iterator[Match]:
    """The same position in worlds that look the same to the seat, as matches of their own."""
    for k in range(4):
        copy = laws.another_truth(m, seat, random.Random(k))
        again = m.rules.match(1, position=copy.write_position())
        assert again.known(seat) == m.known(seat)
        yield again


def test_a_decision_is_judged_by_what_was_known() -> None:
    """In truths that look the same to the seat, one judgement of one action; the truths differ."""
    for most in (3, 5):
        m = played(SEALED, 4, most)
        assert m.to_act == 1, "the other has put down a card in secret"
        found, truths = set(), set()
        for again in alike(m, 1):
            truths.add(again.digest())
            again.submit(1, again.legal_actions[0])
            x = plain(again, 1)[0].steps[0]
            found.add((x.before, x.decision, x.best))
        assert len(found) == 1
        assert len(truths) > 1


def test_a_hint_is_the_same_whatever_is_hidden() -> None:
    m = played(SEALED, 4, 3)
    worlds = list(alike(m, 1))
    assert len({x.digest() for x in worlds}) > 1
    hints = {hint(SEALED, x.observation(1), simulations=50, compiled=False) for x in worlds}
    assert len(hints) == 1


def test_a_hint_is_what_the_search_would_play() -> None:
    m = played(SEALED, 4, 3)
    o = m.observation(1)
    first, *others = hint(SEALED, o, simulations=50, seed=7, compiled=False)
    assert first.action == SearchBot(SEALED, 50, 7, compiled=False).choose(o)
    assert [x.visits for x in others] == sorted((x.visits for x in others), reverse=True)
    assert first.visits + sum(x.visits for x in others) == 50
    assert {x.action for x in (first, *others)} <= set(m.legal_actions)


def test_a_review_finds_nothing_better_than_its_own_hints() -> None:
    """They ask the same search the same question."""
    m = SEALED.match(4)
    while m.to_act is not None:
        (best, *_) = hint(SEALED, m.observation(m.to_act), simulations=FEW, compiled=False)
        m.submit(m.to_act, m.word(best.action))
    for a in plain(m):
        assert a.own == 0
        assert all(x.word == x.best for x in a.steps if x.mover == a.seat and x.best)


# ---- progress, and an end of it ------------------------------------------------------------------
def test_progress_is_told_and_it_can_be_cancelled() -> None:
    m, told, asked = played(RACE, 1), list[tuple[int, int]](), list[int]()
    review(m, simulations=FEW, compiled=False, progress=lambda done, all: told.append((done, all)))
    n = len(m.history)
    assert told == [(k, n) for k in range(n + 1)]

    def cancelled() -> bool:
        asked.append(len(told))
        return len(asked) == 5

    told.clear()
    with pytest.raises(Cancelled):
        review(m, simulations=FEW, compiled=False, cancelled=cancelled)
    assert len(asked) == 5


def test_the_first_seat_is_told_of_early() -> None:
    """Its own decisions and what turned the match; the others' decisions follow."""
    m, told, heard = played(SEALED, 2), list[int](), list[tuple[int, SeatReview]]()
    whole = review(
        *(m, [1, 0]),
        simulations=150,
        compiled=False,
        progress=lambda done, of: told.append(done / of),
        early=lambda a: heard.append((len(told), a)),
    )
    assert whole == review(m, [1, 0], simulations=150, compiled=False)
    [(k, early)] = heard
    assert told == sorted(told)
    assert told[k - 1] < told[-1] / 2
    assert told[-1] == 1
    then = whole[0]
    assert early.turning_points
    assert [x.number for x in early.turning_points] == [x.number for x in then.turning_points]
    for x, y in zip(early.steps, then.steps, strict=True):
        assert (x.before, x.after, x.best) == (y.before, y.after, y.best)
        assert x.decision == (y.decision if x.mover == 1 else 0)
    assert early.own == then.own < 0


def test_who_comes_back_to_a_review_searches_nothing_twice() -> None:
    m, found, searches = played(RACE, 1), Findings(), list[bool]()

    def counted(limit: int) -> bool:
        searches.append(len(searches) + 1 < limit)
        return not searches[-1]

    whole = plain(m)
    with pytest.raises(Cancelled):
        review(m, simulations=FEW, compiled=False, found=found, cancelled=lambda: counted(8))
    before = len(searches) - 1  # the last one was never made
    told = list[int]()
    again = review(
        *(m,),
        simulations=FEW,
        compiled=False,
        found=found,
        cancelled=lambda: counted(10**6),
        progress=lambda done, of: told.append(done),
    )
    after = len(searches) - 1 - before
    assert again == whole
    assert told[1] > 1  # what was done before is not done again
    review(m, simulations=FEW, compiled=False, cancelled=lambda: counted(10**6))
    alone = len(searches) - 1 - before - after
    assert 0 <= before + after - alone <= 2  # those of a decision that was half judged


# ---- what is wrong -------------------------------------------------------------------------------
@pytest.mark.parametrize("seat", [-1, 2, "0", None])
def test_a_seat_that_is_not_there_is_refused(seat: object) -> None:
    with pytest.raises(BattleboxError, match=r"no seat .*; seats are 0 \.\. 1"):
        review(played(RACE, 1), [seat], compiled=False)  # type: ignore[list-item]


def test_a_match_without_a_move_is_refused() -> None:
    with pytest.raises(BattleboxError, match="nothing has been played yet"):
        plain(RACE.match(1))


def test_a_review_without_a_simulation_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        plain(played(RACE, 1), simulations=0)


def test_a_hint_is_for_whoever_is_to_act() -> None:
    m = RACE.match(1)
    over = played(RACE, 1)
    last = over.history[-1][0]
    for o in (m.observation(1), over.observation(last)):
        with pytest.raises(ValueError, match="to act, in a match that is not over"):
            hint(RACE, o, simulations=5, compiled=False)
    with pytest.raises(ValueError, match="spectator"):
        hint(RACE, m.observation(None), simulations=5, compiled=False)


def test_an_action_that_is_not_legal_is_not_weighed() -> None:
    m = RACE.match(1)
    bot = SearchBot(RACE, 5, compiled=False)
    assert set(m.legal_actions) == {0, 1}
    assert bot.action_stats(m.observation(0), 1)[1].visits == 5
    for seat, action in ((0, 2), (0, 99), (1, 0)):
        with pytest.raises(ValueError, match=f"action {action} is not a legal action"):
            bot.action_stats(m.observation(seat), action)


# ---- in words ------------------------------------------------------------------------------------
def step(number: int = 0, **fields: object) -> Step:
    """A step in which nothing happens."""
    x = Step(number, 0, "a0", "Action 0", "", 0.0, 0.0, 0.0, 0.0, "a0", "Action 0", "")
    return replace(x, **fields)  # type: ignore[arg-type]


def seat_review(*steps: Step, rounds: int = 1, turning: tuple[Step, ...] = ()) -> SeatReview:
    """Somebody's review; the sums are not those of the steps."""
    return SeatReview(0, rounds, 0.08, 0.54, -0.006, 0.386, 1.0, steps, turning)


def texts(lines: list[Line]) -> list[str]:
    return [f"{x.head} {x.text}".strip().replace("\u00a0", " ") for x in lines]


def test_a_summary_says_all_parts() -> None:
    said = summary(seat_review(), "You", "your").replace("\u00a0", " ")
    assert said == (
        "You: 54 % to win at the start, 100 % in the end. Added up over the match: "
        "luck +27 points, your choices 0 points, others' choices +19 points."
    )
    said = summary(seat_review(rounds=3), "Ada", "own").replace("\u00a0", " ")
    assert said == (
        "Ada: 1.5 of 3 rounds expected at the start, 2 in the end. Added up over the match: "
        "luck +0.3 rounds, own choices 0 rounds, others' choices +0.2 rounds."
    )


@pytest.mark.parametrize("rounds", [1, 4])
def test_what_is_written_adds_up_too(rounds: int) -> None:
    """However it was rounded: luck is what is left, there as well."""
    dice = random.Random(1)
    for _ in range(200):
        start, own, others = (dice.uniform(-1, 1) for _ in range(3))
        end = dice.choice([-1, 0, 1])
        luck = end - start - own - others
        said = parts(SeatReview(0, rounds, start, luck, own, others, end, (), ()))
        whole, digit = (50, 1) if rounds == 1 else (0.5, 0.1)
        units = ["%", *["points"] * 3, "%"] if rounds == 1 else ["", *["rounds"] * 3, ""]
        words = [x.replace("−", "-").partition("\u00a0") for x in said]
        assert [x[2].replace("point", "points").replace("ss", "s") for x in words] == units
        a, b, c, d, e = (float(x[0]) for x in words)
        assert a + b + c + d == pytest.approx(e)
        assert b == pytest.approx(whole * luck, abs=2.01 * digit)
        for shown, x in ((c, own), (d, others)):
            assert shown == pytest.approx(whole * x, abs=0.51 * digit)


def test_sums_are_told_in_points_however_large() -> None:
    """A chance that goes up and down moves by more than 100 of them; no match is won twice."""
    a = SeatReview(0, 1, 0.0, -2.56, -0.4, 1.96, -1.0, (), ())
    assert summary(a, "You", "your").replace("\u00a0", " ") == (
        "You: 50 % to win at the start, 0 % in the end. Added up over the match: "
        "luck −128 points, your choices −20 points, others' choices +98 points "
        "(more than 100, as the chance went up and down)."
    )
    shared = SeatReview(0, 1, -0.5, 0.5, -0.02, 0.02, 0.0, (), ())  # of four, a win for two
    assert summary(shared, "Ada", "own").replace("\u00a0", " ") == (
        "Ada: 25 % to win at the start, 50 % in the end. Added up over the match: "
        "luck +25 points, own choices −1 point, others' choices +1 point."
    )


def test_turning_points_tell_what_happened_in_a_few_sentences() -> None:
    long = " ".join(f"Card {k} is turned." for k in range(30))
    points = (
        step(3, luck=0.5, after=0.5, told="You roll 6."),
        step(11, mover=1, decision=0.2, after=-0.5),
        step(12, mover=None, label="call it off", after=0.5, told=""),
        step(13, after=0.4, told=long),
    )
    a, b, c, d = texts(turning_points(seat_review(turning=points), ["Ada", "Ben"]))
    assert a == "4. 50 % → 75 % (luck). You roll 6."
    assert b == "12. 50 % → 25 % (the choice +10 points). Ben: Action 0."
    assert c == "13. 50 % → 75 %. All: call it off."
    assert d.endswith("is turned. …")
    assert len(d) < 200


def test_decisions_are_set_beside_those_of_champion() -> None:
    steps = [step(k, word="a1", decision=-0.1 * (k + 1)) for k in range(7)]
    steps += [step(7), step(8, word="a1"), step(9, mover=1, best="")]
    head, *lines = texts(decisions(seat_review(*steps)))
    assert head == (
        "9 decisions: 1 as the strongest bot would have decided, 1 worth as much, 7 worth less; "
        "the 5 that cost most:"
    )
    assert [x.partition(".")[0] for x in lines] == ["3", "4", "5", "6", "7"]
    assert lines[0] == "3. 50 %. Action 0. Strongest bot: Action 0, 15 points better."
    head, *lines = texts(decisions(seat_review(*steps), every=True))
    assert head.endswith("7 worth less.")
    assert len(lines) == 9
    assert lines[-2:] == [
        "8. 50 %. Action 0.",
        "9. 50 %. Action 0. Strongest bot: Action 0, worth as much.",
    ]
    little = texts(decisions(seat_review(step(word="a1", decision=-0.009))))
    assert little[1] == "1. 50 %. Action 0. Strongest bot: Action 0, hardly better."
    assert texts(decisions(seat_review())) == [
        "0 decisions: 0 as the strongest bot would have decided, 0 worth as much, 0 worth less."
    ]


LABELS = {k: f"Action {k}" for k in range(5)}


def option(action: int, visits: int, *returns: float, error: float = 0.01) -> Option:
    """As a search of seat 0 found it."""
    seats = returns if len(returns) > 1 else (returns[0], -returns[0])
    return Option(action, visits, seats[0], seats, (error,) * len(seats))


def advised(
    *options: Option, labels: dict[int, str] = LABELS, rounds: bool = False, **how: Any
) -> str:
    names = ["You", "Mara", "Otto"][: len(options[0].returns)]
    return advice(options, labels, 0, names, by_rounds=rounds, **how).replace("\u00a0", " ")


def test_a_hint_says_why() -> None:
    """Against those behind it, of which enough is known."""
    best, second, third = option(2, 800, 0.5), option(0, 120, 0.2), option(3, 90, 0.1)
    assert advised(best, second) == (
        "The strongest bot would choose: Action 2, 75 % to win the match. "
        "It wins more often than Action 0 (60 %)."
    )
    assert advised(best, third, second).endswith("It wins more often than Action 0 (60 %).")
    assert "75 % to win the round. It" in advised(best, second, rounds=True)
    said = advised(best, second, rounds=True, may_end=True)
    assert "75 % to win the round, or the match if this round ends it. It" in said
    assert advised(best, option(4, 20, 0.9)).endswith(
        "to win the match. Everything else soon looked worse."
    )
    assert advised(best, labels={2: "Pass"}) == (
        "The strongest bot would choose: Pass, 75 % to win the match. Nothing else is possible."
    )


TOLD = Consequences(
    "at the end of the turn", (Consequence("{n} more card{s} drawn", "{n} fewer card{s} drawn"),)
)


def test_a_hint_says_what_the_choice_leads_to() -> None:
    """Beside the one that is compared; and when nothing that is counted tells them apart."""
    best = replace(option(2, 800, 0.5), facts=(Measured(3, 0.1),))
    second = replace(option(0, 120, 0.2), facts=(Measured(1, 0.1),))
    near = replace(option(0, 700, 0.49), facts=(Measured(1, 0.1),))
    alike = replace(second, facts=best.facts)
    leads = "with 2 more cards drawn on average at the end of the turn"
    assert advised(best, second, consequences=TOLD).endswith(f"than Action 0 (60 %), {leads}.")
    assert advised(best, near, consequences=TOLD).endswith(
        f"About as good: Action 0 (74 %); the first {leads}."
    )
    assert advised(best, near, option(3, 90, 0.48), consequences=TOLD).endswith(
        f"About as good: Action 0 (74 %) and others; the first {leads}."
    )
    assert advised(best, alike, consequences=TOLD).endswith(
        "than Action 0 (60 %); it does not show yet at the end of the turn."
    )
    assert advised(best, replace(near, facts=best.facts), consequences=TOLD).endswith(
        "About as good: Action 0 (74 %)."
    )


@pytest.mark.compiled
def test_hints_tell_what_the_first_options_lead_to() -> None:
    """Each searched by itself, so that all are measured alike; both builds find the same."""
    m = JUDGED.match(5)
    one, other = (
        hint(JUDGED, m.observation(0), simulations=200, seed=3, compiled=c) for c in (False, True)
    )
    assert one == other
    assert [len(x.facts) for x in one] == [2, 2]
    steps = {m.word(x.action): x.facts[0] for x in one}
    assert steps.pop(m.word(REST)) == Measured(1, 0)
    assert all(x.mean > 3 and x.error > 0 for x in steps.values())
    assert all(x.facts == () for x in hint(SEALED, SEALED.match(1).observation(0), simulations=50))


def test_a_review_says_what_would_have_been_better_for() -> None:
    """The reason stands where a decision is worse beyond chance, for its own seat alone."""
    m = JUDGED.match(5)
    while m.to_act is not None:
        m.submit(m.to_act, REST)
    reviews = review(m, simulations=100, seats=[0])
    judged = [x for x in reviews[0].steps if x.best and x.decision < 0]
    assert any(x.why for x in judged)
    assert all(not x.why for x in reviews[0].steps if x not in judged)
    assert f": {judged[0].why}." in texts(decisions(reviews[0], every=True))[1 + judged[0].number]


def test_a_hint_says_when_there_is_little_between_them() -> None:
    """Less than 2 %, or less than what may be chance; also where fewer visits found more."""
    best, near, far = option(2, 800, 0.5), option(0, 700, 0.49), option(3, 90, 0.1)
    assert advised(best, near).endswith("to win the match. About as good: Action 0 (74 %).")
    assert advised(best, far, near).endswith("About as good: Action 0 (74 %).")
    assert advised(best, near, option(3, 90, 0.48)).endswith("good: Action 0 (74 %) and others.")
    assert "more often than Action 3 (73 %)" in advised(best, option(3, 90, 0.459))
    unsure = [option(2, 800, 0.5, error=0.1), option(0, 60, 0.3, error=0.1)]
    assert "About as good: Action 0 (65 %)" in advised(*unsure)
    more = option(0, 60, 0.6)
    assert advised(best, more).endswith("In fewer tries, Action 0 (80 %) did even better.")
    assert "About as good: Action 0 (76 %)" in advised(best, option(0, 60, 0.52))


def test_a_hint_says_at_whose_cost() -> None:
    """Of several others, if it is one alone; of a single one it goes without saying."""
    best, second = option(2, 800, 0.4, -0.8, -0.1), option(0, 300, 0.1, -0.3, -0.1)
    assert advised(best, second).endswith("than Action 0 (55 %), at the cost of Mara.")
    both = option(0, 300, 0.1, -0.3, 0.2)
    assert advised(best, both).endswith("than Action 0 (55 %).")


@pytest.mark.parametrize(
    ("expected", "said"),
    [(1.0, "over 99 %"), (0.97, "98 %"), (-0.999, "under 1 %"), (-1, "under 1 %")],
)
def test_a_hint_never_promises_the_end(expected: float, said: str) -> None:
    assert f"Action 2, {said} to win the match. " in advised(option(2, 800, expected))


def test_hints_know_what_every_seat_may_expect() -> None:
    """The reason is made of what the search itself found."""
    m = played(SEALED, 4, 3)
    first, *others = hint(SEALED, m.observation(1), simulations=50, seed=7, compiled=False)
    found = SearchBot(SEALED, 50, 7, compiled=False).action_stats(m.observation(1))
    for x in (first, *others):
        assert x.returns == found[x.action].returns
        assert x.expected == x.returns[1]
        assert x.errors[1] == pytest.approx((found[x.action].variances[1] / x.visits) ** 0.5)


def test_a_round_may_end_the_match_if_somebody_is_a_point_short() -> None:
    rules = bb.load("battle", players=4, target_points=3)

    def of(score: str) -> bool:
        position = "ba1 n=4 ph=PD turn=0 ids=H.V.H.V hand0=1 hand1=2 hand2=3 hand3=4 deck=1.BT "
        return may_end(rules.match(1, position=f"{position} disc=7 score={score}").scene(0))

    assert [of(x) for x in ("0.0.0.0", "1.1.0.1", "1.0.2.0")] == [False, False, True]


def test_what_ends_the_search_is_by_rounds() -> None:
    assert by_rounds(bb.load("battle"))
    assert not by_rounds(bb.load("battleball"))
    assert not by_rounds(bb.load("war_zone"))
