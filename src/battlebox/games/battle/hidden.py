"""Battle: who may know who is asked, and random truths that fit what a seat knows."""

from __future__ import annotations

from ...core.counting import add_counted, add_piled, heap_up
from ...core.rules import Row, draw, rule, shuffle
from .state import BATTLE, HELD, KINDS, NEW_BATTLE, NOBODY, RANKS, SAVE, Phase, Side, State, Table

TRIES = 200  # of identities that leave both sides in the round


@rule
def reveal(t: Table, s: State, o: State, seat: int) -> None:
    """B13, H5: whom a question between turns is put to, only they know."""
    if (s.phase == Phase.SV or s.phase == Phase.WI) and s.to_act != seat:
        o.to_act = NOBODY


@rule
def determinize(t: Table, o: State) -> None:
    """Identities, whom a secret question is put to, and all unseen cards."""
    determinize_identities(t, o)
    count_unseen(o)
    if (o.phase == Phase.SV or o.phase == Phase.WI) and o.to_act == NOBODY:
        determinize_asked(o)
    determinize_cards(o)


# ---- identities ---------------------------------------------------------------------------------
@rule
def determinize_identities(t: Table, o: State) -> None:
    """B1, B16: any that fit; while the round goes on, both sides are in it."""
    me = o.viewer - 1
    for _ in range(TRIES):
        heroes, hidden = unseen_heroes(t, o, me), 0
        for p in range(o.seats):
            hidden += 1 if is_hidden(o, p, me) else 0
        for i in range(hidden):
            o.heap[i] = Side.SUPERHERO if i < heroes else Side.VILLAIN
        shuffle(o, o.heap, hidden)
        for p in range(o.seats):
            if is_hidden(o, p, me):
                hidden -= 1
                o.identity[p] = o.heap[hidden]
            else:
                o.identity[p] = max(o.identity[p], o.exposed[p])
        if t.wipeout_ends == 0 or both_live(o):
            break


@rule
def is_hidden(o: State, p: int, me: int) -> bool:
    """The viewer does not know the identity of p."""
    return p != me and o.exposed[p] == 0


@rule
def both_live(o: State) -> bool:
    """BA-68: players of both sides are in the round."""
    sides = 0
    for p in range(o.seats):
        if o.living[p] > 0:
            sides |= o.identity[p]
    return sides == 3


@rule
def unseen_heroes(t: Table, o: State, me: int) -> int:
    """BA-4, B1: how many of the hidden identities are superheroes; of an odd number one more or
    not, each as likely as it has ways to be dealt.
    """
    half = o.seats // 2
    heroes, villains = 0, 0
    for p in range(o.seats):
        if not is_hidden(o, p, me):
            side = max(o.identity[p], o.exposed[p])
            heroes += 1 if side == Side.SUPERHERO else 0
            villains += 1 if side == Side.VILLAIN else 0
    left = half - heroes
    if o.seats % 2 == 1:
        if t.extra > 0:
            left += 1 if t.extra == Side.SUPERHERO else 0
        else:
            ways, others = half + 1 - villains, half + 1 - heroes
            left += 1 if draw(o, ways + others) < ways else 0
    return left


# ---- cards --------------------------------------------------------------------------------------
@rule
def count_unseen(o: State) -> None:
    """o.unseen: all cards, less what the viewer sees, and what they know others to hold."""
    for card in range(KINDS):
        o.unseen[card] = o.stock[card]
    add_piled(o.unseen, 0, o.pile, o.pile_size, -1)
    for p in range(o.seats):
        for card in range(HELD):
            o.unseen[card] -= seen_in(o, p, card)


@rule
def determinize_cards(o: State) -> None:
    """BA-10: the unseen cards to the other hands, the rest to the deck; BATTLE is in no hand."""
    me, n = o.viewer - 1, heap_up(o.heap, 0, o.unseen, HELD)
    shuffle(o, o.heap, n)
    for p in range(o.seats):
        if p != me:
            for card in range(HELD):
                o.hands[p, card] += o.known[p, card]
            for _ in range(hidden_cards(o, p)):
                n -= 1
                o.hands[p, o.heap[n]] += 1
            o.fights[p] = how_many(o.hands[p], RANKS)
    for _ in range(o.unseen[BATTLE]):
        o.heap[n] = BATTLE
        n += 1
    shuffle(o, o.heap, n)
    for i in range(o.deck_size):
        o.deck[i] = o.heap[i]


@rule
def seen_in(s: State, p: int, card: int) -> int:
    """How many of these the viewer knows to be in a hand."""
    return max(s.hands[p, card], s.known[p, card])


@rule
def how_many(cards: Row, kinds: int) -> int:
    """How many cards there are of the first so many kinds."""
    n = 0
    for card in range(kinds):
        n += cards[card]
    return n


@rule
def hidden_cards(s: State, p: int) -> int:
    """How many cards of a hand the viewer does not know."""
    n = s.hand_size[p]
    for card in range(HELD):
        n -= seen_in(s, p, card)
    return n


# ---- secret questions ---------------------------------------------------------------------------
@rule
def determinize_asked(o: State) -> None:
    """B13, H5: whom the question is put to: any who may hold a card that it is about. He gets it.

    Nobody may: then it has just been announced, and will be put to nobody.
    """
    n, wanted = 0, 0
    for p in range(o.seats):
        for card in range(HELD):
            n += 1 if may_be_asked(o, p, card) else 0
    if n == 0:
        return
    k = draw(o, n)
    for p in range(o.seats):
        for card in range(HELD):
            if may_be_asked(o, p, card):
                if k == 0:
                    o.to_act, wanted = p, card
                k -= 1
    give(o, o.to_act, wanted)
    if lacks_fight(o, o.to_act, wanted):
        k = draw(o, how_many(o.unseen, RANKS))
        for card in range(RANKS):
            if 0 <= k < o.unseen[card]:
                give(o, o.to_act, card)
                k = -1
            k -= o.unseen[card]


@rule
def may_be_asked(o: State, p: int, card: int) -> bool:
    """As far as the viewer knows, p holds this card, and may play it."""
    if p == o.viewer - 1 or o.living[p] == 0 or not is_asked_for(o, card):
        return False
    fight, new = lacks_fight(o, p, card), o.known[p, card] == 0
    if (new and o.unseen[card] == 0) or (fight and how_many(o.unseen, RANKS) == 0):
        return False
    more = (1 if new else 0) + (1 if fight else 0)
    return more <= o.hand_size[p] - how_many(o.known[p], HELD)


@rule
def is_asked_for(o: State, card: int) -> bool:
    """BA-59, H5: the question is put to those who hold this card."""
    if o.phase == Phase.SV:
        return card == SAVE
    if o.battle > 0 and (card == SAVE or (card == NEW_BATTLE and o.number == 0)):
        return False
    return card >= RANKS


@rule
def lacks_fight(o: State, p: int, card: int) -> bool:
    """BA-53: to play this card p needs a fight card, and is not known to have one."""
    return card == NEW_BATTLE and o.battle > 0 and how_many(o.known[p], RANKS) == 0


@rule
def give(o: State, p: int, card: int) -> None:
    """A card that p is dealt, unless it is known that they hold one."""
    if o.known[p, card] == 0:
        o.hands[p, card] += 1
        o.unseen[card] -= 1


@rule
def census(s: State, count: Row) -> None:
    """Adds up the cards of each kind in all places: always the stock."""
    for p in range(s.seats):
        add_counted(count, 0, s.hands[p], HELD, 1)
    add_piled(count, 0, s.deck, s.deck_size, 1)
    add_piled(count, 0, s.pile, s.pile_size, 1)
