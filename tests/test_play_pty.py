"""A person at a terminal: a whole match of War Zone through a pseudo-terminal of 80 by 24."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest
from terminals import at_terminal, surroundings, type_until

import battlebox as bb

CHOICE = r"Your choice, (\d+) to \d+ \(\? help\) > "
ONLY = r"Enter: [^\n]* \(\? help\) > "
END = r"a: again, r: review, l: log, q: leave > "
HAND_OVER = r"Press Enter \(q: leave\) > "
TURNS = 600

pytestmark = [pytest.mark.compiled, pytest.mark.slow, pytest.mark.xdist_group("pty")]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The surroundings of somebody who has never seen it."""
    return surroundings(tmp_path)


@pytest.fixture
def spawn(home: dict[str, str]) -> Iterator[object]:
    """spawn("play", ...): the command in a terminal of its own."""
    made: list[pexpect.spawn] = []

    def start(*words: str) -> pexpect.spawn:
        p = at_terminal(*words, env=home)
        made.append(p)
        return p

    yield start
    for p in made:
        p.close(force=True)


def drawn(p: pexpect.spawn) -> str:
    """What came before the prompt, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", p.before)


def answer(p: pexpect.spawn, line: str, *prompts: Any) -> int:
    """Types a line, once it is asked for, and waits for one of the prompts: which one."""
    return type_until(p, f"{line}\n", *prompts)


def play_on(p: pexpect.spawn) -> int:
    """Answers with the first number that is offered, until the match is over; how often."""
    found = p.expect([CHOICE, ONLY, END])
    for turn in range(TURNS):
        screen = drawn(p)
        assert "Traceback" not in screen
        # a bar of progress is drawn over itself
        assert max(len(x.rstrip("\r").split("\r")[-1]) for x in screen.split("\n")) <= 80
        if found == 2:
            return turn
        found = answer(p, p.match[1] if found == 0 else "", CHOICE, ONLY, END)
    pytest.fail("the match does not end")


def leave(p: pexpect.spawn) -> None:
    answer(p, "q", pexpect.EOF)
    p.close()
    assert (p.exitstatus, p.signalstatus) == (0, None)


def matches(home: dict[str, str]) -> list[Path]:
    return sorted((Path(home["XDG_DATA_HOME"]) / "battlebox" / "matches").glob("*.match"))


def test_a_whole_match_is_played_left_looked_at_and_resumed(
    spawn: object, home: dict[str, str]
) -> None:
    assert callable(spawn)
    # a few decisions; what is typed wrong is explained, and the match left
    p = spawn("play", "war_zone", "--seed", "7")
    p.expect([CHOICE, ONLY])
    answer(p, "no such thing", CHOICE, ONLY)
    assert "is not one of your choices" in " ".join(drawn(p).split())
    found = answer(p, "?", "-- Enter: more", "-- Enter: back")
    while found == 0:  # the help is longer than the screen
        found = answer(p, "", "-- Enter: more", "-- Enter: back")
    found = answer(p, "", CHOICE, ONLY)
    for _ in range(3):
        found = answer(p, p.match[1] if found == 0 else "", CHOICE, ONLY)
    leave(p)
    assert "To resume it" in drawn(p)
    (saved,) = matches(home)
    half = bb.replay(saved.read_text(encoding="utf-8"))
    assert not half.over
    assert half.seed == 7
    # resumed, and played to the end
    p = spawn("play", "--resume", "last")
    assert play_on(p) > 3
    assert re.search(r"Seat 0.*\b(won|lost|shared)\b", drawn(p))
    assert re.search(r"Seat 1.*medium.*\b(won|lost|shared)\b", drawn(p))
    leave(p)
    done = bb.replay(saved.read_text(encoding="utf-8"))
    assert done.over
    assert done.history[: len(half.history)] == half.history
    assert len(matches(home)) == 1
    # and shown again
    p = spawn("replay", str(saved), "--all")
    p.expect(pexpect.EOF)
    p.close()
    assert p.exitstatus == 0


def test_the_end_of_input_and_an_interrupt_leave_the_match_saved(
    spawn: object, home: dict[str, str]
) -> None:
    assert callable(spawn)
    for k, stop in enumerate(("\x04", "\x03"), 1):
        p = spawn("play", "war_zone", "--seed", "3", "--bots", "random")
        p.expect([CHOICE, ONLY])
        type_until(p, stop, pexpect.EOF)
        p.close()
        assert p.exitstatus in (0, 130)
        assert "Traceback" not in drawn(p)
        assert len(matches(home)) == k
        assert not bb.replay(matches(home)[-1].read_text(encoding="utf-8")).over


def test_two_people_get_a_screen_between_their_hands(spawn: object) -> None:
    assert callable(spawn)
    p = spawn("play", "war_zone", "--people", "2", "--seed", "1")
    p.expect("Seat 0: take the screen")
    p.expect(HAND_OVER)
    prompts = (r"Seat (\d), your choice, (\d+) to \d+ \(\? help\) > ", ONLY, HAND_OVER)
    found, seats = answer(p, "", *prompts), set()
    for _ in range(40):
        if found == 0:
            seats.add(p.match[1])
        found = answer(p, p.match[2] if found == 0 else "", *prompts)
    assert seats == {"0", "1"}
    if found == 2:
        answer(p, "", *prompts[:2])
    leave(p)


def test_who_watches_pauses_and_goes_on(spawn: object) -> None:
    assert callable(spawn)
    p = spawn("watch", "war_zone", "--bots", "random", "--seed", "3", "--pace", "60")
    running, paused = r"Enter: next, p: pause", r"Paused\. Enter: next, p: go on"
    p.expect(running)
    answer(p, "p", paused)
    answer(p, "l", "-- Enter: back")
    answer(p, "", paused)
    answer(p, "p", running)
    answer(p, "", running)
    answer(p, "q", pexpect.EOF)
    assert "Stopped." in drawn(p)


def test_a_match_that_is_watched_goes_on_by_itself(spawn: object) -> None:
    assert callable(spawn)
    words = ("watch", "war_zone", "start_health=3", "--bots", "random", "--seed", "3")
    p = spawn(*words, "--pace", "0.01")
    p.expect(END)
    assert "won" in drawn(p)
    leave(p)
