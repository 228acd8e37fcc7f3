"""Games of others: installed, in folders, broken, sent to other processes, served with their looks.

The game is that of examples/goofspiel, which has tests of its own, or a smaller one.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from databases import ON_POSTGRES, needs_postgres, the_server
from serving import InThread, Seat, in_process, in_thread, until
from test_cli import Command
from test_join import Guest, Meet, at_random

import battlebox as bb
from battlebox.core import packages
from battlebox.core.errors import GameError, RecordError, RulesetError
from battlebox.core.game import game_in
from battlebox.core.packages import Parcel, import_folder, parcel
from battlebox.server.room import Room
from battlebox.terminal.remote import seat_tokens

registry = sys.modules["battlebox.games"]  # the package has a function of this name
ROOT = Path(__file__).parent.parent
PROJECT = ROOT / "examples" / "goofspiel"
GOOFSPIEL = PROJECT / "src" / "goofspiel"
TEMPLATE = Path(bb.__file__).parent / "template"
ENTRY_POINTS = "[battlebox.games]\n{name} = {package}\n"
Put = Callable[..., Path]


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test adds to the games is gone afterwards."""
    monkeypatch.setenv(registry.FOLDERS, "")
    monkeypatch.setattr(registry, "_opened", [])
    monkeypatch.setattr(seat_tokens, "path", lambda: tmp_path / "keys" / "seats.json")
    # the example's own tests import it, too
    taken = {x: sys.modules.pop(x) for x in [*sys.modules] if x.partition(".")[0] == "goofspiel"}
    before, homes = {*sys.modules}, dict(packages._homes)
    registry._look.cache_clear()  # its games are imported anew, and so have a folder again
    yield
    for name in {*sys.modules} - before:
        if name.startswith((packages.PREFIX, "goofspiel", "other_package")):
            del sys.modules[name]
    sys.modules.update(taken)
    packages._homes.clear()
    packages._homes.update(homes)
    registry._look.cache_clear()


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    return Command(monkeypatch, capfd)


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """put("a/b"): a copy of the game in that folder, which is called by it, or name="x".

    text: what its `__init__.py` says instead. like: another game.
    """

    def make(
        place: str, *, name: str | None = None, text: str = "", like: Path = GOOFSPIEL
    ) -> Path:
        folder = tmp_path / place
        shutil.copytree(like, folder, ignore=shutil.ignore_patterns("__pycache__"))
        if name is not None:
            edit(folder / "__init__.py", "__name__,", f'__name__, name="{name}",')
        if text:
            (folder / "__init__.py").write_text(text, encoding="utf-8")
        return folder

    return make


def edit(file: Path, old: str, new: str) -> None:
    """Changes what stands once in a file."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands once in {file}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def install(folder: Path, name: str = "goofspiel", package: str = "goofspiel") -> None:
    """What pip would leave in a folder of sys.path, beside the package."""
    about = folder / f"{package}-1.2.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS.format(name=name, package=package))


def elsewhere(code: str, *words: str, cwd: Path, **env: str) -> str:
    """What Python says in another process."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- installed -----------------------------------------------------------------------------------
def test_an_installed_game_is_found_by_its_name(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("site/goofspiel")
    install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert bb.games() == [*registry.NAMES, "goofspiel"]
    rules = bb.load("goofspiel", players=3)
    assert rules.game.package == "goofspiel"
    assert pickle.loads(pickle.dumps(rules)).game is rules.game
    assert parcel("goofspiel") == Parcel("goofspiel", ""), "it is sent by its name"
    assert registry.command_for(rules.game) == "battlebox"


def test_the_folder_of_an_installed_game_is_the_same_game(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = put("site/goofspiel")
    install(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert bb.load(str(folder)).game is bb.load("goofspiel").game
    assert registry.faults() == []


def test_an_entry_point_has_the_name_of_its_game(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("site/goofspiel")
    install(tmp_path / "site", name="gops")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert bb.games() == [*registry.NAMES]
    assert registry.faults() == [
        "the installed package goofspiel 1.2: registered as gops, but its GAME is called goofspiel"
    ]


def test_a_package_that_is_not_installed_elsewhere_is_named() -> None:
    with pytest.raises(RulesetError, match="the package goofspiel_x is not installed here"):
        Parcel("goofspiel_x", "").open()


# ---- folders -------------------------------------------------------------------------------------
def test_a_folder_is_loaded_by_its_path(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("mine/goofspiel")
    monkeypatch.chdir(tmp_path / "mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    games = {
        id(bb.load(path, cards=4).game)
        for path in ("./goofspiel", "~/mine/goofspiel", tmp_path / "mine" / "goofspiel", ".")
    }
    assert len(games) == 1
    assert bb.load("goofspiel").name == "goofspiel", "from then on it has its name"


def test_a_project_is_the_game_in_its_src() -> None:
    assert bb.load(PROJECT).game.folder == GOOFSPIEL


def test_a_folder_of_several_games_is_for_the_option(
    put: Put, tmp_path: Path, run: Command
) -> None:
    put("both/one"), put("both/two")
    with pytest.raises(RulesetError, match=r"several games; say one of .*one, .*two"):
        bb.load(tmp_path / "both")
    assert run("--games", str(tmp_path / "both"), "games", "two").out.startswith("two  Goofspiel")
    assert bb.games() == [*registry.NAMES, "one", "two"]
    assert os.environ[registry.FOLDERS] == str(tmp_path / "both"), "child processes have it, too"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("./nothing", "there is no such folder"),
        ("./empty", r"no game in it: no rules\.py"),
    ],
)
def test_folders_without_a_game(
    word: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RulesetError, match=said):
        bb.load(word)
    assert run("--games", word, "games").status == 2
    monkeypatch.setenv(registry.FOLDERS, word)
    assert bb.games() == [*registry.NAMES], "in the environment it stops nothing"
    assert [x.partition(":")[0] for x in registry.faults()] == [word]


def test_a_folder_has_one_package_name_in_all_processes(put: Put, tmp_path: Path) -> None:
    """It does not depend on the current folder, and another folder has another name."""
    put("a/goofspiel"), put("b/goofspiel")
    code = "import sys, battlebox as bb; print(bb.load(sys.argv[1]).game.package)"
    names = [
        elsewhere(code, path, cwd=tmp_path / folder)
        for path, folder in (
            ("./goofspiel", "a"),
            ("../a/goofspiel", "b"),
            ("./goofspiel", "b"),
        )
    ]
    assert names[0] == names[1]
    assert names[0] != names[2]


def test_a_folder_needs_no_init(put: Put, tmp_path: Path) -> None:
    """It is called by its folder, here and where it is sent."""
    folder = put("mine/beasts", like=TEMPLATE)
    (folder / "__init__.py").unlink()
    rules = bb.load(folder, rounds=1)
    assert (rules.name, rules.game.title) == ("beasts", "High card")
    (tmp_path / "rules").write_bytes(pickle.dumps(rules))
    shutil.rmtree(folder)
    played = rules.match(seed=7)
    while not played.over:
        played.submit(played.to_act or 0, played.legal_actions[-1])
    said = elsewhere(PLAY, str(tmp_path / "rules"), cwd=tmp_path).split()
    assert said[:3] == [rules.digest, played.digest(), rules.game.package]


LINE = '''"""Line: say numbers, no one twice. The last one wins."""

from battlebox.authoring import (
    Domain,
    Events,
    Field,
    IntEnum,
    Options,
    Record,
    Resolved,
    Row,
    StateRecord,
    allow,
    event,
    move,
    n8,
    public,
    rule,
    size,
    tell,
)

NUMBERS = size("numbers", 3)


class Phase(IntEnum):
    """What is decided."""

    START = 0
    SAY = 1
    OVER = 2


class Number(Domain, n=NUMBERS, first=1):
    """What can be said."""


class Event(Events):
    """What players are told."""

    SAID = event("seat", "number")


class Table(Record):
    """The numbers of a ruleset."""

    numbers = n8()


class State(StateRecord):
    """The whole truth."""

    said = public(n8(NUMBERS))
    count = public(n8())


class LineOptions(Options):
    """How it is played."""

    players: int = Field(2, ge=2, le=2)
    numbers: int = Field(3, ge=2, le=20)


def resolve(o: LineOptions) -> Resolved:
    """More numbers than usual need larger records."""
    return Resolved({"numbers": o.numbers} if o.numbers > 3 else {}, {"numbers": o.numbers})


@rule
def advance(t: Table, s: State) -> None:
    """Seat 0 begins."""
    if s.phase == Phase.START:
        s.phase = Phase.SAY


@move(Phase.SAY)
def say(t: Table, s: State, number: Number) -> None:
    """One more is said."""
    s.said[number] = 1
    s.count += 1
    tell(s, Event.SAID, s.to_act, number)
    if s.count == t.numbers:
        s.phase = Phase.OVER
    else:
        s.to_act = 1 - s.to_act


@allow(say)
def may_say(t: Table, s: State, number: Number) -> bool:
    """One that nobody has said."""
    return number < t.numbers and s.said[number] == 0


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """Who said the last one has won."""
    for p in range(2):
        out[p] = 1 if p == (s.count - 1) % 2 else -1
'''


def test_sizes_are_imported_from_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "line"
    folder.mkdir()
    (folder / "rules.py").write_text(LINE, encoding="utf-8")
    (folder / "README.md").write_text("# Line\n", encoding="utf-8")
    usual, large = bb.load(folder), bb.load(folder, numbers=20)
    assert usual.match(seed=1).legal_words() == ["say:1", "say:2", "say:3"]
    assert large.match(seed=1).legal_words() == [f"say:{n}" for n in range(1, 21)]
    assert large.game is not usual.game
    assert large.game.base is usual.game
    again = pickle.loads(pickle.dumps(large))
    assert again.game is large.game
    assert again.digest == large.digest
    assert registry.command_for(large.game) == f"battlebox --games {folder}"


# ---- what is refused -----------------------------------------------------------------------------
BROKEN = {
    "raises": ("1 / 0", r"ZeroDivisionError: division by zero \(.*raises.{file}:1\)"),
    "syntax": ("\ndef (", r"SyntaxError: invalid syntax \(.*syntax.{file}:2\)"),
    "imports": ("import nothing_like_it", r"No module named 'nothing_like_it' \(.*{file}:1\)"),
    "exits": ("raise SystemExit(3)", r"SystemExit: 3 \(.*exits.{file}:1\)"),
    "none": ("", r"__init__\.py: no GAME in it; write GAME = game_of\(__name__\)"),
    "other": ("GAME = 5", r"__init__\.py: its GAME is 5; write GAME = game_of\(__name__\)"),
    "bare": ("", r"rules\.py: begin with a line that says what the game is called"),
    "nobody": ('"""Nobody: a game."""', r"rules\.py: say how many play: SEATS = 2"),
    "empty": ('"""Empty: a game."""\nSEATS = 2', r"rules\.py:1: no State; write class State"),
}
IN_RULES = ("bare", "nobody", "empty")  # what only rules.py can get wrong
IN_INIT = ("none", "other")  # and only __init__.py


@pytest.mark.parametrize(
    ("kind", "file"),
    [(x, "rules.py") for x in BROKEN if x not in IN_INIT]
    + [(x, "__init__.py") for x in BROKEN if x not in IN_RULES],
)
def test_a_broken_game_is_named_and_left_out(
    kind: str, file: str, tmp_path: Path, put: Put, run: Command
) -> None:
    """Beside rules that are as they should be, or in rules without `__init__.py`."""
    put("games/goofspiel")
    code, said = BROKEN[kind]
    if file == "rules.py":
        (tmp_path / "games" / kind).mkdir()
    else:
        put(f"games/{kind}", like=TEMPLATE)
    (tmp_path / "games" / kind / file).write_text(code)
    with pytest.raises(GameError, match=said.replace("{file}", re.escape(file))):
        bb.load(tmp_path / "games" / kind)
    listed = run("--games", str(tmp_path / "games"), "games")
    assert listed.status == 0
    assert [x.split()[0] for x in listed.out.splitlines() if "  " in x] == bb.games()
    assert bb.games() == [*registry.NAMES, "goofspiel"]
    assert listed.err.startswith(f"Left out: {tmp_path / 'games' / kind}: ")


def test_a_game_whose_rules_cannot_be_built_is_named(put: Put) -> None:
    folder = put("goofspiel")
    edit(folder / "rules.py", "    s.offer_size = 0\n", "    s.offers = 0\n")
    with pytest.raises(GameError, match=r"rules\.py:\d+: clear: s\.offers is not a field"):
        bb.load(folder)


def test_a_game_without_rules_for_people_is_refused(put: Put) -> None:
    folder = put("goofspiel")
    (folder / "README.md").unlink()
    with pytest.raises(GameError, match=r"README\.md:1: the file is missing; it says the rules"):
        bb.load(folder)
    assert bb.games() == [*registry.NAMES]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("war_zone", "called war_zone, but so is the game of battlebox itself"),
        ("My Game", "called 'My Game': use small letters, digits and _"),
        ("", "called '': use small letters"),
    ],
)
def test_names_that_no_game_of_others_can_have(name: str, said: str, put: Put) -> None:
    with pytest.raises(GameError, match=said):
        bb.load(put("game", name=name))
    assert bb.load("war_zone").game.package == "battlebox.games.war_zone"


def test_a_game_may_have_another_name_than_its_folder(put: Put) -> None:
    """Its positions begin with it."""
    rules = bb.load(put("game", name="gops"), cards=3)
    assert rules.name == "gops"
    position = rules.match(seed=1).write_position()
    assert position.startswith("gops n=2 ")
    assert rules.match(seed=1, position=position).write_position() == position


def test_the_second_of_two_games_of_a_name_is_refused(put: Put, tmp_path: Path) -> None:
    first, second = put("a/goofspiel"), put("b/goofspiel")
    assert bb.load(first).game.folder == first
    with pytest.raises(GameError) as told:
        bb.load(second)
    assert str(told.value) == (f"{second}: called goofspiel, but so is the game of {first}")
    assert bb.load("goofspiel").game.folder == first


def test_a_path_is_refused_where_another_folder_has_the_name(
    put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = put("a/goofspiel"), put("b/goofspiel")
    monkeypatch.setenv(registry.FOLDERS, str(first))
    with pytest.raises(GameError, match=f"so is the game of {first}"):
        bb.load(second)


def test_an_error_deep_in_a_library_names_the_line_of_the_game(put: Put) -> None:
    folder = put("goofspiel")
    edit(folder / "options.py", "ge=2, le=4", 'ge=2, le="four"')
    with pytest.raises(GameError, match=r"\(.*/goofspiel/options\.py:\d+\)"):
        bb.load(folder)


@pytest.mark.parametrize("word", ["~nobody_of_that_name/x", "./a\0b"])
def test_paths_that_can_be_none(word: str) -> None:
    with pytest.raises(RulesetError):
        bb.load(word)


@pytest.mark.parametrize("said", ["2", "2, ge=2", "2, le=4", "ge=2, le=4"])
def test_players_need_bounds(said: str, put: Put) -> None:
    folder = put("goofspiel")
    edit(folder / "options.py", "Field(2, ge=2, le=4,", f"Field({said},")
    with pytest.raises(GameError, match=r"options\.py:\d+: players needs bounds and a default"):
        bb.load(folder)


# ---- commands ------------------------------------------------------------------------------------
def test_every_command_takes_a_folder(run: Command, tmp_path: Path) -> None:
    """Those that need nothing compiled."""
    kept = tmp_path / "a.match"
    game, with_games = str(PROJECT), ("--games", str(PROJECT))
    assert "ties" in run("games", game).out
    assert json.loads(run("games", game, "--json").out)[0]["name"] == "goofspiel"
    shown = run("scenario", game, str(GOOFSPIEL / "scenarios.scn"), "--quiet")
    assert (shown.status, shown.out) == (0, "7 passed, 0 failed\n")
    assert "goofspiel has no decks" in run("deck", game).err
    shown = run("watch", game, "cards=3", "--bots", "random", "--pace", "0", "--seed", "1")
    assert shown.status == 0
    assert " wins." in shown.out or "A draw." in shown.out
    words = ("--seats", "random,random", "--save", str(kept), "--seed", "1")
    assert run("play", game, "cards=3", "players=2", *words).status == 0
    named = run(*with_games, "verify", str(kept))
    assert (named.status, named.out[:8]) == (0, "Verified")
    assert run(*with_games, "replay", str(kept), "--all").status == 0
    words = ("random", "random", "cards=3", "--matches", "4", "--workers", "2")
    assert "of 4 matches" in run("arena", game, *words).out
    assert run(*with_games, "arena", "goofspiel", *words).status == 0


def test_a_path_with_an_equals_sign_is_no_option(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    put("cards=4/goofspiel")
    monkeypatch.chdir(tmp_path)
    words = ("cards=3", "--bots", "random", "--pace", "0", "--seed", "1")
    shown = run("watch", "./cards=4/goofspiel", *words)
    assert shown.status == 0
    assert " wins." in shown.out or "A draw." in shown.out


def test_what_is_said_to_come_back_names_the_folder(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: (_ for _ in ()).throw(EOFError))
    said = run("play", str(PROJECT), "--bots", "random", "--save", str(tmp_path / "a.match"))
    assert f"battlebox --games {GOOFSPIEL} play --resume" in said.out.replace("\n", "")


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.xdist_group("goofspiel")
def test_commands_that_compile_take_a_folder(run: Command, tmp_path: Path) -> None:
    kept, game = tmp_path / "a.match", str(PROJECT)
    words = ("--seats", "easy,random", "--save", str(kept), "--seed", "1")
    assert run("play", game, "cards=3", *words).status == 0
    assert "Seat 0: turning points" in run("--games", game, "review", str(kept), "--all").out
    assert "decisions/s" in run("bench", game, "cards=3", "--quick").out
    pytest.importorskip("matplotlib")
    page = tmp_path / "page.html"
    words = ("cards=3", "--matches", "20", "--bots", "easy", "--workers", "2", "--out", str(page))
    assert run("balance", game, *words).status == 0
    assert "Goofspiel" in page.read_text()
    pytest.importorskip("optuna")
    words = ("cards=3..5", "--target", "decisions=6", "--trials", "2", "--matches", "20")
    assert run("tune", game, *words, "--bots", "easy").status == 0


# ---- records -------------------------------------------------------------------------------------
def test_a_record_of_a_game_that_is_not_there_says_how_to_bring_it(
    run: Command, tmp_path: Path
) -> None:
    text = game_in(import_folder(GOOFSPIEL)).ruleset({"cards": 3}).match(seed=1).record()
    with pytest.raises(RecordError, match=r"line 2: no game 'goofspiel'.*--games DIR"):
        bb.replay(text)
    with pytest.raises(RecordError, match="line 2: no game"):
        bb.replay(text.replace("game goofspiel", f"game {GOOFSPIEL}"))
    (tmp_path / "a.match").write_text(text)
    assert "battlebox --games DIR" in run("replay", str(tmp_path / "a.match")).err
    assert run("--games", str(PROJECT), "verify", str(tmp_path / "a.match")).status == 0


# ---- other processes -----------------------------------------------------------------------------
PLAY = """
import pickle, sys
rules = pickle.load(open(sys.argv[1], "rb"))
m = rules.match(seed=7)
while not m.over:
    m.submit(m.to_act, m.legal_actions[-1])
print(rules.digest, m.digest(), rules.game.package, rules.game.folder)
"""


@pytest.mark.parametrize("what", ["there", "gone", "edited"])
def test_a_ruleset_plays_alike_in_another_process(what: str, put: Put, tmp_path: Path) -> None:
    """Its files go with it where the folder is gone, or has other files."""
    folder = put("mine/goofspiel")
    rules = bb.load(folder, players=3, cards=5)
    (tmp_path / "rules").write_bytes(pickle.dumps(rules))
    m = rules.match(seed=7)
    while not m.over:
        m.submit(m.to_act or 0, m.legal_actions[-1])
    if what == "gone":
        shutil.rmtree(folder)
    elif what == "edited":
        edit(folder / "rules.py", "s.points[winner] += worth", "pass")
    said = elsewhere(PLAY, str(tmp_path / "rules"), cwd=tmp_path).split()
    assert said[:3] == [rules.digest, m.digest(), rules.game.package]
    assert (said[3] == str(folder)) == (what == "there")
    assert what == "there" or not Path(said[3]).exists(), "its copy has gone with it"


def test_looks_and_what_python_has_compiled_are_not_sent(put: Put) -> None:
    folder = put("goofspiel")
    rules = bb.load(folder)
    sent = {path for path, _ in parcel(rules.game.package).files}
    assert {"rules.py", "README.md", "scenarios.scn"} <= sent
    assert not [x for x in sent if "__pycache__" in x or "theme" in x]


def test_a_folder_that_is_too_large_is_not_sent(put: Put) -> None:
    folder = put("goofspiel")
    rules = bb.load(folder)
    with (folder / "film.bin").open("wb") as file:
        file.truncate(packages.MOST + 1)
    with pytest.raises(GameError, match="more than 10,000,000 bytes"):
        pickle.dumps(rules)


# ---- the server ----------------------------------------------------------------------------------
@pytest.fixture
def server(tmp_path: Path, put: Put, monkeypatch: pytest.MonkeyPatch) -> Iterator[InThread]:
    """With Goofspiel, a game without looks, and one that is broken."""
    put("games/goofspiel")
    shutil.rmtree(put("games/plain") / "theme")
    put("games/broken", text="1 / 0")
    monkeypatch.setenv(registry.FOLDERS, str(tmp_path / "games"))
    with in_thread(tmp_path / "server") as running:
        yield running


def test_the_server_has_the_games_it_was_started_with(
    server: InThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = [g["name"] for g in server.ask("GET", "/api/games").json()]
    assert listed == ["goofspiel", "plain", *registry.NAMES], "what was added comes first"
    told = server.ask("GET", "/api/games/goofspiel/rules").json()
    assert 'id="GO-7"' in told["html"]
    made = server.make(["you", "random"], game="goofspiel", options={"cards": 4})
    assert server.room(made["id"]).match.rules.options_text == "players=2 cards=4"
    monkeypatch.chdir(tmp_path)
    for path in ("./games/goofspiel", "games/goofspiel", "~/goofspiel", "broken"):
        answer = server.ask("POST", "/api/matches", json={"game": path, "seats": ["you", "open"]})
        assert answer.status_code == 400
        assert "There is no game" in answer.text
        assert server.ask("GET", f"/api/games/{path}/rules").status_code == 404


def test_the_looks_of_a_game_come_from_its_folder(server: InThread, tmp_path: Path) -> None:
    own = server.ask("GET", "/web/theme/war_zone.js")
    for name, kind in (("goofspiel.js", "text/javascript"), ("goofspiel.css", "text/css")):
        answer = server.ask("GET", f"/web/theme/{name}")
        assert answer.status_code == 200
        assert answer.text == (GOOFSPIEL / "theme" / name).read_text()
        assert answer.headers["content-type"].startswith(kind)
        for header in ("content-security-policy", "x-content-type-options", "cache-control"):
            assert answer.headers[header] == own.headers[header]
    bare = server.ask("GET", "/web/theme/plain.js")
    assert (bare.status_code, "export default { isPlain: true }" in bare.text) == (200, True)
    assert server.ask("GET", "/web/theme/plain.css").status_code == 404
    assert server.ask("GET", "/web/theme/chess.js").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "goofspiel.py",
        "goofspiel/../rules.py",
        "goofspiel.%2e%2e/rules.py",
        "goofspiel..%2frules.py",
        "goofspiel-%2e%2e%2f%2e%2e%2f__init__.py",
        "goofspiel-secret.txt",
        "goofspiel-link.js",
        "goofspiel.%5c..%5crules.py",
        "broken.js",
    ],
)
def test_nothing_else_comes_from_its_folder(path: str, server: InThread, tmp_path: Path) -> None:
    theme = tmp_path / "games" / "goofspiel" / "theme"
    (theme / "goofspiel-secret.txt").write_text("secret")
    (theme / "goofspiel.py").write_text("secret")
    (tmp_path / "outside.js").write_text("secret")
    (theme / "goofspiel-link.js").symlink_to(tmp_path / "outside.js")
    answer = server.ask("GET", f"/web/theme/{path}")
    assert answer.status_code == 404


def test_a_match_of_it_is_joined_at_a_terminal(server: InThread) -> None:
    meet = Meet(server, "you", "random", game="goofspiel", options={"cards": 4})
    guest = Guest(meet.seats[0], at_random(1))
    guest.done()
    assert guest.end is not None
    assert guest.end.reason == "rules"


def test_a_match_of_a_game_that_is_gone_is_no_damage(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Command
) -> None:
    put("games/goofspiel")
    monkeypatch.setenv(registry.FOLDERS, str(tmp_path / "games"))
    with in_thread(tmp_path / "server") as before:
        id = before.make(["you", "open"], game="goofspiel")["id"]
    monkeypatch.setenv(registry.FOLDERS, "")
    with in_thread(tmp_path / "server") as after:
        answer = after.ask("GET", f"/api/matches/{id}/record")
        assert answer.status_code == 409
        assert "the game goofspiel, which is not among the games here" in answer.text
    if ON_POSTGRES:
        return  # what is verified is SQLite's file
    said = run("verify", str(tmp_path / "server"))
    assert said.status == 0
    assert "1 of them cannot be replayed by the rules that are here" in said.out


@needs_postgres
def test_processes_of_a_server_have_the_same_games(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("games/goofspiel")
    put("games/broken", text="1 / 0")
    monkeypatch.setenv(registry.FOLDERS, str(tmp_path / "games"))
    database = the_server().new()
    with in_process(tmp_path / "server", workers=2, database=database) as running:
        for _ in range(4):  # each is that of one process
            made = running.make(["you", "open"], game="goofspiel")
            with Seat(running, made["id"], made["token"]) as seat:
                seat.hear_until("room")
                assert seat.room["title"] == "Goofspiel"
    assert len([x for x in running.lines if "A game is left out" in x and "broken" in x]) == 1


@pytest.mark.compiled
@pytest.mark.xdist_group("goofspiel")
def test_bots_of_a_game_that_cannot_be_compiled_play_at_random(
    put: Put, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def prepare(self: Room) -> None:
        raise RuntimeError("the rules cannot be compiled")

    put("games/goofspiel")
    monkeypatch.setenv(registry.FOLDERS, str(tmp_path / "games"))
    monkeypatch.setattr(Room, "prepare", prepare)
    with in_thread(tmp_path / "server") as running:
        made = running.make(["you", "easy"], game="goofspiel", options={"cards": 3})
        match = running.room(made["id"]).match
        with Seat(running, made["id"], made["token"]) as seat:
            assert seat.act("1", 0)["type"] == "ack"
            until(lambda: len(match.history) == 2)
    assert "it plays at random" in caplog.text


# ---- the example ---------------------------------------------------------------------------------
def test_the_example_registers_its_game() -> None:
    import tomllib

    about: Any = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert about["entry-points"][registry.GROUP] == {"goofspiel": "goofspiel"}
