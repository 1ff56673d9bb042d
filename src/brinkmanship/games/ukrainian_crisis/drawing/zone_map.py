"""The map in newspaper style: zones hatched by their ethnic colour, airfields, ports, counters.

Each zone is drawn twice: its ground first, then, above all grounds, its name and counters. Both carry the same
``data-place``; the screen-reader text belongs to the second.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from brinkmanship.drawing import icons as drawing_icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, num, path, rect
from brinkmanship.games.ukrainian_crisis.drawing.atlas import CRISIS, POINTS, at, outline, place, room, scales, seat_of
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import LEAST, Layout
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition
from brinkmanship.games.ukrainian_crisis.drawing.units import named, standing
from brinkmanship.games.ukrainian_crisis.rules.data import Zone


def zone_map(labels: Labels, position: DrawnPosition, layout: Layout, ids: str, can: Collection[str]) -> Markup:
    """Draw the whole map."""
    box = layout.zone_map
    zones = list(enumerate(labels.data.zone))
    lit = sorted(zones, key=lambda zone: zone[1].id in can)  # outlines of selectable zones lie above the others
    return group(
        clip(box, ids),
        group(
            rect(box.x, box.y, box.w, box.h, "sea"),
            _shape("land", box, "land"),
            _shape("beyond", box, "zone", "beyond"),
            [_ground(position, zone, number, box, ids, zone.id in can) for number, zone in lit],
            clip_path=f"url(#{ids}chart)",
        ),
        [_things(labels, position, zone, number, layout, zone.id in can) for number, zone in zones],
        rect(box.x, box.y, box.w, box.h, "frame"),
        css="chart",
    )


def clip(box: Box, ids: str) -> Markup:
    """Return the path that clips the outlines to the frame."""
    return el("defs", el("clipPath", rect(box.x, box.y, box.w, box.h, ""), id=f"{ids}chart"))


@cache
def patterns(ids: str) -> Markup:
    """Return the hatching by ethnic colour: red rises, yellow is dotted, orange is both; Union is closely ruled."""
    ground = {colour: rect(0, 0, 9, 9, f"ethnic-{colour}") for colour in ("red", "yellow", "orange")}
    rising, dots = path("M-2 2l4-4M0 9l9-9M7 11l4-4", "ethnic red"), _dots()
    kinds = {"red": (rising,), "yellow": (dots,), "orange": (rising, dots)}
    union = (rect(0, 0, 6, 6, "ethnic-red"), path("M0 1.5h6M0 4.5h6", "ethnic red"))
    return el(
        "defs",
        [
            el("pattern", ground[c], kinds[c], id=f"{ids}ethnic-{c}", width=9, height=9, patternUnits="userSpaceOnUse")
            for c in kinds
        ],
        el("pattern", union, id=f"{ids}ethnic-union", width=6, height=6, patternUnits="userSpaceOnUse"),
    )


def _dots() -> Markup:
    return join(el("circle", cx=x, cy=y, r=0.9, class_="ethnic yellow") for x, y in ((2.2, 2.2), (6.7, 6.7)))


def _shape(zone: str, box: Box, css: str, more: str = "") -> Markup:
    return el(
        "path",
        d=outline(zone),
        transform=_to(box),
        class_=f"{css} {more}".strip(),
        vector_effect="non-scaling-stroke",
    )


def _to(box: Box) -> str:
    across, down = (scale / CRISIS.grain for scale in scales(box))
    return f"translate({num(box.x)} {num(box.y)}) scale({across:.4g} {down:.4g})"


def fill_of(position: DrawnPosition, zone: Zone, number: int) -> str:
    """Return the pattern of a zone's ground; empty if it has none."""
    if position.union >> number & 1:
        return "ethnic-union"
    return f"ethnic-{zone.colour}" if zone.colour != "none" else ""


def _ground(position: DrawnPosition, zone: Zone, number: int, box: Box, ids: str, can: bool) -> Markup:
    fill, drawn = fill_of(position, zone, number), outline(zone.id)
    if not drawn:
        return NOTHING
    inside = seat_of(zone.id, number).aside  # a city in the zone around it, on the same ground
    home = {"RU": "foreign us-ru", "neutral": "foreign", "closed": "foreign shut"}.get(zone.home, "")
    shape = el(
        "path",
        d=drawn,
        transform=_to(box),
        class_=" ".join(["zone", *([home] if home and not fill else []), *(["enclave"] if inside else [])]),
        vector_effect="non-scaling-stroke",
    )
    hatched = el("path", d=drawn, transform=_to(box), fill=f"url(#{ids}{fill})") if fill else NOTHING
    css = "zone-ground can" if can else "zone-ground"
    return group(hatched, shape, css=css, data_place=zone.id, aria_hidden="true")


def _things(labels: Labels, position: DrawnPosition, zone: Zone, number: int, layout: Layout, can: bool) -> Markup:
    box, seat = layout.zone_map, seat_of(zone.id, number)
    x, y = place(zone.id, number, box)
    wide, high = room(zone.id, number, box)
    stacks = position.stacks.get(number, ())
    told = labels.tell_zone(position, number)
    if layout.wide:
        drawn = _wide_name(labels, position, zone, number, x, y, wide)
    else:
        drawn = _narrow_name(position, zone, number, x, y)
    units = standing(stacks, x, y, (wide, high), wide=layout.wide)
    target = rect(x - wide / 2 - 3, y - 13, wide + 6, high + 20, "glass" if seat.aside else "reach", 3)
    if seat.aside:
        target = join(_leader(zone.id, x, y, box), target)
    return group(
        el("title", "\n".join(told)),
        target,
        drawn,
        units,
        css="zone-things can" if can else "zone-things",
        id=f"zone-{zone.id}",
        data_place=zone.id,
        data_units=named(stacks),
        data_tell="\n".join(told),
        role="button",
        tabindex=0 if can or stacks else None,
        aria_label=". ".join(told),
    )


def _leader(zone: str, x: float, y: float, box: Box) -> Markup:
    if zone not in POINTS:
        return NOTHING
    px, py = at(*POINTS[zone], box)
    return join(line(px, py, x, y - 4, "thin"), el("circle", cx=px, cy=py, r=2.4, class_="inkfill"))


def _wide_name(
    labels: Labels, position: DrawnPosition, zone: Zone, number: int, x: float, y: float, room: float
) -> Markup:
    name, size = labels.zone(zone), LEAST
    limit = max(room + 14, 78)
    wide = min(width(name, size, "b"), limit)
    icons, left = [], x + wide / 2 + 5
    for has, draw in ((zone.airfield, airfield), (zone.port, port)):
        if has:
            icons.append(draw(left, y - 9, 9))
            left += 11
    shield = worth(position, zone, number, x - wide / 2 - 11, y - 4.5, 8.7) if zone.vp else NOTHING
    return join(shield, text(x, y, name, size, "b halo", "middle", room=limit), icons)


def _narrow_name(position: DrawnPosition, zone: Zone, number: int, x: float, y: float) -> Markup:
    shield = worth(position, zone, number, x - 16, y - 3.6, 5.6) if zone.vp else NOTHING
    return join(shield, text(x + 1, y, zone.id, 10, "b halo", "middle", smallest=10))


def worth(position: DrawnPosition, zone: Zone, number: int, x: float, y: float, r: float) -> Markup:
    """Draw Victory Points in the shape and colour of the zone's controller: round if there is none."""
    side = 1 if position.union >> number & 1 else position.controller(number)
    size = r * 1.9
    round_ = el("circle", cx=x, cy=y, r=r, class_="worth")
    shape = round_ if side is None else path(drawing_icons.cube_path(side, x, y, size), f"c {SIDE_CSS[side]}")
    css = "b" if side is None else "b white"
    return join(shape, text(x, y + r * 0.52, str(zone.vp), r * 1.5, css, "middle"))


def airfield(x: float, y: float, size: float) -> Markup:
    """Draw the sign of an airfield."""
    return path(f"M{num(x + size / 2)} {num(y)}l{num(size / 2)} {num(size)}h-{num(size)}z", "inkfill")


def port(x: float, y: float, size: float) -> Markup:
    """Draw the sign of a port."""
    scale = num(size / 10)
    shape = "M5 3v7M2.6 4.8h4.8M.8 6.6q.6 3.4 4.2 3.4q3.6 0 4.2-3.4"
    ring = el("circle", cx=5, cy=1.7, r=1.3, class_="port")
    return group(ring, path(shape, "port"), transform=f"translate({num(x)} {num(y)}) scale({scale})")


def legend(labels: Labels, layout: Layout, ids: str) -> Markup:
    """Draw the legend of the hatchings and signs; on the wide table each zone's tooltip explains the hatchings."""
    box = layout.legend
    rows = [_Entry(f"ethnic-{colour}", f"crisis.colour.{colour}") for colour in ("red", "yellow", "orange")]
    columns, first, step, size = 1, 16.0, 17.5, LEAST
    if not layout.wide:
        rows += [_Entry(sign, f"crisis.{sign}") for sign in ("airfield", "port", "vp_sign")]
        columns, first, step, size = 2, 24.0, 26.0, 12.0
    per = len(rows) // columns
    drawn = []
    for number, entry in enumerate(rows):
        column, row = divmod(number, per)
        wide = box.w / columns
        x, y = box.x + 8 + column * wide, box.y + first + row * step
        drawn.append(join(_sign(entry.sign, x, y, ids), text(x + 24, y, labels.say(entry.key), size, room=wide - 36)))
    return group(rect(box.x, box.y, box.w, box.h, "panel"), drawn, css="legend")


class _Entry(NamedTuple):
    sign: str
    key: str


def _sign(sign: str, x: float, y: float, ids: str) -> Markup:
    if sign == "airfield":
        return airfield(x + 4, y - 10, 10)
    if sign == "port":
        return port(x + 4, y - 10, 10)
    if sign == "vp_sign":
        return el("circle", cx=x + 9, cy=y - 4, r=6.5, class_="worth")
    return rect(x, y - 10, 18, 12, "swatch", fill=f"url(#{ids}{sign})")
