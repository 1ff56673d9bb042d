"""A small picture of each game, for the home page: no words, so one for all languages."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin
from typing import cast

from brinkmanship.draw import marks
from brinkmanship.draw.geography import layer
from brinkmanship.draw.sheet import drawing
from brinkmanship.draw.style import Theme
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, line, moved, num, path, rect
from brinkmanship.kit import kit_of, part

WIDTH, HEIGHT = 240.0, 150.0


def emblem(game_id: str, *, standalone: Theme | None = None, ids: str = "") -> str:
    """The picture of a game by its id. Decorative: the page names the game."""
    draw = cast("Callable[[str], Markup]", part(kit_of(game_id).emblem))
    return drawing(
        WIDTH,
        HEIGHT,
        marks.patterns(f"{ids}e-"),
        rect(0.5, 0.5, WIDTH - 1, HEIGHT - 1, "panel", 3),
        draw(ids),
        standalone=standalone,
        css=f"emblem {game_id}",
        aria_hidden="true",
    )


def no_emblem(ids: str) -> Markup:  # noqa: ARG001 - as every emblem
    """Of a game that brings none: an empty table."""
    return NOTHING


def thirteen_days(ids: str) -> Markup:
    """The calendar, a battleground, three thermometers."""
    days = []
    for day in range(13):
        x = 12 + day * 16.6
        days.append(rect(x, 12, 16.6, 24, "panel" if day < 7 else "sunk"))
        if day < 7:
            days.append(marks.cube(day % 2, x + 8.3, 24, 8))
    facing = [
        line(74, 66, 74, 96, "line"),
        [marks.cube(0, 66 - i * 14, 81, 10.5) for i in range(4)],
        [marks.cube(1, 82 + i * 14, 81, 10.5) for i in range(2)],
        marks.slots(1, [(82 + i * 14, 81) for i in range(2, 4)], 10.5),
        path("M19 90v3h26v-3", "lead us"),
    ]
    rope = [line(18, 122, 130, 122, "rope"), line(18, 122, 130, 122, "strand"), marks.cube(1, 92, 122, 13)]
    bars = []
    for number, (us, ussr) in enumerate(((5, 3), (2, 6), (4, 4))):
        x = 152 + number * 28
        for top, high, area in ((50, 22, 1), (72, 33, 2), (105, 33, 3)):
            bars.append(rect(x, top, 16, high, f"danger-{area}"))
            if area < 3:
                name = "hatch" if area == 1 else "dots"
                bars.append(rect(x, top, 16, high, "", fill=f"url(#{ids}e-{name})"))
        bars.append(rect(x, 50, 16, 88, "frame"))
        bars.append(marks.cube(0, x, 138 - (us - 0.5) * 11, 8))
        bars.append(marks.cube(1, x + 16, 138 - (ussr - 0.5) * 11, 8))
    return join(days, facing, rope, bars)


def thirteen_minutes(ids: str) -> Markup:  # noqa: ARG001
    """A clock at thirteen minutes to midnight, cards that slide between three areas."""
    x, y, r = 172.0, 75.0, 56.0
    ticks = []
    for minute in range(0, 60, 5):
        angle = minute * pi / 30 - pi / 2
        inner = r - (9 if minute % 15 == 0 else 5)
        ticks.append(line(x + inner * cos(angle), y + inner * sin(angle), x + (r - 2) * cos(angle),
                          y + (r - 2) * sin(angle), "round" if minute % 15 == 0 else "thin"))  # fmt: skip
    start = 47 * pi / 30 - pi / 2
    wedge = path(
        f"M{num(x)} {num(y)}L{num(x + (r - 3) * cos(start))} {num(y + (r - 3) * sin(start))}"
        f"A{num(r - 3)} {num(r - 3)} 0 0 1 {num(x)} {num(y - r + 3)}z",
        "danger-1",
    )
    hour = (11 + 47 / 60) * pi / 6 - pi / 2
    hands = [
        line(x, y, x + 30 * cos(hour), y + 30 * sin(hour), "rope"),
        line(x, y, x + 46 * cos(start), y + 46 * sin(start), "round"),
        el("circle", cx=x, cy=y, r=4, class_="inkfill"),
    ]
    cards = []
    for number, (dx, dy, kind, side) in enumerate(
        ((18, 20, "military", 0), (58, 44, "political", 1), (26, 84, "world_opinion", None))
    ):
        face = [rect(0, 0, 36, 48, "paperlike", 3), marks.kind(kind, 4, 4, 10)]
        cubes = [] if side is None else [marks.cube(side, 12 + i * 12, 32, 8.5) for i in range(2 - number)]
        cards.append(moved(dx, dy, face, cubes))
    return join(el("circle", cx=x, cy=y, r=r, class_="paperlike"), wedge, ticks, hands, cards)


def ukrainian_crisis(ids: str) -> Markup:
    """A newspaper map of 2014: zones hatched, counters with military symbols."""
    east = "M136 20h90v120h-90l-12-36 18-30z"
    columns = "".join(f"M14 {y}h34" for y in range(96, 138, 6)) + "".join(f"M192 {y}h34" for y in range(18, 48, 6))

    def counter(x: float, y: float, side: str, sign: str) -> Markup:
        return moved(x, y, rect(0, 0, 24, 20, f"back {side}", 1.5), rect(5, 6, 14, 9, "bare"), path(sign, "line"))

    infantry, armour = "M5 5h14v10h-14zM5 5l14 10M19 5l-14 10", "M5 5h14v10h-14zM9 8h6a2 2 0 0 1 0 4h-6a2 2 0 0 1 0-4z"
    return join(
        path(columns, "thin"),
        el("clipPath", el("path", d=east), id=f"{ids}e-east"),
        layer("ukraine", "land", "land"),
        group(layer("ukraine", "land", "hatched", fill=f"url(#{ids}e-hatch)"), clip_path=f"url(#{ids}e-east)"),
        counter(84, 50, "us", infantry),
        counter(112, 62, "us", armour),
        counter(164, 58, "ussr", infantry),
        counter(148, 108, "ussr", armour),
    )
