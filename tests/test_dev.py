"""`battlebox dev`: what it says of a game that is written, of each version, and to whom."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect
from serving import PATIENCE, a_client, in_a_loop
from test_page import browser, browser_type_launch_args, somebody, violations

from battlebox.core import scenario
from battlebox.core.errors import RulesetError
from battlebox.dev import serve
from battlebox.dev.app import create_app
from battlebox.dev.messages import (
    Act,
    Bots,
    Checks,
    Draft,
    DraftRequest,
    Fault,
    FieldRow,
    GameInfo,
    Line,
    Look,
    Position,
    Saved,
    SaveRequest,
    Went,
)
from battlebox.dev.versions import Versions
from battlebox.dev.worker import Load, Refused, Worker
from battlebox.new_game import new_game
from battlebox.testing import Effort

registry = sys.modules["battlebox.games"]  # by that name the package has a function
__all__ = ["browser", "browser_type_launch_args"]

Edit = tuple[str, str]
Make = Callable[..., Worker]
#: what rules cannot be refused for before they run
BEYOND = (
    "    tell(s, Event.KEPT, s.to_act)\n",
    "    tell(s, Event.KEPT, s.to_act)\n    s.points[s.to_act + 9] += 1\n",
)
LEAK = (
    'DREW = event("seat", "card", own=("card",), reveals=True)',
    'DREW = event("seat", "card", reveals=True)',
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What `battlebox new-game beasts` writes."""
    monkeypatch.setattr(registry, "_opened", [])  # another test is not to find it
    new_game("beasts", "Beasts", tmp_path)
    return tmp_path / "beasts"


def edit(folder: Path, *edits: Edit, file: str = "rules.py") -> None:
    """Changes a file; each edit must be possible."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def made(folder: Path) -> Make:
    """made(edit, ...): the game with these edits of its rules."""

    def make(*edits: Edit) -> Worker:
        edit(folder, *edits)
        return Worker(Load(str(folder), folder))

    return make


def played(worker: Worker, seed: int = 7, options: str = "") -> Line:
    """A random match."""
    went = worker.answer(Bots(line=Line(seed=seed, options=options), at=0))
    assert isinstance(went, Went)
    assert not went.more
    return went.line


def look(worker: Worker, line: Line, at: int | None = None, event: int | None = None) -> Position:
    found = worker.answer(Look(line=line, at=at, event=event))
    assert isinstance(found, Position), found
    return found


def row(position: Position, name: str) -> FieldRow:
    return next(x for x in position.fields if x.name == name)


def seen(position: Position, name: str) -> list[list[str]]:
    """What the truth, each seat and spectators see of a field, item by item; hidden in brackets."""
    return [
        [
            f"({x.text})" if x.hidden else x.text
            for part in column
            for x in part.items
            for _ in range(x.times)
        ]
        for column in row(position, name).cells
    ]


# ---- a line --------------------------------------------------------------------------------------
def test_a_match_goes_step_by_step(made: Make) -> None:
    worker = made()
    line = played(worker)
    assert [x.seat for x in line.acts] == [0, 1] * 3
    first, last = look(worker, line, 0), look(worker, line)
    assert (first.at, first.by, first.to_act, first.phase) == (0, None, 0, "TURN")
    assert [(x.word, x.rules) for x in first.choices] == [("keep", ["BE-3"]), ("swap", ["BE-4"])]
    assert first.rulebook["BE-4"]
    assert last.over
    assert last.by == line.acts[-1]
    assert sum(last.returns) == 0
    assert look(worker, line, 0) == first  # the way back is the same
    assert played(worker) == line  # and the same seed
    assert played(worker, 8) != line


def test_an_action_cuts_what_came_after(made: Make) -> None:
    worker = made()
    line = played(worker)
    other = "keep" if line.acts[2].word == "swap" else "swap"
    line.acts[2:] = [Act(seat=0, word=other)]
    found = look(worker, line)
    assert found.at == len(found.line.acts) == 3
    assert found.to_act == 1
    went = worker.answer(Bots(line=line, at=3, seats=[1]))
    assert isinstance(went, Went)
    assert [x.seat for x in went.line.acts] == [0, 1, 0, 1]  # only seat 1 is a bot's
    assert not went.more


def test_a_thinking_bot_decides_once_and_nothing_is_compiled(made: Make) -> None:
    worker = made()
    went = worker.answer(Bots(line=Line(seed=1), at=0, level="easy"))
    assert isinstance(went, Went)
    assert len(went.line.acts) == 1
    assert went.more
    assert True not in worker.lines.ruleset("")._engines
    refused = worker.answer(Bots(line=Line(seed=1), at=0, level="champion"))
    assert isinstance(refused, Refused)


def test_the_same_actions_stop_where_the_new_rules_refuse_them(made: Make) -> None:
    worker = made(("return s.deck_size > 0", "return s.deck_size > 16"))
    line = Line(seed=7, acts=[Act(seat=k % 2, word="swap") for k in range(6)])  # of the old rules
    found = look(worker, line)
    assert found.cut
    assert found.cut.at == found.at == len(found.line.acts) == 2
    assert found.cut.act == Act(seat=0, word="swap")
    assert found.cut.refused
    assert "'swap' is not legal now" in found.cut.fault.what


def test_rules_that_raise_stop_it_with_the_line(made: Make) -> None:
    worker = made(BEYOND)
    found = look(worker, Line(acts=[Act(seat=0, word="swap"), Act(seat=1, word="keep")]))
    assert found.cut
    assert found.cut.at == 1
    assert found.cut.fault.where.startswith("rules.py:")
    assert (
        next(x.text for x in found.cut.fault.lines if x.meant) == "    s.points[s.to_act + 9] += 1"
    )
    assert "IndexError" in found.cut.fault.what


def test_what_is_asked_wrongly_is_refused_in_words(made: Make) -> None:
    worker = made()
    for line, says in (
        (Line(options="rounds=99"), "rounds"),
        (Line(options="rounds"), "name=value"),
        (Line(position="beasts n=7"), "n=7"),
    ):
        refused = worker.answer(Look(line=line))
        assert isinstance(refused, Refused)
        assert says in refused.message


def test_a_position_is_a_beginning_too(made: Make) -> None:
    text = "beasts n=2 phase=TURN card=dog/wolf deck=cat.cat.cat round=1"
    found = look(made(), Line(position=text))
    assert seen(found, "card")[0] == ["dog", "wolf"]


# ---- what is hidden ------------------------------------------------------------------------------
def test_what_a_seat_does_not_see_is_marked(made: Make) -> None:
    worker = made()
    found = look(worker, played(worker), 1)
    truth, first, second, spectators = seen(found, "card")
    assert first == [truth[0], "(face down)"]
    assert second == ["(face down)", truth[1]]
    assert spectators == ["(face down)", "(face down)"]
    size = int(seen(found, "deck_size")[0][0])
    assert seen(found, "deck")[1:] == [["(hidden)"] * size] * 3
    assert len(seen(found, "deck")[0]) == size
    assert seen(found, "points") == [["0", "0"]] * 4


def test_a_planted_secret_is_hidden_even_where_it_is_blank(made: Make) -> None:
    worker = made(
        (
            "    round = public(n8(high=10))\n\n\n@rule\ndef advance",
            "    round = public(n8(high=10))\n    trap = secret(n8(3))\n"
            "    mood = own(n8(SEATS))\n\n\n@rule\ndef advance",
        ),
        ("    s.round += 1\n", "    s.round += 1\n    s.trap[1] = 5\n    s.mood[0] = 3\n"),
    )
    found = look(worker, Line(), 0)
    assert seen(found, "trap") == [["0", "5", "0"], *[["(hidden)"] * 3] * 3]
    assert seen(found, "mood") == [
        ["3", "0"],
        ["3", "(hidden)"],
        ["(hidden)", "0"],
        ["(hidden)"] * 2,
    ]
    assert row(found, "trap").visibility == "secret"


def test_what_a_reveal_opens_is_not_hidden_even_where_it_is_blank(made: Make, folder: Path) -> None:
    (folder / "hidden.py").write_text(
        "from battlebox.authoring import rule\n\nfrom .rules import State, Table\n\n\n"
        "@rule\ndef reveal(t: Table, s: State, o: State, seat: int) -> None:\n"
        '    """Seat 0 sees the trap."""\n'
        "    if seat == 0:\n        o.trap = s.trap\n"
    )
    worker = made(
        (
            "    round = public(n8(high=10))\n\n\n@rule\ndef advance",
            "    round = public(n8(high=10))\n    trap = secret(n8())\n\n\n@rule\ndef advance",
        ),
    )
    assert seen(look(worker, Line(), 0), "trap") == [["0"], ["0"], ["(hidden)"], ["(hidden)"]]


def test_what_an_action_changed_is_marked(made: Make) -> None:
    worker = made()
    found = look(worker, Line(seed=3, acts=[Act(seat=0, word="swap")]))
    changed = {x.name for x in found.fields if x.changed}
    assert {"to_act", "card", "deck_size", "discard", "discard_size"} <= changed
    assert not {"points", "round", "phase", "deck"} & changed
    card = row(found, "card").cells
    assert [[x.items[0].changed for x in column] for column in card[:2]] == [[True, False]] * 2
    assert not any(x.changed for part in card[2] for x in part.items)  # seat 1 still sees a back


# ---- what happened -------------------------------------------------------------------------------
def test_who_was_told_what(made: Make) -> None:
    worker = made()
    found = look(worker, Line(seed=3, acts=[Act(seat=0, word="swap")]))
    drew = found.events[1]
    card = seen(found, "card")[0][0]
    assert drew.event == f"DREW(0,{card})"
    assert [(x.viewers, x.event) for x in drew.told] == [
        ([0], f"DREW(0,{card})"),
        ([1, None], "DREW(0,?)"),
    ]
    assert drew.told[0].said == f"You drew {card.capitalize()}."


def test_one_can_look_into_an_action(made: Make) -> None:
    worker = made()
    line = Line(seed=3, acts=[Act(seat=0, word="swap")])
    before, after = look(worker, line, 0), look(worker, line, 1)
    put_down, drawn = look(worker, line, 1, 1), look(worker, line, 1, 2)
    assert len(after.events) == 2
    assert seen(put_down, "card")[0][0] == "–"
    assert seen(drawn, "card")[0][0] == seen(after, "card")[0][0]
    assert seen(drawn, "to_act")[0] == ["A"]  # the turn has not passed yet
    assert put_down.choices == []
    # the game shows nothing on the way: players still see what they saw
    scenes = [x.scene and x.scene["zones"] for x in put_down.views]
    assert scenes == [x.scene and x.scene["zones"] for x in before.views]


def test_the_table_is_shown_as_every_seat_sees_it(made: Make) -> None:
    worker = made()
    found = look(worker, played(worker), 0)
    assert [x.viewer for x in found.views] == [0, 1, None]
    mine, theirs, _ = (json.dumps(x.scene) for x in found.views)
    card = seen(found, "card")[0][0].capitalize()
    other = seen(found, "card")[0][1].capitalize()
    assert f'"{card}"' in mine
    assert f'"{other}"' in theirs
    assert card == other or f'"{card}"' not in theirs


def test_a_scene_that_cannot_be_drawn_is_said_in_its_place(made: Make, folder: Path) -> None:
    edit(
        folder,
        ("def title(self) -> str:", "def title(self) -> str:\n        1 / 0"),
        file="scene.py",
    )
    found = look(made(), Line(), 0)
    assert all(x.scene is None and x.fault for x in found.views)
    assert found.views[0].fault
    assert found.views[0].fault.where.startswith("scene.py:")
    assert [x.word for x in found.choices] == ["keep", "swap"]  # one can go on


# ---- scenarios -----------------------------------------------------------------------------------
def drafted(worker: Worker, line: Line, begin: int, end: int) -> str:
    found = worker.answer(DraftRequest(line=line, begin=begin, end=end, title="a [test]"))
    assert isinstance(found, Draft), found
    return found.text


def test_a_scenario_that_is_saved_holds_when_it_is_read_back(made: Make, folder: Path) -> None:
    worker = made()
    line = Line(options="players=3 rounds=2", seed=3, acts=[Act(seat=0, word="swap")])
    text = drafted(worker, line, 0, 1)
    assert "scenario BE-S6 a (test)  [BE-4]\noptions rounds=2\nposition beasts n=3 " in text
    assert "\ndo 0 swap\nexpect to_act=1:TURN " in text
    assert "told=SWAPPED(0," in text
    assert ";DREW(0,?) told0=" in text
    assert re.search(r" deck=\w+\.\w+ ", text)  # it holds what is drawn, and is not empty then
    assert " points=0.0.0" in text
    saved = worker.answer(SaveRequest(text=text))
    assert isinstance(saved, Saved)
    file, _, number = saved.where.partition(":")
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    assert lines[int(number) - 1].startswith("scenario BE-S6 ")
    found = scenario.parse("\n".join(lines))
    assert [x.id for x in found][-2:] == ["BE-S5", "BE-S6"]
    for sc in found:
        scenario.run(worker.game, sc)
    assert "BE-S7" in drafted(worker, line, 1, 1)  # the next one


def test_random_outcomes_are_part_of_a_scenario(made: Make) -> None:
    worker = made(
        (
            "    tell(s, Event.ROUND, 0, s.round)\n",
            "    tell(s, Event.ROUND, 0, s.round)\n    shuffle(s, s.deck, s.deck_size)\n"
            "    s.points[roll(s, 2) - 1] += 1\n",
        ),
        ("    rule,\n", "    roll,\n    rule,\n"),
    )
    line = Line(seed=5, acts=[Act(seat=0, word="keep"), Act(seat=1, word="keep")])
    text = drafted(worker, line, 1, 2)
    assert "\nchance shuffle(" in text
    (sc,) = scenario.parse(text)
    scenario.run(worker.game, sc)


def test_what_does_not_matter_is_no_part_of_a_scenario(made: Make) -> None:
    worker = made(
        (
            "    tell(s, Event.KEPT, s.to_act)\n",
            "    tell(s, Event.KEPT, s.to_act)\n    shuffle(s, s.deck, s.deck_size)\n",
        ),
    )
    text = drafted(worker, Line(seed=5, acts=[Act(seat=0, word="keep")]), 0, 1)
    assert "\nchance any\n" in text
    assert len(text) < 220
    (sc,) = scenario.parse(text)
    scenario.run(worker.game, sc)


def test_a_scenario_that_does_not_hold_is_not_saved(made: Make, folder: Path) -> None:
    worker = made()
    line = Line(seed=3, acts=[Act(seat=0, word="keep")])
    text, file = drafted(worker, line, 0, 1), folder / "scenarios.scn"
    before = file.read_text(encoding="utf-8")
    for wrong, says in (
        (text.replace("BE-S6", "BE-S1"), "call it BE-S6"),
        (text.replace("[BE-3]", "[BE-33]"), "BE-33"),
        (text + text.replace("BE-S6", "BE-S7"), "2 scenarios"),
        ("nonsense", "not a line"),
    ):
        refused = worker.answer(SaveRequest(text=wrong))
        assert isinstance(refused, Refused)
        assert says in refused.message
    assert file.read_text(encoding="utf-8") == before
    wrong = text.replace("to_act=1", "to_act=0")
    refused = worker.answer(SaveRequest(text=wrong))
    assert isinstance(refused, Saved)
    assert not refused.where
    assert "expected 0" in refused.fails
    assert file.read_text(encoding="utf-8") == before
    anyway = worker.answer(SaveRequest(text=wrong, anyway=True))
    assert isinstance(anyway, Saved)
    assert anyway.where
    assert anyway.fails == refused.fails
    assert file.read_text(encoding="utf-8").endswith(f"\n\n{wrong}")


def test_a_game_of_the_box_shows_scenarios_and_saves_none() -> None:
    worker = Worker(serve.load_of("war_zone"))
    line = played(worker)
    found = worker.answer(DraftRequest(line=line, begin=4, end=6))
    assert isinstance(found, Draft)
    assert "by their folder" in found.why_not
    refused = worker.answer(SaveRequest(text=found.text))
    assert isinstance(refused, Refused)


# ---- checks --------------------------------------------------------------------------------------
def test_a_law_that_is_broken_opens_at_its_decision(made: Make) -> None:
    worker = made(LEAK)
    *_, found = worker.checks(effort=Effort(matches=4))
    assert found.state == "done"
    assert found.done == found.of
    failure = next(x for x in found.failures if x.line and x.group != "Scenarios")
    assert failure.line
    assert failure.fault.what.startswith(("seat ", "spectators "))
    assert "is told" in failure.fault.what or "are told" in failure.fault.what
    position = look(worker, failure.line)
    assert position.cut is None
    assert position.at == len(failure.line.acts)
    assert failure.marked == ["DREW"]  # of the last action
    assert [x.event for x in position.events if x.event.startswith("DREW")]
    assert not re.search(r"seed \d+, decision", failure.fault.what)


def test_a_scenario_that_fails_opens_where_it_does(made: Make, folder: Path) -> None:
    file = folder / "scenarios.scn"
    file.write_text(
        """\
scenario BE-S1 two positions, the second with chance  [BE-3]
position beasts n=2 phase=DEAL
chance any
expect to_act=0:TURN
position beasts n=2 phase=TURN card=dog/wolf deck=cat.cat round=1
do 0 keep
expect to_act=1:TURN
do 1 swap
expect points=7.7

scenario BE-S2 what may not be done  [BE-4]
position beasts n=2 phase=TURN card=dog/wolf round=1
do 0 swap
"""
    )
    worker = made()
    *_, found = worker.checks(effort=Effort(matches=0))
    first, second = (x for x in found.failures if x.group == "Scenarios")
    assert first.line
    assert [x.word for x in first.line.acts] == ["keep", "swap"]
    assert first.fault.where == "scenarios.scn:9"
    assert "expected 7.7, found" in first.fault.what
    position = look(worker, first.line)
    assert (position.at, position.cut) == (2, None)
    assert seen(position, "discard")[0] == ["wolf", "dog", "cat"]
    assert seen(look(worker, first.line, 1), "card")[0] == ["dog", "wolf"]
    assert "told1=" in drafted(worker, first.line, 1, 2)  # and may be written as another
    assert second.line
    position = look(worker, second.line)
    assert position.cut
    assert position.cut.at == position.at == 0
    assert "'swap' is not legal now" in position.cut.fault.what


# ---- what is broken ------------------------------------------------------------------------------
STUCK = (
    ("@move(Phase.TURN, always=True)\ndef keep", "@move(Phase.TURN)\ndef keep"),
    (
        "@move(Phase.TURN)\ndef swap",
        '@allow(keep)\ndef may_keep(t: Table, s: State) -> bool:\n    """BE-3: in round 1."""\n'
        "    return s.round < 2\n\n\n@move(Phase.TURN)\ndef swap",
    ),
    ("return s.deck_size > 0", "return s.deck_size > 0 and s.round < 2"),
)


def test_a_match_in_which_nothing_can_be_done_says_so(made: Make) -> None:
    worker, says = made(*STUCK), "Seat A has no legal action, and the match is not over"
    went = worker.answer(Bots(line=Line(seed=3), at=0))
    assert isinstance(went, Went)
    assert went.cut
    assert (went.cut.act, went.cut.fault.what) == (None, says)
    found = look(worker, went.line)
    assert (found.at, found.cut, found.choices) == (2, None, [])
    assert found.stuck
    assert found.stuck.what == says
    went.line.acts.append(Act(seat=0, word="keep"))
    found = look(worker, went.line)
    assert found.cut
    assert (found.cut.fault.what, found.cut.refused) == (says, False)
    opened = look(worker, Line(position="beasts n=2 phase=TURN card=dog/wolf round=2"))
    assert opened.stuck
    *_, checked = worker.checks(effort=Effort(matches=1))
    assert says in [x.fault.what for x in checked.failures if x.line]


def test_a_state_that_cannot_be_read_stops_the_match_before_it(made: Make) -> None:
    worker = made(
        ("    s.card[p] = 0\n", "    s.card[p] = 100\n"),
        ("    draw_card(s, s.to_act)\n    next_turn", "    next_turn"),
    )
    acts = [Act(seat=0, word="keep"), Act(seat=1, word="swap"), Act(seat=0, word="keep")]
    found = look(worker, Line(seed=3, acts=acts))
    assert found.cut
    fault = found.cut.fault
    assert (found.at, found.cut.at, found.cut.act) == (1, 1, acts[1])
    assert "discard[2] is 99, for which there is no Card" in fault.what
    assert next(x.text for x in fault.lines if x.meant).startswith("def swap(")
    assert [x.word for x in found.choices] == ["keep", "swap"]  # one can go on
    assert look(worker, Line(seed=3, acts=acts), 0).at == 0
    *_, checked = worker.checks(effort=Effort(matches=2))
    assert [x for x in checked.failures if "for which there is no Card" in x.fault.what]


def test_a_number_too_large_for_its_field_is_said_in_words(made: Make) -> None:
    worker = made(("s.points[p] += 1", "s.points[p] += 200"))
    found = look(worker, Line(acts=[Act(seat=0, word="keep"), Act(seat=1, word="keep")]))
    assert found.cut
    assert found.cut.fault.what == "s.points[p] cannot be 200: points holds 0 .. 127"
    assert "n16()" in found.cut.fault.hint
    worker = made(("s.points[p] += 200", "s.points[p] -= 1"))
    found = look(worker, Line(acts=[Act(seat=0, word="keep"), Act(seat=1, word="keep")]))
    assert found.cut
    assert found.cut.fault.what == "s.points[p] cannot be -1: points holds 0 .. 127"


# ---- the server ----------------------------------------------------------------------------------
class Served:
    """`battlebox dev` in a thread."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.http = a_client(self.url)

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(f"/api/dev/{path}", json=body)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def until(self, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Listens until the status is so."""
        with self.http.stream("GET", "/api/dev/status") as told:
            for text in told.iter_lines():
                if text.startswith("data: ") and is_so(status := json.loads(text[6:])):
                    return dict(status)
        raise AssertionError("the server has ended")

    def version(self, after: int = 0) -> dict[str, Any]:
        """Waits for a version after this one, which is to be ready."""
        status = self.until(lambda x: x["version"] > after and x["state"] != "loading")
        assert status["state"] == "ready", status["fault"]
        return status


@contextlib.contextmanager
def in_thread(folder: Path, patience: float = PATIENCE) -> Iterator[Served]:
    """Serves a folder; what takes longer than so many seconds is an endless loop."""
    began, servers, logger = threading.Event(), list[Any](), logging.getLogger("battlebox")
    handlers = list(logger.handlers)

    def note(server: Any) -> None:
        servers.append(server)
        began.set()

    how = {"port": 0, "browser": False, "patience": patience, "say": lambda _: None, "began": note}
    thread = threading.Thread(target=serve.serve, args=(str(folder),), kwargs=how)
    thread.start()
    assert began.wait(PATIENCE)
    logger.handlers[:] = handlers
    server = Served(servers[0].servers[0].sockets[0].getsockname()[1])
    try:
        yield server
    finally:
        server.http.close()
        servers[0].should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.fixture
def served(folder: Path) -> Iterator[Served]:
    """A server of the folder."""
    with in_thread(folder) as server:
        yield server


def test_a_saved_file_is_a_new_version(served: Served, folder: Path) -> None:
    served.version()
    line = {"seed": 4, "acts": [{"seat": 0, "word": "swap"}]}
    first = served.post("look", line=line)["answer"]
    assert first["version"] == 1
    assert len(first["events"]) == 2

    edit(folder, ("    s.deck_size -= 1\n", "    s.deck_size -= 1 +\n"))
    broken = served.until(lambda x: x["state"] == "broken")
    assert broken["fault"]["where"].startswith("rules.py:")
    assert "SyntaxError" in broken["fault"]["what"]
    assert "Traceback" not in json.dumps(broken)
    assert served.post("look", line=line) == {"fault": broken["fault"]}

    edit(
        folder,
        ("    s.deck_size -= 1 +\n", "    s.deck_size -= 1\n"),
        ("    draw_card(s, s.to_act)\n    next_turn", "    next_turn"),
    )
    mended = served.version(after=broken["version"])
    second = served.post("look", line=line)["answer"]
    assert second["version"] == mended["version"]
    assert len(second["events"]) == 1
    assert second["line"]["acts"] == line["acts"]

    # checks run aside, and can be stopped
    assert served.http.post("/api/dev/checks").status_code == 204
    checks = served.until(lambda x: x["checks"]["done"] > 3)["checks"]
    assert checks["passed"]
    assert served.post("look", line={})["answer"]  # meanwhile
    assert served.http.post("/api/dev/checks/stop").status_code == 204
    stopped = served.until(lambda x: x["checks"]["state"] != "running")["checks"]
    assert stopped["state"] in ("stopped", "done")


def test_a_loop_that_never_ends_is_said_with_its_place(folder: Path) -> None:
    loop = "    while s.round > 0:\n        s.discard_size += 0\n"
    told = "    tell(s, Event.KEPT, s.to_act)\n"
    edit(folder, (told, told + loop))
    with in_thread(folder, patience=2.0) as served:  # ample to come to the loop
        served.version()
        assert served.post("look", line={})["answer"]  # what takes its time is there then
        fault = served.post("look", line={"acts": [{"seat": 0, "word": "keep"}]})["fault"]
        assert "has not come to an end" in fault["what"]
        assert [x["text"] in loop for x in fault["lines"] if x["meant"]] == [True]
        served.version()  # it goes on


def test_checks_run_again_after_a_save_that_loads(tmp_path: Path) -> None:
    """None is run after they were stopped, and none of a version that is broken."""
    begun, folder = list[int](), tmp_path

    class Said:
        """A process that answers at once."""

        def __init__(self, *_: Any) -> None:
            self.heard = iter([Checks(state="running"), Checks(state="done")])

        async def ask(self, _load: Any) -> GameInfo | Fault:
            return answers.pop(0) if answers else info

        async def hear(self) -> Checks:
            return next(self.heard)

        def send(self, _: Any) -> None:
            begun.append(versions.status.version)

        def end(self) -> None:
            pass

    info = GameInfo.model_construct(name="beasts", title="Beasts", folder="beasts")
    answers = list[GameInfo | Fault]()
    versions = Versions(Load(str(folder), folder), make=Said)  # type: ignore[arg-type]

    async def until(is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_so():
                await asyncio.sleep(0)

    async def goes() -> None:
        status = versions.status
        versions.renew()
        await until(lambda: status.state == "ready")
        assert not begun
        versions.check()
        await until(lambda: status.checks.state == "done")
        versions.renew()
        await until(lambda: begun == [1, 2] and status.checks.state == "done")
        answers.append(Fault(what="a comma is missing"))
        versions.renew()
        await until(lambda: status.state == "broken")
        versions.renew()
        await until(lambda: begun == [1, 2, 4] and status.checks.state == "done")
        versions.check()
        versions.stop_checks()
        versions.renew()
        await until(lambda: status.state == "ready" and not versions.busy)
        assert begun == [1, 2, 4]
        assert status.checks.state == "stopped"

    in_a_loop(goes())


def test_it_is_for_this_machine_alone(folder: Path) -> None:
    versions = Versions(Load(str(folder), folder))  # which is not begun
    versions.status.game = GameInfo.model_construct(name="beasts")
    app = create_app(versions)

    async def asks() -> None:
        url, way = "http://127.0.0.1:8785", httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(base_url=url, transport=way) as http:
            asked = (("GET", "/dev"), ("GET", "/api/dev/status"), ("POST", "/api/dev/look"))
            for method, path in asked:
                answer = await http.request(method, path, headers={"host": "evil.example"})
                assert answer.status_code == 403
            look, origin = "/api/dev/look", {"origin": "https://evil.example"}
            answer = await http.post(look, json={"line": {}}, headers=origin)
            assert answer.status_code == 403
            answer = await http.get("/dev")
            assert answer.status_code == 200
            assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
            assert (await http.get("/openapi.json")).status_code == 404
            looks = await http.get("/web/theme/beasts.js")  # one without looks
            assert looks.status_code == 200
            too_much = await http.post(look, json={"line": {"seed": -1}})
            assert too_much.status_code == 400

    in_a_loop(asks())
    assert serve.HOME == "127.0.0.1"


def test_what_is_no_game_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    for word in ("no_such_game", str(tmp_path), str(tmp_path / "nothing")):
        with pytest.raises(RulesetError):
            serve.serve(word, browser=False, port=0)
    for name in ("one", "two"):
        new_game(name, "", tmp_path)
    with pytest.raises(RulesetError, match="several games"):
        serve.load_of(str(tmp_path))


# ---- the page ------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.browser
def test_an_author_writes_beside_the_page(served: Served, folder: Path, browser: Browser) -> None:
    context = somebody(browser, viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    wrong = list[str]()
    page.on("console", lambda m: m.type in ("error", "warning") and wrong.append(m.text))
    page.on("pageerror", lambda e: wrong.append(str(e)))
    page.goto(f"{served.url}/dev?seed=4")
    steps = page.locator("#steps")
    expect(steps).to_contain_text("Decision 0 of 6")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(steps).to_contain_text("Decision 2 of 6")
    table = page.get_by_role("table")
    expect(table.get_by_role("row", name="card own").get_by_role("cell")).to_have_count(4)
    expect(table).to_contain_text("face down")
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator(".side-by-side .scene")).to_have_count(3)
    assert violations(page) == []
    page.get_by_role("button", name="Who acts").click()

    page.keyboard.press("2")  # what came after is cut
    expect(steps).to_contain_text("Decision 3 of 3")
    page.keyboard.press("Shift+ArrowLeft")
    expect(steps).to_contain_text("Event 2 of 2")
    page.keyboard.press("End")
    expect(steps).to_contain_text("After its 2 events")

    edit(folder, ("return s.deck_size > 0", "return s.deck_size > 0 +"))
    expect(page.get_by_role("alert")).to_contain_text("SyntaxError")
    expect(page.locator(".is-meant")).to_contain_text("return s.deck_size > 0 +")
    edit(folder, ("return s.deck_size > 0 +", "return s.deck_size > 18"))
    calm = page.locator(".cut.is-calm")
    expect(calm).to_contain_text("on the match goes another way")
    expect(page.get_by_role("alert")).to_have_count(0)
    edit(folder, ("return s.deck_size > 18", "return s.deck_size > 0"))
    expect(steps).to_contain_text("Decision 3 of 3")

    page.get_by_role("button", name="Save as scenario").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("The scenario")).to_have_value(re.compile("^scenario BE-S6 "))
    assert violations(page) == []
    scenario_text = dialog.get_by_label("The scenario")
    written = scenario_text.input_value()
    scenario_text.fill(written.replace("round=1", "round=1  # a note"))
    dialog.get_by_label("What it shows").fill("as I like it")
    wanted = re.sub("(?m)^(scenario BE-S6) .*?(  \\[.*)$", r"\1 as I like it\2", written)
    wanted = wanted.replace("round=1", "round=1  # a note")
    expect(scenario_text).to_have_value(wanted)
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(dialog).to_contain_text("Saved: scenarios.scn:")
    assert (folder / "scenarios.scn").read_text(encoding="utf-8").endswith(f"\n\n{wanted}")
    page.keyboard.press("Escape")

    # one seat against bots: no key plays for them, and what they did can be looked at
    page.goto(f"{served.url}/dev?seed=5")
    page.get_by_label("You play").select_option("1")
    expect(page.locator("#may")).to_contain_text("a bot decides here")
    expect(page.locator("#happened")).to_contain_text("everybody")
    page.keyboard.press("1")
    page.get_by_role("button", name="To your decision").click()
    expect(steps).to_contain_text("Decision 1 of 6")
    page.keyboard.press("1")
    expect(steps).to_contain_text("Decision 2 of 3")
    page.keyboard.press("]")
    expect(steps).to_contain_text("Decision 1 of 1")
    page.get_by_role("button", name="From the start").click()
    expect(steps).to_contain_text("Decision 0 of 0")

    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    context.close()
    assert wrong == []
