"""Kuhn poker: three cards, one bet. 2 players, a minute."""

from battlebox.authoring import *

SEATS = 2
Phase = IntEnum("Phase", "DEAL PLAY OVER", start=0)
Card = IntEnum("Card", "JACK QUEEN KING", start=0)


class Event(Events):
    PASSED = event("seat")
    BET = event("seat")
    SHOWED = event("seat", "card", reveals=True)


class Seat(Domain, n=SEATS):
    """A seat."""


class State(StateRecord):
    hand = own(slot(Card, each=SEATS))
    deck = secret(pile(Card, 3))
    deck_size = public(n8(high=3))
    shown = public(slot(Card, each=SEATS))
    paid = public(n8(each=SEATS, high=2))
    winner = public(n8(of=Seat))


@rule
def advance(t: Record, s: State) -> None:
    """KP-1: each pays one coin and draws a card."""
    if s.phase == Phase.DEAL:
        for i in range(3):
            s.deck[i] = i
        shuffle(s, s.deck, 3)
        for p in range(SEATS):
            s.hand[p], s.paid[p] = 1 + s.deck[2 - p], 1
        s.deck_size, s.phase = 1, Phase.PLAY


@move(Phase.PLAY, always=True)
def bet(t: Record, s: State) -> None:
    """KP-2: one coin more. After a bet it is a call, and both show their cards."""
    tell(s, Event.BET, s.to_act)
    s.paid[s.to_act] += 1
    go_on(s, s.paid[0] == s.paid[1])


@move(Phase.PLAY, always=True)
def pass_(t: Record, s: State) -> None:
    """KP-3: no coin. After a bet it is giving up; after a pass, both show their cards."""
    tell(s, Event.PASSED, s.to_act)
    go_on(s, s.to_act == 1 or s.paid[1] > 1)


@rule
def go_on(s: State, ends: bool) -> None:
    """KP-4: the other's turn; or the one who paid more wins, or else the higher card."""
    if not ends:
        s.to_act = 1 - s.to_act
        return
    more = s.paid[0] - s.paid[1]
    if more == 0:
        more = s.hand[0] - s.hand[1]
        for p in range(SEATS):
            tell(s, Event.SHOWED, p, s.hand[p] - 1)
            s.shown[p], s.hand[p] = s.hand[p], 0
    s.winner, s.phase = 0 if more > 0 else 1, Phase.OVER


@rule
def returns(t: Record, s: State, out: Floats) -> None:
    """KP-5: the winner gains the coins of the other, two at most."""
    for p in range(SEATS):
        out[p] = (1 if p == s.winner else -1) * s.paid[1 - s.winner] / 2
