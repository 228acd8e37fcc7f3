"""Battleball after the move: fumbles, hand-offs and passes."""

from __future__ import annotations

from ...core.rules import Row, allow_all, move, offer, roll, rule, tell
from .field import away, belongs, between, is_next_to, piece, slot_of, take_ball, team_of
from .halves import end_turn, halt
from .state import (
    AFTER_CELLS,
    CELLS,
    EMPTY,
    HEAVY,
    NOWHERE,
    RIGHT,
    TEAM,
    Cell,
    Event,
    Malfunction,
    Phase,
    Slot,
    State,
    Table,
    TeamRule,
    Why,
)


# ---- after the move: tackle, or hand off, or pass -----------------------------------------------
@rule
def is_in_contact(t: Table, s: State, team: int) -> bool:
    """BB-24, AMB-41, AMB-42: any piece of this team is next to any opponent."""
    for slot in range(TEAM):
        cell = s.at[team, slot]
        if cell != NOWHERE and is_next_to(t, s, team, slot == HEAVY, cell):
            return True
    return False


@rule
def can_take_hand_off(t: Table, s: State, slot: int) -> bool:
    """BB-90: a partner next to the carrier."""
    team, carrier = s.turn, slot_of(s.holder)
    if slot == carrier or s.at[team, slot] == NOWHERE:
        return False
    return between(t, s, team, carrier, team, slot) == 1


@rule
def pass_bonus(s: State) -> int:
    """BB-165: Sure Hands adds to the total of a pass."""
    return 2 if s.team_rule[s.turn] == TeamRule.SURE_HANDS else 0


@rule
def can_take_pass(t: Table, s: State, slot: int) -> bool:
    """BB-141, BB-143, BB-144, BB-146, AMB-37: any partner that a pass can reach."""
    team, carrier = s.turn, slot_of(s.holder)
    if s.advanced == 0 or slot == carrier or s.at[team, slot] == NOWHERE:
        return False
    return between(t, s, team, carrier, team, slot) <= t.reach[slot] + pass_bonus(s)


@rule
def may_transfer(t: Table, s: State) -> bool:
    """BB-27, BB-51, BB-90, BB-141: this team has the ball, and somebody to give it to."""
    if s.holder == 0 or team_of(s.holder) != s.turn or s.malfunction == Malfunction.PLACED:
        return False
    for slot in range(TEAM):
        if can_take_hand_off(t, s, slot) or can_take_pass(t, s, slot):
            return True
    return False


@rule
def after_move(t: Table, s: State) -> None:
    """BB-22, BB-24, BB-27, BB-30: a tackle if there is contact, else a hand-off or pass."""
    s.to_act = s.turn
    if is_in_contact(t, s, s.turn):
        s.phase = Phase.TACKLE
    elif may_transfer(t, s):
        s.phase = Phase.OPTION
    else:
        end_turn(t, s)


# ---- fumbles ------------------------------------------------------------------------------------
@rule
def is_spot(t: Table, s: State, cell: int) -> bool:
    """BB-104, BB-105, AMB-44: an empty cell, one or two from where the fumbler stands or stood."""
    return s.square[cell] == EMPTY and 1 <= away(t, slot_of(s.fumbler), s.spot, cell) <= 2


@rule
def may_be_given(t: Table, s: State, team: int, slot: int) -> bool:
    """BB-108, BB-110, AMB-29: a piece within two of the fumbler, not the fumbler itself."""
    cell = s.at[team, slot]
    if cell == NOWHERE or piece(team, slot) == s.fumbler:
        return False
    d = away(t, slot_of(s.fumbler), s.spot, cell)
    if slot == HEAVY:
        d = min(d, away(t, slot_of(s.fumbler), s.spot, t.near[cell, RIGHT]))
    return d <= 2


@rule
def anyone_near(t: Table, s: State, team: int) -> bool:
    """BB-109, BB-110: this team has a piece that the ball may be given to."""
    for slot in range(TEAM):
        if may_be_given(t, s, team, slot):
            return True
    return False


@rule
def ask_fumble(t: Table, s: State) -> None:
    """BB-103, BB-104, BB-108..111: the other coach places the ball, or gives it; or a halt."""
    team = team_of(s.fumbler)
    s.to_act = 1 - team
    for c in range(CELLS):
        if is_spot(t, s, c):
            s.phase = Phase.PLACE
            return
    if anyone_near(t, s, 1 - team) or anyone_near(t, s, team):
        s.phase = Phase.GIVE
    else:
        halt(t, s, team, Why.NO_SPOT)


@rule
def fumble(t: Table, s: State, code: int, cell: int) -> None:
    """BB-78, BB-99, BB-103, BB-105: the piece that had the ball, on this cell, has lost it."""
    s.fumbler, s.spot, s.holder, s.ball, s.no_progress = code, cell, 0, NOWHERE, -1
    tell(s, Event.FUMBLED, team_of(code), slot_of(code))
    ask_fumble(t, s)


@rule
def after_fumble(t: Table, s: State) -> None:
    """BB-51, BB-112, AMB-19: the turn ends; after a malfunction there may still be a tackle."""
    if s.malfunction == Malfunction.PLACING and t.malfunction_ends_turn == 0:
        s.malfunction = Malfunction.PLACED
        after_move(t, s)
    else:
        end_turn(t, s)


@move(Phase.PLACE, at=0)
def place(t: Table, s: State, cell: Cell) -> None:
    """BB-104, BB-107: the ball lies there, loose."""
    s.ball = cell
    tell(s, Event.BALL_PLACED, s.to_act, cell)
    after_fumble(t, s)


@allow_all(place)
def may_place(t: Table, s: State, can: Row) -> None:
    """BB-89, BB-104: every empty cell within two."""
    for c in range(CELLS):
        if is_spot(t, s, c):
            offer(can, place, c)


@rule
def give(t: Table, s: State, team: int, slot: int) -> None:
    """BB-108: a piece gets the ball."""
    take_ball(s, team, slot)
    tell(s, Event.GOT_BALL, team, slot)


@move(Phase.GIVE, at=AFTER_CELLS + 158)
def give_own(t: Table, s: State, slot: Slot) -> None:
    """BB-109: to a piece of one's own."""
    give(t, s, s.to_act, slot)
    after_fumble(t, s)


@move(Phase.GIVE, at=AFTER_CELLS + 169)
def give_other(t: Table, s: State, slot: Slot) -> None:
    """BB-110: to an opposing piece."""
    give(t, s, 1 - s.to_act, slot)
    after_fumble(t, s)


@allow_all(give_own, give_other)
def may_give(t: Table, s: State, can: Row) -> None:
    """BB-109, BB-110: one's own pieces within two; only if there is none, the other's."""
    p = s.to_act
    own_near = anyone_near(t, s, p)
    for slot in range(TEAM):
        if own_near and may_be_given(t, s, p, slot):
            offer(can, give_own, slot)
        elif not own_near and may_be_given(t, s, 1 - p, slot):
            offer(can, give_other, slot)


# ---- dice ---------------------------------------------------------------------------------------
@rule
def roll_for(t: Table, s: State, i: int, team: int, slot: int) -> None:
    """BB-4, BB-46, BB-83: the die of a piece's base, two for the Heavy Tackle."""
    s.dice[i, 0], s.dice[i, 1] = roll(s, t.die[slot]), 0
    s.roller[i] = piece(team, slot)
    if slot == HEAVY:
        s.dice[i, 1] = roll(s, t.die[slot])
    tell(s, Event.ROLLED, team, slot, s.dice[i, 0], s.dice[i, 1])


@rule
def higher(s: State, i: int) -> int:
    """The higher of these dice."""
    return max(s.dice[i, 0], s.dice[i, 1])


@rule
def lower(s: State, i: int) -> int:
    """The lower of these dice."""
    return min(s.dice[i, 0], s.dice[i, 1]) if s.dice[i, 1] > 0 else s.dice[i, 0]


@rule
def any_match(s: State) -> bool:
    """BB-94, BB-96, BB-97, BB-101: any two dice of the roll are equal, whosever they are."""
    a, b, c, d = s.dice[0, 0], s.dice[0, 1], s.dice[1, 0], s.dice[1, 1]
    if a in (b, c) or b == c:  # b or d is 0 if there is no such die
        return True
    return d > 0 and d in (a, b, c)


# ---- hand-offs and passes -----------------------------------------------------------------------
@rule
def has_sure_hands(s: State) -> bool:
    """BB-165: a fumble by this team's hand-off or pass is rolled again."""
    return s.team_rule[s.turn] == TeamRule.SURE_HANDS


@rule
def fumble_transfer(t: Table, s: State) -> None:
    """BB-93, BB-100, BB-102, BB-105, AMB-50: the giver or passer has fumbled."""
    code = s.holder
    fumble(t, s, code, s.at[team_of(code), slot_of(code)])


@rule
def roll_hand_off(t: Table, s: State, giver: int, receiver: int) -> None:
    """BB-91: the dice of both."""
    roll_for(t, s, 0, s.turn, giver)
    roll_for(t, s, 1, s.turn, receiver)


@move(Phase.OPTION, at=AFTER_CELLS + 133)
def hand_off(t: Table, s: State, slot: Slot) -> None:
    """BB-29, BB-91..95, BB-165: try to hand the ball to a partner."""
    giver = slot_of(s.holder)
    s.skips = 0
    tell(s, Event.HANDED_OFF, s.turn, giver, slot)
    roll_hand_off(t, s, giver, slot)
    if any_match(s) and has_sure_hands(s):
        tell(s, Event.SURE_HANDS, s.turn)
        roll_hand_off(t, s, giver, slot)
    if any_match(s):
        fumble_transfer(t, s)
    else:
        give(t, s, s.turn, slot)
        end_turn(t, s)


@rule
def roll_pass(t: Table, s: State, receiver: int) -> None:
    """BB-148, BB-156: the receiver's dice, then the football die."""
    roll_for(t, s, 0, s.turn, receiver)
    s.dice[1, 0], s.dice[1, 1], s.roller[1] = roll(s, 6), 0, 0
    tell(s, Event.FOOTBALL_DIE, s.turn, s.dice[1, 0])


@rule
def pass_is_fumbled(t: Table, s: State) -> bool:
    """BB-149, BB-156, AMB-38: equal dice; of a Heavy any pair, or only the die that counts."""
    return any_match(s) if t.pass_any_match > 0 else higher(s, 0) == s.dice[1, 0]


@rule
def carries(s: State, far: int) -> bool:
    """BB-150, BB-156, BB-165: the dice are enough for a pass so far."""
    return higher(s, 0) + s.dice[1, 0] + pass_bonus(s) >= far


@rule
def is_on_ring(t: Table, s: State, cell: int) -> bool:
    """BB-151, AMB-45: just as far from the receiver as the football die says."""
    return away(t, s.receiver, s.at[s.turn, s.receiver], cell) == s.dice[1, 0]


@rule
def may_land(t: Table, s: State, cell: int) -> bool:
    """BB-152, BB-153, AMB-46: an empty cell of the ring, or one with a piece of the other team."""
    here = s.square[cell]
    return (here == EMPTY or belongs(here, 1 - s.turn)) and is_on_ring(t, s, cell)


@rule
def may_recover(t: Table, s: State, slot: int) -> bool:
    """BB-154, AMB-47: a piece of the passing team that stands on the ring, with either foot."""
    cell = s.at[s.turn, slot]
    if cell == NOWHERE:
        return False
    return is_on_ring(t, s, cell) or (slot == HEAVY and is_on_ring(t, s, t.near[cell, RIGHT]))


@rule
def ask_incomplete(t: Table, s: State) -> None:
    """BB-151, BB-154, BB-155: the other coach says where the ball comes down; or it is a halt."""
    s.phase, s.to_act = Phase.INCOMPLETE, 1 - s.turn
    for c in range(CELLS):
        if may_land(t, s, c):
            return
    for slot in range(TEAM):
        if may_recover(t, s, slot):
            return
    halt(t, s, s.turn, Why.OUT_OF_PLAY)


@move(Phase.OPTION, at=AFTER_CELLS + 144)
def pass_ball(t: Table, s: State, slot: Slot) -> None:
    """BB-142, BB-144..153, BB-156..158, BB-165: try to pass the ball to a partner."""
    passer = slot_of(s.holder)
    far = between(t, s, s.turn, passer, s.turn, slot)
    s.skips, s.receiver = 0, slot
    tell(s, Event.PASSED, s.turn, passer, slot, far)
    roll_pass(t, s, slot)
    if pass_is_fumbled(t, s) and has_sure_hands(s):
        tell(s, Event.SURE_HANDS, s.turn)
        roll_pass(t, s, slot)
    if pass_is_fumbled(t, s):
        fumble_transfer(t, s)
    elif carries(s, far):
        give(t, s, s.turn, slot)
        end_turn(t, s)
    else:
        tell(s, Event.INCOMPLETE, s.turn, slot, s.dice[1, 0])
        s.holder = 0
        ask_incomplete(t, s)


@move(Phase.OPTION, at=AFTER_CELLS + 155)
def decline(t: Table, s: State) -> None:
    """BB-28, BB-30: neither; the turn ends."""
    end_turn(t, s)


@allow_all(hand_off, pass_ball, decline)
def may_hand_off_or_pass(t: Table, s: State, can: Row) -> None:
    """BB-28, BB-90, BB-142, BB-146: to whom the ball can go; or to keep it."""
    for slot in range(TEAM):
        if can_take_hand_off(t, s, slot):
            offer(can, hand_off, slot)
    for slot in range(TEAM):
        if can_take_pass(t, s, slot):
            offer(can, pass_ball, slot)
    offer(can, decline)


@move(Phase.INCOMPLETE, at=0)
def land(t: Table, s: State, cell: Cell) -> None:
    """BB-152, BB-153, BB-158: there the ball lies loose, or a piece has caught it."""
    tell(s, Event.BALL_PLACED, s.to_act, cell)
    if s.square[cell] == EMPTY:
        s.ball = cell
    else:
        give(t, s, s.to_act, slot_of(s.square[cell]))
    end_turn(t, s)


@move(Phase.INCOMPLETE, at=AFTER_CELLS + 169)
def recover(t: Table, s: State, slot: Slot) -> None:
    """BB-154: a piece of the passing team has it."""
    give(t, s, s.turn, slot)
    end_turn(t, s)


@allow_all(land, recover)
def may_land_or_recover(t: Table, s: State, can: Row) -> None:
    """BB-151..154: the cells of the ring; only if there is none, the passing team's pieces."""
    found = False
    for c in range(CELLS):
        if may_land(t, s, c):
            offer(can, land, c)
            found = True
    if not found:
        for slot in range(TEAM):
            if may_recover(t, s, slot):
                offer(can, recover, slot)
