"""What there is in Battle: seats, cards, phases, events, the table and the state."""

from __future__ import annotations

from ...core.rules import (
    Domain,
    Events,
    IntEnum,
    Record,
    StateRecord,
    event,
    i8,
    i32,
    n8,
    n16,
    own,
    public,
    scratch,
    secret,
    size,
)

SEATS = 10
RANKS = size("ranks", 12)
COPIES = size("copies", 6)  # of a rank: the largest set
CARDS = size("cards", 98)
SKIP = RANKS  # kinds of cards: the ranks of the fight cards, then the others
REVERSE = RANKS + 1
NEW_BATTLE = RANKS + 2
ELIMINATE = RANKS + 3
SAVE = RANKS + 4
EXPOSE = RANKS + 5
BATTLE = RANKS + 6
HELD = BATTLE  # the kinds that hands hold: all but BATTLE
KINDS = RANKS + 7
ACTION_CARDS = 3 + RANKS * (1 + COPIES)  # the number of the first action with one
NOBODY = SEATS  # to_act, for those who may not know it
MOST_ROUNDS = 1000


class Phase(IntEnum):
    """What is decided. Nobody decides anything in the first three."""

    START = 0
    DEAL = 1
    FLIP = 2  # the first card is about to be turned up
    FX = 3  # it was EXPOSE: the dealer chooses whom
    PD = 4  # building, before the draw
    AD = 5  # building, after the draw
    SV = 6  # whether to save whom somebody eliminates
    LM = 7  # a lead of fight cards, compulsory
    LD = 8  # any lead
    FL = 9  # following
    WI = 10  # an action card between two turns
    OVER = 11


class Side(IntEnum):
    """What an identity is; and what a round may come to."""

    UNKNOWN = 0
    SUPERHERO = 1
    VILLAIN = 2
    VOID = 3  # of a round: nobody's


class Since(IntEnum):
    """What a seat has done since the standing cards were played."""

    OPEN = 0  # nothing yet
    PASSED = 1
    ACTED = 2
    SKIPPED = 3


class Event(Events):
    """What players are told."""

    ROUND = event("seat", "number")
    DEALT = event("seat", "cards")
    IDENTITY = event("seat", "side", alone=True, reveals=True)
    FLIPPED = event("seat", "card", reveals=True)
    DREW = event("seat", "card", own=("card",), reveals=True)
    TOOK = event("seat", "card")
    DISCARDED = event("seat", "card")
    KEPT = event("seat")
    BATTLE = event("seat", reveals=True)
    LED = event("seat", "rank", "number")
    PLAYED = event("seat", "rank", "number")
    PASSED = event("seat")
    RESET = event("seat")
    THREW = event("seat", "card")
    SKIP = event("seat")
    SKIPPED = event("seat")
    REVERSED = event("seat", "left")
    NEW_BATTLE = event("seat")
    EXPOSED = event("seat", "target", "side", reveals=True)
    EXPOSED_NOBODY = event("seat")
    AIMED = event("seat", "target", reveals=True)
    DECLINED = event("seat", "target", alone=True, reveals=True)
    SAVED = event("seat", "target", reveals=True)
    OUT = event("seat", reveals=True)
    WINDOW = event("seat", reveals=True)
    WAITED = event("seat", alone=True, reveals=True)
    SHOWED = event("seat", "side", reveals=True)
    LEFT_ALONE = event("seat", "side", reveals=True)
    ROUND_VOID = event("seat", "number", reveals=True)
    SCORED = event("seat", "points")
    UNMASKED = event("seat", "side", reveals=True)
    LOT = event("seat", "safe", reveals=True)
    WON = event("seat", "points")
    DRAWN = event("seat", "points")


class Card(Domain, n=KINDS):
    """A kind of card."""


class Rank(Domain, n=RANKS, first=1):
    """The rank of a fight card, less one."""


class Number(Domain, n=COPIES):
    """How many cards of a rank, less one."""


class Ahead(Domain, n=SEATS):
    """A seat, as steps to the left of the one to act."""


class Other(Domain, n=SEATS - 1):
    """Another seat, as steps to the left less one."""


class Seat(Domain, n=SEATS):
    """A seat."""


class Table(Record):
    """The numbers of a ruleset: the deck and the options (README.md, Options)."""

    copies = n8(KINDS)  # how many of each kind are shuffled: all but BATTLE
    hand = n8()  # cards dealt to each player
    target_points = n8()
    rounds = n16()  # 0: until the target
    extra = n8()  # with an odd number of players the last identity is this Side; 0: by lot
    windows = n8()  # 1: action cards may be played between turns
    build_effects = n8()
    build_actions = n8()  # most action cards in a building turn; 0: any number
    voluntary_pass = n8()
    pass_locks = n8()
    take_laps = n8()  # of draws from the discard pile alone; 0: any number
    owner_always = n8()  # 1: any turn of the owner resets the battle
    reverse_skips = n8()  # 1: REVERSE skips between two
    expose_self = n8()
    out_scores = n8()
    wipeout_ends = n8()
    tie_cards = n8()  # 1: ties are broken by drawing cards; 0: they are shared
    max_turns = n16()
    dealer = n8()  # 1 + the first dealer; 0: by lot


def most(t: Table) -> int:
    """How many cards of one kind there are at most."""
    return max(t.copies)


class State(StateRecord):
    """The whole truth. Piles have their top last."""

    stock = public(n8(KINDS, high=most))  # how many cards of each kind there are in this match
    identity = own(n8(SEATS, of=Side))  # Side
    exposed = public(n8(each=SEATS, of=Side))  # the identity, once it lies open; else 0
    living = public(n8(each=SEATS, high=1))
    hands = own(n8(SEATS, HELD, high=most))  # players who are out keep theirs, put down
    fights = own(n8(SEATS, high=lambda t: 2 * t.hand))  # the fight cards in each
    hand_size = public(n8(each=SEATS, high=lambda t: 2 * t.hand))
    known = public(n8(HELD, each=SEATS, high=most))  # cards that all have seen go into a hand
    deck = secret(n8(CARDS))
    deck_size = public(n8(high=CARDS))
    pile = public(n8(CARDS, of=Card, in_order=False, high=most))  # the discard pile
    pile_size = public(n8(high=CARDS))
    dealer = public(n8(of=Seat))
    way = public(i8(high=1))  # 1: play moves to the left, -1: to the right
    turn = public(n8(of=Seat))  # whose turn it is, or was last; in FX the seat that will begin
    turns = public(n16(high=100))  # that have ended in this round
    skips = public(n8(high=SEATS))  # still to be served
    option = public(n8(high=1))  # 1: the card turned up first may be taken, whatever it is
    takes = public(n16(high=100))  # draws from the discard pile, one after the other
    acted = public(n8(high=SEATS))  # action cards in this building turn
    battle = public(n8(high=1))  # 1: BATTLE has been drawn
    rank = public(n8(of=Rank))  # of the standing cards, less one,
    number = public(n8(high=COPIES))  # how many they are; 0: nothing stands
    owner = public(n8(of=Seat, first=1))  # 1 + who played them; 0: that player is out
    since = public(n8(each=SEATS, of=Since))  # Since, of those who do not own them
    locked = public(n8(each=SEATS, high=1))  # 1: may play no more before the battle resets
    victim = public(n8(of=Seat))  # whom somebody eliminates,
    by = public(n8(of=Seat))  # who does,
    back = public(n8(of=Phase))  # and the phase in which they did
    round = public(n16(high=20))
    points = public(n16(each=SEATS, high=lambda t: t.target_points))
    last_side = public(n8(of=Side))  # who won the round before: Side; 0: there was none
    last_identity = public(n8(each=SEATS, of=Side))  # what all were then,
    scored = public(n8(each=SEATS, high=1))  # 1: who got a point,
    last_living = public(n8(each=SEATS, high=1))  # and who was in the round at its end
    winner = public(n8(each=SEATS, high=1))  # 1: has won the game
    heap = scratch(n8(CARDS))
    unseen = scratch(n8(KINDS))
    few = scratch(i32(RANKS, COPIES + 1))  # how likely nobody else holds more (sets.py)
