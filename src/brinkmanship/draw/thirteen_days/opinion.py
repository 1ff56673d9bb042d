"""The strip of world opinion below the map."""

from __future__ import annotations

from brinkmanship.draw import marks
from brinkmanship.draw.lettering import text, width
from brinkmanship.draw.svg import Markup, group, rect
from brinkmanship.draw.thirteen_days.labels import Labels
from brinkmanship.draw.thirteen_days.layout import Layout


def opinion(labels: Labels, layout: Layout) -> Markup:
    """Its ground and heading; the three battlegrounds are drawn like the others."""
    box = layout.opinion
    name = labels.say("opinion").upper()
    x = box.x + 14
    after = x + 20 + width(name, 12, "b sp") + 12
    when = labels.say("opinion_when")
    if layout.wide:
        words = text(after, box.y + 18, when, 12.5, "mu", room=box.right - after - 14)
    else:
        words = text(x, box.y + 34, when, 11.5, "mu", room=box.w - 28)
    return group(
        rect(box.x + 0.5, box.y, box.w - 1, box.h - 0.5, "opinion"),
        marks.kind("world_opinion", x, box.y + 7, 13),
        text(x + 20, box.y + 18, name, 12, "b sp"),
        words,
    )
