"""Bots from files: on a seat wherever it is played, and what can be wrong with them."""

from __future__ import annotations

import io
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import pytest
from games import as_game, race
from rich.console import Console
from serving import InThread, Seat
from test_docs import TEXTS, blocks
from typer.testing import CliRunner

import battlebox as bb
from battlebox import cli
from battlebox.arena import Plan, tournament
from battlebox.arena import report as written
from battlebox.arena.plan import forfeit, play, play_elsewhere
from battlebox.bots import is_foreign, parse_bot
from battlebox.bots.file import LoadedBot
from battlebox.bots.subprocess_bot import SubprocessBot
from battlebox.core.errors import BattleboxError, RulesetError
from battlebox.core.table import untrusted
from battlebox.terminal import play as play_at_terminal
from battlebox.terminal import resume, seats_of, watch
from battlebox.terminal.files import save

RACE = as_game(race).ruleset({})
SHORT = bb.load("war_zone", start_health=5)
HASTY = '''
import random
from battlebox.bots import SeatView

class Hasty:
    """Plays one of its last legal actions."""

    def __init__(self, rules, seed):
        self.seat, self.random = SeatView(rules.plain()), random.Random(seed)

    def choose(self, observation):
        return self.random.choice(self.seat.legal(observation)[-3:])
'''
FIRST = """
from battlebox.bots import SeatView

class First:
    def __init__(self, rules, seed):
        self.seat, self.count = SeatView(rules.plain()), 0

    def choose(self, observation):
        self.count += 1
        legal = self.seat.legal(observation)
        {then}
        return legal[0]
"""
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """write(text, name): a file of that text; its path, as a word."""

    def make(text: str, name: str = "my_bot.py") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return make


def then(code: str) -> str:
    """The text of a bot that does this at each decision before it chooses."""
    return FIRST.format(then=code)


def observed(m: Any) -> Any:
    return m.observation(m.to_act)


# ---- what a file is ------------------------------------------------------------------------------
def test_a_file_plays(write: Write) -> None:
    word = write(HASTY)
    m = RACE.match(1)
    chosen = bb.bot(word, RACE, seed=3).choose(observed(m))
    assert chosen in m.legal_actions
    assert bb.bot(f"{word}:Hasty", RACE, seed=3).choose(observed(m)) == chosen
    bb.bot(word, RACE).warm()  # it need not have any


def test_any_function_that_makes_a_bot_can_be_named(write: Write) -> None:
    word = write(HASTY + "\ndef cautious(rules, seed):\n    return Hasty(rules, 7)\n")
    for m in (RACE.match(k) for k in range(5)):
        one, two = bb.bot(f"{word}:cautious", RACE, seed=1), bb.bot(f"{word}:Hasty", RACE, seed=7)
        assert one.choose(observed(m)) == two.choose(observed(m))


def test_it_is_told_the_ruleset_and_its_seed_and_warmed(write: Write) -> None:
    word = write(
        "class Bot:\n"
        "    def __init__(self, rules, seed): self.told = (rules.name, seed)\n"
        "    def choose(self, observation): return len(self.told)\n"
        "    def warm(self): self.told += ('warm',)\n"
    )
    bot = bb.bot(word, RACE, seed=11)
    assert bot.choose(observed(RACE.match(1))) == 2
    bot.warm()
    assert bot.choose(observed(RACE.match(1))) == 3
    assert bot._bot.told == ("race", 11, "warm")  # type: ignore[attr-defined]


def test_only_its_own_classes_that_choose_are_bots(write: Write) -> None:
    word = write(
        "from battlebox.bots import Bot\n"
        + HASTY
        + "class Note:\n    pass\n\nclass _Base:\n    def choose(self, observation): return 0\n"
    )
    assert bb.bot(word, RACE).choose(observed(RACE.match(1))) in RACE.match(1).legal_actions


def test_dataclasses_and_annotations_that_are_text_work_in_it(write: Write) -> None:
    word = write(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Bot:\n    rules: object\n    seed: int\n"
        "    def choose(self, observation: Nothing) -> Nothing: return 0\n"
    )
    assert bb.bot(word, RACE).choose(observed(RACE.match(1))) == 0


def test_a_changed_file_is_another_bot(write: Write) -> None:
    one = bb.bot(write(then("return legal[0]")), RACE)
    two = bb.bot(write(then("return legal[-1]")), RACE)
    m = RACE.match(1)
    assert len(m.legal_actions) > 1
    assert (one.choose(observed(m)), two.choose(observed(m))) == (
        m.legal_actions[0],
        m.legal_actions[-1],
    )


@pytest.mark.parametrize("word", ["a.py", "a.py:B", "/a b/c.py", "../x.py:make_1", "a:b.py"])
def test_words_of_files(word: str) -> None:
    assert is_foreign(word)


@pytest.mark.parametrize("word", ["easy", "so-ismcts:8", ".py", "a.py:", "a.py:b c", "a.pyc", None])
def test_other_words(word: Any) -> None:
    assert not is_foreign(word)
    if word not in ("easy", "so-ismcts:8"):
        with pytest.raises(RulesetError, match="no bot"):
            bb.bot(word, RACE)


def test_the_example_of_the_documents_plays(write: Write) -> None:
    (text,) = blocks(TEXTS["CONTRIBUTING.md"], "python")
    assert "my_bot.py" in text
    plan = Plan(SHORT, ("random", write(text)))
    assert len(tournament(plan, 4, workers=1).matches) == 4


# ---- what is wrong with it -----------------------------------------------------------------------
WRONG_FILES = {
    "no Python": ("def (", "the file raised SyntaxError: invalid syntax"),
    "null bytes": ("a = 1\0", "the file raised"),
    "raises": ("a = 1\nb = 1 / 0\n", r"the file raised ZeroDivisionError: division.* \(line 2\)"),
    "exits": ("import sys\nsys.exit(3)\n", r"the file raised SystemExit: 3 \(line 2\)"),
    "a file beside it": ("import nothing_here\n", r"No module named 'nothing_here' \(line 1\)"),
    "empty": ("", "no bot in it, that is, no class with choose"),
    "only functions": ("def make(rules, seed): pass\n", "no bot in it"),
    "several": (HASTY + then("pass"), r"Hasty or First\? Say .*my_bot.py:Hasty$"),
    "takes nothing": (
        "class Bot:\n    def choose(self, o): return 0\n",
        r"Bot\(rules, seed\) raised",
    ),
    "cannot be made": (
        "class Bot:\n    def __init__(self, rules, seed): raise ValueError('only chess\\nreally')\n"
        "    def choose(self, o): return 0\n",
        r"Bot\(rules, seed\) raised ValueError: only chess \(line 2\)$",
    ),
}


@pytest.mark.parametrize("what", WRONG_FILES)
def test_a_file_that_gives_no_bot(write: Write, what: str) -> None:
    text, said = WRONG_FILES[what]
    word = write(text)
    with pytest.raises(bb.BotError, match=said) as e:
        bb.bot(word, RACE)
    assert str(e.value).startswith(f"{word}: ")
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Hast", "no bot 'Hast' in it; did you mean 'Hasty'"),
        ("x", "no bot 'x' in it; known: Hasty"),
        ("number", "no bot 'number' in it"),
        ("nothing", "what it makes, None, has no choose"),
    ],
)
def test_a_name_that_is_no_bot(write: Write, name: str, said: str) -> None:
    word = write(HASTY + "\nnumber = 3\ndef nothing(rules, seed): pass\n")
    with pytest.raises(bb.BotError, match=said):
        bb.bot(f"{word}:{name}", RACE)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder.py").mkdir()
    for name, said in (
        ("none.py", "No such file"),
        ("bytes.py", "it is not a text file"),
        ("folder.py", "Is a directory"),
    ):
        with pytest.raises(bb.BotError, match=f"{tmp_path / name}: {said}"):
            bb.bot(str(tmp_path / name), RACE)


def test_what_raises_is_run_anew_the_next_time(write: Write) -> None:
    """Nothing is left of a module that could not be run."""
    before = set(sys.modules)
    for _ in range(2):
        with pytest.raises(bb.BotError, match="ZeroDivisionError"):
            bb.bot(write("1 / 0"), RACE)
    new = set(sys.modules) - before
    assert not [x for x in new if not x.startswith("encodings.")], "to read it may need one"


# ---- what it does at a table ---------------------------------------------------------------------
WRONG_CHOICES = {
    "raises": ("1 / 0", r"choose raised ZeroDivisionError: division by zero \(line 11\)"),
    "exits": ("raise SystemExit", "choose raised SystemExit"),
    "nothing": ("return None", "choose gave None, not an action's number"),
    "a word": ("return 'pass'", "choose gave 'pass', not"),
    "a float": ("return 1.0", "choose gave 1.0, not"),
    "a bool": ("return True", "choose gave True, not"),
    "a list": ("return [legal[0]]", r"choose gave \[\d+\], not"),
    "not legal": ("return min(set(range(99)) - set(legal))", r"is not legal now|numbers are 0"),
    "below zero": ("return -1", "action -1: numbers are 0"),
    "far beyond": ("return 10**30", "action 10{30}: numbers are 0"),
    "writes": ("observation['viewer'] = 0", r"read-only \(line 11\)"),
    "writes deeper": ("observation['phase'][...] = 1", r"read-only \(line 11\)"),
}


@pytest.mark.parametrize("what", WRONG_CHOICES)
def test_a_match_of_the_arena_ends_there_and_says_all_to_play_it_again(
    write: Write, what: str
) -> None:
    code, said = WRONG_CHOICES[what]
    word = write(then(f"if self.count == 3: {code}"))
    plan = Plan(RACE, ("random", word), 5)
    with pytest.raises(bb.BotError, match=said) as e:
        tournament(plan, 10, workers=1)
    message = str(e.value)
    found = re.match(
        r"match (\d+) \(seed (\d+)\), decision (\d+), seat (\d) \(its bot's seed (\d+)\): (.*?): ",
        message,
    )
    assert found, message
    match, seed, decision, seat, bot_seed, name = found.groups()
    assert name == word
    with pytest.raises(bb.BotError, match=said) as again:
        play(plan, int(match))
    assert str(again.value) == message
    # and by hand, from nothing but what it says
    m, bot = RACE.match(int(seed)), bb.bot(word, RACE, seed=int(bot_seed))
    other = bb.bot("random", RACE, seed=plan.bot_seed(int(match), 1 - int(seat)))
    while len(m.history) < int(decision):
        m.submit(m.to_act, (bot if m.to_act == int(seat) else other).choose(observed(m)))
    with pytest.raises(BattleboxError, match=said):
        m.submit(int(seat), bot.choose(observed(m)))


@pytest.mark.parametrize("what", ["raises", "not legal"])
def test_it_is_said_wherever_it_was_played(write: Write, what: str) -> None:
    code, said = WRONG_CHOICES[what]
    plan = Plan(SHORT, ("random", write(then(code))), 5)
    with pytest.raises(bb.BotError, match=rf"match \d+ \(seed \d\), decision \d+, .*{said}"):
        tournament(plan, 10, workers=2)


def test_what_it_is_shown_is_its_own(write: Write) -> None:
    """Even if it insists on writing, nobody else sees it."""
    word = write(then("observation.flags.writeable = True; observation['viewer'] = 0"))
    m = RACE.match(1)
    o = observed(m)
    before = o.tobytes()
    assert bb.bot(word, RACE).choose(o) in m.legal_actions
    assert o.tobytes() == before


# ---- tournaments ---------------------------------------------------------------------------------
def test_whoever_plays_has_the_same_text(write: Write) -> None:
    """Also where the file has changed since, or is not there at all."""
    word = write(HASTY)
    plan = Plan(SHORT, ("random", word), 1)
    whole = tournament(plan, 12, workers=1).matches
    write(then("pass"))
    assert tournament(plan, 12, workers=1).matches == whole
    Path(word).unlink()
    assert tournament(plan, 12, workers=2).matches == whole
    assert (
        tournament(Plan(SHORT, ("random", write(then("pass"))), 1), 12, workers=1).matches != whole
    )


def test_another_machine_has_the_same_text(write: Write, tmp_path: Path) -> None:
    plan = Plan(SHORT, ("random", f"{write(HASTY)}:Hasty"), 1)
    kept = tmp_path / "plan"
    kept.write_bytes(pickle.dumps((plan, plan.header)))
    Path(plan.entrants[1].partition(":")[0]).unlink()
    code = (
        "import pickle, sys; from battlebox.arena.plan import play_elsewhere as p; "
        f"a, b = pickle.load(open({str(kept)!r}, 'rb')); print(p(a, b, 3))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(play_elsewhere(plan, plan.header, 3))


def test_the_plan_says_which_text(write: Write) -> None:
    word = write(HASTY)
    plan = Plan(RACE, (word, "random", f"{word}:Hasty"))
    digests = set(plan.files.values())
    assert set(plan.files) == {word, f"{word}:Hasty"}
    assert len(digests) == 1
    assert digests.pop() in plan.header
    assert "files" not in Plan(RACE, ("random", "random")).header
    page = written.page(tournament(plan, 6, workers=1), "")
    assert f"{word}, digest {plan.files[word]}" in page


def test_a_run_is_not_gone_on_with_by_another_text(write: Write, tmp_path: Path) -> None:
    out, word = tmp_path / "a.jsonl", write(HASTY)
    tournament(Plan(RACE, ("random", word)), 4, workers=1, out=out)
    kept = out.read_bytes()
    write(HASTY + "# better\n")
    with pytest.raises(BattleboxError, match=r"a\.jsonl: the text of a bot has changed") as e:
        tournament(Plan(RACE, ("random", word)), 6, workers=1, out=out)
    assert word in str(e.value)
    assert out.read_bytes() == kept
    write(HASTY)
    assert len(tournament(Plan(RACE, ("random", word)), 6, workers=1, out=out).matches) == 6


def test_a_bot_that_failed_at_once_can_be_mended(write: Write, tmp_path: Path) -> None:
    """The same command goes on, as nothing was played."""
    out = tmp_path / "a.jsonl"
    for code in ("return None", "pass\n\n    def warm(self):\n        raise OSError('no weights')"):
        with pytest.raises(bb.BotError, match=r"choose gave None|warm raised OSError: no weights"):
            tournament(Plan(RACE, ("random", write(then(code)))), 4, workers=1, out=out)
        assert out.read_bytes().count(b"\n") == 1
    plan = Plan(RACE, ("random", write(HASTY)))
    assert len(tournament(plan, 4, workers=1, out=out).matches) == 4
    assert out.read_text(encoding="utf-8").splitlines()[0] == plan.header


def test_a_bot_that_is_none_is_found_before_anything_is_played(
    write: Write, tmp_path: Path
) -> None:
    out = tmp_path / "a.jsonl"
    for text in ("", "class Bot:\n def __init__(self, r, s): 1 / 0\n choose = warm = None\n"):
        with pytest.raises(bb.BotError, match=r"my_bot\.py"):
            tournament(Plan(RACE, ("random", write(text))), 4, workers=1, out=out)
        assert not out.exists()
    with pytest.raises(bb.BotError, match="No such file"):
        Plan(RACE, ("random", str(tmp_path / "none.py")))


# ---- a time limit --------------------------------------------------------------------------------
LONG = 3600.0  # seconds: a limit that nothing meets


@pytest.fixture
def stuck(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The word of a bot that never returns from its third decision of a match with an odd seed. The
    time is over as soon as it says on a named pipe that it is stuck, and never else.
    """
    os.mkfifo(pipe := tmp_path / "stuck")
    said = os.open(pipe, os.O_RDWR)

    def poll(line: Connection, seconds: float | None = 0.0) -> bool:
        if seconds != LONG:
            return poll_by_clock(line, seconds)
        if line in wait([line, said]):
            return True
        return not os.read(said, 1)

    poll_by_clock = Connection.poll
    monkeypatch.setattr(Connection, "poll", poll)
    yield write(
        then(
            "if self.count == 3 and self.odd:\n"
            f"            with open({str(pipe)!r}, 'wb') as f: f.write(b'!')\n"
            "            while True: pass"
        )
        .replace("self.seat,", "self.odd, self.seat,")
        .replace("= SeatView", "= seed % 2, SeatView")
    )
    os.close(said)


def test_a_bot_that_never_returns_forfeits_its_match_and_no_other(
    stuck: str, tmp_path: Path
) -> None:
    plan, out = Plan(SHORT, ("random", stuck), 5, LONG), tmp_path / "a.jsonl"
    results = tournament(plan, 12, workers=1, out=out)
    lost = [m for m in results.matches if m.forfeited is not None]
    assert 0 < len(lost) < 12
    for m in results.matches:
        (seat,) = (p for p, who in enumerate(plan.seats(m.match)) if who == 1)
        odd = plan.bot_seed(m.match, seat) % 2
        assert m.forfeited == (seat if odd and m in lost else None)
        if m in lost:
            assert m.returns == tuple(-1.0 if p == seat else 1.0 for p in range(2))
        else:
            assert play(replace(plan, think=None), m.match) == m, "as without a limit"
    assert tournament(plan, 12, workers=1, out=out).matches == results.matches
    with pytest.raises(BattleboxError, match=r"whose think is 3600\.0, not 7"):
        tournament(replace(plan, think=7), 12, workers=1, out=out)
    assert f"{stuck} forfeited {len(lost)} of them" in written.standings(results)
    written.write_csv(results, tmp_path / "a.csv")
    rows = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].endswith(",forfeited")
    assert sum(not row.endswith(",") for row in rows[1:]) == len(lost)


def test_with_a_bot_all_that_play_with_it_have_lost() -> None:
    plan = Plan(bb.load("war_zone", players=4, teams=2), ("random", "easy"))
    seats = plan.seats(0)
    result = forfeit(plan, 0, 1, 7)
    assert result.returns == tuple(-1.0 if who == seats[1] else 1.0 for who in seats)
    assert sum(result.returns) == 0
    four = Plan(bb.load("war_zone", players=4), ("random",) * 4)
    assert forfeit(four, 0, 2, 7).returns == (1.0, 1.0, -1.0, 1.0)


@pytest.mark.slow
def test_an_arena_of_several_processes_does_not_hang(write: Write) -> None:
    """By the clock, of whose speed nothing is expected."""
    word = write(then("while self.count == 3: pass"))
    words = ["arena", "war_zone", "random", word, "start_health=5", "--matches", "4"]
    command = [sys.executable, "-m", "battlebox", *words, "--workers", "2", "--think", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "forfeited 4 of them: a decision took longer than 2 s" in done.stdout


def test_apart_it_plays_the_same_and_fails_the_same(write: Write) -> None:
    one, two = (
        tournament(Plan(SHORT, ("random", write(HASTY)), 5, x), 8, workers=1) for x in (None, LONG)
    )
    assert one.matches == two.matches
    for code in ("1 / 0", "return 'pass'", "return -1"):
        word, errors = write(then(f"if self.count == 3: {code}")), []
        for think in (None, LONG):
            with pytest.raises(bb.BotError) as e:
                play(Plan(SHORT, ("random", word), 5, think), 0)
            errors.append(str(e.value))
        assert errors[0] == errors[1]
    with pytest.raises(bb.BotError, match="its process ended"):
        play(Plan(SHORT, ("random", write(then("__import__('os')._exit(3)"))), 5, LONG), 0)
    with pytest.raises(bb.BotError, match="no bot in it"):
        bb.bot(write(""), SHORT, think=LONG)


def test_without_a_limit_nothing_runs_apart(write: Write) -> None:
    assert isinstance(bb.bot(write(HASTY), SHORT), LoadedBot)
    assert isinstance(bb.bot(write(HASTY), SHORT, think=LONG), SubprocessBot)
    assert not isinstance(bb.bot("easy", SHORT, think=LONG), SubprocessBot)


@pytest.mark.parametrize("think", [0, -1, float("nan"), float("inf")])
def test_a_limit_that_is_none(think: float) -> None:
    with pytest.raises(RulesetError, match="more than 0 seconds"):
        Plan(SHORT, ("random", "easy"), 0, think)


def test_at_a_terminal_a_bot_that_never_returns_ends_the_match(stuck: str) -> None:
    console = Console(file=io.StringIO())
    with pytest.raises(bb.BotError, match=r"no answer within 3600 s, which .*; seat 1, decision"):
        watch(
            bb.load("war_zone"),
            ["random", stuck],
            3,
            pace=0,
            console=console,
            bots=lambda word, rules, seed: bb.bot(word, rules, seed=seed | 1, think=LONG),
        )


def test_the_commands_refuse_a_limit_that_is_none() -> None:
    for words in (
        "arena war_zone easy random --think 0",
        "watch war_zone --bots random --think -1",
        "play war_zone --bots random --think nan",
    ):
        result = CliRunner().invoke(cli.app, words.split())
        assert "more than 0 seconds" in str(result.exception)


# ---- the terminal --------------------------------------------------------------------------------
def test_it_is_watched(write: Write, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="utf-8") as f:
        m = watch(RACE, ["random", write(HASTY)], 3, pace=0, console=Console(file=f, width=60))
    assert m.over
    text = (tmp_path / "out").read_text(encoding="utf-8")
    assert "my_bot.py" in text
    assert str(tmp_path) not in text, "its folder is nobody's concern"


def test_at_a_terminal_it_is_said_where_it_failed(write: Write) -> None:
    with pytest.raises(bb.BotError, match=r"line 11\); seat 1, decision \d+, seed 3$"):
        watch(
            RACE,
            ["random", write(then("1 / 0"))],
            3,
            pace=0,
            console=Console(file=io.StringIO()),
        )


def test_a_match_file_starts_no_program(write: Write, tmp_path: Path) -> None:
    """A match may come from anywhere. To go on with it, name the bot."""
    (tmp_path / "my bots").mkdir()
    ran = tmp_path / "ran"
    word = write(
        f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n" + HASTY, "my bots/my_bot.py"
    )
    path, m = tmp_path / "a.match", SHORT.match(1)
    save(path, m, ["random", word])
    assert seats_of(path.read_text(encoding="utf-8"), 2) == ["random", word]
    with pytest.raises(
        RulesetError, match="a bot of others plays only if you name it: add --seats"
    ):
        resume(path)
    assert not ran.exists()
    console = Console(file=io.StringIO())
    assert resume(path, ["random", word], console=console).over
    assert ran.exists()


def test_seats_that_are_no_shell_words_are_not_read() -> None:
    assert seats_of("# seats: human 'my bot\n", 2) == []


def test_people_play_against_it(write: Write, tmp_path: Path) -> None:
    def ask(prompt: str) -> str:
        raise EOFError

    console = Console(file=io.StringIO())
    path = tmp_path / "a.match"
    word = write(HASTY)
    play_at_terminal(SHORT, ["human", word], 1, save_path=path, console=console, ask=ask)
    assert path.read_text(encoding="utf-8").startswith(f"# seats: human {word}\n")


# ---- who may name one ----------------------------------------------------------------------------
def test_where_no_file_of_a_user_is_read_no_bot_is(write: Write) -> None:
    word = write(HASTY)
    with untrusted(), pytest.raises(bb.BotError, match="a path cannot be used here"):
        bb.bot(word, RACE)


@pytest.mark.parametrize(
    "word",
    [
        "evil.py",
        "evil.py:Hasty",
        "./evil.py",
        "so-ismcts:9",
        "llm:touch ran",
        "http://127.0.0.1:9/v1#m",
    ],
)
def test_a_server_takes_only_levels_from_its_clients(
    live_server: InThread, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    """Also where such a file lies before it."""
    ran = tmp_path / "ran"
    (tmp_path / "evil.py").write_text(
        f"import pathlib\npathlib.Path({str(ran)!r}).touch()\n{HASTY}", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert parse_bot(word), "a bot's word, here"
    asked = {"game": "war_zone", "seats": ["you", word, "open"], "name": "Ada"}
    answer = live_server.ask("POST", "/api/matches", json=asked)
    assert answer.status_code == 400
    assert word in answer.json()["error"]["message"]
    assert live_server.kept() == 0
    made = live_server.make(["you", "open"])
    with Seat(live_server, made["id"], made["token"]) as host:
        before = live_server.mark(made["id"])
        assert host.want("fill_seat", "f", seat=1, level=word)["error"]["code"] == "not_possible"
    assert live_server.mark(made["id"]) == before
    assert not ran.exists()
