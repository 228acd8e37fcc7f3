"""The public API, line by line, and the match: the only way in, and what nobody may do or see."""

from __future__ import annotations

import dataclasses
import inspect
import itertools
import json
import pickle
import random
from typing import Any

import numpy as np
import pytest
from games import as_game, sealed, short, window

import battlebox as bb
from battlebox.bots.search import SearchBot
from battlebox.core.errors import BattleboxError, PositionError, ScriptError, UndoRefused
from battlebox.core.match import Match
from battlebox.core.random import Script
from battlebox.games import find

SEALED = as_game(sealed).ruleset({})


@pytest.fixture(params=bb.games())
def rules(request: pytest.FixtureRequest) -> bb.Ruleset:
    return short(request.param)


def play_on(m: Match, steps: int, seed: int = 0) -> Match:
    dice = random.Random(seed)
    for _ in range(steps):
        if m.to_act is None:
            break
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return m


def all_of(m: Match) -> tuple[Any, ...]:
    """Everything that can be asked of a match."""
    seats = (None, *range(m.rules.players))
    seen = [(m.observation(p).tobytes(), m.events(p), m.scene(p)) for p in seats]
    return m.digest(), m.to_act, m.phase, m.legal_words(), m.history, m.record(), seen


# ---- the API as it is documented -----------------------------------------------------------------
def test_the_names_are_there() -> None:
    for name in bb.__all__:
        assert hasattr(bb, name)
    assert "war_zone" in bb.games()
    assert isinstance(bb.games(), list)
    bb.games().clear()
    assert bb.games(), "a list of one's own"


def test_load_gives_a_ruleset() -> None:
    rules = bb.load("war_zone", players=3, speedy=True)
    assert isinstance(rules, bb.Ruleset)
    assert (rules.name, rules.players) == ("war_zone", 3)
    assert "speedy=true" in repr(rules)


@pytest.mark.parametrize(
    ("game", "options", "words"),
    [
        ("warzone", {}, "did you mean 'war_zone'"),
        ("", {}, "war_zone"),
        ("war_zone", {"player": 3}, "did you mean 'players'"),
        ("war_zone", {"players": 1}, "players"),
        ("war_zone", {"players": 7}, "players"),
        ("war_zone", {"players": "3"}, "players"),
        ("war_zone", {"players": 3.0}, "players"),
        ("war_zone", {"players": True}, "players"),
        ("war_zone", {"players": None}, "players"),
        ("war_zone", {"speedy": 1}, "speedy"),
        ("war_zone", {"speedy_finish": "later"}, "speedy_finish"),
        ("war_zone", {"deck": "no-such-deck"}, "deck"),
        ("war_zone", {"deck": "/no/such/deck.toml"}, "deck"),
    ],
)
def test_a_wrong_game_or_option_is_a_ruleset_error(
    game: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(bb.RulesetError) as e:
        bb.load(game, **options)
    assert words in str(e.value)
    assert "\n" not in str(e.value)
    assert isinstance(e.value, ValueError)


def test_the_api_of_a_match_as_documented() -> None:
    rules = bb.load("war_zone", players=3, speedy=True)
    m = rules.match(seed=7)
    assert isinstance(m, bb.Match)
    assert isinstance(m.to_act, int)
    assert isinstance(m.phase, str)
    assert m.over is False
    assert m.returns == (0.0, 0.0, 0.0)
    assert all(isinstance(w, str) for w in m.legal_words())
    assert len(m.legal_words()) == len(m.legal_actions) == len(set(m.legal_words()))
    assert list(m.legal_actions) == sorted(m.legal_actions)
    m.submit(m.to_act, m.legal_words()[0])
    assert m.to_act is not None
    m.submit(m.to_act, m.legal_actions[0])
    for seat in range(3):
        assert isinstance(m.observation(seat).tobytes(), bytes)
        assert isinstance(m.scene(seat), bb.Scene)
        assert all(isinstance(t, bb.EventView) for t in m.events(seat))
    text = m.record()
    again = bb.replay(text)
    assert isinstance(again, bb.Match)
    assert again.record() == text
    bot = bb.bot("random", rules, seed=1)
    assert bot.choose(m.observation(m.to_act)) in m.legal_actions
    play_on(m, 10**6)
    assert m.over is True
    assert m.to_act is None
    assert m.phase == "OVER"
    assert m.legal_words() == []
    assert all(type(x) is float and -1 <= x <= 1 for x in m.returns)


def test_undo_takes_the_last_action_back() -> None:
    m = SEALED.match(seed=7)
    before = all_of(m)
    word = m.legal_words()[0]
    m.submit(0, word)
    assert m.undo() == word
    assert all_of(m) == before


@pytest.mark.parametrize("game", bb.games())
def test_everything_public_has_a_docstring(game: str) -> None:
    """... and types, for its users."""
    for name in bb.__all__:
        x = getattr(bb, name)
        if inspect.isclass(x) or inspect.isfunction(x):
            assert inspect.getdoc(x), name
    for f in (bb.games, bb.load, bb.replay, bb.bot, bb.Match.submit, bb.Ruleset.match):
        assert inspect.signature(f).return_annotation is not inspect.Signature.empty


def test_a_ruleset_can_be_pickled() -> None:
    rules = bb.load("war_zone", players=4, teams=2, cycle=2)
    again = pickle.loads(pickle.dumps(rules))
    assert (again.digest, repr(again)) == (rules.digest, repr(rules))


# ---- determinism ---------------------------------------------------------------------------------
def test_a_seed_and_actions_give_the_same_bytes(rules: bb.Ruleset) -> None:
    one, two = play_on(rules.match(seed=5), 60), play_on(rules.match(seed=5), 60)
    assert all_of(one) == all_of(two)


def test_a_look_back_is_the_match_as_it_was(rules: bb.Ruleset) -> None:
    m, were = rules.match(seed=3), []
    for _ in range(40):
        were.append(all_of(m))
        play_on(m, 1, seed=len(were))
    now = all_of(m)
    steps = sorted({0, 1, 2, 7, 20, len(m.history) - 1})
    assert [all_of(then) for then in m.look_back(steps)] == [were[k] for k in steps]
    assert [all_of(then) for then in m.look_back([len(m.history)])] == [now]
    assert all_of(m) == now


def test_other_seeds_give_other_matches(rules: bb.Ruleset) -> None:
    assert len({rules.match(seed=k).digest() for k in range(30)}) == 30


def test_without_a_seed_each_match_is_another(rules: bb.Ruleset) -> None:
    assert len({rules.match().seed for _ in range(5)}) == 5


@pytest.mark.parametrize("seed", [-1, 2**62])
def test_a_seed_out_of_range_is_refused(rules: bb.Ruleset, seed: int) -> None:
    with pytest.raises(ValueError, match="seed"):
        rules.match(seed=seed)


def test_matches_do_not_touch_each_other(rules: bb.Ruleset) -> None:
    m, other = rules.match(seed=1), rules.match(seed=1)
    before = all_of(m)
    play_on(other, 30)
    assert all_of(m) == before


def test_asking_changes_nothing(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 7)
    state = m._array.tobytes()
    assert all_of(m) == all_of(m)
    m.log(0), m.write_position(), m.why_no_undo(), repr(m), m.returns
    assert m._array.tobytes() == state


def test_an_observation_is_a_copy(rules: bb.Ruleset) -> None:
    m = rules.match(seed=1)
    before = m.digest()
    m.observation(0)["to_act"] = 1
    m.observation(0)["rng"] = 1
    assert m.digest() == before


# ---- what is refused, and changes nothing --------------------------------------------------------
WRONG = [True, False, 1.0, None, b"pass", ["pass"], np.float64(0), np.bool_(False), (0,)]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_what_is_neither_word_nor_number_is_refused(rules: bb.Ruleset, wrong: Any) -> None:
    m = play_on(rules.match(seed=1), 3)
    before = all_of(m)
    with pytest.raises(bb.InvalidWord):
        m.submit(m.to_act or 0, wrong)
    assert all_of(m) == before


@pytest.mark.parametrize("number", [-1, 10**6, 2**70, -(2**70)])
def test_a_number_that_is_no_action_is_refused(rules: bb.Ruleset, number: int) -> None:
    m = rules.match(seed=1)
    before = all_of(m)
    with pytest.raises(bb.InvalidWord):
        m.submit(m.to_act or 0, number)
    assert all_of(m) == before


@pytest.mark.parametrize(
    "word", ["", " ", "?", "PASS ", "pass\n", "x" * 5000, "\0", "é", "9" * 400]
)
def test_a_word_that_is_no_action_is_refused(rules: bb.Ruleset, word: str) -> None:
    m = rules.match(seed=1)
    before = all_of(m)
    with pytest.raises((bb.InvalidWord, bb.IllegalAction)):
        m.submit(m.to_act or 0, word)
    assert all_of(m) == before


def test_numpy_whole_numbers_are_actions(rules: bb.Ruleset) -> None:
    m = rules.match(seed=1)
    m.submit(np.int8(m.to_act or 0), np.int64(m.legal_actions[-1]))
    assert len(m.history) == 1
    assert bb.replay(m.record()).digest() == m.digest()


def test_an_illegal_action_is_refused(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 9)
    while len(m.legal_actions) == rules.plain().num_actions:  # as long as nothing is illegal
        play_on(m, 1)
    before = all_of(m)
    illegal = set(range(rules.plain().num_actions)) - set(m.legal_actions)
    for action in illegal:
        with pytest.raises(bb.IllegalAction):
            m.submit(m.to_act or 0, action)
    assert illegal
    assert all_of(m) == before


@pytest.mark.parametrize("seat", [-1, 2, 99, True, False, 0.0, "0", None])
def test_a_seat_that_is_none_is_refused(seat: Any) -> None:
    m = SEALED.match(seed=1)
    before = all_of(m)
    with pytest.raises(bb.IllegalAction):
        m.submit(seat, m.legal_actions[0])
    assert all_of(m) == before


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_none_sees_nothing(seat: int) -> None:
    m = SEALED.match(seed=1)
    for ask in (m.observation, m.scene, m.events):
        with pytest.raises(bb.IllegalAction):
            ask(seat)


def test_the_wrong_seat_is_refused(rules: bb.Ruleset) -> None:
    m = rules.match(seed=1)
    before = all_of(m)
    for seat in set(range(rules.players)) - {m.to_act}:
        for action in m.legal_actions:
            with pytest.raises(bb.IllegalAction):
                m.submit(seat, action)
    assert all_of(m) == before


def test_after_the_end_everything_is_refused(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 10**6)
    before = all_of(m)
    for seat in range(rules.players):
        for action in (0, 1, m.history[-1][1]):
            with pytest.raises((bb.IllegalAction, bb.InvalidWord)):
                m.submit(seat, action)
    assert all_of(m) == before


def test_errors_are_of_one_family() -> None:
    for name in bb.__all__:
        x = getattr(bb, name)
        if inspect.isclass(x) and issubclass(x, Exception):
            assert issubclass(x, BattleboxError)


def test_a_refusal_does_not_tell_the_wrong_seat_what_is_hidden() -> None:
    """In a window only the asked seat may know who is asked, whatever the others try."""
    rules = as_game(window).ruleset({})
    for seed in range(40):
        m, dice = rules.match(seed), random.Random(seed)
        while m.to_act is not None and m.phase != "WINDOW":
            m.submit(m.to_act, dice.choice(m.legal_actions))
        if m.to_act is None:
            continue
        for seat in set(range(10)) - {m.to_act}:
            for action in (0, "a0", "a20"):
                with pytest.raises(bb.IllegalAction) as e:
                    m.submit(seat, action)
                assert f"seat {m.to_act}" not in str(e.value)


# ---- undo ----------------------------------------------------------------------------------------
def test_nothing_can_be_taken_back_at_first(rules: bb.Ruleset) -> None:
    m = rules.match(seed=1)
    before = all_of(m)
    with pytest.raises(UndoRefused, match="nothing"):
        m.undo()
    assert all_of(m) == before


def test_nobody_takes_back_what_another_did() -> None:
    m = SEALED.match(seed=1)
    m.submit(0, m.legal_actions[0])
    before = all_of(m)
    with pytest.raises(UndoRefused, match="not yours"):
        m.undo(1)
    assert all_of(m) == before
    m.undo(0)
    assert m.history == []


@pytest.mark.parametrize("game", ["war_zone", "iron_man", "battle", "battleball", "medieval"])
def test_alone_against_bots_undo_goes_back_to_one_s_own_last_decision(game: str) -> None:
    m, dice, stood = bb.load(game).match(5), random.Random(5), list[tuple[int, str]]()
    over_bots, why = 0, set[str]()
    for _ in range(150):
        if m.to_act is None:
            break
        if m.to_act == 0 and len(m.legal_actions) > 1:  # what is forced is no decision
            stood.append((len(m.history), m.digest()))
        m.submit(m.to_act, dice.choice(m.legal_actions))
        why.add(m.why_no_undo(0, alone=True))
        if m.why_no_undo(0, alone=True):
            continue
        (at, before), after, gone = stood[-1], m.digest(), m.history[stood[-1][0] :]
        m.undo(0, alone=True)
        assert (len(m.history), m.digest(), m.to_act) == (at, before, 0)
        for by, word in gone:
            m.repeat(by, word)
        assert m.digest() == after
        over_bots += gone[-1][0] != 0
    assert bool(over_bots) == (game in ("war_zone", "iron_man", "battle"))
    since = "since your last decision"
    assert (
        why
        - {
            "",
            "you have not decided anything yet",
            "everybody has been asked to respond to it",
            f"dice have been rolled or cards shuffled {since}",
            f"something hidden has been revealed {since}",
        }
        == set()
    )


def test_one_s_own_draw_stops_undo_and_a_bot_s_does_not() -> None:
    for seed in itertools.count():
        m = bb.load("war_zone").match(seed)
        while m.phase == "MULL":
            m.submit(m.to_act, "pass")
        one, other = m.to_act, 1 - m.to_act
        m.submit(one, m.legal_words()[-1])  # who attacks draws a card
        if len(m.legal_words()) > 1:  # the other one can block
            break
    with pytest.raises(UndoRefused, match="been revealed since your last decision"):
        m.undo(one, alone=True)
    before = m.digest()
    m.submit(other, "pass")
    while m.to_act == one:
        m.submit(one, m.legal_words()[-1])
    assert m.why_no_undo(other) == "the last action was not yours"
    assert m.undo(other, alone=True) == "pass"
    assert (m.phase, m.digest()) == ("DEFEND", before)


def test_nothing_is_taken_back_after_a_reveal() -> None:
    m = SEALED.match(seed=1)
    m.submit(0, m.legal_actions[0])
    m.submit(1, m.legal_actions[0])
    before = all_of(m)
    with pytest.raises(UndoRefused):
        m.undo()
    assert all_of(m) == before


def test_nothing_is_taken_back_after_chance(rules: bb.Ruleset) -> None:
    """Whenever the generator moved, undo is refused; it leaves no trace where it is not."""
    m, dice, refused = rules.match(seed=2), random.Random(2), 0
    for _ in range(200):
        if m.to_act is None:
            break
        before, rng, seat = all_of(m), m.state.rng, m.to_act
        action = dice.choice(m.legal_actions)
        m.submit(seat, action)
        moved = m.state.rng != rng
        after = all_of(m)
        try:
            m.undo(seat)
        except UndoRefused:
            refused += 1
            assert all_of(m) == after
        else:
            assert not moved
            assert all_of(m) == before
            m.submit(seat, action)
            assert all_of(m) == after
    assert refused


def test_undo_goes_back_step_by_step_to_the_last_public_point() -> None:
    m = bb.load("war_zone").match(seed=3)
    first, states = m.to_act, []
    while m.to_act == first and len(states) < 2:
        states.append(all_of(m))
        m.submit(first, next(w for w in m.legal_words() if w.startswith("c")))
    for state in reversed(states):
        m.undo(first)
        assert all_of(m) == state
    assert len(states) == 2


# ---- events --------------------------------------------------------------------------------------
def test_events_show_each_seat_its_own_share() -> None:
    m = SEALED.match(seed=1)
    card = m.legal_actions[0]
    m.submit(0, card)
    told = {p: [t for t in m.events(p) if t.event == sealed.Event.SEALED] for p in (0, 1, None)}
    assert told[0][0].args == {"seat": 0, "card": card}
    assert told[1][0].args == told[None][0].args == {"seat": 0, "card": None}


def test_events_for_one_seat_alone_are_told_to_nobody_else() -> None:
    m = SEALED.match(seed=1)
    drew = {p: [t for t in m.events(p) if t.event == sealed.Event.DREW] for p in (0, 1, None)}
    assert [len(drew[p]) for p in (0, 1, None)] == [sealed.HAND, sealed.HAND, 0]
    assert {t.args["seat"] for t in drew[0]} == {0}


def test_the_house_knows_all_that_happened() -> None:
    """Also what only one seat is told."""
    m = bb.load("war_zone").match(seed=7)
    drew = [seat for event, seat in m.happened if event.name == "DREW"]
    assert sorted(drew) == [0] * 6 + [1] * 6
    assert sum(told.event.name == "DREW" for told in m.events(0)) == 6


def test_events_after_those_heard() -> None:
    m = play_on(SEALED.match(seed=1), 4)
    told = m.events(0)
    assert [t.turn for t in told] == sorted(t.turn for t in told)
    assert {t.turn for t in told} == {-1, 0, 1, 2, 3}
    assert [m.events(0, k) for k in range(len(told) + 2)] == [
        told[k:] for k in range(len(told) + 2)
    ]


def test_events_belong_to_the_action_that_caused_them() -> None:
    m = SEALED.match(seed=1)
    for k in range(4):
        assert m.to_act is not None
        heard = len(m.events(None))
        m.submit(m.to_act, m.legal_actions[0])
        choices = [t for t in m.events(None, heard) if t.event == sealed.Event.SEALED]
        assert [t.turn for t in choices] == [k]


def test_the_log_is_the_events_in_words(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 30)
    for seat in (None, *range(rules.players)):
        said = [m.say(t, seat) for t in m.events(seat)]
        assert m.log(seat) == [x for x in said if x]
        assert len(m.log(seat)) > 10


# ---- what is not handed out ----------------------------------------------------------------------
def test_the_generator_is_in_no_observation(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 5)
    for seat in (None, *range(rules.players)):
        o = m.observation(seat)
        assert o["rng"] == 0
        assert o["viewer"] == (-1 if seat is None else seat + 1)
        assert o.shape == ()


def test_a_scene_can_be_written_as_json(rules: bb.Ruleset) -> None:

    m = play_on(rules.match(seed=1), 12)
    for seat in (None, *range(rules.players)):
        scene = m.scene(seat)
        assert json.loads(json.dumps(scene.to_dict()))["phase"] == m.phase
        for z in scene.zones:
            assert scene.zone(z.id) == z
        with pytest.raises(KeyError):
            scene.zone("no such zone")
        with pytest.raises(dataclasses.FrozenInstanceError):
            scene.phase = "X"  # type: ignore[misc]


@pytest.mark.parametrize("game", bb.games())
def test_a_scene_comes_back_from_json(game: str) -> None:
    rules = short(game)
    m, dice = rules.match(0), random.Random(0)
    while not m.over:
        for viewer in (None, *range(rules.players)):
            scene = m.scene(viewer)
            plain = scene.to_dict()
            assert bb.Scene.from_dict(plain) == scene
            again = bb.Scene.from_dict(json.loads(json.dumps({**plain, "of a newer server": 1})))
            assert again == scene
            assert isinstance(again.zones, tuple)
            assert all(isinstance(c.path, tuple) for c in again.choices)
        m.submit(m.to_act, dice.choice(m.legal_actions))
    assert bb.Scene.from_dict(m.scene(0).to_dict()).over


@pytest.mark.parametrize("mode", [(g, m.name) for g in bb.games() for m in find(g).modes])
def test_a_scene_as_it_is_sent_is_small_and_tells_all(mode: tuple[str, str]) -> None:
    game = find(mode[0])
    options = next(m.options for m in game.modes if m.name == mode[1])
    for seed in range(2):
        m, dice = game.ruleset({**game.human_defaults, **options}).match(seed), random.Random(seed)
        m.names = tuple(f"{{}} {name}" for name in m.names)  # as what rows have alike is written
        for _ in range(120):
            if m.to_act is None:
                break
            scene = m.scene(m.to_act)
            assert len(scene.as_json) < 40_000
            sent = json.loads(scene.as_json)
            assert bb.Scene.from_dict(sent) == scene
            templates = [json.dumps(x) for x in sent.get("templates", ())]
            assert len(set(templates)) == len(templates)
            assert not any(v in ("", [], {}) for z in sent["zones"] for v in z.values())
            m.submit(m.to_act, dice.choice(m.legal_actions))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"title": None}, "'title'|title = None"),
        ({"viewer": "0"}, "viewer = '0'"),
        ({"over": 1}, "over = 1"),
        ({"zones": [{"id": "x"}]}, r"'zones\[1\].kind' is missing"),
        ({"zones": "all"}, "zones"),
        ({"choices": [{"action": 1.5, "word": "x", "label": "X"}]}, r"choices\[1\].action = 1.5"),
        ({"phase": {1, 2}}, "not JSON serializable"),
    ],
)
def test_what_is_no_scene_is_said(change: dict[str, Any], why: str) -> None:
    scene = bb.load("war_zone").match(1).scene(0).to_dict()
    with pytest.raises(bb.BattleboxError, match=f"not a scene: .*({why})"):
        bb.Scene.from_dict({**scene, **change})
    for nothing in ({}, [], None, 7):
        with pytest.raises(bb.BattleboxError, match="not a scene"):
            bb.Scene.from_dict(nothing)  # type: ignore[arg-type]


# ---- matches from a position ---------------------------------------------------------------------
def test_a_match_begins_at_a_position(rules: bb.Ruleset) -> None:
    m = play_on(rules.match(seed=1), 20)
    again = rules.match(seed=9, position=m.write_position())
    assert (again.to_act, again.phase, again.legal_words()) == (m.to_act, m.phase, m.legal_words())
    assert again.write_position() == m.write_position()
    play_on(again, 10)
    replayed = bb.replay(again.record())
    assert replayed.digest() == again.digest()
    assert replayed.record() == again.record()


@pytest.mark.parametrize("position", ["", " ", "x", "wz1", "wz1 n=2", "wz1 n=9 ph=ATTACK", "\n"])
def test_a_wrong_position_is_refused(position: str) -> None:
    with pytest.raises(PositionError):
        bb.load("war_zone").match(position=position)


def test_any_word_left_out_or_doubled_in_a_position_is_read_or_refused_clearly() -> None:
    """Never another error, never a match that stands still."""
    rules, said = bb.load("war_zone", players=3), set[str]()
    for steps in (0, 5, 12, 30):
        words = play_on(rules.match(seed=4), steps).write_position().split()
        for i in range(len(words)):
            key, _, value = words[i].partition("=")
            changed = [[], [words[i]] * 2, [key], [f"{key}="], [f"{key}=-"], [f"{key}=99"]]
            changed += [[f"{key}=-1"], [f"{key}={value}.{value}"], [f"{key}={value}x"]]
            for new in changed:
                text = " ".join(words[:i] + new + words[i + 1 :])
                try:
                    m = rules.match(1, position=text)
                except PositionError as e:
                    said.add(str(e))
                else:
                    assert m.over or m.legal_actions
    assert len(said) > 50
    assert all(x.startswith("position: ") and "\n" not in x for x in said)


# ---- odd seeds, seats and names; a failure leaves nothing ----------------------------------------
@pytest.mark.parametrize("seed", [True, 1.9, "x", float("inf"), [1]])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    rules = bb.load("war_zone")
    for make in (
        lambda: rules.match(seed=seed),
        lambda: rules.plain().play(1, seed=seed),
        lambda: rules.plain().batch(1, seed=seed),
        lambda: bb.bot("random", rules, seed=seed),
        lambda: SearchBot(rules, 1, seed, compiled=False),
    ):
        with pytest.raises(bb.RulesetError, match="seed"):
            make()


def test_numpy_whole_numbers_are_seeds() -> None:
    rules = bb.load("war_zone")
    assert rules.match(np.int64(5)).digest() == rules.match(5).digest()
    bb.bot("random", rules, seed=np.int32(5))


@pytest.mark.parametrize("seat", [99, -1, "x", True])
def test_undo_is_for_seats_that_are_there(seat: Any) -> None:
    m = SEALED.match(seed=1)
    m.submit(0, m.legal_actions[0])
    with pytest.raises(bb.IllegalAction, match="no seat"):
        m.undo(seat)


def test_an_outcome_that_does_not_fit_leaves_the_match_as_it_was() -> None:
    position = "wz1 n=2 hs=2 ph=ATTACK hand0=RE.BW hand1=TR.SS disc=IF.AR"
    m = Match(bb.load("war_zone"), 0, position=position, chance=Script())
    before = all_of(m)
    with pytest.raises(ScriptError):
        m.submit(0, "RE>1")  # the deck is empty: the shuffle finds no outcome
    assert all_of(m) == before


def test_a_position_loaded_is_where_the_record_begins() -> None:
    m = bb.load("war_zone").match(seed=3)
    play_on(m, 4)
    m.load("wz1 n=2 ph=DEAL")
    assert {t.turn for t in m.events(None)} == {-1}
    play_on(m, 4)
    assert bb.replay(m.record()).digest() == m.digest()


def test_events_are_the_same_asked_for_often_or_once() -> None:
    often, once = (bb.load("war_zone", players=3).match(seed=2) for _ in range(2))
    dice = random.Random(1)
    while often.to_act is not None and len(often.history) < 80:
        action = dice.choice(often.legal_actions)
        for m in (often, once):
            m.submit(m.to_act, action)
        for seat in (None, 0, 2):
            often.events(seat)
        if not often.why_no_undo():
            for m in (often, once):
                m.undo()
                m.submit(m.to_act, action)
    for seat in (None, 0, 1, 2):
        assert often.events(seat) == once.events(seat)


def test_rulesets_for_other_numbers_of_players_differ() -> None:
    found = {bb.load("war_zone", players=p, teams=2).digest for p in (4, 6)}
    assert len(found) == 2


@pytest.mark.parametrize("name", [5, None, ""])
def test_names_that_are_none_are_refused(name: Any) -> None:
    with pytest.raises(bb.RulesetError):
        bb.load(name)
    with pytest.raises(bb.RulesetError):
        bb.bot(name, bb.load("war_zone"))


@pytest.mark.parametrize("action", [-1, 9999])
def test_a_word_for_no_action_is_refused(action: int) -> None:
    with pytest.raises(bb.InvalidWord, match="numbers are"):
        bb.load("war_zone").match(seed=1).word(action)
