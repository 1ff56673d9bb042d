"""Where things stand: a wide table for screens and pictures, a narrow one for phones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from brinkmanship.draw.box import Box
from brinkmanship.draw.ukrainian_crisis.atlas import CRISIS

Name = Literal["wide", "narrow"]


@dataclass(frozen=True)
class Layout:
    """Rectangles of the parts of the table, in drawing units: CSS pixels at the drawing's own width."""

    name: Name
    width: float
    height: float
    general: Box
    """The Turns and both Prestiges."""
    chart: Box
    desks: tuple[Box, Box]
    relations: Box
    matrix: Box
    dice: Box
    legend: Box

    @property
    def wide(self) -> bool:
        """Whether this is the table for screens."""
        return self.name == "wide"


def _map(x: float, y: float, wide: float) -> Box:
    return Box(x, y, wide, wide * CRISIS.height / CRISIS.width)


LAYOUTS: dict[Name, Layout] = {
    "wide": Layout(
        name="wide",
        width=1280,
        height=774,
        general=Box(8, 8, 1264, 62),
        chart=_map(246, 76, 788),
        desks=(Box(8, 76, 232, 352), Box(1040, 76, 232, 352)),
        relations=Box(8, 434, 232, 190),
        matrix=Box(1040, 434, 232, 190),
        dice=Box(1040, 630, 232, 136),
        legend=Box(8, 630, 232, 136),
    ),
    "narrow": Layout(
        name="narrow",
        width=360,
        height=1138,
        general=Box(4, 4, 352, 84),
        chart=_map(4, 92, 352),
        desks=(Box(4, 406, 174, 296), Box(182, 406, 174, 296)),
        relations=Box(4, 706, 352, 116),
        matrix=Box(4, 826, 352, 118),
        dice=Box(4, 948, 352, 86),
        legend=Box(4, 1038, 352, 96),
    ),
}
