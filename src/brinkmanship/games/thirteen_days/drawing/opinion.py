"""The strip of world opinion below the map."""

from __future__ import annotations

from brinkmanship.drawing import icons
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, el, group, rect
from brinkmanship.games.thirteen_days.drawing.labels import Labels
from brinkmanship.games.thirteen_days.drawing.layout import Layout


def opinion(labels: Labels, layout: Layout) -> Markup:
    """Draw the background and heading of world opinion; its three battlegrounds are drawn like the others."""
    box = layout.opinion
    name = labels.say("opinion").upper()
    x = box.x + 14
    ground = rect(box.x + 0.5, box.y, box.w - 1, box.h - 0.5, "opinion")
    when = labels.say("opinion_when")
    if layout.wide:  # no room for a heading; the boxes have its mark
        return group(el("title", f"{labels.say('opinion')}: {when}"), ground)
    words = text(x, box.y + 34, when, 11.5, "mu", room=box.w - 28)
    return group(
        ground,
        icons.kind("world_opinion", x, box.y + 7, 13),
        text(x + 20, box.y + 18, name, 12, "b sp"),
        words,
    )
