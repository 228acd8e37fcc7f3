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
