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
    UNAIMED,
    Phase,
    Result,
    exchange,
    first_unaimed,
    put,
    spied,
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
        parts.append("the enemy places first, and openly")
    if t.assassin[card]:
        parts.append("kills the highest fighter facing it")
    if t.savior[card]:
        parts.append("if its column is lost, it alone dies")
    if t.another[card]:
        parts.append("play another card")
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
    for p in look.seats:
        if look.o.sealed_size[p] and (p == look.me or spied(look.o, p)):
            yield _sealed(look, p)
    if look.me is not None:
        hand = [_piece(look.r, card, f"hand:{i}") for i, card in enumerate(look.hand())]
        yield Zone("hand", "fan", "Your hand", look.me, tuple(hand), {"count": len(hand)})


def _plaque(look: Look, p: int) -> Zone:
    """A seat: how many cards it has left, and what is up with it, in `chips`."""
    o = look.o
    chips = []
    if look.over and o.winner == 1 + p:
        chips.append("winner")
    if o.sealed_size[p]:
        chips.append("has placed openly" if spied(o, p) else "has placed")
    elif o.phase == Phase.REINF and spied(o, p) and o.hand_size[p]:
        chips.append("spied on")
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
    if c == UNAIMED - BESIDE:
        return f"{text}(its column is yet to be chosen)"
    if t.swap[card]:
        return f"{text}(two columns may be swapped)"
    if t.spy[card]:
        cancel = min(look.o.spies) > 0
        what = "Spies on both sides cancel" if cancel else "the other side places first, and openly"
        return f"{text}({what})"
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


def _sealed(look: Look, p: int) -> Zone:
    """H18, H28: cards placed at the columns: the viewer's own, or those that lie open."""
    placed = [(c, x - 1) for c, x in enumerate(look.o.sealed[p]) if x]
    text = ", ".join(f"{_name(look.r, card)} at column {c + 1}" for c, card in placed)
    pieces = tuple(_piece(look.r, card, f"sealed:{c}") for c, card in placed)
    how = "open" if spied(look.o, p) else "face down"
    label = f"{look.whose(p)} reinforcements, {how}"
    return Zone("sealed", "line", label, p, pieces, {"text": text})


# ---- the question -------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    o = look.o
    if look.over:
        return _result(look)
    if o.to_act != look.me:
        return _waiting(look)
    if o.phase == Phase.CHOOSE_COLUMN:
        return f"{_aimed(look)}: for which column?"
    if o.phase == Phase.SWAP:
        return "Do you swap two of your columns?" + _warning(look)
    n, is_spied = o.hand_size[o.to_act], spied(o, o.to_act)
    how, why = ("openly", ": there is a Spy") if is_spied else ("face down", "")
    if n == HAND:
        return f"Place your three cards {how}, one at each column{why}."
    what = f"your card {how} at a column" if n == 1 else "your two cards at different columns"
    return f"Place {what}{why}."


def _warning(look: Look) -> str:
    """What is certain to change the totals after a swap."""
    cards = {look.o.field[p][i] for p in range(SEATS) for i in range(look.o.field_size[p])}
    return " Assassins kill after that." if any(look.t.assassin[x] for x in cards) else ""


def _waiting(look: Look) -> str:
    """What somebody else is asked."""
    o, who = look.o, _opening(look.seat(look.o.to_act))
    if o.phase == Phase.CHOOSE_COLUMN:
        return f"{who} chooses the column of {_aimed(look)}."
    if o.phase == Phase.SWAP:
        return f"{who} may swap two columns."
    how = "openly: there is a Spy" if spied(o, o.to_act) else "face down"
    return f"{who} places reinforcements, {how}."


def _aimed(look: Look) -> str:
    """The event whose column is asked for."""
    o, p = look.o, look.o.to_act
    return _name(look.r, o.field[p][first_unaimed(o, p)])


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
    """One legal action of the viewer, in words."""
    o = look.o
    word = look.r.game.notation.word(look.r, o, action)
    path = tuple(f"column:{o.to_act}:{int(x) - 1}" for x in word if x in "123")
    tone = "main"
    if o.phase == Phase.REINF:
        label, sub, path = _reinforcement(look, look.t.column[action])
    elif o.phase == Phase.CHOOSE_COLUMN:
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


def _reinforcement(look: Look, columns: Sequence[int]) -> tuple[str, str, tuple[str, ...]]:
    """One way to place the hand: label, what it leads to before anything else comes, and path; a
    full hand is placed by tapping its cards, column by column.
    """
    o, p, hand = look.o, look.o.to_act, look.hand()
    places = sorted((columns[i], i) for i in range(len(hand)))
    size, king = o.field_size[p], o.king[p]
    for c, i in places:
        put(look.t, o, p, hand[i], c)
    sub = _now(look)
    o.field_size[p], o.king[p] = size, king
    weigh(look.t, o)
    label = ", ".join(f"{_name(look.r, hand[i])} to {c + 1}" for c, i in places)
    return label, sub, tuple(f"hand:{i}" for _, i in places) if len(hand) == HAND else ()


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
        if self.x["column"] == COLUMNS:
            return f"{self.does('flip')} {self.card()}: its column is yet to be chosen."
        return f"{self.does('flip')} {self.card()}: beside {self.column()}."

    def aimed(self) -> str:
        return f"{self.does('put')} {self.card()} beside {self.column()}."

    def drew(self) -> str:  # told to the drawer alone, who sees his hand
        return ""

    def drew_up(self) -> str:
        return ""  # everybody always draws what he can

    def placed(self) -> str:
        return f"{self.does('place')} reinforcements, face down."

    def placed_openly(self) -> str:
        cards = enumerate((self.x["one"], self.x["two"], self.x["three"]), 1)
        placed = ", ".join(f"{_name(self.r, x - 1)} at column {c}" for c, x in cards if x)
        return f"{self.does('place')} openly, before a Spy: {placed}."

    def swapped(self) -> str:
        return f"{self.does('swap')} columns {self.x['column'] + 1} and {self.x['other'] + 1}."

    def stayed(self) -> str:
        return f"{self.does('swap')} no columns."

    def killed(self) -> str:
        return f"{self.whose()} {self.card()} of {self.column()} is killed by an Assassin."

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

    def saved(self) -> str:
        return f"{self.whose()} {self.card()} dies for {self.column()}: its other cards survive."

    def reshuffled(self) -> str:
        n = self.x["cards"]
        return f"{self.whose()} Survivors are shuffled: a new deck of {_cards(n)}."

    def out(self) -> str:
        return f"{self.who()} {'have' if self.p == self.viewer else 'has'} no cards left."

    def won(self) -> str:
        return f"{self.does('win')}."

    def drawn(self) -> str:
        return "A draw."
