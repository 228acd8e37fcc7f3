"""Own decks: all that is wrong is told at once, by name and line, wherever a deck is given."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_cli import Command, run

import battlebox as bb
from battlebox import decks
from battlebox.arena.balance.parameters import to_toml
from battlebox.core.lines import Keys, lines
from battlebox.games import find

__all__ = ["run"]  # the fixture

WITH_DECKS = [name for name in bb.games() if find(name).deck]
WRONG = """\
name = "Mine"

[[attack]]
id = "fire"
code = "if"
name = "Infantry Fire"
conut = 4
damage = -5
blocked_by = "wire"
counteraction = ["fire", "bomb"]

[[defence]]
id = "wire"
code = "BW"
name = "Infantry Fire"
count = 4
"""
FAULTS = """\
  Infantry Fire, line 3: 'count' is missing
  Infantry Fire, line 5: code "if"; 1 to 4 capital letters and digits, a letter first
  Infantry Fire, line 7: 'conut' is not known; did you mean 'count'?
  Infantry Fire, line 8: damage -5; 0 to 999
  Infantry Fire, line 10: counteraction: no card has the id 'bomb'; known: fire, wire
  Infantry Fire, line 15: name: two cards have the name 'Infantry Fire'"""


# ---- lines ---------------------------------------------------------------------------------------
def keys(data: Any, path: Keys = ()) -> Iterator[Keys]:
    """The paths of all there is in a TOML file."""
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield (*path, key)
            yield from keys(value, (*path, key))


TRICKY = '''\
a.b = 1 # x = 2
"c.d" = [ # {
  1.5, [2, 3], "]", # ,
  { e = "}", f.g = 1979-05-27 07:32:00 },
]
h = """
i = 1
\\""" j = 2
k = """"

l = \'\'\'
m = 1\'\'\'
[[n]]
o = 'p#'
[[n.q]]
r = 1
[n.s]
t = true
[[n]]
[[n.q]]
u = 0x1F
'''


def test_lines_of_tricky_keys() -> None:
    found = lines(TRICKY)
    assert set(found) == set(keys(tomllib.loads(TRICKY)))
    wanted = {
        ("a", "b"): 1,
        ("c.d",): 2,
        ("c.d", 1, 0): 3,
        ("c.d", 3, "f", "g"): 4,
        ("h",): 6,
        ("l",): 11,
        ("n", 0): 13,
        ("n", 0, "q", 0, "r"): 16,
        ("n", 0, "s", "t"): 18,
        ("n", 1): 19,
        ("n", 1, "q", 0, "u"): 21,
    }
    assert {path: found[path] for path in wanted} == wanted


LEAVES = st.one_of(st.integers(-99, 99), st.booleans(), st.text("ab\"'\\#[]{}=,. ", max_size=5))
NAMES = st.text("ab-_. \"'#", min_size=1, max_size=4)
DATA = st.recursive(
    LEAVES,
    lambda x: st.lists(x, max_size=3) | st.dictionaries(NAMES, x, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(NAMES, DATA, max_size=4))
def test_every_key_has_a_line(data: dict[str, Any]) -> None:
    try:
        text = to_toml(data)
        read = tomllib.loads(text)
    except (ValueError, AttributeError):  # a list of tables and others is written in no other way
        return
    assert set(lines(text)) == set(keys(read))


@pytest.mark.parametrize("name", WITH_DECKS)
def test_lines_of_the_decks(name: str) -> None:
    for path in find(name).decks.values():
        text = path.read_text(encoding="utf-8")
        rows, found = text.split("\n"), lines(text)
        assert set(found) == set(keys(tomllib.loads(text)))
        for key, line in found.items():
            if isinstance(key[-1], str):
                assert key[-1] in rows[line - 1]


# ---- all errors at once --------------------------------------------------------------------------
def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(bb.RulesetError) as e:
        bb.load("war_zone", deck=WRONG)
    assert str(e.value) == f"deck: 6 errors\n{FAULTS}"


def test_one_fault_is_one_line() -> None:
    text = decks.template(find("war_zone")).replace("damage = 5\n", "damage = -5\n")
    line = text.split("\n").index("damage = -5") + 1
    with pytest.raises(bb.RulesetError) as e:
        bb.load("war_zone", deck=text)
    assert str(e.value) == f"deck: Infantry Fire, line {line}: damage -5; 0 to 999"


def test_a_hundred_are_told() -> None:
    text = "".join(f"x{k} = 1\n" for k in range(150))
    with pytest.raises(bb.RulesetError) as e:
        bb.load("war_zone", deck=text)
    told = str(e.value).split("\n")
    assert (told[0], told[-1], len(told)) == ("deck: 152 errors", "  and 52 more", 102)


def test_errors_of_toml_have_line_and_column() -> None:
    for text, place in [("name =\n", "line 1, column 7"), ('a = 1\nb = """\n', "line 3, column 1")]:
        with pytest.raises(bb.RulesetError, match=f"^deck, {place}: not a TOML file: "):
            bb.load("war_zone", deck=text)
    with pytest.raises(bb.RulesetError, match=r"^deck, line 2: longer than 1000 characters"):
        bb.load("war_zone", deck="\n#" + "x" * 1000)


@pytest.mark.parametrize("name", WITH_DECKS)
def test_byte_order_marks_and_carriage_returns_are_read(name: str, tmp_path: Path) -> None:
    text = decks.template(find(name))
    path = tmp_path / "notepad.toml"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    usual = bb.load(name)
    for deck in (str(path), "\ufeff" + text.replace("\n", "\r\n")):
        rules = bb.load(name, deck=deck)
        assert rules.digest == usual.digest
        record = rules.match(1).record()
        assert "\r" not in record
        assert "\ufeff" not in record
        assert bb.replay(record).rules.digest == usual.digest


# ---- from the shell ------------------------------------------------------------------------------
def test_the_decks_there_are(run: Command) -> None:
    said = run("deck")
    assert said.status == 0
    assert "war_zone: warzone-default, warzone-half\n" in said.out
    assert "battleball: battleball-default\n" in said.out


def test_a_game_without_decks(tmp_path: Path) -> None:
    game, path = replace(find("war_zone"), deck=None), tmp_path / "my.toml"
    path.write_text("", encoding="utf-8")
    for asked in (lambda: decks.template(game), lambda: decks.check(path, game)):
        with pytest.raises(bb.RulesetError, match=r"war_zone has no decks; battlebox games"):
            asked()


@pytest.mark.parametrize("name", WITH_DECKS)
def test_a_deck_to_start_from(run: Command, tmp_path: Path, name: str) -> None:
    """It explains each key it uses, is right as it stands, and plays as the game's own."""
    for deck in find(name).decks:
        text = run("deck", name, deck).out
        path = tmp_path / f"{deck}.toml"
        path.write_text(text, encoding="utf-8")
        comments = text.split("\n\n", 1)[0] + text.split("[[")[0]
        for key in {k for path in lines(text) for k in path if isinstance(k, str)}:
            assert key.isdecimal() or re.search(rf"^# .*\b{key}\b", text, re.M), key
        assert all(line.startswith("#") for line in comments.split("\n")[:5])
        said = run("deck", "check", str(path))
        assert (said.status, said.err) == (0, "")
        assert f"battlebox play {name} deck={path}" in said.out
        assert bb.load(name, deck=text).digest == bb.load(name, deck=deck).digest


def test_the_usual_deck_is_printed_without_a_name(run: Command) -> None:
    assert run("deck", "war_zone") == run("deck", "war_zone", "warzone-default")


def test_check_tells_all(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(WRONG, encoding="utf-8")
    said = run("deck", "check", str(path))
    assert said == (2, "", f"battlebox: {path}: 6 errors\n{FAULTS}\n")
    assert run("deck", "check", str(path), "--game", "war_zone") == said
    assert run("play", "war_zone", f"deck={path}") == said


def test_a_team_of_ones_own_is_checked_and_watched(run: Command, tmp_path: Path) -> None:
    """Battleball's deck is a team; what is wrong with one is told as of cards."""
    path = tmp_path / "team.toml"
    text = run("deck", "battleball").out.replace('"Running Back"', '"Fast Runner"')
    path.write_text(text.replace("sides = 20", "sides = 14"), encoding="utf-8")
    assert f"battlebox play battleball deck={path}" in run("deck", "check", str(path)).out
    options = (f"deck={path}", "max_plies=60", "--bots", "random", "--seed", "1", "--pace", "0")
    said = run("watch", "battleball", *options)
    assert (said.status, said.err) == (0, "")
    assert re.search(r"Fast Runner [Rr]\d rolls \d+ on a d14\.", said.out)
    path.write_text(text.replace("sides = 20", "sides = 21"), encoding="utf-8")
    line = text.split("\n").index("sides = 20") + 1
    wrong = f"battlebox: {path}: Fast Runner, line {line}: sides 21; 4 to 20\n"
    assert run("deck", "check", str(path)) == run("watch", "battleball", *options) == (2, "", wrong)


def test_check_finds_out_for_how_many_a_deck_is(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "four.toml"
    text = decks.template(find("battle"))
    path.write_text(text.split("[players.5]")[0], encoding="utf-8")
    said = run("deck", "check", str(path))
    assert (said.status, said.out.split("\n")[1]) == (
        0,
        f"Play it: battlebox play battle players=4 deck={path}",
    )


def test_check_says_why_nobody_can_play_with_it(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "few.toml"
    text = re.sub(r"count = \d", "count = 0", decks.template(find("war_zone")))
    path.write_text(text, encoding="utf-8")
    said = run("deck", "check", str(path))
    assert said.status == 2
    assert "the deck has 0 cards; 2 players with 6 cards each need 14" in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("deck check", "name the file to check"),
        ("deck check no.toml", "no.toml: No such file"),
        ("deck check deck.txt", "deck.txt: the name of a deck file ends in .toml"),
        ("deck check EMPTY.toml", "which game is it for? Say --game, one of"),
        ("deck check EMPTY.toml --game chess", "no game 'chess'"),
        ("deck chess", "no game 'chess'"),
        ("deck war_zone mine", "war_zone: no deck 'mine'; known: warzone-default, warzone-half"),
        ("deck war_zone --game war_zone", "--game goes with deck check"),
    ],
)
def test_wrong_words(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "EMPTY.toml").write_text("name = 'x'\n", encoding="utf-8")
    said = run(*words.split())
    assert (said.status, said.out) == (2, "")
    assert says in said.err
