"""Graph of the course of a game: the Prestige of both sides by Turn, Combat Turns hatched, and units on the map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.graph import apart
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, line, num, path, rect
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels, labels_for
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, read
from brinkmanship.games.ukrainian_crisis.rules.game import UkrainianCrisis
from brinkmanship.games.ukrainian_crisis.rules.state import State
from brinkmanship.text import Words

WIDTH, HEIGHT = 900.0, 430.0
_PRESTIGE = Box(64, 40, 740, 176)
_UNITS = Box(64, 282, 740, 112)


class _Point(NamedTuple):
    """Values at the end of a Turn: Prestige, units on the map, and whether it was a Combat Turn."""

    turn: int
    prestige: tuple[int, int]
    units: tuple[int, int]
    fought: bool


def course(
    game: UkrainianCrisis, views: Iterable[State], words: Words, *, standalone: Theme | None = None, ids: str = ""
) -> str:
    """Draw a graph over the Turns of a game.

    `views` are those after each action so far, of any viewer: everything shown is public.
    """
    labels = labels_for(words, game)
    points = _points(game, views)
    return sheet(
        WIDTH,
        HEIGHT,
        icons.patterns(ids),
        _graph(
            labels,
            points,
            _PRESTIGE,
            "crisis.prestige",
            [point.prestige for point in points],
            ids,
            game.data.start.turns,
        ),
        _graph(labels, points, _UNITS, "crisis.on_map", [point.units for point in points], ids, game.data.start.turns),
        standalone=standalone,
        css="course",
        role="img",
        label=_summary(labels, points),
        language=words.language,
    )


def _points(game: UkrainianCrisis, views: Iterable[State]) -> list[_Point]:
    last: dict[int, _Point] = {}
    begun = None
    for view in views:
        position = read(game, view, OBSERVER)
        units = (_on_map(position, 0), _on_map(position, 1))
        if begun is None:
            begun = last[0] = _Point(0, position.prestige, units, fought=False)
        last[position.turn] = _Point(position.turn, position.prestige, units, position.turn_type == 1)
    return [last[turn] for turn in sorted(last)]


def _on_map(position: DrawnPosition, side: int) -> int:
    zones = [stacks for place, stacks in position.stacks.items() if place < 28]
    return sum(stack.size for stacks in zones for stack in stacks if stack.side == side)


def _summary(labels: Labels, points: list[_Point]) -> str:
    title = labels.sentence("course")
    if not points:
        return title
    ends = (f"{labels.sides[side]} {points[-1].prestige[side]}" for side in range(2))
    return f"{title}. {labels.sentence('crisis.prestige')}: {', '.join(ends)}"


def _graph(
    labels: Labels,
    points: list[_Point],
    box: Box,
    title: str,
    values: list[tuple[int, int]],
    ids: str,
    turns: int,
) -> Markup:
    most = max([10, *(value for pair in values for value in pair)])
    step = 10 if most > 12 else 5

    def y(value: float) -> float:
        return box.bottom - value * box.h / (most * 1.05)

    def x(turn: float) -> float:
        return box.x + turn * box.w / turns

    fought = [
        rect(x(point.turn - 1), box.y, box.w / turns, box.h, "", fill=f"url(#{ids}hatch)", opacity=0.35)
        for point in points
        if point.fought
    ]
    curves = []
    for side in range(2):
        way = [f"{num(x(p.turn))} {num(y(v[side]))}" for p, v in zip(points, values, strict=True)]
        d = "M" + "L".join(way) if way else ""
        curves.append(path(d, f"plot {SIDE_CSS[side]}") if d else NOTHING)
    return group(
        text(box.x, box.y - 12, labels.sentence(title).upper(), 12, "b sp", room=box.w),
        rect(box.x, box.y, box.w, box.h, "scale"),
        fought,
        [text(box.x - 8, y(n) + 4, str(n), 11.5, "mu", "end") for n in range(0, most + 1, step)],
        [line(box.x, y(n), box.right, y(n), "rule") for n in range(step, most + 1, step)],
        [text(x(n - 0.5), box.bottom + 16, str(n), 11.5, "mu", "middle") for n in range(1, turns + 1)],
        rect(box.x, box.y, box.w, box.h, "frame"),
        curves,
        _ends(labels, x(points[-1].turn), [y(v) for v in values[-1]], values[-1], box.bottom) if points else NOTHING,
    )


def _ends(labels: Labels, x: float, ys: list[float], values: tuple[int, int], floor: float) -> Markup:
    """Draw both sides at the end of their lines, above the Turn numbers, moving their names apart where they meet."""
    ua, ru = apart(*ys)
    lift = max(0.0, ua + 6 - floor, ru + 6 - floor)
    ua, ru = ua - lift, ru - lift
    at = x + 12
    return join(
        icons.cube(0, x, ys[0], 10),
        icons.cube(1, x, ys[1], 10),
        text(at, ua + 4.5, f"{labels.sides[0]} {values[0]}", 12.5, "b halo us", room=WIDTH - at - 4),
        text(at, ru + 4.5, f"{labels.sides[1]} {values[1]}", 12.5, "b halo ussr", room=WIDTH - at - 4),
    )
