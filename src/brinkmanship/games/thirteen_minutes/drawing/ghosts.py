"""Ghosts of the changes an action would make, drawn over the table from the difference of two positions."""

from __future__ import annotations

from math import hypot

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.svg import Markup, group, join, num, path, rect
from brinkmanship.games.thirteen_minutes.drawing.areas import heading
from brinkmanship.games.thirteen_minutes.drawing.battleground import cube_point, cube_size, cubes, face
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels
from brinkmanship.games.thirteen_minutes.drawing.layout import Layout, band_of, row_of
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, Battleground, DrawnPosition
from brinkmanship.games.thirteen_minutes.rules.data import CUBA_ID


def ghosts(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout) -> Markup:
    """Draw cubes that would come (dashed) and go (struck through), and where battlegrounds would lie."""
    found: list[Markup | list[Markup]] = []
    for ground in after.grounds:
        was = before.ground(ground.id)
        if was is None:
            found.append(_ghost_card(labels, ground, _free_slot(before, ground, layout), layout))
        else:
            found.append(_cubes(before, was, ground, layout))
            if was.area != ground.area:
                if ground.is_cuba and layout.wide:
                    found.append(_made_room(labels, after, ground.area, layout))
                found.append(_moved(labels, before, was, ground, layout))
    return group(found, css="ghosts", aria_hidden="true")


def _free_slot(before: DrawnPosition, ground: Battleground, layout: Layout) -> Box:
    """Return the slot at the end of the row that a battleground would join."""
    band = band_of(ground)
    return layout.slot(ground.area, band, len(row_of(before, ground.area, band)))


def _ghost_card(labels: Labels, ground: Battleground, box: Box, layout: Layout) -> Markup:
    return group(
        rect(box.x, box.y, box.w, box.h, "panel ghost-card", 3),
        face(labels, ground, box, wide=layout.wide),
    )


def _moved(labels: Labels, before: DrawnPosition, was: Battleground, ground: Battleground, layout: Layout) -> Markup:
    start, end = layout.place(before, was), _free_slot(before, ground, layout)
    on_card = cubes(ground, end, wide=layout.wide)
    # The path of Cuba leads above the headings of the areas, that of a card from its middle.
    height = 1.0 if ground.is_cuba and layout.wide else start.h / 2
    return join(_ghost_card(labels, ground, end, layout), _without_ids(on_card), _arrow(start, end, height))


def _made_room(labels: Labels, after: DrawnPosition, area: int, layout: Layout) -> Markup:
    """Draw the heading of an area as it is with Cuba beside it, over the existing one below the ghost."""
    cell, side = layout.cell(area, CUBA_ID), SPHERES.get(area)
    css = f"wash {SIDE_CSS[side]}" if side is not None else "sunk"
    return join(rect(cell.x + 1, cell.y + 2, cell.w - 2, cell.h - 2, css), heading(labels, after, area, layout))


def _without_ids(drawn: Markup) -> Markup:
    return Markup(drawn.replace(' id="', ' data-ghost="'))


def _arrow(start: Box, end: Box, height: float) -> Markup:
    """Draw an arrow from the edge of one box to the edge of another, at a given height."""
    toward = 1 if end.x > start.x else -1
    x1, y1 = (start.right if toward > 0 else start.x), start.y + height
    x2, y2 = (end.x if toward > 0 else end.right) - toward * 2, end.y + height
    length = hypot(x2 - x1, y2 - y1) or 1
    dx, dy = (x2 - x1) / length * 6, (y2 - y1) / length * 6
    head = f"M{num(x2 - dx - dy * 0.7)} {num(y2 - dy + dx * 0.7)}L{num(x2)} {num(y2)}"
    head += f"L{num(x2 - dx + dy * 0.7)} {num(y2 - dy - dx * 0.7)}"
    return join(path(f"M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}", "way"), path(head, "gone"))


def _cubes(before: DrawnPosition, was: Battleground, will: Battleground, layout: Layout) -> list[Markup]:
    box, found = layout.place(before, was), []
    for side in range(2):
        had, has = was.cubes[side], will.cubes[side]
        size = cube_size(was, box, side, wide=layout.wide, more=max(0, has - had))
        for number in range(min(had, has) + 1, max(had, has) + 1):
            point = cube_point(was, box, side, number, size, wide=layout.wide)
            found.append(icons.cube(side, *point, size, "g") if has > had else icons.crossed(*point, size))
    return found
