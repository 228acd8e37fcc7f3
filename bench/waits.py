"""How long people wait for bots, and whether it tells them anything.

    python -m bench.waits                 both: twenty minutes
    python -m bench.waits --only crowd    how late `easy` answers, whatever else goes on
    python -m bench.waits --only tells    whether one hears from its time that a bot had no choice
    python -m bench.waits --only battle   the same, of one game

*Crowd*: somebody plays against `easy`, alone, beside 40 matches of six champions that nobody
watches, and beside 40 that one spectator each watches. The time from the acknowledgement of a
move to the next frame.

*Tells*: somebody plays against bots. When a match is over its record says how many actions a bot
had each time. AUC: how often a bot that had a choice answered later than one that had none to the
same question; 0.5, if time tells nothing. Of response windows in which this person was not asked,
but for the first of a match: how often one lasted longer, or was longer in coming, in which a bot
was asked. With a 95 % interval, by drawing the matches again: the times of one match are not
independent.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median, quantiles
from time import perf_counter
from typing import Any

import httpx
import numpy as np
from pydantic_core import from_json, to_json
from websockets.asyncio.client import ClientConnection, connect

import battlebox as bb
from battlebox.protocol import PROTOCOL

from .load import Contender, our_command, served
from .wire import HOST, Ours

CROWD, REPLIES = 40, 60
ENOUGH = 200  # answers of either kind, for an AUC
FEW = 20  # of which one is said
MOST = 240.0  # seconds in which they are collected
TOGETHER = 8  # matches in which they are
DRAWS = 1000
SIX = ["champion"] * 6
Times = Mapping[bool, Mapping[int, list[float]]]  # by match


class Person:
    """Plays any of the legal actions, and notes when pictures came."""

    def __init__(self, id: str, socket: ClientConnection, dice: random.Random) -> None:
        self.id, self.socket, self.dice = id, socket, dice
        self.frame: dict[str, Any] = {}
        self.over = False
        self._next: list[dict[str, Any]] = []

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        while not self._next:
            found = from_json(await self.socket.recv())
            self._next = found if isinstance(found, list) else [found]
        message = self._next.pop(0)
        if message["type"] == "frame":
            self.frame = message
        elif message["type"] == "room":
            self.over = message["end"] is not None
        return message

    async def hear_frame(self) -> bool:
        """Hears until the picture has changed; False: it is over."""
        while (await self.hear())["type"] != "frame":
            if self.over:
                return False
        return not self.over

    async def do(self) -> None:
        """Chooses; returns when it is acknowledged, and what has come of it is shown."""
        action, id = self.dice.choice(self.frame["actions"]), f"act{self.frame['n']}"
        question = self.frame["question"]
        await self.say({"type": "act", "id": id, "question": question, "action": action})
        while (heard := await self.hear()).get("id") != id:
            pass
        assert heard["type"] in ("ack", "refused"), heard

    async def say(self, message: dict[str, Any]) -> None:
        await self.socket.send(to_json(message).decode())


@contextlib.asynccontextmanager
async def seated(
    port: int, id: str, token: str | None, dice: random.Random
) -> AsyncIterator[Person]:
    """Somebody at a socket, who has seen how it stands."""
    async with connect(f"ws://{HOST}:{port}/api/matches/{id}/live", max_size=2**24) as socket:
        person = Person(id, socket, dice)
        hello = {"type": "hello", "protocol": PROTOCOL, "token": token, "frames": "data"}
        await person.say(hello)
        while not person.frame:
            await person.hear()
        yield person


async def make(
    http: httpx.AsyncClient, game: str, seats: list[str], **options: Any
) -> dict[str, Any]:
    """A new match."""
    body = {"game": game, "seats": seats, "name": "Ada", "options": options}
    answer = await http.post("/api/matches", json=body)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


# ---- crowd ---------------------------------------------------------------------------------------
async def answers_of_easy(port: int, http: httpx.AsyncClient, dice: random.Random) -> list[float]:
    """How late `easy` answers."""
    times = list[float]()
    while len(times) < REPLIES:
        made = await make(http, "war_zone", ["you", "easy"])
        async with seated(port, made["id"], made["token"], dice) as ada:
            while len(times) < REPLIES and not ada.over:
                if not ada.frame["actions"]:
                    if not await ada.hear_frame():
                        break
                    continue
                await ada.do()
                if not ada.over and not ada.frame["actions"]:
                    began = perf_counter()
                    if await ada.hear_frame():
                        times.append(perf_counter() - began)
    return times


async def crowd(port: int) -> None:
    """Prints how late it answers, alone and beside others."""
    dice = random.Random(1)

    async def look(id: str) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            async with seated(port, id, None, dice) as watching:
                while not watching.over:
                    await watching.hear()

    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=60) as http:
        await answers_of_easy(port, http, dice)  # what is fetched at first use is fetched
        for what in ("alone", "unwatched", "watched"):
            ids = [(await make(http, "war_zone", SIX))["id"] for _ in range(CROWD)] * (
                what != "alone"
            )
            lookers = [asyncio.create_task(look(x)) for x in ids if what == "watched"]
            times = await answers_of_easy(port, http, dice)
            nine = quantiles(times, n=10)[-1]
            print(
                f"easy, {what:9}: median {median(times):.3f} s, nine in ten within {nine:.3f}, "
                f"the longest {max(times):.3f}",
                flush=True,
            )
            for x in lookers:
                x.cancel()
            await asyncio.gather(*lookers)


# ---- tells ---------------------------------------------------------------------------------------
@dataclass
class Collected:
    """Times by question, and by whether a bot had a choice, or was asked. There are enough when
    there are so many of both, to any question or to this one.
    """

    wanted: int
    question: str
    matches: int = 0
    answers: dict[str, dict[bool, dict[int, list[float]]]] = field(
        default_factory=lambda: defaultdict(
            lambda: {False: defaultdict(list), True: defaultdict(list)}
        )
    )

    def note(self, question: str, is_choice: bool, time: float) -> None:
        """A time of the match that is being classified."""
        self.answers[question][is_choice][self.matches].append(time)

    @property
    def enough(self) -> bool:
        asked = [x for q, x in self.answers.items() if self.question in ("", q)]
        return any(least(x) >= self.wanted for x in asked)


async def collect(
    port: int, game: str, seats: list[str], options: dict[str, Any], found: Collected
) -> None:
    """Plays until there are enough answers."""
    async with httpx.AsyncClient(base_url=f"http://{HOST}:{port}", timeout=60) as http:

        async def one(k: int) -> None:
            dice = random.Random(k)
            while not found.enough:
                made = await make(http, game, seats, **options)
                async with seated(port, made["id"], made["token"], dice) as ada:
                    heard = await play(ada, found)
                record = (await http.get(f"/api/matches/{made['id']}/record")).text
                classify(found, record, *heard)

        await asyncio.gather(*(one(k) for k in range(TOGETHER)))


async def play(ada: Person, found: Collected) -> tuple[dict[int, float], ...]:
    """A match, to its end or until there is enough: by how many events had been told, how long it
    was from that picture to the next, how long the windows were in which she was not asked, and how
    long it was until each of them that she did not open.
    """
    times, windows, begun = dict[int, float](), dict[int, float](), dict[int, float]()
    while not (ada.over or found.enough):
        told, held = len_of_told(ada.frame), "countdown" in ada.frame
        began, asked = perf_counter(), bool(ada.frame["actions"])
        if asked:
            await ada.do()
        while held and not ada.over and len_of_told(ada.frame) == told:
            await ada.hear_frame()  # her answer makes a picture of its own
        if not (asked or held):
            await ada.hear_frame()
        if not (asked or ada.over):
            (windows if held else times)[told] = time = perf_counter() - began
            if "countdown" in ada.frame and not held:
                begun[len_of_told(ada.frame)] = time
    if not ada.over:
        await ada.say({"type": "resign", "id": "enough"})
        while not ada.over:
            await ada.hear()
    return times, windows, begun


def len_of_told(frame: dict[str, Any]) -> int:
    """How many events had been told by then; every response window is of another."""
    return int(frame["keep"]) + len(frame["told"])


def classify(
    found: Collected,
    record: str,
    times: Mapping[int, float],
    windows: Mapping[int, float],
    begun: Mapping[int, float],
) -> None:
    """By the record: what a bot could do, when that was how it stood; whether one was asked."""
    match = bb.replay(record)
    found.matches += 1
    phases, asked = match.rules.game.response_windows.values(), set[int]()
    for then in match.look_back(range(len(match.history))):
        told = len(then.events(0))
        if then.state.phase in phases:
            asked.add(told)
        elif then.to_act and told in times:
            question = f"phase {int(then.state.phase)}"
            found.note(question, len(then.legal_actions) > 1, times[told])
    for question, those in ((WINDOW, windows), (BEGUN, begun)):
        # the first is none of them: bots are made in it, and in it nearly always one is asked
        for told in sorted(those)[1:]:  # the rules ran straight on, if nobody was asked
            found.note(question, told in asked, those[told])


def auc(times: Times) -> tuple[float, float, float]:
    """How often one of True is above one of False, and its 95 % interval: as if other matches had
    been played.
    """
    dice = np.random.default_rng(1)
    matches = sorted({*times[False], *times[True]})

    def of(drawn: Iterable[int]) -> float | None:
        a, b = (np.sort([t for m in drawn for t in times[x].get(m, ())]) for x in (False, True))
        if not (len(a) and len(b)):
            return None
        below, upto = np.searchsorted(a, b, "left"), np.searchsorted(a, b, "right")
        return float((below + upto).mean() / 2 / len(a))

    again = [of(dice.choice(matches, len(matches)).tolist()) for _ in range(DRAWS)]
    low, high = np.quantile([x for x in again if x is not None], [0.025, 0.975])
    return of(matches) or 0.0, float(low), float(high)


def least(times: Times) -> int:
    """How many there are of the kind of which there are fewer."""
    return min(sum(map(len, x.values())) for x in times.values())


def all_of(times: Mapping[int, list[float]]) -> list[float]:
    """Those of all matches."""
    return [t for x in times.values() for t in x]


WINDOW, BEGUN = "a response window", "until a response window"
GAMES: dict[str, tuple[list[str], dict[str, Any], int, str]] = {
    "war_zone": (["you", "champion"], {}, ENOUGH, ""),
    "iron_man": (["you", "champion"], {}, ENOUGH, ""),
    "battle": (["you", *["easy"] * 5], {"target_points": 1}, ENOUGH, WINDOW),
}


async def tells(port: int, game: str, most: float) -> None:
    """Prints what time tells in a game, after so many seconds at most; or after Ctrl-C."""
    seats, options, wanted, question = GAMES[game]
    found = Collected(wanted, question)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most):
                await collect(port, game, seats, options, found)
    finally:
        say(game, found)


def say(game: str, found: Collected) -> None:
    """Prints the questions to which there are a few answers of either kind."""
    for question, times in sorted(found.answers.items()):
        if least(times) >= FEW:
            mean, low, high = auc(times)
            none, some = all_of(times[False]), all_of(times[True])
            print(
                f"{game}, {question}: AUC {mean:.3f} ({low:.3f} .. {high:.3f}); "
                f"no choice {1e3 * median(none):.1f} ms ({len(none)}), "
                f"a choice {1e3 * median(some):.1f} ms ({len(some)})",
                flush=True,
            )


def main() -> None:
    """Prints the figures."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m bench.waits", None, __doc__, formatter_class=form)
    parser.add_argument("--only", choices=("crowd", "tells", *GAMES))
    parser.add_argument("--seconds", type=float, default=MOST, help="of each game, at most")
    args = parser.parse_args()
    only = args.only
    if only in (None, "crowd"):
        with served(Contender("battlebox", Ours(), our_command, everywhere=True)) as server:
            asyncio.run(crowd(server.port))
    for game in GAMES:
        if only in (None, "tells", game):
            with served(Contender("battlebox", Ours(), our_command, everywhere=True)) as server:
                asyncio.run(tells(server.port, game, args.seconds))


if __name__ == "__main__":
    main()
