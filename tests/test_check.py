"""`battlebox check` and `battlebox new-game`: right games pass, wrong ones are told what to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from games import peek
from test_cli import Command, Said, run
from test_shelf import _apart

import battlebox as bb
from battlebox.core.errors import RulesetError
from battlebox.core.game import Game
from battlebox.games import find, open_game
from battlebox.new_game import LONGEST, ids_of, new_game
from battlebox.testing import Check, Effort, Failure, checks_of, choices, layout, matches

__all__ = ["_apart", "run"]  # fixtures
Edit = tuple[str, str, str]  # file, old, new
Write = Callable[..., Path]


NO_BROWSER = 'pip install "battlebox[page]"'


@pytest.fixture(autouse=True)
def no_browser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs none is checked as if there were none; tests with the mark have theirs."""
    if not request.node.get_closest_marker("browser"):
        monkeypatch.setattr(layout, "missing", lambda: NO_BROWSER)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """write("hares", edits): the folder of a new game with these edits, in the working folder."""
    monkeypatch.chdir(tmp_path)

    def new(name: str = "hares", *edits: Edit) -> Path:
        new_game(name)
        for file, old, text in edits:
            path = tmp_path / name / file
            was = path.read_text(encoding="utf-8")
            assert was.count(old) == 1, (file, old)
            path.write_text(was.replace(old, text), encoding="utf-8")
        return tmp_path / name

    return new


# ---- right ones ----------------------------------------------------------------------------------
@pytest.mark.parametrize("check", checks_of(peek.GAME), ids=str)
def test_a_game_made_of_marks_passes(check: Check) -> None:
    """Those of examples/ do in their own tests."""
    check()


def test_a_new_game_passes(run: Command, write: Write) -> None:
    write()
    said = run("check", "./hares")
    assert said.status == 0
    assert said.out.splitlines() == [
        "passed  The rules build",
        "passed  Options, modes and numbers of players (15 ways to play)",
        "passed  Scenarios (5 scenarios)",
        "passed  README.md: every rule is shown, every id known, every option listed (7 rules)",
        "passed  Every match ends (16 matches)",
        "passed  Nothing is lost, and nobody learns what is hidden (3,200 decisions)",
        said.out.splitlines()[6],
        "passed. Bots play on the compiled build: --compiled checks that, too. "
        f"The page was not looked at: {NO_BROWSER}",
    ]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_a_new_game_passes_compiled(run: Command, write: Write) -> None:
    write()
    said = run("check", "./hares", "--compiled", "--no-page")
    assert said.status == 0, said.out
    assert said.out.splitlines()[-1] == "passed"
    assert "Every match ends" not in said.out, "whole matches are played in bulk"
    decisions = said.out.partition("learns what is hidden (")[2].partition(" ")[0]
    assert int(decisions.replace(",", "")) >= 8_000


def test_one_match_is_played_again(run: Command, write: Write) -> None:
    write()
    said = run("check", "./hares", "players=4", "rounds=2", "--seed", "7", "--matches", "1")
    assert said.status == 0
    assert "Every match ends (1 match)" in said.out
    assert "nobody learns what is hidden (8 decisions)" in said.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("check chess", "no game 'chess'"),
        ("check ./chess", "chess: there is no such folder"),
        ("check ./hares rounds=99", "rounds = '99'"),
        ("check ./hares round=9", "did you mean 'rounds'"),
        ("check ./hares --page", f"no browser that can be used; first {NO_BROWSER}"),
    ],
)
def test_what_cannot_be_checked_is_refused(
    run: Command, write: Write, words: str, says: str
) -> None:
    write()
    said = run(*words.split())
    assert (said.status, said.out) == (2, "")
    assert says in said.err


# ---- wrong ones ----------------------------------------------------------------------------------
SWAP = "    tell(s, Event.SWAPPED, s.to_act, put_down(s, s.to_act))\n"
WRONG: dict[str, tuple[list[Edit], list[str]]] = {
    "a field that there is not": (
        [("rules.py", "    s.round += 1\n", "    s.rond += 1\n")],
        ["FAILED  The rules build", "rules.py:", "s.rond", "did you mean"],
    ),
    "a text that is no Python": (
        [("rules.py", "class Table(Record):", "class Table(Record")],
        ["FAILED  The rules build", "rules.py:", "was never closed"],
    ),
    "an index that is out of its field": (
        [("rules.py", "    s.card[p] = 0\n", "    s.card[p + 4] = 0\n")],
        [
            "FAILED  Scenarios",
            "index out of bounds on dimension 1 (scenario HA-S2, hares/scenarios.scn:8)",
            "FAILED  Every match ends\n        hares/rules.py:118: IndexError",
            "The same match again: battlebox check ./hares players=2 --seed 0 --matches 1",
        ],
    ),
    "a rule that nothing shows": (
        [("README.md", "- **HA-7** ", "- **HA-8** A draw is a draw.\n- **HA-7** ")],
        ["FAILED  README.md", "README.md:15: nothing shows HA-8", "line ends in [HA-8]"],
    ),
    "an id that there is not": (
        [("scenarios.scn", "[HA-3 HA-5]", "[HA-3 HA-9]")],
        ["scenarios.scn:8: H", "there is no rule HA-9", 'a line "- **HA-9** ..."'],
    ),
    "an option that is not listed": (
        [("README.md", "| `rounds` | 3 | 1 .. 10 | how many rounds are played (HA-6) |\n", "")],
        [
            "README.md:17: the option rounds is not listed under ## Options",
            "Add the row | `rounds` | 3 | 1 .. 10 | this many are played (HA-6) |",
        ],
    ),
    "an option with another default": (
        [("README.md", "| `rounds` | 3 |", "| `rounds` | 4 |")],
        ["README.md:22: rounds: its default is 3, not 4", "Write | `rounds` | 3 | 1 .. 10 |"],
    ),
    "an option without words": (
        [("options.py", '"this many are played (HA-6)"', '""')],
        ["hares/options.py:14: rounds: it does not say what it does", 'option(3, "Rounds"'],
    ),
    "a scenario that comes out otherwise": (
        [("scenarios.scn", "expect points=0.1 round=2", "expect points=1.0 round=2")],
        [
            "scenarios.scn:13: HA-S2: points: expected 1.0, found 0.1",
            "battlebox scenario ./hares",
        ],
    ),
    "a scenario file that is none": (
        [("scenarios.scn", "scenario HA-S1 everybody", "szenario HA-S1 everybody")],
        ["FAILED  Scenarios", "scenarios.scn:3: 'szenario' is not a line of a scenario"],
    ),
    "a card that is lost": (
        [("rules.py", "    s.discard_size += 1\n", "    s.discard_size += 0\n")],
        ["no card or piece is made or lost", "decision ", "--seed ", "--matches 1"],
    ),
    "a card that everybody hears of": (
        [("rules.py", '    DREW = event("seat", "card", own=("card",), reveals=True)',
          '    DREW = event("seat", "card", reveals=True)')],
        ["FAILED  Words, positions, scenes", "is told", "check ./hares players="],
    ),
    "a condition that reads what is hidden": (
        [("rules.py", "    return s.deck_size > 0\n", "    return s.deck[0] > 0\n")],
        ["FAILED  Nothing is lost", "the seat to act knows its legal actions", "seed "],
    ),
    "a match without an end": (
        [("rules.py", "        s.to_act = 0\n        end_round(t, s)\n", "        s.to_act = 0\n")],
        [
            "FAILED  Every match ends",
            "after 10000 decisions the match is not over",
            "def max_length(",
        ],
    ),
    "a return that is none": (
        [("rules.py", "1 if s.points[p] == best else -1", "2 if s.points[p] == best else -1")],
        ["FAILED  Nothing is lost", "returns are -1 .. 1", "seed "],
    ),
    "a sentence without an end": (
        [("scene.py", 'Round {self.x[\'number\']}."', 'Round {self.x[\'number\']}"')],
        ["FAILED  Words, positions, scenes", "is said to seat", "'Round 1'"],
    ),
    "cards that are listed twice": (
        [("scene.py", "    def title", "    def components(self):\n"
          "        return [*super().components(), *super().components()]\n\n    def title")],
        ["FAILED  Options, modes", "scene.py:16: components: box-card:mouse is there 2 times"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_game_fails_with_a_place_and_a_hint(run: Command, write: Write, what: str) -> None:
    edits, says = WRONG[what]
    write("hares", *edits)
    said = run("check", "./hares", "--matches", "8")
    assert said.status == 1
    assert "failed: " in said.out.splitlines()[-1]
    for words in says:
        assert words in said.out, said.out
    assert "Traceback" not in said.out + said.err


def test_what_failed_is_played_again_as_it_says(run: Command, write: Write) -> None:
    write("hares", ("rules.py", "    s.discard_size += 1\n", "    s.discard_size += 0\n"))
    first = run("check", "./hares").out
    again = first.partition("The same match again: battlebox ")[2].splitlines()[0]
    assert "no card or piece is made or lost" in run(*again.split()).out


def test_a_deck_that_is_wrong(tmp_path: Path) -> None:
    """Of one of our own games, as the new one has none."""
    war_zone = find("war_zone")
    deck = tmp_path / "warzone-half.toml"
    text = war_zone.decks["warzone-half"].read_text(encoding="utf-8")
    deck.write_text(text.replace("damage = 5", "damage = -5", 1), encoding="utf-8")
    with pytest.raises(Failure, match=r"damage -5(.|\n)*battlebox deck check"):
        choices.deck_is_right(war_zone, deck)
    nobodys = tmp_path / "nobodys.toml"
    nobodys.write_text(text, encoding="utf-8")
    with pytest.raises(Failure, match=r"nobody can play with it: .*nobodys"):
        choices.deck_is_right(war_zone, nobodys)


def test_a_game_that_cannot_be_loaded_is_a_check_that_fails(write: Write) -> None:
    write("hares", ("rules.py", "    s.round += 1\n", "    s.rond += 1\n"))
    (check,) = checks_of("./hares")
    assert str(check) == "the rules build"
    with pytest.raises(Failure, match=r"rules\.py:\d+"):
        check()


def test_our_names_are_ours(run: Command, write: Write) -> None:
    """A folder of that name is not taken for our game."""
    write("hares").rename("medieval")
    said = run("check", "./medieval")
    assert said.status == 1
    assert "medieval: called medieval, but so is the game of battlebox itself" in said.out


def test_the_library_does_without_pytest() -> None:
    code = "import sys, battlebox.testing, battlebox.new_game; sys.exit('pytest' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- the page ------------------------------------------------------------------------------------
PAGE = "The page: nothing is covered, cut or out of view"
ONE = ("players=3", "rounds=1", "--matches", "1")  # way to play


def theme(folder: Path, script: str, style: str = "") -> None:
    (folder / "theme").mkdir()
    (folder / "theme" / "hares.js").write_text(script, encoding="utf-8")
    (folder / "theme" / "hares.css").write_text(style, encoding="utf-8")


@pytest.fixture
def browser_here() -> None:
    if (install := layout.missing()) and os.environ.get("BATTLEBOX_BROWSER") != "needed":
        pytest.skip(f"no browser here: {install}")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.usefixtures("browser_here")
def test_the_page_is_looked_at(run: Command, write: Write) -> None:
    write()
    said = run("check", "./hares", *ONE)
    assert said.status == 0, said.out
    assert f"passed  {PAGE} (" in said.out
    assert "not looked at" not in said.out
    assert PAGE not in run("check", "./hares", *ONE, "--no-page").out


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.usefixtures("browser_here")
@pytest.mark.parametrize(
    ("script", "style", "says"),
    [
        (
            "export default { isPlain: true, css: ['/web/theme/hares.css'] }",
            ".own .fan { position: fixed; top: 3000px }",
            ("360x640: out of view: ", "the own hand: ", "players=3, rounds=1, 3 players, seed 1"),
        ),
        ("export default { isPlain: true } }", "", (": error: ", "in `theme/`")),
    ],
    ids=["a hand out of sight", "a script with a mistake"],
)
def test_a_theme_that_spoils_the_page_is_found(
    run: Command, write: Write, script: str, style: str, says: tuple[str, ...]
) -> None:
    theme(write(), script, style)
    said = run("check", "./hares", *ONE)
    assert said.status == 1
    assert f"FAILED  {PAGE}" in said.out
    for words in says:
        assert words in said.out, said.out
    picture = Path(said.out.partition("; see ")[2].splitlines()[0])
    assert picture.read_bytes().startswith(b"\x89PNG")
    for shown in said.out.split("; see ")[1:]:
        Path(shown.splitlines()[0]).unlink()


# ---- new-game ------------------------------------------------------------------------------------
def ruff(*words: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *words, "."],
        cwd=cwd, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout if done.returncode else ""


@pytest.mark.parametrize("title", ["", "M" * LONGEST, "Duel at dawn"])
@pytest.mark.parametrize("package", [False, True], ids=["folder", "package"])
def test_what_is_written_pleases_ruff(tmp_path: Path, title: str, package: bool) -> None:
    new_game("hares", title, tmp_path, package=package)
    wide = ["--isolated", "--line-length", "100"]
    assert ruff("check", "--isolated", cwd=tmp_path / "hares") == ""
    chosen = "E,F,W,I,N,UP,B,C4,SIM,RUF,PT,D1"
    assert ruff("check", *wide, "--select", chosen, cwd=tmp_path / "hares") == ""
    assert ruff("format", "--check", *wide, cwd=tmp_path / "hares") == ""


def texts_of(folder: Path) -> dict[str, str]:
    """Its files by name."""
    return {x.name: x.read_text(encoding="utf-8") for x in folder.iterdir() if x.is_file()}


def test_a_new_game_has_its_own_names(write: Write, run: Command) -> None:
    said = run("new-game", "duel_at_dawn", "--into", "more")
    home = Path("more") / "duel_at_dawn"
    assert said.status == 0
    assert said.out.splitlines()[0].startswith(f"Duel at dawn is in {home}. ")
    for command in ("play", "check"):
        assert f"  battlebox {command} ./{home}\n" in said.out
    assert "docs/your-own-game.md" in said.out
    texts = texts_of(home)
    assert texts.keys() == texts_of(Path(bb.__file__).parent / "template").keys()
    for path, text in texts.items():
        assert "High card" not in text, path
        assert "high_card" not in text, path
        assert "HC-" not in text, path
    assert "- **DA-7** " in texts["README.md"]
    assert texts["README.md"].startswith("# Duel at dawn\n")
    game: Game = open_game(home)
    assert (game.name, game.title) == ("duel_at_dawn", "Duel at dawn")


def test_a_new_game_plays(write: Write) -> None:
    write()
    m = bb.load("./hares", players=3).match(seed=2)
    dice = bb.bot("random", m.rules, seed=1)
    while m.to_act is not None:
        m.submit(m.to_act, dice.choose(m.observation(m.to_act)))
    assert max(m.returns) == 1 or set(m.returns) == {0}
    assert bb.replay(m.record()).digest() == m.digest()


def test_its_package_tests_itself(tmp_path: Path, run: Command) -> None:
    """With pytest, before it is installed; and an installer is told what it is."""
    said = run("new-game", "hares", "--package", "--into", str(tmp_path))
    home = tmp_path / "hares"
    assert f"  battlebox check {home}\n" in said.out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "scenario or rule"],
        cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
    about = (home / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points."battlebox.games"]\nhares = "hares"\n' in about
    listed = checks_of(str(home))
    assert {"scenario HA-S1", "every option is listed"} <= {str(x) for x in listed}


BAD = {
    "Hares": "'Hares' cannot be a game's name: write small letters, digits and _",
    "2hares": "'2hares' cannot be a game's name",
    "hares-and-foxes": "cannot be a game's name",
    "my hares": "cannot be a game's name",
    "../hares": "cannot be a game's name",
    "class": "'class' cannot be a game's name",
    "war_zone": "there is a game called war_zone already",
    "random": "random is a module of Python or battlebox",
    "battlebox": "battlebox is a module of Python or battlebox",
    "there": "there exists already: choose another name",
}


@pytest.mark.parametrize("name", BAD)
def test_names_that_are_refused(run: Command, write: Write, tmp_path: Path, name: str) -> None:
    (tmp_path / "there").mkdir()
    said: Said = run("new-game", name)
    assert (said.status, said.out) == (2, "")
    assert BAD[name] in said.err
    assert sorted(x.name for x in tmp_path.iterdir()) == ["there"]


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("M" * (LONGEST + 1), f"the title has {LONGEST + 1} letters; {LONGEST} at most"),
        ('A "fine" game', "a title is letters, digits and spaces"),
        ("Hares: the game", "a title is letters, digits and spaces"),
        ("Hares\nFoxes", "a title is letters, digits and spaces"),
        ("7 of 9 \N{GREEK SMALL LETTER ALPHA}", None),
        ("7", "the title needs two letters, A to Z"),
    ],
)
def test_titles_that_are_refused(tmp_path: Path, title: str, says: str | None) -> None:
    if says is None:
        assert ids_of(title) == "OF-"
        return
    with pytest.raises(RulesetError) as e:
        new_game("hares", title, tmp_path)
    assert says in str(e.value)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("title", "ids"),
    [("Duel", "DU-"), ("Duel at dawn", "DA-"), ("high-card", "HC-"), ("A", "A-"), ("7", "-")],
)
def test_ids_of_rules_are_two_letters_of_the_title(title: str, ids: str) -> None:
    assert ids_of(title) == ids


def test_matches_are_spread_over_all_ways_to_play() -> None:
    """The same effort plays the same; the parts together play what is asked for."""
    for effort in (Effort(), Effort(matches=40), Effort(compiled=True)):
        parts = [[*matches.jobs(peek.GAME, effort, k, bulk=True)] for k in range(matches.PARTS)]
        found = [job for part in parts for job in part]
        assert len({job.rules.options_text for job in found}) >= 16
        assert len({(job.rules.options_text, job.seed) for job in found}) == len(found)
        if effort.matches:
            assert len(found) == effort.matches
