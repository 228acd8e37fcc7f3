"""The scene that a game has without drawing one: zones from its places, choices from its moves,
sentences from its events.

    an own place        the viewer's hand; with the others' plaques its size, or backs
    a secret pile       a pile, face down          a public pile    a pile, face up
    a slot by seat      a card with the plaque     shared slots     a row of cards
    slots by seat, and what lies open before seats    a row before each
    public numbers      with the plaques, where there is one for each seat; else on a line

A choice is pressed on what its parameters name: seats, cards of the hand or of a row. What lies
nowhere, as a card that is guessed, is named with a picker; so is the move, where the same cards may
be used for several.

A game's scene.py holds a class of `DefaultScene` (and one of `DefaultSaying`) that replaces what it
wants said or drawn otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from .codes import code, deck_of, is_seat, title
from .notation import domain_of_argument
from .perspective import BOX, HAND, Perspective, Said
from .places import Place, domains_of, places_of
from .rules import Move
from .saying import Saying, cards, either, opening, plural
from .scene import Choice, Family, Piece, Zone
from .state import Form, StateRecord, kinds_of
from .zones import LineFacts, PickerFacts, Pill, RowFacts, face_down, face_up, plaque

S = TypeVar("S")
T = TypeVar("T")

POINTS = ("points", "score", "health", "lives")  # rows of these names are large on the plaques
SEAT_ENDING = "_seat"  # of what is the number of a seat
TABLE = "table"
TO_DO = "to-do"  # the picker of moves


def words(name: str) -> str:
    """A name in the code as words: "draw_two" is "draw two"."""
    return name.strip("_").replace("_", " ").lower()


#: the id of what is pressed for a member, by the name of a move and the number of its parameter
Boards = Mapping[tuple[str, int], Mapping[int, str]]


class DefaultScene(Perspective[S, T]):
    """The scene that follows from a game's marks."""

    #: public piles whose cards lie side by side
    as_rows: ClassVar[Collection[str]] = ()

    @property
    def record(self) -> type[StateRecord]:
        """The game's State."""
        found: type[StateRecord] = self.r.game.rules.State
        return found

    @cached_property
    def places(self) -> list[Place]:
        """Its places."""
        return places_of(self.record)

    # ---- what is said ----
    def title(self) -> str:
        """The phase, in words."""
        return "The end" if self.over else opening(words(self.phase.name))

    def question(self, actions: Sequence[int]) -> str:
        """What the viewer may do."""
        moves = dict.fromkeys(words(self.move(a).name) for a in actions)
        return f"Your turn: {either([*moves])}." if moves else "It is your turn."

    def waiting(self) -> str:
        """Who is to act."""
        return f"{opening(self.called[self.asked or 0])} is to act."

    def result(self) -> str:
        """Who won, from the returns."""
        out = [0.0] * self.seats
        self.r.plain().build.hooks.returns(self.t, self.o, out)
        winners = [p for p in range(self.seats) if out[p] == max(out)]
        if len(winners) == self.seats:
            return "A draw."
        if len(winners) == 1:
            return f"{self.does(winners[0], 'win')}."
        return f"{opening(self.those(winners))} share the win."

    # ---- choices ----
    def choices(self, actions: Sequence[int]) -> Iterable[Choice]:
        """Each action as its `do_` method says, or by its name; a button, or pressed on the pieces
        that its parameters name.
        """
        paths = self.paths(actions)
        for a in actions:
            move = self.move(a)
            values = move.values(a)
            own = getattr(self, f"do_{move.name}", None)
            said = own(*values) if own else Said(self.choice_label(move, values))
            yield self.choice(a, move, said if said.path else said._replace(path=paths[a]))

    def choice_label(self, move: Move, values: Sequence[int]) -> str:
        """ "Bid 5", "Guard Ada: baron"."""
        said = [self.member(d, x) for d, x in zip(move.domains, values, strict=True)]
        return opening(" ".join([words(move.name), ": ".join(said)]).strip())

    def member(self, domain: Any, i: int) -> str:
        """A member of a domain within a sentence; a seat by its name."""
        return self.seat(i) if is_seat(domain) else title(self.r, domain, i)

    def paths(self, actions: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """What is pressed for each action; of several with the same parameters, the move as well.
        Nothing, for one without parameters, or which is about the same piece twice.
        """
        boards = self.boards(actions)
        found = {a: self.path(a, boards) for a in actions}
        often = Counter(found.values())
        return {
            a: (*path, f"{TO_DO}:{self.move(a).name}") if path and often[path] > 1 else path
            for a, path in found.items()
        }

    def path(self, action: int, boards: Boards) -> tuple[str, ...]:
        """The pieces and seats that the parameters of an action name."""
        move = self.move(action)
        ids = [
            f"seat:{x}" if is_seat(d) else boards[move.name, k].get(x, "")
            for k, (d, x) in enumerate(zip(move.domains, move.values(action), strict=True))
        ]
        return tuple(ids) if all(ids) and len({*ids}) == len(ids) else ()

    def boards(self, actions: Sequence[int]) -> Boards:
        """Where the members are pressed that a parameter may be: in the place that has them all, a
        hand before rows in the middle, else in a picker. A number alone is a button.
        """
        named = dict[tuple[str, int], set[int]]()
        moves = {move.name: move for move in map(self.move, actions)}
        for a in actions:
            move = self.move(a)
            for k, x in enumerate(move.values(a)):
                named.setdefault((move.name, k), set()).add(x)
        out = dict[tuple[str, int], Mapping[int, str]]()
        for (name, k), members in named.items():
            domains = moves[name].domains
            domain = domains[k]
            if is_seat(domain):
                continue
            lies = [ids for of, ids in self.lying if of is domain]
            alone = len(domains) == 1 and domain not in self.domains
            picker = {} if alone else {x: self.picker_id(domain, x) for x in members}
            out[name, k] = next((ids for ids in lies if members <= ids.keys()), picker)
        return out

    @cached_property
    def lying(self) -> list[tuple[Any, Mapping[int, str]]]:
        """Of each place in which pieces are pressed its domain, and by kind the id of the first."""
        found = list[tuple[Any, Mapping[int, str]]]()
        for place in [*self.hands, *self.rows_for_all]:
            of, ids = place.holds.of, dict[str, str]()
            for piece in self.pieces(place, self.me or 0):
                ids.setdefault(piece.code, piece.id)
            codes = [code(self.r, of, i) for i in range(kinds_of(of))]
            found.append((of, {i: ids[x] for i, x in enumerate(codes) if x in ids}))
        return found

    @staticmethod
    def picker_id(domain: Any, i: int) -> str:
        """The id of a member of a domain in its picker."""
        return f"any-{domain.__name__.lower()}:{i}"

    def pickers(self, actions: Sequence[int]) -> Iterator[Zone]:
        """What is named though it lies nowhere; and what may be done with the same pieces."""
        paths = self.paths(actions)
        used = {id for path in paths.values() for id in path}
        for domain in {d: None for a in actions for d in self.move(a).domains}:
            ids = {i: self.picker_id(domain, i) for i in range(kinds_of(domain))}
            lies = any(of is domain for of in self.domains)
            pieces = [
                self.piece(domain, i, id) if lies else self.token(id, title(self.r, domain, i))
                for i, id in ids.items()
                if id in used
            ]
            if pieces:
                name = domain.__name__.lower()
                yield Zone(
                    f"any-{name}", "picker", f"Which {name}?", None, tuple(pieces), PickerFacts()
                )
        moves = dict.fromkeys(self.move(a).name for a in actions)
        to_do = {name: f"{TO_DO}:{name}" for name in moves}
        tokens = [
            self.token(id, opening(words(x)), "move") for x, id in to_do.items() if id in used
        ]
        if tokens:
            yield Zone(TO_DO, "picker", "What to do", None, tuple(tokens), PickerFacts())

    @staticmethod
    def token(id: str, name: str, kind: str = "token") -> Piece:
        """A number, or a move, to be picked."""
        return Piece(id, name, kind, name=name)

    # ---- zones ----
    @cached_property
    def hands(self) -> list[Place]:
        """The places that are the viewer's hand: all own ones with room for more than one; or, of
        a domain that has none such, its slot.
        """
        own = [x for x in self.places if x.visibility == "own"] if self.me is not None else []
        large = [x for x in own if x.cells or x.holds.form is not Form.SLOTS]
        domains = {x.holds.of for x in large}
        return large + [x for x in own if x not in large and x.holds.of not in domains]

    @cached_property
    def domains(self) -> list[Any]:
        """The domains of what lies on the table."""
        return [*dict.fromkeys(x.holds.of for x in self.places)]

    @cached_property
    def rows_for_all(self) -> list[Place]:
        """The rows in the middle: shared slots, and piles that are shown so."""
        return [
            x
            for x in self.places
            if not x.holds.each
            if x.holds.form is Form.SLOTS or (x.name in self.as_rows and x.visibility == "public")
        ]

    def is_row(self, place: Place) -> bool:
        """It lies before each seat, in a row: slots, where there are several, and what is open."""
        if not place.holds.each:
            return False
        if place.holds.form is Form.SLOTS:
            return bool(place.cells)
        return place.visibility == "public"

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        """Plaques, shared places, places by seat, numbers, the hand, what may be named."""
        for p in range(self.seats):
            yield self.plaque(p)
        for place in self.places:
            if place in self.rows_for_all:
                yield self.row(place)
            elif not place.holds.each:
                yield self.pile(place)
            elif self.is_row(place):
                yield from self.rows_before(place)
            elif place.visibility == "secret" and place.holds.form is not Form.SLOTS:
                piles = [self.pile(place, p) for p in range(self.seats)]
                yield from (x for x in piles if x.facts["count"])
        if numbers := self.numbers():
            pills = [Pill(text=x, lit=False) for x in numbers]
            yield Zone(TABLE, "line", "Table", facts=LineFacts(pills=pills))
        for place in self.hands:
            pieces = tuple(self.pieces(place, self.me or 0))
            label = f"Your {words(place.name)}"
            yield Zone(place.name, "fan", label, self.me, pieces, role="hand")
        if actions:
            yield from self.pickers(actions)

    def rows_before(self, place: Place) -> Iterator[Zone]:
        """A place by seat as rows; of what has no places of its own, only where something lies."""
        for p in range(self.seats):
            if not (p == self.me and place in self.hands):
                zone = self.row(place, p)
                if zone.pieces or "places" in zone.facts:
                    yield zone

    def plaque(self, p: int) -> Zone:
        """A seat: its numbers, how many cards it holds, and what lies in its slots."""
        chips, points = list[str](), None
        for name in self.rows:
            value = int(getattr(self.o, name)[p])
            if name in POINTS and points is None:
                points = (name, value)
            elif value:
                chips.append(f"{words(name)} {value}")
        facts = dict[str, Any]()
        if points:
            facts["points_name"], facts["points"] = words(points[0]), points[1]
        own = [x for x in self.places if x.visibility == "own" and not self.is_row(x)]
        own = [x for x in own if x.name == HAND] or own
        held = [x for x in own if x.size in self.fields]
        if held:
            facts["hand"] = sum(int(getattr(self.o, x.size)[p]) for x in held)
        pieces = [
            piece
            for place in self.places
            if place.holds.each and place.holds.form is Form.SLOTS and not place.cells
            if not (p == self.me and place in self.hands)
            for piece in self.pieces(place, p)
        ]
        return plaque(
            *(p, self.label(p), tuple(pieces)),
            acting=self.asked == p,
            you=p == self.me,
            out=False,
            chips=tuple(chips),
            **facts,
        )

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of a state."""
        return self.record.layout.names or ()

    def _plain_fields(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The names and shapes of public fields of a game's own that are no places, nor sizes."""
        places = {x.name for x in self.places} | {x.size for x in self.places}
        stocks = {f"{x.holds.stem}_stock" for x in self.places}
        header = StateRecord.layout.names or ()
        for name, visibility in self.record.visibility.items():
            if visibility == "public" and name not in {*places, *stocks, *header}:
                d = self.record.layout[name]
                if not (d.base if d.subdtype else d).names:
                    yield name, d.shape

    @cached_property
    def rows(self) -> list[str]:
        """The public fields with a number for each seat."""
        most = self.r.game.most_players
        return [name for name, shape in self._plain_fields() if shape == (most,)]

    def numbers(self) -> list[str]:
        """The public numbers that are nobody's: "Pot 3", "Round 2"; "Dealer Ada" of a
        `dealer_seat`. A 0 is not said.
        """
        out = list[str]()
        for name, shape in self._plain_fields():
            if not shape:
                value, what = getattr(self.o, name), name.removesuffix(SEAT_ENDING)
                if what != name:
                    if value < self.seats:  # or else it is nobody's now
                        out.append(opening(f"{words(what)} {self.seat(value)}"))
                elif value:
                    out.append(opening(f"{words(name)} {value}"))
        return out

    def named(self, place: Place, p: int | None) -> tuple[str, str]:
        """The id and the label of a place, of seat p if it is by seat."""
        if p is None:
            return place.name, opening(words(place.name))
        return f"{place.name}:{p}", f"{opening(self.whose(p))} {words(place.name)}"

    def row(self, place: Place, p: int | None = None) -> Zone:
        """What lies side by side, for all or before a seat."""
        id, label = self.named(place, p)
        facts: RowFacts = {"short": opening(words(place.name))}
        if place.holds.form is Form.SLOTS:
            facts["places"] = [f"{id}:{i}" for i in range(place.cells or 1)]
        return Zone(id, "row", label, p, tuple(self.pieces(place, p or 0)), facts)

    def pile(self, place: Place, p: int | None = None) -> Zone:
        """A pile that lies on the table, for all or for a seat."""
        id, label = self.named(place, p)
        pieces = tuple(self.pieces(place, p or 0))
        if place.visibility == "public":
            return face_up(id, label, ((x.name, x.count) for x in pieces), p, top=pieces[-1:])
        size = getattr(self.o, place.size)
        count = int(size if p is None else size[p])
        notes = [
            f"{piece.name} is {f'under {cards(count - 1 - i)}' if i + 1 < count else 'on top'}"
            for i, piece in enumerate(pieces)
            if piece.kind != "back"
        ]
        return face_down(id, label, count, p, notes=notes)

    def pieces(self, place: Place, p: int) -> Iterator[Piece]:
        """What lies in a place, of seat p if it is by seat, as far as the viewer sees it."""
        field, holds = getattr(self.o, place.name), place.holds
        row = field[p] if holds.each else field
        mine = p == self.me and place in self.hands
        if holds.form is Form.COUNTS:
            home = place.name if mine or not holds.each else f"{place.name}:{p}"
            for k in range(holds.kinds):
                if row[k]:
                    yield self.piece(holds.of, k, f"{home}:{code(self.r, holds.of, k)}", row[k])
            return
        home = f"{place.name}:{p}" if holds.each else place.name
        if holds.form is Form.PILE:  # all in it counts from 1 on, as in slots
            size = getattr(self.o, place.size)
            cells = [1 + row[i] for i in range(size[p] if holds.each else size)]
        else:
            cells = [row[i] for i in range(place.cells)] if place.cells else [row]
        for i, value in enumerate(cells):
            if value and not self.is_open(place, p, i):
                what = f"hidden {words(holds.of.__name__)}"
                owner = f"{opening(self.whose(p))} {what}" if holds.each else f"A {what}"
                yield Piece(f"{home}:{i}", owner, "back")
            elif value:
                peek = place.visibility != "public" and not mine
                yield self.piece(holds.of, value - 1, f"{home}:{i}", peek=peek)

    def is_open(self, place: Place, p: int, i: int) -> bool:
        """The viewer sees what lies in a cell of a place, of seat p if it is by seat."""
        if place.visibility == "public" or (place.visibility == "own" and p == self.me):
            return True
        if not place.known_by or self.me is None:
            return False
        index = [self.me] + [p] * bool(place.holds.each) + [i] * bool(place.cells)
        return bool(getattr(self.o, place.known_by)[tuple(index)])

    def piece(
        self, domain: Any, kind: int, id: str, count: int = 1, *, peek: bool = False
    ) -> Piece:
        """A card or other piece, face up; peek: only the viewer sees its face."""
        name, text = title(self.r, domain, kind), self.explain(domain, kind)
        label = f"{count} {name}" if count > 1 else name
        label = f"{label}, face down" if peek else label
        return Piece(
            id,
            f"{label}: {text}" if text else label,
            "peek" if peek else "card",
            code=code(self.r, domain, kind),
            name=name,
            value=name if name.isdecimal() else "",
            text=text,
            tone=words(domain.__name__),
            count=count,
        )

    def explain(self, domain: Any, kind: int) -> str:
        """What a kind of card or piece does: the `text` of its entry in the deck, if it has one."""
        deck = deck_of(self.r, domain)
        return str(getattr(deck[kind], "text", "")) if deck else ""

    # ---- what one plays with ----
    def components(self) -> Iterator[Family]:
        """What lies in places, by its domains: as many as there are, of one seat where each seat
        has its own.
        """
        for places in domains_of(self.places):
            holds = places[0].holds
            stock = getattr(self.o, f"{holds.stem}_stock")
            counts = stock[0] if holds.separate else stock
            pieces = [
                self.piece(
                    holds.of, k, f"{BOX}-{holds.stem}:{code(self.r, holds.of, k)}", counts[k]
                )
                for k in range(holds.kinds)
                if counts[k]
            ]
            name = words(holds.of.__name__)
            family, text = self.families.get(name, (opening(f"{name}s"), ""))
            yield Family(family, tuple(pieces), text)


class DefaultSaying(Saying):
    """An event in words: its own method, or its name and what it tells: "Ada bid 5."."""

    def text(self) -> str:
        """The sentence."""
        own = getattr(self, words(self.told.event.name).replace(" ", "_"), None)
        return str(own()) if own else self.usual()

    def usual(self) -> str:
        """The sentence of an event that has none of its own."""
        told = [self.argument(name, x) for name, x in self.x.items() if name != "seat"]
        verb = words(self.told.event.name)
        head = opening(self.seat(self.p)) if "seat" in self.x else ""
        return f"{' '.join([head, verb, ', '.join(told)]).strip()}."

    def argument(self, name: str, value: int | None) -> str:
        """What an event tells, in words: "Queen", "3 points" (of `points`), "total 3" (of `total`),
        "3" (of `number`); "a card" if it is not told.
        """
        domain = domain_of_argument(self.r.game.rules, name)
        if name == "seat" or name.endswith(SEAT_ENDING):
            return "somebody" if value is None else self.seat(value)
        if value is None:
            return f"a {words(name)}"
        if domain is not None:
            return title(self.r, domain, value)
        if name == "number":
            return str(value)
        if name.endswith("s"):
            return plural(value, words(name)[:-1])
        return f"{words(name)} {value}"


class DefaultScenes:
    """The scenes and sentences of a game, and what it is played with, by these classes."""

    def __init__(self, look: type[Perspective[Any, Any]], saying: type[Saying]) -> None:
        self.scene, self.look, self.saying = look.of, look, saying

    def components(self, r: Any, o: Any) -> Iterable[Family]:
        """All that is played with. o: what a spectator sees of a new match."""
        return self.look(r, o, ()).components()

    def say(self, r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
        """An event as a sentence for a viewer (None: a spectator)."""
        return self.saying(r, told, viewer, names).text()
