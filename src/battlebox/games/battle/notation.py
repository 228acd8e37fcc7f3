"""Battle: actions, positions and random outcomes as text.

Words: `draw`, `take`, `d7` (discard a 7), `7x2` (play two 7s), `EX>2` (expose seat 2), `ID`.
Positions: `ba1 n=4 ph=FL turn=1 ids=H.V.H.V hand0=3.3.SK deck=5.9 stand=7x2@0 open=1.2.3 ...`,
items in any order; lists are joined by `.`, `-` is empty. DEVELOPERS.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ...core import codecs
from ...core.codecs import Codec, Codecs, fact, named, number, read_seats, seat, those
from ...core.codes import DOTTED, EMPTY, spread
from ...core.errors import PositionError
from ...core.notation import DefaultNotation
from ...core.words import number_part, seat_ahead
from . import rules, state
from .state import BATTLE, COPIES, HELD, RANKS, Ahead, Number, Other, Phase, Rank, Side, Since

SIDES = {"H": int(Side.SUPERHERO), "V": int(Side.VILLAIN)}
LETTERS = {side: text for text, side in SIDES.items()}
RESULTS = {0: EMPTY, **LETTERS, Side.VOID: "void"}
DRAWN = {**SIDES, "E": 1, "S": 0}  # E, S: as break_tie draws them
BUILDING = (Phase.PD, Phase.AD)
LEADS = (Phase.LM, Phase.LD)
SKIPS = (state.SKIP, state.REVERSE)  # cards that cost turns
ASKED = (Phase.SV, Phase.WI, Phase.FX)  # not only of the seat whose turn it is
PLAYED = {p.name: int(p) for p in (*BUILDING, *LEADS, Phase.FL, Phase.WI)}  # where ELIMINATE may be
BEFORE = ("dealer", "round", "score")
CARDS = codecs.Cards(state.Card, room=state.CARDS)


# ---- parts of positions --------------------------------------------------------------------------
def read_ids(r: Any, s: Any, text: str) -> None:
    """BA-4, B1: as many of each side, or one more of one."""
    n, extra, found = s.seats, r.numbers.extra, DOTTED.items(text)
    if len(found) != n or not {*found} <= {*SIDES}:
        raise ValueError(f"H or V for each of {n} seats")
    more = found.count("H") - found.count("V")
    if more not in ({0} if n % 2 == 0 else {1, -1} if extra == 0 else {1 if extra == 1 else -1}):
        raise ValueError(
            "half of the players are of each side, of an odd number one more of either, or of the "
            "one that odd_identity says (BA-4, B1)"
        )
    for p, x in enumerate(found):
        s.identity[p], s.living[p] = SIDES[x], 1
    s.way = s.way or 1


def read_exposed(r: Any, s: Any, text: str) -> None:
    """Whose identity lies open."""
    for p in read_seats(s, text):
        s.exposed[p] = s.identity[p]


def read_out(r: Any, s: Any, text: str) -> None:
    """Who is out of the round."""
    for p in read_seats(s, text):
        s.living[p] = 0


def read_score(r: Any, s: Any, text: str) -> None:
    """The points of all."""
    most = r.numbers.target_points
    try:
        codecs.per_seat("points", most - 1).read(r, s, text)
    except ValueError:
        which = f"for each of {s.seats} seats a number below {most}, which ends the game"
        raise ValueError(which) from None


def held(r: Any, s: Any, hands: Sequence[int]) -> str:
    """The cards of these hands."""
    return CARDS.write(r, spread(sum(s.hands[p, k] for p in hands) for k in range(HELD)))


def hold(r: Any, s: Any, p: int, text: str, key: str) -> None:
    """Cards into a hand."""
    cards = CARDS.read(r, s, text)
    if BATTLE in cards:
        raise PositionError(f"position: {key}=: BATTLE is in no hand (BA-1, BA-29)")
    for card in cards:
        s.hands[p, card] += 1
        s.hand_size[p] += 1
        s.fights[p] += card < RANKS


def hand(p: int) -> Codec:
    """A hand; who is out has put it down."""

    def read(r: Any, s: Any, text: str) -> None:
        if text != EMPTY and not s.living[p]:
            raise PositionError(
                f"position: hand{p}=: seat {p} is out; what they put down is in aside="
            )
        hold(r, s, p, text, f"hand{p}")

    return Codec(lambda r, s: held(r, s, [p] if s.living[p] else []), read)


def outs(s: Any) -> list[int]:
    """Who is out."""
    return [p for p in range(s.seats) if s.living[p] == 0]


def read_aside(r: Any, s: Any, text: str) -> None:
    """The cards of those who are out."""
    if text != EMPTY:
        if not outs(s):
            raise PositionError("position: aside=: nobody is out")
        hold(r, s, outs(s)[0], text, "aside")


def write_standing(r: Any, s: Any) -> str:
    """The standing cards: `7x2@0`, two 7s of seat 0."""
    owner = s.owner - 1 if s.owner else EMPTY
    return f"{s.rank + 1}x{s.number}@{owner}" if s.number else EMPTY


def read_standing(r: Any, s: Any, text: str) -> None:
    """The same; `-` for an owner who is out."""
    if text == EMPTY:
        return
    parts = re.fullmatch(r"(\d{1,2})x(\d{1,2})@(\d|-)", text)
    if not parts or not (1 <= int(parts[1]) <= RANKS and 1 <= int(parts[2]) <= COPIES):
        raise ValueError("write 7x2@0, two 7s of seat 0; - for one who is out")
    s.rank, s.number = int(parts[1]) - 1, int(parts[2])
    s.owner = 0 if parts[3] == EMPTY else 1 + int(parts[3])
    if s.owner and (s.owner > s.seats or s.living[s.owner - 1] == 0):
        raise ValueError(f"seat {parts[3]} is not in the round")


def may_beat(s: Any, p: int) -> bool:
    """The standing cards are somebody else's."""
    return bool(s.number and s.living[p] and s.owner != 1 + p)


def not_open(p: int) -> PositionError:
    """Why a seat has no answer to give."""
    why = "nothing stands, the cards are theirs, or they are out"
    return PositionError(f"position: open=: seat {p}: {why}")


def read_open(r: Any, s: Any, text: str) -> None:
    """Who may still beat the standing cards; for all others an action and a pass are the same."""
    found = read_seats(s, text)
    for p in range(s.seats):
        if p in found and not may_beat(s, p):
            raise not_open(p)
        if may_beat(s, p) and p not in found:
            s.since[p] = Since.PASSED


def read_locked(r: Any, s: Any, text: str) -> None:
    """Who may play no more before the battle resets."""
    for p in read_seats(s, text):
        if may_beat(s, p) and s.since[p] == Since.OPEN:
            raise not_open(p)
        s.locked[p], s.since[p] = 1, Since.PASSED


def in_question(read: Callable[[Any, Any, str], None]) -> Callable[[Any, Any, str], None]:
    """Of what is there in SV alone."""

    def checked(r: Any, s: Any, text: str) -> None:
        if s.phase == Phase.SV:
            read(r, s, text)
        elif text != EMPTY:
            raise ValueError("pend= and ret= belong to ph=SV")

    return checked


def read_pending(r: Any, s: Any, text: str) -> None:
    """Who eliminates whom."""
    parts = re.fullmatch(r"(\d)@(\d)", text)
    if not parts or max(int(parts[1]), int(parts[2])) >= s.seats or parts[1] == parts[2]:
        raise ValueError("write 2@0, seat 0 eliminates seat 2")
    s.victim, s.by = int(parts[1]), int(parts[2])


BACK = named("back", PLAYED)  # in which phase


def stage(s: Any) -> Phase:
    """The phase of the turn: in SV the one in which ELIMINATE was played."""
    return Phase(s.back if s.phase == Phase.SV else s.phase)


def winners(r: Any, s: Any) -> str:
    """Who has won, at the end."""
    found = those(s, lambda p: s.winner[p]).replace(EMPTY, "draw")
    return found if s.phase == Phase.OVER else ""


# ---- the whole -----------------------------------------------------------------------------------
class Notation(DefaultNotation):
    """How Battle is written."""

    cards, head, fewest, brief, anywhere = CARDS, "ba1", 4, False, True
    chance = "a number, H, V, E, S or shuffle(5.EX.7)"
    forms: ClassVar = {
        "pass": (rules.keep, rules.give_way, rules.decline, rules.wait),
        "draw": rules.draw_card,
        "take": rules.take,
        "SK": rules.skip,
        "RV": rules.reverse,
        "NB": rules.new_battle,
        "SV": (rules.save, rules.throw_save),
        "EX": rules.expose_nobody,
        "EL": rules.throw_eliminate,
        "ID": rules.play_identity,
        "d{rank}": rules.discard,
        "{rank}x{number}": rules.fight,
        "EX>{ahead}": (rules.expose, rules.expose_first),
        "EL>{other}": rules.eliminate,
    }
    usage = f"d7, 7x2, EX>1, EL>1 or one of {', '.join([*forms][:10])}"
    parts: ClassVar = {
        Rank: number_part(1, RANKS, f"there is no rank {{}}; ranks are 1 .. {RANKS}"),
        Number: number_part(1, COPIES, f"a set is of 1 .. {COPIES} cards (BA-31)"),
        Ahead: seat_ahead(0),
        Other: seat_ahead(1, "you cannot eliminate yourself (B18)"),
    }
    only: ClassVar = {Phase.DEAL: BEFORE, Phase.FLIP: (*BEFORE, "ids", "hand", "deck")}
    codecs: ClassVar[Codecs] = {
        "ph": codecs.phase_of(Phase, but=(Phase.START, Phase.OVER), usual=""),
        "act": seat("to_act", like="turn", usual="0", fact=False),
        "turn": seat("turn"),
        "dir": named("way", {"L": 1, "R": -1}, usual="L"),
        "dealer": seat("dealer", usual=lambda r, s: str(s.seats - 1)),
        "ids": Codec(
            lambda r, s: DOTTED.join(LETTERS[s.identity[p]] for p in range(s.seats)),
            read_ids,
            usual=EMPTY,
        ),
        "exp": Codec(lambda r, s: those(s, lambda p: s.exposed[p]), read_exposed),
        "out": Codec(lambda r, s: those(s, lambda p: not s.living[p]), read_out),
        "score": replace(codecs.per_seat("points"), read=read_score),
        "hand{}": hand,
        "deck": CARDS.piled("deck", size="deck_size", down=True),
        "disc": CARDS.piled("pile", size="pile_size"),
        "aside": Codec(lambda r, s: held(r, s, outs(s)), read_aside),
        "stand": Codec(write_standing, read_standing),
        "open": Codec(
            lambda r, s: those(s, lambda p: may_beat(s, p) and s.since[p] == Since.OPEN),
            read_open,
            usual=EMPTY,
        ),
        "skip": number("skips", 0, lambda r, s: sum(r.numbers.copies[k] for k in SKIPS)),
        "opt": number("option", 0, 1),
        "takes": number(
            "takes", 0, lambda r, s: r.numbers.take_laps * s.seats or r.numbers.max_turns
        ),
        "pend": Codec(
            lambda r, s: f"{s.victim}@{s.by}" if s.phase == Phase.SV else EMPTY,
            in_question(read_pending),
            usual=EMPTY,
        ),
        "ret": Codec(
            lambda r, s: BACK.write(r, s) if s.phase == Phase.SV else EMPTY,
            in_question(BACK.read),
            usual=EMPTY,
        ),
        "round": number("round", 1, lambda r, s: r.numbers.rounds or state.MOST_ROUNDS, usual=1),
        "turns": number("turns", 0, lambda r, s: r.numbers.max_turns - 1),
        "acted": replace(
            number(
                "acted", 0, lambda r, s: r.numbers.build_actions or sum(r.numbers.copies[RANKS:])
            ),
            write=lambda r, s: str(s.acted if stage(s) in BUILDING else 0),
            shown=lambda s, text: text != "0",
        ),
        "locked": Codec(
            lambda r, s: those(s, lambda p: s.locked[p]),
            read_locked,
            shown=lambda s, text: text != EMPTY,
        ),
        "decksize": fact(lambda r, s: s.deck_size),
        "count{}": lambda p: fact(lambda r, s: s.hand_size[p] if s.living[p] else 0),
        "side": fact(lambda r, s: RESULTS[s.last_side]),
        "winner": fact(winners),
    }

    def order(self, r: Any, texts: Sequence[str]) -> list[int]:
        if texts[0] not in SIDES:
            return super().order(r, texts)
        if wrong := [x for x in texts if x not in SIDES]:
            raise ValueError(f"{wrong[0]!r} is not an identity: write H or V")
        return [SIDES[x] for x in texts]

    def drawn(self, r: Any, text: str) -> int | None:
        return int(text) if re.fullmatch(r"\d{1,3}", text) else DRAWN.get(text)

    def argument(self, r: Any, told: Any, name: str) -> str:
        return LETTERS[told.args[name]] if name == "side" else super().argument(r, told, name)

    # ---- whether a position makes sense ---------------------------------------------------------
    def check(self, r: Any, s: Any) -> Iterator[str]:
        if s.phase != Phase.DEAL:
            yield from self.check_cards(s)
        if s.phase > Phase.FLIP:
            yield from self.check_phase(r, s)
            yield from self.check_seats(r, s)
            yield from self.check_battle(r, s)

    def check_cards(self, s: Any) -> Iterator[str]:
        """As many as there are."""
        for rank in range(RANKS):
            if s.stock[rank] > COPIES:
                yield f"{s.stock[rank]} cards of rank {rank + 1}; there are {COPIES} at most"
        if s.stock[BATTLE] > 1:
            yield "there is one BATTLE card"
        if s.phase == Phase.FLIP and s.stock[BATTLE] == 0:
            yield "ph=FLIP: BATTLE is in the deck (BA-10)"

    def check_phase(self, r: Any, s: Any) -> Iterator[str]:
        """BATTLE lies where it can; what belongs to building is there while players build."""
        where, in_deck = stage(s), BATTLE in [s.deck[i] for i in range(s.deck_size)]
        if where == Phase.WI:
            if r.numbers.windows == 0:
                yield "ph=WI is of action_timing=windows"
            s.battle = 0 if in_deck else 1
        else:
            s.battle = 0 if where in (*BUILDING, Phase.FX) else 1
        if s.battle == in_deck:
            there = "has started" if in_deck else "is in the deck until it is drawn, which starts"
            yield f"ph={where.name}: BATTLE {there} the battle (BA-26, BA-29)"
        if s.battle and s.takes:
            yield "takes= belongs to building: BATTLE was drawn from the deck"
        if s.acted and where not in BUILDING:
            yield "acted= belongs to PD and AD"
        top = s.pile[0] if s.pile_size == 1 else None
        if s.option and (
            s.phase != Phase.PD or top not in (state.NEW_BATTLE, state.ELIMINATE, state.SAVE)
        ):
            yield "opt=1 is of ph=PD, and disc= is NB, EL or SV, turned up first (BA-17, BA-18)"

    def check_seats(self, r: Any, s: Any) -> Iterator[str]:
        """Nobody acts who cannot."""
        phase, where = Phase(s.phase), stage(s)
        if phase not in ASKED and s.to_act != s.turn:
            yield f"in ph={phase.name} the seat of turn= is to act"
        for p in {s.to_act} if where == Phase.WI else {s.to_act, s.turn}:
            if s.living[p] == 0:
                yield f"seat {p} is out and cannot be to act"
        living = [p for p in range(s.seats) if s.living[p]]
        sides = {s.identity[p] for p in living}
        if len(living) < 2 or (r.numbers.wipeout_ends and len(sides) < 2):
            yield "out=: one side is left, which ends the round (BA-68)"
        if phase == Phase.WI and not rules.has_action(s, s.to_act):
            yield "ph=WI: act= is one who can play an action card"
        if phase == Phase.FX:
            if len(living) < s.seats or any(s.exposed[p] for p in living):
                yield "ph=FX: nobody is out or exposed yet"
            if s.to_act != s.dealer or s.turn != (s.dealer + 1) % s.seats:
                yield "ph=FX: the dealer is to act, turn= is the next seat"
        if phase == Phase.SV:
            if s.living[s.by] == 0 or s.living[s.victim] == 0:
                yield "pend=: both are in the round"
            if where != Phase.WI and s.by != s.turn:
                yield "pend=: the seat of turn= eliminates"
            if s.hands[s.to_act, state.SAVE] == 0:
                yield "ph=SV: act= is one who holds SV"

    def check_battle(self, r: Any, s: Any) -> Iterator[str]:
        """Cards stand where they can, and nobody is locked out who plays."""
        where, locked = stage(s), [p for p in range(s.seats) if s.locked[p]]
        if s.number and (s.battle == 0 or where in LEADS):
            yield f"ph={where.name}: nothing stands"
        if s.number == 0 and where == Phase.FL:
            yield "ph=FL needs stand=, the cards to be beaten"
        if locked and (r.numbers.pass_locks == 0 or s.number == 0):
            yield "locked= is of pass_locks=true, while cards stand (H3)"
        if s.turn in locked and where != Phase.WI:
            yield f"seat {s.turn} is locked out and cannot be to act"
