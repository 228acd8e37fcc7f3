"""Battleball: options and teams, checked, and what the rules get of them and of the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ...core.assembly import resolve_by_name
from ...core.deck import DeckName, Fault, Id, Part, each_once, read_deck
from ...core.errors import RulesetError
from ...core.game import Group, Resolved, bounds, deck_option, option, seat_option
from ...core.game import Options as AnyOptions
from ...core.saying import either, listed
from ...core.table import Name
from . import state
from .board import USUAL, Board
from .team import CODES, PIECES

LONGEST = 30_000  # turns of a match, where `max_plies` sets no limit
DECKS = Path(__file__).parent / "decks"
ELEVEN = f"a team is {' '.join(CODES)} (BB-3)"


class Options(AnyOptions):
    """How Battleball is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=2, title="Players", description="how many players (BB-1)")
    deck: str = deck_option({"battleball-default": "the usual team"}, "Team")
    presets: str = option("", "More lineups", Group.SETUP)
    """written as R1f5,R2a5,... with / between them; numbered after the team's own"""
    rows: int = option(
        *(25, "Length of the field", Group.SETUP),
        names={5: "5 rows", 15: "15 rows", 25: "25 rows", 35: "35 rows"},
        **bounds(5, 35),
    )
    """how many rows of squares (AMB-3)"""
    cols: int = option(11, "Width of the field", Group.SETUP, **bounds(3, 13))
    """in squares; an even number with 15 or 35 rows (AMB-3)"""
    team_size: int = option(len(CODES), "Pieces of a team", Group.SETUP, **bounds(1, len(CODES)))
    """the first of R1, R2, R3, S1 ...; the others stay in the Box (AMB-60)"""
    starter: int = seat_option("First to move", Group.SETUP, most=1)
    """who moves first in the first half (AMB-61)"""
    lineup: Literal["blind", "open", "alternate"] = option(
        *("blind", "Lining up", Group.SETUP),
        names={
            "blind": "nothing until both are done",
            "open": "all of it",
            "alternate": "all of it, placing in turns",
        },
    )
    """what you see of the other team's lineup (AMB-11)"""
    advanced: bool = option(False, "Advanced Game", Group.VARIANTS)
    """with passes and interceptions (BB-140)"""
    team_rules: bool = option(False, "Team Rule play", Group.VARIANTS)
    """a special rule for each half (BB-159)"""
    tr_blind: bool = option(True, "Secret team rules", Group.VARIANTS)
    """they are chosen in secret (AMB-55)"""
    half_squares_standable: bool = option(True, "Standing on half squares", Group.RULINGS)
    """pieces may stop there, not only run across (AMB-4)"""
    heavy_on_half: bool = option(True, "Heavy on half squares", Group.RULINGS)
    """the Heavy may have a foot on one (AMB-5)"""
    heavy_lead_foot: bool = option(False, "Heavy squeezes through", Group.RULINGS)
    """both feet need room only where it stops (AMB-8)"""
    heavy_tackle_choice: Literal["explicit", "auto_low"] = option(
        *("explicit", "Heavy in a tackle", Group.RULINGS),
        names={"explicit": "the coach chooses", "auto_low": "the lower one"},
    )
    """which of its two dice counts (AMB-23)"""
    heavy_pass_any_match: bool = option(True, "Passes to a Heavy", Group.RULINGS)
    """any two equal dice fumble the pass (AMB-38)"""
    optional_pickup: bool = option(False, "Running over the ball", Group.RULINGS)
    """you may leave it where it lies (AMB-13)"""
    malfunction_ends_turn: bool = option(False, "A malfunction ends the turn", Group.RULINGS)
    """there is no tackle or hand-off after it (AMB-19)"""
    allow_agreed_halt: bool = option(True, "Agreed halt", Group.RULINGS)
    """play is halted if both coaches agree (AMB-30)"""
    halt_counts_fumble_hops: bool = option(False, "Halts count fumbles", Group.RULINGS)
    """a fumble that could carry the ball over carnage counts (AMB-30)"""
    halt_ball: Literal["center", "possession"] = option(
        *("center", "The ball after a halt", Group.RULINGS),
        names={"center": "in the middle", "possession": "with the piece that had it"},
    )
    """where it is (AMB-31)"""
    touchdowns: int = option(2, "Touchdowns to win", Group.ENDING, **bounds(1, 2))
    """the first team with this many wins (AMB-62)"""
    no_progress_limit: int = option(
        120, "Turns without progress", Group.LIMITS, names={0: "no limit"}, **bounds(0, 10_000)
    )
    """this many halt play (AMB-34)"""
    max_np_halts: int = option(3, "Halts without progress", Group.LIMITS, **bounds(1, 100))
    """this many end the match (AMB-34)"""
    max_restarts: int = option(
        0, "Halves begun again", Group.LIMITS, names={0: "no limit"}, **bounds(0, 1000)
    )
    """this many end the match (AMB-63)"""
    max_plies: int = option(
        1500, "Turns", Group.LIMITS, names={0: "as many as 30000"}, **bounds(0, LONGEST)
    )
    """this many end the match (AMB-34)"""

    @model_validator(mode="after")
    def _together(self) -> Options:
        if self.rows % 10 != 5:
            raise ValueError(
                f"rows = {self.rows}: choose 5, 15, 25 or 35, so that the 20-yard lines lie "
                "between two rows and the middle of the field in the middle of one"
            )
        middle = (self.rows + 1) // 2
        if (self.cols - middle) % 2:
            fitting = [str(n) for n in range(3, 14) if (n - middle) % 2 == 0]
            raise ValueError(
                f"cols = {self.cols}: with {self.rows} rows choose {either(fitting)} columns, "
                "so that the ball can begin in the very middle"
            )
        feet = self.team_size + (self.team_size == len(CODES))  # the Heavy Tackle has two
        if (room := self.rows // 5 * self.cols) < feet:
            raise ValueError(
                f"team_size = {self.team_size}: {room} squares behind the line are too few, with "
                f"{self.rows} rows and {self.cols} columns; choose a smaller team or a larger field"
            )
        return self


# ---- teams --------------------------------------------------------------------------------------
Called = Annotated[Name, Field(min_length=1, max_length=40, description="what people read")]


class Role(Part):
    """A `[[role]]` of a team: the pieces of one letter."""

    id: Id
    letter: Literal["R", "S", "B", "L", "T", "H"] = Field(
        json_schema_extra={"takes": f"R, S, B, L, T or H: {ELEVEN}"},
        description="of the codes of its pieces",
    )
    name: Called
    sides: int = Field(
        ge=4, le=state.LONGEST_RUN, description="of the die that a piece rolls (BB-4), H1 of both"
    )


class Lineup(Part):
    """A `[[lineup]]` of a team: places that a coach can take all at once."""

    name: Called
    places: str = Field(
        description="where W's pieces stand on the usual field of 25 x 11, as in R1f5,R2a5,...; "
        "H's stand there after half a turn of the board"
    )

    def check_stand(self) -> Iterator[Fault]:
        for wrong in USUAL.read_lineup(self.places)[1]:
            yield Fault(("places",), wrong)


class Team(Part):
    """A deck file: a team, the same for both coaches."""

    name: DeckName = ""
    order: list[str] = Field(
        json_schema_extra={"takes": "the codes of the eleven pieces, each once"},
        description="who is placed first when a team lines up piece by piece",
    )
    role: list[Role] = Field(description="a role, once for each letter")
    lineup: list[Lineup] = Field(
        [], description=f"a stored lineup, {state.PRESETS} at most; coaches see its name"
    )

    def check_letters(self) -> Iterator[Fault]:
        letters = {role.letter for role in self.role}
        for letter in PIECES:
            if letter not in letters:
                yield Fault((), f"no role has the letter {letter}; {ELEVEN}")

    def check_roles(self) -> Iterator[Fault]:
        return each_once("roles", {"role": self.role}, ("id", "letter", "name"))

    def check_ordered(self) -> Iterator[Fault]:
        seen = Counter[str]()
        for i, code in enumerate(self.order):
            seen[code] += 1
            if code not in CODES:
                yield Fault(("order", i), f"no piece has the code {code!r}; {ELEVEN}")
            elif seen[code] > 1:
                yield Fault(("order", i), f"{code} is named twice")
        if missing := [code for code in CODES if not seen[code]]:
            are = "is" if len(missing) == 1 else "are"
            yield Fault(("order",), f"{listed(missing)} {are} missing")

    def check_lineups(self) -> Iterator[Fault]:
        if len(self.lineup) > state.PRESETS:
            yield Fault((), f"{len(self.lineup)} lineups; {state.PRESETS} at most")

    def check_titles(self) -> Iterator[Fault]:
        return each_once("lineups", {"lineup": self.lineup}, ("name",))

    @cached_property
    def roles(self) -> list[Role]:
        """The role of each piece, by its slot."""
        found = {role.letter: role for role in self.role}
        return [found[code[0]] for code in CODES]  # type: ignore[index]


# ---- lineups ------------------------------------------------------------------------------------
def own_lineups(o: Options, board: Board, first: int) -> list[list[int]]:
    """The lineups of the option; the first has this number. RulesetError says what is wrong."""
    found = []
    for number, text in enumerate(o.presets.split("/") if o.presets else [], first):
        if number > state.PRESETS:
            most = state.PRESETS + 1 - first
            raise RulesetError(f"battleball: presets: more than {most} lineups")
        try:
            cells = board.lineup(text)
        except ValueError as e:
            raise RulesetError(f"battleball: presets: lineup {number}: {e}") from None
        if bad := [c for slot, c in enumerate(cells) if not stands(o, board, slot, c)]:
            where = board.names[bad[0]]
            raise RulesetError(
                f"battleball: presets: lineup {number}: nobody may stand on {where} with "
                "these options (AMB-4, AMB-5)"
            )
        found.append(cells)
    return found


def stands(o: Options, board: Board, slot: int, cell: int) -> bool:
    """AMB-4, AMB-5: this piece may stand there."""
    heavy = CODES[slot] == "H1"
    feet = (cell, board.right(cell)) if heavy else (cell,)
    if board.cells in feet:
        return False
    half = any(board.is_half(c) for c in feet)
    return not half or (o.half_squares_standable and (o.heavy_on_half or not heavy))


def lineups(o: Options, team: Team, board: Board) -> list[dict[str, Any]]:
    """All presets for both teams, as the table has them: the deck's, then those of the option."""
    nowhere = [board.cells] * len(CODES)
    stored: list[list[int] | None] = [board.fitted(lineup.places) for lineup in team.lineup]
    stored = [
        p if p and all(stands(o, board, i, c) for i, c in enumerate(p)) else None for p in stored
    ]
    stored += own_lineups(o, board, 1 + len(stored))
    stored += [None] * (state.PRESETS - len(stored))
    return [
        {"cell": [p, [board.turned(i, c) for i, c in enumerate(p)]] if p else [nowhere] * 2}
        for p in stored
    ]


# ---- what the rules get -------------------------------------------------------------------------
def longest_pass(sides: int) -> int:
    """BB-146, AMB-37: the best total that is no fumble: equal dice never count."""
    return sides + (5 if sides == 6 else 6)


def resolve(o: Options) -> Resolved:
    """The table and the sizes that these options and their team ask for."""
    team, text = read_deck(o.deck, Team, DECKS)
    dice = [role.sides for role in team.roles]
    board = Board(o.rows, o.cols)
    cells = range(board.cells)
    heavy = CODES.index("H1")
    anchors = [
        board.right(c) != board.cells
        and (o.heavy_on_half or not (board.is_half(c) or board.is_half(board.right(c))))
        for c in cells
    ]
    numbers = {
        "near": board.near,
        "x": [*(x for x, _ in board.places), 0],
        "row": [*(row for _, row in board.places), 0],
        "goal": [[*(row == goal for _, row in board.places), False] for goal in (board.rows, 1)],
        "stand": [[*(stands(o, board, slot, c) for c in cells), False] for slot in (0, heavy)],
        "anchor": [*anchors, False],
        "preset": lineups(o, team, board),
        "order": [CODES.index(c) for c in team.order],
        "die": dice,
        "reach": [longest_pass(sides) for sides in dice],
        "kick_off": board.kick_off,
        "lead_foot": o.heavy_lead_foot,
        "auto_low": o.heavy_tackle_choice == "auto_low",
        "fumble_hops": o.halt_counts_fumble_hops,
        "agreed_halt": o.allow_agreed_halt,
        "halt_gives_ball": o.halt_ball == "possession",
        "max_plies": o.max_plies or LONGEST,
        "pass_any_match": o.heavy_pass_any_match,
        "rule_blind": o.tr_blind,
    }
    sizes = {"rows": o.rows, "cols": o.cols}
    return resolve_by_name(o, state, numbers, deck=(team, text), sizes=sizes)
