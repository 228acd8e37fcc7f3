"""Games from outside: installed packages, folders; what is refused, and what takes them."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from serving import in_thread
from typer.testing import CliRunner

import battlebox as bb
from battlebox.cli import app
from battlebox.core import folders, shelf
from battlebox.core.errors import GameError, RecordError, RulesetError
from battlebox.core.shelf import Shelf
from battlebox.games import SHELF

TEMPLATE = Path(bb.__file__).parent / "template"
PYTHON = [sys.executable, "-m", "battlebox"]
Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """make("high"): the folder of such a game; edits are of its rules."""
    monkeypatch.setenv(shelf.VARIABLE, "")
    made = list[str]()

    def new(name: str, *edits: tuple[str, str], into: Path = tmp_path) -> Path:
        shutil.copytree(TEMPLATE, into / name, ignore=shutil.ignore_patterns("__pycache__"))
        rules = into / name / "rules.py"
        text = rules.read_text()
        for old, new_text in edits:
            assert text.count(old) == 1
            text = text.replace(old, new_text)
        rules.write_text(text)
        made.append(name)
        return into / name

    yield new
    for name in made:
        folders.forget(f"{folders.HOME}.{name}")
        folders.forget(name)


@pytest.fixture
def of_battlebox(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """The shelf that all commands use, as if nothing had been looked for yet."""
    fresh = Shelf(SHELF.own)
    monkeypatch.setattr(SHELF, "_sources", None)
    monkeypatch.setattr(SHELF, "_games", fresh._games)
    monkeypatch.setattr(SHELF, "_broken", fresh._broken)
    return SHELF


OWN = {"war_zone": "battlebox.games.war_zone"}


# ---- folders -------------------------------------------------------------------------------------
def test_a_folder_is_loaded_by_its_path(make: Make, of_battlebox: Shelf) -> None:
    rules = bb.load(str(make("hares")), players=3)
    assert rules.name == "hares"
    assert bb.games()[-1] == "hares"
    m = rules.match(1)
    m.submit(0, "keep")
    assert bb.replay(m.record()).digest() == m.digest()


def test_a_folder_needs_no_more_than_rules(make: Make) -> None:
    folder = make("hares")
    for name in ("__init__.py", "scene.py", "options.py", "scenarios.scn"):
        (folder / name).unlink()
    with pytest.raises(GameError, match=r"Table\.rounds: no option|no option is called rounds"):
        Shelf(OWN).open(str(folder)).ruleset({"players": 4})


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("./nowhere", "./nowhere: no game is there: there is no such folder"),
        (".", "no game is there: it has no rules.py"),
        ("hares", "no game 'hares'; known: war_zone (one of your own is named by its folder"),
        ("war_zne", "no game 'war_zne'; did you mean 'war_zone'?"),
    ],
)
def test_what_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(shelf.VARIABLE, "")
    with pytest.raises(RulesetError) as e:
        Shelf(OWN).open(word)
    assert says in str(e.value)


def test_a_name_that_is_taken_is_refused(make: Make, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    games = Shelf(OWN)
    first = games.open(str(make("hares")))
    games.add(make("war_zone"))
    games.add(make("hares", into=tmp_path / "more"))
    assert games.find("hares") is first
    wrong = "\n".join(games.broken.values())
    assert f"{tmp_path / 'war_zone'}: the name war_zone belongs to a game of battlebox" in wrong
    assert f"{tmp_path / 'more' / 'hares'}: there is another game called hares, " in wrong
    assert games.names == ["war_zone", "hares"]


BROKEN = {
    "a name that is missing": ("    s.round += 1\n", "    s.round += step\n", "rules.py"),
    "a text that is no Python": ("class Table(Record):", "class Table(Record", "rules.py"),
    "a rule that is none": ("s.deck_size = CARDS", "s.decksize = CARDS", "s.decksize"),
    "a module that is not there": ("SEATS = 4", "import nowhere_at_all\n\nSEATS = 4", "nowhere"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_game_is_named_and_left_out(make: Make, tmp_path: Path, what: str) -> None:
    old, new, says = BROKEN[what]
    make("hares")
    make("foxes", (old, new))
    games = Shelf(OWN)
    games.add(tmp_path)
    assert games.names == ["war_zone", "hares"]
    (wrong,) = games.broken.values()
    assert "foxes" in wrong
    assert says in wrong
    with pytest.raises(RulesetError, match="foxes"):
        games.find("foxes")


# ---- packages ------------------------------------------------------------------------------------
def test_an_installed_package_is_found(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("hares")
    for name, value in {"hares": "hares", "otters": "otters", "foxes": "hares"}.items():
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[battlebox.games]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    games = Shelf(OWN)
    assert games.names[:1] == ["war_zone"]
    assert "hares" in games.names
    assert games.find("hares").package == "hares"
    assert "No module named 'otters'" in games.broken["otters"]
    assert "it calls itself hares, and is registered as foxes" in games.broken["foxes"]
    assert games.open(str(tmp_path / "hares")) is games.find("hares"), "the same, by its folder"


# ---- other processes -----------------------------------------------------------------------------
def in_another_process(tmp_path: Path, data: bytes, **more: str) -> str:
    """What another process finds in a pickled ruleset."""
    (tmp_path / "rules.pickle").write_bytes(data)
    code = (
        "import pickle, sys; r = pickle.load(open(sys.argv[1], 'rb'));"
        "m = r.match(1); m.submit(0, 'keep'); print(r, m.digest(), r.game.folder)"
    )
    env = os.environ | {"BATTLEBOX_CACHE": str(tmp_path / "cache"), **more}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "rules.pickle")],
        capture_output=True,
        text=True,
        env=env,
        check=False,
    )
    return done.stdout or done.stderr


def test_a_ruleset_travels_to_another_process(make: Make, tmp_path: Path) -> None:
    folder = make("hares")
    rules = Shelf(OWN).open(str(folder)).ruleset({"players": 3})
    m = rules.match(1)
    m.submit(0, "keep")
    found = in_another_process(tmp_path, pickle.dumps(rules))
    assert found.split() == ["<hares", "players=3>", m.digest(), str(folder)]


def test_it_travels_to_where_its_folder_is_not(make: Make, tmp_path: Path) -> None:
    folder = make("hares")
    rules = Shelf(OWN).open(str(folder)).ruleset({})
    m = rules.match(1)
    m.submit(0, "keep")
    data = pickle.dumps(rules)
    shutil.rmtree(folder)
    home = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    found = in_another_process(tmp_path, data, **home)
    assert m.digest() in found
    assert str(folder) not in found


# ---- commands ------------------------------------------------------------------------------------
def run(*words: str) -> Any:
    return CliRunner().invoke(app, words, env={"COLUMNS": "200"})


def test_commands_take_a_folder(make: Make, of_battlebox: Shelf) -> None:
    folder = make("hares")
    done = run("games", str(folder))
    assert "hares" in done.output
    assert "how many rounds" not in done.output
    assert "this many are played" in done.output
    done = run("scenario", str(folder), str(folder / "scenarios.scn"))
    assert "is well formed" not in done.output
    assert done.exit_code == 1  # its positions are those of high_card


def test_a_folder_of_games_comes_with_an_option(
    make: Make, tmp_path: Path, of_battlebox: Shelf
) -> None:
    make("hares")
    make("foxes", ("s.deck_size = CARDS", "s.decksize = CARDS"))
    done = run("--games", str(tmp_path), "games")
    assert done.exit_code == 0
    assert "hares" in done.output
    assert "left out: foxes cannot be played" in done.output
    assert os.environ[shelf.VARIABLE] == str(tmp_path)
    done = run("--games", str(tmp_path / "nowhere"), "games")
    assert "no game is there: there is no such folder" in str(done.exception)


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_a_tournament_takes_it_in_other_processes(make: Make, tmp_path: Path) -> None:
    words = ["arena", str(make("hares")), "random", "random", "--matches", "4", "--workers", "2"]
    done = subprocess.run(
        [*PYTHON, *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert "of 4 matches" in done.stdout, done.stderr


def test_a_record_of_a_game_that_is_not_there_says_how_to_bring_it(
    make: Make, of_battlebox: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    m = Shelf(OWN).open(str(make("hares"))).ruleset({}).match(1)
    monkeypatch.setenv(shelf.VARIABLE, "")
    with pytest.raises(RecordError) as e:
        bb.replay(m.record())
    assert "no game 'hares'" in str(e.value)
    assert "--games DIR" in str(e.value)


# ---- the server ----------------------------------------------------------------------------------
def test_a_server_lists_and_plays_it(make: Make, tmp_path: Path, of_battlebox: Shelf) -> None:
    folder = make("hares")
    (folder / "theme").mkdir()
    (folder / "theme" / "hares.js").write_text("export default { emblem: 'hare' }\n")
    (folder / "secret.txt").write_text("not for the net")
    of_battlebox.add(folder)
    with in_thread(tmp_path / "data") as server, httpx.Client(base_url=server.url) as net:
        listed = {g["name"]: g for g in net.get("/api/games").json()}
        assert listed["hares"]["players"] == [2, 4]
        assert "HC-1" in net.get("/api/games/hares/rules").json()["rules"]
        theme = net.get("/web/theme/hares.js")
        assert "hare" in theme.text
        assert "javascript" in theme.headers["content-type"]
        assert net.get("/web/theme/war_zone.js").status_code == 200
        for path in ("hares.py", "..%2Frules.py", "%2e%2e/secret.txt", "....//secret.txt"):
            assert net.get(f"/web/theme/{path}").status_code == 404
        seats = ["you", "random"]
        made = net.post("/api/matches", json={"game": "hares", "seats": seats, "name": "Ada"})
        assert made.status_code in (200, 201), made.text
        other = net.post("/api/matches", json={"game": str(folder), "seats": seats, "name": "A"})
        assert other.status_code == 400
