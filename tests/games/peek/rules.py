"""Peek: look at cards, then play yours. 2 to 4 players."""

from battlebox.authoring import (
    Domain,
    Events,
    IntEnum,
    Record,
    Row,
    StateRecord,
    allow,
    counts,
    event,
    known,
    move,
    n8,
    n16,
    own,
    pile,
    public,
    rule,
    secret,
    shuffle,
    slot,
    tell,
)

SEATS = 4
CARDS = 20
KINDS = 4


class Phase(IntEnum):
    """What is decided."""

    DEAL = 0
    TURN = 1
    OVER = 2


class Card(IntEnum):
    """A kind of card, which counts as many points as its number."""

    FOX = 0
    OWL = 1
    BEAR = 2
    WOLF = 3


class Seat(Domain, n=SEATS):
    """A seat of the table."""


class Event(Events):
    """What players are told."""

    DREW = event("seat", "card", own=("card",), reveals=True)
    LOOKED = event("seat", "other_seat", reveals=True)
    SAW = event("seat", "card", alone=True, reveals=True)
    PLAYED = event("seat", "card", reveals=True, chosen=True)
    BURIED = event("seat", "card", own=("card",))
    GUESSED = event("seat", "other_seat", "card", reveals=True)
    TOOK = event("seat", "other_seat", "card", reveals=True)


class Table(Record):
    """The numbers."""

    rounds = n8()


class State(StateRecord):
    """The whole truth."""

    hand = own(counts(Card, each=SEATS))
    hand_size = public(n8(SEATS))
    totem = own(slot(Card, each=SEATS))
    totem_seen = public(known(totem))
    deck = secret(pile(Card, CARDS))
    deck_size = public(n8())
    deck_seen = own(known(deck, SEATS))
    discard = public(pile(Card, CARDS))
    discard_size = public(n8())
    trophies = public(counts(Card, each=SEATS))
    wrong = public(n8(SEATS, KINDS))  # [seat, card]: what its totem is not
    points = public(n8(SEATS))
    turns = public(n16())


@rule
def advance(t: Table, s: State) -> None:
    """Deals three cards and a totem to each."""
    if s.phase == Phase.DEAL:
        for i in range(CARDS):
            s.deck[i] = i % 4
        shuffle(s, s.deck, CARDS)
        s.deck_size = CARDS
        for p in range(s.seats):
            for _ in range(3):
                draw_card(s, p)
            s.deck_size -= 1
            s.totem[p] = 1 + s.deck[s.deck_size]
        s.phase = Phase.TURN


@rule
def draw_card(s: State, p: int) -> None:
    """The top card of the deck to a hand; nobody knows that place any more."""
    s.deck_size -= 1
    card = s.deck[s.deck_size]
    for q in range(SEATS):
        s.deck_seen[q, s.deck_size] = 0
    s.hand[p, card] += 1
    s.hand_size[p] += 1
    tell(s, Event.DREW, p, card)


@move(Phase.TURN)
def look(t: Table, s: State, seat: Seat) -> None:
    """PK-1: look at the totem of another; you know it from then on."""
    s.totem_seen[s.to_act, seat] = 1
    tell(s, Event.LOOKED, s.to_act, seat)
    tell(s, Event.SAW, s.to_act, s.totem[seat] - 1)
    end_turn(t, s)


@allow(look)
def may_look(t: Table, s: State, seat: Seat) -> bool:
    """The totem of another."""
    return seat != s.to_act and seat < s.seats and s.totem[seat] != 0


@move(Phase.TURN)
def play(t: Table, s: State, card: Card) -> None:
    """PK-2: play a card for its points, and draw one."""
    p = s.to_act
    tell(s, Event.PLAYED, p, card)
    s.hand[p, card] -= 1
    s.hand_size[p] -= 1
    s.discard[s.discard_size] = card
    s.discard_size += 1
    s.points[p] += card
    if s.deck_size > 0:
        draw_card(s, p)
    end_turn(t, s)


@allow(play)
def may_play(t: Table, s: State, card: Card) -> bool:
    """A card of the hand."""
    return s.hand[s.to_act, card] > 0


@move(Phase.TURN)
def bury(t: Table, s: State, card: Card) -> None:
    """PK-3: put a card on top of the deck, where only you know it."""
    p = s.to_act
    tell(s, Event.BURIED, p, card)
    s.hand[p, card] -= 1
    s.hand_size[p] -= 1
    s.deck[s.deck_size] = card
    for q in range(SEATS):
        s.deck_seen[q, s.deck_size] = 1 if q == p else 0
    s.deck_size += 1
    end_turn(t, s)


@allow(bury)
def may_bury(t: Table, s: State, card: Card) -> bool:
    """A card of the hand."""
    return s.hand[s.to_act, card] > 0


@move(Phase.TURN)
def call(t: Table, s: State, seat: Seat, card: Card) -> None:
    """PK-4: say what the totem of another is; if that is so, it is your trophy."""
    p = s.to_act
    tell(s, Event.GUESSED, p, seat, card)
    if s.totem[seat] == 1 + card:
        s.totem[seat] = 0
        for q in range(SEATS):
            s.totem_seen[q, seat] = 0
        s.trophies[p, card] += 1
        tell(s, Event.TOOK, p, seat, card)
    else:
        s.wrong[seat, card] = 1
    end_turn(t, s)


@allow(call)
def may_call(t: Table, s: State, seat: Seat, card: Card) -> bool:
    """The totem of another; what has not been said of it."""
    return may_look(t, s, seat) and s.wrong[seat, card] == 0


@rule
def end_turn(t: Table, s: State) -> None:
    """The next seat, or the end."""
    s.turns += 1
    s.to_act = s.to_act + 1 if s.to_act + 1 < s.seats else 0
    if s.turns >= t.rounds * s.seats or s.hand_size[s.to_act] == 0:
        s.phase = Phase.OVER


@rule
def returns(t: Table, s: State, out: Row) -> None:
    """The most points win."""
    best = 0
    for p in range(s.seats):
        best = max(best, s.points[p])
    for p in range(s.seats):
        out[p] = 1 if s.points[p] == best else -1
