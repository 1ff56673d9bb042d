"""Graph of the course of a game: the worth of the battlegrounds, and how near each sphere came to war.

Prestige is only counted at the end, so the upper graph shows step 1 of the scoring as if it came after each play; the
three below count the cards of a DEFCON type in each sphere, of which the third means war.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.document import sheet
from brinkmanship.drawing.graph import apart, steps
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.style import Theme
from brinkmanship.drawing.svg import NOTHING, Markup, group, join, line, path, rect
from brinkmanship.engine.game import OBSERVER
from brinkmanship.games.thirteen_minutes.drawing.labels import Labels, labels_for
from brinkmanship.games.thirteen_minutes.drawing.position import SPHERES, read
from brinkmanship.games.thirteen_minutes.rules.data import COLOURS
from brinkmanship.games.thirteen_minutes.rules.game import ThirteenMinutes
from brinkmanship.games.thirteen_minutes.rules.state import State
from brinkmanship.text import Words

WIDTH, HEIGHT = 900.0, 430.0
_CONTROL = Box(64, 40, 740, 132)
_COLOURS = tuple(Box(64 + number * 288, 252, 196, 150) for number in range(len(COLOURS)))
MAX_OF_A_COLOUR = 5
"""Number of cards of the most frequent colour (K2)."""


class _Point(NamedTuple):
    """Values after a number of plays: the Prestige of each side's battlegrounds, and its cards by DEFCON type."""

    plays: int
    worth: tuple[int, int]
    cards: tuple[tuple[int, int], ...]


def course(
    game: ThirteenMinutes, views: Iterable[State], words: Words, *, standalone: Theme | None = None, ids: str = ""
) -> str:
    """Draw a graph over the plays of a game.

    `views` are those after each action so far, of any viewer: everything shown is public.
    """
    labels = labels_for(words, game.data)
    points = _points(game, labels, views)
    return sheet(
        WIDTH,
        HEIGHT,
        icons.patterns(ids),
        _control(labels, points),
        [_colour(labels, points, index, ids) for index in range(len(COLOURS))],
        standalone=standalone,
        css="course",
        role="img",
        label=_summary(labels, points),
        language=words.language,
    )


def _points(game: ThirteenMinutes, labels: Labels, views: Iterable[State]) -> list[_Point]:
    """Return one point for each number of plays: the values when the next play began."""
    last: dict[int, _Point] = {}
    for view in views:
        position = read(game, view, OBSERVER)
        of_area = {side: position.colours(area) for area, side in SPHERES.items()}
        worth = (labels.worth(position, 0), labels.worth(position, 1))
        last[position.turn] = _Point(position.turn, worth, tuple((of_area[0][c], of_area[1][c]) for c in COLOURS))
    return [last[plays] for plays in sorted(last)]


def _summary(labels: Labels, points: list[_Point]) -> str:
    title = labels.sentence("course")
    if not points:
        return title
    ends = (f"{labels.sides[side]} {points[-1].worth[side]}" for side in range(2))
    return f"{title}. {labels.sentence('course.control')}: {', '.join(ends)}"


def _control(labels: Labels, points: list[_Point]) -> Markup:
    box = _CONTROL
    most = max([6, *(value for point in points for value in point.worth)])

    def y(value: float) -> float:
        return box.bottom - value * box.h / (most + 0.5)

    values = [tuple(point.worth) for point in points]
    return group(
        text(box.x, box.y - 20, labels.sentence("course.control").upper(), 12, "b sp", room=box.w),
        rect(box.x, box.y, box.w, box.h, "scale"),
        [text(box.x - 8, y(value) + 4, str(value), 11.5, "mu", "end") for value in range(0, most + 1, 2)],
        [line(box.x, y(value), box.right, y(value), "rule") for value in range(2, most + 1, 2)],
        _plays(labels, box, every=1),
        [_curve(labels, box, points, side, [y(pair[side]) for pair in values]) for side in range(2)],
        _ends(labels, box, points, values[-1], [y(value) for value in values[-1]]) if values else NOTHING,
    )


def _colour(labels: Labels, points: list[_Point], index: int, ids: str) -> Markup:
    box, colour, war = _COLOURS[index], COLOURS[index], labels.data.scoring.war_cards
    high = box.h / (MAX_OF_A_COLOUR + 1)

    def y(cards: float) -> float:
        return box.bottom - (cards + 0.5) * high

    bands = ((war, MAX_OF_A_COLOUR, 1, "hatch"), (war - 1, war - 1, 2, "dots"), (0, war - 2, 3, ""))
    ground = []
    for first, last, number, pattern in bands:
        top, tall = y(last) - high / 2, (last - first + 1) * high
        ground.append(rect(box.x, top, box.w, tall, f"danger-{number}"))
        if pattern:
            ground.append(rect(box.x, top, box.w, tall, "", fill=f"url(#{ids}{pattern})", opacity=0.45))
    if index == 0:
        ground.extend(text(box.x - 8, y(n) + 4, str(n), 11.5, "mu", "end") for n in range(MAX_OF_A_COLOUR + 1))
        title = text(box.x, box.y - 36, labels.sentence("course.sphere").upper(), 12, "b sp")
    else:
        title = NOTHING
    values = [point.cards[index] for point in points]
    return group(
        title,
        icons.kind(colour, box.x, box.y - 21),
        text(box.x + 20, box.y - 9, labels.kind(colour), 13.5, f"b {colour}", room=box.w),
        ground,
        _plays(labels, box, every=5),
        [_curve(labels, box, points, side, [y(pair[side]) for pair in values]) for side in range(2)],
        _ends(labels, box, points, values[-1], [y(value) for value in values[-1]]) if values else NOTHING,
    )


def _curve(labels: Labels, box: Box, points: list[_Point], side: int, ys: list[float]) -> Markup:
    """Draw the curve of one side, shifted slightly towards that side so that two equal curves stay visible."""
    away = -1.4 if side == 0 else 1.4
    d = steps((_x(labels, box, point.plays), y + away) for point, y in zip(points, ys, strict=True))
    return path(d, f"plot {SIDE_CSS[side]}")


def _ends(labels: Labels, box: Box, points: list[_Point], values: tuple[int, ...], ys: list[float]) -> Markup:
    """Draw both sides' marks at the end of their lines, moving their names apart where they meet."""
    x = _x(labels, box, points[-1].plays)
    us, ussr = apart(*ys)
    same = values[0] == values[1]
    at = box.right + 10 if x > box.right - 70 else x + 12
    return join(
        icons.cube(0, x - (3 if same else 0), ys[0], 10),
        icons.cube(1, x + (5 if same else 0), ys[1], 10),
        text(at, us + 4.5, f"{labels.sides[0]} {values[0]}", 12.5, "b halo us"),
        text(at, ussr + 4.5, f"{labels.sides[1]} {values[1]}", 12.5, "b halo ussr"),
    )


def _plays(labels: Labels, box: Box, every: int) -> Markup:
    """Draw the play numbers along the lower edge."""
    turns = labels.data.limits.turns
    numbers = [
        text(_x(labels, box, n), box.bottom + 15, str(n), 11.5, "mu", "middle") for n in range(every, turns + 1, every)
    ]
    said = text(box.x, box.bottom + 15, labels.say("course.play"), 11.5, "mu")
    return join(numbers, said, rect(box.x, box.y, box.w, box.h, "frame"))


def _x(labels: Labels, box: Box, plays: int) -> float:
    return box.x + plays * box.w / labels.data.limits.turns
