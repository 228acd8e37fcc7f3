"""Which levels of bots a game has; `quick`, which plays by the policy that comes with a game."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from serving import ROOMY, InThread, Seat, in_thread, until
from test_policy import about, made_up, rewritten, with_more_kinds
from test_shelf import ROOT, Put, _apart, edit, put

import battlebox as bb
from battlebox.arena import Plan, tournament
from battlebox.bots import BotSpec, levels, parse_bot
from battlebox.bots.adviser import Learned, Searched, adviser, judges_rounds
from battlebox.bots.policy import LookaheadBot, PolicyBot, read_policy
from battlebox.bots.review import hint, review
from battlebox.bots.search import SearchBot
from battlebox.server import session

__all__ = ["_apart", "put"]  # fixtures
pytestmark = pytest.mark.compiled
KUHN = ROOT / "examples" / "kuhn_poker" / "src" / "kuhn_poker"
SEARCHING = tuple(x for x in bb.LEVELS if x != "quick")
MORE_KINDS = with_more_kinds()
SHIPPED = [n for n in bb.games() if bb.load(n).game.policy]


@pytest.fixture
def kuhn(put: Put) -> Path:
    """The folder of a game for which something was learned, if nothing good."""
    return learned(put, "kuhn", "evaluations=(20, 40)")


def learned(put: Put, name: str, how: str) -> Path:
    folder = put(f"games/{name}", like=KUHN)
    edit(folder / "__init__.py", "(__name__)", f"(__name__, {how})")
    (folder / "policy.npz").write_bytes(made_up(bb.load(folder)).data)
    return folder


def test_a_game_has_the_level_if_a_policy_comes_with_it(put: Put, kuhn: Path) -> None:
    rules, other = bb.load(kuhn), bb.load(put("plain", like=KUHN))
    assert levels(rules.game) == bb.LEVELS
    assert levels(other.game) == SEARCHING
    assert isinstance(bb.bot("quick", rules), PolicyBot)
    said = r"no bot 'quick' in plain: .* nothing was yet; try: battlebox train plain"
    with pytest.raises(bb.RulesetError, match=said):
        bb.bot("quick", other)


def test_the_strongest_look_ahead_where_a_game_says_how_far(kuhn: Path) -> None:
    """Its judgement is that of hints and reviews then, which are of matches."""
    rules = bb.load(kuhn)
    for word, far in (("expert", 20), ("champion", 40)):
        bot = bb.bot(word, rules, seed=3)
        assert isinstance(bot, LookaheadBot)
        assert (bot.evaluations, BotSpec(word).simulations(rules.game)) == (far, 0)
    assert isinstance(bb.bot("hard", rules), SearchBot)
    digest = read_policy(str(kuhn / "policy.npz")).digest
    assert Plan(rules, ("champion", "hard")).files == {"champion": f"{digest}+40"}
    assert not judges_rounds(rules)
    m = rules.match(5)
    while m.to_act is not None:
        o = m.observation(m.to_act)
        first, *others = hint(rules, o, seed=2)
        assert first.returns == bb.bot("quick", rules).values(o), "what the seat may expect"
        assert {x.action for x in (first, *others)} <= {*m.legal_actions}
        m.submit(m.to_act, m.legal_actions[0])
    for found in review(m, seed=2):
        assert found.start + found.luck + found.own + found.others == pytest.approx(found.end)
        assert found.steps[0].before == found.start
    (kuhn / "policy.npz").unlink()
    assert isinstance(bb.bot("champion", rules), SearchBot)


def test_a_level_that_judges_no_positions_searches(put: Put) -> None:
    rules = bb.load(learned(put, "other", "evaluations=(0, 40)"))
    assert isinstance(bb.bot("expert", rules), SearchBot)
    assert isinstance(bb.bot("champion", rules), LookaheadBot)


def test_the_strongest_search_by_the_policy_where_a_game_says_so(put: Put) -> None:
    """What it says is added to what they find, in hints and reviews, too; a search that is asked
    for by its simulations does without.
    """
    folder = learned(put, "searching", "searches_by_policy=True")
    rules = bb.load(folder)
    by_policy = {"expert": True, "champion": True, "hard": False, "so-ismcts:10000": False}
    for word, does in by_policy.items():
        bot = bb.bot(word, rules, seed=3)
        assert isinstance(bot, SearchBot)
        assert bool(bot.prior) == does
    digest = read_policy(str(folder / "policy.npz")).digest
    plan = Plan(rules, (*by_policy,))
    assert plan.files == {"expert": digest, "champion": digest}
    assert [*plan.simulations] == [*by_policy]
    m = rules.match(5)
    o = m.observation(m.to_act)
    first = adviser(rules).options(o, seed=2)
    found = bb.bot("champion", rules, seed=2).action_stats(o)
    assert first[0].action == max(found, key=lambda a: found[a].preference)
    logits = bb.bot("quick", rules).logits(o)
    assert [found[x.action].preference for x in first] == [
        math.log(x.visits) + logits[x.action] for x in first
    ]
    (folder / "policy.npz").unlink()
    assert not bb.bot("champion", rules).prior


def test_battleballs_champion_searches_by_its_policy() -> None:
    bot = bb.bot("champion", bb.load("battleball"))
    assert isinstance(bot, SearchBot)
    assert isinstance(bot.prior, PolicyBot)


def test_decks_with_more_kinds_of_cards_do_without(tmp_path: Path) -> None:
    (tmp_path / "more.toml").write_text(MORE_KINDS)
    assert levels(bb.load("war_zone", deck=str(tmp_path / "more.toml")).game) == SEARCHING


def test_its_matches_are_those_of_its_policy(kuhn: Path, tmp_path: Path) -> None:
    """An arena that was stopped does not go on with another policy."""
    rules, file = bb.load(kuhn), kuhn / "policy.npz"
    kept = tmp_path / "kept.jsonl"
    plan = Plan(rules, ("quick", "random"), 3)
    assert plan.files == {"quick": read_policy(str(file)).digest}
    by_level = tournament(plan, 8, workers=1, out=kept)
    by_file = tournament(Plan(rules, (f"policy:{file}", "random"), 3), 8, workers=1)
    assert by_level.matches == by_file.matches
    assert not BotSpec("quick").simulations(rules.game)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_comes_with_a_game_fits_it(name: str) -> None:
    """Its rules, and the limits of a file: 1 MB; with a critic, to look ahead with."""
    rules = bb.load(name)
    file = read_policy(str(rules.game.policy))
    assert isinstance(parse_bot("quick").make(rules, 1), PolicyBot)
    assert file.critic
    assert len(file.data) < 1_000_000


def test_nobody_hopes_for_more_where_cards_are_placed_in_secret() -> None:
    """What one player wins the other loses, so what both hope for as they begin to place cards is
    nothing on average. A search in one tree, which answers what is still face down, hopes for more.
    """
    rules, dice = bb.load("iron_man", mode="beginner"), random.Random(1)
    searched, learned = Searched(rules, 2_000), adviser(rules)
    assert isinstance(learned, Learned)
    sums = list[tuple[float, float]]()
    for seed in range(100):
        m, bot = rules.match(seed), bb.bot("quick", rules, seed=seed)
        rounds, now = list[dict[int, Any]](), dict[int, Any]()
        while (seat := m.to_act) is not None:
            o = m.observation(seat)
            if m.phase == "PLACE":
                now.setdefault(seat, o)
                if len(now) == 2:
                    rounds.append(now)
                    now = {}
            else:
                now = {}
            m.submit(seat, bot.choose(o))
        both = dice.choice(rounds).values()
        sums.append(tuple(sum(x.expected(o, seed) for o in both) / 2 for x in (searched, learned)))
    by_search, by_policy = np.array(sums).T
    assert abs(by_policy.mean()) < 0.05
    assert by_search.mean() > 0.07


# ---- the server ----------------------------------------------------------------------------------
@pytest.fixture
def server(tmp_path: Path, kuhn: Path, monkeypatch: pytest.MonkeyPatch) -> InThread:
    monkeypatch.setenv("BATTLEBOX_GAMES", str(kuhn.parent))
    session._ruleset.cache_clear()  # by the name of a game, and each test has its own
    with in_thread(tmp_path / "server", **ROOMY) as running:
        yield running


def test_a_server_offers_it_where_there_is_one(server: InThread) -> None:
    told = {g["name"]: g["levels"] for g in server.ask("GET", "/api/games").json()}
    assert told["kuhn"] == list(bb.LEVELS)
    for name in bb.games():
        assert told[name] == list(levels(bb.load(name).game))


def test_a_bot_that_has_learned_plays_there(
    server: InThread, caplog: pytest.LogCaptureFixture
) -> None:
    made = server.make(["quick", "you"], game="kuhn")
    with Seat(server, made["id"], made["token"]):
        until(lambda: server.room(made["id"]).session.length)
    assert not caplog.messages


def test_one_plays_at_random_where_rules_are_no_longer_those_it_learned(
    server: InThread, kuhn: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = read_policy(str(kuhn / "policy.npz"))
    (kuhn / "policy.npz").write_bytes(rewritten(file, about=about(file, version=99)))
    made = server.make(["quick", "you"], game="kuhn")
    with Seat(server, made["id"], made["token"]):
        until(lambda: server.room(made["id"]).session.length)
    assert [x for x in caplog.messages if "version 99" in x and "it plays at random" in x]


def test_one_that_does_not_know_the_cards_of_a_deck_is_refused(server: InThread) -> None:
    options = {"seats": ["you", "quick"], "game": "war_zone", "deck": MORE_KINDS}
    answer = server.ask("POST", "/api/matches", json=options)
    assert answer.status_code == 400
