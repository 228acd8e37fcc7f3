"""Whether a server's memory stays flat, however many matches have been made and left.

    python -m bench.memory              10,000 matches: twenty minutes
    python -m bench.memory 3000

Matches of all games in turn are made over HTTP by one person against bots that draw lots; the
person looks, makes some moves at a socket, and goes. The server has its usual limits: at most
2,000 matches are in memory, so that from then on one leaves for each that comes. Prints the
resident memory of the server after every thousand, and what each match after the first 3,000 has
cost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
from functools import partial

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import battlebox as bb
from battlebox.protocol import PROTOCOL

from .load import OURS, Contender, our_command, run, served
from .wire import HOST, Ours, post

STEP, FIRST = 1_000, 3_000  # matches
HANDS = 4  # who make and leave matches at the same time
MOVES = 3  # of each person


def seats() -> list[tuple[str, list[str]]]:
    """Each game, and who sits there."""
    found = []
    for name in bb.games():
        fewest = bb.load(name).players
        found.append((name, ["you", *["random"] * (fewest - 1)]))
    return found


async def visit(port: int, game: str, who: list[str]) -> None:
    """Makes a match, makes some moves in it, and leaves it."""
    loop = asyncio.get_running_loop()
    wanted = {"game": game, "seats": who}
    made = await loop.run_in_executor(None, partial(post, port, "/api/matches", wanted))
    url = f"ws://{HOST}:{port}/api/matches/{made['id']}/live"
    async with connect(url, max_size=2**24, proxy=None) as socket:
        hello = {"type": "hello", "protocol": PROTOCOL, "token": made["token"], "frames": "data"}
        await socket.send(json.dumps(hello))
        with contextlib.suppress(TimeoutError, ConnectionClosed):
            await play(socket)


async def play(socket: object) -> None:
    """Some moves, as long as it is their turn soon."""
    done = 0
    while done < MOVES:
        async with asyncio.timeout(2):
            said = json.loads(await socket.recv())  # type: ignore[attr-defined]
        for message in said if isinstance(said, list) else [said]:
            if message["type"] == "frame" and message["actions"]:
                done += 1
                act = {"type": "act", "id": f"m{done}", "question": message["question"]}
                act["action"] = message["actions"][0]
                await socket.send(json.dumps(act))  # type: ignore[attr-defined]


async def visits(port: int, first: int, last: int) -> None:
    """The matches of these numbers."""
    numbers, games = iter(range(first, last)), seats()

    async def hand() -> None:
        for k in numbers:
            await visit(port, *games[k % len(games)])

    await asyncio.gather(*(hand() for _ in range(HANDS)))


def main() -> None:
    """Prints the figures."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m bench.memory", None, __doc__, formatter_class=form)
    parser.add_argument("matches", type=int, nargs="?", default=10_000, help="how many (10,000)")
    most = parser.parse_args().matches
    found = dict[int, int]()
    with served(Contender(OURS, Ours(), our_command)) as server:
        for n in range(0, most, STEP):
            run(visits(server.port, n, n + STEP))
            found[n + STEP] = server.rss()
            print(f"{n + STEP:6} matches: {found[n + STEP] / 1e6:7.1f} MB", flush=True)
    if most > FIRST:
        each = (found[most] - found[FIRST]) / (most - FIRST)
        print(f"each match after the first {FIRST:,}: {each:.0f} bytes")


if __name__ == "__main__":
    main()
