"""Mutants of rules: what they are, who notices them, what becomes of those that survive."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import GAMES
from mutants import judged, steps, texts, trials
from mutants.__main__ import main

import battlebox as bb

RULES = '''\
"""Rules to be changed."""
HAND = 3


class Event(Events):
    """EventView."""

    DREW = event("seat", "card", own=("card",), reveals=True)


class State(StateRecord):
    """The truth."""

    deck = secret(n8(4))
    heap = scratch(n8(4))


@rule
def draw_up(t: Table, s: State, p: int) -> None:
    """Draws."""
    while s.size[p] < 3 and s.deck_size > 0:
        s.size[p] += 1
        tell(s, Event.DREW, p, s.top)
    s.phase, s.to_act = 1, p


@allow(draw)
def may_draw(t: Table, s: State, card: Card) -> bool:
    """Asks."""
    for i in range(s.seats):
        if not s.out[i]:
            return s.hand == max(i, card)
    return False


def not_a_rule(x: int) -> int:
    return x + 1
'''
WANTED = """\
DREW = event('seat', 'card', own=('card',), reveals=True, alone=True)
DREW = event('seat', 'card', own=('card',))
DREW = event('seat', 'card', reveals=True)
deck = public(n8(4))
heap = public(n8(4))
while not (s.size[p] < 3 and s.deck_size > 0):
while s.size[p] < 3 or s.deck_size > 0:
while s.deck_size > 0:
while s.size[p] < 3:
while s.size[p] <= 3 and s.deck_size > 0:
while s.size[p] < 4 and s.deck_size > 0:
while s.size[p] < 2 and s.deck_size > 0:
while s.size[p] < 3 and s.deck_size >= 0:
while s.size[p] < 3 and s.deck_size > 1:
while s.size[p] < 3 and s.deck_size > -1:
s.size[p] -= 1
pass
s.size[p] += 2
s.size[p] += 0
pass
tell(s, Event.DREW, s.top, p)
tell(s, Event.DREW, p + 1, s.top)
tell(s, Event.DREW, p, s.top + 1)
s.to_act = p
s.phase = 1
s.phase, s.to_act = (2, p)
s.phase, s.to_act = (0, p)
if True:
for i in range(s.seats - 1):
if not (not s.out[i]):
if s.out[i]:
return not s.hand == max(i, card)
return s.hand != max(i, card)
return s.hand == min(i, card)
return True
pass
"""


def every(folder: Path, text: str) -> list[texts.Mutant]:
    file = folder / "rules.py"
    file.write_text(text, encoding="utf-8")
    return texts.every([file])


def test_each_kind_of_change_is_made(tmp_path: Path) -> None:
    found = [m.now for m in every(tmp_path, RULES)]
    wanted = WANTED.replace("if not (not s.out[i]):", "if not not s.out[i]:").splitlines()
    assert sorted(found) == sorted(wanted)


def test_a_mutant_is_the_file_with_one_change(tmp_path: Path) -> None:
    """One that Python can read, and that stands where it says."""
    whole = ast.unparse(ast.parse(RULES)).splitlines()
    lines = RULES.splitlines()
    for m in every(tmp_path, RULES):
        text = ast.unparse(m.tree())
        compile(text, "rules.py", "exec")
        assert text.splitlines() != whole, m.name
        assert m.was.split()[0] in lines[m.line - 1], m.name


def test_a_mark_that_no_other_field_has_is_imported(tmp_path: Path) -> None:
    """Else it is the import that fails, and no test shows that it would notice."""
    text = "from battlebox.core.rules import StateRecord, n8, public\n\n\n"
    (m,) = every(tmp_path, f"{text}class State(StateRecord):\n    dice = public(n8())\n")
    assert m.now == "dice = secret(n8())"
    found: dict[str, object] = {}
    exec(compile(m.tree(), "rules.py", "exec"), found)
    assert {"State", "secret"} <= {*found}


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"])
@pytest.mark.parametrize("doc", ["", '"""Hares: a race."""\n'])
def test_a_counted_module_says_first_what_it_is(doc: str, future: str) -> None:
    """A game's title may stand there; and compilers want __future__ before all else."""
    tree = steps.counted(ast.parse(f"{doc}{future}x = 1\n"))
    assert ast.get_docstring(tree) == (doc[3:-4] or None)
    compile(tree, "x.py", "exec")


def test_names_are_all_different_and_stay_when_others_are_edited(tmp_path: Path) -> None:
    before = [m.name for m in every(tmp_path, RULES)]
    assert len(set(before)) == len(before)
    edited = RULES.replace("HAND = 3", "HAND = 4\n\n@rule\ndef new(x: int) -> int:\n    return x\n")
    after = every(tmp_path, edited.replace("return s.hand ==", "return s.hand + 0 =="))
    same = [m.name for m in after if " may_draw: " not in m.name and " new: " not in m.name]
    assert same == [n for n in before if " may_draw: " not in n]


def test_the_sample_is_drawn_by_what_the_mutants_say(tmp_path: Path) -> None:
    before = {m.name for m in texts.sample(every(tmp_path, RULES), 12)}
    new = "HAND = 4\n\n@rule\ndef new(x: int) -> int:\n    return x\n"
    after = {m.name for m in texts.sample(every(tmp_path, RULES.replace("HAND = 3", new)), 12)}
    assert len(before) == len(after) == 12
    assert len(before - after) <= 1  # the one that a mutant of the new function displaced


@pytest.mark.parametrize("name", bb.games())
def test_the_mutants_of_every_game_are_enough(name: str) -> None:
    """Of all files that rules are in; and nothing is judged that is no mutant any more."""
    folder = Path(bb.__file__).parent / "games" / name
    files = trials.rules_files(folder)
    assert {"rules.py", "hidden.py"} <= {f.name for f in files}
    if name == "battleball":
        assert {"ball.py", "field.py", "halves.py", "moving.py"} <= {f.name for f in files}
    found = texts.every(files)
    assert len(found) > 500
    assert len({m.name for m in found}) == len(found)
    known = judged.read(judged.FOLDER / f"{name}.toml")
    assert judged.stale(known, (m.name for m in found)) == []


# ---- on trial ------------------------------------------------------------------------------------
PACKAGE = "a_tiny_game"
TESTS = """
from a_tiny_game import GAME


def test_a_point_is_told():
    m = GAME.ruleset({}).match(seed=4)
    while not m.over:
        m.submit(m.to_act, m.legal_actions[0])
    told = [x.args for x in m.events(None) if x.event.name == "POINT"]
    mine = [x["points"] for x in told if x["seat"] == 0]
    assert mine == [*range(1, 1 + m.state.points[0])]
"""


RUN = """
import sys
from pathlib import Path
from mutants.__main__ import run
package, file, only, again = sys.argv[1:]
sys.exit(not run(package, Path(file), only=only, again=bool(again), at_once=1))
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """The folder of a game of a single rules file, with one test."""
    folder = tmp_path / PACKAGE
    folder.mkdir()
    shutil.copy(GAMES / "sealed.py", folder / "rules.py")
    shutil.copy(GAMES / "README.md", folder)
    wiring = "from games import as_game\n\nfrom . import rules\n\nGAME = as_game(rules)\n"
    (folder / "__init__.py").write_text(wiring, encoding="utf-8")
    (folder / "test_tiny.py").write_text(TESTS, encoding="utf-8")
    return folder


def trial(folder: Path, only: str, *, again: bool = False) -> tuple[int, str]:
    """Exit status and output of a run, in a process of its own: what forks has but one thread."""
    path = [str(folder.parent), str(GAMES.parent), str(GAMES.parent.parent)]
    done = subprocess.run(
        [sys.executable, "-c", RUN, PACKAGE, folder / "judged.toml", only, "again" * again],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("only", "by"),
    [
        ("show: tell(s, Event.POINT, winner, s.points[winner]) -> pass", "test_tiny.py::"),
        ("draw_up: while s.hand_size[p] < HAND and s.deck_size > 0: -> while s.d", "test_tiny.py"),
        ("show: s.gone[s.sealed[p] - 1] += 1 -> pass", "laws of players=2"),
        ("census: count[s.sealed[p] - 1] += 1 -> count[s.sealed[p] - 1] -= 1", "laws"),
        ("State: hand = own(n8(2, KINDS)) -> hand = public(n8(2, KINDS))", "laws"),
    ],
)
def test_who_notices(tiny: Path, only: str, by: str) -> None:
    status, said = trial(tiny, only)
    assert "1 of 1 " in said
    assert by in said
    assert "All are noticed or judged." in said
    assert status == 0


def test_one_that_goes_on_for_ever_is_caught_by_a_limit(tiny: Path) -> None:
    rules = tiny / "rules.py"
    text = rules.read_text(encoding="utf-8")
    loop = "    i = 0\n    while i < s.round:\n        i += 1\n    s.round += 1\n"
    rules.write_text(text.replace("    s.round += 1\n", loop), encoding="utf-8")
    status, said = trial(tiny, "show: i += 1 -> pass")
    assert trials.HANG in said
    assert status == 0


ONLY = "returns: out[0] = 1 if d > 0 else -1 if d < 0 else 0 -> out[0] = 1 if d > 0 else -1 if d <="
ENTRY = "[[equivalent]]\nmutant = '''{}'''\nbecause = \"No two have as many points.\"\n"


def test_a_survivor_is_shown_and_can_be_judged(tiny: Path) -> None:
    name = f"rules.py {ONLY} 0 else 0"
    status, said = trial(tiny, ONLY)
    assert status == 1
    assert "SURVIVES" in said
    assert "rules.py:" in said
    assert "- out[0] = 1 if d > 0 else -1 if d < 0 else 0\n" in said
    assert "+ out[0] = 1 if d > 0 else -1 if d <= 0 else 0\n" in said
    assert f"mutant = '''{name}'''" in said
    assert "1 survive." in said
    (tiny / "judged.toml").write_text(ENTRY.format(name), encoding="utf-8")
    status, said = trial(tiny, ONLY)
    assert status == 0
    assert "1 judged" in said


def test_a_judgement_that_fits_nothing_is_stale(tiny: Path) -> None:
    """It names no mutant; or, when the judged are tried as well, one that is noticed."""
    only = "show: s.gone[s.sealed[p] - 1] += 1 -> pass"
    (tiny / "judged.toml").write_text(ENTRY.format("rules.py nothing"), encoding="utf-8")
    status, said = trial(tiny, only)
    assert status == 1
    assert "Stale: there is no such mutant any more: rules.py nothing" in said
    (tiny / "judged.toml").write_text(ENTRY.format(f"rules.py {only}"), encoding="utf-8")
    assert trial(tiny, only)[0] == 0
    status, said = trial(tiny, only, again=True)
    assert status == 1
    assert "Stale: it is noticed" in said


def test_a_game_that_is_wrong_as_it_stands_is_refused(tiny: Path) -> None:
    text = TESTS + "\n\ndef test_wrong():\n    assert False\n"
    (tiny / "test_tiny.py").write_text(text, encoding="utf-8")
    status, said = trial(tiny, "show: s.round += 1 -> pass")
    assert status == 1
    assert "found wrong by test_tiny.py::test_wrong" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[equivalent", "judged.toml: "),
        ("[[survivor]]\nmutant = 'a'\n", "'survivor' is not known"),
        ("[[equivalent]]\nmutant = 'a'\n", "entry 1: write `mutant` and `because`"),
        (
            "[[equivalent]]\nmutant = 'a'\nbecause = 3\n",
            "entry 1: `mutant` and `because` are texts",
        ),
        ("[[equivalent]]\nmutant = 'a'\nbecause = 'so'\n", "entry 1: `because` says why"),
        ("[[equivalent]]\nmutant = 'a'\nbecause = 'So.'\n" * 2, "entry 2: 'a' is judged twice"),
        ("equivalent = ['a']\n", "entry 1: write `mutant`"),
        ("equivalent = 3\n", "write [[equivalent]]"),
    ],
)
def test_a_wrong_judgement_is_named(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "judged.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(judged.BadJudgement) as e:
        judged.read(file)
    assert words in str(e.value)
    assert "judged.toml" in str(e.value)


def test_a_game_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["chess"])
    assert "chess" in capsys.readouterr().err
