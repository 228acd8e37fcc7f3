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


def test_what_is_urgent_has_as_much_of_the_loop_as_all_else_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of it, if nobody wants any; it gives way after each slice."""
    now, others, waited = 0.0, 0.0, list[float]()
    monkeypatch.setattr("battlebox.server.slices.time.perf_counter", lambda: now)
    turns, sleep = list[int](), asyncio.sleep

    def work(each: float) -> Iterator[int]:
        nonlocal now
        for k in range(60):
            now += each
            yield k

    async def rest(seconds: float) -> None:
        nonlocal now
        waited.append(seconds)
        now += others
        await sleep(0)

    async def do() -> None:
        before = len(waited)
        async for _ in Slices().of(work(slices.SLICE / 2), urgent=True):
            pass
        turns.append(len(waited) - before)

    monkeypatch.setattr("battlebox.server.slices.asyncio.sleep", rest)
    in_a_loop(do())
    for others in (slices.LONGEST / 2, 1.0):  # noqa: B007 - `rest` takes as long
        in_a_loop(do())
    assert set(waited) == {0}, "it never waits for nothing"
    # 2 steps in a slice, and an empty one; or, after the first slice, 10; and 20 at most
    assert turns == [31, 1 + 5 + 1, 1 + 2 + 1]
