"""The rules of Battle. README.md says what each rule id means.

Four to ten players of two hidden sides. While they build, each draws and may discard, until BATTLE
is drawn; then they climb over each other's sets of fight cards. A player without fight cards plays
their identity, and their side scores. state.py says what there is.
"""

from __future__ import annotations

from ...core.rules import (
    Row,
    allow,
    allow_all,
    draw,
    move,
    offer,
    roll,
    rule,
    shuffle,
    tell,
)
from .state import (
    ACTION_CARDS,
    BATTLE,
    CARDS,
    ELIMINATE,
    EXPOSE,
    HELD,
    MOST_ROUNDS,
    NEW_BATTLE,
    NOBODY,
    RANKS,
    REVERSE,
    SAVE,
    SKIP,
    Ahead,
    Event,
    Number,
    Other,
    Phase,
    Rank,
    Side,
    Since,
    State,
    Table,
)


# ---- seats and cards ----------------------------------------------------------------------------
@rule
def beside(s: State, p: int) -> int:
    """BA-25, BA-47: the seat next to p in the direction of play."""
    return (p + s.way + s.seats) % s.seats


@rule
def left_of(s: State, p: int, steps: int) -> int:
    """The seat so many steps to the left."""
    return (p + steps) % s.seats


@rule
def next_seat(s: State, p: int) -> int:
    """BA-25, BA-57, B6, H3: the next who is in the round, and not locked out of the battle."""
    p = beside(s, p)
    while s.living[p] == 0 or s.locked[p] > 0:
        p = beside(s, p)
    return p


@rule
def count_living(s: State) -> int:
    """How many are in the round."""
    n = 0
    for p in range(s.seats):
        n += s.living[p]
    return n


@rule
def get(s: State, p: int, card: int) -> None:
    """A card into a hand."""
    s.hands[p, card] += 1
    s.hand_size[p] += 1
    s.fights[p] += 1 if card < RANKS else 0


@rule
def lay(s: State, p: int, card: int, n: int) -> None:
    """BA-18, BA-23, BA-44: n cards of a kind from a hand onto the discard pile, for all to see."""
    s.hands[p, card] -= n
    s.hand_size[p] -= n
    s.fights[p] -= n if card < RANKS else 0
    s.known[p, card] = max(0, s.known[p, card] - n)
    for _ in range(n):
        s.pile[s.pile_size] = card
        s.pile_size += 1
    s.option = 0


# ---- a round begins -----------------------------------------------------------------------------
@rule
def advance(t: Table, s: State) -> None:
    """From a match not yet begun, or a loaded position, to the first decision."""
    if s.phase == Phase.START:
        s.dealer = t.dealer - 1 if t.dealer > 0 else draw(s, s.seats)  # BA-70
        s.round = 1
        s.phase = Phase.DEAL
    if s.phase == Phase.DEAL:
        deal(t, s)
    if s.phase == Phase.FLIP:
        flip(s)


@rule
def deal(t: Table, s: State) -> None:
    """BA-1..10, BA-69: identities, hands, and BATTLE somewhere in what is left."""
    tell(s, Event.ROUND, s.dealer, s.round)
    clear(s)
    deal_identities(t, s)
    n = 0
    for card in range(HELD):
        s.stock[card] = t.copies[card]
        for _ in range(t.copies[card]):
            s.heap[n] = card
            n += 1
    s.stock[BATTLE] = 1
    shuffle(s, s.heap, n)
    for p in range(s.seats):
        for i in range(t.hand):
            get(s, p, s.heap[p * t.hand + i])
    tell(s, Event.DEALT, s.dealer, t.hand)
    left = n - s.seats * t.hand
    above = draw(s, left + 1)
    s.deck_size = left + 1
    for i in range(left):
        place = left - i if i < above else left - 1 - i
        s.deck[place] = s.heap[n - left + i]
    s.deck[left - above] = BATTLE
    s.phase = Phase.FLIP


@rule
def clear(s: State) -> None:
    """BA-57, BA-69, BA-70: everybody is in, all cards are off the table, play goes to the left."""
    for p in range(s.seats):
        s.identity[p], s.exposed[p], s.living[p], s.since[p], s.locked[p] = 0, 0, 1, 0, 0
        s.fights[p], s.hand_size[p] = 0, 0
        for card in range(HELD):
            s.hands[p, card], s.known[p, card] = 0, 0
    for i in range(CARDS):
        s.deck[i], s.pile[i] = 0, 0
    s.pile_size, s.turns, s.skips, s.takes, s.acted, s.option = 0, 0, 0, 0, 0, 0
    s.battle, s.rank, s.number, s.owner, s.way = 0, 0, 0, 0, 1


@rule
def deal_identities(t: Table, s: State) -> None:
    """BA-3, BA-4, BA-5, B1: as many of each side; of an odd number the last by lot."""
    for p in range(s.seats):
        s.heap[p] = Side.SUPERHERO if p % 2 == 0 else Side.VILLAIN
    if s.seats % 2 == 1:
        s.heap[s.seats - 1] = t.extra if t.extra > 0 else roll(s, 2)
    shuffle(s, s.heap, s.seats)
    for p in range(s.seats):
        s.identity[p] = s.heap[p]
        tell(s, Event.IDENTITY, p, s.identity[p])


@rule
def flip(s: State) -> None:
    """BA-11..17, B29: the first card of the discard pile, and who begins."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    s.pile[0], s.pile_size = card, 1
    tell(s, Event.FLIPPED, s.dealer, card)
    s.turn = left_of(s, s.dealer, 1)
    s.phase = Phase.PD
    if card == BATTLE:
        s.battle, s.phase = 1, Phase.LM
    elif card == SKIP:
        tell(s, Event.SKIPPED, s.turn)
        s.turn = left_of(s, s.turn, 1)
    elif card == REVERSE:
        s.way, s.turn = -1, s.dealer
    elif NEW_BATTLE <= card <= SAVE:  # ELIMINATE is between the two
        s.option = 1
    s.to_act = s.turn
    if card == EXPOSE:
        s.phase, s.to_act = Phase.FX, s.dealer


# ---- turns --------------------------------------------------------------------------------------
@rule
def end_turn(t: Table, s: State) -> None:
    """BA-25, BA-45: on to the next turn; in the option, first a window for action cards."""
    if t.windows > 0:
        open_window(t, s)
    else:
        next_turn(t, s)


@rule
def next_turn(t: Table, s: State) -> None:
    """BA-25, BA-46, B22, B23, B25, B33: the next turn, after those that are skipped."""
    s.turns += 1
    if s.turns >= t.max_turns:
        tell(s, Event.ROUND_VOID, s.dealer, s.round)
        end_round(t, s, Side.VOID)
        return
    if t.pass_locks > 0 and all_are_locked(s):
        unlock(s)
    p = next_seat(s, s.turn)
    while s.skips > 0:
        s.skips -= 1
        s.since[p] = Since.SKIPPED if s.number > 0 else Since.OPEN
        tell(s, Event.SKIPPED, p)
        p = next_seat(s, p)
    s.turn, s.to_act, s.acted = p, p, 0
    if s.battle == 0:
        s.phase = Phase.PD
    else:
        begin_battle_turn(t, s, p)


@rule
def begin_battle_turn(t: Table, s: State, p: int) -> None:
    """BA-39, BA-40, B7: if nobody has beaten the standing cards, the battle resets."""
    if s.number > 0 and is_unbeaten(t, s, p):
        reset(s)
        tell(s, Event.RESET, p)
    s.phase = Phase.FL if s.number > 0 else Phase.LD


@rule
def is_unbeaten(t: Table, s: State, p: int) -> bool:
    """BA-40, B7: the owner is out or to act, and nobody is left to beat the cards."""
    mine = s.owner == 1 + p
    if mine and t.owner_always > 0:
        return True
    return (mine or s.owner == 0) and not anyone_open(s)


@rule
def anyone_open(s: State) -> bool:
    """BA-40, B7: somebody who does not own the standing cards has had no turn since."""
    for p in range(s.seats):
        if s.living[p] > 0 and s.since[p] == Since.OPEN and s.owner != 1 + p:
            return True
    return False


@rule
def all_are_locked(s: State) -> bool:
    """H3: nobody who is in the round may play on."""
    for p in range(s.seats):
        if s.living[p] > 0 and s.locked[p] == 0:
            return False
    return True


@rule
def unlock(s: State) -> None:
    """H3: all may play again, and nobody is to beat the standing cards: the next player leads."""
    s.owner = 0
    for p in range(s.seats):
        s.locked[p] = 0


@rule
def reset(s: State) -> None:
    """BA-39, BA-51: nothing stands any more."""
    s.rank, s.number, s.owner = 0, 0, 0
    for p in range(s.seats):
        s.since[p], s.locked[p] = 0, 0


# ---- building -----------------------------------------------------------------------------------
@move(Phase.AD, at=0, always=True)
def keep(t: Table, s: State) -> None:
    """BA-23, BA-25: discard nothing."""
    tell(s, Event.KEPT, s.turn)
    end_turn(t, s)


@move(Phase.PD, at=1, always=True)
def draw_card(t: Table, s: State) -> None:
    """BA-20, BA-26, BA-29, B9: the top card of the deck; BATTLE starts the battle."""
    p = s.turn
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    s.deck[s.deck_size] = 0
    s.takes, s.option = 0, 0
    if card == BATTLE:
        s.pile[s.pile_size] = card
        s.pile_size += 1
        s.battle, s.phase = 1, Phase.LM
        tell(s, Event.BATTLE, p)
    else:
        get(s, p, card)
        s.phase = Phase.AD
        tell(s, Event.DREW, p, card)


@move(Phase.PD, at=2)
def take(t: Table, s: State) -> None:
    """BA-17, BA-20: the top card of the discard pile."""
    p = s.turn
    s.pile_size -= 1
    card = s.pile[s.pile_size]
    s.pile[s.pile_size] = 0
    get(s, p, card)
    s.known[p, card] += 1
    s.takes += 1
    s.option = 0
    s.phase = Phase.AD
    tell(s, Event.TOOK, p, card)


@allow(take)
def may_take(t: Table, s: State) -> bool:
    """BA-17, BA-18, BA-21, BA-22, B9: a fight card; not for laps on end."""
    if s.pile_size == 0 or (s.pile[s.pile_size - 1] >= RANKS and s.option == 0):
        return False
    return t.take_laps == 0 or s.takes < t.take_laps * count_living(s)


@move(Phase.AD, at=3)
def discard(t: Table, s: State, rank: Rank) -> None:
    """BA-23, BA-24, BA-25: a fight card, face up on the discard pile."""
    lay(s, s.turn, rank, 1)
    tell(s, Event.DISCARDED, s.turn, rank)
    end_turn(t, s)


@allow(discard)
def may_discard(t: Table, s: State, rank: Rank) -> bool:
    """BA-23: one that is held."""
    return s.hands[s.turn, rank] > 0


# ---- the battle ---------------------------------------------------------------------------------
@move(Phase.LM, Phase.LD, Phase.FL)
def fight(t: Table, s: State, rank: Rank, number: Number) -> None:
    """BA-31, BA-36, BA-43, B35, H3: a set of fight cards of one rank."""
    p = s.turn
    lay(s, p, rank, number + 1)
    tell(s, Event.LED if s.number == 0 else Event.PLAYED, p, rank, number + 1)
    s.rank, s.number, s.owner = rank, number + 1, 1 + p
    for q in range(s.seats):
        s.since[q] = Since.PASSED if s.locked[q] > 0 else Since.OPEN
    end_turn(t, s)


@allow_all(fight)
def may_fight(t: Table, s: State, can: Row) -> None:
    """BA-30..36, B28: more cards than stand, or as many of that rank or a higher one."""
    p = s.turn
    for rank in range(RANKS):
        least = s.number + 1
        if s.number > 0 and rank >= s.rank:
            least = s.number
        for number in range(least, s.hands[p, rank] + 1):
            offer(can, fight, rank, number - 1)


@move(Phase.FL, at=0)
def give_way(t: Table, s: State) -> None:
    """BA-37, BA-38, B6, H3: pass."""
    s.since[s.turn] = Since.PASSED
    s.locked[s.turn] = t.pass_locks
    tell(s, Event.PASSED, s.turn)
    end_turn(t, s)


@allow(give_way)
def may_give_way(t: Table, s: State) -> bool:
    """BA-38, B5: always; in the option only if one cannot beat the standing cards."""
    return t.voluntary_pass > 0 or not can_beat(s, s.turn)


@rule
def can_beat(s: State, p: int) -> bool:
    """BA-32..34: this player holds what beats the standing cards."""
    for rank in range(RANKS):
        if s.hands[p, rank] > s.number or (s.hands[p, rank] == s.number and rank >= s.rank):
            return True
    return False


# ---- action cards -------------------------------------------------------------------------------
@rule
def spend(s: State, card: int) -> None:
    """BA-27, BA-41: an action card onto the discard pile."""
    lay(s, s.to_act, card, 1)
    s.back = s.phase
    s.acted += 1 if s.battle == 0 and s.phase != Phase.WI else 0


@rule
def go_back(t: Table, s: State) -> None:
    """BA-27, BA-41, BA-61: after an action card a building turn goes on, a battle turn ends."""
    s.phase, s.to_act = s.back, s.turn
    s.back = 0
    if s.phase == Phase.WI:
        open_window(t, s)
    elif s.battle > 0:
        s.since[s.turn] = Since.ACTED
        end_turn(t, s)


@rule
def takes_effect(t: Table, s: State) -> bool:
    """BA-28, B3: in the battle always."""
    return s.battle > 0 or t.build_effects > 0


@rule
def may_act(t: Table, s: State) -> bool:
    """BA-27, BA-30, BA-42, BA-45, B4, B20: action cards may be played now."""
    if s.phase == Phase.LM:
        return s.fights[s.turn] == 0
    if s.battle == 0 and s.phase != Phase.WI:
        return t.build_actions == 0 or s.acted < t.build_actions
    return True


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI)
def skip(t: Table, s: State) -> None:
    """BA-28, BA-46: the next player loses a turn."""
    p = s.to_act
    spend(s, SKIP)
    if takes_effect(t, s):
        s.skips += 1
        tell(s, Event.SKIP, p)
    else:
        tell(s, Event.THREW, p, SKIP)
    go_back(t, s)


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI)
def reverse(t: Table, s: State) -> None:
    """BA-28, BA-47, B24: play moves the other way."""
    p = s.to_act
    spend(s, REVERSE)
    if takes_effect(t, s):
        s.way = -s.way
        if t.reverse_skips > 0 and count_living(s) == 2:
            s.skips += 1
        tell(s, Event.REVERSED, p, 1 if s.way > 0 else 0)
    else:
        tell(s, Event.THREW, p, REVERSE)
    go_back(t, s)


@allow_all(skip, reverse)
def may_skip_or_reverse(t: Table, s: State, can: Row) -> None:
    """BA-45: any player who holds one."""
    if may_act(t, s):
        if s.hands[s.to_act, SKIP] > 0:
            offer(can, skip)
        if s.hands[s.to_act, REVERSE] > 0:
            offer(can, reverse)


@move(Phase.PD, Phase.AD, Phase.FL, Phase.WI)
def new_battle(t: Table, s: State) -> None:
    """BA-28, BA-51, BA-52, BA-54: nothing stands any more, and you lead; no effect in building."""
    p = s.to_act
    spend(s, NEW_BATTLE)
    if s.battle > 0:
        reset(s)
        s.turn, s.phase, s.back = p, Phase.LM, 0
        tell(s, Event.NEW_BATTLE, p)
    else:
        tell(s, Event.THREW, p, NEW_BATTLE)
        go_back(t, s)


@allow(new_battle)
def may_new_battle(t: Table, s: State) -> bool:
    """BA-53, B11: in the battle there must be what to reset, and a card to lead."""
    return s.hands[s.to_act, NEW_BATTLE] > 0 and may_act(t, s) and can_reset(s, s.to_act)


@rule
def can_reset(s: State, p: int) -> bool:
    """BA-53, B11: NEW BATTLE makes sense for this player."""
    return s.battle == 0 or (s.number > 0 and s.fights[p] > 0)


@move(Phase.PD, Phase.AD, Phase.WI)
def throw_save(t: Table, s: State) -> None:
    """BA-28, BA-59: SAVE away, without effect."""
    spend(s, SAVE)
    tell(s, Event.THREW, s.to_act, SAVE)
    go_back(t, s)


@allow(throw_save)
def may_throw_save(t: Table, s: State) -> bool:
    """BA-27, BA-59: while building."""
    return s.battle == 0 and s.hands[s.to_act, SAVE] > 0 and may_act(t, s)


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI)
def expose(t: Table, s: State, ahead: Ahead) -> None:
    """BA-28, BA-48, BA-49: an identity lies open for the rest of the round."""
    p = s.to_act
    spend(s, EXPOSE)
    unmask(s, p, left_of(s, p, ahead))
    go_back(t, s)


@rule
def unmask(s: State, p: int, target: int) -> None:
    """BA-48, BA-49: everybody sees the target's identity."""
    s.exposed[target] = s.identity[target]
    tell(s, Event.EXPOSED, p, target, s.identity[target])


@rule
def can_expose(t: Table, s: State, ahead: int) -> bool:
    """BA-50, B10: somebody in the round whose identity is hidden; oneself, too."""
    if ahead >= s.seats or (ahead == 0 and t.expose_self == 0):
        return False
    target = left_of(s, s.to_act, ahead)
    return s.living[target] > 0 and s.exposed[target] == 0


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI)
def expose_nobody(t: Table, s: State) -> None:
    """BA-50, B3, B10: EXPOSE without a target."""
    p = s.to_act
    spend(s, EXPOSE)
    if takes_effect(t, s):
        tell(s, Event.EXPOSED_NOBODY, p)
    else:
        tell(s, Event.THREW, p, EXPOSE)
    go_back(t, s)


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI)
def eliminate(t: Table, s: State, other: Other) -> None:
    """BA-28, BA-55, BA-59: somebody is out, unless somebody saves them at once."""
    p = s.to_act
    spend(s, ELIMINATE)
    s.victim, s.by = left_of(s, p, other + 1), p
    s.phase, s.to_act = Phase.SV, NOBODY
    tell(s, Event.AIMED, p, s.victim)
    ask_savers(t, s, 0)


@move(Phase.PD, Phase.AD, Phase.LM, Phase.LD, Phase.FL, Phase.WI, at=ACTION_CARDS + 25)
def throw_eliminate(t: Table, s: State) -> None:
    """B3, H2: ELIMINATE away, where it has no effect."""
    spend(s, ELIMINATE)
    tell(s, Event.THREW, s.to_act, ELIMINATE)
    go_back(t, s)


@allow_all(expose, expose_nobody, eliminate, throw_eliminate)
def may_expose_or_eliminate(t: Table, s: State, can: Row) -> None:
    """BA-45, BA-50, BA-55, BA-57, B10, B18: any player who holds one, at whom it may be aimed."""
    p = s.to_act
    if not may_act(t, s):
        return
    works = takes_effect(t, s)
    if s.hands[p, EXPOSE] > 0:
        targets = 0
        for ahead in range(s.seats if works else 0):
            if can_expose(t, s, ahead):
                offer(can, expose, ahead)
                targets += 1
        if targets == 0:
            offer(can, expose_nobody)
    if s.hands[p, ELIMINATE] > 0:
        for other in range(s.seats - 1 if works else 0):
            if s.living[left_of(s, p, other + 1)] > 0:
                offer(can, eliminate, other)
        if not works:
            offer(can, throw_eliminate)


@move(Phase.LM, Phase.LD, Phase.FL, at=ACTION_CARDS + 24)
def play_identity(t: Table, s: State) -> None:
    """BA-62..66, B19: the round is your side's."""
    tell(s, Event.SHOWED, s.turn, s.identity[s.turn])
    end_round(t, s, s.identity[s.turn])


@allow(play_identity)
def may_play_identity(t: Table, s: State) -> bool:
    """BA-62, BA-64, B20, B21: on a turn that begins without a fight card."""
    return s.fights[s.turn] == 0


@move(Phase.FX, at=ACTION_CARDS + 4)
def expose_first(t: Table, s: State, ahead: Ahead) -> None:
    """BA-14, B30, B36: the dealer chooses whom the first card exposes."""
    unmask(s, s.dealer, left_of(s, s.dealer, ahead))
    s.phase, s.to_act = Phase.PD, s.turn


@allow(expose_first)
def may_expose_first(t: Table, s: State, ahead: Ahead) -> bool:
    """BA-50, B10, B30: anybody, oneself too."""
    return can_expose(t, s, ahead)


# ---- saving -------------------------------------------------------------------------------------
@rule
def ask_savers(t: Table, s: State, k: int) -> None:
    """BA-59, BA-60, B13: asks the next holder of a SAVE, from k seats left of the victim on."""
    while k < s.seats:
        p = left_of(s, s.victim, k)
        if s.living[p] > 0 and s.hands[p, SAVE] > 0:
            s.to_act = p
            return
        k += 1
    eliminated(t, s)


@move(Phase.SV, at=0, always=True)
def decline(t: Table, s: State) -> None:
    """BA-60, B13: do not save; nobody else learns of it."""
    p = s.to_act
    tell(s, Event.DECLINED, p, s.victim)
    ask_savers(t, s, (p - s.victim + s.seats) % s.seats + 1)


@move(Phase.SV, at=ACTION_CARDS + 3, always=True)
def save(t: Table, s: State) -> None:
    """BA-58, BA-60, BA-61: the victim stays in the round."""
    p = s.to_act
    lay(s, p, SAVE, 1)
    tell(s, Event.SAVED, p, s.victim)
    s.victim, s.by = 0, 0
    go_back(t, s)


@rule
def eliminated(t: Table, s: State) -> None:
    """BA-55..57, BA-68, B7, B12, B16, H4: the victim is out; their side may be at an end."""
    p = s.victim
    s.living[p], s.victim, s.by = 0, 0, 0
    s.owner = 0 if s.owner == 1 + p else s.owner
    tell(s, Event.OUT, p)
    side = side_alone(t, s)
    if side == 0:
        go_back(t, s)
    else:
        tell(s, Event.LEFT_ALONE, p, side)
        end_round(t, s, side)


@rule
def side_alone(t: Table, s: State) -> int:
    """BA-68, B16, H4: the side of all who are left, or 0; in the option, of the last one."""
    if t.wipeout_ends == 0 and count_living(s) > 1:
        return 0
    side = 0
    for p in range(s.seats):
        if s.living[p] > 0:
            side |= s.identity[p]
    return side if side < 3 else 0


# ---- windows ------------------------------------------------------------------------------------
@rule
def open_window(t: Table, s: State) -> None:
    """BA-45, B2: between two turns action cards may be played, the next player first."""
    s.phase, s.to_act = Phase.WI, NOBODY
    tell(s, Event.WINDOW, s.turn)
    ask_for_actions(t, s, 1)


@rule
def ask_for_actions(t: Table, s: State, k: int) -> None:
    """B2, H5: asks the next who can play one, from k seats beyond the last mover on."""
    while k <= s.seats:
        p = (s.turn + k * (s.way + s.seats)) % s.seats
        if s.living[p] > 0 and has_action(s, p):
            s.to_act = p
            return
        k += 1
    next_turn(t, s)


@rule
def has_action(s: State, p: int) -> bool:
    """H5: this player holds an action card that may be played in a window."""
    n = s.hands[p, SKIP] + s.hands[p, REVERSE] + s.hands[p, ELIMINATE] + s.hands[p, EXPOSE]
    n += s.hands[p, SAVE] if s.battle == 0 else 0
    return n > 0 or (s.hands[p, NEW_BATTLE] > 0 and can_reset(s, p))


@move(Phase.WI, at=0, always=True)
def wait(t: Table, s: State) -> None:
    """B2: play nothing; nobody else learns of it."""
    p = s.to_act
    tell(s, Event.WAITED, p)
    steps = (p - s.turn) * s.way + s.seats
    ask_for_actions(t, s, (steps - 1) % s.seats + 2)


# ---- the end of a round, and of the game --------------------------------------------------------
@rule
def end_round(t: Table, s: State, side: int) -> None:
    """BA-65..72, B15, B37, H1: points, then the next round, or the end of the game."""
    s.phase, s.to_act = Phase.DEAL, NOBODY  # nor may anybody see who was asked last
    s.victim, s.by, s.back = 0, 0, 0
    remember(s)
    for p in range(s.seats):
        s.exposed[p] = s.identity[p]
        tell(s, Event.UNMASKED, p, s.identity[p])
    top = 0
    for p in range(s.seats):
        s.scored[p] = 0
        if s.identity[p] == side and (s.living[p] > 0 or t.out_scores > 0):
            s.scored[p] = 1
            s.points[p] += 1
            tell(s, Event.SCORED, p, s.points[p])
        top = max(top, s.points[p])
    s.last_side = side
    if top >= t.target_points:
        crown(s, top)
        if t.tie_cards > 0:
            break_tie(s)
        end(s)
    elif s.round == t.rounds or s.round >= MOST_ROUNDS:
        crown(s, top)
        end(s)
    else:
        s.round += 1
        s.dealer = left_of(s, s.dealer, 1)
        deal(t, s)
        flip(s)


@rule
def remember(s: State) -> None:
    """H9: what all have seen of the round that is over."""
    for p in range(s.seats):
        s.last_identity[p], s.last_living[p] = s.identity[p], s.living[p]


@rule
def crown(s: State, top: int) -> None:
    """BA-71, B26, B37: those with the most points."""
    for p in range(s.seats):
        s.winner[p] = 1 if s.points[p] == top else 0


@rule
def count_winners(s: State) -> int:
    """How many are ahead."""
    n = 0
    for p in range(s.seats):
        n += s.winner[p]
    return n


@rule
def break_tie(s: State) -> None:
    """BA-72..76: each who is tied draws SAVE or ELIMINATE, until one is left."""
    while count_winners(s) > 1:
        safe = 0
        for p in range(s.seats):
            s.heap[p] = 0
            if s.winner[p] > 0:
                s.heap[p] = 1 - draw(s, 2)
                safe += s.heap[p]
                tell(s, Event.LOT, p, s.heap[p])
        if safe > 0:
            for p in range(s.seats):
                s.winner[p] = s.heap[p]


@rule
def end(s: State) -> None:
    """B37: the game is over; all level, it is a draw."""
    s.phase = Phase.OVER
    if count_winners(s) == s.seats:
        tell(s, Event.DRAWN, s.dealer, s.points[0])
        for p in range(s.seats):
            s.winner[p] = 0
    for p in range(s.seats):
        if s.winner[p] > 0:
            tell(s, Event.WON, p, s.points[p])


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """BA-65, BA-66, BA-71, B37: +1 for who has won, -1 for the others; 0 for all in a draw."""
    drawn = count_winners(s) == 0
    for p in range(s.seats):
        out[p] = 0 if drawn else 1 if s.winner[p] > 0 else -1


@rule
def max_length(t: Table, seats: int) -> int:
    """B33, H1: two decisions a turn, and for each action card one of everybody else.

    In windows everybody is asked once a turn, and once more for each action card.
    """
    a_round = 1 + 2 * t.max_turns + CARDS * (1 + seats)
    if t.windows > 0:
        a_round += (t.max_turns + CARDS) * seats
    return a_round * (t.rounds if t.rounds > 0 else MOST_ROUNDS)
