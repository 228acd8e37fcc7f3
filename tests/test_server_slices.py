"""Long work in the event loop: everybody gets a turn."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

import pytest
from serving import in_a_loop

from battlebox.server import slices
from battlebox.server.slices import Slices


@pytest.fixture(autouse=True)
def a_step_takes_half_a_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, slices.SLICE / 2)
    monkeypatch.setattr("battlebox.server.slices.time.perf_counter", lambda: next(clock))


def test_works_take_turns_and_the_loop_goes_on_between() -> None:
    happened: list[str] = []

    def work(name: str) -> Iterator[str]:
        for k in range(6):
            happened.append(name)
            yield f"{name}{k}"

    async def others() -> None:
        while True:
            happened.append(".")
            await asyncio.sleep(0)

    async def all_() -> list[list[str]]:
        here = Slices()

        async def do(name: str) -> list[str]:
            return [x async for x in here.of(work(name))]

        beside = asyncio.create_task(others())
        done = await asyncio.gather(do("a"), do("b"))
        beside.cancel()
        return done

    assert in_a_loop(all_()) == [[f"{x}{k}" for k in range(6)] for x in "ab"]
    order = [k for k, _ in itertools.groupby(x for x in happened if x != ".")]
    assert order == list("ababab")
    assert "." in happened[happened.index("a") : happened.index("b")]


def test_an_error_ends_a_work_and_not_the_others() -> None:
    def fails() -> Iterator[int]:
        yield 1
        raise ValueError("no")

    async def all_() -> list[int]:
        here = Slices()
        with pytest.raises(ValueError, match="no"):
            [x async for x in here.of(fails())]
        return [x async for x in here.of(range(5))]

    assert in_a_loop(all_()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("others", "turns"),
    [
        (0.0, 1),  # of the loop after each slice: there is nothing else to do
        (0.25, 4),
        (10.0, 1),
    ],
)
def test_what_is_urgent_gives_way_for_as_long_as_others_want_and_as_it_took(
    monkeypatch: pytest.MonkeyPatch, others: float, turns: int
) -> None:
    """others: how many slices' time all else takes in a turn."""
    now, waited, sleep, slice = 0.0, list[float](), asyncio.sleep, 2**-9
    monkeypatch.setattr("battlebox.server.slices.time.perf_counter", lambda: now)
    monkeypatch.setattr(slices, "SLICE", slice)

    def work() -> Iterator[int]:
        nonlocal now
        for k in range(5):
            now += slice
            yield k

    async def rest(seconds: float) -> None:
        nonlocal now
        waited.append(seconds)
        now += others * slice
        await sleep(0)

    async def do() -> list[int]:
        return [x async for x in Slices().of(work(), urgent=True)]

    monkeypatch.setattr("battlebox.server.slices.asyncio.sleep", rest)
    assert in_a_loop(do()) == [*range(5)]
    assert waited == [0] * 5 * turns
