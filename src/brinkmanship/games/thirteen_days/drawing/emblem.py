"""The emblem of 13 Days: a small picture for the home page, without words."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.svg import Markup, join, line, path, rect


def emblem(ids: str) -> Markup:
    """Draw the calendar, a battleground and three thermometers."""
    days = []
    for day in range(13):
        x = 12 + day * 16.6
        days.append(rect(x, 12, 16.6, 24, "panel" if day < 7 else "sunk"))
        if day < 7:
            days.append(icons.cube(day % 2, x + 8.3, 24, 8))
    facing = [
        line(74, 66, 74, 96, "line"),
        [icons.cube(0, 66 - i * 14, 81, 10.5) for i in range(4)],
        [icons.cube(1, 82 + i * 14, 81, 10.5) for i in range(2)],
        icons.slots(1, [(82 + i * 14, 81) for i in range(2, 4)]),
        path("M19 90v3h26v-3", "lead us"),
    ]
    rope = [line(18, 122, 130, 122, "rope"), line(18, 122, 130, 122, "strand"), icons.cube(1, 92, 122, 13)]
    bars = []
    for number, (us, ussr) in enumerate(((5, 3), (2, 6), (4, 4))):
        x = 152 + number * 28
        for top, high, area in ((50, 22, 1), (72, 33, 2), (105, 33, 3)):
            bars.append(rect(x, top, 16, high, f"danger-{area}"))
            if area < 3:
                name = "hatch" if area == 1 else "dots"
                bars.append(rect(x, top, 16, high, "", fill=f"url(#{ids}e-{name})"))
        bars.append(rect(x, 50, 16, 88, "frame"))
        bars.append(icons.cube(0, x, 138 - (us - 0.5) * 11, 8))
        bars.append(icons.cube(1, x + 16, 138 - (ussr - 0.5) * 11, 8))
    return join(days, facing, rope, bars)
