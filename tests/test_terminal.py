"""The terminal, driven by scripts: whole matches, wrong input, undo, saving, hidden hands."""

from __future__ import annotations

import _thread
import io
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pexpect
import pytest
from rich.console import Console
from serving import PATIENCE, until
from terminals import at_terminal, type_until

import battlebox as bb
from battlebox import cli
from battlebox.bots import SeatView
from battlebox.bots.random_bot import RandomBot
from battlebox.bots.review import Cancelled, hint
from battlebox.bots.review import review as judge
from battlebox.core.errors import BattleboxError, RecordError, RulesetError
from battlebox.core.scene import Choice, Piece, Scene, Zone
from battlebox.terminal import files, play, replay, resume, review, watch
from battlebox.terminal.local import LocalMatch
from battlebox.terminal.screen import FORGET, Screen, Woken
from battlebox.text.choosing import matching, numbered, on_board
from battlebox.text.draw import Pen, draw, explain
from battlebox.text.event_text import log_lines, told


def fake(level: str, rules: bb.Ruleset, seed: int) -> RandomBot:
    """A bot that compiles nothing."""
    return RandomBot(rules, seed)


HAND_OVER = "Press Enter (q: leave) > "


class Person:
    """Answers prompts from a script; what it saw stands in `seen`, up to each prompt."""

    def __init__(
        self,
        script: Iterator[str] | list[str],
        *,
        width: int = 80,
        height: int = 24,
        terminal: bool = False,
        **options: Any,
    ) -> None:
        self.out = io.StringIO()
        self.console = Console(
            file=self.out, width=width, height=height, force_terminal=terminal, **options
        )
        self.script, self.seen, self.prompts = iter(script), list[str](), list[str]()
        self._from = 0

    def __call__(self, prompt: str) -> str:
        whole = self.out.getvalue()
        self.seen.append(whole[self._from :])
        self._from = len(whole)
        self.prompts.append(prompt)
        try:
            answer = next(self.script)
        except StopIteration:
            raise EOFError from None
        self.out.write(f"{prompt}{answer}\n")
        return answer

    @property
    def text(self) -> str:
        return self.out.getvalue()


def any_choice(person: Callable[[], Person], rng: random.Random) -> Iterator[str]:
    """Answers each prompt with a random number that it offers, or one of the squares."""
    while True:
        prompt = person().prompts[-1]
        offered = list[str]()
        if found := re.search(r"choice, (\d+) to (\d+)", prompt):
            offered += map(str, range(int(found[1]), int(found[2]) + 1))
        if "a square" in prompt:
            (squares,) = re.findall(r"such as\s+(\S+)\s+or\s+(\S+)", person().seen[-1])
            offered += squares
        if offered:
            yield rng.choice(offered)
        elif "again" in prompt:
            yield "q"
        else:
            yield ""


def player(seed: int, **options: Any) -> Person:
    """Somebody who plays at random to the end."""
    person: list[Person] = []
    script = any_choice(lambda: person[0], random.Random(seed))
    person.append(Person(script, **options))
    return person[0]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(files, "folder", lambda: tmp_path / "matches")


# ---- whole matches ------------------------------------------------------------------------------
@pytest.mark.parametrize("terminal", [False, True], ids=["piped", "live"])
@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_match(
    players: int, width: int, terminal: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    rules = bb.load("war_zone", players=players)
    p = player(players, width=width, terminal=terminal, no_color=True)
    path = tmp_path / "it.match"
    seats = ["human"] + ["easy"] * (players - 1)
    m = play(rules, seats, 5, save_path=path, console=p.console, ask=p, pace=0, bots=fake)
    assert m.over
    assert m.scene(0).prompt in " ".join(p.text.split())
    assert "won" in p.seen[-1]
    assert "lost" in p.seen[-1]
    colours = re.findall(r"\x1b\[([0-9;]*)m", p.text)
    assert not any(re.fullmatch(r"3\d|4\d|9\d|10\d", x) for c in colours for x in c.split(";"))
    bare = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", p.text)
    lines = [x for x in bare.splitlines() if not x.startswith(("Your", "Enter", "To see", "a: "))]
    assert max(map(len, lines)) <= width
    assert bb.replay(path.read_text()).digest() == m.digest()


def test_a_live_table_fits_the_screen() -> None:
    for players, height in ((2, 24), (3, 24), (4, 24), (6, 30)):
        rules = bb.load("war_zone", players=players)
        p = player(1, height=height, terminal=True)
        seats = ["human"] + ["easy"] * (players - 1)
        play(rules, seats, 3, console=p.console, ask=p, pace=0, bots=fake)
        for seen, prompt in zip(p.seen, p.prompts, strict=True):
            screen = seen.split("\x1b[H")[-1]
            if "choice" in prompt:
                assert screen.count("\n") < height, screen


def test_programs_may_sit_anywhere_and_bad_ones_are_stopped() -> None:
    rules = bb.load("war_zone")

    class Stubborn:
        def choose(self, observation: Any) -> int:
            return 3

    p = player(1)
    with pytest.raises(
        BattleboxError, match="Stubborn chose action 3: not legal; seat 1, decision 3, seed 2"
    ):
        play(rules, ["human", Stubborn()], 2, console=p.console, ask=p, bots=fake)
    with pytest.raises(RulesetError, match="3 named, but there are 2"):
        play(rules, ["human", "easy", "easy"], console=p.console, ask=p)
    with pytest.raises(RulesetError, match="no bot 'hrad'; did you mean 'hard'"):
        play(rules, ["human", "hrad"], console=p.console, ask=p)


def test_again() -> None:
    rules = bb.load("war_zone", start_health=5)
    answers = iter(["what?", "l", "a", "q"])
    person: list[Person] = []

    def script() -> Iterator[str]:
        rest = any_choice(lambda: person[0], random.Random(1))
        while True:
            yield next(answers) if "again" in person[0].prompts[-1] else next(rest)

    made = list[Any]()

    def another(*how: Any) -> Any:
        made.append(fake(*how))
        return made[-1]

    person.append(Person(script()))
    p = person[0]
    m = play(rules, ["human", "easy"], 4, console=p.console, ask=p, bots=another)
    assert m.over
    assert m.seed != 4
    assert len(list(files.folder().iterdir())) == 2
    assert len(made) == 2, "what one remembers is of its own match"


def test_a_match_whose_bot_fails_is_kept_and_can_be_gone_on_with() -> None:
    class Broken:
        def choose(self, observation: Any) -> int:
            raise bb.BotError("nobody answers")

    rules, path = bb.load("war_zone"), files.folder() / "a b.match"
    p = Person(["0"] * 5)
    how: dict[str, Any] = {"save_path": path, "console": p.console, "ask": p, "pace": 0}
    with pytest.raises(bb.BotError, match="nobody answers; seat 1"):
        play(rules, ["human", "easy"], 7, bots=lambda *how: Broken(), **how)
    assert "The match cannot go on now; it is saved. To resume it:" in p.out.getvalue()
    assert bb.replay(path.read_text()).history


def test_the_first_match_says_what_to_type() -> None:
    """Once, and not where another match has been kept; hints are for who plays alone."""
    rules = bb.load("war_zone", players=2)
    told = []
    for seats in (["human", "human"], ["human", "easy"], ["human", "easy"]):
        for lines in (["", "?"], ["?"]):
            p = Person(lines)
            play(rules, seats, 7, console=p.console, ask=p, pace=0, bots=fake)
            said = " ".join(p.text.split())
            told.append((said.count("New here?"), "hint for what" in said))
        if len(told) == 2:
            for path in files.kept():
                path.unlink()
    assert told == [(1, False), (0, False), (1, True), *[(0, False)] * 3]


# ---- what a person types ------------------------------------------------------------------------
def script(
    *lines: str, seed: int = 7, seats: tuple[str, ...] = ("human", "easy"), **kw: Any
) -> Person:
    """Types these lines, then leaves."""
    p = Person(list(lines), **kw)
    rules = bb.load("war_zone", players=len(seats))
    p.match = play(rules, seats, seed, console=p.console, ask=p, pace=0, bots=fake)  # type: ignore[attr-defined]
    return p


def words(p: Person) -> list[tuple[int, str]]:
    history: list[tuple[int, str]] = p.match.history  # type: ignore[attr-defined]
    return [x for x in history if x[0] == 0]


def test_a_choice_by_number_word_or_beginning() -> None:
    scene = bb.load("war_zone").match(7).scene(0)
    numbers = numbered(scene)
    assert numbers[0].word == "pass"
    wanted = numbers[2]
    for said in (
        "2",
        "[2]",
        wanted.word,
        wanted.word.lower(),
        wanted.label,
        wanted.label[:9].upper(),
    ):
        assert words(script(said))[0] == (0, wanted.word), said


def test_wrong_lines_change_nothing_and_say_what_to_do() -> None:
    p = script(
        "", "99", "-1", "xyzzy", "put", "c", "? 77", "r WZ-0", "\x00", "pass pass", "[", "🦆"
    )
    assert words(p) == []
    flat = " ".join(p.text.split())
    assert "You have several choices" in flat
    assert "'xyzzy' is not one of your choices. Type a number, a word such as " in flat
    assert "'put' could be: [1] Put " in flat
    assert "There is no choice '77'" in flat
    assert "There is no rule 'WZ-0'" in flat


def test_questions_are_answered_with_rules() -> None:
    p = script("?", "? 1", "t", "l", "r", "r wz-42", "help")
    book = p.match.rules.game.rulebook  # type: ignore[attr-defined]
    flat = " ".join(p.text.split())
    assert book["WZ-11"][:50].replace("`", "") in flat.replace("`", "")
    assert book["WZ-42"][:50] in flat
    assert "WZ-42" in p.seen[5], "the whole README"
    cards = p.seen[5].partition("Attack cards")[2]
    assert "4 Infantry Fire: 5 damage" in cards.partition("WZ-1 ")[0], "before the rules"
    assert "save a copy; the match also saves itself" in flat
    assert p.seen[2].count("word:") == 1


def test_undo_takes_back_what_is_still_one_s_own() -> None:
    p = script("u", "1", "u", "1", "1", "0", "u")
    assert "Cannot undo: nothing has been done yet." in p.seen[1]
    assert "Taken back: Put " in p.seen[3]
    assert "Cannot undo: " in p.seen[7]
    mine = words(p)
    assert [w for _, w in mine][-1] == "pass"
    assert len(mine) == 3


def test_undo_against_bots_goes_back_to_one_s_own_last_decision() -> None:
    class Last:
        """Attacks whenever it can."""

        def choose(self, observation: Any) -> int:
            return SeatView(rules.plain()).legal(observation)[-1]

    rules, path = bb.load("war_zone"), files.folder() / "undone.match"
    p = Person(["0", "0", "u", "0", "1", "u", "q"])
    m = play(rules, ["human", Last()], 7, save_path=path, console=p.console, ask=p, pace=0)
    defence, attack, again = p.seen[1], p.seen[2], p.seen[3]
    assert "[0] Take the hit" in defence
    assert "Your turn: attack" in attack
    assert "! Taken back: Take the hit and all that followed." in again
    assert "[0] Take the hit" in again
    assert "Your turn: attack" in p.seen[4]
    said = " ".join(p.seen[6].split())
    assert "Cannot undo: something hidden has been revealed since your last decision." in said
    assert [by for by, _ in m.history].count(0) == 3
    assert bb.replay(path.read_text()).history == m.history


def test_a_single_choice_is_shown_and_enter_takes_it() -> None:
    position = "wz1 n=2 ph=DEFEND act=1 health=20.20 pend=AR>1 hand1=GM deck=SN last=AR@0"
    rules = bb.load("war_zone")
    m = rules.match(1, position=position)
    path = files.new_path(m)
    files.save(path, m, ["easy", "human"])
    p = Person([""])
    m = resume(path, console=p.console, ask=p, bots=fake)
    assert p.prompts[0] == "Enter: Take the hit (? help) > "
    assert "[0] Take the hit: 20 → 16" in p.seen[0]
    assert m.history[0] == (1, "pass")


# ---- files --------------------------------------------------------------------------------------
def test_a_match_is_kept_after_every_move_and_goes_on_where_it_was_left(tmp_path: Path) -> None:
    rules = bb.load("war_zone", players=3)
    path = tmp_path / "deep" / "mine.match"
    p = Person(["1", "0", "0", f"s {tmp_path}/copy.match", f"s {tmp_path}/copy.match", "q"])
    m = play(
        rules, ["human", "easy", "hard"], 6, save_path=path, console=p.console, ask=p, bots=fake
    )
    assert not m.over
    assert f"battlebox play --resume {path}" in p.text.replace("\n", "")
    assert path.read_text() == (tmp_path / "copy.match").read_text()
    assert "copy.match already exists" in p.text.replace("\n", "").replace("  ", " ")
    assert path.read_text().startswith("# seats: human easy hard\nbattlebox 1\n")
    assert files.seats_of(path.read_text(), 3) == ["human", "easy", "hard"]
    p = player(3)
    again = resume(path, console=p.console, ask=p, bots=fake)
    assert again.over
    assert again.history[: len(m.history)] == m.history
    assert bb.replay(path.read_text()).over
    assert not [x for x in path.parent.iterdir() if x != path], "no half-written files"
    with pytest.raises(BattleboxError, match="already exists"):
        play(rules, ["human", "easy", "hard"], save_path=path)


def test_a_match_of_a_program_is_gone_on_with_by_a_person_and_medium_bots(tmp_path: Path) -> None:
    path = tmp_path / "program's.match"
    path.write_text(bb.load("war_zone", players=3).match(6).record())
    p = Person(["1", "q"])
    assert resume(path, console=p.console, ask=p, bots=fake).history
    assert files.seats_of(path.read_text(), 3) == ["human", "medium", "medium"]


def test_files_are_found_by_path_name_or_as_the_last(tmp_path: Path) -> None:
    m = bb.load("war_zone").match(1)
    path = files.new_path(m)
    with pytest.raises(RecordError, match="no saved match"):
        files.find("last")
    files.save(path, m, ["human", "easy"])
    assert {files.find(x) for x in (str(path), path.name, path.stem, "last")} == {path}
    assert files.new_path(m) != path
    with pytest.raises(RecordError, match="no match file"):
        files.find("nothing")
    assert files.seats_of("battlebox 1", 3) == []


def test_the_last_match_is_the_one_saved_last_and_errors_name_its_file() -> None:
    rules = bb.load("war_zone")
    for k, name in enumerate(("b", "c", "a")):
        files.save(files.folder() / f"{name}.match", rules.match(k), ["human", "easy"])
        os.utime(files.folder() / f"{name}.match", (k, k))
    (files.folder() / "z.match").mkdir()
    assert files.find("last").stem == "a"
    files.save(files.folder() / "b.match", rules.match(9), ["human", "easy"])
    assert files.read("last").match.seed == 9
    path = files.folder() / "b.match"
    path.write_text("# seats: human easy\nbattlebox 1\ngarbage\n")
    with pytest.raises(RecordError) as e:
        resume("last")
    assert str(e.value).startswith(f"{path}: line 3: ")
    assert f"name one of the others in {files.folder()}" in str(e.value)
    with pytest.raises(RecordError) as e:
        resume("b")
    assert str(e.value).startswith(f"{path}: line 3: ")
    assert "others" not in str(e.value)


@pytest.mark.parametrize("command", ["replay", "review", "verify", "play --resume"])
def test_every_command_names_the_file_it_fails_at(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files.folder() / "bad.match"
    path.parent.mkdir()
    path.write_text("garbage")
    monkeypatch.setattr(sys, "argv", ["battlebox", *command.split(), "last"])
    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().err.startswith(f"battlebox: {path}: line 1: 'garbage' is not a line")


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_is_clean(end: type[BaseException]) -> None:
    def ask(prompt: str) -> str:
        raise end

    out = io.StringIO()
    console = Console(file=out, width=80)
    m = play(bb.load("war_zone"), ["human", "easy"], 1, console=console, ask=ask, bots=fake)
    assert "it is saved" in out.getvalue()
    assert bb.replay(files.find("last").read_text()).digest() == m.digest()


def test_a_match_that_cannot_be_saved_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    p = player(1)
    seats = ["human", "easy"]
    path = tmp_path / "file" / "m.match"
    m = play(bb.load("war_zone"), seats, 1, save_path=path, console=p.console, ask=p, bots=fake)
    assert m.over
    assert p.text.count("The match cannot be saved") == 1


# ---- hidden hands -------------------------------------------------------------------------------
@pytest.mark.parametrize("terminal", [False, True], ids=["piped", "live"])
def test_between_two_people_no_hand_is_to_be_seen(terminal: bool) -> None:
    rules = bb.load("war_zone", players=3, deck="warzone-half")
    p = player(2, terminal=terminal)
    play(rules, ["human", "easy", "human"], 9, console=p.console, ask=p, pace=0, bots=fake)
    names = [c.name for c in rules.names.cards]
    handovers = 0
    for k, prompt in enumerate(p.prompts):
        if prompt != HAND_OVER:
            continue
        handovers += 1
        shown = p.seen[k]
        assert not any(name in shown for name in names), shown
        who = re.search(r"Seat (\d): take the screen", shown)
        assert who is not None
        if terminal:
            assert FORGET in shown
            assert p.seen[k + 1].split(FORGET)[0].strip() == f"{prompt}".strip()
        assert f"Seat {who[1]} (you)" in p.seen[k + 1]
    assert handovers > 4
    assert "Your hand" not in p.seen[-1].split(FORGET)[-1], "at the end nobody's hand is shown"


def test_a_seat_s_screens_show_its_own_cards_only() -> None:
    rules = bb.load("war_zone", players=2)
    p = player(4)
    m = play(rules, ["human", "human"], 3, console=p.console, ask=p, bots=fake)
    again = rules.match(m.seed)
    screens = [s for s, q in zip(p.seen, p.prompts, strict=True) if "choice" in q or "Take" in q]
    for (seat, word), screen in zip(m.history, screens, strict=False):
        hand = screen.rsplit("Your hand", 1)[1]
        for k, card in enumerate(rules.names.cards):
            held = again.state.hands[seat, k] > 0
            drawn = re.search(rf"^ {re.escape(card.name)}(  | x\d|$)", hand, re.MULTILINE)
            assert bool(drawn) == held, (card.name, screen)
        again.submit(seat, word)


# ---- watching, replaying ------------------------------------------------------------------------
def only_watch(prompt: str) -> str:
    """Types nothing until the end: the next move comes by itself."""
    if "again" in prompt:
        return "q"
    raise Woken


@pytest.mark.parametrize("pace", [0.0, 1.0])
def test_bots_are_watched(pace: float) -> None:
    rules = bb.load("war_zone", players=4, teams=2)
    p = Person([], terminal=True)
    m = watch(rules, ["easy"] * 4, 3, pace=pace, console=p.console, ask=only_watch, bots=fake)
    assert m.over
    assert "attacks" in p.text
    assert m.scene(None).prompt in " ".join(p.text.split())
    assert p.text.count("won") == 2
    assert "Your" not in p.text


def test_who_watches_may_pause_look_around_and_leave() -> None:
    rules = bb.load("war_zone", players=2)
    p = Person(["", "p", "", "l", "", "xyzzy", "p", "r wz-42", "", "q"], terminal=True)
    m = watch(rules, ["easy"] * 2, 3, console=p.console, ask=p, bots=fake)
    paused = [x.startswith("Paused") for x in p.prompts if "pause" in x or "Paused" in x]
    assert paused == [False, False, True, True, True, True, False, False]
    assert m.log(None)[0] in p.seen[4], "l shows the log"
    assert "'xyzzy' means nothing here: type ? to see what you can type." in p.text
    assert rules.game.rulebook["WZ-42"][:40] in " ".join(p.text.split())
    assert p.text.rstrip().endswith("Stopped.")
    assert not m.over


def test_who_has_watched_may_watch_another_match() -> None:
    rules = bb.load("war_zone", players=2, start_health=5)
    p, more = Person([], terminal=True), iter(["?", "l", "", "a", "q"])

    def ask(prompt: str) -> str:
        if "again" not in prompt and not prompt.startswith("--"):
            raise Woken
        return next(more)

    m = watch(rules, ["easy"] * 2, 3, console=p.console, ask=ask, bots=fake)
    assert m.over
    assert m.seed != 3
    assert "'?': type a, r, l or q." in p.text


COMPLAINTS = re.compile(r"is not one of your choices|means nothing here|: type ")


def keys_in(text: str) -> set[str]:
    """The keys that a screen, a prompt or a help page names, as in "l: the log", "? help"."""
    bare = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    found = {*re.findall(r"(?:^|[\s(,])(Enter|[a-z]|\?)(?:: | help\b)", bare)}
    helped = bare[at:] if (at := bare.find("? ")) >= 0 else ""
    found |= {*re.findall(r"^ ([a-zA-Z?]+)(?: \[FILE\])?  +[a-z]", helped, re.MULTILINE)}
    return {"" if x == "Enter" else x for x in found}


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("program", ["play", "watch", "replay", "after a match"])
def test_every_key_that_is_shown_does_something(program: str) -> None:
    rules = bb.load("war_zone", players=2, start_health=5)
    whole = rules.match(4)
    while not whole.over:
        whole.submit(whole.to_act, whole.legal_actions[-1])

    def typed(*lines: str) -> Person:
        p = Person(list(lines), terminal=True, height=9)
        how = {"console": p.console, "ask": p, "live": True}
        if program == "play":
            play(rules, ["human", "easy"], 4, pace=0, bots=fake, **how)
        elif program == "watch":
            watch(rules, ["easy"] * 2, 4, bots=fake, **how)
        elif program == "replay":
            replay(whole, 0, **how)
        else:
            path = files.new_path(whole)
            files.save(path, whole, ["human", "easy"])
            resume(path, bots=fake, **how)
        return p

    helped = typed("?", *[""] * 9) if program != "after a match" else typed()
    shown = set().union(*map(keys_in, [*helped.seen, *helped.prompts]))
    assert shown >= ({"a", "r", "l", "q"} if program == "after a match" else {"?", "l", "q", "t"})
    if program == "watch":
        assert shown >= {"", "p"}
    for key in sorted(shown - {""}):
        seen = typed(key).text
        assert not COMPLAINTS.search(" ".join(seen.split())), (key, seen)


def test_a_match_is_stepped_through_forth_and_back() -> None:
    rules = bb.load("war_zone", players=2)
    p = player(1)
    m = play(rules, ["human", "easy"], 3, console=p.console, ask=p, bots=fake)
    n = len(m.history)
    p = Person(["", "b", str(n), "", "99999", "0", "what", "7", "q"])
    replay(m, 0, console=p.console, ask=p)
    where = [x.split(".")[0] for x in p.prompts]
    assert where == [f"{k} of {n}" for k in (0, 1, 0, n, n, n, 0, 0, 7)]
    assert "won" in p.seen[3]
    p = Person([])
    replay(m, all=True, console=p.console, ask=p)
    assert p.prompts == []
    assert "Your" not in p.text
    assert m.scene(None).prompt in " ".join(p.text.split())


# ---- looking back, hints ------------------------------------------------------------------------
@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that compile nothing."""
    monkeypatch.setattr(
        sys.modules[review.__module__], "judge", partial(judge, simulations=3, compiled=False)
    )
    monkeypatch.setattr(
        sys.modules[play.__module__], "hint", partial(hint, simulations=60, compiled=False)
    )


def short_match(*script: str, people: int = 1, seed: int = 3) -> Person:
    """Somebody plays at random to the end of a short match, and then by a script."""
    person, rest = list[Person](), list(script)
    chosen = any_choice(lambda: person[0], random.Random(1))

    def answers() -> Iterator[str]:
        for line in chosen:
            yield rest.pop(0) if rest and "again" in person[0].prompts[-1] else line

    person.append(Person(answers()))
    rules = bb.load("war_zone", players=2, start_health=5)
    seats = ["human"] * people + ["easy"] * (2 - people)
    play(rules, seats, seed, console=person[0].console, ask=person[0], bots=fake)
    return person[0]


@pytest.mark.usefixtures("_quick")
def test_at_the_end_one_may_ask_how_it_went() -> None:
    seen = short_match("r", "x", "q").seen
    told = " ".join(seen[-2].split())
    assert "Luck and skill You: " in told
    for whose in ("your", "own"):
        luck = rf"Added up over the match: luck [−+]?\d+ points?, {whose} choices"
        assert re.search(rf": \d+ % to win at the start, \d+ % in the end\. {luck}", told)
    assert re.search(r"Turning points .* Decisions \d+ decisions?: ", told)
    assert "'x': type a, r, l or q." in seen[-1]


@pytest.mark.usefixtures("_quick")
def test_of_several_people_each_is_told_how_it_went() -> None:
    told = " ".join(short_match("r", "q", people=2).seen[-1].split())
    for p in (0, 1):
        assert re.search(rf"Seat {p}: turning points .*Seat {p}: decisions \d+ decision", told)
    assert "You: " not in told


def test_looking_back_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()

    def endless(*_: Any, cancelled: Callable[[], bool], **__: Any) -> None:
        _thread.interrupt_main()
        while not cancelled():
            time.sleep(0.01)
        stopped.set()
        raise Cancelled

    monkeypatch.setattr(sys.modules[review.__module__], "judge", endless)
    seen = short_match("r", "q").seen
    assert "Stopped." in seen[-1]
    assert stopped.wait(PATIENCE)


@pytest.mark.usefixtures("_quick")
def test_a_hint_names_a_choice_and_its_chance() -> None:
    rules = bb.load("war_zone", players=2)
    p = Person(["hint", "?", "q"])
    m = play(rules, ["human", "easy"], 3, console=p.console, ask=p, bots=fake)
    said = " ".join(p.seen[1].replace("\u00a0", " ").split())
    said = said.partition("The strongest bot would choose: ")[2]
    found = re.match(r"(.+), (?:over |under )?\d+ % to win the match\. .+\.", said)
    assert found, said
    assert found[1] in {c.label for c in m.scene(0).choices}
    assert "hint what the strongest bot would do" in " ".join(p.seen[2].split())
    assert m.history == []


@pytest.mark.usefixtures("_quick")
def test_there_are_no_hints_among_several_people() -> None:
    rules = bb.load("war_zone", players=3)
    p = Person(["", "hint", "q"])
    play(rules, ["human", "human", "easy"], 3, console=p.console, ask=p, bots=fake)
    assert "You get hints only when you play alone against bots." in p.seen[2]
    assert "would choose" not in p.text


# ---- drawing ------------------------------------------------------------------------------------
def toy(*zones: Zone, choices: tuple[Choice, ...] = (), over: bool = False) -> Scene:
    return Scene(0, 0, "P", "Round 1", "What now?", zones, choices, over)


def text(scene: Scene, **pen: Any) -> str:
    return "\n".join(x.plain for x in draw(scene, Pen(**pen)))


def test_kinds_unknown_here_and_missing_facts_are_drawn_all_the_same() -> None:
    pawn = Piece("a", "red pawn on 7", kind="pawn")
    scene = toy(
        Zone("track", "track", "The track", pieces=(pawn,), facts={"goal": 20, "odd": [1]}),
        Zone("s", "plaque", "Seat 0", 0),
        Zone("p", "pile", "A pile"),
        Zone("l", "line", "A line"),
        Zone("f", "fan", "A hand", 0),
        choices=(Choice(4, "x", "Move the pawn", "7 → 8", path=("a", "track")),),
    )
    shown = text(scene)
    for wanted in ("The track: red pawn on 7, goal 20", "Seat 0", "A pile: 0", "A line", "empty"):
        assert wanted in shown
    assert "[1] Move the pawn: 7 → 8" in shown


def test_a_field_fits_80_columns_and_says_where_everybody_is() -> None:
    m = bb.load("battleball").match(1, position="R1f12,H1a1/b1g16,h1k24 @f14 a13 W D:R1=11 1 0-0 -")
    lines = [x.plain for x in draw(m.scene(0), Pen(80))]
    assert max(map(len, lines)) <= 80
    board = squares(lines)
    assert len(board) == 300
    assert board["f12"] == "R1"
    assert board["a1"] == board["b1"] == "H1"  # the Heavy Tackle stands on two cells
    assert board["f14"] == "+@"
    assert board["a13"] == "#"
    assert board["f15"] == board["g15"] == "!"
    assert board["a11"] == "+"
    assert board["l24"] == "h1"
    assert {board["b24"], board["b25"], board["l25"]} == {"'", ".", ""}
    assert any("Type a square marked + or !, such as" in x for x in lines)
    assert "* (Move Running Back R1 to " in " ".join(lines), "what the mark in its name means"


def squares(lines: list[str]) -> dict[str, str]:
    """What stands on each square that is drawn, by the name one types."""
    top = next(k for k, x in enumerate(lines) if x.split()[:3] == ["1", "2", "3"])
    ends = [found.end() for found in re.finditer(r"\d+", lines[top])]
    numbers = re.findall(r"\d+", lines[top])
    return {
        x[0] + n: x[end - 2 : end + 1].strip()
        for x in lines[top + 1 : top + 13]
        for n, end in zip(numbers, ends, strict=True)
    }


def test_the_squares_that_are_lit_are_those_that_can_be_typed() -> None:
    """A square's letter and number stand beside it as one types them."""
    m, dice = bb.load("battleball", max_plies=40).match(3), random.Random(3)
    seen = 0
    while not m.over:
        scene = m.scene(m.to_act)
        if places := on_board(scene):
            board = squares([x.plain for x in draw(scene, Pen(80, 23))])
            lit = {name for name, mark in board.items() if {*mark} & {"+", "!"}}
            assert lit == {c.word.rstrip("*") for c in places}
            typed = {c.action: matching(c.word, scene) for c in places}
            assert all([c.action for c in found] == [a] for a, found in typed.items())
            seen += 1
        m.submit(m.to_act, dice.choice(m.legal_actions))
    assert seen > 10


def test_ten_seats_fit_80_columns_each_in_a_line() -> None:
    position = (
        "ba1 n=10 ph=FL turn=3 ids=H.V.H.V.H.V.H.V.H.V exp=4.5 out=6 hand0=3 hand1=4 hand2=5 "
        "hand3=7.7.7.9.EX hand4=2 hand5=2.2 hand7=8 hand8=1 hand9=6 deck=1 disc=BT.6.6 "
        "stand=6x2@2 open=3.4.5.7 score=1.2.3.4.0.0.1.2.3.4 round=9"
    )
    m = bb.load("battle", players=10).match(1, position=position)
    lines = [x.plain for x in draw(m.scene(3), Pen(80))]
    assert max(map(len, lines)) <= 80
    seats = [x for x in lines if re.match(r" [▶ ] Seat \d", x)]
    assert len(seats) == 10
    assert [x.split()[1] for x in seats if "▶" in x] == ["Seat"]
    assert " ▶ Seat 3 (you)  4 of 5 points  5 cards  turn" in seats
    assert any("leads" in x for x in seats)
    assert "Order of play: clockwise" in " ".join(lines)
    assert any("Expose" in x and "Seat 0" in x for x in lines)
    assert any("[1] Pair: 2 fight cards left" in x and "Three" in x for x in lines)


@pytest.mark.parametrize("terminal", [False, True], ids=["piped", "live"])
def test_an_agreement_is_asked_of_the_other_person(terminal: bool, tmp_path: Path) -> None:
    """Refused, agreed on, taken back; nothing that cannot be agreed on now is asked."""
    path = tmp_path / "m.match"
    script = ["", "offer to halt play", "preset:1", "", "preset:1", "", "offer a draw"]
    script += ["offer to halt play", "what", "n", "", "Offer to halt  play", "Y", "", "u", "q"]
    p = Person(script, terminal=terminal)
    m = play(
        bb.load("battleball"), ["human"] * 2, 7, save_path=path, console=p.console, ask=p, pace=0
    )
    flat = " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", p.text).split())
    assert flat.count("You cannot offer that now.") == 2
    assert flat.count("You cannot offer that now. Type: offer to halt play.") == 1
    asked = [x for x in p.prompts if "Do you agree" in x]
    assert len(asked) == 3
    assert len({*asked}) == 1
    assert "The offer to halt play was declined: the match goes on." in flat
    assert "Taken back: halt play." in flat
    assert (m.phase, len(m.history)) == ("SELECT", 2)
    assert bb.replay(path.read_text()).history == m.history


def test_an_agreement_is_kept_and_stepped_through(tmp_path: Path) -> None:
    path = tmp_path / "m.match"
    script = ["", "preset:1", "", "preset:1", "", "offer to halt play", "y", "", "q"]
    p = Person(script)
    m = play(bb.load("battleball"), ["human"] * 2, 7, save_path=path, console=p.console, ask=p)
    assert m.history[-1] == (None, "halt play")
    again = Person(["3", "b", "n", "q"])
    replay(bb.replay(path.read_text()), None, console=again.console, ask=again)
    assert again.text.count("both coaches agree") == 2


def test_bots_agree_to_nothing_at_the_terminal() -> None:
    p = Person(["preset:1", "offer to halt play", "q"])
    m = play(
        bb.load("battleball"), ["human", "easy"], 7, console=p.console, ask=p, pace=0, bots=fake
    )
    assert "You cannot offer that now." in " ".join(p.text.split())
    assert len(m.history) >= 2


def test_many_short_choices_stand_side_by_side_and_places_come_last() -> None:
    scene = bb.load("battleball").match(1).scene(0)
    lines = [x.plain for x in draw(scene, Pen(80))]
    assert max(map(len, lines)) <= 80
    words = {n: c.word for n, c in numbered(scene).items()}
    assert words[1] == "preset:1"
    assert not any(re.fullmatch(r"[a-l]\d+", x) for x in words.values())
    assert matching("12", scene) == [], "a number that is not shown is no square"
    far = "R1a1,R2c1,R3e1,S1g1,S2i1,B1k1,B2a3,L1c3,L2e3/s1k25 s1 - W M 1 0-0 -"  # out of reach
    m = bb.load("battleball").match(1, position=far)
    lines = [x.plain for x in draw(m.scene(0), Pen(80))]
    assert any("[1] " in x and "[2] " in x for x in lines)
    assert max(map(len, lines)) <= 80


def test_a_whole_match_on_a_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    rules = bb.load("battleball", advanced=True, max_plies=60)
    p = player(5, width=80)
    m = play(rules, ["human", "easy"], 5, console=p.console, ask=p, pace=0, bots=fake)
    assert m.over
    assert m.scene(0).prompt in " ".join(p.text.split())


def test_a_terminal_without_unicode_gets_ascii() -> None:
    m = bb.load("war_zone", players=2).match(1)
    assert text(m.scene(0), plain=True).isascii()
    out = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert Screen(Console(file=out)).pen().plain


def test_numbers_are_one_to_one_with_choices() -> None:
    rng = random.Random(2)
    m = bb.load("war_zone", players=6).match(2)
    while not m.over:
        scene = m.scene(m.to_act)
        numbers = numbered(scene)
        assert sorted(c.action for c in numbers.values()) == list(m.legal_actions)
        shown = text(scene)
        assert all(f"[{n}] " in shown for n in numbers)
        assert all(
            c.word in "".join(map(str, explain({n: c}, {}, Pen()))) for n, c in numbers.items()
        )
        m.submit(m.to_act, rng.choice(m.legal_actions))


TABLES = (
    ("war_zone", {"players": 2, "v2": True}),
    ("war_zone", {"players": 6}),
    ("battleball", {}),
    ("battleball", {"advanced": True}),
    ("iron_man", {}),
    ("battle", {"players": 4}),
    ("battle", {"players": 10}),
    ("medieval", {}),
)


@pytest.mark.parametrize(("game", "options"), TABLES, ids=[f"{g}-{o}" for g, o in TABLES])
def test_all_that_a_decision_needs_is_on_80_by_24(game: str, options: dict[str, Any]) -> None:
    """At random positions: the question, the hand or the field, the choices or how to see them."""
    rules, dice = bb.load(game, **options), random.Random(game)
    who, asked = ["human"] + ["medium"] * (rules.players - 1), set[str]()
    m, heard, left = rules.match(2), [0] * rules.players, 160
    while left:
        if m.over:
            m, heard = rules.match(left), [0] * rules.players
        p, action = m.to_act, dice.choice(m.legal_actions)
        if m.phase not in asked or dice.random() < 0.25:
            left, scene = left - 1, m.scene(p)
            news = [text for _, text in told(m, p, heard[p])]
            table = Drawn(Person([], terminal=True), who)
            rows = [x.plain for x in draw(scene, table.pen(), news)]
            question = table.question(scene)
            screen = "\n".join([*rows, question])
            assert len(rows) < 24, screen
            assert max(map(len, rows)) < 80, screen
            assert len(question) < 70
            assert " ".join(scene.prompt.split()) in " ".join(screen.split()), screen
            flat = " ".join(screen.split())
            for zone in scene.zones:
                if zone.kind == "fan":
                    assert f" {zone.label}" in screen, screen
                    assert all(x.name in flat for x in zone.pieces), screen
                    assert zone.facts.get("goal", "") in flat or "t: the whole table" in flat
                if zone.kind == "grid":
                    assert len(squares(rows)) == 300, screen
            assert all(f"[{n}] " in screen for n in numbered(scene)), screen
            assert not on_board(scene) or "Type a square marked + or !" in screen
            asked.add(m.phase)
        heard[p] = len(m.events(p))
        m.submit(p, action)
    assert len(asked) >= (1 if game == "medieval" else 3)


class Drawn(LocalMatch):
    """As much of a prompt loop as draws."""

    def __init__(self, person: Person, who: list[str]) -> None:
        rules = bb.load("war_zone", players=2)
        super().__init__(rules.match(1), who, Screen(person.console, person))

    def help_lines(self) -> list[str]:
        return []

    def news(self, viewer: int | None) -> list[str]:
        return []


def test_a_screen_too_small_for_its_choices_says_how_to_see_them() -> None:
    m = bb.load("battle", players=10).match(3)
    lines = [x.plain for x in draw(m.scene(m.to_act), Pen(80, 4), ["Something."])]
    assert len(lines) == 4
    assert lines[-1] == " (there are more choices; ? shows all of them)"


@pytest.mark.parametrize("game", ["war_zone", "battleball", "iron_man", "battle", "medieval"])
def test_the_log_has_a_line_for_each_happening(game: str) -> None:
    m, dice = bb.load(game).match(5), random.Random(5)
    for _ in range(300):
        if m.over:
            break
        m.submit(m.to_act, dice.choice(m.legal_actions))
    said = m.log(0)
    lines = [x.plain for x in log_lines(told(m, 0), Pen(100))]
    assert [x[6:] for x in lines] == said
    numbers = [x[:6].strip() for x in lines if x[:6].strip()]
    assert numbers == sorted({*numbers}, key=int), "each turn's number stands once"


def test_long_news_loses_its_beginning_not_the_question() -> None:
    m = bb.load("war_zone", players=4).match(1)
    news = [f"Event {k}." for k in range(50)]
    lines = [x.plain for x in draw(m.scene(0), Pen(80, 26), news)]
    assert len(lines) <= 26
    shown = [x for x in lines if "Event" in x]
    assert shown[-1] == " · Event 49."
    assert f"l: {50 - len(shown)} more in the log" in lines[0]
    assert not any("Event 0." in x for x in lines)
    assert m.scene(0).prompt in " ".join(x.strip() for x in lines)


def test_slow_preparation_is_announced() -> None:
    for terminal in (False, True):
        out = io.StringIO()
        screen = Screen(Console(file=out, force_terminal=terminal, width=80), input, live=terminal)
        asked = list[tuple[int, int]]()

        def so_far(asked: list[tuple[int, int]] = asked) -> tuple[int, int]:
            asked.append((len(asked), 2))
            return asked[-1]

        def announced(out: io.StringIO = out) -> bool:
            return "Preparing something" in out.getvalue()

        def work(enough: int = 2 * terminal, asked: list[tuple[int, int]] = asked) -> None:
            until(lambda: announced() and len(asked) >= enough)

        screen.wait_for(work, "Preparing something", so_far)
        assert announced()
        assert bool(asked) == terminal, "a bar shows how far it is"
        with pytest.raises(ZeroDivisionError):
            screen.wait_for(lambda: print(1 // 0), "")


# ---- the command, at a real terminal ------------------------------------------------------------
@pytest.mark.slow
def test_a_whole_match_through_a_pseudo_terminal(tmp_path: Path) -> None:
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path), "TERM": "xterm", "NO_COLOR": "1"}
    words = ("play", "war_zone", "players=2", "--bots", "random", "--seed", "3")
    child = at_terminal(*words, env=env)
    prompts = (r"choice, (\d+) to (\d+) .*?> ", r"Enter: .*?> ", r"q: leave > ")
    found, rng = child.expect([*prompts]), random.Random(1)
    seen = child.before
    while found < 2:
        line = str(rng.randint(*map(int, child.match.groups()))) if found == 0 else ""
        found = type_until(child, f"{line}\n", *prompts)
        seen += child.before
    assert "win" in seen
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    kept = list((tmp_path / "battlebox" / "matches").iterdir())
    assert len(kept) == 1
    assert bb.replay(kept[0].read_text()).over


# ---- a slip of the finger ------------------------------------------------------------------------
@pytest.mark.parametrize("line", ["p", "k", "P", "a", "e"])
def test_one_letter_plays_nothing(line: str) -> None:
    p = Person([line, "q"])
    rules = bb.load("war_zone", players=2)
    m = play(rules, ["human", "easy"], 1, console=p.console, ask=p, bots=fake)
    assert m.history == []
    assert f"{line!r} is not one of your choices" in p.text


@pytest.mark.parametrize("line", ["keep", "KEEP YOUR HAND", "pass", "your hand", "0", "[0]"])
def test_words_of_a_choice_play_it(line: str) -> None:
    p = Person([line])
    rules = bb.load("war_zone", players=2)
    m = play(rules, ["human", "easy"], 1, console=p.console, ask=p, bots=fake)
    assert m.history[0] == (0, "pass")


def test_words_that_fit_several_choices_play_none() -> None:
    p = Person(["put", "q"])
    rules = bb.load("war_zone", players=2)
    m = play(rules, ["human", "easy"], 1, console=p.console, ask=p, bots=fake)
    assert m.history == []
    assert "'put' could be: [1] Put " in p.text


def test_leaving_at_the_hand_over_shows_no_hand() -> None:
    p = Person(["", "0", "x", "q"], terminal=True)
    rules = bb.load("war_zone", players=2)
    m = play(rules, ["human", "human"], 1, console=p.console, ask=p, bots=fake)
    assert len(m.history) == 1
    assert [x for x in p.prompts[-3:] if x == HAND_OVER] == [HAND_OVER] * 2
    assert "Your hand" not in p.text[p.text.rindex("take the screen") :]


def test_a_condition_of_one_choice_is_no_heading() -> None:
    position = (
        "wz1 n=2 hs=2 ph=DEFEND turn=1 act=0 health=20.14 hand0=TR.GM hand1=IF "
        "disc=RE.AR last=AR@1 latk=AR pend=AR>0+"
    )
    m = bb.load("war_zone").match(1, position=position)
    text = "\n".join(x.plain for x in draw(m.scene(0), Pen(80)))
    assert "results:" not in text
    assert "Block with Trench" in text


def test_what_all_choices_share_is_said_once() -> None:
    m = bb.load("war_zone", cycle=2).match(1)
    lines = [x.plain for x in draw(m.scene(0), Pen(80, 24))]
    assert sum("up to" in x for x in lines if "[" in x or "Your hand" in x) == 1


def test_the_whole_table_names_the_options() -> None:
    p = Person(["t", "q"])
    rules = bb.load("war_zone", players=2, v2=True, speedy=True)
    play(rules, ["human", "easy"], 1, console=p.console, ask=p, bots=fake)
    assert "Options: 2 players; Copies heal: yes; Speedy game: yes." in " ".join(p.text.split())


@pytest.mark.parametrize("players", [4, 6, 10])
def test_what_a_side_has_to_do_is_always_in_sight(players: int) -> None:
    m = bb.load("battle", players=players).match(1)
    scene = m.scene(m.to_act)
    goal = next(z.facts["goal"] for z in scene.zones if z.kind == "fan" and "goal" in z.facts)
    for pen in (Pen(80, 23), Pen(80, 40), Pen(80, full=True)):
        assert goal in " ".join(" ".join(x.plain for x in draw(scene, pen)).split())
    tiny = "\n".join(x.plain for x in draw(scene, Pen(80, 12)))
    assert "t: the whole table" in tiny, "it makes room for what is asked"


def test_rules_are_found_however_their_id_is_typed() -> None:
    p = Person(["r WZ-50", "r wz50", "rules w1", "r 50", "q"])
    play(bb.load("war_zone"), ["human", "easy"], 1, console=p.console, ask=p, bots=fake)
    assert p.text.count("WZ-50  At 0 health") == 2
    assert "W1  What is the sheet" in p.text
    assert "There is no rule '50'" in p.text


def test_a_standard_input_that_is_closed_leaves_the_match(tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "battlebox"
    done = subprocess.run(
        ["sh", "-c", f"exec {command} play --bots random --seed 1 <&-"],
        capture_output=True,
        text=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path)},
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert "You left the match; it is saved" in done.stdout
