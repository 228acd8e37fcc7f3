"""What scenes of any game start from: an observation, and how its viewer speaks of seats and cards.

A game's own scene is a class that says what is asked, what lies on the table, and what each move is
called, which has a method of its name:

    class Look(Perspective[State, Table]):
        def title(self) -> str:
            return f"Round {self.o.round}"

        def do_bid(self, card: int) -> Said:
            return Said(f"Bid {self.name(card)}", path=(self.in_hand(card),))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

from .rules import Move
from .saying import listed, opening
from .scene import Choice, Family, Piece, Refusal, Scene, Zone, rule_ids
from .zones import CACHED, face_up

if TYPE_CHECKING:
    from .game import Ruleset

S = TypeVar("S")
T = TypeVar("T")
HAND = "hand"  # the id of the viewer's own cards
BOX = "box"  # where pieces lie that are only looked up
#: what is said of a card that lies otherwise than face up
LIES = {"peek": ", face down", "lost": ", discarded"}


class Said(NamedTuple):
    """What is said of a choice; its fields are those of `Choice`."""

    label: str
    sub: str = ""
    path: tuple[str, ...] = ()
    tone: str = "plain"
    then: Mapping[str, int] | None = None
    any_order: bool = False


class Face(NamedTuple):
    """What stands on a kind of card. title: what a screen reader calls it; empty: its name."""

    text: str
    value: str = ""
    tone: str = ""
    title: str = ""


class Perspective(Generic[S, T]):
    """A match as one viewer sees it. o: the observation, t: the ruleset's numbers, r: the ruleset.

    me: the viewer's seat; None: a spectator. called: what the seats are called.
    """

    #: by tone: what cards of it are called, and what they are for; else "Attack cards", and nothing
    families: ClassVar[Mapping[str, tuple[str, str]]] = {}

    def __init__(self, r: Ruleset, o: S, names: Sequence[str]) -> None:
        header: Any = o
        numbers: Any = r.numbers
        self.r, self.o, self.called = r, o, names
        self.t: T = numbers
        self.kind: Any = type(self)  # what drawings are kept by
        self.me: int | None = header.viewer - 1 if header.viewer > 0 else None
        self.phase = _phase(r.game.rules, header.phase)
        self.over: bool = self.phase == r.game.rules.Phase.OVER
        self.seats: int = header.seats
        #: who is asked, as far as the viewer may know
        self.asked: int | None = None if self.over else header.to_act
        self.actions: Sequence[int] = ()  # what the viewer may do now,
        self.open: set[str] = set()  # and the ids that its choices name

    # ---- how one speaks ----
    def seat(self, p: int) -> str:
        """A seat within a sentence: "you", or its name."""
        return "you" if p == self.me else self.called[p]

    def those(self, seats: Iterable[int]) -> str:
        """Several seats: "Ada and you"."""
        return listed([self.seat(p) for p in sorted(seats, key=lambda p: p == self.me)])

    def label(self, p: int) -> str:
        """A seat as a heading: "Ada (you)"."""
        return self.called[p] + (" (you)" if p == self.me else "")

    def whose(self, p: int) -> str:
        """What is a seat's: "your", "Ada's"."""
        return "your" if p == self.me else f"{self.called[p]}'s"

    def owned(self, p: int, what: str) -> str:
        """A thing of a seat's as a heading: "Your deck", "Ada's deck"."""
        return f"Your {what}" if p == self.me else f"{self.called[p]}'s {what}"

    def does(self, p: int, verb: str, others: str = "") -> str:
        """A seat as the subject: "You draw", "Ada draws" (`others`, if given)."""
        return f"{opening(self.seat(p))} {verb if p == self.me else others or verb + 's'}"

    def name(self, card: int) -> str:
        """The name of a kind of card of the deck."""
        return str(self.r.names.cards[card].name)

    def code(self, card: int) -> str:
        """Its code in the notation."""
        return str(self.r.names.cards[card].code)

    def word(self, action: int) -> str:
        """The word of one of the viewer's actions."""
        return self.r.game.notation.word(self.r, self.o, action)

    def move(self, action: int) -> Move:
        """The move that an action makes."""
        return self.r.plain().build.move_of(action, int(self.phase))

    def rules_behind(self, action: int) -> tuple[str, ...]:
        """The ids of the rules behind an action: those that its move's docstring names."""
        return _ids(self.move(action).doc)

    # ---- cards of the deck ----
    @staticmethod
    def face(r: Ruleset, card: int) -> Face:
        """What stands on a kind of card. It is asked once for each."""
        raise NotImplementedError

    def text(self, card: int) -> str:
        """What a kind of card does."""
        return _face(self.kind, self.r, card).text

    @classmethod
    def draw_card(cls, r: Ruleset, card: int, id: str, count: int = 1, kind: str = "card") -> Piece:
        """A card, or several alike. kind: of `Piece`."""
        return _card(cls, r, card, id, count, kind)  # type: ignore[arg-type]

    def card(self, card: int, id: str, count: int = 1, kind: str = "card") -> Piece:
        """The same."""
        return self.draw_card(self.r, card, id, count, kind)

    def in_hand(self, card: int) -> str:
        """The id of a card in the viewer's hand."""
        return f"{HAND}:{self.code(card)}"

    def idle(self, counts: Iterable[int], open: set[str]) -> Iterator[tuple[int, str]]:
        """Of the viewer's own cards, counted by kind, those that are not open; and their ids."""
        for card, n in enumerate(counts):
            if n and (id := self.in_hand(card)) not in open:
                yield card, id

    def hand(self, counts: Iterable[int]) -> Zone:
        """The viewer's own cards, counted by kind; those of a kind are one piece."""
        return _hand(self.kind, self.r, tuple(counts), self.me)

    def open_pile(
        self,
        id: str,
        label: str,
        cards: Iterable[int],
        owner: int | None = None,
        *,
        top: bool = True,
        **more: Any,
    ) -> Zone:
        """A pile that all may look through, the last card uppermost. top: that one is drawn. more:
        of `zones.face_up`.
        """
        return _open_pile(self.kind, self.r, id, label, tuple(cards), owner, top, **more)

    # ---- what one plays with ----
    def copies(self) -> Sequence[int]:
        """How many cards of each kind there are: of one player's deck, where each has their own."""
        return [getattr(card, "count", 1) for card in getattr(self.r.names, "cards", ())]

    def components(self) -> Iterable[Family]:
        """All that is played with, for who looks it up: the cards of the deck, by their tones."""
        found = dict[str, list[Piece]]()
        for card, n in enumerate(self.copies()):
            if n:
                piece = self.card(card, f"{BOX}:{self.code(card)}", n)
                found.setdefault(piece.tone, []).append(piece)
        for tone, pieces in found.items():
            name, text = self.families.get(tone, (opening(f"{tone} cards".strip()), ""))
            yield Family(name, tuple(pieces), text)

    # ---- what is drawn: a game replaces these ----
    def title(self) -> str:
        """Where we are: "Turn 7"."""
        raise NotImplementedError

    def prompt(self, actions: Sequence[int]) -> str:
        """What is asked, in a sentence; at the end, the result."""
        if self.over:
            return self.result()
        asked = self.asked is not None and self.asked == self.me
        return self.question(actions) if asked else self.waiting()

    def result(self) -> str:
        """Who won, and why."""
        raise NotImplementedError

    def question(self, actions: Sequence[int]) -> str:
        """What the viewer is asked."""
        raise NotImplementedError

    def waiting(self) -> str:
        """What somebody else is asked, or nobody."""
        raise NotImplementedError

    def zones(self, actions: Sequence[int]) -> Iterable[Zone]:
        """The places on the table."""
        raise NotImplementedError

    def choices(self, actions: Sequence[int]) -> Iterable[Choice]:
        """One for each of the viewer's legal actions: what `do_` and the name of its move says."""
        move_of, phase = self.r.plain().build.move_of, int(self.phase)
        for action in actions:
            move = move_of(action, phase)
            say = getattr(self, f"do_{move.name}")
            yield self.choice(action, move, say(*move.values(action)))

    def choice(self, action: int, move: Move, said: Said) -> Choice:
        """An action of a move, of which this is said."""
        label, sub, path, tone, then, any_order = said
        word = self.r.game.notation.word(self.r, self.o, action)
        rules, after = _ids(move.doc), dict(then) if then else {}
        return Choice(action, word, label, sub, path, tone, rules, after, any_order)

    def refusals(self, open: set[str]) -> Iterable[Refusal]:
        """Why what is not among `open` (the ids that choices name) cannot be chosen now."""
        return ()

    def cue(self, actions: Sequence[int]) -> str:
        """To who is asked, in two or three words, where "Your turn" would not be true."""
        return ""

    def scene(self, actions: Sequence[int]) -> Scene:
        """All of it. actions: what the viewer may do now."""
        self.actions = actions
        choices = tuple(self.choices(actions))
        open = self.open = {id for c in choices for id in c.path}
        return Scene(
            viewer=self.me,
            to_act=self.asked,
            phase=str(self.phase.name),
            title=self.title(),
            prompt=self.prompt(actions),
            zones=tuple(self.zones(actions)),
            choices=choices,
            refusals=tuple(self.refusals(open)) if choices else (),
            over=self.over,
            cue=self.cue(actions) if choices else "",
        )

    @classmethod
    def of(cls, r: Ruleset, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
        """The scene of an observation, as a game's scenes supply it."""
        return cls(r, o, names).scene(actions)


Look = type[Perspective[Any, Any]]


@lru_cache(4096)
def _phase(rules: ModuleType, phase: int) -> Any:
    return rules.Phase(phase)


@lru_cache(4096)
def _ids(doc: str) -> tuple[str, ...]:
    return rule_ids(doc)


@lru_cache(maxsize=CACHED)
def _face(look: Look, r: Ruleset, card: int) -> Face:
    return look.face(r, card)


@lru_cache(maxsize=CACHED)
def _card(look: Look, r: Ruleset, card: int, id: str, count: int, kind: str) -> Piece:
    entry, face = r.names.cards[card], _face(look, r, card)  # type: ignore[arg-type]  # a class is hashable
    title = (face.title or str(entry.name)) + LIES.get(kind, "")
    title = f"{title}: {face.text or 'no special power'}"
    return Piece(
        id=id,
        label=f"{count} {title}" if count > 1 else title,
        kind=kind,
        code=entry.code,
        name=entry.name,
        value=face.value,
        text=face.text,
        tone=face.tone,
        count=count,
    )


@lru_cache(maxsize=CACHED)
def _hand(look: Look, r: Ruleset, counts: tuple[int, ...], me: int | None) -> Zone:
    codes = [x.code for x in r.names.cards]
    pieces = [look.draw_card(r, k, f"{HAND}:{codes[k]}", n) for k, n in enumerate(counts) if n]
    return Zone(HAND, "fan", "Your hand", me, tuple(pieces), role=HAND)


@lru_cache(maxsize=CACHED)
def _open_pile(
    look: Look,
    r: Ruleset,
    id: str,
    label: str,
    cards: tuple[int, ...],
    owner: int | None,
    top: bool,
    **more: Any,
) -> Zone:
    counted = [(str(r.names.cards[k].name), 1) for k in sorted(cards)]
    uppermost = [look.draw_card(r, cards[-1], f"{id}:top")] if top and cards else []
    return face_up(id, label, counted, owner, top=uppermost, **more)
