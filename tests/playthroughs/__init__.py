"""Whole matches as text, one file each: what every change of behaviour shows in as a diff.

A match is played at random from a fixed seed. A file begins with its ruleset and ends with the
result. Most decisions are a line each:

    12 ATTACK do 2 12=AR>1 #86b2faab

the number of the decision, its phase, what is done, and a digest of the position, the generator,
the legal actions and the events before it. The first ones, and then every so many (`Course.every`),
are a block of lines, whose first word says what they hold. Viewers are `-` (a spectator) and the
numbers of seats; those for whom a line is the same share it (`-02`).

    == 12 ATTACK            the decision's number and its phase
    decides 2:9             the seats that decide, and how many actions each has
    truth ...               the position, in the game's notation
    hidden -0 hands deck    the fields of the state in which what these viewers see differs from it
    bytes -=3f2a 0=91c4     a digest of each viewer's observation
    legal 2 12=AR>1 ...     the numbers and the words of the legal actions
    may agree halt play     what all seats may agree on
    undo 2 alone 2          who could take back the last action; who could if all others were bots
    told -01 4 HIT(seat=1)  an event with its number of turn, and who was told of it
    scene 2 zone {...}      what is drawn, without its words; and a digest of it for each viewer
    views -01 2 5e0d        intermediate views: how many there were, and a digest of them
    words 2 choice Air Raid what people read: no other line holds it; and a digest

Events stand at the decision that follows them. What is drawn and read is written where it comes up
for the first time, and a little of it in each decision; its digests hold all of it. `words` lines
are left out of a comparison with `--but-words`, `scene` and `views` lines with `--but-scenes`.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

import numpy as np

import battlebox as bb
from battlebox.core.event_log import EventView
from battlebox.games import find

FOLDER = Path(__file__).parent
FIRST = 2  # decisions that are a block, at the beginning
MOST = 8  # new lines of a kind in a block, and legal actions; of all there is a digest
LONG = 240  # characters of a line that is drawn or read
AGREE = 0.02  # how often an agreement is made where there can be one
UNDO = 0.1  # how often the last action is taken back, where that is possible
SILENT = 0.25  # how often a seat does not answer in a response window
DIFFERENCES = 40  # lines of a difference that are shown
#: the lines that a comparison may leave out
LEFT_OUT = {"words": ("words",), "scenes": ("scene", "views")}
#: the keys under which a scene holds what people read
READ = {
    *("title", "prompt", "cue", "label", "name", "text", "sub", "why", "hint", "short", "goal"),
    *("you", "notes", "points_name", "chips", "early", "rooms", "team", "sum"),
    *("token_name", "blocked_name"),
}


@dataclass(frozen=True)
class Course:
    """One playthrough: its match, and how much of it is written."""

    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 1
    every: int = 20  # one decision in so many is a block
    most: int = 10**6  # decisions after which a match is left
    windows: bool = True  # whether seats answer in response windows, as at a server


def _modes() -> Iterator[tuple[str, Course]]:
    """Every mode of every game, as people start it."""
    for name in bb.games():
        game = find(name)
        for mode in game.modes:
            options = {**game.human_defaults, **mode.options}
            title = mode.name.lower().replace(" ", "_")
            most = 800 if name == "battleball" and mode.options else 10**6  # one is played out
            yield f"{name}-{title}", Course(name, options, every=EVERY[name], most=most)


#: long matches have fewer blocks
EVERY = {"war_zone": 12, "battleball": 250, "iron_man": 12, "battle": 100, "medieval": 25}
MORE = {
    "war_zone-standard": Course("war_zone", {"players": 6, "cycle": 2}, every=12),
    "war_zone-three_teams": Course("war_zone", {"players": 6, "teams": 3, "v2": True}, every=12),
    "war_zone-speedy_teams": Course(
        "war_zone",
        {
            **{"players": 4, "teams": 2, "speedy": True, "speedy_finish": "round"},
            **{"must_attack": True, "out_hand": "remove", "reshuffle": "lazy"},
        },
    ),
    "battleball-rulings": Course(
        "battleball",
        {
            **{"advanced": True, "team_rules": True, "tr_blind": False, "lineup": "alternate"},
            **{"rows": 15, "cols": 10, "optional_pickup": True, "malfunction_ends_turn": True},
            **{"heavy_lead_foot": True, "heavy_tackle_choice": "auto_low"},
        },
        every=250,
    ),
    "iron_man-rulings": Course(
        "iron_man",
        {
            **{"deck": "ironman-even", "round_win": "more_wins", "reshuffle": "lazy"},
            **{"final_attack_cancels": False, "upgrade_scope": "before_only"},
        },
    ),
    "battle-match": Course("battle", {"players": 10, "target_points": 2}, every=100, windows=False),
    "battle-any_time": Course(
        "battle",
        {"players": 10, "rounds": 1, "action_timing": "windows"},
        every=100,
    ),
    "battle-rulings": Course(
        "battle",
        {
            **{"players": 5, "rounds": 2, "build_effects": False, "pass_locks": True},
            **{"owner_return": "always", "reverse_two": "skip", "expose_self": False},
            **{"odd_identity": "hero", "tiebreak": "shared"},
        },
        every=100,
    ),
    "medieval-rulings": Course(
        "medieval", {"reshuffle": "eager", "deadlock": "both_survive", "event_replacement": False}
    ),
}


def _named(found: Iterable[tuple[str, Course]]) -> Iterator[tuple[str, Course]]:
    for name, course in found:
        players = bb.load(course.game, **course.options).players
        yield f"{name}-{players}", course


#: by the names of their files
COURSES: dict[str, Course] = dict(_named([*_modes(), *MORE.items()]))


# ---- writing -------------------------------------------------------------------------------------
def play(course: Course, rules: bb.Ruleset | None = None) -> str:
    """The text of a playthrough. rules: those of a game that is not of the box."""
    return _Writer(course, rules or bb.load(course.game, **course.options)).text()


class _Writer:
    """Plays a match and writes down each decision of it."""

    def __init__(self, course: Course, rules: bb.Ruleset) -> None:
        self.course, self.rules, self.notation = course, rules, rules.game.notation
        self.match, self.dice = rules.match(course.seed), random.Random(course.seed)
        if course.windows:
            self.match.open_response_windows()
        self.viewers: tuple[int | None, ...] = (None, *range(rules.players))
        self.heard = dict.fromkeys(self.viewers, 0)
        self.lines: list[str] = []
        self.said = set[str]()  # what is not written twice

    def text(self) -> str:
        m, number = self.match, 0
        self.head()
        while (not m.over or m.response_window) and number < self.course.most:
            if number < FIRST or number % self.course.every == 0:
                self.block(number)
            else:
                self.line(number)
            number += 1
        self.end()
        return "\n".join(self.lines) + "\n"

    def say(self, verb: str, *words: object) -> None:
        text = " ".join([verb, *(str(x).replace("\n", " / ") for x in words)])
        self.lines.append(text.rstrip())

    def new(self, verb: str, *words: object) -> bool:
        """Writes it if it was not written before, and not too long; whether it was."""
        text = " ".join(str(x).replace("\n", " / ") for x in words)
        if is_new := (key := f"{verb} {text}") not in self.said:
            self.said.add(key)
            self.say(verb, text if len(text) <= LONG else f"{text[:LONG]}... #{_digest(text)}")
        return is_new

    def head(self) -> None:
        r, build = self.rules, self.rules.plain().build
        self.say("playthrough", 1)
        self.say("game", r.name, r.game.version)
        self.say("options", r.options_text)
        self.say("words options", r.options_in_words)
        self.say("table", r.digest)
        self.say("seed", self.course.seed, "windows" if self.course.windows else "no windows")
        self.say("numbers", build.num_actions, "sides", *r.sides)

    def end(self) -> None:
        m = self.match
        self.say("== end", self.where)
        self.look()
        self.say("decisions", len(m.history))
        self.say("returns", *(f"{x:g}" for x in m.returns))
        self.say(m.record().splitlines()[-1])

    def block(self, number: int) -> None:
        m = self.match
        self.say("==", number, self.where)
        self.say("decides", *(f"{p}:{len(m.choices(p))}" for p in m.deciding))
        self.look()
        for p in m.deciding:
            named = [self.named(a, p) for a in m.choices(p)]
            self.say("legal", p, *named[:MOST], f"#{_digest(named)}")
        if m.agreements:
            self.say("may agree", ", ".join(m.agreements))
        self.say(self.act())

    def line(self, number: int) -> None:
        """A decision in one line."""
        m = self.match
        legal = [self.named(a, p) for p in m.deciding for a in m.choices(p)]
        told = [[self.event(x) for x in found] for found in self.listen().values()]
        now = int(m.state.rng), m.write_position(), m.deciding, legal, [*m.agreements], told
        where, digest = self.where, _digest(now)
        self.say(str(number), where, self.act(), f"#{digest}")

    @property
    def where(self) -> str:
        return "window" if self.match.response_window else self.match.phase

    # ---- what is done ----
    def act(self) -> str:
        """Does something at random; says what."""
        m, dice = self.match, self.dice
        if m.response_window:
            return self.answer()
        if m.agreements and dice.random() < AGREE:
            words = dice.choice([*m.agreements])
            m.agree(words)
            return f"agree {words}"
        (seat,) = m.deciding
        if dice.random() < UNDO and m.history and not m.why_no_undo(m.history[-1][0]):
            self.take_back(m.history[-1][0])
            return "undo"
        action = dice.choice(m.legal_actions)
        word = self.named(action, seat)
        m.submit(seat, action)
        return f"do {seat} {word}"

    def take_back(self, seat: int | None) -> None:
        self.match.undo(seat)
        for p in self.viewers:
            self.heard[p] = min(self.heard[p], len(self.match.events(p)))

    def answer(self) -> str:
        """Some of those who are asked answer; then the response window closes."""
        m, dice = self.match, self.dice
        said = []
        for seat in m.deciding:
            if dice.random() >= SILENT:
                action = dice.choice(m.choices(seat))
                said.append(f"answer {seat} {self.named(action, seat)}")
                m.submit(seat, action)
        m.close_response_window()
        return " ".join([*said, "close"])

    def named(self, action: int, seat: int) -> str:
        return f"{action}={self.match.word(action, seat)}"

    # ---- what each may know ----
    def look(self) -> None:
        m = self.match
        self.say("truth", m.write_position())
        for who, fields in self.shared(self.hidden):
            self.say("hidden", who, *fields)
        self.digests("bytes", lambda p: _digest(m.known(p)))
        seats = range(self.rules.players)
        able = [[p for p in seats if not m.why_no_undo(p, alone=x)] for x in (False, True)]
        self.say("undo", *able[0], "alone", *able[1])
        self.tell()
        scenes = {p: m.scene(p).to_dict() for p in self.viewers}
        shapes = {p: _shape(x) for p, x in scenes.items()}
        self.digests("scene", lambda p: _digest(_json(shapes[p])))
        self.digests("words", lambda p: _digest([*_read(scenes[p], False)]))
        for who, (n, text) in self.shared(self.views):
            if n:
                self.say("views", who, n, text)
        for p in dict.fromkeys([*m.deciding[:1], None]):
            self.few("words", _sentences(scenes[p], _name(p)))
            self.few("scene", _parts(shapes[p], _name(p)))

    def hidden(self, viewer: int | None) -> tuple[str, ...]:
        """The fields in which the observation differs from the state."""
        o, s = self.match.observation(viewer), self.match.state
        return tuple(
            name
            for name in o.dtype.names
            if name != "viewer" and not np.array_equal(o[name], np.asarray(getattr(s, name)))
        )

    def few(self, verb: str, lines: Iterable[str]) -> None:
        """The first of them that are new."""
        left = MOST
        for x in lines:
            left -= left > 0 and self.new(verb, x)

    def views(self, viewer: int | None) -> tuple[int, str]:
        """The intermediate views of the last action: how many, and a digest."""
        found = self.match.intermediate_views(viewer)
        shapes = [(x.told, x.observation.tobytes(), _shape(x.scene.to_dict())) for x in found]
        return len(found), _digest([(n, _digest(o), _json(s)) for n, o, s in shapes])

    def listen(self) -> dict[int | None, list[EventView]]:
        """What each has been told since the last time."""
        told = {p: self.match.events(p, self.heard[p]) for p in self.viewers}
        for p in self.viewers:
            self.heard[p] += len(told[p])
        return told

    def tell(self) -> None:
        """Writes what each has been told since the last time, with its sentences."""
        told = self.listen()
        for who, events in self.shared(lambda p: tuple(self.event(x) for x in told[p])):
            for turn, text in events:
                self.say("told", who, turn, text)
        for p in self.viewers:
            for x in told[p]:
                if sentence := self.match.say(x, p):
                    self.new("words told", _name(p), sentence)

    def event(self, x: EventView) -> tuple[int, str]:
        argument = self.notation.argument
        said = (
            f"{name}={'?' if value is None else argument(self.rules, x, name)}"
            for name, value in x.args.items()
        )
        return x.turn, f"{x.event.name}({','.join(said)})"

    # ---- by viewers ----
    def shared(self, find: Callable[[int | None], Any]) -> Iterator[tuple[str, Any]]:
        """What the viewers have, each with the names of those who have it."""
        found: dict[Hashable, str] = {}
        for p in self.viewers:
            value = find(p)
            found[value] = found.get(value, "") + _name(p)
        for value, who in found.items():
            yield who, value

    def digests(self, verb: str, find: Callable[[int | None], str]) -> None:
        self.say(verb, *(f"{who}={text}" for who, text in self.shared(find)))


def _name(viewer: int | None) -> str:
    return "-" if viewer is None else str(viewer)


def _digest(x: object) -> str:
    raw = x if isinstance(x, bytes) else repr(x).encode()
    return hashlib.sha256(raw).hexdigest()[:8]


def _json(x: object) -> str:
    return json.dumps(x, ensure_ascii=False, separators=(",", ":"))


def _shape(x: Any, read: bool = False) -> Any:
    """A scene, or part of it, without its words and without what is empty."""
    if isinstance(x, dict):
        parts = {k: _shape(v, k in READ) for k, v in x.items()}
        return {k: v for k, v in parts.items() if v is not None and v != "" and v != {}}
    if isinstance(x, list | tuple):
        return [_shape(v, read) for v in x] or None
    return "~" if read and isinstance(x, str) and x else x


def _read(x: Any, read: bool) -> Iterator[str]:
    """The words of a part of a scene."""
    if isinstance(x, dict):
        for k, v in x.items():
            yield from _read(v, k in READ)
    elif isinstance(x, list | tuple):
        for v in x:
            yield from _read(v, read)
    elif read and isinstance(x, str):
        yield x


def _parts(shape: Mapping[str, Any], who: str) -> Iterator[str]:
    """What is drawn, in lines: zones, then their pieces, choices, refusals."""
    zones = shape.get("zones") or ()
    lists = ("zones", "choices", "refusals", "placements")
    yield f"{who} {_json({k: v for k, v in shape.items() if k not in lists})}"
    for zone in zones:
        yield f"{who} zone {_json({k: v for k, v in zone.items() if k != 'pieces'})}"
    for zone in zones:
        for piece in (zone.get("pieces") or ())[:2]:
            yield f"{who} in {zone['id']} {_json(piece)}"
    for kind in lists[1:]:
        for x in (shape.get(kind) or ())[:2]:
            yield f"{who} {kind} {_json(x)}"


def _sentences(scene: Mapping[str, Any], who: str) -> Iterator[str]:
    """What people read of a scene, in lines."""
    yield f"{who} " + " | ".join(str(scene.get(k) or "") for k in ("title", "prompt", "cue"))
    for kind in ("choices", "refusals", "zones"):
        for x in (scene.get(kind) or ())[:5]:
            yield f"{who} {kind} " + " | ".join(dict.fromkeys(filter(None, _read(x, False))))


# ---- comparing -----------------------------------------------------------------------------------
def file_of(name: str) -> Path:
    """Where a playthrough is kept."""
    return FOLDER / f"{name}.txt"


def without(text: str, left_out: Iterable[str]) -> str:
    """The text without the lines that begin with these words."""
    pattern = rf"^(?:{'|'.join(map(re.escape, left_out))})(?: .*)?\n"
    return re.sub(pattern, "", text, flags=re.MULTILINE) if left_out else text


def differences(name: str, old: str, new: str, left_out: Iterable[str] = ()) -> str:
    """The first lines that differ, with those before them; empty if none does."""
    a, b = (without(x, left_out).splitlines() for x in (old, new))
    if a == b:
        return ""
    first = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
    start = next((i for i in range(first, -1, -1) if a[i : i + 1] and a[i].startswith("==")), 0)
    a, b = a[start:], b[start:]
    found = list(unified_diff(a[:400], b[:400], f"{name}, as kept", f"{name}, as played now", n=2))
    shown = [x.rstrip("\n") for x in found[:DIFFERENCES]]
    more = [f"... {len(found) - DIFFERENCES} more lines"] if len(found) > DIFFERENCES else []
    where = [f"in the decision `{a[0]}`:"] if a and a[0].startswith("==") else []
    return "\n".join([*where, *shown, *more])
