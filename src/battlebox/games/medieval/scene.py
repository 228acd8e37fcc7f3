"""Medieval as a person sees it: columns, piles and hand in zones, the question, events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...core.scene import Choice, Piece, Refusal, Scene, Zone, rule_ids
from .rules import (
    BESIDE,
    COLUMNS,
    HAND,
    NO_TOTAL,
    SEATS,
    Phase,
    Result,
    put,
    reinforce,
    weigh,
)

COUNT = ("no cards", "1 card")
CACHED = 4096  # drawings that are kept: most come again, in this match or another


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation; `actions`: what its viewer may do now."""
    look = Look(r, o, names)
    choices = tuple(_choice(look, a) for a in actions)
    return Scene(
        viewer=look.me,
        to_act=None if look.over else int(o.to_act),
        phase=Phase(o.phase).name,
        title="The end" if look.over else f"Battle {o.battle}",
        prompt=_prompt(look),
        zones=tuple(_zones(look)),
        choices=choices,
        refusals=tuple(_refusals(look, choices)),
        over=look.over,
    )


class Look:
    """An observation, and what is needed to talk about it: table, names, the viewer."""

    def __init__(self, r: Any, o: Any, names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        #: the seats as they are drawn: the viewer's own last
        self.seats = (1, 0) if self.me == 0 else (0, 1)

    def seat(self, p: int) -> str:
        """A seat within a sentence."""
        return "you" if p == self.me else self.called[p]

    def whose(self, p: int) -> str:
        """Your, Ada's."""
        return "Your" if p == self.me else f"{self.called[p]}'s"

    def at(self, p: int, place: int) -> list[int]:
        """The cards of a player at a place of the battlefield, by their numbers, bottom first."""
        return [i for i in range(self.o.field_size[p]) if self.o.place[p][i] == place]

    def hand(self) -> list[int]:
        """The kinds in the viewer's hand."""
        return [] if self.me is None else [x - 1 for x in self.o.hand[self.me] if x]


def _opening(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _cards(n: int) -> str:
    return COUNT[n] if n < len(COUNT) else f"{n} cards"


def _name(r: Any, card: int) -> str:
    return str(r.names.card[card].name)


def _worth(r: Any, card: int) -> str:
    """A card with its value: "Archer 3"; an event in a column is worth nothing."""
    return f"{_name(r, card)} {r.numbers.value[card]}"


@lru_cache(maxsize=256)
def _text(r: Any, card: int) -> str:
    """What a card says."""
    t, parts = r.numbers, []
    for count, what in (
        (t.own_columns[card], "{} to each of your columns"),
        (t.enemy_columns[card], "{} to each enemy column"),
        (t.own_column[card], "{} to the column it is flipped for"),
        (t.column_bonus[card], "{} for each other fighter or character in its column"),
        (t.king_bonus[card], "{} if your King is, or was, on the battlefield"),
    ):
        if count:
            parts.append(what.format(_signed(count)))
    if t.trap[card]:
        parts.append("the highest enemy card facing it counts 0")
    if t.another[card]:
        parts.append("play another card")
    if t.event[card]:
        parts.append("counts only when flipped")
    return ", ".join(parts)


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else f"\N{MINUS SIGN}{-n}"


@lru_cache(maxsize=CACHED)
def _piece(r: Any, card: int, id: str) -> Piece:
    """A card, face up."""
    entry, text = r.names.card[card], _text(r, card)
    value = "" if entry.kind == "event" else str(entry.value)
    return Piece(
        id=id,
        label=": ".join(x for x in (f"{entry.name} {value}".strip(), text) if x),
        code=entry.code,
        name=entry.name,
        value=value,
        text=text,
        tone=entry.kind,
    )


# ---- zones --------------------------------------------------------------------------------------
def _zones(look: Look) -> Iterator[Zone]:
    for p in range(SEATS):
        yield _plaque(look, p)
    for p in look.seats:
        for c in range(COLUMNS):
            yield _column(look, p, c)
    yield from _beside(look)
    if look.o.fought:
        yield _last_battle(look)
    for p in look.seats:
        yield from _piles(look, p)
    if look.me is not None:
        if look.o.sealed_size[look.me]:
            yield _sealed(look, look.me)
        hand = [_piece(look.r, card, f"hand:{i}") for i, card in enumerate(look.hand())]
        yield Zone("hand", "fan", "Your hand", look.me, tuple(hand), {"count": len(hand)})


def _plaque(look: Look, p: int) -> Zone:
    """A seat: how many cards it has left, and what is up with it, in `chips`."""
    o = look.o
    chips = []
    if look.over and o.winner == 1 + p:
        chips.append("winner")
    if o.sealed_size[p]:
        chips.append("has placed")
    dead, all = sum(o.graveyard[p]), sum(o.stock[p])
    facts = {
        "points": all - dead,
        "points_of": all,
        "points_name": "cards",
        "hand": o.hand_size[p],
        "acting": not look.over and o.to_act == p,
        "out": look.over and all == dead,
        "you": p == look.me,
        "chips": chips,
    }
    label = look.called[p] + (" (you)" if p == look.me else "")
    return Zone(f"seat:{p}", "plaque", label, p, facts=facts)


def _column(look: Look, p: int, c: int) -> Zone:
    """One player's side of a column: its cards, its total and how it is made up."""
    o, mine = look.o, look.at(p, c)
    total, other = o.total[p][c], o.total[1 - p][c]
    cards = [o.field[p][i] for i in mine]
    text, pills = "empty", []
    if total != NO_TOTAL:
        text = f"{total} = {_sum(look.r, cards, total)}"
        if p == look.seats[-1]:
            against = "nobody" if other == NO_TOTAL else str(other)
            lead = "a tie" if total == other else "ahead" if total > other else "behind"
            pills = [{"text": f"{total} : {against}, {lead}", "lit": total > other}]
    pieces = tuple(_piece(look.r, o.field[p][i], f"card:{p}:{i}") for i in mine)
    facts = {"text": text, "pills": pills, "total": None if total == NO_TOTAL else total}
    return Zone(f"column:{p}:{c}", "line", f"{look.whose(p)} column {c + 1}", p, pieces, facts)


def _sum(r: Any, cards: Sequence[int], total: int) -> str:
    """Totals explained: "Sergeant 3 + Scout 1, bonuses +1"."""
    more = total - sum(r.numbers.value[card] for card in cards)
    text = " + ".join(_worth(r, card) for card in cards)
    return f"{text}, bonuses {_signed(more)}" if more else text


def _beside(look: Look) -> Iterator[Zone]:
    """The events beside the battlefield, and what they do, if there are any."""
    o, pieces, said = look.o, [], []
    for p in look.seats:
        for i in range(o.field_size[p]):
            if (c := o.place[p][i] - BESIDE) >= 0:
                card = o.field[p][i]
                pieces.append(_piece(look.r, card, f"card:{p}:{i}"))
                said.append(f"{look.whose(p)} {_effect(look, card, c)}")
    if pieces:
        text = "; ".join(said) + "."
        yield Zone("beside", "line", "Beside the battlefield", None, tuple(pieces), {"text": text})


def _effect(look: Look, card: int, c: int) -> str:
    """What an event beside column c does: "Battle Cry: +1 to each of your columns"."""
    t, text = look.t, f"{_name(look.r, card)} "
    if t.own_columns[card]:
        return f"{text}({_signed(t.own_columns[card])} to each own column)"
    if t.enemy_columns[card]:
        return f"{text}({_signed(t.enemy_columns[card])} to each enemy column)"
    if t.own_column[card]:
        return f"{text}({_signed(t.own_column[card])} to column {c + 1})"
    return f"{text}(the highest enemy card of column {c + 1} counts 0)"


def _last_battle(look: Look) -> Zone:
    """What became of the columns of the battle before, and of which cards."""
    pills = [{"text": text, "lit": won} for c in range(COLUMNS) for text, won in [_fate(look, c)]]
    number = look.o.battle if look.over else look.o.battle - 1
    facts = {"text": f"Battle {number}, final columns.", "pills": pills}
    return Zone("last", "line", "Last battle", facts=facts)


def _fate(look: Look, c: int) -> tuple[str, bool]:
    """A column of the last battle: who won it with what; whether that was the viewer."""
    o, result = look.o, look.o.last_result[c]
    sides = []
    for p in reversed(look.seats):
        cards = [o.past[p][i] for i in range(o.past_size[p]) if o.past_place[p][i] == c]
        if cards:
            sides.append(f"{look.seat(p)} {', '.join(_name(look.r, x) for x in cards)}")
    if result == Result.NOBODY:
        return f"Column {c + 1}: nobody", False
    said = "deadlock"
    if result != Result.DEADLOCK:
        winner = result - Result.A
        said = f"{look.seat(winner)} won"
    return f"Column {c + 1}: {said} ({' : '.join(sides)})", said == "you won"


def _piles(look: Look, p: int) -> Iterator[Zone]:
    """Deck, Survivors and Graveyard of a player; what lies face up is open to all (H17)."""
    o, whose = look.o, look.whose(p)
    facts = {"count": o.deck_size[p], "face": "down", "notes": []}
    yield Zone(f"deck:{p}", "pile", f"{whose} deck", p, facts=facts)
    alive = Counter(o.survivors[p][: o.survivors_size[p]])
    dead = Counter({card: n for card, n in enumerate(o.graveyard[p]) if n})
    for id, label, found in (("alive", "Survivors", alive), ("dead", "Graveyard", dead)):
        contents = {_name(look.r, card): n for card, n in sorted(found.items())}
        facts = {"count": sum(found.values()), "face": "up", "contents": contents, "notes": []}
        top = o.survivors[p][o.survivors_size[p] - 1 : o.survivors_size[p]] if id == "alive" else ()
        pieces = tuple(_piece(look.r, card, f"{id}:{p}:top") for card in top)
        yield Zone(f"{id}:{p}", "pile", f"{whose} {label}", p, pieces, facts)


def _sealed(look: Look, me: int) -> Zone:
    """H18: the viewer's own cards, face down at the columns."""
    placed = [(c, x - 1) for c, x in enumerate(look.o.sealed[me]) if x]
    text = ", ".join(f"{_name(look.r, card)} at column {c + 1}" for c, card in placed)
    pieces = tuple(_piece(look.r, card, f"sealed:{c}") for c, card in placed)
    return Zone("sealed", "line", "Your reinforcements, face down", me, pieces, {"text": text})


# ---- the question -------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    o = look.o
    if look.over:
        return _result(look)
    if o.to_act != look.me:
        return f"{_opening(look.seat(o.to_act))} places reinforcements, face down."
    n = o.hand_size[look.me]
    if n == HAND:
        return "Place your three cards face down, one at each column."
    what = "your card face down at a column" if n == 1 else "your two cards at different columns"
    return f"Place {what}."


def _result(look: Look) -> str:
    """Who won, and why."""
    o = look.o
    if o.winner:
        p, q = o.winner - 1, 2 - o.winner
        if p == look.me:
            return f"You win: {look.seat(q)} has no cards left."
        has = "have" if q == look.me else "has"
        return f"{_opening(look.seat(p))} wins: {look.seat(q)} {has} no cards left."
    if o.battle >= look.t.max_battles:
        return f"A draw: battle {o.battle} was the last."
    return "A draw: nobody has a card left."


# ---- choices ------------------------------------------------------------------------------------
def _choice(look: Look, action: int) -> Choice:
    """One way to place the hand; a full hand is placed by tapping its cards, column by column."""
    o, t = look.o, look.t
    hand = look.hand()
    places = sorted((t.column[action][i], i) for i in range(len(hand)))
    label = ", ".join(f"{_name(look.r, hand[i])} to {c + 1}" for c, i in places)
    path = tuple(f"hand:{i}" for _, i in places) if len(hand) == HAND else ()
    word = look.r.game.notation.word(look.r, o, action)
    sub = _forecast(look, [(hand[i], c) for c, i in places])
    return Choice(action, word, label, sub, path, "main", rule_ids(reinforce.__doc__ or ""))


def _forecast(look: Look, placed: Sequence[tuple[int, int]]) -> str:
    """The totals with these cards turned up, before anything else comes: "12:6 8:7 9:8"."""
    o, p = look.o, look.o.to_act
    size, king = o.field_size[p], o.king[p]
    for card, c in placed:
        put(look.t, o, p, card, c)
    weigh(look.t, o)
    both = [(o.total[p][c], o.total[1 - p][c]) for c in range(COLUMNS)]
    o.field_size[p], o.king[p] = size, king
    weigh(look.t, o)
    return "now " + " ".join(":".join("-" if x == NO_TOTAL else str(x) for x in y) for y in both)


def _refusals(look: Look, choices: Sequence[Choice]) -> Iterator[Refusal]:
    """Why a card of the hand cannot be the first: its twin stands for both."""
    first = {c.path[0] for c in choices if c.path}
    for i, card in enumerate(look.hand()):
        if first and (id := f"hand:{i}") not in first:
            why = f"You hold more than one {_name(look.r, card)}: take the first."
            yield Refusal(id, why, ("ME-69",))


# ---- events -------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return _Saying(r, told, viewer, names).text()


class _Saying:
    """One event, its arguments by name, and how to speak of seats and cards."""

    def __init__(self, r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> None:
        self.r, self.told, self.viewer, self.x = r, told, viewer, told.args
        self.names = names
        self.p = int(told.args["seat"])

    def text(self) -> str:
        return str(getattr(self, str(self.told.event.name).lower())())

    def who(self) -> str:
        return "You" if self.p == self.viewer else self.names[self.p]

    def does(self, verb: str) -> str:
        """The seat of the event as the subject: "You draw", "Seat 1 draws"."""
        return f"{self.who()} {verb}{'' if self.p == self.viewer else 's'}"

    def whose(self) -> str:
        return "Your" if self.p == self.viewer else f"{self.who()}'s"

    def card(self) -> str:
        card = self.x["card"]
        return _name(self.r, card) if self.r.numbers.event[card] else _worth(self.r, card)

    def column(self) -> str:
        return f"column {self.x['column'] + 1}"

    def battle(self) -> str:
        return f"Battle {self.x['number']}."

    def flipped(self) -> str:
        return f"{self.does('flip')} {self.card()} to {self.column()}."

    def called(self) -> str:
        return f"It calls for another: {self.card()}, {self.column()}."

    def beside(self) -> str:
        return f"{self.does('flip')} {self.card()}: beside {self.column()}."

    def drew(self) -> str:  # told to the drawer alone, who sees his hand
        return ""

    def drew_up(self) -> str:
        return ""  # everybody always draws what he can

    def placed(self) -> str:
        return f"{self.does('place')} reinforcements, face down."

    def turned_up(self) -> str:
        return f"{self.does('turn')} up {self.card()} at {self.column()}."

    def won_column(self) -> str:
        if self.x["other"] == NO_TOTAL:
            return f"{_opening(self.column())}: {self.does('win')}, unopposed."
        return (
            f"{_opening(self.column())}: {self.does('win')}, {self.x['total']} : {self.x['other']}."
        )

    def tied(self) -> str:
        total = self.x["total"]
        return f"{_opening(self.column())} is tied, {total} : {total}."

    def added(self) -> str:
        return f"{self.does('add')} {self.card()} to {self.column()}."

    def deadlocked(self) -> str:
        what = "all its cards survive" if self.r.numbers.both_survive else "all its cards die"
        return f"{_opening(self.column())} is deadlocked, nobody can add a card: {what}."

    def reshuffled(self) -> str:
        n = self.x["cards"]
        return f"{self.whose()} Survivors are shuffled: a new deck of {_cards(n)}."

    def out(self) -> str:
        return f"{self.who()} {'have' if self.p == self.viewer else 'has'} no cards left."

    def won(self) -> str:
        return f"{self.does('win')}."

    def drawn(self) -> str:
        return "A draw."
