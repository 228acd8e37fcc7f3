"""War Zone as a person sees it: the table in zones, the question in words, events as sentences.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from ...core.codes import spread
from ...core.game import Ruleset
from ...core.perspective import Face, Perspective, Said
from ...core.saying import Saying, cards, listed, opening
from ...core.scene import Refusal, Zone
from ...core.zones import LineFacts, Pill, face_down, plaque
from .hidden import is_known
from .rules import (
    ATTACKS,
    CARDS,
    DEFENCES,
    KINDS,
    NOTHING,
    Finish,
    Phase,
    State,
    Table,
    are_opponents,
    is_counter_attack,
    living,
    one_side_left,
    place_in_deck,
    seat_at,
    strength,
)

DECK = "deck"
MAY = {
    Phase.DEFEND: "block it",
    Phase.ATTACK: "attack",
    Phase.MULL: "exchange cards before the game",
    Phase.CYCLE: "put cards under the deck, then the turn ends",
}


def named(r: Ruleset, those: Sequence[int]) -> str:
    """Several kinds: "Trench or Bunker"."""
    return " or ".join(str(r.names.cards[card].name) for card in those)


@lru_cache
def blockers(t: Table, attack: int) -> list[int]:
    """The defences that block an attack."""
    return [ATTACKS + d for d in range(DEFENCES) if t.blocks[attack, d]]


@lru_cache
def answered(t: Table, attack: int) -> list[int]:
    """WZ-41: the cards that an attack counters."""
    return [card for card in range(KINDS) if t.answers[attack, card]]


@lru_cache
def answers(t: Table, card: int) -> list[int]:
    """The attacks that counter a card."""
    return [a for a in range(ATTACKS) if t.answers[a, card]]


def bonus_words(health: int, damage: int) -> str:
    """What a counteraction pays: "+2 health, +1 damage"."""
    parts = [f"+{x} {what}" for x, what in ((health, "health"), (damage, "damage")) if x]
    return ", ".join(parts) or "nothing"


class Look(Perspective[State, Table]):
    """The table as one viewer sees it."""

    families: ClassVar[Mapping[str, tuple[str, str]]] = {
        "attack": ("Attack cards", "Play one on your turn, at one opponent."),
        "defence": ("Defence cards", "Play one when you are attacked, if it blocks that attack."),
    }

    def __init__(self, r: Ruleset, o: State, names: Sequence[str]) -> None:
        super().__init__(r, o, names)
        self.held: Sequence[int] | Any = [0] * KINDS if self.me is None else o.hands[self.me]

    @staticmethod
    def face(r: Ruleset, card: int) -> Face:
        t: Table = r.numbers  # type: ignore[assignment]
        if card >= ATTACKS:
            attacks = [a for a in range(ATTACKS) if t.blocks[a, card - ATTACKS]]
            what = listed([named(r, [a]) for a in attacks]) or "nothing"
            return Face(f"blocks {what}", tone="defence")
        a = t.attack[card]
        parts = [f"{a.damage} damage", f"blocked by {named(r, blockers(t, card))}"]
        if a.bonus_health or a.bonus_damage:
            bonus = bonus_words(a.bonus_health, a.bonus_damage)
            parts.append(f"counters {named(r, answered(t, card))}: {bonus}")
        return Face(", ".join(parts), str(a.damage), "attack")

    def names(self, those: Sequence[int]) -> str:
        """Several kinds: "Trench or Bunker"."""
        return named(self.r, those)

    def team(self, p: int) -> str:
        """The team of a seat: "team A"; empty without team play."""
        return f"team {chr(ord('A') + self.t.team[p])}" if self.t.team_play else ""

    # ---- zones ----------------------------------------------------------------------------------
    def title(self) -> str:
        if self.over:
            return "The end"
        if self.o.phase == Phase.MULL:
            return "Opening exchange"
        turn = f"Turn {self.o.turns + 1}"
        return f"Lightning round, {turn.lower()}" if self.o.lightning else turn

    def zones(self, actions: Sequence[int]) -> Iterator[Zone]:
        o = self.o
        for p in range(o.seats):
            yield self.plaque(p)
        yield face_down(DECK, "Deck", o.deck_size, notes=self.buried())
        yield self.open_pile("discard", "Discard pile", o.pile[: o.pile_size])  # W24
        if any(o.removed):
            yield self.open_pile("removed", "Out of the game", spread(o.removed), top=False)
        yield self.last()
        if self.me is not None:
            yield self.hand(self.held)

    def plaque(self, p: int) -> Zone:
        """A seat: its health, how many cards it holds, and what is up with it."""
        o, acting, out = self.o, self.asked == p, self.o.health[p] == 0
        turn = not self.over and o.phase != Phase.MULL and o.turn == p
        team = self.team(p)
        return plaque(
            p,
            self.label(p),
            points=o.health[p],
            points_of=self.t.lightning_health if o.lightning else self.t.health,
            hand=o.hand_size[p],
            team=team,
            acting=acting,
            out=out,
            you=p == self.me,
            points_name="health",
            chips=(
                team,
                "winner" if self.over and o.won[p] else "",
                "turn" if turn else "",
                "under attack" if acting and o.phase == Phase.DEFEND else "",
                f"{o.cycled} put under" if acting and o.cycled else "",
                "out" if out else "",
            ),
        )

    def buried(self) -> list[str]:
        """Where in the deck lie those cards that the viewer put there."""
        o, notes = self.o, []
        if self.me is not None and self.me + 1 in o.laid_by:
            mine = [(i - o.deck_top) % CARDS for i, by in enumerate(o.laid_by) if by == self.me + 1]
            for depth in sorted(d for d in mine if d < o.deck_size and is_known(o, d, self.me)):
                above = f"under {cards(depth)}" if depth else "on top"
                notes.append(f"your {self.name(o.deck[place_in_deck(o, depth)])} is {above}")
        return notes

    def last(self) -> Zone:
        """The last card played, the attack that waits for its answer, and the bonus on offer."""
        o = self.o
        if o.last == NOTHING:
            nothing = LineFacts(text="No card has been played yet.", pills=[])
            return Zone("last", "line", "Last card", facts=nothing)
        if o.phase == Phase.DEFEND and o.target != self.me:  # the target is told by the prompt
            text = f"{self.attack_words()}: {self.effect_words()}."
        else:
            text = f"{opening(self.seat(o.last_by))} played {self.name(o.last)}."
        offers = [] if self.over else [self.offer(a) for a in answers(self.t, o.last)]
        facts = LineFacts(text=text, pills=offers)
        return Zone(
            "last", "line", "Last card", o.last_by, (self.card(o.last, "last:card"),), facts
        )

    def offer(self, attack: int) -> Pill:
        """An opponent of the last card's player who plays this attack next gets its bonus."""
        a = self.t.attack[attack]
        bonus = bonus_words(a.bonus_health, a.bonus_damage)
        text = f"{self.name(attack)} would counter it: {bonus}"
        if self.me is not None and not are_opponents(self.t, self.me, self.o.last_by):
            return {"text": f"{text}, if an opponent plays it", "lit": False}
        held = self.held[attack] > 0
        return {"text": text + (" (you hold it)" if held else ""), "lit": held}

    def attack_words(self) -> str:
        """The pending attack: "Seat 2 attacks you with Artillery"."""
        o = self.o
        head = self.does(o.turn, "counter-attack" if o.bonus else "attack")
        text = f"{head} {self.seat(o.target)} with {self.name(o.attack)}"
        if o.bonus:
            text += f", which counters {self.names(answered(self.t, o.attack))}"
        return text

    def effect_words(self) -> str:
        """What the pending attack does if it is not blocked."""
        o = self.o
        stops = self.names(blockers(self.t, o.attack))
        text = f"{self.damage(o.attack, o.bonus)} damage unless blocked by {stops}"
        if o.bonus and (extra := self.t.attack[o.attack].bonus_damage):
            text += f" (counter-attack: +{extra} damage)"
        if gained := self.gain_of_hit():
            gain = "gain" if o.turn == self.me else "gains"
            text += f"; {self.seat(o.turn)} {gain} {gained} health"
        return text

    # ---- what attacks come to -------------------------------------------------------------------
    def damage(self, attack: int, bonus: int) -> int:
        a = self.t.attack[attack]
        return a.damage + (a.bonus_damage if bonus else 0)

    def left(self, target: int, damage: int) -> int:
        """The health that a seat is left with."""
        return max(0, self.o.health[target] - damage)

    def gain(self, health: int, now: int) -> int:
        """What is left of a gain under the cap on health."""
        cap = self.t.health_cap
        return max(0, min(health, cap - now)) if cap else health

    def gain_of_hit(self) -> int:
        """The health the attacker gains if the pending attack is not blocked."""
        o, t, now = self.o, self.t, self.o.health[self.o.turn]
        first = self.gain(t.attack[o.attack].bonus_health, now) if o.bonus else 0
        return first + (self.gain(t.copy_health, now + first) if o.copied else 0)

    def gains(self, card: int, counter: bool) -> tuple[int, int]:
        """What an attack may gain the viewer: as a counter-attack, as a copy of the last attack."""
        now = self.o.health[self.o.to_act]
        bonus = self.t.attack[card].bonus_health if counter else 0
        copied = self.t.copy_health if card == self.o.last_attack else 0
        if self.t.copy_blockable:  # both come with the hit, the copy's share last
            gained = self.gain(bonus, now)
            return gained, self.gain(copied, now + gained)
        copy = self.gain(copied, now)
        return self.gain(bonus, now + copy), copy

    # ---- the question ---------------------------------------------------------------------------
    def question(self, actions: Sequence[int]) -> str:
        o, t = self.o, self.t
        if o.phase == Phase.DEFEND:
            return self.question_of_attack()
        if o.phase == Phase.ATTACK:
            if not any(self.held[a] for a in range(ATTACKS)):
                return "Your turn, but you hold no attack card."
            also = ", or hold fire" if 0 in actions or not actions else " (you must)"
            whom = "the closest opponent to your left" if t.team_play else "an opponent"
            return f"Your turn: attack {whom}{also}."
        when = "Before the game" if o.phase == Phase.MULL else "End of your turn:"
        more = " more" if o.cycled else ""
        left = self.to_put_under()
        many = f"1{more} card" if left == 1 else f"up to {left}{more} cards"
        return f"{when} you may put {many} under the deck, then draw up to {o.hand_limit}."

    def question_of_attack(self) -> str:
        o = self.o
        damage, more = self.damage(o.attack, o.bonus), 0
        left = self.left(o.target, damage)
        hit = f"{o.health[o.target]} → {left}" + ("" if left else ", and you are out")
        if o.bonus:
            more = self.t.attack[o.attack].bonus_damage
        points = f"{damage - more} + {more}" if more else damage
        text, stops = f"{self.attack_words()} ({points} damage).", blockers(self.t, o.attack)
        if mine := [card for card in stops if self.held[card]]:
            return f"{text} Block it with {self.names(mine)}, or take the hit: {hit}."
        return f"{text} You hold no {self.names(stops)} to block it: {hit}."

    def to_put_under(self) -> int:
        """How many cards may still be put under the deck."""
        most = self.t.mulligan if self.o.phase == Phase.MULL else self.t.cycle
        return most - self.o.cycled

    def waiting(self) -> str:
        who = opening(self.seat(self.o.to_act))
        text = f"{who} may {MAY[self.phase]}."
        if self.o.phase == Phase.DEFEND:
            text = f"{self.attack_words()}. {text}"
        out = self.me is not None and self.o.health[self.me] == 0
        return f"You are out. {text}" if out else text

    def result(self) -> str:
        winners = [p for p in range(self.seats) if self.o.won[p]]
        who = listed([self.seat(p) for p in winners])
        verb = "win" if len(winners) > 1 or winners[0] == self.me else "wins"
        if len({self.t.team[p] for p in winners}) > 1:
            verb = "share the win"
        elif self.t.team_play:
            who, verb = f"{self.team(winners[0])} ({who})", "wins"
        return f"{opening(who)} {verb}: {self.why(winners)}."

    def why(self, winners: Sequence[int]) -> str:
        """Why they have won."""
        o, t = self.o, self.t
        where = " in the lightning round" if o.lightning else ""
        if one_side_left(t, o):
            last = "all their opponents are out" if len(winners) > 1 else "everyone else is out"
            return last + where
        who = "you" if winners == [self.me] else "they"
        most = f"{who} have the most health, {strength(t, o, t.team[winners[0]])}"
        if o.depleted:
            return f"the deck is empty, and {most}"
        if t.idle_laps and o.idle >= t.idle_laps * living(o):
            return f"nobody attacked for {t.idle_laps} rounds{where}, and {most}"
        return f"{o.turns} turns are over{where}, and {most}"

    # ---- choices --------------------------------------------------------------------------------
    def do_attack(self, card: int, distance: int) -> Said:
        target = seat_at(self.o, distance)
        counter = bool(is_counter_attack(self.t, self.o, card))
        left = self.left(target, self.damage(card, counter))
        gained = self.o.health[self.o.to_act] + sum(self.gains(card, counter))
        return Said(
            f"Attack {self.called[target]} with {self.name(card)}",
            self.attack_result(card, target, left, counter),
            (self.in_hand(card), f"seat:{target}"),
            "main",
            {f"seat:{target}": left, f"seat:{self.me}": gained},  # if it is not blocked
        )

    def attack_result(self, card: int, target: int, left: int, counter: bool) -> str:
        """What is certain about an attack: it is only the answer that nobody knows."""
        finish = self.last_card_words()
        if finish and self.t.finish == Finish.AT_ONCE:
            return finish
        parts = [
            f"{self.o.health[target]} → {left}{'' if left else ' (out)'}, if not blocked",
        ]
        gained, copy = self.gains(card, counter)
        if counter:
            parts.append("counter-attack" + (f", +{gained} for you" if gained else ""))
        if copy:
            when = "if not blocked" if self.t.copy_blockable else "at once"
            parts.append(f"+{copy} for you {when}: a copy")
        return "; ".join([*parts, finish] if finish else parts)

    def last_card_words(self) -> str:
        """Variant 3: whether playing a card now empties the deck, and what that means."""
        o, t = self.o, self.t
        if not t.speedy or o.lightning or o.depleted:
            return ""
        drawn = o.hand_limit - (o.hand_size[o.to_act] - 1)
        if o.deck_size - drawn >= (1 if t.eager else 0):
            return ""
        when = ("at once", "after this attack", "after this round")[t.finish]
        return f"takes the last card of the deck: the game ends {when}"

    def do_hold_fire(self) -> Said:
        """What one more turn without an attack brings about (W18, W19)."""
        o, t, sub = self.o, self.t, "no attack this turn"
        idle, players = o.idle + 1, living(o)
        if idle % players == 0:
            if t.idle_laps and idle >= t.idle_laps * players:
                sub = "the match is decided: nobody has attacked for too long"
            elif t.relief and o.pile_size and not o.depleted:
                sub = "a lap without an attack: the discard pile is shuffled into the deck"
        return Said("Hold fire", sub, tone="quiet")

    def do_block(self, defence: int) -> Said:
        o, card = self.o, ATTACKS + defence
        sub = f"you stay at {o.health[o.target]}"
        if self.gain_of_hit():
            sub += f", {self.seat(o.turn)} at {o.health[o.turn]}"
        if finish := self.last_card_words():
            sub += f"; {finish}"
        return Said(f"Block with {self.name(card)}", sub, (self.in_hand(card),), "main")

    def do_take_the_hit(self) -> Said:
        o = self.o
        left = self.left(o.target, self.damage(o.attack, o.bonus))
        sub = f"{o.health[o.target]} → {left}" + ("" if left else ", you are out")
        if gained := self.gain_of_hit():
            sub += f"; +{gained} for {self.seat(o.turn)}"
        return Said("Take the hit", sub, tone="quiet")

    def do_cycle(self, card: int) -> Said:
        left = self.to_put_under() - 1
        last = left == 0 or self.o.hand_size[self.o.to_act] == 1
        sub = "then you draw" if last else f"then up to {left} more"
        return Said(f"Put {self.name(card)} under the deck", sub, (self.in_hand(card), DECK))

    def do_end_turn(self) -> Said:
        drawn = max(0, self.o.hand_limit - self.o.hand_size[self.o.to_act])
        if self.o.cycled:
            return Said("Done", f"draw {cards(drawn)}", tone="quiet")
        return Said("Keep your hand", "and draw up" if drawn else "", tone="quiet")

    do_end_exchange = do_end_turn

    def refusals(self, open: set[str]) -> Iterator[Refusal]:
        o, attacking = self.o, self.o.phase == Phase.ATTACK
        for card, id in self.idle(self.held, open):
            name = self.name(card)
            if attacking and card >= ATTACKS:
                why = f"{name} is for defence: it {self.text(card)} when you are attacked."
                yield Refusal(id, why, ("WZ-32", "WZ-33"))
            elif o.phase == Phase.DEFEND:
                stops = self.names(blockers(self.t, o.attack))
                why = f"{name} does not block {self.name(o.attack)}: only {stops} would."
                yield Refusal(id, why, ("WZ-22", "WZ-23"))
        for p in range(o.seats) if attacking else ():
            if (id := f"seat:{p}") not in open:
                if p == self.me:
                    yield Refusal(id, "You cannot attack yourself.", ("WZ-21", "W2"))
                elif not o.health[p]:
                    yield Refusal(id, f"{self.called[p]} is out.", ("WZ-21", "WZ-53"))
                elif self.t.team_play:
                    why = "In team play you can attack only the first opponent to your left."
                    yield Refusal(id, why, ("WZ-61",))

    def cue(self, actions: Sequence[int]) -> str:
        return "You are attacked" if self.o.phase == Phase.DEFEND else ""


class Says(Saying):
    """An event of War Zone in words."""

    def card(self) -> str:
        return self.name(self.x["card"])

    def dealt(self) -> str:
        return f"{self.does('get')} {cards(self.x['cards'])}."

    def drew(self) -> str:  # told to the drawer alone
        return "" if self.told.turn < 0 else f"You draw {self.card()}."

    drew_up = Saying.unsaid  # everybody always draws up; the drawer is told card by card

    def put_under(self) -> str:
        return f"{self.does('put')} {self.card()} under the deck."

    def starts(self) -> str:
        return f"{self.owned('turn')}."

    def attacked(self) -> str:
        verb = "counter-attack" if self.x["bonus"] else "attack"
        text = f"{self.does(verb)} {self.seat(self.x['target'])} with {self.card()}"
        if self.x["bonus"]:
            counters = answered(self.r.numbers, self.x["card"])
            text += f", which counters {named(self.r, counters)}"
        return f"{text}."

    def held_fire(self) -> str:
        return f"{self.does('do not attack', 'does not attack')}."

    def blocked(self) -> str:
        return f"{self.does('block')} it with {self.card()}."

    def hit(self) -> str:
        return f"{self.does('take')} {self.x['damage']} damage: {self.x['health']} left."

    def gained(self) -> str:
        return f"{self.does('gain')} {self.x['health']} health: now {self.x['now']}."

    def out(self) -> str:
        text, n = f"{self.does('are', 'is')} out", self.x["cards"]
        if not n:
            return f"{text}."
        where = "to the discard pile" if self.r.numbers.discard_hand else "out of the game"
        return f"{text}; {self.own} {cards(n)} go{'es' if n == 1 else ''} {where}."

    def reshuffled(self) -> str:
        many = cards(self.x["cards"])
        return f"The deck is empty: the discard pile is shuffled into a new deck of {many}."

    def relieved(self) -> str:
        return (
            "A lap without an attack: the discard pile is shuffled into the deck, "
            f"which now has {cards(self.x['cards'])}."
        )

    def depleted(self) -> str:
        when = ("now", "after this attack", "after this round")[self.r.numbers.finish]
        return f"The deck is empty: the game ends {when}, and the most health wins."

    turn_ended = Saying.unsaid  # the next turn is announced

    def lightning(self) -> str:
        health, many = self.x["health"], cards(self.x["cards"])
        return f"Lightning round: {self.does('play')} on with {health} health and {many}."

    def won(self) -> str:
        return f"{self.does('share')} the win." if self.x["shared"] else f"{self.does('win')}."
