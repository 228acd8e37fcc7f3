"""The rules of War Zone. Read it beside README.md, which says what each rule id means.

A turn: attack somebody or not; the target answers or takes the hit; then you may put a card under
the deck. Who is at 0 health is out, and the last player (or team) wins.
"""

from __future__ import annotations

from ...core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    allow_all,
    draw,
    event,
    i16,
    move,
    n8,
    n16,
    n32,
    offer,
    own,
    pick,
    public,
    rows,
    rule,
    scratch,
    secret,
    shuffle,
    size,
    tell,
)

SEATS = 6
ATTACKS = size("attacks", 10)  # kinds of attack cards; they come first among the kinds
DEFENCES = size("defences", 6)
KINDS = ATTACKS + DEFENCES
CARDS = size("cards", 60)  # room for so many cards
NOTHING = KINDS  # "no card"


class Phase(IntEnum):
    """What is decided. `DEAL` is before the first decision."""

    DEAL = 0
    MULL = 1
    ATTACK = 2
    DEFEND = 3
    CYCLE = 4
    OVER = 5


class Finish(IntEnum):
    """When a Speedy Game ends once the deck is depleted (W14)."""

    AT_ONCE = 0
    ATTACK = 1
    ROUND = 2


class Event(Events):
    """What players are told."""

    DEALT = event("seat", "cards")
    DREW = event("seat", "card", alone=True, reveals=True)
    PUT_UNDER = event("seat", "card", own=("card",))
    DREW_UP = event("seat", "cards")
    STARTS = event("seat")
    ATTACKED = event("seat", "card", "target", "bonus", reveals=True, chosen=True)
    HELD_FIRE = event("seat")
    BLOCKED = event("seat", "card", "attacker", reveals=True, chosen=True)
    HIT = event("seat", "damage", "health", "attacker")
    GAINED = event("seat", "health", "now")
    OUT = event("seat", "cards", reveals=True)  # their hand goes face up to the pile, or away
    RESHUFFLED = event("seat", "cards")
    RELIEVED = event("seat", "cards")
    DEPLETED = event("seat")
    TURN_ENDED = event("seat")
    LIGHTNING = event("seat", "health", "cards")
    WON = event("seat", "shared")


class Attack(Domain, n=ATTACKS):
    """A kind of attack card."""


class Defence(Domain, n=DEFENCES):
    """A kind of defence card, counted from the first defence."""


class Card(Domain, n=KINDS):
    """A kind of card."""


class Distance(Domain, n=SEATS - 1):
    """How many seats to the left, less one: 0 is the next seat."""


class AttackCard(Record):
    """What an attack card prints."""

    damage = n16()
    bonus_health = n16()
    bonus_damage = n16()


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers of a ruleset: the deck and the options (README.md, Options)."""

    attack = rows(AttackCard, ATTACKS)
    blocks = n8(ATTACKS, DEFENCES)  # 1: this defence blocks that attack
    answers = n8(ATTACKS, KINDS)  # 1: this kind is a counteraction printed on that attack
    copies = n8(KINDS)  # how many of each kind are in the deck
    hand = n8()
    health = n16()
    health_cap = n16()  # 0: none
    mulligan = n8()  # cards that may be exchanged before the game
    cycle = n8()  # cards that may be put under the deck at the end of a turn
    copy_health = n8()  # Variant 2: health for a copy of the last attack
    copy_blockable = n8()
    speedy = n8()  # Variant 3
    finish = n8()  # Finish
    team = n8(SEATS)  # the team of each seat; without team play every seat is a team of its own
    teams = n8()
    team_play = n8()  # team play: only the closest opponent can be attacked
    team_sum = n8()  # the strength of a team: 1 the sum of its health, 0 its best player's
    must_attack = n8()
    lightning_health = n16()
    lightning_hand = n8()
    discard_hand = n8()  # the hand of a player who is out: 1 to the discard pile, 0 out of the game
    eager = n8()  # 1: the deck is depleted with its last card, 0: at the next draw
    relief = n8()
    idle_laps = n16()  # 0: no limit
    max_turns = n32()
    starter = i16()  # -1: drawn by lot


def most(t: Table) -> int:
    """How many cards of one kind there are at most."""
    return max(t.copies)


class State(StateRecord):
    """The whole truth. The deck is a ring: deck[deck_top] is its top card."""

    stock = public(n8(KINDS, high=most))  # how many cards of each kind there are in this match
    hands = own(n8(SEATS, KINDS, high=most))  # only the owner sees the kinds ...
    hand_size = public(n8(each=SEATS, high=lambda t: 2 * t.hand))  # ... everybody sees how many
    hand_limit = public(n8(high=lambda t: 2 * t.hand))
    deck = secret(n8(CARDS))
    deck_top = public(n16(high=CARDS))
    deck_size = public(n16(high=CARDS))
    # 1 + the seat that put deck[i] there since the last shuffle, or 0
    laid_by = public(n8(CARDS, of=Seat, first=1))
    pile = public(n8(CARDS, of=Card, in_order=False, high=most))  # the discard pile, oldest first
    pile_size = public(n16(high=CARDS))
    removed = public(n8(KINDS, high=most))  # cards out of the game
    health = public(n32(each=SEATS, high=lambda t: t.health_cap or 2 * t.health))
    turn = public(n8(of=Seat))  # whose turn it is
    first = public(n8(of=Seat))  # who had the first turn, of the game or of the lightning round
    cycled = public(n8(high=lambda t: t.cycle))  # cards put under the deck in this step
    attack = public(n8(of=Card))  # the attack to be answered, or NOTHING,
    target = public(n8(of=Seat))  # whom it is aimed at,
    bonus = public(n8(high=1))  # whether it is a counter-attack,
    copied = public(n8(high=1))  # and whether it is a copy whose health waits for the answer
    last = public(n8(of=Card))  # the last card played, or NOTHING,
    last_by = public(n8(of=Seat))  # and who played it
    last_attack = public(n8(of=Card))  # the last attack card played, or NOTHING
    depleted = public(n8(high=1))  # Variant 3: the deck was empty
    idle = public(n32(high=100))  # turns in a row without an attack
    turns = public(n32(high=100))
    lightning = public(n8(high=1))
    won = public(n8(each=SEATS, high=1))  # 1: this seat has won, alone or with others
    heap = scratch(n8(CARDS))
    unseen = scratch(n8(KINDS))
    tied = scratch(n8(SEATS))


# ---- seats and teams ----------------------------------------------------------------------------
@rule
def left_of(s: State, p: int) -> int:
    """WZ-16: the next seat clockwise."""
    return p + 1 if p + 1 < s.seats else 0


@rule
def seat_at(s: State, distance: int) -> int:
    """The seat at this distance from the one to act."""
    p = s.to_act + 1 + distance
    return p if p < s.seats else p - s.seats


@rule
def are_opponents(t: Table, p: int, q: int) -> bool:
    """WZ-21, WZ-59: on different teams, be they out or not; without team play all others are."""
    return t.team[p] != t.team[q]


@rule
def living(s: State) -> int:
    """How many players are not out."""
    n = 0
    for p in range(s.seats):
        if s.health[p] > 0:
            n += 1
    return n


@rule
def one_side_left(t: Table, s: State) -> bool:
    """WZ-51, WZ-63: no two living players are opponents."""
    side = -1
    for p in range(s.seats):
        if s.health[p] > 0:
            if side >= 0 and t.team[p] != side:
                return False
            side = t.team[p]
    return True


# ---- cards: hands, deck, discard pile -----------------------------------------------------------
@rule
def holds(s: State, card: int) -> bool:
    """The seat to act has this kind in its hand (WZ-19)."""
    return s.hands[s.to_act, card] > 0


@rule
def take_from_hand(s: State, p: int, card: int) -> None:
    """A card of this kind leaves the hand of player p."""
    s.hands[p, card] -= 1
    s.hand_size[p] -= 1


@rule
def discard(s: State, card: int) -> None:
    """WZ-34: a card goes face up on the discard pile."""
    s.pile[s.pile_size] = card
    s.pile_size += 1


@rule
def take_top(s: State) -> int:
    """The top card of the deck."""
    card = s.deck[s.deck_top]
    s.laid_by[s.deck_top] = 0
    s.deck_top = s.deck_top + 1 if s.deck_top + 1 < CARDS else 0
    s.deck_size -= 1
    return card


@rule
def place_in_deck(s: State, depth: int) -> int:
    """Where in the ring the card lies that has `depth` cards above it."""
    i = s.deck_top + depth
    return i if i < CARDS else i - CARDS


@rule
def put_under(s: State, p: int, card: int) -> None:
    """A card of player p goes under the deck; they may remember it."""
    i = place_in_deck(s, s.deck_size)
    s.deck[i], s.laid_by[i] = card, p + 1
    s.deck_size += 1


@rule
def make_deck(s: State, n: int) -> None:
    """WZ-6: the first n cards of the heap are shuffled and become the deck."""
    shuffle(s, s.heap, n)
    for i in range(n):
        s.deck[i] = s.heap[i]
    s.deck_top, s.deck_size = 0, n


@rule
def heap_up_the_piles(s: State) -> int:
    """Deck and discard pile become one heap; returns how many cards it has."""
    n = 0
    while s.deck_size > 0:
        s.heap[n] = take_top(s)
        n += 1
    for i in range(s.pile_size):
        s.heap[n] = s.pile[i]
        n += 1
    s.pile_size = 0
    return n


@rule
def deplete(t: Table, s: State, p: int) -> None:
    """WZ-35, WZ-69, WZ-74, W6, W34: no deck. The pile becomes the deck; a Speedy Game will end."""
    if t.speedy > 0 and s.lightning == 0:
        if s.depleted == 0:
            tell(s, Event.DEPLETED, p)
        s.depleted = 1
    elif s.pile_size > 0:
        n = heap_up_the_piles(s)
        make_deck(s, n)
        tell(s, Event.RESHUFFLED, p, n)


@rule
def draw_up(t: Table, s: State, p: int) -> None:
    """WZ-27, WZ-28, WZ-36: player p draws up to the hand size, as far as there are cards."""
    drawn = 0
    while s.hand_size[p] < s.hand_limit:
        if s.deck_size == 0:
            deplete(t, s, p)
            if s.deck_size == 0:
                break
        card = take_top(s)
        s.hands[p, card] += 1
        s.hand_size[p] += 1
        drawn += 1
        tell(s, Event.DREW, p, card)
        if s.deck_size == 0 and t.eager > 0:
            deplete(t, s, p)
    if drawn > 0:
        tell(s, Event.DREW_UP, p, drawn)


@rule
def play(t: Table, s: State, p: int, card: int) -> None:
    """WZ-27, WZ-28, WZ-34, WZ-43: a card is played: to the discard pile, remembered, redrawn."""
    take_from_hand(s, p, card)
    discard(s, card)
    s.last, s.last_by = card, p
    draw_up(t, s, p)


# ---- set-up -------------------------------------------------------------------------------------
@rule
def advance(t: Table, s: State) -> None:
    """From a match not yet begun, or a loaded position, to the first decision."""
    if s.phase == Phase.DEAL:
        deal(t, s)
    elif s.phase == Phase.MULL or s.phase == Phase.CYCLE:
        end_step_if_done(t, s)


@rule
def deal(t: Table, s: State) -> None:
    """WZ-1..10: the deck is shuffled, everybody gets a hand and health."""
    s.last, s.last_attack, s.attack = NOTHING, NOTHING, NOTHING
    if s.hand_limit == 0:
        s.hand_limit = t.hand
    n = 0
    for card in range(KINDS):
        s.stock[card] = t.copies[card]
        for _ in range(t.copies[card]):
            s.heap[n] = card
            n += 1
    make_deck(s, n)
    for p in range(s.seats):
        s.health[p] = t.health
        tell(s, Event.DEALT, p, s.hand_limit)
        draw_up(t, s, p)
    begin_exchange(t, s, 0)


@rule
def begin_exchange(t: Table, s: State, p: int) -> None:
    """WZ-11, WZ-12, W16, W40: player p may exchange cards, or the next who can; then the game."""
    while p < s.seats and (t.mulligan == 0 or s.hand_size[p] == 0):
        draw_up(t, s, p)
        p += 1
    if p < s.seats:
        s.phase, s.to_act, s.cycled = Phase.MULL, p, 0
    else:
        begin_game(t, s)


@rule
def begin_game(t: Table, s: State) -> None:
    """WZ-14, WZ-15: the starting player is drawn by lot, unless the option `starter` names one."""
    s.first = t.starter if t.starter >= 0 else draw(s, s.seats)
    begin_turn(s, s.first)


# ---- the exchange before the game, and the end of a turn: cards go under the deck ---------------
@move(Phase.MULL, Phase.CYCLE, at=1 + (SEATS - 1) * ATTACKS + DEFENCES)
def cycle(t: Table, s: State, card: Card) -> None:
    """WZ-11, WZ-29, WZ-65: put a card under the deck. You draw after the last of them."""
    p = s.to_act
    take_from_hand(s, p, card)
    put_under(s, p, card)
    s.cycled += 1
    tell(s, Event.PUT_UNDER, p, card)
    end_step_if_done(t, s)


@allow(cycle)
def may_cycle(t: Table, s: State, card: Card) -> bool:
    """WZ-11, WZ-30: any card of your hand."""
    return holds(s, card)


@rule
def end_step_if_done(t: Table, s: State) -> None:
    """WZ-11, WZ-29, W40: the step ends by itself at its last card, or with an empty hand."""
    if s.phase == Phase.MULL:
        if s.cycled >= t.mulligan or s.hand_size[s.to_act] == 0:
            end_exchange(t, s)
    elif s.cycled >= t.cycle or s.hand_size[s.to_act] == 0:
        end_turn(t, s)


@move(Phase.MULL, at=0, always=True)
def end_exchange(t: Table, s: State) -> None:
    """WZ-11, WZ-13: no more exchange; you draw up to your hand size."""
    draw_up(t, s, s.to_act)
    begin_exchange(t, s, s.to_act + 1)


@move(Phase.CYCLE, at=0, always=True)
def end_turn(t: Table, s: State) -> None:
    """WZ-16, WZ-29, WZ-31, WZ-69, W19, W33: draw up; the next living player is to act."""
    p = s.turn
    draw_up(t, s, p)
    s.turns += 1
    tell(s, Event.TURN_ENDED, p)
    p = left_of(s, p)
    round_over = p == s.first
    while s.health[p] == 0:
        p = left_of(s, p)
        round_over = round_over or p == s.first
    depleted = s.depleted > 0 and (t.finish != Finish.ROUND or round_over)
    if depleted or s.turns >= t.max_turns:
        most_health_wins(t, s)
    else:
        begin_turn(s, p)


# ---- attacking ----------------------------------------------------------------------------------
@rule
def begin_turn(s: State, p: int) -> None:
    """WZ-15, WZ-16: it is player p's turn."""
    s.turn = p
    s.phase, s.to_act, s.cycled = Phase.ATTACK, p, 0
    tell(s, Event.STARTS, p)


@move(Phase.ATTACK, at=1)
def attack(t: Table, s: State, card: Attack, distance: Distance) -> None:
    """WZ-17..20, WZ-48: play an attack card at one opponent, who may block it."""
    me, target = s.to_act, seat_at(s, distance)
    s.attack, s.target, s.idle = card, target, 0
    s.bonus = 1 if is_counter_attack(t, s, card) else 0
    tell(s, Event.ATTACKED, me, card, target, s.bonus)
    reward_copy(t, s, card)
    play(t, s, me, card)
    if s.depleted > 0 and t.finish == Finish.AT_ONCE:
        forget_attack(s)  # W32: it is neither answered nor does it hit
        most_health_wins(t, s)
    else:
        s.phase, s.to_act = Phase.DEFEND, target


@allow_all(attack)
def may_attack(t: Table, s: State, can: Row) -> None:
    """WZ-18, WZ-19, WZ-21, WZ-61: one attack card of your hand at a living opponent.

    In team play only at the closest opponent to the left.
    """
    for card in range(ATTACKS):
        if holds(s, card):
            for distance in range(s.seats - 1):
                if may_be_attacked(t, s, seat_at(s, distance)):
                    offer(can, attack, card, distance)
                    if t.team_play > 0:
                        break


@rule
def may_be_attacked(t: Table, s: State, target: int) -> bool:
    """WZ-21, WZ-53: a living opponent."""
    return s.health[target] > 0 and are_opponents(t, s.to_act, target)


@rule
def is_counter_attack(t: Table, s: State, card: int) -> bool:
    """WZ-42..45, WZ-64, W28, W43: an opponent played the last card, and it is a counteraction."""
    if s.last == NOTHING:
        return False
    return t.answers[card, s.last] > 0 and are_opponents(t, s.to_act, s.last_by)


@rule
def reward_copy(t: Table, s: State, card: int) -> None:
    """WZ-67, WZ-68, W13: a copy of the last attack card gives health, now or with the hit."""
    if card == s.last_attack and t.copy_health > 0:
        if t.copy_blockable > 0:
            s.copied = 1
        else:
            gain(t, s, s.to_act, t.copy_health)
    s.last_attack = card


@move(Phase.ATTACK, at=0)
def hold_fire(t: Table, s: State) -> None:
    """WZ-17, W18, W19, W33, W44: do not attack this turn."""
    s.idle += 1
    tell(s, Event.HELD_FIRE, s.turn)
    players = living(s)
    if s.idle % players == 0:
        if t.relief > 0 and s.depleted == 0:
            relieve(s)
        if t.idle_laps > 0 and s.idle >= t.idle_laps * players:
            most_health_wins(t, s)
            return
    begin_end_of_turn(t, s)


@allow(hold_fire)
def may_hold_fire(t: Table, s: State) -> bool:
    """WZ-17, W12, W35: always; with `must_attack` only if you hold no attack card."""
    if t.must_attack > 0:
        for card in range(ATTACKS):
            if holds(s, card):
                return False
    return True


@rule
def relieve(s: State) -> None:
    """W18: after a lap without an attack the discard pile is shuffled into the deck."""
    if s.pile_size > 0:
        n = heap_up_the_piles(s)
        make_deck(s, n)
        tell(s, Event.RELIEVED, s.turn, n)


@rule
def begin_end_of_turn(t: Table, s: State) -> None:
    """WZ-29, WZ-30: the turn's last step."""
    s.phase, s.to_act = Phase.CYCLE, s.turn
    end_step_if_done(t, s)


# ---- answering ----------------------------------------------------------------------------------
@move(Phase.DEFEND, at=1 + (SEATS - 1) * ATTACKS)
def block(t: Table, s: State, defence: Defence) -> None:
    """WZ-22, WZ-25, WZ-28, WZ-47: play a defence card that stops the attack and its bonus."""
    tell(s, Event.BLOCKED, s.target, ATTACKS + defence, s.turn)
    play(t, s, s.target, ATTACKS + defence)
    after_attack(t, s)


@allow(block)
def may_block(t: Table, s: State, defence: Defence) -> bool:
    """WZ-22, WZ-23, WZ-33: a defence card of your hand that blocks this attack."""
    return holds(s, ATTACKS + defence) and t.blocks[s.attack, defence] > 0


@move(Phase.DEFEND, at=0, always=True)
def take_the_hit(t: Table, s: State) -> None:
    """WZ-24, WZ-26, WZ-46, WZ-49, W13, W42: do not block: the damage comes off your health.

    The attacker gets the bonus of a counter-attack, and the health of a copy if it waited.
    """
    damage = t.attack[s.attack].damage
    if s.bonus > 0:
        damage += t.attack[s.attack].bonus_damage
        gain(t, s, s.turn, t.attack[s.attack].bonus_health)
    if s.copied > 0:
        gain(t, s, s.turn, t.copy_health)
    s.health[s.target] = max(0, s.health[s.target] - damage)
    tell(s, Event.HIT, s.target, damage, s.health[s.target], s.turn)
    if s.health[s.target] == 0:
        fall(t, s, s.target)
    after_attack(t, s)


@rule
def gain(t: Table, s: State, p: int, health: int) -> None:
    """WZ-46, WZ-67, W1, W38: player p gains health, up to the cap if there is one."""
    if t.health_cap > 0:
        health = max(0, min(health, t.health_cap - s.health[p]))
    if health > 0:
        s.health[p] += health
        tell(s, Event.GAINED, p, health, s.health[p])


@rule
def fall(t: Table, s: State, p: int) -> None:
    """WZ-50, WZ-52, W9: player p is out; the hand goes to the discard pile, or out of the game."""
    tell(s, Event.OUT, p, s.hand_size[p])
    for card in range(KINDS):
        while s.hands[p, card] > 0:
            take_from_hand(s, p, card)
            if t.discard_hand > 0:
                discard(s, card)
            else:
                s.removed[card] += 1


@rule
def forget_attack(s: State) -> None:
    """There is no attack to be answered any more."""
    s.attack, s.bonus, s.copied = NOTHING, 0, 0


@rule
def after_attack(t: Table, s: State) -> None:
    """WZ-51, WZ-63, WZ-70, W20, W45: the game may be over; else the attacker's turn goes on."""
    forget_attack(s)
    if one_side_left(t, s):
        for p in range(s.seats):
            if s.health[p] > 0:
                win(t, s, t.team[p], False)
                return
    elif s.depleted > 0 and t.finish != Finish.ROUND:
        most_health_wins(t, s)
    else:
        begin_end_of_turn(t, s)


# ---- the end ------------------------------------------------------------------------------------
@rule
def strength(t: Table, s: State, team: int) -> int:
    """WZ-71, W17, W41: the health of a team: of all its members together (or of its best)."""
    total, best = 0, 0
    for p in range(s.seats):
        if t.team[p] == team:
            total += s.health[p]
            best = max(best, s.health[p])
    return total if t.team_sum > 0 else best


@rule
def most_health_wins(t: Table, s: State) -> None:
    """WZ-71, WZ-72, W15, W17, W19: most health wins; a tie is decided by a lightning round.

    A tie within a lightning round is a shared win.
    """
    best, sides = 0, 0
    for team in range(t.teams):
        x = strength(t, s, team)
        if x > best:
            best, sides = x, 0
        if x == best:
            sides += 1
    if sides > 1 and s.lightning == 0:
        begin_lightning(t, s, best)
        return
    for team in range(t.teams):
        if strength(t, s, team) == best:
            win(t, s, team, sides > 1)


@rule
def win(t: Table, s: State, team: int, shared: bool) -> None:
    """WZ-51, WZ-63: all members of the team win, also those who are out."""
    s.phase, s.cycled = Phase.OVER, 0
    for p in range(s.seats):
        if t.team[p] == team:
            s.won[p] = 1
            tell(s, Event.WON, p, 1 if shared else 0)


@rule
def begin_lightning(t: Table, s: State, best: int) -> None:
    """WZ-72..75, W15, W31, W36, W39: the tied players (teams) start anew with few cards."""
    n = heap_up_the_piles(s)
    for card in range(KINDS):
        for p in range(s.seats):
            while s.hands[p, card] > 0:
                take_from_hand(s, p, card)
                s.heap[n] = card
                n += 1
        while s.removed[card] > 0:
            s.removed[card] -= 1
            s.heap[n] = card
            n += 1
    make_deck(s, n)
    s.last, s.last_attack = NOTHING, NOTHING
    s.depleted, s.idle, s.turns, s.lightning = 0, 0, 0, 1
    s.hand_limit = t.lightning_hand
    tied = 0  # who plays must be known before anybody's health is changed
    for p in range(s.seats):
        if strength(t, s, t.team[p]) == best:
            s.tied[tied] = p
            tied += 1
    for p in range(s.seats):
        s.health[p] = 0
    for i in range(tied):
        p = s.tied[i]
        s.health[p] = t.lightning_health
        tell(s, Event.LIGHTNING, p, t.lightning_health, min(t.lightning_hand, s.deck_size))
        draw_up(t, s, p)
    s.first = pick(s, s.tied, tied)
    begin_turn(s, s.first)


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """W30: winners +1, losers -1; who shares a win with another side gets 0."""
    sides = 0
    for team in range(t.teams):
        sides += s.won[team]  # seat 0 is of team 0, seat 1 of team 1 ...
    for p in range(s.seats):
        out[p] = -1 if s.won[p] == 0 else 1 if sides == 1 else 0


@rule
def max_length(t: Table, seats: int) -> int:
    """W19: no match takes more decisions: the exchange, and two games of max_turns turns."""
    return t.mulligan * seats + 2 * t.max_turns * (2 + t.cycle)
