"""Two builds of one text: what is refused, how actions are numbered, that both agree, the cache."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from conftest import Break, copy_of
from games import as_game, bricks, chance, race, sealed, window
from numba.core import config
from numba.core.compiler import CompilerBase

from battlebox.core import build as builds
from battlebox.core import jit, laws, replay
from battlebox.core.build import Build
from battlebox.core.checked import checked
from battlebox.core.engine import Engine
from battlebox.core.errors import GameError, IllegalAction, InvalidWord, ScriptError
from battlebox.core.game import Ruleset
from battlebox.core.random import Script, draw, pick, roll, shuffle
from battlebox.core.rules import Move, event, move_of
from battlebox.core.table import fill
from battlebox.games import NAMES, find

TINY = {m.__name__.rpartition(".")[2]: m for m in (race, sealed, window, bricks)}


def plain(module: Any) -> Build:
    return Build(module.__name__, [module], compiled=False)


# ---- what is refused -----------------------------------------------------------------------------
GO = "    s.at[s.to_act] += steps\n"  # a line of race.go


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("    s.att[0] += steps\n", "s.att is not a field"),
        ("    s.turn = t.gaol\n", "is not a field"),
        ("    s.at[0] += t.gaol\n", "t.gaol is not a field"),
        ("    t.goal = 3\n", "the table is read-only"),
        ("    t.goal[0] += 3\n", "the table is read-only"),
        ("    if steps > 3:\n        raise ValueError\n", "never raise"),
        ("    try:\n        s.turns += 1\n    finally:\n        s.turns += 1\n", "never raise"),
        ("    yield steps\n", "never raise"),
        ("    helper(steps)\n", "helper lacks @rule"),
        ("    s.turns += race_parts.bonus(1)\n", "by name, not the module"),
    ],
)
def test_what_numba_would_garble_is_refused_with_its_line(
    broken: Break, line: str, words: str
) -> None:
    helper = "\n\ndef helper(x: int) -> None:\n    pass\n"
    edits = [(GO, line + GO), ("STEP = 1\n", "STEP = 1\n" + helper)]
    if "race_parts" in line:
        edits.append(("from .race_parts import bonus\n", "from . import race_parts\n" + BONUS))
    module = broken("race", *edits)
    with pytest.raises(GameError, match=re.escape(words)) as e:
        plain(module)
    source = Path(module.__file__ or "").read_text(encoding="utf-8").splitlines()
    place = re.match(r"(.*race\.py):(\d+): ", str(e.value))
    assert place, "names file and line"
    first = line.strip().splitlines()[0]
    said = source[int(place[2]) - 1].strip()
    assert said in line
    assert first in "\n".join(source)


BONUS = "from .race_parts import bonus\n"


def test_a_module_of_ours_is_refused_by_whatever_name_it_is_imported(broken: Break) -> None:
    """Only functions imported by name are followed into the compiled build."""
    old = "from .race_parts import bonus\n"
    module = broken(
        "race",
        (old, "from battlebox.core import random as chance\n" + old),
        (GO, GO + "    s.face = chance.roll(s, 6)\n"),
    )
    with pytest.raises(GameError, match="by name"):
        plain(module)


def test_recursion_is_refused(broken: Break) -> None:
    direct = broken("race", (GO, GO + "    if steps > 9:\n        go(t, s, steps - 1)\n"))
    with pytest.raises(GameError, match="go -> go"):
        plain(direct)


def test_mutual_recursion_is_refused(broken: Break) -> None:
    mutual = broken(
        "race",
        ("STEP = 1\n", "STEP = 1\n\n\n@rule\ndef back(t, s, x):\n    go(t, s, x)\n"),
        (GO, GO + "    if steps > 9:\n        back(t, s, steps)\n"),
    )
    with pytest.raises(GameError, match=r"(go -> back -> go|back -> go -> back)"):
        plain(mutual)


def test_two_moves_with_one_number_in_one_phase_are_refused(broken: Break) -> None:
    module = broken("race", ("@move(Phase.RUN)\ndef run", "@move(Phase.RUN, at=0)\ndef run"))
    with pytest.raises(GameError, match=r"run: action 0 means rest"):
        plain(module)


def test_moves_of_two_phases_may_share_a_number(broken: Break) -> None:
    module = broken(
        "race",
        ("    OVER = 2\n", "    OVER = 2\n    REST = 3\n"),
        (
            "@move(Phase.RUN, always=True)\ndef rest",
            "@move(Phase.REST, at=0, always=True)\ndef rest",
        ),
        ("@move(Phase.RUN)\ndef run", "@move(Phase.RUN, at=0)\ndef run"),
        (
            "    if s.phase == Phase.START:\n",
            "    if s.phase == Phase.START or s.phase == Phase.REST:\n",
        ),
    )
    build = plain(module)
    assert (build.num_actions, build.move_of(0, 1).name, build.move_of(0, 3).name) == (
        2,
        "run",
        "rest",
    )
    with pytest.raises(KeyError):
        build.move_of(1, 3)


@pytest.mark.parametrize(
    ("old", "new"), [("    OVER = 2\n", "    DONE = 2\n"), ("    START = 0\n", "    OVER = 0\n")]
)
def test_a_phase_without_an_end_is_refused(broken: Break, old: str, new: str) -> None:
    edits = [(old, new)]
    if "START" in old:
        edits.append(("    OVER = 2\n", "    START = 2\n"))
    with pytest.raises((GameError, AttributeError), match="OVER"):
        plain(broken("race", *edits))


@pytest.mark.parametrize("hook", ["advance", "returns"])
def test_a_missing_hook_is_refused(broken: Break, hook: str) -> None:
    module = broken("race", (f"def {hook}(", f"def {hook}_not("))
    with pytest.raises(GameError, match=f"no {hook}"):
        plain(module)


# ---- numbers of actions --------------------------------------------------------------------------
def moves_of_all_games() -> list[tuple[str, Build]]:
    found = [(name, plain(m)) for name, m in TINY.items()]
    return found + [(name, find(name).build(False)) for name in NAMES]


@pytest.mark.parametrize(("name", "build"), moves_of_all_games())
def test_action_numbers_and_parameters_round_trip(name: str, build: Build) -> None:
    for m in build.moves:
        values = [m.values(a) for a in range(m.at, m.at + m.count)]
        assert len(set(values)) == m.count
        for a, v in zip(range(m.at, m.at + m.count), values, strict=True):
            assert m.number(*v) == a
            assert all(0 <= x < n for x, n in zip(v, m.sizes, strict=True))
            assert all(build.move_of(a, phase) is m for phase in m.phases)
    assert max(m.at + m.count for m in build.moves) == build.num_actions


@pytest.mark.parametrize("module", TINY.values(), ids=TINY)
def test_every_listed_action_is_applied_as_its_move_with_its_parameters(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`choices` lists what the conditions say; `apply` calls the move that `move_of` names."""
    build = plain(module)
    made = build.f
    r = as_game(module).ruleset({})
    engine, dice = Engine(build, r.table, r.players), random.Random(1)
    array = build.states()
    b, acts = build.access(array), build.access(build.action_buffer())
    engine.begin(b, 0, 4)
    for _ in range(40):
        n = made.list_actions(engine.tt, b, 0, acts)
        if n == 0:
            break
        listed = [acts[k] for k in range(n)]
        assert len(set(listed)) == n
        for a in listed:
            m = build.move_of(a, b[0].phase)
            if m.allow and not m.family:
                assert m.allow(engine.tt[0], b[0], *m.values(a))
        for m in build.moves:  # what a condition refuses is not listed
            if b[0].phase in m.phases and m.allow and not m.family:
                for a in set(range(m.at, m.at + m.count)) - set(listed):
                    assert not m.allow(engine.tt[0], b[0], *m.values(a))
        a = dice.choice(listed)
        m = build.move_of(a, b[0].phase)
        copy = np.array(array)
        c = build.access(copy)
        getattr(module, m.name)(engine.tt[0], c[0], *m.values(a))
        made.take(engine.tt, b, 0, a)
        assert [array[x].tolist() for x in array.dtype.names] == [
            copy[x].tolist() for x in copy.dtype.names
        ]


# ---- agreements ----------------------------------------------------------------------------------
def with_agreement(broken: Break, head: str = "def call_it_off(t: Table, s: State)") -> Any:
    """The race; both may agree to end it, at first."""
    text = (
        f"@agreement(Phase.RUN)\n{head} -> None:\n"
        '    """Ends it."""\n    s.phase = Phase.OVER\n\n\n'
        "@allow(call_it_off)\ndef may_call_it_off(t: Table, s: State) -> bool:\n"
        '    """Early."""\n    return s.turns < 2\n\n\n'
    )
    return broken("race", ("    allow,\n", "    agreement,\n    allow,\n"), (CENSUS, text + CENSUS))


CENSUS = "@rule\ndef census("


def test_an_agreement_is_beyond_all_actions_and_in_no_list(broken: Break) -> None:
    build = plain(with_agreement(broken))
    assert (build.num_actions, [m.name for m in build.moves]) == (3, ["rest", "run"])
    assert [(m.words, m.at) for m in build.agreements] == [("call it off", 3)]
    assert len(build.action_buffer()) == 4
    with pytest.raises(KeyError):
        build.move_of(3, 1)


def test_the_text_of_a_game_without_agreements_is_as_ever(broken: Break) -> None:
    """What is derived of a game with one differs by its lines in `apply`, behind all others."""
    before, after = plain(race), plain(with_agreement(broken))
    assert before.agreements == []
    moves = before.moves
    text = builds.text_of_apply(moves)
    more = builds.text_of_apply([*after.moves, *after.agreements])
    added = ["        if a == 3:", "            call_it_off(t, s)", "            return"]
    assert more == [*text[:-1], *added, text[-1]]


def test_an_agreement_with_parameters_is_refused(broken: Break) -> None:
    head = "def call_it_off(t: Table, s: State, dice: Dice)"
    with pytest.raises(GameError, match="call_it_off: an agreement has no parameters"):
        plain(with_agreement(broken, head))


def test_an_agreement_is_taken_by_all_or_not_at_all(broken: Break) -> None:
    rules = as_game(with_agreement(broken)).ruleset({})
    m = rules.match(1)
    assert dict(m.agreements) == {"call it off": 3}
    before = m.digest()
    for seat, word in ((0, 3), (0, "a3"), (0, "call it off"), (None, "a0"), (None, "call_it_off")):
        with pytest.raises((IllegalAction, InvalidWord)):
            m.repeat(seat, word)
    assert (m.digest(), m.history) == (before, [])
    m.agree("call it off")
    assert (m.over, m.history) == (True, [(None, "call it off")])
    assert replay.read(m.record(), lambda name: rules.game).digest() == m.digest()
    assert m.undo() == "call it off"
    assert m.digest() == before
    m.repeat(0, "a0")
    m.repeat(1, "a0")
    with pytest.raises(IllegalAction, match=r"'call it off' .*RUN.* what can: nothing"):
        m.agree("call it off")
    laws.check(rules, 20, compiled=False)


def test_a_move_without_parameters_is_one_action() -> None:
    plain(race)
    assert (move_of(race.rest).count, move_of(race.run).count) == (1, 2)
    assert isinstance(move_of(race.rest), Move)


# ---- importing and playing plain loads no Numba --------------------------------------------------
def surroundings(cache: Path, path: Path | None) -> dict[str, str]:
    """The environment of a Python with this cache, which finds modules in `path`."""
    # no .pyc: one counts as fresh if the text was edited within its second and is as long as before
    env = os.environ | {"BATTLEBOX_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    return env | ({"PYTHONPATH": str(path)} if path else {})


def run_python(code: str, cache: Path, *, path: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env=surroundings(cache, path),
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_and_playing_plain_loads_no_numba(tmp_path: Path) -> None:
    code = """
    import sys
    import battlebox as bb
    for name in bb.games():
        m = bb.load(name).match(seed=1)
        while not m.over:
            m.submit(m.to_act, m.legal_words()[0])
            m.observation(0), m.scene(0), m.events(0)
        assert bb.replay(m.record()).over
        bb.bot("random", m.rules)
    loaded = {"numba", "llvmlite"} & set(sys.modules)
    assert not loaded, loaded
    print("ok")
    """
    assert run_python(code, tmp_path / "cache") == "ok\n"
    assert not (tmp_path / "cache").exists()


def test_importing_loads_neither_rich_nor_typer(tmp_path: Path) -> None:
    code = "import sys, battlebox; print({'rich', 'typer', 'numba'} & set(sys.modules))"
    assert run_python(code, tmp_path) == "set()\n"


# ---- chance --------------------------------------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_chance_is_the_same_on_both_builds() -> None:
    game = as_game(race)
    builds_ = [game.build(c) for c in (False, True)]
    for k in range(300):
        seed = (k * 0x9E3779B97F4A7C15) % 2**64 if k % 2 else k
        got = []
        for build in builds_:
            states = build.states()
            states["rng"] = seed
            cards, out = np.arange(40, dtype=np.int8), np.zeros(200, np.int64)
            some_chance = build.bind(chance)["some_chance"]
            some_chance(build.access(states), 0, 40, build.access(cards), build.access(out))
            got.append((int(states["rng"][0]), cards.tobytes(), out.tobytes()))
        assert got[0] == got[1]


def state_with(seed: int) -> Any:
    a = np.zeros(1, race.State.layout)
    a["rng"] = seed
    return checked(a)[0]


def test_every_outcome_comes_about_as_often() -> None:
    """Chi-squared of 6 faces and of 24 orders, far below what chance would give once in 10^6."""
    s, n = state_with(1), 12_000
    faces = [0] * 6
    for _ in range(n):
        faces[roll(s, 6) - 1] += 1
    assert sum((x - n / 6) ** 2 / (n / 6) for x in faces) < 36
    orders: dict[tuple[int, ...], int] = {}
    for _ in range(n):
        cards = checked(np.arange(4, dtype=np.int8))
        shuffle(s, cards, 4)
        key = tuple(cards[i] for i in range(4))
        orders[key] = orders.get(key, 0) + 1
    assert len(orders) == 24
    assert sum((x - n / 24) ** 2 / (n / 24) for x in orders.values()) < 75


def test_outcomes_stay_in_their_range() -> None:
    s = state_with(2**64 - 1)
    for n in (1, 2, 3, 100, 2**31):
        for _ in range(50):
            assert 0 <= draw(s, n) < n
            assert 1 <= roll(s, n) <= n
    values = checked(np.array([7, 8, 9], np.int8))
    assert {pick(s, values, 2) for _ in range(50)} == {7, 8}


def test_a_script_says_the_outcomes() -> None:
    s = state_with(1)
    cards = checked(np.array([1, 1, 2], np.int8))
    s._chance = Script(3, 6, 2, [1, 2, 1])
    assert (draw(s, 4), roll(s, 6), pick(s, cards, 3)) == (3, 6, 2)
    shuffle(s, cards, 3)
    assert [cards[i] for i in range(3)] == [1, 2, 1]
    assert s.rng == 1
    with pytest.raises(ScriptError, match="no outcome is left"):
        draw(s, 4)


@pytest.mark.parametrize("wrong", [4, -1, [1], "x"])
def test_a_scripted_outcome_that_cannot_be_is_refused(wrong: Any) -> None:
    s = state_with(1)
    s._chance = Script(wrong, wrong, wrong, wrong)
    cards = checked(np.array([1, 1, 2], np.int8))
    with pytest.raises(ScriptError):
        draw(s, 4)
    with pytest.raises(ScriptError):
        roll(s, 3)
    with pytest.raises(ScriptError):
        pick(s, cards, 2)
    with pytest.raises(ScriptError):
        shuffle(s, cards, 3)


# ---- the compiled build and its cache ------------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
@pytest.mark.parametrize("module", [race, sealed], ids=["race", "sealed"])
def test_random_matches_are_the_same_on_both_builds(module: Any) -> None:
    rules = as_game(module).ruleset({})
    one, two = (e.play(30, seed=5) for e in (rules.plain(), rules.compiled()))
    assert (one.returns == two.returns).all()
    assert (one.decisions == two.decisions).all()
    assert len(set(one.returns[:, 0])) > 1


PLAY = """
import sys
from pathlib import Path
from battlebox.core.build import Build
from battlebox.core.engine import Engine
from battlebox.core.table import fill
from copied import race
cache = Path(sys.argv[1]) if len(sys.argv) > 1 else None
build = Build("race", [race], compiled=True)
for goal in GOALS:
    engine = Engine(build, fill(race.Table.layout, {"goal": goal, "sides": 6}), 2)
    played = engine.play(200, 1)
stats = build.f.play_many.stats
print(int(played.decisions.sum()), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def play_copied(
    folder: Path, *edits: tuple[str, str], goals: str = "[30]", before: str = ""
) -> tuple[int, int, int]:
    """(decisions, cache hits, compilations) of the copied race, in a process of its own.

    `before`: Python that it runs first.
    """
    copy_of(folder / "src", "race", *edits, package="copied")
    out = run_python(f"{before}\nGOALS = {goals}\n{PLAY}", folder / "cache", path=folder / "src")
    decisions, hits, misses = map(int, out.split())
    return decisions, hits, misses


@pytest.mark.slow
@pytest.mark.compiled
def test_the_code_of_one_game_is_never_taken_for_that_of_another(tmp_path: Path) -> None:
    """Each compiled by a process of its own, met in one: what takes no record of a game, but
    knows how many actions it has.
    """
    copy_of(tmp_path, "sealed", package="few")
    copy_of(tmp_path, "sealed", ("KINDS, EACH, HAND = 5", "KINDS, EACH, HAND = 7"), package="more")
    audit = """
    import importlib, sys
    sys.path.append(TESTS)
    from battlebox.core import laws
    from games import as_game
    for name in NAMES:
        game = as_game(importlib.import_module(f"{name}.sealed"))
        laws.audit(game.ruleset({}), 10)
    """
    tests = str(Path(__file__).parent)
    for names in (["few"], ["more"], ["few", "more"]):
        code = f"TESTS, NAMES = {tests!r}, {names}\n{textwrap.dedent(audit)}"
        run_python(code, tmp_path / "cache", path=tmp_path)


def files_in(folder: Path) -> set[Path]:
    return {f for f in folder.rglob("*") if f.is_file()}


def plain_decisions(broken: Break, *edits: tuple[str, str], goal: int = 30) -> int:
    module = broken("race", *edits)
    engine = Engine(plain(module), fill(module.Table.layout, {"goal": goal, "sides": 6}), 2)
    return int(engine.play(200, 1).decisions.sum())


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.xdist_group("cache")
def test_the_cache_keeps_what_is_the_same_and_nothing_else(tmp_path: Path, broken: Break) -> None:
    first = play_copied(tmp_path)
    assert first == (plain_decisions(broken), 0, 1)
    kept = files_in(tmp_path / "cache")
    assert kept
    # the same text: found, nothing written
    assert play_copied(tmp_path) == (first[0], 1, 0)
    assert files_in(tmp_path / "cache") == kept
    # other numbers in the table: no new compilation, not even in the process
    other = play_copied(tmp_path, goals="[30, 60]")
    assert other == (plain_decisions(broken, goal=60), 1, 0)
    assert files_in(tmp_path / "cache") == kept
    # a constant was edited: another stamp, compiled anew, the new result
    constant = ("STEP = 1\n", "STEP = 9\n")
    edited = play_copied(tmp_path, constant)
    assert edited == (plain_decisions(broken, constant), 0, 1)
    assert edited[0] != first[0]
    assert {f.parent.name for f in files_in(tmp_path / "cache")} > {f.parent.name for f in kept}
    # a callee in another file was edited: Numba's own cache would miss that
    callee = ("    return seat\n", "    return 7 * seat\n")
    edited = play_copied(tmp_path, callee)
    assert edited == (plain_decisions(broken, callee), 0, 1)
    assert edited[0] != first[0]
    # a field was made wider: another shape
    wider = ("at = public(n16(2))", "at = public(n16(3))")
    assert play_copied(tmp_path, wider) == (first[0], 0, 1)
    # back to the first text: still there
    assert play_copied(tmp_path) == (first[0], 1, 0)


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
def test_a_damaged_cache_is_compiled_over(tmp_path: Path) -> None:
    first = play_copied(tmp_path)
    for f in files_in(tmp_path / "cache"):
        f.write_bytes(b"")
    decisions, _, _ = play_copied(tmp_path)
    assert decisions == first[0]
    assert play_copied(tmp_path)[1:] == (1, 0), "the cache is whole again"


# it says when it first looks for code that is not there, and asks before it keeps what it compiled
IN_STEPS = """
import numba.core.caching as caching
found, keep = caching.IndexDataCacheFile._load_index, caching.IndexDataCacheFile.save

def look(self):
    index = found(self)
    if not index:
        print("not there", flush=True)
    return index

def keep_when_told(self, key, data):
    print("compiled", flush=True)
    input()
    keep(self, key, data)

caching.IndexDataCacheFile._load_index = look
caching.IndexDataCacheFile.save = keep_when_told
"""


def compile_in_steps(folder: Path) -> subprocess.Popen[str]:
    """A process that compiles the copied race and plays it, told what to do line by line."""
    copy_of(folder / "src", "race", package="copied")
    return subprocess.Popen(
        [sys.executable, "-c", f"{IN_STEPS}\nGOALS = [30]\n{PLAY}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings(folder / "cache", folder / "src"),
    )


def read_until(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdout
    for said in process.stdout:
        if said.strip() == line:
            return
    raise AssertionError(f"it ended without a line that says {line!r}")


def counted(process: subprocess.Popen[str]) -> tuple[int, int]:
    """(cache hits, compilations) of a process that may now go on to its end."""
    said, _ = process.communicate("\n" * 10)
    hits, misses = map(int, said.splitlines()[-1].split()[1:])
    return hits, misses


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
def test_two_processes_at_once_compile_a_game_once(tmp_path: Path) -> None:
    with compile_in_steps(tmp_path) as first:
        read_until(first, "compiled")  # and not yet kept
        with compile_in_steps(tmp_path) as second:
            read_until(second, "not there")
            assert counted(first) == (0, 1)
            assert counted(second) == (1, 0)


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
def test_who_is_killed_while_it_compiles_stops_nobody(tmp_path: Path) -> None:
    with compile_in_steps(tmp_path) as first:
        read_until(first, "compiled")
        with compile_in_steps(tmp_path) as second:
            read_until(second, "not there")
            first.kill()
            assert counted(second) == (0, 1)


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
@pytest.mark.parametrize("error", ["PermissionError()", "filelock.Timeout('')"])
def test_where_the_cache_cannot_be_locked_each_compiles_for_itself(
    tmp_path: Path, error: str
) -> None:
    before = f"""
import filelock
def refused(self, timeout):
    raise {error}
filelock.FileLock.acquire = refused
"""
    assert play_copied(tmp_path, before=before)[1:] == (0, 1)


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
def test_without_a_place_for_the_cache_it_runs_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands in the way")
    assert play_copied(tmp_path) == (play_copied(tmp_path)[0], 0, 1)


@pytest.mark.compiled
@pytest.mark.xdist_group("cache")
def test_only_old_folders_of_ours_are_swept(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    ours, foreign = cache / ("race-" + "0123456789" * 2), cache / "photos"
    for folder in (ours, foreign):
        folder.mkdir(parents=True)
        os.utime(folder, (0, 0))
    play_copied(tmp_path)
    assert not ours.exists()
    assert foreign.exists()


@pytest.mark.compiled
@pytest.mark.xdist_group("tiny")
def test_drivers_are_bound_once() -> None:
    build = as_game(race).build(True)
    assert build.bind(chance)["some_chance"] is build.bind(chance)["some_chance"]


def test_a_game_keeps_one_build_of_each_kind() -> None:
    game = as_game(race)
    assert game.build(False) is game.build(False)
    rules = [game.ruleset({"goal": g}) for g in (10, 20)]
    assert rules[0].plain().build is rules[1].plain().build
    assert isinstance(rules[0], Ruleset)


def test_the_derived_text_can_be_read_in_tracebacks() -> None:
    build = plain(race)
    assert builds.text_of_apply(build.moves)[0] == "def apply(t, s, a):"
    import linecache

    assert any("def apply" in x for x in linecache.getlines(f"<{race.__name__}: derived>"))


# ---- what the machine code depends on ------------------------------------------------------------
NUMBERS = ("from .race_parts import bonus\n\nSTEP = 1\n", "from .race_parts import STEP, bonus\n")


def stamp(module: Any) -> str:
    return plain(module).stamp([]).partition(module.__name__)[2] or plain(module).stamp([])


@pytest.mark.compiled
@pytest.mark.parametrize(
    "edits",
    [
        [("STEP = 1\n", "STEP = 2\n")],
        [("    return seat\n", "    return seat + 1\n")],
        [("    RUN = 1\n    OVER = 2\n", "    RUN = 2\n    OVER = 1\n")],
        [("at = public(n16(2))", "at = public(n16(3))")],
        [("class Dice(Domain, n=2)", "class Dice(Domain, n=1)")],
    ],
)
def test_an_edit_is_another_stamp(broken: Break, edits: list[tuple[str, str]]) -> None:
    assert stamp(broken("race", *edits)) != stamp(broken("race"))


@pytest.mark.compiled
def test_words_about_the_code_are_none_of_it(broken: Break) -> None:
    edits = [
        ('"""So many steps on."""', '"""So many, many steps."""'),
        ("STEP = 1\n", "# one\nSTEP = 1\n"),
    ]
    assert stamp(broken("race", *edits)) == stamp(broken("race"))


@pytest.mark.compiled
def test_a_constant_of_another_module_is_in_the_stamp(broken: Break) -> None:
    parts = "from battlebox.core.rules import rule\n"
    found = {stamp(broken("race", NUMBERS, (parts, f"{parts}\nSTEP = {n}\n"))) for n in (1, 1, 5)}
    assert len(found) == 2


@pytest.mark.compiled
def test_the_stamp_is_of_what_was_imported(broken: Break) -> None:
    module = broken("race")
    before = stamp(module)
    path = Path(module.__file__ or "")
    path.write_text(path.read_text(encoding="utf-8").replace("STEP = 1", "STEP = 7"))
    assert stamp(module) == before


@pytest.mark.compiled
def test_what_a_bound_module_calls_is_in_its_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    """`search` calls `playout` of the drivers, which had been bound before."""
    from battlebox.bots import search
    from battlebox.core import drivers

    functions, build = builds.marked_functions(search), plain(race)
    before = build.stamp(functions)
    code = drivers.playout.__code__
    consts = tuple(7 if c == 1 else c for c in code.co_consts)
    monkeypatch.setattr(drivers.playout, "__code__", code.replace(co_consts=consts))
    assert build.stamp(functions) != before


# ---- also refused --------------------------------------------------------------------------------
@pytest.mark.compiled
def test_functions_of_others_still_count_from_the_end() -> None:
    """Ours do not look whether an index is negative; nobody else's code is compiled otherwise."""
    Build("race", [race], compiled=True)

    @numba.njit
    def last(a: Any, i: int) -> Any:
        return a[i], a[-1]

    assert last(np.arange(5), -2) == (3, 4)


@pytest.mark.compiled
def test_others_find_numba_as_they_left_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """We compile at a level of our own, and leave theirs alone, also when it fails."""
    monkeypatch.setenv("BATTLEBOX_CACHE", str(tmp_path))
    levels = []

    def double(n: Any) -> Any:
        return n * 2

    def noted(self: Any, *a: Any) -> Any:
        levels.append(config.OPT)  # type: ignore[attr-defined]
        return bytecode(self, *a)

    bytecode, usual = CompilerBase._compile_bytecode, config.OPT  # type: ignore[attr-defined]
    monkeypatch.setattr(CompilerBase, "_compile_bytecode", noted)
    compiled = jit.entry(double, f"double-{'0' * 20}")
    assert compiled(4) == 8
    with pytest.raises(numba.TypingError):
        compiled({})
    assert set(levels) == {min(usual, 2)}
    assert usual == config.OPT  # type: ignore[attr-defined]


def test_a_family_of_moves_of_different_phases_is_refused(broken: Break) -> None:
    module = broken(
        "race",
        ("    OVER = 2\n", "    OVER = 2\n    LAST = 3\n"),
        ("@move(Phase.RUN, always=True)\ndef rest", "@move(Phase.RUN, Phase.LAST)\ndef rest"),
        ("    allow,\n", "    allow,\n    allow_all,\n"),
        (
            "@allow(run)\ndef may_run(t: Table, s: State, dice: Dice) -> bool:",
            "@allow_all(rest, run)\ndef may_run(t: Table, s: State, dice: Row) -> None:",
        ),
    )
    with pytest.raises(GameError, match="same phases"):
        plain(module)


def test_two_rules_of_one_name_are_refused(broken: Break) -> None:
    module = broken(
        "race",
        ("def bonus(seat: int) -> int:", "def go(seat: int) -> int:"),
        ("from .race_parts import bonus\n", "from .race_parts import go as bonus\n"),
    )
    with pytest.raises(GameError, match="called go"):
        plain(module)


def test_more_actions_than_a_list_can_number_are_refused(broken: Break) -> None:
    with pytest.raises(GameError, match="32767"):
        plain(broken("race", ("class Dice(Domain, n=2)", "class Dice(Domain, n=40000)")))


@pytest.mark.parametrize("names", [(), ("seat", "a", "b", "c", "d")])
def test_an_event_of_too_many_arguments_is_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(GameError, match="up to three more"):
        event(*names)
