"""The notation that a game has without writing one: words, positions and facts from its marks.

Words are moves with their parameters: `fold`, `bid:5`, `guard>1:baron`; a seat stands after `>`,
all else after `:`. Positions: `kuhn_poker n=2 phase=PLAY hand=queen/jack paid=1.1`: the fields of
the state by name, in any order; what is blank may be left out. Lists are joined by `.`, what is of
different seats by `/`; `-` is empty.

A game's notation.py holds a class of `DefaultNotation` that says what is otherwise:

    class Notation(DefaultNotation):
        forms = {"pass": fold, "{card}>{seat}": guard}
        usage = "pass or baron>1"

Or functions, each of which replaces the one of its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from . import codecs
from .codecs import Cards, Codec, Codecs, joined, unread
from .codes import DOTTED, Lists, code, deck_of, member
from .errors import InvalidWord, PositionError
from .keys import read_keys
from .places import Place, places_of
from .rules import move_of
from .state import Form as PlaceForm
from .state import StateRecord
from .table import nearest
from .words import Form, WordPart, usual_form

KEPT = 10_000  # words that are kept: they are asked for at every choice
Move = Callable[..., None]  # a function under @move
K = TypeVar("K")
V = TypeVar("V")


class DefaultNotation:
    """The notation that follows from a game's moves and fields.

    rules: the game's rules.py. name: what the game is called in commands, and its positions begin
    with. seats: how many may play.
    """

    #: words by their forms, where not usual; moves that share action numbers share one
    forms: ClassVar[Mapping[str, Move | Sequence[Move]]] = {}
    #: how a parameter of this domain is written, where not by its code
    parts: ClassVar[Mapping[Any, WordPart]] = {}
    usage = ""  # "write ...", of a word that is none
    anywhere = False  # a word of another phase is one; it is refused as illegal
    chance = "a number, or a card"  # "write ...", of an outcome that is none
    #: arguments of events that are like those of another name
    alike: ClassVar[Mapping[str, str]] = {}
    #: its cards, and how lists are written. Where each seat has cards of its own, a position says
    #: what is whose by `A key=value B key=value`
    cards: ClassVar[Cards | None] = None
    head = ""  # what a position begins with
    joint = " "  # between what is of A, of B, and of nobody, in such a position
    fewest = 1  # players
    brief = True  # what is blank is not written
    unsaid = ""  # nor what has this text, which means that there is nothing
    NO_KEY = "{!r} is not a key of {}"
    NO_PAIR = "write key=value, or A or B before a player's"
    #: how each part of a position is written, by its key, the phase first; none: from the marks
    codecs: ClassVar[Codecs] = {}
    #: what a position says in these phases; in others all
    only: ClassVar[Mapping[int, Sequence[str]]] = {}

    def __init__(self, rules: Any, name: str, title: str, seats: int) -> None:
        self.rules, self.title, self.seats = rules, title, seats
        self.head = self.head or name
        self.lists, self.letters = DOTTED, ""
        if self.cards is not None:
            self.lists, self.letters = self.cards.lists, self.cards.own
        self._forms: list[Form] = []
        self._form_of: dict[tuple[int, int], Form] = {}
        # what has been written and read: by the ruleset, the form or the phase, who plays and acts
        self._words: dict[tuple[Any, Form, int, int, int], str] = {}
        self._numbers: dict[tuple[Any, str, int, int, int], int] = {}

    # ---- words ----
    def word(self, r: Any, s: Any, action: int) -> str:
        """The word of an action of the seat to act."""
        form = self._form(r, action, int(s.phase))
        if not form.stable:
            return form.write(r, s, action)
        key = (r, form, action, s.seats, int(s.to_act))
        return self._words.get(key) or _kept(self._words, key, form.write(r, s, action))

    def _form(self, r: Any, action: int, phase: int) -> Form:
        """The form of an action of a phase; or of its number in any other."""
        if (found := self._form_of.get((action, phase))) is None:
            fits = [x for x in self.all_forms(r) if 0 <= action - x.move.at < x.move.count]
            found = next((x for x in fits if phase in x.move.phases), fits[0])
            self._form_of[action, phase] = found
        return found

    def action(self, r: Any, s: Any, word: str) -> int:
        """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
        key = (r, word, int(s.phase), s.seats, int(s.to_act))
        if (known := self._numbers.get(key)) is not None:
            return known
        wrong = ""
        for form in self.forms_in(r, int(s.phase)):
            try:
                if (found := form.read(r, s, word)) is not None:
                    return _kept(self._numbers, key, found) if form.stable else found
            except ValueError as e:
                wrong = wrong or str(e)
        raise InvalidWord(f"{word!r}: {wrong}" if wrong else self.not_an_action(r, s, word))

    def not_an_action(self, r: Any, s: Any, word: str) -> str:
        """What is said of a word that is of no form."""
        if self.usage:
            return f"{word!r} is not an action: write {self.usage}"
        forms = self.forms_in(r, int(s.phase))
        if near := [x for x in forms if x.head == re.split("[>:]", word)[0]]:
            return f"{word!r}: write {near[0].shown}"
        return f"{word!r} is not an action now; write {', '.join(x.shown for x in forms)}"

    def forms_in(self, r: Any, phase: int) -> list[Form]:
        """The forms of the words of a phase."""
        every = self.all_forms(r)
        return every if self.anywhere else [x for x in every if phase in x.move.phases]

    def all_forms(self, r: Any) -> list[Form]:
        """The forms of all words."""
        if not self._forms:
            moves = r.plain().build.moves  # which have their numbers by now
            named = [
                (text, move_of(f))
                for text, of in self.forms.items()
                for f in (of if isinstance(of, Sequence) else [of])
            ]
            known = [m for _, m in named]
            usual = [(usual_form(m), m) for m in moves if m not in known]
            self._forms = [Form(text, m, self.parts) for text, m in [*named, *usual]]
        return self._forms

    def outcome(self, r: Any, word: str) -> int | list[int]:
        """A random outcome: a number, a card, or shuffle(queen.jack), the new order."""
        whose = f"[{self.letters}]:" if self.letters else ""
        parts = re.fullmatch(rf"shuffle\({whose}(.+)\)", word)
        try:
            if parts:
                return self.order(r, self.lists.items(parts[1]))
            if (found := self.drawn(r, word)) is not None:
                return found
        except ValueError as e:
            raise InvalidWord(f"{word!r}: {e}") from None
        raise InvalidWord(f"{word!r} is not a random outcome: write {self.chance}")

    def order(self, r: Any, texts: Sequence[str]) -> list[int]:
        """What is shuffled, as numbers. ValueError says what is wrong with it."""
        card = next((x for x in self.domains if deck_of(r, x)), None)
        return [self._member(r, x) if card is None else member(r, card, x) for x in texts]

    def drawn(self, r: Any, text: str) -> int | None:
        """What is drawn, as a number; None if it is no such thing."""
        try:
            return self._member(r, text)
        except ValueError:
            return None

    def _member(self, r: Any, text: str) -> int:
        """A card, or another member of a domain of places, by its code; or a number."""
        wrong = f"{text!r} is neither a number nor a card"
        for domain in self.domains:
            try:
                return member(r, domain, text)
            except ValueError as e:
                wrong = str(e)
        if re.fullmatch(r"\d{1,9}", text):
            return int(text)
        raise ValueError(wrong)

    @cached_property
    def domains(self) -> list[Any]:
        """What is shuffled and drawn: what lies in places, cards."""
        found = [x.of for x in self.rules.State.places.values()]
        return [*dict.fromkeys([*found, *([self.cards.of] if self.cards else [])])]

    def argument(self, r: Any, told: Any, name: str) -> str:
        """The word of an event's argument, for scenarios."""
        like, value = self.alike.get(name, name), told.args[name]
        domain = domain_of_argument(self.rules, like)
        if self.cards is not None and like == "card":
            domain = self.cards.of
        return str(value) if domain is None else code(r, domain, value)

    # ---- positions ----
    def items(self, value: str) -> Sequence[str]:
        """The members of a list, for comparison without order."""
        return self.lists.items(value)

    @cached_property
    def _expanded(self) -> dict[int, dict[str, Codec]]:
        return {}

    def codecs_for(self, n: int) -> dict[str, Codec]:
        """The same for so many players, each seat's by its own key."""
        if n not in self._expanded:
            out = self._expanded[n] = {}
            every = self.codecs or dict(
                marked_codecs(self.rules.State, self.rules.Phase, self.seats, self.lists)
            )
            for key, codec in every.items():
                if isinstance(codec, Codec):
                    out[key] = codec
                else:
                    names = self.letters or range(n)
                    out |= {key.format(names[p]): codec(p) for p in range(n)}
        return self._expanded[n]

    def players(self, position: str) -> int:
        """How many play in this position."""
        keys = self.keys(position)
        if self.letters:
            return len(self.letters)
        if "n" not in keys:
            raise PositionError("position: n=, the number of players, is missing")
        try:
            return codecs.read_number(keys["n"], self.fewest, self.seats)
        except ValueError as e:
            raise PositionError(f"position: n={keys['n']}: {e}") from None

    def keys(self, position: str) -> dict[str, str]:
        """What a position says, by key; of a player `A.hand`. PositionError for what is none."""
        if not self.letters:
            return read_keys(position, self.head, self.title)
        known = {key for key, x in self.codecs_for(len(self.letters)).items() if x.said}
        found, letter = dict[str, str](), ""
        for w in position.split():
            if w in self.letters:
                letter = w
                continue
            key, equals, value = w.partition("=")
            if not equals or not value:
                raise PositionError(f"position: {w!r}: {self.NO_PAIR}")
            if f"{self.letters[0]}.{key}" in known:
                if not letter:
                    raise PositionError(f"position: {w!r}: whose? Write {self._either} before it")
                key = f"{letter}.{key}"
            elif key not in known:
                raise PositionError(f"position: {self.not_a_key(key)}")
            if key in found:
                raise PositionError(f"position: {key} is written twice")
            found[key] = value
        return found

    @property
    def _either(self) -> str:
        return " or ".join(self.letters)

    def not_a_key(self, key: str, phase: str = "") -> str:
        """What is said of a key that is none, or none in this phase."""
        known = [x for x, codec in self.codecs_for(self.seats).items() if codec.said]
        of = phase or f"{'an' if self.title[0] in 'AEIOU' else 'a'} {self.title} position"
        return f"{self.NO_KEY.format(key, of)}{'' if phase else nearest(key, known)}"

    def read(self, r: Any, s: Any, position: str) -> None:
        """Puts a position into a blank state. PositionError says what is not well formed."""
        keys, n = self.keys(position), self.players(position)
        if n != s.seats:
            raise PositionError(f"position: n={n}, but the match has {s.seats} players")
        known = {key: x for key, x in self.codecs_for(n).items() if x.said}
        (phase, first), *rest = known.items()
        self._read(r, s, phase, first, keys)
        if (only := self.only.get(int(s.phase))) is not None:
            rest = [(key, x) for key, x in rest if key.rstrip("0123456789") in only]
        for key, codec in rest:
            self._read(r, s, key, codec, keys)
        if unknown := [key for key in keys if key not in {"n", phase, *dict(rest)}]:
            where = "" if only is None else f"{phase}={keys[phase]}"
            raise PositionError(f"position: {self.not_a_key(unknown[0], where)}")
        for wrong in self.check(r, s):
            raise PositionError(f"position: {wrong}")

    def _read(self, r: Any, s: Any, key: str, codec: Codec, keys: Mapping[str, str]) -> None:
        """One part, from what a position says or means."""
        if key not in keys and codec.like in keys:
            key = codec.like
        usual = codec.usual(r, s) if callable(codec.usual) else codec.usual
        text = keys.get(key, usual)
        if text is None or (text and text == self.unsaid):
            return
        try:
            codec.read(r, s, text)
        except PositionError:
            raise
        except (ValueError, IndexError, OverflowError) as e:
            label = key.replace(".", " ")
            raise PositionError(f"position: {label}={text}: {e}") from None

    def check(self, r: Any, s: Any) -> Iterable[str]:
        """What makes no sense in a position that was read; the first of it is told."""
        return ()

    def write(self, r: Any, s: Any) -> str:
        """The position of a state: all that is not blank."""
        every = {key: x for key, x in self.codecs_for(s.seats).items() if x.said}
        said = {key: x.write(r, s) for key, x in every.items()}
        blank = self._blank(r, int(s.seats)) if self.brief else {}
        shown = [
            (key, x)
            for i, (key, x) in enumerate(said.items())
            if i == 0 or x not in (self.unsaid, blank.get(key))
            if (ask := every[key].shown) is None or ask(s, x)
        ]
        if not self.letters:
            return " ".join([self.head, f"n={s.seats}", *(f"{k}={x}" for k, x in shown)])
        parts = [
            " ".join([a, *(f"{k[2:]}={x}" for k, x in shown if k.startswith(f"{a}."))])
            for a in self.letters
        ]
        return self.joint.join([*parts, " ".join(f"{k}={x}" for k, x in shown if "." not in k)])

    def _blank(self, r: Any, seats: int) -> dict[str, str]:
        """How the parts of a blank state are written."""
        build = r.plain().build
        s = build.access(build.states())[0]
        s.seats = seats
        return {key: codec.write(r, s) for key, codec in self.codecs_for(seats).items()}

    def facts(self, r: Any, s: Any) -> dict[str, str]:
        """What scenarios may expect: each part by its key, and of a seat's own row `hand0`."""
        every = self.codecs_for(s.seats)  # scenarios know whose turn it is
        said = {key: codec.write(r, s) for key, codec in every.items() if codec.fact}
        return {key: text for key, text in said.items() if text}


def _kept(there: dict[K, V], key: K, value: V) -> V:
    """The value, which is kept."""
    if len(there) > KEPT:
        there.clear()
    there[key] = value
    return value


def marked_codecs(
    record: type[StateRecord], phase: Any, seats: int, lists: Lists
) -> Iterator[tuple[str, Codec | Callable[[int], Codec]]]:
    """A codec for each field of a state that a position says, by its name.

    seats: how many may play; a row of so many numbers is one for each seat.
    """
    places = {x.name: x for x in places_of(record)}
    header = set(StateRecord.layout.names or ())
    derived = {f"{x.holds.stem}_{what}" for x in places.values() for what in ("stock", "unseen")}
    sizes = {x.size for x in places.values() if x.holds.form is not PlaceForm.SLOTS}
    yield "phase", codecs.phase_of(phase)
    yield "to_act", codecs.seat("to_act", fact=False)
    for name, visibility in record.visibility.items():
        d = record.layout[name]
        base = d.base if d.subdtype else d
        if name in header | derived | sizes or visibility == "scratch" or base.names:
            continue
        if name in places:
            yield from _codecs_of_place(record, places[name], lists)
        elif name in record.knowledge and len(d.shape) == 2:
            yield name, codecs.knowledge(name, d.shape)
        elif d.shape == (seats,):
            yield name, codecs.per_seat(name)
        elif len(d.shape) <= 2:
            yield name, codecs.row(name, d.shape) if d.shape else codecs.number(name)


def _codecs_of_place(
    record: type[StateRecord], place: Place, lists: Lists
) -> Iterator[tuple[str, Codec | Callable[[int], Codec]]]:
    """What lies in a place; how many there are, and what each seat has of it, are facts."""
    cards, name = Cards(place.holds.of, lists), place.name
    size = place.size if place.size in (record.layout.names or ()) else ""

    def make(p: int | None) -> Codec:
        if place.holds.form is PlaceForm.COUNTS:
            return cards.counted(name, p, size=size)
        if place.holds.form is PlaceForm.PILE:
            return cards.piled(name, p, size=size)
        return cards.slots(name, p, place.cells)

    if place.holds.each:
        yield name, joined(make)
        yield f"{name}{{}}", lambda p: replace(make(p), read=unread)
    else:
        yield name, make(None)
    if size:
        yield (
            size,
            replace(
                codecs.per_seat(size) if place.holds.each else codecs.number(size), read=unread
            ),
        )


def domain_of_argument(rules: Any, name: str) -> Any:
    """The domain of an event's argument: that of its last word, `prize_card` is a Card.

    None: it is a plain number. A seat is a number, too.
    """
    found = getattr(rules, name.rpartition("_")[2].capitalize(), None)
    return (
        found if isinstance(found, type) and issubclass(found, int) and found is not int else None
    )


class Override:
    """What a module has of its own, and for all else a default: a game replaces it piece by
    piece.
    """

    def __init__(self, module: Any, default: Any) -> None:
        self.module, self.default = module, default

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.module, name, None) or getattr(self.default, name)
        self.__dict__[name] = found  # it is asked for at every choice
        return found
