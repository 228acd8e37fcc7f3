"""Each law can be broken. That all games keep them is what tests/test_every_game.py looks at."""

from __future__ import annotations

import dataclasses
import importlib
from contextlib import nullcontext
from typing import Any

import pytest
from conftest import Break
from games import Looks, Words, as_game

from battlebox.core import laws
from battlebox.core.errors import GameError
from battlebox.core.laws import LawBroken
from battlebox.core.scene import Piece, Placement, Zone


# ---- each law can be broken ----------------------------------------------------------------------
def audit(module: Any, matches: int = 20) -> None:
    laws.audit(as_game(module).ruleset({}), matches, compiled=False)


def check(module: Any, matches: int = 20) -> None:
    laws.check(as_game(module).ruleset({}), matches, compiled=False)


def audit_and_check(module: Any) -> None:
    audit(module)
    check(module)


TWICE = """@allow_all(choose)
def may_choose(t: Table, s: State, can: Row) -> None:
    for card in range(KINDS):
        if s.hand[s.to_act, card] > 0:
            offer(can, choose, card)
            offer(can, choose, card)
"""
BREAKS = {
    1: [
        (
            "    return s.hand[s.to_act, card] > 0\n",
            "    return s.hand[s.to_act, card] > 0 and s.round == 0\n",
        )
    ],
    2: [
        (
            "@allow(choose)\ndef may_choose(t: Table, s: State, card: Card) -> bool:\n"
            '    """Any card of the hand."""\n    return s.hand[s.to_act, card] > 0\n',
            TWICE,
        ),
        ("    allow,\n", "    allow,\n    allow_all,\n    offer,\n"),
    ],
    3: [("        s.gone[s.sealed[p] - 1] += 1\n", "")],
    4: [
        (
            "    me = o.viewer - 1\n    n = 0\n",
            "    me = o.viewer - 1\n    n = 0\n    o.round += 1\n",
        )
    ],
    5: [("        o.deck[i] = o.heap[n]\n", "        o.deck[i] = 0\n")],
    6: [
        (
            "    return s.hand[s.to_act, card] > 0\n",
            "    return s.hand[s.to_act, card] > 0 or s.deck[0] == card\n",
        )
    ],
    7: [("    return 2 * t.rounds\n", "    return 2 * t.rounds - 1\n")],
    8: [("    out[0] = 1 if d > 0", "    out[0] = 2 if d > 0")],
}


def test_the_unbroken_game_keeps_all_laws(broken: Break) -> None:
    module = broken("sealed")
    audit(module)
    check(module)


@pytest.mark.parametrize("law", BREAKS)
def test_a_game_that_breaks_a_law_is_caught(broken: Break, law: int) -> None:
    module = broken("sealed", *BREAKS[law])
    with pytest.raises(
        LawBroken, match=laws.LAWS[law].replace("(", r"\(").replace(")", r"\)")
    ) as e:
        audit(module)
    assert "seed " in str(e.value)
    assert "decision " in str(e.value)


@pytest.mark.parametrize(
    "change",
    [
        ("+ 0.25", "+ 0.95"),
        # by another name: the build sees through `s.at[0] += 1`
        ("    out[1] = -out[0]\n", "    out[1] = -out[0]\n    row = s.at\n    row[0] += 1\n"),
        ("min(n, 1 + visits // 20)", "visits // 20"),
        ("min(n, 1 + visits // 20)", "n + 1"),
        ("    return min(", "    acts[0] = 2\n    return min("),
        ("    out[1] = 1 if s.at", "    row = s.at\n    row[seat] += 1\n    out[1] = 1 if s.at"),
        ("    return True\n\n\n@rule\ndef evaluate", "    return False\n\n\n@rule\ndef evaluate"),
    ],
    ids=["too much", "changes", "nothing", "too many", "illegal", "facts that change", "too late"],
)
def test_a_search_that_is_told_what_cannot_be_is_caught(
    broken: Break, change: tuple[str, str]
) -> None:
    for changes in ((), (change,)):
        module = broken("race", *changes)
        insight = importlib.import_module(f"{module.__package__}.race_insight")
        game = dataclasses.replace(as_game(module), insight=insight)
        with pytest.raises(LawBroken, match=laws.LAWS[9]) if changes else nullcontext():
            laws.audit(game.ruleset({"goal": 30}), 50, compiled=False)


def test_a_move_when_all_is_over_is_refused(broken: Break) -> None:
    """So that the first law can be broken only by a phase in which nothing is legal."""
    module = broken("sealed", ("@move(Phase.CHOOSE)", "@move(Phase.CHOOSE, Phase.OVER)"))
    with pytest.raises(GameError, match="choose: nobody moves in OVER"):
        audit(module)


IN_DEPTH = {
    "a reveal that can be undone": (
        [
            (
                'event("seat", "card", reveals=True)\n    FLIPPED',
                'event("seat", "card")\n    FLIPPED',
            ),
            (
                '    FLIPPED = event("seat", "card", reveals=True)',
                '    FLIPPED = event("seat", "card")',
            ),
            (
                'DREW = event("seat", "card", alone=True, reveals=True)',
                'DREW = event("seat", "card", alone=True)',
            ),
        ],
        "can be undone, but seat",
    ),
    "an event that tells a sealed card": (
        [('SEALED = event("seat", "card", own=("card",))', 'SEALED = event("seat", "card")')],
        "is told",
    ),
    "an event that tells of another's draw": (
        [
            (
                'DREW = event("seat", "card", alone=True, reveals=True)',
                'DREW = event("seat", "card", reveals=True)',
            )
        ],
        "is told",
    ),
    "an event that tells the only card of a hand": (
        [
            ("KINDS, EACH, HAND = 5, 6, 3\n", "KINDS, EACH, HAND = 5, 6, 1\n"),
            ('SEALED = event("seat", "card", own=("card",))', 'SEALED = event("seat", "card")'),
        ],
        "is told",
    ),
    "an event that tells a hidden card mixed with a roll": (
        [
            ("    rule,\n", "    roll,\n    rule,\n"),
            ('SEALED = event("seat", "card", own=("card",))', 'SEALED = event("seat", "card")'),
            (
                "    tell(s, Event.SEALED, p, card)\n",
                "    tell(s, Event.SEALED, p, (s.deck[0] + roll(s, 9)) % 2)\n",
            ),
        ],
        "is told",
    ),
    "an event that tells a card which is put down by lot": (
        [
            ("    rule,\n", "    roll,\n    rule,\n"),
            ('SEALED = event("seat", "card", own=("card",))', 'SEALED = event("seat", "card")'),
            (
                "    s.sealed[p] = 1 + card\n    tell(s, Event.SEALED, p, card)\n",
                "    s.sealed[p] = 1 + card\n    i = roll(s, 6) - 1\n"
                "    s.deck[i], s.deck[6] = s.deck[6], s.deck[i]\n"
                "    tell(s, Event.SEALED, p, s.deck[6])\n",
            ),
        ],
        "is told",
    ),
    "a sealed card that everybody sees": (
        [("        o.sealed[seat] = s.sealed[seat]\n", "        o.sealed[0] = s.sealed[0]\n")],
        "observe",
    ),
    "an agreement that asks for what is hidden": (
        [("    return s.round > 0\n", "    return s.deck[0] == 1\n")],
        "may not be agreed on in truth",
    ),
    "an agreement that is possible for one seat only": (
        [("    return s.round > 0\n", "    return s.hand[0, 0] > 0\n")],
        "agree",
    ),
}


@pytest.mark.parametrize("name", IN_DEPTH)
def test_a_game_that_tells_too_much_is_caught(broken: Break, name: str) -> None:
    edits, words = IN_DEPTH[name]
    module = broken("sealed", *edits)
    with pytest.raises(LawBroken, match=words):
        audit_and_check(module)


def test_how_it_came_about_may_be_told_without_a_field(broken: Break) -> None:
    """A roll that leaves no trace, told to all while cards lie sealed."""
    module = broken(
        "sealed",
        ("    rule,\n", "    roll,\n    rule,\n"),
        ('    POINT = event("seat", "points")', '    POINT = event("seat", "points", "face")'),
        (
            "        tell(s, Event.POINT, winner, s.points[winner])\n",
            "        tell(s, Event.POINT, winner, s.points[winner], roll(s, 6))\n",
        ),
        (
            "    s.sealed[p] = 1 + card\n",
            "    s.sealed[p] = 1 + card\n    tell(s, Event.POINT, p, s.points[p], roll(s, 6))\n",
        ),
    )
    audit_and_check(module)


class OtherWords(Words):
    """Reads the word of action 1 as action 2."""

    def action(self, r: Any, s: Any, word: str) -> int:
        a = super().action(r, s, word)
        return 2 if a == 1 else a


class Forgetful(Words):
    """Reads positions without the points."""

    def read(self, r: Any, s: Any, position: str) -> None:
        super().read(r, s, position)
        s.points[0] = 0


class Unoffered(Looks):
    """Leaves a choice out."""

    def scene(self, r: Any, o: Any, actions: Any, names: Any) -> Any:
        return super().scene(r, o, actions[1:], names)


class OfferedToAll(Looks):
    """Offers a choice to every viewer."""

    def scene(self, r: Any, o: Any, actions: Any, names: Any) -> Any:
        return super().scene(r, o, actions or (0,), names)


class Changed(Looks):
    """Its scenes have these in place of their own; `each`: its choices have."""

    def __init__(self, each: dict[str, Any] | None = None, **whole: Any) -> None:
        self.each, self.whole = each or {}, whole

    def scene(self, r: Any, o: Any, actions: Any, names: Any) -> Any:
        scene = super().scene(r, o, actions, names)
        choices = tuple(dataclasses.replace(c, **self.each) for c in scene.choices)
        return dataclasses.replace(scene, choices=choices, **self.whole)


class Peeps(Looks):
    """Draws what lies sealed."""

    def scene(self, r: Any, o: Any, actions: Any, names: Any) -> Any:
        scene = super().scene(r, o, actions, names)
        return dataclasses.replace(scene, title=f"{o.sealed}")


class Still(Looks):
    """Asks nobody anything."""

    def scene(self, r: Any, o: Any, actions: Any, names: Any) -> Any:
        scene = super().scene(r, o, actions, names)
        return dataclasses.replace(scene, to_act=None, over=False, prompt="So it goes.")


class Says(Looks):
    """Says this of all that happens."""

    def __init__(self, words: str) -> None:
        self.words = words

    def say(self, r: Any, told: Any, viewer: Any, names: Any) -> str:
        return self.words


TABLE = Zone(
    "table",
    "line",
    "Table",
    pieces=(Piece("it", "A card"), Piece("there", "A spot")),
)
PILE = Zone("pile", "pile", "Pile", facts={"count": "three", "face": "up", "colour": "red"})
LAID = Placement(("it",), {"there": ("there",)})


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"notation": OtherWords()}, "is read as|its record is refused"),
        ({"notation": Forgetful()}, "position"),
        ({"scenes": Unoffered()}, "is offered"),
        ({"scenes": OfferedToAll()}, "is offered"),
        ({"scenes": Changed({"word": "a0"})}, "is offered"),
        ({"scenes": Changed({"label": "Go"})}, "are called alike"),
        ({"scenes": Changed({"label": ""})}, "are called alike"),
        ({"scenes": Changed({"path": ("table",)})}, "the same taps"),
        ({"scenes": Changed({"path": ("chair",)})}, "nothing has the id"),
        (
            {"scenes": Changed({"path": ("table",), "any_order": True})},
            "not pairs of piece and zone",
        ),
        ({"scenes": Changed({"any_order": True})}, "not pairs of piece and zone"),
        (
            {"scenes": Changed({"path": ("table", "table"), "any_order": True})},
            "not pairs of piece and zone",
        ),
        (
            {"scenes": Changed({"path": ("it", "table"), "any_order": True}, zones=(TABLE,))},
            "lay the same pieces",
        ),
        ({"scenes": Changed(zones=(TABLE,), placements=(LAID,))}, "may lay .* but not choose it"),
        ({"scenes": Changed(placements=(LAID,))}, "what may be laid is not in the scene"),
        ({"scenes": Changed({"rules": ("X-1",)})}, "there is no rule"),
        ({"scenes": Changed(zones=(PILE,))}, "zone pile, a pile: 'colour' is not known"),
        ({"scenes": Changed(title="")}, "where we are"),
        ({"scenes": Changed(prompt="")}, "where we are"),
        ({"scenes": Changed(prompt="Choose")}, "where we are"),
        ({"scenes": Peeps()}, "reads what is hidden"),
        ({"intermediate_views": lambda events: range(len(events))}, "is asked something"),
        ({"intermediate_views": lambda events: (0, 0), "scenes": Still()}, "after 1 events, 1"),
        ({"intermediate_views": lambda events: (-1,), "scenes": Still()}, "after 0 events, 0"),
        *(
            ({"scenes": Says(x)}, "is said to seat None")
            for x in ("A card", "a card.", "None was laid.", "Seat 0 and you win.")
        ),
        (
            {"scenes": Changed(zones=(Zone("table", "line", "Table"),) * 2)},
            "two things have one id",
        ),
    ],
)
def test_notation_and_scene_that_do_not_fit_are_caught(
    broken: Break, part: dict[str, Any], words: str
) -> None:
    game = dataclasses.replace(as_game(broken("sealed")), **part)
    with pytest.raises(LawBroken, match=words):
        laws.check(game.ruleset({}), 20, compiled=False)


def test_a_choice_without_a_rule_is_caught(broken: Break) -> None:
    game = as_game(broken("sealed"))
    (game.folder / "README.md").write_text("- **X-1** One card each.\n")
    with pytest.raises(LawBroken, match="choice a0 names no rule"):
        laws.check(game.ruleset({}), 1, compiled=False)


def test_a_game_that_remembers_outside_its_state_is_caught(
    broken: Break, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same seed and actions, another state. (The build lets rules read numbers only; this one
    is changed behind its back.)
    """
    module = broken(
        "sealed",
        ("KINDS, EACH, HAND = 5, 6, 3\n", "KINDS, EACH, HAND = 5, 6, 3\nCALLS = 0\n"),
        ("    s.round += 1\n", "    s.round += 1 + CALLS\n"),
    )
    game = as_game(module)
    game.build(False)

    class Remembers:
        calls = 0

        def __radd__(self, n: int) -> int:
            self.calls += 1
            return n + self.calls // 7 % 2

    monkeypatch.setattr(module, "CALLS", Remembers())
    with pytest.raises(LawBroken):
        laws.check(game.ruleset({}), 100, compiled=False)


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_builds_that_differ_are_caught(broken: Break) -> None:
    """A number beyond 64 bits: Python goes on counting, the machine wraps around."""
    module = broken(
        "race",
        (
            "    s.turns += 1\n",
            "    big = (steps + 4611686018427387904) * 4\n    s.turns += 1 if big > 100 else 2\n",
        ),
    )
    rules = as_game(module).ruleset({})
    laws.check(rules, 2, compiled=False)
    with pytest.raises(LawBroken, match="plain and compiled differ"):
        laws.check(rules, 2)
