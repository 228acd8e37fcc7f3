"""Medieval as a person sees it: columns, piles and hand in zones, the question, events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from ...core.saying import Saying, cards, listed, opening
from ...core.scene import Choice, Piece, Scene, Zone, rule_ids
from ...core.zones import ColumnFacts, ColumnSide, LineFacts, PileFacts, Pill, PlaqueFacts
from .rules import (
    BESIDE,
    COLUMNS,
    HAND,
    NO_TOTAL,
    SEATS,
    UNAIMED,
    Event,
    Phase,
    Result,
    bonus,
    compare,
    exchange,
    first_unaimed,
    from_beside,
    is_trapped,
    put,
    spied,
    weigh,
)

CACHED = 4096  # drawings that are kept: most come again, in this match or another


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation; `actions`: what its viewer may do now."""
    look = Look(r, o, names)
    choices = tuple(_choice(look, a) for a in actions)
    return Scene(
        viewer=look.me,
        to_act=int(o.to_act) if look.asks else None,
        phase=Phase(o.phase).name,
        title="The end" if look.over else f"Battle {o.battle}",
        prompt=_prompt(look),
        zones=tuple(_zones(look)),
        choices=choices,
        over=look.over,
    )


class Look:
    """An observation, and what is needed to talk about it: table, names, the viewer."""

    def __init__(self, r: Any, o: Any, names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        self._lying = tuple([list[int]() for _ in range(UNAIMED + 1)] for _ in range(SEATS))
        for p in range(SEATS):
            for i in range(o.field_size[p]):
                self._lying[p][o.place[p][i]].append(i)
        #: False: the end, or an intermediate view
        asked = {Phase.CHOOSE_COLUMN: o.aims, Phase.REINF: o.hand_size, Phase.SWAP: o.swaps}
        self.asks = o.phase in asked and asked[o.phase][o.to_act] > 0
        weigh(self.t, o)
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
        return self._lying[p][place]

    def trapped(self, p: int, c: int) -> list[int]:
        """ME-67: the cards of a side of a column that count 0, by their numbers."""
        return [i for i in self.at(p, c) if is_trapped(self.t, self.o, p, i)]

    def hand(self) -> list[int]:
        """The kinds in the viewer's hand."""
        return [] if self.me is None else [x - 1 for x in self.o.hand[self.me] if x]


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
        (t.own_column[card], "{} to " + _its_column(t, card)),
        (t.column_bonus[card], "{} for each other fighter or character in its column"),
        (t.king_bonus[card], "{} if your King is, or was, on the battlefield"),
    ):
        if count:
            parts.append(what.format(_signed(count)))
    if t.trap[card]:
        where = "in the column that you choose" if t.aim[card] else "facing it"
        parts.append(f"the highest enemy card {where} counts 0")
    if t.swap[card]:
        parts.append("you may swap two of your columns when all cards are turned up")
    if t.spy[card]:
        parts.append("the enemy places first, face up")
    if t.assassin[card]:
        parts.append("kills the highest fighter facing it")
    if t.savior[card]:
        parts.append("if its column is lost, it alone dies")
    if t.another[card]:
        parts.append("adds the next card of your deck")
    if t.event[card]:
        parts.append("counts only when flipped")
    return ", ".join(parts)


def _its_column(t: Any, card: int) -> str:
    return "the column that you choose" if t.aim[card] else "the column it is flipped for"


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else f"\N{MINUS SIGN}{-n}"


@lru_cache(maxsize=CACHED)
def _piece(r: Any, card: int, id: str) -> Piece:
    """A card, face up."""
    entry, text = r.names.card[card], _text(r, card)
    value = "" if entry.kind == "event" else str(entry.value)
    return Piece(
        id=id,
        label=f"{f'{entry.name} {value}'.strip()}: {text or 'no special power'}",
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
    for c in range(COLUMNS):
        yield _column(look, c)
    yield from _unaimed(look)
    if look.o.fought and look.o.phase != Phase.COMPARED:
        yield _last_battle(look)
    for p in look.seats:
        yield from _piles(look, p)
    if look.me is not None:
        hand = [_piece(look.r, card, f"hand:{i}") for i, card in enumerate(look.hand())]
        yield Zone("hand", "fan", "Your hand", look.me, tuple(hand), role="hand")


def _plaque(look: Look, p: int) -> Zone:
    """A seat: how many cards it has left, and what is up with it, in `chips`."""
    o = look.o
    chips = []
    if look.over and o.winner == 1 + p:
        chips.append("winner")
    if o.sealed_size[p]:
        chips.append("has placed face up" if spied(o, p) else "has placed")
    elif o.phase == Phase.REINF and spied(o, p) and o.hand_size[p]:
        chips.append("spied on")
    dead, all = sum(o.graveyard[p]), sum(o.stock[p])
    facts: PlaqueFacts = {
        "points": all - dead,
        "points_of": all,
        "points_name": "cards",
        "hand": o.hand_size[p],
        "acting": look.asks and o.to_act == p,
        "out": look.over and all == dead,
        "you": p == look.me,
        "chips": chips,
    }
    label = look.called[p] + (" (you)" if p == look.me else "")
    return Zone(f"seat:{p}", "plaque", label, p, facts=facts)


def _column(look: Look, c: int) -> Zone:
    """A column: both sides with their totals and how they are made up, and who leads."""
    pieces, sides, tags = list[Piece](), list[ColumnSide](), dict[str, str]()
    for p in look.seats:
        side, found = _side(look, p, c, tags)
        pieces += found
        sides.append(side)
    short, whole = _standing(look, c)
    own, other = sides[1], sides[0]
    said = [f"{own['total'] or '-'} : {other['total'] or '-'}, {whole}" if whole else "Empty"]
    said += [f"{x['name']}: {x['sum']}" for x in (own, other) if x["sum"]]
    beside = {id: x["name"] for x in (own, other) for id in x["beside"]}
    said += [f"Beside it, {beside[x.id]}: {x.name}" for x in pieces if x.id in beside]
    said += [f"Face down: {x.name}" for x in pieces if x.id in own["covered"] and x.name]
    facts: ColumnFacts = {
        "text": ". ".join(said) + ".",
        "short": short,
        "number": c + 1,
        "active": bool(look.o.phase == Phase.COMPARED and look.o.last_result[c] == Result.TIE),
        "tags": tags,
        "sides": sides,
    }
    return Zone(f"column:{c}", "column", f"Column {c + 1}", pieces=tuple(pieces), facts=facts)


def _side(look: Look, p: int, c: int, tags: dict[str, str]) -> tuple[ColumnSide, list[Piece]]:
    """One player's side of a column, and its pieces; what cards and events add now goes into
    `tags`.
    """
    o, t = look.o, look.t
    total, result = o.total[p][c], _result_of(look, c)
    cards = _laid(look, look.at(p, c), p)
    beside = _laid(look, look.at(p, BESIDE + c), p)
    covered = _covered(look, p, c)
    for i in look.at(p, c):
        if more := bonus(t, o, p, o.field[p][i], o.ranks[p][c]):
            tags[f"card:{p}:{i}"] = _signed(more)
    for i in look.trapped(p, c):
        tags[f"card:{p}:{i}"] = "0"
    for i in look.at(p, BESIDE + c):
        card = o.field[p][i]
        worth = t.own_columns[card] or t.enemy_columns[card] or t.own_column[card]
        if worth or t.trap[card]:
            tags[f"card:{p}:{i}"] = _signed(worth) if worth else "0"
    side: ColumnSide = {
        "seat": p,
        "name": opening(look.seat(p)),
        "total": "" if total == NO_TOTAL else str(total),
        "sum": "" if total == NO_TOTAL else _sum(look, p, c),
        "leads": result == Result.A + p,
        "lost": o.phase == Phase.COMPARED and result in (Result.A + 1 - p, Result.DEADLOCK),
        "pieces": [x.id for x in cards],
        "covered": [x.id for x in covered],
        "beside": [x.id for x in beside],
    }
    return side, [*cards, *covered, *beside]


def _laid(look: Look, numbers: Sequence[int], p: int) -> list[Piece]:
    """Cards of the battlefield, face up."""
    return [_piece(look.r, look.o.field[p][i], f"card:{p}:{i}") for i in numbers]


def _covered(look: Look, p: int, c: int) -> list[Piece]:
    """H18, H23, H28: a reinforcement that does not fight yet. Its owner may look at it, and all if
    it was placed before a Spy; else the others know in which columns there are any only if that is
    everywhere.

    Its id is the one that it will have when it is turned up.
    """
    o, whole, is_open = look.o, look.o.sealed_size[p] == HAND, spied(look.o, p)
    if p != look.me and not is_open:
        id = f"card:{p}:{o.field_size[p] + c}"
        return [Piece(id, "A reinforcement, face down", "back")] if whole else []
    if not o.sealed[p][c]:
        return []
    id = f"card:{p}:{o.field_size[p] + sum(x > 0 for x in o.sealed[p][:c])}"
    piece = _piece(look.r, o.sealed[p][c] - 1, id)
    return [replace(piece, label=f"{piece.label}. It lies {'open' if is_open else 'face down'}")]


def _result_of(look: Look, c: int) -> int:
    """The Result of a column: as it was compared, or as it would be now."""
    o = look.o
    return int(o.last_result[c]) if o.phase == Phase.COMPARED else compare(o, c)


def _standing(look: Look, c: int) -> tuple[str, str]:
    """How a column stands, in a word and in a sentence; both empty without cards."""
    o, result = look.o, _result_of(look, c)
    done = o.phase == Phase.COMPARED
    if result == Result.NOBODY:
        return "", ""
    if result in (Result.TIE, Result.DEADLOCK):
        word = "tie" if result == Result.TIE else "deadlock"
        return word, f"a {word}"
    p = result - Result.A
    verb = ("win" if done else "lead") + ("" if p == look.me else "s")
    whole = f"{look.seat(p)} {verb}"
    if look.me is None:
        return whole, whole
    words = ("lost", "won") if done else ("behind", "ahead")
    return words[p == look.me], whole


def _sum(look: Look, p: int, c: int) -> str:
    """A total explained: "Sergeant 3 + Scout 1, Sergeant +1, Mara's Foul Weather −1"."""
    o, r = look.o, look.r
    cards = [o.field[p][i] for i in look.at(p, c)]
    more = Counter[str]()
    for card in cards:
        more[_name(r, card)] += bonus(look.t, o, p, card, o.ranks[p][c])
    for q in (p, 1 - p):
        for i in range(o.field_size[q]):
            if (k := o.place[q][i] - BESIDE) >= 0:
                card = o.field[q][i]
                name = _name(r, card) if q == p else f"{look.whose(q)} {_name(r, card)}"
                more[name] += from_beside(look.t, card, q == p, k == c)
    if caught := look.trapped(p, c):
        names = ", ".join(_name(r, o.field[p][i]) for i in caught)
        more[f"{names} trapped"] -= sum(look.t.value[o.field[p][i]] for i in caught)
    text = " + ".join(_worth(r, card) for card in cards)
    return ", ".join([text, *(f"{name} {_signed(n)}" for name, n in more.items() if n)])


def _unaimed(look: Look) -> Iterator[Zone]:
    """H26: the events that wait for a column, if there are any."""
    pieces, said = [], []
    for p in look.seats:
        pieces += (laid := _laid(look, look.at(p, UNAIMED), p))
        if laid:
            wait = (
                "has yet to be given a column" if len(laid) == 1 else "have yet to be given columns"
            )
            said.append(f"{look.whose(p)} {listed([x.name for x in laid])} {wait}.")
    if said:
        facts: LineFacts = {"text": " ".join(said)}
        yield Zone("beside", "line", "Beside the battlefield", None, tuple(pieces), facts)


def _last_battle(look: Look) -> Zone:
    """What became of the columns of the battle before."""
    pills: list[Pill] = [
        {"text": text, "lit": won} for c in range(COLUMNS) for text, won in [_fate(look, c)]
    ]
    number = look.o.battle if look.over else look.o.battle - 1
    facts: LineFacts = {"text": f"Battle {number}, final columns.", "pills": pills}
    return Zone("last", "line", "Last battle", facts=facts)


def _fate(look: Look, c: int) -> tuple[str, bool]:
    """A column of the last battle: who won it, and how; whether that was the viewer."""
    o, result = look.o, look.o.last_result[c]
    if result == Result.NOBODY:
        return f"Column {c + 1}: empty", False
    near, far = (o.last_total[p][c] for p in reversed(look.seats))
    how = "unopposed" if NO_TOTAL in (near, far) else f"{near} : {far}"
    if result == Result.DEADLOCK:
        return f"Column {c + 1}: {how}, a deadlock", False
    winner = result - Result.A
    then = ", then " if near == far else ", "
    return f"Column {c + 1}: {how}{then}{look.seat(winner)} won", winner == look.me


def _piles(look: Look, p: int) -> Iterator[Zone]:
    """Deck, Survivors and Graveyard of a player; what lies face up is open to all (H17)."""
    o, whose = look.o, look.whose(p)
    deck: PileFacts = {"count": o.deck_size[p], "short": "Deck", "face": "down", "notes": []}
    yield Zone(f"deck:{p}", "pile", f"{whose} deck", p, facts=deck)
    alive = Counter(o.survivors[p][: o.survivors_size[p]])
    dead = Counter({card: n for card, n in enumerate(o.graveyard[p]) if n})
    for id, label, found in (("alive", "Survivors", alive), ("dead", "Graveyard", dead)):
        contents = {_name(look.r, card): n for card, n in sorted(found.items())}
        facts: PileFacts = {
            "count": sum(found.values()),
            "short": label,
            "face": "up",
            "contents": contents,
            "notes": [],
        }
        top = o.survivors[p][o.survivors_size[p] - 1 : o.survivors_size[p]] if id == "alive" else ()
        pieces = tuple(_piece(look.r, card, f"{id}:{p}:top") for card in top)
        yield Zone(f"{id}:{p}", "pile", f"{whose} {label}", p, pieces, facts)


# ---- the question -------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    o = look.o
    if look.over:
        return _result(look)
    if not look.asks:
        return _in_the_midst(o)
    if o.to_act != look.me:
        return _waiting(look)
    if o.phase == Phase.CHOOSE_COLUMN:
        return f"{_aimed(look)}: for which column?"
    if o.phase == Phase.SWAP:
        return "Do you swap two of your columns?" + _warning(look)
    n, is_spied = o.hand_size[o.to_act], spied(o, o.to_act)
    how, why = ("face up", "There is a Spy. ") if is_spied else ("face down", "")
    if n == HAND:
        return f"{why}Place your three cards {how}, one in each column."
    what = f"your card {how} in a column"
    if n > 1:
        what = f"your two cards {how}, in different columns"
    return f"{why}Place {what}."


def _warning(look: Look) -> str:
    """What is certain to change the totals after a swap."""
    cards = {look.o.field[p][i] for p in range(SEATS) for i in range(look.o.field_size[p])}
    return " Assassins kill after that." if any(look.t.assassin[x] for x in cards) else ""


def _waiting(look: Look) -> str:
    """What somebody else is asked."""
    o, who = look.o, opening(look.seat(look.o.to_act))
    if o.phase == Phase.CHOOSE_COLUMN:
        return f"{who} chooses the column of {_aimed(look)}."
    if o.phase == Phase.SWAP:
        return f"{who} may swap two columns."
    how = "face up: there is a Spy" if spied(o, o.to_act) else "face down"
    return f"{who} places reinforcements, {how}."


def _aimed(look: Look) -> str:
    """The event whose column is asked for."""
    o, p = look.o, look.o.to_act
    return _name(look.r, o.field[p][first_unaimed(o, p)])


def _in_the_midst(o: Any) -> str:
    """What goes on while nobody is asked anything."""
    if o.phase == Phase.BATTLE:
        return f"Battle {o.battle}: both sides flip three cards, and any cards these add."
    if o.phase in (Phase.TURNED_UP, Phase.SWAP):
        return "The reinforcements are turned up, then any cards they add."
    tied = [c + 1 for c in range(COLUMNS) if o.last_result[c] == Result.TIE]
    if tied:
        return f"Column {tied[0]} is tied: both sides add a card."
    return "The columns are compared."


def _result(look: Look) -> str:
    """Who won, and why."""
    o = look.o
    if o.winner:
        p, q = o.winner - 1, 2 - o.winner
        if p == look.me:
            return f"You win: {look.seat(q)} has no cards left."
        has = "have" if q == look.me else "has"
        return f"{opening(look.seat(p))} wins: {look.seat(q)} {has} no cards left."
    if o.battle >= look.t.max_battles:
        return f"A draw: battle {o.battle} was the last."
    return "A draw: nobody has a card left."


# ---- choices ------------------------------------------------------------------------------------
def _choice(look: Look, action: int) -> Choice:
    """One legal action of the viewer, in words."""
    o = look.o
    word = look.r.game.notation.word(look.r, o, action)
    path = tuple(f"column:{int(x) - 1}" for x in word if x in "123")
    tone = "main"
    if o.phase == Phase.REINF:
        return _reinforcement(look, action, word)
    if o.phase == Phase.CHOOSE_COLUMN:
        label, sub = f"{_aimed(look)} to column {word}", _if_aimed(look, int(word) - 1)
    elif path:
        label, sub = f"Swap columns {word[0]} and {word[1]}", _if_swapped(look, word)
    else:
        label, sub, tone = "Swap nothing", _now(look), "quiet"
    return Choice(action, word, label, sub, path, tone, _rules_behind(look.r, action, o.phase))


@lru_cache(maxsize=CACHED)
def _rules_behind(r: Any, action: int, phase: int) -> tuple[str, ...]:
    """The ids of the rules that an action follows."""
    return rule_ids(r.game.build(False).move_of(action, phase).doc)


def _reinforcement(look: Look, action: int, word: str) -> Choice:
    """One way to place the hand, card by card, and the totals before anything else comes."""
    o, p, hand, columns = look.o, look.o.to_act, look.hand(), look.t.column[action]
    places = sorted((columns[i], i) for i in range(len(hand)))
    size, king = o.field_size[p], o.king[p]
    for c, i in places:
        put(look.t, o, p, hand[i], c)
    sub, totals = _now(look), o.total[p]
    then = {f"column:{c}": int(totals[c]) for c in range(COLUMNS) if totals[c] != NO_TOTAL}
    o.field_size[p], o.king[p] = size, king
    weigh(look.t, o)
    label = ", ".join(f"{_name(look.r, hand[i])} to {c + 1}" for c, i in places)
    path = tuple(id for c, i in places for id in (f"hand:{i}", f"column:{c}"))
    rules = _rules_behind(look.r, action, o.phase)
    return Choice(action, word, label, sub, path, "main", rules, then, any_order=True)


def _if_aimed(look: Look, c: int) -> str:
    """The totals with the event beside this column."""
    o, p = look.o, look.o.to_act
    i = first_unaimed(o, p)
    o.place[p, i] = BESIDE + c
    sub = _now(look)
    o.place[p, i] = UNAIMED
    weigh(look.t, o)
    return sub


def _if_swapped(look: Look, word: str) -> str:
    """The totals with these columns swapped, before the enemy swaps and Assassins kill."""
    a, b = (int(x) - 1 for x in word)
    exchange(look.o, look.o.to_act, a, b)
    sub = _now(look)
    exchange(look.o, look.o.to_act, a, b)
    weigh(look.t, look.o)
    return sub


def _now(look: Look) -> str:
    """The totals of what lies there now, the viewer's first: "now 12:6 8:7 9:8"."""
    o, p = look.o, look.o.to_act
    weigh(look.t, o)
    both = [(o.total[p][c], o.total[1 - p][c]) for c in range(COLUMNS)]
    return "now " + " ".join(":".join("-" if x == NO_TOTAL else str(x) for x in y) for y in both)


# ---- what is shown one after the other ----------------------------------------------------------
ALONE = (Event.BATTLE, Event.FLIPPED, Event.BESIDE, Event.CALLED, Event.ADDED, Event.KILLED)
TOGETHER = ((Event.TURNED_UP,), (Event.WON_COLUMN, Event.TIED, Event.DEADLOCKED))


def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """After each card that comes by itself; after all that is turned up, or compared, at once."""
    for i, (now, then) in enumerate(pairwise(events)):
        if now in ALONE or any(now in group and then not in group for group in TOGETHER):
            yield i


# ---- events -------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return _Saying(r, told, viewer, names).text()


class _Saying(Saying):
    """An event of Medieval in words."""

    def card(self) -> str:
        card = self.x["card"]
        return _name(self.r, card) if self.r.numbers.event[card] else _worth(self.r, card)

    def whose_card(self) -> str:
        return f"{opening(self.whose(self.p))} {self.card()}"

    def column(self) -> str:
        return f"column {self.x['column'] + 1}"

    def battle(self) -> str:
        return f"Battle {self.x['number']}."

    def flipped(self) -> str:
        return f"{self.does('turn')} up {self.card()} in {self.column()}."

    def called(self) -> str:
        return f"{self.does('also turn')} up {self.card()} in {self.column()}."

    def beside(self) -> str:
        if self.x["column"] == COLUMNS:
            return f"{self.does('turn')} up {self.card()}: its column is yet to be chosen."
        return f"{self.does('turn')} up {self.card()} beside {self.column()}."

    def aimed(self) -> str:
        return f"{self.does('put')} {self.card()} beside {self.column()}."

    def drew(self) -> str:  # told to the drawer alone, who sees the hand
        return ""

    def drew_up(self) -> str:
        return ""  # everybody always draws what they can

    def placed(self) -> str:
        return f"{self.does('place')} reinforcements, face down."

    def placed_openly(self) -> str:
        cards = enumerate((self.x["one"], self.x["two"], self.x["three"]), 1)
        placed = ", ".join(f"{_name(self.r, x - 1)} in column {c}" for c, x in cards if x)
        return f"{self.does('place')} cards face up, because of a Spy: {placed}."

    def swapped(self) -> str:
        return f"{self.does('swap')} columns {self.x['column'] + 1} and {self.x['other'] + 1}."

    def stayed(self) -> str:
        return f"{self.does('swap')} no columns."

    def killed(self) -> str:
        return f"{self.whose_card()} of {self.column()} is killed by an Assassin."

    def turned_up(self) -> str:
        return f"{self.does('turn')} up {self.card()} in {self.column()}."

    def won_column(self) -> str:
        if self.x["other"] == NO_TOTAL:
            return f"{opening(self.column())}: {self.does('win')}, unopposed."
        return (
            f"{opening(self.column())}: {self.does('win')}, {self.x['total']} : {self.x['other']}."
        )

    def tied(self) -> str:
        total = self.x["total"]
        return f"{opening(self.column())} is tied, {total} : {total}."

    def added(self) -> str:
        return f"{self.does('add')} {self.card()} to {self.column()}."

    def deadlocked(self) -> str:
        what = "all its cards survive" if self.r.numbers.both_survive else "all its cards die"
        return f"{opening(self.column())} is deadlocked, as nobody can add a card: {what}."

    def saved(self) -> str:
        return f"{self.whose_card()} dies for {self.column()}: its other cards survive."

    def reshuffled(self) -> str:
        n = self.x["cards"]
        return (
            f"{opening(self.whose(self.p))} Survivors are shuffled into a new deck of {cards(n)}."
        )

    def out(self) -> str:
        return f"{self.does('have', 'has')} no cards left."

    def won(self) -> str:
        return f"{self.does('win')}."

    def drawn(self) -> str:
        return "A draw."
