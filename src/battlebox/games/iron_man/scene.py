"""Iron Man Game of War as a person sees it: two tracks, three battles, the hand; events in words.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from ...core.saying import Saying, cards, opening, plural
from ...core.scene import Choice, Piece, Refusal, Scene, Zone, rule_ids
from ...core.zones import DuelFacts, PileFacts, PlaqueFacts
from .rules import (
    BATTLES,
    KINDS,
    NOBODY,
    SEATS,
    Effect,
    Event,
    Phase,
    counts,
    drained,
    leader,
    total,
)

HEROES = ("Iron Man", "War Machine")
HAND = "hand"
NEXT = (Event.TURNED, Event.MOVED, Event.STAYED)  # what comes after a battle
LONGEST_TRACK = 9  # a longer one is drawn as a number only
CACHED = 4096  # drawings that are kept: most come again, in this match or another


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation (a view); `actions`: what its viewer may do now."""
    look = Look(r, o, names)
    choices = tuple(_choice(look, a) for a in actions)
    return Scene(
        viewer=look.me,
        to_act=None if look.over or look.passing else int(o.to_act),
        phase=Phase(o.phase).name,
        title="The end" if look.over else f"Round {o.round}",
        prompt=_prompt(look),
        zones=tuple(_zones(look)),
        choices=choices,
        refusals=tuple(_refusals(look, {id for c in choices for id in c.path})) if choices else (),
        over=look.over,
    )


class Look:
    """An observation, and what is needed to talk about it: table, names, the viewer."""

    def __init__(self, r: Any, o: Any, names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        between = not o.battle and o.phase not in (Phase.PLACE, Phase.OVER)
        # in the midst of an action: nobody is asked
        self.passing = between or o.phase in (Phase.DEAL, Phase.FLIP, Phase.COMPARE)

    def name(self, card: int) -> str:
        """The name of a kind of card."""
        return str(self.r.names.cards[card].name)

    def code(self, card: int) -> str:
        """Its character in the notation."""
        return str(self.r.names.cards[card].code)

    def seat(self, p: int) -> str:
        """A seat within a sentence."""
        return "you" if p == self.me else self.called[p]

    def does(self, p: int, verb: str) -> str:
        """A seat as the subject of a sentence: "You win", "Seat 1 wins"."""
        return f"{opening(self.seat(p))} {verb}{'' if p == self.me else 's'}"

    def line(self, b: int, p: int) -> list[int]:
        """The cards of a side in a battle, 0 .. 2."""
        at = SEATS * b + p
        return [int(self.o.line[at, i]) for i in range(self.o.line_size[at])]

    def lines(self, b: int) -> Any:
        """Both sides of a battle, to be added up by the rules."""
        return _lines(b, self.line(b, 0), self.line(b, 1))

    def is_covered(self, b: int) -> bool:
        """A card lies face down for this battle."""
        return any(self.o.covered[p, b] for p in range(SEATS))


def _lines(b: int, *lines: Sequence[int]) -> Any:
    """These lines as the only cards of a battle, to be added up by the rules."""
    cells = {(SEATS * b + p, i): card for p in range(SEATS) for i, card in enumerate(lines[p])}
    sizes = {SEATS * b + p: len(lines[p]) for p in range(SEATS)}
    return SimpleNamespace(battle=b + 1, line=cells, line_size=sizes)


# ---- zones ---------------------------------------------------------------------------------------
def _zones(look: Look) -> Iterator[Zone]:
    for p in range(SEATS):
        yield _plaque(look, p)
    for p in range(SEATS):
        yield _deck(look, p)
        yield _discard(look, p)
    for b in range(BATTLES):
        yield _battle(look, b)
    if look.me is not None:
        yield _hand(look.r, tuple(look.o.hands[look.me]), look.me)


def _plaque(look: Look, p: int) -> Zone:
    """A seat: its hero, its pawn on the track, its hand, who leads the battle."""
    o, t = look.o, look.t
    chips = []
    if look.over:
        chips.append("winner" if o.pawn[p] > o.pawn[1 - p] else "")
    elif o.battle:
        ahead = leader(t, o)
        chips.append("" if ahead == NOBODY else "leads" if ahead == p else "behind")
        chips.append("has chosen" if o.phase == Phase.STAND and p < o.to_act else "")
    elif o.phase == Phase.PLACE and p < o.to_act:
        chips.append("has placed")
    facts: PlaqueFacts = {
        "points": o.pawn[p],
        "points_of": t.track,
        "points_name": f"of {t.track} victory cards",
        "hand": o.hand_size[p],
        "team": HEROES[p],
        "acting": not look.over and not look.passing and o.to_act == p,
        "you": p == look.me,
        "out": False,
        "chips": [c for c in chips if c],
    }
    if t.track <= LONGEST_TRACK:
        facts["stations"] = [*range(min(1, t.start), t.track + 1)]
    label = f"{HEROES[p]}, {look.called[p]}" + (" (you)" if p == look.me else "")
    return Zone(f"seat:{p}", "plaque", label, p, facts=facts)


def _deck(look: Look, p: int) -> Zone:
    label = "Your deck" if p == look.me else f"{look.called[p]}'s deck"
    facts: PileFacts = {"count": look.o.deck_size[p], "face": "down", "notes": []}
    return Zone(f"deck:{p}", "pile", label, p, facts=facts)


def _discard(look: Look, p: int) -> Zone:
    """A discard pile: all see what is in it, but for cards discarded face down (H14)."""
    o = look.o
    contents = {look.name(card): o.discard[p, card] for card in range(KINDS) if o.discard[p, card]}
    notes = [f"{cards(o.buried_size[p])} face down"] if o.buried_size[p] else []
    label = "Your discard pile" if p == look.me else f"{look.called[p]}'s discard pile"
    count = sum(contents.values()) + o.buried_size[p]
    facts: PileFacts = {"count": count, "face": "up", "contents": contents, "notes": notes}
    return Zone(f"discard:{p}", "pile", label, p, facts=facts)


def _battle(look: Look, b: int) -> Zone:
    """A battle: both lines with their totals, or the cards face down for it; the own side last.

    While a new round's cards are placed, those of the last one lie there until others cover them.
    """
    o = look.o
    past = not o.battle and o.result[b] > 0 and not look.is_covered(b)
    fought, last = o.battle > b or past, past and o.phase == Phase.PLACE
    top, bottom = (1, 0) if look.me != 1 else (0, 1)
    cards = {p: (_laid if fought else _face_down)(look, b, p) for p in (top, bottom)}
    totals, ahead, notes = ("", ""), NOBODY, []
    if fought:
        ahead = o.result[b] - 1 if o.result[b] else leader(look.t, o)
        first, second = _totals(look, b)
        totals = (str(first), str(second))
        short = _outcome(look, b) if o.result[b] else _leads(look, b, ahead)
        text = f"{'last round ' if last else ''}{short}, {_own_first(look, b)}."
        notes = [_sum(look, b, p) for p in (bottom, top)]
    else:
        mine = o.slots[look.me, b] if look.me is not None else 0
        short = "face down" if look.is_covered(b) else "no card yet"
        text = f"your {look.name(mine - 1)} lies face down." if mine else f"{short}."
    facts: DuelFacts = {
        "text": text,
        "short": short,
        "notes": notes,
        "active": o.battle == b + 1 and not look.over,
        "next": o.phase == Phase.PLACE and o.to_act == look.me and o.slot == b,
        "last": last,
        "sides": [
            {
                "seat": p,
                "total": totals[p],
                "leads": ahead == p,
                "pieces": [x.id for x in cards[p]],
            }
            for p in (top, bottom)
        ],
    }
    if facts["active"] and o.phase == Phase.STAND and o.to_act == look.me:
        facts["hint"] = "In a standoff you cannot concede; two special cards cancel each other."
    pieces = (*cards[top], *cards[bottom])
    return Zone(f"battle:{b + 1}", "duel", f"Battle {b + 1}", pieces=pieces, facts=facts)


def _laid(look: Look, b: int, p: int) -> list[Piece]:
    """The cards of a side, face up; on each what it counts, so that one can add them up.

    Behind them lies, face down, what is sealed in a standoff (H16), or what was lost last, to a
    cancellation, a shield or a jamming.
    """
    o, cards = look.o, look.line(b, p)
    gone = int(o.gone[SEATS * b + p]) - 1
    laid = [
        _piece(look.r, c, _at(b, p, i), here="×2" if i == _doubling(look, b, p) else str(n))
        for i, (c, n) in enumerate(zip(cards, _counted(look, b, p), strict=True))
    ]
    if o.phase == Phase.STAND and p < o.to_act and o.battle == b + 1:
        laid.append(_hidden(look, p, o.sealed[p], _at(b, p, len(cards))))
    elif gone >= 0:
        laid.append(_piece(look.r, gone, _at(b, p, len(cards)), kind="lost"))
    return laid


def _at(b: int, p: int, i: int) -> str:
    """The id of a place in a line. A card that lies there face down keeps it when it is turned."""
    return f"line:{b}:{p}:{i}"


def _counted(look: Look, b: int, p: int) -> list[int]:
    """What each card of a side counts, and what the one that doubles adds."""
    lines, cards = look.lines(b), look.line(b, p)
    drain = drained(look.t, lines, p)
    found = [counts(look.t, lines, p, i, drain) for i in range(len(cards))]
    if (doubling := _doubling(look, b, p)) is not None:
        found[doubling] += total(look.t, lines, p) - sum(found)
    return found


def _doubling(look: Look, b: int, p: int) -> int | None:
    """The place of the card that doubles (IM-86: the first one); None: there is none."""
    cards = look.line(b, p)
    doubles = [i for i, card in enumerate(cards) if look.t.card[card].effect == Effect.DOUBLE]
    return doubles[0] if doubles else None


def _leads(look: Look, b: int, ahead: int) -> str:
    """ "you lead"."""
    if ahead == NOBODY:
        return "standoff"
    more = " with more cards" if len({*_totals(look, b)}) == 1 else ""
    return f"{look.seat(ahead)} {'lead' if ahead == look.me else 'leads'}{more}"


def _totals(look: Look, b: int) -> tuple[int, int]:
    """What both sides of a battle count."""
    lines = look.lines(b)
    return total(look.t, lines, 0), total(look.t, lines, 1)


def _own_first(look: Look, b: int) -> str:
    """ "5 to 3", the viewer's own first."""
    sums = _totals(look, b)
    return " to ".join(map(str, sums if look.me != 1 else sums[::-1]))


def _sum(look: Look, b: int, p: int) -> str:
    """ "Iron Man: Twin Cannon 4 + Upgrade 4 = 8"."""
    names, values = [look.name(c) for c in look.line(b, p)], _counted(look, b, p)
    cards = " + ".join(f"{name} {n}" for name, n in zip(names, values, strict=True))
    return f"{HEROES[p]}: {cards} = {_totals(look, b)[p]}" if cards else f"{HEROES[p]}: no card"


def _outcome(look: Look, b: int) -> str:
    winner = look.o.result[b] - 1
    return "drawn" if winner == NOBODY else f"{look.seat(winner)} won"


def _face_down(look: Look, b: int, p: int) -> list[Piece]:
    covered = look.o.covered[p, b]
    return [_hidden(look, p, look.o.slots[p, b], _at(b, p, 0))] if covered else []


def _hidden(look: Look, p: int, shown: int, id: str) -> Piece:
    """A card face down (1 + its kind for its owner, who knows it)."""
    if p == look.me:
        return _piece(look.r, shown - 1, id, kind="peek")
    return Piece(id, f"{look.called[p]}'s card, face down", "back")


@lru_cache(maxsize=CACHED)
def _piece(r: Any, card: int, id: str, count: int = 1, here: str = "", kind: str = "card") -> Piece:
    """A card. `here`: what it counts in its battle."""
    c, numbers, text = r.names.cards[card], r.numbers.card[card], _text(r, card)
    printed = str(numbers.value) if numbers.power or numbers.value else ""
    if here not in ("", "×2", printed or "0"):
        text = f"{text}; here it counts {here}"
    where = {"peek": ", face down", "lost": ", discarded"}.get(kind, "")
    name = f"{count} {c.name}" if count > 1 else f"{c.name}{where}"
    return Piece(
        id=id,
        label=f"{name}: {text}",
        kind=kind,
        code=c.code,
        name=c.name,
        value=here or printed,
        text=text,
        tone="power" if numbers.power else "special",
        count=count,
    )


def _text(r: Any, card: int) -> str:
    """What stands on a kind of card."""
    c = r.numbers.card[card]
    which = "" if r.numbers.double_all else " played before it"
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
    return texts[Effect(c.effect)]


@lru_cache(maxsize=CACHED)
def _hand(r: Any, cards: tuple[int, ...], me: int) -> Zone:
    """The viewer's own cards; identical ones are one piece with a count."""
    pieces = [_piece(r, card, _in_hand(r, card), n) for card, n in enumerate(cards) if n]
    return Zone(HAND, "fan", "Your hand", me, tuple(pieces), role="hand")


def _in_hand(r: Any, card: int) -> str:
    """The id of a card in the viewer's hand."""
    return f"{HAND}:{r.names.cards[card].code}"


# ---- the question --------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    if look.over:
        return result(look)
    if look.passing:
        return _news(look)
    return _question(look) if look.o.to_act == look.me else _waiting(look)


def _news(look: Look) -> str:
    """What is to be seen in the midst of an action: the battle, at the end of a round the round."""
    o, b = look.o, look.o.battle - 1
    if o.battle:
        return f"{opening(_leads(look, b, leader(look.t, o)))}, {_own_first(look, b)}."
    won = [sum(w == 1 + p for w in o.result) for p in range(SEATS)]
    first = 0 if won[0] >= won[1] else 1
    if won[0] == won[1]:
        return f"Nobody wins round {o.round}."
    battles = f"{plural(won[first], 'battle')} to {won[1 - first]}"
    return f"Round {o.round}: {look.does(first, 'win')} {battles}."


def _question(look: Look) -> str:
    """What the viewer is asked."""
    o = look.o
    other = look.called[1 - o.to_act]
    if o.phase == Phase.PLACE:
        card = f"Choose your card for battle {o.slot + 1}."
        return f"{card} It is turned over when all cards are placed."
    mine, theirs = (_totals(look, o.battle - 1)[p] for p in (o.to_act, 1 - o.to_act))
    if o.phase == Phase.RESPOND:
        cards = (
            " with as many points but fewer cards" if mine == theirs else f", {mine} to {theirs}"
        )
        return f"You are behind in battle {o.battle}{cards}: play a card, or concede it."
    if o.phase == Phase.STAND:
        return f"Standoff, {mine} to {mine}: choose a card. Both are revealed together."
    if o.phase == Phase.FORCED:
        return f"Standoff, {mine} to {mine}, and {other} has no card left: you must play one."
    if o.phase == Phase.TARGET:
        return f"Which of {other}'s cards does your shield discard?"
    return "Which power card do you take from your discard pile?"


def _waiting(look: Look) -> str:
    """What somebody else is asked."""
    o, who = look.o, opening(look.called[look.o.to_act])
    words = {
        Phase.PLACE: "places cards for the three battles",
        Phase.RESPOND: f"is behind in battle {o.battle} and must play a card or concede it",
        Phase.STAND: "chooses a card in the standoff",
        Phase.FORCED: "must play a card in the standoff",
        Phase.TARGET: "chooses which card is discarded",
        Phase.SALVAGE: "takes a power card from the discard pile",
    }
    return f"{who} {words[Phase(o.phase)]}."


def result(look: Look) -> str:
    """Who won, and why."""
    a, b = look.o.pawn[0], look.o.pawn[1]
    end = "" if look.t.track in (a, b) else f"{look.o.round} rounds are over and "
    if a == b:
        return f"A draw: {end}both pawns are on victory card {a}."
    winner = 0 if a > b else 1
    pawn = "your pawn" if winner == look.me else "the pawn"
    return f"{look.does(winner, 'win')}: {end}{pawn} is on victory card {max(a, b)}."


# ---- choices -------------------------------------------------------------------------------------
def _choice(look: Look, action: int) -> Choice:
    """One legal action of the viewer, in words."""
    o, card = look.o, action - 1
    word = look.r.game.notation.word(look.r, o, action)
    rules = _rules_behind(look.r, action, o.phase)
    if card < 0:
        sub = f"{look.does(1 - o.to_act, 'win')} battle {o.battle}"
        return Choice(action, word, "Concede the battle", sub, (), "quiet", rules)
    name = look.name(card)
    path: tuple[str, ...] = (_in_hand(look.r, card), f"battle:{o.battle or o.slot + 1}")
    sub, tone = "", "main"
    if o.phase == Phase.PLACE:
        label = f"Place {name}"
    elif o.phase == Phase.STAND:
        label = f"Choose {name}"
    elif o.phase == Phase.TARGET:
        first = look.line(o.battle - 1, 1 - o.to_act).index(card)
        label, path = f"Discard {name}", (f"line:{o.battle - 1}:{1 - o.to_act}:{first}",)
        sub = _then(look, None, struck=card)
    elif o.phase == Phase.SALVAGE:
        label, path = f"Take {name}", ()
    else:
        label, sub = f"Play {name}", _then(look, card)
    return Choice(action, word, label, sub, path, tone, rules)


@lru_cache(maxsize=CACHED)
def _rules_behind(r: Any, action: int, phase: int) -> tuple[str, ...]:
    """The ids of the rules that an action follows."""
    return rule_ids(r.game.build(False).move_of(action, phase).doc)


def _refusals(look: Look, open: set[str]) -> Iterator[Refusal]:
    """Why a card in hand or on the table that is not in `open` cannot be chosen now."""
    o, p = look.o, look.o.to_act
    for card in range(KINDS):
        if o.hands[p, card] and (id := _in_hand(look.r, card)) not in open:
            if o.phase == Phase.TARGET:
                yield Refusal(id, "First choose the card that your shield discards.", ("IM-89",))
            else:
                yield Refusal(id, "First take a power card from your discard pile.", ("IM-97",))
    for b in range(BATTLES):
        if o.slots[p, b]:
            why = f"{look.name(o.slots[p, b] - 1)} lies face down for battle {b + 1}"
            yield Refusal(_at(b, p, 0), f"{why}; it is no longer in your hand.", ("IM-13", "IM-63"))
    for b in range(o.battle) if o.phase == Phase.TARGET else ():
        for q in range(SEATS):
            for i in range(len(look.line(b, q))):
                if (id := _at(b, q, i)) not in open:
                    yield Refusal(id, *_out_of_reach(look, b, q, i))


def _out_of_reach(look: Look, b: int, q: int, i: int) -> tuple[str, tuple[str, ...]]:
    """Why a shield cannot discard a card that lies face up."""
    if b != look.o.battle - 1:
        return "This battle is over: its cards are out of reach.", ("H10",)
    if q == look.o.to_act:
        return "Your shield discards one of your opponent's cards.", ("IM-89",)
    if look.t.card[look.line(b, q)[i]].immune:
        return "No shield can discard this card.", ("H26",)
    return "These cards are alike: choose the first one.", ("H8",)


def _then(look: Look, card: int | None, struck: int | None = None) -> str:
    """How the battle stands after a card played, or one that is discarded; before its effect."""
    o, me = look.o, look.o.to_act
    lines = [look.line(o.battle - 1, p) for p in range(SEATS)]
    if card is not None:
        if look.t.card[card].effect == Effect.SHIELD and lines[1 - me]:
            return "then you choose which card is discarded"
        lines[me].append(card)
    if struck is not None:
        lines[1 - me].remove(struck)
    after = _lines(o.battle - 1, *lines)
    ahead = leader(look.t, after)
    mine, theirs = total(look.t, after, me), total(look.t, after, 1 - me)
    stands = "standoff" if ahead == NOBODY else "you lead" if ahead == me else "still behind"
    more = " with more cards" if mine == theirs and ahead == me else ""
    return f"{mine} to {theirs}, {stands}{more}"


def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """After each pair that is turned before the next one, and when the round is decided."""
    for i, event in enumerate(events):
        later = events[i + 1 :]
        compared = event in (Event.LEADS, Event.STANDOFF)
        decided = event in (Event.MOVED, Event.STAYED)
        if (compared and any(e in NEXT for e in later)) or (decided and Event.ROUND in later):
            yield i


# ---- events --------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return _Saying(r, told, viewer, names).text()


class _Saying(Saying):
    """An event of Iron Man in words."""

    def round(self) -> str:
        return f"Round {self.x['round']}."

    def dealt(self) -> str:
        return f"{self.does('get')} {cards(self.x['cards'])}."

    def drew(self) -> str:
        return ""  # told to the drawer alone, who sees it in the hand

    def reshuffled(self) -> str:
        whose = opening(self.whose(self.p))
        return f"{whose} discard pile is shuffled into a new deck of {cards(self.x['cards'])}."

    def placed(self) -> str:
        what = "a card" if self.x["card"] is None else self.name(self.x["card"])
        return f"{self.does('place')} {what} for battle {self.x['battle']}."

    def turned(self) -> str:
        return f"Battle {self.x['battle']}: {self.does('turn')} over {self.name(self.x['card'])}."

    def played(self) -> str:
        return f"{self.does('play')} {self.name(self.x['card'])}."

    def sealed(self) -> str:
        what = "a card" if self.x["card"] is None else self.name(self.x["card"])
        return f"{self.does('choose')} {what} for the standoff."

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
        whose = opening(self.whose(self.p))
        return f"{whose} pawn moves {steps}, to victory card {self.x['pawn']}."

    def stayed(self) -> str:
        return f"Nobody wins round {self.x['round']}: no pawn moves."

    def won(self) -> str:
        return f"{self.does('win')} the game."

    def drawn(self) -> str:
        return "The game is a draw."
