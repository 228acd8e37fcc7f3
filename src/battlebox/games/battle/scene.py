"""Battle as a person sees it: the seats in a ring, the standing cards, the hand.

All of it comes from an observation, so nothing here can show a card or an identity that its viewer
may not see, nor whom a secret question is put to. The viewer's own seat is "you".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partialmethod
from typing import Any, ClassVar

from ...core import zones
from ...core.codes import spread
from ...core.game import Ruleset
from ...core.perspective import Face, Perspective, Said
from ...core.saying import cards, either, listed, opening, plural
from ...core.scene import Family, Piece, Refusal, Zone
from . import rules, state
from .saying import PLURALS, SIDES, a_card, a_set, the_side
from .state import HELD, RANKS, Event, Phase, Side, Since, State, Table

DECK, PILE, MASK = "deck", "pile", "identity:card"
SECRET = (Phase.SV, Phase.WI)  # only the asked seat knows that it is asked
NOBODYS = (Phase.START, Phase.DEAL, Phase.FLIP)  # nobody decides anything
BUILDING = (Phase.PD, Phase.AD)
TONES = {Side.SUPERHERO: "hero", Side.VILLAIN: "villain"}
ENEMIES = {Side.SUPERHERO: PLURALS[Side.VILLAIN], Side.VILLAIN: PLURALS[Side.SUPERHERO]}
ON_ANY_TURN = (state.SKIP, state.REVERSE, state.ELIMINATE, state.EXPOSE)
DONE = {Since.PASSED: "passed", Since.ACTED: "acted", Since.SKIPPED: "skipped"}
NAMED = ("", "single", "pair", "three", "four", "five", "six", "seven", "eight")
SOME = 3  # seats that are called by their names in a sentence; more are counted
ACTION_TEXTS = (
    "the next player loses a turn",
    "play goes the other way",
    "clears the standing cards; you lead",
    "puts a player out of the round, unless saved",
    "saves a player from elimination",
    "shows everybody a player's identity",
    "the battle begins",
)
Why = tuple[str, tuple[str, ...]]


def number(n: int) -> str:
    """So many cards of a rank: "pair"."""
    return NAMED[n] if n < len(NAMED) else str(n)


def way(left: int) -> str:
    """Round the table, in which the seat to the left is next clockwise."""
    return "clockwise" if left > 0 else "anticlockwise"


# ---- drawings that come again --------------------------------------------------------------------
@lru_cache(maxsize=zones.CACHED)
def fight_card(r: Ruleset, rank: int, id: str, count: int) -> Piece:
    """Fight cards of one rank."""
    card = r.names.cards[rank]
    label = a_set(rank, count) if count > 1 else f"Fight card {card.name}"
    texts = {"code": card.code, "name": card.name, "value": card.name, "tone": "fight"}
    return Piece(id, opening(label), count=count, **texts)


def mask(side: int, id: str) -> Piece:
    """An identity card; of one that is hidden, the back."""
    if side == Side.UNKNOWN:
        return Piece(id, "Hidden identity", "back", name="Identity")
    name = opening(SIDES[Side(side)])
    return Piece(id, f"Identity: {name}", code=name[0], name=name, tone=TONES[Side(side)])


@lru_cache(maxsize=zones.CACHED)
def masked(p: int, label: str, exposed: int, **facts: Any) -> Zone:
    """A plaque; another's identity lies with it, open or not."""
    return zones.plaque(p, label, () if facts["you"] else (mask(exposed, f"mask:{p}"),), **facts)


@lru_cache(maxsize=zones.CACHED)
def deck(count: int, closed: bool) -> Zone:
    """The draw deck; in the battle nobody draws any more."""
    label, short = ("Deck, closed", "Closed") if closed else ("Deck", "Deck")
    facts: zones.PileFacts = {"count": count, "face": "down", "notes": [], "short": short}
    return Zone(DECK, "pile", label, facts=facts)


@lru_cache(maxsize=zones.CACHED)
def numbers(those: tuple[int, ...]) -> Zone:
    """How many cards of a rank one may play: what is tapped after the rank."""
    pieces = [Piece(f"number:{n}", number(n), "number", name=opening(number(n))) for n in those]
    return Zone("numbers", "numbers", "How many", pieces=tuple(pieces))


@lru_cache(maxsize=zones.CACHED)
def identity(side: Side, exposed: bool, me: int, wipeout_ends: bool) -> Zone:
    """The viewer's own identity, which nobody else sees unless it is exposed; and what it is to do:
    BA-62, BA-65..68.
    """
    seen = "everybody sees it" if exposed else "only you see it"
    name, kind = opening(SIDES[side]), "card" if exposed else "peek"
    label = f"Your identity: {name}; {seen}"
    piece = Piece(MASK, label, kind, name[0], name, text=seen, tone=TONES[side])
    goal = "Your side scores when one of you runs out of fight cards (the numbers) and plays "
    goal += f"an identity, or all {ENEMIES[side]} are out." if wipeout_ends else "an identity."
    facts: zones.FanFacts = {"you": f"You are a {SIDES[side]}.", "goal": goal}
    return Zone("identity", "fan", "Your identity", me, (piece,), facts)


class Look(Perspective[State, Table]):
    """The table as one viewer sees it."""

    families: ClassVar[Mapping[str, tuple[str, str]]] = {
        "fight": ("Fight cards", "Play one alone, or several of the same number as a set."),
        "action": (
            "Action cards",
            "Play one on your turn, but Save only when somebody is about to be out. Battle works "
            "as soon as it is drawn.",
        ),
    }

    def __init__(self, r: Ruleset, o: State, names: Sequence[str]) -> None:
        super().__init__(r, o, names)
        # who is asked, as far as the viewer may know
        if o.phase in NOBODYS or (o.phase in SECRET and o.to_act != self.me):
            self.asked = None
        self.stands = o.number > 0  # some cards are to be beaten
        #: all identities lie open: between two rounds, or at the end
        self.round_is_over = self.over or (o.phase == Phase.DEAL and o.exposed[0] > 0)
        self.held = [0] * HELD if self.me is None else o.hands[self.me]
        self.fights = 0 if self.me is None else o.fights[self.me]  # fight cards that are held

    @staticmethod
    def face(r: Ruleset, card: int) -> Face:
        return Face(ACTION_TEXTS[card - state.SKIP], tone="action")

    @classmethod
    def draw_card(cls, r: Ruleset, card: int, id: str, count: int = 1, kind: str = "card") -> Piece:
        if card < RANKS:
            return fight_card(r, card, id, count)
        return super().draw_card(r, card, id, count, kind)

    def copies(self) -> Sequence[int]:
        """BA-6, BA-8, BA-10: by the number of players; one card begins the battle."""
        return [n + (card == state.BATTLE) for card, n in enumerate(self.t.copies)]

    def components(self) -> Iterator[Family]:
        """The cards, and the identities (BA-3, BA-4, B1)."""
        yield from super().components()
        half, odd = divmod(self.seats, 2)
        text = (
            "Everybody gets one, and sees nobody else's. Play it when you have no fight card left."
        )
        text += " One more of either side comes by lot." if odd else ""
        sides = (Side.SUPERHERO, Side.VILLAIN)
        masks = [replace(mask(side, f"box:{SIDES[side]}"), count=half) for side in sides]
        yield Family("Identities", tuple(masks), text)

    def standing(self) -> str:
        """The standing cards: "a pair of 7s"."""
        return a_set(self.o.rank, self.o.number)

    # ---- zones -----------------------------------------------------------------------------------
    def title(self) -> str:
        if self.over:
            return "The end"
        where = "battle" if self.o.battle else "building"
        return f"Round {self.o.round}, {where}" if self.t.rounds != 1 else opening(where)

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        o = self.o
        for p in range(o.seats):
            yield self.plaque(p)
        yield self.order()
        if o.last_side > 0 and (self.over or not self.round_is_over):
            yield self.last()
        yield deck(o.deck_size, bool(o.battle))
        yield self.stand()
        yield self.open_pile(PILE, "Discard pile", o.pile[: o.pile_size])
        if many := tuple(n for n in range(1, state.COPIES + 1) if f"number:{n}" in self.open):
            yield numbers(many)
        if self.me is not None:
            if side := o.identity[self.me]:
                seen, ends = bool(o.exposed[self.me]), bool(self.t.wipeout_ends)
                yield identity(Side(side), seen, self.me, ends)
            yield self.hand(self.held)

    def plaque(self, p: int) -> Zone:
        """A seat: points, cards, identity if it lies open, and what it has done in this battle."""
        o = self.o
        playing = o.living[p] > 0 and not self.round_is_over
        known = o.known[p] if playing else ()
        held = listed([self.name(card) for card in spread(known)]) if any(known) else ""
        dealer = "dealer" if o.dealer == p and not self.over else ""
        return masked(
            p,
            self.label(p),
            o.exposed[p],
            points=o.points[p],
            points_name=f"of {self.t.target_points} points",
            goal=self.t.target_points,
            hand=o.hand_size[p],
            notes=(f"known to hold {held}",) if held else (),
            acting=self.asked == p,
            out=not playing and not self.round_is_over,
            you=p == self.me,
            chips=(
                self.status(p),
                SIDES[Side(o.exposed[p])] if o.exposed[p] else "",
                dealer,
                f"holds {held}" if held else "",
            ),
        )

    def status(self, p: int) -> str:
        """What a seat has done, or may still do, in the battle; or that it is its turn."""
        o = self.o
        if self.round_is_over:
            return "winner" if o.winner[p] else ""
        if o.living[p] == 0:
            return "out"
        if o.phase == Phase.SV and o.victim == p:
            return "in danger"
        if self.stands and o.owner == 1 + p:
            return "leads"
        if self.asked is not None and o.turn == p:
            return "turn"
        return DONE.get(Since(o.since[p]), "may beat") if self.stands else ""

    def order(self) -> Zone:
        """Which way play goes, and whether somebody loses a turn."""
        o, text = self.o, way(self.o.way)
        if o.skips:
            text += f", {plural(o.skips, 'turn')} to be skipped"
        facts = zones.RingFacts(text=text, way=o.way, round=o.round)
        return Zone("order", "ring", "Order of play", facts=facts)

    def last(self) -> Zone:
        """How the round before ended: who was what, and all points."""
        o, rows = self.o, list[zones.Standing]()
        for p in range(o.seats):
            side, won = SIDES[Side(o.last_identity[p])], bool(o.scored[p])
            rows.append({"seat": p, "side": side, "won": won, "points": o.points[p]})
        n, goal = o.round if self.over else o.round - 1, self.t.target_points
        facts = zones.StandingsFacts(text=self.last_words(), round=n, goal=goal, rows=rows)
        return Zone("last", "standings", f"Round {n}", facts=facts)

    def last_words(self) -> str:
        """Who won the round before: "the superheroes won (Ada, Cy and you)"."""
        o = self.o
        if o.last_side == Side.VOID:
            return "nobody won (it took too long)"
        those = [p for p in range(o.seats) if o.last_identity[p] == o.last_side]
        return f"{the_side(o.last_side)} ({self.those(those)}) won{self.how()}"

    def how(self) -> str:
        """BA-62, BA-68, B16, H4: what ended the round before, by those who were still in it."""
        o = self.o
        left = [p for p in range(o.seats) if o.last_living[p]]
        if not left:
            return ""  # a position that somebody wrote does not tell
        alone = all(o.last_identity[p] == o.last_side for p in left)
        if alone and (self.t.wipeout_ends or len(left) == 1):
            return f", as all {ENEMIES[Side(o.last_side)]} were out"
        return " by playing an identity"

    def stand(self) -> Zone:
        """The standing cards, what beats them, and who may still do so."""
        o, pills = self.o, list[zones.Pill]()
        owner = o.owner - 1 if o.owner and self.stands else None
        if self.stands:
            who = "somebody who is out" if owner is None else self.seat(owner)
            text = f"{opening(self.standing())}, played by {who}."
        elif o.battle:
            text = "No cards to beat: the leader may play any fight cards."
        else:
            text = "Everybody builds a hand until the Battle card is drawn."
        if self.stands and not self.round_is_over:
            asked = self.me is not None and self.asked == self.me and o.phase == Phase.FL
            able = asked and bool(rules.can_beat(o, o.turn))
            pills.append({"text": f"To beat it: {self.beaters()}", "lit": able})
            seats = [p for p in range(o.seats) if o.living[p] and o.since[p] == Since.OPEN]
            if left := [p for p in seats if p != owner]:
                who = self.those(left) if len(left) <= SOME else f"{len(left)} players"
                pills.append({"text": f"{opening(who)} may still beat it", "lit": False})
        pieces = tuple(self.card(o.rank, f"stand:{k}") for k in range(o.number))
        facts = zones.LineFacts(text=text, pills=pills)
        return Zone("stand", "line", "Standing cards", owner, pieces, facts)

    def beaters(self) -> str:
        """What beats the standing cards: "pair of 7+, or any three"."""
        o = self.o
        of = " of" if o.number == 2 else ""
        same = f"{number(o.number)}{of} {o.rank + 1}{'+' if o.rank + 1 < RANKS else ''}"
        return same + (f", or any {number(o.number + 1)}" if o.number < state.COPIES else "")

    # ---- the question ----------------------------------------------------------------------------
    def question(self, actions: Sequence[int]) -> str:
        o = self.o
        if o.phase == Phase.FX:
            return "The first card is Expose: choose whose identity it shows."
        if o.phase == Phase.PD:
            top = f", or take the {self.name(o.pile[o.pile_size - 1])}" if o.pile_size else ""
            return f"Your turn: draw a card{top if rules.may_take(self.t, o) else ''}."
        if o.phase == Phase.AD:
            return "You may discard one card, which ends your turn."
        if o.phase == Phase.SV:
            whom = "yourself" if o.victim == self.me else self.called[o.victim]
            danger = f"{opening(whom)} would be out" if o.by == self.me else self.aim()
            return f"{danger}. Play Save for {whom}?"
        if o.phase == Phase.WI:
            return "Between turns: do you play an action card?"
        return self.question_of_battle()

    def question_of_battle(self) -> str:
        o, has = self.o, self.fights > 0
        acts = any(self.held[card] for card in ON_ANY_TURN)
        also = ["an action card"] if acts and (o.phase != Phase.LM or not has) else []
        if o.phase == Phase.FL and has:
            return f"{opening(either(self.ways_to_follow(acts)))}."
        if o.phase == Phase.FL:
            return f"You hold no fight card: play {either(['your identity', *also])}, or pass."
        if not has:
            return f"You lead without a fight card: play {either(['your identity', *also])}."
        return f"Your lead: play {either(['any fight cards', *also])}."

    def ways_to_follow(self, acts: bool) -> list[str]:
        """What one may do about the standing cards."""
        o, able = self.o, rules.can_beat(self.o, self.o.turn)
        whose = "your own " if o.owner == 1 + o.turn else ""
        first = f"beat {whose}{self.standing().removeprefix('a ' if whose else '')}"
        ways = ["play an action card"] if acts or self.held[state.NEW_BATTLE] else []
        ways += ["pass"] if self.t.voluntary_pass or not able else []
        return [first, *ways] if able else [f"you cannot {first}: {ways[0]}", *ways[1:]]

    def waiting(self) -> str:
        out = self.me is not None and not self.o.living[self.me] and not self.round_is_over
        return f"You are out of this round. {self.news()}" if out else self.news()

    def news(self) -> str:
        """What somebody else is asked, or nobody."""
        o = self.o
        if self.round_is_over:
            return f"Round {o.round} is over: all identities are revealed."
        if o.phase in NOBODYS:
            return "The next round is dealt."
        if o.phase == Phase.SV:
            them = "you" if o.victim == self.me else "them"
            return f"{self.aim()}, unless somebody saves {them}."
        if o.phase == Phase.WI:
            return "Between turns, anybody may play an action card."
        who = opening(self.called[o.to_act])
        if o.phase == Phase.FX:
            return f"{who} chooses whose identity the first card shows."
        if o.phase in BUILDING:
            return f"{who} {'draws a card' if o.phase == Phase.PD else 'may discard a card'}."
        return f"{who} {f'may beat {self.standing()}' if o.phase == Phase.FL else 'has the lead'}."

    def aim(self) -> str:
        """Who eliminates whom: "Ada eliminates you"."""
        return f"{self.does(self.o.by, 'eliminate')} {self.seat(self.o.victim)}"

    def result(self) -> str:
        o, last = self.o, f"{self.last_words()} in the last round"
        winners = [p for p in range(o.seats) if o.winner[p]]
        if not winners:
            return f"A draw, with everybody level: {last}."
        points = plural(o.points[winners[0]], "point")
        verb = "wins" if len(winners) == 1 and winners[0] != self.me else "win"
        level = [p for p in range(o.seats) if o.points[p] == o.points[winners[0]]]
        if rivals := [p for p in level if p not in winners]:  # BA-72..76
            points += f", by lot after a tie with {self.those(rivals)}"
        return f"{opening(self.those(winners))} {verb} with {points}: {last}."

    # ---- choices ---------------------------------------------------------------------------------
    @cached_property
    def sizes(self) -> Counter[int]:
        """How many numbers of cards may be played of each rank."""
        moves = [(self.move(a), a) for a in self.actions]
        return Counter(move.values(a)[0] for move, a in moves if move.name == "fight")

    def nothing(self, label: str, sub: str = "") -> Said:
        """Doing nothing."""
        return Said(label, sub, tone="quiet")

    do_keep = partialmethod(nothing, "Keep all cards", "your turn ends")
    do_give_way = partialmethod(nothing, "Pass")
    do_decline = partialmethod(nothing, "Do not save")
    do_wait = partialmethod(nothing, "Play nothing")

    def do_draw_card(self) -> Said:
        return Said("Draw a card", f"{cards(self.o.deck_size)} in the deck", (DECK,), "main")

    def do_take(self) -> Said:
        card = self.name(self.o.pile[self.o.pile_size - 1])
        return Said(f"Take the {card}", "everybody sees that you hold it", (PILE,), "main")

    def do_discard(self, rank: int) -> Said:
        left = self.held[rank] - 1
        sub = f"you keep {a_set(rank, left)}" if left else ""
        return Said(f"Discard {a_card(rank)}", sub, (self.in_hand(rank), PILE))

    def do_fight(self, rank: int, k: int) -> Said:
        """BA-31, BA-62: a set, and how many fight cards are left."""
        left, verb = self.fights - k - 1, "Beat it with" if self.stands else "Lead"
        last = "your last one: next you may play your identity"
        sub = f"{plural(left, 'fight card')} left" if left else last
        path: tuple[str, ...] = (self.in_hand(rank), f"number:{k + 1}")
        path = path[:1] if self.sizes[rank] == 1 else path  # there is no number to choose
        return Said(f"{verb} {a_set(rank, k + 1)}", sub, path, "main")

    def do_play_identity(self) -> Said:
        side = self.o.identity[self.o.to_act]
        return Said("Play your identity", f"{the_side(side)} win the round", (MASK,), "main")

    def without_target(self, card: int) -> Said:
        """An action card, and what it brings about now."""
        path, sub = (self.in_hand(card),), self.effect(card)
        if sub:
            tone = "main" if card == state.SAVE else "plain"
            return Said(f"Play {self.name(card)}", sub, path, tone)
        return Said(f"Throw {self.name(card)} away", self.covers(), path)

    do_skip = partialmethod(without_target, state.SKIP)
    do_reverse = partialmethod(without_target, state.REVERSE)
    do_new_battle = partialmethod(without_target, state.NEW_BATTLE)
    do_save = do_throw_save = partialmethod(without_target, state.SAVE)
    do_expose_nobody = partialmethod(without_target, state.EXPOSE)
    do_throw_eliminate = partialmethod(without_target, state.ELIMINATE)

    def effect(self, card: int) -> str:
        """What an action card without a target brings about now; empty: nothing."""
        o = self.o
        if card == state.SAVE:
            stays = f"{self.seat(o.victim)} {'stay' if o.victim == self.me else 'stays'}"
            return f"{stays} in the round" if o.phase == Phase.SV else ""
        if card == state.NEW_BATTLE:
            return "then you lead" if o.battle else ""
        if not rules.takes_effect(self.t, o):
            return ""
        if card == state.EXPOSE:
            return "nobody is left to expose"
        if card == state.REVERSE:
            return f"play goes {way(-o.way)}"
        return self.skipped() if card == state.SKIP else ""

    def covers(self) -> str:
        """Why one may throw away what has no effect: BA-21, nobody can take what lies below it."""
        o = self.o
        top = o.pile[o.pile_size - 1] if o.pile_size and not o.battle else state.SKIP
        covered = (
            f", but it covers the {self.name(top)}: nobody can take it" if top < state.RANKS else ""
        )
        return f"it has no effect{covered}"

    def skipped(self) -> str:
        """Who loses a turn if one more SKIP is played."""
        o, p = self.o, self.o.turn
        if rules.all_are_locked(o):  # then a new battle begins, and nobody knows with whom
            return "the next player loses a turn"
        for _ in range(o.skips + 1):
            p = rules.next_seat(o, p)
        return f"{self.seat(p)} {'lose' if p == self.me else 'loses'} a turn"

    def do_expose(self, ahead: int) -> Said:
        shown = self.do_expose_first(ahead)
        return shown._replace(path=(self.in_hand(state.EXPOSE), *shown.path))

    def do_expose_first(self, ahead: int) -> Said:
        target = (self.o.to_act + ahead) % self.seats
        whom = "yourself" if target == self.me else self.called[target]
        return Said(f"Expose {whom}", path=(f"seat:{target}",))

    def do_eliminate(self, other: int) -> Said:
        target = (self.o.to_act + 1 + other) % self.seats
        path = (self.in_hand(state.ELIMINATE), f"seat:{target}")
        return Said(f"Eliminate {self.called[target]}", path=path)

    # ---- why not ---------------------------------------------------------------------------------
    def refusals(self, open: set[str]) -> Iterator[Refusal]:
        for card, id in self.idle(self.held, open):
            yield Refusal(id, *(self.no_fight if card < RANKS else self.no_action)(card))
        if MASK not in open and self.me is not None:
            why = "You can play your identity only on a battle turn you begin without a fight card."
            yield Refusal(MASK, why, ("BA-62", "BA-64"))
        for id, why_not in ((DECK, self.no_draw), (PILE, self.no_take)):
            if id not in open:
                yield Refusal(id, *why_not())
        aims = any(self.in_hand(card) in open for card in (state.EXPOSE, state.ELIMINATE))
        for p in range(self.seats) if aims or self.o.phase == Phase.FX else ():
            if f"seat:{p}" not in open:
                yield Refusal(f"seat:{p}", *self.no_target(p))

    def no_fight(self, card: int) -> Why:
        phase, n = self.o.phase, self.held[card]
        if phase == Phase.FL:
            why = "too few" if n < self.o.number else "too low"
            what = f"{opening(a_set(card, n))} cannot beat {self.standing()}: {why}."
            return what, ("BA-32", "BA-33", "BA-34")
        if phase == Phase.PD:
            return "Draw first: then you may discard a fight card.", ("BA-20", "BA-23")
        if phase == Phase.FX:
            return "First choose whose identity the first card shows.", ("BA-14", "B36")
        if phase == Phase.SV:
            return "Only Save can be played while somebody is being eliminated.", ("BA-59",)
        return "Between turns you can play only action cards.", ("BA-45", "B2")

    def no_action(self, card: int) -> Why:
        o, phase = self.o, self.o.phase
        if phase in (Phase.FX, Phase.SV):
            return self.no_fight(card)
        if phase == Phase.LM and self.fights:
            return "You must lead fight cards.", ("BA-30", "BA-52", "B8")
        if not o.battle and phase != Phase.WI:
            return "You have played as many action cards as a turn allows.", ("B4",)
        if card == state.SAVE:
            return "You can play Save only while somebody is being eliminated.", ("BA-59",)
        if self.stands:
            return "You would have to lead, but you hold no fight card.", ("BA-53", "B11")
        return "There are no standing cards to clear.", ("BA-53", "B11")

    def no_draw(self) -> Why:
        if self.o.battle:
            return "Nobody draws cards in the battle.", ("BA-43",)
        if self.o.phase == Phase.AD:
            return "You have already drawn a card.", ("BA-20",)
        return "You draw a card only at the start of your turn.", ("BA-20",)

    def no_take(self) -> Why:
        o = self.o
        if o.battle or o.phase != Phase.PD:
            return self.no_draw()
        if o.pile_size == 0:
            return "The discard pile is empty.", ("BA-22",)
        if o.pile[o.pile_size - 1] >= RANKS and not o.option:
            return "Action cards cannot be picked up from the discard pile.", ("BA-18", "BA-21")
        return "Cards have come from the discard pile for too long: draw from the deck.", ("B9",)

    def no_target(self, p: int) -> Why:
        if not self.o.living[p]:
            return f"{opening(self.called[p])} is out of this round.", ("BA-50", "BA-57")
        if p == self.me and not self.o.exposed[p]:
            return "You cannot choose yourself.", ("B10", "B18")
        return f"{self.owned(p, 'identity')} is already exposed.", ("BA-50", "B10")


# ---- what is shown one after the other -----------------------------------------------------------
ENDS = (Event.UNMASKED, Event.SCORED)  # of a round


def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """When somebody is aimed at, before anybody may save them; all identities after a round."""
    for i, event in enumerate(events):
        ended = event in ENDS and Event.ROUND in events[i:] and events[i + 1] not in ENDS
        if event == Event.AIMED or ended:
            yield i
