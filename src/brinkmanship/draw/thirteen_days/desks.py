"""The desks of the two sides: supply, hand, the letter, whose decision it is."""

from __future__ import annotations

from brinkmanship.draw import marks
from brinkmanship.draw.lettering import text, width
from brinkmanship.draw.svg import NOTHING, Markup, el, group, join, rect
from brinkmanship.draw.thirteen_days.labels import Labels
from brinkmanship.draw.thirteen_days.layout import Box, Layout
from brinkmanship.draw.thirteen_days.position import SIDES, Position


def desk(labels: Labels, position: Position, side: int, layout: Layout, *, can: bool) -> Markup:
    """One side's desk; `can` lights the letter on it."""
    box = layout.desks[side]
    edge = rect(box.x if side == 0 else box.right - 4, box.y, 4, box.h, f"mercury {SIDES[side]}")
    summary = labels.say(
        "aria.desk",
        side=labels.sides[side],
        supply=position.supply[side],
        hand=position.hand[side],
        letter=labels.say("aria.letter") if position.letter == side else "",
    )
    return group(
        rect(box.x, box.y, box.w, box.h, "panel"),
        edge,
        _heading(labels, position, side, box),
        (_wide if layout.wide else _narrow)(labels, position, side, box, can),
        css="desk",
        data_desk=SIDES[side],
        role="group",
        aria_label=summary,
    )


def _heading(labels: Labels, position: Position, side: int, box: Box) -> Markup:
    x = box.x + 14
    name = labels.sides[side]
    you = f"· {labels.say('you')}" if position.side == side else ""
    after, limit = x + 23 + width(name, 16, "b"), box.right - 14
    to_act = NOTHING
    if position.pending[side]:
        words = labels.say("to_act")
        left = box.right - 14 - width(words, 12.5, "b")
        limit = left - 18
        lamp = el("circle", cx=left - 9, cy=box.y + 16.5, r=4, class_="lamp")
        to_act = group(lamp, text(box.right - 14, box.y + 21, words, 12.5, "b", "end"), css="to-act")
    return join(
        marks.cube(side, x + 5, box.y + 16, 11),
        text(x + 18, box.y + 21, name, 16, f"b {SIDES[side]}"),
        text(after, box.y + 21, you, 12.5, "mu") if you and after + width(you, 12.5) < limit else NOTHING,
        to_act,
    )


def _wide(labels: Labels, position: Position, side: int, box: Box, can: bool) -> Markup:
    count = labels.say("supply", count=position.supply[side])
    room = box.w - 40 - width(count, 12.5)
    return join(
        _supply(labels, position, side, Box(box.x + 14, box.y + 42, room, 0), rows=1),
        text(box.right - 14, box.y + 46, count, 12.5, "", "end"),
        _hand(labels, position, side, box.x + 14, box.y + 58),
        _letter(labels, position, side, box.right - 14, box.y + 57, can),
    )


def _narrow(labels: Labels, position: Position, side: int, box: Box, can: bool) -> Markup:
    return join(
        _supply(labels, position, side, Box(box.x + 14, box.y + 38, box.w - 48, 0), rows=2),
        text(box.right - 10, box.y + 49, str(position.supply[side]), 14, "b", "end"),
        _hand(labels, position, side, box.x + 14, box.y + 65),
        _letter(labels, position, side, box.right - 12, box.y + 87, can),
    )


def _supply(labels: Labels, position: Position, side: int, box: Box, rows: int) -> Markup:
    """The cubes still to be placed, in fives, and the gaps of those on the board."""
    total, left = labels.data.limits.cubes_per_side, position.supply[side]
    rows = max(rows, -(-total // 25))
    in_row = -(-total // rows)
    step = min(13.0, box.w / (in_row + (in_row - 1) // 5 * 0.3))
    size = step * (0.74 if side == 0 else 0.68)
    points = [
        (box.x + size / 2 + (i % in_row + i % in_row // 5 * 0.3) * step, box.y + i // in_row * (step + 1.5))
        for i in range(total)
    ]
    name = SIDES[side]
    cubes = [marks.cube(side, x, y, size, "", f"cube-{name}-supply-{i + 1}") for i, (x, y) in enumerate(points[:left])]
    return group(cubes, marks.slots(side, points[left:], size), css="supply")


def _hand(labels: Labels, position: Position, side: int, x: float, y: float) -> Markup:
    count = position.hand[side]
    step = min(8.0, 48 / max(count, 1))
    words = labels.say("hand", count=count)
    return group(
        marks.backs(count, x, y, SIDES[side], step),
        text(x + (10 + count * step if count else 0), y + 11.5, words, 12.5),
        css="hand",
    )


def _letter(labels: Labels, position: Position, side: int, right: float, y: float, can: bool) -> Markup:
    if position.letter != side:
        return NOTHING
    words = labels.sentence("letter")
    wide = width(words, 12.5)
    return group(
        rect(right - wide - 36, y - 3, wide + 40, 22, "glass", 3) if can else NOTHING,
        marks.envelope(right - wide - 30, y),
        text(right, y + 12.5, words, 12.5, "", "end"),
        css="letter can" if can else "letter",
        id="letter",
        data_letter=SIDES[side],
        role="button" if can else None,
        tabindex=0 if can else None,
        aria_label=words if can else None,
    )
