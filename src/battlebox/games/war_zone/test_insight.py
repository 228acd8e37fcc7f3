"""What a search of War Zone is told to expect."""

from __future__ import annotations

import pytest

from battlebox.core.laws import expected, led_to
from battlebox.games.war_zone.testing import at, load, play_on

DUEL = "wz1 n=2 hs=3 ph=ATTACK turn={} health={} hand0={} hand1=IF.IF.IF deck=TA.SN.FL"
FOUR = "wz1 n=4 hs=1 ph=ATTACK turn=0 health={} hand0=IF deck=TA.SN"


def worth(health: str, hand: str = "IF.IF.IF", turn: int = 0) -> float:
    """What seat 0 of a duel may expect."""
    said = expected(at(DUEL.format(turn, health, hand)))
    assert said is not None
    assert said[0] == -said[1]
    return said[0]


@pytest.mark.parametrize("options", [{}, {"players": 4}, {"players": 4, "teams": 2}])
def test_a_duel_is_judged_at_the_beginning_of_a_turn(options: dict[str, int]) -> None:
    rules, said = load(**options), 0
    for seed in range(4):
        m = rules.match(seed)
        while not m.over:
            judged = expected(m) is not None
            left = [p for p in range(rules.players) if m.state.health[p] > 0]
            assert judged == (m.phase == "ATTACK" and len(left) == 2)
            said += judged
            play_on(m, 1, len(m.history))
    assert said > 4


def test_more_health_is_better_and_the_less_there_is_the_more() -> None:
    assert worth("12.12") > 0 > worth("12.12", turn=1) == -worth("12.12")
    assert 0 < worth("12.12") < worth("20.12") < worth("20.5") < 1
    assert worth("9.6") > worth("19.16")


def test_defences_are_better_than_nothing() -> None:
    assert worth("12.12", "BW.BW.IF") > worth("12.12", "BW.IF.IF") > worth("12.12")


def test_who_fell_before_has_lost_but_for_his_team() -> None:
    all_against_all = expected(at(FOUR.format("20.0.0.5")))
    teams = expected(at(FOUR.format("20.0.0.5"), teams=2))
    assert all_against_all is not None
    assert teams is not None
    assert all_against_all[1] == all_against_all[2] == -1
    assert all_against_all[0] == -all_against_all[3] > 0
    assert teams[0] == teams[2] == -teams[1] == -teams[3] == all_against_all[0]


@pytest.mark.parametrize("teams", [0, 2])
def test_of_three_players_nothing_is_said(teams: int) -> None:
    assert expected(at(FOUR.format("20.0.5.9"), teams=teams)) is None


@pytest.mark.parametrize(
    ("seat", "led"),
    [(0, [-9, 12, 1, 0, 1]), (1, [-12, 9, 0, 0, 1])],
)
def test_an_attack_leads_to_health_defences_and_who_is_out(seat: int, led: list[float]) -> None:
    assert led_to(at(DUEL.format(0, "12.9", "BW.IF.IF")), seat) == led


def test_it_is_counted_by_sides_when_the_attack_is_over() -> None:
    """WZ-40: of two teams 0 and 2 are one."""
    m = at(FOUR.format("20.0.3.5"), teams=2)
    assert led_to(m, 0) == led_to(m, 2) == [-5, 23, 0, 1, 2]
    assert led_to(m, 3) == [-23, 5, 0, 0, 1]
    m.submit(0, m.legal_actions[0])
    assert (m.phase, led_to(m, 0)) == ("CYCLE", None)
