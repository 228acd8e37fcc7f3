"""Iron Man Game of War: every scenario, every rule id, set-up, invariants, how it ends.

Expected values come from README.md and DEVELOPERS.md, worked out by hand.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import battlebox as bb
from battlebox.core import scenario
from battlebox.core.laws import another_truth
from battlebox.core.match import Match
from battlebox.games import find
from battlebox.games.iron_man.testing import at, load, play_on

HERE = Path(__file__).parent
GAME = find("iron_man")
DEVELOPERS = (HERE / "DEVELOPERS.md").read_text(encoding="utf-8")
SCENARIOS = scenario.parse((HERE / "scenarios.scn").read_text(encoding="utf-8"))
SOURCES = ("rules.py", "options.py", "notation.py", "hidden.py", "scene.py")
MODES: list[dict[str, Any]] = [{}, {"mode": "beginner"}]
ODD: list[dict[str, Any]] = [
    {"reshuffle": "lazy", "final_attack_cancels": False, "upgrade_scope": "before_only"},
    {"mode": "beginner", "reshuffle": "eager", "beginner_leftovers_visible": True, "start": 0},
    {"deck": "ironman-even", "round_win": "more_wins", "max_plays": 5},
]


def test_the_readme_has_every_rule_and_ruling() -> None:
    spans = ((1, 10), (10, 37), (40, 49), (50, 68), (70, 82), (85, 100))
    rules = [f"IM-{n}" for first, end in spans for n in range(first, end)]
    assert list(GAME.rulebook) == [*rules, *(f"H{n}" for n in range(1, 30))]


def test_the_table_is_the_bundled_decks() -> None:
    """IM-2, IM-3: 55 cards, 35 of them power cards, the same for both."""
    full, even = (load(deck=d).names for d in ("ironman-default", "ironman-even"))
    rows = [
        [cell.strip().replace("**", "") for cell in line.strip("|").split("|")][:6]
        for line in DEVELOPERS.split("## Notation")[0].splitlines()
        if re.match(r"\| \w \|", line)
    ]
    assert rows == [
        [str(x) for x in (c.code, c.name, c.kind, c.value, c.count, e.count)]
        for c, e in zip(full.cards, even.cards, strict=True)
    ]
    for deck in (full, even):
        assert (deck.size, sum(c.count for c in deck.cards if c.kind == "power")) == (55, 35)
    stock = load().match(seed=1).state.stock
    assert [stock[0, k] for k in range(13)] == [stock[1, k] for k in range(13)]


# ---- set-up --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("options", "cards"), [({}, 55), ({"mode": "beginner"}, 35)])
def test_set_up(options: dict[str, Any], cards: int) -> None:
    """IM-4, IM-6, IM-7, IM-11, IM-40: pawns on card 1, seven cards each, the rest is the deck."""
    m = load(**options).match(seed=5)
    f = m.facts()
    for x in "AB":
        assert f[f"{x}.pawn"] == "1"
        assert (len(f[f"{x}.hand"]), len(f[f"{x}.deck"])) == (7, cards - 7)
        assert bool({*f[f"{x}.hand"], *f[f"{x}.deck"]} - {*"12345"}) == (not options)
    assert (m.to_act, m.phase, f["round"]) == (0, "PLACE", "1")


@pytest.mark.parametrize("players", [0, 1, 3])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """IM-1."""
    with pytest.raises(bb.RulesetError, match=f"players = {players}"):
        load(players=players)


def test_every_card_may_lie_anywhere() -> None:
    """IM-8: the top of both decks and the hands, after 1000 deals; 12 degrees of freedom."""
    rules, n = load(), 1000
    tops, hands = Counter[str](), Counter[str]()
    for seed in range(n):
        f = rules.match(seed=seed).facts()
        tops.update((f["A.deck"][0], f["B.deck"][0]))
        hands.update(f["A.hand"])
    for found, many in ((tops, 2 * n), (hands, 7 * n)):
        wanted = {c.code: many * c.count / 55 for c in rules.names.cards}
        # 39.1 is exceeded once in ten thousand
        assert sum((found[k] - e) ** 2 / e for k, e in wanted.items()) < 39.1


# ---- invariants ----------------------------------------------------------------------------------
def positions(options: dict[str, Any], matches: int = 3) -> Iterator[bb.Match]:
    """Random matches, seen before each decision and at their ends."""
    for seed in range(matches):
        m = load(**options).match(seed)
        while not m.over:
            yield m
            play_on(m, 1, 1000 * seed + len(m.history))
        yield m


@pytest.mark.parametrize("options", [*MODES, *ODD], ids=str)
def test_cards_are_conserved(options: dict[str, Any]) -> None:
    """IM-2: 55 (35) cards of each player, in hand, deck, discard pile, slots, lines; no others."""
    for m in positions(options):
        f = m.facts()
        total = 35 if options.get("mode") else 55
        for x in "AB":
            places = ("hand", "deck", "discard", "slots", "sealed", "line", "won")
            parts = [f[f"{x}.{k}"] for k in places]
            if m.over:
                parts = [f[f"{x}.{k}"] for k in places if k not in ("line", "won")]
            assert len(re.sub(r"[-./]", "", "".join(parts))) == total


@pytest.mark.parametrize("options", [*MODES, *ODD], ids=str)
def test_who_is_asked_and_for_what(options: dict[str, Any]) -> None:
    """IM-57, IM-60, IM-66, IM-70, IM-73, H12, H23: the phases, from the facts alone."""
    for m in positions(options):
        f = m.facts()
        if m.phase == "RESPOND":
            assert f["lead"] == "BA"[m.to_act or 0]
            assert m.legal_words()[0] == "x"
            assert len(m.legal_words()) > 1
        elif m.phase in ("STAND", "FORCED"):
            assert f["lead"] == "-"
            assert "x" not in m.legal_words()
            empty = [len(f[f"{x}.hand"].strip(".") + f[f"{x}.sealed"].strip(".")) for x in "AB"]
            assert (0 in empty) == (m.phase == "FORCED")
        elif m.phase == "PLACE":
            assert (f["A.line"], f["B.line"], f["wins"]) == (".", ".", ".")


def test_the_beginner_game_only_places_and_stands() -> None:
    """IM-9, IM-15, IM-23, IM-25, IM-31, H4: hands of the same size, one step a round."""
    before = (1, 1)
    for m in positions({"mode": "beginner"}, 6):
        f = m.facts()
        assert m.phase in ("PLACE", "STAND", "OVER")
        assert m.state.hand_size[0] == m.state.hand_size[1]
        assert "x" not in m.legal_words()
        pawns = (int(f["A.pawn"]), int(f["B.pawn"]))
        assert sum(pawns) - sum(before) <= 1
        before = pawns if not m.over else (1, 1)


def test_a_forced_card_wins_the_battle() -> None:
    """IM-74, H22: with the deck of the box, and at once."""
    found = 0
    for m in positions({}, 150):
        if m.phase == "FORCED":
            found += 1
            me, battle, before = m.to_act, int(m.facts()["battle"]), m.facts()["wins"].strip(".")
            copy = another_truth(m, None, random.Random(1))
            while copy.phase in ("FORCED", "TARGET", "SALVAGE") and not copy.over:
                same = copy.facts()
                if (same["battle"], same["wins"].strip(".")) != (str(battle), before):
                    break
                play_on(copy, 1, found)
            result = copy.state.result[battle - 1]
            assert result == 1 + (me or 0)
    assert found > 5


class Even:
    """Chance that has no favourites: the shuffled lie in order, the first is picked."""

    count = 0

    def number(self, low: int, high: int) -> int:
        return low

    def one_of(self, values: list[int]) -> int:
        return max(values)

    def order(self, values: list[int]) -> list[int]:
        return (
            [values[(7 * i + 3) % len(values)] for i in range(len(values))]
            if (len(values) % 7)
            else sorted(values, reverse=True)
        )

    def rewind(self, count: int) -> None: ...

    def fresh_copy(self) -> Even:
        return Even()


def mirrored(position: str) -> str:
    """The position with its players exchanged."""
    a, b, rest = position.split("\n")
    wins = re.search(r"wins=(\S+)", rest)
    if wins:
        rest = rest.replace(wins[0], "wins=" + wins[1].translate(str.maketrans("AB", "BA")))
    return f"A{b[1:]}\nB{a[1:]}\n{rest}"


@pytest.mark.parametrize("options", [*MODES, *ODD], ids=str)
def test_the_seats_have_the_same_powers(options: dict[str, Any]) -> None:
    """IM-3, H16: exchanged players, cards and choices give the exchanged match."""
    rules = load(**options)
    for seed in range(4):
        start = rules.match(seed).write_position()
        m = Match(rules, seed, position=start, chance=Even())
        other = Match(rules, seed, position=mirrored(start), chance=Even())
        k = 0
        while not m.over:
            k += 1
            pair = m.phase in ("PLACE", "STAND")
            steps = {"PLACE": 3, "STAND": 1}.get(m.phase, 1)
            words: list[list[str]] = []
            first = m.to_act or 0
            for _ in range(2 if pair else 1):
                words.append([])
                for _ in range(steps):
                    legal = m.legal_words()
                    words[-1].append(legal[(k * 5 + len(words)) % len(legal)])
                    m.submit(m.to_act, words[-1][-1])
            for group in reversed(words) if pair else words:
                for word in group:
                    assert other.to_act is not None
                    if not pair:
                        assert other.to_act == 1 - first
                    other.submit(other.to_act, word)
        assert other.over
        assert m.returns == tuple(reversed(other.returns))


@pytest.mark.compiled
@pytest.mark.xdist_group("iron_man")
@pytest.mark.parametrize("options", MODES, ids=str)
def test_no_seat_is_favoured_by_chance(options: dict[str, Any]) -> None:
    """IM-3: 2000 random matches, three standard deviations."""
    played = load(**options).compiled().play(2000, 1)
    assert abs(played.returns[:, 0].sum()) < 3 * 2000**0.5


# ---- rules by example ----------------------------------------------------------------------------
def test_unlike_cards_in_a_standoff_give_the_same_as_their_sums() -> None:
    """IM-21."""
    m = at("A hand=22 slots=411\nB hand=33 slots=411\nstage=flip", mode="beginner")
    m.submit(0, "2")
    m.submit(1, "3")
    assert m.facts()["wins"] == "B"


def test_all_lines_stay_visible() -> None:
    """IM-64, H28: of the round, and after it until the next cards are turned."""
    m = at("A hand=1 slots=--3 won=52 deck=1111111\nB hand=2 slots=--5 deck=22222222 won=4\n"
           "stage=flip battle=3 wins=AB")  # fmt: skip
    m.submit(0, "1")
    o = m.observation(1)
    assert ([*o["line"][4][:2]], [*o["line"][5][:1]]) == ([2, 0], [4])
    m.submit(0, "x") if m.phase == "RESPOND" else None
    assert m.phase == "PLACE"
    assert [*m.observation(1)["line_size"]] == [2, 0, 0, 1, 2, 1]
    assert m.scene(0).zone("battle:1").facts["text"] == "last round you won, 7 to 0."
    play_on(m, 6, 1)
    assert m.state.battle > 0
    assert m.state.line_size[4] == 0


def test_a_hand_is_never_too_small_to_place() -> None:
    """H13: and if it is, from a position, battles without a card begin with an empty line."""
    for options in (*MODES, *ODD):
        for m in positions(options, 1):
            if m.phase == "PLACE":
                assert m.state.hand_size[m.to_act or 0] >= 7
    m = at("A hand=12\nB hand=3\nstage=place")
    for seat, word in ((0, "1"), (0, "2"), (1, "3")):
        assert m.legal_words()
        m.submit(seat, word)
    f = m.facts()
    # battle 1: A is behind with an empty hand; battle 2: B is; battle 3: 0 to 0 and no cards
    assert (f["round"], f["A.pawn"], f["B.pawn"]) == ("2", "1", "1")
    assert (f["A.hand"], f["B.hand"]) == ("12", "3")


def test_nobody_has_any_card() -> None:
    """IM-72, H13, H17: rounds without cards are drawn until they are over."""
    m = at("A hand=1\nB hand=1\nstage=place", max_rounds=4, reshuffle="lazy")
    while not m.over:
        m.submit(m.to_act, m.legal_words()[0])
    assert (m.returns, m.facts()["round"]) == ((0, 0), "4")


def test_a_deal_stops_short() -> None:
    """H6: three cards anywhere, three are dealt."""
    m = at("A hand=1111 discard=2 deck=33\nB deck=2222222\nstage=deal", reshuffle="lazy")
    assert m.facts()["A.hand"] == "1111233"


@pytest.mark.parametrize("cancels", [True, False])
def test_final_attack_and_a_shield(cancels: bool) -> None:
    """H7, H9, IM-81: cancelled with it, or discarded by it."""
    position = "A hand=1 slots=F11\nB hand=1 slots=E11\nstage=flip"
    m = at(position, final_attack_cancels=cancels)
    if cancels:
        assert (m.phase, m.facts()["A.discard"]) == ("STAND", "F")
    else:
        assert (m.to_act, m.phase, m.legal_words()) == (1, "TARGET", ["F"])
        m.submit(1, "F")
        assert (m.facts()["lead"], m.facts()["A.discard"]) == ("B", "F")


def test_doubling_of_earlier_cards_only() -> None:
    """H8: a shield takes the earliest copy, so that less lies before the Upgrade."""
    m = at("A hand=E1 line=3\nB hand=1 line=33U\nstage=act", upgrade_scope="before_only")
    assert m.facts()["B.total"] == "12"
    m.submit(0, "E")
    m.submit(0, "3")
    f = m.facts()
    assert (f["B.line"], f["B.total"]) == ("3U", "6")


def test_how_long_a_track_is() -> None:
    """IM-5, H2, H3: `track_length` and `start`; a sweep is clamped to the last card."""
    m = at("A pawn=2 slots=--5 won=4/3\nB slots=--1\nstage=flip battle=3 wins=AA", track_length=3)
    assert (m.over, m.facts()["A.pawn"], m.returns) == (True, "3", (1, -1))
    assert load(start=0).match(1).facts()["A.pawn"] == "0"


def test_a_battle_without_end_is_a_draw() -> None:
    """H18: at the next question; but who must concede with an empty hand has lost."""
    position = "A hand={} slots=-11 line=1\nB hand=5 slots=-11 line=5\nstage=act"
    m = at(position.format("111"), max_plays=1)
    m.submit(0, "1")
    assert m.facts()["wins"] == "-"
    assert m.facts()["A.discard"] == "11"
    m = at(position.format("1"), max_plays=1)
    m.submit(0, "1")
    assert m.facts()["wins"] == "B"


def test_a_pair_in_a_standoff_counts_when_it_is_shown() -> None:
    """H18, H16: B is asked, though A's card was the last of those allowed."""
    m = at("A hand=12 line=3\nB hand=22 line=3\nstage=act plays=4", max_plays=5)
    m.submit(0, "1")
    assert (m.to_act, m.phase, m.facts()["wins"]) == (1, "STAND", ".")
    m.submit(1, "2")
    assert m.facts()["wins"].startswith("-")


def test_each_card_of_the_hand_may_be_jammed() -> None:
    """IM-98, H19: chance counts cards, not kinds: three of four are 1s."""
    found = Counter[str]()
    for seed in range(800):
        m = at("A hand=J1 line=1\nB hand=1115 line=5\nstage=act", seed=seed)
        m.submit(0, "J")
        found[m.facts()["B.discard"]] += 1
    assert abs(found["1"] - 600) < 4 * (800 * 0.75 * 0.25) ** 0.5


def test_leaving_is_no_action() -> None:
    """H21: nothing but cards and conceding a battle is ever offered."""
    words = {w for m in positions({}, 4) for w in m.legal_words()}
    assert words == {*"x12345FEUMDRSJ"}


def test_the_limit_holds() -> None:
    """H17, H18: the longest matches that options allow end within the bound of the rules."""
    rules = load(max_rounds=2, max_plays=3, track_length=99)
    t = rules.plain().tt[0]
    most = rules.game.rules.max_length(t, 2)
    for seed in range(20):
        m = rules.match(seed)
        play_on(m, most + 1, seed)
        assert m.over
        assert len(m.history) <= most


def test_at_the_end_nobody_may_do_anything() -> None:
    """IM-36, IM-48."""
    m = at("A pawn=4 slots=--5 won=5\nB slots=--1 won=4\nstage=flip battle=3 wins=AB")
    assert (m.over, m.to_act, m.phase, m.legal_words()) == (True, None, "OVER", [])
    for seat in (0, 1):
        with pytest.raises(bb.IllegalAction, match="over"):
            m.submit(seat, "1")


@pytest.mark.parametrize(("rounds", "plays"), [(1, 1), (3, 7), (200, 200)])
def test_the_limit_is_what_developers_md_says(rounds: int, plays: int) -> None:
    """H17, H18."""
    rules = load(max_rounds=rounds, max_plays=plays)
    limit = rules.game.rules.max_length(rules.plain().tt[0], 2)
    assert "`max_rounds` times\n`6 + 3 * (2 * max_plays + 6)` decisions" in DEVELOPERS
    assert limit == rounds * (6 + 3 * (2 * plays + 6))


# ---- what can be taken back ----------------------------------------------------------------------
LAST = "A pawn={} hand=1 line=2\nB pawn={} hand=3 line=4\nstage=act battle=3 wins={}"


@pytest.mark.parametrize(
    ("position", "word", "told"),
    [
        ("A hand=1135E44\nB hand=2222222\nstage=place", "5", "PLACED"),
        ("A hand=12 line=4\nB hand=13 line=4\nstage=act", "2", "SEALED"),
        ("A hand=1 line=E\nB hand=1 line=35\nstage=target act=A", "5", "STRUCK LEADS"),
        ("A hand=1 line=S discard=15\nB hand=1 line=3\nstage=salvage act=A", "5", "SALVAGED LEADS"),
        (LAST.format(1, 4, "AB"), "x", "CONCEDED WON_BATTLE MOVED WON"),
        (LAST.format(4, 3, "AB"), "x", "CONCEDED WON_BATTLE MOVED DRAWN"),
        (LAST.format(3, 3, "A-"), "x", "CONCEDED WON_BATTLE STAYED DRAWN"),
    ],
)
def test_what_shows_nothing_hidden_can_be_taken_back(position: str, word: str, told: str) -> None:
    m = at(position, max_rounds=1)
    before, heard = m.digest(), len(m.events(None))
    m.submit(0, word)
    assert [x.event.name for x in m.events(None, heard)] == told.split()
    m.undo()
    assert m.digest() == before


@pytest.mark.parametrize(
    ("position", "mode", "word", "told"),
    [
        (
            "A hand=R1 line=2\nB hand=1 line=5\nstage=act",
            "advanced",
            "R",
            "PLAYED RESUPPLIED LEADS",
        ),
        (
            "A hand=1\nB hand=2 line=5\nstage=act battle=3 wins=B-",
            "advanced",
            "x",
            "CONCEDED WON_BATTLE MOVED ROUND DEALT RESHUFFLED DEALT",
        ),
        (
            "A pawn=4 hand=12 line=5\nB line=5\nstage=act battle=3 wins=A-",
            "beginner",
            "1",
            "PLAYED LEADS WON_BATTLE MOVED LEFT_OVER LEFT_OVER WON",
        ),
    ],
)
def test_against_a_bot_also_what_one_has_shown_can_be_taken_back(
    position: str, mode: str, word: str, told: str
) -> None:
    """Nothing is drawn but a bot's only card, which it can be made to forget."""
    m = at(position, mode=mode)
    before, heard = m.digest(), len(m.events(None))
    m.submit(0, word)
    assert [x.event.name for x in m.events(None, heard)] == told.split()
    m.undo(0, alone=True)
    assert m.digest() == before
