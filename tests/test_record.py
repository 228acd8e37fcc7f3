"""Match files: written one way, read with patience, and no change to one goes unseen."""

from __future__ import annotations

import random
import re

import pytest
from games import as_game, sealed, short

import battlebox as bb
from battlebox.core import replay
from battlebox.core.match import Match

SEALED = as_game(sealed)


@pytest.fixture(scope="module", params=bb.games())
def done(request: pytest.FixtureRequest) -> Match:
    return played(short(request.param), 10**6)


@pytest.fixture(scope="module")
def unfinished() -> Match:
    return played(bb.load("war_zone", players=3, cycle=2), 25)


def played(rules: bb.Ruleset, steps: int, seed: int = 7) -> Match:
    m, dice = rules.match(seed=seed), random.Random(seed)
    while m.to_act is not None and len(m.history) < steps:
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return m


def refused(text: str) -> str:
    """The message of the RecordError that this text gives; it names a line, and is one."""
    with pytest.raises(bb.RecordError) as e:
        bb.replay(text)
    message = str(e.value)
    assert re.match(r"line \d+: ", message), message
    _, *more = message.split("\n")  # all errors of a deck, each with the deck's own line
    assert all(x.startswith("  ") for x in more)
    number = int(message[5 : message.index(":")])
    assert 1 <= number <= max(1, len(text.splitlines()))
    return message


def replaced(text: str, verb: str, new: str) -> str:
    """The text with its first line of that verb replaced."""
    out, n = re.subn(rf"^{verb}( .*)?$", lambda _: new, text, count=1, flags=re.MULTILINE)
    assert n == 1
    return out


# ---- writing -------------------------------------------------------------------------------------
def test_a_record_says_all_and_nothing_twice(done: Match) -> None:
    lines = done.record().splitlines()
    verbs = [line.split()[0] for line in lines]
    assert verbs[:5] == ["battlebox", "game", "options", "table", "seed"]
    assert verbs[5:-1] == ["do"] * len(done.history)
    assert verbs[-1] == "end"
    assert done.record().endswith("\n")
    assert f"game {done.rules.name} {done.rules.game.version}" in lines
    assert f"table {done.rules.digest}" in lines
    assert "returns=" in lines[-1]


def test_writing_is_stable_and_round_trips(done: Match, unfinished: Match) -> None:
    for m in (done, unfinished):
        text = m.record()
        again = bb.replay(text)
        assert again.record() == text == m.record()
        assert again.digest() == m.digest()
        assert again.history == m.history
        assert again.returns == m.returns
        for seat in (None, *range(m.rules.players)):
            assert again.events(seat) == m.events(seat)


def test_every_option_that_was_chosen_is_written() -> None:
    chosen = {"players": 4, "teams": 2, "v2": True, "speedy_team": "best", "cycle": 3}
    m = bb.load("war_zone", **chosen).match(seed=1)
    line = next(x for x in m.record().splitlines() if x.startswith("options"))
    assert line.split()[1:] == ["players=4", "cycle=3", "v2=true", "teams=2", "speedy_team=best"]
    assert bb.replay(m.record()).rules.digest == m.rules.digest


def test_an_unfinished_match_goes_on_where_it_was(unfinished: Match) -> None:
    again = bb.replay(unfinished.record())
    one, two = played_on(again), played_on(bb.replay(unfinished.record()))
    assert again.over
    assert one.record() == two.record()
    assert bb.replay(one.record()).over


def played_on(m: Match) -> Match:
    dice = random.Random(3)
    while m.to_act is not None:
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return m


def test_a_match_with_no_action_yet_has_a_record(done: Match) -> None:
    m = done.rules.match(seed=3)
    assert bb.replay(m.record()).digest() == m.digest()


def test_a_record_after_undo_has_no_trace_of_it() -> None:
    m = SEALED.ruleset({}).match(seed=1)
    text = m.record()
    m.submit(0, m.legal_actions[0])
    m.undo()
    assert m.record() == text


# ---- tolerant reading ----------------------------------------------------------------------------
TOLERATED = {
    "comments": lambda x: "# a comment\n" + x.replace("seed", "# more\nseed", 1) + "# the end\n",
    "indented comments": lambda x: x.replace("\nseed", "\n   # more\nseed", 1),
    "blank lines": lambda x: "\n\n" + x.replace("\n", "\n\n \n") + "\n\n",
    "CRLF": lambda x: x.replace("\n", "\r\n"),
    "BOM": lambda x: "\ufeff" + x,
    "no line end at the end": lambda x: x.rstrip("\n"),
    "spaces around lines": lambda x: x.replace("\n", "  \n  \t"),
    "spaces between words": lambda x: re.sub("(?m)^(do|seed|game|end|options) ", r"\1   ", x),
    "tabs between words": lambda x: re.sub("(?m)^(do|seed|game|end|options) ", "\\1\t", x),
    "spaces behind the seat": lambda x: re.sub(r"(?m)^(do \d+) ", r"\1   ", x),
    "spaces before the version": lambda x: re.sub(r"(?m)^(game \S+) ", r"\1  ", x),
    "words in quotes": lambda x: re.sub(r"(?m)^(do \d+) (.*)$", r'\1 "\2"', x),
}


@pytest.mark.parametrize("change", TOLERATED)
def test_what_is_tolerated(unfinished: Match, change: str) -> None:
    text = unfinished.record()
    changed = TOLERATED[change](text)
    assert changed != text
    again = bb.replay(changed)
    assert again.record() == text


# ---- every change is seen ------------------------------------------------------------------------
def test_every_prefix_is_refused(unfinished: Match) -> None:
    """Whether it breaks off at a line or within one."""
    text = unfinished.record()
    for n in range(len(text.rstrip("\n"))):
        refused(text[:n])


def test_a_finished_record_cut_anywhere_is_refused(done: Match) -> None:
    lines = done.record().splitlines()
    for n in range(len(lines)):
        refused("\n".join(lines[:n]) + "\n")


def test_a_line_left_out_is_refused(unfinished: Match) -> None:
    lines = unfinished.record().splitlines()
    for n in range(len(lines)):
        refused("\n".join(lines[:n] + lines[n + 1 :]) + "\n")


def test_a_line_written_twice_is_refused(unfinished: Match) -> None:
    lines = unfinished.record().splitlines()
    for n in range(len(lines)):
        refused("\n".join(lines[: n + 1] + lines[n:]) + "\n")


def test_two_moves_swapped_are_refused(unfinished: Match) -> None:
    lines = unfinished.record().splitlines()
    for n in range(len(lines) - 1):
        swapped = [*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]
        if lines[n] != lines[n + 1] and lines[n].startswith("do") and swapped != lines:
            refused("\n".join(swapped) + "\n")


def test_each_edited_move_is_refused(unfinished: Match) -> None:
    """Another seat, another legal word, an illegal word, nonsense: all name a line."""
    lines = unfinished.record().splitlines()
    m = unfinished.rules.match(seed=unfinished.seed)
    k = 0
    for n, line in enumerate(lines):
        if not line.startswith("do "):
            continue
        seat, word = unfinished.history[k]
        others = [w for w in m.legal_words() if w != word]
        edits = [f"do {seat} {w}" for w in others]
        edits += [f"do {(seat + 1) % 3} {word}", f"do 9 {word}", f"do -1 {word}", f"do {word}"]
        edits += [f"do {seat}", "do", f"do {seat} {word}x", f"do {seat} {word} {word}", "do x x"]
        edits += [f"do {seat} \u0660", f"do {seat} {'9' * 5000}"]
        for new in edits:
            refused("\n".join([*lines[:n], new, *lines[n + 1 :]]) + "\n")
        m.submit(seat, word)
        k += 1
    assert k == len(unfinished.history)


def test_an_endless_seat_is_refused(unfinished: Match) -> None:
    refused(replaced(unfinished.record(), "do", f"do {'9' * 5000} pass"))


@pytest.mark.parametrize(
    ("verb", "new", "words"),
    [
        ("battlebox", "battlebox 2", "format"),
        ("battlebox", "battlebox", "format"),
        ("game", "game chess 1", "chess"),
        ("game", "game war_zone 99", "version 99"),
        ("game", "game war_zone", "version"),
        ("game", "game", "game"),
        ("options", "options players=2", "table"),
        ("options", "options players=77", "players"),
        ("options", "options players", "players"),
        ("options", "options plyers=3", "plyers"),
        ("options", "options players=3 cycle=2 cycle=1", ""),
        ("options", "options", "table"),
        ("table", "table 0000000000000000", "table"),
        ("table", "table", "table"),
        ("seed", "seed 8", ""),
        ("seed", "seed -7", "seed"),
        ("seed", "seed seven", "seed"),
        ("seed", "seed", "seed"),
        ("seed", "seed 4611686018427387904", "seed"),
        ("seed", "seed " + "9" * 5000, "seed"),
        ("seed", "seed \u00b2", "seed"),
        ("seed", "seed 7\nseed 7", "second `seed`"),
        ("seed", "seed 7\nposition wz1", "position"),
        ("seed", "seed 7\ndeck | [[attack]]", "deck"),
        ("seed", "seed 7\nhello world", "hello"),
        ("end", "end", "end"),
        ("end", "end decisions=25", "state"),
        ("end", "end \u00e9", "end"),
    ],
)
def test_an_edited_head_or_end_is_refused(
    unfinished: Match, verb: str, new: str, words: str
) -> None:
    assert words in refused(replaced(unfinished.record(), verb, new))


def test_every_fact_of_the_end_is_verified(done: Match) -> None:
    text = done.record()
    end = text.splitlines()[-1]
    for word in end.split()[1:]:
        key, _, _ = word.partition("=")
        assert key in refused(text.replace(word, f"{key}=1"))
        assert key in refused(text.replace(f" {word}", ""))


def test_a_fact_more_at_the_end_is_refused(unfinished: Match) -> None:
    """The writer never wrote it: a line was changed."""
    refused(unfinished.record().rstrip("\n") + " returns=1,1,1\n")


@pytest.mark.parametrize(
    "text",
    ["", "\n", "hello", "{}", "\0" * 100, "battlebox 1", "do 0 pass", "# only a comment\n", "end"],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    refused(text)


def test_garbage_is_refused() -> None:
    dice = random.Random(1)
    for _ in range(300):
        raw = bytes(dice.randrange(256) for _ in range(dice.randrange(200)))
        refused(raw.decode("latin-1"))
        refused("battlebox 1\n" + raw.decode("latin-1"))


def test_a_changed_character_is_refused_or_means_the_same(unfinished: Match) -> None:
    """What still reads is the same match."""
    text, dice, said = unfinished.record(), random.Random(2), set[str]()
    for _ in range(500):
        n = dice.randrange(len(text))
        changed = text[:n] + chr(dice.randrange(32, 127)) + text[n + 1 :]
        try:
            again = bb.replay(changed)
        except bb.RecordError as e:
            said.add(str(e))
        else:
            assert again.record() == text
    assert len(said) > 100
    assert all(re.match(r"line \d+: ", x) for x in said)


# ---- a deck of one's own -------------------------------------------------------------------------
@pytest.fixture(scope="module")
def own_deck(tmp_path_factory: pytest.TempPathFactory) -> Match:
    folder = bb.load("war_zone").game.folder / "decks"
    text = (folder / "warzone-half.toml").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("decks") / "mine.toml"
    changed, n = re.subn(r"(damage\s*=\s*)\d+", r"\g<1>9", text, count=1)
    assert n == 1
    path.write_text("# my deck\n\n" + changed, encoding="utf-8")
    m = played(bb.load("war_zone", deck=str(path)), 20)
    path.unlink()
    return m


def test_a_record_holds_the_deck_that_is_not_the_games_own(own_deck: Match) -> None:
    text = own_deck.record()
    assert text.count("\ndeck |") > 5
    again = bb.replay(text)
    assert again.digest() == own_deck.digest()
    assert again.record() == text


def test_a_deck_changed_in_the_record_is_refused(own_deck: Match) -> None:
    text = own_deck.record()
    changed, n = re.subn(r"(?m)^(deck \|.*damage\s*=\s*)9", r"\g<1>8", text, count=1)
    assert n == 1
    assert "table" in refused(changed)
    lines = text.splitlines()
    for k, line in enumerate(lines):
        if line.startswith("deck |") and "=" in line and "name" not in line:
            refused("\n".join([*lines[:k], "deck | x = = 1", *lines[k + 1 :]]) + "\n")


def test_a_deck_left_out_of_the_record_is_refused(own_deck: Match) -> None:
    lines = [x for x in own_deck.record().splitlines() if not x.startswith("deck")]
    refused("\n".join(lines) + "\n")


# ---- other games ---------------------------------------------------------------------------------
def test_the_reader_takes_any_game_it_is_given() -> None:
    m = played(SEALED.ruleset({"rounds": 5}), 7)
    again = replay.read(m.record(), lambda name: SEALED)
    assert again.record() == m.record()


# ---- odd seeds and odd texts ---------------------------------------------------------------------
def test_another_seed_is_seen_even_if_nothing_was_drawn() -> None:
    m = bb.load("war_zone").match(5, position="wz1 n=2 ph=ATTACK hand0=IF.BW hand1=TR")
    m.submit(0, "pass")
    assert bb.replay(m.record()).digest() == m.digest()
    refused(m.record().replace("seed 5", "seed 6"))


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\u2029"])
def test_a_deck_with_odd_line_marks_comes_back(mark: str) -> None:
    folder = bb.load("war_zone").game.folder / "decks"
    text = (folder / "warzone-half.toml").read_text(encoding="utf-8")
    m = bb.load("war_zone", deck=f"# one{mark}two\n{text}").match(1)
    again = bb.replay(m.record())
    assert again.digest() == m.digest()
    assert again.record() == m.record()


def test_a_wrong_deck_is_named_by_its_line(own_deck: Match) -> None:
    text = "".join(x for x in own_deck.record().splitlines(True) if not x.startswith("options"))
    wrong = re.sub(r"(?m)^deck \| name = .*$", "deck | name = 1", text)
    assert wrong != text
    assert re.match(r"line [1-9]", refused(wrong))
