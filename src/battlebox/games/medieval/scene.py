"""Medieval as a person sees it: columns, piles and hand in zones, the question, events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

from ...core.codes import spread
from ...core.game import Ruleset
from ...core.perspective import Face, Perspective, Said
from ...core.saying import Saying, cards, listed, opening
from ...core.scene import Choice, Piece, Zone
from ...core.zones import ColumnFacts, ColumnSide, LineFacts, Pill, face_down, plaque
from . import rules
from .rules import BESIDE, COLUMNS, HAND, NO_TOTAL, SEATS, Event, Phase, Result, State, Table


def signed(n: int) -> str:
    """ "+1", "−1"."""
    return f"+{n}" if n > 0 else f"\N{MINUS SIGN}{-n}"


class Look(Perspective[State, Table]):
    """The table as one viewer sees it."""

    families: ClassVar[Mapping[str, tuple[str, str]]] = {
        "fighter": ("Fighters", "They count as much as they show, in their column."),
        "character": ("Characters", "They count as fighters do, and do what they say."),
        "event": (
            "Events",
            "A flipped event lies beside the battlefield for this battle, and another card takes "
            "its place. As a reinforcement it does nothing and counts 0.",
        ),
    }

    def __init__(self, r: Ruleset, o: State, names: Sequence[str]) -> None:
        super().__init__(r, o, names)
        #: the cards of a player at a place of the battlefield, by their numbers, bottom first
        self.at: tuple[list[list[int]], ...] = tuple(
            [[] for _ in range(rules.UNAIMED + 1)] for _ in range(SEATS)
        )
        #: a player's events, by their numbers, each with the column that it lies beside
        self.events: tuple[list[tuple[int, int]], ...] = tuple([] for _ in range(SEATS))
        for p in range(SEATS):
            for i, place in enumerate(o.place[p][: o.field_size[p]]):
                self.at[p][place].append(i)
                if place >= BESIDE:
                    self.events[p].append((i, place - BESIDE))
        wait = {Phase.CHOOSE_COLUMN: o.aims, Phase.REINF: o.hand_size, Phase.SWAP: o.swaps}
        if self.phase not in wait or not wait[self.phase][o.to_act]:
            self.asked = None  # the end, or an intermediate view
        rules.weigh(self.t, o)
        self.done = o.phase == Phase.COMPARED  # the columns have been compared
        #: the seats as they are drawn: the viewer's own last
        self.sides = (1, 0) if self.me == 0 else (0, 1)
        #: the kinds in the viewer's hand
        self.held = [] if self.me is None else [x - 1 for x in o.hand[self.me] if x]

    @staticmethod
    def face(r: Ruleset, card: int) -> Face:
        t, entry = r.numbers, r.names.cards[card]
        its = "the column that you choose" if t.aim[card] else "the column it is flipped for"
        where = "in the column that you choose" if t.aim[card] else "facing it"
        adds = (
            (t.own_columns, "to each of your columns"),
            (t.enemy_columns, "to each enemy column"),
            (t.own_column, f"to {its}"),
            (t.column_bonus, "for each other fighter or character in its column"),
            (t.king_bonus, "if your King is, or was, on the battlefield"),
        )
        does = (
            (t.trap, f"the highest enemy card {where} counts 0"),
            (t.swap, "you may swap two of your columns when all cards are turned up"),
            (t.spy, "the enemy places first, face up"),
            (t.assassin, "kills the highest fighter facing it"),
            (t.savior, "if its column is lost, it alone dies"),
            (t.another, "adds the next card of your deck"),
            (t.event, "counts only when flipped"),
        )
        parts = [f"{signed(n[card])} {what}" for n, what in adds if n[card]]
        parts += [what for has, what in does if has[card]]
        value = "" if entry.kind == "event" else str(entry.value)
        return Face(", ".join(parts), value, entry.kind, f"{entry.name} {value}".strip())

    def trapped(self, p: int, c: int) -> list[int]:
        """ME-67: the cards of a side of a column that count 0, by their numbers."""
        if not self.o.traps[p][c]:
            return []
        return [i for i in self.at[p][c] if rules.is_trapped(self.t, self.o, p, i)]

    # ---- zones ----------------------------------------------------------------------------------
    def title(self) -> str:
        return "The end" if self.over else f"Battle {self.o.battle}"

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        for p in range(SEATS):
            yield self.plaque(p)
        for c in range(COLUMNS):
            yield self.column(c)
        yield from self.unaimed()
        if self.o.fought and not self.done:
            yield self.last_battle()
        for p in self.sides:
            yield from self.piles(p)
        if self.me is not None:
            hand = tuple(self.card(card, f"hand:{i}") for i, card in enumerate(self.held))
            yield Zone("hand", "fan", "Your hand", self.me, hand, role="hand")

    def plaque(self, p: int) -> Zone:
        """A seat: how many cards it has left, and what is up with it."""
        o = self.o
        placed = "has placed face up" if rules.spied(o, p) else "has placed"
        spying = o.phase == Phase.REINF and rules.spied(o, p) and o.hand_size[p]
        dead, all = sum(o.graveyard[p]), sum(o.stock[p])
        return plaque(
            p,
            self.label(p),
            points=all - dead,
            points_of=all,
            points_name="cards",
            hand=o.hand_size[p],
            acting=self.asked == p,
            out=self.over and all == dead,
            you=p == self.me,
            chips=(
                "winner" if self.over and o.winner == 1 + p else "",
                placed if o.sealed_size[p] else "spied on" if spying else "",
            ),
        )

    def column(self, c: int) -> Zone:
        """A column: both sides with their totals and how they are made up, and who leads."""
        pieces: list[Piece] = []
        sides: list[ColumnSide] = []
        tags: dict[str, str] = {}
        for p in self.sides:
            side, found = self.side(p, c, tags)
            pieces += found
            sides.append(side)
        short, whole = self.standing(c)
        other, own = sides
        said = [f"{own['total'] or '-'} : {other['total'] or '-'}, {whole}" if whole else "Empty"]
        said += [f"{x['name']}: {x['sum']}" for x in (own, other) if x["sum"]]
        beside = {id: x["name"] for x in (own, other) for id in x["beside"]}
        said += [f"Beside it, {beside[x.id]}: {x.name}" for x in pieces if x.id in beside]
        said += [f"Face down: {x.name}" for x in pieces if x.id in own["covered"] and x.name]
        facts: ColumnFacts = {
            "text": ". ".join(said) + ".",
            "short": short,
            "number": c + 1,
            "active": self.done and self.result_of(c) == Result.TIE,
            "tags": tags,
            "sides": sides,
        }
        return Zone(f"column:{c}", "column", f"Column {c + 1}", pieces=tuple(pieces), facts=facts)

    def side(self, p: int, c: int, tags: dict[str, str]) -> tuple[ColumnSide, list[Piece]]:
        """One player's side of a column, and its pieces; what cards and events add now goes into
        `tags`.
        """
        o, t, total, result = self.o, self.t, self.o.total[p][c], self.result_of(c)
        laid, beside = self.laid(p, self.at[p][c]), self.laid(p, self.at[p][BESIDE + c])
        covered = self.covered(p, c)
        field, ranks = o.field[p], o.ranks[p][c]
        for i in self.at[p][c]:
            if more := rules.bonus(t, o, p, field[i], ranks):
                tags[f"card:{p}:{i}"] = signed(more)
        tags |= {f"card:{p}:{i}": "0" for i in self.trapped(p, c)}
        for i in self.at[p][BESIDE + c]:
            card = field[i]
            worth = t.own_columns[card] or t.enemy_columns[card] or t.own_column[card]
            if worth or t.trap[card]:
                tags[f"card:{p}:{i}"] = signed(worth) if worth else "0"
        side: ColumnSide = {
            "seat": p,
            "name": opening(self.seat(p)),
            "total": "" if total == NO_TOTAL else str(total),
            "sum": "" if total == NO_TOTAL else self.sum(p, c),
            "leads": result == Result.A + p,
            "lost": self.done and result in (Result.A + 1 - p, Result.DEADLOCK),
            "pieces": [x.id for x in laid],
            "covered": [x.id for x in covered],
            "beside": [x.id for x in beside],
        }
        return side, [*laid, *covered, *beside]

    def laid(self, p: int, numbers: Sequence[int]) -> list[Piece]:
        """Cards of the battlefield, face up."""
        field = self.o.field[p]
        return [self.card(field[i], f"card:{p}:{i}") for i in numbers]

    def covered(self, p: int, c: int) -> list[Piece]:
        """H18, H23, H28: a reinforcement that does not fight yet. Its owner may look at it, and all
        if it was placed before a Spy; else the others know in which columns there are any only if
        that is everywhere.

        Its id is the one that it will have when it is turned up.
        """
        o, is_open = self.o, rules.spied(self.o, p)
        if p != self.me and not is_open:
            piece = Piece(f"card:{p}:{o.field_size[p] + c}", "A reinforcement, face down", "back")
            return [piece] if o.sealed_size[p] == HAND else []
        if not o.sealed[p][c]:
            return []
        before = sum(x > 0 for x in o.sealed[p][:c])
        piece = self.card(o.sealed[p][c] - 1, f"card:{p}:{o.field_size[p] + before}")
        lies = "open" if is_open else "face down"
        return [replace(piece, label=f"{piece.label}. It lies {lies}")]

    def result_of(self, c: int) -> int:
        """The Result of a column: as it was compared, or as it would be now."""
        return self.o.last_result[c] if self.done else rules.compare(self.o, c)

    def standing(self, c: int) -> tuple[str, str]:
        """How a column stands, in a word and in a sentence; both empty without cards."""
        result = self.result_of(c)
        if result == Result.NOBODY:
            return "", ""
        if result in (Result.TIE, Result.DEADLOCK):
            word = Result(result).name.lower()
            return word, f"a {word}"
        p = result - Result.A
        verb = ("win" if self.done else "lead") + ("" if p == self.me else "s")
        whole = f"{self.seat(p)} {verb}"
        if self.me is None:
            return whole, whole
        words = ("lost", "won") if self.done else ("behind", "ahead")
        return words[p == self.me], whole

    def sum(self, p: int, c: int) -> str:
        """A total explained: "Sergeant 3 + Scout 1, Sergeant +1, Mara's Foul Weather −1"."""
        o, t = self.o, self.t
        more: dict[str, int] = {}
        field, ranks = o.field[p], o.ranks[p][c]
        there = [field[i] for i in self.at[p][c]]
        for card in there:
            name = self.name(card)
            more[name] = more.get(name, 0) + rules.bonus(t, o, p, card, ranks)
        for q in (p, 1 - p):
            for i, k in self.events[q]:
                card = o.field[q][i]
                name = self.name(card) if q == p else self.owned(q, self.name(card))
                more[name] = more.get(name, 0) + rules.from_beside(t, card, q == p, k == c)
        if caught := self.trapped(p, c):
            names = ", ".join(self.name(field[i]) for i in caught)
            more[f"{names} trapped"] = -sum(t.value[field[i]] for i in caught)
        text = " + ".join(f"{self.name(card)} {t.value[card]}" for card in there)
        return ", ".join([text, *(f"{name} {signed(n)}" for name, n in more.items() if n)])

    def unaimed(self) -> Iterator[Zone]:
        """H26: the events that wait for a column, if there are any."""
        pieces: list[Piece] = []
        said: list[str] = []
        for p in self.sides:
            if laid := self.laid(p, self.at[p][rules.UNAIMED]):
                one = len(laid) == 1
                wait = (
                    f"{'has' if one else 'have'} yet to be given {'a column' if one else 'columns'}"
                )
                said.append(f"{self.owned(p, listed([x.name for x in laid]))} {wait}.")
                pieces += laid
        if said:
            facts = LineFacts(text=" ".join(said))
            yield Zone("beside", "line", "Beside the battlefield", None, tuple(pieces), facts)

    def last_battle(self) -> Zone:
        """What became of the columns of the battle before."""
        number = self.o.battle if self.over else self.o.battle - 1
        pills = [self.fate(c) for c in range(COLUMNS)]
        facts = LineFacts(text=f"Battle {number}, final columns.", pills=pills)
        return Zone("last", "line", "Last battle", facts=facts)

    def fate(self, c: int) -> Pill:
        """A column of the last battle: who won it, and how; lit if that was the viewer."""
        o, result, column = self.o, self.o.last_result[c], f"Column {c + 1}"
        if result == Result.NOBODY:
            return {"text": f"{column}: empty", "lit": False}
        near, far = (o.last_total[p][c] for p in reversed(self.sides))
        how = "unopposed" if NO_TOTAL in (near, far) else f"{near} : {far}"
        if result == Result.DEADLOCK:
            return {"text": f"{column}: {how}, a deadlock", "lit": False}
        winner = result - Result.A
        then = ", then " if near == far else ", "
        text = f"{column}: {how}{then}{self.seat(winner)} won"
        return {"text": text, "lit": winner == self.me}

    def piles(self, p: int) -> Iterator[Zone]:
        """Deck, Survivors and Graveyard of a player; what lies face up is open to all (H17)."""
        o, deck = self.o, self.owned(p, "deck")
        yield face_down(f"deck:{p}", deck, o.deck_size[p], p, short="Deck")
        alive, dead = o.survivors[p][: o.survivors_size[p]], spread(o.graveyard[p])
        for id, label, found in (("alive", "Survivors", alive), ("dead", "Graveyard", dead)):
            whose = self.owned(p, label)
            yield self.open_pile(f"{id}:{p}", whose, found, p, short=label, top=found is alive)

    # ---- the question ---------------------------------------------------------------------------
    def question(self, actions: Sequence[int]) -> str:
        o = self.o
        if o.phase == Phase.CHOOSE_COLUMN:
            return f"{self.aimed()}: for which column?"
        if o.phase == Phase.SWAP:
            there = {o.field[p][i] for p in range(SEATS) for i in range(o.field_size[p])}
            warning = (
                " Assassins kill after that." if any(self.t.assassin[x] for x in there) else ""
            )
            return f"Do you swap two of your columns?{warning}"
        n, is_spied = o.hand_size[o.to_act], rules.spied(o, o.to_act)
        how, why = ("face up", "There is a Spy. ") if is_spied else ("face down", "")
        if n == HAND:
            return f"{why}Place your three cards {how}, one in each column."
        one, two = f"your card {how} in a column", f"your two cards {how}, in different columns"
        return f"{why}Place {two if n > 1 else one}."

    def waiting(self) -> str:
        o, who = self.o, opening(self.seat(self.o.to_act))
        if self.asked is None:
            return self.news()
        if o.phase == Phase.CHOOSE_COLUMN:
            return f"{who} chooses the column of {self.aimed()}."
        if o.phase == Phase.SWAP:
            return f"{who} may swap two columns."
        how = "face up: there is a Spy" if rules.spied(o, o.to_act) else "face down"
        return f"{who} places reinforcements, {how}."

    def news(self) -> str:
        """What goes on while nobody is asked anything."""
        o = self.o
        if o.phase == Phase.BATTLE:
            return f"Battle {o.battle}: both sides flip three cards, and any cards these add."
        if o.phase in (Phase.TURNED_UP, Phase.SWAP):
            return "The reinforcements are turned up, then any cards they add."
        if tied := [c + 1 for c in range(COLUMNS) if o.last_result[c] == Result.TIE]:
            return f"Column {tied[0]} is tied: both sides add a card."
        return "The columns are compared."

    def aimed(self) -> str:
        """The event whose column is asked for."""
        o, p = self.o, self.o.to_act
        return self.name(o.field[p][rules.first_unaimed(o, p)])

    def result(self) -> str:
        o = self.o
        if o.winner:
            p, q = o.winner - 1, 2 - o.winner
            has = "have" if q == self.me else "has"
            return f"{self.does(p, 'win')}: {self.seat(q)} {has} no cards left."
        last, left = f"battle {o.battle} was the last", "nobody has a card left"
        return f"A draw: {last if o.battle >= self.t.max_battles else left}."

    # ---- choices --------------------------------------------------------------------------------
    def choices(self, actions: Sequence[int]) -> Iterator[Choice]:
        """Each is tried out and taken back again; what lies there is weighed once, after all."""
        yield from super().choices(actions)
        if actions:
            rules.weigh(self.t, self.o)

    def do_reinforce(self, order: int) -> Said:
        """Card by card, and the totals before anything else comes."""
        o, p, columns = self.o, self.o.to_act, self.t.column[order]
        places = sorted((columns[i], i) for i in range(len(self.held)))
        size, king = o.field_size[p], o.king[p]
        for c, i in places:
            rules.put(self.t, o, p, self.held[i], c)
        sub, totals = self.now(), o.total[p]
        then = {f"column:{c}": totals[c] for c in range(COLUMNS) if totals[c] != NO_TOTAL}
        o.field_size[p], o.king[p] = size, king
        label = ", ".join(f"{self.name(self.held[i])} to {c + 1}" for c, i in places)
        path = tuple(id for c, i in places for id in (f"hand:{i}", f"column:{c}"))
        return Said(label, sub, path, "main", then, True)

    def do_aim(self, column: int) -> Said:
        """The totals with the event beside this column."""
        o, p, label = self.o, self.o.to_act, f"{self.aimed()} to column {column + 1}"
        i = rules.first_unaimed(o, p)
        o.place[p, i] = BESIDE + column
        sub = self.now()
        o.place[p, i] = rules.UNAIMED
        return Said(label, sub, (f"column:{column}",), "main")

    def do_swap(self, pair: int) -> Said:
        """The totals with these columns swapped, before the enemy swaps and Assassins kill."""
        a, b = self.t.pair[pair]
        rules.exchange(self.o, self.o.to_act, a, b)
        sub = self.now()
        rules.exchange(self.o, self.o.to_act, a, b)
        path = (f"column:{a}", f"column:{b}")
        return Said(f"Swap columns {a + 1} and {b + 1}", sub, path, "main")

    def do_stay(self) -> Said:
        return Said("Swap nothing", self.now(), tone="quiet")

    def now(self) -> str:
        """The totals of what lies there now, the viewer's first: "now 12:6 8:7 9:8"."""
        o, p = self.o, self.o.to_act
        rules.weigh(self.t, o)
        both = [(o.total[p][c], o.total[1 - p][c]) for c in range(COLUMNS)]
        texts = (":".join("-" if x == NO_TOTAL else str(x) for x in pair) for pair in both)
        return f"now {' '.join(texts)}"


# ---- what is shown one after the other ----------------------------------------------------------
ALONE = (Event.BATTLE, Event.FLIPPED, Event.BESIDE, Event.CALLED, Event.ADDED, Event.KILLED)
TOGETHER = ((Event.TURNED_UP,), (Event.WON_COLUMN, Event.TIED, Event.DEADLOCKED))


def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """After each card that comes by itself; after all that is turned up, or compared, at once."""
    for i, (now, then) in enumerate(pairwise(events)):
        if now in ALONE or any(now in group and then not in group for group in TOGETHER):
            yield i


# ---- events -------------------------------------------------------------------------------------
class Says(Saying):
    """An event of Medieval in words."""

    def card(self) -> str:
        """A card with its value; an event has none."""
        card, t = self.x["card"], self.r.numbers
        return self.name(card) if t.event[card] else f"{self.name(card)} {t.value[card]}"

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

    drew = Saying.unsaid  # told to the drawer alone, who sees the hand
    drew_up = Saying.unsaid  # everybody always draws what they can

    def placed(self) -> str:
        return f"{self.does('place')} reinforcements, face down."

    def placed_openly(self) -> str:
        cards = enumerate((self.x["one"], self.x["two"], self.x["three"]), 1)
        placed = ", ".join(f"{self.name(x - 1)} in column {c}" for c, x in cards if x)
        return f"{self.does('place')} cards face up, because of a Spy: {placed}."

    def swapped(self) -> str:
        return f"{self.does('swap')} columns {self.x['column'] + 1} and {self.x['other'] + 1}."

    def stayed(self) -> str:
        return f"{self.does('swap')} no columns."

    def killed(self) -> str:
        return f"{self.owned(self.card())} of {self.column()} is killed by an Assassin."

    def turned_up(self) -> str:
        return f"{self.does('turn')} up {self.card()} in {self.column()}."

    def won_column(self) -> str:
        if self.x["other"] == NO_TOTAL:
            return f"{opening(self.column())}: {self.does('win')}, unopposed."
        score = f"{self.x['total']} : {self.x['other']}"
        return f"{opening(self.column())}: {self.does('win')}, {score}."

    def tied(self) -> str:
        total = self.x["total"]
        return f"{opening(self.column())} is tied, {total} : {total}."

    def added(self) -> str:
        return f"{self.does('add')} {self.card()} to {self.column()}."

    def deadlocked(self) -> str:
        what = "all its cards survive" if self.r.numbers.both_survive else "all its cards die"
        return f"{opening(self.column())} is deadlocked, as nobody can add a card: {what}."

    def saved(self) -> str:
        return f"{self.owned(self.card())} dies for {self.column()}: its other cards survive."

    def reshuffled(self) -> str:
        many = cards(self.x["cards"])
        return f"{self.owned('Survivors')} are shuffled into a new deck of {many}."

    def out(self) -> str:
        return f"{self.does('have', 'has')} no cards left."

    def won(self) -> str:
        return f"{self.does('win')}."

    def drawn(self) -> str:
        return "A draw."
