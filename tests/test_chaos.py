"""A little of bench/chaos.py: what happens to machines, while people play at three nodes."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench import chaos
from bench.history import History, digest
from databases import needs_postgres, the_server
from serving import ROOMY, in_a_loop, in_thread

pytestmark = pytest.mark.slow
#: with this seed all kinds happen
FAULTS, SEED, TABLES = 12, 118, 8


@needs_postgres
def test_nothing_is_lost_whatever_happens_to_machines() -> None:
    found = in_a_loop(chaos.unleash(FAULTS, SEED, TABLES, think=0.5, gap=1.0, still=4.0))
    assert len(found.faults) == 8
    assert found.acknowledged > 0


def test_time_in_which_no_node_was_well_is_nobody_s_wait() -> None:
    cluster: Any = SimpleNamespace(nodes=[])
    hall = chaos.Hall(cluster, random.Random(1), think=0.0)
    hall.outages = [(10.0, 20.0), (30.0, 31.0)]
    hall.dark = [(5.0, 11.0), (14.0, 16.0), (19.0, 25.0), (40.0, 50.0)]
    assert hall.unserved() == [10 - 1 - 2 - 1, 1.0]


def test_a_proxy_sends_nobody_to_who_is_not_ready() -> None:
    nodes: list[Any] = [SimpleNamespace(port=k) for k in range(3)]
    proxy = chaos.Proxy(nodes)
    assert {proxy.order()[0].port for _ in range(3)} == {0, 1, 2}
    proxy.well.discard(1)
    assert {x.port for _ in range(3) for x in proxy.order()} == {0, 2}
    proxy.well.clear()
    assert proxy.order() == []


# ---- that it would be noticed --------------------------------------------------------------------
@pytest.fixture
def played(tmp_path: Path) -> tuple[History, chaos.Player]:
    """A match, and what one who played it was shown."""
    database = the_server().new()
    with in_thread(tmp_path, how={"database": database}, **ROOMY) as server:
        made = server.make(["you", "random"], game="medieval", seed=1)
        cluster: Any = SimpleNamespace(nodes=[SimpleNamespace(port=server.port)])
        hall = chaos.Hall(cluster, random.Random(1), think=0.0)
        ada = chaos.Player(hall, made["id"], 0, made["token"], "data", random.Random(1))
        in_a_loop(ada.play())
        return History(server.rooms.store, made["id"]), ada


def moments(history: History, player: chaos.Player) -> list[int]:
    """Of the pictures that they were shown."""
    seen = [(x.told, x.digest) for x in player.shown]
    return history.moments(player.seat, player.form, seen, player.told)


@needs_postgres
def test_what_was_shown_is_found_in_the_log(played: tuple[History, chaos.Player]) -> None:
    history, ada = played
    found = moments(history, ada)
    assert ada.acked
    assert found == sorted({*found})
    assert found[-1] == len(history.entries)


@needs_postgres
def test_what_is_of_no_moment_is_noticed(played: tuple[History, chaos.Player]) -> None:
    history, ada = played
    ada.shown[2].digest = digest("", "what another may see")
    with pytest.raises(AssertionError, match=r"picture 2 of \d+ is of moments .*, of none from"):
        moments(history, ada)


@needs_postgres
def test_what_goes_back_is_noticed(played: tuple[History, chaos.Player]) -> None:
    history, ada = played
    ada.shown[1:3] = ada.shown[2:0:-1]
    with pytest.raises(AssertionError, match=r"picture 2 of \d+ is of moments .*, of none from"):
        moments(history, ada)


@needs_postgres
def test_a_log_that_has_lost_something_is_noticed(played: tuple[History, chaos.Player]) -> None:
    history, ada = played
    del history.entries[-4:]
    with pytest.raises(AssertionError, match="told what is not in the log"):
        moments(history, ada)
