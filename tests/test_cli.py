"""The command line: what it says, where, and with which exit status."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest
from serving import PATIENCE, until

import battlebox as bb
from battlebox import cli
from battlebox.bots.review import review
from battlebox.core.errors import BattleboxError
from battlebox.games import find

NAMES = ["play", "watch", "replay", "review", "scenario", "games", "deck", "arena", "bench"]
NAMES += ["new-game", "check", "verify", "backup", "migrate", "exploit"]
SCENARIO = """\
scenario {id} pass  [WZ-17]
position wz1 n=2 hs=3 ph=ATTACK turn=0 hand0=IF.RE.BW hand1=GM.MG.AR deck=TA.SN.FL.PG
do 0 pass
expect to_act={seat}:CYCLE
"""


class Said(NamedTuple):
    """What a command wrote, and its exit status."""

    status: int
    out: str
    err: str


class Command:
    """Runs `battlebox` in this process, as `main` does."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capfd = monkeypatch, capfd

    def __call__(self, *words: str) -> Said:
        self.monkeypatch.setattr(sys, "argv", ["battlebox", *words])
        self.capfd.readouterr()
        status = 0
        try:
            cli.main()
        except SystemExit as e:
            status = e.code if isinstance(e.code, int) else 1 if e.code else 0
        return Said(status, *self.capfd.readouterr())


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> Command:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "100")
    return Command(monkeypatch, capfd)


# ---- help and version ----------------------------------------------------------------------------
def test_version(run: Command) -> None:
    assert run("--version") == Said(0, f"battlebox {bb.__version__}\n", "")


def test_help_names_every_command(run: Command) -> None:
    said = run("--help")
    assert said.status == 0
    assert [n for n in NAMES if re.search(rf"\b{n}\b", said.out)] == NAMES


@pytest.mark.parametrize("command", ["play", "watch", "arena"])
def test_help_names_every_level(run: Command, command: str) -> None:
    text = " ".join(run(command, "--help").out.replace("│", " ").split())
    assert ", ".join(bb.LEVELS) in text


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_help_text(run: Command, name: str) -> None:
    said = run(name, "--help")
    assert said.status == 0
    assert f"battlebox {name}" in said.out
    assert said.err == ""


def test_without_a_command_it_serves(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[dict[str, object]] = []
    ended: list[int] = []
    monkeypatch.setattr("battlebox.server.serve.serve", lambda **how: served.append(how))
    monkeypatch.setattr("os._exit", ended.append)
    words = ["--no-browser", "--port", "8765", "--data", "here", "--host", "0.0.0.0"]
    assert run(*words, "--workers", "2", "--keep", "30").status == 0
    assert served == [
        {
            **{"lan": False, "host": "0.0.0.0", "port": 8765},
            **{"data": Path("here"), "database": "", "browser": False},
            **{"public_url": "", "trusted_proxy": "", "workers": 2, "keep_days": 30},
            "log_format": "text",
        }
    ]
    assert ended == [0]


def test_options_of_the_server_are_no_options_of_commands(run: Command) -> None:
    said = run("--port", "8765", "games")
    assert said.status == 2
    assert (
        "--port belongs to `battlebox` itself, not to `battlebox games`: leave it out" in said.err
    )


@pytest.mark.parametrize("port", ["65536", "-1", "x"])
def test_ports_that_are_none(run: Command, port: str) -> None:
    assert run("--port", port).status == 2


# ---- games ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", bb.games())
def test_options_are_shown_with_their_names_and_groups(run: Command, name: str) -> None:
    """That all have them is a check of every game."""
    said = run("games", name).out
    for about in find(name).options.model_json_schema()["properties"].values():
        assert about["title"].split()[0] in said
        assert about.get("group", "") in said


@pytest.mark.parametrize("name", bb.games())
def test_the_options_of_a_match_are_said_as_people_call_them(name: str) -> None:
    game = find(name)
    for field, about in game.options.model_json_schema()["properties"].items():
        if field == "players":
            continue
        for value in about.get("enum", ["false", "true"] if about["type"] == "boolean" else []):
            rules = game.ruleset({field: value}, strings=True)
            said = rules.options_in_words
            assert re.match(r"\d+ players", said)
            assert not re.search(r"[_=]|true|false", said), said
            assert (f"; {about['title']}: " in said) == (f"{field}={value}" in rules.options_text)


def test_numbers_with_a_name_and_decks_from_files_are_said_too() -> None:
    war_zone = find("war_zone")
    deck = (war_zone.folder / "decks" / "warzone-half.toml").read_text(encoding="utf-8")
    rules = war_zone.ruleset({"starter": 1, "hand_size": 7, "deck": deck})
    said = "2 players; Deck: from a file; Cards in hand: 7; First player: seat B"
    assert rules.options_in_words == said


def test_games_lists_all(run: Command) -> None:
    said = run("games")
    assert said.status == 0
    for name in bb.games():
        assert re.search(rf"(?m)^{name}\b", said.out)


@pytest.mark.parametrize("name", bb.games())
def test_a_game_is_shown_with_all_its_options(run: Command, name: str) -> None:
    said = run("games", name)
    assert said.status == 0
    for option in find(name).options.model_fields:
        assert re.search(rf"(?m)^{option}\b", said.out), option


def test_games_as_json(run: Command) -> None:
    said = run("games", "--json")
    assert said.status == 0
    found = json.loads(said.out)
    assert [g["name"] for g in found] == bb.games()
    for g in found:
        assert set(g["options"]["properties"]) == set(find(g["name"]).options.model_fields)
        defaults = {k: v["default"] for k, v in g["options"]["properties"].items()}
        assert bb.load(g["name"], **defaults).digest == bb.load(g["name"]).digest
        assert g["version"] == find(g["name"]).version
    assert json.loads(run("games", bb.games()[0], "--json").out) == found[:1]


# ---- scenarios -----------------------------------------------------------------------------------
def test_scenarios_that_pass(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.scn"
    path.write_text(SCENARIO.format(id="A", seat=0) + SCENARIO.format(id="B", seat=0))
    said = run("scenario", "war_zone", str(path))
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == ["passed A pass", "passed B pass", "2 passed, 0 failed"]
    assert run("scenario", "war_zone", str(path), "--quiet").out == "2 passed, 0 failed\n"


def test_scenarios_that_fail(run: Command, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.scn", tmp_path / "bad.scn"
    good.write_text(SCENARIO.format(id="A", seat=0))
    bad.write_text(SCENARIO.format(id="B", seat=1))
    said = run("scenario", "war_zone", str(bad), str(good), "--quiet")
    assert said.status == 1
    assert said.out.splitlines()[0] == "FAILED B pass"
    assert f"{bad}: line 4: to_act: expected 1:CYCLE, found 0:CYCLE" in said.out
    assert said.out.splitlines()[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("name", bb.games())
def test_the_scenarios_of_every_game_pass(run: Command, name: str) -> None:
    said = run("scenario", name, str(find(name).folder / "scenarios.scn"), "--quiet")
    assert said.status == 0
    assert re.fullmatch(r"[1-9]\d* passed, 0 failed\n", said.out)


# ---- errors: one line, exit status 2 -------------------------------------------------------------
@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files that are not what they should be, by name."""
    m = bb.load("war_zone").match(seed=1)
    m.submit(m.to_act, m.legal_words()[0])
    deck = find("war_zone").decks["warzone-default"].read_bytes()
    contents = {
        "empty": b"",
        "begun": m.fresh_copy().record().encode(),
        "whole": m.record().encode(),
        "bytes": bytes(range(256)),
        "short": m.record().encode()[:-20],
        "edited": m.record().replace("do 0 ", "do 1 ").encode(),
        "text": b"hello\n",
        "text.py": b"hello there\n",
        "twice": (SCENARIO.format(id="A", seat=0) * 2).encode(),
        "deck.toml": deck.replace(b"damage = 5", b"damage = -5", 1),
        "colours.toml": deck.replace(b'"War Zone"', b'"\\u001b[31mred"'),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "folder").mkdir()
    return {name: str(tmp_path / name) for name in [*contents, "folder", "missing"]}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("games chess", "no game 'chess'"),
        ("games warzone", "did you mean 'war_zone'"),
        ("games chess --json", "no game 'chess'"),
        ("play chess", "no game 'chess'"),
        ("play war_zone player=3", "did you mean 'players'"),
        ("play war_zone players=9", "players"),
        ("play war_zone players=two", "players"),
        ("play war_zone players", "write name=value"),
        ("play war_zone deck={missing}", "missing"),
        ("play war_zone deck={deck.toml}", "damage -5; 0 to 999"),
        ("play war_zone --people 3", "--people 3"),
        ("play war_zone --seats human", "seats"),
        ("play war_zone --seats human,nobody", "nobody"),
        ("play war_zone --bots nobody", "nobody"),
        ("play war_zone --seed -1", "seed"),
        ("play players=9", "players"),
        ("play players=2 players=3", "given twice"),
        ("play --resume last --seed 1", "--resume"),
        ("play players=3 --resume last", "--resume"),
        ("play --resume last --bots easy", "you can add only --seats"),
        ("play war_zone --seats human,none.py", "none.py: No such file"),
        ("watch war_zone --bots none.py:Bot", "none.py: No such file"),
        ("arena war_zone random none.py", "none.py: No such file"),
        ("arena war_zone random {text.py}", "{text.py}: the file raised SyntaxError"),
        ("arena war_zone random none.txt", "no bot 'none.txt'"),
        ("play --seats human,easy --bots hard", "--seats"),
        ("play --seats human,easy --people 2", "--seats"),
        ("play --resume {bytes}", "{bytes}"),
        ("play war_zone deck={colours.toml}", "printed"),
        ("watch war_zone --seats human,easy", "battlebox play"),
        ("arena war_zone random random --seed -1", "seed"),
        ("play --save {text}", "{text}"),
        ("play --resume {missing}", "{missing}"),
        ("play --resume {text}", "line 1"),
        ("watch war_zone --seats random", "seats"),
        ("watch war_zone --bots nobody", "nobody"),
        ("watch war_zone --seed -1 --bots random", "seed"),
        ("watch war_zone --seed 99999999999999999999 --bots random", "seed"),
        ("replay {missing}", "{missing}"),
        ("replay {folder}", "{folder}"),
        ("replay {empty}", "line 1"),
        ("replay {bytes}", "{bytes}"),
        ("replay {short}", "line"),
        ("replay {edited}", "line"),
        ("replay {text}", "line 1"),
        ("review {missing}", "{missing}"),
        ("review {edited}", "line"),
        ("review {begun}", "nothing has been played yet"),
        ("review {whole} --seat 2", "there is no seat 2; seats are 0 .. 1"),
        ("scenario chess {text}", "no game 'chess'"),
        ("scenario war_zone {missing}", "{missing}: No such file"),
        ("scenario war_zone {folder}", "{folder}"),
        ("scenario war_zone {empty}", "no scenario"),
        ("scenario war_zone {text}", "line 1"),
        ("scenario war_zone {bytes}", "{bytes}"),
        ("scenario war_zone {twice}", "line 5"),
        ("arena war_zone random nobody", "nobody"),
        ("arena war_zone nobody random", "nobody"),
        ("arena chess random random", "chess"),
        ("arena war_zone random", "1 bots"),
        ("arena war_zone random so-ismcts:0", "so-ismcts:0"),
        (
            "arena war_zone random random --out {text}",
            "{text}: it is not a file of battlebox arena",
        ),
        ("arena war_zone random random --out {folder}", "{folder}"),
        ("arena war_zone random random --csv {missing}/a.csv", "no such folder"),
        ("arena war_zone random random players=6 easy --matches 2", "a deal of 3 bots has 3"),
        ("bench chess", "chess"),
    ],
)
def test_an_error_of_the_user_is_one_line(
    run: Command, files: dict[str, str], words: str, said: str
) -> None:
    def filled(text: str) -> str:
        return re.sub(r"\{([a-z.]+)\}", lambda m: files[m[1]], text)

    answer = run(*map(filled, words.split()))
    assert answer.status == 2
    assert answer.out == ""
    assert re.fullmatch(r"battlebox: [^\n]+\n", answer.err), answer.err
    assert filled(said) in answer.err
    named = [f for f in files.values() if f in answer.err]
    assert all(answer.err.count(f) == 1 for f in named), "a file is named once"


@pytest.mark.parametrize(
    "words",
    ["nonsense", "play --seed x", "watch --pace -1", "arena war_zone", "replay", "scenario"],
)
def test_a_wrong_command_line_is_explained(run: Command, words: str) -> None:
    said = run(*words.split())
    assert said.status == 2
    assert "Usage: battlebox" in said.err
    assert "Traceback" not in said.err


def test_an_error_tells_python_users_the_same() -> None:
    with pytest.raises(BattleboxError, match="no game 'chess'"):
        bb.load("chess")


# ---- watch, replay, arena ------------------------------------------------------------------------
def test_watch_tells_a_whole_match(run: Command) -> None:
    one, two = (
        run("watch", "war_zone", "--bots", "random", "--seed", "3", "--pace", "0") for _ in range(2)
    )
    assert one.status == 0
    assert one.err == ""
    assert "won" in one.out
    assert len(one.out.splitlines()) > 20
    assert two.out == one.out, "the same seed, the same match"


def test_replay_shows_a_saved_match(run: Command, tmp_path: Path) -> None:
    m = bb.load("war_zone", players=3).match(seed=5)
    while m.to_act is not None and len(m.history) < 20:
        m.submit(m.to_act, m.legal_words()[0])
    path = tmp_path / "saved"
    path.write_text(m.record(), encoding="utf-8")
    for more in ([], ["--seat", "1"]):
        said = run("replay", str(path), "--all", *more)
        assert said.status == 0
        assert said.err == ""
        assert len(said.out.splitlines()) > 10
    assert run("replay", str(path), "--seat", "3").status == 2


@pytest.mark.compiled
@pytest.mark.xdist_group("war_zone")
def test_review_tells_how_a_match_went(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As usual once; then, of other seats and in other forms, after less thought."""
    m = bb.load("war_zone", players=2, start_health=5).match(seed=5)
    while m.to_act is not None:
        m.submit(m.to_act, m.legal_words()[0])
    path = tmp_path / "saved"
    path.write_text(f"# seats: human easy\n{m.record()}", encoding="utf-8")
    said = run("review", str(path))
    assert said.status == 0
    assert " You: " in said.out
    assert "Seat 1 · easy: " in said.out
    assert said.out.count("Decisions") == 1
    quick = partial(review, simulations=60)
    monkeypatch.setattr(sys.modules["battlebox.terminal.review"], "judge", quick)
    other = run("review", str(path), "--seat", "1", "--all")
    assert "Seat 0 ·" not in other.out
    (found,) = json.loads(run("review", str(path), "--seat", "1", "--json").out)
    assert other.out.count("\n") > sum(x["best"] != "" for x in found["steps"])
    assert found["start"] + found["luck"] + found["own"] + found["others"] == pytest.approx(
        m.returns[1]
    )
    path.write_text(m.record(), encoding="utf-8")  # a program's: it does not say who sat where
    of_both = run("review", str(path)).out
    assert of_both.count("decisions\n") == 2
    assert not re.search(" You: |medium", of_both)


def test_arena_compares_two_bots(run: Command) -> None:
    words = "arena war_zone random random --matches 10 --seed 1 --workers 1"
    one, two = run(*words.split()), run(*words.split())
    assert one.status == 0
    pattern = r"random against random #2: \d+\.\d % of 10 matches, 95 % interval .*\n"
    assert re.fullmatch(pattern, one.out)
    assert two.out == one.out


def test_arena_keeps_and_writes_what_it_found(run: Command, tmp_path: Path) -> None:
    out, csv, page = (tmp_path / name for name in ("a.jsonl", "a.csv", "a.html"))
    words = f"arena war_zone random random random players=3 --matches 9 --workers 1 --out {out}"
    one = run(*words.split(), "--csv", str(csv), "--report", str(page))
    assert one.status == 0
    assert "9 matches: 3 deals" in one.out
    assert [len(p.read_text(encoding="utf-8").splitlines()) for p in (out, csv)] == [10, 10]
    assert f"battlebox {words}" in page.read_text(encoding="utf-8")
    before = out.read_bytes()
    assert run(*words.split()).out == one.out
    assert out.read_bytes() == before, "nothing was left to play"
    assert run(*words.split(), "--seed", "5").status == 2


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).parent / "battlebox"
    done = subprocess.run([command, "games"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "war_zone" in done.stdout


def test_a_closed_pipe_is_no_crash() -> None:
    """As in `battlebox watch | head -1`."""
    command = Path(sys.executable).parent / "battlebox"
    with subprocess.Popen(
        [command, "watch", "--bots", "random", "--pace", "0", "--seed", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as p:
        assert p.stdout is not None
        assert p.stderr is not None
        p.stdout.readline()
        p.stdout.close()
        assert "Traceback" not in p.stderr.read()


@pytest.mark.slow
def test_arena_ends_on_an_interrupt(tmp_path: Path) -> None:
    command, kept = Path(sys.executable).parent / "battlebox", tmp_path / "kept.jsonl"
    words = ["arena", "war_zone", "random", "random", "--matches", "1000000", "--workers", "2"]
    with subprocess.Popen(
        [command, *words, "--out", kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as p:
        until(
            lambda: p.poll() is not None or (kept.exists() and kept.read_bytes().count(b"\n") > 2)
        )
        os.killpg(p.pid, signal.SIGINT)
        try:
            out, err = p.communicate(timeout=PATIENCE)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
        assert (p.returncode, out) == (130, "")
        assert "Traceback" not in err
        assert f"Stopped: {kept} keeps what was played" in err


@pytest.mark.parametrize("width", [50, 80])
@pytest.mark.parametrize("name", bb.games())
def test_option_names_are_whole(
    run: Command, monkeypatch: pytest.MonkeyPatch, name: str, width: int
) -> None:
    """However narrow the terminal is; all else wraps, and loses nothing either."""
    monkeypatch.setenv("COLUMNS", str(width))
    said = run("games", name)
    rows = said.out.split("\n")
    assert max(map(len, rows)) <= width
    for option in find(name).options.model_fields:
        assert [r for r in rows if re.match(rf"{option}(\s|$)", r)], option
    assert "…" not in said.out
