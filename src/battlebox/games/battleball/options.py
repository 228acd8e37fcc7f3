"""Battleball: options, checked, and what the rules get of them and of the board."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from ...core.errors import RulesetError
from ...core.game import Kit
from ...core.game import Options as AnyOptions
from . import state
from .board import Board
from .team import CODES, DICE, ORDER, PRESETS

FIRST_OWN = 7  # presets 7 .. 16 are the user's
LONGEST = 30_000  # turns of a match, where `max_plies` sets no limit


class Options(AnyOptions):
    """How Battleball is played. README.md explains each option under the rules it names."""

    players: int = Field(2, ge=2, le=2, description="how many play (BB-1)")
    advanced: bool = Field(False, description="the Advanced Game: passes (BB-140)")
    team_rules: bool = Field(False, description="Team Rule play: a rule for each half (BB-159)")
    rows: int = Field(25, ge=15, le=35, description="rows of the field: 15, 25 or 35 (AMB-3)")
    cols: int = Field(11, ge=9, le=13, description="squares of its odd rows (AMB-3)")
    presets: str = Field(
        "", description="lineups of your own, R1f5,R2a5,... each, joined by / (presets 7 .. 16)"
    )
    lineup: Literal["blind", "open", "alternate"] = Field(
        "blind", description="hidden until both are done, open, or piece by piece (AMB-11)"
    )
    half_squares_standable: bool = Field(
        True, description="pieces may stand on half squares, not only pass (AMB-4)"
    )
    heavy_on_half: bool = Field(
        True, description="the Heavy Tackle may have a foot on a half square (AMB-5)"
    )
    heavy_lead_foot: bool = Field(
        False, description="one foot of the Heavy walks, only the end must fit both (AMB-8)"
    )
    optional_pickup: bool = Field(False, description="one may run over the ball (AMB-13)")
    malfunction_ends_turn: bool = Field(
        False, description="no tackle or hand-off after a malfunction (AMB-19)"
    )
    heavy_tackle_choice: Literal["explicit", "auto_low"] = Field(
        "explicit", description="the coach chooses a Heavy's die, or the lower counts (AMB-23)"
    )
    halt_counts_fumble_hops: bool = Field(
        False, description="a fumble might carry the ball over carnage (AMB-30)"
    )
    allow_agreed_halt: bool = Field(
        True, description="play is halted if both coaches agree to it (AMB-30)"
    )
    halt_ball: Literal["center", "possession"] = Field(
        "center", description="where the ball is after a halt (AMB-31)"
    )
    no_progress_limit: int = Field(
        120, ge=0, le=10_000, description="turns without progress that halt play; 0: none (AMB-34)"
    )
    max_np_halts: int = Field(
        3, ge=1, le=100, description="the halt for lack of progress that ends the game (AMB-34)"
    )
    max_plies: int = Field(
        1500, ge=0, le=LONGEST, description="turns that end it; 0: as many as 30000 (AMB-34)"
    )
    heavy_pass_any_match: bool = Field(
        True, description="any pair of a Heavy receiver's dice fumbles a pass (AMB-38)"
    )
    tr_blind: bool = Field(True, description="team rules are chosen in secret (AMB-55)")

    @model_validator(mode="after")
    def _together(self) -> Options:
        if self.rows % 10 != 5:
            raise ValueError(
                f"rows = {self.rows}: 15, 25 or 35, so that 20-yard lines lie between two rows and "
                "the middle of the field in the middle of one (AMB-3)"
            )
        middle = (self.rows + 1) // 2
        if (self.cols - middle) % 2:
            raise ValueError(
                f"cols = {self.cols}: with {self.rows} rows the ball's square in row {middle} "
                f"needs an {'odd' if middle % 2 else 'even'} number (AMB-3)"
            )
        return self


def own_lineups(o: Options, board: Board) -> list[list[int]]:
    """The user's presets. RulesetError says what is wrong, and where."""
    found = []
    for i, text in enumerate(o.presets.split("/") if o.presets else []):
        if FIRST_OWN + i > state.PRESETS:
            most = state.PRESETS - FIRST_OWN + 1
            raise RulesetError(f"battleball: presets: more than {most} lineups")
        try:
            cells = board.lineup(text)
        except ValueError as e:
            raise RulesetError(f"battleball: presets: lineup {FIRST_OWN + i}: {e}") from None
        if bad := [c for slot, c in enumerate(cells) if not stands(o, board, slot, c)]:
            where = board.names[bad[0]]
            raise RulesetError(
                f"battleball: presets: lineup {FIRST_OWN + i}: nobody may stand on {where} with "
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


def lineups(o: Options, board: Board) -> list[dict[str, Any]]:
    """All presets for both teams, as the table has them."""
    nowhere = [board.cells] * len(CODES)
    stored: list[list[int] | None] = [board.preset(text) for text in PRESETS.values()]
    stored = [
        p if p and all(stands(o, board, i, c) for i, c in enumerate(p)) else None for p in stored
    ]
    stored += [None] * (FIRST_OWN - 1 - len(stored))
    stored += own_lineups(o, board)
    stored += [None] * (state.PRESETS - len(stored))
    return [
        {"cell": [p, [board.turned(i, c) for i, c in enumerate(p)]] if p else [nowhere] * 2}
        for p in stored
    ]


def longest_pass(slot: int) -> int:
    """BB-146, AMB-37: the best total that is no fumble: equal dice never count."""
    sides = DICE[CODES[slot][0]]
    return sides + (6 if sides > 6 else 5)


def kit(o: Options) -> Kit:
    """The table and the sizes that these options ask for."""
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
        "preset": lineups(o, board),
        "order": [CODES.index(c) for c in ORDER],
        "die": [DICE[c[0]] for c in CODES],
        "reach": [longest_pass(slot) for slot in range(len(CODES))],
        "kick_off": board.kick_off,
        "advanced": o.advanced,
        "team_rules": o.team_rules,
        "lead_foot": o.heavy_lead_foot,
        "lineup": ("blind", "open", "alternate").index(o.lineup),
        "optional_pickup": o.optional_pickup,
        "malfunction_ends_turn": o.malfunction_ends_turn,
        "auto_low": o.heavy_tackle_choice == "auto_low",
        "fumble_hops": o.halt_counts_fumble_hops,
        "agreed_halt": o.allow_agreed_halt,
        "halt_gives_ball": o.halt_ball == "possession",
        "no_progress_limit": o.no_progress_limit,
        "max_np_halts": o.max_np_halts,
        "max_plies": o.max_plies or LONGEST,
        "pass_any_match": o.heavy_pass_any_match,
        "rule_blind": o.tr_blind,
    }
    sizes = {} if (o.rows, o.cols) == (25, 11) else {"rows": o.rows, "cols": o.cols}
    return Kit(sizes, numbers, board)
