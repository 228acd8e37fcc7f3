"""Battle: actions, positions and random outcomes as text.

Words: `draw`, `take`, `d7` (discard a 7), `7x2` (play two 7s), `EX>2` (expose seat 2), `ID`.
Positions: `ba1 n=4 ph=FL turn=1 ids=H.V.H.V hand0=3.3.SK deck=5.9 stand=7x2@0 open=1.2.3 ...`,
items in any order; lists are joined by `.`, `-` is empty. README.md lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...core.errors import InvalidWord, PositionError
from ...core.keys import read_keys, take_number
from ...core.rules import move_of
from .rules import (
    discard,
    draw_card,
    eliminate,
    expose,
    expose_nobody,
    fight,
    has_action,
    keep,
    new_battle,
    play_identity,
    reverse,
    save,
    skip,
    take,
    throw_eliminate,
)
from .state import (
    BATTLE,
    CARDS,
    COPIES,
    ELIMINATE,
    HELD,
    KINDS,
    MOST_ROUNDS,
    NEW_BATTLE,
    RANKS,
    REVERSE,
    SAVE,
    SEATS,
    SKIP,
    Phase,
    Side,
    Since,
)

SIDES: dict[int, str] = {Side.SUPERHERO: "H", Side.VILLAIN: "V"}
RESULTS = {0: "-", **SIDES, Side.VOID: "void"}
WAYS = {1: "L", -1: "R"}
LOTS = {"E": 1, "S": 0}  # as break_tie draws them
BUILDING = (Phase.PD, Phase.AD)
LEADS = (Phase.LM, Phase.LD)
ASKED = (Phase.SV, Phase.WI, Phase.FX)  # not only of the seat whose turn it is
LOADED = [p.name for p in Phase if p not in (Phase.START, Phase.OVER)]
PLAIN = {  # moves without a parameter, by word; what shares a number shares the word
    "pass": keep,
    "draw": draw_card,
    "take": take,
    "SK": skip,
    "RV": reverse,
    "NB": new_battle,
    "SV": save,
    "EX": expose_nobody,
    "EL": throw_eliminate,
    "ID": play_identity,
}


def code(r: Any, card: int) -> str:
    """The code of a kind of card, such as SK, or a rank."""
    return str(r.names.cards[card].code)


def kind(r: Any, text: str) -> int:
    """The kind of card with this code. ValueError if there is none."""
    for i, c in enumerate(r.names.cards):
        if c.code == text:
            return i
    raise ValueError(f"no card has the code {text!r}")


# ---- actions ------------------------------------------------------------------------------------
def word(r: Any, s: Any, action: int) -> str:
    """The word of an action of the seat to act."""
    for text, plain in PLAIN.items():
        if move_of(plain).at == action:
            return text
    if action < move_of(fight).at:
        (rank,) = move_of(discard).values(action)
        return f"d{rank + 1}"
    if action < move_of(skip).at:
        rank, number = move_of(fight).values(action)
        return f"{rank + 1}x{number + 1}"
    if action < move_of(expose_nobody).at:
        (ahead,) = move_of(expose).values(action)
        return f"EX>{(s.to_act + ahead) % s.seats}"
    (other,) = move_of(eliminate).values(action)
    return f"EL>{(s.to_act + 1 + other) % s.seats}"


def action(r: Any, s: Any, word: str) -> int:
    """The number of a word of the seat to act. InvalidWord says what is wrong with it."""
    if word in PLAIN:
        return int(move_of(PLAIN[word]).at)
    if parts := re.fullmatch(r"d(\d{1,2})", word):
        return int(move_of(discard).number(_rank(word, parts[1])))
    if parts := re.fullmatch(r"(\d{1,2})x(\d{1,2})", word):
        rank, number = _rank(word, parts[1]), int(parts[2])
        if not 1 <= number <= COPIES:
            raise InvalidWord(f"{word!r}: a set is of 1 .. {COPIES} cards (BA-31)")
        return int(move_of(fight).number(rank, number - 1))
    if parts := re.fullmatch(r"(EX|EL)>(\d)", word):
        if (seat := int(parts[2])) >= s.seats:
            raise InvalidWord(f"{word!r}: there is no seat {seat}; seats are 0 .. {s.seats - 1}")
        ahead = (seat - s.to_act) % s.seats
        if parts[1] == "EX":
            return int(move_of(expose).number(ahead))
        if ahead == 0:
            raise InvalidWord(f"{word!r}: you cannot eliminate yourself (B18)")
        return int(move_of(eliminate).number(ahead - 1))
    known = ", ".join(PLAIN)
    raise InvalidWord(f"{word!r} is not an action: write d7, 7x2, EX>1, EL>1 or one of {known}")


def _rank(word: str, text: str) -> int:
    if not 1 <= int(text) <= RANKS:
        raise InvalidWord(f"{word!r}: there is no rank {text}; ranks are 1 .. {RANKS}")
    return int(text) - 1


def outcome(r: Any, word: str) -> int | list[int]:
    """A random outcome: a number, H or V, E or S, or shuffle(5.EX.7) or shuffle(H.V.H.V)."""
    sides = {text: int(side) for side, text in SIDES.items()}
    if word in sides | LOTS:
        return (sides | LOTS)[word]
    if parts := re.fullmatch(r"shuffle\((.+)\)", word):
        cards = items(parts[1])
        try:
            return [sides[c] if cards[0] in sides else kind(r, c) for c in cards]
        except KeyError as e:
            raise InvalidWord(f"{word!r}: {e} is not an identity: write H or V") from None
        except ValueError as e:
            raise InvalidWord(f"{word!r}: {e}") from None
    if not re.fullmatch(r"\d{1,3}", word):
        raise InvalidWord(
            f"{word!r} is not a random outcome: write a number, H, V, E, S or shuffle(5.EX.7)"
        )
    return int(word)


def argument(r: Any, told: Any, name: str) -> str:
    """The word of an event's argument, for scenarios."""
    value = told.args[name]
    if name == "card":
        return code(r, value)
    if name == "rank":
        return str(value + 1)
    return SIDES[value] if name == "side" else str(value)


# ---- positions: reading --------------------------------------------------------------------------
def items(value: str) -> Sequence[str]:
    """The members of a list: `7.7.SK`, `-` for none."""
    return [] if value in ("-", "") else value.split(".")


def _seats(keys: dict[str, str], key: str, n: int) -> list[int]:
    text = keys.pop(key, "-")
    found = [int(p) for p in items(text) if re.fullmatch(r"\d", p) and int(p) < n]
    if len(found) != len(items(text)) or found != sorted({*found}):
        raise PositionError(f"position: {key}={text}: seats 0 .. {n - 1}, ascending")
    return found


def players(position: str) -> int:
    """How many play in this position."""
    keys = read_keys(position, "ba1", "Battle")
    if "n" not in keys:
        raise PositionError("position: n=, the number of players, is missing")
    return take_number(keys, "n", 4, SEATS, 0)


def read(r: Any, s: Any, position: str) -> None:
    """Puts a position into a blank state. PositionError says what is not well formed."""
    keys, n = read_keys(position, "ba1", "Battle"), players(position)
    if n != s.seats:
        raise PositionError(f"position: n={n}, but the match has {s.seats} players")
    del keys["n"]
    phase = keys.pop("ph", "")
    if phase not in LOADED:
        raise PositionError(f"position: ph={phase}: one of {', '.join(LOADED)}")
    s.phase = Phase[phase]
    _read_game(r, s, keys)
    if s.phase != Phase.DEAL:
        _read_identities(r, s, keys)
        _read_hands_and_deck(r, s, keys)
    if s.phase not in (Phase.DEAL, Phase.FLIP):
        _read_turn(r, s, keys)
        _read_exposed_and_out(s, keys)
        _read_piles(r, s, keys)
        _read_standing(s, keys)
        _read_question(s, keys)
    if keys:
        known = "of a Battle position" if s.phase > Phase.FLIP else f"of ph={phase}"
        raise PositionError(f"position: {next(iter(keys))!r} is not a key {known}")
    if s.phase != Phase.DEAL:
        _check_cards(s)
    if s.phase > Phase.FLIP:
        _check_phase(r, s)
        _check_seats(r, s)
        _check_battle(r, s)


def _read_game(r: Any, s: Any, keys: dict[str, str]) -> None:
    t, n = r.numbers, s.seats
    s.dealer = take_number(keys, "dealer", 0, n - 1, n - 1)
    s.round = take_number(keys, "round", 1, t.rounds or MOST_ROUNDS, 1)
    text = keys.pop("score", ".".join(["0"] * n))
    score = [int(x) for x in items(text) if re.fullmatch(r"\d{1,3}", x)]
    if len(score) != n or len(items(text)) != n or max(score) >= t.target_points:
        raise PositionError(
            f"position: score={text}: for each of {n} seats a number below {t.target_points}, "
            "which ends the game"
        )
    for p in range(n):
        s.points[p] = score[p]


def _read_identities(r: Any, s: Any, keys: dict[str, str]) -> None:
    """BA-4, B1: as many of each side, or one more of one."""
    n, extra = s.seats, r.numbers.extra
    text = keys.pop("ids", "-")
    sides = [side for x in items(text) for side in SIDES if SIDES[side] == x]
    if len(sides) != n or len(items(text)) != n:
        raise PositionError(f"position: ids={text}: H or V for each of {n} seats")
    more = sides.count(Side.SUPERHERO) - sides.count(Side.VILLAIN)
    wanted = {0} if n % 2 == 0 else {1, -1} if extra == 0 else {1 if extra == 1 else -1}
    if more not in wanted:
        raise PositionError(
            f"position: ids={text}: half of the players are of each side, of an odd number one "
            "more of either, or of the one that odd_identity says (BA-4, B1)"
        )
    for p in range(n):
        s.identity[p], s.living[p] = sides[p], 1
    s.way = 1


def _cards(r: Any, s: Any, keys: dict[str, str], key: str) -> list[int]:
    """The cards of a list; they are counted among those of this match."""
    text = keys.pop(key, "-")
    try:
        found = [kind(r, c) for c in items(text)]
    except ValueError as e:
        raise PositionError(f"position: {key}={text}: {e}") from None
    for card in found:
        s.stock[card] += 1
    if sum(s.stock[card] for card in range(KINDS)) > CARDS:
        raise PositionError(f"position: {key}=: more than {CARDS} cards in all")
    return found


def _hold(s: Any, p: int, cards: Sequence[int], key: str) -> None:
    """Cards into a hand."""
    if BATTLE in cards:
        raise PositionError(f"position: {key}=: BATTLE is in no hand (BA-1, BA-29)")
    for card in cards:
        s.hands[p, card] += 1
        s.hand_size[p] += 1
        s.fights[p] += card < RANKS


def _read_hands_and_deck(r: Any, s: Any, keys: dict[str, str]) -> None:
    for p in range(s.seats):
        _hold(s, p, _cards(r, s, keys, f"hand{p}"), f"hand{p}")
    for card in reversed(_cards(r, s, keys, "deck")):
        s.deck[s.deck_size] = card
        s.deck_size += 1


def _read_piles(r: Any, s: Any, keys: dict[str, str]) -> None:
    for card in _cards(r, s, keys, "disc"):
        s.pile[s.pile_size] = card
        s.pile_size += 1
    out = [p for p in range(s.seats) if s.living[p] == 0]
    for p in out:
        if s.hand_size[p]:
            raise PositionError(
                f"position: hand{p}=: seat {p} is out; what they put down is in aside="
            )
    if aside := _cards(r, s, keys, "aside"):
        if not out:
            raise PositionError("position: aside=: nobody is out")
        _hold(s, out[0], aside, "aside")


def _read_turn(r: Any, s: Any, keys: dict[str, str]) -> None:
    t, n = r.numbers, s.seats
    s.turn = take_number(keys, "turn", 0, n - 1, 0)
    s.to_act = take_number(keys, "act", 0, n - 1, s.turn)
    way = keys.pop("dir", "L")
    if way not in WAYS.values():
        raise PositionError(f"position: dir={way}: L or R")
    s.way = 1 if way == "L" else -1
    s.turns = take_number(keys, "turns", 0, t.max_turns - 1, 0)
    s.skips = take_number(keys, "skip", 0, t.copies[SKIP] + t.copies[REVERSE], 0)
    s.option = take_number(keys, "opt", 0, 1, 0)
    s.takes = take_number(keys, "takes", 0, t.take_laps * n or t.max_turns, 0)
    s.acted = take_number(keys, "acted", 0, t.build_actions or sum(t.copies[RANKS:]), 0)


def _read_exposed_and_out(s: Any, keys: dict[str, str]) -> None:
    for p in _seats(keys, "exp", s.seats):
        s.exposed[p] = s.identity[p]
    for p in _seats(keys, "out", s.seats):
        s.living[p] = 0


def _read_standing(s: Any, keys: dict[str, str]) -> None:
    """The standing cards, and what everybody has done since: an action and a pass are the same."""
    value = keys.pop("stand", "-")
    if value != "-":
        parts = re.fullmatch(r"(\d{1,2})x(\d{1,2})@(\d|-)", value)
        if not parts or not (1 <= int(parts[1]) <= RANKS and 1 <= int(parts[2]) <= COPIES):
            raise PositionError(
                f"position: stand={value}: write 7x2@0, two 7s of seat 0; - for one who is out"
            )
        s.rank, s.number = int(parts[1]) - 1, int(parts[2])
        s.owner = 0 if parts[3] == "-" else 1 + int(parts[3])
        if s.owner and (s.owner > s.seats or s.living[s.owner - 1] == 0):
            raise PositionError(f"position: stand={value}: seat {parts[3]} is not in the round")
    for p in _seats(keys, "locked", s.seats):
        s.locked[p] = 1
    open_seats = _seats(keys, "open", s.seats)
    for p in range(s.seats):
        other = s.number and s.living[p] and s.owner != 1 + p
        if p in open_seats and (not other or s.locked[p]):
            raise PositionError(
                f"position: open=: seat {p}: nothing stands, the cards are theirs, or they are out"
            )
        if (other and p not in open_seats) or s.locked[p]:
            s.since[p] = Since.PASSED


def _read_question(s: Any, keys: dict[str, str]) -> None:
    """In SV: who eliminates whom, and in which phase."""
    pend, back = keys.pop("pend", "-"), keys.pop("ret", "-")
    if s.phase != Phase.SV:
        if (pend, back) != ("-", "-"):
            raise PositionError("position: pend= and ret= belong to ph=SV")
        return
    parts = re.fullmatch(r"(\d)@(\d)", pend)
    if not parts or max(int(parts[1]), int(parts[2])) >= s.seats or parts[1] == parts[2]:
        raise PositionError(f"position: pend={pend}: write 2@0, seat 0 eliminates seat 2")
    phases = [*BUILDING, *LEADS, Phase.FL, Phase.WI]
    if back not in [p.name for p in phases]:
        known = ", ".join(p.name for p in phases)
        raise PositionError(f"position: ret={back}: where ELIMINATE was played, one of {known}")
    s.victim, s.by, s.back = int(parts[1]), int(parts[2]), Phase[back]


# ---- positions: whether they make sense ----------------------------------------------------------
def _stage(s: Any) -> Phase:
    """The phase of the turn: in SV the one in which ELIMINATE was played."""
    return Phase(s.back if s.phase == Phase.SV else s.phase)


def _check_cards(s: Any) -> None:
    for card in range(RANKS):
        if s.stock[card] > COPIES:
            raise PositionError(
                f"position: {s.stock[card]} cards of rank {card + 1}; there are {COPIES} at most"
            )
    if s.stock[BATTLE] > 1:
        raise PositionError("position: there is one BATTLE card")
    if s.phase == Phase.FLIP and s.stock[BATTLE] == 0:
        raise PositionError("position: ph=FLIP: BATTLE is in the deck (BA-10)")


def _check_phase(r: Any, s: Any) -> None:
    """BATTLE lies where it can; what belongs to building is there while players build."""
    stage, in_deck = _stage(s), BATTLE in [s.deck[i] for i in range(s.deck_size)]
    if stage == Phase.WI:
        if r.numbers.windows == 0:
            raise PositionError("position: ph=WI is of action_timing=windows")
        s.battle = 0 if in_deck else 1
    else:
        s.battle = 0 if stage in (*BUILDING, Phase.FX) else 1
    if s.battle == in_deck:
        where = "is in the deck until it is drawn, which starts" if in_deck == 0 else "has started"
        raise PositionError(f"position: ph={stage.name}: BATTLE {where} the battle (BA-26, BA-29)")
    if s.battle and s.takes:
        raise PositionError("position: takes= belongs to building: BATTLE was drawn from the deck")
    if s.acted and stage not in BUILDING:
        raise PositionError("position: acted= belongs to PD and AD")
    top = s.pile[0] if s.pile_size == 1 else None
    if s.option and (s.phase != Phase.PD or top not in (NEW_BATTLE, ELIMINATE, SAVE)):
        raise PositionError(
            "position: opt=1 is of ph=PD, and disc= is NB, EL or SV, turned up first (BA-17, BA-18)"
        )


def _check_seats(r: Any, s: Any) -> None:
    """Nobody acts who cannot."""
    phase, stage = Phase(s.phase), _stage(s)
    if phase not in ASKED and s.to_act != s.turn:
        raise PositionError(f"position: in ph={phase.name} the seat of turn= is to act")
    for p in {s.to_act} if stage == Phase.WI else {s.to_act, s.turn}:
        if s.living[p] == 0:
            raise PositionError(f"position: seat {p} is out and cannot be to act")
    living = [p for p in range(s.seats) if s.living[p]]
    if len(living) < 2 or (r.numbers.wipeout_ends and len({s.identity[p] for p in living}) < 2):
        raise PositionError("position: out=: one side is left, which ends the round (BA-68)")
    if phase == Phase.WI and not has_action(s, s.to_act):
        raise PositionError("position: ph=WI: act= is one who can play an action card")
    if phase == Phase.FX:
        if len(living) < s.seats or any(s.exposed[p] for p in living):
            raise PositionError("position: ph=FX: nobody is out or exposed yet")
        if s.to_act != s.dealer or s.turn != (s.dealer + 1) % s.seats:
            raise PositionError("position: ph=FX: the dealer is to act, turn= is the next seat")
    if phase == Phase.SV:
        if s.living[s.by] == 0 or s.living[s.victim] == 0:
            raise PositionError("position: pend=: both are in the round")
        if stage != Phase.WI and s.by != s.turn:
            raise PositionError("position: pend=: the seat of turn= eliminates")
        if s.hands[s.to_act, SAVE] == 0:
            raise PositionError("position: ph=SV: act= is one who holds SV")


def _check_battle(r: Any, s: Any) -> None:
    """Cards stand where they can, and nobody is locked out who plays."""
    stage, locked = _stage(s), [p for p in range(s.seats) if s.locked[p]]
    if s.number and (s.battle == 0 or stage in LEADS):
        raise PositionError(f"position: ph={stage.name}: nothing stands")
    if s.number == 0 and stage == Phase.FL:
        raise PositionError("position: ph=FL needs stand=, the cards to be beaten")
    if locked and (r.numbers.pass_locks == 0 or s.number == 0):
        raise PositionError("position: locked= is of pass_locks=true, while cards stand (H3)")
    if s.turn in locked and stage != Phase.WI:
        raise PositionError(f"position: seat {s.turn} is locked out and cannot be to act")


# ---- positions: writing --------------------------------------------------------------------------
def write(r: Any, s: Any) -> str:
    """The position of a state: all that the rules need, less what players merely remember."""
    now = facts(r, s)
    keys = ["turn", "dir", "dealer", "ids", "exp", "out", "score"]
    keys += [*(f"hand{p}" for p in range(s.seats)), "deck", "disc", "aside", "stand", "open"]
    keys += ["skip", "opt", "takes", "pend", "ret", "round", "turns"]
    keys += [k for k, unset in (("acted", "0"), ("locked", "-")) if now[k] != unset]
    body = " ".join(f"{k}={now[k]}" for k in keys)
    return f"ba1 n={s.seats} ph={Phase(s.phase).name} act={s.to_act} {body}"


def _dots(found: Iterable[Any]) -> str:
    return ".".join(map(str, found)) or "-"


def facts(r: Any, s: Any) -> dict[str, str]:
    """What scenarios may expect of a state, by key."""
    seats = range(s.seats)

    def cards(kinds: Iterable[int]) -> str:
        return _dots(code(r, c) for c in kinds)

    def held(hands: Sequence[int]) -> str:
        return cards(k for k in range(HELD) for _ in range(sum(s.hands[p, k] for p in hands)))

    out = {
        "turn": str(s.turn),
        "dir": WAYS[s.way],
        "dealer": str(s.dealer),
        "ids": _dots(SIDES[s.identity[p]] for p in seats),
        "exp": _dots(p for p in seats if s.exposed[p]),
        "out": _dots(p for p in seats if not s.living[p]),
        "deck": cards(s.deck[i] for i in reversed(range(s.deck_size))),
        "decksize": str(s.deck_size),
        "disc": cards(s.pile[i] for i in range(s.pile_size)),
        "aside": held([p for p in seats if not s.living[p]]),
        "skip": str(s.skips),
        "opt": str(s.option),
        "takes": str(s.takes),
        "acted": str(s.acted if _stage(s) in BUILDING else 0),
        "locked": _dots(p for p in seats if s.locked[p]),
        "score": _dots(s.points[p] for p in seats),
        "round": str(s.round),
        "turns": str(s.turns),
        "side": RESULTS[s.last_side],
    }
    for p in seats:
        out[f"hand{p}"] = held([p] if s.living[p] else [])
        out[f"count{p}"] = str(s.hand_size[p] if s.living[p] else 0)
    if s.phase == Phase.OVER:
        out["winner"] = _dots(p for p in seats if s.winner[p]).replace("-", "draw")
    return out | _standing(s) | _question(s)


def _standing(s: Any) -> dict[str, str]:
    if s.number == 0:
        return {"stand": "-", "open": "-"}
    waiting = [
        p for p in range(s.seats) if s.living[p] and s.owner != 1 + p and s.since[p] == Since.OPEN
    ]
    owner = str(s.owner - 1) if s.owner else "-"
    return {"stand": f"{s.rank + 1}x{s.number}@{owner}", "open": _dots(waiting)}


def _question(s: Any) -> dict[str, str]:
    if s.phase != Phase.SV:
        return {"pend": "-", "ret": "-"}
    return {"pend": f"{s.victim}@{s.by}", "ret": Phase(s.back).name}
