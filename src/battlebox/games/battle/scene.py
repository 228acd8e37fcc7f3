"""Battle as a person sees it: the seats in a ring, the standing cards, the hand; events in words.

All of it comes from an observation, so nothing here can show a card or an identity that its viewer
may not see, nor whom a secret question is put to. The viewer's own seat is "you".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...core.rules import move_of
from ...core.saying import cards, either, listed, opening, plural
from ...core.scene import Choice, Piece, Refusal, Scene, Zone, rule_ids
from ...core.zones import (
    FanFacts,
    LineFacts,
    PileFacts,
    Pill,
    RingFacts,
    Standing,
    StandingsFacts,
)
from .rules import (
    all_are_locked,
    can_beat,
    discard,
    eliminate,
    expose,
    expose_first,
    fight,
    may_take,
    next_seat,
    takes_effect,
)
from .saying import PLURALS, SIDES, a_card, a_set, say, the_side
from .state import (
    COPIES,
    ELIMINATE,
    EXPOSE,
    HELD,
    KINDS,
    NEW_BATTLE,
    RANKS,
    REVERSE,
    SAVE,
    SKIP,
    Event,
    Phase,
    Side,
    Since,
)

DECK, PILE, STAND, ORDER, LAST = "deck", "pile", "stand", "order", "last"
HAND, IDENTITY, NUMBERS, MASK = "hand", "identity", "numbers", "identity:card"
SECRET = (Phase.SV, Phase.WI)  # only the asked seat knows that it is asked
NOBODYS = (Phase.START, Phase.DEAL, Phase.FLIP)  # nobody decides anything
BUILDING = (Phase.PD, Phase.AD)
TONES = {Side.SUPERHERO: "hero", Side.VILLAIN: "villain"}
DONE = {Since.PASSED: "passed", Since.ACTED: "acted", Since.SKIPPED: "skipped"}
NAMED = ("", "single", "pair", "three", "four", "five", "six", "seven", "eight")
SOME = 3  # seats that are called by their names in a sentence; more are counted
CACHED = 4096  # drawings of each kind that are kept: most come again, in this match or another

__all__ = ["intermediate_views", "say", "scene"]


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation (a view); `actions`: what its viewer may do now."""
    look = Look(r, o, names)
    numbers = _numbers_by_rank(look, actions)
    choices = tuple(_choice(look, a, numbers) for a in actions)
    open = {id for c in choices for id in c.path}
    return Scene(
        viewer=look.me,
        to_act=look.asked,
        phase=Phase(o.phase).name,
        title=_title(look),
        prompt=_prompt(look),
        zones=tuple(_zones(look, open)),
        choices=choices,
        refusals=tuple(_refusals(look, open)) if choices else (),
        over=look.over,
    )


class Look:
    """An observation, and what is needed to talk about it: table, names, the viewer."""

    def __init__(self, r: Any, o: Any, names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        # who is asked, as far as the viewer may know
        nobody = self.over or o.phase in NOBODYS
        nobody = nobody or (o.phase in SECRET and o.to_act != self.me)
        self.asked: int | None = None if nobody else int(o.to_act)

    @property
    def stands(self) -> bool:
        """Some cards are to be beaten."""
        return bool(self.o.number)

    @property
    def round_is_over(self) -> bool:
        """All identities lie open: between two rounds, or at the end."""
        return self.over or (self.o.phase == Phase.DEAL and self.o.exposed[0] > 0)

    def name(self, card: int) -> str:
        """The name of a kind of card."""
        return str(self.r.names.cards[card].name)

    def holds(self, card: int) -> int:
        """How many of a kind are in the viewer's own hand."""
        return 0 if self.me is None else int(self.o.hands[self.me, card])

    def fights(self) -> int:
        """How many fight cards are."""
        return 0 if self.me is None else int(self.o.fights[self.me])

    def seat(self, p: int) -> str:
        """A seat within a sentence."""
        return "you" if p == self.me else self.called[p]

    def seats(self, those: Iterable[int]) -> str:
        """Several: "Ada and you"."""
        return listed([self.seat(p) for p in sorted(those, key=lambda p: p == self.me)])

    def seats_in_short(self, those: Sequence[int]) -> str:
        """Several, or how many they are: "6 players"."""
        return self.seats(those) if len(those) <= SOME else f"{len(those)} players"

    def who(self, p: int, verb: str) -> str:
        """A seat as the subject of a sentence: "You win", "Ada wins"."""
        return f"{opening(self.seat(p))} {verb}{'' if p == self.me else 's'}"

    def standing(self) -> str:
        """The standing cards: "a pair of 7s"."""
        return a_set(self.o.rank, self.o.number)


def _number(n: int) -> str:
    """So many cards of a rank: "pair"."""
    return NAMED[n] if n < len(NAMED) else str(n)


# ---- zones ---------------------------------------------------------------------------------------
def _title(look: Look) -> str:
    if look.over:
        return "The end"
    where = "battle" if look.o.battle else "building"
    return f"Round {look.o.round}, {where}" if look.t.rounds != 1 else opening(where)


def _zones(look: Look, open: set[str]) -> Iterator[Zone]:
    o = look.o
    for p in range(o.seats):
        yield _plaque(look, p)
    yield _order(look)
    if o.last_side > 0 and (look.over or not look.round_is_over):
        yield _last(look)
    yield _deck(o.deck_size, bool(o.battle))
    yield _stand(look)
    yield _pile(look.r, tuple(o.pile[: o.pile_size]))
    if numbers := tuple(n for n in range(1, COPIES + 1) if _number_id(n) in open):
        yield _numbers(numbers)
    if look.me is not None:
        if o.identity[look.me] > 0:
            ends = bool(look.t.wipeout_ends)
            yield _identity(o.identity[look.me], bool(o.exposed[look.me]), look.me, ends)
        yield _hand(look.r, tuple(o.hands[look.me, card] for card in range(HELD)), look.me)


def _plaque(look: Look, p: int) -> Zone:
    """A seat: points, cards, identity if it lies open, and what it has done in this battle."""
    o = look.o
    playing = o.living[p] > 0 and not look.round_is_over
    known = [look.name(card) for card in range(HELD) for _ in range(o.known[p, card])]
    held = listed(known) if playing else ""
    holds = f"holds {held}" if held else ""
    dealer = "dealer" if o.dealer == p and not look.over else ""
    return _plaque_of(
        p,
        look.called[p] + (" (you)" if p == look.me else ""),
        tuple(c for c in (_status(look, p), SIDES.get(o.exposed[p]), dealer, holds) if c),
        o.exposed[p],
        points=o.points[p],
        points_name=f"of {look.t.target_points} points",
        goal=look.t.target_points,
        hand=o.hand_size[p],
        notes=(f"known to hold {held}",) if held else (),
        acting=look.asked == p,
        out=not playing and not look.round_is_over,
        you=p == look.me,
    )


@lru_cache(maxsize=CACHED)
def _plaque_of(p: int, label: str, chips: tuple[str, ...], exposed: int, **facts: Any) -> Zone:
    """The plaque of these facts; another's identity lies with it, open or not."""
    facts |= {"chips": list(chips), "notes": list(facts["notes"])}
    pieces = () if facts["you"] else (_mask(exposed, f"mask:{p}"),)
    return Zone(f"seat:{p}", "plaque", label, p, pieces, facts)


def _status(look: Look, p: int) -> str:
    """What a seat has done, or may still do, in the battle; or that it is its turn."""
    o = look.o
    if look.round_is_over:
        return "winner" if o.winner[p] else ""
    if o.living[p] == 0:
        return "out"
    if o.phase == Phase.SV and o.victim == p:
        return "in danger"
    if look.stands and o.owner == 1 + p:
        return "leads"
    if look.asked is not None and o.turn == p:
        return "turn"
    if look.stands:
        return DONE.get(o.since[p], "may beat")
    return ""


def _mask(side: int, id: str) -> Piece:
    """An identity card; of one that is hidden, the back."""
    if side == Side.UNKNOWN:
        return Piece(id, "Hidden identity", "back", name="Identity")
    name = opening(SIDES[Side(side)])
    return Piece(id, f"Identity: {name}", code=name[0], name=name, tone=TONES[Side(side)])


def _way(way: int) -> str:
    """Round the table, in which the seat to the left is next clockwise."""
    return "clockwise" if way > 0 else "anticlockwise"


def _order(look: Look) -> Zone:
    """Which way play goes, and whether somebody loses a turn."""
    o = look.o
    text = _way(o.way)
    if o.skips:
        text += f", {plural(o.skips, 'turn')} to be skipped"
    return Zone(
        ORDER,
        "ring",
        "Order of play",
        facts=RingFacts(text=text, way=o.way, round=o.round),
    )


def _last(look: Look) -> Zone:
    """How the round before ended: who was what, and all points."""
    o = look.o
    number = o.round if look.over else o.round - 1
    rows: list[Standing] = [
        {
            "seat": p,
            "side": SIDES[Side(o.last_identity[p])],
            "won": bool(o.scored[p]),
            "points": o.points[p],
        }
        for p in range(o.seats)
    ]
    facts: StandingsFacts = {
        "text": _last_words(look),
        "round": number,
        "goal": look.t.target_points,
        "rows": rows,
    }
    return Zone(LAST, "standings", f"Round {number}", facts=facts)


def _last_words(look: Look) -> str:
    """Who won the round before: "the superheroes won (Ada, Cy and you)"."""
    o = look.o
    if o.last_side == Side.VOID:
        return "nobody won (it took too long)"
    those = [p for p in range(o.seats) if o.last_identity[p] == o.last_side]
    return f"{the_side(o.last_side)} ({look.seats(those)}) won{_how(look)}"


def _how(look: Look) -> str:
    """BA-62, BA-68, B16, H4: what ended the round before, by those who were still in it."""
    o = look.o
    left = [p for p in range(o.seats) if o.last_living[p]]
    if not left:
        return ""  # a position that somebody wrote does not tell
    alone = all(o.last_identity[p] == o.last_side for p in left)
    if alone and (look.t.wipeout_ends or len(left) == 1):
        enemies = Side.VILLAIN if o.last_side == Side.SUPERHERO else Side.SUPERHERO
        return f", as all {PLURALS[enemies]} were out"
    return " by playing an identity"


@lru_cache(maxsize=CACHED)
def _deck(count: int, closed: bool) -> Zone:
    """The draw deck; in the battle nobody draws any more."""
    facts: PileFacts = {
        "count": count,
        "face": "down",
        "notes": [],
        "short": "Closed" if closed else "Deck",
    }
    return Zone(DECK, "pile", "Deck, closed" if closed else "Deck", facts=facts)


def _stand(look: Look) -> Zone:
    """The standing cards, what beats them, and who may still do so."""
    o = look.o
    if not look.stands:
        text = (
            "No cards to beat: the leader may play any fight cards."
            if o.battle
            else "Everybody builds a hand until the Battle card is drawn."
        )
        return Zone(STAND, "line", "Standing cards", facts=LineFacts(text=text, pills=[]))
    owner = o.owner - 1 if o.owner else None
    pieces = tuple(_card(look.r, o.rank, f"stand:{k}") for k in range(o.number))
    who = "somebody who is out" if owner is None else look.seat(owner)
    text = f"{opening(look.standing())}, played by {who}."
    if look.round_is_over:
        return Zone(STAND, "line", "Standing cards", owner, pieces, LineFacts(text=text, pills=[]))
    asked = look.me is not None and look.asked == look.me and o.phase == Phase.FL
    able = asked and bool(can_beat(o, o.turn))
    pills: list[Pill] = [{"text": f"To beat it: {_beaters(o)}", "lit": able}]
    left = [p for p in range(o.seats) if o.living[p] and o.since[p] == Since.OPEN and p != owner]
    if left:
        pills.append(
            {"text": f"{opening(look.seats_in_short(left))} may still beat it", "lit": False}
        )
    return Zone(STAND, "line", "Standing cards", owner, pieces, LineFacts(text=text, pills=pills))


def _beaters(o: Any) -> str:
    """What beats the standing cards: "pair of 7+, or any three"."""
    of = " of" if o.number == 2 else ""
    same = f"{_number(o.number)}{of} {o.rank + 1}{'+' if o.rank + 1 < RANKS else ''}"
    return same + (f", or any {_number(o.number + 1)}" if o.number < COPIES else "")


@lru_cache(maxsize=CACHED)
def _card(r: Any, card: int, id: str, count: int = 1) -> Piece:
    """A card of a hand or on the table, face up."""
    name, code = str(r.names.cards[card].name), str(r.names.cards[card].code)
    if card < RANKS:
        label = a_set(card, count) if count > 1 else f"Fight card {name}"
        return Piece(
            id, opening(label), code=code, name=name, value=name, tone="fight", count=count
        )
    text = ACTION_TEXTS[card - SKIP]
    label = f"{count} {name}: {text}" if count > 1 else f"{name}: {text}"
    return Piece(id, label, code=code, name=name, text=text, tone="action", count=count)


ACTION_TEXTS = (
    "the next player loses a turn",
    "play goes the other way",
    "clears the standing cards; you lead",
    "puts a player out of the round, unless saved",
    "saves a player from elimination",
    "shows everybody a player's identity",
    "the battle begins",
)


@lru_cache(maxsize=CACHED)
def _pile(r: Any, pile: tuple[int, ...]) -> Zone:
    """The discard pile, open to all: its top card and what is in it."""
    names = [str(c.name) for c in r.names.cards]
    contents = {names[card]: n for card in range(KINDS) if (n := pile.count(card))}
    top = (_card(r, pile[-1], "pile:top"),) if pile else ()
    facts: PileFacts = {"count": len(pile), "face": "up", "contents": contents, "notes": []}
    return Zone(PILE, "pile", "Discard pile", pieces=top, facts=facts)


@lru_cache(maxsize=CACHED)
def _numbers(those: tuple[int, ...]) -> Zone:
    """How many cards of a rank one may play: what is tapped after the rank."""
    pieces = [Piece(_number_id(n), _number(n), "number", name=opening(_number(n))) for n in those]
    return Zone(NUMBERS, "numbers", "How many", pieces=tuple(pieces))


def _number_id(n: int) -> str:
    return f"number:{n}"


@lru_cache(maxsize=CACHED)
def _identity(side: int, exposed: bool, me: int, wipeout_ends: bool) -> Zone:
    """The viewer's own identity, which nobody else sees unless it is exposed; and what it is to do:
    BA-62, BA-65..68.
    """
    seen = "everybody sees it" if exposed else "only you see it"
    name = opening(SIDES[Side(side)])
    piece = Piece(
        MASK,
        f"Your identity: {name}; {seen}",
        "card" if exposed else "peek",
        name[0],
        name,
        text=seen,
        tone=TONES[Side(side)],
    )
    enemies = PLURALS[Side.VILLAIN if side == Side.SUPERHERO else Side.SUPERHERO]
    goal = "Your side scores when one of you runs out of fight cards (the numbers) and plays "
    goal += f"an identity, or all {enemies} are out." if wipeout_ends else "an identity."
    facts: FanFacts = {"you": f"You are a {SIDES[Side(side)]}.", "goal": goal}
    return Zone(IDENTITY, "fan", "Your identity", me, (piece,), facts)


@lru_cache(maxsize=CACHED)
def _hand(r: Any, held: tuple[int, ...], me: int) -> Zone:
    """A hand: fight cards by rank, then action cards; the same cards are one piece."""
    pieces = [_card(r, card, _in_hand(r, card), n) for card, n in enumerate(held) if n]
    return Zone(HAND, "fan", "Your hand", me, tuple(pieces), role="hand")


def _in_hand(r: Any, card: int) -> str:
    """The id of a card in the viewer's hand."""
    return f"{HAND}:{r.names.cards[card].code}"


# ---- the question --------------------------------------------------------------------------------
def _prompt(look: Look) -> str:
    if look.over:
        return result(look)
    if look.asked is not None and look.asked == look.me:
        return _question(look)
    out = look.me is not None and not look.o.living[look.me] and not look.round_is_over
    return f"You are out of this round. {_waiting(look)}" if out else _waiting(look)


def _question(look: Look) -> str:
    """What the viewer is asked."""
    o = look.o
    if o.phase == Phase.FX:
        return "The first card is Expose: choose whose identity it shows."
    if o.phase == Phase.PD:
        also = f", or take the {look.name(o.pile[o.pile_size - 1])}" if may_take(look.t, o) else ""
        return f"Your turn: draw a card{also}."
    if o.phase == Phase.AD:
        return "You may discard one card, which ends your turn."
    if o.phase == Phase.SV:
        whom = "yourself" if o.victim == look.me else look.called[o.victim]
        danger = f"{opening(whom)} would be out" if o.by == look.me else _aim(look)
        return f"{danger}. Play Save for {whom}?"
    if o.phase == Phase.WI:
        return "Between turns: do you play an action card?"
    return _question_of_battle(look)


def _question_of_battle(look: Look) -> str:
    o, has = look.o, look.fights() > 0
    also = ["an action card"] if _acts(look) and (o.phase != Phase.LM or not has) else []
    if o.phase == Phase.FL and has:
        return f"{opening(either(_ways_to_follow(look)))}."
    if o.phase == Phase.FL:
        return f"You hold no fight card: play {either(['your identity', *also])}, or pass."
    if not has:
        return f"You lead without a fight card: play {either(['your identity', *also])}."
    return f"Your lead: play {either(['any fight cards', *also])}."


def _ways_to_follow(look: Look) -> list[str]:
    """What one may do about the standing cards."""
    o, able = look.o, can_beat(look.o, look.o.turn)
    whose = "your own " if o.owner == 1 + o.turn else ""
    first = f"beat {whose}{look.standing().removeprefix('a ' if whose else '')}"
    ways = ["play an action card"] if _acts(look) or look.holds(NEW_BATTLE) else []
    ways += ["pass"] if look.t.voluntary_pass or not able else []
    return [first, *ways] if able else [f"you cannot {first}: {ways[0]}", *ways[1:]]


def _acts(look: Look) -> bool:
    """The viewer holds an action card that can be played on any turn of the battle."""
    return any(look.holds(card) for card in (SKIP, REVERSE, ELIMINATE, EXPOSE))


def _waiting(look: Look) -> str:
    """What somebody else is asked, or nobody."""
    o = look.o
    if look.round_is_over:
        return f"Round {o.round} is over: all identities are revealed."
    if o.phase in NOBODYS:
        return "The next round is dealt."
    if o.phase == Phase.SV:
        them = "you" if o.victim == look.me else "them"
        return f"{_aim(look)}, unless somebody saves {them}."
    if o.phase == Phase.WI:
        return "Between turns, anybody may play an action card."
    who = opening(look.called[o.to_act])
    if o.phase == Phase.FX:
        return f"{who} chooses whose identity the first card shows."
    if o.phase in BUILDING:
        return f"{who} {'draws a card' if o.phase == Phase.PD else 'may discard a card'}."
    return f"{who} may beat {look.standing()}." if o.phase == Phase.FL else f"{who} has the lead."


def _aim(look: Look) -> str:
    """Who eliminates whom: "Ada eliminates you"."""
    return f"{look.who(look.o.by, 'eliminate')} {look.seat(look.o.victim)}"


def result(look: Look) -> str:
    """Who won, and how the last round ended."""
    o = look.o
    winners = [p for p in range(o.seats) if o.winner[p]]
    if not winners:
        return f"A draw, with everybody level: {_last_words(look)} in the last round."
    points = plural(o.points[winners[0]], "point")
    verb = "wins" if len(winners) == 1 and winners[0] != look.me else "win"
    last = _last_words(look)
    level = [p for p in range(o.seats) if o.points[p] == o.points[winners[0]]]
    if rivals := [p for p in level if p not in winners]:  # BA-72..76
        points += f", by lot after a tie with {look.seats(rivals)}"
    return f"{opening(look.seats(winners))} {verb} with {points}: {last} in the last round."


# ---- choices -------------------------------------------------------------------------------------
def _numbers_by_rank(look: Look, actions: Sequence[int]) -> dict[int, int]:
    """How many numbers of cards may be played of each rank."""
    found = dict[int, int]()
    for a in actions:
        if _move(look, a) == "fight":
            rank, _ = move_of(fight).values(a)
            found[rank] = found.get(rank, 0) + 1
    return found


def _move(look: Look, action: int) -> str:
    """The name of the rule function that an action calls."""
    return str(look.r.game.build(False).move_of(action, look.o.phase).name)


def _choice(look: Look, action: int, numbers: dict[int, int]) -> Choice:
    """One legal action of the viewer, in words."""
    o, move = look.o, _move(look, action)
    word = look.r.game.notation.word(look.r, o, action)
    label, sub, path, tone = CHOICES.get(move, _of_card)(look, action)
    if move == "fight" and numbers[move_of(fight).values(action)[0]] == 1:
        path = path[:1]  # there is no number to choose
    return Choice(action, word, label, sub, path, tone, _rules_behind(look.r, action, o.phase))


@lru_cache(maxsize=CACHED)
def _rules_behind(r: Any, action: int, phase: int) -> tuple[str, ...]:
    """The ids of the rules that an action follows."""
    return rule_ids(r.game.build(False).move_of(action, phase).doc)


Words = tuple[str, str, tuple[str, ...], str]  # of a choice: label, what it leads to, path, tone


def _pass(look: Look, action: int) -> Words:
    """Doing nothing: one action number in four phases."""
    phase = look.o.phase
    if phase == Phase.AD:
        return "Keep all cards", "your turn ends", (), "quiet"
    if phase == Phase.SV:
        return "Do not save", "", (), "quiet"
    if phase == Phase.WI:
        return "Play nothing", "", (), "quiet"
    return "Pass", "", (), "quiet"


def _draw(look: Look, action: int) -> Words:
    return "Draw a card", f"{cards(look.o.deck_size)} in the deck", (DECK,), "main"


def _take(look: Look, action: int) -> Words:
    card = look.name(look.o.pile[look.o.pile_size - 1])
    return f"Take the {card}", "everybody sees that you hold it", (PILE,), "main"


def _discard(look: Look, action: int) -> Words:
    (rank,) = move_of(discard).values(action)
    left = look.holds(rank) - 1
    sub = f"you keep {a_set(rank, left)}" if left else ""
    return f"Discard {a_card(rank)}", sub, (_in_hand(look.r, rank), PILE), "plain"


def _fight(look: Look, action: int) -> Words:
    """BA-31, BA-62: a set, and how many fight cards are left."""
    rank, k = move_of(fight).values(action)
    left = look.fights() - k - 1
    sub = (
        f"{plural(left, 'fight card')} left"
        if left
        else "your last one: next you may play your identity"
    )
    verb = "Beat it with" if look.stands else "Lead"
    path = (_in_hand(look.r, rank), _number_id(k + 1))
    return f"{verb} {a_set(rank, k + 1)}", sub, path, "main"


def _identity_shown(look: Look, action: int) -> Words:
    side = look.o.identity[look.me]
    return "Play your identity", f"{the_side(side)} win the round", (MASK,), "main"


def _of_card(look: Look, action: int) -> Words:
    """An action card without a target."""
    code = look.r.game.notation.word(look.r, look.o, action)
    card = next(k for k in range(SKIP, HELD) if look.r.names.cards[k].code == code)
    path, sub = (_in_hand(look.r, card),), _effect(look, card)
    if sub:
        return f"Play {look.name(card)}", sub, path, "main" if card == SAVE else "plain"
    return f"Throw {look.name(card)} away", "it has no effect", path, "plain"


def _effect(look: Look, card: int) -> str:
    """What an action card without a target brings about now; empty: nothing."""
    o = look.o
    if card == SAVE:
        return (
            f"{look.seat(o.victim)} {'stay' if o.victim == look.me else 'stays'} in the round"
            if (o.phase == Phase.SV)
            else ""
        )
    if card == NEW_BATTLE:
        return "then you lead" if o.battle else ""
    if card == EXPOSE:
        return "nobody is left to expose" if takes_effect(look.t, o) else ""
    if not takes_effect(look.t, o):
        return ""
    if card == REVERSE:
        return f"play goes {_way(-o.way)}"
    return _skipped(look) if card == SKIP else ""


def _skipped(look: Look) -> str:
    """Who loses a turn if one more SKIP is played."""
    o, p = look.o, look.o.turn
    if all_are_locked(o):  # then a new battle begins, and nobody knows with whom
        return "the next player loses a turn"
    for _ in range(o.skips + 1):
        p = next_seat(o, p)
    return f"{look.seat(p)} {'lose' if p == look.me else 'loses'} a turn"


def _expose(look: Look, action: int) -> Words:
    (ahead,) = move_of(expose).values(action)
    label, sub, seat, tone = _shown(look, ahead)
    return label, sub, (_in_hand(look.r, EXPOSE), *seat), tone


def _expose_first(look: Look, action: int) -> Words:
    (ahead,) = move_of(expose_first).values(action)
    return _shown(look, ahead)


def _shown(look: Look, ahead: int) -> Words:
    """Whose identity everybody will see."""
    target = (look.o.to_act + ahead) % look.o.seats
    whom = "yourself" if target == look.me else look.called[target]
    return f"Expose {whom}", "", (_seat_id(target),), "plain"


def _eliminate(look: Look, action: int) -> Words:
    (other,) = move_of(eliminate).values(action)
    target = (look.o.to_act + 1 + other) % look.o.seats
    path = (_in_hand(look.r, ELIMINATE), _seat_id(target))
    return f"Eliminate {look.called[target]}", "", path, "plain"


def _seat_id(p: int) -> str:
    return f"seat:{p}"


CHOICES = {
    "keep": _pass,
    "give_way": _pass,
    "decline": _pass,
    "wait": _pass,
    "draw_card": _draw,
    "take": _take,
    "discard": _discard,
    "fight": _fight,
    "play_identity": _identity_shown,
    "expose": _expose,
    "expose_first": _expose_first,
    "eliminate": _eliminate,
}


# ---- why not -------------------------------------------------------------------------------------
Why = tuple[str, tuple[str, ...]]


def _refusals(look: Look, open: set[str]) -> Iterator[Refusal]:
    """Why a card, a pile, a seat or the identity that is not in `open` cannot be chosen now."""
    o = look.o
    for card in range(HELD):
        if look.holds(card) and (id := _in_hand(look.r, card)) not in open:
            why_not_now = _why_no_fight if card < RANKS else _why_no_action
            yield Refusal(id, *why_not_now(look, card))
    if MASK not in open and look.me is not None:
        why = "You can play your identity only on a battle turn you begin without a fight card."
        yield Refusal(MASK, why, ("BA-62", "BA-64"))
    for id, why_not in ((DECK, _why_no_draw), (PILE, _why_no_take)):
        if id not in open:
            yield Refusal(id, *why_not(look))
    aims = o.phase == Phase.FX or any(_in_hand(look.r, c) in open for c in (EXPOSE, ELIMINATE))
    for p in range(o.seats) if aims else ():
        if (id := _seat_id(p)) not in open:
            yield Refusal(id, *_why_no_target(look, p))


def _why_no_fight(look: Look, card: int) -> Why:
    phase, n = look.o.phase, look.holds(card)
    if phase == Phase.FL:
        why = "too few" if n < look.o.number else "too low"
        what = f"{opening(a_set(card, n))} cannot beat {look.standing()}: {why}."
        return what, ("BA-32", "BA-33", "BA-34")
    if phase == Phase.PD:
        return "Draw first: then you may discard a fight card.", ("BA-20", "BA-23")
    if phase == Phase.FX:
        return "First choose whose identity the first card shows.", ("BA-14", "B36")
    if phase == Phase.SV:
        return "Only Save can be played while somebody is being eliminated.", ("BA-59",)
    return "Between turns you can play only action cards.", ("BA-45", "B2")


def _why_no_action(look: Look, card: int) -> Why:
    o, phase = look.o, look.o.phase
    if phase in (Phase.FX, Phase.SV):
        return _why_no_fight(look, card)
    if phase == Phase.LM and look.fights():
        return "You must lead fight cards.", ("BA-30", "BA-52", "B8")
    if not o.battle and phase != Phase.WI:
        return "You have played as many action cards as a turn allows.", ("B4",)
    if card == SAVE:
        return "You can play Save only while somebody is being eliminated.", ("BA-59",)
    if look.stands:
        return "You would have to lead, but you hold no fight card.", ("BA-53", "B11")
    return "There are no standing cards to clear.", ("BA-53", "B11")


def _why_no_draw(look: Look) -> Why:
    if look.o.battle:
        return "Nobody draws cards in the battle.", ("BA-43",)
    if look.o.phase == Phase.AD:
        return "You have already drawn a card.", ("BA-20",)
    return "You draw a card only at the start of your turn.", ("BA-20",)


def _why_no_take(look: Look) -> Why:
    o = look.o
    if o.battle or o.phase != Phase.PD:
        return _why_no_draw(look)
    if o.pile_size == 0:
        return "The discard pile is empty.", ("BA-22",)
    if o.pile[o.pile_size - 1] >= RANKS and not o.option:
        return "Action cards cannot be picked up from the discard pile.", ("BA-18", "BA-21")
    return "Cards have come from the discard pile for too long: draw from the deck.", ("B9",)


def _why_no_target(look: Look, p: int) -> Why:
    if not look.o.living[p]:
        return f"{opening(look.called[p])} is out of this round.", ("BA-50", "BA-57")
    if p == look.me and not look.o.exposed[p]:
        return "You cannot choose yourself.", ("B10", "B18")
    whose = "Your" if p == look.me else f"{look.called[p]}'s"
    return f"{whose} identity is already exposed.", ("BA-50", "B10")


# ---- what is shown one after the other -----------------------------------------------------------
ENDS = (Event.UNMASKED, Event.SCORED)  # of a round


def intermediate_views(events: Sequence[Any]) -> Iterator[int]:
    """When somebody is aimed at, before anybody may save them; all identities after a round."""
    for i, event in enumerate(events):
        ended = event in ENDS and Event.ROUND in events[i:] and events[i + 1] not in ENDS
        if event == Event.AIMED or ended:
            yield i
