"""What readers of long replays cost everybody else.

    python -m bench.replays

A match of Battleball of 1,900 random actions has ended. First the processor time of its last step,
looked back on as the server does, beside playing the match again up to it. Then the time until a
move of another match is acknowledged, its log on disk, by itself and while 20 readers ask for the
last 50 steps over and over. All of it in one process and one run: what counts are the ratios.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import battlebox as bb
from battlebox.core.match import Match
from battlebox.protocol.commands import Act
from battlebox.server.limits import Limits
from battlebox.server.room import Room
from battlebox.server.rooms import Rooms
from battlebox.server.routes.matches import replayed
from battlebox.server.session import MatchPlan, SeatPlan
from battlebox.server.store.sqlite import SqliteStore

LENGTH, READERS, CHUNK, MOVES = 1_900, 20, 50, 200


def long_match() -> Match:
    """The one that is read."""
    match, dice = Match(bb.load("battleball", players=2, advanced=True), 5), random.Random(1)
    match.rules.use_compiled_observer()
    while len(match.history) < LENGTH and not match.over:
        assert match.to_act is not None
        match.submit(match.to_act, dice.choice(match.legal_actions))
    return match


def again(match: Match) -> None:
    """Its last step, by playing it again."""
    then = match.fresh_copy()
    for done in match.history:
        then.repeat(*done)
    then.scene(0)


def back(match: Match) -> None:
    """Its last step, by looking back."""
    for then in match.look_back([len(match.history)]):
        then.scene(0)


def processor(what: object, match: Match) -> float:
    """Seconds of the processor, the least of three."""
    assert callable(what)
    found = []
    for _ in range(3):
        began = process_time()
        what(match)
        found.append(process_time() - began)
    return min(found)


async def answers(room: Room) -> float:
    """The median seconds until a move of this match is acknowledged."""
    found, match = [], room.session.match
    for k in range(MOVES):
        await asyncio.sleep(0.005)
        seat, action = match.to_act, match.legal_actions[0]
        assert seat is not None
        began = perf_counter()
        act = Act(question=room.session.question(seat), action=action)
        await room.submit(act, seat, f"{k}")
        found.append(perf_counter() - began)
    return median(found)


async def crowded(match: Match) -> tuple[float, float]:
    """The same, alone and while others read."""
    seats = tuple(SeatPlan(kind="person", name=x) for x in ("Ada", "Ben"))
    version = match.rules.game.version
    plan = MatchPlan(game="battleball", version=version, options="", seats=seats, host=0, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        rooms = Rooms(SqliteStore(Path(folder)), Limits())
        alone = await answers(await rooms.make(plan))

        async def read() -> None:
            while True:
                last = len(match.history)
                await replayed(rooms, match, 0, last - CHUNK + 1, last)

        readers = [asyncio.create_task(read()) for _ in range(READERS)]
        beside = await answers(await rooms.make(plan))
        for x in readers:
            x.cancel()
        rooms.close()
        rooms.store.close()
    return alone, beside


def main() -> None:
    """Prints the figures."""
    match = long_match()
    far, near = processor(again, match), processor(back, match)
    print(f"the last of {len(match.history)} steps, played again: {far:.3f} s of the processor")
    print(f"looked back on: {near:.4f} s, {far / near:.0f} times less")
    alone, beside = asyncio.run(crowded(match))
    print(f"an acknowledgement alone: {alone * 1e3:.1f} ms (median of {MOVES})")
    print(f"with {READERS} readers: {beside * 1e3:.1f} ms, {beside / alone:.1f} times as long")


if __name__ == "__main__":
    main()
