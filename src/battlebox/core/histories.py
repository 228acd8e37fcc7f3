"""Chance as a player: all that may come of it, one outcome after the other.

    histories = Histories(rules.plain())
    at = histories.begin()                  # a ChanceNode, or a History
    at = histories.outcome(at, 0)           # what follows the first of at.outcomes
    at = histories.take(at, at.actions[0])  # where somebody decides

A card is dealt when somebody looks at it: after a shuffle nothing is settled, and each card that
the rules read is an outcome of its own. So a tree branches by what is seen, not by the orders of a
deck. What no rule has looked at stands as 0 in the record.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from .checked import Array, Line, Table2, checked
from .information import NOTHING, Recollection

if TYPE_CHECKING:
    from .engine import Engine


class Outcome(NamedTuple):
    """What chance may bring: a number that is drawn or rolled, or the kind of a card."""

    value: int
    probability: float


class Lying(NamedTuple):
    """Where a card lies that nobody has looked at, and which it is of those of a shuffle."""

    line: int
    place: int
    card: int
    shuffle: int


@dataclass(frozen=True, eq=False)
class History:
    """Where a match stands when somebody is to decide, or when it is over: then seat is -1.

    record: the state. recollections: what each seat has seen and done so far (perfect recall).
    seen: what each seat sees now, states [seats]; public: what a spectator does. lying, shuffles:
    the cards that are not dealt yet, and what is left of each shuffle.
    """

    record: Array
    seat: int
    actions: tuple[int, ...]
    returns: tuple[float, ...]
    recollections: tuple[Recollection, ...]
    seen: Array
    public: Array
    lying: tuple[Lying, ...] = ()
    shuffles: tuple[tuple[int, ...], ...] = ()

    @property
    def information(self) -> tuple[bytes, ...]:
        """What each seat has seen and done so far, as a short digest."""
        return tuple(x.known for x in self.recollections)

    def __deepcopy__(self, memo: Any) -> History:
        return self  # nobody changes it


@dataclass(frozen=True, eq=False)
class ChanceNode:
    """Chance is to decide: after `action` at `before` (None: at the beginning), and after `path`,
    the indexes of the outcomes so far.
    """

    before: History | None
    action: int
    path: tuple[int, ...]
    outcomes: tuple[Outcome, ...]

    def __deepcopy__(self, memo: Any) -> ChanceNode:
        return self


class Histories:
    """The histories of a ruleset, by the plain build of its engine. It keeps none of them."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine = engine.plain
        build = engine.build
        self._states, self._seen = build.states(), build.states()
        self._o, self._acts = build.access(self._seen), build.action_buffer()
        self._blank = build.access(build.states())
        self._a = build.access(self._acts)
        self._s = checked(self._states, _DealtTable)
        self._lines = _lines_of(self._s[0])
        hidden = {n for n, x in build.state.visibility.items() if x in ("secret", "scratch")}
        self._open = [line for name, line in self._lines if name not in hidden]
        self._chance = self._s[0]._chance = _Outcomes()
        whole = build.states()
        self.engine.begin(build.access(whole), 0, 0)
        stocks = [f"{x.stem}_stock" for x in build.state.places.values()]
        self._stocks = {name: whole[0][name] for name in stocks}

    def begin(self) -> History | ChanceNode:
        """The first decision, or what chance decides before."""
        return self._run(None, -1, ())

    def take(self, at: History, action: int) -> History | ChanceNode:
        """What follows an action. Errors: ValueError if it is not legal."""
        if action not in at.actions:
            raise ValueError(f"action {action} is not legal; legal are {at.actions}")
        return self._run(at, action, ())

    def outcome(self, at: ChanceNode, index: int) -> History | ChanceNode:
        """What follows an outcome. Errors: ValueError if there is none of that index."""
        if not 0 <= index < len(at.outcomes):
            raise ValueError(f"outcome {index}: 0 .. {len(at.outcomes) - 1}")
        return self._run(at.before, at.action, (*at.path, index))

    def of(self, record: Any) -> History:
        """Where a state stands in which all cards are dealt; what was before it is forgotten."""
        self._lay_out(record, (), ())
        self._chance.follow(())
        return self._history(None, -1)

    def ends(self, at: History | ChanceNode) -> Iterator[tuple[float, History]]:
        """What chance may lead to before somebody decides again, and how probable each is."""
        if isinstance(at, History):
            yield 1.0, at
            return
        for k, outcome in enumerate(at.outcomes):
            for probability, end in self.ends(self.outcome(at, k)):
                yield outcome.probability * probability, end

    def deal(self, at: History, seed: int) -> Array:
        """The state with all cards dealt that nobody has looked at, by lot."""
        self._lay_out(at.record, at.lying, at.shuffles)
        self._chance.follow((), Random(seed))
        self._look_at(line for _, line in self._lines)
        return self._copy(self._states[0])

    def resample(self, at: History, seat: int, seed: int) -> History:
        """One that this seat cannot tell from it: all that it does not see is drawn anew.

        What the others have seen and done is not made up: their digests are of what they see now.
        """
        record = self._copy(at.seen[seat])
        truth = checked(record)
        truth.rng = seed
        self.engine.build.hooks.determinize(self.engine.tt[0], truth)
        record["viewer"] = record["rng"] = 0
        found = self.of(record)
        known = found.recollections
        mine = (*known[:seat], at.recollections[seat], *known[seat + 1 :])
        return replace(found, recollections=mine)

    def _run(
        self, before: History | None, action: int, path: tuple[int, ...]
    ) -> History | ChanceNode:
        engine = self.engine
        try:
            if before is None:
                self._lay_out(engine.build.states()[0], (), ())
                self._chance.follow(path)
                engine.f.begin_unstocked(engine.tt, self._s, 0, self._blank, engine.seats, 0)
                for name, stock in self._stocks.items():
                    self._states[0][name] = stock
            else:
                self._lay_out(before.record, before.lying, before.shuffles)
                self._chance.follow(path)
                engine.f.take(engine.tt, self._s, 0, action)
            return self._history(before, action)
        except _Asked as e:
            return ChanceNode(before, action, path, e.outcomes)

    def _lay_out(
        self, record: Any, lying: Sequence[Lying], shuffles: Sequence[tuple[int, ...]]
    ) -> None:
        for _, line in self._lines:
            line.undealt.clear()
        self._states[0] = record
        here = [_Shuffle(self._chance, cards) for cards in shuffles]
        cards = dict[int, _Card]()
        for x in lying:
            card = cards.setdefault(x.card, _Card(here[x.shuffle]))
            self._lines[x.line][1].undealt[x.place] = card

    def _history(self, before: History | None, action: int) -> History:
        """Where it stands after this action. What somebody sees of it is dealt."""
        engine, s = self.engine, self._s
        n = engine.f.list_actions(engine.tt, s, 0, self._a)
        actions = tuple(self._acts[:n].tolist())
        returns = np.zeros(engine.seats)
        if not n:
            engine.f.results(engine.tt, s, 0, engine.build.access(returns))
        engine.f.clear_scratch_at(s, 0)
        self._look_at(self._open)
        views = engine.build.states(engine.seats + 1)
        for p in range(-1, engine.seats):
            engine.f.observe(engine.tt, s, 0, self._o, 0, p)
            views[p] = self._seen[0]
        recollections = list[Recollection]()
        for p, seen in enumerate(views[:-1]):
            last = before.recollections[p] if before is not None else NOTHING
            if before is not None and before.seat == p:
                last = last._replace(action=action)
            recollections.append(last.then(seen.tobytes()))
        seat = int(s[0].to_act) if n else -1
        record, end = self._copy(self._states[0]), tuple(returns.tolist()) if not n else ()
        lying, shuffles = self._undealt()
        return History(
            record, seat, actions, end, tuple(recollections), views[:-1], views[-1], lying, shuffles
        )

    def _copy(self, record: Any) -> Array:
        """Bytes between fields are 0, so that what is equal has equal bytes."""
        found: Array = self.engine.build.states()
        found[0] = record
        return found[0]  # type: ignore[no-any-return]

    def _look_at(self, lines: Iterable[_DealtLine]) -> None:
        """All cards that lie there are dealt."""
        for line in lines:
            for i in [*line.undealt]:
                line[i] = int(line[i])

    def _undealt(self) -> tuple[tuple[Lying, ...], tuple[tuple[int, ...], ...]]:
        cards, shuffles = dict[int, int](), dict[_Shuffle, int]()
        found = list[Lying]()
        for k, (_, line) in enumerate(self._lines):
            for i, card in sorted(line.undealt.items()):
                if card.kind is not None:
                    line[i] = card.kind
                elif card.shuffle.left:
                    number = cards.setdefault(id(card), len(cards))
                    shuffle = shuffles.setdefault(card.shuffle, len(shuffles))
                    found.append(Lying(k, i, number, shuffle))
        return tuple(found), tuple(tuple(sorted(x.left.elements())) for x in shuffles)


# ---- cards that are not dealt yet ---------------------------------------------------------------
class _Asked(Exception):
    """Chance is asked for what `path` does not say."""

    def __init__(self, outcomes: tuple[Outcome, ...]) -> None:
        self.outcomes = outcomes


class _Outcomes:
    """A chance source that follows a path of outcomes, and stops where it ends."""

    def __init__(self) -> None:
        self.follow(())

    def follow(self, path: tuple[int, ...], rest: Random | None = None) -> None:
        """rest: decides what the path does not say."""
        self.path, self.count, self.rest = path, 0, rest

    def one_of_these(self, ways: Counter[int]) -> int:
        """A value, each with as many ways as it has."""
        if len(ways) == 1:
            return next(iter(ways))
        if self.rest:
            return self.rest.choices([*ways], [*ways.values()])[0]
        total = ways.total()
        outcomes = tuple(Outcome(x, n / total) for x, n in sorted(ways.items()))
        if self.count == len(self.path):
            raise _Asked(outcomes)
        self.count += 1
        return outcomes[self.path[self.count - 1]].value

    def number(self, low: int, high: int) -> int:
        return self.one_of_these(Counter(range(low, high + 1)))

    def one_of(self, values: list[int]) -> int:
        return self.one_of_these(Counter(map(int, values)))

    def order(self, values: list[Any]) -> list[Any]:
        """As many cards that are not dealt yet; of those that were shuffled before, all that lie
        here together. Where others of their shuffle lie elsewhere, they are dealt first.
        """
        lying = Counter(x.shuffle for x in values if type(x) is _Card and x.kind is None)
        together = [x for x, n in lying.items() if n == x.left.total()]
        kinds = Counter[int]()
        for x in values:
            if type(x) is not _Card or x.kind is not None or x.shuffle not in together:
                kinds[int(x)] += 1
        for x in together:
            kinds += x.left
            x.left = Counter()
        shuffle = _Shuffle(self, kinds.elements())
        return [_Card(shuffle) for _ in values]

    def rewind(self, count: int) -> NoReturn:
        raise NotImplementedError("histories are not taken back")

    fresh_copy = rewind


class _Shuffle:
    """What is left of the cards that were shuffled together."""

    def __init__(self, chance: _Outcomes, cards: Any) -> None:
        self.chance, self.left = chance, Counter(cards)


@dataclass(eq=False, slots=True)
class _Card:
    """A card as a number that nobody knows yet: whoever asks what it is has it dealt."""

    shuffle: _Shuffle
    kind: int | None = field(default=None)

    def __index__(self) -> int:
        if self.kind is None:
            left = self.shuffle.left
            kind = self.shuffle.chance.one_of_these(left)
            left[kind] -= 1
            self.shuffle.left = +left  # without those that have gone
            self.kind = kind
        return self.kind

    __int__ = __index__

    def __bool__(self) -> bool:
        return bool(int(self))

    def __hash__(self) -> int:
        return hash(int(self))


def _dealt(f: Any, *, turned: bool = False) -> Any:
    if turned:
        return lambda self, other: f(other, int(self))
    return lambda self, *other: f(int(self), *other)


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
    setattr(_Card, f"__{_name}__", _dealt(getattr(operator, _name)))
for _name in ("add", "sub", "mul", "floordiv", "mod", "and_", "or_", "xor", "lshift", "rshift"):
    _word = _name.rstrip("_")
    setattr(_Card, f"__{_word}__", _dealt(getattr(operator, _name)))
    setattr(_Card, f"__r{_word}__", _dealt(getattr(operator, _name), turned=True))


class _DealtLine(Line):
    """A field in which cards may lie that are not dealt yet."""

    __slots__ = ("undealt",)

    def __init__(self, a: Array) -> None:
        super().__init__(a)
        self.undealt: dict[int, _Card] = {}

    def __getitem__(self, i: int) -> Any:
        i = operator.index(i)
        found = self.undealt.get(i)
        return super().__getitem__(i) if found is None else found

    def __setitem__(self, i: int, value: Any) -> None:
        i = operator.index(i)
        lies = type(value) is _Card and value.kind is None
        super().__setitem__(i, 0 if lies else int(value))
        if lies:
            self.undealt[i] = value
        else:
            self.undealt.pop(i, None)

    def blank(self) -> None:
        self.undealt.clear()
        super().blank()


class _DealtTable(Table2):
    """The same, of two dimensions."""

    line = _DealtLine

    def __getitem__(self, key: Any) -> Any:
        if type(key) is tuple:
            i, j = key
            return super().__getitem__(i)[j]
        return super().__getitem__(key)


def _lines_of(record: Any) -> list[tuple[str, _DealtLine]]:
    """All lines of a state, each with the field of the state that it belongs to."""
    found = list[tuple[str, _DealtLine]]()

    def gather(name: str, x: Any) -> None:
        if isinstance(x, _DealtLine):
            found.append((name, x))
        elif isinstance(x, _DealtTable):
            found.extend((name, line) for line in x.lines)  # type: ignore[misc]
        elif hasattr(x, "_record"):
            for n in x._record.dtype.names:
                gather(name or n, getattr(x, n))
        elif hasattr(x, "all"):
            for one in x.all:
                gather(name, one)

    gather("", record)
    return found
