"""Generate `drawing/coastlines.json`, the outlines behind the maps, from Natural Earth (public domain).

    npm pack world-atlas && tar xzf world-atlas-*.tgz
    python tools/coastlines.py package/

It reads the TopoJSON files land-50m and countries-50m, projects them into the windows of `drawing.geography`, clips,
simplifies (Visvalingam) and writes relative paths of whole numbers.
"""

from __future__ import annotations

import json
import sys
from heapq import heapify, heappop, heappush
from math import acos, cos, degrees, radians, sin
from pathlib import Path
from typing import Any

from brinkmanship.drawing.geography import ATLANTIC, UKRAINE, Window

TARGET = Path(__file__).parent.parent / "src" / "brinkmanship" / "drawing" / "coastlines.json"
MARGIN = 6.0
"""Drawing units by which outlines extend beyond their window, so that its frame cuts them and no false coast shows."""

Point = tuple[float, float]
Ring = list[Point]


def main() -> None:
    folder = Path(sys.argv[1])
    land = rings(json.loads((folder / "land-50m.json").read_text()), "land")
    countries = json.loads((folder / "countries-50m.json").read_text())
    ukraine = rings(countries, "countries", {"Ukraine"})
    # Natural Earth shows the de facto control of Crimea; the map of 2014 shows the recognised borders.
    crimea = [r for r in rings(countries, "countries", {"Russia"}) if within(r, 32.3, 44.2, 36.8, 46.4)]
    data = {
        "atlantic": {
            "land": paths(land, ATLANTIC, tolerance=1.4, smallest=7.0),
            "lines": graticule(ATLANTIC, range(-100, 61, 20), range(0, 76, 15)),
        },
        "ukraine": {"land": paths(ukraine + crimea, UKRAINE, tolerance=1.5, smallest=3.0)},
    }
    TARGET.write_text(json.dumps(data, indent=1) + "\n")
    print({name: {k: len(v) for k, v in layers.items()} for name, layers in data.items()}, TARGET.stat().st_size)


def rings(topology: dict[str, Any], name: str, only: set[str] | None = None) -> list[Ring]:
    """Return the outer and inner rings of an object of a TopoJSON file, in degrees."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Ring] = []
    for arc in topology["arcs"]:
        x = y = 0
        points: Ring = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * sx + tx, y * sy + ty))
        arcs.append(points)
    found: list[Ring] = []
    for shape in topology["objects"][name]["geometries"]:
        if only and shape.get("properties", {}).get("name") not in only:
            continue
        polygons = shape["arcs"] if shape["type"] == "MultiPolygon" else [shape["arcs"]]
        for polygon in polygons:
            for ring in polygon:
                points = []
                for index in ring:
                    piece = arcs[index] if index >= 0 else arcs[~index][::-1]
                    points.extend(piece[1:] if points else piece)
                found.append(points)
    return found


def within(ring: Ring, west: float, south: float, east: float, north: float) -> bool:
    return all(west <= lon <= east and south <= lat <= north for lon, lat in ring)


def paths(shapes: list[Ring], window: Window, tolerance: float, smallest: float) -> str:
    parts = []
    for shape in shapes:
        if min(distance(window, point) for point in shape) > 75:
            continue
        ring = clip([window.project(*point) for point in shape], window)
        ring = simplify(ring, tolerance)
        if len(ring) >= 3 and abs(area(ring)) >= smallest:
            parts.append(path(ring, window.grain) + "z")
    return "".join(parts)


def graticule(window: Window, lons: range, lats: range) -> str:
    lines = [[window.project(lon, lat) for lat in range(0, 81, 2)] for lon in lons]
    lines += [[window.project(lon, lat) for lon in range(-110, 71, 2)] for lat in lats]
    parts = []
    for line in lines:
        piece: Ring = []
        for x, y in line:
            if -40 < x < window.width + 40 and -40 < y < window.height + 40:
                piece.append((x, y))
        piece = simplify(piece, 1.5, closed=False)
        if len(piece) > 1:
            parts.append(path(piece, window.grain))
    return "".join(parts)


def distance(window: Window, point: Point) -> float:
    lon, lat = radians(point[0] - window.lon), radians(point[1])
    centre = radians(window.lat)
    return degrees(acos(max(-1.0, min(1.0, sin(centre) * sin(lat) + cos(centre) * cos(lat) * cos(lon)))))


def clip(ring: Ring, window: Window) -> Ring:
    """Clip a ring to the window and its margin (Sutherland-Hodgman)."""
    edges = (
        (0, -MARGIN, 1),
        (0, window.width + MARGIN, -1),
        (1, -MARGIN, 1),
        (1, window.height + MARGIN, -1),
    )
    for axis, limit, sign in edges:
        out: Ring = []
        for here, there in zip(ring, ring[1:] + ring[:1], strict=True):
            in_here, in_there = (here[axis] - limit) * sign >= 0, (there[axis] - limit) * sign >= 0
            if in_here:
                out.append(here)
            if in_here != in_there:
                share = (limit - here[axis]) / (there[axis] - here[axis])
                out.append((here[0] + share * (there[0] - here[0]), here[1] + share * (there[1] - here[1])))
        ring = out
    return ring


def simplify(ring: Ring, tolerance: float, *, closed: bool = True) -> Ring:
    """Simplify a ring (Visvalingam): remove points that span the smallest triangles, up to `tolerance` square units."""
    n = len(ring)
    if n < 4:
        return ring
    before, after = [(i - 1) % n for i in range(n)], [(i + 1) % n for i in range(n)]
    alive, version = [True] * n, [0] * n

    def span(i: int) -> float:
        return abs(area([ring[before[i]], ring[i], ring[after[i]]]))

    inner = range(n) if closed else range(1, n - 1)
    heap = [(span(i), i, 0) for i in inner]
    heapify(heap)
    left = n
    while heap and left > 3:
        size, i, seen = heappop(heap)
        if not alive[i] or seen != version[i]:
            continue
        if size > tolerance:
            break
        alive[i] = False
        left -= 1
        a, b = before[i], after[i]
        after[a], before[b] = b, a
        for j in (a, b):
            if closed or 0 < j < n - 1:
                version[j] += 1
                heappush(heap, (max(size, span(j)), j, version[j]))
    return [point for point, keep in zip(ring, alive, strict=True) if keep]


def area(ring: Ring) -> float:
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs) / 2


def path(ring: Ring, grain: int) -> str:
    points = [(round(x * grain), round(y * grain)) for x, y in ring]
    x, y = points[0]
    text = f"M{x} {y}l"
    pieces = []
    for nx, ny in points[1:]:
        if (nx, ny) != (x, y):
            pieces.append(f"{nx - x}{' ' if ny >= y else ''}{ny - y}")
            x, y = nx, ny
    joined = ""
    for piece in pieces:
        joined += piece if not joined or piece.startswith("-") else f" {piece}"
    return text + joined


if __name__ == "__main__":
    main()
