"""Fair chance: drawn from a secret committed to, alike everywhere, and nobody changes one die."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from games import as_game, race, short
from typer.testing import CliRunner

import battlebox as bb
from battlebox.cli import app
from battlebox.core.errors import RecordError, UndoRefused
from battlebox.core.fair import Fair, commitment, new_secret, read_hex
from battlebox.core.match import Match
from battlebox.core.random import Script

SECRET = bytes(range(32))


def played(rules: bb.Ruleset, secret: bytes = SECRET, steps: int = 10**6) -> Match:
    m, dice = Match(rules, chance=Fair(secret)), random.Random(7)
    while m.to_act is not None and len(m.history) < steps:
        m.submit(m.to_act, dice.choice(m.legal_actions))
    return m


@pytest.fixture(scope="module", params=bb.games())
def done(request: pytest.FixtureRequest) -> Match:
    return played(short(request.param))


# ---- the outcomes --------------------------------------------------------------------------------
def by_the_book(secret: bytes, k: int, ranges: list[int]) -> list[int]:
    """The definition of fair.py, written once more: numbers below each of `ranges`, in turn."""
    blocks = (hmac.digest(secret, b"%d:%d" % (k, j), "sha256") for j in itertools.count())
    words = (int.from_bytes(b[i : i + 8], "big") for b in blocks for i in (0, 8, 16, 24))
    out = []
    for n in ranges:
        word = next(words)
        while word >= 2**64 // n * n:
            word = next(words)
        out.append(word % n)
    return out


def test_numbers_are_those_of_the_definition() -> None:
    chance = Fair(SECRET)
    for k, (low, high) in enumerate([(0, 0), (1, 6), (1, 20), (0, 2**40), (5, 5), (0, 2**63)]):
        expected = low + by_the_book(SECRET, k, [high - low + 1])[0]
        assert chance.number(low, high) == expected
        assert chance.outcomes[k] == f"{low}..{high}={expected}"
    assert chance.count == 6


def test_a_word_past_the_last_whole_multiple_is_passed_over() -> None:
    """Such words are so rare for small numbers that only a large one shows it."""
    n = 2**63 + 1  # almost half of all words are passed over
    found = [Fair(bytes([x] * 32)).number(0, n - 1) for x in range(40)]
    assert found == [by_the_book(bytes([x] * 32), 0, [n])[0] for x in range(40)]
    first = [int.from_bytes(hmac.digest(bytes([x] * 32), b"0:0", "sha256")[:8]) for x in range(40)]
    assert any(word >= n for word in first)


@pytest.mark.parametrize("n", [0, 1, 2, 5, 72])
def test_an_order_is_fisher_and_yates_from_the_last_down(n: int) -> None:
    chance, values = Fair(SECRET), [x * 7 for x in range(n)]
    places = list(range(n))
    for i, j in zip(
        range(n - 1, 0, -1), by_the_book(SECRET, 0, list(range(n, 1, -1))), strict=True
    ):
        places[i], places[j] = places[j], places[i]
    assert chance.order(values) == [values[k] for k in places]
    assert chance.outcomes == [f"{n}!={','.join(map(str, places))}"]


def test_one_of_several_is_a_number() -> None:
    chance = Fair(SECRET)
    assert chance.one_of([30, 10, 20]) == [30, 10, 20][by_the_book(SECRET, 0, [3])[0]]
    assert re.fullmatch(r"0\.\.2=[012]", chance.outcomes[0])


def test_known_outcomes() -> None:
    """Pinned: other programs (the page) draw the same from the same secret."""
    chance = Fair(SECRET)
    drawn = [chance.number(1, 20), chance.order([0, 1, 2, 3, 4]), chance.number(0, 2**40)]
    assert drawn == KNOWN
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


KNOWN = [5, [2, 1, 3, 4, 0], 378227858901]


def test_outcomes_are_equally_likely() -> None:
    chance = Fair(SECRET)
    faces = Counter(chance.number(1, 6) for _ in range(6000))
    assert set(faces) == set(range(1, 7))
    # chi squared with 5 degrees of freedom: beyond 20.5 in one of 1,000 series; this one is fixed
    assert sum((x - 1000) ** 2 / 1000 for x in faces.values()) < 20.5
    orders = Counter(tuple(chance.order([0, 1, 2])) for _ in range(6000))
    assert len(orders) == 6
    assert sum((x - 1000) ** 2 / 1000 for x in orders.values()) < 20.5


def test_secrets_are_never_the_same() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
    assert len(new_secret()) == 32
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


@pytest.mark.parametrize(
    "text", ["", "00", "g" * 64, "A" * 64, "0" * 63, "0" * 65, "0x" + "0" * 62]
)
def test_what_is_no_secret_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="64 digits"):
        read_hex(text, "the secret")


# ---- matches -------------------------------------------------------------------------------------
def test_the_same_secret_and_actions_give_the_same_bytes(done: Match) -> None:
    again = played(done.rules)
    assert again.digest() == done.digest()
    assert again.record() == done.record()
    assert played(done.rules, new_secret()).record() != done.record()


def test_undo_gives_outcomes_back() -> None:
    """What was taken back drew nothing, so that the next outcome has the same number."""
    rules = bb.load("war_zone", players=2, cycle=2)
    one, two = (Match(rules, chance=Fair(SECRET)) for _ in range(2))
    tried = 0
    for m in (one, two):
        dice = random.Random(3)
        while m.to_act is not None:
            seat, action = m.to_act, dice.choice(m.legal_actions)
            before = m.digest()
            m.submit(seat, action)
            if m is two and not m.why_no_undo(seat):
                m.undo(seat)
                assert m.digest() == before
                m.submit(seat, action)
                tried += 1
    assert tried > 5
    assert one.record() == two.record()


def test_an_outcome_cannot_be_taken_back() -> None:
    m, dice = Match(as_game(race).ruleset({}), chance=Fair(SECRET)), random.Random(1)
    assert isinstance(m.chance, Fair)
    rolled = 0
    while m.to_act is not None:
        before, seat = m.chance.count, m.to_act
        m.submit(seat, dice.choice(m.legal_actions))
        if m.chance.count > before:
            rolled += 1
            with pytest.raises(UndoRefused, match="dice have been rolled"):
                m.undo(seat)
    assert rolled > 3


def test_a_fresh_copy_has_fresh_chance(done: Match) -> None:
    again = done.fresh_copy()
    assert again.history == []
    for seat, word in done.history:
        again.submit(seat, word)
    assert again.record() == done.record()


def test_a_script_that_is_rewound_says_the_same_again() -> None:
    script = Script(3, [1, 0], 5)
    assert script.number(1, 6) == 3
    script.rewind(0)
    assert (script.number(1, 6), script.order([0, 1])) == (3, [1, 0])
    assert script.left == [5]
    assert script.fresh_copy().left == [3, [1, 0], 5]


# ---- records -------------------------------------------------------------------------------------
def test_a_record_holds_commitment_secret_and_every_outcome(done: Match) -> None:
    text = done.record()
    assert f"fair {commitment(SECRET)} {SECRET.hex()}" in text.splitlines()
    assert not re.search(r"^seed", text, re.MULTILINE)
    told = [x for line in text.splitlines() if line.startswith("chance ") for x in line.split()[1:]]
    assert isinstance(done.chance, Fair)
    assert told == done.chance.outcomes
    assert bb.replay(text).record() == text


def refused(text: str) -> str:
    with pytest.raises(RecordError) as e:
        bb.replay(text)
    assert re.match(r"line \d+: ", str(e.value))
    return str(e.value)


def test_the_first_false_outcome_is_named(done: Match) -> None:
    lines = done.record().splitlines()
    assert isinstance(done.chance, Fair)
    k = 0
    every = 1 + done.chance.count // 60  # of a long match a sample
    for n, line in enumerate(lines, 1):
        words = line.split() if line.startswith("chance ") else []
        for i, outcome in enumerate(words[1:], 1):  # two dice of one line may be equal
            k += 1
            if k % every:
                continue
            head, value = outcome.split("=")
            parts = value.split(",")
            parts[-1] = str(int(parts[-1]) + 1)
            forged = f"{head}={','.join(parts)}"
            false = " ".join([*words[:i], forged, *words[i + 1 :]])
            text = "\n".join([*lines[: n - 1], false, *lines[n:]])
            message = refused(f"{text}\n")
            assert message.startswith(f"line {n}: outcome {k - 1} is {forged}: false")
            assert done.chance.outcomes[k - 1] in message
    assert k == done.chance.count > 0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (r"^chance .*\n", "", "a `chance` line is missing above"),
        (r"^(do .*)\n", r"\1\nchance 1..6=1\n", "asked for none here"),
        (r"^fair (\w+) .*", r"fair \1", "write `fair COMMITMENT SECRET`"),
        (r"^fair (\w+) .*", rf"fair \1 {'0' * 64}", "not the one committed to"),
        (r"^fair \w+", f"fair {'0' * 64}", "not the one committed to"),
        (r"^fair (\w+) .*", r"fair \1 xyz", "the secret 'xyz'"),
        (r"^(fair .*)", r"\1\nseed 7", "no `seed`"),
        (r"^(fair .*)", r"\1\n\1", "a second `fair` line"),
        (r"^fair .*\n", "", "no `seed` line"),
    ],
)
def test_a_record_that_was_forged_is_refused(done: Match, old: str, new: str, words: str) -> None:
    text, n = re.subn(old, new, done.record(), count=1, flags=re.MULTILINE)
    assert n == 1
    assert words in refused(text)


# ---- the command ---------------------------------------------------------------------------------
def test_verify(done: Match, tmp_path: Path) -> None:
    path = tmp_path / "a.match"
    path.write_text(done.record())
    ran = CliRunner().invoke(app, ["verify", str(path)])
    assert ran.exit_code == 0
    assert (
        f"Verified: all {done.chance.count if done.chance else 0} dice and shuffles" in ran.output
    )
    assert commitment(SECRET) in ran.output
    kept = CliRunner().invoke(
        app, ["verify", str(path), "--commitment", commitment(SECRET).upper()]
    )
    assert "It fits the commitment you were shown." in kept.output
    other = CliRunner().invoke(app, ["verify", str(path), "--commitment", "0" * 64])
    assert other.exit_code == 1
    assert "not to 0000" in other.output


def test_verify_of_a_match_from_a_seed(tmp_path: Path) -> None:
    m = bb.load("war_zone").match(seed=7)
    path = tmp_path / "a.match"
    path.write_text(m.record())
    ran = CliRunner().invoke(app, ["verify", str(path)])
    assert "Verified. Dealt from seed 7, which was chosen: no commitment." in ran.output
    other = CliRunner().invoke(app, ["verify", str(path), "--commitment", "0" * 64])
    assert other.exit_code == 1
    assert "there is no commitment" in other.output
    none = CliRunner().invoke(app, ["verify", str(tmp_path / "no.match")])
    assert isinstance(none.exception, RecordError), "which makes exit status 2"
