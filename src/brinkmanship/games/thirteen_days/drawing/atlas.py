"""The map of the Atlantic with six battlegrounds, and the connections between those that score together."""

from __future__ import annotations

from itertools import combinations

from brinkmanship.drawing.box import Box
from brinkmanship.drawing.geography import ATLANTIC, layer
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, num, path, rect
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition

TRUE_PLACES = {
    "cuba_political": (-79.5, 21.9),
    "cuba_military": (-79.5, 21.9),
    "berlin": (13.4, 52.5),
    "italy": (13.5, 42.2),
    "turkey": (32.9, 39.9),
}
"""Longitude and latitude; the Atlantic itself is at its box."""

_LEAVES = {"cuba_political": (0.0, 0.8), "cuba_military": (0.0, 0.4), "berlin": (0.0, 0.6), "italy": (1.0, 0.15),
           "turkey": (0.72, 0.0)}  # fmt: skip
"""Start of the line from a box of the wide table to its true place, as fractions of the box's width and height."""


def atlas(labels: Labels, position: DrawnPosition, layout: Layout, coast: str = "") -> Markup:
    """Draw the map under the battlegrounds. `coast`: the address of `coast_file`, to omit the outlines here."""
    box = layout.atlas
    return group(
        el(
            "svg",
            rect(0, 0, box.w, box.h, "sea"),
            _outlines(layout, coast),
            x=box.x,
            y=box.y,
            width=box.w,
            height=box.h,
            viewBox=f"0 0 {num(box.w)} {num(box.h)}",
            aria_hidden="true",
        ),
        rect(box.x, box.y, box.w, box.h + layout.opinion.h, "frame"),
        _leaders(layout) if layout.wide else NOTHING,
        _ties(labels, position, layout),
    )


def coast_file() -> str:
    """Return the outlines as a separate file, for pages that send the board often: ``coast="/static/coast.svg"``."""
    return el(
        "svg",
        group(layer("atlantic", "lines", "lines"), layer("atlantic", "land", "land"), id="coast"),
        xmlns="http://www.w3.org/2000/svg",
    )


def _outlines(layout: Layout, coast: str) -> Markup:
    scale, dx, dy = _placed(layout)
    if coast:
        move = f"translate({num(dx)} {num(dy)}) scale({scale:.3g})"
        return el("use", href=f"{coast}#coast", transform=move)
    return join(
        layer("atlantic", "lines", "lines", scale=scale, dx=dx, dy=dy),
        layer("atlantic", "land", "land", scale=scale, dx=dx, dy=dy),
    )


def _placed(layout: Layout) -> tuple[float, float, float]:
    """Return the scale and offset of the map that fit the places of the game into the atlas."""
    if layout.wide:
        return layout.atlas.w / ATLANTIC.width, 0.0, -74.0
    return layout.atlas.h / ATLANTIC.height, -175.0, 0.0


def _leaders(layout: Layout) -> Markup:
    """Draw a line from each box to its true place."""
    parts, dots = [], {}
    scale, dx, dy = _placed(layout)
    for place, (lon, lat) in TRUE_PLACES.items():
        box, (part_x, part_y) = layout.places[place], _LEAVES[place]
        x, y = ATLANTIC.project(lon, lat)
        x, y = x * scale + dx + layout.atlas.x, y * scale + dy + layout.atlas.y
        parts.append(line(box.x + part_x * box.w, box.y + part_y * box.h, x, y, "thin"))
        dots[lon, lat] = el("circle", cx=x, cy=y, r=4, class_="inkfill")
    return join(parts, list(dots.values()))


def _ties(labels: Labels, position: DrawnPosition, layout: Layout) -> Markup:
    """Draw a connection between battlegrounds that score together, in the colour of a side that leads on both."""
    drawn = []
    for one, other, bonus in connections(labels):
        if one not in layout.places or other not in layout.places:
            continue
        side = position.leader(one)
        shared = side if side is not None and side == position.leader(other) else None
        css = f" {SIDE_CSS[shared]}" if shared is not None else ""
        route, (x, y) = _route(layout.places[one], layout.places[other])
        words = labels.words.signed(bonus)
        title = labels.say("tie_bonus", bonus=words, one=labels.place(one), other=labels.place(other))
        drawn.append(
            group(
                path(route, f"tie{css}"),
                el("circle", cx=x, cy=y, r=10, class_=f"knot{css}"),
                text(x, y + 4.5, words, max(11.5, layout.least), "b white" if css else "b", "middle"),
                css="tied",
                role="img",
                data_tell=title,
                aria_label=title,
            )
        )
    return join(drawn)


def connections(labels: Labels) -> list[tuple[str, str, int]]:
    """Return pairs of battlegrounds where leading on both adds to an agenda, with the bonus."""
    found: dict[frozenset[str], int] = {}
    for agenda in labels.data.agenda:
        for other in agenda.connected:
            if agenda.battleground:
                found[frozenset((agenda.battleground, other))] = 1
    order = [battleground.id for battleground in labels.data.battleground]
    return [(a, b, found[frozenset((a, b))]) for a, b in combinations(order, 2) if frozenset((a, b)) in found]


def _route(one: Box, other: Box) -> tuple[str, tuple[float, float]]:
    """Return a line from box to box, and its middle."""
    if one.x == other.x:
        upper, lower = sorted((one, other), key=lambda box: box.y)
        gap = lower.y - upper.bottom
        if gap < upper.h:
            x, y1, y2 = upper.x + upper.w * (0.8 if gap > 30 else 0.22), upper.bottom, lower.y
            return f"M{num(x)} {num(y1)}V{num(y2)}", (x, (y1 + y2) / 2)
        x, y1, y2 = upper.x, upper.y + upper.h / 2, lower.y + lower.h / 2
        return f"M{num(x)} {num(y1)}h-9V{num(y2)}h9", (x - 9, (y1 + y2) / 2)
    left, right = sorted((one, other), key=lambda box: box.x)
    down = right.y > left.y
    x1, y1 = left.right, left.y + left.h * (0.7 if down else 0.3)
    x2, y2 = right.x, right.y + right.h * (0.35 if down else 0.65)
    return f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}", ((x1 + x2) / 2, (y1 + y2) / 2)
