"""Iron Man Game of War as a person sees it: two tracks, three battles, the hand; events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any, ClassVar

from ...core.codes import spread
from ...core.game import Ruleset
from ...core.perspective import Face, Perspective, Said
from ...core.saying import Saying, cards, opening, plural
from ...core.scene import Piece, Refusal, Zone
from ...core.zones import CACHED, DuelFacts, Side, face_down, plaque
from . import rules
from .rules import BATTLES, NOBODY, SEATS, Effect, Event, Phase, State, Table

HEROES = ("Iron Man", "War Machine")
NEXT = (Event.TURNED, Event.MOVED, Event.STAYED)  # what comes after a battle
LONGEST_TRACK = 9  # a longer one is drawn as a number only
WAITING = {
    Phase.PLACE: "places cards for the three battles",
    Phase.RESPOND: "is behind in battle {} and must play a card or concede it",
    Phase.STAND: "chooses a card in the standoff",
    Phase.FORCED: "must play a card in the standoff",
    Phase.TARGET: "chooses which card is discarded",
    Phase.SALVAGE: "takes a power card from the discard pile",
}


def lines_of(b: int, *lines: Sequence[int]) -> Any:
    """These lines as the only cards of a battle, to be added up by the rules."""
    cells = {(SEATS * b + p, i): card for p in range(SEATS) for i, card in enumerate(lines[p])}
    sizes = {SEATS * b + p: len(lines[p]) for p in range(SEATS)}
    return SimpleNamespace(battle=b + 1, line=cells, line_size=sizes)


def place(b: int, p: int, i: int) -> str:
    """The id of a place in a line. A card that lies there face down keeps it when it is turned."""
    return f"line:{b}:{p}:{i}"


@lru_cache(maxsize=CACHED)
def counting(r: Ruleset, card: int, id: str, n: str) -> Piece:
    """A card that counts so much in its battle."""
    piece = Look.draw_card(r, card, id)
    if n in ("×2", piece.value or "0"):
        return replace(piece, value=n)
    text = f"{piece.text}; here it counts {n}"
    return replace(piece, value=n, text=text, label=f"{piece.name}: {text}")


class Look(Perspective[State, Table]):
    """The table as one viewer sees it."""

    families: ClassVar[Mapping[str, tuple[str, str]]] = {
        "power": ("Power cards", "They count as much as they show."),
        "special": (
            "Special cards",
            "They do what they say. Shown together, two cancel each other.",
        ),
    }

    def __init__(self, r: Ruleset, o: State, names: Sequence[str]) -> None:
        super().__init__(r, o, names)
        between = not o.battle and o.phase not in (Phase.PLACE, Phase.OVER)
        #: in the midst of an action: nobody is asked
        self.passing = between or o.phase in (Phase.DEAL, Phase.FLIP, Phase.COMPARE)
        self.asked = None if self.passing else self.asked

    @staticmethod
    def face(r: Ruleset, card: int) -> Face:
        c, which = r.numbers.card[card], "" if r.numbers.double_all else " played before it"
        texts = {
            Effect.NONE: f"counts {c.value}",
            Effect.SHIELD: "discard one of the opponent's cards in this battle",
            Effect.DOUBLE: f"doubles the total of your cards in this battle{which}, once only",
            Effect.COUNT: f"counts {c.amount} for each other card of yours in this battle",
            Effect.DRAIN: f"each opposing power card in this battle counts {c.amount} less",
            Effect.DRAW: f"draw {cards(c.amount)}",
            Effect.SALVAGE: "take a power card from your discard pile",
            Effect.JAM: "the opponent discards a random card from their hand",
        }
        printed = str(c.value) if c.power or c.value else ""
        return Face(texts[c.effect], printed, "power" if c.power else "special")

    def copies(self) -> Sequence[int]:
        """IM-6: the beginner game has no special cards."""
        return [*self.t.copies]

    def line(self, b: int, p: int) -> list[int]:
        """The cards of a side in a battle, 0 .. 2."""
        at = SEATS * b + p
        return self.o.line[at][: self.o.line_size[at]]

    @cached_property
    def lines(self) -> list[Any]:
        """Both sides of each battle, to be added up by the rules."""
        return [lines_of(b, self.line(b, 0), self.line(b, 1)) for b in range(BATTLES)]

    @cached_property
    def totals(self) -> list[tuple[int, int]]:
        """What both sides of each battle count."""
        return [(rules.total(self.t, x, 0), rules.total(self.t, x, 1)) for x in self.lines]

    @cached_property
    def leader(self) -> int:
        """Who leads the present battle, or NOBODY."""
        return rules.ahead_with(self.o, *self.totals[self.o.battle - 1])

    def is_covered(self, b: int) -> bool:
        """A card lies face down for this battle."""
        return any(self.o.covered[p, b] for p in range(SEATS))

    # ---- zones ----------------------------------------------------------------------------------
    def title(self) -> str:
        return "The end" if self.over else f"Round {self.o.round}"

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        o = self.o
        for p in range(SEATS):
            yield self.plaque(p)
        for p in range(SEATS):
            yield face_down(f"deck:{p}", self.owned(p, "deck"), o.deck_size[p], p)
            n = o.buried_size[p]  # H14: all see what is in a discard pile, but for these
            yield self.open_pile(
                *(f"discard:{p}", self.owned(p, "discard pile"), spread(o.discard[p]), p),
                top=False,
                covered=n,
                notes=(f"{cards(n)} face down",) if n else (),
            )
        for b in range(BATTLES):
            yield self.battle(b)
        if self.me is not None:
            yield self.hand(o.hands[self.me])

    def plaque(self, p: int) -> Zone:
        """A seat: its hero, its pawn on the track, its hand, who leads the battle."""
        o, t = self.o, self.t
        chips: list[str] = []
        if self.over:
            chips.append("winner" if o.pawn[p] > o.pawn[1 - p] else "")
        elif o.battle:
            ahead = self.leader
            chips.append("" if ahead == NOBODY else "leads" if ahead == p else "behind")
            chips.append("has chosen" if o.phase == Phase.STAND and p < o.to_act else "")
        elif o.phase == Phase.PLACE and p < o.to_act:
            chips.append("has placed")
        stations = {"stations": tuple(range(min(1, t.start), t.track + 1))}
        return plaque(
            p,
            f"{HEROES[p]}, {self.label(p)}",
            points=o.pawn[p],
            points_of=t.track,
            points_name=f"of {t.track} victory cards",
            hand=o.hand_size[p],
            team=HEROES[p],
            acting=self.asked == p,
            you=p == self.me,
            out=False,
            chips=tuple(chips),
            **(stations if t.track <= LONGEST_TRACK else {}),
        )

    def battle(self, b: int) -> Zone:
        """A battle: both lines with their totals, or the cards face down; the own side last.

        While a new round's cards are placed, those of the last one lie there until others cover
        them.
        """
        o = self.o
        past = not o.battle and o.result[b] > 0 and not self.is_covered(b)
        fought, last = o.battle > b or past, past and o.phase == Phase.PLACE
        top, bottom = (1, 0) if self.me != 1 else (0, 1)
        laid = {p: (self.laid if fought else self.face_down)(b, p) for p in (top, bottom)}
        totals, ahead = ("", ""), NOBODY
        notes: list[str] = []
        if fought:
            ahead = o.result[b] - 1 if o.result[b] else self.leader
            first, second = self.totals[b]
            totals = (str(first), str(second))
            short = self.outcome(b) if o.result[b] else self.leads(b, ahead)
            text = f"{'last round ' if last else ''}{short}, {self.own_first(b)}."
            notes = [self.sum(b, p) for p in (bottom, top)]
        else:
            mine = o.slots[self.me, b] if self.me is not None else 0
            short = "face down" if self.is_covered(b) else "no card yet"
            text = f"your {self.name(mine - 1)} lies face down." if mine else f"{short}."
        facts: DuelFacts = {
            "text": text,
            "short": short,
            "notes": notes,
            "active": o.battle == b + 1 and not self.over,
            "next": o.phase == Phase.PLACE and o.to_act == self.me and o.slot == b,
            "last": last,
            "sides": [
                Side(seat=p, total=totals[p], leads=ahead == p, pieces=[x.id for x in laid[p]])
                for p in (top, bottom)
            ],
        }
        if facts["active"] and o.phase == Phase.STAND and o.to_act == self.me:
            facts["hint"] = "In a standoff you cannot concede; two special cards cancel each other."
        pieces = (*laid[top], *laid[bottom])
        return Zone(f"battle:{b + 1}", "duel", f"Battle {b + 1}", pieces=pieces, facts=facts)

    def laid(self, b: int, p: int) -> list[Piece]:
        """The cards of a side, face up; on each what it counts, so that one can add them up.

        Behind them lies, face down, what is sealed in a standoff (H16), or what was lost last, to a
        cancellation, a shield or a jamming.
        """
        o, doubling, line = self.o, self.doubling(b, p), self.line(b, p)
        found = [
            counting(self.r, card, place(b, p, i), "×2" if i == doubling else str(n))
            for i, (card, n) in enumerate(zip(line, self.counted(b, p), strict=True))
        ]
        gone, behind = o.gone[SEATS * b + p] - 1, place(b, p, len(line))
        if o.phase == Phase.STAND and p < o.to_act and o.battle == b + 1:
            found.append(self.hidden(p, o.sealed[p], behind))
        elif gone >= 0:
            found.append(self.card(gone, behind, kind="lost"))
        return found

    def face_down(self, b: int, p: int) -> list[Piece]:
        """The card that waits for a battle."""
        covered = self.o.covered[p, b]
        return [self.hidden(p, self.o.slots[p, b], place(b, p, 0))] if covered else []

    def hidden(self, p: int, shown: int, id: str) -> Piece:
        """A card face down (1 + its kind for its owner, who knows it)."""
        if p == self.me:
            return self.card(shown - 1, id, kind="peek")
        return Piece(id, f"{self.called[p]}'s card, face down", "back")

    def counted(self, b: int, p: int) -> list[int]:
        """What each card of a side counts, and what the one that doubles adds."""
        lines = self.lines[b]
        drain = rules.drained(self.t, lines, p)
        found = [rules.counts(self.t, lines, p, i, drain) for i in range(len(self.line(b, p)))]
        if (doubling := self.doubling(b, p)) is not None:
            found[doubling] += self.totals[b][p] - sum(found)
        return found

    def doubling(self, b: int, p: int) -> int | None:
        """The place of the card that doubles (IM-86: the first one); None: there is none."""
        for i, card in enumerate(self.line(b, p)):
            if self.t.card[card].effect == Effect.DOUBLE:
                return i
        return None

    def leads(self, b: int, ahead: int) -> str:
        """ "you lead"."""
        if ahead == NOBODY:
            return "standoff"
        more = " with more cards" if len({*self.totals[b]}) == 1 else ""
        return f"{self.seat(ahead)} {'lead' if ahead == self.me else 'leads'}{more}"

    def own_first(self, b: int) -> str:
        """ "5 to 3", the viewer's own first."""
        sums = self.totals[b]
        return " to ".join(map(str, sums if self.me != 1 else sums[::-1]))

    def sum(self, b: int, p: int) -> str:
        """ "Iron Man: Twin Cannon 4 + Upgrade 4 = 8"."""
        both = zip(self.line(b, p), self.counted(b, p), strict=True)
        text = " + ".join(f"{self.name(card)} {n}" for card, n in both)
        return f"{HEROES[p]}: {text} = {self.totals[b][p]}" if text else f"{HEROES[p]}: no card"

    def outcome(self, b: int) -> str:
        """Who won a battle."""
        winner = self.o.result[b] - 1
        return "drawn" if winner == NOBODY else f"{self.seat(winner)} won"

    # ---- the question ---------------------------------------------------------------------------
    def question(self, actions: Sequence[int]) -> str:
        o, other = self.o, self.called[1 - self.o.to_act]
        if o.phase == Phase.PLACE:
            card = f"Choose your card for battle {o.slot + 1}."
            return f"{card} It is turned over when all cards are placed."
        mine, theirs = (self.totals[o.battle - 1][p] for p in (o.to_act, 1 - o.to_act))
        if o.phase == Phase.RESPOND:
            by = f", {mine} to {theirs}"
            by = " with as many points but fewer cards" if mine == theirs else by
            return f"You are behind in battle {o.battle}{by}: play a card, or concede it."
        if o.phase == Phase.STAND:
            return f"Standoff, {mine} to {mine}: choose a card. Both are revealed together."
        if o.phase == Phase.FORCED:
            return f"Standoff, {mine} to {mine}, and {other} has no card left: you must play one."
        if o.phase == Phase.TARGET:
            return f"Which of {other}'s cards does your shield discard?"
        return "Which power card do you take from your discard pile?"

    def waiting(self) -> str:
        if self.passing:
            return self.news()
        who, what = self.called[self.o.to_act], WAITING[self.phase].format(self.o.battle)
        return f"{opening(who)} {what}."

    def news(self) -> str:
        """What is to be seen in the midst of an action: the battle, or at its end the round."""
        o, b = self.o, self.o.battle - 1
        if o.battle:
            return f"{opening(self.leads(b, rules.leader(self.t, o)))}, {self.own_first(b)}."
        won = [sum(w == 1 + p for w in o.result) for p in range(SEATS)]
        first = 0 if won[0] >= won[1] else 1
        if won[0] == won[1]:
            return f"Nobody wins round {o.round}."
        battles = f"{plural(won[first], 'battle')} to {won[1 - first]}"
        return f"Round {o.round}: {self.does(first, 'win')} {battles}."

    def result(self) -> str:
        a, b = self.o.pawn[0], self.o.pawn[1]
        end = "" if self.t.track in (a, b) else f"{self.o.round} rounds are over and "
        if a == b:
            return f"A draw: {end}both pawns are on victory card {a}."
        winner = 0 if a > b else 1
        pawn = "your pawn" if winner == self.me else "the pawn"
        return f"{self.does(winner, 'win')}: {end}{pawn} is on victory card {max(a, b)}."

    # ---- choices --------------------------------------------------------------------------------
    def of_hand(self, verb: str, card: int, sub: str = "") -> Said:
        """A card of the hand for a battle."""
        path = (self.in_hand(card), f"battle:{self.o.battle or self.o.slot + 1}")
        return Said(f"{verb} {self.name(card)}", sub, path, "main")

    def do_place(self, card: int) -> Said:
        return self.of_hand("Place", card)

    def do_stand(self, card: int) -> Said:
        return self.of_hand("Choose", card)

    def do_play(self, card: int) -> Said:
        does = self.does_now(card)
        return self.of_hand("Play", card, self.then(card) + (f"; {does}" if does else ""))

    def do_strike(self, card: int) -> Said:
        b, q = self.o.battle - 1, 1 - self.o.to_act
        path = (place(b, q, self.line(b, q).index(card)),)
        return Said(f"Discard {self.name(card)}", self.then(None, struck=card), path, "main")

    def do_salvage(self, card: int) -> Said:
        return Said(f"Take {self.name(card)}", tone="main")

    def do_concede(self) -> Said:
        sub = f"{self.does(1 - self.o.to_act, 'win')} battle {self.o.battle}"
        return Said("Concede the battle", sub, tone="quiet")

    def does_now(self, card: int) -> str:
        """What a special card does, in few words; empty: the total or the next question says it."""
        c, own = self.t.card[card], self.line(self.o.battle - 1, self.o.to_act)
        again = any(self.t.card[x].effect == Effect.DOUBLE for x in own)
        return {
            Effect.DOUBLE: "your total is doubled already" if again else "your total is doubled",
            Effect.COUNT: f"it counts {c.amount} for each other card of yours",
            Effect.DRAIN: f"each opposing power card counts {c.amount} less",
            Effect.DRAW: f"you draw {cards(c.amount)}",
            Effect.SALVAGE: "you take a power card back",
            Effect.JAM: "the opponent discards a card at random",
        }.get(Effect(c.effect), "")

    def then(self, card: int | None, struck: int | None = None) -> str:
        """How the battle stands after a card that is played or discarded, before its effect."""
        b, me = self.o.battle - 1, self.o.to_act
        lines = [self.line(b, p) for p in range(SEATS)]
        if card is not None:
            if self.t.card[card].effect == Effect.SHIELD and lines[1 - me]:
                return "then you choose which of their cards is discarded"
            lines[me].append(card)
        if struck is not None:
            lines[1 - me].remove(struck)
        after = lines_of(b, *lines)
        ahead = rules.leader(self.t, after)
        mine, theirs = rules.total(self.t, after, me), rules.total(self.t, after, 1 - me)
        stands = "standoff" if ahead == NOBODY else "you lead" if ahead == me else "still behind"
        more = " with more cards" if mine == theirs and ahead == me else ""
        return f"{mine} to {theirs}, {stands}{more}"

    def refusals(self, open: set[str]) -> Iterator[Refusal]:
        o, p = self.o, self.o.to_act
        for _, id in self.idle(o.hands[p], open):
            if o.phase == Phase.TARGET:
                yield Refusal(id, "First choose the card that your shield discards.", ("IM-89",))
            else:
                yield Refusal(id, "First take a power card from your discard pile.", ("IM-97",))
        for b in range(BATTLES):
            if o.slots[p, b]:
                lies = f"{self.name(o.slots[p, b] - 1)} lies face down for battle {b + 1}"
                why = f"{lies}; it is no longer in your hand."
                yield Refusal(place(b, p, 0), why, ("IM-13", "IM-63"))
        for b in range(o.battle) if o.phase == Phase.TARGET else ():
            for q in range(SEATS):
                for i in range(len(self.line(b, q))):
                    if (id := place(b, q, i)) not in open:
                        yield Refusal(id, *self.out_of_reach(b, q, i))

    def out_of_reach(self, b: int, q: int, i: int) -> tuple[str, tuple[str, ...]]:
        """Why a shield cannot discard a card that lies face up."""
        if b != self.o.battle - 1:
            return "This battle is over: its cards are out of reach.", ("H10",)
        if q == self.o.to_act:
            return "Your shield discards one of your opponent's cards.", ("IM-89",)
        if self.t.card[self.line(b, q)[i]].immune:
            return "No shield can discard this card.", ("H26",)
        return "These cards are alike: choose the first one.", ("H8",)


# ---- what is shown one after the other -----------------------------------------------------------
def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """After each pair that is turned before the next one, and when the round is decided."""
    for i, event in enumerate(events):
        later = events[i + 1 :]
        compared = event in (Event.LEADS, Event.STANDOFF)
        decided = event in (Event.MOVED, Event.STAYED)
        if (compared and any(e in NEXT for e in later)) or (decided and Event.ROUND in later):
            yield i


# ---- events --------------------------------------------------------------------------------------
class Says(Saying):
    """An event of Iron Man in words."""

    def round(self) -> str:
        return f"Round {self.x['round']}."

    def dealt(self) -> str:
        return f"{self.does('get')} {cards(self.x['cards'])}."

    drew = Saying.unsaid  # told to the drawer alone, who sees it in the hand

    def reshuffled(self) -> str:
        pile = self.owned("discard pile")
        return f"{pile} is shuffled into a new deck of {cards(self.x['cards'])}."

    def placed(self) -> str:
        return f"{self.does('place')} {self.name(self.x['card'])} for battle {self.x['battle']}."

    def turned(self) -> str:
        return f"Battle {self.x['battle']}: {self.does('turn')} over {self.name(self.x['card'])}."

    def played(self) -> str:
        return f"{self.does('play')} {self.name(self.x['card'])}."

    def sealed(self) -> str:
        return f"{self.does('choose')} {self.name(self.x['card'])} for the standoff."

    def shown(self) -> str:
        return f"{self.does('show')} {self.name(self.x['card'])}."

    def cancelled(self) -> str:
        cards = self.name(self.x["card"]), self.name(self.x["other"])
        return f"Two special cards cancel each other: {cards[0]} and {cards[1]} are discarded."

    def struck(self) -> str:
        return f"The shield discards {self.whose(1 - self.p)} {self.name(self.x['card'])}."

    def resupplied(self) -> str:
        return f"{self.does('draw')} {cards(self.x['cards'])}."

    def salvaged(self) -> str:
        return f"{self.does('take')} {self.name(self.x['card'])} from the discard pile."

    def jammed(self) -> str:
        return (
            f"{self.does('discard')} {self.name(self.x['card'])} from {self.own} hand, at random."
        )

    def leads(self) -> str:
        more = " with more cards" if self.x["total"] == self.x["against"] else ""
        return f"{self.does('lead')}{more}, {self.x['total']} to {self.x['against']}."

    def standoff(self) -> str:
        return f"Standoff, {self.x['total']} to {self.x['total']}."

    def conceded(self) -> str:
        if self.x["forced"]:
            return f"{self.does('have', 'has')} no card left and must concede."
        return f"{self.does('concede')}."

    def won_battle(self) -> str:
        return f"{self.does('win')} battle {self.x['battle']}."

    def drew_battle(self) -> str:
        return f"Battle {self.x['battle']} is a draw."

    def left_over(self) -> str:
        if not self.x["cards"]:
            return ""
        return f"{self.does('discard')} {cards(self.x['cards'])} left in {self.own} hand."

    def moved(self) -> str:
        steps = plural(self.x["steps"], "step")
        return f"{self.owned('pawn')} moves {steps}, to victory card {self.x['pawn']}."

    def stayed(self) -> str:
        return f"Nobody wins round {self.x['round']}: no pawn moves."

    def won(self) -> str:
        return f"{self.does('win')} the game."

    def drawn(self) -> str:
        return "The game is a draw."
