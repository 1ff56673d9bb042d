"""Where things stand: a wide table for screens and pictures, a narrow one for phones.

The table is three areas side by side, crossed by bands: one for Cuba and one for each DEFCON type. So a card slides
straight from area to area, and how many cards of a type lie in a sphere is seen as the length of a row. In a sphere a
row begins at the outer edge; its third place is the one that means war.

Drawing units are CSS pixels at the drawing's own width: the wide table is meant for 900 pixels and more, the narrow
one for 340 to 700. The narrow table is as high as its fullest cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from brinkmanship.draw.box import Box
from brinkmanship.draw.thirteen_minutes.position import SPHERES, Battleground, Position
from brinkmanship.games.thirteen_minutes.data import COLOURS, CUBA_ID
from brinkmanship.games.thirteen_minutes.state import N_AREAS

Name = Literal["wide", "narrow"]

BANDS = (CUBA_ID, *COLOURS)
MOST_OF_A_COLOUR = 5
"""Cards of the colour that has most of them (K2): so many may lie side by side."""
TALLY = 19.0
"""Height of the line above the cards of a cell."""


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the table."""

    name: Name
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
    """The same of Cuba."""

    @property
    def wide(self) -> bool:
        """Whether this is the table for screens."""
        return self.name == "wide"

    def cell(self, area: int, band: str) -> Box:
        """Where an area and a band meet."""
        box, (top, high) = self.areas[area], self.bands[band]
        return Box(box.x, top, box.w, high)

    def slot(self, area: int, band: str, number: int) -> Box:
        """The place of a card in its row, counted from 0."""
        cell = self.cell(area, band)
        if band == CUBA_ID:
            wide, high = self.cuba
            return Box(cell.x + (cell.w - wide) / 2, cell.y + 2, wide, high)
        wide, high = self.card
        top = cell.y + TALLY
        if not self.wide:
            return Box(cell.x + (cell.w - wide) / 2, top + number * (high + 4), wide, high)
        step = (cell.w - 2 * _EDGE + _GAP) / MOST_OF_A_COLOUR
        seat = {0: number, 1: MOST_OF_A_COLOUR - 1 - number}.get(SPHERES.get(area, -1), _FROM_MIDDLE[number])
        return Box(cell.x + _EDGE + seat * step, top, wide, high)

    def place(self, position: Position, ground: Battleground) -> Box:
        """Where a battleground lies."""
        row = row_of(position, ground.area, band_of(ground))
        return self.slot(ground.area, band_of(ground), row.index(ground))


_EDGE, _GAP = 6.0, 4.0
_FROM_MIDDLE = (2, 1, 3, 0, 4)
"""The seats of a row of the neutral area, which fills from its middle."""


def band_of(ground: Battleground) -> str:
    """The band a battleground lies in. Cuba keeps its own when it is turned up."""
    return CUBA_ID if ground.is_cuba or ground.colour is None else ground.colour


def row_of(position: Position, area: int, band: str) -> list[Battleground]:
    """The battlegrounds of a cell, in their order."""
    return [ground for ground in position.lying(area) if band_of(ground) == band]


def layout_of(name: Name, position: Position) -> Layout:
    """The layout of that name; the narrow one makes room for the cards of this position."""
    if name == "wide":
        return _wide()
    return _narrow({band: max(len(row_of(position, area, band)) for area in range(N_AREAS)) for band in COLOURS})


def _wide() -> Layout:
    left, wide, gap = 16.0, 1248.0, 8.0
    column = (wide - 2 * gap) / N_AREAS
    card = ((column - 2 * _EDGE + _GAP) / MOST_OF_A_COLOUR - _GAP, 104.0)
    top = 158.0
    bands, y = {}, top + 30
    for band in BANDS:
        high = 68.0 if band == CUBA_ID else TALLY + card[1] + 5
        bands[band] = (y, high)
        y += high
    return Layout(
        name="wide",
        width=1280,
        height=y + 12,
        clock=Box(428, 8, 424, 142),
        desks=(Box(left, 8, 404, 142), Box(860, 8, 404, 142)),
        areas=tuple(Box(left + number * (column + gap), top, column, y + 4 - top) for number in range(N_AREAS)),
        bands=bands,
        card=card,
        cuba=(236, 62),
    )


def _narrow(most: dict[str, int]) -> Layout:
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
    )
