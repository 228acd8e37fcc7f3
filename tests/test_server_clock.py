"""The clock that tests move: what is waited for by it comes when they say, and not before."""

from __future__ import annotations

import asyncio

import pytest
from serving import in_a_loop

from battlebox.server.clock import REAL, ManualClock
from battlebox.server.limits import Bucket


def test_time_stands_still_until_it_is_moved() -> None:
    clock, heard = ManualClock(), list[str]()

    async def main() -> None:
        began, date = clock.now(), clock.date()
        for seconds, what in ((3.0, "later"), (1.0, "soon"), (2.0, "never")):
            alarm = clock.call_later(seconds, lambda what=what: heard.append(what))  # type: ignore[misc]
        alarm.cancel()
        sleeper = asyncio.create_task(clock.sleep(2.5))
        await asyncio.sleep(0)
        assert clock.alarms == [1.0, 2.5, 3.0]
        clock.advance(0.999)
        await asyncio.sleep(0)
        assert heard == []
        clock.advance(0.001)
        await asyncio.sleep(0)
        assert heard == ["soon"]
        await asyncio.to_thread(clock.advance, 1.5)  # from any thread
        await sleeper
        clock.advance(10)
        await asyncio.sleep(0)
        assert heard == ["soon", "later"]
        assert clock.alarms == []
        assert clock.now() - began == pytest.approx(clock.date() - date) == pytest.approx(12.5)

    in_a_loop(main())


def test_what_is_over_already_comes_at_once() -> None:
    async def main() -> None:
        for clock in (ManualClock(), REAL):
            await clock.sleep(0)
            await clock.sleep(-1)

    in_a_loop(main())


def test_what_takes_too_long_is_ended_and_what_is_in_time_is_not() -> None:
    clock = ManualClock()

    async def main() -> None:
        async with clock.timeout(5):
            clock.advance(4)
        clock.advance(4)
        async with clock.timeout(5):
            clock.advance(5)
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        in_a_loop(main())


def test_a_bucket_fills_by_the_clock() -> None:
    clock = ManualClock()
    bucket = Bucket(2, 3, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.advance(0.5)
    assert [bucket.take() for _ in range(2)] == [True, False]
    clock.advance(1000)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
