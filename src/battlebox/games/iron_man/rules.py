"""The rules of the Iron Man Game of War. Read it beside README.md, which says what each id means.

A round: each player puts three cards face down, one for each battle. They are turned one pair after
the other. In the advanced game who is behind plays another card or concedes; equal strength is a
standoff. Two battles win the round, and the pawn that comes to the last victory card wins the game.
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
    event,
    move,
    n8,
    n16,
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

SEATS = 2
BATTLES = 3  # of a round; as many cards are placed
SIDES = SEATS * BATTLES
KINDS = size("kinds", 13)
CARDS = size("cards", 55)  # room for so many cards of one player
NOBODY = SEATS  # the winner of a drawn battle


class Phase(IntEnum):
    """What is decided. `DEAL`, `FLIP` and `COMPARE` ask nobody: the rules run on through them."""

    DEAL = 0
    PLACE = 1
    FLIP = 2
    COMPARE = 3
    RESPOND = 4
    STAND = 5
    FORCED = 6
    TARGET = 7
    SALVAGE = 8
    OVER = 9


class Effect(IntEnum):
    """What a special card does."""

    NONE = 0
    SHIELD = 1
    DOUBLE = 2
    COUNT = 3
    DRAIN = 4
    DRAW = 5
    SALVAGE = 6
    JAM = 7


class Event(Events):
    """What players are told."""

    ROUND = event("seat", "round")
    DEALT = event("seat", "cards")
    DREW = event("seat", "card", alone=True, reveals=True)
    RESHUFFLED = event("seat", "cards")
    PLACED = event("seat", "battle", "card", own=("card",))
    TURNED = event("seat", "card", "battle", reveals=True)
    PLAYED = event("seat", "card", reveals=True, chosen=True)
    SEALED = event("seat", "card", own=("card",))
    SHOWN = event("seat", "card", reveals=True)
    CANCELLED = event("seat", "card", "other")
    STRUCK = event("seat", "card")  # the card was the other player's
    RESUPPLIED = event("seat", "cards")
    SALVAGED = event("seat", "card")
    JAMMED = event("seat", "card", reveals=True)  # the card is the seat's, the signal the other's
    LEADS = event("seat", "total", "against")
    STANDOFF = event("seat", "total")
    CONCEDED = event("seat", "forced")
    WON_BATTLE = event("seat", "battle")
    DREW_BATTLE = event("seat", "battle")
    LEFT_OVER = event("seat", "cards")
    MOVED = event("seat", "steps", "pawn")
    STAYED = event("seat", "round")
    WON = event("seat", "pawn")
    DRAWN = event("seat", "pawn")


class Card(Domain, n=KINDS):
    """A kind of card."""


class CardNumbers(Record):
    """What a card prints."""

    value = n8()
    power = n8()  # 1: a power card, 0: a special one
    effect = n8()  # Effect
    amount = n8()  # how many cards or points the effect is about
    cancels = n8()  # 1: turned together with another such card, both are cancelled
    immune = n8()  # 1: no shield can strike it


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers of a ruleset: the deck and the options (README.md, Options)."""

    card = rows(CardNumbers, KINDS)
    copies = n8(KINDS)  # how many of each kind are in the deck of each player
    hand = n8()  # cards that are dealt for a round
    track = n8()  # the number of the last victory card
    start = n8()  # the number of the first
    sweep = n8()  # steps of the pawn for three battles won
    majority = n8()  # 1: a round is won by two battles, 0: by more battles than the other
    responds = n8()  # 1: the player who is behind may play on, 0: the battle is lost
    keeps_hand = n8()  # 1: cards in hand are kept for the next round
    leftovers_open = n8()  # 1: all see the cards that are discarded from the hand
    eager = n8()  # 1: a deck is reshuffled with its last card, 0: at the next draw
    double_all = n8()  # 1: cards played after a doubling are doubled, too
    max_rounds = n16()
    max_plays = n16()


def most(t: Table) -> int:
    """How many cards of one kind there are at most."""
    return max(t.copies)


class State(StateRecord):
    """The whole truth. A pair of sides belongs to each battle: side 2 * (battle - 1) + seat.

    The lines of finished battles stay until the next round's first cards are turned. Those of their
    winners are cards on the table, those of losers, and all between two rounds, only a memory.
    """

    # how many cards of each kind a player has in this match
    stock = public(n8(KINDS, each=SEATS, high=most))
    hands = own(n8(SEATS, KINDS, high=most))  # only the owner sees the kinds ...
    # ... everybody how many; what is sealed counts until it is shown
    hand_size = public(n8(each=SEATS, high=lambda t: 2 * t.hand))
    # cards that all know to be in hand or sealed,
    salvaged = public(n8(KINDS, each=SEATS, high=most))
    known = public(n8(KINDS, each=SEATS, high=most))  # and others to be there or face down
    # 1 + the card face down for each battle, 0: none
    slots = own(n8(SEATS, BATTLES, of=Card, first=1))
    covered = public(n8(BATTLES, each=SEATS, high=1))  # 1: a card lies there face down
    slot = public(n8(high=BATTLES))  # where the seat to act puts its next card
    sealed = own(n8(SEATS, of=Card, first=1))  # 1 + the card chosen in a standoff, 0: none
    deck = secret(n8(SEATS, CARDS))  # its top is deck[p, deck_size[p] - 1]
    deck_size = public(n8(each=SEATS, high=CARDS))
    discard = public(n8(KINDS, each=SEATS, high=most))
    buried = own(n8(SEATS, KINDS, high=most))  # discarded face down
    buried_size = public(n8(each=SEATS, high=CARDS))
    # the cards played in each battle, in their order
    line = public(n8(CARDS, each=SEATS, groups=BATTLES, of=Card, in_order=False, high=most))
    line_size = public(n8(each=SEATS, groups=BATTLES, high=20))
    # 1 + the last card lost to a cancellation, a shield or a jamming
    gone = public(n8(each=SEATS, groups=BATTLES, of=Card, first=1))
    # 1 + the winner of each battle, 1 + NOBODY; 0: not over
    result = public(n8(BATTLES, of=Seat, first=1))
    pawn = public(n8(each=SEATS, high=lambda t: t.track))
    round = public(n16(high=20))
    battle = public(n8(high=BATTLES))  # 1 .. 3; 0 between two rounds
    plays = public(n16(high=20))  # cards played in this battle since it was turned
    heap = scratch(n8(CARDS))
    held = scratch(n8(CARDS))
    unseen = scratch(n8(KINDS))


# ---- cards: hand, deck, discard pile, line -------------------------------------------------------
@rule
def side(s: State, p: int) -> int:
    """The side of player p in the present battle."""
    return SEATS * (s.battle - 1) + p


@rule
def show(s: State, p: int, card: int) -> None:
    """IM-17, H20: all see a card of player p; it may be one that they knew to be hidden there."""
    if s.known[p, card] > 0:
        s.known[p, card] -= 1


@rule
def show_from_hand(s: State, p: int, card: int) -> None:
    """IM-64, H20: the same for a card of the hand, or one sealed."""
    if s.salvaged[p, card] > 0:
        s.salvaged[p, card] -= 1
    else:
        show(s, p, card)


@rule
def join(s: State, p: int, card: int) -> None:
    """IM-56, IM-64: a card joins the line of player p, face up."""
    mine = side(s, p)
    s.line[mine, s.line_size[mine]] = card
    s.line_size[mine] += 1


@rule
def lose(s: State, p: int, card: int) -> None:
    """IM-75, IM-89, IM-98: an effect puts a card of player p on their discard pile."""
    s.discard[p, card] += 1
    s.gone[side(s, p)] = 1 + card


@rule
def discard_line(s: State, p: int, at: int) -> None:
    """IM-26, IM-28, IM-32, IM-65: the cards of a side go to the discard pile of their owner."""
    for i in range(s.line_size[at]):
        s.discard[p, s.line[at, i]] += 1


@rule
def make_deck(s: State, p: int, n: int) -> None:
    """IM-8: the first n cards of the heap are shuffled and become the deck of player p."""
    shuffle(s, s.heap, n)
    for i in range(n):
        s.deck[p, n - 1 - i] = s.heap[i]
    s.deck_size[p] = n


@rule
def reshuffle(s: State, p: int) -> None:
    """IM-35, IM-67, H5: the discard pile becomes the deck; without one nothing happens."""
    n = 0
    for card in range(KINDS):
        for _ in range(s.discard[p, card] + s.buried[p, card]):
            s.heap[n] = card
            n += 1
        s.discard[p, card], s.buried[p, card] = 0, 0
    s.buried_size[p] = 0
    if n > 0:
        make_deck(s, p, n)
        tell(s, Event.RESHUFFLED, p, n)


@rule
def draw_cards(t: Table, s: State, p: int, cards: int) -> int:
    """IM-35, IM-67, IM-96, H5, H6: so many cards from the deck to the hand, or all there are."""
    drawn = 0
    while drawn < cards:
        if s.deck_size[p] == 0:
            reshuffle(s, p)
            if s.deck_size[p] == 0:
                break
        s.deck_size[p] -= 1
        card = s.deck[p, s.deck_size[p]]
        s.hands[p, card] += 1
        s.hand_size[p] += 1
        drawn += 1
        tell(s, Event.DREW, p, card)
        if s.deck_size[p] == 0 and t.eager > 0:
            reshuffle(s, p)
    return drawn


# ---- from one decision to the next ---------------------------------------------------------------
@rule
def advance(t: Table, s: State) -> None:
    """From a match not yet begun, a loaded position or a move to the next decision or the end."""
    while s.phase == Phase.DEAL or s.phase == Phase.FLIP or s.phase == Phase.COMPARE:
        if s.phase == Phase.DEAL:
            deal(t, s)
        elif s.phase == Phase.FLIP:
            flip(t, s)
        else:
            compare(t, s)


@rule
def ask(t: Table, s: State, phase: int, p: int) -> None:
    """H18: player p is asked; but after so many cards played the battle is a draw instead."""
    if s.plays >= t.max_plays:
        end_battle(t, s, NOBODY)
    else:
        s.phase, s.to_act = phase, p


# ---- a round begins ------------------------------------------------------------------------------
@rule
def set_up(t: Table, s: State) -> None:
    """IM-2..9: a deck and a pawn for each; the decks are shuffled."""
    for p in range(SEATS):
        n = 0
        for card in range(KINDS):
            s.stock[p, card] = t.copies[card]
            for _ in range(t.copies[card]):
                s.heap[n] = card
                n += 1
        make_deck(s, p, n)
        s.pawn[p] = t.start
    s.round = 1


@rule
def deal(t: Table, s: State) -> None:
    """IM-11, IM-34, IM-40, IM-41: seven cards for each, added to those that were kept."""
    if s.round == 0:
        set_up(t, s)
    tell(s, Event.ROUND, 0, s.round)
    for p in range(SEATS):
        drawn = draw_cards(t, s, p, t.hand)
        tell(s, Event.DEALT, p, drawn)
        for card in range(KINDS):  # H20: from now on they may lie face down as well
            s.known[p, card] += s.salvaged[p, card]
            s.salvaged[p, card] = 0
    s.slot = 0
    go_on_placing(s, 0)


@rule
def go_on_placing(s: State, p: int) -> None:
    """IM-13..15, H13, H16: player p places, or the next; then the first pair is turned.

    Until then the cards that were placed count as cards in hand to all but their owner.
    """
    while p < SEATS and (s.slot == BATTLES or s.slot == s.hand_size[p]):
        p += 1
        s.slot = 0
    if p < SEATS:
        s.phase, s.to_act = Phase.PLACE, p
        return
    for q in range(SEATS):
        for b in range(BATTLES):
            s.hand_size[q] -= s.covered[q, b]
    for at in range(SIDES):
        s.line_size[at], s.gone[at] = 0, 0
    for b in range(BATTLES):
        s.result[b] = 0
    s.battle, s.plays, s.phase = 1, 0, Phase.FLIP


@move(Phase.PLACE, at=1)
def place(t: Table, s: State, card: Card) -> None:
    """IM-13, IM-14, IM-16, IM-40: put a card face down for the next battle."""
    p = s.to_act
    s.hands[p, card] -= 1
    s.slots[p, s.slot], s.covered[p, s.slot] = 1 + card, 1
    s.slot += 1
    tell(s, Event.PLACED, p, s.slot, card)
    go_on_placing(s, p)
    advance(t, s)


# ---- two cards at once ---------------------------------------------------------------------------
@rule
def flip(t: Table, s: State) -> None:
    """IM-16, IM-17, IM-50, IM-63, IM-78: both turn the card that lies for this battle."""
    b = s.battle - 1
    first, second = s.slots[0, b], s.slots[1, b]
    for p in range(SEATS):
        if s.slots[p, b] > 0:
            tell(s, Event.TURNED, p, s.slots[p, b] - 1, s.battle)
            show(s, p, s.slots[p, b] - 1)
        s.slots[p, b], s.covered[p, b] = 0, 0
    meet(t, s, first, second)


@rule
def meet(t: Table, s: State, first: int, second: int) -> None:
    """IM-51, IM-52, IM-75..79, IM-81, H7, H9: two cards (1 + kind, 0: none) are shown together.

    Two specials cancel each other. Else both join their lines; then a special takes effect.
    """
    s.phase = Phase.COMPARE
    if cancels(t, first) and cancels(t, second):
        lose(s, 0, first - 1)
        lose(s, 1, second - 1)
        tell(s, Event.CANCELLED, 0, first - 1, second - 1)
        return
    if first > 0:
        join(s, 0, first - 1)
    if second > 0:
        join(s, 1, second - 1)
    if first > 0:
        take_effect(t, s, 0, first - 1)
    if second > 0:
        take_effect(t, s, 1, second - 1)


@rule
def cancels(t: Table, shown: int) -> bool:
    """IM-75, IM-81, H7: a card (1 + kind, 0: none) that cancels another one like it."""
    return shown > 0 and t.card[shown - 1].cancels > 0


@move(Phase.STAND, at=1)
def stand(t: Table, s: State, card: Card) -> None:
    """IM-20..23, IM-60, IM-70, H16: in a standoff both choose a card of the hand in secret.

    Player A's choice stays sealed, and counts as a card in hand, until B has chosen.
    """
    p = s.to_act
    s.hands[p, card] -= 1
    s.sealed[p] = 1 + card
    tell(s, Event.SEALED, p, card)
    if p == 0:
        s.to_act = 1
        return
    first, second = s.sealed[0], s.sealed[1]
    for q in range(SEATS):
        tell(s, Event.SHOWN, q, s.sealed[q] - 1)
        show_from_hand(s, q, s.sealed[q] - 1)
        s.sealed[q] = 0
        s.hand_size[q] -= 1
    s.plays += 2
    meet(t, s, first, second)
    advance(t, s)


# ---- one card alone ------------------------------------------------------------------------------
@move(Phase.RESPOND, Phase.FORCED, at=1)
def play(t: Table, s: State, card: Card) -> None:
    """IM-57, IM-58, IM-73, IM-80: play a card of your hand; nothing cancels it."""
    p = s.to_act
    s.hands[p, card] -= 1
    s.hand_size[p] -= 1
    s.plays += 1
    tell(s, Event.PLAYED, p, card)
    show_from_hand(s, p, card)
    join(s, p, card)
    s.phase = Phase.COMPARE
    take_effect(t, s, p, card)
    advance(t, s)


@allow(place)
@allow(stand)
@allow(play)
def may_play(t: Table, s: State, card: Card) -> bool:
    """IM-13, IM-20, IM-57, IM-63, IM-73, H11: any card of your hand."""
    return s.hands[s.to_act, card] > 0


@move(Phase.RESPOND, at=0, always=True)
def concede(t: Table, s: State) -> None:
    """IM-57, IM-62, IM-65, IM-66: give the battle up."""
    p = s.to_act
    tell(s, Event.CONCEDED, p, 0)
    end_battle(t, s, 1 - p)
    advance(t, s)


# ---- effects -------------------------------------------------------------------------------------
@rule
def take_effect(t: Table, s: State, p: int, card: int) -> None:
    """IM-51, IM-58, IM-89, IM-96..99, H11, H19: what a special card of player p does at once.

    What cannot be carried out does nothing. Doubling, counting and draining are in `total`.
    """
    effect = t.card[card].effect
    if effect == Effect.SHIELD:
        if has_target(t, s, 1 - p):
            ask(t, s, Phase.TARGET, p)
    elif effect == Effect.SALVAGE:
        if has_power_card(t, s, p):
            ask(t, s, Phase.SALVAGE, p)
    elif effect == Effect.DRAW:
        drawn = draw_cards(t, s, p, t.card[card].amount)
        tell(s, Event.RESUPPLIED, p, drawn)
    elif effect == Effect.JAM:
        jam(s, 1 - p)


@rule
def has_target(t: Table, s: State, q: int) -> bool:
    """H10: player q has a card in this battle that a shield can strike."""
    at = side(s, q)
    for i in range(s.line_size[at]):
        if t.card[s.line[at, i]].immune == 0:
            return True
    return False


@move(Phase.TARGET, at=1)
def strike(t: Table, s: State, card: Card) -> None:
    """IM-89, IM-90, H8, H10: your shield discards a card of the opponent, the earliest of it."""
    p = s.to_act
    at = side(s, 1 - p)
    i = 0
    while s.line[at, i] != card:
        i += 1
    s.line_size[at] -= 1
    while i < s.line_size[at]:
        s.line[at, i] = s.line[at, i + 1]
        i += 1
    lose(s, 1 - p, card)
    tell(s, Event.STRUCK, p, card)
    s.phase = Phase.COMPARE
    advance(t, s)


@allow(strike)
def may_strike(t: Table, s: State, card: Card) -> bool:
    """IM-63, IM-89, H10: a face-up card of the opponent in this battle."""
    at = side(s, 1 - s.to_act)
    for i in range(s.line_size[at]):
        if s.line[at, i] == card:
            return t.card[card].immune == 0
    return False


@rule
def has_power_card(t: Table, s: State, p: int) -> bool:
    """IM-97: there is a power card in the discard pile of player p."""
    for card in range(KINDS):
        if s.discard[p, card] > 0 and t.card[card].power > 0:
            return True
    return False


@move(Phase.SALVAGE, at=1)
def salvage(t: Table, s: State, card: Card) -> None:
    """IM-97, H20: take a power card of your discard pile into your hand; all see which."""
    p = s.to_act
    s.discard[p, card] -= 1
    s.hands[p, card] += 1
    s.hand_size[p] += 1
    s.salvaged[p, card] += 1
    tell(s, Event.SALVAGED, p, card)
    s.phase = Phase.COMPARE
    advance(t, s)


@allow(salvage)
def may_salvage(t: Table, s: State, card: Card) -> bool:
    """IM-97: a power card of your discard pile."""
    return s.discard[s.to_act, card] > 0 and t.card[card].power > 0


@rule
def jam(s: State, q: int) -> None:
    """IM-98, IM-63, H19: player q discards a card of their hand, each with the same chance."""
    if s.hand_size[q] == 0:
        return
    n = 0
    for card in range(KINDS):
        for _ in range(s.hands[q, card]):
            s.heap[n] = card
            n += 1
    card = pick(s, s.heap, n)
    s.hands[q, card] -= 1
    s.hand_size[q] -= 1
    show_from_hand(s, q, card)
    lose(s, q, card)
    tell(s, Event.JAMMED, q, card)


# ---- who is ahead --------------------------------------------------------------------------------
@rule
def drained(t: Table, s: State, p: int) -> int:
    """IM-95: how much less each power card of player p counts in this battle."""
    theirs, points = side(s, 1 - p), 0
    for i in range(s.line_size[theirs]):
        card = s.line[theirs, i]
        if t.card[card].effect == Effect.DRAIN:
            points += t.card[card].amount
    return points


@rule
def counts(t: Table, s: State, p: int, i: int, drain: int) -> int:
    """IM-86, IM-92..95: what the i-th card of player p counts, drained so much, before doubling."""
    mine = side(s, p)
    card = s.line[mine, i]
    if t.card[card].power > 0:
        return max(0, t.card[card].value - drain)
    if t.card[card].effect == Effect.COUNT:
        return t.card[card].amount * (s.line_size[mine] - 1)
    return t.card[card].value


@rule
def total(t: Table, s: State, p: int) -> int:
    """IM-53, IM-56, IM-85..88, H8: the attack value of player p in this battle."""
    mine, drain = side(s, p), drained(t, s, p)
    points, doubled, earlier = 0, False, 0
    for i in range(s.line_size[mine]):
        points += counts(t, s, p, i, drain)
        if t.card[s.line[mine, i]].effect == Effect.DOUBLE and not doubled:
            doubled, earlier = True, points
    if doubled:
        points += points if t.double_all > 0 else earlier
    return points


@rule
def leader(t: Table, s: State) -> int:
    """IM-53: who leads the present battle, or NOBODY."""
    return ahead_with(s, total(t, s, 0), total(t, s, 1))


@rule
def ahead_with(s: State, first: int, second: int) -> int:
    """IM-18, IM-19, IM-53..55, H25: more value leads, else more cards; or NOBODY."""
    if first == second:
        first, second = s.line_size[side(s, 0)], s.line_size[side(s, 1)]
    return NOBODY if first == second else 0 if first > second else 1


@rule
def compare(t: Table, s: State) -> None:
    """IM-18..24, IM-55..61, IM-66, IM-70..74, IM-77, H12, H22: who is ahead, and who plays on."""
    first, second = total(t, s, 0), total(t, s, 1)
    ahead = ahead_with(s, first, second)
    if ahead == NOBODY:
        tell(s, Event.STANDOFF, 0, first)
        if s.hand_size[0] > 0 and s.hand_size[1] > 0:
            ask(t, s, Phase.STAND, 0)
        elif s.hand_size[0] > 0 or s.hand_size[1] > 0:
            ask(t, s, Phase.FORCED, 0 if s.hand_size[0] > 0 else 1)
        else:
            end_battle(t, s, NOBODY)
        return
    tell(s, Event.LEADS, ahead, max(first, second), min(first, second))
    if t.responds == 0:
        end_battle(t, s, ahead)
    elif s.hand_size[1 - ahead] == 0:
        tell(s, Event.CONCEDED, 1 - ahead, 1)
        end_battle(t, s, ahead)
    else:
        ask(t, s, Phase.RESPOND, 1 - ahead)


# ---- the end of a battle, of a round, of the game ------------------------------------------------
@rule
def end_battle(t: Table, s: State, winner: int) -> None:
    """IM-10, IM-24, IM-26..28, IM-42, IM-65, IM-66, IM-72: only the winner's cards stay."""
    for p in range(SEATS):
        if p != winner:
            discard_line(s, p, side(s, p))
    s.result[s.battle - 1] = 1 + winner
    if winner == NOBODY:
        tell(s, Event.DREW_BATTLE, 0, s.battle)
    else:
        tell(s, Event.WON_BATTLE, winner, s.battle)
    if s.battle < BATTLES:
        s.battle += 1
        s.plays, s.phase = 0, Phase.FLIP
    else:
        end_round(t, s)


@rule
def wins(s: State, p: int) -> int:
    """How many battles of this round player p has won."""
    n = 0
    for b in range(BATTLES):
        if s.result[b] == 1 + p:
            n += 1
    return n


@rule
def end_round(t: Table, s: State) -> None:
    """IM-32, IM-33, IM-36, IM-43, IM-48, H14, H17: all played cards are discarded, a pawn moves."""
    for b in range(BATTLES):
        if s.result[b] <= SEATS:
            discard_line(s, s.result[b] - 1, SEATS * b + s.result[b] - 1)
    s.battle, s.plays = 0, 0
    move_pawn(t, s)
    if t.keeps_hand == 0:
        for p in range(SEATS):
            discard_hand(t, s, p)
    if s.pawn[0] == t.track or s.pawn[1] == t.track or s.round >= t.max_rounds:
        end_game(s)
    else:
        s.round += 1
        s.phase = Phase.DEAL


@rule
def move_pawn(t: Table, s: State) -> None:
    """IM-29..31, IM-44..47, H1, H2: the winner of the round moves on; never past the last card."""
    winner = 0 if wins(s, 0) > wins(s, 1) else 1
    most, least = wins(s, winner), wins(s, 1 - winner)
    if most > least and (most >= 2 or t.majority == 0):
        steps = t.sweep if most == BATTLES else 1
        steps = min(steps, t.track - s.pawn[winner])
        s.pawn[winner] += steps
        tell(s, Event.MOVED, winner, steps, s.pawn[winner])
    else:
        tell(s, Event.STAYED, 0, s.round)


@rule
def discard_hand(t: Table, s: State, p: int) -> None:
    """IM-33, H14: what is left in hand is discarded, face down unless the option says otherwise."""
    tell(s, Event.LEFT_OVER, p, s.hand_size[p])
    for card in range(KINDS):
        if t.leftovers_open > 0:
            s.discard[p, card] += s.hands[p, card]
        else:
            s.buried[p, card] += s.hands[p, card]
            s.buried_size[p] += s.hands[p, card]
        s.hands[p, card] = 0
    s.hand_size[p] = 0


@rule
def end_game(s: State) -> None:
    """IM-5, IM-36, IM-48, H17: the pawn that is ahead has won; level pawns are a draw."""
    s.phase = Phase.OVER
    if s.pawn[0] == s.pawn[1]:
        tell(s, Event.DRAWN, 0, s.pawn[0])
    else:
        winner = 0 if s.pawn[0] > s.pawn[1] else 1
        tell(s, Event.WON, winner, s.pawn[winner])


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """IM-5, IM-36, H17: the pawn that is ahead has won."""
    d = s.pawn[0] - s.pawn[1]
    out[0] = 1 if d > 0 else -1 if d < 0 else 0
    out[1] = -out[0]


@rule
def max_length(t: Table, seats: int) -> int:
    """H17, H18: no match takes more decisions.

    Six placements a round; in a battle the pair that is turned and each card played may ask for a
    choice more, a standoff may overshoot by one card, and somebody concedes.
    """
    return t.max_rounds * (SEATS * BATTLES + BATTLES * (2 * (t.max_plays + 2) + 2))
