"""Layouts of the table: a wide one for screens and pictures, a narrow one for phones.

Drawing units are CSS pixels at the drawing's own width. The wide table is as broad for its height as the room above
the question on a small wide screen, where a unit is 0.98 pixels; `LEAST` units are 12.5 pixels there. Its map is
stretched from west to east, like a map that is true to scale in the south, so that the names of the zones fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.layout import LayoutName
from brinkmanship.games.ukrainian_crisis.drawing.atlas import CRISIS

LEAST = 13.0
"""Size of the smallest text of the wide table."""


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the table, in drawing units: CSS pixels at the drawing's own width."""

    name: LayoutName
    width: float
    height: float
    general: Box
    """The Turns and the Prestige of both sides."""
    zone_map: Box
    desks: tuple[Box, Box]
    relations: Box
    matrix: Box
    dice: Box
    legend: Box
    key: Box
    """The types of unit with their Combat Values."""

    @property
    def wide(self) -> bool:
        """True for the wide table."""
        return self.name == "wide"


def _map(x: float, y: float, wide: float) -> Box:
    return Box(x, y, wide, wide * CRISIS.height / CRISIS.width)


LAYOUTS: dict[LayoutName, Layout] = {
    "wide": Layout(
        name="wide",
        width=960,
        height=421,
        general=Box(552, 11, 192, 59),
        zone_map=Box(212, 6, 536, 409),
        desks=(Box(6, 6, 200, 262), Box(754, 6, 200, 262)),
        relations=Box(6, 273, 200, 142),
        matrix=Box(754, 273, 200, 98),
        dice=Box(754, 376, 200, 39),
        legend=Box(218, 352, 116, 57),
        key=Box(566, 311, 176, 98),
    ),
    "narrow": Layout(
        name="narrow",
        width=360,
        height=1256,
        general=Box(4, 4, 352, 84),
        zone_map=_map(4, 92, 352),
        desks=(Box(4, 406, 174, 296), Box(182, 406, 174, 296)),
        relations=Box(4, 706, 352, 116),
        matrix=Box(4, 826, 352, 118),
        dice=Box(4, 948, 352, 86),
        legend=Box(4, 1038, 352, 96),
        key=Box(4, 1138, 352, 114),
    ),
}
