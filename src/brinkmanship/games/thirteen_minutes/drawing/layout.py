"""Layouts of the table: a wide one for screens and pictures, a narrow one for phones.

The table is three areas side by side, crossed by bands: one for Cuba and one for each DEFCON type. So a card slides
straight from area to area, and the length of a row shows the number of cards of a type in a sphere. In a sphere a row
begins at the outer edge; its third place is the one that means war.

Drawing units are CSS pixels at the drawing's own width: the wide table is as broad for its height as the room above a
question and a hand on a small wide screen, where a unit is 0.98 pixels and `LEAST` units are 12.5 pixels or more. Cuba
and the headings share a band, and a row has three places, or as many as it needs. The narrow table is meant for 340 to
700 pixels, and is as high as its fullest cells require.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground, DrawnPosition
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS, CUBA_ID
from brinkmanship.games.thirteen_minutes.rules.state import N_AREAS

BANDS = (CUBA_ID, *COLOURS)
LEAST = 13.0
"""Size of the smallest text of the wide table."""
SEATS = 3
"""Cards that fit side by side in a cell of the wide table; with more, all are narrower."""
TALLY = 19.0
"""Height of the line above the cards of a cell of the narrow table."""


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the table."""

    name: LayoutName
    width: float
    height: float
    clock: Box
    desks: tuple[Box, Box]
    areas: tuple[Box, ...]
    bands: dict[str, tuple[float, float]]
    """Upper edge and height of each band."""
    card: tuple[float, float]
    """Width and height of a card on the table."""
    cuba: tuple[float, float]
    """Width and height of the face-down Cuba card."""
    rows: Mapping[tuple[int, str], int]
    """Number of cards in each cell."""

    @property
    def wide(self) -> bool:
        """True for the wide table."""
        return self.name == "wide"

    def cell(self, area: int, band: str) -> Box:
        """Return the box where an area and a band meet."""
        box, (top, high) = self.areas[area], self.bands[band]
        return Box(box.x, top, box.w, high)

    def slot(self, area: int, band: str, number: int) -> Box:
        """Return the place of a card in its row, counted from 0."""
        cell = self.cell(area, band)
        if band == CUBA_ID:
            wide, high = self.cuba
            left = cell.right - wide - 5 if self.wide else cell.x + (cell.w - wide) / 2
            return Box(left, cell.y + 2, wide, high)
        wide, high = self.card
        if not self.wide:
            return Box(cell.x + (cell.w - wide) / 2, cell.y + TALLY + number * (high + 4), wide, high)
        seats = max(SEATS, self.rows.get((area, band), 0))
        row = SEATS * (wide + _GAP)
        step = row / seats
        side = SPHERES.get(area)
        seat = number
        if side is None and seats == SEATS > number:
            seat = _FROM_MIDDLE[number]
        elif side == 1:
            seat = seats - 1 - number
        left = cell.x + (cell.w - row + _GAP) / 2
        if side is not None:
            left = cell.x + MARGIN if side == 0 else cell.right - MARGIN - row + _GAP
        return Box(left + min(max(seat, -0.3), seats - 0.7) * step, cell.y + 3, step - _GAP, high)

    def place(self, position: DrawnPosition, ground: Battleground) -> Box:
        """Return the box of a battleground."""
        row = row_of(position, ground.area, band_of(ground))
        return self.slot(ground.area, band_of(ground), row.index(ground))


MARGIN = 32.0
"""Margin beside the rows of a sphere of the wide table, with the tally of cards until war."""
_GAP = 4.0
_FROM_MIDDLE = (1, 0, 2)
"""Order of the seats of a row of the neutral area, which fills from its middle."""


def band_of(ground: Battleground) -> str:
    """Return the band of a battleground; Cuba keeps its own when it is turned up."""
    return CUBA_ID if ground.is_cuba or ground.colour is None else ground.colour


def row_of(position: DrawnPosition, area: int, band: str) -> list[Battleground]:
    """Return the battlegrounds of a cell, in order."""
    return [ground for ground in position.lying(area) if band_of(ground) == band]


def layout_of(name: LayoutName, position: DrawnPosition) -> Layout:
    """Return the layout of a name; the narrow one makes room for the cards of this position."""
    rows = {(area, band): len(row_of(position, area, band)) for area in range(N_AREAS) for band in COLOURS}
    if name == "wide":
        return _wide(rows)
    return _narrow(rows)


def _wide(rows: Mapping[tuple[int, str], int]) -> Layout:
    left, wide, gap = 6.0, 948.0, 6.0
    column = (wide - 2 * gap) / N_AREAS
    card = ((column - MARGIN - 4) / SEATS - _GAP, 78.0)
    top = 98.0
    bands, y = {}, top
    for band in BANDS:
        high = 41.0 if band == CUBA_ID else card[1] + 5
        bands[band] = (y, high)
        y += high
    return Layout(
        name="wide",
        width=960,
        height=y + 4,
        clock=Box(324, 4, 312, 89),
        desks=(Box(left, 4, 312, 89), Box(642, 4, 312, 89)),
        areas=tuple(Box(left + number * (column + gap), top, column, y - top) for number in range(N_AREAS)),
        bands=bands,
        card=card,
        cuba=(170, 37),
        rows=rows,
    )


def _narrow(rows: Mapping[tuple[int, str], int]) -> Layout:
    most = {band: max(rows[area, band] for area in range(N_AREAS)) for band in COLOURS}
    left, wide, gap = 6.0, 348.0, 4.0
    column = (wide - 2 * gap) / N_AREAS
    card = (column - 4, 58.0)
    clock = Box(left, 4, wide, 92)
    desks_y = clock.bottom + 6
    top = desks_y + 120 + 6
    bands, y = {}, top + 26
    for band in BANDS:
        high = 64.0 if band == CUBA_ID else TALLY + max(1, most[band]) * (card[1] + 4) + 4
        bands[band] = (y, high)
        y += high
    return Layout(
        name="narrow",
        width=360,
        height=y + 8,
        clock=clock,
        desks=(Box(left, desks_y, 172, 120), Box(left + 176, desks_y, 172, 120)),
        areas=tuple(Box(left + number * (column + gap), top, column, y + 2 - top) for number in range(N_AREAS)),
        bands=bands,
        card=card,
        cuba=(column - 4, 60),
        rows=rows,
    )
