"""The three DEFCON tracks as thermometers: areas by pattern and colour, the US marker left, the USSR's right."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import block, text, width, wrap
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, num, path, rect
from brinkmanship.games.thirteen_days.drawing.battleground import flags_at
from brinkmanship.games.thirteen_days.drawing.danger import danger
from brinkmanship.games.thirteen_days.drawing.deciding import ring, to_war
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout
from brinkmanship.games.thirteen_days.drawing.position import DrawnPosition
from brinkmanship.games.thirteen_days.rules.data import TRACKS


def thermometers(labels: Labels, position: DrawnPosition, layout: Layout, ids: str, can: frozenset[str]) -> Markup:
    """Draw the panel with all three, and the danger as text."""
    box = layout.defcon
    title = "DEFCON"
    note = labels.say("checked")
    taken = width(title, 13, "b sp") + 24
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        text(box.x + 14, box.y + (17 if layout.wide else 21), title, max(13, layout.least), "b sp"),
        text(
            box.right - 12,
            box.y + (17 if layout.wide else 21),
            note,
            max(12, layout.least),
            "mu",
            "end",
            box.w - 26 - taken,
        ),
        _areas(labels, layout),
        [_track(labels, position, track, layout, ids, can=track in can) for track in TRACKS],
        dangers(labels, position, layout),
        css="defcon",
    )


def marker_point(labels: Labels, layout: Layout, track: str, side: int, step: int) -> tuple[float, float]:
    """Return the position of a side's marker on a track."""
    bar = bar_of(layout, track)
    return (bar.x if side == 0 else bar.right), _step_y(labels, bar, step) + _step_height(labels, bar) / 2


def bar_of(layout: Layout, track: str) -> Box:
    """Return the bar of a track's thermometer."""
    box = layout.defcon
    labels_wide = 40 if layout.wide else 32
    column = (box.w - labels_wide - 8) / len(TRACKS)
    wide = 58 if layout.wide else 52
    x = box.x + labels_wide + column * (TRACKS.index(track) + 0.5) - wide / 2
    return Box(x, box.y + layout.bars_from, wide, layout.bars_height)


def _step_height(labels: Labels, bar: Box) -> float:
    return bar.h / labels.data.limits.defcon_max


def _step_y(labels: Labels, bar: Box, step: int) -> float:
    """Return the upper edge of a step."""
    return bar.bottom - step * _step_height(labels, bar)


def _areas(labels: Labels, layout: Layout) -> Markup:
    """Draw the number of each area, large, beside its steps."""
    bar = bar_of(layout, TRACKS[0])
    x = layout.defcon.x + (28 if layout.wide else 22)
    found = []
    for area, steps in labels.data.areas.items():
        middle = (_step_y(labels, bar, max(steps)) + _step_y(labels, bar, min(steps) - 1)) / 2
        found.append(text(x, middle + 8, labels.area(area).split()[-1], 22, "b mu", "middle", room=30))
    return join(found)


def _track(labels: Labels, position: DrawnPosition, track: str, layout: Layout, ids: str, *, can: bool) -> Markup:
    bar = bar_of(layout, track)
    middle = bar.x + bar.w / 2
    high = _step_height(labels, bar)
    column = (layout.defcon.w - 48) / len(TRACKS)
    top = layout.defcon.y + (27 if layout.wide else 24)
    glass = rect(middle - column / 2 + 3, top, column - 6, bar.bottom - top + 4, "glass", 4)
    scale = rect(middle - 9, bar.y, 18, bar.h, "scale")
    numbers = [
        text(middle, _step_y(labels, bar, step) + high / 2 + 4.5, str(step), layout.least, "mu", "middle")
        for step in range(1, labels.data.limits.defcon_max + 1)
    ]
    return group(
        _title(labels, track, layout, middle, column - 8),
        _flags(labels, position, track, middle, bar.y - 3),
        icons.kind(track, middle - 7, bar.y - 19),
        [_area(labels, bar, steps, area, ids) for area, steps in labels.data.areas.items()],
        scale,
        path(
            "".join(
                f"M{num(bar.x)} {num(_step_y(labels, bar, step))}h{num(bar.w)}"
                for step in range(1, labels.data.limits.defcon_max)
            ),
            "gap",
        ),
        rect(bar.x, bar.y, bar.w, bar.h, "frame"),
        numbers,
        [_marker(labels, position, track, side, layout) for side in range(2)],
        glass if can else NOTHING,
        css="track can" if can else "track",
        data_track=track,
        role="button" if can else "img",
        tabindex=0 if can else None,
        data_tell="\n".join(
            [*labels.tell_track(position, track), *(title for _, _, title, _ in flags_at(labels, position, track))]
        ),
        aria_label=labels.describe_track(position, track),
    )


def _title(labels: Labels, track: str, layout: Layout, middle: float, room: float) -> Markup:
    words = labels.kind(track)
    size = max(12.5, layout.least)
    lines = wrap(words, room, size, "b")
    first = layout.defcon.y + (46 if layout.wide else 49) - (len(lines) - 1) * 13
    return block(
        middle, first, words, size, f"b {track}", "middle", room=room, lines=2, leading=13 / size, smallest=size
    )[0]


def _flags(labels: Labels, position: DrawnPosition, track: str, middle: float, y: float) -> Markup:
    found = []
    for side, number, title, mine in flags_at(labels, position, track):
        x = middle - 32 - 17 * number if side == 0 else middle + 18 + 17 * number
        found.append(icons.flag(side, x, y, title, mine=mine))
    return join(found)


def _area(labels: Labels, bar: Box, steps: list[int], area: str, ids: str) -> Markup:
    y = _step_y(labels, bar, max(steps))
    high = len(steps) * _step_height(labels, bar)
    number = area.rsplit("_", 1)[-1]
    pattern = {"1": "hatch", "2": "dots"}.get(number)
    return join(
        rect(bar.x, y, bar.w, high, f"danger-{number}"),
        rect(bar.x, y, bar.w, high, "", fill=f"url(#{ids}{pattern})") if pattern else NOTHING,
    )


def _marker(labels: Labels, position: DrawnPosition, track: str, side: int, layout: Layout) -> Markup:
    name, step = SIDE_CSS[side], position.markers[track][side]
    x, y = marker_point(labels, layout, track, side, step)
    bar = bar_of(layout, track)
    mercury = rect(bar.x + 1 if side == 0 else bar.right - 6, y, 5, bar.bottom - y, f"mercury {name}")
    size = min(17.0, _step_height(labels, bar) * 0.74)
    culprit = ring(track in to_war(labels, position, side), x, y, size)
    return join(mercury, icons.cube(side, x, y, size, "marker", f"marker-{name}-{track}"), culprit)


def room_of_dangers(layout: Layout) -> Box:
    """Return the room below the thermometers, where `dangers` writes."""
    box = layout.defcon
    top = box.y + layout.bars_from + layout.bars_height + 2
    return Box(box.x + 1, top, box.w - 2, box.bottom - top - 1)


def dangers(labels: Labels, position: DrawnPosition, layout: Layout) -> Markup:
    """Draw for each side how near it is to losing by nuclear war."""
    box = layout.defcon
    y = box.y + layout.bars_from + layout.bars_height + (15 if layout.wide else 19)
    size = max(11.5, layout.least)
    leading = 14.5 if layout.wide else 13.5
    left = box.x + 36 + max(width(side, size, "b") for side in labels.sides)
    parts = []
    for side in range(2):
        level, words = danger(labels, position, side)
        lines, count = block(
            left + 8, y, words, size, "b" if level == 2 else "" if level else "mu",
            room=box.right - left - 14, lines=2, leading=leading / size, smallest=size,
        )  # fmt: skip
        parts.append(icons.warning(box.x + 12, y - 11, grave=level == 2) if level else NOTHING)
        parts.append(text(left, y, labels.sides[side], size, f"b {SIDE_CSS[side]}", "end"))
        parts.append(lines)
        y += max(count, 1) * leading + 3
    return join(parts)
