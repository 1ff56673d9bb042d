"""A side's player area in games of cubes and cards: its name, the side to act, the supply, the hand."""

from __future__ import annotations

import re

from brinkmanship.drawing import icons
from brinkmanship.drawing.box import Box
from brinkmanship.drawing.icons import SIDE_CSS
from brinkmanship.drawing.lettering import text, width
from brinkmanship.drawing.phrases import Phrases
from brinkmanship.drawing.svg import NOTHING, Markup, el, group, join


def heading(labels: Phrases, side: int, box: Box, *, you: bool, to_act: bool) -> Markup:
    """Draw the name of the side, and whether it is the viewer's and whether it is to act."""
    x = box.x + 14
    name = labels.sides[side]
    yours = f"· {labels.say('you')}" if you else ""
    after, limit = x + 23 + width(name, 16, "b"), box.right - 14
    mark = NOTHING
    if to_act:
        words = labels.say("to_act")
        left = box.right - 14 - width(words, 13.5, "b")
        limit = left - 18
        lamp = el("circle", cx=left - 9, cy=box.y + 16.5, r=4, class_="lamp")
        mark = group(lamp, text(box.right - 14, box.y + 21, words, 13.5, "b", "end"), css="to-act")
    return join(
        icons.cube(side, x + 5, box.y + 16, 11),
        text(x + 18, box.y + 21, name, 16, f"b {SIDE_CSS[side]}"),
        text(after, box.y + 21, yours, 13.5, "mu") if yours and after + width(yours, 13.5) < limit else NOTHING,
        mark,
    )


def without_to_act(board: str) -> str:
    """Return a drawn board without the marks of the sides that are to act, as at the end of a game or in print."""
    return re.sub(r'<g class="to-act">.*?</g>', "", board)


def supply(side: int, left: int, total: int, box: Box, rows: int) -> Markup:
    """Draw the cubes still in the supply, in groups of five, and gaps for those that are elsewhere."""
    rows = max(rows, -(-total // 25))
    in_row = -(-total // rows)
    step = min(13.0, box.w / (in_row + (in_row - 1) // 5 * 0.3))
    size = step * (0.74 if side == 0 else 0.68)
    points = [
        (box.x + size / 2 + (i % in_row + i % in_row // 5 * 0.3) * step, box.y + i // in_row * (step + 1.5))
        for i in range(total)
    ]
    name = SIDE_CSS[side]
    cubes = [icons.cube(side, x, y, size, "", f"cube-{name}-supply-{i + 1}") for i, (x, y) in enumerate(points[:left])]
    return group(cubes, icons.slots(side, points[left:]), css="supply", data_supply=side)


def hand(labels: Phrases, side: int, count: int, x: float, y: float, room: float = 1000) -> Markup:
    """Draw `count` cards face down with their number, fanned as far as the room allows."""
    words = labels.say("hand", count=count)
    step = min(8.0, 48 / max(count, 1), (room - 10 - width(words, 13.5)) / max(count, 1))
    return group(
        icons.backs(count, x, y, SIDE_CSS[side], step),
        text(x + (10 + count * step if count else 0), y + 12, words, 13.5),
        css="hand",
        id=f"hand-{SIDE_CSS[side]}",
    )
