"""Battle: what learners are told besides what lies on the table."""

from __future__ import annotations

from ...core.rules import Domain, IntEnum, Record, n8, rule
from .hidden import count_unseen, how_many
from .rules import all_are_locked, beside
from .sets import SURE, TENTHS, look_at_hands, losers, stands
from .state import COPIES, RANKS, SEATS, Number, Phase, State, Table

MANY = 7  # cards, or ranks: more are not told apart


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

    whose = n8(each=SEATS, of=Whose)  # whose side each is on, the others if in the round,
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
    # of those whose hands the viewer sees:
    seen_fights = n8(each=SEATS, of=Few)  # fight cards,
    seen_ranks = n8(each=SEATS, of=Few)  # their ranks: the fewest turns to play them all,
    # and how often the lead is likely to be lost until they are played, in tenths
    losing = n8(each=SEATS, high=TENTHS * MANY)
    own_sets = n8(RANKS, of=Number, first=1)  # how many there are of each,
    standing = n8(RANKS, COPIES, high=SURE)  # the chance that nobody beats so many, in percent,
    beaters = n8(of=Few)  # and of how many ranks they could beat the standing cards,
    stand = n8(of=Number, first=1)  # which are so many


@rule
def features(t: Table, s: State, me: int, f: Features) -> None:
    """BA-4, BA-25, BA-32, B1: friends and foes, as far as it follows; turns; one's own sets."""
    tell_sides(t, s, me, f)
    tell_turns(s, f)
    for p in range(s.seats):
        f.cards[p] = min(s.hand_size[p], MANY)
    tell_sets(s, me, f)


@rule
def tell_sets(s: State, me: int, f: Features) -> None:
    """BA-31, BA-33, BA-34, BA-62: what can be played from the hands that are seen."""
    count_unseen(s)
    f.stand = s.number
    for p in range(s.seats):
        fights, ranks = how_many(s.hands[p], RANKS), 0
        for rank in range(RANKS):
            ranks += 1 if s.hands[p, rank] > 0 else 0
        f.seen_fights[p], f.seen_ranks[p] = min(fights, MANY), min(ranks, MANY)
        if fights > 0:
            look_at_hands(s, p)
            f.losing[p] = losers(s, p)
            if p == me:
                tell_own_sets(s, me, f)


@rule
def tell_own_sets(s: State, me: int, f: Features) -> None:
    """BA-33, BA-34: how they may fare. `look_at_hands` has looked."""
    beaters = 0
    for rank in range(RANKS):
        n = s.hands[me, rank]
        f.own_sets[rank] = n
        beaters += 1 if n > s.number or (n == s.number > 0 and rank >= s.rank) else 0
        for number in range(min(n, COPIES)):
            f.standing[rank, number] = stands(s, rank, number + 1)
    f.beaters = min(beaters, MANY)


@rule
def tell_sides(t: Table, s: State, me: int, f: Features) -> None:
    """BA-4, BA-68, B1, B16: whose side each is on. Who knows all of one side knows the other, too;
    and while the round goes on, both are in it.
    """
    mine = max(s.identity[me], s.exposed[me])
    friends, foes = most_of(t, s, mine), most_of(t, s, 3 - mine)
    for p in range(s.seats):
        side = max(s.identity[p], s.exposed[p])
        friends -= 1 if side == mine else 0
        foes -= 1 if side == 3 - mine else 0
    sides, strangers = living_sides(s)
    for p in range(s.seats):
        side = max(s.identity[p], s.exposed[p])
        if mine > 0 and side == 0 and t.wipeout_ends > 0 and strangers == 1 and 0 < sides < 3:
            side = 3 - sides if s.living[p] > 0 else 0
        if p == me:
            f.whose[p] = Whose.ME
        elif s.living[p] == 0:
            f.whose[p] = Whose.NOBODY
        elif mine == 0 or (side == 0 and friends > 0 and foes > 0):
            f.whose[p] = Whose.UNKNOWN
            f.strangers += 1
        elif side == mine or (side == 0 and foes == 0):
            f.whose[p] = Whose.FRIEND
            f.friends += 1
        else:
            f.whose[p] = Whose.FOE
            f.foes += 1
    if f.strangers > 0 and mine > 0:
        f.odds = 100 * friends // (friends + foes)
    if s.owner > 0:
        f.owner_is = f.whose[s.owner - 1]
    if s.phase == Phase.SV:
        f.victim_is, f.by_is = f.whose[s.victim], f.whose[s.by]


@rule
def living_sides(s: State) -> tuple[int, int]:
    """BA-68: the sides of the players in the round, as far as they are known (1, 2, both: 3), and
    how many of them are not known.
    """
    sides, strangers = 0, 0
    for p in range(s.seats):
        side = max(s.identity[p], s.exposed[p])
        if s.living[p] > 0:
            sides |= side
            strangers += 1 if side == 0 else 0
    return sides, strangers


@rule
def most_of(t: Table, s: State, side: int) -> int:
    """BA-4, B1: how many players may be of this side."""
    odd = s.seats % 2 == 1 and (t.extra == 0 or t.extra == side)
    return s.seats // 2 + (1 if odd else 0)


@rule
def tell_turns(s: State, f: Features) -> None:
    """BA-25, BA-46, B6, H3: in how many turns each of those still to play has theirs, if nothing
    changes.
    """
    p, turns, skips, locks = s.turn, 0, s.skips, not all_are_locked(s)
    if s.phase == Phase.FX:
        p = (p - s.way + s.seats) % s.seats  # the seat of `turn` is the next
    for _ in range(3 * s.seats):
        p = beside(s, p)
        if s.living[p] == 0 or (locks and s.locked[p] > 0):
            continue
        if skips > 0:
            skips -= 1
        elif f.turns_until[p] == 0:
            turns += 1
            f.turns_until[p] = turns
            if turns == 1:
                f.next_is = f.whose[p]
