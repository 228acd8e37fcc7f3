"""The contract: what a game supplies (`Game`), and a game made ready to play (`Ruleset`)."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, Self

from pydantic import ConfigDict, Field, model_validator

from . import parts, state, table
from .build import Build, marked_functions
from .checked import Picture
from .deck import Part, bundled_decks
from .engine import Engine
from .errors import GameError, RulesetError
from .match import Match
from .packages import Parcel, import_package, parcel
from .rules import Events
from .saying import Consequences
from .scene import Family, Scene
from .sources import place_of


class Options(table.Model):
    """Base of a game's options: each is a field made by `option`."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    players: int

    @classmethod
    def said(cls, name: str, value: Any) -> str:
        """An option with a value, as people call both: "First dealer: by lot"."""
        about = cls.model_fields[name]
        extra: Any = about.json_schema_extra or {}
        names = {"True": "yes", "False": "no", **extra.get("names", {})}
        return f"{about.title or name}: {names.get(str(value), value)}"

    @model_validator(mode="after")
    def _seats(self) -> Self:
        for name, about in type(self).model_fields.items():
            told: Any = about.json_schema_extra or {}
            value = getattr(self, name)
            if told.get("seat") and value >= self.players:
                raise ValueError(f"{name} = {value}: the seats are 0 .. {self.players - 1}")
        return self


class Group(StrEnum):
    """What an option is about, as people read it; in this order."""

    SETUP = "Set-up"
    VARIANTS = "Variants"
    ENDING = "The end"
    RULINGS = "Rulings"
    LIMITS = "Limits"


def option(
    default: Any,
    title: str,
    group: Group,
    about: str | None = None,
    *,
    names: Mapping[Any, str] | None = None,
    seat: bool = False,
    **more: Any,
) -> Any:
    """An option of a game, with all that front ends say about it.

    title: what people call it. about: what it does, with the ids of its rules; None: the docstring
    after the option says it. names: what single values are called; those out of bounds are left
    out. seat: its numbers from 0 on are seats, of which there are as many as play. more: of
    pydantic's Field, such as `bounds`.
    """
    told: dict[str, Any] = {"group": group.value} | ({"seat": True} if seat else {})
    if names:
        least, most = more.get("ge"), more.get("le")
        told["names"] = {
            str(k): v
            for k, v in names.items()
            if not isinstance(k, int) or least is None or most is None or least <= k <= most
        }
    return Field(default, title=title, description=about, json_schema_extra=told, **more)


def deck_option(names: Mapping[str, str], title: str = "Deck") -> Any:
    """The option `deck`: one of these that come with the game, or a file; the first is usual.

    names: what people call them.
    """
    about = "one that comes with the game, or your own .toml file"
    usual = next(iter(names))
    return option(usual, title, Group.SETUP, about, names=names, examples=[*names])


def seat_option(title: str, group: Group, about: str | None = None, *, most: int) -> Any:
    """An option that is a seat of those who play, or -1 (usual) for one by lot.

    most: the last seat when as many play as may.
    """
    names = {-1: "by lot"} | {p: f"seat {letter}" for p, letter in enumerate("ABCDEFGHIJ")}
    return option(-1, title, group, about, names=names, seat=True, **bounds(-1, most))


def bounds(least: int, most: int) -> dict[str, Any]:
    """The least and the most that an option may be."""
    return {"ge": least, "le": most}


@dataclass(frozen=True)
class Resolved:
    """What a game makes of its options: sizes of its records, numbers of its table, names."""

    sizes: Mapping[str, int]
    table: dict[str, Any]
    names: Any = None  # what notation and scene need: the deck with its names
    text: str = ""  # the text of a file that is not the game's own: goes into match records


class Notation(Protocol):
    """A game's notation.py. `r` is the Ruleset, `s` a state or an observation (a view)."""

    def word(self, r: Any, s: Any, action: int) -> str: ...
    def action(self, r: Any, s: Any, word: str) -> int: ...  # or InvalidWord
    def outcome(self, r: Any, word: str) -> int | list[int]: ...  # a random outcome, or InvalidWord
    def players(self, position: str) -> int: ...  # or PositionError
    def read(
        self, r: Any, s: Any, position: str
    ) -> None: ...  # into a blank state, or PositionError
    def write(self, r: Any, s: Any) -> str: ...  # the whole truth as a position
    def facts(self, r: Any, s: Any) -> dict[str, str]: ...  # what scenarios may expect
    def items(self, value: str) -> Sequence[str]: ...  # the members of a fact that is a multiset
    def argument(self, r: Any, told: Any, name: str) -> str: ...  # of an event, for `expect told=`


class Scenes(Protocol):
    """A game's scene.py. `names`: what the seats are called. `components`: all cards and pieces; o
    is what a spectator sees of a new match.
    """

    def scene(self, r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene: ...
    def say(
        self, r: Any, told: Any, viewer: int | None, names: Sequence[str]
    ) -> str: ...  # an event as a sentence
    def components(self, r: Any, o: Any) -> Iterable[Family]: ...


@dataclass(frozen=True)
class Mode:
    """A way to play a game, as people choose it: options under a name."""

    name: str
    about: str
    options: Mapping[str, Any] = field(default_factory=dict)


class LengthUnit(NamedTuple):
    """What the length of a match is counted in: "turn", and the event that begins one more."""

    name: str
    event: Events
    whose: bool = False  # the event's seat is the one whose turn it is


@dataclass(frozen=True, eq=False)
class Game:
    """Everything the house asks of a game.

    `rules` has State, Table, Phase, Event, the moves and the rules advance, returns, max_length,
    census; `hidden` has determinize and, if something is hidden cell by cell, reveal; `insight` has
    some of candidates, evaluate, ends_search, for games with too many actions or too long playouts,
    and consequences, from which the reasons of hints are made.
    README.md in the game's folder holds its rules, each as a line "- **ID** ..."; scenarios.scn
    holds them by example.
    """

    name: str
    title: str
    about: str
    version: int  # of the rules: raised by every change of behaviour
    options: type[Options]
    resolve: Any  # (Options) -> Resolved, or RulesetError
    rules: ModuleType
    hidden: ModuleType | None  # None: all that is hidden lies in places
    notation: Notation
    scenes: Scenes
    deck: type[Part] | None = (
        None  # what a file of the option `deck` holds; decks/ has the usual ones
    )
    human_defaults: Mapping[str, Any] = field(default_factory=dict)  # options people start from
    modes: tuple[Mode, ...] = ()  # the ways to play that people choose from; the first is usual
    #: after which events of an action it can be looked at before the next ones, as indexes of the
    #: list; for games in which much happens at once
    intermediate_views: Callable[[Sequence[Events]], Iterable[int]] | None = None
    #: after which event (told to everybody, whatever the hands hold) questions of which phase may
    #: follow that nobody but the asked seat may notice; the lowest action of each declines. See
    #: `Match.response_window`
    response_windows: Mapping[Events, int] = field(default_factory=dict)
    #: (Options) -> which side each seat is on, if everybody knows that before the match
    sides: Callable[[Any], Sequence[int]] | None = None
    length_unit: LengthUnit | None = None  # what the length of a match is counted in
    realtime: bool = False  # it does not wait long for one who is away: a bot plays meanwhile
    insight: ModuleType | None = None  # what a search asks, if the game has it
    #: what learners are told besides what fields say: Features and `features`, CandidateFeatures
    #: and `candidate_features`; and LEFT_OUT, the fields that policies do without
    features: ModuleType | None = None
    #: how many a decision, of the bots that search, by level (bots/levels.py), the weakest first
    simulations: tuple[int, ...] = (20, 60, 200, 1_000, 10_000)
    #: how many positions a decision the levels above `quick` judge (bots/levels.py), the weakest
    #: first: they look ahead by the policy that comes with the game; 0, or empty: they search, too
    evaluations: tuple[int, ...] = ()
    #: whether what those that search find is added to what that policy says
    searches_by_policy: bool = False
    #: options of a ruleset that is so small that all of it can be searched (arena/solve.py)
    toy: Mapping[str, Any] = field(default_factory=dict)
    base: Game | None = None  # of a game at other sizes: the one at the usual sizes

    @property
    def package(self) -> str:
        """The name of the package that the game is."""
        return str(self.rules.__package__)

    @property
    def folder(self) -> Path:
        return Path(self.rules.__file__ or "").parent

    @property
    def policy(self) -> Path | None:
        """The policy that comes with the game, if somebody had one learned: `battlebox train`."""
        path = self.folder / POLICY
        return path if path.is_file() else None

    @property
    def decks(self) -> dict[str, Path]:
        """The decks that come with the game, by name; without the one of the toy ruleset, which
        is too small for other options.
        """
        found = bundled_decks(self.folder / "decks")
        return {name: path for name, path in found.items() if name != self.toy.get("deck")}

    def toy_options(self) -> Mapping[str, Any]:
        """The options of the toy ruleset. Errors: RulesetError if there is none."""
        if not self.toy:
            raise RulesetError(f"{self.name} has no toy ruleset: make it smaller by its options")
        return self.toy

    @property
    def consequences(self) -> Consequences | None:
        """What the game tells of where a choice leads to, if it does."""
        return getattr(self.insight, "CONSEQUENCES", None)

    @cached_property
    def readme(self) -> str:
        """The text of README.md: the rules for people."""
        return (self.folder / "README.md").read_text(encoding="utf-8")

    @cached_property
    def readme_parts(self) -> tuple[str, str]:
        """README.md in two: the game in short, and from the chapter with the first rule on."""
        first = re.search(RULE, self.readme, re.MULTILINE)
        begins = self.readme.rfind("\n## ", 0, first.start()) + 1 if first else len(self.readme)
        return self.readme[:begins], self.readme[begins:]

    @cached_property
    def rulebook(self) -> dict[str, str]:
        """The text of each rule of README.md by its id."""
        found = re.findall(RULE + r" (.+(?:\n  .+)*)", self.readme, re.MULTILINE)
        return {id: " ".join(body.split()) for id, body in found}

    @cached_property
    def words_explained(self) -> str:
        """How its actions are written: of DEVELOPERS.md the chapter "Actions"; "" without one."""
        path = self.folder / "DEVELOPERS.md"
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        found = re.search(r"^#+ Actions\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
        return found[1].strip() if found else ""

    @cache  # noqa: B019 - games live as long as the process
    def build(self, compiled: bool) -> Build:
        """The plain or the compiled build of this game at these sizes."""
        modules = [m for m in (self.rules, self.hidden, self.insight, self.features) if m]
        build = Build(self.package, modules, compiled=compiled)
        parts.check_seats(build.state, self.options)
        parts.check_look(build.moves, self.scenes)
        parts.check_sentences(self.rules.Event, self.scenes)
        parts.check_consequences(self.insight)
        parts.check_readme(self.folder)
        parts.check_ids(marked_functions(*modules), self.folder, self.rulebook)
        return build

    @cached_property
    def most_players(self) -> int:
        """How many may play at most."""
        return most_players(self.options)

    def sized(self, sizes: Mapping[str, int]) -> Game:
        """This game at other sizes: its package imported once more, under another name."""
        alias = "__".join([self.package, *(f"{k}{v}" for k, v in sorted(sizes.items()))])
        with _sizing:
            if alias not in _sized:
                if table.is_untrusted() and len(_sized) >= MOST_SIZES:
                    raise RulesetError(
                        f"{self.name}: {MOST_SIZES} decks of other sizes are in use already, more "
                        "than one process keeps; start another, or take a deck of a usual size"
                    )
                with state.sizes_in_force(sizes):
                    _sized[alias] = replace(game_in(import_package(alias, self.folder)), base=self)
        return _sized[alias]

    def ruleset(self, options: Mapping[str, Any], *, strings: bool = False) -> Ruleset:
        """This game with these options. `strings`: the values are text, as in a file.

        Errors: RulesetError for an unknown option, a value out of range, a wrong data file.
        """
        if self.base:
            return self.base.ruleset(options, strings=strings)
        known = sorted(self.options.model_fields)
        validate = self.options.model_validate_strings if strings else self.options.model_validate
        chosen = table.checked(lambda: validate(dict(options)), known, f"{self.name}: option")
        resolved: Resolved = self.resolve(chosen)
        game = self.sized(resolved.sizes) if resolved.sizes else self
        return Ruleset(game, chosen, resolved)


def most_players(options: type[Options]) -> int:
    """How many may play at most. Errors: GameError if the options do not say so."""
    players = options.model_json_schema()["properties"]["players"]
    if not {"minimum", "maximum", "default"} <= players.keys():
        raise GameError(
            f"{place_of(options, 'players')}: players needs bounds and a default; write "
            "players: int = Field(2, ge=2, le=4)"
        )
    return int(players["maximum"])


def game_in(package: ModuleType) -> Game:
    """The game that a package is: its `GAME`. Errors: GameError says what is to be written."""
    game = getattr(package, "GAME", None)
    if isinstance(game, Game):
        return game
    what = "no GAME in it" if game is None else f"its GAME is {game!r}"
    raise GameError(
        f"{package.__file__}: {what}; write GAME = game_of(__name__), after "
        "from battlebox.authoring import game_of"
    )


POLICY = "policy.npz"  # in the folder of a game: what was learned for it
RULE = r"^- \*\*([A-Z]+-?\d+)\*\*"  # how a rule begins in README.md
#: that strangers may bring: each is a package that stays imported. Of matches that there are
#: already all can be opened
MOST_SIZES = 64
_sizing = threading.Lock()
_sized: dict[str, Game] = {}


class Ruleset:
    """A game with its options and numbers, ready to play: what `battlebox.load` returns."""

    def __init__(self, game: Game, options: Options, resolved: Resolved) -> None:
        self.game, self.options = game, options
        self.names, self.text = resolved.names, resolved.text
        record = getattr(game.rules, "Table", state.NoNumbers)
        self.table = table.fill(record.layout, resolved.table)
        self._compiled_observer: Engine | None = None
        sizes = sorted(resolved.sizes.items())
        about = repr((game.name, game.version, options.players, sizes)).encode()
        numbers = table.as_before(self.table, record.before)
        #: a short name of the numbers: two rulesets with the same digest play alike
        self.digest = hashlib.sha256(about + numbers).hexdigest()[:16]

    @property
    def name(self) -> str:
        return self.game.name

    @property
    def options_text(self) -> str:
        """The options that differ from their defaults, as `k=v ...`; players always.

        A deck that is not the game's own is left out: `text` holds it.
        """
        out = [f"players={self.players}"]
        for name, value in self._unusual.items():
            if name != "deck" or not self.text:
                out.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
        return " ".join(out)

    @cached_property
    def options_in_words(self) -> str:
        """The same for people: "3 players; First player: seat B; Deck: from a file"."""
        out = [f"{self.players} players"]
        for name, value in self._unusual.items():
            own = name == "deck" and self.text
            out.append(self.options.said(name, "from a file" if own else value))
        return "; ".join(out)

    @property
    def _unusual(self) -> dict[str, Any]:
        """The options that differ from their defaults, without players."""
        return {
            name: value
            for name, about in type(self.options).model_fields.items()
            if name != "players" and (value := getattr(self.options, name)) != about.default
        }

    @cached_property
    def players(self) -> int:
        """How many seats there are."""
        return self.options.players

    @property
    def sides(self) -> tuple[int, ...]:
        """Which side each seat is on, as far as that is known before the match: 0, 1, ..."""
        sides = self.game.sides
        return tuple(sides(self.options)) if sides else tuple(range(self.players))

    @cached_property
    def _engines(self) -> dict[bool, Engine]:
        return {}

    def _engine(self, compiled: bool) -> Engine:
        if compiled not in self._engines:
            build = self.game.build(compiled)
            plain = self.plain() if compiled else None
            self._engines[compiled] = Engine(build, self.table, self.players, plain)
        return self._engines[compiled]

    def plain(self) -> Engine:
        """The plain build: ordinary Python, checked at every step."""
        return self._engine(False)

    def compiled(self) -> Engine:
        """The compiled build, about 200 times as fast. Compiles at first use, then keeps it."""
        return self._engine(True)

    @cached_property
    def numbers(self) -> Picture:
        """The table as plain numbers, for what is said and drawn."""
        return Picture(self.table[0])

    @cached_property
    def components(self) -> tuple[Family, ...]:
        """All cards and other pieces it is played with, drawn and explained as on the table."""
        o = Picture(self.match(seed=0).observation(None))
        return tuple(x for x in self.game.scenes.components(self, o) if x.pieces)

    @property
    def observing_engine(self) -> Engine:
        """What matches observe with: the plain build, until `use_compiled_observer`."""
        return self._compiled_observer or self.plain()

    def use_compiled_observer(self) -> None:
        """Makes matches of this ruleset observe with the compiled build, several times as quick.

        Compiles at first use, which takes a while; thereafter less than a second a process.
        """
        if self._compiled_observer is None:
            self.match(seed=0).warm_observer(self.compiled())
            self._compiled_observer = self.compiled()

    def match(self, seed: int | None = None, *, position: str | None = None) -> Match:
        """A new match on the plain build. `seed` None: a random one. `position`: start from there.

        Errors: PositionError names what is wrong in the position.
        """
        return Match(self, seed, position=position)

    @property
    def all_options(self) -> dict[str, Any]:
        """All options, to make this ruleset again; a deck of a file as its text."""
        return self.options.model_dump() | ({"deck": self.text} if self.text else {})

    def changed(self, options: Mapping[str, str]) -> Ruleset:
        """The same game with some options changed, whose values are text.

        Errors: RulesetError, as of `Game.ruleset`.
        """
        rest = {k: str(v) for k, v in self.all_options.items()}
        return self.game.ruleset({**rest, **options}, strings=True)

    def __repr__(self) -> str:
        return f"<{self.name} {self.options_text}>"

    def __deepcopy__(self, memo: Any) -> Ruleset:
        return self  # it does not change

    def __reduce__(self) -> Any:  # pickles as a request to load it again
        return (_reload, (parcel((self.game.base or self.game).package), self.all_options))


def _reload(sent: Parcel, options: dict[str, Any]) -> Ruleset:
    return game_in(sent.open()).ruleset(options)


def parse_options(game: Game, words: Sequence[str]) -> dict[str, str]:
    """`k=v` words as a dict of strings; RulesetError for one without `=`."""
    return parse_values(words, game.name)


def parse_values(words: Sequence[str], where: str, what: str = "option") -> dict[str, str]:
    """The same of whatever has names and values."""
    out = {}
    for w in words:
        key, equals, value = w.partition("=")
        if not equals or not key:
            article = "an" if what[0] in "aeiou" else "a"
            raise RulesetError(f"{where}: {w!r} is not {article} {what}; write name=value")
        if key in out:
            raise RulesetError(f"{where}: {what} {key!r} is given twice")
        out[key] = value
    return out
