"""The field of Battleball: cells, their names, who is next to whom; lineups on it.

Rows are numbered from W's goal line. An odd row has `cols` whole squares; an even one is shifted by
half a square and has one cell more, a half square at either sideline. Doubled coordinates: the k-th
cell of a row has x = 2k in an odd row and 2k - 1 in an even one.
"""

from __future__ import annotations

import re
from functools import cached_property

from ...core.saying import listed
from .team import CODES, HEAVY, piece_of

AROUND = ((-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))  # must agree with state.LEFT, RIGHT
USUAL_ROWS, USUAL_COLS = 25, 11


class Board:
    """A field of so many rows and columns."""

    def __init__(self, rows: int = USUAL_ROWS, cols: int = USUAL_COLS) -> None:
        self.rows, self.cols = rows, cols
        self.places = [
            (2 * k if row % 2 else 2 * k - 1, row)
            for row in range(1, rows + 1)
            for k in range(1, cols + 2 - row % 2)
        ]
        self.number = {place: c for c, place in enumerate(self.places)}
        self.names = [f"{chr(96 + (x + 1) // 2)}{row}" for x, row in self.places]
        self._cells = {name: c for c, name in enumerate(self.names)}
        self.zone_rows = rows // 5

    @property
    def cells(self) -> int:
        """How many cells there are; it is also the number that says "nowhere"."""
        return len(self.places)

    def cell(self, name: str) -> int:
        """The number of a cell. ValueError if there is none of this name."""
        if name not in self._cells:
            last = self.names[-1]
            raise ValueError(f"no cell is called {name!r}; the last one is {last}")
        return self._cells[name]

    @cached_property
    def near(self) -> list[list[int]]:
        """The six neighbours of each cell; the cell beside the board has none."""
        found = [
            [self.number.get((x + dx, row + dy), self.cells) for dx, dy in AROUND]
            for x, row in self.places
        ]
        return [*found, [self.cells] * len(AROUND)]

    def right(self, cell: int) -> int:
        """Where the right foot of a Heavy Tackle on this cell stands."""
        return self.near[cell][1]

    def neighbours(self, cell: int) -> list[int]:
        """The cells next to a cell."""
        return [n for n in self.near[cell] if n != self.cells]

    def distance(self, a: int, b: int) -> int:
        """AMB-6: steps from cell to cell."""
        (ax, ay), (bx, by) = self.places[a], self.places[b]
        dx, dy = abs(ax - bx), abs(ay - by)
        return max(dy, (dx + dy) // 2)

    def is_half(self, cell: int) -> bool:
        """It is a half square on a sideline."""
        x, row = self.places[cell]
        return row % 2 == 0 and x in (1, 2 * self.cols + 1)

    @property
    def kick_off(self) -> int:
        """The whole square in the middle. KeyError if there is none."""
        return self.number[self.cols + 1, (self.rows + 1) // 2]

    def in_zone(self, team: int, cell: int) -> bool:
        """BB-10: behind the 20-yard line of this team."""
        row = self.places[cell][1]
        return row <= self.zone_rows if team == 0 else row > self.rows - self.zone_rows

    def turned(self, slot: int, cell: int) -> int:
        """The place of a piece after half a turn of the board."""
        c = self.right(cell) if slot == HEAVY else cell
        return self.cells - 1 - c if c != self.cells else self.cells

    # ---- stored lineups ----
    def lineup(self, text: str) -> list[int]:
        """W's cells of a lineup such as `R1f5,R2a5 ...`, by slot. ValueError: all that is wrong."""
        found, wrong = self.read_lineup(text)
        if wrong:
            raise ValueError("; ".join(wrong))
        return [found[slot] for slot in range(len(CODES))]

    def read_lineup(self, text: str) -> tuple[dict[int, int], list[str]]:
        """The cells of a lineup by slot, where they are right; and all that is wrong with it."""
        found: dict[int, int] = {}
        wrong: list[str] = []
        taken: dict[int, str] = {}
        for entry in text.split(","):
            try:
                slot, cell = self._placed(entry)
                if slot in found:
                    raise ValueError(f"{CODES[slot]} is placed twice")
                feet = self._feet(slot, cell, entry)
                for c in feet:
                    if c in taken:
                        where = self.names[c]
                        raise ValueError(f"{taken[c]} and {entry} are both on {where} (BB-11)")
            except ValueError as e:
                wrong.append(str(e))
            else:
                found[slot] = cell
                taken |= dict.fromkeys(feet, entry)
        named = {entry[:2] for entry in text.split(",")}
        if missing := [code for code in CODES if code not in named]:
            has = "has" if len(missing) == 1 else "have"
            wrong.append(f"{listed(missing)} {has} no place (BB-9)")
        return found, wrong

    def _placed(self, entry: str) -> tuple[int, int]:
        """Slot and cell of an entry such as `R1f5`. ValueError if it is none."""
        parts = re.fullmatch(r"([A-Z]\d)([a-z]\d+)", entry)
        if not parts:
            raise ValueError(f"{entry!r}: write piece and cell, as in R1f5")
        return piece_of(parts[1])[1], self.cell(parts[2])

    def _feet(self, slot: int, cell: int, entry: str) -> list[int]:
        """The cells that a piece of W stands on. ValueError if W may not line up there."""
        feet = [cell, self.right(cell)] if slot == HEAVY else [cell]
        if self.cells in feet:
            raise ValueError(f"{entry}: its right foot is off the board (BB-13)")
        if out := [c for c in feet if not self.in_zone(0, c)]:
            raise ValueError(f"{entry}: {self.names[out[0]]} is not behind the line (BB-10)")
        return feet

    def fitted(self, text: str) -> list[int] | None:
        """A lineup for the usual field on this one: its front row at the line, its middle in the
        middle; None if it has no room here.
        """
        up, right = self.zone_rows - USUAL.zone_rows, (self.cols - USUAL.cols) // 2 * 2
        usual = [USUAL.places[c] for c in USUAL.lineup(text)]
        cells = [self.number.get((x + right, row + up), self.cells) for x, row in usual]
        if self.cells in cells:
            return None
        placed = [code + self.names[cell] for code, cell in zip(CODES, cells, strict=True)]
        try:
            return self.lineup(",".join(placed))
        except ValueError:
            return None


USUAL = Board()
