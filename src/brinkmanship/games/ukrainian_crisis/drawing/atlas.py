"""The map of 2014: outlines of the zones, and the positions of their names and counters.

``tools/oblasts.py`` made the outlines (Natural Earth, public domain).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.geography import Window

CRISIS = Window(lon=33.9, lat=48.45, left=-0.0833, top=-0.0730, width=788, height=690, scale=4727)
"""The section of the map: from the Dniester to the Don, from the Pripyat to Crimea."""


class Seat(NamedTuple):
    """Position of a zone's labels, in degrees: the middle of its name, and the room for its counters below it."""

    lon: float
    lat: float
    room: tuple[float, float]
    """Width and height for the counters, in units of the map itself."""
    aside: bool = False
    """True if the zone is too small and its things are drawn beside it, on a line that leads to it."""


SEATS = {
    "KYC": Seat(31.5, 51.08, (100, 34), aside=True),
    "KYO": Seat(30.3, 50.14, (110, 34)),
    "ZHY": Seat(28.45, 50.95, (94, 68)),
    "VIN": Seat(28.6, 49.45, (94, 68)),
    "CHN": Seat(32.05, 51.98, (100, 56)),
    "SUM": Seat(34.15, 51.5, (84, 68)),
    "POL": Seat(33.75, 50.1, (110, 68)),
    "CHK": Seat(31.5, 49.42, (110, 34)),
    "KIR": Seat(31.8, 48.72, (150, 34)),
    "ODE": Seat(30.05, 47.3, (76, 60)),
    "MYK": Seat(32.0, 47.8, (92, 68)),
    "KHE": Seat(33.5, 47.0, (100, 40)),
    "CRI": Seat(34.2, 45.62, (104, 44)),
    "SEV": Seat(31.85, 45.22, (100, 34), aside=True),
    "DNI": Seat(34.85, 48.8, (150, 68)),
    "ZAP": Seat(35.7, 47.57, (104, 66)),
    "KHA": Seat(36.45, 50.05, (108, 68)),
    "DON": Seat(37.75, 48.7, (100, 102)),
    "LUH": Seat(39.0, 49.35, (94, 102)),
    "RUS": Seat(38.95, 50.92, (196, 68)),
    "BLR": Seat(29.1, 52.22, (120, 68)),
    "MDA": Seat(28.25, 47.85, (60, 56)),
    "ROU": Seat(27.72, 46.62, (92, 66)),
}

POINTS = {"KYC": (30.52, 50.42), "SEV": (33.62, 44.62)}
"""The places to which the lines of things drawn beside a zone lead."""


@cache
def outline(zone: str) -> str:
    """Return the path of a zone in units of 1 / `CRISIS.grain`, "" if unknown; "land" and "beyond" are not zones."""
    return _outlines().get(zone, "")


@cache
def seat_of(zone: str, number: int) -> Seat:
    """Return the seat of a zone; zones found only in a custom scenario get a row in the Black Sea."""
    if zone in SEATS:
        return SEATS[zone]
    return Seat(29.6 + number % 3 * 1.3, 44.75 - number // 3 % 2 * 0.5, (70, 30))


def place(zone: str, number: int, box: Box) -> tuple[float, float]:
    """Return the point of a zone's name on the map in a box."""
    seat = seat_of(zone, number)
    return at(seat.lon, seat.lat, box)


def scales(box: Box) -> tuple[float, float]:
    """Return the horizontal and vertical scale of the map in a box."""
    return box.w / CRISIS.width, box.h / CRISIS.height


def room(zone: str, number: int, box: Box) -> tuple[float, float]:
    """Return width and height for the counters of a zone on the map in a box."""
    (wide, high), (across, down) = seat_of(zone, number).room, scales(box)
    return wide * across, high * down


def at(lon: float, lat: float, box: Box) -> tuple[float, float]:
    """Return the point of a place on the map in a box."""
    x, y = CRISIS.project(lon, lat)
    across, down = scales(box)
    return box.x + x * across, box.y + y * down


@cache
def _outlines() -> dict[str, str]:
    data: dict[str, str] = json.loads((files(__package__) / "outlines.json").read_text("utf-8"))
    return data
