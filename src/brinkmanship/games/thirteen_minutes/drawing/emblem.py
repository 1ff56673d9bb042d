"""The emblem of 13 Minutes: a small picture for the home page, without words."""

from __future__ import annotations

from math import cos, pi, sin

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import Markup, el, join, line, moved, num, path, rect


def emblem(_ids: str) -> Markup:
    """Draw a clock at thirteen minutes to midnight, with cards that slide between three areas."""
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
        face = [rect(0, 0, 36, 48, "paperlike", 3), icons.kind(kind, 4, 4, 10)]
        cubes = [] if side is None else [icons.cube(side, 12 + i * 12, 32, 8.5) for i in range(2 - number)]
        cards.append(moved(dx, dy, face, cubes))
    return join(el("circle", cx=x, cy=y, r=r, class_="paperlike"), wedge, ticks, hands, cards)
