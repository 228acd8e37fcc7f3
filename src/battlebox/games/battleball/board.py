"""The field of Battleball: cells, their names, who is next to whom; lineups on it.

Rows are numbered from W's goal line. An odd row has `cols` whole squares; an even one is shifted by
half a square and has one cell more, a half square at either sideline. Doubled coordinates: the k-th
cell of a row has x = 2k in an odd row and 2k - 1 in an even one.
"""

from __future__ import annotations

import re
from functools import cached_property

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
        """W's cells of a lineup such as `R1f5,R2a5 ...`. ValueError says what is wrong with it."""
        found: dict[int, int] = {}
        taken: dict[int, str] = {}
        for entry in text.split(","):
            parts = re.fullmatch(r"([A-Z]\d)([a-z]\d+)", entry)
            if not parts:
                raise ValueError(f"{entry!r}: write piece and cell, as in R1f5")
            _, slot = piece_of(parts[1])
            cell = self.cell(parts[2])
            if slot in found:
                raise ValueError(f"{parts[1]} is placed twice")
            found[slot] = cell
            for c in (cell, self.right(cell)) if slot == HEAVY else (cell,):
                if c == self.cells:
                    raise ValueError(f"{entry}: its right foot is off the board (BB-13)")
                if not self.in_zone(0, c):
                    raise ValueError(f"{entry}: {self.names[c]} is not behind the line (BB-10)")
                if c in taken:
                    raise ValueError(f"{taken[c]} and {entry} are both on {self.names[c]} (BB-11)")
                taken[c] = entry
        if missing := [c for i, c in enumerate(CODES) if i not in found]:
            raise ValueError(f"{missing[0]} has no place (BB-9)")
        return [found[slot] for slot in range(len(CODES))]

    def preset(self, text: str) -> list[int] | None:
        """One of our presets on this board: its front row at the line, its middle in the middle."""
        up, right = self.zone_rows - USUAL_ROWS // 5, (self.cols - USUAL_COLS) // 2 * 2
        places = []
        for name, row in re.findall(r"[A-Z]\d([a-z])(\d+)", text):
            k, y = ord(name) - 96, int(row)
            places.append((2 * k - (y % 2 == 0) + right, y + up))
        if any(place not in self.number for place in places):
            return None
        cells = [self.number[place] for place in places]
        try:
            return self.lineup(
                ",".join(c + self.names[n] for c, n in zip(CODES, cells, strict=True))
            )
        except ValueError:
            return None
