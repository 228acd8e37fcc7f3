"""Battleball: every event has its sentence, every action its choice."""

from __future__ import annotations

from battlebox.games.battleball.scene import SENTENCES
from battlebox.games.battleball.state import Event
from battlebox.games.battleball.testing import load, play_on


def test_every_event_has_a_sentence() -> None:
    assert {e.name for e in Event} == set(SENTENCES)


def test_random_matches_can_be_told_and_drawn() -> None:
    r = load(advanced=True, team_rules=True)
    for seed in range(2):
        m = r.match(seed)
        while not m.over and len(m.history) < 300:
            play_on(m, 11, seed + len(m.history))
            for seat in (0, 1, None):
                scene = m.scene(seat)
                offered = sorted(c.action for c in scene.choices)
                assert offered == (list(m.actions) if seat == m.to_act else [])
                ids = {p.id for z in scene.zones for p in z.pieces} | {z.id for z in scene.zones}
                assert {id for c in scene.choices for id in c.path} <= ids
        for seat in (0, 1, None):
            assert all("{" not in line for line in m.log(seat))
