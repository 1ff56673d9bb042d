"""Preview of an action as a layer of ghosts over the board: the difference of two positions."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import Markup, group, num, path, rect
from brinkmanship.games.thirteen_days.drawing.battleground import cube_point
from brinkmanship.games.thirteen_days.drawing.danger import danger
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_days.drawing.prestige import knot_point
from brinkmanship.games.thirteen_days.drawing.thermometers import bar_of, dangers, marker_point, room_of_dangers


def ghosts(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout) -> Markup:
    """Draw cubes that would come (dashed) and go (struck through), moved markers and the knot, and the new dangers."""
    return group(
        [_cubes(labels, before, after, layout, place) for place in before.cubes],
        [_markers(labels, before, after, layout, track) for track in before.markers],
        _dangers(labels, before, after, layout),
        _prestige(labels, before, after, layout),
        css="ghosts",
        aria_hidden="true",
    )


def _cubes(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout, place: str) -> list[Markup]:
    def points(side: int, first: int, last: int) -> list[tuple[float, float]]:
        return [cube_point(labels, layout, place, side, number) for number in range(first, last + 1)]

    found: list[Markup] = []
    for side in range(2):
        had, has = before.cubes[place][side], after.cubes[place][side]
        found.extend(icons.cube(side, *point, layout.cube, "g") for point in points(side, had + 1, has))
        found.extend(icons.crossed(*point, layout.cube) for point in points(side, has + 1, had))
    return found


def _markers(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout, track: str) -> list[Markup]:
    found = []
    bar = bar_of(layout, track)
    size = min(17.0, bar.h / labels.data.limits.defcon_max * 0.74)
    for side in range(2):
        was, will = before.markers[track][side], after.markers[track][side]
        if was == will:
            continue
        x, y1 = marker_point(labels, layout, track, side, was)
        _, y2 = marker_point(labels, layout, track, side, will)
        at = x + (-size if side == 0 else size) * 0.95
        tip = 4 if y2 > y1 else -4
        found.append(icons.cube(side, x, y2, size, "g"))
        found.append(path(f"M{num(at)} {num(y1)}V{num(y2)}", "way"))
        found.append(path(f"M{num(at - 3.5)} {num(y2 - tip)}l3.5 {tip}l3.5 {-tip}", "gone"))
    return found


def _dangers(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout) -> Markup | None:
    """Draw the dangers as they would be, over the present ones."""
    if all(danger(labels, before, side) == danger(labels, after, side) for side in range(2)):
        return None
    room = room_of_dangers(layout)
    return group(rect(room.x, room.y, room.w, room.h, "scale"), dangers(labels, after, layout))


def _prestige(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout) -> Markup | None:
    if before.prestige == after.prestige:
        return None
    x, y = knot_point(labels, layout, after.prestige)
    side = 0 if (after.prestige or after.prestige - before.prestige) > 0 else 1
    return icons.cube(side, x, y, 15, "g")
