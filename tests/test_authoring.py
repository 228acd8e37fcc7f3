"""A game whose rules.py is all there is: what follows from its marks, and what replaces it."""

from __future__ import annotations

import collections
import importlib
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games import peek

import battlebox as bb
from battlebox import authoring
from battlebox.bots.policy import Inputs
from battlebox.bots.policy.candidates import PLACES
from battlebox.core import laws, scenario
from battlebox.core.checked import checked
from battlebox.core.errors import GameError, InvalidWord, PositionError
from battlebox.core.game import Game
from battlebox.text.draw import Pen, draw

HERE = Path(__file__).parent / "games" / "peek"
START = "peek n=2 phase=TURN hand=fox.owl/bear totem=wolf/fox deck=fox.owl.bear discard=owl"


@pytest.fixture
def rules() -> bb.Ruleset:
    return peek.GAME.ruleset({"players": 2, "rounds": 3})


def at(rules: bb.Ruleset, position: str = START) -> bb.Match:
    return rules.match(0, position=position)


# ---- the laws ------------------------------------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_what_follows_from_marks_obeys_all_laws_compiled() -> None:
    """On the plain build it does in tests/test_check.py."""
    rules = peek.GAME.ruleset({"players": 3})
    laws.audit(rules, 500)
    laws.check(rules, 2)


# ---- what is hidden ------------------------------------------------------------------------------
def test_a_closed_slot_shows_that_something_lies_there(rules: bb.Ruleset) -> None:
    o = checked(at(rules).observation(0).reshape(1))[0]
    assert [o.totem[p] for p in range(4)] == [1 + 3, authoring.COVERED, 0, 0]
    assert [o.hand[0, k] for k in range(4)] == [1, 1, 0, 0]
    assert [o.hand[1, k] for k in range(4)] == [0, 0, 0, 0]
    assert [o.deck[i] for i in range(3)] == [0, 0, 0]


def test_who_was_shown_a_card_sees_it_and_nobody_else_does(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.submit(0, "look>1")
    mine, theirs, nobodys = (checked(m.observation(p).reshape(1))[0] for p in (0, 1, None))
    assert mine.totem[1] == 1 + 0
    assert nobodys.totem[1] == authoring.COVERED
    assert mine.totem_seen[0, 1] == theirs.totem_seen[0, 1] == 1  # all see who looks
    m = at(rules)
    m.submit(0, "bury:owl")
    mine, theirs = (checked(m.observation(p).reshape(1))[0] for p in (0, 1))
    top = m.state.deck_size - 1
    assert (mine.deck_seen[0, top], theirs.deck_seen[0, top]) == (1, 0)


def test_who_buried_a_card_knows_it_until_it_is_drawn(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.submit(0, "bury:owl")
    assert m.scene(0).zone("deck").facts["notes"] == ["Owl is on top"]
    assert m.scene(1).zone("deck").facts["notes"] == []
    m.submit(1, "play:bear")
    assert m.scene(0).zone("deck").facts["notes"] == []


def worlds(m: bb.Match, seat: int, n: int, read: Callable[[Any], Any]) -> collections.Counter[Any]:
    """What n determinizations of what a seat sees hold."""
    found, build = collections.Counter[Any](), m.rules.plain().build
    for seed in range(n):
        o = m.observation(seat).reshape(1).copy()
        s = checked(o)[0]
        s.rng = seed << 20
        build.hooks.determinize(m.rules.plain().tt[0], s)
        found[read(s)] += 1
    return found


def test_what_is_unseen_is_dealt_at_random_to_all_that_is_closed(rules: bb.Ruleset) -> None:
    """Seat 0 does not see fox, fox, owl, bear, bear: one is the totem, one the hand, three deck."""
    found = worlds(at(rules), 0, 2000, lambda s: s.totem[1] - 1)
    assert found.keys() == {0, 1, 2}
    assert found[0] == pytest.approx(800, abs=100)
    assert found[1] == pytest.approx(400, abs=80)
    deck = worlds(at(rules), 0, 500, lambda s: tuple(s.deck[i] for i in range(3)))
    assert len(deck) == 6 + 4 * 3  # orders of three different ones; of a pair and another


def test_what_a_seat_knows_stays_so_in_all_its_determinizations(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.submit(0, "look>1")
    m.submit(1, "play:bear")
    m.submit(0, "bury:owl")
    top = m.state.deck_size - 1
    assert worlds(m, 0, 50, lambda s: (s.totem[1], s.deck[top])) == {(1, 1): 50}
    assert len(worlds(m, 1, 200, lambda s: s.deck[top])) > 1


def test_the_stock_is_what_lay_in_places_at_the_beginning(rules: bb.Ruleset) -> None:
    m = at(rules)
    assert [m.state.card_stock[k] for k in range(4)] == [3, 3, 2, 1]
    count = np.zeros(laws.KINDS, np.int32)
    m.rules.plain().build.hooks.census(m.state, checked(count))
    assert count[:4].tolist() == [3, 3, 2, 1]


# ---- notation ------------------------------------------------------------------------------------
def test_words_are_moves_with_what_they_are_about(rules: bb.Ruleset) -> None:
    words = at(rules).legal_words()
    assert words == [
        *("look>1", "play:fox", "play:owl", "bury:fox", "bury:owl"),
        *(f"call>1:{card}" for card in ("fox", "owl", "bear", "wolf")),
    ]


def test_names_may_be_written_as_they_are_shown(rules: bb.Ruleset) -> None:
    m = at(rules, START.replace("fox.owl/bear", "Fox.OWL/bear"))
    m.submit(0, "bury:Owl")
    assert m.write_position().startswith("peek n=2 phase=TURN to_act=1 hand=fox/bear totem=")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("peep>1", "write look>SEAT, play:CARD, bury:CARD, call>SEAT:CARD"),
        ("look", "write look>SEAT"),
        ("look:1", "write look>SEAT"),
        ("look>7", "no seat '7'"),
        ("look>3", "there is no seat 3; seats are 0 .. 1"),
        ("play:foxx", "did you mean 'fox'"),
        ("play:lion", "no card 'lion'"),
        ("play:fox:fox", "write play:CARD"),
        ("", "is not an action now"),
    ],
)
def test_a_word_that_is_none_is_told_how_to_write_it(
    rules: bb.Ruleset, word: str, says: str
) -> None:
    m = at(rules)
    before = m.digest()
    with pytest.raises(InvalidWord) as e:
        m.submit(0, word)
    assert says in str(e.value)
    assert m.digest() == before


def test_a_position_holds_all_there_is() -> None:
    rules, dice = peek.GAME.ruleset({"players": 3}), random.Random(1)
    m = rules.match(4)
    while not m.over:
        text = peek.GAME.notation.write(rules, m.state)
        again = rules.match(0, position=text)
        assert peek.GAME.notation.write(rules, again.state) == text
        assert again.legal_words() == m.legal_words()
        m.submit(m.to_act, dice.choice(m.legal_words()))


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ("poke n=2", "a Peek position begins with peek"),
        ("peek phase=TURN", "n=, the number of players, is missing"),
        ("peek n=2 phase=TURNS", "phase=TURNS: one of DEAL, TURN, OVER"),
        ("peek n=2 hands=fox", "'hands' is not a key of a Peek position; did you mean 'hand'"),
        ("peek n=2 phase=TURN hand=fox", "for each of 2 seats"),
        ("peek n=2 phase=TURN hand=fox/foxes", "hand=fox/foxes: no card 'foxes'"),
        ("peek n=2 phase=TURN totem=fox.owl/-", "1 places"),
        ("peek n=2 phase=TURN points=1.2.3", "points=1.2.3: a number for each of 2 seats"),
        ("peek n=2 phase=TURN points=1.x", "points=1.x: a number"),
        ("peek n=2 phase=TURN turns=999999", "turns=999999"),
        ("peek n=2 phase=TURN to_act=2", "to_act=2: seats are 0 .. 1"),
        ("peek n=2 phase=TURN deck_seen=0", "deck_seen=0: a seat @"),
        ("peek n=2 phase=TURN deck=" + ".".join(["fox"] * 21), "20 at most"),
    ],
)
def test_a_position_that_is_none_says_where(rules: bb.Ruleset, position: str, says: str) -> None:
    with pytest.raises(PositionError) as e:
        rules.match(0, position=position)
    assert says in str(e.value)


def test_scenarios_ask_for_fields_by_name() -> None:
    text = f"""
        scenario PK-S1 a card is played for its points  [PK-2]
        options rounds=3
        position {START}
        do 0 play:owl
        expect to_act=1:TURN points=1.0 hand0~fox.bear hand_size=2.1 discard=owl.owl
        expect told=PLAYED(0,owl);DREW(0,?) told0=PLAYED(0,owl);DREW(0,bear)
        illegal 1 look>1
        illegal 1 play:owl
    """
    (found,) = scenario.parse(text)
    scenario.run(peek.GAME, found)


# ---- scenes --------------------------------------------------------------------------------------
def test_a_scene_follows_from_the_marks(rules: bb.Ruleset) -> None:
    scene = at(rules).scene(0)
    assert scene.title == "Turn"
    assert scene.prompt == "Your turn: look, play, bury or call."
    kinds = {z.id: z.kind for z in scene.zones}
    assert kinds == {
        "seat:0": "plaque",
        "seat:1": "plaque",
        "deck": "pile",
        "discard": "pile",
        "hand": "fan",
        "any-card": "picker",
        "to-do": "picker",
    }
    mine, theirs = scene.zone("seat:0"), scene.zone("seat:1")
    assert [(p.kind, p.label) for p in mine.pieces] == [("peek", "Wolf, face down")]
    assert [(p.kind, p.label) for p in theirs.pieces] == [("back", "Seat 1's hidden card")]
    assert (mine.facts["hand"], theirs.facts["hand"]) == (2, 1)
    assert [p.label for p in scene.zone("hand").pieces] == ["Fox", "Owl"]
    assert scene.zone("discard").facts["contents"] == {"Owl": 1}


def test_choices_are_pressed_on_what_they_name(rules: bb.Ruleset) -> None:
    scene = at(rules).scene(0)
    choices = {c.word: c for c in scene.choices}
    assert choices["look>1"].path == ("seat:1",)
    assert choices["look>1"].label == "Look Seat 1"
    assert choices["look>1"].rules == ("PK-1",)
    # the same card may be played or buried
    assert choices["play:fox"].path == ("hand:fox", "to-do:play")
    assert choices["bury:fox"].path == ("hand:fox", "to-do:bury")
    assert [p.name for p in scene.zone("to-do").pieces] == ["Play", "Bury"]


def test_what_lies_nowhere_is_picked(rules: bb.Ruleset) -> None:
    scene = at(rules).scene(0)
    choices = {c.word: c for c in scene.choices}
    picker = scene.zone("any-card")
    assert (picker.label, picker.owner) == ("Which card?", None)
    assert [(p.kind, p.label) for p in picker.pieces] == [
        ("card", name) for name in ("Fox", "Owl", "Bear", "Wolf")
    ]
    for card, piece in zip(("fox", "owl", "bear", "wolf"), picker.pieces, strict=True):
        assert choices[f"call>1:{card}"].path == ("seat:1", piece.id)
    nobody_asks = at(rules).scene(1)
    assert not [z for z in nobody_asks.zones if z.kind == "picker"]


def test_what_may_not_be_named_is_not_to_be_picked(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.submit(0, "call>1:owl")
    m.submit(1, "look>0")
    assert [p.name for p in m.scene(0).zone("any-card").pieces] == ["Fox", "Bear", "Wolf"]


def test_what_lies_open_before_a_seat_is_a_row(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.submit(0, "call>1:fox")
    scene = m.scene(1)
    (row,) = (z for z in scene.zones if z.kind == "row")
    assert (row.label, row.owner, row.facts) == ("Seat 0's trophies", 0, {"short": "Trophies"})
    assert [p.label for p in row.pieces] == ["Fox"]
    assert scene.zone("seat:1").pieces == ()  # the totem is gone


def test_events_become_sentences(rules: bb.Ruleset) -> None:
    m = at(rules)
    m.names = ("Ada", "Bo")
    m.submit(0, "play:owl")
    assert [m.say(e, 0) for e in m.events(0)] == ["You played Owl.", "You drew Bear."]
    assert [m.say(e, 1) for e in m.events(1)] == ["Ada played Owl.", "Ada drew a card."]


def test_the_end_says_who_won(rules: bb.Ruleset) -> None:
    m = at(rules, START.replace("discard=owl", "discard=owl turns=5 points=3.1"))
    m.submit(0, "look>1")
    assert m.over
    assert [m.scene(p).prompt for p in (0, 1, None)] == ["You win.", "Seat 0 wins.", "Seat 0 wins."]


# ---- what replaces it, and what is missing -------------------------------------------------------
Make = Callable[..., Game]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """make({"scene.py": text}, (old, new)): the game with these files, its rules edited."""
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "peek_again"

    def made(files: dict[str, str] | None = None, *edits: tuple[str, str]) -> Game:
        folder.mkdir()
        for f in [*HERE.glob("*.py"), HERE / "README.md"]:
            (folder / f.name).write_text(f.read_text())
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        text = (folder / "rules.py").read_text()
        for old, new in edits:
            assert text.count(old) == 1
            text = text.replace(old, new)
        (folder / "rules.py").write_text(text)
        game: Game = importlib.import_module("peek_again").GAME
        return game

    yield made
    for name in [x for x in sys.modules if x.partition(".")[0] == "peek_again"]:
        del sys.modules[name]


def test_a_scene_of_its_own_replaces_what_it_says(make: Make) -> None:
    text = """
from battlebox.authoring import DefaultSaying, DefaultScene
from .rules import State, Table


class Look(DefaultScene[State, Table]):
    def title(self) -> str:
        return f"Turn {self.o.turns + 1} of {self.t.rounds * self.seats}"


class Says(DefaultSaying):
    def played(self) -> str:
        return f"{self.does('show')} their best."
"""
    m = make({"scene.py": text}).ruleset({}).match(0)
    assert m.scene(0).title == "Turn 1 of 12"
    assert m.scene(0).prompt == "Your turn: look, play, bury or call."
    m.submit(0, next(w for w in m.legal_words() if w.startswith("play")))
    assert m.say(m.events(1)[-2], 1) == "Seat 0 shows their best."


def test_a_notation_of_its_own_replaces_what_it_has(make: Make) -> None:
    text = """
def word(r, s, action):
    return f"a{action}"


def action(r, s, word):
    return int(word[1:])
"""
    m = make({"notation.py": text}).ruleset({}).match(0)
    assert m.legal_words()[0] == f"a{m.legal_actions[0]}"
    assert m.rules.game.notation.write(m.rules, m.state).startswith("peek_again n=2")


def test_words_may_have_forms_of_their_own(make: Make) -> None:
    text = """
from battlebox.authoring import DefaultNotation
from .rules import bury, look, play


class Notation(DefaultNotation):
    forms = {"at {seat}": look, "{card}!": play, "down {card}": bury}
    usage = "at 1, fox! or down fox"
"""
    m = make({"notation.py": text}).ruleset({}).match(0)
    words = m.legal_words()
    assert words[0] == "at 1"
    assert {*words} >= {"call>1:fox"}, "a move without a form of its own has the usual one"
    assert [w for w in words if w.endswith("!")]
    assert not [w for w in words if w.startswith(("look", "play", "bury"))]
    for word, says in (
        ("at 9", "'at 9': no seat '9'"),
        ("lion!", "no card 'lion'"),
        ("fox", "'fox' is not an action: write at 1, fox! or down fox"),
    ):
        with pytest.raises(InvalidWord, match=re.escape(says)):
            m.submit(m.to_act, word)
    m.submit(m.to_act, "at 1")
    assert m.history[0][1] == "at 1"


def test_positions_may_have_keys_of_their_own(make: Make) -> None:
    text = """
from battlebox.authoring import DefaultNotation, codecs
from .rules import Card, Phase

CARDS = codecs.Cards(Card)


class Notation(DefaultNotation):
    head, brief, only = "pk", False, {Phase.DEAL: ("turn",)}
    codecs = {
        "ph": codecs.phase_of(Phase, but=[Phase.OVER], usual=""),
        "act": codecs.seat("to_act", like="turn", fact=False),
        "turn": codecs.number("turns", 0, 9, usual=1),
        "hand{}": lambda p: CARDS.counted("hand", p, size="hand_size"),
        "deck": CARDS.piled("deck", size="deck_size", down=True, shown=lambda s, x: x != "-"),
        "held": codecs.fact(lambda r, s: s.hand_size[0]),
    }

    def check(self, r, s):
        if s.phase == Phase.TURN and not s.hand_size[s.to_act]:
            yield "who is to act holds a card"
"""
    rules = make({"notation.py": text}).ruleset({})
    m = rules.match(0, position="pk n=2 ph=TURN hand0=fox.owl hand1=bear deck=owl.fox turn=0")
    assert [m.state.deck[i] for i in range(2)] == [0, 1]
    assert m.facts() == {
        **{"turn": "0", "hand0": "fox.owl", "hand1": "bear", "deck": "owl.fox", "held": "2"}
    }
    again = m.write_position()
    assert again == "pk n=2 ph=TURN act=0 turn=0 hand0=fox.owl hand1=bear deck=owl.fox"
    assert rules.match(0, position=again).write_position() == again
    short = rules.match(0, position="pk n=2 ph=TURN hand1=bear act=1")
    assert short.write_position() == "pk n=2 ph=TURN act=1 turn=1 hand0=- hand1=bear"
    for position, says in (
        ("pk n=2", "ph=: one of DEAL, TURN"),
        ("pk n=2 ph=OVER", "ph=OVER: one of DEAL, TURN"),
        ("pk n=2 ph=TURN turn=3", "turn=3: seats are 0 .. 1"),  # that is whose turn it is, too
        ("pk n=2 ph=TURN act=0 turn=10", "turn=10: a number 0 .. 9"),
        ("pk n=2 ph=TURN act=0 hands=fox", "'hands' is not a key of a Peek position; did you mean"),
        ("pk n=2 ph=DEAL act=0 deck=fox", "'act' is not a key of ph=DEAL"),
        ("pk n=2 ph=TURN act=1 hand0=fox", "position: who is to act holds a card"),
    ):
        with pytest.raises(PositionError, match=re.escape(says)):
            rules.match(0, position=position)


SAID = """
from battlebox.authoring import DefaultScene, Perspective, Said
from .rules import Card, State, Table


class Look({base}[State, Table]):
    def do_play(self, card: int) -> Said:
        return Said(f"Show {{Card(card).name}}", "for points", tone="main", then={{"seat:0": 9}})
"""


def test_a_choice_is_said_by_the_method_of_its_move(make: Make) -> None:
    m = make({"scene.py": SAID.format(base="DefaultScene")}).ruleset({}).match(0)
    choices = {c.word: c for c in m.scene(m.to_act).choices}
    shown = next(c for w, c in choices.items() if w.startswith("play"))
    assert (shown.label[:4], shown.sub, shown.tone) == ("Show", "for points", "main")
    assert (shown.then, shown.rules) == ({"seat:0": 9}, ("PK-2",))
    assert choices["look>1"].label == "Look Seat 1"


def test_a_scene_that_says_all_choices_itself_has_a_method_for_each_move(make: Make) -> None:
    game = make({"scene.py": SAID.format(base="Perspective")})
    with pytest.raises(
        GameError, match=r"scene\.py:6: nothing says what look does; write def do_look"
    ):
        game.build(compiled=False)


COUNTED = '''"""What a search asks."""

from battlebox.authoring import Consequence, Consequences, Row, rule

from .rules import State, Table
{words}
{count}
'''
WORDS = """
CONSEQUENCES = Consequences("at once", (Consequence("{n} more", "{n} fewer"),))
"""
COUNT = '''
@rule
def consequences(t: Table, s: State, seat: int, out: Row) -> bool:
    """At once: nothing."""
    out[0] = 0
    return True
'''


@pytest.mark.parametrize(
    ("words", "count", "wrong"),
    [
        ("", COUNT, r"insight\.py:\d+: nothing says what consequences counts"),
        (
            "CONSEQUENCES = Consequences('at once', ())",
            COUNT,
            "nothing says what consequences counts",
        ),
        (WORDS, "", r"insight\.py:1: nothing counts the CONSEQUENCES; write @rule def conseq"),
        (WORDS, COUNT.replace("seat: int, ", ""), "consequences"),
    ],
    ids=["no words", "empty", "no count", "another signature"],
)
def test_what_is_counted_of_a_choice_is_also_said(
    make: Make, words: str, count: str, wrong: str
) -> None:
    game = make({"insight.py": COUNTED.format(words=words, count=count)})
    with pytest.raises(GameError, match=wrong):
        game.build(compiled=False)


def test_a_game_says_what_its_choices_lead_to(make: Make) -> None:
    game = make({"insight.py": COUNTED.format(words=WORDS, count=COUNT)})
    game.build(compiled=False)
    assert game.consequences == authoring.Consequences(
        "at once", (authoring.Consequence("{n} more", "{n} fewer"),)
    )
    assert laws.led_to(game.ruleset({}).match(0), 0) == [0]


def test_an_option_says_in_its_docstring_what_it_is_for(make: Make) -> None:
    line = '    rounds: int = option(6, "Rounds", Group.ENDING, **bounds(1, 20))\n'
    text = (HERE / "options.py").read_text()
    text = text[: text.index("    rounds:")] + line + '    """how often you may (PK-9)"""\n'
    game = make({"options.py": text})
    assert game.options.model_fields["rounds"].description == "how often you may (PK-9)"


WRONG = {
    "hand_size = public(n8(SEATS))\n": "add hand_size = public(n8(4)), and keep it up to date",
    "deck_size = public(n8())\n": "add deck_size = public(n8()), and keep it up to date",
}


@pytest.mark.parametrize("line", WRONG)
def test_what_is_closed_needs_a_public_size(make: Make, line: str) -> None:
    name = line.partition(" ")[0]
    game = make({}, (f"    {line}", f"    {name} = secret{line.partition('public')[2]}"))
    with pytest.raises(GameError) as e:
        game.build(compiled=False)
    assert f"State.{name.removesuffix('_size')}: " in str(e.value)
    assert WRONG[line] in str(e.value)


MORE = """    trophies = public(counts(Card, each=SEATS))
    guard = own(slots(Card, 2, each=SEATS))
    market = public(slots(Card, 3))
    pot = public(n8())
"""


def test_slots_are_rows_with_empty_places(make: Make) -> None:
    game = make(
        {}, (MORE.splitlines(keepends=True)[0], MORE), ("    slot,\n", "    slot,\n    slots,\n")
    )
    rules = game.ruleset({"players": 2})
    position = START.replace("peek", "peek_again")
    m = rules.match(0, position=f"{position} guard=bear.-/-.owl market=fox.-.wolf pot=3")
    scene = m.scene(0)
    theirs, market, mine = (scene.zone(x) for x in ("guard:1", "market", "guard"))
    assert (theirs.kind, market.kind, mine.kind) == ("row", "row", "fan")
    assert theirs.facts == {"short": "Guard", "places": ["guard:1:0", "guard:1:1"]}
    assert [(p.id, p.kind, p.label) for p in theirs.pieces] == [
        ("guard:1:1", "back", "Seat 1's hidden card")
    ]
    assert [(p.id, p.label) for p in market.pieces] == [("market:0", "Fox"), ("market:2", "Wolf")]
    assert [p.label for p in mine.pieces] == ["Bear"]
    assert scene.zone("table").facts == {"pills": [{"text": "Pot 3", "lit": False}]}
    text = "\n".join(x.plain for x in draw(scene, Pen()))
    assert " Market: Fox, -, Wolf\n" in text
    assert " Seat 1's guard: -, face down\n" in text
    assert "hand" not in scene.zone("seat:0").facts or scene.zone("seat:0").facts["hand"] == 2
    for viewer in (0, 1, None):  # a seat's own slots once had the ids of another's row
        ids = laws.ids_of(m.scene(viewer))
        assert len(ids) == len({*ids})


@pytest.mark.parametrize(
    ("wrong", "cure"),
    [
        (
            "def zones(self):\n        return []",
            "write def zones(self, actions: Sequence[int]) -> Iterator[Zone]",
        ),
        (
            "def whose(self, p, what):\n        return what",
            "write def whose(self, p: int) -> str, or call it something else",
        ),
        (
            "def do_bury(self):\n        return Said('Bury it')",
            "write def do_bury(self, card: int) -> Said",
        ),
    ],
)
def test_a_method_that_takes_other_arguments_is_named(make: Make, wrong: str, cure: str) -> None:
    text = f"""
from battlebox.authoring import DefaultScene, Said
from .rules import State, Table


class Look(DefaultScene[State, Table]):
    {wrong}
"""
    with pytest.raises(GameError) as e:
        make({"scene.py": text}).build(compiled=False)
    name = wrong[4 : wrong.index("(")]
    assert f"scene.py:7: Look.{name} takes other arguments; {cure}" in str(e.value)


def test_a_pile_may_be_shown_as_a_row(make: Make) -> None:
    text = """
from battlebox.authoring import DefaultScene
from .rules import State, Table


class Look(DefaultScene[State, Table]):
    as_rows = ("discard",)
"""
    position = START.replace("peek", "peek_again").replace("discard=owl", "discard=owl.fox")
    m = make({"scene.py": text}).ruleset({"players": 2}).match(0, position=position)
    zone = m.scene(1).zone("discard")
    assert (zone.kind, [x.name for x in zone.pieces]) == ("row", ["Owl", "Fox"])


def test_two_things_with_one_id_are_named(make: Make) -> None:
    text = """
from collections.abc import Iterator, Sequence

from battlebox.authoring import DefaultScene, Zone
from .rules import State, Table


class Look(DefaultScene[State, Table]):
    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        yield from super().zones(actions)
        yield Zone("deck", "line", "Again")
"""
    m = make({"scene.py": text}).ruleset({}).match(0)
    with pytest.raises(
        laws.LawBroken, match="one id in the scene of seat 0: 'deck'; in deck, deck"
    ):
        laws.check_scene(m, 0, "here")


def test_options_that_do_not_say_how_many_play_leave_it_to_the_seats(make: Make) -> None:
    text = (HERE / "options.py").read_text()
    start = text.index("    players:")
    text = text[:start] + text[text.index("    rounds:") :]
    rules = make({"options.py": text}).ruleset({"rounds": 2})
    assert (rules.players, rules.numbers.rounds) == (4, 2)


def test_a_number_that_no_option_says_is_named(make: Make) -> None:
    game = make({}, ("    rounds = n8()\n", "    rounds = n8()\n    bonus = n8()\n"))
    with pytest.raises(GameError) as e:
        game.ruleset({})
    assert "rules.py: Table.bonus: no option is called bonus" in str(e.value)


def test_without_options_it_says_how_many_play(make: Make) -> None:
    line = "turns = public(n16())\n"
    with pytest.raises(GameError, match=r"rules\.py: say how many play: SEATS = 2"):
        make({"options.py": ""}, (line, f"{line}\n\ndel SEATS\n"))


def test_a_game_says_what_it_is_called(make: Make) -> None:
    entry = "from battlebox.authoring import game_of\n\nGAME = game_of(__name__)\n"
    head = '"""Peek: look at cards, then play yours. 2 to 4 players."""'
    with pytest.raises(GameError, match="begin with a line that says what the game is called"):
        make({"__init__.py": entry}, (head, '"""A game."""'))


def test_a_game_has_rules() -> None:
    with pytest.raises(GameError, match=r"no rules\.py"):
        authoring.game_of("games")


TOLD = '''"""What learners are told."""

from battlebox.authoring import Domain, Record, n8, rule

from .rules import Card, State, Table

LEFT_OUT = {left_out}


class Features(Record):
    """What follows from what is seen."""

    {field}


@rule
def features({parameters}) -> None:
    """Whose turn it is, twice over."""
    {text}
'''
SOUND = {
    "left_out": "()",
    "field": "mine = n8(high=1)",
    "parameters": "t: Table, s: State, me: int, f: Features",
    "text": "f.mine = 1 if s.to_act == me else 0",
}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"field": "mine = n8()"}, r"features\.py:\d+: Features\.mine: say what it means"),
        ({"field": "to_act = n8(high=1)", "text": "f.to_act = 1"}, "is a field of State already"),
        ({"text": "s.to_act = me"}, "it changes s.to_act, and is part of the hook features"),
        ({"text": "f.their = 1"}, "their"),
        ({"parameters": "t: Table, s: State, f: Features", "text": "f.mine = 1"}, "3 parameters"),
        ({"left_out": "('phaze',)"}, r"features\.py:1: LEFT_OUT names phaze, which is no feature"),
    ],
    ids=["no meaning", "taken", "no reader", "no field", "parameters", "left out"],
)
def test_what_learners_are_told_besides_is_checked(
    make: Make, wrong: dict[str, str], said: str
) -> None:
    game = make({"features.py": TOLD.format(**SOUND | wrong)})
    with pytest.raises(GameError, match=said):
        game.build(compiled=False)


def test_what_learners_are_told_besides_stands_behind_what_fields_say(make: Make) -> None:
    rules = make({"features.py": TOLD.format(**SOUND | {"left_out": "('phase',)"})}).ruleset({})
    engine, m = rules.plain(), rules.match(0)
    feature = engine.features["mine"]
    assert feature.stop == engine.encoder().width
    for seat in range(rules.players):
        row = engine.encode(np.atleast_1d(m.observation(seat)))[0]
        assert row[feature.start] == (seat == m.to_act)
    assert "phase" in engine.features
    less = engine.encoder(without=["phase"])
    assert "phase" not in less.features
    whole, row = engine.encoder()(m.truth), less(m.truth)
    gone = whole[:, engine.features["phase"].columns].shape[1]
    assert less.width == engine.encoder().width - gone
    assert np.array_equal(row, np.delete(whole, engine.features["phase"].columns, axis=1))
    with pytest.raises(ValueError, match="without = 'phaze': no feature of this game"):
        engine.encoder(without=["phaze"])


WEIGHS = '''"""What learners are told of actions."""

from battlebox.authoring import Record, n8, rule

from .rules import Card, Seat, State, Table


class CandidateFeatures(Record):
    """What an action is about."""

    card = n8(of=Card, first=1)
    seat = n8(of=Seat, first=1)
    place = n8(high=100)


@rule
def candidate_features(t: Table, s: State, a: int, k: int, c: CandidateFeatures) -> None:
    """The card that is played, or the seat that is looked at."""
    c.place = k
    if PLAY <= a < PLAY + 4:
        c.card = 1 + a - PLAY
    if LOOK <= a < LOOK + 4:
        c.seat = 1 + a - LOOK


LOOK, PLAY = 0, 4  # action numbers
'''
SOME = '''"""What bots look at."""

from battlebox.authoring import Row, rule

from .rules import State, Table


@rule
def candidates(t: Table, s: State, acts: Row, n: int, visits: int) -> int:
    """The last two, the very last first."""
    last = acts[n - 1]
    acts[n - 1], acts[0] = acts[0], last
    return min(n, 2)
'''


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
@pytest.mark.parametrize("files", [{"features.py"}, {"insight.py"}, {"features.py", "insight.py"}])
def test_what_a_game_says_of_actions_is_told_to_policies(make: Make, files: set[str]) -> None:
    texts = {"features.py": WEIGHS, "insight.py": SOME}
    rules = make({k: texts[k] for k in files}).ruleset({"players": 3})
    laws.audit(rules, 20, compiled=False)
    inputs, m = Inputs(rules), rules.match(1)
    assert inputs.shape.places == PLACES
    assert inputs.shape.classes == (
        tuple(range(inputs.engine.num_actions)) if "features.py" in files else ()
    )
    told = inputs.candidates.width
    assert (told > 0) == ("features.py" in files)
    mask = np.zeros((1, inputs.engine.num_actions), np.int8)
    mask[0, list(m.legal_actions)] = 1
    row = inputs.rows(np.atleast_1d(m.observation(m.to_act)), weighed=mask)[0]
    order = [*m.legal_actions]
    if "insight.py" in files:
        order = [order[-1], *([order[1]] if len(order) > 2 else []), order[0]][:2]
    assert {int(a): int(mask[0, a]) for a in mask[0].nonzero()[0]} == {
        a: min(1 + k, PLACES) for k, a in enumerate(order)
    }
    each = row[inputs.width - PLACES * told :].reshape(PLACES, told)
    for k, a in enumerate(order[:PLACES] if told else ()):
        said = {n: each[k][f.columns] for n, f in inputs.candidates.features.items()}
        assert said["place"] == pytest.approx([k / 100])
        move = inputs.engine.build.move_of(a, int(m.state.phase))
        assert said["card"].any() == (move.name == "play")
        assert said["seat"].any() == (move.name == "look")
        if move.name == "look":  # seats from the one that looks on
            assert said["seat"].argmax() == (a - move.at - m.to_act) % 3
    judged = inputs.judged(m.truth)[0]
    assert not judged[inputs.width - PLACES * told :].any() or not told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WEIGHS.replace("k: int, ", ""), "candidate_features has 4 parameters; write @rule def"),
        (WEIGHS.replace("c.place = k", "c.palce = k"), "palce"),
        (WEIGHS.replace("n8(high=100)", "n8()"), r"CandidateFeatures\.place: say what it means"),
        (WEIGHS.replace("    place =", "    phase ="), "phase is a field of StateRecord already"),
        (WEIGHS.replace("candidate_features(", "candidate_feature("), "CandidateFeatures without"),
    ],
)
def test_what_is_said_of_actions_is_checked(make: Make, text: str, said: str) -> None:
    text = text.replace("c.place", "c.phase") if "    phase =" in text else text
    game = make({"features.py": text})
    with pytest.raises(GameError, match=said):
        game.build(compiled=False)
