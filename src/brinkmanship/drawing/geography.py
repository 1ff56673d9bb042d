"""Maps: a projection, and the coastlines that ``tools/coastlines.py`` made with it (Natural Earth, public domain).

A `Window` is a rectangle cut out of a projected globe. Its paths are stored in units of 1 / `Window.grain` of a
drawing unit, as whole numbers, so that they stay small; `Coast.at` places them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from math import cos, radians, sin, sqrt
from typing import NamedTuple

from brinkmanship.drawing.svg import Markup, el, num


class Window(NamedTuple):
    """A rectangle of a Lambert azimuthal equal-area map around `lon`, `lat` (degrees)."""

    lon: float
    lat: float
    left: float
    """Left edge of the rectangle, in radii of the globe from the centre; `top` likewise, downwards."""
    top: float
    width: float
    height: float
    """Size in drawing units."""
    scale: float
    """Drawing units per radius of the globe."""
    grain: int = 2

    def project(self, lon: float, lat: float) -> tuple[float, float]:
        """Return the position of a place, in drawing units from the window's top left corner."""
        east, north, centre = radians(lon - self.lon), radians(lat), radians(self.lat)
        stretch = sqrt(2 / (1 + sin(centre) * sin(north) + cos(centre) * cos(north) * cos(east)))
        x = stretch * cos(north) * sin(east)
        y = -stretch * (cos(centre) * sin(north) - sin(centre) * cos(north) * cos(east))
        return (x - self.left) * self.scale, (y - self.top) * self.scale


ATLANTIC = Window(lon=-19, lat=47, left=-1.02, top=-0.50, width=868, height=396, scale=492)
"""The Atlantic world, from the Gulf of Mexico to the Black Sea: the board of 13 Days."""

UKRAINE = Window(lon=31.5, lat=48.5, left=-0.155, top=-0.095, width=240, height=150, scale=775)
"""Ukraine within its borders of 1991."""

WINDOWS = {"atlantic": ATLANTIC, "ukraine": UKRAINE}


@cache
def outline(window: str, layer: str) -> str:
    """Return the path data of a layer of a window: "land", "lines" (meridians and parallels)."""
    data: dict[str, dict[str, str]] = json.loads((files(__package__) / "coastlines.json").read_text("utf-8"))
    return data[window][layer]


def layer(
    window: str, name: str, css: str, *, scale: float = 1.0, dx: float = 0.0, dy: float = 0.0, fill: str | None = None
) -> Markup:
    """Draw one layer of a map as a path, scaled and translated."""
    factor = scale / WINDOWS[window].grain
    move = f"translate({num(dx)} {num(dy)}) " if dx or dy else ""
    return el("path", d=outline(window, name), transform=f"{move}scale({factor:.4g})", class_=css, fill=fill)
