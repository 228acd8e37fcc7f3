"""What is measured of ours."""

from __future__ import annotations

#: a game with options; the first is started cold, the first of a game compared with its peers
RULESETS: tuple[tuple[str, dict[str, int]], ...] = (
    ("war_zone", {"players": 2}),
    ("war_zone", {"players": 4}),
    ("battleball", {}),
    ("battleball", {"advanced": True, "team_rules": True}),
    ("iron_man", {}),
    ("medieval", {}),
    ("battle", {"players": 4, "rounds": 1}),
    ("battle", {"players": 10, "rounds": 1}),
)
