"""Scenario files (`.scn`): rules by example, run on the plain build.

    # a comment; blank lines are free
    scenario WZ-S7 a blocked counter-attack pays nothing        [WZ-47 WZ-25]
    options speedy=false cycle=1
    position ...one or more lines in the game's own position notation...
    chance 7 12 AR          # outcomes of the random events to come, in their order
    chance any              # all that come after these are by lot: it does not matter which
    do 0 AR>1               # seat, then the action's word
    agree halt play         # what all seats agree on
    expect to_act=1:DEFEND health=20.20 hand1~BW.GM
    illegal 1 MG            # this seat may not do this now; the state stays untouched
    illegal all halt play   # this may not be agreed on now

A scenario that needs more outcomes than it lists, or leaves some over, fails. `expect` compares
facts with `=`, or as multisets with `~`; words that are joined by commas have no order. Every game
knows `to_act` `winner` `legal` `nlegal` `has` `hasnot`, and what was told since the last decision:

    expect told=HIT(1,5,15,0);OUT(1,3)      # what everybody heard, in this order
    expect told0=DREW(0,IF);...             # seat 0 heard first that it drew IF
    expect told1=...;PUT_UNDER(0,?);...     # seat 1 was not told which card it was
    expect told=none

An event is written with all its arguments, in the game's words and in the order of its declaration
in the rules; `?` is one that this viewer is not told. `...` stands for any events, or none. With
`~` in place of `=` the order does not count (and there is no `...`). After a `position` it is what
came of it before the first decision.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from .errors import BattleboxError, IllegalAction, InvalidWord, ScenarioError
from .event_log import EventView
from .game import Game, Ruleset, parse_options
from .match import Match
from .random import Script
from .so_far import SoFar
from .table import nearest

ANY = "any"  # of chance: by lot
VERBS = ("options", "position", "chance", "do", "agree", "expect", "illegal")


class Failed(Exception):
    """What a scenario found to be otherwise; says the line."""


@dataclass(frozen=True)
class Line:
    """A line of a scenario or a lesson: its number, and what stands behind its verb."""

    n: int
    verb: str
    rest: str

    @property
    def words(self) -> tuple[str, ...]:
        """What stands there word by word; `"` keep together what belongs together."""
        return tuple(w.strip('"') for w in re.findall(r'"[^"]*"|\S+', self.rest))


@dataclass(frozen=True)
class Block:
    """What begins with `scenario ID title [rule ids]`, or with another head."""

    id: str
    title: str
    rules: tuple[str, ...]
    line: int
    lines: tuple[Line, ...]


def blocks(text: str, head: str, verbs: Sequence[str]) -> list[Block]:
    """The blocks of a file that begin with this head. Errors: ScenarioError names the line that is
    not well formed.
    """
    found: list[tuple[int, str, list[Line]]] = []
    for n, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        verb, _, rest = line.partition(" ")
        if not line:
            continue
        if verb == head:
            found.append((n, rest.strip(), []))
        elif verb not in verbs:
            raise ScenarioError(
                f"line {n}: {verb!r} is not a line of a {head}{nearest(verb, verbs)}: "
                f"{', '.join(verbs)}"
            )
        elif not found:
            raise ScenarioError(f"line {n}: `{verb}` before the first `{head}` line")
        else:
            found[-1][2].append(Line(n, verb, rest.strip()))
    out, seen = [], set[str]()
    for n, about, lines in found:
        match = re.fullmatch(r"(\S+)\s*(.*?)\s*(?:\[(.*)\])?", about)
        if not match:
            raise ScenarioError(f"line {n}: write `{head} ID title [rule ids]`")
        id, title, rules = match[1], match[2], tuple((match[3] or "").split())
        if id in seen:
            raise ScenarioError(f"line {n}: a second {head} {id}")
        seen.add(id)
        out.append(Block(id, title, rules, n, tuple(lines)))
    if not out:
        raise ScenarioError(f"no {head} in the file")
    return out


def parse(text: str) -> list[Block]:
    """The scenarios of a file. ScenarioError names the line that is not well formed."""
    return blocks(text, "scenario", VERBS)


def run(game: Game, sc: Block) -> None:
    """Runs one scenario. Failed says what came out otherwise, ScenarioError what cannot be run."""
    Runner(game, sc).run()


class Runner:
    """Does the lines of a scenario, one after the other."""

    def __init__(self, game: Game, block: Block) -> None:
        self.game, self.block = game, block
        self.options: dict[str, str] = {}
        self.rules: Ruleset | None = None  # these, once they are known
        self.match: Match | None = None
        self.script = Script()
        self.waiting: list[str] = []  # chance words, read once the ruleset is known
        self.position: list[str] = []
        self.used = 0  # how many outcomes before the last position
        self.heard: dict[int | None, int] = {}  # how many events before the last decision

    def run(self) -> None:
        """All lines. Errors: Failed; ScenarioError."""
        for line in self.block.lines:
            self.step(line)
        self.end()

    def step(self, line: Line) -> None:
        """One line. Errors: as of `run`."""
        n, verb, words = line.n, line.verb, line.words
        try:
            if verb == "options":
                if self.match is not None:
                    raise Failed("options come before the first decision")
                self.options |= parse_options(self.game, words)
            elif verb == "position":
                self.position.append(" ".join(words))
            elif verb == "chance":
                self.waiting += self.listed(words)
            else:
                self.start()
                getattr(self, verb)(words)
        except Failed as e:
            raise self.failed(f"line {n}: {e}", verb, words) from None
        except BattleboxError as e:
            what = f"line {n}: {verb} {' '.join(words)}: {e}"
            raise self.failed(what, verb, words) from None
        except Exception as e:  # of the rules
            e.__dict__["so_far"] = self.so_far(verb, words)
            raise

    def end(self) -> None:
        """Nothing may be left over. Errors: Failed."""
        n = self.block.lines[-1].n if self.block.lines else self.block.line
        if left := len(self.script.left) + len(self.waiting):
            raise self.failed(f"line {n}: {left} random outcomes were not asked for")
        if self.match is None or self.position:
            raise self.failed(f"line {n}: nothing is done or expected after the last position")

    def failed(self, what: str, verb: str = "", words: Sequence[str] = ()) -> Failed:
        """What to raise, with the match so far."""
        error = Failed(what)
        error.__dict__["so_far"] = self.so_far(verb, words)
        return error

    def so_far(self, verb: str, words: Sequence[str]) -> SoFar | None:
        """The match from its last position on, with what is done in this line."""
        m = self.match
        if m is None or self.position or m.position is None:
            return None
        doing = list[tuple[int | None, str]]()
        if verb == "do" and len(words) == 2 and words[0].isdecimal():
            doing = [(int(words[0]), words[1])]
        elif verb == "agree":
            doing = [(None, " ".join(words))]
        outcomes = tuple(self.script.outcomes[self.used :])
        return SoFar(m.rules, 0, (*m.history, *doing), m.position, outcomes)

    def listed(self, words: Sequence[str]) -> Sequence[str]:
        """The outcomes of a line; after `any` chance is by lot, the same in each run."""
        if ANY not in words:
            return words
        if words[-1] != ANY or words.count(ANY) > 1:
            raise Failed(f"`{ANY}` comes last: what follows it is by lot")
        self.script.rest = Random(self.block.id)
        return words[:-1]

    def start(self) -> None:
        """Makes the match, or puts a new position into it; hands over the outcomes so far."""
        if self.match is None:
            self.match = self.make()
            return
        r = self.match.rules
        self.hand_over(r)
        if self.position:
            self.used = self.script.count
            self.match.load("\n".join(self.position))
            self.position, self.heard = [], {}

    def make(self) -> Match:
        if not self.position:
            raise Failed("the scenario has no position")
        text = "\n".join(self.position)
        players = str(self.game.notation.players(text))
        r = self.rules or self.game.ruleset({"players": players, **self.options}, strings=True)
        self.rules = r
        self.hand_over(r)
        self.position = []
        return Match(r, 0, position=text, chance=self.script)

    def hand_over(self, r: Ruleset) -> None:
        """The outcomes so far are those to come."""
        self.script.outcomes += [r.game.notation.outcome(r, w) for w in self.waiting]
        self.waiting = []

    def do(self, words: Sequence[str]) -> None:
        """A decision of a seat."""
        assert self.match is not None
        seat, word = _seat_and_word(words)
        self.listen(self.match)
        self.match.submit(seat, word)

    def agree(self, words: Sequence[str]) -> None:
        """What all seats agree on."""
        assert self.match is not None
        self.listen(self.match)
        self.match.agree(" ".join(words))

    def listen(self, m: Match) -> None:
        """What is told from now on is what `told` asks for."""
        self.heard = {p: len(m.events(p)) for p in (None, *range(m.rules.players))}

    def illegal(self, words: Sequence[str]) -> None:
        """What may not be done. Errors: Failed."""
        assert self.match is not None
        if words and words[0] == "all":
            seat, word, who = None, " ".join(words[1:]), "all"
        else:
            seat, word = _seat_and_word(words)
            who = f"seat {seat}"
        before = self.match.digest()
        if seat is not None and seat >= self.match.rules.players:
            raise Failed(f"there is no seat {seat}")
        try:
            self.match.repeat(seat, word)
        except (IllegalAction, InvalidWord):
            if self.match.digest() != before:
                raise Failed(f"{who} was refused {word!r}, but the state changed") from None
        else:
            raise Failed(f"{who} may do {word!r}")

    def expect(self, words: Sequence[str]) -> None:
        """Facts. Errors: Failed."""
        assert self.match is not None
        for w in words:
            parts = re.fullmatch(r"([^=~]+)([=~])(.*)", w)
            if not parts:
                raise Failed(f"{w!r}: write key=value or key~value")
            key, sign, wanted = parts.groups()
            for found, same in self.compare(self.match, key, sign, wanted):
                if not same:
                    raise Failed(f"{key}: expected {wanted}, found {found}")

    def compare(self, m: Match, key: str, sign: str, wanted: str) -> Iterator[tuple[str, bool]]:
        """What a fact is, and whether that is what is wanted. Errors: Failed."""
        if key in ("has", "hasnot"):
            yield ",".join(m.legal_words()), (wanted in m.legal_words()) == (key == "has")
            return
        if key == "legal":
            yield ",".join(m.legal_words()), sorted(wanted.split(",")) == sorted(m.legal_words())
            return
        if told := re.fullmatch(r"told(\d{0,3})", key):
            seat = int(told[1]) if told[1] else None
            if seat is not None and seat >= m.rules.players:
                raise Failed(f"{key}: there is no seat {seat}")
            heard = [event_text(m.rules, x) for x in m.events(seat, self.heard.get(seat, 0))]
            yield ";".join(heard) or "none", _are_told(m.rules, heard, key, sign, wanted)
            return
        notation = m.rules.game.notation
        # a chain, not a union: a game may work out facts only when they are asked for
        facts = ChainMap(m.facts(), common_facts(m))
        if key not in facts:
            raise Failed(f"{key!r} is not a fact of {m.rules.name}: {', '.join(sorted(facts))}")
        found = facts[key]
        if sign == "~":
            yield found, sorted(notation.items(found)) == sorted(notation.items(wanted))
        else:
            yield found, sorted(found.split(",")) == sorted(wanted.split(","))


def event_text(r: Ruleset, told: EventView) -> str:
    """An event as `expect told=` writes it: `HIT(1,5,15,0)`; `?` is an argument not told."""
    args = (
        "?" if x is None else r.game.notation.argument(r, told, name)
        for name, x in told.args.items()
    )
    return f"{told.event.name}({','.join(args)})"


def _are_told(r: Ruleset, found: list[str], key: str, sign: str, wanted: str) -> bool:
    """Whether these events are the wanted ones. Failed says what is not written as an event."""
    items = [] if wanted == "none" else wanted.split(";")
    for item in items:
        if item == "..." and sign == "=":
            continue
        parts = re.fullmatch(r"(\w+)\((.+)\)", item)
        if not parts:
            raise Failed(
                f"{key}: {item!r} is not an event: write NAME(seat,...), none, or ... with ="
            )
        kinds = r.game.rules.Event.__members__
        if parts[1] not in kinds:
            raise Failed(f"{key}: no event {parts[1]!r}{nearest(parts[1], kinds)}")
        names = kinds[parts[1]].telling.names
        if len(parts[2].split(",")) != len(names):
            raise Failed(f"{key}: {item}: write {parts[1]}({','.join(names)})")
    if sign == "~":
        return sorted(found) == sorted(items)
    pattern = "".join("(?:[^;]+;)*" if x == "..." else re.escape(x + ";") for x in items)
    return bool(re.fullmatch(pattern, "".join(f"{x};" for x in found)))


def common_facts(m: Match) -> dict[str, str]:
    """What every game can be asked for; a game may say its winners itself."""
    winner = "none"
    if m.over:
        best = max(m.returns)
        winners = [p for p, x in enumerate(m.returns) if x == best]
        winner = "draw" if len(winners) == len(m.returns) else ".".join(map(str, winners))
    where = "over" if m.over else f"{m.to_act}:{m.phase}"
    return {"to_act": where, "winner": winner, "nlegal": str(len(m.legal_actions))}


def _seat_and_word(words: Sequence[str]) -> tuple[int, str]:
    if len(words) != 2 or not words[0].isdecimal() or len(words[0]) > 3:
        raise Failed("write a seat and a word")
    return int(words[0]), words[1]
