"""Teams of one's own: what they change, what is refused, and why."""

from __future__ import annotations

import random
import re
from itertools import product
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import laws
from battlebox.games import find
from battlebox.games.battleball.options import longest_pass
from battlebox.games.battleball.state import LONGEST_RUN
from battlebox.games.battleball.team import CODES
from battlebox.games.battleball.testing import OWN_TEAM as OWN
from battlebox.games.battleball.testing import at, do, load, watch

USUAL = find("battleball").decks["battleball-default"].read_text(encoding="utf-8")
ELEVEN = "a team is R1 R2 R3 S1 S2 B1 B2 L1 L2 T1 H1 (BB-3)"


def with_dice(sides: int) -> str:
    """A team all of whose dice have so many sides."""
    return re.sub(r"sides = \d+", f"sides = {sides}", OWN)


# ---- what a team changes -------------------------------------------------------------------------
def test_the_usual_team_is_what_it_was_before_there_were_others() -> None:
    """Records of Battleball made before replay; a record says nothing of the usual team."""
    assert load().digest == "30c7fe13d73c9b9d"
    assert load(deck=USUAL).digest == load().digest
    assert "deck" not in load().match(1).record()


def test_the_team_of_developers_md() -> None:
    """BB-4, BB-146, AMB-37: its dice, how far a pass to it goes, who is placed first."""
    r = load(deck=OWN)
    dice = [12, 12, 12, 11, 11, 9, 9, 7, 7, 5, 4]
    assert list(r.numbers.die) == dice
    assert list(r.numbers.reach) == [sides + 6 for sides in dice]
    assert [CODES[i] for i in r.numbers.order] == list(CODES)
    m = do(r.match(1), "f5")
    assert m.facts()["cell.R1"] == "f5"
    assert [w for w in r.match(1).legal_words() if w.startswith("preset")] == ["preset:1"]


@pytest.mark.parametrize("sides", range(4, LONGEST_RUN + 1))
def test_the_longest_pass_is_the_best_roll_that_is_no_fumble(sides: int) -> None:
    """BB-146, AMB-37: of one die, and of a Heavy Tackle's two."""
    faces, ball = range(1, sides + 1), range(1, 7)
    one = max(a + f for a, f in product(faces, ball) if a != f)
    two = max(max(a, b) + f for a, b, f in product(faces, faces, ball) if len({a, b, f}) == 3)
    assert longest_pass(sides) == one == two


def test_the_names_and_dice_of_a_team_are_seen_and_told() -> None:
    m = at("R1f12,S1a1/h1f13,s1k25 R1 - W A 1 0-0 -", 12, 4, 2, deck=OWN)
    tackle = next(c for c in m.scene(0).choices if c.word == "R1xh1")
    assert tackle.label == "Sprinter R1 tackles Harts' H1"
    assert tackle.sub.startswith("a d12 against two d4, for the ball: you win ")
    crane = next(p for p in m.scene(1).zone("field").pieces if p.id == "figure:h1")
    assert (crane.name, crane.value) == ("Crane H1", "d4")
    assert crane.text.startswith("On f13 and g13; rolls two d4 to move, and to tackle")
    m.submit(0, "R1xh1")
    assert m.scene(1).prompt.startswith("Crane H1 rolled 4 and 2 against 12")
    assert [p.code for p in m.scene(1).zone("dice").pieces] == ["d12", "d4", "d4"]
    said = m.log(None)
    assert "Wolves' Sprinter R1 tackles Harts' Crane H1." in said
    assert "Harts' Crane H1 rolls 4 and 2 on two d4." in said


def test_of_two_heavy_tackles_the_other_has_its_own_name() -> None:
    position = "H1e10,R1a1/h1g10,r1k25 @k1 - W X:H1=2.3xh1=2.4 1 0-0 -"
    choices = at(position, deck=OWN).scene(0).choices
    assert {c.sub for c in choices} == {"the die of Harts' Crane H1 is still to be chosen"}


def test_no_scene_or_sentence_of_another_team_has_a_usual_name() -> None:
    usual = [role.name for role in load().names.roles] + [x.name for x in load().names.lineup]
    usual.remove("Tackle")  # "Tackle: the lower die wins"
    m, dice = load(deck=OWN, advanced=True, team_rules=True).match(3), random.Random(3)
    phases = set[str]()
    for _ in range(250):
        if m.over:
            break
        phases.add(m.phase)
        seen = "".join(m.scene(p).as_json.decode() for p in (None, 0, 1))
        assert not [name for name in usual if name in seen]
        words = m.legal_words()
        stored = [w for w in words if w in ("preset:1", "TD")]
        m.submit(m.to_act, stored[0] if stored else dice.choice(words))
    said = "\n".join(m.log(None))
    assert not [name for name in usual if name in said]
    assert "Sprinter R1" in said
    assert {"LINEUP", "SELECT", "DEST", "TACKLE"} <= phases


def test_teams_that_are_alike_but_for_names_keep_their_names_apart() -> None:
    """What is drawn is kept for the next time; another match's names are never drawn."""
    renamed = USUAL.replace('"Running Back"', '"Runner"')
    assert load(deck=renamed).digest == load().digest
    for deck, name in ((USUAL, "Running Back R1"), (renamed, "Runner R1"), (USUAL, "Running Back")):
        bench = load(deck=deck).match(1).scene(0).zone("bench:0")
        assert any(p.name.startswith(name) for p in bench.pieces)


def test_stored_lineups_have_the_names_and_places_of_the_file() -> None:
    """BB-9: pieces may be written in any order; H's stand after half a turn of the board."""
    m = load(deck=OWN).match(1)
    assert [c.label for c in m.scene(0).choices if c.word == "preset:1"] == ["Lineup Wedge"]
    do(m, "preset:1", "preset:1")
    wanted = {"R1": "b5", "R3": "f3", "H1": "f4", "r1": "j21", "h1": "f22"}
    assert {code: m.facts()[f"cell.{code}"] for code in wanted} == wanted


@pytest.mark.parametrize("size", [{"rows": 15, "cols": 10}, {"rows": 35, "cols": 12}], ids=str)
def test_stored_lineups_on_other_fields(size: dict[str, int]) -> None:
    """AMB-3: the front row stays at the line, the middle in the middle; else it is not offered."""
    r = load(deck=USUAL, **size)
    m = r.match(1)
    offered = [w for w in m.legal_words() if w.startswith("preset")]
    assert ("preset:2" in offered) == (size["rows"] == 35)  # its last row is row 2
    for word in offered:
        do(r.match(1), word, word)


def test_own_lineups_come_after_those_of_the_file() -> None:
    places = OWN.split('places = "')[1].split('"')[0]
    m = load(deck=OWN, presets=f"{places}/{places}").match(1)
    assert [w for w in m.legal_words() if w[0] == "p"] == ["preset:1", "preset:2", "preset:3"]
    labels = {c.word: (c.label, c.sub) for c in m.scene(0).choices}
    assert labels["preset:2"] == ("Lineup 2", "one of your own")
    with pytest.raises(bb.RulesetError, match="presets: more than 15 lineups"):
        load(deck=OWN, presets="/".join([places] * 16))
    full = OWN + "".join(f'[[lineup]]\nname = "{k}"\nplaces = "{places}"\n' for k in range(15))
    assert "preset:16" in load(deck=full).match(1).legal_words()
    with pytest.raises(bb.RulesetError, match="presets: more than 0 lineups"):
        load(deck=full, presets=places)


def test_a_team_without_lineups() -> None:
    m = load(deck=OWN.split("[[lineup]]")[0]).match(1)
    assert "random" in m.legal_words()
    assert not [w for w in m.legal_words() if w.startswith("preset")]
    bot = bb.bot("random", m.rules, seed=1)
    m.submit(0, bot.choose(m.observation(0)))


def test_dice_of_positions_are_those_of_the_team() -> None:
    deck = with_dice(7)
    at("R1f5/r1k25 @f13 - W D:R1=7 1 0-0 -", deck=deck)
    for position in ("W D:R1=8", "W D:H1=7.8"):
        with pytest.raises(bb.PositionError, match=r"die '8': a number 1 \.\. 7"):
            at(f"R1f5,H1e10/r1k25 @f13 - {position} 1 0-0 -", deck=deck)


# ---- whole matches -------------------------------------------------------------------------------
TEAMS = {"of the README": OWN, "d4": with_dice(4), "d20": with_dice(20)}
MODES: list[dict[str, Any]] = [
    {"max_plies": 12},
    {"max_plies": 12, "advanced": True, "team_rules": True, "lineup": "alternate"},
]


@pytest.mark.parametrize("options", MODES, ids=str)
@pytest.mark.parametrize("deck", TEAMS.values(), ids=list(TEAMS))
def test_teams_obey_the_laws(deck: str, options: dict[str, Any]) -> None:
    """In a record, a position and a scene as well; on the field, too."""
    rules = load(deck=deck, **options)
    laws.check(rules, 1, compiled=False, decisions=30)
    watch(rules, 1, seed=7, compiled=False)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.xdist_group("battleball")
@pytest.mark.parametrize("deck", TEAMS.values(), ids=list(TEAMS))
def test_both_builds_of_teams(deck: str) -> None:
    """Whole matches under the laws; both builds give the same bytes."""
    rules = load(deck=deck, advanced=True, team_rules=True)
    laws.audit(rules, 20)
    watch(rules, 10)
    laws.check(rules, 1, decisions=20)


def test_a_record_holds_the_team() -> None:
    m = do(load(deck=OWN, team_rules=True).match(5), "TR1", "none", "preset:1", "random")
    again = bb.replay(m.record())
    assert again.digest() == m.digest()
    assert again.rules.names == m.rules.names
    assert "Sprinter" in m.record()


# ---- what is refused -----------------------------------------------------------------------------
WRONG = OWN.replace('"H1"]', '"Q1"]').replace('letter = "T"', 'letter = "K"')
WRONG = WRONG.replace("sides = 12", "sides = 30").replace("sides = 4 ", "sides = 4.5 ")
WRONG = WRONG.replace("T1f5,", "T1f6,T1f5,").replace("H1f4", "H1m4").replace('"Scout"', '"Guard"')


def test_all_that_is_wrong_with_a_team_is_told_by_name_and_line() -> None:
    with pytest.raises(bb.RulesetError) as e:
        load(deck=WRONG)
    assert str(e.value).split("\n") == [
        "deck: 8 errors",
        f"  line 2: order[11]: no piece has the code 'Q1'; {ELEVEN}",
        "  line 2: order: H1 is missing",
        "  Sprinter, line 4: sides 30; 4 to 20",
        "  Guard, line 6: name: two roles have the name 'Guard'",
        f'  Crusher, line 8: letter "K"; R, S, B, L, T or H: {ELEVEN}',
        "  Crane, line 9: sides 4.5; 4 to 20",
        "  Wedge, line 14: places: no cell is called 'm4'; the last one is k25",
        "  Wedge, line 14: places: T1f6: f6 is not behind the line (BB-10)",
    ]


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("name = 1\n", "'order' is missing"),
        ("[[lineup]]\n", "lineup 1, line 1: 'places' is missing"),
        (OWN.replace("order =", "oder ="), "'oder' is not known; did you mean 'order'"),
        (OWN.replace("sides = 12 ", "sides = 3 "), "Sprinter, line 4: sides 3; 4 to 20"),
        (OWN.replace("sides = 12 ", "sides = 21 "), "Sprinter, line 4: sides 21; 4 to 20"),
        (OWN.replace("sides = 12 ", 'sides = "d12" '), 'line 4: sides "d12"; 4 to 20'),
        (OWN.replace("sides = 12 ", "pieces = 4, sides = 12 "), "'pieces' is not known"),
        (OWN.replace('letter = "R"', 'letter = "r"'), f'letter "r"; R, S, B, L, T or H: {ELEVEN}'),
        (OWN.replace('letter = "S"', 'letter = "R"'), "two roles have the letter 'R'"),
        (OWN.replace('letter = "S"', 'letter = "R"'), f"no role has the letter S; {ELEVEN}"),
        (OWN.replace('id = "scout"', 'id = "guard"'), "two roles have the id 'guard'"),
        (OWN.replace('"Sprinter"', '""'), 'sprinter, line 4: name ""; 1 to 40 characters'),
        (OWN.replace('"Sprinter"', '"a\\u001bb"'), "only characters that can be printed"),
        (OWN.replace('"R2",', '"R4",'), f"order[2]: no piece has the code 'R4'; {ELEVEN}"),
        (OWN.replace('"R2",', '"R1",'), "line 2: order[2]: R1 is named twice"),
        (OWN.replace('"R2", "R3",', ""), "line 2: order: R2 and R3 are missing"),
        (OWN.replace('"R2",', "2,"), "order[2] 2; a text"),
        (OWN.replace("R3f3", "R3f4"), "Wedge, line 14: places: H1f4 and R3f4 are both on f4"),
        (OWN.replace(",R3f3", ""), "Wedge, line 14: places: R3 has no place (BB-9)"),
        (OWN.replace("R3f3", "R4f3"), "Wedge, line 14: places: no piece has the code 'R4'"),
        (OWN.replace("R3f3", "R3f6"), "places: R3f6: f6 is not behind the line (BB-10)"),
        (OWN.replace("H1f4", "H1l4"), "places: H1l4: its right foot is off the board (BB-13)"),
        (OWN + '[[lineup]]\nname = "Wedge"\nplaces = ""\n', "two lineups have the name 'Wedge'"),
        (OWN + "[[lineup]]\n" * 16, "17 lineups; 16 at most"),
    ],
)
def test_wrong_teams_are_explained(text: str, fragment: str) -> None:
    with pytest.raises(bb.RulesetError, match=re.escape(fragment)):
        load(deck=text)
