"""Ghosts of the changes an action would make, drawn over the table from the difference of two positions."""

from __future__ import annotations

from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text
from brinkmanship.drawing.svg import Markup, group, rect
from brinkmanship.games.ukrainian_crisis.drawing.atlas import place, room
from brinkmanship.games.ukrainian_crisis.drawing.labels import Labels
from brinkmanship.games.ukrainian_crisis.drawing.layout import Layout
from brinkmanship.games.ukrainian_crisis.drawing.position import DrawnPosition, Stack
from brinkmanship.games.ukrainian_crisis.drawing.units import counter, standing


def ghosts(labels: Labels, before: DrawnPosition, after: DrawnPosition, layout: Layout) -> Markup:
    """Draw frames around zones whose units would change, the units that would come, and changed Prestige."""
    found = []
    for number, zone in enumerate(labels.data.zone):
        was, will = before.stacks.get(number, ()), after.stacks.get(number, ())
        if was == will:
            continue
        x, y = place(zone.id, number, layout.zone_map)
        wide, high = room(zone.id, number, layout.zone_map)
        found.append(rect(x - wide / 2 - 3, y + 3, wide + 6, high + 8, "way", 3))
        new = more(was, will)[:2]
        if not was:  # position of the counters to come
            found.append(group(standing(new, x, y, (wide, high), wide=layout.wide), css="g"))
            continue
        for index, stack in enumerate(new):
            scale = 1.0 if layout.wide else 0.6
            found.append(group(counter(stack, x - wide / 2 + index * 34, y + high - 6, scale), css="g"))
    for side in (0, 1):
        if before.prestige[side] != after.prestige[side]:
            box = layout.desks[side]
            change = f"→ {after.prestige[side]}"
            found.append(text(box.right - 12, box.y + 42, change, 13, f"b {SIDE_CSS[side]}", "end"))
    return group(found, css="ghosts", aria_hidden="true")


def more(was: tuple[Stack, ...], will: tuple[Stack, ...]) -> list[Stack]:
    """Return the units that would be added."""
    had = {stack._replace(size=0): stack.size for stack in was}
    return [
        stack._replace(size=stack.size - had.get(stack._replace(size=0), 0))
        for stack in will
        if stack.size > had.get(stack._replace(size=0), 0)
    ]
