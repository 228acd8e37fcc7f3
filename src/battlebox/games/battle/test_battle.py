"""Battle: every rule id, the deal, what holds in every match, how it ends.

Expected values come from README.md and DEVELOPERS.md, worked out by hand.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

import battlebox as bb
from battlebox.core.random import Script
from battlebox.games import find
from battlebox.games.battle.state import (
    BATTLE,
    ELIMINATE,
    EXPOSE,
    HELD,
    KINDS,
    MOST_ROUNDS,
    RANKS,
    SAVE,
    SKIP,
    Side,
)
from battlebox.games.battle.testing import at, load, walk

GAME = find("battle")
DEVELOPERS = (GAME.folder / "DEVELOPERS.md").read_text(encoding="utf-8")
WINDOWS = {"action_timing": "windows"}
MODES: tuple[dict[str, Any], ...] = (
    {},
    WINDOWS,
    {"pass_locks": True, "reverse_two": "skip"},
    {"build_effects": False, "voluntary_pass": False},
    {"owner_return": "always", "wipeout_ends": False, **WINDOWS},
)


# ---- README.md, DEVELOPERS.md ----
def test_the_readme_has_every_rule_and_ruling() -> None:
    rulings = [*(f"B{n}" for n in range(1, 38)), *(f"H{n}" for n in range(1, 10))]
    assert list(GAME.rulebook) == [*(f"BA-{n}" for n in range(1, 78)), *rulings]


def test_the_tables_are_the_bundled_deck() -> None:
    """BA-7, BA-8: counts of the kinds, cards dealt, cards left."""
    table = DEVELOPERS.split("## The cards")[1].split("\n## ")[0].replace("**", "")
    rows = [[x.strip() for x in line.strip("|").split("|")] for line in table.splitlines()]
    counts = {row[0]: row[2] for row in rows if len(row) == 4}
    deck = load().names
    assert counts["1 .. 12"] == f"{deck.fight.each[12]} each"
    for code, n in zip(("SK", "RV", "NB"), deck.action, strict=False):
        assert counts[code] == str(n[1])
    for code, n in (("EL", deck.action.eliminate), ("SV", deck.action.save)):
        assert counts[code].startswith(f"{n} ({n - 1} with 4 or 5 players")
    wide = {row[0]: [*map(int, row[1:])] for row in rows if len(row) == 8 and "---" not in row}
    assert wide["players"] == [*deck.players]
    assert wide["cards for each"] == [x.deal for x in deck.players.values()]
    left = [deck.size(n) - n * x.deal + 1 for n, x in deck.players.items()]
    assert wide["left in the deck, BATTLE among them"] == left


def test_words_show_no_card_and_no_identity_of_ones_own_will() -> None:
    """B31: there is a word for each thing one may do, and none to show what is hidden."""
    m = at("ba1 n=10 ph=LD ids=H.V.H.V.H.V.H.V.H.V hand0=3")
    words = {re.sub(r"\d+", "7", m.word(a)) for a in range(m.rules.plain().num_actions)}
    plain = {"pass", "draw", "take", "SK", "RV", "NB", "SV", "EX", "EL", "ID"}
    assert words == plain | {"d7", "7x7", "EX>7", "EL>7"}


# ---- the deal ----
@pytest.mark.parametrize("players", [-1, 0, 3, 11])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    """BA-2."""
    with pytest.raises(bb.RulesetError, match=f"players = {players}"):
        load(players=players)


@pytest.mark.parametrize(
    ("players", "dealt", "left"),
    [(4, 12, 41), (5, 12, 30), (6, 11, 27), (7, 10, 24), (8, 9, 23), (9, 8, 24), (10, 7, 27)],
)
def test_the_deal(players: int, dealt: int, left: int) -> None:
    """BA-1, BA-3, BA-4, BA-6, BA-7, BA-8, BA-9, BA-11: numbers of the printed table."""
    for seed in range(20):
        s = load(players=players).match(seed).state
        assert [s.hand_size[p] for p in range(players)] == [dealt] * players
        assert (s.deck_size, s.pile_size) == (left, 1)
        assert cards(s) == Counter({k: s.stock[k] for k in range(KINDS)})
        assert (s.stock[0], s.stock[BATTLE], s.stock[EXPOSE]) == (6, 1, players)
        assert s.stock[SAVE] == s.stock[ELIMINATE] == (2 if players < 6 else 3)
        sides = Counter(s.identity[p] for p in range(players))
        assert sides.keys() == {Side.SUPERHERO, Side.VILLAIN}
        assert abs(sides[Side.SUPERHERO] - sides[Side.VILLAIN]) == players % 2


@pytest.mark.parametrize("players", [5, 7, 9])
def test_of_an_odd_number_either_side_may_be_the_majority(players: int) -> None:
    """B1: or, with the option, always the same."""
    few = players // 2
    for odd, wanted in (("random", {few, few + 1}), ("hero", {few + 1}), ("villain", {few})):
        rules = load(players=players, odd_identity=odd)
        assert {count_heroes(rules.match(seed)) for seed in range(20)} == wanted


def test_identities_are_anybodys() -> None:
    """BA-5, B1: over 400 deals each side is the majority, and each seat's, about as often."""
    rules = load(players=5)
    dealt = [rules.match(seed).facts()["ids"].split(".") for seed in range(400)]
    for p in range(5):
        assert 160 < sum(ids[p] == "H" for ids in dealt) < 240
    assert 160 < sum(ids.count("H") == 3 for ids in dealt) < 240


def test_battle_may_lie_anywhere() -> None:
    """BA-10, BA-13: in every place of the 25, about as often; on top it is the first card."""
    rules = load(players=7)
    places = Counter(place_of_battle(rules.match(seed)) for seed in range(400))
    assert set(places) == {*range(25)}
    assert max(places.values()) < 3 * 400 / 25


def test_the_first_dealer() -> None:
    """BA-70: anybody, by lot, or the one that the option names; then it goes to the left."""
    rules = load(players=4)
    assert {rules.match(seed).state.dealer for seed in range(40)} == {0, 1, 2, 3}
    dealers = {m.state.round: m.state.dealer for m in walk(3, players=4, dealer=2, rounds=5)}
    assert dealers == {1: 2, 2: 3, 3: 0, 4: 1, 5: 2}
    with pytest.raises(bb.RulesetError, match="dealer = 4"):
        load(players=4, dealer=4)


def cards(s: Any) -> Counter[int]:
    """All cards, wherever they are."""
    found = Counter({k: sum(s.hands[p, k] for p in range(s.seats)) for k in range(HELD)})
    found.update(s.deck[i] for i in range(s.deck_size))
    found.update(s.pile[i] for i in range(s.pile_size))
    return found


def count_heroes(m: bb.Match) -> int:
    return m.facts()["ids"].count("H")


def place_of_battle(m: bb.Match) -> int:
    """How many cards lay above it before the first was turned up."""
    deck = m.facts()["deck"].split(".")
    return deck.index("BT") + 1 if "BT" in deck else 0


# ---- what holds in every match ----
@pytest.mark.parametrize("players", [4, 5, 10])
@pytest.mark.parametrize("options", MODES, ids=str)
def test_what_always_holds(players: int, options: dict[str, Any]) -> None:
    """BA-26, BA-34, BA-43, BA-44, BA-47, BA-48, BA-57, BA-62: from decision to decision."""
    before: Any = None
    for seed in range(3):
        for m in walk(seed, players=players, rounds=2, **options):
            now = look(m)
            assert now["cards"] == now["stock"]
            assert now["drawn"] == (now["battle"] == 1)
            assert now["dir"] in ("L", "R")
            assert ("ID" in m.legal_words()) == now["may show"]
            if before and before["round"] == now["round"] and before["seed"] == seed:
                assert before["exposed"] <= now["exposed"]
                assert before["out"] <= now["out"]
                if before["stands"] > (0, 0) < now["stands"]:
                    assert before["stands"] <= now["stands"]
                if before["battle"]:
                    assert before["deck"] == now["deck"]
                    assert not {"draw", "take"} & {*m.legal_words()}
            before = now | {"seed": seed}


def look(m: bb.Match) -> dict[str, Any]:
    """What the test above compares."""
    s, seats = m.state, range(m.rules.players)
    leads_or_follows = m.phase in ("LM", "LD", "FL")
    no_fights = sum(s.hands[s.turn, k] for k in range(RANKS)) == 0
    return {
        "round": s.round,
        "cards": cards(s),
        "stock": Counter({k: s.stock[k] for k in range(KINDS)}),
        "drawn": BATTLE in [s.pile[i] for i in range(s.pile_size)],
        "battle": s.battle,
        "dir": m.facts()["dir"],
        "may show": leads_or_follows and no_fights,
        "exposed": {p for p in seats if s.exposed[p]},
        "out": {p for p in seats if not s.living[p]},
        "stands": (s.number, s.rank),
        "deck": m.facts()["deck"],
    }


def test_what_is_taken_is_remembered_until_it_is_shown() -> None:
    """H9: the 5 from the discard pile; the 6 from the deck is nobody's business."""
    m = at("ba1 n=4 ph=PD ids=H.V.H.V hand0=5.3 hand1=1 hand2=2 hand3=4 deck=6.BT disc=5")
    m.submit(0, "take")
    assert m.state.known[0, 4] == 1
    m.submit(0, "d5")
    m.submit(1, "draw")
    assert [sum(m.state.known[p]) for p in range(2)] == [0, 0]


def test_a_reset_is_told_also_when_all_are_locked() -> None:
    """H3: to everybody, and who leads."""
    m = at(
        "ba1 n=4 ph=FL turn=0 ids=H.V.H.V hand0=SK.3 hand1=2 hand2=2.3 hand3=4 stand=9x1@3 "
        "open=0 locked=1.2.3 skip=1",
        pass_locks=True,
    )
    m.submit(0, "pass")
    assert (m.to_act, m.phase, m.facts()["stand"]) == (2, "LD", "-")
    told = [(x.event.name, x.args["seat"]) for x in m.events(None)]
    assert told == [("PASSED", 0), ("SKIPPED", 1), ("RESET", 2)]


# ---- the end ----
def test_a_round_ends_with_its_last_turn() -> None:
    """B33: no turn is counted beyond the limit, and then the round is void."""
    voids = 0
    for seed in range(3):
        for m in walk(seed, players=4, rounds=4, max_turns=30):
            assert m.state.turns < 30 or m.over
        voids += m.facts()["side"] == "void"
    assert voids > 0


def test_a_game_of_void_rounds_ends() -> None:
    """H1, B37: after 1000 of them, drawn."""
    m = load(players=4, max_turns=1).match(1)
    while m.to_act is not None:
        m.submit(m.to_act, m.legal_actions[0])  # draw, keep, lead: nobody is eliminated
    assert m.state.round == MOST_ROUNDS
    assert m.facts()["winner"] == "draw"
    assert m.returns == (0, 0, 0, 0)


@pytest.mark.parametrize(("laps", "players"), [(2, 4), (1, 7), (60, 4)])
def test_laps_of_draws_from_the_discard_pile_end(laps: int, players: int) -> None:
    """B9: then the next one is from the deck, and counting begins anew."""
    ids = "H.V.H.V.H.V.H"[: 2 * players - 1]
    m = at(f"ba1 n={players} ph=PD ids={ids} deck=6.BT disc=5", max_discard_draws=laps)
    for i in range(laps * players):
        m.submit(i % players, "take")
        m.submit(i % players, "d5")
    assert m.legal_words() == ["draw"]
    m.submit(0, "draw")
    m.submit(0, "pass")
    assert m.legal_words() == ["draw", "take"]


def test_returns() -> None:
    """BA-65, BA-66, B37: +1 for who has won, -1 for the others; nothing in a draw."""
    text = "ba1 n=5 ph=FL turn=0 ids=H.V.H.V.V hand0=SK hand1=2 stand=9x2@3 score={}"
    for score, wanted in (
        ("0.0.0.0.0", (1, -1, 1, -1, -1)),
        ("0.1.0.1.1", (0, 0, 0, 0, 0)),
        ("1.0.0.0.0", (1, -1, -1, -1, -1)),
    ):
        m = at(text.format(score), rounds=1)
        m.submit(0, "ID")
        assert m.returns == wanted


def test_a_tie_is_anybodys() -> None:
    """BA-73: each draws alone; the lots of a pass may all be the same."""
    text = "ba1 n=4 ph=FL turn=0 ids=H.V.H.V hand0=SK hand1=2 stand=9x2@3 score=4.2.4.1"
    won = Counter[str]()
    for seed in range(200):
        m = at(text, seed)
        m.submit(0, "ID")
        won[m.facts()["winner"]] += 1
    assert won.keys() == {"0", "2"}
    assert 70 < won["0"] < 130
    m = at(text, chance=Script(1, 1, 0, 0, 1, 0))
    m.submit(0, "ID")
    assert m.facts()["winner"] == "2"


def test_there_is_room_for_all_action_cards_in_windows() -> None:
    """H5: each begins a window anew, in which everybody is asked again, also in a short round."""
    hands = " ".join(f"hand{p}={'.'.join(['SK'] * 20)}" for p in range(4))
    m = at(
        f"ba1 n=4 ph=AD turn=0 ids=H.V.H.V {hands} deck=1.BT disc=8",
        action_timing="windows",
        max_turns=1,
        rounds=1,
    )
    m.submit(0, "pass")
    decisions = 1
    for p in (0, 3, 2, 1):  # the last who is asked plays all, while the others wait
        while m.state.hands[p, SKIP]:
            m.submit(m.to_act, "SK" if m.to_act == p else "pass")
            decisions += 1
    assert m.over
    assert 200 < decisions <= m.rules.game.rules.max_length(m.rules.numbers, 4)


# ---- what is over ----
def of_the_state(m: bb.Match) -> dict[str, Any]:
    """All fields of the state, as lists and numbers."""
    truth = m.observation(None).dtype.names or ()
    return {n: np.asarray(getattr(m.state, n)).tolist() for n in truth}


def test_a_new_round_begins_as_the_first_did() -> None:
    """BA-69, BA-70: whatever was on the table and whatever was done is off it."""
    copies = load(players=5).numbers.copies
    cards = [k for k in range(HELD) for _ in range(copies[k])]
    chance: list[int | list[int]] = [Side.VILLAIN, [1, 2, 1, 2, 2], cards, 9]
    m = at(
        "ba1 n=5 ph=AD turn=1 act=1 dealer=2 dir=R ids=H.V.H.V.H exp=0 out=3 turns=9 skip=3 "
        "aside=4.4 hand0=RV.4 hand1=SK.EL hand2=3.3 hand4=7.SV deck=BT.6.7.8 disc=9.11.3.EX",
        chance=Script(*chance),
        pass_locks=True,
        out_scores=False,
    )
    m.submit(1, "pass")
    while m.to_act is not None and m.state.round == 1:
        words = m.legal_words()
        m.submit(m.to_act, next(w for w in ("ID", "EL>0", "RV", "pass", words[0]) if w in words))
    n = at("ba1 n=5 ph=DEAL dealer=3 round=2", chance=Script(*chance))
    was, new = of_the_state(m), of_the_state(n)
    for name in was:
        if not name.startswith("last_") and name not in ("scored", "points"):
            assert was[name] == new[name], name


def test_what_all_saw_of_the_last_round_is_remembered() -> None:
    """H9: identities, and who was in."""
    m = at(
        "ba1 n=4 ph=FL turn=2 ids=H.V.H.V exp=1 out=3 aside=4.4.4 hand0=1.2 hand1=5 hand2=SK.SK.RV "
        "disc=BT.7.9 stand=9x1@0 open=1.2",
        rounds=1,
    )
    m.submit(2, "ID")
    s = m.state
    assert [s.last_identity[p] for p in range(4)] == [1, 2, 1, 2]
    assert [s.last_living[p] for p in range(4)] == [1, 1, 1, 0]
    assert [s.scored[p] for p in range(4)] == [1, 0, 1, 0]
    assert s.last_side == Side.SUPERHERO


@pytest.mark.parametrize(
    ("after", "words"),
    [("saved", "EL>2 pass SV"), ("out", "EL>2 pass pass"), ("the round ends", "EL>3")],
)
def test_an_elimination_is_forgotten_when_it_is_over(after: str, words: str) -> None:
    """BA-61: nobody is aimed at any more, by nobody."""
    m = at(
        "ba1 n=6 ph=FL turn=1 ids=H.V.H.V.H.V out=0.4.5 hand1=EL.3 hand2=SV.4 hand3=SV.5 "
        "disc=BT.9 stand=9x1@3 open=1.2"
        if after != "the round ends"
        else "ba1 n=4 ph=FL turn=1 ids=H.H.V.V out=2 hand0=4 hand1=EL.3 hand3=5 stand=9x1@0 open=1",
        rounds=1,
        wipeout_ends=after == "the round ends",
    )
    for word in words.split():
        m.submit(m.to_act, word)
    assert (m.state.victim, m.state.by, m.state.back) == (0, 0, 0)
    assert m.over == (after == "the round ends")


def test_what_is_off_a_pile_is_not_left_under_it() -> None:
    """BA-20: no card lies beyond the tops of the two piles."""
    for m in walk(4, players=4, rounds=2):
        s = m.state
        assert not any(s.deck[i] for i in range(s.deck_size, len(s.deck)))
        assert not any(s.pile[i] for i in range(s.pile_size, len(s.pile)))


def test_when_nothing_stands_nobody_has_done_anything_about_it() -> None:
    """BA-39, BA-51, BA-46: after a reset and after NEW BATTLE, and while players build."""
    text = "ba1 n=4 ph={} turn=1 ids=H.V.H.V hand0=3 hand1=NB.SK.4 hand2=5 hand3=6 {}"
    standing = "disc=BT.9 stand=9x2@{} open=1"
    reset = at(text.format("FL", standing.format(2)))
    reset.submit(1, "pass")
    new = at(text.format("FL", standing.format(3)))
    new.submit(1, "NB")
    building = at(text.format("AD", "deck=7.BT disc=8"))
    building.submit(1, "SK")
    building.submit(1, "pass")
    for m, to_act, battle in ((reset, 2, 1), (new, 1, 1), (building, 3, 0)):
        s = m.state
        assert (m.to_act, s.battle) == (to_act, battle)
        assert (s.rank, s.number, s.owner, s.acted) == (0, 0, 0, 0)
        assert [s.since[p] for p in range(4)] == [0, 0, 0, 0]


def test_the_battle_begins_with_its_card() -> None:
    """BA-29."""
    m = at("ba1 n=4 ph=PD turn=1 ids=H.V.H.V hand0=3 hand1=4 hand2=5 hand3=6 deck=BT.8")
    m.submit(1, "draw")
    assert (m.state.battle, m.state.deck_size, m.phase) == (1, 1, "LM")


# ---- what can be taken back ----
BUILDING = "turn=0 hand0=SK.RV.NB.EL.SV.EX.3 hand1=4 hand2=5 hand3=6 deck=7.BT disc=8"
STANDING = "turn=0 hand0=SK.RV.NB.EX.10 hand1=4 hand2=SV.EL.5 hand3=SV.6 disc=BT.9 stand=9x1@"


@pytest.mark.parametrize(
    ("position", "word", "told"),
    [
        (f"ph=PD {BUILDING}", "take", "TOOK"),
        (f"ph=AD {BUILDING}", "d3", "DISCARDED"),
        (f"ph=AD {BUILDING}", "pass", "KEPT"),
        (f"ph=AD skip=1 {BUILDING}", "pass", "KEPT SKIPPED"),
        (f"ph=AD {BUILDING}", "SK", "SKIP"),
        (f"ph=AD {BUILDING}", "RV", "REVERSED"),
        (f"ph=AD {BUILDING}", "NB", "THREW"),
        (f"ph=AD {BUILDING}", "SV", "THREW"),
        (f"ph=LM {STANDING[: STANDING.index('stand')]}", "10x1", "LED"),
        (f"ph=FL {STANDING}2 open=0", "10x1", "PLAYED"),
        (f"ph=FL {STANDING}2 open=0", "pass", "PASSED"),
        (f"ph=FL {STANDING}1 open=0", "pass", "PASSED RESET"),
        (f"ph=FL {STANDING}2 open=0", "NB", "NEW_BATTLE"),
        (f"ph=FL exp=0.1.2.3 {STANDING}2 open=0", "EX", "EXPOSED_NOBODY"),
    ],
)
def test_what_shows_nothing_hidden_can_be_taken_back(position: str, word: str, told: str) -> None:
    m = at(f"ba1 n=4 ids=H.V.H.V {position}")
    before = m.digest()
    m.submit(0, word)
    assert [x.event.name for x in m.events(None)] == told.split()
    m.undo()
    assert m.digest() == before


@pytest.mark.parametrize(
    ("position", "words", "options"),
    [
        (f"ph=PD {BUILDING}", "draw", {}),
        (f"ph=PD {BUILDING.replace('7.BT', 'BT.7')}", "draw", {}),
        (f"ph=AD {BUILDING}", "EX>2", {}),
        (f"ph=AD {BUILDING}", "EL>2", {}),
        (f"ph=FL {STANDING.replace('turn=0', 'turn=2')}1 open=0.2.3", "EL>0 pass", {}),
        (f"ph=FL {STANDING.replace('turn=0', 'turn=2')}1 open=0.2.3", "EL>0 SV", {}),
        (f"ph=AD {BUILDING}", "pass", {"action_timing": "windows"}),
        (f"ph=AD {BUILDING}", "pass pass", {"action_timing": "windows"}),
        (f"ph=AD turns=1 {BUILDING}", "pass", {"max_turns": 2, "rounds": 1}),
        ("ph=FL hand0=SK hand1=4 disc=BT.9 stand=9x1@1 open=0.2.3", "ID", {"rounds": 1}),
        ("ph=FLIP hand0=SK hand1=4 deck=EX.BT.9 dealer=0", "EX>1", {}),
    ],
)
def test_what_somebody_has_learnt_is_not_taken_back(
    position: str, words: str, options: dict[str, Any]
) -> None:
    """BA-20, BA-48, BA-55, B13, H5: what was drawn, whose identity it is, who was asked."""
    m = at(f"ba1 n=4 ids=H.V.H.V {position}", **options)
    for word in words.split():
        m.submit(m.to_act, word)
    with pytest.raises(bb.UndoRefused, match=r"been revealed|everybody has been asked"):
        m.undo()
