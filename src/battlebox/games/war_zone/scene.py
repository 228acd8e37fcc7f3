"""War Zone as a person sees it: the table in zones, the question in words, events as sentences.

All of it comes from an observation, so nothing here can show a card that its viewer may not see.
The seats have the names they are given; the viewer's own is "you".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from ...core.saying import Saying, cards, listed, opening
from ...core.scene import Choice, Piece, Refusal, Scene, Zone, rule_ids
from ...core.zones import LineFacts, PileFacts, Pill, PlaqueFacts
from .hidden import is_known
from .notation import ATTACK, BLOCK, CYCLE
from .rules import (
    ATTACKS,
    CARDS,
    DEFENCES,
    KINDS,
    NOTHING,
    Finish,
    Phase,
    are_opponents,
    is_counter_attack,
    living,
    one_side_left,
    place_in_deck,
    seat_at,
    strength,
)

DECK, DISCARD, LAST, HAND, REMOVED = "deck", "discard", "last", "hand", "removed"
CACHED = 4096  # drawings of each kind that are kept: most come again, in this match or another


def scene(r: Any, o: Any, actions: Sequence[int], names: Sequence[str]) -> Scene:
    """The scene of an observation (a view); `actions`: what its viewer may do now."""
    look = Look(r, o, names)
    return Scene(
        viewer=look.me,
        to_act=None if look.over else int(o.to_act),
        phase=Phase(o.phase).name,
        title=_title(look),
        prompt=_prompt(look, actions),
        zones=tuple(_zones(look)),
        choices=(choices := tuple(_choice(look, a) for a in actions)),
        refusals=tuple(_refusals(look, {id for c in choices for id in c.path})) if choices else (),
        over=look.over,
        cue="You are attacked" if choices and o.phase == Phase.DEFEND else "",
    )


class Look:
    """An observation, and what is needed to talk about it: table, names, the viewer."""

    def __init__(self, r: Any, o: Any, names: Sequence[str]) -> None:
        self.r, self.o, self.t, self.called = r, o, r.numbers, names
        self.me: int | None = o.viewer - 1 if o.viewer > 0 else None
        self.over = bool(o.phase == Phase.OVER)
        self.hand = [0] * KINDS if self.me is None else o.hands[self.me]

    def name(self, card: int) -> str:
        """The name of a kind of card."""
        return str(self.r.names.cards[card].name)

    def code(self, card: int) -> str:
        """Its code in the notation."""
        return str(self.r.names.cards[card].code)

    def names(self, cards: Sequence[int]) -> str:
        """Several kinds: "Trench or Bunker"."""
        return _names(self.r, cards)

    def seat(self, p: int) -> str:
        """A seat within a sentence."""
        return "you" if p == self.me else self.called[p]

    def blockers(self, attack: int) -> list[int]:
        """The defences that block an attack."""
        return _blockers(self.t, attack)

    def holds(self, card: int) -> int:
        """How many of a kind are in the viewer's own hand."""
        return int(self.hand[card])

    def gain(self, health: int, now: int) -> int:
        """What is left of a gain under the cap on health."""
        cap = self.t.health_cap
        return max(0, min(health, cap - now)) if cap else health


def team_name(t: Any, p: int) -> str:
    """The team of a seat: "team A"; empty without team play."""
    return f"team {chr(ord('A') + t.team[p])}" if t.team_play else ""


def _bonus(health: int, damage: int) -> str:
    """What a counteraction pays: "+2 health, +1 damage"."""
    parts = [f"+{x} {what}" for x, what in ((health, "health"), (damage, "damage")) if x]
    return ", ".join(parts) or "nothing"


# ---- zones --------------------------------------------------------------------------------------
def _title(look: Look) -> str:
    if look.over:
        return "The end"
    if look.o.phase == Phase.MULL:
        return "Opening exchange"
    turn = f"Turn {look.o.turns + 1}"
    return f"Lightning round, {turn.lower()}" if look.o.lightning else turn


def _zones(look: Look) -> Iterator[Zone]:
    for p in range(look.o.seats):
        yield _plaque(look, p)
    yield _deck(look)
    yield _discard(look.r, tuple(look.o.pile[: look.o.pile_size]))
    if any(look.o.removed):
        yield _counted(look.r, REMOVED, "Out of the game", look.o.removed)
    yield _last(look)
    if look.me is not None:
        yield _hand(look.r, tuple(look.hand), look.me)


def _plaque(look: Look, p: int) -> Zone:
    """A seat: its health, how many cards it holds, and what is up with it, in `chips`."""
    o, t = look.o, look.t
    out = o.health[p] == 0
    acting = not look.over and o.to_act == p
    chips = [team_name(t, p)]
    if look.over:
        chips.append("winner" if o.won[p] else "")
    elif o.phase != Phase.MULL and o.turn == p:
        chips.append("turn")
    if acting and o.phase == Phase.DEFEND:
        chips.append("under attack")
    if acting and o.cycled:
        chips.append(f"{o.cycled} put under")
    chips.append("out" if out else "")
    return _plaque_of(
        p,
        look.called[p] + (" (you)" if p == look.me else ""),
        points=o.health[p],
        points_of=t.lightning_health if o.lightning else t.health,
        hand=o.hand_size[p],
        team=team_name(t, p),
        acting=acting,
        out=out,
        you=p == look.me,
        chips=tuple(c for c in chips if c),
    )


@lru_cache(maxsize=CACHED)
def _plaque_of(p: int, label: str, chips: tuple[str, ...], **facts: Any) -> Zone:
    """The plaque of these facts."""
    said: PlaqueFacts = {**facts, "points_name": "health", "chips": list(chips)}  # type: ignore
    return Zone(f"seat:{p}", "plaque", label, p, facts=said)


@lru_cache(maxsize=CACHED)
def _piece(r: Any, card: int, id: str, count: int = 1) -> Piece:
    """A card, face up."""
    damage, text = _faces(r)[card]
    code, name = str(r.names.cards[card].code), _names(r, [card])
    return Piece(
        id=id,
        label=f"{count} {name}: {text}" if count > 1 else f"{name}: {text}",
        code=code,
        name=name,
        value=damage,
        text=text,
        tone="defence" if card >= ATTACKS else "attack",
        count=count,
    )


@lru_cache(maxsize=64)
def _faces(r: Any) -> tuple[tuple[str, str], ...]:
    """What stands on each kind of card: its damage, and what it does."""
    t = r.numbers
    attacks = [(str(t.attack[a].damage), _attack_text(r, t, a)) for a in range(ATTACKS)]
    return (*attacks, *(("", _defence_text(r, t, d)) for d in range(DEFENCES)))


def _attack_text(r: Any, t: Any, attack: int) -> str:
    a = t.attack[attack]
    parts = [f"{a.damage} damage", f"blocked by {_names(r, _blockers(t, attack))}"]
    answered = [c for c in range(KINDS) if t.answers[attack, c]]
    if a.bonus_health or a.bonus_damage:
        parts.append(f"counters {_names(r, answered)}: {_bonus(a.bonus_health, a.bonus_damage)}")
    return ", ".join(parts)


def _defence_text(r: Any, t: Any, defence: int) -> str:
    attacks = [a for a in range(ATTACKS) if t.blocks[a, defence]]
    return f"blocks {listed([_names(r, [a]) for a in attacks])}" if attacks else "blocks nothing"


def _names(r: Any, cards: Sequence[int]) -> str:
    """Several kinds: "Trench or Bunker"."""
    return " or ".join(str(r.names.cards[c].name) for c in cards)


def _blockers(t: Any, attack: int) -> list[int]:
    """The defences that block an attack."""
    return [ATTACKS + d for d in range(DEFENCES) if t.blocks[attack, d]]


@lru_cache(maxsize=CACHED)
def _hand(r: Any, cards: tuple[int, ...], me: int) -> Zone:
    """The viewer's own cards; identical ones are one piece with a count."""
    pieces = [_piece(r, card, _in_hand(r, card), n) for card, n in enumerate(cards) if n]
    return Zone(HAND, "fan", "Your hand", me, tuple(pieces), role="hand")


def _in_hand(r: Any, card: int) -> str:
    """The id of a card in the viewer's hand."""
    return f"{HAND}:{r.names.cards[card].code}"


def _deck(look: Look) -> Zone:
    """The draw deck: how many cards, and where in it lie those the viewer put there."""
    o, notes = look.o, []
    if look.me is not None:
        mine = [(i - o.deck_top) % CARDS for i, by in enumerate(o.laid_by) if by == look.me + 1]
        for depth in sorted(d for d in mine if d < o.deck_size and is_known(o, d, look.me)):
            card = look.name(o.deck[place_in_deck(o, depth)])
            above = f"under {cards(depth)}" if depth else "on top"
            notes.append(f"your {card} is {above}")
    facts: PileFacts = {"count": o.deck_size, "face": "down", "notes": notes}
    return Zone(DECK, "pile", "Deck", facts=facts)


@lru_cache(maxsize=CACHED)
def _discard(r: Any, pile: tuple[int, ...]) -> Zone:
    """The discard pile, open to all (W24): its top card and what is in it."""
    top = [_piece(r, pile[-1], "discard:top")] if pile else []
    return _counted(r, DISCARD, "Discard pile", [pile.count(c) for c in range(KINDS)], top)


def _counted(r: Any, id: str, label: str, counts: Sequence[int], top: Sequence[Piece] = ()) -> Zone:
    contents = {_names(r, [card]): n for card, n in enumerate(counts) if n}
    facts: PileFacts = {"count": sum(counts), "face": "up", "contents": contents, "notes": []}
    return Zone(id, "pile", label, pieces=tuple(top), facts=facts)


def _last(look: Look) -> Zone:
    """The last card played, the attack that waits for its answer, and the bonus now on offer."""
    o = look.o
    if o.last == NOTHING:
        nothing: LineFacts = {"text": "No card has been played yet.", "pills": []}
        return Zone(LAST, "line", "Last card", facts=nothing)
    if o.phase == Phase.DEFEND and o.target != look.me:  # the target is told by the prompt
        text = f"{_attack_words(look)}: {_effect_words(look)}."
    else:
        text = f"{opening(look.seat(o.last_by))} played {look.name(o.last)}."
    answers = [a for a in range(ATTACKS) if look.t.answers[a, o.last] and not look.over]
    pills = [_offer(look, a) for a in answers]
    piece = _piece(look.r, o.last, "last:card")
    facts: LineFacts = {"text": text, "pills": pills}
    return Zone(LAST, "line", "Last card", o.last_by, (piece,), facts)


def _offer(look: Look, attack: int) -> Pill:
    """An opponent of the last card's player who plays this attack next gets its bonus."""
    a, by = look.t.attack[attack], look.o.last_by
    text = f"{look.name(attack)} would counter it: {_bonus(a.bonus_health, a.bonus_damage)}"
    if look.me is not None and not are_opponents(look.t, look.me, by):
        return {"text": f"{text}, if an opponent plays it", "lit": False}
    held = look.holds(attack) > 0
    return {"text": text + (" (you hold it)" if held else ""), "lit": held}


def _attack_words(look: Look) -> str:
    """The pending attack: "Seat 2 attacks you with Artillery"."""
    o = look.o
    verb = "counter-attack" if o.bonus else "attack"
    head = f"You {verb}" if o.turn == look.me else f"{opening(look.seat(o.turn))} {verb}s"
    text = f"{head} {look.seat(o.target)} with {look.name(o.attack)}"
    return f"{text}, which counters {_answered(look.r, o.attack)}" if o.bonus else text


def _answered(r: Any, attack: int) -> str:
    """WZ-41: the cards that an attack counters."""
    return _names(r, [c for c in range(KINDS) if r.numbers.answers[attack, c]])


def _effect_words(look: Look) -> str:
    """What the pending attack does if it is not blocked."""
    o, t = look.o, look.t
    blockers = look.names(look.blockers(o.attack))
    text = f"{_damage(look, o.attack, bool(o.bonus))} damage unless blocked by {blockers}"
    gained = _gain_of_hit(look)
    who = look.seat(o.turn)
    if o.bonus:
        extra = t.attack[o.attack].bonus_damage
        text += f" (counter-attack: +{extra} damage)" if extra else ""
    return text + (
        f"; {who} gain{'' if o.turn == look.me else 's'} {gained} health" if gained else ""
    )


def _damage(look: Look, attack: int, bonus: bool) -> int:
    a = look.t.attack[attack]
    return int(a.damage + (a.bonus_damage if bonus else 0))


def _gain_of_hit(look: Look) -> int:
    """The health the attacker gains if the pending attack is not blocked."""
    o, t = look.o, look.t
    now = o.health[o.turn]
    first = look.gain(t.attack[o.attack].bonus_health, now) if o.bonus else 0
    return int(first + (look.gain(t.copy_health, now + first) if o.copied else 0))


# ---- the question -------------------------------------------------------------------------------
def _prompt(look: Look, actions: Sequence[int]) -> str:
    if look.over:
        return result(look)
    if look.me is not None and look.o.to_act == look.me:
        return _question(look, actions)
    waiting = _waiting(look)
    out = look.me is not None and look.o.health[look.me] == 0
    return f"You are out. {waiting}" if out else waiting


def _question(look: Look, actions: Sequence[int]) -> str:
    """What the viewer is asked."""
    o, t = look.o, look.t
    if o.phase == Phase.DEFEND:
        return _question_of_attack(look)
    if o.phase == Phase.ATTACK:
        if not any(look.holds(a) for a in range(ATTACKS)):
            return "Your turn, but you hold no attack card."
        also = ", or hold fire" if 0 in actions or not actions else " (you must)"
        whom = "the closest opponent to your left" if t.team_play else "an opponent"
        return f"Your turn: attack {whom}{also}."
    left = (t.mulligan if o.phase == Phase.MULL else t.cycle) - o.cycled
    when = "Before the game" if o.phase == Phase.MULL else "End of your turn:"
    more = " more" if o.cycled else ""
    many = f"1{more} card" if left == 1 else f"up to {left}{more} cards"
    return f"{when} you may put {many} under the deck, then draw up to {o.hand_limit}."


def _question_of_attack(look: Look) -> str:
    o = look.o
    damage = _damage(look, o.attack, bool(o.bonus))
    left = max(0, o.health[o.target] - damage)
    hit = f"{o.health[o.target]} → {left}" + ("" if left else ", and you are out")
    more = look.t.attack[o.attack].bonus_damage if o.bonus else 0
    text = f"{_attack_words(look)} ({f'{damage - more} + {more}' if more else damage} damage)."
    blockers = look.blockers(o.attack)
    mine = [c for c in blockers if look.holds(c)]
    if mine:
        return f"{text} Block it with {look.names(mine)}, or take the hit: {hit}."
    return f"{text} You hold no {look.names(blockers)} to block it: {hit}."


def _waiting(look: Look) -> str:
    """What somebody else is asked."""
    o, who = look.o, opening(look.seat(look.o.to_act))
    if o.phase == Phase.DEFEND:
        return f"{_attack_words(look)}. {who} may block it."
    if o.phase == Phase.ATTACK:
        return f"{who} may attack."
    if o.phase == Phase.MULL:
        return f"{who} may exchange cards before the game."
    return f"{who} may put cards under the deck, then the turn ends."


def result(look: Look) -> str:
    """Who won, and why."""
    o = look.o
    winners = [p for p in range(o.seats) if o.won[p]]
    sides = {look.t.team[p] for p in winners}
    names = opening(listed([look.seat(p) for p in winners]))
    verb = "win" if len(winners) > 1 or winners[0] == look.me else "wins"
    if len(sides) > 1:
        verb = "share the win"
    elif look.t.team_play:
        who = listed([look.seat(p) for p in winners])
        names, verb = f"{opening(team_name(look.t, winners[0]))} ({who})", "wins"
    return f"{names} {verb}: {_why(look, winners)}."


def _why(look: Look, winners: Sequence[int]) -> str:
    o, t = look.o, look.t
    where = " in the lightning round" if o.lightning else ""
    if one_side_left(t, o):
        last = "all their opponents are out" if len(winners) > 1 else "everyone else is out"
        return last + where
    who = "you" if look.me in winners and len(winners) == 1 else "they"
    most = f"{who} have the most health, {strength(t, o, t.team[winners[0]])}"
    if o.depleted:
        return f"the deck is empty, and {most}"
    if t.idle_laps and o.idle >= t.idle_laps * living(o):
        return f"nobody attacked for {t.idle_laps} rounds{where}, and {most}"
    return f"{o.turns} turns are over{where}, and {most}"


# ---- choices ------------------------------------------------------------------------------------
def _choice(look: Look, action: int) -> Choice:
    """One legal action of the viewer, in words."""
    o = look.o
    word = look.r.game.notation.word(look.r, o, action)
    rules = _rules_behind(look.r, action, o.phase)
    if action == 0:
        label, sub = _pass_words(look)
        return Choice(action, word, label, sub, (), "quiet", rules)
    path: tuple[str, ...]
    if o.phase == Phase.ATTACK:
        card, distance = ATTACK.values(action)
        target = seat_at(o, distance)
        label = f"Attack {look.called[target]} with {look.name(card)}"
        path = (_in_hand(look.r, card), f"seat:{target}")
        sub, then = _attack_result(look, card, target), _health_after(look, card, target)
        return Choice(action, word, label, sub, path, "main", rules, then)
    if o.phase == Phase.DEFEND:
        card = ATTACKS + action - BLOCK.at
        label, path = f"Block with {look.name(card)}", (_in_hand(look.r, card),)
        return Choice(action, word, label, _block_result(look), path, "main", rules)
    card = action - CYCLE.at
    label, path = f"Put {look.name(card)} under the deck", (_in_hand(look.r, card), DECK)
    return Choice(action, word, label, _cycle_result(look), path, "plain", rules)


@lru_cache(maxsize=CACHED)
def _rules_behind(r: Any, action: int, phase: int) -> tuple[str, ...]:
    """The ids of the rules that an action follows."""
    return rule_ids(r.game.build(False).move_of(action, phase).doc)


def _attack_result(look: Look, card: int, target: int) -> str:
    """What is certain about an attack: it is only the answer that nobody knows."""
    o, t = look.o, look.t
    finish = _last_card_words(look)
    if finish and t.finish == Finish.AT_ONCE:
        return finish
    counter = bool(is_counter_attack(t, o, card))
    left = max(0, o.health[target] - _damage(look, card, counter))
    text = f"{o.health[target]} → {left}{'' if left else ' (out)'}, if not blocked"
    gained, copy = _gains(look, card, counter)
    if counter:
        text += "; counter-attack" + (f", +{gained} for you" if gained else "")
    if copy:
        when = "if not blocked" if t.copy_blockable else "at once"
        text += f"; +{copy} for you {when}: a copy"
    return f"{text}; {finish}" if finish else text


def _health_after(look: Look, card: int, target: int) -> dict[str, int]:
    """The health that an attack leads to if it is not blocked, by the ids of the plaques."""
    o = look.o
    counter = bool(is_counter_attack(look.t, o, card))
    left = max(0, o.health[target] - _damage(look, card, counter))
    gained = sum(_gains(look, card, counter))
    return {f"seat:{target}": int(left), f"seat:{look.me}": int(o.health[o.to_act] + gained)}


def _gains(look: Look, card: int, counter: bool) -> tuple[int, int]:
    """What an attack may gain the viewer: as a counter-attack, as a copy of the last attack."""
    o, t = look.o, look.t
    now = o.health[o.to_act]
    bonus = t.attack[card].bonus_health if counter else 0
    copied = t.copy_health if card == o.last_attack else 0
    if t.copy_blockable:  # both come with the hit, the copy's share last
        gained = look.gain(bonus, now)
        return gained, look.gain(copied, now + gained)
    copy = look.gain(copied, now)
    return look.gain(bonus, now + copy), copy


def _last_card_words(look: Look) -> str:
    """Variant 3: whether playing a card now empties the deck, and what that means."""
    o, t = look.o, look.t
    if not t.speedy or o.lightning or o.depleted:
        return ""
    drawn = o.hand_limit - (o.hand_size[o.to_act] - 1)
    if o.deck_size - drawn >= (1 if t.eager else 0):
        return ""
    when = ("at once", "after this attack", "after this round")[t.finish]
    return f"takes the last card of the deck: the game ends {when}"


def _block_result(look: Look) -> str:
    o = look.o
    text = f"you stay at {o.health[o.target]}"
    if _gain_of_hit(look):
        text += f", {look.seat(o.turn)} at {o.health[o.turn]}"
    finish = _last_card_words(look)
    return f"{text}; {finish}" if finish else text


def _cycle_result(look: Look) -> str:
    o, t = look.o, look.t
    left = (t.mulligan if o.phase == Phase.MULL else t.cycle) - o.cycled - 1
    if left == 0 or o.hand_size[o.to_act] == 1:
        return "then you draw"
    return f"then up to {left} more"


def _pass_words(look: Look) -> tuple[str, str]:
    """Label and result of doing nothing."""
    o = look.o
    if o.phase == Phase.DEFEND:
        left = max(0, o.health[o.target] - _damage(look, o.attack, bool(o.bonus)))
        gained = _gain_of_hit(look)
        sub = f"{o.health[o.target]} → {left}" + ("" if left else ", you are out")
        return "Take the hit", sub + (f"; +{gained} for {look.seat(o.turn)}" if gained else "")
    if o.phase == Phase.ATTACK:
        return "Hold fire", _idle_result(look)
    if o.cycled:
        return "Done", f"draw {cards(max(0, o.hand_limit - o.hand_size[o.to_act]))}"
    return "Keep your hand", "" if o.hand_size[o.to_act] >= o.hand_limit else "and draw up"


def _idle_result(look: Look) -> str:
    """What one more turn without an attack brings about (W18, W19)."""
    o, t = look.o, look.t
    idle, players = o.idle + 1, living(o)
    if idle % players:
        return "no attack this turn"
    if t.idle_laps and idle >= t.idle_laps * players:
        return "the match is decided: nobody has attacked for too long"
    if t.relief and o.pile_size and not o.depleted:
        return "a lap without an attack: the discard pile is shuffled into the deck"
    return "no attack this turn"


def _refusals(look: Look, open: set[str]) -> Iterator[Refusal]:
    """Why a card in hand or a player that is not in `open` cannot be chosen now."""
    o, t, attacking = look.o, look.t, bool(look.o.phase == Phase.ATTACK)
    for card in range(KINDS):
        if look.holds(card) and (id := _in_hand(look.r, card)) not in open:
            name = look.name(card)
            if attacking and card >= ATTACKS:
                why = f"{name} is for defence: it {_faces(look.r)[card][1]} when you are attacked."
                yield Refusal(id, why, ("WZ-32", "WZ-33"))
            elif o.phase == Phase.DEFEND:
                blockers = look.names(look.blockers(o.attack))
                why = f"{name} does not block {look.name(o.attack)}: only {blockers} would."
                yield Refusal(id, why, ("WZ-22", "WZ-23"))
    for p in range(o.seats) if attacking else ():
        if (id := f"seat:{p}") not in open:
            if p == look.me:
                yield Refusal(id, "You cannot attack yourself.", ("WZ-21", "W2"))
            elif not o.health[p]:
                yield Refusal(id, f"{look.called[p]} is out.", ("WZ-21", "WZ-53"))
            elif t.team_play:
                why = "In team play you can attack only the first opponent to your left."
                yield Refusal(id, why, ("WZ-61",))


# ---- events -------------------------------------------------------------------------------------
def say(r: Any, told: Any, viewer: int | None, names: Sequence[str]) -> str:
    """An event as a sentence for a viewer (None: a spectator); empty if it goes without saying."""
    return _Saying(r, told, viewer, names).text()


class _Saying(Saying):
    """An event of War Zone in words."""

    def card(self) -> str:
        return str(self.r.names.cards[self.x["card"]].name)

    def dealt(self) -> str:
        return f"{self.does('get')} {cards(self.x['cards'])}."

    def drew(self) -> str:  # told to the drawer alone
        return "" if self.told.turn < 0 else f"You draw {self.card()}."

    def drew_up(self) -> str:
        return ""  # everybody always draws up; the drawer is told card by card

    def put_under(self) -> str:
        what = "a card" if self.x["card"] is None else self.card()
        return f"{self.does('put')} {what} under the deck."

    def starts(self) -> str:
        return f"{opening(self.whose(self.p))} turn."

    def attacked(self) -> str:
        verb = "counter-attack" if self.x["bonus"] else "attack"
        text = f"{self.does(verb)} {self.seat(self.x['target'])} with {self.card()}"
        return f"{text}{self.countered()}."

    def countered(self) -> str:
        return f", which counters {_answered(self.r, self.x['card'])}" if self.x["bonus"] else ""

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
        whose = "your" if self.p == self.viewer else "their"
        where = "to the discard pile" if self.r.numbers.discard_hand else "out of the game"
        return f"{text}; {whose} {cards(n)} go{'es' if n == 1 else ''} {where}."

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

    def turn_ended(self) -> str:
        return ""  # the next turn is announced

    def lightning(self) -> str:
        health, many = self.x["health"], cards(self.x["cards"])
        return f"Lightning round: {self.does('play')} on with {health} health and {many}."

    def won(self) -> str:
        return f"{self.does('share')} the win." if self.x["shared"] else f"{self.does('win')}."
