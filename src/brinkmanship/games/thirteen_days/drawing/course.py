"""The course of a game: Prestige and the six DEFCON markers from play to play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.graph import apart, steps
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join, line, path, rect
from brinkmanship.games.thirteen_days.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_days.rules.data import TRACKS
from brinkmanship.games.thirteen_days.rules.game import ThirteenDays
from brinkmanship.games.thirteen_days.rules.state import State
from brinkmanship.text import Words

WIDTH, HEIGHT = 900.0, 430.0
_PRESTIGE = Box(64, 40, 740, 132)
_TRACKS = tuple(Box(64 + number * 288, 236, 196, 160) for number in range(len(TRACKS)))


class _Point(NamedTuple):
    """The state after a number of plays: Prestige, and the markers by track and side."""

    plays: int
    prestige: int
    markers: tuple[tuple[int, int], ...]


def course(
    game: ThirteenDays, views: Iterable[State], words: Words, *, standalone: Theme | None = None, ids: str = ""
) -> str:
    """Draw a graph over the plays of a game, from the views (of any viewer: all of it is public) after each action."""
    labels = labels_for(words, game.data)
    points = _points(labels, views)
    return sheet(
        WIDTH,
        HEIGHT,
        icons.patterns(ids),
        _prestige(labels, points),
        [_track(labels, points, index, ids) for index in range(len(TRACKS))],
        standalone=standalone,
        css="course",
        role="img",
        label=_summary(labels, points),
        language=words.language,
    )


def _points(labels: Labels, views: Iterable[State]) -> list[_Point]:
    """Return one point for each number of plays: the state when the next play began."""
    limits = labels.data.limits
    per_round = 2 * limits.turns_per_round
    last: dict[int, _Point] = {}
    for view in views:
        plays = min((int(view.round_number) - 1) * per_round + int(view.turn), limits.rounds * per_round)
        markers = tuple((int(view.defcon[0, t]), int(view.defcon[1, t])) for t in range(len(TRACKS)))
        last[plays] = _Point(plays, int(view.prestige), markers)
    return [last[plays] for plays in sorted(last)]


def _summary(labels: Labels, points: list[_Point]) -> str:
    title = labels.sentence("course")
    return f"{title}. {labels.sentence('prestige')}: {labels.lead(points[-1].prestige)}" if points else title


def _prestige(labels: Labels, points: list[_Point]) -> Markup:
    box, most = _PRESTIGE, labels.data.limits.prestige_lead_max
    middle = box.y + box.h / 2

    def y(value: int) -> float:
        return middle - value * box.h / 2 / most

    end = NOTHING
    if points:
        lead = points[-1].prestige
        side = 0 if lead > 0 else 1
        words = labels.lead(lead) if lead else labels.say("even")
        x = _x(labels, box, points[-1].plays)
        knot = icons.cube(side, x, y(lead), 11) if lead else el("circle", cx=x, cy=y(0), r=5, class_="inkfill")
        css = f"b halo {SIDE_CSS[side]}" if lead else "b halo"
        end = join(
            knot,
            text(x + 12, min(max(y(lead), box.y + 9), box.bottom - 9) + 4.5, words, 12.5, css, room=WIDTH - x - 16),
        )
    return group(
        text(box.x, box.y - 20, labels.sentence("prestige").upper(), 12, "b sp"),
        rect(box.x, box.y, box.w, box.h / 2, "wash us"),
        rect(box.x, middle, box.w, box.h / 2, "wash ussr"),
        [text(box.x - 8, y(value) + 4, str(abs(value)), 11.5, "mu", "end") for value in (-most, 0, most)],
        text(8, y(most) + 4, labels.sides[0], 12.5, "b us", room=40),
        text(8, y(-most) + 4, labels.sides[1], 12.5, "b ussr", room=40),
        _rounds(labels, box, named=True),
        line(box.x, middle, box.right, middle, "thin"),
        path(_steps(labels, box, points, [y(point.prestige) for point in points]), "plot ink"),
        end,
    )


def _track(labels: Labels, points: list[_Point], index: int, ids: str) -> Markup:
    box, track = _TRACKS[index], TRACKS[index]
    high = box.h / labels.data.limits.defcon_max

    def y(step: float) -> float:
        return box.bottom - (step - 0.5) * high

    ground = []
    for area, inside in labels.data.areas.items():
        number = area.rsplit("_", 1)[-1]
        top, tall = box.bottom - max(inside) * high, len(inside) * high
        ground.append(rect(box.x, top, box.w, tall, f"danger-{number}"))
        pattern = {"1": "hatch", "2": "dots"}.get(number)
        if pattern:
            ground.append(rect(box.x, top, box.w, tall, "", fill=f"url(#{ids}{pattern})", opacity=0.45))
        if index == 0:
            ground.append(text(box.x - 10, top + tall / 2 + 5, labels.area(area).split()[-1], 15, "b mu", "end"))
    lines = [_curve(labels, box, points, index, side, [y(p.markers[index][side]) for p in points]) for side in (0, 1)]
    return group(
        icons.kind(track, box.x, box.y - 27),
        text(box.x + 20, box.y - 15, labels.kind(track), 13.5, f"b {track}", room=box.w),
        ground,
        _rounds(labels, box, named=False),
        lines,
        _ends(labels, box, points, index, y) if points else NOTHING,
    )


def _curve(labels: Labels, box: Box, points: list[_Point], index: int, side: int, ys: list[float]) -> Markup:
    """Draw the line of one marker, slightly offset to its side, so that two on one step are both visible."""
    away = -1.4 if side == 0 else 1.4
    return path(_steps(labels, box, points, [y + away for y in ys]), f"plot {SIDE_CSS[side]}", data_track=TRACKS[index])


def _ends(labels: Labels, box: Box, points: list[_Point], index: int, y: Callable[[float], float]) -> Markup:
    """Draw both markers at the end of their lines, their names moved apart where they meet."""
    x = _x(labels, box, points[-1].plays)
    us, ussr = points[-1].markers[index]
    label_us, label_ussr = apart(y(us), y(ussr))
    at = box.right + 10 if x > box.right - 70 else x + 12
    return join(
        icons.cube(0, x - (3 if us == ussr else 0), y(us), 10),
        icons.cube(1, x + (5 if us == ussr else 0), y(ussr), 10),
        text(at, label_us + 4.5, f"{labels.sides[0]} {us}", 12.5, "b halo us"),
        text(at, label_ussr + 4.5, f"{labels.sides[1]} {ussr}", 12.5, "b halo ussr"),
    )


def _rounds(labels: Labels, box: Box, *, named: bool) -> Markup:
    limits = labels.data.limits
    parts = []
    for number in range(limits.rounds):
        x = _x(labels, box, number * 2 * limits.turns_per_round)
        parts.append(line(x, box.y, x, box.bottom, "rule"))
        words = labels.sentence("round", round=number + 1) if named else labels.day(number * limits.turns_per_round)
        parts.append(text(x + (4 if named else 0), box.y - 5 if named else box.bottom + 15, words, 11.5, "mu"))
    return join(parts, rect(box.x, box.y, box.w, box.h, "frame"))


def _x(labels: Labels, box: Box, plays: int) -> float:
    return box.x + plays * box.w / (labels.data.limits.rounds * 2 * labels.data.limits.turns_per_round)


def _steps(labels: Labels, box: Box, points: list[_Point], ys: list[float]) -> str:
    """Return the step line of the values over the plays."""
    return steps((_x(labels, box, point.plays), y) for point, y in zip(points, ys, strict=True))
