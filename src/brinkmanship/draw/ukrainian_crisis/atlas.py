"""The map of 2014: outlines of the zones that ``tools/oblasts.py`` made (Natural Earth, public domain), and where in
each zone its name and its counters stand."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from brinkmanship.draw.box import Box
from brinkmanship.draw.geography import Window

CRISIS = Window(lon=33.9, lat=48.45, left=-0.0833, top=-0.0730, width=788, height=690, scale=4727)
"""From the Dniester to the Don, from the Pripyat to Crimea."""


class Seat(NamedTuple):
    """Where a zone's things stand, in degrees: the middle of its name, and the room for its counters below that."""

    lon: float
    lat: float
    room: tuple[float, float]
    """Width and height for the counters, in units of the wide map."""
    aside: bool = False
    """Whether the zone is too small and its things stand beside it, on a line that leads to it."""


SEATS = {
    "KYC": Seat(31.55, 50.98, (62, 30), aside=True),
    "KYO": Seat(30.2, 50.02, (84, 40)),
    "ZHY": Seat(28.35, 50.9, (88, 66)),
    "VIN": Seat(28.75, 49.35, (92, 56)),
    "CHN": Seat(32.25, 51.95, (92, 56)),
    "SUM": Seat(34.15, 51.5, (72, 60)),
    "POL": Seat(33.85, 49.98, (100, 56)),
    "CHK": Seat(31.4, 49.38, (84, 34)),
    "KIR": Seat(31.9, 48.72, (120, 34)),
    "ODE": Seat(30.05, 47.7, (72, 60)),
    "MYK": Seat(31.95, 47.78, (78, 56)),
    "KHE": Seat(33.5, 47.02, (100, 40)),
    "CRI": Seat(34.2, 45.6, (108, 44)),
    "SEV": Seat(32.0, 44.95, (84, 34), aside=True),
    "DNI": Seat(34.9, 48.75, (116, 42)),
    "ZAP": Seat(35.7, 47.6, (84, 56)),
    "KHA": Seat(36.5, 50.0, (104, 56)),
    "DON": Seat(37.75, 48.55, (76, 74)),
    "LUH": Seat(38.98, 49.25, (78, 60)),
    "RUS": Seat(39.35, 51.35, (130, 92)),
    "BLR": Seat(29.3, 52.2, (120, 34)),
    "MDA": Seat(28.35, 47.75, (60, 56)),
    "ROU": Seat(27.6, 46.4, (64, 48)),
}

POINTS = {"KYC": (30.52, 50.42), "SEV": (33.62, 44.62)}
"""The places that lines of things aside lead to."""


@cache
def outline(zone: str) -> str:
    """The path of a zone in units of 1 / `CRISIS.grain`; "land" and "beyond" for what is no zone. Empty if unknown."""
    return _outlines().get(zone, "")


@cache
def seat_of(zone: str, number: int) -> Seat:
    """The seat of a zone; zones that only a designer's scenario has stand in a row in the Black Sea."""
    if zone in SEATS:
        return SEATS[zone]
    return Seat(29.6 + number % 3 * 1.3, 44.75 - number // 3 % 2 * 0.5, (70, 30))


def place(zone: str, number: int, box: Box) -> tuple[float, float]:
    """Where on the map in a box the name of a zone stands."""
    seat = seat_of(zone, number)
    return at(seat.lon, seat.lat, box)


def at(lon: float, lat: float, box: Box) -> tuple[float, float]:
    """Where a place lies on the map in a box."""
    x, y = CRISIS.project(lon, lat)
    scale = box.w / CRISIS.width
    return box.x + x * scale, box.y + y * scale


@cache
def _outlines() -> dict[str, str]:
    data: dict[str, str] = json.loads((files(__package__) / "outlines.json").read_text("utf-8"))
    return data
