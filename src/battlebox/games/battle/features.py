"""Battle: what learners are told besides what lies on the table."""

from __future__ import annotations

from ...core.rules import Domain, IntEnum, Record, n8, rule
from .rules import beside
from .state import RANKS, SEATS, Number, Phase, State, Table

MANY = 7  # cards: more are not told apart


class Whose(IntEnum):
    """Whose side somebody is on."""

    NOBODY = 0  # there is no such player, or they are out
    UNKNOWN = 1
    FRIEND = 2  # of the viewer's side
    FOE = 3
    ME = 4


class Few(Domain, n=MANY + 1):
    """How many; MANY, or more."""


class Features(Record):
    """Sides are told as the viewer's and the others', since that is what decides whom to help."""

    whose = n8(each=SEATS, of=Whose)  # whose side each is on that is in the round,
    owner_is = n8(of=Whose)  # the owner of the standing cards,
    victim_is = n8(of=Whose)  # whom somebody eliminates,
    by_is = n8(of=Whose)  # who does,
    next_is = n8(of=Whose)  # and whose turn is next
    friends = n8(high=SEATS // 2)  # in the round, and known,
    foes = n8(high=SEATS // 2)  # likewise,
    strangers = n8(high=SEATS - 1)  # and whose side the viewer does not know
    odds = n8(high=100)  # that one of these is a friend, in percent
    turns_until = n8(each=SEATS, high=SEATS)  # it is theirs; 0: they have none
    cards = n8(each=SEATS, of=Few)  # in each hand
    own_fights = n8(of=Few)  # fight cards of the viewer's,
    own_ranks = n8(of=Few)  # their ranks: the fewest turns to play them all,
    own_sets = n8(RANKS, of=Number, first=1)  # how many there are of each,
    beaters = n8(of=Few)  # and of how many ranks they could beat the standing cards,
    stand = n8(of=Number, first=1)  # which are so many


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """BA-4, BA-25, BA-32, B1: friends and foes, as far as it follows; turns; one's own sets."""
    tell_sides(t, s, me, f)
    tell_turns(s, f)
    for p in range(s.seats):
        f.cards[p] = min(s.hand_size[p], MANY)
    f.own_fights, f.stand = min(s.fights[me], MANY), s.number
    ranks, beaters = 0, 0
    for rank in range(RANKS):
        n = s.hands[me, rank]
        f.own_sets[rank] = n
        ranks += 1 if n > 0 else 0
        beaters += 1 if n > s.number or (n == s.number > 0 and rank >= s.rank) else 0
    f.own_ranks, f.beaters = min(ranks, MANY), min(beaters, MANY)


@rule
def tell_sides(t: Table, s: State, me: int, f: Features) -> None:
    """BA-4, B1: whose side each is on. Who knows all of one side knows the other, too."""
    mine = max(s.identity[me], s.exposed[me])
    friends, foes = most_of(t, s, mine), most_of(t, s, 3 - mine)
    for p in range(s.seats):
        side = max(s.identity[p], s.exposed[p])
        friends -= 1 if side == mine else 0
        foes -= 1 if side == 3 - mine else 0
    for p in range(s.seats):
        side = max(s.identity[p], s.exposed[p])
        if p == me:
            f.whose[p] = Whose.ME
        elif s.living[p] == 0:
            f.whose[p] = Whose.NOBODY
        elif side == mine or (side == 0 and foes == 0):
            f.whose[p] = Whose.FRIEND
            f.friends += 1
        elif side > 0 or friends == 0:
            f.whose[p] = Whose.FOE
            f.foes += 1
        else:
            f.whose[p] = Whose.UNKNOWN
            f.strangers += 1
    f.odds = 100 * friends // max(1, friends + foes)
    if s.owner > 0:
        f.owner_is = f.whose[s.owner - 1]
    if s.phase == Phase.SV:
        f.victim_is, f.by_is = f.whose[s.victim], f.whose[s.by]


@rule
def most_of(t: Table, s: State, side: int) -> int:
    """BA-4, B1: how many players may be of this side."""
    odd = s.seats % 2 == 1 and (t.extra == 0 or t.extra == side)
    return s.seats // 2 + (1 if odd else 0)


@rule
def tell_turns(s: State, f: Features) -> None:
    """BA-25, B6: in how many turns each of those still to play has theirs, if nothing changes."""
    p, turns = s.turn, 0
    for _ in range(s.seats):
        p = beside(s, p)
        if s.living[p] > 0 and s.locked[p] == 0:
            turns += 1
            f.turns_until[p] = turns
            if turns == 1:
                f.next_is = f.whose[p]
